/* SPDX-License-Identifier: MIT */
/*
 * Translator: replacement for hosts that it does not support.
 */
#include "sgd_exec_memory.h"
#include "sgd_translate.h"

#include <stddef.h>

bool
sgd_can_translate(void)
{
   return false;
}

struct sgd_translation *
sgd_translate(const struct sgd_shader *shader)
{
   (void)shader;
   return NULL;
}

void
sgd_translation_destroy(struct sgd_translation *t)
{
   (void)t;
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
