/* SPDX-License-Identifier: MIT */
/*
 * Indirect draws on the whole device. The device copies their parameters, always to the same
 * address. With all thread counts and policies, the picture is the same as with the parameters in
 * the packet.
 */
#include "../../unit.h"
#include "scene.h"

#define SEEDS 4
#define DRAWS 50
#define TRIANGLES 50
#define U16_WORDS 256 /* offsets of indices of two and four bytes, in words */
#define U32_WORDS 512
#define INDICES 400

static struct sgpu_device *
device(unsigned threads, enum sgpu_dispatch_policy policy, uint64_t shuffle)
{
   return scene_device_of(&(struct sgpu_device_params){
      .threads = threads,
      .dispatch = policy,
      .shuffle_seed = shuffle,
      .watchdog_vertices = 1 << 20,
   });
}
/* Begins a scene of translucent triangles whose second attribute changes from instance to instance.
 */
static void
begin(struct scene *s, struct sgpu_device *dev, uint64_t seed)
{
   scene_begin(s, dev);
   s->random = seed;
   scene_blend(s, SGPU_BLEND_FACTOR_SRC_ALPHA, SGPU_BLEND_FACTOR_INV_SRC_ALPHA,
               SGPU_BLEND_FACTOR_ONE, SGPU_BLEND_FACTOR_ZERO);
   s->st.element[1].divisor = 1;
   scene_triangles(s, TRIANGLES, 50.0f);

   uint8_t *u8 = (uint8_t *)s->indices;
   uint16_t *u16 = (uint16_t *)(s->indices + U16_WORDS);
   uint32_t *u32 = s->indices + U32_WORDS;
   for (unsigned i = 0; i < INDICES; i++) {
      u8[i] = scene_below(s, 3 * TRIANGLES);
      u16[i] = scene_below(s, 3 * TRIANGLES);
      u32[i] = scene_below(s, 3 * TRIANGLES);
   }
}

static struct SGPU_DRAW
any_draw(struct scene *s)
{
   static const unsigned begins[] = { 0, 0, U16_WORDS * 4, U32_WORDS * 4 };
   struct SGPU_DRAW draw = {
      .primitive = scene_below(s, 2) ? SGPU_PRIMITIVE_TRIANGLES : SGPU_PRIMITIVE_TRIANGLE_STRIP,
      .index_size = scene_below(s, 4),
      .first = scene_below(s, 60),
      .count = scene_below(s, 40),
      .first_instance = scene_below(s, 60),
      .instances = scene_below(s, 4),
   };
   if (draw.index_size != SGPU_INDEX_SIZE_NONE) {
      draw.index_bias = (int)scene_below(s, 21) - 10;
      draw.restart = scene_below(s, 2);
      draw.restart_index = scene_below(s, 3 * TRIANGLES);
      draw.index_address = sgpu_bo_address(s->index_bo) + begins[draw.index_size];
      draw.index_bytes = INDICES << (draw.index_size - 1);
   }
   return draw;
}

static void
store_numbers(uint32_t *to, const struct SGPU_DRAW *draw)
{
   const bool indexed = draw->index_size != SGPU_INDEX_SIZE_NONE;

   to[0] = draw->count;
   to[1] = draw->instances;
   to[2] = draw->first;
   to[3] = indexed ? (uint32_t)draw->index_bias : draw->first_instance;
   to[4] = draw->first_instance;
}

static void
emit_indirect(struct scene *s, const struct SGPU_DRAW *draw, uint64_t address, uint64_t limit,
              uint32_t id)
{
   scene_emit_state(s);
   SCENE_EMIT(s, DRAW_INDIRECT, cfg) {
      cfg.primitive = draw->primitive;
      cfg.index_size = draw->index_size;
      cfg.restart = draw->restart;
      cfg.restart_index = draw->restart_index;
      cfg.index_address = draw->index_address;
      cfg.index_bytes = draw->index_bytes;
      cfg.address = address;
      cfg.limit_address = limit;
      cfg.draw_id = id;
   }
}

/* Returns the hash of DRAWS draws, some of which a limit on the number of draws removes. */
static uint64_t
picture(struct sgpu_device *dev, uint64_t seed, bool indirect)
{
   struct scene s;
   begin(&s, dev, seed);
   struct sgpu_bo *table = scene_bo(&s, DRAWS * 24), *numbers = scene_bo(&s, 24);
   uint32_t *rows = sgpu_bo_map(table);

   for (unsigned i = 0; i < DRAWS; i++) {
      const struct SGPU_DRAW draw = any_draw(&s);
      const unsigned id = scene_below(&s, 5), limit = scene_below(&s, 8);
      const bool limited = scene_below(&s, 2);

      store_numbers(rows + 6 * i, &draw);
      rows[6 * i + 5] = limit;
      if (indirect) {
         scene_copy_buffer(&s, sgpu_bo_address(numbers), sgpu_bo_address(table) + 24 * i, 24);
         emit_indirect(&s, &draw, sgpu_bo_address(numbers),
                       limited ? sgpu_bo_address(numbers) + 20 : 0, id);
      } else if (!limited || id < limit) {
         scene_draw_packet(&s, &draw);
      }
      if (!scene_below(&s, 9))
         scene_submit(&s);
   }
   return scene_end(&s, NULL);
}

static void
pictures(void **state)
{
   scene_compare_ways(SEEDS, picture);
}

/* Packets that the device refuses. The last two errors are found when the draw runs. */
static void
refusals(void **state)
{
   static const struct {
      const char *text;
      enum sgpu_index_size size;
      uint64_t address, limit; /* offsets in the buffer, in bytes; limit 0: no limit */
      uint32_t count, instances;
   } cases[] = {
      { "Address is not", SGPU_INDEX_SIZE_NONE, 2, 0, 0, 0 },
      { "Address is not", SGPU_INDEX_SIZE_NONE, 1 << 30, 0, 0, 0 },
      { "Address is not", SGPU_INDEX_SIZE_NONE, 4096 - 12, 0, 0, 0 },
      { "Address is not", SGPU_INDEX_SIZE_U16, 4096 - 16, 0, 0, 0 },
      { "Limit Address is not", SGPU_INDEX_SIZE_NONE, 0, 4098, 0, 0 },
      { "Limit Address is not", SGPU_INDEX_SIZE_NONE, 0, 4095, 0, 0 },
      { "watchdog", SGPU_INDEX_SIZE_NONE, 0, 0, UINT32_MAX, 1 },
      { "watchdog", SGPU_INDEX_SIZE_NONE, 0, 0, 1 << 20, UINT32_MAX },
   };
   struct sgpu_device *dev = device(2, SGPU_DISPATCH_OOO_SPLIT, 0);

   for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      struct scene s;
      struct sgpu_queue_error error;
      begin(&s, dev, 1);
      struct sgpu_bo *numbers = scene_bo(&s, 4096);
      const struct SGPU_DRAW draw = {
         .primitive = SGPU_PRIMITIVE_TRIANGLES,
         .index_size = cases[i].size,
         .count = cases[i].count,
         .instances = cases[i].instances,
      };
      store_numbers(sgpu_bo_map(numbers), &draw);
      const uint64_t base = sgpu_bo_address(numbers);
      emit_indirect(&s, &draw, base + cases[i].address, cases[i].limit ? base + cases[i].limit : 0,
                    0);
      scene_wait(&s, numbers);
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
      cmocka_unit_test(pictures),
      cmocka_unit_test(refusals),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
