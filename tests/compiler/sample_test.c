/* SPDX-License-Identifier: MIT */
/*
 * Tests samples in pixel shaders: their system values, the mask that a shader writes, texels of one
 * sample, and the positions at which inputs are evaluated, by declaration and by interpolateAt.
 */

#include "listing.h"

#undef IN
#define IN(b) listing_input(b, 0)
#define MESA_FS MESA_SHADER_FRAGMENT

/* Stores to gl_SampleMask[0]. */
static void
output_mask(nir_builder *b, nir_def *value)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out,
                                           glsl_array_type(glsl_int_type(), 1, 0), "mask");
   var->data.location = FRAG_RESULT_SAMPLE_MASK;
   nir_store_deref(b, nir_build_deref_array_imm(b, nir_build_deref_var(b, var), 0), value, 1);
}

static nir_def *
texture(nir_builder *b, nir_texop op, bool array, nir_def *coord, nir_def *sample)
{
   nir_tex_instr *tex = nir_tex_instr_create(b->shader, coord ? 2 : 0);
   tex->op = op;
   tex->sampler_dim = GLSL_SAMPLER_DIM_MS;
   tex->is_array = array;
   tex->dest_type = op == nir_texop_txf_ms ? nir_type_float32 : nir_type_int32;
   tex->texture_index = 3;
   if (coord) {
      tex->coord_components = coord->num_components;
      tex->src[0].src_type = nir_tex_src_coord;
      tex->src[0].src = nir_src_for_ssa(coord);
      tex->src[1].src_type = nir_tex_src_ms_index;
      tex->src[1].src = nir_src_for_ssa(sample);
   }
   nir_def_init(&tex->instr, &tex->def, nir_tex_instr_dest_size(tex), 32);
   nir_builder_instr_insert(b, &tex->instr);
   return &tex->def;
}

static void
system_values(void **state)
{
   nir_builder builder = listing_begin(MESA_FS), *b = &builder;
   listing_output(b, FRAG_RESULT_DATA0, nir_u2f32(b, nir_load_sample_id(b)));
   listing_expect(b, "U2F o[COLR0].x, s[SAMPLE_ID].x;\n");

   builder = listing_begin(MESA_FS);
   listing_output(b, FRAG_RESULT_DATA0, nir_load_sample_pos(b));
   listing_expect(b, "MOV o[COLR0].xy, s[SAMPLE_POS];\n");

   builder = listing_begin(MESA_FS);
   listing_output(b, FRAG_RESULT_DATA0, nir_u2f32(b, nir_load_sample_mask_in(b)));
   listing_expect(b, "U2F o[COLR0].x, s[SAMPLE_MASK].x;\n");
}

static void
mask(void **state)
{
   nir_builder builder = listing_begin(MESA_FS), *b = &builder;
   output_mask(b, nir_imm_int(b, 5));
   listing_expect(b, "MOV o[SMASK].x, c[0].x;\n");

   /* the coverage without the current sample */
   builder = listing_begin(MESA_FS);
   output_mask(b, nir_iand(b, nir_load_sample_mask_in(b),
                           nir_inot(b, nir_ishl(b, nir_imm_int(b, 1), nir_load_sample_id(b)))));
   listing_expect(b, "SHL R0.x, c[0].x, s[SAMPLE_ID].x;\n"
                     "NOT R0.x, R0.x;\n"
                     "AND o[SMASK].x, s[SAMPLE_MASK].x, R0.x;\n");
}

static void
texels(void **state)
{
   nir_builder builder = listing_begin(MESA_FS), *b = &builder;
   nir_def *at = nir_f2i32(b, IN(b));
   listing_output(b, FRAG_RESULT_DATA0,
                  texture(b, nir_texop_txf_ms, false, nir_channels(b, at, 3),
                          nir_channel(b, at, 3)));
   listing_expect(b, "F2I R0.xyz, v[0].xyww;\n"
                     "TXF o[COLR0], R0, R0.z, tex[3], 2D_MS;\n");

   builder = listing_begin(MESA_FS);
   at = nir_f2i32(b, IN(b));
   listing_output(b, FRAG_RESULT_DATA0,
                  texture(b, nir_texop_txf_ms, true, nir_channels(b, at, 7),
                          nir_load_sample_id(b)));
   listing_expect(b, "F2I R0.xyz, v[0];\n"
                     "TXF o[COLR0], R0, s[SAMPLE_ID].x, tex[3], 2D_MS_ARRAY;\n");

   builder = listing_begin(MESA_FS);
   listing_output(b, FRAG_RESULT_DATA0, texture(b, nir_texop_txs, true, NULL, NULL));
   listing_expect(b, "TXQ o[COLR0].xyz, tex[3], 2D_MS_ARRAY;\n");

   builder = listing_begin(MESA_FS);
   listing_output(b, FRAG_RESULT_DATA0, texture(b, nir_texop_texture_samples, false, NULL, NULL));
   listing_expect(b, "TXQS o[COLR0].x, tex[3], 2D_MS;\n");
}

static void
places(void **state)
{
   nir_builder builder = listing_begin(MESA_FS), *b = &builder;
   nir_def *sum = listing_input(b, 0);
   for (unsigned n = 1; n < 3; n++)
      sum = nir_fadd(b, sum, listing_input(b, n));
   nir_foreach_shader_in_variable(var, b->shader) {
      var->data.centroid = var->data.location == VARYING_SLOT_VAR1;
      var->data.sample = var->data.location == VARYING_SLOT_VAR2;
   }
   listing_output(b, FRAG_RESULT_DATA0, sum);

   const char *error = NULL;
   struct sgpu_shader *shader = listing_compile(b, 0, &error);
   assert_non_null(shader);
   assert_int_equal(shader->num_inputs, 3);
   for (unsigned i = 0; i < 3; i++) {
      const unsigned n = shader->inputs[i].location - VARYING_SLOT_VAR0;
      assert_true(n < 3);
      assert_int_equal(shader->inputs[i].centroid, n == 1);
      assert_int_equal(shader->inputs[i].sample, n == 2);
   }
   ralloc_free(b->shader);
}

/* Returns interpolateAt...(in[index], place) of an input array with 4 elements, or of an input
 * without an index if index is NULL.
 */
static nir_def *
interpolate(nir_builder *b, nir_intrinsic_op op, nir_def *index, nir_def *place)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_in,
                                           index ? glsl_array_type(glsl_vec4_type(), 4, 0)
                                                 : glsl_vec4_type(),
                                           "at");
   var->data.location = VARYING_SLOT_VAR4;
   var->data.interpolation = INTERP_MODE_SMOOTH;
   nir_deref_instr *deref = nir_build_deref_var(b, var);
   if (index)
      deref = nir_build_deref_array(b, deref, index);

   nir_intrinsic_instr *intr = nir_intrinsic_instr_create(b->shader, op);
   intr->num_components = 4;
   intr->src[0] = nir_src_for_ssa(&deref->def);
   if (place)
      intr->src[1] = nir_src_for_ssa(place);
   nir_def_init(&intr->instr, &intr->def, 4, 32);
   nir_builder_instr_insert(b, &intr->instr);
   return &intr->def;
}

static void
interpolate_at(void **state)
{
   nir_builder builder = listing_begin(MESA_FS), *b = &builder;
   nir_def *centroid = interpolate(b, nir_intrinsic_interp_deref_at_centroid, NULL, NULL);
   nir_foreach_shader_in_variable(var, b->shader)
      listing_output(b, FRAG_RESULT_DATA0, nir_fadd(b, centroid, nir_load_var(b, var)));
   listing_expect(b, "IPAC R0, v[0];\nADD o[COLR0], R0, v[0];\n");

   builder = listing_begin(MESA_FS);
   listing_output(b, FRAG_RESULT_DATA0,
                  interpolate(b, nir_intrinsic_interp_deref_at_sample, NULL, nir_imm_int(b, 2)));
   listing_expect(b, "IPAS R0, v[0], c[0].x;\nMOV o[COLR0], R0;\n");

   /* an element of an array, with a variable index */
   builder = listing_begin(MESA_FS);
   listing_output(b, FRAG_RESULT_DATA0,
                  interpolate(b, nir_intrinsic_interp_deref_at_sample,
                              nir_f2i32(b, nir_channel(b, IN(b), 0)), nir_load_sample_id(b)));
   listing_expect(b, "F2I R0.x, v[4].x;\n"
                     "ARI A0.x, R0.x;\n"
                     "IPAS R0, v[A0.x], s[SAMPLE_ID].x;\n"
                     "MOV o[COLR0], R0;\n");

   /* Modifiers and swizzles become part of the operand. */
   builder = listing_begin(MESA_FS);
   nir_def *at = nir_fneg(b, nir_channels(b, listing_uniform(b, 3), 12));
   listing_output(b, FRAG_RESULT_DATA0,
                  nir_channels(b, interpolate(b, nir_intrinsic_interp_deref_at_offset, NULL, at),
                               6));
   listing_expect(b, "IPAO R0.yz, v[0], -c[3].zwww;\nMOV o[COLR0].xy, R0.yzzz;\n");

   /* Flat inputs are the same at every position. */
   builder = listing_begin(MESA_FS);
   nir_def *value = interpolate(b, nir_intrinsic_interp_deref_at_centroid, NULL, NULL);
   nir_foreach_shader_in_variable(var, b->shader)
      var->data.interpolation = INTERP_MODE_FLAT;
   listing_output(b, FRAG_RESULT_DATA0, value);
   listing_expect(b, "MOV o[COLR0], v[0];\n");
}

/* Tests whether a lane is a helper: at the start, and after it was demoted. */
static void
helpers(void **state)
{
   nir_builder builder = listing_begin(MESA_FS), *b = &builder;
   nir_def *uniform = listing_uniform(b, 0);
   nir_def *before = nir_b2f32(b, nir_is_helper_invocation(b, 1));
   nir_demote_if(b, nir_flt(b, nir_channel(b, uniform, 0), nir_channel(b, uniform, 1)));
   nir_def *after = nir_b2f32(b, nir_is_helper_invocation(b, 1));
   nir_def *begin = nir_b2f32(b, nir_load_helper_invocation(b, 1));
   listing_output(b, FRAG_RESULT_DATA0, nir_vec3(b, before, after, begin));
   listing_expect(b, "MOV R0.y, s[HELPER].x;\n"
                     "MOV R0.x, s[HELPER].x;\n"
                     "FSETP.LT P0.x, c[0].x, c[0].y;\n"
                     "AND o[COLR0].x, R0.y, c[1].x;\n"
                     "(P0.x) DMT;\n"
                     "MOV R0.y, s[HELPER].x;\n"
                     "AND o[COLR0].z, R0.x, c[1].x;\n"
                     "AND o[COLR0].y, R0.y, c[1].x;\n");
}

/* Tests layout(post_depth_coverage) in, which also requests early tests. */
static void
post_depth_coverage(void **state)
{
   for (unsigned post = 0; post < 2; post++) {
      nir_builder builder = listing_begin(MESA_FS), *b = &builder;
      const char *error = NULL;

      b->shader->info.fs.post_depth_coverage = post;
      listing_output(b, FRAG_RESULT_DATA0, nir_u2f32(b, nir_load_sample_mask_in(b)));
      struct sgpu_shader *shader = listing_compile(b, 0, &error);
      assert_non_null(shader);
      assert_int_equal(shader->fs_post_depth_coverage, post);
      assert_int_equal(shader->fs_early_tests, post);
      ralloc_free(b->shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(system_values),
      cmocka_unit_test(mask),
      cmocka_unit_test(texels),
      cmocka_unit_test(places),
      cmocka_unit_test(interpolate_at),
      cmocka_unit_test(helpers),
      cmocka_unit_test(post_depth_coverage),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
