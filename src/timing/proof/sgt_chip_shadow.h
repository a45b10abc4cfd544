/* SPDX-License-Identifier: MIT */
/*
 * The proof by the picture for a chip (docs/chip.md, "Verification"): an observer that does what the
 * ROPs do to a shadow of the device's memory, line by line and in the chip's own time order, and
 * audits the order.
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

/* For one run of a chip with these parameters over the plan's trace, which has values, and its work.
 * records: as for the plan.  NULL, with a message: out of memory, or an operation that a shadow
 * cannot follow, by its name.
 */
struct sgt_chip_shadow *sgt_chip_shadow_create(const struct sgt_audit_plan *plan,
                                               const struct sgpu_shadow_image *image,
                                               const uint32_t *records, const struct sgt_work *work,
                                               const struct sgt_chip_params *params, char *error,
                                               size_t error_size);
void sgt_chip_shadow_destroy(struct sgt_chip_shadow *shadow);
const struct sgt_chip_observer *sgt_chip_shadow_observer(const struct sgt_chip_shadow *shadow);

/* After the run: what was left out counts; then memory, audit and counts can be reported. */
struct sgt_shadow *sgt_chip_shadow_end(struct sgt_chip_shadow *shadow);

#endif
