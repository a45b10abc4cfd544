/* SPDX-License-Identifier: MIT */
/* Interface of the micro-benchmarks.  Each benchmark measures one part of a device, on any OpenGL
 * 3.3 driver.
 */
#ifndef BENCH_MICRO_H
#define BENCH_MICRO_H

#include "bench_compute.h"

#define MICRO_SIDE 512 /* width and height of the render target in pixels */

struct micro {
   const char *name;
   const char *text; /* description in the list of benchmarks */
   const char *unit; /* unit of `work` */
   double work;      /* amount of work per frame, in `unit` */
   /* minimum number of bytes that a frame reads and writes; 0 if memory access is not measured */
   double bytes;
   void (*prepare)(const struct micro *micro);
   void (*frame)(const struct micro *micro);
   /* draws a frame and returns true if the picture is correct */
   bool (*check)(const struct micro *micro);
   int variant, format; /* parameters for the benchmark's functions */
};

extern const struct micro micro_fills[], micro_textures[], micro_meshes[], micro_shaders[],
   micro_moves[], micro_volumes[], micro_blits[];
extern const unsigned micro_fill_count, micro_texture_count, micro_mesh_count, micro_shader_count,
   micro_move_count, micro_volume_count, micro_blit_count;

/* Creates and binds a framebuffer of MICRO_SIDE x MICRO_SIDE RGBA8 pixels, optionally with 24-bit
 * depth. Returns its color texture.
 */
GLuint micro_target(bool depth);

/* Sets up and draws a triangle that covers the target, `layers` times. The bound program must have
 * an attribute `corner` at location 0. Its values go from -1 to 1 across the target.
 */
void micro_prepare_cover(void);
void micro_cover(unsigned layers);

/* Returns the MICRO_SIDE x MICRO_SIDE pixels of the target as RGBA8. */
const uint8_t *micro_read(void);

/* Returns true if each component of each pixel differs from rgba by at most `tolerance`. */
bool micro_is(const uint8_t *pixels, const int rgba[4], int tolerance);

/* Vertex shader for micro_cover().  Its output `at` ranges from 0 to 1 across the target. */
#define MICRO_COVER                                      \
   "layout(location = 0) in vec2 corner; out vec2 at;\n" \
   "void main() { at = corner * 0.5 + 0.5; gl_Position = vec4(corner, 0.0, 1.0); }\n"

#endif
