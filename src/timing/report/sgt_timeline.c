/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/sgt_chrome.h"
#include "report/sgt_report.h"

/* Track IDs. Each accelerator has a track, starting at TRACK_ACCELERATORS. */
enum {
   TRACK_FETCH = 1,
   TRACK_ISSUE = 2,
   TRACK_ACCELERATORS = 3,
};

/* Consecutive cycles in which a unit is active. The timeline displays them as one slice. */
struct streak {
   /* begin: first cycle;
    * end: cycle after the last one, or `begin` if there are no cycles
    */
   uint64_t begin, end;
   uint64_t slices; /* number of slices of items that the unit has handled in these cycles */
};

struct sgt_timeline {
   struct sgt_chrome chrome;
   bool failed;
   const struct sgt_trace *trace;
   /* entered: current streak of the fetch unit;
    * issued: current streak of the issue unit
    */
   struct streak entered, issued;
   uint64_t *started;     /* for each accelerator, the first cycle of its current slice */
   uint32_t accelerators; /* number of accelerators */
   /* The last cycle so far, and the numbers of candidates and busy accelerators in this cycle. The
    * counters for this cycle have not been written yet.
    */
   uint64_t cycle;
   uint64_t candidates, busy;
   /* number of accelerators whose last busy cycle is `cycle` */
   uint64_t ended;
   uint64_t told_candidates, told_busy; /* last written values of the counters */
};

static void
put_streak(struct sgt_timeline *t, unsigned track, const char *name, struct streak *s)
{
   if (s->begin == s->end)
      return;
   sgt_chrome_slice(&t->chrome, track, s->begin, s->end - s->begin);
   fprintf(t->chrome.fp, "\"name\": \"%s\", \"args\": {\"slices\": %" PRIu64 "}}", name, s->slices);
   *s = (struct streak){ 0 };
}

static void
add_to_streak(struct sgt_timeline *t, unsigned track, const char *name, struct streak *s,
              uint64_t cycle)
{
   if (s->begin != s->end && cycle > s->end)
      put_streak(t, track, name, s);
   if (s->begin == s->end)
      s->begin = cycle;
   s->end = cycle + 1;
   s->slices++;
}

static void
put_counters(struct sgt_timeline *t, uint64_t cycle)
{
   if (t->candidates != t->told_candidates)
      sgt_chrome_counter(&t->chrome, "candidates", cycle, t->candidates);
   if (t->busy != t->told_busy)
      sgt_chrome_counter(&t->chrome, "busy accelerators", cycle, t->busy);
   t->told_candidates = t->candidates;
   t->told_busy = t->busy;
}

/* Advances to a cycle, and writes the counters for the previous cycle. */
static void
timeline_advance(struct sgt_timeline *t, uint64_t cycle)
{
   if (cycle == t->cycle)
      return;
   put_counters(t, t->cycle);
   if (t->ended) {
      t->busy -= t->ended;
      t->ended = 0;
      put_counters(t, t->cycle + 1);
   }
   t->cycle = cycle;
}

static void
on_enter(void *data, uint64_t cycle, uint32_t tag, const struct sgt_slice *slice)
{
   struct sgt_timeline *t = data;

   timeline_advance(t, cycle);
   t->candidates++;
   add_to_streak(t, TRACK_FETCH, "enter", &t->entered, cycle);
}

static void
on_start(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
         const struct sgt_slice *slice)
{
   struct sgt_timeline *t = data;

   timeline_advance(t, cycle);
   t->candidates--;
   t->busy++;
   t->started[accelerator] = cycle;
   add_to_streak(t, TRACK_ISSUE, "issue", &t->issued, cycle);
}

static void
on_end(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
       const struct sgt_slice *slice)
{
   static const char *const kinds[SGT_ITEM_KINDS] = {
      "triangle", "line", "point", "clear", "copy", "fill", "direct",
   };
   struct sgt_timeline *t = data;
   const struct sgt_item *item = &t->trace->items[slice->item];
   const struct sgt_operation *op = &t->trace->operations[item->operation];

   timeline_advance(t, cycle);
   t->ended++;
   sgt_chrome_slice(&t->chrome, TRACK_ACCELERATORS + accelerator, t->started[accelerator],
                    cycle + 1 - t->started[accelerator]);
   fprintf(t->chrome.fp, "\"name\": \"%s %u", kinds[item->kind], item->number);
   if (slice->count > 1)
      fprintf(t->chrome.fp, ".%u", slice->number);
   fputs("\", \"args\": {", t->chrome.fp);
   if (op->draw != UINT32_MAX)
      fprintf(t->chrome.fp, "\"draw\": %u, ", op->draw);
   fprintf(t->chrome.fp,
           "\"packet\": %u, \"pixels\": %u, \"x\": %d, \"y\": %d, \"width\": %d, \"height\": %d, "
           "\"station\": %u}}",
           op->packet, slice->pixels, slice->rect.x0, slice->rect.y0,
           slice->rect.x1 - slice->rect.x0, slice->rect.y1 - slice->rect.y0, tag);
}

static void
end_frame(struct sgt_timeline *t)
{
   if (!t->trace)
      return;
   put_streak(t, TRACK_FETCH, "enter", &t->entered);
   put_streak(t, TRACK_ISSUE, "issue", &t->issued);
   timeline_advance(t, t->cycle + 1);
   t->trace = NULL;
}

struct sgt_timeline *
sgt_timeline_create(FILE *fp)
{
   struct sgt_timeline *t = calloc(1, sizeof *t);

   if (t) {
      t->chrome.fp = fp;
      sgt_chrome_open(fp);
   }
   return t;
}

struct sgt_engine_observer
sgt_timeline_begin(struct sgt_timeline *t, uint64_t frame, const struct sgt_trace *trace,
                   uint32_t accelerators)
{
   char name[32];

   end_frame(t);
   free(t->started);
   t->started = calloc(accelerators, sizeof *t->started);
   if (!t->started) {
      t->failed = true;
      return (struct sgt_engine_observer){ 0 };
   }
   t->trace = trace;
   t->accelerators = accelerators;
   t->cycle = t->candidates = t->busy = t->ended = 0;
   t->told_candidates = t->told_busy = UINT64_MAX;

   snprintf(name, sizeof name, "frame %" PRIu64, frame);
   sgt_chrome_process(&t->chrome, frame, name);
   sgt_chrome_track(&t->chrome, TRACK_FETCH, "fetch unit");
   sgt_chrome_track(&t->chrome, TRACK_ISSUE, "issue unit");
   for (uint32_t i = 0; i < accelerators; i++) {
      snprintf(name, sizeof name, "accelerator %u", i);
      sgt_chrome_track(&t->chrome, TRACK_ACCELERATORS + i, name);
   }
   return (struct sgt_engine_observer){
      .data = t,
      .enter = on_enter,
      .start = on_start,
      .end = on_end,
   };
}

bool
sgt_timeline_finish(struct sgt_timeline *t)
{
   end_frame(t);
   const bool ok = !t->failed;
   sgt_chrome_close(t->chrome.fp);
   free(t->started);
   free(t);
   return ok;
}
