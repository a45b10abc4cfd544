/* SPDX-License-Identifier: MIT */
/*
 * Events that an observer gets, in small cases that were computed by hand.
 */
#include <stdio.h>

#include "../../unit.h"
#include "scene.h"
#include "sgpu_counters.h"
#include "sgpu_observer.h"

#define MAX_CHUNKS 512

/* Chunks in the order in which they came from the single worker. */
struct seen {
   struct sgpu_chunk chunk[MAX_CHUNKS];
   unsigned num;
   uint32_t states;
   unsigned submitted, ended, operations, asked;
   bool full;
};

static void
take_submitted(void *data, uint64_t submission)
{
   struct seen *seen = data;
   assert_int_equal(submission, seen->submitted++);
}

static void
take_ended(void *data, uint64_t submission, uint32_t operations, uint32_t draws)
{
   struct seen *seen = data;
   assert_int_equal(submission, seen->ended++);
   seen->operations += operations;
}

static void
take_chunk(void *data, const struct sgpu_chunk *chunk)
{
   struct seen *seen = data;
   uint32_t *words = malloc(chunk->num_words * 4);

   assert_true(words && seen->num < MAX_CHUNKS);
   memcpy(words, chunk->words, chunk->num_words * 4);
   seen->chunk[seen->num] = *chunk;
   seen->chunk[seen->num++].words = words;
   if (chunk->kind == SGPU_CHUNK_OPERATION)
      assert_true(((const struct sgpu_event_operation *)words)->state <= seen->states);
}

static void
take_state(void *data, uint64_t submission, uint32_t number, const struct sgd_state *state,
           const struct sgd_xfer *xfer)
{
   struct seen *seen = data;
   assert_int_equal(number, ++seen->states);
   assert_true(!state != !xfer);
}

static bool
take_full(void *data)
{
   struct seen *seen = data;
   seen->asked++;
   return seen->full;
}

static struct seen seen;
static struct sgpu_observer observer;
static struct scene s;

static struct sgpu_device *
begin(enum sgpu_observe classes, bool metadata)
{
   struct sgpu_device_params params;

   memset(&seen, 0, sizeof(seen));
   observer = (struct sgpu_observer){
      .classes = classes,
      .data = &seen,
      .submitted = take_submitted,
      .ended = take_ended,
      .chunk = take_chunk,
      .state = take_state,
      .full = take_full,
   };
   sgpu_device_params_from_env(&params);
   params.threads = 1;
   params.observer = &observer;
   struct sgpu_device *dev = scene_device_of(&params);
   scene_metadata = metadata;
   scene_begin(&s, dev);
   s.st.ps = scene_program(&s, "!!SGFP1.0\nMOV o[COLR0], c[0];\nEND\n");
   for (unsigned c = 0; c < 4; c++)
      s.constants[0][c] = 0.25f * (c + 1);
   return dev;
}

static void
end(struct sgpu_device *dev)
{
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
   assert_int_equal(seen.ended, seen.submitted);
}

static void
forget(void)
{
   for (unsigned i = 0; i < seen.num; i++)
      free((void *)seen.chunk[i].words);
}

/* Draws half of a square of 16 pixels. */
static void
small_triangle(float z)
{
   const uint32_t first = scene_vertex(&s, 8.0f, 4.0f, z, 1.0f);
   scene_vertex(&s, 24.0f, 4.0f, z, 1.0f);
   scene_vertex(&s, 8.0f, 20.0f, z, 1.0f);
   scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first, 3);
}

static bool
in_triangle(int x, int y)
{
   return x >= 8 && y >= 4 && x - 8 + y - 4 < 15;
}

static bool
lane(uint32_t mask, int x, int y)
{
   return mask >> ((y >> 1) * 16 + (x >> 1) * 4 + (y & 1) * 2 + (x & 1)) & 1;
}

/* Returns the n-th chunk of a kind, or NULL. */
static const struct sgpu_chunk *
find_chunk(enum sgpu_chunk_kind kind, unsigned n)
{
   for (unsigned i = 0; i < seen.num; i++) {
      if (seen.chunk[i].kind == kind && n-- == 0)
         return &seen.chunk[i];
   }
   return NULL;
}

static const struct sgpu_event_operation *
find_operation(enum sgpu_operation kind)
{
   const struct sgpu_chunk *chunk;

   for (unsigned n = 0; (chunk = find_chunk(SGPU_CHUNK_OPERATION, n)); n++) {
      const struct sgpu_event_operation *op = (const struct sgpu_event_operation *)chunk->words;
      if (op->kind == kind)
         return op;
   }
   return NULL;
}

/* Checks the blocks of the small triangle, which are all in one tile: their masks and values. */
static void
check_blocks(const struct sgpu_chunk *chunk, bool zculled, float depth, bool kept, bool dropped)
{
   uint8_t covered[32][32] = { 0 };
   const uint32_t *at = chunk->words, *last = at + chunk->num_words;

   assert_true(chunk->tx == 0 && chunk->ty == 0 && chunk->layer == 0);
   while (at < last) {
      const struct sgpu_event_block *b = (const struct sgpu_event_block *)at;
      const struct sgpu_event_values *v = (const struct sgpu_event_values *)(b + 1);
      assert_int_equal(b->type, SGPU_EVENT_BLOCK);
      assert_int_equal(b->primitive, 0);
      assert_int_equal(b->flags & SGPU_EVENT_BLOCK_ZCULLED, zculled);
      assert_true(b->x % 8 == 0 && b->y % 4 == 0 && b->mask);
      for (int i = 0; i < 32; i++)
         covered[b->y + i / 8][b->x + i % 8] += lane(b->mask, i % 8, i / 8);
      at += b->words;
      if (observer.classes < SGPU_OBSERVE_VALUES)
         continue;

      assert_int_equal(v->type, SGPU_EVENT_VALUES);
      assert_int_equal(v->colored, kept ? b->mask : 0);
      assert_int_equal(v->dropped, dropped ? b->mask : 0);
      assert_int_equal(v->depths, depth >= 0.0f);
      assert_int_equal(v->colors, !zculled);
      const float *z = (const float *)(v + 1);
      const float *color = z + 32 * v->depths;
      for (unsigned l = 0; l < 32; l++) {
         const bool in = b->mask >> l & 1;
         if (v->depths)
            assert_true(z[l] == (in ? depth : 0.0f));
         for (unsigned c = 0; c < 4 && v->colors; c++)
            assert_true(color[c * 32 + l] == (in && kept ? 0.25f * (c + 1) : 0.0f));
      }
      at += v->words;
   }
   for (int y = 0; y < 32; y++) {
      for (int x = 0; x < 32; x++)
         assert_int_equal(covered[y][x], in_triangle(x, y));
   }
}

static void
triangle(void **state)
{
   for (enum sgpu_observe classes = SGPU_OBSERVE_OPERATIONS; classes <= SGPU_OBSERVE_VALUES;
        classes++) {
      struct sgpu_device *dev = begin(classes, false);
      uint64_t counters[256];

      small_triangle(0.5f);
      scene_end(&s, NULL);
      sgpu_device_read_counters(dev, counters);
      sgpu_device_destroy(dev);
      assert_int_equal(counters[SGPU_COUNTER_PIXELS], 120);

      const struct sgpu_event_operation *draw = find_operation(SGPU_OPERATION_DRAW);
      assert_non_null(draw);
      assert_true(draw->flags & SGPU_EVENT_OPERATION_HAPPENS);
      assert_int_equal(draw->draw, 1);
      assert_int_equal(draw->batches, 1);
      assert_int_equal(draw->width, SCENE_W);
      assert_int_equal(draw->height, SCENE_H);
      const struct sgpu_event_operation *clear = find_operation(SGPU_OPERATION_CLEAR);
      assert_non_null(clear);
      assert_true(clear->x0 == 0 && clear->y0 == 0 && clear->x1 == SCENE_W &&
                  clear->y1 == SCENE_H && clear->layers == 1);
      assert_int_not_equal(clear->state, draw->state);

      const struct sgpu_chunk *batch = find_chunk(SGPU_CHUNK_BATCH, 0);
      const struct sgpu_chunk *tile = find_chunk(SGPU_CHUNK_TILE, 0);
      assert_int_equal(batch != NULL, classes >= SGPU_OBSERVE_PRIMITIVES);
      assert_int_equal(tile != NULL, classes >= SGPU_OBSERVE_COVERAGE);
      if (batch) {
         const struct sgpu_event_primitive *p = (const struct sgpu_event_primitive *)batch->words;
         assert_int_equal(batch->num_words, sizeof(*p) / 4);
         assert_int_equal(p->kind, SGPU_PRIM_TRIANGLE);
         assert_int_equal(p->layer, 0);
         /* Bounds may be larger than the pixels, by less than one pixel. */
         assert_true(p->x0 == 8 && p->y0 == 4 && p->x1 <= 24 && p->x1 >= 23);
      }
      if (tile) {
         assert_null(find_chunk(SGPU_CHUNK_TILE, 1));
         check_blocks(tile, false, -1.0f, true, false);
      }
      forget();
   }
}

/* The regions of a draw are its target and its vertices. */
static void
regions(void **state)
{
   struct sgpu_device *dev = begin(SGPU_OBSERVE_OPERATIONS, false);
   bool target = false, vertices = false;

   small_triangle(0.5f);
   const uint64_t color = sgpu_bo_address(s.st.color[0].bo);
   const uint64_t vertex = sgpu_bo_address(s.vertex_bo);
   end(dev);
   const struct sgpu_event_operation *op = find_operation(SGPU_OPERATION_DRAW);
   const struct sgpu_event_region *r = (const struct sgpu_event_region *)(op + 1);
   for (unsigned i = 0; i < op->regions; i++) {
      if (r[i].storage == color) {
         assert_true(r[i].flags & SGPU_EVENT_REGION_WRITE);
         assert_int_equal(r[i].origin, color);
         assert_int_equal(r[i].levels, 1);
         assert_true(r[i].x0 == 0 && r[i].x1 >= SCENE_W && r[i].x1 < SCENE_W + 64);
         target = true;
      } else if (!r[i].storage && r[i].bo_begin == vertex) {
         assert_false(r[i].flags & SGPU_EVENT_REGION_WRITE);
         assert_true(r[i].begin >= vertex && r[i].end <= r[i].bo_end);
         vertices = true;
      }
   }
   assert_true(target && vertices);
   forget();
}

/* The target of a copy is its destination. This does not depend on whether the copy follows a clear
 * of its source tile by tile, or begins after the clear has ended.
 */
static void
copied_regions(void **state)
{
   for (unsigned done = 0; done < 2; done++) {
      struct sgpu_device *dev = begin(SGPU_OBSERVE_OPERATIONS, false);
      const struct scene_image from = s.st.color[0];
      const struct scene_image to = scene_target(&s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
      const uint64_t source = sgpu_bo_address(from.bo), destination = sgpu_bo_address(to.bo);
      unsigned seen_regions = 0;

      small_triangle(0.5f);
      if (done) {
         scene_wait(&s, from.bo);
      }
      SCENE_EMIT(&s, COPY_SURFACE, cfg) {
         cfg.layers = 1;
         cfg.source = scene_surface(&from, 0, 0, 1);
         cfg.destination = scene_surface(&to, 0, 0, 1);
         cfg.rect = (struct SGPU_RECT){ .x1 = SCENE_W, .y1 = SCENE_H };
      }
      end(dev);
      const struct sgpu_event_operation *op = find_operation(SGPU_OPERATION_COPY);
      assert_non_null(op);
      const struct sgpu_event_region *r = (const struct sgpu_event_region *)(op + 1);
      const unsigned both = SGPU_EVENT_REGION_WRITE | SGPU_EVENT_REGION_TARGET;
      for (unsigned i = 0; i < op->regions; i++) {
         if (r[i].storage == source)
            assert_int_equal(r[i].flags & both, 0);
         else if (r[i].storage == destination)
            assert_int_equal(r[i].flags & both, both);
         else
            continue;
         seen_regions++;
      }
      assert_int_equal(seen_regions, 2);
      forget();
   }
}

/* Returns the record of constants of a stage, for the n-th draw. */
static const struct sgpu_event_constants *
find_constants(unsigned n, enum sgpu_stage stage)
{
   const struct sgpu_chunk *chunk;

   for (unsigned i = 0; (chunk = find_chunk(SGPU_CHUNK_OPERATION, i)); i++) {
      const struct sgpu_event_operation *op = (const struct sgpu_event_operation *)chunk->words;
      if (op->kind != SGPU_OPERATION_DRAW || n-- > 0)
         continue;
      const struct sgpu_event_head *head;
      for (uint64_t at = 0; at < chunk->num_words; at += head->words) {
         head = (const struct sgpu_event_head *)(chunk->words + at);
         const struct sgpu_event_constants *e = (const struct sgpu_event_constants *)head;
         if (head->type == SGPU_EVENT_CONSTANTS && e->stage == stage)
            return e;
      }
   }
   return NULL;
}

static uint64_t
line_of(const struct sgpu_event_constants *e, unsigned line)
{
   const uint32_t *words = (const uint32_t *)(e + 1) + 2 * line;

   return (uint64_t)words[1] << 32 | words[0];
}

/* A bank; then a context with a line at another address, the context with this line changed, and
 * the same version again. Writes to memory after a draw do not change its record.
 */
static void
constants(void **state)
{
   struct sgpu_device *dev = begin(SGPU_OBSERVE_OPERATIONS, false);
   struct sgpu_bo *bo = scene_bo(&s, 4096);
   const uint64_t address = sgpu_bo_address(bo);
   float *words = sgpu_bo_map(bo);
   struct SGPU_CONSTANT_VERSION p = {
      .tail_count = 1,
      .stage = SGPU_STAGE_PIXEL,
      .context = 3,
      .open = true,
      .size = 150,
      .address = address,
   };

   for (unsigned i = 0; i < 1024; i++)
      words[i] = i % 16 ? 0.5f : 16.0f + i;
   small_triangle(0.5f);
   for (unsigned i = 0; i < 3; i++) {
      const struct SGPU_CONSTANT_RUN run = { 1, 1, address + 512 + 64 * i };
      uint32_t *packet = scene_get(&s, SGPU_CONSTANT_VERSION_length(p.tail_count));
      SGPU_CONSTANT_VERSION_pack(packet, &p);
      if (p.tail_count)
         SGPU_CONSTANT_RUN_pack(SGPU_CONSTANT_VERSION_tail(packet, 0), &run);
      small_triangle(0.5f);
      p = (struct SGPU_CONSTANT_VERSION){ .stage = SGPU_STAGE_PIXEL,
                                          .context = 3,
                                          .tail_count = i == 0 };
   }
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);

   const struct sgpu_event_constants *e[4];
   for (unsigned i = 0; i < 4; i++) {
      e[i] = find_constants(i, SGPU_STAGE_PIXEL);
      assert_non_null(e[i]);
      assert_int_equal(e[i]->bytes, i ? 150 : SCENE_CONSTANTS * 16);
      assert_int_equal(e[i]->flags, i ? SGPU_EVENT_CONSTANTS_VERSION : 0);
      assert_int_equal(e[i]->bank, 0);
      assert_int_equal(e[i]->words, sizeof(*e[i]) / 4 + 2 * (i ? 3 : SCENE_CONSTANTS / 4));
      assert_int_equal(e[i]->context, i ? 3 : 0);
      assert_non_null(find_constants(i, SGPU_STAGE_VERTEX));
   }
   assert_true(e[1]->number != e[2]->number && e[2]->number == e[3]->number);
   for (unsigned line = 0; line < 3; line++) {
      assert_int_equal(line_of(e[1], line) == line_of(e[2], line), line != 1);
      assert_int_equal(line_of(e[2], line), line_of(e[3], line));
      assert_int_not_equal(line_of(e[1], line), line_of(e[1], (line + 1) % 3));
   }
   forget();
}

static void
depth_state(enum sgpu_compare func)
{
   static const float black[4];

   s.st.zs = scene_target(&s, SGPU_FORMAT_Z24X8_UNORM, SCENE_W, SCENE_H);
   scene_clear(&s, black, 1.0, 0);
   s.st.dsa.depth_test = s.st.dsa.depth_write = true;
   s.st.dsa.depth_func = func;
}

/* Behind a nearer triangle, zcull drops all blocks, and the events have them. */
static void
zcull(void **state)
{
   struct sgpu_device *dev = begin(SGPU_OBSERVE_VALUES, true);
   uint64_t counters[256];

   depth_state(SGPU_COMPARE_LESS);
   const uint32_t first = scene_vertex(&s, 0.0f, 0.0f, 0.25f, 1.0f);
   scene_vertex(&s, 300.0f, 0.0f, 0.25f, 1.0f);
   scene_vertex(&s, 0.0f, 300.0f, 0.25f, 1.0f);
   scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first, 3);
   small_triangle(0.5f);
   scene_end(&s, NULL);
   sgpu_device_read_counters(dev, counters);
   sgpu_device_destroy(dev);

   assert_int_equal(counters[SGPU_COUNTER_PIXELS], SCENE_W * SCENE_H);
   assert_true(counters[SGPU_COUNTER_ZCULL_SLICES] + counters[SGPU_COUNTER_ZCULL_BLOCKS] > 0);
   const struct sgpu_chunk *tile = NULL, *any;
   for (unsigned n = 0; (any = find_chunk(SGPU_CHUNK_TILE, n)); n++)
      tile = any->tx || any->ty ? tile : any;
   assert_non_null(tile);
   check_blocks(tile, true, 0.5f, false, false);
   forget();
}

/* Tests that fail late or early, and a program that drops all fragments. */
static void
fates(void **state)
{
   enum { FAILS, DROPS, WRITES, FATES };

   for (unsigned fate = 0; fate < FATES; fate++) {
      struct sgpu_device *dev = begin(SGPU_OBSERVE_VALUES, false);

      depth_state(fate == FAILS ? SGPU_COMPARE_GREATER : SGPU_COMPARE_LESS);
      s.constants[1][0] = 0.125f;
      if (fate == DROPS)
         s.st.ps = scene_program(&s, "!!SGFP1.0\nFSETP.LT P0.x, c[1].x, c[0].x; (P0.x) KIL;\n"
                                     "MOV o[COLR0], c[0];\nEND\n");
      else if (fate == WRITES)
         s.st.ps = scene_program(&s, "!!SGFP1.0\nMOV o[DEPR].x, c[1].x;\n"
                                     "MOV o[COLR0], c[0];\nEND\n");
      small_triangle(0.5f);
      end(dev);
      check_blocks(find_chunk(SGPU_CHUNK_TILE, 0), false, fate == WRITES ? 0.125f : 0.5f,
                   fate == WRITES, fate == DROPS);
      forget();
   }
}

/* Primitives keep their order and kind. */
static void
kinds(void **state)
{
   static const enum sgpu_primitive types[3] = { SGPU_PRIMITIVE_POINTS, SGPU_PRIMITIVE_LINES,
                                                 SGPU_PRIMITIVE_TRIANGLES };
   static const enum sgpu_prim expected[3] = { SGPU_PRIM_POINT, SGPU_PRIM_LINE,
                                               SGPU_PRIM_TRIANGLE };

   for (unsigned t = 0; t < 3; t++) {
      struct sgpu_device *dev = begin(SGPU_OBSERVE_PRIMITIVES, false);
      const unsigned corners = t + 1;
      const uint32_t first = s.num_vertices;

      for (unsigned i = 0; i < 5; i++) {
         for (unsigned k = 0; k < corners; k++)
            scene_vertex(&s, 10.0f + 20 * i + 7 * (k & 1), 10.0f + 3.5f * k * k, 0.5f, 1.0f);
      }
      scene_draw(&s, types[t], first, 5 * corners);
      end(dev);
      const struct sgpu_chunk *batch = find_chunk(SGPU_CHUNK_BATCH, 0);
      const struct sgpu_event_primitive *p = (const struct sgpu_event_primitive *)batch->words;
      assert_int_equal(batch->num_words, 5 * sizeof(*p) / 4);
      for (unsigned i = 0; i < 5; i++) {
         assert_int_equal(p[i].kind, expected[t]);
         assert_true(p[i].x0 >= 8 + 20 * i && p[i].x0 <= 10 + 20 * i);
      }
      forget();
   }
}

/* An observer that is always full makes the device slower, but has no other effect. */
static void
pressure(void **state)
{
   struct sgpu_device *dev = begin(SGPU_OBSERVE_VALUES, false);

   seen.full = true;
   for (unsigned i = 0; i < 20; i++)
      small_triangle(0.5f);
   end(dev);
   assert_true(seen.asked > 20);
   assert_int_equal(find_chunk(SGPU_CHUNK_TILE, 19) != NULL, true);
   assert_null(find_chunk(SGPU_CHUNK_TILE, 20));
   forget();
}

/* The printer prints all records of a scene, and refuses a truncated record. */
static void
printer(void **state)
{
   struct sgpu_device *dev = begin(SGPU_OBSERVE_VALUES, false);
   char *text = NULL;
   size_t size = 0;

   small_triangle(0.5f);
   end(dev);
   FILE *fp = open_memstream(&text, &size);
   for (unsigned i = 0; i < seen.num; i++) {
      const struct sgpu_chunk *chunk = &seen.chunk[i];
      for (uint64_t at = 0; at < chunk->num_words;) {
         const unsigned words = sgpu_event_print(fp, chunk->words + at, chunk->num_words - at);
         assert_int_not_equal(words, 0);
         at += words;
      }
      assert_int_equal(sgpu_event_print(fp, chunk->words, 1), 0);
   }
   fclose(fp);
   assert_non_null(strstr(text, "operation happens draw packet "));
   assert_non_null(strstr(text, "primitive front triangle layer 0 x0 8 y0 4 "));
   assert_non_null(strstr(text, "block primitive 0 mask 0x"));
   assert_non_null(strstr(text, "color 3e800000"));
   assert_non_null(strstr(text, "a record that does not end"));
   free(text);
   forget();
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangle), cmocka_unit_test(regions), cmocka_unit_test(copied_regions),
      cmocka_unit_test(zcull),    cmocka_unit_test(fates),   cmocka_unit_test(kinds),
      cmocka_unit_test(pressure), cmocka_unit_test(printer), cmocka_unit_test(constants),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
