/* SPDX-License-Identifier: MIT */
/*
 * Savings of policy ooo+split+break by overdraw, order of primitives and cost of the program.
 *
 *    sgd_bench_overdraw [POLICY [ORDER [LAYERS [PROGRAM [FRAMES]]]]]
 *
 * Without arguments, prints a table. For each order, overdraw and program, it has the fragments
 * shaded, and the time of ooo+split divided by that of ooo+split+break, on one worker: CPU time of
 * the process, and elapsed time. The ratio is the median over pairs of runs, which take turns in
 * coming first. The interval of the median (95 %) comes from the order statistics.
 *
 * With arguments, does one such run, to count its instructions. ORDER is 0 to 3 (back to front,
 * random with depth, random without, front to back), PROGRAM 0 to 2.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scene.h"

#define FRAMES 40
#define PAIRS 25
/* rank of both ends of the interval, counted from either side: 95.7 % for 25 pairs */
#define RANK 7
#define SIDE 40.0f /* side of the squares, in pixels */

enum order { BACK_TO_FRONT, RANDOM, FLAT, FRONT_TO_BACK, ORDERS };
static const char *const orders[] = { "back to front", "random", "random, no depth",
                                      "front to back" };
static const char *const programs[] = { "colour", "two textures", "50 operations" };
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

struct result {
   double ms, cpu_ms;     /* time of a frame, in ms */
   double shaded, pixels; /* number of fragments shaded and of pixels drawn in a frame */
};

static struct SGPU_SHADER
make_program(struct scene *s, unsigned program)
{
   char text[8192] = "!!SGFP1.0\nMOV R0, v[0];\n";

   if (program == 1)
      strcat(text, "TEX R1, v[1], tex[0], smp[0], 2D; TEX R2, v[2], tex[0], smp[0], 2D;\n"
                   "MUL R1, R1, R2; MAD R0, R0, R1, c[0];\n");
   for (unsigned i = 0; program == 2 && i < 25; i++)
      strcat(text, "MAD R1, R0, v[1], v[2]; MUL R0, R1, c[1];\n");
   strcat(text, "MOV o[COLR0], R0;\nEND\n");
   return scene_program(s, text);
}

static void
bind_texture(struct scene *s)
{
   const struct scene_image image = scene_target(s, SGPU_FORMAT_R8G8B8A8_UNORM, 64, 64);

   scene_noise(s, &image);
   s->st.texture[0] = scene_texture(&image);
   s->st.sampler[0] = (struct SGPU_SAMPLER){
      .min_filter = SGPU_FILTER_LINEAR,
      .mag_filter = SGPU_FILTER_LINEAR,
      .max_lod = 10.0f,
   };
   s->st.num_textures = 1;
}

/* Makes squares that cover the window `layers` times, in the given order. Returns their number. */
static unsigned
make_squares(struct scene *s, enum order order, unsigned layers)
{
   unsigned squares = 0;

   for (unsigned layer = 0; layer < layers; layer++) {
      const float away = (float)(order == FRONT_TO_BACK ? layer : layers - 1 - layer);
      for (float y = 0.0f; y < SCENE_H; y += SIDE) {
         for (float x = 0.0f; x < SCENE_W; x += SIDE, squares++) {
            const float z = order == RANDOM ? scene_float(s, 0.0f, 1.0f)
                                            : 0.125f + away / (float)(2 * layers);
            const float corner[6][2] = {
               { 0, 0 }, { 1, 0 }, { 0, 1 }, { 0, 1 }, { 1, 0 }, { 1, 1 }
            };
            for (unsigned i = 0; i < 6; i++)
               scene_vertex(s, x + SIDE * corner[i][0], y + SIDE * corner[i][1], z, 1.0f);
         }
      }
   }
   return squares;
}

static double
now(clockid_t clock)
{
   struct timespec ts;

   clock_gettime(clock, &ts);
   return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static struct result
run(enum sgpu_dispatch_policy policy, enum order order, unsigned layers, unsigned program,
    unsigned frames)
{
   static const float black[4] = { 0.0f };
   static struct scene s;
   struct sgpu_device *dev = scene_device(1, policy, 0);

   scene_begin(&s, dev);
   s.st.dsa.depth_test = s.st.dsa.depth_write = order != FLAT;
   s.st.ps = make_program(&s, program);
   bind_texture(&s);
   const unsigned squares = make_squares(&s, order, layers);
   scene_submit(&s);
   sgpu_bo_wait(s.st.color[0].bo, UINT64_MAX);

   const double begin = now(CLOCK_MONOTONIC), cpu_begin = now(CLOCK_PROCESS_CPUTIME_ID);
   const uint64_t shaded = scene_counter(dev, "pixel_lanes"), pixels = scene_counter(dev, "pixels");
   for (unsigned f = 0; f < frames; f++) {
      scene_clear(&s, black, 1.0, 0);
      /* One draw for each row of each layer. */
      for (unsigned q = 0; q < squares; q += 4)
         scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, 6 * q, 6 * (squares - q < 4 ? squares - q : 4));
      scene_submit(&s);
   }
   sgpu_bo_wait(s.st.color[0].bo, UINT64_MAX);
   const double n = frames;
   const struct result result = {
      .ms = (now(CLOCK_MONOTONIC) - begin) / n,
      .cpu_ms = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin) / n,
      .shaded = (double)(scene_counter(dev, "pixel_lanes") - shaded) / n,
      .pixels = (double)(scene_counter(dev, "pixels") - pixels) / n,
   };
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
   return result;
}

static int
compare_doubles(const void *a, const void *b)
{
   const double x = *(const double *)a, y = *(const double *)b;

   return x < y ? -1 : x > y;
}

static void
print_row(enum order order, unsigned layers, unsigned program)
{
   static const enum sgpu_dispatch_policy policies[2] = { SGPU_DISPATCH_OOO_SPLIT,
                                                          SGPU_DISPATCH_OOO_SPLIT_BREAK };
   double cpu[PAIRS], wall[PAIRS];
   struct result r[2];

   for (unsigned i = 0; i < PAIRS; i++) {
      for (unsigned j = 0; j < 2; j++)
         r[(i + j) % 2] = run(policies[(i + j) % 2], order, layers, program, FRAMES);
      cpu[i] = r[0].cpu_ms / r[1].cpu_ms;
      wall[i] = r[0].ms / r[1].ms;
   }
   qsort(cpu, PAIRS, sizeof(cpu[0]), compare_doubles);
   qsort(wall, PAIRS, sizeof(wall[0]), compare_doubles);
   printf("%-18s %8u  %-14s %9.0f %9.0f %9.0f %8.2f (%.2f to %.2f) %8.2f (%.2f to %.2f)\n",
          orders[order], layers, programs[program], r[0].pixels, r[0].shaded, r[1].shaded,
          cpu[PAIRS / 2], cpu[RANK], cpu[PAIRS - 1 - RANK], wall[PAIRS / 2], wall[RANK],
          wall[PAIRS - 1 - RANK]);
   fflush(stdout);
}

static void
print_table(void)
{
   static const unsigned counts[] = { 1, 2, 3, 4, 8 };

   printf("%-18s %8s  %-14s %9s %9s %9s %8s %-14s %8s\n", "order", "overdraw", "program", "covered",
          "shaded", "of these", "CPU time", "(95 %)", "clock");
   for (enum order order = 0; order < ORDERS; order++) {
      for (unsigned l = 0; l < sizeof(counts) / sizeof(counts[0]); l++) {
         for (unsigned program = 0; program < PROGRAMS; program++)
            print_row(order, counts[l], program);
      }
   }
}

int
main(int argc, char **argv)
{
   enum sgpu_dispatch_policy policy;

   if (argc == 1) {
      print_table();
      return 0;
   }
   const unsigned order = argc > 2 ? atoi(argv[2]) : 0, layers = argc > 3 ? atoi(argv[3]) : 4;
   const unsigned program = argc > 4 ? atoi(argv[4]) : 1,
                  frames = argc > 5 ? atoi(argv[5]) : FRAMES;
   if (!sgpu_dispatch_find(argv[1], &policy) || order >= ORDERS || !layers || layers > 64 ||
       program >= PROGRAMS || !frames) {
      fprintf(stderr, "usage: sgd_bench_overdraw [POLICY [ORDER [LAYERS [PROGRAM [FRAMES]]]]]\n");
      return 2;
   }
   const struct result r = run(policy, order, layers, program, frames);
   printf("%.3f ms, %.3f ms of CPU time, %.0f pixels, %.0f fragments shaded a frame\n", r.ms,
          r.cpu_ms, r.pixels, r.shaded);
   return 0;
}
