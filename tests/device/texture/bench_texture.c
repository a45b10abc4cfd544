/* SPDX-License-Identifier: MIT */
/*
 * Prints the nanoseconds that a pixel warp (32 lanes: eight quads) takes for one texture operation
 * at every host level: the shortest time of many runs over the warps of a tile that shows the
 * texture, slightly rotated.
 *
 *    bench_texture [TEXT [general]]    only the cases whose name contains TEXT; with `general`,
 *                                      without the fast paths of the view
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "../../unit.h"
#include "sgpu_fp.h"
#include "texture.h"
#include "texture/unit/sgd_tex_unit.h"
#include "util/macros.h"

#define WARPS 128
#define RUNS 200

static struct tex_level levels[3];
static unsigned num_levels;
static const char *filter;
static bool general;

static double
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec * 1e9 + t.tv_nsec;
}

struct bench {
   const char *name;
   enum sgpu_format format;
   enum sgpu_texture_type type;
   enum sgpu_filter filter;
   enum sgpu_mip_filter mip;
   enum sgpu_wrap wrap;
   /* texels from a pixel to its right neighbour; factor of this for the neighbour below */
   double step, squeeze;
   unsigned anisotropy;
   bool compare, perspective, straight; /* straight: coordinates are not rotated */
   bool array;                          /* the texture has 4 layers, and a warp uses one of them */
   bool table;                          /* the texture has one row of 1024 texels */
   bool fetch;                          /* TXF with texel coordinates */
};

static void
set_coordinates(const struct bench *b, unsigned warp, struct sgd_vec *c)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const unsigned q = l / 4;
      const double x = warp % 8 * 8 + q % 4 * 2 + (l & 1) + 0.5;
      const double y = warp / 8 * 4 + q / 4 * 2 + (l >> 1 & 1) + 0.5;
      const double far = b->perspective ? 16 / (4 + y) : 1;
      const double along = b->straight ? 1 : 0.98, across = b->straight ? 0 : 0.199;
      const double s = b->step / 256 * far * (x * along + y * across);
      const double t = b->step / 256 * far * b->squeeze * (y * along - x * across) + 0.3;
      const double r = b->array ? warp % 4 : b->type == SGPU_TEXTURE_TYPE_CUBE ? 0.6 : s * 0.7 + t;
      const double v[4] = { s, b->table ? 0 : t, r, 0.5 };
      for (unsigned a = 0; a < 4; a++)
         c->c[a][l] = b->fetch ? (uint32_t)(v[a] * 100) : sgpu_f2bits((float)v[a]);
   }
}

static void
run_bench(const struct bench *b)
{
   static struct sgd_vec coord[WARPS], dst;
   const enum sgpu_tex_target targets[] = {
      [SGPU_TEXTURE_TYPE_2D] = SGPU_TEX_TARGET_2D,
      [SGPU_TEXTURE_TYPE_3D] = SGPU_TEX_TARGET_3D,
      [SGPU_TEXTURE_TYPE_CUBE] = SGPU_TEX_TARGET_CUBE,
   };
   if (filter && !strstr(b->name, filter))
      return;

   uint64_t rng = 1;
   const unsigned size = b->type == SGPU_TEXTURE_TYPE_2D ? 256 : 64;
   struct tex_params p = tex_params(b->type, b->format, b->table ? 1024 : size,
                                    b->table ? 1 : size);
   p.depth = b->type == SGPU_TEXTURE_TYPE_3D ? 16 : 1;
   p.array = b->array;
   p.layers = b->array ? 4 : p.layers;
   p.levels = b->mip == SGPU_MIP_FILTER_NONE ? 1 : 7;
   struct tex *t = tex_create(&p, &rng);
   struct sgd_tex_unit *u = t->texture.unit;
   struct sgd_tex_unit *slice = u->slice;
   if (general) {
      u->bytes = u->simple = u->volume = u->texels = false;
      u->wide = SGD_TEX_WIDE_NONE;
      u->word = SGD_TEX_WORD_NONE;
      u->slice = NULL;
   }
   struct sgd_sampler s = tex_sampler(b->wrap, b->filter);
   s.desc.mip_filter = b->mip;
   s.desc.max_anisotropy = b->anisotropy;
   s.desc.compare_enable = b->compare;
   s.desc.compare = SGPU_COMPARE_LEQUAL;
   struct sgd_tex_op op = tex_op(b->fetch ? SGPU_OP_TXF : SGPU_OP_TEX,
                                 b->array ? SGPU_TEX_TARGET_2D_ARRAY : targets[b->type]);
   op.shadow = b->compare;
   sgd_tex_op_prepare(&op);
   sgd_sampler_prepare(&s);
   for (unsigned w = 0; w < WARPS; w++)
      set_coordinates(b, w, &coord[w]);

   static const struct sgd_vec base;
   const struct sgd_source level = b->fetch ? tex_source(&base) : tex_source(&coord[0]);
   struct sgd_worker worker = { 0 };
   double best[3] = { 1e12, 1e12, 1e12 };
   const uint64_t fp = sgpu_fp_enter();
   for (unsigned run = 0; run < RUNS; run++) {
      for (unsigned k = 0; k < num_levels; k++) {
         const double start = now_ns();
         for (unsigned w = 0; w < WARPS; w++) {
            const struct sgd_source from = tex_source(&coord[w]);
            levels[k].run(&worker, &t->texture, &s, &op, &from, &level, ~0u, &dst);
         }
         best[k] = fmin(best[k], now_ns() - start);
      }
   }
   sgpu_fp_leave(fp);
   printf("%-40s", b->name);
   for (unsigned k = 0; k < num_levels; k++)
      printf(" %7.0f", best[k] / WARPS);
   printf("\n");
   u->slice = slice;
   tex_destroy(t);
}

#define N SGPU_FILTER_NEAREST
#define L SGPU_FILTER_LINEAR
#define M0 SGPU_MIP_FILTER_NONE
#define M1 SGPU_MIP_FILTER_NEAREST
#define M2 SGPU_MIP_FILTER_LINEAR
#define R SGPU_WRAP_REPEAT
#define B SGPU_WRAP_CLAMP_TO_BORDER
#define T2 SGPU_TEXTURE_TYPE_2D
#define T3 SGPU_TEXTURE_TYPE_3D
#define TC SGPU_TEXTURE_TYPE_CUBE

static const struct bench benches[] = {
   { "RGBA8 nearest", SGPU_FORMAT_R8G8B8A8_UNORM, T2, N, M0, R, 1.1, 1 },
   { "RGBA8 nearest, straight", SGPU_FORMAT_R8G8B8A8_UNORM, T2, N, M0, R, 1, 1, 0, false, false,
     true },
   { "RGBA8 bilinear", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M0, R, 1.1, 1 },
   { "RGBA8 bilinear, straight", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M0, R, 1, 1, 0, false, false,
     true },
   { "RGBA8 bilinear, 4 times as large", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M0, R, 0.25, 1 },
   { "RGBA8 bilinear, 2 times as large", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M0, R, 0.5, 1 },
   { "RGBA8 bilinear, border not reached", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M0, B, 1.1, 1 },
   { "RGBA8 bilinear, border", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M0, B, 90, 1 },
   { "RGBA8 bilinear, GL_CLAMP", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M0, SGPU_WRAP_CLAMP, 1.1, 1 },
   { "RGBA8 bilinear, nearest level", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M1, R, 1.6, 1 },
   { "RGBA8 trilinear", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M2, R, 1.6, 1 },
   { "RGBA8 trilinear, floor", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M2, R, 4, 1, 0, false, true },
   { "RGBA8 2 probes", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M2, R, 1.6, 1.9, 16 },
   { "RGBA8 8 probes", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M2, R, 1.6, 7.9, 16 },
   { "RGBA8 up to 16 probes, floor", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M2, R, 4, 4, 16, false,
     true },
   { "RGBA8 cube, bilinear, seamless", SGPU_FORMAT_R8G8B8A8_UNORM, TC, L, M0, R, 0.5, 1 },
   { "RGBA8 cube, trilinear, seamless", SGPU_FORMAT_R8G8B8A8_UNORM, TC, L, M2, R, 4, 1 },
   { "RGBA8 3D, linear", SGPU_FORMAT_R8G8B8A8_UNORM, T3, L, M0, R, 1.1, 1 },
   { "RGBA8 array, bilinear", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M0, R, 1.1, 1, .array = true },
   { "RGBA8 array, trilinear", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M2, R, 1.6, 1, .array = true },
   { "R8 3D, linear", SGPU_FORMAT_R8_UNORM, T3, L, M0, R, 1.1, 1 },
   { "R16 3D, linear", SGPU_FORMAT_R16_UNORM, T3, L, M0, R, 1.1, 1 },
   { "RGBA16F 3D, linear", SGPU_FORMAT_R16G16B16A16_FLOAT, T3, L, M0, R, 1.1, 1 },
   { "R32F 3D, nearest", SGPU_FORMAT_R32_FLOAT, T3, N, M0, R, 1.1, 1 },
   { "R32F 3D, linear", SGPU_FORMAT_R32_FLOAT, T3, L, M0, R, 1.1, 1 },
   { "R32F 3D, linear, 9 times as large", SGPU_FORMAT_R32_FLOAT, T3, L, M0, R, 0.44, 1 },
   { "R32F 3D, linear, as large", SGPU_FORMAT_R32_FLOAT, T3, L, M0, R, 4, 1 },
   { "R32F row", SGPU_FORMAT_R32_FLOAT, T2, L, M0, R, 1.1, 1, .table = true },
   { "RGBA32F row", SGPU_FORMAT_R32G32B32A32_FLOAT, T2, L, M0, R, 1.1, 1, .table = true },
   { "sRGB8 array, trilinear", SGPU_FORMAT_R8G8B8A8_SRGB, T2, L, M2, R, 1.6, 1, .array = true },
   { "RGBA16F array, bilinear", SGPU_FORMAT_R16G16B16A16_FLOAT, T2, L, M0, R, 1.1, 1,
     .array = true },
   { "RGBA16F cube, bilinear, seamless", SGPU_FORMAT_R16G16B16A16_FLOAT, TC, L, M0, R, 0.5, 1 },
   { "RGBA8 fetch", SGPU_FORMAT_R8G8B8A8_UNORM, T2, L, M0, R, 1.1, 1, .fetch = true },
   { "R8 fetch", SGPU_FORMAT_R8_UNORM, T2, L, M0, R, 1.1, 1, .fetch = true },
   { "RGBA16F fetch", SGPU_FORMAT_R16G16B16A16_FLOAT, T2, L, M0, R, 1.1, 1, .fetch = true },
   { "RGBA32UI fetch", SGPU_FORMAT_R32G32B32A32_UINT, T2, L, M0, R, 1.1, 1, .fetch = true },
   { "R8G8 bilinear", SGPU_FORMAT_R8G8_UNORM, T2, L, M0, R, 1.1, 1 },
   { "L8 bilinear", SGPU_FORMAT_L8_UNORM, T2, L, M0, R, 1.1, 1 },
   { "B5G6R5 nearest", SGPU_FORMAT_B5G6R5_UNORM, T2, N, M0, R, 1.1, 1 },
   { "B5G6R5 bilinear", SGPU_FORMAT_B5G6R5_UNORM, T2, L, M0, R, 1.1, 1 },
   { "B5G6R5 bilinear, 2 times as large", SGPU_FORMAT_B5G6R5_UNORM, T2, L, M0, R, 0.5, 1 },
   { "sRGB8 nearest", SGPU_FORMAT_R8G8B8A8_SRGB, T2, N, M0, R, 1.1, 1 },
   { "sRGB8 nearest, 2 times as large", SGPU_FORMAT_R8G8B8A8_SRGB, T2, N, M0, R, 0.5, 1 },
   { "sRGB8 bilinear", SGPU_FORMAT_R8G8B8A8_SRGB, T2, L, M0, R, 1.1, 1 },
   { "sRGB8 bilinear, 2 times as large", SGPU_FORMAT_R8G8B8A8_SRGB, T2, L, M0, R, 0.5, 1 },
   { "sRGB8 trilinear", SGPU_FORMAT_R8G8B8A8_SRGB, T2, L, M2, R, 1.6, 1 },
   { "RGBA16F nearest", SGPU_FORMAT_R16G16B16A16_FLOAT, T2, N, M0, R, 1.1, 1 },
   { "RGBA16F bilinear", SGPU_FORMAT_R16G16B16A16_FLOAT, T2, L, M0, R, 1.1, 1 },
   { "RGBA16F bilinear, 2 times as large", SGPU_FORMAT_R16G16B16A16_FLOAT, T2, L, M0, R, 0.5, 1 },
   { "RGBA32F nearest", SGPU_FORMAT_R32G32B32A32_FLOAT, T2, N, M0, R, 1.1, 1 },
   { "RGBA32F bilinear", SGPU_FORMAT_R32G32B32A32_FLOAT, T2, L, M0, R, 1.1, 1 },
   { "RGBA32F bilinear, 2 times as large", SGPU_FORMAT_R32G32B32A32_FLOAT, T2, L, M0, R, 0.5, 1 },
   { "RG32F bilinear", SGPU_FORMAT_R32G32_FLOAT, T2, L, M0, R, 1.1, 1 },
   { "R32F nearest", SGPU_FORMAT_R32_FLOAT, T2, N, M0, R, 1.1, 1 },
   { "R32F bilinear", SGPU_FORMAT_R32_FLOAT, T2, L, M0, R, 1.1, 1 },
   { "RGBA16 nearest", SGPU_FORMAT_R16G16B16A16_UNORM, T2, N, M0, R, 1.1, 1 },
   { "RGBA16 bilinear", SGPU_FORMAT_R16G16B16A16_UNORM, T2, L, M0, R, 1.1, 1 },
   { "RGBA16 bilinear, 2 times as large", SGPU_FORMAT_R16G16B16A16_UNORM, T2, L, M0, R, 0.5, 1 },
   { "RG16 bilinear", SGPU_FORMAT_R16G16_UNORM, T2, L, M0, R, 1.1, 1 },
   { "R16 bilinear", SGPU_FORMAT_R16_UNORM, T2, L, M0, R, 1.1, 1 },
   { "RG16F bilinear", SGPU_FORMAT_R16G16_FLOAT, T2, L, M0, R, 1.1, 1 },
   { "R16F bilinear", SGPU_FORMAT_R16_FLOAT, T2, L, M0, R, 1.1, 1 },
   { "R9G9B9E5 bilinear", SGPU_FORMAT_R9G9B9E5_FLOAT, T2, L, M0, R, 1.1, 1 },
   { "R11G11B10F nearest", SGPU_FORMAT_R11G11B10_FLOAT, T2, N, M0, R, 1.1, 1 },
   { "R11G11B10F bilinear", SGPU_FORMAT_R11G11B10_FLOAT, T2, L, M0, R, 1.1, 1 },
   { "R11G11B10F bilinear, 2 times as large", SGPU_FORMAT_R11G11B10_FLOAT, T2, L, M0, R, 0.5, 1 },
   { "RGB10A2 bilinear", SGPU_FORMAT_R10G10B10A2_UNORM, T2, L, M0, R, 1.1, 1 },
   { "RGBA8 signed bilinear", SGPU_FORMAT_R8G8B8A8_SNORM, T2, L, M0, R, 1.1, 1 },
   { "Z24 nearest", SGPU_FORMAT_Z24X8_UNORM, T2, N, M0, R, 1.1, 1 },
   { "Z24 bilinear", SGPU_FORMAT_Z24X8_UNORM, T2, L, M0, R, 1.1, 1 },
   { "Z24 comparison, nearest", SGPU_FORMAT_Z24X8_UNORM, T2, N, M0, R, 1.1, 1, .compare = true },
   { "Z24 comparison, bilinear", SGPU_FORMAT_Z24X8_UNORM, T2, L, M0, R, 1.1, 1, .compare = true },
   { "Z24 comparison, 2 times as large", SGPU_FORMAT_Z24X8_UNORM, T2, L, M0, R, 0.5, 1,
     .compare = true },
   { "Z24 comparison, half as large", SGPU_FORMAT_Z24X8_UNORM, T2, L, M0, R, 2, 1,
     .compare = true },
   { "Z24 comparison, array", SGPU_FORMAT_Z24X8_UNORM, T2, L, M0, R, 1.1, 1, .compare = true,
     .array = true },
   { "Z32 bilinear", SGPU_FORMAT_Z32_UNORM, T2, L, M0, R, 1.1, 1 },
   { "Z32 comparison, bilinear", SGPU_FORMAT_Z32_UNORM, T2, L, M0, R, 1.1, 1, .compare = true },
   { "Z16 comparison, bilinear", SGPU_FORMAT_Z16_UNORM, T2, L, M0, R, 1.1, 1, .compare = true },
   { "Z32F comparison, bilinear", SGPU_FORMAT_Z32_FLOAT, T2, L, M0, R, 1.1, 1, .compare = true },
   { "Z32F_S8 comparison, bilinear", SGPU_FORMAT_Z32_FLOAT_S8X24_UINT, T2, L, M0, R, 1.1, 1,
     .compare = true },
   { "DXT1 bilinear", SGPU_FORMAT_DXT1_RGB, T2, L, M0, R, 1.1, 1 },
   { "DXT5 bilinear", SGPU_FORMAT_DXT5_RGBA, T2, L, M0, R, 1.1, 1 },
};

int
main(int argc, char **argv)
{
   filter = argc > 1 ? argv[1] : NULL;
   general = argc > 2 && !strcmp(argv[2], "general");
   num_levels = tex_levels(levels);
   printf("%-40s", "ns per warp");
   for (unsigned k = 0; k < num_levels; k++)
      printf(" %7s", levels[k].name);
   printf("\n");
   for (unsigned i = 0; i < ARRAY_SIZE(benches); i++)
      run_bench(&benches[i]);
   return 0;
}
