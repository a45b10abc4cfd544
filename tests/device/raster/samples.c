/* SPDX-License-Identifier: MIT */
/* Positions of samples. */
#include "samples.h"

const unsigned sample_counts[4] = { 2, 4, 8, 16 };

static const double standard_2[][2] = { { 0.75, 0.75 }, { 0.25, 0.25 } };
static const double standard_4[][2] = {
   { 0.375, 0.125 },
   { 0.875, 0.375 },
   { 0.125, 0.625 },
   { 0.625, 0.875 },
};
static const double standard_8[][2] = {
   { 0.5625, 0.3125 }, { 0.4375, 0.6875 }, { 0.8125, 0.5625 }, { 0.3125, 0.1875 },
   { 0.1875, 0.8125 }, { 0.0625, 0.4375 }, { 0.6875, 0.9375 }, { 0.9375, 0.0625 },
};
static const double standard_16[][2] = {
   { 0.5625, 0.5625 }, { 0.4375, 0.3125 }, { 0.3125, 0.625 },  { 0.75, 0.4375 },
   { 0.1875, 0.375 },  { 0.625, 0.8125 },  { 0.8125, 0.6875 }, { 0.6875, 0.1875 },
   { 0.375, 0.875 },   { 0.5, 0.0625 },    { 0.25, 0.125 },    { 0.125, 0.75 },
   { 0.0, 0.5 },       { 0.9375, 0.25 },   { 0.875, 0.9375 },  { 0.0625, 0.0 },
};

const double *
sample_at(unsigned samples, unsigned n)
{
   return samples == 2   ? standard_2[n]
          : samples == 4 ? standard_4[n]
          : samples == 8 ? standard_8[n]
                         : standard_16[n];
}

struct point
sample_place(unsigned samples, unsigned n, int x, int y)
{
   const double *at = sample_at(samples, n);
   return (struct point){ x * 256 + (int)(at[0] * 256), y * 256 + (int)(at[1] * 256) };
}

int32_t
sample_coordinate(uint64_t *seed, int range)
{
   const int32_t c = (int32_t)rand_below(seed, 256u * range);

   switch (rand_below(seed, 4)) {
   case 0:
      return c & ~15;
   case 1:
      return (c & ~255) + 128;
   case 2:
      return c & ~127;
   default:
      return c;
   }
}

int
sample_setup(void **state)
{
   struct fix *f = fix_create(SIZE, SIZE, 1);

   f->state.rast.multisample = true;
   *state = f;
   return 0;
}
