/* SPDX-License-Identifier: MIT */
/* Finds and runs the microbenchmarks that --microbenchmark NAME selects. */
#include "sim_microbenchmark.h"

#include <string.h>

#include "util/macros.h"

static const struct sim_microbenchmark *const microbenchmarks[] = { &sim_nv20, &sim_tesla,
                                                                    &sim_via };

const struct sim_microbenchmark *
sim_microbenchmark_find(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(microbenchmarks); i++) {
      if (!strcmp(microbenchmarks[i]->name, name))
         return microbenchmarks[i];
   }
   return NULL;
}

void
sim_microbenchmark_names(char *text, size_t size)
{
   const unsigned last = ARRAY_SIZE(microbenchmarks) - 1;
   size_t length = 0;

   for (unsigned i = 0; i <= last && length < size; i++) {
      const char *separator = i == 0 ? "" : i < last ? ", " : " or ";
      length += snprintf(text + length, size - length, "%s%s", separator, microbenchmarks[i]->name);
   }
}

int
sim_microbenchmark_run(const struct sim_options *o, const struct sim_points *points, sim_load *load)
{
   struct sim_output out = { .fp = NULL };

   if (!sim_output_open(&out, o->json ? o->json : "-", o->force))
      return 1;
   struct sgt_json j = { .fp = out.fp };
   if (o->microbenchmark->run(&j, o, points, load))
      return sim_output_close(&out) ? 0 : 1;
   sim_output_discard(&out);
   return 1;
}

static bool
is_of(const struct sim_point *point, const struct sim_microbenchmark *m)
{
   for (unsigned i = 0; i < point->num_changes; i++) {
      if (!m->has_section(&point->config, sgt_keys[point->changes[i].key].section))
         return false;
   }
   return true;
}

void
sim_points_keep(struct sim_points *points, const struct sim_microbenchmark *m)
{
   uint32_t kept = 0;

   for (uint32_t i = 0; i < points->count; i++) {
      if (is_of(&points->points[i], m))
         points->points[kept++] = points->points[i];
   }
   points->count = kept;
}
