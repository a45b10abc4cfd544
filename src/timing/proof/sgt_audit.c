/* SPDX-License-Identifier: MIT */
/*
 * Audits the schedule of a timing model.
 */
#include "proof/sgt_audit.h"

#include <stdlib.h>

#include "trace/sgt_array.h"
#include "proof/sgt_audit_plan.h"
#include "proof/sgt_blocks.h"
#include "engine99/sgt_breaking.h"
#include "util/bitscan.h"

const char *const sgt_hazard_names[SGT_HAZARDS] = {
   [SGT_HAZARD_RAW] = "RAW",           [SGT_HAZARD_WAW] = "WAW",     [SGT_HAZARD_WAR] = "WAR",
   [SGT_HAZARD_CONFLICT] = "conflict", [SGT_HAZARD_PARTS] = "parts",
};

/* A layer of a surface. For each pixel, `last` is the last item in program order that has covered
 * it, and `before` is the last one that is not in the run of `last`. A run is a sequence of items
 * that may execute in any order. Both are item indices plus 1, or 0 if there is no item. Pixels are
 * stored in 8x4 blocks, row by row, and in lane order within a block.
 */
struct plane {
   uint64_t address;
   uint32_t across, rows; /* width and height in blocks */
   int32_t *last, *before;
};

/* A slice that is executing. */
struct flight {
   uint32_t item;
   struct sgt_rect rect, cut; /* as passed to sgt_audit_start() */
};

struct sgt_audit {
   const struct sgt_audit_plan *plan;
   const struct sgt_trace *trace;
   enum sgt_breaking breaking;
   bool failed; /* an allocation failed */
   struct sgt_violations violations[SGT_HAZARDS];

   struct plane *planes;
   uint32_t *table; /* hash table that maps an address to 1 + plane index, or 0 if free */
   uint32_t num_planes, table_size;
   uint64_t max_planes;

   /* for each operation, the first item of its run, or UINT32_MAX if its items can't be reordered;
    * NULL if no operation has a run
    */
   uint32_t *runs;
   uint32_t *left;   /* number of unprocessed pixels of each item */
   uint64_t *pixels; /* number of unprocessed pixels of each epoch */
   uint32_t *open;   /* for each region, the first epoch that has unprocessed pixels */

   struct flight *flights;
   uint32_t num_flights;
   uint64_t max_flights;
};

/* Returns true if the breaking rule (sgt_breaking.h) allows two items to execute in any order. */
static bool
audit_breaks(const struct sgt_audit *a, uint32_t i, uint32_t k)
{
   const struct sgt_item *x = &a->trace->items[i], *y = &a->trace->items[k];
   const uint64_t key = sgt_break_key(a->trace, x, a->breaking);

   return key && (x->operation == y->operation || key == sgt_break_key(a->trace, y, a->breaking));
}

/* Returns the index of the first item in the run that contains `item`. */
static inline uint32_t
run_of(const struct sgt_audit *a, uint32_t item)
{
   const uint32_t run = a->runs ? a->runs[a->trace->items[item].operation] : UINT32_MAX;

   return run == UINT32_MAX ? item : run;
}

static void
audit_violate(struct sgt_audit *a, enum sgt_hazard hazard, uint64_t cycle, uint32_t item,
              uint32_t other, const struct sgt_rect *rect)
{
   struct sgt_violations *v = &a->violations[hazard];

   if (!v->count++) {
      v->cycle = cycle;
      v->item = item;
      v->other = other;
      v->rect = *rect;
   }
}

/* -- destinations ------------------------------------------------------------------- */

/* Returns the hash table index of the plane at this address, or of the free entry for it. */
static uint32_t
audit_slot(const struct sgt_audit *a, uint64_t address)
{
   uint32_t i = (address * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (a->table_size - 1);

   while (a->table[i] && a->planes[a->table[i] - 1].address != address)
      i = (i + 1) & (a->table_size - 1);
   return i;
}

static bool
grow_table(struct sgt_audit *a)
{
   const uint32_t size = a->table_size ? 2 * a->table_size : 64;
   uint32_t *table = calloc(size, sizeof(*table));

   if (!table)
      return false;
   free(a->table);
   a->table = table;
   a->table_size = size;
   for (uint32_t i = 0; i < a->num_planes; i++)
      a->table[audit_slot(a, a->planes[i].address)] = i + 1;
   return true;
}

/* Returns the plane of a layer, creating it if necessary. Returns NULL if allocation fails. */
static const struct plane *
use_plane(struct sgt_audit *a, const struct sgt_audit_target *target, uint32_t layer)
{
   const uint64_t address = target->address + layer * target->layer_stride;

   if (2 * (a->num_planes + 1) > a->table_size && !grow_table(a))
      return NULL;
   const uint32_t i = audit_slot(a, address);
   if (a->table[i])
      return &a->planes[a->table[i] - 1];
   if (!sgt_array_reserve(&a->planes, &a->max_planes, a->num_planes + 1, sizeof(*a->planes)))
      return NULL;
   struct plane *p = &a->planes[a->num_planes];
   p->address = address;
   p->across = (target->width + 7) / 8;
   p->rows = (target->height + 3) / 4;
   const uint64_t pixels = (uint64_t)p->across * p->rows * 32;
   p->last = calloc(2 * pixels + 1, sizeof(*p->last));
   p->before = p->last + pixels;
   if (!p->last)
      return NULL;
   a->table[i] = ++a->num_planes;
   return p;
}

/* Sets m[l] to -1 for each lane l that is in the mask, and to 0 for all other lanes. */
static inline void
expand_lanes(uint32_t lanes, int32_t m[32])
{
   static const uint32_t bit[32] = {
#define FOUR(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
      FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28),
#undef FOUR
   };
   for (unsigned l = 0; l < 32; l++)
      m[l] = -(int32_t)((lanes & bit[l]) != 0);
}

/* Returns a mask of the lanes that an item later than `me` has already covered. If `write` is true,
 * sets `last` of the other lanes to `me`. `run` is the first item in the run of `me`. All item
 * indices are incremented by 1. `before` is NULL if no items can be reordered.
 */
static inline uint32_t
pass_lanes(int32_t *restrict last, int32_t *restrict before, uint32_t lanes, int32_t me,
           int32_t run, bool write)
{
   int32_t m[32], any = 0;
   uint32_t late = 0;

   expand_lanes(lanes, m);
   for (unsigned l = 0; l < 32; l++)
      any |= m[l] & -(int32_t)(last[l] > me);
   if (any) {
      for (unsigned l = 0; l < 32; l++) {
         late |= (uint32_t)(m[l] & (last[l] > me)) << l;
         m[l] &= -(int32_t)(last[l] <= me);
      }
   }
   if (before && write) {
      for (unsigned l = 0; l < 32; l++) {
         const int32_t change = m[l] & -(int32_t)(last[l] < run);
         before[l] ^= (before[l] ^ last[l]) & change;
      }
   }
   if (write) {
      for (unsigned l = 0; l < 32; l++)
         last[l] ^= (last[l] ^ me) & m[l];
   }
   return late;
}

/* Checks that no later item has covered these lanes of a block, and records this item for them. */
static void
check_block(struct sgt_audit *a, const struct plane *p, const struct sgt_audit_target *target,
            uint64_t cycle, uint32_t item, uint32_t bx, uint32_t by, uint32_t lanes,
            const struct sgt_rect *cut)
{
   if (bx >= p->across || by >= p->rows)
      return;
   const uint64_t at = ((uint64_t)by * p->across + bx) * 32;
   const int32_t me = (int32_t)item + 1;
   const int32_t run = run_of(a, item) + 1;
   uint32_t late = pass_lanes(p->last + at, a->runs ? p->before + at : NULL, lanes, me, run,
                              target->write);

   while (late) {
      const unsigned l = u_bit_scan(&late);
      int32_t other = p->last[at + l];
      if (audit_breaks(a, item, other - 1)) {
         other = p->before[at + l];
         if (target->write && me > other && me <= (int32_t)run_of(a, p->last[at + l] - 1))
            p->before[at + l] = me;
         if (other <= me || audit_breaks(a, item, other - 1))
            continue;
      }
      audit_violate(a, target->write ? SGT_HAZARD_WAW : SGT_HAZARD_WAR, cycle, item, other - 1,
                    cut);
   }
}

static bool
has_plane(const struct sgt_audit *a, uint64_t address)
{
   return a->table_size && a->table[audit_slot(a, address)];
}

/* Records tests of lanes by an item, or reports writes to lanes that a later item has tested. */
static void
check_tests(struct sgt_audit *a, int32_t *last, uint64_t cycle, uint32_t item, bool write,
            uint32_t lanes, const struct sgt_rect *rect)
{
   const int32_t me = (int32_t)item + 1;

   while (lanes) {
      int32_t *tester = &last[u_bit_scan(&lanes)];
      if (*tester <= me)
         *tester = write ? *tester : me;
      else if (write)
         audit_violate(a, SGT_HAZARD_RAW, cycle, *tester - 1, item, rect);
   }
}

void
sgt_audit_block(struct sgt_audit *a, uint64_t cycle, uint32_t item, bool write, uint64_t plane,
                uint32_t width, uint32_t height, uint32_t x, uint32_t y, uint32_t lanes)
{
   const struct sgt_audit_target target = {
      .address = plane, .width = width, .height = height, .layers = 1, .write = write
   };
   const struct sgt_rect rect = { x, y, x + 8, y + 4 };
   /* Tests are recorded in separate planes. These get odd addresses, which no surface has. */
   const struct sgt_audit_target tests = { .address = plane | 1, .width = width, .height = height };
   const struct plane *p = use_plane(a, &target, 0);

   if (!p) {
      a->failed = true;
      return;
   }
   check_block(a, p, &target, cycle, item, x / 8, y / 4, lanes, &rect);
   if (write && !has_plane(a, plane | 1))
      return;
   p = use_plane(a, &tests, 0);
   if (!p)
      a->failed = true;
   else if (x / 8 < p->across && y / 4 < p->rows)
      check_tests(a, p->last + ((uint64_t)(y / 4) * p->across + x / 8) * 32, cycle, item, write,
                  lanes, &rect);
}

void
sgt_audit_note(struct sgt_audit *a, enum sgt_hazard hazard, uint64_t cycle, uint32_t item,
               uint32_t other, const struct sgt_rect *rect)
{
   audit_violate(a, hazard, cycle, item, other, rect);
}

/* Checks a rectangle of a transfer as if a primitive covered the whole rectangle. */
static void
check_rect(struct sgt_audit *a, const struct plane *p, const struct sgt_audit_target *target,
           uint64_t cycle, uint32_t item, const struct sgt_rect *cut)
{
   const struct sgt_rect whole = { 0, 0, target->width, target->height };
   const struct sgt_rect r = sgt_rect_common(cut, &whole);

   for (int32_t y = r.y0 & ~3; y < r.y1; y += 4) {
      for (int32_t x = r.x0 & ~7; x < r.x1; x += 8)
         check_block(a, p, target, cycle, item, x / 8, y / 4, sgt_lanes_in(&r, x, y), cut);
   }
}

static void
check_order(struct sgt_audit *a, uint64_t cycle, uint32_t number, const struct sgt_rect *cut)
{
   const struct sgt_item *item = &a->trace->items[number];
   const struct sgt_audit_plan *plan = a->plan;
   const uint32_t end = plan->first_target[item->operation + 1];

   for (uint32_t i = plan->first_target[item->operation]; i < end; i++) {
      const struct sgt_audit_target *target = &plan->targets[i];
      if (sgt_item_is_primitive(item)) {
         const struct plane *p = use_plane(a, target, item->layer);
         struct sgt_block_walk walk;
         const struct sgt_block *b;
         uint32_t lanes;
         if (!p) {
            a->failed = true;
            return;
         }
         sgt_block_walk_begin(&walk, a->trace, item, cut);
         while ((b = sgt_block_walk_next(&walk, &lanes)))
            check_block(a, p, target, cycle, number, b->x / 8, b->y / 4, lanes, cut);
      } else if (!sgt_rect_is_all(&item->destination.rect)) {
         const uint32_t layers = sgt_audit_layers(item);
         for (uint32_t layer = 0; layer < layers && layer < target->layers; layer++) {
            const struct plane *p = use_plane(a, target, layer);
            if (!p) {
               a->failed = true;
               return;
            }
            check_rect(a, p, target, cycle, number, cut);
         }
      }
   }
}

/* -- slices in flight --------------------------------------------------------------- */

/* Returns true if any pixel in the rectangle is covered by both primitives. */
static bool
share_pixel(const struct sgt_trace *t, const struct sgt_item *a, const struct sgt_item *b,
            const struct sgt_rect *rect)
{
   struct sgt_block_walk wa, wb;
   uint32_t la, lb;

   sgt_block_walk_begin(&wa, t, a, rect);
   sgt_block_walk_begin(&wb, t, b, rect);
   const struct sgt_block *x = sgt_block_walk_next(&wa, &la), *y = sgt_block_walk_next(&wb, &lb);
   while (x && y) {
      const int64_t px = (int64_t)x->y << 16 | x->x, py = (int64_t)y->y << 16 | y->x;
      if (px == py && (la & lb))
         return true;
      if (px <= py)
         x = sgt_block_walk_next(&wa, &la);
      if (py <= px)
         y = sgt_block_walk_next(&wb, &lb);
   }
   return false;
}

/* Returns true if two slices write the same memory. Only compares rectangles if the sets differ. */
static bool
audit_overlap(const struct sgt_audit *a, uint32_t item, const struct sgt_rect *rect,
              const struct sgt_rect *cut, const struct flight *f)
{
   const struct sgt_trace *t = a->trace;
   const struct sgt_item *x = &t->items[item], *y = &t->items[f->item];
   struct sgt_region rx = x->destination, ry = y->destination;

   rx.rect = *rect;
   ry.rect = f->rect;
   if (!sgt_regions_meet(t, &rx, &ry))
      return false;
   if (rx.set != ry.set || sgt_rect_is_all(&rx.rect) || sgt_rect_is_all(&ry.rect))
      return true;
   const struct sgt_rect common = sgt_rect_common(cut, &f->cut);
   if (common.x0 >= common.x1 || common.y0 >= common.y1)
      return false;
   if (!sgt_item_is_primitive(x) || !sgt_item_is_primitive(y))
      return sgt_audit_pixels(t, sgt_item_is_primitive(x) ? x : y, &common, &common) != 0;
   return x->layer == y->layer && share_pixel(t, x, y, &common);
}

/* -- sources ---------------------------------------------------------------------------- */

/* Returns the first item that has an unfinished access in the epoch, or UINT32_MAX. */
static uint32_t
find_pending(const struct sgt_audit *a, uint32_t epoch)
{
   const struct sgt_audit_plan *p = a->plan;

   for (uint32_t i = 0; i < a->trace->num_items; i++) {
      for (uint32_t k = p->first_access[i]; a->left[i] && k < p->first_access[i + 1]; k++) {
         if (p->accesses[k].epoch == epoch)
            return i;
      }
   }
   return UINT32_MAX;
}

/* Returns how many of the slice's `pixels` pixels the access includes. */
static uint64_t
access_pixels(const struct sgt_audit *a, const struct sgt_audit_access *access,
              const struct sgt_item *item, const struct sgt_rect *cut, uint64_t pixels)
{
   if (access->reads)
      return pixels;
   return sgt_audit_pixels(a->trace, item, cut, &a->plan->regions[access->region].region.rect);
}

/* For each source region that a slice accesses, checks that all earlier epochs have finished. */
static void
check_sources(struct sgt_audit *a, uint64_t cycle, uint32_t number, const struct sgt_rect *cut)
{
   const struct sgt_item *item = &a->trace->items[number];
   const struct sgt_audit_plan *p = a->plan;
   const uint64_t pixels = sgt_audit_pixels(a->trace, item, cut, cut);

   for (uint32_t i = p->first_access[number]; i < p->first_access[number + 1]; i++) {
      const struct sgt_audit_access *access = &p->accesses[i];
      const uint32_t open = a->open[access->region];
      if (access->epoch <= open || !access_pixels(a, access, item, cut, pixels))
         continue;
      /* Epochs alternate between reads and writes, so the previous one determines the hazard. */
      const bool raw = access->reads && p->epochs[access->epoch - 1].writes;
      const uint64_t count = a->violations[raw ? SGT_HAZARD_RAW : SGT_HAZARD_WAR].count;
      audit_violate(a, raw ? SGT_HAZARD_RAW : SGT_HAZARD_WAR, cycle, number,
                    count ? UINT32_MAX : find_pending(a, open), cut);
   }
}

/* Subtracts the pixels of a finished slice from the epochs that its accesses belong to. */
static void
end_sources(struct sgt_audit *a, uint32_t number, const struct sgt_rect *cut, uint64_t pixels)
{
   const struct sgt_item *item = &a->trace->items[number];
   const struct sgt_audit_plan *p = a->plan;

   for (uint32_t i = p->first_access[number]; i < p->first_access[number + 1]; i++) {
      const struct sgt_audit_access *access = &p->accesses[i];
      const uint64_t done = access_pixels(a, access, item, cut, pixels);
      uint64_t *const left = &a->pixels[access->epoch];
      uint32_t *const open = &a->open[access->region];

      *left -= done < *left ? done : *left;
      while (*open < p->regions[access->region].end_epoch && !a->pixels[*open])
         ++*open;
   }
}

/* -- slices ------------------------------------------------------------------------------- */

void
sgt_audit_start(struct sgt_audit *a, uint64_t cycle, uint32_t item, const struct sgt_rect *rect,
                const struct sgt_rect *cut)
{
   for (uint32_t i = 0; i < a->num_flights; i++) {
      const struct flight *f = &a->flights[i];
      if (f->item != item && audit_overlap(a, item, rect, cut, f))
         audit_violate(a, audit_breaks(a, item, f->item) ? SGT_HAZARD_CONFLICT : SGT_HAZARD_WAW,
                       cycle, item, f->item, cut);
   }
   if (a->plan->first_access[item] != a->plan->first_access[item + 1])
      check_sources(a, cycle, item, cut);

   if (!sgt_array_reserve(&a->flights, &a->max_flights, a->num_flights + 1, sizeof(*a->flights)))
      a->failed = true;
   else
      a->flights[a->num_flights++] = (struct flight){ item, *rect, *cut };
}

static bool
rects_equal(const struct sgt_rect *a, const struct sgt_rect *b)
{
   return a->x0 == b->x0 && a->y0 == b->y0 && a->x1 == b->x1 && a->y1 == b->y1;
}

void
sgt_audit_end(struct sgt_audit *a, uint64_t cycle, uint32_t number, const struct sgt_rect *cut)
{
   const struct sgt_item *item = &a->trace->items[number];
   const uint64_t pixels = sgt_audit_pixels(a->trace, item, cut, cut);
   bool found = false;

   for (uint32_t i = 0; i < a->num_flights && !found; i++) {
      found = a->flights[i].item == number && rects_equal(&a->flights[i].cut, cut);
      if (found)
         a->flights[i] = a->flights[--a->num_flights];
   }
   if (!found || pixels > a->left[number])
      audit_violate(a, SGT_HAZARD_PARTS, cycle, number, UINT32_MAX, cut);
   a->left[number] -= pixels < a->left[number] ? pixels : a->left[number];
   check_order(a, cycle, number, cut);
   end_sources(a, number, cut, pixels);
}

void
sgt_audit_finish(struct sgt_audit *a)
{
   for (uint32_t i = 0; i < a->trace->num_items; i++) {
      if (a->left[i])
         audit_violate(a, SGT_HAZARD_PARTS, UINT64_MAX, i, UINT32_MAX,
                       &a->trace->items[i].destination.rect);
   }
}

static bool
find_runs(struct sgt_audit *a)
{
   const struct sgt_trace *t = a->trace;
   uint64_t key = 0;

   if (a->breaking == SGT_BREAK_NONE)
      return true;
   a->runs = malloc(((uint64_t)t->num_operations + 1) * sizeof(*a->runs));
   for (uint32_t i = 0; a->runs && i < t->num_operations; i++) {
      const struct sgt_operation *op = &t->operations[i];
      const uint64_t mine = op->num_items ? sgt_break_key(t, &t->items[op->first_item], a->breaking)
                                          : key;
      a->runs[i] = !mine ? UINT32_MAX : i && mine == key ? a->runs[i - 1] : op->first_item;
      key = mine;
   }
   return a->runs != NULL;
}

struct sgt_audit *
sgt_audit_create(const struct sgt_audit_plan *plan, enum sgt_breaking breaking)
{
   struct sgt_audit *a = calloc(1, sizeof(*a));

   if (!a)
      return NULL;
   a->plan = plan;
   a->trace = plan->trace;
   a->breaking = breaking;
   a->left = malloc(((uint64_t)a->trace->num_items + 1) * sizeof(*a->left));
   a->pixels = malloc(((uint64_t)plan->num_epochs + 1) * sizeof(*a->pixels));
   a->open = malloc(((uint64_t)plan->num_regions + 1) * sizeof(*a->open));
   if (!a->left || !a->pixels || !a->open || !find_runs(a)) {
      sgt_audit_destroy(a);
      return NULL;
   }
   for (uint32_t i = 0; i < a->trace->num_items; i++)
      a->left[i] = a->trace->items[i].pixels;
   for (uint32_t i = 0; i < plan->num_epochs; i++)
      a->pixels[i] = plan->epochs[i].pixels;
   for (uint32_t i = 0; i < plan->num_regions; i++)
      a->open[i] = plan->regions[i].first_epoch;
   return a;
}

void
sgt_audit_destroy(struct sgt_audit *a)
{
   if (!a)
      return;
   for (uint32_t i = 0; i < a->num_planes; i++)
      free(a->planes[i].last);
   free(a->planes);
   free(a->table);
   free(a->runs);
   free(a->left);
   free(a->pixels);
   free(a->open);
   free(a->flights);
   free(a);
}

const struct sgt_violations *
sgt_audit_violations(const struct sgt_audit *a, enum sgt_hazard hazard)
{
   return &a->violations[hazard];
}

uint64_t
sgt_audit_count(const struct sgt_audit *a)
{
   uint64_t count = 0;

   for (unsigned i = 0; i < SGT_HAZARDS; i++)
      count += a->violations[i].count;
   return count;
}

bool
sgt_audit_ok(const struct sgt_audit *a)
{
   return !a->failed;
}

uint32_t
sgt_audit_writer(const struct sgt_audit *a, uint64_t plane, uint32_t x, uint32_t y)
{
   const uint32_t i = a->table_size ? audit_slot(a, plane) : 0;

   if (!a->table_size || !a->table[i])
      return UINT32_MAX;
   const struct plane *p = &a->planes[a->table[i] - 1];
   if (x / 8 >= p->across || y / 4 >= p->rows)
      return UINT32_MAX;
   uint32_t lane = 0;
   while (!(sgt_lanes_in(&(struct sgt_rect){ x, y, x + 1, y + 1 }, x & ~7, y & ~3) >> lane & 1))
      lane++;
   return p->last[((uint64_t)(y / 4) * p->across + x / 8) * 32 + lane] - 1;
}
