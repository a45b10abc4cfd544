/* SPDX-License-Identifier: MIT */
/*
 * NIR passes that lower accesses to memory to what the hardware supports:
 *
 *  - The hardware loads and stores 32-bit words. A 64-bit value is two words.
 *  - Compare-and-swap compares integers. With a float comparison, it is lowered to a loop.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

/* Maximum number of 32-bit words in a single load or store. */
#define MAX_WORDS 4

/* Returns the size of the first part of a load or store of `bytes` bytes. */
static nir_mem_access_size_align
part_of(nir_intrinsic_op op, uint8_t bytes, uint8_t bit_size, uint32_t align_mul,
        uint32_t align_offset, bool offset_is_const, enum gl_access_qualifier access,
        const void *data)
{
   return (nir_mem_access_size_align){
      .num_components = MIN2(DIV_ROUND_UP(bytes, 4), MAX_WORDS),
      .bit_size = 32,
      .align = 4,
   };
}

bool
sgc_nir_lower_wide_memory(nir_shader *nir)
{
   const nir_lower_mem_access_bit_sizes_options options = {
      .callback = part_of,
      .modes = nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_shared | nir_var_mem_global |
               nir_var_function_temp,
   };

   return nir_lower_mem_access_bit_sizes(nir, &options);
}

/* Lowers a float compare-and-swap to a loop with a float comparison, so that +0 equals -0 and NaN
 * is never equal. The loop repeats if another invocation writes the word between the load and the
 * swap.
 */
static bool
lower_float_swap(nir_builder *b, nir_intrinsic_instr *swap, void *data)
{
   const bool shared = swap->intrinsic == nir_intrinsic_shared_atomic_swap;
   if ((!shared && swap->intrinsic != nir_intrinsic_ssbo_atomic_swap) ||
       nir_intrinsic_atomic_op(swap) != nir_atomic_op_fcmpxchg)
      return false;

   b->cursor = nir_before_instr(&swap->instr);
   nir_def *block = shared ? NULL : swap->src[0].ssa;
   nir_def *offset = swap->src[shared ? 0 : 1].ssa;
   nir_def *compare = swap->src[shared ? 1 : 2].ssa;
   nir_def *value = swap->src[shared ? 2 : 3].ssa;
   nir_def *old, *found;

   nir_loop *loop = nir_push_loop(b);
   if (shared)
      old = nir_load_shared(b, 1, 32, offset, .align_mul = 4, .base = nir_intrinsic_base(swap));
   else
      old = nir_load_ssbo(b, 1, 32, block, offset, .align_mul = 4,
                          .access = ACCESS_COHERENT | ACCESS_VOLATILE);
   nir_push_if(b, nir_inot(b, nir_feq(b, old, compare)));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, NULL);
   if (shared)
      found = nir_shared_atomic_swap(b, 32, offset, old, value, .base = nir_intrinsic_base(swap),
                                     .atomic_op = nir_atomic_op_cmpxchg);
   else
      found = nir_ssbo_atomic_swap(b, 32, block, offset, old, value,
                                   .atomic_op = nir_atomic_op_cmpxchg);
   nir_push_if(b, nir_ieq(b, found, old));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, NULL);
   nir_pop_loop(b, loop);

   nir_def_replace(&swap->def, old);
   return true;
}

bool
sgc_nir_lower_float_swaps(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, lower_float_swap, nir_metadata_none, NULL);
}

/* Accesses can be up to four words wide and only need word alignment. */
static bool
can_join(unsigned align_mul, unsigned align_offset, unsigned bit_size, unsigned num_components,
         int64_t hole_size, nir_intrinsic_instr *low, nir_intrinsic_instr *high, void *data)
{
   return bit_size == 32 && num_components <= MAX_WORDS && hole_size <= 0;
}

bool
sgc_nir_join_memory(nir_shader *nir)
{
   const nir_load_store_vectorize_options options = {
      .callback = can_join,
      .modes = nir_var_mem_ssbo | nir_var_mem_shared,
   };

   return nir_opt_load_store_vectorize(nir, &options);
}
