/* SPDX-License-Identifier: MIT */
/*
 * Failed work: submissions that ended with an error, shaders that were stopped,
 * memory that ran out.  The driver prints one line on stderr for each.  Only a
 * context with reset notification is lost; all others continue.
 */
#ifndef SGPU_ERROR_H
#define SGPU_ERROR_H

#include <stdbool.h>
#include <stdint.h>

struct pipe_context;
struct sgpu_context;

/* The draws of a submission, numbered through the life of the context. */
struct sgpu_submitted {
   uint64_t seqno, first_draw, num_draws;
};

/* Submissions for which an error may still be reported. */
#define SGPU_SUBMITTED 64

/* Prints the errors of submissions that have ended; a context with reset notification
 * is then lost.
 */
void sgpu_context_check_errors(struct sgpu_context *ctx);

/* Some of the context's work is dropped, for lack of memory.  `what`: a constant. */
void sgpu_out_of_memory(struct sgpu_context *ctx, const char *what);

/* A stream was not submitted.  `error`: a negative errno. */
void sgpu_submission_dropped(struct sgpu_context *ctx, int error);

void sgpu_error_context_init(struct pipe_context *pctx);

#endif
