/* SPDX-License-Identifier: MIT */
/* A launcher that is linked statically: the dynamic linker, and so the audit library, is not there.
 * usage: require_static PROGRAM ARGUMENT...
 */
#include <unistd.h>

int
main(int argc, char **argv)
{
   if (argc > 1)
      execv(argv[1], argv + 1);
   return 6;
}
