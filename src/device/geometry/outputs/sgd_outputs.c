/* SPDX-License-Identifier: MIT */
/*
 * Stores the outputs of a stage's program, either as vertices for the clipper, with outcodes and
 * window coordinates, or as records for the next stage.
 */
#include "geometry/outputs/sgd_outputs.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "common/sgd_shader.h"
#include "common/sgd_transpose.h"
#include "common/sgd_varyings.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"
#include "util/macros.h"

void
sgd_outputs_begin(struct sgd_front *f)
{
   f->num_attrs = f->varyings->num_planes + f->varyings->num_flat;
   f->first_xfb = f->num_attrs + (f->mode->clip_planes ? 8 : 0);
   f->first_position = f->first_xfb + f->state->xfb.num_words;
   f->multi_viewport = f->state->plan.viewports;
   const unsigned words = f->first_position + (sgd_front_keeps_positions(f) ? 4 : 0);
   f->stride = ALIGN_POT(sizeof(struct sgd_vertex) + words * sizeof(float), 16);
}

/* Returns the outcode bit for a signed distance. NaN counts as outside. */
static inline uint32_t
outside(float d, unsigned bit)
{
   return sgpu_fp_in(d) >= 0.0f ? 0 : 1u << bit;
}

/* These functions may return any NaN. */
static inline float
mul(float a, float b)
{
   return sgpu_fp_raw_mul(a, b);
}

static inline float
add(float a, float b)
{
   return sgpu_fp_raw_add(a, b);
}

static inline float
sub(float a, float b)
{
   return sgpu_fp_raw_add(a, sgpu_fneg(b));
}

static inline float
mad(float a, float b, float c)
{
   return add(mul(a, b), c);
}

/* Transforms the position of a vertex. sgd_outputs_place() and place_warp() share this code. NaNs
 * are only visible in z and rw. All other values are only used in comparisons, which fail for NaN.
 */
static inline __attribute__((always_inline)) void
place(const struct SGPU_VIEWPORT *vp, bool halfz, int32_t center, float px, float py, float pz,
      float pw, int32_t *x, int32_t *y, float *z, float *rw, uint32_t *clip)
{
   const float r = sgpu_frcp(pw);
   *rw = r;
   *z = sgpu_fp_canon(mad(mul(pz, r), vp->scale_z, vp->translate_z));
   const float wx = mad(mul(px, r), vp->scale_x, vp->translate_x);
   const float wy = mad(mul(py, r), vp->scale_y, vp->translate_y);

   /* Round to the nearest multiple of 1/256 pixel, with ties to even. A vertex that is out of range
    * or NaN is outside a guard plane, so its coordinates are never used.
    */
   const float limit = SGD_GUARD * SGD_SUBPIXEL;
   float sx = __builtin_rintf(mul(wx, SGD_SUBPIXEL));
   float sy = __builtin_rintf(mul(wy, SGD_SUBPIXEL));
   sx = sx > -limit ? sx : -limit;
   sx = sx < limit ? sx : limit;
   sy = sy > -limit ? sy : -limit;
   sy = sy < limit ? sy : limit;
   *x = (int32_t)sx + center;
   *y = (int32_t)sy + center;

   const float gw = mul(pw, SGD_GUARD);
   const float gx = mad(px, vp->scale_x, mul(pw, vp->translate_x));
   const float gy = mad(py, vp->scale_y, mul(pw, vp->translate_y));
   *clip = (sgpu_fp_in(pw) > 0.0f ? 0 : 1u << SGD_CLIP_W) |
           outside(halfz ? pz : add(pw, pz), SGD_CLIP_NEAR) | outside(sub(pw, pz), SGD_CLIP_FAR) |
           outside(add(gw, gx), SGD_CLIP_GUARD) | outside(sub(gw, gx), SGD_CLIP_GUARD + 1) |
           outside(add(gw, gy), SGD_CLIP_GUARD + 2) | outside(sub(gw, gy), SGD_CLIP_GUARD + 3) |
           outside(add(pw, px), SGD_CLIP_VIEW) | outside(sub(pw, px), SGD_CLIP_VIEW + 1) |
           outside(add(pw, py), SGD_CLIP_VIEW + 2) | outside(sub(pw, py), SGD_CLIP_VIEW + 3);
}

void
sgd_outputs_place(const struct sgd_front *f, struct sgd_vertex *v)
{
   uint32_t clip;

   place(&f->state->viewport[sgd_vertex_viewport(v)], f->state->rast.clip_halfz,
         f->mode->pixel_center, v->pos[0], v->pos[1], v->pos[2], v->pos[3], &v->x, &v->y, &v->z,
         &v->rw, &clip);
   v->clip = (v->clip & (SGD_CLIP_USER_BITS | SGD_CLIP_CULL_BITS | SGD_VERTEX_INNER)) | clip;
}

void
sgd_outputs_swizzle(const struct sgd_front *f, struct sgd_vertex *v, const float position[4])
{
   const struct SGPU_VIEWPORT *vp = &f->state->viewport[sgd_vertex_viewport(v)];
   const enum sgpu_viewport_axis axis[4] = { vp->swizzle_x, vp->swizzle_y, vp->swizzle_z,
                                             vp->swizzle_w };

   for (unsigned c = 0; c < 4; c++) {
      const float p = position[vp->swizzle ? axis[c] / 2 : c];
      v->pos[c] = vp->swizzle && axis[c] % 2 ? sgpu_fneg(p) : p;
   }
   sgd_outputs_place(f, v);
}

struct placed {
   int32_t x[SGD_WARP], y[SGD_WARP];
   float z[SGD_WARP], rw[SGD_WARP];
   uint32_t clip[SGD_WARP];
};

static void
place_warp(const struct sgd_front *f, const struct sgd_vec *hpos, struct placed *out)
{
   const struct SGPU_VIEWPORT vp = f->state->viewport[0];
   const int32_t center = f->mode->pixel_center;
   float p[4][SGD_WARP];

   memcpy(p, hpos->c, sizeof(p));
   if (f->state->rast.clip_halfz) {
      for (unsigned i = 0; i < SGD_WARP; i++)
         place(&vp, true, center, p[0][i], p[1][i], p[2][i], p[3][i], &out->x[i], &out->y[i],
               &out->z[i], &out->rw[i], &out->clip[i]);
   } else {
      for (unsigned i = 0; i < SGD_WARP; i++)
         place(&vp, false, center, p[0][i], p[1][i], p[2][i], p[3][i], &out->x[i], &out->y[i],
               &out->z[i], &out->rw[i], &out->clip[i]);
   }
}

/* Computes the distances of a warp's vertices to plane n. If the program writes clip distances,
 * uses these; a plane whose distance it does not write clips nothing. Otherwise, computes the
 * distances from the plane equation in the state.
 */
static void
clip_distances(const struct sgd_front *f, uint64_t written, const struct sgd_vec *out, unsigned n,
               float d[SGD_WARP])
{
   const uint64_t distances = UINT64_C(3) << SGPU_VO_CLIP0;
   const unsigned reg = SGPU_VO_CLIP0 + n / 4;

   memset(d, 0, SGD_WARP * sizeof(*d));
   if (!(f->mode->clip_planes >> n & 1))
      return;
   if (written >> reg & 1) {
      memcpy(d, out[reg].c[n % 4], SGD_WARP * sizeof(*d));
   } else if (!(written & distances)) {
      const float *plane = f->state->clip_plane[n];
      const uint32_t(
         *v)[SGD_WARP] = out[written >> SGPU_VO_CLIPV & 1 ? SGPU_VO_CLIPV : SGPU_VO_HPOS].c;
      for (unsigned i = 0; i < SGD_WARP; i++)
         d[i] = sgpu_fdp4z(plane[0], plane[1], plane[2], plane[3], sgpu_bits2f(v[0][i]),
                           sgpu_bits2f(v[1][i]), sgpu_bits2f(v[2][i]), sgpu_bits2f(v[3][i]));
   }
}

/* -- rows of four words ------------------------------------------------------------ */

/* Transposes `count` words from each of four arrays: stores word i of all arrays as row i. */
static inline __attribute__((always_inline)) void
transpose(uint8_t *to, size_t stride, const void *c0, const void *c1, const void *c2,
          const void *c3, unsigned count)
{
   const void *const column[4] = { c0, c1, c2, c3 };

   for (unsigned i = 0; i < count; i += 4, to += 4 * stride) {
      sgd_row c[4], out[4];
      for (unsigned k = 0; k < 4; k++)
         memcpy(&c[k], (const uint32_t *)column[k] + i, sizeof(sgd_row));
      sgd_transpose4(out, c);
      if (likely(i + 4 <= count)) {
         for (unsigned k = 0; k < 4; k++)
            memcpy(to + k * stride, &out[k], sizeof(sgd_row));
      } else {
         for (unsigned k = 0; i + k < count; k++)
            memcpy(to + k * stride, &out[k], sizeof(sgd_row));
      }
   }
}

/* Stores the head and the attributes of `count` vertices, starting at lane 0. The last row of
 * attributes may overwrite words of the vertex that are stored later. It can't exceed the vertex,
 * since the vertex size is a multiple of the row size (see sgd_outputs_begin()).
 */
static inline __attribute__((always_inline)) void
store_rows(const struct sgd_front *f, const struct sgd_vec *out, const struct sgd_vec *hpos,
           const struct placed *placed, uint8_t *base, unsigned count)
{
   static_assert(offsetof(struct sgd_vertex, x) == 16 && offsetof(struct sgd_vertex, rw) == 28 &&
                    offsetof(struct sgd_vertex, clip) == 32 &&
                    offsetof(struct sgd_vertex, point_size) == 36 &&
                    offsetof(struct sgd_vertex, layer) == 40 &&
                    offsetof(struct sgd_vertex, attr) == 48,
                 "a vertex is rows of four words");
   const struct sgd_varying_ref *ref = f->varyings->ref;
   const size_t stride = f->stride;

   transpose(base, stride, hpos->c[0], hpos->c[1], hpos->c[2], hpos->c[3], count);
   transpose(base + 16, stride, placed->x, placed->y, placed->z, placed->rw, count);
   for (unsigned i = 0; i < count; i++) {
      /* Layer and viewport stay 0. */
      const sgd_row head = { placed->clip[i], sgpu_f2bits(f->state->rast.point_size) };
      memcpy(base + offsetof(struct sgd_vertex, clip) + i * stride, &head, sizeof(head));
   }
   for (unsigned k = 0; k < f->num_attrs; k += 4) {
      uint32_t constant[4][SGD_WARP];
      const uint32_t *column[4];
      for (unsigned c = 0; c < 4; c++) {
         const struct sgd_varying_ref *r = &ref[MIN2(k + c, f->num_attrs - 1)];
         column[c] = r->constant ? constant[c] : out[r->output].c[r->out_comp];
         for (unsigned i = 0; r->constant && i < SGD_WARP; i++)
            constant[c][i] = r->value;
      }
      transpose(base + offsetof(struct sgd_vertex, attr) + 4 * k, stride, column[0], column[1],
                column[2], column[3], count);
   }
}

/* Stores the outputs of lane[i] in vertex[i], for `count` vertices. If `lane` and `vertex` are
 * NULL, stores the outputs of lane i in the vertex at base + i * stride.
 */
static inline __attribute__((always_inline)) void
store(const struct sgd_front *f, const struct sgd_shader *program, uint8_t *base,
      struct sgd_vertex *const *vertex, const uint8_t *lane, unsigned count)
{
   const struct sgd_vec *out = f->worker->core->warp.out;
   const struct sgd_varyings *varyings = f->varyings;
   const struct SGPU_RASTERIZER *rast = &f->state->rast;
   const uint64_t written = program->outputs_written;
   const size_t stride = f->stride;
   /* Position for programs that don't write one. It is outside the view volume, since w is 0. */
   static const struct sgd_vec nowhere;
   const struct sgd_vec *hpos = written >> SGPU_VO_HPOS & 1 ? &out[SGPU_VO_HPOS] : &nowhere;
   struct placed placed;

#define VERTEX(i) (vertex ? vertex[i] : (struct sgd_vertex *)(base + (i)*stride))
#define LANE(i) (lane ? lane[i] : (i))
   place_warp(f, hpos, &placed);
   if (!lane) {
      store_rows(f, out, hpos, &placed, base, count);
   } else {
      for (unsigned i = 0; i < count; i++) {
         struct sgd_vertex *v = vertex[i];
         for (unsigned c = 0; c < 4; c++)
            memcpy(&v->pos[c], &hpos->c[c][lane[i]], sizeof(float));
         v->x = placed.x[lane[i]];
         v->y = placed.y[lane[i]];
         v->z = placed.z[lane[i]];
         v->rw = placed.rw[lane[i]];
         v->clip = placed.clip[lane[i]];
         v->point_size = rast->point_size;
         v->layer = 0;
         v->viewport = 0;
      }
      for (unsigned k = 0; k < f->num_attrs; k++) {
         const struct sgd_varying_ref *ref = &varyings->ref[k];
         const uint32_t *src = ref->constant ? NULL : out[ref->output].c[ref->out_comp];
         for (unsigned i = 0; i < count; i++)
            memcpy(&vertex[i]->attr[k], src ? (const void *)&src[lane[i]] : &ref->value,
                   sizeof(float));
      }
   }

   if (rast->point_size_per_vertex && (written >> SGPU_VO_PSIZ & 1)) {
      for (unsigned i = 0; i < count; i++)
         memcpy(&VERTEX(i)->point_size, &out[SGPU_VO_PSIZ].c[0][LANE(i)], sizeof(float));
   }
   if (f->edge_flags && (written >> SGPU_VO_EDGE & 1)) {
      for (unsigned i = 0; i < count; i++) {
         if (!sgpu_fne(sgpu_bits2f(out[SGPU_VO_EDGE].c[0][LANE(i)]), 0.0f))
            VERTEX(i)->clip |= SGD_VERTEX_INNER;
      }
   }
   if (f->mode->clip_planes) {
      for (unsigned n = 0; n < 8; n++) {
         float d[SGD_WARP];
         clip_distances(f, written, out, n, d);
         for (unsigned i = 0; i < count; i++) {
            struct sgd_vertex *v = VERTEX(i);
            v->attr[f->num_attrs + n] = d[LANE(i)];
            v->clip |= outside(d[LANE(i)], SGD_CLIP_USER + n);
         }
      }
   }
   for (uint32_t left = f->mode->cull_distances; left;) {
      const unsigned n = u_bit_scan(&left), reg = SGPU_VO_CLIP0 + n / 4;
      if (!(written >> reg & 1))
         continue;
      for (unsigned i = 0; i < count; i++) {
         const float d = sgpu_fp_in(sgpu_bits2f(out[reg].c[n % 4][LANE(i)]));
         VERTEX(i)->clip |= d < 0.0f ? 1u << (SGD_CLIP_CULL + n) : 0;
      }
   }
   /* Words for transform feedback. Outputs that the program doesn't write are (0, 0, 0, 1). */
   for (unsigned k = 0; k < f->state->xfb.num_words; k++) {
      const unsigned output = f->state->xfb.word[k].output;
      const unsigned comp = f->state->xfb.word[k].comp;
      const uint32_t value = comp == 3 ? sgpu_f2bits(1.0f) : 0;
      const bool is_written = written >> output & 1;
      for (unsigned i = 0; i < count; i++)
         memcpy(&VERTEX(i)->attr[f->first_xfb + k],
                is_written ? &out[output].c[comp][LANE(i)] : &value, sizeof(value));
   }
   if (f->multi_viewport) {
      for (unsigned i = 0; i < count; i++) {
         struct sgd_vertex *v = VERTEX(i);
         v->layer = out[SGPU_VO_LAYER].c[0][LANE(i)];
         v->viewport = f->mode->viewport_mask
                          ? out[SGPU_VO_LAYER].c[2][LANE(i)] << SGD_VIEWPORT_MASK_SHIFT
                          : out[SGPU_VO_LAYER].c[1][LANE(i)];
         if (sgd_vertex_viewport(v))
            sgd_outputs_place(f, v);
      }
   }
   if (unlikely(f->mode->swizzles)) {
      for (unsigned i = 0; i < count; i++) {
         float position[4];
         memcpy(position, VERTEX(i)->pos, sizeof(position));
         if (f->multi_viewport)
            memcpy(&VERTEX(i)->attr[f->first_position], position, sizeof(position));
         sgd_outputs_swizzle(f, VERTEX(i), position);
      }
   }
#undef VERTEX
#undef LANE
}

void
sgd_outputs_store(const struct sgd_front *f, const struct sgd_shader *program, uint8_t *vertices,
                  unsigned count)
{
   store(f, program, vertices, NULL, NULL, count);
}

void
sgd_outputs_store_lanes(const struct sgd_front *f, const struct sgd_shader *program,
                        struct sgd_vertex *const *v, const uint8_t *lane, unsigned count)
{
   store(f, program, NULL, v, lane, count);
}

void
sgd_outputs_record(const struct sgd_front *f, const struct sgd_front_stage *s, unsigned first,
                   unsigned count)
{
   const struct sgd_front_stage *reader = s->next;
   const struct sgd_vec *out = f->worker->core->warp.out;

   for (unsigned n = 0; n < reader->num_inputs; n++) {
      const struct SGPU_STAGE_INPUT *input = &reader->input[n];
      const bool written = input->valid && (s->program->outputs_written >> input->output & 1);
      uint8_t *to = s->out.data + (size_t)first * s->out.stride + 16 * n;

      for (unsigned i = 0; i < count; i++, to += s->out.stride) {
         uint32_t value[4] = { 0, 0, 0, 0 };
         for (unsigned c = 0; c < 4 && written; c++)
            value[c] = out[input->output].c[c][i];
         memcpy(to, value, sizeof(value));
      }
   }
}
