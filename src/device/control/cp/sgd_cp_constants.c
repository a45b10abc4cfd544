/* SPDX-License-Identifier: MIT */
/*
 * Command processor: constant banks, and the table of constant contexts with their latest versions
 * (see sgd_constants.h).
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "control/cp/sgd_cp.h"
#include "control/cp/sgd_cp_packets.h"
#include "util/bitscan.h"
#include "util/macros.h"

void
sgd_env_ref_banks(const struct sgd_env *env)
{
   u_foreach_bit64(b, env->versioned)
      sgd_ref(&env->banks[b].version->refs);
}

void
sgd_env_unref_banks(const struct sgd_env *env)
{
   u_foreach_bit64(b, env->versioned)
      sgd_const_version_unref(env->banks[b].version);
}

/* Returns the host address of a range of constants, or NULL if it isn't inside a buffer of the
 * submission. Marks the buffer as bound. Operations that write a bound buffer check whether any
 * earlier draw reads it (see sgd_hazard.h).
 */
static const uint8_t *
find_memory(struct sgd_cp *cp, uint64_t address, uint64_t size)
{
   struct sgpu_bo *bo = sgd_bo_list_find(&cp->sub->bos, address, size);

   if (!bo)
      return NULL;
   atomic_store_explicit(&bo->bound, true, memory_order_relaxed);
   return cp->memory->base + address;
}

static void
bind(struct sgd_cp *cp, enum sgpu_stage stage, unsigned bank, struct sgd_bank to)
{
   struct sgd_env *env = &cp->cur.env[stage];
   struct sgd_bank *b = &env->banks[bank];

   if (b->line_log2)
      sgd_const_version_unref(b->version);
   *b = to;
   env->versioned = (env->versioned & ~(1u << bank)) | (uint32_t)(to.line_log2 != 0) << bank;
}

const char *
sgd_cp_constants(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CONSTANTS p;
   struct sgd_bank bank = { .ptr = NULL };
   const char *error = SGPU_CONSTANTS_unpack(in, &p);
   if (error)
      return error;
   if (p.size && !(bank.ptr = find_memory(cp, p.address, p.size)))
      return "CONSTANTS: not in a buffer of the submission";
   if (p.address & 3)
      return "CONSTANTS: Address is not a multiple of 4";
   bank.size = p.size;
   bind(cp, p.stage, p.bank, bank);
   return NULL;
}

/* Opens a context without a version, in which all lines are contiguous in memory. The first version
 * is created when a line changes.
 */
static const char *
open_context(struct sgd_cp *cp, struct sgd_const_context *x, const struct SGPU_CONSTANT_VERSION *p)
{
   if (!p->size)
      return "CONSTANT VERSION: Size of a new context is 0";
   if (p->address & 3)
      return "CONSTANT VERSION: Address is not a multiple of 4";
   const uint8_t *memory = find_memory(cp, p->address, p->size);
   if (!memory)
      return "CONSTANT VERSION: not in a buffer of the submission";
   sgd_const_version_unref(x->version);
   *x = (struct sgd_const_context){
      .base = memory,
      .size = p->size,
      .line_log2 = p->fine ? SGD_CONST_FINE_LOG2 : SGD_CONST_LINE_LOG2,
   };
   return NULL;
}

/* Makes sure that only the context refers to its latest version, so that lines can be changed. If
 * there are other references, creates a new version with the same lines. Returns false if out of
 * memory.
 */
static bool
begin_version(struct sgd_const_context *x, unsigned context)
{
   const uint32_t num = ((x->size - 1) >> x->line_log2) + 1;

   if (x->version && __atomic_load_n(&x->version->refs, __ATOMIC_ACQUIRE) == 1)
      return true;
   struct sgd_const_version *v = malloc(sizeof(*v) + num * sizeof(v->line[0]));
   if (!v)
      return false;
   if (x->version) {
      /* Don't copy the reference count, because other threads may be decrementing it. */
      const size_t behind = offsetof(struct sgd_const_version, context);
      memcpy((uint8_t *)v + behind, (const uint8_t *)x->version + behind,
             sizeof(*v) + num * sizeof(v->line[0]) - behind);
      v->refs = 1;
      v->number++;
   } else {
      *v = (struct sgd_const_version){
         .refs = 1,
         .context = context,
         .number = 1,
         .num_lines = num,
         .line_log2 = x->line_log2,
         .base = x->base,
      };
      for (uint32_t i = 0; i < num; i++)
         v->line[i] = x->base + ((size_t)i << x->line_log2);
   }
   sgd_const_version_unref(x->version);
   x->version = v;
   return true;
}

static void
add_span(struct sgd_const_version *v, const struct sgpu_bo *bo, const uint8_t *first,
         const uint8_t *last)
{
   unsigned i = 0;

   while (i < v->num_spans && v->span[i].bo != bo)
      i++;
   if (i == SGD_CONST_SPANS) {
      v->scattered = true;
   } else if (i == v->num_spans) {
      v->span[i].bo = bo;
      v->span[i].first = first;
      v->span[i].last = last;
      v->num_spans++;
   } else {
      v->span[i].first = MIN2(first, v->span[i].first);
      v->span[i].last = MAX2(last, v->span[i].last);
   }
}

static const char *
change(struct sgd_cp *cp, struct sgd_const_context *x, const struct SGPU_CONSTANT_RUN *run)
{
   const uint32_t first = run->first << x->line_log2, size = run->lines << x->line_log2;

   if (!run->lines || run->first + run->lines > x->version->num_lines)
      return "CONSTANT VERSION: a run is not in its context";
   if (run->address & 3)
      return "CONSTANT VERSION: Address of a run is not a multiple of 4";
   const uint8_t *memory = find_memory(cp, run->address, MIN2(size, x->size - first));
   if (!memory)
      return "CONSTANT VERSION: a run is not in a buffer of the submission";
   add_span(x->version, sgd_bo_list_find(&cp->sub->bos, run->address, 1), memory,
            memory + MIN2(size, x->size - first));
   for (uint32_t i = 0; i < run->lines; i++)
      x->version->line[run->first + i] = memory + ((size_t)i << x->line_log2);
   return NULL;
}

const char *
sgd_cp_constant_version(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CONSTANT_VERSION p;
   const unsigned num = SGPU_CONSTANT_VERSION_count(in);
   const char *error = SGPU_CONSTANT_VERSION_unpack(in, &p);
   if (error)
      return error;
   struct sgd_const_context *x = &cp->contexts[p.context];

   if (p.open && (error = open_context(cp, x, &p)))
      return error;
   if (!p.open && (p.size || p.address || p.fine))
      return "CONSTANT VERSION: Size, Address or Fine of a context that is not new";
   if (!x->size)
      return "CONSTANT VERSION: no such context";
   cp->num_contexts = MAX2(cp->num_contexts, p.context + 1u);
   /* Unbind the previous version first. If no draw uses it, the context then has the only
    * reference, and begin_version() can modify the version instead of copying it.
    */
   bind(cp, p.stage, p.bank, (struct sgd_bank){ .ptr = NULL });
   if (num && !begin_version(x, p.context))
      return "out of memory";
   for (unsigned i = 0; i < num; i++) {
      struct SGPU_CONSTANT_RUN run;
      error = SGPU_CONSTANT_RUN_unpack(SGPU_CONSTANT_VERSION_tail(in, i), &run);
      if (!error)
         error = change(cp, x, &run);
      if (error)
         return error;
   }
   struct sgd_bank bank = { .ptr = x->base, .size = x->size };
   if (x->version) {
      sgd_ref(&x->version->refs);
      bank.version = x->version;
      bank.line_log2 = x->line_log2;
   }
   bind(cp, p.stage, p.bank, bank);
   return NULL;
}

void
sgd_cp_contexts_reset(struct sgd_cp *cp)
{
   for (unsigned i = 0; i < cp->num_contexts; i++)
      sgd_const_version_unref(cp->contexts[i].version);
   memset(cp->contexts, 0, cp->num_contexts * sizeof(cp->contexts[0]));
   cp->num_contexts = 0;
}
