/* SPDX-License-Identifier: MIT */
/* The function that Mesa's static pipe loader calls to create the screen. */

#include "target-helpers/drm_helper.h"
#include "target-helpers/sw_helper_public.h"

#include "front.h"
#include "only_driver.h"
#include "sgpu/sgpu_public.h"

struct pipe_screen *
sw_screen_create_vk(struct sw_winsys *winsys, const struct pipe_screen_config *config, bool sw_vk)
{
   if (!target_allows_driver())
      return NULL;

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
