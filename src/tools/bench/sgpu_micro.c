/* SPDX-License-Identifier: MIT */
/*
 * Runs micro-benchmarks, each of which measures one part of a device, on any OpenGL 3.3 driver.
 *
 *    sgpu-micro [-w SECONDS] [-s SECONDS] NAME
 *    sgpu-micro -1 NAME
 *    sgpu-micro -c
 *
 * Checks the first frame of benchmark NAME, runs more frames for a warm-up (-w, default 0.5 s),
 * then runs and counts frames (-s, default 2 s).  Waits for each frame.  Prints these lines:
 *
 *    work W UNIT        amount of work in a frame
 *    bytes B            minimum number of bytes of memory that a frame reads and writes
 *    lanes L busy B     only on sgpu: fraction of the lanes in pixel warps that had a pixel, and
 *                       fraction of the time that the workers were busy
 *    FRAMES SECONDS     number of frames and their total time in seconds, as in sgpu-shot
 *
 * -1: draws one frame and prints the time in seconds (CLOCK_MONOTONIC) when it has finished.
 * -c: copies memory on all processors, without GL, and prints the number of bytes that are read
 *     and written per second.
 * The benchmark `shaders` draws 50 frames, each with a new program, and prints the time of the
 * slowest frame in seconds.  Without a name, the tool prints the list of benchmarks.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_micro.h"

#define COPY_BYTES (64u << 20)
#define COPY_ROUNDS 8
#define MAX_CPUS 64
#define SHADERS 50

static const struct micro *current;

static void
frame(void)
{
   current->frame(current);
}

static void *
copy(void *arg)
{
   char *memory = arg;

   for (unsigned i = 0; i < COPY_ROUNDS; i++) {
      memcpy(memory + (i & 1 ? 0 : COPY_BYTES), memory + (i & 1 ? COPY_BYTES : 0), COPY_BYTES);
      __asm__ volatile("" : : "r"(memory) : "memory");
   }
   return NULL;
}

static double
copy_bandwidth(void)
{
   const long found = sysconf(_SC_NPROCESSORS_ONLN);
   const unsigned cpus = found < 1 ? 1 : found > MAX_CPUS ? MAX_CPUS : (unsigned)found;
   pthread_t threads[MAX_CPUS];
   char *memory[MAX_CPUS];

   for (unsigned i = 0; i < cpus; i++) {
      memory[i] = bench_alloc(2 * (size_t)COPY_BYTES);
      memset(memory[i], 1, 2 * (size_t)COPY_BYTES);
   }
   const double begin = bench_now();
   for (unsigned i = 0; i < cpus; i++) {
      if (pthread_create(&threads[i], NULL, copy, memory[i]))
         bench_fail("no thread");
   }
   for (unsigned i = 0; i < cpus; i++)
      pthread_join(threads[i], NULL);
   const double seconds = bench_now() - begin;
   for (unsigned i = 0; i < cpus; i++)
      free(memory[i]);
   return 2.0 * cpus * COPY_BYTES * COPY_ROUNDS / seconds;
}

/* Device counters that are read with GL_AMD_performance_monitor. */
static const char *const counter_names[] = { "pixel_warps", "pixel_lanes", "busy_ns", "idle_ns" };
#define COUNTERS 4

static bool
find_counters(GLuint *group, GLuint counters[COUNTERS])
{
   GLint count, groups = 0, most;
   GLuint all[512], ids[8];
   char name[64];
   unsigned found = 0;
   bool has = false;

   glGetIntegerv(GL_NUM_EXTENSIONS, &count);
   for (GLint i = 0; i < count; i++)
      has |= !strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i),
                     "GL_AMD_performance_monitor");
   if (!has)
      return false;
   glGetPerfMonitorGroupsAMD(&groups, 8, ids);
   for (GLint g = 0; g < groups && g < 8; g++) {
      glGetPerfMonitorCountersAMD(ids[g], &count, &most, 512, all);
      for (GLint i = 0; i < count && i < 512; i++) {
         glGetPerfMonitorCounterStringAMD(ids[g], all[i], sizeof(name), NULL, name);
         for (unsigned k = 0; k < COUNTERS; k++) {
            if (!strcmp(name, counter_names[k])) {
               counters[k] = all[i];
               *group = ids[g];
               found |= 1u << k;
            }
         }
      }
   }
   return found == (1u << COUNTERS) - 1;
}

static void
print_lanes(GLuint monitor, const GLuint counters[COUNTERS])
{
   /* For each counter, the result contains the ID of its group, its own ID and a 64-bit value. */
   GLuint data[COUNTERS * 4] = { 0 };
   GLsizei written = 0;
   double values[COUNTERS] = { 0 };

   glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AMD, sizeof(data), data, &written);
   for (unsigned at = 0; at + 4 <= (unsigned)written / 4; at += 4) {
      uint64_t value;
      memcpy(&value, data + at + 2, 8);
      for (unsigned k = 0; k < COUNTERS; k++) {
         if (data[at + 1] == counters[k])
            values[k] = (double)value;
      }
   }
   printf("lanes %.4f busy %.4f\n", values[0] > 0 ? values[1] / (32.0 * values[0]) : 0.0,
          values[2] + values[3] > 0 ? values[2] / (values[2] + values[3]) : 0.0);
}

static const struct micro *
find(const char *name)
{
   const struct micro *const groups[] = { micro_fills, micro_textures, micro_meshes, micro_shaders,
                                          micro_moves, micro_volumes,  micro_blits };
   const unsigned counts[] = { micro_fill_count,   micro_texture_count, micro_mesh_count,
                               micro_shader_count, micro_move_count,    micro_volume_count,
                               micro_blit_count };

   for (unsigned g = 0; g < sizeof(counts) / sizeof(counts[0]); g++) {
      for (unsigned i = 0; i < counts[g]; i++) {
         if (!name)
            printf("%-24s %s\n", groups[g][i].name, groups[g][i].text);
         else if (!strcmp(groups[g][i].name, name))
            return &groups[g][i];
      }
   }
   if (!name)
      printf("%-24s %s\n", "shaders", "the worst of 50 frames, each with a new program");
   return NULL;
}

/* Returns the time of the slowest frame in seconds, if each frame compiles a new program. */
static double
worst_of_shaders(void)
{
   double worst = 0.0;

   micro_target(false);
   micro_prepare_cover();
   for (int i = 0; i < SHADERS; i++) {
      char text[1000];
      const double begin = bench_now();
      snprintf(text, sizeof(text),
               "uniform vec4 seed; in vec2 at; out vec4 result;\n"
               "void main() { vec4 x = vec4(at, 0.5, 1.0) + seed;\n"
               "   for (int i = 0; i < %d; i++) x = fract(sin(x.yzwx * %d.5) + x.zwxy * %d.25);\n"
               "   if (x.x > 2.0) x = inversesqrt(x + %d.0);\n"
               "   result = vec4(%d.0 / 255.0, x.y * 0.0, 0.0, 1.0); }\n",
               2 + i % 5, i + 1, i + 2, i + 3, i);
      glUseProgram(bench_draw_program(MICRO_COVER, text));
      micro_cover(1);
      glFinish();
      const double seconds = bench_now() - begin;
      worst = seconds > worst ? seconds : worst;
      if (!micro_is(micro_read(), (const int[4]){ i, 0, 0, 255 }, 0))
         bench_fail("the picture is wrong");
   }
   return worst;
}

int
main(int argc, char **argv)
{
   double warm_up = 0.5, seconds = 2.0, elapsed;
   bool once = false;
   GLuint group = 0, counters[COUNTERS], monitor = 0;
   int option;

   while ((option = getopt(argc, argv, "w:s:1c")) != -1) {
      if (option == 'w')
         warm_up = atof(optarg);
      else if (option == 's')
         seconds = atof(optarg);
      else if (option == '1')
         once = true;
      else if (option == 'c') {
         printf("%.0f\n", copy_bandwidth());
         return 0;
      } else
         return 2;
   }
   if (optind == argc) {
      find(NULL);
      return 0;
   }
   const bool shaders = !strcmp(argv[optind], "shaders");
   current = find(argv[optind]);
   if (!current && !shaders)
      bench_fail("there is no such benchmark; without a name, sgpu-micro lists them");
   bench_make_context(3, 3);
   if (shaders) {
      printf("%.6f\n", worst_of_shaders());
      return 0;
   }
   current->prepare(current);
   if (once) {
      frame();
      glFinish();
      printf("%.6f\n", bench_now());
      return 0;
   }
   if (!current->check(current))
      bench_fail("the picture is wrong");
   bench_run(frame, warm_up, &elapsed);
   if (find_counters(&group, counters)) {
      glGenPerfMonitorsAMD(1, &monitor);
      glSelectPerfMonitorCountersAMD(monitor, GL_TRUE, group, COUNTERS, counters);
      glBeginPerfMonitorAMD(monitor);
   }
   const unsigned frames = bench_run(frame, seconds, &elapsed);
   if (monitor)
      glEndPerfMonitorAMD(monitor);
   if (glGetError() != GL_NO_ERROR)
      bench_fail("an OpenGL error");
   printf("work %.0f %s\nbytes %.0f\n", current->work, current->unit, current->bytes);
   if (monitor)
      print_lanes(monitor, counters);
   printf("%u %.6f\n", frames, elapsed);
   return 0;
}
