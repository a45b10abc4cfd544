/* SPDX-License-Identifier: MIT */
/*
 * Parses and writes parameter files.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_printable.h"
#include "config/sgt_config.h"

#define MAX_LINE 256
#define MAX_FILE (1u << 20)

struct parser {
   struct sgt_config *config;
   const char *path;
   unsigned line;       /* current line number, starting at 1 */
   const char *section; /* name of the current section, or NULL before the first section */
   /* for each key, the number of the line that sets it, or 0 if no line has set it yet */
   unsigned seen[SGT_NUM_KEYS];
   char *error;
   size_t error_size;
};

#define FAIL(p, ...) config_fail(p, (char[512]){ 0 }, __VA_ARGS__)

static bool
config_fail(struct parser *p, char *text, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   vsnprintf(text, 512, format, args);
   va_end(args);
   const int n = snprintf(p->error, p->error_size, "%s:%u: ", p->path, p->line);
   /* The message may quote parts of the file, so replace characters that are not printable. */
   if (n >= 0 && (size_t)n < p->error_size)
      sgpu_printable(p->error + n, p->error_size - n, text);
   return false;
}

/* Strips leading and trailing white space. Modifies the string. */
static char *
config_trim(char *text)
{
   while (isspace((unsigned char)*text))
      text++;
   for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
      text[n - 1] = 0;
   return text;
}

static bool
read_section(struct parser *p, char *text)
{
   char nearest[64];
   const size_t n = strlen(text);

   if (text[n - 1] != ']')
      return FAIL(p, "%s: expected [section]", text);
   text[n - 1] = 0;
   text = config_trim(text + 1);
   for (const struct sgt_section_info *s = sgt_sections; s->name; s++) {
      if (!strcmp(s->name, text)) {
         p->section = s->name;
         return true;
      }
   }
   return FAIL(p, "no section [%s]; the nearest is [%s]", text,
               sgt_config_nearest(text, true, nearest, sizeof nearest));
}

static bool
read_key(struct parser *p, char *text)
{
   char name[2 * MAX_LINE], nearest[128], why[512];
   char *equals = strchr(text, '=');
   uint64_t value;

   if (!equals)
      return FAIL(p, "%s: expected key = value or [section]", text);
   *equals = 0;
   const char *bare = config_trim(text), *number = config_trim(equals + 1);
   if (!p->section)
      return FAIL(p, "%s: a [section] must come first", bare);
   snprintf(name, sizeof name, "%s.%s", p->section, bare);
   const int key = sgt_config_find(name);
   if (key < 0)
      return FAIL(p, "no key %s; the nearest is %s", name,
                  sgt_config_nearest(name, false, nearest, sizeof nearest));
   if (p->seen[key])
      return FAIL(p, "%s: already set in line %u", name, p->seen[key]);
   p->seen[key] = p->line;
   if (!sgt_config_read_value(key, number, &value, why, sizeof why))
      return FAIL(p, "%s", why);
   sgt_config_put(p->config, key, value);
   return true;
}

static bool
read_line(struct parser *p, const char *begin, size_t length)
{
   char line[MAX_LINE];

   if (length >= sizeof line)
      return FAIL(p, "the line has more than %u characters", MAX_LINE - 1);
   memcpy(line, begin, length);
   line[length] = 0;
   for (size_t i = 0; line[i]; i++) {
      if ((line[i] == '#' || line[i] == ';') && (!i || isspace((unsigned char)line[i - 1]))) {
         line[i] = 0;
         break;
      }
   }
   char *text = config_trim(line);
   return !*text || (*text == '[' ? read_section(p, text) : read_key(p, text));
}

bool
sgt_config_parse(struct sgt_config *c, const char *text, const char *path, char *error,
                 size_t error_size)
{
   struct parser p = { .config = c, .path = path, .error = error, .error_size = error_size };

   while (*text) {
      const size_t length = strcspn(text, "\n");
      p.line++;
      if (!read_line(&p, text, length))
         return false;
      text += length + (text[length] == '\n');
   }
   return true;
}

static bool
load_file(struct sgt_config *c, const char *path, char *error, size_t error_size)
{
   FILE *fp = fopen(path, "rb");
   char *text = fp ? malloc(MAX_FILE + 1) : NULL;
   bool ok = false;

   if (!text) {
      snprintf(error, error_size, "%s: %s", path, strerror(errno));
   } else {
      const size_t n = fread(text, 1, MAX_FILE + 1, fp);
      if (ferror(fp)) {
         snprintf(error, error_size, "%s: %s", path, strerror(errno));
      } else if (n > MAX_FILE || memchr(text, 0, n)) {
         snprintf(error, error_size, "%s: not a parameter file", path);
      } else {
         text[n] = 0;
         ok = sgt_config_parse(c, text, path, error, error_size);
      }
   }
   free(text);
   if (fp)
      fclose(fp);
   return ok;
}

bool
sgt_config_load(struct sgt_config *c, const char *name, char *error, size_t error_size)
{
   size_t n = 0;

   if (strpbrk(name, "./"))
      return load_file(c, name, error, error_size);
   for (const struct sgt_config_file *f = sgt_config_files; f->name; f++) {
      char path[128];
      snprintf(path, sizeof path, "%s.ini", f->name);
      if (!strcmp(f->name, name))
         return sgt_config_parse(c, f->text, path, error, error_size);
   }
   n += snprintf(error, error_size, "no configuration %s: there are", name);
   for (const struct sgt_config_file *f = sgt_config_files; f->name && n < error_size; f++)
      n += snprintf(error + n, error_size - n, " %s%s", f->name, f[1].name ? "," : "");
   if (n < error_size)
      snprintf(error + n, error_size - n, "; the name of a file needs an ending or a folder");
   return false;
}

/* Writes text as comment lines of at most 100 characters. */
static void
write_comment(FILE *fp, const char *text)
{
   while (*text) {
      size_t n = strlen(text);
      if (n > 98) {
         for (n = 98; n && text[n] != ' '; n--)
            ;
         n = n ? n : 98;
      }
      fprintf(fp, "# %.*s\n", (int)n, text);
      text += n + (text[n] == ' ');
   }
}

static void
write_key(const struct sgt_config *c, enum sgt_key key, FILE *fp)
{
   const struct sgt_key_info *k = &sgt_keys[key];
   char value[64], low[64], high[64], line[2048];
   size_t n = snprintf(line, sizeof line, "%s ", k->text);

   if (k->kind == SGT_VALUE_INT) {
      sgt_config_print_value(key, k->low, low, sizeof low);
      sgt_config_print_value(key, k->high, high, sizeof high);
      n += snprintf(line + n, sizeof line - n, "%s to %s%s%s.", low, high, *k->unit ? " " : "",
                    k->unit);
   } else {
      for (uint64_t v = k->low; v <= k->high; v++) {
         sgt_config_print_value(key, v, value, sizeof value);
         n += snprintf(line + n, sizeof line - n, "%s%s", value, v < k->high ? ", " : ".");
      }
   }
   const bool paper = k->source == SGT_SOURCE_PAPER;
   snprintf(line + n, sizeof line - n, " %s%s%s%s", paper ? "" : sgt_source_name(k->source),
            paper ? "" : ": ", k->place, sgt_config_in_effect(c, key) ? "" : " (no effect here)");
   write_comment(fp, line);
   sgt_config_print_value(key, sgt_config_get(c, key), value, sizeof value);
   fprintf(fp, "%s = %s\n", k->name, value);
}

void
sgt_config_write(const struct sgt_config *c, FILE *fp)
{
   for (const struct sgt_section_info *s = sgt_sections; s->name; s++) {
      fprintf(fp, "%s", s == sgt_sections ? "" : "\n");
      write_comment(fp, s->text);
      fprintf(fp, "[%s]\n", s->name);
      for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
         if (!strcmp(sgt_keys[key].section, s->name))
            write_key(c, key, fp);
      }
   }
}
