/* SPDX-License-Identifier: MIT */
/* Implements bindless handles of textures and images: creation, residency and packets. */
#include "sgpu_context.h"

#include "util/u_inlines.h"
#include "util/u_memory.h"

static struct sgpu_handle *
find_handle(struct sgpu_context *ctx, uint64_t n)
{
   return n < ctx->handles.count ? ctx->handles.handle[n] : NULL;
}

/* Allocates an entry of ctx->handles and returns its index.  Returns -1 if all entries are in use
 * or on allocation failure.
 */
static int
take(struct sgpu_context *ctx)
{
   struct sgpu_handles *handles = &ctx->handles;
   unsigned n = 0;

   while (n < handles->count && handles->handle[n])
      n++;
   if (n == SGPU_MAX_HANDLES || !(handles->handle[n] = CALLOC_STRUCT(sgpu_handle)))
      return -1;
   handles->count = MAX2(handles->count, n + 1);
   return (int)n;
}

static uint64_t
sgpu_create_texture_handle(struct pipe_context *pctx, struct pipe_sampler_view *view,
                           const struct pipe_sampler_state *state)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_sampler *sampler = pctx->create_sampler_state(pctx, state);
   const int n = sampler && view != &ctx->refused_view ? take(ctx) : -1;

   if (n >= 0) {
      memcpy(ctx->handles.handle[n]->sampler, sampler->packed, sizeof(sampler->packed));
      pipe_sampler_view_reference(&ctx->handles.handle[n]->view, view);
   }
   FREE(sampler);
   return n < 0 ? 0 : SGPU_MAX_TEXTURES + (uint64_t)n;
}

static uint64_t
sgpu_create_image_handle(struct pipe_context *pctx, const struct pipe_image_view *image)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   const int n = image->resource ? take(ctx) : -1;

   if (n < 0)
      return 0;
   util_copy_image_view(&ctx->handles.handle[n]->image, image);
   if (image->resource->target != PIPE_BUFFER)
      p_atomic_set(&sgpu_resource(image->resource)->sampled, true);
   return SGPU_MAX_IMAGES + (uint64_t)n;
}

static void
set_resident(struct sgpu_context *ctx, struct sgpu_handle *handle, bool resident)
{
   if (!handle || handle->resident == resident)
      return;
   handle->resident = resident;
   ctx->handles.resident += resident ? 1 : -1;
   ctx->handles.dirty = true;
}

static void
free_handle(struct sgpu_context *ctx, unsigned n)
{
   struct sgpu_handle *handle = ctx->handles.handle[n];

   if (!handle)
      return;
   set_resident(ctx, handle, false);
   pipe_sampler_view_reference(&handle->view, NULL);
   pipe_resource_reference(&handle->image.resource, NULL);
   FREE(handle);
   ctx->handles.handle[n] = NULL;
}

static void
sgpu_delete_texture_handle(struct pipe_context *pctx, uint64_t handle)
{
   if (find_handle(sgpu_context(pctx), handle - SGPU_MAX_TEXTURES))
      free_handle(sgpu_context(pctx), (unsigned)(handle - SGPU_MAX_TEXTURES));
}

static void
sgpu_delete_image_handle(struct pipe_context *pctx, uint64_t handle)
{
   if (find_handle(sgpu_context(pctx), handle - SGPU_MAX_IMAGES))
      free_handle(sgpu_context(pctx), (unsigned)(handle - SGPU_MAX_IMAGES));
}

static void
sgpu_make_texture_handle_resident(struct pipe_context *pctx, uint64_t handle, bool resident)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   set_resident(ctx, find_handle(ctx, handle - SGPU_MAX_TEXTURES), resident);
}

static void
sgpu_make_image_handle_resident(struct pipe_context *pctx, uint64_t handle, unsigned access,
                                bool resident)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_handle *h = find_handle(ctx, handle - SGPU_MAX_IMAGES);

   /* Ignore the declared access, because the application may not adhere to it. */
   if (h)
      h->image.access = h->image.shader_access = PIPE_IMAGE_ACCESS_READ_WRITE;
   set_resident(ctx, h, resident);
}

/* Returns true if any bound shader of the given stages may access bindless handles. */
static bool
uses_handles(const struct sgpu_context *ctx, uint32_t stages)
{
   bool uses = false;

   u_foreach_bit(s, stages) {
      const struct sgpu_shader_state *shader = ctx->stage[s].shader;
      const struct sgpu_program_info *info = shader ? &shader->compiled->program.info : NULL;
      uses |= info &&
              (info->relative_textures || info->images_read == ~0u || info->images_written == ~0u);
   }
   return uses;
}

unsigned
sgpu_handle_words(const struct sgpu_context *ctx)
{
   return ctx->handles.count * (SGPU_HANDLE_WORDS / SGPU_MAX_HANDLES);
}

static void
emit_texture(struct sgpu_context *ctx, unsigned n, const struct sgpu_handle *handle)
{
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_TEXTURES_length(1));

   sgpu_pack(out, TEXTURES, cfg) {
      cfg.handles = true;
      cfg.first_handle = n;
      cfg.tail_count = 1;
   }
   if (!handle) {
      sgpu_pack(SGPU_TEXTURES_tail(out, 0), TEXTURE, cfg)
         ;
      return;
   }
   sgpu_emit_texture(ctx, sgpu_sampler_view(handle->view), SGPU_TEXTURES_tail(out, 0));
   out = sgpu_cs_get(&ctx->cs, SGPU_SAMPLERS_length(1));
   sgpu_pack(out, SAMPLERS, cfg) {
      cfg.handles = true;
      cfg.first_handle = n;
      cfg.tail_count = 1;
   }
   memcpy(SGPU_SAMPLERS_tail(out, 0), handle->sampler, sizeof(handle->sampler));
}

static void
emit_image(struct sgpu_context *ctx, unsigned n, const struct sgpu_handle *handle)
{
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_IMAGES_length(1));

   sgpu_pack(out, IMAGES, cfg) {
      cfg.handles = true;
      cfg.first_handle = n;
      cfg.tail_count = 1;
   }
   if (handle)
      sgpu_emit_image(ctx, &handle->image, handle->image.shader_access & PIPE_IMAGE_ACCESS_WRITE,
                      SGPU_IMAGES_tail(out, 0));
   else
      sgpu_pack(SGPU_IMAGES_tail(out, 0), TEXTURE, cfg)
         ;
}

/* Writes a record for each entry that has ever been used.  If the handle of the entry is not
 * resident, the record unbinds the entry.
 */
void
sgpu_emit_handles(struct sgpu_context *ctx, uint32_t stages)
{
   struct sgpu_handles *handles = &ctx->handles;

   if (!handles->dirty || !uses_handles(ctx, stages))
      return;
   for (unsigned n = 0; n < handles->count; n++) {
      const struct sgpu_handle *handle = handles->handle[n];
      const bool resident = handle && handle->resident;

      emit_texture(ctx, n, resident && handle->view ? handle : NULL);
      emit_image(ctx, n, resident && handle->image.resource ? handle : NULL);
   }
   handles->dirty = false;
}

void
sgpu_refresh_handles(struct sgpu_context *ctx, uint32_t stages)
{
   struct sgpu_handles *handles = &ctx->handles;

   if (!handles->resident || !uses_handles(ctx, stages))
      return;
   for (unsigned n = 0; n < handles->count; n++) {
      const struct sgpu_handle *handle = handles->handle[n];
      if (!handle || !handle->resident)
         continue;
      struct pipe_resource *pres = handle->view ? handle->view->texture : handle->image.resource;
      if (pres->target == PIPE_BUFFER)
         continue;
      if (handles->dirty)
         sgpu_display_refresh_queued(ctx, sgpu_resource(pres));
      sgpu_resource_resolve(ctx, sgpu_resource(pres));
   }
}

void
sgpu_handle_context_init(struct pipe_context *pctx)
{
   pctx->create_texture_handle = sgpu_create_texture_handle;
   pctx->delete_texture_handle = sgpu_delete_texture_handle;
   pctx->make_texture_handle_resident = sgpu_make_texture_handle_resident;
   pctx->create_image_handle = sgpu_create_image_handle;
   pctx->delete_image_handle = sgpu_delete_image_handle;
   pctx->make_image_handle_resident = sgpu_make_image_handle_resident;
}

void
sgpu_handle_context_fini(struct sgpu_context *ctx)
{
   for (unsigned n = 0; n < ctx->handles.count; n++)
      free_handle(ctx, n);
}
