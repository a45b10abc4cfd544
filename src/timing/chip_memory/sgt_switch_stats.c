/* SPDX-License-Identifier: MIT */
/*
 * Registers the statistics of a switch.
 */
#include "chip_memory/sgt_switch.h"

#include "kernel/sgt_stats.h"
#include "util/macros.h"

const char *const sgt_switch_state_names[SGT_SWITCH_STATES] = { "busy", "blocked", "wait", "idle" };

#define TEN(d) d "0", d "1", d "2", d "3", d "4", d "5", d "6", d "7", d "8", d "9"
const char *const sgt_switch_port_names[] = {
   TEN(""),   TEN("1"),  TEN("2"),  TEN("3"),  TEN("4"),  TEN("5"),  TEN("6"),
   TEN("7"),  TEN("8"),  TEN("9"),  TEN("10"), TEN("11"), TEN("12"), TEN("13"),
   TEN("14"), TEN("15"), TEN("16"), TEN("17"), TEN("18"), TEN("19"), TEN("20"),
   TEN("21"), TEN("22"), TEN("23"), TEN("24"), TEN("25"),
};
static_assert(ARRAY_SIZE(sgt_switch_port_names) >= SGT_SWITCH_MAX_PORTS, "each port has a name");

void
sgt_switch_register(const struct sgt_switch *w, struct sgt_stats *s, const char *unit)
{
   sgt_switch_stats_register(&w->stats, w->params.inputs, w->params.outputs, s, unit);
}
