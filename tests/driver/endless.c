/* SPDX-License-Identifier: MIT */
/*
 * Tests that the device stops a shader that never ends.  The program continues, and its later
 * draws are correct.  A context with reset notification is lost instead, and reports that it is
 * guilty.
 *
 *    endless finish     the next draw comes after glFinish
 *    endless stream     the next draw is in the same submission
 *    endless robust     uses a context with reset notification
 *    endless innocent   uses such a context while another context draws without end
 *
 * In the following cases, each shader ends, but the draw would take days:
 *
 *    endless long       a context with reset notification is lost
 *    endless hopeless   the device ends a draw long before its time budget, because the draw
 *                       would exceed the budget by far
 *    endless shared     another context draws at the same time, and then the program ends
 *    endless terminated SIGTERM ends the program
 *    endless handled    the program's handler of SIGTERM ends it by exit()
 *    endless blocked    SIGTERM does not end the program, because it is blocked
 */
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gles.h"

/* Defined by EGL_EXT_create_context_robustness and GL_EXT_robustness. */
#ifndef GL_GUILTY_CONTEXT_RESET_EXT
#define GL_GUILTY_CONTEXT_RESET_EXT 0x8253
#endif

/* Width and height of the target in pixels.  It is small because each warp that does not end runs
 * up to the device's limit.
 */
#define SIZE 8

static const char fragment[] = "precision mediump float;\n"
                               "uniform float step, colour;\n"
                               "void main() {\n"
                               "   float x = 0.0;\n"
                               "   while (x < 1.0)\n"
                               "      x += step;\n"
                               "   gl_FragColor = vec4(colour, x, 0.0, 1.0);\n"
                               "}\n";

/* Fragment shaders of about a million and ten million iterations.  A draw has half a million warps.
 */
#define LONG_SIZE 4096
#define LONG_FRAGMENT(times)                        \
   "precision highp float;\n"                       \
   "uniform float step, colour;\n"                  \
   "void main() {\n"                                \
   "   float x = step;\n"                           \
   "   for (int i = 0; i < " times "; i++)\n"       \
   "      x = x * 1.0001 + step;\n"                 \
   "   gl_FragColor = vec4(colour, x, 0.0, 1.0);\n" \
   "}\n"
static const char long_fragment[] = LONG_FRAGMENT("1000000");
static const char longer_fragment[] = LONG_FRAGMENT("10000000");

typedef GLenum (*status_func)(void);

static EGLContext
robust_context(EGLDisplay display)
{
   static const EGLint wanted[] = { EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT, EGL_NONE };
   static const EGLint attributes[] = {
      EGL_CONTEXT_CLIENT_VERSION,
      2,
      EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT,
      EGL_TRUE,
      EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
      EGL_LOSE_CONTEXT_ON_RESET_EXT,
      EGL_NONE,
   };
   EGLConfig config;
   EGLint count;

   CHECK(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
   CHECK(context);
   return context;
}

static GLuint program, texture;

/* Creates a program and a target for it, and binds both. */
static void
prepare(void)
{
   program = test_program(POSITION_VS, fragment);
   glUseProgram(program);
   test_target(SIZE, &texture);
}

static void
draw_long(const char *source)
{
   GLuint target;

   glUseProgram(test_program(POSITION_VS, source));
   test_target(LONG_SIZE, &target);
   test_fill();
   glFlush();
}

/* Draws with a loop that never ends if step is 0. */
static void
draw(float step, float colour)
{
   glUniform1f(glGetUniformLocation(program, "step"), step);
   glUniform1f(glGetUniformLocation(program, "colour"), colour);
   test_fill();
}

static bool
is_filled(float colour)
{
   unsigned char pixels[SIZE * SIZE][4];
   const unsigned char red = 255 * colour + 0.5f;

   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int i = 0; i < SIZE * SIZE; i++) {
      if (pixels[i][0] != red || pixels[i][1] != 255 || pixels[i][2] || pixels[i][3] != 255) {
         fprintf(stderr, "pixel %d: %u %u %u %u, not %u 255 0 255\n", i, pixels[i][0], pixels[i][1],
                 pixels[i][2], pixels[i][3], red);
         return false;
      }
   }
   return true;
}

static void
test_goes_on(EGLDisplay display, bool finish)
{
   test_current(display, test_context(display, EGL_NO_CONTEXT));
   prepare();
   draw(1.0f, 0.2f);
   CHECK(is_filled(0.2f));
   for (int i = 1; i <= 3; i++) {
      draw(0.0f, 1.0f);
      if (finish)
         glFinish();
      draw(1.0f, 0.25f * i);
      CHECK(is_filled(0.25f * i));
      CHECK(glGetError() == GL_NO_ERROR);
   }
}

static void
test_robust(EGLDisplay display)
{
   status_func status = (status_func)eglGetProcAddress("glGetGraphicsResetStatusEXT");

   test_current(display, robust_context(display));
   CHECK(status);
   prepare();
   draw(1.0f, 0.2f);
   CHECK(is_filled(0.2f) && status() == GL_NO_ERROR);
   draw(0.0f, 1.0f);
   glFinish();
   CHECK(status() == GL_GUILTY_CONTEXT_RESET_EXT);
   /* Mesa reports the reset twice. */
   status();
   CHECK(status() == GL_NO_ERROR);

   /* Another context of the same program works. */
   test_current(display, robust_context(display));
   prepare();
   draw(1.0f, 0.6f);
   CHECK(is_filled(0.6f) && status() == GL_NO_ERROR);
}

static void
test_innocent(EGLDisplay display)
{
   status_func status = (status_func)eglGetProcAddress("glGetGraphicsResetStatusEXT");
   EGLContext robust = robust_context(display), other = test_context(display, EGL_NO_CONTEXT);

   test_current(display, other);
   prepare();
   draw(0.0f, 1.0f);
   glFlush();
   test_current(display, robust);
   prepare();
   draw(1.0f, 0.4f);
   CHECK(is_filled(0.4f));
   CHECK(status() == GL_NO_ERROR);
   test_current(display, other);
   glFinish();
   test_current(display, robust);
   CHECK(status() == GL_NO_ERROR);
   draw(1.0f, 0.8f);
   CHECK(is_filled(0.8f));
}

static void
test_long(EGLDisplay display)
{
   status_func status = (status_func)eglGetProcAddress("glGetGraphicsResetStatusEXT");

   test_current(display, robust_context(display));
   draw_long(long_fragment);
   draw_long(long_fragment);
   glFinish();
   CHECK(status() == GL_GUILTY_CONTEXT_RESET_EXT);
   test_current(display, robust_context(display));
   prepare();
   draw(1.0f, 0.6f);
   CHECK(is_filled(0.6f) && status() == GL_NO_ERROR);
}

/* Tests that a draw that would exceed its budget of one minute by far ends before. */
static void
test_hopeless(EGLDisplay display)
{
   struct timespec begin, end;

   test_current(display, test_context(display, EGL_NO_CONTEXT));
   draw_long(longer_fragment);
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
   glFinish();
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
   CHECK(end.tv_sec - begin.tv_sec < 50);
   CHECK(glGetError() == GL_NO_ERROR);
   prepare();
   draw(1.0f, 0.6f);
   CHECK(is_filled(0.6f));
}

/* Tests that another context can draw during a long draw.  The long draw has not ended when the
 * program exits.
 */
static void
test_shared(EGLDisplay display)
{
   EGLContext other = test_context(display, EGL_NO_CONTEXT);

   test_current(display, test_context(display, EGL_NO_CONTEXT));
   draw_long(long_fragment);
   test_current(display, other);
   prepare();
   for (int i = 0; i < 4; i++) {
      draw(1.0f, 0.2f * i);
      CHECK(is_filled(0.2f * i));
   }
}

static void
end(int number)
{
   exit(7);
}

static double
seconds(void)
{
   struct timespec t;

   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec + t.tv_nsec * 1e-9;
}

enum signal_case {
   SIGNAL_DEFAULT,
   SIGNAL_HANDLED,
   SIGNAL_BLOCKED,
};

static void
wait_long(enum signal_case what, int begun)
{
   EGLDisplay display = test_display();
   sigset_t set;
   char byte = 0;

   sigemptyset(&set);
   sigaddset(&set, SIGTERM);
   test_current(display, test_context(display, EGL_NO_CONTEXT));
   if (what == SIGNAL_HANDLED)
      signal(SIGTERM, end);
   if (what == SIGNAL_BLOCKED)
      sigprocmask(SIG_BLOCK, &set, NULL);
   draw_long(longer_fragment);
   CHECK(write(begun, &byte, 1) == 1);
   glFinish();
   CHECK(!sigpending(&set));
   _exit(sigismember(&set, SIGTERM) ? 3 : 1);
}

/* Tests SIGTERM in a child process that waits for a long draw.  A tile of the draw takes longer
 * than the process may take to end.
 */
static void
test_signal(enum signal_case what)
{
   int begun[2], status;
   char byte = 0;

   CHECK(!pipe(begun));
   const pid_t child = fork();
   if (!child) {
      /* Kill the child if the test ends first. */
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      wait_long(what, begun[1]);
   }
   CHECK(child > 0 && read(begun[0], &byte, 1) == 1);
   usleep(300000);
   const double begin = seconds();
   CHECK(!kill(child, SIGTERM));
   CHECK(waitpid(child, &status, 0) == child);
   switch (what) {
   case SIGNAL_DEFAULT:
      CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
      break;
   case SIGNAL_HANDLED:
      CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
      break;
   case SIGNAL_BLOCKED:
      CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
      return;
   }
   CHECK(seconds() - begin < 8.0);
}

int
main(int argc, char **argv)
{
   const char *what = argc > 1 ? argv[1] : "";

   static const char *const signals[] = { "terminated", "handled", "blocked" };

   for (int i = 0; i < 3; i++) {
      if (!strcmp(what, signals[i])) {
         test_signal(i);
         printf("%s: as it should be\n", what);
         return 0;
      }
   }

   EGLDisplay display = test_display();
   if (!strcmp(what, "finish"))
      test_goes_on(display, true);
   else if (!strcmp(what, "stream"))
      test_goes_on(display, false);
   else if (!strcmp(what, "robust"))
      test_robust(display);
   else if (!strcmp(what, "innocent"))
      test_innocent(display);
   else if (!strcmp(what, "long"))
      test_long(display);
   else if (!strcmp(what, "hopeless"))
      test_hopeless(display);
   else if (!strcmp(what, "shared"))
      test_shared(display);
   else
      return 2;
   printf("%s: as it should be\n", what);
   return 0;
}
