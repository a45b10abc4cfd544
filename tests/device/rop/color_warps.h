/* SPDX-License-Identifier: MIT */
/*
 * For tests of colours: random warps in every format that can be rendered to,
 * run at every host level.
 */
#ifndef COLOR_WARPS_H
#define COLOR_WARPS_H

#include "color_model.h"
#include "rop_test.h"

extern struct rop_level color_levels[3];
extern unsigned color_num_levels;
extern struct sgd_worker color_worker;
extern struct sgd_vec color_out[64]; /* the pixel program's outputs */

extern enum pipe_format color_targets[SGPU_FORMAT_COUNT];
extern unsigned color_num_targets;

/* Runs a file's tests; the formats and levels are found before. */
#define color_run_tests(tests) \
   (color_begin(), color_end(cmocka_run_group_tests_name("colours", tests, NULL, NULL)))
void color_begin(void);
int color_end(int result);

/* A target of several blocks, layers and samples, in memory of its own. */
void color_surface(struct sgd_surface *s, struct rop_memory *m, enum pipe_format format);
/* calloc'ed, with one target that `m` gets the memory of. */
struct sgd_state *color_state(enum pipe_format format, struct rop_memory *m);
/* In color_out.  finite: neither infinities nor NaN. */
void color_random(const struct model_format *f, bool finite, uint64_t *seed);
/* Of target 0; with a second source. */
void color_random_blend(struct sgd_state *st, uint64_t *seed);
/* Random; floats are numbers and not too large to compute with. */
void color_fill(const struct model_format *f, struct rop_memory *m, uint64_t *seed);
/* Runs the warp at all levels, which must agree, as must code for special cases of blending with
 * that for any; and leaves the result in `m` and
 * in `first`.
 */
void color_run_levels(const struct sgd_state *st, struct rop_memory *m,
                      const struct sgd_quads *quads, const uint8_t *before, uint8_t *first);

#endif
