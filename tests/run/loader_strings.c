/* SPDX-License-Identifier: MIT
 *
 * A library with strings, for loader_version.c.
 */
static const char *const strings[] = { STRINGS };

const char *FUNCTION(void);

const char *
FUNCTION(void)
{
   const volatile int last = sizeof(strings) / sizeof(strings[0]) - 1;

   return strings[last];
}
