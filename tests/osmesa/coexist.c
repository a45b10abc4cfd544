/* SPDX-License-Identifier: MIT */
/*
 * libOSMesa in one process with libEGL and libGL of libglvnd: both are loaded at run time, in both
 * orders, draw in turn, and have the same picture, byte by byte.
 *
 *    coexist LIBOSMESA egl|osmesa     the library that is loaded first
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/osmesa.h>

#define SIZE 200

#define FUNCTIONS(F)                                                                \
   F(void, Clear, (GLbitfield))                                                     \
   F(void, ClearColor, (GLfloat, GLfloat, GLfloat, GLfloat))                        \
   F(void, Enable, (GLenum))                                                        \
   F(void, Disable, (GLenum))                                                       \
   F(void, BlendFunc, (GLenum, GLenum))                                             \
   F(void, Begin, (GLenum))                                                         \
   F(void, End, (void))                                                             \
   F(void, Vertex3f, (GLfloat, GLfloat, GLfloat))                                   \
   F(void, Normal3f, (GLfloat, GLfloat, GLfloat))                                   \
   F(void, Color4f, (GLfloat, GLfloat, GLfloat, GLfloat))                           \
   F(void, TexCoord2f, (GLfloat, GLfloat))                                          \
   F(void, Rotatef, (GLfloat, GLfloat, GLfloat, GLfloat))                           \
   F(void, LineWidth, (GLfloat))                                                    \
   F(void, Finish, (void))                                                          \
   F(void, ReadPixels, (GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *))    \
   F(void, TexImage2D,                                                              \
     (GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *)) \
   F(void, TexParameteri, (GLenum, GLenum, GLint))                                  \
   F(GLuint, CreateShader, (GLenum))                                                \
   F(void, ShaderSource, (GLuint, GLsizei, const GLchar *const *, const GLint *))   \
   F(void, CompileShader, (GLuint))                                                 \
   F(GLuint, CreateProgram, (void))                                                 \
   F(void, AttachShader, (GLuint, GLuint))                                          \
   F(void, LinkProgram, (GLuint))                                                   \
   F(void, UseProgram, (GLuint))                                                    \
   F(GLenum, GetError, (void))                                                      \
   F(const GLubyte *, GetString, (GLenum))

struct functions {
#define MEMBER(type, name, parameters) type(APIENTRY *name) parameters;
   FUNCTIONS(MEMBER)
};

typedef void (*any_function)(void);

static void
load(struct functions *gl, any_function (*get)(const char *))
{
#define LOAD(type, name, parameters)                        \
   gl->name = (type(APIENTRY *) parameters)get("gl" #name); \
   if (!gl->name) {                                         \
      fprintf(stderr, "no gl" #name "\n");                  \
      exit(1);                                              \
   }
   FUNCTIONS(LOAD)
}

/* Creates a texture and a program in the current context. */
static void
prepare(const struct functions *gl)
{
   static const char *source = "uniform sampler2D t;\n"
                               "void main() { gl_FragColor = texture2D(t, gl_TexCoord[0].xy) * "
                               "gl_Color + vec4(sin(gl_FragCoord.xyx * 0.1) * 0.1, 0.0); }";
   static uint8_t texels[64][64][4];
   const GLuint shader = gl->CreateShader(GL_FRAGMENT_SHADER), program = gl->CreateProgram();

   for (int i = 0; i < 64 * 64 * 4; i++)
      texels[i / 256][i / 4 % 64][i % 4] = (uint8_t)(i * 2654435761u >> 24 | 64);
   gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   gl->ShaderSource(shader, 1, &source, NULL);
   gl->CompileShader(shader);
   gl->AttachShader(program, shader);
   gl->LinkProgram(program);
   gl->UseProgram(program);
}

/* Draws a picture of a cube, a blended triangle and lines.  `turn` is its angle in degrees. */
static void
draw(const struct functions *gl, float turn)
{
   gl->ClearColor(0.1f, 0.2f, 0.3f, 0.4f);
   gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   gl->Enable(GL_DEPTH_TEST);
   gl->Rotatef(turn, 0.3f, 1, 0.2f);
   for (int face = 0; face < 6; face++) {
      const float side = face % 2 ? 0.5f : -0.5f;

      gl->Begin(GL_TRIANGLE_STRIP);
      gl->Color4f(0.5f + side, face / 6.0f, 1, 1);
      for (int corner = 0; corner < 4; corner++) {
         const float u = corner % 2 - 0.5f, v = corner / 2 - 0.5f;

         gl->TexCoord2f(u * 2.3f, v * 1.7f);
         gl->Normal3f(side, 0, 0);
         if (face < 2)
            gl->Vertex3f(side, u, v);
         else if (face < 4)
            gl->Vertex3f(u, side, v);
         else
            gl->Vertex3f(u, v, side);
      }
      gl->End();
   }
   gl->Enable(GL_BLEND);
   gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   gl->Begin(GL_TRIANGLES);
   gl->Color4f(1, 1, 0, 0.4f);
   gl->Vertex3f(-0.9f, -0.7f, -0.9f);
   gl->Vertex3f(0.9f, -0.3f, 0.9f);
   gl->Vertex3f(0.1f, 0.8f, 0);
   gl->End();
   gl->LineWidth(3);
   gl->Begin(GL_LINE_LOOP);
   for (int i = 0; i < 7; i++)
      gl->Vertex3f((i * 3 % 7) / 3.5f - 1, (i * 5 % 7) / 3.5f - 1, 0);
   gl->End();
   gl->Disable(GL_BLEND);
   gl->Finish();
}

static void *egl_library, *osmesa_library;
static struct functions egl_gl, osmesa_gl;
static uint8_t egl_picture[SIZE * SIZE * 4], osmesa_picture[SIZE * SIZE * 4];
static OSMesaContext (*create)(GLenum, OSMesaContext);
static GLboolean (*make_current)(OSMesaContext, void *, GLenum, GLsizei, GLsizei);
static void (*destroy)(OSMesaContext);

#define GET(library, name) ((__typeof__(&name))dlsym(library, #name))

static void
start_egl(void)
{
   const EGLint wanted[] = {
      EGL_SURFACE_TYPE,
      EGL_PBUFFER_BIT,
      EGL_RENDERABLE_TYPE,
      EGL_OPENGL_BIT,
      EGL_RED_SIZE,
      8,
      EGL_ALPHA_SIZE,
      8,
      EGL_DEPTH_SIZE,
      24,
      EGL_STENCIL_SIZE,
      8,
      EGL_NONE,
   };
   const EGLint size[] = { EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE };
   EGLConfig config;
   EGLint count = 0;

   egl_library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
   if (!egl_library || !dlopen("libGL.so.1", RTLD_NOW | RTLD_GLOBAL)) {
      fprintf(stderr, "%s\n", dlerror());
      exit(1);
   }
   EGLDisplay display = GET(egl_library, eglGetPlatformDisplay)(EGL_PLATFORM_SURFACELESS_MESA,
                                                                EGL_DEFAULT_DISPLAY, NULL);
   GET(egl_library, eglInitialize)(display, NULL, NULL);
   GET(egl_library, eglBindAPI)(EGL_OPENGL_API);
   GET(egl_library, eglChooseConfig)(display, wanted, &config, 1, &count);
   EGLSurface surface = GET(egl_library, eglCreatePbufferSurface)(display, config, size);
   EGLContext context = GET(egl_library, eglCreateContext)(display, config, NULL, NULL);
   if (!GET(egl_library, eglMakeCurrent)(display, surface, surface, context)) {
      fprintf(stderr, "no context of EGL\n");
      exit(1);
   }
   load(&egl_gl, (any_function(*)(const char *))dlsym(egl_library, "eglGetProcAddress"));
}

static void
start_osmesa(const char *name)
{
   osmesa_library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
   if (!osmesa_library) {
      fprintf(stderr, "%s\n", dlerror());
      exit(1);
   }
   create = GET(osmesa_library, OSMesaCreateContext);
   make_current = GET(osmesa_library, OSMesaMakeCurrent);
   destroy = GET(osmesa_library, OSMesaDestroyContext);
   load(&osmesa_gl, (any_function(*)(const char *))dlsym(osmesa_library, "OSMesaGetProcAddress"));
}

int
main(int argc, char **argv)
{
   const int egl_first = argc > 2 && !strcmp(argv[2], "egl");
   int status = 0;

   if (argc < 3)
      return 2;
   if (egl_first)
      start_egl();
   start_osmesa(argv[1]);
   OSMesaContext context = create(OSMESA_RGBA, NULL);
   if (!context || !make_current(context, osmesa_picture, GL_UNSIGNED_BYTE, SIZE, SIZE)) {
      fprintf(stderr, "no context of OSMesa\n");
      return 1;
   }
   if (!egl_first)
      start_egl();
   prepare(&egl_gl);
   prepare(&osmesa_gl);
   printf("%s\n%s\n", egl_gl.GetString(GL_RENDERER), osmesa_gl.GetString(GL_RENDERER));
   for (int i = 0; i < 5; i++) {
      draw(&egl_gl, 33);
      draw(&osmesa_gl, 33);
      egl_gl.ReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, egl_picture);
      unsigned bad = 0;
      for (unsigned p = 0; p < sizeof egl_picture; p++)
         bad += egl_picture[p] != osmesa_picture[p];
      const uint8_t *center = osmesa_picture + (SIZE / 2 * SIZE + SIZE / 2) * 4;
      if (bad || !memcmp(center, osmesa_picture, 4)) {
         fprintf(stderr, "picture %i: %u bytes differ, the center is %u %u %u\n", i, bad, center[0],
                 center[1], center[2]);
         status = 1;
      }
   }
   if (egl_gl.GetError() || osmesa_gl.GetError()) {
      fprintf(stderr, "an error of GL\n");
      status = 1;
   }
   /* The entry points that a program would be linked with are those of the library that is asked. */
   if (dlsym(osmesa_library, "glClear") == dlsym(egl_library, "glClear")) {
      fprintf(stderr, "one glClear\n");
      status = 1;
   }
   /* The library stays, with contexts and threads. */
   dlclose(osmesa_library);
   draw(&osmesa_gl, 10);
   destroy(context);
   draw(&egl_gl, 10);
   return status;
}
