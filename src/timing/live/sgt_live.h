/* SPDX-License-Identifier: MIT */
/*
 * Live timing: a chip that runs what a device does, while a program goes on.  For the driver.
 *
 *    live = sgt_live_create("g80", error, sizeof error);
 *    device_params.observer = sgt_live_observer(live);      then the device is created
 *    ...
 *    sgt_live_submitted(live);                              after each submission has ended
 *    sgt_live_cut(live, SGT_LIVE_FRAME);
 *
 * The work of the submissions is gathered into segments.  A segment ends at a cut; the chip runs
 * segment after segment on a thread of its own, each from an empty chip on.  The simulated clock
 * counts core cycles of the segments, and of nothing else.
 *
 * All answers depend on submissions, cuts and their order alone.  In the child of a fork nothing
 * is timed: cycles and counters are 0, and no call waits.
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

/* Why a segment ends. */
enum sgt_live_cause {
   SGT_LIVE_FRAME,   /* a picture is presented */
   SGT_LIVE_FINISH,  /* the program waits for the end of its work */
   SGT_LIVE_QUERY,   /* it asks for a time of the segment */
   SGT_LIVE_COUNTER, /* it begins or ends to count */
   SGT_LIVE_END,     /* the device's life ends */
   SGT_LIVE_LIMIT,   /* the segment has too much memory */
   SGT_LIVE_CAUSES,
};

/* `text`: CONFIG[,SECTION.KEY=VALUE...][,wait][,log=FILE], where CONFIG is a parameter file or
 * the name of one of the program's.  NULL, with a message that says what is wrong.
 */
struct sgt_live *sgt_live_create(const char *text, char *error, size_t error_size);
/* Prints what `text` may be, to stderr. */
void sgt_live_help(void);
/* After the device's end. */
void sgt_live_destroy(struct sgt_live *live);
const struct sgpu_observer *sgt_live_observer(struct sgt_live *live);

/* The device has ended a submission.  Waits while too many segments are not timed. */
void sgt_live_submitted(struct sgt_live *live);
/* The submissions since the latest cut are a segment; nothing happens if there are none.  Waits
 * as sgt_live_submitted.
 */
void sgt_live_cut(struct sgt_live *live, enum sgt_live_cause cause);
/* Whether fences wait for timing, too (option "wait"). */
bool sgt_live_fences_wait(const struct sgt_live *live);
/* Waits until all segments that have ended are timed. */
void sgt_live_wait(struct sgt_live *live);

/* The simulated time after all submissions, which are cut; core cycles. */
uint64_t sgt_live_now(struct sgt_live *live);
/* Nanoseconds of core cycles, rounded down. */
uint64_t sgt_live_ns(const struct sgt_live *live, uint64_t cycles);

/* A timestamp of a stream.  Its memory must have the returned token, not 0, when the device comes
 * to it, and keeps it.
 */
uint64_t sgt_live_stamp_create(struct sgt_live *live);
/* The core cycles at which the operations before it have ended.  Its submission has ended; if that
 * is of the present segment, the segment is cut.  Waits.  The time of a stamp that the device has
 * not come to is that of sgt_live_now().
 */
uint64_t sgt_live_stamp_read(struct sgt_live *live, uint64_t token);
void sgt_live_stamp_destroy(struct sgt_live *live, uint64_t token);

/* A counter of the segments between two snapshots. */
struct sgt_live_counter {
   const char *name; /* "sgpu-sm-busy" */
   const char *unit; /* "cycles"; "percent": a share, from 0 to 100 */
   const char *text;
};
unsigned sgt_live_counters(void);
const struct sgt_live_counter *sgt_live_counter(unsigned index);
/* What has been counted after all submissions, which are cut.  NULL: out of memory. */
struct sgt_live_snapshot *sgt_live_snapshot_create(struct sgt_live *live);
void sgt_live_snapshot_destroy(struct sgt_live *live, struct sgt_live_snapshot *snapshot);
/* The counter from `begin` to `end`.  Waits. */
uint64_t sgt_live_count(struct sgt_live *live, const struct sgt_live_snapshot *begin,
                        const struct sgt_live_snapshot *end, unsigned counter);

#ifdef __cplusplus
}
#endif
#endif
