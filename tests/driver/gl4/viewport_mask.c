/* SPDX-License-Identifier: MIT */
/*
 * Tests NV_viewport_array2: primitives that a mask sends to several viewports give the pictures that
 * they give in each of these viewports alone, also with layers that depend on the viewport.
 */
#include "core.h"

#define SIZE 96
#define LAYERS 20
#define VIEWPORTS 16

static uint8_t colors[2][LAYERS][SIZE][SIZE][4];
static GLuint texture, fb;

/* How the layer depends on the viewport. */
enum layers { NO_LAYER, SAME_LAYER, RELATIVE_LAYER };

struct mode {
   enum layers layers;
   enum { VERTEX, TESSELLATION, GEOMETRY } stage;
   GLenum primitive;
};

/* Viewports do not overlap, so that the order of the primitives in different ones has no effect. */
static void
set_viewports(bool relative)
{
   for (unsigned i = 0; i < VIEWPORTS; i++) {
      const unsigned x = i % 4 * SIZE / 4, y = i / 4 * SIZE / 4;
      if (relative)
         glViewportIndexedf(i, 3.0f, 5.0f, (GLfloat)(SIZE - 2 * i), (GLfloat)(SIZE - i));
      else
         glViewportIndexedf(i, x + 2 + 0.25f * (i % 3), y + 2.0f, SIZE / 4 - 5, SIZE / 4 - 5);
      if (i % 5 == 4)
         glScissorIndexed(i, x + 4, y + 5, 11, 13);
      (i % 5 == 4 ? glEnablei : glDisablei)(GL_SCISSOR_TEST, i);
   }
}

/* Returns a program that writes the mask, or one that draws to the viewport `only`, if the mask has
 * it.  The mask of a primitive is that of its last vertex, whose number is n.
 */
static GLuint
program_of(const struct mode *m, bool mask)
{
   const char *layer = m->layers == NO_LAYER ? "" : "gl_Layer = 2;";
   const char *select =
      mask ? text("gl_ViewportMask[0] = int(mask(n)); %s", layer)
           : text("gl_ViewportIndex = only; %s\n"
                  "if ((mask(n) >> only & 1u) == 0u) gl_Position = vec4(0, 0, 0, -1);",
                  m->layers == NO_LAYER     ? ""
                  : m->layers == SAME_LAYER ? "gl_Layer = 2;"
                                            : "gl_Layer = 2 + only;");
   const char *head =
      ("#extension GL_NV_viewport_array2 : require\n"
       "#extension GL_ARB_fragment_layer_viewport : enable\n"
       "layout(location = 0) uniform int only; layout(location = 1) uniform uint size;\n"
       "uint mask(uint n) { return (n / size * 0x9e37u >> 3) & (n / size % 7u == 3u ? 0u : 0xffffu); }\n");
   const char *redeclare = mask && m->layers == RELATIVE_LAYER
                              ? "layout(viewport_relative) out int gl_Layer;\n"
                              : "";
   const char *vertex =
      "   uint n = uint(gl_VertexID); float i = float(gl_VertexID);\n"
      "   gl_Position = vec4(fract(vec2(i * 0.37, i * 0.73)) * 2.4 - 1.2, fract(i * 0.31), 1.0 + fract(i * 0.17));\n"
      "   gl_PointSize = 3.0;\n";
   const char *fs =
      "in vec3 shade; out vec4 color;\n"
      "void main() { color = vec4(shade, float(gl_ViewportIndex * 8 + gl_Layer) / 255.0); }\n";
   const char *shade = "   shade = fract(vec3(float(n) * 0.11, float(n) * 0.3, float(n) * 0.7));\n";

   switch (m->stage) {
   case VERTEX:
      return PROGRAM(.head = head,
                     .vs = text("%s out vec3 shade;\nvoid main() {\n%s%s%s\n}\n", redeclare, vertex,
                                shade, select),
                     .fs = fs);
   case TESSELLATION:
      return PROGRAM(
            .head = head,
            .vs = text("out uint number;\nvoid main() {\n%s number = n;\n}\n", vertex),
            .tcs =
               "layout(vertices = 3) out; in uint number[]; patch out uint first;\n"
               "void main() {\n"
               "   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
               "   first = number[0];\n"
               "   gl_TessLevelOuter = float[](2.0, 3.0, 2.0, 1.0); gl_TessLevelInner[0] = 2.0;\n"
               "}\n",
            .tes = text("layout(triangles) in; patch in uint first;\n"
                        "%s out vec3 shade;\n"
                        "void main() {\n"
                        "   uint n = first;\n"
                        "   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x +\n"
                        "                 gl_in[1].gl_Position * gl_TessCoord.y +\n"
                        "                 gl_in[2].gl_Position * gl_TessCoord.z;\n"
                        "%s%s\n}\n",
                        redeclare, shade, select),
            .fs = fs);
   default:
      return PROGRAM(
            .head = head,
            .vs = text("out uint number;\nvoid main() {\n%s number = n;\n}\n", vertex),
            .gs = text(
               "layout(triangles) in; layout(triangle_strip, max_vertices = 4) out;\n"
               "in uint number[]; %s out vec3 shade;\n"
               "void main() {\n"
               "   uint n = number[0];\n"
               "   for (int v = 0; v < 4; v++) {\n"
               "      gl_Position = gl_in[v %% 3].gl_Position + (v == 3 ? vec4(0.2, 0.1, 0, 0) : vec4(0));\n"
               "%s%s\n"
               "      EmitVertex();\n"
               "   }\n"
               "}\n",
               redeclare, shade, select),
            .fs = fs);
   }
}

static void
draw(const struct mode *m, unsigned size)
{
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glDrawArrays(m->primitive, 0, (GLsizei)(size * 40));
}

static void
test_mode(const struct mode *m)
{
   const unsigned size = m->primitive == GL_POINTS ? 1 : m->primitive == GL_LINES ? 2 : 3;
   GLuint query, counts[2] = { 0, 0 };
   unsigned differ = 0, drawn = 0;

   glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, texture, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   set_viewports(m->layers == RELATIVE_LAYER);
   glGenQueries(1, &query);
   for (unsigned which = 0; which < 2; which++) {
      const GLuint program = program_of(m, which == 0);
      GLuint passed;

      glDisable(GL_SCISSOR_TEST);
      glClearTexImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
      set_viewports(m->layers == RELATIVE_LAYER);
      glUniform1ui(1, size);
      glBeginQuery(GL_SAMPLES_PASSED, query);
      for (int v = 0; v < (which ? VIEWPORTS : 1); v++) {
         glUniform1i(0, v);
         draw(m, size);
      }
      glEndQuery(GL_SAMPLES_PASSED);
      glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
      counts[which] = passed;
      glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof colors[which], colors[which]);
      glDeleteProgram(program);
   }
   for (unsigned l = 0; l < LAYERS; l++) {
      for (unsigned p = 0; p < SIZE * SIZE; p++) {
         const uint8_t *a = colors[0][l][p / SIZE][p % SIZE], *b = colors[1][l][p / SIZE][p % SIZE];
         differ += memcmp(a, b, 4) != 0;
         drawn += a[3] != 0;
      }
   }
   CHECK(!differ, "layers %d, stage %d, primitive 0x%x: %u pixels", m->layers, m->stage,
         m->primitive, differ);
   CHECK(counts[0] == counts[1] && drawn > 100, "%u and %u samples, %u pixels", counts[0],
         counts[1], drawn);
   glDeleteQueries(1, &query);
}

int
main(void)
{
   static const struct mode modes[] = {
      { NO_LAYER, VERTEX, GL_TRIANGLES },           { SAME_LAYER, VERTEX, GL_TRIANGLES },
      { RELATIVE_LAYER, VERTEX, GL_TRIANGLES },     { NO_LAYER, VERTEX, GL_LINES },
      { RELATIVE_LAYER, VERTEX, GL_LINES },         { NO_LAYER, VERTEX, GL_POINTS },
      { RELATIVE_LAYER, VERTEX, GL_POINTS },        { NO_LAYER, TESSELLATION, GL_PATCHES },
      { RELATIVE_LAYER, TESSELLATION, GL_PATCHES }, { SAME_LAYER, GEOMETRY, GL_TRIANGLES },
      { RELATIVE_LAYER, GEOMETRY, GL_TRIANGLES },
   };

   core_begin();
   CHECK(core_extension("GL_NV_viewport_array2"), "not offered");
   glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
   glEnable(GL_PROGRAM_POINT_SIZE);
   glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &texture);
   glTextureStorage3D(texture, 1, GL_RGBA8, SIZE, SIZE, LAYERS);
   glCreateFramebuffers(1, &fb);
   for (unsigned fill = 0; fill < 2; fill++) {
      glPolygonMode(GL_FRONT_AND_BACK, fill ? GL_LINE : GL_FILL);
      for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++)
         test_mode(&modes[i]);
   }
   return core_end("viewport mask");
}
