/* SPDX-License-Identifier: MIT */
/*
 * Layer and viewport index from each stage before the rasterizer
 * (ARB_shader_viewport_layer_array): the last stage's values hold, and only they.
 */
#include "core.h"

/* Four layers of four viewports, a quarter of the target each. */
enum { SIZE = 8, LAYERS = 4, VIEWPORTS = 4, DRAWS = LAYERS * VIEWPORTS };

static const char fragment[] =
   "layout(location = 0) out uint color;\n"
   "flat in int draw;\n"
   "void main() { color = 1 + draw + 100 * gl_Layer + 1000 * gl_ViewportIndex; }\n";

/* Position of a vertex of a draw that fills the viewport; w stays 1. */
#define FILL(vertex) \
   "gl_Position = vec4(" vertex " == 1 ? 3.0 : -1.0, " vertex " == 2 ? 3.0 : -1.0, 0, 1);\n"

#define NAMES(draw) "gl_Layer = " draw " / 4; gl_ViewportIndex = 3 - " draw " % 4;\n"

/* The quad of a patch. */
#define TES_HEAD "layout(quads, equal_spacing) in;\nin int number[]; flat out int draw;\n"
#define TES_POSITION "gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1);\n"

/* named: the draws go to their layers and viewports; else all go to the first ones. */
static void
check(const char *what, GLuint program, GLenum mode, unsigned vertices, bool named)
{
   static uint32_t pixels[LAYERS][SIZE][SIZE];
   const GLuint zero = 0;
   GLuint texture, fb;

   glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &texture);
   glTextureStorage3D(texture, 1, GL_R32UI, SIZE, SIZE, LAYERS);
   glClearTexImage(texture, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
   glCreateFramebuffers(1, &fb);
   glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, texture, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   for (unsigned i = 0; i < VIEWPORTS; i++)
      glViewportIndexedf(i, (i & 1) * SIZE / 2, (i >> 1) * SIZE / 2, SIZE / 2, SIZE / 2);
   glUseProgram(program);
   glDrawArraysInstanced(mode, 0, vertices, DRAWS);
   glGetTextureImage(texture, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof pixels, pixels);
   for (unsigned layer = 0; layer < LAYERS; layer++) {
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            const unsigned viewport = x / (SIZE / 2) + y / (SIZE / 2) * 2;
            const unsigned draw = layer * 4 + 3 - viewport;
            uint32_t expected = 1 + draw + 100 * layer + 1000 * viewport;

            if (!named)
               expected = layer || viewport ? 0 : DRAWS;
            CHECK(pixels[layer][y][x] == expected, "%s: layer %u, pixel %u %u: %u instead of %u",
                  what, layer, x, y, pixels[layer][y][x], expected);
         }
      }
   }
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
}

int
main(void)
{
   static const char head[] = "#extension GL_ARB_shader_viewport_layer_array : require\n";
   const float levels[4] = { 3, 2, 3, 2 };

   core_begin();
   if (!core_extension("GL_ARB_shader_viewport_layer_array"))
      return 77;
   glPatchParameteri(GL_PATCH_VERTICES, 1);
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
   glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels);

   check("vertex",
         PROGRAM(.head = head,
                 .vs = "flat out int draw;\n"
                       "void main() { draw = gl_InstanceID;\n" NAMES("draw")
                          FILL("gl_VertexID") "}\n",
                 .fs = fragment),
         GL_TRIANGLES, 3, true);
   check("tessellation evaluation",
         PROGRAM(.head = head, .vs = "out int number; void main() { number = gl_InstanceID; }\n",
                 .tes = TES_HEAD "void main() { draw = number[0];\n" NAMES("draw") TES_POSITION
                 "}\n",
                 .fs = fragment),
         GL_PATCHES, 1, true);
   check(
      "tessellation evaluation, another name by the vertex program",
      PROGRAM(.head = head,
              .vs = "out int number;\n"
                    "void main() { number = gl_InstanceID; gl_Layer = 1; gl_ViewportIndex = 2; }\n",
              .tes = TES_HEAD "void main() { draw = number[0];\n" NAMES("draw") TES_POSITION "}\n",
              .fs = fragment),
      GL_PATCHES, 1, true);
   check("vertex, with tessellation behind it",
         PROGRAM(.head = head,
                 .vs = "out int number;\n"
                       "void main() { number = gl_InstanceID;\n" NAMES("number") "}\n",
                 .tes = TES_HEAD "void main() { draw = number[0]; " TES_POSITION "}\n",
                 .fs = fragment),
         GL_PATCHES, 1, false);
   check(
      "geometry, another name by tessellation evaluation",
      PROGRAM(
            .head = head, .vs = "out int number; void main() { number = gl_InstanceID; }\n",
            .tes =
               "layout(quads) in;\nin int number[]; out int middle;\n"
               "void main() { middle = number[0]; gl_Layer = 1; gl_ViewportIndex = 1;\n" TES_POSITION
               "}\n",
            .gs = "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                  "in int middle[]; flat out int draw;\n"
                  "void main() {\n"
                  "   for (int i = 0; i < 3; i++) {\n"
                  "      draw = middle[0]; gl_Position = gl_in[i].gl_Position;\n" NAMES(
                     "draw") "EmitVertex();\n"
                             "   }\n"
                             "}\n",
            .fs = fragment),
      GL_PATCHES, 1, true);
   return core_end("layers");
}
