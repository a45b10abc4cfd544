/* SPDX-License-Identifier: MIT */
/*
 * Constants of a work, for models of constant caches: the versions that warps read, and which
 * lines they share.
 *
 * A version has all constants of a stage of some operations.  A line of 64 bytes is from the
 * version that changed it last, so versions share the lines that are from the same one.
 */
#ifndef SGT_CONST_LINES_H
#define SGT_CONST_LINES_H

#include "params/sgt_const_scope.h"
#include "trace/sgt_work.h"

#define SGT_CONST_LINES (SGPU_CONST_SIZE * 16 / SGT_CONST_LINE_BYTES) /* of a version */

struct sgt_const_version {
   uint32_t context;    /* of its stage; versions of a context follow each other */
   uint32_t before;     /* lines that changed in the versions of the context up to this one */
   uint32_t num, first; /* lines, in `from`; those from `num` on are its own */
};

struct sgt_const_lines {
   struct sgt_const_version *versions;
   uint32_t num_versions;
   uint32_t *of;   /* [operations][SGT_STAGES]: version */
   uint32_t *from; /* of lines: version */
};

/* False: no memory. */
bool sgt_const_lines_init(struct sgt_const_lines *l, const struct sgt_work *work,
                          enum sgt_const_scope scope);
void sgt_const_lines_finish(struct sgt_const_lines *l);

/* The version of a warp's constants. */
static inline uint32_t
sgt_const_lines_version(const struct sgt_const_lines *l, uint32_t operation, enum sgpu_stage stage)
{
   return l->of[operation * SGT_STAGES + stage];
}

/* The version that a line is from. */
static inline uint32_t
sgt_const_lines_from(const struct sgt_const_lines *l, uint32_t version, uint32_t line)
{
   const struct sgt_const_version *v = &l->versions[version];
   return line < v->num ? l->from[v->first + line] : version;
}

#endif
