/* SPDX-License-Identifier: MIT */
/*
 * Texture unit of a texture/processor cluster (TPC; Lindholm 2008, "Texture unit").
 *
 *    SMs ---> round robin ---> addresses ---> tags ---> latency FIFO ---> filters ---> SMs
 *                                              |             ^
 *                                              +---> memory -+
 *
 * An access is processed quad by quad, in order. The tag lookup runs far ahead of the filters: a
 * quad with a miss waits in the FIFO for its lines, while the tag lookup continues with later
 * quads. The unit therefore doesn't stall on hits or misses until the FIFO is full or the maximum
 * number of lines is outstanding.
 */
#ifndef SGT_TEX_H
#define SGT_TEX_H

#include "kernel/sgt_channel.h"
#include "chip_memory/sgt_mem.h"
#include "chip_sm/sgt_sm_ports.h"
#include "chip_memory/sgt_tags.h"
#include "params/sgt_tex_params.h"
#include "trace/sgt_work.h"

struct sgt_dump;
struct sgt_stats;

#define SGT_TEX_MAX_SMS 8

enum sgt_tex_front_state {
   SGT_TEX_FRONT_BUSY,   /* generates addresses or looks up lines */
   SGT_TEX_FRONT_FULL,   /* a quad waits because the FIFO is full */
   SGT_TEX_FRONT_FILLS,  /* a miss waits because params.fills lines are outstanding */
   SGT_TEX_FRONT_MEMORY, /* a miss waits because the memory request queue is full */
   SGT_TEX_FRONT_IDLE,
   SGT_TEX_FRONT_STATES,
};

enum sgt_tex_filter_state {
   SGT_TEX_FILTER_BUSY,
   SGT_TEX_FILTER_MEMORY, /* the next quad waits for its lines */
   /* the last quad of an access waits because the output pipeline is full */
   SGT_TEX_FILTER_RESPONSE,
   /* the FIFO is empty, but the address and tag stages are processing an access */
   SGT_TEX_FILTER_STARVED,
   SGT_TEX_FILTER_IDLE,
   SGT_TEX_FILTER_STATES,
};

enum sgt_tex_port_state {
   SGT_TEX_PORT_MOVES,
   SGT_TEX_PORT_BLOCKED,
   SGT_TEX_PORT_IDLE,
   SGT_TEX_PORT_STATES,
};

enum sgt_tex_outcome {
   SGT_TEX_HIT,
   SGT_TEX_PENDING, /* the line has been requested but has not arrived yet */
   SGT_TEX_MISS,
   SGT_TEX_OUTCOMES,
};

/* Number of texel size classes: up to 1, 2, 4 and 8 times params.texel_bytes. */
#define SGT_TEX_WIDTHS 4
#define SGT_TEX_SLOTS 16

/* This generated header, which defines struct sgt_tex_stats, must come after the enums above, which
 * define the sizes of its arrays.
 */
#include "stats/sgt_tex_stats.h"

/* A quad, or a part of a quad (see end_part()), in the FIFO between the tags and the filters. */
struct sgt_tex_quad {
   /* number of the last fetch that the quad depends on, or 0 if it depends on none */
   uint64_t fill;
   uint64_t since;  /* time when the quad entered the FIFO, in ticks */
   uint32_t cycles; /* number of cycles that the filters need for the quad */
   /* true for the last quad of an access; the members from `sm` to `taken` are only valid in this
    * quad
    */
   bool last;
   bool missed; /* true if any quad of the access has missed the cache so far */
   bool waited; /* true if the filters have waited for the lines of this quad */
   uint16_t sm;
   uint32_t tag;
   uint32_t access;
   uint64_t taken; /* time when the access was accepted from the SM, in ticks */
};

/* A line that has been requested from memory, but has not been used by the filters yet. */
struct sgt_tex_fill {
   uint64_t since, address; /* since: time of the miss in ticks; address: address of the line */
   uint32_t left;           /* number of memory responses that have not arrived yet */
};

/* An access in the output pipeline. All times are in ticks. */
struct sgt_tex_done {
   /* done: time when the response is ready
    * since: time when the access entered the pipeline
    * taken: time when the access was accepted from its SM
    */
   uint64_t done, since, taken;
   uint32_t tag, access;
   uint16_t sm;
   bool missed;
};

/* A request in the queue to memory. */
struct sgt_tex_out {
   struct sgt_mem_request request;
   uint64_t since; /* time when the request entered the queue, in ticks */
};

struct sgt_chip_observer;

struct sgt_tex {
   struct sgt_unit unit;
   struct sgt_tex_params params;
   const struct sgt_work *work;
   uint32_t num_sms;
   uint16_t first_sm; /* index of the first SM, as used in requests and responses */
   uint16_t client;   /* ID of the unit as a client of the memory system */
   /* Channels from and to the SMs. The chip must set all channels before the simulation starts. */
   struct sgt_channel *requests[SGT_TEX_MAX_SMS], *responses[SGT_TEX_MAX_SMS];
   /* memory: channel for requests (struct sgt_mem_request)
    * fetched: channel for responses from memory (struct sgt_mem_response)
    */
   struct sgt_channel *memory, *fetched;

   struct sgt_tags tags;
   /* for each tag, number of the fetch that read the line; fetches are numbered from 1 */
   uint64_t *tag_fills;
   uint32_t line_shift;
   uint32_t next_sm; /* index of the SM whose requests are checked first */

   /* The following members describe the access in the address and tag stages, and its current quad.
    */
   bool active;
   struct sgt_tex_request request;
   uint64_t taken;
   uint32_t quads, quad; /* quads: number of quads; quad: index of the current quad */
   const sgt_line *line, *quad_end, *end;
   /* number of the cache line that the current quad has looked up last, or UINT64_MAX */
   uint64_t latest_line;
   /* samples: number of samples per quad
    * extra: number of quads at the start of the access that have one more sample
    */
   uint32_t samples, extra;
   /* texel size in units of params.texel_bytes, rounded up to a power of 2 */
   uint32_t width;
   uint32_t quad_lookups;
   uint64_t leaves; /* time of the cycle in which all addresses of the quad have been generated */
   uint64_t quad_fill;
   bool quad_missed, missed;

   struct sgt_tex_quad *fifo; /* ring buffer of params.fifo entries */
   uint32_t fifo_head, fifo_num;
   const struct sgt_chip_observer *observer; /* callbacks for memory accesses, or NULL */
   struct sgt_tex_fill *fills;               /* ring buffer; fetch n uses entry n % params.fills */
   /* issued: number of the last fetch that has been issued, counted from 1
    * arrived: number of the last fetch that has arrived together with all earlier fetches
    * used: number of the last fetch whose line the filters have used
    */
   uint64_t issued, arrived, used;
   uint64_t filters_free;     /* time when the filters can start the next quad, in ticks */
   struct sgt_tex_done *pipe; /* ring buffer of pipe_size entries */
   uint32_t pipe_head, pipe_num, pipe_size;
   struct sgt_tex_out *out; /* ring buffer of params.memory_queue requests to memory */
   uint32_t out_head, out_num;

   enum sgt_tex_front_state front;
   enum sgt_tex_filter_state filter;
   enum sgt_tex_port_state input, output;
   uint64_t since; /* time up to which the states have been counted, in ticks */
   struct sgt_tex_stats stats;
};

/* Adds the unit to the scheduler. SMs first_sm to first_sm + num_sms - 1 share the unit. The caller
 * must set the channels afterwards. Returns false on allocation failure.
 */
bool sgt_tex_init(struct sgt_tex *tex, struct sgt_sched *sched, const struct sgt_clock *clock,
                  const struct sgt_tex_params *params, const struct sgt_work *work,
                  uint16_t first_sm, uint32_t num_sms, uint16_t client);
void sgt_tex_finish(struct sgt_tex *tex);

/* Returns true if no accesses or fetches are outstanding. Messages in channels are ignored. */
bool sgt_tex_idle(const struct sgt_tex *tex);
/* Dumps the state of the unit, and its pending accesses and fetches. */
void sgt_tex_dump(const struct sgt_tex *tex, uint32_t number, struct sgt_dump *d);
/* Invalidates all cached lines. Called after the memory that holds textures has been written. The
 * unit must be idle.
 */
void sgt_tex_invalidate(struct sgt_tex *tex);

/* Adds the states up to `now` (in ticks) to the statistics. Must be called at the end of a
 * simulation, before sgt_tex_register().
 */
void sgt_tex_end(struct sgt_tex *tex, uint64_t now);
void sgt_tex_register(const struct sgt_tex *tex, struct sgt_stats *s, const char *unit);

#endif
