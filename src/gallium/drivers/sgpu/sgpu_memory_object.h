/* SPDX-License-Identifier: MIT */
/*
 * Memory objects: memory that is shared with other processes.
 */
#ifndef SGPU_MEMORY_OBJECT_H
#define SGPU_MEMORY_OBJECT_H

#include <stdint.h>

struct pipe_memory_object;
struct pipe_screen;
struct sgpu_buffer;

/* Returns a buffer over bytes [offset, offset + size) of the memory object.  Returns NULL if offset
 * is not a multiple of the page size.  Also returns NULL if the range, rounded up to whole pages,
 * is not inside the object.
 */
struct sgpu_buffer *sgpu_memory_object_map(struct pipe_screen *pscreen,
                                           const struct pipe_memory_object *memobj, uint64_t offset,
                                           uint64_t size);

void sgpu_memory_object_screen_init(struct pipe_screen *pscreen);

#endif
