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
 * The ROP has a path for depth and a path for color, each with its own tile cache.
 *
 * Each path executes its requests in order. A request looks up its line in the cache, and waits for
 * the data that it reads. It then occupies the path for a number of cycles that depends on its
 * number of quads. Its results are written params.latency cycles later. A request that reads a
 * sample waits for earlier requests of the path that write the same sample.
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

/* State of a path's execution stage in a cycle. */
enum sgt_rop_exec_state {
   SGT_ROP_BUSY,     /* executes a request */
   SGT_ROP_CLEARING, /* executes a fast clear */
   SGT_ROP_HAZARD,   /* the next request reads a sample that a request in flight writes */
   SGT_ROP_MEMORY,   /* the next request is waiting for data from memory */
   SGT_ROP_RESPONSE, /* no request can start because the response channel has no room */
   SGT_ROP_TAGS,     /* all requests are still waiting for the tag lookup */
   SGT_ROP_IDLE,     /* no requests are queued */
   SGT_ROP_EXEC_STATES,
};

/* State of a path's tag stage in a cycle. */
enum sgt_rop_tag_state {
   SGT_ROP_TAG_LOOKUP, /* looks up the tile of a request */
   SGT_ROP_TAG_FLUSH,  /* writes back dirty tiles to memory */
   SGT_ROP_TAG_DRAIN,  /* a clear or a flush is waiting for earlier requests to finish */
   SGT_ROP_TAG_FULL,   /* the maximum number of requests is already waiting for data */
   SGT_ROP_TAG_CACHE,  /* all tiles of the set are in use, or no MSHR is free */
   SGT_ROP_TAG_MEMORY, /* the queue of requests to memory has no room */
   SGT_ROP_TAG_IDLE,   /* no requests are queued */
   SGT_ROP_TAG_STATES,
};

/* How a tile is stored in memory. */
enum sgt_rop_form {
   SGT_ROP_FORM_CLEARED, /* fast-cleared; memory is not accessed */
   SGT_ROP_FORM_8,       /* compressed 8:1 */
   SGT_ROP_FORM_4,       /* compressed 4:1 */
   SGT_ROP_FORM_2,       /* compressed 2:1 */
   SGT_ROP_FORM_RAW,     /* uncompressed */
   SGT_ROP_FORMS,
};

/* Number of buckets in the latency histogram. */
#define SGT_ROP_LATENCY_SLOTS 16

/* Generated header. It comes after the enums above because they define the sizes of its arrays. */
#include "stats/sgt_rop_path_stats.h"

/* State of the request input or of the memory output in a cycle. */
enum sgt_rop_port_state {
   SGT_ROP_PORT_MOVES,   /* moves a request */
   SGT_ROP_PORT_BLOCKED, /* the receiving queue has no room */
   SGT_ROP_PORT_IDLE,    /* no requests are available */
   SGT_ROP_PORT_STATES,
};

/* Generated header. It comes after the enums above because they define the sizes of its arrays. */
#include "stats/sgt_rop_stats.h"

/* A tile in one of the tile caches. */
struct sgt_rop_slot {
   uint64_t address; /* address of the tile, or SGT_ROP_NO_TILE */
   /* valid: for each line, a bitmask of the bytes that are in the cache or are being fetched;
    * covered: for each line, a bitmask of the bytes that item make.item has written since the tile
    * entered the cache
    */
   uint64_t valid[SGT_ROP_TILE_LINES];
   uint64_t covered[SGT_ROP_TILE_LINES];
   /* state of the tile's contents, which determines whether the tile can be compressed */
   struct sgt_rop_make make;
   uint64_t ready;  /* time when the decompression of the tile ends, in ticks */
   uint32_t busy;   /* number of requests for this tile that have started but are not complete */
   uint32_t packed; /* bitmask of sectors that a pending fetch of compressed data will fill, or 0 */
   /* Bitmask of the sectors that are being fetched. A sector may already be valid in the cache if
    * it has been written since the fetch started.
    */
   uint32_t missing;
   uint8_t lines; /* number of memory responses that the tile is waiting for */
   /* for each line, a bitmask of the sectors that its response will fill */
   uint8_t pending[SGT_ROP_TILE_LINES];
   uint8_t samples; /* number of samples per pixel */
};

/* A request after the tag lookup. */
struct sgt_rop_entry {
   struct sgt_rop_request request;
   /* index of the tile in the cache, or SGT_ROP_NO_SLOT for requests without a tile, e.g. clears
    * and flushes
    */
   uint32_t slot;
   uint32_t sectors; /* bitmask of the sectors that must arrive before the request can start */
   /* queued: time when the request was accepted, in ticks;
    * looked_up: time when it was looked up in the tags;
    * started: time when it started;
    * done: time when its results are written
    */
   uint64_t queued, looked_up, started, done;
   /* waited: true if the request has waited for memory;
    * hazard: true if the request has waited because of a hazard
    */
   bool waited, hazard;
};
#define SGT_ROP_NO_SLOT UINT32_MAX

/* A request before the tag lookup. */
struct sgt_rop_queued {
   struct sgt_rop_request request;
   uint64_t since; /* time when the request was accepted, in ticks */
};

struct sgt_rop_path {
   bool depth;                   /* true for the depth path, false for the color path */
   struct sgt_rop_slot *slots;   /* tiles in the cache, indexed by cache line */
   struct sgt_rop_queued *queue; /* ring buffer of requests before the tag lookup */
   /* queue_head: index of the oldest entry of `queue`;
    * queue_num: number of entries
    */
   uint32_t queue_head, queue_num;
   /* Ring buffer of requests after the tag lookup. Requests that have started come before requests
    * that are waiting.
    */
   struct sgt_rop_entry *entries;
   /* head: index of the oldest entry of `entries`;
    * started: number of requests that have started;
    * waiting: number of requests that are waiting to start
    */
   uint32_t head, started, waiting;
   uint64_t free_at; /* time when the next request can start, in ticks */
   bool stalled;     /* true if a lookup has stalled and the cache has not changed since then */
   /* true if a flush has cleaned all tiles, but is still waiting for its memory requests to be sent
    */
   bool flushed;
   /* number of memory requests that the ROP must have sent in total before the flush can end */
   uint64_t flush_puts;
   /* exec: state of the execution stage in this cycle;
    * occupied: state of the execution stage while it is occupied, i.e. until free_at
    */
   enum sgt_rop_exec_state exec, occupied;
   enum sgt_rop_tag_state tag; /* state of the tag stage */
   struct sgt_cache cache;
   struct sgt_rop_path_stats stats;
};

enum { SGT_ROP_PATH_DEPTH, SGT_ROP_PATH_COLOR, SGT_ROP_PATHS };

/* An entry of the queue of memory requests. */
struct sgt_rop_out {
   struct sgt_mem_request request;
   uint64_t since; /* time when the request entered the queue, in ticks */
};

struct sgt_rop {
   struct sgt_unit unit;
   struct sgt_rop_params params;
   uint16_t client; /* index of the ROP, which is also the client ID in its memory requests */
   /* Channels, which the chip must set before the scheduler first calls the unit. `requests` and
    * `responses` connect the ROP to other units (sgt_rop_ports.h), and `memory` and `fills` connect
    * it to its memory partition (sgt_mem.h).
    */
   struct sgt_channel *requests, *responses;
   struct sgt_channel *memory, *fills;
   const struct sgt_chip_observer *observer; /* callbacks for memory accesses, or NULL */
   bool no_hazards; /* fault injection for tests: reads don't wait for writes */

   struct sgt_rop_out *out; /* ring buffer of memory requests */
   /* out_head: index of the oldest entry of `out`;
    * out_num: number of entries
    */
   uint32_t out_head, out_num;
   uint64_t puts;      /* number of memory requests that have been added to `out` so far */
   uint32_t entries;   /* capacity of the ring buffers sgt_rop_path.entries */
   uint32_t under_way; /* maximum number of started requests per path */
   uint64_t since;     /* time in ticks up to which the cycles have been counted */
   enum sgt_rop_port_state input, output;
   struct sgt_rop_path paths[SGT_ROP_PATHS];
   struct sgt_rop_stats stats;
   struct sgt_rop_tiles tiles;
   /* Number of cycles for which a request occupies its path. The indices are the kind of request
    * (normal, double rate or blended), log2 of the pixel size in units of params.pixel_bytes, and
    * the number of quads.
    */
   uint16_t cycles[3][4][17];
};

/* Initializes the unit and adds it to the scheduler. The channels must be set before the scheduler
 * first calls the unit. Returns false on allocation failure.
 */
bool sgt_rop_init(struct sgt_rop *rop, struct sgt_sched *sched, const struct sgt_clock *clock,
                  const struct sgt_rop_params *params, uint16_t client);
void sgt_rop_finish(struct sgt_rop *rop);

/* Returns true if the ROP has no requests and no pending fetches. Doesn't check whether its
 * channels are empty.
 */
bool sgt_rop_idle(const struct sgt_rop *rop);
/* Dumps the states and the pending requests of both paths. */
void sgt_rop_dump(const struct sgt_rop *rop, uint32_t number, struct sgt_dump *d);
/* Returns true if memory for tile states could not be allocated. The simulated times are wrong in
 * this case.
 */
bool sgt_rop_out_of_memory(const struct sgt_rop *rop);

/* Updates the state counters to include all cycles before `now`, which is the end of the run in
 * ticks.
 */
void sgt_rop_end(struct sgt_rop *rop, uint64_t now);
/* Registers the statistics of the ROP. Must be called after sgt_rop_end(). The last three arguments
 * are the names of the ROP, its depth path and its color path in the statistics.
 */
void sgt_rop_register(const struct sgt_rop *rop, struct sgt_stats *s, const char *unit,
                      const char *depth_unit, const char *color_unit);

#endif
