/* SPDX-License-Identifier: MIT */
/*
 * Scenes of functions of GLSL, on values that vary and on constants, which the compiler folds.
 */
#include <string.h>

#include "picture.h"

static const char vertex[] =
   "#version 450 compatibility\n"
   "out vec2 at;\n"
   "void main() { gl_Position = gl_Vertex; at = gl_MultiTexCoord0.xy; }\n";

/* Draws a rectangle with a fragment shader that has the given expression of x and y, of vec4.  Adds
 * the floats of its pixels.
 */
static void
draw_expression(const char *expression)
{
   char source[2000];

   snprintf(source, sizeof source,
            "#version 450 compatibility\n"
            "#define PI 3.14159265\n"
            "in vec2 at; out vec4 colour;\n"
            "void main() {\n"
            "   const float k = 0.7390851332;\n"
            "   float x = at.x * 9 - 4, y = at.y * 7 + 0.01;\n"
            "   colour = %s;\n"
            "}\n",
            expression);
   const GLuint program = test_program(vertex, source);
   glUseProgram(program);
   picture_rectangle();
   picture_add_pixels(GL_FLOAT, 4);
   glDeleteProgram(program);
}

static void
functions(void)
{
   static const char *const expressions[] = {
      "vec4(sin(x), cos(y), tan(x * y), asin(x * 0.25))",
      "vec4(acos(x * 0.25), atan(x), atan(x, y), sinh(x))",
      "vec4(cosh(x), tanh(y), asinh(x), acosh(y + 1))",
      "vec4(atanh(x * 0.2), pow(y, x), exp(x), log(y))",
      "vec4(exp2(x), log2(y), sqrt(y), inversesqrt(y))",
      "vec4(floor(x), ceil(x), round(x * 2), fract(x))",
      "vec4(mod(x, 1.7), x / y, length(vec3(x, y, 2)), distance(vec2(x, y), vec2(y, 1)))",
      "vec4(normalize(vec3(x, y, -x)), smoothstep(-1.0, 3.0, x))",
      "vec4(reflect(vec2(x, y), normalize(vec2(1, 2))), refract(vec2(0, -1), normalize(vec2(x, y)), 0.8))",
      "vec4(fma(x, y, -x), ldexp(x, int(y)), mix(x, y, 0.3), degrees(x))",
      "vec4(dFdx(x * y), dFdy(x * y), fwidth(sin(x)), step(y, x))",
      "vec4(unpackHalf2x16(packHalf2x16(vec2(x, y * 1e4))), unpackSnorm2x16(packSnorm2x16(vec2(x, y) * 0.2)))",
      "unpackUnorm4x8(packUnorm4x8(vec4(x, y, x * y, 0.5) * 0.3))",
      "inverse(mat4(x, y, 1, 2, 3, x, y, 1, 2, 3, x, y, 1, 2, 3, x * y)) * vec4(1, 2, 3, 4)",
      "vec4(determinant(mat3(x, y, 1, 2, 3, x, y, 1, y)), float(int(x * 1e3)), float(uint(y * 1e6)), "
      "intBitsToFloat(floatBitsToInt(x) + 1))",
   };

   picture_target(GL_RGBA32F, 0, 0);
   for (unsigned i = 0; i < sizeof expressions / sizeof *expressions; i++)
      draw_expression(expressions[i]);
}

/* Functions of constants: of GLSL's constant expressions (k), and of NIR's (zero is 0, which only
 * the optimizer finds).
 */
static void
constants(void)
{
   static const char *const calls[] = {
      "sin(v)",
      "cos(v)",
      "tan(v)",
      "asin(v)",
      "acos(v)",
      "atan(v)",
      "atan(v, 0.3)",
      "sinh(v)",
      "cosh(v)",
      "tanh(v)",
      "asinh(v)",
      "acosh(v + 1)",
      "atanh(v)",
      "pow(v, 2.7)",
      "exp(v)",
      "log(v)",
      "exp2(v)",
      "log2(v)",
      "sqrt(v)",
      "inversesqrt(v)",
      "1 / v",
      "mod(v, 0.19)",
      "normalize(vec3(v, 1, 2)).x",
      "v * v * v",
      "fma(v, v, 1e-9)",
      "ldexp(v, -130)",
      "unpackHalf2x16(packHalf2x16(vec2(v))).x",
      "unpackSnorm2x16(packSnorm2x16(vec2(v))).x",
      "float(double(v) / 3)",
      "float(sqrt(double(v)))",
      "float(inversesqrt(double(v)))",
      "float(int(v * 1e9))",
      "float(int64_t(double(v) * 1e18))",
      "length(vec4(v))",
   };
   enum { COUNT = sizeof calls / sizeof *calls };
   static const char *const values[] = { "k", "(k + zero)", "(0.1234567 + zero)" };
   char source[16000];
   float results[COUNT * 3];
   GLuint buffer;

   strcpy(source, "#version 450\n"
                  "#extension GL_ARB_gpu_shader_int64 : enable\n"
                  "layout(local_size_x = 1) in;\n"
                  "layout(std430, binding = 0) buffer Results { float result[]; };\n"
                  "void main() {\n"
                  "   const float k = 0.7390851332;\n"
                  "   float zero = 0, one = 1;\n"
                  "   for (int i = 0; i < 3; i++) zero = zero * one;\n");
   for (unsigned i = 0; i < COUNT * 3; i++) {
      char *end = source + strlen(source);
      const char *v = values[i / COUNT];
      end += sprintf(end, "   result[%u] = ", i);
      for (const char *c = calls[i % COUNT]; *c; c++) {
         const bool name = *c == 'v' && (c[1] < 'a' || c[1] > 'z') &&
                           (c == calls[i % COUNT] || c[-1] < 'a' || c[-1] > 'z');
         end += name ? sprintf(end, "%s", v) : sprintf(end, "%c", *c);
      }
      sprintf(end, ";\n");
   }
   strcat(source, "}\n");
   REQUIRE(strlen(source) < sizeof source);

   const GLuint program = glCreateProgram();
   test_shader(program, GL_COMPUTE_SHADER, source);
   REQUIRE(test_link(program));
   glUseProgram(program);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof results, NULL, GL_STATIC_READ);
   glDispatchCompute(1, 1, 1);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof results, results);
   picture_add(results, sizeof results);
}

static void
doubles(void)
{
   static const char *const expressions[] = {
      "vec4(double(x) / double(y), sqrt(double(y)), inversesqrt(double(y)), double(x) * double(y))",
      "vec4(fma(double(x), double(y), 1.0LF), floor(double(x)), fract(double(x)), round(double(x)))",
      "vec4(packDouble2x32(uvec2(floatBitsToUint(x), 0x3ff00000u)), length(dvec3(x, y, 1)), "
      "double(int(x)), mod(double(x), 0.3LF))",
   };

   picture_target(GL_RGBA32F, 0, 0);
   for (unsigned i = 0; i < sizeof expressions / sizeof *expressions; i++)
      draw_expression(expressions[i]);
}

static void
integers(void)
{
   static const char *const expressions[] = {
      "vec4(int(x * 99) / 7, int(x * 99) % 7 + uint(y * 99) % 5u, int(x * 9) >> 1, uint(y * 1e5) << 3)",
      "vec4(bitCount(int(y * 1e6)), findMSB(int(x * 1e6)), findLSB(int(y * 1e6)), bitfieldReverse(int(y)))",
      "vec4(bitfieldExtract(int(x * 1e7), 3, 9), bitfieldInsert(int(x), 5, 8, 7), abs(int(x)), sign(int(x)))",
   };

   picture_target(GL_RGBA32F, 0, 0);
   for (unsigned i = 0; i < sizeof expressions / sizeof *expressions; i++)
      draw_expression(expressions[i]);
}

const struct picture_scene picture_shaders[] = {
   { "functions", functions },
   { "constants", constants },
   { "doubles", doubles },
   { "integers", integers },
   { NULL },
};
