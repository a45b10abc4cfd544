/* SPDX-License-Identifier: MIT */
/* Parses SGPU_DEBUG, and prints messages about missing features. */
#include "sgpu_debug.h"

#include <stdio.h>
#include <string.h>

#include "compiler/sgpu_compiler.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/os_misc.h"
#include "util/simple_mtx.h"
#include "util/u_call_once.h"
#include "util/u_debug.h"

static const struct debug_named_value debug_options[] = {
   { "cmd", SGPU_DEBUG_DEVICE, "print each submission's packets" },
   { "asm", SGPU_DEBUG_ASM, "print each shader's assembly and statistics" },
   { "shaderdb", SGPU_DEBUG_SHADERDB, "print each shader's statistics" },
   { "nir", SGPU_DEBUG_NIR, "print the NIR that instructions are selected from" },
   { "passes", SGPU_DEBUG_PASSES, "print the program after each pass of the compiler" },
   { "times", SGPU_DEBUG_TIMES, "print how long each pass of the compiler takes" },
   { "noopt", SGPU_DEBUG_NOOPT, "compile without the optional passes" },
   { "novp1", SGPU_DEBUG_NOVP1, "compile no shader to the base profile" },
   { "spillall", SGPU_DEBUG_SPILLALL, "spill whatever can be spilled" },
   { "validate", SGPU_DEBUG_VALIDATE, "check the program after each pass, in builds that do not" },
   { "novalidate", SGPU_DEBUG_NOVALIDATE, "do not check it, in builds of type debug" },
   { "dirty", SGPU_DEBUG_DIRTY, "emit all state with each draw" },
   { "flush", SGPU_DEBUG_FLUSH, "submit after each draw, clear, copy and blit" },
   { "sync", SGPU_DEBUG_SYNC, "wait for the end of each submission" },
   { "tc", SGPU_DEBUG_TC, "run contexts on threads of their own" },
   { "notc", SGPU_DEBUG_NOTC, "run contexts on the application's threads" },
   { "nocache", SGPU_DEBUG_NOCACHE, "neither read nor write the disk cache of shaders" },
   { "perf", SGPU_DEBUG_PERF, "print what makes the application wait" },
   { "jit", SGPU_DEBUG_DEVICE, "print the machine code of programs" },
   { "perfmap", SGPU_DEBUG_DEVICE, "name it in /tmp/perf-PID.map" },
   { "poison", SGPU_DEBUG_DEVICE, "fill new memory with a pattern instead of zeros" },
   { "plan", SGPU_DEBUG_DEVICE, "print how the device draws, once for each plan of a draw" },
   { "nopath=NAME", SGPU_DEBUG_DEVICE, "leave a fast path: eight, zcull, ... (architecture.md)" },
   { "unordered", SGPU_DEBUG_DEVICE, "run programs that write memory in any order" },
   { "shuffle=N", SGPU_DEBUG_DEVICE, "pick ready work at random, with N as seed" },
   { "profile=FOLDER", SGPU_DEBUG_DEVICE, "write samples for sgpu perf to this folder" },
   { "trace=FILE", SGPU_DEBUG_DEVICE, "write a time line of threads and calls" },
   { "host=LEVEL", SGPU_DEBUG_DEVICE, "use code for at most x86-64-LEVEL: v2, v3 or v4" },
   { "help", SGPU_DEBUG_HELP, "print this list" },
   DEBUG_NAMED_VALUE_END
};

static uint64_t debug_flags;

/* Words with a value are those of the device.  Their values, such as names of folders, may contain
 * words of the table, which debug_parse_flags_option() would find.
 */
static void
parse(void)
{
   const char *text = os_get_option("SGPU_DEBUG");
   char word[64]; /* no option is longer */

   while (text && *text) {
      const size_t length = strcspn(text, ", ");
      if (length < sizeof(word) && !memchr(text, '=', length)) {
         memcpy(word, text, length);
         word[length] = 0;
         debug_flags |= debug_parse_flags_option("SGPU_DEBUG", word, debug_options, 0);
      }
      text += length + strspn(text + length, ", ");
   }
}

uint64_t
sgpu_debug_flags(void)
{
   static util_once_flag once = UTIL_ONCE_FLAG_INIT;
   util_call_once(&once, parse);
   return debug_flags;
}

unsigned
sgpu_debug_compiler_flags(uint64_t flags)
{
   static const struct {
      uint64_t flag;
      unsigned compiler;
   } map[] = {
      { SGPU_DEBUG_ASM, SGPU_COMPILER_ASM },
      { SGPU_DEBUG_SHADERDB, SGPU_COMPILER_SHADERDB },
      { SGPU_DEBUG_NIR, SGPU_COMPILER_NIR },
      { SGPU_DEBUG_PASSES, SGPU_COMPILER_PASSES },
      { SGPU_DEBUG_NOOPT, SGPU_COMPILER_NOOPT },
      { SGPU_DEBUG_NOVP1, SGPU_COMPILER_NOVP1 },
      { SGPU_DEBUG_SPILLALL, SGPU_COMPILER_SPILLALL },
      { SGPU_DEBUG_NOVALIDATE, SGPU_COMPILER_NOVALIDATE },
      { SGPU_DEBUG_VALIDATE, SGPU_COMPILER_VALIDATE },
      { SGPU_DEBUG_TIMES, SGPU_COMPILER_TIMES },
   };
   unsigned out = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(map); i++) {
      if (flags & map[i].flag)
         out |= map[i].compiler;
   }
   return out;
}

void
sgpu_missing(const char *feature)
{
   static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;
   static const char *told[32];
   bool known = false;

   simple_mtx_lock(&lock);
   unsigned i = 0;
   while (i < ARRAY_SIZE(told) && told[i] && !known)
      known = !strcmp(told[i++], feature);
   if (!known && i < ARRAY_SIZE(told))
      told[i] = feature;
   simple_mtx_unlock(&lock);

   if (!known)
      fprintf(stderr, "sgpu: missing: %s (docs/features.md)\n", feature);
}
