/* SPDX-License-Identifier: MIT */
/*
 * ROP: depth and stencil test of pixel warps.
 */
#include "sgd_arch.h"
#include "sgd_depth_format.h"
#include "sgd_lanes.h"
#include "sgd_rop.h"
#include "sgd_worker.h"
#include "util/bitscan.h"
#include "util/compiler.h"
#include "util/macros.h"

/* The values of a warp in depth and stencil memory. */
struct zs_lanes {
   _Alignas(64) uint32_t depth[SGD_WARP];     /* as stored */
   _Alignas(64) uint32_t stencil[SGD_WARP];
   _Alignas(64) uint32_t rest[SGD_WARP];      /* bits of the element that are neither */
};

static ALWAYS_INLINE void
load(const struct sgd_surface *s, const struct sgd_zs_format *f, const struct sgd_quads *quads,
     struct zs_lanes *v, unsigned q0, unsigned nq)
{
   _Alignas(64) uint32_t lo[SGD_WARP], hi[SGD_WARP];

   for (unsigned q = q0; q < q0 + nq; q++) {
      const uint8_t *p = q < quads->count
                            ? sgd_surface_quad(s, quads->x[q], quads->y[q], quads->layer, 0)
                            : NULL;
      for (unsigned i = 0; i < 4; i++) {
         const unsigned l = q * 4 + i;
         lo[l] = hi[l] = 0;
         if (!p)
            continue;
         switch (f->bytes) {
         case 1:
            lo[l] = p[i];
            break;
         case 2:
            lo[l] = ((const uint16_t *)p)[i];
            break;
         case 4:
            lo[l] = ((const uint32_t *)p)[i];
            break;
         default:
            lo[l] = ((const uint32_t *)p)[i * 2];
            hi[l] = ((const uint32_t *)p)[i * 2 + 1];
            break;
         }
      }
   }

   const uint32_t dmask = f->has_depth ? sgd_depth_max(f) : 0;
   const unsigned dshift = f->depth_shift, sshift = f->stencil_shift & 31;
   const uint32_t *sword = f->stencil_shift >= 32 ? hi : lo;
   for (unsigned l = q0 * 4; l < (q0 + nq) * 4; l++) {
      v->depth[l] = (lo[l] >> dshift) & dmask;
      v->stencil[l] = (sword[l] >> sshift) & 0xff;
      v->rest[l] = f->bytes == 4 ? lo[l] & ~((dmask << dshift) | (0xffu << sshift)) : 0;
   }
   if (f->bytes == 4 && !f->has_stencil) {
      for (unsigned l = q0 * 4; l < (q0 + nq) * 4; l++)
         v->rest[l] = lo[l] & ~(dmask << dshift);
   }
}

static ALWAYS_INLINE void
store(const struct sgd_surface *s, const struct sgd_zs_format *f, const struct sgd_quads *quads,
      const struct zs_lanes *v, uint32_t mask, unsigned q0, unsigned nq)
{
   for (unsigned q = q0; q < q0 + nq; q++) {
      if (!(mask & sgd_quad_lanes(q)))
         continue;
      uint8_t *p = sgd_surface_quad(s, quads->x[q], quads->y[q], quads->layer, 0);
      for (unsigned i = 0; i < 4; i++) {
         const unsigned l = q * 4 + i;
         if (!(mask & (1u << l)))
            continue;
         switch (f->bytes) {
         case 1:
            p[i] = v->stencil[l];
            break;
         case 2:
            ((uint16_t *)p)[i] = v->depth[l];
            break;
         case 4:
            ((uint32_t *)p)[i] = v->rest[l] | v->depth[l] << f->depth_shift |
                                 (f->has_stencil ? v->stencil[l] << f->stencil_shift : 0);
            break;
         default:
            if (f->has_depth)
               ((uint32_t *)p)[i * 2] = v->depth[l];
            ((uint32_t *)p)[i * 2 + 1] = v->stencil[l];
            break;
         }
      }
   }
}

#define COMPARE_LOOP(type, op)                                        \
   for (unsigned l = 0; l < SGD_WARP; l++)                            \
      pass[l] = -(uint32_t)(((const type *)a)[l] op ((const type *)b)[l]); \
   break;

#define COMPARE_CASES(type)                                           \
   switch (func) {                                                    \
   case SGPU_COMPARE_NEVER:                                           \
      return 0;                                                       \
   case SGPU_COMPARE_ALWAYS:                                          \
      return ~0u;                                                     \
   case SGPU_COMPARE_LESS:                                            \
      COMPARE_LOOP(type, <)                                           \
   case SGPU_COMPARE_EQUAL:                                           \
      COMPARE_LOOP(type, ==)                                          \
   case SGPU_COMPARE_LEQUAL:                                          \
      COMPARE_LOOP(type, <=)                                          \
   case SGPU_COMPARE_GREATER:                                         \
      COMPARE_LOOP(type, >)                                           \
   case SGPU_COMPARE_NOTEQUAL:                                        \
      COMPARE_LOOP(type, !=)                                          \
   case SGPU_COMPARE_GEQUAL:                                          \
      COMPARE_LOOP(type, >=)                                          \
   }

/* Lanes in which a func b. */
static uint32_t
compare(enum sgpu_compare func, bool is_float, const uint32_t a[SGD_WARP],
        const uint32_t b[SGD_WARP])
{
   _Alignas(64) uint32_t pass[SGD_WARP];

   if (is_float) {
      COMPARE_CASES(float)
   } else {
      COMPARE_CASES(uint32_t)
   }
   return sgd_mask_gather(pass);
}

static uint32_t
stencil_op(enum sgpu_stencil_op op, uint32_t old, uint32_t ref)
{
   switch (op) {
   case SGPU_STENCIL_OP_KEEP:
      return old;
   case SGPU_STENCIL_OP_ZERO:
      return 0;
   case SGPU_STENCIL_OP_REPLACE:
      return ref;
   case SGPU_STENCIL_OP_INCR_SAT:
      return old == 0xff ? old : old + 1;
   case SGPU_STENCIL_OP_DECR_SAT:
      return old == 0 ? old : old - 1;
   case SGPU_STENCIL_OP_INCR_WRAP:
      return (old + 1) & 0xff;
   case SGPU_STENCIL_OP_DECR_WRAP:
      return (old - 1) & 0xff;
   case SGPU_STENCIL_OP_INVERT:
      return ~old & 0xff;
   }
   unreachable("stencil operation");
}

static const struct SGPU_STENCIL_FACE *
face_of(const struct sgd_state *st, const struct sgd_quads *quads, unsigned q, uint32_t *ref)
{
   const bool back = !(quads->front & (1 << q)) && st->dsa.back.enable;
   *ref = back ? st->stencil_ref.back : st->stencil_ref.front;
   return back ? &st->dsa.back : &st->dsa.front;
}

/* Stencil test of the lanes of mask; those that fail have their operation done. */
static uint32_t
stencil_test(const struct sgd_state *st, const struct sgd_quads *quads, struct zs_lanes *v,
             const uint32_t *lane_ref, uint32_t mask, unsigned q0, unsigned nq)
{
   _Alignas(64) uint32_t a[SGD_WARP], b[SGD_WARP], pass[SGD_WARP] = { 0 };

   for (unsigned q = q0; q < q0 + nq; q++) {
      uint32_t ref;
      const struct SGPU_STENCIL_FACE *face = face_of(st, quads, q, &ref);
      for (unsigned l = q * 4; l < q * 4 + 4; l++) {
         a[l] = (lane_ref ? lane_ref[l] & 0xff : ref) & face->read_mask;
         b[l] = v->stencil[l] & face->read_mask;
         const bool less = a[l] < b[l], equal = a[l] == b[l];
         /* bits of the function: less, equal, greater */
         pass[l] = -(uint32_t)(less ? face->func & 1
                                    : equal ? (face->func >> 1) & 1 : (face->func >> 2) & 1);
      }
   }

   const uint32_t passed = sgd_mask_gather(pass) & mask;
   for (uint32_t failed = mask & ~passed; failed;) {
      const unsigned l = u_bit_scan(&failed);
      uint32_t ref;
      const struct SGPU_STENCIL_FACE *face = face_of(st, quads, l / 4, &ref);
      const uint32_t r = lane_ref ? lane_ref[l] & 0xff : ref;
      v->stencil[l] = (v->stencil[l] & ~face->write_mask) |
                      (stencil_op(face->fail, v->stencil[l], r) & face->write_mask);
   }
   return passed;
}

static void
stencil_update(const struct sgd_state *st, const struct sgd_quads *quads, struct zs_lanes *v,
               const uint32_t *lane_ref, uint32_t tested, uint32_t depth_passed)
{
   while (tested) {
      const unsigned l = u_bit_scan(&tested);
      uint32_t ref;
      const struct SGPU_STENCIL_FACE *face = face_of(st, quads, l / 4, &ref);
      const uint32_t r = lane_ref ? lane_ref[l] & 0xff : ref;
      const enum sgpu_stencil_op op =
         depth_passed & (1u << l) ? face->pass : face->depth_fail;
      v->stencil[l] = (v->stencil[l] & ~face->write_mask) |
                      (stencil_op(op, v->stencil[l], r) & face->write_mask);
   }
}

/* Tests and updates quads q0 to q0 + nq - 1, which have no pixel in common. */
static ALWAYS_INLINE uint32_t
test_quads(const struct sgd_state *st, const struct sgd_zs_format *f,
           const struct sgd_quads *quads, const uint32_t *z, const uint32_t *lane_ref,
           uint32_t mask, unsigned q0, unsigned nq)
{
   struct zs_lanes v;
   const bool depth = f->has_depth && st->dsa.depth_test;
   const bool stencil = f->has_stencil && st->dsa.front.enable;

   load(&st->zs, f, quads, &v, q0, nq);
   uint32_t tested = mask;
   if (stencil)
      tested = stencil_test(st, quads, &v, lane_ref, mask, q0, nq);
   uint32_t passed = tested;
   if (depth)
      passed &= compare(st->dsa.depth_func, f->is_float, z, v.depth);
   if (stencil)
      stencil_update(st, quads, &v, lane_ref, tested, passed);

   const bool write = depth && st->dsa.depth_write;
   if (write) {
      _Alignas(64) uint32_t m[SGD_WARP];
      sgd_mask_expand(passed, m);
      for (unsigned l = 0; l < SGD_WARP; l++)
         v.depth[l] = (z[l] & m[l]) | (v.depth[l] & ~m[l]);
   }
   if (stencil)
      store(&st->zs, f, quads, &v, mask, q0, nq);
   else if (write)
      store(&st->zs, f, quads, &v, passed, q0, nq);
   return passed;
}

uint32_t
sgd_zs_test(struct sgd_worker *worker, const struct sgd_state *st, const struct sgd_quads *quads,
            const float z[SGD_WARP], const uint32_t *stencil_ref, uint32_t mask)
{
   const struct sgd_zs_format f = sgd_zs_format(st->zs.pformat);
   _Alignas(64) uint32_t stored[SGD_WARP] = { 0 };

   worker->counters[SGPU_COUNTER_ZS_TESTED] += util_bitcount(mask);
   if (f.has_depth && st->dsa.depth_test) {
      const uint32_t max = sgd_depth_max(&f);
      if (f.is_float) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            stored[l] = sgpu_f2bits(sgpu_fflush(z[l]));
      } else {
         for (unsigned l = 0; l < SGD_WARP; l++)
            stored[l] = sgd_depth_unorm(z[l], max);
      }
   }

   uint32_t passed = 0;
   if (quads->block || quads->distinct) {
      passed = test_quads(st, &f, quads, stored, stencil_ref, mask, 0, SGD_QUADS);
   } else {
      for (unsigned q = 0; q < quads->count; q++) {
         const uint32_t lanes = mask & sgd_quad_lanes(q);
         if (lanes)
            passed |= test_quads(st, &f, quads, stored, stencil_ref, lanes, q, 1);
      }
   }
   worker->counters[SGPU_COUNTER_ZS_PASSED] += util_bitcount(passed);
   return passed;
}
