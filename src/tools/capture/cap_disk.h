/* SPDX-License-Identifier: MIT */
/*
 * `--max-disk`: limits the total size of the files with pictures and memory contents that
 * a command writes.
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
/* Returns true if the option is --max-disk.  Sets *ok to whether its value is valid. */
bool cap_disk_option(const char *name, const char *value, bool *ok);
/* Must be called before `bytes` bytes are written.  Returns false, with errno set to EFBIG
 * and a message on stderr, if the limit would be exceeded.
 */
bool cap_disk_take(uint64_t bytes);
/* Opens a file for writing and counts the block that it takes on disk.  Returns NULL on failure. */
FILE *cap_disk_create(const char *path);

#endif
