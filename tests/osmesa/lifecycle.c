/* SPDX-License-Identifier: MIT */
/*
 * Contexts that are made and destroyed: memory and files of the process must not grow.  Handlers
 * that run at exit may use GL and destroy contexts.
 *
 *    lifecycle ROUNDS
 */
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include "osmesa_test.h"

#define SIZE 64

static uint32_t memory[SIZE * SIZE];
static OSMesaContext at_exit;

/* Returns the resident memory of the process, in KiB. */
static long
resident(void)
{
   FILE *file = fopen("/proc/self/statm", "r");
   long pages = 0;

   REQUIRE(file && fscanf(file, "%*d %ld", &pages) == 1);
   fclose(file);
   return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int
open_files(void)
{
   DIR *folder = opendir("/proc/self/fd");
   int count = 0;

   REQUIRE(folder);
   while (readdir(folder))
      count++;
   closedir(folder);
   return count;
}

static void
make_contexts(unsigned rounds)
{
   static const int formats[] = { OSMESA_RGBA, OSMESA_RGB, OSMESA_BGRA };
   long start = 0;
   int files = 0;

   for (unsigned i = 0; i <= rounds; i++) {
      OSMesaContext context = OSMesaCreateContextExt(formats[i % 3], 24, 8, i % 2 * 16, NULL);

      if (i == rounds / 5) {
         start = resident();
         files = open_files();
      }
      test_bind(context, memory, GL_UNSIGNED_BYTE, 1 + i % SIZE, SIZE);
      glBegin(GL_TRIANGLES);
      glColor3ub(i & 255, i >> 8, 9);
      glVertex2f(-1, -3);
      glVertex2f(3, 1);
      glVertex2f(-1, 1);
      glEnd();
      if (i % 4 != 3)
         glFinish();
      if (i % 7 == 0)
         OSMesaMakeCurrent(NULL, NULL, 0, 0, 0);
      OSMesaDestroyContext(context);
   }
   const long grown = resident() - start;
   printf("%ld KiB more of %ld\n", grown, start);
   CHECK(grown < 4096, "%ld KiB more", grown);
   CHECK(open_files() <= files, "%i files, before %i", open_files(), files);
}

/* Runs after the library's own handler. */
static void
draw_at_exit(void)
{
   /* more than one batch of Mesa's threaded context */
   for (int i = 0; i < 5000; i++) {
      glColor3ub(i & 255, 2, 3);
      glRectf(-1, -1, 1, 1);
      glScissor(0, 0, i % 8 + 1, 8);
   }
   glFinish();
   if (memory[0] != test_rgb(4999 & 255, 2, 3))
      _exit(5);
   test_clear(11, 22, 33);
   if (memory[0] != test_rgb(11, 22, 33))
      _exit(2);
   OSMesaDestroyContext(at_exit);
   at_exit = OSMesaCreateContext(OSMESA_RGBA, NULL);
   if (!at_exit || !OSMesaMakeCurrent(at_exit, memory, GL_UNSIGNED_BYTE, 1, 1))
      _exit(3);
   test_clear(44, 55, 66);
   if (memory[0] != test_rgb(44, 55, 66))
      _exit(4);
}

/* A process that ends while a context is current.  `how`: 0 finishes its work, 1 also draws in an
 * exit handler, 2 ends with work under way.
 */
static void
end_process(int how)
{
   const pid_t child = fork();
   int status = 0;

   if (child == 0) {
      if (how == 1)
         atexit(draw_at_exit);
      at_exit = test_context(memory, 8, 8);
      glClear(GL_COLOR_BUFFER_BIT);
      if (how != 2)
         glFinish();
      exit(0);
   }
   waitpid(child, &status, 0);
   CHECK(status == 0, "way %i: status 0x%x", how, status);
}

int
main(int argc, char **argv)
{
   const unsigned rounds = argc > 1 ? atoi(argv[1]) : 100;

   for (int how = 0; how < 3; how++)
      end_process(how);
   make_contexts(rounds);
   return fails != 0;
}
