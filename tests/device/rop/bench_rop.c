/* SPDX-License-Identifier: MIT */
/*
 * Prints the nanoseconds that raster operations take for a pixel warp (32 lanes) at every host
 * level: the shortest time of many runs over the blocks of one tile.
 *
 *    bench_rop [TEXT]    only the cases whose name contains TEXT
 */
#include <time.h>

#include "rop_test.h"
#include "sgpu_fp.h"

#define BLOCKS (64 / 8 * 64 / 4)
#define RUNS 400

static double
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec * 1e9 + t.tv_nsec;
}

enum shape {
   BLOCK,      /* full blocks */
   BLOCK_PART, /* blocks with uncovered pixels */
   QUADS,      /* eight quads of eight blocks */
   TWO_QUADS,  /* two of these quads, with two pixels each */
   OVERLAP,    /* quads, two of which are the same */
};
static const char *const shapes[] = {
   "block", "block, part", "quads", "two quads", "quads, overlapping",
};

static void
make_quads(struct sgd_quads *quads, enum shape shape, unsigned n)
{
   memset(quads, 0, sizeof(*quads));
   quads->count = SGD_QUADS;
   quads->front = 0xff;
   quads->block = shape <= BLOCK_PART;
   quads->distinct = shape != OVERLAP;
   quads->mask = shape == BLOCK_PART ? 0xff7ffe3f : shape == TWO_QUADS ? 0x3a : ~0u;
   if (shape == TWO_QUADS)
      quads->count = 2;
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      if (quads->block) {
         quads->x[q] = n % 8 * 8 + (q & 3) * 2;
         quads->y[q] = n / 8 % 16 * 4 + (q >> 2) * 2;
      } else {
         quads->x[q] = q * 8 + (n & 3) * 2;
         quads->y[q] = n / 4 % 32 * 2;
      }
   }
   if (shape == OVERLAP) {
      quads->x[5] = quads->x[2];
      quads->y[5] = quads->y[2];
   }
}

static struct sgd_quads quads[OVERLAP + 1][BLOCKS];
static struct rop_level levels[3];
static unsigned num_levels;
static const char *filter;
static struct sgd_worker worker;

static void
report(const char *name, enum shape shape, const double ns[3])
{
   printf("%-44s %-20s", name, shapes[shape]);
   for (unsigned k = 0; k < num_levels; k++)
      printf(" %7.1f", ns[k] / BLOCKS);
   printf("\n");
}

static void
bench_zs(const char *name, enum pipe_format format, enum sgpu_compare func, bool write,
         bool stencil, float first)
{
   struct sgd_state *st = calloc(1, sizeof(*st));
   struct rop_memory m;
   float z[SGD_WARP];
   char text[96];

   snprintf(text, sizeof(text), "zs %s, %s", util_format_short_name(format), name);
   if (filter && !strstr(text, filter))
      return;
   rop_surface(&st->zs, &m, format, 64, 64, 1, 1);
   st->dsa.depth_test = true;
   st->dsa.depth_write = write;
   st->dsa.depth_func = func;
   st->dsa.front.enable = stencil;
   st->dsa.front.func = SGPU_COMPARE_EQUAL;
   st->dsa.front.pass = SGPU_STENCIL_OP_INCR_WRAP;
   st->dsa.front.read_mask = 0;
   st->dsa.front.write_mask = 0xff;
   sgd_rop_prepare(st);
   for (unsigned l = 0; l < SGD_WARP; l++)
      z[l] = first + (first > 0.0f ? l * 0x1p-7f : 0.0f);

   for (enum shape shape = BLOCK; shape <= OVERLAP; shape++) {
      double best[3] = { 1e9, 1e9, 1e9 };
      for (unsigned run = 0; run < RUNS; run++) {
         for (unsigned k = 0; k < num_levels; k++) {
            const double start = now_ns();
            for (unsigned n = 0; n < BLOCKS; n++)
               levels[k].zs_test(&worker, st, &quads[shape][n], z, NULL, quads[shape][n].mask);
            best[k] = MIN2(best[k], now_ns() - start);
         }
      }
      report(text, shape, best);
   }
   free(m.data);
   free(st);
}

enum blending { OVERWRITE, ALPHA, ADDITIVE, MODULATE, SEPARATE, KEEP_ALPHA, TWICE, MIXED, OPAQUE };

static void
bench_color(const char *name, enum pipe_format format, enum blending blending, unsigned mask)
{
   static struct sgd_vec out[64];
   struct sgd_state *st = calloc(1, sizeof(*st));
   struct SGPU_BLEND_TARGET *t = &st->blend_target[0];
   struct rop_memory m;
   char text[96];

   snprintf(text, sizeof(text), "color %s, %s", util_format_short_name(format), name);
   if (filter && !strstr(text, filter))
      return;
   rop_surface(&st->color[0], &m, format, 64, 64, 1, 1);
   st->num_colors = 1;
   st->plan.color_write_mask[0] = mask;
   t->enable = blending != OVERWRITE;
   t->rgb_src = t->alpha_src = SGPU_BLEND_FACTOR_SRC_ALPHA;
   t->rgb_dst = t->alpha_dst = SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
   if (blending == ADDITIVE) {
      t->rgb_src = t->alpha_src = SGPU_BLEND_FACTOR_SRC_ALPHA;
      t->rgb_dst = t->alpha_dst = SGPU_BLEND_FACTOR_ONE;
   } else if (blending == MODULATE) {
      t->rgb_src = t->alpha_src = SGPU_BLEND_FACTOR_DST_COLOR;
      t->rgb_dst = t->alpha_dst = SGPU_BLEND_FACTOR_ZERO;
   } else if (blending == SEPARATE) {
      t->alpha_src = SGPU_BLEND_FACTOR_ONE;
   } else if (blending == KEEP_ALPHA) {
      t->alpha_src = SGPU_BLEND_FACTOR_ZERO;
      t->alpha_dst = SGPU_BLEND_FACTOR_ONE;
   } else if (blending == TWICE) {
      t->rgb_src = t->alpha_src = SGPU_BLEND_FACTOR_DST_COLOR;
      t->rgb_dst = t->alpha_dst = SGPU_BLEND_FACTOR_SRC_COLOR;
   } else if (blending == MIXED) {
      t->rgb_src = t->alpha_src = SGPU_BLEND_FACTOR_INV_DST_COLOR;
      t->rgb_dst = t->alpha_dst = SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
   }
   sgd_rop_prepare(st);
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         out[SGPU_PO_COLR0].c[c][l] = sgpu_f2bits((float)((l * 37 + c * 11) % 100) * 0.01f);
   }

   for (unsigned l = 0; l < SGD_WARP && blending == OPAQUE; l++)
      out[SGPU_PO_COLR0].c[3][l] = SGPU_FP_ONE_BITS;

   for (enum shape shape = BLOCK; shape <= OVERLAP; shape++) {
      double best[3] = { 1e9, 1e9, 1e9 };
      for (unsigned run = 0; run < RUNS; run++) {
         for (unsigned k = 0; k < num_levels; k++) {
            const double start = now_ns();
            for (unsigned n = 0; n < BLOCKS; n++)
               levels[k].color_write(&worker, st, &quads[shape][n], out, quads[shape][n].mask);
            best[k] = MIN2(best[k], now_ns() - start);
         }
      }
      report(text, shape, best);
   }
   free(m.data);
   free(st);
}

int
main(int argc, char **argv)
{
   filter = argc > 1 ? argv[1] : NULL;
   num_levels = rop_levels(levels);
   for (enum shape shape = BLOCK; shape <= OVERLAP; shape++) {
      for (unsigned n = 0; n < BLOCKS; n++)
         make_quads(&quads[shape][n], shape, n);
   }
   printf("%-65s", "ns per warp");
   for (unsigned k = 0; k < num_levels; k++)
      printf(" %7s", levels[k].name);
   printf("\n");

   const uint64_t fp = sgpu_fp_enter();
   static const enum pipe_format depth[] = {
      PIPE_FORMAT_Z24_UNORM_S8_UINT, PIPE_FORMAT_Z24X8_UNORM, PIPE_FORMAT_Z16_UNORM,
      PIPE_FORMAT_Z32_FLOAT,         PIPE_FORMAT_Z32_UNORM,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(depth); i++) {
      bench_zs("less-equal, all pass", depth[i], SGPU_COMPARE_LEQUAL, true, false, 0.0f);
      bench_zs("less, none pass", depth[i], SGPU_COMPARE_LESS, true, false, 0.25f);
      bench_zs("always, far", depth[i], SGPU_COMPARE_ALWAYS, true, false, 0.625f);
   }
   bench_zs("stencil increment", depth[0], SGPU_COMPARE_LEQUAL, true, true, 0.0f);

   bench_color("overwrite", PIPE_FORMAT_R8G8B8A8_UNORM, OVERWRITE, 0xf);
   bench_color("overwrite", PIPE_FORMAT_B8G8R8A8_UNORM, OVERWRITE, 0xf);
   bench_color("overwrite", PIPE_FORMAT_B8G8R8X8_UNORM, OVERWRITE, 0xf);
   bench_color("overwrite red, green", PIPE_FORMAT_B8G8R8A8_UNORM, OVERWRITE, 0x3);
   bench_color("src alpha", PIPE_FORMAT_R8G8B8A8_UNORM, ALPHA, 0xf);
   bench_color("src alpha", PIPE_FORMAT_B8G8R8A8_UNORM, ALPHA, 0xf);
   bench_color("src alpha", PIPE_FORMAT_B8G8R8X8_UNORM, ALPHA, 0xf);
   bench_color("src alpha, alpha by one", PIPE_FORMAT_B8G8R8A8_UNORM, SEPARATE, 0xf);
   bench_color("additive", PIPE_FORMAT_B8G8R8A8_UNORM, ADDITIVE, 0xf);
   bench_color("modulate", PIPE_FORMAT_B8G8R8A8_UNORM, MODULATE, 0xf);
   bench_color("src alpha, alpha kept", PIPE_FORMAT_B8G8R8A8_UNORM, KEEP_ALPHA, 0xf);
   bench_color("src alpha of 1", PIPE_FORMAT_B8G8R8A8_UNORM, OPAQUE, 0xf);
   bench_color("modulate twice", PIPE_FORMAT_B8G8R8A8_UNORM, TWICE, 0xf);
   bench_color("inv dst, inv src alpha", PIPE_FORMAT_B8G8R8A8_UNORM, MIXED, 0xf);
   bench_color("overwrite", PIPE_FORMAT_B8G8R8A8_SRGB, OVERWRITE, 0xf);
   bench_color("overwrite", PIPE_FORMAT_B5G6R5_UNORM, OVERWRITE, 0xf);
   bench_color("overwrite", PIPE_FORMAT_R16G16B16A16_FLOAT, OVERWRITE, 0xf);
   bench_color("src alpha", PIPE_FORMAT_R16G16B16A16_FLOAT, ALPHA, 0xf);
   bench_color("overwrite", PIPE_FORMAT_R32G32B32A32_FLOAT, OVERWRITE, 0xf);
   bench_color("src alpha", PIPE_FORMAT_B5G6R5_UNORM, ALPHA, 0xf);
   bench_color("overwrite", PIPE_FORMAT_R8_UNORM, OVERWRITE, 0xf);
   sgpu_fp_leave(fp);
   return 0;
}
