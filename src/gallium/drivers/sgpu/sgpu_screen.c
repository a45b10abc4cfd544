/* SPDX-License-Identifier: MIT */
/* Creates and destroys the screen, and implements its queries of names, memory and time. */
#include "sgpu_screen.h"

#include "frontend/sw_winsys.h"
#include "pipe/p_defines.h"
#include "util/u_memory.h"
#include "util/u_screen.h"

#include "compiler/sgpu_compiler.h"
#include "sgpu_memory_object.h"
#include "sgpu_public.h"
#include "sgpu_resource.h"
#include "sgpu_shader.h"
#include "timing/live/sgt_live.h"

/* Set if contexts are threaded by default, even without SGPU_DEBUG=tc. */
static const bool threaded_by_default = false;

/* Returns GL_RENDERER, which is the same on every machine: programs and tests compare it.  The number
 * of threads is printed by `sgpu info`.
 */
static const char *
sgpu_get_name(struct pipe_screen *pscreen)
{
   return "sgpu";
}

static const char *
sgpu_get_vendor(struct pipe_screen *pscreen)
{
   return "sgpu";
}

static uint64_t
sgpu_get_timestamp(struct pipe_screen *pscreen)
{
   const struct sgpu_winsys *ws = sgpu_screen(pscreen)->ws;

   if (ws->live)
      return sgt_live_ns(ws->live, sgt_live_now(ws->live));
   return sgpu_device_get_param(ws->dev, SGPU_PARAM_TIMESTAMP);
}

static void
sgpu_query_memory_info(struct pipe_screen *pscreen, struct pipe_memory_info *info)
{
   struct sgpu_screen *screen = sgpu_screen(pscreen);
   memset(info, 0, sizeof *info);
   info->total_device_memory = MIN2(screen->ws->memory >> 10, UINT32_MAX);
   info->avail_device_memory = MIN2(sgpu_winsys_available(screen->ws) >> 10, UINT32_MAX);
}

/* Returns the file descriptor of the DRM device that the display targets belong to, or -1. */
static int
sgpu_get_screen_fd(struct pipe_screen *pscreen)
{
   struct sw_winsys *display = sgpu_screen(pscreen)->display;

   return display->get_fd ? display->get_fd(display) : -1;
}

static const void *
sgpu_get_compiler_options(struct pipe_screen *pscreen, enum pipe_shader_ir ir,
                          enum pipe_shader_type stage)
{
   return &sgpu_nir_options;
}

static char *
sgpu_finalize(struct pipe_screen *pscreen, struct nir_shader *nir)
{
   sgpu_finalize_nir(nir);
   return sgpu_precompile(sgpu_screen(pscreen), nir);
}

static struct disk_cache *
sgpu_get_disk_shader_cache(struct pipe_screen *pscreen)
{
   return sgpu_screen(pscreen)->disk_cache;
}

static void
sgpu_screen_destroy(struct pipe_screen *pscreen)
{
   struct sgpu_screen *screen = sgpu_screen(pscreen);

   sgpu_display_screen_fini(screen);
   util_live_shader_cache_deinit(&screen->live_shaders);
   simple_mtx_destroy(&screen->shaders_lock);
   sgpu_precompiled_fini(screen);
   sgpu_disk_cache_fini(screen);
   slab_destroy_parent(&screen->transfer_pool);
   util_idalloc_mt_fini(&screen->buffer_ids);
   sgpu_winsys_put(screen->ws);
   FREE(screen);
}

bool
sgpu_screen_revive(struct sgpu_screen *screen)
{
   if (!sgpu_winsys_dead(screen->ws))
      return true;
   struct sgpu_winsys *ws = sgpu_winsys_get();
   if (!ws)
      return false;
   /* Leak the old winsys, because buffers and contexts of the parent process still refer to it. */
   screen->ws = ws;
   screen->presenter = NULL;
   /* Forget the old shaders.  They must be created again, so that their code is in memory of the
    * new device.
    */
   sgpu_shader_forget(screen);
   return true;
}

struct pipe_screen *
sgpu_screen_create(struct sw_winsys *display, const struct pipe_screen_config *config)
{
   struct sgpu_screen *screen = CALLOC_STRUCT(sgpu_screen);
   if (!screen)
      return NULL;

   screen->ws = sgpu_winsys_get();
   if (!screen->ws) {
      FREE(screen);
      return NULL;
   }
   screen->display = display;
   screen->debug = sgpu_debug_flags();
   screen->compiler_debug = sgpu_debug_compiler_flags(screen->debug);
   screen->threaded = (threaded_by_default || (screen->debug & SGPU_DEBUG_TC)) &&
                      !(screen->debug & SGPU_DEBUG_NOTC) && !screen->ws->live;

   struct pipe_screen *base = &screen->base;
   base->destroy = sgpu_screen_destroy;
   base->get_name = sgpu_get_name;
   base->get_vendor = sgpu_get_vendor;
   base->get_device_vendor = sgpu_get_vendor;
   base->get_screen_fd = sgpu_get_screen_fd;
   base->get_timestamp = sgpu_get_timestamp;
   base->query_memory_info = sgpu_query_memory_info;
   base->get_compiler_options = sgpu_get_compiler_options;
   base->finalize_nir = sgpu_finalize;
   base->get_disk_shader_cache = sgpu_get_disk_shader_cache;
   base->context_create = sgpu_context_create;

   sgpu_caps_stage_init(base);
   sgpu_format_init(base);
   sgpu_resource_screen_init(base);
   sgpu_memory_object_screen_init(base);
   sgpu_display_screen_init(base);
   sgpu_fence_screen_init(base);
   sgpu_counters_screen_init(base);
   sgpu_shader_screen_init(base);
   sgpu_caps_init(base);

   slab_create_parent(&screen->transfer_pool, sizeof(struct sgpu_transfer), 16);
   util_idalloc_mt_init_tc(&screen->buffer_ids);
   if (!screen->live_shaders.hashtable || !sgpu_precompiled_init(screen)) {
      sgpu_screen_destroy(base);
      return NULL;
   }
   sgpu_disk_cache_init(screen);
   return base;
}
