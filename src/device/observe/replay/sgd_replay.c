/* SPDX-License-Identifier: MIT */
/*
 * Tests and writes fragments whose depths and colours are already known, for shadows.
 */
#include "observe/replay/sgd_replay.h"

#include <string.h>

#include "pixel/rop/sgd_rop_warp.h"
#include "common/sgd_lanes.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"
#include "xfer/sgd_tile_expand.h"

/* Fragments of a block at one of the sample positions. */
struct fragments {
   uint32_t cover, dropped, colored; /* lane masks, as in struct sgpu_shadow_block */
   const float *z;                   /* depth of each lane */
   const uint32_t *color, *stencil;  /* program outputs for this sample, or NULL */
};

static const float no_depths[SGD_WARP];

/* If the tile around the block is fast-cleared in any target, stores its clear value to memory. */
static void
open_targets(struct sgd_worker *worker, const struct sgd_replay *r,
             const struct sgpu_shadow_block *b)
{
   const struct sgd_state *st = r->state;

   for (unsigned i = 0; i < st->num_colors; i++) {
      if (st->plan.rop.color[i].active)
         sgd_tile_resolve(worker, &st->color[i], b->x, b->y, r->draw->layer);
   }
   if (r->test)
      sgd_tile_resolve(worker, &st->zs, b->x, b->y, r->draw->layer);
}

static void
find_fragments(const struct sgd_replay *r, const struct sgpu_shadow_block *b, unsigned sample,
               struct fragments *f)
{
   const struct sgpu_shadow_draw *d = r->draw;
   const unsigned samples = r->state->samples;
   const unsigned run = d->color_samples > 1 ? sample : 0;

   f->cover = b->mask & (b->cover ? b->cover[sample] : ~0u);
   f->dropped = b->cover ? b->cover[samples + sample] : b->dropped;
   f->colored = b->color ? (b->cover ? b->cover[2 * samples + sample] : b->colored) : 0;
   f->z = b->depth ? (const float *)b->depth + (d->depth_samples > 1 ? sample * SGD_WARP : 0)
                   : no_depths;
   f->color = b->color ? b->color + run * d->colors * 4 * SGD_WARP : NULL;
   f->stencil = b->stencil ? b->stencil + run * SGD_WARP : NULL;
}

/* Runs the depth test. If two depths are equal, the primitive numbers decide which fragment passes.
 * Stores the depths that pass, and updates `owner`. Returns the mask of lanes that pass.
 */
static uint32_t
test_ties(struct sgd_worker *worker, const struct sgd_replay *r, const struct sgd_quads *quads,
          const float *z, uint32_t *owner, uint32_t lanes)
{
   struct sgd_zs_plan *p = &r->state->plan.rop.zs;
   const struct sgd_zs_plan plan = *p;
   const bool last = r->draw->ties == SGPU_SHADOW_TIES_LAST;
   const uint32_t me = r->draw->number + 1;

   p->func = SGPU_COMPARE_EQUAL;
   p->write = false;
   uint32_t equal = sgd_zs_test(worker, r->state, quads, z, NULL, lanes);
   *p = plan;
   uint32_t passed = sgd_zs_test(worker, r->state, quads, z, NULL, lanes & ~equal);
   while (equal) {
      const unsigned l = u_bit_scan(&equal);
      if (last ? me > owner[l] : me < owner[l])
         passed |= 1u << l;
   }
   for (unsigned l = 0; l < SGD_WARP; l++)
      owner[l] = passed & (1u << l) ? me : owner[l];
   return passed;
}

/* Returns a bitmask of the pixel program's colour outputs that the targets use. */
static uint32_t
outputs_read(const struct sgd_state *st)
{
   uint32_t read = 0;

   for (unsigned i = 0; i < st->num_colors; i++) {
      const struct sgd_color_plan *p = &st->plan.rop.color[i];
      if (p->active)
         read |= 1u << (p->source - SGPU_PO_COLR0) | (p->dual ? 2 : 0);
   }
   return read;
}

static void
write_colors(struct sgd_worker *worker, const struct sgd_replay *r, const struct sgd_quads *quads,
             const struct fragments *f, uint32_t read, uint32_t lanes)
{
   static const float poison[4] = SGPU_SHADOW_POISON;
   struct sgd_vec out[SGPU_PO_COLR0 + SGD_MAX_COLORS];
   const uint32_t poisoned = lanes & ~f->colored;

   while (read) {
      const unsigned n = u_bit_scan(&read);
      struct sgd_vec *v = &out[SGPU_PO_COLR0 + n];

      if (f->color && n < r->draw->colors) {
         memcpy(v, f->color + n * 4 * SGD_WARP, sizeof(*v));
      } else {
         memset(v, 0, sizeof(*v));
         for (unsigned l = 0; l < SGD_WARP; l++)
            v->c[3][l] = SGPU_FP_ONE_BITS;
      }
      for (unsigned c = 0; poisoned && c < 4; c++) {
         uint32_t bits;
         memcpy(&bits, &poison[c], sizeof(bits));
         for (unsigned l = 0; l < SGD_WARP; l++)
            v->c[c][l] = poisoned & (1u << l) ? bits : v->c[c][l];
      }
   }
   sgd_color_write(worker, r->state, quads, out, lanes);
}

static void
place_quads(struct sgd_quads *quads, const struct sgpu_shadow_block *b)
{
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      quads->x[q] = b->x + (q & 3) * 2;
      quads->y[q] = b->y + (q >> 2) * 2;
   }
}

/* Writes the colours of one target. All other targets are disabled during the call. */
static void
write_target(struct sgd_worker *worker, const struct sgd_replay *r, const struct sgd_quads *quads,
             const struct fragments *f, uint32_t lanes)
{
   struct sgd_state *st = r->state;
   uint32_t off = 0;

   for (unsigned i = 0; i < st->num_colors; i++) {
      if (i == r->target || !st->plan.rop.color[i].active)
         continue;
      st->plan.rop.color[i].active = false;
      off |= 1u << i;
   }
   write_colors(worker, r, quads, f, outputs_read(st), lanes);
   while (off)
      st->plan.rop.color[u_bit_scan(&off)].active = true;
}

static void
run_part(struct sgd_worker *worker, const struct sgd_replay *r, struct sgd_quads *quads)
{
   const struct sgpu_shadow_block *b = &r->blocks[0];
   struct fragments f;

   place_quads(quads, b);
   open_targets(worker, r, b);
   find_fragments(r, b, r->sample, &f);
   uint32_t lanes = *r->lanes & f.cover &
                    (r->part == SGD_REPLAY_TEST && !r->late ? ~0u : ~f.dropped);
   quads->sample = r->sample;
   quads->mask = lanes;
   if (r->part == SGD_REPLAY_COLOR) {
      r->result->fragments += util_bitcount(lanes);
      r->result->passed += util_bitcount(lanes);
      if (lanes)
         write_target(worker, r, quads, &f, lanes);
      r->result->poisoned += util_bitcount(lanes & ~f.colored);
      return;
   }
   r->result->fragments += util_bitcount(lanes);
   if (lanes && r->test)
      lanes = sgd_zs_test(worker, r->state, quads, f.z, f.stencil, lanes);
   *r->lanes = lanes & ~f.dropped;
   r->result->passed += util_bitcount(*r->lanes);
}

void
sgd_replay_run(struct sgd_worker *worker, const struct sgd_replay *r)
{
   const struct sgd_state *st = r->state;
   const uint32_t read = outputs_read(st);
   struct sgd_quads quads = {
      .count = SGD_QUADS,
      .front = r->draw->front ? 0xff : 0,
      .block = true,
      .distinct = true,
      .layer = r->draw->layer,
   };

   if (r->part != SGD_REPLAY_ALL) {
      run_part(worker, r, &quads);
      return;
   }
   for (unsigned i = 0; i < r->count; i++) {
      const struct sgpu_shadow_block *b = &r->blocks[i];

      place_quads(&quads, b);
      open_targets(worker, r, b);
      for (unsigned s = 0; s < st->samples; s++) {
         struct fragments f;
         find_fragments(r, b, s, &f);
         uint32_t lanes = r->late ? f.cover & ~f.dropped : f.cover;
         if (!lanes)
            continue;
         quads.sample = s;
         quads.mask = lanes;
         r->result->fragments += util_bitcount(lanes);
         if (r->test && r->owners) {
            uint32_t *owner = r->owners + s * r->owners_plane +
                              ((uint64_t)(b->y / SGD_BLOCK_H) * r->blocks_across +
                               b->x / SGD_BLOCK_W) *
                                 SGD_WARP;
            lanes = test_ties(worker, r, &quads, f.z, owner, lanes);
         } else if (r->test) {
            lanes = sgd_zs_test(worker, st, &quads, f.z, f.stencil, lanes);
         }
         lanes &= ~f.dropped;
         if (!lanes)
            continue;
         r->result->passed += util_bitcount(lanes);
         /* If the targets use no colour output, there is nothing to write or to poison. */
         if (!read)
            continue;
         r->result->poisoned += util_bitcount(lanes & ~f.colored);
         write_colors(worker, r, &quads, &f, read, lanes);
      }
   }
}
