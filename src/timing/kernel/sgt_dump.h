/* SPDX-License-Identifier: MIT */
/*
 * Text about what units have under way, for the error of a model that has stopped.
 *
 * Each unit has a function that writes its line:
 *
 *    sgt_dump_unit(d, unit.clock, "tex", 3);
 *    sgt_dump_state(d, "filters", "memory");
 *    sgt_dump_queue(d, "fifo", 2, 64);
 *    sgt_dump_oldest(d, time);
 *    sgt_dump_channel(d, "requests", channel);
 *
 * makes "tex3 (filters memory): fifo 2 of 64, oldest 120 cycles; requests 1 of 8, oldest 9 cycles".
 * A unit whose queues are all empty has no line.  A unit writes the channels that it receives from.
 */
#ifndef SGT_DUMP_H
#define SGT_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgt_channel;
struct sgt_clock;

/* Size of a buffer in which the text of a whole chip has room. */
#define SGT_ERROR_BYTES 8192
/* Number of a unit that is the only one of its name. */
#define SGT_DUMP_ONLY UINT32_MAX

struct sgt_dump {
   char *text;
   size_t size, used; /* bytes; a text that does not fit ends with "..." */
   uint64_t now;      /* ticks */

   /* The unit, whose line starts with its first queue that is not empty. */
   const struct sgt_clock *clock;
   char name[32], states[96];
   bool begun, queued; /* whether the unit has a line; whether its latest queue is in it */
};

/* Appends to the text in a buffer of `size` bytes.  `now` is the present time, in ticks. */
void sgt_dump_init(struct sgt_dump *d, char *text, size_t size, uint64_t now);
/* Starts the line of a unit, whose cycles are those of the clock. */
void sgt_dump_unit(struct sgt_dump *d, const struct sgt_clock *clock, const char *name,
                   uint32_t number);
/* State of a part of the unit.  Comes before the queues.  part: "" for the whole unit */
void sgt_dump_state(struct sgt_dump *d, const char *part, const char *state);
/* A queue with `num` entries and room for `room`; 0: the room is not known. */
void sgt_dump_queue(struct sgt_dump *d, const char *name, uint64_t num, uint64_t room);
/* Age of the oldest entry of the latest queue.  `since` is its time, in ticks. */
void sgt_dump_oldest(struct sgt_dump *d, uint64_t since);
/* A channel that is connected, or NULL. */
void sgt_dump_channel(struct sgt_dump *d, const char *name, const struct sgt_channel *c);

#endif
