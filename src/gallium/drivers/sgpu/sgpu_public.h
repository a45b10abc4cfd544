/* SPDX-License-Identifier: MIT */
/*
 * The sgpu pipe driver for loadable drivers: the screen.
 */
#ifndef SGPU_PUBLIC_H
#define SGPU_PUBLIC_H

#ifdef __cplusplus
extern "C" {
#endif

struct nir_shader;
struct pipe_context;
struct pipe_resource;
struct pipe_screen;
struct pipe_screen_config;
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

/* For a shader that Mesa runs itself, before it becomes TGSI: uniform blocks are loaded
 * by vectors.  The driver's own shaders load bytes (PIPE_CAP_LOAD_CONSTBUF), which
 * Mesa's interpreter does from the first constant buffer alone.
 */
void sgpu_shader_for_mesa(struct nir_shader *nir, struct pipe_screen *screen);

/* A driver's own bit of pipe_map_flags, for reading textures with samples, which have
 * one level: maps the sample that `level` names instead of the resolved texture.
 */
#define SGPU_MAP_SAMPLE PIPE_MAP_DRV_PRV
/* The caller writes all of the range before anything reads it. */
#define SGPU_MAP_WHOLE (PIPE_MAP_DRV_PRV << 1)

#ifdef __cplusplus
}
#endif
#endif
