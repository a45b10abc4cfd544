/* SPDX-License-Identifier: MIT */
/*
 * Workers that are forked, where the parent has used GL, has a current context, or has threads
 * that create contexts: all draw, and none sees another's picture.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "osmesa_test.h"

#define SIZE 48
#define WORKERS 8

static uint32_t memory[SIZE * SIZE], before[SIZE * SIZE];
static atomic_bool stop;

/* Draws a triangle in the lower left half in a color of its own.  Returns whether it is there. */
static bool
draw(unsigned number)
{
   glViewport(0, 0, SIZE, SIZE);
   glClearColor(0, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glBegin(GL_TRIANGLES);
   glColor3ub(number, 255 - number, 3);
   glVertex2f(-1, -1);
   glVertex2f(1, -1);
   glVertex2f(-1, 1);
   glEnd();
   glFinish();
   return memory[0] == test_rgb(number, 255 - number, 3) &&
          memory[SIZE * SIZE - 1] == test_rgb(0, 0, 0);
}

static bool
draw_new(unsigned number)
{
   OSMesaContext context = OSMesaCreateContext(OSMESA_RGBA, NULL);
   bool ok = context && OSMesaMakeCurrent(context, memory, GL_UNSIGNED_BYTE, SIZE, SIZE);

   for (int i = 0; ok && i < 5; i++)
      ok = draw(number + i);
   OSMesaDestroyContext(context);
   return ok;
}

/* `inherited`: the workers first draw with the parent's context. */
static void
run_workers(bool inherited, const char *what)
{
   pid_t workers[WORKERS];

   fflush(stdout);
   for (unsigned i = 0; i < WORKERS; i++) {
      workers[i] = fork();
      if (workers[i] == 0) {
         alarm(60);
         if (inherited && !draw(100 + i))
            _exit(3);
         if (!draw_new(20 + i * 10))
            _exit(4);
         exit(0); /* with the handlers */
      }
   }
   for (unsigned i = 0; i < WORKERS; i++) {
      int status = -1;

      waitpid(workers[i], &status, 0);
      CHECK(status == 0, "%s, worker %u: status 0x%x", what, i, status);
   }
}

static void *
create_contexts(void *data)
{
   while (!atomic_load(&stop))
      OSMesaDestroyContext(OSMesaCreateContext(OSMESA_RGBA, NULL));
   return NULL;
}

int
main(void)
{
   run_workers(false, "the parent has not used GL");

   CHECK(draw_new(1), "no picture");
   run_workers(false, "the parent has used GL");

   OSMesaContext context = test_context(memory, SIZE, SIZE);
   CHECK(draw(77), "no picture");
   memcpy(before, memory, sizeof before);
   run_workers(true, "the parent has a context");
   CHECK(!memcmp(before, memory, sizeof before) && OSMesaGetCurrentContext() == context,
         "the parent's picture");
   CHECK(draw(78), "no picture");

   pthread_t thread;
   REQUIRE(!pthread_create(&thread, NULL, create_contexts, NULL));
   for (int i = 0; i < 3; i++)
      run_workers(true, "a thread creates contexts");
   atomic_store(&stop, true);
   pthread_join(thread, NULL);
   CHECK(draw(79), "no picture");
   OSMesaDestroyContext(context);
   return fails != 0;
}
