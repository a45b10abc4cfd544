/* SPDX-License-Identifier: MIT */
/*
 * Command processor: packets that make work.
 */
#ifndef SGD_CP_WORK_H
#define SGD_CP_WORK_H

#include "sgd_cp.h"

/* As sgd_cp_state_packet, for draws, clears, copies, blits and queries. */
const char *sgd_cp_work_packet(struct sgd_cp *cp, enum sgpu_packet opcode, const uint32_t *in);

/* What an operation that was not added yet reads or writes.  target: by tile,
 * within its grid; geometry: already its geometry reads it.  A surface that is
 * not valid and a size of 0 are nothing; else the bytes from `ptr` on lie in a
 * buffer of the submission.
 */
void sgd_cp_access_surface(struct sgd_node *node, const struct sgd_surface *s, bool write,
                           bool target);
void sgd_cp_access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size,
                          bool write, bool geometry);
/* Nothing happens where the predicate does not hold; for packets that are Conditional. */
void sgd_cp_condition(struct sgd_cp *cp, struct sgd_node *node, bool conditional);
/* The operation counts into the queries that are open. */
void sgd_cp_attach_queries(struct sgd_cp *cp, struct sgd_node *node);
/* Hands an operation to the dispatch unit, or frees it: NULL or an error text. */
const char *sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_grid_key *key,
                       uint32_t layers);

/* One packet each.  sgd_cp_draw.c: */
const char *sgd_cp_draw(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_draw_indirect(struct sgd_cp *cp, const uint32_t *in);
/* sgd_cp_xfer.c: */
const char *sgd_cp_clear(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_clear_surface(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_copy_surface(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_blit(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_resolve_surface(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_copy_buffer(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_fill_buffer(struct sgd_cp *cp, const uint32_t *in);
/* sgd_cp_query.c: */
const char *sgd_cp_begin_query(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_end_query(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_store_result(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_predicate(struct sgd_cp *cp, const uint32_t *in);

#endif
