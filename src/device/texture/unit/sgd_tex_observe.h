/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: observation of the texels that filters read and of their bilinear samples.  Only in
 * the observed level; without effect if work is not observed.
 *
 * Every filter path calls these functions with wrapped axes, so the records do not depend on the
 * path.  Texels of the border color are not recorded.
 */
#ifndef SGD_TEX_OBSERVE_H
#define SGD_TEX_OBSERVE_H

#include "observe/records/sgd_observe_work.h"
#include "texture/unit/sgd_tex_exec.h"

/* Begins an operation on a texture.  `samples` is the mask of lanes that take one bilinear sample
 * each that sgd_tex_observe_samples() does not count.
 */
void sgd_tex_observe_begin(const struct sgd_worker *worker, const struct sgd_tex_unit *unit,
                           uint32_t samples);
/* Returns the lanes of `lanes` that have a probe n. */
uint32_t sgd_tex_observe_probes(const struct sgd_tex_job *job, int32_t n, uint32_t lanes);
/* Counts a sample for each lane in job->sampling, two for a linear filter of a 3D texture. */
void sgd_tex_observe_samples(const struct sgd_tex_job *job, bool linear);
/* Records the texels that a filter reads for the lanes in job->sampling, from wrapped axes. */
void sgd_tex_observe_axes(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                          const struct sgd_tex_axis axis[3], bool linear);
/* Seamless cube version.  `corner` is 1 plus the tap that does not exist, or 0. */
void sgd_tex_observe_edges(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                           const struct sgd_tex_int x[4], const struct sgd_tex_int y[4],
                           const struct sgd_tex_int z[4], const struct sgd_tex_int *corner);
/* Records one texel of each lane in `lanes`.  The image unit uses this, too. */
void sgd_tex_observe_texels(const struct sgd_worker *worker, const struct sgd_tex_unit *unit,
                            const struct sgd_tex_level *level, const struct sgd_tex_int *x,
                            const struct sgd_tex_int *y, const struct sgd_tex_int *z,
                            const struct sgd_tex_int *sample, uint32_t lanes);

#endif
