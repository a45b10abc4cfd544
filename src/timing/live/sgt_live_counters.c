/* SPDX-License-Identifier: MIT */
/*
 * Live timing: counters for programs. The name of a counter consists of the names of unit,
 * statistic and part.
 */
#include "live/sgt_live_counters.h"

#include <string.h>

#include "chip/sgt_chip.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

enum kind {
   CYCLES, /* the core cycles of the simulation */
   COUNT,  /* a statistic of the kind SGT_STAT_COUNT */
   BYTES,  /* a statistic that counts memory bursts, converted to bytes */
   SHARE,  /* the percentage of a part in a statistic of the kind SGT_STAT_PARTS */
   REST,   /* the percentage of all parts but one */
};

struct row {
   struct sgt_live_counter info;
   /* Names of unit, statistic and part. `unit` is a pattern for sgt_stats_is_unit(). `part` is NULL
    * for counters that are not percentages.
    */
   const char *unit, *stat, *part;
   enum kind kind;
};

/* A counter of the kind COUNT of a single unit. `of` is the unit of the value. */
#define COUNTS(unit, stat, of, text)                               \
   {                                                               \
      { "sgpu-" unit "-" stat, of, text }, unit, stat, NULL, COUNT \
   }
/* A counter of the kind COUNT, the sum over all units whose names match the pattern `unit`. */
#define COUNTS_ALL(name, unit, stat, of, text)                     \
   {                                                               \
      { "sgpu-" name "-" stat, of, text }, unit, stat, NULL, COUNT \
   }
/* The percentage of a part. */
#define SHARES(name, unit, stat, part, text)                              \
   {                                                                      \
      { "sgpu-" name "-" part, "percent", text }, unit, stat, part, SHARE \
   }
/* The percentage of cycles in which units are not in the state `idle`. */
#define BUSY(name, unit, stat, idle, text)                              \
   {                                                                    \
      { "sgpu-" name "-busy", "percent", text }, unit, stat, idle, REST \
   }

static const struct row rows[] = {
   { { "sgpu-cycles", "cycles", "Core cycles." }, "", "", NULL, CYCLES },
   COUNTS("front", "draws", "draws", "Draws."),
   COUNTS("front", "vertices", "vertices", "Vertices that the input assembler reads."),
   COUNTS("front", "primitives", "primitives", "Primitives that it assembles."),
   COUNTS("front", "barriers", "barriers", "Operations that wait for those before them."),
   BUSY("assembler", "assembler", "states", "empty", "Input assembler: it has a draw."),
   BUSY("setup", "setup", "states", "empty", "Setup: it has primitives."),
   SHARES("coarse", "coarse", "states", "busy", "Coarse raster: it makes tiles."),
   COUNTS("zcull", "pixels", "pixels", "Pixels that come to zcull."),
   COUNTS("zcull", "pixels-dropped", "pixels", "Pixels that it drops."),
   SHARES("fine", "fine", "states", "busy", "Fine raster: it makes blocks."),
   SHARES("early", "early", "states", "busy", "Early tests: they take or send a block."),
   COUNTS("distribution", "pixels", "pixels", "Pixels of warps."),
   COUNTS("distribution", "pixels-kept", "pixels", "Pixels that are written."),
   BUSY("sm", "sm#", "states", "idle", "Multiprocessors: they have warps."),
   SHARES("sm", "sm#", "states", "wait-texture", "Multiprocessors: all warps wait for textures."),
   SHARES("sm", "sm#", "states", "wait-memory", "Multiprocessors: all warps wait for memory."),
   SHARES("sm", "sm#", "states", "wait-icache", "Multiprocessors: all wait for instructions."),
   COUNTS_ALL("sm", "sm#", "vertex-instructions", "instructions", "Of warps of vertex programs."),
   COUNTS_ALL("sm", "sm#", "pixel-instructions", "instructions", "Of warps of pixel programs."),
   COUNTS_ALL("sm", "sm#", "compute-instructions", "instructions", "Of warps of grids."),
   BUSY("tex-filters", "tex#", "filters", "idle", "Texture filters: they have quads."),
   SHARES("tex-lookups", "tex#", "lookups", "hit", "Texture caches: lines that are there."),
   COUNTS_ALL("tex", "tex#", "samples", "samples", "Bilinear samples."),
   BUSY("rop-depth", "rop#-depth", "states", "idle", "ROPs: depths are tested."),
   SHARES("rop-depth-read", "rop#-depth", "read", "hit", "ROPs: reads of their depth caches."),
   BUSY("rop-color", "rop#-color", "states", "idle", "ROPs: colours are written."),
   SHARES("rop-color-read", "rop#-color", "read", "hit", "ROPs: reads of their colour caches."),
   BUSY("transfer", "transfer", "states", "empty", "Transfer unit: it has a transfer."),
   SHARES("l2-read", "l2.#", "read", "hit", "Second level caches: reads."),
   BUSY("gddr", "gddr.#", "bus", "idle", "Memory: a channel has requests."),
   SHARES("gddr", "gddr.#", "bus", "read", "Memory: a bus moves data that are read."),
   SHARES("gddr", "gddr.#", "bus", "write", "Memory: a bus moves data that are written."),
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

/* Adds the statistic of one unit to counter i. `scale` converts to the counter's unit. */
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

/* Returns whether the statistic has the kind and the part that the counter needs. */
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
