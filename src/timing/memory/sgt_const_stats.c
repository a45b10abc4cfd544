/* SPDX-License-Identifier: MIT */
/*
 * Constant cache: parameters, statistics, and what always holds.
 */
#include <inttypes.h>
#include <stdio.h>

#include "sgt_const_model.h"
#include "sgt_stats.h"
#include "util/bitscan.h"
#include "util/macros.h"

void
sgt_const_params_init(struct sgt_const_params *p)
{
   *p = (struct sgt_const_params){
      .contexts = 6,
      .versions = 2,
      .lines = 128,
      .mapping = 16,
      .fifo = 8,
      .misses = 8,
      .latency = 2,
   };
}

bool
sgt_const_params_check(const struct sgt_const_params *p, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint32_t value, low, high;
   } ranges[] = {
      { "contexts", p->contexts, 1, SGT_CONST_MAX_CONTEXTS },
      { "versions", p->versions, 1, SGT_CONST_MAX_VERSIONS },
      { "lines", p->lines, 1, SGT_CONST_MAX_LINES },
      { "mapping", p->mapping, 0, SGT_CONST_MAX_MAPPING },
      { "fifo", p->fifo, 1, SGT_CONST_MAX_FIFO },
      { "misses", p->misses, 1, SGT_CONST_MAX_MISSES },
      { "latency", p->latency, 1, 255 },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      if (ranges[i].value < ranges[i].low || ranges[i].value > ranges[i].high) {
         snprintf(error, error_size, "%s = %" PRIu32 ": expected %" PRIu32 " to %" PRIu32,
                  ranges[i].name, ranges[i].value, ranges[i].low, ranges[i].high);
         return false;
      }
   }
   return true;
}

static const char *const result_names[SGT_CONST_RESULTS] = {
   [SGT_CONST_HIT] = "hit",       [SGT_CONST_MISS] = "miss",
   [SGT_CONST_MERGED] = "merged", [SGT_CONST_FIFO_FULL] = "fifo full",
   [SGT_CONST_PORT] = "port",     [SGT_CONST_MISSES_FULL] = "misses full",
};

static const char *const change_names[SGT_CONST_CHANGES] = {
   [SGT_CONST_CHANGED] = "changed",       [SGT_CONST_FETCH] = "fetch",
   [SGT_CONST_NO_VERSION] = "no version", [SGT_CONST_NO_MAPPING] = "no mapping",
   [SGT_CONST_PINNED] = "pinned",         [SGT_CONST_NO_MISS] = "no miss",
};

static void
add_parts(struct sgt_stats *s, const char *unit, const char *name, const char *of, uint32_t num,
          const uint64_t *values, const char *const *names, const char *text)
{
   uint64_t total = 0;

   for (uint32_t i = 0; i < num; i++)
      total += values[i];
   sgt_stats_add_parts(s, unit, name, of, text, num, values, names, total);
}

void
sgt_const_cache_register(const struct sgt_const_cache *c, struct sgt_stats *s, const char *unit)
{
   const struct sgt_const_counts *n = &c->counts;
   const struct {
      const char *name, *of;
      const uint64_t *value;
      const char *text;
   } counts[] = {
      { "changed_in_place", "lines", &n->in_place, "Changes that no running thread may not see." },
      { "versions", "versions", &n->versions, "Versions that changes have begun." },
      { "mapping_merged", "lines", &n->merged,
        "Entries of the mapping table that went to their line's place." },
      { "mapping_superseded", "lines", &n->superseded,
        "Entries of the mapping table that a newer one made useless." },
      { "contexts_opened", "contexts", &n->opened, "Contexts that were new to the header table." },
      { "contexts_reopened", "contexts", &n->reopened, "Contexts that the header table had." },
      { "contexts_evicted", "contexts", &n->evicted, "Contexts that left the header table." },
      { "contexts_refused", "attempts", &n->no_context,
        "Openings that waited for threads to end." },
      { "lines_replaced", "lines", &n->replaced, "Lines that left for another of their context." },
      { "lines_bypassed", "lines", &n->bypassed, "Lines from memory that could not stay." },
      { "fills", "lines", &n->fills, "Lines requested from memory." },
      { "delivered", "constants", &n->delivered, "Constants taken out of the FIFO." },
      { "fifo_occupancy", "constants x cycles", &n->fifo_occupancy, "Constants in the FIFO." },
      { "fifo_most", "constants", &n->fifo_most, "The most constants in the FIFO." },
      { "request_latency", "cycles", &n->request_latency,
        "Sum over requests of the cycles until the constant was ready." },
   };

   add_parts(s, unit, "requests", "attempts", SGT_CONST_RESULTS, n->results, result_names,
             "What became of requests; those that nothing became of come again.");
   add_parts(s, unit, "changes", "attempts", SGT_CONST_CHANGES, n->changes, change_names,
             "What became of changes of lines.");
   for (unsigned i = 0; i < ARRAY_SIZE(counts); i++) {
      sgt_stats_add_count(s, unit, counts[i].name, counts[i].of, counts[i].text, counts[i].value);
   }
}

/* -- what always holds -------------------------------------------------------------------- */

static const char *
check_context(const struct sgt_const_cache *c, const struct context *x, uint32_t *slots)
{
   uint32_t threads = 0;

   if (!x->size || x->base + x->size > c->p.lines)
      return "a context is outside of the storage";
   *slots += x->size;
   for (uint32_t i = 0; i < c->p.contexts; i++) {
      const struct context *other = &c->contexts[i];
      if (other != x && other->used && x->base < other->base + other->size &&
          other->base < x->base + x->size)
         return "contexts overlap";
   }
   for (uint32_t v = 0; v < c->p.versions; v++)
      threads += x->refs[v];
   if (threads != x->threads || x->current - x->oldest >= c->p.versions)
      return "versions do not add up";
   if (x->oldest != x->current && !x->refs[x->oldest % c->p.versions])
      return "the oldest version has no threads";
   if (x->oldest == x->current && x->mapped)
      return "lines are mapped for nobody";
   u_foreach_bit64(e, x->mapped) {
      const struct mapping *m = &c->mapping[e];
      const struct slot *home = &c->slots[x->base + m->line % x->size];
      if (m->version <= x->oldest || m->version > x->current)
         return "an entry of the mapping table is of no version";
      if (home->line != m->line || home->state == SLOT_EMPTY)
         return "the old value of a mapped line is lost";
      if (c->slots[c->p.lines + e].line != m->line)
         return "an entry of the mapping table has another line";
   }
   return NULL;
}

static const char *
check_tables(const struct sgt_const_cache *c)
{
   uint64_t mapped = 0;
   uint32_t slots = 0;

   for (uint32_t i = 0; i < c->p.contexts; i++) {
      const struct context *x = &c->contexts[i];
      if (!x->used)
         continue;
      if (mapped & x->mapped)
         return "an entry of the mapping table is of two contexts";
      mapped |= x->mapped;
      const char *error = check_context(c, x, &slots);
      if (error)
         return error;
   }
   if (mapped & c->free_mapping ||
       util_bitcount64(mapped) + util_bitcount64(c->free_mapping) != c->p.mapping)
      return "entries of the mapping table are lost";
   return slots <= c->p.lines ? NULL : "more slots than there are";
}

const char *
sgt_const_cache_check(const struct sgt_const_cache *c)
{
   uint32_t waiting = 0, ready = 0, queued = 0, filling = 0, targets = 0, used = 0;

   for (uint32_t t = 0; t < SGT_CONST_TAGS; t++) {
      waiting += c->tags[t].state == TAG_WAITING;
      ready += c->tags[t].state == TAG_READY;
   }
   for (uint32_t i = 0; i < c->p.misses; i++) {
      const struct miss *m = &c->misses[i];
      if (m->used == (c->free_misses >> i & 1))
         return "a miss is both free and used";
      if (!m->used)
         continue;
      used++;
      for (uint32_t t = m->first; t != NO_TAG; t = c->tags[t].next)
         queued++;
      if (m->slot == NO_SLOT)
         continue;
      targets++;
      if (c->slots[m->slot].state != SLOT_FILLING || c->slots[m->slot].miss != i)
         return "a line is on its way to a slot that does not wait";
   }
   for (uint32_t i = 0; i < c->p.lines + c->p.mapping; i++)
      filling += c->slots[i].state == SLOT_FILLING;
   if (filling != targets)
      return "a slot waits for a line that is not on its way";
   if (waiting != queued)
      return "a request waits for nothing";
   if (ready != c->in_fifo || ready > c->p.fifo)
      return "constants in the FIFO do not add up";
   if (c->num_back > used)
      return "more lines are back than were requested";
   return check_tables(c);
}
