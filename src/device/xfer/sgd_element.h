/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: finds and fills elements of surfaces, which can be tiled or linear.
 */
#ifndef SGD_ELEMENT_H
#define SGD_ELEMENT_H

#include "common/sgd_arch.h"
#include "common/sgd_xfer.h"

struct sgd_worker;

/* Returns the address of the element in column x and row y. Layers are counted from the first layer
 * of the surface.
 */
static inline uint8_t *
sgd_surface_element(const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer,
                    uint32_t sample)
{
   uint8_t *p = s->base + layer * s->layer_stride + sample * s->sample_stride;
   return p + (s->tiled ? sgpu_tiled_offset(x, y, s->pitch, s->bpe)
                        : sgpu_linear_offset(x, y, s->pitch, s->bpe));
}

/* Fills a rectangle. In each element, the bits in `mask` are replaced by the bits of `value`, which
 * both have the size of an element. If `mask` is NULL, all bits are replaced.
 */
void sgd_fill(const struct sgd_surface *s, const struct SGPU_RECT *rect, unsigned layer,
              unsigned sample, const uint8_t *value, const uint8_t *mask);
/* Sets all samples of all elements in the rectangle to `value`. */
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
