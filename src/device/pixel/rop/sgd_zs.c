/* SPDX-License-Identifier: MIT */
/*
 * ROP: depth and stencil tests of pixel warps.
 *
 * Depth tests without stencil in the common formats run as a single loop from memory to memory, and
 * with AVX2 so do tests of stencil with 24 bits of depth. All other tests go through arrays of
 * depths and stencil values.
 */
#include "pixel/rop/sgd_rop_warp.h"

#include <string.h>

#include "pixel/rop/sgd_depth_format.h"
#include "pixel/rop/sgd_quad_memory.h"
#include "pixel/rop/sgd_stencil.h"
#include "common/sgd_lanes.h"
#include "common/sgd_rop_state.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* Evaluates "a func b" as a mask of all ones or all zeros. `func` is a compile-time constant
 * wherever this macro is used.
 */
#define COMPARE(a, b)                                          \
   (func == SGPU_COMPARE_LESS       ? sgpu_fp_mask((a) < (b))  \
    : func == SGPU_COMPARE_EQUAL    ? sgpu_fp_mask((a) == (b)) \
    : func == SGPU_COMPARE_LEQUAL   ? sgpu_fp_mask((a) <= (b)) \
    : func == SGPU_COMPARE_GREATER  ? sgpu_fp_mask((a) > (b))  \
    : func == SGPU_COMPARE_NOTEQUAL ? sgpu_fp_mask((a) != (b)) \
    : func == SGPU_COMPARE_GEQUAL   ? sgpu_fp_mask((a) >= (b)) \
    : func == SGPU_COMPARE_ALWAYS   ? ~0u                      \
                                    : 0)

/* -- depth without stencil ------------------------------------------------------ */

#if defined(__AVX2__)
#include "pixel/rop/sgd_depth_avx2.h"
#else

/* Depth elements of the 32 lanes before the test (old) and after it (now), and the mask of the
 * passing lanes.
 */
struct z_lanes {
   _Alignas(64) uint32_t old[SGD_WARP];
   _Alignas(64) uint32_t now[SGD_WARP];
   _Alignas(64) uint32_t pass[SGD_WARP];
};

static ALWAYS_INLINE void
z24_lanes(const uint32_t *restrict old, uint32_t *restrict now, uint32_t *restrict pass,
          const float *restrict z, uint32_t lanes, enum sgpu_compare func)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const int32_t a = sgd_depth_unorm_float(z[l], 24), b = old[l] & 0xffffff;
      const uint32_t m = COMPARE(a, b) & sgd_lane_mask(lanes, l);
      pass[l] = m;
      now[l] = old[l] ^ (((uint32_t)a ^ (uint32_t)b) & m);
   }
}

static ALWAYS_INLINE void
z16_lanes(const uint16_t *restrict old, uint16_t *restrict now, uint32_t *restrict pass,
          const float *restrict z, uint32_t lanes, enum sgpu_compare func)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const int32_t a = sgd_depth_unorm_float(z[l], 16), b = old[l];
      const uint32_t m = COMPARE(a, b) & sgd_lane_mask(lanes, l);
      pass[l] = m;
      now[l] = b ^ ((a ^ b) & m);
   }
}

/* 32-bit depths are unsigned, but COMPARE works on signed integers here, so the highest bit of both
 * operands is inverted.
 */
static ALWAYS_INLINE void
z32_lanes(const uint32_t *restrict old, uint32_t *restrict now, uint32_t *restrict pass,
          const float *restrict z, uint32_t lanes, enum sgpu_compare func)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t stored = sgd_depth_unorm_float(z[l], 32);
      const int32_t a = stored ^ 1u << 31, b = old[l] ^ 1u << 31;
      const uint32_t m = COMPARE(a, b) & sgd_lane_mask(lanes, l);
      pass[l] = m;
      now[l] = old[l] ^ ((stored ^ old[l]) & m);
   }
}

static ALWAYS_INLINE void
z32f_lanes(const uint32_t *restrict old, uint32_t *restrict now, uint32_t *restrict pass,
           const float *restrict z, uint32_t lanes, enum sgpu_compare func)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const float a = sgd_depth_float(z[l]), b = sgpu_fp_in(sgpu_bits2f(old[l]));
      const uint32_t m = COMPARE(a, b) & sgd_lane_mask(lanes, l);
      pass[l] = m;
      now[l] = sgpu_fp_pick(m, sgpu_f2bits(a), old[l]);
   }
}

static ALWAYS_INLINE uint32_t
depth_func(struct z_lanes *v, const void *old, enum sgd_zs_path path, const float *z,
           uint32_t lanes, enum sgpu_compare func)
{
   switch (path) {
   case SGD_ZS_Z24:
      z24_lanes(old, v->now, v->pass, z, lanes, func);
      break;
   case SGD_ZS_Z16:
      z16_lanes(old, (uint16_t *)v->now, v->pass, z, lanes, func);
      break;
   case SGD_ZS_Z32:
      z32_lanes(old, v->now, v->pass, z, lanes, func);
      break;
   default:
      z32f_lanes(old, v->now, v->pass, z, lanes, func);
      break;
   }
   return sgd_mask_gather(v->pass);
}

static ALWAYS_INLINE uint32_t
sgd_depth_group(const struct sgd_state *st, const struct sgd_quads *quads, enum sgd_zs_path path,
                const float *z, uint32_t lanes)
{
   const struct sgd_zs_plan *p = &st->plan.rop.zs;
   const unsigned bytes = path == SGD_ZS_Z16 ? 2 : 4;
   struct sgd_quad_memory m;
   struct z_lanes v;
   const void *old = v.old;
   uint32_t passed = 0;

   sgd_place_quads(&m, &st->zs, quads, lanes, bytes);
   if (quads->block)
      old = m.quad[0];
   else
      sgd_load_quads(v.old, &m, bytes);

   switch ((enum sgpu_compare)p->func) {
   case SGPU_COMPARE_NEVER:
      return 0;
   case SGPU_COMPARE_LESS:
      passed = depth_func(&v, old, path, z, lanes, SGPU_COMPARE_LESS);
      break;
   case SGPU_COMPARE_EQUAL:
      passed = depth_func(&v, old, path, z, lanes, SGPU_COMPARE_EQUAL);
      break;
   case SGPU_COMPARE_LEQUAL:
      passed = depth_func(&v, old, path, z, lanes, SGPU_COMPARE_LEQUAL);
      break;
   case SGPU_COMPARE_GREATER:
      passed = depth_func(&v, old, path, z, lanes, SGPU_COMPARE_GREATER);
      break;
   case SGPU_COMPARE_NOTEQUAL:
      passed = depth_func(&v, old, path, z, lanes, SGPU_COMPARE_NOTEQUAL);
      break;
   case SGPU_COMPARE_GEQUAL:
      passed = depth_func(&v, old, path, z, lanes, SGPU_COMPARE_GEQUAL);
      break;
   case SGPU_COMPARE_ALWAYS:
      passed = depth_func(&v, old, path, z, lanes, SGPU_COMPARE_ALWAYS);
      break;
   }
   if (p->write && passed) {
      if (quads->block)
         memcpy(m.quad[0], v.now, SGD_WARP * bytes);
      else
         sgd_store_quads(v.now, &m, bytes);
   }
   return passed;
}

#endif

#define DEPTH_PATH(name, path)                                                                   \
   static __attribute__((noinline)) uint32_t name(const struct sgd_state *st,                    \
                                                  const struct sgd_quads *quads, const float *z, \
                                                  uint32_t lanes)                                \
   {                                                                                             \
      return sgd_depth_group(st, quads, path, z, lanes);                                         \
   }
DEPTH_PATH(z24_group, SGD_ZS_Z24)
DEPTH_PATH(z16_group, SGD_ZS_Z16)
DEPTH_PATH(z32_group, SGD_ZS_Z32)
DEPTH_PATH(z32f_group, SGD_ZS_Z32F)

/* -- stencil tests and uncommon formats ----------------------------------------- */

struct zs_lanes {
   _Alignas(64) uint32_t lo[SGD_WARP], hi[SGD_WARP]; /* low and high words of each element */
   _Alignas(64) uint32_t depth[SGD_WARP];            /* depth bits as stored in memory */
   _Alignas(64) uint32_t stencil[SGD_WARP];
};

static void
load(struct zs_lanes *v, const struct sgd_zs_format *f, const struct sgd_quad_memory *m)
{
   _Alignas(64) uint32_t element[SGD_WARP * 2];

   for (unsigned l = 0; l < SGD_WARP; l++)
      v->hi[l] = 0;
   switch (f->bytes) {
   case 1:
      sgd_load_quads(element, m, 1);
      for (unsigned l = 0; l < SGD_WARP; l++)
         v->lo[l] = ((const uint8_t *)element)[l];
      break;
   case 2:
      sgd_load_quads(element, m, 2);
      for (unsigned l = 0; l < SGD_WARP; l++)
         v->lo[l] = ((const uint16_t *)element)[l];
      break;
   case 4:
      sgd_load_quads(v->lo, m, 4);
      break;
   default:
      sgd_load_quads(element, m, 8);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         v->lo[l] = element[l * 2];
         v->hi[l] = element[l * 2 + 1];
      }
      break;
   }

   const uint32_t dmask = f->has_depth ? sgd_depth_max(f) : 0;
   const uint32_t *restrict word = f->stencil_shift >= 32 ? v->hi : v->lo;
   const unsigned dshift = f->depth_shift, sshift = f->stencil_shift & 31;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      v->depth[l] = (v->lo[l] >> dshift) & dmask;
      v->stencil[l] = (word[l] >> sshift) & 0xff;
   }
}

static void
store(struct zs_lanes *v, const struct sgd_zs_format *f, const struct sgd_quad_memory *m)
{
   const uint32_t dmask = f->has_depth ? sgd_depth_max(f) : 0;
   const uint32_t smask = f->has_stencil ? 0xff : 0;
   uint32_t *restrict word = f->stencil_shift >= 32 ? v->hi : v->lo;
   const unsigned dshift = f->depth_shift, sshift = f->stencil_shift & 31;
   _Alignas(64) uint32_t element[SGD_WARP * 2];

   for (unsigned l = 0; l < SGD_WARP; l++)
      v->lo[l] = (v->lo[l] & ~(dmask << dshift)) | v->depth[l] << dshift;
   for (unsigned l = 0; l < SGD_WARP; l++)
      word[l] = (word[l] & ~(smask << sshift)) | (v->stencil[l] & smask) << sshift;

   switch (f->bytes) {
   case 1:
      for (unsigned l = 0; l < SGD_WARP; l++)
         ((uint8_t *)element)[l] = v->lo[l];
      sgd_store_quads(element, m, 1);
      break;
   case 2:
      for (unsigned l = 0; l < SGD_WARP; l++)
         ((uint16_t *)element)[l] = v->lo[l];
      sgd_store_quads(element, m, 2);
      break;
   case 4:
      sgd_store_quads(v->lo, m, 4);
      break;
   default:
      for (unsigned l = 0; l < SGD_WARP; l++) {
         element[l * 2] = v->lo[l];
         element[l * 2 + 1] = v->hi[l];
      }
      sgd_store_quads(element, m, 8);
      break;
   }
}

#define COMPARE_LOOP(type, f)                                           \
   case f: {                                                            \
      const enum sgpu_compare func = f;                                 \
      for (unsigned l = 0; l < SGD_WARP; l++)                           \
         pass[l] = COMPARE(((const type *)a)[l], ((const type *)b)[l]); \
      break;                                                            \
   }
#define COMPARE_LOOPS(type)                     \
   switch (func) {                              \
      COMPARE_LOOP(type, SGPU_COMPARE_NEVER)    \
      COMPARE_LOOP(type, SGPU_COMPARE_LESS)     \
      COMPARE_LOOP(type, SGPU_COMPARE_EQUAL)    \
      COMPARE_LOOP(type, SGPU_COMPARE_LEQUAL)   \
      COMPARE_LOOP(type, SGPU_COMPARE_GREATER)  \
      COMPARE_LOOP(type, SGPU_COMPARE_NOTEQUAL) \
      COMPARE_LOOP(type, SGPU_COMPARE_GEQUAL)   \
      COMPARE_LOOP(type, SGPU_COMPARE_ALWAYS)   \
   }

/* Returns the lanes in which "a func b" is true, where a and b are depths in the stored format. */
static uint32_t
compare(enum sgpu_compare func, bool is_float, const uint32_t *a, const uint32_t *b)
{
   _Alignas(64) uint32_t pass[SGD_WARP], flushed[SGD_WARP];

   if (is_float) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         flushed[l] = sgpu_f2bits(sgpu_fp_in(sgpu_bits2f(b[l])));
      b = flushed;
      COMPARE_LOOPS(float)
   } else {
      COMPARE_LOOPS(uint32_t)
   }
   return sgd_mask_gather(pass);
}

/* Returns the lanes in which the stored depth is within the depth bounds. Stored NaNs are out of
 * bounds.
 */
static uint32_t
within_bounds(const struct sgd_zs_plan *p, const uint32_t *depth)
{
   _Alignas(64) uint32_t pass[SGD_WARP];
   const uint32_t low = p->low, high = p->high;

   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t key = sgd_depth_key(&p->format, depth[l]);
      pass[l] = sgpu_fp_mask(key >= low && key <= high);
   }
   return sgd_mask_gather(pass);
}

/* Converts the depths of a warp to the format of the depth buffer. */
static void
quantise(uint32_t *restrict stored, const struct sgd_zs_format *f, const float *restrict z)
{
   if (f->is_float) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         stored[l] = sgpu_f2bits(sgd_depth_float(z[l]));
   } else if (f->depth_bits == 32) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         stored[l] = sgd_depth_unorm_float(z[l], 32);
   } else {
      for (unsigned l = 0; l < SGD_WARP; l++)
         stored[l] = sgd_depth_unorm_float(z[l], f->depth_bits);
   }
}

static __attribute__((noinline)) uint32_t
any_group(const struct sgd_state *st, const struct sgd_quads *quads, const uint32_t *stored,
          const uint32_t *lane_ref, uint32_t lanes)
{
   const struct sgd_zs_plan *p = &st->plan.rop.zs;
   const struct SGPU_STENCIL_FACE *const face[2] = { &st->dsa.front, &st->dsa.back };
   const uint32_t refs[2] = { st->stencil_ref.front, st->stencil_ref.back };
   _Alignas(64) uint32_t ref[2][SGD_WARP];
   uint32_t of_face[2] = { 0 }, tested[2] = { 0 }, passed = lanes;
   struct sgd_quad_memory m;
   struct zs_lanes v;

   sgd_place_quads(&m, &st->zs, quads, lanes, p->format.bytes);
   load(&v, &p->format, &m);
   if (p->bounds) {
      lanes &= within_bounds(p, v.depth);
      passed = lanes;
      if (!lanes)
         return 0;
   }
   if (p->stencil) {
      const uint32_t front = sgd_stencil_front_lanes(st, quads);
      of_face[0] = lanes & front;
      of_face[1] = lanes & ~front;
      for (unsigned i = 0; i < 2; i++) {
         if (!of_face[i])
            continue;
         for (unsigned l = 0; l < SGD_WARP; l++)
            ref[i][l] = lane_ref ? lane_ref[l] & 0xff : refs[i];
         tested[i] = of_face[i] & sgd_stencil_compare(face[i], ref[i], v.stencil);
      }
      passed = tested[0] | tested[1];
   }
   if (p->depth)
      passed &= compare(p->func, p->format.is_float, stored, v.depth);
   for (unsigned i = 0; i < 2; i++) {
      if (!of_face[i])
         continue;
      sgd_stencil_apply(face[i], face[i]->fail, ref[i], v.stencil, of_face[i] & ~tested[i]);
      sgd_stencil_apply(face[i], face[i]->depth_fail, ref[i], v.stencil, tested[i] & ~passed);
      sgd_stencil_apply(face[i], face[i]->pass, ref[i], v.stencil, tested[i] & passed);
   }
   if (p->write) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         v.depth[l] = sgpu_fp_pick(sgd_lane_mask(passed, l), stored[l], v.depth[l]);
   }
   if (p->stencil || (p->write && passed))
      store(&v, &p->format, &m);
   return passed;
}

#if defined(__AVX2__)
#include "pixel/rop/sgd_stencil_avx2.h"
#endif

static ALWAYS_INLINE uint32_t
stencil_group(const struct sgd_state *st, const struct sgd_quads *quads, const uint32_t *stored,
              const uint32_t *lane_ref, uint32_t lanes)
{
#if defined(__AVX2__)
   unsigned face;
   if (!lane_ref && sgd_v8_stencil_fits(st, quads, lanes, &face))
      return sgd_v8_stencil_group(st, quads, stored, lanes, face);
#endif
   return any_group(st, quads, stored, lane_ref, lanes);
}

/* -- warps ---------------------------------------------------------------------------- */

static ALWAYS_INLINE uint32_t
depth_group(const struct sgd_state *st, const struct sgd_quads *quads, const float *z,
            uint32_t lanes)
{
   switch ((enum sgd_zs_path)st->plan.rop.zs.path) {
   case SGD_ZS_Z24:
      return z24_group(st, quads, z, lanes);
   case SGD_ZS_Z16:
      return z16_group(st, quads, z, lanes);
   case SGD_ZS_Z32:
      return z32_group(st, quads, z, lanes);
   case SGD_ZS_Z32F:
      return z32f_group(st, quads, z, lanes);
   default:
      return lanes;
   }
}

/* Tests a warp that has several groups, or that uses SGD_ZS_ANY. Groups are tested in order,
 * because their quads can have the same positions.
 */
static __attribute__((noinline)) uint32_t
test_groups(const struct sgd_state *st, const struct sgd_quads *quads, const float *z,
            const uint32_t *stencil_ref, uint32_t mask)
{
   const struct sgd_zs_plan *p = &st->plan.rop.zs;
   const bool any = p->path == SGD_ZS_ANY;
   _Alignas(64) uint32_t stored[SGD_WARP];
   uint32_t passed = 0;
   unsigned next = 0;

   if (any && p->depth)
      quantise(stored, &p->format, z);
   for (uint32_t lanes; (lanes = sgd_next_group(quads, mask, &next));)
      passed |= any ? stencil_group(st, quads, stored, stencil_ref, lanes)
                    : depth_group(st, quads, z, lanes);
   return passed;
}

uint32_t
sgd_zs_test(struct sgd_worker *worker, const struct sgd_state *st, const struct sgd_quads *quads,
            const float z[SGD_WARP], const uint32_t *stencil_ref, uint32_t mask)
{
   const enum sgd_zs_path path = st->plan.rop.zs.path;
   uint32_t passed = mask;

   worker->counters[SGPU_COUNTER_ZS_TESTED] += util_bitcount(mask);
   if (path == SGD_ZS_ANY || unlikely(!sgd_is_group(quads)))
      passed = test_groups(st, quads, z, stencil_ref, mask);
   else
      passed = depth_group(st, quads, z, mask);
   worker->counters[SGPU_COUNTER_ZS_PASSED] += util_bitcount(passed);
   return passed;
}
