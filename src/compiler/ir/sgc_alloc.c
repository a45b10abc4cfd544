/* SPDX-License-Identifier: MIT */
/*
 * Wraps the only allocator call in the compiler. The function is in a separate file so that a test
 * can replace it.
 */

#include "ir/sgc_ir.h"

void *
sgc_try_alloc(void *mem_ctx, void *array, size_t bytes)
{
   return reralloc_size(mem_ctx, array, bytes);
}
