/* SPDX-License-Identifier: MIT */
/*
 * Tests the builder of traces: order and number of blocks, sets that share memory, sources.
 */
#include "../../unit.h"
#include "trace/sgt_trace_builder.h"

#define SIZE 4096

/* Returns surface n in a memory of surfaces with 64x32 pixels. */
static struct sgt_piece
surface(unsigned n)
{
   const uint64_t begin = 0x10000 + (uint64_t)n * SIZE;
   return (struct sgt_piece){ begin, begin + SIZE, begin, 1, 0, 64, 32 };
}

static struct sgt_piece
buffer(uint64_t begin, uint64_t end)
{
   return (struct sgt_piece){ .begin = begin, .end = end };
}

static struct sgt_region
region(uint32_t set, int x0, int y0, int x1, int y1)
{
   return (struct sgt_region){ .set = set, .rect = { x0, y0, x1, y1 } };
}

static void
operation(struct sgt_trace_builder *b)
{
   sgt_trace_builder_operation(b, &(struct sgt_operation){ .samples = 1,
                                                           .depth_samples = 1,
                                                           .color_samples = 1,
                                                           .colors = 1 });
}

static void
item(struct sgt_trace_builder *b, enum sgt_item_kind kind, struct sgt_region destination)
{
   sgt_trace_builder_item(b, &(struct sgt_item){ .kind = kind, .destination = destination });
}

static struct sgt_trace *
finish(struct sgt_trace_builder *b)
{
   struct sgt_trace *t = sgt_trace_builder_finish(b);
   assert_non_null(t);
   sgt_trace_builder_destroy(b);
   return t;
}

static void
blocks(void **state)
{
   struct sgt_trace_builder *b = sgt_trace_builder_create();
   const struct sgt_piece pieces[2] = { surface(0), surface(1) };
   const uint32_t set = sgt_trace_builder_set(b, pieces, 2);

   operation(b);
   item(b, SGT_ITEM_TRIANGLE, region(set, 0, 0, 16, 8));
   /* Lanes 0 and 1: row 0.  Lane 16: row 2.  Lane 2: row 1 of another block. */
   sgt_trace_builder_block(b, 8, 4, 1u << 16, true);
   sgt_trace_builder_block(b, 8, 0, 3, false);
   sgt_trace_builder_block(b, 0, 4, 0, false);
   sgt_trace_builder_block(b, 0, 0, 1u << 2 | 1u << 4, false);
   item(b, SGT_ITEM_LINE, region(set, 0, 0, 8, 4));
   item(b, SGT_ITEM_POINT, region(set, 0, 0, 8, 4));
   sgt_trace_builder_block(b, 16, 8, ~0u, false);
   operation(b);
   item(b, SGT_ITEM_CLEAR, region(set, 0, 0, 64, 32));

   struct sgt_trace *t = finish(b);
   assert_int_equal(t->num_operations, 2);
   assert_int_equal(t->num_items, 4);
   assert_int_equal(t->num_blocks, 4);
   assert_int_equal(t->operations[0].num_items, 3);
   assert_int_equal(t->operations[1].first_item, 3);
   assert_int_equal(t->operations[1].ordinal, 1);
   assert_int_equal(t->width, 64);
   assert_int_equal(t->height, 32);

   const struct sgt_item *i = t->items;
   assert_int_equal(i[0].num_blocks, 3);
   const struct sgt_block *k = t->blocks + i[0].first_block;
   assert_true(k[0].x == 0 && k[0].y == 0 && k[0].mask == 0x14);
   assert_true(k[1].x == 8 && k[1].y == 0 && k[1].mask == 3);
   assert_true(k[2].x == 8 && k[2].y == 4 && k[2].mask == 1u << 16);
   assert_false(sgt_block_zculled(t, 0) || sgt_block_zculled(t, 1));
   assert_true(sgt_block_zculled(t, 2));
   assert_int_equal(k[0].values, SGT_NO_VALUES);
   assert_int_equal(i[0].pixels, 5);
   assert_int_equal(i[0].spans, 3); /* rows 0, 1, 6 */
   assert_int_equal(i[1].pixels, 0);
   assert_int_equal(i[1].spans, 0);
   assert_int_equal(i[2].number, 2);
   assert_int_equal(i[2].pixels, 32);
   assert_int_equal(i[2].spans, 4);
   assert_int_equal(i[3].pixels, 64 * 32);
   assert_int_equal(i[3].spans, 32);
   assert_int_equal(i[3].operation, 1);
   assert_false(t->has_values);
   sgt_trace_destroy(t);
}

static void
sets(void **state)
{
   struct sgt_trace_builder *b = sgt_trace_builder_create();
   const struct sgt_piece both[2] = { surface(0), surface(1) }, turned[2] = { both[1], both[0] };
   struct sgt_piece level = surface(2), part = surface(0);
   const uint32_t a = sgt_trace_builder_set(b, both, 2);
   const uint32_t depth = sgt_trace_builder_set(b, &both[1], 1);
   const uint32_t apart = sgt_trace_builder_set(b, &level, 1);

   assert_int_equal(sgt_trace_builder_set(b, turned, 2), a);
   assert_int_not_equal(depth, a);
   /* Layers of a surface at different addresses are one piece; different levels share nothing. */
   part.begin -= 64;
   part.end -= 64;
   const struct sgt_piece same[2] = { part, both[1] };
   assert_int_equal(sgt_trace_builder_set(b, same, 2), a);
   level.level = 1;
   const uint32_t other_level = sgt_trace_builder_set(b, &level, 1);
   assert_int_not_equal(other_level, apart);

   operation(b);
   item(b, SGT_ITEM_CLEAR, region(a, 0, 0, 1, 1));
   item(b, SGT_ITEM_CLEAR, region(depth, 8, 0, 9, 1));
   item(b, SGT_ITEM_CLEAR, region(apart, 0, 0, 1, 1));
   item(b, SGT_ITEM_CLEAR, region(other_level, 0, 0, 1, 1));
   struct sgt_trace *t = finish(b);
   const struct sgt_item *i = t->items;
   assert_int_equal(t->num_sets, 4);
   for (unsigned n = 0; n < 4; n++) {
      for (unsigned m = 0; m < 4; m++) {
         const bool meet = n == m || (n < 2 && m < 2);
         assert_int_equal(sgt_sets_meet(t, i[n].destination.set, i[m].destination.set), meet);
      }
   }
   /* The pieces are equal, so the rectangles are kept. */
   assert_false(sgt_regions_meet(t, &i[0].destination, &i[1].destination));
   assert_int_equal(i[1].destination.rect.x0, 8);
   sgt_trace_destroy(t);
}

/* Tests pieces that share the memory of a target without its coordinates: bytes, another grid, or
 * the whole memory.  Their regions become everything; those of the target are kept.
 */
static void
overlap(void **state)
{
   enum { BYTES, GRID, ALL, BESIDE, WAYS };

   for (unsigned way = 0; way < WAYS; way++) {
      struct sgt_trace_builder *b = sgt_trace_builder_create();
      const struct sgt_piece target = surface(0), far = surface(9);
      struct sgt_piece other = target;

      if (way == BYTES)
         other = buffer(target.end - 64, target.end + 64);
      else if (way == BESIDE)
         other = buffer(target.end, target.end + 64);
      else
         other.grid = way == GRID ? 2 : 0;
      const uint32_t a = sgt_trace_builder_set(b, &target, 1);
      const uint32_t c = sgt_trace_builder_set(b, &other, 1);
      const uint32_t d = sgt_trace_builder_set(b, &far, 1);
      operation(b);
      item(b, SGT_ITEM_TRIANGLE, region(a, 0, 0, 1, 1));
      operation(b);
      sgt_trace_builder_sources(b, &(struct sgt_region){ .set = c, .rect = { 9, 9, 10, 10 } }, 1);
      item(b, SGT_ITEM_CLEAR, region(d, 4, 4, 5, 5));
      operation(b);
      item(b, SGT_ITEM_FILL, region(way == BESIDE ? d : c, 4, 4, 5, 5));
      struct sgt_trace *t = finish(b);

      const struct sgt_item *i = t->items;
      assert_false(sgt_rect_is_all(&i[0].destination.rect));
      assert_false(sgt_rect_is_all(&i[1].destination.rect));
      if (way == BESIDE) {
         assert_int_equal(i[1].num_sources, 0);
         assert_int_equal(t->num_sources, 0);
         assert_int_equal(t->num_sets, 2);
      } else {
         assert_int_equal(i[1].num_sources, 1);
         const struct sgt_region *source = &t->sources[i[1].first_source];
         assert_true(sgt_rect_is_all(&source->rect));
         assert_int_equal(source->last_layer, SGT_ALL_LAYERS);
         assert_true(sgt_regions_meet(t, &i[0].destination, source));
         assert_true(sgt_rect_is_all(&i[2].destination.rect));
         assert_true(sgt_regions_meet(t, &i[0].destination, &i[2].destination));
         assert_int_equal(i[2].pixels, 1);
      }
      sgt_trace_destroy(t);
   }
}

/* Tests that a surface whose layers come one after the other has the memory of all of them. */
static void
layers(void **state)
{
   for (unsigned up = 0; up < 2; up++) {
      struct sgt_trace_builder *b = sgt_trace_builder_create();
      struct sgt_piece layer = surface(4);
      uint32_t set[3];

      const uint32_t target = sgt_trace_builder_set(b, &layer, 1);
      layer.begin += up ? SIZE : -SIZE;
      layer.end += up ? SIZE : -SIZE;
      /* Buffers in the last bytes of the second layer, in the first layer, and next to both. */
      const uint64_t end = up ? layer.end : layer.begin + 64;
      const uint64_t first = up ? layer.begin - SIZE : layer.end;
      const uint64_t next = up ? layer.end + 64 : layer.begin;
      const struct sgt_piece pieces[3] = { buffer(end - 64, end), buffer(first, first + 64),
                                           buffer(next - 64, next) };
      for (unsigned i = 0; i < 3; i++)
         set[i] = sgt_trace_builder_set(b, &pieces[i], 1);
      assert_int_equal(sgt_trace_builder_set(b, &layer, 1), target);

      operation(b);
      item(b, SGT_ITEM_TRIANGLE, region(target, 0, 0, 1, 1));
      for (unsigned i = 0; i < 3; i++)
         item(b, SGT_ITEM_FILL, region(set[i], 0, 0, 1, 1));
      struct sgt_trace *t = finish(b);
      for (unsigned i = 0; i < 3; i++)
         assert_int_equal(sgt_regions_meet(t, &t->items[0].destination,
                                           &t->items[1 + i].destination),
                          i < 2);
      sgt_trace_destroy(t);
   }
}

/* Tests that a set of a surface and a buffer has no coordinates. */
static void
kinds(void **state)
{
   struct sgt_trace_builder *b = sgt_trace_builder_create();
   const struct sgt_piece pieces[2] = { surface(0), buffer(0, 4096) };
   const uint32_t both = sgt_trace_builder_set(b, pieces, 2);
   const uint32_t target = sgt_trace_builder_set(b, pieces, 1);

   operation(b);
   item(b, SGT_ITEM_TRIANGLE, region(both, 0, 0, 1, 1));
   item(b, SGT_ITEM_TRIANGLE, region(target, 8, 8, 9, 9));
   struct sgt_trace *t = finish(b);
   assert_true(sgt_rect_is_all(&t->items[0].destination.rect));
   assert_false(sgt_rect_is_all(&t->items[1].destination.rect));
   assert_true(sgt_regions_meet(t, &t->items[0].destination, &t->items[1].destination));
   sgt_trace_destroy(t);
}

static void
sources(void **state)
{
   struct sgt_trace_builder *b = sgt_trace_builder_create();
   const struct sgt_piece p[3] = { surface(0), surface(1), surface(2) };
   uint32_t set[3];

   for (unsigned i = 0; i < 3; i++)
      set[i] = sgt_trace_builder_set(b, &p[i], 1);
   operation(b);
   item(b, SGT_ITEM_TRIANGLE, region(set[0], 0, 0, 8, 4));
   item(b, SGT_ITEM_TRIANGLE, region(set[0], 16, 8, 24, 12));
   operation(b);
   const struct sgt_region from[4] = {
      region(set[2], 0, 0, 64, 32), /* nothing writes it */
      region(set[0], 8, 4, 16, 8),  /* inside of the bounds of what is written */
      region(set[0], 32, 0, 64, 32),
      { .set = set[0], .first_layer = 1, .last_layer = 1, .rect = { 0, 0, 64, 32 } },
   };
   sgt_trace_builder_sources(b, from, 4);
   item(b, SGT_ITEM_COPY, region(set[1], 0, 0, 8, 4));
   item(b, SGT_ITEM_COPY, region(set[1], 8, 0, 16, 4));
   sgt_trace_builder_sources(b, from, 1);
   item(b, SGT_ITEM_COPY, region(set[1], 16, 0, 24, 4));
   operation(b);
   item(b, SGT_ITEM_FILL, region(set[1], 16, 0, 24, 4));

   struct sgt_trace *t = finish(b);
   assert_int_equal(t->num_sources, 1);
   assert_int_equal(t->num_sets, 2);
   const uint32_t expected[6] = { 0, 0, 1, 1, 0, 0 };
   for (unsigned i = 0; i < 6; i++) {
      assert_int_equal(t->items[i].num_sources, expected[i]);
      if (expected[i])
         assert_int_equal(t->sources[t->items[i].first_source].rect.x0, 8);
   }
   assert_int_equal(t->sources[0].set, t->items[0].destination.set);
   sgt_trace_destroy(t);
}

static struct sgt_trace *
with_values(uint32_t last)
{
   struct sgt_trace_builder *b = sgt_trace_builder_create();
   const struct sgt_piece p = surface(0);
   const uint32_t set = sgt_trace_builder_set(b, &p, 1);
   uint32_t depth[32], color[128];

   for (unsigned i = 0; i < 32; i++)
      depth[i] = i;
   for (unsigned i = 0; i < 128; i++)
      color[i] = 1000 + i;
   color[127] = last;
   operation(b);
   item(b, SGT_ITEM_TRIANGLE, region(set, 0, 0, 64, 32));
   sgt_trace_builder_block(b, 8, 0, 3, false);
   sgt_trace_builder_values(b, &(struct sgt_block_values){ 2, 1, depth, color });
   sgt_trace_builder_block(b, 0, 0, 3, true);
   sgt_trace_builder_values(b, &(struct sgt_block_values){ .depth = depth });
   sgt_trace_builder_presented(b, 20, 10);
   sgt_trace_builder_presented(b, 10, 10);
   return finish(b);
}

static void
values(void **state)
{
   struct sgt_trace *t = with_values(5), *same = with_values(5), *other = with_values(6);

   assert_true(t->has_values);
   assert_int_equal(t->num_values, 2);
   assert_int_equal(t->num_words, 32 + 128 + 32);
   assert_int_equal(t->width, 20);
   assert_int_equal(t->height, 10);
   const struct sgt_values *v = &t->values[t->blocks[1].values];
   assert_int_equal(t->blocks[1].x, 8);
   assert_int_equal(v->colored, 2);
   assert_int_equal(v->dropped, 1);
   assert_int_equal(t->words[v->depth + 31], 31);
   assert_int_equal(t->words[v->color + 126], 1126);
   assert_int_equal(t->words[v->color + 127], 5);
   assert_int_equal(v->cover, SGT_NO_VALUES);
   assert_int_equal(v->stencil, SGT_NO_VALUES);
   v = &t->values[t->blocks[0].values];
   assert_int_equal(v->color, SGT_NO_VALUES);
   assert_int_equal(t->words[v->depth], 0);
   assert_true(t->hash == same->hash);
   assert_true(t->hash != other->hash);
   sgt_trace_destroy(t);
   sgt_trace_destroy(same);
   sgt_trace_destroy(other);
}

static void
nothing(void **state)
{
   struct sgt_trace *t = finish(sgt_trace_builder_create());

   assert_int_equal(t->num_operations, 0);
   assert_int_equal(t->num_sets, 0);
   sgt_trace_destroy(t);
   sgt_trace_destroy(NULL);
   sgt_trace_builder_destroy(NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks),  cmocka_unit_test(sets),    cmocka_unit_test(overlap),
      cmocka_unit_test(kinds),   cmocka_unit_test(sources), cmocka_unit_test(values),
      cmocka_unit_test(nothing), cmocka_unit_test(layers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
