/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: size and level of detail queries, and fetches of single texels. Compiled once for
 * each x86-64 level of the host CPU.
 */
#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_exec.h"
#include "texture/unit/sgd_tex_observe.h"

static inline bool
is_active(uint32_t active, unsigned l)
{
   return active & (1u << l);
}

void
sgd_tex_size(const struct sgd_tex_unit *u, const struct sgd_tex_op *op,
             const struct sgd_source *src0, uint32_t active, struct sgd_vec *dst)
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[op->target];
   for (unsigned l = 0; l < SGD_WARP; l++) {
      if (!is_active(active, l))
         continue;
      uint32_t size[4] = { 0 };
      const uint32_t n = target->levels && op->op == SGPU_OP_TXQ ? src0->c[0][l] : 0;
      if (!u || n >= u->num_levels) {
         /* The size of a missing texture or level is 0. */
      } else if (op->op == SGPU_OP_TXQS) {
         size[0] = u->samples;
      } else {
         const struct sgd_tex_level *level = &u->level[n];
         const bool cube = op->target == SGPU_TEX_TARGET_CUBE ||
                           op->target == SGPU_TEX_TARGET_CUBE_ARRAY;
         const unsigned dims = target->coords - (target->array ? 1 : 0) - (cube ? 1 : 0);
         size[0] = u->type == SGPU_TEXTURE_TYPE_BUFFER ? (uint32_t)u->size : (uint32_t)level->width;
         if (dims > 1)
            size[1] = (uint32_t)level->height;
         if (dims > 2)
            size[2] = (uint32_t)level->depth;
         if (target->array)
            size[dims] = cube ? u->num_layers / 6 : u->num_layers;
         size[3] = u->num_levels;
      }
      for (unsigned c = 0; c < 4; c++) {
         if (op->mask & (1 << c))
            dst->c[c][l] = size[c];
      }
   }
}

void
sgd_tex_query_lod(struct sgd_tex_job *job, const struct sgd_source *src0, struct sgd_vec *dst)
{
   const struct SGPU_SAMPLER *s = job->sampler;
   const float last = (float)(job->unit->num_levels - 1);
   if (job->aniso)
      sgd_tex_aniso(job, src0, NULL, false);
   else
      sgd_tex_lod(job, src0, &job->lod);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      if (!is_active(job->active, l))
         continue;
      const float lod = tadd(job->lod.v[l], s->lod_bias);
      float level = tclamp(tclamp(lod, s->min_lod, s->max_lod), 0.0f, last);
      if (s->mip_filter == SGPU_MIP_FILTER_NONE)
         level = 0.0f;
      else if (s->mip_filter == SGPU_MIP_FILTER_NEAREST)
         level = tclamp(sgpu_fceil(tsub(level, 0.5f)), 0.0f, last);
      const uint32_t value[4] = { sgpu_f2bits(level), sgpu_f2bits(sgpu_fp_canon(lod)), 0, 0 };
      for (unsigned c = 0; c < 4; c++) {
         if (job->op->mask & (1 << c))
            dst->c[c][l] = value[c];
      }
   }
}

/* Stores coord[l] + offset to `at`. Clears in[l] if the sum is not in [0, size). */
static void
bound(const uint32_t *coord, int32_t offset, uint64_t size, struct sgd_tex_int *at,
      uint32_t in[SGD_WARP])
{
   const uint32_t end = size < 1u << 31 ? (uint32_t)size : 1u << 31;
   SGD_EACH(l) {
      const uint32_t p = coord[l] + (uint32_t)offset;
      const uint32_t overflow = (coord[l] ^ p) & ((uint32_t)offset ^ p) & 0x80000000u;
      at->v[l] = (int32_t)p;
      in[l] &= sgpu_fp_mask((p | overflow) < end);
   }
}

/* Computes the position of each lane's texel. Lanes that are inactive or out of bounds get zeros.
 * Returns a mask of the active lanes that are in bounds. All others read (0, 0, 0, 0), regardless
 * of the view's swizzle.
 */
static uint32_t
locate(const struct sgd_tex_unit *u, const struct sgd_tex_op *op, const struct sgd_source *src0,
       const struct sgd_tex_int *wanted, unsigned n, uint32_t active, struct sgd_tex_int at[4])
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[op->target];
   const struct sgd_tex_level *level = &u->level[n];
   const unsigned dims = target->coords - (target->array ? 1 : 0);
   const uint64_t size[3] = { u->type == SGPU_TEXTURE_TYPE_BUFFER ? u->size
                                                                  : (uint64_t)level->width,
                              (uint64_t)level->height, (uint64_t)level->depth };
   bool used[4] = { false };
   uint32_t in[SGD_WARP];

   SGD_EACH(l) {
      in[l] = sgd_lane_mask(active, l);
   }
   for (unsigned a = 0; a < dims; a++) {
      bound(src0->c[a], op->offset[a], size[a], &at[a], in);
      used[a] = true;
   }
   if (target->array) {
      bound(src0->c[dims], 0, u->num_layers, &at[2], in);
      used[2] = true;
   }
   if (target->samples) {
      bound((const uint32_t *)wanted->v, 0, u->samples, &at[3], in);
      used[3] = true;
   }
   for (unsigned a = 0; a < 4; a++) {
      SGD_EACH(l) {
         at[a].v[l] = used[a] ? at[a].v[l] & (int32_t)in[l] : 0;
      }
   }
   return sgd_mask_gather(in);
}

/* Fetches texels of level n for the lanes in `lanes`. */
static void
fetch_level(const struct sgd_tex_unit *u, const struct sgd_tex_op *op,
            const struct sgd_source *src0, const struct sgd_tex_int *wanted, unsigned n,
            uint32_t lanes, struct sgd_vec *dst, const struct sgd_worker *worker)
{
   const bool samples = sgpu_tex_target_infos[op->target].samples;
   struct sgd_tex_int at[4];
   struct sgd_vec words;
   struct sgd_tex_float channels[4];
   unsigned need = 0, scaled = 0;

   const uint32_t inside = locate(u, op, src0, wanted, n, lanes, at);
   if (inside != lanes)
      sgd_tex_store_zeros(op->mask, lanes & ~inside, dst);
   if (!inside)
      return;
   if (SGD_OBSERVED_LEVEL)
      sgd_tex_observe_texels(worker, u, &u->level[n], &at[0], &at[1], &at[2], &at[3], inside);
   for (unsigned r = 0; r < 4; r++)
      need |= (op->mask & (1 << r)) && u->route[r] < 4 ? 1 << u->route[r] : 0;
   if (need)
      sgd_tex_fetch(u, &u->level[n], &at[0], &at[1], &at[2], samples ? &at[3] : NULL, need, &words);
   for (unsigned c = 0; c < u->num_channels; c++) {
      if (!(need & (1 << c)))
         continue;
      sgd_tex_decode(u, c, &words, &channels[c]);
      scaled |= !u->integer && u->channel[c].scale != 1.0f ? 1 << c : 0;
   }
   sgd_tex_store(u, u->route, op->mask, scaled, inside, channels, dst);
}

void
sgd_tex_fetch_texels(const struct sgd_tex_unit *u, const struct sgd_tex_op *op,
                     const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                     struct sgd_vec *dst, const struct sgd_worker *worker)
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[op->target];
   struct sgd_tex_int wanted; /* level or sample index of each lane */
   struct sgd_vec result;

   if (target->levels || target->samples) {
      memcpy(wanted.v, src1->c[0], sizeof(wanted.v));
   } else {
      SGD_EACH(l) {
         wanted.v[l] = 0;
      }
   }
   for (uint32_t left = active; left;) {
      const int32_t n = target->levels ? wanted.v[__builtin_ctz(left)] : 0;
      const bool exists = n >= 0 && n < (int64_t)u->num_levels;
      uint32_t same = left;
      for (unsigned l = 0; target->levels && l < SGD_WARP; l++)
         same &= wanted.v[l] == n ? ~0u : ~(1u << l);
      /* `dst` can overlap the sources, so only store to it directly if all lanes read the same
       * level.
       */
      struct sgd_vec *to = same == active ? dst : &result;
      if (exists)
         fetch_level(u, op, src0, &wanted, (unsigned)n, same, to, worker);
      else
         sgd_tex_store_zeros(op->mask, same, to);
      if (same == active)
         return;
      left &= ~same;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!(op->mask & (1 << c)))
         continue;
      SGD_EACH(l) {
         dst->c[c][l] = sgpu_fp_pick(sgd_lane_mask(active, l), result.c[c][l], dst->c[c][l]);
      }
   }
}
