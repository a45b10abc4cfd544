/* SPDX-License-Identifier: MIT */
/*
 * Tessellation on the whole device: pictures that can be drawn without it, the same picture with
 * all thread counts and policies, queries, packets that the command processor refuses, and the
 * watchdog.
 */
#include "../../unit.h"
#include "scene.h"

/* Adds n rectangles. Colours are added, so the picture shows whether each pixel is drawn once.
 * Returns the number of the first vertex.
 */
static uint32_t
rectangles(struct scene *s, unsigned n)
{
   uint32_t first = 0;

   for (unsigned i = 0; i < n; i++) {
      const float x0 = scene_below(s, 60), y0 = scene_below(s, 40);
      const float x1 = x0 + 4 + scene_below(s, 80), y1 = y0 + 4 + scene_below(s, 60);
      const uint32_t v = scene_vertex(s, x0, y0, 0.5f, 1.0f);
      first = i ? first : v;
      scene_vertex(s, x1, y0, 0.5f, 1.0f);
      scene_vertex(s, x1, y1, 0.5f, 1.0f);
      scene_vertex(s, x0, y1, 0.5f, 1.0f);
      for (unsigned k = 1; k < 4; k++)
         memcpy(s->vertices[v + k].v[1], s->vertices[v].v[1], sizeof(s->vertices[v].v[1]));
   }
   return first;
}

static void
add_colors(struct scene *s)
{
   scene_varyings(s, 1, SGPU_INTERPOLATION_FLAT);
   s->st.target[0].enable = true;
   s->st.target[0].rgb_src = s->st.target[0].rgb_dst = SGPU_BLEND_FACTOR_ONE;
   s->st.target[0].alpha_src = s->st.target[0].alpha_dst = SGPU_BLEND_FACTOR_ONE;
}

enum way { PLAIN, LEVELS, PROGRAM, GEOMETRY, NUM_WAYS };

static uint64_t
picture(struct sgpu_device *dev, uint64_t seed, enum way way, enum sgpu_tess_spacing spacing)
{
   static struct scene s;

   scene_begin(&s, dev);
   s.random = seed * 7919 + 1;
   add_colors(&s);
   const unsigned n = 1 + scene_below(&s, 40);
   const uint32_t first = rectangles(&s, n);
   float outer[4], inner[2];
   for (unsigned i = 0; i < 4; i++)
      outer[i] = scene_float(&s, 0.25f, seed & 1 ? 70.0f : 9.0f);
   for (unsigned i = 0; i < 2; i++)
      inner[i] = scene_float(&s, 0.25f, seed & 1 ? 70.0f : 9.0f);
   if (way == PLAIN) {
      scene_draw(&s, SGPU_PRIMITIVE_QUADS, first, 4 * n);
      return scene_end(&s, NULL);
   }
   const struct SGPU_SHADER how = {
      .tess_domain = SGPU_TESS_DOMAIN_QUADS,
      .tess_spacing = spacing,
      .tess_cw = seed >> 1 & 1,
   };
   scene_levels(&s, outer, inner);
   scene_tess_constants(&s, outer, inner);
   if (way != LEVELS)
      scene_control(&s, SCENE_CONTROL, 4);
   scene_evaluation(&s, SCENE_BILINEAR, &how);
   if (way == GEOMETRY) {
      scene_geometry(&s,
                     "!!SGGP1.0\nLDV o[HPOS], va[0][0]; LDV o[GEN0], va[1][0]; EMITV 0;\n"
                     "LDV o[HPOS], va[0][1]; EMITV 0; LDV o[HPOS], va[0][2]; EMITV 0;\nEND\n",
                     SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 3, 1);
   }
   scene_draw_patches(&s, first, 4 * n, 4);
   return scene_end(&s, NULL);
}

/* Tessellated rectangles must have the picture of plain ones. */
static void
pictures(void **state)
{
   struct sgpu_device *dev = scene_device(2, SGPU_DISPATCH_OOO_SPLIT, 3);

   for (unsigned seed = 0; seed < TEST_ROUNDS(12); seed++) {
      const uint64_t plain = picture(dev, seed, PLAIN, 0);
      for (enum way way = LEVELS; way < NUM_WAYS; way++) {
         for (unsigned spacing = 0; spacing < 3; spacing++)
            assert_true(picture(dev, seed, way, spacing) == plain);
      }
   }
   sgpu_device_destroy(dev);
}

static uint64_t
any_picture(struct sgpu_device *dev, uint64_t seed, bool other)
{
   static struct scene s;

   (void)other;
   scene_begin(&s, dev);
   scene_any_patches(&s, seed);
   return scene_end(&s, NULL);
}

static void
ways(void **state)
{
   scene_compare_ways(TEST_ROUNDS_DIVISOR == 1 ? 6 : 2, any_picture);
}

/*
 * Queries
 */

static void
count(struct sgpu_device *dev, enum sgpu_query_type type, enum sgpu_tess_domain domain, bool points,
      uint64_t out[16])
{
   static struct scene s;
   const float outer[4] = { 4, 4, 4, 4 }, inner[2] = { 4, 4 };
   const struct SGPU_SHADER how = { .tess_domain = domain, .tess_points = points };

   scene_begin(&s, dev);
   struct sgpu_bo *bo = scene_bo(&s, 128);
   s.num_results = 0;
   scene_result(&s, bo);
   scene_levels(&s, outer, inner);
   scene_tess_constants(&s, outer, inner);
   scene_control(&s, SCENE_CONTROL, 4);
   scene_evaluation(&s, SCENE_BILINEAR, &how);
   const uint32_t first = scene_triangles(&s, 8, 60.0f);
   scene_begin_query(&s, type, 3);
   scene_draw_patches(&s, first, 22, 4);
   scene_end_query(&s, type, 3, sgpu_bo_address(bo));
   scene_end_bytes(&s, out, 128);
}

static void
queries(void **state)
{
   struct sgpu_device *dev = scene_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   uint64_t n[16];

   /* The draw has five patches and two vertices more. */
   count(dev, SGPU_QUERY_TYPE_PIPELINE_STATISTICS, SGPU_TESS_DOMAIN_QUADS, false, n);
   assert_int_equal(n[0], 22);
   assert_int_equal(n[1], 5);
   assert_int_equal(n[8], 5);
   assert_int_equal(n[9], 5 * 25);
   assert_int_equal(n[5], 5 * 32);
   count(dev, SGPU_QUERY_TYPE_PRIMITIVES_GENERATED, SGPU_TESS_DOMAIN_QUADS, false, n);
   assert_int_equal(n[0], 5 * 32);
   count(dev, SGPU_QUERY_TYPE_PRIMITIVES_GENERATED, SGPU_TESS_DOMAIN_QUADS, true, n);
   assert_int_equal(n[0], 5 * 25);
   count(dev, SGPU_QUERY_TYPE_PRIMITIVES_GENERATED, SGPU_TESS_DOMAIN_ISOLINES, false, n);
   assert_int_equal(n[0], 5 * 16);
   sgpu_device_destroy(dev);
}

/*
 * Errors
 */

static void
refused(void **state)
{
   static struct scene s;
   struct sgpu_device *dev = scene_device(1, SGPU_DISPATCH_INORDER, 0);
   const struct SGPU_SHADER quads = { .tess_domain = SGPU_TESS_DOMAIN_QUADS };

   scene_begin(&s, dev);
   scene_draw_patches(&s, scene_triangles(&s, 4, 30.0f), 12, 4);
   assert_non_null(strstr(scene_refusal(&s), "patches without"));

   scene_begin(&s, dev);
   scene_evaluation(&s, SCENE_BILINEAR, &quads);
   scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(&s, 4, 30.0f), 12);
   assert_non_null(strstr(scene_refusal(&s), "tessellation programs take patches"));

   scene_begin(&s, dev);
   scene_evaluation(&s, SCENE_BILINEAR, &quads);
   scene_draw_patches(&s, scene_triangles(&s, 4, 30.0f), 12, 0);
   assert_non_null(strstr(scene_refusal(&s), "Patch Vertices is 0"));

   scene_begin(&s, dev);
   scene_control(&s, SCENE_CONTROL, 0);
   assert_non_null(strstr(scene_refusal(&s), "Output Vertices is 0"));

   scene_begin(&s, dev);
   scene_evaluation(&s, SCENE_BILINEAR, &quads);
   scene_geometry(&s, "!!SGGP1.0\nEMITV 0;\nEND\n", SGPU_PRIMITIVE_LINES, SGPU_PRIMITIVE_POINTS, 1,
                  1);
   scene_draw_patches(&s, scene_triangles(&s, 4, 30.0f), 12, 4);
   assert_non_null(strstr(scene_refusal(&s), "not of the type that the geometry program takes"));
   sgpu_device_destroy(dev);
}

/* Programs that never end, stores and loads with addresses out of range, many patches of the
 * highest level.
 */
static void
hostile(void **state)
{
   static const char *const controls[] = {
      "!!SGTC1.0\nagain: LDO o[HPOS], vo[HPOS][1]; STP pa[3], c[40]; BRA again;\nEND\n",
      "!!SGTC1.0\nTEMPS 2;\nMOV R0, c[43]; STP pa[R0.x + 33], c[40]; LDP R1, pa[R0.y + 1];\n"
      "LDO R1, vo[63][R0.x]; ARI A0.x, c[43].x; LDO o[HPOS], vo[A0.x + GEN3][R0.z];\n"
      "LDV o[GEN0], va[A0.x + 2][R0.x]; STP pa[TESS_OUTER], R1;\nEND\n",
      SCENE_CONTROL,
   };
   const uint32_t far[4] = { 0xfffffff0u, 0x7fffffffu, 100, 3 };
   const struct SGPU_SHADER quads = { .tess_domain = SGPU_TESS_DOMAIN_QUADS };
   const float outer[4] = { 1e9f, 64, 64, 64 }, inner[2] = { 64, 64 };

   for (unsigned i = 0; i < 3; i++) {
      static struct scene s;
      struct sgpu_device *dev = scene_device_of(&(struct sgpu_device_params){
         .threads = 2,
         .dispatch = SGPU_DISPATCH_OOO_SPLIT,
         .watchdog_instructions = 100000,
      });

      scene_begin(&s, dev);
      scene_levels(&s, outer, inner);
      scene_tess_constants(&s, outer, inner);
      memcpy(s.constants[43], far, sizeof(far));
      scene_control(&s, controls[i], i == 2 ? 32 : 5);
      scene_evaluation(&s, SCENE_BILINEAR, &quads);
      scene_draw_patches(&s, scene_triangles(&s, 60, 30.0f), 180, 4);
      const char *error = scene_refusal(&s);
      if (i == 0)
         assert_non_null(strstr(error, "tessellation control program was stopped"));
      else
         assert_null(error);
      sgpu_device_destroy(dev);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pictures), cmocka_unit_test(ways),    cmocka_unit_test(queries),
      cmocka_unit_test(refused),  cmocka_unit_test(hostile),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
