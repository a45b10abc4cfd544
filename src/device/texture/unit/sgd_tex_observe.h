/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: records the texels that filters read, and their bilinear samples, for the observer.
 * Compiled only for the host level that records for the observer. The functions do nothing unless
 * the observer asks for work.
 *
 * Every filter path calls these functions with wrapped axes, so the records don't depend on the
 * path. Reads of the border color are not recorded.
 */
#ifndef SGD_TEX_OBSERVE_H
#define SGD_TEX_OBSERVE_H

#include "observe/records/sgd_observe_work.h"
#include "texture/unit/sgd_tex_exec.h"

/* Must be called at the start of a texture operation. `samples` is a mask of the lanes that take a
 * bilinear sample, in operations for which sgd_tex_observe_samples() is not called.
 */
void sgd_tex_observe_begin(const struct sgd_worker *worker, const struct sgd_tex_unit *unit,
                           uint32_t samples);
/* Returns the lanes in `lanes` that have at least n + 1 anisotropic probes. */
uint32_t sgd_tex_observe_probes(const struct sgd_tex_job *job, int32_t n, uint32_t lanes);
/* Counts a sample for each lane in job->sampling, or two samples for linear filters of 3D textures.
 */
void sgd_tex_observe_samples(const struct sgd_tex_job *job, bool linear);
/* Records the texels that a filter with wrapped axes reads for the lanes in job->sampling. */
void sgd_tex_observe_axes(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                          const struct sgd_tex_axis axis[3], bool linear);
/* Version of sgd_tex_observe_axes() for seamless cube maps. `corner` is 1 + the index of the tap
 * that doesn't exist, or 0.
 */
void sgd_tex_observe_edges(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                           const struct sgd_tex_int x[4], const struct sgd_tex_int y[4],
                           const struct sgd_tex_int z[4], const struct sgd_tex_int *corner);
/* Records a texel for each lane in `lanes`. Also used by the image unit. */
void sgd_tex_observe_texels(const struct sgd_worker *worker, const struct sgd_tex_unit *unit,
                            const struct sgd_tex_level *level, const struct sgd_tex_int *x,
                            const struct sgd_tex_int *y, const struct sgd_tex_int *z,
                            const struct sgd_tex_int *sample, uint32_t lanes);

#endif
