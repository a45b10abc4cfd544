/* SPDX-License-Identifier: MIT */
/*
 * Submissions and their queues, as the dispatch unit and the command processor
 * know them.  The queue's owner (core/sgd_queue.c) embeds both structures.
 */
#ifndef SGD_SUBMISSION_H
#define SGD_SUBMISSION_H

#include <assert.h>

#include "sgd_memory.h"
#include "util/list.h"

struct sgd_submission;
struct sgd_client;

/* Called with the scheduler's lock held. */
struct sgd_client_ops {
   /* Nothing of the submission is outstanding. */
   void (*ended)(struct sgd_client *client, struct sgd_submission *sub);
   /* An operation of the queue has ended: another may be under way. */
   void (*operation_ended)(struct sgd_client *client);
   /* The submission ends with an error. */
   void (*failed)(struct sgd_client *client, struct sgd_submission *sub, const char *message);
};

/* A queue: operations of one client end in any order, and keep its order where
 * their regions meet.
 */
struct sgd_client {
   const struct sgd_client_ops *ops;
   struct list_head nodes;             /* operations that have not ended, in order */
   uint32_t in_flight;                 /* their number */
   _Atomic bool lost;                  /* further work does nothing */
};

struct sgd_submission {
   struct sgd_client *client;
   uint64_t seqno;
   uint64_t address;                   /* of the command stream */
   uint32_t words;
   struct sgd_bo_list bos;
   uint32_t outstanding;               /* parsing, operations, queries; scheduler's lock */
};

/* Lock held. */
static inline void
sgd_submission_put(struct sgd_submission *sub)
{
   assert(sub->outstanding > 0);
   if (--sub->outstanding == 0)
      sub->client->ops->ended(sub->client, sub);
}

static inline void
sgd_submission_fail(struct sgd_submission *sub, const char *message)
{
   sub->client->ops->failed(sub->client, sub, message);
}

#endif
