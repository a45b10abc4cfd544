/* SPDX-License-Identifier: MIT */
/*
 * The constant cache under the constants that programs set: each draw of a capture runs a thread
 * for each stage with constants, which must read the values of its draw, whatever draws behind
 * it have changed by then.
 *
 *    sgt_test_const_captures FILE...
 *
 * Contexts, versions and changed lines are those of the work (struct sgt_constants); constants
 * are bank 0.  Sixteen threads run; each reads all its constants twice, a line at a
 * time and one request of all threads a cycle.  A draw whose changes the cache refuses waits until
 * threads end.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_player.h"
#include "sgt_const_cache.h"
#include "sgt_store.h"
#include "util/macros.h"

#define THREADS 16
#define MAX_CONTEXTS 256
#define MAX_LINES 256   /* 16 KB */
#define LATENCY 40      /* of memory, in cycles */
#define DRAW_INTERVAL 8 /* cycles between draws */
#define SPACE (MAX_LINES * SGT_CONST_LINE)

struct context {
   uint32_t stage, bytes;
   uint32_t values[MAX_LINES];
};

/* The constants of a stage of a draw. */
struct use {
   uint32_t context;
   uint32_t values[MAX_LINES]; /* of lines, from 1 on */
};

struct capture {
   struct context contexts[MAX_CONTEXTS];
   uint32_t num_contexts;
   struct use *uses;
   uint32_t num, max;
};

static void
die(const char *what)
{
   fprintf(stderr, "%s\n", what);
   exit(1);
}

/* -- what the programs set ---------------------------------------------------------------- */

static struct use *
new_use(struct capture *f)
{
   if (f->num == f->max) {
      f->max = f->max ? 2 * f->max : 64;
      f->uses = realloc(f->uses, f->max * sizeof(*f->uses));
      if (!f->uses)
         die("out of memory");
   }
   return memset(&f->uses[f->num++], 0, sizeof(*f->uses));
}

/* A line's value is the version that changed it last. */
static void
add_constants(struct capture *f, const struct sgt_work *work, const struct sgt_constants *c)
{
   if (c->bank || c->bytes > SPACE || c->context >= MAX_CONTEXTS)
      return;
   struct context *x = &f->contexts[c->context];
   f->num_contexts = MAX2(f->num_contexts, c->context + 1);
   x->stage = c->stage;
   x->bytes = c->bytes;
   for (uint32_t i = 0; i < c->num_changed; i++) {
      const struct sgt_changed *l = &work->changed[c->first_changed + i];
      for (uint32_t line = l->first; line < l->first + l->count; line++)
         x->values[line] = c->version;
   }
   struct use *use = new_use(f);
   use->context = c->context;
   for (uint32_t line = 0; line * SGT_CONST_LINE < c->bytes; line++)
      use->values[line] = 1 + x->values[line];
}

static void
load(struct capture *f, const char *path)
{
   struct sgpu_device_params params;
   struct sgcap_record rec;
   struct cap_player player;
   char error[256];

   memset(f, 0, sizeof(*f));
   sgpu_device_params_from_env(&params);
   struct sgt_store *store = sgt_store_create(&(struct sgt_store_params){
      .classes = SGPU_OBSERVE_COVERAGE,
      .work = true,
   });
   if (!store)
      die("no store");
   params.observer = sgt_store_observer(store);
   if (!cap_player_open(&player, path, &params, true))
      exit(1);
   sgt_store_submissions(store, SGT_STORE_RECORD, 0);
   while (cap_player_next(&player, &rec)) {
      if (rec.type == SGCAP_SUBMIT && !cap_player_submit(&player, &rec))
         die(sgcap_error(player.reader));
   }
   cap_player_wait(&player);
   struct sgt_trace *trace = sgt_store_finish(store, error, sizeof(error));
   struct sgt_work *work = trace ? sgt_store_work(store) : NULL;
   if (!work)
      die(error);
   for (uint32_t i = 0; i < work->num_constants; i++)
      add_constants(f, work, &work->constants[i]);
   sgt_work_destroy(work);
   sgt_trace_destroy(trace);
   cap_player_close(&player);
   sgt_store_destroy(store);
}

/* -- the machine -------------------------------------------------------------------------- */

struct thread {
   const struct use *use; /* NULL: none runs */
   int context;           /* the cache's */
   uint32_t version, line, reads;
   bool waits;
};

struct machine {
   const struct capture *frame;
   struct sgt_const_cache *cache;
   uint64_t memory[MAX_CONTEXTS][MAX_LINES];
   struct thread threads[THREADS];
   struct {
      uint64_t at, value;
      uint32_t id;
   } fills[SGT_CONST_MAX_MISSES];
   uint32_t num_fills, next;
   uint64_t now, stalls, reads, wrong;
};

static uint32_t
num_lines(const struct machine *m, const struct use *use)
{
   return DIV_ROUND_UP(m->frame->contexts[use->context].bytes, SGT_CONST_LINE);
}

static void
send(struct machine *m, const struct sgt_const_fill *fill)
{
   assert(m->num_fills < SGT_CONST_MAX_MISSES);
   m->fills[m->num_fills].at = m->now + LATENCY;
   m->fills[m->num_fills].value =
      m->memory[fill->address / SPACE][fill->address % SPACE / SGT_CONST_LINE];
   m->fills[m->num_fills++].id = fill->id;
}

/* A cycle: lines that are back, constants that are ready, one request. */
static void
cycle(struct machine *m)
{
   struct sgt_const_fill fill;

   for (uint32_t i = 0; i < m->num_fills;) {
      if (m->fills[i].at > m->now) {
         i++;
         continue;
      }
      sgt_const_filled(m->cache, m->fills[i].id, m->fills[i].value);
      m->fills[i] = m->fills[--m->num_fills];
   }
   sgt_const_cycle(m->cache, m->now);
   for (uint32_t i = 0; i < THREADS; i++) {
      struct thread *t = &m->threads[i];
      if (!t->use || !t->waits || sgt_const_ready(m->cache, i) > m->now)
         continue;
      m->wrong += sgt_const_take(m->cache, i, m->now) != t->use->values[t->line];
      m->reads++;
      t->waits = false;
      t->line = (t->line + 1) % num_lines(m, t->use);
      if (--t->reads)
         continue;
      sgt_const_release(m->cache, t->context, t->version);
      t->use = NULL;
   }
   for (uint32_t n = 0; n < THREADS; n++) {
      const uint32_t i = (m->next + n) % THREADS;
      struct thread *t = &m->threads[i];
      if (!t->use || t->waits)
         continue;
      const enum sgt_const_result result = sgt_const_lookup(m->cache, t->context, t->version,
                                                            t->line * SGT_CONST_LINE, i, m->now,
                                                            &fill);
      t->waits = result <= SGT_CONST_MERGED;
      if (result == SGT_CONST_MISS)
         send(m, &fill);
      m->next = i + 1;
      break;
   }
   m->now++;
}

static void
stall(struct machine *m)
{
   if (++m->stalls > 100000000)
      die("the cache refuses for ever");
   cycle(m);
}

/* The constants of a stage of a draw, then its thread. */
static void
run_use(struct machine *m, const struct use *use)
{
   const struct context *x = &m->frame->contexts[use->context];
   struct sgt_const_fill fill;
   uint32_t slot = 0;
   int context;

   while ((context = sgt_const_open(m->cache, x->stage, use->context,
                                    (uint64_t)use->context * SPACE, x->bytes)) < 0)
      stall(m);
   for (uint32_t line = 0; line < num_lines(m, use); line++) {
      enum sgt_const_change change;
      if (m->memory[use->context][line] == use->values[line])
         continue;
      while ((change = sgt_const_change(m->cache, context, line * SGT_CONST_LINE, &fill)) !=
             SGT_CONST_CHANGED) {
         if (change == SGT_CONST_FETCH)
            send(m, &fill);
         else
            stall(m);
      }
      m->memory[use->context][line] = use->values[line];
   }
   const uint32_t version = sgt_const_acquire(m->cache, context);
   while (m->threads[slot].use) {
      slot = (slot + 1) % THREADS;
      if (!slot)
         cycle(m);
   }
   m->threads[slot] = (struct thread){ use, context, version, 0, 2 * num_lines(m, use), false };
}

static bool
run(const struct capture *f, const struct sgt_const_params *p, const char *name)
{
   struct machine *m = calloc(1, sizeof(*m));

   m->frame = f;
   m->cache = sgt_const_cache_create(p);
   if (!m->cache)
      die("out of memory");
   uint64_t expected = 0;
   for (uint32_t i = 0; i < f->num; i++) {
      run_use(m, &f->uses[i]);
      expected += 2 * num_lines(m, &f->uses[i]);
      for (uint32_t n = 0; n < DRAW_INTERVAL; n++)
         cycle(m);
      const char *error = i % 64 ? NULL : sgt_const_cache_check(m->cache);
      if (error)
         die(error);
   }
   while (m->reads < expected)
      stall(m);
   const struct sgt_const_counts *n = sgt_const_counts(m->cache);
   printf("   %-28s %8" PRIu64 " cycles, %7" PRIu64 " reads, %6" PRIu64 " fills, %6" PRIu64
          " versions, %6" PRIu64 " evicted, %8" PRIu64 " refused\n",
          name, m->now, m->reads, n->fills, n->versions, n->evicted,
          n->no_context + n->changes[SGT_CONST_NO_VERSION] + n->changes[SGT_CONST_NO_MAPPING] +
             n->changes[SGT_CONST_PINNED] + n->changes[SGT_CONST_NO_MISS]);
   bool good = !m->wrong && n->delivered == expected;
   if (m->wrong)
      printf("%" PRIu64 " constants of another version\n", m->wrong);
   sgt_const_cache_destroy(m->cache);
   free(m);
   return good;
}

int
main(int argc, char **argv)
{
   bool good = argc > 1;

   for (int i = 1; i < argc; i++) {
      struct sgt_const_params p;
      struct capture f;

      load(&f, argv[i]);
      printf("%s: %u threads, %u contexts\n", argv[i], f.num, f.num_contexts);
      good &= f.num > 0;
      sgt_const_params_init(&p);
      good &= run(&f, &p, "contexts and versions");
      p.versions = 1;
      good &= run(&f, &p, "one version");
      sgt_const_params_init(&p);
      p.contexts = 1;
      good &= run(&f, &p, "one context");
      p.versions = 1;
      good &= run(&f, &p, "one context, one version");
      sgt_const_params_init(&p);
      p.versions = SGT_CONST_MAX_VERSIONS;
      p.mapping = SGT_CONST_MAX_MAPPING;
      good &= run(&f, &p, "16 versions, 64 entries");
      free(f.uses);
   }
   return !good;
}
