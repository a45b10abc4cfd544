/* SPDX-License-Identifier: MIT */
/* The commands of sgpu-cap and their options.  Each command returns the exit status of the program:
 * 0 on success, 1 if there are differences or a file is damaged, 2 if the arguments are invalid.
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

/* Parses "A", "A-" or "A-B".  Returns false if the text is invalid. */
bool cap_parse_range(const char *text, struct cap_range *out);
bool cap_parse_number(const char *text, uint64_t *out);

/* Handles the options --threads, --dispatch, --exec and --host.  `value` is the next argument.
 * Returns false for other options.  If the value is invalid, exits with a message.
 */
bool cap_device_option(struct sgpu_device_params *params, const char *name, const char *value);

/* Prints the reader's error, if there is one.  Returns the exit status, which is 1 for a damaged
 * file.
 */
int cap_report(const struct cap_player *p, const char *path);

#endif
