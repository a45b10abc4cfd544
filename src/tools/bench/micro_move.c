/* SPDX-License-Identifier: MIT */
/* Micro-benchmarks of state changes, texture uploads, readbacks, and passes that sample an earlier
 * render target.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_micro.h"

#define CELLS 32  /* number of cells per row and column in benchmark `states` */
#define PASSES 16 /* number of passes of benchmark `chain` */
#define BYTES ((double)MICRO_SIDE * MICRO_SIDE * 4)

static GLint color_at, offset_at;
static GLuint textures[2], framebuffers[2], programs[2];
static uint8_t *data;

/* Benchmark `states`: draws each cell of the target with a different program, uniform, blend state
 * and scissor.
 */
static void
prepare_states(const struct micro *micro)
{
   (void)micro;
   micro_target(false);
   micro_prepare_cover();
   for (int i = 0; i < 2; i++)
      programs[i] = bench_draw_program(
         MICRO_COVER,
         i ? "uniform vec4 color; out vec4 result; void main() { result = color.bgra; }\n"
           : "uniform vec4 color; out vec4 result; void main() { result = color; }\n");
   color_at = glGetUniformLocation(programs[0], "color");
   offset_at = glGetUniformLocation(programs[1], "color");
   glEnable(GL_SCISSOR_TEST);
   glBlendFunc(GL_ONE, GL_ZERO);
}

static void
frame_states(const struct micro *micro)
{
   (void)micro;
   for (int i = 0; i < CELLS * CELLS; i++) {
      const int x = i % CELLS, y = i / CELLS, side = MICRO_SIDE / CELLS;
      const float r = (float)(x * 8) / 255.0f, b = (float)(y * 8) / 255.0f;
      glUseProgram(programs[i & 1]);
      if (i & 1)
         glUniform4f(offset_at, b, 0.0f, r, 1.0f);
      else
         glUniform4f(color_at, r, 0.0f, b, 1.0f);
      if (i & 2)
         glEnable(GL_BLEND);
      else
         glDisable(GL_BLEND);
      glScissor(x * side, y * side, side, side);
      micro_cover(1);
   }
}

static bool
check_states(const struct micro *micro)
{
   unsigned bad = 0;

   frame_states(micro);
   const uint8_t *pixels = micro_read();
   for (int i = 0; i < MICRO_SIDE * MICRO_SIDE; i++) {
      const int x = i % MICRO_SIDE * CELLS / MICRO_SIDE, y = i / MICRO_SIDE * CELLS / MICRO_SIDE;
      bad += pixels[4 * i] != x * 8 || pixels[4 * i + 1] != 0 || pixels[4 * i + 2] != y * 8;
   }
   return bad == 0;
}

/* Benchmarks `upload` and `readback`. Both draw a texture: `upload` replaces the texture before
 * each draw, and `readback` reads the target after each draw.
 */
static void
prepare_moves(const struct micro *micro)
{
   (void)micro;
   textures[0] = micro_target(false);
   micro_prepare_cover();
   data = bench_alloc(MICRO_SIDE * MICRO_SIDE * 4);
   for (unsigned i = 0; i < MICRO_SIDE * MICRO_SIDE * 4; i++)
      data[i] = (uint8_t)bench_random();
   glGenTextures(1, &textures[1]);
   glBindTexture(GL_TEXTURE_2D, textures[1]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, MICRO_SIDE, MICRO_SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                data);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glUseProgram(bench_draw_program(MICRO_COVER,
                                   "uniform sampler2D image; in vec2 at; out vec4 result;\n"
                                   "void main() { result = texture(image, at); }\n"));
   micro_cover(1);
}

static void
frame_upload(const struct micro *micro)
{
   (void)micro;
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, MICRO_SIDE, MICRO_SIDE, GL_RGBA, GL_UNSIGNED_BYTE, data);
   micro_cover(1);
}

static bool
check_upload(const struct micro *micro)
{
   for (unsigned i = 0; i < MICRO_SIDE * MICRO_SIDE * 4; i++)
      data[i] ^= 0x5a;
   frame_upload(micro);
   return !memcmp(micro_read(), data, MICRO_SIDE * MICRO_SIDE * 4);
}

static void
frame_readback(const struct micro *micro)
{
   (void)micro;
   micro_cover(1);
   micro_read();
}

static bool
check_readback(const struct micro *micro)
{
   frame_readback(micro);
   return !memcmp(micro_read(), data, MICRO_SIDE * MICRO_SIDE * 4);
}

/* Benchmark `chain`: each pass samples the target of the previous pass and adds a constant. */
static void
prepare_chain(const struct micro *micro)
{
   GLint found;

   (void)micro;
   for (unsigned i = 0; i < 2; i++) {
      textures[i] = micro_target(false);
      glGetIntegerv(GL_FRAMEBUFFER_BINDING, &found);
      framebuffers[i] = (GLuint)found;
   }
   micro_prepare_cover();
   glUseProgram(bench_draw_program(
      MICRO_COVER,
      "uniform sampler2D image; in vec2 at; out vec4 result;\n"
      "void main() { result = texture(image, at) + vec4(8.0, 4.0, 2.0, 1.0) / 255.0; }\n"));
}

static void
frame_chain(const struct micro *micro)
{
   (void)micro;
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glClear(GL_COLOR_BUFFER_BIT);
   for (unsigned i = 0; i < PASSES; i++) {
      glBindTexture(GL_TEXTURE_2D, textures[i & 1]);
      glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[~i & 1]);
      micro_cover(1);
   }
}

static bool
check_chain(const struct micro *micro)
{
   frame_chain(micro);
   return micro_is(micro_read(), (const int[4]){ 8 * PASSES, 4 * PASSES, 2 * PASSES, PASSES }, 0);
}

/* Number of bytes per frame: an upload reads the source, writes the texture, samples it and writes
 * the target. A readback samples the texture, writes the target, reads the target and writes the
 * copy. A pass of `chain` reads one target and writes another.
 */
const struct micro micro_moves[] = {
   { .name = "states",
     .text = "1024 draws, each with a program, a uniform, blending and a scissor",
     .unit = "draws",
     .work = CELLS * CELLS,
     .bytes = BYTES,
     .prepare = prepare_states,
     .frame = frame_states,
     .check = check_states },
   { .name = "upload",
     .text = "a texture of 512x512 RGBA8 replaced and drawn",
     .unit = "bytes",
     .work = BYTES,
     .bytes = 4 * BYTES,
     .prepare = prepare_moves,
     .frame = frame_upload,
     .check = check_upload },
   { .name = "readback",
     .text = "512x512 RGBA8 drawn and read",
     .unit = "bytes",
     .work = BYTES,
     .bytes = 4 * BYTES,
     .prepare = prepare_moves,
     .frame = frame_readback,
     .check = check_readback },
   { .name = "chain",
     .text = "16 passes, each of which samples the target of the previous pass",
     .unit = "passes",
     .work = PASSES,
     .bytes = 2 * PASSES * BYTES,
     .prepare = prepare_chain,
     .frame = frame_chain,
     .check = check_chain },
};
const unsigned micro_move_count = sizeof(micro_moves) / sizeof(micro_moves[0]);
