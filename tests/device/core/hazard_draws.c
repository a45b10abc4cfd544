/* SPDX-License-Identifier: MIT */
/* Random streams: draws. */
#include <string.h>

#include "hazard_stream.h"

static struct SGPU_TEXTURE
texture_of(struct hazard_stream *r, unsigned image)
{
   struct SGPU_TEXTURE view = scene_texture(&r->image[image]);

   view.array = hazard_layers(image) > 1;
   view.first_layer = view.last_layer = hazard_below(r, hazard_layers(image));
   return view;
}

void
hazard_targets(struct hazard_stream *r)
{
   struct scene_state *st = &r->s.st;
   const unsigned image = hazard_below(r, HAZARD_IMAGES),
                  other = (image + 1 + hazard_below(r, HAZARD_IMAGES - 1)) % HAZARD_IMAGES;
   const bool layered = hazard_layers(image) > 1;

   st->color[0] = r->image[image];
   st->num_colors = hazard_chance(r, 90);
   st->first_layer = layered && st->num_colors ? hazard_below(r, 2) : 0;
   st->zs.bo = NULL;
   if (!st->num_colors || (!layered && hazard_chance(r, 50)))
      st->zs = r->zs;

   switch (hazard_below(r, 6)) {
   case 0:
   case 1:
      st->ps = r->plain;
      break;
   case 2:
      st->ps = r->constant;
      break;
   case 3:
      st->ps = hazard_chance(r, 50) ? r->counting : r->marking;
      st->ps.early_tests = hazard_chance(r, 30);
      hazard_bind_bytes(r, SGPU_STAGE_PIXEL, 0, 16 * (1 + hazard_below(r, 32)));
      break;
   default:
      st->ps = r->textured;
      st->texture[0] = texture_of(r, other);
      st->num_textures = 1;
      break;
   }
}

static void
random_state(struct hazard_stream *r)
{
   struct scene_state *st = &r->s.st;
   const struct SGPU_RECT box = hazard_rect(r, SCENE_W, SCENE_H),
                          view = hazard_rect(r, SCENE_W, SCENE_H);

   hazard_targets(r);
   st->rast.scissor = hazard_chance(r, 75);
   st->rast.viewport_scissor = hazard_chance(r, 50);
   st->scissor[0].x0 = box.x0;
   st->scissor[0].y0 = box.y0;
   st->scissor[0].x1 = box.x1;
   st->scissor[0].y1 = box.y1;
   st->viewport[0].scale_x = SCENE_W / 2.0f;
   st->viewport[0].translate_x = SCENE_W / 2.0f;
   if (hazard_chance(r, 30)) {
      st->viewport[0].scale_x = (float)(view.x1 - view.x0) / 2.0f;
      st->viewport[0].translate_x = (float)(view.x1 + view.x0) / 2.0f;
   }
   st->target[0].enable = hazard_chance(r, 40);
   st->target[0].rgb_src = SGPU_BLEND_FACTOR_SRC_ALPHA;
   st->target[0].rgb_dst = st->target[0].alpha_dst = SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
   st->target[0].write_mask = hazard_chance(r, 90) ? 15 : 0;
   st->dsa.depth_test = st->zs.bo && hazard_chance(r, 80);
   st->dsa.depth_write = hazard_chance(r, 70);
   st->dsa.depth_func = hazard_chance(r, 50) ? SGPU_COMPARE_LESS : SGPU_COMPARE_GREATER;
}

static void
set_xfb(struct hazard_stream *r, bool on)
{
   struct scene *s = &r->s;
   const unsigned n = on;
   uint32_t *p = scene_get(s, SGPU_XFB_OUTPUTS_length(n));

   sgpu_pack(p, XFB_OUTPUTS, cfg) {
      cfg.tail_count = n;
      cfg.stride_0 = 4;
   }
   if (on) {
      sgpu_pack(SGPU_XFB_OUTPUTS_tail(p, 0), XFB_OUTPUT, cfg) {
         cfg.output = SGPU_VO_GEN0;
         cfg.components = 4;
      }
   }
   p = scene_get(s, SGPU_XFB_BUFFERS_length(n));
   sgpu_pack(p, XFB_BUFFERS, cfg)
      cfg.tail_count = n;
   if (on) {
      const uint32_t size = 16 * (1 + hazard_below(r, 32));
      sgpu_pack(SGPU_XFB_BUFFERS_tail(p, 0), XFB_BUFFER, cfg) {
         cfg.address = sgpu_bo_address(r->bytes) + hazard_offset(r, size, 4);
         cfg.counter = sgpu_bo_address(r->numbers) +
                       8 * (HAZARD_QUERIES + hazard_below(r, HAZARD_COUNTERS));
         cfg.size = size;
      }
   }
}

void
hazard_draw(struct hazard_stream *r)
{
   struct scene *s = &r->s;
   const uint32_t vertices = 3 * (1 + hazard_below(r, 4));
   const bool indexed = hazard_chance(r, 30), counted = !indexed && hazard_chance(r, 10),
              xfb = hazard_chance(r, 20);
   const uint32_t size = (indexed ? 256 : vertices) * HAZARD_VERTEX;
   struct SGPU_DRAW packet = {
      .primitive = hazard_chance(r, 80) ? SGPU_PRIMITIVE_TRIANGLES : SGPU_PRIMITIVE_LINES,
      .count = vertices,
      .instances = 1,
      .conditional = hazard_chance(r, 30),
   };

   random_state(r);
   s->st.buffer[0].address = sgpu_bo_address(r->bytes) + hazard_offset(r, size, 4);
   s->st.buffer[0].size = size;
   if (indexed) {
      packet.index_size = SGPU_INDEX_SIZE_U8;
      packet.index_bytes = vertices;
      packet.index_address = sgpu_bo_address(r->bytes) + hazard_offset(r, vertices, 1);
   }
   if (counted) {
      packet.count_address = sgpu_bo_address(r->numbers) +
                             8 * (HAZARD_QUERIES + hazard_below(r, HAZARD_COUNTERS));
      packet.count_stride = 4;
   }
   /* A draw's shader stores and its transform feedback have no order, so they must not write the
    * same memory: the draw uses the plain pixel program.
    */
   if (xfb && (s->st.ps.address == r->counting.address || s->st.ps.address == r->marking.address))
      s->st.ps = r->plain;
   if (xfb)
      set_xfb(r, true);
   scene_draw_packet(s, &packet);
   if (xfb)
      set_xfb(r, false);
}
