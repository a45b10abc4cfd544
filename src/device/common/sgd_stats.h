/* SPDX-License-Identifier: MIT */
/*
 * Gallium's pipeline statistics.
 */
#ifndef SGD_STATS_H
#define SGD_STATS_H

#include <stdint.h>

#include "sgpu_isa.h"

struct sgd_stats {
   /* Counts as in struct pipe_query_data_pipeline_statistics. */
   uint64_t ia_vertices, ia_primitives, vs_invocations, gs_invocations, gs_primitives,
      c_invocations, c_primitives, ps_invocations, hs_invocations, ds_invocations, cs_invocations;
   /* number of primitives before clipping, per vertex stream */
   uint64_t generated[SGPU_MAX_VERTEX_STREAMS];
   uint64_t samples_passed; /* number of samples that passed the depth and stencil tests */
};

#endif
