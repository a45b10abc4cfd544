/* SPDX-License-Identifier: MIT */
/*
 * Tests storage buffers, atomic counters and images in a vertex shader that runs for glRasterPos.
 * llvmpipe does not support the counters there.
 */
#include "core.h"

#define WORDS 16u

static const char source[] =
   "#version 430 compatibility\n"
   "layout(std430, binding = 1) buffer Out { uint words[]; };\n"
   "layout(std430, binding = 0) buffer In { vec4 position; uint sum; uint data[]; };\n"
   "layout(binding = 1, offset = 4) uniform atomic_uint counter;\n"
   "layout(rgba8, binding = 0) uniform image2D plane;\n"
   "layout(r32ui, binding = 1) uniform uimage2DArray layers;\n"
   "layout(r32i, binding = 2) uniform iimage3D volume;\n"
   "layout(r32f, binding = 3) uniform imageBuffer texels;\n"
   "layout(r32ui, binding = 4) uniform uimage1DArray rows;\n"
   "layout(r32ui, binding = 5) uniform uimage2D slice;\n"
   "void main() {\n"
   "   gl_Position = position;\n"
   "   words[0] = data[2];\n"
   "   words[1] = atomicAdd(sum, 5u);\n"
   "   words[2] = uint(data.length());\n"
   "   words[3] = data[99999];\n"
   "   words[4] = atomicCounterIncrement(counter);\n"
   "   words[5] = uint(imageLoad(plane, ivec2(1, 2)).y * 255.0 + 0.5);\n"
   "   words[6] = imageLoad(layers, ivec3(1, 0, 2)).x;\n"
   "   words[7] = uint(imageLoad(volume, ivec3(1, 1, 1)).x);\n"
   "   words[8] = uint(imageLoad(texels, 3).x);\n"
   "   words[9] = imageLoad(rows, ivec2(1, 1)).x;\n"
   "   words[10] = imageLoad(slice, ivec2(0, 1)).x;\n"
   "   words[11] = imageAtomicMax(layers, ivec3(0, 1, 2), 1000u);\n"
   "   words[12] = imageLoad(layers, ivec3(0, 1, 4)).x;\n"
   "   imageStore(plane, ivec2(3, 3), vec4(1.0, 0.0, 0.0, 1.0));\n"
   "   imageStore(texels, 1, vec4(7.0));\n"
   "   imageStore(volume, ivec3(2, 0, 0), ivec4(9));\n" /* outside of the image */
   "   ivec3 size = imageSize(layers);\n"
   "   words[13] = uint(size.x + 10 * size.y + 100 * size.z);\n"
   "   words[14] = uint(imageSize(texels) + 100 * imageSize(rows).y);\n"
   "   memoryBarrier();\n"
   "   words[15] = sum;\n"
   "}\n";

static GLuint
use_program(const char *text)
{
   const GLuint program = test_program(text, NULL);

   glUseProgram(program);
   return program;
}

static void
begin(void)
{
   EGLDisplay display = core_display();

   core_current(display, egl_compatibility(display));
}

/* Creates programs of the same size and deletes each before the next one, so that a program may get
 * the memory of its predecessor.
 */
static void
successors(void)
{
   for (unsigned i = 0; i < 64; i++) {
      char text[128];
      GLfloat position[4];

      snprintf(text, sizeof text,
               "#version 430 compatibility\nvoid main() { gl_Position = vec4(%f, 0, 0, 1); }\n",
               i / 64.0 - 0.5);
      const GLuint program = use_program(text);
      glRasterPos2f(0, 0);
      glGetFloatv(GL_CURRENT_RASTER_POSITION, position);
      CHECK(position[0] == 16 + i / 2.0f, "program %u: x is %g", i, position[0]);
      glUseProgram(0);
      glDeleteProgram(program);
   }
}

static GLuint
buffer(GLenum target, GLuint binding, unsigned size, const void *data)
{
   GLuint name;

   glGenBuffers(1, &name);
   glBindBuffer(target, name);
   glBufferData(target, size, data, GL_DYNAMIC_COPY);
   if (target != GL_TEXTURE_BUFFER)
      glBindBufferBase(target, binding, name);
   return name;
}

static GLuint
texture(GLenum target)
{
   GLuint name;

   glGenTextures(1, &name);
   glBindTexture(target, name);
   return name;
}

/* Creates an image with texels that count up from `first`, and binds it to the unit. */
static void
image(GLuint unit, GLenum target, GLenum format, GLenum data_format, unsigned first, GLint layer)
{
   const GLuint name = texture(target);
   uint32_t data[2 * 2 * 4];

   for (unsigned i = 0; i < 16; i++)
      data[i] = first + i;
   if (target == GL_TEXTURE_1D_ARRAY) {
      glTexStorage2D(target, 1, format, 2, 3);
      glTexSubImage2D(target, 0, 0, 0, 2, 3, data_format, GL_UNSIGNED_INT, data);
   } else {
      glTexStorage3D(target, 1, format, 2, 2, 4);
      glTexSubImage3D(target, 0, 0, 0, 0, 2, 2, 4, data_format, GL_UNSIGNED_INT, data);
   }
   glBindImageTexture(unit, name, 0, layer < 0, layer < 0 ? 0 : layer, GL_READ_WRITE, format);
}

int
main(void)
{
   static const float position[4] = { 0, 0, 0, 1 };
   static const float texel_data[4] = { 1, 2, 3, 4 };
   static const uint32_t expected[WORDS] = {
      102,
      40,
      4,
      0,
      71,
      96,
      300 + 9,
      500 + 7,
      4,
      700 + 3,
      800 + 3 * 4 + 2,
      300 + 10,
      0,
      2 + 20 + 400,
      4 + 300,
      45,
   };
   uint32_t in[9] = { 0 }, counters[2] = { 70, 71 }, found[WORDS];
   uint8_t pixels[4][4][4];
   float texels[4];
   GLboolean valid = GL_FALSE;

   begin();
   glViewport(0, 0, 64, 64);
   successors();
   use_program(source);
   memcpy(in, position, sizeof position);
   in[4] = 40;
   for (unsigned i = 0; i < 4; i++)
      in[5 + i] = 100 + i;
   buffer(GL_SHADER_STORAGE_BUFFER, 0, sizeof in, in);
   const GLuint counter_buffer = buffer(GL_ATOMIC_COUNTER_BUFFER, 1, sizeof counters, counters);

   const GLuint plane = texture(GL_TEXTURE_2D);
   memset(pixels, 0, sizeof pixels);
   pixels[2][1][1] = 96;
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glBindImageTexture(0, plane, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
   image(1, GL_TEXTURE_2D_ARRAY, GL_R32UI, GL_RED_INTEGER, 300, -1);
   image(2, GL_TEXTURE_3D, GL_R32I, GL_RED_INTEGER, 500, -1);
   const GLuint storage = buffer(GL_TEXTURE_BUFFER, 0, sizeof texel_data, texel_data);
   const GLuint texel_texture = texture(GL_TEXTURE_BUFFER);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, storage);
   glBindImageTexture(3, texel_texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32F);
   image(4, GL_TEXTURE_1D_ARRAY, GL_R32UI, GL_RED_INTEGER, 700, -1);
   image(5, GL_TEXTURE_2D_ARRAY, GL_R32UI, GL_RED_INTEGER, 800, 3);
   memset(found, 0xcd, sizeof found);
   const GLuint out = buffer(GL_SHADER_STORAGE_BUFFER, 1, sizeof found, found);

   glRasterPos2f(0, 0);
   glGetBooleanv(GL_CURRENT_RASTER_POSITION_VALID, &valid);
   CHECK(valid, "the position is not valid");
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, out);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof found, found);
   for (unsigned i = 0; i < WORDS; i++)
      CHECK(found[i] == expected[i], "word %u: %u, not %u", i, found[i], expected[i]);

   glBindBuffer(GL_ATOMIC_COUNTER_BUFFER, counter_buffer);
   glGetBufferSubData(GL_ATOMIC_COUNTER_BUFFER, 0, sizeof counters, counters);
   CHECK(counters[0] == 70 && counters[1] == 72, "counters: %u, %u", counters[0], counters[1]);
   glBindTexture(GL_TEXTURE_2D, plane);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   CHECK(pixels[3][3][0] == 255 && pixels[3][3][3] == 255 && pixels[3][2][0] == 0 &&
            pixels[2][1][1] == 96,
         "the stored texel: %u", pixels[3][3][0]);
   glBindBuffer(GL_TEXTURE_BUFFER, storage);
   glGetBufferSubData(GL_TEXTURE_BUFFER, 0, sizeof texels, texels);
   CHECK(texels[0] == 1 && texels[1] == 7 && texels[2] == 3, "the buffer's texel: %g", texels[1]);
   return core_end("raster position");
}
