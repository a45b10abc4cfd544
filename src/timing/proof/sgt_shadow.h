/* SPDX-License-Identifier: MIT */
/*
 * The proof by the picture (docs/timing.md): a model's slices are applied, when they end, to
 * a shadow of the device's memory (sgpu_shadow.h), and their schedule is audited.  The memory
 * that results must be the device's.
 *
 *    plan = sgt_audit_plan_create(trace, image, NULL);       shared by all models
 *    shadow = sgt_shadow_create(plan, image, NULL, breaking);
 *    sgt_shadow_start(shadow, ...); sgt_shadow_end(shadow, ...);    from the engine
 *    sgt_shadow_finish(shadow, &report);
 */
#ifndef SGT_SHADOW_H
#define SGT_SHADOW_H

#include "sgpu_shadow.h"
#include "proof/sgt_audit.h"

/* Where the memory differs from the device's at the end of the range. */
struct sgt_shadow_wrong {
   uint64_t pixels; /* of all surfaces, samples by themselves; with bytes of buffers */
   uint32_t surfaces;
   /* Of the first surface that differs: */
   bool buffer;      /* of a buffer; then `surface` does not count */
   unsigned surface; /* of the image */
   struct sgpu_shadow_difference difference;
   uint32_t item; /* the last that covered the pixel; UINT32_MAX: none, or not known */
};

struct sgt_shadow_report {
   bool proved; /* nothing below is wrong */
   bool values; /* fragments were applied; else only the schedule was audited */
   struct sgt_violations violations[SGT_HAZARDS];
   uint64_t violations_total;
   struct sgpu_shadow_result fragments;
   /* Fragments that failed in program order, passed here, and may not be reordered. */
   uint64_t poison_in_order;
   /* Fragments that passed in program order and fail here; of models that test them apart. */
   uint64_t lost;
   struct sgt_shadow_wrong wrong;
   uint64_t hash; /* of all that is compared */
};

struct sgt_shadow;

/* image: finished; NULL: the schedule alone is audited.  records: as for the plan.  NULL: out
 * of memory.
 */
struct sgt_shadow *sgt_shadow_create(const struct sgt_audit_plan *plan,
                                     const struct sgpu_shadow_image *image, const uint32_t *records,
                                     enum sgt_breaking breaking);
void sgt_shadow_destroy(struct sgt_shadow *shadow);

/* A slice begins and ends, in the order in which the model does both. */
void sgt_shadow_start(struct sgt_shadow *shadow, uint64_t cycle, uint32_t item,
                      const struct sgt_rect *rect, const struct sgt_rect *cut);
void sgt_shadow_end(struct sgt_shadow *shadow, uint64_t cycle, uint32_t item,
                    const struct sgt_rect *cut);

/* An observer of sgt_engine_run that calls both. */
struct sgt_engine_observer sgt_shadow_observer(struct sgt_shadow *shadow);

/* All items whole, one after the other, in program order: whether trace and image are right. */
void sgt_shadow_run_in_order(struct sgt_shadow *shadow);

/* No slice is left: compares.  False: out of memory here or earlier. */
bool sgt_shadow_finish(struct sgt_shadow *shadow, struct sgt_shadow_report *report);
/* Prints a report to a FILE: a line, or what is wrong and where. */
void sgt_shadow_print(const struct sgt_shadow *shadow, const struct sgt_shadow_report *report,
                      void *file);

/* A picture of a layer of a surface of the image, width * height RGBA bytes: grey, and the
 * pixels that are wrong in red.  Returns how many are wrong; UINT64_MAX: no colours that can
 * be shown, or out of memory.
 */
uint64_t sgt_shadow_picture(struct sgt_shadow *shadow, unsigned surface, unsigned layer,
                            uint8_t *rgba);

#endif
