/* SPDX-License-Identifier: MIT */
/*
 * Output files.  They are opened before the work, and are either complete or absent after it.
 * Existing files are replaced only on request.
 */
#ifndef SIM_OUTPUT_H
#define SIM_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct sim_output {
   const char *path; /* path of the file; "-" is stdout */
   char *temporary;  /* file that is renamed to `path`, or NULL if `path` is not a regular file */
   FILE *fp;         /* open file, or NULL */
};

/* Returns false after a message on stderr if the path cannot be written, or if it exists and not
 * `force`.
 */
bool sim_output_open(struct sim_output *o, const char *path, bool force);
/* Closes the file and gives it its name.  Returns false after a message if something could not be
 * written.  Does nothing if the file is not open.
 */
bool sim_output_close(struct sim_output *o);
/* Closes and removes the file. */
void sim_output_discard(struct sim_output *o);

#endif
