/* SPDX-License-Identifier: MIT */
/*
 * Command processor: packets that make work.
 */
#ifndef SGD_CP_WORK_H
#define SGD_CP_WORK_H

#include "sgd_cp.h"
#include "sgd_cp_packets.h"

/* How an operation accesses a region. */
enum {
   SGD_ACCESS_READ = 0,
   SGD_ACCESS_WRITE = 1,
   SGD_ACCESS_TARGET = 2,   /* ordered by tile, within its tile array */
   SGD_ACCESS_FRONT = 4,    /* read by the front end of a draw */
   SGD_ACCESS_XFB = 8,      /* for transform feedback */
   SGD_ACCESS_NUMBERS = 16, /* of queries, which draws do not wait for as their input */
   SGD_ACCESS_MEMORY = 32,  /* by programs, to storage buffers and images */
   SGD_ACCESS_COMMUTES = 8, /* the bit from which on struct sgd_access.commutes stands */
};

/* A part of a surface: pixels inside of it, and layers from its first layer on. */
struct sgd_part {
   struct SGPU_RECT rect;
   unsigned first_layer, layers;
};

/* The texels that a blit reads. */
struct sgd_part sgd_cp_blit_source(const struct sgd_xfer *x);

/* Adds a region that an operation reads or writes; the operation was not added
 * yet.  A surface that is not valid, a part without pixels or layers and a size of 0
 * are no region; else the bytes from `ptr` on lie in a buffer of the submission.
 */
void sgd_cp_access_surface(struct sgd_node *node, const struct sgd_surface *s,
                           const struct sgd_part *part, unsigned how);
void sgd_cp_access_texture(struct sgd_node *node, const struct sgd_texture *t, unsigned how);
void sgd_cp_access_image(struct sgd_node *node, const struct sgd_texture *t, unsigned how);
void sgd_cp_access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size,
                          unsigned how);
/* The constants that a program reads. */
void sgd_cp_access_banks(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_env *env);
/* The storage buffers and images that a program reads or writes; `front`: 0, or
 * SGD_ACCESS_FRONT.
 */
void sgd_cp_access_memory(struct sgd_cp *cp, struct sgd_node *node,
                          const struct sgd_shader *program, const struct sgd_env *env,
                          unsigned front);
/* The order of the operation's invocations can be seen, by a program's order or because two
 * of these regions are the same memory and one is written.
 */
bool sgd_cp_memory_ordered(const struct sgd_cp *cp, struct sgd_node *node, bool program);
/* Textures that a program reads. */
void sgd_cp_access_textures(struct sgd_node *node, const struct sgd_texture_set *set,
                            unsigned front);
/* Which handles a program reads is known to its lanes alone: all of them. */
void sgd_cp_access_handles(struct sgd_node *node, const struct sgd_shader *program,
                           const struct sgd_handle_set *handles, unsigned front);
/* The targets that a draw with this state tests or writes, bounded by its boxes. */
void sgd_cp_access_targets(struct sgd_node *node, const struct sgd_state *st,
                           enum sgpu_primitive primitive);
/* For packets that are Conditional: the operation does nothing where the predicate
 * does not hold.
 */
void sgd_cp_condition(struct sgd_cp *cp, struct sgd_node *node, bool conditional);
/* The operation counts into the queries that are open. */
void sgd_cp_attach_queries(struct sgd_cp *cp, struct sgd_node *node);
/* The memory of a draw's indices, empty where it has none.  False: not in a buffer of the
 * submission.
 */
bool sgd_cp_find_indices(struct sgd_cp *cp, const struct SGPU_DRAW *packet,
                         struct sgd_span *indices);
/* Puts draws that follow in the stream into the operation of a direct draw, where the result
 * is the same: their number is cp->joined.
 */
void sgd_cp_join(struct sgd_cp *cp, struct sgd_draw *draw);
/* Hands an operation to the dispatch unit, or frees it: NULL or an error text. */
const char *sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node,
                       const struct sgd_tile_array_key *key, uint32_t layers);

#endif
