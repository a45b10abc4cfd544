/* SPDX-License-Identifier: MIT */
/*
 * IPAC, IPAO and IPAS on the whole device. Results must be the bits of inputs that are interpolated
 * at the same place, and must be right at known positions.
 */
#include <math.h>

#include "../../unit.h"
#include "scene.h"

static const struct {
   unsigned threads;
   enum sgpu_dispatch_policy policy;
   uint64_t shuffle;
} ways[] = {
   { 1, SGPU_DISPATCH_INORDER, 0 },
   { 4, SGPU_DISPATCH_OOO_SPLIT, 7 },
};

/* Sets one cleared target with `samples` samples. */
static void
target(struct scene *s, unsigned samples, float clear)
{
   const float color[4] = { clear, clear, clear, clear };

   s->num_results = 0;
   s->st.color[0] = scene_sampled(s, SGPU_FORMAT_R32G32B32A32_FLOAT, samples, 1);
   s->st.zs = (struct scene_image){ 0 };
   s->st.rast.multisample = samples > 1;
   scene_clear(s, color, 1.0, 0);
}

/*
 * Pairs
 */

/* Two programs that draw the same. The second one has inputs that are interpolated at a place. */
struct pair {
   const char *name;
   const char *text;
   enum sgpu_interpolation_place place;
   const char *placed;
   bool each; /* the first program is drawn once for each sample, with its number and mask */
   bool smooth;
};

static const struct pair pairs[] = {
   {
      "centroid",
      "!!SGFP1.0\nIPAC R0, v[0]; IPAC R1, v[1]; IPAC R2, v[2]; MAD o[COLR0], R0, R1, R2;\nEND\n",
      SGPU_INTERPOLATION_PLACE_CENTROID,
      "!!SGFP1.0\nMAD o[COLR0], v[0], v[1], v[2];\nEND\n",
   },
   {
      "sample",
      "!!SGFP1.0\nMOV R3.x, s[SAMPLE_ID].x; IPAS R0, v[0], R3.x; IPAS R1, v[1], R3.x;\n"
      "IPAS R2, v[2], s[SAMPLE_ID].x; MAD o[COLR0], R0, R1, R2;\nEND\n",
      SGPU_INTERPOLATION_PLACE_SAMPLE,
      "!!SGFP1.0\nMAD o[COLR0], v[0], v[1], v[2];\nEND\n",
   },
   {
      "sample of pixels",
      "!!SGFP1.0\nDEF c[64] = { 0x%x, 0x%x, 0, 0 };\n"
      "IPAS R0, v[0], c[64].x; IPAS R1, v[1], c[64].x; IPAS R2, v[2], c[64].x;\n"
      "MOV o[SMASK].x, c[64].y; MAD o[COLR0], R0, R1, R2;\nEND\n",
      SGPU_INTERPOLATION_PLACE_SAMPLE,
      "!!SGFP1.0\nMAD o[COLR0], v[0], v[1], v[2];\nEND\n",
      .each = true,
   },
   {
      "offset",
      "!!SGFP1.0\nDEF c[64] = { 0.5, 0.5, 0, 0 };\n"
      "ADD R3.xy, s[SAMPLE_POS], -c[64]; IPAO R0, v[0], R3.xyxy; ADD R4, c[64], -s[SAMPLE_POS];\n"
      "IPAO R1, v[1], -R4; MOV R4.zw, R3.xxxy; IPAO R4, v[2], R4.zwzw;\n"
      "MAD o[COLR0], R0, R1, R4;\nEND\n",
      SGPU_INTERPOLATION_PLACE_SAMPLE,
      "!!SGFP1.0\nMAD o[COLR0], v[0], v[1], v[2];\nEND\n",
   },
   {
      "each lane's input",
      "!!SGFP1.0\nDEF c[64] = { 3.5, 1, 0, 0 };\n"
      "MUL_SAT R0.x, v[8].x, c[64].y; MUL R0.x, R0.x, c[64].x; ARL A0.x, R0.x;\n"
      "IPAC R0, v[A0.x + 0]; IPAC R1.yz, v[A0.x - 1]; MAD o[COLR0], R0, v[8], R1;\nEND\n",
      SGPU_INTERPOLATION_PLACE_CENTROID,
      "!!SGFP1.0\nDEF c[64] = { 3.5, 1, 0, 0 };\n"
      "MUL_SAT R0.x, v[8].x, c[64].y; MUL R0.x, R0.x, c[64].x; ARL A0.x, R0.x;\n"
      "MOV R1.yz, v[A0.x - 1]; MAD o[COLR0], v[A0.x + 0], v[8], R1;\nEND\n",
   },
   {
      "guards, branches, forms of operands",
      "!!SGFP1.0\nDEF c[64] = { 0.5, 0.25, 0, 0 };\n"
      "FSETP.LT P0.xy, v[8], c[64]; MOV R0, v[8]; SSY end; (P0.y) BRA skip;\n"
      "(P0.x) IPAC_SAT R0.xzw, -|v[1].wzyx|; (!P0.x) IPAC R0.y, -v[2].z; SYNC;\n"
      "skip: SYNC; end: MAD o[COLR0], R0, v[8], v[8];\nEND\n",
      SGPU_INTERPOLATION_PLACE_CENTROID,
      "!!SGFP1.0\nDEF c[64] = { 0.5, 0.25, 0, 0 };\n"
      "FSETP.LT P0.xy, v[8], c[64]; MOV R0, v[8]; SSY end; (P0.y) BRA skip;\n"
      "(P0.x) MOV_SAT R0.xzw, -|v[1].wzyx|; (!P0.x) MOV R0.y, -v[2].z; SYNC;\n"
      "skip: SYNC; end: MAD o[COLR0], R0, v[8], v[8];\nEND\n",
   },
   {
      "derivatives",
      "!!SGFP1.0\nIPAC R0, v[0]; DDXF R1, R0; DDYF R2, R0; MAD o[COLR0], R1, v[8], R2;\nEND\n",
      SGPU_INTERPOLATION_PLACE_CENTROID,
      "!!SGFP1.0\nDDXF R1, v[0]; DDYF R2, v[0]; MAD o[COLR0], R1, v[8], R2;\nEND\n",
   },
   {
      "smooth",
      "!!SGFP1.0\nIPAC R0, v[0]; IPAC R1, v[1]; IPAC R2, v[2]; MAD o[COLR0], R0, R1, R2;\nEND\n",
      SGPU_INTERPOLATION_PLACE_CENTROID,
      "!!SGFP1.0\nMAD o[COLR0], v[0], v[1], v[2];\nEND\n",
      .smooth = true,
   },
};

static void
draw_kinds(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 20, 120.0f), 60);
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 120, 9.0f), 360);
   s->st.rast.line_width = 3.75f;
   scene_draw(s, SGPU_PRIMITIVE_LINES, scene_triangles(s, 4, 140.0f), 12);
   s->st.rast.point_size = 11.5f;
   scene_draw(s, SGPU_PRIMITIVE_POINTS, scene_triangles(s, 8, 140.0f), 24);
   s->st.varying[1].source = SGPU_VARYING_SOURCE_POINT_COORD;
   s->st.rast.point_quad = true;
   scene_draw(s, SGPU_PRIMITIVE_POINTS, scene_triangles(s, 8, 140.0f), 24);
   s->st.varying[1].source = SGPU_VARYING_SOURCE_OUTPUT;
   s->st.rast.point_quad = false;
}

/* Draws the same primitives with the first program, for all samples or for each in turn, or with
 * the second one if `placed`. Returns the hash.
 */
static uint64_t
draw_pair(struct sgpu_device *dev, const struct pair *p, unsigned samples, unsigned round,
          bool placed)
{
   static struct scene s;

   scene_begin(&s, dev);
   target(&s, samples, 0.25f);
   if (p->smooth)
      s.st.rast.multisample = false;
   s.st.rast.point_smooth = s.st.rast.line_smooth = s.st.rast.poly_smooth = p->smooth;
   scene_varyings(&s, 3, SGPU_INTERPOLATION_PERSPECTIVE);
   s.st.num_varyings = 9;
   s.st.varying[8] = s.st.varying[2];
   for (unsigned n = 0; n < 3; n++) {
      s.st.varying[n].interpolation = (n + round) % 3;
      if (placed)
         s.st.varying[n].place = p->place;
   }
   for (unsigned n = 0; n < (p->each && !placed ? samples : 1); n++) {
      const uint64_t seed = s.random;
      char text[512];

      snprintf(text, sizeof(text), p->text, n, 1u << n);
      s.st.ps = scene_program(&s, placed ? p->placed : text);
      draw_kinds(&s);
      s.random = seed;
   }
   return scene_end(&s, NULL);
}

static void
same_as_placed(void **state)
{
   static const unsigned counts[] = { 1, 2, 4, 8, 16 };
   unsigned differ = 0;

   /* Only the last one if rounds are reduced, since each takes long then. */
   for (unsigned w = TEST_ROUNDS_DIVISOR > 1; w < sizeof(ways) / sizeof(ways[0]); w++) {
      struct sgpu_device *dev = scene_device(ways[w].threads, ways[w].policy, ways[w].shuffle);
      for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
         for (unsigned c = 0; c < 5; c++) {
            const uint64_t here = draw_pair(dev, &pairs[i], counts[c], i + c, false);
            const uint64_t there = draw_pair(dev, &pairs[i], counts[c], i + c, true);
            if (here != there)
               print_error("%s, %u samples: differs from inputs at the place\n", pairs[i].name,
                           counts[c]);
            differ += here != there;
         }
      }
      sgpu_device_destroy(dev);
   }
   assert_int_equal(differ, 0);
}

/*
 * Positions
 */

/* Ends the scene and checks its pixels, which are (a, b, x, y): (a, b) must be (x + dx, y + dy). */
static void
check_positions(struct scene *s, double dx, double dy)
{
   char *data = NULL;
   size_t size = 0;
   FILE *f = open_memstream(&data, &size);
   scene_end(s, f);
   fclose(f);

   unsigned seen = 0;
   for (size_t at = 0; at + 16 <= size; at += 16) {
      float v[4];
      memcpy(v, data + at, sizeof(v));
      /* Background, or bytes that are not pixels. */
      if (v[2] <= 0)
         continue;
      seen++;
      assert_true(fabs(v[0] - (v[2] + dx)) < 1e-3);
      assert_true(fabs(v[1] - (v[3] + dy)) < 1e-3);
   }
   assert_true(seen > 1000);
   free(data);
}

/* Begins a scene in which input v[0].xy is the position in the window. */
static void
draw_positions(struct scene *s, struct sgpu_device *dev, unsigned samples, const char *text)
{
   scene_begin(s, dev);
   target(s, samples, -1.0f);
   scene_varyings(s, 1, SGPU_INTERPOLATION_LINEAR);
   s->st.ps = scene_program(s, text);
}

static void
draw_window(struct scene *s)
{
   const uint32_t first = s->num_vertices;
   for (unsigned n = 0; n < 30; n++) {
      const float x = scene_below(s, SCENE_W), y = scene_below(s, SCENE_H);
      const uint32_t vertex = scene_vertex(s, x, y, 0.5f, 1.0f);
      s->vertices[vertex].v[1][0] = x;
      s->vertices[vertex].v[1][1] = y;
   }
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 30);
}

static void
offsets(void **state)
{
   static const float at[][2] = {
      { 0.0f, 0.0f }, { -0.5f, 0.4375f }, { 0.25f, -0.125f }, { 0.3f, 0.1f }, { 20.5f, -33.0f },
   };
   static struct scene s;
   struct sgpu_device *dev = scene_device(1, SGPU_DISPATCH_INORDER, 0);

   for (unsigned i = 0; i < 10; i++) {
      const float *offset = at[i / 2];
      draw_positions(&s, dev, i & 1 ? 4 : 1,
                     "!!SGFP1.0\nIPAO o[COLR0].xy, v[0], c[0];\n"
                     "MOV o[COLR0].zw, s[POSITION].xxxy;\nEND\n");
      memcpy(s.constants[0], offset, 8);
      draw_window(&s);
      check_positions(&s, offset[0], offset[1]);
   }
   sgpu_device_destroy(dev);
}

static void
samples(void **state)
{
   /* Standard sample locations of the Vulkan specification; then the centre, for numbers of samples
    * that do not exist.
    */
   static const double standard[][2] = {
      { 0.375, 0.125 }, { 0.875, 0.375 }, { 0.125, 0.625 }, { 0.625, 0.875 },
      { 0.5, 0.5 },     { 0.5, 0.5 },     { 0.5, 0.5 },
   };
   static const uint32_t number[] = { 0, 1, 2, 3, 4, 16, ~0u };
   static struct scene s;
   struct sgpu_device *dev = scene_device(4, SGPU_DISPATCH_OOO_SPLIT, 7);

   for (unsigned i = 0; i < 7; i++) {
      for (unsigned multisample = 0; multisample < 2; multisample++) {
         draw_positions(&s, dev, 4,
                        "!!SGFP1.0\nIPAS o[COLR0].xy, v[0], c[0].x;\n"
                        "MOV o[COLR0].zw, s[POSITION].xxxy;\nEND\n");
         memcpy(s.constants[0], &number[i], 4);
         s.st.rast.multisample = multisample;
         draw_window(&s);
         check_positions(&s, multisample ? standard[i][0] - 0.5 : 0.0,
                         multisample ? standard[i][1] - 0.5 : 0.0);
      }
   }
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_as_placed),
      cmocka_unit_test(offsets),
      cmocka_unit_test(samples),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
