/* SPDX-License-Identifier: MIT */
/*
 * Tests arguments that the fuzzer of random calls found.  Each call must report the error that
 * OpenGL specifies or have no effect, and the context must work afterwards.
 */
#include "core.h"

#define NO_NAME 0x7ffffff0u

#define ERROR(expected, call)                                                          \
   do {                                                                                \
      call;                                                                            \
      const GLenum error_ = glGetError();                                              \
      CHECK(error_ == (expected), "0x%x, expected 0x%x: %s", error_, expected, #call); \
   } while (0)

/* Tests first and count values whose sum wraps, or is within the limit only because count is
 * negative.
 */
static void
test_ranges(void)
{
   static const struct {
      GLuint first;
      GLsizei count;
      GLenum binding, array;
   } ranges[] = {
      { UINT32_MAX, 2, GL_INVALID_OPERATION, GL_INVALID_VALUE },
      { UINT32_MAX - 3, 5, GL_INVALID_OPERATION, GL_INVALID_VALUE },
      { 1, -1, GL_INVALID_VALUE, GL_INVALID_VALUE },
      { 1, INT32_MIN, GL_INVALID_VALUE, GL_INVALID_VALUE },
   };
   static const GLuint names[8];
   static const GLintptr offsets[8];
   static const GLsizeiptr sizes[8];
   static const GLsizei strides[8];
   static const GLfloat floats[32];
   static const GLdouble doubles[32];
   static const GLint ints[32];

   for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
      const GLuint first = ranges[i].first;
      const GLsizei count = ranges[i].count;
      static const GLenum targets[] = { GL_UNIFORM_BUFFER, GL_SHADER_STORAGE_BUFFER,
                                        GL_TRANSFORM_FEEDBACK_BUFFER, GL_ATOMIC_COUNTER_BUFFER };
      for (unsigned t = 0; t < sizeof targets / sizeof targets[0]; t++) {
         ERROR(ranges[i].binding, glBindBuffersBase(targets[t], first, count, names));
         ERROR(ranges[i].binding,
               glBindBuffersRange(targets[t], first, count, names, offsets, sizes));
      }
      ERROR(ranges[i].binding, glBindTextures(first, count, names));
      ERROR(ranges[i].binding, glBindSamplers(first, count, names));
      ERROR(ranges[i].binding, glBindImageTextures(first, count, names));
      ERROR(ranges[i].binding, glBindVertexBuffers(first, count, names, offsets, strides));
      ERROR(ranges[i].array, glViewportArrayv(first, count, floats));
      ERROR(ranges[i].array, glScissorArrayv(first, count, ints));
      ERROR(ranges[i].array, glDepthRangeArrayv(first, count, doubles));
   }
}

static void
test_textures(void)
{
   GLuint texture;

   glCreateTextures(GL_TEXTURE_2D, 1, &texture);
   glTextureStorage2D(texture, 2, GL_RGBA8, 8, 8);
   ERROR(GL_INVALID_VALUE, glInvalidateTexSubImage(NO_NAME, 0, 0, 0, 0, 1, 1, 1));
   ERROR(GL_INVALID_VALUE, glInvalidateTexSubImage(texture, 999, 0, 0, 0, 1, 1, 1));
   ERROR(GL_INVALID_VALUE, glInvalidateTexImage(texture, 999));
   ERROR(GL_NO_ERROR, glInvalidateTexSubImage(texture, 1, 0, 0, 0, 4, 4, 1));
   ERROR(GL_NO_ERROR, glInvalidateTexImage(texture, 14));
   glDeleteTextures(1, &texture);

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 500);
   ERROR(GL_INVALID_OPERATION, glGenerateMipmap(GL_TEXTURE_2D));
   glDeleteTextures(1, &texture);

   /* Use a read framebuffer without a read buffer. */
   GLuint framebuffer, renderbuffer;
   glCreateFramebuffers(1, &framebuffer);
   glCreateRenderbuffers(1, &renderbuffer);
   glNamedRenderbufferStorage(renderbuffer, GL_RGBA8, 8, 8);
   glNamedFramebufferRenderbuffer(framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
   glNamedFramebufferReadBuffer(framebuffer, GL_NONE);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   ERROR(GL_INVALID_OPERATION, glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 0, 0, 8, 8, 0));
   glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteRenderbuffers(1, &renderbuffer);
   glDeleteTextures(1, &texture);
}

static void
test_queries(void)
{
   GLint64 values[4] = { 7, 7, 7, 7 };
   GLint ints[4] = { 0 };

   ERROR(GL_INVALID_VALUE,
         glGetInternalformati64v(GL_TEXTURE_2D, GL_RGBA8, GL_SAMPLES, -1, values));
   ERROR(GL_NO_ERROR,
         glGetInternalformati64v(GL_TEXTURE_2D, GL_RGBA8, GL_MAX_COMBINED_DIMENSIONS, 0, values));
   CHECK(values[0] == 7, "a value beyond the size");
   /* 0x9599 and 0x959a are GL_DEVICE_LUID_EXT and GL_DEVICE_NODE_MASK_EXT of
    * GL_EXT_memory_object_win32.
    */
   ERROR(GL_INVALID_ENUM, glGetIntegerv(0x9599, ints));
   ERROR(GL_INVALID_ENUM, glGetIntegerv(0x959a, ints));
   ERROR(GL_INVALID_ENUM, glGetIntegeri_v(0x9599, 0, ints));
   ERROR(GL_INVALID_ENUM, glGetIntegeri_v(0x959a, 0, ints));
}

/* Tests locations that belong to no uniform. */
static void
test_uniforms(void)
{
   static const GLfloat values[4] = { 1, 2, 3, 4 };
   GLfloat value[4];
   GLuint program =
      PROGRAM(.vs = "uniform vec4 u[4]; uniform block { vec4 m[16]; } n; uniform int i;\n"
                    "void main() { gl_Position = u[i & 3] + n.m[i & 15]; }",
              .fs = "layout(location = 0) out vec4 c; void main() { c = vec4(1); }");
   GLint set = 0;

   for (GLint location = 0; location < 32; location++) {
      glUniform4fv(location, 1, values);
      const GLenum error = glGetError();
      set += error == GL_NO_ERROR;
      CHECK(error == GL_NO_ERROR || error == GL_INVALID_OPERATION, "error 0x%x", error);
   }
   CHECK(set == 4, "%d locations of a vector", set);
   const GLint last = glGetUniformLocation(program, "u[3]") + 8;
   ERROR(GL_INVALID_OPERATION, glGetUniformfv(program, last, value));
   ERROR(GL_NO_ERROR, glUniformSubroutinesuiv(GL_VERTEX_SHADER, 0, NULL));
   glDeleteProgram(program);

   /* The first location has no active uniform. */
   program =
      PROGRAM(.vs = "subroutine vec4 kind(); layout(location = 2) subroutine uniform kind k;\n"
                    "layout(location = 0) subroutine uniform kind unused;\n"
                    "subroutine(kind) vec4 a() { return vec4(0); }\n"
                    "subroutine(kind) vec4 b() { return vec4(1); }\n"
                    "void main() { gl_Position = k(); }",
              .fs = "layout(location = 0) out vec4 c; void main() { c = vec4(1); }");
   GLint count = 0;
   glGetProgramStageiv(program, GL_VERTEX_SHADER, GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS, &count);
   CHECK(count >= 3, "%d locations of subroutines", count);
   GLuint indices[16] = { 0 };
   const GLuint b = glGetSubroutineIndex(program, GL_VERTEX_SHADER, "b");
   GLuint index = 99;
   indices[2] = b;
   if (count <= 16)
      ERROR(GL_NO_ERROR, glUniformSubroutinesuiv(GL_VERTEX_SHADER, count, indices));
   ERROR(GL_NO_ERROR, glGetUniformSubroutineuiv(GL_VERTEX_SHADER, 2, &index));
   CHECK(index == b, "subroutine %u, expected %u", index, b);
   glDeleteProgram(program);
}

/* Tests that an array whose buffer was deleted keeps its offset and reads zeros. */
static void
test_deleted_buffer(void)
{
   GLuint vao, buffers[2], old, framebuffer, renderbuffer;
   GLubyte pixel[4] = { 0 };
   GLuint program =
      PROGRAM(.vs = "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b; out vec4 v;\n"
                    "void main() { gl_Position = vec4(a.xy, 0, 1); gl_PointSize = 1.0; v = b; }",
              .fs = "in vec4 v; layout(location = 0) out vec4 c;\n"
                    "void main() { c = vec4(v.xyz, 1) + vec4(0, 0.2, 0, 0); }");

   glGetIntegerv(GL_VERTEX_ARRAY_BINDING, (GLint *)&old);
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   buffers[0] = core_buffer(256, NULL);
   buffers[1] = core_buffer(256, NULL);
   for (unsigned i = 0; i < 2; i++) {
      glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
      glEnableVertexAttribArray(i);
      glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 16, (const void *)(uintptr_t)(i * 24));
   }
   glCreateFramebuffers(1, &framebuffer);
   glCreateRenderbuffers(1, &renderbuffer);
   glNamedRenderbufferStorage(renderbuffer, GL_RGBA8, 1, 1);
   glNamedFramebufferRenderbuffer(framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glViewport(0, 0, 1, 1);
   glDeleteBuffers(1, &buffers[1]);
   for (unsigned i = 0; i < 3; i++) {
      glDrawArrays(GL_POINTS, 0, 4);
      glBindVertexBuffer(1, 0, 4096, 16);
   }
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   CHECK(pixel[0] == 0 && pixel[1] == 51 && pixel[2] == 0 && pixel[3] == 255, "%u %u %u %u",
         pixel[0], pixel[1], pixel[2], pixel[3]);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glBindVertexArray(old);
   glDeleteProgram(program);
}

/* Overwrites freed memory. */
static void
spoil(void)
{
   enum { COUNT = 200000 };
   void **blocks = calloc(COUNT, sizeof *blocks);

   for (unsigned i = 0; i < COUNT; i++) {
      const size_t size = 48 + 16 * (i % 24);
      blocks[i] = malloc(size);
      memset(blocks[i], 0x5a, size);
   }
   for (unsigned i = 0; i < COUNT; i++)
      free(blocks[i]);
   free(blocks);
}

static GLuint
compiled(void)
{
   static const char source[] =
      "#version 450\nlayout(local_size_x = 8) in; layout(r32ui) uniform uimage2D i;\n"
      "layout(std430) buffer store { uint w[]; } o; shared uint t[8];\n"
      "void main() {\n"
      "   const uint k = gl_LocalInvocationID.x;\n"
      "   t[k] = imageAtomicAdd(i, ivec2(k), 1u); memoryBarrierShared(); barrier();\n"
      "   atomicMax(o.w[k], bitfieldReverse(t[7u - k]) + imageLoad(i, ivec2(k)).x);\n"
      "}";
   const char *text = source;
   GLuint shader = glCreateShader(GL_COMPUTE_SHADER);

   glShaderSource(shader, 1, &text, NULL);
   glCompileShader(shader);
   return shader;
}

static GLint
is_linked(GLuint shader)
{
   GLuint program = glCreateProgram();
   GLint linked = 0;

   glAttachShader(program, shader);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   glDeleteProgram(program);
   return linked;
}

/* Tests that a shader can be linked after the compiler's resources were released. */
static void
test_compiler(void)
{
   GLuint shader = compiled();

   glReleaseShaderCompiler();
   spoil();
   CHECK(is_linked(shader), "not linked without the compiler");
   CHECK(is_linked(compiled()), "not linked with it again");

   /* Destroy the context that compiled the shader. */
   EGLDisplay display = eglGetCurrentDisplay();
   EGLContext own = eglGetCurrentContext();
   const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5,
                                 EGL_NONE };
   EGLContext first = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   EGLContext second = eglCreateContext(display, EGL_NO_CONFIG_KHR, first, attributes);
   glReleaseShaderCompiler();
   core_current(display, first);
   shader = compiled();
   core_current(display, second);
   eglDestroyContext(display, first);
   spoil();
   CHECK(is_linked(shader), "not linked without the context");
   core_current(display, own);
   eglDestroyContext(display, second);
}

/* Tests parameters of ARB programs. */
static void
test_programs(void)
{
   EGLDisplay display = eglGetCurrentDisplay();
   EGLContext own = eglGetCurrentContext();
   const EGLint attributes[] = { EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT, EGL_NONE };
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   static const GLfloat values[16];
   GLfloat value[4];
   PFNGLPROGRAMLOCALPARAMETER4FARBPROC set = (PFNGLPROGRAMLOCALPARAMETER4FARBPROC)eglGetProcAddress(
      "glProgramLocalParameter4fARB");
   PFNGLGETPROGRAMLOCALPARAMETERFVARBPROC get = (PFNGLGETPROGRAMLOCALPARAMETERFVARBPROC)
      eglGetProcAddress("glGetProgramLocalParameterfvARB");
   PFNGLPROGRAMLOCALPARAMETERS4FVEXTPROC locals = (PFNGLPROGRAMLOCALPARAMETERS4FVEXTPROC)
      eglGetProcAddress("glProgramLocalParameters4fvEXT");
   PFNGLPROGRAMENVPARAMETERS4FVEXTPROC envs = (PFNGLPROGRAMENVPARAMETERS4FVEXTPROC)
      eglGetProcAddress("glProgramEnvParameters4fvEXT");

   CHECK(context != EGL_NO_CONTEXT, "no context of the compatibility profile");
   core_current(display, context);
   static const GLenum targets[] = { GL_VERTEX_PROGRAM_ARB, GL_FRAGMENT_PROGRAM_ARB };
   for (unsigned i = 0; i < 2; i++) {
      const GLenum target = targets[i];
      ERROR(GL_INVALID_VALUE, set(target, UINT32_MAX, 1, 2, 3, 4));
      ERROR(GL_INVALID_VALUE, get(target, UINT32_MAX, value));
      ERROR(GL_INVALID_VALUE, locals(target, UINT32_MAX - 1, 2, values));
      ERROR(GL_INVALID_VALUE, locals(target, 1, -1, values));
      ERROR(GL_INVALID_VALUE, envs(target, UINT32_MAX - 1, 2, values));
      ERROR(GL_INVALID_VALUE, envs(target, 1, -1, values));
      ERROR(GL_NO_ERROR, locals(target, 1, 2, values));
   }
   core_current(display, own);
   eglDestroyContext(display, context);
}

int
main(void)
{
   core_begin();
   test_ranges();
   test_textures();
   test_queries();
   test_uniforms();
   test_deleted_buffer();
   test_compiler();
   test_programs();
   return core_end("arguments");
}
