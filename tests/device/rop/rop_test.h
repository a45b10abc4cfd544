/* SPDX-License-Identifier: MIT */
/*
 * For tests of the raster operations and the copy engine: host levels, surfaces in plain memory,
 * random quads.
 */
#ifndef ROP_TEST_H
#define ROP_TEST_H

#include <stdio.h>

#include "../../unit.h"
#include "pixel/rop/sgd_rop.h"
#include "common/sgd_quads.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "common/sgd_xfer.h"

struct sgd_color;
struct sgd_elements;

struct rop_level {
   const char *name;
   uint32_t (*zs_test)(struct sgd_worker *, const struct sgd_state *, const struct sgd_quads *,
                       const float z[SGD_WARP], const uint32_t *stencil_ref, uint32_t mask);
   void (*color_write)(struct sgd_worker *, const struct sgd_state *, const struct sgd_quads *,
                       const struct sgd_vec *out, uint32_t mask);
   void (*xfer_run)(struct sgd_worker *, const struct sgd_xfer *, const struct SGPU_RECT *,
                    unsigned layer);
   /* Clamps the components to the format's range, and packs what is then in `clamped`. */
   void (*codec_pack)(const struct sgd_codec *, const uint32_t (*c)[SGD_WARP],
                      struct sgd_elements *e, struct sgd_color *clamped);
   void (*codec_unpack)(const struct sgd_codec *, const struct sgd_elements *e,
                        uint32_t (*c)[SGD_WARP]);
};

/* Returns the number of levels that this host can execute, and these levels, lowest first. */
unsigned rop_levels(struct rop_level levels[3]);

static inline uint32_t
rop_random(uint64_t *seed)
{
   *seed = *seed * 6364136223846793005u + 1442695040888963407u;
   return *seed >> 32;
}

static inline uint32_t
rop_below(uint64_t *seed, uint32_t n)
{
   return (uint32_t)(((uint64_t)rop_random(seed) * n) >> 32);
}

/* Memory of a tiled surface, which is outside of any device. */
struct rop_memory {
   uint8_t *data;
   size_t size;
};
void rop_surface(struct sgd_surface *s, struct rop_memory *m, enum pipe_format format,
                 unsigned width, unsigned height, unsigned layers, unsigned samples);
void rop_noise(struct rop_memory *m, uint64_t *seed);

enum rop_quads {
   ROP_BLOCK,       /* one aligned block of 8x4 pixels */
   ROP_DISTINCT,    /* quads anywhere, all different */
   ROP_OVERLAPPING, /* quads at a few places, so that some are the same */
   ROP_QUADS_COUNT,
};
void rop_random_quads(struct sgd_quads *quads, enum rop_quads kind, const struct sgd_surface *s,
                      uint64_t *seed);
/* Copies quad q of `from` only. */
void rop_one_quad(struct sgd_quads *quads, const struct sgd_quads *from, unsigned q);

/* Returns the address of a lane's element. */
uint8_t *rop_element(const struct sgd_surface *s, const struct sgd_quads *quads, unsigned lane);

#endif
