/* SPDX-License-Identifier: MIT */
/*
 * The host interface and the vertex attribute buffer.
 *
 * A write must wait if it would overwrite an attribute of the previous vertex that has not been
 * moved to the input buffer yet. It can enter in the same cycle in which that attribute is moved.
 */
#include "nv20/sgt_vab.h"

#include <assert.h>

#include "kernel/sgt_dump.h"
#include "util/bitscan.h"
#include "util/macros.h"

void
sgt_vhost_charge(struct sgt_vhost *h, uint64_t now)
{
   sgt_nv20_charge(h->shared->result->host, h->state, &h->from, now);
}

static uint64_t
host_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_vhost *h = container_of(unit, struct sgt_vhost, unit);
   const struct sgt_vertex_stream *stream = h->shared->stream;

   sgt_vhost_charge(h, now);
   if (h->next_write == stream->num_writes) {
      h->state = now < h->next_send ? SGT_HOST_PACE : SGT_HOST_DONE;
      return now < h->next_send ? h->next_send : SGT_NEVER;
   }
   if (now < h->next_send) {
      h->state = SGT_HOST_PACE;
      return h->next_send;
   }
   if (!sgt_channel_can_send(h->out, now)) {
      h->state = SGT_HOST_FULL;
      return SGT_NEVER;
   }
   const struct sgt_vab_write_message m = { stream->writes[h->next_write++] };
   sgt_channel_send(h->out, now, &m);
   h->next_send = now + h->shared->params->host_clocks;
   h->state = SGT_HOST_SEND;
   return now + 1;
}

void
sgt_vhost_init(struct sgt_vhost *h, struct sgt_nv20_shared *shared, const struct sgt_clock *clock)
{
   *h = (struct sgt_vhost){
      .unit = { .name = "host", .clock = clock, .tick = host_tick },
      .shared = shared,
      .state = SGT_HOST_DONE,
   };
}

void
sgt_vab_charge(struct sgt_vab *v, uint64_t now)
{
   struct sgt_nv20_result *r = v->shared->result;
   const uint32_t full = v->shared->params->input_buffers - util_bitcount64(v->free);

   r->full[full] += now - v->from;
   r->vab_drain[v->drain_state] += now - v->from;
   sgt_nv20_charge(r->vab_write, v->write_state, &v->from, now);
}

/* Moves an attribute to the input buffer. Notifies the core after the last attribute. */
static void
vab_move(struct sgt_vab *v, uint64_t now, unsigned attribute)
{
   struct sgt_nv20_result *r = v->shared->result;

   assert(v->pending >> attribute & 1);
   v->pending &= ~(1u << attribute);
   v->moved++;
   r->attributes[attribute]++;
   if (v->pending)
      return;
   sgt_nv20_times_of(v->shared, v->vertex)->filled = now;
   r->dirty[v->moved]++;
   r->buffers[v->target]++;
   r->moved += v->moved;
   v->moved = 0;
   v->free &= ~(1ull << v->target);
   /* The channel can't overflow, since it has room for one message per input buffer. */
   const struct sgt_vab_filled m = { v->vertex++, v->target };
   sgt_channel_send(v->out, now, &m);
   v->target = v->target + 1 == v->shared->params->input_buffers ? 0 : v->target + 1;
}

/* Stores an attribute in the attribute buffer. A write of attribute 0 completes the vertex, which
 * can then be moved.
 */
static void
vab_enter(struct sgt_vab *v, uint64_t now, unsigned attribute)
{
   const struct sgt_nv20_params *p = v->shared->params;
   struct sgt_nv20_result *r = v->shared->result;
   const uint16_t bit = 1u << attribute;

   r->writes++;
   r->rewrites += (v->written & bit) != 0;
   v->written |= bit;
   for (uint32_t i = 0; i < p->input_buffers; i++)
      v->dirty[i] |= bit;
   if (attribute)
      return;
   assert(!v->pending);
   v->pending = p->dirty ? v->dirty[v->target] : UINT16_MAX;
   v->dirty[v->target] = 0;
   v->written = 0;
   sgt_nv20_times_of(v->shared, v->vertex)->written = now;
}

/* Returns true if the write can enter the attribute buffer. *moved is the attribute that is moved
 * to the input buffer in this cycle. If the write needs another attribute to be moved first,
 * changes *moved to that attribute.
 */
static bool
vab_admit(struct sgt_vab *v, const struct sgt_vab_write_message *m, bool can_move, int *moved)
{
   const uint16_t bit = 1u << m->attribute;

   if (m->attribute) {
      if (!(v->pending & bit))
         return true;
      if (can_move && v->shared->params->push_out)
         *moved = m->attribute;
      return *moved == m->attribute;
   }
   /* A write of attribute 0 can only enter if the previous vertex has been moved completely by the
    * end of this cycle.
    */
   return !v->pending || (can_move && util_is_power_of_two_nonzero(v->pending));
}

static uint64_t
vab_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_vab *v = container_of(unit, struct sgt_vab, unit);
   const struct sgt_vab_write_message *m;
   const struct sgt_vab_free *f;

   sgt_vab_charge(v, now);
   while ((f = sgt_channel_peek(v->freed, now)) != NULL) {
      v->free |= 1ull << f->buffer;
      sgt_channel_take(v->freed, now);
   }
   const bool transfer = v->pending != 0;
   const bool can_move = transfer && (v->free >> v->target & 1);
   const int in_turn = can_move ? ffs(v->pending) - 1 : -1;
   int moved = in_turn;
   bool enters = false;

   v->write_state = SGT_VAB_NO_WRITE;
   m = sgt_channel_peek(v->in, now);
   if (m) {
      enters = vab_admit(v, m, can_move, &moved);
      v->write_state = enters                  ? SGT_VAB_WRITE
                       : transfer && !can_move ? SGT_VAB_WAITS_BUFFER
                                               : SGT_VAB_WAITS_DRAIN;
   }
   v->drain_state = !transfer          ? SGT_VAB_NO_VERTEX
                    : !can_move        ? SGT_VAB_NO_BUFFER
                    : moved != in_turn ? SGT_VAB_PUSH
                                       : SGT_VAB_DRAIN;
   v->shared->result->pushed += v->drain_state == SGT_VAB_PUSH;
   if (moved >= 0)
      vab_move(v, now, moved);
   if (enters) {
      vab_enter(v, now, m->attribute);
      sgt_channel_take(v->in, now);
   }
   return enters || moved >= 0 ? now + 1 : SGT_NEVER;
}

void
sgt_vab_init(struct sgt_vab *v, struct sgt_nv20_shared *shared, const struct sgt_clock *clock)
{
   *v = (struct sgt_vab){
      .unit = { .name = "attribute buffer", .clock = clock, .tick = vab_tick },
      .shared = shared,
      .free = ~0ull >> (64 - shared->params->input_buffers),
      .write_state = SGT_VAB_NO_WRITE,
      .drain_state = SGT_VAB_NO_VERTEX,
   };
}

bool
sgt_vab_idle(const struct sgt_vab *v)
{
   return !v->pending && !v->written;
}

void
sgt_vhost_dump(const struct sgt_vhost *h, struct sgt_dump *d)
{
   sgt_dump_unit(d, h->unit.clock, "host", SGT_DUMP_ONLY);
   sgt_dump_state(d, "", sgt_nv20_host_names[h->state]);
   sgt_dump_queue(d, "writes to send", h->shared->stream->num_writes - h->next_write, 0);
}

void
sgt_vab_dump(const struct sgt_vab *v, struct sgt_dump *d)
{
   const uint32_t buffers = v->shared->params->input_buffers;
   sgt_dump_unit(d, v->unit.clock, "attribute-buffer", SGT_DUMP_ONLY);
   sgt_dump_state(d, "writes", sgt_vab_write_names[v->write_state]);
   sgt_dump_state(d, "drains", sgt_vab_drain_names[v->drain_state]);
   sgt_dump_queue(d, "attributes of the vertex that is loaded", util_bitcount(v->written), 0);
   sgt_dump_queue(d, "attributes to be moved", util_bitcount(v->pending), 0);
   sgt_dump_queue(d, "input buffers in use", buffers - util_bitcount64(v->free), buffers);
   sgt_dump_channel(d, "writes", v->in);
}
