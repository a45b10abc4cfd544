/* SPDX-License-Identifier: MIT */
/*
 * Tests doubles, and vectors, matrices and arrays of doubles, in uniforms, blocks, vertex
 * attributes, outputs between stages, and transform feedback.
 */
#include <stddef.h>

#include "core.h"

static void
expect(const char *what, unsigned n, const double *found, const double *expected)
{
   for (unsigned i = 0; i < n; i++)
      CHECK(found[i] == expected[i], "%s: %u is %a, not %a", what, i, found[i], expected[i]);
}

static void
numbers(unsigned n, double *x)
{
   for (unsigned i = 0; i < n; i++)
      x[i] = (double)(int32_t)core_random() / 3.0;
}

/* Tests 64-bit attributes, which take one or two locations, from an array with a stride. */
static void
test_attributes(void)
{
   enum { N = 5 };
   const GLuint program =
      PROGRAM(.vs = "layout(location = 0) in double a;\n"
                    "layout(location = 1) in dvec3 b;\n"
                    "layout(location = 2) in vec4 f;\n"
                    "layout(location = 3) in dmat2x4 m;\n"
                    "out dvec4 o0; out dvec2 o1; out dmat2x4 o2; out vec2 o3;\n"
                    "void main() { o0 = dvec4(b, a); o1 = b.zx + a; o2 = m; o3 = f.yx; }\n",
              .varyings = (const char *const[]){ "o0", "o1", "o2", "o3", NULL });
   struct vertex {
      double a, b[3], m[2][4];
      float f[4];
   } vertices[N];
   struct {
      double o0[4], o1[2], o2[8];
      float o3[2];
   } found[N];

   for (unsigned i = 0; i < N; i++) {
      numbers(12, &vertices[i].a);
      vertices[i].f[1] = (float)i;
   }
   const GLuint v = core_buffer(sizeof vertices, vertices),
                r = core_buffer(sizeof found + 64, NULL);
   glBindBuffer(GL_ARRAY_BUFFER, v);
   glVertexAttribLPointer(0, 1, GL_DOUBLE, sizeof vertices[0], (void *)offsetof(struct vertex, a));
   glVertexAttribLPointer(1, 3, GL_DOUBLE, sizeof vertices[0], (void *)offsetof(struct vertex, b));
   glVertexAttribPointer(2, 4, GL_FLOAT, GL_FALSE, sizeof vertices[0],
                         (void *)offsetof(struct vertex, f));
   glVertexAttribLPointer(3, 4, GL_DOUBLE, sizeof vertices[0],
                          (void *)offsetof(struct vertex, m[0]));
   glVertexAttribLPointer(4, 4, GL_DOUBLE, sizeof vertices[0],
                          (void *)offsetof(struct vertex, m[1]));
   for (unsigned i = 0; i < 5; i++)
      glEnableVertexAttribArray(i);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, r);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, N);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   core_read(r, sizeof found, found);
   for (unsigned i = 0; i < N; i++) {
      const struct vertex *e = &vertices[i];
      expect("o0", 4, found[i].o0, (const double[]){ e->b[0], e->b[1], e->b[2], e->a });
      expect("o1", 2, found[i].o1, (const double[]){ e->b[2] + e->a, e->b[0] + e->a });
      expect("o2", 8, found[i].o2, e->m[0]);
      CHECK(found[i].o3[0] == (float)i, "%u: %f", i, found[i].o3[0]);
   }
   /* Use current values instead of arrays. */
   glDisableVertexAttribArray(0);
   glDisableVertexAttribArray(1);
   glVertexAttribL1d(0, 1.0 / 3.0);
   glVertexAttribL3d(1, 0.1, 0.2, 0.3);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   core_read(r, sizeof found, found);
   expect("current", 4, found[0].o0, (const double[]){ 0.1, 0.2, 0.3, 1.0 / 3.0 });
   for (unsigned i = 0; i < 5; i++)
      glDisableVertexAttribArray(i);
   glDeleteBuffers(2, (const GLuint[]){ v, r });
   glDeleteProgram(program);
}

static void
test_uniforms(void)
{
   const GLuint program = PROGRAM(
         .cs =
            "layout(local_size_x = 1) in;\n"
            "layout(location = 0) uniform double d;\n"
            "layout(location = 1) uniform dvec3 v[3];\n"
            "layout(location = 4) uniform dmat2x3 m;\n"
            "layout(location = 5) uniform int i;\n"
            "layout(std140, binding = 1) uniform U { double u0; dvec3 u1[2]; dmat3 u2; float u3; double u4; };\n"
            "layout(std430, binding = 0) writeonly buffer R { double r[]; };\n"
            "int n = 0;\n"
            "void put(double x) { r[n++] = x; }\n"
            "void put(dvec3 x) { put(x.x); put(x.y); put(x.z); }\n"
            "void main() {\n"
            "   put(d); put(v[0]); put(v[i]); put(v[2]); put(m[0]); put(m[1]);\n"
            "   put(u0); put(u1[0]); put(u1[i]); put(u2[0]); put(u2[1]); put(u2[i + 1]);\n"
            "   put(double(u3)); put(u4); put(u2 * v[0]);\n"
            "}\n");
   double d[16], expected[34], found[34];
   struct {
      double u0, pad[3], u1[2][4], u2[3][4];
      float u3, pad2;
      double u4;
   } block;

   numbers(16, d);
   for (unsigned i = 1; i < 4; i++)
      d[i] = (double)(i + 1); /* the products are exact */
   memset(&block, 0, sizeof block);
   block.u0 = 17.25;
   numbers(8, block.u1[0]);
   for (unsigned i = 0; i < 12; i++)
      block.u2[i / 4][i % 4] = (double)(core_random() % 1000);
   block.u3 = 2.5f;
   block.u4 = -1.0 / 7.0;
   glUniform1d(0, d[0]);
   glUniform3dv(1, 3, d + 1);
   glUniformMatrix2x3dv(4, 1, GL_FALSE, d + 10);
   glUniform1i(5, 1);
   const GLuint u = core_buffer(sizeof block, &block), r = core_storage(0, sizeof found, NULL);
   glBindBufferBase(GL_UNIFORM_BUFFER, 1, u);
   glDispatchCompute(1, 1, 1);
   core_read(r, sizeof found, found);

   memcpy(expected, d, sizeof d);
   expected[16] = block.u0;
   memcpy(expected + 17, block.u1[0], 24);
   memcpy(expected + 20, block.u1[1], 24);
   for (unsigned i = 0; i < 3; i++)
      memcpy(expected + 23 + 3 * i, block.u2[i], 24);
   expected[32] = block.u3;
   expected[33] = block.u4;
   expect("uniforms", 34, found, expected);

   double product[3] = { 0.0 }, all[37];
   const GLuint r2 = core_storage(0, sizeof all, NULL);
   glDispatchCompute(1, 1, 1);
   core_read(r2, sizeof all, all);
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned k = 0; k < 3; k++)
         product[i] += block.u2[k][i] * d[1 + k];
   }
   expect("product", 3, all + 34, product);
   glDeleteBuffers(3, (const GLuint[]){ u, r, r2 });
   glDeleteProgram(program);
}

/* Passes vectors, arrays and structures through all stages.  The last vertex is the provoking one.
 */
static void
test_stages(bool geometry)
{
   const GLuint program = PROGRAM(
         .vs = text(
            "flat out dvec3 %s; flat out double %s[2]; flat out struct { float f; dvec4 d; } %s;\n"
            "void main() {\n"
            "   double i = double(gl_VertexID) + 0.1lf;\n"
            "   %s = dvec3(i, i * 2.0lf, i * 4.0lf); %s[0] = i - 1.0lf; %s[1] = i + 1.0lf;\n"
            "   %s.f = 0.5; %s.d = dvec4(i, 1.0lf, 2.0lf, -i);\n"
            "   gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n"
            "}\n",
            geometry ? "ga" : "a", geometry ? "gb" : "b", geometry ? "gs" : "s",
            geometry ? "ga" : "a", geometry ? "gb" : "b", geometry ? "gb" : "b",
            geometry ? "gs" : "s", geometry ? "gs" : "s"),
         .gs =
            geometry
               ? "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                 "flat in dvec3 ga[]; flat in double gb[][2]; flat in struct { float f; dvec4 d; } gs[];\n"
                 "flat out dvec3 a; flat out double b[2]; flat out struct { float f; dvec4 d; } s;\n"
                 "void main() {\n"
                 "   for (int i = 0; i < 3; i++) {\n"
                 "      a = ga[i]; b = gb[i]; s.f = gs[i].f; s.d = gs[i].d;\n"
                 "      gl_Position = gl_in[i].gl_Position; EmitVertex();\n"
                 "   }\n"
                 "}\n"
               : NULL,
         .fs =
            "flat in dvec3 a; flat in double b[2]; flat in struct { float f; dvec4 d; } s;\n"
            "layout(std430, binding = 0) buffer R { double r[10]; };\n"
            "void main() {\n"
            "   r[0] = a.x; r[1] = a.y; r[2] = a.z; r[3] = b[0]; r[4] = b[1]; r[5] = double(s.f);\n"
            "   r[6] = s.d.x; r[7] = s.d.y; r[8] = s.d.z; r[9] = s.d.w;\n"
            "}\n");
   const double i = 2.0 + 0.1;
   const double expected[10] = { i, i * 2, i * 4, i - 1, i + 1, 0.5, i, 1, 2, -i };
   double found[10];
   const GLuint r = core_storage(0, sizeof found, NULL);

   glDrawArrays(GL_TRIANGLES, 0, 3);
   core_read(r, sizeof found, found);
   expect(geometry ? "geometry" : "fragments", 10, found, expected);
   glDeleteBuffers(1, &r);
   glDeleteProgram(program);
}

/* Tests arrays in registers and in shared memory with an index that differs between invocations. */
static void
test_indices(void)
{
   const GLuint program = PROGRAM(
         .cs =
            "layout(local_size_x = 64) in;\n"
            "layout(std430, binding = 0) buffer R { dvec2 r[64]; };\n"
            "shared double s[64];\n"
            "void main() {\n"
            "   uint i = gl_LocalInvocationIndex;\n"
            "   dvec2 local[8];\n"
            "   for (uint k = 0u; k < 8u; k++) local[k] = dvec2(double(k) / 3.0lf, double(i * k));\n"
            "   s[i] = double(i) * 0.1lf;\n"
            "   barrier();\n"
            "   dvec2 x = local[(i * 5u) % 8u];\n"
            "   r[i] = dvec2(x[i & 1u], s[63u - i]);\n"
            "}\n");
   double found[64][2];
   const GLuint r = core_storage(0, sizeof found, NULL);

   glDispatchCompute(1, 1, 1);
   core_read(r, sizeof found, found);
   for (unsigned i = 0; i < 64; i++) {
      const unsigned k = (i * 5) % 8;
      expect("indices", 2, found[i],
             (const double[]){ i & 1 ? (double)(i * k) : (double)k / 3.0, (double)(63 - i) * 0.1 });
   }
   glDeleteBuffers(1, &r);
   glDeleteProgram(program);
}

int
main(void)
{
   GLuint texture;

   core_begin();
   core_target(GL_RGBA8, 4, 4, &texture);
   test_attributes();
   test_uniforms();
   test_stages(false);
   test_stages(true);
   test_indices();
   return core_end("doubles between stages");
}
