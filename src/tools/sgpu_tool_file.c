/* SPDX-License-Identifier: MIT */

/* Functions of the command-line tools that read and write whole files. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_tool_file.h"

static void *
read_all(FILE *fp, size_t *size)
{
   char *data = NULL;
   size_t length = 0, room = 0;
   for (;;) {
      if (length == room) {
         char *bigger = realloc(data, room ? room * 2 : 4096);
         if (!bigger) {
            free(data);
            errno = ENOMEM;
            return NULL;
         }
         data = bigger;
         room = room ? room * 2 : 4096;
      }
      const size_t n = fread(data + length, 1, room - length, fp);
      length += n;
      if (n == 0)
         break;
   }
   if (ferror(fp)) {
      free(data);
      return NULL;
   }
   *size = length;
   return data;
}

void *
sgpu_tool_read(const char *path, size_t *size)
{
   const bool standard = strcmp(path, "-") == 0;
   FILE *fp = standard ? stdin : fopen(path, "rb");
   void *data = fp ? read_all(fp, size) : NULL;
   if (!data)
      fprintf(stderr, "%s: %s\n", path, strerror(errno));
   if (fp && !standard)
      fclose(fp);
   return data;
}

bool
sgpu_tool_write(const char *path, const void *data, size_t size)
{
   FILE *fp = fopen(path, "wb");
   bool ok = fp && fwrite(data, 1, size, fp) == size;
   int error = errno;
   if (fp && fclose(fp) != 0 && ok) {
      ok = false;
      error = errno;
   }
   if (!ok) {
      fprintf(stderr, "%s: %s\n", path, strerror(error));
      if (fp)
         remove(path);
   }
   return ok;
}
