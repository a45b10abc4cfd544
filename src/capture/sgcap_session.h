/* SPDX-License-Identifier: MIT */
/*
 * The captures of the process: the layer's buffers and queues, and the file while a
 * capture runs.  Callers hold the lock.
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
   struct list_head link; /* sgcap.queue_list */
   struct sgpu_queue *queue;
   uint64_t id;   /* 0: not in the file */
   uint64_t last; /* last submission */
   uint64_t base; /* last submission before the capture */
   uint64_t told; /* last submission with a WAIT in the file */
   uint64_t open_slots;
   uint32_t slot_types[SGCAP_QUERY_SLOTS];
   uint64_t *counted[SGCAP_QUERY_SLOTS]; /* numbers from before the capture, or NULL */
};

extern struct sgcap_session {
   pthread_mutex_t lock;
   struct sgcap_options options;
   struct sgpu_device *dev;
   struct hash_table *bos;      /* struct sgpu_bo * to struct sgcap_bo * */
   struct hash_table *queues;   /* struct sgpu_queue * to struct sgcap_queue * */
   struct list_head queue_list; /* the same in the order of their creation */
   struct sgcap_writer *writer; /* of the current capture, or NULL */
   char path[1024 + 16];        /* of its file */
   uint64_t frame;              /* current frame */
   uint64_t last_frame;         /* of the current capture */
   uint64_t next_id;
   uint64_t submissions, frames; /* of the current capture */
   unsigned files;
   bool done;  /* no more captures */
   bool child; /* of a fork, which has not submitted anything: a file of its own may be due */
} sgcap;

/* Begins a capture if the options ask for one before the next frame. */
void sgcap_session_consider(void);
/* Records the queue in its current state. */
void sgcap_session_queue(struct sgcap_queue *q);
/* Records the begin of the next frame. */
void sgcap_session_frame(void);
/* Closes the file of the current capture, with a message if it is incomplete; removes
 * a file without submissions.
 */
void sgcap_session_end(void);
/* Sends SIGTERM to the program and, if it goes on, SIGKILL. */
void sgcap_session_quit(void);

/* sgcap_queries.c: queries that continue from one submission to the next. */
/* Notes the queries that a submission has begun and ended. */
void sgcap_queries_note(struct sgcap_queue *q, const struct sgpu_submit *submit);
/* Before a capture: keeps the numbers of open queries and begins these again. */
void sgcap_queries_take(struct sgcap_queue *q);
/* Whether the next submission ends one of them. */
bool sgcap_queries_ends(const struct sgcap_queue *q, const struct sgpu_submit *submit);
/* Adds the kept numbers to their results as the CPU; the queue is idle. */
void sgcap_queries_give(struct sgcap_queue *q, const struct sgpu_submit *submit);
void sgcap_queries_fini(struct sgcap_queue *q);

#endif
