/* SPDX-License-Identifier: MIT */
/* sgpu-sim: runs captures on timing models of hardware. */
#include <stdio.h>
#include <string.h>

#include "sgpu_version.h"
#include "sim.h"

int
main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--version")) {
      puts("sgpu-sim " SGPU_VERSION);
      return 0;
   }
   return sim_command(argc, argv, sim_replay_load);
}
