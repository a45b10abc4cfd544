/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "report/sgt_chrome.h"

static void
chrome_event(struct sgt_chrome *c)
{
   fputs(c->filled ? ",\n" : "\n", c->fp);
   c->filled = true;
}

void
sgt_chrome_open(FILE *fp)
{
   fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [", fp);
}

void
sgt_chrome_close(FILE *fp)
{
   fputs("\n]}\n", fp);
}

void
sgt_chrome_process(struct sgt_chrome *c, uint64_t process, const char *name)
{
   c->process = process;
   chrome_event(c);
   fprintf(c->fp,
           "{\"ph\": \"M\", \"pid\": %" PRIu64
           ", \"name\": \"process_name\", \"args\": {\"name\": \"%s\"}}",
           process, name);
}

void
sgt_chrome_track(struct sgt_chrome *c, unsigned track, const char *name)
{
   chrome_event(c);
   fprintf(c->fp,
           "{\"ph\": \"M\", \"pid\": %" PRIu64 ", \"tid\": %u, \"name\": \"thread_name\", "
           "\"args\": {\"name\": \"%s\"}}",
           c->process, track, name);
   chrome_event(c);
   fprintf(c->fp,
           "{\"ph\": \"M\", \"pid\": %" PRIu64 ", \"tid\": %u, \"name\": \"thread_sort_index\", "
           "\"args\": {\"sort_index\": %u}}",
           c->process, track, track);
}

void
sgt_chrome_slice(struct sgt_chrome *c, unsigned track, uint64_t begin, uint64_t length)
{
   chrome_event(c);
   fprintf(c->fp,
           "{\"ph\": \"X\", \"pid\": %" PRIu64 ", \"tid\": %u, \"ts\": %" PRIu64
           ", \"dur\": %" PRIu64 ", ",
           c->process, track, begin, length);
}

void
sgt_chrome_counter(struct sgt_chrome *c, const char *name, uint64_t time, uint64_t value)
{
   chrome_event(c);
   fprintf(c->fp,
           "{\"ph\": \"C\", \"pid\": %" PRIu64 ", \"ts\": %" PRIu64
           ", \"name\": \"%s\", \"args\": {\"%s\": %" PRIu64 "}}",
           c->process, time, name, name, value);
}
