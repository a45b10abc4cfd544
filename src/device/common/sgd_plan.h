/* SPDX-License-Identifier: MIT */
/*
 * Plan of a draw: how the engines execute a draw with a given state. sgd_plan_make() makes the plan
 * when a draw copies the state. The plan never changes, and draws that share the copy share the
 * plan. A path is special code that is faster than the general code and produces the same bits
 * (sgpu_paths.py). An engine may fall back from a path of the plan depending on the batch, tile or
 * warp, but it never uses a path that is not in the plan.
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

/* When depth and stencil are tested. This is decided once per state (sgd_early.c). */
struct sgd_zs_mode {
   bool test_early; /* tests and writes run before the pixel program */
   bool test_late;
   bool count_early;   /* samples count as passed even if the program discards them later */
   bool active;        /* there is a depth/stencil surface, and a test or write is enabled */
   bool reject;        /* pixels that are known to fail the depth test can be discarded */
   bool reject_bounds; /* pixels that are known to fail the bounds test can be discarded */
};

/* Operations on alpha between the pixel program and the ROP (sgd_fragment.c). */
struct sgd_alpha_mode {
   bool test;  /* the alpha test can discard fragments */
   bool clamp; /* clamp alpha to [0, 1] first, since all colour targets are unsigned normalized */
   bool to_coverage; /* alpha to coverage: alpha limits the number of covered samples */
   bool one;         /* alpha to one: alpha becomes 1 after alpha to coverage */
   uint8_t cover;    /* bitmask of outputs o[COLRn] whose alpha is multiplied by coverage */
};

/* How primitives cover pixels and samples, and where inputs are evaluated. */
struct sgd_coverage_mode {
   uint8_t samples;         /* number of samples per pixel of the targets */
   bool multisample;        /* coverage and depth are evaluated per sample */
   bool conservative;       /* coverage is per whole pixel, even if `multisample` is set */
   bool smooth;             /* the draw can have smooth primitives */
   bool per_sample;         /* the pixel program runs once per sample */
   bool exclusive;          /* a warp must not contain the same pixel twice */
   bool depth_offset;       /* primitives can have a depth offset */
   bool centers, centroids; /* some inputs are evaluated at pixel centres; some are not */
   uint32_t sample_mask;    /* mask of the samples that can be covered */
   /* sample positions in units of 1/16 pixel; only set if `multisample` is set */
   uint8_t sample_at[SGPU_LAYOUT_MAX_SAMPLES][2];
};

struct sgd_plan {
   /* Facts (mask of SGPU_FACT_*) and paths (bitmask of enum sgpu_path) for draws of polygons. See
    * sgd_plan_draw_paths() for other primitives. A path in `left` is possible for the state, but at
    * least part of the draw (e.g. one of its textures) uses the general code.
    */
   uint64_t facts;
   uint32_t paths, left;

   bool writes_memory; /* at least one program can write storage buffers or images */
   bool viewports;     /* vertices select the viewport and layer */
   bool color;         /* the pixel program runs and writes a colour target */
   bool shades;        /* the pixel program must run */
   bool early, late;   /* depth/stencil tests run before or after the pixel program */
   struct sgd_zs_mode zs_mode;
   /* fragment order, before the adjustment for queries by sgd_order_counted() */
   struct sgd_order order;
   struct sgd_alpha_mode alpha;
   struct sgd_coverage_mode coverage;
   uint8_t outputs; /* bitmask of the outputs o[COLRn] that tests or the ROP read */
   /* bitmask of the colour targets in which stored fragments replace whole elements */
   uint8_t replaced;
   /* write mask of each colour target; 0 if it has no surface or the program has no output for it
    */
   uint8_t color_write_mask[8];
   struct sgd_rop_state rop; /* plans of the ROP, made by sgd_rop_prepare() */
   /* Bounding boxes of the pixels that the draws can touch in any viewport: `filled` for filled
    * polygons, `reach` for other primitives.
    */
   struct sgd_box filled, reach;
   uint32_t drawn_layers; /* number of layers that draws can touch, starting at the first layer */
};

static inline bool
sgd_plan_has(const struct sgd_plan *plan, enum sgpu_path path)
{
   return plan->paths >> path & 1;
}

#endif
