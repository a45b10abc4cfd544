/* SPDX-License-Identifier: MIT */
/*
 * Tests extreme sizes in a thread with a small stack: counts, names, types and IDs of SPIR-V,
 * and index offsets that are not multiples of an index.  Each call must report an error or have its
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

/* A SPIR-V vertex shader with a variable of a structure of `members` floats, in `levels` - 1
 * structures or arrays around it.
 */
struct module {
   unsigned members, levels;
   bool arrays;
   uint32_t bound;       /* of IDs; 0: the least */
   uint32_t schema;      /* word 4 of the header, 0 in all versions */
   bool compiles, links; /* expected */
};

/* Appends the types of a module.  Returns the outermost one, whose ID is the largest. */
static uint32_t
module_types(const struct module *m, uint32_t st, uint32_t element, uint32_t length, uint32_t next)
{
   uint32_t *types = malloc((m->members + 1) * 4);

   types[0] = st;
   for (unsigned i = 1; i <= m->members; i++)
      types[i] = element;
   op(30, m->members + 1, types);
   free(types);
   for (unsigned level = 1; level < m->levels; level++, st = next++) {
      if (m->arrays)
         OP(28, next, st, length);
      else
         OP(30, next, st);
   }
   return st;
}

static void
test_module(const struct module *m)
{
   enum { VOID = 1, FN, F, V4, PO, OUT, MAIN, LABEL, ST, PST, VAR, C0, ZERO, U, ONE, NEXT };
   const char *name = text("%u members, %u levels%s, bound %u", m->members, m->levels,
                           m->arrays ? " of arrays" : "", m->bound);
   GLint ok;

   words = malloc((m->members + 4 * m->levels + 200) * 4);
   num_words = 0;
   const uint32_t header[5] = { 0x07230203, 0x00010000, 0, 0, m->schema };
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
   OP(21, U, 32, 0);
   OP(43, U, ONE, 1);
   const uint32_t type = module_types(m, ST, F, ONE, NEXT);
   OP(32, PST, 7, type);
   OP(43, F, C0, 0);
   OP(44, V4, ZERO, C0, C0, C0, C0);
   OP(54, VOID, MAIN, 0, FN);
   OP(248, LABEL);
   OP(59, PST, VAR, 7);
   OP(62, OUT, ZERO);
   op(253, 0, NULL);
   op(56, 0, NULL);
   words[3] = m->bound ? m->bound : NEXT + m->levels;

   GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();
   glShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, words, num_words * 4);
   glSpecializeShader(shader, "main", 0, NULL, NULL);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   CHECK(ok == m->compiles, "%s: %s", name, ok ? "compiled" : "not compiled");
   glGetError();
   glAttachShader(program, shader);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   CHECK(ok == m->links, "%s: %s", name, ok ? "linked" : "not linked");
   CHECK(glGetError() == GL_NO_ERROR, "%s: an error", name);
   glDeleteProgram(program);
   glDeleteShader(shader);
   free(words);
}

/* The limits are those of SPIR-V, section 2.17. */
static void
test_modules(void)
{
   static const struct module modules[] = {
      { 100, 1, .compiles = true, .links = true },
      { 60000, 1, .compiles = true, .links = true },
      { 2, 255, .compiles = true, .links = true },
      { 2, 256, .compiles = true },
      { 2, 100000, .compiles = true },
      { 2, 255, .arrays = true, .compiles = true, .links = true },
      { 2, 100000, .arrays = true, .compiles = true },
      { 2, 1, .bound = 4194303, .compiles = true, .links = true },
      { 2, 1, .bound = 4194304 },
      { 2, 1, .bound = 1 << 27 }, /* times the size of a value: a multiple of 2^32 */
      { 2, 1, .bound = 1 << 29 },
      { 2, 1, .bound = UINT32_MAX },
      { 2, 1, .bound = 2 },
      { 2, 1, .schema = 1 },
   };
   for (unsigned i = 0; i < sizeof modules / sizeof modules[0]; i++)
      test_module(&modules[i]);
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
   test_modules();
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
