/* SPDX-License-Identifier: MIT */
/*
 * Tests double precision and 64-bit integers: 64-bit attributes, transform feedback, uniforms,
 * blocks, storage buffers, arrays, loops, and values between stages.  Sums, products, quotients,
 * roots and fma() must match IEEE 754 bit by bit.
 */
#include "core.h"

#include <math.h>

#define N 2000

static uint64_t
random64(void)
{
   return (uint64_t)core_random() << 32 | core_random();
}

/* Returns a double with random bits, a small integer, or a number near 1. */
static double
random_double(void)
{
   uint64_t u = random64();
   double d;

   switch (core_random() % 4) {
   case 0:
      break;
   case 1:
      return (double)((int64_t)(u % 2001) - 1000);
   case 2:
      return (double)(int64_t)u / 0x1p40;
   default:
      u = (u & 0x800fffffffffffff) | (uint64_t)(1000 + core_random() % 50) << 52;
      break;
   }
   memcpy(&d, &u, sizeof d);
   return d;
}

static bool
same(double a, double b)
{
   return !memcmp(&a, &b, sizeof a) || (a != a && b != b);
}

static double
clamped(double x)
{
   return x != x ? 0.0 : x < -1e9 ? -1e9 : x > 1e9 ? 1e9 : x;
}

/* Computes a loop that many lanes leave early, with the operations in the same order as in the
 * shader.
 */
static double
iterate(double x, double c, int n)
{
   double last[4] = { 0.0, 1.0, 2.0, 3.0 };
   for (int i = 0; i < n; i++) {
      const double s = x * x;
      const double h = s * 0.5;
      x = h + c;
      if (x > 4.0)
         break;
      last[i & 3] = x;
   }
   return last[n & 3] + x;
}

#define VS_ARITHMETIC                                                                           \
   "layout(location = 0) in dvec4 a;\n"                                                         \
   "layout(location = 2) in dvec3 b;\n"                                                         \
   "layout(location = 4) in double c;\n"                                                        \
   "uniform dmat2x3 m;\n"                                                                       \
   "uniform double u[5];\n"                                                                     \
   "out dvec4 r0, r1, r2, r3;\n"                                                                \
   "double limit(double x) { return isnan(x) ? 0.0LF : clamp(x, -1e9LF, 1e9LF); }\n"            \
   "double iterate(double x, double c, int n) {\n"                                              \
   "   double last[4] = double[](0.0LF, 1.0LF, 2.0LF, 3.0LF);\n"                                \
   "   for (int i = 0; i < n; i++) {\n"                                                         \
   "      precise double h = x * x * 0.5LF;\n"                                                  \
   "      x = h + c;\n"                                                                         \
   "      if (x > 4.0LF) break;\n"                                                              \
   "      last[i & 3] = x;\n"                                                                   \
   "   }\n"                                                                                     \
   "   return last[n & 3] + x;\n"                                                               \
   "}\n"                                                                                        \
   "void main() {\n"                                                                            \
   "   r0 = dvec4(a.x + b.x, a.y * b.y, a.z / b.z, sqrt(abs(a.w)));\n"                          \
   "   r1 = dvec4(fma(a.x, b.x, c), -abs(a.y), c > a.z ? u[gl_VertexID % 5] : b.x, a.w - c);\n" \
   "   r2 = dvec4(floor(c), ceil(a.x), trunc(a.y), roundEven(a.z));\n"                          \
   "   r3 = dvec4(double(int(limit(a.x))), double(float(limit(a.y))),\n"                        \
   "              iterate(fract(limit(c)), m[gl_VertexID & 1].z, gl_VertexID & 15),\n"          \
   "              packDouble2x32(unpackDouble2x32(a.w).yx));\n"                                 \
   "   gl_Position = vec4(0.0);\n"                                                              \
   "}\n"

static void
test_arithmetic(void)
{
   static const char *const varyings[] = { "r0", "r1", "r2", "r3", NULL };
   static double in[N][8], out[N][16];
   const double m[6] = { 0.25, 0.5, -0.75, 1.0, 3.0, 0.125 };
   const double u[5] = { 1.5, -2.0, 0x1.fffffffffffffp1023, 0x1p-1074, 0.1 };

   for (unsigned i = 0; i < N; i++) {
      for (unsigned k = 0; k < 8; k++)
         in[i][k] = random_double();
      if (i % 3 == 0)
         in[i][7] = -(in[i][0] * in[i][4]);
   }
   if (!PROGRAM(.vs = VS_ARITHMETIC, .varyings = varyings))
      return;
   GLint program;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   glUniformMatrix2x3dv(glGetUniformLocation(program, "m"), 1, GL_FALSE, m);
   glUniform1dv(glGetUniformLocation(program, "u"), 5, u);
   const GLuint from = core_buffer(sizeof in, in), to = core_buffer(sizeof out, NULL);
   glBindBuffer(GL_ARRAY_BUFFER, from);
   glVertexAttribLPointer(0, 4, GL_DOUBLE, sizeof in[0], (void *)0);
   glVertexAttribLPointer(2, 3, GL_DOUBLE, sizeof in[0], (void *)32);
   glVertexAttribLPointer(4, 1, GL_DOUBLE, sizeof in[0], (void *)56);
   for (unsigned i = 0; i < 3; i++)
      glEnableVertexAttribArray(2 * i);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, to);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, N);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   for (unsigned i = 0; i < 3; i++)
      glDisableVertexAttribArray(2 * i);
   core_read(to, sizeof out, out);

   for (unsigned i = 0; i < N; i++) {
      const double *a = in[i], *b = in[i] + 4, c = in[i][7];
      const double x = clamped(c);
      double swapped;
      uint64_t w;
      memcpy(&w, &a[3], sizeof w);
      w = w << 32 | w >> 32;
      memcpy(&swapped, &w, sizeof w);
      const double y = clamped(a[1]);
      float f = (float)y;
      if (fabsf(f) < 0x1p-126f)
         f = copysignf(0.0f, f);
      const double expected[16] = {
         a[0] + b[0],
         a[1] * b[1],
         a[2] / b[2],
         sqrt(fabs(a[3])),
         fma(a[0], b[0], c),
         -fabs(a[1]),
         c > a[2] ? u[i % 5] : b[0],
         a[3] - c,
         floor(c),
         ceil(a[0]),
         trunc(a[1]),
         rint(a[2]),
         trunc(clamped(a[0])),
         f,
         iterate(x - floor(x), m[3 * (i & 1) + 2], i & 15),
         swapped,
      };
      for (unsigned k = 0; k < 16; k++)
         /* Conversions to float and back need not keep the sign of 0, and the float may be
          * subnormal.
          */
         CHECK(same(out[i][k], expected[k]) || (k == 12 && out[i][k] == expected[k]) ||
                  (k == 13 && out[i][k] == (double)(float)y),
               "vertex %u: r%u.%c is %a, not %a (%a %a %a %a, %a %a %a, %a)", i, k / 4,
               "xyzw"[k % 4], out[i][k], expected[k], a[0], a[1], a[2], a[3], b[0], b[1], b[2], c);
   }
}

#define CS_INTEGERS                                                             \
   "layout(local_size_x = 50) in;\n"                                            \
   "layout(std430, binding = 0) buffer A { int64_t a[][2]; };\n"                \
   "layout(std430, binding = 1) buffer R { int64_t r[][16]; };\n"               \
   "layout(std430, binding = 2) buffer D { double d[][2]; };\n"                 \
   "void main() {\n"                                                            \
   "   uint i = gl_GlobalInvocationID.x;\n"                                     \
   "   int64_t x = a[i][0], y = a[i][1];\n"                                     \
   "   uint64_t p = uint64_t(x), q = uint64_t(y);\n"                            \
   "   int s = int(y) & 63;\n"                                                  \
   "   r[i][0] = x + y; r[i][1] = x - y; r[i][2] = x * y; r[i][3] = x / y;\n"   \
   "   r[i][4] = int64_t(p / q); r[i][5] = int64_t(p % q); r[i][6] = x << s;\n" \
   "   r[i][7] = x >> s; r[i][8] = int64_t(p >> s); r[i][9] = min(x, y);\n"     \
   "   r[i][10] = int64_t(max(p, q)); r[i][11] = abs(x) + int64_t(sign(y));\n"  \
   "   r[i][12] = (x < y ? 1 : 0) + (p < q ? 2 : 0) + (x == y ? 4 : 0);\n"      \
   "   r[i][13] = ~x ^ (y | p32(x)); r[i][14] = int64_t(d[i][0]);\n"            \
   "   r[i][15] = int64_t(packUint2x32(uvec2(floatBitsToUint(float(p)),\n"      \
   "                                         floatBitsToUint(float(x)))));\n"   \
   "   d[i][0] = double(x); d[i][1] = double(p);\n"                             \
   "}\n"

static void
test_integers(void)
{
   static int64_t in[N][2], out[N][16];
   static double d[N][2], converted[N][2];

   if (!core_extension("GL_ARB_gpu_shader_int64"))
      return;
   for (unsigned i = 0; i < N; i++) {
      for (unsigned k = 0; k < 2; k++) {
         in[i][k] = (int64_t)(random64() >> (core_random() % 64));
         if (core_random() & 1)
            in[i][k] = -in[i][k];
         d[i][k] = (double)(int64_t)random64() / 3.0;
      }
      if (in[i][1] == 0 || (in[i][1] == -1 && in[i][0] == INT64_MIN))
         in[i][1] = 7;
   }
   const GLuint a = core_storage(0, sizeof in, in), r = core_storage(1, sizeof out, NULL);
   const GLuint doubles = core_storage(2, sizeof d, d);
   (void)a;
   /* The low word is extracted as a 64-bit integer. */
   if (
      !PROGRAM(
            .cs =
               "#extension GL_ARB_gpu_shader_int64 : require\n"
               "int64_t p32(int64_t x) { return int64_t(unpackUint2x32(uint64_t(x)).x); }\n" CS_INTEGERS))
      return;
   glDispatchCompute(N / 50, 1, 1);
   core_read(r, sizeof out, out);
   core_read(doubles, sizeof converted, converted);

   for (unsigned i = 0; i < N; i++) {
      const int64_t x = in[i][0], y = in[i][1];
      const uint64_t p = (uint64_t)x, q = (uint64_t)y;
      const unsigned s = (unsigned)y & 63;
      const float fx = (float)x, fp = (float)p;
      uint32_t bx, bp;
      memcpy(&bx, &fx, 4);
      memcpy(&bp, &fp, 4);
      const uint64_t expected[16] = {
         p + q,
         p - q,
         p * q,
         (uint64_t)(x / y),
         p / q,
         p % q,
         p << s,
         (uint64_t)(x >> s),
         p >> s,
         (uint64_t)(x < y ? x : y),
         p > q ? p : q,
         (x < 0 ? 0 - p : p) + (uint64_t)((y > 0) - (y < 0)),
         (x < y ? 1 : 0) + (p < q ? 2 : 0) + (x == y ? 4 : 0),
         ~p ^ (q | (uint32_t)p),
         (uint64_t)(int64_t)d[i][0],
         (uint64_t)bx << 32 | bp,
      };
      for (unsigned k = 0; k < 16; k++)
         CHECK((uint64_t)out[i][k] == expected[k], "%u: r[%u] is %llx, not %llx (%llx, %llx)", i, k,
               (unsigned long long)out[i][k], (unsigned long long)expected[k],
               (unsigned long long)x, (unsigned long long)y);
      CHECK(converted[i][0] == (double)x && converted[i][1] == (double)p, "%u: %a %a of %llx", i,
            converted[i][0], converted[i][1], (unsigned long long)x);
   }
}

/* Tests doubles that pass through a geometry shader to fragments, with blocks in both layouts. */
static void
test_stages(void)
{
   const double block[24] = { 0.1, 0.2, 0.3, 0, 0.4, 0.5, 0.6, 0, 0.7, 0.8, 0.9, 0, 1.25, 2.5 };
   const double v[3] = { 1.0 / 3.0, -7.0, 0x1p-1000 };
   GLuint texture;

   if (!PROGRAM(.vs = "flat out dvec3 v;\n"
                      "layout(std140, binding = 0) uniform U { dmat3 m; dvec2 w; };\n" FILL_VS,
                .fs = "out vec4 color;\n"
                      "void main() { color = vec4(1.0); }\n"))
      return;
   const GLuint program =
      PROGRAM(.vs = "flat out dvec3 v;\n"
                    "flat out dmat2 n;\n"
                    "uniform dvec3 x;\n"
                    "void main() {\n"
                    "   v = x;\n"
                    "   n = dmat2(x.x, x.y, x.z, x.x * x.y);\n"
                    "   gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0,\n"
                    "                      gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n"
                    "}\n",
              .gs = "layout(triangles) in;\n"
                    "layout(triangle_strip, max_vertices = 3) out;\n"
                    "flat in dvec3 v[];\n"
                    "flat in dmat2 n[];\n"
                    "flat out dvec3 g;\n"
                    "flat out dvec4 h;\n"
                    "void main() {\n"
                    "   for (int i = 0; i < 3; i++) {\n"
                    "      g = v[i] * 2.0LF;\n"
                    "      h = dvec4(n[i][0], n[i][1]);\n"
                    "      gl_Position = gl_in[i].gl_Position;\n"
                    "      EmitVertex();\n"
                    "   }\n"
                    "}\n",
              .fs = "flat in dvec3 g;\n"
                    "flat in dvec4 h;\n"
                    "layout(std140, binding = 0) uniform U { dmat3 m; dvec2 w; };\n"
                    "layout(std430, binding = 0) buffer S { dvec3 s; double t[9]; };\n"
                    "out vec4 color;\n"
                    "void main() {\n"
                    "   int i = int(gl_FragCoord.x);\n"
                    "   if (i == 0) {\n"
                    "      s = g;\n"
                    "      t[0] = h.x; t[1] = h.y; t[2] = h.z; t[3] = h.w;\n"
                    "      t[4] = m[2].y; t[5] = w.y; t[6] = m[int(gl_FragCoord.y)][1];\n"
                    "      dvec3 p = m * dvec3(1.0LF, 0.0LF, 0.0LF);\n"
                    "      t[7] = p.z; t[8] = length(dvec2(3.0LF, 4.0LF) * w.x);\n"
                    "   }\n"
                    "   color = vec4(1.0);\n"
                    "}\n");
   if (!program)
      return;
   double out[13] = { 0 };
   const GLuint to = core_storage(0, sizeof out, NULL);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, core_buffer(sizeof block, block));
   glUniform3dv(glGetUniformLocation(program, "x"), 1, v);
   core_target(GL_RGBA8, 4, 1, &texture);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   core_read(to, sizeof out, out);
   const double expected[12] = { v[0] * 2,    v[1] * 2, v[2] * 2, v[0], v[1], v[2],
                                 v[0] * v[1], 0.8,      2.5,      0.2,  0.3,  6.25 };
   for (unsigned i = 0; i < 12; i++)
      CHECK(same(out[i], expected[i]), "value %u is %a, not %a", i, out[i], expected[i]);
}

int
main(void)
{
   GLuint texture;

   core_begin();
   core_target(GL_RGBA8, 4, 4, &texture);
   test_arithmetic();
   test_integers();
   test_stages();
   return core_end("wide");
}
