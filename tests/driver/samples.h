/* SPDX-License-Identifier: MIT */
/*
 * For tests of multisampling: multisample framebuffers, positions of the samples, and a reference
 * for a triangle's coverage.  The reference follows the specification (GL 3.0, 3.6.5: a sample is
 * covered if its position lies inside) in integers of 1/256 pixel.  The tests round all vertices to
 * this unit.
 */
#ifndef TEST_SAMPLES_H
#define TEST_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 64
#define MAX_SAMPLES 16

struct point {
   int x, y; /* coordinates in units of 1/256 pixel */
};

/* A multisample framebuffer with colour, depth and stencil, and the framebuffer for its resolves.
 */
struct target {
   int samples;
   GLuint fb, color, zs;
   GLuint resolved_fb, resolved;
   struct point position[MAX_SAMPLES];
   uint8_t pixel[SIZE][SIZE][4];
};

static inline struct target *
target_create(int samples)
{
   struct target *t = calloc(1, sizeof *t);
   GLint got = 0;

   t->samples = samples;
   t->resolved_fb = new_framebuffer();
   t->resolved = attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, SIZE);
   t->fb = new_framebuffer();
   t->color = attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, samples, SIZE, SIZE);
   glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &got);
   CHECK(got == samples, "%d samples asked for, %d given", samples, got);
   t->zs = attach_renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, samples, SIZE,
                               SIZE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%d samples",
         samples);
   glGetIntegerv(GL_SAMPLES, &got);
   CHECK(got == samples, "GL_SAMPLES %d of %d", got, samples);

   for (int i = 0; i < samples; i++) {
      GLfloat p[2] = { -1, -1 };
      glGetMultisamplefv(GL_SAMPLE_POSITION, i, p);
      CHECK(p[0] >= 0 && p[0] < 1 && p[1] >= 0 && p[1] < 1, "sample %d at %f %f", i, p[0], p[1]);
      t->position[i] = (struct point){ p[0] * 256, p[1] * 256 };
      CHECK(p[0] * 256 == t->position[i].x && p[1] * 256 == t->position[i].y, "sample %d at %f %f",
            i, p[0], p[1]);
      for (int j = 0; j < i; j++) {
         CHECK(t->position[i].x != t->position[j].x || t->position[i].y != t->position[j].y,
               "samples %d and %d are at the same place", i, j);
      }
   }
   return t;
}

static inline void
target_destroy(struct target *t)
{
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &t->fb);
   glDeleteFramebuffers(1, &t->resolved_fb);
   glDeleteRenderbuffers(1, &t->color);
   glDeleteRenderbuffers(1, &t->zs);
   glDeleteRenderbuffers(1, &t->resolved);
   free(t);
}

/* Binds the multisample framebuffer and clears all samples to 0 and depth 1. */
static inline void
target_begin(struct target *t)
{
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
   glViewport(0, 0, SIZE, SIZE);
   glClearColor(0, 0, 0, 0);
   glClearStencil(0);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

/* Resolves the framebuffer and reads the result into t->pixel. */
static inline void
target_end(struct target *t)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->fb);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, t->resolved_fb);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->resolved_fb);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, t->pixel);
}

/* Returns the resolved value of a component that is 1 in `count` samples and 0 in the others. */
static inline int
mean(const struct target *t, int count)
{
   return (2 * 255 * count + t->samples) / (2 * t->samples);
}

static inline int
count_bits(unsigned mask)
{
   return __builtin_popcount(mask);
}

static inline int64_t
edge(struct point a, struct point b, struct point p)
{
   return (int64_t)(b.x - a.x) * (p.y - a.y) - (int64_t)(b.y - a.y) * (p.x - a.x);
}

/* Returns the mask of a pixel's samples that a triangle covers. *sure is set to whether no sample
 * lies on an edge.
 */
static inline unsigned
covered(const struct target *t, const struct point v[3], int x, int y, bool *sure)
{
   unsigned mask = 0;

   *sure = true;
   for (int i = 0; i < t->samples; i++) {
      const struct point p = { x * 256 + t->position[i].x, y * 256 + t->position[i].y };
      const int64_t e[3] = { edge(v[0], v[1], p), edge(v[1], v[2], p), edge(v[2], v[0], p) };

      if ((e[0] > 0 && e[1] > 0 && e[2] > 0) || (e[0] < 0 && e[1] < 0 && e[2] < 0))
         mask |= 1u << i;
      if (!e[0] || !e[1] || !e[2])
         *sure = false;
   }
   return mask;
}

static inline void
triangle(const struct point v[3])
{
   glBegin(GL_TRIANGLES);
   for (int i = 0; i < 3; i++)
      glVertex2f(v[i].x / 256.0f, v[i].y / 256.0f);
   glEnd();
}

static inline void
random_triangle(struct point v[3])
{
   static uint32_t seed = 1;

   for (int i = 0; i < 3; i++) {
      seed = seed * 1664525 + 1013904223;
      v[i].x = (seed >> 12) % (SIZE * 256);
      seed = seed * 1664525 + 1013904223;
      v[i].y = (seed >> 12) % (SIZE * 256);
   }
}

#endif
