/* SPDX-License-Identifier: MIT */
/* The frames of a capture to simulate, and the filtered traces of these frames. */
#include "sim.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/macros.h"

bool
sim_frames_add(struct sim_frames *frames, uint64_t number, struct sgt_trace *trace)
{
   struct sim_frame *more = realloc(frames->frames, (frames->count + 1) * sizeof *more);

   if (!more) {
      fprintf(stderr, "sgpu: out of memory\n");
      sgt_trace_destroy(trace);
      return false;
   }
   frames->frames = more;
   more[frames->count] = (struct sim_frame){ .number = number, .trace = trace };
   sgt_frame_facts_count(&more[frames->count].facts, number, trace);
   frames->count++;
   return true;
}

void
sim_frames_see(struct sim_frames *frames, uint64_t number)
{
   frames->first_there = MIN2(number, frames->first_there);
   frames->last_there = MAX2(number, frames->last_there);
}

bool
sim_frames_load(struct sim_frames *frames, const struct sim_options *o, const char *path,
                sim_load *load)
{
   *frames = (struct sim_frames){ .first_there = UINT64_MAX };
   if (!load(frames, o, path))
      return false;
   if (frames->count)
      return true;
   if (frames->first_there > frames->last_there)
      fprintf(stderr, "sgpu: %s: no such frame: the file has none\n", path);
   else
      fprintf(stderr,
              "sgpu: %s: no such frame: the file has frames from %" PRIu64 " to %" PRIu64 "%s\n",
              path, frames->first_there, frames->last_there,
              frames->last_there > o->last_frame ? ", or more" : "");
   return false;
}

void
sim_frames_free(struct sim_frames *frames)
{
   for (uint32_t i = 0; i < frames->count; i++) {
      for (unsigned n = 0; n < ARRAY_SIZE(frames->frames[i].filtered); n++)
         sim_filter_destroy(frames->frames[i].filtered[n]);
      sgt_audit_plan_destroy(frames->frames[i].plan);
      sgpu_shadow_image_destroy(frames->frames[i].image);
      sgt_work_destroy(frames->frames[i].work);
      sgt_trace_destroy(frames->frames[i].trace);
   }
   free(frames->frames);
   *frames = (struct sim_frames){ 0 };
}

bool
sim_frames_filter(struct sim_frames *frames, const struct sgt_config *config)
{
   const uint64_t items = config->engine.items;

   for (uint32_t i = 0; i < frames->count && items != SGT_FETCH_ITEMS_ALL; i++) {
      struct sim_frame *frame = &frames->frames[i];
      if (!frame->filtered[items])
         frame->filtered[items] = sim_filter_create(frame->trace, items);
      if (!frame->filtered[items]) {
         fprintf(stderr, "sgpu: out of memory\n");
         return false;
      }
   }
   return true;
}

const struct sgt_trace *
sim_frame_trace(const struct sim_frame *frame, const struct sgt_config *config)
{
   const uint64_t items = config->engine.items;

   return items == SGT_FETCH_ITEMS_ALL ? frame->trace : frame->filtered[items];
}
