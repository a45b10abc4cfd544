/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: sizes, levels of detail, and single texels; one host level.
 */
#include "texture/sgd_tex_exec.h"
#include "texture/sgd_tex_observe.h"

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
         /* nothing there: zeros */
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
      sgd_tex_aniso(job, src0, NULL);
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

/* Bounds are checked lane by lane; the texel of a lane out of bounds is (0,0,0,0),
 * whatever the view makes of its channels.
 */
static uint32_t
locate(const struct sgd_tex_unit *u, const struct sgd_tex_op *op, const struct sgd_source *src0,
       const struct sgd_tex_int *wanted, unsigned n, uint32_t active, struct sgd_tex_int at[4])
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[op->target];
   const struct sgd_tex_level *level = &u->level[n];
   const unsigned dims = target->coords - (target->array ? 1 : 0);
   const int64_t size[3] = { u->type == SGPU_TEXTURE_TYPE_BUFFER ? (int64_t)u->size : level->width,
                             level->height, level->depth };
   uint32_t inside = 0;

   for (unsigned l = 0; l < SGD_WARP; l++) {
      bool in = is_active(active, l);
      int64_t p[4] = { 0 };
      for (unsigned a = 0; a < dims; a++) {
         p[a] = (int64_t)(int32_t)src0->c[a][l] + op->offset[a];
         in &= p[a] >= 0 && p[a] < size[a];
      }
      if (target->array) {
         p[2] = (int32_t)src0->c[dims][l];
         in &= p[2] >= 0 && p[2] < u->num_layers;
      }
      if (target->samples) {
         p[3] = wanted->v[l];
         in &= p[3] >= 0 && p[3] < u->samples;
      }
      for (unsigned a = 0; a < 4; a++)
         at[a].v[l] = in ? (int32_t)p[a] : 0;
      inside |= in ? 1u << l : 0;
   }
   return inside;
}

void
sgd_tex_fetch_texels(const struct sgd_tex_unit *u, const struct sgd_tex_op *op,
                     const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                     struct sgd_vec *dst SGD_OBSERVE(, const struct sgd_worker *worker))
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[op->target];
   struct sgd_tex_int wanted; /* level or sample */
   struct sgd_vec result = { { { 0 } } };

   SGD_EACH(l) {
      wanted.v[l] = target->levels || target->samples ? (int32_t)src1->c[0][l] : 0;
   }
   for (uint32_t left = active; left;) {
      const int32_t n = target->levels ? wanted.v[__builtin_ctz(left)] : 0;
      uint32_t same = left;
      for (unsigned l = 0; target->levels && l < SGD_WARP; l++)
         same &= wanted.v[l] == n ? ~0u : ~(1u << l);
      left &= ~same;
      if (n < 0 || n >= (int64_t)u->num_levels)
         continue;

      struct sgd_tex_int at[4];
      struct sgd_vec words;
      struct sgd_tex_float channels[4];
      const uint32_t inside = locate(u, op, src0, &wanted, (unsigned)n, same, at);
      if (!inside)
         continue;
      SGD_OBSERVE(
         sgd_tex_observe_texels(worker, u, &u->level[n], &at[0], &at[1], &at[2], &at[3], inside);)
      sgd_tex_fetch(u, &u->level[n], &at[0], &at[1], &at[2], target->samples ? &at[3] : NULL, 15,
                    &words);
      for (unsigned c = 0; c < u->num_channels; c++) {
         bool used = false;
         for (unsigned r = 0; r < 4; r++)
            used |= u->route[r] == c;
         if (!used)
            continue;
         sgd_tex_decode(u, c, &words, &channels[c]);
         if (!u->integer)
            sgd_tex_scale(u, c, &channels[c]);
      }
      sgd_tex_store(u, u->route, op->mask, inside, channels, &result);
   }
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; (op->mask & (1 << c)) && l < SGD_WARP; l++) {
         if (is_active(active, l))
            dst->c[c][l] = result.c[c][l];
      }
   }
}
