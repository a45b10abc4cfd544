/* SPDX-License-Identifier: MIT */
/* Random streams: surfaces, buffers, programs; grids and queries. */
#include <string.h>

#include "hazard_stream.h"

uint32_t
hazard_below(struct hazard_stream *r, uint32_t n)
{
   return scene_below(&r->s, n);
}

bool
hazard_chance(struct hazard_stream *r, unsigned percent)
{
   return hazard_below(r, 100) < percent;
}

/* Returns a random rectangle in width x height pixels. It is often small, so that many pairs of
 * rectangles are disjoint.
 */
struct SGPU_RECT
hazard_rect(struct hazard_stream *r, int width, int height)
{
   const int x = hazard_below(r, width), y = hazard_below(r, height);
   const int most_w = hazard_chance(r, 60) ? 40 : width,
             most_h = hazard_chance(r, 60) ? 40 : height;
   const int w = 1 + hazard_below(r, width - x < most_w ? width - x : most_w);
   const int h = 1 + hazard_below(r, height - y < most_h ? height - y : most_h);

   return (struct SGPU_RECT){ x, y, x + w, y + h };
}

uint64_t
hazard_offset(struct hazard_stream *r, uint32_t size, uint32_t align)
{
   return hazard_below(r, (HAZARD_BYTES - size) / align + 1) * align;
}

unsigned
hazard_layers(unsigned image)
{
   return image == HAZARD_IMAGES - 1 ? 2 : 1;
}

struct SGPU_SURFACE
hazard_surface(struct hazard_stream *r, unsigned image, unsigned layer)
{
   return scene_surface(&r->image[image], 0, layer, 1);
}

/* Returns a linear surface in a random part of the buffer. */
struct SGPU_SURFACE
hazard_linear_surface(struct hazard_stream *r)
{
   const uint64_t address = sgpu_bo_address(r->bytes);

   return (struct SGPU_SURFACE){
      .address = address + hazard_offset(r, HAZARD_LINEAR * HAZARD_LINEAR * 4, 64),
      .storage = address,
      .format = SGPU_FORMAT_R8G8B8A8_UNORM,
      .layout = SGPU_LAYOUT_LINEAR,
      .valid = true,
      .width = HAZARD_LINEAR,
      .height = HAZARD_LINEAR,
      .pitch = HAZARD_LINEAR * 4,
      .layers = 1,
   };
}

void
hazard_bind_bytes(struct hazard_stream *r, enum sgpu_stage stage, unsigned n, uint32_t size)
{
   scene_bind_buffer(&r->s, stage, n, r->bytes, hazard_offset(r, size, 4), size);
}

/*
 * Grids
 */

void
hazard_grid(struct hazard_stream *r)
{
   struct scene *s = &r->s;
   const uint32_t words = 1 + hazard_below(r, hazard_chance(r, 70) ? 64 : 1024);
   const unsigned image = hazard_below(r, HAZARD_IMAGES),
                  layer = hazard_below(r, hazard_layers(image));
   const struct SGPU_SHADER *program = NULL;
   struct SGPU_GRID packet = {
      .group_size_x = 1 + hazard_below(r, 70),
      .group_size_y = 1,
      .group_size_z = 1,
      .groups_y = 1,
      .groups_z = 1,
      .conditional = hazard_chance(r, 30),
   };
   packet.groups_x = 1 + words / packet.group_size_x;

   hazard_bind_bytes(r, SGPU_STAGE_COMPUTE, 0, words * 4);
   hazard_bind_bytes(r, SGPU_STAGE_COMPUTE, 1, words * 4);
   switch (hazard_below(r, 5)) {
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
      program = hazard_chance(r, 50) ? &r->storing : &r->loading;
      scene_resolve(s);
      scene_bind_image(s, SGPU_STAGE_COMPUTE, 0, &r->image[image], 0, layer, layer);
      packet.group_size_x = 8;
      packet.group_size_y = 4;
      packet.groups_x = 1 + hazard_below(r, SCENE_W / 8);
      packet.groups_y = 1 + hazard_below(r, SCENE_H / 4);
      break;
   }
   scene_grid(s, program, &packet);
}

/*
 * Queries
 */

void
hazard_query(struct hazard_stream *r)
{
   struct scene *s = &r->s;
   const unsigned n = hazard_below(r, HAZARD_QUERIES);
   const uint64_t number = sgpu_bo_address(r->numbers) + 8 * hazard_below(r, HAZARD_QUERIES);
   const enum sgpu_query_type type = n & 1 ? SGPU_QUERY_TYPE_OCCLUSION_COUNTER
                                           : SGPU_QUERY_TYPE_PRIMITIVES_GENERATED;

   switch (hazard_below(r, 5)) {
   case 0:
   case 1:
      if (r->counts[n])
         scene_end_query(s, type, n, number);
      else
         scene_begin_query(s, type, n);
      r->counts[n] = !r->counts[n];
      break;
   case 2:
      SCENE_EMIT(s, STORE_RESULT, cfg) {
         cfg.value = hazard_chance(r, 50) ? SGPU_QUERY_VALUE_NUMBER : SGPU_QUERY_VALUE_NOT_ZERO;
         cfg.type = SGPU_NUMBER_TYPE_U64;
         cfg.address = number;
         cfg.destination = sgpu_bo_address(r->bytes) + hazard_offset(r, 8, 1);
      }
      break;
   case 3:
      scene_copy_buffer(s, sgpu_bo_address(r->bytes) + hazard_offset(r, 8, 1), number, 8);
      break;
   default:
      SCENE_EMIT(s, PREDICATE, cfg) {
         cfg.value = SGPU_QUERY_VALUE_NOT_ZERO;
         cfg.inverted = hazard_chance(r, 50);
         cfg.address = number;
      }
      break;
   }
}

/*
 * Streams
 */

void
hazard_begin(struct hazard_stream *r, struct sgpu_device *dev, uint64_t seed, bool submits)
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
   for (unsigned i = 1; i < HAZARD_IMAGES; i++) {
      struct sgpu_layout_params params = scene_params(SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
      params.layers = hazard_layers(i);
      r->image[i] = scene_image(s, &params);
      scene_noise(s, &r->image[i]);
      scene_result(s, r->image[i].bo);
   }
   r->bytes = scene_bo(s, HAZARD_BYTES);
   uint32_t *words = sgpu_bo_map(r->bytes);
   for (unsigned i = 0; i < HAZARD_BYTES / 4; i++)
      words[i] = scene_random(s);
   r->numbers = scene_bo(s, 8 * HAZARD_NUMBERS);
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
   st->buffer[0].stride = HAZARD_VERTEX;
   st->sampler[0].max_lod = 1000.0f;
}
