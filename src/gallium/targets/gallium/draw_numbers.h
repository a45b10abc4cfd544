/* SPDX-License-Identifier: MIT */
/* Reads the parameters of indirect draws, and the numbers of vertices that transform feedback has
 * recorded, where the CPU needs them: in feedback and selection, and for vertex arrays in the
 * program's memory.
 */
#ifndef GALLIUM_DRAW_NUMBERS_H
#define GALLIUM_DRAW_NUMBERS_H

#include <stdbool.h>

struct pipe_context;
struct pipe_draw_indirect_info;
struct pipe_draw_info;
struct pipe_draw_start_count_bias;

typedef void (*draw_numbers_func)(void *data, const struct pipe_draw_info *info,
                                  unsigned drawid_offset,
                                  const struct pipe_draw_start_count_bias *draw);

/* Calls `draw` for each draw of `indirect` that has vertices and instances.  Waits for the device.
 * Reads each number once.  Stops at the end of the buffer.  The calls don't take ownership of the
 * index buffer, even if `info` says so.
 */
void draw_numbers_read(struct pipe_context *pipe, const struct pipe_draw_info *info,
                       unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                       draw_numbers_func draw, void *data);

/* Releases the reference to the index buffer if the draw function owns it. */
void draw_numbers_release_indices(const struct pipe_draw_info *info);

#endif
