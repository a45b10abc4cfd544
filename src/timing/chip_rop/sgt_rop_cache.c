/* SPDX-License-Identifier: MIT */
/*
 * The tile caches of a ROP with their fetches and write-backs, and the ROP's port to memory.
 */
#include "chip_memory/sgt_chip_observer.h"
#include "chip_rop/sgt_rop_private.h"

#include <assert.h>
#include <string.h>

#include "kernel/sgt_bits.h"
#include "util/macros.h"

#define LINE 64
#define TILE_MASK (SGT_ROP_TILE_BYTES - 1ull)
#define ALL_SECTORS ((1u << SGT_ROP_TILE_SECTORS) - 1)

/* Returns the index of a line within its tile. */
static unsigned
line_of(uint64_t address)
{
   return (address & TILE_MASK) / LINE;
}

/* Returns a bitmask of the bytes of a line that belong to the given sectors of its tile. */
static uint64_t
sector_bytes(uint32_t sectors, unsigned line)
{
   const uint32_t halves = sectors >> (2 * line);
   return (halves & 1 ? UINT32_MAX : 0) | (halves & 2 ? (uint64_t)UINT32_MAX << 32 : 0);
}

/* Returns how a tile is stored in memory if it occupies `sectors` sectors there. */
static enum sgt_rop_form
form_of(unsigned sectors)
{
   switch (sectors) {
   case 0:
      return SGT_ROP_FORM_CLEARED;
   case 1:
      return SGT_ROP_FORM_8;
   case 2:
      return SGT_ROP_FORM_4;
   case 4:
      return SGT_ROP_FORM_2;
   default:
      return SGT_ROP_FORM_RAW;
   }
}

/* -- memory --------------------------------------------------------------------------------- */

/* Appends a request to the queue of memory requests. */
static void
put_out(struct sgt_rop *rop, uint64_t now, uint64_t address, unsigned kind, unsigned sectors,
        uint32_t tag)
{
   assert(rop->out_num < rop->params.memory_queue);
   rop->out[sgt_rop_wrap(rop->out_head + rop->out_num++, rop->params.memory_queue)] = (struct sgt_rop_out){
      .request = {
         .address = address,
         .tag = tag,
         .client = rop->client,
         .kind = kind,
         .sectors = sectors,
      },
      .since = now,
   };
   rop->puts++;
   rop->stats.output_max = MAX2(rop->stats.output_max, rop->out_num);
   if (kind == SGT_MEM_WRITE) {
      rop->stats.memory_writes++;
      rop->stats.write_sectors += sgt_bitcount(sectors);
   } else {
      rop->stats.memory_reads++;
      rop->stats.read_sectors += sgt_bitcount(sectors);
   }
}

void
sgt_rop_send_out(struct sgt_rop *rop, uint64_t now)
{
   rop->output = SGT_ROP_PORT_IDLE;
   if (!rop->out_num)
      return;
   rop->output = SGT_ROP_PORT_BLOCKED;
   if (!sgt_channel_can_send(rop->memory, now))
      return;
   const struct sgt_rop_out *out = &rop->out[rop->out_head];
   rop->stats.output_wait += sgt_unit_cycles(&rop->unit, now - out->since);
   sgt_channel_send(rop->memory, now, &out->request);
   rop->out_head = sgt_rop_wrap(rop->out_head + 1, rop->params.memory_queue);
   rop->out_num--;
   rop->output = SGT_ROP_PORT_MOVES;
}

/* The tag of a response encodes the slot and the path: slot * SGT_ROP_PATHS + path. */
void
sgt_rop_take_fill(struct sgt_rop *rop, uint64_t now)
{
   const struct sgt_mem_response *m = sgt_channel_peek(rop->fills, now);
   if (!m)
      return;
   struct sgt_rop_path *path = &rop->paths[m->tag % SGT_ROP_PATHS];
   struct sgt_rop_slot *slot = &path->slots[m->tag / SGT_ROP_PATHS];
   uint32_t sectors = 0;
   slot->lines--;
   if (!slot->packed) {
      const unsigned line = line_of(m->address);
      sectors = slot->pending[line];
      slot->pending[line] = 0;
   } else if (!slot->lines) {
      sectors = slot->packed;
      slot->packed = 0;
      slot->ready = now + rop->params.decompress * rop->unit.clock->period;
   }
   if (sectors) {
      sgt_cache_fill(&path->cache, slot->address, sectors);
      slot->missing &= ~sectors;
      path->stalled = false;
   }
   rop->stats.fills++;
   sgt_channel_take(rop->fills, now);
}

/* Requests sectors of the tile in a slot from memory, after a lookup has missed. */
static void
rop_fetch(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now, uint32_t index,
          uint32_t sectors)
{
   struct sgt_rop_slot *slot = &path->slots[index];
   struct sgt_rop_path_stats *stats = &path->stats;
   const unsigned stored = sgt_rop_tile(&rop->tiles, slot->address)->sectors;
   const uint32_t tag = index * SGT_ROP_PATHS +
                        (path->depth ? SGT_ROP_PATH_DEPTH : SGT_ROP_PATH_COLOR);

   for (unsigned i = 0; i < SGT_ROP_TILE_LINES; i++)
      slot->valid[i] |= sector_bytes(sectors, i);
   slot->missing |= stored ? sectors : 0;
   stats->fetches++;
   stats->fetched[form_of(stored)]++;
   if (stored == SGT_ROP_TILE_SECTORS) {
      stats->fetched_sectors += sgt_bitcount(sectors);
      for (unsigned i = 0; i < SGT_ROP_TILE_LINES; i++) {
         const uint32_t part = sectors >> (2 * i) & 3;
         if (!part)
            continue;
         slot->pending[i] = part << (2 * i);
         slot->lines++;
         put_out(rop, now, slot->address + i * LINE, SGT_MEM_READ, part, tag);
      }
      return;
   }
   stats->fetched_sectors += stored;
   stats->fetch_saved += sgt_bitcount(sectors) - MIN2(stored, sgt_bitcount(sectors));
   if (!stored) {
      sgt_cache_fill(&path->cache, slot->address, sectors);
      return;
   }
   slot->packed = sectors;
   for (unsigned i = 0; 2 * i < stored; i++) {
      slot->lines++;
      put_out(rop, now, slot->address + i * LINE, SGT_MEM_READ, stored == 1 ? 1 : 3, tag);
   }
}

void
sgt_rop_write_back(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now, uint32_t index,
                   const struct sgt_cache_result *r)
{
   const struct sgt_rop_slot *slot = &path->slots[index];
   struct sgt_rop_path_stats *stats = &path->stats;
   struct sgt_rop_make *stored = sgt_rop_tile(&rop->tiles, slot->address);
   unsigned sectors = SGT_ROP_TILE_SECTORS;
   uint32_t mask = r->write_back;
   bool whole = true;

   if (!mask)
      return;
   for (unsigned i = 0; i < SGT_ROP_TILE_LINES; i++)
      whole &= slot->valid[i] == UINT64_MAX;
   if (rop->params.compression && whole)
      sectors = sgt_rop_make_sectors(&slot->make, path->depth, slot->samples);
   if (sectors < SGT_ROP_TILE_SECTORS)
      mask = (1u << sectors) - 1;
   else if (stored->sectors < SGT_ROP_TILE_SECTORS)
      mask = ALL_SECTORS;
   *stored = slot->make;
   stored->sectors = sectors;
   stats->write_backs++;
   stats->written_back[form_of(sectors)]++;
   stats->written_sectors += sgt_bitcount(mask);
   stats->write_saved += SGT_ROP_TILE_SECTORS - sectors;
   stats->partial_sectors += sectors == SGT_ROP_TILE_SECTORS ? sgt_bitcount(r->partial) : 0;
   uint32_t lines = 0;
   for (unsigned i = 0; i < SGT_ROP_TILE_LINES; i++)
      lines += (mask >> (2 * i) & 3) != 0;
   if (rop->observer)
      rop->observer->rop_write_back(rop->observer->data, rop->client, slot->address, lines);
   for (unsigned i = 0; i < SGT_ROP_TILE_LINES; i++) {
      if (mask >> (2 * i) & 3)
         put_out(rop, now, slot->address + i * LINE, SGT_MEM_WRITE, mask >> (2 * i) & 3, 0);
   }
}

/* -- tags ------------------------------------------------------------------------------------ */

/* Returns the slot that a lookup has selected for a tile. If the slot still holds another tile,
 * writes that tile back first.
 */
static struct sgt_rop_slot *
use_slot(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now,
         const struct sgt_rop_request *r, const struct sgt_cache_result *result)
{
   struct sgt_rop_slot *slot = &path->slots[result->line];
   const uint64_t address = r->address & ~TILE_MASK;

   if (slot->address != address) {
      sgt_rop_write_back(rop, path, now, result->line, result);
      *slot = (struct sgt_rop_slot){
         .address = address,
         .make = *sgt_rop_tile(&rop->tiles, address),
         .samples = r->samples,
      };
   }
   return slot;
}

bool
sgt_rop_look_up(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now,
                const struct sgt_rop_request *r, struct sgt_rop_entry *entry)
{
   const unsigned line = line_of(r->address);
   const bool packed = sgt_rop_tile(&rop->tiles, r->address)->sectors < SGT_ROP_TILE_SECTORS;
   struct sgt_cache_result result;
   struct sgt_rop_slot *slot = NULL;

   /* Fetch all sectors of a compressed tile, even if the tile is only written. Fetch whole lines of
    * other tiles, to avoid two pending fetches for the same line.
    */
   entry->sectors = packed ? ALL_SECTORS : r->flags & SGT_ROP_READS ? 3u << (2 * line) : 0;
   if (entry->sectors) {
      result = sgt_cache_lookup(&path->cache, r->address, entry->sectors, 0);
      if (result.outcome == SGT_CACHE_STALL)
         return false;
      slot = use_slot(rop, path, now, r, &result);
      if (result.fetch)
         rop_fetch(rop, path, now, result.line, result.fetch);
      entry->slot = result.line;
   }
   for (unsigned half = 0; half < 2; half++) {
      const uint32_t bytes = r->written >> (32 * half);
      if (!bytes)
         continue;
      result = sgt_cache_write(&path->cache, r->address, 1u << (2 * line + half), bytes, 0);
      if (result.outcome == SGT_CACHE_STALL) {
         assert(!slot);
         return false;
      }
      slot = use_slot(rop, path, now, r, &result);
      entry->slot = result.line;
   }
   if (!slot) {
      /* The request reads nothing and no pixel passes the tests, so it doesn't need a tile. */
      entry->slot = SGT_ROP_NO_SLOT;
      return true;
   }
   sgt_cache_lock(&path->cache, entry->slot);
   slot->valid[line] |= r->written;
   if (r->written) {
      if (slot->make.item != r->item)
         memset(slot->covered, 0, sizeof(slot->covered));
      slot->covered[line] |= r->written;
      bool covers = true;
      for (unsigned i = 0; i < SGT_ROP_TILE_LINES; i++)
         covers &= slot->covered[i] == UINT64_MAX;
      sgt_rop_make_write(&slot->make, path->depth, r->flags & SGT_ROP_STENCIL, r->item, covers);
   }
   return true;
}

void
sgt_rop_drop_tiles(struct sgt_rop_path *path, const struct sgt_rop_request *r)
{
   const uint64_t end = r->address + r->mask;
   for (uint32_t i = 0; i < path->cache.params.sets * path->cache.params.ways; i++) {
      struct sgt_rop_slot *slot = &path->slots[i];
      if (slot->address == SGT_ROP_NO_TILE || slot->address < r->address ||
          slot->address + SGT_ROP_TILE_BYTES > end)
         continue;
      slot->make = (struct sgt_rop_make){ .item = SGT_ROP_NO_ITEM };
      memset(slot->covered, 0, sizeof(slot->covered));
      memset(slot->valid, 0xff, sizeof(slot->valid));
      path->stats.dropped_tiles++;
   }
}
