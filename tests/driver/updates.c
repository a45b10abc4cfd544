/* SPDX-License-Identifier: MIT */
/*
 * Tests parts of uniform buffers that change between draws, in every way that OpenGL has.  At the
 * same time, the buffers are used for more than uniform blocks.  A draw is a pixel; all results are
 * exact.
 */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"
#include "random.h"

#define SIZE 64
#define VECTORS 300 /* number of vectors in a buffer */
#define BUFFERS 3

#define HEAD "#version 140\n"
#define BLOCKS                                           \
   "layout(std140) uniform Small { vec4 small[20]; };\n" \
   "layout(std140) uniform Large { vec4 large[200]; };\nuniform ivec2 at;\n"

static GLuint buffers[BUFFERS], texture, program, texture_program, vertex_program, storage_program;
/* Expected contents of the buffers: 255 times the first component of each vector. */
static GLubyte values[BUFFERS][VECTORS];
static GLubyte expected[SIZE * SIZE][4];
static unsigned drawn;

static void
make_vectors(GLubyte *to, GLfloat (*vectors)[4], unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      to[i] = below(256);
      for (unsigned c = 0; c < 4; c++)
         vectors[i][c] = to[i] / 255.0f;
   }
}

/* Changes vectors of a buffer in one of many ways. */
static void
change(void)
{
   const unsigned b = below(BUFFERS), first = below(VECTORS), most = VECTORS - first;
   const unsigned count = 1 + below(below(3) && most > 4 ? 4 : most);
   GLfloat vectors[VECTORS][4];

   glBindBuffer(GL_UNIFORM_BUFFER, buffers[b]);
   switch (below(12)) {
   case 0: { /* copy on the device */
      const unsigned from = below(BUFFERS), at = below(VECTORS - count + 1);
      if (from == b && at < first + count && first < at + count)
         return;
      glBindBuffer(GL_COPY_READ_BUFFER, buffers[from]);
      glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_UNIFORM_BUFFER, 16 * at, 16 * first, 16 * count);
      memmove(values[b] + first, values[from] + at, count);
      return;
   }
   case 1: { /* first write words of a vector that no draw shows, and then all of it */
      const GLfloat words[3] = { 7, 8, 9 };
      glBufferSubData(GL_UNIFORM_BUFFER, 16 * first + 4, sizeof words, words);
      make_vectors(values[b] + first, vectors, 1);
      glBufferSubData(GL_UNIFORM_BUFFER, 16 * first, 4, vectors[0]);
      return;
   }
   case 2: {
      void *map = glMapBufferRange(GL_UNIFORM_BUFFER, 16 * first, 16 * count, GL_MAP_WRITE_BIT);
      make_vectors(values[b] + first, vectors, count);
      memcpy(map, vectors, 16 * count);
      glUnmapBuffer(GL_UNIFORM_BUFFER);
      return;
   }
   case 3: { /* write two parts of a mapping */
      GLubyte *map = glMapBufferRange(GL_UNIFORM_BUFFER, 16 * first, 16 * most,
                                      GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT |
                                         GL_MAP_FLUSH_EXPLICIT_BIT);
      make_vectors(values[b] + first, vectors, most);
      memcpy(map, vectors, 16 * most);
      glFlushMappedBufferRange(GL_UNIFORM_BUFFER, 0, 16);
      if (most > 1)
         glFlushMappedBufferRange(GL_UNIFORM_BUFFER, 16, 16 * (most - 1));
      glUnmapBuffer(GL_UNIFORM_BUFFER);
      return;
   }
   case 4:
      if (below(4) == 0) {
         make_vectors(values[b], vectors, VECTORS);
         glBufferData(GL_UNIFORM_BUFFER, sizeof vectors, vectors, GL_DYNAMIC_DRAW);
      }
      return;
   case 5: { /* also read the contents of the buffer */
      GLfloat back[VECTORS][4];
      if (below(4))
         return;
      glGetBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof back, back);
      for (unsigned i = 0; i < VECTORS; i++)
         CHECK(back[i][0] == values[b][i] / 255.0f, "buffer %u, %u", b, i);
      return;
   }
   default:
      make_vectors(values[b] + first, vectors, count);
      glBufferSubData(GL_UNIFORM_BUFFER, 16 * first, 16 * count, vectors);
   }
}

/* Binds random vectors of a buffer as a block.  Returns the number of the first vector. */
static unsigned
bind_block(unsigned binding, unsigned buffer, unsigned vectors)
{
   const unsigned first = below(VECTORS - vectors + 1);

   glBindBufferRange(GL_UNIFORM_BUFFER, binding, buffers[buffer], 16 * first, 16 * vectors);
   return first;
}

static void
draw_pixel(void)
{
   static const GLfloat corners[4][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };

   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glScissor(drawn % SIZE, drawn / SIZE, 1, 1);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Draws a pixel: red and green show vectors of the two blocks, and blue shows a vector of the
 * vertex stage.
 */
static void
draw_blocks(void)
{
   static unsigned buffer[2], first[2];
   static const unsigned size[2] = { 20, 200 };
   unsigned at[2];

   for (unsigned i = 0; i < 2; i++) {
      if (drawn < 2 || below(4) == 0) {
         buffer[i] = below(BUFFERS);
         first[i] = bind_block(i, buffer[i], size[i]);
      }
      at[i] = below(size[i]);
   }
   glUseProgram(program);
   glUniform2i(glGetUniformLocation(program, "at"), at[0], at[1]);
   draw_pixel();
   expected[drawn][0] = values[buffer[0]][first[0] + at[0]];
   expected[drawn][1] = values[buffer[1]][first[1] + at[1]];
   expected[drawn][2] = values[buffer[0]][first[0] + at[0]];
}

/* Draws a pixel with a texel of the first buffer. */
static void
draw_texels(void)
{
   const unsigned at = below(VECTORS);

   glUseProgram(texture_program);
   glUniform1i(glGetUniformLocation(texture_program, "at"), at);
   draw_pixel();
   memset(expected[drawn], values[0][at], 3);
}

/* Draws a pixel with a vertex attribute from the second buffer. */
static void
draw_vertices(void)
{
   const unsigned at = below(VECTORS);

   glUseProgram(vertex_program);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
   glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 16, (void *)(uintptr_t)(16 * at));
   glVertexAttribDivisor(1, 1);
   glEnableVertexAttribArray(1);
   draw_pixel();
   glDisableVertexAttribArray(1);
   memset(expected[drawn], values[1][at], 3);
}

/* Draws a pixel with a vector of the third buffer, which is bound as a storage buffer. */
static void
draw_storage(void)
{
   const unsigned at = below(VECTORS);

   glUseProgram(storage_program);
   glUniform1i(glGetUniformLocation(storage_program, "at"), at);
   draw_pixel();
   memset(expected[drawn], values[2][at], 3);
}

static GLuint
make_program(const char *vertex, const char *fragment)
{
   const GLuint p = test_program(vertex, fragment);

   glBindAttribLocation(p, 0, "position");
   glBindAttribLocation(p, 1, "color");
   glLinkProgram(p);
   return p;
}

static void
make_objects(void)
{
   GLfloat vectors[VECTORS][4];

   program = make_program(HEAD BLOCKS "in vec2 position; out float blue;\n"
                                      "void main() { gl_Position = vec4(position, 0.0, 1.0);\n"
                                      "   blue = small[at.x].x; }\n",
                          HEAD BLOCKS "in float blue; out vec4 color;\nvoid main() {\n"
                                      "   color = vec4(small[at.x].x, large[at.y].x, blue, 1.0);\n"
                                      "}\n");
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Small"), 0);
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Large"), 1);
   texture_program = make_program(
      HEAD "in vec2 position; void main() { gl_Position = vec4(position, 0.0, 1.0); }\n",
      HEAD "uniform samplerBuffer t; uniform int at; out vec4 color;\n"
           "void main() { color = vec4(texelFetch(t, at).rgb, 1.0); }\n");
   vertex_program = make_program(
      HEAD "in vec2 position; in vec4 color; flat out vec3 seen;\n"
           "void main() { gl_Position = vec4(position, 0.0, 1.0); seen = color.rrr; }\n",
      HEAD "flat in vec3 seen; out vec4 color; void main() { color = vec4(seen, 1.0); }\n");
   storage_program = make_program(
      HEAD "in vec2 position; void main() { gl_Position = vec4(position, 0.0, 1.0); }\n",
      HEAD "#extension GL_ARB_shader_storage_buffer_object : require\n"
           "buffer Stored { vec4 stored[]; }; uniform int at; out vec4 color;\n"
           "void main() { color = vec4(stored[at].rrr, 1.0); }\n");
   glGenBuffers(BUFFERS, buffers);
   for (unsigned b = 0; b < BUFFERS; b++) {
      make_vectors(values[b], vectors, VECTORS);
      glBindBuffer(GL_UNIFORM_BUFFER, buffers[b]);
      glBufferData(GL_UNIFORM_BUFFER, sizeof vectors, vectors, GL_DYNAMIC_DRAW);
   }
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[2]);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_BUFFER, texture);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffers[0]);
}

int
main(void)
{
   static GLubyte back[SIZE * SIZE][4];

   REQUIRE(test_pbuffer(SIZE, SIZE));
   make_objects();
   glEnable(GL_SCISSOR_TEST);
   for (drawn = 0; drawn < SIZE * SIZE; drawn++) {
      for (unsigned i = below(4); i > 0; i--)
         change();
      const unsigned kind = below(40);
      if (kind == 0)
         draw_texels();
      else if (kind == 1)
         draw_vertices();
      else if (kind == 2)
         draw_storage();
      else
         draw_blocks();
      expected[drawn][3] = 255;
      if (below(100) == 0)
         glFlush();
   }
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, back);
   for (unsigned n = 0; n < SIZE * SIZE; n++)
      CHECK(!memcmp(back[n], expected[n], 4), "draw %u: %u %u %u, not %u %u %u", n, back[n][0],
            back[n][1], back[n][2], expected[n][0], expected[n][1], expected[n][2]);
   return test_end();
}
