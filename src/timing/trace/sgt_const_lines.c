/* SPDX-License-Identifier: MIT */
/*
 * Finds the versions of the shader constants that warps read, and the cache lines that versions
 * have in common.
 */
#include "trace/sgt_const_lines.h"

#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "util/macros.h"

#define NONE UINT32_MAX

struct builder {
   struct sgt_const_lines *l;
   const struct sgt_work *work;
   uint64_t max_versions, max_from, num_from;
   /* for each context, index of its latest version, or NONE if it has no version yet */
   uint32_t *latest;
   uint32_t num_contexts;
};

static bool
add_version(struct builder *b, const struct sgt_const_version *version)
{
   struct sgt_const_lines *l = b->l;
   if (!sgt_array_reserve(&l->versions, &b->max_versions, l->num_versions + 1,
                          sizeof(*l->versions)))
      return false;
   l->versions[l->num_versions++] = *version;
   return true;
}

/* Adds the next version of a context. Unchanged lines originate in the same version as before. */
static bool
add_changed(struct builder *b, const struct sgt_constants *c)
{
   struct sgt_const_lines *l = b->l;
   const uint32_t before = b->latest[c->context], number = l->num_versions;
   struct sgt_const_version v = {
      .context = c->context,
      .num = MIN2(DIV_ROUND_UP(c->bytes, SGT_CONST_LINE_BYTES), SGT_CONST_LINES),
      .first = b->num_from,
   };
   if (!sgt_array_reserve(&l->from, &b->max_from, b->num_from + v.num, sizeof(*l->from)))
      return false;
   uint32_t *from = l->from + v.first;
   for (uint32_t i = 0; i < v.num; i++)
      from[i] = before == NONE ? number : sgt_const_lines_from(l, before, i);
   for (uint32_t i = 0; i < c->num_changed; i++) {
      const struct sgt_changed *changed = &b->work->changed[c->first_changed + i];
      for (uint32_t line = changed->first; line < MIN2(changed->first + changed->count, v.num);
           line++)
         from[line] = number;
      v.before += changed->count;
   }
   if (before != NONE)
      v.before += l->versions[before].before;
   b->num_from += v.num;
   b->latest[c->context] = number;
   return add_version(b, &v);
}

/* Adds a new version for each context whose constants have changed since its previous operation.
 * Only the constants of bank 0, which instructions access directly, have versions.
 */
static bool
add_constants(struct builder *b, uint32_t operation)
{
   const struct sgt_operation_work *o = &b->work->operations[operation];
   for (uint32_t i = o->first_constants; i < o->first_constants + o->num_constants; i++) {
      const struct sgt_constants *c = &b->work->constants[i];
      if (c->bank)
         continue;
      if ((b->latest[c->context] == NONE || c->num_changed) && !add_changed(b, c))
         return false;
      b->l->of[operation * SGT_STAGES + c->stage] = b->latest[c->context];
   }
   return true;
}

/* Adds versions for all shader stages of the operation that have no version yet. Depending on
 * `scope`, each operation gets a new version, or all operations with the same program share one.
 */
static bool
add_others(struct builder *b, uint32_t operation, enum sgt_const_scope scope, uint32_t *programs)
{
   const struct sgt_operation_work *o = &b->work->operations[operation];
   for (uint32_t w = o->first_warp; w < o->first_warp + o->num_warps; w++) {
      const uint32_t program = b->work->warps[w].program;
      uint32_t *of = &b->l->of[operation * SGT_STAGES + b->work->programs[program]->stage];
      if (*of != NONE)
         continue;
      if (scope == SGT_CONST_OPERATION || programs[program] == NONE) {
         programs[program] = b->l->num_versions;
         if (!add_version(b, &(struct sgt_const_version){ .context = b->num_contexts++ }))
            return false;
      }
      *of = programs[program];
   }
   return true;
}

static uint32_t *
new_numbers(uint64_t num)
{
   uint32_t *numbers = malloc(MAX2(num, 1) * sizeof(*numbers));
   if (numbers)
      memset(numbers, 0xff, num * sizeof(*numbers));
   return numbers;
}

bool
sgt_const_lines_init(struct sgt_const_lines *l, const struct sgt_work *work,
                     enum sgt_const_scope scope)
{
   struct builder b = { .l = l, .work = work };
   *l = (struct sgt_const_lines){ 0 };
   for (uint32_t i = 0; i < work->num_constants; i++)
      b.num_contexts = MAX2(b.num_contexts, work->constants[i].context + 1);
   b.latest = new_numbers(b.num_contexts);
   l->of = new_numbers((uint64_t)work->num_operations * SGT_STAGES);
   uint32_t *programs = new_numbers(work->num_programs);
   bool ok = b.latest && l->of && programs;
   for (uint32_t o = 0; ok && o < work->num_operations; o++)
      ok = (scope != SGT_CONST_VERSION || add_constants(&b, o)) &&
           add_others(&b, o, scope, programs);
   free(b.latest);
   free(programs);
   if (!ok)
      sgt_const_lines_finish(l);
   return ok;
}

void
sgt_const_lines_finish(struct sgt_const_lines *l)
{
   free(l->versions);
   free(l->of);
   free(l->from);
   *l = (struct sgt_const_lines){ 0 };
}
