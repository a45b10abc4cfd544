/* SPDX-License-Identifier: MIT */
/* Creates screens for old loaders.  Of all structures that loaders pass to a driver, only the lookup
 * of EGL images has changed its layout.  It is translated here.
 */
#include "old_screen.h"

#include <string.h>

#include "dri_screen.h"
#include "dri_util.h"
#include "old_dispatch.h"
#include "pipe/p_screen.h"
#include "util/macros.h"
#include "util/u_memory.h"

/* The old layout.  The last two functions exist since version 2. */
struct old_lookup_extension {
   __DRIextension base;
   struct dri_image *(*lookup)(struct dri_screen *screen, void *image, void *loader_private);
   unsigned char (*validate)(void *image, void *loader_private);
   struct dri_image *(*lookup_validated)(void *image, void *loader_private);
};

struct lookup {
   __DRIimageLookupExtension extension;
   const struct old_lookup_extension *old;
};

/* Mesa's functions for the frontend, which are the same for all screens. */
static bool (*mesa_get_egl_image)(struct pipe_frontend_screen *, void *, struct st_egl_image *);
static bool (*mesa_validate_egl_image)(struct pipe_frontend_screen *, void *);

/* The screen that Mesa's functions ask for an image.  Loaders' functions don't tell which loader they
 * belong to.
 */
static thread_local struct dri_screen *asked;

static const struct lookup *
lookup(const struct dri_screen *screen)
{
   return container_of(screen->dri2.image, struct lookup, extension);
}

static struct dri_image *
lookup_validated(void *image, void *loader_private)
{
   const struct old_lookup_extension *old = lookup(asked)->old;

   return old->base.version >= 2 ? old->lookup_validated(image, loader_private)
                                 : old->lookup(asked, image, loader_private);
}

static unsigned char
validate(void *image, void *loader_private)
{
   const struct old_lookup_extension *old = lookup(asked)->old;

   return old->base.version >= 2 ? old->validate(image, loader_private)
                                 : old->lookup(asked, image, loader_private) != NULL;
}

static bool
get_egl_image(struct pipe_frontend_screen *screen, void *image, struct st_egl_image *out)
{
   asked = (struct dri_screen *)screen;
   return mesa_get_egl_image(screen, image, out);
}

static bool
validate_egl_image(struct pipe_frontend_screen *screen, void *image)
{
   asked = (struct dri_screen *)screen;
   return mesa_validate_egl_image(screen, image);
}

/* Returns the lookup in the new layout, or NULL on allocation failure. */
static const __DRIextension *
new_lookup(const __DRIextension *old)
{
   struct lookup *l = CALLOC_STRUCT(lookup);

   if (!l)
      return NULL;
   l->extension.base = *old;
   l->extension.validateEGLImage = validate;
   l->extension.lookupEGLImageValidated = lookup_validated;
   l->old = (const struct old_lookup_extension *)old;
   return &l->extension.base;
}

struct dri_screen *
old_screen_create(int number, int fd, const void *extensions, const struct dri_config ***configs,
                  void *loader_private)
{
   const __DRIextension *const *theirs = extensions;
   const __DRIextension *own[32], *translated = NULL;
   struct dri_screen *screen = NULL;
   unsigned count = 0;

   old_dispatch_prepare();
   for (; theirs[count] && count < ARRAY_SIZE(own) - 1; count++) {
      own[count] = theirs[count];
      if (!translated && !strcmp(theirs[count]->name, __DRI_IMAGE_LOOKUP)) {
         translated = new_lookup(theirs[count]);
         if (!translated)
            return NULL;
         own[count] = translated;
      }
   }
   own[count] = NULL;
   if (!theirs[count])
      screen = driCreateNewScreen3(number, fd, own,
                                   fd < 0 ? DRI_SCREEN_SWRAST : DRI_SCREEN_KMS_SWRAST, configs,
                                   false, true, loader_private);
   if (!screen) {
      FREE((void *)translated);
      return NULL;
   }
   if (translated) {
      mesa_get_egl_image = screen->base.get_egl_image;
      mesa_validate_egl_image = screen->base.validate_egl_image;
      screen->base.get_egl_image = get_egl_image;
      screen->base.validate_egl_image = validate_egl_image;
   }
   return screen;
}

void
old_screen_destroy(struct dri_screen *screen)
{
   const struct lookup *l = screen->dri2.image ? lookup(screen) : NULL;

   driDestroyScreen(screen);
   FREE((void *)l);
}

struct old_properties
old_screen_properties(const struct dri_screen *screen)
{
   struct pipe_screen *pscreen = screen->base.screen;

   return (struct old_properties){
      .kms = screen->type == DRI_SCREEN_KMS_SWRAST,
      .imports = screen->dmabuf_import,
      .reports_resets = screen->has_reset_status_query,
      .texture_3d = pscreen->caps.max_texture_3d_levels != 0,
      .framebuffer_srgb = pscreen->is_format_supported(pscreen, PIPE_FORMAT_B8G8R8A8_SRGB,
                                                       PIPE_TEXTURE_2D, 0, 0,
                                                       PIPE_BIND_RENDER_TARGET),
      .priorities = pscreen->caps.context_priority_mask,
   };
}
