/* SPDX-License-Identifier: MIT */
/*
 * For tests of X11 windows: functions for GLX.
 */
#ifndef TEST_X11_GLX_H
#define TEST_X11_GLX_H

#include "x11_gl.h"
#include <GL/glx.h>

#define WIDTH 97
#define HEIGHT 61

static inline GLXFBConfig
choose_samples(int doublebuffer, int drawables, int wanted_samples)
{
   /* Use the depth of the screen's default visual, even if the driver offers others. */
   const int depth = DefaultDepth(dpy, DefaultScreen(dpy));
   const int wanted[] = { GLX_DOUBLEBUFFER,
                          doublebuffer,
                          GLX_DRAWABLE_TYPE,
                          drawables,
                          GLX_RENDER_TYPE,
                          GLX_RGBA_BIT,
                          GLX_X_RENDERABLE,
                          True,
                          GLX_DEPTH_SIZE,
                          16,
                          None };
   int count = 0;
   GLXFBConfig *found = glXChooseFBConfig(dpy, DefaultScreen(dpy), wanted, &count);
   for (int i = 0; i < count; i++) {
      XVisualInfo *visual = glXGetVisualFromFBConfig(dpy, found[i]);
      const bool fits = visual && visual->depth == depth;
      int samples = 0;
      glXGetFBConfigAttrib(dpy, found[i], GLX_SAMPLES, &samples);
      XFree(visual);
      if (fits && samples == wanted_samples) {
         GLXFBConfig config = found[i];
         XFree(found);
         return config;
      }
   }
   fprintf(stderr, "no fitting configuration\n");
   exit(1);
}

static inline GLXFBConfig
choose(int doublebuffer, int drawables)
{
   return choose_samples(doublebuffer, drawables, 0);
}

static inline GLXContext
context_for(GLXFBConfig config, GLXContext share)
{
   GLXContext context = glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, share, True);
   CHECK(context && glXIsDirect(dpy, context));
   return context;
}

static inline Window
window_for(GLXFBConfig config, int x, int y, int width, int height)
{
   XVisualInfo *visual = glXGetVisualFromFBConfig(dpy, config);
   Window window = x11_window(visual, x, y, width, height);
   XFree(visual);
   return window;
}

#endif
