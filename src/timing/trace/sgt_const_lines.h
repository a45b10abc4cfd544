/* SPDX-License-Identifier: MIT */
/*
 * Versions of the constants that warps read, for models of constant caches, and the lines that they
 * share.
 *
 * A version contains all constants of a stage in some operations. A line of 64 bytes originates in
 * the version that changed it last, so versions share the lines with the same origin.
 */
#ifndef SGT_CONST_LINES_H
#define SGT_CONST_LINES_H

#include "params/sgt_const_scope.h"
#include "trace/sgt_work.h"

/* Maximum number of lines in a version. */
#define SGT_CONST_LINES (SGPU_CONST_SIZE * 16 / SGT_CONST_LINE_BYTES)

struct sgt_const_version {
   uint32_t context; /* number of the context, whose versions follow each other */
   /* Number of lines that changed in the versions of the context up to this one. */
   uint32_t before;
   uint32_t num, first; /* range in `from`; lines from `num` on originate in this version */
};

struct sgt_const_lines {
   struct sgt_const_version *versions;
   uint32_t num_versions;
   uint32_t *of;   /* for [operation][SGT_STAGES]: index of the version */
   uint32_t *from; /* for each line: index of the version in which it originates */
};

/* Returns false if out of memory. */
bool sgt_const_lines_init(struct sgt_const_lines *l, const struct sgt_work *work,
                          enum sgt_const_scope scope);
void sgt_const_lines_finish(struct sgt_const_lines *l);

/* Returns the index of the version that warps of the stage read in the operation. */
static inline uint32_t
sgt_const_lines_version(const struct sgt_const_lines *l, uint32_t operation, enum sgpu_stage stage)
{
   return l->of[operation * SGT_STAGES + stage];
}

/* Returns the index of the version in which a line originates. */
static inline uint32_t
sgt_const_lines_from(const struct sgt_const_lines *l, uint32_t version, uint32_t line)
{
   const struct sgt_const_version *v = &l->versions[version];
   return line < v->num ? l->from[v->first + line] : version;
}

#endif
