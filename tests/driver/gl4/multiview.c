/* SPDX-License-Identifier: MIT */
/*
 * Tests OVR_multiview and OVR_multiview2: draws and clears of framebuffers with several views give
 * the pictures that they give view by view, with the number of the view as a uniform.  Also what the
 * extensions forbid.
 */
#include "core.h"

#define SIZE 96
#define LAYERS 8
#define FIRST 1 /* layer of view 0 */

static PFNGLFRAMEBUFFERTEXTUREMULTIVIEWOVRPROC framebuffer_views;
/* Headers of Debian 12 do not have this type. */
typedef void (*named_views_func)(GLuint framebuffer, GLenum attachment, GLuint texture, GLint level,
                                 GLint first, GLsizei views);
static named_views_func named_views;
static uint8_t colors[2][LAYERS][SIZE][SIZE][4];
static GLfloat depths[2][LAYERS][SIZE][SIZE];

/* Two textures with the layers of the views, for drawing with and without multiview. */
struct target {
   GLuint fb, color, depth;
   GLint level;
};
static struct target targets[2];

static void
attach_views(const struct target *t, GLsizei views)
{
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
   framebuffer_views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t->color, t->level, FIRST, views);
   named_views(t->fb, GL_DEPTH_ATTACHMENT, t->depth, t->level, FIRST, views);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%d views", views);
}

static void
attach_layer(const struct target *t, GLint layer)
{
   glBindFramebuffer(GL_FRAMEBUFFER, t->fb);
   glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t->color, t->level, layer);
   glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, t->depth, t->level, layer);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "layer %d", layer);
}

static void
target_create(struct target *t, GLint level)
{
   t->level = level;
   glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &t->color);
   glTextureStorage3D(t->color, level + 1, GL_RGBA8, SIZE << level, SIZE << level, LAYERS);
   glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &t->depth);
   glTextureStorage3D(t->depth, level + 1, GL_DEPTH_COMPONENT32F, SIZE << level, SIZE << level,
                      LAYERS);
   glCreateFramebuffers(1, &t->fb);
   for (GLint layer = 0; layer < LAYERS; layer++) {
      attach_layer(t, layer);
      glClearColor(0.125f, 0.25f, 0.5f, 1);
      glClearDepth(0.875);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   }
}

static void
target_destroy(struct target *t)
{
   glDeleteFramebuffers(1, &t->fb);
   glDeleteTextures(1, &t->color);
   glDeleteTextures(1, &t->depth);
}

static void
target_read(const struct target *t, unsigned which)
{
   for (GLint layer = 0; layer < LAYERS; layer++) {
      attach_layer(t, layer);
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, colors[which][layer]);
      glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depths[which][layer]);
   }
}

/* Vertex i of instance n, and what view v makes of it. */
#define BODY                                                                            \
   "   float i = float(gl_VertexID), n = float(gl_InstanceID), v = float(view());\n"    \
   "   vec2 p = fract(vec2(i * 0.37, i * 0.73 + n * 0.21)) * 2.0 - 1.0;\n"              \
   "   gl_Position = vec4(p + vec2(0.1, -0.05) * v, fract(i * 0.53 + n * 0.3), 1.0);\n" \
   "   shade = fract(vec3(i * 0.11, v * 0.3, n * 0.7));\n"

/* Returns a program for a number of views, or one whose view is a uniform if `views` is 0.  The
 * layer that the vertex shader selects must have no effect.
 */
static GLuint
program_of(unsigned views, bool layer)
{
   const char *head = views ? text("#extension GL_OVR_multiview2 : require\n"
                                   "#extension GL_ARB_shader_viewport_layer_array : require\n"
                                   "uint view() { return gl_ViewID_OVR; }\n")
                            : "uniform int number; uint view() { return uint(number); }\n";

   return PROGRAM(.head = head,
                  .vs = text("%s out vec3 shade;\n"
                             "void main() {\n" BODY "%s}\n",
                             views ? text("layout(num_views = %u) in;\n", views) : "",
                             layer && views ? "   gl_Layer = 3 - int(view());\n" : ""),
                  .fs = "in vec3 shade; layout(location = 0) out vec4 color;\n"
                        "void main() { color = vec4(shade, fract(float(view()) * 0.4 + 0.3)); }\n");
}

static GLuint indices, commands, recorded;

static void
draw_arrays(void)
{
   glDrawArrays(GL_TRIANGLES, 0, 30);
   glDrawArraysInstanced(GL_LINES, 7, 12, 3);
}

static void
draw_elements(void)
{
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
   glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, 12, GL_UNSIGNED_SHORT, NULL, 5);
   const GLsizei counts[2] = { 6, 9 };
   const void *const starts[2] = { (void *)2, (void *)6 };
   glMultiDrawElements(GL_TRIANGLES, counts, GL_UNSIGNED_SHORT, starts, 2);
}

static void
draw_indirect(void)
{
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands);
   glDrawArraysIndirect(GL_TRIANGLES, NULL);
   glMultiDrawArraysIndirect(GL_POINTS, NULL, 2, 16);
}

static void
draw_recorded(void)
{
   glDrawTransformFeedback(GL_TRIANGLES, recorded);
}

static void
draw_many(void)
{
   for (GLint i = 0; i < 40; i++)
      glDrawArrays(GL_TRIANGLES, 3 * i, 3);
}

static void
clear_all(void)
{
   glClearColor(0.5f, 0.75f, 0.25f, 0.5f);
   glClearDepth(0.75);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   draw_arrays();
}

static void
clear_parts(void)
{
   static const GLfloat color[4] = { 1, 0.5f, 0.25f, 0 };

   glEnable(GL_SCISSOR_TEST);
   glScissor(11, 17, 50, 40);
   glClear(GL_DEPTH_BUFFER_BIT);
   glDisable(GL_SCISSOR_TEST);
   glColorMask(1, 0, 0, 1);
   glClearBufferfv(GL_COLOR, 0, color);
   glColorMask(1, 1, 1, 1);
   draw_arrays();
}

static const struct operation {
   const char *name;
   void (*run)(void);
} operations[] = {
   { "arrays", draw_arrays },     { "elements", draw_elements }, { "indirect", draw_indirect },
   { "recorded", draw_recorded }, { "many", draw_many },         { "clear", clear_all },
   { "clears", clear_parts },
};

static void
pictures(unsigned views, unsigned style)
{
   (style & 1 ? glEnable : glDisable)(GL_DEPTH_TEST);
   (style & 2 ? glEnable : glDisable)(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE);
   for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
      const GLuint with = program_of(views, style & 1), without = program_of(0, false);
      GLuint query, passed[2] = { 0 };

      glGenQueries(1, &query);
      for (unsigned t = 0; t < 2; t++)
         target_create(&targets[t], style & 1);
      glUseProgram(with);
      attach_views(&targets[0], views);
      glBeginQuery(GL_SAMPLES_PASSED, query);
      operations[i].run();
      glEndQuery(GL_SAMPLES_PASSED);
      glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed[0]);
      target_read(&targets[0], 0);

      glUseProgram(without);
      glBeginQuery(GL_SAMPLES_PASSED, query);
      for (unsigned view = 0; view < views; view++) {
         attach_layer(&targets[1], FIRST + view);
         glUniform1i(0, view);
         operations[i].run();
      }
      glEndQuery(GL_SAMPLES_PASSED);
      glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed[1]);
      target_read(&targets[1], 1);

      CHECK(passed[0] == passed[1] && passed[0], "%s, %u views: %u samples, not %u",
            operations[i].name, views, passed[0], passed[1]);
      CHECK(!memcmp(colors[0], colors[1], sizeof(colors[0])) &&
               !memcmp(depths[0], depths[1], sizeof(depths[0])),
            "%s, %u views, style %u: the pictures differ", operations[i].name, views, style);
      CHECK(memcmp(colors[0][FIRST], colors[0][FIRST + views], sizeof(colors[0][0])),
            "%s draws nothing", operations[i].name);
      for (unsigned t = 0; t < 2; t++)
         target_destroy(&targets[t]);
      glDeleteQueries(1, &query);
      glDeleteProgram(with);
      glDeleteProgram(without);
   }
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_BLEND);
}

#define EXPECT_ERROR(wanted, ...)                                \
   do {                                                          \
      __VA_ARGS__;                                               \
      const GLenum error = glGetError();                         \
      CHECK(error == (wanted), "%s: 0x%x", #__VA_ARGS__, error); \
   } while (0)

static void
errors(void)
{
   struct target *t = &targets[0];
   static uint8_t pixel[4];
   static const char *const outputs[] = { "shade", NULL };
   const GLuint one = program_of(0, false), two = program_of(2, false);
   const GLuint records = PROGRAM(.head = "#extension GL_OVR_multiview : require\n",
                                  .vs = "layout(num_views = 2) in; out vec3 shade;\n"
                                        "void main() { shade = vec3(1); gl_Position = vec4(0); }\n",
                                  .varyings = outputs);
   const GLuint makes = PROGRAM(.head = "#extension GL_OVR_multiview : require\n",
                                .vs = "layout(num_views = 2) in; void main() { }\n",
                                .gs = "layout(points) in; layout(points, max_vertices = 1) out;\n"
                                      "void main() { EmitVertex(); }\n");
   GLuint buffer, texture;
   GLint value = 0;

   target_create(t, 0);
   glGetIntegerv(GL_MAX_VIEWS_OVR, &value);
   CHECK(value == 6, "%d views", value);
   EXPECT_ERROR(GL_INVALID_VALUE,
                framebuffer_views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t->color, 0, 0, 7));
   EXPECT_ERROR(GL_INVALID_VALUE,
                framebuffer_views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t->color, 0, 0, 0));
   EXPECT_ERROR(GL_INVALID_VALUE,
                framebuffer_views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t->color, 0, -1, 2));
   EXPECT_ERROR(GL_INVALID_VALUE,
                framebuffer_views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t->color, 0, INT32_MAX, 2));
   glCreateTextures(GL_TEXTURE_2D, 1, &texture);
   glTextureStorage2D(texture, 1, GL_RGBA8, SIZE, SIZE);
   EXPECT_ERROR(GL_INVALID_OPERATION,
                framebuffer_views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 0, 1));

   attach_views(t, 2);
   glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                         GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR, &value);
   CHECK(value == 2, "%d views", value);
   glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                         GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR,
                                         &value);
   CHECK(value == FIRST, "view 0 is layer %d", value);

   glUseProgram(two);
   EXPECT_ERROR(GL_NO_ERROR, glDrawArrays(GL_TRIANGLES, 0, 3));
   glUseProgram(one);
   EXPECT_ERROR(GL_INVALID_OPERATION, glDrawArrays(GL_TRIANGLES, 0, 3));
   glUseProgram(makes);
   EXPECT_ERROR(GL_INVALID_OPERATION, glDrawArrays(GL_POINTS, 0, 3));
   glUseProgram(records);
   buffer = core_buffer(1000, NULL);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   EXPECT_ERROR(GL_NO_ERROR, glDrawArrays(GL_POINTS, 0, 3));
   glBeginTransformFeedback(GL_POINTS);
   EXPECT_ERROR(GL_INVALID_OPERATION, glDrawArrays(GL_POINTS, 0, 3));
   glEndTransformFeedback();
   EXPECT_ERROR(GL_NO_ERROR, glDrawArrays(GL_POINTS, 0, 3));

   EXPECT_ERROR(GL_INVALID_FRAMEBUFFER_OPERATION,
                glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel));
   EXPECT_ERROR(GL_INVALID_FRAMEBUFFER_OPERATION,
                glCopyTextureSubImage2D(texture, 0, 0, 0, 0, 0, 8, 8));
   glBindTexture(GL_TEXTURE_2D, texture);
   EXPECT_ERROR(GL_INVALID_FRAMEBUFFER_OPERATION,
                glBlitFramebuffer(0, 0, 1, 1, 0, 0, 1, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST));
   /* One view can be read. */
   attach_views(t, 1);
   EXPECT_ERROR(GL_NO_ERROR, glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel));
   glUseProgram(one);
   EXPECT_ERROR(GL_NO_ERROR, glDrawArrays(GL_TRIANGLES, 0, 3));
   glUseProgram(two);
   EXPECT_ERROR(GL_INVALID_OPERATION, glDrawArrays(GL_TRIANGLES, 0, 3));

   framebuffer_views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t->color, 0, FIRST, 3);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR,
         "different numbers of views");
   framebuffer_views(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, t->depth, 0, LAYERS - 2, 3);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT,
         "views beyond the last layer");
   /* A renderbuffer in place of views has none. */
   attach_renderbuffer(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, 0, SIZE, SIZE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR,
         "a renderbuffer next to views");
   glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t->color, 0, 2);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "a layer");
   target_destroy(t);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
}

/* Blits write the first view alone. */
static void
blit(void)
{
   struct target *t = &targets[0];
   GLuint texture;
   const GLuint fb = core_target(GL_RGBA8, SIZE, SIZE, &texture);

   target_create(t, 0);
   attach_views(t, 3);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, fb);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   target_read(t, 0);
   for (unsigned layer = 0; layer < LAYERS; layer++)
      CHECK((colors[0][layer][50][50][3] == 0) == (layer == FIRST), "layer %u: alpha %d", layer,
            colors[0][layer][50][50][3]);
   target_destroy(t);
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
}

/* A compute shader that reads the view runs for each view. */
static void
grids(void)
{
   struct target *t = &targets[0];
   uint32_t counts[8];
   const GLuint program = PROGRAM(.head = "#extension GL_OVR_multiview2 : require\n",
                                  .cs = "layout(local_size_x = 32) in;\n"
                                        "layout(std430, binding = 0) buffer B { uint count[]; };\n"
                                        "void main() { atomicAdd(count[gl_ViewID_OVR], 1u); }\n");

   target_create(t, 0);
   for (unsigned views = 0; views <= 4; views += 4) {
      const GLuint buffer = core_storage(0, sizeof(counts), NULL);
      if (views)
         attach_views(t, views);
      glDispatchCompute(3, 1, 1);
      core_read(buffer, sizeof(counts), counts);
      for (unsigned i = 0; i < 8; i++)
         CHECK(counts[i] == (i < (views ? views : 1) ? 96 : 0), "%u views, view %u: %u", views, i,
               counts[i]);
      glDeleteBuffers(1, &buffer);
   }
   target_destroy(t);
   glDeleteProgram(program);
}

static bool
compiles(const char *source)
{
   const GLuint shader = glCreateShader(GL_VERTEX_SHADER);
   GLint ok;

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   glDeleteShader(shader);
   return ok;
}

static void
language(const char *version)
{
   static const char *const refused[] = {
      "layout(num_views = 0) in;",
      "layout(num_views = 7) in;",
      "layout(num_views = 2) in; layout(num_views = 3) in;",
      "layout(num_views = 2) out;",
   };
   static const char *const accepted[] = {
      "layout(num_views = 6) in;",
      "layout(num_views = 2) in; layout(num_views = 2) in;",
      "uint f() { return gl_ViewID_OVR + 1u; }",
   };

   for (unsigned multiview2 = 0; multiview2 < 2; multiview2++) {
      const char *head = text("#version %s\n#extension GL_OVR_multiview%s : require\n", version,
                              multiview2 ? "2" : "");
      for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
         CHECK(!compiles(text("%s%s\nvoid main() { }\n", head, refused[i])), "%s compiles",
               refused[i]);
      for (unsigned i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++)
         CHECK(compiles(text("%s%s\nvoid main() { }\n", head, accepted[i])), "%s", accepted[i]);
   }
   CHECK(!compiles(text("#version %s\nlayout(num_views = 2) in;\nvoid main() { }\n", version)),
         "num_views without the extension");
}

static void
make_buffers(void)
{
   static const char *const outputs[] = { "gl_Position", NULL };
   static const GLushort numbers[20] = { 0, 5, 3, 9, 12, 1, 7, 2, 4, 11, 6, 8, 10, 13, 3, 1, 2, 9 };
   static const GLuint draws[8] = { 12, 2, 3, 0, 9, 1, 5, 0 };

   indices = core_buffer(sizeof(numbers), numbers);
   commands = core_buffer(sizeof(draws), draws);
   const GLuint program = PROGRAM(.vs = FILL_VS, .varyings = outputs);
   const GLuint buffer = core_buffer(3000, NULL);
   GLuint texture;
   core_target(GL_RGBA8, SIZE, SIZE, &texture);
   glGenTransformFeedbacks(1, &recorded);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, recorded);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArrays(GL_TRIANGLES, 0, 24);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
   glDeleteProgram(program);
}

int
main(void)
{
   static const unsigned counts[] = { 1, 2, 3, 6 };

   core_begin();
   REQUIRE(core_extension("GL_OVR_multiview") && core_extension("GL_OVR_multiview2"));
   framebuffer_views = (PFNGLFRAMEBUFFERTEXTUREMULTIVIEWOVRPROC)eglGetProcAddress(
      "glFramebufferTextureMultiviewOVR");
   named_views = (named_views_func)eglGetProcAddress("glNamedFramebufferTextureMultiviewOVR");
   make_buffers();
   glViewport(0, 0, SIZE, SIZE);
   glPointSize(5);
   for (unsigned style = 0; style < 4; style++)
      pictures(counts[style], style);
   errors();
   glViewport(0, 0, SIZE, SIZE);
   blit();
   grids();
   language("450 core");
   language("300 es");
   return core_end("multiview");
}
