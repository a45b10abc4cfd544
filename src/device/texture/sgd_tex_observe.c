/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, observation of work; the observed level.
 */
#include "texture/sgd_tex_observe.h"

#include "util/bitscan.h"
#include "util/macros.h"

/* Bytes of a texel; of a block of 4x4 and more, a sixteenth, from 1. */
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

void
sgd_tex_observe_axes(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                     const struct sgd_tex_axis axis[3], bool linear)
{
   const struct sgd_tex_unit *u = job->unit;
   const unsigned taps = linear ? 1u << job->dims : 1;

   if (!job->worker->work)
      return;
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
