/* SPDX-License-Identifier: MIT */
/*
 * Live timing: simulates the work of the functional device in a chip model while the application is
 * running. This is the interface for the driver.
 *
 *    live = sgt_live_create("g80", error, sizeof error);
 *    device_params.observer = sgt_live_observer(live);      before the device is created
 *    ...
 *    sgt_live_submitted(live);                              after each submission completes
 *    sgt_live_cut(live, SGT_LIVE_FRAME);
 *
 * Submissions are collected in segments. A cut ends a segment. A separate thread simulates one
 * segment after the other, each starting with an idle chip. The simulated time only includes the
 * core cycles of segments.
 *
 * The results only depend on the submissions, the cuts and their order. A forked child has no
 * timing: all times and counters are 0, and no function waits.
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

/* Reason for ending a segment. */
enum sgt_live_cause {
   SGT_LIVE_FRAME,   /* the application presents a frame */
   SGT_LIVE_FINISH,  /* the application is waiting for its submissions to complete */
   SGT_LIVE_QUERY,   /* the application reads a timestamp of the segment */
   SGT_LIVE_COUNTER, /* the application begins or ends a performance counter query */
   SGT_LIVE_END,     /* the device is destroyed */
   SGT_LIVE_LIMIT,   /* the recorded work of the segment has reached the size limit */
   SGT_LIVE_CAUSES,
};

/* Creates an object for live timing. `text` contains options in the format
 * CONFIG[,SECTION.KEY=VALUE...][,wait][,log=FILE], where CONFIG is the path of a parameter file or
 * the name of a built-in configuration. On failure, returns NULL and writes a message to `error`.
 */
struct sgt_live *sgt_live_create(const char *text, char *error, size_t error_size);
/* Prints a list of all options and counters to stderr. */
void sgt_live_help(void);
/* Destroys live timing. The device must have been destroyed first. */
void sgt_live_destroy(struct sgt_live *live);
/* Returns the observer that the device must be created with. */
const struct sgpu_observer *sgt_live_observer(struct sgt_live *live);

/* Must be called after the device has completed a submission. Waits if too many segments are
 * waiting for simulation.
 */
void sgt_live_submitted(struct sgt_live *live);
/* Ends the current segment, which consists of the submissions since the last cut. Does nothing if
 * there are no submissions. Waits like sgt_live_submitted().
 */
void sgt_live_cut(struct sgt_live *live, enum sgt_live_cause cause);
/* Returns true if fences also wait for the simulation (option "wait"). */
bool sgt_live_fences_wait(const struct sgt_live *live);
/* Waits until all segments up to the latest cut have been simulated. */
void sgt_live_wait(struct sgt_live *live);

/* Ends the current segment, waits until it has been simulated, and returns the simulated time after
 * all submissions so far, in core cycles.
 */
uint64_t sgt_live_now(struct sgt_live *live);
/* Converts core cycles to nanoseconds, rounded down. */
uint64_t sgt_live_ns(const struct sgt_live *live, uint64_t cycles);

/* Creates a timestamp for use in a command stream. Returns the token of the timestamp, or 0 if
 * allocation fails. The caller must store the token in the timestamp's memory before the device
 * executes the timestamp packet. The device doesn't overwrite the token.
 */
uint64_t sgt_live_stamp_create(struct sgt_live *live);
/* Returns the simulated time at which all operations before the timestamp have ended, in core
 * cycles. The submission with the timestamp packet must have completed. Ends the current segment if
 * it contains the timestamp, and waits for the simulation. If the device hasn't executed the
 * timestamp packet, returns sgt_live_now().
 */
uint64_t sgt_live_stamp_read(struct sgt_live *live, uint64_t token);
void sgt_live_stamp_destroy(struct sgt_live *live, uint64_t token);

/* Describes a performance counter. The value of a counter is computed from two snapshots. */
struct sgt_live_counter {
   const char *name; /* name visible to applications, e.g. "sgpu-sm-busy" */
   const char *unit; /* unit of the value, e.g. "cycles", or "percent" for values from 0 to 100 */
   const char *text; /* description for users */
};
/* Returns the number of counters. */
unsigned sgt_live_counters(void);
const struct sgt_live_counter *sgt_live_counter(unsigned index);
/* Ends the current segment, and creates a snapshot of all counters after the submissions so far.
 * Returns NULL if allocation fails. Waits like sgt_live_submitted().
 */
struct sgt_live_snapshot *sgt_live_snapshot_create(struct sgt_live *live);
void sgt_live_snapshot_destroy(struct sgt_live *live, struct sgt_live_snapshot *snapshot);
/* Returns the value of a counter between two snapshots. Waits until everything before the snapshot
 * `end` has been simulated.
 */
uint64_t sgt_live_count(struct sgt_live *live, const struct sgt_live_snapshot *begin,
                        const struct sgt_live_snapshot *end, unsigned counter);

#ifdef __cplusplus
}
#endif
#endif
