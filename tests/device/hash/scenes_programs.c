/* SPDX-License-Identifier: MIT */
/*
 * Scenes of programs: the base profile, control flow, indexed registers, memory, derivatives, and
 * random programs. Targets of 32-bit integers keep every bit.
 */
#include <stdio.h>

#include "random_program.h"
#include "scene.h"

static void
draw_some(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 6, 90.0f), 18);
}

static void
bits_target(struct scene *s)
{
   scene_color_format(s, SGPU_FORMAT_R32G32B32A32_UINT);
}

/* Results of vertex programs, which pixel programs get without interpolation. */
static void
base_profile(struct scene *s)
{
   bits_target(s);
   scene_varyings(s, 1, SGPU_INTERPOLATION_FLAT);
   s->st.varying[0].output = SGPU_VO_COL0;
   static const char *texts[] = {
      "MUL R0, v[1], c[90].y; ARL A0.x, R0.x; MOV R1, c[A0.x + 4];"
      "DP3 R2.x, v[1], R1; DP4 R2.y, v[1], R1; MAD o[COL0], R1, R2.xyxy, v[2];",
      "LIT R0, v[1]; DST R1, v[2], R0; LOG R2, v[3].x; EXP R3, -v[2].y;"
      "MIN R0, R0, R2; MAX R1, R1, R3; ADD o[COL0], R0, -R1;",
      "RCP R0.x, v[1].x; RSQ R0.y, v[1].y; SLT R1, v[1], v[1].yzwx; SGE R2, v[1], c[3];"
      "MUL R1, R1, c[4]; MAD o[COL0], R2, R0.xyxy, R1;",
   };
   for (unsigned i = 0; i < 3; i++) {
      char text[512];
      snprintf(text, sizeof(text),
               "!!VP1.0\nDEF c[90] = { 3.0, 20.0, 1.0, 0.25 };\nMOV o[HPOS], v[0];\n%s\nEND\n",
               texts[i]);
      s->st.vs = scene_program(s, text);
      for (unsigned k = 0; k < 4; k++)
         draw_some(s);
   }
}

static void
functions(struct scene *s)
{
   bits_target(s);
   s->st.ps = scene_program(s,
                            "!!SGFP1.0\n"
                            "MAD R0, v[0], c[0].x, -c[0].y;\n"
                            "RCP R1.x, R0.x; RSQ R1.y, |R0.y|; EX2 R1.z, R0.z; LG2 R1.w, |R0.w|;\n"
                            "SIN R2.x, R0.x; COS R2.y, R0.y; SQRT R2.z, |R0.z|;\n"
                            "MUL R4.x, R1.w, R0.x; EX2 R2.w, R4.x;\n"
                            "MAD_SAT R3, R1, R2, R0; XOR R1, R1, R2; XOR o[COLR0], R1, R3;\n"
                            "END\n");
   for (unsigned i = 0; i < 4; i++) {
      s->constants[0][0] = 37.0f;
      s->constants[0][1] = 11.0f;
      draw_some(s);
   }
}

static void
flow(struct scene *s)
{
   bits_target(s);
   s->constants[0][0] = 0.0f;
   s->constants[0][1] = 1.0f;
   s->constants[0][2] = 12.0f;
   s->constants[0][3] = 0.75f;
   s->st.ps = scene_program(s,
                            "!!SGFP1.0\n"
                            "   MUL R5, v[0], c[0].z; MOV R0, c[0].x; MOV R1.x, c[0].x;\n"
                            "   PBK out;\n"
                            "loop:\n"
                            "   FSETP.GE P0.x, R1.x, R5.x; (P0.x) BRK;\n"
                            "   ADD R1.x, R1.x, c[0].y;\n"
                            "   PCNT next;\n"
                            "   FRC R2, R1.x; MAD R2, R5, R1.x, R2; FRC R2, R2;\n"
                            "   FSETP.LT P1.xy, R2, v[1]; (P1.x) CONT;\n"
                            "   SSY joined; (!P1.y) BRA other;\n"
                            "   MAD R0, R0, c[0].w, R2; SYNC;\n"
                            "other:\n"
                            "   ADD R0, R0, -R2; FSETP.GT P2.x, R2.z, c[0].w; (P2.x) KIL; SYNC;\n"
                            "joined:\n"
                            "   CONT;\n"
                            "next:\n"
                            "   BRA loop;\n"
                            "out:\n"
                            "   MOV o[COLR0], R0;\nEND\n");
   for (unsigned i = 0; i < 6; i++)
      draw_some(s);
}

static void
addresses(struct scene *s)
{
   bits_target(s);
   s->constants[0][0] = 20.0f;
   s->constants[0][1] = 3.0f;
   s->st.ps = scene_program(s, "!!SGFP1.0\nTEMPS 16;\nSCRATCH 64;\n"
                               "MUL R0, v[1], c[0].x; ADD R0.y, R0.y, -c[0].y; F2I R1, R0;\n"
                               "ARI A0, R1; MOV R2, c[A0.x - 3]; MOV R[A0.y + 4], v[A0.z];\n"
                               "SHL R3, R1, c[0].z; STL l[R1.x].xy, R2; LDL R4, l[R1.y];\n"
                               "LDC R5, cb[0][R1.w + 16]; XOR R6, R[A0.w], R4;\n"
                               "XOR R6, R6, R5; XOR R6, R6, R2; XOR o[COLR0], R6, R[A0.y + 5];\n"
                               "END\n");
   for (unsigned i = 0; i < 6; i++)
      draw_some(s);
}

static void
derivatives(struct scene *s)
{
   bits_target(s);
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "DDX R0, v[0]; DDY R1, v[1]; DDXF R2, v[1]; DDYF R3, v[2];\n"
                               "MUL R0, R0, R2; MAD R0, R1, R3, R0; MOV o[COLR0], R0;\nEND\n");
   for (unsigned i = 0; i < 4; i++)
      draw_some(s);
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 300, 8.0f), 900);
}

static void
random_pixel(struct scene *s, uint64_t seed)
{
   struct sgpu_instr instrs[RANDOM_PROGRAM_MAX];
   struct isa_random r = { seed };
   bits_target(s);
   scene_random_constants(s, 3.0f);
   for (unsigned i = 0; i < 12; i++) {
      const unsigned n = random_program(&r, SGPU_STAGE_PIXEL, 0, instrs);
      s->st.ps = scene_code(s, SGPU_STAGE_PIXEL, instrs, n, RANDOM_PROGRAM_TEMPS,
                            RANDOM_PROGRAM_SCRATCH);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 3, 60.0f), 9);
   }
}

static void
random_vertex(struct scene *s)
{
   struct sgpu_instr instrs[RANDOM_PROGRAM_MAX];
   struct isa_random r = { 0xabcdef012345 };
   bits_target(s);
   scene_random_constants(s, 3.0f);
   scene_varyings(s, 3, SGPU_INTERPOLATION_FLAT);
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "XOR R0, v[0], v[1]; XOR o[COLR0], R0, v[2];\nEND\n");
   for (unsigned i = 0; i < 24; i++) {
      const unsigned n = random_program(&r, SGPU_STAGE_VERTEX, 0, instrs);
      s->st.vs = scene_code(s, SGPU_STAGE_VERTEX, instrs, n, RANDOM_PROGRAM_TEMPS,
                            RANDOM_PROGRAM_SCRATCH);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 8, 60.0f), 24);
   }
}

/* Colour outputs that are used but not written by the program are (0, 0, 0, 1), independent of
 * earlier programs.
 */
static void
unwritten_outputs(struct scene *s)
{
   const struct SGPU_SHADER programs[] = {
      scene_program(s, "!!SGFP1.0\nMOV o[COLR0], v[0]; MOV o[COLR1], v[1];\nEND\n"),
      scene_program(s, "!!SGFP1.0\nMOV o[COLR1], v[1];\nEND\n"),
      scene_program(s, "!!SGFP1.0\nMOV o[COLR0], v[0];\nEND\n"),
      scene_program(s, "!!SGFP1.0\nMOV o[DEPR].x, v[0].x;\nEND\n"),
   };

   s->st.num_colors = 2;
   s->st.color[1] = scene_target(s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   s->st.dsa.depth_func = SGPU_COMPARE_LEQUAL;
   for (unsigned i = 0; i < 24; i++) {
      s->st.ps = programs[i & 1 ? 1 + i / 2 % 3 : 0];
      s->st.ps.color_outputs = 2;
      s->st.dsa.alpha_test = i & 8;
      s->st.dsa.alpha_func = SGPU_COMPARE_GREATER;
      s->st.dsa.alpha_ref = 0.5f;
      s->st.target[0].enable = i & 16;
      s->st.target[0].rgb_dst = SGPU_BLEND_FACTOR_SRC1_COLOR;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 8, 90.0f), 24);
   }
}

const struct scene_info scenes_programs[] = {
   { "base-profile", base_profile },
   { "functions", functions },
   { "flow", flow },
   { "addresses", addresses },
   { "derivatives", derivatives },
   { "random-pixel-1", NULL, random_pixel, 0x1234567 },
   { "random-pixel-2", NULL, random_pixel, 0x89abcdef },
   { "random-pixel-3", NULL, random_pixel, 0xfedcba987654321 },
   { "random-vertex", random_vertex },
   { "unwritten-outputs", unwritten_outputs },
   { NULL, NULL },
};
