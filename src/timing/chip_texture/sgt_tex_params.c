/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: checks of the parameters.
 */
#include "chip_texture/sgt_tex.h"

#include <inttypes.h>
#include <stdio.h>

bool
sgt_tex_params_check(const struct sgt_tex_params *p, char *error, size_t error_size)
{
   if (!sgt_tex_params_ranges(p, error, error_size))
      return false;
   if (p->memory_queue < p->line_bytes / 64) {
      snprintf(error, error_size,
               "texture.memory_queue: %" PRIu32 " is less than the %" PRIu32 " requests of a line",
               p->memory_queue, p->line_bytes / 64);
      return false;
   }
   return true;
}
