/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: access to elements of tiled and linear surfaces by coordinates.
 */
#ifndef SGD_ELEMENT_H
#define SGD_ELEMENT_H

#include "common/sgd_arch.h"
#include "common/sgd_xfer.h"

struct sgd_worker;

/* Returns the address of element (x, y), in units of elements. `layer` is relative to the surface's
 * first layer.
 */
static inline uint8_t *
sgd_surface_element(const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer,
                    uint32_t sample)
{
   uint8_t *p = s->base + layer * s->layer_stride + sample * s->sample_stride;
   return p + (s->tiled ? sgpu_tiled_offset(x, y, s->pitch, s->bpe)
                        : sgpu_linear_offset(x, y, s->pitch, s->bpe));
}

/* Sets the bits in `mask` of every element in the rectangle to those of `value`. Both arrays have
 * the size of one element. A `mask` of NULL means all bits.
 */
void sgd_fill(const struct sgd_surface *s, const struct SGPU_RECT *rect, unsigned layer,
              unsigned sample, const uint8_t *value, const uint8_t *mask);
/* Sets all elements of the rectangle to `value`, in all samples. */
static inline void
sgd_fill_samples(const struct sgd_surface *s, const struct SGPU_RECT *rect, unsigned layer,
                 const uint8_t *value)
{
   for (unsigned sample = 0; sample < s->samples; sample++)
      sgd_fill(s, rect, layer, sample, value, NULL);
}
void sgd_clear_rect(struct sgd_worker *worker, const struct sgd_xfer *x,
                    const struct SGPU_RECT *rect, unsigned layer);
void sgd_copy_rect(struct sgd_worker *worker, const struct sgd_xfer *x,
                   const struct SGPU_RECT *rect, unsigned layer);
void sgd_blit_rect(struct sgd_worker *worker, const struct sgd_xfer *x,
                   const struct SGPU_RECT *rect, unsigned layer);

#endif
