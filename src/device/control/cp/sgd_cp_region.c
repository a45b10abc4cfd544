/* SPDX-License-Identifier: MIT */
/*
 * Command processor: determines which regions of memory an operation reads and writes. Some regions
 * are larger than what is really accessed; see section "Regions" of docs/dispatch.md.
 */
#include "control/cp/sgd_cp_work.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define ALL_LEVELS 0xffff

/* Converts a rectangle from pixels to elements. The result is aligned to blocks of 8x4 elements,
 * because the engines always store whole blocks. If the surface has metadata, the result is aligned
 * to tiles, because a write to any part of a tile also updates the metadata of the tile.
 */
static struct sgd_area
area_of(const struct sgd_surface *s, const struct SGPU_RECT *pixels)
{
   const uint32_t bw = s->desc->block.width, bh = s->desc->block.height;
   const uint32_t w = s->meta ? SGD_TILE : SGPU_TILE_WIDTH;
   const uint32_t h = s->meta ? SGD_TILE : SGPU_TILE_HEIGHT;
   uint32_t x0 = pixels->x0, y0 = pixels->y0, x1 = pixels->x1, y1 = pixels->y1;

   if (bw > 1 || bh > 1) {
      x0 /= bw;
      y0 /= bh;
      x1 = DIV_ROUND_UP(x1, bw);
      y1 = DIV_ROUND_UP(y1, bh);
   }
   return (struct sgd_area){
      .x0 = x0 & ~(w - 1),
      .y0 = y0 & ~(h - 1),
      .x1 = MIN2((x1 + w - 1) & ~(w - 1), UINT16_MAX),
      .y1 = MIN2((y1 + h - 1) & ~(h - 1), UINT16_MAX),
   };
}

void
sgd_cp_access_surface(struct sgd_node *node, const struct sgd_surface *s,
                      const struct sgd_part *part, unsigned how)
{
   const bool write = how & SGD_ACCESS_WRITE;
   const uint8_t *origin = s->base - s->first_layer * s->layer_stride;

   if (!s->valid || part->rect.x0 >= part->rect.x1 || part->rect.y0 >= part->rect.y1 ||
       !part->layers)
      return;
   struct sgd_access *access = sgd_node_access(node);
   if (!access)
      return;
   *access = (struct sgd_access){
      .node = node,
      .bo = s->bo,
      .begin = s->begin,
      .end = s->end,
      .storage = s->storage,
      .grid = {
         .origin = origin - s->bo->memory->base,
         .pitch = s->pitch,
         .bpe = s->bpe,
         .tiled = s->tiled,
      },
      .area = area_of(s, &part->rect),
      .levels = 1 << s->level,
      .first_layer = s->first_layer + part->first_layer,
      .last_layer = s->first_layer + part->first_layer + part->layers - 1,
      .write = write,
      .target = how & SGD_ACCESS_TARGET,
      .feeds = write && !s->tiled, /* a later draw may read a linear surface as a buffer */
   };
   node->writes_buffer |= access->feeds;
}

/* Adds an access to a texture or image view. It covers all layers and complete mipmap levels, but
 * the caller must set the levels. Returns NULL if out of memory.
 */
static struct sgd_access *
access_view(struct sgd_node *node, const struct sgd_texture *t, unsigned how)
{
   struct sgd_access *access = sgd_node_access(node);

   if (access) {
      *access = (struct sgd_access){
         .node = node,
         .bo = t->bo,
         .begin = t->desc.address,
         .end = t->desc.address + t->size,
         .storage = t->desc.type == SGPU_TEXTURE_TYPE_BUFFER ? 0 : t->desc.address,
         .area = SGD_AREA_ALL,
         .last_layer = UINT16_MAX,
         .front = how & SGD_ACCESS_FRONT,
      };
   }
   return access;
}

void
sgd_cp_access_texture(struct sgd_node *node, const struct sgd_texture *t, unsigned how)
{
   struct sgd_access *access = access_view(node, t, how);

   if (!access)
      return;
   access->levels = (uint16_t)((2u << t->desc.last_level) - (1u << t->desc.first_level));
   if (t->desc.array || t->desc.type == SGPU_TEXTURE_TYPE_CUBE) {
      access->first_layer = t->desc.first_layer;
      access->last_layer = t->desc.last_layer;
   }
}

void
sgd_cp_access_image(struct sgd_node *node, const struct sgd_texture *t, unsigned how)
{
   const bool buffer = t->desc.type == SGPU_TEXTURE_TYPE_BUFFER;
   struct sgd_access *access = access_view(node, t, how);

   if (!access)
      return;
   access->levels = buffer ? ALL_LEVELS : 1u << t->desc.first_level;
   if (!buffer && t->desc.type != SGPU_TEXTURE_TYPE_3D) {
      access->first_layer = t->desc.first_layer;
      access->last_layer = t->desc.last_layer;
   }
   access->write = how & SGD_ACCESS_WRITE;
   access->memory = true;
   access->commutes = how >> SGD_ACCESS_COMMUTES;
   /* A later draw may read a linear image as a buffer. */
   access->feeds = access->write && t->desc.layout == SGPU_LAYOUT_LINEAR;
   node->writes_buffer |= access->feeds;
}

void
sgd_cp_access_memory(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_shader *program,
                     const struct sgd_env *env, unsigned front)
{
   const unsigned how = front | SGD_ACCESS_MEMORY;
   const struct sgd_commutes *commutes = &program->commutes;

   /* u_foreach_bit() shifts a signed 1, which overflows for bit 31 of these masks. */
   u_foreach_bit64(n, env->buffers ? program->buffers_read | program->buffers_written : 0) {
      const struct sgd_span *span = &env->buffers[n];
      const bool write = program->buffers_written >> n & 1;
      sgd_cp_access_buffer(cp, node, span->ptr, span->size,
                           how | (write ? SGD_ACCESS_WRITE : 0) |
                              (unsigned)commutes->buffer[n] << SGD_ACCESS_COMMUTES);
   }
   if (!env->images)
      return;
   u_foreach_bit64(n, program->images_read | program->images_written) {
      const bool write = program->images_written >> n & 1;
      if (env->images[n])
         sgd_cp_access_image(node, env->images[n],
                             how | (write ? SGD_ACCESS_WRITE : 0) |
                                (unsigned)commutes->image[n] << SGD_ACCESS_COMMUTES);
   }
}

static bool
aliases(const struct sgd_node *node)
{
   util_dynarray_foreach(&node->accesses, struct sgd_access, a) {
      if (!a->memory || !a->write)
         continue;
      util_dynarray_foreach(&node->accesses, struct sgd_access, b) {
         if (b != a && b->memory && sgd_accesses_meet(a, b) && !sgd_accesses_commute(a, b))
            return true;
      }
   }
   return false;
}

bool
sgd_cp_memory_ordered(const struct sgd_cp *cp, struct sgd_node *node, bool program)
{
   if (cp->params->unordered || (!program && !aliases(node)))
      return false;
   /* If invocations run in order, their atomic operations are implemented as plain reads and writes
    * (see sgd_worker.alone). They must not run concurrently with atomics of other operations.
    */
   util_dynarray_foreach(&node->accesses, struct sgd_access, access)
      access->commutes = 0;
   return true;
}

void
sgd_cp_access_textures(struct sgd_node *node, const struct sgd_texture_set *set, unsigned front)
{
   for (unsigned i = 0; set && i < set->num_textures; i++) {
      if (set->textures[i])
         sgd_cp_access_texture(node, set->textures[i], front);
   }
}

void
sgd_cp_access_handles(struct sgd_node *node, const struct sgd_shader *program,
                      const struct sgd_handle_set *handles, unsigned front)
{
   /* A mask with all bits set means that a register selects the image. */
   const bool reads = program->images_read == ~0u, writes = program->images_written == ~0u;
   const unsigned how = front | SGD_ACCESS_MEMORY | (writes ? SGD_ACCESS_WRITE : 0);

   for (unsigned i = 0; handles && i < handles->count; i++) {
      const struct sgd_handle *h = &handles->handle[i];
      if (h->texture && program->relative_textures)
         sgd_cp_access_texture(node, h->texture, front);
      if (h->image && (reads || writes))
         sgd_cp_access_image(node, h->image, how);
   }
}

void
sgd_cp_access_buffer(struct sgd_cp *cp, struct sgd_node *node, const void *ptr, uint64_t size,
                     unsigned how)
{
   const bool write = how & SGD_ACCESS_WRITE;

   if (!size)
      return;
   struct sgd_access *access = sgd_node_access(node);
   if (!access)
      return;
   const uint64_t address = (const uint8_t *)ptr - cp->memory->base;
   *access = (struct sgd_access){
      .node = node,
      .bo = sgd_bo_list_find(&cp->sub->bos, address, size),
      .begin = address,
      .end = address + size,
      .area = SGD_AREA_ALL,
      .levels = ALL_LEVELS,
      .last_layer = UINT16_MAX,
      .write = write,
      .front = how & SGD_ACCESS_FRONT,
      .xfb = how & SGD_ACCESS_XFB,
      .memory = how & SGD_ACCESS_MEMORY,
      .commutes = how >> SGD_ACCESS_COMMUTES,
      .feeds = write && !(how & SGD_ACCESS_NUMBERS),
   };
   node->writes_buffer |= access->feeds;
}

static void
access_version(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_bank *bank)
{
   const struct sgd_const_version *v = bank->version;
   const uint8_t *ptr;
   uint32_t size;

   if (v->scattered) {
      for (uint32_t at = 0; (size = sgd_bank_piece(bank, at, &ptr)); at += size)
         sgd_cp_access_buffer(cp, node, ptr, size, SGD_ACCESS_FRONT);
      return;
   }
   sgd_cp_access_buffer(cp, node, v->base, bank->size, SGD_ACCESS_FRONT);
   for (unsigned i = 0; i < v->num_spans; i++)
      sgd_cp_access_buffer(cp, node, v->span[i].first, v->span[i].last - v->span[i].first,
                           SGD_ACCESS_FRONT);
}

void
sgd_cp_access_banks(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_env *env)
{
   for (unsigned b = 0; b < SGD_MAX_BANKS; b++) {
      const struct sgd_bank *bank = &env->banks[b];

      if (bank->line_log2)
         access_version(cp, node, bank);
      else
         sgd_cp_access_buffer(cp, node, bank->ptr, bank->size, SGD_ACCESS_FRONT);
   }
}

/* Returns true if primitives of this type are only rasterized as filled polygons. */
static bool
fills_only(const struct sgd_state *st, enum sgpu_primitive primitive)
{
   switch (primitive) {
   case SGPU_PRIMITIVE_TRIANGLES:
   case SGPU_PRIMITIVE_TRIANGLE_STRIP:
   case SGPU_PRIMITIVE_TRIANGLE_FAN:
   case SGPU_PRIMITIVE_QUADS:
   case SGPU_PRIMITIVE_QUAD_STRIP:
   case SGPU_PRIMITIVE_POLYGON:
   case SGPU_PRIMITIVE_TRIANGLES_ADJACENCY:
   case SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY:
      return (st->rast.fill_front == SGPU_FILL_SOLID && st->rast.fill_back == SGPU_FILL_SOLID) ||
             (st->rast.fill_front == SGPU_FILL_RECTANGLE &&
              st->rast.fill_back == SGPU_FILL_RECTANGLE);
   default:
      return false;
   }
}

void
sgd_cp_access_targets(struct sgd_node *node, const struct sgd_state *st,
                      enum sgpu_primitive primitive)
{
   const struct sgd_box *box = fills_only(st, primitive) ? &st->plan.filled : &st->plan.reach;
   const struct sgd_part part = {
      .rect = { .x0 = box->x0, .y0 = box->y0, .x1 = box->x1, .y1 = box->y1 },
      .first_layer = sgd_state_layer(st),
      .layers = st->plan.drawn_layers,
   };

   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   const unsigned read = ps ? ps->targets_read : 0;

   for (unsigned i = 0; i < st->num_colors; i++) {
      if (st->plan.color_write_mask[i] || (read >> i & 1))
         sgd_cp_access_surface(node, &st->color[i], &part, SGD_ACCESS_WRITE | SGD_ACCESS_TARGET);
   }
   if (st->plan.zs_mode.active || (read >> SGD_MAX_COLORS & 1))
      sgd_cp_access_surface(node, &st->zs, &part, SGD_ACCESS_WRITE | SGD_ACCESS_TARGET);
}

/* Computes the range [*from, *to) of source texels that a blit reads in one dimension. The
 * destination pixels are `first` to `last` - 1. `size` is the size of the source surface in texels.
 * Source positions are monotonic even with rounding, so only the first and the last pixel are
 * computed.
 */
static void
blit_range(int32_t first, int32_t last, int32_t d0, int32_t d1, double s0, double s1, bool linear,
           int32_t size, int32_t *from, int32_t *to)
{
   const double step = sgd_blit_step(d0, d1, s0, s1);
   const int32_t a = sgd_floor_to_int(sgd_blit_place(first, d0, s0, step));
   const int32_t b = sgd_floor_to_int(sgd_blit_place(last - 1, d0, s0, step));

   *from = CLAMP(MIN2(a, b) - linear, 0, size - 1);
   *to = CLAMP(MAX2(a, b) + linear, 0, size - 1) + 1;
}

struct sgd_part
sgd_cp_blit_source(const struct sgd_xfer *x)
{
   const struct SGPU_BLIT *p = &x->u.blit.packet;
   const struct SGPU_RECT *d = &p->destination_rect, *s = &p->source_rect, *r = &x->rect;
   const struct sgd_surface *src = &x->u.blit.src;
   const bool linear = p->filter == SGPU_FILTER_LINEAR;
   const int32_t w = SGPU_TILE_WIDTH - 1, h = SGPU_TILE_HEIGHT - 1;
   struct sgd_part part = { .layers = 0 };
   int32_t z0, z1;

   if (r->x0 >= r->x1 || r->y0 >= r->y1 || !p->layers)
      return part;
   /* The engine reads the texels for complete blocks of 8x4 destination pixels. */
   blit_range(r->x0 & ~w, ((r->x1 - 1) | w) + 1, d->x0, d->x1, s->x0, s->x1, linear, src->width,
              &part.rect.x0, &part.rect.x1);
   blit_range(r->y0 & ~h, ((r->y1 - 1) | h) + 1, d->y0, d->y1, s->y0, s->y1, linear, src->height,
              &part.rect.y0, &part.rect.y1);
   /* The filter only interpolates between layers if the numbers of source and destination layers
    * differ.
    */
   const bool scaled = sgd_blit_step(0, p->layers, p->source_z0, p->source_z1) != 1.0;
   blit_range(0, p->layers, 0, p->layers, p->source_z0, p->source_z1, linear && scaled, src->layers,
              &z0, &z1);
   part.first_layer = z0;
   part.layers = z1 - z0;
   return part;
}
