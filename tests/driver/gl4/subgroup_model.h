/* SPDX-License-Identifier: MIT */
/*
 * For tests of KHR_shader_subgroup: the operations as GLSL, and their results computed on the CPU
 * from the values of the active invocations.
 *
 * Each invocation has an ID that is unique in its draw or grid.  All its values are functions of a
 * hash of the ID.
 */
#ifndef SUBGROUP_MODEL_H
#define SUBGROUP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of invocations in a subgroup that the tests support.  The extension allows 128. */
#define MAX_SUBGROUP 128

/* The invocations that execute an operation together. */
struct subgroup {
   unsigned size;             /* gl_SubgroupSize */
   bool active[MAX_SUBGROUP]; /* by gl_SubgroupInvocationID */
   uint32_t id[MAX_SUBGROUP]; /* IDs of the active invocations */
};

/* Declarations of GLSL that the text of the operations needs, behind the declaration
 * "void put(uint word);".
 */
extern const char *const subgroup_functions;

/* Number of operations of all kinds. */
unsigned subgroup_count(void);

/* Returns a statement that calls put() for each word of the result of operation n.  `hash` and `lane`
 * are variables of the shader.  Valid until the next call.
 */
const char *subgroup_text(unsigned n);

/* Maximum number of words of a result. */
#define MAX_RESULT 8

/* Sets the words of the result of operation n in an active lane and returns their number.  Sets
 * *defined to false if the result is undefined, because it is the value of an inactive lane.
 */
unsigned subgroup_result(unsigned n, const struct subgroup *s, unsigned lane,
                         uint32_t words[MAX_RESULT], bool *defined);

#endif
