/* SPDX-License-Identifier: MIT */
/*
 * Generates ROP requests from the coverage of draws, and from transfers.
 */
#include "chip_rop/sgt_rop_split.h"

#include <assert.h>

#include "util/bitscan.h"
#include "util/macros.h"

#define LINE 64u
#define NO_ROW UINT32_MAX /* value of sgt_rop_lines.row after the last row */

/* Returns a mask in which bits `from` to `to` - 1 are set. */
static uint64_t
byte_mask(unsigned from, unsigned to)
{
   return (to == 64 ? ~0ull : (1ull << to) - 1) & ~((1ull << from) - 1);
}

/* -- draws ------------------------------------------------------------------------------- */

unsigned
sgt_rop_block_quads(const struct sgt_block *block, uint32_t item, uint32_t written,
                    struct sgt_rop_quad quads[SGT_ROP_SPLIT_QUADS])
{
   unsigned num = 0;

   for (unsigned q = 0; q < 8; q++) {
      const uint8_t mask = block->mask >> (4 * q) & 15;
      if (mask)
         quads[num++] = (struct sgt_rop_quad){
            .x = block->x + 2 * (q & 3),
            .y = block->y + 2 * (q >> 2),
            .item = item,
            .mask = mask,
            .written = written >> (4 * q) & mask,
         };
   }
   return num;
}

/* State of a call to sgt_rop_split(). */
struct split {
   /* requests: requests that have been generated so far;
    * proto: initial value of each request
    */
   struct sgt_rop_request *requests, proto;
   /* num: number of requests so far;
    * first: index of the first request of the current sample
    */
   unsigned num, first;
};

/* Adds bytes of a line to an existing request of the same item, or to a new request. Only the most
 * recent request for the line can be extended, because requests for the same bytes must stay in
 * order.
 */
static struct sgt_rop_request *
add_bytes(struct split *s, uint64_t line, uint32_t item, uint64_t mask, bool written)
{
   struct sgt_rop_request *r = NULL;

   for (unsigned i = s->num; i > s->first; i--) {
      if (s->requests[i - 1].address != line)
         continue;
      r = &s->requests[i - 1];
      break;
   }
   if (!r || r->item != item || r->mask & mask) {
      r = &s->requests[s->num++];
      *r = s->proto;
      r->address = line;
      r->item = item;
   }
   r->mask |= mask;
   r->written |= written ? mask : 0;
   return r;
}

/* Adds one sample of a pixel to the requests. The sample can straddle two lines. */
static void
add_pixel(struct split *s, uint64_t address, uint32_t item, bool written)
{
   const unsigned from = address % LINE, to = from + s->proto.bytes;
   struct sgt_rop_request *r = add_bytes(s, address - from, item, byte_mask(from, MIN2(to, LINE)),
                                         written);

   r->pixels++;
   if (to > LINE) {
      r = add_bytes(s, address - from + LINE, item, byte_mask(0, to - LINE), written);
      r->pixels += r->pixels == 0;
   }
}

/* Computes the number of quads of a request. The pixels of a quad are contiguous in tiled surfaces.
 * In linear surfaces, any four pixels count as a quad.
 */
static void
count_quads(struct sgt_rop_request *r, bool tiled)
{
   const unsigned unit = 4 * r->bytes;
   unsigned quads = 0;

   if (!tiled || unit > LINE) {
      r->quads = DIV_ROUND_UP(r->pixels, 4);
      return;
   }
   for (unsigned at = 0; at < LINE; at += unit)
      quads += (r->mask >> at & byte_mask(0, unit)) != 0;
   r->quads = quads;
}

unsigned
sgt_rop_split(const struct sgt_target *target, uint32_t layer, const struct sgt_rop_quad *quads,
              unsigned num, struct sgt_rop_request requests[SGT_ROP_SPLIT_MAX])
{
   const bool depth = target->flags & SGT_TARGET_DEPTH, writes = target->flags & SGT_TARGET_WRITE;
   const bool tiled = target->flags & SGT_TARGET_TILED;
   struct split s = {
      .requests = requests,
      .proto = {
         .kind = depth ? SGT_ROP_DEPTH : SGT_ROP_COLOR,
         .flags = (target->flags & SGT_TARGET_READ ? SGT_ROP_READS : 0) |
                  (target->flags & SGT_TARGET_BLEND ? SGT_ROP_BLENDS : 0) |
                  (target->flags & SGT_TARGET_ALONE ? SGT_ROP_DOUBLE : 0) |
                  (target->flags & SGT_TARGET_STENCIL ? SGT_ROP_STENCIL : 0),
         .bytes = target->bytes,
         .samples = target->samples,
      },
   };

   assert(num <= SGT_ROP_SPLIT_QUADS);
   for (unsigned sample = 0; sample < target->samples; sample++) {
      s.first = s.num;
      for (unsigned i = 0; i < num; i++) {
         const struct sgt_rop_quad *q = &quads[i];
         for (unsigned p = 0; p < 4; p++) {
            const uint32_t x = q->x + (p & 1), y = q->y + (p >> 1);
            if (!(q->mask >> p & 1) || x >= target->width || y >= target->height)
               continue;
            add_pixel(&s, sgt_target_address(target, layer, sample, x, y), q->item,
                      writes && q->written >> p & 1);
         }
      }
   }
   for (unsigned i = 0; i < s.num; i++)
      count_quads(&requests[i], tiled);
   return s.num;
}

/* -- transfers --------------------------------------------------------------------------- */

/* Sets the range of bytes that the rectangle covers in the current row. */
static void
begin_row(struct sgt_rop_lines *l)
{
   const struct sgt_target *t = l->target;
   const uint64_t plane = t->origin + l->layer * t->layer_stride + l->sample * t->sample_stride;
   const uint64_t row = plane + (uint64_t)l->row * t->pitch;
   uint64_t unit = t->bytes, first = t->x0, end = t->x1;

   if (t->flags & SGT_TARGET_TILED) {
      unit *= SGPU_TILE_ELEMENTS;
      first /= SGPU_TILE_WIDTH;
      end = DIV_ROUND_UP(end, SGPU_TILE_WIDTH);
   }
   l->at = row + first * unit;
   l->end = row + end * unit;
}

static uint32_t
first_row(const struct sgt_target *t)
{
   return t->flags & SGT_TARGET_TILED ? t->y0 / SGPU_TILE_HEIGHT : t->y0;
}

static uint32_t
end_row(const struct sgt_target *t)
{
   return t->flags & SGT_TARGET_TILED ? DIV_ROUND_UP(t->y1, SGPU_TILE_HEIGHT) : t->y1;
}

static void
begin_lines(struct sgt_rop_lines *l, const struct sgt_target *target)
{
   *l = (struct sgt_rop_lines){ .target = target, .row = first_row(target) };
   begin_row(l);
}

/* Advances to the next row, sample or layer. Returns false after the last row of the last layer. */
static bool
next_row(struct sgt_rop_lines *l)
{
   const struct sgt_target *t = l->target;

   if (++l->row == end_row(t)) {
      l->row = first_row(t);
      if (++l->sample == t->samples) {
         l->sample = 0;
         if (++l->layer == t->layers)
            return false;
      }
   }
   begin_row(l);
   return true;
}

/* For tiled surfaces, returns a bitmask of the bytes of a line that are inside the rectangle. If
 * the rectangle extends to the edge of the surface, padding elements beyond the edge count as
 * inside.
 */
static uint64_t
tile_mask(const struct sgt_rop_lines *l, uint64_t line)
{
   const struct sgt_target *t = l->target;
   const uint64_t plane = t->origin + l->layer * t->layer_stride + l->sample * t->sample_stride;
   const uint64_t row = plane + (uint64_t)l->row * t->pitch, begin = MAX2(line, row);
   const uint32_t first = (begin - row) / t->bytes;
   const uint32_t last = (line + LINE - row) / t->bytes - 1, top = l->row * SGPU_TILE_HEIGHT;
   const uint32_t x1 = t->x1 >= t->width ? UINT32_MAX : t->x1;
   const uint32_t y1 = t->y1 >= t->height ? UINT32_MAX : t->y1;
   uint64_t mask = 0;

   if (top >= t->y0 && top + SGPU_TILE_HEIGHT <= y1 &&
       first / SGPU_TILE_ELEMENTS * SGPU_TILE_WIDTH >= t->x0 &&
       (last / SGPU_TILE_ELEMENTS + 1) * SGPU_TILE_WIDTH <= x1)
      return UINT64_MAX;
   for (uint32_t element = first; element <= last; element++) {
      const uint32_t e = element % SGPU_TILE_ELEMENTS;
      const uint32_t at = begin - line + (element - first) * t->bytes;
      const uint32_t x = element / SGPU_TILE_ELEMENTS * SGPU_TILE_WIDTH + (e >> 1 & 6) + (e & 1);
      const uint32_t y = top + (e >> 3 & 2) + (e >> 1 & 1);
      if (x >= t->x0 && x < x1 && y >= t->y0 && y < y1)
         mask |= byte_mask(at, at + t->bytes);
   }
   return mask;
}

/* Advances to the next line that contains bytes of the rectangle. Returns a bitmask of these bytes,
 * or 0 if there are no more lines.
 */
static uint64_t
take_line(struct sgt_rop_lines *l, uint64_t *address)
{
   const struct sgt_target *t = l->target;
   uint64_t mask = 0;

   while (l->row != NO_ROW && !mask) {
      const uint64_t line = l->at & ~(uint64_t)(LINE - 1);
      mask = byte_mask(l->at - line, MIN2(l->end - line, LINE));
      if (t->flags & SGT_TARGET_TILED)
         mask &= tile_mask(l, line);
      *address = line;
      l->at = line + LINE;
      if (l->at >= l->end && !next_row(l))
         l->row = NO_ROW;
   }
   return mask;
}

/* Returns the number of lines that the rectangle of a target touches. */
static uint64_t
count_lines(const struct sgt_target *t)
{
   struct sgt_rop_lines l;
   uint64_t num = 0, address;

   if (t->x0 >= t->x1 || t->y0 >= t->y1 || !t->layers || !t->samples)
      return 0;
   begin_lines(&l, t);
   while (take_line(&l, &address))
      num++;
   return num;
}

/* Fills in the request for the next line. There must be another line. */
static void
next_line(struct sgt_rop_lines *l, struct sgt_rop_request *r)
{
   const struct sgt_target *t = l->target;

   r->mask = take_line(l, &r->address);
   r->bytes = t->bytes;
   r->samples = t->samples;
   r->pixels = DIV_ROUND_UP(util_bitcount64(r->mask), t->bytes);
   /* Buffers are transferred as 4-byte pixels. */
   const unsigned pixels = t->flags & SGT_TARGET_BUFFER ? DIV_ROUND_UP(r->pixels, 4) : r->pixels;
   r->quads = DIV_ROUND_UP(pixels, 4);
}

/* Returns true if a clear of the target can be a fast clear, i.e. if it clears a whole tiled
 * surface.
 */
static bool
clears_all(const struct sgt_target *t)
{
   return t->flags & SGT_TARGET_TILED && !(t->flags & SGT_TARGET_READ) && !t->x0 && !t->y0 &&
          t->x1 >= t->width && t->y1 >= t->height;
}

/* Finds the next target that is written, beginning with t->target, and starts to iterate over its
 * lines. Returns false if there is none.
 */
static bool
begin_target(struct sgt_rop_transfer *t)
{
   for (; t->target != t->targets_end; t->target++) {
      if (!(t->target->flags & SGT_TARGET_WRITE))
         continue;
      t->num_writes = count_lines(t->target);
      t->writes = t->reads = 0;
      if (!t->num_writes)
         continue;
      begin_lines(&t->write, t->target);
      t->fast_clear = t->clears && clears_all(t->target);
      if (t->num_reads)
         begin_lines(&t->read, t->read.target);
      return true;
   }
   return false;
}

bool
sgt_rop_transfer_begin(struct sgt_rop_transfer *t, const struct sgt_trace *trace, uint32_t item,
                       bool fast_clear)
{
   const struct sgt_item *i = &trace->items[item];
   const struct sgt_operation *o = &trace->operations[i->operation];

   *t = (struct sgt_rop_transfer){
      .target = trace->targets + o->first_target,
      .targets_end = trace->targets + o->first_target + o->num_targets,
      .item = item,
      .clears = fast_clear && i->kind == SGT_ITEM_CLEAR,
   };
   if (i->kind <= SGT_ITEM_POINT)
      return false;
   for (const struct sgt_target *s = t->target; s != t->targets_end; s++) {
      if (s->flags & SGT_TARGET_WRITE)
         continue;
      t->read.target = s;
      t->num_reads = count_lines(s);
   }
   return begin_target(t);
}

static uint8_t
depth_flag(const struct sgt_target *t)
{
   return t->flags & SGT_TARGET_DEPTH ? SGT_ROP_TO_DEPTH : 0;
}

bool
sgt_rop_transfer_next(struct sgt_rop_transfer *t, struct sgt_rop_request *r)
{
   if (t->target == t->targets_end)
      return false;
   *r = (struct sgt_rop_request){ .item = t->item };
   if (t->fast_clear) {
      /* Each request clears one sample of one layer, i.e. all rows of its micro tiles. */
      struct sgt_rop_lines *l = &t->write;
      const struct sgt_target *target = l->target;
      r->kind = SGT_ROP_CLEAR;
      r->flags = depth_flag(target);
      r->address = target->origin + l->layer * target->layer_stride +
                   l->sample * target->sample_stride;
      r->mask = (uint64_t)DIV_ROUND_UP(target->height, SGPU_TILE_HEIGHT) * target->pitch;
      r->bytes = target->bytes;
      r->samples = target->samples;
      l->row = end_row(target) - 1;
      if (!next_row(l)) {
         t->target++;
         begin_target(t);
      }
      return true;
   }
   if (t->reads * t->num_writes < (t->writes + 1) * t->num_reads) {
      r->kind = SGT_ROP_READ;
      r->flags = SGT_ROP_READS | SGT_ROP_RESPOND | depth_flag(t->read.target);
      next_line(&t->read, r);
      t->reads++;
      return true;
   }
   r->kind = SGT_ROP_WRITE;
   r->flags = depth_flag(t->target) | (t->target->flags & SGT_TARGET_READ ? SGT_ROP_READS : 0);
   next_line(&t->write, r);
   r->written = r->mask;
   if (++t->writes == t->num_writes) {
      t->target++;
      begin_target(t);
   }
   return true;
}
