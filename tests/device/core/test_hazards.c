/* SPDX-License-Identifier: MIT */
/*
 * Hazards between draws and writers of buffers, by range: an operation waits only
 * for operations on the same bytes, before and after draws that write memory
 * themselves.
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
   SCENE_EMIT(s, FILL_BUFFER, cfg) {
      cfg.destination = sgpu_bo_address(bo) + page * PAGE;
      cfg.size = PAGE;
      cfg.pattern_size = 4;
      cfg.pattern_0 = value;
   }
}

/* A triangle whose indices are `pages` pages of the buffer from `first` on. */
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

static void
begin(struct scene *s, struct sgpu_device *dev)
{
   scene_begin(s, dev);
   scene_triangles(s, 1, 50.0f);
   /* The clears of the targets are no part of the tests. */
   scene_submit(s);
   assert_int_equal(sgpu_bo_wait(s->vertex_bo, UINT64_MAX), 0);
   assert_int_equal(sgpu_bo_wait(s->results[0], UINT64_MAX), 0);
}

/* WAR: a fill waits for a draw that reads the range, and for no other. */
static void
test_fill_after_draw(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s;
   begin(&s, dev);
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
   hold_end();
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

/* RAW: a draw waits for the copy that writes its indices; a draw with indices
 * elsewhere in the same buffer does not.
 */
static void
test_draw_after_copy(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s;
   begin(&s, dev);
   struct sgpu_bo *indices = scene_bo(&s, PAGES * PAGE), *held = scene_bo(&s, PAGE);
   const uint64_t stalls = counter(dev, "stall_depend"), overtakes = counter(dev, "overtakes");

   hold_begin(held);
   SCENE_EMIT(&s, COPY_BUFFER, cfg) {
      cfg.source = sgpu_bo_address(held);
      cfg.destination = sgpu_bo_address(indices) + PAGE;
      cfg.size = PAGE;
   }
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
   hold_end();
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

/* WAR: a fill of the counter waits for the draw that takes its number of vertices from
 * it, although no buffer was ever written by the device before.
 */
static void
test_fill_after_count(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct scene s;
   begin(&s, dev);
   struct sgpu_bo *held = scene_bo(&s, PAGE), *copy = scene_bo(&s, PAGE);
   struct sgpu_bo *counter_bo = scene_bo(&s, PAGE);
   const uint64_t stalls = counter(dev, "stall_depend");
   const struct SGPU_DRAW packet = {
      .primitive = SGPU_PRIMITIVE_TRIANGLES,
      .instances = 1,
      .count_address = sgpu_bo_address(counter_bo),
      .count_stride = 1,
   };

   /* The draw waits for its vertices, which a held copy writes: its front end has not
    * begun when the fill comes.
    */
   hold_begin(held);
   SCENE_EMIT(&s, COPY_BUFFER, cfg) {
      cfg.source = sgpu_bo_address(held);
      cfg.destination = sgpu_bo_address(copy);
      cfg.size = PAGE;
   }
   scene_submit(&s);
   hold_wait();
   s.st.buffer[0].address = sgpu_bo_address(copy);
   s.st.buffer[0].size = PAGE;
   scene_draw_packet(&s, &packet);
   fill(&s, counter_bo, 0, 7);
   scene_submit(&s);
   WAIT_UNTIL(counter(dev, "stall_depend") == stalls + 2);
   assert_int_equal(word(counter_bo, 0), 0);
   hold_release();

   assert_int_equal(sgpu_bo_wait(counter_bo, UINT64_MAX), 0);
   assert_int_equal(word(counter_bo, 0), 7);
   hold_end();
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fill_after_draw),
      cmocka_unit_test(test_draw_after_copy),
      cmocka_unit_test(test_fill_after_count),
   };
   return cmocka_run_group_tests_name("hazards", tests, NULL, NULL);
}
