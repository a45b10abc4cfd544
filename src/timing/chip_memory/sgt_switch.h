/* SPDX-License-Identifier: MIT */
/*
 * A switch between units, which can move messages from any of its input ports to any of its output
 * ports.
 *
 * A port moves `port_bytes` bytes per clock. Messages wait in the queue of their input port. A
 * message can be moved when its output is free and all older messages from the same input to the
 * same output have been moved. Outputs select inputs in round-robin order. The output that selects
 * first rotates every clock.
 *
 * After sgt_switch_init(), call sgt_switch_input() and sgt_switch_output() to set the channel of
 * each input and each output.
 */
#ifndef SGT_SWITCH_H
#define SGT_SWITCH_H

#include "kernel/sgt_channel.h"
#include "params/sgt_xbar_params.h"

struct sgt_dump;
struct sgt_stats;

/* Number of 64-bit words in a bitmask of ports. */
#define SGT_SWITCH_WORDS (SGT_SWITCH_MAX_PORTS / 64)

struct sgt_switch_params {
   uint32_t inputs, outputs; /* numbers of ports, between 1 and SGT_SWITCH_MAX_PORTS */
   uint32_t port_bytes;      /* number of bytes that a port moves per clock; at least 1 */
   /* size in bytes of the header that is sent with the data of each message */
   uint32_t header_bytes;
   /* capacity of the queue of each input in messages, between 1 and SGT_SWITCH_MAX_QUEUE */
   uint32_t queue;
};

/* Describes the messages of a switch. If the channel of an output has shorter messages, it receives
 * the first bytes of each message.
 */
struct sgt_switch_rules {
   uint32_t message_bytes; /* size of a message in host memory, in bytes */
   const void *context;    /* first argument of the output and data_bytes callbacks */
   /* Returns the output port of a message. */
   uint32_t (*output)(const void *context, const void *message);
   /* Returns the number of data bytes that a message has in the simulated network. */
   uint32_t (*data_bytes)(const void *context, const void *message);
   /* Called for each message that enters an input. Can modify the message. Can be NULL. */
   void (*enter)(void *message, uint32_t input);
};

/* State of an output port in a clock cycle. */
enum sgt_switch_state {
   SGT_SWITCH_BUSY,    /* moves a message */
   SGT_SWITCH_BLOCKED, /* has messages, but the channel to the receiver has no room */
   SGT_SWITCH_WAIT,    /* all inputs with messages for this output are busy moving other messages */
   SGT_SWITCH_IDLE,    /* no messages for this output */
   SGT_SWITCH_STATES,
};
extern const char *const sgt_switch_state_names[SGT_SWITCH_STATES];
/* Names of the ports in the statistics, which are decimal numbers. */
extern const char *const sgt_switch_port_names[];

/* This generated header must come after the enums above, which define the sizes of its arrays. */
#include "stats/sgt_switch_stats.h"

struct sgt_switch_input {
   struct sgt_channel *from;
   /* The queue has params.queue slots. */
   uint8_t *messages;                    /* for each slot: the message */
   uint64_t *since;                      /* clock when the message in each slot entered the queue */
   uint8_t *outputs;                     /* output port of the message in each slot */
   uint8_t order[SGT_SWITCH_MAX_QUEUE];  /* slots of the messages in the queue, oldest first */
   uint8_t counts[SGT_SWITCH_MAX_PORTS]; /* number of queued messages for each output */
   uint64_t free_places;                 /* bitmask of free slots */
   uint32_t num;                         /* number of messages in the queue */
   uint64_t busy_until;                  /* first clock after the current transfer */
   uint64_t full_since; /* clock when a message started to wait for a slot, or SGT_NEVER */
};

struct sgt_switch_output {
   struct sgt_channel *to;
   uint64_t inputs[SGT_SWITCH_WORDS]; /* bitmask of inputs that have messages for this output */
   uint32_t num_inputs;               /* number of bits that are set in `inputs` */
   uint32_t latest;                   /* input that was selected last */
   /* busy_until: first clock after the current transfer; send_at: last clock of the transfer */
   uint64_t busy_until, send_at;
   uint8_t *message; /* message that is being moved */
   /* state of the output since clock `since`; the state BUSY ends at busy_until */
   enum sgt_switch_state state;
   uint64_t since; /* first clock whose state has not been counted in the statistics */
};

struct sgt_switch {
   struct sgt_unit unit;
   struct sgt_switch_params params;
   struct sgt_switch_rules rules;

   /* The following members are private. Times are in clocks of the switch. */
   struct sgt_switch_input *inputs;
   struct sgt_switch_output *outputs;
   /* number of 64-bit words that are used in bitmasks of inputs and in bitmasks of outputs */
   uint32_t input_words, output_words;
   uint64_t wanted[SGT_SWITCH_WORDS]; /* bitmask of outputs that have messages in the queues */
   /* bitmask of outputs whose message will be sent at send_at */
   uint64_t sending[SGT_SWITCH_WORDS];
   uint64_t busy[SGT_SWITCH_WORDS]; /* bitmask of inputs that may be busy with a transfer */
   uint64_t full[SGT_SWITCH_WORDS]; /* bitmask of inputs whose next message waits for a slot */
   /* queued: total number of messages in the queues
    * num_sending: number of bits that are set in `sending`
    */
   uint32_t queued, num_sending;
   uint64_t changed_at; /* clock when the queue occupancy was last updated in the statistics */
   uint8_t ports[SGT_UNIT_ARRIVALS]; /* input port of each channel, indexed by channel->input */
   bool connected;                   /* true if `ports` has been filled in */

   struct sgt_switch_stats stats;
};

/* Initializes a switch whose ports don't have channels yet. The parameters must be valid. Returns
 * false on allocation failure.
 */
bool sgt_switch_init(struct sgt_switch *s, struct sgt_sched *sched, const struct sgt_clock *clock,
                     const char *name, const struct sgt_switch_params *params,
                     const struct sgt_switch_rules *rules);
void sgt_switch_finish(struct sgt_switch *s);

/* The following functions set the channel of a port. All ports must have channels before the
 * simulation starts.
 */
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

/* Returns true if the switch has no messages. Messages in its channels are ignored. */
bool sgt_switch_idle(const struct sgt_switch *s);
/* Dumps the state of the ports and the messages in the queues. */
void sgt_switch_dump(const struct sgt_switch *s, struct sgt_dump *d);
/* Adds the states of all outputs up to `time` (in ticks) to the statistics. */
void sgt_switch_account(struct sgt_switch *s, uint64_t time);
/* Registers the statistics of the switch under the name `unit`. Called at the end of a simulation,
 * after sgt_switch_account().
 */
void sgt_switch_register(const struct sgt_switch *w, struct sgt_stats *s, const char *unit);

/* Returns the number of clocks that it takes to move a message with `data` bytes of data. */
static inline uint32_t
sgt_switch_clocks(const struct sgt_switch_params *p, uint32_t data)
{
   const uint32_t bytes = data + p->header_bytes;
   return bytes ? (bytes + p->port_bytes - 1) / p->port_bytes : 1;
}

#endif
