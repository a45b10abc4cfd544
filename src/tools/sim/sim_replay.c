/* SPDX-License-Identifier: MIT */
/* Loads frames of a capture: replays the capture on the device and observes it, which produces a
 * trace for each wanted frame.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cap_player.h"
#include "sgpu_shadow.h"
#include "trace/sgt_store.h"
#include "sim.h"
#include "sim_sample.h"

struct replay {
   struct cap_player player;
   struct sgt_store *store;
   struct sim_frames *frames;
   const struct sim_options *options;
   const char *path;
   bool open;      /* true from the first submission of a wanted frame until the frame ends */
   bool presented; /* true if the open frame has been presented */
   bool failed;    /* true if an error message has been printed */
   /* shadow of the device's memory during the open frame, for --verify, or NULL */
   struct sgpu_shadow_image *image;
   /* part of the capture to replay, or NULL for the whole capture */
   struct sim_part *part;
   uint32_t submission; /* index of the next submission in the scan */
};

static bool
fail(struct replay *r, const char *why)
{
   if (!r->failed)
      fprintf(stderr, "sgpu: %s: frame %" PRIu64 ": %s\n", r->path, r->player.frame, why);
   r->failed = true;
   return false;
}

/* Adds a draw state or a transfer of the open frame to the shadow image.  Returns the index of the
 * record in the image.
 */
static uint32_t
on_state(void *data, const struct sgd_state *state, const struct sgd_xfer *xfer)
{
   struct replay *r = data;

   return state ? sgpu_shadow_image_add_state(r->image, state)
                : sgpu_shadow_image_add_xfer(r->image, xfer);
}

static bool
is_wanted(const struct replay *r)
{
   if (r->part)
      return r->open;
   return r->player.frame >= r->options->first_frame && r->player.frame <= r->options->last_frame;
}

/* Begins a frame.  Must be called before its first submission, when memory contains all earlier
 * writes of the CPU.
 */
static bool
begin_frame(struct replay *r)
{
   r->open = true;
   if (!r->options->verify)
      return true;
   cap_player_wait(&r->player);
   if (sgpu_shadow_image_create(r->player.dev, &r->image))
      return fail(r, "out of memory");
   for (uint64_t i = 0; i < r->player.num_objects; i++) {
      const struct cap_object *o = &r->player.objects[i];
      if (o->kind == CAP_BO && o->u.bo.bo && sgpu_shadow_image_add_buffer(r->image, o->u.bo.bo))
         return fail(r, "out of memory");
   }
   return true;
}

/* If at least `count` frames are complete, passes them to part->frames(). */
static bool
give_frames(struct replay *r, uint32_t count)
{
   if (!r->part || r->frames->count < count)
      return true;
   const bool ok = r->part->frames(r->part->data, r->frames);

   sim_frames_free(r->frames);
   r->failed |= !ok;
   return ok;
}

static bool
end_frame(struct replay *r, const struct sgcap_record *rec)
{
   char error[256];

   if (!r->open)
      return true;
   r->open = false;
   if (!cap_player_finish(&r->player, rec))
      return false;
   struct sgt_trace *trace = sgt_store_finish(r->store, error, sizeof error);
   if (!trace)
      return fail(r, error);
   if (!trace->num_items && !r->presented) {
      /* Drop work that does not belong to a picture, e.g. after the last frame of a program. */
      sgt_trace_destroy(trace);
      sgpu_shadow_image_destroy(r->image);
      r->image = NULL;
      return true;
   }
   r->presented = false;
   sim_frames_see(r->frames, r->player.frame);
   if (!sim_frames_add(r->frames, r->player.frame, trace)) {
      r->failed = true;
      return false;
   }
   r->frames->frames[r->frames->count - 1].work = sgt_store_work(r->store);
   if (r->image && sgpu_shadow_image_finish(r->image))
      return fail(r, "out of memory");
   r->frames->frames[r->frames->count - 1].image = r->image;
   r->image = NULL;
   return give_frames(r, r->options->threads);
}

/* Returns true if the buffer only contains command streams or programs.  No operation accesses
 * these as data.
 */
static bool
is_private(const struct cap_bo *b)
{
   return !strcmp(b->label, "stream") || !strcmp(b->label, "shader");
}

/* Records a CPU write between submissions of the open frame. */
static bool
note_write(struct replay *r, const struct sgcap_record *rec)
{
   const struct sgcap_data *d = &rec->u.data;
   const struct cap_bo *b = cap_player_bo(&r->player, d->id);
   uint32_t record = UINT32_MAX;

   if (!b || is_private(b) || !d->size || r->options->no_cpu_writes)
      return true;
   const uint64_t begin = b->address + d->offset;
   if (r->image) {
      record = sgpu_shadow_image_add_write(r->image, begin, d->size,
                                           (const uint8_t *)sgpu_bo_map(b->bo) + d->offset);
      if (record == UINT32_MAX)
         return fail(r, "out of memory");
   }
   sgt_store_submissions(r->store, SGT_STORE_RECORD, r->player.frame);
   sgt_store_direct(r->store, &(struct sgt_direct){
                                 .begin = begin,
                                 .end = begin + d->size,
                                 .bo_begin = b->address,
                                 .bo_end = b->address + b->size,
                                 .write = true,
                                 .record = record,
                              });
   sgt_store_submissions(r->store, SGT_STORE_IGNORE, 0);
   return true;
}

/* Called before the player executes a record. */
static bool
before(struct replay *r, const struct sgcap_record *rec)
{
   const struct cap_bo *b;

   if (rec->type == SGCAP_FRAME)
      return end_frame(r, rec);
   if (rec->type == SGCAP_BO_DESTROY && r->image &&
       (b = cap_player_bo(&r->player, rec->u.id.id)) != NULL) {
      cap_player_wait(&r->player);
      if (sgpu_shadow_image_remove_buffer(r->image, b->bo))
         return fail(r, "out of memory");
   }
   return true;
}

/* Skips a submission, and treats it as if it had already ended. */
static bool
skip(struct replay *r, const struct sgcap_record *rec)
{
   const struct cap_queue *q = cap_player_queue(&r->player, rec->u.submit.queue);
   const uint64_t seqno = q && q->num_seqnos ? q->seqnos[q->num_seqnos - 1] : 0;

   return cap_player_submitted(&r->player, rec, seqno);
}

static bool
submit(struct replay *r, const struct sgcap_record *rec)
{
   const struct sim_part *part = r->part;
   const uint32_t number = part ? r->submission++ : 0;
   const bool wanted = part ? part->wanted[part->scan->submissions[number].frame] : is_wanted(r);

   if (part && !part->needed[number])
      return skip(r, rec);
   if (!wanted)
      sim_frames_see(r->frames, r->player.frame);
   else if (!r->open && !begin_frame(r))
      return false;
   /* The store must ignore all other submissions, because the player makes them for internal
    * purposes.
    */
   sgt_store_submissions(r->store, wanted ? SGT_STORE_RECORD : SGT_STORE_COUNT, r->player.frame);
   const bool ok = cap_player_submit(&r->player, rec);
   sgt_store_submissions(r->store, SGT_STORE_IGNORE, 0);
   return ok;
}

static bool
present(struct replay *r, const struct sgcap_record *rec)
{
   const struct sgcap_present *s = &rec->u.present;
   char text[128];

   sim_frames_see(r->frames, s->frame);
   if (!is_wanted(r))
      return true;
   const uint8_t *rows = cap_player_picture(&r->player, rec);
   if (!rows || !cap_player_finish(&r->player, rec))
      return false;
   const uint64_t hash = cap_player_hash(rec, rows);
   if (hash != s->hash && r->part && !r->part->whole)
      return false;
   if (hash != s->hash) {
      snprintf(text, sizeof text,
               "the picture's hash is %016" PRIx64 ", at capture it was %016" PRIx64, hash,
               s->hash);
      return fail(r, text);
   }
   sgt_store_presented(r->store, s->x + s->width, s->y + s->height);
   r->presented = true;
   return true;
}

/* Called after the player has executed a record. */
static bool
after(struct replay *r, const struct sgcap_record *rec)
{
   struct cap_bo *b;

   switch (rec->type) {
   case SGCAP_BO_CREATE:
      b = cap_player_bo(&r->player, rec->u.bo_create.id);
      return !r->image || !b || !sgpu_shadow_image_add_buffer(r->image, b->bo) ||
             fail(r, "out of memory");
   case SGCAP_DATA:
   case SGCAP_ZERO:
      return !r->open || note_write(r, rec);
   case SGCAP_SUBMIT:
      return submit(r, rec);
   case SGCAP_PRESENT:
      return present(r, rec);
   default:
      return true;
   }
}

static bool
replay(struct replay *r)
{
   struct sgcap_record rec = { 0 };
   bool ok = true;

   while (ok && r->player.frame <= r->options->last_frame && sgcap_next(r->player.reader, &rec))
      ok = before(r, &rec) && cap_player_perform(&r->player, &rec) && after(r, &rec);
   const char *error = sgcap_error(r->player.reader);
   if (!ok && r->part && !r->part->whole && !r->failed) {
      /* Either the replay has skipped a submission that is needed, or the capture is damaged.
       * Replaying all submissions will show which.
       */
      r->part->strayed = true;
      return false;
   }
   if (error)
      fprintf(stderr, "sgpu: %s: %s\n", r->path, error);
   /* A capture without END record is valid up to its last submission. */
   ok = ok && (!error || sgcap_unclosed(r->player.reader)) && end_frame(r, &rec) &&
        give_frames(r, 1);
   if (!ok && !error && !r->failed) {
      error = sgcap_error(r->player.reader);
      fprintf(stderr, "sgpu: %s: %s\n", r->path, error ? error : "the replay failed");
   }
   return ok;
}

static bool
run(struct replay *r)
{
   const struct sim_options *o = r->options;
   struct sgpu_device_params params;
   bool ok = false;

   if (!sgpu_device_params_from_env(&params))
      return false;
   r->store = sgt_store_create(&(struct sgt_store_params){
      .classes = o->verify ? SGPU_OBSERVE_VALUES : SGPU_OBSERVE_COVERAGE,
      .state = o->verify ? on_state : NULL,
      .data = r,
      .work = o->config.chip.model != SGT_CHIP_MODEL_ENGINE,
   });
   if (!r->store) {
      fprintf(stderr, "sgpu: out of memory\n");
      return false;
   }
   sgt_store_submissions(r->store, SGT_STORE_IGNORE, 0);
   params.threads = o->threads;
   params.observer = sgt_store_observer(r->store);
   if (cap_player_open(&r->player, r->path, &params, true)) {
      ok = replay(r);
      snprintf(r->frames->program, sizeof r->frames->program, "%s", r->player.program);
      cap_player_close(&r->player);
   }
   sgpu_shadow_image_destroy(r->image);
   sgt_store_destroy(r->store);
   return ok;
}

bool
sim_replay_load(struct sim_frames *frames, const struct sim_options *o, const char *path)
{
   struct replay r = { .frames = frames, .options = o, .path = path };

   return run(&r);
}

bool
sim_replay_part(struct sim_part *part, const struct sim_options *o, const char *path)
{
   struct sim_frames frames = { .first_there = UINT64_MAX };
   struct replay r = { .frames = &frames, .options = o, .path = path, .part = part };

   part->strayed = false;
   const bool ok = run(&r);
   sim_frames_free(&frames);
   return ok;
}
