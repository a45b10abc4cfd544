/* SPDX-License-Identifier: MIT */
/*
 * Cache model: tags, replacement and MSHRs.
 *
 * A line with pending fetches has exactly one MSHR and can't be replaced until all fetches have
 * arrived. A fill can therefore find its line by address, and every sector that a waiter is missing
 * has a pending fetch.
 */
#include "chip_memory/sgt_cache.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_bits.h"
#include "util/macros.h"
#include "util/u_math.h"

#define NONE UINT32_MAX
#define NO_TAG UINT64_MAX
#define NO_MSHR UINT16_MAX

bool
sgt_cache_check(const struct sgt_cache_params *p, const char *name, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint32_t value, low, high;
      bool power;
   } ranges[] = {
      { "line_bytes", p->line_bytes, SGT_CACHE_SECTOR, 32 * SGT_CACHE_SECTOR, true },
      { "sets", p->sets, 1, 1 << 20, true },
      { "ways", p->ways, 1, SGT_CACHE_MAX_WAYS, p->replace == SGT_CACHE_PLRU },
      { "mshrs", p->mshrs, 1, 4096, false },
      { "waiters", p->waiters, 0, 4096, false },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      const uint32_t value = ranges[i].value;
      if (value < ranges[i].low || value > ranges[i].high) {
         snprintf(error, error_size, "%s.%s: %" PRIu32 " is not from %" PRIu32 " to %" PRIu32, name,
                  ranges[i].name, value, ranges[i].low, ranges[i].high);
         return false;
      }
      if (ranges[i].power && !util_is_power_of_two_nonzero(value)) {
         snprintf(error, error_size, "%s.%s: %" PRIu32 " is not a power of 2", name, ranges[i].name,
                  value);
         return false;
      }
   }
   return true;
}

bool
sgt_cache_params_check(const struct sgt_cache_params *p, char *error, size_t error_size)
{
   return sgt_cache_params_ranges(p, error, error_size) &&
          sgt_cache_check(p, "l2", error, error_size);
}

bool
sgt_cache_init(struct sgt_cache *c, const struct sgt_cache_params *params)
{
   const uint32_t lines = params->sets * params->ways;
   const uint32_t waiters = params->mshrs * params->waiters;
   const uint32_t sectors = params->line_bytes / SGT_CACHE_SECTOR;
   *c = (struct sgt_cache){
      .params = *params,
      .line_shift = util_logbase2(params->line_bytes),
      .set_bits = util_logbase2(params->sets),
      .all = sectors == 32 ? UINT32_MAX : (1u << sectors) - 1,
      .tags = malloc(lines * sizeof(*c->tags)),
      .lines = calloc(lines, sizeof(*c->lines)),
      .mshrs = calloc(params->mshrs, sizeof(*c->mshrs)),
      .free_mshrs = calloc(params->mshrs, sizeof(*c->free_mshrs)),
      .num_free_mshrs = params->mshrs,
      .waiters = waiters ? calloc(waiters, sizeof(*c->waiters)) : NULL,
      .free_waiter = waiters ? 0 : NONE,
      .first_done = NONE,
      .last_done = NONE,
   };
   bool ok = c->tags && c->lines && c->mshrs && c->free_mshrs && (c->waiters || !waiters);
   if (params->writes == SGT_CACHE_BACK_BYTES) {
      c->bytes = calloc(lines * sectors, sizeof(*c->bytes));
      ok &= c->bytes != NULL;
   }
   if (params->replace == SGT_CACHE_PLRU) {
      c->trees = calloc(params->sets, sizeof(*c->trees));
      ok &= c->trees != NULL;
   }
   if (!ok) {
      sgt_cache_finish(c);
      return false;
   }
   for (uint32_t i = 0; i < lines; i++) {
      c->tags[i] = NO_TAG;
      c->lines[i].mshr = NO_MSHR;
   }
   for (uint32_t i = 0; i < params->mshrs; i++)
      c->free_mshrs[i] = params->mshrs - 1 - i;
   for (uint32_t i = 0; i < waiters; i++)
      c->waiters[i].next = i + 1 < waiters ? i + 1 : NONE;
   return true;
}

void
sgt_cache_finish(struct sgt_cache *c)
{
   free(c->tags);
   free(c->lines);
   free(c->bytes);
   free(c->trees);
   free(c->mshrs);
   free(c->free_mshrs);
   free(c->waiters);
   c->tags = NULL;
   c->lines = NULL;
   c->bytes = NULL;
   c->trees = NULL;
   c->mshrs = NULL;
   c->free_mshrs = NULL;
   c->waiters = NULL;
}

/* Returns the set that a line number maps to. If set hashing is enabled, all bits of the line
 * number contribute to the set index.
 */
static uint32_t
set_of(const struct sgt_cache *c, uint64_t number)
{
   uint64_t set = number;
   if (c->params.hash && c->set_bits) {
      for (uint64_t rest = number >> c->set_bits; rest; rest >>= c->set_bits)
         set ^= rest;
   }
   return set & (c->params.sets - 1);
}

/* Returns the index of the line, i.e. set * ways + way, or NONE if the line is not in the cache. */
static uint32_t
cache_find(const struct sgt_cache *c, uint64_t number, uint32_t set)
{
   const uint32_t first = set * c->params.ways;
   for (uint32_t i = 0; i < c->params.ways; i++) {
      if (c->tags[first + i] == number)
         return first + i;
   }
   return NONE;
}

/* Updates the replacement state after an access to the line. */
static void
cache_use(struct sgt_cache *c, uint32_t line)
{
   if (!c->trees) {
      c->lines[line].used = ++c->uses;
      return;
   }
   /* The PLRU tree of a set is stored like a heap: the children of node n are 2n and 2n + 1. The
    * bit of a node is set if the next victim is in its right subtree.
    */
   const uint32_t way = line % c->params.ways;
   uint64_t *tree = &c->trees[line / c->params.ways];
   uint32_t node = 1;
   for (uint32_t half = c->params.ways / 2; half; half /= 2) {
      const bool right = way & half;
      *tree = right ? *tree & ~(1ull << node) : *tree | 1ull << node;
      node = node * 2 + right;
   }
}

/* Returns the index of the line to replace in the set, or NONE if all lines are locked or have
 * pending fetches.
 */
static uint32_t
find_victim(const struct sgt_cache *c, uint32_t set)
{
   const uint32_t ways = c->params.ways, first = set * ways;
   uint64_t legal = 0;
   uint32_t oldest = NONE;
   for (uint32_t i = 0; i < ways; i++) {
      const struct sgt_cache_line *line = &c->lines[first + i];
      if (c->tags[first + i] == NO_TAG)
         return first + i;
      if (line->pending || line->locks)
         continue;
      legal |= 1ull << i;
      if (oldest == NONE || line->used < c->lines[oldest].used)
         oldest = first + i;
   }
   if (!c->trees || !legal)
      return oldest;
   uint32_t node = 1, way = 0;
   for (uint32_t half = ways / 2; half; half /= 2) {
      bool right = c->trees[set] >> node & 1;
      const uint64_t below = ((1ull << half) - 1) << (right ? way + half : way);
      if (!(legal & below))
         right = !right;
      way += right ? half : 0;
      node = node * 2 + right;
   }
   return first + way;
}

/* Marks a line as clean, and stores in *r which of its sectors must be written to memory. */
static void
write_back(struct sgt_cache *c, uint32_t line, struct sgt_cache_result *r)
{
   struct sgt_cache_line *l = &c->lines[line];
   r->evicted = c->tags[line] << c->line_shift;
   r->write_back = l->dirty;
   r->partial = l->dirty & ~l->valid;
   c->stats.write_backs += l->dirty != 0;
   c->stats.written_back += sgt_bitcount(l->dirty);
   c->stats.partial_back += sgt_bitcount(r->partial);
   l->dirty = 0;
   if (c->bytes && r->partial)
      memset(&c->bytes[line * sgt_bitcount(c->all)], 0, sgt_bitcount(c->all) * sizeof(*c->bytes));
}

/* Evicts the contents of a line, if any, and assigns line number `number` to it. */
static void
cache_allocate(struct sgt_cache *c, uint32_t line, uint64_t number, struct sgt_cache_result *r)
{
   c->stats.allocations++;
   if (c->tags[line] != NO_TAG) {
      c->stats.evictions++;
      write_back(c, line, r);
   }
   c->tags[line] = number;
   c->lines[line].valid = 0;
}

/* Returns the outcome STALL. Repeated stalls for the same reason are counted only once until the
 * cache changes.
 */
static struct sgt_cache_result
cache_stall(struct sgt_cache *c, enum sgt_cache_stall cause)
{
   c->stats.stalls[cause] += !(c->stalled >> cause & 1);
   c->stalled |= 1u << cause;
   return (struct sgt_cache_result){ .outcome = SGT_CACHE_STALL, .stall = cause, .line = NONE };
}

static void
add_waiter(struct sgt_cache *c, struct sgt_cache_mshr *mshr, uint32_t sectors, uint32_t tag)
{
   const uint32_t index = c->free_waiter;
   struct sgt_cache_waiter *w = &c->waiters[index];
   c->free_waiter = w->next;
   *w = (struct sgt_cache_waiter){ .tag = tag, .sectors = sectors, .next = NONE };
   if (mshr->num++)
      c->waiters[mshr->last].next = index;
   else
      mshr->first = index;
   mshr->last = index;
   c->num_waiters++;
}

/* Performs an access that needs the sectors in the mask `sectors` to be valid. The mask is 0 for
 * writes that only need the line to be allocated.
 */
static struct sgt_cache_result
access_line(struct sgt_cache *c, uint64_t number, uint32_t sectors, uint32_t tag)
{
   const uint32_t set = set_of(c, number);
   uint32_t line = cache_find(c, number, set);
   const bool found = line != NONE;
   const uint32_t missing = found ? sectors & ~c->lines[line].valid : sectors;
   struct sgt_cache_result r = { .outcome = SGT_CACHE_HIT };
   if (missing || !found) {
      const uint32_t fetch = found ? missing & ~c->lines[line].pending : missing;
      r.outcome = !missing || fetch ? SGT_CACHE_MISS : SGT_CACHE_MERGED;
      r.fetch = fetch;
      const uint16_t mshr = found ? c->lines[line].mshr : NO_MSHR;
      if (!found) {
         line = find_victim(c, set);
         if (line == NONE)
            return cache_stall(c, SGT_CACHE_STALL_SET);
      }
      if (missing && mshr == NO_MSHR && !c->num_free_mshrs)
         return cache_stall(c, SGT_CACHE_STALL_MSHR);
      if (missing && c->params.waiters &&
          (c->free_waiter == NONE || (mshr != NO_MSHR && c->mshrs[mshr].num == c->params.waiters)))
         return cache_stall(c, SGT_CACHE_STALL_WAITER);
      if (!found)
         cache_allocate(c, line, number, &r);
   }
   if (missing) {
      struct sgt_cache_line *l = &c->lines[line];
      if (l->mshr == NO_MSHR) {
         l->mshr = c->free_mshrs[--c->num_free_mshrs];
         c->mshrs[l->mshr] = (struct sgt_cache_mshr){ .line = line };
         c->stats.max_mshrs = MAX2(c->stats.max_mshrs, c->params.mshrs - c->num_free_mshrs);
      }
      if (c->params.waiters)
         add_waiter(c, &c->mshrs[l->mshr], sectors, tag);
      l->pending |= r.fetch;
      c->stats.fetched += sgt_bitcount(r.fetch);
   }
   cache_use(c, line);
   r.line = line;
   return r;
}

struct sgt_cache_result
sgt_cache_lookup(struct sgt_cache *c, uint64_t address, uint32_t sectors, uint32_t tag)
{
   assert(sectors && !(sectors & ~c->all));
   const struct sgt_cache_result r = access_line(c, address >> c->line_shift, sectors, tag);
   if (r.outcome != SGT_CACHE_STALL) {
      c->stalled = 0;
      c->stats.lookups++;
      c->stats.reads[r.outcome]++;
   }
   return r;
}

enum sgt_cache_outcome
sgt_cache_probe(const struct sgt_cache *c, uint64_t address, uint32_t sectors)
{
   const uint64_t number = address >> c->line_shift;
   const uint32_t set = set_of(c, number), line = cache_find(c, number, set);
   if (line == NONE)
      return find_victim(c, set) == NONE || !c->num_free_mshrs ||
                   (c->params.waiters && c->free_waiter == NONE)
                ? SGT_CACHE_STALL
                : SGT_CACHE_MISS;
   const struct sgt_cache_line *l = &c->lines[line];
   const uint32_t missing = sectors & ~l->valid;
   if (!missing)
      return SGT_CACHE_HIT;
   if (l->mshr == NO_MSHR ? !c->num_free_mshrs
                          : c->params.waiters && c->mshrs[l->mshr].num == c->params.waiters)
      return SGT_CACHE_STALL;
   if (c->params.waiters && c->free_waiter == NONE)
      return SGT_CACHE_STALL;
   return missing & ~l->pending ? SGT_CACHE_MISS : SGT_CACHE_MERGED;
}

static struct sgt_cache_result
write_through(struct sgt_cache *c, uint64_t number, uint32_t sectors, uint32_t bytes)
{
   const uint32_t line = cache_find(c, number, set_of(c, number));
   if (line == NONE)
      return (struct sgt_cache_result){ .outcome = SGT_CACHE_MISS, .line = NONE };
   if (bytes == UINT32_MAX)
      c->lines[line].valid |= sectors;
   cache_use(c, line);
   return (struct sgt_cache_result){ .outcome = SGT_CACHE_HIT, .line = line };
}

struct sgt_cache_result
sgt_cache_write(struct sgt_cache *c, uint64_t address, uint32_t sectors, uint32_t bytes,
                uint32_t tag)
{
   assert(sectors && !(sectors & ~c->all) && bytes);
   const uint64_t number = address >> c->line_shift;
   struct sgt_cache_result r;
   if (c->params.writes == SGT_CACHE_THROUGH) {
      r = write_through(c, number, sectors, bytes);
   } else {
      const bool whole = bytes == UINT32_MAX;
      const bool fetches = !whole && c->params.writes == SGT_CACHE_BACK;
      r = access_line(c, number, fetches ? sectors : 0, tag);
      if (r.outcome == SGT_CACHE_STALL)
         return r;
      struct sgt_cache_line *l = &c->lines[r.line];
      if (whole) {
         l->valid |= sectors;
      } else if (!fetches) {
         sgt_foreach_bit(i, sectors & ~l->valid) {
            uint32_t *written = &c->bytes[r.line * sgt_bitcount(c->all) + i];
            *written |= bytes;
            if (*written == UINT32_MAX)
               l->valid |= 1u << i;
         }
      }
      if (c->bytes) {
         sgt_foreach_bit(i, sectors & l->valid)
            c->bytes[r.line * sgt_bitcount(c->all) + i] = 0;
      }
      l->dirty |= sectors;
   }
   c->stalled = 0;
   c->stats.writes++;
   c->stats.written[r.outcome]++;
   return r;
}

/* Moves the waiters whose sectors have all arrived to the list that sgt_cache_pop() reads. */
static void
finish_waiters(struct sgt_cache *c, struct sgt_cache_mshr *mshr, uint32_t valid)
{
   uint32_t *link = &mshr->first, last = NONE, left = 0;
   uint32_t index = mshr->num ? mshr->first : NONE;
   for (uint32_t next; index != NONE; index = next) {
      struct sgt_cache_waiter *w = &c->waiters[index];
      next = w->next;
      if (w->sectors & ~valid) {
         *link = last = index;
         link = &w->next;
         left++;
         continue;
      }
      w->next = NONE;
      if (c->first_done == NONE)
         c->first_done = index;
      else
         c->waiters[c->last_done].next = index;
      c->last_done = index;
   }
   *link = NONE;
   mshr->last = last;
   mshr->num = left;
}

void
sgt_cache_fill(struct sgt_cache *c, uint64_t address, uint32_t sectors)
{
   const uint64_t number = address >> c->line_shift;
   const uint32_t line = cache_find(c, number, set_of(c, number));
   assert(line != NONE && c->lines[line].mshr != NO_MSHR && !(sectors & ~c->lines[line].pending));
   struct sgt_cache_line *l = &c->lines[line];
   c->stalled = 0;
   l->pending &= ~sectors;
   l->valid |= sectors;
   c->stats.filled += sgt_bitcount(sectors);
   if (c->bytes) {
      sgt_foreach_bit(i, sectors)
         c->bytes[line * sgt_bitcount(c->all) + i] = 0;
   }
   struct sgt_cache_mshr *mshr = &c->mshrs[l->mshr];
   if (c->params.waiters)
      finish_waiters(c, mshr, l->valid);
   if (l->pending)
      return;
   assert(!mshr->num);
   c->free_mshrs[c->num_free_mshrs++] = l->mshr;
   l->mshr = NO_MSHR;
}

bool
sgt_cache_pop(struct sgt_cache *c, uint32_t *tag)
{
   const uint32_t index = c->first_done;
   if (index == NONE)
      return false;
   struct sgt_cache_waiter *w = &c->waiters[index];
   *tag = w->tag;
   c->first_done = w->next;
   w->next = c->free_waiter;
   c->free_waiter = index;
   c->num_waiters--;
   c->stalled = 0;
   return true;
}

bool
sgt_cache_flush(struct sgt_cache *c, struct sgt_cache_result *result)
{
   const uint32_t lines = c->params.sets * c->params.ways;
   assert(c->num_free_mshrs == c->params.mshrs);
   for (uint32_t i = 0; i < lines; i++) {
      const uint32_t line = c->flush;
      if (c->lines[line].dirty) {
         *result = (struct sgt_cache_result){ .outcome = SGT_CACHE_HIT, .line = line };
         write_back(c, line, result);
         return true;
      }
      c->flush = line + 1 == lines ? 0 : line + 1;
   }
   return false;
}

bool
sgt_cache_idle(const struct sgt_cache *c)
{
   return c->num_free_mshrs == c->params.mshrs && !c->num_waiters && !c->num_locks;
}

void
sgt_cache_invalidate(struct sgt_cache *c)
{
   assert(sgt_cache_idle(c));
   const uint32_t lines = c->params.sets * c->params.ways;
   for (uint32_t i = 0; i < lines; i++) {
      assert(!c->lines[i].dirty);
      c->tags[i] = NO_TAG;
      c->lines[i].valid = 0;
   }
   c->stats.invalidations++;
   c->stalled = 0;
}

void
sgt_cache_register(const struct sgt_cache *c, struct sgt_stats *s, const char *unit)
{
   sgt_cache_stats_register(&c->stats, s, unit);
}
