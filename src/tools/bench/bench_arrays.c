/* SPDX-License-Identifier: MIT */
/* Compute benchmarks: a reduction, a prefix sum and a matrix product. */
#include <stdlib.h>

#include "bench_compute.h"

#define WORDS (1u << 20)

static uint32_t *words;

static GLuint
make_words(void)
{
   words = bench_alloc(WORDS * 4);
   for (unsigned i = 0; i < WORDS; i++)
      words[i] = bench_random() & 0xfffff;
   return bench_buffer(0, WORDS * 4, words);
}

static GLuint reduction_program, reduction_buffers[3];

/* Prepares the benchmark `reduction`, which computes the sum, minimum and maximum of all words. */
static void
prepare_reduction(void)
{
   make_words();
   reduction_buffers[0] = bench_buffer(1, WORDS / 1024 * 16, NULL);
   reduction_buffers[1] = bench_buffer(2, 16, NULL);
   reduction_program = bench_program(
      "layout(local_size_x = 256) in;\n"
      "layout(std430, binding = 0) readonly buffer A { uint a[]; };\n"
      "layout(std430, binding = 1) buffer P { uvec4 part[]; };\n"
      "layout(std430, binding = 2) writeonly buffer R { uvec4 result; };\n"
      "layout(location = 0) uniform bool last;\n"
      "shared uvec3 s[256];\n"
      "uvec3 join(uvec3 a, uvec3 b) { return uvec3(a.x + b.x, min(a.y, b.y), max(a.z, b.z)); }\n"
      "void main() {\n"
      "   uint l = gl_LocalInvocationID.x, first = gl_WorkGroupID.x * 1024u + l;\n"
      "   uvec3 v = last ? part[first].xyz : uvec3(a[first]);\n"
      "   for (uint i = 1u; i < 4u; i++)\n"
      "      v = join(v, last ? part[first + i * 256u].xyz : uvec3(a[first + i * 256u]));\n"
      "   s[l] = v;\n"
      "   barrier();\n"
      "   for (uint n = 128u; n > 0u; n /= 2u) {\n"
      "      if (l < n) s[l] = join(s[l], s[l + n]);\n"
      "      barrier();\n"
      "   }\n"
      "   if (l == 0u) { if (last) result = uvec4(s[0], 0u); else part[gl_WorkGroupID.x] = uvec4(s[0], 0u); }\n"
      "}\n");
}

static void
frame_reduction(void)
{
   glUseProgram(reduction_program);
   glUniform1i(0, 0);
   glDispatchCompute(WORDS / 1024, 1, 1);
   glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
   glUniform1i(0, 1);
   glDispatchCompute(1, 1, 1);
   glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static bool
check_reduction(void)
{
   uint32_t found[4], sum = 0, least = ~0u, most = 0;

   frame_reduction();
   bench_read(reduction_buffers[1], sizeof(found), found);
   for (unsigned i = 0; i < WORDS; i++) {
      sum += words[i];
      least = words[i] < least ? words[i] : least;
      most = words[i] > most ? words[i] : most;
   }
   return found[0] == sum && found[1] == least && found[2] == most;
}

const struct bench bench_reduction = {
   .name = "reduction",
   .text = "sum, least and most of 2^20 words, as trees in shared memory",
   .prepare = prepare_reduction,
   .frame = frame_reduction,
   .check = check_reduction,
};

static GLuint scan_programs[3], scan_result;

/* Prepares the benchmark `scan`. It runs in three passes: compute the prefix sums within blocks of
 * 1024 words, compute the prefix sums of the block sums, and add the sum of all earlier blocks to
 * each word.
 */
static void
prepare_scan(void)
{
   static const char block[] =
      "layout(local_size_x = 512) in;\n"
      "layout(std430, binding = 0) buffer A { uint a[]; };\n"
      "layout(std430, binding = 1) buffer B { uint b[]; };\n"
      "layout(std430, binding = 2) buffer C { uint c[]; };\n"
      "shared uint s[1024];\n"
      "void main() {\n"
      "   uint l = gl_LocalInvocationID.x, first = gl_WorkGroupID.x * 1024u;\n"
      "   s[l] = a[first + l]; s[l + 512u] = a[first + l + 512u];\n"
      "   barrier();\n"
      "   for (uint n = 1u; n < 1024u; n *= 2u) {\n"
      "      uint i = (2u * l + 2u) * n - 1u;\n"
      "      if (i < 1024u) s[i] += s[i - n];\n"
      "      barrier();\n"
      "   }\n"
      "   for (uint n = 256u; n > 0u; n /= 2u) {\n"
      "      uint i = (2u * l + 3u) * n - 1u;\n"
      "      if (i < 1024u) s[i] += s[i - n];\n"
      "      barrier();\n"
      "   }\n"
      "   b[first + l] = s[l]; b[first + l + 512u] = s[l + 512u];\n"
      "   if (l == 0u) c[gl_WorkGroupID.x] = s[1023];\n"
      "}\n";

   make_words();
   scan_result = bench_buffer(1, WORDS * 4, NULL);
   bench_buffer(2, WORDS / 1024 * 4, NULL);
   bench_buffer(3, WORDS / 1024 * 4, NULL);
   scan_programs[0] = bench_program(block);
   scan_programs[1] = bench_program(
      "layout(local_size_x = 512) in;\n"
      "layout(std430, binding = 2) readonly buffer C { uint c[]; };\n"
      "layout(std430, binding = 3) writeonly buffer D { uint d[]; };\n"
      "shared uint s[2][1024];\n"
      "void main() {\n"
      "   uint l = gl_LocalInvocationID.x, k = 0u;\n"
      "   s[0][l] = c[l]; s[0][l + 512u] = c[l + 512u];\n"
      "   barrier();\n"
      "   for (uint n = 1u; n < 1024u; n *= 2u, k ^= 1u) {\n"
      "      for (uint i = l; i < 1024u; i += 512u)\n"
      "         s[k ^ 1u][i] = s[k][i] + (i >= n ? s[k][i - n] : 0u);\n"
      "      barrier();\n"
      "   }\n"
      "   d[l] = s[k][l]; d[l + 512u] = s[k][l + 512u];\n"
      "}\n");
   scan_programs[2] = bench_program(
      "layout(local_size_x = 512) in;\n"
      "layout(std430, binding = 1) buffer B { uint b[]; };\n"
      "layout(std430, binding = 3) readonly buffer D { uint d[]; };\n"
      "void main() {\n"
      "   uint i = (gl_WorkGroupID.x + 1u) * 1024u + gl_LocalInvocationID.x, sum = d[gl_WorkGroupID.x];\n"
      "   b[i] += sum; b[i + 512u] += sum;\n"
      "}\n");
}

static void
frame_scan(void)
{
   static const unsigned groups[3] = { WORDS / 1024, 1, WORDS / 1024 - 1 };

   for (unsigned i = 0; i < 3; i++) {
      glUseProgram(scan_programs[i]);
      glDispatchCompute(groups[i], 1, 1);
      glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
   }
}

static bool
check_scan(void)
{
   uint32_t *found = bench_alloc(WORDS * 4), sum = 0;
   unsigned bad = 0;

   frame_scan();
   bench_read(scan_result, WORDS * 4, found);
   for (unsigned i = 0; i < WORDS; i++) {
      sum += words[i];
      bad += found[i] != sum;
   }
   free(found);
   return !bad;
}

const struct bench bench_scan = {
   .name = "scan",
   .text = "prefix sums of 2^20 words, in three passes",
   .prepare = prepare_scan,
   .frame = frame_scan,
   .check = check_scan,
};

#define MATRIX 256

static float *matrix_a, *matrix_b;
static GLuint matrix_program, matrix_result;

static void
prepare_matrix(void)
{
   const size_t size = MATRIX * MATRIX * sizeof(float);

   matrix_a = bench_alloc(size);
   matrix_b = bench_alloc(size);
   /* Use small integers, so that a float represents all sums exactly in any order of addition. */
   for (unsigned i = 0; i < MATRIX * MATRIX; i++) {
      matrix_a[i] = (float)(bench_random() % 64) - 32.0f;
      matrix_b[i] = (float)(bench_random() % 64) - 32.0f;
   }
   bench_buffer(0, size, matrix_a);
   bench_buffer(1, size, matrix_b);
   matrix_result = bench_buffer(2, size, NULL);
   matrix_program = bench_program(
      "layout(local_size_x = 16, local_size_y = 16) in;\n"
      "layout(std430, binding = 0) readonly buffer A { float a[]; };\n"
      "layout(std430, binding = 1) readonly buffer B { float b[]; };\n"
      "layout(std430, binding = 2) writeonly buffer C { float c[]; };\n"
      "shared float sa[16][16], sb[16][16];\n"
      "void main() {\n"
      "   uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;\n"
      "   float sum = 0.0;\n"
      "   for (uint k = 0u; k < 256u; k += 16u) {\n"
      "      sa[l.y][l.x] = a[g.y * 256u + k + l.x];\n"
      "      sb[l.y][l.x] = b[(k + l.y) * 256u + g.x];\n"
      "      barrier();\n"
      "      for (uint i = 0u; i < 16u; i++) sum += sa[l.y][i] * sb[i][l.x];\n"
      "      barrier();\n"
      "   }\n"
      "   c[g.y * 256u + g.x] = sum;\n"
      "}\n");
}

static void
frame_matrix(void)
{
   glUseProgram(matrix_program);
   glDispatchCompute(MATRIX / 16, MATRIX / 16, 1);
   glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static bool
check_matrix(void)
{
   float *found = bench_alloc(MATRIX * MATRIX * sizeof(float));
   unsigned bad = 0;

   frame_matrix();
   bench_read(matrix_result, MATRIX * MATRIX * sizeof(float), found);
   for (unsigned y = 0; y < MATRIX; y++) {
      for (unsigned x = 0; x < MATRIX; x++) {
         float sum = 0.0f;
         for (unsigned k = 0; k < MATRIX; k++)
            sum += matrix_a[y * MATRIX + k] * matrix_b[k * MATRIX + x];
         bad += found[y * MATRIX + x] != sum;
      }
   }
   free(found);
   return !bad;
}

const struct bench bench_matrix = {
   .name = "matrix",
   .text = "a product of matrices of 256x256 floats, by tiles in shared memory",
   .prepare = prepare_matrix,
   .frame = frame_matrix,
   .check = check_matrix,
};
