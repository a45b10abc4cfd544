/* SPDX-License-Identifier: MIT */
/*
 * The commands of sgpu-cap.  Each gets its own arguments and returns the exit
 * status: 0, 1 where something differs or is wrong with a file, 2 for wrong
 * arguments.
 */
#ifndef CAP_TOOL_H
#define CAP_TOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_player.h"

int cap_replay(int argc, char **argv);
int cap_decode(int argc, char **argv);
int cap_diff(int argc, char **argv);
int cap_reduce(int argc, char **argv);
int cap_inspect(int argc, char **argv);
int cap_summary(int argc, char **argv);

struct cap_range {
   uint64_t first, last;
};

/* "A", "A-" or "A-B". */
bool cap_parse_range(const char *text, struct cap_range *out);
bool cap_parse_number(const char *text, uint64_t *out);

/* --threads, --dispatch, --host: true where it was one of these; a
 * wrong value ends the process.  `value` is the next argument.
 */
bool cap_device_option(struct sgpu_device_params *params, const char *name, const char *value);

/* Prints what ended the reading; the exit status. */
int cap_report(const struct cap_player *p, const char *path);

#endif
