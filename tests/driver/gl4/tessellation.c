/* SPDX-License-Identifier: MIT */
/*
 * Tests the tessellator against the specification (GL 4.5, 11.2.2).  The numbers of primitives and
 * vertices must be correct for each domain, spacing and mode with levels of every kind.  The mesh
 * must be closed: every inner edge is used once in each direction.  The points on an outer edge
 * must be symmetric bit by bit, and must depend only on the level of that edge.
 */
#include <math.h>

#include "core.h"

enum domain { TRIANGLES, QUADS, ISOLINES };
enum spacing { EQUAL, EVEN, ODD };
static const char *const domains[] = { "triangles", "quads", "isolines" };
static const char *const spacings[] = { "equal_spacing", "fractional_even_spacing",
                                        "fractional_odd_spacing" };

#define MAX_LEVEL 64.0f
#define MAX_VERTICES (64 * 64 * 6 + 4096)

struct levels {
   float outer[4], inner[2];
};

struct patch {
   unsigned count; /* number of vertices; each primitive has three, two or one */
   float coords[MAX_VERTICES][3];
};

static GLuint feedback, query;

static GLuint
make_program(enum domain domain, enum spacing spacing, const char *order, bool points)
{
   return PROGRAM(.vs = "void main() { gl_Position = vec4(0); }\n",
                  .tcs = "layout(vertices = 1) out;\n"
                         "layout(location = 0) uniform vec4 outer;\n"
                         "layout(location = 1) uniform vec2 inner;\n"
                         "void main() {\n"
                         "   gl_TessLevelOuter[0] = outer.x; gl_TessLevelOuter[1] = outer.y;\n"
                         "   gl_TessLevelOuter[2] = outer.z; gl_TessLevelOuter[3] = outer.w;\n"
                         "   gl_TessLevelInner[0] = inner.x; gl_TessLevelInner[1] = inner.y;\n"
                         "}\n",
                  .tes = text("layout(%s, %s, %s%s) in;\n"
                              "out vec3 coord;\n"
                              "void main() { coord = gl_TessCoord; gl_Position = vec4(0); }\n",
                              domains[domain], spacings[spacing], order,
                              points ? ", point_mode" : ""),
                  .varyings = (const char *const[]){ "coord", NULL });
}

/* Tessellates one patch with the current program.  The result is valid until the next call. */
static const struct patch *
tessellate(const struct levels *levels, GLenum mode)
{
   static struct patch patch;
   const unsigned per_primitive = mode == GL_TRIANGLES ? 3 : mode == GL_LINES ? 2 : 1;
   GLuint written = 0;

   glUniform4fv(0, 1, levels->outer);
   glUniform2fv(1, 1, levels->inner);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
   glBeginTransformFeedback(mode);
   glDrawArrays(GL_PATCHES, 0, 1);
   glEndTransformFeedback();
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
   patch.count = written * per_primitive;
   if (patch.count)
      glGetNamedBufferSubData(feedback, 0, sizeof patch.coords[0] * patch.count, patch.coords);
   return &patch;
}

/* Returns the number of segments of an edge. */
static unsigned
segments(enum spacing spacing, float level)
{
   const float least = spacing == EVEN ? 2.0f : 1.0f;
   const float most = spacing == ODD ? MAX_LEVEL - 1 : MAX_LEVEL;

   level = !(level > least) ? least : level > most ? most : level;
   unsigned n = (unsigned)ceilf(level);
   if (spacing != EQUAL && n % 2 != (spacing == ODD))
      n++;
   return n;
}

/* Adds the numbers of triangles and points of concentric rings of triangles, the outermost of which
 * has edges of m segments.
 */
static void
count_rings(unsigned m, unsigned *triangles, unsigned *points)
{
   for (; m > 1; m -= 2) {
      *triangles += 3 * (m + m - 2);
      *points += 3 * m;
   }
   *triangles += m;
   *points += m ? 3 : 1;
}

/* Returns the expected number of primitives, or of distinct vertices if points is set. */
static unsigned
expected_count(enum domain domain, enum spacing spacing, const struct levels *levels, bool points)
{
   const unsigned edges = domain == TRIANGLES ? 3 : domain == QUADS ? 4 : 2;
   unsigned outer[4], inner[2], sum = 0, triangles = 0, vertices = 0;

   for (unsigned i = 0; i < edges; i++) {
      if (!(levels->outer[i] > 0.0f))
         return 0;
      outer[i] = segments(domain == ISOLINES && i == 0 ? EQUAL : spacing, levels->outer[i]);
      sum += outer[i];
   }
   if (domain == ISOLINES)
      return points ? outer[0] * (outer[1] + 1) : outer[0] * outer[1];
   for (unsigned i = 0; i < 2; i++)
      inner[i] = segments(spacing, levels->inner[i]);

   const bool inner_one = domain == TRIANGLES ? inner[0] == 1 : inner[0] == 1 && inner[1] == 1;
   if (sum == edges && inner_one)
      return points ? edges : edges - 2;
   for (unsigned i = 0; i < 2; i++) {
      if (inner[i] == 1)
         inner[i] = spacing == ODD ? 3 : 2;
   }
   if (domain == QUADS) {
      triangles = sum + 2 * (inner[0] - 2) + 2 * (inner[1] - 2) +
                  2 * (inner[0] - 2) * (inner[1] - 2);
      vertices = sum + (inner[0] - 1) * (inner[1] - 1);
   } else {
      triangles = sum + 3 * (inner[0] - 2);
      vertices = sum;
      count_rings(inner[0] - 2, &triangles, &vertices);
   }
   return points ? vertices : triangles;
}

static const char *
describe(enum domain domain, enum spacing spacing, const struct levels *l)
{
   return text("%s, %s, outer %g %g %g %g, inner %g %g", domains[domain], spacings[spacing],
               l->outer[0], l->outer[1], l->outer[2], l->outer[3], l->inner[0], l->inner[1]);
}

static int
compare_bytes(const void *a, const void *b)
{
   return memcmp(a, b, 12);
}

static int
compare_edges(const void *a, const void *b)
{
   return memcmp(a, b, 24);
}

static int
compare_floats(const void *a, const void *b)
{
   const float x = *(const float *)a, y = *(const float *)b;

   return x < y ? -1 : x > y;
}

/* Returns true if a point lies on the outer edge: u, v or w is 0 for triangles; u, v, 1 - u or 1 -
 * v is 0 otherwise.
 */
static bool
on_edge(enum domain domain, unsigned edge, const float c[3])
{
   if (domain == TRIANGLES)
      return c[edge] == 0.0f;
   return edge < 2 ? c[edge] == 0.0f : c[edge - 2] == 1.0f;
}

/* Returns true if fractional spacing may have segments of length 0, whose ends coincide. */
static bool
is_degenerate(enum domain domain, enum spacing spacing, const struct levels *l)
{
   const float levels[6] = { l->inner[0], l->outer[0], l->outer[1],
                             l->outer[2], l->outer[3], l->inner[1] };

   for (unsigned i = 0; i < (domain == TRIANGLES ? 4 : 6) && spacing != EQUAL; i++) {
      const float least = spacing == EVEN ? 2.0f : 1.0f;
      const float level = levels[i] > least ? levels[i] : least;
      const bool inner = i == 0 || i == 5;
      if (level < MAX_LEVEL - 1 &&
          (level - ((float)segments(spacing, level) - 2) < 0.1f || (inner && level == 1.0f)))
         return true;
   }
   return false;
}

/* Checks that every directed edge occurs once and, unless it is on the border of the domain, its
 * opposite does, too.  Also checks that all areas have the same sign and add up to the area of the
 * domain.
 */
static void
check_mesh(enum domain domain, const struct patch *p, float sign, bool topology, const char *what)
{
   static float edges[MAX_VERTICES][2][3];
   const double total = domain == TRIANGLES ? 0.5 : 1.0;
   double sum = 0.0;

   for (unsigned i = 0; i < p->count; i += 3) {
      const float(*c)[3] = &p->coords[i];
      const double area = 0.5 * (((double)c[1][0] - c[0][0]) * ((double)c[2][1] - c[0][1]) -
                                 ((double)c[2][0] - c[0][0]) * ((double)c[1][1] - c[0][1]));
      CHECK(area * sign > -1e-7, "%s: triangle %u has area %g", what, i / 3, area);
      sum += area * sign;
      for (unsigned k = 0; k < 3; k++) {
         memcpy(edges[i + k][0], c[k], 12);
         memcpy(edges[i + k][1], c[(k + 1) % 3], 12);
      }
   }
   CHECK(fabs(sum - total) < 1e-5, "%s: area %f", what, sum);
   qsort(edges, p->count, 24, compare_edges);
   for (unsigned i = 0; i < p->count && topology; i++) {
      float opposite[2][3];
      bool border = false;
      CHECK(!i || memcmp(edges[i], edges[i - 1], 24), "%s: an edge occurs twice", what);
      for (unsigned e = 0; e < (domain == TRIANGLES ? 3 : 4); e++)
         border = border || (on_edge(domain, e, edges[i][0]) && on_edge(domain, e, edges[i][1]));
      memcpy(opposite[0], edges[i][1], 12);
      memcpy(opposite[1], edges[i][0], 12);
      const bool found = bsearch(opposite, edges, p->count, 24, compare_edges) != NULL;
      CHECK(found != border, "%s: edge %g %g to %g %g is %s", what, edges[i][0][0], edges[i][0][1],
            edges[i][1][0], edges[i][1][1], found ? "inside out" : "open");
   }
}

/* Stores the distinct positions on an edge, from 0 to 1, in ascending order.  Returns their number.
 */
static unsigned
edge_places(enum domain domain, const struct patch *p, unsigned edge, float *places)
{
   const unsigned along = domain == TRIANGLES ? (edge + 1) % 3 : !(edge % 2);
   unsigned n = 0, distinct = 0;

   for (unsigned i = 0; i < p->count; i++) {
      if (on_edge(domain, edge, p->coords[i]))
         places[n++] = p->coords[i][along];
   }
   qsort(places, n, sizeof places[0], compare_floats);
   for (unsigned i = 0; i < n; i++) {
      if (!distinct || places[i] != places[distinct - 1])
         places[distinct++] = places[i];
   }
   return distinct;
}

/* Checks that the positions are symmetric bit by bit, that the edge has the number of segments that
 * its level requires, and that the lengths of segments are correct for the spacing.
 */
static void
check_edge(const char *what, unsigned edge, enum spacing spacing, float level, const float *places,
           unsigned n)
{
   const unsigned expected = segments(spacing, level);

   CHECK(n == expected + 1, "%s: edge %u has %u places, not %u", what, edge, n, expected + 1);
   for (unsigned i = 0; i < n; i++) {
      CHECK(places[n - 1 - i] == 1.0f - places[i], "%s: edge %u: %a and %a are not symmetric", what,
            edge, places[i], places[n - 1 - i]);
      if (spacing == EQUAL)
         CHECK(fabsf(places[i] - (float)i / (float)expected) < 5e-4f, "%s: edge %u: place %u is %f",
               what, edge, i, places[i]);
   }
   /* All segments but two must have the same length, which is the largest. */
   unsigned shorter = 0;
   float longest = 0.0f;
   for (unsigned i = 0; i + 1 < n; i++)
      longest = fmaxf(longest, places[i + 1] - places[i]);
   for (unsigned i = 0; i + 1 < n; i++)
      shorter += places[i + 1] - places[i] < longest - 2e-3f;
   CHECK(shorter == 0 || (spacing != EQUAL && shorter == 2), "%s: edge %u: %u shorter segments",
         what, edge, shorter);
}

static void
test_patch(enum domain domain, enum spacing spacing, const struct levels *levels, float sign)
{
   const struct patch *p = tessellate(levels, domain == ISOLINES ? GL_LINES : GL_TRIANGLES);
   const char *what = describe(domain, spacing, levels);
   const unsigned per_primitive = domain == ISOLINES ? 2 : 3;
   const unsigned expected = expected_count(domain, spacing, levels, false);
   float places[MAX_VERTICES];

   CHECK(p->count == expected * per_primitive, "%s: %u primitives, not %u", what,
         p->count / per_primitive, expected);
   if (domain == ISOLINES || p->count != expected * 3 || !expected)
      return;
   const bool distinct = !is_degenerate(domain, spacing, levels);
   check_mesh(domain, p, sign, distinct, what);
   for (unsigned e = 0; distinct && e < (domain == TRIANGLES ? 3 : 4); e++) {
      const unsigned n = edge_places(domain, p, e, places);
      check_edge(what, e, spacing, levels->outer[e], places, n);
   }
}

static void
test_points(enum domain domain, enum spacing spacing, const struct levels *levels)
{
   static float coords[MAX_VERTICES][3];
   const struct patch *p = tessellate(levels, GL_POINTS);
   const char *what = describe(domain, spacing, levels);
   const unsigned expected = expected_count(domain, spacing, levels, true);
   const bool distinct = !is_degenerate(domain, spacing, levels);

   CHECK(p->count == expected, "%s, points: %u, not %u", what, p->count, expected);
   memcpy(coords, p->coords, 12 * p->count);
   qsort(coords, p->count, 12, compare_bytes);
   for (unsigned i = 0; i < p->count; i++) {
      CHECK(!i || memcmp(coords[i], coords[i - 1], 12) || !distinct,
            "%s, points: %g %g occurs twice", what, coords[i][0], coords[i][1]);
      if (domain == TRIANGLES)
         CHECK(fabsf(coords[i][0] + coords[i][1] + coords[i][2] - 1.0f) < 1e-4f,
               "%s, points: the sum is not 1", what);
   }
}

/* False on other drivers, which may round levels to less precision than a float has. */
static bool exact = true;

static float
random_level(unsigned kind)
{
   static const float specials[] = { 0.0f,   -1.0f, NAN,   INFINITY,   -INFINITY,  1e30f,     64.0f,
                                     63.0f,  63.5f, 65.0f, 1.0f,       2.0f,       3.0f,      0.5f,
                                     1e-30f, 4.0f,  5.0f,  1.0000001f, 2.0000002f, 61.000004f };

   if (kind == 0)
      return specials[core_random() % (sizeof specials / sizeof specials[0] - (exact ? 0 : 3))];
   if (kind == 1)
      return (float)(1 + core_random() % 10);
   return 0.75f + (float)(core_random() % 65536) / (kind == 2 ? 8192.0f : 1024.0f);
}

static void
test_counts(enum domain domain, enum spacing spacing, bool clockwise, unsigned rounds)
{
   const GLuint program = make_program(domain, spacing, clockwise ? "cw" : "ccw", false);

   for (unsigned i = 0; i < rounds; i++) {
      struct levels l;
      for (unsigned k = 0; k < 4; k++)
         l.outer[k] = random_level(i % 5 ? i % 4 : 1 + i % 3);
      for (unsigned k = 0; k < 2; k++)
         l.inner[k] = random_level(i % 4);
      test_patch(domain, spacing, &l, clockwise ? -1.0f : 1.0f);
   }
   glDeleteProgram(program);

   const GLuint points = make_program(domain, spacing, "ccw", true);
   for (unsigned i = 0; i < rounds / 4; i++) {
      struct levels l;
      for (unsigned k = 0; k < 4; k++)
         l.outer[k] = random_level(i % 4);
      for (unsigned k = 0; k < 2; k++)
         l.inner[k] = random_level(i % 3 + 1);
      test_points(domain, spacing, &l);
   }
   glDeleteProgram(points);
}

/* Tests that the positions on an edge depend only on its level, bit by bit: they are the same on
 * all edges of both domains, whatever the other levels are.  Therefore, there are no cracks between
 * neighbours.
 */
static void
test_cracks(enum spacing spacing)
{
   const GLuint programs[2] = { make_program(TRIANGLES, spacing, "ccw", false),
                                make_program(QUADS, spacing, "ccw", false) };

   for (unsigned i = 0; i < 40; i++) {
      const float level = random_level(2 + i % 2);
      float first[MAX_VERTICES], places[MAX_VERTICES];
      unsigned count = 0;
      for (unsigned j = 0; j < 7; j++) {
         const enum domain domain = j < 3 ? TRIANGLES : QUADS;
         const unsigned edge = j < 3 ? j : j - 3;
         struct levels l;
         for (unsigned k = 0; k < 4; k++)
            l.outer[k] = k == edge ? level : random_level(3);
         for (unsigned k = 0; k < 2; k++)
            l.inner[k] = (float)segments(spacing, 2.5f + random_level(3));
         glUseProgram(programs[domain]);
         const struct patch *p = tessellate(&l, GL_TRIANGLES);
         const unsigned n = edge_places(domain, p, edge, places);
         if (!j) {
            count = n;
            memcpy(first, places, n * sizeof first[0]);
         }
         CHECK(n == count && !memcmp(first, places, n * sizeof first[0]),
               "%s: an edge of level %a differs on edge %u of %s", spacings[spacing], level, edge,
               domains[domain]);
      }
   }
   glDeleteProgram(programs[0]);
   glDeleteProgram(programs[1]);
}

int
main(int argc, char **argv)
{
   GLuint texture;
   GLint most = 0;

   exact = argc < 2 || strcmp(argv[1], "--rounded") != 0;
   core_begin();
   core_target(GL_RGBA8, 4, 4, &texture);
   glGetIntegerv(GL_MAX_TESS_GEN_LEVEL, &most);
   CHECK(most == 64, "levels up to %d", most);
   feedback = core_buffer(12 * MAX_VERTICES, NULL);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, feedback);
   glGenQueries(1, &query);
   glEnable(GL_RASTERIZER_DISCARD);
   glPatchParameteri(GL_PATCH_VERTICES, 1);
   for (enum domain domain = TRIANGLES; domain <= ISOLINES; domain++) {
      for (enum spacing spacing = EQUAL; spacing <= ODD; spacing++)
         test_counts(domain, spacing, (domain + spacing) % 2, 60);
   }
   for (enum spacing spacing = EQUAL; spacing <= ODD; spacing++)
      test_cracks(spacing);
   return core_end("tessellation");
}
