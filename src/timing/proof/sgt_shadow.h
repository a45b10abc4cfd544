/* SPDX-License-Identifier: MIT */
/*
 * Verification of a timing model by the picture (docs/timing.md). When a slice ends in the model,
 * its pixels are drawn in a shadow of the device's memory (sgpu_shadow.h). The schedule is audited
 * too. The final contents of the shadow must equal those of the device's memory.
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

/* Differences between the shadow and the device's memory at the end of the range. */
struct sgt_shadow_wrong {
   uint64_t pixels;   /* number of samples of all surfaces that differ, plus bytes of buffers */
   uint32_t surfaces; /* number of surfaces that differ; all buffers together count as one */
   /* The other members describe the first surface that differs. */
   bool buffer;      /* the difference is in a buffer; `surface` is unused */
   unsigned surface; /* index of the surface in the image */
   struct sgpu_shadow_difference difference;
   uint32_t item; /* last item that covered the pixel, or UINT32_MAX if there is none or it is not
                   * known
                   */
};

struct sgt_shadow_report {
   bool proved; /* the verification found no error */
   bool values; /* fragments were drawn; false: only the schedule was audited */
   struct sgt_violations violations[SGT_HAZARDS];
   uint64_t violations_total; /* number of violations of all kinds */
   struct sgpu_shadow_result fragments;
   /* Number of fragments that pass although they fail in program order, from items that must not be
    * reordered.
    */
   uint64_t poison_in_order;
   /* Number of fragments that fail although they pass in program order. It is 0 for models that do
    * not test fragments separately.
    */
   uint64_t lost;
   struct sgt_shadow_wrong wrong;
   uint64_t hash; /* hash of all memory that is compared */
};

struct sgt_shadow;

/* Creates a shadow. `image` must be finished; if it is NULL, only the schedule is audited.
 * `records` is that of the plan. Returns NULL if out of memory.
 */
struct sgt_shadow *sgt_shadow_create(const struct sgt_audit_plan *plan,
                                     const struct sgpu_shadow_image *image, const uint32_t *records,
                                     enum sgt_breaking breaking);
void sgt_shadow_destroy(struct sgt_shadow *shadow);

/* Report the start and the end of a slice. The calls must be in the order of simulated time. The
 * slice consists of the pixels of the item in `cut`. `rect` is the rectangle of its destination.
 */
void sgt_shadow_start(struct sgt_shadow *shadow, uint64_t cycle, uint32_t item,
                      const struct sgt_rect *rect, const struct sgt_rect *cut);
void sgt_shadow_end(struct sgt_shadow *shadow, uint64_t cycle, uint32_t item,
                    const struct sgt_rect *cut);

/* Returns an observer for sgt_engine_run() that calls both functions. */
struct sgt_engine_observer sgt_shadow_observer(struct sgt_shadow *shadow);

/* Executes all items completely in program order. This checks the trace and the image. */
void sgt_shadow_run_in_order(struct sgt_shadow *shadow);

/* Compares the memory after all slices have ended, and fills in *report. Returns false if this or
 * an earlier function was out of memory.
 */
bool sgt_shadow_finish(struct sgt_shadow *shadow, struct sgt_shadow_report *report);
/* Prints a report to the FILE `file`: one line, or all errors with their places. */
void sgt_shadow_print(const struct sgt_shadow *shadow, const struct sgt_shadow_report *report,
                      void *file);

/* Makes a picture of a layer of a surface of the image, as width * height RGBA pixels of 4 bytes.
 * Correct pixels are grey, wrong pixels are red. Returns the number of wrong pixels, or UINT64_MAX
 * if the surface has no colours that can be shown, or if out of memory.
 */
uint64_t sgt_shadow_picture(struct sgt_shadow *shadow, unsigned surface, unsigned layer,
                            uint8_t *rgba);

#endif
