/* SPDX-License-Identifier: MIT */
/*
 * Translator: hosts that it has no code for.
 */
#include "sgd_translate.h"

#include <stddef.h>

bool
sgd_can_translate(void)
{
   return false;
}

struct sgd_translation *
sgd_translate(struct sgd_interp *interp, uint32_t num_instrs)
{
   (void)interp;
   (void)num_instrs;
   return NULL;
}

void
sgd_translation_destroy(struct sgd_translation *t)
{
   (void)t;
}
