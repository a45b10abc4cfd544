/* SPDX-License-Identifier: MIT */
/* Interface between the sgpu pipe driver and the targets and loaders. */
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
struct pipe_transfer;
struct sw_winsys;

/* Creates a screen.  Returns NULL if there is no device.  `winsys` passes pictures to the window
 * system.  The caller must destroy `winsys`, but not before the screen.  `config` may be NULL.
 */
struct pipe_screen *sgpu_screen_create(struct sw_winsys *winsys,
                                       const struct pipe_screen_config *config);

/* Copies the top left `width` x `height` pixels of a window's front buffer to `to`, with `stride`
 * bytes per row.  Pixels outside of the window are not written.  If the front buffer can't be read,
 * writes nothing.  `drawable` is the front_private that the resource was created with.
 */
typedef void (*sgpu_read_front_func)(const void *drawable, unsigned width, unsigned height,
                                     unsigned stride, void *to);

/* A target must call this function before it creates resources for front buffers. */
void sgpu_screen_set_read_front(struct pipe_screen *screen, sgpu_read_front_func read_front);

/* Makes a display target the front buffer of `drawable`, as if the resource had been created with
 * front_private.
 */
void sgpu_resource_set_front(struct pipe_resource *resource, const void *drawable);

/* Must be called before the drawable is destroyed.  The resource keeps the pixels that the driver
 * has read last.
 */
void sgpu_resource_drop_front(struct pipe_resource *resource);

/* Must be called when the application makes a front buffer a texture.  The driver reads the pixels
 * immediately if the front buffer was not a texture before.  The driver reads them again at the
 * first use of the texture after this call, and at its first use in each frame.
 */
void sgpu_resource_bind_pixmap(struct pipe_context *ctx, struct pipe_resource *resource);

/* Announces that a presentation follows the next flush.  The flush then doesn't need to submit the
 * stream, because the presentation will do so.
 */
void sgpu_context_presents(struct pipe_context *pctx);

/* Returns the number of draws that the context has had. */
uint64_t sgpu_context_draws(struct pipe_context *pctx);

/* Announces that the application gets the texels of a mapping as a picture.  This ends a frame of
 * captures and timing models, as a presentation does.  The texture must be mapped for reading, by a
 * context without Mesa's debug wrappers.
 */
void sgpu_transfer_presents(const struct pipe_transfer *transfer);

/* Copies a 2D resource to another resource of the same size, resolving samples if necessary.
 * Doesn't need a current context.
 */
void sgpu_resource_blit_alone(struct pipe_resource *dst, struct pipe_resource *src);

/* From now on, transform feedback to target 0 records the outputs in `slots` of the last stage
 * before the clipper, instead of the application's transform feedback outputs.  `slots` has bits of
 * VARYING_SLOT_* below VARYING_SLOT_VAR0.  The slots that the stage writes are recorded in order,
 * with four words each.  If `slots` is 0, records the application's outputs again.
 */
void sgpu_context_record(struct pipe_context *pctx, uint32_t slots);

/* Return the VARYING_SLOT_* bits that a shader writes.  The first function takes the shader.  The
 * second function waits for the context's thread, and then uses the bound shader of the last stage
 * before the clipper.
 */
uint64_t sgpu_shader_written(const void *shader);
uint64_t sgpu_context_written(struct pipe_context *pctx);

/* Waits for the device and returns the number of bytes in the target's buffer, including bytes
 * before the offset at which transform feedback started.  Sets *stride to the number of bytes per
 * vertex in the latest draw.  If there was no draw, sets *stride to 0 and returns 0.
 */
uint64_t sgpu_xfb_written(struct pipe_context *pctx, struct pipe_stream_output_target *target,
                          unsigned *stride);

/* Private bit of pipe_map_flags.  The caller promises to overwrite the whole range before anything
 * reads it, so the driver need not clear old data.
 */
#define SGPU_MAP_WHOLE PIPE_MAP_DRV_PRV

#ifdef __cplusplus
}
#endif
#endif
