/* SPDX-License-Identifier: MIT */
/*
 * Micro-benchmarks: one part of the device at a time, on any OpenGL 3.3 driver.
 */
#ifndef BENCH_MICRO_H
#define BENCH_MICRO_H

#include "bench_compute.h"

#define MICRO_SIDE 512 /* width and height of the target, in pixels */

struct micro {
   const char *name;
   const char *text; /* what it does, for the list */
   const char *unit; /* of `work` */
   double work;      /* in one frame */
   double bytes; /* of surfaces, textures and the program that a frame must move at least, or 0 */
   void (*prepare)(const struct micro *micro);
   void (*frame)(const struct micro *micro);
   bool (*check)(const struct micro *micro); /* draws a frame; whether its picture is right */
   int variant, format;
};

extern const struct micro micro_fills[], micro_textures[], micro_meshes[], micro_shaders[],
   micro_moves[];
extern const unsigned micro_fill_count, micro_texture_count, micro_mesh_count, micro_shader_count,
   micro_move_count;

/* A framebuffer of MICRO_SIDE squared RGBA8 texels, bound, optionally with 24 bits of depth;
 * returns its colour texture. */
GLuint micro_target(bool depth);

/* A triangle that covers the target, drawn with the bound program, which has the attribute
 * `corner` at location 0, from -1 to 1 within the target. */
void micro_prepare_cover(void);
void micro_cover(unsigned layers);

/* Reads the target's colours: MICRO_SIDE squared times RGBA. */
const uint8_t *micro_read(void);

/* Whether all components of all pixels are within `tolerance` of rgba. */
bool micro_is(const uint8_t *pixels, const int rgba[4], int tolerance);

/* The vertex program of micro_cover(): `at` is 0 to 1 across the target. */
#define MICRO_COVER                                      \
   "layout(location = 0) in vec2 corner; out vec2 at;\n" \
   "void main() { at = corner * 0.5 + 0.5; gl_Position = vec4(corner, 0.0, 1.0); }\n"

#endif
