/* SPDX-License-Identifier: MIT */
/*
 * Values of parameters: parses and prints single values, and finds the name that is most similar to
 * a misspelled name.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/sgt_config.h"
#include "util/macros.h"

uint64_t
sgt_config_get(const struct sgt_config *c, enum sgt_key key)
{
   const void *member = (const char *)c + sgt_keys[key].offset;

   switch (sgt_keys[key].size) {
   case sizeof(bool):
      return *(const bool *)member;
   case sizeof(uint32_t):
      return *(const uint32_t *)member;
   default:
      return *(const uint64_t *)member;
   }
}

void
sgt_config_put(struct sgt_config *c, enum sgt_key key, uint64_t value)
{
   void *member = (char *)c + sgt_keys[key].offset;

   switch (sgt_keys[key].size) {
   case sizeof(bool):
      *(bool *)member = value;
      break;
   case sizeof(uint32_t):
      *(uint32_t *)member = value;
      break;
   default:
      *(uint64_t *)member = value;
   }
}

const char *
sgt_source_name(enum sgt_source source)
{
   static const char *const names[] = { "paper", "derived", "external", "assumed" };
   return names[source];
}

static bool
is_key(const struct sgt_key_info *k, const char *name)
{
   const size_t length = strlen(k->section);
   return !strncmp(name, k->section, length) && name[length] == '.' &&
          !strcmp(name + length + 1, k->name);
}

int
sgt_config_find(const char *name)
{
   for (unsigned i = 0; i < SGT_NUM_KEYS; i++) {
      if (is_key(&sgt_keys[i], name))
         return i;
   }
   return -1;
}

#define MAX_NAME 64

/* Returns the edit distance between a and b, i.e. the minimum number of insertions, deletions,
 * replacements and swaps of adjacent characters that turn one into the other.
 */
static unsigned
edit_distance(const char *a, const char *b)
{
   unsigned rows[3][MAX_NAME + 1];
   const unsigned na = MIN2(strlen(a), MAX_NAME), nb = MIN2(strlen(b), MAX_NAME);

   for (unsigned j = 0; j <= nb; j++)
      rows[0][j] = j;
   for (unsigned i = 1; i <= na; i++) {
      unsigned *row = rows[i % 3], *before = rows[(i + 2) % 3], *before2 = rows[(i + 1) % 3];
      row[0] = i;
      for (unsigned j = 1; j <= nb; j++) {
         row[j] = MIN3(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
         if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = MIN2(row[j], before2[j - 2] + 1);
      }
   }
   return rows[na % 3][nb];
}

const char *
sgt_config_nearest(const char *name, bool sections, char *text, size_t size)
{
   unsigned best = UINT32_MAX;

   if (sections) {
      for (const struct sgt_section_info *s = sgt_sections; s->name; s++) {
         const unsigned distance = edit_distance(name, s->name);
         if (distance < best)
            snprintf(text, size, "%s", s->name);
         best = MIN2(best, distance);
      }
      return text;
   }
   /* Prefer the correct key with a missing or wrong section to a different key. */
   const char *dot = strchr(name, '.'), *bare = dot ? dot + 1 : name;
   for (unsigned i = 0; i < SGT_NUM_KEYS; i++) {
      char full[MAX_NAME * 2];
      snprintf(full, sizeof full, "%s.%s", sgt_keys[i].section, sgt_keys[i].name);
      const unsigned distance = MIN2(edit_distance(name, full) * 2,
                                     edit_distance(bare, sgt_keys[i].name) * 2 + 1);
      if (distance < best)
         snprintf(text, size, "%s", full);
      best = MIN2(best, distance);
   }
   return text;
}

void
sgt_config_print_value(enum sgt_key key, uint64_t value, char *text, size_t size)
{
   const struct sgt_key_info *k = &sgt_keys[key];

   switch (k->kind) {
   case SGT_VALUE_CHOICE:
      snprintf(text, size, "%s", k->choices[value]);
      break;
   case SGT_VALUE_BOOL:
      snprintf(text, size, "%s", value ? "yes" : "no");
      break;
   case SGT_VALUE_INT:
      snprintf(text, size, "%" PRIu64, value);
      break;
   }
}

bool
sgt_read_number(const char *text, uint64_t *value)
{
   char *end;

   errno = 0;
   if (*text < '0' || *text > '9')
      return false;
   *value = strtoull(text, &end, 0);
   return !*end && errno == 0;
}

static bool
read_choice(const struct sgt_key_info *k, const char *text, uint64_t *value)
{
   static const char *const switches[] = { "no", "yes", NULL };
   const char *const *choices = k->kind == SGT_VALUE_BOOL ? switches : k->choices;

   for (unsigned i = 0; choices[i]; i++) {
      if (!strcmp(choices[i], text)) {
         *value = i;
         return true;
      }
   }
   return false;
}

bool
sgt_config_read_value(enum sgt_key key, const char *text, uint64_t *value, char *error,
                      size_t error_size)
{
   const struct sgt_key_info *k = &sgt_keys[key];
   char expected[512] = "";

   if (k->kind == SGT_VALUE_INT) {
      if (sgt_read_number(text, value) && *value >= k->low && *value <= k->high)
         return true;
      snprintf(expected, sizeof expected, "a number from %" PRIu64 " to %" PRIu64 "%s%s", k->low,
               k->high, *k->unit ? " " : "", k->unit);
   } else if (read_choice(k, text, value)) {
      return true;
   } else if (k->kind == SGT_VALUE_BOOL) {
      snprintf(expected, sizeof expected, "yes or no");
   } else {
      size_t n = 0;
      for (unsigned i = 0; k->choices[i]; i++)
         n += snprintf(expected + n, sizeof expected - n, "%s%s",
                       !i                  ? ""
                       : k->choices[i + 1] ? ", "
                                           : " or ",
                       k->choices[i]);
   }
   snprintf(error, error_size, "%s.%s = %s: expected %s", k->section, k->name, text, expected);
   return false;
}

bool
sgt_config_set(struct sgt_config *c, const char *assignment, char *error, size_t error_size)
{
   char name[MAX_NAME * 2], nearest[MAX_NAME * 2];
   const char *equals = strchr(assignment, '=');
   uint64_t value;

   if (!equals) {
      snprintf(error, error_size, "%s: expected SECTION.KEY=VALUE", assignment);
      return false;
   }
   snprintf(name, sizeof name, "%.*s", (int)MIN2(equals - assignment, (ptrdiff_t)sizeof name),
            assignment);
   const int key = sgt_config_find(name);
   if (key < 0) {
      snprintf(error, error_size, "no key %s; the nearest is %s", name,
               sgt_config_nearest(name, false, nearest, sizeof nearest));
      return false;
   }
   if (!sgt_config_read_value(key, equals + 1, &value, error, error_size))
      return false;
   sgt_config_put(c, key, value);
   return true;
}

bool
sgt_config_in_effect(const struct sgt_config *c, enum sgt_key key)
{
   const struct sgt_key_info *k = &sgt_keys[key];

   return k->when_key < 0 || ((k->when_choices >> sgt_config_get(c, k->when_key) & 1) &&
                              sgt_config_in_effect(c, k->when_key));
}

bool
sgt_config_assumed(const struct sgt_config *c, enum sgt_key key)
{
   return sgt_keys[key].source == SGT_SOURCE_ASSUMED && sgt_config_in_effect(c, key);
}
