/* SPDX-License-Identifier: MIT */
/*
 * sgpu-cap: replays, prints, compares, reduces and inspects device captures.
 */
#include <stdio.h>
#include <string.h>

#include "cap_tool.h"
#include "sgpu_version.h"

static const char help[] =
   "usage: sgpu-cap COMMAND [ARGUMENT...]\n"
   "\n"
   "Works with captures of what the driver gave the device (SGPU_CAPTURE=FILE).\n"
   "It needs neither the program nor OpenGL.\n"
   "\n"
   "  replay   run a capture, and compare its pictures with those at capture\n"
   "  decode   print a capture: packets, descriptors, programs\n"
   "  diff     find where two captures begin to differ\n"
   "  reduce   write some draws of a capture as a capture of their own\n"
   "  inspect  show a frame of a capture as an HTML page\n"
   "\n"
   "sgpu-cap COMMAND --help describes the options of a command.\n"
   "\n"
   "  --help     print this text\n"
   "  --version  print the version\n";

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
   if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
      fputs(help, stdout);
      return 0;
   }
   if (argc > 1 && !strcmp(argv[1], "--version")) {
      puts("sgpu-cap " SGPU_VERSION);
      return 0;
   }
   if (argc > 1)
      fprintf(stderr, "sgpu-cap: no command '%s'\n", argv[1]);
   fputs(help, stderr);
   return 2;
}
