/* SPDX-License-Identifier: MIT */
/*
 * Prints the time of image operations on every host level: nanoseconds for one operation of a warp,
 * in rows of 16 texels.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "../../unit.h"
#include "sgpu_fp.h"
#include "texture.h"

static double
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void
measure(const char *name, enum sgpu_format format)
{
   static const enum sgpu_opcode ops[] = { SGPU_OP_LDI, SGPU_OP_STI, SGPU_OP_ATI };
   uint64_t rng = 3;
   struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, format, 64, 64);
   struct tex *t = tex_create(&p, &rng);
   struct sgd_vec coord, data, out;
   struct tex_level levels[3];
   const unsigned num = tex_levels(levels);

   sgd_texture_finish(&t->texture);
   assert_null(sgd_image_prepare(&t->texture));
   for (unsigned l = 0; l < SGD_WARP; l++) {
      coord.c[0][l] = 16 + l % 16;
      coord.c[1][l] = 16 + l / 16;
      for (unsigned c = 0; c < 4; c++)
         tex_put(&data, c, l, 0.25 * c + l / 64.0);
   }
   printf("%-16s", name);
   const uint64_t saved = sgpu_fp_enter();
   for (unsigned o = 0; o < 3; o++) {
      const struct sgd_image_op op = { .op = ops[o],
                                       .target = SGPU_TEX_TARGET_2D,
                                       .aop = SGPU_ATOMIC_ADD,
                                       .mask = ops[o] == SGPU_OP_LDI ? 15 : 0 };
      for (unsigned n = 0; n < num; n++) {
         double best = 1e30;
         for (unsigned k = 0; k < 20; k++) {
            const double start = now_ns();
            for (unsigned i = 0; i < 1000; i++)
               levels[n].image(&t->texture, &op, &coord, &data, ~0u, ~0u, &out);
            best = fmin(best, (now_ns() - start) / 1000);
         }
         printf(" %s %s %6.1f", sgpu_opcode_info(op.op)->name, levels[n].name, best);
      }
   }
   sgpu_fp_leave(saved);
   printf("\n");
   tex_destroy(t);
}

int
main(void)
{
   measure("R8G8B8A8_UNORM", SGPU_FORMAT_R8G8B8A8_UNORM);
   measure("R32_FLOAT", SGPU_FORMAT_R32_FLOAT);
   measure("R32_UINT", SGPU_FORMAT_R32_UINT);
   measure("RGBA32_FLOAT", SGPU_FORMAT_R32G32B32A32_FLOAT);
   measure("RGBA16_FLOAT", SGPU_FORMAT_R16G16B16A16_FLOAT);
   measure("R11G11B10_FLOAT", SGPU_FORMAT_R11G11B10_FLOAT);
   measure("RGBA8_UINT", SGPU_FORMAT_R8G8B8A8_UINT);
   measure("RGBA16_SNORM", SGPU_FORMAT_R16G16B16A16_SNORM);
   return 0;
}
