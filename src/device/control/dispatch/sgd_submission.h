/* SPDX-License-Identifier: MIT */
/*
 * Submissions and their queues, as far as the dispatch unit and the command processor use them.
 * The queue's owner (control/core/sgd_queue.c) embeds both structures.
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

/* Functions of the queue's owner, called with the scheduler's lock held. */
struct sgd_client_ops {
   /* Called when a submission is parsed and all its operations have ended. */
   void (*ended)(struct sgd_client *client, struct sgd_submission *sub);
   /* Called when an operation of the queue has ended, so that another one may be added. */
   void (*operation_ended)(struct sgd_client *client);
   /* Called to report an error. */
   void (*error)(struct sgd_client *client, const struct sgpu_queue_error *error);
};

/* A queue.  Its operations end in any order, but those with overlapping regions keep the order of
 * the queue.
 */
struct sgd_client {
   const struct sgd_client_ops *ops;
   struct list_head nodes;  /* operations that have not ended, in order */
   uint32_t in_flight;      /* number of operations in `nodes` */
   struct sgd_share *share; /* share of the workers' time */
   uint64_t budget_ns;      /* processor time that an operation may take, in ns; 0: no limit */
};

struct sgd_submission {
   struct sgd_client *client;
   uint64_t seqno;   /* number of the submission in its queue, from 1 */
   uint64_t number;  /* number of the submission in the device, from 0 */
   uint64_t address; /* device address of the command stream */
   uint32_t words;   /* length of the command stream in 32-bit words */
   struct sgd_bo_list bos;
   uint32_t operations;  /* number of operations that were added */
   uint32_t draws;       /* number of draw packets, valid once the submission is parsed */
   uint32_t outstanding; /* number of operations that have not ended, plus 1 while the submission
                          * is not parsed; protected by the scheduler's lock */
   _Atomic bool failed;  /* the submission has failed, so its remaining work does nothing */
   bool reported;        /* the error of the submission was reported */
};

/* Decrements sub->outstanding.  Called with the lock held. */
static inline void
sgd_submission_put(struct sgd_submission *sub)
{
   assert(sub->outstanding > 0);
   if (--sub->outstanding == 0)
      sub->client->ops->ended(sub->client, sub);
}

/* Ends the submission with an error at packet `packet`.  Only the first error is reported. */
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
