/* SPDX-License-Identifier: MIT */
/*
 * Random structured programs: construction of NIR.  No call has two arguments that both build
 * instructions, because compilers evaluate arguments in different orders, and the programs must be
 * the same on every host.
 */
#include "flow_statement.h"
#include "sgpu_compiler.h"

unsigned
flow_input_location(gl_shader_stage stage, unsigned n)
{
   return stage == MESA_SHADER_VERTEX ? VERT_ATTRIB_GENERIC0 + n : VARYING_SLOT_VAR0 + n;
}

unsigned
flow_output_location(gl_shader_stage stage, unsigned n)
{
   return stage == MESA_SHADER_VERTEX ? VARYING_SLOT_VAR0 + n : FRAG_RESULT_DATA0 + n;
}

struct building {
   nir_builder b;
   nir_variable *vars[FLOW_VARS], *counters[FLOW_COUNTERS];
   nir_variable *inputs[FLOW_INPUTS], *outputs[FLOW_OUTPUTS];
   nir_variable *short_array, *long_array;
};

static nir_deref_instr *
array_element(struct building *g, nir_variable *array, unsigned var)
{
   nir_builder *b = &g->b;
   const unsigned length = glsl_get_length(array->type);
   nir_def *divisor = nir_imm_int(b, length);
   nir_def *index = nir_umod(b, nir_channel(b, nir_load_var(b, g->vars[var]), 0), divisor);
   return nir_build_deref_array(b, nir_build_deref_var(b, array), index);
}

static nir_def *
build_value(struct building *g, const struct value *v)
{
   nir_builder *b = &g->b;
   nir_def *def;
   nir_deref_instr *deref;
   unsigned swizzle[4];

   switch (v->kind) {
   case VAR:
      def = nir_load_var(b, g->vars[v->index]);
      break;
   case INPUT:
      def = nir_load_var(b, g->inputs[v->index]);
      break;
   case UNIFORM:
      def = nir_load_uniform(b, 4, 32, nir_imm_int(b, 0), .base = v->index, .range = 1,
                             .dest_type = nir_type_uint32);
      break;
   case IMMEDIATE:
      def = nir_imm_int(b, v->immediate);
      break;
   default:
      deref = array_element(g, v->kind == SHORT_ARRAY ? g->short_array : g->long_array, v->index);
      def = nir_load_deref(b, deref);
      break;
   }
   for (unsigned c = 0; c < 4; c++)
      swizzle[c] = v->swizzle[c] % def->num_components;
   return nir_swizzle(b, def, swizzle, 4);
}

static nir_def *
build_operation(struct building *g, const struct statement *s)
{
   nir_builder *b = &g->b;
   nir_def *x = build_value(g, &s->a), *y = build_value(g, &s->b);

   switch (s->operation) {
   case ADD:
      return nir_iadd(b, x, y);
   case SUB:
      return nir_isub(b, x, y);
   case MUL:
      return nir_imul(b, x, y);
   case XOR:
      return nir_ixor(b, x, y);
   case AND:
      return nir_iand(b, x, y);
   case SHIFT:
      return nir_ushr(b, x, nir_iand_imm(b, y, 31));
   case MIN:
      return nir_umin(b, x, y);
   case SELECT_LESS: {
      nir_def *next = nir_iadd_imm(b, x, 1);
      return nir_bcsel(b, nir_ult(b, x, y), y, next);
   }
   default:
      return x;
   }
}

static void
build_outputs(struct building *g)
{
   nir_builder *b = &g->b;

   for (unsigned n = 0; n < FLOW_OUTPUTS; n++) {
      nir_def *low = nir_load_var(b, g->vars[2 * n]);
      nir_def *high = nir_load_var(b, g->vars[2 * n + 1]);
      nir_def *comp[4];
      for (unsigned c = 0; c < 4; c++) {
         nir_def *x = nir_channel(b, low, c % low->num_components);
         comp[c] = nir_ixor(b, x, nir_channel(b, high, c % high->num_components));
      }
      nir_store_var(b, g->outputs[n], nir_vec(b, comp, 4), 0xf);
   }
}

static nir_def *
build_less(struct building *g, const struct statement *s)
{
   nir_def *x = build_value(g, &s->a), *y = build_value(g, &s->b);
   nir_def *less = nir_channel(&g->b, x, 0);
   return nir_ult(&g->b, less, nir_channel(&g->b, y, 0));
}

static void build_list(struct building *g, const struct statement *s);

static void
build_loop(struct building *g, const struct statement *s)
{
   nir_builder *b = &g->b;
   nir_variable *counter = g->counters[s->counter];
   nir_def *bound = nir_imm_int(b, s->bound);
   nir_def *turns = nir_umod(b, nir_channel(b, build_value(g, &s->a), 0), bound);

   /* Count the iteration first, so that a continue cannot make the loop endless. */
   nir_store_var(b, counter, nir_iadd_imm(b, turns, 2), 1);
   nir_push_loop(b);
   nir_store_var(b, counter, nir_iadd_imm(b, nir_load_var(b, counter), -1), 1);
   nir_push_if(b, nir_ieq_imm(b, nir_load_var(b, counter), 0));
   nir_jump(b, nir_jump_break);
   nir_pop_if(b, NULL);
   build_list(g, s->body[0]);
   nir_pop_loop(b, NULL);
}

static void
build_list(struct building *g, const struct statement *s)
{
   nir_builder *b = &g->b;
   nir_deref_instr *deref;

   for (; s; s = s->next) {
      switch (s->kind) {
      case ASSIGN: {
         nir_def *value = nir_channels(b, build_operation(g, s),
                                       nir_component_mask(components(s->var)));
         nir_store_var(b, g->vars[s->var], value, s->mask);
         break;
      }
      case STORE_SHORT:
      case STORE_LONG: {
         nir_def *value = nir_channel(b, build_operation(g, s), 0);
         deref = array_element(g, s->kind == STORE_SHORT ? g->short_array : g->long_array, s->var);
         nir_store_deref(b, deref, value, 1);
         break;
      }
      case IF:
         nir_push_if(b, build_less(g, s));
         build_list(g, s->body[0]);
         if (s->body[1]) {
            nir_push_else(b, NULL);
            build_list(g, s->body[1]);
         }
         nir_pop_if(b, NULL);
         break;
      case LOOP:
         build_loop(g, s);
         break;
      case BREAK:
         nir_jump(b, nir_jump_break);
         break;
      case CONTINUE:
         nir_jump(b, nir_jump_continue);
         break;
      case RETURN:
         build_outputs(g);
         nir_jump(b, nir_jump_return);
         break;
      case DISCARD:
         nir_discard(b);
         break;
      }
   }
}

static nir_variable *
interface_variable(struct building *g, nir_variable_mode mode, unsigned location, unsigned n)
{
   nir_variable *var = nir_variable_create(g->b.shader, mode, glsl_vector_type(GLSL_TYPE_UINT, 4),
                                           "io");
   var->data.location = location;
   var->data.driver_location = n;
   var->data.interpolation = INTERP_MODE_FLAT;
   return var;
}

nir_shader *
flow_build(void *mem_ctx, const struct flow_program *program)
{
   struct building g;
   nir_builder *b = &g.b;
   const gl_shader_stage stage = program->stage;

   g.b = nir_builder_init_simple_shader(stage, &sgpu_nir_options, "flow");
   ralloc_steal(mem_ctx, b->shader);
   b->shader->num_uniforms = FLOW_UNIFORMS;
   for (unsigned n = 0; n < FLOW_INPUTS; n++)
      g.inputs[n] = interface_variable(&g, nir_var_shader_in, flow_input_location(stage, n), n);
   for (unsigned n = 0; n < FLOW_OUTPUTS; n++)
      g.outputs[n] = interface_variable(&g, nir_var_shader_out, flow_output_location(stage, n), n);
   for (unsigned n = 0; n < FLOW_VARS; n++) {
      g.vars[n] = nir_local_variable_create(b->impl,
                                            glsl_vector_type(GLSL_TYPE_UINT, components(n)), "var");
      const unsigned mask = nir_component_mask(components(n));
      nir_store_var(b, g.vars[n], nir_channels(b, nir_load_var(b, g.inputs[n % FLOW_INPUTS]), mask),
                    mask);
   }
   for (unsigned n = 0; n < FLOW_COUNTERS; n++)
      g.counters[n] = nir_local_variable_create(b->impl, glsl_uint_type(), "counter");
   g.short_array = nir_local_variable_create(b->impl,
                                             glsl_array_type(glsl_uint_type(), FLOW_SHORT_ARRAY, 0),
                                             "short");
   g.long_array = nir_local_variable_create(b->impl,
                                            glsl_array_type(glsl_uint_type(), FLOW_LONG_ARRAY, 0),
                                            "long");
   /* Other arrays start undefined, so a program must write an element before it reads it. */
   if (program->features & FLOW_ARRAYS) {
      for (unsigned n = 0; n < FLOW_SHORT_ARRAY; n++) {
         nir_def *value = nir_imm_int(b, n);
         nir_deref_instr *array = nir_build_deref_var(b, g.short_array);
         nir_store_deref(b, nir_build_deref_array_imm(b, array, n), value, 1);
      }
      nir_variable *counter = g.counters[0];
      nir_store_var(b, counter, nir_imm_int(b, 0), 1);
      nir_push_loop(b);
      nir_def *length = nir_imm_int(b, FLOW_LONG_ARRAY);
      nir_push_if(b, nir_uge(b, nir_load_var(b, counter), length));
      nir_jump(b, nir_jump_break);
      nir_pop_if(b, NULL);
      nir_def *n = nir_load_var(b, counter);
      nir_store_deref(b, nir_build_deref_array(b, nir_build_deref_var(b, g.long_array), n), n, 1);
      nir_store_var(b, counter, nir_iadd_imm(b, n, 1), 1);
      nir_pop_loop(b, NULL);
   }
   build_list(&g, program->body);
   build_outputs(&g);
   nir_lower_returns(b->shader);
   sgpu_finalize_nir(b->shader);
   return b->shader;
}
