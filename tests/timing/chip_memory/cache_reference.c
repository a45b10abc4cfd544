/* SPDX-License-Identifier: MIT */
/*
 * A slow and simple cache.
 */
#include "cache_reference.h"

#include <assert.h>
#include <string.h>

void
reference_init(struct reference *r, const struct sgt_cache_params *p)
{
   memset(r, 0, sizeof(*r));
   r->p = *p;
   for (unsigned set = 0; set < REFERENCE_SETS; set++)
      for (unsigned way = 0; way < REFERENCE_WAYS; way++)
         r->order[set][way] = way;
}

void
reference_changed(struct reference *r)
{
   memset(r->stalled, 0, sizeof(r->stalled));
}

struct reference_line *
reference_line(struct reference *r, uint32_t line)
{
   return &r->lines[line / r->p.ways][line % r->p.ways];
}

static unsigned
set_of(const struct reference *r, uint64_t number)
{
   unsigned set = number % r->p.sets;
   if (!r->p.hash || r->p.sets == 1)
      return set;
   for (uint64_t rest = number / r->p.sets; rest; rest /= r->p.sets)
      set ^= rest % r->p.sets;
   return set;
}

static unsigned
num_sectors(const struct reference *r)
{
   return r->p.line_bytes / SGT_CACHE_SECTOR;
}

static bool
is_pending(const struct reference *r, const struct reference_line *line)
{
   for (unsigned i = 0; i < num_sectors(r); i++)
      if (line->present && line->sectors[i].pending)
         return true;
   return false;
}

unsigned
reference_pending_lines(const struct reference *r)
{
   unsigned num = 0;
   for (unsigned set = 0; set < r->p.sets; set++)
      for (unsigned way = 0; way < r->p.ways; way++)
         num += is_pending(r, &r->lines[set][way]);
   return num;
}

/* Sets the nodes of the PLRU tree over ways first to first + num - 1 to point away from `way`.  The
 * bit of a node is stored at the way in its middle.
 */
static void
point_away(struct reference *r, unsigned set, unsigned first, unsigned num, unsigned way)
{
   if (num == 1)
      return;
   const unsigned middle = first + num / 2;
   r->right[set][middle] = way < middle;
   if (way < middle)
      point_away(r, set, first, num / 2, way);
   else
      point_away(r, set, middle, num / 2, way);
}

static void
use(struct reference *r, unsigned set, unsigned way)
{
   point_away(r, set, 0, r->p.replace == SGT_CACHE_PLRU ? r->p.ways : 1, way);
   unsigned place = 0;
   while (r->order[set][place] != way)
      place++;
   for (; place > 0; place--)
      r->order[set][place] = r->order[set][place - 1];
   r->order[set][0] = way;
}

static bool
can_go(const struct reference *r, unsigned set, unsigned way)
{
   const struct reference_line *line = &r->lines[set][way];
   return !line->locks && !is_pending(r, line);
}

static int
tree_victim(const struct reference *r, unsigned set, unsigned first, unsigned num)
{
   if (num == 1)
      return can_go(r, set, first) ? (int)first : -1;
   const unsigned middle = first + num / 2;
   const bool right = r->right[set][middle];
   const int victim = tree_victim(r, set, right ? middle : first, num / 2);
   return victim >= 0 ? victim : tree_victim(r, set, right ? first : middle, num / 2);
}

static int
victim_of(const struct reference *r, unsigned set)
{
   for (unsigned way = 0; way < r->p.ways; way++)
      if (!r->lines[set][way].present)
         return way;
   if (r->p.replace == SGT_CACHE_PLRU)
      return tree_victim(r, set, 0, r->p.ways);
   for (unsigned place = r->p.ways; place > 0; place--)
      if (can_go(r, set, r->order[set][place - 1]))
         return r->order[set][place - 1];
   return -1;
}

static int
find(const struct reference *r, unsigned set, uint64_t number)
{
   for (unsigned way = 0; way < r->p.ways; way++)
      if (r->lines[set][way].present && r->lines[set][way].number == number)
         return way;
   return -1;
}

static unsigned
waiters_of(const struct reference *r, uint64_t number)
{
   unsigned num = 0;
   for (unsigned i = 0; i < r->num_waiters; i++)
      num += r->waiters[i].number == number && !r->waiters[i].done;
   return num;
}

static void
evict(struct reference *r, struct reference_line *line, struct sgt_cache_result *result)
{
   result->evicted = line->number * r->p.line_bytes;
   for (unsigned i = 0; i < num_sectors(r); i++) {
      const struct reference_sector *s = &line->sectors[i];
      result->write_back |= (uint32_t)s->dirty << i;
      result->partial |= (uint32_t)(s->dirty && !s->valid) << i;
      r->stats.written_back += s->dirty;
   }
   r->stats.evictions++;
   r->stats.write_backs += result->write_back != 0;
   memset(line, 0, sizeof(*line));
}

static struct sgt_cache_result
stall(struct reference *r, enum sgt_cache_stall cause)
{
   r->stats.stalls[cause] += !r->stalled[cause];
   r->stalled[cause] = true;
   return (
      struct sgt_cache_result){ .outcome = SGT_CACHE_STALL, .stall = cause, .line = UINT32_MAX };
}

static struct sgt_cache_result
access_line(struct reference *r, uint64_t number, uint32_t sectors, uint32_t tag)
{
   const unsigned set = set_of(r, number);
   int way = find(r, set, number);
   const bool found = way >= 0;
   struct sgt_cache_result result = { .outcome = SGT_CACHE_HIT };
   bool waits = false;
   for (unsigned i = 0; i < num_sectors(r); i++) {
      if (!(sectors >> i & 1))
         continue;
      const struct reference_sector *s = found ? &r->lines[set][way].sectors[i] : NULL;
      waits |= !s || !s->valid;
      if (!s || (!s->valid && !s->pending))
         result.fetch |= 1u << i;
   }
   if (!found || result.fetch)
      result.outcome = SGT_CACHE_MISS;
   else if (waits)
      result.outcome = SGT_CACHE_MERGED;

   const bool under_way = found && is_pending(r, &r->lines[set][way]);
   if (!found && (way = victim_of(r, set)) < 0)
      return stall(r, SGT_CACHE_STALL_SET);
   if (waits && !under_way && reference_pending_lines(r) == r->p.mshrs)
      return stall(r, SGT_CACHE_STALL_MSHR);
   if (waits && r->p.waiters &&
       (r->num_waiters == r->p.mshrs * r->p.waiters || waiters_of(r, number) == r->p.waiters))
      return stall(r, SGT_CACHE_STALL_WAITER);

   struct reference_line *line = &r->lines[set][way];
   if (!found) {
      if (line->present)
         evict(r, line, &result);
      line->present = true;
      line->number = number;
   }
   for (unsigned i = 0; i < num_sectors(r); i++)
      if (result.fetch >> i & 1) {
         line->sectors[i].pending = true;
         r->stats.fetched++;
      }
   if (waits && r->p.waiters)
      r->waiters[r->num_waiters++] = (struct reference_waiter){ number, tag, sectors, false };
   use(r, set, way);
   result.line = set * r->p.ways + way;
   return result;
}

struct sgt_cache_result
reference_read(struct reference *r, uint64_t address, uint32_t sectors, uint32_t tag)
{
   const struct sgt_cache_result result = access_line(r, address / r->p.line_bytes, sectors, tag);
   if (result.outcome != SGT_CACHE_STALL)
      reference_changed(r);
   return result;
}

static void
put_bytes(struct reference_sector *s, uint32_t bytes)
{
   bool all = true;
   for (unsigned i = 0; i < SGT_CACHE_SECTOR; i++) {
      s->bytes[i] |= bytes >> i & 1;
      all &= s->bytes[i];
   }
   s->valid |= all;
}

struct sgt_cache_result
reference_write(struct reference *r, uint64_t address, uint32_t sectors, uint32_t bytes,
                uint32_t tag)
{
   const uint64_t number = address / r->p.line_bytes;
   struct sgt_cache_result result;
   if (r->p.writes == SGT_CACHE_THROUGH) {
      const unsigned set = set_of(r, number);
      const int way = find(r, set, number);
      reference_changed(r);
      if (way < 0)
         return (struct sgt_cache_result){ .outcome = SGT_CACHE_MISS, .line = UINT32_MAX };
      use(r, set, way);
      result = (struct sgt_cache_result){ .outcome = SGT_CACHE_HIT, .line = set * r->p.ways + way };
   } else {
      const bool fetches = bytes != UINT32_MAX && r->p.writes == SGT_CACHE_BACK;
      result = access_line(r, number, fetches ? sectors : 0, tag);
      if (result.outcome == SGT_CACHE_STALL)
         return result;
   }
   reference_changed(r);
   struct reference_line *line = reference_line(r, result.line);
   for (unsigned i = 0; i < num_sectors(r); i++) {
      if (!(sectors >> i & 1))
         continue;
      struct reference_sector *s = &line->sectors[i];
      s->dirty |= r->p.writes != SGT_CACHE_THROUGH;
      if (bytes == UINT32_MAX)
         s->valid = true;
      else if (r->p.writes == SGT_CACHE_BACK_BYTES)
         put_bytes(s, bytes);
   }
   return result;
}

void
reference_fill(struct reference *r, uint64_t address, uint32_t sectors)
{
   const uint64_t number = address / r->p.line_bytes;
   const unsigned set = set_of(r, number);
   struct reference_line *line = &r->lines[set][find(r, set, number)];
   reference_changed(r);
   for (unsigned i = 0; i < num_sectors(r); i++)
      if (sectors >> i & 1) {
         line->sectors[i].pending = false;
         line->sectors[i].valid = true;
      }
   /* Waiters that are done go after other done ones, and before all waiting ones. */
   struct reference_waiter done[REFERENCE_WAITERS], rest[REFERENCE_WAITERS];
   unsigned num_done = 0, num_rest = 0;
   for (unsigned pass = 0; pass < 2; pass++)
      for (unsigned i = 0; i < r->num_waiters; i++) {
         struct reference_waiter w = r->waiters[i];
         bool ready = w.number == number;
         for (unsigned k = 0; k < num_sectors(r); k++)
            ready &= !(w.sectors >> k & 1) || line->sectors[k].valid;
         if (pass == 0 && w.done)
            done[num_done++] = w;
         if (pass == 1 && !w.done && ready) {
            w.done = true;
            done[num_done++] = w;
         } else if (pass == 1 && !w.done) {
            rest[num_rest++] = w;
         }
      }
   memcpy(r->waiters, done, num_done * sizeof(*done));
   memcpy(r->waiters + num_done, rest, num_rest * sizeof(*rest));
}

bool
reference_pop(struct reference *r, uint32_t *tag)
{
   if (!r->num_waiters || !r->waiters[0].done)
      return false;
   *tag = r->waiters[0].tag;
   reference_changed(r);
   r->num_waiters--;
   memmove(r->waiters, r->waiters + 1, r->num_waiters * sizeof(*r->waiters));
   return true;
}
