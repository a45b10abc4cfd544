/* SPDX-License-Identifier: MIT */
/*
 * A switch between units. It moves messages from any of its input ports to any of its output ports.
 *
 * A port moves `port_bytes` bytes a clock. Messages wait in a queue of their input port. Any of
 * them may go whose output is free, but messages from the same input to the same output stay in
 * order. Outputs select inputs round robin. The output that selects first rotates from clock to
 * clock.
 *
 *    sgt_switch_init(s, sched, clock, "name", &params, &rules);
 *    sgt_switch_input(s, i, channel);      for each input: a channel that the switch receives from
 *    sgt_switch_output(s, i, channel);     for each output: a channel that it sends to
 */
#ifndef SGT_SWITCH_H
#define SGT_SWITCH_H

#include "kernel/sgt_channel.h"
#include "params/sgt_xbar_params.h"

struct sgt_dump;
struct sgt_stats;

/* Number of 64-bit words of a bit mask of ports. */
#define SGT_SWITCH_WORDS (SGT_SWITCH_MAX_PORTS / 64)

struct sgt_switch_params {
   uint32_t inputs, outputs; /* numbers of ports, from 1 to SGT_SWITCH_MAX_PORTS */
   uint32_t port_bytes;      /* bytes that a port moves in a clock, at least 1 */
   uint32_t header_bytes;    /* bytes of each message in addition to its data */
   uint32_t queue;           /* queue size of an input in messages, 1 to SGT_SWITCH_MAX_QUEUE */
};

/* Format of messages. If the channel of an output has shorter messages, these get the first bytes
 * of the message.
 */
struct sgt_switch_rules {
   uint32_t message_bytes; /* size of a message in the host's memory */
   const void *context;    /* parameter of the functions */
   /* Returns the output port of a message. */
   uint32_t (*output)(const void *context, const void *message);
   /* Returns the size of the data of a message, in bytes of the simulated network. */
   uint32_t (*data_bytes)(const void *context, const void *message);
   /* Called for each message that enters an input, and may change the message; or NULL. */
   void (*enter)(void *message, uint32_t input);
};

/* State of an output port in a clock. */
enum sgt_switch_state {
   SGT_SWITCH_BUSY,    /* moves a message */
   SGT_SWITCH_BLOCKED, /* has messages, but no room in the channel to the receiver */
   SGT_SWITCH_WAIT,    /* all inputs with messages for this output are busy with other messages */
   SGT_SWITCH_IDLE,    /* there are no messages for this output */
   SGT_SWITCH_STATES,
};
extern const char *const sgt_switch_state_names[SGT_SWITCH_STATES];
/* Names of ports in statistics: decimal numbers. */
extern const char *const sgt_switch_port_names[];

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_switch_stats.h"

struct sgt_switch_input {
   struct sgt_channel *from;
   /* The queue has params.queue places. */
   uint8_t *messages;                    /* per place: the message */
   uint64_t *since;                      /* per place: clock at which the message entered */
   uint8_t *outputs;                     /* per place: output port of the message */
   uint8_t order[SGT_SWITCH_MAX_QUEUE];  /* places of the messages, from the oldest one */
   uint8_t counts[SGT_SWITCH_MAX_PORTS]; /* per output: number of messages for it */
   uint64_t free_places;                 /* bit mask of free places */
   uint32_t num;                         /* number of messages in the queue */
   uint64_t busy_until;                  /* first clock after the current transfer */
   uint64_t full_since; /* clock since which a message waits for a place, or SGT_NEVER */
};

struct sgt_switch_output {
   struct sgt_channel *to;
   uint64_t inputs[SGT_SWITCH_WORDS]; /* bit mask of inputs with messages for this output */
   uint32_t num_inputs;               /* number of these inputs */
   uint32_t latest;                   /* input that was selected last */
   uint64_t busy_until, send_at;      /* first clock after the transfer, and its last clock */
   uint8_t *message;                  /* message that is moved */
   enum sgt_switch_state state;       /* state since clock `since`; BUSY ends with the transfer */
   uint64_t since;                    /* first clock whose state has not been counted */
};

struct sgt_switch {
   struct sgt_unit unit;
   struct sgt_switch_params params;
   struct sgt_switch_rules rules;

   /* The following members are private. Times are clocks of the switch. */
   struct sgt_switch_input *inputs;
   struct sgt_switch_output *outputs;
   uint32_t input_words, output_words; /* number of used words in bit masks of inputs, of outputs */
   uint64_t wanted[SGT_SWITCH_WORDS];  /* bit mask of outputs that have messages in queues */
   uint64_t sending[SGT_SWITCH_WORDS]; /* bit mask of outputs whose message is sent at send_at */
   uint64_t busy[SGT_SWITCH_WORDS];    /* bit mask of inputs that may have a transfer */
   uint64_t full[SGT_SWITCH_WORDS];    /* bit mask of inputs whose next message has no place */
   uint32_t queued, num_sending;       /* numbers of messages in queues, and of bits in `sending` */
   uint64_t changed_at;                /* clock of the latest update of the queues' occupancy */
   uint8_t ports[SGT_UNIT_ARRIVALS];   /* input port of each channel, by channel->input */
   bool connected;                     /* `ports` is set */

   struct sgt_switch_stats stats;
};

/* Initializes a switch whose ports have no channels yet. The parameters must be legal. Returns
 * false if out of memory.
 */
bool sgt_switch_init(struct sgt_switch *s, struct sgt_sched *sched, const struct sgt_clock *clock,
                     const char *name, const struct sgt_switch_params *params,
                     const struct sgt_switch_rules *rules);
void sgt_switch_finish(struct sgt_switch *s);

/* Set the channel of a port. All ports must have channels before the first step. */
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

/* Returns whether the switch has no message. Its channels are not checked. */
bool sgt_switch_idle(const struct sgt_switch *s);
/* Writes what the unit has under way. */
void sgt_switch_dump(const struct sgt_switch *s, struct sgt_dump *d);
/* Counts the states of all outputs up to `time`, in ticks. */
void sgt_switch_account(struct sgt_switch *s, uint64_t time);
/* Registers the statistics for the unit with this name. Called at the end of a run, after
 * sgt_switch_account().
 */
void sgt_switch_register(const struct sgt_switch *w, struct sgt_stats *s, const char *unit);

/* Returns the number of clocks that a message with `data` bytes of data takes. */
static inline uint32_t
sgt_switch_clocks(const struct sgt_switch_params *p, uint32_t data)
{
   const uint32_t bytes = data + p->header_bytes;
   return bytes ? (bytes + p->port_bytes - 1) / p->port_bytes : 1;
}

#endif
