/* SPDX-License-Identifier: MIT */
/* State of the capture layer, which exists once per process: the tracked buffers and queues, and
 * the current capture file.  All functions must be called with sgcap.lock held.
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
   struct list_head link; /* link in sgcap.queue_list */
   struct sgpu_queue *queue;
   uint64_t id;         /* queue ID in the capture file, or 0 if the queue is not in the file */
   uint64_t last;       /* seqno of the last submission to the queue */
   uint64_t base;       /* seqno of the last submission before the capture */
   uint64_t told;       /* seqno of the latest submission for which the file has a WAIT record */
   uint64_t open_slots; /* bitmask of the slots with an open query */
   uint32_t slot_types[SGCAP_QUERY_SLOTS];
   /* for each slot, the counts that the open query had before the capture, or NULL */
   uint64_t *counted[SGCAP_QUERY_SLOTS];
};

extern struct sgcap_session {
   pthread_mutex_t lock;
   struct sgcap_options options;
   struct sgpu_device *dev;
   struct hash_table *bos;       /* maps struct sgpu_bo * to struct sgcap_bo * */
   struct hash_table *queues;    /* maps struct sgpu_queue * to struct sgcap_queue * */
   struct list_head queue_list;  /* list of all struct sgcap_queue, in creation order */
   struct sgcap_writer *writer;  /* writer of the current capture, or NULL */
   char path[1024 + 16];         /* path of the current capture file */
   uint64_t frame;               /* number of the current frame, starting at 0 */
   uint64_t last_frame;          /* number of the last frame to capture */
   uint64_t next_id;             /* next unused ID of a buffer or queue in the file */
   uint64_t submissions, frames; /* numbers of submissions and frames in the current capture */
   unsigned files;               /* number in the file name that open_file() has tried last */
   bool done;                    /* set if no further capture will be started */
   /* set in a forked child until its first submission, which may start a capture */
   bool child;
} sgcap;

/* Begins a capture if the options request one for the next frame. */
void sgcap_session_consider(void);
/* Records the queue and its open queries. */
void sgcap_session_queue(struct sgcap_queue *q);
/* Records the start of the next frame. */
void sgcap_session_frame(void);
/* Ends the current capture.  Removes its file if it has no submissions. */
void sgcap_session_end(void);
/* Sends SIGTERM to the process, and SIGKILL if it is still running after a few seconds. */
void sgcap_session_quit(void);

/* The functions below handle queries that span several submissions (sgcap_queries.c). */
/* Tracks the queries that a submission begins and ends. */
void sgcap_queries_note(struct sgcap_queue *q, const struct sgpu_submit *submit);
/* Saves the counts of open queries before a capture.  Ends the queries and begins them again to get
 * the counts.
 */
void sgcap_queries_take(struct sgcap_queue *q);
/* Returns true if `submit` ends a query whose counts have been saved. */
bool sgcap_queries_ends(const struct sgcap_queue *q, const struct sgpu_submit *submit);
/* Adds the saved counts to the query results of `submit` in memory.  The queue must be idle. */
void sgcap_queries_give(struct sgcap_queue *q, const struct sgpu_submit *submit);
void sgcap_queries_fini(struct sgcap_queue *q);

#endif
