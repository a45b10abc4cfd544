/* SPDX-License-Identifier: MIT */
/*
 * Tests GL_FEEDBACK, GL_SELECT and glRasterPos with shaders: indices outside of arrays, blocks
 * without buffers, and the values that all stages write.  The coordinates are chosen so that
 * results are exact.
 */
#include "core.h"

#define SIZE 64

static float out[4096];

static GLuint
link_stages(const struct core_stages *stages)
{
   struct core_stages s = *stages;

   s.version = "450 compatibility";
   if (!s.fs)
      s.fs = "void main() { gl_FragColor = gl_Color + gl_TexCoord[0]; }\n";
   return core_program(&s);
}

static GLuint
vertex_program(const char *vs)
{
   return link_stages(&(struct core_stages){ .vs = vs });
}

static void
feed(GLenum type)
{
   memset(out, 0, sizeof out);
   glFeedbackBuffer(sizeof out / sizeof out[0], type, out);
   glRenderMode(GL_FEEDBACK);
}

/* Ends feedback mode, and checks the return value of glRenderMode and the values in the buffer. */
static void
expect(const char *what, unsigned count, const float *values)
{
   const GLint got = glRenderMode(GL_RENDER);

   CHECK(got == (GLint)count, "%s: %d values, expected %u", what, got, count);
   for (unsigned i = 0; i < count && got == (GLint)count; i++)
      CHECK(out[i] == values[i], "%s: value %u is %g, expected %g", what, i, out[i], values[i]);
}

#define EXPECT(what, ...)                                        \
   do {                                                          \
      const float values_[] = { __VA_ARGS__ };                   \
      expect(what, sizeof values_ / sizeof values_[0], values_); \
   } while (0)

static void
vertex(float x, float y)
{
   glVertex2f(x, y);
}

static GLint
select_point(void)
{
   GLuint hits[16];

   glSelectBuffer(16, hits);
   glRenderMode(GL_SELECT);
   glInitNames();
   glPushName(1);
   glBegin(GL_POINTS);
   vertex(0.5f, 0.25f);
   glEnd();
   return glRenderMode(GL_RENDER);
}

/* Tests indices out of range.  Results may be anything, but nothing outside may be accessed:
 * neither pages whose access would end the process, nor data nearby.
 */
static void
outside(void)
{
   static const char *const sources[] = {
      /* an array in the invocation, a block, an output */
      "uniform int k, w;\n"
      "void main() {\n"
      "   vec4 a[16];\n"
      "   for (int i = 0; i < 16; i++)\n"
      "      a[i] = gl_Vertex * float(i);\n"
      "   if (w == 1)\n"
      "      a[k] = vec4(1234.5, 1.0, 2.0, 3.0);\n"
      "   gl_Position = vec4(0, 0, 0, 1);\n"
      "   gl_FrontColor = a[k];\n"
      "   gl_TexCoord[0] = a[k + int(gl_Vertex.z)] + a[w + 2];\n"
      "}\n",
      "uniform int k, w;\n"
      "layout(std140) uniform B { vec4 b[16]; };\n"
      "void main() { gl_Position = vec4(0, 0, 0, 1); gl_FrontColor = b[k + w]; }\n",
      "uniform int k, w;\n"
      "out vec4 gl_TexCoord[4];\n"
      "void main() {\n"
      "   gl_Position = vec4(0, 0, 0, 1);\n"
      "   for (int i = 0; i < 4; i++)\n"
      "      gl_TexCoord[i] = vec4(i);\n"
      "   gl_TexCoord[k & (w == 1 ? 3 : -1)] = vec4(0.5);\n"
      "   gl_FrontColor = vec4(1);\n"
      "}\n",
   };
   static const GLint indices[] = { 16, -1, 5000, 0x4000000, -0x4000000, 0x7fffffff };

   for (unsigned s = 0; s < 3; s++) {
      const GLuint program = vertex_program(sources[s]);

      for (unsigned i = 0; i < 2 * sizeof indices / sizeof indices[0]; i++) {
         GLboolean valid;

         glUniform1i(glGetUniformLocation(program, "k"), indices[i / 2]);
         glUniform1i(glGetUniformLocation(program, "w"), i % 2);
         feed(GL_4D_COLOR_TEXTURE);
         glBegin(GL_POINTS);
         vertex(0.5f, 0.25f);
         glEnd();
         const GLint values = glRenderMode(GL_RENDER);
         CHECK(values == 13, "index %d: %d values", indices[i / 2], values);
         const GLint hits = select_point();
         CHECK(hits == 1, "index %d: %d hits", indices[i / 2], hits);
         glRasterPos2f(0.5f, 0.25f);
         glGetBooleanv(GL_CURRENT_RASTER_POSITION_VALID, &valid);
         CHECK(valid, "index %d: no raster position", indices[i / 2]);
      }
   }
}

/* Tests that blocks without buffers read as zero, as with robust access. */
static void
without_buffers(void)
{
   static const char source[] = "layout(std140, binding = 3) uniform B { vec4 b[4]; };\n"
                                "layout(std430, binding = 5) buffer S { vec4 s[4]; };\n"
                                "void main() {\n"
                                "   s[1] = vec4(7);\n"
                                "   gl_Position = gl_Vertex;\n"
                                "   gl_FrontColor = b[2] + s[2];\n"
                                "}\n";

   vertex_program(source);
   feed(GL_3D_COLOR);
   glBegin(GL_POINTS);
   vertex(0, 0);
   glEnd();
   EXPECT("blocks without buffers", GL_POINT_TOKEN, 32, 32, 0.5f, 0, 0, 0, 0);
   const GLint hits = select_point();
   CHECK(hits == 1, "%d hits", hits);
   glRasterPos2f(0, 0);
   GLfloat color[4];
   glGetFloatv(GL_CURRENT_RASTER_COLOR, color);
   CHECK(color[0] == 0.0f && color[3] == 0.0f, "%g, %g", color[0], color[3]);
}

static void
indexed_values(void)
{
   static const char source[] =
      "uniform vec4 u[4];\n"
      "layout(std140, binding = 0) uniform B { vec4 b[4]; };\n"
      "void main() {\n"
      "   vec4 a[4];\n"
      "   for (int i = 0; i < 4; i++)\n"
      "      a[(i + gl_VertexID) & 3] = vec4(i) / 8.0;\n"
      "   gl_Position = gl_Vertex;\n"
      "   gl_FrontColor = vec4(a[0].x, u[gl_VertexID].y, b[3 - gl_VertexID].z, 1);\n"
      "   gl_TexCoord[0] = vec4(gl_InstanceID, gl_VertexID, gl_DrawIDARB, gl_BaseInstanceARB);\n"
      "}\n";
   const GLuint program = link_stages(&(struct core_stages){
      .head = "#extension GL_ARB_shader_draw_parameters : require\n",
      .vs = source,
   });
   float data[16];
   GLuint name;

   for (unsigned i = 0; i < 16; i++)
      data[i] = i / 16.0f;
   glUniform4fv(glGetUniformLocation(program, "u"), 4, data);
   glGenBuffers(1, &name);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, name);
   glBufferData(GL_UNIFORM_BUFFER, sizeof data, data, GL_STATIC_DRAW);

   static const float position[] = { 0, 0, 0.5f, 0, -0.5f, 0.5f, 0, 0.25f };
   glVertexPointer(2, GL_FLOAT, 0, position);
   glEnableClientState(GL_VERTEX_ARRAY);

   feed(GL_3D_COLOR_TEXTURE);
   glDrawArraysInstancedBaseInstance(GL_POINTS, 1, 1, 2, 5);
   EXPECT("instances", GL_POINT_TOKEN, 48, 32, 0.5f, 0.375f, 5 / 16.0f, 10 / 16.0f, 1, 0, 1, 0, 5,
          GL_POINT_TOKEN, 48, 32, 0.5f, 0.375f, 5 / 16.0f, 10 / 16.0f, 1, 1, 1, 0, 5);

   /* gl_VertexID is the index, even if a draw uses only a few vertices of an array. */
   static const GLushort index[] = { 3, 0xffff, 0, 2 };
   feed(GL_3D_COLOR_TEXTURE);
   glDrawElements(GL_POINTS, 1, GL_UNSIGNED_SHORT, index);
   EXPECT("one index", GL_POINT_TOKEN, 32, 40, 0.5f, 0.125f, 13 / 16.0f, 2 / 16.0f, 1, 0, 3, 0, 0);

   glEnable(GL_PRIMITIVE_RESTART);
   glPrimitiveRestartIndex(0xffff);
   feed(GL_2D);
   glDrawElements(GL_LINE_STRIP, 4, GL_UNSIGNED_SHORT, index);
   EXPECT("restart", GL_LINE_RESET_TOKEN, 32, 32, 16, 48);
   glDisable(GL_PRIMITIVE_RESTART);

   static const GLint first[] = { 0, 2 };
   static const GLsizei count[] = { 1, 1 };
   feed(GL_3D_COLOR_TEXTURE);
   glMultiDrawArrays(GL_POINTS, first, count, 2);
   EXPECT("draws", GL_POINT_TOKEN, 32, 32, 0.5f, 0, 1 / 16.0f, 14 / 16.0f, 1, 0, 0, 0, 0,
          GL_POINT_TOKEN, 16, 48, 0.5f, 0.25f, 9 / 16.0f, 6 / 16.0f, 1, 0, 2, 1, 0);
   glDisableClientState(GL_VERTEX_ARRAY);
   glDeleteBuffers(1, &name);
}

static GLuint
counter(void)
{
   static const GLuint zero;
   GLuint name;

   glGenBuffers(1, &name);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, name);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof zero, &zero, GL_DYNAMIC_COPY);
   return name;
}

static void
expect_count(const char *what, GLuint name, GLuint count)
{
   GLuint got;

   glGetNamedBufferSubData(name, 0, sizeof got, &got);
   CHECK(got == count, "%s: %u invocations, expected %u", what, got, count);
   glDeleteBuffers(1, &name);
}

static const char count_vs[] = "layout(std430, binding = 0) buffer S { uint n; };\n"
                               "void main() { atomicAdd(n, 1u); gl_Position = gl_Vertex; }\n";

/* Tests that the side effects of each invocation happen exactly once. */
static void
effects(void)
{
   vertex_program(count_vs);
   GLuint name = counter();
   feed(GL_2D);
   glBegin(GL_TRIANGLE_FAN);
   vertex(0, 0);
   vertex(0.5f, 0);
   vertex(0.5f, 0.5f);
   vertex(0, 0.5f);
   glEnd();
   EXPECT("fan", GL_POLYGON_TOKEN, 3, 32, 32, 48, 32, 48, 48, GL_POLYGON_TOKEN, 3, 32, 32, 48, 48,
          32, 48);
   expect_count("feedback", name, 4);
   name = counter();
   select_point();
   expect_count("selection", name, 1);
   name = counter();
   glRasterPos2f(0, 0);
   expect_count("raster position", name, 1);
}

/* Tests more primitives than fit in the memory of the first attempt. */
static void
many_primitives(void)
{
   static const char tes[] = "layout(quads, equal_spacing, point_mode) in;\n"
                             "layout(std430, binding = 0) buffer S { uint n; };\n"
                             "void main() {\n"
                             "   COUNT;\n"
                             "   gl_Position = vec4(gl_TessCoord.xy - 0.5, 0, 1);\n"
                             "}\n";

   for (unsigned count = 0; count < 2; count++) {
      link_stages(&(struct core_stages){
         .vs = "void main() { gl_Position = gl_Vertex; }\n",
         .head = count ? "#define COUNT atomicAdd(n, 1u)\n" : "#define COUNT\n",
         .tes = tes,
      });
      const GLfloat levels[4] = { 63, 63, 63, 63 };
      const GLuint name = counter();
      GLuint hits[16] = { 0 };

      glPatchParameteri(GL_PATCH_VERTICES, 1);
      glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
      glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels);
      static const float positions[8][2];
      glVertexPointer(2, GL_FLOAT, 0, positions);
      glEnableClientState(GL_VERTEX_ARRAY);
      glFeedbackBuffer(1, GL_2D, out);
      glRenderMode(GL_FEEDBACK);
      glDrawArrays(GL_PATCHES, 0, 8);
      GLint values = glRenderMode(GL_RENDER);
      CHECK(values == -1, "overflow gives %d", values);

      float *all = calloc(8 * 64 * 64, 3 * sizeof *all);
      glFeedbackBuffer(8 * 64 * 64 * 3, GL_2D, all);
      glRenderMode(GL_FEEDBACK);
      glDrawArrays(GL_PATCHES, 0, 8);
      values = glRenderMode(GL_RENDER);
      CHECK(values == 8 * 64 * 64 * 3, "%d values", values);
      CHECK(all[0] == GL_POINT_TOKEN && all[3 * (8 * 64 * 64 - 1)] == GL_POINT_TOKEN, "tokens");
      free(all);
      if (count)
         expect_count("tessellation", name, 2 * 8 * 64 * 64);

      glSelectBuffer(16, hits);
      glRenderMode(GL_SELECT);
      glInitNames();
      glPushName(9);
      glDrawArrays(GL_PATCHES, 0, 1);
      values = glRenderMode(GL_RENDER);
      CHECK(values == 1 && hits[3] == 9, "%d hits, name %u", values, hits[3]);
      glDisableClientState(GL_VERTEX_ARRAY);
   }
}

static void
stages(void)
{
   static const char gs[] =
      "layout(points) in;\n"
      "layout(triangle_strip, max_vertices = 4) out;\n"
      "uniform int viewport;\n"
      "void main() {\n"
      "   for (int i = 0; i < 4; i++) {\n"
      "      gl_Position = gl_in[0].gl_Position + vec4(i & 1, i >> 1, 0, 0);\n"
      "      gl_FrontColor = vec4(i) / 4.0;\n"
      "      gl_ViewportIndex = viewport;\n"
      "      EmitVertex();\n"
      "   }\n"
      "}\n";
   const GLuint program = link_stages(&(struct core_stages){
      .vs = "void main() { gl_Position = gl_Vertex; gl_FrontColor = vec4(0.5); }\n",
      .gs = gs,
   });

   feed(GL_2D);
   glBegin(GL_POINTS);
   vertex(-0.5f, -0.5f);
   glEnd();
   EXPECT("strip", GL_POLYGON_TOKEN, 3, 16, 16, 48, 16, 16, 48, GL_POLYGON_TOKEN, 3, 16, 48, 48, 16,
          48, 48);

   glShadeModel(GL_FLAT);
   feed(GL_3D_COLOR);
   glBegin(GL_POINTS);
   vertex(-0.5f, -0.5f);
   glEnd();
   GLint values = glRenderMode(GL_RENDER);
   CHECK(values == 46 && out[5] == 0.5f && out[12] == 0.5f && out[28] == 0.75f, "%d: %g %g %g",
         values, out[5], out[12], out[28]);
   glShadeModel(GL_SMOOTH);

   glViewportIndexedf(1, 0, 0, 32, 32);
   glUniform1i(glGetUniformLocation(program, "viewport"), 1);
   feed(GL_2D);
   glBegin(GL_POINTS);
   vertex(-0.5f, -0.5f);
   glEnd();
   EXPECT("viewport", GL_POLYGON_TOKEN, 3, 8, 8, 24, 8, 8, 24, GL_POLYGON_TOKEN, 3, 8, 24, 24, 8,
          24, 24);
   glViewport(0, 0, SIZE, SIZE);

   /* Only the vertex shader determines the raster position. */
   GLfloat position[4];
   glRasterPos2f(0.5f, 0);
   glGetFloatv(GL_CURRENT_RASTER_POSITION, position);
   CHECK(position[0] == 48 && position[1] == 32, "at %g, %g", position[0], position[1]);

   link_stages(&(struct core_stages){
      .vs = "void main() { gl_Position = gl_Vertex; }\n",
      .tes = "layout(isolines, equal_spacing) in;\n"
             "void main() { gl_Position = vec4(gl_TessCoord.x - 0.5, 0, 0, 1); }\n",
   });
   const GLfloat levels[4] = { 1, 2, 1, 1 };
   glPatchParameteri(GL_PATCH_VERTICES, 1);
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
   feed(GL_2D);
   glBegin(GL_PATCHES);
   vertex(0, 0);
   glEnd();
   EXPECT("isoline", GL_LINE_RESET_TOKEN, 16, 32, 32, 32, GL_LINE_RESET_TOKEN, 32, 32, 48, 32);
}

static void
distances(void)
{
   static const char source[] = "out float gl_ClipDistance[2];\n"
                                "out float gl_CullDistance[1];\n"
                                "void main() {\n"
                                "   gl_Position = gl_Vertex;\n"
                                "   gl_ClipDistance[0] = gl_Vertex.x;\n"
                                "   gl_ClipDistance[1] = gl_Vertex.y;\n"
                                "   gl_CullDistance[0] = 0.75 - gl_Vertex.x;\n"
                                "}\n";

   vertex_program(source);
   for (unsigned plane = 0; plane < 3; plane++) {
      if (plane)
         glEnable(GL_CLIP_DISTANCE0 + plane - 1);
      feed(GL_2D);
      glBegin(GL_LINES);
      vertex(-0.5f, -0.5f);
      vertex(0.5f, 0.5f);
      vertex(0.875f, 0);
      vertex(0.875f, 0.5f);
      glEnd();
      if (plane)
         EXPECT("distance", GL_LINE_RESET_TOKEN, 32, 32, 48, 48);
      else
         EXPECT("no plane", GL_LINE_RESET_TOKEN, 16, 16, 48, 48);
      if (plane)
         glDisable(GL_CLIP_DISTANCE0 + plane - 1);
   }

   /* The shader does not write the first clip distances. */
   vertex_program("out float gl_ClipDistance[6];\n"
                  "void main() { gl_Position = gl_Vertex; gl_ClipDistance[5] = gl_Vertex.x; }\n");
   glEnable(GL_CLIP_DISTANCE5);
   feed(GL_2D);
   glBegin(GL_LINES);
   vertex(-0.5f, 0);
   vertex(0.5f, 0);
   glEnd();
   EXPECT("distance 5", GL_LINE_RESET_TOKEN, 32, 32, 48, 32);
   glDisable(GL_CLIP_DISTANCE5);

   const GLdouble left[4] = { -1, 0, 0, 0.25 };
   vertex_program("void main() {\n"
                  "   gl_Position = gl_Vertex;\n"
                  "   gl_ClipVertex = gl_Vertex * vec4(0.5, 1, 1, 1);\n"
                  "}\n");
   glClipPlane(GL_CLIP_PLANE0, left);
   glEnable(GL_CLIP_PLANE0);
   feed(GL_2D);
   glBegin(GL_LINES);
   vertex(0, 0);
   glVertex2f(1, 0);
   glEnd();
   EXPECT("clip vertex", GL_LINE_RESET_TOKEN, 32, 32, 48, 32);
   glDisable(GL_CLIP_PLANE0);
}

static void
facing(void)
{
   vertex_program("void main() {\n"
                  "   gl_Position = gl_Vertex;\n"
                  "   gl_FrontColor = vec4(1, 0, 0, 1);\n"
                  "   gl_BackColor = vec4(0, gl_Vertex.x, 1, 1);\n"
                  "}\n");
   glEnable(GL_VERTEX_PROGRAM_TWO_SIDE);
   glShadeModel(GL_FLAT);
   for (unsigned first = 0; first < 2; first++) {
      glProvokingVertex(first ? GL_FIRST_VERTEX_CONVENTION : GL_LAST_VERTEX_CONVENTION);
      const float y = first ? 0 : 0.5f;

      feed(GL_3D_COLOR);
      glBegin(GL_TRIANGLES);
      vertex(0, 0);
      vertex(0, 0.5f);
      vertex(0.5f, 0);
      vertex(0, 0);
      vertex(0.5f, 0);
      vertex(0, 0.5f);
      glEnd();
      EXPECT("two sides", GL_POLYGON_TOKEN, 3, 32, 32, 0.5f, 0, y, 1, 1, 32, 48, 0.5f, 0, y, 1, 1,
             48, 32, 0.5f, 0, y, 1, 1, GL_POLYGON_TOKEN, 3, 32, 32, 0.5f, 1, 0, 0, 1, 48, 32, 0.5f,
             1, 0, 0, 1, 32, 48, 0.5f, 1, 0, 0, 1);
   }
   glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
   glShadeModel(GL_SMOOTH);
   glDisable(GL_VERTEX_PROGRAM_TWO_SIDE);

   /* A clipped flat primitive has its flat colour at the new vertices, too. */
   glUseProgram(0);
   glShadeModel(GL_FLAT);
   feed(GL_3D_COLOR);
   glColor4f(0.5f, 0.25f, 0.75f, 1);
   glBegin(GL_TRIANGLES);
   vertex(0, 0);
   vertex(2, 0);
   vertex(0, 2);
   glEnd();
   const GLint values = glRenderMode(GL_RENDER);
   for (GLint i = 0; i + 23 <= values; i += 23) {
      for (unsigned v = 0; v < 3; v++) {
         const float *c = out + i + 5 + 7 * v;
         CHECK(c[0] == 0.5f && c[1] == 0.25f && c[2] == 0.75f && c[3] == 1.0f, "%g %g %g %g", c[0],
               c[1], c[2], c[3]);
      }
   }
   CHECK(values > 0 && values % 23 == 0, "%d values", values);
   glShadeModel(GL_SMOOTH);

   /* Edge flags apply to polygons, quads and separate triangles. */
   static const GLenum modes[] = { GL_QUADS, GL_POLYGON, GL_QUAD_STRIP };
   glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
   for (unsigned m = 0; m < 3; m++) {
      feed(GL_2D);
      glBegin(modes[m]);
      for (unsigned i = 0; i < 4; i++) {
         glEdgeFlag(i == 0 || i == 3);
         vertex(i == 1 || i == 2 ? 0.5f : -0.5f, i >= 2 ? 0.5f : -0.5f);
      }
      glEnd();
      if (m == 2)
         CHECK(glRenderMode(GL_RENDER) >= 12, "edges of a strip");
      else
         EXPECT("edges", GL_POINT_TOKEN, 16, 16, GL_POINT_TOKEN, 16, 48);
   }
   glEdgeFlag(GL_TRUE);
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/* Tests draws whose parameters or counts are in buffers, and conditional draws. */
static void
indirect(void)
{
   static const GLuint parameters[2][5] = { { 1, 1, 1, 0, 0 }, { 1, 1, 0, 1, 0 } };
   static const float position[] = { 0, 0, 0.5f, 0, -0.5f, 0.5f };
   static const GLushort index[] = { 2 };
   GLuint names[4], query;

   vertex_program("void main() { gl_Position = gl_Vertex; }\n");
   glGenBuffers(4, names);
   glBindBuffer(GL_ARRAY_BUFFER, names[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof position, position, GL_STATIC_DRAW);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, names[1]);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof parameters, parameters, GL_STATIC_DRAW);
   feed(GL_2D);
   glDrawArraysIndirect(GL_POINTS, NULL);
   EXPECT("indirect", GL_POINT_TOKEN, 48, 32);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, names[2]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof index, index, GL_STATIC_DRAW);
   feed(GL_2D);
   glMultiDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_SHORT, (void *)sizeof parameters[0], 1, 0);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   /* The base vertex leads beyond the end of the buffer, where vertices are zero. */
   EXPECT("indexed", GL_POINT_TOKEN, 32, 32);

   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, names[3]);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 1024, NULL, GL_DYNAMIC_COPY);
   static const char *const varyings[] = { "gl_Position", NULL };
   const GLuint program = link_stages(&(struct core_stages){
      .vs = "void main() { gl_Position = gl_Vertex; }\n", .varyings = varyings });
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 2);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   feed(GL_2D);
   glDrawTransformFeedback(GL_POINTS, 0);
   EXPECT("as many as were recorded", GL_POINT_TOKEN, 32, 32, GL_POINT_TOKEN, 48, 32);

   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glEndQuery(GL_SAMPLES_PASSED);
   glBeginConditionalRender(query, GL_QUERY_WAIT);
   feed(GL_2D);
   glDrawArrays(GL_POINTS, 0, 1);
   glRasterPos2f(0.5f, 0);
   glEndConditionalRender();
   const GLint values = glRenderMode(GL_RENDER);
   CHECK(values == 0, "%d values of a draw that is discarded", values);
   GLfloat at[4];
   glGetFloatv(GL_CURRENT_RASTER_POSITION, at);
   CHECK(at[0] == 48, "at %g", at[0]);
   glDisableClientState(GL_VERTEX_ARRAY);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glDeleteBuffers(4, names);
   glDeleteProgram(program);
}

static void
raster_position(void)
{
   GLfloat distance, secondary[4], texture[4];
   GLboolean valid;

   /* Write the outputs here although no stage reads them; Mesa's linker drops some. */
   link_stages(&(struct core_stages){
      .vs = "void main() {\n"
            "   gl_Position = gl_Vertex;\n"
            "   gl_FrontSecondaryColor = vec4(0.25);\n"
            "   gl_TexCoord[3] = gl_Vertex + 1.0;\n"
            "   gl_FogFragCoord = 7.0;\n"
            "}\n",
      .fs = "void main() {\n"
            "   gl_FragColor = gl_SecondaryColor + gl_TexCoord[3] * gl_FogFragCoord;\n"
            "}\n",
   });
   glRasterPos3f(0.5f, 0.25f, 0.5f);
   glGetFloatv(GL_CURRENT_RASTER_DISTANCE, &distance);
   glGetFloatv(GL_CURRENT_RASTER_SECONDARY_COLOR, secondary);
   glActiveTexture(GL_TEXTURE3);
   glGetFloatv(GL_CURRENT_RASTER_TEXTURE_COORDS, texture);
   glActiveTexture(GL_TEXTURE0);
   glGetBooleanv(GL_CURRENT_RASTER_POSITION_VALID, &valid);
   CHECK(valid, "inside");
   CHECK(distance == 7.0f, "distance %g", distance);
   CHECK(secondary[0] == 0.25f && secondary[3] == 0.25f, "%g, %g", secondary[0], secondary[3]);
   CHECK(texture[0] == 1.5f && texture[1] == 1.25f, "%g, %g", texture[0], texture[1]);
   glRasterPos2f(1.5f, 0);
   glGetBooleanv(GL_CURRENT_RASTER_POSITION_VALID, &valid);
   CHECK(!valid, "outside");
}

/* Tests the names of hit records and the depth range of the primitives of each. */
static void
names(void)
{
   GLuint hits[32] = { 0 };

   vertex_program("void main() { gl_Position = gl_Vertex; }\n");
   glDepthRange(0, 0.5);
   glSelectBuffer(32, hits);
   glRenderMode(GL_SELECT);
   glInitNames();
   glPushName(1);
   for (unsigned i = 0; i < 3; i++) {
      glLoadName(10 + i);
      glBegin(GL_LINES);
      glVertex3f(i == 1 ? 2 : 0, 0, -1);
      glVertex3f(i == 1 ? 3 : 0, 0, i == 2 ? 0 : 1);
      glEnd();
   }
   glPushName(5);
   glRasterPos3f(0, 0, 1);
   const GLint got = glRenderMode(GL_RENDER);
   glDepthRange(0, 1);
   static const GLuint expected[] = { 1,  0, 0x7fffffff, 10,         1,  0, 0x3fffffff,
                                      12, 2, 0x7fffffff, 0x7fffffff, 12, 5 };
   CHECK(got == 3, "%d hits", got);
   for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
      /* Depths are rounded to multiples of 1 / (2^32 - 1). */
      CHECK(hits[i] - expected[i] <= 1, "word %u is %x, expected %x", i, hits[i], expected[i]);
   }
}

int
main(void)
{
   EGLDisplay display = core_display();

   core_current(display, egl_compatibility(display));
   new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, SIZE);
   glViewport(0, 0, SIZE, SIZE);

   outside();
   without_buffers();
   indexed_values();
   effects();
   many_primitives();
   stages();
   distances();
   facing();
   indirect();
   raster_position();
   names();
   return core_end("render modes");
}
