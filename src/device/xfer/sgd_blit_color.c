/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: blits of colors, and of any elements that are copied without conversion, in blocks
 * of 8x4 destination pixels. A texel's address is the sum of an offset for its column and an offset
 * for its row. The offsets of eight columns and four rows are enough for a whole block.
 */
#include "xfer/sgd_blit.h"

#include <string.h>

#include "pixel/rop/sgd_codec_lanes.h"
#include "common/sgd_lanes.h"
#include "common/sgd_tile_meta.h"
#include "util/macros.h"
#include "util/u_math.h"

/* Where the texels for a block of pixels are in the source, by column and by row of the block. */
struct places {
   uint64_t column[SGD_BLOCK_W], row[SGD_BLOCK_H]; /* byte offsets in the source */
   uint16_t x[SGD_BLOCK_W], y[SGD_BLOCK_H];        /* texel coordinates in the source */
   /* texel position inside a compressed block of the source */
   uint8_t in_x[SGD_BLOCK_W], in_y[SGD_BLOCK_H];
   bool run; /* the texels are one micro tile, which starts at column[0] and row[0] */
};

static void
set_column(struct places *p, unsigned i, const struct sgd_surface *s, int32_t x)
{
   x = CLAMP(x, 0, s->width - 1);
   const uint32_t element = x / s->desc->block.width;
   p->x[i] = x;
   p->in_x[i] = x % s->desc->block.width;
   p->column[i] = s->tiled ? sgpu_tiled_offset(element, 0, s->pitch, s->bpe)
                           : sgpu_linear_offset(element, 0, s->pitch, s->bpe);
}

static void
set_row(struct places *p, unsigned i, const struct sgd_surface *s, int32_t y)
{
   y = CLAMP(y, 0, s->height - 1);
   const uint32_t element = y / s->desc->block.height;
   p->y[i] = y;
   p->in_y[i] = y % s->desc->block.height;
   p->row[i] = s->tiled ? sgpu_tiled_offset(0, element, s->pitch, s->bpe)
                        : sgpu_linear_offset(0, element, s->pitch, s->bpe);
}

static ALWAYS_INLINE void
gather_size(struct sgd_elements *restrict e, const uint8_t *base, const struct places *p,
            unsigned bytes)
{
   for (unsigned l = 0; l < SGD_WARP; l++)
      memcpy(e->b + l * bytes, base + p->row[sgd_lane_y(l)] + p->column[sgd_lane_x(l)], bytes);
}

/* If the texels are a micro tile that was fast cleared, returns the clear value, and NULL
 * otherwise.
 */
static inline const uint8_t *
run_left_out(const struct sgd_surface *s, const struct places *p, uint32_t z)
{
   return p->run && s->meta ? sgd_left_out(s, p->x[0], p->y[0], z) : NULL;
}

static void
repeat(struct sgd_elements *e, const uint8_t *value, unsigned bytes)
{
   for (unsigned l = 0; l < SGD_WARP; l++)
      memcpy(e->b + l * bytes, value, bytes);
}

/* Sets the elements that are not in memory because of a fast clear to the clear value. */
static void
fetch_left_out(const struct sgd_surface *s, const struct places *p, uint32_t z,
               struct sgd_elements *e)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint8_t *value = sgd_left_out(s, p->x[sgd_lane_x(l)], p->y[sgd_lane_y(l)], z);
      if (value)
         memcpy(e->b + l * s->bpe, value, s->bpe);
   }
}

/* Loads the elements for a block of pixels from layer z of the source. */
static void
gather(const struct sgd_surface *s, const struct places *p, uint32_t z, unsigned sample,
       struct sgd_elements *e)
{
   const uint8_t *base = s->base + z * s->layer_stride + sample * s->sample_stride;
   const unsigned bytes = s->bpe;

   if (p->run) {
      const uint8_t *value = run_left_out(s, p, z);
      if (value)
         repeat(e, value, bytes);
      else
         memcpy(e->b, base + p->row[0] + p->column[0], SGD_WARP * bytes);
      return;
   }
   switch (bytes) {
   case 1:
      gather_size(e, base, p, 1);
      break;
   case 2:
      gather_size(e, base, p, 2);
      break;
   case 4:
      gather_size(e, base, p, 4);
      break;
   case 8:
      gather_size(e, base, p, 8);
      break;
   case 16:
      gather_size(e, base, p, 16);
      break;
   default:
      gather_size(e, base, p, bytes);
      break;
   }
   if (s->meta)
      fetch_left_out(s, p, z, e);
}

static void
decode(const struct sgd_blit *b, const uint8_t *base, const struct places *p,
       uint32_t (*restrict out)[SGD_WARP])
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const unsigned x = sgd_lane_x(l), y = sgd_lane_y(l);
      uint32_t texel[4];
      b->decode(texel, base + p->row[y] + p->column[x], p->in_x[x], p->in_y[y]);
      for (unsigned k = 0; k < 4; k++)
         out[k][l] = texel[k];
   }
}

static void
add_colors(struct sgd_color *restrict a, const struct sgd_color *restrict b)
{
   for (unsigned k = 0; k < 4; k++) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         a->c[k][l] = sgpu_fadd(a->c[k][l], b->c[k][l]);
   }
}

/* Fetches texels and converts them to color components. If the source has several samples and the
 * destination has one, returns their average, or a single sample for integer formats.
 */
static void
fetch(const struct sgd_blit *b, const struct places *p, int32_t z, unsigned sample,
      struct sgd_color *out)
{
   const struct sgd_surface *s = b->src;
   uint32_t(*const c)[SGD_WARP] = (uint32_t(*)[SGD_WARP])out->c;
   struct sgd_elements e;

   z = CLAMP(z, 0, s->layers - 1);
   if (b->decode) {
      decode(b, s->base + z * s->layer_stride, p, c);
      return;
   }
   if (b->is_int || s->samples == 1 || b->dst->samples > 1) {
      gather(s, p, z, s->samples > 1 ? sample : 0, &e);
      sgd_codec_unpack(&b->from, &e, c, ~0u);
      return;
   }
   /* Add the samples in pairs, then the sums in pairs, and so on. The average of equal colors is
    * then exactly this color.
    */
   struct sgd_color sum[5];
   unsigned open = 0;
   for (unsigned i = 0; i < s->samples; i++) {
      gather(s, p, z, i, &e);
      sgd_codec_unpack(&b->from, &e, (uint32_t(*)[SGD_WARP])sum[open++].c, ~0u);
      for (unsigned n = i + 1; !(n & 1) && open > 1; n >>= 1) {
         open--;
         add_colors(&sum[open - 1], &sum[open]);
      }
   }
   for (unsigned k = 0; k < 4; k++) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         out->c[k][l] = sgpu_fmul(sum[0].c[k][l], 1.0f / (float)(int)s->samples);
   }
}

/* Computes a += (b - a) * t. Normalized formats don't contain NaN or infinity, so use raw
 * arithmetic for them.
 */
static void
lerp(const struct sgd_blit *blit, struct sgd_color *restrict a, const struct sgd_color *restrict b,
     const float t[restrict SGD_WARP])
{
   if (blit->from.normalized) {
      for (unsigned k = 0; k < 4; k++) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const float d = sgpu_fp_raw_add(b->c[k][l], -a->c[k][l]);
            a->c[k][l] = sgpu_fp_raw_add(a->c[k][l], sgpu_fp_raw_mul(d, t[l]));
         }
      }
      return;
   }
   for (unsigned k = 0; k < 4; k++) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         a->c[k][l] = sgpu_fadd(a->c[k][l], sgpu_fmul(sgpu_fsub(b->c[k][l], a->c[k][l]), t[l]));
      }
   }
}

/* Source positions for a block of pixels. With a nearest filter, only at[0] is used. With a linear
 * filter, the four elements of at[] are the texels around each position, and fx and fy are the
 * distances from at[0].
 */
struct block {
   struct places at[4]; /* order: (x0, y0), (x1, y0), (x0, y1), (x1, y1) */
   _Alignas(64) float fx[SGD_WARP], fy[SGD_WARP];
};

static void
nearest_places(const struct sgd_blit *b, int32_t x, int32_t y, struct block *block)
{
   const struct sgd_surface *s = b->src;
   const int32_t sx = sgd_floor_to_int(sgd_blit_x(b, x)), sy = sgd_floor_to_int(sgd_blit_y(b, y));

   block->at[0].run = b->step_x == 1.0 && b->step_y == 1.0 && s->tiled && !b->decode &&
                      !(sx & (SGD_BLOCK_W - 1)) && !(sy & (SGD_BLOCK_H - 1)) && sx >= 0 &&
                      sy >= 0 && sx + SGD_BLOCK_W <= s->width && sy + SGD_BLOCK_H <= s->height;
   if (block->at[0].run) {
      set_column(&block->at[0], 0, s, sx);
      set_row(&block->at[0], 0, s, sy);
      return;
   }
   for (unsigned i = 0; i < SGD_BLOCK_W; i++)
      set_column(&block->at[0], i, b->src, sgd_floor_to_int(sgd_blit_x(b, x + (int32_t)i)));
   for (unsigned i = 0; i < SGD_BLOCK_H; i++)
      set_row(&block->at[0], i, b->src, sgd_floor_to_int(sgd_blit_y(b, y + (int32_t)i)));
}

static void
linear_places(const struct sgd_blit *b, int32_t x, int32_t y, struct block *block)
{
   float fx[SGD_BLOCK_W], fy[SGD_BLOCK_H];

   for (unsigned n = 0; n < 4; n++)
      block->at[n].run = false;
   for (unsigned i = 0; i < SGD_BLOCK_W; i++) {
      const double sx = sgd_blit_x(b, x + (int32_t)i) - 0.5;
      const int32_t x0 = sgd_floor_to_int(sx);
      fx[i] = (float)(sx - x0);
      for (unsigned n = 0; n < 4; n++)
         set_column(&block->at[n], i, b->src, x0 + (int32_t)(n & 1));
   }
   for (unsigned i = 0; i < SGD_BLOCK_H; i++) {
      const double sy = sgd_blit_y(b, y + (int32_t)i) - 0.5;
      const int32_t y0 = sgd_floor_to_int(sy);
      fy[i] = (float)(sy - y0);
      for (unsigned n = 0; n < 4; n++)
         set_row(&block->at[n], i, b->src, y0 + (int32_t)(n >> 1));
   }
   for (unsigned l = 0; l < SGD_WARP; l++) {
      block->fx[l] = fx[sgd_lane_x(l)];
      block->fy[l] = fy[sgd_lane_y(l)];
   }
}

/* Fetches the four texels around each position in one layer, and interpolates between them. */
static void
fetch_linear(const struct sgd_blit *b, const struct block *block, int32_t z, unsigned sample,
             struct sgd_color *out)
{
   struct sgd_color t[3];

   fetch(b, &block->at[0], z, sample, out);
   for (unsigned i = 0; i < 3; i++)
      fetch(b, &block->at[1 + i], z, sample, &t[i]);
   lerp(b, out, &t[0], block->fx);
   lerp(b, &t[1], &t[2], block->fx);
   lerp(b, out, &t[1], block->fy);
}

static void
source_colors(const struct sgd_blit *b, const struct block *block, unsigned sample,
              struct sgd_color *out)
{
   if (!b->linear) {
      fetch(b, &block->at[0], sgd_floor_to_int(b->source_z), sample, out);
   } else if (b->step_z == 1.0) {
      fetch_linear(b, block, sgd_floor_to_int(b->source_z), sample, out);
   } else {
      const int32_t z = sgd_floor_to_int(b->source_z - 0.5);
      const float fz = (float)(b->source_z - 0.5 - z);
      struct sgd_color far;
      float t[SGD_WARP];
      for (unsigned l = 0; l < SGD_WARP; l++)
         t[l] = fz;
      fetch_linear(b, block, z, sample, out);
      fetch_linear(b, block, z + 1, sample, &far);
      lerp(b, out, &far, t);
   }
}

/* Loads the elements of a block in the destination, or at least those in `lanes`. */
static void
load_block(const struct sgd_surface *s, uint8_t *base, int32_t x, int32_t y, uint32_t lanes,
           struct sgd_elements *e)
{
   if (s->tiled) {
      memcpy(e->b, base + sgpu_tiled_offset(x, y, s->pitch, s->bpe), SGD_WARP * s->bpe);
      return;
   }
   for (unsigned l = 0; l < SGD_WARP; l++) {
      if (lanes >> l & 1)
         memcpy(e->b + l * s->bpe,
                base + sgpu_linear_offset(x + sgd_lane_x(l), y + sgd_lane_y(l), s->pitch, s->bpe),
                s->bpe);
   }
}

static void
store_block(const struct sgd_surface *s, uint8_t *base, int32_t x, int32_t y, uint32_t lanes,
            const struct sgd_elements *e)
{
   if (s->tiled && lanes == ~0u) {
      memcpy(base + sgpu_tiled_offset(x, y, s->pitch, s->bpe), e->b, SGD_WARP * s->bpe);
      return;
   }
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t px = x + sgd_lane_x(l), py = y + sgd_lane_y(l);
      if (lanes >> l & 1)
         memcpy(base + (s->tiled ? sgpu_tiled_offset(px, py, s->pitch, s->bpe)
                                 : sgpu_linear_offset(px, py, s->pitch, s->bpe)),
                e->b + l * s->bpe, s->bpe);
   }
}

/* Blends the source color with the destination color, by the alpha of the source. */
static void
blend(struct sgd_color *restrict src, const struct sgd_color *restrict dst)
{
   _Alignas(64) float alpha[SGD_WARP];

   memcpy(alpha, src->c[3], sizeof(alpha));
   for (unsigned k = 0; k < 4; k++) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const float s = k == 3 ? src->c[k][l] : sgpu_fmul(src->c[k][l], alpha[l]);
         src->c[k][l] = sgpu_fadd(s, sgpu_fmul(dst->c[k][l], sgpu_fsub(1.0f, alpha[l])));
      }
   }
}

/* Averages the samples of 8-bit channels directly as integers. Ties are rounded up. */
static void
mean_of_bytes(const struct sgd_blit *b, const struct places *p, struct sgd_elements *restrict e)
{
   const struct sgd_surface *s = b->src;
   const int32_t z = CLAMP(sgd_floor_to_int(b->source_z), 0, s->layers - 1);
   const unsigned shift = util_logbase2(s->samples);
   const uint8_t *value = run_left_out(s, p, z);
   _Alignas(64) uint16_t sum[SGD_WARP * 4];

   if (value) {
      repeat(e, value, 4);
      return;
   }

   for (unsigned i = 0; i < SGD_WARP * 4; i++)
      sum[i] = s->samples / 2;
   for (unsigned n = 0; n < s->samples; n++) {
      gather(s, p, z, n, e);
      for (unsigned i = 0; i < SGD_WARP * 4; i++)
         sum[i] += e->b[i];
   }
   for (unsigned i = 0; i < SGD_WARP * 4; i++)
      e->b[i] = sum[i] >> shift;
}

/* Averages the samples of floats. Blocks that are micro tiles are read where they are. */
static void
mean_of_floats(const struct sgd_blit *b, const struct places *p, struct sgd_elements *restrict e)
{
   const struct sgd_surface *s = b->src;
   const int32_t z = CLAMP(sgd_floor_to_int(b->source_z), 0, s->layers - 1);
   const uint8_t *value = run_left_out(s, p, z);
   const uint8_t *plane[SGD_MAX_SAMPLES];
   struct sgd_elements copy[SGD_MAX_SAMPLES];

   if (value)
      repeat(&copy[0], value, s->bpe);
   for (unsigned n = 0; n < s->samples; n++) {
      if (value) {
         plane[n] = copy[0].b;
      } else if (p->run) {
         plane[n] = s->base + z * s->layer_stride + n * s->sample_stride + p->row[0] + p->column[0];
      } else {
         gather(s, p, z, n, &copy[n]);
         plane[n] = copy[n].b;
      }
   }
   sgd_blit_mean(b, plane, e);
}

/* Moves the bytes of elements to the places that the destination's format has. Bytes that the
 * destination doesn't use become ones, and components that the source doesn't have 0 or 1.
 */
static void
swap_bytes(const struct sgd_blit *b, struct sgd_elements *restrict e)
{
   uint32_t *restrict word = (uint32_t *)e->b;
   uint32_t out[SGD_WARP];

   for (unsigned l = 0; l < SGD_WARP; l++)
      out[l] = b->to.ones;
   for (unsigned i = 0; i < 4; i++) {
      const unsigned shift = b->to.shift[i];
      if (b->to.comp[i] == SGD_COMP_NONE)
         continue;
      const unsigned from = b->from.from[b->to.comp[i]];
      if (from >= SGD_FROM_ZERO) {
         const uint32_t byte = from == SGD_FROM_ONE ? 0xffu << shift : 0;
         for (unsigned l = 0; l < SGD_WARP; l++)
            out[l] |= byte;
         continue;
      }
      const unsigned at = b->from.shift[from];
      for (unsigned l = 0; l < SGD_WARP; l++)
         out[l] |= (word[l] >> at & 0xff) << shift;
   }
   memcpy(word, out, sizeof(out));
}

/* Replaces the bits of `e` that the blit must not change. */
static void
keep_bits(const struct sgd_blit *b, struct sgd_elements *restrict e,
          const struct sgd_elements *restrict old)
{
   const unsigned bytes = b->dst->bpe;

   if (util_is_power_of_two_nonzero(bytes)) {
      uint64_t mask[2];
      memcpy(mask, b->bits, sizeof(mask));
      uint64_t *restrict to = (uint64_t *)e->b;
      const uint64_t *restrict from = (const uint64_t *)old->b;
      for (unsigned i = 0; i < SGD_WARP * bytes / 8; i++)
         to[i] = (to[i] & mask[i & 1]) | (from[i] & ~mask[i & 1]);
      return;
   }
   for (unsigned l = 0; l < SGD_WARP; l++) {
      for (unsigned i = 0; i < bytes; i++)
         e->b[l * bytes + i] = (e->b[l * bytes + i] & b->bits[i]) |
                               (old->b[l * bytes + i] & ~b->bits[i]);
   }
}

static void
block_colors(const struct sgd_blit *b, const struct block *block, int32_t x, int32_t y,
             uint32_t lanes, uint32_t layer, unsigned sample)
{
   const struct sgd_surface *s = b->dst;
   uint8_t *const base = s->base + layer * s->layer_stride + sample * s->sample_stride;
   struct sgd_color color, clamped;
   struct sgd_elements e, old;
   if (b->bytes || b->floats) {
      if (b->bytes)
         mean_of_bytes(b, &block->at[0], &e);
      else
         mean_of_floats(b, &block->at[0], &e);
      store_block(s, base, x, y, lanes, &e);
      return;
   }
   if (!b->whole || b->p->blend)
      load_block(s, base, x, y, lanes, &old);
   if (b->raw || b->swaps) {
      const int32_t z = CLAMP(sgd_floor_to_int(b->source_z), 0, b->src->layers - 1);
      gather(b->src, &block->at[0], z, b->src->samples > 1 ? sample : 0, &e);
      if (!b->raw)
         swap_bytes(b, &e);
      if (!b->whole)
         keep_bits(b, &e, &old);
      store_block(s, base, x, y, lanes, &e);
      return;
   }
   source_colors(b, block, sample, &color);
   if (b->p->blend) {
      struct sgd_color dst;
      sgd_codec_unpack(&b->to, &old, (uint32_t(*)[SGD_WARP])dst.c, lanes);
      blend(&color, &dst);
   }
   sgd_codec_clamp(&b->to, (const uint32_t(*)[SGD_WARP])color.c, &clamped);
   sgd_codec_pack(&b->to, (const uint32_t(*)[SGD_WARP])clamped.c, &e, lanes);
   if (!b->whole)
      keep_bits(b, &e, &old);
   store_block(s, base, x, y, lanes, &e);
}

void
sgd_blit_colors(const struct sgd_blit *b, const struct SGPU_RECT *rect, uint32_t layer)
{
   for (int32_t y = rect->y0 & ~(SGD_BLOCK_H - 1); y < rect->y1; y += SGD_BLOCK_H) {
      for (int32_t x = rect->x0 & ~(SGD_BLOCK_W - 1); x < rect->x1; x += SGD_BLOCK_W) {
         const uint32_t lanes = sgd_lanes_box(x, y, rect->x0, rect->y0, rect->x1, rect->y1);
         struct block block;

         if (b->box && lanes == ~0u && sgd_blit_box(b, x, y, layer))
            continue;
         if (b->linear)
            linear_places(b, x, y, &block);
         else
            nearest_places(b, x, y, &block);
         for (unsigned sample = 0; sample < b->dst->samples; sample++)
            block_colors(b, &block, x, y, lanes, layer, sample);
      }
   }
}
