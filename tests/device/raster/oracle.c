/* SPDX-License-Identifier: MIT */
/* Coverage of triangles by exact arithmetic. */
#include "oracle.h"

#include <stdlib.h>

bool
oracle_covers(const struct triangle *t, struct point at)
{
   const struct point *c = t->p;
   const __int128 area = (__int128)(c[1].x - c[0].x) * (c[2].y - c[0].y) -
                         (__int128)(c[2].x - c[0].x) * (c[1].y - c[0].y);

   if (area == 0)
      return false;
   for (unsigned i = 0; i < 3; i++) {
      struct point p = c[i], q = c[(i + 1) % 3];
      if (area < 0) {
         const struct point s = p;
         p = q;
         q = s;
      }
      const __int128 e = (__int128)(q.x - p.x) * (at.y - p.y) -
                         (__int128)(q.y - p.y) * (at.x - p.x);
      /* The inside is right of an edge that goes up in memory, and below an edge that goes right.
       */
      const bool left = q.y < p.y, top = q.y == p.y && q.x > p.x;
      const bool bottom = q.y == p.y && q.x < p.x;
      if (e < 0 || (e == 0 && !left && !(t->bottom_edge_rule ? bottom : top)))
         return false;
   }
   return true;
}

unsigned
oracle_vertex(struct fix *f, struct point p)
{
   return fix_vertex(f, p.x / 256.0f, p.y / 256.0f, 0.5f, 1.0f);
}

void
oracle_line(struct fix *f, const struct fix_level *level, struct point a, struct point b)
{
   fix_restart(f);
   oracle_vertex(f, a);
   oracle_vertex(f, b);
   fix_draw(f, level, SGPU_PRIMITIVE_LINES, 0, 2);
}

void
oracle_draw(struct fix *f, const struct fix_level *level, const struct triangle *t)
{
   f->state.rast.bottom_edge_rule = t->bottom_edge_rule;
   fix_restart(f);
   for (unsigned i = 0; i < 3; i++)
      oracle_vertex(f, t->p[i]);
   fix_draw(f, level, SGPU_PRIMITIVE_TRIANGLES, 0, 3);
}

bool
oracle_huge(struct triangle *t, int size, bool cross, uint64_t *seed)
{
   for (unsigned i = 0; i < 3; i++) {
      t->p[i].x = (int32_t)(fix_random(seed) % (2u << 23)) - (1 << 23);
      t->p[i].y = (int32_t)(fix_random(seed) % (2u << 23)) - (1 << 23);
      if (fix_random(seed) % 3 == 0)
         t->p[i].x = fix_random(seed) & 1 ? -(1 << 23) : 1 << 23;
      if (fix_random(seed) % 3 == 0)
         t->p[i].y = fix_random(seed) & 1 ? -(1 << 23) : 1 << 23;
   }
   if (cross) {
      t->p[1].x = size * 256 - t->p[0].x;
      t->p[1].y = size * 256 - t->p[0].y;
   }
   return abs(t->p[1].x) <= 1 << 23 && abs(t->p[1].y) <= 1 << 23;
}

void
oracle_mesh(struct fix *f, const struct fix_level *level, int size, int cells, int grain,
            int offset, uint64_t *seed)
{
   const int step = 256 * (size + 32) / cells;
   struct point p[ORACLE_CELLS + 1][ORACLE_CELLS + 1];

   fix_restart(f);
   for (int y = 0; y <= cells; y++) {
      for (int x = 0; x <= cells; x++) {
         p[y][x].x = x * step - 16 * 256 + (int)(fix_random(seed) % (step / 2));
         p[y][x].y = y * step - 16 * 256 + (int)(fix_random(seed) % (step / 2));
         if (fix_random(seed) % 2) {
            p[y][x].x = (p[y][x].x & ~(grain - 1)) + offset;
            p[y][x].y = (p[y][x].y & ~(grain - 1)) + offset;
         }
         if (x == 0 || x == cells)
            p[y][x].x = x ? (size + 16) * 256 : -16 * 256;
         if (y == 0 || y == cells)
            p[y][x].y = y ? (size + 16) * 256 : -16 * 256;
      }
   }
   for (int y = 0; y < cells; y++) {
      for (int x = 0; x < cells; x++) {
         const struct point q[4] = { p[y][x], p[y][x + 1], p[y + 1][x + 1], p[y + 1][x] };
         const unsigned d = fix_random(seed) & 1, w = fix_random(seed) & 1;
         oracle_vertex(f, q[d]);
         oracle_vertex(f, q[d + 1 + w]);
         oracle_vertex(f, q[d + 2 - w]);
         oracle_vertex(f, q[(d + 3) % 4]);
         oracle_vertex(f, q[w ? (d + 2) % 4 : d]);
         oracle_vertex(f, q[w ? d : (d + 2) % 4]);
      }
   }
   fix_draw(f, level, SGPU_PRIMITIVE_TRIANGLES, 0, f->num_vertices);
}
