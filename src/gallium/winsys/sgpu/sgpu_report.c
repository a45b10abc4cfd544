/* SPDX-License-Identifier: MIT */
/* Reports screens and work to sgpu-require, if SGPU_REPORT is set. */
#include "sgpu_winsys.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/sgpu_report.h"
#include "util/u_atomic.h"

static struct sgpu_report_file *report; /* protected by the callers' lock until it is set */
static bool opened;
/* atomic: IDs of the latest processes that have reported.  A forked child reports again. */
static int32_t screen_pid, work_pid;

static struct sgpu_report_file *
open_report(void)
{
   const char *name = secure_getenv(SGPU_REPORT_VARIABLE);
   struct stat st;

   if (!name || !*name)
      return NULL;
   const int fd = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
   if (fd < 0)
      return NULL;
   void *map = MAP_FAILED;
   if (!fstat(fd, &st) && st.st_size == (off_t)sizeof(struct sgpu_report_file))
      map = mmap(NULL, sizeof(struct sgpu_report_file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   close(fd);
   if (map == MAP_FAILED)
      return NULL;
   if (((struct sgpu_report_file *)map)->magic != SGPU_REPORT_MAGIC) {
      munmap(map, sizeof(struct sgpu_report_file));
      return NULL;
   }
   return map;
}

static void
write_once(enum sgpu_report_kind kind, int32_t *reported)
{
   const struct sgpu_report_process process = {
      .pid = getpid(),
      .random = (const uint8_t *)getauxval(AT_RANDOM),
      .program = (const char *)getauxval(AT_EXECFN),
   };

   if (p_atomic_xchg(reported, process.pid) != process.pid)
      sgpu_report_write(report, kind, &process, "");
}

void
sgpu_report_screen(void)
{
   if (!opened) {
      report = open_report();
      opened = true;
   }
   if (report)
      write_once(SGPU_REPORT_SCREEN, &screen_pid);
}

void
sgpu_report_work(struct sgpu_winsys *ws)
{
   if (report && !p_atomic_xchg(&ws->work_reported, true))
      write_once(SGPU_REPORT_DRAW, &work_pid);
}
