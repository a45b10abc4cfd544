/* SPDX-License-Identifier: MIT */
/* The audit library (LD_AUDIT, see rtld-audit(7)) reports the libraries of OpenGL that a process
 * loads to sgpu-require.  The dynamic linker calls la_objopen() for each library, whichever call
 * loads it, so a report depends on neither time nor symbols.
 *
 * The library has neither la_symbind() nor la_pltenter(), so calls between libraries stay as fast
 * as they are.  It needs no other library, since the dynamic linker would load a second C library
 * for it.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "report/sgpu_report.h"

static struct sgpu_report_file *report;
static struct sgpu_report_process process;

/* Makes a system call.  Returns its result, or -errno. */
static long
call(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
   register long r10 __asm__("r10") = d;
   register long r8 __asm__("r8") = e;
   register long r9 __asm__("r9") = f;
   long result;

   __asm__ volatile("syscall"
                    : "=a"(result)
                    : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                    : "rcx", "r11", "memory");
   return result;
#elif defined(__aarch64__)
   register long x8 __asm__("x8") = number;
   register long x0 __asm__("x0") = a;
   register long x1 __asm__("x1") = b;
   register long x2 __asm__("x2") = c;
   register long x3 __asm__("x3") = d;
   register long x4 __asm__("x4") = e;
   register long x5 __asm__("x5") = f;

   __asm__ volatile("svc 0"
                    : "+r"(x0)
                    : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                    : "memory");
   return x0;
#else
#error "system calls of this architecture"
#endif
}

static bool
starts_with(const char *text, const char *start)
{
   while (*start) {
      if (*text++ != *start++)
         return false;
   }
   return true;
}

static bool
contains(const char *text, const char *part)
{
   for (; *text; text++) {
      if (starts_with(text, part))
         return true;
   }
   return false;
}

static void
open_report(const char *name)
{
   const long fd = call(SYS_openat, AT_FDCWD, (long)name, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0, 0, 0);
   if (fd < 0)
      return;
   const long size = call(SYS_lseek, fd, 0, 2 /* SEEK_END */, 0, 0, 0);
   const long map = size == (long)sizeof(struct sgpu_report_file)
                       ? call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                       : -1;
   call(SYS_close, fd, 0, 0, 0, 0, 0);
   if (map < 0 && map > -4096)
      return;
   report = (struct sgpu_report_file *)map;
   if (report->magic != SGPU_REPORT_MAGIC) {
      call(SYS_munmap, map, size, 0, 0, 0, 0);
      report = NULL;
   }
}

/* Called by the dynamic linker before la_version(), with the program's arguments. */
static void __attribute__((constructor)) init(int argc, char **argv, char **env)
{
   const char *name = NULL;

   for (; *env; env++) {
      if (starts_with(*env, SGPU_REPORT_VARIABLE "="))
         name = *env + sizeof SGPU_REPORT_VARIABLE;
   }
   for (const ElfW(auxv_t) *aux = (const ElfW(auxv_t) *)(env + 1); aux->a_type != AT_NULL; aux++) {
      if (aux->a_type == AT_RANDOM)
         process.random = (const uint8_t *)aux->a_un.a_val;
      if (aux->a_type == AT_EXECFN)
         process.program = (const char *)aux->a_un.a_val;
   }
   if (name && *name)
      open_report(name);
}

/* Returns the version of the interface, or 0 if there is no report: the dynamic linker
 * then unloads the library.
 */
__attribute__((visibility("default"))) unsigned
la_version(unsigned version)
{
   return report ? version : 0;
}

/* sgpu-require classifies the libraries.  These are the names that it looks at. */
static bool
is_of_interest(const char *name)
{
   static const char starts[][20] = {
      "libGL.so",   "libGLX",     "libEGL",  "libGLES",    "libOpenGL",         "libGLdispatch",
      "libOSMesa",  "libgallium", "dri_gbm", "libvulkan_", "libvk_swiftshader", "libswiftshader",
      "libnvidia-", "libMali",    "libmali", "libvdpau_",  "libVkICD",
   };
   for (unsigned i = 0; i < sizeof starts / sizeof starts[0]; i++) {
      if (starts_with(name, starts[i]))
         return true;
   }
   return contains(name, "_dri.so") || contains(name, "_drv_video.so");
}

__attribute__((visibility("default"))) unsigned
la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
   const char *name = map->l_name;

   for (const char *c = map->l_name; *c; c++) {
      if (*c == '/')
         name = c + 1;
   }
   if (is_of_interest(name)) {
      /* A forked child has another process ID. */
      process.pid = (int32_t)call(SYS_getpid, 0, 0, 0, 0, 0, 0);
      sgpu_report_write(report, SGPU_REPORT_LIBRARY, &process, map->l_name);
   }
   /* No symbol of the library is of interest. */
   return 0;
}
