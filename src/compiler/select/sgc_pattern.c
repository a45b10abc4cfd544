/* SPDX-License-Identifier: MIT */
/*
 * The pattern table and its parser. Expressions use this syntax:
 *
 *    (op p q)   NIR opcode `op`, with sources that match p and q
 *    {p|q}      alternatives, the first match wins
 *    1          literal
 *    ax, bw     variables: position x of source a, position w of source b
 *    a          position x of source a, which is scalar
 *    -ax        matches the negation of ax
 *    ax:128     ax must be a literal whose magnitude is at most 128
 */

#include <stdlib.h>
#include <string.h>

#include "c11/threads.h"
#include "select/sgc_pattern.h"

#define LIT_POWER                          \
   "(fexp2 (fmul (flog2 {(fmax ay 0)|ay})" \
   " {(fmax (fmin aw 128) -128)|(fmin (fmax aw -128) 128)|aw:128}))"

static struct sgc_pattern patterns[] = {
   { SGPU_OP_LIT, 2, 6, true, true,
     "{(b32csel {(fge32 0 ax)|(fge32 -ax 0)} 0 " LIT_POWER ")"
     "|(b32csel {(flt32 0 ax)|(flt32 -ax 0)} " LIT_POWER " 0)"
     "|(fmul {(slt 0 ax)|(slt -ax 0)|(b2f32 {(flt32 0 ax)|(flt32 -ax 0)})} " LIT_POWER ")}" },
   { SGPU_OP_LIT, 1, 1, false, false, "(fmax ax 0)" },
   { SGPU_OP_LIT, 0, 1, false, false, "1" },
   { SGPU_OP_LIT, 3, 1, false, false, "1" },

   { SGPU_OP_LOG, 1, 4, true, true,
     "(fmul a {(fexp2 (fneg (ffloor (flog2 a))))|(frcp (fexp2 (ffloor (flog2 a))))})" },
   { SGPU_OP_LOG, 0, 2, true, true, "(ffloor (flog2 a))" },
   { SGPU_OP_LOG, 2, 1, false, true, "(flog2 a)" },
   { SGPU_OP_LOG, 3, 1, false, false, "1" },

   { SGPU_OP_EXP, 0, 2, true, false, "(fexp2 (ffloor a))" },
   { SGPU_OP_EXP, 1, 1, false, false, "{(ffract a)|(fadd a (fneg (ffloor a)))}" },
   { SGPU_OP_EXP, 2, 1, false, false, "(fexp2 a)" },
   { SGPU_OP_EXP, 3, 1, false, false, "1" },

   { SGPU_OP_DST, 1, 1, true, false, "(fmul ay by)" },
   { SGPU_OP_DST, 0, 1, false, false, "1" },
   { SGPU_OP_DST, 2, 1, false, false, "az" },
   { SGPU_OP_DST, 3, 1, false, false, "bw" },
};

static struct sgc_pattern_node nodes[160];
static unsigned num_nodes;
static once_flag once = ONCE_FLAG_INIT;

static struct sgc_pattern_node *
new_node(enum sgc_pattern_kind kind)
{
   assert(num_nodes < ARRAY_SIZE(nodes));
   struct sgc_pattern_node *node = &nodes[num_nodes++];
   node->kind = kind;
   return node;
}

static const char *
skip_space(const char *p)
{
   while (*p == ' ')
      p++;
   return p;
}

static nir_op
find_op(const char *name, size_t length)
{
   for (unsigned op = 0; op < nir_num_opcodes; op++) {
      if (strlen(nir_op_infos[op].name) == length && !strncmp(nir_op_infos[op].name, name, length))
         return op;
   }
   unreachable("pattern: no such operation");
}

static struct sgc_pattern_node *
parse_variable(const char **text)
{
   struct sgc_pattern_node *node = new_node(SGC_PATTERN_VARIABLE);
   const char *p = *text;

   node->neg = *p == '-';
   p += node->neg;
   node->src = *p++ - 'a';
   if (*p && strchr("xyzw", *p))
      node->pos = strchr("xyzw", *p++) - "xyzw";
   if (*p == ':') {
      char *end;
      node->limited = true;
      node->value = strtof(p + 1, &end);
      p = end;
   }
   *text = p;
   return node;
}

static struct sgc_pattern_node *
parse(const char **text)
{
   struct sgc_pattern_node *node;
   const char *p = skip_space(*text);

   if (*p == '(') {
      const size_t length = strcspn(++p, " ");
      node = new_node(SGC_PATTERN_OPERATION);
      node->op = find_op(p, length);
      for (p = skip_space(p + length); *p != ')'; p = skip_space(p)) {
         assert(node->num_args < SGC_PATTERN_MAX_ARGS);
         node->args[node->num_args++] = parse(&p);
      }
      assert(node->num_args == nir_op_infos[node->op].num_inputs);
      p++;
   } else if (*p == '{') {
      node = new_node(SGC_PATTERN_CHOICE);
      do {
         p++;
         assert(node->num_args < SGC_PATTERN_MAX_ARGS);
         node->args[node->num_args++] = parse(&p);
         p = skip_space(p);
      } while (*p == '|');
      assert(*p == '}');
      p++;
   } else if (strchr("ab", p[*p == '-'])) {
      node = parse_variable(&p);
   } else {
      char *end;
      node = new_node(SGC_PATTERN_NUMBER);
      node->value = strtof(p, &end);
      assert(end != p);
      p = end;
   }
   *text = p;
   return node;
}

static void
parse_all(void)
{
   for (unsigned i = 0; i < ARRAY_SIZE(patterns); i++) {
      const char *p = patterns[i].text;
      patterns[i].root = parse(&p);
      assert(!*p);
   }
}

const struct sgc_pattern *
sgc_patterns(unsigned *count)
{
   call_once(&once, parse_all);
   *count = ARRAY_SIZE(patterns);
   return patterns;
}
