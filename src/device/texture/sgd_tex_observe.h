/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, observation of work: the texels that filters take, and their bilinear samples.
 * Only in the observed level; without effect if work is not observed.
 *
 * All ways of filtering come through the wrapped axes, so what is noted there does not depend
 * on the way.  Texels of the border colour are not read.
 */
#ifndef SGD_TEX_OBSERVE_H
#define SGD_TEX_OBSERVE_H

#include "observe/sgd_observe_work.h"
#include "texture/sgd_tex_exec.h"

/* An operation on a texture; `samples`: lanes that take one bilinear sample each, of those that
 * sgd_tex_observe_samples does not count.
 */
void sgd_tex_observe_begin(const struct sgd_worker *worker, const struct sgd_tex_unit *unit,
                           uint32_t samples);
/* Lanes of `lanes` that have an n-th probe. */
uint32_t sgd_tex_observe_probes(const struct sgd_tex_job *job, int32_t n, uint32_t lanes);
/* The lanes of job->sampling take a sample of a level: two of its slices where it has depth. */
void sgd_tex_observe_samples(const struct sgd_tex_job *job, bool linear);
/* The texels of job->sampling that a filter takes, from wrapped axes. */
void sgd_tex_observe_axes(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                          const struct sgd_tex_axis axis[3], bool linear);
/* The same of a seamless cube; corner: the texel that there is none of, plus 1. */
void sgd_tex_observe_edges(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                           const struct sgd_tex_int x[4], const struct sgd_tex_int y[4],
                           const struct sgd_tex_int z[4], const struct sgd_tex_int *corner);
/* A texel of each lane; also of images. */
void sgd_tex_observe_texels(const struct sgd_worker *worker, const struct sgd_tex_unit *unit,
                            const struct sgd_tex_level *level, const struct sgd_tex_int *x,
                            const struct sgd_tex_int *y, const struct sgd_tex_int *z,
                            const struct sgd_tex_int *sample, uint32_t lanes);

#endif
