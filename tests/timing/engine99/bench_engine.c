/* SPDX-License-Identifier: MIT */
/*
 * Measures the speed of the engine on artificial frames: simulated cycles per second on one core,
 * with 16 accelerators and 128 candidates.
 *
 * usage: bench_engine [REPEATS [FRAME MACHINE]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine99/sgt_engine.h"
#include "kernel/sgt_random.h"
#include "util/macros.h"

struct frame {
   const char *name;
   uint32_t items, width, height; /* number of items, and their maximum size in pixels */
   bool strip;                    /* each item overlaps the next one */
};

static const struct frame frames[] = {
   { "1999: 4000 triangles of 200 pixels", 4000, 28, 28, false },
   { "1999: strips", 4000, 28, 28, true },
   { "200000 triangles of 8 pixels", 200000, 5, 5, false },
   { "200000 triangles of 8 pixels in strips", 200000, 5, 5, true },
   { "200000 triangles of 1 pixel", 200000, 1, 1, false },
};

static const struct {
   const char *name;
   enum sgt_split split;
   enum sgt_breaking breaking;
   enum sgt_select select;
} machines[] = {
   { "plain", SGT_SPLIT_NONE, SGT_BREAK_NONE, SGT_SELECT_RANDOM },
   { "split", SGT_SPLIT_HEIGHT, SGT_BREAK_NONE, SGT_SELECT_RANDOM },
   { "split, break", SGT_SPLIT_HEIGHT, SGT_BREAK_PAPER, SGT_SELECT_RANDOM },
   { "split, break, critical", SGT_SPLIT_HEIGHT, SGT_BREAK_PAPER, SGT_SELECT_CRITICAL },
};

static void
make(struct sgt_trace *t, const struct frame *f)
{
   struct sgt_random r = { 1 };
   int32_t x = 0, y = 0;
   for (uint32_t i = 0; i < f->items; i++) {
      const int32_t w = 1 + sgt_random_below(&r, f->width), h = 1 + sgt_random_below(&r, f->height);
      if (!f->strip || i % 32 == 0 || x > 600) {
         x = sgt_random_below(&r, 600);
         y = sgt_random_below(&r, 440);
      } else {
         x += (w + 1) / 2;
      }
      t->items[i] = (struct sgt_item){
         .number = i,
         .kind = SGT_ITEM_TRIANGLE,
         .destination = { .rect = { x, y, x + w, y + h } },
         .pixels = MAX2(w * h / 2, 1),
         .spans = h,
      };
   }
   t->num_items = f->items;
   t->operations[0].num_items = f->items;
}

int
main(int argc, char **argv)
{
   const unsigned repeats = argc > 1 ? atoi(argv[1]) : 3;
   struct sgt_operation operation = { 0 };
   uint32_t meet = 1;
   struct sgt_trace t = { .operations = &operation,
                          .items = calloc(200000, sizeof(*t.items)),
                          .num_operations = 1,
                          .num_sets = 1,
                          .sets_meet = &meet };
   for (unsigned i = 0; t.items && i < ARRAY_SIZE(frames); i++) {
      make(&t, &frames[i]);
      for (unsigned j = 0; j < ARRAY_SIZE(machines); j++) {
         if (argc > 3 && (i != (unsigned)atoi(argv[2]) || j != (unsigned)atoi(argv[3])))
            continue;
         struct sgt_engine_params p;
         sgt_engine_params_init(&p);
         p.split = machines[j].split;
         p.breaking = machines[j].breaking;
         p.select = machines[j].select;
         double best = 0;
         struct sgt_engine_result result;
         for (unsigned k = 0; k < repeats; k++) {
            struct timespec a, b;
            char error[256];
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
            if (!sgt_engine_run(&t, &p, NULL, &result, error, sizeof(error))) {
               fprintf(stderr, "%s\n", error);
               return 1;
            }
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
            const double seconds = b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) * 1e-9;
            best = MAX2(best, result.cycles / seconds / 1e6);
            if (k + 1 < repeats)
               sgt_engine_result_finish(&result);
         }
         printf("%-40s %-24s %8.2f Mcycles/s, %9" PRIu64 " cycles, TLP %5.2f\n", frames[i].name,
                machines[j].name, best, result.cycles, (double)result.work / result.cycles);
         sgt_engine_result_finish(&result);
      }
   }
   free(t.items);
   return 0;
}
