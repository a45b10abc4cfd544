/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: filters, including comparison and border color. Each call reads a single level with
 * a single filter. Compiled once for each x86-64 level of the host CPU.
 */
#include "common/sgd_lanes.h"
#include "texture/unit/sgd_tex_exec.h"
#include "texture/unit/sgd_tex_observe.h"

#define MAX_TAPS 8

struct taps {
   unsigned count;
   struct sgd_tex_axis axis[3];
   struct sgd_vec words[MAX_TAPS];
   bool border;
   struct sgd_tex_int out[MAX_TAPS];
   /* For seamless cube maps: `edges` is set if any lane reads texels beyond the edges of its face.
    * For lanes at a corner of the cube, `corner` is 1 + the index of the tap that doesn't exist.
    */
   bool edges;
   struct sgd_tex_int corner;
};

static enum sgpu_wrap
wrap_of(const struct sgd_tex_job *job, unsigned axis)
{
   const struct SGPU_SAMPLER *s = job->sampler;
   if (job->cube && s->seamless)
      return SGPU_WRAP_CLAMP_TO_EDGE;
   return axis == 0 ? s->wrap_s : axis == 1 ? s->wrap_t : s->wrap_r;
}

static int32_t
size_of(const struct sgd_tex_level *level, unsigned axis)
{
   return axis == 0 ? level->width : axis == 1 ? level->height : level->depth;
}

static void
wrap_axes(const struct sgd_tex_job *job, const struct sgd_tex_level *level, bool linear,
          struct taps *t)
{
   for (unsigned a = 0; a < job->dims; a++) {
      const struct sgd_tex_int *offset = job->has_offset ? &job->offset[a] : NULL;
      (linear ? sgd_tex_wrap_linear : sgd_tex_wrap_nearest)(wrap_of(job, a), size_of(level, a),
                                                            !job->sampler->unnormalized, job->s[a],
                                                            offset, &t->axis[a]);
      t->border |= t->axis[a].border;
   }
}

static void
find_border(const struct sgd_tex_job *job, struct taps *t)
{
   for (unsigned n = 0; n < t->count; n++) {
      SGD_EACH(l) {
         t->out[n].v[l] = 0;
      }
      for (unsigned a = 0; a < job->dims; a++) {
         if (!t->axis[a].border)
            continue;
         const struct sgd_tex_int *out = &t->axis[a].out[(n >> a) & 1];
         SGD_EACH(l) {
            t->out[n].v[l] |= out->v[l];
         }
      }
   }
}

/* Returns true if no active lane's linear filter reads beyond an edge of its face. */
static bool
inside_face(const struct sgd_tex_job *job, const struct sgd_tex_level *level)
{
   const float n = (float)level->width;
   const int32_t first = 128, last = 256 * level->width - 128; /* centers of the outermost texels */
   /* Texel offsets make a difference at edges, so the result must not depend on the active lanes. */
   const uint32_t active = job->has_offset ? ~0u : job->active;
   int32_t out = 0;
   for (unsigned a = 0; a < 2; a++) {
      const float *s = job->s[a]->v;
      SGD_EACH(l) {
         const int32_t u = tfixed(tclamp(tmul(s[l], n), 0.0f, n));
         out |= ((u - first) | (last - 1 - u)) & (int32_t)sgd_lane_mask(active, l);
      }
   }
   return out >= 0;
}

/* Finds the indices and weights of all texels. If a filter crosses the edge of a cube map face,
 * fetch_taps() does this instead.
 */
static void
find_taps(const struct sgd_tex_job *job, const struct sgd_tex_level *level, bool linear,
          struct taps *t)
{
   t->count = linear ? 1u << job->dims : 1;
   t->border = false;
   t->edges = linear && job->cube && job->sampler->seamless && !inside_face(job, level);
   if (!t->edges)
      wrap_axes(job, level, linear, t);
}

/* Fetches the words of all texels. Tap n reads texel (n >> a) & 1 along axis a. */
static void
fetch_taps(const struct sgd_tex_job *job, const struct sgd_tex_level *level, struct taps *t)
{
   static const struct sgd_tex_int zero;
   const struct sgd_tex_unit *u = job->unit;
   const struct sgd_tex_int *layer = u->num_layers > 1 ? &job->layer : NULL;

   if (t->edges) {
      struct sgd_tex_int tx[4], ty[4], tz[4];
      struct sgd_tex_float f[2];
      sgd_tex_cube_edges(level->width, job->s, &job->layer, f, tx, ty, tz, &t->corner);
      t->axis[0].f = f[0];
      t->axis[1].f = f[1];
      if (SGD_OBSERVED_LEVEL)
         sgd_tex_observe_edges(job, level, tx, ty, tz, &t->corner);
      for (unsigned n = 0; n < 4; n++)
         sgd_tex_fetch(u, level, &tx[n], &ty[n], &tz[n], NULL, job->channels, &t->words[n]);
      return;
   }

   if (t->border)
      find_border(job, t);
   if (t->count == 4) {
      sgd_tex_fetch_taps(u, level, t->axis, layer, job->channels, t->words);
      return;
   }
   for (unsigned n = 0; n < t->count; n++) {
      const struct sgd_tex_int *x = &t->axis[0].i[n & 1];
      const struct sgd_tex_int *y = job->dims > 1 ? &t->axis[1].i[(n >> 1) & 1] : &zero;
      const struct sgd_tex_int *z = job->dims > 2 ? &t->axis[2].i[(n >> 2) & 1] : layer;
      sgd_tex_fetch(u, level, x, y, z, NULL, job->channels, &t->words[n]);
   }
}

#define COMPARE(op)                                 \
   SGD_EACH(l) {                                    \
      v->v[l] = ref->v[l] op v->v[l] ? 1.0f : 0.0f; \
   }                                                \
   break

static void
compare(enum sgpu_compare func, const struct sgd_tex_float *ref, struct sgd_tex_float *v)
{
   switch (func) {
   case SGPU_COMPARE_LESS:
      COMPARE(<);
   case SGPU_COMPARE_EQUAL:
      COMPARE(==);
   case SGPU_COMPARE_LEQUAL:
      COMPARE(<=);
   case SGPU_COMPARE_GREATER:
      COMPARE(>);
   case SGPU_COMPARE_NOTEQUAL:
      COMPARE(!=);
   case SGPU_COMPARE_GEQUAL:
      COMPARE(>=);
   case SGPU_COMPARE_ALWAYS:
   case SGPU_COMPARE_NEVER: {
      const float r = func == SGPU_COMPARE_ALWAYS ? 1.0f : 0.0f;
      SGD_EACH(l) {
         v->v[l] = r;
      }
      break;
   }
   }
}

/* Decodes channel c of tap n, and applies border color and comparison. */
static void
tap_value(const struct sgd_tex_job *job, const struct taps *t, unsigned n, unsigned c,
          struct sgd_tex_float *v)
{
   sgd_tex_decode(job->unit, c, &t->words[n], v);
   if (t->border) {
      const float border = job->border[c];
      SGD_EACH(l) {
         v->v[l] = tselect(t->out[n].v[l] != 0, border, v->v[l]);
      }
   }
   if (job->compare) {
      sgd_tex_scale(job->unit, c, v);
      compare(job->sampler->compare, &job->ref, v);
   }
}

static void
lerp(const struct sgd_tex_float *f, const struct sgd_tex_float *a, const struct sgd_tex_float *b,
     struct sgd_tex_float *out)
{
   SGD_EACH(l) {
      out->v[l] = tlerp(a->v[l], b->v[l], f->v[l]);
   }
}

/* Computes the minimum or maximum of two values, but ignores values with weight 0. */
static void
reduce(enum sgpu_filter_reduction mode, const struct sgd_tex_float *f,
       const struct sgd_tex_float *a, const struct sgd_tex_float *b, struct sgd_tex_float *out)
{
   const bool lower = mode == SGPU_FILTER_REDUCTION_MIN;
   SGD_EACH(l) {
      const float x = a->v[l], y = b->v[l];
      const float pick = lower ? sgpu_fmin(x, y) : sgpu_fmax(x, y);
      out->v[l] = tselect(f->v[l] == 0.0f, x, tselect(f->v[l] == 1.0f, y, pick));
   }
}

void
sgd_tex_mix(const struct sgd_tex_job *job, const struct sgd_tex_float *f,
            const struct sgd_tex_float *a, const struct sgd_tex_float *b, struct sgd_tex_float *out)
{
   if (job->reduction == SGPU_FILTER_REDUCTION_AVERAGE)
      lerp(f, a, b, out);
   else
      reduce(job->reduction, f, a, b, out);
}

/* Where three faces of a cube meet, the fourth texel doesn't exist. Use the mean of the other
 * three.
 */
static void
fill_corners(const struct taps *t, struct sgd_tex_float v[4])
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const int32_t missing = t->corner.v[l];
      if (!missing)
         continue;
      float sum = 0.0f;
      for (int32_t n = 0; n < 4; n++)
         sum = n == missing - 1 ? sum : tadd(sum, v[n].v[l]);
      v[missing - 1].v[l] = tmul(sum, 1.0f / 3.0f);
   }
}

/* Bilinear or trilinear filter of a `bytes` view on wrapped axes. */
static void
filter_bytes(const struct sgd_tex_job *job, const struct sgd_tex_level *level, const struct taps *t,
             struct sgd_tex_float out[4])
{
   const struct sgd_tex_unit *u = job->unit;
   if (job->dims == 2) {
      sgd_tex_filter_bytes(u, level, t->axis, u->num_layers > 1 ? &job->layer : NULL, job->channels,
                           out);
      return;
   }
   struct sgd_tex_float back[4];
   sgd_tex_filter_bytes(u, level, t->axis, &t->axis[2].i[0], job->channels, out);
   sgd_tex_filter_bytes(u, level, t->axis, &t->axis[2].i[1], job->channels, back);
   for (unsigned c = 0; c < 4; c++) {
      if (job->channels & (1 << c))
         lerp(&t->axis[2].f, &out[c], &back[c], &out[c]);
   }
}

/* Fast path for operations with job->plain. Returns false without doing anything if the fast path
 * doesn't support the view or the coordinates.
 */
static bool
filter_plain(const struct sgd_tex_job *job, const struct sgd_tex_level *level, bool linear,
             struct sgd_tex_float out[4])
{
   const struct sgd_tex_unit *u = job->unit;
   const struct sgd_tex_int *layer = u->num_layers > 1 ? &job->layer : NULL;
#ifdef __AVX2__
   const bool vectors = u->wide || u->word;
#else
   const bool vectors = false;
#endif

   if (!vectors && !(linear && u->bytes))
      return false;
   if ((vectors || job->may_border) &&
       !sgd_tex_fast_wraps(u, job->sampler, level, job->s[0]->v, job->s[1]->v))
      return false;
   if (SGD_OBSERVED_LEVEL) {
      struct taps t;
      t.border = false;
      wrap_axes(job, level, linear, &t);
      sgd_tex_observe_samples(job, linear);
      sgd_tex_observe_axes(job, level, t.axis, linear);
   }
#ifdef __AVX2__
   if (u->word) {
      sgd_tex_sample_word(job, u, job->sampler, level, linear, out);
      return true;
   }
   if (u->wide) {
      sgd_tex_sample_wide(u, job->sampler, level, job->s, linear, job->channels, job->active, out);
      return true;
   }
#endif
   sgd_tex_sample_bytes(u, job->sampler, level, job->s, layer, job->channels, out);
   return true;
}

#ifdef __AVX2__
/* Filters one layer or face of a view as a 2D texture, if all active lanes read it. Returns false
 * without doing anything if they don't, or if a filter reads the border or another face.
 */
static ATTRIBUTE_NOINLINE bool
filter_slice(const struct sgd_tex_job *job, const struct sgd_tex_level *level, bool linear,
             struct sgd_tex_float out[4])
{
   const struct sgd_tex_unit *slice = job->unit->slice;
   const int32_t layer = job->layer.v[__builtin_ctz(job->active | 1u << 31)];
   const uint32_t active = job->active;
   struct SGPU_SAMPLER sampler = *job->sampler;
   struct sgd_tex_level one = *level;
   int32_t others = 0;

   SGD_EACH(l) {
      others |= (job->layer.v[l] ^ layer) & (int32_t)sgd_lane_mask(active, l);
   }
   if (others)
      return false;
   if (job->cube && sampler.seamless) {
      if (linear && !inside_face(job, level))
         return false;
      sampler.wrap_s = sampler.wrap_t = SGPU_WRAP_CLAMP_TO_EDGE;
   } else if (!sgd_tex_fast_wraps(slice, &sampler, level, job->s[0]->v, job->s[1]->v)) {
      return false;
   }
   one.base += (uint32_t)layer * one.layer_stride;
   if (slice->word)
      sgd_tex_sample_word(job, slice, &sampler, &one, linear, out);
   else
      sgd_tex_sample_wide(slice, &sampler, &one, job->s, linear, job->channels, active, out);
   return true;
}

/* Returns true if filter_slice() supports the operation. */
static inline bool
has_slices(const struct sgd_tex_job *job)
{
   const struct sgd_tex_unit *slice = job->unit->slice;
   return slice && job->dims == 2 && !job->has_offset &&
          job->reduction == SGPU_FILTER_REDUCTION_AVERAGE &&
          (slice->word || (slice->wide && !job->compare));
}
#endif

void
sgd_tex_filter(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
               enum sgpu_filter filter, struct sgd_tex_float out[4])
{
   const bool linear = filter == SGPU_FILTER_LINEAR && !job->unit->integer;
   struct taps t;
   struct sgd_tex_float v[MAX_TAPS];

   if (job->plain && filter_plain(job, level, linear, out))
      return;
#ifdef __AVX2__
   if (has_slices(job) && filter_slice(job, level, linear, out))
      return;
   if (job->unit->volume && job->dims == 3 && !job->compare && !job->has_offset &&
       job->reduction == SGPU_FILTER_REDUCTION_AVERAGE &&
       sgd_tex_sample_volume(job, level, linear, out))
      return;
#endif
   find_taps(job, level, linear, &t);
   if (SGD_OBSERVED_LEVEL) {
      sgd_tex_observe_samples(job, linear);
      if (!t.edges)
         sgd_tex_observe_axes(job, level, t.axis, linear);
   }
   if (linear && job->unit->bytes && job->dims > 1 && !job->compare && !t.border && !t.edges &&
       job->reduction == SGPU_FILTER_REDUCTION_AVERAGE) {
      filter_bytes(job, level, &t, out);
      return;
   }
   fetch_taps(job, level, &t);
   for (unsigned c = 0; c < 4; c++) {
      if (!(job->channels & (1 << c)))
         continue;
      if (!linear) {
         tap_value(job, &t, 0, c, &out[c]);
         continue;
      }
      for (unsigned n = 0; n < t.count; n++)
         tap_value(job, &t, n, c, &v[n]);
      if (t.edges)
         fill_corners(&t, v);
      for (unsigned a = 0; a + 1 < job->dims; a++) {
         for (unsigned n = 0; n < t.count >> (a + 1); n++)
            sgd_tex_mix(job, &t.axis[a].f, &v[2 * n], &v[2 * n + 1], &v[n]);
      }
      sgd_tex_mix(job, &t.axis[job->dims - 1].f, &v[0], &v[1], &out[c]);
   }
}

void
sgd_tex_gather4(const struct sgd_tex_job *job, unsigned c, struct sgd_tex_float out[4])
{
   /* Taps in the order of TG4; (x, y) is (0, 1), (1, 1), (1, 0), (0, 0). */
   static const uint8_t order[4] = { 2, 3, 1, 0 };
   struct taps t;
   struct sgd_tex_float v[4];

   find_taps(job, &job->unit->level[0], true, &t);
   if (SGD_OBSERVED_LEVEL && !t.edges)
      sgd_tex_observe_axes(job, &job->unit->level[0], t.axis, true);
   fetch_taps(job, &job->unit->level[0], &t);
   for (unsigned n = 0; n < 4; n++)
      tap_value(job, &t, n, c, &v[n]);
   if (t.edges && !job->unit->integer)
      fill_corners(&t, v);
   for (unsigned n = 0; n < 4; n++) {
      out[n] = v[order[n]];
      if (!job->compare)
         sgd_tex_scale(job->unit, c, &out[n]);
   }
}
