/* SPDX-License-Identifier: MIT */
/*
 * Texture unit of a texture/processor cluster (Lindholm 2008, "Texture unit").
 *
 *    SMs ---> round robin ---> addresses ---> tags ---> latency FIFO ---> filters ---> SMs
 *                                              |             ^
 *                                              +---> memory -+
 *
 * An access goes through quad by quad, in order.  The tags are looked up a long way ahead of
 * the filters; a quad that misses waits in the FIFO for its lines, and those behind it are
 * looked up meanwhile.  So hits and misses stream through without a stall until the FIFO, or
 * the room for lines on their way, is full.
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
   SGT_TEX_FRONT_BUSY,   /* addresses and lookups */
   SGT_TEX_FRONT_FULL,   /* the FIFO is full */
   SGT_TEX_FRONT_FILLS,  /* as many lines are on their way as can be */
   SGT_TEX_FRONT_MEMORY, /* the queue to memory is full */
   SGT_TEX_FRONT_IDLE,
   SGT_TEX_FRONT_STATES,
};

enum sgt_tex_filter_state {
   SGT_TEX_FILTER_BUSY,
   SGT_TEX_FILTER_MEMORY,   /* the next quad waits for its lines */
   SGT_TEX_FILTER_RESPONSE, /* responses are not taken */
   SGT_TEX_FILTER_STARVED,  /* quads are ahead of the FIFO */
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
   SGT_TEX_PENDING, /* the line is on its way */
   SGT_TEX_MISS,
   SGT_TEX_OUTCOMES,
};

#define SGT_TEX_WIDTHS 4 /* texels of 1, 2, 4, 8 times texel_bytes, rounded up */
#define SGT_TEX_SLOTS 16

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_tex_stats.h"

/* A quad between tags and filters. */
struct sgt_tex_quad {
   uint64_t fill;   /* the latest fetch that it needs; 0: none */
   uint64_t since;  /* in the FIFO */
   uint32_t cycles; /* of the filters */
   bool last;       /* of its access, which follows */
   bool missed;     /* the access has a miss */
   bool waited;
   uint16_t sm;
   uint32_t tag;
   uint32_t access;
   uint64_t taken; /* the access from its SM */
};

/* A line on its way. */
struct sgt_tex_fill {
   uint64_t since, address;
   uint32_t left; /* responses */
};

struct sgt_tex_done {
   uint64_t done, since, taken;
   uint32_t tag, access;
   uint16_t sm;
   bool missed;
};

struct sgt_tex_out {
   struct sgt_mem_request request;
   uint64_t since;
};

struct sgt_chip_observer;

struct sgt_tex {
   struct sgt_unit unit;
   struct sgt_tex_params params;
   const struct sgt_work *work;
   uint32_t num_sms;
   uint16_t first_sm; /* number in requests and responses */
   uint16_t client;   /* of requests to memory */
   /* The chip's, and set before the first call. */
   struct sgt_channel *requests[SGT_TEX_MAX_SMS], *responses[SGT_TEX_MAX_SMS];
   struct sgt_channel *memory, *fetched; /* sgt_mem.h */

   struct sgt_tags tags;
   uint64_t *tag_fills; /* of each tag: number of its line's fetch, from 1 */
   uint32_t line_shift;
   uint32_t next_sm; /* is asked first */

   /* The access at the tags, and its quad. */
   bool active;
   struct sgt_tex_request request;
   uint64_t taken;
   uint32_t quads, quad; /* all; the present one */
   const sgt_line *line, *quad_end, *end;
   uint64_t latest_line;    /* of the cache that the quad looked up; UINT64_MAX: none */
   uint32_t samples, extra; /* of a quad; the first `extra` have one more */
   uint32_t width;          /* times texel_bytes */
   uint32_t quad_lookups;
   uint64_t leaves; /* the quad's addresses are done at the end of the cycle here */
   uint64_t quad_fill;
   bool quad_missed, missed;

   struct sgt_tex_quad *fifo; /* ring */
   uint32_t fifo_head, fifo_num;
   const struct sgt_chip_observer *observer; /* or NULL */
   struct sgt_tex_fill *fills;               /* by number, modulo params.fills */
   uint64_t issued, arrived, used;           /* numbers of the latest fetches: all up to it */
   uint64_t filters_free;
   struct sgt_tex_done *pipe; /* ring */
   uint32_t pipe_head, pipe_num, pipe_size;
   struct sgt_tex_out *out; /* ring */
   uint32_t out_head, out_num;

   enum sgt_tex_front_state front;
   enum sgt_tex_filter_state filter;
   enum sgt_tex_port_state input, output;
   uint64_t since; /* the states count from this time on */
   struct sgt_tex_stats stats;
};

/* Adds the unit to the scheduler; its channels are set afterwards.  SMs first_sm to
 * first_sm + num_sms - 1 share it.  False: no memory.
 */
bool sgt_tex_init(struct sgt_tex *tex, struct sgt_sched *sched, const struct sgt_clock *clock,
                  const struct sgt_tex_params *params, const struct sgt_work *work,
                  uint16_t first_sm, uint32_t num_sms, uint16_t client);
void sgt_tex_finish(struct sgt_tex *tex);

/* Nothing is under way, but for what is in the channels. */
bool sgt_tex_idle(const struct sgt_tex *tex);
/* Writes what the unit has under way. */
void sgt_tex_dump(const struct sgt_tex *tex, uint32_t number, struct sgt_dump *d);
/* Forgets all lines: memory that textures are read from was written.  The unit is idle. */
void sgt_tex_invalidate(struct sgt_tex *tex);

/* Counts the states up to `now`, the end of the run.  Then the statistics can be registered. */
void sgt_tex_end(struct sgt_tex *tex, uint64_t now);
void sgt_tex_register(const struct sgt_tex *tex, struct sgt_stats *s, const char *unit);

#endif
