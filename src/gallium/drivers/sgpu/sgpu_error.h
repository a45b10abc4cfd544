/* SPDX-License-Identifier: MIT */
/* Reports errors: failed submissions, stopped shaders and allocation failures.  The driver prints
 * one line to stderr for each error.  After a failed submission, a context with reset notification
 * is lost; other contexts continue.
 */
#ifndef SGPU_ERROR_H
#define SGPU_ERROR_H

#include <stdbool.h>
#include <stdint.h>

struct pipe_context;
struct sgpu_context;

/* A submission and the draws in it.  Draws are numbered from 1 over the lifetime of the context. */
struct sgpu_submitted {
   uint64_t seqno, first_draw, num_draws;
};

/* Number of recent submissions whose draw numbers are kept for error messages. */
#define SGPU_SUBMITTED 64

/* Prints the new errors of this context's submissions.  If there are any and the context has reset
 * notification, marks the context as lost.
 */
void sgpu_context_check_errors(struct sgpu_context *ctx);

/* Reports an allocation failure.  `what` is a string constant that describes the consequence. */
void sgpu_out_of_memory(struct sgpu_context *ctx, const char *what);

/* Reports that a stream could not be submitted.  `error` is a negative errno. */
void sgpu_submission_dropped(struct sgpu_context *ctx, int error);

void sgpu_error_context_init(struct pipe_context *pctx);

#endif
