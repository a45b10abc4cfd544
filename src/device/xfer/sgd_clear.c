/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: clears.
 */
#include <string.h>

#include "pixel/rop/sgd_codec.h"
#include "pixel/rop/sgd_codec_lanes.h"
#include "pixel/rop/sgd_depth_format.h"
#include "common/sgd_lanes.h"
#include "common/sgd_tile_meta.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "xfer/sgd_element.h"
#include "xfer/sgd_tile_expand.h"

/* Pattern for filling 32 elements, which are a micro tile or part of a row in a linear surface. */
struct fill {
   unsigned bpe;
   bool whole; /* true if all bits of an element are overwritten */
   _Alignas(64) uint8_t value[32 * 16], keep[32 * 16];
};

static void
prepare_fill(struct fill *f, unsigned bpe, const uint8_t *value, const uint8_t *mask)
{
   f->bpe = bpe;
   f->whole = true;
   for (unsigned i = 0; i < bpe; i++) {
      const uint8_t bits = mask ? mask[i] : 0xff;
      f->whole &= bits == 0xff;
      f->keep[i] = (uint8_t)~bits;
      f->value[i] = value[i] & bits;
   }
   /* Double the size of the pattern until it has 32 elements. */
   for (unsigned bytes = bpe; bytes < 32 * bpe; bytes *= 2) {
      memcpy(f->value + bytes, f->value, bytes);
      if (!f->whole)
         memcpy(f->keep + bytes, f->keep, bytes);
   }
}

/* Fills up to 32 elements that are contiguous in memory. */
static inline void
fill_run(const struct fill *f, uint8_t *p, unsigned elements)
{
   const unsigned bytes = elements * f->bpe;

   if (f->whole) {
      memcpy(p, f->value, bytes);
      return;
   }
   for (unsigned i = 0; i < bytes; i++)
      p[i] = (p[i] & f->keep[i]) | f->value[i];
}

/* Overwrites contiguous elements completely. Their size must be a power of two, and at most 64
 * bytes.
 */
static inline void
fill_bytes(const struct fill *f, uint8_t *restrict p, size_t bytes)
{
   struct {
      _Alignas(64) uint8_t b[64];
   } value;
   size_t i = 0;

   memcpy(&value, f->value, sizeof(value));
   for (; i + sizeof(value) <= bytes; i += sizeof(value))
      memcpy(p + i, &value, sizeof(value));
   memcpy(p + i, f->value, bytes - i);
}

void
sgd_fill(const struct sgd_surface *s, const struct SGPU_RECT *r, unsigned layer, unsigned sample,
         const uint8_t *value, const uint8_t *mask)
{
   struct fill f;

   prepare_fill(&f, s->bpe, value, mask);
   if (!s->tiled && f.whole && f.bpe >= 2 && util_is_power_of_two_nonzero(f.bpe)) {
      for (int32_t y = r->y0; y < r->y1; y++)
         fill_bytes(&f, sgd_surface_element(s, r->x0, y, layer, sample),
                    (size_t)(r->x1 - r->x0) * f.bpe);
      return;
   }
   if (!s->tiled) {
      for (int32_t y = r->y0; y < r->y1; y++) {
         for (int32_t x = r->x0; x < r->x1; x += 32)
            fill_run(&f, sgd_surface_element(s, x, y, layer, sample), MIN2(r->x1 - x, 32));
      }
      return;
   }
   for (int32_t y = r->y0; y < r->y1;) {
      const bool rows = !(y & 3) && y + 4 <= r->y1;
      for (int32_t x = r->x0; x < r->x1;) {
         if (rows && !(x & 7) && x + 8 <= r->x1) {
            if (f.whole && f.bpe >= 2) {
               const unsigned count = (r->x1 - x) / 8;
               fill_bytes(&f, sgd_surface_element(s, x, y, layer, sample),
                          (size_t)count * SGPU_TILE_ELEMENTS * f.bpe);
               x += 8 * count;
               continue;
            }
            fill_run(&f, sgd_surface_element(s, x, y, layer, sample), 32);
            x += 8;
            continue;
         }
         for (unsigned j = 0; j < (rows ? 4 : 1); j++)
            fill_run(&f, sgd_surface_element(s, x, y + j, layer, sample), 1);
         x++;
      }
      y += rows ? 4 : 1;
   }
}

/* Updates the depth bounds of a tile after a rectangle in it was cleared. `key` represents the
 * clear depth, in the same form as the bounds.
 */
static void
note_depth(struct sgd_tile_meta *m, const struct sgd_surface *s, const struct SGPU_RECT *r,
           uint32_t key)
{
   const struct SGPU_RECT tile = sgd_tile_rect(s, r->x0, r->y0);
   const bool whole = !memcmp(r, &tile, sizeof(tile));

   if (!whole && !m->ranges)
      return;
   for (unsigned k = 0; k < SGD_META_BLOCKS; k++) {
      const int32_t x = (r->x0 & ~(SGD_TILE - 1)) + (k & 3) * SGD_META_BLOCK;
      const int32_t y = (r->y0 & ~(SGD_TILE - 1)) + (k >> 2) * SGD_META_BLOCK;
      const bool touched = x < r->x1 && x + SGD_META_BLOCK > r->x0 && y < r->y1 &&
                           y + SGD_META_BLOCK > r->y0;
      if (whole) {
         m->low[k] = m->high[k] = key;
      } else if (touched) {
         m->low[k] = MIN2(m->low[k], key);
         m->high[k] = MAX2(m->high[k], key);
      }
   }
   if (whole)
      m->stale = 0;
   m->ranges = s->format;
}

/* Returns true if all elements are equal to `element`, ignoring the bits in `mask`. Checks one
 * sample, and all micro tiles that overlap the rectangle. The element size must be 4 or 8 bytes, as
 * in all formats with stencil.
 */
static bool
is_constant(const struct sgd_surface *s, const struct SGPU_RECT *r, unsigned layer, unsigned sample,
            const uint8_t *element, const uint8_t *mask)
{
   const size_t bytes = DIV_ROUND_UP(r->x1 - r->x0, SGPU_TILE_WIDTH) * SGPU_TILE_ELEMENTS * s->bpe;
   uint64_t first = 0, others = 0;

   if (s->bpe != 4 && s->bpe != 8)
      return false;
   memcpy(&first, element, s->bpe);
   memcpy(&others, mask, s->bpe);
   if (s->bpe == 4) {
      first |= first << 32;
      others |= others << 32;
   }
   for (int32_t y = r->y0; y < r->y1; y += SGPU_TILE_HEIGHT) {
      const uint8_t *p = sgd_surface_element(s, r->x0, y, layer, sample);
      uint64_t differs = 0, elements;
      for (size_t i = 0; i < bytes; i += sizeof(elements)) {
         memcpy(&elements, p + i, sizeof(elements));
         differs |= elements ^ first;
      }
      if (differs & ~others)
         return false;
   }
   return true;
}

/* Like is_constant(), but checks all samples, and compares them with the first element. */
static bool
are_constant(const struct sgd_surface *s, const struct SGPU_RECT *r, unsigned layer,
             const uint8_t *mask)
{
   const uint8_t *element = sgd_surface_element(s, r->x0, r->y0, layer, 0);
   bool same = true;

   for (unsigned sample = 0; sample < s->samples && same; sample++)
      same = is_constant(s, r, layer, sample, element, mask);
   return same;
}

/* Clears only those blocks of a tile that were written since its last clear. All other blocks still
 * contain the clear value.
 */
static void
fill_stored(const struct sgd_surface *s, const struct sgd_tile_meta *m,
            const struct SGPU_RECT *tile, unsigned layer)
{
   uint32_t left = m->stored & sgd_tile_blocks(s, tile->x0, tile->y0);

   while (left) {
      const unsigned k = u_bit_scan(&left);
      const int32_t x = tile->x0 + (k & 3) * SGD_META_BLOCK,
                    y = tile->y0 + (k >> 2) * SGD_META_BLOCK;
      const struct SGPU_RECT r = { x, y, MIN2(x + SGD_META_BLOCK, tile->x1),
                                   MIN2(y + SGD_META_BLOCK, tile->y1) };
      sgd_fill_samples(s, &r, layer, m->value);
   }
}

/* Clears a whole tile to `value`. With fast clears, this only updates the metadata of the tile.
 *
 * Otherwise, the value is stored in all elements. If depth or stencil was last cleared to the same
 * value, blocks that haven't been written since can be skipped. This is not possible for color,
 * because image stores write memory without updating the metadata.
 */
static void
clear_tile(struct sgd_worker *worker, const struct sgd_surface *s, struct sgd_tile_meta *m,
           const struct SGPU_RECT *tile, unsigned layer, const uint8_t value[16])
{
   const bool keeps = util_format_is_depth_or_stencil(s->pformat);
   const bool kept = m->cleared == SGD_TILE_KEPT && !memcmp(m->value, value, s->bpe);

   memcpy(m->value, value, s->bpe);
   if (s->fast_clear) {
      m->cleared = SGD_TILE_CLEARED;
      worker->counters[SGPU_COUNTER_TILES_CLEARED]++;
   } else {
      if (keeps && kept)
         fill_stored(s, m, tile, layer);
      else
         sgd_fill_samples(s, tile, layer, value);
      m->cleared = keeps ? SGD_TILE_KEPT : SGD_TILE_DRAWN;
   }
   m->stored = 0;
   m->constant = s->format;
}

/* Like sgd_fill(), but for all samples. */
static void
fill_masked(const struct sgd_surface *s, const struct SGPU_RECT *r, unsigned layer,
            const uint8_t *value, const uint8_t *mask)
{
   for (unsigned sample = 0; sample < s->samples; sample++)
      sgd_fill(s, r, layer, sample, value, mask);
}

/* Clears a rectangle inside a tile with metadata. `depth` is true if the clear includes depth. */
static void
clear_in_tile(struct sgd_worker *worker, const struct sgd_surface *s, struct sgd_tile_meta *m,
              const struct SGPU_RECT *r, unsigned layer, const uint8_t *value, const uint8_t *mask,
              bool depth)
{
   const struct SGPU_RECT tile = sgd_tile_rect(s, r->x0, r->y0);
   const bool whole = !memcmp(r, &tile, sizeof(tile));
   uint8_t merged[16];
   bool all = true;

   for (unsigned i = 0; i < s->bpe; i++) {
      all &= mask[i] == 0xff;
      merged[i] = (m->value[i] & ~mask[i]) | (value[i] & mask[i]);
   }
   if (whole && (all || (m->cleared && !m->stored) || (depth && m->constant))) {
      clear_tile(worker, s, m, &tile, layer, merged);
      return;
   }
   sgd_tile_expand(worker, s, r->x0, r->y0, layer);
   fill_masked(s, r, layer, value, mask);
   if (all || !depth) {
      m->constant = SGPU_FORMAT_NONE;
   } else if (whole && are_constant(s, &tile, layer, mask)) {
      memcpy(m->value, sgd_surface_element(s, r->x0, r->y0, layer, 0), s->bpe);
      m->constant = s->format;
   }
}

/* Clears a rectangle inside a tile. `depth` points to the key of the clear depth, or is NULL. */
static void
clear_elements(struct sgd_worker *worker, const struct sgd_surface *s, const struct SGPU_RECT *r,
               unsigned layer, const uint8_t *value, const uint8_t *mask, const uint32_t *depth)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, r->x0, r->y0, layer);

   if (m) {
      sgd_tile_written(m, s);
      if (depth)
         note_depth(m, s, r, *depth);
      clear_in_tile(worker, s, m, r, layer, value, mask, depth != NULL);
      return;
   }
   fill_masked(s, r, layer, value, mask);
}

/* Clears a color target. The stored elements are the same as if the color came from a draw. */
static void
clear_color(struct sgd_worker *worker, const struct sgd_surface *s, const struct SGPU_RECT *r,
            unsigned layer, const uint32_t color[4])
{
   const struct sgd_codec codec = sgd_codec(s->pformat);
   uint32_t in[4][SGD_WARP];
   struct sgd_color clamped;
   struct sgd_elements e;
   uint8_t mask[16];

   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         in[c][l] = color[c];
   }
   sgd_codec_clamp(&codec, (const uint32_t(*)[SGD_WARP])in, &clamped);
   sgd_codec_pack(&codec, (const uint32_t(*)[SGD_WARP])clamped.c, &e, sgd_quad_lanes(0));
   memset(mask, 0xff, sizeof(mask));
   clear_elements(worker, s, r, layer, e.b, mask, NULL);
}

static void
clear_zs(struct sgd_worker *worker, const struct sgd_xfer *x, const struct SGPU_RECT *r,
         unsigned layer)
{
   const struct sgd_surface *s = &x->u.clear.zs;
   const struct sgd_zs_format f = sgd_zs_format(s->pformat);
   const bool depth = x->u.clear.clear_depth && f.has_depth;
   uint64_t mask, all;
   const uint64_t value = sgd_zs_element(&f, x->u.clear.depth, x->u.clear.stencil, depth,
                                         x->u.clear.clear_stencil, &mask);

   /* If all components are cleared, clear unused bits, too, so that Z24X8 can use fast clears. */
   sgd_zs_element(&f, 0.0, 0, true, true, &all);
   if (mask == all)
      mask = UINT64_MAX;
   const uint32_t key = depth ? sgd_depth_key(&f, (value >> f.depth_shift) & sgd_depth_max(&f)) : 0;

   clear_elements(worker, s, r, layer, (const uint8_t *)&value, (const uint8_t *)&mask,
                  depth ? &key : NULL);
}

void
sgd_clear_rect(struct sgd_worker *worker, const struct sgd_xfer *x, const struct SGPU_RECT *rect,
               unsigned layer)
{
   for (unsigned i = 0; i < SGD_MAX_COLORS; i++) {
      if (x->u.clear.colors & (1 << i))
         clear_color(worker, &x->u.clear.color[i], rect, layer, x->u.clear.color_value);
   }
   if (x->u.clear.clear_depth || x->u.clear.clear_stencil)
      clear_zs(worker, x, rect, layer);
}
