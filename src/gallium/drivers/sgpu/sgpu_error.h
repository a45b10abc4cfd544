/* SPDX-License-Identifier: MIT */
/*
 * Work that did not come about: submissions that ended with an error, shaders that
 * were stopped, memory that ran out.  Each is one line on stderr.  Only a context
 * that asked for reset notification is lost; all others go on.
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

/* Submissions that an error may still be reported of. */
#define SGPU_SUBMITTED 64

/* Prints the errors of submissions that have ended, and loses the context where it
 * asked for that.
 */
void sgpu_context_check_errors(struct sgpu_context *ctx);

/* Some of the context's work is dropped, for lack of memory.  `what`: a constant. */
void sgpu_out_of_memory(struct sgpu_context *ctx, const char *what);

/* A stream was not submitted.  `error`: a negative errno. */
void sgpu_submission_dropped(struct sgpu_context *ctx, int error);

void sgpu_error_context_init(struct pipe_context *pctx);

#endif
