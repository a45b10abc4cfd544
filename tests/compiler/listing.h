/* SPDX-License-Identifier: MIT */
/*
 * For tests that compare listings: shaders that are made with nir_builder and compiled by
 * sgpu_finalize_nir and sgpu_compile.
 */
#ifndef LISTING_H
#define LISTING_H

#include "compiler/nir/nir_builder.h"
#include "sgc_test.h"

/* Number of uniforms of every shader, c[0] to c[7]. */
#define NUM_UNIFORMS 8

static inline nir_builder
listing_begin(gl_shader_stage stage)
{
   nir_builder b = nir_builder_init_simple_shader(stage, &sgpu_nir_options, "listing");
   b.shader->num_uniforms = NUM_UNIFORMS;
   return b;
}

static inline nir_def *
listing_uniform(nir_builder *b, unsigned n)
{
   return nir_load_uniform(b, 4, 32, nir_imm_int(b, 0), .base = n, .range = 1,
                           .dest_type = nir_type_float32);
}

/* Returns attribute n (v[n]) or varying n (v[] in the order of use). */
static inline nir_def *
listing_input(nir_builder *b, unsigned n)
{
   const bool vertex = b->shader->info.stage == MESA_SHADER_VERTEX;
   const unsigned location = (vertex ? VERT_ATTRIB_GENERIC0 : VARYING_SLOT_VAR0) + n;
   nir_foreach_shader_in_variable(var, b->shader) {
      if ((unsigned)var->data.location == location)
         return nir_load_var(b, var);
   }
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_in, glsl_vec4_type(), "in");
   var->data.location = location;
   var->data.driver_location = n;
   var->data.interpolation = INTERP_MODE_SMOOTH;
   return nir_load_var(b, var);
}

/* Stores to the output at `location`. */
static inline void
listing_output(nir_builder *b, unsigned location, nir_def *value)
{
   const unsigned n = value->num_components;
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out,
                                           glsl_vector_type(GLSL_TYPE_FLOAT, n), "out");
   var->data.location = location;
   nir_store_var(b, var, value, nir_component_mask(n));
}

/* Compiles the shader.  On failure, returns NULL and sets *error to the reason.  The builder's
 * shader is the parent of the result.
 */
static inline struct sgpu_shader *
listing_compile(nir_builder *b, unsigned debug, const char **error)
{
   const struct sgpu_shader_key key = { 0 };
   sgpu_finalize_nir(b->shader);
   return sgpu_compile(b->shader, b->shader, &key, debug | SGPU_COMPILER_VALIDATE, error);
}

/* Checks that the instructions of the shader are `expected`, one per line, and frees the shader. */
static inline void
listing_expect(nir_builder *b, const char *expected)
{
   const char *error = NULL;
   struct sgpu_shader *shader = listing_compile(b, 0, &error);
   if (!shader)
      fail_msg("%s", error);

   char *text = sgpu_disasm_program(&shader->program);
   char *out = text;
   /* Remove the header, the indentation and END. */
   for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
      line += strspn(line, " ");
      if (!strncmp(line, "!!", 2) || !strncmp(line, "TEMPS", 5) || !strncmp(line, "SCRATCH", 7) ||
          !strncmp(line, "DEF", 3) || !strcmp(line, "END"))
         continue;
      const size_t length = strlen(line);
      memmove(out, line, length);
      out[length] = '\n';
      out += length + 1;
   }
   *out = 0;
   if (strcmp(text, expected))
      print_message("made:\n%sexpected:\n%s", text, expected);
   assert_string_equal(text, expected);
   free(text);
   ralloc_free(b->shader);
}

#endif
