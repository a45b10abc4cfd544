/* SPDX-License-Identifier: MIT */
/* Probes: GLX, OSMesa, and the common parts.  Every library is opened by dlopen(), as programs do
 * that start without one.
 */
#include "doctor.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <GL/glx.h>

#include "probe_gl.h"

void
probe_say(const char *key, const char *format, ...)
{
   char line[4096];
   va_list arguments;

   int length = snprintf(line, sizeof line, "%s=", key);
   va_start(arguments, format);
   length += vsnprintf(line + length, sizeof line - length, format, arguments);
   va_end(arguments);
   if (length > (int)sizeof line - 2)
      length = sizeof line - 2;
   for (int i = 0; i < length; i++) {
      if (line[i] == '\n')
         line[i] = ' ';
   }
   line[length++] = '\n';
   if (write(3, line, length) != length)
      _exit(1);
}

int
probe_fail(const char *format, ...)
{
   char text[TEXT];
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(text, sizeof text, format, arguments);
   va_end(arguments);
   probe_say("error", "%s", text);
   return 1;
}

void *
probe_open(const char *library)
{
   probe_say("stage", "dlopen(%s)", library);
   void *handle = dlopen(library, RTLD_LAZY | RTLD_GLOBAL);
   if (!handle) {
      const char *error = dlerror();
      const bool absent = error && strstr(error, "No such file or directory") &&
                          !strncmp(error, library, strlen(library));
      if (absent)
         probe_fail("%s is missing", library);
      else
         probe_fail("%s cannot be loaded: %s", library, error ? error : "?");
   }
   return handle;
}

int
probe_draw(struct probe_gl *gl)
{
   unsigned char pixel[4] = { 0 };

   probe_say("stage", "glGetString");
   const char *renderer = (const char *)gl->GetString(GL_RENDERER);
   const char *version = (const char *)gl->GetString(GL_VERSION);
   if (!renderer || !version)
      return probe_fail("glGetString returns NULL");
   probe_say("renderer", "%s", renderer);
   probe_say("version", "%s", version);
   probe_say("stage", "glClear");
   gl->ClearColor(0.25f, 0.5f, 0.75f, 1.0f);
   gl->Clear(GL_COLOR_BUFFER_BIT);
   probe_say("stage", "glReadPixels");
   gl->ReadPixels(4, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   if (abs(pixel[0] - 64) > 8 || abs(pixel[1] - 128) > 8 || abs(pixel[2] - 191) > 8)
      return probe_fail("a clear to 64, 128, 191 reads back as %d, %d, %d", pixel[0], pixel[1],
                        pixel[2]);
   probe_say("drawn", "1");
   return 0;
}

void *
probe_display(void)
{
   const char *display = getenv("DISPLAY");

   if (!display || !*display) {
      probe_fail("DISPLAY is not set: no X server");
      return NULL;
   }
   void *x11 = probe_open("libX11.so.6");
   if (!x11)
      return NULL;
   void *(*open_display)(const char *) = (void *(*)(const char *))dlsym(x11, "XOpenDisplay");
   probe_say("stage", "XOpenDisplay(%s)", display);
   void *connection = open_display(NULL);
   if (!connection)
      probe_fail("no X server answers at DISPLAY=%s", display);
   return connection;
}

#define LOOK_UP(type, name) __typeof__(type) name = (__typeof__(type))dlsym(gl, #name)

static int
probe_glx(void)
{
   void *display = probe_display();
   if (!display)
      return 1;
   void *gl = probe_open("libGL.so.1");
   if (!gl)
      return 1;
   LOOK_UP(Bool(*)(Display *, int *, int *), glXQueryExtension);
   LOOK_UP(PFNGLXCHOOSEFBCONFIGPROC, glXChooseFBConfig);
   LOOK_UP(PFNGLXCREATENEWCONTEXTPROC, glXCreateNewContext);
   LOOK_UP(PFNGLXCREATEPBUFFERPROC, glXCreatePbuffer);
   LOOK_UP(PFNGLXMAKECONTEXTCURRENTPROC, glXMakeContextCurrent);
   LOOK_UP(Bool(*)(Display *, GLXContext), glXIsDirect);
   struct probe_gl functions = {
      .GetString = (void *)dlsym(gl, "glGetString"),
      .ClearColor = (void *)dlsym(gl, "glClearColor"),
      .Clear = (void *)dlsym(gl, "glClear"),
      .ReadPixels = (void *)dlsym(gl, "glReadPixels"),
   };
   if (!glXQueryExtension || !glXCreatePbuffer || !functions.ReadPixels)
      return probe_fail("libGL.so.1 has no GLX 1.3");

   probe_say("stage", "glXQueryExtension");
   if (!glXQueryExtension(display, NULL, NULL))
      return probe_fail("the X server has no GLX extension, or no driver was loaded");
   static const int wanted[] = { GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_RED_SIZE, 1, None };
   int count = 0;
   probe_say("stage", "glXChooseFBConfig");
   GLXFBConfig *configs = glXChooseFBConfig(display, 0, wanted, &count);
   if (!configs || !count)
      return probe_fail("GLX has no configuration: no driver was loaded");
   probe_say("stage", "glXCreateNewContext");
   GLXContext context = glXCreateNewContext(display, configs[0], GLX_RGBA_TYPE, NULL, True);
   if (!context)
      return probe_fail("glXCreateNewContext fails");
   static const int size[] = { GLX_PBUFFER_WIDTH, 16, GLX_PBUFFER_HEIGHT, 16, None };
   probe_say("stage", "glXCreatePbuffer");
   GLXPbuffer buffer = glXCreatePbuffer(display, configs[0], size);
   probe_say("stage", "glXMakeContextCurrent");
   if (!glXMakeContextCurrent(display, buffer, buffer, context))
      return probe_fail("glXMakeContextCurrent fails");
   if (!glXIsDirect(display, context))
      return probe_fail("only indirect rendering, by the X server: no driver was loaded");
   return probe_draw(&functions);
}

static int
probe_osmesa(void)
{
   static unsigned char buffer[16 * 16 * 4];
   void *gl = NULL;
   const char *library = getenv("PYOPENGL_OSMESA_LIBRARY");

   if (library && *library)
      gl = probe_open(library);
   else if (!(gl = dlopen("libOSMesa.so.8", RTLD_LAZY | RTLD_GLOBAL)) &&
            !(gl = dlopen("libOSMesa.so.6", RTLD_LAZY | RTLD_GLOBAL)))
      gl = probe_open("libOSMesa.so.8");
   if (!gl)
      return 1;
   LOOK_UP(void *(*)(unsigned, void *), OSMesaCreateContext);
   LOOK_UP(unsigned char (*)(void *, void *, unsigned, int, int), OSMesaMakeCurrent);
   LOOK_UP(void *(*)(const char *), OSMesaGetProcAddress);
   if (!OSMesaCreateContext || !OSMesaMakeCurrent || !OSMesaGetProcAddress)
      return probe_fail("libOSMesa lacks functions of OSMesa");
   probe_say("stage", "OSMesaCreateContext");
   void *context = OSMesaCreateContext(GL_RGBA, NULL);
   if (!context)
      return probe_fail("OSMesaCreateContext fails");
   probe_say("stage", "OSMesaMakeCurrent");
   if (!OSMesaMakeCurrent(context, buffer, GL_UNSIGNED_BYTE, 16, 16))
      return probe_fail("OSMesaMakeCurrent fails");
   struct probe_gl functions = {
      .GetString = (void *)OSMesaGetProcAddress("glGetString"),
      .ClearColor = (void *)OSMesaGetProcAddress("glClearColor"),
      .Clear = (void *)OSMesaGetProcAddress("glClear"),
      .ReadPixels = (void *)OSMesaGetProcAddress("glReadPixels"),
   };
   if (!functions.GetString || !functions.ReadPixels)
      return probe_fail("OSMesaGetProcAddress finds no functions of OpenGL");
   return probe_draw(&functions);
}

/* Prints which libraries of a list are absent. */
static int
probe_absent(const char *names)
{
   char list[4096];

   snprintf(list, sizeof list, "%s", names);
   for (char *name = strtok(list, " "); name; name = strtok(NULL, " ")) {
      const char *error = dlopen(name, RTLD_LAZY | RTLD_LOCAL) ? NULL : dlerror();
      if (error && strstr(error, "No such file"))
         probe_say("absent", "%s", name);
   }
   return 0;
}

int
probe_main(const char *name)
{
   int status;

   /* The caller has opened file descriptor 3. */
   if (fcntl(3, F_GETFD) < 0)
      return 2;
   fcntl(3, F_SETFD, FD_CLOEXEC);
   if (!strcmp(name, "glx")) {
      status = probe_glx();
   } else if (!strcmp(name, "osmesa")) {
      status = probe_osmesa();
   } else if (!strncmp(name, "egl-", 4)) {
      status = probe_egl(name + 4);
   } else if (!strcmp(name, "libraries")) {
      status = probe_libraries();
   } else if (!strncmp(name, "absent:", 7)) {
      status = probe_absent(name + 7);
   } else if (!strncmp(name, "load:", 5)) {
      void *handle = dlopen(name + 5, RTLD_NOW | RTLD_LOCAL);
      status = handle ? 0 : probe_fail("%s", dlerror());
   } else {
      status = 2;
   }
   /* Destructors of drivers are not tested. */
   _exit(status);
}
