/* SPDX-License-Identifier: MIT */
/*
 * Submissions and their queues, as the dispatch unit and the command processor
 * know them.  The queue's owner (core/sgd_queue.c) embeds both structures.
 */
#ifndef SGD_SUBMISSION_H
#define SGD_SUBMISSION_H

#include <assert.h>
#include <stdio.h>

#include "sgd_memory.h"
#include "util/list.h"

struct sgd_share;
struct sgd_submission;
struct sgd_client;

/* Called with the scheduler's lock held. */
struct sgd_client_ops {
   /* Nothing of the submission is outstanding. */
   void (*ended)(struct sgd_client *client, struct sgd_submission *sub);
   /* An operation of the queue has ended: another may be under way. */
   void (*operation_ended)(struct sgd_client *client);
   /* An error to be reported. */
   void (*error)(struct sgd_client *client, const struct sgpu_queue_error *error);
};

/* A queue: operations of one client end in any order, and keep its order where
 * their regions meet.
 */
struct sgd_client {
   const struct sgd_client_ops *ops;
   struct list_head nodes; /* operations that have not ended, in order */
   uint32_t in_flight;     /* their number */
   struct sgd_share *share;
   uint64_t budget_ns; /* that an operation may take; 0: any time */
};

struct sgd_submission {
   struct sgd_client *client;
   uint64_t seqno;
   uint64_t number;  /* of the device, from 0 */
   uint64_t address; /* of the command stream */
   uint32_t words;
   struct sgd_bo_list bos;
   uint32_t operations;  /* that were added */
   uint32_t draws;       /* packets; once it is parsed */
   uint32_t outstanding; /* parsing, operations; scheduler's lock */
   _Atomic bool failed;  /* an error ended it: its work does nothing any more */
   bool reported;        /* its error was */
};

/* Lock held. */
static inline void
sgd_submission_put(struct sgd_submission *sub)
{
   assert(sub->outstanding > 0);
   if (--sub->outstanding == 0)
      sub->client->ops->ended(sub->client, sub);
}

/* The submission ends with an error at one of its packets; the first one is reported. */
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
