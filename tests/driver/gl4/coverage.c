/* SPDX-License-Identifier: MIT */
/*
 * Tests states that change which samples a primitive covers, between draws without them:
 * conservative rasterization (INTEL_conservative_rasterization) and sample locations of a
 * framebuffer (ARB_sample_locations).  The target is one pixel, and queries count the samples.
 */
#include "core.h"

static const char vs[] = "layout(location = 0) uniform vec2 corners[3];\n"
                         "void main() { gl_Position = vec4(corners[gl_VertexID], 0.0, 1.0); }\n";

/* Creates a framebuffer of one pixel and binds it. */
static void
pixel(int samples)
{
   new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, samples, 1, 1);
   glViewport(0, 0, 1, 1);
}

static void
conservative(bool on)
{
   (on ? glEnable : glDisable)(GL_CONSERVATIVE_RASTERIZATION_INTEL);
}

static void
locations(bool on)
{
   glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, on);
}

/* Draws a triangle with the state off, on and off again, in one stream. */
static void
test(const char *what, void (*set)(bool on), const GLfloat corners[3][2], GLuint off, GLuint on)
{
   GLuint queries[3];

   glUniform2fv(0, 3, corners[0]);
   glGenQueries(3, queries);
   for (unsigned i = 0; i < 3; i++) {
      set(i == 1);
      glBeginQuery(GL_SAMPLES_PASSED, queries[i]);
      glDrawArrays(GL_TRIANGLES, 0, 3);
      glEndQuery(GL_SAMPLES_PASSED);
   }
   for (unsigned i = 0; i < 3; i++) {
      const GLuint want = i == 1 ? on : off;
      GLuint got;

      glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &got);
      CHECK(got == want, "%s, draw %u: %u samples, expected %u", what, i, got, want);
   }
   glDeleteQueries(3, queries);
}

int
main(void)
{
   static const GLfloat corner[3][2] = { { -1, -1 }, { -0.75f, -1 }, { -1, -0.75f } };
   static const GLfloat left[3][2] = { { 0, -3 }, { 0, 3 }, { -3, 0 } };
   static const GLfloat right[4][2] = {
      { 0.75f, 0.125f }, { 0.75f, 0.375f }, { 0.75f, 0.625f }, { 0.75f, 0.875f }
   };
   GLuint in_left = 0;

   core_begin();
   if (!core_extension("GL_INTEL_conservative_rasterization") ||
       !core_extension("GL_ARB_sample_locations"))
      return 1;
   PROGRAM(.vs = vs, .fs = "out vec4 color; void main() { color = vec4(1.0); }\n");

   pixel(0);
   test("conservative rasterization", conservative, corner, 0, 1);

   pixel(4);
   for (unsigned i = 0; i < 4; i++) {
      GLfloat at[2];
      glGetMultisamplefv(GL_SAMPLE_POSITION, i, at);
      in_left += at[0] < 0.5f;
   }
   glFramebufferSampleLocationsfvARB(GL_FRAMEBUFFER, 0, 4, right[0]);
   test("sample locations", locations, left, in_left, 0);
   return core_end("coverage");
}
