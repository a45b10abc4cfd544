/* SPDX-License-Identifier: MIT */
/*
 * Tests of the texture unit: the functions of one host level.
 */
#include "texture.h"

extern const struct tex_level tex_level;

const struct tex_level tex_level = {
   .run = sgd_texture_op,
   .image = sgd_image_access,
};
