/* SPDX-License-Identifier: MIT */
/* The screen of the process.  It is created with the first context and destroyed when the process
 * ends.  Contexts may still be used and destroyed by exit handlers that run later: then the last
 * of them destroys the screen.
 */
#include <pthread.h>
#include <stdlib.h>

#include "gallium/only_driver.h"
#include "osm_context.h"
#include "pipe/p_screen.h"
#include "sgpu/sgpu_public.h"
#include "state_tracker/st_manager.h"
#include "sw/null/null_sw_winsys.h"
#include "frontend/sw_winsys.h"
#include "target-helpers/inline_debug_helper.h"
#include "util/log.h"
#include "util/u_memory.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct {
   struct pipe_frontend_screen base;
   struct sw_winsys *winsys;
   bool wrapped;        /* a debug wrapper is around the driver's screen */
   unsigned references; /* one per context, and one until the process ends */
} screen;

void
osm_lock(void)
{
   pthread_mutex_lock(&mutex);
}

void
osm_unlock(void)
{
   pthread_mutex_unlock(&mutex);
}

void
osm_screen_put(void)
{
   osm_lock();
   if (--screen.references == 0) {
      st_screen_destroy(&screen.base);
      screen.base.screen->destroy(screen.base.screen);
      screen.winsys->destroy(screen.winsys);
      screen.base.screen = NULL;
   }
   osm_unlock();
}

bool
osm_screen_is_wrapped(void)
{
   return screen.wrapped;
}

static int
get_param(struct pipe_frontend_screen *fscreen, enum st_manager_param param)
{
   return 0;
}

static bool
create_screen(void)
{
   static bool handlers;

   if (!target_allows_driver())
      return false;
   screen.winsys = null_sw_create();
   if (!screen.winsys)
      return false;
   screen.base.screen = sgpu_screen_create(screen.winsys, NULL);
   if (!screen.base.screen) {
      screen.winsys->destroy(screen.winsys);
      return false;
   }
   struct pipe_screen *unwrapped = screen.base.screen;
   screen.base.screen = debug_screen_wrap(unwrapped);
   screen.wrapped = screen.base.screen != unwrapped;
   screen.base.get_param = get_param;
   /* Handlers run in reverse order.  At exit, the screen must be destroyed before Mesa's threads end.
    * A fork must take the lock before the device comes to rest, since a context may be in creation.
    */
   if (!handlers) {
      handlers = true;
      pthread_atfork(osm_lock, osm_unlock, osm_unlock);
      if (atexit(osm_screen_put) == 0)
         screen.references++;
   }
   return true;
}

struct pipe_frontend_screen *
osm_screen_get(void)
{
   struct pipe_frontend_screen *result = NULL;

   osm_lock();
   if (screen.base.screen || create_screen()) {
      screen.references++;
      result = &screen.base;
   }
   osm_unlock();
   return result;
}
