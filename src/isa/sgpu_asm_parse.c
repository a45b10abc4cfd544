/* SPDX-License-Identifier: MIT */

/* Parser of the assembler: characters, words, numbers and errors. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sgpu_asm_parse.h"

bool
sgpu_parse_fail(struct sgpu_parser *p, const char *at, const char *format, ...)
{
   if (p->failed)
      return false;
   p->failed = true;

   unsigned line = 1, column = 1;
   for (const char *c = p->text; c < at; c++) {
      column = *c == '\n' ? 1 : column + 1;
      line += *c == '\n';
   }
   p->error->line = line;
   p->error->column = column;

   va_list args;
   va_start(args, format);
   vsnprintf(p->error->text, sizeof(p->error->text), format, args);
   va_end(args);
   return false;
}

void
sgpu_parse_skip(struct sgpu_parser *p)
{
   bool comment = false;
   for (; p->at < p->end; p->at++) {
      const char c = *p->at;
      if (c == '\n')
         comment = false;
      else if (c == '#')
         comment = true;
      else if (!comment && c != ' ' && c != '\t' && c != '\r')
         return;
   }
}

bool
sgpu_parse_peek(struct sgpu_parser *p, char c)
{
   sgpu_parse_skip(p);
   return !p->failed && p->at < p->end && *p->at == c;
}

bool
sgpu_parse_accept(struct sgpu_parser *p, char c)
{
   if (!sgpu_parse_peek(p, c))
      return false;
   p->at++;
   return true;
}

bool
sgpu_parse_expect(struct sgpu_parser *p, char c)
{
   if (sgpu_parse_accept(p, c))
      return true;
   const char found = p->at < p->end ? *p->at : '\0';
   if (found > ' ' && found <= '~')
      return sgpu_parse_fail(p, p->at, "expected '%c', found '%c'", c, found);
   return sgpu_parse_fail(p, p->at, "expected '%c'", c);
}

static bool
is_word(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct sgpu_word
sgpu_parse_peek_word(struct sgpu_parser *p)
{
   struct sgpu_word word = { p->at, 0 };
   sgpu_parse_skip(p);
   word.text = p->at;
   while (!p->failed && word.text + word.length < p->end && is_word(word.text[word.length]))
      word.length++;
   return word;
}

struct sgpu_word
sgpu_parse_word(struct sgpu_parser *p)
{
   const struct sgpu_word word = sgpu_parse_peek_word(p);
   p->at = word.text + word.length;
   return word;
}

bool
sgpu_word_is(struct sgpu_word word, const char *text)
{
   return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

bool
sgpu_parse_uint(struct sgpu_parser *p, uint32_t max, const char *what, uint32_t *value)
{
   const struct sgpu_word word = sgpu_parse_word(p);
   const bool hex = word.length > 2 && word.text[0] == '0' && word.text[1] == 'x';
   uint64_t v = 0;

   if (p->failed)
      return false;
   if (word.length == 0)
      return sgpu_parse_fail(p, p->at, "expected %s", what);
   for (size_t i = hex ? 2 : 0; i < word.length; i++) {
      const char c = word.text[i];
      unsigned digit;
      if (c >= '0' && c <= '9')
         digit = (unsigned)(c - '0');
      else if (hex && c >= 'a' && c <= 'f')
         digit = (unsigned)(c - 'a' + 10);
      else
         return sgpu_parse_fail(p, word.text, "expected %s, found '%.*s'", what,
                                (int)(word.length > 40 ? 40 : word.length), word.text);
      v = v * (hex ? 16 : 10) + digit;
      if (v > max)
         return sgpu_parse_fail(p, word.text, "%s beyond %u", what, max);
   }
   *value = (uint32_t)v;
   return true;
}

bool
sgpu_parse_component(struct sgpu_parser *p, uint8_t *comp)
{
   if (!sgpu_parse_expect(p, '.'))
      return false;
   const struct sgpu_word word = sgpu_parse_word(p);
   for (uint8_t c = 0; c < 4; c++) {
      if (word.length == 1 && word.text[0] == "xyzw"[c]) {
         *comp = c;
         return !p->failed;
      }
   }
   return sgpu_parse_fail(p, word.text, "expected one component: x, y, z or w");
}
