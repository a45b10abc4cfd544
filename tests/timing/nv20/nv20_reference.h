/* SPDX-License-Identifier: MIT */
/*
 * The vertex engine of 2001 by plain loops over cycles, without channels and calls.  It also proves
 * what the fast model assumes: an input buffer holds the attributes as they were at the write of
 * attribute 0.
 */
#ifndef NV20_REFERENCE_H
#define NV20_REFERENCE_H

#include "nv20/sgt_nv20.h"

/* Like sgt_nv20_run(). */
bool nv20_reference(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                    const struct sgt_nv20_observer *observer, struct sgt_nv20_result *result,
                    char *error, size_t error_size);

#endif
