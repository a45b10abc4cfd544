/* SPDX-License-Identifier: MIT */
/* Output files.  All files are opened before the work starts.  After a run, a file is either
 * complete or absent.  Existing files are only replaced on request.
 */
#ifndef SIM_OUTPUT_H
#define SIM_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct sim_output {
   const char *path; /* path of the file, or "-" for stdout */
   /* name of the temporary file to rename to `path`, or NULL if `path` is not a regular file */
   char *temporary;
   FILE *fp; /* open file, or NULL */
};

/* Opens a file.  If the path can't be written, or if it exists and `force` is false, prints a
 * message to stderr and returns false.
 */
bool sim_output_open(struct sim_output *o, const char *path, bool force);
/* Closes the file and renames it to its final name.  On a write error, prints a message and returns
 * false.  Does nothing if the file is not open.
 */
bool sim_output_close(struct sim_output *o);
/* Closes and removes the file. */
void sim_output_discard(struct sim_output *o);

#endif
