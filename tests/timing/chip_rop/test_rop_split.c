/* SPDX-License-Identifier: MIT */
/*
 * Tests requests of ROPs: they must have all bytes of the pixels once, at the addresses of the
 * target.
 */
#include "../../unit.h"
#include "kernel/sgt_random.h"
#include "chip_rop/sgt_rop_split.h"
#include "trace/sgt_trace_builder.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define MEMORY (1 << 20)

static struct sgt_target
random_target(struct sgt_random *r, bool buffer)
{
   static const uint8_t powers[] = { 1, 2, 4, 8, 16 }, others[] = { 1, 2, 4, 8, 12, 16, 24, 32 };
   const bool tiled = !buffer && sgt_random_below(r, 2);
   struct sgt_target t = {
      .origin = 64 * sgt_random_below(r, 10),
      .width = 1 + sgt_random_below(r, 60),
      .height = 1 + sgt_random_below(r, 40),
      .layers = 1 + sgt_random_below(r, 2),
      .samples = 1 << sgt_random_below(r, 3),
      .bytes = tiled ? powers[sgt_random_below(r, 5)] : others[sgt_random_below(r, 8)],
      .flags = SGT_TARGET_WRITE | (tiled ? SGT_TARGET_TILED : 0),
   };
   if (buffer) {
      t.origin += sgt_random_below(r, 64);
      t.width = 1 + sgt_random_below(r, 5000);
      t.height = t.layers = t.samples = t.bytes = 1;
      t.flags |= SGT_TARGET_BUFFER;
   }
   if (tiled)
      t.pitch = DIV_ROUND_UP(t.width, 8) * 32 * t.bytes;
   else
      t.pitch = t.width * t.bytes + 4 * sgt_random_below(r, 10);
   const uint32_t rows = tiled ? DIV_ROUND_UP(t.height, 4) : t.height;
   t.sample_stride = DIV_ROUND_UP(rows * t.pitch, 64) * 64;
   t.layer_stride = t.samples * t.sample_stride;
   assert_true(t.origin + t.layers * t.layer_stride <= MEMORY);
   return t;
}

static void
quads_have_their_bytes(void **state)
{
   static struct sgt_rop_request requests[SGT_ROP_SPLIT_MAX];
   struct sgt_random r = { 9 };
   uint8_t *expected = malloc(MEMORY), *got = malloc(MEMORY);
   for (unsigned round = 0; round < 2000; round++) {
      const struct sgt_target t = random_target(&r, false);
      const uint32_t layer = sgt_random_below(&r, t.layers);
      struct sgt_rop_quad quads[SGT_ROP_SPLIT_QUADS];
      const unsigned num = 1 + sgt_random_below(&r, 8);
      const unsigned x = sgt_random_below(&r, t.width) & ~7,
                     y = sgt_random_below(&r, t.height) & ~3;
      /* Items in order, each with separate quads, possibly in the same place. */
      for (unsigned i = 0; i < num; i++)
         quads[i] = (struct sgt_rop_quad){
            .x = x + 2 * (i % 4),
            .y = y + 2 * (i / 4 % 2),
            .item = i / 4,
            .mask = 1 + sgt_random_below(&r, 15),
         };
      if (num > 4 && sgt_random_below(&r, 2))
         quads[4].x = quads[0].x, quads[4].y = quads[0].y;
      for (unsigned i = 0; i < num; i++)
         quads[i].written = quads[i].mask & sgt_random_next(&r);
      memset(expected, 0, MEMORY);
      memset(got, 0, MEMORY);
      unsigned pixels = 0;
      for (unsigned i = 0; i < num; i++) {
         for (unsigned p = 0; p < 4; p++) {
            const uint32_t px = quads[i].x + (p & 1), py = quads[i].y + (p >> 1);
            if (!(quads[i].mask >> p & 1) || px >= t.width || py >= t.height)
               continue;
            for (unsigned s = 0; s < t.samples; s++) {
               const uint64_t at = sgt_target_address(&t, layer, s, px, py);
               for (unsigned b = 0; b < t.bytes; b++)
                  expected[at + b] += quads[i].written >> p & 1 ? 16 : 1;
            }
            pixels += t.samples;
         }
      }
      const unsigned n = sgt_rop_split(&t, layer, quads, num, requests);
      unsigned counted = 0;
      for (unsigned i = 0; i < n; i++) {
         const struct sgt_rop_request *q = &requests[i];
         assert_int_equal(q->address % 64, 0);
         assert_true(q->mask && !(q->written & ~q->mask));
         assert_int_equal(q->kind, SGT_ROP_COLOR);
         assert_in_range(q->quads, DIV_ROUND_UP(q->pixels, 4), q->pixels);
         counted += q->pixels;
         for (unsigned b = 0; b < 64; b++)
            if (q->mask >> b & 1)
               got[q->address + b] += q->written >> b & 1 ? 16 : 1;
         /* Items must stay in order in each place. */
         for (unsigned k = 0; k < i; k++)
            if (requests[k].address == q->address && requests[k].mask & q->mask)
               assert_true(requests[k].item <= q->item);
      }
      assert_memory_equal(expected, got, MEMORY);
      /* An element that crosses a line boundary counts in both lines. */
      if (t.flags & SGT_TARGET_TILED)
         assert_int_equal(counted, pixels);
      else
         assert_in_range(counted, pixels, 2 * pixels);
   }
   free(expected);
   free(got);
}

/* A block of 8x4 pixels with 4 bytes has two lines of four quads. */
static void
blocks_have_two_lines(void **state)
{
   const struct sgt_target t = {
      .origin = 4096,
      .pitch = 1024,
      .width = 64,
      .height = 64,
      .layers = 1,
      .samples = 1,
      .bytes = 4,
      .flags = SGT_TARGET_TILED | SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE |
               SGT_TARGET_ALONE,
   };
   const struct sgt_block block = { .x = 8, .y = 4, .mask = UINT32_MAX };
   struct sgt_rop_request requests[SGT_ROP_SPLIT_MAX];
   struct sgt_rop_quad quads[SGT_ROP_SPLIT_QUADS];
   assert_int_equal(sgt_rop_block_quads(&block, 5, 0x0000ffff, quads), 8);
   assert_int_equal(sgt_rop_split(&t, 0, quads, 8, requests), 2);
   for (unsigned i = 0; i < 2; i++) {
      const struct sgt_rop_request *q = &requests[i];
      assert_int_equal(q->address, 4096 + 1024 + 128 + 64 * i);
      assert_true(q->mask == UINT64_MAX && q->written == (i ? 0 : UINT64_MAX));
      assert_int_equal(q->item, 5);
      assert_int_equal(q->kind, SGT_ROP_DEPTH);
      assert_int_equal(q->flags, SGT_ROP_READS | SGT_ROP_DOUBLE);
      assert_int_equal(q->quads, 4);
      assert_int_equal(q->pixels, 16);
   }
}

/* Makes a trace of one transfer. */
static struct sgt_trace *
transfer_trace(enum sgt_item_kind kind, const struct sgt_target *targets, unsigned num)
{
   const struct sgt_piece piece = { .begin = 0, .end = MEMORY };
   struct sgt_trace_builder *b = sgt_trace_builder_create();
   const uint32_t set = sgt_trace_builder_set(b, &piece, 1);
   sgt_trace_builder_operation(b, &(struct sgt_operation){ .draw = UINT32_MAX, .samples = 1 });
   for (unsigned i = 0; i < num; i++)
      sgt_trace_builder_target(b, &targets[i]);
   sgt_trace_builder_item(b, &(struct sgt_item){
                                .kind = kind,
                                .destination = { .set = set, .rect = { 0, 0, 1, 1 } },
                             });
   struct sgt_trace *t = sgt_trace_builder_finish(b);
   sgt_trace_builder_destroy(b);
   assert_non_null(t);
   assert_int_equal(t->operations[0].num_targets, num);
   return t;
}

/* Counts the bytes of the rectangle.  Tiles may have bytes outside of the surface, too. */
static void
mark(const struct sgt_target *t, uint8_t *bytes)
{
   for (uint32_t layer = 0; layer < t->layers; layer++)
      for (uint32_t s = 0; s < t->samples; s++)
         for (uint32_t y = t->y0; y < t->y1; y++)
            for (uint32_t x = t->x0; x < t->x1; x++)
               for (unsigned b = 0; b < t->bytes; b++)
                  bytes[sgt_target_address(t, layer, s, x, y) + b]++;
}

static void
mark_surface(const struct sgt_target *t, uint8_t *bytes)
{
   struct sgt_target all = *t;
   all.x0 = all.y0 = 0;
   all.x1 = t->width;
   all.y1 = t->height;
   mark(&all, bytes);
}

static void
transfers_have_their_bytes(void **state)
{
   struct sgt_random r = { 4 };
   uint8_t *expected = malloc(MEMORY), *got = malloc(MEMORY), *own = malloc(MEMORY);
   for (unsigned round = 0; round < 500; round++) {
      const bool buffer = sgt_random_below(&r, 4) == 0, copy = sgt_random_below(&r, 2);
      struct sgt_target t[2] = { random_target(&r, buffer), random_target(&r, buffer) };
      t[1].flags = (t[1].flags & ~SGT_TARGET_WRITE) | SGT_TARGET_READ;
      for (unsigned i = 0; i < 2; i++) {
         const bool all = sgt_random_below(&r, 2) || buffer;
         t[i].x0 = all ? 0 : sgt_random_below(&r, t[i].width);
         t[i].y0 = all ? 0 : sgt_random_below(&r, t[i].height);
         t[i].x1 = all ? t[i].width : t[i].x0 + 1 + sgt_random_below(&r, t[i].width - t[i].x0);
         t[i].y1 = all ? t[i].height : t[i].y0 + 1 + sgt_random_below(&r, t[i].height - t[i].y0);
      }
      struct sgt_trace *trace = transfer_trace(copy ? SGT_ITEM_COPY : SGT_ITEM_CLEAR, t, 1 + copy);
      const bool fast = sgt_random_below(&r, 2);
      struct sgt_rop_transfer transfer;
      struct sgt_rop_request q;
      uint64_t reads = 0, writes = 0;
      for (unsigned i = 0; i <= copy; i++) {
         memset(expected, 0, MEMORY);
         memset(own, 0, MEMORY);
         memset(got, 0, MEMORY);
         mark(&t[i], expected);
         mark_surface(&t[i], own);
         assert_true(sgt_rop_transfer_begin(&transfer, trace, 0, fast));
         bool cleared = false;
         while (sgt_rop_transfer_next(&transfer, &q)) {
            assert_int_equal(q.item, 0);
            if (q.kind == SGT_ROP_CLEAR) {
               assert_true(fast && !copy);
               cleared = true;
               assert_true(q.address + q.mask <= MEMORY);
               for (uint64_t b = 0; b < q.mask; b++)
                  got[q.address + b]++;
               continue;
            }
            reads += q.kind == SGT_ROP_READ && i == 0;
            writes += q.kind == SGT_ROP_WRITE && i == 0;
            if (q.kind == SGT_ROP_WRITE && copy && i == 0)
               assert_true(reads > 0);
            assert_true(q.mask && q.quads);
            if ((q.kind == SGT_ROP_READ) != (i == 1))
               continue;
            assert_true(q.kind == SGT_ROP_READ || q.written == q.mask);
            for (unsigned b = 0; b < 64; b++)
               if (q.mask >> b & 1)
                  got[q.address + b]++;
         }
         const bool tiled = t[i].flags & SGT_TARGET_TILED;
         const bool all = t[i].x1 - t[i].x0 == t[i].width && t[i].y1 - t[i].y0 == t[i].height;
         assert_int_equal(cleared, fast && !copy && tiled && all);
         for (unsigned b = 0; b < MEMORY; b++) {
            if (own[b] || !tiled)
               assert_int_equal(got[b], expected[b]);
            else
               assert_true(got[b] <= 1);
         }
      }
      sgt_trace_destroy(trace);
   }
   free(expected);
   free(got);
   free(own);
}

/* A source with another size is read in proportion, ahead of the writes that need it. */
static void
reads_come_in_proportion(void **state)
{
   struct sgt_target t[2];
   for (unsigned i = 0; i < 2; i++)
      t[i] = (struct sgt_target){
         .origin = i * 65536,
         .pitch = 256,
         .width = 64,
         .height = i ? 32 : 64,
         .x1 = 64,
         .y1 = i ? 32 : 64,
         .layers = 1,
         .samples = 1,
         .bytes = 4,
         .flags = i ? SGT_TARGET_READ : SGT_TARGET_WRITE,
      };
   struct sgt_trace *trace = transfer_trace(SGT_ITEM_COPY, t, 2);
   struct sgt_rop_transfer transfer;
   struct sgt_rop_request q;
   uint64_t reads = 0, writes = 0;
   assert_true(sgt_rop_transfer_begin(&transfer, trace, 0, true));
   while (sgt_rop_transfer_next(&transfer, &q)) {
      reads += q.kind == SGT_ROP_READ;
      writes += q.kind == SGT_ROP_WRITE;
      assert_in_range(2 * reads, writes, writes + 2);
   }
   assert_int_equal(reads, 128);
   assert_int_equal(writes, 256);
   sgt_trace_destroy(trace);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(quads_have_their_bytes),
      cmocka_unit_test(blocks_have_two_lines),
      cmocka_unit_test(transfers_have_their_bytes),
      cmocka_unit_test(reads_come_in_proportion),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
