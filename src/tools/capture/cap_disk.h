/* SPDX-License-Identifier: MIT */
/* Option --max-disk: limits the total size of the picture and memory files that a command writes.
 */
#ifndef CAP_DISK_H
#define CAP_DISK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CAP_DISK_HELP \
   "  --max-disk N      write N MiB of pictures and memory at most (default 4096)\n"

/* Sets the default limit.  Must be called at the start of a command. */
void cap_disk_begin(void);
/* Returns true if the option is --max-disk.  In this case, sets *ok to true if the value is valid.
 */
bool cap_disk_option(const char *name, const char *value, bool *ok);
/* Must be called before `bytes` bytes are written.  If this would exceed the limit, returns false
 * with errno set to EFBIG, after printing a message to stderr.
 */
bool cap_disk_take(uint64_t bytes);
/* Opens a file for writing, and counts one disk block for it.  Returns NULL on failure. */
FILE *cap_disk_create(const char *path);

#endif
