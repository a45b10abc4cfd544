/* SPDX-License-Identifier: MIT */
/*
 * Tests malicious programs in a context with reset notification.  The context is lost, or the
 * results contain nothing that is out of bounds.  Another context works all the time.
 *
 *    hostile loop      a grid that never ends
 *    hostile fragment  fragments that write to a storage buffer without end
 *    hostile barrier   barriers that some invocations never reach
 *    hostile wild      indices of all kinds that are out of range
 *    hostile groups    a grid of 2^48 groups
 */
#include "hostile.h"

static void
test_loop(void)
{
   PROGRAM(
         .cs =
            "layout(local_size_x = 64) in;\n"
            "layout(std430, binding = 0) buffer B { uint b[]; };\n"
            "layout(location = 0) uniform uint step;\n"
            "void main() {\n"
            "   for (uint i = 0u; i < 10u; i += step) atomicAdd(b[gl_LocalInvocationIndex], 1u);\n"
            "}\n");
   core_storage(0, 256, NULL);
   glUniform1ui(0, 0);
   glDispatchCompute(1, 1, 1);
   glFlush();
   other_works();
   CHECK(is_lost("loop"), "a grid without end has ended");
}

static void
test_fragment(void)
{
   begin_draws();
   PROGRAM(.vs = FILL_VS, .fs = "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                                "layout(location = 0) uniform uint step;\n"
                                "void main() {\n"
                                "   uint i = uint(gl_FragCoord.x);\n"
                                "   while (b[i] < 5u) b[i + 16u] += step;\n"
                                "}\n");
   core_storage(0, 256, NULL);
   glUniform1ui(0, 1);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glFlush();
   other_works();
   CHECK(is_lost("fragment"), "a draw without end has ended");
}

static void
test_barrier(void)
{
   static const char *const bodies[] = {
      "if (l < 5u) barrier();",
      "if (l >= 32u) { barrier(); barrier(); } else barrier();",
      "for (uint i = 0u; i < l; i++) barrier();",
      "if ((l & 1u) != 0u) return; barrier(); s[l] = 1u; barrier();",
      "while (s[l] < l * zero + 3u) { barrier(); s[l]++; if (s[l] == 2u && l == 40u) break; }",
      "if (l < 32u) { for (;;) { barrier(); if (++s[l] > 4u) break; } } else { s[l] = 5u; }",
      "do { barrier(); } while (s[(l + 1u) % 64u]++ < 10u);",
   };

   for (unsigned i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
      const GLuint program =
         PROGRAM(.cs = text("layout(local_size_x = 64) in;\n"
                            "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                            "layout(location = 0) uniform uint zero;\n"
                            "shared uint s[64];\n"
                            "void main() {\n"
                            "   uint l = gl_LocalInvocationIndex;\n"
                            "   s[l] = 0u; b[l] = 1u;\n"
                            "   %s\n"
                            "   b[l + 64u] = s[l] + 1u;\n"
                            "}\n",
                            bodies[i]));
      const GLuint b = core_storage(0, 512, NULL);
      uint32_t found[128];
      glDispatchCompute(4, 1, 1);
      glFlush();
      other_works();
      if (is_lost(text("barrier %u", i)))
         return;
      core_read(b, sizeof found, found);
      for (unsigned k = 0; k < 64; k++)
         CHECK(found[k] == 1, "barrier %u: %u has %u", i, k, found[k]);
      glDeleteProgram(program);
   }
}

static void
test_wild(void)
{
   static const uint32_t indices[] = { 64,         65,         1000,       0x10000,    0x3fffffff,
                                       0x40000000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff };
   const unsigned count = sizeof indices / sizeof indices[0];
   const GLuint program = PROGRAM(
         .cs =
            "layout(local_size_x = 64) in;\n"
            "layout(std430, binding = 0) buffer R { uint r[64]; };\n"
            "layout(std430, binding = 1) buffer B { uint x[]; } b[2];\n"
            "layout(std140, binding = 0) uniform U { uvec4 u[16]; };\n"
            "layout(r32ui, binding = 0) uniform uimage2D img;\n"
            "layout(r32ui, binding = 1) uniform uimageBuffer buf;\n"
            "layout(rgba8, binding = 2) uniform image3D vol;\n"
            "layout(binding = 0) uniform sampler2DArray tex;\n"
            "layout(location = 0) uniform uint w;\n"
            "shared uint s[64];\n"
            "void main() {\n"
            "   uint l = gl_LocalInvocationIndex, local[8], sum = 0u;\n"
            "   s[l] = l;\n"
            "   for (uint i = 0u; i < 8u; i++) local[i] = l + i;\n"
            "   barrier();\n"
            "   local[w] = 5u; sum += local[w * 3u]; sum += local[l & 7u];\n"
            "   s[w] = 7u; s[w + l * 0x01000001u] = 9u; atomicAdd(s[w], 3u); sum += s[w];\n"
            "   b[0].x[w] = 5u; b[0].x[w * l] = 6u; sum += b[1].x[w + l]; sum += atomicOr(b[1].x[w], 1u);\n"
            "   sum += u[w].x + u[w + l].y;\n"
            "   imageStore(img, ivec2(w, -int(w)), uvec4(1u)); imageStore(img, ivec2(-int(l) - 1, w), uvec4(1u));\n"
            "   sum += imageLoad(img, ivec2(int(w), int(w) ^ 0x5555)).x + imageAtomicAdd(img, ivec2(0, w), 1u);\n"
            "   imageStore(buf, int(w), uvec4(9u)); sum += imageLoad(buf, int(w) * 3).x;\n"
            "   imageStore(vol, ivec3(w, w, w), vec4(1.0)); sum += uint(imageLoad(vol, ivec3(0, 0, w)).x);\n"
            "   sum += uint(texelFetch(tex, ivec3(w, w, w), int(w)).x);\n"
            "   sum += uint(textureLod(tex, vec3(uintBitsToFloat(w), 1e30, float(w)), uintBitsToFloat(w)).x);\n"
            "   if (sum == 0x12345678u) r[l] = sum; else r[l] = l + 1u;\n"
            "}\n");
   uint32_t found[64], guards[64];
   GLuint textures[4];

   memset(guards, 0xab, sizeof guards);
   const GLuint b = core_buffer(1024, NULL), u = core_buffer(256, NULL);
   const GLuint r = core_storage(0, 256, NULL);
   glNamedBufferSubData(b, 768, sizeof guards, guards);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, b, 0, 256);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 2, b, 256, 256);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, u);
   glCreateTextures(GL_TEXTURE_2D, 1, &textures[0]);
   glTextureStorage2D(textures[0], 1, GL_R32UI, 5, 3);
   glCreateTextures(GL_TEXTURE_BUFFER, 1, &textures[1]);
   glTextureBufferRange(textures[1], GL_R32UI, b, 512, 256);
   glCreateTextures(GL_TEXTURE_3D, 1, &textures[2]);
   glTextureStorage3D(textures[2], 1, GL_RGBA8, 3, 3, 3);
   glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &textures[3]);
   glTextureStorage3D(textures[3], 2, GL_RGBA8, 4, 4, 3);
   glBindImageTexture(0, textures[0], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glBindImageTexture(1, textures[1], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glBindImageTexture(2, textures[2], 0, GL_TRUE, 0, GL_READ_WRITE, GL_RGBA8);
   glBindTextureUnit(0, textures[3]);
   for (unsigned i = 0; i < count; i++) {
      const uint32_t zeros[64] = { 0 };
      glNamedBufferSubData(r, 0, sizeof zeros, zeros);
      glUseProgram(program);
      glUniform1ui(0, indices[i]);
      glDispatchCompute(1, 1, 1);
      other_works();
      if (is_lost(text("index 0x%x", indices[i])))
         return;
      core_read(r, sizeof found, found);
      for (unsigned k = 0; k < 64; k++)
         CHECK(found[k] == k + 1, "index 0x%x: %u has %u", indices[i], k, found[k]);
      glGetNamedBufferSubData(b, 768, sizeof found, found);
      CHECK(!memcmp(found, guards, sizeof found), "index 0x%x: written out of range", indices[i]);
   }
}

static void
test_groups(void)
{
   GLint most[3];

   for (unsigned i = 0; i < 3; i++)
      glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &most[i]);
   PROGRAM(.cs = "layout(local_size_x = 1) in;\n"
                 "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                 "void main() { b[gl_WorkGroupID.x & 63u] = gl_WorkGroupID.y; }\n");
   core_storage(0, 256, NULL);
   glDispatchCompute(most[0], most[1], most[2]);
   glFlush();
   other_works();
   CHECK(is_lost("groups"), "2^48 groups have ended");
}

int
main(int argc, char **argv)
{
   static const struct hostile_test tests[] = {
      { "loop", test_loop }, { "fragment", test_fragment }, { "barrier", test_barrier },
      { "wild", test_wild }, { "groups", test_groups },
   };
   return hostile_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
