/* SPDX-License-Identifier: MIT */
/*
 * Translator: stubs for unsupported hosts.
 */
#include "shader/translate/sgd_translate.h"

#include <stddef.h>

bool
sgd_can_translate(void)
{
   return false;
}

bool
sgd_translate(struct sgd_shader *shader, sgd_execute_fn *execute, bool avx512)
{
   (void)shader;
   (void)execute;
   (void)avx512;
   return false;
}

bool
sgd_translate_lookups(struct sgd_shader *shader, const struct sgd_lookup_forms *lookups,
                      bool avx512)
{
   (void)shader;
   (void)lookups;
   (void)avx512;
   return false;
}

void
sgd_keep_places(void)
{
}

bool
sgd_exec_before_fork(uint64_t deadline)
{
   (void)deadline;
   return true;
}

void
sgd_exec_after_fork(void)
{
}

void
sgd_exec_after_fork_child(bool locked)
{
}
