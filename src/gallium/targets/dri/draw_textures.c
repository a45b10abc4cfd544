/* SPDX-License-Identifier: MIT */
/*
 * Textures and uniform blocks for Mesa's draw module, which runs vertex shaders
 * for RasterPos, feedback and selection and, without LLVM, leaves reading to the
 * driver.  Each texel is fetched through a mapping of its own; softpipe's samplers,
 * which read through mappings of any driver, filter.  The linker puts these functions
 * in the place of the module's (--wrap in meson.build; docs/dri.md).
 */
#include <string.h>

#include "draw/draw_context.h"
#include "draw/draw_private.h"
#include "draw/draw_vs.h"
#include "draw_memory.h"
#include "sgpu/sgpu_public.h"
#include "softpipe/sp_tex_sample.h"
#include "softpipe/sp_tex_tile_cache.h"
#include "tgsi/tgsi_exec.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_tile.h"

struct draw_context *__real_draw_create(struct pipe_context *pipe);
void __real_draw_destroy(struct draw_context *draw);
struct draw_context *__wrap_draw_create(struct pipe_context *pipe);
void __wrap_draw_destroy(struct draw_context *draw);

void __real_draw_delete_vertex_shader(struct draw_context *draw, struct draw_vertex_shader *shader);
void __wrap_draw_delete_vertex_shader(struct draw_context *draw, struct draw_vertex_shader *shader);

const void *__real_nir_to_tgsi(struct nir_shader *nir, struct pipe_screen *screen);
const void *__wrap_nir_to_tgsi(struct nir_shader *nir, struct pipe_screen *screen);

struct textures {
   struct tgsi_sampler base;
   struct draw_context *draw;
};

static const struct pipe_sampler_view *
view_of(const struct tgsi_sampler *sampler, unsigned n)
{
   return ((const struct textures *)sampler)->draw->sampler_views[PIPE_SHADER_VERTEX][n];
}

/* As textureSize has them; [3]: levels. */
static void
get_dims(struct tgsi_sampler *sampler, unsigned n, int level, int dims[4])
{
   const struct pipe_sampler_view *view = view_of(sampler, n);

   memset(dims, 0, 4 * sizeof(int));
   if (!view)
      return;
   const struct pipe_resource *t = view->texture;
   if (view->target == PIPE_BUFFER) {
      dims[0] = view->u.buf.size / util_format_get_blocksize(view->format);
      return;
   }
   const int levels = view->u.tex.last_level - view->u.tex.first_level + 1;
   const int layers = view->u.tex.last_layer - view->u.tex.first_layer + 1;
   if (level < 0 || level >= levels)
      return;
   level += view->u.tex.first_level;
   dims[0] = u_minify(t->width0, level);
   dims[1] = view->target == PIPE_TEXTURE_1D         ? 0
             : view->target == PIPE_TEXTURE_1D_ARRAY ? layers
                                                     : u_minify(t->height0, level);
   if (view->target == PIPE_TEXTURE_3D)
      dims[2] = u_minify(t->depth0, level);
   else if (view->target == PIPE_TEXTURE_2D_ARRAY)
      dims[2] = layers;
   else if (view->target == PIPE_TEXTURE_CUBE_ARRAY)
      dims[2] = layers / 6;
   dims[3] = levels;
}

static bool
fetch_buffer(struct pipe_context *pipe, const struct pipe_sampler_view *view, int x, float texel[4])
{
   const unsigned bytes = util_format_get_blocksize(view->format);
   struct pipe_transfer *transfer;

   if (x < 0 || (unsigned)x >= view->u.buf.size / bytes)
      return false;
   const void *map = pipe_buffer_map_range(pipe, view->texture, view->u.buf.offset + x * bytes,
                                           bytes, PIPE_MAP_READ, &transfer);
   if (!map)
      return false;
   util_format_read_4(view->format, texel, 16, map, bytes, 0, 0, 1, 1);
   pipe_buffer_unmap(pipe, transfer);
   return true;
}

static bool
fetch_texture(struct pipe_context *pipe, const struct pipe_sampler_view *view, const int dims[4],
              int x, int y, int z, int level, float texel[4])
{
   const bool rows_are_layers = view->target == PIPE_TEXTURE_1D_ARRAY;
   const struct util_format_description *desc = util_format_description(view->format);
   const int bw = desc->block.width, bh = desc->block.height;
   struct pipe_transfer *transfer;

   if (x < 0 || x >= dims[0] || (dims[1] && (y < 0 || y >= dims[1])) ||
       (dims[2] && (z < 0 || z >= dims[2])))
      return false;
   y = dims[1] ? y : 0;
   z = (rows_are_layers ? y
        : dims[2]       ? z
                        : 0) +
       (view->target == PIPE_TEXTURE_3D ? 0 : view->u.tex.first_layer);
   y = rows_are_layers ? 0 : y;

   /* For a multisample texture, `level` is the sample. */
   const bool samples = view->texture->nr_samples > 1;
   void *map = pipe_texture_map(pipe, view->texture, view->u.tex.first_level + level, z,
                                PIPE_MAP_READ | (samples ? SGPU_MAP_SAMPLE : 0), x / bw * bw,
                                y / bh * bh, bw, bh, &transfer);
   if (!map)
      return false;
   pipe_get_tile_rgba(transfer, map, x % bw, y % bh, 1, 1, view->format, texel);
   pipe_texture_unmap(pipe, transfer);
   return true;
}

static float
swizzle(const struct pipe_sampler_view *view, unsigned channel, const float texel[4])
{
   if (channel <= PIPE_SWIZZLE_W)
      return texel[channel];
   if (channel == PIPE_SWIZZLE_1)
      return util_format_is_pure_integer(view->format) ? uif(1) : 1.0f;
   return 0.0f;
}

static void
get_texel(struct tgsi_sampler *sampler, unsigned n, const int i[TGSI_QUAD_SIZE],
          const int j[TGSI_QUAD_SIZE], const int k[TGSI_QUAD_SIZE], const int lod[TGSI_QUAD_SIZE],
          const int8_t offset[3], float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   struct pipe_context *pipe = ((struct textures *)sampler)->draw->pipe;
   const struct pipe_sampler_view *view = view_of(sampler, n);

   for (unsigned q = 0; q < TGSI_QUAD_SIZE; q++) {
      float texel[4] = { 0 };
      bool found = false;
      int dims[4];

      if (view && view->target == PIPE_BUFFER) {
         found = fetch_buffer(pipe, view, i[q], texel);
      } else if (view) {
         get_dims(sampler, n, view->texture->nr_samples > 1 ? 0 : lod[q], dims);
         found = fetch_texture(pipe, view, dims, i[q] + offset[0], j[q] + offset[1],
                               k[q] + offset[2], lod[q], texel);
      }
      rgba[0][q] = found ? swizzle(view, view->swizzle_r, texel) : 0.0f;
      rgba[1][q] = found ? swizzle(view, view->swizzle_g, texel) : 0.0f;
      rgba[2][q] = found ? swizzle(view, view->swizzle_b, texel) : 0.0f;
      rgba[3][q] = found ? swizzle(view, view->swizzle_a, texel) : 0.0f;
   }
}

/* A view as softpipe_create_sampler_view makes it of softpipe's own resources. */
static void
set_view(struct sp_sampler_view *sp, const struct pipe_sampler_view *view,
         struct softpipe_tex_tile_cache *cache)
{
   const bool identity = view->swizzle_r == PIPE_SWIZZLE_X && view->swizzle_g == PIPE_SWIZZLE_Y &&
                         view->swizzle_b == PIPE_SWIZZLE_Z && view->swizzle_a == PIPE_SWIZZLE_W;

   sp->base = *view;
   sp->need_swizzle = !identity;
   sp->need_cube_convert = view->target == PIPE_TEXTURE_CUBE ||
                           view->target == PIPE_TEXTURE_CUBE_ARRAY;
   sp->xpot = util_logbase2(view->texture->width0);
   sp->ypot = util_logbase2(view->texture->height0);
   sp->oneval = util_format_is_pure_integer(view->format) ? uif(1) : 1.0f;
   sp->compute_lambda = softpipe_get_lambda_func(&sp->base, PIPE_SHADER_VERTEX);
   sp->compute_lambda_from_grad = softpipe_get_lambda_from_grad_func(&sp->base, PIPE_SHADER_VERTEX);
   sp->cache = cache;
}

static void
get_samples(struct tgsi_sampler *sampler, unsigned n, unsigned state, const float s[TGSI_QUAD_SIZE],
            const float t[TGSI_QUAD_SIZE], const float r[TGSI_QUAD_SIZE],
            const float c0[TGSI_QUAD_SIZE], const float c1[TGSI_QUAD_SIZE],
            float derivs[3][2][TGSI_QUAD_SIZE], const int8_t offset[3],
            enum tgsi_sampler_control control, float rgba[TGSI_NUM_CHANNELS][TGSI_QUAD_SIZE])
{
   struct draw_context *draw = ((struct textures *)sampler)->draw;
   const struct pipe_sampler_view *view = view_of(sampler, n);
   const struct pipe_sampler_state *from = draw->samplers[PIPE_SHADER_VERTEX][state];
   struct sp_tgsi_sampler *sp = view && from ? sp_create_tgsi_sampler() : NULL;
   struct softpipe_tex_tile_cache *cache = sp ? sp_create_tex_tile_cache(draw->pipe) : NULL;
   struct sp_sampler *made = cache ? softpipe_create_sampler_state(draw->pipe, from) : NULL;

   memset(rgba, 0, TGSI_NUM_CHANNELS * sizeof(rgba[0]));
   if (made) {
      set_view(&sp->sp_sview[0], view, cache);
      sp->sp_sampler[0] = made;
      sp_tex_tile_cache_set_sampler_view(cache, &sp->sp_sview[0].base);
      sp->base.get_samples(&sp->base, 0, 0, s, t, r, c0, c1, derivs, offset, control, rgba);
      sp_tex_tile_cache_set_sampler_view(cache, NULL);
   }
   FREE(made);
   sp_destroy_tex_tile_cache(cache);
   FREE(sp);
}

static void
query_lod(const struct tgsi_sampler *sampler, unsigned view, unsigned state,
          const float s[TGSI_QUAD_SIZE], const float t[TGSI_QUAD_SIZE],
          const float p[TGSI_QUAD_SIZE], const float c0[TGSI_QUAD_SIZE],
          enum tgsi_sampler_control control, float mipmap[TGSI_QUAD_SIZE],
          float lod[TGSI_QUAD_SIZE])
{
   /* Without derivatives there is no level of detail (GLSL 4.00, 8.9.1). */
   memset(mipmap, 0, TGSI_QUAD_SIZE * sizeof(*mipmap));
   memset(lod, 0, TGSI_QUAD_SIZE * sizeof(*lod));
}

struct draw_context *
__wrap_draw_create(struct pipe_context *pipe)
{
   struct textures *textures = CALLOC_STRUCT(textures);
   struct draw_context *draw = textures ? __real_draw_create(pipe) : NULL;

   if (draw && !draw_memory_init(draw)) {
      __real_draw_destroy(draw);
      draw = NULL;
   }
   if (!draw) {
      FREE(textures);
      return NULL;
   }
   textures->base = (struct tgsi_sampler){
      .get_samples = get_samples,
      .get_dims = get_dims,
      .get_texel = get_texel,
      .query_lod = query_lod,
   };
   textures->draw = draw;
   draw_texture_sampler(draw, PIPE_SHADER_VERTEX, &textures->base);
   return draw;
}

void
__wrap_draw_destroy(struct draw_context *draw)
{
   struct tgsi_sampler *textures = draw ? draw->vs.tgsi.sampler : NULL;
   void *memory = draw ? draw_memory_of(draw) : NULL;

   __real_draw_destroy(draw);
   FREE(textures);
   FREE(memory);
}

/* The interpreter knows a shader by the address of its tokens, which the next one may get. */
void
__wrap_draw_delete_vertex_shader(struct draw_context *draw, struct draw_vertex_shader *shader)
{
   struct tgsi_exec_machine *machine = draw->vs.tgsi.machine;

   if (machine && machine->Tokens == shader->state.tokens)
      tgsi_exec_machine_bind_shader(machine, NULL, NULL, NULL, NULL);
   __real_draw_delete_vertex_shader(draw, shader);
}

const void *
__wrap_nir_to_tgsi(struct nir_shader *nir, struct pipe_screen *screen)
{
   sgpu_shader_for_mesa(nir, screen);
   return __real_nir_to_tgsi(nir, screen);
}
