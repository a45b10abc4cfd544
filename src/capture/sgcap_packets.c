/* SPDX-License-Identifier: MIT */
/* The layout of packets as text, and its comparison. */
#include "sgcap_packets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_packets.h"
#include "sgpu_packets_info.h"

#define MAX_ENUMS 128

struct text {
   FILE *fp;
   const struct sgpu_enum_info *enums[MAX_ENUMS];
   unsigned num_enums;
};

static void
note_enum(struct text *t, const struct sgpu_enum_info *e)
{
   for (unsigned i = 0; i < t->num_enums; i++) {
      if (t->enums[i] == e)
         return;
   }
   if (t->num_enums < MAX_ENUMS)
      t->enums[t->num_enums++] = e;
}

static void
print_fields(struct text *t, unsigned opcode, const char *path, unsigned word,
             const struct sgpu_struct_info *s)
{
   for (unsigned i = 0; i < s->num_fields; i++) {
      const struct sgpu_field_info *f = &s->fields[i];
      char name[256];

      snprintf(name, sizeof name, "%s%s%s", path, *path ? "." : "", f->name);
      if (f->kind == SGPU_FIELD_STRUCT) {
         for (unsigned a = 0; a < f->array; a++)
            print_fields(t, opcode, name, word + f->word + a * f->structure->length,
                         f->structure);
      } else {
         fprintf(t->fp, "field %u %s %u:%u %u %u %u %" PRIu32 " %u %s\n", opcode, name,
                 word + f->word, f->bit, f->bits, f->kind, f->shr, f->minus, f->array,
                 f->enumeration ? f->enumeration->name : "-");
         if (f->enumeration)
            note_enum(t, f->enumeration);
      }
   }
}

char *
sgcap_packets_text(void)
{
   struct text t = { 0 };
   char *text = NULL;
   size_t size = 0;

   t.fp = open_memstream(&text, &size);
   if (!t.fp)
      return NULL;
   for (unsigned opcode = 0; opcode < 256; opcode++) {
      const struct sgpu_struct_info *p = sgpu_packet_info(opcode);
      if (!p)
         continue;
      fprintf(t.fp, "packet %u %s %u+%u\n", opcode, p->name, p->length,
              p->tail ? p->tail->length : 0);
      print_fields(&t, opcode, "", 0, p);
      if (p->tail)
         print_fields(&t, opcode, "[]", 0, p->tail);
   }
   for (unsigned i = 0; i < t.num_enums; i++) {
      for (unsigned v = 0; v < t.enums[i]->num_values; v++)
         fprintf(t.fp, "enum %s %s %" PRIu32 "\n", t.enums[i]->name, t.enums[i]->values[v].name,
                 t.enums[i]->values[v].value);
   }
   if (fclose(t.fp)) {
      free(text);
      return NULL;
   }
   return text;
}

static int
compare_lines(const void *a, const void *b)
{
   return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Cuts the text in place. malloc'ed. */
static char **
split(char *text, unsigned *count)
{
   unsigned n = 0;
   for (const char *p = text; *p; p++)
      n += *p == '\n';

   char **lines = malloc((n + 1) * sizeof *lines);
   *count = 0;
   for (char *p = text; lines && *p;) {
      char *end = strchr(p, '\n');
      if (!end)
         break;
      *end = 0;
      lines[(*count)++] = p;
      p = end + 1;
   }
   return lines;
}

char *
sgcap_packets_compare(const char *theirs, char **why)
{
   char *mine = sgcap_packets_text(), *copy = strdup(theirs), *problem = NULL;
   unsigned num_mine = 0, num_lines = 0;
   char **my_lines = mine ? split(mine, &num_mine) : NULL;
   char **lines = copy ? split(copy, &num_lines) : NULL;

   if (!my_lines || !lines) {
      problem = strdup("out of memory");
      goto out;
   }
   qsort(my_lines, num_mine, sizeof *my_lines, compare_lines);

   for (unsigned i = 0; i < num_lines && !problem; i++) {
      if (bsearch(&lines[i], my_lines, num_mine, sizeof *my_lines, compare_lines))
         continue;

      unsigned opcode;
      char text[512];
      if (sscanf(lines[i], "packet %u ", &opcode) == 1 ||
          sscanf(lines[i], "field %u ", &opcode) == 1) {
         if (opcode < 256 && !why[opcode]) {
            const struct sgpu_struct_info *p = sgpu_packet_info(opcode);
            snprintf(text, sizeof text, "this program's %s differs from the capture's: \"%s\"",
                     p ? p->name : "packet", lines[i]);
            why[opcode] = strdup(text);
         }
      } else {
         snprintf(text, sizeof text, "this program has no \"%s\"", lines[i]);
         problem = strdup(text);
      }
   }

out:
   free(my_lines);
   free(lines);
   free(mine);
   free(copy);
   return problem;
}

unsigned
sgcap_query_numbers(uint32_t type)
{
   return type == SGPU_QUERY_TYPE_PIPELINE_STATISTICS ? 11
          : type == SGPU_QUERY_TYPE_STREAMS           ? SGCAP_QUERY_NUMBERS
                                                      : 1;
}
