/* SPDX-License-Identifier: MIT */

/* Prints untrusted text to terminals as UTF-8 without control characters. */

#define _POSIX_C_SOURCE 200809L

#include "sgpu_printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Decodes a valid UTF-8 sequence in its shortest form. Returns the code point and sets *bytes to
 * the length of the sequence. Sets *bytes to 0 if the sequence is invalid.
 */
static uint32_t
decode(const unsigned char *c, size_t left, unsigned *bytes)
{
   static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
   const unsigned n = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : 4;
   uint32_t code = n < 2 ? *c : *c & (0x7fu >> n);

   *bytes = 0;
   if (!n || n > left || *c > 0xf4)
      return 0;
   for (unsigned i = 1; i < n; i++) {
      if ((c[i] & 0xc0) != 0x80)
         return 0;
      code = code << 6 | (c[i] & 0x3f);
   }
   if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      return 0;
   *bytes = n;
   return code;
}

static bool
controls(uint32_t code)
{
   return code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0x061c ||
          (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
          (code >= 0x2066 && code <= 0x2069) || (code >= 0xe0000 && code <= 0xe007f);
}

unsigned
sgpu_printable_bytes(const char *text, size_t left)
{
   unsigned bytes;
   const uint32_t code = left ? decode((const unsigned char *)text, left, &bytes) : 0;

   return left && bytes && !controls(code) ? bytes : 0;
}

/* Writes one character, or one byte as \xNN, to `piece`. Advances *text. Returns the number of
 * bytes written.
 */
static unsigned
next_piece(const char **text, size_t *left, char piece[5])
{
   static const char digits[] = "0123456789abcdef";
   unsigned n = sgpu_printable_bytes(*text, *left), length = n;

   if (n) {
      memcpy(piece, *text, n);
   } else {
      const unsigned char c = (unsigned char)**text;
      piece[0] = '\\';
      piece[1] = 'x';
      piece[2] = digits[c >> 4];
      piece[3] = digits[c & 15];
      n = 1;
      length = 4;
   }
   *text += n;
   *left -= n;
   return length;
}

void
sgpu_printable_put(FILE *fp, const char *text, size_t length)
{
   size_t left = strnlen(text, length);
   char piece[5];

   while (left)
      fwrite(piece, 1, next_piece(&text, &left, piece), fp);
}

char *
sgpu_printable(char *out, size_t size, const char *text)
{
   size_t left = strlen(text), n = 0;
   char piece[5];

   while (left) {
      const unsigned length = next_piece(&text, &left, piece);
      if (n + length >= size)
         break;
      memcpy(out + n, piece, length);
      n += length;
   }
   if (size)
      out[n] = 0;
   return out;
}
