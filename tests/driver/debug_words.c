/* SPDX-License-Identifier: MIT */
/*
 * The words of SGPU_DEBUG: values, such as names of folders, are none. Each case runs in a process
 * of its own, since the variable is read once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sgpu_debug.h"

static int
check(const char *text, uint64_t wanted)
{
   const pid_t pid = fork();
   int status;

   if (pid == 0) {
      setenv("SGPU_DEBUG", text, 1);
      const uint64_t flags = sgpu_debug_flags();
      if (flags != wanted)
         printf("SGPU_DEBUG=%s: 0x%llx\n", text, (unsigned long long)flags);
      fflush(stdout);
      _exit(flags != wanted);
   }
   return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

int
main(void)
{
   int bad = 0;

   bad += check("", 0);
   bad += check("tc", SGPU_DEBUG_TC);
   bad += check("tc,asm", SGPU_DEBUG_TC | SGPU_DEBUG_ASM);
   bad += check("tc asm", SGPU_DEBUG_TC | SGPU_DEBUG_ASM);
   bad += check("notc,cmd", SGPU_DEBUG_NOTC | SGPU_DEBUG_DEVICE);
   bad += check("profile=/tmp/tc/x", 0);
   bad += check("profile=/tmp/tc/asm-nir,sync", SGPU_DEBUG_SYNC);
   bad += check("trace=sync,nopath=all,perf", SGPU_DEBUG_PERF);
   return bad != 0;
}
