/*
 * SPDX-License-Identifier: MIT
 *
 * Draws without a window system, and checks the renderer and every pixel.  A triangle covers the
 * left half of the picture; the right half has the clear colour.
 *
 *    egl_draw RENDERER surfaceless      into a framebuffer object
 *    egl_draw RENDERER device           into a pbuffer of the software device
 *    egl_draw RENDERER gbm NODE         into a GBM surface, read through GBM
 *
 * RENDERER: text that GL_RENDERER must begin with.
 */

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <gbm.h>

#define WIDTH 64
#define HEIGHT 48

/* red, green and blue, which 8 bits represent exactly */
static const uint8_t clear_colour[3] = { 0, 51, 102 };
static const uint8_t draw_colour[3] = { 255, 153, 0 };

static void __attribute__((noreturn)) fail(const char *what)
{
   fprintf(stderr, "egl_draw: %s (EGL error 0x%x)\n", what, eglGetError());
   exit(1);
}

static EGLDisplay
platform_display(EGLenum platform, void *native)
{
   PFNEGLGETPLATFORMDISPLAYEXTPROC get_display = (void *)eglGetProcAddress(
      "eglGetPlatformDisplayEXT");
   EGLDisplay display = get_display(platform, native, NULL);
   if (!display || !eglInitialize(display, NULL, NULL))
      fail("cannot initialize EGL");
   return display;
}

static EGLDeviceEXT
software_device(void)
{
   PFNEGLQUERYDEVICESEXTPROC query_devices = (void *)eglGetProcAddress("eglQueryDevicesEXT");
   PFNEGLQUERYDEVICESTRINGEXTPROC query_string = (void *)eglGetProcAddress(
      "eglQueryDeviceStringEXT");
   EGLDeviceEXT devices[16];
   EGLint count = 0;
   query_devices(16, devices, &count);
   for (EGLint i = 0; i < count; i++) {
      const char *extensions = query_string(devices[i], EGL_EXTENSIONS);
      if (extensions && strstr(extensions, "EGL_MESA_device_software"))
         return devices[i];
   }
   fail("no software device");
}

static EGLConfig
choose_config(EGLDisplay display, EGLint surface_type, EGLint visual)
{
   const EGLint attribs[] = {
      EGL_SURFACE_TYPE,
      surface_type,
      EGL_RENDERABLE_TYPE,
      EGL_OPENGL_ES2_BIT,
      EGL_RED_SIZE,
      8,
      EGL_GREEN_SIZE,
      8,
      EGL_BLUE_SIZE,
      8,
      EGL_DEPTH_SIZE,
      surface_type == EGL_PBUFFER_BIT ? 24 : 0,
      EGL_NONE,
   };
   EGLConfig configs[256];
   EGLint count = 0;
   eglChooseConfig(display, attribs, configs, 256, &count);
   for (EGLint i = 0; i < count; i++) {
      EGLint red, id;
      eglGetConfigAttrib(display, configs[i], EGL_RED_SIZE, &red);
      eglGetConfigAttrib(display, configs[i], EGL_NATIVE_VISUAL_ID, &id);
      if (red == 8 && (!visual || id == visual))
         return configs[i];
   }
   fail("no fitting config");
}

static void
make_current(EGLDisplay display, EGLConfig config, EGLSurface surface)
{
   const EGLint attribs[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
   eglBindAPI(EGL_OPENGL_ES_API);
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attribs);
   if (!context || !eglMakeCurrent(display, surface, surface, context))
      fail("no current context");
}

static GLuint
compile(GLenum stage, const char *source)
{
   GLuint shader = glCreateShader(stage);
   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   return shader;
}

static void
draw(void)
{
   static const float corners[] = { -1, -3, 0, -3, -1, 5, 0, -3, 0, 5, -1, 5 };
   GLuint program = glCreateProgram();
   glAttachShader(program, compile(GL_VERTEX_SHADER, "attribute vec4 corner;\n"
                                                     "void main() { gl_Position = corner; }"));
   glAttachShader(program, compile(GL_FRAGMENT_SHADER, "uniform lowp vec4 colour;\n"
                                                       "void main() { gl_FragColor = colour; }"));
   glBindAttribLocation(program, 0, "corner");
   glLinkProgram(program);
   glUseProgram(program);
   glUniform4f(glGetUniformLocation(program, "colour"), draw_colour[0] / 255.0f,
               draw_colour[1] / 255.0f, draw_colour[2] / 255.0f, 1.0f);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);

   glViewport(0, 0, WIDTH, HEIGHT);
   glClearColor(clear_colour[0] / 255.0f, clear_colour[1] / 255.0f, clear_colour[2] / 255.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, 6);
   if (glGetError() != GL_NO_ERROR)
      fail("GL error");
}

/* Checks a picture with four bytes per pixel, in which red, green and blue have the given offsets.
 */
static void
check(const uint8_t *pixels, uint32_t stride, const int offsets[3])
{
   for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
         const uint8_t *pixel = pixels + y * stride + x * 4;
         const uint8_t *expected = x < WIDTH / 2 ? draw_colour : clear_colour;
         for (int c = 0; c < 3; c++) {
            if (pixel[offsets[c]] != expected[c]) {
               fprintf(stderr,
                       "egl_draw: component %d of pixel %d,%d is %u, "
                       "not %u\n",
                       c, x, y, pixel[offsets[c]], expected[c]);
               exit(1);
            }
         }
      }
   }
}

static void
check_renderer(const char *expected)
{
   const char *renderer = (const char *)glGetString(GL_RENDERER);
   printf("%s\n", renderer);
   if (strncmp(renderer, expected, strlen(expected)))
      fail("the wrong renderer");
}

static void
check_read_pixels(void)
{
   static uint8_t pixels[WIDTH * HEIGHT * 4];
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   check(pixels, WIDTH * 4, (const int[]){ 0, 1, 2 });
}

static void
test_surfaceless(const char *renderer)
{
   EGLDisplay display = platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
   make_current(display, choose_config(display, EGL_PBUFFER_BIT, 0), EGL_NO_SURFACE);
   check_renderer(renderer);

   GLuint texture, framebuffer;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   /* libglapi of old Mesas does not know this function. */
   PFNGLTEXSTORAGE2DEXTPROC storage = (void *)eglGetProcAddress("glTexStorage2DEXT");
   if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_texture_storage "))
      fail("no GL_EXT_texture_storage");
   storage(GL_TEXTURE_2D, 1, GL_RGBA8_OES, WIDTH, HEIGHT);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   draw();
   check_read_pixels();
   eglTerminate(display);
}

static void
test_device(const char *renderer)
{
   const EGLint size[] = { EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE };
   EGLDisplay display = platform_display(EGL_PLATFORM_DEVICE_EXT, software_device());
   EGLConfig config = choose_config(display, EGL_PBUFFER_BIT, 0);
   make_current(display, config, eglCreatePbufferSurface(display, config, size));
   check_renderer(renderer);
   draw();
   check_read_pixels();

   /* Nothing is nearer than the cleared depth buffer. */
   GLint bits = 0;
   glGetIntegerv(GL_DEPTH_BITS, &bits);
   if (!bits)
      fail("no depth buffer");
   glClearDepthf(0);
   glClear(GL_DEPTH_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   glUniform4f(0, 1, 1, 1, 1);
   glDrawArrays(GL_TRIANGLES, 0, 6);
   check_read_pixels();
   eglTerminate(display);
}

static void
test_gbm(const char *renderer, const char *node)
{
   int fd = open(node, O_RDWR | O_CLOEXEC);
   struct gbm_device *gbm = fd < 0 ? NULL : gbm_create_device(fd);
   if (!gbm)
      fail("no GBM device");
   struct gbm_surface *native = gbm_surface_create(gbm, WIDTH, HEIGHT, GBM_FORMAT_XRGB8888,
                                                   GBM_BO_USE_RENDERING);
   if (!native)
      fail("no GBM surface");

   EGLDisplay display = platform_display(EGL_PLATFORM_GBM_KHR, gbm);
   EGLConfig config = choose_config(display, EGL_WINDOW_BIT, GBM_FORMAT_XRGB8888);
   EGLSurface surface = eglCreateWindowSurface(display, config, (EGLNativeWindowType)native, NULL);
   make_current(display, config, surface);
   check_renderer(renderer);

   /* The buffers of a surface are used alternately, so the second frame is in another buffer. */
   for (int frame = 0; frame < 3; frame++) {
      draw();
      check_read_pixels();
      if (!eglSwapBuffers(display, surface))
         fail("cannot swap");
      struct gbm_bo *bo = gbm_surface_lock_front_buffer(native);
      uint32_t stride;
      void *map_data = NULL;
      const uint8_t *pixels = bo ? gbm_bo_map(bo, 0, 0, WIDTH, HEIGHT, GBM_BO_TRANSFER_READ,
                                              &stride, &map_data)
                                 : NULL;
      if (!pixels)
         fail("cannot map the front buffer");
      check(pixels, stride, (const int[]){ 2, 1, 0 });
      gbm_bo_unmap(bo, map_data);
      gbm_surface_release_buffer(native, bo);
   }
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroySurface(display, surface);
   eglTerminate(display);
   gbm_surface_destroy(native);
   gbm_device_destroy(gbm);
   close(fd);
}

int
main(int argc, char **argv)
{
   const char *platform = argc > 2 ? argv[2] : "";
   if (!strcmp(platform, "surfaceless")) {
      test_surfaceless(argv[1]);
   } else if (!strcmp(platform, "device")) {
      test_device(argv[1]);
   } else if (!strcmp(platform, "gbm") && argc > 3) {
      test_gbm(argv[1], argv[3]);
   } else {
      fprintf(stderr, "usage: egl_draw RENDERER surfaceless|device|gbm NODE\n");
      return 2;
   }
   return 0;
}
