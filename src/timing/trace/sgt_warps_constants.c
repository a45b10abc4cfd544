/* SPDX-License-Identifier: MIT */
/*
 * Converts the device's CONSTANTS records to struct sgt_constants. A line counts as changed if its
 * contents differ from the previous contents in the context, no matter which packets have set it.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "trace/sgt_events.h"
#include "util/macros.h"

/* The constants that a program has read from one bank in its most recent operation. */
struct sgt_warps_context {
   uint64_t program;
   uint32_t bytes, version;
   uint8_t stage, bank;
   uint32_t num_lines;
   uint32_t *lines; /* the lines in the format of the CONSTANTS record, with 8 bytes per line */
};

void
sgt_warps_constants_finish(struct sgt_warps *w)
{
   for (uint32_t i = 0; i < w->num_contexts; i++)
      free(w->contexts[i].lines);
   free(w->contexts);
   w->contexts = NULL;
   w->num_contexts = 0;
   w->max_contexts = 0;
}

/* Returns the context for a record. The lines of a new context are uninitialized. Returns NULL if
 * allocation fails.
 */
static struct sgt_warps_context *
find_context(struct sgt_warps *w, const struct sgpu_event_constants *e, uint32_t num_lines)
{
   const uint64_t program = (uint64_t)e->program_high << 32 | e->program_low;

   for (uint32_t i = 0; i < w->num_contexts; i++) {
      struct sgt_warps_context *x = &w->contexts[i];
      if (x->program == program && x->bytes == e->bytes && x->stage == e->stage &&
          x->bank == e->bank)
         return x;
   }
   if (!sgt_array_reserve(&w->contexts, &w->max_contexts, w->num_contexts + 1,
                          sizeof(*w->contexts)))
      return NULL;
   struct sgt_warps_context *x = &w->contexts[w->num_contexts];
   *x = (struct sgt_warps_context){
      .program = program,
      .bytes = e->bytes,
      .stage = e->stage,
      .bank = e->bank,
      .num_lines = num_lines,
      .lines = malloc(MAX2(num_lines, 1) * 8),
   };
   if (!x->lines)
      return NULL;
   w->num_contexts++;
   return x;
}

static void
constants_add(struct sgt_warps *w, const struct sgpu_event_constants *e)
{
   const uint32_t *lines = (const uint32_t *)(e + 1);
   const uint32_t num_lines = (e->words - sizeof(*e) / 4) / 2, contexts = w->num_contexts;
   struct sgt_warps_context *x = find_context(w, e, num_lines);

   if (!x || num_lines != x->num_lines || e->stage >= SGT_STAGES) {
      w->failed |= !x;
      w->error = x ? "a record of constants is invalid" : w->error;
      return;
   }
   const bool is_new = w->num_contexts != contexts;
   const bool differ = !is_new && memcmp(x->lines, lines, num_lines * 8);
   x->version += differ;
   sgt_work_builder_constants(w->builder, &(struct sgt_constants){
                                             .context = x - w->contexts,
                                             .version = x->version,
                                             .bytes = e->bytes,
                                             .stage = e->stage,
                                             .bank = e->bank,
                                          });
   for (uint32_t i = 0; i < num_lines && differ; i++) {
      const uint32_t first = i;
      while (i < num_lines && memcmp(x->lines + 2 * i, lines + 2 * i, 8))
         i++;
      if (i > first)
         sgt_work_builder_changed(w->builder, first, i - first);
   }
   memcpy(x->lines, lines, num_lines * 8);
}

void
sgt_warps_constants(struct sgt_warps *w, const struct sgt_chunk *chunk, uint64_t at)
{
   const struct sgpu_event_head *head;

   for (; !w->failed && !w->error && (head = sgt_chunk_record(chunk, at, &w->error));
        at += head->words) {
      if (head->type != SGPU_EVENT_CONSTANTS) {
         w->error = "a record after the targets is not a record of constants";
         return;
      }
      constants_add(w, (const struct sgpu_event_constants *)head);
   }
}
