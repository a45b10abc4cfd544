/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <inttypes.h>

#include "report/sgt_json.h"

static void
put_string(FILE *fp, const char *text)
{
   fputc('"', fp);
   for (; *text; text++) {
      const unsigned char c = *text;
      if (c == '"' || c == '\\')
         fprintf(fp, "\\%c", c);
      else if (c < 0x20 || c == 0x7f)
         fprintf(fp, "\\u%04x", c);
      else
         fputc(c, fp);
   }
   fputc('"', fp);
}

/* Writes everything that precedes a value: comma, newline and indentation, and member name. */
static void
begin_value(struct sgt_json *j, const char *key)
{
   if (j->depth) {
      const bool flat = j->levels[j->depth - 1].flat;
      if (j->levels[j->depth - 1].filled)
         fputs(flat ? ", " : ",", j->fp);
      j->levels[j->depth - 1].filled = true;
      if (!flat)
         fprintf(j->fp, "\n%*s", (int)j->depth, "");
   }
   if (key) {
      put_string(j->fp, key);
      fputs(": ", j->fp);
   }
}

static void
open_level(struct sgt_json *j, const char *key, bool flat, const char *brackets)
{
   assert(j->depth < SGT_JSON_DEPTH);
   begin_value(j, key);
   fputc(brackets[0], j->fp);
   flat |= j->depth && j->levels[j->depth - 1].flat;
   j->levels[j->depth].close = brackets[1];
   j->levels[j->depth].flat = flat;
   j->levels[j->depth].filled = false;
   j->depth++;
}

struct sgt_json
sgt_json_fragment(FILE *fp, unsigned depth)
{
   struct sgt_json j = { .fp = fp, .depth = depth };

   assert(depth && depth < SGT_JSON_DEPTH);
   j.levels[depth - 1].close = ']';
   return j;
}

void
sgt_json_add(struct sgt_json *j, const char *text)
{
   assert(j->depth && !j->levels[j->depth - 1].flat);
   if (j->levels[j->depth - 1].filled)
      fputc(',', j->fp);
   j->levels[j->depth - 1].filled = true;
   fputs(text, j->fp);
}

void
sgt_json_object(struct sgt_json *j, const char *key, bool flat)
{
   open_level(j, key, flat, "{}");
}

void
sgt_json_array(struct sgt_json *j, const char *key, bool flat)
{
   open_level(j, key, flat, "[]");
}

void
sgt_json_end(struct sgt_json *j)
{
   assert(j->depth);
   j->depth--;
   if (!j->levels[j->depth].flat && j->levels[j->depth].filled)
      fprintf(j->fp, "\n%*s", (int)j->depth, "");
   fputc(j->levels[j->depth].close, j->fp);
   if (!j->depth)
      fputc('\n', j->fp);
}

void
sgt_json_u64(struct sgt_json *j, const char *key, uint64_t value)
{
   begin_value(j, key);
   fprintf(j->fp, "%" PRIu64, value);
}

void
sgt_json_bool(struct sgt_json *j, const char *key, bool value)
{
   begin_value(j, key);
   fputs(value ? "true" : "false", j->fp);
}

void
sgt_json_string(struct sgt_json *j, const char *key, const char *text)
{
   begin_value(j, key);
   put_string(j->fp, text);
}

void
sgt_json_quotient(struct sgt_json *j, const char *key, uint64_t part, uint64_t whole)
{
   begin_value(j, key);
   fprintf(j->fp, "%.9f", whole ? (double)part / whole : 0.0);
}
