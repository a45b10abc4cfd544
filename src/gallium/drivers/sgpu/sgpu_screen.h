/* SPDX-License-Identifier: MIT */
/* The screen, which all contexts share. */
#ifndef SGPU_SCREEN_H
#define SGPU_SCREEN_H

#include "pipe/p_screen.h"
#include "util/disk_cache.h"
#include "util/simple_mtx.h"
#include "util/slab.h"
#include "util/u_idalloc.h"
#include "util/u_live_shader_cache.h"

#include "sgpu_caps.h"
#include "sgpu_debug.h"
#include "sgpu_isa.h"
#include "sgpu_packets.h"
#include "sgpu_public.h"
#include "sgpu_stage.h"
#include "winsys/sgpu/sgpu_winsys.h"

struct sw_winsys;

#define SGPU_MAX_TEXTURE_SIZE_LOG2 14
#define SGPU_MAX_3D_SIZE_LOG2 11
#define SGPU_STAGE_SAMPLERS 16
/* number of constant banks: bank 0 for uniforms and the others for uniform blocks */
#define SGPU_STAGE_BANKS 16
#define SGPU_STAGE_BUFFERS SGPU_BUFFERS_TAIL_MAX
#define SGPU_STAGE_IMAGES SGPU_IMAGES_TAIL_MAX
#define SGPU_MAX_SHADER_BUFFER_SIZE (1u << 27)
#define SGPU_MAX_GROUP_SIZE SGPU_GRID_GROUP_SIZE_X_MAX
#define SGPU_MAX_SHARED_SIZE SGPU_GRID_SHARED_SIZE_MAX
#define SGPU_MAX_VERTEX_BUFFERS SGPU_VERTEX_BUFFERS_TAIL_MAX
/* Limits of a geometry shader invocation: the number of output vertices, and the total number of
 * components in them.
 */
#define SGPU_MAX_GEOMETRY_VERTICES SGPU_SHADER_MAX_VERTICES_MAX
#define SGPU_MAX_GEOMETRY_COMPONENTS 1024
#define SGPU_MAX_GEOMETRY_INVOCATIONS SGPU_SHADER_INVOCATIONS_MAX
#define SGPU_MAX_TEXEL_BUFFER_ELEMENTS (1u << 27)
#define SGPU_MAX_LINE_WIDTH 255.0f
#define SGPU_MAX_POINT_SIZE ((float)SGPU_LIMIT_POINT_SIZE)

/* Gallium's limits must match the limits of the device's packets. */
static_assert(PIPE_MAX_COLOR_BUFS == SGPU_BLEND_TAIL_MAX, "");
static_assert(PIPE_MAX_VIEWPORTS == SGPU_VIEWPORT_INDEX_MAX + 1, "");
static_assert(PIPE_MAX_ATTRIBS == SGPU_VERTEX_ELEMENTS_TAIL_MAX, "");
static_assert(PIPE_MAX_SO_BUFFERS == SGPU_XFB_BUFFERS_TAIL_MAX, "");
static_assert(PIPE_MAX_SO_OUTPUTS <= SGPU_XFB_OUTPUTS_TAIL_MAX, "");
static_assert(PIPE_MAX_VERTEX_STREAMS == SGPU_MAX_VERTEX_STREAMS, "");
static_assert(SGPU_STAGE_SAMPLERS <= SGPU_SAMPLERS_TAIL_MAX &&
                 SGPU_STAGE_SAMPLERS <= SGPU_TEXTURES_TAIL_MAX,
              "");
static_assert(SGPU_STAGE_BANKS <= SGPU_CONSTANTS_BANK_MAX + 1, "");

struct sgpu_screen {
   struct pipe_screen base;
   struct sgpu_winsys *ws;
   struct sw_winsys *display;       /* winsys that shows pictures */
   sgpu_read_front_func read_front; /* function that reads a front buffer, or NULL */
   simple_mtx_t presenter_lock;     /* protects `presenter`; held while the context is used */
   /* context for presentations without a current context, or NULL */
   struct pipe_context *presenter;
   uint64_t debug;
   unsigned compiler_debug;
   bool threaded; /* wrap contexts in u_threaded_context */
   struct sgpu_stage_caps stage_caps[SGPU_NUM_STAGES];
   struct sgpu_compute_caps compute_caps;

   struct disk_cache *disk_cache;
   struct util_live_shader_cache live_shaders;
   simple_mtx_t shaders_lock;
   struct sgpu_precompiled *precompiled;
   struct list_head shaders; /* all shaders, linked by sgpu_shader_state::link */
   struct slab_parent_pool transfer_pool;
   struct util_idalloc_mt buffer_ids;
   uint32_t next_shader_id;
   uint64_t frames; /* atomic: ID of the latest frame (sgpu_context::frame) */
};

static inline struct sgpu_screen *
sgpu_screen(struct pipe_screen *screen)
{
   return (struct sgpu_screen *)screen;
}

/* sgpu_screen.c */
/* Creates a new device if the process is a forked child whose device is dead.  Returns false on
 * failure.
 */
bool sgpu_screen_revive(struct sgpu_screen *screen);
/* sgpu_format.c */
void sgpu_format_init(struct pipe_screen *screen);
/* sgpu_disk_cache.c */
void sgpu_disk_cache_init(struct sgpu_screen *screen);
void sgpu_disk_cache_fini(struct sgpu_screen *screen);
/* sgpu_resource.c */
void sgpu_resource_screen_init(struct pipe_screen *screen);
/* sgpu_display.c */
void sgpu_display_screen_init(struct pipe_screen *screen);
void sgpu_display_screen_fini(struct sgpu_screen *screen);
/* sgpu_fence.c */
void sgpu_fence_screen_init(struct pipe_screen *screen);
/* sgpu_query_counters.c */
void sgpu_counters_screen_init(struct pipe_screen *screen);
/* sgpu_shader.c */
void sgpu_shader_screen_init(struct pipe_screen *screen);
/* sgpu_context.c */
struct pipe_context *sgpu_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

#endif
