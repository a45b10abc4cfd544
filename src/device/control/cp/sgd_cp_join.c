/* SPDX-License-Identifier: MIT */
/*
 * Command processor: joins small draws without packets between them into one operation with a
 * single batch. This doesn't change the result, because the draws have the same state, each one is
 * a separate strip that is rasterized in draw order, and the statistics count the same vertices.
 * Path `join` of the plan is only set if the programs can't observe the difference.
 *
 * Programs that might exceed the watchdog's limit are excluded, because the error must name a
 * single draw. Draws are never joined on a device with an observer, which records each draw
 * separately.
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/cut/sgd_ia_cut.h"
#include "control/cp/sgd_cp_work.h"
#include "common/sgd_once.h"

/* Returns true if a warp can never exceed the watchdog's instruction limit, because the program has
 * no loops and is short enough.
 */
static bool
ends(const struct sgd_cp *cp, const struct sgd_shader *program)
{
   return !program ||
          (!program->branches && program->num_instrs <= cp->params->watchdog_instructions);
}

/* Returns true if the draw is simple enough to be joined with other draws, and has at most
 * `elements` indices or vertices.
 */
static bool
joins(const struct SGPU_DRAW *p, uint32_t elements)
{
   const struct sgd_topology topo = sgd_ia_topology(p->primitive, 0);

   return p->primitive != SGPU_PRIMITIVE_PATCHES && p->instances == 1 && !p->count_address &&
          !(p->restart && p->index_size != SGPU_INDEX_SIZE_NONE) && p->count <= elements &&
          p->count >= (uint32_t)topo.lead + topo.step;
}

/* Reads the packet at word `pos` of the command stream. Returns false if it isn't a valid DRAW
 * packet.
 */
static bool
read_draw(const struct sgd_cp *cp, uint32_t pos, struct SGPU_DRAW *draw)
{
   const uint32_t *in = (const uint32_t *)(cp->memory->base + cp->sub->address) + pos;
   uint32_t words[SGPU_DRAW_LENGTH];

   if (cp->sub->words - pos < SGPU_DRAW_LENGTH)
      return false;
   words[0] = sgd_read_once32(in);
   if ((words[0] & 0xff) != SGPU_PACKET_DRAW || sgpu_packet_check(words, SGPU_DRAW_LENGTH))
      return false;
   sgd_copy_once(words + 1, in + 1, sizeof(words) - sizeof(words[0]));
   return !SGPU_DRAW_unpack(words, draw);
}

static bool
alike(const struct SGPU_DRAW *a, const struct SGPU_DRAW *b)
{
   return a->primitive == b->primitive && a->index_size == b->index_size &&
          a->first_instance == b->first_instance && a->conditional == b->conditional;
}

static struct sgd_draw_part
part_of(const struct SGPU_DRAW *p, const struct sgd_span *indices)
{
   return (struct sgd_draw_part){
      .indices = *indices,
      .first = p->first,
      .count = p->count,
      .bias = p->index_bias,
   };
}

void
sgd_cp_join(struct sgd_cp *cp, struct sgd_draw *draw)
{
   const struct SGPU_DRAW *first = &draw->packet;
   const struct sgd_state *st = draw->state;

   if (!sgd_plan_has(&st->plan, SGPU_PATH_JOIN) || cp->params->observer || draw->count ||
       draw->numbers || !joins(first, SGD_JOIN_ELEMENTS) ||
       !ends(cp, st->shader[SGPU_STAGE_VERTEX]) || !ends(cp, st->shader[SGPU_STAGE_PIXEL]))
      return;

   uint32_t elements = first->count, pos = cp->pos + SGPU_DRAW_LENGTH;
   unsigned n = 1;
   struct SGPU_DRAW next;
   struct sgd_span indices;

   while (elements + 1 < SGD_JOIN_ELEMENTS && read_draw(cp, pos, &next) && alike(first, &next) &&
          joins(&next, SGD_JOIN_ELEMENTS - elements - 1) &&
          next.count <= cp->params->watchdog_vertices && sgd_cp_find_indices(cp, &next, &indices)) {
      cp->parts[n++] = part_of(&next, &indices);
      elements += 1 + next.count;
      pos += SGPU_DRAW_LENGTH;
   }
   if (n == 1)
      return;
   cp->parts[0] = part_of(first, &draw->indices);
   struct sgd_draw_part *parts = malloc(n * sizeof(*parts));
   /* If out of memory, just don't join the draws. */
   if (!parts)
      return;
   memcpy(parts, cp->parts, n * sizeof(*parts));
   draw->parts = parts;
   draw->num_parts = n;
   draw->packet.count = elements;
   cp->joined = n - 1;
}
