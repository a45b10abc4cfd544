/* SPDX-License-Identifier: MIT */
/*
 * Compatibility with captures of older programs. This program may have new fields, packets, values
 * and names. A packet whose fields have moved, or a file whose enums have changed, is refused with
 * a message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgcap_packets.h"
#include "sgpu_packets.h"

#define REQUIRE(holds)                                               \
   do {                                                              \
      if (!(holds)) {                                                \
         fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds); \
         exit(1);                                                    \
      }                                                              \
   } while (0)

/* Returns the text with one occurrence of `from` replaced, allocated with malloc. */
static char *
edit(const char *text, const char *from, const char *to)
{
   const char *at = strstr(text, from);
   REQUIRE(at);
   char *out = malloc(strlen(text) + strlen(to) + 1);
   REQUIRE(out);
   sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
   return out;
}

/* Returns the number of packets that differ. *which is the lowest of them. */
static unsigned
compare(char *text, char **problem, unsigned *which)
{
   char *why[256] = { 0 };
   unsigned n = 0;

   *problem = sgcap_packets_compare(text, why);
   *which = 0;
   for (unsigned i = 256; i-- > 0;) {
      if (why[i]) {
         n++;
         *which = i;
      }
      free(why[i]);
   }
   free(text);
   return n;
}

int
main(void)
{
   char *text = sgcap_packets_text(), *problem;
   unsigned which;

   REQUIRE(text);
   REQUIRE(compare(strdup(text), &problem, &which) == 0 && !problem);

   /* The program that wrote the capture had fewer fields. */
   REQUIRE(compare(edit(text, "field 32 Restart 1:6", "field 32 Restart 1:6"), &problem, &which) ==
              0 &&
           !problem);
   char *less = strdup(text), *line = strstr(less, "field 32 Restart 1:6");
   REQUIRE(line);
   char *next = strchr(line, '\n') + 1;
   memmove(line, next, strlen(next) + 1);
   REQUIRE(compare(less, &problem, &which) == 0 && !problem);

   /* A field has moved, a packet has grown, a packet is unknown. */
   REQUIRE(compare(edit(text, "field 32 Restart 1:6", "field 32 Restart 1:7"), &problem, &which) ==
              1 &&
           which == SGPU_PACKET_DRAW && !problem);
   REQUIRE(compare(edit(text, "packet 7 STENCIL REF 2+0", "packet 7 STENCIL REF 3+0"), &problem,
                   &which) == 1 &&
           which == SGPU_PACKET_STENCIL_REF && !problem);
   REQUIRE(compare(edit(text, "packet 7 ", "packet 251 OTHER 2+0\npacket 7 "), &problem, &which) ==
              1 &&
           which == 251 && !problem);

   /* Former names are accepted, but only with the same place, length or number. */
   REQUIRE(compare(edit(text, "packet 19 XFB OUTPUTS 3", "packet 19 STREAM OUTPUT 3"), &problem,
                   &which) == 0 &&
           !problem);
   REQUIRE(compare(edit(text, "packet 19 XFB OUTPUTS 3", "packet 19 STREAM OUTPUT 4"), &problem,
                   &which) == 1 &&
           which == SGPU_PACKET_XFB_OUTPUTS && !problem);
   REQUIRE(compare(edit(text, "[].Vertex Stream 0:13", "[].Stream 0:13"), &problem, &which) == 0 &&
           !problem);
   REQUIRE(compare(edit(text, "[].Vertex Stream 0:13", "[].Stream 0:12"), &problem, &which) == 1 &&
           which == SGPU_PACKET_XFB_OUTPUTS && !problem);
   REQUIRE(compare(edit(text, "Query Type XFB STATISTICS 5", "Query Type STREAMS 5"), &problem,
                   &which) == 0 &&
           !problem);
   REQUIRE(compare(edit(text, "Query Type XFB STATISTICS 5", "Query Type STREAMS 4"), &problem,
                   &which) == 0 &&
           problem);
   free(problem);

   /* An enum value has another number. */
   REQUIRE(compare(edit(text, "enum Compare LESS 1", "enum Compare LESS 9"), &problem, &which) ==
           0);
   REQUIRE(problem && strstr(problem, "Compare LESS"));
   free(problem);
   free(text);
   puts("ok");
   return 0;
}
