/* SPDX-License-Identifier: MIT */
/*
 * Scenes for states that few draws have. Each is drawn with the state, and without it by other means
 * that give the same picture.
 */
#include <stdio.h>
#include <string.h>

#include "scene.h"

/* How positions are swizzled: for x, y, z and w, a component and whether it is negative. */
struct swizzle {
   enum sgpu_viewport_axis axis[4];
};

/* Returns a random swizzle, in which w is often positive. */
static struct swizzle
random_swizzle(struct scene *s)
{
   struct swizzle swizzle;

   for (unsigned c = 0; c < 4; c++)
      swizzle.axis[c] = scene_below(s, 8);
   if (scene_below(s, 4))
      swizzle.axis[3] = SGPU_VIEWPORT_AXIS_W;
   return swizzle;
}

static void
set_swizzle(struct SGPU_VIEWPORT *vp, const struct swizzle *swizzle)
{
   vp->swizzle = true;
   vp->swizzle_x = swizzle->axis[0];
   vp->swizzle_y = swizzle->axis[1];
   vp->swizzle_z = swizzle->axis[2];
   vp->swizzle_w = swizzle->axis[3];
}

/* Appends instructions that swizzle `from` to o[HPOS] under a predicate. */
static void
add_swizzle(char *text, size_t size, const char *predicate, const struct swizzle *swizzle,
            const char *from)
{
   for (unsigned c = 0; c < 4; c++) {
      const size_t used = strlen(text);
      snprintf(text + used, size - used, "%sMOV o[HPOS].%c, %s%s.%c;\n", predicate, "xyzw"[c],
               swizzle -> axis[c] % 2 ? "-" : "", from, "xyzw"[swizzle->axis[c] / 2]);
   }
}

static void
draw_clipped(struct scene *s)
{
   scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 40, 90.0f), 120);
   s->st.rast.line_stipple = true;
   s->st.rast.stipple_pattern = 0xf3a5;
   s->st.rast.line_width = 3.0f;
   scene_draw(s, SGPU_PRIMITIVE_LINE_STRIP, scene_triangles(s, 10, 140.0f), 30);
   s->st.rast.point_size = 9.0f;
   scene_draw(s, SGPU_PRIMITIVE_POINTS, scene_triangles(s, 10, 140.0f), 30);
   scene_draw(s, SGPU_PRIMITIVE_POLYGON, scene_triangles(s, 2, 140.0f), 6);
}

/* Positions swizzled by the viewport, or by the vertex program. Clip planes take those before. */
static void
swizzle(struct scene *s, uint64_t with)
{
   SCENE_EMIT(s, CLIP_PLANES, cfg) {
      for (unsigned i = 0; i < 8; i++)
         cfg.plane[i] = i % 5 ? 0.25f : 0.5f;
   }
   for (unsigned i = 0; i < 24; i++) {
      const struct swizzle swizzle = random_swizzle(s);
      char text[1024] = "!!SGVP1.0\nMOV o[GEN0], v[1]; MOV o[CLIPV], v[0];\n";

      if (with)
         set_swizzle(&s->st.viewport[0], &swizzle);
      else
         add_swizzle(text, sizeof(text), "", &swizzle, "v[0]");
      strcat(text, with ? "MOV o[HPOS], v[0];\nEND\n" : "END\n");
      s->st.vs = scene_program(s, text);
      s->st.rast.clip_planes = i & 1 ? 3 : 0;
      s->st.rast.fill_front = i & 2 ? SGPU_FILL_LINE : SGPU_FILL_SOLID;
      draw_clipped(s);
   }
}

/* The provoking vertex selects the viewport, which swizzles all vertices of a triangle. The geometry
 * program that swizzles itself has the viewport of the last vertex for all.
 */
static void
swizzle_viewports(struct scene *s, uint64_t with)
{
   static const char *const provoking =
      "LDV R0, va[1][2]; FSETP.LT P0.x, R0.x, c[0].x; MOV R1.x, c[1].x; (P0.x) MOV R1.x, c[1].y;\n";

   s->constants[0][0] = 0.5f;
   memcpy(s->constants[1], (const uint32_t[4]){ 0, 1, 0, 0 }, 16);
   for (unsigned i = 0; i < 8; i++) {
      const struct swizzle swizzles[2] = { random_swizzle(s), random_swizzle(s) };
      char text[4096] = "!!SGGP1.0\nTEMPS 3;\nMOV o[LAYER].x, c[1].x;\n";

      s->st.viewport[1].scale_x = 40.0f;
      s->st.viewport[1].scale_y = -35.0f;
      for (unsigned n = 0; n < 2 && with; n++)
         set_swizzle(&s->st.viewport[n], &swizzles[n]);
      strcat(text, with ? "" : provoking);
      for (unsigned v = 0; v < 3; v++) {
         char load[256];
         snprintf(load, sizeof(load), "LDV R2, va[0][%u]; LDV R0, va[1][%u]; MOV o[GEN0], R0;\n", v,
                  v);
         strcat(text, load);
         if (with) {
            strcat(text, "FSETP.LT P0.x, R0.x, c[0].x; MOV R1.x, c[1].x;\n"
                         "(P0.x) MOV R1.x, c[1].y; MOV o[HPOS], R2;\n");
         } else {
            add_swizzle(text, sizeof(text), "(P0.x) ", &swizzles[1], "R2");
            add_swizzle(text, sizeof(text), "(!P0.x) ", &swizzles[0], "R2");
         }
         strcat(text, "MOV o[LAYER].y, R1.x; EMITV 0;\n");
      }
      strcat(text, "END\n");
      scene_geometry(s, text, SGPU_PRIMITIVE_TRIANGLES, SGPU_PRIMITIVE_TRIANGLE_STRIP, 3, 1);
      s->st.rast.fill_front = i & 1 ? SGPU_FILL_LINE : SGPU_FILL_SOLID;
      scene_draw(s, SGPU_PRIMITIVE_TRIANGLES, scene_triangles(s, 60, 90.0f), 180);
   }
}

const struct scene_pair scene_state_pairs[] = {
   { "swizzle", swizzle },
   { "swizzle-viewports", swizzle_viewports },
   { NULL, NULL },
};

const struct scene_info scenes_states[] = {
   { "states-swizzle", NULL, swizzle, true },
   { "states-swizzle-viewports", NULL, swizzle_viewports, true },
   { NULL, NULL },
};
