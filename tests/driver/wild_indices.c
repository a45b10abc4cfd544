/* SPDX-License-Identifier: MIT */
/*
 * Tests shaders that index everything that GLSL can index (uniforms, blocks, storage, locals,
 * constants, inputs, shared memory, images, textures, texels) with random numbers out of range, in
 * reads and writes, in the vertex, pixel and compute stage.  Pictures may be anything, but nothing
 * outside may be accessed.  A draw after each shader must be correct.
 *
 *    wild_indices FIRST-SEED SEEDS
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "egl.h"

#define SIZE 32

static uint64_t state;
static uint64_t seed;

static uint32_t
below(uint32_t end)
{
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)((state >> 32) * end >> 32);
}

/* Declarations that all stages share. */
static const char declarations[] =
   "#version 450\n"
   "struct part { vec4 a[3]; int b; float c[5]; };\n"
   "uniform int w[8]; uniform vec4 u[7]; uniform part parts[3];\n"
   "uniform sampler2D textures[4]; uniform samplerBuffer texels;\n"
   "layout(r32ui) uniform uimage2D images[2];\n"
   "layout(std140) uniform block { vec4 m[4]; mat4 n[2]; } blocks[3];\n"
   "layout(std430) buffer store { uint s[]; } stores[3];\n"
   "const vec4 k[5] = vec4[](vec4(0), vec4(1), vec4(2), vec4(3), vec4(4));\n";

static const char *const reads[] = {
   "u[%s]",
   "parts[%s].a[%s]",
   "vec4(parts[%s].c[%s])",
   "k[%s]",
   "l[%s]",
   "vec4(l[%s][%s])",
   "g[%s].a[%s]",
   "blocks[%s].m[%s]",
   "blocks[%s].n[%s][1]",
   "vec4(stores[%s].s[%s])",
   "vec4(atomicAdd(stores[%s].s[%s], 1u))",
   "textureLod(textures[%s], vec2(0.5), float(%s))",
   "texelFetch(textures[%s], ivec2(%s), 0)",
   "texelFetch(texels, %s)",
   "vec4(imageLoad(images[%s], ivec2(%s)))",
   "vec4(imageAtomicOr(images[%s], ivec2(%s), 1u))",
};

static const char *const writes[] = {
   "l[%s] = x;",       "l[%s][%s] = x.x;",        "g[%s].a[%s] = x;",
   "g[%s].c[%s] = 1;", "stores[%s].s[%s] = 77u;", "imageStore(images[%s], ivec2(%s), uvec4(7u));",
};

static void
put(FILE *fp, const char *form)
{
   char index[2][64];

   for (unsigned i = 0; i < 2; i++) {
      const unsigned a = below(8), b = below(8);
      static const char *const forms[] = { "w[%u]", "w[%u] + w[%u]", "w[%u] * 3 - w[%u]",
                                           "(w[%u] & 3) + int(p)", "(w[%u] >> 28) - 1" };
      snprintf(index[i], sizeof index[i], forms[below(5)], a, b);
   }
   fprintf(fp, form, index[0], index[1]);
}

static void
put_body(FILE *fp)
{
   fputs("   vec4 x = vec4(1), l[6]; part g[2];\n"
         "   for (int i = 0; i < 6; i++) l[i] = vec4(i);\n"
         "   g[0] = parts[0]; g[1] = parts[1];\n",
         fp);
   for (unsigned n = 3 + below(8); n > 0; n--) {
      fputs("   ", fp);
      if (below(3)) {
         fputs("x += ", fp);
         put(fp, reads[below(sizeof reads / sizeof *reads)]);
         fputs(";\n", fp);
      } else {
         put(fp, writes[below(sizeof writes / sizeof *writes)]);
         fputc('\n', fp);
      }
   }
   fputs("   for (int i = 0; i < 6; i++) x += l[i];\n   x += g[0].a[1] + g[1].c[2];\n", fp);
}

static void
wild_shader(GLuint program, GLenum type)
{
   char *text = NULL;
   size_t size;
   FILE *fp = open_memstream(&text, &size);

   REQUIRE(fp);
   fputs(declarations, fp);
   if (type == GL_VERTEX_SHADER)
      fputs("out vec4 v[3];\nvoid main() {\n   int p = gl_VertexID;\n", fp);
   else if (type == GL_FRAGMENT_SHADER)
      fputs("in vec4 v[3]; out vec4 color;\nvoid main() {\n   int p = int(gl_FragCoord.x);\n", fp);
   else
      fputs("layout(local_size_x = 32) in; shared vec4 t[9];\nvoid main() {\n"
            "   int p = int(gl_LocalInvocationID.x);\n",
            fp);
   put_body(fp);
   if (type == GL_VERTEX_SHADER) {
      put(fp, "   v[%s] = x;\n");
      fputs("   gl_Position = vec4(p % 3 * 4 - 1, p / 2 * 4 - 1, 0, 1) + 0.0 * x;\n}\n", fp);
   } else if (type == GL_FRAGMENT_SHADER) {
      put(fp, "   color = x + v[%s];\n}\n");
   } else {
      put(fp, "   t[%s] = x;\n   barrier();\n   stores[0].s[p] = uint(t[%s].x);\n}\n");
   }
   fclose(fp);
   test_shader(program, type, text);
   free(text);
}

/* Links a program of one or two stages; the second one may be GL_NONE. */
static GLuint
wild_program(GLenum first, GLenum second)
{
   const GLuint program = glCreateProgram();

   wild_shader(program, first);
   if (second)
      wild_shader(program, second);
   if (!test_link(program)) {
      fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
      exit(1);
   }
   return program;
}

static void
set_uniforms(GLuint program)
{
   static const int wild[] = {
      0,     1,       -1,      7,          8,         100,       1000,
      -1000, 1 << 16, 1 << 24, -(1 << 28), INT32_MAX, INT32_MIN, 0x55555555
   };

   glUseProgram(program);
   for (int i = 0; i < 8; i++) {
      char name[16];
      snprintf(name, sizeof name, "w[%d]", i);
      glUniform1i(glGetUniformLocation(program, name),
                  wild[below(sizeof wild / sizeof *wild)] + (int)below(3));
   }
   glUniform1i(glGetUniformLocation(program, "texels"), 5);
}

static void
make_objects(void)
{
   GLuint names[8];

   glCreateBuffers(7, names);
   for (int i = 0; i < 7; i++)
      glNamedBufferStorage(names[i], 256, NULL, 0);
   for (unsigned i = 0; i < 3; i++) {
      glBindBufferBase(GL_UNIFORM_BUFFER, i, names[i]);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, names[3 + i]);
   }
   const GLuint words = names[6];
   glCreateTextures(GL_TEXTURE_2D, 2, names);
   glTextureStorage2D(names[0], 3, GL_RGBA8, 8, 8);
   glTextureStorage2D(names[1], 1, GL_R32UI, 8, 8);
   glCreateTextures(GL_TEXTURE_BUFFER, 1, names + 2);
   glTextureBuffer(names[2], GL_R32F, words);
   glBindTextureUnit(0, names[0]);
   glBindTextureUnit(5, names[2]);
   for (unsigned i = 0; i < 2; i++)
      glBindImageTexture(i, names[1], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glCreateTextures(GL_TEXTURE_2D, 1, names + 3);
   glTextureStorage2D(names[3], 1, GL_RGBA8, SIZE, SIZE);
   glCreateFramebuffers(1, names + 4);
   glNamedFramebufferTexture(names[4], GL_COLOR_ATTACHMENT0, names[3], 0);
   glBindFramebuffer(GL_FRAMEBUFFER, names[4]);
   glCreateVertexArrays(1, names + 5);
   glBindVertexArray(names[5]);
   glViewport(0, 0, SIZE, SIZE);
}

/* Checks that a draw without indices still shows its colour. */
static void
check_context(GLuint plain)
{
   uint32_t pixels[SIZE * SIZE];

   glUseProgram(plain);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      if (pixels[i] != 0xff00ff00) {
         fprintf(stderr, "seed %llu: pixel %u is %08x\n", (unsigned long long)seed, i, pixels[i]);
         exit(1);
      }
   }
   REQUIRE(glGetError() == GL_NO_ERROR);
}

static void
run(EGLDisplay display, bool robust, uint64_t first, uint64_t count)
{
   EGLContext context = egl_context(display, EGL_NO_CONTEXT, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    robust, EGL_NO_RESET_NOTIFICATION);

   REQUIRE(context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
   make_objects();
   const GLuint plain =
      test_program("#version 450\nvoid main() { gl_Position = vec4(gl_VertexID % 2 * 4 - 1, "
                   "gl_VertexID / 2 * 4 - 1, 0, 1); }",
                   "#version 450\nout vec4 c; void main() { c = vec4(0, 1, 0, 1); }");
   for (seed = first; seed < first + count; seed++) {
      state = seed * 0x9e3779b97f4a7c15ull + 1;
      const GLuint draw = wild_program(GL_VERTEX_SHADER, GL_FRAGMENT_SHADER);
      const GLuint grid = wild_program(GL_COMPUTE_SHADER, GL_NONE);
      for (unsigned n = 0; n < 3; n++) {
         set_uniforms(draw);
         glDrawArrays(GL_TRIANGLES, 0, 6);
         set_uniforms(grid);
         glDispatchCompute(3, 1, 1);
      }
      glMemoryBarrier(GL_ALL_BARRIER_BITS);
      check_context(plain);
      glDeleteProgram(draw);
      glDeleteProgram(grid);
   }
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
}

int
main(int argc, char **argv)
{
   EGLDisplay display = egl_display(EGL_OPENGL_API);

   REQUIRE(argc == 3);
   REQUIRE(display);
   for (int robust = 0; robust < 2; robust++)
      run(display, robust, strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0));
   eglTerminate(display);
   return fails != 0;
}
