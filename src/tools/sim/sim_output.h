/* SPDX-License-Identifier: MIT */
/*
 * Output files: opened before the work, complete or absent after it, never over a file that
 * is there unless that is wanted.
 */
#ifndef SIM_OUTPUT_H
#define SIM_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct sim_output {
   const char *path; /* "-": stdout */
   char *temporary;  /* file that becomes `path`; NULL: `path` is no regular file */
   FILE *fp;         /* NULL: not open */
};

/* False, with a message on stderr, if the path cannot be written or, without `force`, exists. */
bool sim_output_open(struct sim_output *o, const char *path, bool force);
/* Gives the file its name.  False, with a message, if something could not be written.  Nothing
 * if the file is not open.
 */
bool sim_output_close(struct sim_output *o);
/* Removes the file. */
void sim_output_discard(struct sim_output *o);

#endif
