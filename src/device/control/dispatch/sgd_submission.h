/* SPDX-License-Identifier: MIT */
/*
 * Queues and submissions, as far as the dispatch unit and the command processor need them. They are
 * embedded in struct sgpu_queue and struct sgd_queued (control/core/sgd_device.h).
 */
#ifndef SGD_SUBMISSION_H
#define SGD_SUBMISSION_H

#include <assert.h>
#include <stdio.h>

#include "control/memory/sgd_memory.h"
#include "util/list.h"

struct sgd_share;
struct sgd_submission;
struct sgd_client;

/* Callbacks of a queue. The scheduler's lock is held when they are called. */
struct sgd_client_ops {
   /* Called when a submission has been parsed and all its operations have ended. */
   void (*ended)(struct sgd_client *client, struct sgd_submission *sub);
   /* Called when an operation of the queue has ended, so that there is space for another one. */
   void (*operation_ended)(struct sgd_client *client);
   /* Reports an error. */
   void (*error)(struct sgd_client *client, const struct sgpu_queue_error *error);
};

/* A queue. Operations can end in a different order than they were submitted, unless they access the
 * same memory.
 */
struct sgd_client {
   const struct sgd_client_ops *ops;
   /* struct sgd_node: operations of the queue that have not ended, in program order */
   struct list_head nodes;
   uint32_t in_flight;      /* number of operations in `nodes` */
   struct sgd_share *share; /* keeps track of how much worker time the queue has used */
   uint64_t budget_ns;      /* maximum CPU time of each operation in ns; 0 means no limit */
};

struct sgd_submission {
   struct sgd_client *client;
   uint64_t seqno;   /* number of the submission in its queue, starting at 1 */
   uint64_t number;  /* number of the submission on the device, starting at 0 */
   uint32_t frame;   /* number of frames that were presented before, if there is a profiler */
   uint64_t address; /* device address of the command stream */
   uint32_t words;   /* length of the command stream in 32-bit words */
   struct sgd_bo_list bos;
   uint32_t operations; /* number of operations that were created so far */
   uint32_t draws;      /* number of draw packets; not valid before parsing has ended */
   /* Number of operations that have not ended, plus 1 during parsing. The submission ends when this
    * is 0. Protected by the scheduler's lock.
    */
   uint32_t outstanding;
   _Atomic bool failed; /* there was an error, so all remaining work is skipped */
   bool reported;       /* the error was already added to the queue */
};

/* Decrements sub->outstanding, and ends the submission if it is 0. Called with the lock held. */
static inline void
sgd_submission_put(struct sgd_submission *sub)
{
   assert(sub->outstanding > 0);
   if (--sub->outstanding == 0)
      sub->client->ops->ended(sub->client, sub);
}

/* Makes the submission fail because of the packet with index `packet`. Later errors of the same
 * submission are not reported.
 */
static inline void
sgd_submission_fail(struct sgd_submission *sub, uint32_t packet, uint32_t draw, const char *message)
{
   struct sgpu_queue_error error = { .seqno = sub->seqno, .packet = packet, .draw = draw };

   sub->failed = true;
   if (sub->reported)
      return;
   sub->reported = true;
   snprintf(error.message, sizeof(error.message), "%s", message);
   sub->client->ops->error(sub->client, &error);
}

#endif
