/* SPDX-License-Identifier: MIT */
/*
 * Results of queries on the whole device: STORE RESULT with every value and type, and work under a
 * PREDICATE, with all thread counts and policies.
 */
#include "../../unit.h"
#include "scene.h"

#define SEEDS 4
#define STEPS 60
#define TRIANGLES 40
#define NUMBERS 12 /* 64-bit numbers of the longest value */

/* A value of a query, and the number of triples of 64-bit numbers that it reads. */
struct what {
   enum sgpu_query_value value;
   unsigned triples;
};

static uint64_t
value_of(const struct what *what, const uint64_t *n)
{
   uint64_t different = 0;

   switch (what->value) {
   case SGPU_QUERY_VALUE_NUMBER:
      return n[0];
   case SGPU_QUERY_VALUE_NOT_ZERO:
      return n[0] ? 1 : 0;
   case SGPU_QUERY_VALUE_DIFFERENCE:
      return n[1] - n[0];
   case SGPU_QUERY_VALUE_OVERFLOW:
      for (unsigned i = 0; i < what->triples; i++)
         different |= n[3 * i + 1] ^ n[3 * i + 2];
      return different ? 1 : 0;
   case SGPU_QUERY_VALUE_ONE:
      return 1;
   }
   return 0;
}

static struct what
any_value(struct scene *s)
{
   struct what what = { .value = scene_below(s, 5) };

   if (what.value == SGPU_QUERY_VALUE_OVERFLOW)
      what.triples = scene_below(s, 5);
   return what;
}

/* Returns a random number: small, or near to the limits of number types. */
static uint64_t
any_number(struct scene *s)
{
   static const uint64_t ends[] = { 0, 0, 1, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX };

   return ends[scene_below(s, sizeof ends / sizeof ends[0])] + scene_below(s, 3) -
          scene_below(s, 2);
}

static void
any_numbers(struct scene *s, uint64_t *row)
{
   for (unsigned n = 0; n < NUMBERS; n++)
      row[n] = n && scene_below(s, 2) ? row[n - 1] : any_number(s);
}

/* Emits a copy of row `row` of the table to the address that results read. */
static void
copy_numbers(struct scene *s, struct sgpu_bo *table, unsigned row, struct sgpu_bo *numbers)
{
   scene_copy_buffer(s, sgpu_bo_address(numbers), sgpu_bo_address(table) + NUMBERS * 8 * row,
                     NUMBERS * 8);
}

/* The device copies the numbers of each step to the same address and stores a value of them. The
 * destinations are random.
 */
static void
store(void **state)
{
   static const struct {
      unsigned bytes;
      uint64_t most;
   } types[] = {
      [SGPU_NUMBER_TYPE_U32] = { 4, 0xffffffffu },
      [SGPU_NUMBER_TYPE_I32] = { 4, 0x7fffffffu },
      [SGPU_NUMBER_TYPE_U64] = { 8, 0xffffffffffffffffu },
      [SGPU_NUMBER_TYPE_I64] = { 8, 0x7fffffffffffffffu },
   };
   struct sgpu_device *dev = scene_device(2, SGPU_DISPATCH_OOO_SPLIT, 3);
   struct scene s;
   scene_begin(&s, dev);
   struct sgpu_bo *table = scene_bo(&s, STEPS * NUMBERS * 8), *numbers = scene_bo(&s, NUMBERS * 8),
                  *results = scene_bo(&s, STEPS * 16);
   uint64_t *rows = sgpu_bo_map(table);
   uint8_t want[STEPS * 16];

   memset(want, 0xee, sizeof want);
   memset(sgpu_bo_map(results), 0xee, sizeof want);
   for (unsigned i = 0; i < STEPS; i++) {
      const struct what what = any_value(&s);
      const enum sgpu_number_type type = scene_below(&s, 4);
      const unsigned at = 16 * i + scene_below(&s, 8);
      uint64_t *row = rows + NUMBERS * i;

      any_numbers(&s, row);
      uint64_t value = value_of(&what, row);
      if (value > types[type].most)
         value = types[type].most;
      memcpy(want + at, &value, types[type].bytes);

      copy_numbers(&s, table, i, numbers);
      SCENE_EMIT(&s, STORE_RESULT, cfg) {
         cfg.value = what.value;
         cfg.triples = what.triples;
         cfg.type = type;
         cfg.address = sgpu_bo_address(numbers);
         cfg.destination = sgpu_bo_address(results) + at;
      }
   }
   scene_wait(&s, results);
   assert_memory_equal(sgpu_bo_map(results), want, sizeof want);
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
}

static void
begin(struct scene *s, struct sgpu_device *dev, uint64_t seed)
{
   scene_begin(s, dev);
   s->random = seed;
   scene_blend(s, SGPU_BLEND_FACTOR_SRC_ALPHA, SGPU_BLEND_FACTOR_INV_SRC_ALPHA,
               SGPU_BLEND_FACTOR_ONE, SGPU_BLEND_FACTOR_ZERO);
   scene_triangles(s, TRIANGLES, 70.0f);
}

/* Emits a random draw, clear or blit, if `emit` is set. `conditional` sets the packet's field. */
static void
work(struct scene *s, const struct scene_image *source, bool conditional, bool emit)
{
   const unsigned kind = scene_below(s, 6), first = 3 * scene_below(s, TRIANGLES - 10);
   const int32_t x = scene_below(s, SCENE_W), y = scene_below(s, SCENE_H);
   const struct SGPU_RECT rect = { x, y, x + 30, y + 50 };
   const uint32_t random = scene_random(s);

   if (!emit)
      return;
   if (kind < 3) {
      const struct SGPU_DRAW draw = {
         .primitive = SGPU_PRIMITIVE_TRIANGLES,
         .first = first,
         .count = 30,
         .instances = 1,
         .conditional = conditional,
      };
      scene_draw_packet(s, &draw);
   } else if (kind == 3) {
      scene_emit_state(s);
      SCENE_EMIT(s, CLEAR, cfg) {
         cfg.colors = 1;
         cfg.color_0 = (random & 1) * 0x3f800000u;
         cfg.color_1 = (random >> 1 & 1) * 0x3f800000u;
         cfg.rect = rect;
         cfg.conditional = conditional;
      }
   } else if (kind == 4) {
      SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
         cfg.color = true;
         cfg.surface = scene_surface(&s->st.color[0], 0, 0, 1);
         cfg.color_2 = (random & 1) * 0x3f800000u;
         cfg.rect = rect;
         cfg.conditional = conditional;
      }
   } else {
      SCENE_EMIT(s, BLIT, cfg) {
         cfg.mask = 15;
         cfg.layers = 1;
         cfg.source = scene_surface(source, 0, 0, 1);
         cfg.destination = scene_surface(&s->st.color[0], 0, 0, 1);
         cfg.source_rect = (struct SGPU_RECT){ 0, 0, 16, 16 };
         cfg.destination_rect = rect;
         cfg.source_z1 = 1.0f;
         cfg.conditional = conditional;
      }
   }
}

/* Emits STEPS pieces of work, each after a copy of numbers to the address that predicates read. If
 * by_device is set, the device skips work by a predicate; otherwise this work is not in the stream.
 */
static uint64_t
picture(struct sgpu_device *dev, uint64_t seed, bool by_device)
{
   struct scene s;
   begin(&s, dev, seed);
   const struct sgpu_layout_params params = scene_params(SGPU_FORMAT_R8G8B8A8_UNORM, 16, 16);
   const struct scene_image source = scene_image(&s, &params);
   scene_noise(&s, &source);
   struct sgpu_bo *table = scene_bo(&s, STEPS * NUMBERS * 8), *numbers = scene_bo(&s, NUMBERS * 8);
   uint64_t *rows = sgpu_bo_map(table);
   bool holds = true;

   for (unsigned i = 0; i < STEPS; i++) {
      const bool change = i && scene_below(&s, 3), conditional = scene_below(&s, 4);
      const bool submit = !scene_below(&s, 9);

      if (change) {
         const struct what what = any_value(&s);
         const bool inverted = scene_below(&s, 2);
         uint64_t *row = rows + NUMBERS * i;

         any_numbers(&s, row);
         holds = (value_of(&what, row) != 0) != inverted;
         copy_numbers(&s, table, i, numbers);
         SCENE_EMIT(&s, PREDICATE, cfg) {
            cfg.value = what.value;
            cfg.triples = what.triples;
            cfg.inverted = inverted;
            cfg.address = sgpu_bo_address(numbers);
         }
      }
      work(&s, &source, by_device && conditional, by_device || holds || !conditional);
      if (submit) {
         scene_submit(&s);
         holds = true;
      }
   }
   return scene_end(&s, NULL);
}

static void
pictures(void **state)
{
   scene_compare_ways(SEEDS, picture);
}

/* A count decides whether later work runs, without a wait of the CPU. */
static void
counted(void **state)
{
   for (unsigned threads = 1; threads <= 4; threads++) {
      struct sgpu_device *dev = scene_device(threads, SGPU_DISPATCH_OOO_SPLIT, threads);
      struct scene s;
      uint64_t hash[2];

      for (unsigned by_device = 0; by_device < 2; by_device++) {
         begin(&s, dev, 5);
         struct sgpu_bo *numbers = scene_bo(&s, 4096);
         struct sgpu_bo *counts = scene_bo(&s, 4096);
         for (unsigned i = 0; i < 30; i++) {
            const bool inside = scene_below(&s, 2);
            const uint32_t first = 3 * scene_below(&s, TRIANGLES - 10);
            s.st.rast.scissor = true;
            s.st.scissor[0] = (struct SGPU_SCISSOR){ .x1 = inside ? SCENE_W : 0, .y1 = SCENE_H };
            scene_begin_query(&s, SGPU_QUERY_TYPE_OCCLUSION_PREDICATE, i % 2);
            scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first, 30);
            scene_end_query(&s, SGPU_QUERY_TYPE_OCCLUSION_PREDICATE, i % 2,
                            sgpu_bo_address(numbers) + 8 * i);
            s.st.rast.scissor = false;
            if (by_device) {
               SCENE_EMIT(&s, PREDICATE, cfg) {
                  cfg.value = SGPU_QUERY_VALUE_NUMBER;
                  cfg.inverted = i % 3 == 0;
                  cfg.address = sgpu_bo_address(numbers) + 8 * i;
               }
               SCENE_EMIT(&s, STORE_RESULT, cfg) {
                  cfg.value = SGPU_QUERY_VALUE_NUMBER;
                  cfg.type = SGPU_NUMBER_TYPE_U32;
                  cfg.address = sgpu_bo_address(numbers) + 8 * i;
                  cfg.destination = sgpu_bo_address(counts) + 4 * i;
               }
            }
            const struct SGPU_DRAW draw = {
               .primitive = SGPU_PRIMITIVE_TRIANGLES,
               .first = first,
               .count = 15,
               .instances = 1,
               .conditional = by_device,
            };
            if (by_device || inside != (i % 3 == 0))
               scene_draw_packet(&s, &draw);
         }
         scene_wait(&s, counts);
         assert_int_equal(sgpu_bo_wait(numbers, UINT64_MAX), 0);
         for (unsigned i = 0; i < 30 && by_device; i++)
            assert_int_equal(((uint32_t *)sgpu_bo_map(counts))[i],
                             ((uint64_t *)sgpu_bo_map(numbers))[i]);
         hash[by_device] = scene_end(&s, NULL);
      }
      assert_true(hash[0] == hash[1]);
      sgpu_device_destroy(dev);
   }
}

static void
refusals(void **state)
{
   static const struct {
      const char *text;
      bool predicate;
      uint64_t address, destination; /* offsets in the buffer, in bytes */
      struct what what;
   } cases[] = {
      { "numbers are not", true, 4, 0, { SGPU_QUERY_VALUE_NUMBER, 0 } },
      { "numbers are not", true, 1 << 30, 0, { SGPU_QUERY_VALUE_NOT_ZERO, 0 } },
      { "numbers are not", true, 4096 - 8, 0, { SGPU_QUERY_VALUE_DIFFERENCE, 0 } },
      { "numbers are not", true, 4096 - 88, 0, { SGPU_QUERY_VALUE_OVERFLOW, 4 } },
      { "numbers are not", false, 4096 - 8, 0, { SGPU_QUERY_VALUE_DIFFERENCE, 0 } },
      { "Destination is not", false, 0, 4096 - 7, { SGPU_QUERY_VALUE_NUMBER, 0 } },
      { "Destination is not", false, 0, 1 << 30, { SGPU_QUERY_VALUE_ONE, 0 } },
   };
   struct sgpu_device *dev = scene_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);

   for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      struct scene s;
      struct sgpu_queue_error error;
      begin(&s, dev, 1);
      struct sgpu_bo *bo = scene_bo(&s, 4096);
      const uint64_t base = sgpu_bo_address(bo);

      if (cases[i].predicate) {
         SCENE_EMIT(&s, PREDICATE, cfg) {
            cfg.value = cases[i].what.value;
            cfg.triples = cases[i].what.triples;
            cfg.address = base + cases[i].address;
         }
      } else {
         SCENE_EMIT(&s, STORE_RESULT, cfg) {
            cfg.value = cases[i].what.value;
            cfg.triples = cases[i].what.triples;
            cfg.type = SGPU_NUMBER_TYPE_U64;
            cfg.address = base + cases[i].address;
            cfg.destination = base + cases[i].destination;
         }
      }
      scene_wait(&s, bo);
      assert_true(sgpu_queue_take_error(s.queue, &error));
      if (!strstr(error.message, cases[i].text))
         fail_msg("case %u: %s", i, error.message);
      scene_end(&s, NULL);
   }
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(store),
      cmocka_unit_test(pictures),
      cmocka_unit_test(counted),
      cmocka_unit_test(refusals),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
