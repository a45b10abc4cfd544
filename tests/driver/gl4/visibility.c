/* SPDX-License-Identifier: MIT */
/*
 * Tests that data that a compute shader writes are visible, after a memory barrier, to samplers,
 * vertex and index fetch, indirect draws, uniform blocks, texture buffers, pixel transfers, copies,
 * framebuffers, transform feedback and other grids.  Also tests the opposite direction.  Rounds
 * follow each other without waiting, so a later round must not overtake an earlier one.
 */
#include "core.h"

enum { SIDE = 32, COUNT = SIDE * SIDE, ROUNDS = 6 };

/* Returns the value of word i in a round. */
static uint32_t
value_of(unsigned round, unsigned i)
{
   return (round * 2654435761u + i * 40503u) % 251 + 1;
}

#define VALUE                                   \
   "layout(location = 0) uniform uint round;\n" \
   "uint value(uint i) { return (round * 2654435761u + i * 40503u) % 251u + 1u; }\n"

static GLuint write_buffer, write_image, result_fb, result;

static void
dispatch(GLuint program, unsigned round)
{
   glUseProgram(program);
   glUniform1ui(0, round);
   glDispatchCompute(COUNT / 64, 1, 1);
}

static void
make_writers(void)
{
   write_buffer =
      PROGRAM(.head = VALUE,
              .cs = "layout(local_size_x = 64) in;\n"
                    "layout(std430, binding = 0) writeonly buffer B { uint b[]; };\n"
                    "void main() { uint i = gl_GlobalInvocationID.x; b[i] = value(i); }\n");
   write_image = PROGRAM(.head = VALUE,
                         .cs = "layout(local_size_x = 64) in;\n"
                               "layout(r32ui, binding = 0) writeonly uniform uimage2D img;\n"
                               "void main() {\n"
                               "   uint i = gl_GlobalInvocationID.x;\n"
                               "   imageStore(img, ivec2(i % 32u, i / 32u), uvec4(value(i)));\n"
                               "}\n");
   result_fb = core_target(GL_R32UI, SIDE, SIDE, &result);
}

static void
expect(const char *what, unsigned round, const uint32_t *found)
{
   for (unsigned i = 0; i < COUNT; i++)
      CHECK(found[i] == value_of(round, i), "%s, round %u: %u is %u, not %u", what, round, i,
            found[i], value_of(round, i));
}

static void
expect_pixels(const char *what, unsigned round)
{
   static uint32_t found[COUNT];

   glReadPixels(0, 0, SIDE, SIDE, GL_RED_INTEGER, GL_UNSIGNED_INT, found);
   expect(what, round, found);
}

static GLuint
make_texture(void)
{
   GLuint texture;

   glCreateTextures(GL_TEXTURE_2D, 1, &texture);
   glTextureStorage2D(texture, 1, GL_R32UI, SIDE, SIDE);
   glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   return texture;
}

static void
test_sampled(void)
{
   const GLuint texture = make_texture();
   const GLuint draw =
      PROGRAM(.vs = FILL_VS,
              .fs = "layout(binding = 0) uniform usampler2D t; out uint color;\n"
                    "void main() { color = texelFetch(t, ivec2(gl_FragCoord.xy), 0).x; }\n");

   glBindTextureUnit(0, texture);
   for (unsigned round = 0; round < ROUNDS; round++) {
      dispatch(write_image, round);
      glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
      glUseProgram(draw);
      glDrawArrays(GL_TRIANGLES, 0, 3);
      if (round % 2)
         expect_pixels("sampled", round);
   }
   glDeleteTextures(1, &texture);
   glDeleteProgram(draw);
}

/* Tests an image that the next draw blends with, that a copy reads, or that is read back. */
static void
test_framebuffer(void)
{
   const GLuint texture = make_texture();
   uint32_t found[COUNT];
   GLuint fb, copy;

   glCreateTextures(GL_TEXTURE_2D, 1, &copy);
   glTextureStorage2D(copy, 1, GL_R32UI, SIDE, SIDE);
   glCreateFramebuffers(1, &fb);
   glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, texture, 0);
   for (unsigned round = 0; round < ROUNDS; round++) {
      dispatch(write_image, round);
      glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
      glBindFramebuffer(GL_FRAMEBUFFER, fb);
      if (round % 3 == 0)
         expect_pixels("read back", round);
      glCopyImageSubData(texture, GL_TEXTURE_2D, 0, 0, 0, 0, copy, GL_TEXTURE_2D, 0, 0, 0, 0, SIDE,
                         SIDE, 1);
      glBlitNamedFramebuffer(fb, result_fb, 0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT,
                             GL_NEAREST);
      glBindFramebuffer(GL_FRAMEBUFFER, result_fb);
      if (round % 2) {
         expect_pixels("blitted", round);
         glGetTextureImage(copy, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof found, found);
         expect("copied", round, found);
      }
   }
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
   glDeleteTextures(1, &copy);
}

/* Tests values that are vertex attributes, and positions that depend on gl_VertexID. */
static void
test_vertices(bool indexed)
{
   const GLuint buffer = core_storage(0, 4 * COUNT, NULL);
   const GLuint draw = PROGRAM(
         .vs =
            "layout(location = 0) in uint v; flat out uint f;\n"
            "void main() {\n"
            "   gl_Position = vec4((vec2(gl_VertexID % 32, gl_VertexID / 32) + 0.5) / 16.0 - 1.0, 0.0, 1.0);\n"
            "   f = v;\n"
            "}\n",
         .fs = "flat in uint f; out uint color;\nvoid main() { color = f; }\n");
   const GLuint indices = PROGRAM(
         .head = VALUE,
         .cs =
            "layout(local_size_x = 64) in;\n"
            "layout(std430, binding = 1) writeonly buffer B { uint b[]; };\n"
            "void main() { uint i = gl_GlobalInvocationID.x; b[i] = (i * 5u + round) % 1024u; }\n");
   const GLuint index_buffer = core_storage(1, 4 * COUNT, NULL);

   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glVertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, NULL);
   glEnableVertexAttribArray(0);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, index_buffer);
   for (unsigned round = 0; round < ROUNDS; round++) {
      dispatch(write_buffer, round);
      if (indexed)
         dispatch(indices, round);
      glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT);
      glUseProgram(draw);
      if (indexed)
         glDrawElements(GL_POINTS, COUNT, GL_UNSIGNED_INT, NULL);
      else
         glDrawArrays(GL_POINTS, 0, COUNT);
      if (round % 2)
         expect_pixels(indexed ? "indices" : "attributes", round);
   }
   glDisableVertexAttribArray(0);
   glDeleteBuffers(2, (const GLuint[]){ buffer, index_buffer });
   glDeleteProgram(draw);
   glDeleteProgram(indices);
}

/* Tests the vertex count of an indirect draw. */
static void
test_indirect(void)
{
   const GLuint writes = PROGRAM(
         .cs =
            "layout(local_size_x = 1) in;\n"
            "layout(std430, binding = 1) writeonly buffer I { uint count, instances, first, base; };\n"
            "layout(location = 0) uniform uint round;\n"
            "void main() { count = round * 100u; instances = 1u; first = round; base = 0u; }\n");
   const GLuint draw = PROGRAM(
         .vs = "layout(std430, binding = 2) buffer S { uint sum; };\n"
               "void main() { gl_Position = vec4(0); atomicAdd(sum, uint(gl_VertexID) + 1u); }\n");
   const GLuint indirect = core_storage(1, 16, NULL), s = core_storage(2, 4, NULL);
   uint32_t expected = 0, found;

   glEnable(GL_RASTERIZER_DISCARD);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, indirect);
   for (unsigned round = 0; round < ROUNDS; round++) {
      glUseProgram(writes);
      glUniform1ui(0, round);
      glDispatchCompute(1, 1, 1);
      glMemoryBarrier(GL_COMMAND_BARRIER_BIT);
      glUseProgram(draw);
      glDrawArraysIndirect(GL_POINTS, NULL);
      for (unsigned i = 0; i < round * 100; i++)
         expected += round + i + 1;
   }
   glDisable(GL_RASTERIZER_DISCARD);
   core_read(s, 4, &found);
   CHECK(found == expected, "indirect: %u, not %u", found, expected);
   glDeleteBuffers(2, (const GLuint[]){ indirect, s });
   glDeleteProgram(writes);
   glDeleteProgram(draw);
}

/* Tests values in a uniform block, in a texture buffer, as the pixels of a texture upload, and as
 * the source of a copy.
 */
static void
test_buffers(void)
{
   const GLuint buffer = core_storage(0, 4 * COUNT, NULL), copy = core_buffer(4 * COUNT, NULL);
   const GLuint uniforms =
      PROGRAM(.vs = FILL_VS,
              .fs = "layout(std140, binding = 0) uniform U { uvec4 u[256]; }; out uint color;\n"
                    "void main() {\n"
                    "   uvec2 p = uvec2(gl_FragCoord.xy); uint i = p.y * 32u + p.x;\n"
                    "   color = u[i / 4u][i % 4u];\n"
                    "}\n");
   const GLuint fetch = PROGRAM(
         .vs = FILL_VS,
         .fs = "layout(binding = 0) uniform usamplerBuffer t; out uint color;\n"
               "void main() {\n"
               "   ivec2 p = ivec2(gl_FragCoord.xy); color = texelFetch(t, p.y * 32 + p.x).x;\n"
               "}\n");
   uint32_t found[COUNT];
   GLuint texture, unpacked;

   glCreateTextures(GL_TEXTURE_BUFFER, 1, &texture);
   glTextureBuffer(texture, GL_R32UI, buffer);
   glCreateTextures(GL_TEXTURE_2D, 1, &unpacked);
   glTextureStorage2D(unpacked, 1, GL_R32UI, SIDE, SIDE);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
   glBindTextureUnit(0, texture);
   for (unsigned round = 0; round < 4 * ROUNDS; round++) {
      dispatch(write_buffer, round);
      glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT |
                      GL_PIXEL_BUFFER_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
      switch (round % 4) {
      case 0:
      case 1:
         glUseProgram(round % 4 ? fetch : uniforms);
         glDrawArrays(GL_TRIANGLES, 0, 3);
         expect_pixels(round % 4 ? "texture buffer" : "uniforms", round);
         break;
      case 2:
         glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
         glTextureSubImage2D(unpacked, 0, 0, 0, SIDE, SIDE, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
         glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
         glGetTextureImage(unpacked, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof found, found);
         expect("unpacked", round, found);
         break;
      default:
         glCopyNamedBufferSubData(buffer, copy, 0, 0, sizeof found);
         glGetNamedBufferSubData(copy, 0, sizeof found, found);
         expect("copied buffer", round, found);
      }
   }
   glDeleteTextures(2, (const GLuint[]){ texture, unpacked });
   glDeleteBuffers(2, (const GLuint[]){ buffer, copy });
   glDeleteProgram(uniforms);
   glDeleteProgram(fetch);
}

/* Tests grids that read what earlier draws, uploads, clears and transform feedback wrote. */
static void
test_reads(void)
{
   const GLuint feeds = PROGRAM(.head = VALUE,
                                .vs = "out uint v;\nvoid main() { v = value(gl_VertexID); }\n",
                                .varyings = (const char *const[]){ "v", NULL });
   const GLuint draws =
      PROGRAM(.head = VALUE, .vs = FILL_VS,
              .fs = "out uint color;\n"
                    "void main() {\n"
                    "   uvec2 p = uvec2(gl_FragCoord.xy); color = value(p.y * 32u + p.x);\n"
                    "}\n");
   const GLuint copies =
      PROGRAM(.cs = "layout(local_size_x = 64) in;\n"
                    "layout(std430, binding = 0) readonly buffer F { uint f[]; };\n"
                    "layout(std430, binding = 1) writeonly buffer B { uint b[]; };\n"
                    "layout(r32ui, binding = 0) readonly uniform uimage2D img;\n"
                    "layout(binding = 0) uniform usampler2D t;\n"
                    "void main() {\n"
                    "   uint i = gl_GlobalInvocationID.x; ivec2 p = ivec2(i % 32u, i / 32u);\n"
                    "   b[i] = f[i]; b[i + 1024u] = imageLoad(img, p).x;\n"
                    "   b[i + 2048u] = texelFetch(t, p, 0).x;\n"
                    "}\n");
   const GLuint feedback = core_storage(0, 4 * COUNT, NULL), b = core_storage(1, 12 * COUNT, NULL);
   static uint32_t found[3 * COUNT];

   glBindImageTexture(0, result, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32UI);
   glBindTextureUnit(0, result);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, feedback);
   for (unsigned round = 0; round < ROUNDS; round++) {
      glUseProgram(feeds);
      glUniform1ui(0, round);
      glEnable(GL_RASTERIZER_DISCARD);
      glBeginTransformFeedback(GL_POINTS);
      glDrawArrays(GL_POINTS, 0, COUNT);
      glEndTransformFeedback();
      glDisable(GL_RASTERIZER_DISCARD);
      glUseProgram(draws);
      glUniform1ui(0, round);
      glDrawArrays(GL_TRIANGLES, 0, 3);
      glUseProgram(copies);
      glDispatchCompute(COUNT / 64, 1, 1);
      if (round % 2) {
         core_read(b, sizeof found, found);
         expect("fed back", round, found);
         expect("drawn, as an image", round, found + COUNT);
         expect("drawn, sampled", round, found + 2 * COUNT);
      }
   }
   uint32_t upload[COUNT];
   for (unsigned i = 0; i < COUNT; i++)
      upload[i] = value_of(99, i);
   glNamedBufferSubData(feedback, 0, sizeof upload, upload);
   glTextureSubImage2D(result, 0, 0, 0, SIDE, SIDE, GL_RED_INTEGER, GL_UNSIGNED_INT, upload);
   glDispatchCompute(COUNT / 64, 1, 1);
   core_read(b, sizeof found, found);
   expect("uploaded buffer", 99, found);
   expect("uploaded image", 99, found + COUNT);
   glDeleteBuffers(2, (const GLuint[]){ feedback, b });
   glDeleteProgram(feeds);
   glDeleteProgram(draws);
   glDeleteProgram(copies);
}

/* Tests a chain of grids.  Each reads words that neighbouring invocations of the previous grid
 * wrote.
 */
static void
test_chain(bool image)
{
   const GLuint program = PROGRAM(
         .cs = text(
            "layout(local_size_x = 64) in;\n"
            "layout(std430, binding = 0) buffer B { uint b[]; };\n"
            "layout(r32ui, binding = 0) uniform uimageBuffer img;\n"
            "layout(location = 0) uniform uvec2 place;\n"
            "void main() {\n"
            "   uint i = gl_GlobalInvocationID.x, j = (i + 1u) %% 1024u, k = (i + 1023u) %% 1024u;\n"
            "   %s\n"
            "}\n",
            image ? "imageStore(img, int(place.y + i), imageLoad(img, int(place.x + j)) * 3u +\n"
                    "   imageLoad(img, int(place.x + k)));"
                  : "b[place.y + i] = b[place.x + j] * 3u + b[place.x + k];"));
   static uint32_t state[2][COUNT], found[2 * COUNT];
   GLuint texture;

   for (unsigned i = 0; i < COUNT; i++)
      found[i] = state[0][i] = i;
   const GLuint b = core_storage(0, sizeof found, found);
   glCreateTextures(GL_TEXTURE_BUFFER, 1, &texture);
   glTextureBuffer(texture, GL_R32UI, b);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   for (unsigned round = 0; round < 40; round++) {
      const unsigned from = round % 2, to = !from;
      glUniform2ui(0, from * COUNT, to * COUNT);
      glDispatchCompute(COUNT / 64, 1, 1);
      glMemoryBarrier(image ? GL_SHADER_IMAGE_ACCESS_BARRIER_BIT : GL_SHADER_STORAGE_BARRIER_BIT);
      for (unsigned i = 0; i < COUNT; i++)
         state[to][i] = state[from][(i + 1) % COUNT] * 3 + state[from][(i + COUNT - 1) % COUNT];
   }
   core_read(b, sizeof found, found);
   for (unsigned i = 0; i < COUNT; i++)
      CHECK(found[i] == state[0][i], "chain%s: %u is %u, not %u", image ? " of images" : "", i,
            found[i], state[0][i]);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &b);
   glDeleteProgram(program);
}

int
main(void)
{
   core_begin();
   make_writers();
   test_sampled();
   test_framebuffer();
   test_vertices(false);
   test_vertices(true);
   test_indirect();
   test_buffers();
   test_reads();
   test_chain(false);
   test_chain(true);
   return core_end("visibility");
}
