/* SPDX-License-Identifier: MIT */
/*
 * Tests the life cycle of processes, contexts and surfaces.  No test may hang or crash:
 *
 *    lifecycle fork      forks in the middle of a frame; the child exits and the parent continues
 *                        to draw
 *    lifecycle exit      exits in the middle of a frame, while the device works
 *    lifecycle signals   receives a timer's signals while drawing: only threads of the
 *                        application may get them
 *    lifecycle dlclose   draws, terminates and unloads, several times
 *    lifecycle first     prints the time from eglInitialize to the first finished draw
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gles.h"

#define SIZE 256

static GLuint program;

static EGLDisplay
begin(void)
{
   GLuint texture;
   EGLDisplay display = test_display();
   test_current(display, test_context(display, EGL_NO_CONTEXT));
   program = test_program(POSITION_VS, SLOW_FS);
   glUseProgram(program);
   test_target(SIZE, &texture);
   return display;
}

static void
draw(int value)
{
   glUniform4f(glGetUniformLocation(program, "colour"), value / 255.0f, 0, 1, 1);
   test_fill();
}

static void
expect(int value)
{
   unsigned char pixel[4];
   test_pixel(SIZE / 2, SIZE / 2, pixel);
   CHECK(pixel[0] == value && pixel[1] == 0 && pixel[2] == 255 && pixel[3] == 255);
}

static void
test_fork(void)
{
   begin();
   for (int i = 0; i < 10; i++) {
      draw(i);
      glFlush();
      const pid_t pid = fork();
      if (pid == 0) {
         alarm(20);
         /* exit handlers run in the child, too */
         exit(0);
      }
      int status;
      CHECK(waitpid(pid, &status, 0) == pid);
      CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
      draw(100 + i);
      expect(100 + i);
   }
}

static void
test_exit(void)
{
   for (int i = 0; i < 10; i++) {
      const pid_t pid = fork();
      if (pid == 0) {
         alarm(20);
         begin();
         for (int j = 0; j < 20; j++)
            draw(j);
         if (i & 1)
            glFlush();
         exit(7);
      }
      int status;
      CHECK(waitpid(pid, &status, 0) == pid);
      CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
   }
}

static pthread_t main_thread;
static volatile sig_atomic_t signals, elsewhere;

static void
on_alarm(int number)
{
   (void)number;
   signals++;
   elsewhere += !pthread_equal(pthread_self(), main_thread);
}

static void
test_signals(void)
{
   struct sigaction action = { .sa_handler = on_alarm };
   struct itimerval every = { { 0, 1000 }, { 0, 1000 } };
   main_thread = pthread_self();
   sigaction(SIGALRM, &action, NULL);
   begin();
   setitimer(ITIMER_REAL, &every, NULL);
   for (int i = 0; i < 100; i++) {
      draw(i);
      expect(i);
   }
   memset(&every, 0, sizeof(every));
   setitimer(ITIMER_REAL, &every, NULL);
   CHECK(signals > 0);
   CHECK(elsewhere == 0);
}

/* Tests that the driver can be loaded and unloaded with each eglTerminate while it works, and
 * separately.
 */
static void
test_dlclose(void)
{
   for (int i = 0; i < 5; i++) {
      EGLDisplay display = begin();
      draw(i);
      expect(i);
      draw(i + 1);
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      CHECK(eglTerminate(display));
      CHECK(eglReleaseThread());
   }

   for (int i = 0; i < 5; i++) {
      char path[4096];
      const char *drivers = getenv("LIBGL_DRIVERS_PATH");
      if (!drivers)
         return;
      snprintf(path, sizeof(path), "%s/swrast_dri.so", drivers);
      void *driver = dlopen(path, RTLD_NOW);
      CHECK(driver);
      CHECK(dlsym(driver, "__driDriverGetExtensions_swrast"));
      CHECK(dlclose(driver) == 0);
   }
}

static double
now_ms(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static void
test_first(void)
{
   const double start = now_ms();
   EGLDisplay display = test_display();
   const double initialized = now_ms();
   test_current(display, test_context(display, EGL_NO_CONTEXT));
   const double current = now_ms();
   GLuint texture;
   program = test_program(POSITION_VS, "precision mediump float; uniform vec4 colour;\n"
                                       "void main() { gl_FragColor = colour; }");
   glUseProgram(program);
   test_target(SIZE, &texture);
   draw(5);
   glFinish();
   const double drawn = now_ms();
   expect(5);
   printf("eglInitialize %.1f ms, context %.1f ms, shaders and first draw %.1f ms, "
          "together %.1f ms\n",
          initialized - start, current - initialized, drawn - current, drawn - start);
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*run)(void);
   } tests[] = {
      { "fork", test_fork },       { "exit", test_exit },   { "signals", test_signals },
      { "dlclose", test_dlclose }, { "first", test_first },
   };
   for (unsigned i = 0; argc == 2 && i < sizeof(tests) / sizeof(tests[0]); i++) {
      if (!strcmp(argv[1], tests[i].name)) {
         tests[i].run();
         return 0;
      }
   }
   fputs("usage: lifecycle fork|exit|signals|dlclose|first\n", stderr);
   return 2;
}
