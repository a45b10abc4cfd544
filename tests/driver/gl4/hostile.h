/* SPDX-License-Identifier: MIT */
/*
 * For tests of malicious programs: a context with reset notification in which they run, and another
 * context that works all the time.
 */
#ifndef TEST_HOSTILE_H
#define TEST_HOSTILE_H

#include "core.h"

#define GROUPS 8
#define COUNT (64 * GROUPS)

static EGLDisplay display;
static EGLContext robust, other;
static GLuint other_program, other_buffer;
static unsigned other_rounds;

/* Creates a vertex array and a render target in the current context. */
static inline void
begin_draws(void)
{
   GLuint texture, vao;

   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   core_target(GL_RGBA8, 16, 16, &texture);
}

/* Checks that the other context still computes correct results. */
static void
other_works(void)
{
   uint32_t found[COUNT];

   core_current(display, other);
   if (!other_program) {
      other_program = PROGRAM(
            .cs = "layout(local_size_x = 64) in;\n"
                  "layout(std430, binding = 0) buffer B { uint b[]; };\n"
                  "layout(location = 0) uniform uint round;\n"
                  "void main() { uint i = gl_GlobalInvocationID.x; b[i] = i * 7u + round; }\n");
      other_buffer = core_storage(0, sizeof found, NULL);
   }
   other_rounds++;
   glUniform1ui(0, other_rounds);
   glDispatchCompute(GROUPS, 1, 1);
   core_read(other_buffer, sizeof found, found);
   for (unsigned i = 0; i < COUNT; i++)
      CHECK(found[i] == i * 7 + other_rounds, "the other context has %u at %u", found[i], i);
   CHECK(glGetGraphicsResetStatus() == GL_NO_ERROR, "the other context is lost");
   core_current(display, robust);
}

/* Returns true if the context was lost, and checks that the context itself was reported as guilty.
 */
static bool
is_lost(const char *what)
{
   glFinish();
   const GLenum status = glGetGraphicsResetStatus();

   CHECK(status == GL_NO_ERROR || status == GL_GUILTY_CONTEXT_RESET, "%s: status 0x%x", what,
         status);
   fprintf(stderr, "%s: %s\n", what, status ? "reset" : "ended");
   return status != GL_NO_ERROR;
}

struct hostile_test {
   const char *name;
   void (*run)(void);
};

/* Runs the test that the argument names, and checks that a new context works afterwards. */
static int
hostile_main(int argc, char **argv, const struct hostile_test *tests, unsigned count)
{
   unsigned i = 0;

   while (i < count && (argc < 2 || strcmp(argv[1], tests[i].name)))
      i++;
   if (i == count)
      return 2;
   display = core_display();
   robust = core_context(display, true);
   other = core_context(display, false);
   core_current(display, robust);
   other_works();
   tests[i].run();
   other_works();
   /* A new context of the same kind works. */
   robust = core_context(display, true);
   core_current(display, robust);
   other_works();
   core_current(display, other);
   return core_end(tests[i].name);
}

#endif
