/* SPDX-License-Identifier: MIT */

/* Parser of the assembler: a text and the current position in it. After the first error, all
 * functions fail and their results are undefined.
 */

#ifndef SGPU_ASM_PARSE_H
#define SGPU_ASM_PARSE_H

#include "sgpu_asm.h"

struct sgpu_parser {
   const char *text, *end;
   const char *at;
   enum sgpu_stage stage;
   bool vp1;
   bool failed;
   struct sgpu_asm_error *error;
};

struct sgpu_word {
   const char *text;
   size_t length; /* length in bytes, or 0 if there is no word */
};

/* Records an error at the line and column of `at`. Always returns false. */
bool sgpu_parse_fail(struct sgpu_parser *p, const char *at, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

/* Skips whitespace and comments. */
void sgpu_parse_skip(struct sgpu_parser *p);

/* sgpu_parse_peek() returns true if the next character is c. sgpu_parse_accept() also consumes the
 * character in this case. sgpu_parse_expect() consumes the character, or fails if it is not c.
 */
bool sgpu_parse_peek(struct sgpu_parser *p, char c);
bool sgpu_parse_accept(struct sgpu_parser *p, char c);
bool sgpu_parse_expect(struct sgpu_parser *p, char c);

/* Parses a word, which consists of letters, digits and underscores. */
struct sgpu_word sgpu_parse_word(struct sgpu_parser *p);
struct sgpu_word sgpu_parse_peek_word(struct sgpu_parser *p);
bool sgpu_word_is(struct sgpu_word word, const char *text);

/* Parses a decimal or hexadecimal number that must not exceed `max`. */
bool sgpu_parse_uint(struct sgpu_parser *p, uint32_t max, const char *what, uint32_t *value);

/* Parses a period followed by x, y, z or w. */
bool sgpu_parse_component(struct sgpu_parser *p, uint8_t *comp);

/* Operands (sgpu_asm_operand.c) */

bool sgpu_parse_dst(struct sgpu_parser *p, struct sgpu_dst *dst);
bool sgpu_parse_mask(struct sgpu_parser *p, uint8_t *mask);
bool sgpu_parse_src(struct sgpu_parser *p, struct sgpu_src *src);
/* Parses texture operands, e.g. tex[3], smp[A0.x + 2], SHADOW2D, (1, 0, -1). */
bool sgpu_parse_tex(struct sgpu_parser *p, struct sgpu_instr *instr);
/* Parses image operands, e.g. img[2], 2D. */
bool sgpu_parse_image(struct sgpu_parser *p, struct sgpu_instr *instr);
/* Parses a memory operand, e.g. cb[2][R1.x + 16], buf[A0.x + 2][R1.x] or l[16]. */
bool sgpu_parse_mem(struct sgpu_parser *p, struct sgpu_instr *instr);

/* Parses one statement (sgpu_asm_instr.c). For a branch to a label, sets *label to the name of the
 * label and leaves the target 0.
 */
bool sgpu_parse_instr(struct sgpu_parser *p, struct sgpu_instr *instr, struct sgpu_word *label);

#endif /* SGPU_ASM_PARSE_H */
