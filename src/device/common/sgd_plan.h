/* SPDX-License-Identifier: MIT */
/*
 * Plan of a draw: how the engines draw with a state. sgd_plan_make() makes the plan when
 * a draw takes its copy of the state. After that, it never changes, and draws with the
 * same copy share it.
 *
 * A path is code that is faster than the general code and gives the same bits
 * (sgpu_paths.py). What depends on a batch, a tile or a warp may make an engine leave a
 * path of the plan, but never take another one.
 */
#ifndef SGD_PLAN_H
#define SGD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_box.h"
#include "common/sgd_order.h"
#include "common/sgd_rop_state.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"
#include "sgpu_paths.h"

/* When depth and stencil are tested, decided once for a state (sgd_early.c). */
struct sgd_zs_mode {
   bool test_early; /* tests, and writes, run before the pixel program */
   bool test_late;
   bool count_early;   /* samples that the program drops later count as passed */
   bool active;        /* there is a surface, and something to test or write */
   bool reject;        /* a pixel known to fail the depth test has no effect */
   bool reject_bounds; /* a pixel known to fail the bounds test has no effect */
};

/* Operations on alpha between the pixel program and the ROP (sgd_fragment.c). */
struct sgd_alpha_mode {
   bool test;        /* the alpha test can drop fragments */
   bool clamp;       /* clamp to 0..1 first: all colour targets are unsigned normalized */
   bool to_coverage; /* alpha decides how many samples are left */
   bool one;         /* alpha counts as 1 after that */
   uint8_t cover;    /* bit n: coverage applies to o[COLRn] */
};

/* How primitives cover pixels and samples, and where inputs are evaluated. */
struct sgd_coverage_mode {
   uint8_t samples;         /* number of samples of the targets */
   bool multisample;        /* coverage and depth are evaluated at samples */
   bool conservative;       /* coverage is by whole pixels, even if multisample is set */
   bool smooth;             /* there may be smooth primitives */
   bool per_sample;         /* the program runs once per sample */
   bool exclusive;          /* a warp must not contain a pixel twice */
   bool depth_offset;       /* primitives may have a depth offset */
   bool centers, centroids; /* some inputs are evaluated at centres; some elsewhere */
   uint32_t sample_mask;    /* samples that can be covered */
   uint8_t sample_at[SGPU_LAYOUT_MAX_SAMPLES][2]; /* if multisample is set: positions in 1/16
                                                   * pixel */
};

struct sgd_plan {
   /* Facts (mask of SGPU_FACT_*) and paths (bit n: enum sgpu_path) of draws of polygons. See
    * sgd_plan_draw_paths() for other primitives. A path in `left` is possible, but at least a
    * part of the draw, such as one of its textures, is drawn by the general code.
    */
   uint64_t facts;
   uint32_t paths, left;

   bool writes_memory; /* a program can write storage buffers or images */
   bool viewports;     /* vertices select their viewport and layer */
   bool color;         /* the pixel program runs and writes a colour target */
   bool shades;        /* the pixel program must run */
   bool early, late;   /* depth and stencil tests run before, after the program */
   struct sgd_zs_mode zs_mode;
   struct sgd_order order; /* not adjusted for queries; see sgd_order_counted() */
   struct sgd_alpha_mode alpha;
   struct sgd_coverage_mode coverage;
   uint8_t outputs;             /* bit n: tests or the ROP read o[COLRn] */
   uint8_t replaced;            /* bit n: stored fragments replace whole elements of target n */
   uint8_t color_write_mask[8]; /* write mask of each colour target; 0 if there is no surface or no
                                 * output */
   struct sgd_rop_state rop;    /* plans of the ROP, made by sgd_rop_prepare() */
   /* Pixels that draws may touch in any of their viewports: `filled` by filled polygons,
    * `reach` by other primitives.
    */
   struct sgd_box filled, reach;
   uint32_t drawn_layers; /* number of layers that draws may touch, from the first on */
};

static inline bool
sgd_plan_has(const struct sgd_plan *plan, enum sgpu_path path)
{
   return plan->paths >> path & 1;
}

#endif
