/* SPDX-License-Identifier: MIT */
/*
 * Dumps the requests in flight in all units.
 */
#include "kernel/sgt_dump.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/sgt_channel.h"
#include "util/macros.h"

static void PRINTFLIKE(2, 3) dump_append(struct sgt_dump *d, const char *format, ...)
{
   static const char end[] = "\n...";
   va_list args;

   if (d->used >= d->size)
      return;
   va_start(args, format);
   d->used += vsnprintf(d->text + d->used, d->size - d->used, format, args);
   va_end(args);
   if (d->used >= d->size && d->size >= sizeof(end))
      memcpy(d->text + d->size - sizeof(end), end, sizeof(end));
}

void
sgt_dump_init(struct sgt_dump *d, char *text, size_t size, uint64_t now)
{
   *d = (struct sgt_dump){ .text = text, .size = size, .used = strlen(text), .now = now };
}

void
sgt_dump_unit(struct sgt_dump *d, const struct sgt_clock *clock, const char *name, uint32_t number)
{
   d->clock = clock;
   d->begun = d->queued = false;
   d->states[0] = 0;
   if (number == SGT_DUMP_ONLY)
      snprintf(d->name, sizeof(d->name), "%s", name);
   else
      snprintf(d->name, sizeof(d->name), "%s%" PRIu32, name, number);
}

void
sgt_dump_state(struct sgt_dump *d, const char *part, const char *state)
{
   const size_t used = strlen(d->states);
   snprintf(d->states + used, sizeof(d->states) - used, "%s%s%s%s", used ? ", " : " (", part,
            *part ? " " : "", state);
}

void
sgt_dump_queue(struct sgt_dump *d, const char *name, uint64_t num, uint64_t room)
{
   d->queued = num != 0;
   if (!num)
      return;
   if (d->begun)
      dump_append(d, "; ");
   else
      dump_append(d, "\n  %s%s%s: ", d->name, d->states, d->states[0] ? ")" : "");
   d->begun = true;
   dump_append(d, "%s %" PRIu64, name, num);
   if (room)
      dump_append(d, " of %" PRIu64, room);
}

void
sgt_dump_oldest(struct sgt_dump *d, uint64_t since)
{
   if (d->queued && since <= d->now)
      dump_append(d, ", oldest %" PRIu64 " cycles", (d->now - since) / d->clock->period);
}

void
sgt_dump_channel(struct sgt_dump *d, const char *name, const struct sgt_channel *c)
{
   if (!c || sgt_channel_empty(c))
      return;
   sgt_dump_queue(d, name, c->sent - c->taken, c->capacity);
   uint64_t sent;
   memcpy(&sent, c->head, sizeof(sent));
   sgt_dump_oldest(d, sent);
}
