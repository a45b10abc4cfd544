/* SPDX-License-Identifier: MIT */
/*
 * Tests three contexts with shared buffers.  Context 0 runs a long computation.  Context 1 copies
 * its result, so it must wait, and then copies a shared buffer.  Context 2 writes the shared buffer,
 * and has nothing else to wait for.  The copy must have the contents from before the write: the
 * driver keeps the order in which contexts submit uses of a buffer.  OpenGL alone would require a
 * fence.
 */
#include "core.h"

enum {
   WORDS = 1024,
   OLD = 0x01d01d,
   NEW = 0x5eed,
   /* number of iterations of a dispatch, and numbers of dispatches */
   ITERATIONS = 50000,
   FEWEST = 64,
   MOST = 1 << 14,
};

enum writer { FILL, COPY, DISPATCH, NUM_WRITERS };
static const char *const names[NUM_WRITERS] = { "fill", "copy", "dispatch" };

static EGLDisplay display;
static EGLContext contexts[3];
static GLuint result, shared, copied, template, slow, writer_program;

static GLuint
new_words(GLuint word)
{
   GLuint words[WORDS];

   for (unsigned i = 0; i < WORDS; i++)
      words[i] = word;
   return core_buffer(sizeof words, words);
}

static void
make_objects(void)
{
   result = new_words(0);
   shared = new_words(OLD);
   copied = new_words(0);
   template = new_words(NEW);
   slow = PROGRAM(.cs = text("layout(local_size_x = 1) in;\n"
                             "layout(binding = 0) buffer Result { uint result; };\n"
                             "void main() {\n"
                             "   uint x = result;\n"
                             "   for (int i = 0; i < %d; i++)\n"
                             "      x = (x * 1664525u + 1013904223u) ^ (x >> 13u);\n"
                             "   result = x;\n"
                             "}\n",
                             ITERATIONS));
   writer_program = PROGRAM(.cs = text("layout(local_size_x = 64) in;\n"
                                       "layout(binding = 0) buffer Shared { uint words[]; };\n"
                                       "void main() { words[gl_GlobalInvocationID.x] = %du; }\n",
                                       NEW));
   glFinish();
}

static void
write_shared(enum writer writer)
{
   const GLuint word = NEW;

   switch (writer) {
   case FILL:
      glClearNamedBufferData(shared, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &word);
      break;
   case COPY:
      glCopyNamedBufferSubData(template, shared, 0, 0, 4 * WORDS);
      break;
   default:
      glUseProgram(writer_program);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, shared);
      glDispatchCompute(WORDS / 64, 1, 1);
      break;
   }
}

static void
check_words(GLuint buffer, GLuint want, const char *what, enum writer writer)
{
   GLuint words[WORDS];
   unsigned i = 0;

   core_read(buffer, sizeof words, words);
   while (i < WORDS && words[i] == want)
      i++;
   CHECK(i == WORDS, "%s, %s: word %u is %x, should be %x", names[writer], what, i,
         words[i % WORDS], want);
}

/* Returns true if the shared buffer was written while context 0 computed. */
static bool
check(enum writer writer, unsigned dispatches)
{
   const GLuint old = OLD;

   core_current(display, contexts[0]);
   glClearNamedBufferData(shared, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &old);
   glFinish();
   glUseProgram(slow);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, result);
   for (unsigned i = 0; i < dispatches; i++) {
      glDispatchCompute(1, 1, 1);
      glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
   }
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   GLsync computed = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   glFlush();

   core_current(display, contexts[1]);
   glCopyNamedBufferSubData(result, copied, 0, 0, 4);
   glCopyNamedBufferSubData(shared, copied, 0, 0, 4 * WORDS);
   glFlush();

   core_current(display, contexts[2]);
   write_shared(writer);
   glFlush();
   const bool busy = glClientWaitSync(computed, 0, 0) == GL_TIMEOUT_EXPIRED;
   glDeleteSync(computed);
   glFinish();
   check_words(shared, NEW, "the written buffer", writer);

   core_current(display, contexts[1]);
   glFinish();
   check_words(copied, OLD, "the copy from before", writer);
   return busy;
}

int
main(void)
{
   unsigned dispatches = FEWEST;

   /* Each call writes to the context's stream immediately. */
   setenv("GALLIUM_THREAD", "0", 1);
   display = core_display();
   for (unsigned i = 0; i < 3; i++)
      contexts[i] = egl_context(display, i ? contexts[0] : EGL_NO_CONTEXT,
                                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_FALSE,
                                EGL_NO_RESET_NOTIFICATION);
   core_current(display, contexts[0]);
   make_objects();
   for (unsigned writer = 0; writer < NUM_WRITERS; writer++) {
      /* A check in which the computation ended too early shows nothing. */
      while (!check(writer, dispatches) && dispatches <= MOST)
         dispatches *= 2;
   }
   CHECK(dispatches <= MOST, "the computation always ends before the buffer is written");
   return core_end("contexts");
}
