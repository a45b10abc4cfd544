/* SPDX-License-Identifier: MIT */
#include "sgpu_error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sgpu_context.h"
#include "util/simple_mtx.h"
#include "util/u_math.h"
#include "util/u_process.h"

#define MAX_TOLD 64

/* Counts the errors by `text`, as far as it is kept.  The first of them is printed,
 * then the second, fourth, eighth, ...: a program that makes the same error in each
 * frame does not flood the terminal.  Returns 0 for one that is not.
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
   /* Further texts share the last entry. */
   while (i < MAX_TOLD - 1 && told[i].count &&
          strncmp(told[i].text, text, sizeof told[i].text - 1))
      i++;
   if (!told[i].count)
      snprintf(told[i].text, sizeof told[i].text, "%s", text);
   const unsigned count = ++told[i].count;
   simple_mtx_unlock(&lock);
   return util_is_power_of_two_nonzero(count) ? count : 0;
}

/* `place`: the part of the line that differs from one error to the next of its kind. */
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
              "the draws\n", process ? process : "?", text, place, times);
   }
}

static void
lose(struct sgpu_context *ctx, enum pipe_reset_status status)
{
   if (!ctx->lose_on_reset || ctx->reset_status != PIPE_NO_RESET)
      return;
   ctx->reset_status = status;
   if (ctx->reset.reset)
      ctx->reset.reset(ctx->reset.data, status);
}

void
sgpu_out_of_memory(struct sgpu_context *ctx, const char *what)
{
   char text[80];

   snprintf(text, sizeof text, "out of memory: %s", what);
   print(text, "");
   lose(ctx, PIPE_UNKNOWN_CONTEXT_RESET);
}

/* Names the draws of a submission: the device does not say which of them it was. */
static void
describe_place(const struct sgpu_context *ctx, uint64_t seqno, char *out, size_t size)
{
   const struct sgpu_submitted *sub = &ctx->submitted[seqno % SGPU_SUBMITTED];

   if (sub->seqno == seqno && sub->num_draws) {
      snprintf(out, size, ", in submission %" PRIu64 ", draws %" PRIu64 " to %" PRIu64, seqno,
               sub->first_draw, sub->first_draw + sub->num_draws - 1);
   } else {
      snprintf(out, size, ", in submission %" PRIu64, seqno);
   }
}

void
sgpu_context_check_errors(struct sgpu_context *ctx)
{
   char text[160], place[96];
   uint64_t seqno;

   if (!sgpu_ring_take_error(ctx->cs.ring, &seqno, text, sizeof text))
      return;
   describe_place(ctx, seqno, place, sizeof place);
   print(text, place);
   lose(ctx, PIPE_GUILTY_CONTEXT_RESET);
}
