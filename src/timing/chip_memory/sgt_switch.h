/* SPDX-License-Identifier: MIT */
/*
 * A switch between units: from each of its input ports to each of its output ports.
 *
 * A port moves so many bytes a clock.  Messages wait at the input port, and any of them whose
 * output is free can go; those from one input to one output keep their order.  Outputs choose
 * among inputs in turn, and another output chooses first in each clock.
 *
 *    sgt_switch_init(s, sched, clock, "name", &params, &rules);
 *    sgt_switch_input(s, i, channel);      each input: a channel that the switch receives
 *    sgt_switch_output(s, i, channel);     each output: one that it sends
 */
#ifndef SGT_SWITCH_H
#define SGT_SWITCH_H

#include "kernel/sgt_channel.h"
#include "params/sgt_xbar_params.h"

struct sgt_dump;
struct sgt_stats;

#define SGT_SWITCH_WORDS (SGT_SWITCH_MAX_PORTS / 64)

struct sgt_switch_params {
   uint32_t inputs, outputs; /* 1 to SGT_SWITCH_MAX_PORTS */
   uint32_t port_bytes;      /* a clock, from 1 */
   uint32_t header_bytes;    /* of each message, beside its data */
   uint32_t queue;           /* messages of an input port, 1 to SGT_SWITCH_MAX_QUEUE */
};

/* What messages mean.  Outputs may have channels of shorter ones, which get the first bytes. */
struct sgt_switch_rules {
   uint32_t message_bytes; /* in the memory of the model */
   const void *context;
   uint32_t (*output)(const void *context, const void *message);
   uint32_t (*data_bytes)(const void *context, const void *message);
   void (*enter)(void *message, uint32_t input); /* a message has come; NULL: nothing to do */
};

/* What an output port does in a clock. */
enum sgt_switch_state {
   SGT_SWITCH_BUSY,
   SGT_SWITCH_BLOCKED, /* its receiver has no room */
   SGT_SWITCH_WAIT,    /* the inputs that have messages for it are busy */
   SGT_SWITCH_IDLE,    /* there are none */
   SGT_SWITCH_STATES,
};
extern const char *const sgt_switch_state_names[SGT_SWITCH_STATES];
extern const char *const sgt_switch_port_names[];

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_switch_stats.h"

struct sgt_switch_input {
   struct sgt_channel *from;
   uint8_t *messages; /* `queue` places */
   uint64_t *since;
   uint8_t *outputs; /* of messages */
   uint8_t order[SGT_SWITCH_MAX_QUEUE];
   uint8_t counts[SGT_SWITCH_MAX_PORTS]; /* messages for each output */
   uint64_t free_places;
   uint32_t num;
   uint64_t busy_until;
   uint64_t full_since; /* SGT_NEVER: not */
};

struct sgt_switch_output {
   struct sgt_channel *to;
   uint64_t inputs[SGT_SWITCH_WORDS]; /* bits: those that have messages for it */
   uint32_t num_inputs;               /* of them */
   uint32_t latest;                   /* input */
   uint64_t busy_until, send_at;
   uint8_t *message;            /* that it moves */
   enum sgt_switch_state state; /* from `since` on, or until the end of the transfer */
   uint64_t since;
};

struct sgt_switch {
   struct sgt_unit unit;
   struct sgt_switch_params params;
   struct sgt_switch_rules rules;

   /* Private.  Times are clocks. */
   struct sgt_switch_input *inputs;
   struct sgt_switch_output *outputs;
   uint32_t input_words, output_words; /* of bits */
   uint64_t wanted[SGT_SWITCH_WORDS];  /* outputs that inputs have messages for */
   uint64_t sending[SGT_SWITCH_WORDS]; /* outputs whose message is sent at send_at */
   uint64_t busy[SGT_SWITCH_WORDS];    /* inputs with a transfer when the switch last looked */
   uint64_t full[SGT_SWITCH_WORDS];    /* inputs that have a message and no place for it */
   uint32_t queued, num_sending;
   uint64_t changed_at;
   uint8_t ports[SGT_UNIT_ARRIVALS]; /* input ports by the number of their channel */
   bool connected;                   /* `ports` is set */

   struct sgt_switch_stats stats;
};

/* Idle, without channels.  The parameters are legal.  False: no memory. */
bool sgt_switch_init(struct sgt_switch *s, struct sgt_sched *sched, const struct sgt_clock *clock,
                     const char *name, const struct sgt_switch_params *params,
                     const struct sgt_switch_rules *rules);
void sgt_switch_finish(struct sgt_switch *s);

/* All ports have their channels before the first step. */
static inline void
sgt_switch_input(struct sgt_switch *s, uint32_t input, struct sgt_channel *channel)
{
   s->inputs[input].from = channel;
}
static inline void
sgt_switch_output(struct sgt_switch *s, uint32_t output, struct sgt_channel *channel)
{
   s->outputs[output].to = channel;
}

/* No message is in it, beside its channels. */
bool sgt_switch_idle(const struct sgt_switch *s);
/* Writes what the unit has under way. */
void sgt_switch_dump(const struct sgt_switch *s, struct sgt_dump *d);
/* Accounts all clocks before `time`, in ticks. */
void sgt_switch_account(struct sgt_switch *s, uint64_t time);
/* Registers the statistics as of `unit`, once the run has ended and is accounted. */
void sgt_switch_register(const struct sgt_switch *w, struct sgt_stats *s, const char *unit);

/* Clocks that a message with so much data takes. */
static inline uint32_t
sgt_switch_clocks(const struct sgt_switch_params *p, uint32_t data)
{
   const uint32_t bytes = data + p->header_bytes;
   return bytes ? (bytes + p->port_bytes - 1) / p->port_bytes : 1;
}

#endif
