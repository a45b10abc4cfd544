/* SPDX-License-Identifier: MIT */
/*
 * Command processor: packets that make work.
 */
#ifndef SGD_CP_WORK_H
#define SGD_CP_WORK_H

#include "sgd_cp.h"
#include "sgd_cp_packets.h"

/* Adds a region that an operation reads or writes; the operation was not added
 * yet.  target: ordered by tile, within its tile array; front: read by the front
 * end of a draw.  A surface that is not valid and a size of 0 are no region;
 * else the bytes from `ptr` on lie in a buffer of the submission.
 */
void sgd_cp_access_surface(struct sgd_node *node, const struct sgd_surface *s, bool write,
                           bool target);
void sgd_cp_access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size,
                          bool write, bool front);
/* For packets that are Conditional: the operation does nothing where the predicate
 * does not hold.
 */
void sgd_cp_condition(struct sgd_cp *cp, struct sgd_node *node, bool conditional);
/* The operation counts into the queries that are open. */
void sgd_cp_attach_queries(struct sgd_cp *cp, struct sgd_node *node);
/* Hands an operation to the dispatch unit, or frees it: NULL or an error text. */
const char *sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node,
                       const struct sgd_tile_array_key *key, uint32_t layers);

#endif
