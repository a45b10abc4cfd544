/* SPDX-License-Identifier: MIT */
/*
 * Scenes of colours: blending, logic operations, masks, formats, several targets.
 */
#include "scene.h"

static void
draw_some(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 8, 80.0f), 24);
}

static struct SGPU_BLEND_TARGET
random_blend(struct scene *s, unsigned factors)
{
   struct SGPU_BLEND_TARGET target = { .enable = true };
   target.rgb_func = scene_below(s, 5);
   target.rgb_src = scene_below(s, factors);
   target.rgb_dst = scene_below(s, factors);
   target.alpha_func = scene_below(s, 5);
   target.alpha_src = scene_below(s, factors);
   target.alpha_dst = scene_below(s, factors);
   target.write_mask = scene_below(s, 4) ? 15 : scene_below(s, 16);
   return target;
}

static void
random_color(struct scene *s)
{
   s->st.blend_color.r = scene_float(s, -0.5f, 1.5f);
   s->st.blend_color.g = scene_float(s, 0.0f, 1.0f);
   s->st.blend_color.b = scene_float(s, 0.0f, 1.0f);
   s->st.blend_color.a = scene_float(s, 0.0f, 1.0f);
}

static void
blend_usual(struct scene *s)
{
   scene_blend(s, SGPU_BLEND_FACTOR_SRC_ALPHA, SGPU_BLEND_FACTOR_INV_SRC_ALPHA,
               SGPU_BLEND_FACTOR_SRC_ALPHA, SGPU_BLEND_FACTOR_INV_SRC_ALPHA);
   for (unsigned i = 0; i < 6; i++)
      draw_some(s);
}

/* Every factor as source and as destination, with every function. */
static void
blend_factors(struct scene *s)
{
   for (unsigned i = 0; i < SGPU_BLEND_FACTOR_SRC1_COLOR; i++) {
      for (unsigned f = 0; f < 5; f++) {
         random_color(s);
         s->st.target[0] = random_blend(s, SGPU_BLEND_FACTOR_SRC1_COLOR);
         s->st.target[0].rgb_src = s->st.target[0].alpha_dst = i;
         s->st.target[0].rgb_func = f;
         draw_some(s);
      }
   }
}

static void
blend_formats(struct scene *s, const enum sgpu_format *formats, unsigned count)
{
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "MAD o[COLR0], v[0], c[0].x, -c[0].y;\nEND\n");
   s->constants[0][0] = 1.5f;
   s->constants[0][1] = 0.25f;
   for (unsigned i = 0; i < count; i++) {
      static const float background[4] = { 0.125f, 0.75f, 0.5f, 0.875f };
      scene_color_format(s, formats[i]);
      scene_clear(s, background, 1.0, 0);
      for (unsigned k = 0; k < 5; k++) {
         s->st.target[0] = random_blend(s, SGPU_BLEND_FACTOR_SRC1_COLOR);
         s->st.target[0].enable = k != 0;
         random_color(s);
         draw_some(s);
      }
   }
}

static void
blend_unorm(struct scene *s)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_B8G8R8A8_UNORM,     SGPU_FORMAT_B8G8R8X8_UNORM,
      SGPU_FORMAT_R8G8B8A8_SRGB,  SGPU_FORMAT_B8G8R8A8_SRGB,      SGPU_FORMAT_R8_UNORM,
      SGPU_FORMAT_R8G8_UNORM,     SGPU_FORMAT_B5G6R5_UNORM,       SGPU_FORMAT_B5G5R5A1_UNORM,
      SGPU_FORMAT_B4G4R4A4_UNORM, SGPU_FORMAT_R10G10B10A2_UNORM,  SGPU_FORMAT_A8_UNORM,
      SGPU_FORMAT_L8_UNORM,       SGPU_FORMAT_R16G16B16A16_UNORM, SGPU_FORMAT_R8G8B8A8_SNORM,
      SGPU_FORMAT_R16G16_SNORM,
   };
   blend_formats(s, formats, sizeof(formats) / sizeof(formats[0]));
}

static void
blend_float(struct scene *s)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_FORMAT_R11G11B10_FLOAT,
      SGPU_FORMAT_R16_FLOAT,          SGPU_FORMAT_R32G32_FLOAT,
   };
   blend_formats(s, formats, sizeof(formats) / sizeof(formats[0]));
}

/* Integers are not blended. */
static void
integers(struct scene *s)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8G8B8A8_UINT,     SGPU_FORMAT_R8G8B8A8_SINT, SGPU_FORMAT_R16G16_UINT,
      SGPU_FORMAT_R32G32B32A32_UINT, SGPU_FORMAT_R32_SINT,
   };
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "MUL R0, v[0], c[0].x; F2I o[COLR0], R0;\nEND\n");
   s->constants[0][0] = 70000.0f;
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      scene_color_format(s, formats[i]);
      s->st.target[0].write_mask = i & 1 ? 15 : 6;
      draw_some(s);
   }
}

static void
logic_ops(struct scene *s)
{
   s->st.blend.logic_op_enable = true;
   for (unsigned i = 0; i < 16; i++) {
      s->st.blend.logic_op = i;
      s->st.target[0].write_mask = i == 9 ? 5 : 15;
      draw_some(s);
   }
   scene_color_format(s, SGPU_FORMAT_B5G6R5_UNORM);
   s->st.blend.logic_op = SGPU_LOGIC_OP_XOR;
   for (unsigned i = 0; i < 4; i++)
      draw_some(s);
}

static void
write_masks(struct scene *s)
{
   for (unsigned i = 0; i < 32; i++) {
      s->st.target[0].write_mask = i & 15;
      s->st.target[0].enable = i >> 4;
      draw_some(s);
   }
}

static void
dual_source(struct scene *s)
{
   s->st.ps = scene_program(s, "!!SGFP1.0\nMOV o[COLR0], v[0]; MOV o[COLR1], v[1];\nEND\n");
   s->st.ps.color_outputs = 1;
   for (unsigned i = SGPU_BLEND_FACTOR_SRC1_COLOR; i <= SGPU_BLEND_FACTOR_INV_SRC1_ALPHA; i++) {
      for (unsigned k = 0; k < 3; k++) {
         s->st.target[0] = random_blend(s, SGPU_BLEND_FACTOR_INV_SRC1_ALPHA + 1);
         if (k)
            s->st.target[0].rgb_src = s->st.target[0].alpha_src = i;
         else
            s->st.target[0].rgb_dst = s->st.target[0].alpha_dst = i;
         draw_some(s);
      }
   }
}

static void
targets(struct scene *s, uint64_t broadcast)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,     SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_FORMAT_R8_UNORM,
      SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_FORMAT_B5G6R5_UNORM,
   };
   s->st.num_colors = 6;
   for (unsigned i = 0; i < 6; i++) {
      s->st.color[i] = i == 3 ? (struct scene_image){ 0 }
                              : scene_target(s, formats[i % 5], SCENE_W - i, SCENE_H);
   }
   if (!broadcast) {
      s->st.ps = scene_program(s, "!!SGFP1.0\n"
                                  "MOV o[COLR0], v[0]; MOV o[COLR1], v[1]; MOV o[COLR2], v[2];\n"
                                  "ADD o[COLR4], v[0], v[1]; MUL o[COLR5], v[1], v[2];\nEND\n");
   }
   s->st.ps.broadcast_color = broadcast;
   for (unsigned i = 0; i < 8; i++) {
      for (unsigned k = 0; k < 6; k++)
         s->st.target[k] = random_blend(s, SGPU_BLEND_FACTOR_SRC1_COLOR);
      draw_some(s);
   }
}

/* Colours outside of the range of all formats. */
static void
strange_colors(struct scene *s)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,     SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_FORMAT_R11G11B10_FLOAT,
      SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_FORMAT_R8G8B8A8_SNORM,     SGPU_FORMAT_R8G8B8A8_SRGB,
   };
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "RCP R0.x, v[0].x; ADD R0.y, v[0].y, -c[0].x; RSQ R0.y, R0.y;\n"
                               "LG2 R0.z, v[0].z; MUL R1.w, v[0].w, c[0].y; EX2 R0.w, R1.w;\n"
                               "ADD R1, v[0], -v[0]; RCP R1, R1.x; ADD R1, R1, -R1;\n"
                               "FSETP.LT P0, v[1], c[0].x;\n"
                               "(P0.x) MOV R0.x, R1; (P0.y) MOV R0.y, R1;\n"
                               "MOV o[COLR0], R0;\nEND\n");
   s->constants[0][0] = 0.25f;
   s->constants[0][1] = 40.0f;
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      scene_color_format(s, formats[i]);
      for (unsigned k = 0; k < 4; k++) {
         s->st.target[0] = random_blend(s, SGPU_BLEND_FACTOR_SRC1_COLOR);
         s->st.target[0].enable = k;
         draw_some(s);
      }
   }
}

static void
no_colors(struct scene *s)
{
   s->st.num_colors = 0;
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   draw_some(s);
   s->st.ps = (struct SGPU_SHADER){ .stage = SGPU_STAGE_PIXEL };
   draw_some(s);
   s->st.num_colors = 1;
   draw_some(s);
}

const struct scene_info scenes_blend[] = {
   { "blend", blend_usual },
   { "blend-factors", blend_factors },
   { "blend-unorm", blend_unorm },
   { "blend-float", blend_float },
   { "integers", integers },
   { "logic-ops", logic_ops },
   { "write-masks", write_masks },
   { "dual-source", dual_source },
   { "targets", NULL, targets, false },
   { "targets-broadcast", NULL, targets, true },
   { "strange-colors", strange_colors },
   { "no-colors", no_colors },
   { NULL, NULL },
};
