/* SPDX-License-Identifier: MIT */
/*
 * Runs programs that random_glsl.py has written, and prints the results.
 *
 * usage: glsl_run FILE...
 *
 * A file is the source of one shader; its name ends in .comp, .vert, .geom or .frag.  It
 * defines "void run(uint id, out uint res[8])" and no main().  This program adds a main() that
 * calls run() for each id below 64, in the file's stage.  A line of output has the file's name
 * and the 512 words of the results in hexadecimal.  For compute, the words of the storage buffer
 * follow.  On failure, the line has the name and "error", and the log is on stderr.
 */
#include "../gl4/core.h"

#define IDS 64
#define WORDS (IDS * 8)
#define DATA 1024 /* number of 32-bit words in the storage buffer */

#define RES "   uint res[8];\n"
#define OUTPUTS \
   "o0 = uvec4(res[0], res[1], res[2], res[3]); o1 = uvec4(res[4], res[5], res[6], res[7]);\n"

static const char comp_main[] = "layout(std430, binding = 0) buffer R { uint r[]; };\n"
                                "void main() {\n" RES "   uint id = gl_GlobalInvocationID.x;\n"
                                "   run(id, res);\n"
                                "   for (int i = 0; i < 8; i++) r[id * 8u + uint(i)] = res[i];\n"
                                "}\n";
static const char vert_main[] = "out uvec4 o0, o1;\n"
                                "void main() {\n" RES "   run(uint(gl_VertexID), res);\n   " OUTPUTS
                                "   gl_Position = vec4(0.0);\n"
                                "}\n";
static const char geom_main[] = "layout(points) in;\n"
                                "layout(points, max_vertices = 1) out;\n"
                                "flat in uint which[1];\n"
                                "out uvec4 o0, o1;\n"
                                "void main() {\n" RES "   run(which[0], res);\n   " OUTPUTS
                                "   EmitVertex();\n"
                                "}\n";
static const char geom_vs[] =
   "flat out uint which;\n"
   "void main() { which = uint(gl_VertexID); gl_Position = vec4(0.0); }\n";
static const char frag_main[] =
   "layout(location = 0) out uvec4 o0;\n"
   "layout(location = 1) out uvec4 o1;\n"
   "void main() {\n" RES
   "   run(uint(gl_FragCoord.x) + 8u * uint(gl_FragCoord.y), res);\n   " OUTPUTS "}\n";

static GLuint textures[2];

/* Creates the targets.  Draws need them even if only the vertex shader is of interest. */
static void
make_targets(void)
{
   GLuint fb;

   glCreateFramebuffers(1, &fb);
   glCreateTextures(GL_TEXTURE_2D, 2, textures);
   for (unsigned i = 0; i < 2; i++) {
      glTextureStorage2D(textures[i], 1, GL_RGBA32UI, 8, 8);
      glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0 + i, textures[i], 0);
   }
   glNamedFramebufferDrawBuffers(fb, 2,
                                 (const GLenum[]){ GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 });
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glViewport(0, 0, 8, 8);
}

static GLuint
compile(GLenum stage, const char *first, const char *second)
{
   const GLuint shader = glCreateShader(stage);
   GLint ok;
   char log[2000] = "";

   glShaderSource(shader, 2, (const char *const[]){ first, second }, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      glGetShaderInfoLog(shader, sizeof log, NULL, log);
      fprintf(stderr, "%s\n", log);
   }
   return shader;
}

/* Runs the shader.  Compute shaders write to a buffer, transform feedback records the results of
 * vertex and geometry shaders, and fragments write to a target.
 */
static bool
run(const char *source, const char *suffix, uint32_t found[WORDS + DATA])
{
   const bool comp = !strcmp(suffix, ".comp"), frag = !strcmp(suffix, ".frag");
   const bool geom = !strcmp(suffix, ".geom");
   const GLuint program = glCreateProgram();
   uint32_t data[DATA];
   GLint ok;
   char log[2000] = "";

   for (unsigned i = 0; i < DATA; i++)
      data[i] = (i + 1) * 2654435761u >> (i % 3 * 8);
   const GLuint buffers[2] = { core_storage(0, WORDS * 4, NULL),
                               core_storage(1, sizeof data, data) };

   if (comp) {
      glAttachShader(program, compile(GL_COMPUTE_SHADER, source, comp_main));
   } else if (frag) {
      glAttachShader(program, compile(GL_VERTEX_SHADER, "#version 450\n", FILL_VS));
      glAttachShader(program, compile(GL_FRAGMENT_SHADER, source, frag_main));
   } else {
      if (geom)
         glAttachShader(program, compile(GL_VERTEX_SHADER, "#version 450\n", geom_vs));
      glAttachShader(program, compile(geom ? GL_GEOMETRY_SHADER : GL_VERTEX_SHADER, source,
                                      geom ? geom_main : vert_main));
      glTransformFeedbackVaryings(program, 2, (const char *const[]){ "o0", "o1" },
                                  GL_INTERLEAVED_ATTRIBS);
   }
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok) {
      glGetProgramInfoLog(program, sizeof log, NULL, log);
      fprintf(stderr, "%s\n", log);
      return false;
   }
   glUseProgram(program);
   if (comp) {
      glDispatchCompute(1, 1, 1);
   } else if (frag) {
      glDrawArrays(GL_TRIANGLES, 0, 3);
      for (unsigned i = 0; i < 2; i++) {
         uint32_t pixels[IDS][4];
         glGetTextureImage(textures[i], 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, sizeof pixels, pixels);
         for (unsigned id = 0; id < IDS; id++)
            memcpy(&found[id * 8 + i * 4], pixels[id], 16);
      }
   } else {
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[0]);
      glEnable(GL_RASTERIZER_DISCARD);
      glBeginTransformFeedback(GL_POINTS);
      glDrawArrays(GL_POINTS, 0, IDS);
      glEndTransformFeedback();
      glDisable(GL_RASTERIZER_DISCARD);
   }
   if (!frag)
      core_read(buffers[0], WORDS * 4, found);
   core_read(buffers[1], DATA * 4, found + WORDS);
   glDeleteBuffers(2, buffers);
   glDeleteProgram(program);
   const GLenum error = glGetError();
   if (error)
      fprintf(stderr, "GL error 0x%x\n", error);
   return !error;
}

int
main(int argc, char **argv)
{
   static char source[1 << 20];
   static uint32_t found[WORDS + DATA];

   core_begin();
   make_targets();
   for (int i = 1; i < argc; i++) {
      FILE *file = fopen(argv[i], "r");
      const char *suffix = strrchr(argv[i], '.');

      if (!file || !suffix)
         return 1;
      source[fread(source, 1, sizeof source - 1, file)] = '\0';
      fclose(file);
      memset(found, 0, sizeof found);
      printf("%s", argv[i]);
      if (run(source, suffix, found)) {
         const unsigned count = strcmp(suffix, ".comp") ? WORDS : WORDS + DATA;
         for (unsigned k = 0; k < count; k++)
            printf(" %x", found[k]);
         printf("\n");
      } else {
         printf(" error\n");
      }
      fflush(stdout);
   }
   return 0;
}
