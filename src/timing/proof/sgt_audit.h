/* SPDX-License-Identifier: MIT */
/*
 * Audits the schedule of a timing model. If two slices access the same memory and at least one of
 * them writes it, they must execute one after the other in program order.
 *
 *    depend(P, D) = S_P n D_D + D_P n D_D + D_P n S_D     (Wolfe and Noonburg, 1999, 3.2)
 *
 * Instead of the rectangles of the dispatch engine, the audit uses the pixels and regions that
 * slices actually access:
 *
 *    destinations   are checked per pixel. The audit records the last item that covered each pixel
 *                   of each surface. If an earlier item in program order covers the pixel
 *                   afterwards, this is a violation (WAW).
 *    sources        are checked per region. The accesses to a source region form epochs, which
 *                   alternate between reads and writes. All accesses of an epoch must end before
 *                   the next epoch begins (RAW, WAR).
 *    in flight      slices that execute at the same time must not share a pixel.
 *
 * This finds each violated dependence that can change results, and reports nothing for a legal
 * schedule. The order of writes through different surfaces that overlap in memory is not checked.
 * These errors show up in the final picture.
 */
#ifndef SGT_AUDIT_H
#define SGT_AUDIT_H

#include "engine99/sgt_engine.h"
#include "trace/sgt_trace.h"

struct sgpu_shadow_image;

enum sgt_hazard {
   SGT_HAZARD_RAW, /* a read started before an earlier write ended */
   SGT_HAZARD_WAW, /* writes were executed out of order or at the same time */
   SGT_HAZARD_WAR, /* a write started before an earlier read ended */
   /* two items that may be reordered, but must not overlap, were executed at the same time */
   SGT_HAZARD_CONFLICT,
   SGT_HAZARD_PARTS, /* pixels of an item were skipped or processed twice */
   SGT_HAZARDS,
};
extern const char *const sgt_hazard_names[SGT_HAZARDS];

struct sgt_violations {
   uint64_t count; /* number of violations of this kind */
   /* The following members describe the first violation. */
   uint64_t cycle;
   /* item: index of the item whose slice started or ended;
    * other: index of the item that it conflicts with, or UINT32_MAX if unknown
    */
   uint32_t item, other;
   struct sgt_rect rect; /* pixels in the item's slice */
};

/* Read-only data that all audits of a trace share. */
struct sgt_audit_plan;
/* Creates the plan of a trace. `image` is the shadow image with the records of the trace's
 * operations, or NULL to treat each memory set as a surface. `records` maps sgt_operation::state to
 * the index of a record. It is NULL if sgt_operation::state already is that index. Returns NULL if
 * allocation fails.
 */
struct sgt_audit_plan *sgt_audit_plan_create(const struct sgt_trace *trace,
                                             const struct sgpu_shadow_image *image,
                                             const uint32_t *records);
void sgt_audit_plan_destroy(struct sgt_audit_plan *plan);

struct sgt_audit;
/* Creates an audit of one schedule. The schedule may reorder items according to the rule
 * `breaking`. Returns NULL if allocation fails.
 */
struct sgt_audit *sgt_audit_create(const struct sgt_audit_plan *plan, enum sgt_breaking breaking);
void sgt_audit_destroy(struct sgt_audit *audit);

/* These functions report the start and the end of a slice. They must be called in the order of
 * simulated time. The slice consists of the item's pixels inside `cut`. `rect` is the rectangle of
 * the slice's destination.
 */
void sgt_audit_start(struct sgt_audit *audit, uint64_t cycle, uint32_t item,
                     const struct sgt_rect *rect, const struct sgt_rect *cut);
void sgt_audit_end(struct sgt_audit *audit, uint64_t cycle, uint32_t item,
                   const struct sgt_rect *cut);
/* Reports that a model without slices tests or writes the lanes `lanes` of the 8x4 pixel block at
 * (x, y). `plane` is the device address of the block's plane, which has a size of width x height
 * pixels. Checks that no later item has already accessed these lanes.
 */
void sgt_audit_block(struct sgt_audit *audit, uint64_t cycle, uint32_t item, bool write,
                     uint64_t plane, uint32_t width, uint32_t height, uint32_t x, uint32_t y,
                     uint32_t lanes);
/* Adds a violation that the timing model itself has detected. */
void sgt_audit_note(struct sgt_audit *audit, enum sgt_hazard hazard, uint64_t cycle, uint32_t item,
                    uint32_t other, const struct sgt_rect *rect);

/* Checks that all pixels of all items have been processed. Must be called after the simulation. */
void sgt_audit_finish(struct sgt_audit *audit);

const struct sgt_violations *sgt_audit_violations(const struct sgt_audit *audit,
                                                  enum sgt_hazard hazard);
/* Returns the total number of violations. */
uint64_t sgt_audit_count(const struct sgt_audit *audit);
/* Returns false if an allocation has failed. */
bool sgt_audit_ok(const struct sgt_audit *audit);

/* Returns the index of the last item in program order that has covered a pixel so far, or
 * UINT32_MAX if there is none. `plane` is the device address of the layer.
 */
uint32_t sgt_audit_writer(const struct sgt_audit *audit, uint64_t plane, uint32_t x, uint32_t y);

#endif
