/* SPDX-License-Identifier: MIT */
/*
 * Tests processes that fork after they used GL.  Parent and child draw, whatever the child does
 * first, and neither sees the other's drawing.  Prints what went wrong.
 */
#include <pthread.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gles.h"

#define SIZE 128
#define SECONDS 60

static EGLDisplay display;
/* Current context of the parent; libglvnd does not keep it as current in a child. */
static EGLContext context;
static GLint colour;

/* Creates a program and a target for the current context. */
static void
prepare(void)
{
   GLuint texture;
   GLuint program = test_program(POSITION_VS, SLOW_FS);

   glUseProgram(program);
   colour = glGetUniformLocation(program, "colour");
   test_target(SIZE, &texture);
}

static void
begin(void)
{
   display = test_display();
   context = test_context(display, EGL_NO_CONTEXT);
   test_current(display, context);
   prepare();
}

static void
draw(int value)
{
   glUniform4f(colour, value / 255.0f, 0, 1, 1);
   test_fill();
}

static bool
has(int value)
{
   unsigned char pixel[4];

   for (int i = 0; i < SIZE; i += 31) {
      test_pixel(i, SIZE - 1 - i, pixel);
      if (pixel[0] != value || pixel[1] || pixel[2] != 255 || pixel[3] != 255) {
         fprintf(stderr, "%d,%d: %d %d %d %d, not %d 0 255 255\n", i, SIZE - 1 - i, pixel[0],
                 pixel[1], pixel[2], pixel[3], value);
         return false;
      }
   }
   return glGetError() == GL_NO_ERROR;
}

static bool
ended_well(pid_t pid)
{
   int status;

   CHECK(waitpid(pid, &status, 0) == pid);
   if (WIFSIGNALED(status))
      fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
   return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs a function in a child process.  If handlers is set, the child's exit handlers run, too. */
static bool
in_child(bool (*run)(void), bool handlers)
{
   const pid_t pid = fork();

   if (pid)
      return ended_well(pid);
   alarm(SECONDS);
   const int status = run() ? 0 : 1;
   if (handlers)
      exit(status);
   _exit(status);
}

/*
 * The following functions run in a child.
 */

/* Creates a context on the display that the parent has initialized. */
static bool
new_context(void)
{
   test_current(display, test_context(display, EGL_NO_CONTEXT));
   prepare();
   draw(22);
   return has(22);
}

/* Terminates the display and initializes it again. */
static bool
new_display(void)
{
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   CHECK(eglTerminate(display));
   begin();
   draw(23);
   return has(23);
}

/* Continues with the parent's context, whose last draw may not have ended yet. */
static bool
go_on(void)
{
   if (!has(40))
      return false;
   draw(24);
   if (!has(24))
      return false;
   draw(25);
   glFinish();
   return has(25);
}

/* Forks again and continues in both processes. */
static bool
go_on_twice(void)
{
   return has(40) && in_child(go_on, true) && go_on();
}

/* Destroys all objects without a call that draws. */
static bool
destroy(void)
{
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   return eglDestroyContext(display, context) && eglTerminate(display) && eglReleaseThread();
}

/* Does nothing. */
static bool
nothing(void)
{
   return true;
}

/*
 * The following functions run in a parent.
 */

static bool
with(bool (*child)(void))
{
   bool ok = true;

   begin();
   for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 8; j++)
         draw(33 + j);
      glFlush();
      ok &= in_child(child, i);
      draw(50 + i);
      ok &= has(50 + i);
   }
   return ok;
}

static bool
same(void)
{
   return with(new_context);
}

static bool
again(void)
{
   return with(new_display);
}

static bool
inherited(void)
{
   return with(go_on);
}

static bool
generations(void)
{
   return with(go_on_twice);
}

static bool
destroyed(void)
{
   return with(destroy);
}

static bool
left_alone(void)
{
   return with(nothing);
}

/* Initializes a display, as programs do to query the version, and does nothing else. */
static bool
asked(void)
{
   display = test_display();
   return in_child(new_context, true) && in_child(new_display, false);
}

/* Does not use OpenGL in the parent. */
static bool
first(void)
{
   return in_child(again, true);
}

static volatile bool stop;

static void *
draw_on(void *data)
{
   test_current(display, data);
   prepare();
   for (int i = 0; !stop; i++) {
      draw(i % 256);
      CHECK(has(i % 256));
   }
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   return NULL;
}

/* Tests a fork while another thread of the parent draws.  The child may not use OpenGL, and must be
 * able to exit.
 */
static bool
threads(void)
{
   pthread_t thread;
   bool ok = true;

   begin();
   EGLContext other = test_context(display, EGL_NO_CONTEXT);
   CHECK(!pthread_create(&thread, NULL, draw_on, other));
   for (int i = 0; i < 20; i++) {
      draw(i);
      ok &= in_child(nothing, false) && has(i);
   }
   stop = true;
   pthread_join(thread, NULL);
   return ok;
}

static bool
is_wanted(const char *name, int argc, char **argv)
{
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], name))
         return true;
   }
   return argc == 1;
}

/* The arguments are names of tests; all tests run if there are none. */
int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      bool (*run)(void);
   } tests[] = {
      { "same", same },           { "again", again },
      { "inherited", inherited }, { "generations", generations },
      { "destroyed", destroyed }, { "left alone", left_alone },
      { "asked", asked },         { "first", first },
      { "threads", threads },
   };
   int failures = 0;

   for (unsigned i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
      if (is_wanted(tests[i].name, argc, argv) && !in_child(tests[i].run, true)) {
         fprintf(stderr, "%s: failed\n", tests[i].name);
         failures++;
      }
   }
   return failures != 0;
}
