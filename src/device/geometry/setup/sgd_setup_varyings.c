/* SPDX-License-Identifier: MIT */
/*
 * Setup: computes how the planes, flat values and constants of a draw's primitives are stored.
 */
#include "geometry/setup/sgd_setup_varyings.h"

#include <string.h>

#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_state.h"
#include "common/sgd_varyings.h"
#include "util/macros.h"

/* The bits of 1.0f. */
#define ONE 0x3f800000u

/* Interpolation of an input component. */
enum { PERSPECTIVE, LINEAR, FLAT, CONSTANT };

static int
classify(const struct sgd_state *state, unsigned n, bool written)
{
   const struct SGPU_VARYING *v = &state->varying[n];

   if (v->source == SGPU_VARYING_SOURCE_DEFAULT)
      return CONSTANT;
   if (v->source == SGPU_VARYING_SOURCE_POINT_COORD)
      return v->interpolation == SGPU_INTERPOLATION_PERSPECTIVE ? PERSPECTIVE : LINEAR;
   if (!written)
      return CONSTANT;
   if (v->interpolation == SGPU_INTERPOLATION_FLAT || (state->rast.force_flat >> n & 1))
      return FLAT;
   return v->interpolation == SGPU_INTERPOLATION_LINEAR ? LINEAR : PERSPECTIVE;
}

static void
add_kind(struct sgd_varyings *v, unsigned *count, const struct sgd_state *state, uint64_t outputs,
         int kind)
{
   for (unsigned n = 0; n < state->num_varyings; n++) {
      const struct SGPU_VARYING *varying = &state->varying[n];
      const bool point_coord = varying->source == SGPU_VARYING_SOURCE_POINT_COORD;
      /* For lines and triangles, a point coordinate without a corresponding output is (0, 0, 0, 1).
       */
      const bool written = (outputs >> varying->output & 1) &&
                           !(point_coord && varying->output == SGPU_VO_HPOS);

      if (classify(state, n, written) != kind)
         continue;
      for (unsigned comp = 0; comp < 4; comp++) {
         if (!(varying->mask >> comp & 1))
            continue;
         v->ref[(*count)++] = (struct sgd_varying_ref){
            .input = n,
            .comp = comp,
            .output = varying->output,
            .out_comp = comp,
            .used = true,
            .constant = !written,
            .point_coord = point_coord ? comp + 1 : 0,
            .value = comp == 3 ? ONE : 0,
         };
      }
   }
   /* Pad to groups of four, so that loops over planes can process four at a time. */
   while (kind != FLAT && *count % 4)
      v->ref[(*count)++] = (struct sgd_varying_ref){ .constant = true };
}

void
sgd_varyings_init(struct sgd_varyings *v, const struct sgd_state *state)
{
   const struct sgd_shader *last = sgd_state_last(state);
   const struct sgd_shader *ps = state->shader[SGPU_STAGE_PIXEL];
   const uint64_t outputs = last ? last->outputs_written : 0;
   uint8_t unnamed[SGD_MAX_VARYINGS] = { 0 };
   unsigned count = 0;

   if (ps)
      memcpy(unnamed, ps->input_mask, sizeof(unnamed));
   for (unsigned n = 0; n < state->num_varyings; n++)
      unnamed[n] &= ~state->varying[n].mask;

   add_kind(v, &count, state, outputs, PERSPECTIVE);
   v->linear = count;
   add_kind(v, &count, state, outputs, LINEAR);
   v->num_planes = count;
   memset(v->plane, SGD_NO_PLANE, sizeof(v->plane));
   for (unsigned k = 0; k < count; k++) {
      if (v->ref[k].used)
         v->plane[v->ref[k].input][v->ref[k].comp] = k;
   }
   add_kind(v, &count, state, outputs, FLAT);
   v->num_flat = count - v->num_planes;
   sgd_varyings_find_lanes(v);

   v->num_constants = 0;
   for (unsigned n = 0; n < state->num_varyings; n++) {
      const struct SGPU_VARYING *varying = &state->varying[n];
      const bool one = varying->source != SGPU_VARYING_SOURCE_DEFAULT || varying->default_w_one;

      if (classify(state, n, outputs >> varying->output & 1) != CONSTANT)
         continue;
      for (unsigned comp = 0; comp < 4; comp++) {
         if (!(varying->mask >> comp & 1))
            continue;
         v->constant[v->num_constants].input = n;
         v->constant[v->num_constants].comp = comp;
         v->constant[v->num_constants].value = comp == 3 && one ? ONE : 0;
         v->num_constants++;
      }
   }

   /* Components that the program reads, but that no varying provides, are 0. */
   for (unsigned n = 0; n < SGD_MAX_VARYINGS; n++) {
      for (unsigned comp = 0; comp < 4; comp++) {
         if (!(unnamed[n] >> comp & 1))
            continue;
         v->constant[v->num_constants].input = n;
         v->constant[v->num_constants].comp = comp;
         v->constant[v->num_constants].value = 0;
         v->num_constants++;
      }
   }

   v->prim_size = ALIGN_POT(sizeof(struct sgd_prim) +
                               (3 * v->num_planes + v->num_flat) * sizeof(float),
                            16);
}
