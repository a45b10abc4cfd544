/* SPDX-License-Identifier: MIT */
/*
 * Scenes with dependent operations: draws whose results are copied, sampled and drawn over, in many
 * submissions.
 */
#include "scene.h"

static void
copy(struct scene *s, const struct scene_image *dst, const struct scene_image *src)
{
   const int w = 1 + scene_below(s, SCENE_W), h = 1 + scene_below(s, SCENE_H);
   const int x = scene_below(s, SCENE_W - w + 1), y = scene_below(s, SCENE_H - h + 1);
   SCENE_EMIT(s, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.source = scene_surface(src, 0, 0, 1);
      cfg.destination = scene_surface(dst, 0, 0, 1);
      cfg.source_x = scene_below(s, SCENE_W - w + 1);
      cfg.source_y = scene_below(s, SCENE_H - h + 1);
      cfg.rect = (struct SGPU_RECT){ x, y, x + w, y + h };
   }
}

/* Draws to three targets in turns, with copies between them. */
static void
chains(struct scene *s)
{
   struct scene_image images[3];
   for (unsigned i = 0; i < 3; i++)
      images[i] = scene_target(s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
   scene_blend(s, SGPU_BLEND_FACTOR_SRC_ALPHA, SGPU_BLEND_FACTOR_INV_SRC_ALPHA,
               SGPU_BLEND_FACTOR_ONE, SGPU_BLEND_FACTOR_ZERO);
   for (unsigned i = 0; i < 60; i++) {
      const unsigned a = scene_below(s, 3), b = (a + 1 + scene_below(s, 2)) % 3;
      s->st.color[0] = images[a];
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 4, 60.0f), 12);
      copy(s, &images[b], &images[a]);
      if (!scene_below(s, 6))
         scene_submit(s);
   }
}

/* Vertices, indices and constants that the device writes. */
static void
buffer_feedback(struct scene *s)
{
   const uint32_t first = scene_triangles(s, 60, 70.0f), copies = s->num_vertices;
   for (unsigned i = 0; i < 60; i++)
      scene_vertex(s, 0.0f, 0.0f, 0.0f, 1.0f);
   for (unsigned i = 0; i < 12; i++) {
      const uint64_t size = sizeof(struct scene_vertex), base = sgpu_bo_address(s->vertex_bo);
      scene_copy_buffer(s, base + copies * size, base + (first + 9 * i) * size, 30 * size);
      SCENE_EMIT(s, FILL_BUFFER, cfg) {
         cfg.destination = sgpu_bo_address(s->constant_bo);
         cfg.size = 16;
         cfg.pattern_size = 16;
         cfg.pattern_0 = 0x3e000000u + i * 0x100000u;
         cfg.pattern_1 = 0x3f000000;
         cfg.pattern_2 = 0x3f800000;
         cfg.pattern_3 = 0x3f800000;
      }
      if (!i)
         s->st.ps = scene_program(s, "!!SGFP1.0\nMUL o[COLR0], v[0], c[0];\nEND\n");
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, copies, 30);
   }
}

/* Depth of one pass is compared in the next; targets have several sizes. */
static void
passes(struct scene *s)
{
   struct scene_image small = scene_target(s, SGPU_FORMAT_R8G8B8A8_UNORM, 40, 30);
   const struct scene_image color = s->st.color[0], zs = s->st.zs;
   for (unsigned i = 0; i < 30; i++) {
      s->st.dsa.depth_test = i % 3 != 0;
      s->st.dsa.depth_write = i % 3 == 1;
      s->st.color[0] = i % 4 == 3 ? small : color;
      s->st.zs = i % 4 == 3 ? (struct scene_image){ 0 } : zs;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 6, 80.0f), 18);
      if (i % 7 == 6)
         scene_submit(s);
   }
}

/* A different program and state for each draw, more than any cache may hold. */
static void
many_states(struct scene *s)
{
   for (unsigned i = 0; i < 200; i++) {
      if (i % 4 == 0) {
         static const char *const texts[] = {
            "!!SGFP1.0\nMUL o[COLR0], v[0], v[1];\nEND\n",
            "!!SGFP1.0\nADD_SAT o[COLR0], v[0], v[1];\nEND\n",
            "!!SGFP1.0\nMIN o[COLR0], v[0], v[2];\nEND\n",
            "!!SGFP1.0\nMAX R0, v[0], v[2]; MUL o[COLR0], R0, c[5];\nEND\n",
         };
         s->st.ps = scene_program(s, texts[scene_below(s, 4)]);
      }
      s->st.target[0].write_mask = 1 + scene_below(s, 15);
      s->st.rast.cull = scene_below(s, 3);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 2, 50.0f), 6);
   }
}

/* The number of samples that pass decides whether the next draw, clear and blit run, and is the
 * number of vertices of an indirect draw. There are two targets, and independent work in between.
 */
static void
conditions(struct scene *s)
{
   const struct scene_image targets[2] = {
      s->st.color[0],
      scene_target(s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H),
   };
   struct sgpu_bo *counts = scene_bo(s, 4096), *numbers = scene_bo(s, 4096);
   const uint64_t count = sgpu_bo_address(counts), number = sgpu_bo_address(numbers);
   const uint32_t first = scene_triangles(s, 40, 50.0f);

   scene_result(s, numbers);
   s->st.zs = (struct scene_image){ 0 };
   s->st.rast.scissor = true;
   for (unsigned i = 0; i < 40; i++) {
      s->st.color[0] = targets[i % 2];
      s->st.scissor[0] = (struct SGPU_SCISSOR){ .x1 = scene_below(s, 2) * SCENE_W, .y1 = SCENE_H };
      scene_begin_query(s, SGPU_QUERY_TYPE_OCCLUSION_COUNTER, 3);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first + 3 * scene_below(s, 38), 6);
      scene_end_query(s, SGPU_QUERY_TYPE_OCCLUSION_COUNTER, 3, count + 8 * i);
      SCENE_EMIT(s, PREDICATE, cfg) {
         cfg.value = SGPU_QUERY_VALUE_NOT_ZERO;
         cfg.inverted = scene_below(s, 2);
         cfg.address = count + 8 * i;
      }
      s->st.scissor[0].x1 = SCENE_W;
      const struct SGPU_DRAW draw = {
         .primitive = SGPU_PRIMITIVE_TRIANGLES,
         .first = first + 3 * scene_below(s, 36),
         .count = 12,
         .instances = 1,
         .conditional = true,
      };
      scene_draw_packet(s, &draw);
      SCENE_EMIT(s, CLEAR, cfg) {
         const int x = scene_below(s, 100), y = scene_below(s, 80);
         cfg.colors = 1;
         cfg.color_1 = 0x3f800000;
         cfg.rect = (struct SGPU_RECT){ x, y, x + 20, y + 10 };
         cfg.conditional = true;
      }
      SCENE_EMIT(s, BLIT, cfg) {
         const int x = scene_below(s, 100), y = scene_below(s, 80);
         cfg.mask = 15;
         cfg.layers = 1;
         cfg.source = scene_surface(&targets[(i + 1) % 2], 0, 0, 1);
         cfg.destination = scene_surface(&targets[i % 2], 0, 0, 1);
         cfg.source_rect = (struct SGPU_RECT){ 0, 0, 30, 30 };
         cfg.destination_rect = (struct SGPU_RECT){ x, y, x + 30, y + 30 };
         cfg.source_z1 = 1.0f;
         cfg.conditional = true;
      }
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first + 3 * scene_below(s, 39), 3);

      /* The number of samples is the draw's number of vertices. */
      SCENE_EMIT(s, FILL_BUFFER, cfg) {
         cfg.destination = number + 16 * i;
         cfg.size = 16;
         cfg.pattern_size = 16;
         cfg.pattern_1 = 1;
         cfg.pattern_2 = first;
      }
      SCENE_EMIT(s, STORE_RESULT, cfg) {
         cfg.value = SGPU_QUERY_VALUE_NUMBER;
         cfg.type = SGPU_NUMBER_TYPE_I32;
         cfg.address = count + 8 * i;
         cfg.destination = number + 16 * i;
      }
      SCENE_EMIT(s, DRAW_INDIRECT, cfg) {
         cfg.primitive = SGPU_PRIMITIVE_TRIANGLES;
         cfg.address = number + 16 * i;
         cfg.conditional = i % 3 == 0;
      }
      if (!scene_below(s, 6))
         scene_submit(s);
   }
}

const struct scene_info scenes_order[] = {
   { "chains", chains },           { "buffer-feedback", buffer_feedback }, { "passes", passes },
   { "many-states", many_states }, { "conditions", conditions },           { NULL, NULL },
};
