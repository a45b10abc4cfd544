/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil tests of random warps at every host level, compared with a model that takes one
 * pixel after the other.
 */
#include "rop_test.h"

#include "pixel/rop/sgd_depth_format.h"
#include "sgpu_fp.h"

#define WIDTH 40
#define HEIGHT 12
#define LAYERS 2
#define SAMPLES 4

struct format {
   enum pipe_format format;
   unsigned bytes;
   int depth_bit, depth_bits;
   bool is_float;
   int stencil_bit;
};

static const struct format formats[] = {
   { PIPE_FORMAT_Z16_UNORM, 2, 0, 16, false, -1 },
   { PIPE_FORMAT_Z32_UNORM, 4, 0, 32, false, -1 },
   { PIPE_FORMAT_Z24_UNORM_S8_UINT, 4, 0, 24, false, 24 },
   { PIPE_FORMAT_S8_UINT_Z24_UNORM, 4, 8, 24, false, 0 },
   { PIPE_FORMAT_Z24X8_UNORM, 4, 0, 24, false, -1 },
   { PIPE_FORMAT_X8Z24_UNORM, 4, 8, 24, false, -1 },
   { PIPE_FORMAT_Z32_FLOAT, 4, 0, 32, true, -1 },
   { PIPE_FORMAT_Z32_FLOAT_S8X24_UINT, 8, 0, 32, true, 32 },
   { PIPE_FORMAT_S8_UINT, 1, -1, 0, false, 0 },
   { PIPE_FORMAT_X24S8_UINT, 4, -1, 0, false, 24 },
   { PIPE_FORMAT_S8X24_UINT, 4, -1, 0, false, 0 },
   { PIPE_FORMAT_X32_S8X24_UINT, 8, -1, 0, false, 32 },
};

static uint64_t
field(uint64_t v, int bit, int bits)
{
   return (v >> bit) & ((UINT64_C(1) << bits) - 1);
}

static uint64_t
insert(uint64_t v, int bit, int bits, uint64_t x)
{
   const uint64_t mask = ((UINT64_C(1) << bits) - 1) << bit;
   return (v & ~mask) | ((x << bit) & mask);
}

/* Returns a depth as stored. Long doubles hold all sums and products exactly. */
static uint32_t
model_depth(const struct format *f, double z)
{
   if (!(z > 0.0))
      return 0;
   if (z > 1.0)
      z = 1.0;
   if (f->is_float) {
      const uint32_t u = sgpu_f2bits(z);
      return u & 0x7f800000 ? u : 0;
   }
   const long double max = (long double)((UINT64_C(1) << f->depth_bits) - 1);
   return (uint32_t)(uint64_t)((long double)z * max + 0.5L);
}

static bool
model_compare(enum sgpu_compare func, bool less, bool equal, bool greater)
{
   switch (func) {
   case SGPU_COMPARE_NEVER:
      return false;
   case SGPU_COMPARE_LESS:
      return less;
   case SGPU_COMPARE_EQUAL:
      return equal;
   case SGPU_COMPARE_LEQUAL:
      return less || equal;
   case SGPU_COMPARE_GREATER:
      return greater;
   case SGPU_COMPARE_NOTEQUAL:
      return !equal;
   case SGPU_COMPARE_GEQUAL:
      return greater || equal;
   case SGPU_COMPARE_ALWAYS:
      return true;
   }
   abort();
}

static unsigned
model_stencil_op(enum sgpu_stencil_op op, unsigned old, unsigned ref)
{
   switch (op) {
   case SGPU_STENCIL_OP_KEEP:
      return old;
   case SGPU_STENCIL_OP_ZERO:
      return 0;
   case SGPU_STENCIL_OP_REPLACE:
      return ref;
   case SGPU_STENCIL_OP_INCR_SAT:
      return old < 255 ? old + 1 : 255;
   case SGPU_STENCIL_OP_DECR_SAT:
      return old > 0 ? old - 1 : 0;
   case SGPU_STENCIL_OP_INCR_WRAP:
      return (old + 1) % 256;
   case SGPU_STENCIL_OP_DECR_WRAP:
      return (old + 255) % 256;
   case SGPU_STENCIL_OP_INVERT:
      return 255 - old;
   }
   abort();
}

/* Tests and stores one pixel by GL 4.6, 17.3.3 and 17.3.4. Returns whether it passes. */
static bool
model_pixel(const struct sgd_state *st, const struct format *f, uint8_t *p, float z, bool front,
            const uint32_t *ref_of_lane)
{
   const bool back = !front && st->dsa.back.enable;
   const struct SGPU_STENCIL_FACE *face = back ? &st->dsa.back : &st->dsa.front;
   unsigned ref = back ? st->stencil_ref.back : st->stencil_ref.front;
   uint64_t element = 0;
   bool stencil_ok = true, depth_ok = true;

   if (ref_of_lane)
      ref = *ref_of_lane & 255;
   memcpy(&element, p, f->bytes);
   if (f->depth_bit >= 0 && st->dsa.bounds_test) {
      const uint32_t was = field(element, f->depth_bit, f->depth_bits);
      const uint32_t low = model_depth(f, st->depth_bounds.min);
      const uint32_t high = model_depth(f, st->depth_bounds.max);
      if (f->is_float) {
         const float z = sgpu_fflush(sgpu_bits2f(was));
         if (!(z >= sgpu_bits2f(low) && z <= sgpu_bits2f(high)))
            return false;
      } else if (was < low || was > high) {
         return false;
      }
   }
   const bool stencil = f->stencil_bit >= 0 && st->dsa.front.enable;
   const unsigned old = stencil ? field(element, f->stencil_bit, 8) : 0;
   if (stencil) {
      const unsigned a = ref & face->read_mask, b = old & face->read_mask;
      stencil_ok = model_compare(face->func, a<b, a == b, a> b);
   }
   const bool depth = f->depth_bit >= 0 && st->dsa.depth_test;
   const uint32_t now = depth ? model_depth(f, z) : 0;
   if (depth) {
      const uint32_t was = field(element, f->depth_bit, f->depth_bits);
      if (f->is_float) {
         /* Comparisons flush subnormal numbers, independent of the host's mode. */
         const float a = sgpu_bits2f(now), b = sgpu_fflush(sgpu_bits2f(was));
         depth_ok = model_compare(st->dsa.depth_func, a<b, a == b, a> b);
      } else {
         depth_ok = model_compare(st->dsa.depth_func, now<was, now == was, now> was);
      }
   }
   if (stencil) {
      const enum sgpu_stencil_op op = !stencil_ok ? face->fail
                                      : !depth_ok ? face->depth_fail
                                                  : face->pass;
      const unsigned s = model_stencil_op(op, old, ref);
      element = insert(element, f->stencil_bit, 8,
                       (s & face->write_mask) | (old & ~face->write_mask));
   }
   if (stencil_ok && depth_ok && depth && st->dsa.depth_write)
      element = insert(element, f->depth_bit, f->depth_bits, now);
   memcpy(p, &element, f->bytes);
   return stencil_ok && depth_ok;
}

static uint32_t
model(const struct sgd_state *st, const struct format *f, const struct sgd_quads *quads,
      const float *z, const uint32_t *ref, uint32_t mask)
{
   uint32_t passed = 0;

   for (unsigned l = 0; l < quads->count * 4; l++) {
      const unsigned q = l / 4;
      if (!(mask >> l & 1))
         continue;
      uint8_t *p = rop_element(&st->zs, quads, l);
      passed |= (uint32_t)model_pixel(st, f, p, z[l], quads->front >> q & 1, ref ? &ref[l] : NULL)
                << l;
   }
   return passed;
}

static void
random_face(struct SGPU_STENCIL_FACE *face, uint64_t *seed)
{
   static const uint8_t masks[] = { 0, 1, 0x0f, 0xf0, 0x55, 0xff, 0xff, 0xff };

   memset(face, 0, sizeof(*face));
   face->enable = rop_below(seed, 4) != 0;
   face->func = rop_below(seed, 8);
   face->fail = rop_below(seed, 8);
   face->depth_fail = rop_below(seed, 8);
   face->pass = rop_below(seed, 8);
   face->read_mask = masks[rop_below(seed, 8)];
   face->write_mask = masks[rop_below(seed, 8)];
}

static void
random_state(struct sgd_state *st, bool stencil, uint64_t *seed)
{
   memset(&st->dsa, 0, sizeof(st->dsa));
   st->dsa.depth_test = rop_below(seed, 8) != 0;
   st->dsa.depth_write = rop_below(seed, 4) != 0;
   st->dsa.depth_func = rop_below(seed, 8);
   st->dsa.bounds_test = rop_below(seed, 4) == 0;
   st->depth_bounds.min = rop_below(seed, 8) ? rop_random(seed) * 0x1p-33
                                             : sgpu_bits2f(rop_random(seed));
   st->depth_bounds.max = rop_below(seed, 8) ? 0.5 + rop_random(seed) * 0x1p-33
                                             : sgpu_bits2f(rop_random(seed));
   if (stencil) {
      random_face(&st->dsa.front, seed);
      random_face(&st->dsa.back, seed);
   }
   st->stencil_ref.front = rop_random(seed);
   st->stencil_ref.back = rop_random(seed);
}

/* Returns a random depth, often equal to or next to the stored depth. */
static float
random_depth(const struct sgd_state *st, const struct format *f, const struct sgd_quads *quads,
             unsigned l, uint64_t *seed)
{
   static const float corners[] = {
      0.0f,
      -0.0f,
      1.0f,
      0.5f,
      -1.0f,
      2.0f,
      0x1p-149f,
      0x1p-126f,
      0x1.fffffep-1f,
      0x1p-24f,
      0x1.fffffep-25f,
      0x1.8p-24f,
      0x1p-17f,
      0x1.8p-17f,
      __builtin_inff(),
      -__builtin_inff(),
   };
   const unsigned q = l / 4;

   switch (rop_below(seed, 8)) {
   case 0:
      return corners[rop_below(seed, ARRAY_SIZE(corners))];
   case 1:
      return sgpu_bits2f(rop_random(seed));
   case 2:
      return sgpu_bits2f(SGPU_FP_NAN_BITS);
   case 3:
      /* half way between two stored values, or next to this */
      if (f->depth_bits && !f->is_float) {
         const double max = (double)((UINT64_C(1) << f->depth_bits) - 1);
         const float z = (float)((rop_random(seed) % 100000 + 0.5) / max);
         return sgpu_bits2f(sgpu_f2bits(z) + rop_below(seed, 3) - 1);
      }
      return 0.25f;
   case 4:
   case 5:
      if (q < quads->count && f->depth_bit >= 0) {
         const uint8_t *p = rop_element(&st->zs, quads, l);
         uint64_t element = 0;
         memcpy(&element, p, f->bytes);
         const uint32_t was = field(element, f->depth_bit, f->depth_bits);
         return f->is_float ? sgpu_bits2f(was)
                            : (float)((double)was / ((UINT64_C(1) << f->depth_bits) - 1));
      }
      return 0.75f;
   default:
      return (float)rop_random(seed) * 0x1p-32f;
   }
}

/* Returns a depth of at least 1/2. Warps with only such depths have another conversion. */
static float
upper_depth(float z, uint64_t *seed)
{
   static const float corners[] = { 0.5f, 0x1.000002p-1f, 0x1.fffffep-1f, 1.0f, 2.0f };

   if (z >= 0.5f)
      return z;
   if (rop_below(seed, 4) == 0)
      return corners[rop_below(seed, ARRAY_SIZE(corners))];
   return 0.5f + (float)rop_random(seed) * 0x1p-33f;
}

/* Fills the memory with depths that the device can store. */
static void
fill_memory(const struct format *f, struct rop_memory *m, uint64_t *seed)
{
   rop_noise(m, seed);
   if (!f->is_float)
      return;
   for (size_t i = 0; i < m->size; i += f->bytes) {
      const float z = (float)rop_random(seed) * 0x1p-32f;
      if (rop_below(seed, 16))
         memcpy(m->data + i, &z, 4);
   }
}

static void
run_format(const struct format *f, unsigned rounds, bool stencil, uint64_t seed)
{
   struct rop_level levels[3];
   const unsigned num_levels = rop_levels(levels);
   struct sgd_state *st = calloc(1, sizeof(*st));
   struct sgd_worker worker = { 0 };
   struct rop_memory m;
   struct sgd_quads quads;

   rop_surface(&st->zs, &m, f->format, WIDTH, HEIGHT, LAYERS, SAMPLES);
   uint8_t *before = malloc(m.size), *expected = malloc(m.size);
   fill_memory(f, &m, &seed);

   for (unsigned i = 0; i < rounds; i++) {
      float z[SGD_WARP];
      uint32_t ref[SGD_WARP];
      const bool lane_ref = stencil && rop_below(&seed, 4) == 0;
      const bool upper = rop_below(&seed, 2);

      if (i % 64 == 63)
         fill_memory(f, &m, &seed);
      random_state(st, stencil, &seed);
      sgd_rop_prepare(st);
      rop_random_quads(&quads, i % ROP_QUADS_COUNT, &st->zs, &seed);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         z[l] = random_depth(st, f, &quads, l, &seed);
         if (upper)
            z[l] = upper_depth(z[l], &seed);
         ref[l] = rop_random(&seed);
      }

      memcpy(before, m.data, m.size);
      const uint32_t passed = model(st, f, &quads, z, lane_ref ? ref : NULL, quads.mask);
      memcpy(expected, m.data, m.size);
      for (unsigned k = 0; k < num_levels; k++) {
         memcpy(m.data, before, m.size);
         const uint32_t got = levels[k].zs_test(&worker, st, &quads, z, lane_ref ? ref : NULL,
                                                quads.mask);
         if (got != passed)
            fail_msg("%s, %s, round %u: %08x passed, not %08x", st->zs.desc->name, levels[k].name,
                     i, got, passed);
         if (memcmp(m.data, expected, m.size))
            fail_msg("%s, %s, round %u: other values stored", st->zs.desc->name, levels[k].name, i);
      }
   }
   free(before);
   free(expected);
   free(m.data);
   free(st);
}

static void
test_depth(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      if (formats[i].depth_bit >= 0)
         run_format(&formats[i], 6000, false, 100 + i);
   }
}

static void
test_stencil(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++)
      run_format(&formats[i], 6000, true, 200 + i);
}

/* Stored depths of floats between two stored values of 16 bits, for all such pairs, and of many
 * others. Vector code, scalar code and the model agree.
 */
static void
test_quantisation(void **state)
{
   static const struct format *const unorm[] = { &formats[0], &formats[1], &formats[4] };
   struct rop_level levels[3];
   const unsigned num_levels = rop_levels(levels);
   struct sgd_state *st = calloc(1, sizeof(*st));
   struct sgd_worker worker = { 0 };
   struct sgd_quads quads = { .count = SGD_QUADS, .block = true, .distinct = true, .mask = ~0u };

   for (unsigned q = 0; q < SGD_QUADS; q++) {
      quads.x[q] = (q & 3) * 2;
      quads.y[q] = (q >> 2) * 2;
   }
   st->dsa.depth_test = st->dsa.depth_write = true;
   st->dsa.depth_func = SGPU_COMPARE_ALWAYS;

   for (unsigned i = 0; i < ARRAY_SIZE(unorm); i++) {
      const struct format *f = unorm[i];
      struct rop_memory m;
      uint64_t seed = 1;
      rop_surface(&st->zs, &m, f->format, 8, 4, 1, 1);
      sgd_rop_prepare(st);
      for (unsigned n = 0; n < 20000; n++) {
         float z[SGD_WARP];
         for (unsigned l = 0; l < SGD_WARP; l++)
            z[l] = n < 4000   ? sgpu_bits2f(0x3f400000 + n * SGD_WARP + l)
                   : n < 6000 ? sgpu_bits2f(0x3f000000 + rop_random(&seed) % 4)
                   : n < 8000 ? sgpu_bits2f(0x3f7ffffe + rop_random(&seed) % 4)
                   : n < 9000 ? sgpu_bits2f(0x3efffffe + rop_random(&seed) % 0x900000)
                              : sgpu_bits2f(rop_random(&seed) % 0x3f800001);
         for (unsigned k = 0; k < num_levels; k++) {
            assert_int_equal(levels[k].zs_test(&worker, st, &quads, z, NULL, ~0u), ~0u);
            for (unsigned l = 0; l < SGD_WARP; l++) {
               uint64_t element = 0;
               memcpy(&element, m.data + l * f->bytes, f->bytes);
               const uint32_t got = field(element, f->depth_bit, f->depth_bits);
               if (got != model_depth(f, z[l]))
                  fail_msg("%s, %s: %a is stored as %x, not %x", st->zs.desc->name, levels[k].name,
                           z[l], got, model_depth(f, z[l]));
               /* A clear with the same depth stores the same. */
               uint64_t mask;
               const struct sgd_zs_format zf = sgd_zs_format(f->format);
               const uint64_t cleared = sgd_zs_element(&zf, z[l], 0, true, false, &mask);
               assert_int_equal(field(cleared, f->depth_bit, f->depth_bits), got);
            }
         }
      }
      free(m.data);
   }
   free(st);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_stencil),
      cmocka_unit_test(test_quantisation),
   };
   const uint64_t fp = sgpu_fp_enter();
   const int ret = cmocka_run_group_tests_name("depth and stencil", tests, NULL, NULL);
   sgpu_fp_leave(fp);
   return ret;
}
