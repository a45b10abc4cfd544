/* SPDX-License-Identifier: MIT */
/* Limits the number of bytes that a command writes to disk. Without a limit, a small capture from
 * an untrusted source could fill the disk, since it can present any number of pictures and a
 * command may write each of them to a file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cap_disk.h"
#include "cap_tool.h"

#define MIB (UINT64_C(1) << 20)
/* Size of a disk block in bytes, which is the minimum size of a file on disk. */
#define BLOCK 4096

static uint64_t limit, taken;

void
cap_disk_begin(void)
{
   limit = 4096 * MIB;
   taken = 0;
}

bool
cap_disk_option(const char *name, const char *value, bool *ok)
{
   uint64_t n;

   if (strcmp(name, "--max-disk"))
      return false;
   *ok = cap_parse_number(value, &n) && n < UINT64_MAX / MIB;
   if (*ok)
      limit = n * MIB;
   return true;
}

bool
cap_disk_take(uint64_t bytes)
{
   if (bytes <= limit - taken) {
      taken += bytes;
      return true;
   }
   if (taken < limit || limit == 0)
      fprintf(stderr,
              "sgpu: more than %" PRIu64 " MiB would be written; --max-disk N allows N MiB\n",
              limit / MIB);
   taken = limit;
   errno = EFBIG;
   return false;
}

FILE *
cap_disk_create(const char *path)
{
   return cap_disk_take(BLOCK) ? fopen(path, "wb") : NULL;
}
