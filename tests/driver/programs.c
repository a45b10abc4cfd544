/* SPDX-License-Identifier: MIT */
/*
 * Tests vertex programs and fixed function through all of Mesa.  prog_to_nir lowers LIT, DST, SLT,
 * SGE, EXP and LOG of ARB programs, and Mesa optimizes the result.  The compiler must turn each
 * into one instruction again.  Lighting must use one LIT per light if the material is shiny, and
 * the picture must be correct.  The raster position must be what the program computes.
 *
 * SGPU_DEBUG=asm provides the listings.
 */
#define GL_GLEXT_PROTOTYPES
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "egl.h"

#define SIZE 16

static unsigned fails;
static FILE *listings;
static char text[1 << 16];

#define CHECK(condition, ...)                                   \
   do {                                                         \
      if (!(condition)) {                                       \
         printf("%s:%d: %s: ", __FILE__, __LINE__, #condition); \
         printf(__VA_ARGS__);                                   \
         printf("\n%s\n", text);                                \
         fails++;                                               \
      }                                                         \
   } while (0)

static void
make_context(void)
{
   EGLDisplay display = egl_display(EGL_OPENGL_API);
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
   if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      printf("no context\n");
      exit(1);
   }

   GLuint texture, fbo;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   glBindTexture(GL_TEXTURE_2D, 0);
   glViewport(0, 0, SIZE, SIZE);
}

static void
draw(void)
{
   glBegin(GL_TRIANGLES);
   glVertex2f(-1, -1);
   glVertex2f(3, -1);
   glVertex2f(-1, 3);
   glEnd();
}

static void
forget_listings(void)
{
   fflush(stderr);
   if (ftruncate(fileno(listings), 0))
      exit(1);
   rewind(listings);
}

/* Reads the listing of the latest vertex program into `text`.  Returns its number of instructions.
 */
static unsigned
vertex_listing(bool *vp1)
{
   static char all[1 << 18];
   glFinish();
   rewind(listings);
   all[fread(all, 1, sizeof(all) - 1, listings)] = 0;

   char *last = NULL;
   for (char *p = strstr(all, "vertex "); p; p = strstr(p + 1, "\nvertex "))
      last = p;
   text[0] = 0;
   if (!last)
      return 0;
   last += *last == '\n';
   char *end = strstr(last, "\nEND");
   snprintf(text, sizeof(text), "%.*s", end ? (int)(end - last) : (int)strlen(last), last);
   *vp1 = !strncmp(text, "vertex vp1 ", 11);
   const char *count = strstr(text, "instructions=");
   return count ? atoi(count + 13) : 0;
}

static unsigned
occurrences(const char *what)
{
   unsigned n = 0;
   for (const char *p = strstr(text, what); p; p = strstr(p + 1, what))
      n++;
   return n;
}

/*
 * ARB programs.
 */

static const struct {
   const char *program, *expected;
   unsigned instructions;
   const char *absent;
} programs[] = {
   { "LIT result.texcoord[0], vertex.normal;", "LIT o[TEX0], v[NRML];", 2, NULL },
   { "DST result.texcoord[0], vertex.normal, program.env[0];", "DST o[TEX0], v[NRML], c[0];", 2,
     NULL },
   { "SLT result.texcoord[0], vertex.normal, program.env[0];", "SLT o[TEX0], v[NRML], c[0];", 2,
     NULL },
   { "SGE result.texcoord[0], vertex.normal, program.env[0];", "SGE o[TEX0], v[NRML], c[0];", 2,
     NULL },
   { "EXP result.texcoord[0], vertex.normal.x;", "EXP o[TEX0], v[NRML].x;", 2, NULL },
   { "LOG result.texcoord[0], vertex.normal.x;", "LOG o[TEX0], v[NRML].x;", 2, NULL },
   { "LIT result.texcoord[0], -vertex.normal.yxzw;", "LIT o[TEX0], -v[NRML].yx", 2, NULL },
   /* Only parts of the result are written; a single component takes a temporary. */
   { "LIT result.texcoord[0].yz, vertex.normal;", "LIT o[TEX0].yz, v[NRML];", 2, NULL },
   { "LIT result.texcoord[0].z, vertex.normal;", "LIT R0.z, v[NRML];", 3, NULL },
   /* With a hole in the mask, a temporary is used. */
   { "SLT result.texcoord[0].xw, vertex.normal, -program.env[0].y;", "SLT R0", 3, NULL },
   { "EXP result.texcoord[0].xy, vertex.normal.z;", "EXP o[TEX0].xy, v[NRML].z;", 2, NULL },
   { "LOG result.texcoord[0].y, vertex.normal.z;", "LOG R0.y, v[NRML].z;", 3, NULL },
   { "DST result.texcoord[0].yz, vertex.normal, program.env[0];", "DST o[TEX0].yz, v[NRML], c[0]",
     2, NULL },
   /* LIT in the middle of a lighting computation. */
   { "TEMP a, b; DP3 a.x, vertex.normal, program.env[0]; DP3 a.y, vertex.normal, program.env[1];"
     "MOV a.w, program.env[2].x; LIT b, a;"
     "MAD result.texcoord[0], b.y, program.env[3], b.z;",
     "LIT R", 0, "MAX" },
   /* These are not LIT: there is no maximum, another exponent, or another comparison. */
   { "TEMP a; MAX a.x, vertex.normal.y, 0; POW a.x, a.x, vertex.normal.w;"
     "SGE a.y, vertex.normal.x, 0; MUL result.texcoord[0], a.x, a.y;",
     "SGE ", 0, "LIT" },
   { "TEMP a; FLR a.x, vertex.normal.x; EX2 a.x, a.x; FLR a.y, vertex.normal.y;"
     "SUB a.y, vertex.normal.y, a.y; MOV result.texcoord[0], a.xyxy;",
     "EXP ", 0, "LOG" },
};

static void
test_programs(void)
{
   GLuint name;
   glGenProgramsARB(1, &name);
   glEnable(GL_VERTEX_PROGRAM_ARB);
   for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
      char source[1024];
      bool vp1 = false;
      snprintf(source, sizeof(source),
               "!!ARBvp1.0\n%s\nMOV result.position, vertex.position;\nEND\n", programs[i].program);
      forget_listings();
      glBindProgramARB(GL_VERTEX_PROGRAM_ARB, name);
      glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, strlen(source),
                         source);
      draw();
      const unsigned count = vertex_listing(&vp1);
      CHECK(glGetError() == GL_NO_ERROR, "%s", source);
      CHECK(vp1, "%s", source);
      CHECK(!programs[i].instructions || count == programs[i].instructions, "%s", source);
      CHECK(strstr(text, programs[i].expected), "%s: no %s", source, programs[i].expected);
      CHECK(!programs[i].absent || !strstr(text, programs[i].absent), "%s", source);
   }
   glDisable(GL_VERTEX_PROGRAM_ARB);
   glDeleteProgramsARB(1, &name);
}

/* Tests parameters with indices that are floors of values, with offsets of any size.  Two
 * instructions use the address register A0 alternately.
 */
static void
test_addresses(void)
{
   static const struct {
      float first, second; /* values of the address registers before the floor */
      int first_offset, second_offset;
   } cases[] = {
      { 3.5f, 10.75f, 0, 5 },       { -590.5f, 10, 600, 0 },  { 80.25f, -520.5f, 610, 690 },
      { -0.5f, 699.9f, 511, 0 },    { -1, -0.25f, 513, 512 }, { 12.5f, -699.5f, 687, 700 },
      { 0.99f, -500.01f, 40, 501 },
   };
   GLubyte back[4];
   GLuint name;

   glGenProgramsARB(1, &name);
   glEnable(GL_VERTEX_PROGRAM_ARB);
   glBindProgramARB(GL_VERTEX_PROGRAM_ARB, name);
   for (unsigned i = 0; i < 700; i++)
      glProgramLocalParameter4fARB(GL_VERTEX_PROGRAM_ARB, i, i % 100 / 255.0f, i / 100 / 255.0f, 0,
                                   0);
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const int first = (int)floorf(cases[i].first) + cases[i].first_offset;
      const int second = (int)floorf(cases[i].second) + cases[i].second_offset;
      char source[1024];
      snprintf(source, sizeof(source),
               "!!ARBvp1.0\n"
               "PARAM p[700] = { program.local[0..699] };\n"
               "ADDRESS a; TEMP t;\n"
               "MOV result.position, vertex.position;\n"
               "ARL a.x, vertex.color.x;\n"
               "MOV t, p[a.x + %d];\n"
               "ARL a.x, vertex.color.y;\n"
               "MAD result.color, p[a.x + %d].zzxy, { 0, 0, 1, 1 }, t;\n"
               "END\n",
               cases[i].first_offset, cases[i].second_offset);
      glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, strlen(source),
                         source);
      CHECK(glGetError() == GL_NO_ERROR, "%s", source);
      glColor4f(cases[i].first, cases[i].second, 0, 1);
      draw();
      glReadPixels(1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, back);
      CHECK(back[0] == first % 100 && back[1] == first / 100 && back[2] == second % 100 &&
               back[3] == second / 100,
            "p[%d], p[%d]: %u %u %u %u\n%s", first, second, back[0], back[1], back[2], back[3],
            source);
   }
   glDisable(GL_VERTEX_PROGRAM_ARB);
   glDeleteProgramsARB(1, &name);
}

/*
 * Lighting.
 */

static void
test_lighting(float shininess, unsigned lights, bool local)
{
   static const float black[4] = { 0, 0, 0, 1 }, diffuse[4] = { 0.5f, 0.25f, 0, 1 };
   static const float specular[4] = { 0.125f, 0.5f, 0.75f, 1 }, white[4] = { 1, 1, 1, 1 };
   static const float direction[2][4] = { { 0.6f, 0, 0.8f, 0 }, { 0, -0.28f, 0.96f, 0 } };
   const float normal[3] = { 0.352f, 0, 0.936f };

   forget_listings();
   glEnable(GL_LIGHTING);
   glLightModelfv(GL_LIGHT_MODEL_AMBIENT, black);
   glLightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, local);
   glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT, black);
   glMaterialfv(GL_FRONT_AND_BACK, GL_DIFFUSE, diffuse);
   glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, specular);
   glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, shininess);
   for (unsigned i = 0; i < 2; i++) {
      glLightfv(GL_LIGHT0 + i, GL_DIFFUSE, white);
      glLightfv(GL_LIGHT0 + i, GL_SPECULAR, white);
      glLightfv(GL_LIGHT0 + i, GL_POSITION, direction[i]);
      if (i < lights)
         glEnable(GL_LIGHT0 + i);
      else
         glDisable(GL_LIGHT0 + i);
   }
   glNormal3fv(normal);
   draw();

   bool vp1 = false;
   unsigned char pixel[4];
   glReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   vertex_listing(&vp1);
   CHECK(vp1, "shininess %g, %u lights", shininess, lights);
   CHECK(occurrences("LIT ") == (shininess > 0 ? lights : 0), "shininess %g, %u lights", shininess,
         lights);
   if (local)
      return;

   /* Lighting equation of OpenGL 2.1, 2.14.1, for a viewer at infinity. */
   for (unsigned c = 0; c < 3; c++) {
      double sum = 0;
      for (unsigned i = 0; i < lights; i++) {
         const float *l = direction[i];
         const double nl = normal[0] * l[0] + normal[1] * l[1] + normal[2] * l[2];
         const double length = sqrt(l[0] * l[0] + l[1] * l[1] + (l[2] + 1.0) * (l[2] + 1.0));
         const double nh = (normal[0] * l[0] + normal[1] * l[1] + normal[2] * (l[2] + 1)) / length;
         if (nl > 0)
            sum += nl * diffuse[c] + pow(fmax(nh, 0), shininess) * specular[c];
      }
      CHECK(fabs(fmin(sum, 1) * 255 - pixel[c]) <= 1, "shininess %g, %u lights: %u, not %g",
            shininess, lights, pixel[c], sum * 255);
   }
}

/* Checks the raster position and colour that a vertex shader computes. */
static void
check_raster_position(GLuint program, const float expected[8])
{
   float found[8];

   glRasterPos2f(0, 0);
   glGetFloatv(GL_CURRENT_RASTER_POSITION, found);
   glGetFloatv(GL_CURRENT_RASTER_COLOR, found + 4);
   for (unsigned i = 0; i < 8; i++)
      CHECK(fabsf(found[i] - expected[i]) < 1e-5f, "value %u: %g, not %g", i, found[i],
            expected[i]);
   glUseProgram(0);
   glDeleteProgram(program);
}

static GLuint
use_vertex_shader(const char *source)
{
   GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
   glLinkProgram(program);
   glUseProgram(program);
   glDeleteShader(shader);
   return program;
}

/* Tests vertex shaders that run for glRasterPos and read uniforms at any offset, from arrays whose
 * elements are smaller than a slot.
 */
static void
test_raster_position(void)
{
   static const float f[7] = { 9, 0.25f, 1, 0.125f, 9, 9, -0.5f };
   static const float v[5][2] = {
      { 9, 9 }, { 0.375f, 0.625f }, { 9, 9 }, { 9, -0.75f }, { 0.875f, 9 }
   };
   static const float expected[] = {
      SIZE * (1 + 0.25f) / 2,
      SIZE * (1 - 0.75f) / 2,
      (1 - 0.5f) / 2,
      1,
      0.375f,
      0.625f,
      0.875f,
      0.125f,
   };
   const GLuint program = use_vertex_shader(
      "uniform float f[7]; uniform vec2 v[5];\n"
      "void main() { gl_Position = vec4(f[1], v[3].y, f[6], f[2]);\n"
      "  gl_FrontColor = vec4(v[1], v[4].x, f[3]); }");

   glUniform1fv(glGetUniformLocation(program, "f"), 7, f);
   glUniform2fv(glGetUniformLocation(program, "v"), 5, v[0]);
   check_raster_position(program, expected);
}

/* Tests texel fetches by such shaders, from a level, a layer and a buffer.  Also tests filters and
 * texture sizes.
 */
static void
test_raster_position_texels(void)
{
   static const unsigned char level1[2 * 3][4] = { [5] = { 64, 32, 0, 255 } };
   static const float layers[3][2] = { { 0, 0 }, { 0, 0 }, { 0, 0.625f } };
   static const float elements[8] = { [4] = 0.375f, 0.625f, 0.875f, 0.125f };
   static const float expected[] = {
      SIZE * (1 + 64 / 255.0f) / 2,
      SIZE * (1 + 32 / 255.0f) / 2,
      (1 + 0.625f) / 2,
      1,
      0.375f,
      0.625f,
      0.5f,
      3 / 8.0f,
   };
   static const float texels[2][2] = { { 0.25f, 0.75f }, { 9, 9 } };
   GLuint textures[4], buffer;
   const GLuint program = use_vertex_shader(
      "#version 140\n"
      "#extension GL_ARB_compatibility : enable\n"
      "uniform sampler2D a; uniform sampler1DArray b; uniform samplerBuffer c;\n"
      "uniform sampler2D d;\n"
      "void main() {\n"
      "  gl_Position = vec4(texelFetch(a, ivec2(1, 2), 1).xy,\n"
      "                     texelFetch(b, ivec2(1, 2), 0).x, 1.0);\n"
      "  gl_FrontColor = vec4(texelFetch(c, 1).xy, textureLod(d, vec2(0.5, 0.25), 0.0).x,\n"
      "                       float(textureSize(a, 1).y) / 8.0); }");

   glGenTextures(4, textures);
   glGenBuffers(1, &buffer);
   glBindTexture(GL_TEXTURE_2D, textures[0]);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 2, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, level1);
   glActiveTexture(GL_TEXTURE1);
   glBindTexture(GL_TEXTURE_1D_ARRAY, textures[1]);
   glTexParameteri(GL_TEXTURE_1D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
   glTexImage2D(GL_TEXTURE_1D_ARRAY, 0, GL_R32F, 2, 3, 0, GL_RED, GL_FLOAT, layers);
   glActiveTexture(GL_TEXTURE2);
   glBindBuffer(GL_TEXTURE_BUFFER, buffer);
   glBufferData(GL_TEXTURE_BUFFER, sizeof(elements), elements, GL_STATIC_DRAW);
   glBindTexture(GL_TEXTURE_BUFFER, textures[2]);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);
   glActiveTexture(GL_TEXTURE3);
   glBindTexture(GL_TEXTURE_2D, textures[3]);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 2, 2, 0, GL_RED, GL_FLOAT, texels);
   for (unsigned i = 0; i < 4; i++)
      glUniform1i(glGetUniformLocation(program, (const char[]){ "abcd"[i], 0 }), i);
   check_raster_position(program, expected);
   glDeleteTextures(4, textures);
   glDeleteBuffers(1, &buffer);
   glActiveTexture(GL_TEXTURE0);
}

/* Fills a texture with a different colour in each sample: `first` + sample / 16. */
static void
make_samples(GLenum target, GLuint texture, float first)
{
   GLuint fbo;

   glBindTexture(target, texture);
   if (target == GL_TEXTURE_2D_MULTISAMPLE)
      glTexImage2DMultisample(target, 4, GL_RGBA32F, SIZE, SIZE, GL_TRUE);
   else
      glTexImage3DMultisample(target, 4, GL_RGBA32F, SIZE, SIZE, 3, GL_TRUE);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   if (target == GL_TEXTURE_2D_MULTISAMPLE)
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, texture, 0);
   else
      glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 2);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "target %x", target);
   glUseProgram(0);
   glDisable(GL_LIGHTING);
   glEnable(GL_SAMPLE_MASK);
   for (unsigned i = 0; i < 4; i++) {
      glSampleMaski(0, 1u << i);
      glColor4f(first + i / 16.0f, 1 - first, 0, 1);
      glRectf(-1, -1, 1, 1);
   }
   glSampleMaski(0, ~0u);
   glDisable(GL_SAMPLE_MASK);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
}

/* Tests fetches of samples by such shaders, from a texture and from layers of an array.  One of the
 * textures was never drawn to.
 */
static void
test_raster_position_samples(void)
{
   static const float expected[] = {
      SIZE * (1 + 0.25f) / 2,
      SIZE * (1 + 0.25f + 3 / 16.0f) / 2,
      (1 + 0.5f) / 2,
      1,
      0.5f + 2 / 16.0f,
      0.25f + 1 / 16.0f,
      0.75f,
      0,
   };
   GLuint textures[2];

   glGenTextures(2, textures);
   make_samples(GL_TEXTURE_2D_MULTISAMPLE, textures[0], 0.25f);
   glActiveTexture(GL_TEXTURE1);
   make_samples(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, textures[1], 0.5f);

   const GLuint program = use_vertex_shader(
      "#version 140\n"
      "#extension GL_ARB_compatibility : enable\n"
      "#extension GL_ARB_texture_multisample : require\n"
      "uniform sampler2DMS a; uniform sampler2DMSArray b;\n"
      "void main() {\n"
      "  gl_Position = vec4(texelFetch(a, ivec2(1, 2), 0).x, texelFetch(a, ivec2(3, 0), 3).x,\n"
      "                     texelFetch(b, ivec3(0, 1, 2), 0).x, 1.0);\n"
      "  gl_FrontColor = vec4(texelFetch(b, ivec3(5, 1, 2), 2).x, texelFetch(a, ivec2(0), 1).x,\n"
      "                       texelFetch(a, ivec2(0), 2).y, texelFetch(b, ivec3(0), 3).x); }");
   glUniform1i(glGetUniformLocation(program, "a"), 0);
   glUniform1i(glGetUniformLocation(program, "b"), 1);
   check_raster_position(program, expected);
   glDeleteTextures(2, textures);
   glActiveTexture(GL_TEXTURE0);
}

int
main(void)
{
   setenv("SGPU_DEBUG", "asm", 1);
   listings = tmpfile();
   if (!listings || dup2(fileno(listings), STDERR_FILENO) < 0)
      return 1;
   make_context();
   test_programs();
   test_addresses();
   test_lighting(0, 1, false);
   test_lighting(20, 1, false);
   test_lighting(90.5f, 2, false);
   test_lighting(20, 2, true);
   test_raster_position();
   test_raster_position_texels();
   test_raster_position_samples();
   printf("%u failures\n", fails);
   return fails != 0;
}
