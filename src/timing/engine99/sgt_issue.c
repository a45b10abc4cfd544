/* SPDX-License-Identifier: MIT */
/*
 * Implements the issue unit with bitmasks that have one bit per station.
 */
#include "engine99/sgt_issue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/bitscan.h"
#include "util/macros.h"

/* Iterates over the tags whose bits are set in `mask`, which consists of `words` 64-bit words. */
#define EACH_TAG(tag, mask, words)                                                             \
   for (uint32_t w_ = 0; w_ < (words); w_++)                                                   \
      for (uint64_t bits_ = (mask)[w_]; bits_ && ((tag) = w_ * 64 + (ffsll(bits_) - 1), true); \
           bits_ &= bits_ - 1)

static inline void
set_bit(uint64_t *mask, uint32_t i)
{
   mask[i / 64] |= 1ull << (i % 64);
}

static inline void
clear_bit(uint64_t *mask, uint32_t i)
{
   mask[i / 64] &= ~(1ull << (i % 64));
}

static inline bool
has_bit(const uint64_t *mask, uint32_t i)
{
   return mask[i / 64] >> (i % 64) & 1;
}

static inline uint64_t *
issue_row(const struct sgt_issue *u, uint64_t *matrix, uint32_t tag)
{
   return matrix + (size_t)tag * u->words;
}

/* Clears the first set bit and returns its index. At least one bit must be set. */
static uint32_t
take_first(uint64_t *mask)
{
   uint32_t w = 0;
   while (!mask[w])
      w++;
   const uint32_t i = w * 64 + (ffsll(mask[w]) - 1);
   mask[w] &= mask[w] - 1;
   return i;
}

/* Returns the number of set bits. It doesn't use the popcount instruction, because the baseline
 * instruction set of the host lacks it.
 */
static inline uint32_t
count_bits(uint64_t x)
{
   x -= x >> 1 & 0x5555555555555555ull;
   x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
   return ((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull >> 56;
}

static void
fill_bits(uint64_t *mask, uint32_t num)
{
   for (uint32_t i = 0; i < num; i++)
      set_bit(mask, i);
}

bool
sgt_issue_init(struct sgt_issue *u, const struct sgt_trace *trace,
               const struct sgt_engine_params *params, uint32_t stations, uint32_t sources)
{
   const uint32_t words = (stations + 63) / 64, source_words = (sources + 63) / 64;
   *u = (struct sgt_issue){
      .trace = trace,
      .stations = stations,
      .words = words,
      .candidates = sgt_engine_candidates(params),
      .sources = sources,
      .in_order = params->order == SGT_ISSUE_ORDER_IN_ORDER,
      .select = params->select,
      .drop_hazard = params->drop_hazard,
      .random = { params->seed },
      .alone = SGT_NO_TAG,
      .num_free_stations = stations,
      .num_free_sources = sources,
      .free_candidates = sgt_engine_candidates(params),
   };
   bool ok = sgt_boxes_init(&u->destination_boxes, stations) &&
             sgt_boxes_init(&u->source_boxes, sources);
   const size_t matrix = (size_t)stations * words;
#define ARRAY(member, num) ok = ok && (u->member = calloc(num, sizeof(*u->member)))
   ARRAY(source_tag, sources);
   ARRAY(source_after, sources);
   ARRAY(first_source, stations);
   ARRAY(free_stations, words);
   ARRAY(freed_stations, words);
   ARRAY(free_sources, source_words);
   ARRAY(freed_sources, source_words);
   ARRAY(waiting, words);
   ARRAY(issued, words);
   ARRAY(independent, words);
   ARRAY(ready, words);
   ARRAY(vector, matrix);
   for (unsigned i = 0; i < SGT_HAZARDS; i++)
      ARRAY(waiters[i], matrix);
   ARRAY(num_waiters, stations);
   ARRAY(conflict, matrix);
   ARRAY(num_conflict, stations);
   ARRAY(count, stations);
   ARRAY(conflicts, stations);
   ARRAY(sequence, stations);
   ARRAY(key, stations);
   ARRAY(chain, stations);
   ARRAY(path, stations);
   ARRAY(blocker, stations);
   ARRAY(older, stations + 1);
   ARRAY(younger, stations + 1);
   ARRAY(scratch, 5 * words + source_words);
#undef ARRAY
   if (!ok) {
      sgt_issue_finish(u);
      return false;
   }
   fill_bits(u->free_stations, stations);
   fill_bits(u->free_sources, sources);
   u->older[stations] = u->younger[stations] = stations;
   return true;
}

void
sgt_issue_finish(struct sgt_issue *u)
{
   sgt_boxes_finish(&u->destination_boxes);
   sgt_boxes_finish(&u->source_boxes);
   void *const arrays[] = {
      u->source_tag,   u->source_after,  u->first_source, u->free_stations, u->freed_stations,
      u->free_sources, u->freed_sources, u->waiting,      u->issued,        u->independent,
      u->ready,        u->vector,        u->waiters[0],   u->waiters[1],    u->waiters[2],
      u->num_waiters,  u->conflict,      u->num_conflict, u->count,         u->conflicts,
      u->sequence,     u->key,           u->chain,        u->path,          u->blocker,
      u->older,        u->younger,       u->scratch,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      free(arrays[i]);
   memset(u, 0, sizeof(*u));
}

enum sgt_fetch_state
sgt_issue_room(const struct sgt_issue *u, uint32_t num_sources)
{
   if (u->alone != SGT_NO_TAG)
      return SGT_FETCH_ALONE;
   if (num_sources > u->sources)
      return u->num_free_stations == u->stations ? SGT_FETCH_ENTERED : SGT_FETCH_ALONE;
   if (!u->free_candidates)
      return SGT_FETCH_NO_CANDIDATE;
   if (!u->num_free_stations)
      return SGT_FETCH_NO_DESTINATION;
   return num_sources <= u->num_free_sources ? SGT_FETCH_ENTERED : SGT_FETCH_NO_SOURCE;
}

/* Marks a slice as having no dependences. The slice is also ready, unless a conflicting slice is in
 * an accelerator.
 */
static void
set_independent(struct sgt_issue *u, uint32_t tag)
{
   set_bit(u->independent, tag);
   u->num_independent++;
   if (u->conflicts[tag])
      return;
   set_bit(u->ready, tag);
   u->num_ready++;
}

/* Finds the slices that an entering slice depends on. Stores a bitmask of these slices for each
 * kind of hazard. If there are no dependences, returns false and leaves the bitmasks undefined.
 */
static bool
find_hazards(struct sgt_issue *u, const struct sgt_issue_entry *entry, uint64_t *raw, uint64_t *waw,
             uint64_t *war)
{
   const uint32_t words = u->words;
   const struct sgt_boxes *destinations = &u->destination_boxes, *sources = &u->source_boxes;
   bool any = sgt_boxes_meet(destinations, u->trace, &entry->destination, waw);
   if (entry->num_sources || sources->num_valid) {
      memset(raw, 0, words * sizeof(*raw));
      memset(war, 0, words * sizeof(*war));
      uint64_t *part = u->scratch + 4 * words;
      for (uint32_t i = 0; i < entry->num_sources; i++) {
         if (!sgt_boxes_meet(destinations, u->trace, &entry->sources[i], part))
            continue;
         any = true;
         for (uint32_t w = 0; w < words; w++)
            raw[w] |= part[w];
      }
      part = u->scratch + 5 * words;
      uint32_t source;
      if (sgt_boxes_meet(sources, u->trace, &entry->destination, part)) {
         any = true;
         EACH_TAG(source, part, sources->words)
            set_bit(war, u->source_tag[source]);
      }
   } else if (any) {
      memset(raw, 0, words * sizeof(*raw));
      memset(war, 0, words * sizeof(*war));
   }
   if (u->drop_hazard == SGT_STATE_RAW)
      memset(raw, 0, words * sizeof(*raw));
   if (u->drop_hazard == SGT_STATE_WAR)
      memset(war, 0, words * sizeof(*war));
   return any;
}

/* Moves the slices that can be reordered with the entering slice from the bitmask `waw` to the
 * bitmask `conflict`.
 */
static void
break_chains(struct sgt_issue *u, uint64_t key, const uint64_t *raw, uint64_t *waw,
             const uint64_t *war, uint64_t *conflict)
{
   memset(conflict, 0, u->words * sizeof(*conflict));
   for (uint32_t w = 0; key && w < u->words; w++) {
      const uint64_t candidates = waw[w] & ~raw[w] & ~war[w];
      for (uint64_t bits = candidates; bits; bits &= bits - 1) {
         const unsigned bit = ffsll(bits) - 1;
         if (u->key[w * 64 + bit] == key)
            conflict[w] |= 1ull << bit;
      }
      waw[w] &= ~conflict[w];
   }
   if (u->drop_hazard == SGT_STATE_WAW)
      memset(waw, 0, u->words * sizeof(*waw));
   if (u->drop_hazard == SGT_STATE_CONFLICT)
      memset(conflict, 0, u->words * sizeof(*conflict));
}

/* Updates the chain lengths of all candidates that the entering slice depends on, directly or
 * indirectly.
 */
static void
extend_chains(struct sgt_issue *u, uint32_t tag)
{
   /* u->path[c] is the length of the longest chain of dependences between candidate c and the
    * entering slice, or 0 if no chain has been found. Visit candidates from youngest to oldest,
    * since a slice can only depend on older slices.
    */
   uint32_t other, left = 0; /* number of candidates with a path that have not been visited yet */
   EACH_TAG(other, issue_row(u, u->vector, tag), u->words) {
      if (has_bit(u->waiting, other)) {
         u->path[other] = 1;
         left++;
      }
   }
   for (uint32_t c = u->older[u->stations]; left; c = u->older[c]) {
      const uint32_t path = u->path[c];
      u->path[c] = 0;
      left -= path != 0;
      if (path <= u->chain[c])
         /* If the chain of this candidate doesn't get longer, the chains of older candidates that
          * pass through it don't get longer, either.
          */
         continue;
      u->chain[c] = path;
      EACH_TAG(other, issue_row(u, u->vector, c), u->words) {
         if (!has_bit(u->waiting, other))
            continue;
         left += u->path[other] == 0;
         u->path[other] = MAX2(u->path[other], path + 1);
      }
   }
}

static void
take_sources(struct sgt_issue *u, uint32_t tag, const struct sgt_issue_entry *entry)
{
   u->first_source[tag] = SGT_NO_TAG;
   if (entry->num_sources > u->sources) {
      u->alone = tag;
      return;
   }
   for (uint32_t i = 0; i < entry->num_sources; i++) {
      const uint32_t source = take_first(u->free_sources);
      u->num_free_sources--;
      sgt_boxes_add(&u->source_boxes, source, &entry->sources[i]);
      u->source_tag[source] = tag;
      u->source_after[source] = u->first_source[tag];
      u->first_source[tag] = source;
   }
}

/* Initializes the dependence and conflict vectors of an entering slice. The rows of an unused tag
 * are always zero.
 */
static void
make_vectors(struct sgt_issue *u, uint32_t tag, uint64_t key)
{
   uint64_t *masks[SGT_HAZARDS] = { u->scratch, u->scratch + u->words, u->scratch + 2 * u->words };
   uint64_t *conflict = u->scratch + 3 * u->words;
   break_chains(u, key, masks[0], masks[1], masks[2], conflict);

   uint64_t *vector = issue_row(u, u->vector, tag);
   uint32_t other;
   for (uint32_t w = 0; w < u->words; w++) {
      masks[SGT_HAZARD_WAW][w] &= ~masks[SGT_HAZARD_RAW][w];
      masks[SGT_HAZARD_WAR][w] &= ~masks[SGT_HAZARD_RAW][w] & ~masks[SGT_HAZARD_WAW][w];
      vector[w] = masks[0][w] | masks[1][w] | masks[2][w];
   }
   for (unsigned kind = 0; kind < SGT_HAZARDS; kind++) {
      uint32_t count = 0;
      EACH_TAG(other, masks[kind], u->words) {
         set_bit(issue_row(u, u->waiters[kind], other), tag);
         u->num_waiters[other]++;
         count++;
      }
      u->count[tag][kind] = count;
      u->pairs[kind] += count;
   }
   if (!key)
      return;
   EACH_TAG(other, conflict, u->words) {
      set_bit(issue_row(u, u->conflict, other), tag);
      u->num_conflict[other]++;
      u->num_conflict[tag]++;
      u->conflicts[tag] += has_bit(u->issued, other);
      u->conflict_pairs++;
   }
   memcpy(issue_row(u, u->conflict, tag), conflict, u->words * sizeof(*conflict));
}

uint32_t
sgt_issue_enter(struct sgt_issue *u, const struct sgt_issue_entry *entry)
{
   assert(sgt_issue_room(u, entry->num_sources) == SGT_FETCH_ENTERED);
   const bool meets = find_hazards(u, entry, u->scratch, u->scratch + u->words,
                                   u->scratch + 2 * u->words);
   const uint32_t tag = take_first(u->free_stations);
   u->num_free_stations--;
   u->free_candidates--;
   uint32_t *count = u->count[tag];
   count[0] = count[1] = count[2] = 0;
   u->num_waiters[tag] = u->num_conflict[tag] = u->conflicts[tag] = 0;
   if (meets)
      make_vectors(u, tag, entry->key);

   sgt_boxes_add(&u->destination_boxes, tag, &entry->destination);
   take_sources(u, tag, entry);
   u->sequence[tag] = u->entered++;
   u->key[tag] = entry->key;
   u->blocker[tag] = SGT_NO_TAG;
   set_bit(u->waiting, tag);
   u->num_waiting++;
   if (!(count[0] | count[1] | count[2]))
      set_independent(u, tag);
   if (u->select == SGT_SELECT_CRITICAL) {
      u->chain[tag] = 0;
      extend_chains(u, tag);
   }
   const uint32_t end = u->stations;
   u->older[tag] = u->older[end];
   u->younger[tag] = end;
   u->younger[u->older[end]] = tag;
   u->older[end] = tag;
   return tag;
}

static uint32_t
issue_choose(struct sgt_issue *u)
{
   if (!sgt_issue_can(u))
      return SGT_NO_TAG;
   if (u->in_order)
      return sgt_issue_oldest(u);

   uint32_t tag, best = SGT_NO_TAG;
   switch (u->select) {
   case SGT_SELECT_OLDEST:
      for (best = sgt_issue_oldest(u); !sgt_issue_is_ready(u, best);)
         best = sgt_issue_younger(u, best);
      break;
   case SGT_SELECT_CRITICAL:
      EACH_TAG(tag, u->ready, u->words)
         if (best == SGT_NO_TAG || u->chain[tag] > u->chain[best] ||
             (u->chain[tag] == u->chain[best] && u->sequence[tag] < u->sequence[best]))
            best = tag;
      break;
   case SGT_SELECT_RANDOM: {
      /* Select the n-th ready candidate in tag order. */
      uint32_t n = u->num_ready > 1 ? sgt_random_below(&u->random, u->num_ready) : 0;
      uint32_t w = 0;
      for (uint32_t count; n >= (count = count_bits(u->ready[w])); w++)
         n -= count;
      uint64_t bits = u->ready[w];
      while (n--)
         bits &= bits - 1;
      best = w * 64 + (ffsll(bits) - 1);
      break;
   }
   }
   return best;
}

uint32_t
sgt_issue_next(struct sgt_issue *u)
{
   const uint32_t tag = issue_choose(u);
   if (tag == SGT_NO_TAG)
      return tag;
   if (tag != sgt_issue_oldest(u))
      u->overtakes++;
   u->younger[u->older[tag]] = u->younger[tag];
   u->older[u->younger[tag]] = u->older[tag];
   clear_bit(u->waiting, tag);
   clear_bit(u->independent, tag);
   clear_bit(u->ready, tag);
   set_bit(u->issued, tag);
   u->num_waiting--;
   u->num_independent--;
   u->num_ready--;
   u->num_issued++;
   u->freed_candidates++;

   if (!u->num_conflict[tag])
      return tag;
   const uint64_t *conflict = issue_row(u, u->conflict, tag);
   uint32_t other;
   EACH_TAG(other, conflict, u->words) {
      /* A candidate is no longer ready once a conflicting slice has been issued. */
      if (!u->conflicts[other]++ && has_bit(u->ready, other)) {
         clear_bit(u->ready, other);
         u->num_ready--;
      }
   }
   return tag;
}

void
sgt_issue_retire(struct sgt_issue *u, uint32_t tag)
{
   assert(has_bit(u->issued, tag));
   uint32_t other;
   for (unsigned kind = 0; kind < SGT_HAZARDS && u->num_waiters[tag]; kind++) {
      uint64_t *waiters = issue_row(u, u->waiters[kind], tag);
      EACH_TAG(other, waiters, u->words) {
         clear_bit(issue_row(u, u->vector, other), tag);
         const uint32_t *count = u->count[other];
         u->count[other][kind]--;
         if (!(count[0] | count[1] | count[2]))
            set_independent(u, other);
      }
      memset(waiters, 0, u->words * sizeof(*waiters));
   }
   uint64_t *conflict = issue_row(u, u->conflict, tag);
   const uint32_t conflict_words = u->num_conflict[tag] ? u->words : 0;
   EACH_TAG(other, conflict, conflict_words) {
      clear_bit(issue_row(u, u->conflict, other), tag);
      u->num_conflict[other]--;
      if (!--u->conflicts[other] && has_bit(u->independent, other)) {
         set_bit(u->ready, other);
         u->num_ready++;
      }
   }
   memset(conflict, 0, conflict_words * sizeof(*conflict));

   clear_bit(u->issued, tag);
   u->num_issued--;
   sgt_boxes_remove(&u->destination_boxes, tag);
   set_bit(u->freed_stations, tag);
   u->num_freed_stations++;
   uint32_t source = u->first_source[tag];
   for (; source != SGT_NO_TAG; source = u->source_after[source]) {
      sgt_boxes_remove(&u->source_boxes, source);
      set_bit(u->freed_sources, source);
      u->num_freed_sources++;
   }
}

void
sgt_issue_end_cycle(struct sgt_issue *u)
{
   u->free_candidates += u->freed_candidates;
   u->freed_candidates = 0;
   for (uint32_t w = 0; u->num_freed_stations && w < u->words; w++) {
      u->free_stations[w] |= u->freed_stations[w];
      u->freed_stations[w] = 0;
   }
   u->num_free_stations += u->num_freed_stations;
   u->num_freed_stations = 0;
   for (uint32_t w = 0; u->num_freed_sources && w < u->source_boxes.words; w++) {
      u->free_sources[w] |= u->freed_sources[w];
      u->freed_sources[w] = 0;
   }
   u->num_free_sources += u->num_freed_sources;
   u->num_freed_sources = 0;
   if (u->alone != SGT_NO_TAG && has_bit(u->free_stations, u->alone))
      u->alone = SGT_NO_TAG;
}

enum sgt_state
sgt_issue_reason(const struct sgt_issue *u, uint32_t tag)
{
   if (sgt_issue_is_ready(u, tag))
      return SGT_STATE_ISSUE_RATE;
   for (unsigned kind = 0; kind < SGT_HAZARDS; kind++)
      if (u->count[tag][kind])
         return SGT_STATE_RAW + kind;
   return SGT_STATE_CONFLICT;
}

uint32_t
sgt_issue_blocker(struct sgt_issue *u, uint32_t tag)
{
   const uint32_t *count = u->count[tag];
   const bool depends = count[0] | count[1] | count[2];
   const uint64_t *vector = issue_row(u, u->vector, tag);
   const uint64_t *conflict = issue_row(u, u->conflict, tag);
   if (depends && u->blocker[tag] != SGT_NO_TAG && has_bit(vector, u->blocker[tag]))
      return u->blocker[tag];
   uint32_t best = SGT_NO_TAG;
   for (uint32_t w = 0; w < u->words; w++) {
      for (uint64_t bits = depends ? vector[w] : conflict[w] & u->issued[w]; bits;
           bits &= bits - 1) {
         const uint32_t other = w * 64 + (ffsll(bits) - 1);
         if (best == SGT_NO_TAG || u->sequence[other] < u->sequence[best])
            best = other;
      }
   }
   u->blocker[tag] = depends ? best : SGT_NO_TAG;
   return best;
}
