/* SPDX-License-Identifier: MIT */
/*
 * Translator: operations with single texels of tiled textures, with the bits of
 * texture/unit/sgd_tex_taps_avx2.h, sgd_tex_texels.c and sgd_tex_filter.c.
 *
 * The position of a texel is a word with the column in the low half, and the row times four in the
 * high half, so that VPMADDWD multiplies both and adds the products.
 */
#include "shader/translate/sgd_regions.h"

#include "common/sgd_lookup.h"

/* VROUNDPS: to minus infinity, without exceptions */
#define FLOOR 9

/* bits of a position: in the micro tile, and of the micro tile. Bit 31 is a row that is NaN. */
#define IN_TILE 0x000c0007
#define OF_TILE 0x7ff07ff8

/* Limits of coordinates in units of 1/256 texel, for levels of any size and any offsets */
#define LEAST 0xce800000 /* -2^30 */
#define MOST 0x4e800000  /* 2^30 */

static uint16_t
op(struct sgd_ir *ir, enum sgd_x86_op op, uint16_t a, uint16_t b)
{
   return sgd_ir_op(ir, op, 0, a, b, 0);
}

#define SAME(member) \
   sgd_ir_leaf(ir, SGD_IR_SAME, l->at + (uint32_t)offsetof(struct sgd_lookup, member))

/* The same for an element of an array with an element for each axis */
static uint16_t
of_axis(struct sgd_ir *ir, const struct sgd_texel_lookup *l, size_t array, unsigned axis)
{
   return sgd_ir_leaf(ir, SGD_IR_SAME,
                      l->at + (uint32_t)(array + axis * sizeof(((struct sgd_lookup *)0)->ends)));
}
#define AXIS(member) of_axis(ir, l, offsetof(struct sgd_lookup, member), axis)

static bool
repeats(const struct sgd_texel_lookup *l, unsigned axis)
{
   return l->form & (axis ? SGD_FORM_REPEAT_T : SGD_FORM_REPEAT_S);
}

/* Returns a coordinate times the size of its axis, reduced to one repetition if the texture
 * repeats.
 */
static uint16_t
scaled(struct sgd_ir *ir, const struct sgd_texel_lookup *l, unsigned axis, uint16_t coordinate)
{
   uint16_t s = sgd_ir_free(ir, coordinate);
   if (repeats(l, axis))
      s = op(ir, SGD_VSUBPS, s, sgd_ir_op(ir, SGD_VROUNDPS, FLOOR, s, 0, 0));
   return op(ir, SGD_VMULPS, s, AXIS(size));
}

/* -- positions ----------------------------------------------------------------- */

/* Joins a column, which is not negative, and a row in units of 2^-18 texel. */
static uint16_t
position(struct sgd_ir *ir, const struct sgd_texel_lookup *l, uint16_t column, uint16_t row)
{
   if (!l->wide)
      return sgd_ir_op(ir, SGD_VPBLENDW, 0xaa, column, row, 0);
   column = op(ir, SGD_VPAND, column, sgd_ir_word(ir, 0x0000ffff));
   return op(ir, SGD_VPOR, op(ir, SGD_VPAND, row, sgd_ir_word(ir, 0xffff0000)), column);
}

/* Returns the index of the texel that a nearest filter reads. Where the texture repeats, it can be
 * the size, which position() does not change, or 0x80000000 for NaN.
 */
static uint16_t
nearest(struct sgd_ir *ir, const struct sgd_texel_lookup *l, unsigned axis, uint16_t coordinate)
{
   uint16_t v = scaled(ir, l, axis, coordinate);
   if (repeats(l, axis))
      return op(ir, SGD_VCVTTPS2DQ, v, 0);
   /* The maximum of NaN and 0 is 0. Numbers of 2^31 and above become 0x80000000. */
   v = op(ir, SGD_VMAXPS, v, sgd_ir_word(ir, 0));
   return op(ir, SGD_VPMINUD, op(ir, SGD_VCVTTPS2DQ, v, 0), AXIS(last));
}

static uint16_t
filter_position(struct sgd_ir *ir, const struct sgd_texel_lookup *l, uint16_t x, uint16_t y)
{
   const uint16_t at = position(ir, l, nearest(ir, l, 0, x), nearest(ir, l, 1, y));
   return repeats(l, 0) || repeats(l, 1) ? op(ir, SGD_VPMINSW, at, SAME(ends)) : at;
}

/* Adds an integer to all lanes. */
static uint16_t
moved(struct sgd_ir *ir, uint16_t i, int by)
{
   return by ? op(ir, SGD_VPADDD, i, sgd_ir_word(ir, (uint32_t)by)) : i;
}

static uint16_t
of_row(struct sgd_ir *ir, uint16_t j)
{
   return sgd_ir_op(ir, SGD_VPSLLD, 18, j, 0, 0);
}

/* Returns the position of the texel at integer coordinates, clamped to the level. Sets *inside to a
 * mask of the lanes that read a texel of the level.
 */
static uint16_t
fetch_position(struct sgd_ir *ir, const struct sgd_texel_lookup *l, uint16_t x, uint16_t y,
               uint16_t *inside)
{
   const uint16_t at[2] = { moved(ir, x, l->offset[0]), moved(ir, y, l->offset[1]) };
   uint16_t i[2], in[2];
   for (unsigned axis = 0; axis < 2; axis++) {
      i[axis] = op(ir, SGD_VPMINUD, at[axis], AXIS(last));
      in[axis] = op(ir, SGD_VPCMPEQD, at[axis], i[axis]);
   }
   *inside = op(ir, SGD_VPAND, in[0], in[1]);
   return position(ir, l, i[0], of_row(ir, i[1]));
}

/* Returns the index of the first or the second texel along an axis of a linear filter. */
static uint16_t
linear(struct sgd_ir *ir, const struct sgd_texel_lookup *l, unsigned axis, uint16_t coordinate,
       unsigned second)
{
   uint16_t v = scaled(ir, l, axis, coordinate);
   if (repeats(l, axis)) {
      v = op(ir, SGD_VMAXPS, v, sgd_ir_word(ir, 0));
   } else {
      v = op(ir, SGD_VMAXPS, v, sgd_ir_word(ir, LEAST));
      v = op(ir, SGD_VMINPS, v, sgd_ir_word(ir, MOST));
   }
   v = moved(ir, op(ir, SGD_VCVTPS2DQ, v, 0), -128);
   v = sgd_ir_op(ir, SGD_VPSRAD, 8, v, 0, 0);
   v = moved(ir, v, l->offset[axis] + (int)second);
   /* The size of a texture that repeats is a power of two. */
   if (repeats(l, axis))
      return op(ir, SGD_VPAND, v, AXIS(last));
   return op(ir, SGD_VPMINSD, op(ir, SGD_VPMAXSD, v, sgd_ir_word(ir, 0)), AXIS(last));
}

/* Returns the position of the texel that component c of TG4 reads. */
static uint16_t
gather_position(struct sgd_ir *ir, const struct sgd_texel_lookup *l, uint16_t x, uint16_t y,
                unsigned c)
{
   return position(ir, l, linear(ir, l, 0, x, c == 1 || c == 2),
                   of_row(ir, linear(ir, l, 1, y, c < 2)));
}

/* -- texels ---------------------------------------------------------------------- */

/* Returns the byte offset of a texel of 1 << log2_words words. */
static uint16_t
byte_offset(struct sgd_ir *ir, const struct sgd_texel_lookup *l, uint16_t at, unsigned log2_words)
{
   /* By column, and by row times four: bytes from the first texel of a micro tile, of texels of 1
    * byte and of 4 bytes. The table has both, since their entries at 4 are equal.
    */
   static const uint32_t offsets[4] = { 0x05040100, 0x0d0c0908, 0x00000040, 0x00000048 };
   const uint32_t bytes = 4u << log2_words, weights = bytes | bytes / 4 << 16;
   const uint16_t in = op(ir, SGD_VPAND, at, sgd_ir_word(ir, IN_TILE));
   const uint16_t table = sgd_ir_const(ir, offsets);
   const uint16_t part = sgd_ir_op(ir, SGD_VPSHUFB, SGD_IR_IN_LANES, table, in, 0);
   const uint16_t of = op(ir, SGD_VPAND, at, sgd_ir_word(ir, OF_TILE));
   return op(ir, SGD_VPADDD, op(ir, SGD_VPMADDWD, of, SAME(pitch)),
             op(ir, SGD_VPMADDWD, part, sgd_ir_word(ir, weights)));
}

/* Returns byte c of each lane. */
static uint16_t
byte(struct sgd_ir *ir, uint16_t node, uint32_t c)
{
   const uint32_t from[4] = { 0x80808000 + c, 0x80808004 + c, 0x80808008 + c, 0x8080800c + c };
   if (c == 0)
      return op(ir, SGD_VPAND, node, sgd_ir_word(ir, 255));
   if (c == 3)
      return sgd_ir_op(ir, SGD_VPSRLD, 24, node, 0, 0);
   return sgd_ir_op(ir, SGD_VPSHUFB, SGD_IR_IN_LANES, node, sgd_ir_const(ir, from), 0);
}

uint16_t
sgd_regions_texel(struct sgd_ir *ir, const struct sgd_texel_lookup *l, uint16_t x, uint16_t y,
                  unsigned c)
{
   const bool fetch = l->kind == SGD_LOOKUP_FETCH, gather = l->kind == SGD_LOOKUP_GATHER;
   const unsigned log2_words = l->form >> SGD_FORM_SIZE & 3;
   const unsigned route = l->form >> (SGD_FORM_ROUTE + 3 * (gather ? l->gather_comp : c)) & 7;
   const uint32_t one = l->form & SGD_FORM_INTEGER ? 1 : 0x3f800000;
   const bool words = l->form & SGD_FORM_WORDS;
   uint16_t at, inside = SGD_IR_NONE;

   if (fetch)
      at = fetch_position(ir, l, x, y, &inside);
   else
      at = gather ? gather_position(ir, l, x, y, c) : filter_position(ir, l, x, y);
   if (route >= 4) {
      const uint16_t value = sgd_ir_word(ir, route == SGD_TEX_ROUTE_1 ? one : 0);
      return fetch ? op(ir, SGD_VPAND, inside, value) : value;
   }
   uint16_t offset = byte_offset(ir, l, at, log2_words);
   if (words)
      offset = moved(ir, offset, 4 * (int)route);
   uint16_t texel = sgd_ir_gather(ir, offset, l->at + (uint32_t)offsetof(struct sgd_lookup, base));
   if (fetch)
      texel = op(ir, SGD_VPAND, texel, inside);
   if (words)
      return texel;
   const uint16_t code = op(ir, SGD_VCVTDQ2PS, byte(ir, texel, route), 0);
   const uint16_t result = op(ir, SGD_VMULPS, code, SAME(scale));
   ir->nodes[result].facts |= SGD_FACT_FLUSHED | SGD_FACT_NUMBER | SGD_FACT_CANON |
                              SGD_FACT_POSITIVE;
   return result;
}
