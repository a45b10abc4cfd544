/* SPDX-License-Identifier: MIT */
/* Maps of overdraw and of primitive sizes. */
#include "cap_maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_asm.h"
#include "sgpu_layout.h"
#include "sgpu_packets_unpack.h"
#include "util/macros.h"

/* Maximum number of samples in a target with maps.  The maps use 12 bytes per sample. */
#define MAX_SAMPLES (UINT64_C(1) << 26)

static const char program_text[] = "!!SGFP1.0\n"
                                   "DEF c[0] = { 1.0, 1.0, 1.0, 1.0 };\n"
                                   "MOV o[COLR0], c[0];\n"
                                   "U2F R0, s[PRIMITIVE_ID].x;\n"
                                   "ADD o[COLR1], R0, c[0];\n"
                                   "END\n";

bool
cap_maps_init(struct cap_maps *m, struct cap_player *player)
{
   struct sgpu_program program;
   struct sgpu_asm_error error;

   memset(m, 0, sizeof *m);
   m->player = player;
   if (!sgpu_asm_program(program_text, strlen(program_text), &program, &error)) {
      fprintf(stderr, "sgpu: %u:%u: %s\n", error.line, error.column, error.text);
      return false;
   }
   const size_t instrs = program.num_instrs * sizeof *program.instrs;
   const size_t literals = program.num_literals * sizeof *program.literals;
   m->code = cap_player_own_bo(player, instrs + literals, "map program");
   const bool ok = m->code != NULL;
   if (ok) {
      uint8_t *to = sgpu_bo_map(m->code);
      memcpy(to, program.instrs, instrs);
      memcpy(to + instrs, program.literals, literals);
      m->shader = (struct SGPU_SHADER){ SGPU_SHADER_header };
      m->shader.address = sgpu_bo_address(m->code);
      m->shader.instructions = program.num_instrs;
      m->shader.stage = SGPU_STAGE_PIXEL;
      m->shader.literals = program.num_literals;
      m->shader.literal_base = program.literal_base;
      m->shader.temps = program.num_temps;
      m->shader.color_outputs = 2;
   }
   sgpu_program_finish(&program);
   return ok;
}

void
cap_maps_fini(struct cap_maps *m)
{
   if (m->bo)
      sgpu_bo_destroy(m->bo);
   if (m->code)
      sgpu_bo_destroy(m->code);
   free(m->sizes);
   free(m->offsets);
   memset(m, 0, sizeof *m);
}

bool
cap_maps_take(const struct cap_maps *m, const struct SGPU_SURFACE *target)
{
   return !m->width || (m->storage == target->storage && m->width == target->width &&
                        m->height == target->height && m->samples == 1u << target->samples_log2);
}

static bool
begin_target(struct cap_maps *m, const struct SGPU_SURFACE *target)
{
   struct sgpu_layout layout;
   const struct sgpu_layout_params params = {
      .format = SGPU_FORMAT_R32_FLOAT,
      .mode = SGPU_LAYOUT_TILED,
      .width = target->width,
      .height = target->height,
      .depth = 1,
      .layers = 1,
      .levels = 1,
      .samples = 1u << target->samples_log2,
   };

   if (m->bo)
      sgpu_bo_destroy(m->bo);
   m->bo = NULL;
   free(m->sizes);
   free(m->offsets);
   m->sizes = m->offsets = NULL;
   m->width = m->height = 0;
   m->total = 0;
   if ((uint64_t)target->width * target->height * params.samples > MAX_SAMPLES ||
       !sgpu_layout_init(&layout, &params))
      return false;
   m->bo = cap_player_own_bo(m->player, layout.size * 2, "maps");
   if (!m->bo)
      return false;
   m->sizes = calloc((size_t)target->width * target->height, sizeof *m->sizes);
   const uint64_t address = sgpu_bo_address(m->bo);
   m->offsets = calloc((size_t)target->width * target->height * params.samples, sizeof *m->offsets);
   if (!m->sizes || !m->offsets ||
       !sgpu_layout_fill_surface(&layout, address, params.format, 0, 0, 1, &m->count) ||
       !sgpu_layout_fill_surface(&layout, address + layout.size, params.format, 0, 0, 1,
                                 &m->number))
      return false;
   m->width = target->width;
   m->height = target->height;
   m->storage = target->storage;
   m->samples = params.samples;
   size_t n = 0;
   for (uint32_t y = 0; y < m->height; y++) {
      for (uint32_t x = 0; x < m->width; x++) {
         for (uint32_t i = 0; i < m->samples; i++)
            m->offsets[n++] = (sgpu_surface_address(&m->count, 0, i, x, y, sizeof(float)) -
                               m->count.address) /
                              sizeof(float);
      }
   }
   return true;
}

static const float *
values(const struct cap_maps *m, const struct SGPU_SURFACE *s)
{
   return (const float *)((const uint8_t *)sgpu_bo_map(m->bo) +
                          (s->address - sgpu_bo_address(m->bo)));
}

/* Returns the sum of the counts of a pixel's samples. offsets[] has one offset per sample. */
static uint32_t
count_at(const struct cap_maps *m, const float *counts, const uint32_t *offsets)
{
   uint32_t n = 0;
   for (uint32_t i = 0; i < m->samples; i++)
      n += (uint32_t)counts[offsets[i]];
   return n;
}

/* Writes a copy of the draw's DEPTH STENCIL packet, in which the alpha test and all writes of depth
 * and stencil are disabled.
 */
static uint32_t
put_depth_stencil(const struct cap_stream *s, uint32_t *out)
{
   const uint32_t *packet = cap_stream_find(s, SGPU_PACKET_DEPTH_STENCIL);
   struct SGPU_DEPTH_STENCIL ds;

   if (!packet || SGPU_DEPTH_STENCIL_unpack(packet, &ds))
      return 0;
   ds.depth_write = false;
   ds.alpha_test = false;
   ds.front.write_mask = ds.back.write_mask = 0;
   SGPU_DEPTH_STENCIL_pack(out, &ds);
   return SGPU_DEPTH_STENCIL_LENGTH;
}

/* Writes a FRAMEBUFFER packet with the two map targets and the draw's depth-stencil surface. */
static uint32_t
put_framebuffer(const struct cap_maps *m, const uint32_t *packet, uint32_t *out)
{
   struct SGPU_FRAMEBUFFER theirs;
   const bool known = packet && !SGPU_FRAMEBUFFER_unpack(packet, &theirs);
   const bool depth = known && theirs.depth && theirs.tail_count == theirs.colors + 1;
   struct SGPU_FRAMEBUFFER fb = { SGPU_FRAMEBUFFER_header };

   fb.colors = 2;
   fb.depth = depth;
   fb.tail_count = 2 + depth;
   SGPU_FRAMEBUFFER_pack(out, &fb);
   SGPU_SURFACE_pack(SGPU_FRAMEBUFFER_tail(out, 0), &m->count);
   SGPU_SURFACE_pack(SGPU_FRAMEBUFFER_tail(out, 1), &m->number);
   if (depth)
      memcpy(SGPU_FRAMEBUFFER_tail(out, 2), SGPU_FRAMEBUFFER_tail(packet, theirs.colors),
             SGPU_SURFACE_LENGTH * 4);
   return SGPU_FRAMEBUFFER_length(fb.tail_count);
}

static uint32_t
put_blend(uint32_t *out)
{
   struct SGPU_BLEND blend = { SGPU_BLEND_header };
   struct SGPU_BLEND_TARGET add = {
      .enable = true,
      .rgb_func = SGPU_BLEND_FUNC_ADD,
      .rgb_src = SGPU_BLEND_FACTOR_ONE,
      .rgb_dst = SGPU_BLEND_FACTOR_ONE,
      .alpha_func = SGPU_BLEND_FUNC_ADD,
      .alpha_src = SGPU_BLEND_FACTOR_ONE,
      .alpha_dst = SGPU_BLEND_FACTOR_ONE,
      .write_mask = 15,
   };
   struct SGPU_BLEND_TARGET replace = { .write_mask = 15 };

   blend.tail_count = 8;
   SGPU_BLEND_pack(out, &blend);
   for (unsigned i = 0; i < 8; i++)
      SGPU_BLEND_TARGET_pack(SGPU_BLEND_tail(out, i), i == 0 ? &add : &replace);
   return SGPU_BLEND_LENGTH + 8 * SGPU_BLEND_TARGET_LENGTH;
}

/* Disables transform feedback, since only the original draw may write its buffers. */
static uint32_t
put_no_xfb(uint32_t *out)
{
   struct SGPU_XFB_OUTPUTS none = { SGPU_XFB_OUTPUTS_header };

   SGPU_XFB_OUTPUTS_pack(out, &none);
   return SGPU_XFB_OUTPUTS_LENGTH;
}

/* Updates m->sizes and m->primitives after a draw.  Each pixel gets the size of a visible
 * primitive: the one at the first sample of the pixel that the draw covers.
 */
static bool
note_sizes(struct cap_maps *m)
{
   const size_t count = (size_t)m->width * m->height * m->samples;
   const float *from = values(m, &m->number);
   uint32_t *numbers = malloc(count * sizeof *numbers), largest = 0;
   bool ok = numbers != NULL;

   for (size_t i = 0; ok && i < count; i++) {
      numbers[i] = (uint32_t)from[m->offsets[i]];
      largest = numbers[i] > largest ? numbers[i] : largest;
   }
   uint32_t *samples = ok ? calloc((size_t)largest + 1, sizeof *samples) : NULL;
   ok = samples != NULL;
   for (size_t i = 0; ok && i < count; i++)
      m->primitives += numbers[i] && samples[numbers[i]]++ == 0;
   for (size_t i = count; ok && i-- > 0;) {
      if (numbers[i])
         m->sizes[i / m->samples] = DIV_ROUND_UP(samples[numbers[i]], m->samples);
   }
   free(samples);
   free(numbers);
   return ok;
}

/* Returns the number of samples covered by all draws. */
static uint64_t
sum(const struct cap_maps *m)
{
   const size_t count = (size_t)m->width * m->height * m->samples;
   const float *counts = values(m, &m->count);
   uint64_t n = 0;

   for (size_t i = 0; i < count; i++)
      n += (uint32_t)counts[m->offsets[i]];
   return n;
}

bool
cap_maps_draw(struct cap_maps *m, struct cap_step *step)
{
   const uint32_t *framebuffer = cap_stream_find(&step->stream, SGPU_PACKET_FRAMEBUFFER);
   struct SGPU_SURFACE target;

   if (!cap_target(framebuffer, &target))
      return false;
   if ((!m->width || !cap_maps_take(m, &target)) && !begin_target(m, &target))
      return false;

   uint32_t *words = malloc(((size_t)step->stream.pos + 512) * 4);
   if (!words)
      return false;
   uint32_t n = cap_stream_state(&step->stream, words);
   n += put_framebuffer(m, framebuffer, words + n);
   n += put_depth_stencil(&step->stream, words + n);
   n += put_blend(words + n);
   n += put_no_xfb(words + n);
   SGPU_SHADER_pack(words + n, &m->shader);
   n += SGPU_SHADER_LENGTH;
   memcpy(words + n, step->packet.words, step->packet.length * 4);
   n += step->packet.length;
   sgpu_pack(words + n, END, cfg)
      ;
   n += SGPU_END_LENGTH;

   memset((uint8_t *)sgpu_bo_map(m->bo) + (m->number.address - m->count.address), 0,
          m->number.address - m->count.address);
   struct sgpu_bo *const extra[2] = { m->bo, m->code };
   bool ok = cap_player_run(m->player, &step->rec, words, n, extra, 2);
   free(words);
   m->fragments = m->primitives = 0;
   if (!ok)
      return false;

   const uint64_t total = sum(m);
   if (total != m->total)
      ok = note_sizes(m);
   m->fragments = DIV_ROUND_UP(total - m->total, m->samples);
   m->total = total;
   return ok;
}

/* Converts a value from 0 to 1 to a color. */
static void
heat(float v, uint8_t *rgba)
{
   static const uint8_t stops[5][3] = {
      { 0, 0, 0 }, { 32, 32, 160 }, { 200, 40, 80 }, { 250, 200, 40 }, { 255, 255, 255 },
   };
   const float at = (v < 0 ? 0 : v > 1 ? 1 : v) * 4;
   const unsigned i = at >= 4 ? 3 : (unsigned)at;

   for (unsigned c = 0; c < 3; c++)
      rgba[c] = (uint8_t)(stops[i][c] + (stops[i + 1][c] - stops[i][c]) * (at - i));
   rgba[3] = 255;
}

static bool
new_picture(const struct cap_maps *m, struct cap_picture *pic)
{
   memset(pic, 0, sizeof *pic);
   if (!m->width)
      return false;
   pic->width = m->width;
   pic->height = m->height;
   pic->rgba = malloc((size_t)m->width * m->height * 4);
   return pic->rgba != NULL;
}

bool
cap_maps_overdraw(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most)
{
   if (!new_picture(m, pic))
      return false;
   const size_t count = (size_t)m->width * m->height;
   const float *counts = values(m, &m->count);
   uint32_t largest = 1;
   for (size_t i = 0; i < count; i++) {
      const uint32_t v = count_at(m, counts, m->offsets + i * m->samples);
      largest = v > largest ? v : largest;
   }
   *most = DIV_ROUND_UP(largest, m->samples);
   const float scale = 1.0f / (*most * m->samples);
   for (size_t i = 0; i < count; i++)
      heat(count_at(m, counts, m->offsets + i * m->samples) * scale, pic->rgba + i * 4);
   return true;
}

/* Returns the base-2 logarithm, linearly interpolated between powers of two. */
static float
logarithm(uint32_t v)
{
   unsigned whole = 0;
   while (v >> (whole + 1))
      whole++;
   return whole + ((float)v / (1u << whole) - 1);
}

bool
cap_maps_sizes(const struct cap_maps *m, struct cap_picture *pic, uint32_t *most)
{
   if (!new_picture(m, pic))
      return false;
   const size_t count = (size_t)m->width * m->height;
   *most = 2;
   for (size_t i = 0; i < count; i++)
      *most = m->sizes[i] > *most ? m->sizes[i] : *most;
   const float scale = 1 / (logarithm(*most) + 1);
   for (size_t i = 0; i < count; i++)
      heat(m->sizes[i] ? (logarithm(m->sizes[i]) + 1) * scale : 0, pic->rgba + i * 4);
   return true;
}
