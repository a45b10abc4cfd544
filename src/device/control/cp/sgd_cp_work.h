/* SPDX-License-Identifier: MIT */
/*
 * Command processor: packets that create operations.
 */
#ifndef SGD_CP_WORK_H
#define SGD_CP_WORK_H

#include "control/cp/sgd_cp.h"
#include "control/cp/sgd_cp_packets.h"

/* Flags for the `how` parameters of the functions below: how an operation accesses a region. */
enum {
   SGD_ACCESS_READ = 0,
   SGD_ACCESS_WRITE = 1,
   SGD_ACCESS_TARGET = 2,   /* access to a render target: ordered per tile inside its tile array */
   SGD_ACCESS_FRONT = 4,    /* read by the front end of a draw */
   SGD_ACCESS_XFB = 8,      /* transform feedback access */
   SGD_ACCESS_NUMBERS = 16, /* query numbers; draws that read them as input don't wait */
   SGD_ACCESS_MEMORY = 32,  /* access of a program to a storage buffer or image */
   SGD_ACCESS_COMMUTES = 8, /* shift of struct sgd_access.commutes in `how` */
};

/* A rectangle in consecutive layers of a surface. */
struct sgd_part {
   struct SGPU_RECT rect; /* rectangle in pixels, inside the surface */
   /* index of the first layer, relative to the surface's first layer, and number of layers */
   unsigned first_layer, layers;
};

/* Returns the part of the source that a blit reads. */
struct sgd_part sgd_cp_blit_source(const struct sgd_xfer *x);

/* The sgd_cp_access_*() functions add regions that an operation reads or writes. They must be
 * called before the operation is added to the dispatch unit. They ignore invalid surfaces, empty
 * parts and sizes of 0. Otherwise, the `size` bytes at `ptr` must be inside a buffer of the
 * submission.
 */
void sgd_cp_access_surface(struct sgd_node *node, const struct sgd_surface *s,
                           const struct sgd_part *part, unsigned how);
void sgd_cp_access_texture(struct sgd_node *node, const struct sgd_texture *t, unsigned how);
void sgd_cp_access_image(struct sgd_node *node, const struct sgd_texture *t, unsigned how);
void sgd_cp_access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size,
                          unsigned how);
/* Adds the constants that a program can read. */
void sgd_cp_access_banks(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_env *env);
/* Adds the storage buffers and images that a program accesses. `front` is SGD_ACCESS_FRONT if the
 * program runs in the front end, or 0.
 */
void sgd_cp_access_memory(struct sgd_cp *cp, struct sgd_node *node,
                          const struct sgd_shader *program, const struct sgd_env *env,
                          unsigned front);
/* Returns true if the invocations of the operation must run in order, because their order may be
 * visible: either a program depends on the order (`program`), or two storage buffers or images
 * overlap and at least one of them is written.
 */
bool sgd_cp_memory_ordered(const struct sgd_cp *cp, struct sgd_node *node, bool program);
/* Adds the textures that a program can read. */
void sgd_cp_access_textures(struct sgd_node *node, const struct sgd_texture_set *set,
                            unsigned front);
/* If the program uses bindless handles, adds all handles, since the used handles are only known
 * when the program runs.
 */
void sgd_cp_access_handles(struct sgd_node *node, const struct sgd_shader *program,
                           const struct sgd_handle_set *handles, unsigned front);
/* Adds the targets that a draw with this state tests or writes, limited to the bounding boxes of
 * what the draw can touch (sgd_draw_box.h).
 */
void sgd_cp_access_targets(struct sgd_node *node, const struct sgd_state *st,
                           enum sgpu_primitive primitive);
/* Attaches the current predicate to an operation if its packet is `conditional`. The operation then
 * has no effect if the predicate is false.
 */
void sgd_cp_condition(struct sgd_cp *cp, struct sgd_node *node, bool conditional);
/* Makes all active queries count the operation. */
void sgd_cp_attach_queries(struct sgd_cp *cp, struct sgd_node *node);
/* Sets *indices to the index buffer of a draw, or to an empty span if the draw is not indexed.
 * Returns false if no buffer of the submission contains the indices.
 */
bool sgd_cp_find_indices(struct sgd_cp *cp, const struct SGPU_DRAW *packet,
                         struct sgd_span *indices);
/* Joins as many of the following draws in the stream with a direct draw as possible without
 * changing the result. Sets cp->joined to the number of draws that were joined.
 */
void sgd_cp_join(struct sgd_cp *cp, struct sgd_draw *draw);
/* Adds an operation to the dispatch unit. Returns NULL on success. On failure, frees the operation
 * and returns an error message.
 */
const char *sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node,
                       const struct sgd_tile_array_key *key, uint32_t layers);

#endif
