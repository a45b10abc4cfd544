/* SPDX-License-Identifier: MIT */
/*
 * Tests GLX drawables: their contents, as read by GL and by the X server.
 *
 *    glx_x11 TEST
 */
#include "x11_glx.h"

static void
test_front(void)
{
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
   GLXContext context = context_for(config, NULL);
   CHECK(glXMakeCurrent(dpy, window, context));
   glDrawBuffer(GL_BACK);
   fill(0, 0, WIDTH, HEIGHT, WHITE);
   draw_front(window, WIDTH, HEIGHT, glXWaitX, glXWaitGL);

   /* The back buffer must not have changed. */
   glReadBuffer(GL_BACK);
   EXPECT_READ(0, 0, WIDTH, HEIGHT, WHITE);

   /* Copy from the front buffer to the back buffer, and show that with a swap. */
   glDrawBuffer(GL_FRONT);
   fill(0, 0, WIDTH, HEIGHT, BLUE);
   glDrawBuffer(GL_BACK);
   glReadBuffer(GL_FRONT);
   glWindowPos2i(7, 3);
   glCopyPixels(0, 0, 20, 10, GL_COLOR);
   glXSwapBuffers(dpy, window);
   EXPECT(window, 7, HEIGHT - 13, 20, 10, BLUE);
   EXPECT(window, 0, 0, 7, HEIGHT, WHITE);
   EXPECT(window, 0, 0, WIDTH, HEIGHT - 13, WHITE);

   /* After a swap, the front buffer has the picture of the back buffer. */
   EXPECT_READ(7, 3, 20, 10, BLUE);
   EXPECT_READ(0, 13, WIDTH, HEIGHT - 13, WHITE);

   /* Draw to both buffers at once. */
   glDrawBuffer(GL_FRONT_AND_BACK);
   quad(0, 0, WIDTH, HEIGHT, GREEN);
   glFlush();
   EXPECT(window, 0, 0, WIDTH, HEIGHT, GREEN);
   glReadBuffer(GL_BACK);
   EXPECT_READ(0, 0, WIDTH, HEIGHT, GREEN);

   /* Unbinding the context flushes. */
   glDrawBuffer(GL_FRONT);
   fill(0, 0, WIDTH, HEIGHT, BLUE);
   CHECK(glXMakeCurrent(dpy, None, NULL));
   EXPECT(window, 0, 0, WIDTH, HEIGHT, BLUE);
}

/* Tests that a picture of one colour is shown again after the X server has drawn over it, whether
 * GL has read the window in between or not.
 */
static void
test_shown_again(void)
{
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);

   for (unsigned way = 0; way < 4; way++) {
      const bool front = way & 1, read = way & 2;
      Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
      GLXContext context = context_for(config, NULL);
      CHECK(glXMakeCurrent(dpy, window, context));
      glDrawBuffer(front ? GL_FRONT : GL_BACK);
      glReadBuffer(GL_FRONT);
      glClearColor(0, 0, 1, 1);
      for (int turn = 0; turn < 4; turn++) {
         glClear(GL_COLOR_BUFFER_BIT);
         if (front)
            glFlush();
         else
            glXSwapBuffers(dpy, window);
         EXPECT(window, 0, 0, WIDTH, HEIGHT, BLUE);
         x11_fill(window, 5, 4, 20, 10, YELLOW);
         glXWaitX();
         if (read)
            EXPECT_READ(5, HEIGHT - 14, 20, 10, YELLOW);
      }
      CHECK(glXMakeCurrent(dpy, None, NULL));
   }
}

static void
test_single(void)
{
   GLXFBConfig config = choose(False, GLX_WINDOW_BIT);
   Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
   GLXContext context = context_for(config, NULL);
   CHECK(glXMakeCurrent(dpy, window, context));
   GLboolean twice = True;
   glGetBooleanv(GL_DOUBLEBUFFER, &twice);
   CHECK(!twice);
   draw_front(window, WIDTH, HEIGHT, glXWaitX, glXWaitGL);
   /* a single-buffered window has nothing to swap */
   fill(0, 0, WIDTH, HEIGHT, GREEN);
   glXSwapBuffers(dpy, window);
   glFlush();
   EXPECT(window, 0, 0, WIDTH, HEIGHT, GREEN);
}

static void
test_sub_buffer(void)
{
   void (*copy)(Display *, GLXDrawable, int, int, int,
                int) = (void (*)(Display *, GLXDrawable, int, int, int,
                                 int))glXGetProcAddress((const GLubyte *)"glXCopySubBufferMESA");
   CHECK(strstr(glXQueryExtensionsString(dpy, DefaultScreen(dpy)), "GLX_MESA_copy_sub_buffer"));
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
   CHECK(glXMakeCurrent(dpy, window, context_for(config, NULL)));

   /* Check every pixel of the window, including those around the rectangle. */
   static const struct {
      int x, y, width, height;
   } rects[] = {
      { 0, 0, 1, 1 },
      { 5, 9, 30, 20 },
      { WIDTH - 1, HEIGHT - 1, 1, 1 },
      { 31, 17, 33, 7 },
      { 0, 0, WIDTH, HEIGHT },
      { 3, 3, 0, 10 },
      { 3, 3, 10, 0 },
      /* rectangles that reach beyond the window */
      { -5, -7, 20, 20 },
      { WIDTH - 5, HEIGHT - 7, 20, 20 },
      { -10, -10, WIDTH + 20, HEIGHT + 20 },
      { WIDTH, HEIGHT, 10, 10 },
      { -20, 5, 10, 10 },
      { 5, 5, -3, 4 },
   };
   for (unsigned i = 0; i < sizeof(rects) / sizeof(rects[0]); i++) {
      const int x0 = rects[i].x, x1 = x0 + rects[i].width;
      const int y0 = rects[i].y, y1 = y0 + rects[i].height;
      x11_fill(window, 0, 0, WIDTH, HEIGHT, RED);
      fill(0, 0, WIDTH, HEIGHT, GREEN);
      quad(x0 + 1, y0 + 1, 3, 2, BLUE);
      copy(dpy, window, x0, y0, rects[i].width, rects[i].height);
      struct x11_picture shot = x11_shot(window);
      for (int y = 0; y < HEIGHT; y++) {
         for (int x = 0; x < WIDTH; x++) {
            const int up = HEIGHT - 1 - y;
            const bool in = x >= x0 && x < x1 && up >= y0 && up < y1;
            const bool mark = x >= x0 + 1 && x < x0 + 4 && up >= y0 + 1 && up < y0 + 3;
            SAME(shot.rgb[y * WIDTH + x], (uint32_t)(!in ? RED : mark ? BLUE : GREEN), x, y);
         }
      }
      free(shot.rgb);
      /* The back buffer must not have changed. */
      EXPECT_READ(0, y0 > 3 || y1 < 0 ? 0 : HEIGHT - 1, 1, 1,
                  y0 + 1 == HEIGHT - 1 && x0 < 0 ? BLUE : GREEN);
   }
}

static void
test_pixmap(void)
{
   GLXFBConfig config = choose(False, GLX_PIXMAP_BIT);
   const int depth = DefaultDepth(dpy, DefaultScreen(dpy));
   GLXContext context = context_for(config, NULL);
   static const int sizes[][2] = { { WIDTH, HEIGHT }, { 300, 20 }, { 40, 200 } };

   for (int i = 0; i < 3; i++) {
      const int width = sizes[i][0], height = sizes[i][1];
      Pixmap pixmap = XCreatePixmap(dpy, DefaultRootWindow(dpy), width, height, depth);
      x11_fill(pixmap, 0, 0, width, height, RED);
      GLXPixmap glx = glXCreatePixmap(dpy, config, pixmap, NULL);
      CHECK(glXMakeContextCurrent(dpy, glx, glx, context));
      glViewport(0, 0, width, height);
      draw_front(pixmap, width, height, glXWaitX, glXWaitGL);
      fill(1, 2, 3, 4, GREEN);
      CHECK(glXMakeContextCurrent(dpy, None, None, NULL));
      EXPECT(pixmap, 1, height - 6, 3, 4, GREEN);
      glXDestroyPixmap(dpy, glx);
      XFreePixmap(dpy, pixmap);
   }
}

static void
test_pbuffer(void)
{
   GLXFBConfig config = choose(True, GLX_PBUFFER_BIT | GLX_WINDOW_BIT);
   GLXContext context = context_for(config, NULL);
   GLXPbuffer buffers[3];
   static const int sizes[3][2] = { { 1, 1 }, { 130, 70 }, { 65, 257 } };
   static const uint32_t colours[3] = { GREEN, BLUE, YELLOW };

   for (int i = 0; i < 3; i++) {
      const int size[] = { GLX_PBUFFER_WIDTH,
                           sizes[i][0],
                           GLX_PBUFFER_HEIGHT,
                           sizes[i][1],
                           GLX_PRESERVED_CONTENTS,
                           True,
                           None };
      buffers[i] = glXCreatePbuffer(dpy, config, size);
      CHECK(glXMakeContextCurrent(dpy, buffers[i], buffers[i], context));
      glViewport(0, 0, sizes[i][0], sizes[i][1]);
      quad(0, 0, sizes[i][0], sizes[i][1], colours[i]);
   }
   for (int i = 0; i < 3; i++) {
      unsigned width = 0, height = 0;
      glXQueryDrawable(dpy, buffers[i], GLX_WIDTH, &width);
      glXQueryDrawable(dpy, buffers[i], GLX_HEIGHT, &height);
      CHECK((int)width == sizes[i][0] && (int)height == sizes[i][1]);
      CHECK(glXMakeContextCurrent(dpy, buffers[i], buffers[i], context));
      EXPECT_READ(0, 0, sizes[i][0], sizes[i][1], colours[i]);
   }

   /* Draw to a window and read from a pbuffer. */
   Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
   CHECK(glXMakeContextCurrent(dpy, window, buffers[1], context));
   glViewport(0, 0, WIDTH, HEIGHT);
   fill(0, 0, WIDTH, HEIGHT, WHITE);
   glWindowPos2i(10, 20);
   glCopyPixels(0, 0, 30, 25, GL_COLOR);
   glXSwapBuffers(dpy, window);
   EXPECT(window, 10, HEIGHT - 45, 30, 25, BLUE);
   EXPECT(window, 0, 0, 10, HEIGHT, WHITE);
   EXPECT(window, 40, 0, WIDTH - 40, HEIGHT, WHITE);
   CHECK(glXMakeContextCurrent(dpy, None, None, NULL));
   for (int i = 0; i < 3; i++)
      glXDestroyPbuffer(dpy, buffers[i]);
}

/* Presents a pbuffer with alpha and a single buffer.  The system's loaders make an image of another
 * depth, which is an error.
 */
static void
test_pbuffer_alpha(void)
{
   static const int size[] = { GLX_PBUFFER_WIDTH, WIDTH, GLX_PBUFFER_HEIGHT, HEIGHT, None };
   static const int wanted[] = {
      GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_DOUBLEBUFFER, False, GLX_ALPHA_SIZE, 8, None,
   };
   int count = 0;
   GLXFBConfig *configs = glXChooseFBConfig(dpy, DefaultScreen(dpy), wanted, &count);

   CHECK(count > 0);
   GLXPbuffer buffer = glXCreatePbuffer(dpy, configs[0], size);
   CHECK(glXMakeContextCurrent(dpy, buffer, buffer, context_for(configs[0], NULL)));
   XFree(configs);
   glViewport(0, 0, WIDTH, HEIGHT);
   fill(0, 0, WIDTH, HEIGHT, BLUE);
   glFlush();
   XSync(dpy, False);
   EXPECT_READ(0, 0, WIDTH, HEIGHT, BLUE);
   CHECK(glXMakeContextCurrent(dpy, None, None, NULL));
   glXDestroyPbuffer(dpy, buffer);
}

/* Tests all 256 values of each component.  The window must show the nearest colour of the visual.
 */
static void
test_steps(void)
{
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   Window window = window_for(config, 0, 0, 256, 30);
   CHECK(glXMakeCurrent(dpy, window, context_for(config, NULL)));
   glDisable(GL_DITHER);
   glViewport(0, 0, 256, 30);
   for (int i = 0; i < 256; i++) {
      fill(i, 0, 1, 10, i);
      quad(i, 10, 1, 10, i << 8);
      quad(i, 20, 1, 10, i << 16);
   }
   int bits[3];
   glGetIntegerv(GL_BLUE_BITS, bits);
   glGetIntegerv(GL_GREEN_BITS, bits + 1);
   glGetIntegerv(GL_RED_BITS, bits + 2);
   printf("%d %d %d bits\n", bits[2], bits[1], bits[0]);
   const XVisualInfo visual = x11_visual(DefaultDepth(dpy, DefaultScreen(dpy)));
   CHECK(bits[0] == __builtin_popcountl(visual.blue_mask));
   CHECK(bits[1] == __builtin_popcountl(visual.green_mask));
   CHECK(bits[2] == __builtin_popcountl(visual.red_mask));
   glXSwapBuffers(dpy, window);
   struct x11_picture shot = x11_shot(window);
   for (int y = 0; y < 30; y++) {
      const int band = 2 - y / 10, max = (1 << bits[band]) - 1;
      for (int i = 0; i < 256; i++) {
         /* the nearest colour, converted back to 8 bits like x11_component() */
         const int step = (i * max * 2 + 255) / 510;
         const uint32_t expected = (uint32_t)((step * 255 + max / 2) / max) << 8 * band;
         SAME(shot.rgb[y * 256 + i], expected, i, y);
      }
   }
   free(shot.rgb);
}

/* Draws a white triangle on blue.  Returns the resolved picture, starting at the bottom left.
 * Partly covered pixels prove that the buffer is multisampled.
 */
static void
draw_slanted(int x0, int x1, uint8_t picture[HEIGHT][WIDTH][4])
{
   unsigned partial = 0;

   quad(0, 0, WIDTH, HEIGHT, BLUE);
   glColor3f(1, 1, 1);
   glBegin(GL_TRIANGLES);
   glVertex2i(x0, 0);
   glVertex2i(x1, HEIGHT);
   glVertex2i(x0 + 20, HEIGHT);
   glEnd();
   glReadBuffer(GL_BACK);
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, picture);
   for (int i = 0; i < WIDTH * HEIGHT; i++)
      partial += picture[0][i][0] > 0 && picture[0][i][0] < 255;
   CHECK(partial > HEIGHT);
}

/* Compares the front buffer and the window with the picture.  Components that the screen cannot
 * show exactly may differ by 1.
 */
static void
expect_picture(Window window, uint8_t picture[HEIGHT][WIDTH][4])
{
   static uint8_t front[HEIGHT][WIDTH][4];
   struct x11_picture shot = x11_shot(window);

   glReadBuffer(GL_FRONT);
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, front);
   for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
         const uint8_t *p = picture[HEIGHT - 1 - y][x], *f = front[HEIGHT - 1 - y][x];
         for (int i = 0; i < 3; i++) {
            const int shown = shot.rgb[y * WIDTH + x] >> (16 - 8 * i) & 255;
            if (abs(shown - p[i]) > 1)
               SAME((unsigned)shown, (unsigned)p[i], x, y);
            if (f[i] != p[i])
               SAME((unsigned)f[i], (unsigned)p[i], x, y);
         }
      }
   }
   free(shot.rgb);
}

/* Tests that swaps (with a context and without) and copies resolve samples.  The front buffer is
 * multisampled, too.
 */
static void
test_samples(void)
{
   void (*copy)(Display *, GLXDrawable, int, int, int,
                int) = (void (*)(Display *, GLXDrawable, int, int, int,
                                 int))glXGetProcAddress((const GLubyte *)"glXCopySubBufferMESA");
   GLXFBConfig config = choose_samples(True, GLX_WINDOW_BIT, 4);
   Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
   GLXWindow drawable = glXCreateWindow(dpy, config, window, NULL);
   GLXContext context = context_for(config, NULL);
   static uint8_t picture[HEIGHT][WIDTH][4];
   GLint samples = 0;

   CHECK(glXMakeContextCurrent(dpy, drawable, drawable, context));
   glGetIntegerv(GL_SAMPLES, &samples);
   CHECK(samples == 4);
   draw_slanted(3, 60, picture);
   glXSwapBuffers(dpy, drawable);
   expect_picture(window, picture);
   draw_slanted(50, 11, picture);
   glXSwapBuffers(dpy, drawable);
   expect_picture(window, picture);

   draw_slanted(40, 90, picture);
   CHECK(glXMakeContextCurrent(dpy, None, None, NULL));
   glXSwapBuffers(dpy, drawable);
   CHECK(glXMakeContextCurrent(dpy, drawable, drawable, context));
   expect_picture(window, picture);

   fill(0, 0, WIDTH, HEIGHT, GREEN);
   copy(dpy, drawable, 5, 9, 30, 20);
   for (int i = 0; i < 30 * 20; i++)
      memcpy(picture[9 + i / 30][5 + i % 30], (uint8_t[4]){ 0, 255, 0, 255 }, 4);
   expect_picture(window, picture);

   glDrawBuffer(GL_FRONT);
   fill(1, 2, 3, 4, RED);
   glFlush();
   EXPECT(window, 1, HEIGHT - 6, 3, 4, RED);
   EXPECT(window, 5, HEIGHT - 29, 30, 20, GREEN);
   CHECK(glGetError() == GL_NO_ERROR);
}

/* GLX has no EGL images, so no value is one. */
static void
test_egl_image(void)
{
   void (*set_image)(GLenum, void *) = (void (*)(GLenum, void *))glXGetProcAddress(
      (const GLubyte *)"glEGLImageTargetTexture2DOES");
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
   GLXContext context = context_for(config, NULL);
   GLuint texture;
   int value;

   CHECK(glXMakeCurrent(dpy, window, context));
   if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_OES_EGL_image"))
      return;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   set_image(GL_TEXTURE_2D, &value);
   CHECK(glGetError() == GL_INVALID_VALUE);
}

int
main(int argc, char **argv)
{
   static const struct x11_test tests[] = {
      { "front", test_front },
      { "shown_again", test_shown_again },
      { "single", test_single },
      { "sub_buffer", test_sub_buffer },
      { "pixmap", test_pixmap },
      { "pbuffer", test_pbuffer },
      { "pbuffer-alpha", test_pbuffer_alpha },
      { "steps", test_steps },
      { "samples", test_samples },
      { "egl_image", test_egl_image },
   };
   return x11_main(argc, argv, NULL, tests, sizeof(tests) / sizeof(tests[0]));
}
