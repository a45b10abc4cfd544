/* SPDX-License-Identifier: MIT */
/*
 * Micro-benchmarks of the shader cores: chains of multiply-adds, and transcendental functions.
 */
#include <stdlib.h>

#include "bench_micro.h"

#define MADS 256  /* number of 4-component multiply-adds per pixel */
#define ROUNDS 32 /* number of exp2 and log2 pairs per pixel, each with 4 components */
#define PIXELS ((double)MICRO_SIDE * MICRO_SIDE)

enum { MAD, TRANSCENDENTAL };

static void
prepare_shader(const struct micro *micro)
{
   GLuint program;

   micro_target(false);
   micro_prepare_cover();
   /* Both programs return their start value: one computes 1 - x an even number of times, and the
    * other log2(exp2(x) + 0) = x. The constants are uniforms, so that compilers can't optimize the
    * code away.
    */
   program = bench_draw_program(
      MICRO_COVER, micro->variant == MAD
                      ? "uniform vec4 a, b; in vec2 at; out vec4 result;\n"
                        "void main() { vec4 x = vec4(at, 0.25, 1.0);\n"
                        "   for (int i = 0; i < 16; i++) {\n"
                        "      x = x * a + b; x = x * a + b; x = x * a + b; x = x * a + b;\n"
                        "      x = x * a + b; x = x * a + b; x = x * a + b; x = x * a + b;\n"
                        "      x = x * a + b; x = x * a + b; x = x * a + b; x = x * a + b;\n"
                        "      x = x * a + b; x = x * a + b; x = x * a + b; x = x * a + b; }\n"
                        "   result = x; }\n"
                      : "uniform vec4 a, b; in vec2 at; out vec4 result;\n"
                        "void main() { vec4 x = vec4(at, 0.25, 1.0);\n"
                        "   for (int i = 0; i < 32; i++) x = log2(exp2(x) + (a + b));\n"
                        "   result = x; }\n");
   glUseProgram(program);
   glUniform4f(glGetUniformLocation(program, "a"), -1, -1, -1, -1);
   glUniform4f(glGetUniformLocation(program, "b"), 1, 1, 1, 1);
}

static void
frame_shader(const struct micro *micro)
{
   (void)micro;
   micro_cover(1);
}

static bool
check_shader(const struct micro *micro)
{
   unsigned bad = 0;

   frame_shader(micro);
   const uint8_t *pixels = micro_read();
   for (int i = 0; i < MICRO_SIDE * MICRO_SIDE; i++) {
      const int exact[4] = { (i % MICRO_SIDE * 2 + 1) * 255 / (2 * MICRO_SIDE),
                             (i / MICRO_SIDE * 2 + 1) * 255 / (2 * MICRO_SIDE), 64, 255 };
      for (int c = 0; c < 4; c++)
         bad += abs(pixels[4 * i + c] - exact[c]) > 2;
   }
   return bad == 0;
}

const struct micro micro_shaders[] = {
   { .name = "mad",
     .text = "256 multiply-adds of four components a pixel",
     .unit = "multiply-adds",
     .work = 4.0 * MADS * PIXELS,
     .prepare = prepare_shader,
     .frame = frame_shader,
     .check = check_shader,
     .variant = MAD },
   { .name = "transcendental",
     .text = "32 times exp2 and log2 of four components a pixel",
     .unit = "functions",
     .work = 8.0 * ROUNDS * PIXELS,
     .prepare = prepare_shader,
     .frame = frame_shader,
     .check = check_shader,
     .variant = TRANSCENDENTAL },
};
const unsigned micro_shader_count = sizeof(micro_shaders) / sizeof(micro_shaders[0]);
