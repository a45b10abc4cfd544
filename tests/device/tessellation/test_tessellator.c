/* SPDX-License-Identifier: MIT */
/*
 * The tessellator. With random levels, meshes cover their domain exactly once, with the winding
 * that the program asks for. An edge has the same points in all patches that share it, in both
 * directions.
 */
#include "../../unit.h"
#include "geometry/tess/sgd_tessellator.h"

#define ROUNDS 400
#define UNIT 65536 /* number of units of a domain coordinate in 0..1 */

static uint64_t seed = 12345;

static uint32_t
random_below(uint32_t n)
{
   seed = seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(seed >> 33) % n;
}

/* Returns a level, mostly 0.5 to 70. It is often an integer. */
static float
random_level(void)
{
   const float whole = (float)(1 + random_below(70));
   return random_below(3) ? whole - 0.5f + (float)random_below(1024) / 1024.0f : whole;
}

/* Converts a domain coordinate to units. It must be a whole number of them. */
static int32_t
units(float x)
{
   const float scaled = x * UNIT;
   const int32_t n = (int32_t)scaled;
   assert_true((float)n == scaled && n >= 0 && n <= UNIT);
   return n;
}

static int
compare(const void *a, const void *b)
{
   return *(const int32_t *)a - *(const int32_t *)b;
}

struct edge {
   unsigned num;
   int32_t at[SGD_TESS_POINTS];
};

/* Finds the points of edge e, in order. Edges are numbered as outer levels: of quads u = 0, v = 0,
 * u = 1, v = 1; of triangles u = 0, v = 0, w = 0.
 */
static void
find_edge(const struct sgd_tess_mesh *mesh, bool quads, unsigned e, struct edge *edge)
{
   edge->num = 0;
   for (unsigned i = 0; i < mesh->num_points; i++) {
      const int32_t u = units(mesh->point[i].u), v = units(mesh->point[i].v);
      const bool on = e == 0   ? u == 0
                      : e == 1 ? v == 0
                      : quads  ? (e == 2 ? u : v) == UNIT
                               : u + v == UNIT;
      if (on)
         edge->at[edge->num++] = (e == 1 || e == 3) ? u : v;
   }
   qsort(edge->at, edge->num, sizeof(edge->at[0]), compare);
}

static unsigned
segments(enum sgpu_tess_spacing spacing, float level)
{
   const float most = spacing == SGPU_TESS_SPACING_FRACTIONAL_ODD ? 63.0f : 64.0f;
   const float least = spacing == SGPU_TESS_SPACING_FRACTIONAL_EVEN ? 2.0f : 1.0f;
   const float clamped = level < least ? least : level > most ? most : level;
   unsigned n = (unsigned)clamped;
   n += (float)n < clamped;
   if (spacing == SGPU_TESS_SPACING_FRACTIONAL_ODD)
      n += !(n & 1);
   if (spacing == SGPU_TESS_SPACING_FRACTIONAL_EVEN)
      n += n & 1;
   return n;
}

/* The areas of the triangles add up to that of the domain, and all have the right winding. */
static void
check_area(const struct sgd_tess_mesh *mesh, bool quads, bool cw)
{
   int64_t sum = 0;

   assert_int_equal(mesh->num_indices % 3, 0);
   for (unsigned i = 0; i < mesh->num_indices; i += 3) {
      int64_t p[3][2];
      for (unsigned k = 0; k < 3; k++) {
         assert_in_range(mesh->index[i + k], 0, mesh->num_points - 1);
         p[k][0] = units(mesh->point[mesh->index[i + k]].u);
         p[k][1] = units(mesh->point[mesh->index[i + k]].v);
      }
      const int64_t twice = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
                            (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
      assert_true(cw == (twice < 0) || twice == 0);
      sum += twice;
   }
   const int64_t whole = (int64_t)UNIT * UNIT * (quads ? 2 : 1);
   assert_true(sum == (cw ? -whole : whole));
}

static void
meshes(void **state)
{
   struct sgd_tessellator *t = sgd_tessellator_create();
   static struct edge edge, other;

   assert_non_null(t);
   for (unsigned round = 0; round < ROUNDS; round++) {
      const bool quads = random_below(2);
      const struct SGPU_SHADER desc = {
         .tess_domain = quads ? SGPU_TESS_DOMAIN_QUADS : SGPU_TESS_DOMAIN_TRIANGLES,
         .tess_spacing = random_below(3),
         .tess_cw = random_below(2),
      };
      const unsigned edges = quads ? 4 : 3;
      float outer[4], inner[2];
      struct sgd_tess_mesh mesh;

      for (unsigned i = 0; i < 4; i++)
         outer[i] = random_level();
      inner[0] = random_level();
      inner[1] = random_level();
      assert_true(sgd_tessellator_begin(t, &desc));
      sgd_tessellate(t, outer, inner, &mesh);
      check_area(&mesh, quads, desc.tess_cw);

      /* Larger inner levels, so that no inner points are on the edges. */
      inner[0] += 3.0f;
      inner[1] += 3.0f;
      sgd_tessellate(t, outer, inner, &mesh);
      check_area(&mesh, quads, desc.tess_cw);

      const unsigned e = random_below(edges);
      find_edge(&mesh, quads, e, &edge);
      assert_int_equal(edge.num, segments(desc.tess_spacing, outer[e]) + 1);
      for (unsigned i = 0; i < edge.num; i++) {
         assert_true(edge.at[i] == UNIT - edge.at[edge.num - 1 - i]);
         assert_true(i == 0 || edge.at[i] > edge.at[i - 1]);
         if (desc.tess_spacing == SGPU_TESS_SPACING_EQUAL) {
            const int64_t exact = (int64_t)i * UNIT / (edge.num - 1);
            /* The length of a segment is rounded, so errors add up. */
            assert_true(llabs(edge.at[i] - exact) <= (edge.num + 3) / 4);
         }
      }

      /* The same edge of a neighbour, which may be another edge of another domain. */
      const bool other_quads = random_below(2);
      const unsigned other_e = random_below(other_quads ? 4 : 3);
      const struct SGPU_SHADER other_desc = {
         .tess_domain = other_quads ? SGPU_TESS_DOMAIN_QUADS : SGPU_TESS_DOMAIN_TRIANGLES,
         .tess_spacing = desc.tess_spacing,
         .tess_cw = random_below(2),
      };
      const float level = outer[e];
      for (unsigned i = 0; i < 4; i++)
         outer[i] = i == other_e ? level : random_level();
      inner[0] = 3.0f + random_level();
      inner[1] = 3.0f + random_level();
      assert_true(sgd_tessellator_begin(t, &other_desc));
      sgd_tessellate(t, outer, inner, &mesh);
      find_edge(&mesh, other_quads, other_e, &other);
      assert_int_equal(edge.num, other.num);
      assert_memory_equal(edge.at, other.at, edge.num * sizeof(edge.at[0]));
   }
   sgd_tessellator_destroy(t);
}

/* Lines: outer[0] lines of outer[1] segments each, from v = 0 on, without v = 1. */
static void
isolines(void **state)
{
   struct sgd_tessellator *t = sgd_tessellator_create();

   for (unsigned round = 0; round < ROUNDS; round++) {
      const struct SGPU_SHADER desc = {
         .tess_domain = SGPU_TESS_DOMAIN_ISOLINES,
         .tess_spacing = random_below(3),
      };
      const float outer[4] = { random_level(), random_level(), -1.0f, -1.0f };
      const float inner[2] = { -1.0f, -1.0f };
      struct sgd_tess_mesh mesh;

      assert_true(sgd_tessellator_begin(t, &desc));
      sgd_tessellate(t, outer, inner, &mesh);
      const unsigned lines = segments(SGPU_TESS_SPACING_EQUAL, outer[0]);
      const unsigned each = segments(desc.tess_spacing, outer[1]);
      assert_int_equal(mesh.num_points, lines * (each + 1));
      assert_int_equal(mesh.num_indices, 2 * lines * each);
      for (unsigned i = 0; i < mesh.num_points; i++)
         assert_true(units(mesh.point[i].v) < UNIT && units(mesh.point[i].u) <= UNIT);
      for (unsigned i = 0; i < mesh.num_indices; i += 2) {
         const struct sgd_tess_point *a = &mesh.point[mesh.index[i]];
         const struct sgd_tess_point *b = &mesh.point[mesh.index[i + 1]];
         assert_true(a->v == b->v && a->u < b->u);
      }
   }
   sgd_tessellator_destroy(t);
}

/* In point mode, each point of the mesh comes once. */
static void
points(void **state)
{
   struct sgd_tessellator *t = sgd_tessellator_create();
   static uint8_t seen[SGD_TESS_POINTS];

   for (unsigned round = 0; round < ROUNDS; round++) {
      struct SGPU_SHADER desc = {
         .tess_domain = random_below(3),
         .tess_spacing = random_below(3),
      };
      float outer[4], inner[2] = { random_level(), random_level() };
      struct sgd_tess_mesh mesh;

      for (unsigned i = 0; i < 4; i++)
         outer[i] = random_level();
      assert_true(sgd_tessellator_begin(t, &desc));
      sgd_tessellate(t, outer, inner, &mesh);
      const unsigned num = mesh.num_points;
      desc.tess_points = true;
      assert_true(sgd_tessellator_begin(t, &desc));
      sgd_tessellate(t, outer, inner, &mesh);
      assert_int_equal(mesh.num_points, num);
      assert_int_equal(mesh.num_indices, num);
      memset(seen, 0, sizeof(seen));
      for (unsigned i = 0; i < num; i++)
         assert_int_equal(seen[mesh.index[i]]++, 0);
   }
   sgd_tessellator_destroy(t);
}

/* Outer levels that drop a patch, and inner levels that do not. */
static void
odd_levels(void **state)
{
   static const float drop[] = { 0.0f, -0.0f, -1.0f, -1e30f, __builtin_nanf("") };
   static const float keep[] = { 1e-30f, 0.25f, 1.0f, 1e30f, __builtin_inff() };
   static const unsigned edges[] = { 3, 4, 2 };
   struct sgd_tessellator *t = sgd_tessellator_create();
   struct sgd_tess_mesh mesh;

   for (unsigned domain = 0; domain < 3; domain++) {
      for (unsigned spacing = 0; spacing < 3; spacing++) {
         const struct SGPU_SHADER desc = { .tess_domain = domain, .tess_spacing = spacing };
         assert_true(sgd_tessellator_begin(t, &desc));
         for (unsigned n = 0; n < 5; n++) {
            for (unsigned e = 0; e < 4; e++) {
               float outer[4] = { 3, 3, 3, 3 }, inner[2] = { 3, 3 };
               outer[e] = drop[n];
               sgd_tessellate(t, outer, inner, &mesh);
               assert_true((mesh.num_points == 0) == (e < edges[domain]));
               outer[e] = keep[n];
               inner[0] = drop[n];
               sgd_tessellate(t, outer, inner, &mesh);
               assert_true(mesh.num_points > 0 && mesh.num_points <= SGD_TESS_POINTS);
               if (domain != SGPU_TESS_DOMAIN_ISOLINES)
                  check_area(&mesh, domain == SGPU_TESS_DOMAIN_QUADS, false);
            }
         }
      }
   }
   sgd_tessellator_destroy(t);
}

/* Points of fractional spacing are in order for every level, also just above integers, where
 * lengths have the largest rounding errors.
 */
static void
order(void **state)
{
   struct sgd_tessellator *t = sgd_tessellator_create();

   for (unsigned whole = 1; whole < 64; whole++) {
      for (unsigned k = 0; k < 65536; k += k < 700 ? 1 : 997) {
         const struct SGPU_SHADER desc = {
            .tess_domain = SGPU_TESS_DOMAIN_ISOLINES,
            .tess_spacing = whole & 1 ? SGPU_TESS_SPACING_FRACTIONAL_ODD
                                      : SGPU_TESS_SPACING_FRACTIONAL_EVEN,
         };
         const float outer[4] = { 1.0f, (float)whole + (float)k / UNIT }, inner[2] = { 0 };
         struct sgd_tess_mesh mesh;

         assert_true(sgd_tessellator_begin(t, &desc));
         sgd_tessellate(t, outer, inner, &mesh);
         assert_int_equal(mesh.num_points, segments(desc.tess_spacing, outer[1]) + 1);
         for (unsigned i = 0; i < mesh.num_points; i++) {
            assert_true(!i || mesh.point[i].u >= mesh.point[i - 1].u);
            assert_true(mesh.point[i].u == 1.0f - mesh.point[mesh.num_points - 1 - i].u);
         }
      }
   }
   sgd_tessellator_destroy(t);
}

/* Levels that differ from an integer by up to two units in the last place. The number of segments
 * is the one that the specification requires for the float, although domain coordinates are less
 * precise.
 */
static void
near_levels(void **state)
{
   struct sgd_tessellator *t = sgd_tessellator_create();
   static struct edge edge;

   for (unsigned whole = 1; whole <= 64; whole++) {
      for (int step = -2; step <= 2; step++) {
         union {
            float f;
            int32_t i;
         } level = { (float)whole };
         level.i += step;
         for (unsigned n = 0; n < 6; n++) {
            const bool quads = n & 1;
            const struct SGPU_SHADER desc = {
               .tess_domain = quads ? SGPU_TESS_DOMAIN_QUADS : SGPU_TESS_DOMAIN_TRIANGLES,
               .tess_spacing = n / 2,
            };
            float outer[4] = { 3, 3, 3, 3 };
            const float inner[2] = { 7, level.f };
            struct sgd_tess_mesh mesh;

            outer[n % 3] = level.f;
            assert_true(sgd_tessellator_begin(t, &desc));
            sgd_tessellate(t, outer, inner, &mesh);
            check_area(&mesh, quads, false);
            find_edge(&mesh, quads, n % 3, &edge);
            assert_int_equal(edge.num, segments(desc.tess_spacing, level.f) + 1);
         }
      }
   }
   /* All levels are 1, or one of them is slightly larger. */
   const float one = 1.0f, more = 1.0f + 0x1p-23f;
   for (unsigned at = 0; at < 7; at++) {
      const struct SGPU_SHADER desc = {
         .tess_domain = SGPU_TESS_DOMAIN_QUADS,
         .tess_spacing = SGPU_TESS_SPACING_FRACTIONAL_ODD,
      };
      float level[6] = { one, one, one, one, one, one };
      struct sgd_tess_mesh mesh;

      if (at < 6)
         level[at] = more;
      assert_true(sgd_tessellator_begin(t, &desc));
      sgd_tessellate(t, level, level + 4, &mesh);
      /* Inner levels become 3: a square, and a frame of trapezoids whose outer sides have 1 or 3
       * segments.
       */
      assert_int_equal(mesh.num_indices, at == 6 ? 6 : at < 4 ? 3 * 12 : 3 * 10);
   }
   sgd_tessellator_destroy(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(meshes),     cmocka_unit_test(isolines),    cmocka_unit_test(points),
      cmocka_unit_test(odd_levels), cmocka_unit_test(near_levels), cmocka_unit_test(order),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
