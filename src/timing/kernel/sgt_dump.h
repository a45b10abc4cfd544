/* SPDX-License-Identifier: MIT */
/*
 * Dumps the requests in flight in all units, for the error message when a model hangs.
 *
 * Each unit has a function that writes its line, e.g.
 *
 *    sgt_dump_unit(d, unit.clock, "tex", 3);
 *    sgt_dump_state(d, "filters", "memory");
 *    sgt_dump_queue(d, "fifo", 2, 64);
 *    sgt_dump_oldest(d, time);
 *    sgt_dump_channel(d, "requests", channel);
 *
 * writes "tex3 (filters memory): fifo 2 of 64, oldest 120 cycles; requests 1 of 8, oldest 9
 * cycles". A unit with empty queues gets no line. Each unit dumps the channels that it receives
 * messages from.
 */
#ifndef SGT_DUMP_H
#define SGT_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgt_channel;
struct sgt_clock;

/* size in bytes of a buffer that is large enough for the dump of a whole chip */
#define SGT_ERROR_BYTES 8192
/* value of `number` for a unit whose name is unique; the dump doesn't print this number */
#define SGT_DUMP_ONLY UINT32_MAX

struct sgt_dump {
   char *text;
   /* size: size of the buffer in bytes
    * used: length of the text in bytes; the text ends with "..." if it was truncated
    */
   size_t size, used;
   uint64_t now; /* current time in ticks */

   /* Current unit. Its line is started by the first queue that is not empty. */
   const struct sgt_clock *clock;
   char name[32], states[96];
   /* begun: true if the line of the current unit has been started
    * queued: true if the last queue is not empty, and therefore part of the line
    */
   bool begun, queued;
};

/* Initializes a dump that appends to the string in `text`, a buffer of `size` bytes. `now` is the
 * current time in ticks.
 */
void sgt_dump_init(struct sgt_dump *d, char *text, size_t size, uint64_t now);
/* Starts the dump of a unit. The ages of its entries are printed in cycles of `clock`. */
void sgt_dump_unit(struct sgt_dump *d, const struct sgt_clock *clock, const char *name,
                   uint32_t number);
/* Adds the state of a part of the unit, or of the whole unit if `part` is "". Must be called before
 * the first sgt_dump_queue() of the unit.
 */
void sgt_dump_state(struct sgt_dump *d, const char *part, const char *state);
/* Adds a queue that contains `num` entries and has room for `room` entries. `room` is 0 if the
 * capacity is unknown.
 */
void sgt_dump_queue(struct sgt_dump *d, const char *name, uint64_t num, uint64_t room);
/* Adds the age of the oldest entry of the last queue. `since` is the time in ticks when the entry
 * was queued.
 */
void sgt_dump_oldest(struct sgt_dump *d, uint64_t since);
/* Adds a channel. Does nothing if `c` is NULL or empty. */
void sgt_dump_channel(struct sgt_dump *d, const char *name, const struct sgt_channel *c);

#endif
