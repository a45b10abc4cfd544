/* SPDX-License-Identifier: MIT */
/*
 * Conservative rasterization: a triangle covers exactly the pixels whose closed squares touch it,
 * with all samples. The model is the separating axis theorem in 64-bit integers.
 */
#include "../../rounds.h"
#include "../../unit.h"
#include "oracle.h"

#define SIZE 128

/* Returns twice the signed area of the triangle a, b, c. */
static int64_t
area(struct point a, struct point b, struct point c)
{
   return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(b.y - a.y) * (c.x - a.x);
}

static bool
touches(const struct triangle *t, int x, int y)
{
   const struct point corner[4] = { { x * 256, y * 256 },
                                    { x * 256 + 256, y * 256 },
                                    { x * 256, y * 256 + 256 },
                                    { x * 256 + 256, y * 256 + 256 } };
   const int64_t all = area(t->p[0], t->p[1], t->p[2]);
   unsigned left = 0, right = 0, above = 0, below = 0;

   if (!all)
      return false;
   for (unsigned i = 0; i < 3; i++) {
      const struct point a = t->p[i], b = t->p[(i + 1) % 3];
      unsigned outside = 0;

      for (unsigned k = 0; k < 4; k++) {
         const int64_t side = area(a, b, corner[k]);
         outside += all > 0 ? side < 0 : side > 0;
      }
      if (outside == 4)
         return false;
      left += a.x < x * 256;
      right += a.x > x * 256 + 256;
      above += a.y < y * 256;
      below += a.y > y * 256 + 256;
   }
   return left < 3 && right < 3 && above < 3 && below < 3;
}

static int32_t
coordinate(uint64_t *seed, int range)
{
   const int32_t c = (int32_t)(fix_random(seed) % (256u * range));

   /* Many coordinates are at or near borders of pixels, where triangles touch pixels. */
   switch (fix_random(seed) % 4) {
   case 0:
      return c & ~255;
   case 1:
      return (c & ~255) + 1 - (int32_t)(fix_random(seed) % 3);
   default:
      return c;
   }
}

static void
against_oracle(struct fix *f, unsigned samples)
{
   uint64_t seed = samples;

   f->state.coverage.conservative = true;
   for (unsigned round = 0; round < TEST_ROUNDS(240); round++) {
      const int range = round % 4 == 0 ? SIZE : round % 4 == 1 ? 40 : round % 4 == 2 ? 8 : 2;
      const int32_t ox = fix_random(&seed) % (256 * SIZE), oy = fix_random(&seed) % (256 * SIZE);
      struct triangle t = { .bottom_edge_rule = round & 1 };

      for (unsigned i = 0; i < 3; i++) {
         t.p[i].x = coordinate(&seed, range) + (range == SIZE ? 0 : ox & ~255);
         t.p[i].y = coordinate(&seed, range) + (range == SIZE ? 0 : oy & ~255);
      }
      oracle_draw(f, fix_level_of(round), &t);
      for (unsigned s = 0; s < samples; s++) {
         for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
               const unsigned want = touches(&t, x, y), is = fix_sample(f, x, y, 0, s)->count;
               if (is != want)
                  fail_msg("round %u: sample %u of pixel %d %d of (%d %d) (%d %d) (%d %d): %u, "
                           "expected %u",
                           round, s, x, y, t.p[0].x, t.p[0].y, t.p[1].x, t.p[1].y, t.p[2].x,
                           t.p[2].y, is, want);
            }
         }
      }
   }
}

static void
pixels(void **state)
{
   against_oracle(*state, 1);
}

static void
samples(void **state)
{
   struct fix *f = *state;

   f->state.rast.multisample = true;
   fix_set_samples(f, 4);
   against_oracle(f, 4);
}

FIX_SETUP(SIZE, SIZE, 1)

int
main(void)
{
   const struct CMUnitTest tests[] = { FIX_TEST(pixels), FIX_TEST(samples) };
   return cmocka_run_group_tests_name("conservative rasterization", tests, NULL, NULL);
}
