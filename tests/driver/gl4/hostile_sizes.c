/* SPDX-License-Identifier: MIT */
/*
 * Tests extreme sizes in a thread with a small stack: counts, names, structures of SPIR-V, and
 * index offsets that are not multiples of an index.  Each call must report an error or have its
 * result, and the context must work afterwards.
 */
#include <pthread.h>

#include "core.h"

#define STACK (256 << 10)
#define MANY (4 << 20)

/* Tests long names with an index.  Mesa splits these into the name and the index. */
static void
test_names(GLuint program)
{
   char *name = malloc(MANY + 4);

   memset(name, 'a', MANY);
   strcpy(name + MANY, "[0]");
   CHECK(glGetUniformLocation(program, name) == -1, "a location of no uniform");
   CHECK(glGetAttribLocation(program, name) == -1, "a location of no attribute");
   CHECK(glGetFragDataLocation(program, name) == -1, "a location of no output");
   CHECK(glGetProgramResourceIndex(program, GL_UNIFORM, name) == GL_INVALID_INDEX, "an index");
   CHECK(glGetProgramResourceLocation(program, GL_UNIFORM, name) == -1, "a location");
   CHECK(glGetUniformBlockIndex(program, name) == GL_INVALID_INDEX, "an index of no block");
   CHECK(glGetUniformLocation(program, "u[0]") == 3, "the location of u[0]");
   CHECK(glGetUniformLocation(program, "u") == 3, "the location of u");
   free(name);
   CHECK(glGetError() == GL_NO_ERROR, "names are no errors");
}

static void
test_shader_binary(void)
{
   GLuint *shaders = calloc(MANY, sizeof *shaders);
   const uint32_t word = 0x07230203;

   glShaderBinary(MANY, shaders, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, &word, 4);
   CHECK(glGetError() == GL_INVALID_VALUE, "no shaders");
   glShaderBinary(-1, shaders, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, &word, 4);
   CHECK(glGetError() == GL_INVALID_VALUE, "a negative count");
   glShaderBinary(0, shaders, 0, &word, 4);
   CHECK(glGetError() == GL_INVALID_ENUM, "no format");
   free(shaders);
}

static void
test_multi_draw(void)
{
   static const uintptr_t offsets[] = { 1, 0x414243444549, UINTPTR_MAX, 0xfffffffffffe };
   const GLsizei counts[2] = { 3, 3 };
   static const uint16_t indices[32] = { 0 };
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
   for (unsigned i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
      const void *const pair[2] = { (const void *)offsets[i], NULL };
      glMultiDrawElements(GL_TRIANGLES, counts, GL_UNSIGNED_SHORT, pair, 2);
      glMultiDrawElements(GL_TRIANGLES, counts, GL_UNSIGNED_INT, pair, 2);
      glFinish();
   }
   CHECK(glGetError() == GL_NO_ERROR, "draws");
}

static uint32_t *words;
static unsigned num_words;

static void
op(unsigned code, unsigned count, const uint32_t *operands)
{
   words[num_words++] = (count + 1) << 16 | code;
   memcpy(words + num_words, operands, count * 4);
   num_words += count;
}

#define OP(code, ...) \
   op(code, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, (const uint32_t[]){ __VA_ARGS__ })

/* Tests a SPIR-V vertex shader with a variable of a structure of `members` floats. */
static void
test_structure(unsigned members)
{
   enum { VOID = 1, FN, F, V4, PO, OUT, MAIN, LABEL, ST, PST, VAR, C0, ZERO, BOUND };
   uint32_t *types = malloc((members + 1) * 4);
   GLint ok;

   words = malloc((members + 200) * 4);
   num_words = 0;
   static const uint32_t header[5] = { 0x07230203, 0x00010000, 0, BOUND, 0 };
   memcpy(words, header, sizeof header);
   num_words = 5;
   OP(17, 1);
   OP(14, 0, 1);
   OP(15, 0, MAIN, 0x6e69616d, 0, OUT);
   OP(71, OUT, 11, 0);
   OP(19, VOID);
   OP(33, FN, VOID);
   OP(22, F, 32);
   OP(23, V4, F, 4);
   OP(32, PO, 3, V4);
   OP(59, PO, OUT, 3);
   types[0] = ST;
   for (unsigned i = 1; i <= members; i++)
      types[i] = F;
   op(30, members + 1, types);
   OP(32, PST, 7, ST);
   OP(43, F, C0, 0);
   OP(44, V4, ZERO, C0, C0, C0, C0);
   OP(54, VOID, MAIN, 0, FN);
   OP(248, LABEL);
   OP(59, PST, VAR, 7);
   OP(62, OUT, ZERO);
   op(253, 0, NULL);
   op(56, 0, NULL);

   GLuint shader = glCreateShader(GL_VERTEX_SHADER);
   glShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, words, num_words * 4);
   glSpecializeShader(shader, "main", 0, NULL, NULL);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   CHECK(ok, "a structure of %u members", members);
   glDeleteShader(shader);
   CHECK(glGetError() == GL_NO_ERROR, "a structure of %u members", members);
   free(types);
   free(words);
}

static void *
run(void *arg)
{
   EGLDisplay display = core_display();
   GLuint vao, texture;

   core_current(display, core_context(display, false));
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   core_target(GL_RGBA8, 16, 16, &texture);
   const GLuint program = PROGRAM(.vs = "layout(location = 3) uniform float u[2];\n"
                                        "void main() { gl_Position = vec4(u[gl_VertexID & 1]); }\n",
                                  .fs = "out vec4 color;\n"
                                        "void main() { color = vec4(1); }\n");
   test_names(program);
   test_shader_binary();
   test_multi_draw();
   test_structure(100);
   test_structure(60000);
   return NULL;
}

int
main(void)
{
   pthread_attr_t attributes;
   pthread_t thread;

   pthread_attr_init(&attributes);
   pthread_attr_setstacksize(&attributes, STACK);
   if (pthread_create(&thread, &attributes, run, NULL)) {
      fprintf(stderr, "no thread\n");
      return 1;
   }
   pthread_join(thread, NULL);
   return fails != 0;
}
