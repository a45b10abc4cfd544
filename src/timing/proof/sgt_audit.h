/* SPDX-License-Identifier: MIT */
/*
 * Audit of the schedule of a timing model. Two slices that access the same memory, at least one
 * of them with a write, must execute one after the other and in program order.
 *
 *    depend(P, D) = S_P n D_D + D_P n D_D + D_P n S_D     (Wolfe and Noonburg, 1999, 3.2)
 *
 * The audit does not use the rectangles of the dispatch engine, but the pixels and regions that
 * the slices access:
 *
 *    destinations   are checked per pixel. Each pixel of each surface has the number of the last
 *                   item that covered it. An item that follows a later item is out of order (WAW).
 *    sources        are checked per region. The accesses of a source region form epochs, which
 *                   alternate between readers and writers. All accesses of an epoch must have
 *                   ended before the next epoch begins (RAW, WAR).
 *    in flight      a slice must not share a pixel with another slice that is executing.
 *
 * So the audit finds each violated dependence that changes results, and reports nothing for a
 * legal schedule. It does not check the order of writes through different surfaces that overlap in
 * memory. Such errors appear in the picture.
 */
#ifndef SGT_AUDIT_H
#define SGT_AUDIT_H

#include "engine99/sgt_engine.h"
#include "trace/sgt_trace.h"

struct sgpu_shadow_image;

enum sgt_hazard {
   SGT_HAZARD_RAW,      /* a read before an earlier write had ended */
   SGT_HAZARD_WAW,      /* writes out of order, or at the same time */
   SGT_HAZARD_WAR,      /* a write before an earlier read had ended */
   SGT_HAZARD_CONFLICT, /* items that may execute in any order executed at the same time */
   SGT_HAZARD_PARTS,    /* pixels of an item were omitted, or done twice */
   SGT_HAZARDS,
};
extern const char *const sgt_hazard_names[SGT_HAZARDS];

struct sgt_violations {
   uint64_t count; /* number of violations of a kind */
   /* The other members describe the first violation. */
   uint64_t cycle;
   /* The item whose slice started or ended, and the item that it conflicts with, or UINT32_MAX if
    * that is not known.
    */
   uint32_t item, other;
   struct sgt_rect rect; /* pixels of the item's slice */
};

/* Data that all audits of a trace share. It is read-only. */
struct sgt_audit_plan;
/* Creates the plan of a trace. `image` has the records of the trace's operations. If it is NULL,
 * sets stand for surfaces. `records` maps operation->state to the number of the record; if it is
 * NULL, the numbers are equal. Returns NULL if out of memory.
 */
struct sgt_audit_plan *sgt_audit_plan_create(const struct sgt_trace *trace,
                                             const struct sgpu_shadow_image *image,
                                             const uint32_t *records);
void sgt_audit_plan_destroy(struct sgt_audit_plan *plan);

struct sgt_audit;
/* Creates an audit of a schedule with this rule of breaking. Returns NULL if out of memory. */
struct sgt_audit *sgt_audit_create(const struct sgt_audit_plan *plan, enum sgt_breaking breaking);
void sgt_audit_destroy(struct sgt_audit *audit);

/* Report the start and the end of a slice. The calls must be in the order of simulated time. The
 * slice consists of the pixels of the item in `cut`. `rect` is the rectangle of its destination.
 */
void sgt_audit_start(struct sgt_audit *audit, uint64_t cycle, uint32_t item,
                     const struct sgt_rect *rect, const struct sgt_rect *cut);
void sgt_audit_end(struct sgt_audit *audit, uint64_t cycle, uint32_t item,
                   const struct sgt_rect *cut);
/* For models without slices: reports that lanes of a block of 8x4 pixels are tested or written. The
 * block is in the plane at device address `plane`, which has the size width x height. Checks that
 * no later item was there before.
 */
void sgt_audit_block(struct sgt_audit *audit, uint64_t cycle, uint32_t item, bool write,
                     uint64_t plane, uint32_t width, uint32_t height, uint32_t x, uint32_t y,
                     uint32_t lanes);
/* Adds a violation that the timing model has found. */
void sgt_audit_note(struct sgt_audit *audit, enum sgt_hazard hazard, uint64_t cycle, uint32_t item,
                    uint32_t other, const struct sgt_rect *rect);

/* Checks at the end of a run that all pixels of all items were done. */
void sgt_audit_finish(struct sgt_audit *audit);

const struct sgt_violations *sgt_audit_violations(const struct sgt_audit *audit,
                                                  enum sgt_hazard hazard);
/* Returns the number of violations of all kinds. */
uint64_t sgt_audit_count(const struct sgt_audit *audit);
/* Returns false if a function of the audit has been out of memory. */
bool sgt_audit_ok(const struct sgt_audit *audit);

/* Returns the last item in program order that covered a pixel so far, or UINT32_MAX if there is
 * none. `plane` is the device address of the layer.
 */
uint32_t sgt_audit_writer(const struct sgt_audit *audit, uint64_t plane, uint32_t x, uint32_t y);

#endif
