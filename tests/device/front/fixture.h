/* SPDX-License-Identifier: MIT */
/*
 * A front end, raster engine and pixel stage on their own: a state with simple
 * programs, depth test and colour writes that stand in for the shader cores and
 * the ROP, and targets that a test can look into.
 *
 * The vertex program copies input 0 to HPOS and inputs 1 to 4 to GEN0 to GEN3
 * (and to LAYER, PSIZ, EDGE, CLIP0, CLIPV where a test asks for it); the pixel program
 * copies its inputs 0 to 3 to COLR0 to COLR3; with `presets` COLR3 gets SAMPLE_ID,
 * SAMPLE_MASK, SAMPLE_POS.xy as they are, and with `mask_out` SMASK that.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "cut/sgd_ia_cut.h"
#include "sgd_batch.h"
#include "sgd_quads.h"
#include "sgd_shader.h"
#include "sgd_tile_list.h"
#include "sgd_worker.h"
#include "sgpu_fp.h"

/* One host level of the engines. */
struct sgd_front;
struct sgd_vertex;
struct fix_level {
   const char *name;
   void (*front)(struct sgd_worker *, struct sgd_batch *);
   void (*raster)(struct sgd_worker *, const struct sgd_batch *, const struct sgd_tile_list *,
                  struct sgd_stats *, struct sgd_waiting *);
   void (*setup_begin)(struct sgd_front *);
   float (*setup_offset)(const struct sgd_front *, const struct sgd_vertex *,
                         const struct sgd_vertex *, const struct sgd_vertex *, int64_t);
};
/* Those that the host can run; the count in *n. */
const struct fix_level *fix_levels(unsigned *n);
/* One of them for each round of a test. */
const struct fix_level *fix_level_of(unsigned round);

/* The stand-ins, called by each level. */
bool fix_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader, uint32_t active,
                    uint32_t *live);
uint32_t fix_zs_test(struct sgd_worker *worker, const struct sgd_quads *quads, const float *z,
                     uint32_t mask);
void fix_color_write(struct sgd_worker *worker, const struct sgd_quads *quads,
                     const struct sgd_vec *out, uint32_t mask);

#define FIX_INPUTS 5

struct fix_pixel {
   float color[4][4]; /* of the last fragment, by colour output */
   float z;           /* depth buffer */
   uint32_t count;    /* times that it was written */
};

struct fix {
   struct sgd_worker worker;
   struct sgd_core core;
   struct sgd_state state;
   struct sgd_shader vs, ps;
   struct sgd_draw draw;
   struct sgd_stats stats;

   unsigned width, height, layers;
   struct fix_pixel *pixels; /* by layer, then by sample */
   bool depth_less;          /* the stand-in of the depth test: LESS with writes, else none */
   /* which vertex program inputs go to LAYER.xy, PSIZ.x, EDGE.x, CLIP0, CLIPV; 0: none */
   unsigned layer_from, psiz_from, edge_from, clip_from, clip_vertex_from;
   bool presets;
   bool primitive_ids; /* COLR3 gets PRIMITIVE_ID, FACE */
   uint32_t mask_out;  /* 0: not written */
   bool kill_odd;      /* the pixel program drops pixels with x + y odd */

   float *vertices; /* FIX_INPUTS vec4 each */
   unsigned num_vertices;
   void *index_data;
   unsigned block_warps, warps;
};

/* fb of width x height, a viewport over all of it, rules of GL windows. */
struct fix *fix_create(unsigned width, unsigned height, unsigned layers);
/* For cmocka: frees the fixture that *state is. */
int fix_destroy(void **state);
/* The tests of a file that defines setup(). */
#define FIX_TEST(name) cmocka_unit_test_setup_teardown(name, setup, fix_destroy)

/* Gives the targets `samples` samples and clears them. */
void fix_set_samples(struct fix *f, unsigned samples);
void fix_clear(struct fix *f);

/* Varyings 0.. n-1 from GEN0.. with all components. */
void fix_varyings(struct fix *f, unsigned n, enum sgpu_interpolation interpolation);

/* Vertices at window x, y (sub-pixels allowed), depth z in 0..1, clip w; the
 * other inputs zero.  Returns the number of the vertex.
 */
unsigned fix_vertex(struct fix *f, float x, float y, float z, float w);
float *fix_input(struct fix *f, unsigned vertex, unsigned input);
void fix_reset_vertices(struct fix *f);

void fix_draw(struct fix *f, const struct fix_level *level, enum sgpu_primitive primitive,
              unsigned first, unsigned count);
void fix_draw_indexed(struct fix *f, const struct fix_level *level, enum sgpu_primitive primitive,
                      const uint32_t *indices, unsigned count);
/* Runs the packet of f->draw.  tiles: seed of the tiles' order; 0: their order of submission. */
void fix_run(struct fix *f, const struct fix_level *level, uint32_t tiles);

struct fix_pixel *fix_at(struct fix *f, unsigned x, unsigned y, unsigned layer);
struct fix_pixel *fix_sample(struct fix *f, unsigned x, unsigned y, unsigned layer,
                             unsigned sample);
uint64_t fix_hash(const struct fix *f);

/* Random numbers, the same everywhere. */
static inline uint32_t
fix_random(uint64_t *s)
{
   *s = *s * 6364136223846793005ull + 1442695040888963407ull;
   return *s >> 33;
}

#endif
