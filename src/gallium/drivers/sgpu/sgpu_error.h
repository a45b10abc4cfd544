/* SPDX-License-Identifier: MIT */
/*
 * Errors: submissions that ended with an error, shaders that were stopped, and
 * memory that ran out.  The driver prints one line to stderr for each.  A context
 * with reset notification is lost; all others continue.
 */
#ifndef SGPU_ERROR_H
#define SGPU_ERROR_H

#include <stdbool.h>
#include <stdint.h>

struct pipe_context;
struct sgpu_context;

/* A submission and its draws, which are numbered from 1 for the life of the context. */
struct sgpu_submitted {
   uint64_t seqno, first_draw, num_draws;
};

/* Number of latest submissions whose draw numbers are kept for error messages. */
#define SGPU_SUBMITTED 64

/* Prints errors of submissions.  After an error, a context with reset notification is lost. */
void sgpu_context_check_errors(struct sgpu_context *ctx);

/* Reports that memory ran out.  `what` is a constant string that says what happens instead. */
void sgpu_out_of_memory(struct sgpu_context *ctx, const char *what);

/* Reports that a stream was not submitted.  `error` is a negative errno. */
void sgpu_submission_dropped(struct sgpu_context *ctx, int error);

void sgpu_error_context_init(struct pipe_context *pctx);

#endif
