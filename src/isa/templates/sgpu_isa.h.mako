/* SPDX-License-Identifier: MIT */

/*
 * The instruction set for C: codes, the unpacked instruction, and tables of opcodes.
 * src/isa/gen_isa.py generates this file. docs/isa.md is the reference.
 */

#ifndef SGPU_ISA_H
#define SGPU_ISA_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sgpu_opcode {
% for o in ops:
   SGPU_OP_${o.name} = ${'0x%03x' % o.code},
% endfor
};
#define SGPU_NUM_OPCODES 512

enum sgpu_file {
% for name, code, letter, src, dst, size, what in isa.FILES:
   SGPU_FILE_${name} = ${code},
% endfor
};

% for name, code, letter, src, dst, size, what in isa.FILES:
#define SGPU_${name}_SIZE ${size}
% endfor

/* Bit 0 is less, bit 1 equal, bit 2 greater. With a NaN, NE is true. */
enum sgpu_cond {
% for i, name in enumerate(isa.CONDS):
   SGPU_COND_${name} = ${i},
% endfor
};

enum sgpu_tex_target {
% for i, name in enumerate(isa.TEX_TARGETS):
   SGPU_TEX_TARGET_${name} = ${i},
% endfor
};
#define SGPU_NUM_TEX_TARGETS ${len(isa.TEX_TARGETS)}

/* Atomic operations. Comments are the new value, from the old value and src1.x (`data`). */
enum sgpu_atomic {
% for i, (name, what) in enumerate(isa.ATOMICS):
   SGPU_ATOMIC_${name} = ${i},${' ' * (6 - len(name))}/* ${what} */
% endfor
};
#define SGPU_NUM_ATOMICS ${len(isa.ATOMICS)}

/* Operations of RED, SCANI and SCANX. */
enum sgpu_reduction {
% for i, (name, type, identity, expr) in enumerate(isa.REDUCTIONS):
   SGPU_REDUCE_${name} = ${i},
% endfor
};
#define SGPU_NUM_REDUCTIONS ${len(isa.REDUCTIONS)}

/* System values, s[...]. */
enum sgpu_sysval {
% for i, (name, stages, type, what) in enumerate(isa.SYSVALS):
   SGPU_SYS_${name} = ${i},
% endfor
};
#define SGPU_NUM_SYSVALS ${len(isa.SYSVALS)}

/* Returns the position of sample n of a pixel with `samples` samples (1, 2, ...
 * SGPU_MAX_SAMPLES) in 1/16 pixel. x counts to the right and y downwards from the upper
 * left corner.
 */
#define SGPU_MAX_SAMPLES ${max(isa.SAMPLE_POSITIONS)}
extern const uint8_t sgpu_sample_positions[2 * SGPU_MAX_SAMPLES - 1][2];
static inline const uint8_t *
sgpu_sample_position(unsigned samples, unsigned n)
{
   return sgpu_sample_positions[samples - 1 + n];
}

/* Outputs o[...] of vertex, tessellation and geometry programs. The base profile has the
 * first ${isa.VP1['outputs']}.
 */
enum sgpu_vs_output {
% for i, name in enumerate(isa.VS_OUTPUTS):
% if not name.startswith('RSVD'):
   SGPU_VO_${name} = ${i},
% endif
% endfor
};
#define SGPU_NUM_VS_OUTPUTS ${len(isa.VS_OUTPUTS)}

/* Outputs o[...] of pixel programs. */
enum sgpu_ps_output {
% for i, name in enumerate(isa.PS_OUTPUTS):
   SGPU_PO_${name} = ${i},
% endfor
};
#define SGPU_NUM_PS_OUTPUTS ${len(isa.PS_OUTPUTS)}

/* Per-patch outputs pa[...] that have names. */
enum sgpu_patch_output {
% for i, name in enumerate(isa.PATCH_OUTPUTS):
   SGPU_PATCH_${name} = ${i},
% endfor
   SGPU_NUM_PATCH_NAMES,
};

/* Inputs v[...] of the base profile, by their names in NV_vertex_program. */
enum sgpu_vp1_input {
% for i, name in enumerate(isa.VP1_INPUTS):
% if name:
   SGPU_VI_${name} = ${i},
% endif
% endfor
};

/* Must be incremented when the meaning of an existing program may change. */
#define SGPU_ISA_VERSION ${isa.VERSION}

/* Limits of the base profile. */
% for name, value in isa.VP1.items():
#define SGPU_VP1_${name.upper()} ${value}
% endfor

/* Limits of all programs. */
% for name, value in isa.LIMITS.items():
#define SGPU_MAX_${name.upper()} ${value}
% endfor

/*
 * An unpacked instruction. An absent source or destination has file NONE, and its other
 * members are zero.
 */
struct sgpu_src {
   uint8_t file;       /* enum sgpu_file */
   uint8_t swizzle;    /* SGPU_SWIZZLE(...) */
   int16_t index;      /* unsigned index; with rel, a signed offset */
   bool neg, abs;      /* neg is applied after abs */
   bool rel;           /* the index is index + A0.relcomp */
   uint8_t relcomp;
};

struct sgpu_dst {
   uint8_t file;
   uint8_t index;
   uint8_t mask;       /* bit 0 is x; also the write mask of stores */
   bool rel;           /* the index is index + A0.relcomp */
   uint8_t relcomp;
};

struct sgpu_guard {
   bool en;            /* the instruction runs only in lanes with P[reg].comp != not */
   bool not;
   uint8_t reg, comp;
};

struct sgpu_instr {
   uint16_t opcode;    /* enum sgpu_opcode */
   bool sat;
   bool zmul;
   struct sgpu_guard guard;
   struct sgpu_dst dst;
   struct sgpu_src src[3];

   uint8_t cond;       /* enum sgpu_cond */

   bool urel;          /* A0.urelcomp is added to unit and sampler */
   uint8_t urelcomp;
   bool oreg;          /* TG4: texel offsets are src1.zw */

   uint32_t target;    /* branches: number of an instruction */
   uint8_t unit;       /* texture unit, constant bank, buffer, image, input or output of vertices */
   uint8_t sampler;
   uint8_t tex_target; /* enum sgpu_tex_target */
   bool shadow;
   uint8_t gcomp;      /* TG4: component */
   int8_t off[3];      /* offset in texels, -8 to 7 */
   uint32_t offset;    /* memory: offset in bytes */
   uint8_t aop;        /* enum sgpu_atomic */
   uint8_t reduction;  /* enum sgpu_reduction */
   uint8_t cluster;    /* log2 of the number of lanes in a cluster */
};

/* How components are treated. */
enum sgpu_kind {
   SGPU_KIND_COMP,     /* per component */
   SGPU_KIND_SCAL,     /* scalar sources, one value that is replicated */
   SGPU_KIND_SCALV,    /* scalar sources, vector result */
   SGPU_KIND_DOT,      /* vector sources, one value that is replicated */
   SGPU_KIND_VEC,      /* vector sources, vector result */
   SGPU_KIND_PAIR,     /* per component pair */
   SGPU_KIND_QUAD,     /* per component, over the quad's lanes */
   SGPU_KIND_CTL,
   SGPU_KIND_TEX,
   SGPU_KIND_MEM,
   SGPU_KIND_IMG,
   SGPU_KIND_IPA,      /* an input, per component; the place is a vector or a scalar */
   SGPU_KIND_WARP,     /* per component, over the warp's active lanes */
   SGPU_KIND_PIXEL,    /* no sources, reads the lane's pixel */
};

enum sgpu_type {
   SGPU_TYPE_NONE,
   SGPU_TYPE_FLOAT,
   SGPU_TYPE_INT,
   SGPU_TYPE_UINT,
   SGPU_TYPE_PRED,
   SGPU_TYPE_ADDR,
   SGPU_TYPE_DOUBLE,   /* this and the following types have 64 bits */
   SGPU_TYPE_INT64,
   SGPU_TYPE_UINT64,
};

/* Returns true if values of an enum sgpu_type take two components, low word first. */
static inline bool
sgpu_type_is_wide(unsigned type)
{
   return type >= SGPU_TYPE_DOUBLE;
}

enum sgpu_unit {
% for name in LATENCY:
   SGPU_UNIT_${name},
% endfor
};

/* Formats of the `mod` field and of word 3. */
enum sgpu_mod_class {
   SGPU_MOD_NONE,
   SGPU_MOD_COND,
   SGPU_MOD_RES,
};

enum sgpu_payload_class {
   SGPU_PAYLOAD_NONE,
   SGPU_PAYLOAD_BRANCH,
   SGPU_PAYLOAD_TEX,
   SGPU_PAYLOAD_MEM,
   SGPU_PAYLOAD_VERTEX_STREAM,
   SGPU_PAYLOAD_FETCH,
   SGPU_PAYLOAD_ATOMIC,
   SGPU_PAYLOAD_IMAGE,
   SGPU_PAYLOAD_REDUCE,
};

enum sgpu_opcode_flags {
% for i, name in enumerate(FLAGS):
   SGPU_OPF_${name} = 1 << ${i},
% endfor
};
/* Flags of operations:
 * VP1: is in the base profile. ZMUL: has the zmul bit. EFFECT: must not be removed.
 * WMASK: has a write mask, but no result. OPTADDR: src0 may be absent and then counts as 0.
 * OPTDST: the destination may be absent. ATOMIC: src1 is the data of an enum sgpu_atomic.
 * NOGUARD: takes no guard. PS, GS, CS: for pixel, geometry, compute programs only. QUAD:
 * reads other lanes of the quad (pixel programs only, needs helper lanes). TC: for
 * tessellation control programs only. PATCH: for tessellation programs only. PRIM: for
 * tessellation and geometry programs only. INORDER: the scheduler must not move it. SAT:
 * may saturate. DST: has a result.
 */

struct sgpu_opcode_info {
   const char *name;        /* NULL if there is no such opcode */
   uint8_t kind;            /* enum sgpu_kind */
   uint8_t num_srcs;
   uint8_t dst_type;        /* enum sgpu_type */
   uint8_t src_type[3];
   uint8_t unit;            /* enum sgpu_unit */
   uint8_t latency;         /* cycles from issue to use */
   uint8_t mod;             /* enum sgpu_mod_class */
   uint8_t payload;         /* enum sgpu_payload_class */
   uint32_t flags;          /* enum sgpu_opcode_flags */
   uint8_t src_mods;        /* bit s: source s takes neg and abs, see sgpu_src_takes_mods */
   uint8_t src_scalar;      /* bit s: source s is a scalar, so its swizzle repeats one component */
   uint8_t reads[3][4];     /* positions of source s (after its swizzle) that component c of the
                             * result depends on; zero for TEX, IMG and the data of atomic
                             * operations, see sgpu_src_read_positions */
   uint32_t used[4];        /* bits of the encoding that may be set */
};

extern const struct sgpu_opcode_info sgpu_opcode_infos[SGPU_NUM_OPCODES];

struct sgpu_tex_target_info {
   const char *name;
   uint8_t coords;          /* components of src0 that are coordinates; the layer is the last one */
   uint8_t offsets;         /* components of a texel offset; 0 if it takes none */
   bool array, levels, samples, shadow, filtered;
};

extern const struct sgpu_tex_target_info sgpu_tex_target_infos[SGPU_NUM_TEX_TARGETS];

/* The operands of a TEX operation. */
struct sgpu_tex_op_info {
   uint16_t targets;        /* bit enum sgpu_tex_target */
   bool shadow, offsets, sampler;
   bool coord;              /* src0 holds coordinates */
   bool level0;             /* src0.x is a level */
   bool x1;                 /* src1.x is a level or bias */
   bool level1;             /* src1.x is a level or sample, where the target has them */
   bool grad1;              /* src1 holds gradients */
};

/* NULL for opcodes of another kind. */
const struct sgpu_tex_op_info *sgpu_tex_op_info(unsigned opcode);

/* Targets of operations on images: bit enum sgpu_tex_target. */
#define SGPU_IMAGE_TARGETS ${'0x%03xu' % target_mask(isa.IMAGE_TARGETS)}

/* The memory that a MEM operation addresses. */
struct sgpu_mem_info {
   const char *name;        /* in the text form */
   unsigned units;          /* bindings; 0: it has none */
   const char *beyond;      /* what is wrong with a unit that is not less */
};

/* NULL for opcodes of another kind. */
const struct sgpu_mem_info *sgpu_mem_info(unsigned opcode);

/* The greatest offset of a MEM operation, in bytes. */
#define SGPU_MEM_OFFSET_MAX ${(1 << isa.PAYLOADS['mem']['offset'][1]) - 1}
#define SGPU_ATOMIC_OFFSET_MAX ${(1 << isa.PAYLOADS['atomic']['offset'][1]) - 1}

static inline const struct sgpu_opcode_info *
sgpu_opcode_info(unsigned opcode)
{
   return &sgpu_opcode_infos[opcode % SGPU_NUM_OPCODES];
}

static inline uint32_t
sgpu_max_offset(unsigned opcode)
{
   return sgpu_opcode_info(opcode)->payload == SGPU_PAYLOAD_ATOMIC ? SGPU_ATOMIC_OFFSET_MAX
                                                                   : SGPU_MEM_OFFSET_MAX;
}

/* Opcode by mnemonic, or -1. */
int sgpu_opcode_find(const char *name, unsigned length);

extern const char *const sgpu_cond_names[8];
extern const char *const sgpu_atomic_names[SGPU_NUM_ATOMICS];
extern const char *const sgpu_reduction_names[SGPU_NUM_REDUCTIONS];
extern const uint32_t sgpu_reduction_identities[SGPU_NUM_REDUCTIONS];
extern const char *const sgpu_sysval_names[SGPU_NUM_SYSVALS];
extern const char *const sgpu_vs_output_names[SGPU_NUM_VS_OUTPUTS];   /* NULL: reserved */
extern const char *const sgpu_ps_output_names[SGPU_NUM_PS_OUTPUTS];
extern const char *const sgpu_patch_output_names[SGPU_NUM_PATCH_NAMES];
extern const char *const sgpu_vp1_input_names[SGPU_VP1_INPUTS];       /* NULL: by number */

/* Stages that have a system value, by enum sgpu_stage. */
extern const uint8_t sgpu_sysval_stages[SGPU_NUM_SYSVALS];

/* Ranges of outputs that a relative destination may address. */
struct sgpu_output_run {
   uint8_t stage;           /* enum sgpu_stage */
   uint8_t first, count;
};
#define SGPU_NUM_OUTPUT_RUNS ${4 * len(isa.VS_OUTPUT_RUNS) + len(isa.PS_OUTPUT_RUNS)}
extern const struct sgpu_output_run sgpu_output_runs[SGPU_NUM_OUTPUT_RUNS];

/*
 * Swizzles and masks
 */

#define SGPU_SWIZZLE(x, y, z, w) ((x) | (y) << 2 | (z) << 4 | (w) << 6)
#define SGPU_SWIZZLE_XYZW SGPU_SWIZZLE(0, 1, 2, 3)
#define SGPU_SWIZZLE_XXXX SGPU_SWIZZLE(0, 0, 0, 0)
#define SGPU_MASK_X 1
#define SGPU_MASK_XYZ 7
#define SGPU_MASK_XYZW 15

/* The register's component at position c of the operand. */
static inline unsigned
sgpu_swizzle_get(unsigned swizzle, unsigned c)
{
   return (swizzle >> (2 * c)) & 3;
}

static inline unsigned
sgpu_swizzle_replicate(unsigned c)
{
   return c * 0x55;
}

static inline bool
sgpu_swizzle_is_scalar(unsigned swizzle)
{
   return swizzle == sgpu_swizzle_replicate(swizzle & 3);
}

/* The swizzle that is `inner` followed by `outer`. */
static inline unsigned
sgpu_swizzle_compose(unsigned inner, unsigned outer)
{
   unsigned r = 0;
   for (unsigned c = 0; c < 4; c++)
      r |= sgpu_swizzle_get(inner, sgpu_swizzle_get(outer, c)) << (2 * c);
   return r;
}

/* The register's components behind the positions of `positions`. */
static inline unsigned
sgpu_swizzle_mask(unsigned swizzle, unsigned positions)
{
   unsigned mask = 0;
   for (unsigned c = 0; c < 4; c++) {
      if (positions & (1u << c))
         mask |= 1u << sgpu_swizzle_get(swizzle, c);
   }
   return mask;
}

/* Positions of source s that are read, before the swizzle is looked up. Of absent
 * sources only those of TEX and IMG operations count.
 */
unsigned sgpu_src_read_positions(const struct sgpu_opcode_info *info,
                                 const struct sgpu_instr *instr, unsigned s);

/* Whether source s takes neg and abs.  Offsets of texels are integers beside float
 * coordinates.
 */
bool sgpu_src_takes_mods(const struct sgpu_opcode_info *info, const struct sgpu_instr *instr,
                         unsigned s);

/* The register's components that source s reads; 0 where it is absent. */
static inline unsigned
sgpu_src_read_mask(const struct sgpu_opcode_info *info, const struct sgpu_instr *instr, unsigned s)
{
   return sgpu_swizzle_mask(instr->src[s].swizzle, sgpu_src_read_positions(info, instr, s));
}

/* Components of A0 that the instruction uses to address with. */
static inline unsigned
sgpu_instr_addr_read_mask(const struct sgpu_instr *instr)
{
   unsigned mask = instr->dst.rel ? 1u << instr->dst.relcomp : 0;
   for (unsigned s = 0; s < 3; s++)
      mask |= instr->src[s].rel ? 1u << instr->src[s].relcomp : 0;
   return mask | (instr->urel ? 1u << instr->urelcomp : 0);
}

/* Without operands: files NONE, identity swizzles, nothing set. */
static inline struct sgpu_instr
sgpu_instr_init(enum sgpu_opcode opcode)
{
   struct sgpu_instr instr = { 0 };
   instr.opcode = opcode;
   instr.dst.file = SGPU_FILE_NONE;
   for (unsigned s = 0; s < 3; s++)
      instr.src[s].file = SGPU_FILE_NONE;
   return instr;
}

static inline struct sgpu_src
sgpu_src_make(enum sgpu_file file, unsigned index, unsigned swizzle)
{
   struct sgpu_src src = { 0 };
   src.file = file;
   src.index = index;
   src.swizzle = swizzle;
   return src;
}

static inline struct sgpu_dst
sgpu_dst_make(enum sgpu_file file, unsigned index, unsigned mask)
{
   struct sgpu_dst dst = { 0 };
   dst.file = file;
   dst.index = index;
   dst.mask = mask;
   return dst;
}

/*
 * Checking and encoding. Each returns NULL or a static error text.
 */

/* Checks that the instruction can be encoded. An operand that the operation does not
 * have may be NONE or all zero.
 */
const char *sgpu_instr_check(const struct sgpu_instr *instr);

/* Checks an instruction that has passed sgpu_instr_check against the base profile. */
const char *sgpu_instr_check_vp1(const struct sgpu_instr *instr);

/* Encodes. Does not write `out` if the instruction is refused. */
const char *sgpu_instr_pack(const struct sgpu_instr *instr, uint32_t out[4]);

/* Decodes. Accepts exactly the words that sgpu_instr_pack writes. */
const char *sgpu_instr_unpack(const uint32_t in[4], struct sgpu_instr *instr);

#ifdef __cplusplus
}
#endif

#endif /* SGPU_ISA_H */
