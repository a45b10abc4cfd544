/* SPDX-License-Identifier: MIT */
/*
 * Execution unit: names of thread states, and statistics.
 */
#include "chip_eu/sgt_eu_core.h"

const char *const sgt_eu_thread_state_names[SGT_EU_THREAD_STATES] = {
   [SGT_EU_EMPTY] = "empty",    [SGT_EU_ISSUE] = "issue",     [SGT_EU_STALL] = "stall",
   [SGT_EU_DECODE] = "decode",  [SGT_EU_FETCH] = "fetch",     [SGT_EU_GRANT] = "grant",
   [SGT_EU_JUMP] = "jump",      [SGT_EU_BARRIER] = "barrier", [SGT_EU_RESULT] = "result",
   [SGT_EU_ACCESS] = "access",  [SGT_EU_REGS] = "registers",  [SGT_EU_CONST] = "constant",
   [SGT_EU_ATTR] = "attribute", [SGT_EU_OUTPUT] = "output",   [SGT_EU_SELECT] = "select",
   [SGT_EU_DRAIN] = "drain",
};

void
sgt_eu_stats_add(const struct sgt_eu *eu, struct sgt_stats *stats, const char *name)
{
   sgt_eu_stats_register(&eu->stats, &eu->params, &eu->core->constants.stats, stats, name);
}
