/* SPDX-License-Identifier: MIT */
/*
 * Writes the timeline of a device to a file. stdio locks its streams, so lines of different threads
 * don't get mixed. The format doesn't require the closing bracket, so the file can be viewed even
 * if the process was killed.
 */
#include "control/sched/sgd_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct sgd_trace {
   FILE *file;
   pid_t process;
};

struct sgd_trace *
sgd_trace_create(const char *path)
{
   struct sgd_trace *trace = calloc(1, sizeof(*trace));

   if (!trace)
      return NULL;
   trace->process = getpid();
   trace->file = fopen(path, "we");
   if (!trace->file) {
      fprintf(stderr, "sgpu: SGPU_DEBUG=trace=%s: %s\n", path, strerror(errno));
      free(trace);
      return NULL;
   }
   fputs("[\n", trace->file);
   return trace;
}

void
sgd_trace_destroy(struct sgd_trace *trace)
{
   if (!trace)
      return;
   if (fclose(trace->file))
      fprintf(stderr, "sgpu: SGPU_DEBUG=trace: %s\n", strerror(errno));
   free(trace);
}

void
sgd_trace_flush(struct sgd_trace *trace)
{
   if (trace)
      fflush(trace->file);
}

static long
this_thread(void)
{
   return syscall(SYS_gettid);
}

/* Prints a time in ns as microseconds. The decimal point must not depend on the locale. */
#define US "%" PRIu64 ".%03u"
#define US_OF(ns) (uint64_t)((ns) / 1000), (unsigned)((ns) % 1000)

void
sgd_trace_thread(struct sgd_trace *trace, const char *name)
{
   if (trace)
      fprintf(trace->file,
              "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%ld,"
              "\"args\":{\"name\":\"%s\"}},\n",
              trace->process, this_thread(), name);
}

void
sgd_trace_span(struct sgd_trace *trace, const char *name, uint64_t start, uint64_t end,
               uint64_t number)
{
   if (trace)
      fprintf(trace->file,
              "{\"name\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%ld,\"ts\":" US ",\"dur\":" US ","
              "\"args\":{\"number\":%" PRIu64 "}},\n",
              name, trace->process, this_thread(), US_OF(start), US_OF(end - start), number);
}

void
sgd_trace_submission(struct sgd_trace *trace, uint64_t number, uint64_t time, char phase)
{
   if (trace)
      fprintf(trace->file,
              "{\"name\":\"submission\",\"cat\":\"queue\",\"ph\":\"%c\",\"id\":%" PRIu64
              ",\"pid\":%d,\"tid\":%ld,\"ts\":" US "},\n",
              phase, number, trace->process, this_thread(), US_OF(time));
}
