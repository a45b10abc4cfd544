/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: the rules of docs/chip-sm.md written down as they are said, with
 * plain arrays and a look at each warp in each cycle.  Tests compare sgt_sm.h with it, cycle
 * by cycle.
 */
#ifndef SM_REFERENCE_H
#define SM_REFERENCE_H

#include "chip_sm/sgt_sm.h"

struct sm_reference;

/* As the functions of sgt_sm.h.  The unit is called in each cycle, for ever. */
struct sm_reference *sm_reference_create(struct sgt_sched *sched, const struct sgt_clock *clock,
                                         const struct sgt_sm_code *code, uint16_t sm);
void sm_reference_destroy(struct sm_reference *r);
struct sgt_unit *sm_reference_unit(struct sm_reference *r);
void sm_reference_connect(struct sm_reference *r, const struct sgt_sm_ports *ports);
void sm_reference_observe(struct sm_reference *r, const struct sgt_sm_observer *observer);
/* Of the cycles up to the latest call. */
const struct sgt_sm_stats *sm_reference_results(const struct sm_reference *r);

#endif
