/* SPDX-License-Identifier: MIT */
/*
 * Tests the selection of texture operations: bias, level, gradients, offsets, projection,
 * comparison, and operations that the machine does not have.
 */

#include "listing.h"

struct source {
   nir_tex_src_type type;
   nir_def *value;
};

/* Builds a texture operation with up to four sources.  The list ends at a source with the value
 * NULL.
 */
static nir_def *
texture(nir_builder *b, nir_texop op, enum glsl_sampler_dim dim, bool array, bool shadow,
        struct source s0, struct source s1, struct source s2, struct source s3)
{
   const struct source sources[4] = { s0, s1, s2, s3 };
   unsigned n = 0;
   while (n < 4 && sources[n].value)
      n++;

   nir_tex_instr *tex = nir_tex_instr_create(b->shader, n);
   tex->op = op;
   tex->sampler_dim = dim;
   tex->is_array = array;
   tex->is_shadow = shadow;
   tex->is_new_style_shadow = shadow;
   tex->dest_type = op == nir_texop_txs || op == nir_texop_query_levels ? nir_type_int32
                                                                        : nir_type_float32;
   tex->texture_index = 3;
   tex->sampler_index = 2;
   for (unsigned s = 0; s < n; s++) {
      tex->src[s].src_type = sources[s].type;
      tex->src[s].src = nir_src_for_ssa(sources[s].value);
      if (sources[s].type == nir_tex_src_coord)
         tex->coord_components = sources[s].value->num_components;
   }
   nir_def_init(&tex->instr, &tex->def, nir_tex_instr_dest_size(tex), 32);
   nir_builder_instr_insert(b, &tex->instr);
   return &tex->def;
}

#define SOURCE(t, v)     \
   (struct source)       \
   {                     \
      nir_tex_src_##t, v \
   }
#define NO_SOURCE  \
   (struct source) \
   {               \
      0            \
   }
#undef IN
#define IN(b) listing_input(b, 0)
#define PART(b, first, n) nir_channels(b, IN(b), nir_component_mask(n) << (first))

/* Checks the listing of a shader with `result` as its output. */
#define EXPECT_STAGE(stage, result, expected)                                                \
   do {                                                                                      \
      nir_builder builder = listing_begin(stage), *b = &builder;                             \
      listing_output(b, stage == MESA_SHADER_VERTEX ? VARYING_SLOT_TEX0 : FRAG_RESULT_DATA0, \
                     result);                                                                \
      listing_expect(b, expected);                                                           \
   } while (0)
#define EXPECT(result, expected) EXPECT_STAGE(MESA_SHADER_FRAGMENT, result, expected)

#define TEXTURE(op, dim, s0, s1, s2, s3) \
   texture(b, nir_texop_##op, GLSL_SAMPLER_DIM_##dim, false, false, s0, s1, s2, s3)
#define ARRAY(op, dim, s0, s1, s2, s3) \
   texture(b, nir_texop_##op, GLSL_SAMPLER_DIM_##dim, true, false, s0, s1, s2, s3)
#define SHADOW(op, dim, s0, s1, s2, s3) \
   texture(b, nir_texop_##op, GLSL_SAMPLER_DIM_##dim, false, true, s0, s1, s2, s3)
#define NONE NO_SOURCE

static void
coordinates(void **state)
{
   EXPECT(TEXTURE(tex, 2D, SOURCE(coord, PART(b, 0, 2)), NONE, NONE, NONE),
          "TEX o[COLR0], v[0], tex[3], smp[2], 2D;\n");
   EXPECT(TEXTURE(tex, 2D, SOURCE(coord, PART(b, 2, 2)), NONE, NONE, NONE),
          "TEX o[COLR0], v[0].zwww, tex[3], smp[2], 2D;\n");
   EXPECT(TEXTURE(tex, 1D, SOURCE(coord, PART(b, 1, 1)), NONE, NONE, NONE),
          "TEX o[COLR0], v[0].y, tex[3], smp[2], 1D;\n");
   EXPECT(TEXTURE(tex, 3D, SOURCE(coord, PART(b, 0, 3)), NONE, NONE, NONE),
          "TEX o[COLR0], v[0], tex[3], smp[2], 3D;\n");
   EXPECT(TEXTURE(tex, CUBE, SOURCE(coord, nir_fneg(b, PART(b, 0, 3))), NONE, NONE, NONE),
          "TEX o[COLR0], -v[0], tex[3], smp[2], CUBE;\n");
   EXPECT(TEXTURE(tex, RECT, SOURCE(coord, PART(b, 0, 2)), NONE, NONE, NONE),
          "TEX o[COLR0], v[0], tex[3], smp[2], RECT;\n");
   EXPECT(ARRAY(tex, 2D, SOURCE(coord, PART(b, 0, 3)), NONE, NONE, NONE),
          "TEX o[COLR0], v[0], tex[3], smp[2], 2D_ARRAY;\n");
   /* Coordinates from constants, and from two different sources. */
   EXPECT(TEXTURE(tex, 2D, SOURCE(coord, nir_imm_vec2(b, 0.5, 0.25)), NONE, NONE, NONE),
          "TEX o[COLR0], c[0], tex[3], smp[2], 2D;\n");
   EXPECT(TEXTURE(tex, 2D,
                  SOURCE(coord, nir_vec2(b, nir_channel(b, IN(b), 0),
                                         nir_channel(b, listing_uniform(b, 0), 1))),
                  NONE, NONE, NONE),
          "MOV R0.x, v[0].x;\n"
          "MOV R0.y, c[0].y;\n"
          "TEX o[COLR0], R0, tex[3], smp[2], 2D;\n");
   /* Only a part of the result is used. */
   EXPECT(nir_channel(b, TEXTURE(tex, 2D, SOURCE(coord, PART(b, 0, 2)), NONE, NONE, NONE), 3),
          "TEX R0.w, v[0], tex[3], smp[2], 2D;\n"
          "MOV o[COLR0].x, R0.w;\n");
}

static void
levels(void **state)
{
   EXPECT(TEXTURE(txb, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(bias, PART(b, 3, 1)), NONE, NONE),
          "TXB o[COLR0], v[0], v[0].w, tex[3], smp[2], 2D;\n");
   EXPECT(TEXTURE(txb, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(bias, nir_imm_float(b, 1.5)), NONE,
                  NONE),
          "TXB o[COLR0], v[0], c[0].x, tex[3], smp[2], 2D;\n");
   EXPECT(TEXTURE(txl, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(lod, PART(b, 2, 1)), NONE, NONE),
          "TXL o[COLR0], v[0], v[0].z, tex[3], smp[2], 2D;\n");
   EXPECT(TEXTURE(txd, 2D, SOURCE(coord, PART(b, 0, 2)),
                  SOURCE(ddx, nir_channels(b, listing_uniform(b, 0), 3)),
                  SOURCE(ddy, nir_channels(b, listing_uniform(b, 0), 12)), NONE),
          "TXD o[COLR0], v[0], c[0], tex[3], smp[2], 2D;\n");
   EXPECT(TEXTURE(txd, 2D, SOURCE(coord, PART(b, 0, 2)),
                  SOURCE(ddx, nir_channels(b, listing_uniform(b, 0), 3)),
                  SOURCE(ddy, nir_channels(b, listing_uniform(b, 1), 3)), NONE),
          "MOV R0.xy, c[0];\n"
          "MOV R0.zw, c[1].yyxy;\n"
          "TXD o[COLR0], v[0], R0, tex[3], smp[2], 2D;\n");
   EXPECT(TEXTURE(txf, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(lod, PART(b, 2, 1)), NONE, NONE),
          "TXF o[COLR0], v[0], v[0].z, tex[3], 2D;\n");
   EXPECT(TEXTURE(txf, RECT, SOURCE(coord, PART(b, 0, 2)), SOURCE(lod, nir_imm_int(b, 0)), NONE,
                  NONE),
          "TXF o[COLR0], v[0], tex[3], RECT;\n");
   EXPECT(TEXTURE(txs, 2D, SOURCE(lod, nir_imm_int(b, 0)), NONE, NONE, NONE),
          "TXQ o[COLR0].xy, c[0].x, tex[3], 2D;\n");
   EXPECT(TEXTURE(query_levels, 2D, NONE, NONE, NONE, NONE), "TXQ R0.w, c[0].x, tex[3], 2D;\n"
                                                             "MOV o[COLR0].x, R0.w;\n");
   /* A vertex has no derivatives, so the level is 0. */
   EXPECT_STAGE(MESA_SHADER_VERTEX,
                TEXTURE(tex, 2D, SOURCE(coord, PART(b, 0, 2)), NONE, NONE, NONE),
                "TXL o[TEX0], v[0], c[0].x, tex[3], smp[2], 2D;\n");
}

static void
projection(void **state)
{
   EXPECT(TEXTURE(tex, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(projector, PART(b, 3, 1)), NONE,
                  NONE),
          "RCP R0.x, v[0].w;\n"
          "MUL R0.xy, v[0], R0.x;\n"
          "TEX o[COLR0], R0, tex[3], smp[2], 2D;\n");
   EXPECT(SHADOW(tex, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(projector, PART(b, 3, 1)),
                 SOURCE(comparator, PART(b, 2, 1)), NONE),
          "RCP R0.x, v[0].w;\n"
          "MUL R0.xyz, v[0], R0.x;\n"
          "TEX o[COLR0].x, R0.xyzz, tex[3], smp[2], SHADOW2D;\n");
   /* The array index is not divided by the projector. */
   EXPECT(ARRAY(tex, 1D, SOURCE(coord, PART(b, 0, 2)), SOURCE(projector, PART(b, 3, 1)), NONE,
                NONE),
          "RCP R0.z, v[0].w;\n"
          "MOV R0.y, v[0].y;\n"
          "MUL R0.x, v[0].x, R0.z;\n"
          "TEX o[COLR0], R0, tex[3], smp[2], 1D_ARRAY;\n");
}

static void
comparison(void **state)
{
   EXPECT(SHADOW(tex, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(comparator, PART(b, 2, 1)), NONE,
                 NONE),
          "TEX o[COLR0].x, v[0].xyzz, tex[3], smp[2], SHADOW2D;\n");
   EXPECT(SHADOW(txl, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(comparator, PART(b, 3, 1)),
                 SOURCE(lod, PART(b, 2, 1)), NONE),
          "TXL o[COLR0].x, v[0], v[0].z, tex[3], smp[2], SHADOW2D;\n");
   EXPECT(SHADOW(txb, CUBE, SOURCE(coord, PART(b, 0, 3)), SOURCE(comparator, PART(b, 3, 1)),
                 SOURCE(bias, nir_imm_float(b, -1)), NONE),
          "TXB o[COLR0].x, v[0], -c[0].x, tex[3], smp[2], SHADOWCUBE;\n");
   EXPECT(texture(b, nir_texop_tex, GLSL_SAMPLER_DIM_CUBE, true, true, SOURCE(coord, IN(b)),
                  SOURCE(comparator, nir_channel(b, listing_uniform(b, 0), 2)), NONE, NONE),
          "TEX o[COLR0].x, v[0], c[0].z, tex[3], smp[2], SHADOWCUBE_ARRAY;\n");
}

static void
offsets(void **state)
{
   EXPECT(TEXTURE(tex, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(offset, nir_imm_ivec2(b, -8, 7)),
                  NONE, NONE),
          "TEX o[COLR0], v[0], tex[3], smp[2], 2D, (-8, 7);\n");
   EXPECT(TEXTURE(txl, 3D, SOURCE(coord, PART(b, 0, 3)), SOURCE(lod, PART(b, 3, 1)),
                  SOURCE(offset, nir_imm_ivec3(b, 1, 2, -3)), NONE),
          "TXL o[COLR0], v[0], v[0].w, tex[3], smp[2], 3D, (1, 2, -3);\n");
   EXPECT(TEXTURE(tg4, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(offset, PART(b, 2, 2)), NONE, NONE),
          "TG4 o[COLR0], v[0], v[0], tex[3].x, smp[2], 2D;\n");
}

#define REFUSED(result, reason)                                                 \
   do {                                                                         \
      nir_builder builder = listing_begin(MESA_SHADER_FRAGMENT), *b = &builder; \
      const char *error = NULL;                                                 \
      listing_output(b, FRAG_RESULT_DATA0, result);                             \
      assert_null(listing_compile(b, 0, &error));                               \
      assert_string_equal(error, reason);                                       \
      ralloc_free(b->shader);                                                   \
   } while (0)

static void
refused(void **state)
{
   REFUSED(TEXTURE(tex, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(offset, nir_imm_ivec2(b, 8, 0)),
                   NONE, NONE),
           "a texel offset that is not a small constant");
   REFUSED(TEXTURE(tex, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(offset, PART(b, 2, 2)), NONE,
                   NONE),
           "a texel offset that is not a small constant");
   REFUSED(TEXTURE(tex, 2D, SOURCE(coord, PART(b, 0, 2)), SOURCE(min_lod, PART(b, 2, 1)), NONE,
                   NONE),
           "unhandled texture source");
   REFUSED(TEXTURE(txf_ms_mcs_intel, MS, SOURCE(coord, PART(b, 0, 2)), NONE, NONE, NONE),
           "unhandled texture operation");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(coordinates), cmocka_unit_test(levels),  cmocka_unit_test(projection),
      cmocka_unit_test(comparison),  cmocka_unit_test(offsets), cmocka_unit_test(refused),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
