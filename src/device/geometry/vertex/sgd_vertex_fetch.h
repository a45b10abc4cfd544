/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetch: reads attributes from vertex buffers.
 */
#ifndef SGD_VERTEX_FETCH_H
#define SGD_VERTEX_FETCH_H

#include <stdint.h>

#include "common/sgd_arch.h"

struct sgd_front;

/* Reads the attributes of `count` vertices, at most 32, into the inputs of the vertex program.
 * `index` contains the index of each vertex.
 */
void sgd_vertex_fetch(const struct sgd_front *f, const uint32_t *index, unsigned count);

#endif
