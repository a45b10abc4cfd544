/* SPDX-License-Identifier: MIT */
/*
 * Tests uniforms that change partially between draws: more programs than the driver keeps contexts
 * of constants for, two GL contexts that share them, sizes around multiples of a line, and streams
 * that end in between.  Also tests indices in bounds whose product with the element size exceeds 32
 * bits.  A draw is a pixel; all results are exact.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"
#include "random.h"

#define SIZE 64
#define PROGRAMS 40 /* the driver has 16 contexts of constants per stage */
#define MOST 260    /* maximum number of vectors */

struct program {
   GLuint name;
   unsigned count[2]; /* number of vectors in the vertex and the fragment stage */
   GLubyte values[2][MOST][4];
};

static struct program programs[PROGRAMS];
static GLubyte expected[2][SIZE][SIZE][4];
static EGLDisplay display;
static EGLContext contexts[2];
static EGLSurface surfaces[2];

static bool
make_contexts(void)
{
   if (!test_pbuffer(SIZE, SIZE))
      return false;
   display = eglGetCurrentDisplay();
   contexts[0] = eglGetCurrentContext();
   surfaces[0] = eglGetCurrentSurface(EGL_DRAW);
   EGLint id, count;
   EGLConfig config;
   eglQueryContext(display, contexts[0], EGL_CONFIG_ID, &id);
   eglChooseConfig(display, (EGLint[]){ EGL_CONFIG_ID, id, EGL_NONE }, &config, 1, &count);
   contexts[1] = eglCreateContext(display, config, contexts[0], NULL);
   surfaces[1] = eglCreatePbufferSurface(display, config,
                                         (EGLint[]){ EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE });
   return count == 1 && contexts[1] && surfaces[1];
}

/* Creates a program.  Red shows a vector of the fragment stage that the draw selects, green shows
 * its last one, and blue shows a vector of the vertex stage.
 */
static void
make_program(struct program *p)
{
   static const unsigned counts[] = { 1, 3, 4, 5, 16, 17, 64, 200, MOST };
   char vertex[400], fragment[400];

   for (unsigned s = 0; s < 2; s++)
      p->count[s] = counts[below(sizeof counts / sizeof counts[0])];
   snprintf(vertex, sizeof vertex,
            "#version 120\nuniform vec4 v[%u];\nuniform int vnumber;\nvarying float blue;\n"
            "void main() { gl_Position = gl_Vertex; blue = v[vnumber].x; }\n",
            p->count[0]);
   snprintf(fragment, sizeof fragment,
            "#version 120\nuniform vec4 f[%u];\nuniform int fnumber;\nvarying float blue;\n"
            "void main() { gl_FragColor = vec4(f[fnumber].x, f[%u].x, blue, 1.0); }\n",
            p->count[1], p->count[1] - 1);
   p->name = test_program(vertex, fragment);
}

/* Sets `count` vectors, starting with `first`. */
static void
set(struct program *p, unsigned stage, unsigned first, unsigned count)
{
   GLfloat values[MOST][4] = { { 0 } };
   char name[20];

   for (unsigned i = 0; i < count; i++) {
      p->values[stage][first + i][0] = below(256);
      values[i][0] = p->values[stage][first + i][0] / 255.0f;
   }
   snprintf(name, sizeof name, "%c[%u]", "vf"[stage], first);
   glUniform4fv(glGetUniformLocation(p->name, name), count, values[0]);
}

static void
draw(unsigned context, unsigned n)
{
   static const GLfloat corners[4][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
   struct program *p = &programs[below(3) ? below(4) : below(PROGRAMS)];
   const unsigned number[2] = { below(p->count[0]), below(p->count[1]) };
   GLubyte *pixel = expected[context][n / SIZE][n % SIZE];

   glUseProgram(p->name);
   for (unsigned i = below(3); i > 0; i--) {
      const unsigned stage = below(2), first = below(p->count[stage]);
      const unsigned most = p->count[stage] - first;
      set(p, stage, first, 1 + below(below(2) && most > 4 ? 4 : most));
   }
   glUniform1i(glGetUniformLocation(p->name, "vnumber"), number[0]);
   glUniform1i(glGetUniformLocation(p->name, "fnumber"), number[1]);
   glScissor(n % SIZE, n / SIZE, 1, 1);
   glVertexPointer(2, GL_FLOAT, 0, corners);
   glEnableClientState(GL_VERTEX_ARRAY);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   pixel[0] = p->values[1][number[1]][0];
   pixel[1] = p->values[1][p->count[1] - 1][0];
   pixel[2] = p->values[0][number[0]][0];
   pixel[3] = 255;
   if (below(100) == 0)
      glFlush();
}

static void
make_current(unsigned context)
{
   CHECK(eglMakeCurrent(display, surfaces[context], surfaces[context], contexts[context]), "%x",
         (unsigned)eglGetError());
   glEnable(GL_SCISSOR_TEST);
}

/* Tests index expressions that select the fifth of eight uniforms. */
static void
test_indices(void)
{
   static const struct {
      const char *index;
      GLuint k;
   } cases[] = {
      { "k", 5 },
      { "k - 0x10000000", 0x10000005 },
      { "k - 0x20000001", 0x20000006 },
      { "k + 0x7fffffff", 5 - 0x7fffffffu },
      { "2 * (k - 0x30000000) + 1", 0x30000002 },
      { "(k - 0x10000000) - 0x10000000", 0x20000005 },
      { "k & 0x0fffffff", 0x30000005 },
      { "k * 0x10000001", 5 - 0x50000000u },
      { "-(k - 0x08000000)", 0x07fffffb },
      { "(k << 28) + 5", 16 },
   };
   static const GLfloat corners[4][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
   GLfloat values[8][4] = { { 0 } };
   GLubyte pixel[4];

   make_current(0);
   glScissor(0, 0, 1, 1);
   glVertexPointer(2, GL_FLOAT, 0, corners);
   glEnableClientState(GL_VERTEX_ARRAY);
   for (unsigned i = 0; i < 8; i++)
      values[i][0] = i / 255.0f;
   for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      char text[200];

      snprintf(text, sizeof text,
               "#version 130\nuniform vec4 u[8]; uniform int k;\n"
               "void main() { gl_FragColor = u[%s]; }\n",
               cases[i].index);
      const GLuint program = test_program(NULL, text);
      glUseProgram(program);
      glUniform4fv(glGetUniformLocation(program, "u"), 8, values[0]);
      glUniform1i(glGetUniformLocation(program, "k"), cases[i].k);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
      CHECK(pixel[0] == 5, "u[%s] is u[%u]", cases[i].index, pixel[0]);
   }
}

int
main(void)
{
   unsigned drawn[2] = { 0, 0 };

   if (!make_contexts())
      return 1;
   for (unsigned i = 0; i < PROGRAMS; i++) {
      make_program(&programs[i]);
      glUseProgram(programs[i].name);
      set(&programs[i], 0, 0, programs[i].count[0]);
      set(&programs[i], 1, 0, programs[i].count[1]);
   }
   for (unsigned context = 0; drawn[0] + drawn[1] < 2 * SIZE * SIZE; context ^= 1) {
      make_current(context);
      for (unsigned i = below(200); i > 0 && drawn[context] < SIZE * SIZE; i--)
         draw(context, drawn[context]++);
   }
   for (unsigned context = 0; context < 2; context++) {
      static GLubyte back[SIZE][SIZE][4];
      make_current(context);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, back);
      for (unsigned n = 0; n < SIZE * SIZE; n++) {
         const GLubyte *a = back[n / SIZE][n % SIZE], *b = expected[context][n / SIZE][n % SIZE];
         CHECK(!memcmp(a, b, 4), "context %u, draw %u: %u %u %u, not %u %u %u", context, n, a[0],
               a[1], a[2], b[0], b[1], b[2]);
      }
   }
   test_indices();
   return fails != 0;
}
