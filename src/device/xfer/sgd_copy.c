/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: copies of elements between surfaces. Only the layout in memory can change, not the
 * elements.
 *
 * In a tiled surface, half a micro tile contains eight elements of an even row and eight elements
 * of the row below it. These are four contiguous quads. Pairs of elements of the upper row and of
 * the lower row therefore alternate.
 */
#include <string.h>

#include "common/sgd_tile_meta.h"
#include "common/sgd_worker.h"
#include "util/macros.h"
#include "xfer/sgd_element.h"

/* A row of elements in a surface. */
struct row {
   uint8_t *p; /* address of element 0 */
   bool tiled;
};

static ALWAYS_INLINE struct row
row_of(const struct sgd_surface *s, uint32_t y, uint32_t layer, uint32_t sample)
{
   return (struct row){ sgd_surface_element(s, 0, y, layer, sample), s->tiled };
}

static ALWAYS_INLINE uint8_t *
in_row(const struct row *r, uint32_t x, unsigned bpe)
{
   return r->p + (r->tiled ? sgpu_tiled_offset(x, 0, 0, bpe) : sgpu_linear_offset(x, 0, 0, bpe));
}

/* Copies n elements of a row. */
static ALWAYS_INLINE void
copy_run_of(const struct row *dst, uint32_t dx, const struct row *src, uint32_t sx, uint32_t n,
            unsigned bpe)
{
   if (!dst->tiled && !src->tiled) {
      memmove(in_row(dst, dx, bpe), in_row(src, sx, bpe), (size_t)n * bpe);
      return;
   }
   uint32_t i = 0;
   if (((dx ^ sx) & 1) == 0 || !dst->tiled || !src->tiled) {
      /* In the tiled surface, pairs of contiguous elements start at even positions. */
      const uint32_t odd = (dst->tiled ? dx : sx) & 1;
      if (odd && n) {
         memcpy(in_row(dst, dx, bpe), in_row(src, sx, bpe), bpe);
         i = 1;
      }
      for (; i + 2 <= n; i += 2)
         memcpy(in_row(dst, dx + i, bpe), in_row(src, sx + i, bpe), 2 * bpe);
   }
   for (; i < n; i++)
      memcpy(in_row(dst, dx + i, bpe), in_row(src, sx + i, bpe), bpe);
}

/* One function per element size. Most calls copy only a few elements, so overhead matters. */
#define COPY_RUN(name, size)                                                                  \
   static __attribute__((noinline)) void name(const struct row *dst, uint32_t dx,             \
                                              const struct row *src, uint32_t sx, uint32_t n, \
                                              unsigned bpe)                                   \
   {                                                                                          \
      copy_run_of(dst, dx, src, sx, n, size);                                                 \
   }
COPY_RUN(copy_run_1, 1)
COPY_RUN(copy_run_2, 2)
COPY_RUN(copy_run_4, 4)
COPY_RUN(copy_run_8, 8)
COPY_RUN(copy_run_16, 16)
COPY_RUN(copy_run_any, bpe)
#undef COPY_RUN

static ALWAYS_INLINE void
copy_run(const struct row *dst, uint32_t dx, const struct row *src, uint32_t sx, uint32_t n,
         unsigned bpe)
{
   switch (bpe) {
   case 1:
      copy_run_1(dst, dx, src, sx, n, bpe);
      break;
   case 2:
      copy_run_2(dst, dx, src, sx, n, bpe);
      break;
   case 4:
      copy_run_4(dst, dx, src, sx, n, bpe);
      break;
   case 8:
      copy_run_8(dst, dx, src, sx, n, bpe);
      break;
   case 16:
      copy_run_16(dst, dx, src, sx, n, bpe);
      break;
   default:
      copy_run_any(dst, dx, src, sx, n, bpe);
      break;
   }
}

/* Convert between half a micro tile and two rows of eight elements. A word is a pair of elements.
 * In half a micro tile, words of the upper and the lower row alternate.
 */

typedef uint32_t words32 __attribute__((vector_size(16)));
#if defined(__AVX2__)
typedef uint64_t words64 __attribute__((vector_size(32)));
#else
typedef uint64_t words64 __attribute__((vector_size(16)));
#endif

static ALWAYS_INLINE void
half_to_rows(uint8_t *restrict upper, uint8_t *restrict lower, const uint8_t *restrict half,
             unsigned bpe)
{
   if (bpe == 4) {
      for (unsigned i = 0; i < 32; i += sizeof(words64)) {
         words64 a, b;
         memcpy(&a, half + 2 * i, sizeof(a));
         memcpy(&b, half + 2 * i + sizeof(a), sizeof(b));
#if defined(__AVX2__)
         const words64 u = __builtin_shufflevector(a, b, 0, 2, 4, 6);
         const words64 l = __builtin_shufflevector(a, b, 1, 3, 5, 7);
#else
         const words64 u = __builtin_shufflevector(a, b, 0, 2);
         const words64 l = __builtin_shufflevector(a, b, 1, 3);
#endif
         memcpy(upper + i, &u, sizeof(u));
         memcpy(lower + i, &l, sizeof(l));
      }
      return;
   }
   if (bpe == 2) {
      words32 a, b;
      memcpy(&a, half, sizeof(a));
      memcpy(&b, half + sizeof(a), sizeof(b));
      const words32 u = __builtin_shufflevector(a, b, 0, 2, 4, 6);
      const words32 l = __builtin_shufflevector(a, b, 1, 3, 5, 7);
      memcpy(upper, &u, sizeof(u));
      memcpy(lower, &l, sizeof(l));
      return;
   }
   for (unsigned i = 0; i < 4; i++) {
      memcpy(upper + i * 2 * bpe, half + i * 4 * bpe, 2 * bpe);
      memcpy(lower + i * 2 * bpe, half + i * 4 * bpe + 2 * bpe, 2 * bpe);
   }
}

static ALWAYS_INLINE void
rows_to_half(uint8_t *restrict half, const uint8_t *restrict upper, const uint8_t *restrict lower,
             unsigned bpe)
{
   if (bpe == 4) {
      for (unsigned i = 0; i < 32; i += sizeof(words64)) {
         words64 u, l;
         memcpy(&u, upper + i, sizeof(u));
         memcpy(&l, lower + i, sizeof(l));
#if defined(__AVX2__)
         const words64 a = __builtin_shufflevector(u, l, 0, 4, 1, 5);
         const words64 b = __builtin_shufflevector(u, l, 2, 6, 3, 7);
#else
         const words64 a = __builtin_shufflevector(u, l, 0, 2);
         const words64 b = __builtin_shufflevector(u, l, 1, 3);
#endif
         memcpy(half + 2 * i, &a, sizeof(a));
         memcpy(half + 2 * i + sizeof(a), &b, sizeof(b));
      }
      return;
   }
   if (bpe == 2) {
      words32 u, l;
      memcpy(&u, upper, sizeof(u));
      memcpy(&l, lower, sizeof(l));
      const words32 a = __builtin_shufflevector(u, l, 0, 4, 1, 5);
      const words32 b = __builtin_shufflevector(u, l, 2, 6, 3, 7);
      memcpy(half, &a, sizeof(a));
      memcpy(half + sizeof(a), &b, sizeof(b));
      return;
   }
   for (unsigned i = 0; i < 4; i++) {
      memcpy(half + i * 4 * bpe, upper + i * 2 * bpe, 2 * bpe);
      memcpy(half + i * 4 * bpe + 2 * bpe, lower + i * 2 * bpe, 2 * bpe);
   }
}

struct copy {
   const struct sgd_surface *dst, *src;
   uint32_t layer, sample;
   /* positions in dst and src and size of the rectangle, in elements */
   uint32_t dx, dy, sx, sy, width, height;
};

/* Copies two rows between a tiled and a linear surface. The first one must be even in the tiled
 * surface.
 */
static ALWAYS_INLINE void
copy_two_rows(const struct row dst[2], uint32_t dx, const struct row src[2], uint32_t sx,
              uint32_t n, unsigned bpe)
{
   const bool to_linear = src->tiled;
   const uint32_t first = -(to_linear ? sx : dx) & 7, head = MIN2(first, n);
   const uint32_t end = head + ((n - head) & ~7u);

   for (unsigned i = 0; i < 2; i++)
      copy_run(&dst[i], dx, &src[i], sx, head, bpe);
   if (end > head) {
      /* From here on, elements are copied in groups of eight. */
      const uint32_t dstep = dst->tiled ? SGPU_TILE_ELEMENTS * bpe : 8 * bpe;
      const uint32_t sstep = src->tiled ? SGPU_TILE_ELEMENTS * bpe : 8 * bpe;
      uint8_t *d0 = in_row(&dst[0], dx + head, bpe), *d1 = in_row(&dst[1], dx + head, bpe);
      const uint8_t *s0 = in_row(&src[0], sx + head, bpe);
      const uint8_t *s1 = in_row(&src[1], sx + head, bpe);

      for (uint32_t x = head; x < end; x += 8) {
         if (to_linear)
            half_to_rows(d0, d1, s0, bpe);
         else
            rows_to_half(d0, s0, s1, bpe);
         d0 += dstep;
         d1 += dstep;
         s0 += sstep;
         s1 += sstep;
      }
   }
   for (unsigned i = 0; i < 2; i++)
      copy_run(&dst[i], dx + end, &src[i], sx + end, n - end, bpe);
}

/* Copies four rows between tiled surfaces whose micro tiles are aligned with each other. */
static ALWAYS_INLINE void
copy_micro_tiles(const struct row dst[4], uint32_t dx, const struct row src[4], uint32_t sx,
                 uint32_t n, unsigned bpe)
{
   const uint32_t first = -dx & 7, head = MIN2(first, n), end = head + ((n - head) & ~7u);

   for (unsigned i = 0; i < 4; i++)
      copy_run(&dst[i], dx, &src[i], sx, head, bpe);
   if (end > head)
      memmove(in_row(&dst[0], dx + head, bpe), in_row(&src[0], sx + head, bpe),
              (size_t)(end - head) * 4 * bpe);
   for (unsigned i = 0; i < 4; i++)
      copy_run(&dst[i], dx + end, &src[i], sx + end, n - end, bpe);
}

static ALWAYS_INLINE void
copy_rows(const struct copy *c, unsigned bpe)
{
   const bool both = c->dst->tiled && c->src->tiled;
   const bool aligned = both && ((c->dx ^ c->sx) & 7) == 0 && ((c->dy ^ c->sy) & 3) == 0;
   /* index of the first row in the tiled surface */
   const uint32_t at = c->dst->tiled ? c->dy : c->sy;

   for (uint32_t y = 0; y < c->height;) {
      const uint32_t left = c->height - y;
      uint32_t rows = 1;
      if (aligned)
         rows = ((at + y) & 3) == 0 && left >= 4 ? 4 : 1;
      else if (c->dst->tiled != c->src->tiled)
         rows = ((at + y) & 1) == 0 && left >= 2 ? 2 : 1;

      struct row dst[4], src[4];
      for (unsigned i = 0; i < rows; i++) {
         dst[i] = row_of(c->dst, c->dy + y + i, c->layer, c->sample);
         src[i] = row_of(c->src, c->sy + y + i, c->layer, c->sample);
      }
      if (rows == 4)
         copy_micro_tiles(dst, c->dx, src, c->sx, c->width, bpe);
      else if (rows == 2)
         copy_two_rows(dst, c->dx, src, c->sx, c->width, bpe);
      else
         copy_run(dst, c->dx, src, c->sx, c->width, bpe);
      y += rows;
   }
}

/* Copy `columns` x `rows` micro tiles of 32-bit elements between a tiled and a linear surface. A
 * micro tile is two contiguous cache lines. The tile below it is in another page, where the
 * hardware prefetcher doesn't look, so it is prefetched in advance.
 */
#define BPE 4

static __attribute__((noinline)) void
tiles_to_rows(uint8_t *restrict linear, size_t linear_pitch, const uint8_t *restrict tile,
              size_t tile_pitch, unsigned columns, unsigned rows)
{
   for (; rows; rows--) {
      const uint8_t *from = tile, *const end = tile + columns * SGPU_TILE_ELEMENTS * BPE;
      const size_t next = rows > 1 ? tile_pitch : 0;
      uint8_t *upper = linear, *lower = linear + 2 * linear_pitch;

      for (; from < end; from += SGPU_TILE_ELEMENTS * BPE) {
         __builtin_prefetch(from + next);
         __builtin_prefetch(from + next + 64);
         half_to_rows(upper, upper + linear_pitch, from, BPE);
         half_to_rows(lower, lower + linear_pitch, from + SGPU_TILE_ELEMENTS / 2 * BPE, BPE);
         upper += SGPU_TILE_WIDTH * BPE;
         lower += SGPU_TILE_WIDTH * BPE;
      }
      tile += tile_pitch;
      linear += SGPU_TILE_HEIGHT * linear_pitch;
   }
}

static __attribute__((noinline)) void
rows_to_tiles(uint8_t *restrict tile, size_t tile_pitch, const uint8_t *restrict linear,
              size_t linear_pitch, unsigned columns, unsigned rows)
{
   for (; rows; rows--) {
      uint8_t *to = tile, *const end = tile + columns * SGPU_TILE_ELEMENTS * BPE;
      const uint8_t *upper = linear, *lower = linear + 2 * linear_pitch;

      for (; to < end; to += SGPU_TILE_ELEMENTS * BPE) {
         rows_to_half(to, upper, upper + linear_pitch, BPE);
         rows_to_half(to + SGPU_TILE_ELEMENTS / 2 * BPE, lower, lower + linear_pitch, BPE);
         upper += SGPU_TILE_WIDTH * BPE;
         lower += SGPU_TILE_WIDTH * BPE;
      }
      tile += tile_pitch;
      linear += SGPU_TILE_HEIGHT * linear_pitch;
   }
}

/* Copies 32-bit elements. Returns false if the rectangle doesn't consist of whole micro tiles. */
static bool
copy_words(const struct copy *c)
{
   const struct sgd_surface *dst = c->dst, *src = c->src;
   const bool to_linear = src->tiled;
   const uint32_t x = to_linear ? c->sx : c->dx, y = to_linear ? c->sy : c->dy;

   if (dst->tiled == src->tiled || dst->bpe != BPE || ((x | c->width) & (SGPU_TILE_WIDTH - 1)) ||
       ((y | c->height) & (SGPU_TILE_HEIGHT - 1)))
      return false;
   uint8_t *const to = sgd_surface_element(dst, c->dx, c->dy, c->layer, c->sample);
   const uint8_t *const from = sgd_surface_element(src, c->sx, c->sy, c->layer, c->sample);
   const unsigned columns = c->width / SGPU_TILE_WIDTH, rows = c->height / SGPU_TILE_HEIGHT;
   if (to_linear)
      tiles_to_rows(to, dst->pitch, from, src->pitch, columns, rows);
   else
      rows_to_tiles(to, dst->pitch, from, src->pitch, columns, rows);
   return true;
}

#undef BPE

/* Don't prefetch rows with more bytes than this: source and destination of a tile would not fit in
 * the L1 cache together.
 */
#define PREFETCH_ROW 256

/* Prefetches the rows of a linear destination if they are short. Each row is usually in another
 * page, where the hardware prefetcher doesn't look. The cache lines are not in the caches of this
 * CPU, because the previous frame was read by another CPU, e.g. to display it.
 */
static void
prefetch_rows(const struct copy *c)
{
   const uint32_t bytes = c->width * c->dst->bpe;

   if (c->dst->tiled || bytes > PREFETCH_ROW)
      return;
   for (uint32_t y = 0; y < c->height; y++) {
      const uint8_t *p = sgd_surface_element(c->dst, c->dx, c->dy + y, c->layer, c->sample);
      for (uint32_t i = 0; i < bytes; i += 64)
         __builtin_prefetch(p + i, 1);
   }
}

static void
copy_elements(const struct copy *c)
{
   prefetch_rows(c);
   if (copy_words(c))
      return;
   switch (c->dst->bpe) {
   case 1:
      copy_rows(c, 1);
      break;
   case 2:
      copy_rows(c, 2);
      break;
   case 4:
      copy_rows(c, 4);
      break;
   case 8:
      copy_rows(c, 8);
      break;
   case 16:
      copy_rows(c, 16);
      break;
   default:
      copy_rows(c, c->dst->bpe);
      break;
   }
}

/* Returns the state of the four blocks in a row: bits 0 to 3 are the bits of `stored`, and bits 4
 * to 7 those of `shown`.
 */
static inline uint32_t
row_of_blocks(uint32_t stored, uint32_t shown, uint32_t y)
{
   const unsigned first = sgd_meta_block(0, y);

   return (stored >> first & 15) | (shown >> first & 15) << 4;
}

/* Copies part of a tile that was fast cleared. Blocks that were written since the clear are copied,
 * blocks in `shown` are skipped because the destination already has their contents, and all others
 * are filled with the clear value.
 */
static void
copy_cleared(const struct copy *c, const struct sgd_tile_meta *m, uint32_t shown)
{
   const uint32_t stored = m->stored, alike = 1 | 1 << 4;
   struct copy part = *c;

   for (uint32_t y = 0; y < c->height; y += part.height) {
      const uint32_t row = row_of_blocks(stored, shown, c->sy + y);
      uint32_t end = y + SGD_META_BLOCK - (c->sy + y) % SGD_META_BLOCK;
      while (end < c->height && row_of_blocks(stored, shown, c->sy + end) == row)
         end += SGD_META_BLOCK;
      part.sy = c->sy + y;
      part.dy = c->dy + y;
      part.height = MIN2(end, c->height) - y;

      for (uint32_t x = 0; x < c->width; x += part.width) {
         const uint32_t block = row >> sgd_meta_block(c->sx + x, 0) & alike;
         end = x + SGD_META_BLOCK - (c->sx + x) % SGD_META_BLOCK;
         while (end < c->width && (row >> sgd_meta_block(c->sx + end, 0) & alike) == block)
            end += SGD_META_BLOCK;
         part.sx = c->sx + x;
         part.dx = c->dx + x;
         part.width = MIN2(end, c->width) - x;
         if (block & 1) {
            copy_elements(&part);
         } else if (!block) {
            const struct SGPU_RECT r = { part.dx, part.dy, part.dx + part.width,
                                         part.dy + part.height };
            sgd_fill(c->dst, &r, c->layer, c->sample, m->value, NULL);
         }
      }
   }
}

/* Copies part of a tile. If the tile was fast cleared, some of its elements are not in memory. */
static void
copy_part(const struct copy *c)
{
   const struct sgd_tile_meta *m = sgd_tile_meta(c->src, c->sx, c->sy, c->layer);

   if (m && __atomic_load_n(&m->cleared, __ATOMIC_ACQUIRE) == SGD_TILE_CLEARED)
      copy_cleared(c, m, 0);
   else
      copy_elements(c);
}

/* Copies part of a tile, but skips blocks that didn't change since the last copy to this
 * destination. The destination is identified by `contents`.
 */
static void
copy_changed(const struct copy *c, uint16_t contents)
{
   struct sgd_tile_meta *m = sgd_tile_meta(c->src, c->sx, c->sy, c->layer);
   const struct SGPU_RECT tile = sgd_tile_rect(c->src, c->sx, c->sy);
   const bool whole = c->width == (uint32_t)(tile.x1 - tile.x0) &&
                      c->height == (uint32_t)(tile.y1 - tile.y0);
   const unsigned bpe = c->src->bpe;

   if (m->contents != contents)
      m->shown = 0;
   m->contents = contents;
   if (m->cleared != SGD_TILE_CLEARED) {
      copy_elements(c);
      m->shown = 0;
      return;
   }
   if (memcmp(m->shown_value, m->value, bpe))
      m->shown = 0;
   memcpy(m->shown_value, m->value, bpe);
   m->shown &= ~m->stored;
   copy_cleared(c, m, m->shown);
   /* If only part of the tile was copied, the rest of the destination is unchanged. */
   if (whole)
      m->shown = ~m->stored;
}

/* Copies a rectangle tile by tile. `contents` is the field of COPY SURFACE, or 0 if not used. */
static void
copy_by_tiles(const struct copy *whole, uint16_t contents)
{
   struct copy c = *whole;

   for (uint32_t y = 0; y < whole->height; y += c.height) {
      c.sy = whole->sy + y;
      c.dy = whole->dy + y;
      c.height = MIN2(SGD_TILE - c.sy % SGD_TILE, whole->height - y);
      for (uint32_t x = 0; x < whole->width; x += c.width) {
         c.sx = whole->sx + x;
         c.dx = whole->dx + x;
         c.width = MIN2(SGD_TILE - c.sx % SGD_TILE, whole->width - x);
         if (contents)
            copy_changed(&c, contents);
         else
            copy_part(&c);
      }
   }
}

void
sgd_copy_rect(struct sgd_worker *worker, const struct sgd_xfer *x, const struct SGPU_RECT *rect,
              unsigned layer)
{
   const struct sgd_surface *src = &x->u.copy.src, *dst = &x->u.copy.dst;
   const unsigned bw = dst->desc->block.width, bh = dst->desc->block.height;
   struct copy c = { .dst = dst, .src = src, .layer = layer };

   /* Convert this part of the copy from pixels to elements. */
   c.dx = rect->x0 / bw;
   c.dy = rect->y0 / bh;
   c.sx = c.dx + x->u.copy.shift_x;
   c.sy = c.dy + x->u.copy.shift_y;
   c.width = DIV_ROUND_UP(rect->x1, bw) - c.dx;
   c.height = DIV_ROUND_UP(rect->y1, bh) - c.dy;

   for (c.sample = 0; c.sample < dst->samples; c.sample++) {
      if (src->meta)
         copy_by_tiles(&c, x->u.copy.contents);
      else
         copy_part(&c);
   }
}
