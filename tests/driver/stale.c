/* SPDX-License-Identifier: MIT */
/*
 * Tests mapping a range of a busy buffer with invalidation.  The program can read the new memory
 * and may leave it unchanged, so it must not contain data of another context.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 64
#define BUFFERS 200
#define SECRET 0x5a

static const GLsizeiptr sizes[] = { 300, 4000, 16000, 20000, 300000 };

/* Leaves freed memory of all sizes that is filled with a known value. */
static void
leave_secrets(void)
{
   static uint8_t data[600000];
   GLuint buffers[BUFFERS];

   memset(data, SECRET, sizeof data);
   for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      const GLsizeiptr size = 2 * sizes[i];
      const unsigned count = size > 100000 ? 8 : BUFFERS;
      glGenBuffers(count, buffers);
      for (unsigned n = 0; n < count; n++) {
         glBindBuffer(GL_ARRAY_BUFFER, buffers[n]);
         glBufferData(GL_ARRAY_BUFFER, size - size % 7, data, GL_STATIC_DRAW);
      }
      glDeleteBuffers(count, buffers);
   }
   glFinish();
}

/* Makes the device read the buffer for a while. */
static void
use(GLuint buffer)
{
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
   for (unsigned i = 0; i < 20; i++)
      glDrawArrays(GL_TRIANGLES, 0, 30);
}

int
main(void)
{
   unsigned maps = 0, secrets = 0;

   REQUIRE(test_pbuffer(SIZE, SIZE));
   for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      GLuint buffer;
      glGenBuffers(1, &buffer);
      glBindBuffer(GL_ARRAY_BUFFER, buffer);
      void *zeros = calloc(2, sizes[i]);
      glBufferData(GL_ARRAY_BUFFER, 2 * sizes[i], zeros, GL_DYNAMIC_DRAW);
      free(zeros);
      for (unsigned round = 0; round < 4; round++) {
         leave_secrets();
         use(buffer);
         const GLbitfield flush = round & 1 ? GL_MAP_FLUSH_EXPLICIT_BIT : 0;
         const uint8_t *map = glMapBufferRange(GL_ARRAY_BUFFER, sizes[i] / 2, sizes[i],
                                               GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT |
                                                  flush);
         CHECK(map, "no mapping");
         for (GLsizeiptr n = 0; map && n < sizes[i]; n++)
            secrets += map[n] == SECRET;
         maps += map != NULL;
         if (flush)
            glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, sizes[i]);
         glUnmapBuffer(GL_ARRAY_BUFFER);
         uint8_t *read = malloc(2 * sizes[i]);
         glGetBufferSubData(GL_ARRAY_BUFFER, 0, 2 * sizes[i], read);
         for (GLsizeiptr n = 0; n < 2 * sizes[i]; n++)
            secrets += read[n] == SECRET;
         free(read);
      }
      glDeleteBuffers(1, &buffer);
   }
   CHECK(!secrets, "%u bytes of freed buffers in %u mappings", secrets, maps);
   CHECK(glGetError() == GL_NO_ERROR, "an error");
   printf("%u failures\n", fails);
   return fails != 0;
}
