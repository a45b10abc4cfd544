/* SPDX-License-Identifier: MIT */
/* sgpu-cap summary: describes a capture in one line.  Used by `sgpu capture`. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cap_tool.h"

/* Returns the exit status, which is 1 if the capture was not closed or is damaged. */
int
cap_summary(int argc, char **argv)
{
   uint64_t submissions = 0, pictures = 0, first = 0, last = 0;
   struct sgcap_record rec;
   struct stat st = { 0 };
   char text[512];

   if (argc != 2) {
      fprintf(stderr, "usage: sgpu-cap summary FILE.sgcap\n");
      return 2;
   }
   struct sgcap_reader *r = sgcap_open(argv[1], text, sizeof text);
   if (!r) {
      fprintf(stderr, "sgpu: %s: %s\n", argv[1], text);
      return 1;
   }
   while (sgcap_next(r, &rec)) {
      submissions += rec.type == SGCAP_SUBMIT;
      if (rec.type == SGCAP_PRESENT) {
         first = pictures++ ? first : rec.u.present.frame;
         last = rec.u.present.frame;
      }
   }
   stat(argv[1], &st);
   if (pictures)
      snprintf(text, sizeof text, "frames %" PRIu64 "-%" PRIu64, first, last);
   else
      snprintf(text, sizeof text, "no frame");
   fprintf(stderr,
           "sgpu: %s: %s, %" PRIu64 " submissions, %" PRIu64 " pictures, %" PRIu64 " bytes\n",
           argv[1], text, submissions, pictures, (uint64_t)st.st_size);
   const char *error = sgcap_error(r);
   if (error)
      fprintf(stderr, "sgpu: %s: %s\n", argv[1], error);
   const int status = error ? 1 : 0;
   sgcap_close(r);
   return status;
}
