/* SPDX-License-Identifier: MIT */
/*
 * Texture unit of a texture/processor cluster (Lindholm 2008, "Texture unit").
 *
 *    SMs ---> round robin ---> addresses ---> tags ---> latency FIFO ---> filters ---> SMs
 *                                              |             ^
 *                                              +---> memory -+
 *
 * An access is processed quad by quad, in order.  The tag lookups run far ahead of the filters.  A
 * quad with a miss waits in the FIFO for its lines, while the tags are looked up for later quads.
 * Hits and misses therefore stream through without a stall until the FIFO is full, or the maximum
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
   SGT_TEX_FRONT_BUSY,   /* computes addresses or looks up lines */
   SGT_TEX_FRONT_FULL,   /* a quad waits because the FIFO is full */
   SGT_TEX_FRONT_FILLS,  /* a miss waits because params.fills lines are outstanding */
   SGT_TEX_FRONT_MEMORY, /* a miss waits because the queue to memory is full */
   SGT_TEX_FRONT_IDLE,
   SGT_TEX_FRONT_STATES,
};

enum sgt_tex_filter_state {
   SGT_TEX_FILTER_BUSY,
   SGT_TEX_FILTER_MEMORY,   /* the next quad waits for its lines */
   SGT_TEX_FILTER_RESPONSE, /* the end of an access waits because the output pipeline is full */
   SGT_TEX_FILTER_STARVED,  /* the FIFO is empty, but an access is in the address and tag stages */
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
   SGT_TEX_PENDING, /* the line was requested earlier and has not arrived */
   SGT_TEX_MISS,
   SGT_TEX_OUTCOMES,
};

/* Classes of texel sizes: up to 1, 2, 4 and 8 times params.texel_bytes. */
#define SGT_TEX_WIDTHS 4
#define SGT_TEX_SLOTS 16

/* The generated structure sgt_tex_stats. Its arrays have the sizes of the enums above. */
#include "stats/sgt_tex_stats.h"

/* A quad in the FIFO between tags and filters, or a part of one (end_part()). */
struct sgt_tex_quad {
   uint64_t fill;   /* number of the latest fetch that the quad needs, or 0 if it needs none */
   uint64_t since;  /* time at which the quad entered the FIFO */
   uint32_t cycles; /* number of cycles that the filters need */
   bool last;       /* last quad of its access; `sm` to `taken` describe the access */
   bool missed;     /* a quad of the access has missed so far */
   bool waited;     /* the filters have waited for the quad's lines */
   uint16_t sm;
   uint32_t tag;
   uint32_t access;
   uint64_t taken; /* time at which the access was taken from its SM */
};

/* A line that was requested and that the filters have not used. */
struct sgt_tex_fill {
   uint64_t since, address; /* time of the miss; address of the line */
   uint32_t left;           /* number of responses of memory that have not arrived */
};

/* An access in the output pipeline. All times are in ticks. */
struct sgt_tex_done {
   /* Time at which the response is ready; time at which the access entered the pipeline; time at
    * which it was taken from its SM.
    */
   uint64_t done, since, taken;
   uint32_t tag, access;
   uint16_t sm;
   bool missed;
};

/* A request in the queue to memory. */
struct sgt_tex_out {
   struct sgt_mem_request request;
   uint64_t since; /* time at which the request entered the queue */
};

struct sgt_chip_observer;

struct sgt_tex {
   struct sgt_unit unit;
   struct sgt_tex_params params;
   const struct sgt_work *work;
   uint32_t num_sms;
   uint16_t first_sm; /* number of the first SM in requests and responses */
   uint16_t client;   /* client number of the memory requests */
   /* Channels to and from the SMs, by index, and to and from memory. The chip sets them before the
    * first call.
    */
   struct sgt_channel *requests[SGT_TEX_MAX_SMS], *responses[SGT_TEX_MAX_SMS];
   struct sgt_channel *memory, *fetched; /* requests and responses (sgt_mem.h) */

   struct sgt_tags tags;
   uint64_t *tag_fills; /* for each tag: number of its line's fetch, counted from 1 */
   uint32_t line_shift;
   uint32_t next_sm; /* index of the SM whose requests are checked first */

   /* The access in the address and tag stages, and its present quad. */
   bool active;
   struct sgt_tex_request request;
   uint64_t taken;
   uint32_t quads, quad; /* number of quads; index of the present one */
   const sgt_line *line, *quad_end, *end;
   /* number of the cache line that the quad looked up last, or UINT64_MAX */
   uint64_t latest_line;
   uint32_t samples, extra; /* samples per quad; the first `extra` quads have one more */
   /* size of a texel in units of params.texel_bytes, rounded up to a power of 2 */
   uint32_t width;
   uint32_t quad_lookups;
   uint64_t leaves; /* time of the cycle in which the quad's addresses are complete */
   uint64_t quad_fill;
   bool quad_missed, missed;

   struct sgt_tex_quad *fifo; /* ring of params.fifo elements */
   uint32_t fifo_head, fifo_num;
   const struct sgt_chip_observer *observer; /* observer, or NULL */
   struct sgt_tex_fill *fills;               /* ring: fetch n is element n modulo params.fills */
   /* Fetches are numbered from 1. All fetches up to the number were issued, have arrived, or were
    * used by the filters.
    */
   uint64_t issued, arrived, used;
   uint64_t filters_free;     /* time at which the filters can start the next quad */
   struct sgt_tex_done *pipe; /* ring of pipe_size elements */
   uint32_t pipe_head, pipe_num, pipe_size;
   struct sgt_tex_out *out; /* ring of params.memory_queue requests to memory */
   uint32_t out_head, out_num;

   enum sgt_tex_front_state front;
   enum sgt_tex_filter_state filter;
   enum sgt_tex_port_state input, output;
   uint64_t since; /* time up to which the states are counted */
   struct sgt_tex_stats stats;
};

/* Adds the unit to the scheduler. The SMs from first_sm to first_sm + num_sms - 1 share the unit.
 * The caller sets the channels afterwards. Returns false if out of memory.
 */
bool sgt_tex_init(struct sgt_tex *tex, struct sgt_sched *sched, const struct sgt_clock *clock,
                  const struct sgt_tex_params *params, const struct sgt_work *work,
                  uint16_t first_sm, uint32_t num_sms, uint16_t client);
void sgt_tex_finish(struct sgt_tex *tex);

/* Returns true if no access and no fetch is outstanding. Messages in channels do not count. */
bool sgt_tex_idle(const struct sgt_tex *tex);
/* Writes what the unit has under way. */
void sgt_tex_dump(const struct sgt_tex *tex, uint32_t number, struct sgt_dump *d);
/* Invalidates all lines, because memory that textures are read from was written. The unit must be
 * idle.
 */
void sgt_tex_invalidate(struct sgt_tex *tex);

/* Counts the states up to `now`, the end of the run. Must be called before sgt_tex_register(). */
void sgt_tex_end(struct sgt_tex *tex, uint64_t now);
void sgt_tex_register(const struct sgt_tex *tex, struct sgt_stats *s, const char *unit);

#endif
