/* SPDX-License-Identifier: MIT */
/* Helpers of the generated round-trip test. */
#ifndef ROUNDTRIP_H
#define ROUNDTRIP_H

#define _POSIX_C_SOURCE 200809L /* for open_memstream */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sgpu_packets.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_print.h"
#include "sgpu_packets_unpack.h"

#define BUFFER_WORDS 2048
#define FILLER 0xa5a5a5a5u

/* A range of illegal values of the field with `bits` bits at word:bit. */
struct bad_value {
   uint32_t word;
   uint8_t bit, bits;
   uint64_t first, last;
   const char *text; /* start of the error text */
};

struct reserved_bits {
   uint32_t word, mask;
   const char *text;
};

static uint64_t random_state = 0x9e3779b97f4a7c15ull;

static uint64_t
random_u64(void)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 7;
   random_state ^= random_state << 17;
   return random_state * 0x2545f4914f6cdd1dull;
}

/* Returns a random value. Extreme values are as likely as all others together. */
static uint64_t
random_bits(unsigned bits)
{
   const uint64_t mask = UINT64_MAX >> (64 - bits);
   switch (random_u64() >> 61) {
   case 0:
      return 0;
   case 1:
      return mask;
   case 2:
      return 1;
   case 3:
      return 1ull << (bits - 1);
   default:
      return random_u64() & mask;
   }
}

static inline uint32_t
random_below(uint32_t end)
{
   return (uint32_t)((random_u64() >> 32) * end >> 32);
}

/* Returns one of the limits, or a value in between. */
static uint64_t
random_between(uint64_t first, uint64_t last)
{
   switch (random_u64() >> 62) {
   case 0:
      return first;
   case 1:
      return last;
   default:
      return first + random_u64() % (last - first + 1);
   }
}

/* Returns a float of random bits, which may be a NaN. */
static inline float
random_float(void)
{
   const uint32_t bits = (uint32_t)random_bits(32);
   float f;
   memcpy(&f, &bits, sizeof f);
   return f;
}

static inline double
random_double(void)
{
   const uint64_t bits = random_bits(64);
   double f;
   memcpy(&f, &bits, sizeof f);
   return f;
}

static void
fill(uint32_t *words)
{
   for (unsigned i = 0; i < BUFFER_WORDS; i++)
      words[i] = FILLER;
}

static inline void
check_packet(uint32_t *words)
{
   const uint32_t header = words[0], length = sgpu_packet_words(header);

   assert_null(sgpu_packet_check(words, length));
   assert_null(sgpu_packet_check(words, UINT32_MAX));
   assert_non_null(sgpu_packet_check(words, length - 1));
   assert_non_null(sgpu_packet_check(words, 0));
   for (unsigned bit = 24; bit < 32; bit++) {
      words[0] = header | 1u << bit;
      assert_non_null(sgpu_packet_check(words, UINT32_MAX));
   }
   words[0] = header;
}

static bool
printer_complains(const char *name, const uint32_t *words)
{
   char *text = NULL;
   size_t size = 0;
   FILE *fp = open_memstream(&text, &size);
   const struct sgpu_printer printer = { .fp = fp };
   const struct sgpu_struct_info *info = sgpu_struct_info(name);

   assert_non_null(info);
   if (info->packet)
      sgpu_printer_packet(&printer, words, 0);
   else
      sgpu_printer_struct(&printer, info, words, 0);
   fclose(fp);
   const bool complains = strstr(text, "!!") != NULL;
   free(text);
   return complains;
}

static void
check_refusals(const char *name, const uint32_t *words, const char *(*decode)(const uint32_t *),
               const struct bad_value *bad, const struct reserved_bits *reserved)
{
   uint32_t broken[BUFFER_WORDS];
   const char *error;

   assert_false(printer_complains(name, words));
   memcpy(broken, words, sizeof broken);
   for (; reserved->text; reserved++) {
      for (unsigned bit = 0; bit < 32; bit++) {
         if (!(reserved->mask >> bit & 1))
            continue;
         broken[reserved->word] |= 1u << bit;
         error = decode(broken);
         assert_non_null(error);
         assert_memory_equal(error, reserved->text, strlen(reserved->text));
         broken[reserved->word] = words[reserved->word];
      }
      broken[reserved->word] |= reserved->mask;
      assert_true(printer_complains(name, broken));
      broken[reserved->word] = words[reserved->word];
   }

   for (; bad->text; bad++) {
      const uint64_t value = random_between(bad->first, bad->last);
      if (bad->bits > 32) {
         sgpu_put64(broken + bad->word, value);
      } else {
         broken[bad->word] &= ~(UINT32_MAX >> (32 - bad->bits) << bad->bit);
         broken[bad->word] |= (uint32_t)value << bad->bit;
      }
      error = decode(broken);
      assert_non_null(error);
      assert_memory_equal(error, bad->text, strlen(bad->text));
      assert_true(printer_complains(name, broken));
      memcpy(broken, words, sizeof broken);
   }
}

#endif
