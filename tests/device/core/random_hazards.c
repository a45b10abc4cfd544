/* SPDX-License-Identifier: MIT */
/*
 * Random streams over a few surfaces and buffers: draws, clears, copies, blits, fills,
 * grids, programs that write memory, queries and transform feedback, with rectangles and ranges that meet or do not.  Every
 * policy with 1, 2 and 4 threads and a shuffled order has to leave the memory of a device
 * that does one thing after the other, to the bit.
 *
 *    random_hazards [--seconds N] [--seed N] [--streams N]
 *
 * --seconds: how long to compare (10); --seed: of the first stream and of the shuffles (1);
 * --streams: different streams (48).
 *
 * Then each kind of dependence between regions is dropped: memory must differ somewhere,
 * or the comparison could not fail.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scene.h"

#define W SCENE_W
#define H SCENE_H
#define BYTES (32 * 1024) /* of the buffer that everything reads and writes */
#define VERTEX 12         /* bytes: position 4 x 16 bits, colour 4 x 8 */
#define LINEAR 48         /* pixels: width and height of linear views of the buffer */
#define OPERATIONS 40

enum { IMAGES = 3 };

/* Numbers of 8 bytes: counts of queries, then counters of transform feedback. */
enum { QUERIES = 6, COUNTERS = 2, NUMBERS = QUERIES + COUNTERS };

struct random_stream {
   struct scene s;
   struct scene_image image[IMAGES], zs; /* the last one has two layers */
   struct sgpu_bo *bytes, *numbers;
   struct SGPU_SHADER plain, constant, textured, counting, marking;
   struct SGPU_SHADER copying, storing, loading, ordering, flipping; /* of grids */
   bool counts[QUERIES]; /* a query has begun in this slot */
   bool submits;         /* in several submissions */
};

static uint32_t
below(struct random_stream *r, uint32_t n)
{
   return scene_below(&r->s, n);
}

static bool
chance(struct random_stream *r, unsigned percent)
{
   return below(r, 100) < percent;
}

/* Small ones often, so that many pairs are disjoint. */
static struct SGPU_RECT
random_rect(struct random_stream *r, int width, int height)
{
   const int x = below(r, width), y = below(r, height);
   const int most_w = chance(r, 60) ? 40 : width, most_h = chance(r, 60) ? 40 : height;
   const int w = 1 + below(r, width - x < most_w ? width - x : most_w);
   const int h = 1 + below(r, height - y < most_h ? height - y : most_h);

   return (struct SGPU_RECT){ x, y, x + w, y + h };
}

static uint64_t
random_offset(struct random_stream *r, uint32_t size, uint32_t align)
{
   return below(r, (BYTES - size) / align + 1) * align;
}

static unsigned
layers_of(unsigned image)
{
   return image == IMAGES - 1 ? 2 : 1;
}

static struct SGPU_SURFACE
random_surface(struct random_stream *r, unsigned image, unsigned layer)
{
   return scene_surface(&r->image[image], 0, layer, 1);
}

/* Rows of the buffer, as a surface. */
static struct SGPU_SURFACE
linear_surface(struct random_stream *r)
{
   const uint64_t address = sgpu_bo_address(r->bytes);

   return (struct SGPU_SURFACE){
      .address = address + random_offset(r, LINEAR * LINEAR * 4, 64),
      .storage = address,
      .format = SGPU_FORMAT_R8G8B8A8_UNORM,
      .layout = SGPU_LAYOUT_LINEAR,
      .valid = true,
      .width = LINEAR,
      .height = LINEAR,
      .pitch = LINEAR * 4,
      .layers = 1,
   };
}

/*
 * Draws
 */

static struct SGPU_TEXTURE
texture_of(struct random_stream *r, unsigned image)
{
   struct SGPU_TEXTURE view = {
      .address = sgpu_bo_address(r->image[image].bo),
      .type = SGPU_TEXTURE_TYPE_2D,
      .format = SGPU_FORMAT_R8G8B8A8_UNORM,
      .valid = true,
      .array = layers_of(image) > 1,
      .first_layer = below(r, layers_of(image)),
      .swizzle_x = SGPU_CHANNEL_X,
      .swizzle_y = SGPU_CHANNEL_Y,
      .swizzle_z = SGPU_CHANNEL_Z,
      .swizzle_w = SGPU_CHANNEL_W,
   };
   view.last_layer = view.first_layer;
   sgpu_layout_fill_texture(&r->image[image].layout, &view);
   return view;
}

static void
bind_bytes(struct random_stream *r, enum sgpu_stage stage, unsigned n, uint32_t size)
{
   scene_bind_buffer(&r->s, stage, n, r->bytes, random_offset(r, size, 4), size);
}

static void
random_targets(struct random_stream *r)
{
   struct scene_state *st = &r->s.st;
   const unsigned image = below(r, IMAGES), other = (image + 1 + below(r, IMAGES - 1)) % IMAGES;
   const bool layered = layers_of(image) > 1;

   st->color[0] = r->image[image];
   st->num_colors = chance(r, 90);
   st->first_layer = layered && st->num_colors ? below(r, 2) : 0;
   st->zs.bo = NULL;
   if (!st->num_colors || (!layered && chance(r, 50)))
      st->zs = r->zs;

   switch (below(r, 6)) {
   case 0:
   case 1:
      st->ps = r->plain;
      break;
   case 2:
      st->ps = r->constant;
      break;
   case 3:
      st->ps = chance(r, 50) ? r->counting : r->marking;
      st->ps.early_tests = chance(r, 30);
      bind_bytes(r, SGPU_STAGE_PIXEL, 0, 16 * (1 + below(r, 32)));
      break;
   default:
      st->ps = r->textured;
      st->texture[0] = texture_of(r, other);
      st->num_textures = 1;
      break;
   }
}

static void
random_state(struct random_stream *r)
{
   struct scene_state *st = &r->s.st;
   const struct SGPU_RECT box = random_rect(r, W, H), view = random_rect(r, W, H);

   random_targets(r);
   st->rast.scissor = chance(r, 75);
   st->rast.viewport_scissor = chance(r, 50);
   st->scissor[0].x0 = box.x0;
   st->scissor[0].y0 = box.y0;
   st->scissor[0].x1 = box.x1;
   st->scissor[0].y1 = box.y1;
   st->viewport[0].scale_x = W / 2.0f;
   st->viewport[0].translate_x = W / 2.0f;
   if (chance(r, 30)) {
      st->viewport[0].scale_x = (float)(view.x1 - view.x0) / 2.0f;
      st->viewport[0].translate_x = (float)(view.x1 + view.x0) / 2.0f;
   }
   st->target[0].enable = chance(r, 40);
   st->target[0].rgb_src = SGPU_BLEND_FACTOR_SRC_ALPHA;
   st->target[0].rgb_dst = st->target[0].alpha_dst = SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
   st->target[0].write_mask = chance(r, 90) ? 15 : 0;
   st->dsa.depth_test = st->zs.bo && chance(r, 80);
   st->dsa.depth_write = chance(r, 70);
   st->dsa.depth_func = chance(r, 50) ? SGPU_COMPARE_LESS : SGPU_COMPARE_GREATER;
}

static void
set_xfb(struct random_stream *r, bool on)
{
   struct scene *s = &r->s;
   const unsigned n = on;
   uint32_t *p = scene_get(s, SGPU_XFB_OUTPUTS_length(n));

   sgpu_pack(p, XFB_OUTPUTS, cfg) {
      cfg.tail_count = n;
      cfg.stride_0 = 4;
   }
   if (on) {
      sgpu_pack(SGPU_XFB_OUTPUTS_tail(p, 0), XFB_OUTPUT, cfg) {
         cfg.output = SGPU_VO_GEN0;
         cfg.components = 4;
      }
   }
   p = scene_get(s, SGPU_XFB_BUFFERS_length(n));
   sgpu_pack(p, XFB_BUFFERS, cfg)
      cfg.tail_count = n;
   if (on) {
      const uint32_t size = 16 * (1 + below(r, 32));
      sgpu_pack(SGPU_XFB_BUFFERS_tail(p, 0), XFB_BUFFER, cfg) {
         cfg.address = sgpu_bo_address(r->bytes) + random_offset(r, size, 4);
         cfg.counter = sgpu_bo_address(r->numbers) + 8 * (QUERIES + below(r, COUNTERS));
         cfg.size = size;
      }
   }
}

static void
draw(struct random_stream *r)
{
   struct scene *s = &r->s;
   const uint32_t vertices = 3 * (1 + below(r, 4));
   const bool indexed = chance(r, 30), counted = !indexed && chance(r, 10), xfb = chance(r, 20);
   const uint32_t size = (indexed ? 256 : vertices) * VERTEX;
   struct SGPU_DRAW packet = {
      .primitive = chance(r, 80) ? SGPU_PRIMITIVE_TRIANGLES : SGPU_PRIMITIVE_LINES,
      .count = vertices,
      .instances = 1,
      .conditional = chance(r, 30),
   };

   random_state(r);
   s->st.buffer[0].address = sgpu_bo_address(r->bytes) + random_offset(r, size, 4);
   s->st.buffer[0].size = size;
   if (indexed) {
      packet.index_size = SGPU_INDEX_SIZE_U8;
      packet.index_bytes = vertices;
      packet.index_address = sgpu_bo_address(r->bytes) + random_offset(r, vertices, 1);
   }
   if (counted) {
      packet.count_address = sgpu_bo_address(r->numbers) + 8 * (QUERIES + below(r, COUNTERS));
      packet.count_stride = 4;
   }
   /* Nothing orders a draw's own writes of two kinds. */
   if (xfb && (s->st.ps.address == r->counting.address || s->st.ps.address == r->marking.address))
      s->st.ps = r->plain;
   if (xfb)
      set_xfb(r, true);
   scene_draw_packet(s, &packet);
   if (xfb)
      set_xfb(r, false);
}

static void
clear(struct random_stream *r)
{
   struct scene *s = &r->s;

   if (chance(r, 50)) {
      random_targets(r);
      scene_emit_state(s);
      SCENE_EMIT(s, CLEAR, cfg) {
         cfg.colors = chance(r, 70);
         cfg.depth = chance(r, 60);
         cfg.stencil = chance(r, 40);
         cfg.stencil_value = below(r, 256);
         cfg.color_0 = 0x3f000000 + below(r, 0x800000);
         cfg.color_3 = 0x3f000000;
         cfg.depth_value = scene_float(s, 0.0f, 1.0f);
         cfg.conditional = chance(r, 30);
         cfg.rect = random_rect(r, W, H);
      }
   } else {
      const unsigned image = below(r, IMAGES);
      SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
         cfg.color = true;
         cfg.surface = random_surface(r, image, below(r, layers_of(image)));
         cfg.color_1 = 0x3f000000 + below(r, 0x800000);
         cfg.rect = random_rect(r, W, H);
      }
   }
}

/*
 * Transfers
 */

/* Between images, or between parts of one that do not meet. */
static void
copy(struct random_stream *r)
{
   const unsigned to = below(r, IMAGES), from = chance(r, 40) ? to : below(r, IMAGES);
   const unsigned to_layer = below(r, layers_of(to)), from_layer = below(r, layers_of(from));
   const struct SGPU_RECT rect = random_rect(r, W, H);
   const int w = rect.x1 - rect.x0, h = rect.y1 - rect.y0;
   const int x = below(r, W - w + 1), y = below(r, H - h + 1);

   if (to == from && to_layer == from_layer && x < rect.x1 && rect.x0 < x + w && y < rect.y1 &&
       rect.y0 < y + h)
      return;
   SCENE_EMIT(&r->s, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.source = random_surface(r, from, from_layer);
      cfg.destination = random_surface(r, to, to_layer);
      cfg.source_x = x;
      cfg.source_y = y;
      cfg.rect = rect;
   }
}

/* An upload to an image, or a download. */
static void
copy_linear(struct random_stream *r)
{
   const unsigned image = below(r, IMAGES);
   const struct SGPU_SURFACE tiled = random_surface(r, image, below(r, layers_of(image)));
   const struct SGPU_SURFACE linear = linear_surface(r);
   const struct SGPU_RECT part = random_rect(r, LINEAR, LINEAR);
   const int w = part.x1 - part.x0, h = part.y1 - part.y0;
   const int x = below(r, W - w + 1), y = below(r, H - h + 1);
   const bool up = chance(r, 50);

   SCENE_EMIT(&r->s, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.source = up ? linear : tiled;
      cfg.destination = up ? tiled : linear;
      cfg.source_x = up ? part.x0 : x;
      cfg.source_y = up ? part.y0 : y;
      cfg.rect = up ? (struct SGPU_RECT){ x, y, x + w, y + h } : part;
   }
}

static void
blit(struct random_stream *r)
{
   const unsigned to = below(r, IMAGES), from = (to + 1 + below(r, IMAGES - 1)) % IMAGES;
   const bool scissor = chance(r, 30);
   struct SGPU_RECT source = random_rect(r, W, H);

   /* With metadata, blits read what was stored. */
   scene_resolve(&r->s);
   if (chance(r, 30)) {
      const int x = source.x0;
      source.x0 = source.x1;
      source.x1 = x;
   }
   SCENE_EMIT(&r->s, BLIT, cfg) {
      cfg.mask = chance(r, 80) ? 15 : 5;
      cfg.filter = chance(r, 50) ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST;
      cfg.scissor = scissor;
      cfg.conditional = chance(r, 20);
      cfg.layers = 1;
      cfg.source = random_surface(r, from, below(r, layers_of(from)));
      cfg.destination = random_surface(r, to, below(r, layers_of(to)));
      cfg.source_rect = source;
      cfg.destination_rect = random_rect(r, W, H);
      cfg.scissor_rect = random_rect(r, W, H);
      cfg.source_z1 = 1.0f;
   }
}

static void
fill(struct random_stream *r, uint64_t address, uint32_t size, uint32_t pattern_size)
{
   SCENE_EMIT(&r->s, FILL_BUFFER, cfg) {
      cfg.destination = address;
      cfg.size = size / pattern_size * pattern_size;
      cfg.pattern_size = pattern_size;
      cfg.pattern_0 = scene_random(&r->s);
      cfg.pattern_1 = scene_random(&r->s);
      cfg.pattern_2 = scene_random(&r->s);
      cfg.pattern_3 = scene_random(&r->s);
   }
}

static void
buffers(struct random_stream *r)
{
   const uint64_t address = sgpu_bo_address(r->bytes);
   const uint32_t size = 16 * (1 + below(r, chance(r, 70) ? 32 : 512));

   switch (below(r, 4)) {
   case 0:
      fill(r, address + random_offset(r, size, 4), size, 4);
      break;
   case 1: /* what the pixel program multiplies with */
      SCENE_EMIT(&r->s, FILL_BUFFER, cfg) {
         cfg.destination = sgpu_bo_address(r->s.constant_bo) + 8 * 16;
         cfg.size = 16;
         cfg.pattern_size = 4;
         cfg.pattern_0 = 0x3e800000 + below(r, 0x1000000);
      }
      break;
   case 2: /* counters of transform feedback begin again */
      SCENE_EMIT(&r->s, FILL_BUFFER, cfg) {
         cfg.destination = sgpu_bo_address(r->numbers) + 8 * (QUERIES + below(r, COUNTERS));
         cfg.size = 8;
         cfg.pattern_size = 8;
      }
      break;
   default: {
      const uint64_t from = random_offset(r, size, 1), to = random_offset(r, size, 1);
      if (from < to + size && to < from + size)
         break;
      SCENE_EMIT(&r->s, COPY_BUFFER, cfg) {
         cfg.source = address + from;
         cfg.destination = address + to;
         cfg.size = size;
      }
      break;
   }
   }
}

/*
 * Grids
 */

static void
grid(struct random_stream *r)
{
   struct scene *s = &r->s;
   const uint32_t words = 1 + below(r, chance(r, 70) ? 64 : 1024);
   const unsigned image = below(r, IMAGES), layer = below(r, layers_of(image));
   const struct SGPU_SHADER *program = NULL;
   struct SGPU_GRID packet = {
      .group_size_x = 1 + below(r, 70),
      .group_size_y = 1,
      .group_size_z = 1,
      .groups_y = 1,
      .groups_z = 1,
      .conditional = chance(r, 30),
   };
   packet.groups_x = 1 + words / packet.group_size_x;

   bind_bytes(r, SGPU_STAGE_COMPUTE, 0, words * 4);
   bind_bytes(r, SGPU_STAGE_COMPUTE, 1, words * 4);
   switch (below(r, 5)) {
   case 0:
      program = &r->copying;
      break;
   case 1:
      program = &r->ordering;
      break;
   case 2:
      program = &r->flipping;
      break;
   default:
      program = chance(r, 50) ? &r->storing : &r->loading;
      scene_resolve(s);
      scene_bind_image(s, SGPU_STAGE_COMPUTE, 0, &r->image[image], 0, layer, layer);
      packet.group_size_x = 8;
      packet.group_size_y = 4;
      packet.groups_x = 1 + below(r, W / 8);
      packet.groups_y = 1 + below(r, H / 4);
      break;
   }
   scene_grid(s, program, &packet);
}

/*
 * Queries
 */

static void
query(struct random_stream *r)
{
   struct scene *s = &r->s;
   const unsigned n = below(r, QUERIES);
   const uint64_t number = sgpu_bo_address(r->numbers) + 8 * below(r, QUERIES);
   const enum sgpu_query_type type = n & 1 ? SGPU_QUERY_TYPE_OCCLUSION_COUNTER
                                           : SGPU_QUERY_TYPE_PRIMITIVES_GENERATED;

   switch (below(r, 5)) {
   case 0:
   case 1:
      if (r->counts[n]) {
         SCENE_EMIT(s, END_QUERY, cfg) {
            cfg.type = type;
            cfg.slot = n;
            cfg.address = number;
         }
      } else {
         SCENE_EMIT(s, BEGIN_QUERY, cfg) {
            cfg.type = type;
            cfg.slot = n;
         }
      }
      r->counts[n] = !r->counts[n];
      break;
   case 2:
      SCENE_EMIT(s, STORE_RESULT, cfg) {
         cfg.value = chance(r, 50) ? SGPU_QUERY_VALUE_NUMBER : SGPU_QUERY_VALUE_NOT_ZERO;
         cfg.type = SGPU_NUMBER_TYPE_U64;
         cfg.address = number;
         cfg.destination = sgpu_bo_address(r->bytes) + random_offset(r, 8, 1);
      }
      break;
   case 3:
      SCENE_EMIT(s, COPY_BUFFER, cfg) {
         cfg.source = number;
         cfg.destination = sgpu_bo_address(r->bytes) + random_offset(r, 8, 1);
         cfg.size = 8;
      }
      break;
   default:
      SCENE_EMIT(s, PREDICATE, cfg) {
         cfg.value = SGPU_QUERY_VALUE_NOT_ZERO;
         cfg.inverted = chance(r, 50);
         cfg.address = number;
      }
      break;
   }
}

/*
 * Streams
 */

static void
begin(struct random_stream *r, struct sgpu_device *dev, uint64_t seed, bool submits)
{
   struct scene *s = &r->s;
   struct scene_state *st = &s->st;

   scene_metadata = seed & 1;
   scene_begin(s, dev);
   memset(r->counts, 0, sizeof(r->counts));
   r->submits = submits;
   s->random ^= seed * UINT64_C(0x9e3779b97f4a7c15);
   r->image[0] = st->color[0];
   r->zs = st->zs;
   for (unsigned i = 1; i < IMAGES; i++) {
      const struct sgpu_layout_params params = {
         .format = SGPU_FORMAT_R8G8B8A8_UNORM,
         .mode = SGPU_LAYOUT_TILED,
         .width = W,
         .height = H,
         .depth = 1,
         .layers = layers_of(i),
         .levels = 1,
         .samples = 1,
      };
      r->image[i] = scene_image(s, &params);
      scene_noise(s, &r->image[i]);
      scene_result(s, r->image[i].bo);
   }
   r->bytes = scene_bo(s, BYTES);
   uint32_t *words = sgpu_bo_map(r->bytes);
   for (unsigned i = 0; i < BYTES / 4; i++)
      words[i] = scene_random(s);
   r->numbers = scene_bo(s, 8 * NUMBERS);
   scene_result(s, r->bytes);
   scene_result(s, r->numbers);
   scene_result(s, s->constant_bo);

   const float scale[4] = { 2.0f, 2.0f, 1.0f, 0.0f }, offset[4] = { -1.0f, -1.0f, 0.0f, 1.0f };
   memcpy(s->constants[0], scale, sizeof(scale));
   memcpy(s->constants[1], offset, sizeof(offset));
   st->vs = scene_program(s, "!!SGVP1.0\nMOV R0, c[1]; MAD o[HPOS], v[0], c[0], R0;\n"
                             "MOV o[GEN0], v[1];\nEND\n");
   r->plain = scene_program(s, "!!SGFP1.0\nMOV o[COLR0], v[0];\nEND\n");
   r->constant = scene_program(s, "!!SGFP1.0\nMUL o[COLR0], v[0], c[8];\nEND\n");
   r->textured = scene_program(s, "!!SGFP1.0\nTEX o[COLR0], v[0], tex[0], smp[0], 2D;\nEND\n");
   r->counting = scene_program(
      s, "!!SGFP1.0\nDEF c[64] = { 0x1, 0xff, 0.0039, 0 };\n"
         "ATB.ADD R0.x, buf[0][4], c[64].x;\nAND R0.x, R0.x, c[64].y;\nU2F R0.x, R0.x;\n"
         "MUL R0.x, R0.x, c[64].z;\nADD o[COLR0], v[0], R0.x;\nEND\n");
   r->marking = scene_program(s, "!!SGFP1.0\nDEF c[64] = { 0x7f, 0x4, 0, 0 };\n"
                                 "F2I R0.xy, s[POSITION];\nAND R1.x, R0.x, c[64].x;\n"
                                 "IMUL R1.x, R1.x, c[64].y;\nATB.XOR _, buf[0][R1.x], R0.y;\n"
                                 "MOV o[COLR0], v[0];\nEND\n");
#define NUMBER "IMAD R0.x, s[GROUP_ID].x, s[GROUP_SIZE].x, s[LOCAL_ID].x;\n"
#define PLACE "IMAD R0.xy, s[GROUP_ID], s[GROUP_SIZE], s[LOCAL_ID];\n"
   r->copying = scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0x4, 0, 0, 0 };\n" NUMBER
                                 "IMUL R1.x, R0.x, c[64].x;\nLDB R2.x, buf[0][R1.x];\n"
                                 "STB buf[1][R1.x].x, R2;\nEND\n");
   r->ordering = scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0x4, 0x1, 0x3f, 0 };\n" NUMBER
                                  "ATB.ADD R2.x, buf[0][0], c[64].y;\nAND R1.x, R2.x, c[64].z;\n"
                                  "IMUL R1.x, R1.x, c[64].x;\nSTB buf[1][R1.x].x, R0;\nEND\n");
   r->flipping = scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0x4, 0xff, 0, 0 };\n" NUMBER
                                  "AND R1.x, R0.x, c[64].y;\nIMUL R1.x, R1.x, c[64].x;\n"
                                  "ATB.XOR _, buf[0][R1.x], R0.x;\nATB.XOR _, buf[1][0], R0.x;\n"
                                  "END\n");
   r->storing =
      scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0x7c, 0xff, 0.0039, 0 };\n" PLACE
                       "AND R1.x, R0.x, c[64].x;\nLDB R2, buf[0][R1.x];\nAND R2, R2, c[64].y;\n"
                       "U2F R2, R2;\nMUL R2, R2, c[64].z;\nSTI R0, R2, img[0], 2D;\nEND\n");
   r->loading = scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0x100, 0x4, 0, 0 };\n" PLACE
                                 "LDI R2, R0, img[0], 2D;\nIMAD R1.x, R0.y, c[64].x, R0.x;\n"
                                 "IMUL R1.x, R1.x, c[64].y;\nSTB buf[1][R1.x].x, R2;\nEND\n");
   scene_varyings(s, 1, SGPU_INTERPOLATION_LINEAR);
   st->num_elements = 2;
   st->element[0] = (struct SGPU_VERTEX_ELEMENT){ .format = SGPU_FORMAT_R16G16B16A16_UNORM };
   st->element[1] = (struct SGPU_VERTEX_ELEMENT){
      .offset = 8,
      .format = SGPU_FORMAT_R8G8B8A8_UNORM,
      .input = 1,
   };
   st->buffer[0].stride = VERTEX;
   st->sampler[0].max_lod = 1000.0f;
}

/* The memory that a device leaves. */
struct memory {
   char *bytes;
   size_t size;
};

static struct memory
run(struct sgpu_device *dev, uint64_t seed, bool submits)
{
   static struct random_stream r;
   struct memory m = { NULL, 0 };

   begin(&r, dev, seed, submits);
   for (unsigned i = 0; i < OPERATIONS; i++) {
      switch (below(&r, 12)) {
      case 0:
         clear(&r);
         break;
      case 1:
         copy(&r);
         break;
      case 2:
         copy_linear(&r);
         break;
      case 3:
         blit(&r);
         break;
      case 4:
         buffers(&r);
         break;
      case 5:
         query(&r);
         break;
      case 6:
      case 7:
         grid(&r);
         break;
      default:
         draw(&r);
         break;
      }
      if (chance(&r, 8) && submits)
         scene_submit(&r.s);
   }
   FILE *f = open_memstream(&m.bytes, &m.size);
   if (!f)
      scene_fail("out of memory");
   scene_end(&r.s, f);
   fclose(f);
   return m;
}

static bool
same(const struct memory *a, const struct memory *b)
{
   return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

static struct sgpu_device *
device(unsigned threads, enum sgpu_dispatch_policy policy, uint64_t shuffle, uint32_t drop)
{
   struct sgpu_device_params params;

   sgpu_device_params_from_env(&params);
   params.threads = threads;
   params.dispatch = policy;
   params.shuffle_seed = shuffle;
   params.drop_dependences = drop;
   return scene_device_of(&params);
}

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec + t.tv_nsec * 1e-9;
}

/* The streams as a device has them that does one thing after the other. */
static struct memory *
reference(uint64_t seed, unsigned streams, bool submits)
{
   struct memory *want = calloc(streams, sizeof(*want));
   struct sgpu_device *dev = device(1, SGPU_DISPATCH_INORDER, 0, 0);
   bool differ = false;

   for (unsigned i = 0; i < streams; i++) {
      want[i] = run(dev, seed + i, submits);
      differ |= !same(&want[i], &want[0]);
   }
   sgpu_device_destroy(dev);
   if (!differ)
      scene_fail("all streams leave the same memory");
   return want;
}

static void
free_reference(struct memory *want, unsigned streams)
{
   for (unsigned i = 0; i < streams; i++)
      free(want[i].bytes);
   free(want);
}

/* Stalls of all kinds: each has to occur, or the comparison says nothing about it. */
static const char *const stalls[] = {
   "stall_order", "stall_tile",      "stall_raw",   "stall_waw",     "stall_war",
   "stall_xfb",   "stall_predicate", "stall_query", "stall_inorder", "overtakes",
};
enum { STALLS = sizeof(stalls) / sizeof(stalls[0]) };

static void
add_stalls(struct sgpu_device *dev, uint64_t sum[STALLS])
{
   uint64_t values[256];

   sgpu_device_read_counters(dev, values);
   for (unsigned i = 0; i < sgpu_counter_count(); i++) {
      for (unsigned n = 0; n < STALLS; n++) {
         if (!strcmp(sgpu_counter_get_info(i)->name, stalls[n]))
            sum[n] += values[i];
      }
   }
}

static void
compare(uint64_t seed, unsigned streams, double limit)
{
   static const enum sgpu_dispatch_policy policies[] = {
      SGPU_DISPATCH_OOO_SPLIT_BREAK,
      SGPU_DISPATCH_OOO_SPLIT,
      SGPU_DISPATCH_OOO,
      SGPU_DISPATCH_INORDER,
   };
   static const unsigned threads[] = { 1, 2, 4 };
   struct memory *want = reference(seed, streams, true);
   const double end = seconds() + limit;
   uint64_t stalled[STALLS] = { 0 };
   unsigned runs = 0, shuffle = 0;

   /* Each device picks its work by a seed of its own. */
   while (seconds() < end) {
      for (unsigned p = 0; p < 4; p++) {
         const unsigned t = threads[(shuffle + p) % 3];
         struct sgpu_device *dev = device(t, policies[p], seed + ++shuffle, 0);
         for (unsigned i = 0; i < 2; i++, runs++) {
            const unsigned n = (shuffle * 2 + i) % streams;
            struct memory got = run(dev, seed + n, true);
            if (!same(&got, &want[n]))
               scene_fail("stream %" PRIu64 ", policy %u, %u threads, shuffle %" PRIu64
                          ": other memory",
                          seed + n, policies[p], t, seed + shuffle);
            free(got.bytes);
         }
         add_stalls(dev, stalled);
         sgpu_device_destroy(dev);
      }
   }
   printf("%u runs of %u streams, %u shuffle seeds: the same memory\n", runs, streams, shuffle);
   for (unsigned n = 0; n < STALLS; n++) {
      printf("%s %" PRIu64 "\n", stalls[n], stalled[n]);
      if (!stalled[n])
         scene_fail("%s is 0", stalls[n]);
   }
   free_reference(want, streams);
}

/* One worker and one submission: the same order in each run of this test. */
static void
drop(const char *name, enum sgpu_dependence kind, uint64_t seed, unsigned streams)
{
   struct memory *want = reference(seed, streams, false);
   unsigned differ = 0, runs = 0;

   for (unsigned shuffle = 1; shuffle <= 3; shuffle++) {
      struct sgpu_device *dev = device(1, SGPU_DISPATCH_OOO_SPLIT, shuffle, 1u << kind);
      for (unsigned i = 0; i < streams; i++, runs++) {
         struct memory got = run(dev, seed + i, false);
         differ += !same(&got, &want[i]);
         free(got.bytes);
      }
      sgpu_device_destroy(dev);
   }
   free_reference(want, streams);
   printf("without %s: %u of %u runs differ\n", name, differ, runs);
   if (!differ)
      scene_fail("nothing shows that %s dependences are missing", name);
}

int
main(int argc, char **argv)
{
   uint64_t seed = 1;
   unsigned streams = 48;
   double limit = 10.0;

   for (int i = 1; i < argc; i += 2) {
      const char *value = i + 1 < argc ? argv[i + 1] : "";
      char *rest;
      const uint64_t n = strtoull(value, &rest, 0);
      if (!*value || *rest)
         scene_fail("usage: random_hazards [--seconds N] [--seed N] [--streams N]");
      if (!strcmp(argv[i], "--seconds"))
         limit = n;
      else if (!strcmp(argv[i], "--seed"))
         seed = n;
      else if (!strcmp(argv[i], "--streams") && n > 1 && n < 10000)
         streams = n;
      else
         scene_fail("invalid argument %s %s", argv[i], value);
   }

   compare(seed, streams, limit);
   drop("read after write", SGPU_DEPENDENCE_RAW, seed, streams);
   drop("write after write", SGPU_DEPENDENCE_WAW, seed, streams);
   drop("write after read", SGPU_DEPENDENCE_WAR, seed, streams);
   return 0;
}
