/* SPDX-License-Identifier: MIT */
/*
 * Memory objects: memory that other processes share.
 */
#ifndef SGPU_MEMORY_OBJECT_H
#define SGPU_MEMORY_OBJECT_H

#include <stdint.h>

struct pipe_memory_object;
struct pipe_screen;
struct sgpu_buffer;

/* A buffer over bytes [offset, offset + size) of the object; NULL where offset is no
 * multiple of a page's size, or whole pages from there do not lie in the object.
 */
struct sgpu_buffer *sgpu_memory_object_map(struct pipe_screen *pscreen,
                                           const struct pipe_memory_object *memobj, uint64_t offset,
                                           uint64_t size);

void sgpu_memory_object_screen_init(struct pipe_screen *pscreen);

#endif
