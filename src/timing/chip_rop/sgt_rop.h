/* SPDX-License-Identifier: MIT */
/*
 * ROP: the raster operations processor of a memory partition (Lindholm 2008, "Raster operations
 * processor").
 *
 *                  +-> queue -> tags -> waiting -> depth test ---+
 *    requests -----|             | cache                         |----> responses
 *                  +-> queue -> tags -> waiting -> blending -----+
 *                                | cache
 *    memory  <-----------------> fills, write-backs
 *
 * There is a path for depth and a path for colours. Each path executes requests in order. A request
 * looks up its line in the cache, and waits until the data that it reads are there. Then it
 * occupies the path for a time that depends on its quads, and is written `latency` cycles later. A
 * request that reads a sample waits for earlier requests in the path that write this sample.
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

/* State of the execution stage of a path in a cycle. */
enum sgt_rop_exec_state {
   SGT_ROP_BUSY,     /* executes a request */
   SGT_ROP_CLEARING, /* executes a fast clear */
   SGT_ROP_HAZARD,   /* the next request reads a sample that a started request writes */
   SGT_ROP_MEMORY,   /* the next request waits for data from memory */
   SGT_ROP_RESPONSE, /* the channel of responses has no place, so no request can start */
   SGT_ROP_TAGS,     /* all requests are still before the lookup of tags */
   SGT_ROP_IDLE,     /* there are no requests */
   SGT_ROP_EXEC_STATES,
};

/* State of the tag stage of a path in a cycle. */
enum sgt_rop_tag_state {
   SGT_ROP_TAG_LOOKUP, /* looks up a request */
   SGT_ROP_TAG_FLUSH,  /* writes dirty tiles to memory */
   SGT_ROP_TAG_DRAIN,  /* a clear or a flush waits for the requests before it */
   SGT_ROP_TAG_FULL,   /* the maximum number of requests wait for data */
   SGT_ROP_TAG_CACHE,  /* no tile of the set can be replaced, or no MSHR is free */
   SGT_ROP_TAG_MEMORY, /* the queue of requests to memory has no room */
   SGT_ROP_TAG_IDLE,   /* there are no requests */
   SGT_ROP_TAG_STATES,
};

/* Storage of a tile in memory. */
enum sgt_rop_form {
   SGT_ROP_FORM_CLEARED, /* fast cleared; memory is not accessed */
   SGT_ROP_FORM_8,       /* compressed 8:1 */
   SGT_ROP_FORM_4,       /* compressed 4:1 */
   SGT_ROP_FORM_2,       /* compressed 2:1 */
   SGT_ROP_FORM_RAW,     /* not compressed */
   SGT_ROP_FORMS,
};

/* Size of the histogram of latencies. */
#define SGT_ROP_LATENCY_SLOTS 16

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_rop_path_stats.h"

/* State of the input of requests, and of the output to memory, in a cycle. */
enum sgt_rop_port_state {
   SGT_ROP_PORT_MOVES,   /* moves a request */
   SGT_ROP_PORT_BLOCKED, /* the receiving queue has no place */
   SGT_ROP_PORT_IDLE,    /* there are no requests */
   SGT_ROP_PORT_STATES,
};

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_rop_stats.h"

/* A tile in a cache. */
struct sgt_rop_slot {
   uint64_t address; /* address of the tile, or SGT_ROP_NO_TILE */
   /* Per line: bit masks of bytes that are in the cache or being fetched, and of bytes that
    * make.item has written since the tile entered the cache.
    */
   uint64_t valid[SGT_ROP_TILE_LINES];
   uint64_t covered[SGT_ROP_TILE_LINES];
   struct sgt_rop_make make; /* contents, which decide about compression */
   uint64_t ready;           /* for a compressed tile: time at which it is decompressed, in ticks */
   uint32_t busy;            /* number of started requests of the tile that are not done */
   uint32_t packed;          /* bit mask of sectors that a compressed fetch will fill, or 0 */
   /* Bit mask of sectors that are being fetched. They may be valid in the cache already, by a write
    * after the start of the fetch.
    */
   uint32_t missing;
   uint8_t lines; /* number of responses from memory that the tile waits for */
   uint8_t pending[SGT_ROP_TILE_LINES]; /* per line: bit mask of sectors that its response fills */
   uint8_t samples;                     /* samples per pixel */
};

/* A request after the lookup of tags. */
struct sgt_rop_entry {
   struct sgt_rop_request request;
   uint32_t slot;    /* index of the tile in the cache, or SGT_ROP_NO_SLOT for a request that
                      * needs no tile, such as a clear or a flush
                      */
   uint32_t sectors; /* bit mask of sectors that must have arrived before the start */
   uint64_t queued, looked_up, started, done; /* times of these events in ticks */
   bool waited, hazard;                       /* the request waited for memory, for a hazard */
};
#define SGT_ROP_NO_SLOT UINT32_MAX

/* A request before the lookup of tags. */
struct sgt_rop_queued {
   struct sgt_rop_request request;
   uint64_t since; /* time at which the request was taken, in ticks */
};

struct sgt_rop_path {
   bool depth;                     /* the path for depth; false: for colours */
   struct sgt_rop_slot *slots;     /* tiles in the cache, by the index of their cache line */
   struct sgt_rop_queued *queue;   /* ring of requests before the lookup */
   uint32_t queue_head, queue_num; /* first element and length of this ring */
   struct sgt_rop_entry *entries;  /* ring of requests: first those that started, then the others */
   /* First element of this ring, and numbers of entries that have and have not started. */
   uint32_t head, started, waiting;
   uint64_t free_at;    /* first time at which the next request can start, in ticks */
   bool stalled;        /* a lookup failed, and nothing has changed since */
   bool flushed;        /* all tiles are clean, and a flush waits for its requests to memory */
   uint64_t flush_puts; /* the flush ends when this number of requests of the ROP were sent */
   enum sgt_rop_exec_state exec, occupied; /* state of execution; its state until free_at */
   enum sgt_rop_tag_state tag;             /* state of the tag stage */
   struct sgt_cache cache;
   struct sgt_rop_path_stats stats;
};

enum { SGT_ROP_PATH_DEPTH, SGT_ROP_PATH_COLOR, SGT_ROP_PATHS };

/* A request to memory in the queue. */
struct sgt_rop_out {
   struct sgt_mem_request request;
   uint64_t since; /* time at which it entered the queue, in ticks */
};

struct sgt_rop {
   struct sgt_unit unit;
   struct sgt_rop_params params;
   uint16_t client; /* number of the ROP, which is the client of its requests to memory */
   /* The chip sets these channels before the first call: requests from units and the responses to
    * them (sgt_rop_ports.h); requests to memory and the responses (sgt_mem.h).
    */
   struct sgt_channel *requests, *responses;
   struct sgt_channel *memory, *fills;
   const struct sgt_chip_observer *observer; /* observer, or NULL */
   bool no_hazards;                          /* fault for tests: reads do not wait for writes */

   struct sgt_rop_out *out;    /* ring of requests to memory */
   uint32_t out_head, out_num; /* first element and length of this ring */
   uint64_t puts;              /* number of requests that entered this ring so far */
   uint32_t entries;           /* size of the rings sgt_rop_path.entries */
   uint32_t under_way;         /* maximum number of started entries of a path */
   uint64_t since;             /* first time without counted states, in ticks */
   enum sgt_rop_port_state input, output;
   struct sgt_rop_path paths[SGT_ROP_PATHS];
   struct sgt_rop_stats stats;
   struct sgt_rop_tiles tiles;
   /* Cycles of a request, by kind (normal, double rate, blended), by log2 of the width of a pixel
    * in units of params.pixel_bytes, and by the number of quads.
    */
   uint16_t cycles[3][4][17];
};

/* Initializes the unit and adds it to the scheduler. The channels must be set before its first
 * call. Returns false if out of memory.
 */
bool sgt_rop_init(struct sgt_rop *rop, struct sgt_sched *sched, const struct sgt_clock *clock,
                  const struct sgt_rop_params *params, uint16_t client);
void sgt_rop_finish(struct sgt_rop *rop);

/* Returns whether the ROP has no requests and no pending fetches. Its channels are not checked. */
bool sgt_rop_idle(const struct sgt_rop *rop);
/* Writes what the unit has under way. */
void sgt_rop_dump(const struct sgt_rop *rop, uint32_t number, struct sgt_dump *d);
/* Returns whether a state of a tile could not be allocated. In that case, the times are wrong. */
bool sgt_rop_out_of_memory(const struct sgt_rop *rop);

/* Counts the states up to `now`, the end of the run in ticks. */
void sgt_rop_end(struct sgt_rop *rop, uint64_t now);
/* Registers the statistics after sgt_rop_end(). The names are those of the ROP, and of its depth
 * and colour paths with their caches.
 */
void sgt_rop_register(const struct sgt_rop *rop, struct sgt_stats *s, const char *unit,
                      const char *depth_unit, const char *color_unit);

#endif
