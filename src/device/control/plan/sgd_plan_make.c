/* SPDX-License-Identifier: MIT */
/*
 * Plan of a draw: decides how to handle tests, alpha, coverage and the order of fragments, and how
 * the ROP stores each target.
 */
#include "control/plan/sgd_plan_make.h"

#include <string.h>

#include "geometry/setup/sgd_setup_mode.h"
#include "pixel/rop/sgd_rop.h"
#include "common/sgd_draw_box.h"
#include "common/sgd_located.h"
#include "common/sgd_shader.h"
#include "util/macros.h"

bool
sgd_plan_writes_memory(const struct sgd_state *st)
{
   for (unsigned s = 0; s < SGPU_STAGE_COMPUTE; s++) {
      if (st->shader[s] && st->shader[s]->writes_memory)
         return true;
   }
   return false;
}

static bool
writes_stencil(const struct SGPU_STENCIL_FACE *face)
{
   return face->write_mask &&
          (face->fail != SGPU_STENCIL_OP_KEEP || face->depth_fail != SGPU_STENCIL_OP_KEEP ||
           face->pass != SGPU_STENCIL_OP_KEEP);
}

/* For smooth primitives, the alpha of each non-integer color is multiplied by the coverage (OpenGL
 * 3.0, section 3.14). The alpha test and alpha to coverage use the first color, unless it is an
 * integer.
 */
static struct sgd_alpha_mode
alpha_mode(const struct sgd_state *st, const struct sgd_shader *ps)
{
   const bool first_is_int = st->num_colors && st->color[0].valid &&
                             util_format_is_pure_integer(st->color[0].pformat);
   struct sgd_alpha_mode mode = { .clamp = true, .cover = 0xff };

   mode.to_coverage = ps && st->blend.alpha_to_coverage && sgd_state_multisamples(st) &&
                      !first_is_int;
   mode.one = st->blend.alpha_to_one && st->rast.multisample;
   mode.test = ps && st->dsa.alpha_test && st->dsa.alpha_func != SGPU_COMPARE_ALWAYS &&
               !first_is_int;
   for (unsigned i = 0; i < st->num_colors; i++) {
      if (!st->color[i].valid)
         continue;
      mode.clamp &= util_format_is_unorm(st->color[i].pformat);
      if (util_format_is_pure_integer(st->color[i].pformat))
         mode.cover &= ~(1u << i);
   }
   return mode;
}

static struct sgd_early_key
early_key(const struct sgd_state *st, const struct sgd_shader *ps)
{
   const struct sgd_alpha_mode *alpha = &st->plan.alpha;
   const bool depth = st->zs.valid && util_format_has_depth(st->zs.desc);
   const bool stencil = st->zs.valid && util_format_has_stencil(st->zs.desc);
   const struct SGPU_STENCIL_FACE *front = &st->dsa.front, *back = &st->dsa.back;

   return (struct sgd_early_key){
      .zs_bound = st->zs.valid,
      .depth_test = depth && st->dsa.depth_test,
      .depth_write = depth && st->dsa.depth_test && st->dsa.depth_write,
      .stencil_test = stencil && front->enable,
      .bounds_test = depth && st->dsa.bounds_test,
      .stencil_write = stencil && front->enable &&
                       (writes_stencil(front) || (back->enable && writes_stencil(back))),
      .ps_kill = (ps && ps->uses_kill) || alpha->test,
      .ps_writes_depth = ps && ps->writes_depth,
      .ps_writes_stencil = ps && ps->writes_stencil,
      .ps_writes_sample_mask = ps && ps->writes_sample_mask && sgd_state_multisamples(st),
      .ps_writes_memory = ps && ps->writes_memory,
      .ps_reads_zs = ps && (ps->targets_read >> SGD_MAX_COLORS & 1),
      .ps_early_tests = st->shader_desc[SGPU_STAGE_PIXEL].early_tests,
      .alpha_to_coverage = alpha->to_coverage,
   };
}

static void
set_write_masks(struct sgd_state *st, const struct sgd_shader *ps)
{
   const struct SGPU_SHADER *desc = &st->shader_desc[SGPU_STAGE_PIXEL];

   for (unsigned i = 0; i < SGD_MAX_COLORS; i++) {
      const bool output = ps && (desc->broadcast_color ? desc->color_outputs > 0
                                                       : i < desc->color_outputs);
      const bool bound = i < st->num_colors && st->color[i].valid;
      st->plan.color_write_mask[i] = bound && output ? st->blend_target[i].write_mask : 0;
   }
}

static struct sgd_order
order_of(const struct sgd_state *st, const struct sgd_shader *ps, const struct sgd_early_key *early)
{
   const uint32_t of_warp = 1u << SGPU_SYS_HELPER | 1u << SGPU_SYS_SAMPLE_MASK |
                            1u << SGPU_SYS_LANE;
   struct sgd_order_key key = {
      .reads_target = ps && (st->plan.facts & SGPU_FACT_REACHES_TARGET || ps->targets_read ||
                             st->shader_desc[SGPU_STAGE_PIXEL].interlock),
      .multisample = st->samples > 1 || sgd_state_located(st),
      .smooth = (st->rast.point_smooth || st->rast.line_smooth || st->rast.poly_smooth) &&
                sgd_state_smooths(st),
      .depth_test = early->depth_test,
      .depth_write = early->depth_write,
      .depth_func = st->dsa.depth_func,
      .stencil_test = early->stencil_test || early->stencil_write || early->bounds_test,
      .ps_drops = early->ps_kill || early->alpha_to_coverage || early->ps_writes_sample_mask,
      .ps_writes_depth = early->ps_writes_depth,
      .ps_writes_stencil = early->ps_writes_stencil,
      .ps_writes_memory = early->ps_writes_memory,
      .ps_reads_warp = ps && (ps->reads_warp || (ps->sysvals_read & of_warp)),
   };

   for (unsigned i = 0; i < st->num_colors; i++) {
      const struct sgd_color_plan *p = &st->plan.rop.color[i];
      if (!p->active)
         continue;
      key.masks |= (uint32_t)st->plan.color_write_mask[i] << 4 * i;
      key.partial |= !p->whole;
      key.reads_color |= p->reads || (p->logic && sgd_logic_reads(p->logic_op));
   }
   return sgd_decide_order(&key);
}

/* Returns how draws with this state compute coverage. `ps` is NULL if no pixel program runs. */
static struct sgd_coverage_mode
coverage_mode(const struct sgd_state *st, const struct sgd_shader *ps)
{
   const uint32_t one_sample = 1u << SGPU_SYS_SAMPLE_ID | 1u << SGPU_SYS_SAMPLE_POS;
   const struct SGPU_SHADER *desc = &st->shader_desc[SGPU_STAGE_PIXEL];
   struct sgd_coverage_mode m = {
      .samples = st->samples,
      .multisample = sgd_state_multisamples(st) || sgd_state_located(st),
      .conservative = st->coverage.conservative,
      .smooth = (st->rast.point_smooth || st->rast.line_smooth || st->rast.poly_smooth) &&
                sgd_state_smooths(st),
      .per_sample = ps && ps->targets_read && st->samples > 1,
      .exclusive = ps && (ps->targets_read || desc->interlock),
      .depth_offset = st->rast.offset_tri || st->rast.offset_line || st->rast.offset_point,
      .window_rects = st->window_rects.inclusive || st->window_rects.count,
      .sample_mask = st->sample_mask & ((1u << st->samples) - 1),
   };

   if (!m.multisample)
      return m;
   for (unsigned s = 0; s < st->samples; s++) {
      const uint32_t at = st->coverage.location[s / 4] >> 8 * (s % 4);
      const uint8_t *standard = sgpu_sample_position(st->samples, s);
      const bool own = st->coverage.locations;
      m.sample_at[s][0] = own ? at & 15 : standard[0];
      m.sample_at[s][1] = own ? at >> 4 & 15 : standard[1];
   }
   if (!ps)
      return m;
   m.per_sample |= desc->per_sample || (ps->sysvals_read & one_sample);
   for (unsigned n = 0; n < st->num_varyings; n++) {
      if (!st->varying[n].mask)
         continue;
      m.per_sample |= st->varying[n].place == SGPU_INTERPOLATION_PLACE_SAMPLE;
      if (st->varying[n].place == SGPU_INTERPOLATION_PLACE_CENTER)
         m.centers = true;
      else
         m.centroids = true;
   }
   return m;
}

/* Returns a bitmask of the pixel program's color outputs that are used, by the tests or by the ROP.
 */
static unsigned
outputs_read(const struct sgd_state *st)
{
   const struct sgd_plan *plan = &st->plan;
   unsigned outputs = plan->alpha.test || plan->alpha.to_coverage;

   for (unsigned i = 0; i < st->num_colors; i++) {
      const struct sgd_color_plan *p = &plan->rop.color[i];
      if (p->active)
         outputs |= 1u << (p->source - SGPU_PO_COLR0) | (p->dual ? 2 : 0);
   }
   return outputs;
}

/* Returns true if the pixel program can't be skipped: it writes an output that is used, may discard
 * fragments, or has side effects.
 */
static bool
needs_program(const struct sgd_state *st, const struct sgd_shader *ps)
{
   const struct sgd_plan *plan = &st->plan;

   return ps && (plan->color || plan->alpha.test || plan->alpha.to_coverage || ps->uses_kill ||
                 ps->writes_depth || ps->writes_stencil || ps->writes_memory ||
                 (ps->writes_sample_mask && sgd_state_multisamples(st)));
}

void
sgd_plan_choose(struct sgd_state *st, uint32_t off)
{
   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   struct sgd_plan *plan = &st->plan;

   plan->viewports = sgd_state_last(st)->outputs_written >> SGPU_VO_LAYER & 1;
   plan->color = false;
   for (unsigned i = 0; i < st->num_colors; i++)
      plan->color |= plan->color_write_mask[i] != 0;
   plan->color &= ps != NULL;
   plan->shades = needs_program(st, ps);
   plan->early = plan->zs_mode.active && (plan->zs_mode.test_early || !plan->shades);
   plan->late = plan->zs_mode.active && !plan->early && plan->zs_mode.test_late;
   plan->outputs = outputs_read(st);
   plan->coverage = coverage_mode(st, plan->shades ? ps : NULL);
   plan->setup = sgd_setup_mode(st);
   sgd_plan_find_paths(st, off);
}

static struct sgd_box
around(struct sgd_box a, struct sgd_box b)
{
   if (a.x0 >= a.x1 || a.y0 >= a.y1)
      return b;
   if (b.x0 >= b.x1 || b.y0 >= b.y1)
      return a;
   return (struct sgd_box){
      .x0 = MIN2(a.x0, b.x0),
      .y0 = MIN2(a.y0, b.y0),
      .x1 = MAX2(a.x1, b.x1),
      .y1 = MAX2(a.y1, b.y1),
   };
}

static void
bound_draws(struct sgd_plan *plan, const struct sgd_state *st)
{
   const struct sgd_draw_boxes first = sgd_draw_boxes(st, 0);

   plan->filled = first.filled;
   plan->reach = first.reach;
   plan->drawn_layers = 1;
   if (!plan->viewports)
      return;
   for (unsigned n = 1; n < SGD_MAX_VIEWPORTS; n++) {
      const struct sgd_draw_boxes boxes = sgd_draw_boxes(st, n);
      plan->filled = around(plan->filled, boxes.filled);
      plan->reach = around(plan->reach, boxes.reach);
   }
   if (sgd_state_layered(st))
      plan->drawn_layers = st->fb_layers;
}

void
sgd_plan_make(struct sgd_state *st, uint32_t off)
{
   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   struct sgd_plan *plan = &st->plan;

   plan->facts = sgd_plan_target_facts(st);
   plan->writes_memory = sgd_plan_writes_memory(st);
   plan->alpha = alpha_mode(st, ps);
   const struct sgd_early_key key = early_key(st, ps);
   plan->zs_mode = sgd_decide_zs(&key);
   set_write_masks(st, ps);
   sgd_rop_prepare(st);
   plan->order = order_of(st, ps, &key);
   sgd_plan_choose(st, off);
   bound_draws(plan, st);
}
