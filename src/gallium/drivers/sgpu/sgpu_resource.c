/* SPDX-License-Identifier: MIT */
/*
 * Creation, import and export of resources.
 */
#include "sgpu_resource.h"

#include "drm-uapi/drm_fourcc.h"
#include "frontend/sw_winsys.h"
#include "frontend/winsys_handle.h"
#include "pipe/p_defines.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "sgpu_context.h"
#include "sgpu_formats_pipe.h"
#include "sgpu_memory_object.h"
#include "sgpu_screen.h"
#include "winsys/sgpu/sgpu_host_memory.h"

struct sgpu_buffer *
sgpu_resource_alloc(struct pipe_screen *pscreen, const struct pipe_resource *templat, uint64_t size)
{
   const bool buffer = templat->target == PIPE_BUFFER;
   /* Textures need no CPU mapping, because the CPU only accesses linear copies of them. */
   return sgpu_buffer_create(sgpu_screen(pscreen)->ws, size,
                             SGPU_BUFFER_ZERO | (buffer ? 0 : SGPU_BUFFER_DEVICE),
                             buffer ? "buffer" : "texture");
}

/* Maximum size in bytes of a texture that can_create_resource() accepts. */
#define MAX_TEXTURE_BYTES (UINT64_C(2) << 30)

static bool
layout_texture(struct sgpu_resource *res)
{
   const struct pipe_resource *t = &res->b.b;
   enum sgpu_format format = sgpu_format_from_pipe(t->format);
   /* Render targets must have a tiled layout. */
   bool one_dimensional = (t->target == PIPE_TEXTURE_1D || t->target == PIPE_TEXTURE_1D_ARRAY) &&
                          !(t->bind & (PIPE_BIND_RENDER_TARGET | PIPE_BIND_DEPTH_STENCIL));

   if (format == SGPU_FORMAT_NONE)
      return false;

   enum sgpu_memory_layout mode = sgpu_layout_choose(format, one_dimensional);
   const bool target = t->bind & (PIPE_BIND_RENDER_TARGET | PIPE_BIND_DEPTH_STENCIL);
   const struct sgpu_layout_params params = {
      .format = format,
      .mode = mode,
      .metadata = target && mode == SGPU_LAYOUT_TILED && !util_format_is_compressed(t->format),
      .width = t->width0,
      .height = t->height0,
      .depth = t->depth0,
      .layers = t->array_size,
      .levels = t->last_level + 1,
      .samples = MAX2(t->nr_samples, 1),
   };
   return sgpu_layout_init(&res->layout, &params);
}

static bool
sgpu_can_create_resource(struct pipe_screen *pscreen, const struct pipe_resource *templat)
{
   struct sgpu_resource *res = CALLOC_STRUCT(sgpu_resource);
   if (!res)
      return false;

   res->b.b = *templat;
   /* Clamp the number of levels, because Mesa also counts array layers as a dimension when it
    * computes the number of levels.
    */
   const unsigned levels = util_logbase2(MAX3(templat->width0, templat->height0, templat->depth0));
   res->b.b.last_level = MIN2(templat->last_level, levels);
   /* Multisampled textures have a single level, although Mesa passes a level count.  The device
    * only supports sample counts that are powers of two.
    */
   if (templat->nr_samples > 1) {
      res->b.b.nr_samples = util_next_power_of_two(templat->nr_samples);
      res->b.b.last_level = 0;
   }

   const uint64_t memory = sgpu_screen(pscreen)->ws->memory;
   bool ok = layout_texture(res) && res->layout.size <= MIN2(memory / 2, MAX_TEXTURE_BYTES);
   FREE(res);
   return ok;
}

/* Existing memory for a new resource: a memory object from byte `offset` on, or a buffer over user
 * memory.  The resource takes ownership of the buffer.
 */
struct backing {
   const struct pipe_memory_object *object;
   uint64_t offset;
   struct sgpu_buffer *user;
};

static struct sgpu_buffer *
back(struct pipe_screen *pscreen, const struct pipe_resource *templat, const struct backing *in,
     uint64_t size)
{
   if (in && in->user)
      return in->user;
   return in ? sgpu_memory_object_map(pscreen, in->object, in->offset, size)
             : sgpu_resource_alloc(pscreen, templat, size);
}

/* Creates a resource without a display target.  Allocates the memory of the resource if `in` is
 * NULL.
 */
static struct sgpu_resource *
create_plain(struct pipe_screen *pscreen, const struct pipe_resource *templat,
             const struct backing *in)
{
   struct sgpu_screen *screen = sgpu_screen(pscreen);
   struct sgpu_resource *res = CALLOC_STRUCT_CL(sgpu_resource);
   if (!res)
      return NULL;

   res->b.b = *templat;
   res->b.b.screen = pscreen;
   res->b.b.next = NULL;
   pipe_reference_init(&res->b.b.reference, 1);

   uint64_t size = templat->width0;
   if (templat->target != PIPE_BUFFER) {
      if (!layout_texture(res)) {
         FREE_CL(res);
         return NULL;
      }
      size = res->layout.size;
   }

   res->storage = back(pscreen, templat, in, size);
   if (!res->storage) {
      FREE_CL(res);
      return NULL;
   }

   simple_mtx_init(&res->lock, mtx_plain);
   threaded_resource_init(&res->b.b, false);
   if (templat->target == PIPE_BUFFER)
      res->b.buffer_id_unique = util_idalloc_mt_alloc(&screen->buffer_ids);
   return res;
}

static void
sgpu_resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *pres)
{
   struct sgpu_screen *screen = sgpu_screen(pscreen);
   struct sgpu_resource *res = sgpu_resource(pres);

   if (res->display)
      sgpu_display_destroy(pscreen, res);
   if (pres->target == PIPE_BUFFER)
      util_idalloc_mt_free(&screen->buffer_ids, res->b.buffer_id_unique);
   threaded_resource_deinit(pres);
   sgpu_buffer_reference(&res->storage, NULL);
   simple_mtx_destroy(&res->lock);
   FREE_CL(res);
}

#define DISPLAY_BINDS (PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT | PIPE_BIND_SHARED)

static struct pipe_resource *
sgpu_resource_create_front(struct pipe_screen *pscreen, const struct pipe_resource *templat,
                           const void *front_private)
{
   struct sgpu_resource *res = create_plain(pscreen, templat, NULL);
   if (!res)
      return NULL;

   if (templat->target != PIPE_BUFFER && (templat->bind & DISPLAY_BINDS) &&
       !sgpu_display_create(pscreen, res, front_private)) {
      sgpu_resource_destroy(pscreen, &res->b.b);
      return NULL;
   }
   return &res->b.b;
}

struct pipe_resource *
sgpu_resource_create(struct pipe_screen *pscreen, const struct pipe_resource *templat)
{
   return sgpu_resource_create_front(pscreen, templat, NULL);
}

static struct pipe_resource *
sgpu_resource_create_with_modifiers(struct pipe_screen *pscreen,
                                    const struct pipe_resource *templat, const uint64_t *modifiers,
                                    int count)
{
   for (int i = 0; i < count; i++) {
      if (modifiers[i] == DRM_FORMAT_MOD_LINEAR || modifiers[i] == DRM_FORMAT_MOD_INVALID)
         return sgpu_resource_create(pscreen, templat);
   }
   return NULL;
}

static struct pipe_resource *
sgpu_resource_from_handle(struct pipe_screen *pscreen, const struct pipe_resource *templat,
                          struct winsys_handle *whandle, unsigned usage)
{
   struct sw_winsys *display = sgpu_screen(pscreen)->display;
   unsigned stride;

   if (templat->target == PIPE_BUFFER ||
       (whandle->type != WINSYS_HANDLE_TYPE_FD && whandle->type != WINSYS_HANDLE_TYPE_KMS))
      return NULL;
   if (whandle->modifier != DRM_FORMAT_MOD_LINEAR && whandle->modifier != DRM_FORMAT_MOD_INVALID)
      return NULL;

   struct sgpu_resource *res = create_plain(pscreen, templat, NULL);
   if (!res)
      return NULL;

   struct sw_displaytarget *dt = display->displaytarget_from_handle(display, templat, whandle,
                                                                    &stride);
   if (!dt || !sgpu_display_attach(res, dt, stride)) {
      if (dt)
         display->displaytarget_destroy(display, dt);
      sgpu_resource_destroy(pscreen, &res->b.b);
      return NULL;
   }
   res->b.is_shared = true;
   res->display->imported = true;
   return &res->b.b;
}

static struct pipe_resource *
sgpu_resource_from_memobj(struct pipe_screen *pscreen, const struct pipe_resource *templat,
                          struct pipe_memory_object *memobj, uint64_t offset)
{
   /* memobj is NULL if the import failed.  Refuse linear textures, since the driver uses a tiled
    * layout for textures in memory objects.
    */
   const struct backing in = { .object = memobj, .offset = offset };
   struct sgpu_resource *res = memobj && !(templat->bind & PIPE_BIND_LINEAR)
                                  ? create_plain(pscreen, templat, &in)
                                  : NULL;
   if (!res)
      return NULL;
   res->b.is_shared = true;
   /* Disable fast clears, because other processes don't read the metadata that marks cleared tiles.
    */
   p_atomic_set(&res->sampled, true);
   return &res->b.b;
}

/* Creates a buffer whose storage is the application's memory (AMD_pinned_memory). */
static struct pipe_resource *
sgpu_resource_from_user_memory(struct pipe_screen *pscreen, const struct pipe_resource *templat,
                               void *memory)
{
   /* Refuse read-only memory, because the process would crash when a device thread writes to a
    * read-only page.
    */
   if (templat->target != PIPE_BUFFER || !sgpu_host_memory_writable(memory, templat->width0))
      return NULL;

   const struct backing in = { .user = sgpu_buffer_create_user(sgpu_screen(pscreen)->ws, memory,
                                                               templat->width0, "user memory") };
   if (!in.user)
      return NULL;
   struct sgpu_resource *res = create_plain(pscreen, templat, &in);
   if (!res) {
      sgpu_buffer_destroy(in.user);
      return NULL;
   }
   /* The storage of the buffer must not be replaced, and all of its contents are valid. */
   res->b.is_shared = true;
   res->b.is_user_ptr = true;
   util_range_add(&res->b.b, &res->b.valid_buffer_range, 0, templat->width0);
   return &res->b.b;
}

static bool
sgpu_resource_get_handle(struct pipe_screen *pscreen, struct pipe_context *pctx,
                         struct pipe_resource *pres, struct winsys_handle *whandle, unsigned usage)
{
   struct sw_winsys *display = sgpu_screen(pscreen)->display;
   struct sgpu_resource *res = sgpu_resource(pres);

   /* Refuse SHMID handles, which would require that the storage of the resource is the shared
    * memory segment.
    */
   if (!res->display || whandle->type == WINSYS_HANDLE_TYPE_SHMID)
      return false;
   if (!display->displaytarget_get_handle(display, res->display->dt, whandle))
      return false;

   whandle->modifier = DRM_FORMAT_MOD_LINEAR;
   res->b.is_shared = true;
   return true;
}

static bool
sgpu_resource_get_param(struct pipe_screen *pscreen, struct pipe_context *pctx,
                        struct pipe_resource *pres, unsigned plane, unsigned layer, unsigned level,
                        enum pipe_resource_param param, unsigned usage, uint64_t *value)
{
   struct winsys_handle handle = { .type = WINSYS_HANDLE_TYPE_KMS };

   switch (param) {
   case PIPE_RESOURCE_PARAM_NPLANES:
      *value = 1;
      return true;
   case PIPE_RESOURCE_PARAM_MODIFIER:
      *value = DRM_FORMAT_MOD_LINEAR;
      return true;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_FD:
      handle.type = WINSYS_HANDLE_TYPE_FD;
      break;
   case PIPE_RESOURCE_PARAM_STRIDE:
   case PIPE_RESOURCE_PARAM_OFFSET:
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_KMS:
      break;
   default:
      return false;
   }

   if (!sgpu_resource_get_handle(pscreen, pctx, pres, &handle, usage))
      return false;

   *value = param == PIPE_RESOURCE_PARAM_STRIDE   ? handle.stride
            : param == PIPE_RESOURCE_PARAM_OFFSET ? handle.offset
                                                  : handle.handle;
   return true;
}

static void
sgpu_query_dmabuf_modifiers(struct pipe_screen *pscreen, enum pipe_format format, int max,
                            uint64_t *modifiers, unsigned int *external_only, int *count)
{
   *count = 1;
   if (max > 0) {
      modifiers[0] = DRM_FORMAT_MOD_LINEAR;
      if (external_only)
         external_only[0] = false;
   }
}

static bool
sgpu_is_dmabuf_modifier_supported(struct pipe_screen *pscreen, uint64_t modifier,
                                  enum pipe_format format, bool *external_only)
{
   if (external_only)
      *external_only = false;
   return modifier == DRM_FORMAT_MOD_LINEAR;
}

static unsigned int
sgpu_get_dmabuf_modifier_planes(struct pipe_screen *pscreen, uint64_t modifier,
                                enum pipe_format format)
{
   return util_format_get_num_planes(format);
}

bool
sgpu_resource_renew(struct sgpu_context *ctx, struct sgpu_resource *res)
{
   struct pipe_resource *pres = &res->b.b;

   if (pres->target != PIPE_BUFFER || res->b.is_shared || p_atomic_read(&res->persistent_maps) ||
       (pres->flags & PIPE_RESOURCE_FLAG_UNMAPPABLE))
      return false;

   struct sgpu_buffer *fresh = sgpu_resource_alloc(pres->screen, pres, pres->width0);
   if (!fresh)
      return false;

   simple_mtx_lock(&res->lock);
   sgpu_buffer_reference(&res->storage, NULL);
   res->storage = fresh;
   simple_mtx_unlock(&res->lock);

   util_range_set_empty(&res->b.valid_buffer_range);
   sgpu_context_rebind(ctx, pres);
   return true;
}

void
sgpu_resource_screen_init(struct pipe_screen *pscreen)
{
   pscreen->can_create_resource = sgpu_can_create_resource;
   pscreen->resource_create = sgpu_resource_create;
   pscreen->resource_create_front = sgpu_resource_create_front;
   pscreen->resource_create_with_modifiers = sgpu_resource_create_with_modifiers;
   pscreen->resource_destroy = sgpu_resource_destroy;
   pscreen->resource_from_handle = sgpu_resource_from_handle;
   pscreen->resource_get_handle = sgpu_resource_get_handle;
   pscreen->resource_from_memobj = sgpu_resource_from_memobj;
   pscreen->resource_from_user_memory = sgpu_resource_from_user_memory;
   pscreen->resource_get_param = sgpu_resource_get_param;
   pscreen->query_dmabuf_modifiers = sgpu_query_dmabuf_modifiers;
   pscreen->is_dmabuf_modifier_supported = sgpu_is_dmabuf_modifier_supported;
   pscreen->get_dmabuf_modifier_planes = sgpu_get_dmabuf_modifier_planes;
}
