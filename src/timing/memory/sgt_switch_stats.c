/* SPDX-License-Identifier: MIT */
/*
 * Switches: statistics in the registry.
 */
#include "sgt_switch.h"

#include "sgt_stats.h"
#include "util/macros.h"

const char *const sgt_switch_state_names[SGT_SWITCH_STATES] = { "busy", "blocked", "wait", "idle" };

#define ROW(member, name, of, text)                             \
   {                                                            \
      name, of, text, offsetof(struct sgt_switch_stats, member) \
   }

static const struct sgt_stat_row counts[] = {
   ROW(clocks, "clocks", "clocks", "Clocks of the switch."),
   ROW(messages, "messages", "messages", "Messages that were moved."),
   ROW(bytes, "bytes", "bytes", "Bytes that were moved."),
   ROW(data_bytes, "data-bytes", "bytes", "Of them, data."),
   ROW(wait, "wait", "clocks", "From the input queue to the transfer, summed over messages."),
   ROW(occupancy, "occupancy", "messages x clocks", "Messages in input queues, summed."),
   ROW(full, "full", "clocks", "Clocks in which a message found no room, summed over ports."),
   ROW(max_queue, "max-queue", "messages", "The most in a port's queue."),
   ROW(conflicts, "conflicts", "messages", "Messages that went before one of another input."),
};

static const char *const port_names[SGT_SWITCH_MAX_PORTS] = {
   "0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",  "10", "11", "12", "13", "14", "15",
   "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
   "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "43", "44", "45", "46", "47",
   "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59", "60", "61", "62", "63",
};

void
sgt_switch_register(const struct sgt_switch *w, struct sgt_stats *s, const char *unit)
{
   const struct sgt_switch_stats *t = &w->stats;
   sgt_stats_add_rows(s, unit, t, counts, ARRAY_SIZE(counts));
   sgt_stats_add_parts(s, unit, "states", "clocks", "What output ports do in each clock.",
                       SGT_SWITCH_STATES, t->states, sgt_switch_state_names,
                       t->clocks * w->params.outputs);
   sgt_stats_add_parts(s, unit, "inputs", "messages", "Messages by input port.", w->params.inputs,
                       t->input_messages, port_names, t->messages);
   sgt_stats_add_parts(s, unit, "outputs", "messages", "Messages by output port.",
                       w->params.outputs, t->output_messages, port_names, t->messages);
   sgt_stats_add_log2(s, unit, "waits", "messages", "Messages by clocks in the input queue.",
                      ARRAY_SIZE(t->wait_log2), t->wait_log2);
}
