/* SPDX-License-Identifier: MIT */

/* Numbers as text. printf() and strtof() depend on the process's locale, which the application
 * controls. These functions always use the C locale.
 */

#define _GNU_SOURCE
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_text.h"

const struct sgpu_text_header sgpu_text_headers[SGPU_NUM_TEXT_HEADERS] = {
   { "!!VP1.0", SGPU_STAGE_VERTEX, true },       { "!!SGVP1.0", SGPU_STAGE_VERTEX, false },
   { "!!SGGP1.0", SGPU_STAGE_GEOMETRY, false },  { "!!SGFP1.0", SGPU_STAGE_PIXEL, false },
   { "!!SGCP1.0", SGPU_STAGE_COMPUTE, false },   { "!!SGTC1.0", SGPU_STAGE_TESS_CTRL, false },
   { "!!SGTE1.0", SGPU_STAGE_TESS_EVAL, false },
};

static float
parse_float(const char *text)
{
   locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
   if (c == (locale_t)0)
      return strtof(text, NULL);
   locale_t saved = uselocale(c);
   const float value = strtof(text, NULL);
   uselocale(saved);
   freelocale(c);
   return value;
}

/* Prints the shortest decimal number that reads back as the same float. Numbers from 10 to 10^9
 * have no exponent.
 */
static void
print_float(char *out, size_t size, float value)
{
   locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
   locale_t saved = c == (locale_t)0 ? c : uselocale(c);
   for (int digits = 1; digits <= 9; digits++) {
      snprintf(out, size, "%.*g", digits, (double)value);
      if (strtof(out, NULL) == value && (fabsf(value) >= 1e9f || !strstr(out, "e+")))
         break;
   }
   if (c != (locale_t)0) {
      uselocale(saved);
      freelocale(c);
   }
}

void
sgpu_number_print(char out[SGPU_NUMBER_MAX], uint32_t bits)
{
   const uint32_t magnitude = bits & 0x7fffffffu;
   float value;
   memcpy(&value, &bits, sizeof(value));

   if (magnitude == 0) {
      snprintf(out, SGPU_NUMBER_MAX, "%s", bits ? "-0.0" : "0.0");
      return;
   }
   /* Print numbers outside of 1e-12 to 1e12 in hexadecimal. Few integers have the bits of a float
    * inside this range.
    */
   if (magnitude < 0x2b8cbcccu || magnitude > 0x5368d4a5u) {
      snprintf(out, SGPU_NUMBER_MAX, "0x%08x", bits);
      return;
   }
   print_float(out, SGPU_NUMBER_MAX - 2, value);
   if (!strpbrk(out, ".e"))
      strcat(out, ".0");
}

static bool
is_digit(char c)
{
   return c >= '0' && c <= '9';
}

static int
hex_digit(char c)
{
   if (is_digit(c))
      return c - '0';
   if (c >= 'a' && c <= 'f')
      return c - 'a' + 10;
   return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int
parse_hex(const char *text, size_t length, uint32_t *bits)
{
   size_t i = 2;
   uint32_t value = 0;
   for (; i < length && hex_digit(text[i]) >= 0; i++) {
      if (i >= 10)
         return -1;
      value = value << 4 | (uint32_t)hex_digit(text[i]);
   }
   *bits = value;
   return i > 2 ? (int)i : -1;
}

int
sgpu_number_parse(const char *text, size_t length, uint32_t *bits)
{
   if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
      return parse_hex(text, length, bits);

   size_t i = 0, digits = 0;
   for (; i < length && is_digit(text[i]); i++)
      digits++;
   if (i < length && text[i] == '.') {
      for (i++; i < length && is_digit(text[i]); i++)
         digits++;
   }
   if (digits == 0)
      return i ? -1 : 0;
   if (i < length && (text[i] == 'e' || text[i] == 'E')) {
      size_t exponent = 0;
      i++;
      if (i < length && (text[i] == '+' || text[i] == '-'))
         i++;
      for (; i < length && is_digit(text[i]); i++)
         exponent++;
      if (exponent == 0)
         return -1;
   }

   char copy[64];
   if (i >= sizeof(copy))
      return -1;
   memcpy(copy, text, i);
   copy[i] = '\0';
   const float value = parse_float(copy);
   if (isinf(value))
      return -1;
   memcpy(bits, &value, sizeof(value));
   return (int)i;
}
