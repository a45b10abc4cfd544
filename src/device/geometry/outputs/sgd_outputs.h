/* SPDX-License-Identifier: MIT */
/*
 * Stores the output registers of vertex, tessellation and geometry programs in memory.
 */
#ifndef SGD_OUTPUTS_H
#define SGD_OUTPUTS_H

#include <stdint.h>

#include "common/sgd_arch.h"

struct sgd_front;
struct sgd_front_stage;
struct sgd_shader;
struct sgd_vertex;

/* Computes the vertex layout for the clipper, i.e. f->stride and the indices in attr[]. f->varyings
 * and f->mode must be set.
 */
void sgd_outputs_begin(struct sgd_front *f);

/* Stores the outputs of lanes 0 to count - 1 in vertices that are f->stride bytes apart. */
void sgd_outputs_store(const struct sgd_front *f, const struct sgd_shader *program,
                       uint8_t *vertices, unsigned count);
/* Stores the outputs of lane[i] in v[i], for i below `count`. */
void sgd_outputs_store_lanes(const struct sgd_front *f, const struct sgd_shader *program,
                             struct sgd_vertex *const *v, const uint8_t *lane, unsigned count);

/* Stores the outputs of lanes 0 to count - 1 in the records of stage s, starting at record `first`.
 * A record contains the outputs in the order of the inputs of s->next.
 */
void sgd_outputs_record(const struct sgd_front *f, const struct sgd_front_stage *s, unsigned first,
                        unsigned count);

/* Computes the window coordinates and the outcode of a vertex for its viewport. */
void sgd_outputs_place(const struct sgd_front *f, struct sgd_vertex *v);
/* The same for a vertex whose program wrote `position`. Also sets v->pos, which the viewport can
 * swizzle.
 */
void sgd_outputs_swizzle(const struct sgd_front *f, struct sgd_vertex *v, const float position[4]);

#endif
