/* SPDX-License-Identifier: MIT */
/* Implements transform feedback: the targets, the packet that binds them, and the packet that lists
 * the outputs to record.
 */
#include "sgpu_xfb.h"

#include "nir_xfb_info.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_threaded_context.h"

#include "sgpu_context.h"
#include "sgpu_public.h"

/* Index of an output that no shader writes and that reads as zero. */
#define NO_OUTPUT 63

static unsigned
register_of_slot(const struct sgpu_shader *shader, int slot)
{
   for (unsigned i = 0; i < shader->num_outputs; i++) {
      if (shader->outputs[i].location == slot)
         return shader->outputs[i].reg;
   }
   return NO_OUTPUT;
}

/* Returns the component of output LAYER in which the device has a value, or 0 for other outputs. */
static unsigned
layer_component(int slot)
{
   return slot == VARYING_SLOT_VIEWPORT ? 1 : slot == VARYING_SLOT_VIEWPORT_MASK ? 2 : 0;
}

bool
sgpu_xfb_output_create(const struct nir_xfb_info *info, const struct sgpu_shader *shader,
                       struct sgpu_xfb_output **result)
{
   *result = NULL;
   if (!info || !info->output_count)
      return true;
   assert(info->output_count <= PIPE_MAX_SO_OUTPUTS);
   struct sgpu_xfb_output *out = CALLOC_STRUCT(sgpu_xfb_output);
   if (!out)
      return false;

   for (unsigned b = 0; b < PIPE_MAX_SO_BUFFERS; b++)
      out->stride[b] = info->buffers[b].stride;
   out->words = SGPU_XFB_OUTPUTS_length(info->output_count);
   sgpu_pack(out->packed, XFB_OUTPUTS, cfg) {
      cfg.tail_count = info->output_count;
      cfg.stride_0 = out->stride[0] / 4;
      cfg.stride_1 = out->stride[1] / 4;
      cfg.stride_2 = out->stride[2] / 4;
      cfg.stride_3 = out->stride[3] / 4;
   }
   for (unsigned i = 0; i < info->output_count; i++) {
      const nir_xfb_output_info *so = &info->outputs[i];

      sgpu_pack(SGPU_XFB_OUTPUTS_tail(out->packed, i), XFB_OUTPUT, cfg) {
         cfg.output = register_of_slot(shader, so->location);
         cfg.first = so->component_offset + layer_component(so->location);
         cfg.components = util_bitcount(so->component_mask);
         cfg.buffer = so->buffer;
         cfg.vertex_stream = info->buffer_to_stream[so->buffer];
         cfg.offset = so->offset / 4;
      }
   }
   *result = out;
   return true;
}

static struct pipe_stream_output_target *
sgpu_create_xfb_target(struct pipe_context *pctx, struct pipe_resource *buffer, unsigned offset,
                       unsigned size)
{
   struct sgpu_xfb_target *target = CALLOC_STRUCT(sgpu_xfb_target);
   if (!target)
      return NULL;

   pipe_reference_init(&target->base.reference, 1);
   pipe_resource_reference(&target->base.buffer, buffer);
   target->base.context = pctx;
   target->base.buffer_offset = offset;
   target->base.buffer_size = size;
   util_range_add(buffer, &sgpu_resource(buffer)->b.valid_buffer_range, offset, offset + size);
   return &target->base;
}

static void
sgpu_xfb_target_destroy(struct pipe_context *pctx, struct pipe_stream_output_target *base)
{
   struct sgpu_xfb_target *target = sgpu_xfb_target(base);

   pipe_resource_reference(&target->base.buffer, NULL);
   sgpu_buffer_reference(&target->counter, NULL);
   FREE(target);
}

/* Starts transform feedback at byte `offset` of a target.  Returns false on allocation failure. */
static bool
begin_target(struct sgpu_context *ctx, struct sgpu_xfb_target *target, uint64_t offset)
{
   sgpu_buffer_reference(&target->counter, NULL);
   target->counter = sgpu_buffer_create(ctx->screen->ws, sizeof(offset), 0, "xfb counter");
   if (!target->counter)
      return false;
   memcpy(target->counter->map, &offset, sizeof(offset));
   target->stride = 0;
   return true;
}

static void
sgpu_set_xfb_targets(struct pipe_context *pctx, unsigned num_targets,
                     struct pipe_stream_output_target **targets, const unsigned *offsets,
                     enum mesa_prim output_prim)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   for (unsigned i = 0; i < PIPE_MAX_SO_BUFFERS; i++) {
      struct pipe_stream_output_target *base = i < num_targets ? targets[i] : NULL;
      struct sgpu_xfb_target *target = sgpu_xfb_target(base);
      const bool append = base && offsets[i] == ~0u && target->counter;

      if (base && !append && !begin_target(ctx, target, offsets[i] == ~0u ? 0 : offsets[i])) {
         sgpu_out_of_memory(ctx, "transform feedback writes nothing");
         base = NULL;
      }
      pipe_so_target_reference(&ctx->xfb_targets[i], base);
   }
   ctx->num_xfb_targets = num_targets;
   ctx->dirty |= SGPU_DIRTY_XFB;
}

static void
emit_buffers(struct sgpu_context *ctx, const struct sgpu_xfb_output *output)
{
   const unsigned count = output ? ctx->num_xfb_targets : 0;
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_XFB_BUFFERS_length(count));

   sgpu_pack(out, XFB_BUFFERS, cfg) {
      cfg.tail_count = count;
   }
   for (unsigned i = 0; i < count; i++) {
      struct sgpu_xfb_target *target = sgpu_xfb_target(ctx->xfb_targets[i]);

      sgpu_pack(SGPU_XFB_BUFFERS_tail(out, i), XFB_BUFFER, cfg) {
         if (target && target->base.buffer_offset < target->base.buffer->width0) {
            struct pipe_resource *res = target->base.buffer;
            cfg.address = sgpu_resource_address(&ctx->cs, sgpu_resource(res),
                                                target->base.buffer_offset, true);
            cfg.size = MIN2(target->base.buffer_size, res->width0 - target->base.buffer_offset);
            cfg.counter = sgpu_cs_address(&ctx->cs, target->counter, 0, true);
            /* Add the range to the valid range again, because the buffer may have new storage,
             * which starts with an empty valid range.
             */
            util_range_add(res, &sgpu_resource(res)->b.valid_buffer_range,
                           target->base.buffer_offset, target->base.buffer_offset + cfg.size);
         }
      }
      if (target)
         target->stride = output->stride[i];
   }
   ctx->xfb_emitted = count != 0;
}

static uint64_t
written_slots(const struct sgpu_shader *shader)
{
   uint64_t slots = 0;

   for (unsigned i = 0; i < shader->num_outputs; i++) {
      if (shader->outputs[i].location < VARYING_SLOT_PATCH0)
         slots |= BITFIELD64_BIT(shader->outputs[i].location);
   }
   /* If the shader writes CLIP_DIST1, also record CLIP_DIST0, which reads as zero if the shader
    * doesn't write it.
    */
   if (slots & VARYING_BIT_CLIP_DIST1)
      slots |= VARYING_BIT_CLIP_DIST0;
   return slots;
}

uint64_t
sgpu_shader_written(const void *shader)
{
   const struct sgpu_shader_state *state = shader;

   return state && state->compiled ? written_slots(state->compiled) : 0;
}

uint64_t
sgpu_context_written(struct pipe_context *pctx)
{
   return sgpu_shader_written(
      sgpu_last_front_shader(sgpu_context(threaded_context_unwrap_sync(pctx))));
}

/* Packs XFB OUTPUTS with the slots passed to sgpu_context_record() that shader `last` writes. */
static void
pack_recorded(struct sgpu_context *ctx, const struct sgpu_shader_state *last)
{
   struct sgpu_xfb_output *out = &ctx->recorded;
   const uint64_t slots = ctx->records & sgpu_shader_written(last);
   const unsigned count = util_bitcount64(slots);
   assert(count <= PIPE_MAX_SO_OUTPUTS);

   ctx->recorded_shader = last->id;
   memset(out->stride, 0, sizeof(out->stride));
   out->stride[0] = count * 16;
   out->words = SGPU_XFB_OUTPUTS_length(count);
   sgpu_pack(out->packed, XFB_OUTPUTS, cfg) {
      cfg.tail_count = count;
      cfg.stride_0 = count * 4;
   }
   unsigned n = 0;
   u_foreach_bit64(slot, slots) {
      sgpu_pack(SGPU_XFB_OUTPUTS_tail(out->packed, n), XFB_OUTPUT, cfg) {
         cfg.output = register_of_slot(last->compiled, slot);
         cfg.first = layer_component(slot);
         cfg.components = layer_component(slot) ? 1 : 4;
         cfg.offset = n * 4;
      }
      n++;
   }
}

void
sgpu_emit_xfb(struct sgpu_context *ctx)
{
   const struct sgpu_shader_state *last = sgpu_last_front_shader(ctx);
   const struct sgpu_xfb_output *output = last->xfb_output;

   if (ctx->records) {
      if (ctx->recorded_shader != last->id)
         pack_recorded(ctx, last);
      output = &ctx->recorded;
   }
   /* There are no targets to bind, and the stream has not bound any that it must unbind. */
   if ((!output || !ctx->num_xfb_targets) && !ctx->xfb_emitted)
      return;
   if (output)
      memcpy(sgpu_cs_get(&ctx->cs, output->words), output->packed, output->words * 4);
   emit_buffers(ctx, output);
}

struct record_call {
   struct sgpu_context *ctx;
   uint32_t slots;
};

static void
set_records(struct sgpu_context *ctx, uint32_t slots)
{
   ctx->records = slots;
   ctx->recorded_shader = 0;
   ctx->dirty |= SGPU_DIRTY_XFB;
}

static void
call_record(void *data)
{
   const struct record_call *call = data;

   set_records(call->ctx, call->slots);
   FREE(data);
}

void
sgpu_context_record(struct pipe_context *pctx, uint32_t slots)
{
   struct record_call *call = pctx->callback ? MALLOC_STRUCT(record_call) : NULL;

   if (!call) {
      set_records(sgpu_context(threaded_context_unwrap_sync(pctx)), slots);
      return;
   }
   *call = (struct record_call){ sgpu_context(threaded_context(pctx)->pipe), slots };
   pctx->callback(pctx, call_record, call, false);
}

uint64_t
sgpu_xfb_written(struct pipe_context *pctx, struct pipe_stream_output_target *base,
                 unsigned *stride)
{
   struct sgpu_context *ctx = sgpu_context(threaded_context_unwrap_sync(pctx));
   const struct sgpu_xfb_target *target = sgpu_xfb_target(base);
   uint64_t bytes;

   *stride = target->stride;
   if (!target->counter || !target->stride)
      return 0;
   if (sgpu_cs_uses(&ctx->cs, target->counter, false))
      sgpu_context_flush(ctx, "what transform feedback wrote is counted");
   sgpu_buffer_wait(target->counter, UINT64_MAX);
   memcpy(&bytes, target->counter->map, sizeof(bytes));
   return MIN2(bytes, target->base.buffer_size);
}

void
sgpu_xfb_context_fini(struct sgpu_context *ctx)
{
   for (unsigned i = 0; i < PIPE_MAX_SO_BUFFERS; i++)
      pipe_so_target_reference(&ctx->xfb_targets[i], NULL);
}

void
sgpu_xfb_context_init(struct pipe_context *pctx)
{
   pctx->create_stream_output_target = sgpu_create_xfb_target;
   pctx->stream_output_target_destroy = sgpu_xfb_target_destroy;
   pctx->set_stream_output_targets = sgpu_set_xfb_targets;
}
