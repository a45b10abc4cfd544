/* SPDX-License-Identifier: MIT */
/*
 * Trace: memory.
 */
#include "sgt_trace.h"

#include <stdlib.h>

void
sgt_trace_destroy(struct sgt_trace *trace)
{
   if (!trace)
      return;
   free(trace->operations);
   free(trace->items);
   free(trace->sources);
   free(trace->blocks);
   free(trace->values);
   free(trace->words);
   free(trace->sets_meet);
   free(trace);
}
