/* SPDX-License-Identifier: MIT */
/*
 * Random structured programs: execution on the host, one lane at a time.
 */
#include "flow_statement.h"

enum leaving { GO_ON, LEAVE_LOOP, NEXT_TURN, LEAVE_MAIN, GONE };

struct lane {
   const uint32_t (*uniforms)[4];
   struct flow_state *state;
   uint32_t vars[FLOW_VARS][4];
   uint32_t short_array[FLOW_SHORT_ARRAY], long_array[FLOW_LONG_ARRAY];
};

static void
read_value(const struct lane *l, const struct value *v, uint32_t result[4])
{
   const bool array = v->kind == SHORT_ARRAY || v->kind == LONG_ARRAY;
   const uint32_t index = array ? l->vars[v->index][0] : 0;

   for (unsigned c = 0; c < 4; c++) {
      switch (v->kind) {
      case VAR:
         result[c] = l->vars[v->index][v->swizzle[c] % components(v->index)];
         break;
      case INPUT:
         result[c] = l->state->inputs[v->index][v->swizzle[c]];
         break;
      case UNIFORM:
         result[c] = l->uniforms[v->index][v->swizzle[c]];
         break;
      case IMMEDIATE:
         result[c] = v->immediate;
         break;
      case SHORT_ARRAY:
         result[c] = l->short_array[index % FLOW_SHORT_ARRAY];
         break;
      default:
         result[c] = l->long_array[index % FLOW_LONG_ARRAY];
         break;
      }
   }
}

static uint32_t
operate(enum operation operation, uint32_t x, uint32_t y)
{
   switch (operation) {
   case ADD:
      return x + y;
   case SUB:
      return x - y;
   case MUL:
      return x * y;
   case XOR:
      return x ^ y;
   case AND:
      return x & y;
   case SHIFT:
      return x >> (y & 31);
   case MIN:
      return MIN2(x, y);
   case SELECT_LESS:
      return x < y ? y : x + 1;
   default:
      return x;
   }
}

static enum leaving
execute_list(struct lane *l, const struct statement *s)
{
   for (; s; s = s->next) {
      enum leaving leaving = GO_ON;
      uint32_t a[4], b[4];
      read_value(l, &s->a, a);
      read_value(l, &s->b, b);

      switch (s->kind) {
      case ASSIGN:
         u_foreach_bit(c, s->mask)
            l->vars[s->var][c] = operate(s->operation, a[c], b[c]);
         break;
      case STORE_SHORT:
         l->short_array[l->vars[s->var][0] % FLOW_SHORT_ARRAY] = operate(s->operation, a[0], b[0]);
         break;
      case STORE_LONG:
         l->long_array[l->vars[s->var][0] % FLOW_LONG_ARRAY] = operate(s->operation, a[0], b[0]);
         break;
      case IF:
         leaving = execute_list(l, s->body[a[0] < b[0] ? 0 : 1]);
         break;
      case LOOP:
         for (unsigned turns = a[0] % s->bound + 1; turns && leaving == GO_ON; turns--) {
            leaving = execute_list(l, s->body[0]);
            if (leaving == NEXT_TURN)
               leaving = GO_ON;
         }
         if (leaving == LEAVE_LOOP)
            leaving = GO_ON;
         break;
      case BREAK:
         return LEAVE_LOOP;
      case CONTINUE:
         return NEXT_TURN;
      case RETURN:
         return LEAVE_MAIN;
      case DISCARD:
         return GONE;
      }
      if (leaving != GO_ON)
         return leaving;
   }
   return GO_ON;
}

bool
flow_execute(const struct flow_program *program, const uint32_t uniforms[FLOW_UNIFORMS][4],
             struct flow_state *state)
{
   struct lane l = { .uniforms = uniforms, .state = state };

   for (unsigned n = 0; n < FLOW_VARS; n++)
      memcpy(l.vars[n], state->inputs[n % FLOW_INPUTS], sizeof(l.vars[n]));
   for (unsigned n = 0; n < FLOW_SHORT_ARRAY; n++)
      l.short_array[n] = n;
   for (unsigned n = 0; n < FLOW_LONG_ARRAY; n++)
      l.long_array[n] = n;
   if (execute_list(&l, program->body) == GONE)
      return false;
   for (unsigned n = 0; n < FLOW_OUTPUTS; n++) {
      for (unsigned c = 0; c < 4; c++) {
         state->outputs[n][c] = l.vars[2 * n][c % components(2 * n)] ^
                                l.vars[2 * n + 1][c % components(2 * n + 1)];
      }
   }
   return true;
}
