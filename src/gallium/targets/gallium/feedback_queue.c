/* SPDX-License-Identifier: MIT */
/* Queue of GL_FEEDBACK and GL_SELECT draws whose vertices the device is still recording, so that
 * many draws need only one wait for the device.  Name changes and glPassThrough tokens that follow
 * a queued draw are queued, too.
 */
#include "feedback.h"

#include "main/context.h"
#include "main/feedback.h"
#include "main/macros.h"
#include "sgpu/sgpu_public.h"
#include "state_tracker/st_context.h"
#include "util/u_inlines.h"

enum entry_kind {
   ENTRY_STATE, /* state of the following draws, whose first vertex is at byte offset `base` */
   ENTRY_DRAW,
   ENTRY_TOKEN, /* glPassThrough token */
   ENTRY_NAMES, /* hit record with `count` names, which is only written if there was a hit */
};

/* Hits in GL_SELECT mode.  As in struct gl_selection, `any` is set if there was a hit, and `min`
 * and `max` are the depth range.
 */
struct hits {
   float min, max;
   bool any;
};

struct entry {
   uint8_t kind, mode;
   uint32_t count; /* number of pieces of a draw, or number of names, depending on `kind` */
   union {
      uint32_t base;
      float token;
      /* hits that belong to the same names but were not caused by a queued draw */
      struct hits hits;
   };
};

/* Returns GL's current hits and clears them. */
static struct hits
take_hits(struct gl_context *ctx)
{
   const struct hits hits = { ctx->Select.HitMinZ, ctx->Select.HitMaxZ, ctx->Select.HitFlag };

   ctx->Select.HitFlag = GL_FALSE;
   ctx->Select.HitMinZ = 1.0f;
   ctx->Select.HitMaxZ = 0.0f;
   return hits;
}

static void
add_hits(struct gl_context *ctx, const struct hits *hits)
{
   if (hits->any) {
      _mesa_update_hitflag(ctx, hits->min);
      _mesa_update_hitflag(ctx, hits->max);
   }
}

static void
write_word(struct gl_selection *s, uint32_t word)
{
   if (s->BufferCount < s->BufferSize)
      s->Buffer[s->BufferCount] = word;
   s->BufferCount++;
}

static uint32_t
depth_word(float depth)
{
   const float word = (float)UINT32_MAX * depth;

   return word < 0x1p32f ? (uint32_t)word : UINT32_MAX;
}

/* Like Mesa's update_hit_record(), but doesn't wrap the depth of the far plane to 0. */
static void
write_hits(struct gl_context *ctx, const uint32_t *names, unsigned depth)
{
   struct gl_selection *s = &ctx->Select;
   const struct hits hits = take_hits(ctx);

   if (!hits.any)
      return;
   write_word(s, depth);
   write_word(s, depth_word(hits.min));
   write_word(s, depth_word(hits.max));
   for (unsigned i = 0; i < depth; i++)
      write_word(s, names[i]);
   s->Hits++;
}

/* Returns how many of the pieces the device has recorded completely.  The pieces are consecutive in
 * memory, and the device has recorded `bytes` bytes.
 */
static unsigned
recorded_pieces(const struct feedback *f, const struct pipe_draw_start_count_bias *pieces,
                unsigned count, uint32_t bytes)
{
   const uint32_t vertices = bytes / feedback_vertex_bytes(&f->state);

   while (count && pieces[count - 1].start + pieces[count - 1].count > vertices)
      count--;
   return count;
}

static void
run_entries(struct feedback *f, const uint8_t *vertices, uint32_t bytes)
{
   const struct feedback_queue *q = &f->queue;
   const struct pipe_draw_start_count_bias *pieces = q->pieces.data;
   const struct feedback_state *states = q->states.data;
   const uint32_t *names = q->names.data;
   uint32_t rest = 0;

   util_dynarray_foreach(&q->entries, struct entry, e) {
      switch ((enum entry_kind)e->kind) {
      case ENTRY_STATE:
         feedback_set_state(f, states++);
         rest = bytes - MIN2(e->base, bytes);
         feedback_set_vertices(f, rest ? vertices + e->base : NULL, rest);
         break;
      case ENTRY_DRAW:
         feedback_run_pipeline(f, e->mode, pieces, recorded_pieces(f, pieces, e->count, rest));
         pieces += e->count;
         break;
      case ENTRY_TOKEN:
         _mesa_feedback_token(f->ctx, GL_PASS_THROUGH_TOKEN);
         _mesa_feedback_token(f->ctx, e->token);
         break;
      case ENTRY_NAMES:
         add_hits(f->ctx, &e->hits);
         write_hits(f->ctx, names, e->count);
         names += e->count;
         break;
      }
   }
}

void
feedback_finish(struct feedback *f)
{
   struct feedback_queue *q = &f->queue;
   struct pipe_transfer *transfer = NULL;
   uint32_t bytes = q->used;

   if (!q->used)
      return;
   /* Save the hits of the current names, because running the queued entries also changes GL's hits.
    */
   const struct hits hits = take_hits(f->ctx);
   const void *map = feedback_map(f, &bytes, &transfer);
   /* If vertices are missing and there are several draws, it is unknown which draw they belong to.
    */
   if (bytes < q->used && q->num_draws > 1) {
      feedback_out_of_memory(f);
      bytes = 0;
   }
   run_entries(f, map, bytes);
   feedback_set_vertices(f, NULL, 0);
   if (transfer)
      pipe_buffer_unmap(f->ctx->st->pipe, transfer);
   add_hits(f->ctx, &hits);

   util_dynarray_clear(&q->entries);
   util_dynarray_clear(&q->pieces);
   util_dynarray_clear(&q->names);
   util_dynarray_clear(&q->states);
   q->used = 0;
   q->num_draws = 0;
}

/* Appends an entry to the queue.  Returns NULL on allocation failure. */
static struct entry *
add_entry(struct feedback_queue *q, enum entry_kind kind, uint32_t count)
{
   struct entry *e = util_dynarray_grow(&q->entries, struct entry, 1);

   if (e)
      *e = (struct entry){ .kind = kind, .count = count };
   return e;
}

static const struct feedback_state *
latest_state(const struct feedback_queue *q)
{
   return q->states.size ? util_dynarray_top_ptr(&q->states, struct feedback_state) : NULL;
}

/* Queues the state of the following draws if it differs from the latest queued state.  Returns
 * false on allocation failure.
 */
static bool
add_state(struct feedback_queue *q, const struct feedback_state *state)
{
   const size_t size = offsetof(struct feedback_state, viewport) + feedback_viewport_bytes(state);
   const struct feedback_state *latest = latest_state(q);

   if (latest && !memcmp(latest, state, size))
      return true;
   struct feedback_state *room = util_dynarray_grow(&q->states, struct feedback_state, 1);
   struct entry *e = room ? add_entry(q, ENTRY_STATE, 0) : NULL;
   if (!e) {
      if (room)
         q->states.size -= sizeof(*room);
      return false;
   }
   memcpy(room, state, size);
   e->base = q->base = q->used;
   return true;
}

static bool
add_draw(struct feedback_queue *q, const struct feedback_state *state, enum mesa_prim mode,
         const struct pipe_draw_start_count_bias *pieces, unsigned num_pieces)
{
   if (!add_state(q, state))
      return false;
   struct pipe_draw_start_count_bias *room = util_dynarray_grow(&q->pieces,
                                                                struct pipe_draw_start_count_bias,
                                                                num_pieces);
   struct entry *e = room ? add_entry(q, ENTRY_DRAW, num_pieces) : NULL;
   if (!e) {
      if (room)
         q->pieces.size -= num_pieces * sizeof(*pieces);
      return false;
   }
   e->mode = mode;
   for (unsigned i = 0; i < num_pieces; i++) {
      room[i] = pieces[i];
      room[i].start += (q->used - q->base) / feedback_vertex_bytes(state);
   }
   return true;
}

void
feedback_queue_draw(struct feedback *f, const struct feedback_state *state, enum mesa_prim mode,
                    const struct pipe_draw_start_count_bias *pieces, unsigned num_pieces,
                    uint32_t vertices)
{
   if (!add_draw(&f->queue, state, mode, pieces, num_pieces))
      feedback_out_of_memory(f);
   f->queue.num_draws++;
   f->queue.used += vertices * feedback_vertex_bytes(state);
}

bool
feedback_queue_token(struct feedback *f, float token)
{
   struct entry *e = f->queue.used ? add_entry(&f->queue, ENTRY_TOKEN, 0) : NULL;

   if (!e) {
      feedback_finish(f);
      return false;
   }
   e->token = token;
   return true;
}

void
feedback_queue_names(struct feedback *f)
{
   struct feedback_queue *q = &f->queue;
   const struct gl_selection *s = &f->ctx->Select;
   const unsigned depth = s->NameStackDepth;

   if (!q->used) {
      write_hits(f->ctx, s->NameStack, depth);
      return;
   }
   uint32_t *names = util_dynarray_grow(&q->names, uint32_t, depth);
   struct entry *e = names || !depth ? add_entry(q, ENTRY_NAMES, depth) : NULL;
   if (!e) {
      if (names)
         q->names.size -= depth * sizeof(*names);
      feedback_finish(f);
      write_hits(f->ctx, s->NameStack, depth);
      return;
   }
   if (depth)
      memcpy(names, s->NameStack, depth * sizeof(*names));
   e->hits = take_hits(f->ctx);
}

void
feedback_queue_fini(struct feedback *f)
{
   util_dynarray_fini(&f->queue.entries);
   util_dynarray_fini(&f->queue.pieces);
   util_dynarray_fini(&f->queue.names);
   util_dynarray_fini(&f->queue.states);
}
