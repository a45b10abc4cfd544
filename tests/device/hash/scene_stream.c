/* SPDX-License-Identifier: MIT */
/* Scenes: streams, and the packets of state, draws and clears in them. */
#include "scene.h"

#include <string.h>

void
scene_new_stream(struct scene *s)
{
   if (sgpu_bo_create(s->dev, SCENE_WORDS * 4, "stream", &s->stream))
      scene_fail("no memory for a stream");
   s->words = sgpu_bo_map(s->stream);
   s->count = 0;
   memset(s->last_words, 0, sizeof(s->last_words));
}

uint32_t *
scene_get(struct scene *s, uint32_t words)
{
   uint32_t *p = s->words + s->count;
   if (s->count + words > SCENE_WORDS)
      scene_fail("stream too long");
   s->count += words;
   return p;
}

uint64_t
scene_end_stream(struct scene *s)
{
   struct sgpu_bo *bos[SCENE_MAX_BOS + 1];
   memcpy(bos, s->bos, s->num_bos * sizeof(bos[0]));
   bos[s->num_bos] = s->stream;
   const struct sgpu_submit what = {
      .address = sgpu_bo_address(s->stream),
      .words = s->count,
      .bos = bos,
      .num_bos = s->num_bos + 1,
   };
   uint64_t seqno;
   if (sgpu_queue_submit(s->queue, &what, &seqno))
      scene_fail("a submission is refused");
   sgpu_bo_destroy(s->stream);
   return seqno;
}

void
scene_submit(struct scene *s)
{
   scene_end_stream(s);
   scene_new_stream(s);
}

void
scene_wait(struct scene *s, struct sgpu_bo *bo)
{
   scene_submit(s);
   if (sgpu_bo_wait(bo, UINT64_MAX))
      scene_fail("the work on a buffer does not end");
}

void
scene_begin_query(struct scene *s, enum sgpu_query_type type, unsigned slot)
{
   SCENE_EMIT(s, BEGIN_QUERY, cfg) {
      cfg.type = type;
      cfg.slot = slot;
   }
}

void
scene_end_query(struct scene *s, enum sgpu_query_type type, unsigned slot, uint64_t address)
{
   SCENE_EMIT(s, END_QUERY, cfg) {
      cfg.type = type;
      cfg.slot = slot;
      cfg.address = address;
   }
}

void
scene_copy_buffer(struct scene *s, uint64_t destination, uint64_t source, uint32_t size)
{
   SCENE_EMIT(s, COPY_BUFFER, cfg) {
      cfg.source = source;
      cfg.destination = destination;
      cfg.size = size;
   }
}

void
scene_fill_buffer(struct scene *s, uint64_t destination, uint32_t size, uint32_t word)
{
   SCENE_EMIT(s, FILL_BUFFER, cfg) {
      cfg.destination = destination;
      cfg.size = size;
      cfg.pattern_size = 4;
      cfg.pattern_0 = word;
   }
}

static void
emit_packet(struct scene *s, unsigned slot, const uint32_t *words)
{
   const uint32_t count = words[0] >> 8;
   if (s->last_words[slot] == count && !memcmp(s->last[slot], words, count * 4))
      return;
   memcpy(s->last[slot], words, count * 4);
   s->last_words[slot] = count;
   memcpy(scene_get(s, count), words, count * 4);
}

static void
emit_framebuffer(struct scene *s)
{
   const struct scene_state *st = &s->st;
   uint32_t p[SGPU_FRAMEBUFFER_LENGTH + SGPU_FRAMEBUFFER_TAIL_MAX * SGPU_SURFACE_LENGTH];
   const unsigned count = st->num_colors + (st->zs.bo != NULL);
   sgpu_pack(p, FRAMEBUFFER, cfg) {
      cfg.tail_count = count;
      cfg.colors = st->num_colors;
      cfg.depth = st->zs.bo != NULL;
      cfg.samples_log2 = st->samples_log2;
      cfg.layers = 1;
      cfg.width = SCENE_W;
      cfg.height = SCENE_H;
   }
   for (unsigned i = 0; i < count; i++) {
      const struct SGPU_SURFACE surface = scene_surface(i < st->num_colors ? &st->color[i]
                                                                           : &st->zs,
                                                        0, st->first_layer, st->layers);
      SGPU_SURFACE_pack(SGPU_FRAMEBUFFER_tail(p, i), &surface);
   }
   emit_packet(s, 0, p);
}

static void
emit_vertex_state(struct scene *s)
{
   const struct scene_state *st = &s->st;
   uint32_t p[1 + SGPU_VERTEX_ELEMENTS_TAIL_MAX * SGPU_VERTEX_ELEMENT_LENGTH];

   sgpu_pack(p, VERTEX_ELEMENTS, cfg)
      cfg.tail_count = st->num_elements;
   for (unsigned i = 0; i < st->num_elements; i++)
      SGPU_VERTEX_ELEMENT_pack(SGPU_VERTEX_ELEMENTS_tail(p, i), &st->element[i]);
   emit_packet(s, 1, p);

   sgpu_pack(p, VERTEX_BUFFERS, cfg)
      cfg.tail_count = st->num_buffers;
   for (unsigned i = 0; i < st->num_buffers; i++)
      SGPU_VERTEX_BUFFER_pack(SGPU_VERTEX_BUFFERS_tail(p, i), &st->buffer[i]);
   emit_packet(s, 2, p);

   sgpu_pack(p, VARYINGS, cfg)
      cfg.tail_count = st->num_varyings;
   for (unsigned i = 0; i < st->num_varyings; i++)
      SGPU_VARYING_pack(SGPU_VARYINGS_tail(p, i), &st->varying[i]);
   emit_packet(s, 3, p);
}

static void
emit_textures(struct scene *s)
{
   const struct scene_state *st = &s->st;
   uint32_t p[2 + SCENE_TEXTURES * SGPU_TEXTURE_LENGTH];

   if (!st->num_textures)
      return;
   sgpu_pack(p, TEXTURES, cfg) {
      cfg.stage = SGPU_STAGE_PIXEL;
      cfg.tail_count = st->num_textures;
   }
   for (unsigned i = 0; i < st->num_textures; i++)
      SGPU_TEXTURE_pack(SGPU_TEXTURES_tail(p, i), &st->texture[i]);
   emit_packet(s, 4, p);

   sgpu_pack(p, SAMPLERS, cfg) {
      cfg.stage = SGPU_STAGE_PIXEL;
      cfg.tail_count = st->num_textures;
   }
   for (unsigned i = 0; i < st->num_textures; i++)
      SGPU_SAMPLER_pack(SGPU_SAMPLERS_tail(p, i), &st->sampler[i]);
   emit_packet(s, 5, p);
}

void
scene_emit_state(struct scene *s)
{
   const struct scene_state *st = &s->st;
   uint32_t p[64];

   emit_framebuffer(s);
   emit_vertex_state(s);
   emit_textures(s);
#define EMIT_STRUCT(slot, X, v) \
   do {                         \
      SGPU_##X##_pack(p, &(v)); \
      emit_packet(s, slot, p);  \
   } while (0)
   for (unsigned i = 0; i < 2; i++) {
      EMIT_STRUCT(6 + i, VIEWPORT, st->viewport[i]);
      EMIT_STRUCT(8 + i, SCISSOR, st->scissor[i]);
   }
   EMIT_STRUCT(10, RASTERIZER, st->rast);
   EMIT_STRUCT(11, DEPTH_STENCIL, st->dsa);
   if (st->dsa.bounds_test)
      EMIT_STRUCT(24, DEPTH_BOUNDS, st->depth_bounds);
   EMIT_STRUCT(12, STENCIL_REF, st->ref);
   EMIT_STRUCT(13, BLEND_COLOR, st->blend_color);
   EMIT_STRUCT(14, SAMPLE_MASK, st->sample_mask);
   if (st->coverage.conservative || st->coverage.locations || s->last_words[25]) {
      EMIT_STRUCT(25, COVERAGE, st->coverage);
   }
   if (st->window.tail_count || st->window.inclusive || s->last_words[26]) {
      SGPU_WINDOW_RECTANGLES_pack(p, &st->window);
      for (unsigned i = 0; i < st->window.tail_count; i++)
         SGPU_WINDOW_RECTANGLE_pack(SGPU_WINDOW_RECTANGLES_tail(p, i), &st->rect[i]);
      emit_packet(s, 26, p);
   }
   if (st->view.view || st->view.multiview || s->last_words[27]) {
      EMIT_STRUCT(27, VIEW, st->view);
   }
   EMIT_STRUCT(15, POLYGON_STIPPLE, st->stipple);
   EMIT_STRUCT(16, SHADER, st->vs);
   EMIT_STRUCT(17, SHADER, st->ps);

   struct SGPU_BLEND blend = st->blend;
   blend.tail_count = SCENE_MAX_COLORS;
   SGPU_BLEND_pack(p, &blend);
   for (unsigned i = 0; i < SCENE_MAX_COLORS; i++)
      SGPU_BLEND_TARGET_pack(SGPU_BLEND_tail(p, i), &st->target[i]);
   emit_packet(s, 18, p);

   /* A scene without a geometry program has no packets for one. */
   const bool geometry = st->gs.address || s->last_words[22];
   if (geometry) {
      struct SGPU_SHADER gs = st->gs;
      gs.stage = SGPU_STAGE_GEOMETRY;
      EMIT_STRUCT(22, SHADER, gs);
      sgpu_pack(p, STAGE_INPUTS, cfg) {
         cfg.stage = SGPU_STAGE_GEOMETRY;
         cfg.tail_count = st->num_inputs;
      }
      for (unsigned i = 0; i < st->num_inputs; i++)
         SGPU_STAGE_INPUT_pack(SGPU_STAGE_INPUTS_tail(p, i), &st->input[i]);
      emit_packet(s, 23, p);
   }

   static const enum sgpu_stage stages[SCENE_STAGES] = {
      SGPU_STAGE_VERTEX,
      SGPU_STAGE_PIXEL,
      SGPU_STAGE_GEOMETRY,
   };
   for (unsigned i = 0; i < (geometry ? SCENE_STAGES : SCENE_STAGES - 1); i++) {
      sgpu_pack(p, CONSTANTS, cfg) {
         cfg.stage = stages[i];
         cfg.size = SCENE_CONSTANTS * 16;
         cfg.address = sgpu_bo_address(s->constant_bo);
      }
      emit_packet(s, 19 + i, p);
   }
}

/* Returns whether a texture reads an image with metadata. */
static bool
samples_images(const struct scene *s)
{
   for (unsigned t = 0; t < s->st.num_textures; t++) {
      for (unsigned i = 0; i < s->num_images; i++) {
         if (s->st.texture[t].address == sgpu_bo_address(s->images[i].bo))
            return true;
      }
   }
   return false;
}

void
scene_draw_packet(struct scene *s, const struct SGPU_DRAW *draw)
{
   if (samples_images(s))
      scene_resolve(s);
   scene_emit_state(s);
   SGPU_DRAW_pack(scene_get(s, SGPU_DRAW_LENGTH), draw);
}

void
scene_draw(struct scene *s, enum sgpu_primitive primitive, uint32_t first, uint32_t count)
{
   const struct SGPU_DRAW draw = {
      .primitive = primitive,
      .first = first,
      .count = count,
      .instances = 1,
   };
   scene_draw_packet(s, &draw);
}

void
scene_clear(struct scene *s, const float color[4], double depth, unsigned stencil)
{
   uint32_t bits[4];
   memcpy(bits, color, sizeof(bits));
   emit_framebuffer(s);
   SCENE_EMIT(s, CLEAR, cfg) {
      cfg.colors = (1u << s->st.num_colors) - 1;
      cfg.depth = cfg.stencil = s->st.zs.bo != NULL;
      cfg.stencil_value = stencil;
      cfg.color_0 = bits[0];
      cfg.color_1 = bits[1];
      cfg.color_2 = bits[2];
      cfg.color_3 = bits[3];
      cfg.depth_value = depth;
      cfg.rect = (struct SGPU_RECT){ 0, 0, SCENE_W, SCENE_H };
   }
}
