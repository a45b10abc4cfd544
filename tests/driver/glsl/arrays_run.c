/* SPDX-License-Identifier: MIT */
/*
 * Runs programs that random_arrays.py has written, and compares the results with the expected
 * values in the same file.
 *
 * usage: arrays_run FILE...
 *
 * A file has the sources of the stages, and lines that begin with '@':
 *
 *    @stage NAME           the source of this stage follows
 *    @draw MODE N          draws N vertices; without this line, one workgroup runs
 *    @uniform B N          binds N words of patterns as a uniform block
 *    @storage B N          binds N words of patterns as a storage buffer
 *    @expect WHERE FIRST WORDS...
 *                          expected words; WHERE: results (storage buffer 0), the number of a
 *                          storage buffer, or target0 to target3
 *
 * A line of output has the file's name and "right", "wrong" with the first wrong word, or
 * "error", with the log on stderr.
 */
#include "../gl4/core.h"

/* Number of result words: stages * invocations * WORDS of arrays_stage.py. */
#define RESULTS (6 * 40 * 8)
#define WIDTH 8
#define BUFFERS 16
#define SEED 2166136261u

static GLuint targets[4];

static const struct {
   const char *name;
   GLenum stage;
} stage_names[] = {
   { "vert", GL_VERTEX_SHADER },          { "tesc", GL_TESS_CONTROL_SHADER },
   { "tese", GL_TESS_EVALUATION_SHADER }, { "geom", GL_GEOMETRY_SHADER },
   { "frag", GL_FRAGMENT_SHADER },        { "comp", GL_COMPUTE_SHADER },
};

/*
 * Patterns, as in pattern() of glsl_values.py.
 */

static uint32_t
seed_of(const char *name, size_t length)
{
   uint32_t h = SEED;

   for (size_t i = 0; i < length; i++)
      h = (h ^ (unsigned char)name[i]) * 16777619u;
   return h;
}

static uint32_t
pattern(uint32_t seed, unsigned n)
{
   return (seed + n * 40503u) >> 3 & 0x7ff;
}

/* A GL type: base type, columns and rows. */
struct shape {
   char base;
   unsigned columns, rows;
};

static struct shape
shape_of(GLenum type)
{
   static const struct {
      GLenum type;
      struct shape shape;
   } shapes[] = {
#define VECTORS(name, letter)                                               \
   { GL_##name, { letter, 1, 1 } }, { GL_##name##_VEC2, { letter, 1, 2 } }, \
      { GL_##name##_VEC3, { letter, 1, 3 } },                               \
   {                                                                        \
      GL_##name##_VEC4,                                                     \
      {                                                                     \
         letter, 1, 4                                                       \
      }                                                                     \
   }
#define MATRICES(name, letter)                                                            \
   { GL_##name##_MAT2, { letter, 2, 2 } }, { GL_##name##_MAT2x3, { letter, 2, 3 } },      \
      { GL_##name##_MAT2x4, { letter, 2, 4 } }, { GL_##name##_MAT3x2, { letter, 3, 2 } }, \
      { GL_##name##_MAT3, { letter, 3, 3 } }, { GL_##name##_MAT3x4, { letter, 3, 4 } },   \
      { GL_##name##_MAT4x2, { letter, 4, 2 } }, { GL_##name##_MAT4x3, { letter, 4, 3 } }, \
   {                                                                                      \
      GL_##name##_MAT4,                                                                   \
      {                                                                                   \
         letter, 4, 4                                                                     \
      }                                                                                   \
   }
      VECTORS(FLOAT, 'f'),  VECTORS(INT, 'i'),    VECTORS(UNSIGNED_INT, 'u'), VECTORS(BOOL, 'b'),
      VECTORS(DOUBLE, 'd'), MATRICES(FLOAT, 'f'), MATRICES(DOUBLE, 'd'),
#undef VECTORS
#undef MATRICES
   };

   for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
      if (shapes[i].type == type)
         return shapes[i].shape;
   }
   return (struct shape){ 0 };
}

static uint32_t
word_of(char base, uint32_t w)
{
   const float f = w;
   uint32_t bits;

   memcpy(&bits, &f, 4);
   return base == 'f' ? bits : base == 'i' ? w - 1024 : base == 'u' ? w * 65537 : w & 1;
}

/* Fills all active uniforms with patterns, except for those whose names begin with K or F: their
 * values are in the source.
 */
static void
set_uniforms(GLuint program)
{
   static GLuint words[1 << 14];
   static GLdouble doubles[1 << 14];
   GLint count = 0;

   glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
   for (GLint i = 0; i < count; i++) {
      char name[200];
      GLsizei length;
      GLint size;
      GLenum type;
      glGetActiveUniform(program, i, sizeof name, &length, &size, &type, name);
      const GLint location = glGetUniformLocation(program, name);
      const struct shape s = shape_of(type);
      const unsigned n = size * s.columns * s.rows;
      if (location < 0 || name[0] == 'K' || name[0] == 'F')
         continue;
      if (length > 3 && !strcmp(name + length - 3, "[0]"))
         length -= 3;
      const uint32_t seed = seed_of(name, length);
      for (unsigned k = 0; k < n && k < 1 << 14; k++) {
         words[k] = word_of(s.base, pattern(seed, k));
         doubles[k] = pattern(seed, k);
      }
      const GLfloat *f = (const GLfloat *)words;
      if (s.columns > 1) {
#define MATRIX(c, r, suffix)                                             \
   if (s.columns == c && s.rows == r) {                                  \
      if (s.base == 'd')                                                 \
         glUniformMatrix##suffix##dv(location, size, GL_FALSE, doubles); \
      else                                                               \
         glUniformMatrix##suffix##fv(location, size, GL_FALSE, f);       \
   }
         MATRIX(2, 2, 2)
         MATRIX(2, 3, 2x3)
         MATRIX(2, 4, 2x4)
         MATRIX(3, 2, 3x2)
         MATRIX(3, 3, 3)
         MATRIX(3, 4, 3x4)
         MATRIX(4, 2, 4x2)
         MATRIX(4, 3, 4x3)
         MATRIX(4, 4, 4)
#undef MATRIX
         continue;
      }
      switch (s.base) {
#define VECTOR(letter, suffix, data)                              \
   case letter:                                                   \
      (s.rows == 1   ? glUniform1##suffix                         \
       : s.rows == 2 ? glUniform2##suffix                         \
       : s.rows == 3 ? glUniform3##suffix                         \
                     : glUniform4##suffix)(location, size, data); \
      break
         VECTOR('f', fv, f);
         VECTOR('d', dv, doubles);
         VECTOR('i', iv, (const GLint *)words);
         VECTOR('u', uiv, words);
         VECTOR('b', uiv, words);
#undef VECTOR
      }
   }
}

/* Creates and binds the vertex attributes.  Component c in slot n of the array of vertex v has the
 * pattern with the number 64 v + 4 n + c.
 */
static GLuint
set_attributes(GLuint program, unsigned vertices)
{
   enum { LOCATIONS = 16 };
   GLint count = 0;
   uint32_t *data = calloc(LOCATIONS * 4, vertices * 4);
   const GLuint buffer = core_buffer(LOCATIONS * 16 * vertices, data);

   glGetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   for (GLint i = 0; i < count; i++) {
      char name[200];
      GLsizei length;
      GLint size;
      GLenum type;
      glGetActiveAttrib(program, i, sizeof name, &length, &size, &type, name);
      const GLint location = glGetAttribLocation(program, name);
      const struct shape s = shape_of(type);
      if (location < 0 || name[0] != 'A')
         continue;
      if (length > 3 && !strcmp(name + length - 3, "[0]"))
         length -= 3;
      const uint32_t seed = seed_of(name, length);
      for (unsigned n = 0; n < size * s.columns && location + n < LOCATIONS; n++) {
         const unsigned first = (location + n) * vertices * 4;
         for (unsigned v = 0; v < vertices; v++) {
            for (unsigned c = 0; c < s.rows; c++)
               data[first + v * 4 + c] = word_of(s.base, pattern(seed, 64 * v + 4 * n + c));
         }
         const void *at = (const void *)(uintptr_t)(first * 4);
         if (s.base == 'f')
            glVertexAttribPointer(location + n, s.rows, GL_FLOAT, GL_FALSE, 16, at);
         else
            glVertexAttribIPointer(location + n, s.rows, s.base == 'i' ? GL_INT : GL_UNSIGNED_INT,
                                   16, at);
         glEnableVertexAttribArray(location + n);
      }
   }
   glNamedBufferSubData(buffer, 0, LOCATIONS * 16 * vertices, data);
   free(data);
   return buffer;
}

/*
 * Reading and running a file.
 */

struct expectation {
   int where; /* number of the storage buffer; -1 - n: target n */
   unsigned first, count;
   uint32_t *words;
};

struct test {
   char *sources[6];
   GLenum mode;
   unsigned vertices;
   unsigned size[BUFFERS]; /* sizes of storage buffers, in words */
   GLuint buffers[2 * BUFFERS];
   unsigned num_expectations;
   struct expectation expectations[64];
};

static void
add_expectation(struct test *t, char *line)
{
   struct expectation *e = &t->expectations[t->num_expectations++];
   char *word = strtok(line, " ");

   e->where = !strcmp(word, "results")      ? 0
              : !strncmp(word, "target", 6) ? -1 - atoi(word + 6)
                                            : atoi(word);
   e->first = atoi(strtok(NULL, " "));
   e->words = calloc(1 << 15, 4);
   while ((word = strtok(NULL, " ")) && e->count < 1 << 15)
      e->words[e->count++] = strtoul(word, NULL, 16);
}

static void
bind_patterns(struct test *t, bool storage, unsigned binding, unsigned words)
{
   char name[20];
   uint32_t *data = calloc(words, 4);

   snprintf(name, sizeof name, "%c%u", storage ? 's' : 'u', binding);
   for (unsigned i = 0; i < words; i++)
      data[i] = word_of('f', pattern(seed_of(name, strlen(name)), i));
   const GLuint buffer = core_buffer(words * 4, data);
   glBindBufferBase(storage ? GL_SHADER_STORAGE_BUFFER : GL_UNIFORM_BUFFER, binding, buffer);
   t->buffers[binding + (storage ? 0 : BUFFERS)] = buffer;
   if (storage)
      t->size[binding] = words;
   free(data);
}

static void
parse(struct test *t, char *text)
{
   char *line = text;

   while (*line) {
      char *end = strchr(line, '\n');
      char *next = end ? end + 1 : line + strlen(line);
      char word[20];
      unsigned a, b;
      if (end)
         *end = '\0';
      if (!strncmp(line, "@stage ", 7)) {
         char *source = next;
         char *stop = strstr(next, "\n@");
         next = stop ? stop + 1 : next + strlen(next);
         if (stop)
            *stop = '\0';
         for (unsigned i = 0; i < 6; i++) {
            if (!strcmp(line + 7, stage_names[i].name))
               t->sources[i] = source;
         }
      } else if (sscanf(line, "@draw %19s %u", word, &a) == 2) {
         t->vertices = a;
         t->mode = !strcmp(word, "patches")     ? GL_PATCHES
                   : !strcmp(word, "triangles") ? GL_TRIANGLES
                                                : GL_POINTS;
      } else if (sscanf(line, "@uniform %u %u", &a, &b) == 2 && a < BUFFERS) {
         bind_patterns(t, false, a, b);
      } else if (sscanf(line, "@storage %u %u", &a, &b) == 2 && a < BUFFERS) {
         bind_patterns(t, true, a, b);
      } else if (!strncmp(line, "@expect ", 8) && t->num_expectations < 64) {
         add_expectation(t, line + 8);
      }
      line = next;
   }
}

static GLuint
link_program(const struct test *t)
{
   const GLuint program = glCreateProgram();
   GLint ok;
   char log[2000] = "";

   for (unsigned i = 0; i < 6; i++) {
      if (!t->sources[i])
         continue;
      const GLuint shader = glCreateShader(stage_names[i].stage);
      glShaderSource(shader, 1, (const char *const *)&t->sources[i], NULL);
      glCompileShader(shader);
      glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
      if (!ok) {
         glGetShaderInfoLog(shader, sizeof log, NULL, log);
         fprintf(stderr, "%s\n", log);
      }
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok) {
      glGetProgramInfoLog(program, sizeof log, NULL, log);
      fprintf(stderr, "%s\n", log);
      glDeleteProgram(program);
      return 0;
   }
   glUseProgram(program);
   return program;
}

/* Compares the results and prints the first wrong word.  Returns true if all are right. */
static bool
compare(const struct test *t)
{
   static uint32_t found[1 << 15];

   for (unsigned k = 0; k < t->num_expectations; k++) {
      const struct expectation *e = &t->expectations[k];
      if (e->where < 0)
         glGetTextureImage(targets[-1 - e->where], 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, WIDTH * 16,
                           found);
      else
         core_read(t->buffers[e->where], t->size[e->where] * 4, found);
      for (unsigned i = 0; i < e->count; i++) {
         if (found[e->first + i] != e->words[i]) {
            if (e->where)
               printf(" wrong: %s %d, word %u: %x, right %x\n", e->where < 0 ? "target" : "buffer",
                      e->where < 0 ? -1 - e->where : e->where, e->first + i, found[e->first + i],
                      e->words[i]);
            else
               printf(" wrong: %s, id %u, res[%u]: %x, right %x\n",
                      stage_names[(e->first + i) / 320].name, (e->first + i) / 8 % 40,
                      (e->first + i) % 8, found[e->first + i], e->words[i]);
            return false;
         }
      }
   }
   return true;
}

static void
run(char *text)
{
   struct test t = { 0 };

   parse(&t, text);
   t.buffers[0] = core_storage(0, RESULTS * 4, NULL);
   t.size[0] = RESULTS;
   const GLuint program = link_program(&t);
   GLuint attributes = 0;
   if (program) {
      set_uniforms(program);
      if (t.vertices) {
         attributes = set_attributes(program, t.vertices);
         glPatchParameteri(GL_PATCH_VERTICES, 3);
         glDrawArrays(t.mode, 0, t.vertices);
      } else {
         glDispatchCompute(1, 1, 1);
      }
      glMemoryBarrier(GL_ALL_BARRIER_BITS);
      if (compare(&t))
         printf(" right\n");
      glDeleteProgram(program);
   } else {
      printf(" error: it does not link\n");
   }
   for (unsigned i = 0; i < 16; i++)
      glDisableVertexAttribArray(i);
   glDeleteBuffers(1, &attributes);
   glDeleteBuffers(2 * BUFFERS, t.buffers);
   for (unsigned k = 0; k < t.num_expectations; k++)
      free(t.expectations[k].words);
   const GLenum error = glGetError();
   if (error)
      fprintf(stderr, "GL error 0x%x\n", error);
}

int
main(int argc, char **argv)
{
   static char text[1 << 22];
   GLuint fb;

   core_begin();
   glCreateFramebuffers(1, &fb);
   glCreateTextures(GL_TEXTURE_2D, 4, targets);
   for (unsigned i = 0; i < 4; i++) {
      glTextureStorage2D(targets[i], 1, GL_RGBA32UI, WIDTH, 1);
      glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0 + i, targets[i], 0);
   }
   glNamedFramebufferDrawBuffers(fb, 4,
                                 (const GLenum[]){ GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                                   GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT3 });
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glViewport(0, 0, WIDTH, 1);
   for (int i = 1; i < argc; i++) {
      FILE *file = fopen(argv[i], "r");

      if (!file)
         return 1;
      text[fread(text, 1, sizeof text - 1, file)] = '\0';
      fclose(file);
      printf("%s", argv[i]);
      fflush(stdout);
      run(text);
      fflush(stdout);
   }
   return 0;
}
