/* SPDX-License-Identifier: MIT */
/*
 * Errors of a queue: programs that never end are stopped, and submissions end at a bad packet. Each
 * error is reported once, and all other work is drawn.
 */
#include "device_test.h"
#include "scene.h"

#define TRIANGLES 20

static struct sgpu_device *
device(unsigned threads, enum sgpu_dispatch_policy policy, enum sgpu_exec exec)
{
   return scene_device_of(&(struct sgpu_device_params){
      .threads = threads,
      .dispatch = policy,
      .host = SGPU_HOST_BEST,
      .exec = exec,
      .watchdog_instructions = 20000,
   });
}

static void
begin(struct scene *s, struct sgpu_device *dev)
{
   scene_begin(s, dev);
   scene_blend_over(s);
   scene_triangles(s, TRIANGLES, 60.0f);
}

static void
draw(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, 0, 3 * TRIANGLES);
}

static void
wait(struct scene *s)
{
   scene_wait(s, s->results[0]);
}

/* Draws twice. Between these draws, if text is not NULL, draws once with a pixel or vertex program
 * that never ends, whose error must be reported.
 */
static uint64_t
picture(struct sgpu_device *dev, const char *text, bool submit, bool pixel)
{
   static struct scene s;
   begin(&s, dev);
   draw(&s);
   if (text) {
      struct SGPU_SHADER *slot = pixel ? &s.st.ps : &s.st.vs;
      const struct SGPU_SHADER before = *slot;
      struct sgpu_queue_error error;

      *slot = scene_program(&s, text);
      const uint64_t address = slot->address;
      draw(&s);
      *slot = before;
      if (submit)
         wait(&s);
      draw(&s);
      wait(&s);
      assert_true(sgpu_queue_take_error(s.queue, &error));
      assert_int_equal(error.draw, 2);
      assert_int_equal(error.program, address);
      assert_non_null(strstr(error.message, pixel ? "the pixel program" : "the vertex program"));
      assert_false(sgpu_queue_take_error(s.queue, &error));
   } else {
      draw(&s);
   }
   return scene_end(&s, NULL);
}

static const struct {
   unsigned threads;
   enum sgpu_dispatch_policy policy;
   enum sgpu_exec exec;
} ways[] = {
   { 1, SGPU_DISPATCH_INORDER, SGPU_EXEC_INTERP },
   { 2, SGPU_DISPATCH_OOO, SGPU_EXEC_AUTO },
   { 2, SGPU_DISPATCH_OOO_SPLIT, SGPU_EXEC_JIT },
};

/* Loops have at least two instructions, so that SGPU_EXEC_JIT makes machine code for them. */
static void
check_endless(const char *text, bool pixel)
{
   for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
      struct sgpu_device *dev = device(ways[i].threads, ways[i].policy, ways[i].exec);
      const uint64_t expected = picture(dev, NULL, false, pixel);

      for (unsigned submit = 0; submit < 2; submit++)
         assert_int_equal(picture(dev, text, submit, pixel), expected);
      sgpu_device_destroy(dev);
   }
}

static void
test_endless_pixel(void **state)
{
   check_endless("!!SGFP1.0\nagain: MOV o[COLR0], v[0]; ADD R0, v[0], v[0]; BRA again;\nEND\n",
                 true);
}

/* All vertices of the endless program have the same position. */
static void
test_endless_vertex(void **state)
{
   check_endless("!!SGVP1.0\nagain: MOV R0, v[0]; ADD R1, R0, v[0]; BRA again;\nEND\n", false);
}

/* When the budget of a queue is used up, its work ends, also in a short loop without an instruction
 * limit, and so does the work that was submitted after it. Other queues and later work are not
 * affected.
 */
static void
test_budget(void **state)
{
   for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
      struct sgpu_device *dev = scene_device_of(&(struct sgpu_device_params){
         .threads = ways[i].threads,
         .dispatch = ways[i].policy,
         .host = SGPU_HOST_BEST,
         .exec = ways[i].exec,
         .watchdog_instructions = UINT64_MAX,
      });
      static struct scene s, other;
      struct sgpu_queue_error error;

      begin(&s, dev);
      draw(&s);
      const uint64_t expected = scene_end(&s, NULL);

      begin(&other, dev);
      assert_int_equal(sgpu_queue_set_budget(other.queue, UINT64_C(600000000000)), 0);
      begin(&s, dev);
      assert_int_equal(sgpu_queue_set_budget(s.queue, 200000000), 0);
      wait(&s);
      const struct SGPU_SHADER before = s.st.ps;
      s.st.ps = scene_program(
         &s, "!!SGFP1.0\nagain: MOV o[COLR0], v[0]; ADD R0, v[0], v[0]; BRA again;\nEND\n");
      draw(&s);
      scene_submit(&s);
      draw(&other);
      draw(&s);
      s.st.ps = before;
      wait(&s);
      assert_true(sgpu_queue_take_error(s.queue, &error));
      assert_int_equal(error.draw, 1);
      assert_non_null(strstr(error.message, "an operation was stopped after"));
      assert_false(sgpu_queue_take_error(s.queue, &error));

      /* The stopped draw leaves no pixels, or those of warps that had ended. Later draws work. */
      draw(&s);
      wait(&s);
      assert_false(sgpu_queue_take_error(s.queue, &error));
      scene_end(&s, NULL);
      assert_int_equal(scene_end(&other, NULL), expected);
      sgpu_device_destroy(dev);
   }
}

/* A bad packet ends its submission; the next one draws. */
static void
test_bad_packet(void **state)
{
   struct sgpu_device *dev = device(2, SGPU_DISPATCH_OOO_SPLIT, SGPU_EXEC_AUTO);
   static struct scene s;
   struct sgpu_queue_error error;

   begin(&s, dev);
   draw(&s);
   const uint64_t expected = scene_end(&s, NULL);

   begin(&s, dev);
   wait(&s);
   *scene_get(&s, 1) = 0xfe;
   scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, 0, 3);
   scene_submit(&s);
   draw(&s);
   wait(&s);
   assert_true(sgpu_queue_take_error(s.queue, &error));
   assert_int_equal(error.packet, 0);
   assert_int_equal(error.draw, 0);
   assert_non_null(strstr(error.message, "packet 0"));
   assert_int_equal(scene_end(&s, NULL), expected);
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_endless_pixel),
      cmocka_unit_test(test_endless_vertex),
      cmocka_unit_test(test_budget),
      cmocka_unit_test(test_bad_packet),
   };
   return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}
