/* SPDX-License-Identifier: MIT */
/*
 * Queries that later draws depend on.
 */
#include "gl_scenes.h"

static const char pass_colour[] = "#version 150\n"
                                  "in vec4 tint;\n"
                                  "out vec4 result;\n"
                                  "void main() { result = tint; }\n";

/*
 * Boxes that are drawn only if a query of their bounds has passing samples.
 */
static const char flat_square[] =
   "#version 150\n"
   "uniform vec4 place;\n"
   "uniform float depth;\n"
   "uniform vec4 colour;\n"
   "out vec4 tint;\n"
   "void main() {\n"
   "   vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
   "   tint = colour;\n"
   "   gl_Position = vec4(place.xy + place.zw * at, depth, 1.0);\n"
   "}\n";

enum { BOXES = 24 };

static GLuint squares, passed[BOXES], counted;

static void
make_queries(void)
{
   squares = scene_program(flat_square, NULL, pass_colour, 0, NULL, 0);
   glGenQueries(BOXES, passed);
   glGenQueries(1, &counted);
}

static void
draw_square(float x, float y, float size, float depth, float red, float green)
{
   glUniform4f(glGetUniformLocation(squares, "place"), x, y, size, size);
   glUniform1f(glGetUniformLocation(squares, "depth"), depth);
   glUniform4f(glGetUniformLocation(squares, "colour"), red, green, 0.5f, 1.0f);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void
draw_queries(int frame)
{
   glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   glUseProgram(squares);
   /* a square that hides some of the boxes */
   draw_square(0.3f * (frame % 4) - 0.4f, 0.1f, 0.5f, 0.0f, 0.3f, 0.1f);

   glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
   glDepthMask(GL_FALSE);
   for (int i = 0; i < BOXES; i++) {
      const GLenum kind = i & 1 ? GL_SAMPLES_PASSED : GL_ANY_SAMPLES_PASSED;
      glBeginQuery(kind, passed[i]);
      draw_square((i % 6) * 0.35f - 0.9f, (i / 6) * 0.5f - 0.75f, 0.12f, 0.5f, 0, 0);
      glEndQuery(kind);
   }
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   glDepthMask(GL_TRUE);

   /* The box is larger than the tested square and in front of it, so it is visible as a whole or
    * not at all.
    */
   glBeginQuery(GL_SAMPLES_PASSED, counted);
   for (int i = 0; i < BOXES; i++) {
      glBeginConditionalRender(passed[i], GL_QUERY_WAIT);
      draw_square((i % 6) * 0.35f - 0.9f, (i / 6) * 0.5f - 0.75f, 0.15f, -0.5f, i / 24.0f, 1.0f);
      glEndConditionalRender();
   }
   glEndQuery(GL_SAMPLES_PASSED);
   glDisable(GL_DEPTH_TEST);
   for (int i = 0; i < BOXES; i++)
      scene_value("samples", passed[i]);
   scene_value("all samples", counted);
}

/*
 * A query that is open from each frame to the next.  It counts primitives, and the result is used
 * as the number of vertices of a strip.
 */
static const char strip[] = "#version 150\n"
                            "out vec4 tint;\n"
                            "void main() {\n"
                            "   tint = vec4(0.9, 0.1 * float(gl_VertexID & 7), 0.2, 1.0);\n"
                            "   gl_Position = vec4(float(gl_VertexID >> 1) * 0.1 - 0.9,\n"
                            "                      float(gl_VertexID & 1) * 0.3 - 0.9, 0.0, 1.0);\n"
                            "}\n";

static GLuint strips, carried, strip_command;

static void
make_carried(void)
{
   static const GLuint words[4] = { 0, 1, 0, 0 };

   squares = scene_program(flat_square, NULL, pass_colour, 0, NULL, 0);
   strips = scene_program(strip, NULL, pass_colour, 0, NULL, 0);
   strip_command = scene_buffer(GL_DRAW_INDIRECT_BUFFER, sizeof words, words);
   glGenQueries(1, &carried);
}

static void
draw_carried(int frame)
{
   glClearColor(0.0f, 0.1f, 0.2f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glUseProgram(squares);
   for (int i = 0; i < frame % 3 + 2; i++)
      draw_square(0.3f * i - 0.6f, 0.6f, 0.1f, 0.0f, 1.0f, 0.2f * i);
   if (frame > 0) {
      glEndQuery(GL_PRIMITIVES_GENERATED);
      glBindBuffer(GL_QUERY_BUFFER, strip_command);
      glGetQueryObjectuiv(carried, GL_QUERY_RESULT, NULL);
      glBindBuffer(GL_QUERY_BUFFER, 0);
      scene_value("primitives", carried);
      glUseProgram(strips);
      glBindBuffer(GL_DRAW_INDIRECT_BUFFER, strip_command);
      glDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL);
      glUseProgram(squares);
   }
   glBeginQuery(GL_PRIMITIVES_GENERATED, carried);
   for (int i = 0; i < frame % 4 + 1; i++)
      draw_square(0.3f * i - 0.6f, 0.1f, 0.1f, 0.0f, 0.2f * i, 1.0f);
}

const struct scene scene_queries = { "queries", 0, make_queries, draw_queries };
const struct scene scene_carried = { "carried", 0, make_carried, draw_carried };
