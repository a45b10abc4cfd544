/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: grids of tiles.  Operations with the same targets share a
 * grid; each tile has a queue of entries that is worked off in order by one
 * worker at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "sgd_device.h"
#include "sgd_tile_list.h"
#include "util/macros.h"
#include "xfb/sgd_xfb.h"

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

/* One that was reserved. */
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
num_tiles(const struct sgd_grid *grid)
{
   return grid->tiles_x * grid->tiles_y * grid->layers;
}

static void
grid_free(struct sgd_dispatch *d, struct sgd_grid *grid)
{
   list_del(&grid->link);
   d->num_grids--;
   sgd_ready_release(d, SGD_ITEM_TILE, num_tiles(grid));
   free(grid->tiles);
   free(grid);
}

void
sgd_grid_trim(struct sgd_dispatch *d, unsigned keep)
{
   list_for_each_entry_safe_rev(struct sgd_grid, grid, &d->grids, link) {
      if (d->num_grids <= keep)
         break;
      if (!grid->nodes)
         grid_free(d, grid);
   }
}

void
sgd_grid_key_surface(struct sgd_grid_key *key, unsigned slot, const struct sgd_surface *s)
{
   key->surface[slot].storage = s->storage;
   key->surface[slot].level = s->level;
   key->surface[slot].first_layer = s->first_layer;
   key->surface[slot].layers = s->layers;
   key->surface[slot].format = s->format;
}

struct sgd_grid *
sgd_grid_get(struct sgd_dispatch *d, const struct sgd_grid_key *key, uint32_t layers)
{
   list_for_each_entry(struct sgd_grid, grid, &d->grids, link) {
      if (grid->layers >= layers && !memcmp(&grid->key, key, sizeof(*key))) {
         list_move_to(&grid->link, &d->grids);
         return grid;
      }
   }

   const uint32_t tiles_x = DIV_ROUND_UP(key->width, SGD_TILE);
   const uint32_t tiles_y = DIV_ROUND_UP(key->height, SGD_TILE);
   const uint64_t count = (uint64_t)tiles_x * tiles_y * layers;
   if (count > SGD_MAX_TILES || tiles_x > SGD_MAX_TILES_X)
      return NULL;

   sgd_grid_trim(d, 32);

   struct sgd_grid *grid = calloc(1, sizeof(*grid));
   if (!grid)
      return NULL;
   grid->tiles = calloc(MAX2(count, 1), sizeof(*grid->tiles));
   if (!grid->tiles || !sgd_ready_reserve(d, SGD_ITEM_TILE, count)) {
      free(grid->tiles);
      free(grid);
      return NULL;
   }
   grid->key = *key;
   grid->tiles_x = tiles_x;
   grid->tiles_y = tiles_y;
   grid->layers = layers;
   list_inithead(&grid->order);

   for (size_t i = 0; i < count; i++) {
      struct sgd_tile *tile = &grid->tiles[i];
      tile->grid = grid;
      tile->x = i % grid->tiles_x;
      tile->y = i / grid->tiles_x % grid->tiles_y;
      tile->layer = i / grid->tiles_x / grid->tiles_y;
      tile->item.kind = SGD_ITEM_TILE;
   }
   list_add(&grid->link, &d->grids);
   d->num_grids++;
   return grid;
}

struct sgd_tile *
sgd_tile_at(struct sgd_grid *grid, unsigned x, unsigned y, unsigned layer)
{
   assert(x < grid->tiles_x && y < grid->tiles_y && layer < grid->layers);
   return &grid->tiles[((size_t)layer * grid->tiles_y + y) * grid->tiles_x + x];
}

void
sgd_tile_check(struct sgd_dispatch *d, struct sgd_tile *tile)
{
   struct sgd_tile_entry *head = tile->head;

   if (!head || tile->running || tile->stalled || tile->item.index)
      return;
   if (head->node->wait_raster) {
      tile->stalled = true;
      tile->next_stalled = head->node->stalled;
      head->node->stalled = tile;
      return;
   }

   /* Unsplit, a batch runs as one when it is first in all its tiles. */
   if (d->dev->params.dispatch == SGPU_DISPATCH_OOO && head->flight) {
      tile->running = true;
      if (--head->flight->heads_missing == 0)
         sgd_ready_push(d, &head->flight->item, head->node->seq);
      return;
   }
   sgd_ready_push(d, &tile->item, head->node->seq);
}

static void
tile_append(struct sgd_dispatch *d, struct sgd_tile *tile, struct sgd_node *node,
            struct sgd_flight *flight, const struct sgd_tile_list *list)
{
   struct sgd_tile_entry *entry = entry_get(d);
   *entry = (struct sgd_tile_entry){ NULL, node, flight, list };

   if (tile->head) {
      tile->tail->next = entry;
      tile->tail = entry;
      d->dev->counters[SGPU_COUNTER_STALL_ORDER]++;
   } else {
      tile->head = tile->tail = entry;
      sgd_tile_check(d, tile);
   }
}

/* The tile's first entry has run. */
void
sgd_tile_pop(struct sgd_dispatch *d, struct sgd_tile *tile)
{
   struct sgd_tile_entry *entry = tile->head;
   struct sgd_node *node = entry->node;
   struct sgd_flight *flight = entry->flight;

   tile->head = entry->next;
   if (!tile->head)
      tile->tail = NULL;
   entry_put(d, entry);

   if (flight) {
      sgd_flight_done(d, flight);
   } else if (--node->entries == 0) {
      sgd_node_check_end(d, node);
   }
}

void
sgd_flight_done(struct sgd_dispatch *d, struct sgd_flight *flight)
{
   if (--flight->entries == 0)
      sgd_flight_end(d, flight);
}

/* Batches in order get their places in the stream buffers, when nobody else
 * uses these any more.
 */
static void
place_captures(struct sgd_dispatch *d, struct sgd_node *node)
{
   if (node->wait_raster)
      return;
   list_for_each_entry_safe(struct sgd_flight, flight, &node->captures, capture_link) {
      list_del(&flight->capture_link);
      sgd_xfb_place(&flight->batch);
      sgd_ready_push(d, &flight->capture, node->seq);
   }
}

void
sgd_node_raster_ready(struct sgd_dispatch *d, struct sgd_node *node)
{
   if (node->kind == SGD_NODE_TIMESTAMP || node->kind == SGD_NODE_RESULT) {
      sgd_ready_push(d, &node->item, node->seq);
      return;
   }
   while (node->stalled) {
      struct sgd_tile *tile = node->stalled;
      node->stalled = tile->next_stalled;
      tile->stalled = false;
      sgd_tile_check(d, tile);
   }
   place_captures(d, node);
   /* It may have had nothing else to wait for. */
   sgd_node_check_end(d, node);
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
commit_xfer(struct sgd_dispatch *d, struct sgd_grid *grid, struct sgd_node *node)
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
            tile_append(d, sgd_tile_at(grid, x, y, layer), node, NULL, NULL);
      }
   }
}

/* Puts the batches that are ready into the tile queues; true when the draw
 * has no more to come.
 */
static bool
commit_draw(struct sgd_dispatch *d, struct sgd_grid *grid, struct sgd_node *node)
{
   list_for_each_entry_safe(struct sgd_flight, flight, &node->flights, link) {
      if (!flight->ready)
         return false;

      list_del(&flight->link);
      node->flights_out++;
      node->stipple = sgd_stipple_carry(&flight->batch, node->stipple);
      flight->entries = flight->heads_missing = flight->batch.num_tiles;
      if (sgd_batch_has_xfb(&flight->batch)) {
         flight->entries++;
         list_addtail(&flight->capture_link, &node->captures);
      }
      if (!flight->entries) {
         sgd_flight_end(d, flight);
         continue;
      }
      for (const struct sgd_tile_list *list = flight->batch.tiles; list; list = list->next)
         tile_append(d, sgd_tile_at(grid, list->tx, list->ty, list->layer), node, flight, list);
   }
   place_captures(d, node);
   node->committed = node->cut_all;
   return node->committed;
}

void
sgd_grid_commit(struct sgd_dispatch *d, struct sgd_grid *grid)
{
   list_for_each_entry_safe(struct sgd_node, node, &grid->order, grid_link) {
      if (node->kind == SGD_NODE_XFER)
         commit_xfer(d, grid, node);
      else if (!commit_draw(d, grid, node))
         return;

      list_delinit(&node->grid_link);
      sgd_node_check_end(d, node);
   }
}
