/* SPDX-License-Identifier: MIT */
/*
 * Transposes 4x4 matrices of words, to convert between vectors of lanes and rows in memory.
 */
#ifndef SGD_TRANSPOSE_H
#define SGD_TRANSPOSE_H

#include <stdint.h>

#include "util/macros.h"

typedef uint32_t sgd_row __attribute__((vector_size(16)));

/* Transposes a matrix: word i of out[k] is word k of in[i]. `out` may alias `in`. */
static ALWAYS_INLINE void
sgd_transpose4(sgd_row out[4], const sgd_row in[4])
{
   const sgd_row low01 = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
   const sgd_row low23 = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
   const sgd_row high01 = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
   const sgd_row high23 = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);

   out[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
   out[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
   out[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
   out[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

#if defined(__AVX2__)
typedef uint32_t sgd_row_pair __attribute__((vector_size(32)));

/* Transposes two matrices. The rows of the first matrix are the lower halves of the vectors, and
 * the rows of the second matrix are the upper halves. `out` may alias `in`.
 */
static ALWAYS_INLINE void
sgd_transpose4_pair(sgd_row_pair out[4], const sgd_row_pair in[4])
{
   const sgd_row_pair low01 = __builtin_shufflevector(in[0], in[1], 0, 8, 1, 9, 4, 12, 5, 13);
   const sgd_row_pair low23 = __builtin_shufflevector(in[2], in[3], 0, 8, 1, 9, 4, 12, 5, 13);
   const sgd_row_pair high01 = __builtin_shufflevector(in[0], in[1], 2, 10, 3, 11, 6, 14, 7, 15);
   const sgd_row_pair high23 = __builtin_shufflevector(in[2], in[3], 2, 10, 3, 11, 6, 14, 7, 15);

   out[0] = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
   out[1] = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
   out[2] = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
   out[3] = __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15);
}
#endif

#endif
