/* SPDX-License-Identifier: MIT */
/*
 * Functions that create and query the intermediate representation, report errors and allocate
 * memory.
 */

#include <stdarg.h>
#include <stdlib.h>

#include "ir/sgc_ir.h"

void
sgc_error(struct sgc_program *p, const char *reason)
{
   if (!p->error)
      p->error = reason;
}

void
sgc_errorf(struct sgc_program *p, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   const char *reason = ralloc_vasprintf(p, format, args);
   va_end(args);
   sgc_error(p, reason ? reason : SGC_OUT_OF_MEMORY);
}

/*
 * Memory
 */

void
sgc_out_of_memory(struct sgc_program *p)
{
   if (!p->out_of_memory) {
      fprintf(stderr, "sgpu compiler: " SGC_OUT_OF_MEMORY "\n");
      abort();
   }
   longjmp(*p->out_of_memory, 1);
}

void *
sgc_alloc(struct sgc_program *p, void *mem_ctx, size_t size, size_t count)
{
   void *memory = sgc_realloc(p, mem_ctx, NULL, size, count);
   memset(memory, 0, size * count);
   return memory;
}

void *
sgc_realloc(struct sgc_program *p, void *mem_ctx, void *array, size_t size, size_t count)
{
   /* ralloc can return NULL for 0 bytes, which would look like a failure. */
   count = MAX2(count, 1);
   void *memory = count > SIZE_MAX / size ? NULL : sgc_try_alloc(mem_ctx, array, size * count);
   if (!memory)
      sgc_out_of_memory(p);
   return memory;
}

/*
 * Programs, blocks and instructions
 */

struct sgc_program *
sgc_program_create(void *mem_ctx, gl_shader_stage stage)
{
   struct sgc_program *p = rzalloc(mem_ctx, struct sgc_program);
   if (!p)
      return NULL;
   p->stage = stage;
   list_inithead(&p->blocks);
   return p;
}

struct sgc_block *
sgc_block_create(struct sgc_program *p)
{
   struct sgc_block *block = sgc_zalloc(p, p, struct sgc_block);
   list_inithead(&block->instrs);
   util_dynarray_init(&block->preds, block);
   util_dynarray_init(&block->live_in, block);
   util_dynarray_init(&block->live_out, block);
   return block;
}

void
sgc_block_append(struct sgc_program *p, struct sgc_block *block)
{
   block->index = p->num_blocks++;
   list_addtail(&block->link, &p->blocks);
}

void
sgc_add_edge(struct sgc_program *p, struct sgc_block *from, struct sgc_block *to)
{
   if (from->succ[0] == to || from->succ[1] == to)
      return;
   assert(!from->succ[1] && "a block has at most two successors");
   from->succ[from->succ[0] ? 1 : 0] = to;
   sgc_append(p, &to->preds, struct sgc_block *, from);
}

struct sgc_instr *
sgc_instr_create(struct sgc_program *p, enum sgpu_opcode op)
{
   struct sgc_instr *instr = sgc_zalloc(p, p, struct sgc_instr);
   instr->op = op;
   instr->dst = sgc_dst_none();
   for (unsigned s = 0; s < 3; s++)
      instr->src[s] = sgc_none();
   if (sgpu_opcode_info(op)->flags & SGPU_OPF_ZMUL)
      instr->zmul = p->zmul;
   return instr;
}

void
sgc_instr_remove(struct sgc_instr *instr)
{
   list_del(&instr->link);
   ralloc_free(instr);
}

unsigned
sgc_new_array(struct sgc_program *p, unsigned size)
{
   p->arrays = sgc_realloc(p, p, p->arrays, sizeof(*p->arrays), p->num_arrays + 1);
   p->arrays[p->num_arrays] = (struct sgc_array){ .size = size };
   return p->num_arrays++;
}

struct sgpu_instr
sgc_instr_isa(const struct sgc_instr *instr)
{
   struct sgpu_instr isa = sgpu_instr_init(instr->op);

   isa.sat = instr->sat;
   isa.zmul = instr->zmul;
   isa.guard = instr->guard;
   isa.cond = instr->cond;
   isa.urel = instr->urel;
   isa.urelcomp = instr->urelcomp;
   isa.oreg = instr->oreg;
   isa.unit = instr->unit;
   isa.sampler = instr->sampler;
   isa.tex_target = instr->tex_target;
   isa.shadow = instr->shadow;
   isa.gcomp = instr->gcomp;
   for (unsigned i = 0; i < 3; i++)
      isa.off[i] = instr->off[i];
   isa.offset = instr->offset;
   isa.aop = instr->aop;
   isa.reduction = instr->reduction;
   isa.cluster = instr->cluster;

   isa.dst.file = instr->dst.file;
   isa.dst.index = instr->dst.index;
   isa.dst.mask = instr->dst.mask;
   isa.dst.rel = instr->dst.rel;
   isa.dst.relcomp = instr->dst.relcomp;

   for (unsigned s = 0; s < 3; s++) {
      const struct sgc_src *src = &instr->src[s];
      isa.src[s].file = src->file;
      isa.src[s].swizzle = src->swizzle;
      isa.src[s].index = src->index;
      isa.src[s].neg = src->neg;
      isa.src[s].abs = src->abs;
      isa.src[s].rel = src->rel;
      isa.src[s].relcomp = src->relcomp;
   }
   return isa;
}

unsigned
sgc_src_positions(const struct sgc_instr *instr, unsigned s)
{
   const struct sgpu_opcode_info *info = sgc_info(instr);

   if (s >= info->num_srcs || instr->src[s].file == SGPU_FILE_NONE)
      return 0;
   struct sgpu_instr isa = sgc_instr_isa(instr);
   return sgpu_src_read_positions(info, &isa, s);
}

bool
sgc_src_takes_mods(const struct sgc_instr *instr, unsigned s)
{
   struct sgpu_instr isa = sgc_instr_isa(instr);
   return sgpu_src_takes_mods(sgc_info(instr), &isa, s);
}

unsigned
sgc_src_read_mask(const struct sgc_instr *instr, unsigned s)
{
   return sgpu_swizzle_mask(instr->src[s].swizzle, sgc_src_positions(instr, s));
}

bool
sgc_is_componentwise(const struct sgc_instr *instr)
{
   const struct sgpu_opcode_info *info = sgc_info(instr);
   return info->kind == SGPU_KIND_COMP || info->kind == SGPU_KIND_QUAD ||
          (info->kind == SGPU_KIND_WARP && !sgpu_type_is_wide(info->dst_type) &&
           instr->op != SGPU_OP_CLK);
}

bool
sgc_is_pairwise(const struct sgc_instr *instr)
{
   const struct sgpu_opcode_info *info = sgc_info(instr);
   return info->kind == SGPU_KIND_PAIR ||
          (info->kind == SGPU_KIND_WARP && sgpu_type_is_wide(info->dst_type));
}

bool
sgc_is_replicating(const struct sgc_instr *instr)
{
   const struct sgpu_opcode_info *info = sgc_info(instr);
   return info->kind == SGPU_KIND_SCAL || info->kind == SGPU_KIND_DOT ||
          (info->flags & SGPU_OPF_ATOMIC && !sgpu_type_is_wide(info->dst_type)) ||
          instr->op == SGPU_OP_PK2H || instr->op == SGPU_OP_SZB;
}

bool
sgc_is_one_pair(const struct sgc_instr *instr)
{
   const struct sgpu_opcode_info *info = sgc_info(instr);
   const bool pairs = sgc_is_pairwise(instr) ||
                      (info->flags & SGPU_OPF_ATOMIC && sgpu_type_is_wide(info->dst_type));
   return pairs && (instr->dst.mask == 3 || instr->dst.mask == 12);
}

/* Returns true for pair operations that have a single result, which can be moved. A 64-bit result
 * can be moved to the other pair of components, and a 32-bit result to any component.
 */
static bool
is_one_value(const struct sgc_instr *instr)
{
   return sgc_is_pairwise(instr) &&
          (sgpu_type_is_wide(sgc_info(instr)->dst_type) ? sgc_is_one_pair(instr)
                                                        : util_bitcount(instr->dst.mask) == 1);
}

bool
sgc_can_move_result(const struct sgc_instr *instr)
{
   return sgc_is_componentwise(instr) || sgc_is_replicating(instr) ||
          (is_one_value(instr) && !sgpu_type_is_wide(sgc_info(instr)->dst_type));
}

void
sgc_move_result(struct sgc_instr *instr, const uint8_t map[4])
{
   unsigned mask = 0;
   u_foreach_bit(c, instr->dst.mask)
      mask |= 1u << map[c];

   if (sgc_is_componentwise(instr)) {
      sgc_foreach_src(instr, s) {
         /* Let unread positions of the swizzle repeat a component that is read anyway. */
         unsigned old = instr->src[s].swizzle;
         unsigned swizzle = 0;
         unsigned fill = sgpu_swizzle_get(old, ffs(instr->dst.mask) - 1);
         for (unsigned c = 0; c < 4; c++)
            swizzle |= fill << (2 * c);
         u_foreach_bit(c, instr->dst.mask) {
            swizzle &= ~(3u << (2 * map[c]));
            swizzle |= sgpu_swizzle_get(old, c) << (2 * map[c]);
         }
         if (instr->src[s].file != SGPU_FILE_NONE)
            instr->src[s].swizzle = swizzle;
      }
   } else if (is_one_value(instr) && sgc_is_pairwise(instr)) {
      /* Read the same words in both pairs of positions, so that the result can be written to either
       * pair.
       */
      const unsigned pair = instr->dst.mask & 12 ? 2 : 0;
      sgc_foreach_src(instr, s) {
         const unsigned low = sgpu_swizzle_get(instr->src[s].swizzle, pair);
         const unsigned high = sgpu_type_is_wide(sgc_info(instr)->src_type[s])
                                  ? sgpu_swizzle_get(instr->src[s].swizzle, pair + 1)
                                  : low;
         instr->src[s].swizzle = SGPU_SWIZZLE(low, high, low, high);
      }
   } else {
      assert(sgc_is_replicating(instr) || sgc_is_one_pair(instr));
   }
   instr->dst.mask = mask;
}

bool
sgc_same_operand(const struct sgc_src *a, const struct sgc_src *b)
{
   return a->file == b->file && a->index == b->index && a->rel == b->rel &&
          a->relcomp == b->relcomp && a->array == b->array &&
          (a->file != SGC_FILE_IMM || memcmp(a->imm, b->imm, sizeof(a->imm)) == 0);
}
