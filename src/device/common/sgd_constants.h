/* SPDX-License-Identifier: MIT */
/*
 * Constant banks as seen by programs. A bank is either a contiguous range of bytes, or a version of
 * a constant context, in which each line of constants is stored where it was last changed (US
 * 8,564,604).
 *
 * The command processor has the header table, i.e. the array of contexts (sgd_cp_constants.c). The
 * mapping table of a version has the address of each line. A version that is in use never changes,
 * so a draw always reads the constants that were set before it, even if constants change while it
 * runs. Creating a version only costs the lines that changed.
 */
#ifndef SGD_CONSTANTS_H
#define SGD_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/sgd_ref.h"

/* log2 of the line size in bytes, for normal contexts and for contexts that were opened with the
 * flag Fine.
 */
#define SGD_CONST_LINE_LOG2 6
#define SGD_CONST_FINE_LOG2 4

/* Maximum number of buffers that a version lists because they contain some of its lines. The buffer
 * that the context was opened with is not counted.
 */
#define SGD_CONST_SPANS 4

struct sgpu_bo;

struct sgd_const_version {
   uint32_t refs; /* atomic reference count */
   /* context: index of the context; number: 1-based version number in the context */
   uint32_t context, number;
   uint32_t num_lines; /* number of lines in line[] */
   uint8_t line_log2;  /* log2 of the line size in bytes */
   uint8_t num_spans;  /* number of valid elements of span[] */
   bool scattered;     /* set if lines may be in buffers that span[] doesn't list */
   /* Host address of the bytes that the context was opened with. Until it is changed, line n is
    * stored n line sizes after `base`.
    */
   const uint8_t *base;
   struct {
      const struct sgpu_bo *bo;
      /* address range in `bo` that contains lines of this version and of earlier versions */
      const uint8_t *first, *last;
   } span[SGD_CONST_SPANS];
   /* Addresses of the lines, aligned to 4 bytes. The last line may be truncated, since the bank can
    * end inside this line.
    */
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
      const uint8_t *ptr; /* address of contiguous bytes; NULL if size is 0 */
      /* version that contains the lines; only valid if line_log2 is not 0 */
      struct sgd_const_version *version;
   };
   uint32_t size;     /* size in bytes */
   uint8_t line_log2; /* log2 of the line size in bytes, or 0 if the bank is contiguous */
};

/* Returns the address of byte `at` of the bank. The bytes from there to the end of the line are
 * contiguous.
 */
static inline const uint8_t *
sgd_bank_byte(const struct sgd_bank *b, uint32_t at)
{
   if (!b->line_log2)
      return b->ptr + at;
   return b->version->line[at >> b->line_log2] + (at & ((1u << b->line_log2) - 1));
}

/* Returns the word at byte offset `at`, a multiple of 4, or 0 if the offset is out of range. */
static inline uint32_t
sgd_bank_word(const struct sgd_bank *b, uint64_t at)
{
   uint32_t value = 0;

   if (at + 4 <= b->size)
      memcpy(&value, sgd_bank_byte(b, at), 4);
   return value;
}

/* Sets *ptr to the address of byte `at`, and returns how many contiguous bytes start there. Returns
 * 0 at the end of the bank.
 */
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
