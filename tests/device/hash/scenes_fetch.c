/* SPDX-License-Identifier: MIT */
/*
 * Scenes whose pixel programs read stored values of targets (LDT).
 */
#include "scene.h"

static void
draw_overlapping(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 12, 120.0f), 36);
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 60, 9.0f), 180);
   s->st.rast.line_width = 3.0f;
   s->st.rast.point_size = 5.0f;
   scene_draw(s, SGPU_PRIMITIVE_LINES, scene_triangles(s, 6, 140.0f), 18);
   scene_draw(s, SGPU_PRIMITIVE_POINTS, scene_triangles(s, 8, 40.0f), 24);
}

/* Source over destination, by a program or by blending. The bits are the same, since both take the
 * same steps.
 */
static void
over(struct scene *s, uint64_t program)
{
   static const struct {
      enum sgpu_format format;
      bool clamps;
   } formats[] = {
      { SGPU_FORMAT_R8G8B8A8_UNORM, true },      { SGPU_FORMAT_R8G8B8A8_SRGB, true },
      { SGPU_FORMAT_B5G6R5_UNORM, true },        { SGPU_FORMAT_R10G10B10A2_UNORM, true },
      { SGPU_FORMAT_R16G16B16A16_FLOAT, false }, { SGPU_FORMAT_R32G32B32A32_FLOAT, false },
      { SGPU_FORMAT_R11G11B10_FLOAT, false },    { SGPU_FORMAT_R16G16_UNORM, true },
   };
   static const float background[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
   const struct SGPU_SHADER plain = s->st.ps;
   struct SGPU_SHADER ps[2];

   s->constants[0][0] = 1.0f;
   for (unsigned i = 0; i < 2; i++) {
      ps[i] = scene_program(s,
                            i ? "!!SGFP1.0\nMOV_SAT R0, v[0]; LDT R1, 0; ADD R2.x, c[0].x, -R0.w;\n"
                                "MUL R3, R0, R0.w; MUL R1, R1, R2.x; ADD o[COLR0], R3, R1;\nEND\n"
                              : "!!SGFP1.0\nMOV R0, v[0]; LDT R1, 0; ADD R2.x, c[0].x, -R0.w;\n"
                                "MUL R3, R0, R0.w; MUL R1, R1, R2.x; ADD o[COLR0], R3, R1;\nEND\n");
   }
   for (unsigned i = 0; i < 8 * 3; i++) {
      const unsigned f = i % 8, ways = i / 8;
      s->st.color[0] = scene_sampled(s, formats[f].format, ways ? 4 : 1, 1);
      s->st.zs = scene_sampled(s, SGPU_FORMAT_Z24_UNORM_S8_UINT, ways ? 4 : 1, 1);
      s->st.rast.multisample = ways == 1;
      s->st.dsa.depth_test = i & 1;
      s->st.dsa.depth_write = i & 2;
      s->st.dsa.depth_func = SGPU_COMPARE_LEQUAL;
      if (program) {
         s->st.ps = ps[formats[f].clamps];
      } else {
         s->st.ps = plain;
         scene_blend_over(s);
         s->st.target[0].alpha_src = SGPU_BLEND_FACTOR_SRC_ALPHA;
         s->st.target[0].alpha_dst = SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
         /* Shade each sample, as with the program that reads stored samples. */
         s->st.ps.per_sample = ways == 1;
      }
      scene_clear(s, background, 0.875, 1);
      draw_overlapping(s);
   }
}

/* Stored integers that count the primitives of a pixel. No primitive may be lost. */
static void
count(struct scene *s)
{
   static const float zeros[4] = { 0 };

   s->st.ps = scene_program(s, "!!SGFP1.0\nLDT R0, 0; NOT R1, R0; INEG R1, R1; MOV o[COLR0], R1;\n"
                               "END\n");
   for (unsigned i = 0; i < 2; i++) {
      s->st.color[0] = scene_sampled(s,
                                     i ? SGPU_FORMAT_R32G32B32A32_UINT : SGPU_FORMAT_R8G8B8A8_UINT,
                                     1, 1);
      s->st.zs = (struct scene_image){ NULL };
      scene_clear(s, zeros, 0.0, 0);
      draw_overlapping(s);
   }
}

/* Several targets, one of which the program reads but does not write. It also reads stored depth
 * and stencil values while tests change them.
 */
static void
targets(struct scene *s)
{
   static const float background[4] = { 0.25f, 0.5f, 0.75f, 0.125f };

   for (unsigned i = 0; i < 6; i++) {
      const enum sgpu_format zs[] = { SGPU_FORMAT_Z16_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT,
                                      SGPU_FORMAT_Z32_FLOAT_S8X24_UINT };
      s->st.num_colors = 3;
      for (unsigned n = 0; n < 3; n++) {
         s->st.color[n] = scene_sampled(s, SGPU_FORMAT_R8G8B8A8_UNORM, i >= 3 ? 2 : 1, 1);
         s->st.target[n].write_mask = n == 1 ? 0 : 15;
      }
      s->st.zs = scene_sampled(s, zs[i % 3], i >= 3 ? 2 : 1, 1);
      s->st.rast.multisample = true;
      s->st.dsa.depth_test = s->st.dsa.depth_write = true;
      s->st.dsa.depth_func = i & 1 ? SGPU_COMPARE_ALWAYS : SGPU_COMPARE_GEQUAL;
      s->st.dsa.front = (struct SGPU_STENCIL_FACE){
         SGPU_STENCIL_FACE_header,          .enable = true,     .func = SGPU_COMPARE_ALWAYS,
         .pass = SGPU_STENCIL_OP_INCR_WRAP, .write_mask = 0xff,
      };
      s->st.ps = scene_program(s,
                               "!!SGFP1.0\nLDT R0, 1; LDT R1, 8; U2F R1.y, R1.y;\n"
                               "LDT R2, 2; ADD R0, R0, v[0]; ADD R0, R0, -R2;\n"
                               "MOV o[COLR0].xyz, R0; MOV o[COLR0].w, R1.x; MOV o[COLR1], v[0];\n"
                               "MUL R1.y, R1.y, c[1].x; MOV o[COLR2], R1; LDT R3, 7;\n"
                               "MOV o[COLR2].z, R3.w;\nEND\n");
      s->constants[1][0] = 0.0625f;
      scene_clear(s, background, 0.375, 1);
      draw_overlapping(s);
   }
}

/* A program with interlock that reads no stored values draws the same as one without. */
static void
interlock(struct scene *s, uint64_t with)
{
   scene_blend_over(s);
   s->st.ps.interlock = with;
   draw_overlapping(s);
}

const struct scene_pair scene_fetch_pairs[] = {
   { "over", over },
   { "interlock", interlock },
   { NULL, NULL },
};

const struct scene_info scenes_fetch[] = {
   { "fetch-over", NULL, over, true },
   { "fetch-count", count },
   { "fetch-targets", targets },
   { "fetch-interlock", NULL, interlock, true },
   { NULL, NULL },
};
