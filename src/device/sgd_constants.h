/* SPDX-License-Identifier: MIT */
/*
 * Constant banks as programs read them: bytes one behind the other, or a version of a
 * context, whose lines lie where they changed last (US 8,564,604).
 *
 * The header table is the command processor's: contexts by number (sgd_cp_constants.c).
 * The mapping table of a version has the place of every line.  Versions never change, so
 * a draw reads the constants that were set before it, whatever is set while it runs, and
 * a version costs its changed lines alone.
 */
#ifndef SGD_CONSTANTS_H
#define SGD_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sgd_ref.h"

#define SGD_CONST_LINE_LOG2 6
#define SGD_CONST_FINE_LOG2 4

/* Buffers that a version knows to have lines of it, beside the context's own. */
#define SGD_CONST_SPANS 4

struct sgpu_bo;

struct sgd_const_version {
   uint32_t refs; /* atomic */
   uint32_t context, number;
   uint32_t num_lines;
   uint8_t line_log2;
   uint8_t num_spans;
   bool scattered;      /* lines can be in more buffers than spans */
   const uint8_t *base; /* of the context: line n was there at first, behind those before it */
   struct {
      const struct sgpu_bo *bo;
      const uint8_t *first, *last; /* lines of this and earlier versions are between */
   } span[SGD_CONST_SPANS];
   /* Line n's place, 4-byte aligned.  Of the last line, the bytes in the bank are there. */
   const uint8_t *line[];
};

static inline void
sgd_const_version_unref(struct sgd_const_version *v)
{
   if (v && sgd_unref(&v->refs))
      free(v);
}

struct sgd_bank {
   union {
      const uint8_t *ptr;                /* NULL when size is 0 */
      struct sgd_const_version *version; /* in lines */
   };
   uint32_t size;     /* bytes */
   uint8_t line_log2; /* bytes of a line; 0: not in lines */
};

/* Where the byte at `at`, in the bank, is; its line's bytes follow. */
static inline const uint8_t *
sgd_bank_byte(const struct sgd_bank *b, uint32_t at)
{
   if (!b->line_log2)
      return b->ptr + at;
   return b->version->line[at >> b->line_log2] + (at & ((1u << b->line_log2) - 1));
}

/* The word at a multiple of 4; 0 out of range. */
static inline uint32_t
sgd_bank_word(const struct sgd_bank *b, uint64_t at)
{
   uint32_t value = 0;

   if (at + 4 <= b->size)
      memcpy(&value, sgd_bank_byte(b, at), 4);
   return value;
}

/* Bytes from `at` on that are one behind the other: `*ptr`.  0: the bank ends. */
static inline uint32_t
sgd_bank_piece(const struct sgd_bank *b, uint32_t at, const uint8_t **ptr)
{
   if (at >= b->size)
      return 0;
   *ptr = sgd_bank_byte(b, at);
   if (!b->line_log2)
      return b->size - at;
   const uint32_t line = 1u << b->line_log2;
   uint32_t end = (at & ~(line - 1)) + line;
   while (end < b->size && b->version->line[end >> b->line_log2] == *ptr + (end - at))
      end += line;
   return (end < b->size ? end : b->size) - at;
}

#endif
