/* SPDX-License-Identifier: MIT */

/* Assembler of statements: guard, mnemonic with suffixes, and operands. */

#include <string.h>

#include "sgpu_asm_parse.h"

static int
limited(size_t length)
{
   return length > 40 ? 40 : (int)length;
}

/* Parses a guard, e.g. (P0.x) or (!P0.y). */
static bool
parse_guard(struct sgpu_parser *p, struct sgpu_guard *guard)
{
   guard->en = true;
   guard->not = sgpu_parse_accept(p, '!');
   const struct sgpu_word word = sgpu_parse_word(p);
   if (word.length != 2 || word.text[0] != 'P' || word.text[1] < '0' ||
       word.text[1] >= '0' + SGPU_PRED_SIZE)
      return sgpu_parse_fail(p, word.text, "expected a predicate, P0 to P3");
   guard->reg = (uint8_t)(word.text[1] - '0');
   return sgpu_parse_component(p, &guard->comp) && sgpu_parse_expect(p, ')');
}

/* Parses the operation suffix of a reduction, e.g. FADD in RED.FADD. */
static bool
parse_reduction(struct sgpu_parser *p, struct sgpu_instr *instr)
{
   if (!sgpu_parse_expect(p, '.'))
      return false;
   const struct sgpu_word word = sgpu_parse_word(p);
   for (unsigned i = 0; i < SGPU_NUM_REDUCTIONS; i++) {
      if (sgpu_word_is(word, sgpu_reduction_names[i])) {
         instr->reduction = (uint8_t)i;
         return !p->failed;
      }
   }
   return sgpu_parse_fail(p, word.text, "expected a reduction, such as IADD");
}

/* Parses the cluster size of a reduction in lanes, e.g. 32 in RED.FADD R0, R1, 32. */
static bool
parse_cluster(struct sgpu_parser *p, struct sgpu_instr *instr)
{
   uint32_t lanes;
   sgpu_parse_skip(p);
   const char *at = p->at;
   if (!sgpu_parse_uint(p, 32, "a number of lanes", &lanes))
      return false;
   if (lanes == 0 || (lanes & (lanes - 1)))
      return sgpu_parse_fail(p, at, "the lanes of a cluster are a power of two");
   while (lanes >> (instr->cluster + 1))
      instr->cluster++;
   return true;
}

/* Parses a mnemonic with its suffixes, e.g. MAD_SAT_Z, FSETP.LT or ATB.ADD. */
static bool
parse_mnemonic(struct sgpu_parser *p, struct sgpu_instr *instr)
{
   const struct sgpu_word word = sgpu_parse_word(p);
   const char *end = word.text + word.length;
   const char *cut = word.length ? memchr(word.text, '_', word.length) : NULL;
   const size_t length = cut ? (size_t)(cut - word.text) : word.length;
   if (length == 0)
      return sgpu_parse_fail(p, word.text, "expected an operation");

   const int opcode = sgpu_opcode_find(word.text, (unsigned)length);
   if (opcode < 0)
      return sgpu_parse_fail(p, word.text, "no such operation: %.*s", limited(length), word.text);
   const struct sgpu_guard guard = instr->guard;
   *instr = sgpu_instr_init((enum sgpu_opcode)opcode);
   instr->guard = guard;

   while (cut) {
      const char *next = memchr(cut + 1, '_', (size_t)(end - cut - 1));
      const struct sgpu_word suffix = { cut + 1, (size_t)((next ? next : end) - cut - 1) };
      if (sgpu_word_is(suffix, "SAT") && !instr->sat)
         instr->sat = true;
      else if (sgpu_word_is(suffix, "Z") && !instr->zmul && !p->vp1)
         instr->zmul = true;
      else
         return sgpu_parse_fail(p, suffix.text, "no such suffix: _%.*s", limited(suffix.length),
                                suffix.text);
      cut = next;
   }

   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   if (info->payload == SGPU_PAYLOAD_REDUCE)
      return parse_reduction(p, instr);
   if (p->vp1)
      instr->zmul = (info->flags & SGPU_OPF_ZMUL) != 0;
   if (info->mod != SGPU_MOD_COND && !(info->flags & SGPU_OPF_ATOMIC))
      return !p->failed;

   if (!sgpu_parse_expect(p, '.'))
      return false;
   const struct sgpu_word cond = sgpu_parse_word(p);
   if (info->flags & SGPU_OPF_ATOMIC) {
      for (unsigned i = 0; i < SGPU_NUM_ATOMICS; i++) {
         if (sgpu_word_is(cond, sgpu_atomic_names[i])) {
            instr->aop = (uint8_t)i;
            return !p->failed;
         }
      }
      return sgpu_parse_fail(p, cond.text, "expected an atomic operation, such as ADD or CAS");
   }
   for (unsigned i = 0; i < 8; i++) {
      if (sgpu_word_is(cond, sgpu_cond_names[i])) {
         instr->cond = (uint8_t)i;
         return !p->failed;
      }
   }
   return sgpu_parse_fail(p, cond.text, "expected a condition: F, LT, EQ, LE, GT, NE, GE or T");
}

/* Parses the comma before an operand. The first operand has none. */
static bool
separate(struct sgpu_parser *p, bool *first)
{
   const bool ok = *first || sgpu_parse_expect(p, ',');
   *first = false;
   return ok;
}

static bool
parse_target(struct sgpu_parser *p, struct sgpu_instr *instr, struct sgpu_word *label)
{
   const struct sgpu_word word = sgpu_parse_peek_word(p);
   if (word.length && word.text[0] >= '0' && word.text[0] <= '9')
      return sgpu_parse_uint(p, SGPU_MAX_INSTRUCTIONS, "a branch target", &instr->target);
   if (word.length == 0)
      return sgpu_parse_fail(p, p->at, "expected a label");
   *label = sgpu_parse_word(p);
   return !p->failed;
}

/* Parses the destination. "_" means no destination, for operations with an optional one. */
static bool
parse_destination(struct sgpu_parser *p, const struct sgpu_opcode_info *info,
                  struct sgpu_instr *instr)
{
   if ((info->flags & SGPU_OPF_OPTDST) && sgpu_word_is(sgpu_parse_peek_word(p), "_")) {
      sgpu_parse_word(p);
      return !p->failed;
   }
   return sgpu_parse_dst(p, &instr->dst);
}

static bool
parse_operands(struct sgpu_parser *p, struct sgpu_instr *instr, struct sgpu_word *label)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   bool first = true;
   unsigned s = 0;

   if ((info->flags & SGPU_OPF_DST) && !(separate(p, &first) && parse_destination(p, info, instr)))
      return false;

   switch ((enum sgpu_payload_class)info->payload) {
   case SGPU_PAYLOAD_BRANCH:
      return parse_target(p, instr, label);
   case SGPU_PAYLOAD_MEM:
   case SGPU_PAYLOAD_ATOMIC:
      if (!separate(p, &first) || !sgpu_parse_mem(p, instr))
         return false;
      if ((info->flags & SGPU_OPF_WMASK) && !sgpu_parse_mask(p, &instr->dst.mask))
         return false;
      s = 1;
      break;
   case SGPU_PAYLOAD_TEX:
      for (; s < info->num_srcs; s++) {
         const char *start = p->at;
         if (!separate(p, &first))
            return false;
         if (sgpu_word_is(sgpu_parse_peek_word(p), "tex")) {
            p->at = start;
            break;
         }
         if (!sgpu_parse_src(p, &instr->src[s]))
            return false;
      }
      return separate(p, &first) && sgpu_parse_tex(p, instr);
   case SGPU_PAYLOAD_IMAGE:
      for (; s < info->num_srcs; s++) {
         if (!separate(p, &first) || !sgpu_parse_src(p, &instr->src[s]))
            return false;
      }
      return separate(p, &first) && sgpu_parse_image(p, instr);
   case SGPU_PAYLOAD_VERTEX_STREAM: {
      uint32_t stream;
      if (!sgpu_parse_uint(p, SGPU_MAX_VERTEX_STREAMS - 1, "a vertex stream", &stream))
         return false;
      instr->unit = (uint8_t)stream;
      return true;
   }
   case SGPU_PAYLOAD_FETCH: {
      uint32_t target;
      if (!separate(p, &first) || !sgpu_parse_uint(p, SGPU_MAX_TARGETS - 1, "a target", &target))
         return false;
      instr->unit = (uint8_t)target;
      return true;
   }
   case SGPU_PAYLOAD_REDUCE:
      return separate(p, &first) && sgpu_parse_src(p, &instr->src[0]) && separate(p, &first) &&
             parse_cluster(p, instr);
   case SGPU_PAYLOAD_NONE:
      break;
   }

   for (; s < info->num_srcs; s++) {
      if (!separate(p, &first) || !sgpu_parse_src(p, &instr->src[s]))
         return false;
   }
   return true;
}

bool
sgpu_parse_instr(struct sgpu_parser *p, struct sgpu_instr *instr, struct sgpu_word *label)
{
   memset(instr, 0, sizeof(*instr));
   memset(label, 0, sizeof(*label));
   sgpu_parse_skip(p);
   const char *at = p->at;

   if (sgpu_parse_accept(p, '(') && !parse_guard(p, &instr->guard))
      return false;
   if (!parse_mnemonic(p, instr) || !parse_operands(p, instr, label) || !sgpu_parse_expect(p, ';'))
      return false;

   const char *error = sgpu_instr_check(instr);
   if (!error && p->vp1)
      error = sgpu_instr_check_vp1(instr);
   return error ? sgpu_parse_fail(p, at, "%s", error) : true;
}

bool
sgpu_asm_instr(const char *text, size_t length, enum sgpu_stage stage, bool vp1,
               struct sgpu_instr *instr, struct sgpu_asm_error *error)
{
   struct sgpu_parser p = {
      .text = text,
      .end = text + length,
      .at = text,
      .stage = stage,
      .vp1 = vp1,
      .error = error,
   };
   struct sgpu_word label;
   if (!sgpu_parse_instr(&p, instr, &label))
      return false;
   if (label.length)
      return sgpu_parse_fail(&p, label.text, "a single instruction has no labels");
   sgpu_parse_skip(&p);
   return p.at == p.end || sgpu_parse_fail(&p, p.at, "text after the instruction");
}
