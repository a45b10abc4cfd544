/* SPDX-License-Identifier: MIT */
/* Compute benchmarks: one that moves and draws particles, and a Gaussian blur. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_compute.h"

#define PARTICLES 65536
#define ATTRACTORS 8
#define STEP 0.01f
#define CHECKED_FRAMES 3

static struct particle {
   float position[4], velocity[4];
} * particles;
static float attractors[ATTRACTORS][4];
static GLuint particle_buffer, particle_program, point_program;

static float
random_float(float low, float high)
{
   return low + (high - low) * (float)(bench_random() & 0xffff) / 65536.0f;
}

static void
prepare_particles(void)
{
   GLuint texture, fb;

   particles = bench_alloc(PARTICLES * sizeof(*particles));
   for (unsigned i = 0; i < PARTICLES; i++) {
      for (unsigned c = 0; c < 3; c++) {
         particles[i].position[c] = random_float(-1.0f, 1.0f);
         particles[i].velocity[c] = random_float(-0.1f, 0.1f);
      }
      particles[i].position[3] = 1.0f;
      particles[i].velocity[3] = 0.0f;
   }
   for (unsigned i = 0; i < ATTRACTORS; i++) {
      for (unsigned c = 0; c < 3; c++)
         attractors[i][c] = random_float(-0.8f, 0.8f);
      attractors[i][3] = random_float(0.01f, 0.05f);
   }
   particle_buffer = bench_buffer(0, PARTICLES * sizeof(*particles), particles);
   particle_program = bench_program(
      "layout(local_size_x = 128) in;\n"
      "struct particle { vec4 position, velocity; };\n"
      "layout(std430, binding = 0) buffer P { particle p[]; };\n"
      "layout(location = 0) uniform vec4 attractors[8];\n"
      "void main() {\n"
      "   uint i = gl_GlobalInvocationID.x;\n"
      "   vec3 position = p[i].position.xyz, velocity = p[i].velocity.xyz;\n"
      "   for (int k = 0; k < 8; k++) {\n"
      "      vec3 d = attractors[k].xyz - position;\n"
      "      float r = dot(d, d) + 0.05;\n"
      "      velocity += d * (attractors[k].w * 0.01 / (r * sqrt(r)));\n"
      "   }\n"
      "   velocity *= 0.999;\n"
      "   position += velocity * 0.01;\n"
      "   p[i].position.xyz = position; p[i].velocity.xyz = velocity;\n"
      "}\n");
   glProgramUniform4fv(particle_program, 0, ATTRACTORS, attractors[0]);
   point_program = bench_draw_program(
      "layout(location = 0) in vec4 position; layout(location = 1) in vec4 velocity; out vec4 color;\n"
      "void main() { color = vec4(abs(velocity.xyz) * 4.0 + 0.1, 0.3); gl_Position = position; }\n",
      "in vec4 color; out vec4 result;\nvoid main() { result = color; }\n");
   glCreateTextures(GL_TEXTURE_2D, 1, &texture);
   glTextureStorage2D(texture, 1, GL_RGBA8, 512, 512);
   glCreateFramebuffers(1, &fb);
   glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, texture, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glViewport(0, 0, 512, 512);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE);
   glBindBuffer(GL_ARRAY_BUFFER, particle_buffer);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(*particles), NULL);
   glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(*particles), (void *)16);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
}

static void
frame_particles(void)
{
   glUseProgram(particle_program);
   glDispatchCompute(PARTICLES / 128, 1, 1);
   glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
   glUseProgram(point_program);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_POINTS, 0, PARTICLES);
}

static void
move(struct particle *p)
{
   for (unsigned k = 0; k < ATTRACTORS; k++) {
      float d[3], r = 0.05f;
      for (unsigned c = 0; c < 3; c++) {
         d[c] = attractors[k][c] - p->position[c];
         r += d[c] * d[c];
      }
      const float strength = attractors[k][3] * STEP / (r * sqrtf(r));
      for (unsigned c = 0; c < 3; c++)
         p->velocity[c] += d[c] * strength;
   }
   for (unsigned c = 0; c < 3; c++) {
      p->velocity[c] *= 0.999f;
      p->position[c] += p->velocity[c] * STEP;
   }
}

static bool
check_particles(void)
{
   struct particle *found = bench_alloc(PARTICLES * sizeof(*found));
   uint8_t *pixels = bench_alloc(512 * 512 * 4);
   unsigned bad = 0, lit = 0;

   for (unsigned f = 0; f < CHECKED_FRAMES; f++)
      frame_particles();
   bench_read(particle_buffer, PARTICLES * sizeof(*found), found);
   for (unsigned i = 0; i < PARTICLES; i++) {
      for (unsigned f = 0; f < CHECKED_FRAMES; f++)
         move(&particles[i]);
      for (unsigned c = 0; c < 3; c++) {
         bad += !(fabsf(found[i].position[c] - particles[i].position[c]) < 1e-5f);
         bad += !(fabsf(found[i].velocity[c] - particles[i].velocity[c]) < 1e-5f);
      }
   }
   glReadPixels(0, 0, 512, 512, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < 512 * 512; i++)
      lit += pixels[4 * i] != 0;
   free(found);
   free(pixels);
   return bad == 0 && lit > 10000;
}

const struct bench bench_particles = {
   .name = "particles",
   .text = "65536 particles among 8 attractors, moved and drawn as points with blending",
   .prepare = prepare_particles,
   .frame = frame_particles,
   .check = check_particles,
};

#define SIDE 512
#define RADIUS 8
#define SIGMA 4.0f

static GLuint blur_textures[3], blur_programs[2];
static float weights[RADIUS + 1];
static uint8_t *picture;

static const char blur_text[] =
   "layout(local_size_x = 128) in;\n"
   "layout(rgba8, binding = 0) readonly uniform image2D from;\n"
   "layout(rgba8, binding = 1) writeonly uniform image2D to;\n"
   "layout(location = 0) uniform float weights[9];\n"
   "shared vec4 line[128 + 16];\n"
   "void main() {\n"
   "   int l = int(gl_LocalInvocationID.x), first = int(gl_WorkGroupID.x) * 128 - 8;\n"
   "   for (int i = l; i < 144; i += 128)\n"
   "      line[i] = imageLoad(from, AT(clamp(first + i, 0, 511)));\n"
   "   barrier();\n"
   "   vec4 sum = line[l + 8] * weights[0];\n"
   "   for (int i = 1; i <= 8; i++)\n"
   "      sum += (line[l + 8 - i] + line[l + 8 + i]) * weights[i];\n"
   "   imageStore(to, AT(int(gl_GlobalInvocationID.x)), sum);\n"
   "}\n";

static void
prepare_blur(void)
{
   static const char *const at[2] = { "#define AT(x) ivec2(x, int(gl_WorkGroupID.y))\n",
                                      "#define AT(x) ivec2(int(gl_WorkGroupID.y), x)\n" };
   float sum = 0.0f;

   for (int i = 0; i <= RADIUS; i++) {
      weights[i] = expf(-(float)(i * i) / (2.0f * SIGMA * SIGMA));
      sum += i ? 2.0f * weights[i] : weights[i];
   }
   for (int i = 0; i <= RADIUS; i++)
      weights[i] /= sum;
   picture = bench_alloc(SIDE * SIDE * 4);
   for (unsigned i = 0; i < SIDE * SIDE * 4; i++)
      picture[i] = (uint8_t)bench_random();
   glCreateTextures(GL_TEXTURE_2D, 3, blur_textures);
   for (unsigned i = 0; i < 3; i++)
      glTextureStorage2D(blur_textures[i], 1, GL_RGBA8, SIDE, SIDE);
   glTextureSubImage2D(blur_textures[0], 0, 0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, picture);
   for (unsigned i = 0; i < 2; i++) {
      char text[2048];
      snprintf(text, sizeof(text), "%s%s", at[i], blur_text);
      blur_programs[i] = bench_program(text);
      glProgramUniform1fv(blur_programs[i], 0, RADIUS + 1, weights);
   }
}

static void
frame_blur(void)
{
   for (unsigned i = 0; i < 2; i++) {
      glUseProgram(blur_programs[i]);
      glBindImageTexture(0, blur_textures[i], 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
      glBindImageTexture(1, blur_textures[i + 1], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
      glDispatchCompute(SIDE / 128, SIDE, 1);
      glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
   }
}

static void
blur_line(const uint8_t *from, uint8_t *to, unsigned step)
{
   for (int x = 0; x < SIDE; x++) {
      for (unsigned c = 0; c < 4; c++) {
         float sum = 0.0f;
         for (int k = -RADIUS; k <= RADIUS; k++) {
            const int at = x + k < 0 ? 0 : x + k >= SIDE ? SIDE - 1 : x + k;
            sum += weights[k < 0 ? -k : k] * from[(size_t)at * step + c];
         }
         to[(size_t)x * step + c] = (uint8_t)(sum + 0.5f);
      }
   }
}

static bool
check_blur(void)
{
   uint8_t *between = bench_alloc(SIDE * SIDE * 4), *expected = bench_alloc(SIDE * SIDE * 4);
   uint8_t *found = bench_alloc(SIDE * SIDE * 4);
   int most = 0;

   frame_blur();
   glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
   glGetTextureImage(blur_textures[2], 0, GL_RGBA, GL_UNSIGNED_BYTE, SIDE * SIDE * 4, found);
   for (unsigned i = 0; i < SIDE; i++)
      blur_line(picture + (size_t)i * SIDE * 4, between + (size_t)i * SIDE * 4, 4);
   for (unsigned i = 0; i < SIDE; i++)
      blur_line(between + (size_t)i * 4, expected + (size_t)i * 4, SIDE * 4);
   for (unsigned i = 0; i < SIDE * SIDE * 4; i++) {
      const int difference = abs(found[i] - expected[i]);
      most = difference > most ? difference : most;
   }
   free(between);
   free(expected);
   free(found);
   return most <= 1; /* the blur may round differently in each of its two passes */
}

const struct bench bench_blur = {
   .name = "blur",
   .text = "a Gaussian blur of radius 8 over 512x512, in two passes through shared memory",
   .prepare = prepare_blur,
   .frame = frame_blur,
   .check = check_blur,
};
