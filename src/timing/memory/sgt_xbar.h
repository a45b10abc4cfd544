/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network between the clients of memory and its partitions (Lindholm
 * 2008, Figure 1): a switch for requests and one for responses.
 *
 * A port moves so many bytes a clock.  Messages wait at the input port, and any of them whose
 * output is free can go; those from one input to one output keep their order.  Outputs choose
 * among inputs in turn.  The paper tells no more than that the network exists; widths, depths
 * and latency are assumed.
 */
#ifndef SGT_XBAR_H
#define SGT_XBAR_H

#include "sgt_channel.h"
#include "sgt_mem.h"
#include "sgt_partition_map.h"

struct sgt_stats;

#define SGT_XBAR_MAX_PORTS 64 /* clients, and partitions */
#define SGT_XBAR_MAX_QUEUE 64

struct sgt_xbar_params {
   uint32_t clients, partitions; /* 1 to SGT_XBAR_MAX_PORTS */
   uint32_t interleave;          /* bytes of a partition before the next; power of 2, from 64 */
   uint32_t request_bytes;       /* a clock of each port, to the partitions */
   uint32_t response_bytes;      /* a clock of each port, to the clients */
   uint32_t header_bytes;        /* of each message, beside its data */
   uint32_t operand_bytes;       /* of a lane of an atomic, either way */
   uint32_t queue;               /* messages of an input port, 1 to SGT_XBAR_MAX_QUEUE */
   uint32_t latency;             /* clocks from the end of a transfer to the receiver, from 1 */
};

/* From a partition; clients get the response alone. */
struct sgt_xbar_response {
   struct sgt_mem_response response;
   uint32_t bytes; /* of data */
};

union sgt_xbar_message {
   struct sgt_mem_request request;
   struct sgt_xbar_response response;
};

/* What an output port does in a clock. */
enum sgt_xbar_state {
   SGT_XBAR_BUSY,
   SGT_XBAR_BLOCKED, /* its receiver has no room */
   SGT_XBAR_WAIT,    /* the inputs that have messages for it are busy */
   SGT_XBAR_IDLE,    /* there are none */
   SGT_XBAR_STATES,
};
extern const char *const sgt_xbar_state_names[SGT_XBAR_STATES];

struct sgt_switch_stats {
   uint64_t clocks; /* accounted */
   uint64_t states[SGT_XBAR_STATES];
   uint64_t messages, bytes, data_bytes;
   uint64_t wait;      /* clocks from the input queue to the begin of the transfer */
   uint64_t occupancy; /* messages x clocks in input queues */
   uint64_t full;      /* ports x clocks in which a message found no room in the queue */
   uint64_t max_queue; /* of a port */
   uint64_t conflicts; /* messages that another input's came before */
   uint64_t input_messages[SGT_XBAR_MAX_PORTS], output_messages[SGT_XBAR_MAX_PORTS];
   uint64_t wait_log2[16]; /* messages by clocks in the queue */
};

struct sgt_switch_input {
   struct sgt_channel *from;
   union sgt_xbar_message *messages; /* `queue` places */
   uint64_t *since;
   uint8_t *outputs; /* of messages */
   uint8_t order[SGT_XBAR_MAX_QUEUE];
   uint8_t counts[SGT_XBAR_MAX_PORTS]; /* messages for each output */
   uint64_t free_places;
   uint32_t num;
   uint64_t busy_until;
   uint64_t full_since; /* SGT_NEVER: not */
};

struct sgt_switch_output {
   struct sgt_channel *to;
   uint64_t inputs;              /* bits: those that have messages for it */
   uint32_t latest;              /* input */
   uint64_t busy_until, send_at; /* send_at of SGT_NEVER: nothing moves */
   union sgt_xbar_message message;
   enum sgt_xbar_state state; /* from `since` on, or until the end of the transfer */
   uint64_t since;
};

struct sgt_switch {
   struct sgt_unit unit;
   struct sgt_switch_stats stats;

   /* Private.  Times are clocks. */
   const struct sgt_xbar *xbar;
   bool responses;
   uint32_t num_inputs, num_outputs, width;
   struct sgt_switch_input *inputs;
   struct sgt_switch_output *outputs;
   uint32_t queued;
   uint64_t changed_at;
};

/* Of a client: the client sends requests and takes responses; it always takes responses at
 * last, also while its requests find no room.
 */
struct sgt_xbar_port {
   struct sgt_channel requests, responses; /* sgt_mem_request, sgt_mem_response */
};

/* Of a partition: it takes requests and sends responses. */
struct sgt_xbar_end {
   struct sgt_channel requests, responses; /* sgt_mem_request, sgt_xbar_response */
};

struct sgt_xbar {
   struct sgt_xbar_params params;
   struct sgt_partition_map map;
   struct sgt_switch requests, responses;
   struct sgt_xbar_port *ports; /* of clients */
   struct sgt_xbar_end *ends;   /* of partitions */
};

/* All but `clients`, which is 1. */
void sgt_xbar_params_init(struct sgt_xbar_params *p);
/* If a value is illegal, false and a message that names the member. */
bool sgt_xbar_params_check(const struct sgt_xbar_params *p, char *error, size_t error_size);

/* In the domain of `clock`.  The parameters are legal.  False: no memory. */
bool sgt_xbar_init(struct sgt_xbar *x, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_xbar_params *params);
void sgt_xbar_finish(struct sgt_xbar *x);

/* Connects a client, with room for so many responses at it.  All clients and partitions are
 * connected before the first step.  False: no memory.
 */
bool sgt_xbar_connect(struct sgt_xbar *x, struct sgt_sched *sched, uint32_t client,
                      struct sgt_unit *unit, uint32_t responses);
/* Likewise a partition, with room for so many requests at it. */
bool sgt_xbar_connect_partition(struct sgt_xbar *x, struct sgt_sched *sched, uint32_t partition,
                                struct sgt_unit *unit, uint32_t requests);

/* No message is in it. */
bool sgt_xbar_idle(const struct sgt_xbar *x);
/* Accounts all clocks before `time`, in ticks; transfers under way to their end. */
void sgt_xbar_account(struct sgt_xbar *x, uint64_t time);
/* Registers the statistics as of "xbar.requests" and "xbar.responses". */
void sgt_xbar_register(const struct sgt_xbar *x, struct sgt_stats *s);

/* Clocks that a message with so much data takes on a port of this width. */
static inline uint32_t
sgt_xbar_clocks(const struct sgt_xbar_params *p, uint32_t data, uint32_t width)
{
   const uint32_t bytes = data + p->header_bytes;
   return bytes ? (bytes + width - 1) / width : 1;
}

#endif
