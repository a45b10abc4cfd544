/* SPDX-License-Identifier: MIT */
/*
 * Tests the selection of every NIR operation, with operands of every kind, followed by every kind
 * of user.  Emission only reads recorded operands, and validation finds values that are read but
 * not computed; so the test shows that plan and emission agree.  The shaders are also compiled
 * completely, and a recorded hash covers all programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "program_hash.h"
#include "select/sgc_select.h"
#include "sgc_test.h"

/* Hash of the programs below.  It changes with the generated code; the failing test prints the new
 * one.
 */
#define RECORDED_HASH 0x914ae71f58decde8ull

/* Every n-th shader is compiled completely. */
#define COMPILED 5

enum form {
   FORM_INPUT,
   FORM_NEGATED,
   FORM_ABSOLUTE,
   FORM_UNIFORM,
   /* Uniforms with a variable index, a different index for each source. */
   FORM_RELATIVE,
   FORM_IMMEDIATE,
   FORM_COMPUTED,
   /* Vector that consists of several values. */
   FORM_VECTOR,
   /* Product of integers or of floats, for MAD. */
   FORM_PRODUCT,
   FORM_ARRAY,
   NUM_FORMS,
};

enum user {
   USER_OUTPUT,
   USER_SATURATE,
   /* Conversion by b2f32. */
   USER_NUMBER,
   /* Negated sum of floats. */
   USER_SUM,
   USER_INTEGER_SUM,
   USER_VECTOR,
   USER_SELECT,
   USER_IF,
   USER_DISCARD,
   USER_PHI,
   USER_ARRAY,
   USER_UNIFORM_INDEX,
   USER_UBO_BANK,
   USER_COORDINATES,
   USER_TEXELS,
   USER_UNIT,
   NUM_USERS,
};

struct shader {
   nir_builder b;
   nir_def *array;
};

static nir_def *
input(nir_builder *b, unsigned n)
{
   const bool vertex = b->shader->info.stage == MESA_SHADER_VERTEX;
   const nir_io_semantics io = {
      .location = (vertex ? VERT_ATTRIB_GENERIC0 : VARYING_SLOT_VAR0) + n,
      .num_slots = 1,
   };
   return nir_load_input(b, 4, 32, nir_imm_int(b, 0), .base = n, .dest_type = nir_type_float32,
                         .io_semantics = io);
}

static void
output(nir_builder *b, nir_def *value, unsigned n)
{
   const bool vertex = b->shader->info.stage == MESA_SHADER_VERTEX;
   const nir_io_semantics io = {
      .location = (vertex ? (unsigned)VARYING_SLOT_VAR0 : (unsigned)FRAG_RESULT_DATA0) + n,
      .num_slots = 1,
   };
   nir_store_output(b, value, nir_imm_int(b, 0), .base = n,
                    .write_mask = nir_component_mask(value->num_components),
                    .src_type = nir_type_float32, .io_semantics = io);
}

static nir_def *
uniform(nir_builder *b, nir_def *index, unsigned base)
{
   return nir_load_uniform(b, 4, 32, index, .base = base, .range = 8,
                           .dest_type = nir_type_float32);
}

/* Returns four components of the form.  They are different for each source. */
static nir_def *
source(struct shader *s, enum form form, unsigned n)
{
   nir_builder *b = &s->b;
   nir_def *in = input(b, n % 3), *other = input(b, (n + 1) % 3);

   switch (form) {
   case FORM_INPUT:
      return in;
   case FORM_NEGATED:
      return nir_fneg(b, in);
   case FORM_ABSOLUTE:
      return nir_fneg(b, nir_fabs(b, in));
   case FORM_UNIFORM:
      return uniform(b, nir_imm_int(b, 0), n);
   case FORM_RELATIVE:
      return uniform(b, nir_iadd_imm(b, nir_imul_imm(b, nir_channel(b, in, n & 3), 3), 1), 8 * n);
   case FORM_IMMEDIATE:
      return nir_imm_vec4(b, 0.5f + n, -2, 0.3f, 7);
   case FORM_COMPUTED:
      return nir_fadd(b, in, nir_frcp(b, nir_channel(b, other, 1)));
   case FORM_VECTOR:
      return nir_vec4(b, nir_channel(b, in, 2), nir_frsq(b, nir_channel(b, other, 0)),
                      nir_fneg(b, nir_channel(b, other, 3)), nir_imm_float(b, 2));
   case FORM_PRODUCT:
      return n & 1 ? nir_fmul(b, in, other) : nir_imul(b, in, other);
   default:
      return nir_load_reg_indirect(b, 4, 32, s->array, nir_channel(b, in, 0), .base = n % 3);
   }
}

static void
store_array(struct shader *s, nir_def *value, nir_def *index)
{
   if (index)
      nir_store_reg_indirect(&s->b, value, s->array, index);
   else
      nir_store_reg(&s->b, value, s->array);
}

static nir_def *
texture(nir_builder *b, nir_texop op, nir_def *coord, nir_def *unit)
{
   nir_tex_instr *tex = nir_tex_instr_create(b->shader, unit ? 3 : 2);

   tex->op = op;
   tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
   tex->coord_components = 2;
   tex->dest_type = nir_type_float32;
   tex->src[0].src = nir_src_for_ssa(nir_channels(b, coord, 3));
   tex->src[0].src_type = nir_tex_src_coord;
   tex->src[1].src = nir_src_for_ssa(nir_channel(b, coord, 2));
   tex->src[1].src_type = nir_tex_src_lod;
   if (unit) {
      tex->src[2].src = nir_src_for_ssa(unit);
      tex->src[2].src_type = nir_tex_src_texture_offset;
   }
   nir_def_init(&tex->instr, &tex->def, 4, 32);
   nir_builder_instr_insert(b, &tex->instr);
   return &tex->def;
}

/* Uses four components of x and stores the result. */
static void
use(struct shader *s, enum form form, enum user user, nir_def *x)
{
   nir_builder *b = &s->b;
   nir_def *scalar = nir_channel(b, x, 1), *in = input(b, 3), *result = x;
   /* NIR that reaches selection has no constant expressions as indices. */
   nir_def *variable = form == FORM_IMMEDIATE ? nir_channel(b, in, 0) : scalar;
   nir_def *index = nir_iadd_imm(b, nir_imul_imm(b, variable, 3), 1);

   switch (user) {
   case USER_SATURATE:
      result = nir_fsat(b, x);
      break;
   case USER_NUMBER:
      result = nir_b2f32(b, x);
      break;
   case USER_SUM:
      result = nir_fadd(b, nir_fneg(b, x), in);
      break;
   case USER_INTEGER_SUM:
      result = nir_iadd(b, in, x);
      break;
   case USER_VECTOR:
      result = nir_vec4(b, nir_channel(b, x, 3), nir_channel(b, x, 0), nir_imm_float(b, 1),
                        nir_fneg(b, nir_channel(b, in, 0)));
      break;
   case USER_SELECT:
      result = nir_b32csel(b, x, in, nir_fneg(b, x));
      break;
   case USER_IF:
   case USER_PHI: {
      nir_push_if(b, user == USER_IF ? nir_inot(b, scalar) : nir_channel(b, in, 0));
      nir_def *yes = user == USER_IF ? nir_fadd(b, in, in) : nir_fneg(b, x);
      nir_push_else(b, NULL);
      nir_pop_if(b, NULL);
      result = nir_if_phi(b, yes, in);
      break;
   }
   case USER_DISCARD:
      nir_discard_if(b, scalar);
      result = in;
      break;
   case USER_ARRAY:
      store_array(s, x, variable);
      result = in;
      break;
   case USER_UNIFORM_INDEX:
      result = uniform(b, index, 0);
      break;
   case USER_UBO_BANK:
      result = nir_load_ubo(b, 4, 32, index, nir_ishl(b, scalar, nir_imm_int(b, 4)),
                            .align_mul = 16, .range = ~0);
      break;
   case USER_COORDINATES:
      result = texture(b, nir_texop_txl, nir_fneg(b, x), NULL);
      break;
   case USER_TEXELS:
      result = texture(b, nir_texop_txf, nir_fneg(b, x), NULL);
      break;
   case USER_UNIT:
      result = texture(b, nir_texop_txl, in, index);
      break;
   default:
      break;
   }
   output(b, result, 0);
}

static bool
is_32_bits(nir_alu_type type)
{
   const unsigned size = nir_alu_type_get_type_size(type);
   return size == 32 || size == 0;
}

/* Returns true for operations that can reach selection: 32 bits and at most four components. */
static bool
is_candidate(nir_op op)
{
   const nir_op_info *info = &nir_op_infos[op];

   if (!is_32_bits(info->output_type) || info->output_size > 4 || info->num_inputs > 4)
      return false;
   for (unsigned s = 0; s < info->num_inputs; s++) {
      if (!is_32_bits(info->input_types[s]) || info->input_sizes[s] > 4)
         return false;
   }
   return true;
}

/* Returns true for scalar operations of the machine, which are also scalar in NIR that reaches
 * selection.
 */
static bool
is_scalar(nir_op op)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(sgc_alu_info(op)->op);
   return info->kind == SGPU_KIND_SCAL || nir_op_infos[op].output_size == 1;
}

/* Builds the operation.  The results of replicated dot products can have any number of components.
 */
static nir_def *
operation(nir_builder *b, nir_op op, nir_def **src)
{
   const nir_op_info *info = &nir_op_infos[op];
   nir_alu_instr *alu = nir_alu_instr_create(b->shader, op);
   unsigned n = info->output_size;

   for (unsigned s = 0; s < info->num_inputs; s++) {
      alu->src[s].src = nir_src_for_ssa(src[s]);
      for (unsigned c = 0; c < 4; c++)
         alu->src[s].swizzle[c] = MIN2(c, src[s]->num_components - 1u);
      if (!info->output_size && !info->input_sizes[s])
         n = src[s]->num_components;
   }
   n = n ? n : 4;
   nir_def_init(&alu->instr, &alu->def, n, 32);
   nir_builder_instr_insert(b, &alu->instr);
   return &alu->def;
}

static nir_shader *
build(void *mem_ctx, gl_shader_stage stage, nir_op op, enum form form, enum user user)
{
   const nir_op_info *info = &nir_op_infos[op];
   struct shader s;
   nir_builder *b = &s.b;
   nir_def *src[4], *result;

   s.b = nir_builder_init_simple_shader(stage, &sgc_nir_options, "select");
   ralloc_steal(mem_ctx, b->shader);
   b->shader->num_uniforms = 32;
   s.array = nir_decl_reg(b, 4, 32, 4);
   if (form == FORM_ARRAY)
      store_array(&s, input(b, 2), NULL);

   for (unsigned i = 0; i < info->num_inputs; i++) {
      const unsigned n = info->input_sizes[i] ? info->input_sizes[i] : is_scalar(op) ? 1 : 4;
      src[i] = nir_channels(b, source(&s, form, i), nir_component_mask(n));
   }
   result = operation(b, op, src);
   unsigned swizzle[4];
   for (unsigned c = 0; c < 4; c++)
      swizzle[c] = c % result->num_components;
   use(&s, form, user, result->num_components == 4 ? result : nir_swizzle(b, result, swizzle, 4));

   nir_index_blocks(b->impl);
   nir_index_ssa_defs(b->impl);
   nir_metadata_require(b->impl, nir_metadata_control_flow | nir_metadata_instr_index);
   return b->shader;
}

static struct sgc_program *
select_program(void *mem_ctx, nir_shader *nir, unsigned debug, bool vp1)
{
   const struct sgpu_shader_key key = { 0 };
   struct sgc_program *p = sgc_program_create(mem_ctx, nir->info.stage);

   p->shader = rzalloc(p, struct sgpu_shader);
   p->debug = debug;
   p->validate = true;
   p->vp1 = vp1;
   sgc_select(p, nir, &key);
   return p;
}

/* Runs the passes after selection.  The passes before it do not accept their own result, so they
 * cannot run again.
 */
static const struct sgpu_shader *
compile(void *mem_ctx, nir_shader *nir)
{
   struct sgc_program *p = select_program(mem_ctx, nir, 0, false);

   sgc_opt_copy_prop(p);
   sgc_opt_dce(p);
   sgc_coalesce(p);
   sgc_place_literals(p);
   sgc_schedule(p);
   sgc_allocate(p);
   sgc_encode(p);
   if (p->error) {
      nir_print_shader(nir, stderr);
      fail_msg("%s", p->error);
   }
   return p->shader;
}

static void
check(nir_op op, enum form form, enum user user, gl_shader_stage stage, unsigned number,
      uint64_t *hash)
{
   void *mem_ctx = ralloc_context(NULL);
   nir_shader *nir = build(mem_ctx, stage, op, form, user);
   const bool handled = sgc_op_is_vec(op) || sgc_alu_info(op)->op != SGPU_OP_NOP;

   for (unsigned noopt = 0; noopt < 2; noopt++) {
      /* A second address register is a reason against the base profile. */
      const bool vp1 = stage == MESA_SHADER_VERTEX && form != FORM_ARRAY;
      struct sgc_program *p = select_program(mem_ctx, nir, noopt ? SGPU_COMPILER_NOOPT : 0, vp1);
      const struct sgc_instr *where;
      const char *error = p->error ? p->error : sgc_validate(p, &where);
      if (handled ? error != NULL : !error || !strstr(error, "unhandled NIR operation")) {
         nir_print_shader(nir, stderr);
         sgc_print_program(stderr, p);
         fail_msg("%s, form %u, user %u: %s", nir_op_infos[op].name, form, user, error);
      }
   }
   if (handled && number % COMPILED == 0)
      *hash = program_hash(*hash, compile(mem_ctx, nir));
   ralloc_free(mem_ctx);
}

static void
every_operation(void **state)
{
   uint64_t hash = PROGRAM_HASH_INIT;
   unsigned number = 0, handled = 0;

   for (nir_op op = 0; op < nir_num_opcodes; op++) {
      if (!is_candidate(op))
         continue;
      handled += sgc_alu_info(op)->op != SGPU_OP_NOP;
      for (enum form form = 0; form < NUM_FORMS; form++) {
         for (enum user user = 0; user < NUM_USERS; user++) {
            if (form == FORM_IMMEDIATE && (user == USER_UNIFORM_INDEX || user == USER_UNIT))
               continue;
            const bool vertex = number % 2 && user != USER_DISCARD;
            check(op, form, user, vertex ? MESA_SHADER_VERTEX : MESA_SHADER_FRAGMENT, number++,
                  &hash);
         }
      }
   }
   assert_true(handled > 80);
   if (hash != RECORDED_HASH)
      fail_msg("the programs' hash is 0x%llxull", (unsigned long long)hash);
}

/* Each row of the table has the same sources as NIR, and possibly a literal. */
static void
table(void **state)
{
   for (nir_op op = 0; op < nir_num_opcodes; op++) {
      const struct sgc_alu_info *info = sgc_alu_info(op);
      if (info->op == SGPU_OP_NOP)
         continue;
      if (!is_candidate(op))
         fail_msg("%s is not tested", nir_op_infos[op].name);
      assert_int_equal(nir_op_infos[op].num_inputs + info->has_imm,
                       sgpu_opcode_info(info->op)->num_srcs);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(table),
      cmocka_unit_test(every_operation),
   };
   glsl_type_singleton_init_or_ref();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
