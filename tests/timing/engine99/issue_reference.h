/* SPDX-License-Identifier: MIT */
/*
 * The reference of the engine with perfect memory: implements the text of Wolfe and Noonburg
 * (MICRO-32, 1999, 3.3 and 4.6) with arrays and loops, cycle by cycle. It is slow. Tests compare it
 * with sgt_engine.c.
 */
#ifndef ISSUE_REFERENCE_H
#define ISSUE_REFERENCE_H

#include "engine99/sgt_engine.h"

/* Runs the trace as sgt_engine_run() does, which must accept the parameters. Fills the result
 * except for the time series and the DRAM statistics. Returns false if out of memory.
 */
bool issue_reference_run(const struct sgt_trace *trace, const struct sgt_engine_params *params,
                         const struct sgt_engine_observer *observer,
                         struct sgt_engine_result *result);

#endif
