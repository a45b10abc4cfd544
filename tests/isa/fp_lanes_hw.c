/* SPDX-License-Identifier: MIT */

/* sgpu_fp.h as the device uses it on this host. */

#define FP_LANES_TABLE fp_lanes_hw
#include "fp_lanes_impl.h"
