/* SPDX-License-Identifier: MIT */
/* With SGPU_TIMING, timer queries and counters return values of the simulated chip.
 *
 * The time of an operation is only known after its segment (see sgt_live.h) has run on the chip, so
 * the driver writes a token to the memory of the timestamp.  Reading the result of a query ends the
 * segment that contains the query.
 */
#include "sgpu_context.h"

#include "pipe/p_defines.h"

#include "sgpu_query.h"
#include "timing/live/sgt_live.h"

unsigned
sgpu_timing_counters(const struct sgpu_screen *screen)
{
   return screen->ws->live ? sgt_live_counters() : 0;
}

static unsigned
counter_of(unsigned type)
{
   return type - PIPE_QUERY_DRIVER_SPECIFIC - sgpu_counter_count();
}

bool
sgpu_is_timing_counter(const struct sgpu_screen *screen, unsigned type)
{
   return type >= PIPE_QUERY_DRIVER_SPECIFIC + sgpu_counter_count() &&
          counter_of(type) < sgpu_timing_counters(screen);
}

void
sgpu_timing_counter_info(unsigned index, struct pipe_driver_query_info *info)
{
   const struct sgt_live_counter *counter = sgt_live_counter(index);

   info->name = counter->name;
   info->type = PIPE_DRIVER_QUERY_TYPE_UINT64;
   /* If one point of a HUD graph covers several frames, the HUD should show the average. */
   info->result_type = PIPE_DRIVER_QUERY_RESULT_TYPE_AVERAGE;
   if (!strcmp(counter->unit, "percent")) {
      /* Don't use PIPE_DRIVER_QUERY_TYPE_PERCENTAGE, because the HUD reads such a value as an
       * integer, but performance monitors read it as a float.
       */
      info->max_value.u64 = 100;
   } else if (!strcmp(counter->unit, "bytes")) {
      info->type = PIPE_DRIVER_QUERY_TYPE_BYTES;
   }
}

/* Ends the current segment and takes a snapshot of the chip's counters.  A query therefore always
 * counts whole segments.
 */
bool
sgpu_timing_counter_snap(struct sgpu_context *ctx, struct sgt_live_snapshot **snapshot)
{
   struct sgt_live *live = ctx->screen->ws->live;

   sgpu_context_flush(ctx, NULL);
   sgt_live_snapshot_destroy(live, *snapshot);
   *snapshot = sgt_live_snapshot_create(live);
   return *snapshot != NULL;
}

uint64_t
sgpu_timing_counter_read(const struct sgpu_screen *screen, const struct sgpu_query *q)
{
   if (!q->snap_begin || !q->snap_end)
      return 0;
   return sgt_live_count(screen->ws->live, q->snap_begin, q->snap_end, counter_of(q->type));
}

void
sgpu_timing_stamp(struct sgpu_context *ctx, struct sgpu_query *q, unsigned number)
{
   struct sgt_live *live = ctx->screen->ws->live;

   if (!live)
      return;
   q->stamps[number] = sgt_live_stamp_create(live);
   ((uint64_t *)q->results->map)[number] = q->stamps[number];
}

uint64_t
sgpu_timing_read(const struct sgpu_screen *screen, const struct sgpu_query *q)
{
   struct sgt_live *live = screen->ws->live;
   const uint64_t first = sgt_live_stamp_read(live, q->stamps[0]);

   if (q->type != PIPE_QUERY_TIME_ELAPSED)
      return sgt_live_ns(live, first);
   /* Convert the difference and not the two timestamps to nanoseconds, so that rounding doesn't
    * make the result depend on the start time.
    */
   return sgt_live_ns(live, sgt_live_stamp_read(live, q->stamps[1]) - first);
}

void
sgpu_timing_forget(const struct sgpu_screen *screen, struct sgpu_query *q)
{
   struct sgt_live *live = screen->ws->live;

   if (!live)
      return;
   for (unsigned i = 0; i < ARRAY_SIZE(q->stamps); i++) {
      sgt_live_stamp_destroy(live, q->stamps[i]);
      q->stamps[i] = 0;
   }
   sgt_live_snapshot_destroy(live, q->snap_begin);
   sgt_live_snapshot_destroy(live, q->snap_end);
   q->snap_begin = q->snap_end = NULL;
}
