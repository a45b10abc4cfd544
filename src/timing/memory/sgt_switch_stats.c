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

#define TEN(d) d "0", d "1", d "2", d "3", d "4", d "5", d "6", d "7", d "8", d "9"
static const char *const port_names[] = {
   TEN(""),   TEN("1"),  TEN("2"),  TEN("3"),  TEN("4"),  TEN("5"),  TEN("6"),
   TEN("7"),  TEN("8"),  TEN("9"),  TEN("10"), TEN("11"), TEN("12"), TEN("13"),
   TEN("14"), TEN("15"), TEN("16"), TEN("17"), TEN("18"), TEN("19"), TEN("20"),
   TEN("21"), TEN("22"), TEN("23"), TEN("24"), TEN("25"),
};
static_assert(ARRAY_SIZE(port_names) >= SGT_SWITCH_MAX_PORTS, "each port has a name");

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
