/* SPDX-License-Identifier: MIT */
/*
 * Tests NV_compute_shader_derivatives: derivatives, levels of detail and quads of subgroups for both
 * arrangements of invocations, and without one, compared with differences computed on the CPU.
 */
#include <math.h>

#include "core.h"

enum arrangement { QUADS, LINEAR, NONE };
enum { LEVELS = 8, GROUPS = 2 };

static const char *const layouts[] = { "layout(derivative_group_quadsNV) in;\n",
                                       "layout(derivative_group_linearNV) in;\n", "" };

struct result {
   float dx, dy, fine_dx, fine_dy, coarse_dx, coarse_dy; /* derivatives of value_of() */
   float level, biased, queried;                         /* levels of detail */
   uint32_t index;                                       /* gl_LocalInvocationIndex */
   uint32_t across, down; /* the index in the neighbors of the subgroup's quad */
};

static float
value_of(unsigned x, unsigned y, unsigned z)
{
   return (float)(x * x * 7 + y * y * 11 + x * y * 3 + z * 29) * 0.125f;
}

/* Returns the invocation at position `at` (0 to 3) of the quad of invocation i, in a group with a
 * width of w and a height of h.
 */
static unsigned
quad_member(enum arrangement a, unsigned w, unsigned h, unsigned i, unsigned at)
{
   if (a == LINEAR)
      return (i & ~3u) + at;
   const unsigned x = i % w, y = i / w % h, z = i / w / h;
   return (z * h + (y & ~1u) + at / 2) * w + (x & ~1u) + at % 2;
}

/* Returns the position of invocation i in its quad. */
static unsigned
place_in_quad(enum arrangement a, unsigned w, unsigned h, unsigned i)
{
   return a == LINEAR ? i % 4 : (i % w & 1) + 2 * (i / w % h & 1);
}

static float
value_at(enum arrangement a, unsigned w, unsigned h, unsigned i, unsigned at)
{
   const unsigned j = quad_member(a, w, h, i, at);

   return value_of(j % w, j / w % h, j / w / h);
}

/* Returns whether the derivative is one of the two that the quad has. */
static bool
is_one_of(float found, float a, float b)
{
   return found == a || found == b;
}

static void
check_result(enum arrangement a, const unsigned size[3], unsigned i, const struct result *r)
{
   const unsigned w = size[0], h = size[1], at = place_in_quad(a, w, h, i);
   const bool none = a == NONE;
   float v[4];
   for (unsigned k = 0; k < 4; k++)
      v[k] = none ? 0.0f : value_at(a, w, h, i, k);
   const float dx[2] = { v[1] - v[0], v[3] - v[2] }, dy[2] = { v[2] - v[0], v[3] - v[1] };
   const char *const where = text("%s %ux%ux%u, invocation %u", layouts[a], w, h, size[2], i);

   CHECK(r->index == i, "%s: index %u", where, r->index);
   CHECK(is_one_of(r->dx, dx[0], dx[1]) && is_one_of(r->coarse_dx, dx[0], dx[1]),
         "%s: dFdx %g, %g of %g and %g", where, r->dx, r->coarse_dx, dx[0], dx[1]);
   CHECK(is_one_of(r->dy, dy[0], dy[1]) && is_one_of(r->coarse_dy, dy[0], dy[1]),
         "%s: dFdy %g, %g of %g and %g", where, r->dy, r->coarse_dy, dy[0], dy[1]);
   CHECK(r->fine_dx == dx[at / 2] && r->fine_dy == dy[at % 2], "%s: fine %g, %g, should be %g, %g",
         where, r->fine_dx, r->fine_dy, dx[at / 2], dy[at % 2]);

   /* The coordinates make steps of 4 texels between the columns of a quad, of 1 between its rows. */
   CHECK(r->level == (none ? 0.0f : 2.0f), "%s: level %g", where, r->level);
   CHECK(r->biased == (none ? 1.0f : 3.0f), "%s: level with bias %g", where, r->biased);
   CHECK(none || r->queried == 2.0f, "%s: queried level %g", where, r->queried);
   if (!none) {
      const unsigned across = quad_member(a, w, h, i, at ^ 1);
      const unsigned down = quad_member(a, w, h, i, at ^ 2);
      CHECK(r->across == across && r->down == down, "%s: neighbors %u, %u, should be %u, %u", where,
            r->across, r->down, across, down);
   }
}

/* Creates a texture whose levels have their numbers as texels. */
static GLuint
level_texture(void)
{
   GLuint texture;

   glCreateTextures(GL_TEXTURE_2D, 1, &texture);
   glTextureStorage2D(texture, LEVELS, GL_R32F, 1 << (LEVELS - 1), 1 << (LEVELS - 1));
   glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   for (int level = 0; level < LEVELS; level++) {
      const float value = (float)level;
      glClearTexImage(texture, level, GL_RED, GL_FLOAT, &value);
   }
   glBindTextureUnit(0, texture);
   return texture;
}

static void
test_group(enum arrangement a, unsigned x, unsigned y, unsigned z, bool variable)
{
   const unsigned size[3] = { x, y, z }, count = x * y * z;
   const char *const sizes =
      variable
         ? "layout(local_size_variable) in;\n"
         : text("layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n", x, y, z);
   const GLuint program = PROGRAM(
         .head = text("#extension GL_NV_compute_shader_derivatives : require\n"
                      "#extension GL_KHR_shader_subgroup_quad : require\n%s",
                      variable ? "#extension GL_ARB_compute_variable_group_size : require\n" : ""),
         .cs = text(
            "%s%s"
            "struct result {\n"
            "   float dx, dy, fine_dx, fine_dy, coarse_dx, coarse_dy, level, biased, queried;\n"
            "   uint index, across, down;\n"
            "};\n"
            "layout(std430, binding = 0) buffer B { result b[]; };\n"
            "layout(binding = 0) uniform sampler2D s;\n"
            "void main() {\n"
            "   uvec3 id = gl_LocalInvocationID;\n"
            "   uint i = gl_LocalInvocationIndex;\n"
            "   float v = float(id.x * id.x * 7u + id.y * id.y * 11u + id.x * id.y * 3u + id.z * 29u)\n"
            "             * 0.125;\n"
            "   vec2 at = %s * vec2(4.0, 1.0) / 128.0;\n"
            "   result r;\n"
            "   r.dx = dFdx(v); r.dy = dFdy(v);\n"
            "   r.fine_dx = dFdxFine(v); r.fine_dy = dFdyFine(v);\n"
            "   r.coarse_dx = dFdxCoarse(v); r.coarse_dy = dFdyCoarse(v);\n"
            "   r.level = texture(s, at).x; r.biased = %s; r.queried = %s;\n"
            "   r.index = i;\n"
            "   r.across = subgroupQuadSwapHorizontal(i); r.down = subgroupQuadSwapVertical(i);\n"
            "   b[gl_WorkGroupID.x * %uu + i] = r;\n"
            "}\n",
            sizes, layouts[a],
            a == LINEAR ? "vec2(float(i & 1u), float(i >> 1 & 1u))" : "vec2(id.xy)",
            a == NONE ? "textureLod(s, at, 1.0).x" : "texture(s, at, 1.0).x",
            a == NONE ? "0.0" : "textureQueryLod(s, at).y", count));
   const size_t bytes = sizeof(struct result) * GROUPS * count;
   struct result *found = malloc(bytes);
   const GLuint buffer = core_storage(0, bytes, NULL);

   if (variable)
      glDispatchComputeGroupSizeARB(GROUPS, 1, 1, x, y, z);
   else
      glDispatchCompute(GROUPS, 1, 1);
   core_read(buffer, bytes, found);
   for (unsigned i = 0; i < GROUPS * count && program; i++)
      check_result(a, size, i % count, &found[i]);
   free(found);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
}

int
main(void)
{
   core_begin();
   if (!core_extension("GL_NV_compute_shader_derivatives") ||
       !core_extension("GL_KHR_shader_subgroup"))
      return 77;
   level_texture();
   for (unsigned variable = 0; variable < 2; variable++) {
      if (variable && !core_extension("GL_ARB_compute_variable_group_size"))
         continue;
      test_group(QUADS, 2, 2, 1, variable);
      test_group(QUADS, 4, 4, 1, variable);
      test_group(QUADS, 6, 2, 3, variable);
      test_group(QUADS, 2, 10, 2, variable);
      test_group(QUADS, 8, 8, 2, variable);
      test_group(QUADS, 32, 32, 1, variable);
      test_group(LINEAR, 4, 1, 1, variable);
      test_group(LINEAR, 7, 4, 3, variable);
      test_group(LINEAR, 1, 1, 60, variable);
      test_group(LINEAR, 16, 16, 1, variable);
      test_group(NONE, 5, 3, 2, variable);
      test_group(NONE, 8, 8, 1, variable);
   }
   return core_end("compute quads");
}
