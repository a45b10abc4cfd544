/* SPDX-License-Identifier: MIT */
/*
 * Setup, internal: draws lines, either with the diamond-exit rule or as rectangles.
 */
#ifndef SGD_SETUP_LINE_H
#define SGD_SETUP_LINE_H

#include <stdbool.h>

#include "common/sgd_arch.h"

struct sgd_face;
struct sgd_front;
struct sgd_prim;
struct sgd_vertex;

/* Computes the planes of depth, 1/w and attributes for a line. If `wide` is set, all fragments at
 * the same position along the major axis get the same values.
 */
void sgd_setup_line_values(struct sgd_front *f, struct sgd_prim *prim, const struct sgd_vertex *v0,
                           const struct sgd_vertex *v1, const struct sgd_face *face, bool wide,
                           bool y_major);
/* Advances the line stipple counter by `count` fragments. Returns the value of the counter at the
 * first fragment.
 */
unsigned sgd_setup_count_stipple(struct sgd_front *f, unsigned count);

/* Draws a smooth or multisampled line. */
void sgd_setup_line_rect(struct sgd_front *f, const struct sgd_vertex *v0,
                         const struct sgd_vertex *v1, const struct sgd_face *face);
void sgd_setup_line_rect_skip(struct sgd_front *f, const struct sgd_vertex *v0,
                              const struct sgd_vertex *v1);

#endif
