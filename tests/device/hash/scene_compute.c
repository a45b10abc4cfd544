/* SPDX-License-Identifier: MIT */
/*
 * Scenes: storage buffers, images and grids.
 */
#include "scene.h"

void
scene_bind_buffer(struct scene *s, enum sgpu_stage stage, unsigned n, struct sgpu_bo *bo,
                  uint64_t offset, uint32_t size)
{
   uint32_t *p = scene_get(s, SGPU_BUFFERS_length(1));
   sgpu_pack(p, BUFFERS, cfg) {
      cfg.stage = stage;
      cfg.first = n;
      cfg.tail_count = 1;
   }
   sgpu_pack(SGPU_BUFFERS_tail(p, 0), BUFFER, cfg) {
      cfg.address = sgpu_bo_address(bo) + offset;
      cfg.size = size;
   }
}

void
scene_bind_image(struct scene *s, enum sgpu_stage stage, unsigned n,
                 const struct scene_image *image, unsigned level, unsigned first_layer,
                 unsigned last_layer)
{
   struct SGPU_TEXTURE texture = {
      .address = sgpu_bo_address(image->bo),
      .format = image->layout.format,
      .type = SGPU_TEXTURE_TYPE_2D,
      .array = first_layer != last_layer,
      .valid = true,
      .first_level = level,
      .last_level = level,
      .first_layer = first_layer,
      .last_layer = last_layer,
   };
   sgpu_layout_fill_texture(&image->layout, &texture);

   uint32_t *p = scene_get(s, SGPU_IMAGES_length(1));
   sgpu_pack(p, IMAGES, cfg) {
      cfg.stage = stage;
      cfg.first = n;
      cfg.tail_count = 1;
   }
   SGPU_TEXTURE_pack(SGPU_IMAGES_tail(p, 0), &texture);
}

struct SGPU_GRID
scene_grid_of(unsigned x, unsigned y, unsigned z, unsigned groups_x, unsigned groups_y,
              unsigned groups_z)
{
   return (struct SGPU_GRID){
      .group_size_x = x,
      .group_size_y = y,
      .group_size_z = z,
      .groups_x = groups_x,
      .groups_y = groups_y,
      .groups_z = groups_z,
   };
}

void
scene_grid(struct scene *s, const struct SGPU_SHADER *program, const struct SGPU_GRID *grid)
{
   SCENE_EMIT(s, CONSTANTS, cfg) {
      cfg.stage = SGPU_STAGE_COMPUTE;
      cfg.size = SCENE_CONSTANTS * 16;
      cfg.address = sgpu_bo_address(s->constant_bo);
   }
   SGPU_SHADER_pack(scene_get(s, SGPU_SHADER_LENGTH), program);
   SGPU_GRID_pack(scene_get(s, SGPU_GRID_LENGTH), grid);
}
