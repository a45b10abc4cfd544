/* SPDX-License-Identifier: MIT */
/*
 * Precompiled header for the engines, built once for each host level. Source files must not rely on
 * it for their includes, because builds for aarch64 don't use precompiled headers.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "common/sgd_arch.h"
#include "common/sgd_lanes.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_state.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"
#include "util/macros.h"
