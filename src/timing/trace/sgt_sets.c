/* SPDX-License-Identifier: MIT */
/*
 * Manages sets of memory pieces. Finds out which sets are equal and which sets share memory.
 */
#include "trace/sgt_sets.h"

#include <assert.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "trace/sgt_hash.h"
#include "util/macros.h"

void
sgt_sets_finish(struct sgt_sets *s)
{
   free(s->pieces);
   free(s->sets);
   free(s->members);
   free(s->piece_index.hashes);
   free(s->piece_index.table);
   free(s->set_index.hashes);
   free(s->set_index.table);
   memset(s, 0, sizeof(*s));
}

static bool
pieces_equal(const struct sgt_piece *a, const struct sgt_piece *b)
{
   if (!a->storage)
      return !b->storage && a->begin == b->begin && a->end == b->end;
   return a->storage == b->storage && a->level == b->level && a->grid == b->grid;
}

/* Returns true if two pieces, which must not be equal, share memory. */
static bool
pieces_overlap(const struct sgt_piece *a, const struct sgt_piece *b)
{
   if (a->storage && a->storage == b->storage)
      return a->level == b->level;
   return a->begin < b->end && b->begin < a->end;
}

/* -- hash tables --------------------------------------------------------------------- */

/* Grows the arrays of a hash table such that they can hold an element with index `num`. Returns
 * false if allocation fails.
 */
static bool
index_reserve(struct sgt_index *index, uint32_t num)
{
   if (!sgt_array_reserve(&index->hashes, &index->max_hashes, (uint64_t)num + 1,
                          sizeof(*index->hashes)))
      return false;
   if (num < index->size / 2)
      return true;

   const uint32_t size = index->size ? index->size * 2 : 64;
   uint32_t *table = calloc(size, sizeof(*table));
   if (!table)
      return false;
   for (uint32_t i = 0; i < num; i++) {
      uint32_t at = index->hashes[i] & (size - 1);
      while (table[at])
         at = (at + 1) & (size - 1);
      table[at] = i + 1;
   }
   free(index->table);
   index->table = table;
   index->size = size;
   return true;
}

/* Returns the first table entry to probe for a hash. index_next() returns the next entry to probe.
 */
static uint32_t
index_first(const struct sgt_index *index, uint64_t hash)
{
   return hash & (index->size - 1);
}

static uint32_t
index_next(const struct sgt_index *index, uint32_t at)
{
   return (at + 1) & (index->size - 1);
}

static void
index_put(struct sgt_index *index, uint32_t at, uint64_t hash, uint32_t number)
{
   index->table[at] = number + 1;
   index->hashes[number] = hash;
}

/* -- pieces and sets ----------------------------------------------------------------- */

static uint32_t
add_piece(struct sgt_sets *s, const struct sgt_piece *piece)
{
   const uint64_t key[4] = {
      piece->storage,
      piece->storage ? piece->grid : piece->begin,
      piece->storage ? piece->level : piece->end,
   };
   const uint64_t hash = XXH64(key, sizeof(key), 0);

   if (!index_reserve(&s->piece_index, s->num_pieces) ||
       !sgt_array_reserve(&s->pieces, &s->max_pieces, s->num_pieces + 1, sizeof(*s->pieces)))
      return UINT32_MAX;
   uint32_t at = index_first(&s->piece_index, hash);
   for (; s->piece_index.table[at]; at = index_next(&s->piece_index, at)) {
      struct sgt_piece *p = &s->pieces[s->piece_index.table[at] - 1];
      if (pieces_equal(p, piece)) {
         p->begin = MIN2(p->begin, piece->begin);
         p->end = MAX2(p->end, piece->end);
         return s->piece_index.table[at] - 1;
      }
   }
   index_put(&s->piece_index, at, hash, s->num_pieces);
   s->pieces[s->num_pieces] = *piece;
   return s->num_pieces++;
}

uint32_t
sgt_sets_add(struct sgt_sets *s, const struct sgt_piece *pieces, unsigned num)
{
   const uint32_t first = s->num_members;

   assert(num);
   if (!sgt_array_reserve(&s->members, &s->max_members, (uint64_t)first + num,
                          sizeof(*s->members)) ||
       !sgt_array_reserve(&s->sets, &s->max_sets, s->num_sets + 1, sizeof(*s->sets)) ||
       !index_reserve(&s->set_index, s->num_sets))
      return UINT32_MAX;

   uint32_t count = 0, *members = s->members + first;
   for (unsigned i = 0; i < num; i++) {
      const uint32_t piece = add_piece(s, &pieces[i]);
      if (piece == UINT32_MAX)
         return UINT32_MAX;
      uint32_t at = count;
      while (at > 0 && members[at - 1] > piece)
         at--;
      if (at > 0 && members[at - 1] == piece)
         continue;
      memmove(members + at + 1, members + at, (count - at) * sizeof(*members));
      members[at] = piece;
      count++;
   }

   const uint64_t hash = XXH64(members, count * sizeof(*members), 0);
   uint32_t at = index_first(&s->set_index, hash);
   for (; s->set_index.table[at]; at = index_next(&s->set_index, at)) {
      const uint32_t number = s->set_index.table[at] - 1;
      const struct sgt_set *set = &s->sets[number];
      if (set->num == count && !memcmp(s->members + set->first, members, count * sizeof(*members)))
         return number;
   }
   index_put(&s->set_index, at, hash, s->num_sets);
   s->sets[s->num_sets] = (struct sgt_set){ .first = first, .num = count, .number = UINT32_MAX };
   s->num_members += count;
   return s->num_sets++;
}

void
sgt_sets_written(struct sgt_sets *s, const struct sgt_region *region, bool drawn)
{
   struct sgt_set *set = &s->sets[region->set];

   set->drawn |= drawn;
   if (!set->written) {
      set->written = true;
      set->rect = region->rect;
      set->first_layer = region->first_layer;
      set->last_layer = region->last_layer;
      return;
   }
   set->rect.x0 = MIN2(set->rect.x0, region->rect.x0);
   set->rect.y0 = MIN2(set->rect.y0, region->rect.y0);
   set->rect.x1 = MAX2(set->rect.x1, region->rect.x1);
   set->rect.y1 = MAX2(set->rect.y1, region->rect.y1);
   set->first_layer = MIN2(set->first_layer, region->first_layer);
   set->last_layer = MAX2(set->last_layer, region->last_layer);
}

/* Ranks of memory pieces, in ascending order of the cost of making all regions of the piece cover
 * the whole piece.
 */
enum rank {
   RANK_WHOLE, /* regions already cover the whole piece */
   RANK_BUFFER,
   RANK_SURFACE,
   RANK_TARGET, /* surface that primitives draw to */
};

static void
rank_pieces(const struct sgt_sets *s, uint8_t *rank)
{
   for (uint32_t i = 0; i < s->num_pieces; i++) {
      const struct sgt_piece *p = &s->pieces[i];
      rank[i] = !p->storage ? RANK_BUFFER : !p->grid ? RANK_WHOLE : RANK_SURFACE;
   }
   for (uint32_t i = 0; i < s->num_sets; i++) {
      const struct sgt_set *set = &s->sets[i];
      for (uint32_t k = 0; set->drawn && k < set->num; k++) {
         uint8_t *r = &rank[s->members[set->first + k]];
         *r = *r == RANK_SURFACE ? RANK_TARGET : *r;
      }
   }
}

/* If two pieces overlap in memory but have no common coordinates, makes all regions of one of them
 * cover the whole piece. Chooses the piece with the lower rank.
 */
static void
widen_pieces(const struct sgt_sets *s, const bool *written, uint8_t *rank)
{
   for (uint32_t i = 0; i < s->num_pieces; i++) {
      for (uint32_t k = 0; written[i] && k < s->num_pieces; k++) {
         if (k == i || rank[i] == RANK_WHOLE || rank[k] == RANK_WHOLE ||
             !pieces_overlap(&s->pieces[i], &s->pieces[k]))
            continue;
         rank[rank[k] <= rank[i] ? k : i] = RANK_WHOLE;
      }
   }
}

static bool
set_is_whole(const struct sgt_sets *s, const struct sgt_set *set, const uint8_t *rank)
{
   const uint32_t *member = s->members + set->first;
   bool whole = false;

   for (uint32_t k = 0; k < set->num; k++) {
      /* If a set contains several buffers, or a buffer and a surface, its pieces have no common
       * coordinates.
       */
      whole |= rank[member[k]] == RANK_WHOLE || (set->num > 1 && !s->pieces[member[k]].storage);
   }
   return whole;
}

bool
sgt_sets_widen(struct sgt_sets *s)
{
   bool *written = calloc(s->num_pieces + 1, sizeof(*written));
   uint8_t *rank = malloc(s->num_pieces + 1);

   if (!written || !rank) {
      free(written);
      free(rank);
      return false;
   }
   for (uint32_t i = 0; i < s->num_sets; i++) {
      for (uint32_t k = 0; s->sets[i].written && k < s->sets[i].num; k++)
         written[s->members[s->sets[i].first + k]] = true;
   }
   rank_pieces(s, rank);
   widen_pieces(s, written, rank);
   for (uint32_t i = 0; i < s->num_sets; i++) {
      struct sgt_set *set = &s->sets[i];
      set->whole = set_is_whole(s, set, rank);
      if (set->written && set->whole) {
         set->rect = SGT_RECT_ALL;
         set->first_layer = 0;
         set->last_layer = SGT_ALL_LAYERS;
      }
   }
   free(written);
   free(rank);
   return true;
}

bool
sgt_sets_share(const struct sgt_sets *s, uint32_t a, uint32_t b)
{
   const struct sgt_set *sa = &s->sets[a], *sb = &s->sets[b];

   for (uint32_t i = 0; i < sa->num; i++) {
      for (uint32_t k = 0; k < sb->num; k++) {
         const uint32_t p = s->members[sa->first + i], q = s->members[sb->first + k];
         if (p == q || pieces_overlap(&s->pieces[p], &s->pieces[q]))
            return true;
      }
   }
   return false;
}
