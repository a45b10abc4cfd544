/* SPDX-License-Identifier: MIT */
/*
 * Command processor: makes immutable copies of the current state for draws.
 */
#include <stdlib.h>
#include <string.h>

#include "control/plan/sgd_plan_make.h"
#include "control/cp/sgd_cp.h"
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

/* Copies all members of struct sgd_state from `first` up to the member before `behind`. */
#define COPY_FIELDS(to, from, first, behind) \
   memcpy(&(to)->first, &(from)->first,      \
          offsetof(struct sgd_state, behind) - offsetof(struct sgd_state, first))

/* Copies everything that draws need, which is about half of the state. Unused array elements, and
 * the constants of stages without a program, are not copied.
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
   to->tess_levels = from->tess_levels;
   to->observed = 0;

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
   if (cp->snapshot && !cp->replan)
      state->plan = cp->snapshot->plan;
   else
      sgd_plan_make(state, cp->params->no_paths);
   sgd_state_unref(cp->snapshot);
   state->refs = 2;
   state->destroy = state_destroy;
   cp->snapshot = state;
   cp->dirty = cp->replan = false;
   return state;
}
