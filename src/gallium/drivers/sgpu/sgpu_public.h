/* SPDX-License-Identifier: MIT */
/*
 * The sgpu pipe driver for loadable drivers: the screen.
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

/* Takes over `winsys` (through which pictures reach the window system) if it
 * succeeds; NULL if there is no device.  `config` may be NULL.
 */
struct pipe_screen *sgpu_screen_create(struct sw_winsys *winsys,
                                       const struct pipe_screen_config *config);

/* Reads a window's front buffer to rows of `stride` bytes: the top left `width` x
 * `height` pixels that the window has; none on failure.  `drawable` is the
 * front_private that the resource was created with.
 */
typedef void (*sgpu_read_front_func)(const void *drawable, unsigned width, unsigned height,
                                     unsigned stride, void *to);

/* For loaders that create resources for front buffers; before any is created. */
void sgpu_screen_set_read_front(struct pipe_screen *screen, sgpu_read_front_func read_front);

/* The resource, a display target, stands for the front buffer of `drawable`, as
 * if it had been created with it.
 */
void sgpu_resource_set_front(struct pipe_resource *resource, const void *drawable);

/* The drawable is about to be destroyed: the resource keeps what was read of it last. */
void sgpu_resource_drop_front(struct pipe_resource *resource);

/* The resource, a front buffer, becomes the program's texture: it is read now, if that is new,
 * and at the first use from now on and in each frame.
 */
void sgpu_resource_bind_pixmap(struct pipe_context *ctx, struct pipe_resource *resource);

/* A presentation follows the context's next flush, which may leave the submission to it. */
void sgpu_context_presents(struct pipe_context *pctx);

/* The whole of a 2D picture to one of its size, resolved where that has one
 * sample, for callers without a context.
 */
void sgpu_resource_blit_alone(struct pipe_resource *dst, struct pipe_resource *src);

/* In draws behind it and before the next call, transform feedback to target 0 records other
 * outputs of the last stage before the clipper than the program names: those of `slots` (bits
 * VARYING_SLOT_ below VARYING_SLOT_VAR0) that the stage writes, in that order, four words each.
 * 0: what the program names.
 */
void sgpu_context_record(struct pipe_context *pctx, uint32_t slots);

/* The slots that a shader object's program writes, all of VARYING_SLOT_; of the last bound stage
 * before the clipper.  The latter waits for the context's thread.
 */
uint64_t sgpu_shader_written(const void *shader);
uint64_t sgpu_context_written(struct pipe_context *pctx);

/* Bytes in the target's buffer, with those that were skipped to append, and of a vertex
 * of the latest draw.  Waits for the device.  0 where no draw has come.
 */
uint64_t sgpu_xfb_written(struct pipe_context *pctx, struct pipe_stream_output_target *target,
                          unsigned *stride);

/* A driver's own bit of pipe_map_flags: the caller writes all of the range before anything
 * reads it.
 */
#define SGPU_MAP_WHOLE PIPE_MAP_DRV_PRV

#ifdef __cplusplus
}
#endif
#endif
