/* SPDX-License-Identifier: MIT */
/*
 * Tests textures from pixmaps (GLX_EXT_texture_from_pixmap), which must have the contents that the
 * X server has drawn.
 *
 *    glx_textures_x11 TEST
 */
#include "x11_glx.h"

/* Tests that a texture from a pixmap shows the X server's pixels in the window. */
static void
test_texture(void)
{
   PFNGLXBINDTEXIMAGEEXTPROC bind = (PFNGLXBINDTEXIMAGEEXTPROC)glXGetProcAddress(
      (const GLubyte *)"glXBindTexImageEXT");
   PFNGLXRELEASETEXIMAGEEXTPROC release = (PFNGLXRELEASETEXIMAGEEXTPROC)glXGetProcAddress(
      (const GLubyte *)"glXReleaseTexImageEXT");
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT | GLX_PIXMAP_BIT);
   const int depth = DefaultDepth(dpy, DefaultScreen(dpy));
   Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
   CHECK(glXMakeCurrent(dpy, window, context_for(config, NULL)));
   glMatrixMode(GL_PROJECTION);
   glOrtho(0, WIDTH, 0, HEIGHT, -1, 1);

   /* Some widths are odd, so that rows of the image and rows of a mapping have different pitches.
    */
   static const int sizes[][2] = { { 32, 16 }, { 33, 17 }, { 1, 1 }, { 90, 1 }, { 3, 50 } };
   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      const int w = sizes[i][0], h = sizes[i][1];
      for (int rectangle = 0; rectangle < 2; rectangle++) {
         const int attributes[] = { GLX_TEXTURE_TARGET_EXT,
                                    rectangle ? GLX_TEXTURE_RECTANGLE_EXT : GLX_TEXTURE_2D_EXT,
                                    GLX_TEXTURE_FORMAT_EXT, GLX_TEXTURE_FORMAT_RGB_EXT, None };
         const GLenum target = rectangle ? GL_TEXTURE_RECTANGLE_ARB : GL_TEXTURE_2D;
         Pixmap pixmap = XCreatePixmap(dpy, DefaultRootWindow(dpy), w, h, depth);
         GLXPixmap glx = glXCreatePixmap(dpy, config, pixmap, attributes);
         GLuint texture;
         glGenTextures(1, &texture);
         glBindTexture(target, texture);
         glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
         glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
         glEnable(target);
         glColor3f(1, 1, 1);

         for (int turn = 0; turn < 3; turn++) {
            static const uint32_t colours[] = { BLUE, YELLOW, GREEN };
            /* the last column and the last row have different colours */
            x11_fill(pixmap, 0, 0, w, h, colours[turn]);
            x11_fill(pixmap, w - 1, 0, 1, h, BLACK);
            x11_fill(pixmap, 0, h - 1, w, 1, WHITE);
            bind(dpy, glx, GLX_FRONT_LEFT_EXT, NULL);
            /* A pixmap has one level (GLX_BIND_TO_MIPMAP_TEXTURE_EXT is false) and gets no others.
             * Mesa does not define the texture's contents after this call.
             */
            if (!rectangle && turn > 0) {
               glGenerateMipmap(target);
               release(dpy, glx, GLX_FRONT_LEFT_EXT);
               bind(dpy, glx, GLX_FRONT_LEFT_EXT, NULL);
            }
            fill(0, 0, WIDTH, HEIGHT, RED);
            const float s = rectangle ? w : 1, t = rectangle ? h : 1;
            /* the X server counts rows from the top */
            glBegin(GL_QUADS);
            glTexCoord2f(0, 0);
            glVertex2i(4, HEIGHT - 5);
            glTexCoord2f(0, t);
            glVertex2i(4, HEIGHT - 5 - h);
            glTexCoord2f(s, t);
            glVertex2i(4 + w, HEIGHT - 5 - h);
            glTexCoord2f(s, 0);
            glVertex2i(4 + w, HEIGHT - 5);
            glEnd();
            release(dpy, glx, GLX_FRONT_LEFT_EXT);
            glXSwapBuffers(dpy, window);
            if (w > 1 && h > 1)
               EXPECT(window, 4, 5, w - 1, h - 1, colours[turn]);
            if (h > 1)
               EXPECT(window, 4 + w - 1, 5, 1, h - 1, BLACK);
            EXPECT(window, 4, 5 + h - 1, w, 1, WHITE);
            EXPECT(window, 0, 0, 4, HEIGHT, RED);
            if (4 + w < WIDTH)
               EXPECT(window, 4 + w, 0, WIDTH - 4 - w, HEIGHT, RED);
         }
         glDisable(target);
         glDeleteTextures(1, &texture);
         glXDestroyPixmap(dpy, glx);
         XFreePixmap(dpy, pixmap);
      }
   }
   CHECK(glGetError() == GL_NO_ERROR);
}

/* Tests a pixmap that is bound once, as compositors do.  Each frame shows the current contents of
 * the pixmap.  The texture outlives the pixmap and the drawable.
 */
static void
test_texture_live(void)
{
   PFNGLXBINDTEXIMAGEEXTPROC bind = (PFNGLXBINDTEXIMAGEEXTPROC)glXGetProcAddress(
      (const GLubyte *)"glXBindTexImageEXT");
   static const int attributes[] = { GLX_TEXTURE_TARGET_EXT, GLX_TEXTURE_2D_EXT,
                                     GLX_TEXTURE_FORMAT_EXT, GLX_TEXTURE_FORMAT_RGB_EXT, None };
   static const uint32_t colours[] = { BLUE, YELLOW, GREEN, WHITE };
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT | GLX_PIXMAP_BIT);
   Window window = window_for(config, 10, 10, WIDTH, HEIGHT);
   CHECK(glXMakeCurrent(dpy, window, context_for(config, NULL)));
   glMatrixMode(GL_PROJECTION);
   glOrtho(0, WIDTH, 0, HEIGHT, -1, 1);

   Pixmap pixmaps[2];
   GLXPixmap glx[2];
   GLuint textures[2];
   glGenTextures(2, textures);
   for (int i = 0; i < 2; i++) {
      pixmaps[i] = XCreatePixmap(dpy, DefaultRootWindow(dpy), 33, 17,
                                 DefaultDepth(dpy, DefaultScreen(dpy)));
      x11_fill(pixmaps[i], 0, 0, 33, 17, BLACK);
      glx[i] = glXCreatePixmap(dpy, config, pixmaps[i], attributes);
      glBindTexture(GL_TEXTURE_2D, textures[i]);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      bind(dpy, glx[i], GLX_FRONT_LEFT_EXT, NULL);
   }
   glColor3f(1, 1, 1);
   for (int turn = 0; turn < 12; turn++) {
      uint32_t shown[2] = { colours[turn % 4], colours[(turn / 2 + 1) % 4] };
      if (turn < 8) {
         for (int i = 0; i < 2; i++)
            x11_fill(pixmaps[i], 0, 0, 33, 17, shown[i]);
      } else {
         shown[0] = colours[7 % 4];
         shown[1] = colours[(7 / 2 + 1) % 4];
      }
      if (turn == 8)
         XFreePixmap(dpy, pixmaps[0]);
      if (turn == 10)
         glXDestroyPixmap(dpy, glx[0]);
      fill(0, 0, WIDTH, HEIGHT, RED);
      glEnable(GL_TEXTURE_2D);
      /* in the second and third frame, the second texture stays bound for all draws */
      for (int i = 0; i < 2; i++) {
         if (turn != 1 && turn != 2)
            glBindTexture(GL_TEXTURE_2D, textures[i]);
         for (int half = 0; half < 2; half++) {
            glBegin(GL_QUADS);
            glTexCoord2f(0, 0);
            glVertex2i(4 + 40 * i, 10 + 20 * half);
            glTexCoord2f(0, 1);
            glVertex2i(4 + 40 * i, 27 + 20 * half);
            glTexCoord2f(1, 1);
            glVertex2i(37 + 40 * i, 27 + 20 * half);
            glTexCoord2f(1, 0);
            glVertex2i(37 + 40 * i, 10 + 20 * half);
            glEnd();
         }
      }
      glDisable(GL_TEXTURE_2D);
      glXSwapBuffers(dpy, window);
      for (int i = 0; i < 2; i++) {
         const uint32_t expected = turn == 1 || turn == 2 ? shown[1] : shown[i];
         EXPECT(window, 4 + 40 * i, HEIGHT - 27, 33, 17, expected);
         EXPECT(window, 4 + 40 * i, HEIGHT - 47, 33, 17, expected);
      }
   }
   glDeleteTextures(2, textures);
   glXDestroyPixmap(dpy, glx[1]);
   XFreePixmap(dpy, pixmaps[1]);
   CHECK(glGetError() == GL_NO_ERROR);
}

/* Tests a texture from a pixmap with alpha values that the X server has written. */
static void
test_texture_alpha(void)
{
   PFNGLXBINDTEXIMAGEEXTPROC bind = (PFNGLXBINDTEXIMAGEEXTPROC)glXGetProcAddress(
      (const GLubyte *)"glXBindTexImageEXT");
   const int wanted[] = { GLX_DRAWABLE_TYPE,
                          GLX_PIXMAP_BIT,
                          GLX_BIND_TO_TEXTURE_RGBA_EXT,
                          True,
                          GLX_DOUBLEBUFFER,
                          False,
                          GLX_ALPHA_SIZE,
                          8,
                          GLX_RED_SIZE,
                          8,
                          None };
   static const int attributes[] = { GLX_TEXTURE_TARGET_EXT, GLX_TEXTURE_2D_EXT,
                                     GLX_TEXTURE_FORMAT_EXT, GLX_TEXTURE_FORMAT_RGBA_EXT, None };
   GLXFBConfig windows = choose(True, GLX_WINDOW_BIT);
   Window window = window_for(windows, 10, 10, WIDTH, HEIGHT);
   CHECK(glXMakeCurrent(dpy, window, context_for(windows, NULL)));

   int count = 0;
   GLXFBConfig *configs = glXChooseFBConfig(dpy, DefaultScreen(dpy), wanted, &count);
   CHECK(configs && count);
   Pixmap pixmap = XCreatePixmap(dpy, window, 33, 9, 32);
   GLXPixmap glx = glXCreatePixmap(dpy, configs[0], pixmap, attributes);
   XFree(configs);
   GC gc = XCreateGC(dpy, pixmap, 0, NULL);
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (unsigned turn = 0; turn < 3; turn++) {
      for (unsigned y = 0; y < 9; y++) {
         for (unsigned x = 0; x < 33; x++) {
            XSetForeground(dpy, gc, (7 * x + turn) << 24 | (x << 16) | (y * 20 << 8) | turn);
            XDrawPoint(dpy, pixmap, gc, x, y);
         }
      }
      XSync(dpy, False);
      bind(dpy, glx, GLX_FRONT_LEFT_EXT, NULL);
      uint8_t pixels[9][33][4];
      glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
      for (unsigned y = 0; y < 9; y++) {
         for (unsigned x = 0; x < 33; x++) {
            const uint8_t *p = pixels[y][x];
            SAME((uint32_t)p[3] << 24 | p[0] << 16 | p[1] << 8 | p[2],
                 (7 * x + turn) << 24 | (x << 16) | (y * 20 << 8) | turn, (int)x, (int)y);
         }
      }
   }
   CHECK(glGetError() == GL_NO_ERROR);
}

int
main(int argc, char **argv)
{
   static const struct x11_test tests[] = {
      { "texture", test_texture },
      { "live", test_texture_live },
      { "alpha", test_texture_alpha },
   };
   return x11_main(argc, argv, NULL, tests, sizeof(tests) / sizeof(tests[0]));
}
