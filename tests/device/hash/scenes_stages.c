/* SPDX-License-Identifier: MIT */
/*
 * Scenes with geometry programs. Most come in pairs: a scene that draws the same primitives without
 * a geometry program must have the same picture.
 */
#include "random_program.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>

/* Adds n vertices of small primitives of any type, and returns the number of the first. */
static uint32_t
path(struct scene *s, unsigned n)
{
   const uint32_t first = s->num_vertices;
   for (unsigned i = 0; i < n; i++) {
      const float x = (float)(i * 3 % 160) - 5.0f + scene_float(s, 0.0f, 20.0f);
      const float y = (float)(i * 3 / 160 * 11 % 110) - 5.0f + scene_float(s, 0.0f, 20.0f);
      /* One call in each statement: C does not define the order of evaluation of arguments. */
      const float w = scene_float(s, 0.5f, 4.0f);
      const float z = scene_float(s, -0.1f, 1.1f);
      scene_vertex(s, x, y, z, w);
   }
   return first;
}

/* Sets a program that emits vertices of the primitive: `order` has one digit for each. */
static void
pass_on(struct scene *s, enum sgpu_primitive input, enum sgpu_primitive output, const char *order,
        unsigned max_vertices)
{
   char text[4096] = "!!SGGP1.0\n";
   for (; *order; order++) {
      const int n = *order - '0';
      char *end = text + strlen(text);
      snprintf(end, sizeof(text) - (end - text),
               "LDV o[HPOS], va[0][%d]; LDV o[GEN0], va[1][%d];\n"
               "LDV o[GEN1], va[2][%d]; LDV o[GEN2], va[3][%d]; EMITV 0;\n",
               n, n, n, n);
   }
   strcat(text, "END\n");
   scene_geometry(s, text, input, output, max_vertices, 1);
}

static const struct through {
   enum sgpu_primitive primitive, input, output;
   const char *order;
} through[] = {
   { SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_POINTS, "0" },
   { SGPU_PRIMITIVE_LINES, SGPU_PRIMITIVE_LINES, SGPU_PRIMITIVE_LINE_STRIP, "01" },
   { SGPU_PRIMITIVE_LINE_LOOP, SGPU_PRIMITIVE_LINES, SGPU_PRIMITIVE_LINE_STRIP, "01" },
   { SGPU_PRIMITIVE_LINE_STRIP, SGPU_PRIMITIVE_LINES, SGPU_PRIMITIVE_LINE_STRIP, "01" },
   { SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, "012" },
   { SGPU_PRIMITIVE_TRIANGLE_STRIP, SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP,
     "012" },
   { SGPU_PRIMITIVE_TRIANGLE_FAN, SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, "012" },
   { SGPU_PRIMITIVE_LINES_ADJACENCY, SGPU_PRIMITIVE_LINES_ADJACENCY, SGPU_PRIMITIVE_LINE_STRIP,
     "12" },
   { SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY, SGPU_PRIMITIVE_LINES_ADJACENCY, SGPU_PRIMITIVE_LINE_STRIP,
     "12" },
   { SGPU_PRIMITIVE_TRIANGLES_ADJACENCY, SGPU_PRIMITIVE_TRIANGLES_ADJACENCY,
     SGPU_PRIMITIVE_TRIANGLE_STRIP, "024" },
   { SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY, SGPU_PRIMITIVE_TRIANGLES_ADJACENCY,
     SGPU_PRIMITIVE_TRIANGLE_STRIP, "024" },
};
enum { NUM_THROUGH = sizeof(through) / sizeof(through[0]) };

/* Draws every primitive type. If `run` is not 0, one in `run` indices is a restart, on average. */
static void
pass_all(struct scene *s, bool with, bool first, unsigned max_vertices, unsigned run)
{
   uint16_t *indices = (uint16_t *)s->indices;
   uint32_t n = 0;

   s->st.rast.flatshade_first = first;
   s->st.rast.cull = SGPU_CULL_BACK;
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   /* Flat inputs require the same provoking vertex, but vertex 0 may differ: no depth test. */
   scene_varyings(s, 3, first ? SGPU_INTERPOLATION_FLAT : SGPU_INTERPOLATION_PERSPECTIVE);
   if (first)
      s->st.dsa.depth_test = s->st.dsa.depth_write = false;

   for (unsigned i = 0; i < NUM_THROUGH; i++) {
      const struct through *t = &through[i];
      const unsigned count = 400;
      struct SGPU_DRAW draw = { .primitive = t->primitive, .count = count, .instances = 1 };

      /* The first vertex that a geometry program gets is the provoking one, except for fans. */
      if (with)
         pass_on(s, t->input, t->output,
                 first && t->primitive == SGPU_PRIMITIVE_TRIANGLE_FAN ? "120" : t->order,
                 max_vertices);
      draw.first = path(s, count);
      if (run) {
         for (unsigned k = 0; k < count; k++)
            indices[n + k] = scene_below(s, run) ? draw.first + k : 0xffff;
         draw.first = n;
         draw.index_size = SGPU_INDEX_SIZE_U16;
         draw.restart = true;
         draw.restart_index = 0xffff;
         draw.index_address = sgpu_bo_address(s->index_bo);
         draw.index_bytes = (n + count) * 2;
         n += count;
      }
      scene_draw_packet(s, &draw);
   }
}

static void
pass_last(struct scene *s, uint64_t with)
{
   pass_all(s, with, false, 3, 0);
}
static void
pass_first(struct scene *s, uint64_t with)
{
   pass_all(s, with, true, 3, 0);
}
static void
pass_restart(struct scene *s, uint64_t with)
{
   pass_all(s, with, false, 3, 9);
}
/* Few primitives in a batch, and few lanes in a warp. */
static void
pass_cut(struct scene *s, uint64_t with)
{
   pass_all(s, with, false, 1024, 30);
}

/* Each fragment adds 4/255: sums are exact, and do not depend on the order. */
static void
additive(struct scene *s)
{
   s->st.ps = scene_program(s, "!!SGFP1.0\nMOV o[COLR0], c[63];\nEND\n");
   for (unsigned c = 0; c < 4; c++)
      s->constants[63][c] = 4.0f / 255.0f;
   scene_blend_add(s);
}

/* Each of five invocations moves the triangle by c[40 + n] and draws it twice. */
static void
amplify(struct scene *s, uint64_t with)
{
   const uint32_t first = scene_triangles(s, 300, 15.0f);

   additive(s);
   if (with) {
      scene_geometry(s,
                     "!!SGGP1.0\nTEMPS 4;\n"
                     "ARI A0.x, s[INVOCATION_ID].x; MOV R3.x, s[INVOCATION_ID].x;\n"
                     "ISUB R1.x, R1.x, R1.x;\n"
                     "PBK done;\n"
                     "again: ISUB R2.x, R2.x, R2.x; PBK out;\n"
                     "next: USETP.GE P0.x, R2.x, c[50].x; (P0.x) BRK;\n"
                     "LDV R0, va[0][R2.x]; ADD o[HPOS], R0, c[A0.x + 40]; EMITV 0;\n"
                     "IADD R2.x, R2.x, c[50].y; BRA next;\n"
                     "out: CUT 0; IADD R1.x, R1.x, c[50].y;\n"
                     "USETP.GE P0.x, R1.x, c[50].z; (P0.x) BRK; BRA again;\n"
                     "done:\nEND\n",
                     SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 6, 5);
   }
   const uint32_t numbers[4] = { 3, 1, 2, 0 };
   memcpy(s->constants[50], numbers, sizeof(numbers));
   if (with) {
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 900);
      return;
   }
   for (unsigned n = 0; n < 10; n++) {
      char text[128];
      snprintf(text, sizeof(text), "!!SGVP1.0\nADD o[HPOS], v[0], c[%u];\nEND\n", 40 + n / 2);
      s->st.vs = scene_program(s, text);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 900);
   }
}

/* Triangle n goes to layer n % 5. The target has 4 layers, so every fifth triangle is dropped. */
static void
layers(struct scene *s, uint64_t with)
{
   static const float background[4] = { 0.5f, 0.125f, 0.25f, 1.0f };
   const uint32_t first = scene_triangles(s, 400, 30.0f);

   s->st.color[0] = scene_sampled(s, SGPU_FORMAT_R8G8B8A8_UNORM, 1, 4);
   s->st.zs.bo = NULL;
   s->st.layers = 4;
   scene_clear(s, background, 1.0, 0);
   if (with) {
      const uint32_t five[4] = { 5, 5, 5, 5 };
      memcpy(s->constants[50], five, sizeof(five));
      scene_geometry(s,
                     "!!SGGP1.0\n"
                     "UMOD o[LAYER].x, s[PRIMITIVE_ID].x, c[50].x; MOV o[LAYER].y, c[51].x;\n"
                     "LDV o[HPOS], va[0][0]; LDV o[GEN0], va[1][0]; EMITV 0;\n"
                     "LDV o[HPOS], va[0][1]; LDV o[GEN0], va[1][1]; EMITV 0;\n"
                     "LDV o[HPOS], va[0][2]; LDV o[GEN0], va[1][2]; EMITV 0;\nEND\n",
                     SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 3, 1);
      memset(s->constants[51], 0, sizeof(s->constants[51]));
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 1200);
      return;
   }
   s->st.layers = 1;
   for (unsigned layer = 0; layer < 4; layer++) {
      uint32_t n = 0;
      s->st.first_layer = layer;
      for (unsigned t = layer; t < 400; t += 5) {
         for (unsigned k = 0; k < 3; k++)
            s->indices[layer * 1200 + n++] = first + 3 * t + k;
      }
      const struct SGPU_DRAW draw = {
         .primitive = SGPU_PRIMITIVE_TRIANGLES,
         .index_size = SGPU_INDEX_SIZE_U32,
         .first = layer * 1200,
         .count = n,
         .instances = 1,
         .index_address = sgpu_bo_address(s->index_bo),
         .index_bytes = 4 * 4 * 1200,
      };
      scene_draw_packet(s, &draw);
   }
}

/* Draws each triangle to two viewports with separate scissors. */
static void
viewports(struct scene *s, uint64_t with)
{
   const struct SGPU_VIEWPORT two[2] = {
      { .index = 0,
        .scale_x = 50.0f,
        .scale_y = 40.0f,
        .scale_z = 0.5f,
        .translate_x = 60.0f,
        .translate_y = 50.0f,
        .translate_z = 0.5f },
      { .index = 1,
        .scale_x = 30.0f,
        .scale_y = -45.0f,
        .scale_z = 0.25f,
        .translate_x = 100.0f,
        .translate_y = 60.0f,
        .translate_z = 0.25f },
   };
   const struct SGPU_SCISSOR boxes[2] = {
      { .index = 0, .x0 = 15, .y0 = 12, .x1 = 100, .y1 = 80 },
      { .index = 1, .x0 = 80, .y0 = 20, .x1 = 129, .y1 = 100 },
   };
   const uint32_t first = scene_triangles(s, 200, 40.0f);

   additive(s);
   s->st.rast.scissor = true;
   memcpy(s->st.viewport, two, sizeof(two));
   memcpy(s->st.scissor, boxes, sizeof(boxes));
   if (with) {
      memset(s->constants[51], 0, sizeof(s->constants[51]));
      scene_geometry(s,
                     "!!SGGP1.0\n"
                     "MOV o[LAYER].x, c[51].x; MOV o[LAYER].y, s[INVOCATION_ID].x;\n"
                     "LDV o[HPOS], va[0][0]; EMITV 0; LDV o[HPOS], va[0][1]; EMITV 0;\n"
                     "LDV o[HPOS], va[0][2]; EMITV 0;\nEND\n",
                     SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 3, 2);
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 600);
      return;
   }
   for (unsigned n = 0; n < 2; n++) {
      s->st.viewport[0] = two[n];
      s->st.scissor[0] = boxes[n];
      s->st.viewport[0].index = s->st.scissor[0].index = 0;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 600);
   }
}

/* Points with a size, clip distances and primitive numbers. */
static void
facts(struct scene *s, uint64_t with)
{
   static const char *const vs =
      "!!SGVP1.0\nMOV o[HPOS], v[0]; MOV o[GEN0], v[1]; MOV o[GEN1], v[2];\n"
      "MUL o[PSIZ].x, v[1].x, c[45].x; ADD o[CLIP0], v[2], -c[45].y;\nEND\n";
   static const float numbers[4] = { 20.0f, 0.25f, 0.0f, 1.0f / 512.0f };
   const uint32_t three[4] = { 3, 3, 3, 3 };

   memcpy(s->constants[45], numbers, sizeof(numbers));
   memcpy(s->constants[46], three, sizeof(three));
   s->st.rast.point_size_per_vertex = true;
   s->st.rast.clip_planes = 5;
   if (with) {
      scene_geometry(s,
                     "!!SGGP1.0\nTEMPS 2;\n"
                     "LDV o[HPOS], va[0][0]; LDV R0, va[1][0]; LDV R1, va[2][0];\n"
                     "MOV o[GEN0], R0; MOV o[GEN1], R1;\n"
                     "MUL o[PSIZ].x, R0.x, c[45].x; ADD o[CLIP0], R1, -c[45].y;\n"
                     "IMUL o[PRID].x, s[PRIMITIVE_ID].x, c[46].x; EMITV 0;\nEND\n",
                     SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_POINTS, 1, 1);
      s->st.ps = scene_program(s, "!!SGFP1.0\nTEMPS 1;\nU2F R0.x, s[PRIMITIVE_ID].x;\n"
                                  "MUL R0.x, R0.x, c[45].w; FRC o[COLR0], R0.x;\nEND\n");
   } else {
      s->st.vs = scene_program(s, vs);
      s->st.ps = scene_program(s, "!!SGFP1.0\nTEMPS 1;\n"
                                  "IMUL R0.x, s[PRIMITIVE_ID].x, c[46].x; U2F R0.x, R0.x;\n"
                                  "MUL R0.x, R0.x, c[45].w; FRC o[COLR0], R0.x;\nEND\n");
   }
   scene_draw(s, SGPU_PRIMITIVE_POINTS, path(s, 700), 700);
}

/* Vertices of other streams, beyond the declared number, or without a primitive are dropped. */
static void
bounds(struct scene *s, uint64_t with)
{
   const uint32_t first = scene_triangles(s, 300, 30.0f);

   if (with)
      scene_geometry(s,
                     "!!SGGP1.0\nTEMPS 1;\n"
                     "CUT 0; CUT 2; LDV o[HPOS], va[0][1]; EMITV 3;\n"
                     "LDV o[HPOS], va[0][0]; LDV o[GEN0], va[1][0]; EMITV 0;\n"
                     "EMITV 1; CUT 1; CUT 3;\n"
                     "LDV o[HPOS], va[0][1]; LDV o[GEN0], va[1][1]; EMITV 0;\n"
                     "LDV o[HPOS], va[0][2]; LDV o[GEN0], va[1][2]; EMITV 0; CUT 0; CUT 0;\n"
                     "LDV o[HPOS], va[0][0]; EMITV 0; LDV o[HPOS], va[0][1]; EMITV 0;\n"
                     "LDV o[HPOS], va[0][2]; EMITV 0; EMITV 2;\nEND\n",
                     SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 7, 1);
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, first, 900);
}

/* Cull distances of the last program before the clipper, together with clip distances. */
static void
cull_distances(struct scene *s, uint64_t with)
{
   static const enum sgpu_primitive kinds[] = {
      SGPU_PRIMITIVE_TRIANGLES,
      SGPU_PRIMITIVE_LINES,
      SGPU_PRIMITIVE_POINTS,
      SGPU_PRIMITIVE_TRIANGLE_STRIP,
   };
   static const struct through *const as[] = {
      &through[4],
      &through[1],
      &through[0],
      &through[5],
   };
   const struct SGPU_SHADER vs = scene_program(
      s, "!!SGVP1.0\nMOV o[HPOS], v[0]; MOV o[GEN0], v[1]; MOV o[GEN1], v[2]; MOV o[GEN2], v[3];\n"
         "ADD o[CLIP0], v[2], -c[0]; ADD o[CLIP1].xy, v[3], -c[0];\nEND\n");

   for (unsigned c = 0; c < 4; c++)
      s->constants[0][c] = 0.5f;
   s->st.rast.point_size = 5.0f;
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t first = scene_triangles(s, 40, 60.0f);
      const unsigned mask = 0x15u << i % 3;

      if (with) {
         char text[4096] = "!!SGGP1.0\nDEF c[64] = { 0.5, 0.5, 0.5, 0.5 };\n";
         for (const char *order = as[i % 4]->order; *order; order++) {
            const int n = *order - '0';
            char *end = text + strlen(text);
            snprintf(end, sizeof(text) - (end - text),
                     "LDV o[HPOS], va[0][%d]; LDV o[GEN0], va[1][%d]; LDV R0, va[2][%d];\n"
                     "LDV R1, va[3][%d]; ADD o[CLIP0], R0, -c[64]; ADD o[CLIP1].xy, R1, -c[64];\n"
                     "EMITV 0;\n",
                     n, n, n, n);
         }
         strcat(text, "END\n");
         scene_geometry(s, text, as[i % 4]->input, as[i % 4]->output, 3, 1);
         s->st.gs.cull_distances = mask;
         s->st.vs.cull_distances = ~mask & 63; /* ignored, since another stage is last */
      } else {
         s->st.vs = vs;
         s->st.vs.cull_distances = mask;
      }
      s->st.rast.clip_planes = i & 4 ? 63 : 0;
      scene_varyings(s, 1, SGPU_INTERPOLATION_PERSPECTIVE);
      scene_draw(s, kinds[i % 4], first, 120);
   }
}

const struct scene_pair scene_pairs[] = {
   { "pass_last", pass_last },
   { "pass_first", pass_first },
   { "pass_restart", pass_restart },
   { "pass_cut", pass_cut },
   { "amplify", amplify },
   { "layers", layers },
   { "viewports", viewports },
   { "facts", facts },
   { "bounds", bounds },
   { "cull distances", cull_distances },
   { NULL, NULL },
};

/* Lanes diverge: the number of triangles in a strip depends on the primitive's number. Inputs have
 * computed indices.
 */
static void
divergent(struct scene *s)
{
   const uint32_t numbers[4] = { 7, 1, 3, 2 };

   memcpy(s->constants[50], numbers, sizeof(numbers));
   s->st.rast.flatshade_first = true;
   scene_varyings(s, 1, SGPU_INTERPOLATION_FLAT);
   scene_geometry(s,
                  "!!SGGP1.0\nTEMPS 6;\n"
                  "UMOD R1.x, s[PRIMITIVE_ID].x, c[50].x; ISUB R2.x, R2.x, R2.x; PBK done;\n"
                  "next: USETP.GE P0.x, R2.x, R1.x; (P0.x) BRK;\n"
                  "UMOD R3.x, R2.x, c[50].z; ADD R4.x, R4.x, R4.x; UMOD R5.x, R2.x, c[50].w;\n"
                  "ARI A0.x, R5.x;\n"
                  "LDV R0, va[0][R3.x]; ADD R0.xy, R0, c[A0.x + 20]; MOV o[HPOS], R0;\n"
                  "LDV o[GEN0], va[A0.x + 1][R3.x]; EMITV 0;\n"
                  "ISETP.EQ P1.x, R3.x, c[50].w; AND R5.x, R2.x, R1.x; ISETP.EQ P1.y, R5.x, R2.x;\n"
                  "(P1.y) CUT 0;\n"
                  "IADD R2.x, R2.x, c[50].y; BRA next;\n"
                  "done:\nEND\n",
                  SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 32, 3);
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 700, 20.0f), 2100);
}

/* Triangles with adjacency, from strips with restarts. The program emits all six vertices. */
static void
adjacency(struct scene *s)
{
   uint16_t *indices = (uint16_t *)s->indices;
   const uint32_t first = path(s, 1500);

   for (unsigned i = 0; i < 1500; i++)
      indices[i] = scene_below(s, 60) ? first + i : 0xffff;
   pass_on(s, SGPU_PRIMITIVE_TRIANGLES_ADJACENCY, SGPU_PRIMITIVE_TRIANGLE_STRIP, "0123450", 200);
   const struct SGPU_DRAW draw = {
      .primitive = SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY,
      .count = 1500,
      .instances = 2,
      .index_size = SGPU_INDEX_SIZE_U16,
      .restart = true,
      .restart_index = 0xffff,
      .index_address = sgpu_bo_address(s->index_bo),
      .index_bytes = 3000,
   };
   scene_draw_packet(s, &draw);
}

static void
random_geometry(struct scene *s)
{
   struct sgpu_instr instrs[RANDOM_PROGRAM_MAX];
   struct isa_random r = { 0x5deece66d };

   scene_color_format(s, SGPU_FORMAT_R32G32B32A32_UINT);
   scene_random_constants(s, 3.0f);
   scene_varyings(s, 3, SGPU_INTERPOLATION_FLAT);
   s->st.ps = scene_program(s, "!!SGFP1.0\n"
                               "XOR R0, v[0], v[1]; XOR o[COLR0], R0, v[2];\nEND\n");
   for (unsigned i = 0; i < 24; i++) {
      const unsigned n = random_program(&r, SGPU_STAGE_GEOMETRY, 0, instrs);
      /* pass_on() links and binds the stage; then the random code replaces its program. */
      pass_on(s, SGPU_PRIMITIVE_TRIANGLES,
              i % 3 == 0   ? SGPU_PRIMITIVE_POINTS
              : i % 3 == 1 ? SGPU_PRIMITIVE_LINE_STRIP
                           : SGPU_PRIMITIVE_TRIANGLE_STRIP,
              "0", 1);
      const struct SGPU_SHADER code = scene_code(s, SGPU_STAGE_GEOMETRY, instrs, n,
                                                 RANDOM_PROGRAM_TEMPS, RANDOM_PROGRAM_SCRATCH);
      s->st.gs.address = code.address;
      s->st.gs.instructions = code.instructions;
      s->st.gs.temps = code.temps;
      s->st.gs.scratch = code.scratch;
      s->st.gs.literals = code.literals;
      s->st.gs.literal_base = code.literal_base;
      s->st.gs.max_vertices = 40;
      s->st.gs.invocations = 1 + i % 4;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 30, 60.0f), 90);
   }
}

const struct scene_info scenes_stages[] = {
   { "stages-pass-last", NULL, pass_last, true },
   { "stages-pass-first", NULL, pass_first, true },
   { "stages-pass-restart", NULL, pass_restart, true },
   { "stages-pass-cut", NULL, pass_cut, true },
   { "stages-amplify", NULL, amplify, true },
   { "stages-layers", NULL, layers, true },
   { "stages-viewports", NULL, viewports, true },
   { "stages-facts", NULL, facts, true },
   { "stages-bounds", NULL, bounds, true },
   { "stages-divergent", divergent },
   { "stages-adjacency", adjacency },
   { "random-geometry", random_geometry },
   { "stages-cull-distances", NULL, cull_distances, true },
   { "cull-distances", NULL, cull_distances, false },
   { NULL, NULL },
};
