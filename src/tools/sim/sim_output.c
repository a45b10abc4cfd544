/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim_output.h"

static bool
refuse(struct sim_output *o, const char *why)
{
   fprintf(stderr, "sgpu: %s: %s\n", o->path, why);
   sim_output_discard(o);
   return false;
}

static bool
open_temporary(struct sim_output *o)
{
   const mode_t mask = umask(0);
   umask(mask);
   if (asprintf(&o->temporary, "%s.XXXXXX", o->path) < 0) {
      o->temporary = NULL;
      return false;
   }
   const int fd = mkstemp(o->temporary);
   if (fd < 0) {
      free(o->temporary);
      o->temporary = NULL;
      return false;
   }
   fchmod(fd, 0666 & ~mask);
   o->fp = fdopen(fd, "w");
   return o->fp != NULL;
}

bool
sim_output_open(struct sim_output *o, const char *path, bool force)
{
   struct stat st;

   *o = (struct sim_output){ .path = path };
   if (!strcmp(path, "-")) {
      o->fp = stdout;
      return true;
   }
   const bool there = stat(path, &st) == 0;
   if (there && S_ISDIR(st.st_mode))
      return refuse(o, "it is a folder");
   if (there && S_ISREG(st.st_mode) && !force) {
      fprintf(stderr, "sgpu: %s exists; --force replaces it\n", path);
      return false;
   }
   if (there && !S_ISREG(st.st_mode)) {
      o->fp = fopen(path, "w");
      return o->fp || refuse(o, strerror(errno));
   }
   return open_temporary(o) || refuse(o, strerror(errno));
}

bool
sim_output_close(struct sim_output *o)
{
   if (!o->fp)
      return true;
   bool failed = fflush(o->fp) || ferror(o->fp);
   if (o->fp != stdout)
      failed = fclose(o->fp) || failed;
   o->fp = NULL;
   failed = failed || (o->temporary && rename(o->temporary, o->path));
   if (failed)
      return refuse(o, strerror(errno));
   free(o->temporary);
   o->temporary = NULL;
   return true;
}

void
sim_output_discard(struct sim_output *o)
{
   if (o->fp && o->fp != stdout)
      fclose(o->fp);
   o->fp = NULL;
   if (o->temporary)
      unlink(o->temporary);
   free(o->temporary);
   o->temporary = NULL;
}
