/* SPDX-License-Identifier: MIT */
/*
 * Scenes of the test `pictures`, and the functions that they call.
 */
#ifndef TEST_PICTURE_H
#define TEST_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "../check.h"

#define WIDTH 96
#define HEIGHT 64

struct picture_scene {
   const char *name;
   void (*draw)(void);
};

/* Lists of scenes; the last scene of a list has no name. */
extern const struct picture_scene picture_fixed[], picture_pixels[], picture_shaders[],
   picture_stages[];

/* Adds bytes to the result of the scene. */
void picture_add(const void *bytes, size_t size);

/* Adds the pixels of the bound framebuffer to the result of the scene, as GL_RGBA in a type of
 * `component` bytes per component.
 */
void picture_add_pixels(GLenum type, size_t component);

/* Creates a framebuffer with a colour buffer, and a depth buffer unless `depth` is 0. */
void picture_target(GLenum color, GLenum depth, int samples);

/* Draws a rectangle that covers the viewport, with texture coordinates from 0 to 1. */
void picture_rectangle(void);

/* Returns a number from 0 to 255 that looks random, for a position in an image. */
static inline uint8_t
picture_noise(unsigned x, unsigned y)
{
   uint32_t n = x * 374761393u + y * 668265263u;

   n = (n ^ (n >> 13)) * 1274126177u;
   return n >> 24;
}

#endif
