/* SPDX-License-Identifier: MIT */
/*
 * Random structured programs: random choice of the statements.
 */
#include "flow_statement.h"

#define MAX_DEPTH 4
/* Immediate values are less than this. */
#define IMMEDIATES 32

unsigned
flow_features(const struct flow_program *program)
{
   return program->features;
}

struct drawing {
   struct flow_program *program;
   struct rng *r;
   unsigned depth, loops;
   /* Number of statements that may still be drawn. */
   unsigned left;
};

static struct value
draw_value(struct drawing *d, bool uniform)
{
   struct value v = { .kind = VAR };

   if (uniform)
      v.kind = rng_chance(d->r, 70) ? UNIFORM : IMMEDIATE;
   else if (rng_chance(d->r, 60))
      v.kind = rng_below(d->r, NUM_VALUE_KINDS);
   switch (v.kind) {
   case INPUT:
      v.index = rng_below(d->r, FLOW_INPUTS);
      break;
   case UNIFORM:
      v.index = rng_below(d->r, FLOW_UNIFORMS);
      break;
   case IMMEDIATE:
      v.immediate = rng_below(d->r, IMMEDIATES);
      break;
   case SHORT_ARRAY:
   case LONG_ARRAY:
      d->program->features |= FLOW_ARRAYS;
      FALLTHROUGH;
   default:
      v.index = rng_below(d->r, FLOW_VARS);
      break;
   }
   for (unsigned c = 0; c < 4; c++)
      v.swizzle[c] = rng_below(d->r, 4);
   return v;
}

static struct statement *draw_list(struct drawing *d, unsigned max);

static void
draw_condition(struct drawing *d, struct statement *s)
{
   s->uniform = rng_chance(d->r, 30);
   s->a = draw_value(d, s->uniform);
   s->b = draw_value(d, s->uniform);
   d->program->features |= s->uniform ? FLOW_UNIFORM_IF : FLOW_DIVERGENT_IF;
}

static enum kind
draw_kind(struct drawing *d)
{
   const unsigned n = rng_below(d->r, 100);

   if (d->depth < MAX_DEPTH && n < 25)
      return IF;
   if (d->depth < MAX_DEPTH && d->loops < FLOW_COUNTERS && n < 40)
      return LOOP;
   return n < 47 ? STORE_SHORT : n < 52 ? STORE_LONG : ASSIGN;
}

/* Draws the end of a list of statements.  Some lists end with a jump. */
static enum kind
draw_end(struct drawing *d)
{
   const unsigned n = rng_below(d->r, 100);

   if (d->depth && d->loops && n < 14)
      return BREAK;
   if (d->depth && d->loops && n < 28)
      return CONTINUE;
   if (d->depth && n < 33)
      return RETURN;
   if (d->depth && n < 37 && d->program->stage == MESA_SHADER_FRAGMENT)
      return DISCARD;
   return ASSIGN;
}

static struct statement *
draw_statement(struct drawing *d, enum kind kind)
{
   struct statement *s = rzalloc(d->program, struct statement);
   unsigned *features = &d->program->features;

   s->kind = kind;
   switch (kind) {
   case ASSIGN:
   case STORE_SHORT:
   case STORE_LONG:
      s->operation = rng_below(d->r, NUM_OPERATIONS);
      s->a = draw_value(d, false);
      s->b = draw_value(d, false);
      s->var = rng_below(d->r, FLOW_VARS);
      s->mask = 1 + rng_below(d->r, (1u << components(s->var)) - 1);
      if (kind != ASSIGN)
         *features |= FLOW_ARRAYS;
      break;
   case IF:
      draw_condition(d, s);
      d->depth++;
      s->body[0] = draw_list(d, 4);
      s->body[1] = rng_chance(d->r, 50) ? draw_list(d, 4) : NULL;
      d->depth--;
      break;
   case LOOP:
      s->uniform = rng_chance(d->r, 30);
      s->a = draw_value(d, s->uniform);
      s->bound = 1 + rng_below(d->r, 5);
      s->counter = d->loops;
      if (d->loops)
         *features |= FLOW_NESTED_LOOP;
      d->depth++;
      d->loops++;
      s->body[0] = draw_list(d, 6);
      d->loops--;
      d->depth--;
      break;
   case BREAK:
      *features |= FLOW_BREAK;
      break;
   case CONTINUE:
      *features |= FLOW_CONTINUE;
      break;
   case RETURN:
      *features |= d->loops ? FLOW_RETURN_IN_LOOP : FLOW_RETURN;
      break;
   case DISCARD:
      *features |= FLOW_DISCARD;
      break;
   }
   return s;
}

static struct statement *
draw_list(struct drawing *d, unsigned max)
{
   struct statement *first = NULL, **last = &first;
   unsigned count = 1 + rng_below(d->r, max);

   while (count-- && d->left) {
      d->left--;
      *last = draw_statement(d, draw_kind(d));
      last = &(*last)->next;
   }
   const enum kind end = draw_end(d);
   if (end != ASSIGN)
      *last = draw_statement(d, end);
   return first;
}

struct flow_program *
flow_draw(void *mem_ctx, struct rng *r, gl_shader_stage stage)
{
   struct flow_program *program = rzalloc(mem_ctx, struct flow_program);
   struct drawing d = { .program = program, .r = r, .left = 40 };

   program->stage = stage;
   program->body = draw_list(&d, 12);
   return program;
}
