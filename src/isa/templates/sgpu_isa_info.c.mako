/* SPDX-License-Identifier: MIT */

/*
 * Tables of opcodes, texture targets and names. src/isa/gen_isa.py generates this file.
 */

#include <stddef.h>
#include <string.h>

#include "sgpu_isa.h"

const struct sgpu_opcode_info sgpu_opcode_infos[SGPU_NUM_OPCODES] = {
% for o in ops:
   [SGPU_OP_${o.name}] = {
      .name = "${o.name}",
      .kind = SGPU_KIND_${o.kind},
      .num_srcs = ${len(o.srcs)},
      .dst_type = SGPU_TYPE_${TYPES[o.dst]},
% if o.srcs:
      .src_type = { ${', '.join('SGPU_TYPE_' + TYPES[t] for t in o.srcs)} },
% endif
      .unit = SGPU_UNIT_${o.unit},
      .latency = ${LATENCY[o.unit]},
      .mod = SGPU_MOD_${o.mod.upper()},
      .payload = SGPU_PAYLOAD_${(o.payload or 'none').upper()},
      .flags = ${' | '.join('SGPU_OPF_' + f for f in flags(o)) or 0},
      .src_mods = ${mask_of(o, o.takes_mods)},
      .src_scalar = ${mask_of(o, o.is_scalar)},
% if o.srcs and o.kind != 'TEX':
      .reads = { ${c_reads(o)} },
% endif
      .used = { ${', '.join('0x%08x' % w for w in used_bits(o))} },
   },
% endfor
};

const struct sgpu_tex_target_info sgpu_tex_target_infos[SGPU_NUM_TEX_TARGETS] = {
% for name, coords, offsets, has in isa.TEX_TARGET_ROWS:
   [SGPU_TEX_TARGET_${name}] = {
      .name = "${name}",
      .coords = ${coords},
      .offsets = ${offsets},
      .array = ${c_bool('a' in has)},
      .levels = ${c_bool('l' in has)},
      .samples = ${c_bool('m' in has)},
      .shadow = ${c_bool('s' in has)},
      .filtered = ${c_bool('f' in has)},
   },
% endfor
};

const uint8_t sgpu_sample_positions[2 * SGPU_MAX_SAMPLES - 1][2] = {
% for places in isa.SAMPLE_POSITIONS.values():
   ${' '.join('{ %d, %d },' % p for p in places)}
% endfor
};

const struct sgpu_tex_op_info *
sgpu_tex_op_info(unsigned opcode)
{
   switch (opcode) {
% for name, (targets, shadow, offset, sampler, src0, src1) in isa.TEX_OPS.items():
   case SGPU_OP_${name}: {
      static const struct sgpu_tex_op_info info = {
         .targets = ${'0x%03x' % target_mask(targets)},
         .shadow = ${c_bool(shadow)},
         .offsets = ${c_bool(offset)},
         .sampler = ${c_bool(sampler)},
         .coord = ${c_bool(src0 == 'coord')},
         .level0 = ${c_bool(src0 == 'level')},
         .x1 = ${c_bool(src1 == 'x')},
         .level1 = ${c_bool(src1 == 'level')},
         .grad1 = ${c_bool(src1 == 'grad')},
      };
      return &info;
   }
% endfor
   default:
      return NULL;
   }
}

const struct sgpu_mem_info *
sgpu_mem_info(unsigned opcode)
{
   switch (opcode) {
% for name, limit, what, names in isa.MEM_PLACES:
% for n in names:
   case SGPU_OP_${n}:
% endfor
   {
      static const struct sgpu_mem_info info = {
         .name = "${name}",
         .units = ${mem_limit(limit)},
% if limit:
         .beyond = "${what} beyond ${isa.LIMITS[limit] - 1}",
% endif
      };
      return &info;
   }
% endfor
   default:
      return NULL;
   }
}

const char *const sgpu_atomic_names[SGPU_NUM_ATOMICS] = {
${c_names(name for name, _ in isa.ATOMICS)}
};

const char *const sgpu_cond_names[8] = {
${c_names(isa.CONDS)}
};

const char *const sgpu_reduction_names[SGPU_NUM_REDUCTIONS] = {
${c_names([row[0] for row in isa.REDUCTIONS])}
};

const uint32_t sgpu_reduction_identities[SGPU_NUM_REDUCTIONS] = {
% for name, type, identity, expr in isa.REDUCTIONS:
   ${identity}, /* ${name} */
% endfor
};

const char *const sgpu_sysval_names[SGPU_NUM_SYSVALS] = {
${c_names(sysval_names())}
};

const uint8_t sgpu_sysval_stages[SGPU_NUM_SYSVALS] = {
% for name, stages, type, what in isa.SYSVALS:
   [SGPU_SYS_${name}] = ${' | '.join('1 << %d' % isa.STAGE_LETTERS[s] for s in stages)},
% endfor
};

const char *const sgpu_vs_output_names[SGPU_NUM_VS_OUTPUTS] = {
${c_names(isa.VS_OUTPUTS)}
};

const char *const sgpu_ps_output_names[SGPU_NUM_PS_OUTPUTS] = {
${c_names(isa.PS_OUTPUTS)}
};

const char *const sgpu_patch_output_names[SGPU_NUM_PATCH_NAMES] = {
${c_names(isa.PATCH_OUTPUTS)}
};

const char *const sgpu_vp1_input_names[SGPU_VP1_INPUTS] = {
${c_names(isa.VP1_INPUTS)}
};

const struct sgpu_output_run sgpu_output_runs[SGPU_NUM_OUTPUT_RUNS] = {
% for stage, runs in [(s, isa.VS_OUTPUT_RUNS) for s in 'vteg'] + [('p', isa.PS_OUTPUT_RUNS)]:
% for first, count in runs:
   { .stage = ${isa.STAGE_LETTERS[stage]}, .first = ${first}, .count = ${count} },
% endfor
% endfor
};

int
sgpu_opcode_find(const char *name, unsigned length)
{
   for (unsigned i = 0; i < SGPU_NUM_OPCODES; i++) {
      const char *other = sgpu_opcode_infos[i].name;
      if (other && strlen(other) == length && memcmp(other, name, length) == 0)
         return (int)i;
   }
   return -1;
}

/* Returns the components of a source that a TEX operation reads, which depend on the target. */
static unsigned
tex_read_positions(const struct sgpu_instr *instr, unsigned s)
{
   const struct sgpu_tex_op_info *op = sgpu_tex_op_info(instr->opcode);
   if (instr->tex_target >= SGPU_NUM_TEX_TARGETS || s > 1)
      return 0;

   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[instr->tex_target];
   const bool cube_array = instr->tex_target == SGPU_TEX_TARGET_CUBE_ARRAY;
   unsigned mask = 0;

   if (s == 0) {
      if (op->level0)
         return target->levels ? 1 : 0;
      if (op->coord) {
         /* The level of detail does not depend on the layer. */
         const bool layer = target->array && instr->opcode != SGPU_OP_LODQ;
         mask = (1u << (target->coords - (target->array && !layer ? 1 : 0))) - 1;
         if (instr->shadow && !cube_array)
            mask |= 8;
      }
   } else {
      if (op->x1 || (op->level1 && (target->levels || target->samples)))
         mask |= 1;
      if (op->grad1)
         mask |= target->offsets == 1 ? 1 | 4 : 15;
      if (instr->shadow && cube_array)
         mask |= 2;
      if (instr->oreg)
         mask |= 4 | 8;
   }
   return mask;
}

/* Returns the components of a source that an operation on images reads. */
static unsigned
image_read_positions(const struct sgpu_instr *instr, unsigned s)
{
   if (instr->tex_target >= SGPU_NUM_TEX_TARGETS || s > 1)
      return 0;
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[instr->tex_target];
   return s ? 15 : ((1u << target->coords) - 1) | (target->samples ? 8 : 0);
}

bool
sgpu_src_takes_mods(const struct sgpu_opcode_info *info, const struct sgpu_instr *instr,
                    unsigned s)
{
   return info->src_mods & (1u << s) && !(instr->oreg && s == 1);
}

unsigned
sgpu_src_read_positions(const struct sgpu_opcode_info *info, const struct sgpu_instr *instr,
                        unsigned s)
{
   if (s >= info->num_srcs)
      return 0;
   if (info->kind == SGPU_KIND_TEX)
      return tex_read_positions(instr, s);
   if (info->flags & SGPU_OPF_ATOMIC && s == 1)
      return instr->aop == SGPU_ATOMIC_CAS ? 3 : 1;
   if (info->kind == SGPU_KIND_IMG)
      return image_read_positions(instr, s);
   if (instr->src[s].file == SGPU_FILE_NONE)
      return 0;

   unsigned mask = info->flags & SGPU_OPF_ATOMIC ? 1 : 0;
   for (unsigned c = 0; c < 4; c++) {
      if (instr->dst.mask & (1u << c))
         mask |= info->reads[s][c];
   }
   return mask;
}
