/* SPDX-License-Identifier: MIT */
/* Scenes of patches. */
#include <string.h>

#include "scene.h"

static void
stage(struct scene *s, struct SGPU_SHADER desc)
{
   SGPU_SHADER_pack(scene_get(s, SGPU_SHADER_LENGTH), &desc);
   SCENE_EMIT(s, CONSTANTS, cfg) {
      cfg.stage = desc.stage;
      cfg.size = SCENE_CONSTANTS * 16;
      cfg.address = sgpu_bo_address(s->constant_bo);
   }
   const unsigned count = 4;
   uint32_t *p = scene_get(s, SGPU_STAGE_INPUTS_length(count));
   sgpu_pack(p, STAGE_INPUTS, cfg) {
      cfg.stage = desc.stage;
      cfg.tail_count = count;
   }
   for (unsigned i = 0; i < count; i++) {
      const struct SGPU_STAGE_INPUT input = {
         .output = i ? SGPU_VO_GEN0 + i - 1 : SGPU_VO_HPOS,
         .valid = true,
      };
      SGPU_STAGE_INPUT_pack(SGPU_STAGE_INPUTS_tail(p, i), &input);
   }
}

void
scene_evaluation(struct scene *s, const char *text, const struct SGPU_SHADER *how)
{
   struct SGPU_SHADER desc = scene_program(s, text);

   desc.tess_domain = how->tess_domain;
   desc.tess_spacing = how->tess_spacing;
   desc.tess_cw = how->tess_cw;
   desc.tess_points = how->tess_points;
   stage(s, desc);
}

void
scene_control(struct scene *s, const char *text, unsigned vertices)
{
   struct SGPU_SHADER desc = scene_program(s, text);

   desc.output_vertices = vertices;
   stage(s, desc);
}

void
scene_levels(struct scene *s, const float outer[4], const float inner[2])
{
   SCENE_EMIT(s, TESS_LEVELS, cfg) {
      memcpy(cfg.outer, outer, sizeof(cfg.outer));
      memcpy(cfg.inner, inner, sizeof(cfg.inner));
   }
}

/* Sets the levels for SCENE_CONTROL. All draws of a scene have the same constants. */
void
scene_tess_constants(struct scene *s, const float outer[4], const float inner[2])
{
   memcpy(s->constants[40], outer, 4 * sizeof(float));
   memcpy(s->constants[41], inner, 2 * sizeof(float));
   memset(s->constants[42], 0, sizeof(s->constants[42]));
}

void
scene_draw_patches(struct scene *s, uint32_t first, uint32_t count, unsigned patch_vertices)
{
   const struct SGPU_DRAW packet = {
      .primitive = SGPU_PRIMITIVE_PATCHES,
      .patch_vertices = patch_vertices,
      .first = first,
      .count = count,
      .instances = 1,
   };
   scene_draw_packet(s, &packet);
}

void
scene_no_tessellation(struct scene *s)
{
   SCENE_EMIT(s, SHADER, cfg)
      cfg.stage = SGPU_STAGE_TESS_CTRL;
   SCENE_EMIT(s, SHADER, cfg)
      cfg.stage = SGPU_STAGE_TESS_EVAL;
}

/* Draws patches of all domains and kinds of primitives. Odd draws have a control program. */
void
scene_any_patches(struct scene *s, uint64_t seed)
{
   s->random = seed * 104729 + 3;
   scene_varyings(s, 1, SGPU_INTERPOLATION_PERSPECTIVE);
   scene_blend_over(s);
   for (unsigned d = 0; d < 4; d++) {
      const struct SGPU_SHADER how = {
         .tess_domain = scene_below(s, 3),
         .tess_spacing = scene_below(s, 3),
         .tess_cw = scene_below(s, 2),
         .tess_points = scene_below(s, 4) == 0,
      };
      const unsigned n = 1 + scene_below(s, d ? 16 : 3);
      float outer[4], inner[2];
      for (unsigned i = 0; i < 4; i++)
         outer[i] = scene_float(s, -0.5f, d ? 12.0f : 70.0f);
      for (unsigned i = 0; i < 2; i++)
         inner[i] = scene_float(s, -0.5f, d ? 12.0f : 70.0f);
      s->st.rast.flatshade_first = scene_below(s, 2);
      s->st.rast.fill_front = s->st.rast.fill_back = scene_below(s, 3);
      scene_levels(s, outer, inner);
      if (d == 0)
         scene_tess_constants(s, outer, inner);
      if (d & 1)
         scene_control(s, SCENE_CONTROL, 4);
      else
         scene_no_tessellation(s);
      scene_evaluation(s, SCENE_BILINEAR, &how);
      const uint32_t first = scene_triangles(s, 4 * n, 90.0f);
      scene_draw_patches(s, first, 4 * n + 3, 4);
      scene_submit(s);
   }
}

/* More primitives than a batch keeps. A geometry program makes two of each. */
static void
many(struct scene *s)
{
   const float outer[4] = { 64.0f, 33.5f, 40.0f, 17.25f }, inner[2] = { 50.0f, 20.5f };
   const struct SGPU_SHADER how = {
      .tess_domain = SGPU_TESS_DOMAIN_QUADS,
      .tess_spacing = SGPU_TESS_SPACING_FRACTIONAL_ODD,
   };

   scene_varyings(s, 1, SGPU_INTERPOLATION_PERSPECTIVE);
   scene_blend_over(s);
   scene_levels(s, outer, inner);
   scene_tess_constants(s, outer, inner);
   scene_control(s, SCENE_CONTROL, 4);
   scene_evaluation(s, SCENE_BILINEAR, &how);
   scene_geometry(s,
                  "!!SGGP1.0\nTEMPS 1;\n"
                  "LDV o[HPOS], va[0][0]; LDV o[GEN0], va[1][0]; EMITV 0;\n"
                  "LDV o[HPOS], va[0][1]; EMITV 0; LDV o[HPOS], va[0][2]; EMITV 0; CUT 0;\n"
                  "LDV o[HPOS].x, va[0][0]; EMITV 0; LDV o[HPOS], va[0][1]; EMITV 0;\n"
                  "LDV o[HPOS].y, va[0][0]; EMITV 0;\nEND\n",
                  SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 6, 1);
   scene_draw_patches(s, scene_triangles(s, 12, 100.0f), 36, 4);
}

const struct scene_info scenes_tessellation[] = {
   { "tess-some", NULL, scene_any_patches, 5 },
   { "tess-others", NULL, scene_any_patches, 12 },
   { "tess-many", many },
   { NULL, NULL },
};
