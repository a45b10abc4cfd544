/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: the batches of a draw, taken together, are the primitives that OpenGL 3.2
 * (section 2.6.1, table 2.12) describes, in order and independent of the cuts.
 */
#include "../../rounds.h"
#include "../../unit.h"
#include "geometry/clip/sgd_clip.h"
#include "fixture.h"
#include "geometry/front/sgd_front.h"
#include "geometry/ia/sgd_ia.h"
#include "common/sgd_varyings.h"

struct record {
   uint32_t v[6], prov;
   uint8_t n, edges;
   uint32_t id;
};

static struct record *got, *want;
static unsigned num_got, num_want, max_records;

/* Stand-ins for the clipper. */
static uint32_t
index_of(const struct sgd_front *f, const struct sgd_vertex *v)
{
   return f->index[((uint8_t *)v - f->vertices) / f->stride];
}

bool
sgd_clip_begin(struct sgd_front *f)
{
   return true;
}

void
sgd_clip_point(struct sgd_front *f, const struct sgd_vertex *v)
{
   const uint32_t i = index_of(f, v);
   got[num_got++] = (struct record){ { i }, i, 1, 0, f->primitive_id };
}

void
sgd_clip_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
              const struct sgd_vertex *prov)
{
   got[num_got++] = (struct record){
      { index_of(f, v0), index_of(f, v1) }, index_of(f, prov), 2, 0, f->primitive_id
   };
}

void
sgd_clip_triangle(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
                  const struct sgd_vertex *v2, const struct sgd_vertex *prov, unsigned edges)
{
   got[num_got++] = (struct record){ { index_of(f, v0), index_of(f, v1), index_of(f, v2) },
                                     index_of(f, prov),
                                     3,
                                     edges,
                                     f->primitive_id };
}

/* if set, the clipper takes lists of triangles, which come without edges */
static bool in_lists;

bool
sgd_clip_takes_lists(const struct sgd_front *f)
{
   return in_lists;
}

void
sgd_clip_triangles(struct sgd_front *f, const struct sgd_triangles *t)
{
   for (unsigned i = 0; i < t->count; i++) {
      const uint16_t *corner = t->corner + 3 * i;
      const unsigned provoking = t->provoking ? t->provoking[i] : t->same_provoking;

      f->primitive_id = t->first_id + (t->primitive ? t->primitive[i] : i);
      sgd_clip_triangle(f, sgd_front_vertex(f, corner[0]), sgd_front_vertex(f, corner[1]),
                        sgd_front_vertex(f, corner[2]), sgd_front_vertex(f, corner[provoking]),
                        SGD_EDGES_ALL);
   }
}

/* For smooth polygons, which tests/device/raster/test_smooth.c tests. */
void
sgd_clip_face(struct sgd_front *f, const struct sgd_vertex *const *v, unsigned n,
              const struct sgd_vertex *prov, unsigned edges, bool continues)
{
   abort();
}

/* A stage after the vertex stage: records primitives, `edges` is 0, `prov` the first vertex. */
static void
take_primitive(struct sgd_front *f, struct sgd_front_stage *s, const uint16_t *vertex, uint32_t id)
{
   struct record r = { .n = sgd_ia_vertices(sgd_ia_list(f->draw->packet.primitive)), .id = id };
   for (unsigned i = 0; i < r.n; i++)
      r.v[i] = f->index[vertex[i]];
   r.prov = r.v[0];
   got[num_got++] = r;
}

static const struct sgd_front_stage_ops taker = { .primitive = take_primitive };

/*
 * The oracle: primitives of one strip v[0..n), by the specification's tables.
 */

static void
want_line(const uint32_t *v, unsigned a, unsigned b, bool first, uint32_t id)
{
   want[num_want++] = (struct record){ { v[a], v[b] }, v[first ? a : b], 2, 0, id };
}

static void
want_triangle(const uint32_t *v, unsigned a, unsigned b, unsigned c, unsigned prov, unsigned edges,
              uint32_t id)
{
   want[num_want++] = (struct record){ { v[a], v[b], v[c] }, v[prov], 3, edges, id };
}

static uint32_t
oracle(enum sgpu_primitive type, const uint32_t *v, unsigned n, bool first, uint32_t id)
{
   /* i counts from 1, as in the tables. */
   switch (type) {
   case SGPU_PRIMITIVE_POINTS:
      for (unsigned i = 0; i < n; i++)
         want[num_want++] = (struct record){ { v[i] }, v[i], 1, 0, id++ };
      break;
   case SGPU_PRIMITIVE_LINES:
      for (unsigned i = 1; 2 * i <= n; i++)
         want_line(v, 2 * i - 2, 2 * i - 1, first, id++);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP:
      for (unsigned i = 1; i < n; i++)
         want_line(v, i - 1, i, first, id++);
      break;
   case SGPU_PRIMITIVE_LINE_LOOP:
      for (unsigned i = 1; i < n; i++)
         want_line(v, i - 1, i, first, id++);
      if (n >= 2)
         want_line(v, n - 1, 0, first, id++);
      break;
   case SGPU_PRIMITIVE_TRIANGLES:
      for (unsigned i = 1; 3 * i <= n; i++)
         want_triangle(v, 3 * i - 3, 3 * i - 2, 3 * i - 1, first ? 3 * i - 3 : 3 * i - 1, 7, id++);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP:
      for (unsigned i = 1; i + 2 <= n; i++) {
         if (i & 1)
            want_triangle(v, i - 1, i, i + 1, first ? i - 1 : i + 1, 7, id++);
         else
            want_triangle(v, i, i - 1, i + 1, first ? i - 1 : i + 1, 7, id++);
      }
      break;
   case SGPU_PRIMITIVE_TRIANGLE_FAN:
      for (unsigned i = 1; i + 2 <= n; i++)
         want_triangle(v, 0, i, i + 1, first ? i : i + 1, 7, id++);
      break;
   case SGPU_PRIMITIVE_QUADS:
      for (unsigned i = 1; 4 * i <= n; i++, id++) {
         const unsigned q = 4 * i - 4;
         if (first) {
            want_triangle(v, q, q + 1, q + 2, q, 3, id);
            want_triangle(v, q, q + 2, q + 3, q, 6 | SGD_EDGES_CONTINUE, id);
         } else {
            want_triangle(v, q, q + 1, q + 3, q + 3, 5, id);
            want_triangle(v, q + 1, q + 2, q + 3, q + 3, 3 | SGD_EDGES_CONTINUE, id);
         }
      }
      break;
   case SGPU_PRIMITIVE_QUAD_STRIP:
      for (unsigned i = 1; 2 * i + 2 <= n; i++, id++) {
         const unsigned prov = first ? 2 * i - 2 : 2 * i + 1;
         want_triangle(v, 2 * i - 2, 2 * i - 1, 2 * i + 1, prov, 3, id);
         want_triangle(v, 2 * i - 2, 2 * i + 1, 2 * i, prov, 6 | SGD_EDGES_CONTINUE, id);
      }
      break;
   case SGPU_PRIMITIVE_POLYGON:
      for (unsigned i = 1; i + 2 <= n; i++)
         want_triangle(v, 0, i, i + 1, 0,
                       2 | (i == 1 ? 1 : SGD_EDGES_CONTINUE) | (i + 2 == n ? 4 : 0), id);
      id += n >= 3;
      break;
   case SGPU_PRIMITIVE_LINES_ADJACENCY:
      for (unsigned i = 1; 4 * i <= n; i++)
         want_line(v, 4 * i - 3, 4 * i - 2, first, id++);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY:
      for (unsigned i = 1; i + 3 <= n; i++)
         want_line(v, i, i + 1, first, id++);
      break;
   case SGPU_PRIMITIVE_TRIANGLES_ADJACENCY:
      for (unsigned i = 1; 6 * i <= n; i++)
         want_triangle(v, 6 * i - 6, 6 * i - 4, 6 * i - 2, first ? 6 * i - 6 : 6 * i - 2, 7, id++);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY:
      for (unsigned i = 1; 2 * i + 4 <= n; i++) {
         const unsigned a = 2 * i - 2, prov = first ? a : a + 4;
         if (i & 1)
            want_triangle(v, a, a + 2, a + 4, prov, 7, id++);
         else if (first)
            want_triangle(v, a, a + 4, a + 2, prov, 7, id++);
         else
            want_triangle(v, a + 2, a, a + 4, prov, 7, id++);
      }
      break;
   case SGPU_PRIMITIVE_PATCHES:
      break;
   }
   return id;
}

/* Records the primitives that geometry programs get in gl_in. */
static void
want_input(const uint32_t *v, unsigned n, const unsigned *from, uint32_t id)
{
   struct record r = { .n = n, .id = id };
   for (unsigned i = 0; i < n; i++)
      r.v[i] = v[from[i]];
   r.prov = r.v[0];
   want[num_want++] = r;
}
#define WANT(...)                                  \
   do {                                            \
      const unsigned from[] = { __VA_ARGS__ };     \
      want_input(v, ARRAY_SIZE(from), from, id++); \
   } while (0)

static uint32_t
geometry_oracle(enum sgpu_primitive type, const uint32_t *v, unsigned n, bool first, uint32_t id)
{
   switch (type) {
   case SGPU_PRIMITIVE_POINTS:
      for (unsigned i = 0; i < n; i++)
         WANT(i);
      break;
   case SGPU_PRIMITIVE_LINES:
      for (unsigned i = 0; i + 2 <= n; i += 2)
         WANT(i, i + 1);
      break;
   case SGPU_PRIMITIVE_LINE_STRIP:
   case SGPU_PRIMITIVE_LINE_LOOP:
      for (unsigned i = 0; i + 2 <= n; i++)
         WANT(i, i + 1);
      if (type == SGPU_PRIMITIVE_LINE_LOOP && n >= 2)
         WANT(n - 1, 0);
      break;
   case SGPU_PRIMITIVE_LINES_ADJACENCY:
   case SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY:
      for (unsigned i = 0; i + 4 <= n; i += type == SGPU_PRIMITIVE_LINES_ADJACENCY ? 4 : 1)
         WANT(i, i + 1, i + 2, i + 3);
      break;
   case SGPU_PRIMITIVE_TRIANGLES:
      for (unsigned i = 0; i + 3 <= n; i += 3)
         WANT(i, i + 1, i + 2);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP:
      /* The winding and the provoking vertex, first or last, stay the same. */
      for (unsigned i = 0; i + 3 <= n; i++) {
         if (i % 2 == 0)
            WANT(i, i + 1, i + 2);
         else if (first)
            WANT(i, i + 2, i + 1);
         else
            WANT(i + 1, i, i + 2);
      }
      break;
   case SGPU_PRIMITIVE_TRIANGLE_FAN:
      for (unsigned i = 1; i + 2 <= n; i++)
         WANT(0, i, i + 1);
      break;
   case SGPU_PRIMITIVE_TRIANGLES_ADJACENCY:
      for (unsigned i = 0; i + 6 <= n; i += 6)
         WANT(i, i + 1, i + 2, i + 3, i + 4, i + 5);
      break;
   case SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY: {
      /* OpenGL 4.6, table 10.1, whose vertices count from 1. */
      const unsigned triangles = n >= 6 ? (n - 4) / 2 : 0;
      for (unsigned i = 0; i < triangles; i++) {
         const bool odd = i & 1, last = i == triangles - 1;
         const unsigned v1 = odd ? 2 * i + 3 : 2 * i + 1, v2 = odd ? 2 * i + 1 : 2 * i + 3;
         const unsigned v3 = 2 * i + 5;
         const unsigned a12 = i == 0 ? 2 : 2 * i - 1;
         const unsigned beyond = last ? 2 * i + 6 : 2 * i + 7;
         const unsigned a23 = odd ? 2 * i + 4 : beyond, a31 = odd ? beyond : 2 * i + 4;
         /* With the first-vertex convention, the provoking vertex 2 * i + 1 is the first one. */
         if (odd && first)
            WANT(v2 - 1, a23 - 1, v3 - 1, a31 - 1, v1 - 1, a12 - 1);
         else
            WANT(v1 - 1, a12 - 1, v2 - 1, a23 - 1, v3 - 1, a31 - 1);
      }
      break;
   }
   default:
      abort();
   }
   return id;
}

struct test {
   struct sgd_front *front;
   struct sgd_state state;
   struct sgd_varyings varyings;
   struct sgd_draw draw;
   unsigned batches;
   struct sgd_shader geometry;
};

/* Function that run_batches() calls between the cut of a batch and its reading, or NULL. */
static void (*between)(struct test *t);
/* upper limit for the primitives of a batch, with space for the line that closes a loop */
static unsigned most = SGD_BATCH_PRIMS + 2;

static void
run_batches(struct test *t)
{
   struct sgd_front *f = t->front;
   struct sgd_ia_cutter cutter;

   f->state = &t->state;
   f->mode = &t->state.plan.setup;
   f->draw = &t->draw;
   f->stages[1].ops = &taker;
   f->second = t->state.shader[SGPU_STAGE_GEOMETRY] ? &f->stages[1] : NULL;
   f->stride = sizeof(struct sgd_vertex);
   f->vertices = calloc(SGD_MAX_SLOTS, f->stride);
   num_got = 0;
   t->batches = 0;
   sgd_ia_cut_begin(&cutter, &t->draw);
   for (;;) {
      struct sgd_batch batch = { 0 };
      const bool done = sgd_ia_cut_done(&cutter);
      if (!sgd_ia_cut_next(&cutter, &batch))
         break;
      assert_false(done);
      assert_in_range(batch.num_elements, 1, SGD_BATCH_ELEMENTS);
      f->batch = &batch;
      const unsigned before = num_got;
      if (between)
         between(t);
      sgd_ia_read(f);
      sgd_ia_assemble(f);
      assert_in_range(num_got - before, 0, most);
      t->batches++;
   }
   free(f->vertices);
}

static void
compare(const char *what)
{
   bool same = num_got == num_want;

   for (unsigned i = 0; same && i < num_got; i++) {
      const struct record *g = &got[i], *w = &want[i];
      bool eq = g->n == w->n && g->prov == w->prov && (in_lists || g->edges == w->edges) &&
                g->id == w->id;
      for (unsigned k = 0; k < w->n; k++)
         eq &= g->v[k] == w->v[k];
      if (!eq) {
         print_error("%s: primitive %u is %u %u %u prov %u edges %u id %u, expected %u %u %u "
                     "prov %u edges %u id %u\n",
                     what, i, g->v[0], g->v[1], g->v[2], g->prov, g->edges, g->id, w->v[0], w->v[1],
                     w->v[2], w->prov, w->edges, w->id);
         same = false;
      }
   }
   if (num_got != num_want)
      print_error("%s: %u primitives, expected %u\n", what, num_got, num_want);
   assert_true(same);
}

static const char *const names[] = {
   "points",        "lines",     "loop",       "line strip", "triangles", "strip",
   "fan",           "quads",     "quad strip", "polygon",    "lines adj", "line strip adj",
   "triangles adj", "strip adj", "patches",
};

static void
arrays(void **state)
{
   struct test *t = *state;
   static const unsigned counts[] = { 0,    1,    2,    3,    4,    5,    6,    7,    8,
                                      511,  512,  513,  514,  515,  516,  517,  1023, 1024,
                                      1025, 1026, 1027, 1536, 1537, 1538, 1539, 3072, 4999 };

   memset(&t->draw, 0, sizeof(t->draw));
   t->draw.state = &t->state;
   for (unsigned type = 0; type <= SGPU_PRIMITIVE_PATCHES; type++) {
      for (unsigned k = 0; k < ARRAY_SIZE(counts) * 4; k++) {
         const unsigned count = counts[k / 4];
         uint32_t *v = malloc((count + 1) * sizeof(*v));

         in_lists = k & 2;
         t->state.rast.flatshade_first = k & 1;
         t->draw.packet = (struct SGPU_DRAW){
            .primitive = type, .first = 77, .count = count, .instances = 2, .patch_vertices = 3
         };
         num_want = 0;
         for (unsigned i = 0; i < count; i++)
            v[i] = 77 + i;
         for (unsigned inst = 0; inst < 2; inst++)
            oracle(type, v, count, k & 1, 0);
         run_batches(t);
         compare(names[type]);
         free(v);
      }
   }
}

static void
indexed(void **state)
{
   struct test *t = *state;
   uint64_t seed = 5;

   for (unsigned round = 0; round < TEST_ROUNDS(3000); round++) {
      const enum sgpu_primitive type = round % 14;
      const unsigned size = SGPU_INDEX_SIZE_U8 + fix_random(&seed) % 3;
      const unsigned bytes = 1 << (size - SGPU_INDEX_SIZE_U8);
      const unsigned count = fix_random(&seed) % 4000;
      const unsigned first = fix_random(&seed) % 40;
      /* On average, there is one restart in `run` indices. Some draws end after the buffer. */
      const unsigned run = 1 + (1u << fix_random(&seed) % 12);
      const unsigned present = fix_random(&seed) % 8 ? first + count : (first + count) / 2;
      const uint32_t restart = fix_random(&seed) % 6 ? fix_random(&seed) % 200 : 0;
      const bool flat_first = fix_random(&seed) & 1;
      /* Indices are near to each other, or far apart. */
      const uint32_t step = round % 2 ? 1 : bytes == 2 ? 200 : bytes == 4 ? 0x1000003 : 1;
      uint8_t *memory = malloc(present * bytes + 1);
      uint32_t *v = malloc((count + 1) * sizeof(*v));

      for (unsigned i = 0; i < present; i++) {
         uint32_t index = fix_random(&seed) % 251 * step;
         if (fix_random(&seed) % run == 0)
            index = restart;
         memcpy(memory + i * bytes, &index, bytes);
      }
      in_lists = fix_random(&seed) & 1;
      t->state.rast.flatshade_first = flat_first;
      t->draw.packet = (struct SGPU_DRAW){ .primitive = type,
                                           .first = first,
                                           .count = count,
                                           .instances = 1,
                                           .index_size = size,
                                           .restart = round % 3 != 0,
                                           .restart_index = restart,
                                           .index_bias = (int32_t)(fix_random(&seed) % 2000) - 1000,
                                           .patch_vertices = 3 };
      t->draw.indices.ptr = memory;
      t->draw.indices.size = present * bytes;

      num_want = 0;
      uint32_t id = 0;
      unsigned n = 0;
      for (unsigned i = 0; i <= count; i++) {
         uint32_t index = 0;
         if (first + i < present)
            memcpy(&index, memory + (first + i) * bytes, bytes);
         if (i == count || (t->draw.packet.restart && index == restart)) {
            id = oracle(type, v, n, flat_first, id);
            n = 0;
         } else {
            v[n++] = index + t->draw.packet.index_bias;
         }
      }
      run_batches(t);
      compare(names[type]);
      free(memory);
      free(v);
   }
}

static bool
is_list_of(enum sgpu_primitive type)
{
   return type != SGPU_PRIMITIVE_QUADS && type != SGPU_PRIMITIVE_QUAD_STRIP &&
          type != SGPU_PRIMITIVE_POLYGON && type != SGPU_PRIMITIVE_PATCHES;
}

/* Draws with a geometry program: other orders, adjacent vertices, smaller batches. */
static void
geometry(void **state)
{
   struct test *t = *state;
   uint64_t seed = 9;

   t->state.shader[SGPU_STAGE_GEOMETRY] = &t->geometry;
   for (unsigned round = 0; round < TEST_ROUNDS(4000); round++) {
      const enum sgpu_primitive type = round % 14;
      const unsigned count = fix_random(&seed) % (fix_random(&seed) % 4 ? 60 : 4000);
      const unsigned run = fix_random(&seed) % 3 ? 1 + (1u << fix_random(&seed) % 10) : 0;
      const bool indexed = fix_random(&seed) % 3 != 0, first = fix_random(&seed) & 1;
      const uint32_t base = fix_random(&seed) % 90;
      uint16_t *indices = malloc((count + 1) * sizeof(*indices));
      uint32_t *v = malloc((count + 1) * sizeof(*v));
      unsigned n = 0;
      uint32_t id = 0;

      if (!is_list_of(type)) {
         free(indices);
         free(v);
         continue;
      }
      t->state.shader_desc[SGPU_STAGE_GEOMETRY].max_vertices = 1u << fix_random(&seed) % 11;
      t->state.shader_desc[SGPU_STAGE_GEOMETRY].invocations = 1 + fix_random(&seed) % 32;
      t->state.rast.flatshade_first = first;
      t->draw.packet = (struct SGPU_DRAW){ .primitive = type,
                                           .first = indexed ? 0 : base,
                                           .count = count,
                                           .instances = 1,
                                           .index_size = indexed ? SGPU_INDEX_SIZE_U16
                                                                 : SGPU_INDEX_SIZE_NONE,
                                           .restart = run != 0,
                                           .restart_index = 0xffff };
      t->draw.indices.ptr = (uint8_t *)indices;
      t->draw.indices.size = count * 2;
      num_want = 0;
      for (unsigned i = 0; i <= count; i++) {
         const bool restart = indexed && run && fix_random(&seed) % run == 0;
         indices[i] = restart ? 0xffff : fix_random(&seed) % 300;
         if (i == count || restart) {
            id = geometry_oracle(type, v, n, first, id);
            n = 0;
         } else {
            v[n++] = indexed ? indices[i] : base + i;
         }
      }
      run_batches(t);
      compare(names[type]);
      free(indices);
      free(v);
   }

   /* The number of vertices that the geometry program emits for a batch is limited. */
   t->state.shader_desc[SGPU_STAGE_GEOMETRY].max_vertices = 64;
   t->state.shader_desc[SGPU_STAGE_GEOMETRY].invocations = 4;
   t->draw.packet = (struct SGPU_DRAW){ .primitive = SGPU_PRIMITIVE_POINTS,
                                        .count = 6400,
                                        .instances = 1 };
   run_batches(t);
   assert_int_equal(t->batches, 6400 * 64 * 4 / SGD_BATCH_EMITTED);
   t->state.shader[SGPU_STAGE_GEOMETRY] = NULL;
}

/* A batch has no more patches than the tessellation stages keep. */
static void
patches(void **state)
{
   struct test *t = *state;
   uint64_t seed = 11;

   for (unsigned round = 0; round < TEST_ROUNDS(400); round++) {
      const unsigned vertices = 1 + round % 4;
      const unsigned count = round < 200 ? vertices * SGD_BATCH_PATCHES + round / 4 % 5
                                         : fix_random(&seed) % 1000;
      const bool restart = round & 1;
      uint8_t *index = malloc(count + 1);
      struct sgd_ia_cutter cutter;
      unsigned expected = 0, run = 0, found = 0;

      for (unsigned i = 0; i < count; i++) {
         index[i] = restart && fix_random(&seed) % 40 == 0 ? 0xff : fix_random(&seed) % 200;
         run = index[i] == 0xff ? 0 : run + 1;
         expected += run && run % vertices == 0;
      }
      t->draw.packet = (struct SGPU_DRAW){ .primitive = SGPU_PRIMITIVE_PATCHES,
                                           .patch_vertices = vertices,
                                           .count = count,
                                           .instances = 1,
                                           .index_size = SGPU_INDEX_SIZE_U8,
                                           .restart = restart,
                                           .restart_index = 0xff };
      t->draw.indices.ptr = index;
      t->draw.indices.size = count;
      sgd_ia_cut_begin(&cutter, &t->draw);
      for (;;) {
         struct sgd_batch batch = { 0 };
         if (!sgd_ia_cut_next(&cutter, &batch))
            break;
         assert_in_range(batch.num_primitives, 0, SGD_BATCH_PATCHES);
         found += batch.num_primitives;
      }
      assert_int_equal(found, expected);
      free(index);
   }
}

/* Writes other indices after the cut of a batch, as a program could: restarts where there were
 * none, and other indices in their place.
 */
static uint64_t change_seed;

static void
change_indices(struct test *t)
{
   uint8_t *index = t->draw.indices.ptr;
   const unsigned rare = 2 + fix_random(&change_seed) % 200;

   for (uint64_t i = 0; i < t->draw.indices.size; i++)
      index[i] = fix_random(&change_seed) % rare == 0 ? 0xff : fix_random(&change_seed) % 200;
}

static void
changing_indices(void **state)
{
   struct test *t = *state;
   uint8_t *index = malloc(20000);

   t->draw.indices.ptr = index;
   t->draw.indices.size = 20000;
   between = change_indices;
   for (unsigned round = 0; round < TEST_ROUNDS(600); round++) {
      const enum sgpu_primitive primitive = round % 15;
      const bool stage = primitive == SGPU_PRIMITIVE_PATCHES ||
                         (is_list_of(primitive) && round % 2);

      change_seed = round;
      change_indices(t);
      t->draw.packet = (struct SGPU_DRAW){ .primitive = primitive,
                                           .patch_vertices = 1 + round / 15 % 4,
                                           .count = fix_random(&change_seed) % 20000,
                                           .instances = 1,
                                           .index_size = SGPU_INDEX_SIZE_U8,
                                           .restart = true,
                                           .restart_index = 0xff };
      t->state.shader[SGPU_STAGE_GEOMETRY] = stage ? &t->geometry : NULL;
      /* The cut counts polygons, but the test gets triangles. */
      most = primitive == SGPU_PRIMITIVE_PATCHES   ? SGD_BATCH_PATCHES
             : primitive == SGPU_PRIMITIVE_POLYGON ? SGD_BATCH_ELEMENTS
                                                   : SGD_BATCH_PRIMS + 2;
      run_batches(t);
   }
   between = NULL;
   most = SGD_BATCH_PRIMS + 2;
   t->state.shader[SGPU_STAGE_GEOMETRY] = NULL;
   free(index);
}

/* Batches are nearly full. So large draws run in parallel, and small strips do not become separate
 * batches.
 */
static void
batch_sizes(void **state)
{
   struct test *t = *state;
   uint16_t *index = malloc(120000 * sizeof(*index));

   memset(&t->draw, 0, sizeof(t->draw));
   t->draw.state = &t->state;
   t->draw.packet = (struct SGPU_DRAW){ .primitive = SGPU_PRIMITIVE_TRIANGLES,
                                        .count = 30000,
                                        .instances = 1 };
   run_batches(t);
   assert_int_equal(t->batches, (10000 + SGD_BATCH_PRIMS - 1) / SGD_BATCH_PRIMS);

   /* 20000 strips of four triangles. */
   for (unsigned i = 0; i < 120000; i++)
      index[i] = i % 7 == 6 ? 0xffff : i;
   t->draw.packet = (struct SGPU_DRAW){ .primitive = SGPU_PRIMITIVE_TRIANGLE_STRIP,
                                        .count = 120000,
                                        .instances = 1,
                                        .index_size = SGPU_INDEX_SIZE_U16,
                                        .restart = true,
                                        .restart_index = 0xffff };
   t->draw.indices.ptr = (uint8_t *)index;
   t->draw.indices.size = 240000;
   run_batches(t);
   assert_in_range(t->batches, 120000 / 7 * 4 / SGD_BATCH_PRIMS,
                   120000 / 7 * 4 / SGD_BATCH_PRIMS + 5);

   /* A draw whose indices are all restarts. */
   memset(index, 0xff, 240000);
   run_batches(t);
   assert_int_equal(num_got, 0);
   free(index);
}

static int
setup(void **state)
{
   struct test *t = calloc(1, sizeof(*t));

   t->front = calloc(1, sizeof(*t->front));
   t->draw.state = &t->state;
   max_records = 200000;
   got = malloc(max_records * sizeof(*got));
   want = malloc(max_records * sizeof(*want));
   *state = t;
   return 0;
}

static int
teardown(void **state)
{
   struct test *t = *state;

   free(t->front);
   free(t);
   free(got);
   free(want);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays),  cmocka_unit_test(indexed),          cmocka_unit_test(geometry),
      cmocka_unit_test(patches), cmocka_unit_test(changing_indices), cmocka_unit_test(batch_sizes),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
