/* SPDX-License-Identifier: MIT */
/*
 * For tests of X11 windows: windows, drawing by the X server, and the contents of a drawable on the
 * X server.  Colours are 0xrrggbb.  Components of 0 and 255 have exact values in every visual.
 */
#ifndef TEST_X11_H
#define TEST_X11_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <X11/Xlib.h>
#include <X11/Xutil.h>

#define BLACK 0x000000
#define RED 0xff0000
#define GREEN 0x00ff00
#define BLUE 0x0000ff
#define YELLOW 0xffff00
#define WHITE 0xffffff

#define CHECK(condition)                                                 \
   do {                                                                  \
      if (!(condition)) {                                                \
         fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
         exit(1);                                                        \
      }                                                                  \
   } while (0)

/* Checks that the pixel (x, y), counted from the top left, is `expected`. */
#define SAME(found, expected, x, y)                                                          \
   do {                                                                                      \
      if ((found) != (expected)) {                                                           \
         fprintf(stderr, "%s:%d: pixel %d,%d is %06x, not %06x\n", __FILE__, __LINE__, x, y, \
                 found, expected);                                                           \
         exit(1);                                                                            \
      }                                                                                      \
   } while (0)

struct x11_picture {
   int width, height;
   uint32_t *rgb; /* colours as 0xrrggbb, rows from top to bottom */
};

static Display *dpy;

static inline unsigned
x11_component(unsigned long pixel, unsigned long mask)
{
   const unsigned long max = mask / (mask & -mask);
   return ((pixel & mask) / (mask & -mask) * 255 + max / 2) / max;
}

/* Returns the first TrueColor visual of a depth, which has the masks of its components. */
static inline XVisualInfo
x11_visual(int depth)
{
   XVisualInfo wanted = { .depth = depth, .class = TrueColor };
   int count;
   XVisualInfo *found = XGetVisualInfo(dpy, VisualDepthMask | VisualClassMask, &wanted, &count);
   CHECK(found && count);
   const XVisualInfo visual = *found;
   XFree(found);
   return visual;
}

static inline struct x11_picture
x11_shot(Drawable drawable)
{
   Window root;
   int x, y;
   unsigned width, height, border, depth;
   CHECK(XGetGeometry(dpy, drawable, &root, &x, &y, &width, &height, &border, &depth));
   const XVisualInfo visual = x11_visual(depth);
   XImage *image = XGetImage(dpy, drawable, 0, 0, width, height, AllPlanes, ZPixmap);
   CHECK(image);

   struct x11_picture shot = { width, height, malloc((size_t)width * height * 4) };
   for (unsigned row = 0; row < height; row++) {
      for (unsigned column = 0; column < width; column++) {
         const unsigned long pixel = XGetPixel(image, column, row);
         shot.rgb[row * width + column] = x11_component(pixel, visual.red_mask) << 16 |
                                          x11_component(pixel, visual.green_mask) << 8 |
                                          x11_component(pixel, visual.blue_mask);
      }
   }
   XDestroyImage(image);
   return shot;
}

static inline unsigned long
x11_pixel(uint32_t rgb, int depth)
{
   const XVisualInfo visual = x11_visual(depth);
   return (rgb >> 16 ? visual.red_mask : 0) | ((rgb >> 8 & 255) ? visual.green_mask : 0) |
          ((rgb & 255) ? visual.blue_mask : 0);
}

/* The X server fills a rectangle.  Returns after it has drawn. */
static inline void
x11_fill(Drawable drawable, int x, int y, int width, int height, uint32_t rgb)
{
   Window root;
   int left, top;
   unsigned w, h, border, depth;
   CHECK(XGetGeometry(dpy, drawable, &root, &left, &top, &w, &h, &border, &depth));
   XGCValues values = { .foreground = x11_pixel(rgb, depth) };
   GC gc = XCreateGC(dpy, drawable, GCForeground, &values);
   XFillRectangle(dpy, drawable, gc, x, y, width, height);
   XFreeGC(dpy, gc);
   XSync(dpy, False);
}

static inline void
x11_expect(Drawable drawable, int left, int top, int width, int height, uint32_t colour,
           const char *file, int line)
{
   struct x11_picture shot = x11_shot(drawable);
   for (int y = top; y < top + height; y++) {
      for (int x = left; x < left + width; x++) {
         CHECK(x >= 0 && y >= 0 && x < shot.width && y < shot.height);
         if (shot.rgb[y * shot.width + x] != colour) {
            fprintf(stderr, "%s:%d: the X server has %06x, not %06x, at %d,%d\n", file, line,
                    shot.rgb[y * shot.width + x], colour, x, y);
            exit(1);
         }
      }
   }
   free(shot.rgb);
}

/* Checks that a rectangle of the drawable, counted from the top left, has this colour. */
#define EXPECT(drawable, x, y, width, height, colour) \
   x11_expect(drawable, x, y, width, height, colour, __FILE__, __LINE__)

/* Creates and shows a window with a red background. */
static inline Window
x11_window(const XVisualInfo *visual, int x, int y, int width, int height)
{
   XSetWindowAttributes attributes = {
      .background_pixel = x11_pixel(RED, visual->depth),
      .border_pixel = 0,
      .colormap = XCreateColormap(dpy, RootWindow(dpy, visual->screen), visual->visual, AllocNone),
      .event_mask = StructureNotifyMask,
      .override_redirect = True,
   };
   Window window = XCreateWindow(dpy, RootWindow(dpy, visual->screen), x, y, width, height, 0,
                                 visual->depth, InputOutput, visual->visual,
                                 CWBackPixel | CWBorderPixel | CWColormap | CWEventMask |
                                    CWOverrideRedirect,
                                 &attributes);
   XEvent event;
   XMapRaised(dpy, window);
   do {
      XWindowEvent(dpy, window, StructureNotifyMask, &event);
   } while (event.type != MapNotify);
   XSync(dpy, False);
   return window;
}

static int x11_errors;

static inline int
x11_count_error(Display *display, XErrorEvent *event)
{
   (void)display;
   (void)event;
   x11_errors++;
   return 0;
}

struct x11_test {
   const char *name;
   void (*run)(void);
};

/* Runs the test that the program's argument names, after `begin` unless that is NULL. */
static inline int
x11_main(int argc, char **argv, void (*begin)(void), const struct x11_test *tests, unsigned count)
{
   CHECK(XInitThreads());
   dpy = XOpenDisplay(NULL);
   CHECK(dpy);
   if (begin)
      begin();
   for (unsigned i = 0; argc == 2 && i < count; i++) {
      if (!strcmp(argv[1], tests[i].name)) {
         tests[i].run();
         return 0;
      }
   }
   fprintf(stderr, "usage: %s TEST\n", argv[0]);
   return 2;
}

#endif
