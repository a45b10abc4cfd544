/* SPDX-License-Identifier: MIT */
/*
 * Creates records for the observer that describe the surfaces of an operation: those that it tests,
 * writes or copies.
 */
#include "control/dispatch/sgd_observe_targets.h"

#include "control/dispatch/sgd_dispatch.h"
#include "common/sgd_order.h"
#include "util/format/u_format.h"
#include "util/macros.h"

/* Output array for the records of one operation. */
struct targets {
   const struct sgd_dispatch *dispatch;
   struct sgpu_event_target *out; /* SGD_OBSERVED_TARGETS records */
   unsigned num;                  /* number of records written so far */
};

static bool
is_depth(const struct sgd_surface *s)
{
   return util_format_is_depth_or_stencil(s->pformat);
}

static struct sgpu_event_target *
add_surface(struct targets *t, const struct sgd_surface *s, unsigned layers, unsigned flags)
{
   struct sgpu_event_target *e = &t->out[t->num++];

   assert(t->num <= SGD_OBSERVED_TARGETS);
   *e = (struct sgpu_event_target){
      .type = SGPU_EVENT_TARGET,
      .flags = flags | (is_depth(s) ? SGPU_EVENT_TARGET_DEPTH : 0) |
               (s->tiled ? SGPU_EVENT_TARGET_TILED : 0),
      .words = sizeof(*e) / 4,
      .pitch = s->pitch,
      .origin = s->base - t->dispatch->memory->base,
      .layer_stride = s->layer_stride,
      .sample_stride = s->sample_stride,
      .width = DIV_ROUND_UP(s->width, s->desc->block.width),
      .height = DIV_ROUND_UP(s->height, s->desc->block.height),
      .layers = layers,
      .samples = s->samples,
      .bytes = s->bpe,
   };
   return e;
}

/* -- draws ---------------------------------------------------------------------------------- */

static bool
face_writes(const struct SGPU_STENCIL_FACE *face)
{
   return face->enable && face->write_mask &&
          (face->fail != SGPU_STENCIL_OP_KEEP || face->depth_fail != SGPU_STENCIL_OP_KEEP ||
           face->pass != SGPU_STENCIL_OP_KEEP);
}

static void
add_draw(struct targets *t, const struct sgd_state *st)
{
   const struct sgd_zs_plan *zs = &st->plan.rop.zs;

   if (st->zs.valid && st->plan.zs_mode.active) {
      const bool stencil = zs->stencil &&
                           (face_writes(&st->dsa.front) || face_writes(&st->dsa.back));
      const bool test = zs->depth && zs->func != SGPU_COMPARE_ALWAYS &&
                        zs->func != SGPU_COMPARE_NEVER;
      const bool read = test || zs->stencil || zs->bounds;
      add_surface(t, &st->zs, st->fb_layers,
                  (zs->write || stencil ? SGPU_EVENT_TARGET_WRITE : 0) |
                     (read ? SGPU_EVENT_TARGET_READ : 0) |
                     (stencil ? SGPU_EVENT_TARGET_STENCIL : 0) |
                     (st->plan.zs_mode.test_early ? SGPU_EVENT_TARGET_EARLY : 0));
   }
   for (unsigned i = 0; i < st->num_colors; i++) {
      const struct sgd_color_plan *plan = &st->plan.rop.color[i];
      if (!st->plan.color_write_mask[i] || !plan->active)
         continue;
      const bool logic = plan->logic && sgd_logic_reads(plan->logic_op);
      struct sgpu_event_target *e =
         add_surface(t, &st->color[i], st->fb_layers,
                     SGPU_EVENT_TARGET_WRITE |
                        (plan->reads || logic || !plan->whole ? SGPU_EVENT_TARGET_READ : 0) |
                        (plan->reads || logic ? SGPU_EVENT_TARGET_BLEND : 0));
      e->slot = i;
   }
}

/* -- transfers ------------------------------------------------------------------------------ */

static uint32_t
clip(int64_t value, uint32_t size)
{
   return CLAMP(value, 0, (int64_t)size);
}

/* Clips a rectangle of elements to the surface, and stores it in the record. */
static void
set_rect(struct sgpu_event_target *e, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
   e->x0 = clip(x0, e->width);
   e->y0 = clip(y0, e->height);
   e->x1 = clip(x1, e->width);
   e->y1 = clip(y1, e->height);
}

/* Stores the destination rectangle of the transfer in the record, in elements of surface `s`. */
static void
set_destination(struct sgpu_event_target *e, const struct sgd_xfer *x, const struct sgd_surface *s)
{
   const unsigned w = s->desc->block.width, h = s->desc->block.height;

   set_rect(e, x->rect.x0 / w, x->rect.y0 / h, DIV_ROUND_UP(x->rect.x1, w),
            DIV_ROUND_UP(x->rect.y1, h));
}

/* Computes the range [*low, *high) of source texels in one dimension that a blit reads for the
 * destination pixels `first` to `end` - 1. Ignores the additional texels that linear filters read.
 */
static void
blit_range(int32_t first, int32_t end, int32_t d0, int32_t d1, double s0, double s1, int64_t *low,
           int64_t *high)
{
   const double step = sgd_blit_step(d0, d1, s0, s1);
   const int64_t a = sgd_floor_to_int(sgd_blit_place(first, d0, s0, step));
   const int64_t b = sgd_floor_to_int(sgd_blit_place(end - 1, d0, s0, step));

   *low = MIN2(a, b);
   *high = MAX2(a, b) + 1;
}

static void
add_blit(struct targets *t, const struct sgd_xfer *x)
{
   const struct SGPU_BLIT *p = &x->u.blit.packet;
   const struct sgd_surface *src = &x->u.blit.src, *dst = &x->u.blit.dst;
   const bool partial = is_depth(dst) && util_format_is_depth_and_stencil(dst->pformat) &&
                        !(p->depth && p->stencil);
   int64_t x0, x1, y0, y1;

   set_destination(add_surface(t, dst, x->layers,
                               SGPU_EVENT_TARGET_WRITE |
                                  (partial || p->blend ? SGPU_EVENT_TARGET_READ : 0) |
                                  (p->blend ? SGPU_EVENT_TARGET_BLEND : 0)),
                   x, dst);
   blit_range(x->rect.x0, x->rect.x1, p->destination_rect.x0, p->destination_rect.x1,
              p->source_rect.x0, p->source_rect.x1, &x0, &x1);
   blit_range(x->rect.y0, x->rect.y1, p->destination_rect.y0, p->destination_rect.y1,
              p->source_rect.y0, p->source_rect.y1, &y0, &y1);
   set_rect(add_surface(t, src, MIN2(x->layers, src->layers), SGPU_EVENT_TARGET_READ), x0, y0, x1,
            y1);
}

static void
add_buffer(struct targets *t, const struct sgd_span *span, unsigned flags)
{
   if (!span->size)
      return;
   t->out[t->num++] = (struct sgpu_event_target){
      .type = SGPU_EVENT_TARGET,
      .flags = flags | SGPU_EVENT_TARGET_BUFFER,
      .words = sizeof(struct sgpu_event_target) / 4,
      .origin = span->ptr - t->dispatch->memory->base,
      .width = MIN2(span->size, UINT32_MAX),
      .height = 1,
      .x1 = MIN2(span->size, UINT32_MAX),
      .y1 = 1,
      .layers = 1,
      .samples = 1,
      .bytes = 1,
   };
}

static void
add_transfer(struct targets *t, const struct sgd_xfer *x)
{
   switch (x->kind) {
   case SGD_XFER_CLEAR:
      for (unsigned i = 0; i < SGD_MAX_COLORS; i++) {
         const struct sgd_surface *s = &x->u.clear.color[i];
         if (x->u.clear.colors >> i & 1 && s->valid)
            set_destination(add_surface(t, s, x->layers, SGPU_EVENT_TARGET_WRITE), x, s);
      }
      if ((x->u.clear.clear_depth || x->u.clear.clear_stencil) && x->u.clear.zs.valid) {
         const struct sgd_surface *s = &x->u.clear.zs;
         const bool partial = util_format_is_depth_and_stencil(s->pformat) &&
                              !(x->u.clear.clear_depth && x->u.clear.clear_stencil);
         set_destination(add_surface(t, s, x->layers,
                                     SGPU_EVENT_TARGET_WRITE |
                                        (partial ? SGPU_EVENT_TARGET_READ : 0)),
                         x, s);
      }
      break;
   case SGD_XFER_COPY_SURFACE: {
      struct sgpu_event_target *d = add_surface(t, &x->u.copy.dst, x->layers,
                                                SGPU_EVENT_TARGET_WRITE);
      set_destination(d, x, &x->u.copy.dst);
      struct sgpu_event_target *s = add_surface(t, &x->u.copy.src, x->layers,
                                                SGPU_EVENT_TARGET_READ);
      set_rect(s, (int64_t)d->x0 + x->u.copy.shift_x, (int64_t)d->y0 + x->u.copy.shift_y,
               (int64_t)d->x1 + x->u.copy.shift_x, (int64_t)d->y1 + x->u.copy.shift_y);
      break;
   }
   case SGD_XFER_BLIT:
      add_blit(t, x);
      break;
   case SGD_XFER_RESOLVE:
      set_destination(add_surface(t, &x->u.resolve, x->layers, SGPU_EVENT_TARGET_WRITE), x,
                      &x->u.resolve);
      break;
   case SGD_XFER_COPY_BUFFER:
   case SGD_XFER_FILL_BUFFER:
      add_buffer(t, &x->u.buffer.dst, SGPU_EVENT_TARGET_WRITE);
      add_buffer(t, &x->u.buffer.src, SGPU_EVENT_TARGET_READ);
      break;
   }
}

unsigned
sgd_observe_targets(const struct sgd_dispatch *d, const struct sgd_node *node,
                    struct sgpu_event_target out[SGD_OBSERVED_TARGETS])
{
   struct targets t = { .dispatch = d, .out = out };

   if (node->kind == SGD_NODE_DRAW)
      add_draw(&t, node->draw.state);
   else if (node->kind == SGD_NODE_XFER)
      add_transfer(&t, node->xfer);
   return t.num;
}
