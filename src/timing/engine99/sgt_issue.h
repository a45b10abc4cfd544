/* SPDX-License-Identifier: MIT */
/*
 * The issue unit of Wolfe and Noonburg (MICRO-32, 1999, 3.3, Figures 8 to 10): destination
 * and source reservation stations, candidate buffers, dependence and conflict vectors.
 *
 * A slice is known by its tag, the index of its destination station.  A vector has a bit for
 * each destination station.  sgt_engine.h has the order of steps in a cycle; what becomes
 * free in a cycle can be taken after sgt_issue_end_cycle.  issue_reference.c of the tests is the
 * same unit as plain loops.
 */
#ifndef SGT_ISSUE_H
#define SGT_ISSUE_H

#include "engine99/sgt_boxes.h"
#include "engine99/sgt_engine.h"
#include "kernel/sgt_random.h"

/* Kinds of dependences; SGT_STATE_RAW + kind is the state of the slice that waits. */
enum sgt_hazard { SGT_HAZARD_RAW, SGT_HAZARD_WAW, SGT_HAZARD_WAR, SGT_HAZARDS };

#define SGT_NO_TAG UINT32_MAX

struct sgt_issue_entry {
   struct sgt_region destination;
   const struct sgt_region *sources; /* stay until the slice retires */
   uint32_t num_sources;
   uint64_t key; /* slices of the same key are independent; 0: of none (sgt_breaking.h) */
};

struct sgt_issue {
   const struct sgt_trace *trace;
   uint32_t stations, words, candidates, sources;
   bool in_order;
   enum sgt_select select;
   uint32_t drop_hazard;
   struct sgt_random random;

   struct sgt_boxes destination_boxes, source_boxes;
   uint32_t *source_tag;   /* of source stations */
   uint32_t *source_after; /* the tag's next source station */
   uint32_t *first_source; /* of tags; SGT_NO_TAG: none */
   uint32_t alone;         /* the tag that is alone in the unit, or SGT_NO_TAG */

   /* What can be taken in this cycle, and what is freed in it. */
   uint64_t *free_stations, *freed_stations, *free_sources, *freed_sources;
   uint32_t num_free_stations, num_free_sources, free_candidates;
   uint32_t num_freed_stations, num_freed_sources, freed_candidates;

   /* Masks of tags: in a candidate buffer; in an accelerator; candidates without
    * dependences; of these, those without conflicts.
    */
   uint64_t *waiting, *issued, *independent, *ready;
   uint32_t num_waiting, num_issued, num_independent, num_ready;

   /* By tag. */
   uint64_t *vector;               /* [stations][words]: the dependence vector */
   uint64_t *waiters[SGT_HAZARDS]; /* [stations][words]: its columns, by kind */
   uint32_t *num_waiters;          /* bits of `waiters` */
   uint64_t *conflict;             /* [stations][words]: symmetric */
   uint32_t (*count)[SGT_HAZARDS]; /* bits of the vector, by kind */
   uint32_t *num_conflict;         /* bits of `conflict` */
   uint32_t *conflicts;            /* bits of `conflict` that are issued */
   uint64_t *sequence, *key;       /* of entry, from 0 */
   uint32_t *chain;                /* CRITICAL: candidates in the longest chain behind it */
   uint32_t *path;                 /* CRITICAL: scratch */
   uint32_t *blocker;              /* the oldest tag of the vector, as it was found last */
   uint32_t *older, *younger;      /* candidates by age; [stations]: the ends of the list */
   uint64_t *scratch;              /* 5 masks of tags, 1 of source stations */

   uint64_t entered;
   uint64_t pairs[SGT_HAZARDS], conflict_pairs, overtakes;
};

/* `stations`, `candidates`, `sources` are final.  False: no memory. */
bool sgt_issue_init(struct sgt_issue *u, const struct sgt_trace *trace,
                    const struct sgt_engine_params *params, uint32_t stations, uint32_t sources);
void sgt_issue_finish(struct sgt_issue *u);

/* SGT_FETCH_ENTERED: a slice with so many source regions can enter in this cycle; else the
 * reason.
 */
enum sgt_fetch_state sgt_issue_room(const struct sgt_issue *u, uint32_t num_sources);
/* The slice takes its stations and a candidate buffer, for which there is room; the tag. */
uint32_t sgt_issue_enter(struct sgt_issue *u, const struct sgt_issue_entry *entry);
/* Chooses a candidate and frees its buffer; the tag, or SGT_NO_TAG. */
uint32_t sgt_issue_next(struct sgt_issue *u);
/* The slice is complete: its stations and its bits in all vectors clear. */
void sgt_issue_retire(struct sgt_issue *u, uint32_t tag);
void sgt_issue_end_cycle(struct sgt_issue *u);

/* Candidates by age, from the oldest; SGT_NO_TAG at the end. */
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

/* sgt_issue_next would return a tag. */
static inline bool
sgt_issue_can(const struct sgt_issue *u)
{
   if (!u->in_order)
      return u->num_ready != 0;
   const uint32_t tag = sgt_issue_oldest(u);
   return tag != SGT_NO_TAG && sgt_issue_is_ready(u, tag);
}

/* Why the candidate does not issue: RAW, WAW, WAR, CONFLICT or ISSUE_RATE. */
enum sgt_state sgt_issue_reason(const struct sgt_issue *u, uint32_t tag);
/* The oldest slice that the candidate waits for; SGT_NO_TAG: none. */
uint32_t sgt_issue_blocker(struct sgt_issue *u, uint32_t tag);

#endif
