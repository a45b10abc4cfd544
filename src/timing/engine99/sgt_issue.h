/* SPDX-License-Identifier: MIT */
/*
 * The issue unit of Wolfe and Noonburg (MICRO-32, 1999, 3.3, Figures 8 to 10): destination and
 * source reservation stations, candidate buffers, and dependence and conflict vectors.
 *
 * The tag of a slice is the index of its destination station. A vector has a bit for each
 * destination station. The order of steps in a cycle is that of sgt_engine.h. Resources that become
 * free in a cycle can be used after sgt_issue_end_cycle(). issue_reference.c of the tests
 * implements the same unit with simple loops.
 */
#ifndef SGT_ISSUE_H
#define SGT_ISSUE_H

#include "engine99/sgt_boxes.h"
#include "engine99/sgt_engine.h"
#include "kernel/sgt_random.h"

/* Kinds of dependences. SGT_STATE_RAW + kind is the state of the waiting slice. */
enum sgt_hazard { SGT_HAZARD_RAW, SGT_HAZARD_WAW, SGT_HAZARD_WAR, SGT_HAZARDS };

#define SGT_NO_TAG UINT32_MAX

/* A slice that enters. */
struct sgt_issue_entry {
   struct sgt_region destination;
   const struct sgt_region *sources; /* source regions, which must exist until the slice retires */
   uint32_t num_sources;
   /* breaking key: slices with the same key may run in any order; 0 if the slice must keep its
    * order with all others (sgt_breaking.h)
    */
   uint64_t key;
};

struct sgt_issue {
   const struct sgt_trace *trace;
   /* number of destination stations; words in a mask of them; number of candidate buffers; number
    * of source stations
    */
   uint32_t stations, words, candidates, sources;
   bool in_order; /* slices issue in the order in which they entered */
   enum sgt_select select;
   /* state of the hazard that is ignored, for tests of the audit; SGT_STATE_BUSY for none */
   uint32_t drop_hazard;
   struct sgt_random random;

   struct sgt_boxes destination_boxes, source_boxes;
   uint32_t *source_tag;   /* tag of each source station */
   uint32_t *source_after; /* next source station of the same tag, or SGT_NO_TAG */
   uint32_t *first_source; /* first source station of each tag, or SGT_NO_TAG */
   uint32_t alone;         /* tag of a slice that must be alone in the unit, or SGT_NO_TAG */

   /* Resources that can be used in this cycle, and resources that became free in it. */
   uint64_t *free_stations, *freed_stations, *free_sources, *freed_sources;
   uint32_t num_free_stations, num_free_sources, free_candidates;
   uint32_t num_freed_stations, num_freed_sources, freed_candidates;

   /* Masks of tags: slices in a candidate buffer; slices in an accelerator; candidates without
    * dependences; of these, those without conflicts.
    */
   uint64_t *waiting, *issued, *independent, *ready;
   uint32_t num_waiting, num_issued, num_independent, num_ready;

   /* Arrays by tag. */
   uint64_t *vector; /* [stations][words]: dependence vector */
   /* [stations][words]: columns of the dependence vectors, by kind */
   uint64_t *waiters[SGT_HAZARDS];
   uint32_t *num_waiters;          /* number of bits that are set in `waiters` */
   uint64_t *conflict;             /* [stations][words]: conflict vector; the matrix is symmetric */
   uint32_t (*count)[SGT_HAZARDS]; /* number of bits that are set in the vector, by kind */
   uint32_t *num_conflict;         /* number of bits that are set in `conflict` */
   uint32_t *conflicts;            /* number of conflicting slices that are issued */
   uint64_t *sequence, *key;       /* number of the entry, from 0; breaking key */
   /* for SGT_SELECT_CRITICAL: number of candidates in the longest chain that depends on it */
   uint32_t *chain;
   uint32_t *path; /* for SGT_SELECT_CRITICAL: temporary data of extend_chains() */
   /* oldest tag of the vector when it was last searched, or SGT_NO_TAG */
   uint32_t *blocker;
   /* neighbours in the list of candidates by age; [stations] has the ends of the list */
   uint32_t *older, *younger;
   uint64_t *scratch; /* temporary data: 5 masks of tags, 1 of source stations */

   uint64_t entered; /* number of slices that have entered */
   /* statistics, as in struct sgt_engine_result */
   uint64_t pairs[SGT_HAZARDS], conflict_pairs, overtakes;
};

/* Initializes the unit. The numbers of stations are those that are used, not 0 for a default.
 * Returns false if out of memory.
 */
bool sgt_issue_init(struct sgt_issue *u, const struct sgt_trace *trace,
                    const struct sgt_engine_params *params, uint32_t stations, uint32_t sources);
void sgt_issue_finish(struct sgt_issue *u);

/* Returns SGT_FETCH_ENTERED if a slice with `num_sources` source regions can enter in this cycle.
 * Otherwise, returns the reason.
 */
enum sgt_fetch_state sgt_issue_room(const struct sgt_issue *u, uint32_t num_sources);
/* Enters a slice, which takes its stations and a candidate buffer. The caller has checked that they
 * are free. Returns the tag.
 */
uint32_t sgt_issue_enter(struct sgt_issue *u, const struct sgt_issue_entry *entry);
/* Chooses a candidate to issue and frees its buffer. Returns its tag, or SGT_NO_TAG if none can
 * issue.
 */
uint32_t sgt_issue_next(struct sgt_issue *u);
/* Retires a complete slice. Clears its stations and its bits in all vectors. */
void sgt_issue_retire(struct sgt_issue *u, uint32_t tag);
/* Makes the resources that became free in this cycle available for the next. */
void sgt_issue_end_cycle(struct sgt_issue *u);

/* Return the oldest candidate, and the next younger one, or SGT_NO_TAG. */
static inline uint32_t
sgt_issue_oldest(const struct sgt_issue *u)
{
   const uint32_t tag = u->younger[u->stations];
   return tag == u->stations ? SGT_NO_TAG : tag;
}

static inline uint32_t
sgt_issue_younger(const struct sgt_issue *u, uint32_t tag)
{
   tag = u->younger[tag];
   return tag == u->stations ? SGT_NO_TAG : tag;
}

static inline bool
sgt_issue_is_ready(const struct sgt_issue *u, uint32_t tag)
{
   return u->ready[tag / 64] >> (tag % 64) & 1;
}

/* Returns true if sgt_issue_next() would return a tag. */
static inline bool
sgt_issue_can(const struct sgt_issue *u)
{
   if (!u->in_order)
      return u->num_ready != 0;
   const uint32_t tag = sgt_issue_oldest(u);
   return tag != SGT_NO_TAG && sgt_issue_is_ready(u, tag);
}

/* Returns why the candidate does not issue: RAW, WAW, WAR, CONFLICT or ISSUE_RATE. */
enum sgt_state sgt_issue_reason(const struct sgt_issue *u, uint32_t tag);
/* Returns the oldest slice that the candidate waits for, or SGT_NO_TAG. */
uint32_t sgt_issue_blocker(struct sgt_issue *u, uint32_t tag);

#endif
