/* SPDX-License-Identifier: MIT */
/*
 * Fragments of equal depth in a shadow of the device's memory. The device draws primitives in
 * program order. A shadow draws them in every order, with the rule that belongs to the depth
 * function, and must have the device's memory.
 */
#include "../../unit.h"
#include "scene.h"
#include "sgpu_observer.h"
#include "sgpu_shadow.h"

#define PRIMITIVES 3

static struct scene s;
static struct sgpu_shadow_image *image;
static uint32_t record; /* index of the state of a draw in the image */

static void
take_state(void *data, uint64_t submission, uint32_t number, const struct sgd_state *state,
           const struct sgd_xfer *xfer)
{
   if (image && state)
      record = sgpu_shadow_image_add_state(image, state);
}

/* Draws pixels 8 to 15 of rows 4 to 7, which are one block, in the colour of constant n. */
static void
draw_block(unsigned n)
{
   static const char *const programs[PRIMITIVES] = {
      "!!SGFP1.0\nMOV o[COLR0], c[0];\nEND\n",
      "!!SGFP1.0\nMOV o[COLR0], c[1];\nEND\n",
      "!!SGFP1.0\nMOV o[COLR0], c[2];\nEND\n",
   };
   const uint32_t first = scene_vertex(&s, 0.0f, 0.0f, 0.5f, 1.0f);

   scene_vertex(&s, 100.0f, 0.0f, 0.5f, 1.0f);
   scene_vertex(&s, 0.0f, 100.0f, 0.5f, 1.0f);
   s.st.ps = scene_program(&s, programs[n]);
   scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first, 3);
}

/* Draws the same fragments in a new shadow, in the given order. */
static void
check_order(const unsigned order[PRIMITIVES], enum sgpu_shadow_ties ties)
{
   struct sgpu_shadow *shadow;
   struct sgpu_shadow_result result = { 0 };
   float depth[32], color[4][32];

   assert_int_equal(sgpu_shadow_create(image, &shadow), 0);
   for (unsigned i = 0; i < PRIMITIVES; i++) {
      for (unsigned l = 0; l < 32; l++) {
         depth[l] = 0.5f;
         for (unsigned c = 0; c < 4; c++)
            color[c][l] = s.constants[order[i]][c];
      }
      const struct sgpu_shadow_draw draw = {
         .record = record,
         .number = 10 + order[i],
         .ties = ties,
         .front = true,
         .colors = 1,
         .depth_samples = 1,
         .color_samples = 1,
      };
      const struct sgpu_shadow_block block = {
         .x = 8,
         .y = 4,
         .mask = ~0u,
         .colored = ~0u,
         .depth = (const uint32_t *)depth,
         .color = (const uint32_t *)color,
      };
      assert_true(sgpu_shadow_draw(shadow, &draw, &block, 1, &result));
   }
   assert_int_equal(result.fragments, 32 * PRIMITIVES);

   assert_int_equal(sgpu_shadow_image_num_surfaces(image), 2);
   for (unsigned i = 0; i < 2; i++) {
      struct sgpu_shadow_difference diff;
      sgpu_shadow_compare(shadow, i, &diff, NULL, 0);
      if (diff.count)
         fail_msg("rule %u, order %u %u %u: %u pixels of surface %u differ", ties, order[0],
                  order[1], order[2], (unsigned)diff.count, i);
   }
   sgpu_shadow_destroy(shadow);
}

static void
check_rule(enum sgpu_compare func, enum sgpu_shadow_ties ties)
{
   static const unsigned orders[6][PRIMITIVES] = {
      { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
   };
   static const float black[4];
   const struct sgpu_observer observer = { .state = take_state };
   struct sgpu_device_params params;

   sgpu_device_params_from_env(&params);
   params.observer = &observer;
   struct sgpu_device *dev = scene_device_of(&params);
   scene_metadata = false;
   image = NULL;
   record = UINT32_MAX;
   scene_begin(&s, dev);
   for (unsigned n = 0; n < PRIMITIVES; n++) {
      for (unsigned c = 0; c < 4; c++)
         s.constants[n][c] = 0.125f * (n + 1 + c);
   }
   s.st.zs = scene_target(&s, SGPU_FORMAT_Z24X8_UNORM, SCENE_W, SCENE_H);
   scene_clear(&s, black, 1.0, 0);
   scene_wait(&s, s.st.color[0].bo);
   assert_int_equal(sgpu_shadow_image_create(dev, &image), 0);
   assert_int_equal(sgpu_shadow_image_add_buffer(image, s.st.color[0].bo), 0);
   assert_int_equal(sgpu_shadow_image_add_buffer(image, s.st.zs.bo), 0);

   s.st.dsa.depth_test = s.st.dsa.depth_write = true;
   s.st.dsa.depth_func = func;
   s.st.rast.scissor = true;
   s.st.scissor[0] = (struct SGPU_SCISSOR){ .x0 = 8, .y0 = 4, .x1 = 16, .y1 = 8 };
   for (unsigned n = 0; n < PRIMITIVES; n++)
      draw_block(n);
   scene_wait(&s, s.st.color[0].bo);
   assert_int_not_equal(record, UINT32_MAX);
   assert_int_equal(sgpu_shadow_image_finish(image), 0);
   for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
      check_order(orders[i], ties);
   sgpu_shadow_image_destroy(image);
   image = NULL;
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

static void
first(void **state)
{
   check_rule(SGPU_COMPARE_LESS, SGPU_SHADOW_TIES_FIRST);
}

static void
last(void **state)
{
   check_rule(SGPU_COMPARE_LEQUAL, SGPU_SHADOW_TIES_LAST);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(first),
      cmocka_unit_test(last),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
