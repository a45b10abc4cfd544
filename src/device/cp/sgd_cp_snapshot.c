/* SPDX-License-Identifier: MIT */
/*
 * Command processor: immutable copies of the state for draws, and the values that are derived
 * from a state for the engines.
 */
#include <stdlib.h>
#include <string.h>

#include "sgd_cp.h"
#include "sgd_located.h"
#include "sgd_order.h"
#include "sgd_rop.h"
#include "util/macros.h"

static void
state_release(struct sgd_state *state)
{
   sgd_handle_set_unref(state->handles);
   for (unsigned s = 0; s < SGD_STAGES; s++) {
      sgd_texture_set_unref(state->sets[s]);
      sgd_shader_unref(state->shader[s]);
      sgd_env_unref_banks(&state->env[s]);
   }
}

static void
state_destroy(struct sgd_state *state)
{
   struct sgd_snapshot *snapshot = container_of(state, struct sgd_snapshot, state);

   state_release(state);
   sgd_spares_give(snapshot->home, snapshot);
}

void
sgd_cp_state_reset(struct sgd_cp *cp)
{
   sgd_state_unref(cp->snapshot);
   cp->snapshot = NULL;
   sgd_predicate_unref(cp->predicate);
   cp->predicate = NULL;
   state_release(&cp->cur);
   sgd_cp_contexts_reset(cp);
   memset(&cp->cur, 0, offsetof(struct sgd_state, xfb) + sizeof(cp->cur.xfb.num_words));
   for (unsigned s = 0; s < ARRAY_SIZE(cp->cur.link); s++)
      cp->cur.link[s].num_inputs = 0;
   cp->xfb.num_elements = 0;
   memset(cp->xfb.stride, 0, sizeof(cp->xfb.stride));
   memset(cp->xfb.buffer, 0, sizeof(cp->xfb.buffer));
   cp->cur.sample_mask = ~0u;
   cp->cur.samples = 1;
   cp->have_framebuffer = false;
   cp->dirty = true;
}

bool
sgd_cp_writes_memory(const struct sgd_state *st)
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

/* Returns the operations on alpha.  The coverage of smooth primitives multiplies the alpha of all
 * colours that are not integers (GL 3.0, section 3.14).  The alpha test uses the first colour.
 */
static struct sgd_alpha_mode
alpha_mode(const struct sgd_state *st, const struct sgd_shader *ps)
{
   const bool first_is_int = st->num_colors && st->color[0].valid &&
                             util_format_is_pure_integer(st->color[0].pformat);
   struct sgd_alpha_mode mode = { .clamp = true, .cover = 0xff };

   /* The alpha test and alpha to coverage ignore integer colours. */
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

/* Returns true if the pixel program can read memory of a target as a texture or an image. */
static bool
reads_target(const struct sgd_state *st, const struct sgd_shader *ps)
{
   const struct sgd_texture_set *set = st->sets[SGPU_STAGE_PIXEL];
   const bool relative = ps->relative_textures || ps->images_read == ~0u ||
                         ps->images_written == ~0u;
   const struct sgd_handle_set *handles = relative ? st->handles : NULL;
   bool reads = false;

   for (unsigned i = 0; set && i < set->num_textures && !reads; i++)
      reads = is_target(st, set->textures[i]);
   for (unsigned i = 0; set && i < set->num_images && !reads; i++)
      reads = is_target(st, set->images[i]);
   for (unsigned i = 0; handles && i < handles->count && !reads; i++)
      reads = is_target(st, handles->handle[i].texture) || is_target(st, handles->handle[i].image);
   return reads;
}

/* Returns true if the program of the stage computes the same results in joined and in separate
 * draws.  Also returns true for a pixel stage without a program.
 */
static bool
stage_joins(const struct sgd_state *st, enum sgpu_stage stage)
{
   const uint32_t of_draw = stage == SGPU_STAGE_VERTEX ? 1u << SGPU_SYS_BASE_VERTEX
                                                       : 1u << SGPU_SYS_PRIMITIVE_ID;
   const struct sgd_shader *program = st->shader[stage];
   const struct sgd_texture_set *set = st->sets[stage];
   bool reads = false;

   if (!program)
      return stage == SGPU_STAGE_PIXEL;
   if (program->reads_warp || program->accesses_memory || program->targets_read ||
       (program->sysvals_read & (of_draw | 1u << SGPU_SYS_LANE)))
      return false;
   for (unsigned i = 0; set && i < set->num_textures && !reads; i++)
      reads = is_target(st, set->textures[i]);
   return !reads;
}

static bool
joins(const struct sgd_state *st)
{
   for (unsigned s = SGPU_STAGE_VERTEX; s < SGPU_STAGE_COMPUTE; s++) {
      const bool may = s == SGPU_STAGE_VERTEX || s == SGPU_STAGE_PIXEL;
      if (may ? !stage_joins(st, s) : st->shader[s] != NULL)
         return false;
   }
   return !st->handles && !st->xfb.num_words && !st->rast.line_stipple &&
          !st->shader_desc[SGPU_STAGE_PIXEL].interlock;
}

static struct sgd_order
order_of(const struct sgd_state *st, const struct sgd_early_key *early)
{
   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   const uint32_t of_warp = 1u << SGPU_SYS_HELPER | 1u << SGPU_SYS_SAMPLE_MASK |
                            1u << SGPU_SYS_LANE;
   struct sgd_order_key key = {
      .reads_target = ps && (reads_target(st, ps) || ps->targets_read ||
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
      const struct sgd_color_plan *p = &st->rop.color[i];
      if (!p->active)
         continue;
      key.masks |= (uint32_t)st->color_write_mask[i] << 4 * i;
      key.partial |= !p->whole;
      key.reads_color |= p->reads || (p->logic && sgd_logic_reads(p->logic_op));
   }
   return sgd_decide_order(&key);
}

/* Sets the derived members of the state: when depth and stencil are tested, which colours are
 * written and how, and what the order of fragments depends on.
 */
static void
derive(struct sgd_state *st)
{
   const struct SGPU_SHADER *desc = &st->shader_desc[SGPU_STAGE_PIXEL];
   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   const bool depth = st->zs.valid && util_format_has_depth(st->zs.desc);
   const bool stencil = st->zs.valid && util_format_has_stencil(st->zs.desc);
   const struct SGPU_STENCIL_FACE *front = &st->dsa.front, *back = &st->dsa.back;

   st->writes_memory = sgd_cp_writes_memory(st);
   st->joins = joins(st);
   st->alpha = alpha_mode(st, ps);
   const struct sgd_early_key key = {
      .zs_bound = st->zs.valid,
      .depth_test = depth && st->dsa.depth_test,
      .depth_write = depth && st->dsa.depth_test && st->dsa.depth_write,
      .stencil_test = stencil && front->enable,
      .bounds_test = depth && st->dsa.bounds_test,
      .stencil_write = stencil && front->enable &&
                       (writes_stencil(front) || (back->enable && writes_stencil(back))),
      .ps_kill = (ps && ps->uses_kill) || st->alpha.test,
      .ps_writes_depth = ps && ps->writes_depth,
      .ps_writes_stencil = ps && ps->writes_stencil,
      .ps_writes_sample_mask = ps && ps->writes_sample_mask && sgd_state_multisamples(st),
      .ps_writes_memory = ps && ps->writes_memory,
      .ps_reads_zs = ps && (ps->targets_read >> SGD_MAX_COLORS & 1),
      .ps_early_tests = desc->early_tests,
      .alpha_to_coverage = st->alpha.to_coverage,
   };
   st->zs_mode = sgd_decide_zs(&key);

   for (unsigned i = 0; i < SGD_MAX_COLORS; i++) {
      const bool output = ps && (desc->broadcast_color ? desc->color_outputs > 0
                                                       : i < desc->color_outputs);
      const bool bound = i < st->num_colors && st->color[i].valid;
      st->color_write_mask[i] = bound && output ? st->blend_target[i].write_mask : 0;
   }
   sgd_rop_prepare(st);
   st->order = order_of(st, &key);
   sgd_cp_bound_draws(st);
}

static void
bind_set(struct sgd_env *env, const struct sgd_texture_set *set)
{
   env->textures = (const struct sgd_texture *const *)set->textures;
   env->samplers = set->samplers;
   env->buffers = set->has_buffers ? set->buffers : NULL;
   env->images = set->num_images ? (const struct sgd_texture *const *)set->images : NULL;
}

struct sgd_env
sgd_cp_env(const struct sgd_state *st, enum sgpu_stage stage)
{
   struct sgd_env env = st->env[stage];

   if (st->sets[stage])
      bind_set(&env, st->sets[stage]);
   env.handles = st->handles;
   return env;
}

/* Copies the members of struct sgd_state from `first` up to, but not including, `behind`. */
#define COPY_FIELDS(to, from, first, behind) \
   memcpy(&(to)->first, &(from)->first,      \
          offsetof(struct sgd_state, behind) - offsetof(struct sgd_state, first))

/* Copies the members that draws read, which are about half of the bytes.  Omits the constants of
 * stages without a program, and the unused elements of some arrays.
 */
static void
copy_state(struct sgd_state *to, const struct sgd_state *from)
{
   COPY_FIELDS(to, from, num_colors, env);
   for (unsigned s = 0; s < SGD_STAGES; s++) {
      if (from->shader[s])
         to->env[s] = from->env[s];
      else
         to->env[s].versioned = 0;
   }
   COPY_FIELDS(to, from, sets, element);
   memcpy(to->element, from->element, from->num_elements * sizeof(to->element[0]));
   to->num_vertex_buffers = from->num_vertex_buffers;
   memcpy(to->vertex_buffer, from->vertex_buffer,
          from->num_vertex_buffers * sizeof(to->vertex_buffer[0]));
   to->num_varyings = from->num_varyings;
   memcpy(to->varying, from->varying, from->num_varyings * sizeof(to->varying[0]));
   COPY_FIELDS(to, from, tess_levels, xfb);

   to->xfb.num_words = from->xfb.num_words;
   if (from->xfb.num_words)
      to->xfb = from->xfb;
   for (unsigned s = SGPU_STAGE_TESS_CTRL; s <= SGPU_STAGE_GEOMETRY; s++) {
      if (from->shader[s])
         to->link[s] = from->link[s];
   }
}

struct sgd_state *
sgd_cp_snapshot(struct sgd_cp *cp)
{
   if (!cp->dirty && cp->snapshot) {
      sgd_ref(&cp->snapshot->refs);
      return cp->snapshot;
   }

   derive(&cp->cur);
   struct sgd_snapshot *snapshot = sgd_spares_take(&cp->dispatch->spare_snapshots);
   if (!snapshot)
      return NULL;
   snapshot->home = &cp->dispatch->spare_snapshots;
   struct sgd_state *state = &snapshot->state;
   copy_state(state, &cp->cur);
   if (state->handles)
      sgd_ref(&state->handles->refs);
   for (unsigned s = 0; s < SGD_STAGES; s++) {
      state->env[s].handles = state->handles;
      if (state->sets[s]) {
         sgd_ref(&state->sets[s]->refs);
         bind_set(&state->env[s], state->sets[s]);
      }
      if (state->shader[s])
         sgd_ref(&state->shader[s]->refs);
      sgd_env_ref_banks(&state->env[s]);
   }
   sgd_state_unref(cp->snapshot);
   state->refs = 2;
   state->destroy = state_destroy;
   cp->snapshot = state;
   cp->dirty = false;
   return state;
}
