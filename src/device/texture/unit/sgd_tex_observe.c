/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: records the texels and samples of filters for the observer. Compiled only for the
 * host level that records for the observer.
 */
#include "texture/unit/sgd_tex_observe.h"

#include "util/bitscan.h"
#include "util/macros.h"

/* Returns the size of a texel in bytes. For block formats, this is 1/16 of the block size, but at
 * least 1.
 */
static unsigned
texel_bytes(const struct sgd_tex_unit *u)
{
   return u->block_width * u->block_height > 1 ? MAX2(u->bpe / 16, 1) : u->bpe;
}

void
sgd_tex_observe_begin(const struct sgd_worker *worker, const struct sgd_tex_unit *u,
                      uint32_t samples)
{
   struct sgd_work_observation *o = worker->work;

   if (!o)
      return;
   o->bytes = texel_bytes(u);
   o->work += util_bitcount(samples);
}

uint32_t
sgd_tex_observe_probes(const struct sgd_tex_job *job, int32_t n, uint32_t lanes)
{
   uint32_t with = 0;

   for (unsigned l = 0; l < SGD_WARP; l++)
      with |= n < job->probes.v[l] ? 1u << l : 0;
   return lanes & with;
}

void
sgd_tex_observe_samples(const struct sgd_tex_job *job, bool linear)
{
   struct sgd_work_observation *o = job->worker->work;

   if (o)
      o->work += util_bitcount(job->sampling) * (linear && job->dims == 3 ? 2 : 1);
}

static void
add_texel(const struct sgd_worker *worker, const struct sgd_tex_unit *u,
          const struct sgd_tex_level *level, unsigned lane, uint32_t x, uint32_t y, uint32_t z,
          uint32_t sample)
{
   const uint64_t offset = sgpu_element_offset(u->tiled ? SGPU_LAYOUT_TILED : SGPU_LAYOUT_LINEAR,
                                               x / MAX2(u->block_width, 1),
                                               y / MAX2(u->block_height, 1), level->pitch, u->bpe);

   sgd_observe_bytes(worker, lane,
                     level->base + z * level->layer_stride + sample * level->sample_stride + offset,
                     u->bpe);
}

/* Computes the contribution of one axis to the 32-bit byte offsets of the texels. */
static void
axis_offsets(const struct sgd_tex_unit *u, const struct sgd_tex_level *level, unsigned axis,
             const struct sgd_tex_int *i, uint32_t offset[SGD_WARP])
{
   const uint32_t stride = axis == 2 ? (uint32_t)level->layer_stride : level->pitch;
   const unsigned shift = u->codec && axis < 2 ? 2 : 0, bpe = u->bpe;

   if (axis == 2 || (axis == 1 && !u->tiled)) {
      SGD_EACH(l) {
         offset[l] = ((uint32_t)i->v[l] >> shift) * stride;
      }
   } else if (axis == 1) {
      SGD_EACH(l) {
         const uint32_t y = (uint32_t)i->v[l] >> shift;
         offset[l] = (y >> 2) * stride + sgpu_tile_element_y(y) * bpe;
      }
   } else if (u->tiled) {
      SGD_EACH(l) {
         const uint32_t x = (uint32_t)i->v[l] >> shift;
         offset[l] = ((x >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(x)) * bpe;
      }
   } else {
      SGD_EACH(l) {
         offset[l] = ((uint32_t)i->v[l] >> shift) * bpe;
      }
   }
}

/* Records the texels of textures whose byte offsets fit in 32 bits. No lane may read the border
 * color.
 */
static void
add_texels(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
           const struct sgd_tex_axis axis[3], unsigned count)
{
   struct sgd_work_observation *o = job->worker->work;
   const struct sgd_tex_unit *u = job->unit;
   const uint64_t base = level->base - o->memory;
   _Alignas(64) uint32_t part[3][2][SGD_WARP];

   for (unsigned n = 0; n < count; n++) {
      for (unsigned a = 0; a < 3; a++) {
         if (a < job->dims)
            axis_offsets(u, level, a, &axis[a].i[n], part[a][n]);
         else if (a == 2 && u->num_layers > 1)
            axis_offsets(u, level, a, &job->layer, part[a][n]);
         else
            memset(part[a][n], 0, sizeof(part[a][n]));
      }
   }
   for (uint32_t left = job->sampling; left;) {
      const unsigned l = u_bit_scan(&left);
      for (unsigned n = 0; n < (count > 1 ? 1u << job->dims : 1); n++) {
         const uint32_t offset = part[0][n & 1][l] + part[1][n >> 1 & 1][l] + part[2][n >> 2][l];
         sgd_observe_next_lines(o, l, base + offset, u->bpe);
      }
   }
}

void
sgd_tex_observe_axes(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                     const struct sgd_tex_axis axis[3], bool linear)
{
   const struct sgd_tex_unit *u = job->unit;
   const unsigned taps = linear ? 1u << job->dims : 1;
   bool borders = false;

   if (!job->worker->work)
      return;
   for (unsigned a = 0; a < job->dims; a++)
      borders |= axis[a].border;
   if (!borders && !u->generic) {
      add_texels(job, level, axis, linear ? 2 : 1);
      return;
   }
   for (uint32_t left = job->sampling; left;) {
      const unsigned l = u_bit_scan(&left);
      for (unsigned n = 0; n < taps; n++) {
         uint32_t at[3] = { 0, 0, job->dims < 3 && u->num_layers > 1 ? job->layer.v[l] : 0 };
         bool border = false;

         for (unsigned a = 0; a < job->dims; a++) {
            at[a] = axis[a].i[n >> a & 1].v[l];
            border |= axis[a].border && axis[a].out[n >> a & 1].v[l];
         }
         if (!border)
            add_texel(job->worker, u, level, l, at[0], at[1], at[2], 0);
      }
   }
}

void
sgd_tex_observe_edges(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                      const struct sgd_tex_int x[4], const struct sgd_tex_int y[4],
                      const struct sgd_tex_int z[4], const struct sgd_tex_int *corner)
{
   if (!job->worker->work)
      return;
   for (uint32_t left = job->sampling; left;) {
      const unsigned l = u_bit_scan(&left);
      for (unsigned n = 0; n < 4; n++) {
         if (corner->v[l] != (int32_t)n + 1)
            add_texel(job->worker, job->unit, level, l, x[n].v[l], y[n].v[l], z[n].v[l], 0);
      }
   }
}

void
sgd_tex_observe_texels(const struct sgd_worker *worker, const struct sgd_tex_unit *u,
                       const struct sgd_tex_level *level, const struct sgd_tex_int *x,
                       const struct sgd_tex_int *y, const struct sgd_tex_int *z,
                       const struct sgd_tex_int *sample, uint32_t lanes)
{
   struct sgd_work_observation *o = worker->work;

   if (!o)
      return;
   o->bytes = texel_bytes(u);
   while (lanes) {
      const unsigned l = u_bit_scan(&lanes);
      add_texel(worker, u, level, l, x->v[l], y->v[l], z->v[l], sample->v[l]);
   }
}
