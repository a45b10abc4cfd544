/* SPDX-License-Identifier: MIT */
/*
 * The 1999 engine: frees the result of a run.
 */
#include "engine99/sgt_engine.h"

#include <stdlib.h>
#include <string.h>

void
sgt_engine_result_finish(struct sgt_engine_result *r)
{
   free(r->busy_cycles);
   free(r->candidate_cycles);
   free(r->series);
   free(r->operations);
   memset(r, 0, sizeof(*r));
}
