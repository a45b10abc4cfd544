/* SPDX-License-Identifier: MIT */
/*
 * Tessellator: Mesa's, in a namespace of its own, without libm and without exceptions.
 */
#include "tess/sgd_tessellator.h"

#include <cmath>
#include <new>
#include <string.h>

#include "util/macros.h"

/* Of levels up to 64. */
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

struct sgd_tessellator {
   sgd_reference::CHWTessellator reference;
   enum sgpu_tess_domain domain;
   enum sgpu_tess_spacing spacing;
   bool cw, points;
   /* of the mesh that it holds */
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
   /* Its v runs the other way. */
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
   const float level[6] = { outer[0], outer[1], outer[2], outer[3], inner[0], inner[1] };

   /* Patches of a draw often have the same levels. */
   if (!t->valid || memcmp(level, t->level, sizeof(level)) != 0) {
      memcpy(t->level, level, sizeof(level));
      t->valid = true;
      switch (t->domain) {
      case SGPU_TESS_DOMAIN_TRIANGLES:
         t->reference.TessellateTriDomain(outer[0], outer[1], outer[2], inner[0]);
         break;
      case SGPU_TESS_DOMAIN_QUADS:
         t->reference.TessellateQuadDomain(outer[0], outer[1], outer[2], outer[3], inner[0],
                                           inner[1]);
         break;
      case SGPU_TESS_DOMAIN_ISOLINES:
         t->reference.TessellateIsoLineDomain(outer[0], outer[1]);
         break;
      }
   }
   mesh->num_points = t->reference.GetPointCount();
   mesh->num_indices = mesh->num_points ? t->reference.GetIndexCount() : 0;
   mesh->point = (const struct sgd_tess_point *)t->reference.GetPoints();
   mesh->index = t->reference.GetIndices();
}
