/* SPDX-License-Identifier: MIT */
/*
 * Shadow images: adds records of states, transfers and CPU writes, and lists the surfaces that
 * these records write.
 */
#include <stdlib.h>
#include <string.h>

#include "observe/shadow/sgd_shadow.h"
#include "util/macros.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

static struct sgd_surface
to_offset(const struct sgpu_shadow_image *image, const struct sgd_surface *s)
{
   struct sgd_surface out;

   memset(&out, 0, sizeof(out));
   if (!s->valid)
      return out;
   out = *s;
   const uint64_t address = s->base - image->base;
   const uint64_t moved = sgd_shadow_offset(image, address) - address;
   out.base = (uint8_t *)(uintptr_t)(address + moved);
   out.meta = s->meta ? (uint8_t *)(uintptr_t)(s->meta - image->base + moved) : NULL;
   out.begin += moved;
   out.end += moved;
   out.bo = NULL;
   return out;
}

/* Returns true if the surfaces have the same elements at the same addresses. */
static bool
same_surface(const struct sgd_surface *a, const struct sgd_surface *b)
{
   return a->base == b->base && a->meta == b->meta && a->pitch == b->pitch &&
          a->layer_stride == b->layer_stride && a->sample_stride == b->sample_stride &&
          a->bpe == b->bpe && a->width == b->width && a->height == b->height &&
          a->layers == b->layers && a->samples == b->samples && a->tiled == b->tiled &&
          util_format_is_depth_or_stencil(a->pformat) ==
             util_format_is_depth_or_stencil(b->pformat);
}

static bool
add_surface(struct sgpu_shadow_image *image, const struct sgd_surface *s)
{
   for (unsigned i = 0; i < image->num_surfaces; i++) {
      if (same_surface(&image->surfaces[i], s))
         return true;
   }
   if (!sgd_shadow_grow(&image->surfaces, image->num_surfaces, &image->max_surfaces,
                        sizeof(*image->surfaces)))
      return false;
   image->surfaces[image->num_surfaces++] = *s;
   return true;
}

static bool
add_range(struct sgpu_shadow_image *image, uint64_t begin, uint64_t size)
{
   if (!sgd_shadow_grow(&image->ranges, image->num_ranges, &image->max_ranges,
                        sizeof(*image->ranges)))
      return false;
   image->ranges[image->num_ranges++] = (struct sgd_shadow_range){ begin, begin + size };
   return true;
}

static bool
writes_zs(const struct sgd_shadow_state *st)
{
   return st->test && (st->rop.zs.write || st->rop.zs.stencil);
}

/* Appends a record. On success, the image owns the data that *r points to. Returns the index of the
 * record, or UINT32_MAX on allocation failure.
 */
static uint32_t
add_record(struct sgpu_shadow_image *image, const struct sgd_shadow_record *r)
{
   if (!sgd_shadow_grow(&image->records, image->num_records, &image->max_records,
                        sizeof(*image->records)))
      return UINT32_MAX;
   image->records[image->num_records] = *r;
   return image->num_records++;
}

/* Returns the hash table slot that contains the state, or the free slot in which to store it. */
static struct sgd_shadow_state **
find_state(struct sgd_shadow_state **states, unsigned max, const struct sgd_shadow_state *st)
{
   unsigned i = XXH64(st, sizeof(*st), 0) & (max - 1);

   while (states[i] && memcmp(states[i], st, sizeof(*st)))
      i = (i + 1) & (max - 1);
   return &states[i];
}

/* Adds `st` to the hash table, or frees it if the table already contains an equal state. Returns
 * the state in the table, or NULL on allocation failure. Takes ownership of `st` in all cases.
 */
static const struct sgd_shadow_state *
share_state(struct sgpu_shadow_image *image, struct sgd_shadow_state *st)
{
   if (2 * (image->num_states + 1) > image->max_states) {
      const unsigned max = MAX2(2 * image->max_states, 64);
      struct sgd_shadow_state **states = calloc(max, sizeof(*states));
      if (!states) {
         free(st);
         return NULL;
      }
      for (unsigned i = 0; i < image->max_states; i++) {
         if (image->states[i])
            *find_state(states, max, image->states[i]) = image->states[i];
      }
      free(image->states);
      image->states = states;
      image->max_states = max;
   }
   struct sgd_shadow_state **place = find_state(image->states, image->max_states, st);
   if (*place) {
      free(st);
   } else {
      *place = st;
      image->num_states++;
   }
   return *place;
}

uint32_t
sgpu_shadow_image_add_state(struct sgpu_shadow_image *image, const struct sgd_state *state)
{
   struct sgd_shadow_state *st = calloc(1, sizeof(*st));
   if (!st)
      return UINT32_MAX;
   st->num_colors = state->num_colors;
   st->samples = state->samples;
   st->test = state->plan.zs_mode.active;
   st->late = state->plan.zs_mode.active && state->plan.zs_mode.test_late;
   pthread_mutex_lock(&image->lock);
   for (unsigned i = 0; i < state->num_colors; i++) {
      if (state->plan.rop.color[i].active)
         st->color[i] = to_offset(image, &state->color[i]);
   }
   if (st->test)
      st->zs = to_offset(image, &state->zs);
   st->dsa = state->dsa;
   st->stencil_ref = state->stencil_ref;
   st->rop = state->plan.rop;

   struct sgd_shadow_record r = { .kind = SGD_SHADOW_STATE, .u.state = share_state(image, st) };
   bool ok = r.u.state != NULL;
   for (unsigned i = 0; ok && i < r.u.state->num_colors; i++) {
      if (r.u.state->rop.color[i].active)
         ok = add_surface(image, &r.u.state->color[i]);
   }
   /* Add the surface even if depth is only tested, so that its initial contents are kept. */
   if (ok && r.u.state->test)
      ok = add_surface(image, &r.u.state->zs);
   const uint32_t number = ok ? add_record(image, &r) : UINT32_MAX;
   pthread_mutex_unlock(&image->lock);
   return number;
}

static struct sgd_span
span_to_offset(const struct sgpu_shadow_image *image, const struct sgd_span *s)
{
   return (struct sgd_span){
      .ptr = s->size ? (uint8_t *)(uintptr_t)sgd_shadow_offset(image, s->ptr - image->base) : NULL,
      .size = s->size,
   };
}

unsigned
sgd_shadow_xfer_targets(const struct sgd_xfer *x, const struct sgd_surface *out[SGD_MAX_COLORS + 1])
{
   unsigned n = 0;

   switch (x->kind) {
   case SGD_XFER_CLEAR:
      for (unsigned i = 0; i < SGD_MAX_COLORS; i++) {
         if (x->u.clear.colors & (1 << i))
            out[n++] = &x->u.clear.color[i];
      }
      if (x->u.clear.clear_depth || x->u.clear.clear_stencil)
         out[n++] = &x->u.clear.zs;
      break;
   case SGD_XFER_COPY_SURFACE:
      out[n++] = &x->u.copy.dst;
      break;
   case SGD_XFER_BLIT:
      out[n++] = &x->u.blit.dst;
      break;
   case SGD_XFER_RESOLVE:
      out[n++] = &x->u.resolve;
      break;
   case SGD_XFER_COPY_BUFFER:
   case SGD_XFER_FILL_BUFFER:
      break;
   }
   return n;
}

uint32_t
sgpu_shadow_image_add_xfer(struct sgpu_shadow_image *image, const struct sgd_xfer *xfer)
{
   struct sgd_xfer *x = malloc(sizeof(*x));
   const struct sgd_surface *targets[SGD_MAX_COLORS + 1];
   if (!x)
      return UINT32_MAX;
   *x = *xfer;
   pthread_mutex_lock(&image->lock);
   switch (x->kind) {
   case SGD_XFER_CLEAR:
      for (unsigned i = 0; i < SGD_MAX_COLORS; i++)
         x->u.clear.color[i] = to_offset(image, &xfer->u.clear.color[i]);
      x->u.clear.zs = to_offset(image, &xfer->u.clear.zs);
      break;
   case SGD_XFER_COPY_SURFACE:
      x->u.copy.src = to_offset(image, &xfer->u.copy.src);
      x->u.copy.dst = to_offset(image, &xfer->u.copy.dst);
      break;
   case SGD_XFER_BLIT:
      x->u.blit.src = to_offset(image, &xfer->u.blit.src);
      x->u.blit.dst = to_offset(image, &xfer->u.blit.dst);
      break;
   case SGD_XFER_RESOLVE:
      x->u.resolve = to_offset(image, &xfer->u.resolve);
      break;
   case SGD_XFER_COPY_BUFFER:
   case SGD_XFER_FILL_BUFFER:
      x->u.buffer.src = span_to_offset(image, &xfer->u.buffer.src);
      x->u.buffer.dst = span_to_offset(image, &xfer->u.buffer.dst);
      break;
   }

   const unsigned n = sgd_shadow_xfer_targets(x, targets);
   bool ok = true;
   for (unsigned i = 0; ok && i < n; i++)
      ok = add_surface(image, targets[i]);
   if (x->kind == SGD_XFER_COPY_BUFFER || x->kind == SGD_XFER_FILL_BUFFER)
      ok = add_range(image, (uintptr_t)x->u.buffer.dst.ptr, x->u.buffer.dst.size);
   const struct sgd_shadow_record r = { .kind = SGD_SHADOW_XFER, .u.xfer = x };
   const uint32_t number = ok ? add_record(image, &r) : UINT32_MAX;
   pthread_mutex_unlock(&image->lock);
   if (number == UINT32_MAX)
      free(x);
   return number;
}

uint32_t
sgpu_shadow_image_add_write(struct sgpu_shadow_image *image, uint64_t address, uint64_t size,
                            const void *data)
{
   struct sgd_shadow_write *w = malloc(sizeof(*w));
   uint8_t *copy = malloc(MAX2(size, 1));
   uint32_t number = UINT32_MAX;

   if (w && copy) {
      memcpy(copy, data, size);
      const struct sgd_shadow_record r = { .kind = SGD_SHADOW_WRITE, .u.write = w };
      pthread_mutex_lock(&image->lock);
      *w = (struct sgd_shadow_write){ sgd_shadow_offset(image, address), size, copy };
      if (add_range(image, w->offset, size))
         number = add_record(image, &r);
      pthread_mutex_unlock(&image->lock);
   }
   if (number == UINT32_MAX) {
      free(w);
      free(copy);
   }
   return number;
}

/* -- surfaces ------------------------------------------------------------------ */

void
sgd_shadow_describe(const struct sgd_surface *s, bool write, struct sgpu_shadow_surface *out)
{
   *out = (struct sgpu_shadow_surface){
      .address = (uintptr_t)s->base,
      .layer_stride = s->layer_stride,
      .width = s->width,
      .height = s->height,
      .layers = s->layers,
      .samples = s->samples,
      .format = s->format,
      .level = s->level,
      .depth = util_format_is_depth_or_stencil(s->pformat),
      .write = write,
   };
}

unsigned
sgpu_shadow_image_targets(const struct sgpu_shadow_image *image, uint32_t record,
                          struct sgpu_shadow_surface targets[SGPU_SHADOW_TARGETS])
{
   const struct sgd_shadow_record *r = &image->records[record];
   const struct sgd_surface *written[SGD_MAX_COLORS + 1];
   unsigned n = 0;

   if (r->kind == SGD_SHADOW_STATE) {
      const struct sgd_shadow_state *st = r->u.state;
      for (unsigned i = 0; i < st->num_colors; i++) {
         if (st->rop.color[i].active)
            sgd_shadow_describe(&st->color[i], true, &targets[n++]);
      }
      if (st->test)
         sgd_shadow_describe(&st->zs, writes_zs(st), &targets[n++]);
   } else if (r->kind == SGD_SHADOW_XFER) {
      n = sgd_shadow_xfer_targets(r->u.xfer, written);
      for (unsigned i = 0; i < n; i++)
         sgd_shadow_describe(written[i], true, &targets[i]);
   }
   return n;
}

bool
sgpu_shadow_image_write(const struct sgpu_shadow_image *image, uint32_t record, uint64_t *address,
                        uint64_t *size)
{
   const struct sgd_shadow_record *r = &image->records[record];

   if (r->kind != SGD_SHADOW_WRITE)
      return false;
   *address = r->u.write->offset;
   *size = r->u.write->size;
   return true;
}

unsigned
sgpu_shadow_image_num_surfaces(const struct sgpu_shadow_image *image)
{
   return image->num_surfaces;
}

void
sgpu_shadow_image_surface(const struct sgpu_shadow_image *image, unsigned index,
                          struct sgpu_shadow_surface *surface)
{
   sgd_shadow_describe(&image->surfaces[index], true, surface);
}
