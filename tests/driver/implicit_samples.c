/* SPDX-License-Identifier: MIT */
/*
 * Tests EXT_multisampled_render_to_texture, EXT_multisampled_render_to_texture2 and
 * OVR_multiview_multisampled_render_to_texture: textures that are drawn to with implicit samples
 * have the pictures of renderbuffers with samples that glBlitFramebuffer resolves.  Also when the
 * texture is read, copied, written or sampled between draws.
 */
#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>
#include <stdint.h>

#include "gles.h"

#define SIZE 100

static PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC texture_samples;
static PFNGLRENDERBUFFERSTORAGEMULTISAMPLEEXTPROC storage_samples;
typedef void (*multisample_views_func)(GLenum target, GLenum attachment, GLuint texture,
                                       GLint level, GLsizei samples, GLint first, GLsizei views);
static uint8_t found[SIZE][SIZE][4], expected[SIZE][SIZE][4];

static GLuint
shader_of(GLenum stage, const char *source)
{
   const GLuint shader = glCreateShader(stage);
   GLint ok;

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   CHECK(ok);
   return shader;
}

static GLuint
program_of(const char *vs, const char *fs)
{
   const GLuint program = glCreateProgram();
   GLint ok;

   glAttachShader(program, shader_of(GL_VERTEX_SHADER, vs));
   glAttachShader(program, shader_of(GL_FRAGMENT_SHADER, fs));
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   CHECK(ok);
   glUseProgram(program);
   return program;
}

#define TRIANGLES_VS                                                                      \
   "#version 300 es\n"                                                                    \
   "uniform int first; out vec3 shade;\n"                                                 \
   "void main() {\n"                                                                      \
   "   float i = float(gl_VertexID + first);\n"                                           \
   "   gl_Position = vec4(fract(vec3(i * 0.37, i * 0.73, i * 0.53)) * 2.0 - 1.0, 1.0);\n" \
   "   shade = fract(vec3(i * 0.11, i * 0.3, i * 0.7));\n"                                \
   "}\n"
#define TRIANGLES_FS                                         \
   "#version 300 es\n"                                       \
   "precision highp float; in vec3 shade; out vec4 color;\n" \
   "void main() { color = vec4(shade, 0.75); }\n"
#define SAMPLE_FS                                                        \
   "#version 300 es\n"                                                   \
   "precision highp float; uniform highp sampler2D t; out vec4 color;\n" \
   "void main() { color = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }\n"
#define FILL_VS                                                                                       \
   "#version 300 es\n"                                                                                \
   "void main() {\n"                                                                                  \
   "   gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n" \
   "}\n"

static GLuint triangles, sample;

/* One of the two targets: a texture with implicit samples, or renderbuffers with samples. */
struct target {
   GLuint fb, resolved, texture, color, depth;
   GLenum format;
   GLsizei samples;
   GLint level;
};

static void
create(struct target *t, GLenum format, GLsizei samples, GLint level, GLenum face)
{
   const GLenum kind = face == GL_TEXTURE_2D ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP;

   *t = (struct target){ .format = format, .samples = samples, .level = level };
   glGenFramebuffers(1, &t->fb);
   glGenTextures(1, &t->texture);
   glBindTexture(kind, t->texture);
   glTexStorage2D(kind, level + 2, format, SIZE << level, SIZE << level);
   glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
   glGenRenderbuffers(1, &t->depth);
   glBindRenderbuffer(GL_RENDERBUFFER, t->depth);
   storage_samples(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                             t->depth);
   texture_samples(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, face, t->texture, level, samples);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
   glViewport(0, 0, SIZE, SIZE);
}

static void
create_explicit(struct target *t, GLenum format, GLsizei samples)
{
   *t = (struct target){ .format = format, .samples = samples };
   glGenFramebuffers(1, &t->fb);
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
   glGenRenderbuffers(1, &t->color);
   glBindRenderbuffer(GL_RENDERBUFFER, t->color);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, t->color);
   glGenRenderbuffers(1, &t->depth);
   glBindRenderbuffer(GL_RENDERBUFFER, t->depth);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                             t->depth);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
   glGenTextures(1, &t->texture);
   glBindTexture(GL_TEXTURE_2D, t->texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, format, SIZE, SIZE);
   glGenFramebuffers(1, &t->resolved);
   glBindFramebuffer(GL_FRAMEBUFFER, t->resolved);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->texture, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
   glViewport(0, 0, SIZE, SIZE);
}

static void
destroy(struct target *t)
{
   glDeleteFramebuffers(1, &t->fb);
   glDeleteFramebuffers(1, &t->resolved);
   glDeleteTextures(1, &t->texture);
   glDeleteRenderbuffers(1, &t->color);
   glDeleteRenderbuffers(1, &t->depth);
}

static void
draw(int first, GLsizei count)
{
   glUseProgram(triangles);
   glUniform1i(glGetUniformLocation(triangles, "first"), first);
   glEnable(GL_DEPTH_TEST);
   glDrawArrays(GL_TRIANGLES, 0, count);
   glDisable(GL_DEPTH_TEST);
}

static void
clear(float red)
{
   glClearColor(red, 0.25f, 0.5f, 0.125f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

/* Reads the resolved picture of the explicit target. */
static void
read_explicit(const struct target *t, void *pixels)
{
   glBindFramebuffer(GL_READ_FRAMEBUFFER, t->fb);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, t->resolved);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, t->resolved);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
}

/* Samples the implicit target's texture. */
static void
read_sampled(const struct target *t, void *pixels)
{
   GLuint fb, texture;

   CHECK(t->level == 0);
   glGenFramebuffers(1, &fb);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, t->format, SIZE, SIZE);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   glBindTexture(GL_TEXTURE_2D, t->texture);
   glUseProgram(sample);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
}

static void
compare(const char *what, GLenum format, GLsizei samples)
{
   unsigned differ = 0;

   for (unsigned p = 0; p < SIZE * SIZE; p++)
      differ += memcmp(found[p / SIZE][p % SIZE], expected[p / SIZE][p % SIZE], 4) != 0;
   if (differ)
      fprintf(stderr, "%s, format 0x%x, %d samples: %u pixels\n", what, format, samples, differ);
   CHECK(!differ);
   CHECK(glGetError() == GL_NO_ERROR);
}

static void
test_format(GLenum format, GLsizei samples, GLint level, GLenum face)
{
   struct target implicit, explicit;

   create_explicit(&explicit, format, samples);
   clear(0.75f);
   draw(0, 60);
   read_explicit(&explicit, expected);

   create(&implicit, format, samples, level, face);
   clear(0.75f);
   draw(0, 60);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, found);
   compare("read", format, samples);
   if (level == 0 && face == GL_TEXTURE_2D) {
      clear(0.75f);
      draw(0, 60);
      read_sampled(&implicit, found);
      compare("sampled", format, samples);
      clear(0.75f);
      draw(0, 60);
      glFinish();
      read_sampled(&implicit, found);
      compare("flushed", format, samples);
   }

   /* A draw on what was resolved: all samples have the texture's values. */
   glBindFramebuffer(GL_FRAMEBUFFER, explicit.fb);
   clear(0.5f);
   draw(100, 30);
   read_explicit(&explicit, expected);
   glBindFramebuffer(GL_FRAMEBUFFER, implicit.fb);
   clear(0.5f);
   glFinish();
   draw(100, 30);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, found);
   compare("continued", format, samples);
   destroy(&implicit);
   destroy(&explicit);
}

/* Writes to the texture between draws are seen by the samples. */
static void
test_writes(GLsizei samples)
{
   static uint8_t pixels[SIZE][SIZE][4];
   struct target implicit, explicit;

   memset(pixels, 0x55, sizeof(pixels));
   create_explicit(&explicit, GL_RGBA8, samples);
   glClearColor(0x55 / 255.0f, 0x55 / 255.0f, 0x55 / 255.0f, 0x55 / 255.0f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   draw(30, 60);
   read_explicit(&explicit, expected);
   create(&implicit, GL_RGBA8, samples, 0, GL_TEXTURE_2D);
   clear(0.75f);
   draw(0, 60);
   glBindTexture(GL_TEXTURE_2D, implicit.texture);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glClear(GL_DEPTH_BUFFER_BIT);
   draw(30, 60);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, found);
   compare("written", GL_RGBA8, samples);

   /* glGenerateMipmap reads level 0 while it is attached. */
   clear(0.5f);
   glGenerateMipmap(GL_TEXTURE_2D);
   glBindFramebuffer(GL_FRAMEBUFFER, explicit.resolved);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, implicit.texture, 1);
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, found);
   CHECK(found[0][0][0] == 0x80 || found[0][0][0] == 0x7f);
   destroy(&implicit);
   destroy(&explicit);
}

/* A depth texture with implicit samples: the first sample of each pixel. */
static void
test_depth(GLsizei samples)
{
   static const char *const fs = "#version 310 es\n"
                                 "precision highp float; precision highp sampler2D;\n"
                                 "uniform sampler2D t; out vec4 color;\n"
                                 "void main() {\n"
                                 "   float d = texelFetch(t, ivec2(gl_FragCoord.xy), 0).x;\n"
                                 "   color = fract(d * vec4(1.0, 255.0, 65025.0, 1.0));\n"
                                 "}\n";
   static const char *const fs_ms = "#version 310 es\n"
                                    "precision highp float; precision highp sampler2DMS;\n"
                                    "uniform sampler2DMS t; out vec4 color;\n"
                                    "void main() {\n"
                                    "   float d = texelFetch(t, ivec2(gl_FragCoord.xy), 0).x;\n"
                                    "   color = fract(d * vec4(1.0, 255.0, 65025.0, 1.0));\n"
                                    "}\n";
   static const char *const fill =
      "#version 310 es\n"
      "void main() {\n"
      "   gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0,\n"
      "                      gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n"
      "}\n";
   GLuint fb, out, textures[3];

   glGenFramebuffers(1, &fb);
   glGenFramebuffers(1, &out);
   glGenTextures(3, textures);
   glBindTexture(GL_TEXTURE_2D, textures[0]);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, SIZE, SIZE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, textures[1]);
   glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, GL_DEPTH_COMPONENT24, SIZE, SIZE,
                             GL_TRUE);
   glBindTexture(GL_TEXTURE_2D, textures[2]);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
   glBindFramebuffer(GL_FRAMEBUFFER, out);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[2], 0);
   for (unsigned which = 0; which < 2; which++) {
      const GLuint program = program_of(fill, which ? fs_ms : fs);

      glBindFramebuffer(GL_FRAMEBUFFER, fb);
      if (which)
         glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D_MULTISAMPLE,
                                textures[1], 0);
      else
         texture_samples(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, textures[0], 0,
                         samples);
      CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
      glClear(GL_DEPTH_BUFFER_BIT);
      draw(0, 60);
      glBindFramebuffer(GL_FRAMEBUFFER, out);
      glBindTexture(GL_TEXTURE_2D, textures[0]);
      glUseProgram(program);
      glDrawArrays(GL_TRIANGLES, 0, 3);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, which ? expected : found);
      glDeleteProgram(program);
   }
   compare("depth", GL_DEPTH_COMPONENT24, samples);
   glDeleteFramebuffers(1, &fb);
   glDeleteFramebuffers(1, &out);
   glDeleteTextures(3, textures);
}

/* Views with samples: each layer has the picture of its view. */
static void
test_views(GLsizei samples)
{
   static const char *const vs =
      "#version 300 es\n"
      "#extension GL_OVR_multiview : require\n"
      "layout(num_views = 2) in; out vec3 shade;\n"
      "void main() {\n"
      "   float i = float(gl_VertexID + (gl_ViewID_OVR == 0u ? 0 : 30));\n"
      "   gl_Position = vec4(fract(vec3(i * 0.37, i * 0.73, i * 0.53)) * 2.0 - 1.0, 1.0);\n"
      "   shade = fract(vec3(i * 0.11, i * 0.3, i * 0.7));\n"
      "}\n";
   const multisample_views_func views = (multisample_views_func)eglGetProcAddress(
      "glFramebufferTextureMultisampleMultiviewOVR");
   const GLuint program = program_of(vs, TRIANGLES_FS);
   struct target explicit;
   GLuint fb, layer, texture;

   CHECK(views);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
   glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, SIZE, SIZE, 4);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, samples, 1, 2);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
   glClearColor(0.75f, 0.25f, 0.5f, 0.125f);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, 30);
   glGenFramebuffers(1, &layer);
   create_explicit(&explicit, GL_RGBA8, samples);
   for (GLint v = 0; v < 2; v++) {
      glBindFramebuffer(GL_FRAMEBUFFER, explicit.fb);
      clear(0.75f);
      glUseProgram(triangles);
      glUniform1i(glGetUniformLocation(triangles, "first"), v * 30);
      glDrawArrays(GL_TRIANGLES, 0, 30);
      read_explicit(&explicit, expected);
      glBindFramebuffer(GL_FRAMEBUFFER, layer);
      glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 1 + v);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, found);
      compare("view", GL_RGBA8, samples);
   }
   destroy(&explicit);
   glDeleteFramebuffers(1, &fb);
   glDeleteFramebuffers(1, &layer);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
}

/* Numbers of samples that are not supported become the next larger one; errors. */
static void
test_numbers(void)
{
   struct target t;
   GLint most, samples;

   glGetIntegerv(GL_MAX_SAMPLES_EXT, &most);
   create(&t, GL_RGBA8, 3, 0, GL_TEXTURE_2D);
   glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                         GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT, &samples);
   CHECK(samples == 4);
   glGetIntegerv(GL_SAMPLES, &samples);
   CHECK(samples == 4);
   texture_samples(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t.texture, 0, most + 1);
   CHECK(glGetError() == GL_INVALID_VALUE);
   texture_samples(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t.texture, 0, -1);
   CHECK(glGetError() == GL_INVALID_VALUE);
   texture_samples(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t.texture, 0, 2);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE_EXT);
   texture_samples(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t.texture, 0, 0);
   glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                         GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT, &samples);
   CHECK(samples == 0);
   destroy(&t);
   CHECK(glGetError() == GL_NO_ERROR);
}

int
main(void)
{
   static const char *const names[] = { "GL_EXT_multisampled_render_to_texture ",
                                        "GL_EXT_multisampled_render_to_texture2",
                                        "GL_OVR_multiview_multisampled_render_to_texture" };
   static const GLenum formats[] = { GL_RGBA8, GL_SRGB8_ALPHA8, GL_RGB565, GL_RGB10_A2, GL_RGBA4 };
   EGLDisplay display = test_display();

   test_current(display, test_context(display, EGL_NO_CONTEXT));
   for (unsigned i = 0; i < 3; i++)
      CHECK(strstr((const char *)glGetString(GL_EXTENSIONS), names[i]));
   texture_samples = (PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC)eglGetProcAddress(
      "glFramebufferTexture2DMultisampleEXT");
   storage_samples = (PFNGLRENDERBUFFERSTORAGEMULTISAMPLEEXTPROC)eglGetProcAddress(
      "glRenderbufferStorageMultisampleEXT");
   triangles = program_of(TRIANGLES_VS, TRIANGLES_FS);
   sample = program_of(FILL_VS, SAMPLE_FS);
   for (GLsizei samples = 2; samples <= 16; samples *= 2) {
      for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
         test_format(formats[i], samples, 0, GL_TEXTURE_2D);
      test_format(GL_RGBA8, samples, 2, GL_TEXTURE_2D);
      test_format(GL_RGBA8, samples, 1, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y);
      test_writes(samples);
      test_depth(samples);
      test_views(samples);
   }
   test_numbers();
   puts("implicit samples: as explicit ones");
   return 0;
}
