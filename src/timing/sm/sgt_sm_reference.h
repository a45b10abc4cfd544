/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: a reference implementation of the rules in docs/chip-sm.md. It is
 * simple and slow: it uses plain arrays, and evaluates each warp in each cycle. Tests compare
 * sgt_sm.h with it cycle by cycle.
 */
#ifndef SGT_SM_REFERENCE_H
#define SGT_SM_REFERENCE_H

#include "sgt_sm.h"

struct sgt_sm_reference;

/* Same as the functions of sgt_sm.h. The unit schedules itself in each cycle, without end. */
struct sgt_sm_reference *sgt_sm_reference_create(struct sgt_sched *sched,
                                                 const struct sgt_clock *clock,
                                                 const struct sgt_sm_code *code, uint16_t sm);
void sgt_sm_reference_destroy(struct sgt_sm_reference *r);
struct sgt_unit *sgt_sm_reference_unit(struct sgt_sm_reference *r);
void sgt_sm_reference_connect(struct sgt_sm_reference *r, const struct sgt_sm_ports *ports);
void sgt_sm_reference_observe(struct sgt_sm_reference *r, const struct sgt_sm_observer *observer);
/* Returns the statistics of the cycles up to the latest call of the unit. */
const struct sgt_sm_stats *sgt_sm_reference_results(const struct sgt_sm_reference *r);

#endif
