/* SPDX-License-Identifier: MIT */
/*
 * Command processor: binds textures, samplers and images. Draws and grids share the texture set of
 * the stage with the command processor, so the set is copied before it is modified.
 */
#include <stdlib.h>
#include <string.h>

#include "control/cp/sgd_cp.h"
#include "control/cp/sgd_cp_packets.h"
#include "common/sgd_ref.h"
#include "util/macros.h"

static void
texture_unref(struct sgd_texture *t)
{
   if (t && sgd_unref(&t->refs)) {
      sgd_texture_finish(t);
      free(t);
   }
}

void
sgd_texture_set_unref(struct sgd_texture_set *set)
{
   if (set && sgd_unref(&set->refs)) {
      for (unsigned i = 0; i < set->num_textures; i++)
         texture_unref(set->textures[i]);
      for (unsigned i = 0; i < set->num_images; i++)
         texture_unref(set->images[i]);
      free(set);
   }
}

void
sgd_handle_set_unref(struct sgd_handle_set *set)
{
   if (set && sgd_unref(&set->refs)) {
      for (unsigned i = 0; i < set->count; i++) {
         texture_unref(set->handle[i].texture);
         texture_unref(set->handle[i].image);
      }
      free(set);
   }
}

/* Returns a handle set that may be modified and has space for at least `count` handles, or NULL if
 * out of memory. If the current set is too small, or something else refers to it, makes a copy
 * first.
 */
static struct sgd_handle_set *
writable_handles(struct sgd_cp *cp, unsigned count)
{
   struct sgd_handle_set *old = cp->cur.handles;

   if (old && old->count >= count && __atomic_load_n(&old->refs, __ATOMIC_ACQUIRE) == 1)
      return old;

   count = MAX2(count, old ? old->count : 0);
   struct sgd_handle_set *set = calloc(1, sizeof(*set) + count * sizeof(set->handle[0]));
   if (!set)
      return NULL;
   for (unsigned i = 0; old && i < old->count; i++) {
      set->handle[i] = old->handle[i];
      if (set->handle[i].texture)
         sgd_ref(&set->handle[i].texture->refs);
      if (set->handle[i].image)
         sgd_ref(&set->handle[i].image->refs);
   }
   sgd_handle_set_unref(old);
   set->refs = 1;
   set->count = count;
   cp->cur.handles = set;
   return set;
}

struct sgd_texture_set *
sgd_cp_writable_set(struct sgd_cp *cp, enum sgpu_stage stage)
{
   struct sgd_texture_set *old = cp->cur.sets[stage];

   if (old && __atomic_load_n(&old->refs, __ATOMIC_ACQUIRE) == 1)
      return old;

   struct sgd_texture_set *set = malloc(sizeof(*set));
   if (!set)
      return NULL;
   if (!old) {
      memset(set, 0, SGD_TEXTURE_SET_SMALL);
   } else {
      const bool small = !old->num_images && !old->has_buffers;
      memcpy(set, old, small ? SGD_TEXTURE_SET_SMALL : sizeof(*set));
      for (unsigned i = 0; i < set->num_textures; i++) {
         if (set->textures[i])
            sgd_ref(&set->textures[i]->refs);
      }
      for (unsigned i = 0; i < set->num_images; i++) {
         if (set->images[i])
            sgd_ref(&set->images[i]->refs);
      }
      sgd_texture_set_unref(old);
   }
   set->refs = 1;
   cp->cur.sets[stage] = set;
   return set;
}

static const char *
texture(struct sgd_cp *cp, const uint32_t *in, const char *(*prepare)(struct sgd_texture *),
        struct sgd_texture **out)
{
   struct SGPU_TEXTURE desc;
   const char *error = SGPU_TEXTURE_unpack(in, &desc);
   *out = NULL;
   if (error || !desc.valid)
      return error;

   struct sgd_texture *t = calloc(1, sizeof(*t));
   uint64_t size;
   if (!t)
      return "out of memory";
   error = sgpu_texture_check(&desc, &t->layout, &size);
   if (!error) {
      t->refs = 1;
      t->desc = desc;
      t->pformat = sgpu_format_to_pipe(desc.format);
      t->fdesc = util_format_description(t->pformat);
      t->size = size;
      t->no_paths = cp->params->no_paths;
      t->bo = size ? sgd_bo_list_find(&cp->sub->bos, desc.address, size) : NULL;
      t->base = cp->memory->base + desc.address;
      if (!t->bo)
         error = "TEXTURE: not in a buffer of the submission";
      else
         error = prepare(t);
   }
   if (error) {
      free(t);
      return error;
   }
   *out = t;
   return NULL;
}

static const char *
texture_handles(struct sgd_cp *cp, const uint32_t *in, unsigned first, unsigned count)
{
   if (first + count > SGPU_MAX_HANDLES)
      return "TEXTURES: beyond the last handle";
   struct sgd_handle_set *set = writable_handles(cp, first + count);
   if (!set)
      return "out of memory";
   for (unsigned i = 0; i < count; i++) {
      struct sgd_texture *t;
      const char *error = texture(cp, SGPU_TEXTURES_tail(in, i), sgd_texture_prepare, &t);
      if (error)
         return error;
      texture_unref(set->handle[first + i].texture);
      set->handle[first + i].texture = t;
   }
   return NULL;
}

const char *
sgd_cp_textures(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_TEXTURES p;
   const char *error = SGPU_TEXTURES_unpack(in, &p);
   const unsigned count = SGPU_TEXTURES_count(in);
   if (error)
      return error;
   if (p.handles)
      return texture_handles(cp, in, p.first_handle, count);
   if (p.first + count > SGD_MAX_TEXTURES)
      return "TEXTURES: beyond the last unit";
   struct sgd_texture_set *set = sgd_cp_writable_set(cp, p.stage);
   if (!set)
      return "out of memory";

   for (unsigned i = 0; i < count; i++) {
      struct sgd_texture *t;
      error = texture(cp, SGPU_TEXTURES_tail(in, i), sgd_texture_prepare, &t);
      if (error)
         return error;
      texture_unref(set->textures[p.first + i]);
      set->textures[p.first + i] = t;
      set->num_textures = MAX2(set->num_textures, p.first + i + 1);
   }
   return NULL;
}

static const char *
prepare_image(struct sgd_texture *t)
{
   if (util_format_is_depth_or_stencil(t->pformat) || util_format_is_compressed(t->pformat))
      return "IMAGES: Format is not one of images";
   return sgd_image_prepare(t);
}

static const char *
image_handles(struct sgd_cp *cp, const uint32_t *in, unsigned first, unsigned count)
{
   if (first + count > SGPU_MAX_HANDLES)
      return "IMAGES: beyond the last handle";
   struct sgd_handle_set *set = writable_handles(cp, first + count);
   if (!set)
      return "out of memory";
   for (unsigned i = 0; i < count; i++) {
      struct sgd_texture *t;
      const char *error = texture(cp, SGPU_IMAGES_tail(in, i), prepare_image, &t);
      if (error)
         return error;
      texture_unref(set->handle[first + i].image);
      set->handle[first + i].image = t;
   }
   return NULL;
}

const char *
sgd_cp_images(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_IMAGES p;
   const char *error = SGPU_IMAGES_unpack(in, &p);
   const unsigned count = SGPU_IMAGES_count(in);
   if (error)
      return error;
   if (p.handles)
      return image_handles(cp, in, p.first_handle, count);
   if (p.first + count > SGD_MAX_IMAGES)
      return "IMAGES: beyond the last unit";
   struct sgd_texture_set *set = sgd_cp_writable_set(cp, p.stage);
   if (!set)
      return "out of memory";
   if (!set->num_images)
      memset(set->images, 0, sizeof(set->images));

   for (unsigned i = 0; i < count; i++) {
      struct sgd_texture *t;
      error = texture(cp, SGPU_IMAGES_tail(in, i), prepare_image, &t);
      if (error)
         return error;
      texture_unref(set->images[p.first + i]);
      set->images[p.first + i] = t;
      set->num_images = MAX2(set->num_images, p.first + i + 1);
   }
   return NULL;
}

static const char *
sampler_handles(struct sgd_cp *cp, const uint32_t *in, unsigned first, unsigned count)
{
   if (first + count > SGPU_MAX_HANDLES)
      return "SAMPLERS: beyond the last handle";
   struct sgd_handle_set *set = writable_handles(cp, first + count);
   if (!set)
      return "out of memory";
   for (unsigned i = 0; i < count; i++) {
      struct sgd_sampler *s = &set->handle[first + i].sampler;
      const char *error = SGPU_SAMPLER_unpack(SGPU_SAMPLERS_tail(in, i), &s->desc);
      if (error)
         return error;
      s->valid = true;
      sgd_sampler_prepare(s);
   }
   return NULL;
}

const char *
sgd_cp_samplers(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_SAMPLERS p;
   const char *error = SGPU_SAMPLERS_unpack(in, &p);
   const unsigned count = SGPU_SAMPLERS_count(in);
   if (error)
      return error;
   if (p.handles)
      return sampler_handles(cp, in, p.first_handle, count);
   if (p.first + count > SGD_MAX_SAMPLERS)
      return "SAMPLERS: beyond the last unit";
   struct sgd_texture_set *set = sgd_cp_writable_set(cp, p.stage);
   if (!set)
      return "out of memory";

   for (unsigned i = 0; i < count; i++) {
      struct sgd_sampler *s = &set->samplers[p.first + i];
      error = SGPU_SAMPLER_unpack(SGPU_SAMPLERS_tail(in, i), &s->desc);
      if (error)
         return error;
      s->valid = true;
      sgd_sampler_prepare(s);
   }
   return NULL;
}
