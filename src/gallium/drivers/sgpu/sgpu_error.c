/* SPDX-License-Identifier: MIT */
#include "sgpu_error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sgpu_context.h"
#include "util/simple_mtx.h"
#include "util/u_math.h"
#include "util/u_process.h"

#define MAX_TOLD 64

/* Counts errors with the same text.  The driver only prints the first, second, fourth, eighth, ...
 * occurrence, so that a program that causes an error in each frame doesn't flood the terminal.
 * Returns the count if the error should be printed, or 0 otherwise.
 */
static unsigned
due(const char *text)
{
   static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;
   static struct {
      char text[120];
      unsigned count;
   } told[MAX_TOLD];
   unsigned i = 0;

   simple_mtx_lock(&lock);
   /* When the table is full, all new texts share the last entry. */
   while (i < MAX_TOLD - 1 && told[i].count && strncmp(told[i].text, text, sizeof told[i].text - 1))
      i++;
   if (!told[i].count)
      snprintf(told[i].text, sizeof told[i].text, "%s", text);
   const unsigned count = ++told[i].count;
   simple_mtx_unlock(&lock);
   return util_is_power_of_two_nonzero(count) ? count : 0;
}

/* Prints an error.  `place` describes where the error occurred.  Errors with the same text are
 * counted together, even if they occur at different places.
 */
static void
print(const char *text, const char *place)
{
   const unsigned count = due(text);
   const char *process = util_get_process_name();
   char times[32] = "";

   if (count > 1)
      snprintf(times, sizeof times, " (%u times by now)", count);
   if (count) {
      fprintf(stderr,
              "sgpu: %s: %s%s%s; SGPU_DEBUG=asm prints the shaders, SGPU_CAPTURE=FILE records "
              "the draws\n",
              process ? process : "?", text, place, times);
   }
}

static void
lose_context(struct sgpu_context *ctx, enum pipe_reset_status status)
{
   if (ctx->lose_on_reset && ctx->reset_status == PIPE_NO_RESET)
      ctx->reset_status = status;
}

static enum pipe_reset_status
take_status(struct sgpu_context *ctx)
{
   const enum pipe_reset_status status = ctx->reset_status;

   ctx->reset_status = PIPE_NO_RESET;
   return status;
}

/* Notifies Mesa of a reset through the callback, unless get_device_reset_status() has already
 * reported the reset.
 */
static void
call_back(struct sgpu_context *ctx)
{
   if (ctx->reset_status != PIPE_NO_RESET && ctx->reset.reset)
      ctx->reset.reset(ctx->reset.data, take_status(ctx));
}

static void
dropped(struct sgpu_context *ctx, const char *why, const char *what)
{
   char text[160];

   snprintf(text, sizeof text, "%s: %s", why, what);
   print(text, "");
   lose_context(ctx, PIPE_UNKNOWN_CONTEXT_RESET);
   call_back(ctx);
}

void
sgpu_out_of_memory(struct sgpu_context *ctx, const char *what)
{
   dropped(ctx, "out of memory", what);
}

void
sgpu_submission_dropped(struct sgpu_context *ctx, int error)
{
   dropped(ctx, error == -ENOMEM ? "out of memory" : "the device refuses the stream",
           "the draws of a submission are dropped");
}

/* Writes a description of where an error occurred to `out`: the submission and, if known, the draw
 * that failed.
 */
static void
describe_place(const struct sgpu_context *ctx, const struct sgpu_ring_error *error, char *out,
               size_t size)
{
   const struct sgpu_submitted *sub = &ctx->submitted[error->seqno % SGPU_SUBMITTED];
   const bool known = sub->seqno == error->seqno && sub->num_draws;
   int n = snprintf(out, size, ", in submission %" PRIu64, error->seqno);

   if (known && error->draw)
      snprintf(out + n, size - n, ", draw %" PRIu64, sub->first_draw + error->draw - 1);
   else if (known && sub->num_draws == 1)
      snprintf(out + n, size - n, ", draw %" PRIu64, sub->first_draw);
   else if (known)
      snprintf(out + n, size - n, ", draws %" PRIu64 " to %" PRIu64, sub->first_draw,
               sub->first_draw + sub->num_draws - 1);
}

static void
take_errors(struct sgpu_context *ctx)
{
   struct sgpu_ring_error error;
   char place[96], shader[64], text[240];

   while (sgpu_ring_take_error(ctx->cs.ring, &error)) {
      shader[0] = 0;
      describe_place(ctx, &error, place, sizeof place);
      if (error.program)
         sgpu_shader_describe(ctx->screen, error.program, shader, sizeof shader);
      snprintf(text, sizeof text, "%s%s%s", error.text, *shader ? ", in " : "", shader);
      print(text, place);
      lose_context(ctx, PIPE_GUILTY_CONTEXT_RESET);
   }
}

void
sgpu_context_check_errors(struct sgpu_context *ctx)
{
   take_errors(ctx);
   call_back(ctx);
}

static enum pipe_reset_status
sgpu_get_device_reset_status(struct pipe_context *pctx)
{
   take_errors(sgpu_context(pctx));
   return take_status(sgpu_context(pctx));
}

static void
sgpu_set_device_reset_callback(struct pipe_context *pctx,
                               const struct pipe_device_reset_callback *cb)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   if (cb)
      ctx->reset = *cb;
   else
      memset(&ctx->reset, 0, sizeof ctx->reset);
}

void
sgpu_error_context_init(struct pipe_context *pctx)
{
   pctx->get_device_reset_status = sgpu_get_device_reset_status;
   pctx->set_device_reset_callback = sgpu_set_device_reset_callback;
}
