/* SPDX-License-Identifier: MIT */
/*
 * The reference of the engine with perfect memory: the prose of Wolfe and Noonburg (MICRO-32,
 * 1999, 3.3 and 4.6) with arrays and loops, cycle by cycle.  Slow; tests compare it with
 * sgt_engine.c.
 */
#ifndef ISSUE_REFERENCE_H
#define ISSUE_REFERENCE_H

#include "engine99/sgt_engine.h"

/* As sgt_engine_run, which must accept the parameters.  Of the result it finds what cycles,
 * units and operations do: all but the series and the DRAM.  False: no memory.
 */
bool issue_reference_run(const struct sgt_trace *trace, const struct sgt_engine_params *params,
                         const struct sgt_engine_observer *observer,
                         struct sgt_engine_result *result);

#endif
