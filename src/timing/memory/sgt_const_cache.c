/* SPDX-License-Identifier: MIT */
/*
 * Constant cache: header table, mapping table, misses and FIFO.
 */
#include "sgt_const_cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sgt_const_model.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define BITS(n) ((n) == 64 ? ~0ull : (1ull << (n)) - 1)

struct sgt_const_cache *
sgt_const_cache_create(const struct sgt_const_params *p)
{
   const uint32_t slots = p->lines + p->mapping;
   struct sgt_const_cache *c = calloc(1, sizeof(*c) + slots * sizeof(c->slots[0]));

   if (!c)
      return NULL;
   c->p = *p;
   c->free_mapping = BITS(p->mapping);
   c->free_misses = BITS(p->misses);
   for (uint32_t i = 0; i < slots; i++)
      c->slots[i].line = UINT32_MAX;
   return c;
}

void
sgt_const_cache_destroy(struct sgt_const_cache *c)
{
   free(c);
}

const struct sgt_const_counts *
sgt_const_counts(const struct sgt_const_cache *c)
{
   return &c->counts;
}

/* -- fills ------------------------------------------------------------------------------ */

/* The line that is on its way to the slot, if one is, will not stay there. */
static void
detach(struct sgt_const_cache *c, struct slot *slot)
{
   if (slot->state == SLOT_FILLING)
      c->misses[slot->miss].slot = NO_SLOT;
   slot->state = SLOT_EMPTY;
}

/* Begins a fill of a line.  There is a free miss. */
static struct miss *
begin_fill(struct sgt_const_cache *c, struct context *x, uint32_t line, uint16_t slot,
           struct sgt_const_fill *fill)
{
   const unsigned id = ffsll(c->free_misses) - 1;
   struct miss *m = &c->misses[id];

   c->free_misses &= ~(1ull << id);
   *m = (struct miss){ true, x - c->contexts, slot, NO_TAG, NO_TAG, 0 };
   x->misses++;
   if (slot != NO_SLOT) {
      assert(c->slots[slot].state == SLOT_EMPTY);
      c->slots[slot].state = SLOT_FILLING;
      c->slots[slot].miss = id;
      c->slots[slot].line = line;
   }
   fill->address = x->address + (uint64_t)line * SGT_CONST_LINE;
   fill->id = id;
   c->counts.fills++;
   return m;
}

static void
end_fill(struct sgt_const_cache *c, struct miss *m)
{
   m->used = false;
   c->free_misses |= 1ull << (m - c->misses);
}

void
sgt_const_filled(struct sgt_const_cache *c, uint32_t id, uint64_t value)
{
   struct miss *m = &c->misses[id];

   assert(m->used);
   m->value = value;
   c->contexts[m->context].misses--;
   if (m->slot != NO_SLOT) {
      struct slot *slot = &c->slots[m->slot];
      assert(slot->state == SLOT_FILLING && slot->miss == id);
      slot->state = SLOT_VALID;
      slot->value = value;
      m->slot = NO_SLOT;
   }
   if (m->first == NO_TAG) {
      end_fill(c, m);
      return;
   }
   c->back[(c->first_back + c->num_back++) % SGT_CONST_MAX_MISSES] = id;
}

/* -- FIFO ------------------------------------------------------------------------------- */

static void
count_fifo(struct sgt_const_cache *c, uint64_t now)
{
   assert(now >= c->fifo_since);
   c->counts.fifo_occupancy += c->in_fifo * (now - c->fifo_since);
   c->fifo_since = now;
}

static void
enter_fifo(struct sgt_const_cache *c, struct tag *tag, uint64_t value, uint64_t now,
           uint32_t latency)
{
   assert(c->in_fifo < c->p.fifo && c->port <= now);
   count_fifo(c, now);
   c->in_fifo++;
   c->counts.fifo_most = MAX2(c->counts.fifo_most, c->in_fifo);
   c->port = now + 1;
   tag->state = TAG_READY;
   tag->entered = now;
   tag->ready = now + latency;
   tag->value = value;
   c->counts.request_latency += tag->ready - tag->requested;
}

bool
sgt_const_cycle(struct sgt_const_cache *c, uint64_t now)
{
   if (!c->num_back || c->in_fifo == c->p.fifo || c->port > now)
      return c->num_back;
   struct miss *m = &c->misses[c->back[c->first_back]];
   struct tag *tag = &c->tags[m->first];

   enter_fifo(c, tag, m->value, now, 1);
   m->first = tag->next;
   if (m->first == NO_TAG) {
      end_fill(c, m);
      c->first_back = (c->first_back + 1) % SGT_CONST_MAX_MISSES;
      c->num_back--;
   }
   return c->num_back;
}

uint64_t
sgt_const_ready(const struct sgt_const_cache *c, uint32_t tag)
{
   assert(c->tags[tag].state != TAG_FREE);
   return c->tags[tag].state == TAG_READY ? c->tags[tag].ready : UINT64_MAX;
}

uint64_t
sgt_const_take(struct sgt_const_cache *c, uint32_t tag, uint64_t now)
{
   struct tag *t = &c->tags[tag];

   assert(t->state == TAG_READY && t->ready <= now);
   count_fifo(c, now);
   c->in_fifo--;
   c->counts.delivered++;
   c->counts.fifo_residence += now - t->entered;
   t->state = TAG_FREE;
   return t->value;
}

/* -- header table ----------------------------------------------------------------------- */

/* The lowest slots for a context that no other one has; UINT32_MAX: there are none. */
static uint32_t
find_gap(const struct sgt_const_cache *c, uint32_t size)
{
   uint32_t base = 0;
   bool moved = true;

   while (moved) {
      moved = false;
      for (uint32_t i = 0; i < c->p.contexts; i++) {
         const struct context *x = &c->contexts[i];
         if (x->used && base < x->base + x->size && x->base < base + size) {
            base = x->base + x->size;
            moved = true;
         }
      }
   }
   return base + size <= c->p.lines ? base : UINT32_MAX;
}

/* Takes the context that nobody has used for longest out of the table. */
static bool
evict(struct sgt_const_cache *c)
{
   struct context *victim = NULL;

   for (uint32_t i = 0; i < c->p.contexts; i++) {
      struct context *x = &c->contexts[i];
      if (x->used && !x->threads && !x->misses && (!victim || x->last_use < victim->last_use))
         victim = x;
   }
   if (!victim)
      return false;
   assert(!victim->mapped);
   victim->used = false;
   c->counts.evicted++;
   return true;
}

static struct context *
free_context(struct sgt_const_cache *c)
{
   for (uint32_t i = 0; i < c->p.contexts; i++) {
      if (!c->contexts[i].used)
         return &c->contexts[i];
   }
   return NULL;
}

int
sgt_const_open(struct sgt_const_cache *c, uint32_t shader, uint32_t id, uint64_t address,
               uint32_t bytes)
{
   assert(address % SGT_CONST_LINE == 0 && bytes);
   for (uint32_t i = 0; i < c->p.contexts; i++) {
      struct context *x = &c->contexts[i];
      if (x->used && x->shader == shader && x->id == id) {
         assert(x->address == address && x->bytes == bytes);
         x->last_use = ++c->uses;
         c->counts.reopened++;
         return i;
      }
   }

   /* Two contexts always fit. */
   const uint32_t most = c->p.contexts > 1 ? MAX2(c->p.lines / 2, 1) : c->p.lines;
   const uint32_t size = MIN2(DIV_ROUND_UP(bytes, SGT_CONST_LINE), most);
   struct context *x;
   uint32_t base;
   while (!(x = free_context(c)) || (base = find_gap(c, size)) == UINT32_MAX) {
      if (!evict(c)) {
         c->counts.no_context++;
         return -1;
      }
   }
   *x = (struct context){
      .used = true,
      .shader = shader,
      .id = id,
      .address = address,
      .bytes = bytes,
      .base = base,
      .size = size,
      .last_use = ++c->uses,
   };
   for (uint32_t i = base; i < base + size; i++) {
      assert(c->slots[i].state != SLOT_FILLING);
      c->slots[i] = (struct slot){ .line = UINT32_MAX };
   }
   c->counts.opened++;
   return x - c->contexts;
}

/* -- mapping table ---------------------------------------------------------------------- */

static struct slot *
home_of(struct sgt_const_cache *c, const struct context *x, uint32_t line)
{
   return &c->slots[x->base + line % x->size];
}

static struct slot *
mapping_slot(struct sgt_const_cache *c, unsigned entry)
{
   return &c->slots[c->p.lines + entry];
}

/* The entry of a line with the greatest version up to `version`; -1: none. */
static int
find_mapping(const struct sgt_const_cache *c, const struct context *x, uint32_t line,
             uint32_t version)
{
   int best = -1;

   u_foreach_bit64(e, x->mapped) {
      const struct mapping *m = &c->mapping[e];
      if (m->line == line && m->version <= version &&
          (best < 0 || m->version > c->mapping[best].version))
         best = e;
   }
   return best;
}

static bool
is_mapped(const struct sgt_const_cache *c, const struct context *x, uint32_t line)
{
   return find_mapping(c, x, line, UINT32_MAX) >= 0;
}

static void
free_mapping(struct sgt_const_cache *c, struct context *x, unsigned entry)
{
   x->mapped &= ~(1ull << entry);
   c->free_mapping |= 1ull << entry;
   mapping_slot(c, entry)->line = UINT32_MAX;
   mapping_slot(c, entry)->state = SLOT_EMPTY;
}

/* No thread has a version below x->oldest: of each line the newest entry up to it goes to the
 * line's place, and older ones go away.
 */
static void
merge(struct sgt_const_cache *c, struct context *x)
{
   u_foreach_bit64(e, x->mapped) {
      const struct mapping *m = &c->mapping[e];
      if (m->version > x->oldest || find_mapping(c, x, m->line, x->oldest) == (int)e)
         continue;
      detach(c, mapping_slot(c, e));
      free_mapping(c, x, e);
      c->counts.superseded++;
   }
   u_foreach_bit64(e, x->mapped) {
      const struct mapping *m = &c->mapping[e];
      const struct slot *from = mapping_slot(c, e);
      struct slot *home = home_of(c, x, m->line);
      if (m->version > x->oldest)
         continue;
      detach(c, home);
      *home = *from;
      if (home->state == SLOT_FILLING)
         c->misses[home->miss].slot = home - c->slots;
      free_mapping(c, x, e);
      c->counts.merged++;
   }
}

uint32_t
sgt_const_acquire(struct sgt_const_cache *c, int context)
{
   struct context *x = &c->contexts[context];

   assert(x->used);
   x->refs[x->current % c->p.versions]++;
   x->threads++;
   x->last_use = ++c->uses;
   return x->current;
}

void
sgt_const_release(struct sgt_const_cache *c, int context, uint32_t version)
{
   struct context *x = &c->contexts[context];
   const uint32_t oldest = x->oldest;

   assert(x->used && version - oldest <= x->current - oldest);
   assert(x->refs[version % c->p.versions]);
   x->refs[version % c->p.versions]--;
   x->threads--;
   while (x->oldest != x->current && !x->refs[x->oldest % c->p.versions])
      x->oldest++;
   if (x->oldest != oldest && x->mapped)
      merge(c, x);
}

/* -- requests --------------------------------------------------------------------------- */

/* The line at the place of another one must stay there. */
static bool
is_pinned(const struct sgt_const_cache *c, const struct context *x, const struct slot *home)
{
   return home->state == SLOT_FILLING || (home->line != UINT32_MAX && is_mapped(c, x, home->line));
}

/* The line's place, cleared for it if another line was there; NULL: that one must stay. */
static struct slot *
claim_home(struct sgt_const_cache *c, const struct context *x, uint32_t line)
{
   struct slot *home = home_of(c, x, line);

   if (home->line == line)
      return home;
   if (is_pinned(c, x, home))
      return NULL;
   c->counts.replaced += home->state == SLOT_VALID;
   *home = (struct slot){ .line = line };
   return home;
}

static enum sgt_const_result
look_up(struct sgt_const_cache *c, struct context *x, uint32_t version, uint32_t line,
        uint32_t number, uint64_t now, struct sgt_const_fill *fill)
{
   const int entry = x->mapped ? find_mapping(c, x, line, version) : -1;
   const struct slot *there = entry >= 0 ? mapping_slot(c, entry) : home_of(c, x, line);
   struct tag *tag = &c->tags[number];
   struct miss *m;

   if (there->line == line && there->state == SLOT_VALID) {
      if (c->in_fifo == c->p.fifo)
         return SGT_CONST_FIFO_FULL;
      if (c->port > now)
         return SGT_CONST_PORT;
      tag->requested = now;
      enter_fifo(c, tag, there->value, now, c->p.latency);
      return SGT_CONST_HIT;
   }

   const bool merged = there->line == line && there->state == SLOT_FILLING;
   if (merged) {
      m = &c->misses[there->miss];
   } else {
      if (!c->free_misses)
         return SGT_CONST_MISSES_FULL;
      if (entry < 0)
         there = claim_home(c, x, line);
      c->counts.bypassed += !there;
      m = begin_fill(c, x, line, there ? there - c->slots : NO_SLOT, fill);
   }
   tag->state = TAG_WAITING;
   tag->requested = now;
   tag->next = NO_TAG;
   if (m->first == NO_TAG)
      m->first = number;
   else
      c->tags[m->last].next = number;
   m->last = number;
   return merged ? SGT_CONST_MERGED : SGT_CONST_MISS;
}

enum sgt_const_result
sgt_const_lookup(struct sgt_const_cache *c, int context, uint32_t version, uint32_t address,
                 uint32_t tag, uint64_t now, struct sgt_const_fill *fill)
{
   struct context *x = &c->contexts[context];

   assert(x->used && address < x->bytes && x->refs[version % c->p.versions]);
   assert(tag < SGT_CONST_TAGS && c->tags[tag].state == TAG_FREE);
   const enum sgt_const_result result = look_up(c, x, version, address / SGT_CONST_LINE, tag, now,
                                                fill);
   c->counts.results[result]++;
   return result;
}

/* -- changes ---------------------------------------------------------------------------- */

/* Threads of older versions may still read the line. */
static enum sgt_const_change
change_beside(struct sgt_const_cache *c, struct context *x, uint32_t line, uint32_t version,
              struct sgt_const_fill *fill)
{
   const int entry = find_mapping(c, x, line, version);
   struct slot *there = entry >= 0 ? mapping_slot(c, entry) : home_of(c, x, line);

   if (entry >= 0 && c->mapping[entry].version == version) {
      detach(c, there);
      return SGT_CONST_CHANGED;
   }
   if (!c->free_mapping)
      return SGT_CONST_NO_MAPPING;
   /* The old value must be there, or on its way, before memory has the new one. */
   if (there->line != line || there->state == SLOT_EMPTY) {
      if (!c->free_misses)
         return SGT_CONST_NO_MISS;
      if (entry < 0)
         there = claim_home(c, x, line);
      if (!there)
         return SGT_CONST_PINNED;
      begin_fill(c, x, line, there - c->slots, fill);
      return SGT_CONST_FETCH;
   }
   const unsigned e = ffsll(c->free_mapping) - 1;
   c->free_mapping &= ~(1ull << e);
   x->mapped |= 1ull << e;
   c->mapping[e] = (struct mapping){ line, version };
   *mapping_slot(c, e) = (struct slot){ .line = line };
   return SGT_CONST_CHANGED;
}

static enum sgt_const_change
change(struct sgt_const_cache *c, struct context *x, uint32_t line, struct sgt_const_fill *fill)
{
   const bool begins = x->refs[x->current % c->p.versions];
   const uint32_t version = x->current + begins;

   if (version == x->oldest) {
      struct slot *home = home_of(c, x, line);
      assert(!x->mapped);
      if (home->line == line)
         detach(c, home);
      c->counts.in_place++;
      return SGT_CONST_CHANGED;
   }
   if (version - x->oldest >= c->p.versions)
      return SGT_CONST_NO_VERSION;
   const enum sgt_const_change result = change_beside(c, x, line, version, fill);
   if (result == SGT_CONST_CHANGED && begins) {
      x->current = version;
      c->counts.versions++;
   }
   return result;
}

enum sgt_const_change
sgt_const_change(struct sgt_const_cache *c, int context, uint32_t address,
                 struct sgt_const_fill *fill)
{
   struct context *x = &c->contexts[context];

   assert(x->used && address < x->bytes);
   const enum sgt_const_change result = change(c, x, address / SGT_CONST_LINE, fill);
   c->counts.changes[result]++;
   return result;
}
