/* SPDX-License-Identifier: MIT */
/*
 * A window of GLFW without a window system's OpenGL: GLFW_OSMESA_CONTEXT_API draws to the memory
 * of libOSMesa.  Loads libglfw at run time; exit status 77 if it is not installed.  GLFW 3.3 needs
 * an X server for the window, 3.4 has a null platform.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/osmesa.h>

#define SIZE 100
/* of GLFW/glfw3.h */
#define GLFW_VISIBLE 0x20004
#define GLFW_CONTEXT_VERSION_MAJOR 0x22002
#define GLFW_CONTEXT_VERSION_MINOR 0x22003
#define GLFW_OPENGL_PROFILE 0x22008
#define GLFW_OPENGL_CORE_PROFILE 0x32001
#define GLFW_CONTEXT_CREATION_API 0x2200b
#define GLFW_OSMESA_CONTEXT_API 0x36003

static void *library;

static void
report(int code, const char *text)
{
   fprintf(stderr, "GLFW: 0x%x: %s\n", code, text);
}

#define FUNCTION(name, type, ...) type (*name)(__VA_ARGS__) = dlsym(library, #name)

int
main(void)
{
   library = dlopen("libglfw.so.3", RTLD_NOW);
   if (!library) {
      printf("skipped: %s\n", dlerror());
      return 77;
   }
   FUNCTION(glfwSetErrorCallback, void *, void (*)(int, const char *));
   FUNCTION(glfwInit, int, void);
   FUNCTION(glfwTerminate, void, void);
   FUNCTION(glfwWindowHint, void, int, int);
   FUNCTION(glfwCreateWindow, void *, int, int, const char *, void *, void *);
   FUNCTION(glfwMakeContextCurrent, void, void *);
   FUNCTION(glfwSwapBuffers, void, void *);
   FUNCTION(glfwGetProcAddress, void *, const char *);
   FUNCTION(glfwGetOSMesaColorBuffer, int, void *, int *, int *, int *, void **);
   FUNCTION(glfwGetOSMesaDepthBuffer, int, void *, int *, int *, int *, void **);
   int width, height, format, bytes;
   void *buffer, *depth;

   glfwSetErrorCallback(report);
   if (!glfwInit())
      return 1;
   glfwWindowHint(GLFW_VISIBLE, 0);
   glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_OSMESA_CONTEXT_API);
   glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
   glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 6);
   glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
   void *window = glfwCreateWindow(SIZE, SIZE, "sgpu", NULL, NULL);
   if (!window)
      return 1;
   glfwMakeContextCurrent(window);
   const char *(*get_string)(GLenum) = glfwGetProcAddress("glGetString");
   void (*clear_color)(float, float, float, float) = glfwGetProcAddress("glClearColor");
   void (*clear)(unsigned) = glfwGetProcAddress("glClear");
   const char *renderer = get_string(GL_RENDERER);
   printf("%s, %s\n", renderer, get_string(GL_VERSION));
   clear_color(1, 0.6f, 0.2f, 1);
   clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glfwSwapBuffers(window);
   if (!glfwGetOSMesaColorBuffer(window, &width, &height, &format, &buffer) || width != SIZE ||
       height != SIZE) {
      fprintf(stderr, "no color buffer\n");
      return 1;
   }
   const unsigned char *pixel = (unsigned char *)buffer + (SIZE * SIZE / 2 + 3) * 4;
   if (pixel[0] != 255 || pixel[1] != 153 || pixel[2] != 51 || pixel[3] != 255) {
      fprintf(stderr, "%u %u %u %u\n", pixel[0], pixel[1], pixel[2], pixel[3]);
      return 1;
   }
   if (!glfwGetOSMesaDepthBuffer(window, &width, &height, &bytes, &depth) || bytes != 4 ||
       *(unsigned *)depth != 0xffffff) {
      fprintf(stderr, "no depth buffer\n");
      return 1;
   }
   glfwTerminate();
   return strncmp(renderer, "sgpu", 4) != 0;
}
