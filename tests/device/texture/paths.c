/* SPDX-License-Identifier: MIT */
/*
 * For tests of fast paths of the texture unit.
 */
#include <math.h>

#include "paths.h"
#include "../../unit.h"
#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_unit.h"

/* Coordinates at the limits of wraps: the fractions of small negative ones round to 1. */
static const double odd[] = {
   0,     -0.0,   0.5,  1,     1 - 0x1p-24, -0x1p-25,  -1e-10,
   1e-40, -1e-40, 1e30, -1e30, INFINITY,    -INFINITY, NAN,
};

static double
coordinate(uint64_t *rng, double step, unsigned l, unsigned a, double at)
{
   if (tex_rand(rng) % 64 == 0)
      return odd[tex_rand(rng) % ARRAY_SIZE(odd)];
   return at + step * (a == 0 ? l & 1 : l >> 1 & 1) + tex_rand_range(rng, 0, step / 4);
}

void
set_coordinates(uint64_t *rng, bool calm, struct sgd_vec *coord)
{
   for (unsigned q = 0; q < SGD_WARP / 4; q++) {
      const double step = exp2(tex_rand_range(rng, -9, 1));
      for (unsigned a = 0; a < 4; a++) {
         const double at = tex_rand_range(rng, -2, 2);
         for (unsigned l = 4 * q; l < 4 * q + 4; l++)
            tex_put(coord, a, l, calm ? at : coordinate(rng, step, l, a, at));
      }
   }
}

void
set_border(uint64_t *rng, struct sgd_sampler *s)
{
   static const uint32_t odd[] = { 0x7f800000, 0xff800000, 0x7fc00000, 0xff800001, 0x00000001 };
   uint32_t *border[4] = { &s->desc.border_0, &s->desc.border_1, &s->desc.border_2,
                           &s->desc.border_3 };
   for (unsigned c = 0; c < 4; c++)
      *border[c] = tex_rand(rng) % 4 ? sgpu_f2bits((float)tex_rand_range(rng, -2, 2))
                                     : odd[tex_rand(rng) % ARRAY_SIZE(odd)];
}

void
expect_general(const struct tex *t, bool gather, const struct sgd_sampler *s,
               const struct sgd_tex_op *op, const struct sgd_vec *src0, const struct sgd_vec *src1,
               uint32_t active, struct sgd_vec *fast)
{
   struct sgd_tex_unit *u = t->texture.unit;
   const struct sgd_tex_unit saved = *u;
   struct sgd_vec general;

   tex_gather(t, gather);
   tex_run(t, s, op, src0, src1, active, fast);
   u->gather = saved.gather;
   u->bytes = u->simple = false;
   u->wide = SGD_TEX_WIDE_NONE;
   u->word = SGD_TEX_WORD_NONE;
   u->volume = u->texels = u->taps = false;
   u->slice = NULL;
   tex_run(t, s, op, src0, src1, active, &general);
   *u = saved;
   assert_memory_equal(fast, &general, sizeof(general));
}

static unsigned general_fetches;

static void
count_fetch(void *restrict dst, const uint8_t *restrict src, unsigned width)
{
   general_fetches++;
   memset(dst, 0, 16);
}

bool
takes_fast_path(const struct tex *t, const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                const struct sgd_vec *src0, const struct sgd_vec *src1, uint32_t active)
{
   struct sgd_tex_unit *u = t->texture.unit;
   const struct sgd_tex_unit saved = *u;
   struct tex_level levels[3];
   struct sgd_worker worker = { 0 };
   struct sgd_sampler s = *sampler;
   struct sgd_tex_op decoded = *op;
   struct sgd_vec dst;
   const struct sgd_source from[2] = { tex_source(src0), tex_source(src1) };
   const unsigned count = tex_levels(levels);

   if (count == 1)
      return true;
   /* The general path calls `unpack` for each texel. A slice is another view. */
   u->generic = true;
   u->whole_block = u->bytes = false;
   u->unpack = count_fetch;
   general_fetches = 0;
   sgd_sampler_prepare(&s);
   sgd_tex_op_prepare(&decoded);
   const uint64_t mode = sgpu_fp_enter();
   levels[count - 1].run(&worker, &t->texture, &s, &decoded, &from[0], &from[1], active, &dst);
   sgpu_fp_leave(mode);
   *u = saved;
   return !general_fetches;
}

struct plane
random_plane(uint64_t *rng, const uint32_t size[2], bool grid)
{
   static const double steps[] = { 0.125, 0.25, 0.5, 1, 1, 1, 2, 3 };
   const bool exact = tex_rand(rng) % 2;
   const double longest = tex_rand(rng) % 2 ? 0.4 : 3;
   struct plane p = { .x = tex_rand_range(rng, -4, size[0] + 4.0),
                      .y = tex_rand_range(rng, -4, size[1] + 4.0) };
   p.right[0] = tex_rand_range(rng, -longest, longest);
   p.down[1] = tex_rand_range(rng, -longest, longest);
   p.right[1] = grid ? 0 : tex_rand_range(rng, -longest, longest);
   p.down[0] = grid ? 0 : tex_rand_range(rng, -longest, longest);
   if (exact) {
      /* Coordinates are often in the middle of texels, where weights are 0. */
      p.x = floor(p.x) + 0.25 * (tex_rand(rng) % 4);
      p.y = floor(p.y) + 0.25 * (tex_rand(rng) % 4);
      p.right[0] = steps[tex_rand(rng) % ARRAY_SIZE(steps)];
      p.down[1] = steps[tex_rand(rng) % ARRAY_SIZE(steps)] * (tex_rand(rng) % 2 ? 1 : -1);
   }
   /* All lanes read the same place, or four texels. */
   if (grid && tex_rand(rng) % 8 == 0)
      p.right[0] = p.down[1] = tex_rand(rng) % 2 ? 0 : tex_rand_range(rng, -0.1, 0.1);
   return p;
}

void
set_plane(const struct plane *p, const double unit[2], struct sgd_vec *coord)
{
   memset(coord, 0, sizeof(*coord));
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const unsigned x = sgd_lane_x(l), y = sgd_lane_y(l);
      tex_put(coord, 0, l, (p->x + x * p->right[0] + y * p->down[0]) * unit[0]);
      tex_put(coord, 1, l, (p->y + x * p->right[1] + y * p->down[1]) * unit[1]);
   }
}

void
disturb(uint64_t *rng, struct sgd_vec *coord)
{
   const double v = odd[tex_rand(rng) % ARRAY_SIZE(odd)];
   const unsigned a = tex_rand(rng) % 2, which = tex_rand(rng) % SGD_WARP;
   const bool alone = tex_rand(rng) % 3 == 0;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const bool same = a == 0 ? sgd_lane_x(l) == sgd_lane_x(which)
                               : sgd_lane_y(l) == sgd_lane_y(which);
      if (alone ? l == which : same)
         tex_put(coord, a, l, v);
   }
}

bool
set_limits(unsigned k, const uint32_t size[2], struct sgd_vec *coord)
{
   const unsigned n = ARRAY_SIZE(odd), pairs = DIV_ROUND_UP(n * n, SGD_WARP);
   const unsigned line = (k - pairs) / n;
   if (k >= pairs + 12 * n)
      return false;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const unsigned pair = (k * SGD_WARP + l) % (n * n);
      const unsigned x = sgd_lane_x(l), y = sgd_lane_y(l);
      const double v[2] = { (x + 0.5) / size[0], (y + 0.5) / size[1] };
      if (k < pairs) {
         tex_put(coord, 0, l, odd[pair / n]);
         tex_put(coord, 1, l, odd[pair % n]);
      } else {
         tex_put(coord, 0, l, line == x ? odd[(k - pairs) % n] : v[0]);
         tex_put(coord, 1, l, line == y + 8 ? odd[(k - pairs) % n] : v[1]);
      }
   }
   return true;
}

void
expect_in_place(const struct tex *t, const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                const struct sgd_vec *src0, uint32_t active, const struct sgd_vec *want)
{
   const bool gather = ((const struct sgd_tex_unit *)t->texture.unit)->gather;
   struct tex_level levels[3];
   struct sgd_sampler s = *sampler;
   struct sgd_tex_op decoded = *op;
   const unsigned count = tex_levels(levels);
   sgd_sampler_prepare(&s);
   sgd_tex_op_prepare(&decoded);
   /* In every second round x and y change places, so that results replace the other coordinate. */
   for (unsigned n = 0; n < 4 * count; n++) {
      const bool swapped = n & 1;
      struct sgd_worker worker = { 0 };
      struct sgd_vec before = *src0;
      if (swapped) {
         memcpy(before.c[0], src0->c[1], sizeof(before.c[0]));
         memcpy(before.c[1], src0->c[0], sizeof(before.c[1]));
      }
      struct sgd_vec both = before;
      const struct sgd_source from = { { both.c[swapped], both.c[!swapped], both.c[2],
                                         both.c[3] } };
      tex_gather(t, n & 2);
      const uint64_t saved = sgpu_fp_enter();
      levels[n / 4].run(&worker, &t->texture, &s, &decoded, &from, &from, active, &both);
      sgpu_fp_leave(saved);
      tex_gather(t, gather);
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const bool written = (op->mask >> c & 1) && (active >> l & 1);
            assert_int_equal(both.c[c][l], (written ? want : &before)->c[c][l]);
         }
      }
   }
}

void
spoil_floats(struct tex *t, unsigned bits, uint64_t *rng)
{
   const unsigned bytes = bits / 8;
   const uint32_t exponent = bits == 16 ? 0x7c00 : 0x7f800000;
   for (uint64_t i = 0; i + bytes <= t->size; i += bytes * (1 + tex_rand(rng) % 40)) {
      const uint32_t some = tex_rand(rng) % 2 ? tex_rand(rng) % 2 ? exponent : exponent | 1 : 0;
      const uint32_t any = tex_rand(rng) | some;
      const uint16_t half = (uint16_t)any;
      memcpy(t->memory + i, bits == 16 ? (const void *)&half : (const void *)&any, bytes);
   }
}
