/* SPDX-License-Identifier: MIT */
/*
 * sgpu-cap: replays, prints, compares, reduces and inspects device captures.
 */
#include <stdio.h>
#include <string.h>

#include "cap_tool.h"

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      int (*run)(int argc, char **argv);
   } commands[] = {
      { "replay", cap_replay }, { "decode", cap_decode },   { "diff", cap_diff },
      { "reduce", cap_reduce }, { "inspect", cap_inspect }, { "summary", cap_summary },
   };

   for (unsigned i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++) {
      if (!strcmp(argv[1], commands[i].name))
         return commands[i].run(argc - 1, argv + 1);
   }
   fprintf(stderr, "usage: sgpu-cap replay|decode|diff|reduce|inspect ARGUMENT...\n"
                   "(sgpu replay --help and so on have the options)\n");
   return 2;
}
