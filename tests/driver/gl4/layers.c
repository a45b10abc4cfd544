/* SPDX-License-Identifier: MIT */
/*
 * Tests layers and viewports that vertex, tessellation evaluation and geometry shaders select
 * (ARB_shader_viewport_layer_array).  Each primitive of a draw must be in its layer and in the
 * rectangle of its viewport, and nowhere else.  Clears reach all layers of each attachment.
 */
#include "core.h"

#define SIZE 64
#define LAYERS 7
#define COUNT 48 /* number of primitives, each with three vertices */

enum stage { VERTEX, TESS_EVAL, GEOMETRY, STAGES };
static const char *const stages[STAGES] = { "vertex", "tessellation evaluation", "geometry" };

static GLuint texture;

/* Sets viewport v to a cell of a 4x4 grid. */
static void
set_viewports(void)
{
   for (unsigned v = 0; v < 16; v++)
      glViewportIndexedf(v, (float)(v % 4 * 16 + 2), (float)(v / 4 * 16 + 3), 11, 9);
}

/* Returns a program that puts primitive p in viewport p * 5 % 16 and layer p % LAYERS.  If layer or
 * viewport is false, the program does not write that value.
 */
static GLuint
program_of(enum stage stage, bool layer, bool viewport)
{
   const char *choose = text("%s%s", layer ? "gl_Layer = p % 7;\n" : "",
                             viewport ? "gl_ViewportIndex = p * 5 % 16;\n" : "");
   const char *corner = "vec4(v == 1 ? 3.0 : -1.0, v == 2 ? 3.0 : -1.0, 0.0, 1.0)";
   const char *fs = "flat in int id; layout(location = 0) out uint color;\n"
                    "void main() { color = uint(id + 1); }\n";
   const char *head = "#extension GL_ARB_shader_viewport_layer_array : require\n";

   switch (stage) {
   case VERTEX:
      return PROGRAM(.head = head,
                     .vs = text("flat out int id;\n"
                                "void main() {\n"
                                "   int p = gl_VertexID / 3, v = gl_VertexID %% 3;\n"
                                "   gl_Position = %s; id = p;\n"
                                "   %s}\n",
                                corner, choose),
                     .fs = fs);
   case TESS_EVAL:
      return PROGRAM(.head = head,
                     .vs = "out int number; void main() { number = gl_VertexID / 3; }\n",
                     .tes = text("layout(triangles, equal_spacing) in;\n"
                                 "in int number[]; flat out int id;\n"
                                 "void main() {\n"
                                 "   int p = number[0];\n"
                                 "   gl_Position = vec4(gl_TessCoord.xy * 4.0 - 1.0, 0.0, 1.0);\n"
                                 "   id = p;\n"
                                 "   %s}\n",
                                 choose),
                     .fs = fs);
   default:
      return PROGRAM(.head = head,
                     .vs = "out int number; void main() { number = gl_VertexID / 3; }\n",
                     .gs = text("layout(triangles) in;\n"
                                "layout(triangle_strip, max_vertices = 3) out;\n"
                                "in int number[]; flat out int id;\n"
                                "void main() {\n"
                                "   int p = number[0];\n"
                                "   for (int v = 0; v < 3; v++) {\n"
                                "      gl_Position = %s; id = p;\n"
                                "      %s\n"
                                "      EmitVertex();\n"
                                "   }\n"
                                "}\n",
                                corner, choose),
                     .fs = fs);
   }
}

static void
check(enum stage stage, bool layer, bool viewport, unsigned first, unsigned count)
{
   static uint32_t got[LAYERS][SIZE][SIZE], want[LAYERS][SIZE][SIZE];

   memset(want, 0, sizeof want);
   for (unsigned p = first; p < first + count; p++) {
      const unsigned l = layer ? p % LAYERS : 0, v = viewport ? p * 5 % 16 : 0;
      for (unsigned y = v / 4 * 16 + 3; y < v / 4 * 16 + 12; y++) {
         for (unsigned x = v % 4 * 16 + 2; x < v % 4 * 16 + 13; x++)
            want[l][y][x] = p + 1;
      }
   }
   glGetTextureImage(texture, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof got, got);
   unsigned wrong = 0;
   for (unsigned i = 0; i < LAYERS * SIZE * SIZE; i++)
      wrong += (&got[0][0][0])[i] != (&want[0][0][0])[i];
   CHECK(!wrong, "%s program%s%s, %u primitives: %u pixels are wrong", stages[stage],
         layer ? ", layer" : "", viewport ? ", viewport" : "", count, wrong);
}

static void
test(enum stage stage, bool layer, bool viewport)
{
   static const unsigned counts[] = { 1, 3, COUNT };
   const GLuint program = program_of(stage, layer, viewport);

   for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      glClearTexImage(texture, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
      glDrawArrays(stage == TESS_EVAL ? GL_PATCHES : GL_TRIANGLES, 3 * 5, 3 * counts[i]);
      check(stage, layer, viewport, 5, counts[i]);
   }
   glDeleteProgram(program);
}

/* Tests clears of attachments with different numbers of layers.  Draws only reach as many layers as
 * all attachments have.
 */
static void
clear_layers(void)
{
   static const unsigned layers[2] = { 3, LAYERS };
   static const GLenum buffers[2] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
   GLuint fb, textures[2];

   glCreateTextures(GL_TEXTURE_2D_ARRAY, 2, textures);
   glCreateFramebuffers(1, &fb);
   for (unsigned i = 0; i < 2; i++) {
      glTextureStorage3D(textures[i], 1, GL_R32UI, 1, 1, layers[i]);
      glClearTexImage(textures[i], 0, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
      glNamedFramebufferTexture(fb, buffers[i], textures[i], 0);
   }
   glNamedFramebufferDrawBuffers(fb, 2, buffers);
   for (unsigned i = 0; i < 2; i++) {
      const GLuint value[4] = { 5 + i };
      uint32_t got[LAYERS];

      glClearNamedFramebufferuiv(fb, GL_COLOR, i, value);
      glGetTextureImage(textures[i], 0, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof got, got);
      for (unsigned l = 0; l < layers[i]; l++)
         CHECK(got[l] == 5 + i, "clear of %u layers: layer %u is %u", layers[i], l, got[l]);
   }
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(2, textures);
}

int
main(void)
{
   GLuint fb;

   core_begin();
   clear_layers();
   if (!core_extension("GL_ARB_shader_viewport_layer_array"))
      return 1;
   glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &texture);
   glTextureStorage3D(texture, 1, GL_R32UI, SIZE, SIZE, LAYERS);
   glCreateFramebuffers(1, &fb);
   glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, texture, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   set_viewports();
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   for (enum stage stage = 0; stage < STAGES; stage++) {
      for (unsigned what = 0; what < 4; what++)
         test(stage, what & 1, what & 2);
   }
   return core_end("layers");
}
