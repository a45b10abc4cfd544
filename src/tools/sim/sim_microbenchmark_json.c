/* SPDX-License-Identifier: MIT */
/* JSON output shared by the microbenchmarks of all models. */
#include "sim_microbenchmark.h"

void
sim_microbenchmark_begin(struct sgt_json *j, const struct sim_microbenchmark *m)
{
   sgt_json_object(j, NULL, false);
   sgt_json_string(j, "format", m->format);
   sgt_json_u64(j, "version", 1);
}

void
sim_json_change_texts(struct sgt_json *j, const struct sim_point *point)
{
   char name[64], value[64];

   sgt_json_object(j, "changes", true);
   for (unsigned i = 0; i < point->num_changes; i++) {
      sim_change_text(&point->changes[i], name, value, sizeof name);
      sgt_json_string(j, name, value);
   }
   sgt_json_end(j);
}

bool
sim_failed(const char *text)
{
   fprintf(stderr, "sgpu: sim: %s\n", text);
   return false;
}
