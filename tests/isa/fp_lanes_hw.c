/* SPDX-License-Identifier: MIT */

/* The functions of sgpu_fp.h as the device uses them on this host. */

#define FP_LANES_TABLE fp_lanes_hw
#include "fp_lanes_impl.h"
