/* SPDX-License-Identifier: MIT */
/*
 * The limit of what a command writes in files of pictures and of memory, `--max-disk`.
 */
#ifndef CAP_DISK_H
#define CAP_DISK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CAP_DISK_HELP \
   "  --max-disk N      write N MiB of pictures and memory at most (default 4096)\n"

/* A command begins with the default limit. */
void cap_disk_begin(void);
/* Whether the option is --max-disk; ok: whether its value is a number of MiB. */
bool cap_disk_option(const char *name, const char *value, bool *ok);
/* Counts bytes before they are written.  False, with EFBIG and a message, beyond the limit. */
bool cap_disk_take(uint64_t bytes);
/* As fopen for writing; counts what an empty file takes. */
FILE *cap_disk_create(const char *path);

#endif
