/* SPDX-License-Identifier: MIT */
/*
 * ROP: the raster operations processor of a memory partition (Lindholm 2008, "Raster
 * operations processor").
 *
 *                  +-> queue -> tags -> waiting -> depth test ---+
 *    requests -----|             | cache                         |----> responses
 *                  +-> queue -> tags -> waiting -> blending -----+
 *                                | cache
 *    memory  <-----------------> fills, write-backs
 *
 * Depth and colour have a path each.  A path is in order: a request looks its line up, waits
 * until what it reads is in the cache, takes the path for its quads, and is written `latency`
 * cycles later.  A request that reads a sample which one under way writes waits for it.
 */
#ifndef SGT_ROP_H
#define SGT_ROP_H

#include "chip_memory/sgt_cache.h"
#include "kernel/sgt_channel.h"
#include "chip_memory/sgt_mem.h"
#include "params/sgt_rop_params.h"
#include "chip_rop/sgt_rop_tiles.h"

struct sgt_chip_observer;
struct sgt_dump;
struct sgt_stats;

enum sgt_rop_exec_state {
   SGT_ROP_BUSY,     /* quads go through */
   SGT_ROP_CLEARING, /* fast clear */
   SGT_ROP_HAZARD,   /* the next request reads what one under way writes */
   SGT_ROP_MEMORY,   /* the next request waits for data */
   SGT_ROP_RESPONSE, /* responses are not taken */
   SGT_ROP_TAGS,     /* requests are ahead of the tags */
   SGT_ROP_IDLE,
   SGT_ROP_EXEC_STATES,
};

enum sgt_rop_tag_state {
   SGT_ROP_TAG_LOOKUP,
   SGT_ROP_TAG_FLUSH,  /* dirty tiles are written */
   SGT_ROP_TAG_DRAIN,  /* a clear or a flush waits for the requests ahead of it */
   SGT_ROP_TAG_FULL,   /* as many requests wait for data as can */
   SGT_ROP_TAG_CACHE,  /* no tile of the set, or no MSHR is free */
   SGT_ROP_TAG_MEMORY, /* no place for requests to memory */
   SGT_ROP_TAG_IDLE,
   SGT_ROP_TAG_STATES,
};

/* How tiles are in memory. */
enum sgt_rop_form {
   SGT_ROP_FORM_CLEARED,
   SGT_ROP_FORM_8, /* 8:1 */
   SGT_ROP_FORM_4,
   SGT_ROP_FORM_2,
   SGT_ROP_FORM_RAW,
   SGT_ROP_FORMS,
};

#define SGT_ROP_LATENCY_SLOTS 16

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_rop_path_stats.h"

enum sgt_rop_port_state {
   SGT_ROP_PORT_MOVES,
   SGT_ROP_PORT_BLOCKED,
   SGT_ROP_PORT_IDLE,
   SGT_ROP_PORT_STATES,
};

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_rop_stats.h"

/* A tile in a cache. */
struct sgt_rop_slot {
   uint64_t address;
   uint64_t valid[SGT_ROP_TILE_LINES];   /* bytes that are there, or on their way */
   uint64_t covered[SGT_ROP_TILE_LINES]; /* bytes that make.item has written since it came */
   struct sgt_rop_make make;
   uint64_t ready;                      /* not before this time, of a compressed tile */
   uint32_t busy;                       /* requests under way */
   uint32_t packed;                     /* sectors that a compressed fetch fills; 0: none */
   uint32_t missing;                    /* sectors on their way; the cache may have them as valid
                                         * by a write since */
   uint8_t lines;                       /* responses that it waits for */
   uint8_t pending[SGT_ROP_TILE_LINES]; /* sectors of the tile that a line's response fills */
   uint8_t samples;
};

/* A request behind the tags. */
struct sgt_rop_entry {
   struct sgt_rop_request request;
   uint32_t slot;                             /* SGT_ROP_NO_SLOT: a clear or a flush */
   uint32_t sectors;                          /* that must be there */
   uint64_t queued, looked_up, started, done; /* times */
   bool waited, hazard;
};
#define SGT_ROP_NO_SLOT UINT32_MAX

struct sgt_rop_queued {
   struct sgt_rop_request request;
   uint64_t since;
};

struct sgt_rop_path {
   bool depth;
   struct sgt_rop_slot *slots;
   struct sgt_rop_queued *queue; /* ring */
   uint32_t queue_head, queue_num;
   struct sgt_rop_entry *entries; /* ring: under way, then waiting */
   uint32_t head, started, waiting;
   uint64_t free_at; /* the path takes the next request from this time on */
   bool stalled;     /* a lookup failed, and nothing has changed since */
   bool flushed;     /* a flush waits until the first flush_puts requests to memory have left */
   uint64_t flush_puts;
   enum sgt_rop_exec_state exec, occupied; /* occupied: the state until free_at */
   enum sgt_rop_tag_state tag;
   struct sgt_cache cache;
   struct sgt_rop_path_stats stats;
};

enum { SGT_ROP_PATH_DEPTH, SGT_ROP_PATH_COLOR, SGT_ROP_PATHS };

struct sgt_rop_out {
   struct sgt_mem_request request;
   uint64_t since;
};

struct sgt_rop {
   struct sgt_unit unit;
   struct sgt_rop_params params;
   uint16_t client; /* of requests to memory */
   /* The chip's, and set before the first call. */
   struct sgt_channel *requests, *responses; /* sgt_rop_ports.h */
   struct sgt_channel *memory, *fills;       /* sgt_mem.h */
   const struct sgt_chip_observer *observer; /* or NULL */
   bool no_hazards;                          /* of tests: reads do not wait for what is under way */

   struct sgt_rop_out *out; /* ring */
   uint32_t out_head, out_num;
   uint64_t puts;      /* into it */
   uint32_t entries;   /* size of the rings behind tags */
   uint32_t under_way; /* most entries that are started */
   uint64_t since;     /* the states count from this time on */
   enum sgt_rop_port_state input, output;
   struct sgt_rop_path paths[SGT_ROP_PATHS];
   struct sgt_rop_stats stats;
   struct sgt_rop_tiles tiles;
   uint16_t cycles[3][4][17]; /* of requests: plain, double, blended; by width; by quads */
};

/* Adds the unit to the scheduler; its channels are set afterwards.  False: no memory. */
bool sgt_rop_init(struct sgt_rop *rop, struct sgt_sched *sched, const struct sgt_clock *clock,
                  const struct sgt_rop_params *params, uint16_t client);
void sgt_rop_finish(struct sgt_rop *rop);

/* Nothing is under way, but for what is in the channels. */
bool sgt_rop_idle(const struct sgt_rop *rop);
/* Writes what the unit has under way. */
void sgt_rop_dump(const struct sgt_rop *rop, uint32_t number, struct sgt_dump *d);
/* Memory for the states of tiles ended: times are wrong from then on. */
bool sgt_rop_out_of_memory(const struct sgt_rop *rop);

/* Counts the states up to `now`, the end of the run.  Then the statistics can be registered;
 * `names`: of the unit, and of its two caches.
 */
void sgt_rop_end(struct sgt_rop *rop, uint64_t now);
void sgt_rop_register(const struct sgt_rop *rop, struct sgt_stats *s, const char *unit,
                      const char *depth_unit, const char *color_unit);

#endif
