/* SPDX-License-Identifier: MIT */
/*
 * Tests that results of GL_SELECT and GL_FEEDBACK come in the order of calls, with any number of
 * draws and with other commands between them.  Compares random calls with a model of GL's state
 * machine.
 */
#include "core.h"

#define SIZE 64
#define WORDS (1 << 20)
#define MAX_DEPTH 64

static uint32_t seed;

static unsigned
pick(unsigned count)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) % count;
}

/*
 * Selection
 */

static struct {
   GLuint names[MAX_DEPTH];
   unsigned depth;
   bool hit;
   float min, max;
   GLuint words[WORDS];
   unsigned count, hits;
} model;

static GLuint selected[WORDS];

static void
model_hit(float z)
{
   model.min = model.hit && model.min < z ? model.min : z;
   model.max = model.hit && model.max > z ? model.max : z;
   model.hit = true;
}

static GLuint
model_depth(float z)
{
   return z < 1.0f ? (GLuint)((float)UINT32_MAX * z) : UINT32_MAX;
}

static void
model_record(void)
{
   if (!model.hit)
      return;
   model.words[model.count++] = model.depth;
   model.words[model.count++] = model_depth(model.min);
   model.words[model.count++] = model_depth(model.max);
   for (unsigned i = 0; i < model.depth; i++)
      model.words[model.count++] = model.names[i];
   model.hits++;
   model.hit = false;
}

/* Draws a point or a triangle that is inside, outside, or culled. */
static void
draw_selected(void)
{
   const float x = pick(4) ? 0.25f : 2.0f, z[3] = { pick(17) / 16.0f, pick(17) / 16.0f, 0.5f };
   const unsigned kind = pick(4);

   glBegin(kind ? GL_TRIANGLES : GL_POINTS);
   if (kind) {
      const bool back = kind == 3;
      glVertex3f(x, 0.0f, 2.0f * z[0] - 1.0f);
      glVertex3f(x + 0.25f, back ? 0.25f : 0.0f, 2.0f * z[1] - 1.0f);
      glVertex3f(x + 0.25f, back ? 0.0f : 0.25f, 2.0f * z[2] - 1.0f);
   } else {
      glVertex3f(x, 0.0f, 2.0f * z[0] - 1.0f);
   }
   glEnd();
   if (x > 1.0f || (kind == 3 && glIsEnabled(GL_CULL_FACE)))
      return;
   for (unsigned i = 0; i < (kind ? 3 : 1); i++)
      model_hit(z[i]);
}

static void
change_names(void)
{
   const GLuint name = pick(1000);
   GLenum error = GL_NO_ERROR;
   GLint depth;

   switch (pick(10)) {
   case 0:
      glInitNames();
      model_record();
      model.depth = 0;
      break;
   case 1:
   case 2:
   case 3:
      if (model.depth < MAX_DEPTH) {
         model_record();
         model.names[model.depth++] = name;
      } else {
         error = GL_STACK_OVERFLOW;
      }
      glPushName(name);
      break;
   case 4:
   case 5:
      if (model.depth) {
         model_record();
         model.depth--;
      } else {
         error = GL_STACK_UNDERFLOW;
      }
      glPopName();
      break;
   default:
      if (model.depth) {
         model_record();
         model.names[model.depth - 1] = name;
      } else {
         error = GL_INVALID_OPERATION;
      }
      glLoadName(name);
      break;
   }
   const GLenum got = glGetError();
   CHECK(got == error, "names: error %x, expected %x", got, error);
   glGetIntegerv(GL_NAME_STACK_DEPTH, &depth);
   CHECK(depth == (GLint)model.depth, "%d names, expected %u", depth, model.depth);
}

static void
select_something(void)
{
   float z;

   switch (pick(16)) {
   case 0:
      z = pick(17) / 16.0f;
      glWindowPos3f(1.0f, 1.0f, z);
      model_hit(z);
      break;
   case 1:
      z = pick(17) / 16.0f;
      glRasterPos3f(0.0f, 0.0f, 2.0f * z - 1.0f);
      model_hit(z);
      break;
   case 2:
      glViewport(0, 0, pick(2) ? SIZE : SIZE / 2, SIZE);
      break;
   case 3:
      (pick(2) ? glEnable : glDisable)(GL_CULL_FACE);
      break;
   case 4:
      glPolygonMode(GL_FRONT_AND_BACK, pick(2) ? GL_FILL : GL_LINE);
      break;
   default:
      draw_selected();
      break;
   }
}

static void
test_select(unsigned calls, GLsizei room)
{
   memset(&model, 0, sizeof model);
   memset(selected, 0, sizeof selected);
   glSelectBuffer(room, selected);
   glRenderMode(GL_SELECT);
   glInitNames();
   for (unsigned i = 0; i < calls; i++) {
      if (pick(3))
         select_something();
      else
         change_names();
   }
   const GLint got = glRenderMode(GL_RENDER);
   model_record();
   const GLint expected = model.count > (unsigned)room ? -1 : (GLint)model.hits;
   CHECK(got == expected, "%u calls: %d hits, expected %d", calls, got, expected);
   unsigned wrong = 0;
   for (unsigned i = 0; i < WORDS; i++)
      wrong += selected[i] != (i < (unsigned)room ? model.words[i] : 0);
   CHECK(!wrong, "%u calls: %u of %u words of hits are wrong", calls, wrong, model.count);
   glDisable(GL_CULL_FACE);
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
   glViewport(0, 0, SIZE, SIZE);
   CHECK(glGetError() == GL_NO_ERROR, "select: GL error");
}

/*
 * Feedback
 */

static float fed[WORDS], expected_feed[WORDS];
static unsigned fed_count;

static void
model_token(float token)
{
   expected_feed[fed_count++] = token;
}

static void
model_vertex(float token, float x, float y, float z)
{
   model_token(token);
   model_token(x);
   model_token(y);
   model_token(z);
}

static void
feed_something(float raster[3])
{
   static const GLubyte pixel[4];
   const float x = pick(SIZE), y = pick(SIZE), z = pick(17) / 16.0f;

   switch (pick(10)) {
   case 0:
   case 1:
   case 2:
      glPassThrough(x);
      model_token(GL_PASS_THROUGH_TOKEN);
      model_token(x);
      break;
   case 3:
      glWindowPos3f(x, y, z);
      raster[0] = x;
      raster[1] = y;
      raster[2] = z;
      break;
   case 4:
      glBitmap(1, 1, 0, 0, 0, 0, pixel);
      model_vertex(GL_BITMAP_TOKEN, raster[0], raster[1], raster[2]);
      break;
   case 5:
      glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
      model_vertex(GL_DRAW_PIXEL_TOKEN, raster[0], raster[1], raster[2]);
      break;
   case 6:
      glCopyPixels(0, 0, 1, 1, GL_COLOR);
      model_vertex(GL_COPY_PIXEL_TOKEN, raster[0], raster[1], raster[2]);
      break;
   default:
      glBegin(GL_POINTS);
      glVertex3f(x / (SIZE / 2) - 1.0f, y / (SIZE / 2) - 1.0f, 2.0f * z - 1.0f);
      glEnd();
      model_vertex(GL_POINT_TOKEN, x, y, z);
      break;
   }
}

static void
test_feedback(unsigned calls, GLsizei room)
{
   float raster[3] = { 0.0f, 0.0f, 0.0f };

   memset(fed, 0, sizeof fed);
   memset(expected_feed, 0, sizeof expected_feed);
   fed_count = 0;
   glWindowPos3f(0.0f, 0.0f, 0.0f);
   glFeedbackBuffer(room, GL_3D, fed);
   glRenderMode(GL_FEEDBACK);
   for (unsigned i = 0; i < calls; i++)
      feed_something(raster);
   const GLint got = glRenderMode(GL_RENDER);
   const GLint expected = fed_count > (unsigned)room ? -1 : (GLint)fed_count;
   CHECK(got == expected, "%u calls: %d values, expected %d", calls, got, expected);
   unsigned wrong = 0;
   for (unsigned i = 0; i < WORDS; i++)
      wrong += fed[i] != (i < (unsigned)room ? expected_feed[i] : 0.0f);
   CHECK(!wrong, "%u calls: %u of %u values are wrong", calls, wrong, fed_count);
   CHECK(glGetError() == GL_NO_ERROR, "feedback: GL error");
}

/* Tests that an application's query does not count draws in selection mode, and continues
 * afterwards.
 */
static void
test_pauses(void)
{
   GLuint query, primitives, hits[16];

   glGenQueries(1, &query);
   glBeginQuery(GL_PRIMITIVES_GENERATED, query);
   for (unsigned i = 0; i < 3; i++) {
      glSelectBuffer(16, hits);
      glRenderMode(GL_SELECT);
      glBegin(GL_POINTS);
      glVertex2f(0.0f, 0.0f);
      glEnd();
      const GLint got = glRenderMode(GL_RENDER);
      CHECK(got == 1, "in a query: %d hits", got);
      glBegin(GL_POINTS);
      glVertex2f(0.0f, 0.0f);
      glEnd();
   }
   glEndQuery(GL_PRIMITIVES_GENERATED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &primitives);
   CHECK(primitives == 3, "%u primitives, expected 3", primitives);
   glDeleteQueries(1, &query);
}

/* Tests programs with different outputs one after the other. */
static void
test_programs(void)
{
   static const char *const sources[] = {
      "void main() { gl_Position = gl_Vertex; }\n",
      "void main() {\n"
      "   gl_Position = gl_Vertex;\n"
      "   gl_ClipDistance[0] = 1.0;\n"
      "   gl_FrontColor = vec4(0.5);\n"
      "}\n",
      "void main() { gl_Position = vec4(gl_Vertex.xy, -gl_Vertex.z, 1); }\n",
   };
   GLuint programs[3];

   for (unsigned i = 0; i < 3; i++)
      programs[i] = core_program(&(struct core_stages){
         .version = "450 compatibility",
         .vs = sources[i],
         .fs = "void main() { gl_FragColor = gl_Color; }\n",
      });
   memset(&model, 0, sizeof model);
   glSelectBuffer(WORDS, selected);
   glRenderMode(GL_SELECT);
   glInitNames();
   glPushName(0);
   model.depth = 1;
   for (unsigned i = 0; i < 300; i++) {
      const unsigned p = pick(3);
      const float z = pick(17) / 16.0f;

      glUseProgram(programs[p]);
      glBegin(GL_POINTS);
      glVertex3f(0.0f, 0.0f, 2.0f * z - 1.0f);
      glEnd();
      model_hit(p == 2 ? 1.0f - z : z);
      if (pick(2)) {
         glLoadName(i);
         model_record();
         model.names[0] = i;
      }
   }
   const GLint got = glRenderMode(GL_RENDER);
   model_record();
   glUseProgram(0);
   CHECK(got == (GLint)model.hits, "programs: %d hits, expected %u", got, model.hits);
   CHECK(!memcmp(selected, model.words, model.count * sizeof model.words[0]),
         "programs: hits are wrong");
}

/* Tests that draws that draw nothing or are dropped do not affect the results of other draws. */
static void
test_nothing(void)
{
   static const float point[] = { 0.0f, 0.0f, 0.5f };
   const GLuint expected[] = { 1, 0x3fffffff, 0x3fffffff, 1, 1, 0xbfffffff, 0xbfffffff, 2 };
   GLuint indices, query;

   glGenBuffers(1, &indices);
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glEndQuery(GL_SAMPLES_PASSED);
   memset(selected, 0, sizeof selected);
   glSelectBuffer(WORDS, selected);
   glRenderMode(GL_SELECT);
   glInitNames();
   glPushName(1);
   for (unsigned i = 0; i < 2; i++) {
      const float z = i ? 0.5f : -0.5f;

      glVertexPointer(3, GL_FLOAT, 0, point);
      glEnableClientState(GL_VERTEX_ARRAY);
      glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
      glDrawElements(GL_POINTS, 1, GL_UNSIGNED_SHORT, NULL);
      glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
      glDrawArrays(GL_TRIANGLES, 0, 0);
      glDisableClientState(GL_VERTEX_ARRAY);
      glBeginConditionalRender(query, GL_QUERY_WAIT);
      glBegin(GL_POINTS);
      glVertex3f(0.0f, 0.0f, 0.0f);
      glEnd();
      glEndConditionalRender();
      glBegin(GL_POINTS);
      glVertex3f(0.0f, 0.0f, z);
      glEnd();
      glLoadName(2);
   }
   const GLint got = glRenderMode(GL_RENDER);
   CHECK(got == 2, "nothing: %d hits, expected 2", got);
   for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
      /* Depths are rounded to multiples of 1 / (2^32 - 1). */
      CHECK(selected[i] - expected[i] <= 1, "nothing: word %u is %x, expected %x", i, selected[i],
            expected[i]);
   }
   glGetError();
   glDeleteBuffers(1, &indices);
   glDeleteQueries(1, &query);
}

int
main(void)
{
   EGLDisplay display = core_display();

   core_current(display, egl_compatibility(display));
   new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, SIZE, SIZE);
   glViewport(0, 0, SIZE, SIZE);

   for (unsigned i = 0; i < 5; i++) {
      test_select(40, WORDS);
      test_feedback(40, WORDS);
   }
   /* Run more calls than the driver keeps memory for. */
   test_select(20000, WORDS);
   test_feedback(20000, WORDS);
   test_select(1000, 100);
   test_feedback(1000, 100);
   test_pauses();
   test_programs();
   test_nothing();
   return core_end("render order");
}
