/* SPDX-License-Identifier: MIT */
/* A small stream, like that of a driver, for the tests. */
#ifndef STREAM_H
#define STREAM_H

#include "sgpu_packets.h"

#define STREAM_WORDS 512

/* Writes the stream and returns its number of words. */
static inline uint32_t
build_stream(uint32_t *out)
{
   uint32_t *p = out;

   sgpu_pack(p, MARKER, cfg) {
      cfg.tail_count = 3;
   }
   memcpy(SGPU_MARKER_tail(p, 0), "a \"frame\"\n\0\0", 12);
   p += SGPU_MARKER_length(3);

   sgpu_pack(p, FRAMEBUFFER, cfg) {
      cfg.colors = 1;
      cfg.depth = true;
      cfg.tail_count = 2;
   }
   sgpu_pack(SGPU_FRAMEBUFFER_tail(p, 0), SURFACE, cfg) {
      cfg.address = 0x100000;
      cfg.storage = 0x100000;
      cfg.format = SGPU_FORMAT_B8G8R8A8_UNORM;
      cfg.layout = SGPU_LAYOUT_TILED;
      cfg.valid = true;
      cfg.width = 300;
      cfg.height = 200;
      cfg.pitch = 38 * 128;
      cfg.layer_stride = 38 * 128 * 50;
      cfg.layers = 1;
   }
   sgpu_pack(SGPU_FRAMEBUFFER_tail(p, 1), SURFACE, cfg) {
      cfg.address = 0x200040;
      cfg.storage = 0x200000;
      cfg.format = SGPU_FORMAT_Z24_UNORM_S8_UINT;
      cfg.layout = SGPU_LAYOUT_TILED;
      cfg.samples_log2 = 2;
      cfg.valid = true;
      cfg.width = 300;
      cfg.height = 200;
      cfg.pitch = 38 * 128;
      cfg.layer_stride = 4 * 38 * 128 * 50;
      cfg.sample_stride = 38 * 128 * 50;
      cfg.first_layer = 3;
      cfg.layers = 2;
      cfg.level = 1;
   }
   p += SGPU_FRAMEBUFFER_length(2);

   sgpu_pack(p, DEPTH_STENCIL, cfg) {
      cfg.depth_test = true;
      cfg.depth_write = true;
      cfg.depth_func = SGPU_COMPARE_LEQUAL;
      cfg.alpha_ref = 0.5f;
      cfg.front.enable = true;
      cfg.front.func = SGPU_COMPARE_ALWAYS;
      cfg.front.pass = SGPU_STENCIL_OP_INCR_SAT;
      cfg.front.write_mask = 0xff;
   }
   p += SGPU_DEPTH_STENCIL_LENGTH;

   sgpu_pack(p, SHADER, cfg) {
      cfg.address = 0x300000;
      cfg.instructions = 4;
      cfg.stage = SGPU_STAGE_VERTEX;
      cfg.vp1 = true;
      cfg.temps = 2;
   }
   p += SGPU_SHADER_LENGTH;

   sgpu_pack(p, TEXTURES, cfg) {
      cfg.stage = SGPU_STAGE_PIXEL;
      cfg.tail_count = 1;
   }
   sgpu_pack(SGPU_TEXTURES_tail(p, 0), TEXTURE, cfg) {
      cfg.address = 0x400000;
      cfg.format = SGPU_FORMAT_DXT1_SRGBA;
      cfg.resource_format = SGPU_FORMAT_DXT1_SRGBA;
      cfg.type = SGPU_TEXTURE_TYPE_CUBE;
      cfg.layout = SGPU_LAYOUT_TILED;
      cfg.valid = true;
      cfg.width = cfg.height = 64;
      cfg.depth = 1;
      cfg.resource_layers = 6;
      cfg.resource_levels = 7;
      cfg.last_level = 6;
      cfg.last_layer = 5;
      cfg.swizzle_w = SGPU_CHANNEL_1;
   }
   p += SGPU_TEXTURES_length(1);

   sgpu_pack(p, POLYGON_STIPPLE, cfg) {
      for (unsigned i = 0; i < 32; i++)
         cfg.row[i] = i & 1 ? 0x55555555 : 0xaaaaaaaa;
   }
   p += SGPU_POLYGON_STIPPLE_LENGTH;

   sgpu_pack(p, WINDOW_RECTANGLES, cfg) {
      cfg.inclusive = true;
      cfg.tail_count = 2;
   }
   sgpu_pack(SGPU_WINDOW_RECTANGLES_tail(p, 0), WINDOW_RECTANGLE, cfg) {
      cfg.x1 = 300;
      cfg.y0 = 20;
      cfg.y1 = 65535;
   }
   sgpu_pack(SGPU_WINDOW_RECTANGLES_tail(p, 1), WINDOW_RECTANGLE, cfg) {
   }
   p += SGPU_WINDOW_RECTANGLES_length(2);

   sgpu_pack(p, VIEW, cfg) {
      cfg.view = 5;
      cfg.multiview = true;
   }
   p += SGPU_VIEW_LENGTH;

   sgpu_pack(p, CLEAR, cfg) {
      cfg.colors = 1;
      cfg.depth = true;
      cfg.color_0 = 0x3f800000;
      cfg.depth_value = 1.0;
      cfg.rect.x0 = -5;
      cfg.rect.x1 = 300;
      cfg.rect.y1 = 200;
   }
   p += SGPU_CLEAR_LENGTH;

   sgpu_pack(p, DRAW, cfg) {
      cfg.primitive = SGPU_PRIMITIVE_TRIANGLE_STRIP;
      cfg.index_size = SGPU_INDEX_SIZE_U16;
      cfg.count = 1200;
      cfg.instances = 1;
      cfg.index_bias = -7;
      cfg.restart_index = 0xffff;
      cfg.index_address = 0x500080;
      cfg.index_bytes = 2400;
   }
   p += SGPU_DRAW_LENGTH;

   sgpu_pack(p, BUFFERS, cfg) {
      cfg.stage = SGPU_STAGE_COMPUTE;
      cfg.first = 30;
      cfg.tail_count = 2;
   }
   sgpu_pack(SGPU_BUFFERS_tail(p, 0), BUFFER, cfg) {
      cfg.address = 0x500100;
      cfg.size = 256;
   }
   sgpu_pack(SGPU_BUFFERS_tail(p, 1), BUFFER, cfg) {
   }
   p += SGPU_BUFFERS_length(2);

   sgpu_pack(p, GRID, cfg) {
      cfg.group_size_x = 64;
      cfg.group_size_y = cfg.group_size_z = 1;
      cfg.shared_size = 4096;
      cfg.groups_x = 100;
      cfg.groups_y = cfg.groups_z = 1;
   }
   p += SGPU_GRID_LENGTH;

   sgpu_pack(p, END, cfg) {
   }
   p += SGPU_END_LENGTH;
   return (uint32_t)(p - out);
}

#endif
