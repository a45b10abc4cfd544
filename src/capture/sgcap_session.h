/* SPDX-License-Identifier: MIT */
/*
 * The process' captures: what the layer knows of its buffers and queues, and
 * the file while a capture runs.  All functions are called with the lock held.
 */
#ifndef SGCAP_SESSION_H
#define SGCAP_SESSION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sgcap_memory.h"
#include "sgcap_options.h"
#include "sgcap_writer.h"
#include "util/hash_table.h"
#include "util/list.h"

#define SGCAP_QUERY_SLOTS 64

struct sgcap_queue {
   struct list_head link;     /* sgcap.queue_list */
   struct sgpu_queue *queue;
   uint64_t id;               /* 0: the file has not got it */
   uint64_t last;             /* submission */
   uint64_t base;             /* last one before the capture */
   uint64_t told;             /* the file has a WAIT for this one */
   uint64_t open_slots;
   uint32_t slot_types[SGCAP_QUERY_SLOTS];
   uint64_t *counted[SGCAP_QUERY_SLOTS];   /* before the capture; NULL: nothing */
};

extern struct sgcap_session {
   pthread_mutex_t lock;
   struct sgcap_options options;
   struct sgpu_device *dev;
   struct hash_table *bos;          /* struct sgpu_bo * to struct sgcap_bo * */
   struct hash_table *queues;       /* struct sgpu_queue * to struct sgcap_queue * */
   struct list_head queue_list;     /* the same in the order of their creation */
   struct sgcap_writer *writer;     /* NULL: no capture runs */
   char path[1024 + 16];            /* of its file */
   uint64_t frame;                  /* that is being drawn */
   uint64_t last_frame;             /* of the capture that runs */
   uint64_t next_id;
   uint64_t submissions, frames;    /* of the capture that runs */
   unsigned files;
   bool done;                       /* no more captures */
} sgcap;

/* Begins a capture if one is to begin before the next frame. */
void sgcap_session_consider(void);
/* The file has the queue, as it is now. */
void sgcap_session_queue(struct sgcap_queue *q);
/* The next frame begins. */
void sgcap_session_frame(void);
/* Closes the file of the capture that runs, with a message where not all could be
 * written; one that has no work is removed.
 */
void sgcap_session_end(void);
/* Ends the program, if it does not do so when it is asked to. */
void sgcap_session_quit(void);

/* sgcap_queries.c: queries that go on from one submission to the next. */
/* A submission that was made begins and ends some. */
void sgcap_queries_note(struct sgcap_queue *q, const struct sgpu_submit *submit);
/* Before a capture: takes what open queries have counted, so that they begin anew. */
void sgcap_queries_take(struct sgcap_queue *q);
/* Whether a submission that is about to be made ends one of these. */
bool sgcap_queries_ends(const struct sgcap_queue *q, const struct sgpu_submit *submit);
/* Adds what was taken to their results, as the CPU; the queue is idle. */
void sgcap_queries_give(struct sgcap_queue *q, const struct sgpu_submit *submit);
void sgcap_queries_fini(struct sgcap_queue *q);

#endif
