/* SPDX-License-Identifier: MIT */
/*
 * Verifies a chip model by its rendering results (docs/chip.md, "Verification"). An observer
 * applies the work of the ROPs to a shadow of the device's memory, line by line and in the order of
 * the chip's simulated time, and audits this order.
 *
 *    plan = sgt_audit_plan_create(trace, image, trace->states);     can be shared by models
 *    shadow = sgt_chip_shadow_create(plan, image, trace->states, work, &params, ...);
 *    params.observer = sgt_chip_shadow_observer(shadow);            then simulate the chip
 *    sgt_shadow_finish(sgt_chip_shadow_end(shadow), &report);
 */
#ifndef SGT_CHIP_SHADOW_H
#define SGT_CHIP_SHADOW_H

#include "chip/sgt_chip.h"
#include "chip_memory/sgt_chip_observer.h"
#include "proof/sgt_shadow.h"

struct sgt_chip_shadow;

/* Creates a shadow for a single simulation of a chip with these parameters. The trace must be that
 * of the plan and must contain fragment values, and `records` must be the same as for the plan.
 * Returns NULL and writes a message if allocation fails or if the trace has an operation that a
 * shadow doesn't support.
 */
struct sgt_chip_shadow *sgt_chip_shadow_create(const struct sgt_audit_plan *plan,
                                               const struct sgpu_shadow_image *image,
                                               const uint32_t *records, const struct sgt_work *work,
                                               const struct sgt_chip_params *params, char *error,
                                               size_t error_size);
void sgt_chip_shadow_destroy(struct sgt_chip_shadow *shadow);
const struct sgt_chip_observer *sgt_chip_shadow_observer(const struct sgt_chip_shadow *shadow);

/* Reports colors that were never written, and returns the shadow for sgt_shadow_finish(). Must be
 * called after the simulation.
 */
struct sgt_shadow *sgt_chip_shadow_end(struct sgt_chip_shadow *shadow);

#endif
