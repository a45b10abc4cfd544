/* SPDX-License-Identifier: MIT */

/* Static check of control flow.
 *
 * A warp's synchronization stack contains open points (SSY, PBK, PCNT) and pending sides of
 * divergent branches. All paths to an instruction must have the same open points. The state of an
 * instruction refers to the instruction that pushed the topmost point. The state of that
 * instruction refers to the next point below, and so on. Pending sides are only counted: a guarded
 * branch may leave a pending side for the path that falls through, and the point below pops it.
 * Each pending side has at least one lane and at least one other lane is active, which limits the
 * number of pending sides to 31.
 */

#include <stdlib.h>

#include "sgpu_flow.h"
#include "sgpu_isa.h"

#define MAX_PENDING 31

#define POINT_BREAK 1
#define POINT_CONTINUE 2

struct state {
   int32_t point;   /* index of the instruction that pushed the topmost point */
   uint32_t depth;  /* number of open points on the stack */
   uint8_t pending; /* maximum number of pending sides on the stack */
   uint8_t kinds;   /* mask of POINT_* bits for the points on the stack */
   bool queued;
};

struct flow {
   const struct sgpu_flow_instr *instrs;
   uint32_t num;
   /* state before each of the `num` instructions, followed by the state at the end of the program
    */
   struct state *states;
   uint32_t *queue; /* work list (a stack), which contains each instruction at most once */
   uint32_t queued;
   uint32_t max_depth;
   const char *error;
   uint32_t where;
};

static void
fail(struct flow *f, uint32_t where, const char *error)
{
   if (!f->error) {
      f->error = error;
      f->where = where;
   }
}

static void
go(struct flow *f, uint32_t from, uint32_t to, int32_t point, const struct state *with,
   unsigned pending)
{
   if (to > f->num) {
      fail(f, from, "branch target beyond the program");
      return;
   }

   struct state *s = &f->states[to];
   const uint8_t most = pending > MAX_PENDING ? MAX_PENDING : pending;
   if (s->point == SGPU_FLOW_UNREACHED) {
      s->point = point;
      s->depth = with->depth;
      s->kinds = with->kinds;
      s->pending = most;
   } else if (s->point != point) {
      fail(f, to, "paths with different synchronization stacks meet");
      return;
   } else if (most > s->pending) {
      s->pending = most;
   } else {
      return;
   }

   if (s->depth + s->pending > f->max_depth)
      f->max_depth = s->depth + s->pending;
   if (!s->queued) {
      s->queued = true;
      f->queue[f->queued++] = to;
   }
}

/* Returns the state after an instruction that pushes a point. */
static struct state
pushed(const struct state *s, unsigned opcode)
{
   struct state next = *s;
   next.depth++;
   next.kinds |= opcode == SGPU_OP_PBK ? POINT_BREAK : opcode == SGPU_OP_PCNT ? POINT_CONTINUE : 0;
   return next;
}

static void
step(struct flow *f, uint32_t i)
{
   const struct sgpu_flow_instr *instr = &f->instrs[i];
   const struct state s = f->states[i];
   struct state next;
   bool falls_through = true;
   unsigned pending = s.pending;

   switch (instr->opcode) {
   case SGPU_OP_BRA:
      go(f, i, instr->target, s.point, &s, s.pending);
      falls_through = instr->guarded;
      pending++;
      break;
   case SGPU_OP_SSY:
   case SGPU_OP_PBK:
   case SGPU_OP_PCNT:
      next = pushed(&s, instr->opcode);
      /* At the meeting point, the stack is the same as before SSY. */
      go(f, i, instr->target, s.point, &s, s.pending);
      go(f, i, i + 1, (int32_t)i, &next, s.pending);
      return;
   case SGPU_OP_SYNC:
      if (s.point < 0 || f->instrs[s.point].opcode != SGPU_OP_SSY)
         fail(f, i, "SYNC without SSY on top of the stack");
      falls_through = false;
      break;
   case SGPU_OP_BRK:
      if (!(s.kinds & POINT_BREAK))
         fail(f, i, "BRK without PBK");
      falls_through = instr->guarded;
      break;
   case SGPU_OP_CONT:
      if (!(s.kinds & POINT_CONTINUE))
         fail(f, i, "CONT without PCNT");
      falls_through = instr->guarded;
      break;
   case SGPU_OP_EXIT:
   case SGPU_OP_KIL:
      falls_through = instr->guarded;
      break;
   default:
      break;
   }

   if (falls_through)
      go(f, i, i + 1, s.point, &s, pending);
}

const char *
sgpu_flow_check(const struct sgpu_flow_instr *instrs, uint32_t num, uint32_t *max_depth,
                uint32_t *where, int32_t *points)
{
   struct flow f = { .instrs = instrs, .num = num };
   f.states = calloc((size_t)num + 1, sizeof(*f.states));
   f.queue = calloc((size_t)num + 1, sizeof(*f.queue));
   if (!f.states || !f.queue) {
      fail(&f, num, "out of memory");
   } else {
      for (uint32_t i = 0; i <= num; i++)
         f.states[i].point = SGPU_FLOW_UNREACHED;
      go(&f, 0, 0, SGPU_FLOW_NO_POINT, &(struct state){ 0 }, 0);
   }

   while (f.queued && !f.error) {
      const uint32_t i = f.queue[--f.queued];
      f.states[i].queued = false;
      if (i < num)
         step(&f, i);
      else if (f.states[i].point != SGPU_FLOW_NO_POINT)
         fail(&f, num, "the synchronization stack is not empty at the end");
   }

   for (uint32_t i = 0; points && i <= num && !f.error; i++)
      points[i] = f.states[i].point;
   free(f.states);
   free(f.queue);
   *max_depth = f.max_depth;
   *where = f.where;
   return f.error;
}
