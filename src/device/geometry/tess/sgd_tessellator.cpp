/* SPDX-License-Identifier: MIT */
/*
 * Tessellator: compiles Mesa's tessellator in a separate namespace, without libm and exceptions.
 */
#include "geometry/tess/sgd_tessellator.h"

#include <cmath>
#include <new>
#include <string.h>

#include "util/macros.h"

/* Rounds up. x must be in [0, 2^23). */
static inline float
ceil_level(float x)
{
   const float whole = (float)(int)x;
   return whole < x ? whole + 1.0f : whole;
}

#define new new (std::nothrow)
#define ceil ceil_level
namespace sgd_reference {
#include "tessellator/tessellator.cpp"
}
#undef min
#undef max
#undef ceil
#undef new

static_assert(SGD_TESS_POINTS == MAX_POINT_COUNT && SGD_TESS_INDICES == MAX_INDEX_COUNT, "");
static_assert(sizeof(sgd_tess_point) == sizeof(sgd_reference::DOMAIN_POINT), "");

/* Adjusts a level with fractional spacing for Mesa's tessellator, which rounds levels to the
 * nearest multiple of 1/65536. It would e.g. round 2.000001 to 2 and generate two segments instead
 * of four, so the level is rounded up first.
 *
 * Mesa's tessellator also rounds the lengths 1/6 and 1/30 up. For even spacing and levels just
 * above 6 and 30, this would put the point before the middle up to 7 units behind the middle, until
 * the growing segment compensates for it. Such levels are raised to the first level at which the
 * points are in order.
 */
static float
prepare_level(enum sgpu_tess_spacing spacing, float level)
{
   const float after_6 = 6.0f + 7.0f / 65536.0f, after_30 = 30.0f + 415.0f / 65536.0f;

   if (spacing == SGPU_TESS_SPACING_EQUAL || !(level > 0.0f && level < 64.0f))
      return level;
   if (spacing == SGPU_TESS_SPACING_FRACTIONAL_EVEN) {
      if (level > 6.0f && level < after_6)
         return after_6;
      if (level > 30.0f && level < after_30)
         return after_30;
   }
   return ceil_level(level * 65536.0f) / 65536.0f;
}

struct sgd_tessellator {
   sgd_reference::CHWTessellator reference;
   enum sgpu_tess_domain domain;
   enum sgpu_tess_spacing spacing;
   bool cw, points;
   /* parameters of the mesh that the tessellator currently holds */
   bool valid;
   float level[6];
};

struct sgd_tessellator *
sgd_tessellator_create(void)
{
   sgd_tessellator *t = new (std::nothrow) sgd_tessellator();
   if (t)
      t->valid = false;
   return t;
}

void
sgd_tessellator_destroy(struct sgd_tessellator *t)
{
   delete t;
}

bool
sgd_tessellator_begin(struct sgd_tessellator *t, const struct SGPU_SHADER *desc)
{
   using namespace sgd_reference;
   static const PIPE_TESSELLATOR_PARTITIONING partitioning[] = {
      PIPE_TESSELLATOR_PARTITIONING_INTEGER,
      PIPE_TESSELLATOR_PARTITIONING_FRACTIONAL_ODD,
      PIPE_TESSELLATOR_PARTITIONING_FRACTIONAL_EVEN,
   };
   static_assert(SGPU_TESS_SPACING_EQUAL == 0 && SGPU_TESS_SPACING_FRACTIONAL_ODD == 1 &&
                    SGPU_TESS_SPACING_FRACTIONAL_EVEN == 2,
                 "");

   if (t->valid && t->domain == desc->tess_domain && t->spacing == desc->tess_spacing &&
       t->cw == desc->tess_cw && t->points == desc->tess_points)
      return true;
   t->domain = desc->tess_domain;
   t->spacing = desc->tess_spacing;
   t->cw = desc->tess_cw;
   t->points = desc->tess_points;
   t->valid = false;
   /* Mesa's v axis points in the opposite direction, so swap the winding. */
   t->reference.Init(partitioning[t->spacing], t->points ? PIPE_TESSELLATOR_OUTPUT_POINT
                                               : t->domain == SGPU_TESS_DOMAIN_ISOLINES
                                                  ? PIPE_TESSELLATOR_OUTPUT_LINE
                                               : t->cw ? PIPE_TESSELLATOR_OUTPUT_TRIANGLE_CCW
                                                       : PIPE_TESSELLATOR_OUTPUT_TRIANGLE_CW);
   return t->reference.GetPoints() && t->reference.GetIndices();
}

void
sgd_tessellate(struct sgd_tessellator *t, const float outer[4], const float inner[2],
               struct sgd_tess_mesh *mesh)
{
   float level[6] = { outer[0], outer[1], outer[2], outer[3], inner[0], inner[1] };

   for (unsigned i = 0; i < 6; i++)
      level[i] = prepare_level(t->spacing, level[i]);

   /* Reuse the last mesh, since patches of a draw often have the same levels. */
   if (!t->valid || memcmp(level, t->level, sizeof(level)) != 0) {
      memcpy(t->level, level, sizeof(level));
      t->valid = true;
      switch (t->domain) {
      case SGPU_TESS_DOMAIN_TRIANGLES:
         t->reference.TessellateTriDomain(level[0], level[1], level[2], level[4]);
         break;
      case SGPU_TESS_DOMAIN_QUADS:
         t->reference.TessellateQuadDomain(level[0], level[1], level[2], level[3], level[4],
                                           level[5]);
         break;
      case SGPU_TESS_DOMAIN_ISOLINES:
         t->reference.TessellateIsoLineDomain(level[0], level[1]);
         break;
      }
   }
   mesh->num_points = t->reference.GetPointCount();
   mesh->num_indices = mesh->num_points ? t->reference.GetIndexCount() : 0;
   mesh->point = (const struct sgd_tess_point *)t->reference.GetPoints();
   mesh->index = t->reference.GetIndices();
}
