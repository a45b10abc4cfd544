/* SPDX-License-Identifier: MIT */
/*
 * Destroys traces.
 */
#include "trace/sgt_trace.h"

#include <stdlib.h>

void
sgt_trace_free_arrays(struct sgt_trace *trace)
{
   free(trace->operations);
   free(trace->items);
   free(trace->sources);
   free(trace->targets);
   free(trace->blocks);
   free(trace->zculled);
   free(trace->values);
   free(trace->words);
   free(trace->states);
   free(trace->sets_meet);
}

void
sgt_trace_destroy(struct sgt_trace *trace)
{
   if (!trace)
      return;
   sgt_trace_free_arrays(trace);
   free(trace);
}
