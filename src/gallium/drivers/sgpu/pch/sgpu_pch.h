/* SPDX-License-Identifier: MIT */
/* Precompiled header of the driver.  Each source file still includes all headers that it needs. */
#include "sgpu_context.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
