/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: executes arbitrary texture operations of a warp. Compiled once for each x86-64
 * level of the host CPU.
 *
 * Lanes that read the same level, or pair of levels, with the same filter are processed together,
 * so that everything that depends on the level is uniform.
 */
#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_exec.h"
#include "texture/unit/sgd_tex_observe.h"

#include <string.h>

/* Returns true if the instruction's target matches the type of the texture. */
static bool
target_fits(enum sgpu_tex_target target, enum sgpu_texture_type type)
{
   switch (target) {
   case SGPU_TEX_TARGET_BUFFER:
      return type == SGPU_TEXTURE_TYPE_BUFFER;
   case SGPU_TEX_TARGET_1D:
   case SGPU_TEX_TARGET_1D_ARRAY:
      return type == SGPU_TEXTURE_TYPE_1D;
   case SGPU_TEX_TARGET_3D:
      return type == SGPU_TEXTURE_TYPE_3D;
   case SGPU_TEX_TARGET_CUBE:
   case SGPU_TEX_TARGET_CUBE_ARRAY:
      return type == SGPU_TEXTURE_TYPE_CUBE;
   default:
      return type == SGPU_TEXTURE_TYPE_2D;
   }
}

static bool
uses_border(const struct SGPU_SAMPLER *s)
{
   const unsigned with = 1 << SGPU_WRAP_CLAMP | 1 << SGPU_WRAP_CLAMP_TO_BORDER |
                         1 << SGPU_WRAP_MIRROR_CLAMP | 1 << SGPU_WRAP_MIRROR_CLAMP_TO_BORDER;
   return with & (1 << s->wrap_s | 1 << s->wrap_t | 1 << s->wrap_r);
}

static void
set_border(struct sgd_tex_job *job)
{
   const struct SGPU_SAMPLER *s = job->sampler;
   const uint32_t colour[4] = { s->border_0, s->border_1, s->border_2, s->border_3 };
   for (unsigned c = 0; c < job->unit->num_channels; c++) {
      const struct sgd_tex_channel *ch = &job->unit->channel[c];
      const float v = sgpu_bits2f(colour[ch->border]);
      job->border[c] = job->unit->integer
                          ? v
                          : tmul(tclamp(v, ch->border_min, ch->border_max), ch->one);
   }
}

/* Rounds the layer coordinate to the nearest array layer, clamped to the layers of the view. */
static void
set_layer(struct sgd_tex_job *job, const struct sgd_source *src0)
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[job->op->target];
   const struct sgd_tex_unit *u = job->unit;
   const int32_t per_layer = job->cube ? 6 : 1;
   const float last = (float)(u->num_layers / (uint32_t)per_layer - 1);

   if (u->num_layers == 1)
      return;
   if (!job->cube) {
      SGD_EACH(l) {
         job->layer.v[l] = 0;
      }
   }
   if (target->array) {
      const uint32_t *w = src0->c[target->coords - 1];
      SGD_EACH(l) {
         job->layer.v[l] += tlayer(w[l], last) * per_layer;
      }
   }
}

static void
set_offsets(struct sgd_tex_job *job, const struct sgd_source *src1)
{
   const struct sgd_tex_op *op = job->op;
   /* Use the integer wrapping rules for gathers, as for operations with offsets, because they
    * define which texels a gather returns at an edge. For filters, the choice of a texel with
    * weight 0 doesn't matter.
    */
   job->has_offset = op->reg_offset || op->offset[0] || op->offset[1] || op->offset[2] ||
                     op->op == SGPU_OP_TG4;
   if (!job->has_offset)
      return;
   for (unsigned a = 0; a < job->dims; a++) {
      if (op->reg_offset) {
         /* This range is larger than any limit that the driver reports, and small enough that sums
          * can't overflow.
          */
         const uint32_t *from = src1->c[2 + a];
         SGD_EACH(l) {
            job->offset[a].v[l] = iclamp((int32_t)from[l], -1024, 1023);
         }
      } else {
         SGD_EACH(l) {
            job->offset[a].v[l] = op->offset[a];
         }
      }
   }
}

static void
set_reference(struct sgd_tex_job *job, const struct sgd_source *src0, const struct sgd_source *src1)
{
   job->compare = job->op->shadow && job->sampler->compare_enable;
   if (!job->compare)
      return;
   const uint32_t *from = job->op->target == SGPU_TEX_TARGET_CUBE_ARRAY ? src1->c[1] : src0->c[3];
   if (job->unit->clamp_ref) {
      SGD_EACH(l) {
         job->ref.v[l] = tclamp(sgpu_bits2f(from[l]), 0.0f, 1.0f);
      }
   } else {
      memcpy(job->ref.v, from, sizeof(job->ref.v));
   }
}

static void
set_channels(struct sgd_tex_job *job)
{
   job->channels = 0;
   for (unsigned c = 0; c < 4; c++) {
      const unsigned route = job->unit->route[c];
      if ((job->op->mask & (1 << c)) && route < 4)
         job->channels |= 1 << route;
   }
   if (job->compare)
      job->channels = 1 << job->unit->main_channel;
}

static bool
is_plain(const struct sgd_tex_job *job)
{
   const struct sgd_tex_unit *u = job->unit;
   return (u->bytes || u->wide || u->word) && job->dims == 2 && !job->cube &&
          (!job->compare || u->word) && !job->has_offset &&
          job->reduction == SGPU_FILTER_REDUCTION_AVERAGE;
}

/* Initializes a job from the sources of the operation. `on_face` is storage for the coordinates on
 * the faces of cube maps.
 */
static void
set_job(struct sgd_tex_job *job, const struct sgd_source *src0, const struct sgd_source *src1,
        struct sgd_tex_float on_face[2])
{
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[job->op->target];
   job->cube = job->unit->type == SGPU_TEXTURE_TYPE_CUBE;
   job->dims = job->cube ? 2 : target->coords - (target->array ? 1 : 0);
   if (job->cube) {
      sgd_tex_cube(src0, on_face, &job->layer);
      job->s[0] = &on_face[0];
      job->s[1] = &on_face[1];
   } else {
      for (unsigned a = 0; a < job->dims; a++)
         job->s[a] = (const struct sgd_tex_float *)src0->c[a];
   }
   set_layer(job, src0);
   set_offsets(job, src1);
   set_reference(job, src0, src1);
   set_channels(job);
   job->reduction = job->compare ? SGPU_FILTER_REDUCTION_AVERAGE : job->sampler->reduction;
   job->aniso = job->sampler->max_anisotropy > 1 && job->dims == 2 && !job->cube &&
                job->op->op != SGPU_OP_TXL && job->op->op != SGPU_OP_TG4 && !job->unit->integer;
   job->plain = is_plain(job);
   job->may_border = uses_border(job->sampler);
   if (job->may_border)
      set_border(job);
}

/* Returns true if no active lane has a squared step above 1, i.e. if all levels of detail are <= 0
 * or NaN.
 */
static bool
all_short(const struct sgd_tex_job *job, const struct sgd_tex_float *square)
{
   int32_t more = 0;
   SGD_EACH(l) {
      const uint32_t longer = sgpu_fp_mask(square->v[l] > 1.0f);
      more |= (int32_t)(longer & sgd_lane_mask(job->active, l));
   }
   return !more;
}

/* Computes the level of detail, including bias and clamping. If all active lanes are magnified,
 * returns false instead. The result is then just the magnification filter on the base level.
 */
static bool
find_lod(struct sgd_tex_job *job, const struct sgd_source *src0, const struct sgd_source *src1)
{
   const struct SGPU_SAMPLER *s = job->sampler;
   const float min = s->min_lod, max = s->max_lod, bias = s->lod_bias;

   if (job->aniso) {
      if (!sgd_tex_aniso(job, src0, src1, sgd_tex_keeps_magnified(job->sampler, job->op)))
         return false;
   } else if (job->op->op == SGPU_OP_TXL) {
      memcpy(job->lod.v, src1->c[0], sizeof(job->lod.v));
   } else if (job->op->op == SGPU_OP_TXD) {
      sgd_tex_explicit_lod(job, src1, &job->lod);
   } else {
      struct sgd_tex_float square;
      sgd_tex_step_squares(job, src0, &square);
      if (sgd_tex_keeps_magnified(job->sampler, job->op) && all_short(job, &square))
         return false;
      sgd_tex_lod_of_squares(&square, &job->lod);
   }
   if (job->op->op == SGPU_OP_TXB) {
      const uint32_t *by = src1->c[0];
      SGD_EACH(l) {
         job->lod.v[l] = tadd(job->lod.v[l], sgpu_bits2f(by[l]));
      }
   }
   SGD_EACH(l) {
      job->lod.v[l] = tclamp(tadd(job->lod.v[l], bias), min, max);
   }
   return true;
}

/* Returns a key that identifies a lane's level, its filter, and whether it also reads the next
 * level.
 */
static inline int32_t
reading(int32_t level, bool linear, bool two)
{
   return level * 4 + (linear ? 2 : 0) + (two ? 1 : 0);
}

/* Computes the key of each lane (see reading()), and the weight of its second level. A level of
 * detail <= 0 always means magnification: OpenGL ES 3.0, section 3.8.11, allows this, whereas
 * OpenGL 2.1, section 3.8.9, sets the limit to 1/2 for some pairs of filters.
 */
static void
choose_levels(struct sgd_tex_job *job, struct sgd_tex_int *key, struct sgd_tex_float *weight)
{
   const struct SGPU_SAMPLER *s = job->sampler;
   const bool mag = s->mag_filter == SGPU_FILTER_LINEAR, min = s->min_filter == SGPU_FILTER_LINEAR;
   const float last = (float)(job->unit->num_levels - 1);
   const float *lod = job->lod.v;
   const int32_t mag_key = reading(0, mag, false);

   switch (s->mip_filter) {
   case SGPU_MIP_FILTER_NONE:
      SGD_EACH(l) {
         key->v[l] = lod[l] <= 0.0f ? mag_key : reading(0, min, false);
      }
      break;
   case SGPU_MIP_FILTER_NEAREST:
      SGD_EACH(l) {
         const int32_t level = tnearest_level(lod[l], last);
         key->v[l] = lod[l] <= 0.0f ? mag_key : reading(level, min, false);
      }
      break;
   case SGPU_MIP_FILTER_LINEAR:
      SGD_EACH(l) {
         const int32_t fixed = tfixed(tclamp(lod[l], 0.0f, last));
         weight->v[l] = tweight(fixed);
         key->v[l] = lod[l] <= 0.0f ? mag_key : reading(fixed >> 8, min, fixed & 255);
      }
      break;
   }
}

#ifdef __AVX2__
/* Returns true if sgd_tex_sample_two_levels() and sgd_tex_sample_probes() support the operation with
 * the levels and filter of the key.
 */
static bool
is_fused(const struct sgd_tex_job *job, int32_t key)
{
   /* The observer needs the samples of each level. */
   if (SGD_OBSERVED_LEVEL)
      return false;
   return job->plain && job->unit->bytes && job->unit->num_layers == 1 && key & 2;
}
#endif

static void
sample_levels(const struct sgd_tex_job *job, int32_t key, const struct sgd_tex_float *weight,
              struct sgd_tex_float out[4])
{
   const struct sgd_tex_level *level = &job->unit->level[key / 4];
   const enum sgpu_filter filter = key & 2 ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST;

#ifdef __AVX2__
   if (key & 1 && is_fused(job, key) && sgd_tex_sample_two_levels(job, level, weight, out))
      return;
#endif
   sgd_tex_filter(job, level, filter, out);
   if (!(key & 1) || job->unit->integer)
      return;
   struct sgd_tex_float next[4];
   sgd_tex_filter(job, level + 1, filter, next);
   for (unsigned c = 0; c < 4; c++) {
      if (!(job->channels & (1 << c)))
         continue;
      if (unlikely(job->reduction != SGPU_FILTER_REDUCTION_AVERAGE)) {
         sgd_tex_mix(job, weight, &out[c], &next[c], &out[c]);
         continue;
      }
      SGD_EACH(l) {
         out[c].v[l] = tlerp(out[c].v[l], next[c].v[l], weight->v[l]);
      }
   }
}

/* Separate function, since GCC doesn't vectorize the loop inside sample_probes(). */
static ATTRIBUTE_NOINLINE void
add_to(const struct sgd_tex_float *part, struct sgd_tex_float *sum)
{
   SGD_EACH(l) {
      sum->v[l] = tadd(sum->v[l], part->v[l]);
   }
}

/* Computes the mean, minimum or maximum of all probes of each lane. Probes beyond a lane's number
 * of probes are ignored.
 */
static void
sample_probes(struct sgd_tex_job *job, int32_t key, uint32_t lanes,
              const struct sgd_tex_float *weight, struct sgd_tex_float out[4])
{
   const struct sgd_tex_float *const s[2] = { job->s[0], job->s[1] };
   struct sgd_tex_float part[4], at[2];
   int32_t most = 1, least = INT32_MAX;
   SGD_EACH(l) {
      const uint32_t in = sgd_lane_mask(lanes, l);
      const int32_t count = (int32_t)sgpu_fp_pick(in, (uint32_t)job->probes.v[l], 1);
      const int32_t low = (int32_t)sgpu_fp_pick(in, (uint32_t)job->probes.v[l], INT32_MAX);
      most = count > most ? count : most;
      least = low < least ? low : least;
   }
   /* If every lane has a single probe, the probe is at the lane's coordinates, and no mean must be
    * computed.
    */
   if (most == 1) {
      if (SGD_OBSERVED_LEVEL)
         job->sampling = sgd_tex_observe_probes(job, 0, lanes);
      sample_levels(job, key, weight, out);
      return;
   }
#ifdef __AVX2__
   if (is_fused(job, key) &&
       sgd_tex_sample_probes(job, &job->unit->level[key / 4], key & 1 ? weight : NULL, most, out))
      return;
#endif
   for (int32_t n = 0; n < most; n++) {
      sgd_tex_probe(job, n, at);
      if (SGD_OBSERVED_LEVEL)
         job->sampling = sgd_tex_observe_probes(job, n, lanes);
      job->s[0] = &at[0];
      job->s[1] = &at[1];
      sample_levels(job, key, weight, n == 0 ? out : part);
      job->s[0] = s[0];
      job->s[1] = s[1];
      for (unsigned c = 0; n > 0 && c < 4; c++) {
         if (!(job->channels & (1 << c)))
            continue;
         if (n < least && job->reduction == SGPU_FILTER_REDUCTION_AVERAGE) {
            add_to(&part[c], &out[c]);
            continue;
         }
         SGD_EACH(l) {
            const float a = out[c].v[l], b = part[c].v[l];
            const float both = job->reduction == SGPU_FILTER_REDUCTION_MIN   ? sgpu_fmin(a, b)
                               : job->reduction == SGPU_FILTER_REDUCTION_MAX ? sgpu_fmax(a, b)
                                                                             : tadd(a, b);
            out[c].v[l] = tselect(n < job->probes.v[l], both, a);
         }
      }
   }
   for (unsigned c = 0; job->reduction == SGPU_FILTER_REDUCTION_AVERAGE && c < 4; c++) {
      if (!(job->channels & (1 << c)))
         continue;
      SGD_EACH(l) {
         out[c].v[l] = sgpu_fdiv(out[c].v[l], (float)job->probes.v[l]);
      }
   }
}

static void
sample_group(struct sgd_tex_job *job, int32_t key, uint32_t lanes,
             const struct sgd_tex_float *weight, struct sgd_tex_float out[4])
{
   if (job->aniso)
      sample_probes(job, key, lanes, weight, out);
   else
      sample_levels(job, key, weight, out);
}

static void
sample(struct sgd_tex_job *job, const struct sgd_source *src0, const struct sgd_source *src1,
       struct sgd_tex_float out[4])
{
   const struct SGPU_SAMPLER *s = job->sampler;
   const bool one_level = job->unit->num_levels == 1 || s->mip_filter == SGPU_MIP_FILTER_NONE;
   if (one_level && s->min_filter == s->mag_filter && !job->aniso) {
      sgd_tex_filter(job, &job->unit->level[0], s->min_filter, out);
      return;
   }

   struct sgd_tex_int key;
   struct sgd_tex_float weight, part[4];
   if (!find_lod(job, src0, src1)) {
      sgd_tex_filter(job, &job->unit->level[0], s->mag_filter, out);
      return;
   }
   choose_levels(job, &key, &weight);
   for (uint32_t left = job->active; left;) {
      const int32_t k = key.v[__builtin_ctz(left)];
      uint32_t same = 0;
      for (unsigned l = 0; l < SGD_WARP; l++)
         same |= key.v[l] == k ? 1u << l : 0;
      same &= left;
      if (SGD_OBSERVED_LEVEL)
         job->sampling = same;
      if (same == job->active) {
         sample_group(job, k, same, &weight, out);
         return;
      }
      left &= ~same;
      sample_group(job, k, same, &weight, part);
      for (unsigned c = 0; c < 4; c++) {
         if (!(job->channels & (1 << c)))
            continue;
         SGD_EACH(l) {
            out[c].v[l] = tselect(key.v[l] == k, part[c].v[l], out[c].v[l]);
         }
      }
   }
}

static void
finish(const struct sgd_tex_job *job, struct sgd_tex_float out[4], struct sgd_vec *dst)
{
   const struct sgd_tex_unit *u = job->unit;
   unsigned scaled = 0;
   for (unsigned c = 0; c < 4 && !u->integer; c++) {
      if (!(job->channels & (1 << c)))
         continue;
      if (!job->compare && u->channel[c].scale != 1.0f)
         scaled |= 1 << c;
      if (u->channel[c].kind == SGD_TEX_FLOAT || u->channel[c].kind == SGD_TEX_HALF) {
         SGD_EACH(l) {
            out[c].v[l] = sgpu_fp_canon(out[c].v[l]);
         }
      }
   }
   sgd_tex_store(u, job->compare ? u->compare_route : u->route, job->op->mask, scaled, job->active,
                 out, dst);
}

static void
gather4(struct sgd_tex_job *job, struct sgd_vec *dst)
{
   static const uint8_t straight[4] = { 0, 1, 2, 3 };
   const struct sgd_tex_unit *u = job->unit;
   const unsigned route = job->compare ? u->main_channel : u->route[job->op->gather_comp];
   struct sgd_tex_float out[4];

   if (route < 4) {
      job->channels = 1 << route;
      sgd_tex_gather4(job, route, out);
   } else {
      const float one = u->integer ? sgpu_bits2f(1) : 1.0f;
      for (unsigned c = 0; c < 4; c++) {
         SGD_EACH(l) {
            out[c].v[l] = route == SGD_TEX_ROUTE_1 ? one : 0.0f;
         }
      }
   }
   sgd_tex_store(u, straight, job->op->mask, 0, job->active, out, dst);
}

void
sgd_tex_any_op(struct sgd_worker *worker, const struct sgd_texture *texture,
               const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
               const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
               struct sgd_vec *dst)
{
   const struct sgd_tex_unit *u = texture ? texture->unit : NULL;

   if (u && !target_fits(op->target, u->type))
      u = NULL;

   if (op->op == SGPU_OP_TXQ || op->op == SGPU_OP_TXQS) {
      sgd_tex_size(u, op, src0, active, dst);
      return;
   }
   if (!u) {
      sgd_tex_store_zeros(op->mask, active, dst);
      return;
   }
   if (op->op == SGPU_OP_TXF) {
      if (SGD_OBSERVED_LEVEL)
         sgd_tex_observe_begin(worker, u, active);
#ifdef __AVX2__
      if (sgd_tex_fetch_words(u, op, src0, src1, active, dst))
         return;
#endif
      sgd_tex_fetch_texels(u, op, src0, src1, active, dst, worker);
      return;
   }
   struct sgd_tex_job job;
   struct sgd_tex_float out[4], on_face[2];
   job.unit = u;
   job.sampler = &sampler->desc;
   job.op = op;
   job.active = active;
   if (SGD_OBSERVED_LEVEL) {
      job.worker = worker;
      job.sampling = active;
   }
   set_job(&job, src0, src1, on_face);
   switch (op->op) {
   case SGPU_OP_LODQ:
      sgd_tex_query_lod(&job, src0, dst);
      break;
   case SGPU_OP_TG4:
      if (SGD_OBSERVED_LEVEL)
         sgd_tex_observe_begin(worker, u, active);
      gather4(&job, dst);
      break;
   default:
      if (SGD_OBSERVED_LEVEL)
         sgd_tex_observe_begin(worker, u, 0);
      sample(&job, src0, src1, out);
      finish(&job, out, dst);
      break;
   }
}
