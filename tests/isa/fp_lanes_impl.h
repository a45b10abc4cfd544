/* SPDX-License-Identifier: MIT */

/*
 * Body of fp_lanes_hw.c and fp_lanes_soft.c, which define FP_LANES_TABLE as the name of the table.
 */

#include "sgpu_fp.h"
#include "fp_lanes.h"

#define F(x) sgpu_f2bits(x)
#define A sgpu_bits2f(s[0][i])
#define B sgpu_bits2f(s[1][i])
#define C sgpu_bits2f(s[2][i])
#define D sgpu_bits2f(s[3][i])
#define E sgpu_bits2f(s[4][i])
#define G sgpu_bits2f(s[5][i])
#define H sgpu_bits2f(s[6][i])
#define I sgpu_bits2f(s[7][i])

#define FP_LANES_DEFINE(name, num_srcs, expr)                                            \
   static void lanes_##name(uint32_t *restrict d, const uint32_t(*restrict s)[FP_LANES]) \
   {                                                                                     \
      for (unsigned i = 0; i < FP_LANES; i++)                                            \
         d[i] = expr;                                                                    \
   }
FP_LANES_OPS(FP_LANES_DEFINE)

#define FP_LANES_ROW(name, num_srcs, expr) { #name, num_srcs, lanes_##name },
static const struct fp_lanes_op ops[] = { FP_LANES_OPS(FP_LANES_ROW) };

static uint64_t
enter(void)
{
   return sgpu_fp_enter();
}

static void
leave(uint64_t saved)
{
   sgpu_fp_leave(saved);
}

static bool
check(void)
{
   return sgpu_fp_check();
}

const struct fp_lanes FP_LANES_TABLE = {
   .ops = ops,
   .num_ops = sizeof(ops) / sizeof(ops[0]),
   .enter = enter,
   .leave = leave,
   .check = check,
};
