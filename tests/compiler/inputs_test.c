/* SPDX-License-Identifier: MIT */
/*
 * Tests the registers of inputs whose NIR has no variables any more: attributes of 64 bits, which
 * have two vertex elements, and varyings that are interpolated at several places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "listing.h"

/* Loads half `high` of the attribute at `location`, or of element `index` of an array of attributes.
 * Vertex element `element` contains the half of the first attribute.
 */
static nir_def *
half(nir_builder *b, unsigned location, unsigned num_slots, unsigned element, bool high,
     nir_def *index)
{
   const nir_io_semantics io = {
      .location = location,
      .num_slots = num_slots,
      .high_dvec2 = high,
   };
   return nir_load_input(b, 4, 32, index, .base = element, .dest_type = nir_type_uint32,
                         .io_semantics = io);
}

static void
check_elements(nir_builder *b, const char *expected, unsigned num, const uint8_t *regs)
{
   const char *error = NULL;
   b->shader->info.io_lowered = true;
   struct sgpu_shader *shader = listing_compile(b, 0, &error);
   assert_non_null(shader);
   assert_int_equal(shader->num_inputs, num);
   for (unsigned i = 0; i < num; i++) {
      const struct sgpu_varying_info *in = &shader->inputs[i];
      assert_true(in->location < num);
      assert_int_equal(in->reg, regs[in->location]);
   }
   listing_expect(b, expected);
}

/* Stores four components to a varying, whose intrinsic has no variable. */
static void
store(nir_builder *b, unsigned location, nir_def *value)
{
   const nir_io_semantics io = { .location = location, .num_slots = 1 };
   nir_store_output(b, value, nir_imm_int(b, 0), .write_mask = 15, .src_type = nir_type_float32,
                    .io_semantics = io);
}

/* A dvec4 between two vec4 has two elements but one location. */
static void
two_elements(void **state)
{
   nir_builder builder = listing_begin(MESA_SHADER_VERTEX), *b = &builder;
   nir_def *zero = nir_imm_int(b, 0);

   b->shader->info.dual_slot_inputs = BITFIELD64_BIT(VERT_ATTRIB_GENERIC1);
   nir_def *first = half(b, VERT_ATTRIB_GENERIC0, 1, 0, false, zero);
   nir_def *low = half(b, VERT_ATTRIB_GENERIC1, 1, 1, false, zero);
   nir_def *high = half(b, VERT_ATTRIB_GENERIC1, 1, 2, true, zero);
   nir_def *last = half(b, VERT_ATTRIB_GENERIC2, 1, 3, false, zero);
   store(b, VARYING_SLOT_TEX0, nir_fmul(b, first, low));
   store(b, VARYING_SLOT_TEX1, nir_fmul(b, high, last));
   check_elements(b,
                  "MOV R0, v[WGHT];\n"
                  "MOV R1, v[COL0];\n"
                  "MUL o[TEX0], v[OPOS], R0;\n"
                  "MUL o[TEX1], v[NRML], R1;\n",
                  4, (const uint8_t[]){ 0, 1, 2, 3 });
}

/* Both halves of an array of dvec4 are indexed by the same number. */
static void
array_of_two(void **state)
{
   nir_builder builder = listing_begin(MESA_SHADER_VERTEX), *b = &builder;
   nir_def *zero = nir_imm_int(b, 0);

   b->shader->info.dual_slot_inputs = BITFIELD64_RANGE(VERT_ATTRIB_GENERIC1, 2);
   nir_def *first = half(b, VERT_ATTRIB_GENERIC0, 1, 0, false, zero);
   nir_def *index = nir_f2i32(b, nir_ffloor(b, nir_channel(b, first, 0)));
   nir_def *low = half(b, VERT_ATTRIB_GENERIC1, 2, 1, false, index);
   nir_def *high = half(b, VERT_ATTRIB_GENERIC1, 2, 2, true, index);
   store(b, VARYING_SLOT_TEX0, nir_fmul(b, low, high));
   check_elements(b,
                  "ARL A0.x, v[0].x;\n"
                  "MUL_Z o[TEX0], v[A0.x + 1], v[A0.x + 3];\n",
                  5, (const uint8_t[]){ 0, 1, 3, 2, 4 });
}

static nir_def *
interpolated(nir_builder *b, nir_def *place, unsigned location)
{
   const nir_io_semantics io = { .location = location, .num_slots = 1 };
   return nir_load_interpolated_input(b, 4, 32, place, nir_imm_int(b, 0),
                                      .dest_type = nir_type_float32, .io_semantics = io);
}

/* The slot is interpolated at the pixel; the shader computes the other places. */
static void
places(void **state)
{
   nir_builder builder = listing_begin(MESA_SHADER_FRAGMENT), *b = &builder;
   const unsigned mode = INTERP_MODE_NOPERSPECTIVE;
   const char *error = NULL;
   nir_def *in[3];

   in[0] = interpolated(b, nir_load_barycentric_sample(b, 32, .interp_mode = mode),
                        VARYING_SLOT_VAR5);
   in[1] = interpolated(b, nir_load_barycentric_centroid(b, 32, .interp_mode = mode),
                        VARYING_SLOT_VAR5);
   in[2] = interpolated(b, nir_load_barycentric_pixel(b, 32, .interp_mode = mode),
                        VARYING_SLOT_VAR5);
   store(b, FRAG_RESULT_DATA0, nir_fmul(b, nir_fmul(b, in[0], in[1]), in[2]));
   b->shader->info.io_lowered = true;
   struct sgpu_shader *shader = listing_compile(b, 0, &error);
   assert_non_null(shader);
   assert_int_equal(shader->num_inputs, 1);
   assert_int_equal(shader->inputs[0].location, VARYING_SLOT_VAR5);
   assert_int_equal(shader->inputs[0].interpolation, mode);
   assert_false(shader->inputs[0].sample);
   assert_false(shader->inputs[0].centroid);
   listing_expect(b, "IPAS R0, v[0], s[SAMPLE_ID].x;\n"
                     "IPAC R1, v[0];\n"
                     "MUL R0, R0, R1;\n"
                     "MUL o[COLR0], R0, v[0];\n");
}

/* A slot without loads at the pixel is interpolated at the sample or the centroid. */
static void
one_place(void **state)
{
   for (unsigned sample = 0; sample < 2; sample++) {
      nir_builder builder = listing_begin(MESA_SHADER_FRAGMENT), *b = &builder;
      const char *error = NULL;
      nir_def *place = sample ? nir_load_barycentric_sample(b, 32)
                              : nir_load_barycentric_centroid(b, 32);

      store(b, FRAG_RESULT_DATA0, interpolated(b, place, VARYING_SLOT_COL0));
      b->shader->info.io_lowered = true;
      struct sgpu_shader *shader = listing_compile(b, 0, &error);
      assert_non_null(shader);
      assert_int_equal(shader->inputs[0].interpolation, INTERP_MODE_NONE);
      assert_int_equal(shader->inputs[0].sample, sample);
      assert_int_equal(shader->inputs[0].centroid, !sample);
      listing_expect(b, "MOV o[COLR0], v[0];\n");
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_elements),
      cmocka_unit_test(array_of_two),
      cmocka_unit_test(places),
      cmocka_unit_test(one_place),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
