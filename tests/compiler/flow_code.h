/* SPDX-License-Identifier: MIT */
/*
 * Structured programs over integers for tests of control flow.  They are drawn at random, built as
 * NIR, and executed on the host, one lane after the other, by direct interpretation of the
 * statements.
 */
#ifndef FLOW_CODE_H
#define FLOW_CODE_H

#include "compiler/nir/nir_builder.h"
#include "device/shader/machine.h"

/* Number of variables; variable n has n % 4 + 1 components. */
#define FLOW_VARS 6
/* Number of uvec4 inputs. */
#define FLOW_INPUTS 2
/* Number of uvec4 uniforms. */
#define FLOW_UNIFORMS 2
/* Number of uints in the short array, which the compiler keeps in registers. */
#define FLOW_SHORT_ARRAY 8
/* Number of uints in the long array, which the compiler keeps in scratch memory. */
#define FLOW_LONG_ARRAY 300
/* Number of uvec4 outputs. */
#define FLOW_OUTPUTS 3

struct flow_program;

struct flow_program *flow_draw(void *mem_ctx, struct rng *r, gl_shader_stage stage);
nir_shader *flow_build(void *mem_ctx, const struct flow_program *program);

struct flow_state {
   uint32_t inputs[FLOW_INPUTS][4];
   uint32_t outputs[FLOW_OUTPUTS][4];
};
/* Executes a program for one lane.  Returns false if the pixel is discarded. */
bool flow_execute(const struct flow_program *program, const uint32_t uniforms[FLOW_UNIFORMS][4],
                  struct flow_state *state);

/* Features of a program.  The tests check that they cover all of them. */
enum flow_feature {
   FLOW_NESTED_LOOP = 1 << 0,
   FLOW_BREAK = 1 << 1,
   FLOW_CONTINUE = 1 << 2,
   FLOW_RETURN = 1 << 3,
   FLOW_RETURN_IN_LOOP = 1 << 4,
   FLOW_DISCARD = 1 << 5,
   FLOW_UNIFORM_IF = 1 << 6,
   FLOW_DIVERGENT_IF = 1 << 7,
   FLOW_ARRAYS = 1 << 8,
};
unsigned flow_features(const struct flow_program *program);

/* Return the location of the n-th input or output. */
unsigned flow_input_location(gl_shader_stage stage, unsigned n);
unsigned flow_output_location(gl_shader_stage stage, unsigned n);

#endif
