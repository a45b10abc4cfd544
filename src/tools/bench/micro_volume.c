/* SPDX-License-Identifier: MIT */
/* Micro-benchmarks of volume rendering: each pixel marches a ray through a 3D texture, and looks up
 * each sample in two tables, an opacity and a color, as volume renderers do.
 *
 * The volume is proportional to x, and both tables are linear, too.  Rays move by as much to the
 * left of their middle as to the right, so the mean of a ray's samples is the value in its middle.
 */
#include <math.h>
#include <stdlib.h>

#include "bench_micro.h"

#define VOLUME 64  /* size of the volume in texels */
#define TABLE 1024 /* size of a table in texels */
#define STEPS 64   /* number of samples of a ray */
#define PIXELS ((double)MICRO_SIDE * MICRO_SIDE)
#define FIRST 0.25f /* value at the left edge of the target */
#define SPAN 0.5f   /* difference between the values at the right and left edges */

static void
parameters(GLenum target)
{
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
   glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
   glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
   glTexParameteri(target, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
}

/* Creates and binds a texture whose red value is proportional to s.  It has one row, or is a cube.
 */
static void
ramp(GLenum unit, GLenum format, int size, bool volume)
{
   const size_t texels = volume ? (size_t)size * (size_t)size * (size_t)size : (size_t)size;
   const GLenum target = volume ? GL_TEXTURE_3D : GL_TEXTURE_2D;
   float *data = bench_alloc(texels * sizeof(float));
   GLuint texture;

   for (size_t i = 0; i < texels; i++)
      data[i] = ((float)(i % (size_t)size) + 0.5f) / (float)size;
   glActiveTexture(unit);
   glGenTextures(1, &texture);
   glBindTexture(target, texture);
   if (volume)
      glTexImage3D(target, 0, (GLint)format, size, size, size, 0, GL_RED, GL_FLOAT, data);
   else
      glTexImage2D(target, 0, (GLint)format, size, 1, 0, GL_RED, GL_FLOAT, data);
   parameters(target);
   free(data);
}

static void
prepare_volume(const struct micro *micro)
{
   micro_target(false);
   micro_prepare_cover();
   ramp(GL_TEXTURE0, (GLenum)micro->format, VOLUME, true);
   ramp(GL_TEXTURE1, GL_R32F, TABLE, false);
   ramp(GL_TEXTURE2, GL_RGB32F, TABLE, false);
   const GLuint program = bench_draw_program(
      MICRO_COVER,
      "uniform sampler3D volume; uniform sampler2D opacity, color; uniform int steps;\n"
      "in vec2 at; out vec4 result;\n"
      "void main() {\n"
      "   vec3 place = vec3(at.x * 0.5 + 0.15, at.y * 0.7 + 0.1, 0.05);\n"
      "   vec3 step = vec3(0.2, 0.1, 0.9) / float(steps);\n"
      "   float sum = 0.0, red = 0.0;\n"
      "   place += step * 0.5;\n"
      "   for (int i = 0; i < steps; i++) {\n"
      "      float value = texture(volume, place).x;\n"
      "      sum += texture(opacity, vec2(value, 0.0)).x;\n"
      "      red += texture(color, vec2(value, 0.0)).x;\n"
      "      place += step; }\n"
      "   result = vec4(sum / float(steps), red / float(steps), 0.0, 1.0); }\n");
   glUseProgram(program);
   glUniform1i(glGetUniformLocation(program, "volume"), 0);
   glUniform1i(glGetUniformLocation(program, "opacity"), 1);
   glUniform1i(glGetUniformLocation(program, "color"), 2);
   glUniform1i(glGetUniformLocation(program, "steps"), STEPS);
}

static void
frame_volume(const struct micro *micro)
{
   (void)micro;
   micro_cover(1);
}

static bool
check_volume(const struct micro *micro)
{
   unsigned bad = 0;

   frame_volume(micro);
   const uint8_t *pixels = micro_read();
   for (int i = 0; i < MICRO_SIDE * MICRO_SIDE; i++) {
      const float x = ((float)(i % MICRO_SIDE) + 0.5f) / MICRO_SIDE;
      const int exact = (int)((FIRST + SPAN * x) * 255.0f + 0.5f);
      for (int c = 0; c < 2; c++)
         bad += abs(pixels[4 * i + c] - exact) > 2;
   }
   return bad == 0;
}

#define VOLUME_OF(format_name, internal, each)                                                    \
   {                                                                                              \
      .name = "volume-" format_name,                                                              \
      .text = "rays of 64 samples of " format_name " through two tables", .unit = "samples",      \
      .work = PIXELS * STEPS, .bytes = PIXELS * 4 + (double)VOLUME * VOLUME * VOLUME * (each),    \
      .prepare = prepare_volume, .frame = frame_volume, .check = check_volume, .format = internal \
   }

const struct micro micro_volumes[] = {
   VOLUME_OF("r8", GL_R8, 1),
   VOLUME_OF("r16", GL_R16, 2),
   VOLUME_OF("r32f", GL_R32F, 4),
   VOLUME_OF("rgba16f", GL_RGBA16F, 8),
};
const unsigned micro_volume_count = sizeof(micro_volumes) / sizeof(micro_volumes[0]);
