/* SPDX-License-Identifier: MIT */
/* Debug flags of the environment variable SGPU_DEBUG, and messages about missing features. */
#ifndef SGPU_DEBUG_H
#define SGPU_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

/* Debug flags.  The table in sgpu_debug.c describes each flag. */
enum sgpu_debug_flag {
   SGPU_DEBUG_HELP = 1 << 0,
   SGPU_DEBUG_ASM = 1 << 1,
   SGPU_DEBUG_SHADERDB = 1 << 2,
   SGPU_DEBUG_NIR = 1 << 3,
   SGPU_DEBUG_PASSES = 1 << 4,
   SGPU_DEBUG_NOOPT = 1 << 5,
   SGPU_DEBUG_NOVP1 = 1 << 6,
   SGPU_DEBUG_SPILLALL = 1 << 7,
   SGPU_DEBUG_VALIDATE = 1 << 8,
   SGPU_DEBUG_NOVALIDATE = 1 << 9,
   SGPU_DEBUG_DIRTY = 1 << 10,
   SGPU_DEBUG_FLUSH = 1 << 11,
   SGPU_DEBUG_SYNC = 1 << 12,
   SGPU_DEBUG_TC = 1 << 13,
   SGPU_DEBUG_NOTC = 1 << 14,
   SGPU_DEBUG_NOCACHE = 1 << 15,
   SGPU_DEBUG_PERF = 1 << 16,
   /* Set if SGPU_DEBUG contains an option of the device layer (sgpu_device_params_from_env()). */
   SGPU_DEBUG_DEVICE = 1 << 17,
   SGPU_DEBUG_TIMES = 1 << 18,
};

/* Parses SGPU_DEBUG and returns a mask of enum sgpu_debug_flag.  Prints a table of the flags if
 * SGPU_DEBUG contains `help`.
 */
uint64_t sgpu_debug_flags(void);

/* Returns the compiler's debug flags as a mask of enum sgpu_compiler_debug. */
unsigned sgpu_debug_compiler_flags(uint64_t flags);

/* Prints a message that the device does not support `feature`, a string constant.  Only the first
 * call for a feature prints the message.
 */
void sgpu_missing(const char *feature);

#endif
