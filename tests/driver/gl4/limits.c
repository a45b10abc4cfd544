/* SPDX-License-Identifier: MIT */
/*
 * Large programs: control flow of many levels against the same in C, and that programs which
 * the compiler refuses do not link, have a log and leave the context as it was.
 */
#define _POSIX_C_SOURCE 200809L

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

/* From malloc. */
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

/* More indexed arrays than there are registers.  A driver may also have them in memory. */
static char *
large_arrays(void)
{
   char *out;
   size_t size;
   FILE *fp = open_memstream(&out, &size);

   fputs("#version 450\nuniform int n; out vec4 color;\nvoid main()\n{\nvec4 s = gl_FragCoord;\n",
         fp);
   for (unsigned a = 0; a < 16; a++)
      fprintf(fp,
              "vec4 x%u[30];\n"
              "for (int i = 0; i < 30; i++) x%u[(i + n) %% 30] = s * %u.5 + i;\n"
              "s += x%u[(n * %u) %% 30].yxwz;\n",
              a, a, a, a, a + 3);
   fputs("color = s;\n}\n", fp);
   fclose(fp);
   return out;
}

/* Status and log tell the same; a binary brings no refused program in. */
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
   char *text = large_arrays();
   const char *strings = text;
   GLuint shader = glCreateShader(GL_FRAGMENT_SHADER), program = glCreateProgram();

   check_link(glCreateShaderProgramv(GL_FRAGMENT_SHADER, 1, &strings), "separate program");
   glShaderSource(shader, 1, &strings, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
   glLinkProgram(program);
   check_link(program, "program");
   glDeleteShader(shader);
   free(text);
}

int
main(void)
{
   core_begin();
   for (enum kind kind = 0; kind < NUM_KINDS; kind++)
      run(kind);
   refusals();
   for (enum kind kind = 0; kind < NUM_KINDS; kind += LOOPS)
      run(kind);
   return core_end("limits");
}
