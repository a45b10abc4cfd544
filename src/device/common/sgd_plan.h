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

/* When depth and stencil are tested. sgd_early.c decides this once per state. */
struct sgd_zs_mode {
   bool test_early; /* depth/stencil tests and writes run before the pixel program */
   bool test_late;
   /* samples are counted after the early tests, even if the program discards them later */
   bool count_early;
   bool active; /* a depth/stencil surface is bound, and a test or write is enabled */
   bool reject; /* pixels can be dropped early if they are known to fail the depth test */
   /* pixels can be dropped early if they are known to fail the depth bounds test */
   bool reject_bounds;
};

/* Operations on alpha between the pixel program and the ROP (sgd_fragment.c). */
struct sgd_alpha_mode {
   bool test; /* the alpha test can discard fragments */
   /* alpha is first clamped to [0, 1], since all colour targets are unsigned normalized */
   bool clamp;
   bool to_coverage; /* alpha to coverage: alpha limits the number of covered samples */
   bool one;         /* alpha to one: alpha is set to 1 after alpha to coverage */
   uint8_t cover; /* bitmask of the colour outputs o[COLRn] whose alpha is multiplied by coverage */
};

/* How primitives cover pixels and samples, and where the inputs of the pixel program are evaluated.
 */
struct sgd_coverage_mode {
   uint8_t samples;   /* number of samples per pixel of the targets */
   bool multisample;  /* coverage and depth are evaluated per sample */
   bool conservative; /* primitives cover whole pixels, even if `multisample` is set */
   bool smooth;       /* the draw can have smooth primitives */
   bool per_sample;   /* the pixel program runs once per sample */
   bool exclusive;    /* a warp must not contain the same pixel twice */
   bool depth_offset; /* primitives can have a depth offset */
   bool window_rects; /* window rectangles can drop fragments */
   /* centers: some inputs are evaluated at pixel centres; centroids: some are not */
   bool centers, centroids;
   uint32_t sample_mask; /* mask of the samples that can be covered */
   /* sample positions in units of 1/16 pixel; only set if `multisample` is set */
   uint8_t sample_at[SGPU_LAYOUT_MAX_SAMPLES][2];
};

/* How primitives are clipped, culled and set up (sgd_setup_mode()). */
struct sgd_setup_mode {
   uint32_t clip_cut;       /* outcode bits of the planes that the clipper must clip to */
   uint32_t clip_planes;    /* bitmask of the user clip planes or clip distances in use */
   uint32_t cull_distances; /* bitmask of the cull distances that the program writes */
   int32_t pixel_center;    /* offset to add to window coordinates, in units of 1/256 pixel */
   float offset_unit; /* resolution of a fixed-point depth buffer; 0 for a float depth buffer */
   bool multisamples; /* coverage is per sample instead of per pixel */
   bool conservative; /* conservative rasterization: primitives cover every pixel that they touch */
   bool smooth_points, smooth_lines;
   bool line_rects;     /* lines are drawn as rectangles */
   bool smooth_fill;    /* filled polygons are smooth */
   bool fill_unfilled;  /* at least one face has a polygon mode that is not SOLID */
   bool swizzles;       /* at least one viewport swizzles positions */
   bool viewport_mask;  /* primitives are drawn in all viewports of a mask (SHADER.Viewport Mask) */
   bool relative_layer; /* the number of the viewport is added to the layer */
};

struct sgd_plan {
   /* Facts about the state (mask of SGPU_FACT_*), and the paths for draws of polygons (bitmasks of
    * enum sgpu_path). See sgd_plan_draw_paths() for other primitives. The state allows the paths in
    * `left`, but at least part of the draw (e.g. one of its textures) uses the general code.
    */
   uint64_t facts;
   uint32_t paths, left;

   bool writes_memory; /* at least one program can write storage buffers or images */
   bool viewports;     /* vertices select the viewport and layer */
   bool color;         /* the pixel program runs and writes a colour target */
   bool shades;        /* the pixel program must run */
   /* early: depth/stencil tests run before the pixel program; late: they run after it */
   bool early, late;
   struct sgd_zs_mode zs_mode;
   /* order of the fragments; sgd_order_counted() adjusts it if queries are active */
   struct sgd_order order;
   struct sgd_alpha_mode alpha;
   struct sgd_coverage_mode coverage;
   struct sgd_setup_mode setup;
   uint8_t outputs; /* bitmask of the colour outputs o[COLRn] that fragment tests or the ROP read */
   /* bitmask of the colour targets in which a stored fragment overwrites the whole element */
   uint8_t replaced;
   /* write mask of each colour target; 0 if the target has no surface or the program has no output
    * for it
    */
   uint8_t color_write_mask[8];
   struct sgd_rop_state rop; /* plans of the ROP, made by sgd_rop_prepare() */
   /* Bounding boxes of the pixels that draws can touch in any viewport. `filled` is the box for
    * filled polygons, `reach` the box for all other primitives.
    */
   struct sgd_box filled, reach;
   uint32_t drawn_layers; /* number of layers that draws can touch, starting at sgd_state_layer() */
};

static inline bool
sgd_plan_has(const struct sgd_plan *plan, enum sgpu_path path)
{
   return plan->paths >> path & 1;
}

#endif
