/* SPDX-License-Identifier: MIT */
/*
 * Tests live timing of a device.  Times and counters must be those of the chip for the traces that
 * a store makes of the same submissions, for all threads, policies and seeds.
 */
#include <pthread.h>

#include "../../unit.h"
#include "events.h"
#include "scene.h"
#include "chip/sgt_chip.h"
#include "config/sgt_config.h"
#include "live/sgt_live.h"
#include "live/sgt_live_counters.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

#define STAMPS 4
#define SEGMENTS 2
#define DRAWS 6

/* Results of a run, in core cycles. */
struct times {
   uint64_t stamps[STAMPS];
   uint64_t totals[SEGMENTS];
   uint64_t counters[SGT_LIVE_MAX_COUNTERS]; /* counters of the second segment */
};

static struct scene s;
static struct sgpu_bo *numbers;

static void
stamp(unsigned n)
{
   scene_end_query(&s, SGPU_QUERY_TYPE_TIMESTAMP, 0, sgpu_bo_address(numbers) + n * 8);
}

static void
draw(unsigned times)
{
   for (unsigned i = 0; i < times; i++)
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(&s, 2, 60), 6);
}

static void
begin(struct sgpu_device *dev)
{
   scene_metadata = false;
   scene_begin(&s, dev);
   numbers = scene_bo(&s, STAMPS * 8);
}

/* A segment with one submission, and a segment with two. */
static void
first_submission(void)
{
   stamp(0);
   draw(DRAWS);
   stamp(1);
   draw(1);
   scene_submit(&s);
}

static void
second_submission(void)
{
   draw(DRAWS);
   scene_submit(&s);
}

static void
third_submission(void)
{
   stamp(2);
   draw(1);
   stamp(3);
   scene_submit(&s);
}

/* -- the chip over traces ------------------------------------------------------------------ */

static void
run_chip(struct sgt_store *store, struct sgt_chip_result *result, struct sgt_live_counts *counts,
         struct sgt_trace **trace)
{
   struct sgt_config config;
   struct sgt_chip_params params;
   struct sgt_stats stats;
   char error[512] = "";

   sgt_config_init(&config);
   assert_true(sgt_config_load(&config, "g80", error, sizeof(error)));
   assert_true(sgt_config_chip(&config, &params, error, sizeof(error)));
   *trace = sgt_store_finish(store, error, sizeof(error));
   assert_string_equal(error, "");
   struct sgt_work *work = sgt_store_work(store);
   struct sgt_chip *chip = sgt_chip_create(&params, *trace, work, error, sizeof(error));
   assert_non_null(chip);
   assert_true(sgt_chip_observe(chip, &(struct sgt_chip_observe){ .stacks = false }, result));
   assert_true(sgt_chip_run(chip, error, sizeof(error)));
   sgt_stats_init(&stats);
   sgt_chip_register(chip, &stats);
   memset(counts, 0, sizeof(*counts));
   const uint64_t found = sgt_live_counts_add(counts, &params, &stats, result->cycles);
   /* Each counter must be computed from existing statistics. */
   for (unsigned i = 0; i < sgt_live_counters(); i++)
      if (!(found >> i & 1))
         fail_msg("%s: no statistic", sgt_live_counter(i)->name);
   sgt_stats_finish(&stats);
   sgt_chip_destroy(chip);
   sgt_work_destroy(work);
}

/* Finds the times of the trace's timestamps, which are operations for results: the latest end of
 * any operation before each.
 */
static void
find_stamps(const struct sgt_trace *trace, const struct sgt_chip_result *result, uint64_t base,
            uint64_t *stamps)
{
   uint64_t end = 0;
   unsigned n = 0;

   for (uint32_t i = 0; i < trace->num_operations; i++) {
      const struct sgt_operation *op = &trace->operations[i];
      if (op->num_items && trace->items[op->first_item].kind == SGT_ITEM_DIRECT)
         stamps[n++] = base + end;
      end = MAX2(end, result->operations[i].end);
   }
   assert_int_equal(n, 2);
}

static void
run_offline(struct times *t)
{
   const struct sgt_live_counts none = { 0 };
   struct sgt_store *store = events_store(&events_work_ways[0]);
   const struct sgpu_device_params params = events_params(&events_work_ways[0], store);
   struct sgpu_device *dev = scene_device_of(&params);
   struct sgt_chip_result result;
   struct sgt_live_counts counts;
   struct sgt_trace *trace;

   sgt_store_submissions(store, SGT_STORE_RECORD, 0);
   begin(dev);
   for (unsigned i = 0; i < SEGMENTS; i++) {
      if (i == 0) {
         first_submission();
      } else {
         second_submission();
         third_submission();
      }
      run_chip(store, &result, &counts, &trace);
      const uint64_t base = i ? t->totals[i - 1] : 0;
      find_stamps(trace, &result, base, t->stamps + 2 * i);
      t->totals[i] = base + result.cycles;
      sgt_chip_result_finish(&result);
      sgt_trace_destroy(trace);
   }
   for (unsigned i = 0; i < sgt_live_counters(); i++)
      t->counters[i] = sgt_live_counts_between(&none, &counts, i);
   sgt_store_submissions(store, SGT_STORE_IGNORE, 0);
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
   sgt_store_destroy(store);
}

/* -- live -------------------------------------------------------------------------------------- */

static struct sgt_live *
create(const char *text)
{
   char error[512] = "";
   struct sgt_live *live = sgt_live_create(text, error, sizeof(error));

   assert_string_equal(error, "");
   assert_non_null(live);
   return live;
}

/* Writes tokens to the memory of the timestamps. */
static void
make_tokens(struct sgt_live *live, uint64_t *tokens)
{
   for (unsigned i = 0; i < STAMPS; i++) {
      tokens[i] = sgt_live_stamp_create(live);
      assert_true(tokens[i]);
   }
   memcpy(sgpu_bo_map(numbers), tokens, STAMPS * 8);
}

static void
wait_and_tell(struct sgt_live *live)
{
   assert_int_equal(sgpu_bo_wait(numbers, UINT64_MAX), 0);
   sgt_live_submitted(live);
}

/* Runs with live timing.  If `eager` is set, times are requested as soon as possible. */
static void
run_live(const struct events_way *way, const char *text, bool eager, struct times *t)
{
   struct sgt_live *live = create(text);
   struct sgpu_device_params params = events_params(way, NULL);
   uint64_t tokens[STAMPS];

   params.observer = sgt_live_observer(live);
   struct sgpu_device *dev = scene_device_of(&params);
   begin(dev);
   make_tokens(live, tokens);
   assert_int_equal(sgt_live_now(live), 0);

   first_submission();
   wait_and_tell(live);
   if (eager)
      t->stamps[1] = sgt_live_stamp_read(live, tokens[1]);
   else
      sgt_live_cut(live, SGT_LIVE_FRAME);
   sgt_live_cut(live, SGT_LIVE_FRAME); /* of an empty segment */
   struct sgt_live_snapshot *first = sgt_live_snapshot_create(live);

   second_submission();
   wait_and_tell(live);
   if (eager) {
      /* This timestamp is in a segment that has ended; the current segment continues. */
      t->stamps[0] = sgt_live_stamp_read(live, tokens[0]);
      assert_int_equal(sgt_live_stamp_read(live, tokens[1]), t->stamps[1]);
   }
   third_submission();
   wait_and_tell(live);
   struct sgt_live_snapshot *second = sgt_live_snapshot_create(live);
   for (unsigned i = 0; i < STAMPS; i++)
      t->stamps[i] = sgt_live_stamp_read(live, tokens[i]);
   t->totals[1] = sgt_live_now(live);
   for (unsigned i = 0; i < sgt_live_counters(); i++)
      t->counters[i] = sgt_live_count(live, first, second, i);
   t->totals[0] = t->totals[1] - t->counters[0];
   /* The memory keeps the tokens. */
   assert_memory_equal(sgpu_bo_map(numbers), tokens, sizeof(tokens));

   sgt_live_snapshot_destroy(live, second);
   sgt_live_snapshot_destroy(live, first);
   for (unsigned i = 0; i + 1 < STAMPS; i++) /* the last one is freed at the end of the life */
      sgt_live_stamp_destroy(live, tokens[i]);
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
   sgt_live_destroy(live);
}

static void
check_same(const struct times *a, const struct times *b)
{
   for (unsigned i = 0; i < STAMPS; i++)
      assert_int_equal(a->stamps[i], b->stamps[i]);
   for (unsigned i = 0; i < SEGMENTS; i++)
      assert_int_equal(a->totals[i], b->totals[i]);
   for (unsigned i = 0; i < sgt_live_counters(); i++)
      if (a->counters[i] != b->counters[i])
         fail_msg("%s: %llu, %llu", sgt_live_counter(i)->name, (unsigned long long)a->counters[i],
                  (unsigned long long)b->counters[i]);
}

static void
test_offline(void **state)
{
   struct times offline, live;

   run_offline(&offline);
   assert_true(offline.stamps[0] < offline.stamps[1] && offline.stamps[1] < offline.totals[0]);
   assert_true(offline.stamps[2] > offline.totals[0] && offline.stamps[2] < offline.stamps[3]);
   assert_string_equal(sgt_live_counter(0)->name, "sgpu-cycles");
   for (unsigned i = 0; i < events_num_work_ways; i++) {
      memset(&live, 0, sizeof(live));
      run_live(&events_work_ways[i], "g80", i & 1, &live);
      check_same(&offline, &live);
   }
}

/* A thread of the device that places timestamps. */
struct placer {
   const struct sgpu_observer *observer;
   uint64_t tokens[64];
};

static void *
place(void *data)
{
   const struct placer *p = data;

   for (unsigned i = 0; i < ARRAY_SIZE(p->tokens); i++) {
      if (p->observer->timestamp(p->observer->data, 0, i, p->tokens[i]) != p->tokens[i])
         return data;
   }
   return NULL;
}

/* Places timestamps while the application creates and destroys others. ThreadSanitizer sees whether
 * the threads share data without a lock.
 */
static void
test_threads(void **state)
{
   struct sgt_live *live = create("g80");
   struct placer placer = { .observer = sgt_live_observer(live) };
   pthread_t thread;
   void *wrong;

   for (unsigned i = 0; i < ARRAY_SIZE(placer.tokens); i++)
      placer.tokens[i] = sgt_live_stamp_create(live);
   assert_int_equal(pthread_create(&thread, NULL, place, &placer), 0);
   for (unsigned i = 0; i < ARRAY_SIZE(placer.tokens); i++)
      sgt_live_stamp_destroy(live, sgt_live_stamp_create(live));
   assert_int_equal(pthread_join(thread, &wrong), 0);
   assert_null(wrong);
   for (unsigned i = 0; i < ARRAY_SIZE(placer.tokens); i++)
      sgt_live_stamp_destroy(live, placer.tokens[i]);
   sgt_live_destroy(live);
}

/* A segment that the chip refuses takes no time. */
static void
test_refused(void **state)
{
   struct times live;

   run_live(&events_work_ways[0], "g80,run.max_cycles=100", false, &live);
   for (unsigned i = 0; i < STAMPS; i++)
      assert_int_equal(live.stamps[i], 0);
   assert_int_equal(live.totals[1], 0);
   for (unsigned i = 0; i < sgt_live_counters(); i++)
      assert_int_equal(live.counters[i], 0);
}

/* Tests times that no device reaches, and conversion to nanoseconds. */
static void
test_nothing(void **state)
{
   struct sgt_live *live = create("g80,chip.core_mhz=600,wait");
   const uint64_t token = sgt_live_stamp_create(live);

   assert_true(sgt_live_fences_wait(live));
   assert_int_equal(sgt_live_stamp_read(live, token), 0);
   assert_int_equal(sgt_live_stamp_read(live, token + 100), 0);
   sgt_live_stamp_destroy(live, token);
   sgt_live_stamp_destroy(live, token);
   assert_int_equal(sgt_live_ns(live, 3), 5);
   assert_int_equal(sgt_live_ns(live, 1), 1);
   assert_int_equal(sgt_live_ns(live, UINT64_C(600000000) * 100000000),
                    UINT64_C(100000000) * 1000000000);
   sgt_live_destroy(live);
}

/* -- segments of a store ------------------------------------------------------------------- */

struct segments {
   uint32_t num, operations, cuts;
   uint64_t marks;
};

static void
count_segment(void *data, const struct sgt_store_segment *segment)
{
   struct segments *all = data;

   assert_non_null(segment->trace);
   assert_non_null(segment->work);
   assert_int_equal(segment->trace->num_operations, segment->work->num_operations);
   all->num++;
   all->operations += segment->trace->num_operations;
   all->cuts += segment->cut;
   all->marks = all->marks * 10 + segment->mark;
   sgt_trace_destroy(segment->trace);
   sgt_work_destroy(segment->work);
}

static void
run_segments(uint64_t max_bytes, struct segments *all)
{
   struct sgt_store *store = sgt_store_create(&(struct sgt_store_params){
      .classes = SGPU_OBSERVE_COVERAGE,
      .work = true,
      .segment = count_segment,
      .max_trace_bytes = max_bytes,
      .data = all,
   });
   assert_non_null(store);
   const struct sgpu_device_params params = events_params(&events_work_ways[2], store);
   struct sgpu_device *dev = scene_device_of(&params);

   sgt_store_submissions(store, SGT_STORE_RECORD, 0);
   begin(dev);
   first_submission();
   assert_true(sgt_store_cut(store, 1));
   assert_true(sgt_store_cut(store, 2));
   second_submission();
   third_submission();
   assert_true(sgt_store_cut(store, 3));
   sgt_store_submissions(store, SGT_STORE_IGNORE, 0);
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
   /* Waits until all work is done. */
   char error[256] = "";
   struct sgt_trace *rest = sgt_store_finish(store, error, sizeof(error));
   assert_non_null(rest);
   assert_int_equal(rest->num_operations, 0);
   sgt_trace_destroy(rest);
   sgt_store_destroy(store);
}

static void
test_segments(void **state)
{
   struct segments whole = { 0 }, cut = { 0 };

   run_segments(0, &whole);
   assert_int_equal(whole.num, 3);
   assert_int_equal(whole.cuts, 3);
   assert_int_equal(whole.marks, 123);
   /* Cut after each operation. */
   run_segments(1, &cut);
   assert_int_equal(cut.operations, whole.operations);
   assert_int_equal(cut.cuts, 3);
   assert_int_equal(cut.num, whole.operations + 3);
}

/* -- the text of SGPU_TIMING --------------------------------------------------------------- */

static void
test_errors(void **state)
{
   static const struct {
      const char *text, *error;
   } wrong[] = {
      { "", "expected CONFIG" },
      { ",wait", "expected CONFIG" },
      { "g81", "no configuration g81: there are" },
      { "g80.ini.none", "No such file" },
      { "micro32", "chip.model=g80" },
      { "g80,", "expected SECTION.KEY=VALUE, wait or log=FILE" },
      { "g80,log=", "expected a file name" },
      { "g80,chip.tpc=2", "the nearest is chip.tpcs" },
      { "g80,chip.tpcs=0", "chip.tpcs" },
      { "g80,waits", "\"waits\"" },
   };
   char error[512];

   for (unsigned i = 0; i < ARRAY_SIZE(wrong); i++) {
      error[0] = 0;
      assert_null(sgt_live_create(wrong[i].text, error, sizeof(error)));
      if (!strstr(error, wrong[i].error))
         fail_msg("%s: %s", wrong[i].text, error);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_offline),  cmocka_unit_test(test_threads),
      cmocka_unit_test(test_refused),  cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_segments), cmocka_unit_test(test_errors),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
