/* SPDX-License-Identifier: MIT */
/*
 * Grids with all policies: the values that each invocation must leave, hazards between grids and
 * other operations, and programs that never end.
 */
#define _GNU_SOURCE
#include "hold.h"
#include "scene.h"

#define BYTES (256 * 1024)
#define WORDS (BYTES / 4)

/* buf[0][i] = i + c[0].x, as integers. */
#define COUNT                                                      \
   "!!SGCP1.0\nDEF c[64] = { 0x4, 0x1, 0, 0 };\n" SCENE_INVOCATION \
   "IMUL R1.x, R0.x, c[64].x;\nIADD R2.x, R0.x, c[0].x;\nSTB buf[0][R1.x].x, R2;\nEND\n"

/* Tests the system values. */
static void
ids(struct sgpu_device *dev, uint64_t seed)
{
   static const unsigned sizes[][6] = {
      { 1, 1, 1, 1, 1, 1 },  { 1, 1, 1, 7, 5, 3 },   { 32, 1, 1, 9, 1, 1 }, { 5, 3, 2, 2, 3, 4 },
      { 33, 1, 1, 1, 1, 3 }, { 32, 32, 1, 2, 2, 1 }, { 1, 1, 64, 1, 3, 1 },
   };
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *bo = scene_bo(&s, BYTES);
   const struct SGPU_SHADER program =
      scene_program(&s, "!!SGCP1.0\nDEF c[64] = { 0x20, 0x20, 0x400, 0 };\n" SCENE_INVOCATION
                        "IMUL R1.x, R0.x, c[64].x;\n"
                        "MOV R2.xyz, s[GROUP_ID];\n"
                        "IMAD R2.w, s[SUBGROUP].x, c[64].y, s[LANE].x;\n"
                        "MOV R3.xyz, s[LOCAL_ID];\nMOV R3.w, s[SUBGROUP].y;\n"
                        "STB buf[5][R1.x], R2;\nSTB buf[5][R1.x + 16], R3;\nEND\n");

   for (unsigned t = 0; t < sizeof(sizes) / sizeof(sizes[0]); t++) {
      const unsigned *n = sizes[t];
      const struct SGPU_GRID grid = scene_grid_of(n[0], n[1], n[2], n[3], n[4], n[5]);
      memset(sgpu_bo_map(bo), 0xff, BYTES);
      scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 5, bo, 0, BYTES);
      scene_grid(&s, &program, &grid);
      scene_wait(&s, bo);

      const uint32_t *word = sgpu_bo_map(bo);
      const unsigned size = n[0] * n[1] * n[2], groups = n[3] * n[4] * n[5];
      for (unsigned i = 0; i < size * groups; i++, word += 8) {
         const unsigned g = i / size, l = i % size;
         assert_int_equal(word[0], g % n[3]);
         assert_int_equal(word[1], g / n[3] % n[4]);
         assert_int_equal(word[2], g / n[3] / n[4]);
         assert_int_equal(word[3], l);
         assert_int_equal(word[4], l % n[0]);
         assert_int_equal(word[5], l / n[0] % n[1]);
         assert_int_equal(word[6], l / n[0] / n[1]);
         assert_int_equal(word[7], (size + 31) / 32);
      }
      assert_int_equal(word[0], ~0u);
   }
   scene_end(&s, NULL);
}

static void
test_ids(void **state)
{
   scene_each_way(1, ids);
}

/* Returns the value of an invocation for derivatives(). Absent lanes of a warp have 0. */
static float
squared(unsigned i, unsigned size)
{
   return i < size ? (float)((i + 3) * (i + 3)) : 0.0f;
}

/* Tests derivatives: four invocations in a row are a quad. */
static void
derivatives(struct sgpu_device *dev, uint64_t seed)
{
   static const unsigned sizes[] = { 1, 2, 3, 6, 32, 39, 100 };
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *bo = scene_bo(&s, BYTES);
   const struct SGPU_SHADER program = scene_program(
      &s, "!!SGCP1.0\nDEF c[64] = { 0x10, 0x40400000, 0, 0 };\n" SCENE_INVOCATION
          "IMUL R1.x, R0.x, c[64].x;\nU2F R2.x, s[LOCAL_ID].x;\nADD R2.x, R2.x, c[64].y;\n"
          "MUL R2.x, R2.x, R2.x;\n"
          "DDX R3.x, R2.x;\nDDY R3.y, R2.x;\nDDXF R3.z, R2.x;\nDDYF R3.w, R2.x;\n"
          "STB buf[0][R1.x], R3;\nEND\n");

   for (unsigned t = 0; t < sizeof(sizes) / sizeof(sizes[0]); t++) {
      const unsigned size = sizes[t], groups = 3;
      const struct SGPU_GRID grid = scene_grid_of(size, 1, 1, groups, 1, 1);
      scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 0, BYTES);
      scene_grid(&s, &program, &grid);
      scene_wait(&s, bo);

      const float *found = sgpu_bo_map(bo);
      for (unsigned n = 0; n < size * groups; n++, found += 4) {
         const unsigned i = n % size, q = i & ~3u;
         const float v[4] = { squared(q, size), squared(q + 1, size), squared(q + 2, size),
                              squared(q + 3, size) };
         assert_true(found[0] == v[1] - v[0]);
         assert_true(found[1] == v[2] - v[0]);
         assert_true(found[2] == v[(i & 2) + 1] - v[i & 2]);
         assert_true(found[3] == v[(i & 1) + 2] - v[i & 1]);
      }
   }
   scene_end(&s, NULL);
}

static void
test_derivatives(void **state)
{
   scene_each_way(1, derivatives);
}

/* An atomic counter whose values are used: invocations get its values in their order. */
static void
ordered(struct sgpu_device *dev, uint64_t seed)
{
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *counter_bo = scene_bo(&s, 4096), *bo = scene_bo(&s, BYTES);
   const struct SGPU_SHADER program =
      scene_program(&s, "!!SGCP1.0\nDEF c[64] = { 0x1, 0x4, 0, 0 };\n" SCENE_INVOCATION
                        "ATB.ADD R2.x, buf[0][0], c[64].x;\nIMUL R1.x, R2.x, c[64].y;\n"
                        "STB buf[1][R1.x].x, R0;\nEND\n");
   const struct SGPU_GRID grid = scene_grid_of(100, 1, 1, 200, 1, 1);

   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, counter_bo, 0, 4);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 1, bo, 0, BYTES);
   scene_grid(&s, &program, &grid);
   scene_grid(&s, &program, &grid);
   scene_wait(&s, bo);

   const uint32_t *word = sgpu_bo_map(bo);
   for (unsigned i = 0; i < 40000; i++)
      assert_int_equal(word[i], i % 20000);
   assert_int_equal(*(uint32_t *)sgpu_bo_map(counter_bo), 40000);
   scene_end(&s, NULL);
}

/* On a device without this order, each value is given out once. */
static void
test_unordered(void **state)
{
   struct sgpu_device *dev = scene_device_of(&(struct sgpu_device_params){
      .threads = 4,
      .dispatch = SGPU_DISPATCH_OOO_SPLIT,
      .unordered = true,
   });
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *counter_bo = scene_bo(&s, 4096), *bo = scene_bo(&s, BYTES);
   const struct SGPU_SHADER program =
      scene_program(&s, "!!SGCP1.0\nDEF c[64] = { 0x1, 0x4, 0, 0 };\n" SCENE_INVOCATION
                        "ATB.ADD R2.x, buf[0][0], c[64].x;\nIMUL R1.x, R2.x, c[64].y;\n"
                        "ATB.ADD _, buf[1][R1.x], c[64].x;\nEND\n");
   const struct SGPU_GRID grid = scene_grid_of(100, 1, 1, 200, 1, 1);

   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, counter_bo, 0, 4);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 1, bo, 0, BYTES);
   scene_grid(&s, &program, &grid);
   scene_wait(&s, bo);
   for (unsigned i = 0; i < WORDS; i++)
      assert_int_equal(((uint32_t *)sgpu_bo_map(bo))[i], i < 20000);
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

static void
test_ordered(void **state)
{
   scene_each_way(1, ordered);
}

/* Values go to the neighbouring invocation after each barrier. Invocations from 0x200 on end before
 * the last barrier.
 */
static void
barriers(struct sgpu_device *dev, uint64_t seed)
{
   static const unsigned sizes[] = { 1, 2, 32, 33, 64, 255, 1024 };
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *bo = scene_bo(&s, BYTES);
   const struct SGPU_SHADER program = scene_program(
      &s, "!!SGCP1.0\nDEF c[64] = { 0x1, 0x4, 0x200, 0 };\n" SCENE_INVOCATION
          "IMUL R1.xz, R0, c[64].y;\nMOV R2.x, R0.x;\n"
          "IADD R3.x, R0.z, c[64].x;\nUMOD R3.x, R3.x, R0.w;\nIMUL R3.x, R3.x, c[64].y;\n"
          "LDS R4.x, sh[R1.z];\nIADD R2.x, R2.x, R4.x;\n" /* shared memory begins as zeros */
          "BAR;\nSTS sh[R1.z].x, R2;\nBAR;\nLDS R2.x, sh[R3.x];\nBAR;\n"
          "STS sh[R1.z].x, R2;\nBAR;\nLDS R2.x, sh[R3.x];\nBAR;\n"
          "STB buf[0][R1.x].x, R2;\n"
          "USETP.GE P0.x, R0.z, c[64].z;\n(P0.x) EXIT;\nBAR;\nEND\n");

   for (unsigned t = 0; t < sizeof(sizes) / sizeof(sizes[0]); t++) {
      const unsigned n = sizes[t];
      struct SGPU_GRID grid = scene_grid_of(n, 1, 1, 40, 1, 1);
      grid.shared_size = 4 * n;
      scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 0, BYTES);
      scene_grid(&s, &program, &grid);
      scene_wait(&s, bo);
      const uint32_t *word = sgpu_bo_map(bo);
      for (unsigned i = 0; i < 40 * n; i++)
         assert_int_equal(word[i], i / n * n + (i % n + 2) % n);
   }
   scene_end(&s, NULL);
}

static void
test_barriers(void **state)
{
   scene_each_way(1, barriers);
}

/* A grid reads a page that is held. Operations that do not overlap its regions overtake it. */
static void
test_hazards(void **state)
{
   struct sgpu_device *dev = test_device(3, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s;
   scene_begin(&s, dev);
   scene_triangles(&s, 1, 50.0f);
   struct sgpu_bo *held = scene_bo(&s, SGPU_PAGE_SIZE), *bo = scene_bo(&s, BYTES);
   const struct SGPU_SHADER copy = scene_program(&s, "!!SGCP1.0\nLDB R0.x, buf[0][0];\n"
                                                     "STB buf[1][0].x, R0;\nEND\n");
   const struct SGPU_SHADER load = scene_program(&s, "!!SGCP1.0\nLDB R0.x, buf[0][0];\nEND\n");
   const struct SGPU_GRID grid = scene_grid_of(1, 1, 1, 1, 1, 1);
   struct sgpu_layout_params params = scene_params(SGPU_FORMAT_R32_UINT, 64, 64);
   params.layers = 4;
   params.levels = 3;
   const struct scene_image level = scene_image(&s, &params);
   const struct SGPU_SHADER store =
      scene_program(&s, "!!SGCP1.0\nDEF c[64] = { 0, 0, 0, 0x5 };\nLDB R0.x, buf[0][0];\n"
                        "STI c[64], R0, img[0], 2D;\nEND\n");
   const struct SGPU_SHADER fetch = scene_program(&s, "!!SGCP1.0\nDEF c[64] = { 0, 0, 0, 0 };\n"
                                                      "LDI R0, c[64], img[0], 2D;\n"
                                                      "STB buf[0][0], R0;\nEND\n");
   scene_wait(&s, s.results[0]);
   *(uint32_t *)sgpu_bo_map(held) = 77;
   uint64_t stalls = counter(dev, "stall_depend"), overtakes = counter(dev, "overtakes");

   /* Bind words 0 to 63 of bo as buf[1], and layer 2 of level 1 of the image. */
   hold_begin(held);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, held, 0, 64);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 1, bo, 0, 256);
   scene_bind_image(&s, SGPU_STAGE_COMPUTE, 0, &level, 1, 2, 2);
   scene_grid(&s, &copy, &grid);
   scene_grid(&s, &store, &grid);
   scene_submit(&s);
   hold_wait();
   hold_wait();

   /* These do not overlap the held grids: other bytes, another level, another layer, a draw. */
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 256, 256);
   scene_grid(&s, &load, &grid);
   scene_bind_image(&s, SGPU_STAGE_COMPUTE, 0, &level, 0, 2, 2);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 768, 256);
   scene_grid(&s, &fetch, &grid);
   scene_bind_image(&s, SGPU_STAGE_COMPUTE, 0, &level, 1, 1, 1);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 512, 256);
   scene_grid(&s, &fetch, &grid);
   scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, 0, 3);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 4);
   assert_int_equal(counter(dev, "stall_depend"), stalls);

   /* These wait: RAW by bytes, RAW by level and layer, a draw with indices there, WAW. */
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 0, 4);
   scene_grid(&s, &load, &grid);
   scene_bind_image(&s, SGPU_STAGE_COMPUTE, 0, &level, 1, 2, 2);
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 1024, 16);
   scene_grid(&s, &fetch, &grid);
   const struct SGPU_DRAW draw = {
      .primitive = SGPU_PRIMITIVE_TRIANGLES,
      .index_size = SGPU_INDEX_SIZE_U32,
      .count = 3,
      .instances = 1,
      .index_address = sgpu_bo_address(bo),
      .index_bytes = 64,
   };
   scene_draw_packet(&s, &draw);
   scene_fill_buffer(&s, sgpu_bo_address(bo) + 60, 4, 3);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "stall_depend") == stalls + 4);
   assert_int_equal(counter(dev, "overtakes"), overtakes + 4);
   hold_release();
   assert_int_equal(write(hold.go_on[1], "", 1), 1);

   assert_int_equal(sgpu_bo_wait(bo, UINT64_MAX), 0);
   const uint32_t *word = sgpu_bo_map(bo);
   assert_int_equal(word[0], 77);
   assert_int_equal(word[15], 3);
   assert_int_equal(word[256], 77);
   hold_end();
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

/* Binds the same bytes as buf[1] and buf[2]. */
static void
bind_words(struct scene *s, struct sgpu_bo *held, struct sgpu_bo *bo)
{
   scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 0, held, 0, 64);
   scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 1, bo, 0, 256);
   scene_bind_buffer(s, SGPU_STAGE_COMPUTE, 2, bo, 0, 256);
}

/* Grids that add to the same words do not wait for each other. Grids that access these words in
 * another way wait, and so does an ordered grid.
 */
static void
test_commuting(void **state)
{
   struct sgpu_device *dev = test_device(3, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *held = scene_bo(&s, SGPU_PAGE_SIZE), *bo = scene_bo(&s, BYTES);
#define PROGRAM(text) \
   scene_program(&s, "!!SGCP1.0\nDEF c[64] = { 0x1, 0x2, 0x4, 0x5 };\n" text "END\n")
   const struct SGPU_SHADER add_held = PROGRAM("LDB R0.x, buf[0][0];\n"
                                               "ATB.ADD _, buf[1][0], R0;\n");
   const struct SGPU_SHADER add = PROGRAM("ATB.ADD _, buf[1][0], c[64].y;\n"
                                          "ATB.ADD _, buf[2][4], c[64].y;\n");
   const struct SGPU_SHADER or = PROGRAM("ATB.OR _, buf[1][0], c[64].x;\n");
   const struct SGPU_SHADER take = PROGRAM("ATB.ADD R0.x, buf[2][8], c[64].x;\n"
                                           "ATB.ADD _, buf[1][0], c[64].z;\n");
   const struct SGPU_GRID one = scene_grid_of(1, 1, 1, 1, 1, 1),
                          many = scene_grid_of(64, 1, 1, 50, 1, 1);
   scene_wait(&s, s.vertex_bo);
   *(uint32_t *)sgpu_bo_map(held) = 100000;
   const uint64_t stalls = counter(dev, "stall_waw"), overtakes = counter(dev, "overtakes");

   hold_begin(held);
   bind_words(&s, held, bo);
   scene_grid(&s, &add_held, &one);
   scene_submit(&s);
   hold_wait();
   bind_words(&s, held, bo);
   scene_grid(&s, &add, &many);
   scene_grid(&s, &add, &one);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 2);
   assert_int_equal(counter(dev, "stall_waw"), stalls);
   bind_words(&s, held, bo);
   scene_grid(&s, & or, &one);
   scene_grid(&s, &add, &one);
   scene_grid(&s, &take, &one);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "stall_waw") == stalls + 3);
   hold_release();

   assert_int_equal(sgpu_bo_wait(bo, UINT64_MAX), 0);
   const uint32_t *word = sgpu_bo_map(bo);
   assert_int_equal(word[0], ((100000 + 2 * 3201) | 1) + 2 + 4);
   assert_int_equal(word[1], 2 * 3202);
   assert_int_equal(word[2], 1);
   assert_int_equal(counter(dev, "overtakes"), overtakes + 2);
   hold_end();
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

/* A group that never ends is stopped and reported once. The other groups do their work. */
static void
test_endless(void **state)
{
   static const char *const texts[] = {
      "!!SGCP1.0\nDEF c[64] = { 0x4, 0x3, 0, 0 };\n" SCENE_INVOCATION
      "IMUL R1.x, R0.x, c[64].x;\nSTB buf[0][R1.x].x, R0;\n"
      "USETP.NE P0.x, R0.y, c[64].y;\n(P0.x) EXIT;\nagain: MOV R2, R1;\nBRA again;\nEND\n",
      "!!SGCP1.0\nDEF c[64] = { 0x4, 0x3, 0, 0 };\n" SCENE_INVOCATION
      "IMUL R1.x, R0.x, c[64].x;\nSTB buf[0][R1.x].x, R0;\n"
      "USETP.NE P0.x, R0.y, c[64].y;\n(P0.x) EXIT;\nagain: BAR;\nBRA again;\nEND\n",
   };
   for (unsigned t = 0; t < 2; t++) {
      struct sgpu_device *dev = scene_device_of(&(struct sgpu_device_params){
         .threads = 2,
         .dispatch = SGPU_DISPATCH_OOO_SPLIT,
         .watchdog_instructions = 20000,
      });
      struct sgpu_queue_error error;
      struct scene s;
      scene_begin(&s, dev);
      struct sgpu_bo *bo = scene_bo(&s, BYTES);
      const struct SGPU_SHADER program = scene_program(&s, texts[t]);
      const struct SGPU_GRID grid = scene_grid_of(64, 1, 1, 50, 1, 1);
      scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 0, BYTES);
      scene_grid(&s, &program, &grid);
      scene_wait(&s, bo);
      const uint32_t *word = sgpu_bo_map(bo);
      for (unsigned i = 0; i < 64 * 50; i++) {
         if (i / 64 != 3)
            assert_int_equal(word[i], i);
      }
      assert_true(sgpu_queue_take_error(s.queue, &error));
      assert_int_equal(error.program, program.address);
      assert_non_null(strstr(error.message, "the compute program was stopped"));
      assert_false(sgpu_queue_take_error(s.queue, &error));
      scene_end(&s, NULL);
      sgpu_device_destroy(dev);
   }
}

static void
expect_error(struct scene *s, const char *text)
{
   struct sgpu_queue_error error;

   assert_true(sgpu_queue_take_error(s->queue, &error));
   if (!strstr(error.message, text))
      fail_msg("\"%s\" does not say \"%s\"", error.message, text);
   assert_false(sgpu_queue_take_error(s->queue, &error));
}

/* Empty grids, and grids that are too large for the watchdog. */
static void
test_sizes(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *bo = scene_bo(&s, BYTES), *numbers = scene_bo(&s, 4096);
   const struct SGPU_SHADER program = scene_program(&s, COUNT);
   struct SGPU_GRID grid = scene_grid_of(64, 1, 1, 0, 1, 1);

   s.constants[0][0] = 0.0f;
   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 0, BYTES);
   scene_grid(&s, &program, &grid);
   grid = scene_grid_of(0, 1, 1, 10, 1, 1);
   scene_grid(&s, &program, &grid);
   grid.indirect = true;
   grid.address = sgpu_bo_address(numbers);
   scene_grid(&s, &program, &grid);
   grid.group_size_x = 1;
   scene_grid(&s, &program, &grid);
   scene_wait(&s, bo);
   assert_false(sgpu_queue_take_error(s.queue, &(struct sgpu_queue_error){ 0 }));
   for (unsigned i = 0; i < WORDS; i++)
      assert_int_equal(((uint32_t *)sgpu_bo_map(bo))[i], 0);

   for (unsigned i = 0; i < 3; i++)
      ((uint32_t *)sgpu_bo_map(numbers))[i] = i == 2 ? 0xffffffff : 65535;
   scene_grid(&s, &program, &grid);
   scene_wait(&s, bo);
   expect_error(&s, "GRID: more invocations than the watchdog allows, by Address");

   grid = scene_grid_of(1, 1, 1, 65536, 1, 1);
   grid.groups_y = grid.groups_z = 65536;
   scene_grid(&s, &program, &grid);
   scene_wait(&s, bo);
   expect_error(&s, "GRID: more invocations than the watchdog allows");
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

/* Statistics, a predicate and counters of grids. */
static void
test_counts(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *bo = scene_bo(&s, BYTES), *numbers = scene_bo(&s, 4096);
   const struct SGPU_SHADER program = scene_program(&s, COUNT);
   struct SGPU_GRID grid = scene_grid_of(50, 1, 1, 30, 1, 1);

   scene_bind_buffer(&s, SGPU_STAGE_COMPUTE, 0, bo, 0, BYTES);
   scene_begin_query(&s, SGPU_QUERY_TYPE_PIPELINE_STATISTICS, 0);
   scene_grid(&s, &program, &grid);
   SCENE_EMIT(&s, PREDICATE, cfg) {
      cfg.value = SGPU_QUERY_VALUE_NOT_ZERO;
      cfg.address = sgpu_bo_address(numbers) + 2048;
   }
   grid.conditional = true;
   scene_grid(&s, &program, &grid);
   SCENE_EMIT(&s, PREDICATE, cfg) {
      cfg.value = SGPU_QUERY_VALUE_NOT_ZERO;
      cfg.inverted = true;
      cfg.address = sgpu_bo_address(numbers) + 2048;
   }
   grid.groups_x = 1;
   scene_grid(&s, &program, &grid);
   scene_end_query(&s, SGPU_QUERY_TYPE_PIPELINE_STATISTICS, 0, sgpu_bo_address(numbers));
   scene_wait(&s, numbers);
   assert_int_equal(((uint64_t *)sgpu_bo_map(numbers))[10], 50 * 31);
   assert_int_equal(counter(dev, "grids"), 3);
   assert_int_equal(counter(dev, "groups"), 31);
   assert_int_equal(counter(dev, "invocations"), 50 * 31);
   assert_int_equal(counter(dev, "compute_warps"), 2 * 31);
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unordered), cmocka_unit_test(test_ids),
      cmocka_unit_test(test_ordered),   cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_hazards),   cmocka_unit_test(test_commuting),
      cmocka_unit_test(test_endless),   cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_counts),    cmocka_unit_test(test_derivatives),
   };
   return cmocka_run_group_tests_name("compute", tests, NULL, NULL);
}
