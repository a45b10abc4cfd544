/* SPDX-License-Identifier: MIT */
/*
 * Translator: lookups of single texels of 4 bytes in tiled textures, with the bits of
 * texture/unit/sgd_tex_taps_avx2.h.
 */
#include "shader/translate/sgd_regions.h"

#define SPLAT(member) \
   sgd_ir_leaf(ir, SGD_IR_SPLAT, lookup + (uint32_t)offsetof(struct sgd_lookup, member))

/* VROUNDPS: to minus infinity, without exceptions */
#define FLOOR 9

/* Returns the index of the column (axis 0) or row (1) at a coordinate. It is 0 for any NaN. */
static uint16_t
texel_index(struct sgd_ir *ir, uint32_t lookup, unsigned axis, uint16_t coordinate)
{
   const uint16_t s = sgd_ir_free(ir, coordinate);
   const uint32_t at = lookup + 4 * axis;
#define AXIS(member) \
   sgd_ir_leaf(ir, SGD_IR_SPLAT, at + (uint32_t)offsetof(struct sgd_lookup, member))
   const uint16_t whole = sgd_ir_op(ir, SGD_VPAND, 0, sgd_ir_op(ir, SGD_VROUNDPS, FLOOR, s, 0, 0),
                                    AXIS(repeat), 0);
   uint16_t v = sgd_ir_op(ir, SGD_VSUBPS, 0, s, whole, 0);
   v = sgd_ir_op(ir, SGD_VMULPS, 0, v, AXIS(size), 0);
   /* The maximum of NaN and 0 is 0. Numbers of 2^31 and above become 0x80000000. */
   v = sgd_ir_op(ir, SGD_VMAXPS, 0, v, sgd_ir_word(ir, 0), 0);
   v = sgd_ir_op(ir, SGD_VCVTTPS2DQ, 0, v, 0, 0);
   return sgd_ir_op(ir, SGD_VPMINUD, 0, v, AXIS(last), 0);
#undef AXIS
}

/* Looks up a byte in a table of 16, of which byte 0 is 0. */
static uint16_t
look_up(struct sgd_ir *ir, const uint32_t table[4], uint16_t index)
{
   return sgd_ir_op(ir, SGD_VPSHUFB, SGD_IR_IN_LANES, sgd_ir_const(ir, table), index, 0);
}

/* Returns the byte offset of a column (see sgpu_layout.h). */
static uint16_t
column(struct sgd_ir *ir, uint16_t i)
{
   static const uint32_t offsets[4] = { 0x14100400, 0x34302420, 0, 0 };
   const uint16_t in = sgd_ir_op(ir, SGD_VPAND, 0, i, sgd_ir_word(ir, 7), 0);
   const uint16_t tile = sgd_ir_op(ir, SGD_VPSLLD, 4, sgd_ir_op(ir, SGD_VPSUBD, 0, i, in, 0), 0, 0);
   return sgd_ir_op(ir, SGD_VPADDD, 0, tile, look_up(ir, offsets, in), 0);
}

static uint16_t
row(struct sgd_ir *ir, uint32_t lookup, uint16_t j)
{
   static const uint32_t offsets[4] = { 0x48400800, 0, 0, 0 };
   const uint16_t in = sgd_ir_op(ir, SGD_VPAND, 0, j, sgd_ir_word(ir, 3), 0);
   const uint16_t tile = sgd_ir_op(ir, SGD_VPMULLD, 0, sgd_ir_op(ir, SGD_VPSRLD, 2, j, 0, 0),
                                   SPLAT(pitch), 0);
   return sgd_ir_op(ir, SGD_VPADDD, 0, tile, look_up(ir, offsets, in), 0);
}

/* Returns byte c of each lane. */
static uint16_t
byte(struct sgd_ir *ir, uint16_t node, uint32_t c)
{
   const uint32_t from[4] = { 0x80808000 + c, 0x80808004 + c, 0x80808008 + c, 0x8080800c + c };
   if (c == 0)
      return sgd_ir_op(ir, SGD_VPAND, 0, node, sgd_ir_word(ir, 255), 0);
   if (c == 3)
      return sgd_ir_op(ir, SGD_VPSRLD, 24, node, 0, 0);
   return sgd_ir_op(ir, SGD_VPSHUFB, SGD_IR_IN_LANES, node, sgd_ir_const(ir, from), 0);
}

uint16_t
sgd_regions_texel(struct sgd_ir *ir, uint32_t lookup, uint16_t x, uint16_t y, unsigned c)
{
   /* The bytes of a texel, counted within four lanes. 0x80 for no byte remains above 0x7f. */
   static const uint32_t lanes[4] = { 0, 0x04040404, 0x08080808, 0x0c0c0c0c };
   const uint16_t channels = sgd_ir_op(ir, SGD_VPADDD, 0, SPLAT(channels), sgd_ir_const(ir, lanes),
                                       0);
   const uint16_t at = sgd_ir_op(ir, SGD_VPADDD, 0, row(ir, lookup, texel_index(ir, lookup, 1, y)),
                                 column(ir, texel_index(ir, lookup, 0, x)), 0);
   uint16_t texel = sgd_ir_gather(ir, at, lookup + (uint32_t)offsetof(struct sgd_lookup, base));
   texel = sgd_ir_op(ir, SGD_VPSHUFB, SGD_IR_IN_LANES, texel, channels, 0);
   texel = sgd_ir_op(ir, SGD_VPOR, 0, texel, SPLAT(ones), 0);
   const uint16_t code = sgd_ir_op(ir, SGD_VCVTDQ2PS, 0, byte(ir, texel, c), 0, 0);
   const uint16_t result = sgd_ir_op(ir, SGD_VMULPS, 0, code, SPLAT(scale), 0);
   ir->nodes[result].facts |= SGD_FACT_FLUSHED | SGD_FACT_NUMBER | SGD_FACT_CANON |
                              SGD_FACT_POSITIVE;
   return result;
}
