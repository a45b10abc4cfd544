/*
 * SPDX-License-Identifier: MIT
 *
 * The loadable driver: the symbols that Mesa's loaders look up, and the function
 * that Mesa's static pipe loader calls to create the screen.
 */

#include "target-helpers/drm_helper.h"
#include "target-helpers/sw_helper_public.h"

#include "dri_screen.h"
#include "front.h"
#include "sgpu/sgpu_public.h"
#include "util/log.h"
#include "util/u_debug.h"

struct pipe_screen *
sw_screen_create_vk(struct sw_winsys *winsys, const struct pipe_screen_config *config, bool sw_vk)
{
   /* If the user has selected another Mesa driver, don't silently load this one. */
   const char *driver = debug_get_option("GALLIUM_DRIVER", "");
   if (driver[0] && strcmp(driver, "sgpu")) {
      mesa_loge("GALLIUM_DRIVER=%s: this library has only the driver 'sgpu'", driver);
      return NULL;
   }

   struct pipe_screen *screen = sgpu_screen_create(winsys, config);
   if (screen)
      sgpu_screen_set_read_front(screen, dri_read_front);
   return screen;
}

struct pipe_screen *
sw_screen_create(struct sw_winsys *winsys)
{
   return sw_screen_create_vk(winsys, NULL, false);
}

static const struct __DRIDriverVtableExtensionRec sgpu_vtable = {
   .base = { __DRI_DRIVER_VTABLE, 1 },
   .vtable = &dri_front_driver_api,
};

/* Mesa does not declare this in any header. */
extern const __DRIcopySubBufferExtension driSWCopySubBufferExtension;

/* Copy of galliumsw_driver_extensions with a different table of driver functions. */
static const __DRIextension *sgpu_driver_extensions[] = {
   &driCoreExtension.base,       &driSWRastExtension.base, &driSWCopySubBufferExtension.base,
   &gallium_config_options.base, &sgpu_vtable.base,        NULL,
};

/* The loaders derive the name of this function from the file name of the driver, so the library
 * exports a function for each name under which it is installed.
 */
PUBLIC const __DRIextension **__driDriverGetExtensions_sgpu(void);
PUBLIC const __DRIextension **__driDriverGetExtensions_swrast(void);
PUBLIC const __DRIextension **__driDriverGetExtensions_kms_swrast(void);

const __DRIextension **
__driDriverGetExtensions_sgpu(void)
{
   return sgpu_driver_extensions;
}

const __DRIextension **
__driDriverGetExtensions_swrast(void)
{
   return sgpu_driver_extensions;
}

const __DRIextension **
__driDriverGetExtensions_kms_swrast(void)
{
   return dri_swrast_kms_driver_extensions;
}
