/* SPDX-License-Identifier: MIT */
/*
 * Command processor: packets that make operations.
 */
#ifndef SGD_CP_WORK_H
#define SGD_CP_WORK_H

#include "control/cp/sgd_cp.h"
#include "control/cp/sgd_cp_packets.h"

/* Flags for parameters `how`: how an operation accesses a region. */
enum {
   SGD_ACCESS_READ = 0,
   SGD_ACCESS_WRITE = 1,
   SGD_ACCESS_TARGET = 2,   /* access to a target: ordered by tile, within its tile array */
   SGD_ACCESS_FRONT = 4,    /* read by the front end of a draw */
   SGD_ACCESS_XFB = 8,      /* access for transform feedback */
   SGD_ACCESS_NUMBERS = 16, /* numbers of a query; draws that read them as input do not wait */
   SGD_ACCESS_MEMORY = 32,  /* access of a program to a storage buffer or image */
   SGD_ACCESS_COMMUTES = 8, /* shift of struct sgd_access.commutes in `how` */
};

/* A part of a surface. */
struct sgd_part {
   struct SGPU_RECT rect;        /* pixels, inside of the surface */
   unsigned first_layer, layers; /* first layer, relative to the surface's, and number of layers */
};

/* Returns the texels that a blit reads. */
struct sgd_part sgd_cp_blit_source(const struct sgd_xfer *x);

/* The functions sgd_cp_access_*() add regions that an operation reads or writes, before the
 * operation is added to the dispatch unit.  They add nothing for a surface that is not valid, a
 * part without pixels or layers, or a size of 0.  Otherwise, the `size` bytes at `ptr` must be in
 * a buffer of the submission.
 */
void sgd_cp_access_surface(struct sgd_node *node, const struct sgd_surface *s,
                           const struct sgd_part *part, unsigned how);
void sgd_cp_access_texture(struct sgd_node *node, const struct sgd_texture *t, unsigned how);
void sgd_cp_access_image(struct sgd_node *node, const struct sgd_texture *t, unsigned how);
void sgd_cp_access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size,
                          unsigned how);
/* Adds the constants that a program can read. */
void sgd_cp_access_banks(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_env *env);
/* Adds the storage buffers and images that a program reads or writes.  `front` is
 * SGD_ACCESS_FRONT if the program runs in the front end, or 0.
 */
void sgd_cp_access_memory(struct sgd_cp *cp, struct sgd_node *node,
                          const struct sgd_shader *program, const struct sgd_env *env,
                          unsigned front);
/* Returns true if the invocations of the operation must run in order, because their order can be
 * visible.  This is the case if `program` (a program depends on the order), or if two storage
 * buffers or images overlap and at least one of them is written.
 */
bool sgd_cp_memory_ordered(const struct sgd_cp *cp, struct sgd_node *node, bool program);
/* Adds the textures that a program can read. */
void sgd_cp_access_textures(struct sgd_node *node, const struct sgd_texture_set *set,
                            unsigned front);
/* Adds all handles if the program uses handles, since only its lanes compute which ones. */
void sgd_cp_access_handles(struct sgd_node *node, const struct sgd_shader *program,
                           const struct sgd_handle_set *handles, unsigned front);
/* Adds the targets that a draw with this state tests or writes, bounded by the boxes of the
 * state.
 */
void sgd_cp_access_targets(struct sgd_node *node, const struct sgd_state *st,
                           enum sgpu_primitive primitive);
/* Attaches the current predicate to the operation of a packet, if the packet is `conditional`.
 * The operation does nothing if the predicate does not hold.
 */
void sgd_cp_condition(struct sgd_cp *cp, struct sgd_node *node, bool conditional);
/* Makes all active queries count the operation. */
void sgd_cp_attach_queries(struct sgd_cp *cp, struct sgd_node *node);
/* Sets *indices to the index buffer of a draw, or to an empty span if it has none.  Returns false
 * if the index buffer is not in a buffer of the submission.
 */
bool sgd_cp_find_indices(struct sgd_cp *cp, const struct SGPU_DRAW *packet,
                         struct sgd_span *indices);
/* Joins the draws that follow in the stream with a direct draw, as long as the result is the same.
 * Sets cp->joined to the number of those draws.
 */
void sgd_cp_join(struct sgd_cp *cp, struct sgd_draw *draw);
/* Adds an operation to the dispatch unit.  If this fails, frees the operation and returns an error
 * text; returns NULL otherwise.
 */
const char *sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node,
                       const struct sgd_tile_array_key *key, uint32_t layers);

#endif
