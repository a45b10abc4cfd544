/* SPDX-License-Identifier: MIT */
/*
 * Verification of a chip by its picture (docs/chip.md, "Verification"): an observer that applies
 * the work of the ROPs to a shadow of the device's memory, line by line and in the chip's time
 * order, and audits the order.
 *
 *    plan = sgt_audit_plan_create(trace, image, trace->states);     shared by all models
 *    shadow = sgt_chip_shadow_create(plan, image, trace->states, work, &params, ...);
 *    params.observer = sgt_chip_shadow_observer(shadow);            then the chip runs
 *    sgt_shadow_finish(sgt_chip_shadow_end(shadow), &report);
 */
#ifndef SGT_CHIP_SHADOW_H
#define SGT_CHIP_SHADOW_H

#include "chip/sgt_chip.h"
#include "chip_memory/sgt_chip_observer.h"
#include "proof/sgt_shadow.h"

struct sgt_chip_shadow;

/* Creates a shadow for one run of a chip with these parameters over the plan's trace and its work.
 * The trace must have values. `records` is the same as for the plan. Returns NULL and writes a
 * message if out of memory, or if a shadow cannot follow an operation, which the message names.
 */
struct sgt_chip_shadow *sgt_chip_shadow_create(const struct sgt_audit_plan *plan,
                                               const struct sgpu_shadow_image *image,
                                               const uint32_t *records, const struct sgt_work *work,
                                               const struct sgt_chip_params *params, char *error,
                                               size_t error_size);
void sgt_chip_shadow_destroy(struct sgt_chip_shadow *shadow);
const struct sgt_chip_observer *sgt_chip_shadow_observer(const struct sgt_chip_shadow *shadow);

/* Called after the run. Reports colours that were never written, and returns the shadow, whose
 * memory, audit and counts can then be reported.
 */
struct sgt_shadow *sgt_chip_shadow_end(struct sgt_chip_shadow *shadow);

#endif
