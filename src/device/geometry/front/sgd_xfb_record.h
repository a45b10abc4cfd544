/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback: records the primitives of the last stage before the clipper.
 */
#ifndef SGD_XFB_RECORD_H
#define SGD_XFB_RECORD_H

#include "common/sgd_arch.h"

struct sgd_front;
struct sgd_vertex;

/* Record a primitive of vertex stream `stream`. The order of a triangle's vertices determines its
 * facing; `corner` is the index of the provoking vertex.
 */
void sgd_xfb_point(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v);
void sgd_xfb_line(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v0,
                  const struct sgd_vertex *v1);
void sgd_xfb_triangle(struct sgd_front *f, unsigned stream, const struct sgd_vertex *v0,
                      const struct sgd_vertex *v1, const struct sgd_vertex *v2, unsigned corner);

#endif
