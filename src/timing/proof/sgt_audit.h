/* SPDX-License-Identifier: MIT */
/*
 * Audit of a schedule: two slices that access the same memory, one of them to write, must be
 * in program order, and not at once.
 *
 *    depend(P, D) = S_P n D_D + D_P n D_D + D_P n S_D     (Wolfe and Noonburg, 1999, 3.2)
 *
 * The audit does not use the engine's rectangles for this, but what the slices access:
 *
 *    destinations   by pixel: each has the number of the last item that covered it, in the
 *                   memory of each surface.  An item that comes behind a later one has lost
 *                   the order (WAW).
 *    sources        by region: the accesses of each source region are epochs of readers and
 *                   of writers in turn.  All of an epoch must have ended before the next
 *                   begins (RAW, WAR).
 *    in flight      a slice must share no pixel with a slice that is under way.
 *
 * So it finds each broken dependence that matters, and nothing in a legal schedule.  It
 * leaves out the order of writes through surfaces that overlap in memory without being
 * equal; the picture shows those.
 */
#ifndef SGT_AUDIT_H
#define SGT_AUDIT_H

#include "engine99/sgt_engine.h"
#include "trace/sgt_trace.h"

struct sgpu_shadow_image;

enum sgt_hazard {
   SGT_HAZARD_RAW,      /* read before an earlier write had ended */
   SGT_HAZARD_WAW,      /* written out of order, or with another writer under way */
   SGT_HAZARD_WAR,      /* written before an earlier read had ended */
   SGT_HAZARD_CONFLICT, /* items that may run in any order ran at once */
   SGT_HAZARD_PARTS,    /* pixels of an item were left out, or done twice */
   SGT_HAZARDS,
};
extern const char *const sgt_hazard_names[SGT_HAZARDS];

struct sgt_violations {
   uint64_t count;
   /* Of the first: */
   uint64_t cycle;
   uint32_t item, other; /* the one that started or ended; UINT32_MAX: not known */
   struct sgt_rect rect; /* of the item's slice */
};

/* What audits of a trace share; read-only. */
struct sgt_audit_plan;
/* image: the records of the trace's operations, or NULL: surfaces are told apart by set.
 * records: number of the record by operation->state; NULL: the same number.  NULL: out of
 * memory.
 */
struct sgt_audit_plan *sgt_audit_plan_create(const struct sgt_trace *trace,
                                             const struct sgpu_shadow_image *image,
                                             const uint32_t *records);
void sgt_audit_plan_destroy(struct sgt_audit_plan *plan);

struct sgt_audit;
/* NULL: out of memory. */
struct sgt_audit *sgt_audit_create(const struct sgt_audit_plan *plan, enum sgt_breaking breaking);
void sgt_audit_destroy(struct sgt_audit *audit);

/* In the order in which they happen.  The slice has the pixels of the item in `cut`. */
void sgt_audit_start(struct sgt_audit *audit, uint64_t cycle, uint32_t item,
                     const struct sgt_rect *rect, const struct sgt_rect *cut);
void sgt_audit_end(struct sgt_audit *audit, uint64_t cycle, uint32_t item,
                   const struct sgt_rect *cut);
/* For models without slices.  The lanes of a block of 8x4 pixels of a target of the item, in
 * the plane at device address `plane`, are tested or written: they must not come behind a later
 * item.
 */
void sgt_audit_block(struct sgt_audit *audit, uint64_t cycle, uint32_t item, bool write,
                     uint64_t plane, uint32_t width, uint32_t height, uint32_t x, uint32_t y,
                     uint32_t lanes);
/* Notes a violation that the model has found itself. */
void sgt_audit_note(struct sgt_audit *audit, enum sgt_hazard hazard, uint64_t cycle, uint32_t item,
                    uint32_t other, const struct sgt_rect *rect);

/* No slice is left. */
void sgt_audit_finish(struct sgt_audit *audit);

const struct sgt_violations *sgt_audit_violations(const struct sgt_audit *audit,
                                                  enum sgt_hazard hazard);
/* Of all kinds.  False after sgt_audit_start or sgt_audit_end: out of memory. */
uint64_t sgt_audit_count(const struct sgt_audit *audit);
bool sgt_audit_ok(const struct sgt_audit *audit);

/* The last item that covered a pixel of a surface's layer, in program order; UINT32_MAX:
 * none.  plane: device address of the layer.
 */
uint32_t sgt_audit_writer(const struct sgt_audit *audit, uint64_t plane, uint32_t x, uint32_t y);

#endif
