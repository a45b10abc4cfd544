/* SPDX-License-Identifier: MIT */
/* sgpu replay --loop: replays records from memory, so that the measured time of a loop does not
 * include reading the file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cap_counters.h"
#include "cap_replay.h"

static uint64_t
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

/* Returns the current time in nanoseconds, either real or virtual. */
static uint64_t
loop_clock(const struct replay *r)
{
   return r->virtual_time ? sgpu_device_get_param(r->player.dev, SGPU_PARAM_VIRTUAL_TIME)
                          : now_ns();
}

/* All records of a capture, which are kept in memory. */
struct tape {
   struct sgcap_record *records;
   uint64_t count, max;
   uint64_t bytes; /* total size of the records and their payloads in bytes */
};

static bool
tape_add(struct tape *t, const struct sgcap_record *rec)
{
   if (t->count == t->max) {
      const uint64_t n = t->max ? t->max * 2 : 1024;
      struct sgcap_record *records = realloc(t->records, n * sizeof *records);
      if (!records)
         return false;
      t->records = records;
      t->max = n;
   }
   struct sgcap_record copy = *rec;
   uint8_t *payload = malloc(rec->payload_bytes + 8);
   if (!payload)
      return false;
   t->bytes += rec->payload_bytes + 8 + sizeof *rec;
   memcpy(payload, rec->payload, rec->payload_bytes);

   const ptrdiff_t moved = payload - (const uint8_t *)rec->payload;
   copy.payload = payload;
#define MOVE(field) \
   if (copy.field)  \
   copy.field = (const void *)((const uint8_t *)rec->field + moved)
   MOVE(text);
   MOVE(bytes);
   MOVE(bos);
   MOVE(waits);
   MOVE(writes);
#undef MOVE
   t->records[t->count++] = copy;
   return true;
}

static void
tape_free(struct tape *t)
{
   for (uint64_t i = 0; i < t->count; i++)
      free((void *)t->records[i].payload);
   free(t->records);
}

static int
compare_times(const void *a, const void *b)
{
   const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
   return x < y ? -1 : x > y;
}

/* Virtual times in nanoseconds, summed over all workers. */
struct virtual_sums {
   uint64_t time, lock, busy;
};

static struct virtual_sums
read_sums(struct sgpu_device *dev)
{
   struct cap_counters c;

   cap_counters_read(dev, &c);
   return (struct virtual_sums){
      .time = sgpu_device_get_param(dev, SGPU_PARAM_VIRTUAL_TIME),
      .lock = sgpu_device_get_param(dev, SGPU_PARAM_VIRTUAL_LOCK),
      .busy = c.value[SGPU_COUNTER_BUSY_NS],
   };
}

/* Prints how the workers have spent the virtual time since the sums in `first`. */
static void
print_sums(struct sgpu_device *dev, const struct virtual_sums *first)
{
   const struct virtual_sums now = read_sums(dev);
   const uint64_t workers = sgpu_device_get_param(dev, SGPU_PARAM_THREADS);
   const double all = (now.time - first->time) * (double)workers;

   /* The busy time includes the time that workers wait for the lock. */
   if (all > 0)
      printf("%" PRIu64 " workers in virtual time: %.1f %% work, %.1f %% wait for the lock\n",
             workers, 100 * (now.busy - first->busy) / all, 100 * (now.lock - first->lock) / all);
}

void
cap_replay_loops(struct replay *r)
{
   struct tape tape = { 0 };
   struct sgcap_record rec;
   uint64_t *times = calloc(r->loops, sizeof *times), frames = 0;

   bool kept = times != NULL;
   while (kept && sgcap_next(r->player.reader, &rec)) {
      kept = tape_add(&tape, &rec);
      if (!kept)
         sgcap_fail(r->player.reader, "out of memory");
      if (kept && tape.bytes > r->player.max_bytes / 2) {
         sgcap_fail(r->player.reader,
                    "--loop keeps all records: the first %" PRIu64 " have %" PRIu64 " bytes",
                    tape.count, tape.bytes);
         kept = false;
      }
   }

   struct virtual_sums sums = { 0 };
   uint64_t n;
   for (n = 0; kept && n < r->loops; n++) {
      const uint64_t begin = loop_clock(r), before = r->presented;
      r->draw = 0;
      r->stopped = false;
      for (uint64_t i = 0; i < tape.count; i++) {
         if (!cap_player_perform(&r->player, &tape.records[i]) ||
             !cap_replay_perform(r, &tape.records[i]))
            break;
      }
      cap_player_finish(&r->player, &rec);
      times[n] = loop_clock(r) - begin;
      frames = r->presented - before;
      printf("loop %" PRIu64 ": %.3f ms, %" PRIu64 " frames, %.2f frames/s\n", n, times[n] / 1e6,
             frames, times[n] ? frames * 1e9 / times[n] : 0);
      /* Exclude the first loop from the sums, since it fills the caches. */
      if (n == 0 && r->loops > 1)
         sums = read_sums(r->player.dev);
      cap_player_reset(&r->player);
      if (sgcap_error(r->player.reader))
         break;
   }
   if (r->virtual_time)
      print_sums(r->player.dev, &sums);
   if (n == r->loops) {
      qsort(times, n, sizeof *times, compare_times);
      printf("min %.3f ms, median %.3f ms, max %.3f ms, %.2f frames/s by the median\n",
             times[0] / 1e6, times[n / 2] / 1e6, times[n - 1] / 1e6,
             times[n / 2] ? frames * 1e9 / times[n / 2] : 0);
   }
   tape_free(&tape);
   free(times);
}
