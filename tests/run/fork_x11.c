/* SPDX-License-Identifier: MIT */
/*
 * Tests windows of a process that forks after it used GL.  The child opens a new connection to the
 * X server, and both processes draw.
 *
 *    fork_x11 glx     the parent has a window, too
 *    fork_x11 egl     the parent has an EGL context without a window
 */
#include <sys/wait.h>
#include <unistd.h>

#include "../driver/egl.h"
#include "x11_glx.h"

static Window window;

static void
begin_glx(int x)
{
   dpy = XOpenDisplay(NULL);
   CHECK(dpy);
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   window = window_for(config, x, 0, WIDTH, HEIGHT);
   CHECK(glXMakeContextCurrent(dpy, window, window, context_for(config, NULL)));
}

static void
draw_window(uint32_t rgb)
{
   fill(0, 0, WIDTH, HEIGHT, BLACK);
   quad(10, 10, WIDTH - 20, HEIGHT - 20, rgb);
   EXPECT_READ(10, 10, WIDTH - 20, HEIGHT - 20, rgb);
   glXSwapBuffers(dpy, window);
   glXWaitGL();
   EXPECT(window, 10, 10, WIDTH - 20, HEIGHT - 20, rgb);
   EXPECT(window, 0, 0, WIDTH, 10, BLACK);
}

static void
wait_for(pid_t pid)
{
   int status;

   CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
   CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void
glx(void)
{
   begin_glx(0);
   for (int i = 0; i < 2; i++) {
      draw_window(YELLOW);
      const pid_t pid = fork();
      if (pid == 0) {
         alarm(50);
         begin_glx(WIDTH + 10);
         draw_window(GREEN);
         draw_window(BLUE);
         _exit(0);
      }
      draw_window(WHITE);
      wait_for(pid);
      draw_window(GREEN);
   }
}

static void
egl(void)
{
   EGLDisplay display = egl_display(EGL_OPENGL_API);
   CHECK(display);
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, NULL, NULL);
   CHECK(context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
   const pid_t pid = fork();
   if (pid == 0) {
      alarm(50);
      /* Release the current EGL context, because libglvnd permits only one vendor library per
       * thread.
       */
      eglReleaseThread();
      begin_glx(0);
      draw_window(GREEN);
      _exit(0);
   }
   wait_for(pid);
   glFinish();
   CHECK(glGetError() == GL_NO_ERROR);
}

int
main(int argc, char **argv)
{
   if (argc == 2 && !strcmp(argv[1], "glx"))
      glx();
   else if (argc == 2 && !strcmp(argv[1], "egl"))
      egl();
   else
      return 2;
   return 0;
}
