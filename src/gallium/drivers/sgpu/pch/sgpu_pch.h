/* SPDX-License-Identifier: MIT */
/* The precompiled header of the driver.  Each file still includes all that it uses. */
#include "sgpu_context.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
