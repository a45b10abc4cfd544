/* SPDX-License-Identifier: MIT */
/*
 * The compiler's one call of an allocator, in a file of its own so that a test
 * can replace it.
 */

#include "sgc_ir.h"

void *
sgc_try_alloc(void *mem_ctx, void *array, size_t bytes)
{
   return reralloc_size(mem_ctx, array, bytes);
}
