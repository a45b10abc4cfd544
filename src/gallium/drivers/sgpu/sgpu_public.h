/* SPDX-License-Identifier: MIT */
/*
 * Functions of the sgpu pipe driver for targets and loaders.
 */
#ifndef SGPU_PUBLIC_H
#define SGPU_PUBLIC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pipe_context;
struct pipe_resource;
struct pipe_screen;
struct pipe_screen_config;
struct pipe_stream_output_target;
struct sw_winsys;

/* Creates a screen.  On success the screen owns `winsys`, which passes pictures to the
 * window system.  Returns NULL if there is no device.  `config` may be NULL.
 */
struct pipe_screen *sgpu_screen_create(struct sw_winsys *winsys,
                                       const struct pipe_screen_config *config);

/* Reads the top left `width` x `height` pixels of a window's front buffer, as far as the
 * window has them, to rows of `stride` bytes at `to`.  On failure, writes nothing.
 * `drawable` is the front_private that the resource was created with.
 */
typedef void (*sgpu_read_front_func)(const void *drawable, unsigned width, unsigned height,
                                     unsigned stride, void *to);

/* Called by loaders that create resources for front buffers, before they create any. */
void sgpu_screen_set_read_front(struct pipe_screen *screen, sgpu_read_front_func read_front);

/* Makes a display target the front buffer of `drawable`, as if created with it. */
void sgpu_resource_set_front(struct pipe_resource *resource, const void *drawable);

/* Must be called before the drawable is destroyed.  The resource keeps the last pixels read. */
void sgpu_resource_drop_front(struct pipe_resource *resource);

/* Makes a front buffer a texture of the program.  The driver reads the front buffer now, if it
 * was not a texture before, and then at its first use after this call and in each frame.
 */
void sgpu_resource_bind_pixmap(struct pipe_context *ctx, struct pipe_resource *resource);

/* Announces a presentation after the next flush, which may leave the submission to it. */
void sgpu_context_presents(struct pipe_context *pctx);

/* For callers without a context: copies a 2D picture to one of equal size, resolving samples. */
void sgpu_resource_blit_alone(struct pipe_resource *dst, struct pipe_resource *src);

/* From now on, transform feedback to target 0 records the outputs in `slots` of the last stage
 * before the clipper, instead of those that the program names.  `slots` has bits of VARYING_SLOT_
 * below VARYING_SLOT_VAR0.  The slots that the stage writes are recorded in order, with four words
 * each.  If `slots` is 0, the outputs that the program names are recorded again.
 */
void sgpu_context_record(struct pipe_context *pctx, uint32_t slots);

/* Return the VARYING_SLOT_ bits that a shader writes: a given shader, or the shader of the last
 * bound stage before the clipper.  The second function waits for the context's thread.
 */
uint64_t sgpu_shader_written(const void *shader);
uint64_t sgpu_context_written(struct pipe_context *pctx);

/* Waits for the device and returns the number of bytes in the target's buffer, including bytes
 * that were skipped to append to earlier data.  *stride is the number of bytes per vertex in the
 * latest draw, or 0 if there was none; the function then returns 0.
 */
uint64_t sgpu_xfb_written(struct pipe_context *pctx, struct pipe_stream_output_target *target,
                          unsigned *stride);

/* Private bit of pipe_map_flags: the caller will write the whole range before anything reads it,
 * so its old contents need not be cleared.
 */
#define SGPU_MAP_WHOLE PIPE_MAP_DRV_PRV

#ifdef __cplusplus
}
#endif
#endif
