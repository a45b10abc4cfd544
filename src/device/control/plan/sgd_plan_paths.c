/* SPDX-License-Identifier: MIT */
/*
 * Draw planning: collects facts about the state, and chooses the fast paths that are possible. A
 * fact is a property of the state, such as SGPU_FACT_BLENDS. The table in sgpu_paths.py has the
 * facts that each path (enum sgpu_path) needs, and those that rule it out.
 */
#include "control/plan/sgd_plan_make.h"

#include <assert.h>

#include "common/sgd_shader.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define PATH(name) (1u << SGPU_PATH_##name)
#define FACT(name, condition) ((condition) ? SGPU_FACT_##name : 0)

/* These paths are chosen for each color target or texture, instead of once per draw. */
#define COLOR_PATHS (PATH(BYTES) | PATH(FORM) | PATH(OPAQUE) | PATH(CLEAR))
#define TEXTURE_PATHS                                                                    \
   (PATH(TEXELS) | PATH(SIMPLE) | PATH(SHIFT) | PATH(LEVELS) | PATH(WIDE) | PATH(WORD) | \
    PATH(VOLUME))
/* Facts that these paths require. */
#define COLOR_NEEDS (SGPU_FACT_STORES | SGPU_FACT_BLENDS)
#define TEXTURE_NEEDS                                                           \
   (SGPU_FACT_SAMPLES_BYTES | SGPU_FACT_SAMPLES_WIDE | SGPU_FACT_SAMPLES_WORD | \
    SGPU_FACT_SAMPLES_VOLUME | SGPU_FACT_MINIFIES)
#define STATE_NEEDS                                                                 \
   (SGPU_FACT_POLYGONS | SGPU_FACT_STORES | SGPU_FACT_SHADES | SGPU_FACT_CONSTANT | \
    SGPU_FACT_COPIES | SGPU_FACT_COMPARES | SGPU_FACT_STENCIL)
/* sgd_plan_make() must determine these facts before all others. */
#define TARGET_FACTS (SGPU_FACT_SAMPLES_TARGET | SGPU_FACT_REACHES_TARGET)
#define STATE_PATHS ((uint32_t)((UINT64_C(1) << SGPU_PATHS) - 1) & ~(COLOR_PATHS | TEXTURE_PATHS))

/* Adds `facts` (a mask of SGPU_FACT_*) to the plan, then chooses the paths that are possible with
 * all facts known so far. Only considers the paths in the mask `some`. `needs` is the union of the
 * facts that these paths require.
 */
static void
choose(struct sgd_plan *plan, uint64_t facts, uint32_t some, uint64_t needs, uint32_t off)
{
   uint32_t possible = some, left = off;

   u_foreach_bit64(n, needs & ~facts)
      possible &= ~sgpu_fact_enables[n];
   u_foreach_bit64(n, facts)
      left |= sgpu_fact_excludes[n];
   plan->facts |= facts;
   plan->paths |= possible & ~left;
   plan->left |= possible & left;
}

static bool
meets(const struct sgd_texture *t, const struct sgd_surface *s)
{
   return t && t->bo && s->valid && t->bo == s->bo && t->desc.address < s->end &&
          s->begin < t->desc.address + t->size;
}

static bool
is_target(const struct sgd_state *st, const struct sgd_texture *t)
{
   bool is = meets(t, &st->zs);

   for (unsigned c = 0; c < st->num_colors && !is; c++)
      is = meets(t, &st->color[c]);
   return is;
}

static bool
samples_target(const struct sgd_state *st, enum sgpu_stage stage)
{
   const struct sgd_texture_set *set = st->shader[stage] ? st->sets[stage] : NULL;
   bool samples = false;

   for (unsigned i = 0; set && i < set->num_textures && !samples; i++)
      samples = is_target(st, set->textures[i]);
   return samples;
}

/* Returns true if the pixel program can access the memory of a render target through an image or a
 * bindless handle.
 */
static bool
reaches_target(const struct sgd_state *st, const struct sgd_shader *ps)
{
   const struct sgd_texture_set *set = st->sets[SGPU_STAGE_PIXEL];
   const bool relative = ps->relative_textures || ps->images_read == ~0u ||
                         ps->images_written == ~0u;
   const struct sgd_handle_set *handles = relative ? st->handles : NULL;
   bool reaches = false;

   for (unsigned i = 0; set && i < set->num_images && !reaches; i++)
      reaches = is_target(st, set->images[i]);
   for (unsigned i = 0; handles && i < handles->count && !reaches; i++)
      reaches = is_target(st, handles->handle[i].texture) ||
                is_target(st, handles->handle[i].image);
   return reaches;
}

uint64_t
sgd_plan_target_facts(const struct sgd_state *st)
{
   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   const bool sampled = samples_target(st, SGPU_STAGE_PIXEL);

   return FACT(SAMPLES_TARGET, sampled || samples_target(st, SGPU_STAGE_VERTEX)) |
          FACT(REACHES_TARGET, sampled || (ps && reaches_target(st, ps)));
}

/* Returns facts that can prevent draws from being joined, for a vertex or pixel program. `of_draw`
 * is a bitmask of the system values that would be different without joining.
 */
static uint64_t
join_facts(const struct sgd_shader *program, uint32_t of_draw)
{
   const uint32_t seen = of_draw | 1u << SGPU_SYS_LANE;

   return program ? FACT(SEES_DRAW, program->reads_warp || (program->sysvals_read & seen)) |
                       FACT(ACCESSES_MEMORY, program->accesses_memory) |
                       FACT(FETCHES_TARGET, program->targets_read)
                  : 0;
}

static uint64_t
primitive_facts(const struct sgd_state *st)
{
   const struct SGPU_RASTERIZER *rast = &st->rast;
   const struct sgd_coverage_mode *m = &st->plan.coverage;
   const bool unfilled = rast->fill_front != SGPU_FILL_SOLID || rast->fill_back != SGPU_FILL_SOLID;

   return SGPU_FACT_POLYGONS | FACT(UNFILLED, unfilled) |
          FACT(SMOOTH_FILL, rast->poly_smooth && sgd_state_smooths(st)) | FACT(SMOOTH, m->smooth) |
          FACT(MULTISAMPLE, m->multisample) | FACT(SAMPLED, m->samples > 1) |
          FACT(CONSERVATIVE, m->conservative) | FACT(VIEWPORTS, st->plan.viewports) |
          FACT(STAGES, st->shader[SGPU_STAGE_TESS_CTRL] || st->shader[SGPU_STAGE_TESS_EVAL] ||
                          st->shader[SGPU_STAGE_GEOMETRY]) |
          FACT(HANDLES, st->handles) | FACT(XFB, st->xfb.num_words) |
          FACT(LINE_STIPPLE, rast->line_stipple);
}

/* Returns the facts about the pixel program of the state. */
static uint64_t
pixel_facts(const struct sgd_state *st)
{
   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   const struct sgd_plan *plan = &st->plan;
   const uint32_t of_warp = 1u << SGPU_SYS_HELPER | 1u << SGPU_SYS_SAMPLE_MASK |
                            1u << SGPU_SYS_LANE;
   const uint64_t facts = FACT(INTERLOCK, st->shader_desc[SGPU_STAGE_PIXEL].interlock) |
                          FACT(EXCLUSIVE, plan->coverage.exclusive) |
                          FACT(STORES, plan->order.masks) | FACT(SHADES, plan->color) |
                          FACT(ALPHA_TEST, plan->alpha.test) | FACT(LATE, plan->late) |
                          FACT(COUNTS_EARLY, plan->zs_mode.count_early);

   if (!ps)
      return facts;
   return facts | FACT(WRITES_MEMORY, ps->writes_memory) |
          FACT(CROSSES_LANES, plan->shades && ps->reads_warp) |
          FACT(SEES_WARP, ps->reads_warp || (ps->sysvals_read & of_warp)) |
          FACT(PRESETS, ps->sysvals_read) | FACT(ASKS, ps->interpolates || ps->targets_read) |
          FACT(WRITES_DEPTH, ps->writes_depth || ps->writes_stencil) |
          FACT(DROPS, ps->uses_kill || plan->alpha.test || plan->alpha.to_coverage ||
                         (ps->writes_sample_mask && sgd_state_multisamples(st))) |
          FACT(CONSTANT, plan->shades && !ps->inputs_read && !ps->sysvals_read && !ps->reads_warp) |
          FACT(COPIES, plan->shades && ps->copies && plan->outputs == 1);
}

/* Returns the facts about the depth and stencil tests. If the depth bounds test can reject
 * fragments, it doesn't matter if the depth test can, too, so EFFECTS and COMPARISON are not set.
 */
static uint64_t
test_facts(const struct sgd_state *st)
{
   const struct sgd_plan *plan = &st->plan;
   const struct sgd_zs_plan *p = &plan->rop.zs;
   const bool bounds = p->bounds && plan->zs_mode.reject_bounds;

   if (!(plan->early || plan->late))
      return 0;
   return FACT(COMPARES, p->depth || p->bounds) | FACT(STENCIL, p->stencil) |
          FACT(BOUNDS, p->bounds) |
          FACT(DEPTH_FORMAT, p->path == SGD_ZS_ANY && !p->stencil && !p->bounds) |
          FACT(STENCIL_FORMAT, p->format.bytes != 4 || p->format.depth_bits != 24) |
          FACT(EFFECTS, !plan->zs_mode.reject && !bounds) |
          FACT(COMPARISON, !sgd_comparison_rejects(p->func) && !bounds) |
          FACT(NOT_LESS, p->func != SGPU_COMPARE_LESS && p->func != SGPU_COMPARE_LEQUAL) |
          FACT(DEPTH_CLAMP, st->rast.depth_clamp);
}

/* Returns true if a depth value that is known to pass the early test can be stored without testing
 * it.
 */
static bool
stores_known_depths(const struct sgd_plan *plan, uint64_t facts, uint32_t off)
{
   const struct sgpu_path_info *quick = &sgpu_paths[SGPU_PATH_QUICK];

   return !(quick->needs & ~facts) && !(quick->unless & facts) && plan->rop.zs.write &&
          plan->rop.zs.path != SGD_ZS_ANY && !(off & (PATH(QUICK) | PATH(ZCULL) | PATH(DEPTH)));
}

static uint64_t
color_facts(const struct sgd_color_plan *p)
{
   return SGPU_FACT_STORES | FACT(BLENDS, p->blend) | FACT(LOGIC, p->logic) |
          FACT(COLOR_FORMAT, p->codec.path != SGD_CODEC_UNORM8) |
          FACT(FACTORS, p->form == SGD_BLEND_ANY) | FACT(OPAQUE_BLENDS, !p->opaque_replaces) |
          FACT(CLEAR_BLENDS, !p->zeros);
}

/* Adds the paths of the color targets to the plan. In the part of the plan that the ROP uses,
 * disables all paths in `off`.
 */
static void
choose_rop(struct sgd_plan *plan, unsigned num_colors, uint32_t off)
{
   for (unsigned i = 0; i < num_colors; i++) {
      struct sgd_color_plan *p = &plan->rop.color[i];
      if (!p->active)
         continue;
      choose(plan, color_facts(p), COLOR_PATHS, COLOR_NEEDS, off);
      p->bytes &= !(off & PATH(BYTES));
      p->form = off & PATH(FORM) ? SGD_BLEND_ANY : p->form;
      p->opaque_replaces &= !(off & PATH(OPAQUE));
      p->zeros = off & PATH(CLEAR) ? 0 : p->zeros;
   }
   if (off & PATH(DEPTH) && plan->rop.zs.path != SGD_ZS_PASS)
      plan->rop.zs.path = SGD_ZS_ANY;
}

/* Returns the facts about a texture and its sampler. */
static uint64_t
sampler_facts(const struct sgd_sampler *sampler, const struct sgd_texture *t)
{
   const unsigned plan = sampler->plan, linear = SGD_SAMPLER_ONE_FILTER | SGD_SAMPLER_LINEAR;

   return FACT(FILTERS, !(plan & SGD_SAMPLER_PLAIN)) |
          FACT(WRAPS, !(plan & SGD_SAMPLER_FAST_WRAPS)) |
          FACT(UNNORMALIZED, !(plan & SGD_SAMPLER_NORMALIZED)) |
          FACT(TWO_FILTERS, (plan & linear) != linear) |
          FACT(MINIFIES,
               !(plan & SGD_SAMPLER_ONE_LEVEL) && t->desc.first_level != t->desc.last_level);
}

/* Adds the paths of the textures that a program uses. Texture i is always used with sampler i.
 * Which paths are possible for the texture itself is already decided when it is bound.
 */
static void
choose_textures(struct sgd_state *st, enum sgpu_stage stage, uint32_t off)
{
   const struct sgd_texture_set *set = st->sets[stage];

   for (unsigned i = 0; set && i < set->num_textures; i++) {
      const struct sgd_texture *t = set->textures[i];
      if (!t || !(st->shader[stage]->textures[i / 32] >> i % 32 & 1))
         continue;
      choose(&st->plan, t->facts | sampler_facts(&set->samplers[i], t), TEXTURE_PATHS,
             TEXTURE_NEEDS, off);
   }
}

/* Returns a bitmask of the color targets whose elements are completely overwritten by each
 * fragment.
 */
static unsigned
replaced_targets(const struct sgd_state *st)
{
   unsigned replaced = 0;

   if (st->plan.order.role != SGD_ORDER_LATER || st->plan.late)
      return 0;
   for (unsigned i = 0; i < st->num_colors; i++) {
      const struct sgd_color_plan *p = &st->plan.rop.color[i];
      replaced |= (unsigned)(p->active && p->whole && !p->logic) << i;
   }
   return replaced;
}

void
sgd_plan_find_paths(struct sgd_state *st, uint32_t off)
{
   const struct sgd_shader *vs = st->shader[SGPU_STAGE_VERTEX];
   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   struct sgd_plan *plan = &st->plan;

   uint64_t facts = (plan->facts & TARGET_FACTS) | join_facts(vs, 1u << SGPU_SYS_BASE_VERTEX) |
                    join_facts(ps, 1u << SGPU_SYS_PRIMITIVE_ID) | primitive_facts(st) |
                    pixel_facts(st) | test_facts(st);
   for (unsigned i = 0; i < st->num_colors; i++) {
      const struct sgd_color_plan *p = &plan->rop.color[i];
      facts |= FACT(PARTIAL, p->active && !p->whole) | FACT(LOGIC, p->active && p->logic);
   }
   facts |= FACT(READS_COLOR, plan->order.reads) |
            FACT(STORED_DEPTHS, plan->early && !stores_known_depths(plan, facts, off));
   plan->facts = plan->paths = plan->left = 0;
   choose(plan, facts, STATE_PATHS, STATE_NEEDS, off);
   assert(sgd_plan_has(plan, SGPU_PATH_WAIT) ==
          (plan->order.role == SGD_ORDER_LATER && !(off & PATH(WAIT))));

   plan->replaced = sgd_plan_has(plan, SGPU_PATH_REPLACE) ? replaced_targets(st) : 0;
   if (plan->order.role == SGD_ORDER_LATER && !sgd_plan_has(plan, SGPU_PATH_WAIT))
      plan->order.role = SGD_ORDER_NOW;
   choose_rop(plan, st->num_colors, off);
   for (unsigned s = 0; s < SGPU_STAGE_COMPUTE; s++) {
      if (st->shader[s])
         choose_textures(st, s, off);
   }
}

/* Returns the paths that this primitive type can't use, because they are only for polygons. */
static uint32_t
unused_paths(enum sgpu_primitive primitive)
{
   switch (primitive) {
   case SGPU_PRIMITIVE_POINTS:
   case SGPU_PRIMITIVE_LINES:
   case SGPU_PRIMITIVE_LINE_LOOP:
   case SGPU_PRIMITIVE_LINE_STRIP:
   case SGPU_PRIMITIVE_LINES_ADJACENCY:
   case SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY:
      return SGPU_PATHS_OF_POLYGONS;
   default:
      return 0;
   }
}

uint32_t
sgd_plan_draw_paths(const struct sgd_plan *plan, enum sgpu_primitive primitive)
{
   return plan->paths & ~unused_paths(primitive);
}

uint32_t
sgd_plan_draw_left(const struct sgd_plan *plan, enum sgpu_primitive primitive)
{
   return plan->left & ~unused_paths(primitive);
}
