/* SPDX-License-Identifier: MIT */
#include "sim.h"

int
main(int argc, char **argv)
{
   return sim_command(argc, argv, sim_replay_load);
}
