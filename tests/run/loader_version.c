/* SPDX-License-Identifier: MIT
 *
 * Tests how sgpu_dri.so finds the version of a GLX library: small libraries with strings.
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "old_version.h"

const char *version_one(void);
const char *version_two(void);
const char *version_none(void);
const char *version_egl(void);

int
main(void)
{
   const char *found = old_version_of((const void *)version_one);

   assert(found && !strcmp(found, "23.2.1-1ubuntu3.1~22.04.4"));
   /* two versions */
   assert(!old_version_of((const void *)version_two));
   /* strings that only look like versions */
   assert(!old_version_of((const void *)version_none));
   /* not a library of GLX */
   assert(!old_version_of((const void *)version_egl));
   assert(!old_version_of((const void *)main));
   assert(!old_version_of(NULL));
   return 0;
}
