/* SPDX-License-Identifier: MIT */
/*
 * Random parameters, programs and works for the tests of the execution unit.
 */
#ifndef EU_RANDOM_WORK_H
#define EU_RANDOM_WORK_H

#include "chip_eu/sgt_eu.h"
#include "kernel/sgt_random.h"

void random_params(struct sgt_random *r, struct sgt_eu_params *p);
/* Makes random work.  All warps of a workgroup execute the same barriers; workgroups fit into
 * `p->threads`.
 */
struct sgt_work *random_work(struct sgt_random *r, const struct sgt_eu_params *p);
#endif
