/* SPDX-License-Identifier: MIT */
/*
 * Writes the log of live timing. If a process creates several devices one after the other, they
 * share the log file.
 */
#include "live/sgt_live_log.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static bool failed;

static const char *const causes[SGT_LIVE_CAUSES] = {
   [SGT_LIVE_FRAME] = "frame",     [SGT_LIVE_FINISH] = "finish", [SGT_LIVE_QUERY] = "query",
   [SGT_LIVE_COUNTER] = "counter", [SGT_LIVE_END] = "end",       [SGT_LIVE_LIMIT] = "limit",
};

static void
log_say(const char *path, int error)
{
   fprintf(stderr, "sgpu: timing: %s: %s\n", path, strerror(error));
   failed = true;
}

static void
log_append(const char *path, const struct sgt_live_segment *s)
{
   if (!file) {
      file = fopen(path, "wxe");
      if (!file) {
         log_say(path, errno);
         return;
      }
      fprintf(file, "cause,operations,draws,cycles,ns,total,error\n");
   }
   fprintf(file, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s%s%s\n",
           causes[s->cause], s->operations, s->draws, s->cycles, s->ns, s->total,
           s->error ? "\"" : "", s->error ? s->error : "", s->error ? "\"" : "");
   if (fflush(file))
      log_say(path, errno);
}

void
sgt_live_log(const char *path, const struct sgt_live_segment *segment)
{
   pthread_mutex_lock(&lock);
   if (!failed)
      log_append(path, segment);
   pthread_mutex_unlock(&lock);
}
