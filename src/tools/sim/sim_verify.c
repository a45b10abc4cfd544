/* SPDX-License-Identifier: MIT */
/* --verify: executes the slices in the order that the model has scheduled, on a shadow of the
 * device's memory.  Then compares the shadow with the contents that the device produced.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cap_picture.h"
#include "sim.h"

bool
sim_verify_prepare(struct sim_frames *frames)
{
   for (uint32_t i = 0; i < frames->count; i++) {
      struct sim_frame *f = &frames->frames[i];
      f->plan = sgt_audit_plan_create(f->trace, f->image, f->trace->states);
      if (!f->plan) {
         fprintf(stderr, "sgpu: out of memory\n");
         return false;
      }
   }
   return true;
}

static void
on_enter(void *data, uint64_t cycle, uint32_t tag, const struct sgt_slice *slice)
{
   struct sim_both *b = data;

   if (b->first.enter)
      b->first.enter(b->first.data, cycle, tag, slice);
   if (b->second.enter)
      b->second.enter(b->second.data, cycle, tag, slice);
}

static void
on_start(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
         const struct sgt_slice *slice)
{
   struct sim_both *b = data;

   b->first.start(b->first.data, cycle, tag, accelerator, slice);
   b->second.start(b->second.data, cycle, tag, accelerator, slice);
}

static void
on_end(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
       const struct sgt_slice *slice)
{
   struct sim_both *b = data;

   b->first.end(b->first.data, cycle, tag, accelerator, slice);
   b->second.end(b->second.data, cycle, tag, accelerator, slice);
}

struct sgt_engine_observer
sim_both_observe(struct sim_both *both)
{
   return (struct sgt_engine_observer){
      .data = both,
      .enter = on_enter,
      .start = on_start,
      .end = on_end,
   };
}

/* Writes a picture of the wrong pixels, unless the surface can't be shown.  On failure, sets
 * `error` and returns false.
 */
static bool
write_wrong(struct sgt_shadow *shadow, const struct sim_frame *frame,
            const struct sgt_shadow_report *r, const struct sim_options *o, uint32_t point,
            char *error, size_t error_size)
{
   struct sgpu_shadow_surface info;
   struct stat st;
   char path[4096];

   if (!r->wrong.pixels || r->wrong.buffer)
      return true;
   sgpu_shadow_image_surface(frame->image, r->wrong.surface, &info);
   snprintf(path, sizeof path, "%s/wrong-%06" PRIu64 "-%u.png", o->wrong, frame->number, point);
   if (!o->force && !stat(path, &st)) {
      snprintf(error, error_size, "%s exists; --force replaces it", path);
      return false;
   }
   struct cap_picture pic = {
      .width = info.width,
      .height = info.height,
      .rgba = malloc((size_t)info.width * info.height * 4),
   };
   if (!pic.rgba) {
      snprintf(error, error_size, "out of memory");
      return false;
   }
   bool ok = true;
   if (sgt_shadow_picture(shadow, r->wrong.surface, r->wrong.difference.layer, pic.rgba) !=
       UINT64_MAX) {
      ok = cap_picture_write(&pic, path);
      if (!ok)
         snprintf(error, error_size, "%s was not written", path);
   }
   cap_picture_free(&pic);
   return ok;
}

/* Returns true if executing the trace in program order, without a model, produces the contents of
 * the device's memory.  Also returns true on allocation failure.
 */
static bool
trace_is_right(const struct sim_frame *frame)
{
   struct sgt_shadow_report report;
   struct sgt_shadow *s = sgt_shadow_create(frame->plan, frame->image, frame->trace->states,
                                            SGT_BREAK_NONE);

   if (!s)
      return true;
   sgt_shadow_run_in_order(s);
   const bool right = sgt_shadow_finish(s, &report) && report.proved;
   sgt_shadow_destroy(s);
   return right;
}

bool
sim_verify_finish(struct sgt_shadow *shadow, const struct sim_frame *frame,
                  const struct sim_options *o, uint32_t point, struct sim_verified *v, char *error,
                  size_t error_size)
{
   size_t size;

   if (!sgt_shadow_finish(shadow, &v->report)) {
      snprintf(error, error_size, "--verify: out of memory");
      return false;
   }
   FILE *fp = open_memstream(&v->text, &size);
   if (fp) {
      sgt_shadow_print(shadow, &v->report, fp);
      if (!v->report.proved && !trace_is_right(frame))
         fprintf(fp, "the trace in program order is wrong, too: the fault is not the model's\n");
      fclose(fp);
   }
   return !o->wrong || write_wrong(shadow, frame, &v->report, o, point, error, error_size);
}

struct sgt_chip_shadow *
sim_verify_chip(const struct sim_frame *frame, struct sgt_chip_params *params, char *error,
                size_t error_size)
{
   struct sgt_chip_shadow *shadow = sgt_chip_shadow_create(frame->plan, frame->image,
                                                           frame->trace->states, frame->work,
                                                           params, error, error_size);
   if (shadow)
      params->observer = sgt_chip_shadow_observer(shadow);
   return shadow;
}

bool
sim_verify_print(const struct sim_verified *v, const struct sim_frame *frame,
                 const struct sim_options *o, uint32_t point, bool quiet)
{
   FILE *fp = v->report.proved ? stdout : stderr;

   fflush(stdout);
   if (v->report.proved && quiet)
      return true;
   fprintf(fp, "frame %" PRIu64, frame->number);
   if (o->num_sweeps || o->sensitivity)
      fprintf(fp, ", point %" PRIu32, point);
   fprintf(fp, ": %s", v->text ? v->text : "not verified: out of memory\n");
   return v->report.proved;
}

void
sim_verify_json(struct sgt_json *j, const struct sgt_shadow_report *r)
{
   sgt_json_object(j, "verify", false);
   sgt_json_bool(j, "proved", r->proved);
   sgt_json_bool(j, "values", r->values);
   sgt_json_object(j, "violations", true);
   for (unsigned i = 0; i < SGT_HAZARDS; i++)
      sgt_json_u64(j, sgt_hazard_names[i], r->violations[i].count);
   sgt_json_end(j);
   if (r->values) {
      char hash[17];
      snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
      sgt_json_u64(j, "fragments", r->fragments.fragments);
      sgt_json_u64(j, "passed", r->fragments.passed);
      sgt_json_u64(j, "poisoned", r->fragments.poisoned);
      sgt_json_u64(j, "poison_in_order", r->poison_in_order);
      sgt_json_u64(j, "lost", r->lost);
      sgt_json_u64(j, "wrong_pixels", r->wrong.pixels);
      sgt_json_u64(j, "wrong_surfaces", r->wrong.surfaces);
      sgt_json_string(j, "memory", hash);
   }
   sgt_json_end(j);
}
