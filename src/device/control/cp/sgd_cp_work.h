/* SPDX-License-Identifier: MIT */
/*
 * Command processor: functions for packets that create operations, such as draws and copies.
 */
#ifndef SGD_CP_WORK_H
#define SGD_CP_WORK_H

#include "control/cp/sgd_cp.h"
#include "control/cp/sgd_cp_packets.h"

/* Flags for the `how` parameters below, which describe how an operation accesses a region. */
enum {
   SGD_ACCESS_READ = 0,
   SGD_ACCESS_WRITE = 1,
   SGD_ACCESS_TARGET = 2, /* render target; tile queues order accesses with the same tile array */
   SGD_ACCESS_FRONT = 4,  /* the front end of a draw reads the region */
   SGD_ACCESS_XFB = 8,    /* transform feedback buffer or byte counter */
   /* query results; draws that read them as input don't wait for this operation */
   SGD_ACCESS_NUMBERS = 16,
   SGD_ACCESS_MEMORY = 32,  /* a program accesses the region as a storage buffer or image */
   SGD_ACCESS_COMMUTES = 8, /* position of struct sgd_access.commutes in `how` */
};

/* A rectangle in one or more consecutive layers of a surface. */
struct sgd_part {
   struct SGPU_RECT rect; /* rectangle in pixels, inside the surface */
   /* first layer, counted from the first layer of the surface, and number of layers */
   unsigned first_layer, layers;
};

/* Returns the part of the source surface that a blit reads. */
struct sgd_part sgd_cp_blit_source(const struct sgd_xfer *x);

/* The sgd_cp_access_*() functions add regions of memory that an operation reads or writes. This
 * must happen before the operation is added to the dispatch unit. Invalid surfaces and empty
 * regions are ignored. The `size` bytes at `ptr` must be inside a buffer of the submission.
 */
void sgd_cp_access_surface(struct sgd_node *node, const struct sgd_surface *s,
                           const struct sgd_part *part, unsigned how);
void sgd_cp_access_texture(struct sgd_node *node, const struct sgd_texture *t, unsigned how);
void sgd_cp_access_image(struct sgd_node *node, const struct sgd_texture *t, unsigned how);
void sgd_cp_access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size,
                          unsigned how);
/* Adds all constant buffers that a program can read. */
void sgd_cp_access_banks(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_env *env);
/* Adds the storage buffers and images that a program can access. `front` is SGD_ACCESS_FRONT if the
 * program runs in the front end, and 0 otherwise.
 */
void sgd_cp_access_memory(struct sgd_cp *cp, struct sgd_node *node,
                          const struct sgd_shader *program, const struct sgd_env *env,
                          unsigned front);
/* Returns true if the invocations of the operation must run one after the other in a fixed order,
 * since the order may affect the result. This is the case if a program depends on the order
 * (`program` is true), or if two storage buffers or images overlap and at least one of them is
 * written.
 */
bool sgd_cp_memory_ordered(const struct sgd_cp *cp, struct sgd_node *node, bool program);
/* Adds all textures that a program can read. */
void sgd_cp_access_textures(struct sgd_node *node, const struct sgd_texture_set *set,
                            unsigned front);
/* Adds all bindless textures and images if the program uses bindless handles. Which of them it uses
 * is only known when it runs.
 */
void sgd_cp_access_handles(struct sgd_node *node, const struct sgd_shader *program,
                           const struct sgd_handle_set *handles, unsigned front);
/* Adds the render targets that draws with this state test or write. The rectangle is limited to the
 * pixels that such draws can reach (see sgd_draw_box.h).
 */
void sgd_cp_access_targets(struct sgd_node *node, const struct sgd_state *st,
                           enum sgpu_primitive primitive);
/* If `conditional` is set, makes the operation depend on the current predicate. The operation then
 * does nothing if the predicate is false.
 */
void sgd_cp_condition(struct sgd_cp *cp, struct sgd_node *node, bool conditional);
/* Adds the operation to the counts of all active queries. */
void sgd_cp_attach_queries(struct sgd_cp *cp, struct sgd_node *node);
/* Sets *indices to the index buffer of a draw, or to an empty range if the draw isn't indexed.
 * Returns false if the indices aren't inside a buffer of the submission.
 */
bool sgd_cp_find_indices(struct sgd_cp *cp, const struct SGPU_DRAW *packet,
                         struct sgd_span *indices);
/* Joins the draw with as many of the following draws in the command stream as possible without
 * changing the result. Sets cp->joined to the number of these following draws.
 */
void sgd_cp_join(struct sgd_cp *cp, struct sgd_draw *draw);
/* Adds an operation to the dispatch unit and returns NULL. On failure, frees the operation and
 * returns an error message.
 */
const char *sgd_cp_add(struct sgd_cp *cp, struct sgd_node *node,
                       const struct sgd_tile_array_key *key, uint32_t layers);

#endif
