/* SPDX-License-Identifier: MIT */
/*
 * Tests persistent mappings of buffers (ARB_buffer_storage).  Later draws see writes by the
 * program, the program sees writes by the device after a fence, and the pointer stays valid.  Each
 * draw writes the colour of one pixel of a row.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pbuffer.h"

#define SIZE 64

struct vertex {
   GLfloat x, y;
   GLubyte rgba[4];
};

#define WRITE (GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT)
#define READ (GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT)
#define OTHER_WAYS GL_DYNAMIC_STORAGE_BIT

static GLuint
new_storage(GLenum target, GLsizeiptr size, const void *data, GLbitfield flags)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(target, buffer);
   glBufferStorage(target, size, data, flags);
   return buffer;
}

/* Returns the vertex of a pixel, with a colour that encodes the number that the pixel shows. */
static struct vertex
vertex_of(int pixel, uint32_t number)
{
   return (struct vertex){
      (pixel % SIZE + 0.5f) * 2 / SIZE - 1,
      (pixel / SIZE + 0.5f) * 2 / SIZE - 1,
      { number, number >> 8, number >> 16, 255 },
   };
}

static void
use_vertices(GLsizei stride)
{
   const struct vertex *none = NULL;

   glVertexPointer(2, GL_FLOAT, stride, &none->x);
   glColorPointer(4, GL_UNSIGNED_BYTE, stride, none->rgba);
   glEnableClientState(GL_VERTEX_ARRAY);
   glEnableClientState(GL_COLOR_ARRAY);
}

static uint32_t
read_number(int pixel)
{
   uint8_t rgba[4];

   glReadPixels(pixel % SIZE, pixel / SIZE, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
   return rgba[0] | rgba[1] << 8 | rgba[2] << 16;
}

static void
wait_for(GLsync *fence)
{
   if (*fence)
      CHECK(glClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, UINT64_MAX) != GL_WAIT_FAILED,
            "fence");
   glDeleteSync(*fence);
   *fence = NULL;
}

/* Tests a ring of slots, each of which is written again after the fence of its draw was signalled.
 */
static void
test_ring(void)
{
   enum { SLOTS = 7, COUNT = SIZE * SIZE };
   GLsync fences[SLOTS] = { NULL };
   static uint32_t image[COUNT];

   GLuint buffer = new_storage(GL_ARRAY_BUFFER, SLOTS * sizeof(struct vertex), NULL, WRITE);
   struct vertex *slots = glMapBufferRange(GL_ARRAY_BUFFER, 0, SLOTS * sizeof *slots, WRITE);
   CHECK(slots, "no pointer");
   use_vertices(sizeof *slots);
   glClear(GL_COLOR_BUFFER_BIT);
   for (int i = 0; i < COUNT && slots; i++) {
      wait_for(&fences[i % SLOTS]);
      slots[i % SLOTS] = vertex_of(i, i * 4099);
      glDrawArrays(GL_POINTS, i % SLOTS, 1);
      fences[i % SLOTS] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   }
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, image);
   for (int i = 0; i < COUNT; i++)
      CHECK((image[i] & 0xffffff) == (uint32_t)(i * 4099) % (1 << 24), "pixel %d: %x", i, image[i]);
   for (int i = 0; i < SLOTS; i++)
      wait_for(&fences[i]);
   glDeleteBuffers(1, &buffer);
}

/* Tests writes between draws without fences.  Each draw reads different bytes of the buffer. */
static void
test_between_draws(bool coherent)
{
   enum { COUNT = 200 };
   const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT;

   GLuint buffer = new_storage(GL_ARRAY_BUFFER, COUNT * sizeof(struct vertex), NULL,
                               flags | (coherent ? GL_MAP_COHERENT_BIT : 0));
   struct vertex *v = glMapBufferRange(GL_ARRAY_BUFFER, 0, COUNT * sizeof *v,
                                       flags | (coherent ? GL_MAP_COHERENT_BIT
                                                         : GL_MAP_FLUSH_EXPLICIT_BIT));
   use_vertices(sizeof *v);
   glClear(GL_COLOR_BUFFER_BIT);
   for (int i = 0; i < COUNT; i++) {
      v[i] = vertex_of(i, i * 65537 + 3);
      if (!coherent)
         glFlushMappedBufferRange(GL_ARRAY_BUFFER, i * sizeof *v, sizeof *v);
      glDrawArrays(GL_POINTS, i, 1);
   }
   for (int i = 0; i < COUNT; i++)
      CHECK(read_number(i) == (uint32_t)(i * 65537 + 3) % (1 << 24), "pixel %d: %x", i,
            read_number(i));
   glDeleteBuffers(1, &buffer);
}

/* Tests a program that writes through the pointer, draws from the buffer and then replaces the
 * contents by a command.  Each draw reads the contents at the time of its call.
 */
static void
test_commands_between(void)
{
   const GLsizeiptr size = sizeof(struct vertex);
   struct vertex first = vertex_of(1, 0x111111), second = vertex_of(2, 0x222222),
                 third = vertex_of(3, 0x333333);

   GLuint source = new_storage(GL_COPY_READ_BUFFER, size, &third, 0);
   GLuint buffer = new_storage(GL_ARRAY_BUFFER, size, NULL, WRITE | READ | OTHER_WAYS);
   struct vertex *v = glMapBufferRange(GL_ARRAY_BUFFER, 0, size, WRITE | READ);
   use_vertices(size);
   glClear(GL_COLOR_BUFFER_BIT);
   *v = first;
   glDrawArrays(GL_POINTS, 0, 1);
   glBufferSubData(GL_ARRAY_BUFFER, 0, size, &second);
   glDrawArrays(GL_POINTS, 0, 1);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, 0, size);
   glDrawArrays(GL_POINTS, 0, 1);
   CHECK(read_number(1) == 0x111111, "%x", read_number(1));
   CHECK(read_number(2) == 0x222222, "%x", read_number(2));
   CHECK(read_number(3) == 0x333333, "%x", read_number(3));
   glFinish();
   CHECK(!memcmp(v, &third, size), "the pointer does not show the copy");
   glDeleteBuffers(1, &source);
   glDeleteBuffers(1, &buffer);
}

/* Tests commands that would give other buffers new storage, while draws use the buffer. */
static void
test_storage_stays(void)
{
   const GLsizeiptr size = sizeof(struct vertex);
   struct vertex first = vertex_of(1, 0x111111);

   GLuint buffer = new_storage(GL_ARRAY_BUFFER, size, NULL, WRITE | READ | OTHER_WAYS);
   struct vertex *v = glMapBufferRange(GL_ARRAY_BUFFER, 0, size, WRITE | READ);
   use_vertices(size);
   glClear(GL_COLOR_BUFFER_BIT);
   for (int i = 0; i < 4; i++) {
      *v = first;
      glDrawArrays(GL_POINTS, 0, 1);
      if (i == 0)
         glBufferSubData(GL_ARRAY_BUFFER, 0, size, &first);
      else if (i == 1)
         glInvalidateBufferData(buffer);
      else if (i == 2)
         glInvalidateBufferSubData(buffer, 0, size);
      else
         glClearBufferData(GL_ARRAY_BUFFER, GL_R32F, GL_RED, GL_FLOAT, NULL);
      glFinish();

      struct vertex now = vertex_of(10 + i, 0x515151 + i), got;
      *v = now;
      glDrawArrays(GL_POINTS, 0, 1);
      CHECK(read_number(10 + i) == 0x515151u + i, "%d: %x", i, read_number(10 + i));
      glGetBufferSubData(GL_ARRAY_BUFFER, 0, size, &got);
      CHECK(!memcmp(&got, &now, size), "%d: the buffer is not what was written", i);
   }
   CHECK(read_number(1) == 0x111111, "%x", read_number(1));
   CHECK(glUnmapBuffer(GL_ARRAY_BUFFER), "lost");

   /* The buffer is not mapped now, so a running draw keeps its contents. */
   *(v = glMapBufferRange(GL_ARRAY_BUFFER, 0, size, WRITE)) = vertex_of(20, 0x202020);
   glDrawArrays(GL_POINTS, 0, 1);
   glUnmapBuffer(GL_ARRAY_BUFFER);
   v = glMapBufferRange(GL_ARRAY_BUFFER, 0, size, WRITE | GL_MAP_INVALIDATE_BUFFER_BIT);
   *v = vertex_of(21, 0x212121);
   glDrawArrays(GL_POINTS, 0, 1);
   CHECK(read_number(20) == 0x202020, "%x", read_number(20));
   CHECK(read_number(21) == 0x212121, "%x", read_number(21));
   glDeleteBuffers(1, &buffer);
}

/* Tests a parameter of a query in a mapped buffer that the stream uses.  Mesa writes it without the
 * device, and overwrites the whole buffer.
 */
static void
test_query_target(void)
{
   GLuint query;
   GLsync fence;

   GLuint buffer = new_storage(GL_QUERY_BUFFER, 4, NULL, READ);
   const GLuint *read = glMapBufferRange(GL_QUERY_BUFFER, 0, 4, READ);
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, NULL);
   glGetQueryObjectuiv(query, GL_QUERY_TARGET, NULL);
   fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   wait_for(&fence);
   CHECK(*read == GL_SAMPLES_PASSED, "the pointer shows %x", *read);
   glDeleteQueries(1, &query);
   glDeleteBuffers(1, &buffer);
}

/* Tests uniforms that change from draw to draw, in slots that fences protect. */
static void
test_uniforms(void)
{
   enum { SLOTS = 3, COUNT = 100 };
   GLsync fences[SLOTS] = { NULL };
   GLint stride;

   GLuint program = test_program("#version 140\n"
                                 "layout(std140) uniform Block { vec4 place, colour; };\n"
                                 "flat out vec4 c;\n"
                                 "void main() { gl_Position = place; c = colour; }\n",
                                 "#version 140\n"
                                 "flat in vec4 c;\n"
                                 "void main() { gl_FragColor = c; }\n");
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Block"), 0);
   glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &stride);
   stride = stride > 32 ? stride : 32;

   GLuint buffer = new_storage(GL_UNIFORM_BUFFER, SLOTS * stride, NULL, WRITE);
   char *slots = glMapBufferRange(GL_UNIFORM_BUFFER, 0, SLOTS * stride, WRITE);
   glDisableClientState(GL_VERTEX_ARRAY);
   glDisableClientState(GL_COLOR_ARRAY);
   glUseProgram(program);
   glClear(GL_COLOR_BUFFER_BIT);
   for (int i = 0; i < COUNT; i++) {
      struct vertex v = vertex_of(i, 0);
      const GLfloat data[8] = { v.x, v.y, 0, 1, i / 255.0f, (255 - i) / 255.0f, 0, 1 };

      wait_for(&fences[i % SLOTS]);
      memcpy(slots + i % SLOTS * stride, data, sizeof data);
      glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, i % SLOTS * stride, 32);
      glDrawArrays(GL_POINTS, 0, 1);
      fences[i % SLOTS] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   }
   for (int i = 0; i < COUNT; i++)
      CHECK(read_number(i) == (uint32_t)(i | (255 - i) << 8), "pixel %d: %x", i, read_number(i));
   for (int i = 0; i < SLOTS; i++)
      wait_for(&fences[i]);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
}

/* Tests that copies on the device, transform feedback and pixels that are read back are visible
 * through the pointer after a fence.
 */
static void
test_device_writes(void)
{
   enum { COUNT = 1000 };
   static const char *const varying = "number";
   static GLuint numbers[COUNT];
   GLsync fence;

   for (int i = 0; i < COUNT; i++)
      numbers[i] = rand();
   GLuint source = new_storage(GL_COPY_READ_BUFFER, sizeof numbers, numbers, 0);
   GLuint buffer = new_storage(GL_COPY_WRITE_BUFFER, sizeof numbers, NULL, READ);
   const GLuint *read = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, sizeof numbers, READ);
   CHECK(read && read[0] == 0, "not zero at first");
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, sizeof numbers);
   fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   wait_for(&fence);
   CHECK(!memcmp(read, numbers, sizeof numbers), "copy");

   GLuint program = glCreateProgram();
   test_shader(program, GL_VERTEX_SHADER,
               "#version 140\n"
               "flat out int number;\n"
               "void main() { number = gl_VertexID * 77; gl_Position = vec4(0); }\n");
   glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
   test_link(program);
   glUseProgram(program);
   glEnable(GL_RASTERIZER_DISCARD);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, COUNT);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   glUseProgram(0);
   glDeleteProgram(program);
   fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   wait_for(&fence);
   for (int i = 0; i < COUNT; i++)
      CHECK(read[i] == (GLuint)i * 77, "%d: %u", i, read[i]);

   glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
   glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, 10, 10, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   wait_for(&fence);
   for (int i = 0; i < 100; i++)
      CHECK(read[i] == 0xff996633, "%d: %x", i, read[i]);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
   glClearColor(0, 0, 0, 0);
   glDeleteBuffers(1, &source);
   glDeleteBuffers(1, &buffer);
}

/* Tests that uses that the storage flags do not permit cause the errors of the extension. */
static void
test_errors(void)
{
   struct vertex v = { 0 };
   GLint flags = 0, immutable = 0;

   GLuint buffer = new_storage(GL_ARRAY_BUFFER, sizeof v, &v, WRITE);
   glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_STORAGE_FLAGS, &flags);
   glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_IMMUTABLE_STORAGE, &immutable);
   CHECK(flags == WRITE && immutable == GL_TRUE, "%x %d", flags, immutable);
   glBufferData(GL_ARRAY_BUFFER, sizeof v, NULL, GL_STATIC_DRAW);
   CHECK(glGetError() == GL_INVALID_OPERATION, "new data");
   glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof v, &v);
   CHECK(glGetError() == GL_INVALID_OPERATION, "not dynamic");
   glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof v, GL_MAP_READ_BIT);
   CHECK(glGetError() == GL_INVALID_OPERATION, "not to be read");
   glDeleteBuffers(1, &buffer);
}

int
main(void)
{
   REQUIRE(test_pbuffer(SIZE, SIZE));
   CHECK(strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_buffer_storage"), "not offered");
   test_errors();
   test_ring();
   test_between_draws(true);
   test_between_draws(false);
   test_commands_between();
   test_storage_stays();
   test_query_target();
   test_uniforms();
   test_device_writes();
   return test_end();
}
