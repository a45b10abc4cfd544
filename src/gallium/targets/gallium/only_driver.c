/* SPDX-License-Identifier: MIT */
#include "only_driver.h"

#include <string.h>

#include "util/log.h"
#include "util/u_debug.h"

bool
target_allows_driver(void)
{
   /* If the user has selected another Mesa driver, don't silently load this one. */
   const char *driver = debug_get_option("GALLIUM_DRIVER", "");
   if (driver[0] && strcmp(driver, "sgpu")) {
      mesa_loge("GALLIUM_DRIVER=%s: this library has only the driver 'sgpu'", driver);
      return false;
   }
   return true;
}
