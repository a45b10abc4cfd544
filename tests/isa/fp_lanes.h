/* SPDX-License-Identifier: MIT */

/*
 * A table with every function of sgpu_fp.h, each as a loop over the 32 lanes of a warp.
 * fp_lanes_hw.c (the hardware flushes) and fp_lanes_soft.c (the functions flush) include this file.
 * Operands and results are the bits of the lanes.
 */

#ifndef FP_LANES_H
#define FP_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FP_LANES 32

static inline float
bits2f(uint32_t u)
{
   float x;
   memcpy(&x, &u, sizeof(x));
   return x;
}

static inline uint32_t
f2bits(float x)
{
   uint32_t u;
   memcpy(&u, &x, sizeof(u));
   return u;
}

/* A loop over the lanes. d has the result of each lane, and s up to 8 operands. */
typedef void (*fp_lanes_fn)(uint32_t *restrict d, const uint32_t (*restrict s)[FP_LANES]);

struct fp_lanes_op {
   const char *name;
   unsigned num_srcs;
   fp_lanes_fn fn;
};

struct fp_lanes {
   const struct fp_lanes_op *ops;
   unsigned num_ops;
   uint64_t (*enter)(void);
   void (*leave)(uint64_t saved);
   bool (*check)(void);
};

extern const struct fp_lanes fp_lanes_hw;
extern const struct fp_lanes fp_lanes_soft;

/* X(name, number of sources, expression of the sources: A, B, C... as floats, or their bits) */
#define FP_LANES_OPS(X)                               \
   X(fflush, 1, F(sgpu_fflush(A)))                    \
   X(fneg, 1, F(sgpu_fneg(A)))                        \
   X(fabs, 1, F(sgpu_fabs(A)))                        \
   X(fadd, 2, F(sgpu_fadd(A, B)))                     \
   X(fsub, 2, F(sgpu_fsub(A, B)))                     \
   X(fmul, 2, F(sgpu_fmul(A, B)))                     \
   X(fmulz, 2, F(sgpu_fmulz(A, B)))                   \
   X(fmad, 3, F(sgpu_fmad(A, B, C)))                  \
   X(fmadz, 3, F(sgpu_fmadz(A, B, C)))                \
   X(fdp2, 4, F(sgpu_fdp2(A, B, C, D)))               \
   X(fdp2z, 4, F(sgpu_fdp2z(A, B, C, D)))             \
   X(fdp3, 6, F(sgpu_fdp3(A, B, C, D, E, G)))         \
   X(fdp3z, 6, F(sgpu_fdp3z(A, B, C, D, E, G)))       \
   X(fdp4, 8, F(sgpu_fdp4(A, B, C, D, E, G, H, I)))   \
   X(fdp4z, 8, F(sgpu_fdp4z(A, B, C, D, E, G, H, I))) \
   X(fdph, 7, F(sgpu_fdph(A, B, C, D, E, G, H)))      \
   X(fdphz, 7, F(sgpu_fdphz(A, B, C, D, E, G, H)))    \
   X(fdiv, 2, F(sgpu_fdiv(A, B)))                     \
   X(fmin, 2, F(sgpu_fmin(A, B)))                     \
   X(fmax, 2, F(sgpu_fmax(A, B)))                     \
   X(fsat, 1, F(sgpu_fsat(A)))                        \
   X(fsign, 1, F(sgpu_fsign(A)))                      \
   X(ffloor, 1, F(sgpu_ffloor(A)))                    \
   X(fceil, 1, F(sgpu_fceil(A)))                      \
   X(ftrunc, 1, F(sgpu_ftrunc(A)))                    \
   X(fround, 1, F(sgpu_fround(A)))                    \
   X(ffract, 1, F(sgpu_ffract(A)))                    \
   X(flt, 2, sgpu_flt(A, B))                          \
   X(fge, 2, sgpu_fge(A, B))                          \
   X(feq, 2, sgpu_feq(A, B))                          \
   X(fne, 2, sgpu_fne(A, B))                          \
   X(fslt, 2, F(sgpu_fslt(A, B)))                     \
   X(fsge, 2, F(sgpu_fsge(A, B)))                     \
   X(fseq, 2, F(sgpu_fseq(A, B)))                     \
   X(fsne, 2, F(sgpu_fsne(A, B)))                     \
   X(f2i, 1, (uint32_t)sgpu_f2i(A))                   \
   X(f2u, 1, sgpu_f2u(A))                             \
   X(i2f, 1, F(sgpu_i2f((int32_t)s[0][i])))           \
   X(u2f, 1, F(sgpu_u2f(s[0][i])))                    \
   X(f2h, 1, sgpu_f2h(A))                             \
   X(h2f, 1, F(sgpu_h2f(s[0][i])))                    \
   X(frcp, 1, F(sgpu_frcp(A)))                        \
   X(fsqrt, 1, F(sgpu_fsqrt(A)))                      \
   X(frsq, 1, F(sgpu_frsq(A)))                        \
   X(fex2, 1, F(sgpu_fex2(A)))                        \
   X(flg2, 1, F(sgpu_flg2(A)))                        \
   X(fsin, 1, F(sgpu_fsin(A)))                        \
   X(fcos, 1, F(sgpu_fcos(A)))                        \
   X(fpow, 2, F(sgpu_fpow(A, B)))                     \
   X(fexp_x, 1, F(sgpu_fexp_x(A)))                    \
   X(fexp_y, 1, F(sgpu_fexp_y(A)))                    \
   X(fexp_z, 1, F(sgpu_fexp_z(A)))                    \
   X(flog_x, 1, F(sgpu_flog_x(A)))                    \
   X(flog_y, 1, F(sgpu_flog_y(A)))                    \
   X(flog_z, 1, F(sgpu_flog_z(A)))                    \
   X(flit_y, 1, F(sgpu_flit_y(A)))                    \
   X(flit_z, 3, F(sgpu_flit_z(A, B, C)))

#endif /* FP_LANES_H */
