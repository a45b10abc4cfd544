/* SPDX-License-Identifier: MIT */

/* The functions of sgpu_fp.h with explicit flushing on every host. */

#define SGPU_FP_SOFT_FTZ
#define FP_LANES_TABLE fp_lanes_soft
#include "fp_lanes_impl.h"
