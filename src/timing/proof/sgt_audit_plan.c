/* SPDX-License-Identifier: MIT */
/*
 * Creates an audit plan, which contains the targets of each operation and the accesses to each
 * source region, divided into epochs.
 */
#include "proof/sgt_audit_plan.h"

#include <stdlib.h>
#include <string.h>

#include "sgpu_shadow.h"
#include "trace/sgt_array.h"
#include "proof/sgt_blocks.h"
#include "util/bitscan.h"

static uint64_t
plan_area(const struct sgt_rect *r)
{
   return r->x0 < r->x1 && r->y0 < r->y1 ? (uint64_t)(r->x1 - r->x0) * (r->y1 - r->y0) : 0;
}

static bool
plan_contains(const struct sgt_rect *a, const struct sgt_rect *b)
{
   return a->x0 <= b->x0 && a->y0 <= b->y0 && a->x1 >= b->x1 && a->y1 >= b->y1;
}

uint64_t
sgt_audit_pixels(const struct sgt_trace *t, const struct sgt_item *item, const struct sgt_rect *cut,
                 const struct sgt_rect *region)
{
   const struct sgt_region *d = &item->destination;

   if (sgt_rect_is_all(region) || plan_contains(region, cut)) {
      if (plan_contains(cut, &d->rect))
         return item->pixels;
      region = cut;
   }
   const struct sgt_rect rect = sgt_rect_common(cut, region);
   if (!sgt_item_is_primitive(item))
      return plan_area(&rect) * sgt_audit_layers(item);

   struct sgt_block_walk walk;
   uint64_t pixels = 0;
   uint32_t lanes;
   sgt_block_walk_begin(&walk, t, item, &rect);
   while (sgt_block_walk_next(&walk, &lanes))
      pixels += util_bitcount(lanes);
   return pixels;
}

/* -- targets ------------------------------------------------------------------------ */

/* Creates a surface for each memory set. These surfaces replace those of operations that have no
 * surfaces in the shadow image. The device doesn't use their addresses.
 */
static void
set_targets(const struct sgt_trace *t, struct sgt_audit_target *sets)
{
   for (uint32_t i = 0; i < t->num_sets; i++) {
      sets[i].address = UINT64_C(1) << 63 | (uint64_t)i << 32;
      sets[i].layer_stride = 1;
      sets[i].write = true;
   }
   for (uint32_t i = 0; i < t->num_items; i++) {
      const struct sgt_item *item = &t->items[i];
      const struct sgt_region *d = &item->destination;
      struct sgt_audit_target *set = &sets[d->set];
      const uint32_t layers = sgt_item_is_primitive(item) ? item->layer + 1
                                                          : sgt_audit_layers(item);
      if (layers > set->layers)
         set->layers = layers;
      if (sgt_item_is_primitive(item)) {
         for (uint32_t b = 0; b < item->num_blocks; b++) {
            const struct sgt_block *block = &t->blocks[item->first_block + b];
            if (block->x + 8u > set->width)
               set->width = block->x + 8;
            if (block->y + 4u > set->height)
               set->height = block->y + 4;
         }
      } else if (!sgt_rect_is_all(&d->rect)) {
         if (d->rect.x1 > (int64_t)set->width)
            set->width = d->rect.x1;
         if (d->rect.y1 > (int64_t)set->height)
            set->height = d->rect.y1;
      }
   }
}

/* Fills in p->targets. Returns false if allocation fails. */
static bool
add_targets(struct sgt_audit_plan *p, const struct sgpu_shadow_image *image,
            const uint32_t *records)
{
   const struct sgt_trace *t = p->trace;
   struct sgt_audit_target *sets = calloc(t->num_sets + 1, sizeof(*sets));
   struct sgpu_shadow_surface surfaces[SGPU_SHADOW_TARGETS];
   uint64_t max = 0;
   uint32_t num = 0;

   p->first_target = malloc((t->num_operations + 1) * sizeof(*p->first_target));
   if (!sets || !p->first_target) {
      free(sets);
      return false;
   }
   set_targets(t, sets);
   for (uint32_t i = 0; i < t->num_operations; i++) {
      const struct sgt_operation *op = &t->operations[i];
      unsigned n = 0;
      p->first_target[i] = num;
      if (image && op->state != UINT32_MAX)
         n = sgpu_shadow_image_targets(image, records ? records[op->state] : op->state, surfaces);
      if (!sgt_array_reserve(&p->targets, &max, num + n + 1, sizeof(*p->targets))) {
         free(sets);
         return false;
      }
      for (unsigned k = 0; k < n; k++) {
         p->targets[num++] = (struct sgt_audit_target){
            .address = surfaces[k].address,
            .layer_stride = surfaces[k].layer_stride,
            .width = surfaces[k].width,
            .height = surfaces[k].height,
            .layers = surfaces[k].layers,
            .write = surfaces[k].write,
         };
      }
      if (n == 0 && op->num_items)
         p->targets[num++] = sets[t->items[op->first_item].destination.set];
   }
   p->first_target[t->num_operations] = num;
   free(sets);
   return true;
}

/* -- source regions ------------------------------------------------------------------- */

static int
compare_regions(const struct sgt_region *a, const struct sgt_region *b)
{
   return memcmp(a, b, sizeof(*a));
}

static int
compare_watched(const void *a, const void *b)
{
   const struct sgt_audit_region *x = a, *y = b;
   return compare_regions(&x->region, &y->region);
}

/* Fills in p->regions with the source regions of the trace, sorted and without duplicates. */
static bool
find_regions(struct sgt_audit_plan *p)
{
   const struct sgt_trace *t = p->trace;
   uint32_t num = 0;

   p->regions = calloc((uint64_t)t->num_sources + 1, sizeof(*p->regions));
   if (!p->regions)
      return false;
   for (uint32_t i = 0; i < t->num_sources; i++)
      p->regions[i].region = t->sources[i];
   qsort(p->regions, t->num_sources, sizeof(*p->regions), compare_watched);
   for (uint32_t i = 0; i < t->num_sources; i++) {
      if (num == 0 || compare_regions(&p->regions[num - 1].region, &p->regions[i].region))
         p->regions[num++] = p->regions[i];
   }
   p->num_regions = num;
   return true;
}

/* Returns the index of a source region in p->regions. */
static uint32_t
region_of(const struct sgt_audit_plan *p, const struct sgt_region *r)
{
   struct sgt_audit_region key = { .region = *r };
   const struct sgt_audit_region *found = bsearch(&key, p->regions, p->num_regions,
                                                  sizeof(*p->regions), compare_watched);
   return found - p->regions;
}

/* Adds an access to the last epoch of the region, or to a new epoch if the kind of access differs.
 * `latest` contains the index of the last epoch of each region, or UINT32_MAX. Until sort_epochs()
 * is called, epochs are in creation order, and end_epoch is the number of epochs of the region.
 */
static bool
add_access(struct sgt_audit_plan *p, uint32_t *latest, uint32_t region, bool reads, bool writes,
           uint64_t pixels)
{
   uint32_t e = latest[region];

   if (!sgt_array_reserve(&p->accesses, &p->max_accesses, p->num_accesses + 1,
                          sizeof(*p->accesses)) ||
       !sgt_array_reserve(&p->epochs, &p->max_epochs, p->num_epochs + 1, sizeof(*p->epochs)))
      return false;
   if (e == UINT32_MAX || (reads && writes) || p->epochs[e].reads != reads ||
       p->epochs[e].writes != writes) {
      e = latest[region] = p->num_epochs++;
      p->epochs[e] = (struct sgt_audit_epoch){ 0, region, reads, writes };
      p->regions[region].end_epoch++;
   }
   p->epochs[e].pixels += pixels;
   p->accesses[p->num_accesses++] = (struct sgt_audit_access){ region, e, reads, writes };
   return true;
}

/* Adds the accesses of an item to the source regions. `mark` is scratch memory with one element per
 * region. All elements must be 0, and are 0 again on return.
 */
static bool
add_item(struct sgt_audit_plan *p, uint32_t *latest, uint8_t *mark, const struct sgt_item *item)
{
   const struct sgt_trace *t = p->trace;
   bool ok = true;

   for (uint32_t i = 0; i < item->num_sources; i++)
      mark[region_of(p, &t->sources[item->first_source + i])] = 2;
   for (uint32_t r = 0; ok && r < p->num_regions; r++) {
      const struct sgt_region *region = &p->regions[r].region;
      const bool reads = mark[r] == 2;
      uint64_t pixels = item->pixels;
      bool writes = sgt_regions_meet(t, &item->destination, region);
      mark[r] = 0;
      if (writes && !reads) {
         pixels = sgt_audit_pixels(t, item, &item->destination.rect, &region->rect);
         writes = pixels != 0;
      }
      if (pixels && (reads || writes))
         ok = add_access(p, latest, r, reads, writes, pixels);
   }
   return ok;
}

/* Sorts the epochs by region. Returns false if allocation fails. */
static bool
sort_epochs(struct sgt_audit_plan *p)
{
   struct sgt_audit_epoch *sorted = malloc((p->num_epochs + 1) * sizeof(*sorted));
   uint32_t *number = malloc((p->num_epochs + 1) * sizeof(*number));
   uint32_t at = 0;

   if (!sorted || !number) {
      free(sorted);
      free(number);
      return false;
   }
   for (uint32_t r = 0; r < p->num_regions; r++) {
      const uint32_t num = p->regions[r].end_epoch;
      p->regions[r].first_epoch = p->regions[r].end_epoch = at;
      at += num;
   }
   for (uint32_t e = 0; e < p->num_epochs; e++) {
      number[e] = p->regions[p->epochs[e].region].end_epoch++;
      sorted[number[e]] = p->epochs[e];
   }
   for (uint32_t i = 0; i < p->num_accesses; i++)
      p->accesses[i].epoch = number[p->accesses[i].epoch];
   free(p->epochs);
   free(number);
   p->epochs = sorted;
   return true;
}

static bool
add_accesses(struct sgt_audit_plan *p)
{
   const struct sgt_trace *t = p->trace;

   p->first_access = malloc(((uint64_t)t->num_items + 1) * sizeof(*p->first_access));
   if (!p->first_access || !find_regions(p))
      return false;
   uint32_t *latest = malloc((p->num_regions + 1) * sizeof(*latest));
   uint8_t *mark = calloc(p->num_regions + 1, 1);
   bool ok = latest && mark;
   for (uint32_t r = 0; ok && r < p->num_regions; r++)
      latest[r] = UINT32_MAX;
   for (uint32_t i = 0; ok && i < t->num_items; i++) {
      p->first_access[i] = p->num_accesses;
      ok = add_item(p, latest, mark, &t->items[i]);
   }
   p->first_access[t->num_items] = p->num_accesses;
   free(latest);
   free(mark);
   return ok && sort_epochs(p);
}

struct sgt_audit_plan *
sgt_audit_plan_create(const struct sgt_trace *trace, const struct sgpu_shadow_image *image,
                      const uint32_t *records)
{
   struct sgt_audit_plan *p = calloc(1, sizeof(*p));

   if (!p)
      return NULL;
   p->trace = trace;
   if (!add_targets(p, image, records) || !add_accesses(p)) {
      sgt_audit_plan_destroy(p);
      return NULL;
   }
   return p;
}

void
sgt_audit_plan_destroy(struct sgt_audit_plan *p)
{
   if (!p)
      return;
   free(p->targets);
   free(p->first_target);
   free(p->first_access);
   free(p->accesses);
   free(p->regions);
   free(p->epochs);
   free(p);
}
