/* SPDX-License-Identifier: MIT */
/*
 * Profiler: what the system says about the process, as lines of text.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/sgd_time.h"
#include "observe/profile/sgd_profile_inside.h"
#include "util/macros.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

char *
sgd_profile_read(const char *path)
{
   const int fd = open(path, O_RDONLY | O_CLOEXEC);
   size_t size = 0, room = 65536;
   char *text = fd >= 0 ? malloc(room) : NULL;
   while (text) {
      const ssize_t got = read(fd, text + size, room - size - 1);
      if (got < 0 && errno == EINTR)
         continue;
      if (got <= 0)
         break;
      size += (size_t)got;
      if (size + 1 == room) {
         char *more = realloc(text, room *= 2);
         if (!more) {
            free(text);
            text = NULL;
            break;
         }
         text = more;
      }
   }
   if (fd >= 0)
      close(fd);
   if (text)
      text[size] = 0;
   return text;
}

void
sgd_profile_put_string(FILE *fp, const char *text)
{
   fputc('"', fp);
   for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
      if (*c == '"' || *c == '\\')
         fputc('\\', fp);
      if (*c >= 32)
         fputc(*c, fp);
   }
   fputc('"', fp);
}

static void
finish_line(struct sgd_profile *p, FILE *fp, char **text, size_t *size)
{
   fputc('\n', fp);
   fclose(fp);
   sgd_profile_text(p, *text, *size);
   free(*text);
}

void
sgd_profile_write_maps(struct sgd_profile *p)
{
   char *maps = sgd_profile_read("/proc/self/maps"), *text, *rest = maps;
   size_t size;
   FILE *fp = maps ? open_memstream(&text, &size) : NULL;

   if (!fp) {
      free(maps);
      return;
   }
   fputs("{\"maps\":[", fp);
   const char *comma = "";
   for (char *line; (line = strsep(&rest, "\n"));) {
      uint64_t from, to, offset;
      char rights[5];
      int at = 0;
      if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*u %n", &from, &to, rights,
                 &offset, &at) < 4 ||
          rights[2] != 'x' || !at || !line[at])
         continue;
      fprintf(fp, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", comma, from, to, offset);
      sgd_profile_put_string(fp, line + at);
      fputc(']', fp);
      comma = ",";
   }
   fputs("]", fp);
   fflush(fp);
   const uint64_t hash = XXH64(text, size, 0);
   fprintf(fp, ",\"time\":%" PRIu64 "}", sgd_time_ns());
   if (hash != p->maps) {
      p->maps = hash;
      finish_line(p, fp, &text, &size);
   } else {
      fclose(fp);
      free(text);
   }
   free(maps);
}

void
sgd_profile_write_process(struct sgd_profile *p)
{
   char *command = sgd_profile_read("/proc/self/cmdline"), *text, path[PATH_MAX];
   const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
   size_t size;
   FILE *fp = open_memstream(&text, &size);

   if (fp) {
      path[MAX2(length, 0)] = 0;
      fprintf(fp, "{\"process\":%ld,\"exe\":", (long)getpid());
      sgd_profile_put_string(fp, path);
      fputs(",\"command\":", fp);
      sgd_profile_put_string(fp, command ? command : "");
      Dl_info info;
      if (dladdr((void *)sgd_profile_get, &info) && info.dli_fname) {
         fputs(",\"driver\":", fp);
         sgd_profile_put_string(fp, info.dli_fname);
      }
      fputs("}", fp);
      finish_line(p, fp, &text, &size);
   }
   free(command);
}
