/* SPDX-License-Identifier: MIT */
/*
 * Command processor: draws, clears, copies, blits and queries become
 * operations of the dispatch unit, with the regions that they read and write.
 */
#include <stdlib.h>
#include <string.h>

#include "rop/sgd_codec.h"
#include "rop/sgd_depth_format.h"
#include "sgd_cp_work.h"
#include "util/macros.h"

#define ALL_LEVELS 0xffff

static void
access_surface(struct sgd_node *node, const struct sgd_surface *s, bool write, bool target)
{
   if (!s->valid)
      return;
   const struct sgd_access access = {
      .bo = s->bo,
      .storage = s->storage,
      .levels = 1 << s->level,
      .first_layer = s->first_layer,
      .last_layer = s->first_layer + s->layers - 1,
      .write = write,
      .target = target,
   };
   sgd_node_access(node, &access);
   /* Somebody may read a linear surface as a buffer. */
   if (write && !s->tiled) {
      node->writes_buffer = true;
      node->wait_all |= atomic_load_explicit(&s->bo->bound, memory_order_relaxed);
   }
}

static void
access_texture(struct sgd_node *node, const struct sgd_texture *t, bool geometry)
{
   const bool layered = t->desc.array || t->desc.type == SGPU_TEXTURE_TYPE_CUBE;
   const bool buffer = t->desc.type == SGPU_TEXTURE_TYPE_BUFFER;
   const struct sgd_access access = {
      .bo = t->bo,
      .storage = buffer ? 0 : t->desc.address,
      .begin = t->desc.address,
      .end = t->desc.address +
             (buffer ? (uint64_t)t->desc.width * util_format_get_blocksize(t->pformat) : 0),
      .levels = (uint16_t)((2u << t->desc.last_level) - (1u << t->desc.first_level)),
      .first_layer = layered ? t->desc.first_layer : 0,
      .last_layer = layered ? t->desc.last_layer : UINT16_MAX,
      .geometry = geometry,
   };
   sgd_node_access(node, &access);
}

static void
access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size, bool write,
              bool geometry)
{
   if (!size)
      return;
   const uint64_t address = (const uint8_t *)ptr - cp->dev->space;
   const struct sgd_access access = {
      .bo = sgd_submission_find(cp->sub, address, size),
      .begin = address,
      .end = address + size,
      .levels = ALL_LEVELS,
      .last_layer = UINT16_MAX,
      .write = write,
      .geometry = geometry,
   };
   sgd_node_access(node, &access);
   if (write) {
      node->writes_buffer = true;
      node->wait_all |= atomic_load_explicit(&access.bo->bound, memory_order_relaxed);
   }
}

/* Textures that a program reads, by stage. */
static void
access_textures(struct sgd_node *node, const struct sgd_state *st, enum sgpu_stage stage)
{
   const struct sgd_texture_set *set = st->sets[stage];
   if (!set || !st->shader[stage])
      return;
   for (unsigned i = 0; i < set->num_textures; i++) {
      if (set->textures[i])
         access_texture(node, set->textures[i], stage != SGPU_STAGE_PIXEL);
   }
}

/* What a draw captures.  Its geometry need not wait: it writes nothing. */
static void
access_streams(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_stream_state *st)
{
   for (unsigned i = 0; i < SGD_MAX_STREAM_BUFFERS; i++) {
      const struct sgd_stream_buffer *b = &st->buffer[i];
      if (!b->words)
         continue;
      access_buffer(cp, node, b->ptr, b->size, true, false);
      access_buffer(cp, node, b->counter, sizeof(*b->counter), true, false);
   }
}

/* What a draw reads of buffers, where somebody writes some, or draws do, which
 * would have to wait for every other draw else.
 */
static void
access_inputs(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_state *st)
{
   access_buffer(cp, node, node->draw.indices.ptr, node->draw.indices.size, false, true);
   const struct sgd_draw *draw = &node->draw;
   if (draw->count)
      access_buffer(cp, node, draw->count, sizeof(*draw->count), false, true);
   if (draw->numbers)
      access_buffer(cp, node, draw->numbers, 4 * sgd_draw_numbers(draw->packet.index_size), false,
                    true);
   if (draw->limit)
      access_buffer(cp, node, draw->limit, sizeof(*draw->limit), false, true);
   for (unsigned i = 0; i < st->num_vertex_buffers; i++) {
      const struct sgd_span *span = &st->vertex_buffer[i].span;
      access_buffer(cp, node, span->ptr, span->size, false, true);
   }
   for (unsigned s = 0; s < SGD_STAGES; s++) {
      for (unsigned b = 0; b < SGD_MAX_BANKS && st->shader[s]; b++) {
         const struct sgd_span *span = &st->env[s].banks[b];
         access_buffer(cp, node, span->ptr, span->size, false, true);
      }
   }
}

static void
attach_queries(struct sgd_cp *cp, struct sgd_node *node)
{
   for (unsigned i = 0; i < SGD_QUERY_SLOTS; i++) {
      struct sgd_query *query = cp->queue->slots[i];
      if (!query)
         continue;
      sgd_node_query(node, query);
      node->draw.exact_queries = true;
      node->draw.count_stats |= query->type == SGPU_QUERY_TYPE_PIPELINE_STATISTICS;
   }
}

static const char *
add(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_grid_key *key, uint32_t layers)
{
   pthread_mutex_lock(&cp->dev->lock);
   const bool added = sgd_node_add(&cp->dev->dispatch, node, key, layers);
   sgd_pool_wake(cp->dev);
   pthread_mutex_unlock(&cp->dev->lock);
   if (added)
      return NULL;
   sgd_node_destroy(node);
   return "too many tiles, or out of memory";
}

/* Where an indirect draw finds its numbers. */
struct numbers {
   const uint64_t *count;              /* a counter */
   const uint32_t *all, *limit;
};

static const char *
add_draw(struct sgd_cp *cp, const struct SGPU_DRAW *packet, const struct numbers *numbers)
{
   if (!cp->have_framebuffer)
      return "no FRAMEBUFFER";
   if (!cp->cur.shader[SGPU_STAGE_VERTEX])
      return "no vertex program";
   if (packet->primitive == SGPU_PRIMITIVE_PATCHES)
      return "patches without tessellation programs";

   const struct SGPU_SHADER *gs = &cp->cur.shader_desc[SGPU_STAGE_GEOMETRY];
   if (cp->cur.shader[SGPU_STAGE_GEOMETRY] &&
       sgd_ia_list(packet->primitive) != gs->input_primitive)
      return "DRAW: Primitive is not of the type that the geometry program takes";

   struct sgd_span indices = { NULL, 0 };
   if (packet->index_size != SGPU_INDEX_SIZE_NONE && packet->index_bytes) {
      struct sgpu_bo *bo =
         sgd_submission_find(cp->sub, packet->index_address, packet->index_bytes);
      if (!bo)
         return "the index buffer is not in a buffer of the submission";
      atomic_store_explicit(&bo->bound, true, memory_order_relaxed);
      indices.ptr = cp->dev->space + packet->index_address;
      indices.size = packet->index_bytes;
   }
   const bool captures = cp->cur.stream.num_words != 0;
   if ((!packet->count && !numbers->count && !numbers->all) ||
       (!packet->instances && !numbers->all) ||
       ((!cp->cur.fb_width || !cp->cur.fb_height) && !captures))
      return NULL;

   struct sgd_node *node = sgd_node_create(SGD_NODE_DRAW, cp->sub);
   if (!node)
      return "out of memory";
   node->draw.state = sgd_cp_snapshot(cp);
   if (!node->draw.state) {
      sgd_node_destroy(node);
      return "out of memory";
   }
   node->draw.packet = *packet;
   node->draw.indices = indices;
   node->draw.count = numbers->count;
   node->draw.numbers = numbers->all;
   node->draw.limit = numbers->limit;

   const struct sgd_state *st = node->draw.state;
   struct sgd_dispatch *d = &cp->dev->dispatch;
   for (unsigned i = 0; i < st->num_colors; i++)
      access_surface(node, &st->color[i], true, true);
   access_surface(node, &st->zs, true, true);
   access_textures(node, st, SGPU_STAGE_VERTEX);
   access_textures(node, st, SGPU_STAGE_GEOMETRY);
   access_textures(node, st, SGPU_STAGE_PIXEL);
   if (captures) {
      access_streams(cp, node, &st->stream);
      atomic_store_explicit(&d->draws_write, true, memory_order_relaxed);
   }
   if (atomic_load_explicit(&d->draws_write, memory_order_relaxed) ||
       atomic_load_explicit(&d->buffer_writers, memory_order_relaxed))
      access_inputs(cp, node, st);
   else
      node->inputs_unknown = true;
   attach_queries(cp, node);
   return add(cp, node, &cp->key, st->fb_layers);
}

static const char *
draw(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_DRAW packet;
   struct numbers numbers = { NULL };
   const char *error = SGPU_DRAW_unpack(in, &packet);
   if (error)
      return error;

   if (packet.count_address) {
      if ((packet.count_address & 7) || !sgd_submission_find(cp->sub, packet.count_address, 8))
         return "DRAW: Count Address is not in a buffer of the submission";
      if (!packet.count_stride)
         return "DRAW: Count Stride is 0";
      numbers.count = (const uint64_t *)(cp->dev->space + packet.count_address);
   } else if ((uint64_t)packet.count * packet.instances >
              cp->dev->params.watchdog_vertices / sgd_state_geometry_runs(&cp->cur)) {
      return "DRAW: more vertices than the watchdog allows";
   }
   return add_draw(cp, &packet, &numbers);
}

/* The words of an indirect draw, which then count as bound: who writes them
 * waits for the draws that may read them.
 */
static const uint32_t *
find_numbers(struct sgd_cp *cp, uint64_t address, unsigned words)
{
   struct sgpu_bo *bo = sgd_submission_find(cp->sub, address, words * 4);

   if (!bo || (address & 3))
      return NULL;
   atomic_store_explicit(&bo->bound, true, memory_order_relaxed);
   return (const uint32_t *)(cp->dev->space + address);
}

static const char *
draw_indirect(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_DRAW_INDIRECT p;
   struct numbers numbers = { NULL };
   const char *error = SGPU_DRAW_INDIRECT_unpack(in, &p);
   if (error)
      return error;

   numbers.all = find_numbers(cp, p.address, sgd_draw_numbers(p.index_size));
   if (!numbers.all)
      return "DRAW INDIRECT: Address is not in a buffer of the submission";
   if (p.limit_address) {
      numbers.limit = find_numbers(cp, p.limit_address, 1);
      if (!numbers.limit)
         return "DRAW INDIRECT: Limit Address is not in a buffer of the submission";
   }
   const struct SGPU_DRAW packet = {
      .primitive = p.primitive,
      .index_size = p.index_size,
      .restart = p.restart,
      .patch_vertices = p.patch_vertices,
      .restart_index = p.restart_index,
      .index_address = p.index_address,
      .index_bytes = p.index_bytes,
      .draw_id = p.draw_id,
   };
   return add_draw(cp, &packet, &numbers);
}

static struct sgd_node *
xfer_node(struct sgd_cp *cp, enum sgd_xfer_kind kind)
{
   struct sgd_node *node = sgd_node_create(SGD_NODE_XFER, cp->sub);
   if (!node)
      return NULL;
   node->xfer = calloc(1, sizeof(*node->xfer));
   if (!node->xfer) {
      sgd_node_destroy(node);
      return NULL;
   }
   node->xfer->kind = kind;
   return node;
}

/* The part of a rectangle inside width x height. */
static struct SGPU_RECT
clip(struct SGPU_RECT r, int32_t width, int32_t height)
{
   return (struct SGPU_RECT){
      .x0 = CLAMP(r.x0, 0, width),
      .y0 = CLAMP(r.y0, 0, height),
      .x1 = CLAMP(r.x1, 0, width),
      .y1 = CLAMP(r.y1, 0, height),
   };
}

/* Adds an operation whose one target is `dst`. */
static const char *
add_to_surface(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_surface *dst)
{
   struct sgd_grid_key key;
   memset(&key, 0, sizeof(key));
   sgd_grid_key_surface(&key, 0, dst);
   key.width = dst->width;
   key.height = dst->height;
   access_surface(node, dst, true, true);
   return add(cp, node, &key, dst->layers);
}

/* Whether clears and blits can work on single pixels of the surface. */
static bool
has_pixels(const struct sgd_surface *s)
{
   if (util_format_is_depth_or_stencil(s->pformat))
      return sgd_zs_format(s->pformat).bytes != 0;
   return sgd_codec(s->pformat).path != SGD_CODEC_NONE;
}

/* Blocks can be read, one texel at a time. */
static bool
has_texels(const struct sgd_surface *s)
{
   return has_pixels(s) || (util_format_is_compressed(s->pformat) && s->samples == 1 &&
                            util_format_fetch_rgba_func(s->pformat));
}

static const char *
clear(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CLEAR p;
   const char *error = SGPU_CLEAR_unpack(in, &p);
   if (error)
      return error;
   if (!cp->have_framebuffer)
      return "no FRAMEBUFFER";

   const struct sgd_state *st = &cp->cur;
   struct sgd_node *node = xfer_node(cp, SGD_XFER_CLEAR);
   if (!node)
      return "out of memory";
   struct sgd_xfer *x = node->xfer;
   const uint32_t value[4] = { p.color_0, p.color_1, p.color_2, p.color_3 };
   memcpy(x->u.clear.color, st->color, sizeof(st->color));
   memcpy(x->u.clear.color_value, value, sizeof(value));
   x->u.clear.zs = st->zs;
   x->u.clear.depth = p.depth_value;
   x->u.clear.stencil = p.stencil_value;
   for (unsigned i = 0; i < st->num_colors; i++)
      x->u.clear.colors |= st->color[i].valid ? p.colors & (1 << i) : 0;
   x->u.clear.clear_depth = p.depth && st->zs.valid && util_format_has_depth(st->zs.desc);
   x->u.clear.clear_stencil = p.stencil && st->zs.valid && util_format_has_stencil(st->zs.desc);
   x->rect = clip(p.rect, st->fb_width, st->fb_height);
   x->layers = st->fb_layers;

   for (unsigned i = 0; i < st->num_colors; i++)
      access_surface(node, &st->color[i], true, true);
   access_surface(node, &st->zs, true, true);
   return add(cp, node, &cp->key, st->fb_layers);
}

static const char *
clear_surface(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_CLEAR_SURFACE p;
   struct sgd_surface dst;
   const char *error = SGPU_CLEAR_SURFACE_unpack(in, &p);
   if (!error)
      error = sgd_cp_surface(cp, &p.surface, &dst);
   if (error)
      return error;
   if (!dst.valid)
      return "CLEAR SURFACE: no surface";
   if (!has_pixels(&dst))
      return "CLEAR SURFACE: Format cannot be cleared";

   struct sgd_node *node = xfer_node(cp, SGD_XFER_CLEAR);
   if (!node)
      return "out of memory";
   struct sgd_xfer *x = node->xfer;
   const uint32_t value[4] = { p.color_0, p.color_1, p.color_2, p.color_3 };
   memcpy(x->u.clear.color_value, value, sizeof(value));
   x->u.clear.depth = p.depth_value;
   x->u.clear.stencil = p.stencil_value;
   if (util_format_is_depth_or_stencil(dst.pformat)) {
      x->u.clear.zs = dst;
      x->u.clear.clear_depth = p.depth && util_format_has_depth(dst.desc);
      x->u.clear.clear_stencil = p.stencil && util_format_has_stencil(dst.desc);
   } else {
      x->u.clear.color[0] = dst;
      x->u.clear.colors = p.color;
   }
   x->rect = clip(p.rect, dst.width, dst.height);
   x->layers = dst.layers;
   return add_to_surface(cp, node, &dst);
}

/* One direction of a copy.  *begin to *end is what lies inside both surfaces,
 * in pixels of the destination, and *shift leads from its elements to those of
 * the source.  False where a block would be cut at its begin.
 */
static bool
copy_range(int32_t first, int32_t last, uint32_t source, int32_t dst_size, int32_t dst_block,
           int32_t src_size, uint32_t src_block, int32_t *begin, int32_t *end, int32_t *shift)
{
   if (first % dst_block || source % src_block)
      return false;

   /* in elements, of which blocks of one surface may be pixels of the other */
   const int64_t from = first / dst_block, offset = source / src_block - from;
   const int64_t dst_end = DIV_ROUND_UP(dst_size, dst_block);
   const int64_t src_end = DIV_ROUND_UP(src_size, (int32_t)src_block);
   const int64_t lo = MAX2(from, 0);
   const int64_t hi = MIN3(DIV_ROUND_UP((int64_t)last, dst_block), dst_end, src_end - offset);

   *begin = *end = *shift = 0;
   if (lo < hi) {
      *begin = lo * dst_block;
      *end = MIN2(hi * dst_block, dst_size);
      *shift = offset;
   }
   return true;
}

static const char *
copy_surface(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_COPY_SURFACE p;
   struct sgd_surface src, dst;
   const char *error = SGPU_COPY_SURFACE_unpack(in, &p);
   if (!error)
      error = sgd_cp_surface(cp, &p.source, &src);
   if (!error)
      error = sgd_cp_surface(cp, &p.destination, &dst);
   if (error)
      return error;
   if (!src.valid || !dst.valid)
      return "COPY SURFACE: no surface";
   if (src.bpe != dst.bpe || src.samples != dst.samples)
      return "COPY SURFACE: elements or samples differ in size";
   if (p.layers > src.layers || p.layers > dst.layers)
      return "COPY SURFACE: more layers than a surface has";

   const struct util_format_description *sd = src.desc, *dd = dst.desc;
   struct SGPU_RECT r;
   int32_t shift_x, shift_y;
   if (!copy_range(p.rect.x0, p.rect.x1, p.source_x, dst.width, dd->block.width, src.width,
                   sd->block.width, &r.x0, &r.x1, &shift_x) ||
       !copy_range(p.rect.y0, p.rect.y1, p.source_y, dst.height, dd->block.height, src.height,
                   sd->block.height, &r.y0, &r.y1, &shift_y))
      return "COPY SURFACE: not whole blocks";

   struct sgd_node *node = xfer_node(cp, SGD_XFER_COPY_SURFACE);
   if (!node)
      return "out of memory";
   node->xfer->u.copy.src = src;
   node->xfer->u.copy.dst = dst;
   node->xfer->u.copy.shift_x = shift_x;
   node->xfer->u.copy.shift_y = shift_y;
   node->xfer->rect = r;
   node->xfer->layers = p.layers;
   access_surface(node, &src, false, false);
   return add_to_surface(cp, node, &dst);
}

static const char *
blit(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_BLIT p;
   struct sgd_surface src, dst;
   const char *error = SGPU_BLIT_unpack(in, &p);
   if (!error)
      error = sgd_cp_surface(cp, &p.source, &src);
   if (!error)
      error = sgd_cp_surface(cp, &p.destination, &dst);
   if (error)
      return error;
   if (!src.valid || !dst.valid)
      return "BLIT: no surface";
   if (!has_texels(&src) || !has_pixels(&dst))
      return "BLIT: a format cannot be converted";
   if (util_format_is_depth_or_stencil(src.pformat) !=
          util_format_is_depth_or_stencil(dst.pformat) ||
       util_format_is_pure_integer(src.pformat) != util_format_is_pure_integer(dst.pformat))
      return "BLIT: formats of different kinds";
   if (src.samples > 1 && dst.samples > 1 && src.samples != dst.samples)
      return "BLIT: surfaces of different numbers of samples";
   if (p.layers > dst.layers)
      return "BLIT: more layers than the destination has";

   struct SGPU_RECT r = p.destination_rect;
   if (r.x1 < r.x0 || r.y1 < r.y0)
      return "BLIT: the destination is mirrored; mirror the source";
   r = clip(r, dst.width, dst.height);
   if (p.scissor) {
      r.x0 = MAX2(r.x0, p.scissor_rect.x0);
      r.y0 = MAX2(r.y0, p.scissor_rect.y0);
      r.x1 = MIN2(r.x1, p.scissor_rect.x1);
      r.y1 = MIN2(r.y1, p.scissor_rect.y1);
   }

   struct sgd_node *node = xfer_node(cp, SGD_XFER_BLIT);
   if (!node)
      return "out of memory";
   node->xfer->u.blit.src = src;
   node->xfer->u.blit.dst = dst;
   node->xfer->u.blit.packet = p;
   node->xfer->rect = r;
   node->xfer->layers = p.layers;
   access_surface(node, &src, false, false);
   return add_to_surface(cp, node, &dst);
}

static const char *
resolve_surface(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_RESOLVE_SURFACE p;
   struct sgd_surface s;
   const char *error = SGPU_RESOLVE_SURFACE_unpack(in, &p);
   if (!error)
      error = sgd_cp_surface(cp, &p.surface, &s);
   if (error || !s.valid || !s.meta)
      return error;

   struct sgd_node *node = xfer_node(cp, SGD_XFER_RESOLVE);
   if (!node)
      return "out of memory";
   node->xfer->u.resolve = s;
   node->xfer->rect = (struct SGPU_RECT){ .x1 = s.width, .y1 = s.height };
   node->xfer->layers = s.layers;
   return add_to_surface(cp, node, &s);
}

/* Adds a buffer operation; its tiles are spans of the destination. */
static const char *
add_to_buffer(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_span *dst)
{
   struct sgd_grid_key key;
   memset(&key, 0, sizeof(key));
   key.surface[0].storage = dst->ptr - cp->dev->space;
   key.surface[0].format = UINT16_MAX;
   key.width = DIV_ROUND_UP(dst->size, SGD_XFER_SPAN);
   key.height = 1;
   node->xfer->rect = (struct SGPU_RECT){ .x1 = key.width, .y1 = 1 };
   node->xfer->layers = 1;
   node->xfer->u.buffer.dst = *dst;
   access_buffer(cp, node, dst->ptr, dst->size, true, true);
   return add(cp, node, &key, 1);
}

static const char *
copy_buffer(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_COPY_BUFFER p;
   const char *error = SGPU_COPY_BUFFER_unpack(in, &p);
   if (error || !p.size)
      return error;
   if (!sgd_submission_find(cp->sub, p.source, p.size) ||
       !sgd_submission_find(cp->sub, p.destination, p.size))
      return "COPY BUFFER: not in a buffer of the submission";
   if (p.source < p.destination + p.size && p.destination < p.source + p.size)
      return "COPY BUFFER: source and destination overlap";

   struct sgd_node *node = xfer_node(cp, SGD_XFER_COPY_BUFFER);
   if (!node)
      return "out of memory";
   const struct sgd_span src = { cp->dev->space + p.source, p.size };
   const struct sgd_span dst = { cp->dev->space + p.destination, p.size };
   node->xfer->u.buffer.src = src;
   access_buffer(cp, node, src.ptr, src.size, false, true);
   return add_to_buffer(cp, node, &dst);
}

static const char *
fill_buffer(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_FILL_BUFFER p;
   const char *error = SGPU_FILL_BUFFER_unpack(in, &p);
   if (error || !p.size)
      return error;
   const unsigned n = p.pattern_size;
   if (n != 1 && n != 2 && n != 4 && n != 8 && n != 12 && n != 16)
      return "FILL BUFFER: Pattern Size is not 1, 2, 4, 8, 12 or 16";
   if (p.size % n)
      return "FILL BUFFER: Size is not a multiple of Pattern Size";
   if (!sgd_submission_find(cp->sub, p.destination, p.size))
      return "FILL BUFFER: not in a buffer of the submission";

   struct sgd_node *node = xfer_node(cp, SGD_XFER_FILL_BUFFER);
   if (!node)
      return "out of memory";
   const uint32_t pattern[4] = { p.pattern_0, p.pattern_1, p.pattern_2, p.pattern_3 };
   memcpy(node->xfer->u.buffer.pattern, pattern, sizeof(pattern));
   node->xfer->u.buffer.pattern_size = n;
   const struct sgd_span dst = { cp->dev->space + p.destination, p.size };
   return add_to_buffer(cp, node, &dst);
}

static const char *
begin_query(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_BEGIN_QUERY p;
   const char *error = SGPU_BEGIN_QUERY_unpack(in, &p);
   if (error)
      return error;
   if (p.type == SGPU_QUERY_TYPE_TIMESTAMP)
      return "BEGIN QUERY: timestamps have no beginning";

   struct sgd_query *query = calloc(1, sizeof(*query));
   if (!query)
      return "out of memory";
   query->refs = 1;
   query->type = p.type;
   pthread_mutex_lock(&cp->dev->lock);
   if (cp->queue->slots[p.slot])
      sgd_query_unref(cp->queue->slots[p.slot]);
   cp->queue->slots[p.slot] = query;
   pthread_mutex_unlock(&cp->dev->lock);
   return NULL;
}

static const char *
end_query(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_END_QUERY p;
   const char *error = SGPU_END_QUERY_unpack(in, &p);
   if (error)
      return error;
   const unsigned numbers = p.type == SGPU_QUERY_TYPE_PIPELINE_STATISTICS ? 11 :
                            p.type == SGPU_QUERY_TYPE_STREAMS ? 3 * SGD_MAX_STREAMS : 1;
   const unsigned size = 8 * numbers;
   if ((p.address & 7) || !sgd_submission_find(cp->sub, p.address, size))
      return "END QUERY: the result is not in a buffer of the submission";
   uint64_t *result = (uint64_t *)(cp->dev->space + p.address);

   if (p.type == SGPU_QUERY_TYPE_TIMESTAMP) {
      struct sgd_node *node = sgd_node_create(SGD_NODE_TIMESTAMP, cp->sub);
      if (!node)
         return "out of memory";
      node->timestamp = result;
      return add(cp, node, NULL, 0);
   }

   pthread_mutex_lock(&cp->dev->lock);
   struct sgd_query *query = cp->queue->slots[p.slot];
   if (!query || query->type != p.type) {
      error = "END QUERY: the slot does not count this";
   } else {
      cp->queue->slots[p.slot] = NULL;
      query->sub = cp->sub;
      query->sub->outstanding++;
      query->result = result;
      query->ended = true;
      sgd_query_check(query);
      sgd_query_unref(query);
   }
   pthread_mutex_unlock(&cp->dev->lock);
   return error;
}

const char *
sgd_cp_work_packet(struct sgd_cp *cp, enum sgpu_packet opcode, const uint32_t *in)
{
   switch (opcode) {
   case SGPU_PACKET_DRAW_INDIRECT:
      return draw_indirect(cp, in);
   case SGPU_PACKET_DRAW:
      return draw(cp, in);
   case SGPU_PACKET_CLEAR:
      return clear(cp, in);
   case SGPU_PACKET_CLEAR_SURFACE:
      return clear_surface(cp, in);
   case SGPU_PACKET_COPY_BUFFER:
      return copy_buffer(cp, in);
   case SGPU_PACKET_FILL_BUFFER:
      return fill_buffer(cp, in);
   case SGPU_PACKET_COPY_SURFACE:
      return copy_surface(cp, in);
   case SGPU_PACKET_BLIT:
      return blit(cp, in);
   case SGPU_PACKET_RESOLVE_SURFACE:
      return resolve_surface(cp, in);
   case SGPU_PACKET_BEGIN_QUERY:
      return begin_query(cp, in);
   case SGPU_PACKET_END_QUERY:
      return end_query(cp, in);
   default:
      unreachable("not a work packet");
   }
}
