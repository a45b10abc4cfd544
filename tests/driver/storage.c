/* SPDX-License-Identifier: MIT */
/*
 * Tests storage buffers, images, atomic counters and grids between the driver's other work.  The
 * next copy, draw, mapping or grid must read what a draw or grid has written, with any kind of
 * read.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 64

#define HEADER                                                  \
   "#version 330\n"                                             \
   "#extension GL_ARB_compute_shader : require\n"               \
   "#extension GL_ARB_shader_storage_buffer_object : require\n" \
   "#extension GL_ARB_shader_image_load_store : require\n"      \
   "#extension GL_ARB_shader_image_size : require\n"            \
   "#extension GL_ARB_shader_atomic_counters : require\n"       \
   "#extension GL_ARB_shading_language_420pack : require\n"

static GLuint
compute_program(const char *source)
{
   const GLuint program = glCreateProgram();

   test_shader(program, GL_COMPUTE_SHADER, source);
   test_link(program);
   glUseProgram(program);
   return program;
}

static GLuint
buffer_of(GLenum target, unsigned size, const void *data)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(target, buffer);
   glBufferData(target, size, data, GL_DYNAMIC_COPY);
   return buffer;
}

static GLuint
texture_of(GLenum format, unsigned width, unsigned height)
{
   GLuint texture;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   return texture;
}

/* Tests a sum through shared memory of groups, and grids whose number of groups was written by
 * another grid.
 */
static void
test_reduction(void)
{
   enum { COUNT = 128 * 64 };
   static GLuint numbers[COUNT];
   GLuint programs[2], buffers[3], sum;

   for (unsigned i = 0; i < COUNT; i++)
      numbers[i] = i * 7;
   programs[0] = compute_program(HEADER "layout(local_size_x = 1) in;\n"
                                        "layout(binding = 0, std430) buffer B { uint n[]; };\n"
                                        "void main() { n[0] = 64u; n[1] = 1u; n[2] = 1u; }");
   programs[1] = compute_program(HEADER
                                 "layout(local_size_x = 128) in;\n"
                                 "layout(binding = 1, std430) readonly buffer I { uint x[]; };\n"
                                 "layout(binding = 2, std430) buffer O { uint sum; };\n"
                                 "shared uint part[128];\n"
                                 "void main() {\n"
                                 "   uint n = gl_LocalInvocationIndex;\n"
                                 "   part[n] = x[gl_GlobalInvocationID.x];\n"
                                 "   for (uint step = 64u; step > 0u; step >>= 1) {\n"
                                 "      barrier();\n"
                                 "      if (n < step)\n"
                                 "         part[n] += part[n + step];\n"
                                 "   }\n"
                                 "   if (n == 0u)\n"
                                 "      atomicAdd(sum, part[0]);\n"
                                 "}");
   buffers[0] = buffer_of(GL_DISPATCH_INDIRECT_BUFFER, 12, NULL);
   buffers[1] = buffer_of(GL_SHADER_STORAGE_BUFFER, sizeof numbers, numbers);
   buffers[2] = buffer_of(GL_SHADER_STORAGE_BUFFER, 4, &(GLuint){ 1000 });
   for (unsigned i = 0; i < 3; i++)
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
   glUseProgram(programs[0]);
   glDispatchCompute(1, 1, 1);
   glMemoryBarrier(GL_COMMAND_BARRIER_BIT);
   glUseProgram(programs[1]);
   glDispatchComputeIndirect(0);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 4, &sum);
   CHECK(sum == 1000 + 7 * (COUNT * (COUNT - 1) / 2), "%u", sum);
   glDeleteBuffers(3, buffers);
   glDeleteProgram(programs[0]);
   glDeleteProgram(programs[1]);
}

/* Tests that accesses beyond a range have no effect, not even on the data after it. */
static void
test_bounds(void)
{
   GLuint data[128], program, buffer;

   memset(data, 0x11, sizeof data);
   program = compute_program(HEADER "layout(local_size_x = 64) in;\n"
                                    "layout(binding = 0, std430) buffer B { uint x[]; };\n"
                                    "uniform uint far;\n"
                                    "void main() {\n"
                                    "   uint n = gl_LocalInvocationID.x;\n"
                                    "   if (n == 40u) x[0] = uint(x.length());\n"
                                    "   else if (n == 41u) x[1] = x[n];\n"
                                    "   else if (n == 42u) x[2] = atomicAdd(x[n], 7u);\n"
                                    "   else if (n >= 8u) x[n * far] = 5u;\n"
                                    "}");
   glUniform1ui(glGetUniformLocation(program, "far"), 1);
   buffer = buffer_of(GL_SHADER_STORAGE_BUFFER, sizeof data, data);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer, 64, 40);
   glDispatchCompute(1, 1, 1);
   glUniform1ui(glGetUniformLocation(program, "far"), 0x3fffff00);
   glDispatchCompute(1, 1, 1);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof data, data);
   for (unsigned i = 0; i < 128; i++) {
      const unsigned n = i - 16;
      const GLuint wanted = n == 0 ? 10 : n == 1 || n == 2 ? 0 : n == 8 || n == 9 ? 5 : 0x11111111;
      CHECK(data[i] == wanted, "%u: %x", i, data[i]);
   }
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
}

static const char vertex_source[] = "#version 330\n"
                                    "out vec2 at;\n"
                                    "void main() {\n"
                                    "   at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                    "   gl_Position = vec4(at * 2 - 1, 0, 1);\n"
                                    "}";

static void
draw(GLuint program)
{
   glUseProgram(program);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Tests a target that was cleared and is then used as an image, as a texture, and as a target
 * again.
 */
static void
test_image_of_target(void)
{
   static GLuint pixels[SIZE][SIZE];
   GLuint fbo, texture = texture_of(GL_RGBA8, SIZE, SIZE),
               target = texture_of(GL_RGBA8, SIZE, SIZE);
   GLuint grid, shown;

   grid = compute_program(HEADER
                          "layout(local_size_x = 8, local_size_y = 8) in;\n"
                          "layout(binding = 0, rgba8) uniform image2D i;\n"
                          "void main() {\n"
                          "   ivec2 at = ivec2(gl_GlobalInvocationID);\n"
                          "   if (((at.x ^ at.y) & 1) == 0)\n"
                          "      imageStore(i, at, imageLoad(i, at) + vec4(at, 0, 0) / 255);\n"
                          "   if (at.x >= 32) imageStore(i, imageSize(i) + at, vec4(1));\n"
                          "}");
   shown = test_program(vertex_source, "#version 330\n"
                                       "uniform sampler2D t;\n"
                                       "in vec2 at;\n"
                                       "out vec4 color;\n"
                                       "void main() { color = texture(t, at); }");
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   glViewport(0, 0, SIZE, SIZE);
   for (unsigned round = 0; round < 3; round++) {
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
      glClearColor(0, 0, round / 255.0f, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
      glUseProgram(grid);
      glDispatchCompute(SIZE / 8, SIZE / 8, 1);
      glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
      glBindTexture(GL_TEXTURE_2D, texture);
      draw(shown);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            const GLuint wanted = 0xff000000 | round << 16 | ((x ^ y) & 1 ? 0 : y << 8 | x);
            CHECK(pixels[y][x] == wanted, "%u: %u, %u: %x", round, x, y, pixels[y][x]);
         }
      }
   }
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteTextures(1, &texture);
   glDeleteTextures(1, &target);
   glDeleteProgram(grid);
   glDeleteProgram(shown);
}

/* Tests that fragments of draws without colour outputs are counted once each. */
static void
test_counters(void)
{
   GLuint program, buffer, counts[2], texture = texture_of(GL_R32UI, SIZE, SIZE);
   static GLuint seen[SIZE][SIZE];

   program = test_program(vertex_source,
                          HEADER "layout(binding = 0) uniform atomic_uint all, upper;\n"
                                 "layout(binding = 0, r32ui) uniform uimage2D i;\n"
                                 "in vec2 at;\n"
                                 "void main() {\n"
                                 "   atomicCounterIncrement(all);\n"
                                 "   if (at.y > 0.5) {\n"
                                 "      atomicCounterIncrement(upper);\n"
                                 "      discard;\n"
                                 "   }\n"
                                 "   imageAtomicAdd(i, ivec2(gl_FragCoord.xy), 3u);\n"
                                 "}");
   buffer = buffer_of(GL_ATOMIC_COUNTER_BUFFER, sizeof counts, &(GLuint[2]){ 5, 0 });
   glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, buffer);
   memset(seen, 0, sizeof seen);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RED_INTEGER, GL_UNSIGNED_INT, seen);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glViewport(0, 0, SIZE, SIZE);
   glColorMask(0, 0, 0, 0);
   draw(program);
   draw(program);
   glColorMask(1, 1, 1, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   glGetBufferSubData(GL_ATOMIC_COUNTER_BUFFER, 0, sizeof counts, counts);
   CHECK(counts[0] == 5 + 2 * SIZE * SIZE && counts[1] == SIZE * SIZE, "%u %u", counts[0],
         counts[1]);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, seen);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++)
         CHECK(seen[y][x] == (y < SIZE / 2 ? 6u : 0u), "%u, %u: %u", x, y, seen[y][x]);
   }
   glDeleteBuffers(1, &buffer);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
}

/* Tests a grid that writes the vertices, indices and uniforms of a draw.  Then the buffer gets new
 * storage while it is bound.
 */
static void
test_inputs(void)
{
   GLuint grid, program, buffer, array;
   GLubyte pixel[4];

   grid = compute_program(HEADER "layout(local_size_x = 4) in;\n"
                                 "layout(binding = 3, std430) buffer B {\n"
                                 "   vec4 color; vec2 at[4]; uint index[4]; };\n"
                                 "uniform float green;\n"
                                 "void main() {\n"
                                 "   uint n = gl_LocalInvocationID.x;\n"
                                 "   at[n] = vec2(n & 1u, n >> 1) * 2 - 1;\n"
                                 "   index[n] = n;\n"
                                 "   color = vec4(0, green, 0, 1);\n"
                                 "}");
   program = test_program("#version 330\n"
                          "layout(location = 0) in vec2 at;\n"
                          "void main() { gl_Position = vec4(at, 0, 1); }",
                          HEADER "layout(binding = 1, std140) uniform U { vec4 value; };\n"
                                 "out vec4 color;\n"
                                 "void main() { color = value; }");
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   buffer = buffer_of(GL_SHADER_STORAGE_BUFFER, 64, NULL);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, buffer);
   glBindBufferBase(GL_UNIFORM_BUFFER, 1, buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, (void *)16);
   glEnableVertexAttribArray(0);
   for (unsigned i = 1; i < 6; i++) {
      glBufferData(GL_SHADER_STORAGE_BUFFER, 64, NULL, GL_DYNAMIC_COPY);
      glUseProgram(grid);
      glUniform1f(glGetUniformLocation(grid, "green"), i * 50 / 255.0f);
      glDispatchCompute(1, 1, 1);
      glMemoryBarrier(GL_ALL_BARRIER_BITS);
      glUseProgram(program);
      glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_INT, (void *)48);
      glReadPixels(SIZE - 1, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
      CHECK(pixel[0] == 0 && pixel[1] == i * 50 && pixel[3] == 255, "%u: %u %u %u %u", i, pixel[0],
            pixel[1], pixel[2], pixel[3]);
   }
   glBindVertexArray(0);
   glDeleteVertexArrays(1, &array);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(grid);
   glDeleteProgram(program);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   test_reduction();
   test_bounds();
   test_image_of_target();
   test_counters();
   test_inputs();
   return test_end();
}
