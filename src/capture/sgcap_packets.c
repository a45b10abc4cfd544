/* SPDX-License-Identifier: MIT */
/* Prints the packet layout as text, and compares it with the layout in a capture. */
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
   bool former; /* set if lines with former names are printed, too */
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

static void print_fields(struct text *t, unsigned opcode, const char *path, unsigned word,
                         const struct sgpu_struct_info *s);

static void
print_field(struct text *t, unsigned opcode, const char *path, unsigned word,
            const struct sgpu_field_info *f, const char *name)
{
   char whole[256];

   snprintf(whole, sizeof whole, "%s%s%s", path, *path ? "." : "", name);
   if (f->kind == SGPU_FIELD_STRUCT) {
      for (unsigned a = 0; a < f->array; a++)
         print_fields(t, opcode, whole, word + f->word + a * f->structure->length, f->structure);
   } else {
      fprintf(t->fp, "field %u %s %u:%u %u %u %u %" PRIu32 " %u %s\n", opcode, whole,
              word + f->word, f->bit, f->bits, f->kind, f->shr, f->minus, f->array,
              f->enumeration ? f->enumeration->name : "-");
      if (f->enumeration)
         note_enum(t, f->enumeration);
   }
}

static void
print_fields(struct text *t, unsigned opcode, const char *path, unsigned word,
             const struct sgpu_struct_info *s)
{
   for (unsigned i = 0; i < s->num_fields; i++) {
      const struct sgpu_field_info *f = &s->fields[i];
      print_field(t, opcode, path, word, f, f->name);
      if (t->former && f->was)
         print_field(t, opcode, path, word, f, f->was);
   }
}

static void
print_packet(struct text *t, unsigned opcode, const struct sgpu_struct_info *p, const char *name)
{
   fprintf(t->fp, "packet %u %s %u+%u\n", opcode, name, p->length, p->tail ? p->tail->length : 0);
}

static void
print_value(struct text *t, const struct sgpu_enum_info *e, const char *name, uint32_t value)
{
   fprintf(t->fp, "enum %s %s %" PRIu32 "\n", e->name, name, value);
}

static char *
packets_text(bool former)
{
   struct text t = { .former = former };
   char *text = NULL;
   size_t size = 0;

   t.fp = open_memstream(&text, &size);
   if (!t.fp)
      return NULL;
   for (unsigned opcode = 0; opcode < 256; opcode++) {
      const struct sgpu_struct_info *p = sgpu_packet_info(opcode);
      if (!p)
         continue;
      print_packet(&t, opcode, p, p->name);
      if (former && p->was)
         print_packet(&t, opcode, p, p->was);
      print_fields(&t, opcode, "", 0, p);
      if (p->tail)
         print_fields(&t, opcode, "[]", 0, p->tail);
   }
   for (unsigned i = 0; i < t.num_enums; i++) {
      for (unsigned n = 0; n < t.enums[i]->num_values; n++) {
         const struct sgpu_enum_value_info *v = &t.enums[i]->values[n];
         print_value(&t, t.enums[i], v->name, v->value);
         if (former && v->was)
            print_value(&t, t.enums[i], v->was, v->value);
      }
   }
   if (fclose(t.fp)) {
      free(text);
      return NULL;
   }
   return text;
}

char *
sgcap_packets_text(void)
{
   return packets_text(false);
}

static int
compare_lines(const void *a, const void *b)
{
   return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Splits the text into lines in place.  Returns an array of the lines, which the caller must free.
 */
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
   char *mine = packets_text(true), *copy = strdup(theirs), *problem = NULL;
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
          : type == SGPU_QUERY_TYPE_XFB_STATISTICS    ? SGCAP_QUERY_NUMBERS
                                                      : 1;
}
