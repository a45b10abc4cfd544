/* SPDX-License-Identifier: MIT */
/*
 * Performance counters that live timing provides to applications. The name of a counter consists of
 * the names of the unit, the statistic and, for a percentage, the value.
 */
#include "live/sgt_live_counters.h"

#include <string.h>

#include "chip/sgt_chip.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

enum kind {
   CYCLES, /* number of simulated core cycles */
   COUNT,  /* value of a SGT_STAT_COUNT statistic */
   BYTES,  /* value of a statistic that counts memory bursts, converted to bytes */
   SHARE,  /* percentage of one named value in an SGT_STAT_PARTS statistic */
   REST,   /* percentage of all named values in such a statistic except for one */
};

struct row {
   struct sgt_live_counter info;
   /* unit: pattern for the names of the units (sgt_stats_is_unit());
    * stat: name of the statistic;
    * part: name of the value, or NULL if the counter is not a percentage
    */
   const char *unit, *stat, *part;
   enum kind kind;
};

/* Defines a COUNT counter for a single unit. `of` is the unit of measurement. */
#define COUNTS(unit, stat, of, text)                               \
   {                                                               \
      { "sgpu-" unit "-" stat, of, text }, unit, stat, NULL, COUNT \
   }
/* Defines a COUNT counter that sums up all units whose names match the pattern `unit`. */
#define COUNTS_ALL(name, unit, stat, of, text)                     \
   {                                                               \
      { "sgpu-" name "-" stat, of, text }, unit, stat, NULL, COUNT \
   }
/* Defines a counter for the percentage of one named value in a statistic. */
#define SHARES(name, unit, stat, part, text)                              \
   {                                                                      \
      { "sgpu-" name "-" part, "percent", text }, unit, stat, part, SHARE \
   }
/* Defines a counter for the percentage of cycles in which the units are not in state `idle`. */
#define BUSY(name, unit, stat, idle, text)                              \
   {                                                                    \
      { "sgpu-" name "-busy", "percent", text }, unit, stat, idle, REST \
   }

static const struct row rows[] = {
   { { "sgpu-cycles", "cycles", "Core cycles." }, "", "", NULL, CYCLES },
   COUNTS("front", "draws", "draws", "Draws."),
   COUNTS("front", "vertices", "vertices", "Vertices that the input assembler reads."),
   COUNTS("front", "primitives", "primitives", "Primitives that the input assembler assembles."),
   COUNTS("front", "barriers", "barriers", "Operations that wait for all earlier operations."),
   BUSY("assembler", "assembler", "states", "empty", "Input assembler: cycles with a draw."),
   BUSY("setup", "setup", "states", "empty", "Setup: cycles with primitives."),
   SHARES("coarse", "coarse", "states", "busy", "Coarse raster: cycles in which it makes tiles."),
   COUNTS("zcull", "pixels", "pixels", "Pixels that zcull checks."),
   COUNTS("zcull", "pixels-dropped", "pixels", "Pixels that zcull drops."),
   SHARES("fine", "fine", "states", "busy", "Fine raster: cycles in which it makes blocks."),
   SHARES("early", "early", "states", "busy", "Early tests: cycles in which they work."),
   COUNTS("distribution", "pixels", "pixels", "Pixels in pixel warps."),
   COUNTS("distribution", "pixels-kept", "pixels", "Pixels in pixel warps that are written."),
   BUSY("sm", "sm#", "states", "idle", "Multiprocessors: cycles with warps."),
   SHARES("sm", "sm#", "states", "wait-texture", "Multiprocessors: all warps wait for textures."),
   SHARES("sm", "sm#", "states", "wait-memory", "Multiprocessors: all warps wait for memory."),
   SHARES("sm", "sm#", "states", "wait-icache", "Multiprocessors: all warps wait for code."),
   COUNTS_ALL("sm", "sm#", "vertex-instructions", "instructions", "Instructions of vertex warps."),
   COUNTS_ALL("sm", "sm#", "pixel-instructions", "instructions", "Instructions of pixel warps."),
   COUNTS_ALL("sm", "sm#", "compute-instructions", "instructions",
              "Instructions of compute warps."),
   BUSY("tex-filters", "tex#", "filters", "idle", "Texture filters: cycles with quads."),
   SHARES("tex-lookups", "tex#", "lookups", "hit", "Texture caches: hits."),
   COUNTS_ALL("tex", "tex#", "samples", "samples", "Bilinear samples."),
   BUSY("rop-depth", "rop#-depth", "states", "idle", "ROPs: cycles with depth tests."),
   SHARES("rop-depth-read", "rop#-depth", "read", "hit", "ROPs: hits of reads in depth caches."),
   BUSY("rop-color", "rop#-color", "states", "idle", "ROPs: cycles with writes of colours."),
   SHARES("rop-color-read", "rop#-color", "read", "hit", "ROPs: hits of reads in colour caches."),
   BUSY("transfer", "transfer", "states", "empty", "Transfer unit: cycles with a transfer."),
   SHARES("l2-read", "l2.#", "read", "hit", "Level 2 caches: hits of reads."),
   BUSY("gddr", "gddr.#", "bus", "idle", "Memory: cycles in which a channel has requests."),
   SHARES("gddr", "gddr.#", "bus", "read", "Memory: cycles in which a bus transfers reads."),
   SHARES("gddr", "gddr.#", "bus", "write", "Memory: cycles in which a bus transfers writes."),
   { { "sgpu-gddr-read-bytes", "bytes", "Memory: bytes that are read." },
     "gddr.#",
     "read-bursts",
     NULL,
     BYTES },
   { { "sgpu-gddr-write-bytes", "bytes", "Memory: bytes that are written." },
     "gddr.#",
     "write-bursts",
     NULL,
     BYTES },
};

static_assert(ARRAY_SIZE(rows) <= SGT_LIVE_MAX_COUNTERS, "");

unsigned
sgt_live_counters(void)
{
   return ARRAY_SIZE(rows);
}

const struct sgt_live_counter *
sgt_live_counter(unsigned index)
{
   return &rows[index].info;
}

/* Adds the statistic of a unit to counter i. `scale` is the factor that converts the statistic to
 * the unit of the counter.
 */
static void
add_stat(struct sgt_live_counts *counts, unsigned i, const struct sgt_stat *s, uint64_t scale)
{
   const struct row *row = &rows[i];

   if (!row->part) {
      counts->part[i] += s->values[0] * scale;
      return;
   }
   for (uint32_t k = 0; k < s->num; k++) {
      const bool named = !strcmp(s->names[k], row->part);
      counts->whole[i] += s->values[k];
      counts->part[i] += named == (row->kind == SHARE) ? s->values[k] : 0;
   }
}

/* Returns true if the statistic has the kind and the named value that the counter needs. */
static bool
has_part(const struct row *row, const struct sgt_stat *s)
{
   if (!row->part)
      return s->kind == SGT_STAT_COUNT;
   for (uint32_t k = 0; s->kind == SGT_STAT_PARTS && k < s->num; k++)
      if (!strcmp(s->names[k], row->part))
         return true;
   return false;
}

uint64_t
sgt_live_counts_add(struct sgt_live_counts *counts, const struct sgt_chip_params *params,
                    const struct sgt_stats *stats, uint64_t cycles)
{
   const struct sgt_gddr_params *gddr = &params->memory.partition.gddr;
   uint64_t found = 0;

   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      const struct row *row = &rows[r];
      const uint64_t scale = row->kind == BYTES ? gddr->bus_bits / 8 * gddr->burst : 1;
      if (row->kind == CYCLES) {
         counts->part[r] += cycles;
         found |= 1ull << r;
         continue;
      }
      for (uint32_t i = 0; i < stats->num; i++) {
         const struct sgt_stat *s = &stats->stats[i];
         if (strcmp(s->name, row->stat) || !sgt_stats_is_unit(row->unit, s->unit) ||
             !has_part(row, s))
            continue;
         add_stat(counts, r, s, scale);
         found |= 1ull << r;
      }
   }
   return found;
}

uint64_t
sgt_live_counts_between(const struct sgt_live_counts *begin, const struct sgt_live_counts *end,
                        unsigned counter)
{
   const uint64_t part = end->part[counter] - begin->part[counter];
   const uint64_t whole = end->whole[counter] - begin->whole[counter];

   if (!rows[counter].part)
      return part;
   return whole ? (part * 100 + whole / 2) / whole : 0;
}
