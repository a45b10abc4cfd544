/* SPDX-License-Identifier: MIT */
/*
 * Tests NV_viewport_swizzle: pictures of swizzled viewports are those of shaders that swizzle
 * gl_Position themselves, in windows and framebuffer objects, with clipping, user clip planes and
 * several viewports.  Transform feedback records positions before the swizzle.  Feedback and
 * selection see them after it.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"
#include "random.h"

#define SIZE 64
#define VERTICES 90

static PFNGLVIEWPORTSWIZZLENVPROC swizzle;
static unsigned pictures_drawn;
static uint8_t pixels[2][SIZE][SIZE][4];
static GLfloat vertices[VERTICES][8];

/* A number from 0 to 7 for each of x, y, z and w, in the order of GL's names. */
struct axes {
   unsigned of[4];
};

static const struct axes identity = { { 0, 2, 4, 6 } };

/* Returns a multiple of 1/1024 from 0 to 1. */
static GLfloat
random_unit(void)
{
   return below(1025) / 1024.0f;
}

static void
set_axes(unsigned viewport, const struct axes *axes)
{
   swizzle(viewport, GL_VIEWPORT_SWIZZLE_POSITIVE_X_NV + axes->of[0],
           GL_VIEWPORT_SWIZZLE_POSITIVE_X_NV + axes->of[1],
           GL_VIEWPORT_SWIZZLE_POSITIVE_X_NV + axes->of[2],
           GL_VIEWPORT_SWIZZLE_POSITIVE_X_NV + axes->of[3]);
}

/* Returns an expression that swizzles the vector `name`. */
static const char *
expression(const struct axes *axes, const char *name)
{
   static char text[2][200];
   static unsigned next;
   char *out = text[next++ % 2];
   int used = sprintf(out, "vec4(");

   for (unsigned c = 0; c < 4; c++)
      used += sprintf(out + used, "%s%s.%c%s", axes->of[c] % 2 ? "-" : "", name,
                      "xyzw"[axes->of[c] / 2], c < 3 ? ", " : ")");
   return out;
}

static GLuint
plain_program(const struct axes *axes)
{
   char vertex[1000];

   snprintf(vertex, sizeof(vertex),
            "attribute vec4 position; attribute vec4 shade; varying vec4 color;\n"
            "void main() {\n"
            "   color = shade; gl_ClipVertex = position; gl_Position = %s;\n"
            "}\n",
            expression(axes, "position"));
   GLuint program = glCreateProgram();
   test_shader(program, GL_VERTEX_SHADER, vertex);
   test_shader(program, GL_FRAGMENT_SHADER,
               "varying vec4 color; void main() { gl_FragColor = color; }\n");
   glBindAttribLocation(program, 0, "position");
   glBindAttribLocation(program, 1, "shade");
   test_link(program);
   glUseProgram(program);
   return program;
}

static void
draw_kinds(void)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, VERTICES / 3);
   glDrawArrays(GL_LINES, VERTICES / 3, VERTICES / 3 & ~1);
   glDrawArrays(GL_POINTS, 2 * VERTICES / 3, VERTICES / 3);
}

static void
compare(const char *what, const struct axes *axes)
{
   unsigned different = 0, drawn = 0;

   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      different += memcmp(pixels[0][i / SIZE][i % SIZE], pixels[1][i / SIZE][i % SIZE], 4) != 0;
      drawn += pixels[0][i / SIZE][i % SIZE][3] != 0;
   }
   /* A swizzle such as (-z, -z, w, w) leaves no picture. */
   CHECK(!different, "%s, %u %u %u %u: %u pixels of %u differ", what, axes->of[0], axes->of[1],
         axes->of[2], axes->of[3], different, drawn);
   pictures_drawn += drawn != 0;
}

static void
pictures(const char *what)
{
   for (unsigned round = 0; round < 20; round++) {
      struct axes axes = identity;

      /* Few positions are visible if w is another coordinate, so w stays in most rounds. */
      for (unsigned c = 0; c < (round % 4 ? 3 : 4); c++)
         axes.of[c] = below(8);
      (round & 1 ? glEnable : glDisable)(GL_CLIP_PLANE0);
      (round & 2 ? glEnable : glDisable)(GL_DEPTH_CLAMP);
      for (unsigned with = 0; with < 2; with++) {
         GLuint program = plain_program(with ? &identity : &axes);
         set_axes(0, with ? &axes : &identity);
         draw_kinds();
         glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels[with]);
         glUseProgram(0);
         glDeleteProgram(program);
      }
      set_axes(0, &identity);
      compare(what, &axes);
   }
   glDisable(GL_CLIP_PLANE0);
   glDisable(GL_DEPTH_CLAMP);
}

/* The geometry shader chooses a viewport by the triangle's number.  Each has its own swizzle. */
static void
viewports(void)
{
   struct axes axes[4];
   char swizzled[2000] = "", *end = swizzled;

   for (unsigned v = 0; v < 4; v++) {
      axes[v] = identity;
      for (unsigned c = 0; c < 3; c++)
         axes[v].of[c] = below(8);
      glViewportIndexedf(v, v % 2 * 32, v / 2 * 32, 32, 32);
      end += sprintf(end, "   if (v == %u) return %s;\n", v, expression(&axes[v], "p"));
   }
   for (unsigned with = 0; with < 2; with++) {
      char geometry[4000];
      GLuint program = glCreateProgram();

      snprintf(geometry, sizeof(geometry),
               "#version 150 compatibility\n"
               "#extension GL_ARB_viewport_array : require\n"
               "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
               "in vec4 mid[]; out vec4 color;\n"
               "vec4 swizzled(vec4 p, int v) {\n%s   return p;\n}\n"
               "void main() {\n"
               "   for (int i = 0; i < 3; i++) {\n"
               "      int v = gl_PrimitiveIDIn %% 4;\n"
               "      gl_Position = swizzled(gl_in[i].gl_Position, v);\n"
               "      gl_ViewportIndex = v; color = mid[i]; EmitVertex();\n"
               "   }\n"
               "}\n",
               with ? "" : swizzled);
      test_shader(program, GL_VERTEX_SHADER,
                  "#version 150 compatibility\n"
                  "in vec4 position, shade; out vec4 mid;\n"
                  "void main() { gl_Position = position; mid = shade; }\n");
      test_shader(program, GL_GEOMETRY_SHADER, geometry);
      test_shader(program, GL_FRAGMENT_SHADER,
                  "#version 150 compatibility\n"
                  "in vec4 color; void main() { gl_FragColor = color; }\n");
      glBindAttribLocation(program, 0, "position");
      glBindAttribLocation(program, 1, "shade");
      test_link(program);
      glUseProgram(program);
      for (unsigned v = 0; v < 4; v++)
         set_axes(v, with ? &axes[v] : &identity);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      glDrawArrays(GL_TRIANGLES, 0, VERTICES);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels[with]);
      glUseProgram(0);
      glDeleteProgram(program);
   }
   for (unsigned v = 0; v < 4; v++)
      set_axes(v, &identity);
   glViewport(0, 0, SIZE, SIZE);
   compare("viewports", &axes[0]);
}

static void
recorded(void)
{
   static const char *const output = "gl_Position";
   static const struct axes axes = { { 3, 0, 5, 6 } };
   GLfloat got[VERTICES][4];
   GLuint program = plain_program(&identity), buffer;

   glTransformFeedbackVaryings(program, 1, &output, GL_INTERLEAVED_ATTRIBS);
   test_link(program);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(got), NULL, GL_STREAM_READ);
   set_axes(0, &axes);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, VERTICES);
   glEndTransformFeedback();
   set_axes(0, &identity);
   glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(got), got);
   for (unsigned v = 0; v < VERTICES; v++)
      CHECK(!memcmp(got[v], vertices[v], 16), "vertex %u: %f %f", v, got[v][0], got[v][1]);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
}

/* A point at (0.25, 0.5, 0.125) with x and y exchanged, y negative.  The clip plane x >= 0.3 sees it
 * before that.
 */
static void
feedback(void)
{
   static const struct axes axes = { { 2, 1, 4, 6 } };
   static const GLdouble plane[4] = { 1, 0, 0, -0.3 };
   GLfloat values[20] = { 0 };

   glClipPlane(GL_CLIP_PLANE0, plane);
   set_axes(0, &axes);
   glFeedbackBuffer(20, GL_3D, values);
   for (int clipped = 0; clipped < 2; clipped++) {
      glRenderMode(GL_FEEDBACK);
      (clipped ? glEnable : glDisable)(GL_CLIP_PLANE0);
      glBegin(GL_POINTS);
      glVertex3f(0.25f, 0.5f, 0.125f);
      glEnd();
      const GLint count = glRenderMode(GL_RENDER);
      CHECK(count == (clipped ? 0 : 4), "%d values", count);
   }
   glDisable(GL_CLIP_PLANE0);
   CHECK(values[0] == GL_POINT_TOKEN && fabsf(values[1] - 0.75f * SIZE) < 0.01f &&
            fabsf(values[2] - 0.375f * SIZE) < 0.01f && fabsf(values[3] - 0.5625f) < 0.001f,
         "feedback: %f, %f %f %f", values[0], values[1], values[2], values[3]);

   GLfloat position[4];
   glRasterPos3f(0.25f, 0.5f, 0.125f);
   glGetFloatv(GL_CURRENT_RASTER_POSITION, position);
   CHECK(fabsf(position[0] - 0.75f * SIZE) < 0.01f && fabsf(position[1] - 0.375f * SIZE) < 0.01f,
         "raster position %f %f", position[0], position[1]);
   set_axes(0, &identity);
}

static void
queries(void)
{
   static const GLenum names[4] = { GL_VIEWPORT_SWIZZLE_X_NV, GL_VIEWPORT_SWIZZLE_Y_NV,
                                    GL_VIEWPORT_SWIZZLE_Z_NV, GL_VIEWPORT_SWIZZLE_W_NV };
   static const struct axes axes = { { 7, 4, 1, 2 } };

   set_axes(3, &axes);
   glPushAttrib(GL_VIEWPORT_BIT);
   set_axes(3, &identity);
   glPopAttrib();
   for (unsigned c = 0; c < 4; c++) {
      GLint got[2] = { 0 };
      glGetIntegeri_v(names[c], 3, &got[0]);
      glGetIntegeri_v(names[c], 2, &got[1]);
      CHECK(got[0] == (GLint)(GL_VIEWPORT_SWIZZLE_POSITIVE_X_NV + axes.of[c]) &&
               got[1] == (GLint)(GL_VIEWPORT_SWIZZLE_POSITIVE_X_NV + 2 * c),
            "swizzle %u: 0x%x, 0x%x", c, got[0], got[1]);
   }
   set_axes(3, &identity);
}

int
main(void)
{
   GLuint buffer;

   REQUIRE(test_pbuffer(SIZE, SIZE));
   REQUIRE(strstr((const char *)glGetString(GL_EXTENSIONS), "GL_NV_viewport_swizzle"));
   swizzle = (PFNGLVIEWPORTSWIZZLENVPROC)eglGetProcAddress("glViewportSwizzleNV");
   for (unsigned v = 0; v < VERTICES; v++) {
      for (unsigned c = 0; c < 8; c++)
         vertices[v][c] = c == 3 ? 1.0f : c < 3 ? random_unit() * 3.0f - 1.5f : random_unit();
      vertices[v][7] = 1.0f;
   }
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 32, NULL);
   glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 32, (void *)16);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
   glClipPlane(GL_CLIP_PLANE0, (const GLdouble[]){ 0.5, 0.25, -0.5, 0.25 });
   glEnable(GL_DEPTH_TEST);
   glPointSize(3);
   glLineWidth(2);

   pictures("window");
   new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, SIZE);
   attach_renderbuffer(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, 0, SIZE, SIZE);
   pictures("framebuffer");
   viewports();
   recorded();
   queries();
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDisableVertexAttribArray(0);
   glDisableVertexAttribArray(1);
   feedback();
   CHECK(pictures_drawn > 25, "%u pictures are not empty", pictures_drawn);
   return test_end();
}
