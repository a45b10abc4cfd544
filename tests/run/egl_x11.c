/* SPDX-License-Identifier: MIT */
/*
 * Tests EGL surfaces on X11: their contents, as read by GL and by the X server.  Mesa's loader
 * offers neither partial swaps (EGL_NV_post_sub_buffer, swaps with damage) nor images of pixmaps
 * to a driver without a DRM device.
 *
 *    egl_x11 TEST
 */
#include <pthread.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "x11_gl.h"

#define WIDTH 97
#define HEIGHT 61

static EGLDisplay egl;

static EGLConfig
choose(EGLint surfaces, XVisualInfo *visual)
{
   const EGLint wanted[] = { EGL_SURFACE_TYPE, surfaces,       EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_BIT,   EGL_DEPTH_SIZE, 16,
                             EGL_NONE };
   EGLConfig configs[256];
   EGLint count = 0;
   CHECK(eglChooseConfig(egl, wanted, configs, 256, &count));
   for (EGLint i = 0; i < count; i++) {
      EGLint id = 0, size = 0, alpha = 0;
      eglGetConfigAttrib(egl, configs[i], EGL_NATIVE_VISUAL_ID, &id);
      eglGetConfigAttrib(egl, configs[i], EGL_BUFFER_SIZE, &size);
      eglGetConfigAttrib(egl, configs[i], EGL_ALPHA_SIZE, &alpha);
      XVisualInfo template = { .visualid = id };
      int visuals;
      XVisualInfo *found = XGetVisualInfo(dpy, VisualIDMask, &template, &visuals);
      const bool fits = found && found->depth == DefaultDepth(dpy, DefaultScreen(dpy)) &&
                        size == found->depth && !alpha;
      if (fits)
         *visual = *found;
      XFree(found);
      if (fits)
         return configs[i];
   }
   fprintf(stderr, "egl_x11: no fitting configuration\n");
   exit(1);
}

static EGLContext
context_for(EGLConfig config, EGLContext share)
{
   EGLContext context = eglCreateContext(egl, config, share, NULL);
   CHECK(context != EGL_NO_CONTEXT);
   return context;
}

static void
current(EGLSurface surface, EGLContext context)
{
   CHECK(eglMakeCurrent(egl, surface, surface, context));
}

static EGLSurface
surface_for(EGLConfig config, Window window)
{
   EGLSurface surface = eglCreateWindowSurface(egl, config, window, NULL);
   CHECK(surface != EGL_NO_SURFACE);
   return surface;
}

static void
wait_x(void)
{
   CHECK(eglWaitNative(EGL_CORE_NATIVE_ENGINE));
}

/* Waits for GL.  Mesa's eglWaitClient alone has no effect for software drivers. */
static void
wait_gl(void)
{
   glFinish();
   CHECK(eglWaitClient());
}

static void
test_window(void)
{
   XVisualInfo visual;
   EGLConfig config = choose(EGL_WINDOW_BIT, &visual);
   Window window = x11_window(&visual, 10, 10, WIDTH, HEIGHT);
   EGLSurface surface = surface_for(config, window);
   EGLContext context = context_for(config, EGL_NO_CONTEXT);
   current(surface, context);
   draw_frame(WIDTH, HEIGHT);
   EXPECT(window, 0, 0, WIDTH, HEIGHT, RED);
   CHECK(eglSwapBuffers(egl, surface));
   expect_frame(window, WIDTH, HEIGHT);

   /* Test the front buffer of a double-buffered window. */
   x11_fill(window, 0, 0, WIDTH, HEIGHT, RED);
   glViewport(0, 0, WIDTH, HEIGHT);
   draw_front(window, WIDTH, HEIGHT, wait_x, wait_gl);

   /* Test a second surface of the same window after the first one. */
   current(EGL_NO_SURFACE, EGL_NO_CONTEXT);
   CHECK(eglDestroySurface(egl, surface));
   surface = surface_for(config, window);
   current(surface, context);
   glDrawBuffer(GL_BACK);
   draw_frame(WIDTH, HEIGHT);
   CHECK(eglSwapBuffers(egl, surface));
   expect_frame(window, WIDTH, HEIGHT);
}

static void
test_pixmap(void)
{
   XVisualInfo visual;
   EGLConfig config = choose(EGL_PIXMAP_BIT, &visual);
   /* With a context of a configuration, which has two buffers, Mesa treats a surface with one
    * buffer like a pbuffer, which is never shown (st_manager_flush_frontbuffer).
    */
   EGLContext context = context_for(EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT);
   static const int sizes[][2] = { { WIDTH, HEIGHT }, { 300, 20 }, { 40, 200 } };

   for (int i = 0; i < 3; i++) {
      const int width = sizes[i][0], height = sizes[i][1];
      Pixmap pixmap = XCreatePixmap(dpy, DefaultRootWindow(dpy), width, height, visual.depth);
      x11_fill(pixmap, 0, 0, width, height, RED);
      EGLSurface surface = eglCreatePixmapSurface(egl, config, pixmap, NULL);
      CHECK(surface != EGL_NO_SURFACE);
      current(surface, context);
      glViewport(0, 0, width, height);
      draw_front(pixmap, width, height, wait_x, wait_gl);
      fill(1, 2, 3, 4, GREEN);
      current(EGL_NO_SURFACE, EGL_NO_CONTEXT);
      EXPECT(pixmap, 1, height - 6, 3, 4, GREEN);
      CHECK(eglDestroySurface(egl, surface));
      XFreePixmap(dpy, pixmap);
   }
}

static void
test_pbuffer(void)
{
   XVisualInfo visual;
   EGLConfig config = choose(EGL_PBUFFER_BIT | EGL_WINDOW_BIT, &visual);
   EGLContext context = context_for(config, EGL_NO_CONTEXT);
   EGLSurface surfaces[3];
   static const int sizes[3][2] = { { 1, 1 }, { 130, 70 }, { 65, 257 } };
   static const uint32_t colours[3] = { GREEN, BLUE, YELLOW };

   for (int i = 0; i < 3; i++) {
      const EGLint size[] = { EGL_WIDTH, sizes[i][0], EGL_HEIGHT, sizes[i][1], EGL_NONE };
      surfaces[i] = eglCreatePbufferSurface(egl, config, size);
      CHECK(surfaces[i] != EGL_NO_SURFACE);
      current(surfaces[i], context);
      glViewport(0, 0, sizes[i][0], sizes[i][1]);
      quad(0, 0, sizes[i][0], sizes[i][1], colours[i]);
   }
   for (int i = 0; i < 3; i++) {
      EGLint width = 0, height = 0;
      eglQuerySurface(egl, surfaces[i], EGL_WIDTH, &width);
      eglQuerySurface(egl, surfaces[i], EGL_HEIGHT, &height);
      CHECK(width == sizes[i][0] && height == sizes[i][1]);
      current(surfaces[i], context);
      EXPECT_READ(0, 0, sizes[i][0], sizes[i][1], colours[i]);
      CHECK(eglSwapBuffers(egl, surfaces[i])); /* has no effect */
      EXPECT_READ(0, 0, sizes[i][0], sizes[i][1], colours[i]);
   }

   /* With this context, Mesa would show a pbuffer to the X server, but its contents must stay
    * unchanged in GL.
    */
   current(surfaces[1], context_for(EGL_NO_CONFIG_KHR, context));
   EXPECT_READ(0, 0, 130, 70, BLUE);
   for (int i = 0; i < 3; i++) {
      quad(30 * i, 0, 30, 70, colours[i]);
      glFlush();
   }
   for (int i = 0; i < 3; i++)
      EXPECT_READ(30 * i, 0, 30, 70, colours[i]);
   EXPECT_READ(90, 0, 40, 70, BLUE);
   fill(0, 0, 130, 70, BLUE);

   /* Draw to a window and read from a pbuffer. */
   Window window = x11_window(&visual, 10, 10, WIDTH, HEIGHT);
   EGLSurface surface = surface_for(config, window);
   CHECK(eglMakeCurrent(egl, surface, surfaces[1], context));
   glViewport(0, 0, WIDTH, HEIGHT);
   fill(0, 0, WIDTH, HEIGHT, WHITE);
   glWindowPos2i(10, 20);
   glCopyPixels(0, 0, 30, 25, GL_COLOR);
   CHECK(eglSwapBuffers(egl, surface));
   EXPECT(window, 10, HEIGHT - 45, 30, 25, BLUE);
   EXPECT(window, 0, 0, 10, HEIGHT, WHITE);
   EXPECT(window, 40, 0, WIDTH - 40, HEIGHT, WHITE);
}

static void
test_copy(void)
{
   XVisualInfo visual;
   EGLConfig config = choose(EGL_WINDOW_BIT, &visual);
   Window window = x11_window(&visual, 10, 10, WIDTH, HEIGHT);
   EGLSurface surface = surface_for(config, window);
   current(surface, context_for(config, EGL_NO_CONTEXT));
   Pixmap pixmap = XCreatePixmap(dpy, window, WIDTH, HEIGHT, visual.depth);
   for (int i = 0; i < 3; i++) {
      x11_fill(pixmap, 0, 0, WIDTH, HEIGHT, RED);
      x11_fill(window, 0, 0, WIDTH, HEIGHT, RED);
      draw_frame(WIDTH, HEIGHT);
      CHECK(eglCopyBuffers(egl, surface, pixmap));
      XSync(dpy, False);
      expect_frame(pixmap, WIDTH, HEIGHT);
   }
}

static void
test_resize(void)
{
   static const int sizes[][2] = { { 97, 61 },  { 300, 200 }, { 301, 201 }, { 7, 300 },
                                   { 500, 3 },  { 500, 400 }, { 64, 64 },   { 65, 65 },
                                   { 620, 33 }, { 33, 500 },  { 5, 5 },     { 600, 420 } };
   XVisualInfo visual;
   EGLConfig config = choose(EGL_WINDOW_BIT, &visual);
   int width = sizes[0][0], height = sizes[0][1];
   Window window = x11_window(&visual, 0, 0, width, height);
   EGLSurface surface = surface_for(config, window);
   current(surface, context_for(config, EGL_NO_CONTEXT));
   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      draw_frame(width, height);
      XResizeWindow(dpy, window, sizes[i][0], sizes[i][1]);
      x11_fill(window, 0, 0, 1000, 1000, RED);
      CHECK(eglSwapBuffers(egl, surface));
      const int both_w = width < sizes[i][0] ? width : sizes[i][0];
      const int both_h = height < sizes[i][1] ? height : sizes[i][1];
      EXPECT(window, 0, 0, both_w, 1, WHITE);
      EXPECT(window, 0, 0, 1, both_h, WHITE);
      /* The loader transfers whole words of 32 bits, so with 16 bits per pixel, it may transfer one
       * more column.
       */
      const int put_w = visual.depth == 16 ? (both_w + 1) & ~1 : both_w;
      if (put_w < sizes[i][0])
         EXPECT(window, put_w, 0, sizes[i][0] - put_w, sizes[i][1], RED);
      if (both_h < sizes[i][1])
         EXPECT(window, 0, both_h, sizes[i][0], sizes[i][1] - both_h, RED);

      width = sizes[i][0];
      height = sizes[i][1];
      EGLint w = 0, h = 0;
      eglQuerySurface(egl, surface, EGL_WIDTH, &w);
      eglQuerySurface(egl, surface, EGL_HEIGHT, &h);
      CHECK(w == width && h == height);
      draw_frame(width, height);
      EXPECT_READ(width - 1, 0, 1, height, WHITE);
      CHECK(eglSwapBuffers(egl, surface));
      expect_frame(window, width, height);
   }
}

static void
test_windows(void)
{
   XVisualInfo visual;
   EGLConfig config = choose(EGL_WINDOW_BIT, &visual);
   EGLContext contexts[2] = { context_for(config, EGL_NO_CONTEXT) };
   contexts[1] = context_for(config, contexts[0]);
   Window windows[3];
   EGLSurface surfaces[3];
   for (int i = 0; i < 3; i++) {
      windows[i] = x11_window(&visual, 150 * i, 0, 100 + 10 * i, 120 - 20 * i);
      surfaces[i] = surface_for(config, windows[i]);
   }
   for (int turn = 0; turn < 4; turn++) {
      static const uint32_t colours[] = { GREEN, BLUE, YELLOW };
      /* both contexts draw to each window, and other windows are drawn in between */
      for (int i = 0; i < 6; i++) {
         current(surfaces[i % 3], contexts[(i + turn) % 2]);
         if (i < 3)
            fill(0, 0, 1000, 1000, colours[(i + turn) % 3]);
         else
            fill(i % 3, turn, 9, 8, BLACK);
      }
      for (int i = 2; i >= 0; i--) {
         current(surfaces[i], contexts[turn % 2]);
         EXPECT_READ(i, turn, 9, 8, BLACK);
         CHECK(eglSwapBuffers(egl, surfaces[i]));
      }
      for (int i = 0; i < 3; i++) {
         const int height = 120 - 20 * i;
         EXPECT(windows[i], i, height - turn - 8, 9, 8, BLACK);
         EXPECT(windows[i], i + 9, 0, 91 + 9 * i, height, colours[(i + turn) % 3]);
         EXPECT(windows[i], 0, 0, 100 + 10 * i, height - turn - 8, colours[(i + turn) % 3]);
      }
   }
}

#define THREADS 4

struct drawer {
   pthread_t thread;
   Window window;
   EGLSurface surface;
   EGLContext context;
   int number;
};

static void *
swap_often(void *data)
{
   const struct drawer *d = data;
   CHECK(eglBindAPI(EGL_OPENGL_API));
   current(d->surface, d->context);
   for (int i = 0; i <= 60; i++) {
      CHECK(eglSwapInterval(egl, i % 3));
      fill(0, 0, WIDTH, HEIGHT, i & 1 ? BLACK : WHITE);
      quad(d->number, i % 10, 50, 40, BLUE);
      if (i % 8 == 3)
         EXPECT_READ(d->number, i % 10, 50, 40, BLUE);
      CHECK(eglSwapBuffers(egl, d->surface));
   }
   current(EGL_NO_SURFACE, EGL_NO_CONTEXT);
   CHECK(eglReleaseThread());
   return NULL;
}

static void
test_threads(void)
{
   XVisualInfo visual;
   EGLConfig config = choose(EGL_WINDOW_BIT, &visual);
   struct drawer drawers[THREADS];
   EGLContext first = context_for(config, EGL_NO_CONTEXT);
   for (int i = 0; i < THREADS; i++) {
      Window window = x11_window(&visual, 120 * i, 0, WIDTH, HEIGHT);
      drawers[i] = (struct drawer){
         .window = window,
         .surface = surface_for(config, window),
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
}

/* Tests a window that is destroyed while its frame is being drawn.  Nothing may hang or end the
 * program, and the context must work afterwards.
 */
static void
test_destroy(void)
{
   XVisualInfo visual;
   EGLConfig config = choose(EGL_WINDOW_BIT, &visual);
   EGLContext context = context_for(config, EGL_NO_CONTEXT);
   XSetErrorHandler(x11_count_error);
   for (int i = 0; i < 8; i++) {
      Window window = x11_window(&visual, 10, 10, WIDTH, HEIGHT);
      EGLSurface surface = surface_for(config, window);
      current(surface, context);
      glReadBuffer(i & 2 ? GL_FRONT : GL_BACK);
      glDrawBuffer(i & 2 ? GL_FRONT : GL_BACK);
      for (int j = 0; j < 50; j++)
         quad(j, 0, WIDTH, HEIGHT, BLUE);
      glFlush();
      quad(0, 0, 5, 5, BLUE);
      XDestroyWindow(dpy, window);
      XSync(dpy, False);
      if (i & 1)
         eglSwapBuffers(egl, surface);
      glFinish();
      current(EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroySurface(egl, surface);
   }
   Window window = x11_window(&visual, 10, 10, WIDTH, HEIGHT);
   EGLSurface surface = surface_for(config, window);
   current(surface, context);
   glDrawBuffer(GL_BACK);
   draw_frame(WIDTH, HEIGHT);
   CHECK(eglSwapBuffers(egl, surface));
   expect_frame(window, WIDTH, HEIGHT);
}

static void
begin(void)
{
   egl = eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, dpy, NULL);
   CHECK(egl != EGL_NO_DISPLAY && eglInitialize(egl, NULL, NULL));
   CHECK(eglBindAPI(EGL_OPENGL_API));
}

int
main(int argc, char **argv)
{
   static const struct x11_test tests[] = {
      { "window", test_window },   { "pixmap", test_pixmap },   { "pbuffer", test_pbuffer },
      { "copy", test_copy },       { "resize", test_resize },   { "windows", test_windows },
      { "threads", test_threads }, { "destroy", test_destroy },
   };
   return x11_main(argc, argv, begin, tests, sizeof(tests) / sizeof(tests[0]));
}
