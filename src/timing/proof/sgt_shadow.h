/* SPDX-License-Identifier: MIT */
/*
 * Verifies a timing model by its rendering results (docs/timing.md). When the model completes a
 * slice, the pixels of the slice are drawn to a shadow of the device's memory (sgpu_shadow.h). The
 * schedule is audited at the same time. In the end, the shadow must have the same contents as the
 * device's memory.
 *
 *    plan = sgt_audit_plan_create(trace, image, NULL);       shared by all models
 *    shadow = sgt_shadow_create(plan, image, NULL, breaking);
 *    sgt_shadow_start(shadow, ...); sgt_shadow_end(shadow, ...);    called by the engine
 *    sgt_shadow_finish(shadow, &report);
 */
#ifndef SGT_SHADOW_H
#define SGT_SHADOW_H

#include "sgpu_shadow.h"
#include "proof/sgt_audit.h"

/* Differences between the shadow and the device's memory at the end of the frame range. */
struct sgt_shadow_wrong {
   /* number of wrong samples in all surfaces, plus number of wrong bytes in all buffers */
   uint64_t pixels;
   uint32_t surfaces; /* number of wrong surfaces; all buffers together count as one surface */
   /* The following members describe the first difference. */
   /* true if the first difference is in a buffer, in which case `surface` is unused */
   bool buffer;
   unsigned surface; /* index of the surface in the shadow image */
   struct sgpu_shadow_difference difference;
   /* Index of the last item that covered the pixel. UINT32_MAX if no item covered it, or if the
    * item is unknown.
    */
   uint32_t item;
};

struct sgt_shadow_report {
   bool proved; /* true if the verification succeeded without any error */
   bool values; /* true if fragments were drawn, false if only the schedule was audited */
   struct sgt_violations violations[SGT_HAZARDS];
   uint64_t violations_total; /* total number of violations */
   struct sgpu_shadow_result fragments;
   /* Number of fragments that passed the tests although they fail in program order. Fragments of
    * items that may be reordered are not counted.
    */
   uint64_t poison_in_order;
   /* Number of fragments that failed the tests although they pass in program order. Always 0 for
    * models that don't test individual fragments.
    */
   uint64_t lost;
   struct sgt_shadow_wrong wrong;
   uint64_t hash; /* hash of all compared memory */
};

struct sgt_shadow;

/* Creates a shadow. `image` is a finished shadow image, or NULL to only audit the schedule.
 * `records` must be the same as for sgt_audit_plan_create(). Returns NULL if allocation fails.
 */
struct sgt_shadow *sgt_shadow_create(const struct sgt_audit_plan *plan,
                                     const struct sgpu_shadow_image *image, const uint32_t *records,
                                     enum sgt_breaking breaking);
void sgt_shadow_destroy(struct sgt_shadow *shadow);

/* These functions report the start and the end of a slice. They must be called in the order of
 * simulated time. The slice consists of the item's pixels inside `cut`. `rect` is the rectangle of
 * the slice's destination.
 */
void sgt_shadow_start(struct sgt_shadow *shadow, uint64_t cycle, uint32_t item,
                      const struct sgt_rect *rect, const struct sgt_rect *cut);
void sgt_shadow_end(struct sgt_shadow *shadow, uint64_t cycle, uint32_t item,
                    const struct sgt_rect *cut);

/* Returns an observer for sgt_engine_run() that calls sgt_shadow_start() and sgt_shadow_end(). */
struct sgt_engine_observer sgt_shadow_observer(struct sgt_shadow *shadow);

/* Executes all items in program order, without a timing model. This verifies the trace and the
 * shadow image.
 */
void sgt_shadow_run_in_order(struct sgt_shadow *shadow);

/* Compares the shadow with the device's memory after all slices have ended, and fills in *report.
 * Returns false if any allocation has failed.
 */
bool sgt_shadow_finish(struct sgt_shadow *shadow, struct sgt_shadow_report *report);
/* Prints a report to `file`, which is a FILE. The report is a single line on success. Otherwise, it
 * lists all errors and their locations.
 */
void sgt_shadow_print(const struct sgt_shadow *shadow, const struct sgt_shadow_report *report,
                      void *file);

/* Renders a picture of one layer of a surface in the shadow image, as width * height RGBA pixels of
 * 4 bytes. Correct pixels are gray and wrong pixels are red. Returns the number of wrong pixels, or
 * UINT64_MAX if the surface has no displayable colors or if allocation fails.
 */
uint64_t sgt_shadow_picture(struct sgt_shadow *shadow, unsigned surface, unsigned layer,
                            uint8_t *rgba);

#endif
