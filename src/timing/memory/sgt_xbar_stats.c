/* SPDX-License-Identifier: MIT */
/*
 * The interconnection network: parameters, statistics in the registry.
 */
#include "sgt_xbar.h"

#include <inttypes.h>
#include <stdio.h>

#include "sgt_stat_rows.h"
#include "util/macros.h"

void
sgt_xbar_params_init(struct sgt_xbar_params *p)
{
   *p = (struct sgt_xbar_params){
      .clients = 1,
      .partitions = 6,
      .interleave = 256,
      .request_bytes = 32,
      .response_bytes = 32,
      .header_bytes = 0,
      .operand_bytes = 4,
      .queue = 8,
      .latency = 12,
   };
}

bool
sgt_xbar_params_check(const struct sgt_xbar_params *p, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint32_t value, low, high;
   } ranges[] = {
      { "clients", p->clients, 1, SGT_XBAR_MAX_PORTS },
      { "partitions", p->partitions, 1, SGT_XBAR_MAX_PORTS },
      { "interleave", p->interleave, 64, 1 << 20 },
      { "request_bytes", p->request_bytes, 1, 1024 },
      { "response_bytes", p->response_bytes, 1, 1024 },
      { "header_bytes", p->header_bytes, 0, 1024 },
      { "operand_bytes", p->operand_bytes, 0, 64 },
      { "queue", p->queue, 1, SGT_XBAR_MAX_QUEUE },
      { "latency", p->latency, 1, 1000 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      if (ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)
         continue;
      snprintf(error, error_size, "xbar.%s: %" PRIu32 " is not from %" PRIu32 " to %" PRIu32,
               ranges[i].name, ranges[i].value, ranges[i].low, ranges[i].high);
      return false;
   }
   if (!util_is_power_of_two_nonzero(p->interleave)) {
      snprintf(error, error_size, "xbar.interleave: %" PRIu32 " is not a power of 2",
               p->interleave);
      return false;
   }
   return true;
}

const char *const sgt_xbar_state_names[SGT_XBAR_STATES] = { "busy", "blocked", "wait", "idle" };

#define ROW(member, name, of, text)                             \
   {                                                            \
      name, of, text, offsetof(struct sgt_switch_stats, member) \
   }

static const struct sgt_stat_row counts[] = {
   ROW(clocks, "clocks", "clocks", "Clocks of the network."),
   ROW(messages, "messages", "messages", "Messages that were moved."),
   ROW(bytes, "bytes", "bytes", "Bytes that were moved."),
   ROW(data_bytes, "data-bytes", "bytes", "Of them, data."),
   ROW(wait, "wait", "clocks", "From the input queue to the transfer, summed over messages."),
   ROW(occupancy, "occupancy", "messages x clocks", "Messages in input queues, summed."),
   ROW(full, "full", "clocks", "Clocks in which a message found no room, summed over ports."),
   ROW(max_queue, "max-queue", "messages", "The most in a port's queue."),
   ROW(conflicts, "conflicts", "messages", "Messages that went before one of another input."),
};

static const char *const port_names[SGT_XBAR_MAX_PORTS] = {
   "0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",  "10", "11", "12", "13", "14", "15",
   "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
   "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46", "47",
   "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59", "60", "61", "62", "63",
};

static void
register_switch(const struct sgt_switch *w, struct sgt_stats *s, const char *unit)
{
   const struct sgt_switch_stats *t = &w->stats;
   sgt_stats_add_rows(s, unit, t, counts, ARRAY_SIZE(counts));
   sgt_stats_add_parts(s, unit, "states", "clocks", "What output ports do in each clock.",
                       SGT_XBAR_STATES, t->states, sgt_xbar_state_names,
                       t->clocks * w->num_outputs);
   sgt_stats_add_parts(s, unit, "inputs", "messages", "Messages by input port.", w->num_inputs,
                       t->input_messages, port_names, t->messages);
   sgt_stats_add_parts(s, unit, "outputs", "messages", "Messages by output port.", w->num_outputs,
                       t->output_messages, port_names, t->messages);
   sgt_stats_add_log2(s, unit, "waits", "messages", "Messages by clocks in the input queue.",
                      ARRAY_SIZE(t->wait_log2), t->wait_log2);
}

void
sgt_xbar_register(const struct sgt_xbar *x, struct sgt_stats *s)
{
   register_switch(&x->requests, s, "xbar.requests");
   register_switch(&x->responses, s, "xbar.responses");
}
