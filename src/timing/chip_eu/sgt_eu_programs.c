/* SPDX-License-Identifier: MIT */
/*
 * Execution unit: prepares the programs of a struct sgt_work, and checks that the unit can run its
 * warps and workgroups.
 */
#include "chip_eu/sgt_eu_code.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/macros.h"

bool
sgt_eu_programs_init(struct sgt_eu_programs *p, const struct sgt_eu_params *params,
                     const struct sgt_work *work)
{
   *p = (struct sgt_eu_programs){
      .params = *params,
      .work = work,
      .codes = calloc(work->num_programs + 1, sizeof(*p->codes)),
   };
   bool ok = p->codes && sgt_const_lines_init(&p->constants, work, params->const_scope);
   for (; ok && p->num < work->num_programs; p->num += ok)
      ok = sgt_eu_code_init(&p->codes[p->num], work->programs[p->num], p->num, params->banks);
   if (!ok)
      sgt_eu_programs_finish(p);
   return ok;
}

void
sgt_eu_programs_finish(struct sgt_eu_programs *p)
{
   for (uint32_t i = 0; i < p->num; i++)
      sgt_eu_code_finish(&p->codes[i]);
   free(p->codes);
   sgt_const_lines_finish(&p->constants);
   p->codes = NULL;
   p->num = 0;
}

/* Returns the number of access instructions that a warp executes, according to its instruction
 * runs.
 */
static uint32_t
named_accesses(const struct sgt_work *work, const struct sgt_warp *warp,
               const struct sgt_eu_code *code)
{
   uint32_t num = warp->num_runs ? 0 : code->accesses[code->num];
   for (uint32_t r = 0; r < warp->num_runs; r++) {
      const struct sgt_run *run = &work->runs[warp->first_run + r];
      num += code->accesses[run->pc + run->count] - code->accesses[run->pc];
   }
   return num;
}

/* Returns the maximum number of inputs that any program of a stage other than compute reads. A warp
 * of such a program can start between two warps of a workgroup, and then also needs attribute cache
 * entries.
 */
static uint32_t
most_inputs(const struct sgt_eu_programs *p)
{
   uint32_t most = 0;
   for (uint32_t i = 0; i < p->num; i++)
      if (p->work->programs[i]->stage != SGPU_STAGE_COMPUTE)
         most = MAX2(most, p->codes[i].inputs);
   return most;
}

/* Checks that the unit has room for a whole workgroup and a warp of another stage at the same time.
 * Warps that wait at a barrier keep their thread slots and their attribute cache entries.
 */
static bool
check_group(const struct sgt_eu_programs *p, uint32_t operation, uint32_t warps,
            const struct sgt_eu_code *code, uint32_t beside, char *error, size_t size)
{
   const struct sgt_eu_params *e = &p->params;
   const uint32_t parts = 32 / e->width;
   if (warps * parts > e->threads) {
      snprintf(error, size,
               "operation %u has workgroups of %u warps that meet at barriers: more than "
               "eu.threads = %u of eu.width = %u lanes",
               operation, warps, e->threads, e->width);
      return false;
   }
   if (e->attr_entries && code->inputs &&
       (warps * code->inputs + beside) * parts > e->attr_entries) {
      snprintf(error, size,
               "operation %u has workgroups of %u warps that meet at barriers and read %u inputs "
               "each: more than eu.attr_entries = %u",
               operation, warps, code->inputs, e->attr_entries);
      return false;
   }
   return true;
}

static bool
check_warp(const struct sgt_eu_programs *p, uint32_t operation, uint32_t index, char *error,
           size_t size)
{
   const struct sgt_warp *warp = &p->work->warps[index];
   const struct sgt_eu_code *code = &p->codes[warp->program];
   const uint32_t number = index - p->work->operations[operation].first_warp;
   const uint32_t parts = 32 / p->params.width;
   if (p->params.attr_entries && code->inputs * parts > p->params.attr_entries) {
      snprintf(error, size,
               "warp %u of operation %u reads %u inputs in %u threads: more than "
               "eu.attr_entries = %u",
               number, operation, code->inputs, parts, p->params.attr_entries);
      return false;
   }
   if (named_accesses(p->work, warp, code) != warp->num_accesses) {
      snprintf(error, size, "warp %u of operation %u has %u accesses, its runs name %u", number,
               operation, warp->num_accesses, named_accesses(p->work, warp, code));
      return false;
   }
   return true;
}

bool
sgt_eu_programs_check(const struct sgt_eu_programs *p, char *error, size_t size)
{
   const uint32_t beside = most_inputs(p);
   for (uint32_t o = 0; o < p->work->num_operations; o++) {
      const struct sgt_operation_work *op = &p->work->operations[o];
      uint32_t checked = UINT32_MAX; /* index of the last program that was checked */
      for (uint32_t w = op->first_warp; w < op->first_warp + op->num_warps; w++) {
         const uint32_t program = p->work->warps[w].program;
         if (!check_warp(p, o, w, error, size))
            return false;
         if (program != checked && p->codes[program].barrier &&
             !check_group(p, o, op->group_warps, &p->codes[program], beside, error, size))
            return false;
         checked = program;
      }
   }
   return true;
}

bool
sgt_eu_work_check(const struct sgt_eu_params *params, const struct sgt_work *work, char *error,
                  size_t size)
{
   struct sgt_eu_programs p;
   if (!sgt_eu_programs_init(&p, params, work)) {
      snprintf(error, size, "out of memory");
      return false;
   }
   const bool ok = sgt_eu_programs_check(&p, error, size);
   sgt_eu_programs_finish(&p);
   return ok;
}
