/* SPDX-License-Identifier: MIT */
/*
 * Line stipple (OpenGL 2.1, 3.4.2), compared with a model that draws one line after the other. The
 * model draws each line alone, without a stipple, and counts its fragments from its first end to
 * its second.
 */
#include "../../rounds.h"
#include "../../unit.h"
#include "fixture.h"

#define SIZE 64
#define MAX_VERTICES 2000

struct model {
   uint32_t want[SIZE * SIZE];
   uint64_t counter;
};

struct point {
   float x, y;
};

static void
reset(struct model *m)
{
   m->counter = 0;
}

/* Returns the number of the window-sized part of the plane that has coordinate c. */
static int
window_of(float c)
{
   return (int)(c + 16 * SIZE) / SIZE - 16;
}

/* Adds all fragments of the line to the model, also those outside of the window: the line is drawn
 * in parts of the plane that are as large as the window.
 */
static void
line(struct fix *f, const struct fix_level *level, struct model *m, struct point a, struct point b)
{
   const struct SGPU_RASTERIZER rast = f->state.rast;
   const bool y_major = (b.y > a.y ? b.y - a.y : a.y - b.y) > (b.x > a.x ? b.x - a.x : a.x - b.x);
   const bool reverse = y_major ? b.y < a.y : b.x < a.x;
   const float low = y_major ? MIN2(a.y, b.y) : MIN2(a.x, b.x);
   const float high = y_major ? MAX2(a.y, b.y) : MAX2(a.x, b.x);
   const float left = y_major ? MIN2(a.x, b.x) : MIN2(a.y, b.y);
   const float right = y_major ? MAX2(a.x, b.x) : MAX2(a.y, b.y);
   /* Some pixels more, for the rules at borders and for wide lines. */
   const int first = window_of(low - 2), last = window_of(high + 2);
   const int least = window_of(left - 4), most = window_of(right + 4);

   f->state.rast.line_stipple = false;
   f->state.rast.fill_front = f->state.rast.fill_back = SGPU_FILL_SOLID;
   for (int k = first; k <= last; k++) {
      const int part = reverse ? last - (k - first) : k;
      const float dx = y_major ? 0.0f : -(float)part * SIZE;
      const float dy = y_major ? -(float)part * SIZE : 0.0f;

      bool drawn[SIZE] = { false }, seen[SIZE][SIZE] = { { false } };
      for (int across = least; across <= most; across++) {
         const float ax = y_major ? -(float)across * SIZE : 0.0f;
         const float ay = y_major ? 0.0f : -(float)across * SIZE;
         fix_restart(f);
         fix_vertex(f, a.x + dx + ax, a.y + dy + ay, 0.5f, 1.0f);
         fix_vertex(f, b.x + dx + ax, b.y + dy + ay, 0.5f, 1.0f);
         fix_draw(f, level, SGPU_PRIMITIVE_LINES, 0, 2);
         for (unsigned i = 0; i < SIZE; i++) {
            for (unsigned j = 0; j < SIZE; j++) {
               const bool here = fix_at(f, y_major ? j : i, y_major ? i : j, 0)->count != 0;
               drawn[i] |= here;
               seen[i][j] |= here && !across && !part;
            }
         }
      }

      for (unsigned n = 0; n < SIZE; n++) {
         const unsigned i = reverse ? SIZE - 1 - n : n;
         const unsigned bit = m->counter / (rast.stipple_factor + 1) % 16;
         for (unsigned j = 0; j < SIZE; j++) {
            const unsigned x = y_major ? j : i, y = y_major ? i : j;
            m->want[y * SIZE + x] += seen[i][j] && (rast.stipple_pattern >> bit & 1);
         }
         m->counter += drawn[i];
      }
   }
   f->state.rast = rast;
}

static void
compare(struct fix *f, const struct fix_level *level, const struct model *m, const char *what,
        unsigned round)
{
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         if (fix_at(f, x, y, 0)->count != m->want[y * SIZE + x])
            fail_msg("%s, %s, round %u: pixel %u %u: %u, expected %u", level->name, what, round, x,
                     y, fix_at(f, x, y, 0)->count, m->want[y * SIZE + x]);
      }
   }
}

static void
random_stipple(struct fix *f, uint64_t *seed, unsigned round)
{
   static const unsigned factors[] = { 1, 2, 3, 7, 256 };

   f->state.rast.line_stipple = true;
   f->state.rast.stipple_pattern = round % 7 == 0 ? 0x5555 : fix_random(seed) & 0xffff;
   f->state.rast.stipple_factor = factors[fix_random(seed) % ARRAY_SIZE(factors)] - 1;
   f->state.rast.line_width = round % 3 == 2 ? 4.0f : 1.0f;
   f->state.rast.bottom_edge_rule = round & 1;
}

static struct point
inside(uint64_t *seed)
{
   return (struct point){ (fix_random(seed) % (SIZE * 256)) / 256.0f,
                          (fix_random(seed) % (SIZE * 256)) / 256.0f };
}

static void
vertices(struct fix *f, const struct point *p, unsigned n)
{
   fix_restart(f);
   for (unsigned i = 0; i < n; i++)
      fix_vertex(f, p[i].x, p[i].y, 0.5f, 1.0f);
}

/* Adds the lines of a primitive type to the model, with polygons drawn as lines. */
static void
sequence(struct fix *f, const struct fix_level *level, struct model *m,
         enum sgpu_primitive primitive, const struct point *p, unsigned n)
{
#define LINE(a, b) line(f, level, m, p[a], p[b])
   memset(m, 0, sizeof(*m));
   switch (primitive) {
   case SGPU_PRIMITIVE_LINES:
      for (unsigned i = 0; i + 1 < n; i += 2) {
         reset(m);
         LINE(i, i + 1);
      }
      break;
   case SGPU_PRIMITIVE_LINE_STRIP:
   case SGPU_PRIMITIVE_LINE_LOOP:
   case SGPU_PRIMITIVE_POLYGON:
      for (unsigned i = 0; i + 1 < n; i++)
         LINE(i, i + 1);
      if (primitive != SGPU_PRIMITIVE_LINE_STRIP)
         LINE(n - 1, 0);
      break;
   case SGPU_PRIMITIVE_LINES_ADJACENCY:
      for (unsigned i = 0; i + 3 < n; i += 4) {
         reset(m);
         LINE(i + 1, i + 2);
      }
      break;
   case SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY:
      for (unsigned i = 0; i + 3 < n; i++)
         LINE(i + 1, i + 2);
      break;
   case SGPU_PRIMITIVE_TRIANGLES:
   case SGPU_PRIMITIVE_QUADS: {
      const unsigned corners = primitive == SGPU_PRIMITIVE_QUADS ? 4 : 3;
      for (unsigned i = 0; i + corners <= n; i += corners) {
         reset(m);
         for (unsigned k = 0; k < corners; k++)
            LINE(i + k, i + (k + 1) % corners);
      }
      break;
   }
   case SGPU_PRIMITIVE_TRIANGLE_FAN:
      for (unsigned i = 1; i + 1 < n; i++) {
         reset(m);
         LINE(0, i);
         LINE(i, i + 1);
         LINE(i + 1, 0);
      }
      break;
   case SGPU_PRIMITIVE_QUAD_STRIP:
      for (unsigned i = 0; i + 3 < n; i += 2) {
         reset(m);
         LINE(i, i + 1);
         LINE(i + 1, i + 3);
         LINE(i + 3, i + 2);
         LINE(i + 2, i);
      }
      break;
   default:
      fail();
   }
#undef LINE
}

/* All primitive types, in one batch and in several. */
static void
primitives(void **state)
{
   struct fix *f = *state;
   static const struct {
      enum sgpu_primitive primitive;
      const char *name;
   } kinds[] = {
      { SGPU_PRIMITIVE_LINES, "lines" },
      { SGPU_PRIMITIVE_LINE_STRIP, "strip" },
      { SGPU_PRIMITIVE_LINE_LOOP, "loop" },
      { SGPU_PRIMITIVE_LINES_ADJACENCY, "lines with adjacency" },
      { SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY, "strip with adjacency" },
      { SGPU_PRIMITIVE_TRIANGLES, "triangles" },
      { SGPU_PRIMITIVE_TRIANGLE_FAN, "fan" },
      { SGPU_PRIMITIVE_QUADS, "quads" },
      { SGPU_PRIMITIVE_QUAD_STRIP, "quad strip" },
      { SGPU_PRIMITIVE_POLYGON, "polygon" },
   };
   uint64_t seed = 3;
   struct model m;
   struct point p[MAX_VERTICES];

   for (unsigned round = 0; round < 8 * ARRAY_SIZE(kinds); round++) {
      const unsigned k = round % ARRAY_SIZE(kinds);
      const struct fix_level *level = fix_level_of(round);
      const bool list = k == 0 || k == 3 || k == 5 || k == 7;
      /* Strips are cut into batches. The stipple counter continues from batch to batch. */
      const unsigned n = round / ARRAY_SIZE(kinds) == 7 && !list ? 1200
                                                                 : 4 + fix_random(&seed) % 20;

      random_stipple(f, &seed, round);
      f->state.rast.flatshade_first = round & 2;
      if (k >= 5)
         f->state.rast.fill_front = f->state.rast.fill_back = SGPU_FILL_LINE;
      for (unsigned i = 0; i < n; i++)
         p[i] = inside(&seed);
      sequence(f, level, &m, kinds[k].primitive, p, n);
      vertices(f, p, n);
      fix_draw(f, level, kinds[k].primitive, 0, n);
      compare(f, level, &m, kinds[k].name, round);
      f->state.rast.fill_front = f->state.rast.fill_back = SGPU_FILL_SOLID;
   }
}

/* Strips that leave the window and return. Parts of them are not visible. */
static void
outside(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 5;
   struct model m;
   struct point p[12];

   for (unsigned round = 0; round < TEST_ROUNDS(60); round++) {
      const struct fix_level *level = fix_level_of(round);

      random_stipple(f, &seed, round);
      f->state.rast.line_width = 1.0f;
      for (unsigned i = 0; i < ARRAY_SIZE(p); i++) {
         p[i] = inside(&seed);
         if (round & 2)
            p[i].x = p[i].x * 6.0f - 160.0f;
         if (round & 4)
            p[i].y = p[i].y * 6.0f - 160.0f;
      }
      sequence(f, level, &m, SGPU_PRIMITIVE_LINE_STRIP, p, ARRAY_SIZE(p));
      vertices(f, p, ARRAY_SIZE(p));
      fix_draw(f, level, SGPU_PRIMITIVE_LINE_STRIP, 0, ARRAY_SIZE(p));
      compare(f, level, &m, "outside", round);
   }
}

/* A restart index begins a new strip, and begins the stipple pattern again. */
static void
restart(void **state)
{
   struct fix *f = *state;
   uint64_t seed = 8;
   static struct model m, part;
   static struct point p[MAX_VERTICES];
   static uint32_t index[2 * MAX_VERTICES];

   for (unsigned round = 0; round < 6; round++) {
      const struct fix_level *level = fix_level_of(round);
      unsigned n = 0, count = 0;

      random_stipple(f, &seed, round);
      memset(&m, 0, sizeof(m));
      while (n < 1400) {
         const unsigned length = 2 + fix_random(&seed) % (round < 3 ? 10 : 900);
         const unsigned first = n;
         for (unsigned i = 0; i < length && n < MAX_VERTICES; i++) {
            p[n] = inside(&seed);
            index[count++] = n++;
         }
         index[count++] = ~0u;
         sequence(f, level, &part, SGPU_PRIMITIVE_LINE_STRIP, p + first, n - first);
         for (unsigned i = 0; i < SIZE * SIZE; i++)
            m.want[i] += part.want[i];
      }
      vertices(f, p, n);
      f->draw.packet.restart = true;
      f->draw.packet.restart_index = ~0u;
      fix_draw_indexed(f, level, SGPU_PRIMITIVE_LINE_STRIP, index, count);
      f->draw.packet.restart = false;
      compare(f, level, &m, "restart", round);
   }
}

FIX_SETUP(SIZE, SIZE, 1)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      FIX_TEST(primitives),
      FIX_TEST(outside),
      FIX_TEST(restart),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
