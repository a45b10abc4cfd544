/* SPDX-License-Identifier: MIT */
/*
 * A separate front end, raster engine and pixel stage for tests. Stand-ins for the shader cores and
 * the ROP run simple programs, test depth and write colours to targets that a test can read.
 *
 * The vertex program copies input 0 to HPOS and inputs 1 to 4 to GEN0 to GEN3 (and to LAYER, PSIZ,
 * EDGE, CLIP0, CLIPV where a test asks for it). The pixel program copies its inputs 0 to 3 to COLR0
 * to COLR3. With `presets`, COLR3 gets the bits of SAMPLE_ID, SAMPLE_MASK and SAMPLE_POS.xy. SMASK
 * gets `mask_out`, unless that is 0.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "geometry/cut/sgd_ia_cut.h"
#include "common/sgd_batch.h"
#include "common/sgd_quads.h"
#include "common/sgd_shader.h"
#include "common/sgd_tile_list.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"

/* Engines of one host level. */
struct sgd_front;
struct sgd_vertex;
struct fix_level {
   const char *name;
   void (*front)(struct sgd_worker *, struct sgd_batch *);
   void (*raster)(struct sgd_worker *, const struct sgd_batch *, const struct sgd_tile_list *,
                  struct sgd_stats *, struct sgd_waiting *);
   float (*setup_offset)(const struct sgd_front *, const struct sgd_vertex *,
                         const struct sgd_vertex *, const struct sgd_vertex *, int64_t);
};
/* Returns the number of levels that the host can run. */
unsigned fix_num_levels(void);
/* Returns a level by its index, or for a round of a test; the rounds take turns. */
const struct fix_level *fix_level_of(unsigned round);

/* Stand-ins that each level calls. */
bool fix_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader, uint32_t active,
                    uint32_t *live);
uint32_t fix_zs_test(struct sgd_worker *worker, const struct sgd_quads *quads, const float *z,
                     uint32_t mask);
void fix_color_write(struct sgd_worker *worker, const struct sgd_quads *quads,
                     const struct sgd_vec *out, uint32_t mask);

#define FIX_INPUTS 5

struct fix_pixel {
   float color[4][4]; /* colours of the last fragment, by colour output */
   float z;           /* stored depth */
   uint32_t count;    /* number of fragments written */
};

struct fix {
   struct sgd_worker worker;
   struct sgd_core core;
   struct sgd_state state;
   struct sgd_shader vs, ps;
   struct sgd_draw draw;
   struct sgd_stats stats;

   unsigned width, height, layers;
   struct fix_pixel *pixels; /* pixels of the targets, by layer, then by sample */
   /* the stand-in tests depth with LESS and writes it; otherwise it passes all */
   bool depth_less;
   /* vertex program inputs that go to LAYER.xy, PSIZ.x, EDGE.x, CLIP0 and CLIPV; 0: none */
   unsigned layer_from, psiz_from, edge_from, clip_from, clip_vertex_from;
   bool presets;
   bool primitive_ids; /* COLR3 gets PRIMITIVE_ID and FACE */
   uint32_t mask_out;  /* sample mask that the program writes to SMASK, or 0: none */
   bool kill_odd;      /* the pixel program drops pixels with odd x + y */

   float *vertices; /* FIX_INPUTS vectors of four floats for each vertex */
   unsigned num_vertices;
   void *index_data;
   unsigned block_warps, warps;
};

/* Makes a fixture with targets of width x height pixels, a viewport of this size, and the rules of
 * OpenGL windows.
 */
struct fix *fix_create(unsigned width, unsigned height, unsigned layers);
/* Frees the fixture *state; a teardown function for cmocka. */
int fix_destroy(void **state);
/* Defines setup() for tests that only need fix_create(). */
#define FIX_SETUP(width, height, layers)          \
   static int setup(void **state)                 \
   {                                              \
      *state = fix_create(width, height, layers); \
      return *state == NULL;                      \
   }
/* A test of a file that defines setup(). */
#define FIX_TEST(name) cmocka_unit_test_setup_teardown(name, setup, fix_destroy)

/* Sets the targets' number of samples and clears them. */
void fix_set_samples(struct fix *f, unsigned samples);
void fix_clear(struct fix *f);

/* Links varyings 0 to n - 1 to GEN0 to GEN(n - 1), with all components. */
void fix_varyings(struct fix *f, unsigned n, enum sgpu_interpolation interpolation);

/* Adds a vertex at window coordinates x and y, which may have fractions, with depth z in 0..1 and
 * clip w. Its other inputs are 0. Returns the number of the vertex.
 */
unsigned fix_vertex(struct fix *f, float x, float y, float z, float w);
float *fix_input(struct fix *f, unsigned vertex, unsigned input);
void fix_reset_vertices(struct fix *f);
/* Clears the targets and removes the vertices. */
void fix_restart(struct fix *f);

void fix_draw(struct fix *f, const struct fix_level *level, enum sgpu_primitive primitive,
              unsigned first, unsigned count);
void fix_draw_indexed(struct fix *f, const struct fix_level *level, enum sgpu_primitive primitive,
                      const uint32_t *indices, unsigned count);
/* Runs the packet of f->draw. `tiles` is the seed for the order of tiles, or 0 for the order of
 * submission.
 */
void fix_run(struct fix *f, const struct fix_level *level, uint32_t tiles);

struct fix_pixel *fix_at(struct fix *f, unsigned x, unsigned y, unsigned layer);
struct fix_pixel *fix_sample(struct fix *f, unsigned x, unsigned y, unsigned layer,
                             unsigned sample);
uint64_t fix_hash(const struct fix *f);

/* Returns a random number, the same sequence on every host. */
static inline uint32_t
fix_random(uint64_t *s)
{
   *s = *s * 6364136223846793005ull + 1442695040888963407ull;
   return *s >> 33;
}

#endif
