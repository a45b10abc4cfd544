/* SPDX-License-Identifier: MIT */
/*
 * Conversions of whole warps between elements and components, for all formats that have code of
 * their own, at all host levels. The model is Mesa's conversion of one element at a time, or that
 * of sgpu_fp.h for half floats.
 */
#include "../../rounds.h"
#include "pixel/rop/sgd_codec_lanes.h"
#include "rop_test.h"
#include "sgpu_fp.h"

/* Random bits, of which some are the numbers at which conversions change. */
static uint32_t
random_bits(uint64_t *seed)
{
   static const uint32_t special[] = {
      0,          0x80000000, 0xffffffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
      0xffc12345, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x477fe000,
      0x477fefff, 0x477ff000, 0x47800000, 0x38800000, 0x387fe000, 0x387fffff, 0x33000000,
      0x33000001, 0x3f7fffff, 0x7c007c00, 0xfc01fc01, 0x03ff03ff, 0x00010001, 0x80808080,
      0x7fff7fff, 0x80008000, 0x8000,     0x7fff,     0xff,       0x80,       0x7f,
   };

   switch (rop_below(seed, 4)) {
   case 0:
      return special[rop_below(seed, ARRAY_SIZE(special))];
   case 1: /* floats near 1 */
      return (rop_random(seed) & 0x80ffffffu) | (120 + rop_below(seed, 8)) << 23;
   case 2: /* floats in the range of half floats, between two or at one of these */
      return ((rop_random(seed) & 0x80ffffffu) | (100 + rop_below(seed, 48)) << 23) &
             (rop_below(seed, 2) ? ~0u : 0xfffff000u);
   default:
      return rop_random(seed);
   }
}

static uint32_t
channel_of(const struct sgd_codec *codec, const uint8_t *element, unsigned i)
{
   uint64_t word = 0;

   memcpy(&word, element + codec->shift[i] / 8, MIN2(8, codec->bytes - codec->shift[i] / 8));
   word >>= codec->shift[i] % 8;
   return codec->size[i] < 32 ? word & ((1u << codec->size[i]) - 1) : (uint32_t)word;
}

/* The components of an element. */
static void
model_unpack(const struct sgd_codec *codec, const uint8_t *element, uint32_t out[4])
{
   if (codec->path != SGD_CODEC_HALF) {
      util_format_unpack_rgba(codec->pformat, out, element, 1);
      for (unsigned k = 0; k < 4 && codec->normalized && codec->is_signed; k++)
         out[k] = sgpu_f2bits(MAX2(sgpu_bits2f(out[k]), -1.0f));
      return;
   }
   for (unsigned k = 0; k < 4; k++) {
      if (codec->from[k] >= SGD_FROM_ZERO)
         out[k] = codec->from[k] == SGD_FROM_ONE ? SGPU_FP_ONE_BITS : 0;
      else
         out[k] = sgpu_f2bits(sgpu_h2f(channel_of(codec, element, codec->from[k])));
   }
}

/* What a channel stores for component x. */
static uint32_t
model_channel(const struct sgd_codec *codec, unsigned i, uint32_t x)
{
   const unsigned size = codec->size[i];
   const double max = (double)((1ull << (size - codec->is_signed)) - 1);

   if (codec->path == SGD_CODEC_HALF)
      return sgpu_f2h(sgpu_bits2f(x));
   if (codec->path == SGD_CODEC_WORDS)
      return x;
   const float y = sgpu_bits2f(x);
   if (codec->normalized) {
      const float product = y * (float)max;
      return (uint32_t)(int32_t)(product + (product < 0.0f ? -0.5f : 0.5f)) & ((1u << size) - 1);
   }
   const double low = codec->is_signed ? -max - 1.0 : 0.0;
   const double clamped = y != y ? low : CLAMP((double)y, low, max);
   return (uint32_t)(int32_t)clamped & ((1u << size) - 1);
}

static void
model_pack(const struct sgd_codec *codec, const uint32_t in[4], uint8_t element[16])
{
   memset(element, 0, 16);
   if (codec->path == SGD_CODEC_SRGB8 || (codec->is_int && codec->path == SGD_CODEC_FIXED)) {
      util_format_pack_rgba(codec->pformat, element, in, 1);
      return;
   }
   for (unsigned i = 0; i < codec->channels; i++) {
      if (codec->comp[i] == SGD_COMP_NONE)
         continue;
      const uint64_t value = (uint64_t)model_channel(codec, i, in[codec->comp[i]])
                             << codec->shift[i] % 8;
      for (unsigned b = 0; b < 8 && codec->shift[i] / 8 + b < codec->bytes; b++)
         element[codec->shift[i] / 8 + b] |= value >> 8 * b;
   }
}

static void
check_unpack(const struct rop_level *level, const struct sgd_codec *codec, uint64_t *seed)
{
   struct sgd_elements e;
   struct sgd_color color;

   for (unsigned i = 0; i < sizeof(e) / 4; i++)
      ((uint32_t *)e.b)[i] = random_bits(seed);
   const uint64_t mode = sgpu_fp_enter();
   level->codec_unpack(codec, &e, (uint32_t(*)[SGD_WARP])color.c);
   sgpu_fp_leave(mode);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint32_t want[4];
      model_unpack(codec, e.b + l * codec->bytes, want);
      for (unsigned k = 0; k < 4; k++) {
         const uint32_t got = sgpu_f2bits(color.c[k][l]);
         if (got != want[k])
            fail_msg("%s, level %s, lane %u: component %u is %08x, expected %08x",
                     util_format_name(codec->pformat), level->name, l, k, got, want[k]);
      }
   }
}

static void
check_pack(const struct rop_level *level, const struct sgd_codec *codec, uint64_t *seed)
{
   struct sgd_elements e;
   struct sgd_color in, color;

   for (unsigned i = 0; i < 4 * SGD_WARP; i++)
      in.c[0][i] = sgpu_bits2f(random_bits(seed));
   const uint64_t mode = sgpu_fp_enter();
   level->codec_pack(codec, (const uint32_t(*)[SGD_WARP])in.c, &e, &color);
   sgpu_fp_leave(mode);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint8_t want[16];
      uint32_t c[4];
      for (unsigned k = 0; k < 4; k++)
         c[k] = sgpu_f2bits(color.c[k][l]);
      model_pack(codec, c, want);
      for (unsigned b = 0; b < codec->bytes; b++) {
         if (e.b[l * codec->bytes + b] != want[b])
            fail_msg("%s, level %s, lane %u: byte %u is %02x, expected %02x, for %08x %08x %08x "
                     "%08x",
                     util_format_name(codec->pformat), level->name, l, b, e.b[l * codec->bytes + b],
                     want[b], c[0], c[1], c[2], c[3]);
      }
   }
}

static void
test_codecs(void **state)
{
   struct rop_level levels[3];
   const unsigned count = rop_levels(levels);
   uint64_t seed = 32;
   unsigned formats = 0;

   (void)state;
   for (enum pipe_format format = 1; format < PIPE_FORMAT_COUNT; format++) {
      const struct sgd_codec codec = sgd_codec(format);
      const bool model = codec.path == SGD_CODEC_HALF || codec.path == SGD_CODEC_WORDS ||
                         codec.path == SGD_CODEC_FIXED || codec.path == SGD_CODEC_SRGB8;
      if (!model)
         continue;
      formats++;
      for (unsigned round = 0; round < TEST_ROUNDS(100); round++) {
         for (unsigned l = 0; l < count; l++) {
            check_unpack(&levels[l], &codec, &seed);
            check_pack(&levels[l], &codec, &seed);
         }
      }
   }
   print_message("%u formats\n", formats);
   assert_true(formats > 60);
}

/* Every half float, and every sRGB byte. */
static void
test_all_values(void **state)
{
   const enum pipe_format formats[] = { PIPE_FORMAT_R16_FLOAT, PIPE_FORMAT_R16G16_FLOAT,
                                        PIPE_FORMAT_R16G16B16A16_FLOAT, PIPE_FORMAT_R8G8B8A8_SRGB };
   struct rop_level levels[3];
   const unsigned count = rop_levels(levels);

   (void)state;
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      const struct sgd_codec codec = sgd_codec(formats[f]);
      for (unsigned first = 0; first < 65536; first += SGD_WARP) {
         struct sgd_elements e;
         struct sgd_color color;
         uint32_t want[4];
         for (unsigned i = 0; i < sizeof(e) / 2; i++)
            ((uint16_t *)e.b)[i] = first + i / (codec.bytes / 2);
         for (unsigned n = 0; n < count; n++) {
            const uint64_t mode = sgpu_fp_enter();
            levels[n].codec_unpack(&codec, &e, (uint32_t(*)[SGD_WARP])color.c);
            sgpu_fp_leave(mode);
            for (unsigned l = 0; l < SGD_WARP; l++) {
               model_unpack(&codec, e.b + l * codec.bytes, want);
               for (unsigned k = 0; k < 4; k++)
                  assert_int_equal(sgpu_f2bits(color.c[k][l]), want[k]);
            }
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_codecs),
      cmocka_unit_test(test_all_values),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
