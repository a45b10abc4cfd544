/* SPDX-License-Identifier: MIT */
/*
 * Planes of random primitives at the centres of pixels. The code of every host level for blocks,
 * for quads of one primitive and for quads of several primitives must give the bits of the formula
 * at the positions of the lanes. The positions are tested, too.
 */
#include <stdio.h>

#include "../../unit.h"
#include "planes.h"
#include "control/core/sgd_params.h"
#include "common/sgd_varyings.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"

#define INPUTS 5

extern const struct planes_level planes_level_v2, planes_level_v3, planes_level_v4;

static uint64_t seed = 1;

static uint32_t
below(uint32_t n)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 33) % n;
}

/* Returns a random NaN, infinity, subnormal, huge or ordinary number. */
static float
any_float(void)
{
   static const uint32_t special[] = {
      0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
      1, 0x80000fff, 0x7f7fffff, 0xff7fffff, 0x3f800000, 0x00800000,
   };
   switch (below(4)) {
   case 0:
      return sgpu_bits2f(special[below(ARRAY_SIZE(special))]);
   case 1:
      return sgpu_bits2f(below(1u << 16) << 16 | below(1u << 16));
   default:
      return ((int)below(20001) - 10000) * 0.01f;
   }
}

static float
tame_float(void)
{
   return ((int)below(20001) - 10000) * 0x1p-12f;
}

/* Makes varyings with perspective planes, then linear planes, then flat values, of inputs in any
 * order.
 */
static void
random_varyings(struct sgd_varyings *v)
{
   const unsigned perspective = below(7), linear = below(6), flat = below(6);
   unsigned n = 0;

   memset(v, 0, sizeof(*v));
   v->linear = (perspective + 3) / 4 * 4;
   v->num_planes = v->linear + (linear + 3) / 4 * 4;
   v->num_flat = flat;
   for (unsigned k = 0; k < v->num_planes + flat; k++) {
      struct sgd_varying_ref *ref = &v->ref[k];
      ref->used = k < v->linear       ? k < perspective
                  : k < v->num_planes ? k - v->linear < linear
                                      : true;
      if (!ref->used)
         continue;
      /* The step of 7 visits each component once. */
      ref->input = n * 7 % (4 * INPUTS) / 4;
      ref->comp = n * 7 % (4 * INPUTS) % 4;
      n++;
   }
   sgd_varyings_find_lanes(v);
}

/* Returns a primitive with random planes. Its w is 1, the same everywhere, or varies. */
static struct sgd_prim *
random_prim(const struct sgd_varyings *v)
{
   const unsigned count = 3 * v->num_planes + v->num_flat;
   struct sgd_prim *prim = calloc(1, sizeof(*prim) + count * sizeof(float));
   const bool tame = below(2);

   prim->type = below(8) ? SGD_PRIM_TRIANGLE : SGD_PRIM_RECT;
   prim->ox = below(1u << 16) / 256.0f;
   prim->oy = below(1u << 16) / 256.0f;
   prim->z = (struct sgd_plane){ tame_float(), tame_float(), tame_float() };
   switch (below(4)) {
   case 0:
      prim->rw = (struct sgd_plane){ 1.0f, below(2) ? -0.0f : 0.0f, below(4) ? 0.0f : 0x1p-9f };
      break;
   case 1:
      prim->rw = (struct sgd_plane){ tame_float(), 0.0f, 0.0f };
      break;
   default:
      prim->rw = (struct sgd_plane){ tame_float(), tame_float(), tame_float() };
      break;
   }
   for (unsigned i = 0; i < count; i++)
      prim->attr[i] = tame ? tame_float() : any_float();
   return prim;
}

static void
random_pixels(struct sgd_pixels *pixels, struct sgd_prim *const prims[2], bool block)
{
   /* Many warps of quads have a single primitive, or a single one except for one quad. */
   const unsigned kind = block ? 0 : below(4), other = kind == 1 ? below(SGD_QUADS) : SGD_QUADS;
   const unsigned x = below(8) ? below(64) * 8 : 16376, y = below(64) * 4;

   memset(pixels, 0, sizeof(*pixels));
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      pixels->quads.x[q] = x + (block ? (q & 3) * 2 : below(16) * 2);
      pixels->quads.y[q] = y + (block ? (q >> 2) * 2 : below(16) * 2);
      pixels->prim[q] = prims[kind < 2 ? q == other : below(2)];
   }
   /* If the origin is among the pixels, infinite gradients give NaNs in a few lanes only. */
   for (unsigned i = 0; i < 2 && below(2); i++) {
      prims[i]->ox = x + below(17) * 0.5f;
      prims[i]->oy = y + below(9) * 0.5f;
   }
   pixels->quads.count = block ? SGD_QUADS : 1 + below(SGD_QUADS);
   pixels->quads.block = block;
   pixels->quads.mask = ~0u;
}

/* Compares inputs with the values of the planes at each lane. */
static void
check(const struct sgd_varyings *v, const struct sgd_pixels *pixels, const struct sgd_vec *in,
      const char *name)
{
   for (unsigned l = 0; l < 4u * pixels->quads.count; l++) {
      const struct sgd_prim *prim = pixels->prim[l / 4];
      const float x = (float)(pixels->quads.x[l / 4] + (l & 1)) + 0.5f - prim->ox;
      const float y = (float)(pixels->quads.y[l / 4] + (l >> 1 & 1)) + 0.5f - prim->oy;
      const float rw = sgd_plane_raw(prim->rw.v0, prim->rw.dx, prim->rw.dy, x, y);
      const float w = prim->type == SGD_PRIM_RECT ? 1.0f : sgpu_frcp(rw);

      for (unsigned k = 0; k < v->num_planes + v->num_flat; k++) {
         const struct sgd_varying_ref *ref = &v->ref[k];
         const float *p = prim->attr + k;
         const uint32_t is = in[ref->input].c[ref->comp][l];
         uint32_t wanted;

         if (!ref->used)
            continue;
         if (k >= v->num_planes) {
            wanted = sgpu_f2bits(prim->attr[3 * v->num_planes + k - v->num_planes]);
         } else {
            const float plane = sgd_plane_raw(p[0], p[v->num_planes], p[2 * v->num_planes], x, y);
            wanted = sgpu_f2bits(k < v->linear ? sgpu_fmul(plane, w) : sgpu_fp_canon(plane));
         }
         if (is != wanted)
            fail_msg("%s, %s, plane %u, lane %u: %08x instead of %08x", name,
                     pixels->quads.block ? "block" : "quads", k, l, is, wanted);
      }
   }
}

/* Checks the sampling points, relative to the primitives' origins and in the window. */
static void
check_positions(const struct planes_level *level, const struct sgd_pixels *pixels, const char *name)
{
   const struct sgd_sample_pos at = { below(16) / 16.0f, below(16) / 16.0f };
   struct sgd_lane_pos pos;
   float x[SGD_WARP], y[SGD_WARP];

   level->lane_positions(pixels, at, &pos);
   level->lane_window(pixels, at, x, y);
   for (unsigned l = 0; l < 4u * pixels->quads.count; l++) {
      const struct sgd_prim *prim = pixels->prim[l / 4];
      const float wx = (float)(pixels->quads.x[l / 4] + (l & 1)) + at.x;
      const float wy = (float)(pixels->quads.y[l / 4] + (l >> 1 & 1)) + at.y;

      if (x[l] != wx || y[l] != wy || pos.rx[l] != wx - prim->ox || pos.ry[l] != wy - prim->oy)
         fail_msg("%s, %s, lane %u: %f, %f; %f, %f from the origin; instead of %f, %f", name,
                  pixels->quads.block ? "block" : "quads", l, x[l], y[l], pos.rx[l], pos.ry[l], wx,
                  wy);
      assert_true(!pos.one || prim == pixels->prim[0]);
   }
}

static void
run_level(const struct planes_level *level, const char *name)
{
   static struct sgd_vec in[INPUTS];
   static struct sgd_core core;
   struct sgd_worker worker = { .core = &core };
   struct sgd_varyings v;
   struct sgd_pixel_stage *r = calloc(1, sizeof(*r));

   core.warp.in = in;
   r->worker = &worker;
   r->varyings = &v;
   for (unsigned round = 0; round < 3000; round++) {
      random_varyings(&v);
      struct sgd_prim *const prims[2] = { random_prim(&v), random_prim(&v) };
      for (unsigned i = 0; i < 6; i++) {
         const unsigned shape = i % 3;
         const bool block = shape < 2;
         struct sgd_pixels pixels;
         struct sgd_lane_pos pos;
         float z[SGD_WARP];

         random_pixels(&pixels, prims, block);
         check_positions(level, &pixels, name);
         level->lane_positions(&pixels, SGD_SAMPLE_CENTER, &pos);
         /* Flat values may be those of the previous warp. */
         if (i == 0 || below(4) == 0) {
            memset(in, 0x55, sizeof(in));
            r->flat = NULL;
         }
         level->interpolate(r, &pixels, shape ? &pos : NULL);
         check(&v, &pixels, in, name);

         level->eval_plane(&pixels, shape ? &pos : NULL, offsetof(struct sgd_prim, z), z);
         for (unsigned l = 0; l < 4u * pixels.quads.count; l++) {
            const struct sgd_plane *p = &pixels.prim[l / 4]->z;
            const float wanted = sgd_plane_raw(p->v0, p->dx, p->dy, pos.rx[l], pos.ry[l]);
            assert_int_equal(sgpu_f2bits(z[l]), sgpu_f2bits(wanted));
         }
      }
      free(prims[0]);
      free(prims[1]);
   }
   free(r);
}

static void
test_levels(void **state)
{
   run_level(&planes_level_v2, "v2");
#ifdef SGD_LEVEL_V3
   const enum sgpu_host_level has = sgd_host_level(SGPU_HOST_BEST);
   if (has >= SGPU_HOST_V3)
      run_level(&planes_level_v3, "v3");
   else
      print_message("skipped: host level v3, which this machine does not have\n");
#endif
#ifdef SGD_LEVEL_V4
   if (has >= SGPU_HOST_V4)
      run_level(&planes_level_v4, "v4");
   else
      print_message("skipped: host level v4, which this machine does not have\n");
#endif
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_levels) };
   const uint64_t fp = sgpu_fp_enter();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);

   sgpu_fp_leave(fp);
   return failed;
}
