/* SPDX-License-Identifier: MIT */
/*
 * Tests every kind of sampler with every function of GLSL that takes it, in every stage.
 *
 * The value of a texel encodes its position: x + 16 y + 256 layer + 4096 level, where samples
 * count as layers.  A depth is (x + 8 y + 32 layer) / 1024, and is compared with a smaller and a
 * larger reference.  Filters are NEAREST_MIPMAP_NEAREST, and coordinates are clamped to the edge.
 * No coordinate is a constant expression, since the uniforms z and n, which are zero, are added.
 */
#include "core.h"

#define V(x, y, l, k) ((x) + 16 * (y) + 256 * (l) + 4096 * (k))
#define T(x, y, l, k)        \
   {                         \
      V(x, y, l, k), 0, 0, 1 \
   }
/* Result of a gather at the corner x, y of texels: the four texels in columns x - 1 and x and rows
 * y - 1 and y, starting with the lower left one of the window.
 */
#define G(x, y, l)                                                               \
   {                                                                             \
      V(x - 1, y, l, 0), V(x, y, l, 0), V(x, y - 1, l, 0), V(x - 1, y - 1, l, 0) \
   }
#define BIG(x, y)                                                                    \
   {                                                                                 \
      (x - 1) + 64 * (y), (x) + 64 * (y), (x) + 64 * (y - 1), (x - 1) + 64 * (y - 1) \
   }
#define PASS     \
   {             \
      1, 0, 0, 0 \
   }
/* Result of two comparisons at a texel, with references half a step below and above its depth. */
#define SHADOW(depth, before, after)                                           \
   "vec4(" before "(" depth " - 0.5) / 1024.0 + z" after ", " before "(" depth \
   " + 0.5) / 1024.0 + z" after ", 0, 0)"

static const struct check {
   const char *text;
   float right[4];
   bool pixels; /* only pixel shaders can call the function */
} checks[] = {
   /* 1D: 8 texels, 2 levels */
   { "texture(s1, 3.5 / 8.0 + z)", T(3, 0, 0, 0) },
   { "texture(s1, 3.5 / 8.0 + z, 1.0)", T(3, 0, 0, 0), .pixels = true },
   { "textureOffset(s1, 3.5 / 8.0 + z, 2)", T(5, 0, 0, 0) },
   { "textureProj(s1, vec2(7.0 / 8.0, 2.0) + z)", T(3, 0, 0, 0) },
   { "textureProj(s1, vec4(7.0 / 8.0, 9.0, 9.0, 2.0) + z)", T(3, 0, 0, 0) },
   { "textureProjOffset(s1, vec2(7.0 / 8.0, 2.0) + z, -1)", T(2, 0, 0, 0) },
   { "textureLod(s1, 3.5 / 8.0 + z, 1.0)", T(1, 0, 0, 1) },
   { "textureLodOffset(s1, 3.5 / 8.0 + z, 1.0, 1)", T(2, 0, 0, 1) },
   { "textureProjLod(s1, vec2(7.0 / 8.0, 2.0) + z, 1.0)", T(1, 0, 0, 1) },
   { "textureGrad(s1, 3.5 / 8.0 + z, 2.0 / 8.0, 0.0)", T(1, 0, 0, 1) },
   { "textureProjGrad(s1, vec2(7.0 / 8.0, 2.0) + z, 2.0 / 8.0, 0.0)", T(1, 0, 0, 1) },
   { "texelFetch(s1, 5 + n, 0)", T(5, 0, 0, 0) },
   { "texelFetch(s1, 2 + n, 1 + n)", T(2, 0, 0, 1) },
   { "texelFetchOffset(s1, 5 + n, 0, -3)", T(2, 0, 0, 0) },
   { "textureSize(s1, 1 + n)", { 4 } },
   { "textureQueryLevels(s1)", { 2 } },
   { "textureQueryLod(s1, z).x", { 0, 0 }, .pixels = true },
   /* 2D: 8x4 texels, 3 levels */
   { "texture(s2, vec2(2.5, 1.5) / vec2(8, 4) + z)", T(2, 1, 0, 0) },
   { "textureOffset(s2, vec2(2.5, 1.5) / vec2(8, 4) + z, ivec2(4, -1))", T(6, 0, 0, 0) },
   { "textureProj(s2, vec3(5.0 / 8.0, 3.0 / 4.0, 2.0) + z)", T(2, 1, 0, 0) },
   { "textureProj(s2, vec4(5.0 / 8.0, 3.0 / 4.0, 9.0, 2.0) + z)", T(2, 1, 0, 0) },
   { "textureProjOffset(s2, vec3(5.0 / 8.0, 3.0 / 4.0, 2.0) + z, ivec2(1, 2))", T(3, 3, 0, 0) },
   { "textureLod(s2, vec2(2.5, 1.5) / vec2(8, 4) + z, 1.0)", T(1, 0, 0, 1) },
   { "textureLodOffset(s2, vec2(2.5, 1.5) / vec2(8, 4) + z, 1.0, ivec2(1, 1))", T(2, 1, 0, 1) },
   { "textureProjLod(s2, vec3(5.0 / 8.0, 3.0 / 4.0, 2.0) + z, 1.0)", T(1, 0, 0, 1) },
   { "textureGrad(s2, vec2(2.5, 1.5) / vec2(8, 4) + z, vec2(4.0 / 8.0, 0), vec2(0))",
     T(0, 0, 0, 2) },
   { "textureGradOffset(s2, vec2(2.5, 1.5) / vec2(8, 4) + z, vec2(2.0 / 8.0, 0), vec2(0), "
     "ivec2(-1, 1))",
     T(0, 1, 0, 1) },
   { "texelFetch(s2, ivec2(5, 2) + n, 0)", T(5, 2, 0, 0) },
   { "texelFetchOffset(s2, ivec2(5, 2) + n, 0, ivec2(-5, 1))", T(0, 3, 0, 0) },
   { "textureSize(s2, 2 + n)", { 2, 1 } },
   { "textureQueryLevels(s2)", { 3 } },
   { "textureQueryLod(s2, vec2(z)).x", { 0, 0 }, .pixels = true },
   { "textureGather(s2, vec2(3, 2) / vec2(8, 4) + z)", G(3, 2, 0) },
   { "textureGatherOffset(s2, vec2(3, 2) / vec2(8, 4) + z, ivec2(2, -1))", G(5, 1, 0) },
   { "texture(is2, vec2(2.5, 1.5) / vec2(8, 4) + z)", { V(2, 1, 0, 0) - 100, 0, 0, 1 } },
   { "texelFetch(is2, ivec2(7, 3) + n, 0)", { V(7, 3, 0, 0) - 100, 0, 0, 1 } },
   { "textureGather(is2, vec2(1, 1) / vec2(8, 4) + z)",
     { V(0, 1, 0, 0) - 100, V(1, 1, 0, 0) - 100, V(1, 0, 0, 0) - 100, -100 } },
   /* 3D: 4x4x4 texels, 2 levels */
   { "texture(s3, vec3(2.5, 1.5, 3.5) / 4.0 + z)", T(2, 1, 3, 0) },
   { "textureOffset(s3, vec3(2.5, 1.5, 3.5) / 4.0 + z, ivec3(1, -1, -2))", T(3, 0, 1, 0) },
   { "textureProj(s3, vec4(vec3(5, 3, 7) / 4.0, 2.0) + z)", T(2, 1, 3, 0) },
   { "textureLod(s3, vec3(2.5, 1.5, 3.5) / 4.0 + z, 1.0)", T(1, 0, 1, 1) },
   { "textureGrad(s3, vec3(2.5, 1.5, 3.5) / 4.0 + z, vec3(0, 0, 0.5), vec3(0))", T(1, 0, 1, 1) },
   { "texelFetch(s3, ivec3(1, 2, 3) + n, 0)", T(1, 2, 3, 0) },
   { "textureSize(s3, 1 + n)", { 2, 2, 2 } },
   /* Cubes: 4x4 texels, 2 levels */
   { "texture(sC, vec3(1.0, 0.25, -0.25) + z)", T(2, 1, 0, 0) },
   { "texture(sC, vec3(-1.0, 0.25, 0.25) + z)", T(2, 1, 1, 0) },
   { "textureLod(sC, vec3(1.0, 0.25, -0.25) + z, 1.0)", T(1, 0, 0, 1) },
   { "textureGrad(sC, vec3(1.0, 0.25, -0.25) + z, vec3(0, 0, -1), vec3(0))", T(1, 0, 0, 1) },
   { "textureSize(sC, 1 + n)", { 2, 2 } },
   { "textureQueryLevels(sC)", { 2 } },
   { "textureGather(sC, vec3(1.0, 0.0, 0.0) + vec3(0, z, z))", G(2, 2, 0) },
   { "texture(sCA, vec4(1.0, 0.25, -0.25, 1.0) + z)", T(2, 1, 6, 0) },
   { "textureLod(sCA, vec4(1.0, 0.25, -0.25, 1.0) + z, 1.0)", T(1, 0, 6, 1) },
   { "textureSize(sCA, 0 + n)", { 4, 4, 2 } },
   { "textureGather(sCA, vec4(-1.0, 0.0, 0.0, 1.0) + vec4(0, z, z, z))", G(2, 2, 7) },
   /* Arrays: 8 and 8x4 texels, 3 layers, 2 levels */
   { "texture(s1A, vec2(3.5 / 8.0, 2.0) + z)", T(3, 0, 2, 0) },
   { "textureOffset(s1A, vec2(3.5 / 8.0, 2.0) + z, 2)", T(5, 0, 2, 0) },
   { "textureLod(s1A, vec2(3.5 / 8.0, 2.0) + z, 1.0)", T(1, 0, 2, 1) },
   { "textureGrad(s1A, vec2(3.5 / 8.0, 2.0) + z, 2.0 / 8.0, 0.0)", T(1, 0, 2, 1) },
   { "texelFetch(s1A, ivec2(3, 1) + n, 0)", T(3, 0, 1, 0) },
   { "textureSize(s1A, 1 + n)", { 4, 3 } },
   { "texture(s2A, vec3(2.5 / 8.0, 1.5 / 4.0, 1.0) + z)", T(2, 1, 1, 0) },
   { "textureOffset(s2A, vec3(2.5 / 8.0, 1.5 / 4.0, 1.0) + z, ivec2(1, 2))", T(3, 3, 1, 0) },
   { "textureLod(s2A, vec3(2.5 / 8.0, 1.5 / 4.0, 1.0) + z, 1.0)", T(1, 0, 1, 1) },
   { "textureGrad(s2A, vec3(2.5 / 8.0, 1.5 / 4.0, 1.0) + z, vec2(2.0 / 8.0, 0), vec2(0))",
     T(1, 0, 1, 1) },
   { "texelFetch(s2A, ivec3(3, 1, 2) + n, 0)", T(3, 1, 2, 0) },
   { "texelFetchOffset(s2A, ivec3(3, 1, 2) + n, 0, ivec2(1, 1))", T(4, 2, 2, 0) },
   { "textureSize(s2A, 1 + n)", { 4, 2, 3 } },
   { "textureGather(s2A, vec3(3.0 / 8.0, 2.0 / 4.0, 2.0) + z)", G(3, 2, 2) },
   { "textureGatherOffset(s2A, vec3(3.0 / 8.0, 2.0 / 4.0, 2.0) + z, ivec2(3, 1))", G(6, 3, 2) },
   /* Rectangles: 8x4 texels */
   { "texture(sR, vec2(2.5, 1.5) + z)", T(2, 1, 0, 0) },
   { "textureOffset(sR, vec2(2.5, 1.5) + z, ivec2(4, -1))", T(6, 0, 0, 0) },
   { "textureProj(sR, vec3(5, 3, 2) + z)", T(2, 1, 0, 0) },
   { "textureProj(sR, vec4(5, 3, 9, 2) + z)", T(2, 1, 0, 0) },
   { "textureProjOffset(sR, vec3(5, 3, 2) + z, ivec2(1, 2))", T(3, 3, 0, 0) },
   { "textureGrad(sR, vec2(2.5, 1.5) + z, vec2(4, 0), vec2(0, 4))", T(2, 1, 0, 0) },
   { "textureGradOffset(sR, vec2(2.5, 1.5) + z, vec2(4, 0), vec2(0, 4), ivec2(-1, 1))",
     T(1, 2, 0, 0) },
   { "textureProjGrad(sR, vec3(5, 3, 2) + z, vec2(4, 0), vec2(0, 4))", T(2, 1, 0, 0) },
   { "texelFetch(sR, ivec2(5, 2) + n)", T(5, 2, 0, 0) },
   { "texelFetchOffset(sR, ivec2(5, 2) + n, ivec2(-5, 1))", T(0, 3, 0, 0) },
   { "textureSize(sR)", { 8, 4 } },
   { "textureGather(sR, vec2(3, 2) + z)", G(3, 2, 0) },
   { "textureGatherOffset(sR, vec2(3, 2) + z, ivec2(2, -1))", G(5, 1, 0) },
   { "texture(iR, vec2(2.5, 1.5) + z)", { V(2, 1, 0, 0) - 100, 0, 0, 1 } },
   { "textureGather(iR, vec2(1, 1) + z)",
     { V(0, 1, 0, 0) - 100, V(1, 1, 0, 0) - 100, V(1, 0, 0, 0) - 100, -100 } },
   /* Buffers and multisample textures */
   { "texelFetch(sB, 9 + n)", { 9, 0, 0, 1 } },
   { "texelFetch(sB, 100 + n).xyz", { 0, 0, 0 } },
   { "textureSize(sB)", { 16 } },
   { "texelFetch(uB, 11 + n)", { 11, 0, 0, 1 } },
   { "texelFetch(sM, ivec2(2, 1) + n, 3 + n)", T(2, 1, 3, 0) },
   { "texelFetch(sM, ivec2(7, 3) + n, 0)", T(7, 3, 0, 0) },
   { "textureSize(sM)", { 8, 4 } },
   { "textureSamples(sM)", { 4 } },
   { "texelFetch(sMA, ivec3(2, 1, 1) + n, 2 + n)", T(2, 1, 6, 0) },
   { "textureSize(sMA)", { 8, 4, 2 } },
   { "textureSamples(sMA)", { 4 } },
   /* Comparisons */
   { SHADOW("3.0", "texture(h1, vec3(3.5 / 8.0, 0, ", "))"), PASS },
   { SHADOW("5.0", "textureOffset(h1, vec3(3.5 / 8.0, 0, ", "), 2)"), PASS },
   { SHADOW("3.0", "textureLod(h1, vec3(3.5 / 8.0, 0, ", "), 0.0)"), PASS },
   { SHADOW("2.0 * 3.0", "textureProj(h1, vec4(7.0 / 8.0, 0, 2.0 / 2.0 * ", ", 2.0))"), PASS },
   { SHADOW("10.0", "texture(h2, vec3(2.5 / 8.0, 1.5 / 4.0, ", "))"), PASS },
   { SHADOW("19.0", "textureOffset(h2, vec3(2.5 / 8.0, 1.5 / 4.0, ", "), ivec2(1, 1))"), PASS },
   { SHADOW("10.0", "textureLod(h2, vec3(2.5 / 8.0, 1.5 / 4.0, ", "), 0.0)"), PASS },
   { SHADOW("10.0", "textureGrad(h2, vec3(2.5 / 8.0, 1.5 / 4.0, ", "), vec2(0), vec2(0))"), PASS },
   { SHADOW("10.0", "textureGather(h2, vec2(2.75 / 8.0, 1.75 / 4.0), ", ").w"), PASS },
   { SHADOW("21.0", "textureGatherOffset(h2, vec2(2.75 / 8.0, 1.75 / 4.0), ", ", ivec2(3, 1)).w"),
     PASS },
   { SHADOW("3.0", "textureGatherOffset(h2, vec2(4.75 / 8.0, 3.75 / 4.0), ", ", ivec2(-1, -30)).x"),
     PASS },
   { SHADOW("10.0", "texture(hC, vec4(1.0, 0.25, -0.25, ", "))"), PASS },
   { SHADOW("42.0", "texture(hC, vec4(-1.0, 0.25, 0.25, ", "))"), PASS },
   { SHADOW("202.0", "texture(hCA, vec4(1.0, 0.25, -0.25, 1.0), ", ")"), PASS },
   { SHADOW("67.0", "texture(h1A, vec3(3.5 / 8.0, 2.0, ", "))"), PASS },
   { SHADOW("69.0", "textureOffset(h1A, vec3(3.5 / 8.0, 2.0, ", "), 2)"), PASS },
   { SHADOW("67.0", "textureLod(h1A, vec3(3.5 / 8.0, 2.0, ", "), 0.0)"), PASS },
   { SHADOW("42.0", "texture(h2A, vec4(2.5 / 8.0, 1.5 / 4.0, 1.0, ", "))"), PASS },
   { SHADOW("42.0", "textureGrad(h2A, vec4(2.5 / 8.0, 1.5 / 4.0, 1.0, ", "), vec2(0), vec2(0))"),
     PASS },
   { SHADOW("42.0", "textureGather(h2A, vec3(2.75 / 8.0, 1.75 / 4.0, 1.0), ", ").w"), PASS },
   { SHADOW("10.0", "texture(hR, vec3(2.5, 1.5, ", "))"), PASS },
   { SHADOW("19.0", "textureOffset(hR, vec3(2.5, 1.5, ", "), ivec2(1, 1))"), PASS },
   { SHADOW("10.0", "textureGrad(hR, vec3(2.5, 1.5, ", "), vec2(0), vec2(0))"), PASS },
   { SHADOW("10.0", "textureGather(hR, vec2(2.75, 1.75), ", ").w"), PASS },
   { SHADOW("8.0", "textureGatherOffset(hR, vec2(2.75, 1.75), ", ", ivec2(-20, 0)).w"), PASS },
   { SHADOW("2.0 * 10.0", "textureProj(hR, vec4(5.0, 3.0, 2.0 / 2.0 * ", ", 2.0))"), PASS },
   /* Gathers with offsets beyond -8 to 7 in a texture of 64x64 texels */
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, ivec2(-9, -12))", BIG(31, 28) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, ivec2(-32, -32))", BIG(8, 8) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, ivec2(-9, 3))", BIG(31, 43) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, ivec2(3, -9))", BIG(43, 31) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, ivec2(-1, -20))", BIG(39, 20) },
   { "textureGatherOffset(sG, vec2(20) / 64.0 + z, ivec2(31, 8))", BIG(51, 28) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, o.xy)", BIG(31, 28) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, -o.zw)", BIG(33, 20) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, ivec2(o.x, -9))", BIG(31, 31) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, ivec2(-9, o.y))", BIG(31, 28) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, -abs(o.xy))", BIG(31, 28) },
   { "textureGatherOffset(sG, vec2(40) / 64.0 + z, ivec2(-vec2(o.zw)))", BIG(33, 20) },
   { "textureGatherOffsets(sG, vec2(40) / 64.0 + z, ivec2[4](ivec2(-9, -12), ivec2(-32, 31), "
     "ivec2(7, -9), ivec2(-8, -8)))",
     { 30 + 64 * 27, 7 + 64 * 63, 46 + 64 * 30, 31 + 64 * 31 } },
   { "textureGatherOffset(sGR, vec2(40) + z, ivec2(-9, -12))", BIG(31, 28) },
   { "textureGatherOffset(sGR, vec2(40) + z, o.xy)", BIG(31, 28) },
   { "textureGatherOffset(sGA, vec3(vec2(40) / 64.0, 0.0) + z, ivec2(-9, -12))", BIG(31, 28) },
   { "textureGatherOffset(sGA, vec3(vec2(40) / 64.0, 0.0) + z, o.xy)", BIG(31, 28) },
   /* Arrays of samplers with an index */
   { "texture(many[n], vec2(2.5, 1.5) / vec2(8, 4) + z)", T(2, 1, 0, 0) },
   { "texture(many[n + 1], vec2(2.5, 1.5) + z)", { 0, 0, 0, 1 } },
   { "texture(many[o.z - 6], vec2(2.5, 1.5) / vec2(8, 4) + z)", { 0, 0, 0, 1 } },
   { "texture(many[o.z - 7], vec2(2.5, 1.5) / vec2(8, 4) + z)", T(2, 1, 0, 0) },
   { "texture(many[o.x + 9], vec2(2.5, 1.5) / vec2(8, 4) + z)", T(2, 1, 0, 0) },
   { "texture(many[o.w + 180 - 200], vec2(2.5, 1.5) / vec2(8, 4) + z)", T(2, 1, 0, 0) },
   { "textureSize(many[o.x + 300 - 291], 0)", { 8, 4 } },
   { "textureGrad(hs[o.z - 7], vec4(U[n + 1].xy, 1.0, U[n + 600 - n * 3 - 598].x), "
     "U[o.z - 4].xy, U[o.y + 16].xy)",
     { 1 } },
   { "textureGrad(hs[o.z - 7], vec4(U[n + 1].xy, 1.0, U[I[n] + 4].y), U[I[n + 1]].xy, "
     "U[I[n + 2]].xy)",
     { 0 } },
};
enum { COUNT = sizeof checks / sizeof checks[0] };

/* Declarations of samplers and their textures. */
static const struct {
   const char *sampler;
   GLenum target, format;
   int width, height, depth, levels;
} textures[] = {
   { "sampler1D s1", GL_TEXTURE_1D, GL_R32F, 8, 1, 1, 2 },
   { "sampler2D s2", GL_TEXTURE_2D, GL_R32F, 8, 4, 1, 3 },
   { "isampler2D is2", GL_TEXTURE_2D, GL_R32I, 8, 4, 1, 1 },
   { "sampler3D s3", GL_TEXTURE_3D, GL_R32F, 4, 4, 4, 2 },
   { "samplerCube sC", GL_TEXTURE_CUBE_MAP, GL_R32F, 4, 4, 6, 2 },
   { "samplerCubeArray sCA", GL_TEXTURE_CUBE_MAP_ARRAY, GL_R32F, 4, 4, 12, 2 },
   { "sampler1DArray s1A", GL_TEXTURE_1D_ARRAY, GL_R32F, 8, 3, 1, 2 },
   { "sampler2DArray s2A", GL_TEXTURE_2D_ARRAY, GL_R32F, 8, 4, 3, 2 },
   { "sampler2DRect sR", GL_TEXTURE_RECTANGLE, GL_R32F, 8, 4, 1, 1 },
   { "isampler2DRect iR", GL_TEXTURE_RECTANGLE, GL_R32I, 8, 4, 1, 1 },
   { "samplerBuffer sB", GL_TEXTURE_BUFFER, GL_R32F, 16 },
   { "usamplerBuffer uB", GL_TEXTURE_BUFFER, GL_R32UI, 16 },
   { "sampler2DMS sM", GL_TEXTURE_2D_MULTISAMPLE, GL_R32F, 8, 4, 1 },
   { "sampler2DMSArray sMA", GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_R32F, 8, 4, 2 },
   { "sampler1DShadow h1", GL_TEXTURE_1D, GL_DEPTH_COMPONENT32F, 8, 1, 1, 1 },
   { "sampler2DShadow h2", GL_TEXTURE_2D, GL_DEPTH_COMPONENT32F, 8, 4, 1, 1 },
   { "samplerCubeShadow hC", GL_TEXTURE_CUBE_MAP, GL_DEPTH_COMPONENT32F, 4, 4, 6, 1 },
   { "samplerCubeArrayShadow hCA", GL_TEXTURE_CUBE_MAP_ARRAY, GL_DEPTH_COMPONENT32F, 4, 4, 12, 1 },
   { "sampler1DArrayShadow h1A", GL_TEXTURE_1D_ARRAY, GL_DEPTH_COMPONENT32F, 8, 3, 1, 1 },
   { "sampler2DArrayShadow h2A", GL_TEXTURE_2D_ARRAY, GL_DEPTH_COMPONENT32F, 8, 4, 3, 1 },
   { "sampler2DRectShadow hR", GL_TEXTURE_RECTANGLE, GL_DEPTH_COMPONENT32F, 8, 4, 1, 1 },
   { "sampler2D sG", GL_TEXTURE_2D, GL_R32F, 64, 64, 1, 1 },
   { "sampler2DRect sGR", GL_TEXTURE_RECTANGLE, GL_R32F, 64, 64, 1, 1 },
   { "sampler2DArray sGA", GL_TEXTURE_2D_ARRAY, GL_R32F, 64, 64, 1, 1 },
};
enum { TEXTURES = sizeof textures / sizeof textures[0] };

static float
texel(bool depth, bool big, int x, int y, int layer, int level)
{
   return depth ? (x + 8 * y + 32 * layer) / 1024.0f : big ? x + 64 * y : V(x, y, layer, level);
}

static void
fill(GLuint texture, unsigned t)
{
   const GLenum target = textures[t].target;
   const bool depth = textures[t].format == GL_DEPTH_COMPONENT32F;
   const bool integer = textures[t].format == GL_R32I;
   const bool array1 = target == GL_TEXTURE_1D_ARRAY;

   if (target == GL_TEXTURE_1D)
      glTextureStorage1D(texture, textures[t].levels, textures[t].format, textures[t].width);
   else if (textures[t].depth > 1 && target != GL_TEXTURE_CUBE_MAP)
      glTextureStorage3D(texture, textures[t].levels, textures[t].format, textures[t].width,
                         textures[t].height, textures[t].depth);
   else if (target == GL_TEXTURE_2D_ARRAY)
      glTextureStorage3D(texture, 1, textures[t].format, 64, 64, 1);
   else
      glTextureStorage2D(texture, textures[t].levels, textures[t].format, textures[t].width,
                         textures[t].height);

   for (int k = 0; k < textures[t].levels; k++) {
      const int width = textures[t].width >> k;
      const int height = array1 || textures[t].height == 1 ? textures[t].height
                                                           : textures[t].height >> k;
      const int layers = target == GL_TEXTURE_3D ? textures[t].depth >> k : textures[t].depth;
      for (int l = 0; l < layers; l++) {
         float texels[64 * 64];
         GLint integers[64 * 64];
         for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
               const float v = texel(depth, textures[t].width == 64, x, array1 ? 0 : y,
                                     array1 ? y : l, k);
               texels[y * width + x] = v;
               integers[y * width + x] = (GLint)v - 100;
            }
         }
         const GLenum format = depth ? GL_DEPTH_COMPONENT : integer ? GL_RED_INTEGER : GL_RED;
         const GLenum type = integer ? GL_INT : GL_FLOAT;
         const void *data = integer ? (void *)integers : (void *)texels;
         if (target == GL_TEXTURE_1D)
            glTextureSubImage1D(texture, k, 0, width, format, type, data);
         else if (textures[t].depth > 1 || target == GL_TEXTURE_2D_ARRAY)
            glTextureSubImage3D(texture, k, 0, 0, l, width, height, 1, format, type, data);
         else
            glTextureSubImage2D(texture, k, 0, 0, width, height, format, type, data);
      }
   }
   glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER,
                       target == GL_TEXTURE_RECTANGLE ? GL_NEAREST : GL_NEAREST_MIPMAP_NEAREST);
   glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
   glTextureParameteri(texture, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
   if (depth) {
      glTextureParameteri(texture, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
      glTextureParameteri(texture, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
   }
}

/* Writes values to all samples of a texture.  The fragment shader runs once for each sample. */
static void
fill_samples(GLuint texture, int layers)
{
   const GLuint program = PROGRAM(.vs = FILL_VS,
                                  .fs = "uniform int layer; out float v;\n"
                                        "void main() {\n"
                                        "   vec2 p = floor(gl_FragCoord.xy);\n"
                                        "   v = p.x + 16.0 * p.y + 256.0 * float(gl_SampleID + "
                                        "4 * layer);\n"
                                        "}\n");
   GLuint fb;

   glCreateFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glViewport(0, 0, 8, 4);
   for (int l = 0; l < layers; l++) {
      if (layers > 1)
         glNamedFramebufferTextureLayer(fb, GL_COLOR_ATTACHMENT0, texture, 0, l);
      else
         glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, texture, 0);
      glUniform1i(glGetUniformLocation(program, "layer"), l);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fb);
   glDeleteProgram(program);
}

static void
make_textures(void)
{
   GLuint names[TEXTURES];

   for (unsigned t = 0; t < TEXTURES; t++) {
      glCreateTextures(textures[t].target, 1, &names[t]);
      if (textures[t].target == GL_TEXTURE_BUFFER) {
         float values[16];
         uint32_t words[16];
         for (unsigned i = 0; i < 16; i++)
            values[i] = words[i] = i;
         const bool f = textures[t].format == GL_R32F;
         glTextureBuffer(names[t], textures[t].format,
                         core_buffer(sizeof values, f ? (void *)values : (void *)words));
      } else if (textures[t].target == GL_TEXTURE_2D_MULTISAMPLE) {
         glTextureStorage2DMultisample(names[t], 4, GL_R32F, 8, 4, GL_TRUE);
         fill_samples(names[t], 1);
      } else if (textures[t].target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY) {
         glTextureStorage3DMultisample(names[t], 4, GL_R32F, 8, 4, 2, GL_TRUE);
         fill_samples(names[t], 2);
      } else {
         fill(names[t], t);
      }
      glBindTextureUnit(t, names[t]);
   }
   glBindTextureUnit(TEXTURES, names[1]);      /* many[0] */
   glBindTextureUnit(TEXTURES + 3, names[19]); /* hs[0] */
}

static bool
is_comparison(unsigned i)
{
   return !strncmp(checks[i].text, "vec4(", 5);
}

static char head[64 * 1024];

/* Writes the declarations of samplers and result functions that all stages share to `head`. */
static void
write_head(void)
{
   char *at = head, *end = head + sizeof head;

#define PRINT(...) at += snprintf(at, end - at, __VA_ARGS__)
   PRINT("#extension GL_ARB_shader_texture_image_samples : require\n"
         "layout(std430, binding = 0) buffer B { vec4 b[]; };\n"
         "uniform float z; uniform int n; uniform ivec4 o; uniform vec4 U[20]; uniform int I[3];\n"
         "vec4 r(float a) { return vec4(a, 0, 0, 0); } vec4 r(vec2 a) { return vec4(a, 0, 0); }\n"
         "vec4 r(vec3 a) { return vec4(a, 0); } vec4 r(vec4 a) { return a; }\n"
         "vec4 r(int a) { return vec4(a, 0, 0, 0); } vec4 r(ivec2 a) { return vec4(a, 0, 0); }\n"
         "vec4 r(ivec3 a) { return vec4(a, 0); } vec4 r(ivec4 a) { return vec4(a); }\n"
         "vec4 r(uvec4 a) { return vec4(a); }\n");
   for (unsigned t = 0; t < TEXTURES; t++)
      PRINT("layout(binding = %u) uniform %s;\n", t, textures[t].sampler);
   PRINT("layout(binding = %u) uniform sampler2D many[3];\n"
         "layout(binding = %u) uniform sampler2DArrayShadow hs[2];\n",
         TEXTURES, TEXTURES + 3);
#undef PRINT
}

/* Returns the source of a stage, with the checks from `first` on.  A stage can have only 16
 * samplers, so the comparisons and the checks after them are in separate programs.
 */
static const char *
stage(unsigned first, unsigned number, const char *before, const char *after)
{
   const bool pixels = number == 4;
   static char sources[6][64 * 1024];
   char *at = sources[number], *end = at + sizeof sources[0];

   at += snprintf(at, end - at, "%s\nvoid main() {\n", before);
   for (unsigned i = first; i < COUNT && (first || !is_comparison(i)); i++) {
      if (!checks[i].pixels || pixels)
         at += snprintf(at, end - at, "   b[%u] = r(%s);\n", number * COUNT + i, checks[i].text);
   }
   snprintf(at, end - at, "   %s\n}\n", after);
   return sources[number];
}

static void
set_uniforms(GLuint program)
{
   float u[20][4] = { { 0 } };

   memcpy(u[1], (float[4]){ 2.5f / 8, 1.5f / 4 }, 16);
   u[2][0] = 41.5f / 1024;
   u[4][1] = 42.5f / 1024;
   glUniform4fv(glGetUniformLocation(program, "U"), 20, u[0]);
   glUniform1iv(glGetUniformLocation(program, "I"), 3, (GLint[]){ 0, 5, 6 });
   glUniform4i(glGetUniformLocation(program, "o"), -9, -12, 7, 20);
}

static void
run(unsigned first)
{
   GLuint program = PROGRAM(.head = head,
                            .vs = stage(first, 0, "", "gl_Position = vec4(0, 0, 0, 1);"),
                            .tcs = stage(first, 1, "layout(vertices = 1) out;",
                                         "gl_TessLevelOuter = float[](1.0, 1.0, 1.0, 1.0); "
                                         "gl_TessLevelInner = float[](1.0, 1.0);"),
                            .tes = stage(first, 2, "layout(triangles, point_mode) in;",
                                         "gl_Position = vec4(0, 0, 0, 1);"),
                            .gs = stage(first, 3,
                                        "layout(points) in; layout(points, max_vertices = 1) out;",
                                        "gl_Position = vec4(0, 0, 0, 1); EmitVertex();"),
                            .fs = stage(first, 4, "out vec4 color;", "color = vec4(1);"));
   if (program) {
      set_uniforms(program);
      glPatchParameteri(GL_PATCH_VERTICES, 1);
      glDrawArrays(GL_PATCHES, 0, 1);
      glDeleteProgram(program);
   }
   program = PROGRAM(.head = head, .cs = stage(first, 5, "layout(local_size_x = 1) in;", ""));
   if (program) {
      set_uniforms(program);
      glDispatchCompute(1, 1, 1);
      glDeleteProgram(program);
   }
}

int
main(void)
{
   static const char *const names[] = { "vertex",   "control", "evaluation",
                                        "geometry", "pixel",   "compute" };
   static float found[6 * COUNT][4];

   core_begin();
   make_textures();
   write_head();
   const GLuint b = core_storage(0, sizeof found, NULL);
   GLuint fb, target;
   glCreateFramebuffers(1, &fb);
   glCreateTextures(GL_TEXTURE_2D, 1, &target);
   glTextureStorage2D(target, 1, GL_RGBA8, 1, 1);
   glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, target, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glViewport(0, 0, 1, 1);

   run(0);
   for (unsigned i = 0; i < COUNT; i++) {
      if (is_comparison(i)) {
         run(i);
         break;
      }
   }
   core_read(b, sizeof found, found);
   for (unsigned s = 0; s < 6; s++) {
      for (unsigned i = 0; i < COUNT; i++) {
         const float *f = found[s * COUNT + i], *right = checks[i].right;
         const bool same = f[0] == right[0] && f[1] == right[1] && f[2] == right[2] &&
                           f[3] == right[3];
         CHECK(same || (checks[i].pixels && s != 4), "%s: %s: %g %g %g %g, right %g %g %g %g",
               names[s], checks[i].text, f[0], f[1], f[2], f[3], right[0], right[1], right[2],
               right[3]);
      }
   }
   return core_end("sampler_stages");
}
