/* SPDX-License-Identifier: MIT */
/*
 * Compares random two-sided stencil tests with depth tests, on triangles that are filled or drawn
 * as lines or points, with a model that processes one fragment after the other (OpenGL 3.3,
 * sections 4.1.4 and 4.1.5).  A separate additive draw counts the fragments of a primitive in each
 * pixel.  The depth of a primitive is constant, so that no result depends on rounding.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 48
#define PRIMITIVES 24
#define SCENES 60

static const GLenum funcs[] = { GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS };
static const GLenum ops[] = { GL_KEEP, GL_ZERO,   GL_REPLACE,   GL_INCR,
                              GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP };

struct face {
   GLenum func, fail, depth_fail, pass;
   int ref;
   unsigned mask, write_mask;
};

struct primitive {
   double at[3][2];
   double depth;
   GLenum mode, front, depth_func;
   bool depth_test, depth_write;
   struct face faces[2]; /* front and back face */
};

/* Expected contents of the framebuffer. */
static struct {
   uint8_t colour, stencil;
   double depth;
} model[SIZE][SIZE];

static unsigned
below(unsigned n)
{
   static uint32_t state = 1;
   state = state * 1664525u + 1013904223u;
   return (uint32_t)(((uint64_t)state * n) >> 32);
}

static bool
compares(GLenum func, double a, double b)
{
   switch (func) {
   case GL_NEVER:
      return false;
   case GL_LESS:
      return a < b;
   case GL_EQUAL:
      return a == b;
   case GL_LEQUAL:
      return a <= b;
   case GL_GREATER:
      return a > b;
   case GL_NOTEQUAL:
      return a != b;
   case GL_GEQUAL:
      return a >= b;
   default:
      return true;
   }
}

static uint8_t
operated(GLenum op, const struct face *f, int old)
{
   int now = old;
   switch (op) {
   case GL_ZERO:
      now = 0;
      break;
   case GL_REPLACE:
      now = f->ref;
      break;
   case GL_INCR:
      now = old < 255 ? old + 1 : 255;
      break;
   case GL_DECR:
      now = old > 0 ? old - 1 : 0;
      break;
   case GL_INVERT:
      now = ~old;
      break;
   case GL_INCR_WRAP:
      now = old + 1;
      break;
   case GL_DECR_WRAP:
      now = old - 1;
      break;
   }
   return (old & ~f->write_mask) | (now & f->write_mask);
}

static void
model_fragment(int x, int y, const struct primitive *p, const struct face *f, uint8_t colour)
{
   const int old = model[y][x].stencil;
   GLenum op = f->fail;

   if (compares(f->func, f->ref & (int)f->mask, old & (int)f->mask)) {
      const bool pass = !p->depth_test || compares(p->depth_func, p->depth, model[y][x].depth);
      op = pass ? f->pass : f->depth_fail;
      if (pass)
         model[y][x].colour = colour;
      if (pass && p->depth_test && p->depth_write)
         model[y][x].depth = p->depth;
   }
   model[y][x].stencil = operated(op, f, old);
}

static struct primitive
random_primitive(void)
{
   static const GLenum modes[] = { GL_FILL, GL_FILL, GL_FILL, GL_LINE, GL_POINT };
   struct primitive p;

   for (int v = 0; v < 3; v++) {
      p.at[v][0] = below(16 * SIZE * 2) / 16.0 - SIZE / 2;
      p.at[v][1] = below(16 * SIZE * 2) / 16.0 - SIZE / 2;
   }
   p.depth = (1 + below(7)) / 8.0;
   p.mode = modes[below(5)];
   p.front = below(2) ? GL_CCW : GL_CW;
   p.depth_func = funcs[below(8)];
   p.depth_test = below(4) > 0;
   p.depth_write = below(4) > 0;
   for (int i = 0; i < 2; i++) {
      struct face *f = &p.faces[i];
      f->func = funcs[below(8)];
      f->fail = ops[below(8)];
      f->depth_fail = ops[below(8)];
      f->pass = ops[below(8)];
      f->ref = (int)below(256);
      f->mask = below(2) ? 0xff : below(256);
      f->write_mask = below(2) ? 0xff : below(256);
   }
   return p;
}

static void
draw(const struct primitive *p)
{
   glPolygonMode(GL_FRONT_AND_BACK, p->mode);
   glBegin(GL_TRIANGLES);
   for (int v = 0; v < 3; v++)
      glVertex3d(p->at[v][0], p->at[v][1], 1 - 2 * p->depth);
   glEnd();
}

/* Draws the primitive without other tests.  Each fragment adds one to the count of its pixel. */
static void
count(const struct primitive *p, uint8_t counts[SIZE][SIZE])
{
   glDisable(GL_STENCIL_TEST);
   glDisable(GL_DEPTH_TEST);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   glClear(GL_COLOR_BUFFER_BIT);
   glColor4ub(1, 0, 0, 0);
   draw(p);
   glReadPixels(0, 0, SIZE, SIZE, GL_RED, GL_UNSIGNED_BYTE, counts);
   glDisable(GL_BLEND);
}

static void
set_state(const struct primitive *p)
{
   static const GLenum names[2] = { GL_FRONT, GL_BACK };

   glEnable(GL_STENCIL_TEST);
   (p->depth_test ? glEnable : glDisable)(GL_DEPTH_TEST);
   glDepthFunc(p->depth_func);
   glDepthMask(p->depth_write);
   glFrontFace(p->front);
   for (int i = 0; i < 2; i++) {
      const struct face *f = &p->faces[i];
      glStencilFuncSeparate(names[i], f->func, f->ref, f->mask);
      glStencilOpSeparate(names[i], f->fail, f->depth_fail, f->pass);
      glStencilMaskSeparate(names[i], f->write_mask);
   }
}

/* Compares the framebuffer with the model and prints the differences.  Returns the number of
 * different pixels.
 */
static unsigned
compare(const char *format, int scene)
{
   static uint8_t colour[SIZE][SIZE], stencil[SIZE][SIZE];
   static float depth[SIZE][SIZE];
   unsigned wrong = 0;

   glReadPixels(0, 0, SIZE, SIZE, GL_RED, GL_UNSIGNED_BYTE, colour);
   glReadPixels(0, 0, SIZE, SIZE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil);
   glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const bool same = colour[y][x] == model[y][x].colour &&
                           stencil[y][x] == model[y][x].stencil &&
                           fabs((double)depth[y][x] - model[y][x].depth) < 1e-6;
         CHECK(same, "%s, scene %d, pixel %d %d: colour %d, stencil %d, depth %f; not %d, %d, %f",
               format, scene, x, y, colour[y][x], stencil[y][x], (double)depth[y][x],
               model[y][x].colour, model[y][x].stencil, model[y][x].depth);
         wrong += !same;
      }
   }
   return wrong;
}

static unsigned
run_scene(const char *format, int scene)
{
   static uint8_t counts[PRIMITIVES][SIZE][SIZE];
   static struct primitive primitives[PRIMITIVES];
   const uint8_t stencil = (uint8_t)below(256);

   for (int i = 0; i < PRIMITIVES; i++) {
      primitives[i] = random_primitive();
      count(&primitives[i], counts[i]);
   }

   glDepthMask(GL_TRUE);
   glStencilMask(0xff);
   glClearStencil(stencil);
   glClearDepth(0.5);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   memset(model, 0, sizeof(model));
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         model[y][x].stencil = stencil;
         model[y][x].depth = 0.5;
      }
   }

   for (int i = 0; i < PRIMITIVES; i++) {
      const struct primitive *p = &primitives[i];
      const double(*a)[2] = p->at;
      const double area = (a[1][0] - a[0][0]) * (a[2][1] - a[0][1]) -
                          (a[2][0] - a[0][0]) * (a[1][1] - a[0][1]);
      const bool front = (area > 0) == (p->front == GL_CCW);

      set_state(p);
      glColor4ub((GLubyte)(10 * i + 5), 0, 0, 0);
      draw(p);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            for (int n = 0; n < counts[i][y][x]; n++)
               model_fragment(x, y, p, &p->faces[!front], (uint8_t)(10 * i + 5));
         }
      }
   }
   return compare(format, scene);
}

int
main(void)
{
   static const struct {
      const char *name;
      GLenum format;
   } formats[] = {
      { "DEPTH24_STENCIL8", GL_DEPTH24_STENCIL8 },
      { "DEPTH32F_STENCIL8", GL_DEPTH32F_STENCIL8 },
   };

   REQUIRE(test_pbuffer(SIZE, SIZE));
   glOrtho(0, SIZE, 0, SIZE, -1, 1);
   glPointSize(9);
   glLineWidth(3);
   for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      const GLuint framebuffer = new_framebuffer();
      const GLuint targets[2] = {
         attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, SIZE),
         attach_renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, formats[i].format, 0, SIZE, SIZE),
      };
      unsigned wrong = 0;

      CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%s",
            formats[i].name);
      for (int n = 0; n < SCENES; n++)
         wrong += run_scene(formats[i].name, n);
      printf("%s: %u of %u pixels wrong\n", formats[i].name, wrong, SCENES * SIZE * SIZE);
      glDeleteFramebuffers(1, &framebuffer);
      glDeleteRenderbuffers(2, targets);
   }
   return test_end();
}
