/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: creates tile arrays, and adds the batches of draws and the tiles of transfers to
 * the tile queues.
 */
#include <stdlib.h>
#include <string.h>

#include "control/dispatch/sgd_dispatch.h"
#include "control/dispatch/sgd_tile_array.h"
#include "common/sgd_tile_list.h"
#include "geometry/xfb/sgd_xfb.h"
#include "util/macros.h"

#define SGD_ENTRY_BLOCK 256

struct sgd_entry_block {
   struct sgd_entry_block *next;
   struct sgd_tile_entry entries[SGD_ENTRY_BLOCK];
};

static void
entry_put(struct sgd_dispatch *d, struct sgd_tile_entry *entry)
{
   entry->next = d->free_entries;
   d->free_entries = entry;
   d->num_free_entries++;
}

bool
sgd_entries_reserve(struct sgd_dispatch *d, uint32_t n)
{
   while (d->num_free_entries - d->reserved_entries < n) {
      struct sgd_entry_block *block = malloc(sizeof(*block));
      if (!block)
         return false;
      block->next = d->entry_blocks;
      d->entry_blocks = block;
      for (unsigned i = 0; i < SGD_ENTRY_BLOCK; i++)
         entry_put(d, &block->entries[i]);
   }
   d->reserved_entries += n;
   return true;
}

/* Takes one of the free entries, which the caller must have reserved. */
static struct sgd_tile_entry *
entry_get(struct sgd_dispatch *d)
{
   struct sgd_tile_entry *entry = d->free_entries;

   assert(d->reserved_entries);
   d->free_entries = entry->next;
   d->num_free_entries--;
   d->reserved_entries--;
   return entry;
}

void
sgd_entries_finish(struct sgd_dispatch *d)
{
   for (struct sgd_entry_block *block = d->entry_blocks, *next; block; block = next) {
      next = block->next;
      free(block);
   }
   d->entry_blocks = NULL;
   d->free_entries = NULL;
   d->num_free_entries = 0;
}

static uint32_t
num_tiles(const struct sgd_tile_array *array)
{
   return array->tiles_x * array->tiles_y * array->layers;
}

static void
array_free(struct sgd_dispatch *d, struct sgd_tile_array *array)
{
   list_del(&array->link);
   d->num_arrays--;
   sgd_sched_release(d->sched, SGD_WORK_LATE, num_tiles(array));
   free(array->tiles);
   free(array);
}

void
sgd_tile_array_trim(struct sgd_dispatch *d, unsigned keep)
{
   list_for_each_entry_safe_rev(struct sgd_tile_array, array, &d->arrays, link) {
      if (d->num_arrays <= keep)
         break;
      if (!array->nodes)
         array_free(d, array);
   }
}

void
sgd_tile_array_key_surface(struct sgd_tile_array_key *key, unsigned slot,
                           const struct sgd_surface *s)
{
   key->surface[slot].storage = s->storage;
   key->surface[slot].begin = s->begin;
   key->surface[slot].pitch = s->pitch;
   key->surface[slot].level = s->level;
   key->surface[slot].first_layer = s->first_layer;
   key->surface[slot].layers = s->layers;
   key->surface[slot].format = s->format;
}

struct sgd_tile_array *
sgd_tile_array_get(struct sgd_dispatch *d, const struct sgd_tile_array_key *key, uint32_t layers)
{
   list_for_each_entry(struct sgd_tile_array, array, &d->arrays, link) {
      if (array->layers >= layers && !memcmp(&array->key, key, sizeof(*key))) {
         list_move_to(&array->link, &d->arrays);
         return array;
      }
   }

   const uint32_t tiles_x = DIV_ROUND_UP(key->width, SGD_TILE);
   const uint32_t tiles_y = DIV_ROUND_UP(key->height, SGD_TILE);
   const uint64_t count = (uint64_t)tiles_x * tiles_y * layers;
   if (count > SGD_MAX_TILES || tiles_x > SGD_MAX_TILES_X)
      return NULL;

   sgd_tile_array_trim(d, 32);

   struct sgd_tile_array *array = calloc(1, sizeof(*array));
   if (!array)
      return NULL;
   array->tiles = calloc(MAX2(count, 1), sizeof(*array->tiles));
   if (!array->tiles || !sgd_sched_reserve(d->sched, SGD_WORK_LATE, count)) {
      free(array->tiles);
      free(array);
      return NULL;
   }
   array->dispatch = d;
   array->key = *key;
   array->tiles_x = tiles_x;
   array->tiles_y = tiles_y;
   array->layers = layers;
   list_inithead(&array->order);

   for (size_t i = 0; i < count; i++) {
      struct sgd_tile *tile = &array->tiles[i];
      tile->array = array;
      tile->x = i % array->tiles_x;
      tile->y = i / array->tiles_x % array->tiles_y;
      tile->layer = i / array->tiles_x / array->tiles_y;
      tile->work.run = sgd_run_tile;
      tile->work.name = "tile";
      tile->work.heap = SGD_WORK_LATE;
   }
   list_add(&array->link, &d->arrays);
   d->num_arrays++;
   return array;
}

bool
sgd_tile_array_has(const struct sgd_tile_array *array, const struct sgd_surface *s)
{
   for (unsigned i = 0; i < ARRAY_SIZE(array->key.surface); i++) {
      if (array->key.surface[i].storage != s->storage || array->key.surface[i].begin != s->begin ||
          array->key.surface[i].pitch != s->pitch || array->key.surface[i].level != s->level ||
          array->key.surface[i].first_layer != s->first_layer)
         continue;
      /* Formats may differ, because the surface can be another view of the same memory. Only the
       * element size must be equal.
       */
      const struct util_format_description *desc = util_format_description(
         sgpu_format_to_pipe(array->key.surface[i].format));
      if (desc->block.bits == s->desc->block.bits && desc->block.width == 1 &&
          desc->block.height == 1 && s->desc->block.width == 1 && s->desc->block.height == 1)
         return true;
   }
   return false;
}

struct sgd_tile *
sgd_tile_at(struct sgd_tile_array *array, unsigned x, unsigned y, unsigned layer)
{
   assert(x < array->tiles_x && y < array->tiles_y && layer < array->layers);
   return &array->tiles[((size_t)layer * array->tiles_y + y) * array->tiles_x + x];
}

void
sgd_tile_check(struct sgd_dispatch *d, struct sgd_tile *tile)
{
   struct sgd_tile_entry *head = tile->head;

   if (!head || tile->running || tile->stalled || sgd_work_ready(&tile->work))
      return;
   if (head->node->wait_raster) {
      d->sched->counters[SGPU_COUNTER_STALL_TILE]++;
      tile->stalled = true;
      tile->next_stalled = head->node->stalled;
      head->node->stalled = tile;
      return;
   }

   if (head->batch && sgd_node_is_whole(d, head->node)) {
      tile->running = true;
      if (--head->batch->heads_missing == 0)
         sgd_sched_push(d->sched, &head->batch->raster, head->node->seq);
      return;
   }
   tile->work.share = head->node->work.share;
   sgd_sched_push(d->sched, &tile->work, head->node->seq);
}

static void
tile_append(struct sgd_dispatch *d, struct sgd_tile *tile, struct sgd_node *node,
            struct sgd_pending_batch *batch, const struct sgd_tile_list *list)
{
   struct sgd_tile_entry *entry = entry_get(d);
   *entry = (struct sgd_tile_entry){ NULL, node, batch, list };
   d->queued_entries++;
   sgd_sched_count(d->sched, SGPU_COUNTER_ENTRIES, SGPU_COUNTER_WINDOW_ENTRIES,
                   SGPU_COUNTER_WINDOW_ENTRIES_MAX, d->queued_entries);

   if (tile->head) {
      tile->tail->next = entry;
      tile->tail = entry;
      d->sched->counters[SGPU_COUNTER_STALL_ORDER]++;
   } else {
      tile->head = tile->tail = entry;
      sgd_tile_check(d, tile);
   }
}

void
sgd_tile_pop(struct sgd_dispatch *d, struct sgd_tile *tile)
{
   struct sgd_tile_entry *entry = tile->head;
   struct sgd_node *node = entry->node;
   struct sgd_pending_batch *batch = entry->batch;

   tile->head = entry->next;
   if (!tile->head)
      tile->tail = NULL;
   entry_put(d, entry);
   d->queued_entries--;

   if (batch) {
      node->progress.done++;
      sgd_batch_done(d, batch);
   } else if (--node->entries == 0) {
      sgd_node_check_end(d, node);
   }
}

void
sgd_node_place_xfb(struct sgd_dispatch *d, struct sgd_node *node)
{
   if (node->wait_raster)
      return;
   list_for_each_entry_safe(struct sgd_pending_batch, batch, &node->xfb_batches, xfb_link) {
      list_del(&batch->xfb_link);
      /* If the submission has failed, primitives are neither written nor counted. */
      if (node->sub->failed)
         memset(&batch->batch.xfb, 0, sizeof(batch->batch.xfb));
      sgd_xfb_place(&batch->batch);
      sgd_sched_push(d->sched, &batch->xfb, node->seq);
   }
}

uint32_t
sgd_xfer_tiles(const struct sgd_xfer *xfer)
{
   const struct SGPU_RECT *r = &xfer->rect;

   if (r->x0 >= r->x1 || r->y0 >= r->y1)
      return 0;
   return (DIV_ROUND_UP(r->x1, SGD_TILE) - r->x0 / SGD_TILE) *
          (DIV_ROUND_UP(r->y1, SGD_TILE) - r->y0 / SGD_TILE) * xfer->layers;
}

static void
commit_xfer(struct sgd_dispatch *d, struct sgd_tile_array *array, struct sgd_node *node)
{
   const struct SGPU_RECT *r = &node->xfer->rect;

   node->committed = true;
   if (node->skip)
      return;
   node->entries = sgd_xfer_tiles(node->xfer);
   if (!node->entries)
      return;

   const unsigned tx0 = r->x0 / SGD_TILE, tx1 = DIV_ROUND_UP(r->x1, SGD_TILE);
   const unsigned ty0 = r->y0 / SGD_TILE, ty1 = DIV_ROUND_UP(r->y1, SGD_TILE);
   for (unsigned layer = 0; layer < node->xfer->layers; layer++) {
      for (unsigned y = ty0; y < ty1; y++) {
         for (unsigned x = tx0; x < tx1; x++)
            tile_append(d, sgd_tile_at(array, x, y, layer), node, NULL, NULL);
      }
   }
}

/* Appends batches to the tile queues until one is not ready. Returns true if the draw has no more
 * batches.
 */
static bool
commit_draw(struct sgd_dispatch *d, struct sgd_tile_array *array, struct sgd_node *node)
{
   list_for_each_entry_safe(struct sgd_pending_batch, batch, &node->batches, link) {
      if (!batch->ready)
         return false;

      list_del(&batch->link);
      node->batches_out++;
      node->stipple = sgd_stipple_carry(&batch->batch, node->stipple);
      batch->entries = batch->heads_missing = batch->batch.num_tiles;
      node->progress.total += batch->batch.num_tiles;
      if (sgd_batch_has_xfb(&batch->batch)) {
         batch->entries++;
         list_addtail(&batch->xfb_link, &node->xfb_batches);
      }
      if (!batch->entries) {
         sgd_batch_end(d, batch);
         continue;
      }
      for (const struct sgd_tile_list *list = batch->batch.tiles; list; list = list->next)
         tile_append(d, sgd_tile_at(array, list->tx, list->ty, list->layer), node, batch, list);
   }
   sgd_node_place_xfb(d, node);
   node->committed = node->cut_all;
   return node->committed;
}

void
sgd_tile_array_commit(struct sgd_dispatch *d, struct sgd_tile_array *array)
{
   list_for_each_entry_safe(struct sgd_node, node, &array->order, order_link) {
      if (node->kind == SGD_NODE_XFER)
         commit_xfer(d, array, node);
      else if (!commit_draw(d, array, node))
         return;

      list_delinit(&node->order_link);
      sgd_node_check_end(d, node);
   }
}
