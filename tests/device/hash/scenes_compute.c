/* SPDX-License-Identifier: MIT */
/*
 * Scenes of grids, and of draws that write storage buffers and images.
 */
#include "scene.h"

#define BYTES (64 * 1024)

static struct sgpu_bo *
result(struct scene *s)
{
   struct sgpu_bo *bo = scene_bo(s, BYTES);
   scene_result(s, bo);
   return bo;
}

/* All system values, in groups of many sizes. */
static void
groups(struct scene *s)
{
   static const uint8_t sizes[][3] = { { 1, 1, 1 },  { 32, 1, 1 }, { 5, 3, 2 },
                                       { 33, 1, 1 }, { 8, 8, 4 },  { 1, 31, 3 } };
   const struct SGPU_SHADER program =
      scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0x10, 0x20, 0x100, 0 };\n" SCENE_INVOCATION
                       "IMUL R1.x, R0.x, c[64].x;\n"
                       "IMAD R2.x, s[GROUP_ID].z, c[64].z, s[GROUP_ID].y;\n"
                       "IMAD R2.x, R2.x, c[64].z, s[GROUP_ID].x;\n"
                       "IMAD R2.y, s[LOCAL_ID].z, c[64].z, s[LOCAL_ID].y;\n"
                       "IMAD R2.y, R2.y, c[64].z, s[LOCAL_ID].x;\n"
                       "IMAD R2.z, s[SUBGROUP].x, c[64].y, s[LANE].x;\n"
                       "IMAD R2.w, s[SUBGROUP].y, c[64].z, R0.z;\n"
                       "STB buf[0][R1.x], R2;\nEND\n");
   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      const struct SGPU_GRID grid = scene_grid_of(sizes[i][0], sizes[i][1], sizes[i][2], 3, 2, 2);
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, result(s), 0, BYTES);
      scene_grid(s, &program, &grid);
   }
}

/* Values move on in a group through shared memory, with a warp that ends early. */
static void
barriers(struct scene *s)
{
   const struct SGPU_SHADER program =
      scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0, 0x1, 0x4, 0x3 };\n" SCENE_INVOCATION
                       "IMUL R1, R0, c[64].zzzz;\n" /* byte offsets */
                       "MOV R2.x, R0.x;\n"
                       "IADD R3.x, R0.z, c[64].y;\n"
                       "UMOD R3.x, R3.x, R0.w;\n"
                       "IMUL R3.x, R3.x, c[64].z;\n"
                       "STS sh[R1.z].x, R2;\nBAR;\nLDS R2.x, sh[R3.x];\nBAR;\n"
                       "IMUL R2.x, R2.x, c[64].w;\n"
                       "STS sh[R1.z].x, R2;\nBAR;\nLDS R2.x, sh[R3.x];\nBAR;\n"
                       "STS sh[R1.z].x, R2;\nBAR;\nLDS R2.x, sh[R3.x];\n"
                       "STB buf[0][R1.x].x, R2;\nEND\n");
   static const uint16_t sizes[] = { 1, 2, 31, 32, 33, 100, 1024 };
   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      struct SGPU_GRID grid = scene_grid_of(sizes[i], 1, 1, 5, 3, 1);
      grid.shared_size = 4 * sizes[i];
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, result(s), 0, BYTES);
      scene_grid(s, &program, &grid);
   }
}

/* Atomic counters whose results are used, and others whose results are not. */
static void
atomics(struct scene *s)
{
   const struct SGPU_SHADER ordered =
      scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0x1, 0x4, 0x7, 0xff };\n" SCENE_INVOCATION
                       "AND R2.x, R0.x, c[64].z;\nIADD R2.x, R2.x, c[64].x;\n"
                       "ATB.ADD R3.x, buf[0][0], R2;\n"
                       "IMUL R1.x, R0.x, c[64].y;\n"
                       "STB buf[1][R1.x].x, R3;\nEND\n");
   const struct SGPU_SHADER unordered = scene_program(
      s, "!!SGCP1.0\nDEF c[64] = { 0x1, 0x4, 0x1d, 0xff };\n" SCENE_INVOCATION
         "IMUL R1.x, R0.x, c[64].z;\nAND R1.x, R1.x, c[64].w;\nIMUL R1.x, R1.x, c[64].y;\n"
         "ATB.ADD _, buf[0][R1.x + 1024], c[64].x;\n"
         "ATB.UMAX _, buf[1][R1.x], R0.x;\nEND\n");
   const struct SGPU_GRID grid = scene_grid_of(50, 1, 1, 20, 3, 1);
   struct sgpu_bo *counts = result(s);

   for (unsigned i = 0; i < 3; i++) {
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, counts, 0, 4096);
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 1, result(s), 0, BYTES);
      scene_grid(s, &ordered, &grid);
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 1, result(s), 0, BYTES);
      scene_grid(s, &unordered, &grid);
      if (i == 1)
         scene_submit(s);
   }
}

/* Textures that grids write and draws sample, and targets that grids read. */
static void
images(struct scene *s)
{
   struct scene_image image = scene_target(s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
   const struct SGPU_SHADER mix = scene_program(s,
                                                "!!SGCP1.0\nDEF c[64] = { 0x8, 0x4, 0.5, 1.0 };\n"
                                                "IMAD R0.xy, s[GROUP_ID], c[64], s[LOCAL_ID];\n"
                                                "LDI R1, R0, img[0], 2D;\nLDI R2, R0, img[1], 2D;\n"
                                                "ADD R1, R1, R2;\nMUL R1, R1.yzxw, c[64].z;\n"
                                                "STI R0, R1, img[1], 2D;\nEND\n");
   s->st.num_textures = 1;
   s->st.texture[0] = scene_texture(&image);
   s->st.sampler[0] = (struct SGPU_SAMPLER){ .wrap_s = SGPU_WRAP_REPEAT };
   const struct SGPU_SHADER plain = s->st.ps;
   const struct SGPU_SHADER sample = scene_program(
      s, "!!SGFP1.0\nTEX R0, v[1], tex[0], smp[0], 2D;\nADD o[COLR0], R0, v[0];\nEND\n");
   const struct SGPU_GRID grid = scene_grid_of(8, 4, 1, (SCENE_W + 7) / 8, (SCENE_H + 3) / 4, 1);

   for (unsigned i = 0; i < 4; i++) {
      s->st.ps = i % 2 ? sample : plain;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 10, 80.0f), 30);
      scene_resolve(s);
      scene_bind_image(s, SGPU_STAGE_COMPUTE, 0, &s->st.color[0], 0, 0, 0);
      scene_bind_image(s, SGPU_STAGE_COMPUTE, 1, &image, 0, 0, 0);
      scene_grid(s, &mix, &grid);
   }
}

/* Vertices, indices, constants and parameters of draws that grids write. */
static void
inputs(struct scene *s)
{
   struct sgpu_bo *numbers = scene_bo(s, 4096);
   const uint32_t first = scene_triangles(s, 20, 70.0f);
   const struct SGPU_SHADER program =
      scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0x4, 0x1, 0x3c, 0x7 };\n" SCENE_INVOCATION
                       "IMUL R1.x, R0.x, c[64].x;\n"
                       "LDB R2.x, buf[3][0];\n"
                       "IMAD R3.x, R0.x, c[64].w, R2.x;\nUMOD R3.x, R3.x, c[64].z;\n"
                       "STB buf[0][R1.x].x, R3;\n" /* indices */
                       "LDB R4, buf[1][R1.x];\nADD R4, R4, R4.yzwx;\n"
                       "STB buf[1][R1.x].x, R4;\n" /* constants */
                       "IADD R2.x, R2.x, c[64].y;\nMOV R2.y, c[64].y;\n"
                       "USETP.EQ P0.x, R0.x, s[LANE].x;\n"
                       "(P0.x) STB buf[2][0].y, R2;\n"
                       "END\n");
   const struct SGPU_GRID grid = scene_grid_of(60, 1, 1, 1, 1, 1);
   s->st.ps = scene_program(s, "!!SGFP1.0\nMUL o[COLR0], v[0], c[0];\nEND\n");
   for (unsigned i = 0; i < 60; i++)
      s->indices[i] = first;
   ((uint32_t *)sgpu_bo_map(numbers))[0] = 60;

   for (unsigned i = 0; i < 6; i++) {
      const struct SGPU_DRAW draw = {
         .primitive = SGPU_PRIMITIVE_TRIANGLES,
         .index_size = SGPU_INDEX_SIZE_U32,
         .index_address = sgpu_bo_address(s->index_bo),
         .index_bytes = 240,
      };
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, s->index_bo, 0, 240);
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 1, s->constant_bo, 0, 240);
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 2, numbers, 0, 20);
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 3, s->constant_bo, 256, 4);
      scene_grid(s, &program, &grid);
      scene_emit_state(s);
      SCENE_EMIT(s, DRAW_INDIRECT, cfg) {
         cfg.primitive = draw.primitive;
         cfg.index_size = draw.index_size;
         cfg.index_address = draw.index_address;
         cfg.index_bytes = draw.index_bytes;
         cfg.address = sgpu_bo_address(numbers);
      }
      scene_fill_buffer(s, sgpu_bo_address(s->constant_bo) + 256, 4, 11 * i);
   }
}

/* Grids whose number of groups an earlier grid has written. */
static void
indirect(struct scene *s)
{
   struct sgpu_bo *counts = result(s), *numbers = result(s);
   const struct SGPU_SHADER grow = scene_program(
      s, "!!SGCP1.0\nDEF c[64] = { 0x1, 0x2, 0, 0 };\n"
         "LDB R0.xyz, buf[0][0];\nIADD R0.xyz, R0, c[64].xyzw;\nSTB buf[0][0].xyz, R0;\nEND\n");
   const struct SGPU_SHADER count =
      scene_program(s, "!!SGCP1.0\nDEF c[64] = { 0x1, 0x4, 0, 0 };\n" SCENE_INVOCATION
                       "ATB.ADD _, buf[0][0], c[64].x;\nIMUL R1.x, R0.y, c[64].y;\n"
                       "ATB.ADD _, buf[0][R1.x + 16], c[64].x;\nEND\n");
   struct SGPU_GRID grid = scene_grid_of(1, 1, 1, 1, 1, 1);

   ((uint32_t *)sgpu_bo_map(numbers))[2] = 2;
   for (unsigned i = 0; i < 5; i++) {
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, counts, 1024 * i, 1024);
      grid = scene_grid_of(7, 1, 1, 0, 0, 0);
      grid.indirect = true;
      grid.address = sgpu_bo_address(numbers);
      scene_grid(s, &count, &grid);
      scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, numbers, 0, 12);
      grid = scene_grid_of(1, 1, 1, 1, 1, 1);
      scene_grid(s, &grow, &grid);
   }
}

/* Fragments take numbers from an atomic counter and draw these numbers. */
static void
fragment_order(struct scene *s, uint64_t early)
{
   struct sgpu_bo *counts = result(s), *list = result(s);
   scene_bind_buffer(s, SGPU_STAGE_PIXEL, 0, counts, 0, 64);
   scene_bind_buffer(s, SGPU_STAGE_PIXEL, 1, list, 0, BYTES);
   scene_bind_buffer(s, SGPU_STAGE_VERTEX, 0, counts, 64, 64);
   s->st.ps = scene_program(
      s, "!!SGFP1.0\nDEF c[64] = { 0x1, 0x4, 0xff, 0.00392 };\n"
         "ATB.ADD R0.x, buf[0][0], c[64].x;\n"
         "IMUL R1.x, R0.x, c[64].y;\nF2I R2.x, s[POSITION].x;\n"
         "STB buf[1][R1.x].x, R2;\n"
         "AND R0.x, R0.x, c[64].z;\nU2F R0.x, R0.x;\nMUL o[COLR0], R0.x, c[64].w;\nEND\n");
   s->st.ps.early_tests = early;
   s->st.dsa.depth_test = s->st.dsa.depth_write = true;
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 700, 20.0f), 2100);
   s->st.vs = scene_program(
      s, "!!SGVP1.0\nDEF c[64] = { 0x1, 0x1f, 0.03, 1.0 };\n"
         "ATB.ADD R0.x, buf[0][0], c[64].x;\nAND R0.x, R0.x, c[64].y;\nU2F R0.x, R0.x;\n"
         "MUL o[GEN0], R0.x, c[64].z;\nMOV o[HPOS], v[0];\nEND\n");
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLE_STRIP, scene_triangles(s, 300, 60.0f), 900);
   s->st.rast.discard = true;
   scene_draw(s, SGPU_PRIMITIVE_POINTS, 0, 77);
}

/* Fragments write without an order, also without a colour target: a histogram and an image. */
static void
fragments_free(struct scene *s)
{
   struct sgpu_bo *counts = result(s);
   struct scene_image image = scene_target(s, SGPU_FORMAT_R32_UINT, SCENE_W, SCENE_H);
   scene_bind_buffer(s, SGPU_STAGE_PIXEL, 0, counts, 0, 4096);
   scene_bind_image(s, SGPU_STAGE_PIXEL, 3, &image, 0, 0, 0);
   s->st.ps = scene_program(s, "!!SGFP1.0\nDEF c[64] = { 0x1, 0x4, 0xff, 0 };\n"
                               "F2I R0.xy, s[POSITION];\nAND R1.x, R0.x, c[64].z;\n"
                               "IMUL R1.x, R1.x, c[64].y;\n"
                               "ATB.ADD _, buf[0][R1.x], c[64].x;\n"
                               "ATI.ADD _, R0, R0.y, img[3], 2D;\nEND\n");
   for (unsigned i = 0; i < 6; i++) {
      s->st.dsa.depth_test = s->st.dsa.depth_write = i > 1;
      s->st.ps.early_tests = i == 3;
      s->st.num_colors = i != 4;
      s->st.target[0].write_mask = i == 5 ? 0 : 15;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 60, 60.0f), 180);
   }
}

const struct scene_info scenes_compute[] = {
   { "compute-groups", groups },
   { "compute-barriers", barriers },
   { "compute-atomics", atomics },
   { "compute-images", images },
   { "compute-inputs", inputs },
   { "compute-indirect", indirect },
   { "fragments-ordered", NULL, fragment_order, false },
   { "fragments-early", NULL, fragment_order, true },
   { "fragments-free", fragments_free },
   { NULL, NULL },
};
