/* SPDX-License-Identifier: MIT */
/*
 * Tests the contents, as the X server sees them, of windows that change or are destroyed, of
 * several windows, and of windows with several contexts and threads.
 *
 *    glx_windows_x11 TEST
 */
#include <pthread.h>

#include "x11_glx.h"

static void
test_resize(void)
{
   static const int sizes[][2] = { { 97, 61 },  { 300, 200 }, { 301, 201 }, { 7, 300 },
                                   { 500, 3 },  { 500, 400 }, { 64, 64 },   { 65, 65 },
                                   { 33, 400 }, { 400, 33 },  { 640, 480 }, { 5, 5 } };
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   Window window = window_for(config, 0, 0, sizes[0][0], sizes[0][1]);
   CHECK(glXMakeCurrent(dpy, window, context_for(config, NULL)));
   GLint viewport[4];
   glGetIntegerv(GL_VIEWPORT, viewport);
   CHECK(viewport[2] == sizes[0][0] && viewport[3] == sizes[0][1]);

   int width = sizes[0][0], height = sizes[0][1];
   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      /* The window changes its size while a frame of the old size is being drawn.  The part that
       * both sizes have in common must be correct; the rest has the window's background.
       */
      draw_frame(width, height);
      XResizeWindow(dpy, window, sizes[i][0], sizes[i][1]);
      x11_fill(window, 0, 0, 1000, 1000, RED);
      glXSwapBuffers(dpy, window);
      XSync(dpy, False);
      const int both_w = width < sizes[i][0] ? width : sizes[i][0];
      const int both_h = height < sizes[i][1] ? height : sizes[i][1];
      EXPECT(window, 0, 0, both_w, 1, WHITE);
      EXPECT(window, 0, 0, 1, both_h, WHITE);
      /* Loaders transfer whole words of 32 bits, so with 16 bits per pixel, they may transfer one
       * more column.
       */
      const int put_w = DefaultDepth(dpy, DefaultScreen(dpy)) == 16 ? (both_w + 1) & ~1 : both_w;
      if (put_w < sizes[i][0])
         EXPECT(window, put_w, 0, sizes[i][0] - put_w, sizes[i][1], RED);
      if (both_h < sizes[i][1])
         EXPECT(window, 0, both_h, sizes[i][0], sizes[i][1] - both_h, RED);

      width = sizes[i][0];
      height = sizes[i][1];
      draw_frame(width, height);
      glReadBuffer(GL_BACK);
      EXPECT_READ(width - 1, 0, 1, height, WHITE);
      EXPECT_READ(0, height - 1, width, 1, WHITE);
      glXSwapBuffers(dpy, window);
      expect_frame(window, width, height);
   }

   /* Draw to and read from the front buffer while the window changes. */
   glDrawBuffer(GL_FRONT);
   glReadBuffer(GL_FRONT);
   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      draw_frame(width, height);
      XResizeWindow(dpy, window, sizes[i][0], sizes[i][1]);
      XSync(dpy, False);
      glFinish();
      uint8_t pixel[4];
      x11_fill(window, 0, 0, 1000, 1000, BLUE);
      glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
      glFinish();
      width = sizes[i][0];
      height = sizes[i][1];
      x11_fill(window, 0, 0, width, height, BLUE);
      EXPECT_READ(0, 0, width, height, BLUE);
      draw_frame(width, height);
      glFinish();
      expect_frame(window, width, height);
   }
   CHECK(glGetError() == GL_NO_ERROR);
}

static void
test_windows(void)
{
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   GLXContext context = context_for(config, NULL);
   Window windows[4];
   /* A window without a GLXWindow loses its back buffer when it is unbound. */
   GLXWindow drawables[4];
   for (int i = 0; i < 4; i++) {
      windows[i] = window_for(config, 150 * i, 0, 100 + 10 * i, 120 - 20 * i);
      drawables[i] = glXCreateWindow(dpy, config, windows[i], NULL);
   }
   for (int turn = 0; turn < 4; turn++) {
      static const uint32_t colours[] = { GREEN, BLUE, YELLOW, WHITE };
      for (int i = 0; i < 4; i++) {
         CHECK(glXMakeContextCurrent(dpy, drawables[i], drawables[i], context));
         fill(0, 0, 1000, 1000, colours[(i + turn) % 4]);
         fill(i, turn, 9, 8, BLACK);
      }
      for (int i = 3; i >= 0; i--) {
         CHECK(glXMakeContextCurrent(dpy, drawables[i], drawables[i], context));
         EXPECT_READ(i, turn, 9, 8, BLACK);
         /* swap a drawable that is current, and others, with and without a current context */
         if (turn == 0)
            glXSwapBuffers(dpy, drawables[i]);
      }
      if (turn == 2)
         CHECK(glXMakeContextCurrent(dpy, None, None, NULL));
      for (int i = 0; turn && i < 4; i++)
         glXSwapBuffers(dpy, drawables[i]);
      for (int i = 0; i < 4; i++) {
         const int height = 120 - 20 * i;
         EXPECT(windows[i], i, height - turn - 8, 9, 8, BLACK);
         EXPECT(windows[i], i + 9, 0, 91 + 9 * i, height, colours[(i + turn) % 4]);
         EXPECT(windows[i], 0, 0, 100 + 10 * i, height - turn - 8, colours[(i + turn) % 4]);
      }
   }
}

static void
test_contexts(void)
{
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   Window window = window_for(config, 0, 0, WIDTH, HEIGHT);
   GLXContext contexts[3];
   for (int i = 0; i < 3; i++)
      contexts[i] = context_for(config, i == 1 ? contexts[0] : NULL);
   static const uint32_t colours[] = { GREEN, BLUE, YELLOW };
   for (int turn = 0; turn < 6; turn++) {
      for (int i = 0; i < 3; i++) {
         CHECK(glXMakeCurrent(dpy, window, contexts[i]));
         if (i == 0)
            fill(0, 0, WIDTH, HEIGHT, WHITE);
         quad(10 + 20 * i, turn, 20, 30, colours[i]);
      }
      /* All contexts share the back buffer. */
      CHECK(glXMakeCurrent(dpy, window, contexts[turn % 3]));
      EXPECT_READ(10, turn, 20, 30, GREEN);
      EXPECT_READ(50, turn, 20, 30, YELLOW);
      glXSwapBuffers(dpy, window);
      for (int i = 0; i < 3; i++)
         EXPECT(window, 10 + 20 * i, HEIGHT - 30 - turn, 20, 30, colours[i]);
      EXPECT(window, 70, 0, WIDTH - 70, HEIGHT, WHITE);
   }
   /* They also share the front buffer.  Each context draws over the pixels of the others. */
   for (int turn = 0; turn < 6; turn++) {
      CHECK(glXMakeCurrent(dpy, window, contexts[turn % 3]));
      glDrawBuffer(GL_FRONT);
      glReadBuffer(GL_FRONT);
      quad(5 * turn, 0, WIDTH - 10 * turn, HEIGHT, colours[turn % 3]);
      glFlush();
      for (int i = 0; i < turn; i++)
         EXPECT(window, 5 * i, 0, 5, HEIGHT, colours[i % 3]);
      EXPECT(window, 5 * turn, 0, WIDTH - 10 * turn, HEIGHT, colours[turn % 3]);
   }
}

#define THREADS 4

struct drawer {
   pthread_t thread;
   GLXFBConfig config;
   Window window;
   GLXContext context;
   int number;
};

static void *
swap_often(void *data)
{
   const struct drawer *d = data;
   CHECK(glXMakeCurrent(dpy, d->window, d->context));
   for (int i = 0; i <= 60; i++) {
      fill(0, 0, WIDTH, HEIGHT, i & 1 ? BLACK : WHITE);
      quad(d->number, i % 10, 50, 40, BLUE);
      if (i % 8 == 3)
         EXPECT_READ(d->number, i % 10, 50, 40, BLUE);
      glXSwapBuffers(dpy, d->window);
   }
   CHECK(glXMakeCurrent(dpy, None, NULL));
   return NULL;
}

static void
test_threads(void)
{
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   struct drawer drawers[THREADS];
   GLXContext first = context_for(config, NULL);
   for (int i = 0; i < THREADS; i++) {
      drawers[i] = (struct drawer){
         .config = config,
         .window = window_for(config, 120 * i, 0, WIDTH, HEIGHT),
         .context = context_for(config, first),
         .number = i,
      };
   }
   for (int i = 0; i < THREADS; i++)
      CHECK(pthread_create(&drawers[i].thread, NULL, swap_often, &drawers[i]) == 0);
   for (int i = 0; i < THREADS; i++)
      CHECK(pthread_join(drawers[i].thread, NULL) == 0);
   for (int i = 0; i < THREADS; i++) {
      EXPECT(drawers[i].window, i, HEIGHT - 40, 50, 40, BLUE);
      EXPECT(drawers[i].window, 50 + i, 0, WIDTH - 50 - i, HEIGHT, WHITE);
   }

   /* Use a context in one thread after the other. */
   for (int i = 0; i < THREADS; i++) {
      drawers[i].context = first;
      drawers[i].window = drawers[0].window;
      CHECK(pthread_create(&drawers[i].thread, NULL, swap_often, &drawers[i]) == 0);
      CHECK(pthread_join(drawers[i].thread, NULL) == 0);
      EXPECT(drawers[i].window, i, HEIGHT - 40, 50, 40, BLUE);
   }
}

/* Tests a window that is destroyed while its frame is being drawn.  Errors of the X server are the
 * program's fault, but nothing may hang, and the context must work afterwards.
 */
static void
test_destroy(void)
{
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   GLXContext context = context_for(config, NULL);
   XSetErrorHandler(x11_count_error);
   for (int i = 0; i < 12; i++) {
      Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
      GLXWindow glx = i & 1 ? glXCreateWindow(dpy, config, window, NULL) : window;
      CHECK(glXMakeContextCurrent(dpy, glx, glx, context));
      glDrawBuffer(i & 2 ? GL_FRONT : GL_BACK);
      glReadBuffer(i & 2 ? GL_FRONT : GL_BACK);
      for (int j = 0; j < 50; j++)
         quad(j, 0, WIDTH, HEIGHT, BLUE);
      glFlush();
      quad(0, 0, 5, 5, BLUE);
      /* read without waiting for the window */
      GLuint texture;
      glGenTextures(1, &texture);
      glBindTexture(GL_TEXTURE_2D, texture);
      glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, WIDTH, HEIGHT, 0);
      glDeleteTextures(1, &texture);
      if (i >= 8) {
         /* in the right order, this must not even cause an error */
         x11_errors = 0;
         CHECK(glXMakeContextCurrent(dpy, None, None, NULL));
         if (i & 1)
            glXDestroyWindow(dpy, glx);
         XDestroyWindow(dpy, window);
         XSync(dpy, False);
         CHECK(!x11_errors);
         continue;
      }
      XDestroyWindow(dpy, window);
      XSync(dpy, False);
      if (i & 4)
         glXSwapBuffers(dpy, glx);
      glFinish();
      CHECK(glXMakeContextCurrent(dpy, None, None, NULL));
      if (i & 1)
         glXDestroyWindow(dpy, glx);
   }
   XSync(dpy, False);
   x11_errors = 0;

   /* An invisible window cannot be read by the X server.  Its front buffer keeps what GL has drawn
    * there, and the program must not receive the X server's BadMatch error.
    */
   Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
   CHECK(glXMakeCurrent(dpy, window, context));
   glViewport(0, 0, WIDTH, HEIGHT);
   glReadBuffer(GL_FRONT);
   glDrawBuffer(GL_FRONT);
   fill(0, 0, WIDTH, HEIGHT, GREEN);
   glFinish();
   XUnmapWindow(dpy, window);
   XSync(dpy, False);
   quad(5, 6, 7, 8, BLUE);
   EXPECT_READ(5, 6, 7, 8, BLUE);
   EXPECT_READ(12, 0, WIDTH - 12, HEIGHT, GREEN);
   CHECK(glXMakeCurrent(dpy, None, NULL));
   XSync(dpy, False);
   CHECK(!x11_errors);

   /* The error handler must still be the program's. */
   XDestroyWindow(dpy, window);
   XUnmapWindow(dpy, window);
   XSync(dpy, False);
   CHECK(x11_errors == 1);
   x11_errors = 0;

   window = window_for(config, 10, 10, WIDTH, HEIGHT);
   CHECK(glXMakeCurrent(dpy, window, context));
   glDrawBuffer(GL_BACK);
   glViewport(0, 0, WIDTH, HEIGHT);
   draw_frame(WIDTH, HEIGHT);
   glXSwapBuffers(dpy, window);
   expect_frame(window, WIDTH, HEIGHT);
   CHECK(!x11_errors);
}

/* Tests extensions for swap intervals and vertical retraces.  Whether they are offered or not, no
 * call may hang, and an interval must not stop swaps.
 */
static void
test_interval(void)
{
   const char *extensions = glXQueryExtensionsString(dpy, DefaultScreen(dpy));
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   Window window = window_for(config, 0, 0, WIDTH, HEIGHT);
   CHECK(glXMakeCurrent(dpy, window, context_for(config, NULL)));
   XSetErrorHandler(x11_count_error);

   PFNGLXSWAPINTERVALEXTPROC ext = (PFNGLXSWAPINTERVALEXTPROC)glXGetProcAddress(
      (const GLubyte *)"glXSwapIntervalEXT");
   PFNGLXSWAPINTERVALSGIPROC sgi = (PFNGLXSWAPINTERVALSGIPROC)glXGetProcAddress(
      (const GLubyte *)"glXSwapIntervalSGI");
   PFNGLXSWAPINTERVALMESAPROC mesa = (PFNGLXSWAPINTERVALMESAPROC)glXGetProcAddress(
      (const GLubyte *)"glXSwapIntervalMESA");
   PFNGLXGETVIDEOSYNCSGIPROC get_sync = (PFNGLXGETVIDEOSYNCSGIPROC)glXGetProcAddress(
      (const GLubyte *)"glXGetVideoSyncSGI");
   PFNGLXWAITVIDEOSYNCSGIPROC wait_sync = (PFNGLXWAITVIDEOSYNCSGIPROC)glXGetProcAddress(
      (const GLubyte *)"glXWaitVideoSyncSGI");
   PFNGLXGETSYNCVALUESOMLPROC values = (PFNGLXGETSYNCVALUESOMLPROC)glXGetProcAddress(
      (const GLubyte *)"glXGetSyncValuesOML");
   PFNGLXSWAPBUFFERSMSCOMLPROC swap_msc = (PFNGLXSWAPBUFFERSMSCOMLPROC)glXGetProcAddress(
      (const GLubyte *)"glXSwapBuffersMscOML");

   for (int interval = 0; interval < 4; interval++) {
      if (ext)
         ext(dpy, window, interval);
      if (mesa && (mesa(interval) != 0) != !strstr(extensions, "GLX_MESA_swap_control"))
         printf("glXSwapIntervalMESA(%d) and the list of extensions disagree\n", interval);
      if (sgi && interval)
         sgi(interval);
      for (int i = 0; i < 5; i++) {
         draw_frame(WIDTH, HEIGHT);
         glXSwapBuffers(dpy, window);
      }
      expect_frame(window, WIDTH, HEIGHT);
   }
   unsigned count = 0;
   int64_t ust, msc, sbc;
   if (get_sync)
      get_sync(&count);
   if (wait_sync)
      wait_sync(2, 0, &count);
   if (values)
      values(dpy, window, &ust, &msc, &sbc);
   fill(0, 0, WIDTH, HEIGHT, BLUE);
   if (swap_msc && swap_msc(dpy, window, 0, 0, 0) >= 0)
      EXPECT(window, 0, 0, WIDTH, HEIGHT, BLUE);
}

/* Tests several connections one after the other, with two frames each.  When the last connection is
 * closed, the loader may unload the driver (Cannon Smash does this between launcher and game).
 */
static void
test_displays(void)
{
   for (int i = 0; i < 4; i++) {
      GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
      Window window = window_for(config, 0, 0, WIDTH, HEIGHT);
      GLXContext context = context_for(config, NULL);
      CHECK(glXMakeCurrent(dpy, window, context));
      for (int frame = 0; frame < 2; frame++) {
         draw_frame(WIDTH, HEIGHT);
         glXSwapBuffers(dpy, window);
         expect_frame(window, WIDTH, HEIGHT);
      }
      CHECK(glXMakeCurrent(dpy, None, NULL));
      glXDestroyContext(dpy, context);
      XDestroyWindow(dpy, window);
      XCloseDisplay(dpy);
      dpy = XOpenDisplay(NULL);
      CHECK(dpy);
   }
}

int
main(int argc, char **argv)
{
   static const struct x11_test tests[] = {
      { "resize", test_resize },     { "windows", test_windows }, { "contexts", test_contexts },
      { "threads", test_threads },   { "destroy", test_destroy }, { "interval", test_interval },
      { "displays", test_displays },
   };
   return x11_main(argc, argv, NULL, tests, sizeof(tests) / sizeof(tests[0]));
}
