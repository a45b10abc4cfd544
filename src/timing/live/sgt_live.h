/* SPDX-License-Identifier: MIT */
/*
 * Live timing: simulates in a chip model what the functional device does, while the program runs.
 * The driver uses this interface.
 *
 *    live = sgt_live_create("g80", error, sizeof error);
 *    device_params.observer = sgt_live_observer(live);      before the device is created
 *    ...
 *    sgt_live_submitted(live);                              after each submission has ended
 *    sgt_live_cut(live, SGT_LIVE_FRAME);
 *
 * The work of submissions is collected in segments. A segment ends at a cut. A separate thread
 * simulates the segments one after the other; each starts with an idle chip. The simulated clock
 * counts only the core cycles of segments.
 *
 * All results depend only on submissions, cuts and their order. A forked child has no timing: its
 * cycles and counters are 0, and no function waits.
 */
#ifndef SGT_LIVE_H
#define SGT_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sgpu_observer;
struct sgt_live;
struct sgt_live_snapshot;

/* The reason for the end of a segment. */
enum sgt_live_cause {
   SGT_LIVE_FRAME,   /* a picture is presented */
   SGT_LIVE_FINISH,  /* the program waits for the end of its work */
   SGT_LIVE_QUERY,   /* the program reads a time that is in the segment */
   SGT_LIVE_COUNTER, /* the program begins or ends a query of a counter */
   SGT_LIVE_END,     /* the device is destroyed */
   SGT_LIVE_LIMIT,   /* the records of the segment's work are too large */
   SGT_LIVE_CAUSES,
};

/* Creates live timing from options of the form
 * CONFIG[,SECTION.KEY=VALUE...][,wait][,log=FILE]. CONFIG is a parameter file, or the name of a
 * configuration that is built in. On an error, returns NULL and writes a message to `error`.
 */
struct sgt_live *sgt_live_create(const char *text, char *error, size_t error_size);
/* Prints the possible options and all counters to stderr. */
void sgt_live_help(void);
/* Destroys live timing. The device must have been destroyed before. */
void sgt_live_destroy(struct sgt_live *live);
/* Returns the observer that the device must be created with. */
const struct sgpu_observer *sgt_live_observer(struct sgt_live *live);

/* Called after the device has ended a submission. Waits while too many segments have not been
 * simulated.
 */
void sgt_live_submitted(struct sgt_live *live);
/* Ends the segment. It consists of the submissions since the latest cut; without submissions, no
 * segment is made. Waits like sgt_live_submitted().
 */
void sgt_live_cut(struct sgt_live *live, enum sgt_live_cause cause);
/* Returns whether fences also wait for the simulation (option "wait"). */
bool sgt_live_fences_wait(const struct sgt_live *live);
/* Waits until all segments up to the latest cut have been simulated. */
void sgt_live_wait(struct sgt_live *live);

/* Ends the segment, waits, and returns the simulated time after all submissions so far, in core
 * cycles.
 */
uint64_t sgt_live_now(struct sgt_live *live);
/* Converts core cycles to nanoseconds, rounded down. */
uint64_t sgt_live_ns(const struct sgt_live *live, uint64_t cycles);

/* Creates a timestamp for a command stream. Returns its token, or 0 if out of memory. The caller
 * must store the token in the memory of the timestamp before the device executes the timestamp
 * packet. The device leaves the token in the memory.
 */
uint64_t sgt_live_stamp_create(struct sgt_live *live);
/* Returns the simulated time at which all operations before the timestamp have ended, in core
 * cycles. The submission of the timestamp must have ended. If it belongs to the current segment,
 * ends the segment. Waits for the simulation. For a timestamp that the device has not executed,
 * returns sgt_live_now().
 */
uint64_t sgt_live_stamp_read(struct sgt_live *live, uint64_t token);
void sgt_live_stamp_destroy(struct sgt_live *live, uint64_t token);

/* Description of a counter, which is evaluated for the segments between two snapshots. */
struct sgt_live_counter {
   const char *name; /* name for programs, such as "sgpu-sm-busy" */
   const char *unit; /* unit of the value, such as "cycles", or "percent" for 0 to 100 */
   const char *text; /* description for users */
};
/* Returns the number of counters. */
unsigned sgt_live_counters(void);
const struct sgt_live_counter *sgt_live_counter(unsigned index);
/* Ends the segment, and creates a snapshot of all counters after the submissions so far. Returns
 * NULL if out of memory. Waits like sgt_live_submitted().
 */
struct sgt_live_snapshot *sgt_live_snapshot_create(struct sgt_live *live);
void sgt_live_snapshot_destroy(struct sgt_live *live, struct sgt_live_snapshot *snapshot);
/* Returns the value of a counter between two snapshots. Waits until `end` has been simulated. */
uint64_t sgt_live_count(struct sgt_live *live, const struct sgt_live_snapshot *begin,
                        const struct sgt_live_snapshot *end, unsigned counter);

#ifdef __cplusplus
}
#endif
#endif
