/* SPDX-License-Identifier: MIT */
/*
 * Tests the work of programs with small scenes whose results were computed by hand: runs, accesses,
 * quads, fetches.
 */
#include "../../unit.h"
#include "events.h"
#include "scene.h"

static struct scene s;
static struct sgpu_device *dev;
static struct sgt_store *store;
static struct sgt_trace *trace;
static struct sgt_work *work;

static void
begin(void)
{
   store = events_store(&events_work_ways[0]);
   const struct sgpu_device_params params = events_params(&events_work_ways[0], store);
   dev = scene_device_of(&params);
   sgt_store_submissions(store, SGT_STORE_RECORD, 0);
   scene_metadata = false;
   scene_begin(&s, dev);
}

static void
run_scene(void)
{
   char error[256] = "";

   scene_end(&s, NULL);
   trace = sgt_store_finish(store, error, sizeof(error));
   work = sgt_store_work(store);
   assert_string_equal(error, "");
   assert_non_null(work);
}

static void
end(void)
{
   sgt_trace_destroy(trace);
   sgt_work_destroy(work);
   sgpu_device_destroy(dev);
   sgt_store_destroy(store);
}

/* Draws one block, pixels 8 to 15 of rows 4 to 7, with one triangle. */
static void
draw_block(void)
{
   const uint32_t first = scene_vertex(&s, 0.0f, 0.0f, 0.5f, 1.0f);

   scene_vertex(&s, 100.0f, 0.0f, 0.5f, 1.0f);
   scene_vertex(&s, 0.0f, 100.0f, 0.5f, 1.0f);
   s.st.rast.scissor = true;
   s.st.scissor[0] = (struct SGPU_SCISSOR){ .x0 = 8, .y0 = 4, .x1 = 16, .y1 = 8 };
   scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first, 3);
}

/* Returns the n-th warp of a stage, or NULL. */
static const struct sgt_warp *
find_warp(enum sgpu_stage stage, unsigned n)
{
   for (uint32_t i = 0; i < work->num_warps; i++) {
      if (work->programs[work->warps[i].program]->stage == stage && n-- == 0)
         return &work->warps[i];
   }
   return NULL;
}

static void
check_runs(const struct sgt_warp *w, const struct sgt_run *runs, unsigned num)
{
   assert_non_null(w);
   assert_int_equal(w->num_runs, num);
   for (unsigned i = 0; i < num; i++) {
      const struct sgt_run *run = &work->runs[w->first_run + i];
      assert_int_equal(run->pc, runs[i].pc);
      assert_int_equal(run->count, runs[i].count);
      assert_int_equal(run->lanes, runs[i].lanes);
   }
}

static const struct sgt_access *
access_at(const struct sgt_warp *w, unsigned n)
{
   assert_true(n < w->num_accesses);
   return &work->accesses[w->first_access + n];
}

/* Checks the lines of a quad in any order.  The addresses are relative to `base`. */
static void
check_lines(const struct sgt_access *a, unsigned quad, uint64_t base, const uint64_t *lines,
            unsigned num)
{
   unsigned found = 0;

   for (unsigned i = 0; i < a->num_lines; i++) {
      const sgt_line line = work->lines[a->first_line + i];
      if (sgt_line_quad(line) != quad)
         continue;
      unsigned n = 0;
      while (n < num && base + lines[n] != sgt_line_address(line))
         n++;
      assert_true(n < num);
      found++;
   }
   assert_int_equal(found, num);
}

/* -- stages ---------------------------------------------------------------------------------- */

static void
vertices(void **state)
{
   begin();
   draw_block();
   const uint64_t base = sgpu_bo_address(s.vertex_bo);
   run_scene();

   const struct sgt_warp *w = find_warp(SGPU_STAGE_VERTEX, 0);
   check_runs(w, &(struct sgt_run){ 0, 4, 7 }, 1);
   assert_int_equal(w->lanes, 7);
   assert_int_equal(w->group, 0);
   assert_int_equal(w->num_accesses, 0);
   assert_int_equal(w->num_quads, 0);
   assert_int_equal(w->attributes, 16);
   /* A vertex has 64 bytes. */
   assert_int_equal(w->num_fetch, 3);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(sgt_line_address(work->lines[w->first_fetch + i]), base + 64 * i);
   assert_int_equal(work->operations[w->operation].vertices, 3);
   assert_int_equal(work->operations[w->operation].num_warps, 2);
   assert_null(find_warp(SGPU_STAGE_VERTEX, 1));
   end();
}

static void
indices(void **state)
{
   begin();
   const uint32_t first = scene_vertex(&s, 0.0f, 0.0f, 0.5f, 1.0f);
   for (unsigned i = 1; i < 40; i++)
      scene_vertex(&s, 100.0f + (float)i, 10.0f, 0.5f, 1.0f);
   /* Vertex 32, which begins the second warp, comes with element 96.  A line has 16 indices. */
   for (unsigned i = 0; i < 120; i++)
      s.indices[i] = first + i / 3;
   const struct SGPU_DRAW draw = {
      .primitive = SGPU_PRIMITIVE_TRIANGLES,
      .count = 120,
      .instances = 1,
      .index_size = SGPU_INDEX_SIZE_U32,
      .index_address = sgpu_bo_address(s.index_bo),
      .index_bytes = 480,
   };
   scene_draw_packet(&s, &draw);
   const uint64_t index = sgpu_bo_address(s.index_bo);
   run_scene();

   static const unsigned lines[2] = { 6, 2 }, lanes[2] = { 32, 8 };
   for (unsigned n = 0; n < 2; n++) {
      const struct sgt_warp *w = find_warp(SGPU_STAGE_VERTEX, n);
      unsigned of_indices = 0;
      assert_non_null(w);
      for (unsigned i = 0; i < w->num_fetch; i++) {
         const uint64_t at = sgt_line_address(work->lines[w->first_fetch + i]);
         of_indices += at >= index && at < index + 480;
      }
      assert_int_equal(of_indices, lines[n]);
      assert_int_equal(w->num_fetch, lines[n] + lanes[n]);
   }
   end();
}

static void
quads(void **state)
{
   begin();
   s.constants[0][0] = 10.0f;
   s.st.ps = scene_program(&s, "!!SGFP1.0\n"
                               "FSETP.LT P0.x, s[POSITION].x, c[0].x;\n"
                               "(P0.x) KIL;\n"
                               "MOV o[COLR0], v[0];\nEND\n");
   draw_block();
   run_scene();

   const struct sgt_warp *w = find_warp(SGPU_STAGE_PIXEL, 0);
   const struct sgt_run runs[2] = { { 0, 2, ~0u }, { 2, 1, 0xfff0fff0 } };
   check_runs(w, runs, 2);
   assert_int_equal(w->num_quads, 8);
   for (unsigned n = 0; n < 8; n++) {
      const struct sgt_quad *q = &work->quads[w->first_quad + n];
      assert_int_equal(q->x, 8 + 2 * (n % 4));
      assert_int_equal(q->y, 4 + 2 * (n / 4));
      assert_int_equal(q->covered, 15);
      assert_int_equal(q->kept, n % 4 ? 15 : 0);
      assert_int_equal(trace->items[q->item].kind, SGT_ITEM_TRIANGLE);
      assert_int_equal(trace->items[q->item].operation, w->operation);
   }
   assert_null(find_warp(SGPU_STAGE_PIXEL, 1));
   end();
}

static void
branches(void **state)
{
   begin();
   s.constants[0][0] = 10.0f;
   s.st.ps = scene_program(&s, "!!SGFP1.0\n"
                               "FSETP.LT P0.x, s[POSITION].x, c[0].x;\n"
                               "SSY joined; (P0.x) BRA other;\n"
                               "MOV R0, v[0]; SYNC;\n"
                               "other:\n"
                               "MOV R0, v[1]; SYNC;\n"
                               "joined:\n"
                               "MOV o[COLR0], R0;\nEND\n");
   draw_block();
   run_scene();

   const struct sgt_run runs[4] = {
      { 0, 3, ~0u }, { 3, 2, 0xfff0fff0 }, { 5, 2, 0x000f000f }, { 7, 1, ~0u }
   };
   check_runs(find_warp(SGPU_STAGE_PIXEL, 0), runs, 4);
   end();
}

/* -- textures --------------------------------------------------------------------------------- */

/* Binds a linear texture of 64x64 texels in two levels; each texel corresponds to a pixel.  Returns
 * its address, and in *second the address of level 1.
 */
static uint64_t
sample(enum sgpu_filter filter, enum sgpu_mip_filter mip, uint64_t *second)
{
   struct sgpu_layout_params params = scene_params(SGPU_FORMAT_R8G8B8A8_UNORM, 64, 64);

   params.mode = SGPU_LAYOUT_LINEAR;
   params.levels = 2;
   const struct scene_image image = scene_image(&s, &params);
   assert_int_equal(image.layout.level[0].pitch, 256);
   s.st.texture[0] = scene_texture(&image);
   s.st.sampler[0] = (struct SGPU_SAMPLER){
      .min_filter = filter,
      .mag_filter = filter,
      .mip_filter = mip,
      .lod_bias = 0.5f,
      .max_lod = 1000.0f,
   };
   s.st.num_textures = 1;
   s.constants[0][0] = 1.0f / 64;
   s.st.ps = scene_program(&s, "!!SGFP1.0\nTEMPS 1;\n"
                               "MUL R0, s[POSITION], c[0].x;\n"
                               "TEX o[COLR0], R0, tex[0], smp[0], 2D;\nEND\n");
   draw_block();
   *second = sgpu_bo_address(image.bo) + image.layout.level[1].offset;
   return sgpu_bo_address(image.bo) + image.layout.level[0].offset;
}

static const struct sgt_access *
sampled(unsigned bilinear)
{
   const struct sgt_warp *w = find_warp(SGPU_STAGE_PIXEL, 0);

   check_runs(w, &(struct sgt_run){ 0, 2, ~0u }, 1);
   assert_int_equal(w->num_accesses, 1);
   const struct sgt_access *a = access_at(w, 0);
   assert_int_equal(a->kind, SGT_ACCESS_TEXTURE);
   assert_int_equal(a->lanes, 32);
   assert_int_equal(a->work, bilinear);
   assert_int_equal(a->bytes, 4);
   return a;
}

/* size of a row of texels, which has four lines */
#define ROW UINT64_C(256)

static void
nearest(void **state)
{
   uint64_t second;

   begin();
   const uint64_t base = sample(SGPU_FILTER_NEAREST, SGPU_MIP_FILTER_NONE, &second);
   run_scene();
   const struct sgt_access *a = sampled(32);
   assert_int_equal(a->num_lines, 16);
   for (unsigned q = 0; q < 8; q++) {
      const uint64_t row = (4 + 2 * (q / 4)) * ROW;
      check_lines(a, q, base, (uint64_t[]){ row, row + ROW }, 2);
   }
   end();
}

/* The pixels are at the centres of texels, so the second texel of each axis has weight 0. */
static void
bilinear(void **state)
{
   uint64_t second;

   begin();
   const uint64_t base = sample(SGPU_FILTER_LINEAR, SGPU_MIP_FILTER_NONE, &second);
   run_scene();
   const struct sgt_access *a = sampled(32);
   for (unsigned q = 0; q < 8; q++) {
      const uint64_t row = (4 + 2 * (q / 4)) * ROW;
      const uint64_t lines[6] = {
         row, row + ROW, row + 2 * ROW, row + 64, row + ROW + 64, row + 2 * ROW + 64,
      };
      check_lines(a, q, base, lines, q % 4 == 3 ? 6 : 3); /* texel 16 is in another line */
   }
   assert_int_equal(a->num_lines, 30);
   end();
}

/* The level of detail is 0.5, so both levels are used.  Level 1 has a pitch of 128 bytes.  Quad 0
 * has the texels (x + 0.5) / 2 - 0.5 and the next one: 3 to 5 of rows 1 to 3.
 */
static void
trilinear(void **state)
{
   uint64_t second;

   begin();
   const uint64_t base = sample(SGPU_FILTER_LINEAR, SGPU_MIP_FILTER_LINEAR, &second);
   run_scene();
   const struct sgt_access *a = sampled(64);
   const uint64_t next = second - base;
   const uint64_t lines[6] = {
      4 * ROW, 5 * ROW, 6 * ROW, next + 128, next + 2 * 128, next + 3 * 128
   };
   check_lines(a, 0, base, lines, 6);
   end();
}

/* -- grids ------------------------------------------------------------------------------------ */

static void
workgroup(void **state)
{
   begin();
   const struct SGPU_SHADER program =
      scene_program(&s, "!!SGCP1.0\nDEF c[64] = { 0x4, 0x80, 0x20, 0 };\n"
                        "IMUL R0, s[LOCAL_ID].x, c[64];\n"
                        "STS sh[R0.x].x, R0;\nBAR;\n"
                        "LDS R1.x, sh[R0.z];\n"       /* words with a distance of 8: two banks */
                        "ATS.ADD _, sh[0], R0;\n"     /* one word */
                        "LDB R2.x, buf[0][R0.y];\n"   /* one line each */
                        "ATB.ADD _, buf[0][4], R0;\n" /* one word */
                        "STB buf[0][R0.x].xy, R0;\n"  /* words 0 to 32 of the warp */
                        "USETP.LT P0.x, R0.x, c[64].w;\n"
                        "(P0.x) LDB R2.x, buf[0][0];\nEND\n");
   struct SGPU_GRID grid = scene_grid_of(64, 1, 1, 1, 1, 1);
   grid.shared_size = 4096;
   struct sgpu_bo *bo = scene_bo(&s, 64 * 1024);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 0, 64 * 1024);
   scene_grid(&s, &program, &grid);
   const uint64_t base = sgpu_bo_address(bo);
   run_scene();

   static const struct sgt_access expected[7] = {
      { .kind = SGT_ACCESS_SHARED, .lanes = 32, .work = 2, .bytes = 4 },
      { .kind = SGT_ACCESS_SHARED, .lanes = 32, .work = 16, .bytes = 4 },
      { .kind = SGT_ACCESS_SHARED, .lanes = 32, .work = 32, .bytes = 4 },
      { .kind = SGT_ACCESS_LOAD, .lanes = 32, .bytes = 4, .num_lines = 32 },
      { .kind = SGT_ACCESS_ATOMIC, .lanes = 32, .work = 32, .bytes = 4, .num_lines = 8 },
      { .kind = SGT_ACCESS_STORE, .lanes = 32, .bytes = 8, .num_lines = 10 },
      { .kind = SGT_ACCESS_LOAD },
   };
   const struct sgt_run runs[2] = { { 0, 3, ~0u }, { 3, 7, ~0u } };
   for (unsigned n = 0; n < 2; n++) {
      const struct sgt_warp *w = find_warp(SGPU_STAGE_COMPUTE, n);
      check_runs(w, runs, 2);
      assert_int_equal(w->group, 0);
      assert_int_equal(w->num_accesses, 7);
      for (unsigned i = 0; i < 7; i++) {
         const struct sgt_access *a = access_at(w, i);
         assert_int_equal(a->kind, expected[i].kind);
         assert_int_equal(a->lanes, expected[i].lanes);
         assert_int_equal(a->work, expected[i].work);
         assert_int_equal(a->bytes, expected[i].bytes);
         assert_int_equal(a->num_lines, expected[i].num_lines);
      }
      for (unsigned q = 0; q < 8; q++) {
         const uint64_t first = 128 * (32 * n + 4 * q);
         check_lines(access_at(w, 3), q, base,
                     (uint64_t[]){ first, first + 128, first + 256, first + 384 }, 4);
         check_lines(access_at(w, 4), q, base, (uint64_t[]){ 0 }, 1);
      }
      const uint64_t words = 128 * n;
      check_lines(access_at(w, 5), 3, base, (uint64_t[]){ words, words + 64 }, 2);
      check_lines(access_at(w, 5), 4, base, (uint64_t[]){ words + 64 }, 1);
   }
   const struct sgt_operation_work *o =
      &work->operations[find_warp(SGPU_STAGE_COMPUTE, 0)->operation];
   assert_int_equal(o->num_warps, 2);
   assert_int_equal(o->group_warps, 2);
   assert_int_equal(o->group_bytes, 4096);
   end();
}

/* Tests scratch memory, in which the words of the lanes are interleaved. */
static void
scratch(void **state)
{
   begin();
   s.st.ps = scene_program(&s, "!!SGFP1.0\nSCRATCH 64;\n"
                               "STL l[16].xy, v[0];\nLDL o[COLR0], l[16];\nEND\n");
   draw_block();
   run_scene();

   const struct sgt_warp *w = find_warp(SGPU_STAGE_PIXEL, 0);
   assert_int_equal(w->num_accesses, 2);
   const struct sgt_access *store_access = access_at(w, 0);
   assert_int_equal(store_access->kind, SGT_ACCESS_STORE);
   assert_int_equal(store_access->bytes, 8);
   /* Words 4 and 5 of lanes 0 to 3, and of 16 to 19. */
   check_lines(store_access, 0, SGT_SCRATCH, (uint64_t[]){ 16 * 32, 20 * 32 }, 2);
   check_lines(store_access, 4, SGT_SCRATCH, (uint64_t[]){ 16 * 32 + 64, 20 * 32 + 64 }, 2);
   assert_int_equal(access_at(w, 1)->kind, SGT_ACCESS_LOAD);
   assert_int_equal(access_at(w, 1)->bytes, 16);
   assert_int_equal(access_at(w, 1)->num_lines, 8 * 4);
   end();
}

/* Draws with a version of a context of 150 bytes.  All constants come from `memory`, and a run of
 * them from line `other`.
 */
static void
draw_version(struct sgpu_bo *memory, bool open, unsigned line, unsigned other)
{
   const struct SGPU_CONSTANT_RUN run = { line, 1, sgpu_bo_address(memory) + 64 * other };
   const struct SGPU_CONSTANT_VERSION p = {
      .tail_count = 1,
      .stage = SGPU_STAGE_PIXEL,
      .open = open,
      .size = open ? 150 : 0,
      .address = open ? sgpu_bo_address(memory) : 0,
   };

   uint32_t *words = scene_get(&s, SGPU_CONSTANT_VERSION_length(1));
   SGPU_CONSTANT_VERSION_pack(words, &p);
   SGPU_CONSTANT_RUN_pack(SGPU_CONSTANT_VERSION_tail(words, 0), &run);
   draw_block();
}

/* Tests that versions depend on the values of constants, not on the packets. */
static void
constants(void **state)
{
   static const struct {
      bool open;
      unsigned line, other, changed; /* changed: mask of changed lines */
   } draws[] = {
      { true, 0, 0, 0 }, { false, 1, 5, 2 }, { false, 1, 5, 0 }, { false, 2, 5, 4 },
      { true, 0, 5, 7 }, { false, 0, 0, 1 }, { true, 0, 0, 0 },
   };
   begin();
   struct sgpu_bo *bo = scene_bo(&s, 4096);
   uint8_t *bytes = sgpu_bo_map(bo);
   for (unsigned i = 0; i < 4096; i++)
      bytes[i] = 1 + i / 64;
   draw_block();
   scene_submit(&s);
   draw_block();
   for (unsigned i = 0; i < sizeof(draws) / sizeof(draws[0]); i++)
      draw_version(bo, draws[i].open, draws[i].line, draws[i].other);
   run_scene();

   /* Two draws with the scene's constants, in two submissions, have one context. */
   unsigned seen = 0, own = 0, version = 0;
   for (uint32_t i = 0; i < work->num_constants; i++) {
      const struct sgt_constants *c = &work->constants[i];
      if (c->stage != SGPU_STAGE_PIXEL)
         continue;
      if (c->bytes != 150) {
         assert_int_equal(c->version, 0);
         own++;
         continue;
      }
      unsigned changed = 0;
      for (uint32_t k = 0; k < c->num_changed; k++) {
         const struct sgt_changed *l = &work->changed[c->first_changed + k];
         changed |= ((1u << l->count) - 1) << l->first;
      }
      assert_int_equal(changed, draws[seen].changed);
      version += changed != 0;
      assert_int_equal(c->version, version);
      seen++;
   }
   assert_int_equal(own, 2);
   assert_int_equal(seen, sizeof(draws) / sizeof(draws[0]));
   assert_null(sgt_work_check(work));
   end();
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertices),  cmocka_unit_test(indices),   cmocka_unit_test(quads),
      cmocka_unit_test(branches),  cmocka_unit_test(nearest),   cmocka_unit_test(bilinear),
      cmocka_unit_test(trilinear), cmocka_unit_test(workgroup), cmocka_unit_test(scratch),
      cmocka_unit_test(constants),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
