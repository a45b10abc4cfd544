/* SPDX-License-Identifier: MIT */
/*
 * Policy ooo+split+break: pictures, depths and queries must be those of a device that runs one
 * operation after the other, no matter which fragments wait for shading. Waiting must save
 * fragments.
 */
#include "../../unit.h"
#include "scene.h"

#define QUERIES 8
#define NUMBERS 16 /* maximum number of 64-bit numbers of a query */

/*
 * Random mixes
 */

/* Adds triangles whose corners have one of a few depths and positions, so that many triangles are
 * coplanar and many depths are equal.
 */
static uint32_t
ties(struct scene *s, unsigned n)
{
   const uint32_t first = s->num_vertices;

   for (unsigned i = 0; i < n; i++) {
      const float z = scene_below(s, 4) / 4.0f + 0.125f, tilt = scene_below(s, 3) / 16.0f;
      const float x = scene_below(s, 6) * 24.0f, y = scene_below(s, 4) * 24.0f;
      const float size = 16.0f + scene_below(s, 4) * 24.0f;
      scene_vertex(s, x, y, z, 1.0f);
      scene_vertex(s, x + size, y, z + tilt, 1.0f);
      scene_vertex(s, x, y + size, z - tilt, 1.0f);
   }
   return first;
}

static uint32_t
points(struct scene *s, unsigned n)
{
   const uint32_t first = scene_random_vertices(s, n);
   return first;
}

#define PROGRAMS 10
#define RANDOM_PROGRAMS 9 /* the program after these reads the target */

/* Makes programs with all effects on the order of fragments. */
static void
make_programs(struct scene *s, struct SGPU_SHADER programs[PROGRAMS])
{
   static const char *const texts[PROGRAMS] = {
      "!!SGFP1.0\nMOV o[COLR0], v[0];\nEND\n",
      "!!SGFP1.0\nMUL R0, v[0], v[1]; ADD R0, R0, v[2]; MUL o[COLR0], R0, c[0];\nEND\n",
      "!!SGFP1.0\nDDX R0, v[0]; DDY R1, v[1]; ADD R0, R0, R1; ADD o[COLR0], v[2], R0;\nEND\n",
      "!!SGFP1.0\nMUL R0, v[0], c[0]; TEX o[COLR0], R0, tex[0], smp[0], 2D;\nEND\n",
      "!!SGFP1.0\nFSETP.LT P0.x, v[1].x, c[0].y; (P0.x) KIL; MOV o[COLR0], v[0];\nEND\n",
      "!!SGFP1.0\nMOV o[DEPR].x, v[1].x; MOV o[COLR0], v[0];\nEND\n",
      "!!SGFP1.0\nMOV o[COLR0], v[0]; MOV o[COLR1], v[1];\nEND\n",
      "!!SGFP1.0\nI2F R0, s[LANE].x; MUL R0, R0, c[0].x; DDX R1, R0; ADD o[COLR0], v[0], R1;\n"
      "END\n",
      "!!SGFP1.0\nAND R0, s[HELPER].x, c[1]; DDY R1, R0; ADD R0, v[0], R1; MOV o[COLR0], R0;\n"
      "END\n",
      "!!SGFP1.0\nF2I R0, s[POSITION]; MOV R1, c[2].x; TXF R1, R0, R1.x, tex[0], 2D;\n"
      "MUL R2, R1, v[0]; MOV o[COLR0], R2;\nEND\n",
   };

   for (unsigned i = 0; i < 4; i++) {
      s->constants[0][i] = 0.03125f * (float)(i + 8);
      s->constants[1][i] = 1.0f;
      s->constants[2][i] = 0.0f;
   }
   for (unsigned i = 0; i < PROGRAMS; i++)
      programs[i] = scene_program(s, texts[i]);
}

/* Most draws are opaque; otherwise few fragments would wait. */
static void
random_state(struct scene *s, const struct SGPU_SHADER programs[PROGRAMS])
{
   struct scene_state *st = &s->st;

   st->ps = programs[scene_below(s, 3) ? scene_below(s, 4) : scene_below(s, RANDOM_PROGRAMS)];
   st->dsa = (struct SGPU_DEPTH_STENCIL){
      .depth_test = scene_below(s, 4) != 0,
      .depth_write = scene_below(s, 4) != 0,
      .depth_func = scene_below(s, 3)
                       ? (scene_below(s, 2) ? SGPU_COMPARE_LEQUAL : SGPU_COMPARE_LESS)
                       : scene_below(s, 8),
   };
   if (!scene_below(s, 6)) {
      st->dsa.front = (struct SGPU_STENCIL_FACE){
         .enable = true,
         .func = scene_below(s, 8),
         .fail = scene_below(s, 8),
         .depth_fail = scene_below(s, 8),
         .pass = scene_below(s, 8),
         .read_mask = 3,
         .write_mask = 7,
      };
   }
   if (!scene_below(s, 10)) {
      st->dsa.alpha_test = true;
      st->dsa.alpha_func = SGPU_COMPARE_GREATER;
      st->dsa.alpha_ref = 0.5f;
   }
   for (unsigned i = 0; i < 2; i++) {
      st->target[i] = (struct SGPU_BLEND_TARGET){
         .write_mask = scene_below(s, 8) ? 15 : scene_below(s, 16),
         .rgb_src = SGPU_BLEND_FACTOR_ONE,
         .alpha_src = SGPU_BLEND_FACTOR_ONE,
      };
   }
   if (!scene_below(s, 6))
      scene_blend_over(s);
   st->blend = (struct SGPU_BLEND){
      .logic_op_enable = !scene_below(s, 10),
      .logic_op = scene_below(s, 16),
   };
   st->rast.cull = scene_below(s, 4) ? SGPU_CULL_NONE : scene_below(s, 3);
   st->rast.poly_smooth = !scene_below(s, 12);
   st->rast.scissor = !scene_below(s, 5);
   const int x = scene_below(s, SCENE_W - 20), y = scene_below(s, SCENE_H - 20);
   st->scissor[0].x0 = x;
   st->scissor[0].y0 = y;
   st->scissor[0].x1 = x + 20 + scene_below(s, SCENE_W - 20 - x);
   st->scissor[0].y1 = y + 20 + scene_below(s, SCENE_H - 20 - y);
}

static void
random_draw(struct scene *s, const uint32_t first[3])
{
   switch (scene_below(s, 8)) {
   case 0:
      scene_draw(s, SGPU_PRIMITIVE_POINTS, first[2] + scene_below(s, 20), 20);
      break;
   case 1:
      scene_draw(s, SGPU_PRIMITIVE_LINES, first[2] + scene_below(s, 20), 20);
      break;
   case 2:
   case 3:
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first[1] + 3 * scene_below(s, 30), 30);
      break;
   default:
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first[0] + 3 * scene_below(s, 50),
                 3 + 3 * scene_below(s, 10));
      break;
   }
}

/* Emits a clear of all, of a part or of depth alone, or a copy within the target. */
static void
random_transfer(struct scene *s)
{
   const int x = scene_below(s, 100), y = scene_below(s, 70);
   const unsigned kind = scene_below(s, 4);

   if (kind == 3) {
      SCENE_EMIT(s, COPY_SURFACE, cfg) {
         cfg.layers = 1;
         cfg.source = cfg.destination = scene_surface(&s->st.color[0], 0, 0, 1);
         cfg.source_x = scene_below(s, 40);
         cfg.source_y = 100;
         cfg.rect = (struct SGPU_RECT){ x, 20, x + 50, 30 };
      }
      return;
   }
   scene_emit_state(s);
   SCENE_EMIT(s, CLEAR, cfg) {
      cfg.colors = kind == 2 ? 0 : (1u << s->st.num_colors) - 1 - scene_below(s, 2);
      cfg.depth = kind != 1;
      cfg.depth_value = 0.75;
      cfg.color_0 = cfg.color_2 = 0x3f000000;
      cfg.rect = kind == 0 ? (struct SGPU_RECT){ 0, 0, SCENE_W, SCENE_H }
                           : (struct SGPU_RECT){ x, y, x + 50, y + 40 };
   }
}

static uint64_t
random_mix(struct sgpu_device *dev, uint64_t seed, bool other)
{
   static struct scene s;
   struct SGPU_SHADER programs[PROGRAMS];
   unsigned queries = 0;

   scene_metadata = seed & 1;
   scene_begin(&s, dev);
   s.random = seed * 0x9e3779b97f4a7c15ull + 1;
   make_programs(&s, programs);

   const uint32_t first[3] = { ties(&s, 60), scene_triangles(&s, 40, 70.0f), points(&s, 40) };
   const struct scene_image noise = scene_target(&s, SGPU_FORMAT_R8G8B8A8_UNORM, 32, 32);
   const struct scene_image targets[2] = {
      s.st.color[0],
      scene_target(&s, seed & 2 ? SGPU_FORMAT_R16G16B16A16_FLOAT : SGPU_FORMAT_R8G8B8A8_UNORM,
                   SCENE_W, SCENE_H),
   };
   struct sgpu_bo *counts = scene_bo(&s, QUERIES * NUMBERS * 8);
   scene_noise(&s, &noise);
   scene_result(&s, counts);
   s.st.texture[0] = scene_texture(&noise);
   s.st.sampler[0] = (struct SGPU_SAMPLER){ .max_lod = 10.0f };
   s.st.num_textures = 1;
   if (seed & 4) {
      s.st.color[1] = targets[1];
      s.st.num_colors = 2;
   }

   for (unsigned i = 0; i < 60; i++) {
      const bool counted = queries < QUERIES && !scene_below(&s, 6);
      const enum sgpu_query_type type = scene_below(&s, 2) ? SGPU_QUERY_TYPE_OCCLUSION_COUNTER
                                                           : SGPU_QUERY_TYPE_PIPELINE_STATISTICS;
      random_state(&s, programs);
      if (!scene_below(&s, 10))
         random_transfer(&s);
      /* Each fragment reads its own pixel of the target, which no other fragment of the draw
       * covers.
       */
      if (!scene_below(&s, 12)) {
         const struct SGPU_SHADER ps = s.st.ps;
         scene_resolve(&s);
         s.st.ps = programs[RANDOM_PROGRAMS];
         s.st.texture[0] = scene_texture(&targets[0]);
         scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first[0] + 3 * scene_below(&s, 50), 3);
         s.st.texture[0] = scene_texture(&noise);
         s.st.ps = ps;
      }
      if (counted) {
         scene_begin_query(&s, type, 0);
      }
      random_draw(&s, first);
      if (counted) {
         scene_end_query(&s, type, 0, sgpu_bo_address(counts) + 8 * NUMBERS * queries++);
      }
      if (!scene_below(&s, 20))
         scene_submit(&s);
   }
   return scene_end(&s, NULL);
}

static void
mixes(void **state)
{
   scene_compare_ways(SEEDS, random_mix);
}

/* Draws more small triangles than there is space for waiting fragments. */
static uint64_t
crowd(struct sgpu_device *dev, uint64_t seed, bool other)
{
   static struct scene s;

   scene_begin(&s, dev);
   s.random = seed + 1;
   s.st.dsa.depth_test = s.st.dsa.depth_write = seed & 1;
   const uint32_t first = scene_triangles(&s, 2500, 16.0f);
   for (unsigned i = 0; i < 6; i++)
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first + 300 * i, 3000);
   return scene_end(&s, NULL);
}

static void
crowds(void **state)
{
   scene_compare_ways(4, crowd);
}

/*
 * Savings
 */

struct counts {
   uint64_t shaded, waited, saved, passed;
};

#define LAYERS 8

enum kind { BACK_TO_FRONT, FLAT, FRONT_TO_BACK, BLENDED, COUNTED };

/* Draws layers over all of the window. */
static uint64_t
layers(enum sgpu_dispatch_policy policy, enum kind kind, struct counts *c)
{
   static struct scene s;
   struct sgpu_device *dev = scene_device(1, policy, 0);

   scene_begin(&s, dev);
   s.st.dsa.depth_test = s.st.dsa.depth_write = kind != FLAT && kind != COUNTED;
   if (kind == BLENDED)
      scene_blend_over(&s);
   struct sgpu_bo *results = scene_bo(&s, NUMBERS * 8);
   if (kind == COUNTED) {
      scene_begin_query(&s, SGPU_QUERY_TYPE_PIPELINE_STATISTICS, 0);
   }
   for (unsigned i = 0; i < LAYERS; i++) {
      const unsigned depth = kind == FRONT_TO_BACK ? i : LAYERS - 1 - i;
      const float z = (float)depth / LAYERS;
      const uint32_t first = scene_vertex(&s, 0.0f, 0.0f, z, 1.0f);
      scene_vertex(&s, 2 * SCENE_W, 0.0f, z, 1.0f);
      scene_vertex(&s, 0.0f, 2 * SCENE_H, z, 1.0f);
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first, 3);
   }
   if (kind == COUNTED) {
      scene_end_query(&s, SGPU_QUERY_TYPE_PIPELINE_STATISTICS, 0, sgpu_bo_address(results));
   }
   const uint64_t hash = scene_end(&s, NULL);
   c->shaded = scene_counter(dev, "pixel_lanes");
   c->waited = scene_counter(dev, "fragments_waited");
   c->saved = scene_counter(dev, "fragments_saved");
   sgpu_device_destroy(dev);
   return hash;
}

static void
savings(void **state)
{
   const uint64_t window = SCENE_W * SCENE_H;

   for (enum kind kind = BACK_TO_FRONT; kind <= COUNTED; kind++) {
      struct counts split, breaks;
      const uint64_t want = layers(SGPU_DISPATCH_OOO_SPLIT, kind, &split);

      assert_true(layers(SGPU_DISPATCH_OOO_SPLIT_BREAK, kind, &breaks) == want);
      assert_int_equal(split.waited, 0);
      assert_int_equal(split.saved, 0);
      assert_int_equal(breaks.shaded + breaks.saved, split.shaded);
      switch (kind) {
      case BACK_TO_FRONT:
      case FLAT:
         assert_int_equal(split.shaded, LAYERS * window);
         assert_int_equal(breaks.saved, (LAYERS - 1) * window);
         break;
      case FRONT_TO_BACK:
         assert_int_equal(breaks.saved, 0);
         break;
      case BLENDED:
      case COUNTED:
         assert_int_equal(breaks.waited, 0);
         break;
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(mixes),
      cmocka_unit_test(crowds),
      cmocka_unit_test(savings),
   };
   return cmocka_run_group_tests_name("break", tests, NULL, NULL);
}
