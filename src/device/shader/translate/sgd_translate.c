/* SPDX-License-Identifier: MIT */
/*
 * Translator: translates the regions of a program, and copies their code to executable memory.
 */
#include "shader/translate/sgd_translate.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "shader/program/sgd_decode.h"
#include "shader/translate/sgd_emit.h"
#include "shader/translate/sgd_emit_program.h"
#include "shader/translate/sgd_exec_memory.h"
#include "shader/translate/sgd_regions.h"
#include "shader/program/sgd_translation.h"

struct translator {
   struct sgd_regions regions;
   struct sgd_x86 x;
   bool divergent; /* set if some lanes can be waiting while others execute */
};

/* Returns true if lanes that still need their registers can be inactive at some instruction. */
static bool
diverges(const struct sgd_decoded *decoded, uint32_t num_instrs)
{
   for (uint32_t n = 0; n < num_instrs; n++) {
      const struct sgpu_instr *instr = &decoded->instr[n];
      if (!(sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_ENDS))
         continue;
      if (instr->guard.en || (instr->opcode != SGPU_OP_BRA && instr->opcode != SGPU_OP_EXIT))
         return true;
   }
   return false;
}

/* Finds all regions of the program and emits their code to t->x. Returns false if an allocation
 * fails.
 */
static bool
make_regions(struct translator *t, struct sgd_region *regions, uint32_t *num)
{
   *num = 0;
   for (uint32_t n = 0; n < t->regions.num_instrs;) {
      struct sgd_region *r = &regions[*num];
      *r = sgd_regions_gather(&t->regions, n);
      if (!r->length) {
         n++;
         continue;
      }
      r->full = t->x.size;
      unsigned pinned = SGD_EMIT_ANY;
      if (!sgd_emit(&t->x, &t->regions.ir, false, &pinned))
         return false;
      r->masked = t->x.size;
      if (t->divergent && !sgd_emit(&t->x, &t->regions.ir, true, &pinned))
         return false;
      bool invert;
      if (t->divergent && sgd_regions_loop(&t->regions, r, &invert)) {
         r->loop = t->x.size;
         if (!sgd_emit_loop(&t->x, &t->regions.ir, invert))
            return false;
      }
      sgd_x86_place_consts(&t->x, t->regions.ir.consts, t->regions.ir.num_consts);
      ++*num;
      n += r->span;
   }
   return !t->x.out_of_memory;
}

static _Atomic bool keeps_places;

void
sgd_keep_places(void)
{
   atomic_store_explicit(&keeps_places, true, memory_order_relaxed);
}

bool
sgd_can_translate(void)
{
   if (!__builtin_cpu_supports("avx2"))
      return false;
   /* Allocate a block of executable memory to see if the system allows it. */
   static const uint8_t ret = 0xc3;
   struct sgd_exec_block *block;
   const bool allowed = sgd_exec_add(&ret, sizeof(ret), &block) != NULL;
   if (allowed)
      sgd_exec_remove(block);
   return allowed;
}

static void
destroy(struct sgd_translation *t)
{
   if (t->code)
      sgd_exec_remove(t->block);
   free(t->regions);
   free(t->places);
   free(t->entries);
   if (t->with_lookups)
      destroy(t->with_lookups);
   free(t);
}

/* Returns true if a region has lookups. */
static bool
have_lookups(const struct sgd_region *regions, uint32_t num)
{
   uint32_t textures = 0;
   for (uint32_t i = 0; i < num; i++)
      textures |= regions[i].textures;
   return textures;
}

/* Returns NULL if the program has neither regions nor lookups that could be one, if it has none of the
 * lookups that are wanted, or if an allocation fails.
 */
static struct sgd_translation *
make_translation(const struct sgd_shader *shader, bool avx512,
                 const struct sgd_lookup_forms *lookups)
{
   struct sgd_decoded *decoded = (struct sgd_decoded *)shader->code;
   const uint32_t num_instrs = shader->num_instrs;
   struct sgd_translation *made = calloc(1, sizeof(*made));
   struct sgd_region *regions = calloc(num_instrs + 1, sizeof(*regions));
   /* Use malloc() rather than calloc(), since most of this large struct is never accessed. */
   struct translator *t = made && regions ? malloc(sizeof(*t)) : NULL;
   bool ok = t;
   uint32_t num = 0;
   size_t place = 0;
   if (ok) {
      sgd_x86_init(&t->x);
      t->x.avx512 = avx512;
      t->x.wants_places = atomic_load_explicit(&keeps_places, memory_order_relaxed);
      t->divergent = diverges(decoded, num_instrs);
      ok = sgd_regions_init(&t->regions, shader);
      t->regions.avx512 = avx512;
      if (lookups)
         t->regions.lookups = *lookups;
      ok = ok && make_regions(t, regions, &num) &&
           (lookups ? have_lookups(regions, num) : num || decoded->num_lookups);
   }
   if (ok) {
      made->num_regions = num;
      made->whole = !regions[0].first && !regions[0].jump && !regions[0].operands &&
                    regions[0].length == num_instrs;
   }
   if (ok && !made->whole) {
      made->entries = calloc(num_instrs + 1, sizeof(*made->entries));
      ok = made->entries &&
           sgd_emit_program(&t->x, shader, regions, num, t->regions.target, t->regions.points,
                            t->divergent, made->entries, &place);
   }
   if (ok) {
      made->avx512 = avx512;
      if (lookups)
         made->lookups = *lookups;
      for (unsigned n = 0; n < SGD_MAX_LOOKUPS; n++)
         made->num_lookups += made->lookups.form[n] != 0;
      made->size = t->x.size;
      made->code = sgd_exec_add(t->x.code, t->x.size, &made->block);
      made->regions = calloc(num + 1, sizeof(*made->regions));
      ok = made->code && made->regions;
   }
   for (uint32_t i = 0; ok && i < num; i++) {
      const struct sgd_region *r = &regions[i];
      const uint8_t *code = made->code;
      made->regions[i] = (struct sgd_native){
         .full = (sgd_native_fn *)(code + r->full),
         .masked = t->divergent ? (sgd_native_fn *)(code + r->masked) : NULL,
         .length = r->length,
         .span = r->span,
         .next = r->next,
         .jump = r->jump,
         .quad = r->quad,
         .operands = r->operands,
         .loop = r->loop,
         .uniform = r->uniform,
         .textures = (uint16_t)r->textures,
      };
      made->quad |= r->quad;
      if (!lookups)
         decoded->ins[r->first].native = i + 1;
   }
   if (ok && !made->whole)
      made->program = (sgd_program_fn *)((const uint8_t *)made->code + place);
   if (t) {
      made->places = t->x.places;
      made->num_places = t->x.num_places;
      t->x.places = NULL;
      sgd_x86_finish(&t->x);
      sgd_regions_finish(&t->regions);
   }
   free(t);
   free(regions);
   if (!ok) {
      if (made)
         destroy(made);
      return NULL;
   }
   made->destroy = destroy;
   return made;
}

bool
sgd_translate(struct sgd_shader *shader, sgd_execute_fn *execute, bool avx512)
{
   struct sgd_decoded *decoded = (struct sgd_decoded *)shader->code;

   /* The child of a fork can have the translation already. */
   if (!decoded->translation)
      decoded->translation = make_translation(shader, avx512, NULL);
   if (!decoded->translation)
      return false;
   __atomic_store_n(&shader->code->execute, execute, __ATOMIC_RELEASE);
   return true;
}

bool
sgd_translate_lookups(struct sgd_shader *shader, const struct sgd_lookup_forms *lookups,
                      bool avx512)
{
   struct sgd_translation *t = ((struct sgd_decoded *)shader->code)->translation;
   for (const struct sgd_translation *other = t->with_lookups; other; other = other->with_lookups)
      if (!memcmp(&other->lookups, lookups, sizeof(*lookups)))
         return false;
   struct sgd_translation *made = make_translation(shader, avx512, lookups);
   if (!made)
      return false;
   made->with_lookups = t->with_lookups;
   __atomic_store_n(&t->with_lookups, made, __ATOMIC_RELEASE);
   return true;
}
