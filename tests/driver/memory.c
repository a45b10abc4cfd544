/* SPDX-License-Identifier: MIT */
/*
 * Tests a program that allocates more memory than the device has.  The call that exceeds the memory
 * reports GL_OUT_OF_MEMORY, everything else works as before, and freed memory can be allocated
 * again.  The test does not write to any of these pages.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 64
#define MAX_BUFFERS 8192
#define TEXTURE_SIZE 4096 /* width and height; with 16 bytes per texel, a texture takes 256 MB */

static GLuint buffers[MAX_BUFFERS];
static unsigned num_buffers;

/* Returns true if the kernel limits allocations before all of the memory is touched. */
static bool
is_limited(void)
{
   struct rlimit limit;
   int overcommit = 0;
   FILE *f = fopen("/proc/sys/vm/overcommit_memory", "r");

   if (f) {
      if (fscanf(f, "%d", &overcommit) != 1)
         overcommit = 0;
      fclose(f);
   }
   return overcommit == 2 || getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur != RLIM_INFINITY;
}

/* Creates buffers of this size until the memory is full.  Returns their total size in bytes. */
static uint64_t
fill(size_t size)
{
   uint64_t sum = 0;
   GLenum error = GL_NO_ERROR;
   while (error == GL_NO_ERROR && num_buffers < MAX_BUFFERS) {
      glGenBuffers(1, &buffers[num_buffers]);
      glBindBuffer(GL_ARRAY_BUFFER, buffers[num_buffers++]);
      glBufferData(GL_ARRAY_BUFFER, size, NULL, GL_STATIC_DRAW);
      error = glGetError();
      sum += error ? 0 : size;
   }
   CHECK(error == GL_OUT_OF_MEMORY, "%#x after %u buffers", error, num_buffers);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   return sum;
}

/* Draws a red triangle over the whole target with a new buffer and a new texture, and checks it. */
static void
draw(const char *when)
{
   static const float corners[] = { -1, -1, 3, -1, -1, 3 };
   static const GLubyte red[] = { 255, 0, 0, 255 };
   static GLubyte pixels[SIZE * SIZE][4];
   GLuint buffer, texture;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, red);
   glEnable(GL_TEXTURE_2D);
   glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      CHECK(!memcmp(pixels[i], red, 4), "%s: pixel %u: %u %u %u %u", when, i, pixels[i][0],
            pixels[i][1], pixels[i][2], pixels[i][3]);
   glDeleteBuffers(1, &buffer);
   glDeleteTextures(1, &texture);
   CHECK(glGetError() == GL_NO_ERROR, "%s", when);
}

/* Creates an object of each kind that takes memory, and checks for the expected error. */
static void
demands(GLenum expected)
{
   GLuint texture, renderbuffer, buffer;
   GLenum error;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, TEXTURE_SIZE, TEXTURE_SIZE, 0, GL_RGBA, GL_FLOAT,
                NULL);
   error = glGetError();
   CHECK(error == expected, "glTexImage2D: %#x", error);
   glDeleteTextures(1, &texture);

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, TEXTURE_SIZE, TEXTURE_SIZE);
   error = glGetError();
   CHECK(error == expected, "glTexStorage2D: %#x", error);
   glDeleteTextures(1, &texture);

   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA32F, TEXTURE_SIZE / 2,
                                    TEXTURE_SIZE / 2);
   /* Mesa reports no error, but makes a renderbuffer of size 0. */
   GLint width = -1;
   glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &width);
   error = glGetError();
   CHECK(width == (expected ? 0 : TEXTURE_SIZE / 2) && !error,
         "glRenderbufferStorageMultisample: %d %#x", width, error);
   glDeleteRenderbuffers(1, &renderbuffer);

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferStorage(GL_ARRAY_BUFFER, 256 << 20, NULL, GL_MAP_WRITE_BIT);
   error = glGetError();
   CHECK(error == expected, "glBufferStorage: %#x", error);
   void *map = glMapBufferRange(GL_ARRAY_BUFFER, 0, 256 << 20, GL_MAP_WRITE_BIT);
   CHECK((map != NULL) == (expected == GL_NO_ERROR), "glMapBufferRange: %p", map);
   if (map)
      glUnmapBuffer(GL_ARRAY_BUFFER);
   while (glGetError())
      ;
   glDeleteBuffers(1, &buffer);
}

int
main(void)
{
   GLint total = 0;

   REQUIRE(test_pbuffer(SIZE, SIZE));
   draw("at first");
   demands(GL_NO_ERROR);

   glGetIntegerv(GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX, &total);
   for (unsigned round = 0; round < 2; round++) {
      uint64_t sum = fill(UINT64_C(1) << 30);
      sum += fill(64 << 20);
      CHECK(sum >> 10 <= (uint64_t)total, "%llu MB of %d", (unsigned long long)(sum >> 20),
            total >> 10);
      CHECK((uint64_t)total - (sum >> 10) < 1 << 20 || is_limited(), "no more than %llu MB of %d",
            (unsigned long long)(sum >> 20), total >> 10);
      draw("when memory is full");
      demands(GL_OUT_OF_MEMORY);
      draw("after demands");
      glDeleteBuffers(num_buffers, buffers);
      num_buffers = 0;
      demands(GL_NO_ERROR);
      draw("when memory is free again");
   }
   printf("%u failures\n", fails);
   return fails != 0;
}
