/* SPDX-License-Identifier: MIT */
/*
 * Tests indirect draws (ARB_draw_indirect, ARB_multi_draw_indirect, ARB_indirect_parameters).  The
 * parameters and the draw count come from the application, from a copy on the device without a
 * wait, or from the application's memory.  A draw fills some columns of a row of pixels.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 32

/* Parameters of draws, as OpenGL defines them. count and first count vertices or indices. */
struct arrays {
   GLuint count, instances, first, base_instance;
};
struct elements {
   GLuint count, instances, first;
   GLint base_vertex;
   GLuint base_instance;
};

static GLuint numbers, other; /* buffers for parameters and for the source of copies */

/* Creates the vertices and indices.  Column x has the vertices 6 x to 6 x + 5.  The first half of
 * the indices selects the columns in order; the second half, 6 SIZE indices later, in reverse
 * order.
 */
static void
make_columns(void)
{
   static const GLfloat corners[6][2] = {
      { 0, 0 }, { 1, 0 }, { 0, 1 }, { 0, 1 }, { 1, 0 }, { 1, 1 }
   };
   static GLfloat vertices[SIZE][6][2];
   static GLushort indices[2][SIZE][6];
   GLuint buffers[4];

   for (int x = 0; x < SIZE; x++) {
      for (int i = 0; i < 6; i++) {
         vertices[x][i][0] = (x + corners[i][0]) * 2 / SIZE - 1;
         vertices[x][i][1] = corners[i][1] * 2 - 1;
         indices[0][x][i] = 6 * x + i;
         indices[1][x][i] = 6 * (SIZE - 1 - x) + i;
      }
   }
   glGenBuffers(4, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof vertices, vertices, GL_STATIC_DRAW);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
   numbers = buffers[2];
   other = buffers[3];
   glEnable(GL_SCISSOR_TEST);
}

static void
begin(void)
{
   glScissor(0, 0, SIZE, SIZE);
   glClear(GL_COLOR_BUFFER_BIT);
}

/* Checks that row y has the columns first[y] to first[y] + count[y] - 1. */
static void
check_rows(const char *what, const int first[SIZE], const int count[SIZE])
{
   static GLubyte back[SIZE][SIZE][4];

   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, back);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const bool drawn = x >= first[y] && x < first[y] + count[y];
         CHECK(back[y][x][0] == (drawn ? 255 : 0), "%s: %d, %d: %u", what, x, y, back[y][x][0]);
      }
   }
}

/* Tests parameters that change from draw to draw.  They are written by the program or copied on the
 * device.
 */
static void
test_single(bool copied)
{
   static struct arrays table[SIZE];
   int first[SIZE], count[SIZE];

   for (int y = 0; y < SIZE; y++) {
      first[y] = y * 3 % 11;
      count[y] = y * 5 % 7;
      table[y] = (struct arrays){ 6 * count[y], y % 4 != 0, 6 * first[y], 0 };
      if (y % 4 == 0)
         count[y] = 0;
   }
   glBindBuffer(GL_COPY_READ_BUFFER, other);
   glBufferData(GL_COPY_READ_BUFFER, sizeof table, table, GL_STATIC_DRAW);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, numbers);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, 64, NULL, GL_DYNAMIC_DRAW);
   begin();
   for (int y = 0; y < SIZE; y++) {
      const unsigned at = y % 3 * 16;
      glScissor(0, y, SIZE, 1);
      if (copied)
         glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_DRAW_INDIRECT_BUFFER, y * sizeof table[0], at,
                             sizeof table[0]);
      else
         glBufferSubData(GL_DRAW_INDIRECT_BUFFER, at, sizeof table[0], &table[y]);
      glDrawArraysIndirect(GL_TRIANGLES, (const char *)NULL + at);
   }
   check_rows(copied ? "copied" : "written", first, count);
}

/* Tests indices and base vertices.  Each row is a multi-draw of three draws, whose parameters are
 * 32 bytes apart.
 */
static void
test_multiple(void)
{
   int first[SIZE], count[SIZE];
   GLuint words[SIZE][3][8];

   memset(words, 0xff, sizeof words);
   for (int y = 0; y < SIZE; y++) {
      first[y] = y % 9;
      count[y] = 6;
      for (int i = 0; i < 3; i++) {
         const int x = first[y] + 2 * i;
         /* In the second half of the indices, the indices of column k draw column SIZE - 1 - k. */
         const struct elements e = i == 1 ? (struct elements){ 12, 1, 6 * SIZE + 6 * (SIZE - 2 - x),
                                                               0, 0 }
                                          : (struct elements){ 12, 1, 0, 6 * x, 0 };
         memcpy(words[y][i], &e, sizeof e);
      }
   }
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, numbers);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof words, words, GL_STATIC_DRAW);
   begin();
   for (int y = 0; y < SIZE; y++) {
      glScissor(0, y, SIZE, 1);
      glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT,
                                  (const char *)NULL + y * sizeof words[0], 3, sizeof words[0][0]);
   }
   check_rows("multiple", first, count);
}

/* Tests a draw count that is copied on the device.  There are up to eight draws of one column each.
 */
static void
test_limit(void)
{
   static struct arrays table[8];
   int first[SIZE] = { 0 }, count[SIZE];
   GLuint limits[SIZE], buffer;

   for (int i = 0; i < 8; i++)
      table[i] = (struct arrays){ 6, 1, 6 * i, 0 };
   for (int y = 0; y < SIZE; y++) {
      limits[y] = y % 12;
      count[y] = y % 12 < 8 ? y % 12 : 8;
   }
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, numbers);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof table, table, GL_STATIC_DRAW);
   glBindBuffer(GL_COPY_READ_BUFFER, other);
   glBufferData(GL_COPY_READ_BUFFER, sizeof limits, limits, GL_STATIC_DRAW);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_PARAMETER_BUFFER_ARB, buffer);
   glBufferData(GL_PARAMETER_BUFFER_ARB, 16, NULL, GL_DYNAMIC_DRAW);
   begin();
   for (int y = 0; y < SIZE; y++) {
      glScissor(0, y, SIZE, 1);
      glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_PARAMETER_BUFFER_ARB, y * 4, 8, 4);
      glMultiDrawArraysIndirectCountARB(GL_TRIANGLES, 0, 8, 8, 0);
   }
   check_rows("limit", first, count);
   glDeleteBuffers(1, &buffer);
}

/* Tests parameters in the application's memory, which the compatibility profile permits. */
static void
test_own_memory(void)
{
   int first[SIZE], count[SIZE];

   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
   begin();
   for (int y = 0; y < SIZE; y++) {
      first[y] = y % 5;
      count[y] = y % 6;
      const struct arrays a = { 6 * count[y], 1, 6 * first[y], 0 };
      glScissor(0, y, SIZE, 1);
      glDrawArraysIndirect(GL_TRIANGLES, &a);
   }
   check_rows("own memory", first, count);
}

/* Tests parameters whose last number lies beyond the end of the buffer.  Mesa refuses the call,
 * except in a context without errors, where the driver drops the draw.
 */
static void
test_beyond(void)
{
   static struct elements table[205];
   const int first[SIZE] = { 0 }, count[SIZE] = { 1 };

   for (int i = 0; i < 205; i++)
      table[i] = (struct elements){ 6, 1, 0, 0, 0 };
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, numbers);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, 4096, table, GL_STATIC_DRAW);
   begin();
   for (int y = 0; y < 2; y++) {
      glScissor(0, y, SIZE, 1);
      glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT,
                             (const char *)NULL + (y ? 204 : 0) * sizeof table[0]);
   }
   check_rows("beyond the end", first, count);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   make_columns();
   test_single(false);
   test_single(true);
   test_multiple();
   test_limit();
   test_own_memory();
   setenv("MESA_NO_ERROR", "1", 1);
   REQUIRE(test_pbuffer(SIZE, SIZE));
   make_columns();
   test_beyond();
   return test_end();
}
