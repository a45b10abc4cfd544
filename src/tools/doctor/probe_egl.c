/* SPDX-License-Identifier: MIT */
/* Probes of EGL: each platform, with a framebuffer object in place of a surface. */
#include "doctor.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include "probe_gl.h"

#define LOOK_UP(type, name) __typeof__(type) name = (__typeof__(type))dlsym(egl, #name)
#define LOOK_UP_GL(type, name) type name = (type)egl->get_proc(#name)

struct egl {
   void *library;
   PFNEGLGETPROCADDRESSPROC get_proc;
   PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display;
   const char *extensions; /* client extensions, or "" */
};

/* GBM on the first node that can be opened. */
static void *
open_gbm(void)
{
   static const char *const nodes[] = { "/dev/dri/renderD128", "/dev/dri/card0", "/dev/dri/card1",
                                        "/dev/dri/renderD129" };
   int fd = -1, error = ENOENT;

   for (unsigned i = 0; fd < 0 && i < sizeof nodes / sizeof nodes[0]; i++) {
      fd = open(nodes[i], O_RDWR | O_CLOEXEC);
      if (fd < 0 && errno != ENOENT)
         error = errno;
   }
   if (fd < 0) {
      probe_fail(error == ENOENT ? "no /dev/dri: GBM needs a node of the kernel"
                                 : "/dev/dri cannot be opened: %s",
                 strerror(error));
      return NULL;
   }
   void *gbm = probe_open("libgbm.so.1");
   if (!gbm)
      return NULL;
   void *(*create)(int) = (void *(*)(int))dlsym(gbm, "gbm_create_device");
   probe_say("stage", "gbm_create_device");
   void *device = create ? create(fd) : NULL;
   if (!device)
      probe_fail("gbm_create_device fails");
   return device;
}

static void *
connect_wayland(void)
{
   const char *name = getenv("WAYLAND_DISPLAY");

   if (!name || !*name) {
      probe_fail("WAYLAND_DISPLAY is not set: no compositor");
      return NULL;
   }
   void *wayland = probe_open("libwayland-client.so.0");
   if (!wayland)
      return NULL;
   void *(*connect)(const char *) = (void *(*)(const char *))dlsym(wayland, "wl_display_connect");
   probe_say("stage", "wl_display_connect(%s)", name);
   void *display = connect ? connect(NULL) : NULL;
   if (!display)
      probe_fail("no Wayland compositor answers at WAYLAND_DISPLAY=%s", name);
   return display;
}

static EGLDisplay
platform_display(const struct egl *egl, EGLenum platform, const char *extension, void *native)
{
   if (!egl->get_platform_display || !strstr(egl->extensions, extension)) {
      probe_fail("EGL has no %s: no vendor library has it", extension);
      return EGL_NO_DISPLAY;
   }
   probe_say("stage", "eglGetPlatformDisplayEXT");
   EGLDisplay display = egl->get_platform_display(platform, native, NULL);
   if (display == EGL_NO_DISPLAY)
      probe_fail("eglGetPlatformDisplayEXT returns no display");
   return display;
}

/* Takes the software device, which stands behind those with a DRM node. */
static EGLDisplay
device_display(const struct egl *egl)
{
   EGLDeviceEXT devices[32];
   EGLint count = 0;
   PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)egl->get_proc("eglQueryDevicesEXT");
   PFNEGLQUERYDEVICESTRINGEXTPROC text = (PFNEGLQUERYDEVICESTRINGEXTPROC)egl->get_proc(
      "eglQueryDeviceStringEXT");

   if (!query || !text || !strstr(egl->extensions, "EGL_EXT_device_base")) {
      probe_fail("EGL has no EGL_EXT_device_base: no vendor library has it");
      return EGL_NO_DISPLAY;
   }
   probe_say("stage", "eglQueryDevicesEXT");
   if (!query(32, devices, &count) || count < 1) {
      probe_fail("eglQueryDevicesEXT finds no device");
      return EGL_NO_DISPLAY;
   }
   EGLDeviceEXT device = devices[0];
   for (EGLint i = 0; i < count; i++) {
      const char *names = text(devices[i], EGL_EXTENSIONS);
      if (names && strstr(names, "EGL_MESA_device_software"))
         device = devices[i];
   }
   return platform_display(egl, EGL_PLATFORM_DEVICE_EXT, "EGL_EXT_platform_device", device);
}

static EGLDisplay
open_display(const struct egl *egl, const char *platform)
{
   void *native;

   if (!strcmp(platform, "default")) {
      PFNEGLGETDISPLAYPROC get = (PFNEGLGETDISPLAYPROC)dlsym(egl->library, "eglGetDisplay");
      probe_say("stage", "eglGetDisplay(EGL_DEFAULT_DISPLAY)");
      EGLDisplay display = get(EGL_DEFAULT_DISPLAY);
      if (display == EGL_NO_DISPLAY)
         probe_fail("eglGetDisplay(EGL_DEFAULT_DISPLAY) returns no display");
      return display;
   }
   if (!strcmp(platform, "x11")) {
      native = probe_display();
      return native ? platform_display(egl, EGL_PLATFORM_X11_EXT, "EGL_EXT_platform_x11", native)
                    : EGL_NO_DISPLAY;
   }
   if (!strcmp(platform, "wayland")) {
      native = connect_wayland();
      return native ? platform_display(egl, EGL_PLATFORM_WAYLAND_EXT, "EGL_EXT_platform_wayland",
                                       native)
                    : EGL_NO_DISPLAY;
   }
   if (!strcmp(platform, "gbm")) {
      native = open_gbm();
      return native ? platform_display(egl, EGL_PLATFORM_GBM_MESA, "EGL_MESA_platform_gbm", native)
                    : EGL_NO_DISPLAY;
   }
   if (!strcmp(platform, "device"))
      return device_display(egl);
   return platform_display(egl, EGL_PLATFORM_SURFACELESS_MESA, "EGL_MESA_platform_surfaceless",
                           NULL);
}

static int
draw(const struct egl *egl)
{
   struct probe_gl gl = {
      .GetString = (void *)egl->get_proc("glGetString"),
      .ClearColor = (void *)egl->get_proc("glClearColor"),
      .Clear = (void *)egl->get_proc("glClear"),
      .ReadPixels = (void *)egl->get_proc("glReadPixels"),
   };
   LOOK_UP_GL(PFNGLGENFRAMEBUFFERSPROC, glGenFramebuffers);
   LOOK_UP_GL(PFNGLBINDFRAMEBUFFERPROC, glBindFramebuffer);
   LOOK_UP_GL(PFNGLGENRENDERBUFFERSPROC, glGenRenderbuffers);
   LOOK_UP_GL(PFNGLBINDRENDERBUFFERPROC, glBindRenderbuffer);
   LOOK_UP_GL(PFNGLRENDERBUFFERSTORAGEPROC, glRenderbufferStorage);
   LOOK_UP_GL(PFNGLFRAMEBUFFERRENDERBUFFERPROC, glFramebufferRenderbuffer);
   GLuint framebuffer, renderbuffer;

   if (!gl.GetString || !gl.ReadPixels || !glFramebufferRenderbuffer || !glRenderbufferStorage)
      return probe_fail("eglGetProcAddress finds no functions of OpenGL");
   probe_say("stage", "glFramebufferRenderbuffer");
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
   return probe_draw(&gl);
}

int
probe_egl(const char *platform)
{
   void *egl = probe_open("libEGL.so.1");
   if (!egl)
      return 1;
   LOOK_UP(PFNEGLGETPROCADDRESSPROC, eglGetProcAddress);
   LOOK_UP(PFNEGLQUERYSTRINGPROC, eglQueryString);
   LOOK_UP(PFNEGLINITIALIZEPROC, eglInitialize);
   LOOK_UP(PFNEGLGETERRORPROC, eglGetError);
   LOOK_UP(PFNEGLBINDAPIPROC, eglBindAPI);
   LOOK_UP(PFNEGLCHOOSECONFIGPROC, eglChooseConfig);
   LOOK_UP(PFNEGLCREATECONTEXTPROC, eglCreateContext);
   LOOK_UP(PFNEGLMAKECURRENTPROC, eglMakeCurrent);
   if (!eglGetProcAddress || !eglInitialize || !eglMakeCurrent)
      return probe_fail("libEGL.so.1 lacks functions of EGL");

   probe_say("stage", "eglQueryString");
   const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
   const struct egl all = {
      .library = egl,
      .get_proc = eglGetProcAddress,
      .get_platform_display = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
         "eglGetPlatformDisplayEXT"),
      .extensions = extensions ? extensions : "",
   };
   EGLDisplay display = open_display(&all, platform);
   if (display == EGL_NO_DISPLAY)
      return 1;
   probe_say("stage", "eglInitialize");
   if (!eglInitialize(display, NULL, NULL))
      return probe_fail("eglInitialize fails (0x%04x)", eglGetError());

   EGLint attributes[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE };
   EGLConfig config = NULL;
   EGLint count = 0;
   EGLContext context = EGL_NO_CONTEXT;
   /* OpenGL, or OpenGL ES where a vendor has nothing else. */
   for (unsigned es = 0; es < 2 && context == EGL_NO_CONTEXT; es++) {
      static const EGLint version[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };

      attributes[3] = es ? EGL_OPENGL_ES2_BIT : EGL_OPENGL_BIT;
      probe_say("stage", "eglChooseConfig");
      eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
      if (!eglChooseConfig(display, attributes, &config, 1, &count) || !count)
         continue;
      probe_say("stage", "eglCreateContext");
      context = eglCreateContext(display, config, EGL_NO_CONTEXT, es ? version : NULL);
   }
   if (context == EGL_NO_CONTEXT)
      return probe_fail(count ? "eglCreateContext fails (0x%04x)"
                              : "eglChooseConfig finds no configuration (0x%04x)",
                        eglGetError());
   probe_say("stage", "eglMakeCurrent");
   if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      return probe_fail("eglMakeCurrent without a surface fails (0x%04x)", eglGetError());
   return draw(&all);
}
