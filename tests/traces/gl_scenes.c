/* SPDX-License-Identifier: MIT */
/*
 * Scenes for traces and captures, in a GLX window: multisampling, transform feedback, geometry
 * shaders, queries, indirect draws, grids, storage buffers, images, tessellation and bindless
 * handles.
 *
 *    gl_scenes SCENE            draws until it is ended
 *    gl_scenes SCENE FRAMES     draws this many frames, and prints a hash of each frame and the
 *                               values of queries
 */
#include "gl_scenes.h"

#include <stdbool.h>
#include <stdint.h>

#include <GL/glx.h>

static const struct scene *const scenes[] = {
   &scene_samples, &scene_samples8, &scene_window, &scene_feedback, &scene_geometry, &scene_queries,
   &scene_carried, &scene_indirect, &scene_grids,  &scene_stores,   &scene_patches,  &scene_handles,
};
static bool printing;

static void
die(const char *what, const char *why)
{
   fprintf(stderr, "gl_scenes: %s: %s\n", what, why);
   exit(1);
}

static void
attach(GLuint program, GLenum stage, const char *source)
{
   GLuint shader = glCreateShader(stage);
   char log[1000] = "";
   GLint ok;

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   glGetShaderInfoLog(shader, sizeof log, NULL, log);
   if (!ok)
      die("compiling", log);
   glAttachShader(program, shader);
   glDeleteShader(shader);
}

static void
link_program(GLuint program)
{
   char log[1000] = "";
   GLint ok;

   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   glGetProgramInfoLog(program, sizeof log, NULL, log);
   if (!ok)
      die("linking", log);
}

GLuint
scene_program(const char *vertex, const char *geometry, const char *fragment, unsigned num_varyings,
              const char *const *varyings, GLenum mode)
{
   GLuint program = glCreateProgram();

   attach(program, GL_VERTEX_SHADER, vertex);
   if (geometry)
      attach(program, GL_GEOMETRY_SHADER, geometry);
   if (fragment)
      attach(program, GL_FRAGMENT_SHADER, fragment);
   if (num_varyings)
      glTransformFeedbackVaryings(program, num_varyings, varyings, mode);
   link_program(program);
   return program;
}

GLuint
scene_program_of(const GLenum *stages, const char *const *sources, unsigned count)
{
   GLuint program = glCreateProgram();

   for (unsigned i = 0; i < count; i++)
      attach(program, stages[i], sources[i]);
   link_program(program);
   return program;
}

GLuint
scene_buffer(GLenum target, GLsizeiptr size, const void *data)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(target, buffer);
   glBufferData(target, size, data, GL_DYNAMIC_COPY);
   return buffer;
}

void
scene_value(const char *name, GLuint query)
{
   GLuint value;

   if (!printing)
      return;
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
   printf("   %s %u\n", name, value);
}

static void
print_hash(int frame)
{
   static uint8_t pixels[HEIGHT][WIDTH][4];
   uint64_t hash = 0xcbf29ce484222325;

   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (size_t i = 0; i < sizeof pixels; i++)
      hash = (hash ^ ((uint8_t *)pixels)[i]) * 0x100000001b3;
   printf("frame %d %016llx\n", frame, (unsigned long long)hash);
}

/* Opens a window and creates a core context for it. */
static GLXWindow
open_window(Display *display, const struct scene *scene)
{
   const int wanted[] = { GLX_DOUBLEBUFFER,
                          True,
                          GLX_RENDER_TYPE,
                          GLX_RGBA_BIT,
                          GLX_DRAWABLE_TYPE,
                          GLX_WINDOW_BIT,
                          GLX_X_RENDERABLE,
                          True,
                          GLX_RED_SIZE,
                          8,
                          GLX_DEPTH_SIZE,
                          24,
                          GLX_STENCIL_SIZE,
                          8,
                          GLX_SAMPLE_BUFFERS,
                          scene->samples > 1,
                          GLX_SAMPLES,
                          scene->samples,
                          None };
   const int version[] = { GLX_CONTEXT_MAJOR_VERSION_ARB,
                           scene->version ? scene->version / 10 : 3,
                           GLX_CONTEXT_MINOR_VERSION_ARB,
                           scene->version ? scene->version % 10 : 3,
                           GLX_CONTEXT_PROFILE_MASK_ARB,
                           GLX_CONTEXT_CORE_PROFILE_BIT_ARB,
                           None };
   PFNGLXCREATECONTEXTATTRIBSARBPROC create = (PFNGLXCREATECONTEXTATTRIBSARBPROC)glXGetProcAddress(
      (const GLubyte *)"glXCreateContextAttribsARB");
   const int screen = DefaultScreen(display);
   int count = 0;
   GLXFBConfig *configs = glXChooseFBConfig(display, screen, wanted, &count);
   XVisualInfo *visual = NULL;
   int chosen;

   for (chosen = 0; chosen < count; chosen++) {
      visual = glXGetVisualFromFBConfig(display, configs[chosen]);
      if (visual && visual->depth == DefaultDepth(display, screen))
         break;
   }
   if (chosen >= count)
      die("window", "no configuration");

   XSetWindowAttributes attributes = {
      .colormap = XCreateColormap(display, RootWindow(display, screen), visual->visual, AllocNone),
   };
   Window window = XCreateWindow(display, RootWindow(display, screen), 0, 0, WIDTH, HEIGHT, 0,
                                 visual->depth, InputOutput, visual->visual,
                                 CWColormap | CWBorderPixel, &attributes);
   XMapWindow(display, window);
   GLXContext context = create(display, configs[chosen], NULL, True, version);
   GLXWindow drawable = glXCreateWindow(display, configs[chosen], window, NULL);
   if (!context || !glXMakeContextCurrent(display, drawable, drawable, context))
      die("window", "OpenGL is too old");
   return drawable;
}

int
main(int argc, char **argv)
{
   const struct scene *scene = NULL;

   for (unsigned i = 0; argc >= 2 && i < sizeof scenes / sizeof *scenes; i++) {
      if (!strcmp(scenes[i]->name, argv[1]))
         scene = scenes[i];
   }
   if (!scene) {
      fprintf(stderr, "usage: %s SCENE [FRAMES]\n", argv[0]);
      return 2;
   }
   printing = argc > 2;

   Display *display = XOpenDisplay(NULL);
   if (!display)
      die("display", "none");
   GLXWindow window = open_window(display, scene);
   GLuint array;
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   glViewport(0, 0, WIDTH, HEIGHT);
   scene->make();
   for (int frame = 0; !printing || frame < atoi(argv[2]); frame++) {
      scene->draw(frame);
      if (printing)
         print_hash(frame);
      glXSwapBuffers(display, window);
   }
   if (glGetError() != GL_NO_ERROR)
      die(scene->name, "an error of OpenGL");
   return 0;
}
