/* SPDX-License-Identifier: MIT */
/*
 * sgpu-sim with synthetic frames instead of a capture.  The argument SEED-TRIANGLES, as a word or
 * as the name of any file, makes the frames 3 to 5.
 * They have strips of triangles, large triangles, blended triangles, clears, and copies that read
 * what was drawn before.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/sgt_trace_builder.h"
#include "sim.h"

#define WIDTH 320
#define HEIGHT 240
#define FIRST 3
#define LAST 5

struct maker {
   struct sgt_trace_builder *builder;
   uint64_t random;
   uint32_t screen, texture; /* sets of the screen and the texture */
   uint32_t number;          /* number of the primitive in its operation */
};

static uint32_t
random_below(struct maker *m, uint32_t limit)
{
   m->random = m->random * 6364136223846793005ull + 1442695040888963407ull;
   return (m->random >> 33) % limit;
}

static void
begin_operation(struct maker *m, uint32_t packet, uint32_t draw, bool blends)
{
   const struct sgt_operation op = {
      .packet = packet,
      .draw = draw,
      .frame = FIRST,
      .blends = blends,
      .order = blends ? SGT_ORDER_PROGRAM : SGT_ORDER_LOWEST,
      .samples = 1,
      .state = UINT32_MAX,
   };

   sgt_trace_builder_operation(m->builder, &op);
   m->number = 0;
}

static void
put_item(struct maker *m, enum sgt_item_kind kind, uint32_t set, int x0, int y0, int x1, int y1)
{
   const struct sgt_item item = {
      .number = m->number++,
      .kind = kind,
      .destination = { .set = set, .rect = { x0, y0, x1, y1 } },
   };
   sgt_trace_builder_item(m->builder, &item);
}

/* Adds a triangle that covers about the lower left half of a box. */
static void
put_triangle(struct maker *m, int x0, int y0, int width, int height)
{
   const int x1 = x0 + width < WIDTH ? x0 + width : WIDTH;
   const int y1 = y0 + height < HEIGHT ? y0 + height : HEIGHT;

   put_item(m, SGT_ITEM_TRIANGLE, m->screen, x0, y0, x1, y1);
   for (int y = y0 & ~3; y < y1; y += 4) {
      for (int x = x0 & ~7; x < x1; x += 8) {
         uint32_t mask = 0;
         /* Set all lanes of blocks inside, and some lanes of blocks on the edges; the engine counts
          * bits.
          */
         if (x >= x0 && y >= y0 && x + 8 <= x1 && y + 4 <= y1)
            mask = ~0u;
         else
            mask = 0x00ff00ff;
         if ((x - x0) * height <= (y + 4 - y0) * width)
            sgt_trace_builder_block(m->builder, x, y, mask, false);
      }
   }
}

static struct sgt_trace *
make_frame(uint64_t seed, uint32_t triangles)
{
   const struct sgt_piece screen = {
      0x10000, 0x10000 + WIDTH * HEIGHT * 4, 1, WIDTH, HEIGHT, 0, 1
   };
   const struct sgt_piece texture = { 0x800000, 0x800000 + 64 * 64 * 4, 2, 64, 64, 0, 1 };
   struct maker m = { .builder = sgt_trace_builder_create(), .random = seed };
   uint32_t packet = 1, draw = 100;

   m.screen = sgt_trace_builder_set(m.builder, &screen, 1);
   m.texture = sgt_trace_builder_set(m.builder, &texture, 1);
   sgt_trace_builder_presented(m.builder, WIDTH, HEIGHT);

   begin_operation(&m, packet++, UINT32_MAX, false);
   put_item(&m, SGT_ITEM_CLEAR, m.screen, 0, 0, WIDTH, HEIGHT);
   while (triangles) {
      const uint32_t what = random_below(&m, 8);
      uint32_t left = what == 0 ? 1 : 1 + random_below(&m, 40);
      int x = random_below(&m, WIDTH - 40), y = random_below(&m, HEIGHT - 40);
      left = left < triangles ? left : triangles;
      triangles -= left;
      begin_operation(&m, packet, draw, what == 1);
      packet += 1 + random_below(&m, 5);
      draw++;
      if (what == 2) {
         const struct sgt_region source = { .set = m.texture, .rect = { 0, 0, 64, 64 } };
         sgt_trace_builder_sources(m.builder, &source, 1);
      }
      for (uint32_t i = 0; i < left; i++) {
         if (what == 0)
            put_triangle(&m, 0, 0, WIDTH, HEIGHT);
         else
            put_triangle(&m, x, y, 10 + what * 3, 8 + what * 2);
         x = x + 9 < WIDTH - 40 ? x + 9 : 0;
      }
      if (what == 3) {
         /* An environment map: a part of the picture is copied and read later. */
         begin_operation(&m, packet++, UINT32_MAX, false);
         const struct sgt_region source = { .set = m.screen, .rect = { 0, 0, 64, 64 } };
         sgt_trace_builder_sources(m.builder, &source, 1);
         put_item(&m, SGT_ITEM_COPY, m.texture, 0, 0, 64, 64);
      }
   }
   struct sgt_trace *trace = sgt_trace_builder_finish(m.builder);
   sgt_trace_builder_destroy(m.builder);
   return trace;
}

static bool
load(struct sim_frames *frames, const struct sim_options *o, const char *path)
{
   uint64_t seed;
   uint32_t triangles;

   const char *slash = strrchr(path, '/');
   if (sscanf(slash ? slash + 1 : path, "%" SCNu64 "-%" SCNu32, &seed, &triangles) != 2) {
      fprintf(stderr, "sgpu: %s: expected SEED-TRIANGLES\n", path);
      return false;
   }
   snprintf(frames->program, sizeof frames->program, "synthetic");
   for (uint64_t frame = FIRST; frame <= LAST; frame++) {
      sim_frames_see(frames, frame);
      if (frame < o->first_frame || frame > o->last_frame)
         continue;
      if (!sim_frames_add(frames, frame, make_frame(seed + frame, triangles)))
         return false;
   }
   return true;
}

int
main(int argc, char **argv)
{
   return sim_command(argc, argv, load);
}
