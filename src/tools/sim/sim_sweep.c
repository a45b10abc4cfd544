/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_sweep.h"

static bool
add_value(struct sim_sweep *s, uint64_t value, char *error, size_t error_size)
{
   if (s->count >= SIM_MAX_POINTS) {
      snprintf(error, error_size, "more than %u values", SIM_MAX_POINTS);
      return false;
   }
   /* The capacity is count rounded up to a power of two, so the array is full if count is one. */
   if (!(s->count & (s->count - 1))) {
      uint64_t *values = realloc(s->values, (s->count ? s->count * 2 : 1) * sizeof *values);
      if (!values) {
         snprintf(error, error_size, "out of memory");
         return false;
      }
      s->values = values;
   }
   s->values[s->count++] = value;
   return true;
}

static bool
read_step(const char *text, uint64_t *step)
{
   char *end;

   errno = 0;
   if (*text < '0' || *text > '9')
      return false;
   *step = strtoull(text, &end, 0);
   return !*end && !errno;
}

/* Adds an element of the list, which is a value or a range A..B with an optional step or factor. */
static bool
add_element(struct sim_sweep *s, char *text, char *error, size_t error_size)
{
   const struct sgt_key_info *k = &sgt_keys[s->key];
   char *dots = k->kind == SGT_VALUE_INT ? strstr(text, "..") : NULL;
   uint64_t first, last, step = 1;
   bool times = false;

   if (!dots)
      return sgt_config_read_value(s->key, text, &first, error, error_size) &&
             add_value(s, first, error, error_size);

   char *sign = strpbrk(dots, "+*");
   if (sign) {
      times = *sign == '*';
      *sign = 0;
      if (!read_step(sign + 1, &step) || step < 1 + times) {
         snprintf(error, error_size, "%s: expected %s after %c", sign + 1,
                  times ? "a factor of 2 or more" : "a step of 1 or more", times ? '*' : '+');
         return false;
      }
   }
   *dots = 0;
   if (!sgt_config_read_value(s->key, text, &first, error, error_size) ||
       !sgt_config_read_value(s->key, dots + 2, &last, error, error_size))
      return false;
   if (first > last || (times && !first)) {
      snprintf(error, error_size, "%s..%s: expected an ascending range%s", text, dots + 2,
               times ? " from 1 or more" : "");
      return false;
   }
   for (uint64_t v = first;;) {
      if (!add_value(s, v, error, error_size))
         return false;
      if (times ? v > last / step : v > last - step || step > last)
         return true;
      v = times ? v * step : v + step;
   }
}

bool
sim_sweep_parse(struct sim_sweep *s, const char *text, char *error, size_t error_size)
{
   char name[128], nearest[128];
   const char *equals = strchr(text, '=');
   bool ok = true;

   memset(s, 0, sizeof *s);
   if (!equals || !equals[1]) {
      snprintf(error, error_size, "%s: expected SECTION.KEY=VALUE,...", text);
      return false;
   }
   snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
   const int key = sgt_config_find(name);
   if (key < 0) {
      snprintf(error, error_size, "no key %s; the nearest is %s", name,
               sgt_config_nearest(name, false, nearest, sizeof nearest));
      return false;
   }
   s->key = key;

   char *list = strdup(equals + 1), *rest = list;
   while (ok && rest) {
      char *element = strsep(&rest, ",");
      ok = add_element(s, element, error, error_size);
   }
   free(list);
   for (uint32_t i = 0; ok && i < s->count; i++) {
      for (uint32_t j = 0; ok && j < i && j < 4096; j++) {
         if (s->values[i] == s->values[j]) {
            char value[64];
            sgt_config_print_value(s->key, s->values[i], value, sizeof value);
            snprintf(error, error_size, "%s: %s is given twice", name, value);
            ok = false;
         }
      }
   }
   if (!ok)
      sim_sweep_free(s);
   return ok;
}

void
sim_sweep_free(struct sim_sweep *s)
{
   free(s->values);
   s->values = NULL;
   s->count = 0;
}

static struct sim_point *
add_point(struct sim_points *p, const struct sgt_config *base)
{
   struct sim_point *point = &p->points[p->count++];
   point->config = *base;
   return point;
}

static void
change(struct sim_point *point, enum sgt_key key, uint64_t value)
{
   sgt_config_put(&point->config, key, value);
   point->changes[point->num_changes++] = (struct sim_change){ key, value };
}

static bool
make_room(struct sim_points *p, uint64_t count, char *error, size_t error_size)
{
   memset(p, 0, sizeof *p);
   if (count > SIM_MAX_POINTS) {
      snprintf(error, error_size, "the sweep has more than %u points", SIM_MAX_POINTS);
      return false;
   }
   p->points = calloc(count, sizeof *p->points);
   if (!p->points)
      snprintf(error, error_size, "out of memory");
   return p->points != NULL;
}

void
sim_change_text(const struct sim_change *change, char *name, char *value, size_t size)
{
   const struct sgt_key_info *k = &sgt_keys[change->key];

   snprintf(name, size, "%s.%s", k->section, k->name);
   sgt_config_print_value(change->key, change->value, value, size);
}

bool
sim_points_product(struct sim_points *p, const struct sgt_config *base,
                   const struct sim_sweep *sweeps, unsigned num_sweeps, char *error,
                   size_t error_size)
{
   uint64_t count = 1;

   for (unsigned i = 0; i < num_sweeps && count <= SIM_MAX_POINTS; i++)
      count *= sweeps[i].count;
   if (!make_room(p, count, error, error_size))
      return false;
   for (uint64_t n = 0; n < count; n++) {
      struct sim_point *point = add_point(p, base);
      uint64_t rest = n, size = count;
      for (unsigned i = 0; i < num_sweeps; i++) {
         size /= sweeps[i].count;
         change(point, sweeps[i].key, sweeps[i].values[rest / size]);
         rest %= size;
      }
      if (!sgt_config_check(&point->config, error, error_size)) {
         sim_points_free(p);
         return false;
      }
   }
   return true;
}

static void
add_variant(struct sim_points *p, const struct sgt_config *base, enum sgt_key key, uint64_t value)
{
   char ignored[256];

   if (value == sgt_config_get(base, key))
      return;
   change(add_point(p, base), key, value);
   if (!sgt_config_check(&p->points[p->count - 1].config, ignored, sizeof ignored))
      memset(&p->points[--p->count], 0, sizeof *p->points);
}

bool
sim_points_sensitivity(struct sim_points *p, const struct sgt_config *base, char *error,
                       size_t error_size)
{
   /* A choice has at most 32 values, which are the bits of sgt_key_info.when_choices. */
   if (!make_room(p, 1 + SGT_NUM_KEYS * 32, error, error_size))
      return false;
   add_point(p, base);
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
      const struct sgt_key_info *k = &sgt_keys[key];
      const uint64_t value = sgt_config_get(base, key), half = value / 2 + (value & 1);
      if (!sgt_config_assumed(base, key))
         continue;
      if (k->kind == SGT_VALUE_INT) {
         add_variant(p, base, key, value - half < k->low ? k->low : value - half);
         add_variant(p, base, key, value > k->high - half ? k->high : value + half);
      } else {
         for (uint64_t v = k->low; v <= k->high; v++)
            add_variant(p, base, key, v);
      }
   }
   return true;
}

void
sim_points_free(struct sim_points *p)
{
   free(p->points);
   p->points = NULL;
   p->count = 0;
}
