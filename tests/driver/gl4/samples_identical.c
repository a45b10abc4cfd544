/* SPDX-License-Identifier: MIT */
/*
 * Tests EXT_shader_samples_identical: textureSamplesIdenticalEXT() is true for the texels whose
 * samples have the same bits, for all numbers of samples, and for no others.
 */
#include "core.h"

#define SIZE 64
#define LAYERS 2

struct format {
   GLenum format;
   const char *sampler, *color; /* prefix of the sampler's type, type of the output */
};

static const struct format formats[] = {
   { GL_RGBA8, "", "vec4" },      { GL_SRGB8_ALPHA8, "", "vec4" }, { GL_RGBA32F, "", "vec4" },
   { GL_RG16_SNORM, "", "vec4" }, { GL_R32UI, "u", "uvec4" },      { GL_RGBA16I, "i", "ivec4" },
};

static void
fill(GLuint texture, const struct format *f)
{
   GLuint fb;
   const GLuint program = PROGRAM(
         .vs = "uniform int layer; flat out int n;\n"
               "void main() {\n"
               "   float i = float(gl_VertexID + 100 * layer); n = gl_VertexID / 3;\n"
               "   gl_Position = vec4(fract(vec2(i * 0.37, i * 0.73)) * 3.0 - 1.5, 0.0, 1.0);\n"
               "}\n",
         .fs = text("flat in int n; layout(location = 0) out %s color;\n"
                    "void main() { color = %s(ivec4(n, n * n, 1, n + 7) %% 5) %s; }\n",
                    f->color, f->color, *f->sampler ? "" : "/ 5.0"));

   glCreateFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glViewport(0, 0, SIZE, SIZE);
   for (int layer = 0; layer < LAYERS; layer++) {
      glNamedFramebufferTextureLayer(fb, GL_COLOR_ATTACHMENT0, texture, 0, layer);
      CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "0x%x", f->format);
      glUniform1i(glGetUniformLocation(program, "layer"), layer);
      glDrawArrays(GL_TRIANGLES, 0, 60);
   }
   glDeleteFramebuffers(1, &fb);
   glDeleteProgram(program);
}

static void
test_format(const struct format *f, GLsizei samples)
{
   static GLuint found[LAYERS * SIZE * SIZE][2];
   GLuint texture, total[2] = { 0, 0 };
   const unsigned before = fails;

   glCreateTextures(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 1, &texture);
   glTextureStorage3DMultisample(texture, samples, f->format, SIZE, SIZE, LAYERS, GL_TRUE);
   fill(texture, f);
   const GLuint program =
      PROGRAM(.head = text("#extension GL_EXT_shader_samples_identical : require\n"
                           "layout(local_size_x = 8, local_size_y = 8) in;\n"
                           "layout(std430, binding = 0) writeonly buffer R { uvec2 r[]; };\n"
                           "layout(binding = 0) uniform %ssampler2DMSArray t;\n",
                           f->sampler),
              .cs = text("void main() {\n"
                         "   ivec3 p = ivec3(gl_GlobalInvocationID); bool same = true;\n"
                         "   for (int i = 1; i < %d; i++)\n"
                         "      same = same && texelFetch(t, p, i) == texelFetch(t, p, 0);\n"
                         "   uint n = uint((p.z * %u + p.y) * %u + p.x);\n"
                         "   r[n] = uvec2(textureSamplesIdenticalEXT(t, p), same);\n"
                         "}\n",
                         samples, SIZE, SIZE));
   const GLuint r = core_storage(0, sizeof found, NULL);
   glBindTextureUnit(0, texture);
   glDispatchCompute(SIZE / 8, SIZE / 8, LAYERS);
   core_read(r, sizeof found, found);
   for (unsigned i = 0; i < LAYERS * SIZE * SIZE && fails < before + 3; i++) {
      CHECK(found[i][0] == found[i][1], "0x%x, %d samples, texel %u: %u", f->format, samples, i,
            found[i][0]);
      total[found[i][1] != 0]++;
   }
   CHECK(total[0] > 50 && total[1] > 50, "0x%x: %u texels differ, %u do not", f->format, total[0],
         total[1]);
   glDeleteBuffers(1, &r);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
}

int
main(void)
{
   core_begin();
   CHECK(core_extension("GL_EXT_shader_samples_identical"), "not offered");
   for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
      for (GLsizei samples = 2; samples <= 16; samples *= 2)
         test_format(&formats[i], samples);
   }
   return core_end("samples identical");
}
