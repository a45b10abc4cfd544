/* SPDX-License-Identifier: MIT */
/*
 * Triangles that are set up eight at a time, compared with the same triangles set up alone:
 * restarts between triangles put each one in a separate list. The triangles of many strips form one
 * list.
 */
#include "../../rounds.h"
#include "../../unit.h"
#include "fixture.h"

#define WIDTH 200
#define HEIGHT 150
#define VERTICES 300
#define MOST 700 /* maximum number of triangles, more than a batch has */
#define RESTART 0xffffffffu

static float
between(uint64_t *seed, float low, float high)
{
   return low + (high - low) * (float)(fix_random(seed) % 65537) / 65536.0f;
}

struct result {
   uint64_t hash;
   struct sgd_stats stats;
   uint64_t counters[4];
};

static struct result
draw(struct fix *f, const struct fix_level *level, enum sgpu_primitive type, const uint32_t *index,
     unsigned count)
{
   static const unsigned counter[] = { SGPU_COUNTER_PRIMITIVES, SGPU_COUNTER_PRIMITIVES_CULLED,
                                       SGPU_COUNTER_PRIMITIVES_CLIPPED, SGPU_COUNTER_SLICES };
   struct result r;

   fix_clear(f);
   for (unsigned i = 0; i < 4; i++)
      f->worker.counters[counter[i]] = 0;
   fix_draw_indexed(f, level, type, index, count);
   r.hash = fix_hash(f);
   r.stats = f->stats;
   for (unsigned i = 0; i < 4; i++)
      r.counters[i] = f->worker.counters[counter[i]];
   return r;
}

static void
random_state(struct fix *f, uint64_t *seed)
{
   struct SGPU_RASTERIZER *rast = &f->state.rast;
   static const enum sgpu_cull culls[] = { SGPU_CULL_NONE, SGPU_CULL_NONE, SGPU_CULL_FRONT,
                                           SGPU_CULL_BACK, SGPU_CULL_BOTH };

   rast->cull = culls[fix_random(seed) % 5];
   rast->front_ccw = fix_random(seed) % 2;
   rast->bottom_edge_rule = fix_random(seed) % 2;
   rast->half_pixel_center = fix_random(seed) % 4 != 0;
   rast->flatshade_first = fix_random(seed) % 2;
   rast->offset_tri = fix_random(seed) % 4 == 0;
   rast->offset_scale = rast->offset_tri ? 1.5f : 0.0f;
   rast->depth_clip_near = rast->depth_clip_far = fix_random(seed) % 4 != 0;
   f->depth_less = fix_random(seed) % 2;
   f->state.plan.zs_mode = (struct sgd_zs_mode){ .test_early = fix_random(seed) % 2,
                                                 .active = true };
   f->state.plan.zs_mode.test_late = !f->state.plan.zs_mode.test_early;
   f->state.varying[0].interpolation = fix_random(seed) % 3;
   f->state.varying[1].interpolation = fix_random(seed) % 3;
}

/* Makes groups of six vertices near to each other. Triangles are smaller than a pixel up to larger
 * than the window.
 */
static void
random_vertices(struct fix *f, uint64_t *seed)
{
   static const float sizes[] = { 0.4f, 1.0f, 2.0f, 6.0f, 40.0f, 90.0f, 1000.0f };
   const float size = sizes[fix_random(seed) % 7];
   /* Coordinates on a grid make edges through pixel centres and triangles without area. */
   const float grid = fix_random(seed) % 2 ? 2.0f : 256.0f;
   const bool deep = fix_random(seed) % 3 == 0;
   /* Either all triangles are inside the window, or some are beyond planes. */
   const float margin = fix_random(seed) % 2 ? -size : 20.0f;
   float x = 0, y = 0;

   fix_reset_vertices(f);
   for (unsigned i = 0; i < VERTICES; i++) {
      if (i % 6 == 0) {
         x = between(seed, -margin, WIDTH + margin);
         y = between(seed, -margin, HEIGHT + margin);
      }
      const float vx = (float)(int)((x + between(seed, -size, size)) * grid) / grid;
      const float vy = (float)(int)((y + between(seed, -size, size)) * grid) / grid;
      const unsigned v = fix_vertex(f, vx, vy, between(seed, deep ? -0.1f : 0.0f, 1.0f),
                                    between(seed, deep ? -0.2f : 0.5f, 2.0f));
      for (unsigned k = 1; k <= 2; k++) {
         for (unsigned c = 0; c < 4; c++)
            fix_input(f, v, k)[c] = between(seed, -2.0f, 2.0f);
      }
   }
}

static void
assert_same(const struct result *a, const struct result *b)
{
   assert_true(a->hash == b->hash);
   assert_true(a->stats.c_invocations == b->stats.c_invocations);
   assert_true(a->stats.c_primitives == b->stats.c_primitives);
   assert_true(a->stats.ps_invocations == b->stats.ps_invocations);
   assert_memory_equal(a->counters, b->counters, sizeof(a->counters));
}

static void
test_alone(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 1, drawn = 0;
   static uint32_t together[3 * MOST], alone[4 * MOST];

   for (unsigned round = 0; round < TEST_ROUNDS(600); round++) {
      const struct fix_level *level = fix_level_of(round);
      const unsigned count = 8 + fix_random(&seed) % (round % 20 ? 40 : MOST - 8);

      random_state(f, &seed);
      random_vertices(f, &seed);
      for (unsigned t = 0; t < count; t++) {
         const unsigned first = fix_random(&seed) % (VERTICES / 6) * 6;
         for (unsigned c = 0; c < 3; c++)
            alone[4 * t + c] = together[3 * t + c] = first + fix_random(&seed) % 6;
         alone[4 * t + 3] = RESTART;
      }
      f->draw.packet.restart = true;
      f->draw.packet.restart_index = RESTART;
      const struct result a = draw(f, level, SGPU_PRIMITIVE_TRIANGLES, alone, 4 * count);
      f->draw.packet.restart = false;
      const struct result b = draw(f, level, SGPU_PRIMITIVE_TRIANGLES, together, 3 * count);

      assert_same(&a, &b);
      /* Both runs are one batch. One finds vertices with a hash, the other one in a table. */
      if (count < SGD_BATCH_PRIMS / 2)
         assert_true(a.stats.vs_invocations == b.stats.vs_invocations);
      drawn += b.stats.ps_invocations != 0;
   }
   assert_true(drawn > TEST_ROUNDS(200));
}

/* Returns in `out` the vertices of triangle t of a strip that begins at v. The order is that of
 * sgd_ia_assemble.c: the provoking vertex is the last one, for polygons the first one.
 */
static void
strip_triangle(enum sgpu_primitive type, const uint32_t *v, unsigned t, uint32_t *out)
{
   static const uint8_t quad[2][3] = { { 0, 1, 3 }, { 1, 2, 3 } };
   static const uint8_t quad_of_strip[2][3] = { { 0, 1, 3 }, { 0, 3, 2 } };

   for (unsigned c = 0; c < 3; c++) {
      switch (type) {
      case SGPU_PRIMITIVE_TRIANGLE_STRIP:
         out[c] = v[t + (c == 2 ? 2 : c ^ (t & 1))];
         break;
      case SGPU_PRIMITIVE_QUADS:
         out[c] = v[t / 2 * 4 + quad[t & 1][c]];
         break;
      case SGPU_PRIMITIVE_QUAD_STRIP:
         out[c] = v[t / 2 * 2 + quad_of_strip[t & 1][c]];
         break;
      default:
         out[c] = v[c ? t + c : 0];
         break;
      }
   }
}

/* Many short strips, whose triangles the assembler hands to the clipper together. */
static void
test_strips(void **state)
{
   static const enum sgpu_primitive types[] = {
      SGPU_PRIMITIVE_TRIANGLE_STRIP, SGPU_PRIMITIVE_TRIANGLE_FAN, SGPU_PRIMITIVE_QUADS,
      SGPU_PRIMITIVE_QUAD_STRIP,     SGPU_PRIMITIVE_POLYGON,
   };
   static uint32_t strips[5 * MOST], alone[4 * MOST];
   struct fix *f = *state;
   uint64_t seed = 2, drawn = 0;

   for (unsigned round = 0; round < TEST_ROUNDS(200); round++) {
      const enum sgpu_primitive type = types[round % 5];
      const bool quads = type == SGPU_PRIMITIVE_QUADS || type == SGPU_PRIMITIVE_QUAD_STRIP;
      const struct fix_level *level = fix_level_of(round);
      const unsigned most = 20 + fix_random(&seed) % (round % 20 ? 60 : MOST - 40);
      unsigned n = 0, triangles = 0;

      random_state(f, &seed);
      random_vertices(f, &seed);
      f->state.rast.flatshade_first = type == SGPU_PRIMITIVE_POLYGON;
      /* The second triangle of a quad has its provoking vertex in the middle. */
      for (unsigned i = 0; i < 2 && type == SGPU_PRIMITIVE_QUAD_STRIP; i++) {
         if (f->state.varying[i].interpolation == SGPU_INTERPOLATION_FLAT)
            f->state.varying[i].interpolation = SGPU_INTERPOLATION_PERSPECTIVE;
      }
      /* Triangles of one primitive have the same PRIMITIVE_ID. */
      f->ps.sysvals_read = 1u << SGPU_SYS_FACE;
      if (!quads && type != SGPU_PRIMITIVE_POLYGON)
         f->ps.sysvals_read |= 1u << SGPU_SYS_PRIMITIVE_ID;
      while (triangles + 20 < most) {
         const unsigned own = (1 + fix_random(&seed) % 9) * (quads ? 2 : 1);
         const unsigned vertices = type == SGPU_PRIMITIVE_QUADS ? 2 * own : own + 2;

         for (unsigned i = 0; i < vertices; i++)
            strips[n + i] = fix_random(&seed) % VERTICES / 6 * 6 + fix_random(&seed) % 6;
         for (unsigned t = 0; t < own; t++, triangles++) {
            strip_triangle(type, strips + n, t, alone + 4 * triangles);
            alone[4 * triangles + 3] = RESTART;
         }
         n += vertices;
         strips[n++] = RESTART;
      }
      f->draw.packet.restart = true;
      f->draw.packet.restart_index = RESTART;
      const struct result a = draw(f, level, SGPU_PRIMITIVE_TRIANGLES, alone, 4 * triangles);
      const struct result b = draw(f, level, type, strips, n);

      assert_same(&a, &b);
      drawn += b.stats.ps_invocations != 0;
   }
   assert_true(drawn > TEST_ROUNDS(50));
}

static int
setup(void **state)
{
   struct fix *f = fix_create(WIDTH, HEIGHT, 1);

   fix_varyings(f, 2, SGPU_INTERPOLATION_PERSPECTIVE);
   f->primitive_ids = true;
   f->ps.sysvals_read |= 1u << SGPU_SYS_PRIMITIVE_ID | 1u << SGPU_SYS_FACE;
   *state = f;
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = { FIX_TEST(test_alone), FIX_TEST(test_strips) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
