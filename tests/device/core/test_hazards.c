/* SPDX-License-Identifier: MIT */
/*
 * Hazards of buffers, by range: an operation waits only for operations on the same bytes, before
 * and after draws whose programs write memory. Also hazards of queries and predicates.
 */
#define _GNU_SOURCE
#include "hold.h"
#include "scene.h"

#define PAGE SGPU_PAGE_SIZE
#define PAGES 4

static uint32_t
word(struct sgpu_bo *bo, uint32_t page)
{
   return __atomic_load_n((uint32_t *)sgpu_bo_map(bo) + page * PAGE / 4, __ATOMIC_RELAXED);
}

static void
fill(struct scene *s, struct sgpu_bo *bo, uint32_t page, uint32_t value)
{
   scene_fill_buffer(s, sgpu_bo_address(bo) + page * PAGE, PAGE, value);
}

/* Draws a triangle whose range of indices is `pages` pages of the buffer, from page `first` on. */
static void
draw(struct scene *s, struct sgpu_bo *indices, uint32_t first, uint32_t pages)
{
   const struct SGPU_DRAW packet = {
      .primitive = SGPU_PRIMITIVE_TRIANGLES,
      .index_size = SGPU_INDEX_SIZE_U32,
      .count = 3,
      .instances = 1,
      .index_address = sgpu_bo_address(indices) + first * PAGE,
      .index_bytes = pages * PAGE,
   };
   scene_draw_packet(s, &packet);
}

static struct sgpu_device *
begin(struct scene *s)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);

   scene_begin(s, dev);
   scene_triangles(s, 1, 50.0f);
   /* Submit the clears of the targets, which the tests do not count. */
   scene_wait(s, s->vertex_bo);
   assert_int_equal(sgpu_bo_wait(s->results[0], UINT64_MAX), 0);
   return dev;
}

static void
end(struct scene *s)
{
   hold_end();
   scene_end(s, NULL);
   sgpu_device_destroy(s->dev);
}

/* Draws triangles, whose number of vertices is that of a counter. */
static void
draw_counted(struct scene *s, struct sgpu_bo *counter_bo)
{
   const struct SGPU_DRAW packet = {
      .primitive = SGPU_PRIMITIVE_TRIANGLES,
      .instances = 1,
      .count_address = sgpu_bo_address(counter_bo),
      .count_stride = 1,
   };
   scene_draw_packet(s, &packet);
}

/* WAR: a fill waits for a draw that reads the range, and for no other draw. */
static void
test_fill_after_draw(void **state)
{
   struct scene s;
   struct sgpu_device *dev = begin(&s);
   struct sgpu_bo *indices = scene_bo(&s, PAGES * PAGE);
   const uint64_t stalls = counter(dev, "stall_depend"), overtakes = counter(dev, "overtakes");

   hold_begin(indices);
   draw(&s, indices, 0, 2);
   fill(&s, indices, 3, 7);
   fill(&s, indices, 1, 8);
   scene_submit(&s);
   hold_wait();
   WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 1);
   assert_int_equal(word(indices, 3), 7);
   WAIT_UNTIL(counter(dev, "stall_depend") == stalls + 1);
   assert_int_equal(word(indices, 1), 0);
   hold_release();

   assert_int_equal(sgpu_bo_wait(indices, UINT64_MAX), 0);
   assert_int_equal(word(indices, 1), 8);
   assert_int_equal(counter(dev, "stall_depend"), stalls + 1);
   end(&s);
}

/* RAW: a draw waits for the copy that writes its indices. A draw with indices elsewhere in the same
 * buffer does not wait.
 */
static void
test_draw_after_copy(void **state)
{
   struct scene s;
   struct sgpu_device *dev = begin(&s);
   struct sgpu_bo *indices = scene_bo(&s, PAGES * PAGE), *held = scene_bo(&s, PAGE);
   const uint64_t stalls = counter(dev, "stall_depend"), overtakes = counter(dev, "overtakes");

   hold_begin(held);
   scene_copy_buffer(&s, sgpu_bo_address(indices) + PAGE, sgpu_bo_address(held), PAGE);
   draw(&s, indices, 2, 2);
   scene_submit(&s);
   hold_wait();
   WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 1);
   assert_int_equal(counter(dev, "stall_depend"), stalls);
   draw(&s, indices, 0, 2);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "stall_depend") == stalls + 1);
   assert_true(sgpu_bo_busy(indices));
   hold_release();

   assert_int_equal(sgpu_bo_wait(indices, UINT64_MAX), 0);
   end(&s);
}

/* WAR: a fill of a counter waits for the draw that takes its number of vertices from the counter,
 * although the device has not written to any buffer before.
 */
static void
test_fill_after_count(void **state)
{
   struct scene s;
   struct sgpu_device *dev = begin(&s);
   struct sgpu_bo *held = scene_bo(&s, PAGE), *copy = scene_bo(&s, PAGE);
   struct sgpu_bo *counter_bo = scene_bo(&s, PAGE);
   const uint64_t stalls = counter(dev, "stall_depend");

   /* The draw waits for its vertices, which a held copy writes. So its front end has not begun when
    * the device reads the fill.
    */
   hold_begin(held);
   scene_copy_buffer(&s, sgpu_bo_address(copy), sgpu_bo_address(held), PAGE);
   scene_submit(&s);
   hold_wait();
   s.st.buffer[0].address = sgpu_bo_address(copy);
   s.st.buffer[0].size = PAGE;
   draw_counted(&s, counter_bo);
   fill(&s, counter_bo, 0, 7);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "stall_depend") == stalls + 2);
   assert_int_equal(word(counter_bo, 0), 0);
   hold_release();

   assert_int_equal(sgpu_bo_wait(counter_bo, UINT64_MAX), 0);
   assert_int_equal(word(counter_bo, 0), 7);
   end(&s);
}

/* Draws three points, and records a word of each vertex at the start of the buffer. */
static void
draw_xfb(struct scene *s, struct sgpu_bo *bo, struct sgpu_bo *counter_bo)
{
   uint32_t *p = scene_get(s, SGPU_XFB_OUTPUTS_length(1));
   sgpu_pack(p, XFB_OUTPUTS, cfg) {
      cfg.tail_count = 1;
      cfg.stride_0 = 1;
   }
   sgpu_pack(SGPU_XFB_OUTPUTS_tail(p, 0), XFB_OUTPUT, cfg) {
      cfg.output = SGPU_VO_GEN0;
      cfg.components = 1;
   }
   p = scene_get(s, SGPU_XFB_BUFFERS_length(1));
   sgpu_pack(p, XFB_BUFFERS, cfg)
      cfg.tail_count = 1;
   sgpu_pack(SGPU_XFB_BUFFERS_tail(p, 0), XFB_BUFFER, cfg) {
      cfg.address = sgpu_bo_address(bo);
      cfg.counter = sgpu_bo_address(counter_bo);
      cfg.size = PAGE;
   }
   scene_draw(s, SGPU_PRIMITIVE_POINTS, 0, 3);
   scene_submit(s);
}

/* Transform feedback: a fill waits for the range that is recorded. A draw waits for the counter
 * from which it takes its number of vertices.
 */
static void
test_xfb(void **state)
{
   struct scene s;
   struct sgpu_device *dev = begin(&s);
   struct sgpu_bo *recorded = scene_bo(&s, PAGES * PAGE), *counter_bo = scene_bo(&s, PAGE);
   const uint64_t overtakes = counter(dev, "overtakes");

   hold_begin(recorded);
   draw_xfb(&s, recorded, counter_bo);
   hold_wait();
   fill(&s, recorded, 1, 7);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 1);
   assert_int_equal(counter(dev, "stall_depend"), 0);
   fill(&s, recorded, 0, 8);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "stall_waw") == 1);
   draw_counted(&s, counter_bo);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "stall_xfb") == 1);
   assert_int_equal(counter(dev, "stall_depend"), 2);
   assert_int_equal(counter(dev, "overtakes"), overtakes + 1);
   hold_release();

   assert_int_equal(sgpu_bo_wait(recorded, UINT64_MAX), 0);
   assert_int_equal(word(recorded, 0), 8);
   assert_int_equal(*(uint64_t *)sgpu_bo_map(counter_bo), 3 * 4);
   end(&s);
}

/* Emits two queries. The first one counts a held draw and writes the first number of `numbers`; the
 * second one counts no draw and writes the second number.
 */
static void
query_held_draw(struct scene *s, struct sgpu_bo *indices, struct sgpu_bo *numbers)
{
   for (unsigned i = 0; i < 2; i++) {
      scene_begin_query(s, SGPU_QUERY_TYPE_PRIMITIVES_GENERATED, 0);
      if (i == 0)
         draw(s, indices, 0, 1);
      scene_end_query(s, SGPU_QUERY_TYPE_PRIMITIVES_GENERATED, 0, sgpu_bo_address(numbers) + 8 * i);
   }
   scene_submit(s);
}

/* Numbers of queries: results, copies and fills wait for the queries whose numbers they read or
 * overwrite.
 */
static void
test_query(void **state)
{
   struct scene s;
   struct sgpu_device *dev = begin(&s);
   struct sgpu_bo *indices = scene_bo(&s, PAGES * PAGE), *numbers = scene_bo(&s, PAGE);
   struct sgpu_bo *to = scene_bo(&s, PAGE);
   const uint64_t overtakes = counter(dev, "overtakes");

   hold_begin(indices);
   query_held_draw(&s, indices, numbers);
   hold_wait();
   /* The query without draws ends before the held draw. */
   WAIT_UNTIL(counter(dev, "stall_query") == 1);
   WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 1);

   for (unsigned i = 0; i < 2; i++) {
      SCENE_EMIT(&s, STORE_RESULT, cfg) {
         cfg.value = SGPU_QUERY_VALUE_NUMBER;
         cfg.type = SGPU_NUMBER_TYPE_U64;
         cfg.address = sgpu_bo_address(numbers) + 8 * !i;
         cfg.destination = sgpu_bo_address(to) + 8 * !i;
      }
      scene_copy_buffer(&s, sgpu_bo_address(to) + 16 + 8 * !i, sgpu_bo_address(numbers) + 8 * !i,
                        8);
      scene_submit(&s);
      WAIT_UNTIL(counter(dev, i ? "stall_raw" : "overtakes") == (i ? 2 : overtakes + 3));
      assert_int_equal(counter(dev, "stall_raw"), 2 * i);
   }
   SCENE_EMIT(&s, FILL_BUFFER, cfg) {
      cfg.destination = sgpu_bo_address(numbers);
      cfg.size = 8;
      cfg.pattern_size = 8;
   }
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "stall_waw") == 1);
   assert_int_equal(counter(dev, "overtakes"), overtakes + 3);
   hold_release();

   assert_int_equal(sgpu_bo_wait(numbers, UINT64_MAX), 0);
   const uint64_t *n = sgpu_bo_map(numbers), *copies = sgpu_bo_map(to);
   assert_int_equal(n[0], 0);
   assert_int_equal(n[1], 0);
   assert_int_equal(copies[0], 1);
   assert_int_equal(copies[1], 0);
   assert_int_equal(copies[2], 1);
   assert_int_equal(copies[3], 0);
   end(&s);
}

/* A conditional clear waits for the query that decides about it. Another clear does not wait. */
static void
test_predicate(void **state)
{
   struct scene s;
   struct sgpu_device *dev = begin(&s);
   struct sgpu_bo *indices = scene_bo(&s, PAGES * PAGE), *numbers = scene_bo(&s, PAGE);
   const struct scene_image image = scene_target(&s, SGPU_FORMAT_R8G8B8A8_UNORM, 64, 64);
   const uint64_t overtakes = counter(dev, "overtakes");

   hold_begin(indices);
   query_held_draw(&s, indices, numbers);
   hold_wait();
   WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 1);
   for (unsigned conditional = 0; conditional < 2; conditional++) {
      SCENE_EMIT(&s, PREDICATE, cfg) {
         cfg.value = SGPU_QUERY_VALUE_NOT_ZERO;
         cfg.inverted = true;
         cfg.address = sgpu_bo_address(numbers);
      }
      SCENE_EMIT(&s, CLEAR_SURFACE, cfg) {
         cfg.color = true;
         cfg.conditional = conditional;
         cfg.surface = scene_surface(&image, 0, 0, 1);
         cfg.color_0 = 0x3f800000;
         cfg.rect = conditional ? (struct SGPU_RECT){ 0, 0, 8, 8 }
                                : (struct SGPU_RECT){ 8, 8, 16, 16 };
      }
      scene_submit(&s);
      if (conditional)
         WAIT_UNTIL(counter(dev, "stall_predicate") == 1);
      else
         WAIT_UNTIL(counter(dev, "overtakes") == overtakes + 2);
   }
   assert_int_equal(counter(dev, "overtakes"), overtakes + 2);
   hold_release();

   assert_int_equal(sgpu_bo_wait(image.bo, UINT64_MAX), 0);
   const uint8_t *pixels = sgpu_bo_map(image.bo);
   assert_int_equal(pixels[sgpu_layout_offset(&image.layout, 0, 0, 0, 0, 0)], 0);
   assert_int_equal(pixels[sgpu_layout_offset(&image.layout, 0, 0, 0, 8, 8)], 0xff);
   end(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fill_after_draw),
      cmocka_unit_test(test_draw_after_copy),
      cmocka_unit_test(test_fill_after_count),
      cmocka_unit_test(test_xfb),
      cmocka_unit_test(test_query),
      cmocka_unit_test(test_predicate),
   };
   return cmocka_run_group_tests_name("hazards", tests, NULL, NULL);
}
