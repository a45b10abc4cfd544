/* SPDX-License-Identifier: MIT */
/*
 * Tests pictures of patches with a geometry shader and transform feedback after tessellation.  The
 * recorded primitives, drawn without tessellation, must give the same picture.  The patches have
 * all domains and spacings, control shaders or none, points, and levels of NaN.
 *
 *    tess_stages [PICTURE.ppm]
 */
#include "core.h"

#define SIZE 512
#define TILE 128
#define VERTICES 65536

static GLuint
make_program(const char *layout, bool control, bool geometry, bool isolines)
{
   const char *position = isolines
                             ? "vec2(t.x * 1.8 - 0.9, t.y * 1.6 - 0.75 + 0.2 * sin(6.0 * t.x))"
                             : "(t.z > 0.0 || TRIANGLES ? t.x * vec2(-0.9, -0.9) +\n"
                               "   t.y * vec2(0.9, -0.8) + t.z * vec2(0.1, 0.9)\n"
                               "   : t.xy * 1.8 - 0.9) * (1.0 - 0.3 * t.x * t.y)";

   return PROGRAM(
         .vs = "void main() { gl_Position = vec4(0); }\n",
         .tcs = control ? "layout(vertices = 3) out;\n"
                          "layout(location = 0) uniform vec4 outer;\n"
                          "layout(location = 1) uniform vec2 inner;\n"
                          "patch out vec3 tint;\n"
                          "void main() {\n"
                          "   for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = outer[i];\n"
                          "   for (int i = 0; i < 2; i++) gl_TessLevelInner[i] = inner[i];\n"
                          "   barrier();\n"
                          "   tint = vec3(1.0, 0.8, 0.4);\n"
                          "}\n"
                        : NULL,
         .tes = text("layout(%s) in;\n"
                     "%s\n"
                     "#define TRIANGLES %s\n"
                     "out vec4 %s;\n"
                     "void main() {\n"
                     "   vec3 t = gl_TessCoord;\n"
                     "   gl_Position = vec4(%s, 0.0, 1.0);\n"
                     "   gl_PointSize = 3.0;\n"
                     "   %s = vec4((t * 0.8 + 0.2) * tint, 1.0);\n"
                     "   %s\n"
                     "}\n",
                     layout, control ? "patch in vec3 tint;" : "const vec3 tint = vec3(0.5, 1, 1);",
                     strstr(layout, "triangles") ? "true" : "false",
                     geometry ? "between" : "color, place", position,
                     geometry ? "between" : "color", geometry ? "" : "place = gl_Position;"),
         .gs = geometry ? "layout(triangles) in;\n"
                          "layout(triangle_strip, max_vertices = 3) out;\n"
                          "in vec4 between[]; out vec4 color; out vec4 place;\n"
                          "void main() {\n"
                          "   vec4 c = (gl_in[0].gl_Position + gl_in[1].gl_Position +\n"
                          "             gl_in[2].gl_Position) / 3.0;\n"
                          "   for (int i = 0; i < 3; i++) {\n"
                          "      gl_Position = mix(gl_in[i].gl_Position, c, 0.2);\n"
                          "      place = gl_Position;\n"
                          "      color = between[i].brga;\n"
                          "      EmitVertex();\n"
                          "   }\n"
                          "}\n"
                        : NULL,
         .fs = "in vec4 color; layout(location = 0) out vec4 o;\nvoid main() { o = color; }\n",
         .varyings = (const char *const[]){ "place", "color", NULL });
}

static const struct picture {
   const char *layout;
   bool control, geometry;
   GLenum mode; /* primitive type of the recorded vertices */
   float outer[4], inner[2];
} pictures[] = {
   { "triangles, equal_spacing", true, false, GL_TRIANGLES, { 5, 9, 3, 0 }, { 6, 0 } },
   { "triangles, fractional_odd_spacing",
     true,
     true,
     GL_TRIANGLES,
     { 5.3f, 9, 3.7f, 0 },
     { 6, 0 } },
   { "triangles, fractional_even_spacing, cw",
     false,
     true,
     GL_TRIANGLES,
     { 30.003f, 7, 6.00002f, 0 },
     { 9.5f, 0 } },
   { "quads, equal_spacing", true, true, GL_TRIANGLES, { 4, 7, 2, 13 }, { 8, 5 } },
   { "quads, fractional_odd_spacing",
     false,
     true,
     GL_TRIANGLES,
     { 4.5f, 7.2f, 2.1f, 13 },
     { 8.4f, 1 } },
   { "quads, fractional_even_spacing", true, true, GL_TRIANGLES, { 64, 64, 64, 64 }, { 20, 20 } },
   { "quads, equal_spacing, point_mode", true, false, GL_POINTS, { 12, 20, 7, 9 }, { 8, 5 } },
   { "triangles, fractional_even_spacing, point_mode",
     false,
     false,
     GL_POINTS,
     { 9, 20, 14, 9 },
     { 13.5f, 5 } },
   { "isolines, equal_spacing", true, false, GL_LINES, { 9, 20, 0, 0 }, { 0, 0 } },
   { "isolines, fractional_odd_spacing", false, false, GL_LINES, { 5, 7.5f, 0, 0 }, { 0, 0 } },
   { "isolines, fractional_even_spacing, point_mode",
     true,
     false,
     GL_POINTS,
     { 5, 30.5f, 0, 0 },
     { 0, 0 } },
   { "quads, fractional_odd_spacing",
     true,
     true,
     GL_TRIANGLES,
     { 3, 1, 1, 1 },
     { 1, __builtin_nanf("") } },
   { "quads, equal_spacing", true, false, GL_TRIANGLES, { 3, __builtin_nanf(""), 3, 3 }, { 3, 3 } },
   { "triangles, equal_spacing",
     true,
     true,
     GL_TRIANGLES,
     { 1e30f, 1, __builtin_inff(), 0 },
     { -1, 0 } },
};

int
main(int argc, char **argv)
{
   static uint8_t drawn[SIZE][SIZE][4], again[SIZE][SIZE][4];
   GLuint texture, xfb, query;

   core_begin();
   core_target(GL_RGBA8, SIZE, SIZE, &texture);
   const GLuint buffer = core_buffer(VERTICES * 32, NULL);
   glGenTransformFeedbacks(1, &xfb);
   glGenQueries(1, &query);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, xfb);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glEnable(GL_PROGRAM_POINT_SIZE);
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   const GLuint plain = PROGRAM(
         .vs = "layout(location = 0) in vec4 p; layout(location = 1) in vec4 c;\n"
               "out vec4 color;\n"
               "void main() { gl_Position = p; color = c; gl_PointSize = 3.0; }\n",
         .fs = "in vec4 color; layout(location = 0) out vec4 o;\nvoid main() { o = color; }\n");
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   for (unsigned i = 0; i < 2; i++)
      glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 32, (void *)(uintptr_t)(16 * i));

   for (unsigned i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
      const struct picture *p = &pictures[i];
      const int x = (int)(i % 4) * TILE, y = (int)(i / 4) * TILE;
      GLuint written = 0;

      const GLuint program = make_program(p->layout, p->control, p->geometry,
                                          strstr(p->layout, "isolines") != NULL);
      if (p->control) {
         glUniform4fv(0, 1, p->outer);
         glUniform2fv(1, 1, p->inner);
      }
      glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, p->outer);
      glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, p->inner);
      glViewport(x, y, TILE, TILE);
      glPolygonMode(GL_FRONT_AND_BACK, p->geometry ? GL_FILL : GL_LINE);
      glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
      glBeginTransformFeedback(p->mode);
      glDrawArrays(GL_PATCHES, 0, 3);
      glEndTransformFeedback();
      glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
      glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
      CHECK((written == 0) == (p->outer[1] != p->outer[1]), "%u: %u primitives", i, written);
      glReadPixels(x, y, TILE, TILE, GL_RGBA, GL_UNSIGNED_BYTE, drawn[0]);

      glEnable(GL_SCISSOR_TEST);
      glScissor(x, y, TILE, TILE);
      glClear(GL_COLOR_BUFFER_BIT);
      glDisable(GL_SCISSOR_TEST);
      glUseProgram(plain);
      glEnableVertexAttribArray(0);
      glEnableVertexAttribArray(1);
      glDrawTransformFeedback(p->mode, xfb);
      glDisableVertexAttribArray(0);
      glDisableVertexAttribArray(1);
      glReadPixels(x, y, TILE, TILE, GL_RGBA, GL_UNSIGNED_BYTE, again[0]);
      CHECK(!memcmp(drawn, again, TILE * TILE * 4), "%u (%s): not the same from the recording", i,
            p->layout);
      glDeleteProgram(program);
   }

   if (argc > 1) {
      FILE *f = fopen(argv[1], "wb");
      CHECK(f, "%s", argv[1]);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, drawn[0]);
      fprintf(f, "P6 %d %d 255\n", SIZE, SIZE);
      for (int y = SIZE - 1; y >= 0; y--) {
         for (int x = 0; x < SIZE; x++)
            fwrite(drawn[y][x], 1, 3, f);
      }
      fclose(f);
   }
   return core_end("tess_stages");
}
