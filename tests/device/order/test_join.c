/* SPDX-License-Identifier: MIT */
/*
 * Draws without a packet between them must have the pictures and queries of draws that a NOP
 * separates, which are never joined. Small draws must be joined.
 */
#include "../../unit.h"
#include "scene.h"
#include "sgpu_counters.h"

#define RUNS 24      /* number of sequences of draws with one state */
#define VERTICES 600 /* number of vertices, which all draws share */
#define INDICES 4096

static const char *const vertex_programs[] = {
   "!!SGVP1.0\nMOV o[HPOS], v[0]; MOV o[GEN0], v[1]; MOV o[GEN1], v[2]; MOV o[GEN2], v[3];\nEND\n",
   /* The outputs depend on the draw: on its base, or on the other vertices of its warp. */
   "!!SGVP1.0\nI2F R0, s[BASE_VERTEX]; MUL R0, R0, c[0].x; ADD o[GEN0], v[1], R0;\n"
   "MOV o[HPOS], v[0]; MOV o[GEN1], v[2]; MOV o[GEN2], v[3];\nEND\n",
   "!!SGVP1.0\nI2F R0, s[LANE].x; MUL R0, R0, c[0].x; ADD o[GEN0], v[1], R0;\n"
   "MOV o[HPOS], v[0]; MOV o[GEN1], v[2]; MOV o[GEN2], v[3];\nEND\n",
   "!!SGVP1.0\nI2F R0, s[VERTEX_ID].x; MUL R0, R0, c[0].x; ADD o[GEN0], v[1], R0;\n"
   "MOV o[HPOS], v[0]; MOV o[GEN1], v[2]; MOV o[GEN2], v[3];\nEND\n",
};
static const char *const pixel_programs[] = {
   "!!SGFP1.0\nMOV o[COLR0], v[0];\nEND\n",
   "!!SGFP1.0\nI2F R0, s[PRIMITIVE_ID].x; MUL R0, R0, c[0].x; ADD o[COLR0], v[0], R0;\nEND\n",
   "!!SGFP1.0\nDDX R0, v[0]; ADD o[COLR0], v[1], R0;\nEND\n",
   "!!SGFP1.0\nFSETP.LT P0.x, v[1].x, c[0].y; (P0.x) KIL; MOV o[COLR0], v[0];\nEND\n",
};
enum {
   VERTEX_PROGRAMS = sizeof(vertex_programs) / sizeof(vertex_programs[0]),
   PIXEL_PROGRAMS = sizeof(pixel_programs) / sizeof(pixel_programs[0]),
};

static void
random_state(struct scene *s, const struct SGPU_SHADER vs[], const struct SGPU_SHADER ps[])
{
   struct scene_state *st = &s->st;

   st->vs = vs[scene_below(s, 2) ? 0 : scene_below(s, VERTEX_PROGRAMS)];
   st->ps = ps[scene_below(s, 2) ? 0 : scene_below(s, PIXEL_PROGRAMS)];
   scene_varyings(s, 3,
                  scene_below(s, 2) ? SGPU_INTERPOLATION_FLAT : SGPU_INTERPOLATION_PERSPECTIVE);
   st->dsa.depth_test = st->dsa.depth_write = scene_below(s, 2);
   st->dsa.depth_func = SGPU_COMPARE_LESS;
   st->rast.flatshade_first = scene_below(s, 2);
   st->rast.cull = scene_below(s, 3);
   st->rast.fill_front = st->rast.fill_back = scene_below(s, 4) ? SGPU_FILL_SOLID : SGPU_FILL_LINE;
   st->rast.poly_smooth = !scene_below(s, 8);
   st->rast.line_stipple = !scene_below(s, 4);
   st->rast.stipple_pattern = 0x3c5a;
   st->target[0] = (struct SGPU_BLEND_TARGET){
      .write_mask = 15,
      .rgb_src = SGPU_BLEND_FACTOR_ONE,
      .alpha_src = SGPU_BLEND_FACTOR_ONE,
   };
   if (scene_below(s, 2))
      scene_blend_over(s);
}

/* Emits draws of one type: mostly small ones, some empty, some with several instances or restart.
 */
static void
random_run(struct scene *s, bool separate)
{
   const enum sgpu_primitive primitive = scene_below(s, SGPU_PRIMITIVE_LINES_ADJACENCY);
   const enum sgpu_index_size size = scene_below(s, 4);
   const unsigned shift = size == SGPU_INDEX_SIZE_NONE ? 0 : size - SGPU_INDEX_SIZE_U8;
   const unsigned draws = 1 + scene_below(s, 40);
   const unsigned most = scene_below(s, 8) ? 12 : 300;

   for (unsigned i = 0; i < draws; i++) {
      const uint32_t count = scene_below(s, most);
      struct SGPU_DRAW draw = {
         .primitive = scene_below(s, 20) ? primitive : SGPU_PRIMITIVE_TRIANGLES,
         .count = count,
         .instances = scene_below(s, 20) ? 1 : scene_below(s, 3),
         .first = scene_below(s, VERTICES - 256 - count),
         .draw_id = i,
      };
      if (size != SGPU_INDEX_SIZE_NONE) {
         draw.index_size = size;
         draw.index_address = sgpu_bo_address(s->index_bo) + (scene_below(s, 64) << shift);
         /* Some draws read beyond the index buffer. */
         draw.index_bytes = scene_below(s, 10) ? INDICES << shift : scene_below(s, 64);
         draw.index_bias = scene_below(s, 4) * 64;
         draw.restart = !scene_below(s, 20);
         draw.restart_index = 7;
      }
      scene_draw_packet(s, &draw);
      if (separate)
         SCENE_EMIT(s, NOP, cfg)
            ;
   }
}

static uint64_t
picture(struct sgpu_device *dev, uint64_t seed, bool together)
{
   static const enum sgpu_query_type types[] = {
      SGPU_QUERY_TYPE_OCCLUSION_COUNTER,
      SGPU_QUERY_TYPE_PIPELINE_STATISTICS,
      SGPU_QUERY_TYPE_PRIMITIVES_GENERATED,
   };
   static struct scene s;
   struct SGPU_SHADER vs[VERTEX_PROGRAMS], ps[PIXEL_PROGRAMS];

   scene_begin(&s, dev);
   s.random = seed + 1;
   struct sgpu_bo *bo = scene_bo(&s, RUNS * 128);
   scene_result(&s, bo);
   for (unsigned i = 0; i < 4; i++)
      s.constants[0][i] = 0.03125f * (float)(i + 1);
   for (unsigned i = 0; i < VERTEX_PROGRAMS; i++)
      vs[i] = scene_program(&s, vertex_programs[i]);
   for (unsigned i = 0; i < PIXEL_PROGRAMS; i++)
      ps[i] = scene_program(&s, pixel_programs[i]);
   for (unsigned i = 0; i < VERTICES; i++)
      scene_random_vertex(&s);
   for (unsigned i = 0; i < INDICES; i++)
      s.indices[i] = scene_random(&s) & 0x00ff00ff;

   for (unsigned i = 0; i < RUNS; i++) {
      const enum sgpu_query_type type = types[scene_below(&s, 3)];
      random_state(&s, vs, ps);
      scene_begin_query(&s, type, 0);
      random_run(&s, !together);
      scene_end_query(&s, type, 0, sgpu_bo_address(bo) + i * 128);
   }
   return scene_end(&s, NULL);
}

static void
test_same(void **state)
{
   scene_compare_ways(SEEDS, picture);
}

/* Returns the number of batches of n draws of a triangle. */
static uint64_t
batches(unsigned n, const char *program, bool separate)
{
   static struct scene s;
   struct sgpu_device *dev = scene_device(1, SGPU_DISPATCH_OOO_SPLIT, 0);
   uint64_t counters[SGPU_COUNTER_COUNT];

   scene_begin(&s, dev);
   s.st.vs = scene_program(&s, program);
   const uint32_t first = scene_triangles(&s, n, 20.0f);
   for (unsigned i = 0; i < n; i++) {
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first + 3 * i, 3);
      if (separate)
         SCENE_EMIT(&s, NOP, cfg)
            ;
   }
   scene_end(&s, NULL);
   sgpu_device_read_counters(dev, counters);
   assert_int_equal(counters[SGPU_COUNTER_DRAWS], n);
   sgpu_device_destroy(dev);
   return counters[SGPU_COUNTER_BATCHES];
}

static void
test_joined(void **state)
{
   assert_int_equal(batches(64, vertex_programs[0], false), 1);
   assert_int_equal(batches(65, vertex_programs[0], false), 2);
   assert_int_equal(batches(64, vertex_programs[0], true), 64);
   assert_int_equal(batches(64, vertex_programs[1], false), 64);
   /* These draws are not joined: if the watchdog stops the program, its error must name a single
    * draw.
    */
   assert_int_equal(batches(64,
                            "!!SGVP1.0\nFSETP.LT P0.x, v[1].x, c[0].x; (P0.x) BRA end;\n"
                            "MOV o[GEN0], v[1];\nend:\nMOV o[HPOS], v[0];\nEND\n",
                            false),
                    64);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same),
      cmocka_unit_test(test_joined),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
