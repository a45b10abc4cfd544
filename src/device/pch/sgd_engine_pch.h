/* SPDX-License-Identifier: MIT */
/*
 * The precompiled header of the engines, once per host level.  Each file still includes all
 * that it uses: the build for aarch64 has no precompiled headers.
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
