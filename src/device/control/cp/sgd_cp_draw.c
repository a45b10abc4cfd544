/* SPDX-License-Identifier: MIT */
/*
 * Command processor: creates draws, and determines the regions of memory that they read and write.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "control/plan/sgd_plan_make.h"
#include "control/cp/sgd_cp_work.h"
#include "sgpu_device.h"

/* Adds an access for each texture, storage buffer and image that the draw's programs can use. */
static void
access_resources(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_state *st)
{
   bool ordered = false;

   for (unsigned s = 0; s < SGPU_STAGE_COMPUTE; s++) {
      const unsigned front = s == SGPU_STAGE_PIXEL ? 0 : SGD_ACCESS_FRONT;
      if (!st->shader[s])
         continue;
      if (st->sets[s])
         sgd_cp_access_textures(node, st->sets[s], front);
      if (st->handles)
         sgd_cp_access_handles(node, st->shader[s], st->handles, front);
      if (!st->shader[s]->accesses_memory)
         continue;
      sgd_cp_access_memory(cp, node, st->shader[s], &st->env[s], front);
      ordered |= st->shader[s]->memory_order == SGD_MEMORY_ORDERED;
   }
   if (st->plan.writes_memory)
      node->draw.ordered = sgd_cp_memory_ordered(cp, node, ordered);
}

/* Adds accesses to the transform feedback buffers. The front end doesn't have to wait for them,
 * because the buffers are written later, once their offsets are known.
 */
static void
access_xfb(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_xfb_state *st)
{
   for (unsigned i = 0; i < SGD_MAX_XFB_BUFFERS; i++) {
      const struct sgd_xfb_buffer *b = &st->buffer[i];
      if (!b->words)
         continue;
      sgd_cp_access_buffer(cp, node, b->ptr, b->size, SGD_ACCESS_WRITE | SGD_ACCESS_XFB);
      sgd_cp_access_buffer(cp, node, b->counter, sizeof(*b->counter),
                           SGD_ACCESS_WRITE | SGD_ACCESS_XFB);
   }
}

/* Adds accesses to the buffers that the front end reads, and to the constants. Most draws skip
 * this, as explained in sgd_hazard.h.
 */
static void
access_inputs(struct sgd_cp *cp, struct sgd_node *node, const struct sgd_state *st)
{
   sgd_cp_access_buffer(cp, node, node->draw.indices.ptr, node->draw.indices.size,
                        SGD_ACCESS_FRONT);
   const struct sgd_draw *draw = &node->draw;
   for (unsigned i = 1; i < draw->num_parts; i++)
      sgd_cp_access_buffer(cp, node, draw->parts[i].indices.ptr, draw->parts[i].indices.size,
                           SGD_ACCESS_FRONT);
   if (draw->count)
      sgd_cp_access_buffer(cp, node, draw->count, sizeof(*draw->count),
                           SGD_ACCESS_FRONT | SGD_ACCESS_XFB);
   if (draw->numbers)
      sgd_cp_access_buffer(cp, node, draw->numbers, 4 * sgd_draw_numbers(draw->packet.index_size),
                           SGD_ACCESS_FRONT);
   if (draw->limit)
      sgd_cp_access_buffer(cp, node, draw->limit, sizeof(*draw->limit), SGD_ACCESS_FRONT);
   for (unsigned i = 0; i < st->num_vertex_buffers; i++) {
      const struct sgd_span *span = &st->vertex_buffer[i].span;
      sgd_cp_access_buffer(cp, node, span->ptr, span->size, SGD_ACCESS_FRONT);
   }
   for (unsigned s = 0; s < SGPU_STAGE_COMPUTE; s++) {
      if (st->shader[s])
         sgd_cp_access_banks(cp, node, &st->env[s]);
   }
}

/* Returns the type of primitives that the tessellator generates. */
static enum sgpu_primitive
tessellated(const struct SGPU_SHADER *desc)
{
   if (desc->tess_points)
      return SGPU_PRIMITIVE_POINTS;
   return desc->tess_domain == SGPU_TESS_DOMAIN_ISOLINES ? SGPU_PRIMITIVE_LINES
                                                         : SGPU_PRIMITIVE_TRIANGLES;
}

bool
sgd_cp_find_indices(struct sgd_cp *cp, const struct SGPU_DRAW *packet, struct sgd_span *indices)
{
   *indices = (struct sgd_span){ NULL, 0 };
   if (packet->index_size == SGPU_INDEX_SIZE_NONE || !packet->index_bytes)
      return true;
   struct sgpu_bo *bo = sgd_bo_list_find(&cp->sub->bos, packet->index_address, packet->index_bytes);
   if (!bo)
      return false;
   atomic_store_explicit(&bo->bound, true, memory_order_relaxed);
   indices->ptr = cp->memory->base + packet->index_address;
   indices->size = packet->index_bytes;
   return true;
}

/* Addresses of draw parameters that are read from memory; see struct sgd_draw. */
struct numbers {
   /* address of a byte count from which the vertex count is computed, or NULL */
   const uint64_t *count;
   /* address of the parameters of an indirect draw (`all`) and of its number of draws (`limit`), or
    * NULL
    */
   const uint32_t *all, *limit;
};

/* Prints the plan of a draw. Does nothing if the same plan has been printed before. */
static void
print_plan(struct sgd_cp *cp, const struct sgpu_draw_plan *plan)
{
   util_dynarray_foreach(&cp->printed, struct sgpu_draw_plan, known) {
      if (sgpu_draw_plan_equals(known, plan))
         return;
   }
   util_dynarray_append(&cp->printed, struct sgpu_draw_plan, *plan);
   char *text = NULL;
   size_t size;
   FILE *fp = open_memstream(&text, &size);
   if (!fp)
      return;
   sgpu_draw_plan_print(fp, plan);
   fclose(fp);
   /* Print the line with a single call, so that lines of different queues don't get mixed. */
   fprintf(stderr, "sgpu: plan: %s\n", text);
   free(text);
}

static void
report_plan(struct sgd_cp *cp, const struct sgd_plan *from, enum sgpu_primitive primitive)
{
   struct sgpu_draw_plan plan;

   sgd_plan_describe(from, primitive, &plan);
   plan.draw = cp->draws;
   plan.draws = 1 + cp->joined;
   if (cp->params->print_plans)
      print_plan(cp, &plan);
   if (cp->params->plan)
      cp->params->plan(cp->params->plan_data, &plan);
}

static const char *
add_draw(struct sgd_cp *cp, const struct SGPU_DRAW *packet, const struct numbers *numbers)
{
   if (!cp->have_framebuffer)
      return "no FRAMEBUFFER";
   if (!cp->cur.shader[SGPU_STAGE_VERTEX])
      return "no vertex program";
   if (cp->cur.view.multiview && cp->cur.view.view >= cp->cur.fb_layers)
      return "VIEW: the targets do not have this layer";
   const bool patches = packet->primitive == SGPU_PRIMITIVE_PATCHES;
   if (patches && !cp->cur.shader[SGPU_STAGE_TESS_EVAL])
      return "patches without a tessellation evaluation program";
   if (!patches && (cp->cur.shader[SGPU_STAGE_TESS_EVAL] || cp->cur.shader[SGPU_STAGE_TESS_CTRL]))
      return "DRAW: tessellation programs take patches";
   if (patches && !packet->patch_vertices)
      return "DRAW: Patch Vertices is 0";

   enum sgpu_primitive made = packet->primitive;
   if (patches)
      made = tessellated(&cp->cur.shader_desc[SGPU_STAGE_TESS_EVAL]);
   if (cp->cur.shader[SGPU_STAGE_GEOMETRY]) {
      const struct SGPU_SHADER *gs = &cp->cur.shader_desc[SGPU_STAGE_GEOMETRY];
      if (sgd_ia_list(made) != gs->input_primitive)
         return "DRAW: Primitive is not of the type that the geometry program takes";
      made = gs->output_primitive;
   }

   struct sgd_span indices;
   if (!sgd_cp_find_indices(cp, packet, &indices))
      return "the index buffer is not in a buffer of the submission";
   const bool xfb = cp->cur.xfb.num_words != 0;
   const bool draws = cp->cur.fb_width && cp->cur.fb_height;
   if ((!packet->count && !numbers->count && !numbers->all) ||
       (!packet->instances && !numbers->all) ||
       (!draws && !xfb && !sgd_plan_writes_memory(&cp->cur)))
      return NULL;

   struct sgd_node *node = sgd_node_create(cp->dispatch, SGD_NODE_DRAW, cp->sub);
   if (!node)
      return "out of memory";
   node->draw.state = sgd_cp_snapshot(cp);
   if (!node->draw.state) {
      sgd_node_destroy(node);
      return "out of memory";
   }
   node->draw.packet = *packet;
   node->draw.indices = indices;
   node->draw.count = numbers->count;
   node->draw.numbers = numbers->all;
   node->draw.limit = numbers->limit;

   const struct sgd_state *st = node->draw.state;
   sgd_cp_join(cp, &node->draw);
   sgd_cp_access_targets(node, st, made);
   access_resources(cp, node, st);
   if (xfb)
      access_xfb(cp, node, &st->xfb);
   if (atomic_load_explicit(&cp->dispatch->buffer_writers, memory_order_relaxed) ||
       cp->params->observer)
      access_inputs(cp, node, st);
   sgd_cp_attach_queries(cp, node);
   sgd_cp_condition(cp, node, packet->conditional);
   cp->paths = sgd_plan_draw_paths(&st->plan, made);
   if (cp->params->print_plans || cp->params->plan)
      report_plan(cp, &st->plan, made);
   return sgd_cp_add(cp, node, &cp->key, st->fb_layers);
}

const char *
sgd_cp_draw(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_DRAW packet;
   struct numbers numbers = { NULL };
   const char *error = SGPU_DRAW_unpack(in, &packet);
   if (error)
      return error;

   if (packet.count_address) {
      struct sgpu_bo *bo = sgd_bo_list_find(&cp->sub->bos, packet.count_address, 8);
      if ((packet.count_address & 7) || !bo)
         return "DRAW: Count Address is not in a buffer of the submission";
      if (!packet.count_stride)
         return "DRAW: Count Stride is 0";
      atomic_store_explicit(&bo->bound, true, memory_order_relaxed);
      numbers.count = (const uint64_t *)(cp->memory->base + packet.count_address);
   } else if ((uint64_t)packet.count * packet.instances >
              cp->params->watchdog_vertices / sgd_state_geometry_runs(&cp->cur)) {
      return "DRAW: more vertices than the watchdog allows";
   }
   return add_draw(cp, &packet, &numbers);
}

/* Returns the host address of indirect draw parameters, or NULL if they aren't inside a buffer of
 * the submission. Marks the buffer as bound. Operations that write a bound buffer check whether any
 * earlier draw reads it (see sgd_hazard.h).
 */
static const uint32_t *
find_numbers(struct sgd_cp *cp, uint64_t address, unsigned words)
{
   struct sgpu_bo *bo = sgd_bo_list_find(&cp->sub->bos, address, words * 4);

   if (!bo || (address & 3))
      return NULL;
   atomic_store_explicit(&bo->bound, true, memory_order_relaxed);
   return (const uint32_t *)(cp->memory->base + address);
}

const char *
sgd_cp_draw_indirect(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_DRAW_INDIRECT p;
   struct numbers numbers = { NULL };
   const char *error = SGPU_DRAW_INDIRECT_unpack(in, &p);
   if (error)
      return error;

   numbers.all = find_numbers(cp, p.address, sgd_draw_numbers(p.index_size));
   if (!numbers.all)
      return "DRAW INDIRECT: Address is not in a buffer of the submission";
   if (p.limit_address) {
      numbers.limit = find_numbers(cp, p.limit_address, 1);
      if (!numbers.limit)
         return "DRAW INDIRECT: Limit Address is not in a buffer of the submission";
   }
   const struct SGPU_DRAW packet = {
      .primitive = p.primitive,
      .index_size = p.index_size,
      .restart = p.restart,
      .patch_vertices = p.patch_vertices,
      .conditional = p.conditional,
      .restart_index = p.restart_index,
      .index_address = p.index_address,
      .index_bytes = p.index_bytes,
      .draw_id = p.draw_id,
   };
   return add_draw(cp, &packet, &numbers);
}
