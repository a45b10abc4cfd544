/* SPDX-License-Identifier: MIT */
/*
 * Tests uniform blocks (ARB_uniform_buffer_object): every binding of both stages, offsets of the
 * std140 and shared layouts, ranges of buffers, blocks of the maximum size, and buffers that get
 * new contents between draws.  All results are exact.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 16
#define STAGE_BLOCKS 12 /* number of blocks per stage that OpenGL 3.1 requires */
#define MAX_BLOCK 65536

static GLubyte back[SIZE][SIZE][4];

#define HEAD "#version 120\n#extension GL_ARB_uniform_buffer_object : require\n"
#define PLAIN_VERTEX HEAD "void main() { gl_Position = gl_Vertex; }\n"

static GLuint
use_program(const char *vertex, const char *fragment)
{
   GLuint program = test_program(vertex, fragment);
   glUseProgram(program);
   return program;
}

/* Draws a rectangle over the whole target.  It does not use glRectf, because Mesa delays that until
 * other state changes.
 */
static void
draw(void)
{
   static const GLfloat corners[4][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } };
   glVertexPointer(2, GL_FLOAT, 0, corners);
   glEnableClientState(GL_VERTEX_ARRAY);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void
read_back(void)
{
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, back);
}

static GLuint
make_buffer(const void *data, GLsizeiptr size)
{
   GLuint buffer;
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_UNIFORM_BUFFER, buffer);
   glBufferData(GL_UNIFORM_BUFFER, size, data, GL_DYNAMIC_DRAW);
   return buffer;
}

static size_t
append(char *text, size_t used, size_t size, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   used += vsnprintf(text + used, size - used, format, args);
   va_end(args);
   return used;
}

/* Writes the source of the shader of one stage to text.  Row y of the picture shows block y. */
static void
blocks_source(char *text, size_t size, char stage)
{
   size_t n = append(text, 0, size, HEAD "varying vec4 seen[2];\n");
   for (int i = 0; i < STAGE_BLOCKS; i++)
      n = append(text, n, size, "uniform %c%d { vec4 %cvalue%d; };\n", stage, i, stage, i);
   if (stage == 'v') {
      /* Each subset of the blocks has a different sum: block i contributes 2^i or 2^-i. */
      n = append(text, n, size,
                 "void main() {\n   gl_Position = gl_Vertex;\n"
                 "   seen[0] = vec4(0.0);\n   seen[1] = vec4(0.0);\n");
      for (int i = 0; i < STAGE_BLOCKS; i++)
         n = append(text, n, size, "   seen[%d].%c += vvalue%d.x;\n", i / 8, "xyzw"[i / 2 % 4], i);
   } else {
      n = append(text, n, size,
                 "void main() {\n   float y = floor(gl_FragCoord.y);\n"
                 "   vec4 c = vec4(0.0);\n");
      for (int i = 0; i < STAGE_BLOCKS; i++)
         n = append(text, n, size, "   if (y == %d.0) c = fvalue%d;\n", i, i);
      for (int i = 0; i < STAGE_BLOCKS / 2; i++)
         n = append(text, n, size, "   if (y == %d.0) c.b = seen[%d].%c;\n", i, i / 4,
                    "xyzw"[i % 4]);
      n = append(text, n, size, "   gl_FragColor = c;\n");
   }
   append(text, n, size, "}\n");
}

static void
test_bindings(void)
{
   char vertex[4000], fragment[4000];
   GLint align, most[3];

   glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &align);
   glGetIntegerv(GL_MAX_VERTEX_UNIFORM_BLOCKS, &most[0]);
   glGetIntegerv(GL_MAX_FRAGMENT_UNIFORM_BLOCKS, &most[1]);
   glGetIntegerv(GL_MAX_UNIFORM_BUFFER_BINDINGS, &most[2]);
   CHECK(most[0] >= STAGE_BLOCKS && most[1] >= STAGE_BLOCKS && most[2] >= 24, "%d %d %d", most[0],
         most[1], most[2]);
   CHECK(align >= 16 && align <= 256, "%d", align);

   blocks_source(vertex, sizeof vertex, 'v');
   blocks_source(fragment, sizeof fragment, 'f');
   GLuint program = use_program(vertex, fragment);

   /* Put the blocks in ranges of one buffer.  The first range is not at the start of the buffer. */
   static GLubyte memory[(2 * STAGE_BLOCKS + 1) * 256];
   for (int i = 0; i < 2 * STAGE_BLOCKS; i++) {
      const int block = i / 2;
      const GLfloat v = block % 2 ? 64 / 255.0f : (block + 1) / 255.0f;
      const GLfloat vs[4] = { v, 9, 9, 9 };
      const GLfloat fs[4] = { block * 3 / 255.0f, 1 - block / 255.0f, 0.5f, 1 };
      memcpy(memory + (i + 1) * align, i % 2 ? fs : vs, 16);
   }
   GLuint buffer = make_buffer(memory, sizeof memory);
   for (int i = 0; i < 2 * STAGE_BLOCKS; i++) {
      char name[8];
      snprintf(name, sizeof name, "%c%d", "vf"[i % 2], i / 2);
      glUniformBlockBinding(program, glGetUniformBlockIndex(program, name), i);
      glBindBufferRange(GL_UNIFORM_BUFFER, i, buffer, (i + 1) * align, 16);
   }
   draw();
   read_back();
   for (int y = 0; y < STAGE_BLOCKS; y++) {
      const GLubyte *p = back[y][7];
      const int blue = y < STAGE_BLOCKS / 2 ? 2 * y + 1 + 64 : 128;
      CHECK(p[0] == y * 3 && p[1] == 255 - y && (p[2] == blue || (blue == 128 && p[2] == 127)),
            "block %d: %u %u %u, not %d %d %d", y, p[0], p[1], p[2], y * 3, 255 - y, blue);
   }

   /* Change one binding and keep the program. */
   glBindBufferRange(GL_UNIFORM_BUFFER, 7, buffer, (2 * 9 + 1 + 1) * align, 16);
   draw();
   read_back();
   CHECK(back[3][7][0] == 9 * 3, "%u", back[3][7][0]);
   CHECK(back[4][7][0] == 4 * 3, "%u", back[4][7][0]);
   glDeleteBuffers(1, &buffer);
}

/* Tests the layout rules of OpenGL 3.1, section 2.11.4 ("Standard Uniform Block Layout"). */
static void
test_std140(void)
{
   static const char *const source = HEAD
      "struct pair { float one; vec2 two; };\n"
      "layout(std140) uniform block {\n"
      "   float a;\n"                  /* offset 0 */
      "   vec3 b;\n"                   /* 16 */
      "   float c;\n"                  /* 28 */
      "   layout(row_major) mat2 d;\n" /* 32, rows with a stride of 16 bytes */
      "   float e[8];\n"               /* 64, elements with a stride of 16 bytes */
      "   vec2 f;\n"                   /* 192 */
      "   int g;\n"                    /* 200 */
      "   bool h;\n"                   /* 204 */
      "   pair i[2];\n" /* 208, elements with a stride of 16 bytes; members at 0 and 8 */
      "   mat3 j;\n"    /* 240, columns with a stride of 16 bytes */
      "} ;\n"
      "void main() {\n"
      "   int x = int(gl_FragCoord.x), y = int(gl_FragCoord.y);\n"
      "   float v = 0.0;\n"
      "   if (y == 0) v = a;\n"
      "   if (y == 1) v = b[x - x / 3 * 3];\n"
      "   if (y == 2) v = c;\n"
      "   if (y == 3) v = d[x - x / 2 * 2][x / 2 - x / 4 * 2];\n"
      "   if (y == 4) v = e[x / 2];\n"
      "   if (y == 5) v = x == 0 ? f.x : f.y;\n"
      "   if (y == 6) v = float(g) / 255.0;\n"
      "   if (y == 7) v = h ? 1.0 : 0.0;\n"
      "   if (y == 8) v = i[x / 8].one;\n"
      "   if (y == 9) v = x - x / 2 * 2 == 0 ? i[x / 8].two.x : i[x / 8].two.y;\n"
      "   if (y == 10) v = j[x / 4 - x / 12 * 3][x - x / 3 * 3];\n"
      "   gl_FragColor = vec4(v);\n"
      "}\n";
   union {
      GLfloat f[80];
      GLint i[80];
   } data;

   GLuint program = use_program(PLAIN_VERTEX, source);
   for (int i = 0; i < 80; i++)
      data.f[i] = i * 3 / 255.0f;
   data.i[50] = 77;
   data.i[51] = 5;
   GLuint buffer = make_buffer(&data, sizeof data);
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "block"), 3);
   glBindBufferBase(GL_UNIFORM_BUFFER, 3, buffer);
   draw();
   read_back();
   for (int x = 0; x < SIZE; x++) {
      const int word[11] = {
         0,
         4 + x % 3,
         7,
         8 + x % 2 + 4 * (x / 2 % 2),
         16 + 4 * (x / 2),
         x ? 49 : 48,
         -77,
         -255,
         52 + 4 * (x / 8),
         54 + 4 * (x / 8) + x % 2,
         60 + 4 * (x / 4 % 3) + x % 3,
      };
      for (int y = 0; y < 11; y++) {
         const int wanted = word[y] < 0 ? -word[y] : word[y] * 3;
         CHECK(back[y][x][0] == wanted, "row %d, column %d: %u, not %d", y, x, back[y][x][0],
               wanted);
      }
   }
   glDeleteBuffers(1, &buffer);
}

/* Tests the last vectors of a block of 64 KiB, which the shader reads by a variable index. */
static void
test_largest(void)
{
   static const char *const source = HEAD
      "layout(std140) uniform block { vec4 data[4096]; };\n"
      "void main() {\n"
      "   gl_FragColor = data[4095 - int(gl_FragCoord.x) * 256 - int(gl_FragCoord.y)];\n"
      "}\n";
   static GLfloat data[4096][4];
   GLint size;

   glGetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &size);
   CHECK(size >= MAX_BLOCK, "%d", size);
   GLuint program = use_program(PLAIN_VERTEX, source);
   for (int i = 0; i < 4096; i++) {
      data[i][0] = i % 256 / 255.0f;
      data[i][1] = i / 256 / 255.0f;
   }
   GLuint buffer = make_buffer(data, sizeof data);
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "block"), 0);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
   draw();
   read_back();
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const int i = 4095 - x * 256 - y;
         const GLubyte *p = back[y][x];
         CHECK(p[0] == i % 256 && p[1] == i / 256, "vector %d: %u %u", i, p[0], p[1]);
      }
   }
   glDeleteBuffers(1, &buffer);
}

/* Tests the shared layout.  Offsets come from queries and must be dense: arrays of floats and of
 * vec2 have strides of 4 and 8 bytes, as in std430 (OpenGL 4.3, 7.6.2.2).  The test compares every
 * element, read by constant and by variable indices.
 */
static void
test_shared(void)
{
   enum { COUNT = 23, SHIFT = 1000 };
   static const char *const source = HEAD
      "struct part { float f[3]; vec2 v; };\n"
      "layout(shared) uniform block {\n"
      "   float one; float floats[23]; vec2 pairs[23]; vec3 triples[5];\n"
      "   mat2 square; mat2x3 high; part parts[4];\n"
      "};\n"
      "void main() {\n"
      "   float wrong = 0.0, n = one;\n"
      "   for (int i = 0; i < 23; i++) {\n"
      "      wrong += float(floats[i] != n + float(i));\n"
      "      wrong += float(pairs[i] != vec2(n + 1000.0 + float(i), n - float(i)));\n"
      "   }\n"
      "   wrong += float(floats[13] != n + 13.0) + float(pairs[7].y != n - 7.0);\n"
      "   for (int i = 0; i < 5; i++)\n"
      "      wrong += float(triples[i] != vec3(i, 2 * i, 3 * i));\n"
      "   wrong += float(square != mat2(1, 2, 3, 4)) + float(high != mat2x3(1, 2, 3, 4, 5, 6));\n"
      "   for (int i = 0; i < 4; i++)\n"
      "      wrong += float(parts[i].f[2] != float(20 + i)) + float(parts[i].v != vec2(i, -i));\n"
      "   gl_FragColor = vec4(wrong / 255.0, 1.0, 0.0, 1.0);\n"
      "}\n";
   static const char *const names[] = {
      "one",  "floats[0]",     "pairs[0]",   "triples[0]",    "square",
      "high", "parts[0].f[0]", "parts[0].v", "parts[1].f[0]",
   };
   enum { ONE, FLOATS, PAIRS, TRIPLES, SQUARE, HIGH, PARTS, PARTS_V, PARTS_1, NAMES };
   GLuint indices[NAMES];
   GLint place[NAMES], stride[NAMES], matrix[NAMES], size = 0;
   static char data[4096];

   GLuint program = use_program(PLAIN_VERTEX, source);
   GLuint block = glGetUniformBlockIndex(program, "block");
   glGetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_DATA_SIZE, &size);
   glGetUniformIndices(program, NAMES, names, indices);
   glGetActiveUniformsiv(program, NAMES, indices, GL_UNIFORM_OFFSET, place);
   glGetActiveUniformsiv(program, NAMES, indices, GL_UNIFORM_ARRAY_STRIDE, stride);
   glGetActiveUniformsiv(program, NAMES, indices, GL_UNIFORM_MATRIX_STRIDE, matrix);
   CHECK(size > 0 && size <= (GLint)sizeof data, "%d", size);
   CHECK(stride[FLOATS] == 4 && stride[PAIRS] == 8 && stride[TRIPLES] == 16 && stride[PARTS] == 4,
         "%d %d %d %d", stride[FLOATS], stride[PAIRS], stride[TRIPLES], stride[PARTS]);
   CHECK(matrix[SQUARE] == 8 && matrix[HIGH] == 16, "%d %d", matrix[SQUARE], matrix[HIGH]);

#define PUT(name, at, ...)                                \
   do {                                                   \
      const GLfloat put[] = { __VA_ARGS__ };              \
      memcpy(data + place[name] + (at), put, sizeof put); \
   } while (0)
   const float n = 77;
   PUT(ONE, 0, n)
      ;
   for (int i = 0; i < COUNT; i++) {
      PUT(FLOATS, i * stride[FLOATS], n + i)
         ;
      PUT(PAIRS, i * stride[PAIRS], n + SHIFT + i, n - i)
         ;
   }
   for (int i = 0; i < 5; i++)
      PUT(TRIPLES, i * stride[TRIPLES], i, 2 * i, 3 * i)
         ;
   for (int i = 0; i < 2; i++) {
      PUT(SQUARE, i * matrix[SQUARE], 1 + 2 * i, 2 + 2 * i)
         ;
      PUT(HIGH, i * matrix[HIGH], 1 + 3 * i, 2 + 3 * i, 3 + 3 * i)
         ;
   }
   for (int i = 0; i < 4; i++) {
      const GLint at = i * (place[PARTS_1] - place[PARTS]);
      PUT(PARTS, at + 2 * stride[PARTS], 20 + i)
         ;
      PUT(PARTS_V, at, i, -i)
         ;
   }

   GLuint buffer = make_buffer(data, size);
   glUniformBlockBinding(program, block, 0);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
   draw();
   read_back();
   CHECK(back[0][0][0] == 0 && back[0][0][1] == 255, "%u are wrong", back[0][0][0]);
   glDeleteBuffers(1, &buffer);
}

/* Tests that each draw reads the contents that the buffer has at the time of the draw's call. */
static void
test_changes(void)
{
   static const char *const source = HEAD "layout(std140) uniform block { vec4 color; };\n"
                                          "void main() { gl_FragColor = color; }\n";

   GLuint program = use_program(PLAIN_VERTEX, source);
   GLuint buffer = make_buffer(NULL, 16);
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "block"), 1);
   glBindBufferBase(GL_UNIFORM_BUFFER, 1, buffer);
   glEnable(GL_SCISSOR_TEST);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const GLfloat color[4] = { x / 255.0f, y / 255.0f, (x * y) / 255.0f, 1 };
         if (x % 4 == 0) {
            glBufferData(GL_UNIFORM_BUFFER, 16, color, GL_STREAM_DRAW);
         } else if (x % 4 == 1) {
            GLfloat *p = glMapBuffer(GL_UNIFORM_BUFFER, GL_WRITE_ONLY);
            memcpy(p, color, 16);
            glUnmapBuffer(GL_UNIFORM_BUFFER);
         } else {
            glBufferSubData(GL_UNIFORM_BUFFER, 0, 16, color);
         }
         glScissor(x, y, 1, 1);
         draw();
      }
      if (y % 5 == 0)
         glFlush();
   }
   glDisable(GL_SCISSOR_TEST);
   read_back();
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const GLubyte *p = back[y][x];
         CHECK(p[0] == x && p[1] == y && p[2] == x * y, "%d, %d: %u %u %u", x, y, p[0], p[1], p[2]);
      }
   }
   glDeleteBuffers(1, &buffer);
}

/* Tests raster positions, for which Mesa runs the vertex shader on the CPU.  The shader reads the
 * second of two blocks, a uniform outside of blocks, and an array by a variable index.
 */
static void
test_raster_position(void)
{
   static const char *const vertex = HEAD
      "layout(std140) uniform other { vec4 unused; };\n"
      "layout(%s) uniform block { float one; float floats[5]; vec2 pair; };\n"
      "uniform vec4 plain;\n"
      "void main() {\n"
      "   int i = int(gl_Vertex.x);\n"
      "   gl_Position = vec4(floats[i], pair.y, plain.w, 1.0) + unused * one;\n"
      "}\n";
   static const char *const layouts[] = { "std140", "shared" };

   for (unsigned l = 0; l < 2; l++) {
      char source[600];
      snprintf(source, sizeof(source), vertex, layouts[l]);
      GLuint program = use_program(source, "void main() { gl_FragColor = vec4(1.0); }\n");
      static const char *const names[] = { "one", "floats[0]", "pair" };
      GLuint indices[3];
      GLint offsets[3], strides[3];
      GLfloat data[64] = { 0 };

      glGetUniformIndices(program, 3, (const GLchar **)names, indices);
      glGetActiveUniformsiv(program, 3, indices, GL_UNIFORM_OFFSET, offsets);
      glGetActiveUniformsiv(program, 3, indices, GL_UNIFORM_ARRAY_STRIDE, strides);
      data[offsets[0] / 4] = 1.0f;
      for (int i = 0; i < 5; i++)
         data[(offsets[1] + i * strides[1]) / 4] = i / 8.0f;
      data[offsets[2] / 4 + 1] = -0.25f;
      GLuint buffers[2] = { make_buffer((GLfloat[4]){ 0.0f, 0.5f, 0.0f, 0.0f }, 16),
                            make_buffer(data, sizeof(data)) };
      glUniformBlockBinding(program, glGetUniformBlockIndex(program, "other"), 3);
      glUniformBlockBinding(program, glGetUniformBlockIndex(program, "block"), 4);
      glBindBufferBase(GL_UNIFORM_BUFFER, 3, buffers[0]);
      glBindBufferBase(GL_UNIFORM_BUFFER, 4, buffers[1]);
      glUniform4f(glGetUniformLocation(program, "plain"), 0.0f, 0.0f, 0.0f, 0.5f);
      for (int i = 0; i < 5; i++) {
         GLfloat at[4];
         glRasterPos2f((GLfloat)i, 0.0f);
         glGetFloatv(GL_CURRENT_RASTER_POSITION, at);
         CHECK(at[0] == (i / 8.0f + 1.0f) * SIZE / 2 && at[1] == 1.25f * SIZE / 2 && at[2] == 0.75f,
               "%s, %d: %g %g %g", layouts[l], i, at[0], at[1], at[2]);
      }
      glDeleteBuffers(2, buffers);
   }
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_uniform_buffer_object")) {
      fprintf(stderr, "no GL_ARB_uniform_buffer_object\n");
      return 1;
   }
   test_bindings();
   test_std140();
   test_largest();
   test_shared();
   test_changes();
   test_raster_position();
   return test_end();
}
