/* SPDX-License-Identifier: MIT */
/*
 * Geometry programs on the whole device: pictures that can also be drawn without one, queries,
 * packets that the command processor refuses, and the watchdog.
 */
#include "../../unit.h"
#include "scene.h"

static struct sgpu_device *
device(unsigned threads, enum sgpu_dispatch_policy policy, uint64_t shuffle, uint64_t watchdog)
{
   return scene_device_of(&(struct sgpu_device_params){
      .threads = threads,
      .dispatch = policy,
      .shuffle_seed = shuffle,
      .watchdog_instructions = watchdog,
   });
}

static void
nothing(struct scene *s, uint64_t with)
{
}

static void
pairs(void **state)
{
   static const struct {
      unsigned threads;
      enum sgpu_dispatch_policy policy;
      uint64_t shuffle;
   } ways[] = {
      { 1, SGPU_DISPATCH_INORDER, 0 },
      { 4, SGPU_DISPATCH_OOO_SPLIT, 5 },
   };
   unsigned differ = 0;

   /* Only the last one if rounds are reduced, since each takes long then. */
   for (unsigned w = TEST_ROUNDS_DIVISOR > 1; w < sizeof(ways) / sizeof(ways[0]); w++) {
      struct sgpu_device *dev = device(ways[w].threads, ways[w].policy, ways[w].shuffle, 0);
      const uint64_t empty = scene_pair_picture(dev, &(struct scene_pair){ .draw = nothing },
                                                false);
      for (const struct scene_pair *p = scene_pairs; p->name; p++) {
         const uint64_t with = scene_pair_picture(dev, p, true);
         const uint64_t without = scene_pair_picture(dev, p, false);
         if (with != without)
            print_error("%s: differs from the picture without a geometry program\n", p->name);
         differ += with != without;
         assert_true(with != empty);
      }
      sgpu_device_destroy(dev);
   }
   assert_int_equal(differ, 0);
}

/*
 * Queries
 */

/* Returns a query's numbers after a draw of two instances of 100 triangles with the geometry
 * program `text`, or without one if it is NULL.
 */
static void
count(struct sgpu_device *dev, enum sgpu_query_type type, const char *text, bool discard,
      uint64_t out[16])
{
   static struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *bo = scene_bo(&s, 128);

   /* The result of the scene is the query's numbers alone. */
   s.num_results = 0;
   scene_result(&s, bo);
   if (text)
      scene_geometry(&s, text, SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 8, 3);
   s.st.rast.discard = discard;
   scene_begin_query(&s, type, 3);
   const struct SGPU_DRAW draw = {
      .primitive = SGPU_PRIMITIVE_TRIANGLES,
      .first = scene_triangles(&s, 100, 40.0f),
      .count = 300,
      .instances = 2,
   };
   scene_draw_packet(&s, &draw);
   scene_end_query(&s, type, 3, sgpu_bo_address(bo));
   scene_end_bytes(&s, out, 128);
}

static void
queries(void **state)
{
   /* The first program emits a strip of 5 vertices, which is 3 triangles, and then 2 vertices and 1
    * vertex, which are none. The second one emits a strip of 1 triangle to vertex stream 2.
    */
   static const char *const text =
      "!!SGGP1.0\nLDV o[HPOS], va[0][0]; EMITV 0;\nLDV o[HPOS], va[0][1]; EMITV 0;\n"
      "LDV o[HPOS], va[0][2]; EMITV 0; EMITV 0; EMITV 0; CUT 0; EMITV 0; EMITV 0; CUT 0;\n"
      "EMITV 0;\nEND\n";
   static const char *const streams =
      "!!SGGP1.0\nLDV o[HPOS], va[0][0]; EMITV 2; EMITV 2; EMITV 0; EMITV 2;\nEND\n";
   struct sgpu_device *dev = device(2, SGPU_DISPATCH_OOO_SPLIT, 0, 0);
   uint64_t n[16];

   for (unsigned discard = 0; discard < 2; discard++) {
      count(dev, SGPU_QUERY_TYPE_PIPELINE_STATISTICS, text, discard, n);
      assert_int_equal(n[0], 600);     /* vertices */
      assert_int_equal(n[1], 200);     /* input primitives */
      assert_int_equal(n[2], 600);     /* invocations of the vertex program */
      assert_int_equal(n[3], 200 * 3); /* invocations of the geometry program */
      assert_int_equal(n[4], 600 * 3); /* primitives that the geometry program emits */
      assert_int_equal(n[5], discard ? 0 : 600 * 3);
      count(dev, SGPU_QUERY_TYPE_PRIMITIVES_GENERATED, text, discard, n);
      assert_int_equal(n[0], 600 * 3);
      count(dev, SGPU_QUERY_TYPE_PRIMITIVES_GENERATED, NULL, discard, n);
      assert_int_equal(n[0], 200);
   }
   count(dev, SGPU_QUERY_TYPE_PIPELINE_STATISTICS, streams, false, n);
   assert_int_equal(n[3], 600);
   assert_int_equal(n[4], 600);
   assert_int_equal(n[5], 0);
   count(dev, SGPU_QUERY_TYPE_PRIMITIVES_GENERATED, streams, false, n);
   assert_int_equal(n[0], 0);
   sgpu_device_destroy(dev);
}

/*
 * Errors
 */

#define EMIT_ONE "!!SGGP1.0\nLDV o[HPOS], va[0][0]; EMITV 0;\nEND\n"

static void
refused(void **state)
{
   static struct scene s;
   struct sgpu_device *dev = device(1, SGPU_DISPATCH_INORDER, 0, 0);
   static const enum sgpu_primitive inputs[] = {
      SGPU_PRIMITIVE_POINTS,
      SGPU_PRIMITIVE_LINES,
      SGPU_PRIMITIVE_TRIANGLES,
      SGPU_PRIMITIVE_LINES_ADJACENCY,
      SGPU_PRIMITIVE_TRIANGLES_ADJACENCY,
   };
   /* Bit masks of the primitive types of draws that each input type accepts. */
   static const uint32_t takes[] = {
      1u << SGPU_PRIMITIVE_POINTS,
      1u << SGPU_PRIMITIVE_LINES | 1u << SGPU_PRIMITIVE_LINE_LOOP | 1u << SGPU_PRIMITIVE_LINE_STRIP,
      1u << SGPU_PRIMITIVE_TRIANGLES | 1u << SGPU_PRIMITIVE_TRIANGLE_STRIP |
         1u << SGPU_PRIMITIVE_TRIANGLE_FAN,
      1u << SGPU_PRIMITIVE_LINES_ADJACENCY | 1u << SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY,
      1u << SGPU_PRIMITIVE_TRIANGLES_ADJACENCY | 1u << SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY,
   };

   for (unsigned i = 0; i < 5; i++) {
      for (unsigned type = 0; type <= SGPU_PRIMITIVE_PATCHES; type++) {
         scene_begin(&s, dev);
         scene_geometry(&s, EMIT_ONE, inputs[i], SGPU_PRIMITIVE_POINTS, 1, 1);
         scene_draw(&s, type, scene_triangles(&s, 4, 30.0f), 12);
         const char *error = scene_refusal(&s);
         if (takes[i] >> type & 1)
            assert_null(error);
         else
            assert_non_null(strstr(error, type == SGPU_PRIMITIVE_PATCHES
                                             ? "patches without"
                                             : "DRAW: Primitive is not of the type"));
      }
   }

   static const struct {
      enum sgpu_primitive input, output;
      unsigned invocations;
      const char *error;
   } shaders[] = {
      { SGPU_PRIMITIVE_LINE_STRIP, SGPU_PRIMITIVE_POINTS, 1, "SHADER: Input Primitive" },
      { SGPU_PRIMITIVE_QUADS, SGPU_PRIMITIVE_POINTS, 1, "SHADER: Input Primitive" },
      { SGPU_PRIMITIVE_PATCHES, SGPU_PRIMITIVE_POINTS, 1, "SHADER: Input Primitive" },
      { SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_LINES, 1, "SHADER: Output Primitive" },
      { SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_TRIANGLES, 1, "SHADER: Output Primitive" },
      { SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_POINTS, 0, "SHADER: Invocations is 0" },
   };
   for (unsigned i = 0; i < sizeof(shaders) / sizeof(shaders[0]); i++) {
      scene_begin(&s, dev);
      scene_geometry(&s, EMIT_ONE, shaders[i].input, shaders[i].output, 1, shaders[i].invocations);
      scene_draw(&s, SGPU_PRIMITIVE_POINTS, scene_triangles(&s, 4, 30.0f), 12);
      const char *error = scene_refusal(&s);
      assert_non_null(error);
      assert_non_null(strstr(error, shaders[i].error));
   }

   scene_begin(&s, dev);
   SCENE_EMIT(&s, STAGE_INPUTS, cfg)
      cfg.stage = SGPU_STAGE_PIXEL;
   assert_non_null(strstr(scene_refusal(&s), "STAGE INPUTS: the stage has none"));

   /* Operations that other stages may not use. */
   scene_begin(&s, dev);
   scene_geometry(&s, EMIT_ONE, SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_POINTS, 1, 1);
   s.st.vs = s.st.gs;
   s.st.gs.address = 0;
   s.st.vs.stage = SGPU_STAGE_VERTEX;
   scene_draw(&s, SGPU_PRIMITIVE_POINTS, scene_triangles(&s, 4, 30.0f), 12);
   assert_non_null(strstr(scene_refusal(&s), "geometry programs alone"));
   sgpu_device_destroy(dev);
}

/* The device stops a program that never ends, and draws the later work. It keeps no more vertices
 * than the program declares.
 */
static void
watchdog(void **state)
{
   static struct scene s;
   struct sgpu_device *dev = device(2, SGPU_DISPATCH_OOO_SPLIT, 0, 100000);

   scene_begin(&s, dev);
   scene_geometry(&s, "!!SGGP1.0\nagain: LDV o[HPOS], va[0][0]; EMITV 0; BRA again;\nEND\n",
                  SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_POINTS, 1024, 32);
   scene_draw(&s, SGPU_PRIMITIVE_POINTS, scene_triangles(&s, 100, 30.0f), 300);
   assert_non_null(scene_refusal(&s));
   assert_int_equal(scene_pair_picture(dev, &scene_pairs[0], true),
                    scene_pair_picture(dev, &scene_pairs[0], false));
   sgpu_device_destroy(dev);
}

/* The largest number of declared vertices, from many primitives. A batch keeps a limited number of
 * vertices, so the test ends soon.
 */
static void
amplified(void **state)
{
   static struct scene s;
   struct sgpu_device *dev = device(2, SGPU_DISPATCH_OOO_SPLIT, 0, 0);
   const uint32_t numbers[4] = { 1024, 1, 0, 0 };

   scene_begin(&s, dev);
   memcpy(s.constants[50], numbers, sizeof(numbers));
   scene_geometry(&s,
                  "!!SGGP1.0\nTEMPS 1;\nPBK done;\nnext: USETP.GE P0.x, R0.x, c[50].x;\n"
                  "(P0.x) BRK; LDV o[HPOS], va[0][0]; EMITV 0; IADD R0.x, R0.x, c[50].y;\n"
                  "BRA next;\ndone:\nEND\n",
                  SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_POINTS, 1024, 32);
   scene_draw(&s, SGPU_PRIMITIVE_POINTS, scene_triangles(&s, 20, 30.0f), 60);
   assert_null(scene_refusal(&s));
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs),    cmocka_unit_test(queries),   cmocka_unit_test(refused),
      cmocka_unit_test(watchdog), cmocka_unit_test(amplified),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
