/* SPDX-License-Identifier: MIT */
/*
 * Tracks versions of the constants that warps read, and the cache lines that versions have in
 * common. Used by models of constant caches.
 *
 * A version is the set of all constants that a shader stage reads in one or more operations.
 * Versions share each line of 64 bytes that has not changed between them. A line "originates" in
 * the version that last changed it.
 */
#ifndef SGT_CONST_LINES_H
#define SGT_CONST_LINES_H

#include "params/sgt_const_scope.h"
#include "trace/sgt_work.h"

/* Maximum number of cache lines in a version. */
#define SGT_CONST_LINES (SGPU_CONST_SIZE * 16 / SGT_CONST_LINE_BYTES)

struct sgt_const_version {
   /* index of the constant context (struct sgt_constants) that the version belongs to */
   uint32_t context;
   /* Total number of changed lines in this version and all previous versions of the context. */
   uint32_t before;
   /* Range in sgt_const_lines::from, with one element for each of the first `num` lines. All other
    * lines originate in this version.
    */
   uint32_t num, first;
};

struct sgt_const_lines {
   struct sgt_const_version *versions;
   uint32_t num_versions;
   uint32_t *of; /* [num_operations][SGT_STAGES]: index of the version that each stage reads */
   /* for each line of each version, index of the version in which the line originates */
   uint32_t *from;
};

/* Finds the versions that each operation reads. Returns false if allocation fails. */
bool sgt_const_lines_init(struct sgt_const_lines *l, const struct sgt_work *work,
                          enum sgt_const_scope scope);
void sgt_const_lines_finish(struct sgt_const_lines *l);

/* Returns the index of the version that the warps of a stage read in an operation. */
static inline uint32_t
sgt_const_lines_version(const struct sgt_const_lines *l, uint32_t operation, enum sgpu_stage stage)
{
   return l->of[operation * SGT_STAGES + stage];
}

/* Returns the index of the version in which a line of `version` originates. */
static inline uint32_t
sgt_const_lines_from(const struct sgt_const_lines *l, uint32_t version, uint32_t line)
{
   const struct sgt_const_version *v = &l->versions[version];
   return line < v->num ? l->from[v->first + line] : version;
}

#endif
