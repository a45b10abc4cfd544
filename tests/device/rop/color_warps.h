/* SPDX-License-Identifier: MIT */
/*
 * Random warps for tests of colours, in every format that can be rendered to, run at every host
 * level.
 */
#ifndef COLOR_WARPS_H
#define COLOR_WARPS_H

#include "color_model.h"
#include "rop_test.h"

extern struct rop_level color_levels[3];
extern unsigned color_num_levels;
extern struct sgd_worker color_worker;
extern struct sgd_vec color_out[64]; /* outputs of the pixel program */

extern enum pipe_format color_targets[SGPU_FORMAT_COUNT];
extern unsigned color_num_targets;

/* Runs the tests of a file, after it has found formats and levels. */
#define color_run_tests(tests) \
   (color_begin(), color_end(cmocka_run_group_tests_name("colours", tests, NULL, NULL)))
void color_begin(void);
int color_end(int result);

/* Makes a target of several blocks, layers and samples, with its memory in m. */
void color_surface(struct sgd_surface *s, struct rop_memory *m, enum pipe_format format);
/* Returns a zeroed state with one target, whose memory is in m. The caller frees both. */
struct sgd_state *color_state(enum pipe_format format, struct rop_memory *m);
/* Fills color_out with random colours. If `finite`, there are no infinities or NaNs. */
void color_random(const struct model_format *f, bool finite, uint64_t *seed);
/* Sets random blending for target 0, which may use a second source. */
void color_random_blend(struct sgd_state *st, uint64_t *seed);
/* Fills the target with random elements. Floats are numbers small enough for computations. */
void color_fill(const struct model_format *f, struct rop_memory *m, uint64_t *seed);
/* Runs the warp at all levels, which must agree. Code for special cases of blending must agree with
 * the code for any blending. Leaves the result in m and in `first`.
 */
void color_run_levels(const struct sgd_state *st, struct rop_memory *m,
                      const struct sgd_quads *quads, const uint8_t *before, uint8_t *first);

#endif
