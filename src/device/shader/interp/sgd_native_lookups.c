/* SPDX-License-Identifier: MIT */
/*
 * Shader core: selection of the machine code that has the lookups of a draw.
 */
#include "shader/interp/sgd_native.h"

/* Writes the lookups of the program to the register file, and their forms to *forms. Returns the
 * number of those that are possible.
 */
static unsigned
load_lookups(const struct sgd_warp *w, struct sgd_lookup_forms *forms)
{
   const struct sgd_decoded *decoded = sgd_decoded(w);
   struct sgd_lookup *lookup = (struct sgd_lookup *)(w->file + w->code->layout.lookup);
   const struct sgd_env *env = w->env;
   unsigned possible = 0;

   *forms = (struct sgd_lookup_forms){ 0 };
   if (!env->textures || !env->samplers)
      return 0;
   for (unsigned n = 0; n < decoded->num_lookups; n++) {
      const struct sgd_lookup_use *use = &decoded->lookup[n];
      forms->form[n] = sgd_texture_lookup(env->textures[use->unit], &env->samplers[use->sampler],
                                          use->kind, &lookup[n]);
      possible += forms->form[n] != 0;
   }
   return possible;
}

/* Returns true if all lookups of the code have these forms. */
static bool
lookups_fit(const struct sgd_translation *t, const struct sgd_lookup_forms *forms, unsigned num)
{
   uint32_t differ = 0;
   for (unsigned n = 0; n < num; n++)
      differ |= t->lookups.form[n] ? t->lookups.form[n] ^ forms->form[n] : 0;
   return !differ;
}

const struct sgd_translation *
sgd_code_with_lookups(const struct sgd_warp *w, const struct sgd_translation *t)
{
   const struct sgd_decoded *decoded = sgd_decoded(w);
   const struct sgd_translation *best = t;
   struct sgd_lookup_forms forms;

   if (!decoded->num_lookups || w->worker->position.texture)
      return t;
   const unsigned possible = load_lookups(w, &forms);
   if (!possible)
      return t;
   const struct sgd_translation *other = __atomic_load_n(&t->with_lookups, __ATOMIC_ACQUIRE);
   for (; other; other = other->with_lookups)
      if (other->num_lookups > best->num_lookups &&
          lookups_fit(other, &forms, decoded->num_lookups))
         best = other;
   if (best->num_lookups != possible && decoded->heat)
      sgd_heat_ask(decoded->heat, &forms);
   return best;
}
