/* SPDX-License-Identifier: MIT */
/*
 * Tests buffers in memory of the program (AMD_pinned_memory).  The device reads what the program
 * wrote and the program reads what the device wrote, without a copy.  Memory that cannot become a
 * buffer must cause an error.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "core.h"

#define COUNT 5000u /* number of 32-bit words; not a multiple of a page */
#define BYTES (COUNT * 4)

static uint32_t *
pages(size_t size)
{
   uint32_t *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

   if (p == MAP_FAILED) {
      fprintf(stderr, "no memory\n");
      exit(1);
   }
   return p;
}

/* Returns a buffer in `memory`, or 0 if GL reports an error, which this function consumes. */
static GLuint
pinned(void *memory, size_t size)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, buffer);
   glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, size, memory, GL_STREAM_COPY);
   glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, 0);
   const GLenum error = glGetError();
   CHECK(error == GL_NO_ERROR || error == GL_INVALID_OPERATION, "error 0x%x", error);
   if (error) {
      glDeleteBuffers(1, &buffer);
      return 0;
   }
   return buffer;
}

/* Tests that the program and the device can add to the words alternately.  The word after the
 * buffer must keep its value.
 */
static void
test_turns(uint32_t *memory, const char *what)
{
   const GLuint program = PROGRAM(.cs = "layout(local_size_x = 100) in;\n"
                                        "layout(std430, binding = 0) buffer X { uint x[]; };\n"
                                        "void main() {\n"
                                        "   uint i = gl_GlobalInvocationID.x;\n"
                                        "   if (x.length() == 5000) x[i] = x[i] * 3u + i;\n"
                                        "}\n");
   uint32_t want[COUNT];

   for (unsigned i = 0; i < COUNT; i++)
      memory[i] = want[i] = core_random();
   memory[COUNT] = 0x12345678;
   const GLuint buffer = pinned(memory, BYTES);
   CHECK(buffer, "%s: not a buffer", what);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   for (unsigned turn = 0; turn < 4; turn++) {
      glDispatchCompute(COUNT / 100, 1, 1);
      glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
      glFinish();
      unsigned wrong = 0;
      for (unsigned i = 0; i < COUNT; i++) {
         want[i] = want[i] * 3 + i;
         wrong += memory[i] != want[i];
         memory[i] = want[i] += turn;
      }
      CHECK(!wrong, "%s, turn %u: %u words are wrong", what, turn, wrong);
   }
   CHECK(memory[COUNT] == 0x12345678, "%s: the word after the buffer is %x", what, memory[COUNT]);

   const uint32_t *map = glMapNamedBuffer(buffer, GL_READ_ONLY);
   CHECK(map && !memcmp(map, want, BYTES), "%s: the mapping", what);
   glUnmapNamedBuffer(buffer);
   /* Writes by GL must not replace the storage. */
   const uint32_t value = 77;
   glClearNamedBufferData(buffer, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
   glNamedBufferSubData(buffer, 8, 4, &want[0]);
   glInvalidateBufferData(buffer);
   glNamedBufferSubData(buffer, 0, 4, &want[1]);
   glFinish();
   CHECK(memory[0] == want[1] && memory[2] == want[0] && memory[COUNT] == 0x12345678,
         "%s: written by GL: %x %x", what, memory[0], memory[2]);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
   glFinish();
}

/* Tests that pixels can be read to, and drawn from, memory of the program. */
static void
test_pixels(uint32_t *memory)
{
   enum { SIZE = 32 };
   GLuint texture;
   const GLuint fb = core_target(GL_RGBA8, SIZE, SIZE, &texture);
   const GLuint buffer = pinned(memory, SIZE * SIZE * 4);
   unsigned wrong = 0;

   CHECK(buffer, "not a buffer of pixels");
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      memory[i] = 0x01000000 * (i % 251) + i;
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
   glTextureSubImage2D(texture, 0, 0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
   glFinish();
   memset(memory, 0, SIZE * SIZE * 4);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
   glFinish();
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      wrong += memory[i] != 0x01000000 * (i % 251) + i;
   CHECK(!wrong, "%u pixels are wrong", wrong);
   glDeleteBuffers(1, &buffer);
   glDeleteFramebuffers(1, &fb);
   glDeleteTextures(1, &texture);
   glFinish();
}

/* Tests that the same pages can become a buffer again while the device may still write to the
 * deleted buffer.
 */
static void
test_again(uint32_t *memory)
{
   enum { SIZE = 256 * 1024 };
   static uint32_t data[SIZE / 4];
   GLuint plain[50];

   for (unsigned i = 0; i < 50; i++) {
      for (unsigned n = 0; n < SIZE / 4; n++)
         data[n] = n + i;
      plain[i] = core_buffer(SIZE, data);
   }
   for (unsigned i = 0; i < 50; i++) {
      const GLuint buffer = pinned(memory, SIZE - (i & 1) * 64);

      CHECK(buffer, "buffer %u is refused", i);
      glCopyNamedBufferSubData(plain[i], buffer, 0, 0, SIZE - 64);
      glDeleteBuffers(1, &buffer);
   }
   glFinish();
   CHECK(!memcmp(memory, data, SIZE - 64), "the last copy: %u", memory[0]);
   glDeleteBuffers(50, plain);
}

static void
test_refused(uint32_t *memory, size_t page)
{
   uint32_t *gone = pages(4 * page);

   munmap(gone, 4 * page);
   CHECK(!pinned(gone, page), "memory that is not mapped");
   CHECK(!pinned((uint8_t *)memory + 20, page), "memory that does not begin at a page");
   static const int protections[] = { PROT_READ, PROT_NONE, PROT_READ | PROT_EXEC };
   for (unsigned i = 0; i < 3; i++) {
      uint32_t *part = pages(8 * page);
      mprotect((uint8_t *)part + 5 * page, page, protections[i]);
      CHECK(!pinned(part, 8 * page), "a page with protection %d", protections[i]);
      const GLuint whole = pinned(part, 5 * page);
      CHECK(whole, "not a buffer before protection %d", protections[i]);
      glDeleteBuffers(1, &whole);
      glFinish();
      munmap(part, 8 * page);
   }
   const GLuint plain = core_buffer(page, NULL);
   void *map = glMapNamedBuffer(plain, GL_READ_WRITE);
   CHECK(!pinned(map, page), "the mapping of a buffer");
   glUnmapNamedBuffer(plain);
   const GLuint first = pinned(memory, 2 * page);
   CHECK(first, "not a buffer");
   CHECK(!pinned((uint8_t *)memory + page, page), "memory of another buffer");
   glDeleteBuffers(2, (const GLuint[]){ plain, first });
}

int
main(int argc, char **argv)
{
   const size_t page = (size_t)sysconf(_SC_PAGESIZE);

   core_begin();
   if (!core_extension("GL_AMD_pinned_memory"))
      return 1;
   uint32_t *mapped = pages(64 * page);
   test_turns(mapped, "a mapping");
   void *heap = NULL;
   if (posix_memalign(&heap, page, BYTES + 4)) /* the pages of the heap also contain other data */
      return 1;
   test_turns(heap, "the heap");
   free(heap);
   test_pixels(mapped);
   test_again(mapped);
   /* Other drivers accept any memory. */
   if (argc < 2 || strcmp(argv[1], "--any"))
      test_refused(mapped, page);
   munmap(mapped, 64 * page);
   return core_end("pinned");
}
