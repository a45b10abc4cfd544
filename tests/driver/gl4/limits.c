/* SPDX-License-Identifier: MIT */
/*
 * Tests large programs: deeply nested control flow is compared with the same code in C.  Programs
 * that the compiler refuses must not link, must have a log, and must leave the context as it was.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>

#include "core.h"

#define INVOCATIONS 640

static const char head[] = "#version 450\n"
                           "layout(local_size_x = 64) in;\n"
                           "layout(std430) buffer Out { uint values[]; };\n"
                           "void main()\n"
                           "{\n"
                           "   uint n = gl_GlobalInvocationID.x, x = n * 7u + 1u;\n";

enum kind { SWITCH, IFS, LOOPS, NUM_KINDS };

static const struct {
   const char *name;
   unsigned levels;
} kinds[NUM_KINDS] = {
   [SWITCH] = { "switch", 600 },
   [IFS] = { "ifs", 300 },
   [LOOPS] = { "loops", 30 },
};

static uint32_t
expected(enum kind kind, unsigned n)
{
   const unsigned levels = kinds[kind].levels;
   uint32_t x = n * 7 + 1;

   if (kind == SWITCH)
      return n < levels ? x * 5 + n * 3 : 9;
   for (unsigned i = 0; i < levels && i < n; i++)
      x = x * 5 + i;
   return x;
}

/* Returns the source of a shader.  The caller must free it. */
static char *
source(enum kind kind)
{
   const unsigned levels = kinds[kind].levels;
   char *out;
   size_t size;
   FILE *fp = open_memstream(&out, &size);

   fputs(head, fp);
   if (kind == SWITCH)
      fputs("switch (n) {\n", fp);
   for (unsigned i = 0; i < levels; i++) {
      if (kind == SWITCH)
         fprintf(fp, "case %uu: x = x * 5u + %uu; break;\n", i, i * 3);
      else if (kind == IFS)
         fprintf(fp, "if (n > %uu) { x = x * 5u + %uu;\n", i, i);
      else
         fprintf(fp, "for (uint i%u = 0u; i%u < uint(n > %uu); i%u++) { x = x * 5u + %uu;\n", i, i,
                 i, i, i);
   }
   if (kind == SWITCH)
      fputs("default: x = 9u; }", fp);
   else
      for (unsigned i = 0; i < levels; i++)
         fputc('}', fp);
   fputs("\nvalues[n] = x;\n}\n", fp);
   fclose(fp);
   return out;
}

static void
run(enum kind kind)
{
   char *text = source(kind);
   const char *strings = text;
   GLuint program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &strings);
   GLuint buffer;
   GLint ok;
   uint32_t values[INVOCATIONS];
   unsigned wrong = 0;

   free(text);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   CHECK(ok, "%s of %u levels does not link", kinds[kind].name, kinds[kind].levels);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof values, NULL, GL_STATIC_DRAW);
   glUseProgram(program);
   glDispatchCompute(INVOCATIONS / 64, 1, 1);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof values, values);
   for (unsigned n = 0; n < INVOCATIONS; n++)
      wrong += values[n] != expected(kind, n);
   CHECK(!wrong, "%s: %u wrong values", kinds[kind].name, wrong);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
}

/* Tests sources with deep nesting or long chains of operators.  They must compile or be refused
 * with a log; the compiler's stack must not overflow.
 */
static void
deep_sources(void)
{
   static const struct {
      const char *name, *begin, *repeat, *end, *close;
      unsigned count;
      float value; /* result of the shader, or 0 if the source must be refused */
   } sources[] = {
      { "unary operators", "", "- ", "x", "", 30000, 0.5f },
      { "complements", "float(", "~", "n)", "", 30000, 3 },
      { "sums", "x", "+x", "", "", 30000, 15000.5f },
      { "parentheses", "", "(", "x", ")", 30000, 0.5f },
      { "calls", "", "sin(", "0.0", ")", 3000, -1 },
      { "selections", "", "n == 4 ? 7.0 : ", "x", "", 300, 0.5f },
      { "products", "x", "*1.0", "", "", 300000, 0 },
      { "blocks", "x; ", "{", "x += 1.0;", "}", 30000, 1.5f },
   };

   for (unsigned s = 0; s < sizeof sources / sizeof sources[0]; s++) {
      char *text, log[200] = "";
      size_t size;
      FILE *fp = open_memstream(&text, &size);
      GLint ok;

      fputs("#version 450\nlayout(local_size_x = 1) in; uniform float u; uniform int n;\n"
            "layout(std430) buffer Out { float value; };\n"
            "void main() { float x = u; x = ",
            fp);
      fputs(sources[s].begin, fp);
      for (unsigned i = 0; i < sources[s].count; i++)
         fputs(sources[s].repeat, fp);
      fputs(sources[s].end, fp);
      for (unsigned i = 0; *sources[s].close && i < sources[s].count; i++)
         fputs(sources[s].close, fp);
      fputs("; value = x; }", fp);
      fclose(fp);

      const char *strings = text;
      GLuint program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &strings), buffer;
      float value = 0;
      free(text);
      glGetProgramiv(program, GL_LINK_STATUS, &ok);
      glGetProgramInfoLog(program, sizeof log, NULL, log);
      CHECK(!ok == !sources[s].value, "%s: link status %d: %s", sources[s].name, ok, log);
      CHECK(ok || log[0], "%s: no log", sources[s].name);
      if (ok) {
         glGenBuffers(1, &buffer);
         glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
         glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof value, NULL, GL_STATIC_DRAW);
         glUseProgram(program);
         glUniform1f(glGetUniformLocation(program, "u"), 0.5f);
         glUniform1i(glGetUniformLocation(program, "n"), 3);
         glDispatchCompute(1, 1, 1);
         glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
         glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof value, &value);
         CHECK(value == sources[s].value || (sources[s].value < 0 && value == 0),
               "%s: %g instead of %g", sources[s].name, value, sources[s].value);
         glUseProgram(0);
         glDeleteBuffers(1, &buffer);
      }
      glDeleteProgram(program);
   }
}

static EGLContext shared_context;

static void *
deep_sources_of_thread(void *display)
{
   eglBindAPI(EGL_OPENGL_API);
   core_current(display, shared_context);
   deep_sources();
   core_current(display, EGL_NO_CONTEXT);
   return NULL;
}

/* Runs deep_sources() in a thread with a small stack. */
static void
deep_sources_on_small_stack(void)
{
   EGLDisplay display = eglGetCurrentDisplay();
   pthread_attr_t attr;
   pthread_t thread;

   shared_context = eglGetCurrentContext();
   core_current(display, EGL_NO_CONTEXT);
   pthread_attr_init(&attr);
   CHECK(!pthread_attr_setstacksize(&attr, 128 << 10), "no thread with a stack of 128 KiB");
   if (pthread_create(&thread, &attr, deep_sources_of_thread, display)) {
      fprintf(stderr, "no thread\n");
      exit(1);
   }
   pthread_join(thread, NULL);
   pthread_attr_destroy(&attr);
   core_current(display, shared_context);
}

/* Shader with an array that takes more scratch memory than a lane may have. */
static const char large_array[] = "#version 450\n"
                                  "uniform int n; out vec4 color;\n"
                                  "void main()\n"
                                  "{\n"
                                  "   vec4 a[200000];\n"
                                  "   for (int i = 0; i < 200000; i++)\n"
                                  "      a[(i * 7 + n) % 200000] = vec4(i);\n"
                                  "   color = a[n];\n"
                                  "}\n";

/* Checks that the link status agrees with the log, and that a refused program has no binary and
 * cannot be used.
 */
static void
check_link(GLuint program, const char *what)
{
   GLint ok, length = -1;
   char log[400] = "";

   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   glGetProgramInfoLog(program, sizeof log, NULL, log);
   glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &length);
   printf("%s: %s\n", what, ok ? "links" : log);
   CHECK(ok || strstr(log, "limits"), "%s: no reason in the log: '%s'", what, log);
   CHECK(ok || !length, "%s: a binary of %d bytes", what, length);
   glUseProgram(program);
   const GLenum error = glGetError();
   CHECK(error == (ok ? GL_NO_ERROR : GL_INVALID_OPERATION), "%s: use is 0x%x", what, error);
   glUseProgram(0);
   glDeleteProgram(program);
}

static void
refusals(void)
{
   const char *strings = large_array;
   GLuint shader = glCreateShader(GL_FRAGMENT_SHADER), program = glCreateProgram();

   check_link(glCreateShaderProgramv(GL_FRAGMENT_SHADER, 1, &strings), "separate program");
   glShaderSource(shader, 1, &strings, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
   glLinkProgram(program);
   check_link(program, "program");
   glDeleteShader(shader);
}

int
main(void)
{
   core_begin();
   for (enum kind kind = 0; kind < NUM_KINDS; kind++)
      run(kind);
   deep_sources();
   deep_sources_on_small_stack();
   refusals();
   for (enum kind kind = 0; kind < NUM_KINDS; kind += LOOPS)
      run(kind);
   return core_end("limits");
}
