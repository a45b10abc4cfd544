/* SPDX-License-Identifier: MIT */
/*
 * NIR passes that lower accesses to storage buffers, shared memory and images to what the hardware
 * supports:
 *
 *  - The hardware loads and stores 32-bit words. A 64-bit value is two words.
 *  - A cube array is a 2D array of faces, so its number of cubes is the number of layers / 6.
 *  - Compare-and-swap compares integers. With a float comparison, it is lowered to a loop.
 *  - Invocation n of a workgroup is lane n % 32 of warp n / 32.
 */

#include "compiler/nir/nir_builder.h"
#include "ir/sgc_ir.h"

/* Maximum number of 32-bit words in a single load or store. */
#define MAX_WORDS 4

static nir_intrinsic_instr *
copy_without_value(nir_builder *b, const nir_intrinsic_instr *intr)
{
   return nir_instr_as_intrinsic(nir_instr_clone(b->shader, &intr->instr));
}

/* Returns a copy of `intr` that only accesses `words` 32-bit words, starting at word `word`. */
static nir_intrinsic_instr *
part_of(nir_builder *b, const nir_intrinsic_instr *intr, unsigned word, unsigned words)
{
   nir_intrinsic_instr *part = copy_without_value(b, intr);
   nir_src *offset = nir_get_io_offset_src(part);

   *offset = nir_src_for_ssa(nir_iadd_imm(b, offset->ssa, 4 * word));
   part->num_components = words;
   const unsigned mul = nir_intrinsic_align_mul(intr);
   nir_intrinsic_set_align_offset(part, (nir_intrinsic_align_offset(intr) + 4 * word) % mul);
   return part;
}

static void
split_load(nir_builder *b, nir_intrinsic_instr *load)
{
   const unsigned n = load->num_components;
   nir_ssa_def *words[2 * NIR_MAX_VEC_COMPONENTS], *value[NIR_MAX_VEC_COMPONENTS];

   for (unsigned word = 0; word < 2 * n; word += MAX_WORDS) {
      const unsigned count = MIN2(2 * n - word, MAX_WORDS);
      nir_intrinsic_instr *part = part_of(b, load, word, count);

      nir_ssa_dest_init(&part->instr, &part->dest, count, 32, NULL);
      nir_builder_instr_insert(b, &part->instr);
      for (unsigned i = 0; i < count; i++)
         words[word + i] = nir_channel(b, &part->dest.ssa, i);
   }
   for (unsigned i = 0; i < n; i++)
      value[i] = nir_pack_64_2x32_split(b, words[2 * i], words[2 * i + 1]);
   nir_ssa_def_rewrite_uses(&load->dest.ssa, nir_vec(b, value, n));
   nir_instr_remove(&load->instr);
}

static void
split_store(nir_builder *b, nir_intrinsic_instr *store)
{
   const unsigned mask = nir_intrinsic_write_mask(store);
   const unsigned n = store->num_components;
   nir_ssa_def *words[2 * NIR_MAX_VEC_COMPONENTS];

   for (unsigned i = 0; i < n; i++) {
      nir_ssa_def *value = nir_channel(b, store->src[0].ssa, i);
      words[2 * i] = nir_unpack_64_2x32_split_x(b, value);
      words[2 * i + 1] = nir_unpack_64_2x32_split_y(b, value);
   }
   for (unsigned word = 0; word < 2 * n; word += MAX_WORDS) {
      const unsigned count = MIN2(2 * n - word, MAX_WORDS);
      unsigned part_mask = 0;

      for (unsigned i = 0; i < count; i++)
         part_mask |= (mask >> (word + i) / 2 & 1) << i;
      if (!part_mask)
         continue;
      nir_intrinsic_instr *part = part_of(b, store, word, count);
      part->src[0] = nir_src_for_ssa(nir_vec(b, &words[word], count));
      nir_intrinsic_set_write_mask(part, part_mask);
      nir_builder_instr_insert(b, &part->instr);
   }
   nir_instr_remove(&store->instr);
}

/* Fixes a size query for a cube array image, since the number of cubes is the number of layers
 * divided by 6.
 */
static bool
lower_cubes(nir_builder *b, nir_intrinsic_instr *size)
{
   nir_ssa_def *def = &size->dest.ssa;

   if (nir_intrinsic_image_dim(size) != GLSL_SAMPLER_DIM_CUBE || !nir_intrinsic_image_array(size) ||
       def->num_components < 3)
      return false;
   b->cursor = nir_after_instr(&size->instr);
   nir_ssa_def *cubes = nir_udiv_imm(b, nir_channel(b, def, 2), 6);
   nir_ssa_def *fixed = nir_vector_insert_imm(b, def, cubes, 2);
   /* The instructions that compute `fixed` from the original size must still read the original
    * size.
    */
   nir_ssa_def_rewrite_uses_after(def, fixed, fixed->parent_instr);
   return true;
}

static bool
lower(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->type != nir_instr_type_intrinsic)
      return false;
   nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);

   b->cursor = nir_before_instr(instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_load_ssbo:
   case nir_intrinsic_load_shared:
      if (intr->dest.ssa.bit_size != 64)
         return false;
      split_load(b, intr);
      return true;
   case nir_intrinsic_store_ssbo:
   case nir_intrinsic_store_shared:
      if (nir_src_bit_size(intr->src[0]) != 64)
         return false;
      split_store(b, intr);
      return true;
   case nir_intrinsic_image_size:
      return lower_cubes(b, intr);
   case nir_intrinsic_load_local_invocation_index: {
      nir_ssa_def *first = nir_ishl_imm(b, nir_load_subgroup_id(b), 5);
      nir_ssa_def_rewrite_uses(&intr->dest.ssa, nir_ior(b, first, nir_load_subgroup_invocation(b)));
      nir_instr_remove(instr);
      return true;
   }
   default:
      return false;
   }
}

bool
sgc_nir_lower_memory(nir_shader *nir)
{
   return nir_shader_instructions_pass(nir, lower,
                                       nir_metadata_block_index | nir_metadata_dominance, NULL);
}

/* Lowers a float compare-and-swap to a loop with a float comparison, so that +0 equals -0 and NaN
 * is never equal. The loop repeats if another invocation writes the word between the load and the
 * swap.
 */
static bool
lower_float_swap(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->type != nir_instr_type_intrinsic)
      return false;
   nir_intrinsic_instr *swap = nir_instr_as_intrinsic(instr);
   const bool shared = swap->intrinsic == nir_intrinsic_shared_atomic_fcomp_swap;
   if (!shared && swap->intrinsic != nir_intrinsic_ssbo_atomic_fcomp_swap)
      return false;

   b->cursor = nir_before_instr(instr);
   nir_ssa_def *block = shared ? NULL : swap->src[0].ssa;
   nir_ssa_def *offset = swap->src[shared ? 0 : 1].ssa;
   nir_ssa_def *compare = swap->src[shared ? 1 : 2].ssa;
   nir_ssa_def *value = swap->src[shared ? 2 : 3].ssa;
   nir_ssa_def *old, *found;

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
      found = nir_shared_atomic_comp_swap(b, 32, offset, old, value,
                                          .base = nir_intrinsic_base(swap));
   else
      found = nir_ssbo_atomic_comp_swap(b, 32, block, offset, old, value);
   nir_push_if(b, nir_ieq(b, found, old));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, NULL);
   nir_pop_loop(b, loop);

   nir_ssa_def_rewrite_uses(&swap->dest.ssa, old);
   nir_instr_remove(instr);
   return true;
}

bool
sgc_nir_lower_float_swaps(nir_shader *nir)
{
   return nir_shader_instructions_pass(nir, lower_float_swap, nir_metadata_none, NULL);
}

/* Accesses can be up to four words wide and only need word alignment. */
static bool
can_join(unsigned align_mul, unsigned align_offset, unsigned bit_size, unsigned num_components,
         nir_intrinsic_instr *low, nir_intrinsic_instr *high, void *data)
{
   return bit_size == 32 && num_components <= MAX_WORDS;
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
