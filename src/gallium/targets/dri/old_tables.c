/* SPDX-License-Identifier: MIT */
/* The loadable driver for loaders of Mesa up to 23.3, and for X servers: tables of functions of the
 * old interface, most of which libgallium_sgpu has.
 */
#include "old_interface.h"

#include "old_dispatch.h"
#include "old_version.h"

#include <GL/mesa_glinterop.h>

#include "pipe-loader/pipe_loader.h"
#include "util/macros.h"

/*
 * Contexts and drawables
 */

static __DRIcontext *
create_context_for_api(__DRIscreen *screen, int api, const __DRIconfig *config,
                       __DRIcontext *shared, void *loader_private)
{
   unsigned error;

   return driCreateContextAttribs(screen, api, config, shared, 0, NULL, &error, loader_private);
}

static int
bind_context(__DRIcontext *context, __DRIdrawable *draw, __DRIdrawable *read)
{
   if (!driBindContext(context, draw, read))
      return false;
   if (old_dispatch_follow())
      return true;
   driUnbindContext(context);
   return false;
}

static int
unbind_context(__DRIcontext *context)
{
   const int done = driUnbindContext(context);

   old_dispatch_follow();
   return done;
}

static void
destroy_context(__DRIcontext *context)
{
   driDestroyContext(context);
   old_dispatch_follow();
}

static __DRIdrawable *
create_drawable(__DRIscreen *screen, const __DRIconfig *config, void *loader_private)
{
   return dri_create_drawable(screen, config, false, loader_private);
}

static void
set_tex_buffer(__DRIcontext *context, int target, __DRIdrawable *drawable)
{
   dri_set_tex_buffer2(context, target, __DRI_TEXTURE_FORMAT_RGBA, drawable);
}

/*
 * Extensions of a screen
 */

static int
query_integer(__DRIscreen *screen, int attribute, unsigned int *value)
{
   const struct old_properties properties = old_screen_properties(screen);

   switch (attribute) {
   case __DRI2_RENDERER_HAS_TEXTURE_3D:
      *value = properties.texture_3d;
      return 0;
   case __DRI2_RENDERER_HAS_FRAMEBUFFER_SRGB:
      *value = properties.framebuffer_srgb;
      return 0;
   case __DRI2_RENDERER_HAS_CONTEXT_PRIORITY:
      *value = properties.priorities;
      return properties.priorities ? 0 : -1;
   case __DRI2_RENDERER_HAS_NO_ERROR_CONTEXT:
      *value = true;
      return 0;
   default:
      return dri_query_renderer_integer(screen, attribute, value);
   }
}

/* Versions of the interface before Mesa 23.1 have a GLsync in place of the structure. */
static int
interop_flush(__DRIcontext *context, unsigned count, struct mesa_glinterop_export_in *objects,
              struct mesa_glinterop_flush_out *sync)
{
   struct mesa_glinterop_flush_out out = { .version = 1, .sync = (GLsync *)sync };

   return dri_interop_flush_objects(context, count, objects, &out);
}

static const __DRItexBufferExtension tex_buffer = {
   .base = { __DRI_TEX_BUFFER, 2 },
   .setTexBuffer = set_tex_buffer,
   .setTexBuffer2 = dri_set_tex_buffer2,
};

static const __DRI2flushExtension flush = {
   .base = { __DRI2_FLUSH, 4 },
   .flush = dri_flush_drawable,
   .invalidate = dri_invalidate_drawable,
   .flush_with_flags = dri_flush,
};

static const __DRI2rendererQueryExtension renderer_query = {
   .base = { __DRI2_RENDERER_QUERY, 1 },
   .queryInteger = query_integer,
   .queryString = dri_query_renderer_string,
};

static const __DRI2configQueryExtension config_query = {
   .base = { __DRI2_CONFIG_QUERY, 2 },
   .configQueryb = dri2GalliumConfigQueryb,
   .configQueryi = dri2GalliumConfigQueryi,
   .configQueryf = dri2GalliumConfigQueryf,
   .configQuerys = dri2GalliumConfigQuerys,
};

static const __DRI2throttleExtension throttle = {
   .base = { __DRI2_THROTTLE, 1 },
   .throttle = dri_throttle,
};

static const __DRI2fenceExtension fence = {
   .base = { __DRI2_FENCE, 2 },
   .create_fence = dri_create_fence,
   .get_fence_from_cl_event = dri_get_fence_from_cl_event,
   .destroy_fence = dri_destroy_fence,
   .client_wait_sync = dri_client_wait_sync,
   .server_wait_sync = dri_server_wait_sync,
   .get_capabilities = dri_fence_get_caps,
   .create_fence_fd = dri_create_fence_fd,
   .get_fence_fd = dri_get_fence_fd,
};

static const __DRI2interopExtension interop = {
   .base = { __DRI2_INTEROP, 2 },
   .query_device_info = dri_interop_query_device_info,
   .export_object = dri_interop_export_object,
   .flush_objects = interop_flush,
};

static const __DRI2blobExtension blob = {
   .base = { __DRI2_BLOB, 1 },
   .set_cache_funcs = dri_set_blob_cache_funcs,
};

static const __DRIrobustnessExtension robustness = { .base = { __DRI2_ROBUSTNESS, 1 } };
static const __DRInoErrorExtension no_error = { .base = { __DRI2_NO_ERROR, 1 } };
static const __DRI2flushControlExtension flush_control = { .base = { __DRI2_FLUSH_CONTROL, 1 } };

static const __DRImutableRenderBufferDriverExtension mutable_render_buffer = {
   .base = { __DRI_MUTABLE_RENDER_BUFFER_DRIVER, 1 },
};

#define COMMON_EXTENSIONS                                                               \
   &tex_buffer.base, &renderer_query.base, &config_query.base, &fence.base, &blob.base, \
      &no_error.base, &flush_control.base
#define SOFTWARE_EXTENSIONS COMMON_EXTENSIONS, &old_image_software.base
#define KMS_EXTENSIONS \
   COMMON_EXTENSIONS, &flush.base, &throttle.base, &interop.base, &mutable_render_buffer.base

static const __DRIextension **
get_extensions(__DRIscreen *screen)
{
   static const __DRIextension *software[] = { SOFTWARE_EXTENSIONS, NULL };
   static const __DRIextension *software_robust[] = { SOFTWARE_EXTENSIONS, &robustness.base, NULL };
   static const __DRIextension *kms[] = { KMS_EXTENSIONS, &old_image_kms.base, NULL };
   static const __DRIextension *kms_import[] = { KMS_EXTENSIONS, &old_image_kms_import.base, NULL };
   const struct old_properties properties = old_screen_properties(screen);

   if (properties.kms)
      return properties.imports ? kms_import : kms;
   return properties.reports_resets ? software_robust : software;
}

/*
 * Extensions of the driver
 */

static __DRIscreen *
create_software_screen(int number, const __DRIextension **loader_extensions,
                       const __DRIconfig ***configs, void *loader_private)
{
   return old_screen_create(number, -1, loader_extensions, configs, loader_private);
}

static __DRIscreen *
create_software_screen2(int number, const __DRIextension **loader_extensions,
                        const __DRIextension **driver_extensions, const __DRIconfig ***configs,
                        void *loader_private)
{
   return old_screen_create(number, -1, loader_extensions, configs, loader_private);
}

static __DRIscreen *
create_kms_screen(int number, int fd, const __DRIextension **loader_extensions,
                  const __DRIconfig ***configs, void *loader_private)
{
   return old_screen_create(number, fd, loader_extensions, configs, loader_private);
}

static __DRIscreen *
create_kms_screen2(int number, int fd, const __DRIextension **loader_extensions,
                   const __DRIextension **driver_extensions, const __DRIconfig ***configs,
                   void *loader_private)
{
   return old_screen_create(number, fd, loader_extensions, configs, loader_private);
}

/* No driver of this library renders for a device that can't. */
static int
no_render_only_device(int kms_only_fd)
{
   return -1;
}

static const __DRIcoreExtension core = {
   .base = { __DRI_CORE, 2 },
   .destroyScreen = old_screen_destroy,
   .getExtensions = get_extensions,
   .getConfigAttrib = driGetConfigAttrib,
   .indexConfigAttrib = driIndexConfigAttrib,
   .destroyDrawable = driDestroyDrawable,
   .swapBuffers = driSwapBuffers,
   .createNewContext = driCreateNewContext,
   .copyContext = driCopyContext,
   .destroyContext = destroy_context,
   .bindContext = bind_context,
   .unbindContext = unbind_context,
};

static const __DRIswrastExtension swrast = {
   .base = { __DRI_SWRAST, 4 },
   .createNewScreen = create_software_screen,
   .createNewDrawable = create_drawable,
   .createNewContextForAPI = create_context_for_api,
   .createContextAttribs = driCreateContextAttribs,
   .createNewScreen2 = create_software_screen2,
};

static const __DRIcopySubBufferExtension copy_sub_buffer = {
   .base = { __DRI_COPY_SUB_BUFFER, 1 },
   .copySubBuffer = driswCopySubBuffer,
};

/* Without allocateBuffer: loaders with images call it for no driver that asks them for images. */
static const __DRIdri2Extension dri2 = {
   .base = { __DRI_DRI2, 4 },
   .createNewScreen = create_kms_screen,
   .createNewDrawable = create_drawable,
   .createNewContext = driCreateNewContext,
   .getAPIMask = driGetAPIMask,
   .createNewContextForAPI = create_context_for_api,
   .createContextAttribs = driCreateContextAttribs,
   .createNewScreen2 = create_kms_screen2,
};

static const __DRIimageDriverExtension image_driver = {
   .base = { __DRI_IMAGE_DRIVER, 1 },
   .createNewScreen2 = create_kms_screen2,
   .createNewDrawable = create_drawable,
   .createContextAttribs = driCreateContextAttribs,
   .getAPIMask = driGetAPIMask,
};

static const __DRIconfigOptionsExtension config_options = {
   .base = { __DRI_CONFIG_OPTIONS, 2 },
   .getXml = pipe_loader_get_driinfo_xml,
};

/* The extension that loaders from Mesa 23.1 on require, which no public header has. */
static struct {
   __DRIextension base;
   const char *version;
   __DRIscreen *(*create_screen)(int number, int fd, const __DRIextension **loader_extensions,
                                 const __DRIextension **driver_extensions,
                                 const __DRIconfig ***configs, void *loader_private);
   __DRIcontext *(*create_context)(__DRIscreen *screen, int api, const __DRIconfig *config,
                                   __DRIcontext *shared, unsigned attribute_count,
                                   const uint32_t *attributes, unsigned *error,
                                   void *loader_private);
   const __DRIconfig **(*unused_init_screen)(__DRIscreen *screen);
   int (*query_render_only_device)(int kms_only_fd);
} mesa = {
   .base = { "DRI_Mesa", 1 },
   .create_screen = create_kms_screen2,
   .create_context = driCreateContextAttribs,
   .query_render_only_device = no_render_only_device,
};

static const __DRIextension *software_driver[] = {
   &core.base, &swrast.base, &copy_sub_buffer.base, &config_options.base, &mesa.base, NULL,
};

/* For loaders without a version. */
static const __DRIextension *other_software_driver[] = {
   &core.base, &swrast.base, &copy_sub_buffer.base, &config_options.base, NULL,
};

/* GLX has no screens on a DRM device for software. */
static const __DRIextension *kms_driver[] = {
   &core.base, &image_driver.base, &dri2.base, &config_options.base, NULL,
};

/* Returns the extensions of the software driver for the loader that contains `caller`.  Old loaders ignore extensions that
 * they don't know.
 */
static const __DRIextension **
for_software(const void *caller)
{
   const char *version = old_version_of(caller);

   if (!version)
      return other_software_driver;
   mesa.version = version;
   return software_driver;
}

/* The loaders derive the name of this function from the file name of the driver, so the library
 * exports a function for each name under which it is installed.
 */
PUBLIC const __DRIextension **__driDriverGetExtensions_sgpu(void);
PUBLIC const __DRIextension **__driDriverGetExtensions_swrast(void);
PUBLIC const __DRIextension **__driDriverGetExtensions_kms_swrast(void);

const __DRIextension **
__driDriverGetExtensions_sgpu(void)
{
   return for_software(__builtin_return_address(0));
}

const __DRIextension **
__driDriverGetExtensions_swrast(void)
{
   return for_software(__builtin_return_address(0));
}

const __DRIextension **
__driDriverGetExtensions_kms_swrast(void)
{
   return kms_driver;
}
