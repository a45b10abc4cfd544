/* SPDX-License-Identifier: MIT */
/*
 * Tests a ROP: rates and times that can be computed by hand, conservation, order.
 */
#include "../../unit.h"
#include "chip_rop/sgt_rop.h"
#include "unit_rig.h"
#include "util/macros.h"

#define MAX_REQUESTS 8192
#define BASE 0x100000

/* Sends a list of requests, at most one per cycle, and takes responses.  Request i waits until the
 * first `after[i]` responses have arrived.
 */
struct sender {
   struct sgt_unit unit;
   struct sgt_channel requests, responses;
   struct sgt_rop_request list[MAX_REQUESTS];
   uint32_t after[MAX_REQUESTS];
   uint32_t num, sent, answered;
   uint64_t answer[MAX_REQUESTS]; /* cycle of each response; 0: none */
   uint32_t slow;                 /* number of cycles between taken responses */
   uint64_t next_take;
};

static uint64_t
sender_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sender *s = container_of(unit, struct sender, unit);
   const uint64_t period = unit->clock->period;
   const struct sgt_rop_response *r = sgt_channel_peek(&s->responses, now);
   if (r && now >= s->next_take) {
      assert_true(r->tag < s->sent && r->port == 7 && !s->answer[r->tag]);
      s->answer[r->tag] = now / period;
      s->answered++;
      s->next_take = now + s->slow * period;
      sgt_channel_take(&s->responses, now);
   }
   if (s->sent < s->num && s->after[s->sent] <= s->answered &&
       sgt_channel_can_send(&s->requests, now)) {
      s->list[s->sent].tag = s->sent;
      s->list[s->sent].port = 7;
      sgt_channel_send(&s->requests, now, &s->list[s->sent++]);
   }
   const bool more = s->sent < s->num || sgt_channel_peek(&s->responses, now);
   return more ? now + period : SGT_NEVER;
}

struct machine {
   struct unit_rig rig;
   struct sgt_rop rop;
   struct sender sender;
   struct unit_rig_memory memory;
   uint32_t memory_latency;
   uint64_t shuffle; /* seed for shuffling units, or 0 */
   uint64_t cycles;
   struct sgt_stats stats;
};

static struct machine *
new_machine(void)
{
   struct machine *m = calloc(1, sizeof(*m));
   assert_non_null(m);
   m->memory_latency = 100;
   m->sender.slow = 1;
   return m;
}

static uint64_t
value_of(const struct machine *m, const char *unit, const char *name)
{
   return unit_rig_stat(&m->stats, unit, name);
}

static void
check_conservation(struct machine *m)
{
   static const char *const paths[] = { "rop-depth", "rop-color" };
   const struct sgt_rop *rop = &m->rop;
   unit_rig_check(&m->stats);
   assert_true(sgt_rop_idle(rop));
   assert_false(sgt_rop_out_of_memory(rop));
   assert_int_equal(rop->stats.cycles, m->cycles);
   assert_int_equal(rop->stats.memory_reads, m->memory.reads);
   assert_int_equal(rop->stats.memory_reads, rop->stats.fills);
   assert_int_equal(rop->stats.memory_writes, m->memory.writes);
   assert_int_equal(rop->stats.read_sectors, m->memory.sectors_read);
   assert_int_equal(rop->stats.write_sectors, m->memory.sectors_written);
   assert_int_equal(rop->stats.output_wait, rop->stats.output_occupancy);
   uint64_t requests = 0, read = 0, written = 0, responses = 0;
   for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
      const struct sgt_rop_path_stats *s = &rop->paths[i].stats;
      const struct sgt_cache_stats *c = &rop->paths[i].cache.stats;
      requests += s->requests;
      read += s->fetched_sectors;
      written += s->written_sectors;
      responses += s->responses;
      /* Little's law must hold. */
      assert_int_equal(s->queue_wait, s->queue_occupancy);
      assert_int_equal(s->waiting_wait, s->waiting_occupancy);
      assert_int_equal(s->pipe_wait, s->pipe_occupancy);
      assert_int_equal(s->responding, s->responses);
      assert_int_equal(c->reads[0] + c->reads[1] + c->reads[2], c->lookups);
      assert_int_equal(c->fetched, c->filled);
      assert_int_equal(s->fetched_sectors + s->fetch_saved, c->fetched);
      assert_int_equal(value_of(m, paths[i], "reads"), c->lookups);
   }
   assert_int_equal(requests, m->sender.num);
   assert_int_equal(responses, m->sender.answered);
   assert_int_equal(read, rop->stats.read_sectors);
   assert_int_equal(written, rop->stats.write_sectors);
}

static void
run(struct machine *m, const struct sgt_rop_params *p)
{
   char error[256] = "";
   sgt_rop_params_check(p, error, sizeof(error));
   assert_string_equal(error, "");
   unit_rig_begin(&m->rig, m->shuffle);
   assert_true(sgt_rop_init(&m->rop, &m->rig.sched, m->rig.clock, p, 3));
   struct sender *s = &m->sender;
   s->sent = s->answered = 0;
   s->next_take = 0;
   memset(s->answer, 0, sizeof(s->answer));
   unit_rig_add(&m->rig, &s->unit, "sender", sender_tick);
   unit_rig_connect(&m->rig, &s->requests, &s->unit, &m->rop.unit, sizeof(struct sgt_rop_request),
                    4, 1);
   unit_rig_connect(&m->rig, &s->responses, &m->rop.unit, &s->unit, sizeof(struct sgt_rop_response),
                    4, 1);
   unit_rig_memory(&m->rig, &m->memory, &m->rop.unit, 3, 4, m->memory_latency);
   m->rop.requests = &s->requests;
   m->rop.responses = &s->responses;
   m->rop.memory = &m->memory.requests;
   m->rop.fills = &m->memory.responses;
   unit_rig_run(&m->rig);
   assert_int_equal(s->sent, s->num);
   m->cycles = m->rig.cycles;
   sgt_rop_end(&m->rop, m->rig.sched.now);
   sgt_stats_init(&m->stats);
   sgt_rop_register(&m->rop, &m->stats, "rop", "rop-depth", "rop-color");
   check_conservation(m);
}

static void
finish(struct machine *m)
{
   sgt_stats_finish(&m->stats);
   unit_rig_end(&m->rig);
   sgt_rop_finish(&m->rop);
}

static struct sgt_rop_request *
add(struct machine *m)
{
   assert_true(m->sender.num < MAX_REQUESTS);
   const uint32_t i = m->sender.num++;
   m->sender.after[i] = 0;
   m->sender.list[i] = (struct sgt_rop_request){ .bytes = 4, .samples = 1, .item = 1 };
   return &m->sender.list[i];
}

/* Adds a request for a line of 16 pixels with 4 bytes each. */
static struct sgt_rop_request *
add_line(struct machine *m, enum sgt_rop_kind kind, unsigned flags, uint64_t line)
{
   struct sgt_rop_request *r = add(m);
   r->address = BASE + line * 64;
   r->mask = r->written = UINT64_MAX;
   r->kind = kind;
   r->flags = flags;
   r->quads = 4;
   r->pixels = 16;
   return r;
}

static void
add_clear(struct machine *m, unsigned flags, uint64_t lines)
{
   struct sgt_rop_request *r = add(m);
   r->kind = SGT_ROP_CLEAR;
   r->flags = flags;
   r->address = BASE;
   r->mask = lines * 64;
}

/* Returns the number of cycles of a run with requests for `num` lines. */
static uint64_t
time_lines(enum sgt_rop_kind kind, unsigned flags, unsigned bytes, unsigned num, bool cleared)
{
   struct machine *m = new_machine();
   struct sgt_rop_params p;
   sgt_rop_params_init(&p);
   const unsigned to = kind == SGT_ROP_DEPTH ? SGT_ROP_TO_DEPTH : 0;
   if (cleared)
      add_clear(m, to | SGT_ROP_RESPOND, num);
   for (unsigned i = 0; i < num; i++) {
      struct sgt_rop_request *r = add_line(m, kind, flags, i);
      r->item = 1 + i / 1024;
      r->bytes = bytes;
      r->pixels = 64 / bytes;
      r->quads = 16 / bytes;
   }
   run(m, &p);
   const struct sgt_rop_path *path =
      &m->rop.paths[kind == SGT_ROP_DEPTH ? SGT_ROP_PATH_DEPTH : SGT_ROP_PATH_COLOR];
   assert_int_equal(path->stats.pixels, (uint64_t)num * 64 / bytes);
   const uint64_t cycles = m->cycles;
   finish(m);
   free(m);
   return cycles;
}

/* 4 pixels per clock are 14.4 Gpixel/s with 6 partitions at 600 MHz; 8 with only depth are 28.8. */
static void
peak_rates(void **state)
{
   const unsigned n = 4000;
   const struct {
      enum sgt_rop_kind kind;
      unsigned flags, bytes;
      bool cleared;
      unsigned quarters; /* number of pixels in 4 cycles */
      uint64_t mpixels;  /* Mpixel/s of the chip; 0: not published */
   } cases[] = {
      { SGT_ROP_COLOR, 0, 4, false, 16, 14400 },
      { SGT_ROP_COLOR, 0, 4, true, 16, 14400 },
      { SGT_ROP_DEPTH, SGT_ROP_READS, 4, true, 16, 14400 },
      { SGT_ROP_DEPTH, SGT_ROP_READS | SGT_ROP_DOUBLE, 4, true, 32, 28800 },
      { SGT_ROP_DEPTH, SGT_ROP_DOUBLE, 4, false, 32, 28800 },
      { SGT_ROP_COLOR, SGT_ROP_READS | SGT_ROP_BLENDS, 4, true, 8, 7200 },
      { SGT_ROP_COLOR, SGT_ROP_READS | SGT_ROP_BLENDS, 4, false, 8, 7200 },
      { SGT_ROP_COLOR, 0, 8, false, 8, 0 },
      { SGT_ROP_COLOR, 0, 16, false, 4, 0 },
      { SGT_ROP_COLOR, 0, 2, false, 16, 0 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      const uint64_t pixels = (uint64_t)n * 64 / cases[i].bytes;
      const uint64_t ideal = pixels * 4 / cases[i].quarters;
      const uint64_t cycles = time_lines(cases[i].kind, cases[i].flags, cases[i].bytes, n,
                                         cases[i].cleared);
      assert_in_range(cycles, ideal, ideal + ideal / 100 + 200);
      /* The start has a constant cost, so the difference of two lengths is exact. */
      const uint64_t longer = time_lines(cases[i].kind, cases[i].flags, cases[i].bytes, n + 1000,
                                         cases[i].cleared);
      const uint64_t rate = 1000ull * (64 / cases[i].bytes) * 600 * 6 / (longer - cycles);
      if (cases[i].mpixels)
         assert_in_range(rate, cases[i].mpixels - cases[i].mpixels / 100,
                         cases[i].mpixels + cases[i].mpixels / 100);
   }
}

/* The request is sent at 0, in the queue at 1, and has passed the tags at 2.  It starts at 3, and
 * is written after 4 quads and `latency` cycles.  The response takes one cycle.
 */
static void
one_request(void **state)
{
   struct machine *m = new_machine();
   struct sgt_rop_params p;
   sgt_rop_params_init(&p);
   add_line(m, SGT_ROP_COLOR, SGT_ROP_RESPOND, 0);
   run(m, &p);
   assert_int_equal(m->sender.answer[0], 3 + 4 + p.latency + 1);
   assert_int_equal(m->memory.reads, 0);
   finish(m);
   /* The read is sent at 3, arrives at 4 and returns at 4 + 100; two lines, one cycle apart. */
   m->sender.num = 0;
   add_line(m, SGT_ROP_COLOR, SGT_ROP_RESPOND | SGT_ROP_READS | SGT_ROP_BLENDS, 0);
   run(m, &p);
   assert_int_equal(m->sender.answer[0], 4 + 100 + 8 + p.latency + 1);
   assert_int_equal(m->memory.reads, 1);
   finish(m);
   free(m);
}

/* Blending of the same pixels: each request waits until the previous one was written. */
static void
hazards(void **state)
{
   struct machine *m = new_machine();
   struct sgt_rop_params p;
   sgt_rop_params_init(&p);
   const unsigned n = 50, flags = SGT_ROP_READS | SGT_ROP_BLENDS | SGT_ROP_RESPOND;
   for (unsigned i = 0; i < n; i++)
      add_line(m, SGT_ROP_COLOR, flags, 0)->item = i + 1;
   run(m, &p);
   const struct sgt_rop_path_stats *s = &m->rop.paths[SGT_ROP_PATH_COLOR].stats;
   for (unsigned i = 1; i < n; i++)
      assert_int_equal(m->sender.answer[i] - m->sender.answer[i - 1], 8 + p.latency);
   assert_int_equal(s->hazards, n - 1);
   assert_int_equal(s->exec[SGT_ROP_HAZARD], (n - 1) * p.latency);
   finish(m);

   /* Requests for other pixels of the same lines, and requests that only write, do not wait. */
   for (unsigned way = 0; way < 3; way++) {
      for (unsigned i = 0; i < n; i++) {
         struct sgt_rop_request *r = &m->sender.list[i];
         r->flags = way == 1 ? SGT_ROP_RESPOND : flags;
         r->mask = way == 0 ? 0xffffull << i % 4 * 16 : UINT64_MAX;
         r->written = way == 2 ? 0 : r->mask; /* no fragment passes */
         r->quads = way == 0 ? 1 : 4;
      }
      p.latency = way == 0 ? 2 : 16;
      run(m, &p);
      assert_int_equal(s->hazards, 0);
      for (unsigned i = 1; i < n; i++)
         assert_int_equal(m->sender.answer[i] - m->sender.answer[i - 1], way == 0   ? 2
                                                                         : way == 1 ? 4
                                                                                    : 8);
      finish(m);
   }
   free(m);
}

/* A miss does not block the following requests except for their order: `waiting` of them are looked
 * up in the meantime, so that the latency is hidden.
 */
static void
latency_is_hidden(void **state)
{
   struct machine *m = new_machine();
   struct sgt_rop_params p;
   sgt_rop_params_init(&p);
   const unsigned n = 2000;
   for (unsigned i = 0; i < n; i++)
      add_line(m, SGT_ROP_DEPTH, SGT_ROP_READS, i);
   m->memory_latency = 100;
   run(m, &p);
   assert_in_range(m->cycles, n * 4, n * 4 + 300);
   const uint64_t hidden = m->cycles;
   finish(m);
   /* Without a queue, each tile waits for memory. */
   p.waiting = 1;
   run(m, &p);
   assert_true(m->cycles > hidden * 5);
   finish(m);
   /* Little's law: with `waiting` outstanding requests, each takes latency / waiting cycles. */
   p.waiting = 8;
   m->memory_latency = 400;
   run(m, &p);
   assert_in_range(m->cycles, (n / 8) * 400ull, (n / 8) * 400ull + n * 4ull);
   finish(m);
   free(m);
}

static void
clears_and_compression(void **state)
{
   struct machine *m = new_machine();
   struct sgt_rop_params p;
   sgt_rop_params_init(&p);
   const struct sgt_rop_path_stats *s = &m->rop.paths[SGT_ROP_PATH_DEPTH].stats;
   const unsigned tiles = 4096, lines = tiles * 4;
   /* 4096 tiles in 6 partitions are 683 tiles in this one, which are cleared in one cycle. */
   add_clear(m, SGT_ROP_TO_DEPTH | SGT_ROP_RESPOND, lines);
   run(m, &p);
   assert_int_equal(s->cleared_tiles, tiles);
   assert_int_equal(s->exec[SGT_ROP_CLEARING], 1);
   finish(m);
   p.clear_tiles = 1;
   run(m, &p);
   assert_int_equal(s->exec[SGT_ROP_CLEARING], DIV_ROUND_UP(tiles, 6));
   finish(m);

   /* Items on top of each other on 512 tiles, each in a separate pass.  The flush at the end writes
    * back 1, 2, 4, 4, 8 sectors.
    */
   for (unsigned items = 1; items <= 5; items++) {
      static const unsigned sectors[] = { 0, 1, 2, 4, 4, 8 };
      m->sender.num = 0;
      add_clear(m, SGT_ROP_TO_DEPTH, 64 * 4);
      for (unsigned k = 0; k < items; k++) {
         for (unsigned i = 0; i < 64 * 4; i++) {
            struct sgt_rop_request *r = add_line(m, SGT_ROP_DEPTH, SGT_ROP_READS, i);
            r->item = k;
            r->written = 0xff; /* only a part, so that no item covers a tile */
         }
      }
      add(m)->kind = SGT_ROP_FLUSH;
      m->sender.list[m->sender.num - 1].flags = SGT_ROP_TO_DEPTH | SGT_ROP_RESPOND;
      run(m, &p);
      assert_int_equal(s->written_sectors, 64 * sectors[items]);
      assert_int_equal(s->fetched_sectors, 0); /* all tiles are in the cache and cleared */
      assert_int_equal(s->fetched[SGT_ROP_FORM_CLEARED], 64);
      assert_int_equal(s->flushed_tiles, 64);
      assert_true(m->sender.answer[m->sender.num - 1] > m->memory.latest_write);
      finish(m);
      p.compression = false;
      run(m, &p);
      assert_int_equal(s->written_sectors, 64 * 8);
      finish(m);
      p.compression = true;
   }
   /* One item that covers the tiles replaces many others: 8:1. */
   for (unsigned i = 0; i < 64 * 4; i++)
      add_line(m, SGT_ROP_DEPTH, SGT_ROP_READS, i)->item = 77;
   add(m)->kind = SGT_ROP_FLUSH;
   m->sender.list[m->sender.num - 1].flags = SGT_ROP_TO_DEPTH;
   run(m, &p);
   assert_int_equal(s->written_back[SGT_ROP_FORM_8], 64);
   assert_int_equal(s->written_back[SGT_ROP_FORM_RAW], 64);
   finish(m);
   free(m);
}

/* Colours: the samples of a pixel have the same colour if one item covers the tile. */
static void
colors_compress_by_samples(void **state)
{
   struct machine *m = new_machine();
   struct sgt_rop_params p;
   sgt_rop_params_init(&p);
   const struct sgt_rop_path_stats *s = &m->rop.paths[SGT_ROP_PATH_COLOR].stats;
   for (unsigned samples = 1; samples <= 16; samples *= 2) {
      for (unsigned whole = 0; whole < 2; whole++) {
         m->sender.num = 0;
         for (unsigned i = 0; i < 64 * 4; i++) {
            struct sgt_rop_request *r = add_line(m, SGT_ROP_COLOR, 0, i);
            r->samples = samples;
            if (i % 4 == 0 && !whole)
               r->written = r->mask = 0xffff;
         }
         add(m)->kind = SGT_ROP_FLUSH;
         run(m, &p);
         const unsigned each = whole ? MAX2(8 / samples, 1) : 7;
         assert_int_equal(s->written_sectors, 64 * each);
         assert_int_equal(s->partial_sectors, whole ? 0 : 64);
         finish(m);
      }
   }
   free(m);
}

static void
random_list(struct machine *m, struct sgt_random *r, unsigned num)
{
   m->sender.num = 0;
   for (unsigned i = 0; i < num; i++) {
      const unsigned what = sgt_random_below(r, 100);
      if (what < 2) {
         const unsigned flags = (what ? SGT_ROP_TO_DEPTH : 0) | SGT_ROP_RESPOND;
         if (sgt_random_below(r, 2))
            add_clear(m, flags, sgt_random_below(r, 2000));
         else
            *add(m) = (struct sgt_rop_request){ .kind = SGT_ROP_FLUSH, .flags = flags };
         continue;
      }
      struct sgt_rop_request *q = add_line(m, sgt_random_below(r, SGT_ROP_CLEAR), 0,
                                           sgt_random_below(r, what < 50 ? 64 : 4000));
      q->flags = sgt_random_next(r) & (SGT_ROP_READS | SGT_ROP_BLENDS | SGT_ROP_DOUBLE |
                                       SGT_ROP_STENCIL | SGT_ROP_RESPOND | SGT_ROP_TO_DEPTH);
      if (q->kind == SGT_ROP_COLOR || q->kind == SGT_ROP_DEPTH)
         q->flags &= ~SGT_ROP_TO_DEPTH;
      if (q->kind == SGT_ROP_READ)
         q->flags |= SGT_ROP_READS;
      /* Depth and colour do not share memory. */
      if (q->kind == SGT_ROP_DEPTH || q->flags & SGT_ROP_TO_DEPTH)
         q->address += 1 << 24;
      q->item = sgt_random_below(r, 5);
      q->samples = 1 << sgt_random_below(r, 4);
      q->quads = 1 + sgt_random_below(r, 4);
      q->mask = sgt_random_below(r, 2) ? UINT64_MAX : sgt_random_next(r) | 1;
      q->written = sgt_random_below(r, 3) ? q->mask : sgt_random_next(r) & q->mask;
      if (q->kind == SGT_ROP_READ)
         q->written = 0;
   }
}

/* Everything must be answered once, requests to the same place must keep their order, and the order
 * of units must not matter.
 */
static void
random_requests(void **state)
{
   struct machine *m = new_machine();
   struct sgt_random r = { 5 };
   uint64_t *before = malloc(sizeof(m->sender.answer));
   for (unsigned round = 0; round < 30; round++) {
      struct sgt_rop_params p;
      sgt_rop_params_init(&p);
      p.queue = 1 + sgt_random_below(&r, 8);
      p.waiting = 1 + sgt_random_below(&r, 30);
      p.latency = 1 + sgt_random_below(&r, 30);
      p.cache_sets = 1 << sgt_random_below(&r, 4);
      p.cache_ways = 1 + sgt_random_below(&r, 4);
      p.mshrs = 1 + sgt_random_below(&r, 8);
      p.memory_queue = 16 + sgt_random_below(&r, 20);
      p.compression = sgt_random_below(&r, 4);
      m->memory_latency = 1 + sgt_random_below(&r, 200);
      m->sender.slow = 1 + sgt_random_below(&r, 4) * sgt_random_below(&r, 5);
      random_list(m, &r, 600);
      m->shuffle = 0;
      run(m, &p);
      for (unsigned i = 0; i < m->sender.num; i++) {
         const struct sgt_rop_request *a = &m->sender.list[i];
         assert_int_equal(m->sender.answer[i] != 0, (a->flags & SGT_ROP_RESPOND) != 0);
         for (unsigned k = i + 1; k < m->sender.num && a->flags & SGT_ROP_RESPOND; k++) {
            const struct sgt_rop_request *b = &m->sender.list[k];
            if (a->address == b->address && b->flags & SGT_ROP_RESPOND &&
                (a->kind == SGT_ROP_DEPTH) == (b->kind == SGT_ROP_DEPTH) &&
                !((a->flags ^ b->flags) & SGT_ROP_TO_DEPTH))
               assert_true(m->sender.answer[i] < m->sender.answer[k]);
         }
      }
      const uint64_t cycles = m->cycles;
      const struct sgt_rop_stats stats = m->rop.stats;
      struct sgt_rop_path_stats paths[SGT_ROP_PATHS];
      struct sgt_cache_stats caches[SGT_ROP_PATHS];
      for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
         paths[i] = m->rop.paths[i].stats;
         caches[i] = m->rop.paths[i].cache.stats;
      }
      memcpy(before, m->sender.answer, sizeof(m->sender.answer));
      finish(m);
      m->shuffle = round + 1;
      run(m, &p);
      assert_int_equal(m->cycles, cycles);
      assert_memory_equal(&m->rop.stats, &stats, sizeof(stats));
      for (unsigned i = 0; i < SGT_ROP_PATHS; i++) {
         assert_memory_equal(&m->rop.paths[i].stats, &paths[i], sizeof(paths[i]));
         assert_memory_equal(&m->rop.paths[i].cache.stats, &caches[i], sizeof(caches[i]));
      }
      assert_memory_equal(m->sender.answer, before, sizeof(m->sender.answer));
      finish(m);
   }
   free(before);
   free(m);
}

static void
counters(void **state)
{
   struct machine *m = new_machine();
   struct sgt_rop_params p;
   sgt_rop_params_init(&p);
   add_line(m, SGT_ROP_COLOR, 0, 0);
   run(m, &p);
   assert_true(m->stats.num >= 50);
   for (uint32_t i = 0; i < m->stats.num; i++)
      assert_ptr_equal(sgt_stats_find(&m->stats, m->stats.stats[i].unit, m->stats.stats[i].name),
                       &m->stats.stats[i]);
   finish(m);
   free(m);
}

static void
wrong_values_are_named(void **state)
{
   struct sgt_rop_params p;
   char error[256];
   sgt_rop_params_init(&p);
   assert_true(sgt_rop_params_check(&p, error, sizeof(error)));
   p.memory_queue = 15;
   assert_false(sgt_rop_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "rop.memory_queue: 15 is not from 16 to 4096");
   sgt_rop_params_init(&p);
   p.cache_sets = 3;
   assert_false(sgt_rop_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "rop.cache_sets: 3 is not a power of 2");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(peak_rates),
      cmocka_unit_test(one_request),
      cmocka_unit_test(hazards),
      cmocka_unit_test(latency_is_hidden),
      cmocka_unit_test(clears_and_compression),
      cmocka_unit_test(colors_compress_by_samples),
      cmocka_unit_test(random_requests),
      cmocka_unit_test(counters),
      cmocka_unit_test(wrong_values_are_named),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
