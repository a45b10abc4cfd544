/* SPDX-License-Identifier: MIT */
/*
 * Programs: the decoder, which converts a validated program to the interpreter's representation.
 */
#include <stdlib.h>
#include <string.h>

#include "shader/program/sgd_decoder.h"
#include "shader/program/sgd_translation.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

static const uint16_t ctl_kinds[][2] = {
   { SGPU_OP_NOP, SGD_INS_NOP },    { SGPU_OP_BRA, SGD_INS_BRA },   { SGPU_OP_SSY, SGD_INS_SSY },
   { SGPU_OP_SYNC, SGD_INS_SYNC },  { SGPU_OP_PBK, SGD_INS_PBK },   { SGPU_OP_BRK, SGD_INS_BRK },
   { SGPU_OP_PCNT, SGD_INS_PCNT },  { SGPU_OP_CONT, SGD_INS_CONT }, { SGPU_OP_EXIT, SGD_INS_EXIT },
   { SGPU_OP_KIL, SGD_INS_KIL },    { SGPU_OP_DMT, SGD_INS_DMT },   { SGPU_OP_LDC, SGD_INS_LDC },
   { SGPU_OP_LDL, SGD_INS_LDL },    { SGPU_OP_STL, SGD_INS_STL },   { SGPU_OP_LDV, SGD_INS_LDV },
   { SGPU_OP_EMITV, SGD_INS_EMIT }, { SGPU_OP_CUT, SGD_INS_CUT },   { SGPU_OP_LDO, SGD_INS_LDO },
   { SGPU_OP_LDP, SGD_INS_LDP },    { SGPU_OP_STP, SGD_INS_STP },   { SGPU_OP_BAR, SGD_INS_BAR },
   { SGPU_OP_LDT, SGD_INS_LDT },
};

static enum sgd_ins_kind
ins_kind(const struct sgpu_opcode_info *info, unsigned opcode)
{
   if (info->kind == SGPU_KIND_TEX)
      return SGD_INS_TEX;
   if (info->kind == SGPU_KIND_IPA)
      return SGD_INS_IPA;
   if (info->kind == SGPU_KIND_WARP)
      return opcode == SGPU_OP_CLK ? SGD_INS_CLK : SGD_INS_SUBGROUP;
   if (info->kind == SGPU_KIND_IMG)
      return SGD_INS_IMAGE;
   for (unsigned i = 0; i < sizeof(ctl_kinds) / sizeof(ctl_kinds[0]); i++) {
      if (ctl_kinds[i][0] == opcode)
         return ctl_kinds[i][1];
   }
   if (info->kind == SGPU_KIND_MEM)
      return SGD_INS_STORAGE;
   return info->dst_type == SGPU_TYPE_PRED ? SGD_INS_PRED : SGD_INS_ALU;
}

/* Assigns slots in the register file to the constants that are addressed directly. The constants of
 * bank 0 come first.
 */
static void
number_constants(struct sgd_decoder *d)
{
   const struct sgpu_program *program = d->program;
   struct sgd_code *code = d->code;
   bool used[SGPU_CONST_SIZE] = { false };

   for (unsigned n = 0; n < program->num_instrs; n++) {
      for (unsigned s = 0; s < 3; s++) {
         if (sgd_is_direct_const(&d->decoded->instr[n].src[s]))
            used[d->decoded->instr[n].src[s].index] = true;
      }
   }
   for (unsigned c = 0; c < SGPU_CONST_SIZE; c++) {
      if (c == program->literal_base)
         code->num_bank_consts = code->num_consts;
      if (used[c]) {
         code->consts[code->num_consts] = c;
         d->const_slot[c] = ++code->num_consts;
         if (c < program->literal_base)
            code->bank_bytes = (c + 1) * 16;
      }
   }
   if (program->literal_base >= SGPU_CONST_SIZE)
      code->num_bank_consts = code->num_consts;
}

/* Swaps operands and changes the condition if that is necessary for a handler to exist. The result
 * of the instruction doesn't change.
 */
static void
canonicalize_instr(struct sgpu_instr *instr, const struct sgpu_opcode_info *info)
{
   bool swap = false;
   if (info->mod == SGPU_MOD_COND) {
      switch (instr->cond) {
      case SGPU_COND_GT:
         instr->cond = SGPU_COND_LT;
         swap = true;
         break;
      case SGPU_COND_GE:
         instr->cond = SGPU_COND_LE;
         swap = true;
         break;
      default:
         break;
      }
   } else if (sgd_op_commutes(instr->opcode)) {
      swap = sgd_is_direct_const(&instr->src[0]) && !sgd_is_direct_const(&instr->src[1]);
   }
   if (swap) {
      const struct sgpu_src src = instr->src[0];
      instr->src[0] = instr->src[1];
      instr->src[1] = src;
   }
}

static const struct sgd_variant *
pick_variant(const struct sgpu_instr *instr, unsigned consts, bool mods)
{
   const struct sgd_variant *best = NULL;
   int best_score = -1;
   for (unsigned i = 0; i < sgd_num_variants; i++) {
      const struct sgd_variant *v = &sgd_variants[i];
      if (v->opcode != instr->opcode || v->zmul != instr->zmul || v->cond != instr->cond ||
          (v->consts & ~consts) || (v->sat && !instr->sat))
         continue;
      /* Handlers that apply modifiers can execute any instruction, but are slower. */
      const int score = 2 * __builtin_popcount(v->consts) + (mods ? 8 * v->mods : !v->mods) +
                        4 * v->sat;
      if (score > best_score) {
         best = v;
         best_score = score;
      }
   }
   return best;
}

/* Returns true if a source of component n is at offset d. Never called with the component's own
 * destination, since a component may overwrite its own sources.
 */
static bool
comp_reads(const struct sgpu_opcode_info *info, const struct sgd_ins *ins, unsigned n, uint32_t d)
{
   switch (info->kind) {
   case SGPU_KIND_COMP:
   case SGPU_KIND_QUAD:
      return ins->comp[n].a == d || (info->num_srcs > 1 && ins->comp[n].b == d) ||
             (info->num_srcs > 2 && ins->comp[n].c == d);
   case SGPU_KIND_SCALV:
      return info->reads[0][ins->dcomp[n]] && ins->comp[0].a == d;
   case SGPU_KIND_VEC:
   case SGPU_KIND_PAIR:
      for (unsigned p = 0; p < 4; p++) {
         if ((info->reads[0][ins->dcomp[n]] & (1 << p)) && ins->comp[p].a == d)
            return true;
         if (info->num_srcs > 1 && (info->reads[1][ins->dcomp[n]] & (1 << p)) &&
             ins->comp[p].b == d)
            return true;
         if (info->num_srcs > 2 && (info->reads[2][ins->dcomp[n]] & (1 << p)) &&
             ins->comp[p].c == d)
            return true;
      }
      return false;
   default:
      return false; /* the handler reads all sources before it writes the first component */
   }
}

static void
swap_comps(const struct sgpu_opcode_info *info, struct sgd_ins *ins, unsigned i, unsigned j)
{
   const struct sgd_comp t = ins->comp[i];
   const uint8_t c = ins->dcomp[i];
   if (info->kind == SGPU_KIND_COMP || info->kind == SGPU_KIND_QUAD) {
      ins->comp[i] = ins->comp[j];
      ins->comp[j] = t;
   } else {
      /* a and b are indexed by source position, so swap only the results. */
      ins->comp[i].d = ins->comp[j].d;
      ins->comp[j].d = t.d;
   }
   ins->dcomp[i] = ins->dcomp[j];
   ins->dcomp[j] = c;
}

/* Checks an operation on pairs of components, i.e. 64-bit values. Sets HAZARD if the second value
 * reads a component that the first value overwrites. The order of the values is fixed.
 */
static void
check_pairs(const struct sgpu_opcode_info *info, struct sgd_ins *ins)
{
   if (ins->num_comps == 4 &&
       (comp_reads(info, ins, 2, ins->comp[0].d) || comp_reads(info, ins, 2, ins->comp[1].d)))
      ins->flags |= SGD_INS_HAZARD;
}

/* Reorders the components so that no source is overwritten before it is read. Sets HAZARD if there
 * is no such order.
 */
static void
order_comps(const struct sgpu_opcode_info *info, struct sgd_ins *ins)
{
   const unsigned count = ins->num_comps;
   if (sgpu_type_is_wide(info->dst_type)) {
      check_pairs(info, ins);
      return;
   }
   for (unsigned n = 0; n + 1 < count; n++) {
      unsigned pick;
      for (pick = n; pick < count; pick++) {
         bool free = true;
         for (unsigned k = n; k < count; k++)
            free &= k == pick || !comp_reads(info, ins, k, ins->comp[pick].d);
         if (free)
            break;
      }
      if (pick == count) {
         ins->flags |= SGD_INS_HAZARD;
         return;
      }
      if (pick != n)
         swap_comps(info, ins, n, pick);
   }
}

static void
decode_alu(struct sgd_decoder *d, struct sgpu_instr *instr, struct sgd_ins *ins)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   canonicalize_instr(instr, info);
   sgd_set_destination(d, instr, ins);

   unsigned consts = 0;
   bool mods = false;
   for (unsigned s = 0; s < info->num_srcs; s++) {
      consts |= sgd_is_direct_const(&instr->src[s]) ? 1 << s : 0;
      mods |= sgd_has_mods(&instr->src[s]);
   }
   const struct sgd_variant *v = pick_variant(instr, consts, mods);
   ins->handler = v->handler;

   for (unsigned s = 0; s < info->num_srcs; s++) {
      const struct sgpu_src *src = &instr->src[s];
      const bool direct = (!sgd_has_mods(src) || v->mods) &&
                          (sgd_is_direct_const(src) ? v->consts & (1 << s) : sgd_is_register(src));
      ins->and_mask[s] = direct && src->abs ? 0x7fffffffu : ~0u;
      ins->xor_mask[s] = direct && src->neg ? 0x80000000u : 0u;

      const unsigned positions = sgpu_src_read_positions(info, instr, s);
      for (unsigned n = 0; n < 4; n++) {
         unsigned position = n;
         if (info->kind == SGPU_KIND_COMP || info->kind == SGPU_KIND_QUAD) {
            if (n >= ins->num_comps)
               break;
            position = ins->dcomp[n];
         } else if (!(positions & (1 << n))) {
            continue;
         }
         const uint32_t offset = sgd_decode_operand(d, instr, ins, s, position, direct);
         if (s == 0)
            ins->comp[n].a = offset;
         else if (s == 1)
            ins->comp[n].b = offset;
         else
            ins->comp[n].c = offset;
      }
   }

   if (instr->sat && !v->sat)
      ins->flags |= SGD_INS_SAT;
   if (info->flags & SGPU_OPF_QUAD) {
      ins->flags |= SGD_INS_QUAD;
      sgd_operand_slot(d, 0, 0); /* slot for a copy of the source in which absent lanes are zero */
   }
   if (ins->kind == SGD_INS_ALU)
      order_comps(info, ins);
}

static void
decode_instr(struct sgd_decoder *d, unsigned n)
{
   struct sgpu_instr *instr = &d->decoded->instr[n];
   struct sgd_ins *ins = &d->decoded->ins[n];
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);

   ins->kind = ins_kind(info, instr->opcode);
   if (instr->guard.en) {
      ins->flags = SGD_INS_GUARD | (instr->guard.not ? SGD_INS_GUARD_NOT : 0);
      ins->guard = 4 * instr->guard.reg + instr->guard.comp;
   }
   switch ((enum sgd_ins_kind)ins->kind) {
   case SGD_INS_ALU:
   case SGD_INS_PRED:
      decode_alu(d, instr, ins);
      break;
   case SGD_INS_TEX:
      sgd_decode_texture(d, instr, ins);
      break;
   case SGD_INS_LDC:
   case SGD_INS_LDL:
   case SGD_INS_STL:
   case SGD_INS_LDV:
   case SGD_INS_LDO:
   case SGD_INS_LDP:
   case SGD_INS_STP:
   case SGD_INS_LDT:
      sgd_decode_memory(d, instr, ins);
      break;
   case SGD_INS_IPA:
      sgd_decode_interpolation(d, instr, ins);
      break;
   case SGD_INS_SUBGROUP:
   case SGD_INS_CLK:
      sgd_decode_subgroup(d, instr, ins);
      break;
   case SGD_INS_STORAGE:
      sgd_decode_storage(d, instr, ins);
      break;
   case SGD_INS_IMAGE:
      sgd_decode_image(d, instr, ins);
      break;
   case SGD_INS_EMIT:
   case SGD_INS_CUT:
      ins->target = instr->unit;
      break;
   default:
      ins->target = instr->target;
      break;
   }
}

/* Finds runs of consecutive instructions for which it is sufficient to call their handlers. */
static void
find_runs(struct sgd_decoded *decoded, unsigned count)
{
   unsigned run = 0;
   for (unsigned n = count; n-- > 0;) {
      struct sgd_ins *ins = &decoded->ins[n];
      const bool plain = (ins->kind == SGD_INS_ALU || ins->kind == SGD_INS_PRED) &&
                         !(ins->flags & ~SGD_INS_QUAD);
      run = plain && run < UINT16_MAX ? run + 1 : plain ? run : 0;
      /* Operations over quads end a run, because they need special handling for absent lanes. */
      if (ins->flags & SGD_INS_QUAD)
         run = 0;
      ins->run = run;
   }
}

/* Returns true if the operation fetches texels of level 0. */
static bool
fetches_base_level(const struct sgpu_program *program, const struct sgpu_instr *instr)
{
   const struct sgpu_src *level = &instr->src[1];
   const uint32_t literal = (uint32_t)level->index - program->literal_base;

   return sgd_is_direct_const(level) && (uint32_t)level->index >= program->literal_base &&
          literal < program->num_literals &&
          !program->literals[literal][sgpu_swizzle_get(level->swizzle, 0)] && !sgd_has_mods(level);
}

/* Returns true if lookups can execute the operation, and sets *kind. */
static bool
is_lookup(const struct sgpu_program *program, const struct sgpu_instr *instr,
          enum sgd_lookup_kind *kind)
{
   if (sgpu_opcode_info(instr->opcode)->kind != SGPU_KIND_TEX ||
       instr->tex_target != SGPU_TEX_TARGET_2D || instr->urel || instr->unit >= SGD_MAX_TEXTURES ||
       instr->sampler >= SGD_MAX_SAMPLERS || instr->guard.en || instr->dst.rel || instr->shadow ||
       instr->oreg)
      return false;
   switch (instr->opcode) {
   case SGPU_OP_TEX:
   case SGPU_OP_TXB:
   case SGPU_OP_TXL:
   case SGPU_OP_TXD:
      *kind = SGD_LOOKUP_FILTER;
      return !instr->off[0] && !instr->off[1];
   case SGPU_OP_TXF:
      *kind = SGD_LOOKUP_FETCH;
      return fetches_base_level(program, instr);
   case SGPU_OP_TG4:
      *kind = SGD_LOOKUP_GATHER;
      return true;
   default:
      return false;
   }
}

unsigned
sgd_decode_lookup(struct sgd_decoder *d, const struct sgpu_instr *instr, bool add)
{
   struct sgd_decoded *decoded = d->decoded;
   enum sgd_lookup_kind kind;
   unsigned n = 0;

   if (!is_lookup(d->program, instr, &kind))
      return SGD_NO_LOOKUP;
   const struct sgd_lookup_use use = {
      .unit = (uint8_t)instr->unit,
      .sampler = kind == SGD_LOOKUP_FETCH ? 0 : (uint8_t)instr->sampler,
      .kind = (uint8_t)kind,
   };
   while (n < decoded->num_lookups && memcmp(&decoded->lookup[n], &use, sizeof(use)))
      n++;
   if (n == decoded->num_lookups && add && n < SGD_MAX_LOOKUPS)
      decoded->lookup[decoded->num_lookups++] = use;
   return n < decoded->num_lookups ? n : SGD_NO_LOOKUP;
}

/* Finds the lookups that can have machine code. */
static void
number_lookups(struct sgd_decoder *d)
{
   for (unsigned n = 0; n < d->program->num_instrs; n++)
      sgd_decode_lookup(d, &d->decoded->instr[n], true);
}

/* Computes the layout of the register file, except for the number of operand slots at its end. In
 * pixel programs, setup can write any input that VARYINGS names, and the ROP can read any colour.
 * These registers exist even if the program doesn't use them.
 */
static void
lay_out(struct sgd_decoder *d)
{
   const struct sgpu_program *program = d->program;
   struct sgd_file_layout *layout = &d->code->layout;
   const uint32_t vec = sizeof(struct sgd_vec);
   const bool pixel = program->stage == SGPU_STAGE_PIXEL;
   uint32_t at = SGD_FILE_PRED_SIZE;

   layout->base[SGPU_FILE_PRED] = SGD_FILE_PRED;

   layout->num_in = pixel ? SGPU_INPUT_SIZE : util_last_bit(program->info.inputs_read);
   layout->num_out = util_last_bit64(program->info.outputs_written);
   if (pixel)
      layout->num_out = MAX2(layout->num_out, SGPU_PO_COLR7 + 1);
   layout->num_sys = util_last_bit(program->info.sysvals_read);

   layout->base[SGPU_FILE_CONST] = at;
   at += ALIGN_POT(16 * d->code->num_consts, 64);
   layout->lookup = at;
   at += d->decoded->num_lookups * (uint32_t)sizeof(struct sgd_lookup);
   layout->base[SGPU_FILE_ADDR] = at;
   at += vec;
   layout->base[SGPU_FILE_INPUT] = at;
   at += layout->num_in * vec;
   layout->base[SGPU_FILE_TEMP] = at;
   at += program->num_temps * vec;
   layout->base[SGPU_FILE_OUTPUT] = at;
   at += layout->num_out * vec;
   layout->base[SGPU_FILE_SYS] = at;
   at += layout->num_sys * vec;
   layout->operand = at;
}

static void
destroy(struct sgd_code *code)
{
   struct sgd_decoded *decoded = (struct sgd_decoded *)code;

   if (decoded->translation)
      decoded->translation->destroy(decoded->translation);
   for (unsigned n = 0; decoded->heat && n < SGD_HEAT_ASKS; n++)
      free(decoded->heat->lookups[n]);
   free(decoded->heat);
   free(decoded->ins);
   free(decoded->instr);
   free(decoded->tex);
   free(code->consts);
   free(code->presets);
   free(decoded);
}

struct sgd_code *
sgd_decode(const struct sgpu_program *program, sgd_execute_fn *interpret)
{
   const unsigned count = program->num_instrs;
   struct sgd_decoded *decoded = calloc(1, sizeof(*decoded));
   if (!decoded)
      return NULL;
   struct sgd_code *code = &decoded->code;
   code->execute = interpret;
   code->destroy = destroy;
   decoded->ins = calloc(count + 1, sizeof(*decoded->ins));
   decoded->instr = calloc(count + 1, sizeof(*decoded->instr));
   decoded->tex = calloc(count + 1, sizeof(*decoded->tex));
   code->consts = calloc(SGPU_CONST_SIZE, sizeof(*code->consts));
   if (!decoded->ins || !decoded->instr || !decoded->tex || !code->consts) {
      destroy(code);
      return NULL;
   }

   struct sgd_decoder d = { .program = program, .decoded = decoded, .code = code };
   for (unsigned n = 0; n < count; n++)
      sgpu_instr_unpack(program->instrs[n], &decoded->instr[n]);
   number_constants(&d);
   number_lookups(&d);
   lay_out(&d);
   if (!sgd_find_presets(program, decoded)) {
      destroy(code);
      return NULL;
   }
   for (unsigned n = 0; n < count; n++)
      decode_instr(&d, n);
   code->layout.size = code->layout.operand + d.num_operands * (uint32_t)sizeof(struct sgd_vec);
   assert(code->layout.size <= SGD_FILE_SIZE);
   decoded->ins[count].kind = SGD_INS_END;
   find_runs(decoded, count);
   return code;
}
