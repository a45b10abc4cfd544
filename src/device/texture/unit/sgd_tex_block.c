/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: compressed formats with blocks of 4x4 texels: S3TC (DXT), RGTC and LATC. Each lane
 * decodes one texel of its block to a word of 8-bit channels, in integer arithmetic. Compiled once
 * for each x86-64 level of the host CPU.
 */
#include "texture/unit/sgd_tex_exec.h"

struct lanes {
   _Alignas(64) uint32_t v[SGD_WARP];
};

/* Return a channel of an RGB565 color, expanded to eight bits. */
static inline int32_t
red(uint32_t c)
{
   return (int32_t)(((c >> 8) & 0xf8) | ((c >> 13) & 7));
}

static inline int32_t
green(uint32_t c)
{
   return (int32_t)(((c >> 3) & 0xfc) | ((c >> 9) & 3));
}

static inline int32_t
blue(uint32_t c)
{
   return (int32_t)(((c << 3) & 0xf8) | ((c >> 2) & 7));
}

/* Selects a or b with a mask, so that the compiler can vectorize loops over lanes. */
static inline int32_t
choose(uint32_t mask, int32_t a, int32_t b)
{
   return (int32_t)(((uint32_t)a & mask) | ((uint32_t)b & ~mask));
}

static inline uint32_t
mask_of(bool condition)
{
   return condition ? ~0u : 0;
}

/* Divide a sum of up to 3, 5 or 7 times 255 by 3, 5 or 7. The multiplication and shift are exact in
 * these ranges, and take half as many instructions as a general integer division.
 */
static inline int32_t
third(int32_t sum)
{
   return (int32_t)((uint32_t)sum * 21846u >> 16);
}

static inline int32_t
fifth(int32_t sum)
{
   return (int32_t)((uint32_t)sum * 13108u >> 16);
}

static inline int32_t
seventh(int32_t sum)
{
   return (int32_t)((uint32_t)sum * 9363u >> 16);
}

/* Returns (a * first + b * (3 - first)) / 3 if `thirds` is set, (a + b) / 2 if `mean` is set, or 0.
 */
static inline uint32_t
mix(int32_t a, int32_t b, int32_t first, uint32_t thirds, uint32_t mean)
{
   const int32_t sum = third(a * first + b * (3 - first));
   const int32_t half = (a + b) >> 1;
   return (uint32_t)choose(thirds, sum, choose(mean, half, 0));
}

/* Decodes a texel of each lane's DXT block. The low three bytes of the result are the RGB channels.
 * Bit 24 is set if the texel is transparent black.
 */
static void
colours(const struct lanes *ends, const struct lanes *bits, const struct sgd_tex_int *at,
        uint32_t always_four, struct lanes *out)
{
   SGD_EACH(l) {
      const uint32_t c0 = ends->v[l] & 0xffffu, c1 = ends->v[l] >> 16;
      const int32_t code = (int32_t)((bits->v[l] >> (2 * at->v[l])) & 3);
      const uint32_t four = always_four | mask_of((int32_t)c0 > (int32_t)c1);
      const uint32_t thirds = four | mask_of(code < 2);
      const uint32_t mean = mask_of(code == 2);
      /* weight of the first endpoint in thirds: 3, 0, 2 and 1 for codes 0 to 3 */
      const int32_t first = choose(mask_of(code < 2), 3 - 3 * code, 4 - code);
      const uint32_t r = mix(red(c0), red(c1), first, thirds, mean);
      const uint32_t g = mix(green(c0), green(c1), first, thirds, mean);
      const uint32_t b = mix(blue(c0), blue(c1), first, thirds, mean);
      out->v[l] = r | g << 8 | b << 16 | (~(thirds | mean) & 1u << 24);
   }
}

/* Returns the 3-bit code of texel `at` from the last six bytes of an eight-byte block. */
static inline uint32_t
code3(uint32_t low, uint32_t high, int32_t at)
{
   const unsigned shift = 16 + 3 * (unsigned)at;
   const uint32_t in_low = (low >> (shift & 31)) | (high << ((32 - shift) & 31));
   const uint32_t in_high = high >> (shift & 31);
   return (uint32_t)choose(mask_of((int32_t)shift < 32), (int32_t)in_low, (int32_t)in_high) & 7;
}

/* Interpolates between the endpoints in seven or five steps. `sign` is a compile-time constant,
 * which is true if the endpoints are signed.
 */
static ALWAYS_INLINE int32_t
steps(int32_t a, int32_t b, int32_t code, bool sign, int32_t min, int32_t max)
{
   const uint32_t seven = mask_of(a > b);
   const int32_t n = choose(seven, 7, 5);
   const int32_t between = choose(mask_of(code == 1), 0, n + 1 - code);
   const int32_t first = choose(mask_of(code == 0), n, between);
   const int32_t sum = a * first + b * (n - first);
   const int32_t sevenths = sign ? sum / 7 : seventh(sum), fifths = sign ? sum / 5 : fifth(sum);
   const int32_t value = choose(seven, sevenths, fifths);
   const int32_t end = choose(mask_of(code == 6), min, max);
   return choose(~seven & mask_of(code >= 6), end, value);
}

static void
unsigned_steps(const struct lanes *low, const struct lanes *high, const struct sgd_tex_int *at,
               struct lanes *out)
{
   SGD_EACH(l) {
      const int32_t a = (int32_t)(low->v[l] & 255), b = (int32_t)((low->v[l] >> 8) & 255);
      const int32_t code = (int32_t)code3(low->v[l], high->v[l], at->v[l]);
      out->v[l] = (uint32_t)steps(a, b, code, false, 0, 255);
   }
}

static void
signed_steps(const struct lanes *low, const struct lanes *high, const struct sgd_tex_int *at,
             struct lanes *out)
{
   SGD_EACH(l) {
      const int32_t a = (int32_t)(low->v[l] << 24) >> 24, b = (int32_t)(low->v[l] << 16) >> 24;
      const int32_t code = (int32_t)code3(low->v[l], high->v[l], at->v[l]);
      out->v[l] = (uint32_t)steps(a, b, code, true, -128, 127) & 255;
   }
}

/* Extracts the 4-bit alpha of each lane's texel in a DXT3 block and expands it to eight bits. */
static void
explicit_alpha(const struct lanes *low, const struct lanes *high, const struct sgd_tex_int *at,
               struct lanes *out)
{
   SGD_EACH(l) {
      const uint32_t w = at->v[l] < 8 ? low->v[l] : high->v[l];
      const uint32_t a = (w >> (4 * (at->v[l] & 7))) & 15;
      out->v[l] = a | a << 4;
   }
}

void
sgd_tex_decode_blocks(const struct sgd_tex_unit *u, const struct sgd_vec *block,
                      const struct sgd_tex_int *x, const struct sgd_tex_int *y, uint32_t *out)
{
   const struct lanes *w = (const struct lanes *)block->c;
   const bool wide = u->bpe == 16;
   struct sgd_tex_int at;
   struct lanes first, second;

   SGD_EACH(l) {
      at.v[l] = (y->v[l] & 3) * 4 + (x->v[l] & 3);
   }
   switch ((enum sgd_tex_codec)u->codec) {
   case SGD_TEX_CODEC_DXT1:
      colours(&w[0], &w[1], &at, 0, &first);
      SGD_EACH(l) {
         const uint32_t alpha = first.v[l] >> 24 ? 0 : 0xff000000u;
         out[l] = (first.v[l] & 0xffffff) | alpha;
      }
      break;
   case SGD_TEX_CODEC_DXT3:
   case SGD_TEX_CODEC_DXT5:
      (u->codec == SGD_TEX_CODEC_DXT3 ? explicit_alpha : unsigned_steps)(&w[0], &w[1], &at,
                                                                         &second);
      colours(&w[2], &w[3], &at, ~0u, &first);
      SGD_EACH(l) {
         out[l] = first.v[l] | second.v[l] << 24;
      }
      break;
   case SGD_TEX_CODEC_RGTC:
   case SGD_TEX_CODEC_RGTC_SIGNED: {
      const bool sign = u->codec == SGD_TEX_CODEC_RGTC_SIGNED;
      (sign ? signed_steps : unsigned_steps)(&w[0], &w[1], &at, &first);
      if (wide)
         (sign ? signed_steps : unsigned_steps)(&w[2], &w[3], &at, &second);
      SGD_EACH(l) {
         out[l] = first.v[l] | (wide ? second.v[l] << 8 : 0);
      }
      break;
   }
   default:
      unreachable("not a block codec");
   }
}
