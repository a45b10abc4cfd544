/* SPDX-License-Identifier: MIT */
/* Random schedules; see schedule.h. */
#include "schedule.h"

#include "engine99/sgt_breaking.h"
#include "engine99/sgt_split.h"
#include "util/macros.h"

static bool
rects_meet(const struct sgt_rect *a, const struct sgt_rect *b)
{
   return MAX2(a->x0, b->x0) < MIN2(a->x1, b->x1) && MAX2(a->y0, b->y0) < MIN2(a->y1, b->y1);
}

static void
note_pixels(const struct sgt_trace *t, struct schedule_slice *slice)
{
   const struct sgt_item *item = &t->items[slice->item];
   const struct sgt_rect *c = &slice->cut;

   for (int y = c->y0; y < c->y1; y++) {
      for (int x = c->x0; x < c->x1; x++) {
         bool covered = !sgt_item_is_primitive(item);
         for (uint32_t i = 0; i < item->num_blocks && !covered; i++) {
            const struct sgt_block *b = &t->blocks[item->first_block + i];
            if (x >= b->x && x < b->x + 8 && y >= b->y && y < b->y + 4)
               covered = b->mask >> sgpu_tile_element(x & 7, y & 3) & 1;
         }
         if (covered) {
            slice->pixels[y][x / 32] |= 1u << (x % 32);
            slice->any = true;
         }
      }
   }
}

static bool
pixels_meet(const struct schedule_slice *a, const struct schedule_slice *b)
{
   for (unsigned y = 0; y < SCENE_HEIGHT; y++) {
      for (unsigned i = 0; i < SCHEDULE_ROWS; i++) {
         if (a->pixels[y][i] & b->pixels[y][i])
            return true;
      }
   }
   return false;
}

static bool
pixels_in(const struct schedule_slice *a, const struct sgt_rect *r)
{
   for (int y = r->y0; y < r->y1; y++) {
      for (int x = r->x0; x < r->x1; x++) {
         if (a->pixels[y][x / 32] >> (x % 32) & 1)
            return true;
      }
   }
   return false;
}

/* Returns the bits of enum dependence between a slice and an earlier one, computed from rectangles
 * or from pixels.
 */
static uint32_t
depend(const struct schedule *s, const struct schedule_slice *late,
       const struct schedule_slice *early, bool pixels)
{
   const struct sgt_trace *t = s->trace;
   const struct sgt_item *x = &t->items[late->item], *y = &t->items[early->item];
   const uint64_t key = sgt_break_key(t, x, s->breaking);
   uint32_t bits = 0;

   if (late->item == early->item || (pixels && !(late->any && early->any)))
      return 0;
   for (uint32_t i = 0; i < x->num_sources; i++) {
      const struct sgt_region *r = &t->sources[x->first_source + i];
      if (sgt_sets_meet(t, r->set, y->destination.set) && rects_meet(&r->rect, &early->cut) &&
          (!pixels || pixels_in(early, &r->rect)))
         bits |= 1u << DEPENDENCE_RAW;
   }
   for (uint32_t i = 0; i < y->num_sources; i++) {
      const struct sgt_region *r = &t->sources[y->first_source + i];
      if (sgt_sets_meet(t, r->set, x->destination.set) && rects_meet(&r->rect, &late->cut) &&
          (!pixels || pixels_in(late, &r->rect)))
         bits |= 1u << DEPENDENCE_WAR;
   }
   if (sgt_sets_meet(t, x->destination.set, y->destination.set) &&
       rects_meet(&late->cut, &early->cut) && (!pixels || pixels_meet(late, early))) {
      const bool any_order = key && key == sgt_break_key(t, y, s->breaking);
      bits |= 1u << (any_order ? DEPENDENCE_CONFLICT : DEPENDENCE_WAW);
   }
   return bits;
}

static void
cut_slices(struct schedule *s, uint64_t *seed)
{
   const struct sgt_trace *t = s->trace;
   const int heights[] = { 1000, 32, 8, 5 };
   const int height = heights[rop_below(seed, ARRAY_SIZE(heights))];

   s->slices = calloc(t->num_items * SCENE_HEIGHT, sizeof(*s->slices));
   for (uint32_t i = 0; i < t->num_items; i++) {
      const struct sgt_rect *r = &t->items[i].destination.rect;
      const int step = t->items[i].kind == SGT_ITEM_COPY ? 1000 : height;
      for (int y = r->y0; y < r->y1; y += step) {
         struct schedule_slice *slice = &s->slices[s->num_slices++];
         slice->item = i;
         slice->cut = (struct sgt_rect){ r->x0, y, r->x1, MIN2(y + step, r->y1) };
         note_pixels(t, slice);
      }
   }
}

/* Returns true if the slice may start now.  Dependences of the kind `dropped` are ignored. */
static bool
can_start(const struct schedule *s, uint32_t n, enum dependence dropped)
{
   const struct schedule_slice *slice = &s->slices[n];

   if (slice->start)
      return false;
   for (uint32_t i = 0; i < s->num_slices; i++) {
      const struct schedule_slice *other = &s->slices[i];
      if (i == n || other->end)
         continue;
      uint32_t bits = i < n ? depend(s, slice, other, false) : depend(s, other, slice, false);
      bits &= ~(1u << dropped);
      /* A later slice only counts if it has started: then it should have waited for this one. */
      if (i > n || !other->start)
         bits &= i > n ? (other->start ? 1u << DEPENDENCE_CONFLICT : 0)
                       : ~(1u << DEPENDENCE_CONFLICT);
      if (bits)
         return false;
   }
   return true;
}

void
schedule_begin(struct schedule *s, const struct sgt_trace *trace, enum sgt_breaking breaking,
               unsigned accelerators, enum dependence dropped, uint64_t seed)
{
   unsigned under_way = 0;

   memset(s, 0, sizeof(*s));
   s->trace = trace;
   s->breaking = breaking;
   cut_slices(s, &seed);
   s->events = malloc(2 * s->num_slices * sizeof(*s->events));
   while (s->num_events < 2 * s->num_slices) {
      uint32_t found[16], num = 0;
      const uint32_t window = 12;
      if (under_way < accelerators && (under_way == 0 || rop_below(&seed, 3))) {
         uint32_t seen = 0;
         for (uint32_t i = 0; i < s->num_slices && seen < window; i++) {
            seen += !s->slices[i].start;
            if (can_start(s, i, dropped))
               found[num++] = i;
         }
      }
      if (num) {
         const uint32_t i = found[rop_below(&seed, num)];
         s->events[s->num_events++] = 2 * i;
         s->slices[i].start = s->num_events;
         under_way++;
         continue;
      }
      assert_true(under_way);
      for (uint32_t k = rop_below(&seed, under_way), i = 0;; i++) {
         if (!s->slices[i].start || s->slices[i].end || k--)
            continue;
         s->events[s->num_events++] = 2 * i + 1;
         s->slices[i].end = s->num_events;
         under_way--;
         break;
      }
   }
}

void
schedule_end(struct schedule *s)
{
   free(s->slices);
   free(s->events);
}

void
schedule_run(const struct schedule *s, struct sgt_shadow *shadow)
{
   for (uint32_t i = 0; i < s->num_events; i++) {
      const struct schedule_slice *slice = &s->slices[s->events[i] / 2];
      if (s->events[i] & 1)
         sgt_shadow_end(shadow, i, slice->item, &slice->cut);
      else
         sgt_shadow_start(shadow, i, slice->item, &slice->cut, &slice->cut);
   }
}

void
schedule_check(const struct schedule *s, uint64_t *rects, uint64_t *pixels)
{
   *rects = *pixels = 0;
   for (uint32_t k = 0; k < s->num_slices; k++) {
      for (uint32_t i = 0; i < k; i++) {
         const struct schedule_slice *early = &s->slices[i], *late = &s->slices[k];
         const bool at_once = early->start < late->end && late->start < early->end;
         const bool ordered = early->end < late->start;
         const uint32_t any = 1u << DEPENDENCE_CONFLICT;
         for (unsigned p = 0; p < 2; p++) {
            const uint32_t bits = depend(s, late, early, p);
            if (((bits & ~any) && !ordered) || ((bits & any) && at_once))
               ++*(p ? pixels : rects);
         }
      }
   }
}
