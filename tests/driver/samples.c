/* SPDX-License-Identifier: MIT */
/*
 * Tests multisampling: which samples are drawn, tested, blended and counted, and the results of
 * resolves, in framebuffer objects with 2, 4 and 8 samples and in a window-system framebuffer with
 * 4.  Results are exact where the specification leaves no choice.
 */
#include "samples.h"

/* Tests that the mean of equal samples is their value. */
static void
clears(struct target *t)
{
   for (int value = 0; value < 256; value++) {
      const int c[4] = { value, 255 - value, value ^ 0x55, value / 2 };
      target_begin(t);
      glClearColor(c[0] / 255.0f, c[1] / 255.0f, c[2] / 255.0f, c[3] / 255.0f);
      glEnable(GL_SCISSOR_TEST);
      glScissor(3, 5, SIZE - 7, SIZE - 10);
      glClear(GL_COLOR_BUFFER_BIT);
      glDisable(GL_SCISSOR_TEST);
      target_end(t);
      for (int i = 0; i < 4; i++) {
         CHECK(t->pixel[5][3][i] == c[i], "%d samples of %d are %d", t->samples, c[i],
               t->pixel[5][3][i]);
         CHECK(t->pixel[4][3][i] == 0 && t->pixel[SIZE - 5][SIZE - 5][i] == 0, "scissor");
      }
   }
}

static void
coverage(struct target *t)
{
   for (int n = 0; n < 40; n++) {
      struct point v[3];
      GLuint query, passed = 0, expected = 0;
      bool all_sure = true;

      random_triangle(v);
      target_begin(t);
      glColor4f(1, 1, 1, 1);
      glGenQueries(1, &query);
      glBeginQuery(GL_SAMPLES_PASSED, query);
      triangle(v);
      glEndQuery(GL_SAMPLES_PASSED);
      target_end(t);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            bool sure;
            const int count = count_bits(covered(t, v, x, y, &sure));
            const int got = t->pixel[y][x][0];
            expected += count;
            all_sure = all_sure && sure;
            if (sure) {
               CHECK(got == mean(t, count), "%d samples, pixel %d %d: %d, expected %d", t->samples,
                     x, y, got, mean(t, count));
            }
         }
      }
      glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
      CHECK(passed == expected || !all_sure, "%u samples passed of %u", passed, expected);
      glDeleteQueries(1, &query);
   }
}

/* Tests that all samples of a pixel are at its centre without GL_MULTISAMPLE (GL 3.0, 3.3.1). */
static void
disabled(struct target *t)
{
   for (int n = 0; n < 5; n++) {
      struct point v[3];

      random_triangle(v);
      target_begin(t);
      glDisable(GL_MULTISAMPLE);
      triangle(v);
      glEnable(GL_MULTISAMPLE);
      target_end(t);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const struct point p = { x * 256 + 128, y * 256 + 128 };
            const int64_t e[3] = { edge(v[0], v[1], p), edge(v[1], v[2], p), edge(v[2], v[0], p) };
            const bool in = (e[0] > 0) == (e[1] > 0) && (e[1] > 0) == (e[2] > 0);
            if (e[0] && e[1] && e[2])
               CHECK(t->pixel[y][x][0] == (in ? 255 : 0), "%d %d: %d", x, y, t->pixel[y][x][0]);
         }
      }
   }
}

/* Tests that a fan of triangles that share all edges covers each sample once. */
static void
shared_edges(struct target *t)
{
   target_begin(t);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   glColor4f(1 / 255.0f, 0, 0, 1 / 255.0f);
   glBegin(GL_TRIANGLE_FAN);
   glVertex2f(29.3f, 31.7f);
   for (int i = 0; i <= 4 * 16; i++) {
      const int side = i / 16 % 4;
      const float along = i % 16 * SIZE / 16.0f;
      glVertex2f(side == 0   ? along
                 : side == 1 ? SIZE
                 : side == 2 ? SIZE - along
                             : 0,
                 side == 0   ? 0
                 : side == 1 ? along
                 : side == 2 ? SIZE
                             : SIZE - along);
   }
   glEnd();
   glDisable(GL_BLEND);
   target_end(t);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++)
         CHECK(t->pixel[y][x][0] == 1, "pixel %d %d: %d", x, y, t->pixel[y][x][0]);
   }
}

/* Tests that each sample has separate depth and stencil values, with two planes that meet at x =
 * `meet`.
 */
static void
depth_stencil(struct target *t)
{
   const float meet = 20 + 11 / 256.0f;

   target_begin(t);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LESS);
   glColor4f(0, 0, 0, 0);
   glRectf(0, 0, SIZE, SIZE); /* at depth 0.5 */
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_ALWAYS, 1, 0xff);
   glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
   glColor4f(1, 1, 1, 1);
   glBegin(GL_QUADS); /* nearer than the rectangle for x > meet */
   glVertex3f(0, 0, -meet / SIZE);
   glVertex3f(SIZE, 0, (SIZE - meet) / SIZE);
   glVertex3f(SIZE, SIZE, (SIZE - meet) / SIZE);
   glVertex3f(0, SIZE, -meet / SIZE);
   glEnd();
   target_end(t);
   for (int x = 0; x < SIZE; x++) {
      int count = 0;
      for (int i = 0; i < t->samples; i++)
         count += x + t->position[i].x / 256.0f > meet;
      CHECK(t->pixel[10][x][0] == mean(t, count), "%d samples, depth at %d: %d, expected %d",
            t->samples, x, t->pixel[10][x][0], mean(t, count));
   }

   /* The stencil value counts passes of the sample; draw where it is zero. */
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
   glClear(GL_COLOR_BUFFER_BIT);
   glDisable(GL_DEPTH_TEST);
   glStencilFunc(GL_EQUAL, 0, 0xff);
   glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
   glRectf(0, 0, SIZE, SIZE);
   glDisable(GL_STENCIL_TEST);
   target_end(t);
   for (int x = 0; x < SIZE; x++) {
      int count = 0;
      for (int i = 0; i < t->samples; i++)
         count += x + t->position[i].x / 256.0f < meet;
      CHECK(t->pixel[10][x][0] == mean(t, count), "%d samples, stencil at %d: %d, expected %d",
            t->samples, x, t->pixel[10][x][0], mean(t, count));
   }
}

/* Tests sample masks and sample coverage values. */
static void
masks(struct target *t)
{
   const int all = (1 << t->samples) - 1;
   const int step = t->samples == 16 ? 1021 : t->samples == 8 ? 7 : 1;

   glColor4f(1, 1, 1, 1);
   glEnable(GL_SAMPLE_MASK);
   for (int mask = 0; mask <= all; mask += step) {
      target_begin(t);
      glSampleMaski(0, mask);
      glRectf(0, 0, SIZE, SIZE);
      target_end(t);
      CHECK(t->pixel[9][9][0] == mean(t, count_bits(mask)), "mask %x: %d", mask, t->pixel[9][9][0]);
   }
   glSampleMaski(0, ~0u);
   glDisable(GL_SAMPLE_MASK);

   glEnable(GL_SAMPLE_COVERAGE);
   for (int count = 0; count <= t->samples; count++) {
      for (int invert = 0; invert < 2; invert++) {
         target_begin(t);
         glSampleCoverage((float)count / t->samples, invert);
         glRectf(0, 0, SIZE, SIZE);
         target_end(t);
         CHECK(t->pixel[9][9][0] == mean(t, invert ? t->samples - count : count),
               "coverage of %d samples%s: %d", count, invert ? " inverted" : "", t->pixel[9][9][0]);
      }
   }
   glSampleCoverage(1, false);
   glDisable(GL_SAMPLE_COVERAGE);
}

/* Tests alpha to coverage.  A larger alpha covers at least as many samples, and the number matches
 * alpha up to one sample.  Alpha to one applies afterwards (GL 3.0, 4.1.3).
 */
static void
alpha(struct target *t)
{
   int before = 0;

   glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
   for (int value = 0; value <= 64; value++) {
      double sum = 0;

      target_begin(t);
      glColor4f(1, 1, 1, value / 64.0f);
      glRectf(0, 0, SIZE, SIZE);
      target_end(t);
      for (int i = 0; i < 16; i++)
         sum += t->pixel[20 + i / 4][20 + i % 4][0] * t->samples / 255.0;
      const int count = t->pixel[9][9][0] * t->samples / 255.0 + 0.5;
      CHECK(count >= before, "alpha %d: %d of %d samples, before %d", value, count, t->samples,
            before);
      CHECK(sum / 16 >= t->samples * value / 64.0 - 1 && sum / 16 <= t->samples * value / 64.0 + 1,
            "alpha %d: %f of %d samples", value, sum / 16, t->samples);
      before = count;
      if (value == 0 || value == 64)
         CHECK(t->pixel[9][9][0] == (value ? 255 : 0), "alpha %d", value);
   }

   glEnable(GL_SAMPLE_ALPHA_TO_ONE);
   for (int value = 0; value <= 64; value += 16) {
      target_begin(t);
      glColor4f(1, 1, 1, value / 64.0f);
      glRectf(0, 0, SIZE, SIZE);
      target_end(t);
      CHECK(t->pixel[9][9][3] == t->pixel[9][9][0], "alpha to one: alpha %d, red %d",
            t->pixel[9][9][3], t->pixel[9][9][0]);
   }
   glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
   target_begin(t);
   glColor4f(1, 1, 1, 0.25f);
   glRectf(0, 0, SIZE, SIZE);
   target_end(t);
   CHECK(t->pixel[9][9][3] == 255, "alpha to one: %d", t->pixel[9][9][3]);
   glDisable(GL_SAMPLE_ALPHA_TO_ONE);
}

/* Returns the number of covered samples in the 4x4 pixels at x and y. */
static int
count_4x4(const struct target *t, int x, int y)
{
   int count = 0;

   for (int i = 0; i < 16; i++)
      count += (t->pixel[y + i / 4][x + i % 4][0] * t->samples * 2 + 255) / 510;
   return count;
}

/* Tests the modes of NV_alpha_to_coverage_dither_control.  With dithering, the samples of 4x4
 * pixels match alpha up to half a sample, and pixels differ.  Otherwise all pixels are equal.
 */
static void
dither(struct target *t)
{
   PFNGLALPHATOCOVERAGEDITHERCONTROLNVPROC control = (PFNGLALPHATOCOVERAGEDITHERCONTROLNVPROC)
      eglGetProcAddress("glAlphaToCoverageDitherControlNV");
   static const GLenum modes[] = { GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV,
                                   GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV,
                                   GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV };

   REQUIRE(
      strstr((const char *)glGetString(GL_EXTENSIONS), "GL_NV_alpha_to_coverage_dither_control"));
   glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
   for (int mode = 0; mode < 3; mode++) {
      GLint got = 0;
      int uneven = 0;

      control(modes[mode]);
      glGetIntegerv(GL_ALPHA_TO_COVERAGE_DITHER_MODE_NV, &got);
      CHECK(got == (GLint)modes[mode], "mode 0x%x", got);
      for (int value = 0; value <= 64; value++) {
         target_begin(t);
         glColor4f(1, 1, 1, value / 64.0f);
         glRectf(0, 0, SIZE, SIZE);
         target_end(t);
         const int first = t->pixel[0][0][0];
         for (int i = 0; i < 16; i++) {
            const int x = i * 13 % (SIZE - 4), y = i * 29 % (SIZE - 4);
            const int count = count_4x4(t, x, y), wanted = t->samples * value;
            CHECK(mode < 2 || abs(4 * count - wanted) <= 2, "alpha %d: %d samples of %d", value,
                  count, 16 * t->samples);
            uneven += t->pixel[y][x][0] != first;
         }
      }
      CHECK((uneven > 0) == (mode == 2), "mode %d: %d pixels differ", mode, uneven);
   }
   control(GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV);
   glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}

/* Tests blits of parts, mirrored and scaled, and from one sample to several. */
static void
blits(struct target *t)
{
   struct target *other = target_create(t->samples);
   static uint8_t whole[SIZE][SIZE][4], up[SIZE][SIZE][4];
   struct point v[3];

   random_triangle(v);
   target_begin(t);
   glColor4f(1, 0.5f, 0.25f, 1);
   triangle(v);
   target_end(t);
   memcpy(whole, t->pixel, sizeof whole);

   /* a blit between equal numbers of samples copies each sample */
   target_begin(other);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->fb);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   target_end(other);
   CHECK(!memcmp(whole, other->pixel, sizeof whole), "copy of %d samples", t->samples);

   /* copy a part to another position */
   target_begin(other);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->fb);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, t->resolved_fb);
   glClear(GL_COLOR_BUFFER_BIT);
   glBlitFramebuffer(10, 11, 40, 42, 3, 2, 33, 33, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->resolved_fb);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, t->pixel);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         static const uint8_t zero[4];
         const bool in = x >= 3 && x < 33 && y >= 2 && y < 33;
         CHECK(!memcmp(t->pixel[y][x], in ? whole[y + 9][x + 7] : zero, 4), "pixel %d %d", x, y);
      }
   }

   /* from one sample to several, and back */
   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->resolved_fb);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, up);
   target_begin(other);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->resolved_fb);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   target_end(other);
   CHECK(!memcmp(up, other->pixel, sizeof up), "one sample to %d", t->samples);
   target_destroy(other);
}

/* Tests that a pbuffer with 4 samples can be drawn to and read like any other. */
static void
window_system(void)
{
   static uint8_t pixel[SIZE][SIZE][4];
   struct target t = { .samples = 4 };
   GLint samples = 0, buffers = 0;
   struct point v[3];

   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glGetIntegerv(GL_SAMPLES, &samples);
   glGetIntegerv(GL_SAMPLE_BUFFERS, &buffers);
   CHECK(samples == 4 && buffers == 1, "%d samples in %d buffers", samples, buffers);
   for (int i = 0; i < 4; i++) {
      GLfloat p[2];
      glGetMultisamplefv(GL_SAMPLE_POSITION, i, p);
      t.position[i] = (struct point){ p[0] * 256, p[1] * 256 };
   }
   for (int n = 0; n < 10; n++) {
      random_triangle(v);
      glClear(GL_COLOR_BUFFER_BIT);
      glColor4f(1, 1, 1, 1);
      triangle(v);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            bool sure;
            const int count = count_bits(covered(&t, v, x, y, &sure));
            if (sure)
               CHECK(pixel[y][x][0] == mean(&t, count), "pixel %d %d: %d, expected %d", x, y,
                     pixel[y][x][0], mean(&t, count));
         }
      }
   }
}

int
main(void)
{
   REQUIRE(test_pbuffer_samples(SIZE, SIZE, 4));
   glMatrixMode(GL_PROJECTION);
   glOrtho(0, SIZE, 0, SIZE, -1, 1);

   for (int samples = 2; samples <= MAX_SAMPLES; samples *= 2) {
      struct target *t = target_create(samples);
      clears(t);
      coverage(t);
      disabled(t);
      shared_edges(t);
      depth_stencil(t);
      masks(t);
      alpha(t);
      dither(t);
      blits(t);
      target_destroy(t);
   }
   window_system();
   return test_end();
}
