/* SPDX-License-Identifier: MIT */
/*
 * Submissions and their queues, as seen by the dispatch unit and the command processor. The owner
 * of the queue (control/core/sgd_queue.c) embeds both structures.
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

/* Callbacks to the owner of the queue, called with the scheduler's lock held. */
struct sgd_client_ops {
   /* A submission has been parsed, and all its operations have ended. */
   void (*ended)(struct sgd_client *client, struct sgd_submission *sub);
   /* An operation of the queue has ended, so that another one can be added. */
   void (*operation_ended)(struct sgd_client *client);
   /* Reports an error. */
   void (*error)(struct sgd_client *client, const struct sgpu_queue_error *error);
};

/* A queue. Its operations can end in any order, but operations with overlapping regions execute in
 * the order of the queue.
 */
struct sgd_client {
   const struct sgd_client_ops *ops;
   struct list_head nodes;  /* operations that have not ended, in program order */
   uint32_t in_flight;      /* number of operations in `nodes` */
   struct sgd_share *share; /* the queue's share of the workers' time */
   uint64_t budget_ns;      /* maximum CPU time of an operation in ns; 0: no limit */
};

struct sgd_submission {
   struct sgd_client *client;
   uint64_t seqno;   /* seqno of the submission in its queue, from 1 */
   uint64_t number;  /* 0-based index of the submission on the device */
   uint64_t address; /* device address of the command stream */
   uint32_t words;   /* length of the command stream in 32-bit words */
   struct sgd_bo_list bos;
   uint32_t operations; /* number of operations added so far */
   uint32_t draws;      /* number of draw packets; only valid once the submission is parsed */
   /* number of operations that have not ended, plus 1 until the submission is parsed; protected by
    * the scheduler's lock
    */
   uint32_t outstanding;
   _Atomic bool failed; /* the submission has failed, so its remaining work must be skipped */
   bool reported;       /* the submission's error has been reported */
};

/* Decrements sub->outstanding. Called with the lock held. */
static inline void
sgd_submission_put(struct sgd_submission *sub)
{
   assert(sub->outstanding > 0);
   if (--sub->outstanding == 0)
      sub->client->ops->ended(sub->client, sub);
}

/* Fails the submission with an error at packet `packet`. Only the first error is reported. */
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
