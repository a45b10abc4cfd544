/* SPDX-License-Identifier: MIT */
/*
 * Tests minimum and maximum filters (EXT_texture_filter_minmax), and votes of subgroups
 * (ARB_shader_group_vote).  The checks of votes hold for any division of invocations into groups.
 */
#include "core.h"

enum { SIDE = 8 };

static unsigned
extreme(unsigned a, unsigned b, bool most)
{
   return (a > b) == most ? a : b;
}

/* Tests filters at coordinates in the middle of four texels, between two texels, or on one texel.
 */
static void
test_filter(GLenum mode, GLenum format)
{
   const bool most = mode == GL_MAX;
   GLubyte texel[SIDE + 1][SIDE + 1], pixel[2 * SIDE][2 * SIDE][4];
   GLuint texture, target;

   for (unsigned y = 0; y <= SIDE; y++) {
      for (unsigned x = 0; x <= SIDE; x++)
         texel[y][x] = (GLubyte)core_random();
   }
   core_target(GL_RGBA8, 2 * SIDE, 2 * SIDE, &target);
   glCreateTextures(GL_TEXTURE_2D, 1, &texture);
   glTextureStorage2D(texture, 1, format, SIDE + 1, SIDE + 1);
   glTextureSubImage2D(texture, 0, 0, 0, SIDE + 1, SIDE + 1, GL_RED, GL_UNSIGNED_BYTE, texel);
   glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
   glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
   glTextureParameteri(texture, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
   glTextureParameteri(texture, GL_TEXTURE_REDUCTION_MODE_EXT, mode);
   glBindTextureUnit(0, texture);
   /* The coordinates must be exact.  Multiples of 1/4 divided by 9 are not, so the shader computes
    * in texels.
    */
   if (!PROGRAM(.vs = FILL_VS,
                .fs = "layout(binding = 0) uniform sampler2D t; out vec4 color;\n"
                      "void main() {\n"
                      "   vec2 at = floor(gl_FragCoord.xy) * 0.5 + 0.5;\n"
                      "   vec2 nudge = fract(floor(gl_FragCoord.xy) * 0.5) * 0.25;\n"
                      "   color = textureLod(t, (at + nudge) / vec2(textureSize(t, 0)), 0.0);\n"
                      "}\n"))
      return;
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, 2 * SIDE, 2 * SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   for (unsigned y = 1; y < 2 * SIDE; y += 2) {
      for (unsigned x = 1; x < 2 * SIDE; x += 2) {
         const unsigned i = x / 2, j = y / 2;
         const unsigned want = extreme(extreme(texel[j][i], texel[j][i + 1], most),
                                       extreme(texel[j + 1][i], texel[j + 1][i + 1], most), most);
         CHECK(pixel[y][x][0] == want, "%x %x: %u %u: %u, should be %u", mode, format, x, y,
               pixel[y][x][0], want);
      }
   }
}

/* Tests votes in each invocation: all <= own <= any, and a vote of equal values is unanimous. */
static void
test_votes(void)
{
   GLubyte pixel[64 * 64][4];
   GLuint target;

   core_target(GL_RGBA8, 64, 64, &target);
   if (!PROGRAM(.head = "#extension GL_ARB_shader_group_vote : require\n", .vs = FILL_VS,
                .fs =
                   "out vec4 color;\n"
                   "void main() {\n"
                   "   ivec2 p = ivec2(gl_FragCoord.xy);\n"
                   "   bool own = ((p.x * 7 + p.y * 13) & 31) != 5;\n"
                   "   bool any = anyInvocationARB(own), all = allInvocationsARB(own);\n"
                   "   bool equal = allInvocationsEqualARB(own);\n"
                   "   bool good = (!all || own) && (any || !own) && equal == (all || !any);\n"
                   "   if (own)\n"
                   "      good = good && allInvocationsARB(own) && allInvocationsEqualARB(own);\n"
                   "   else\n"
                   "      good = good && !anyInvocationARB(own);\n"
                   "   good = good && allInvocationsEqualARB(1 > 0) && anyInvocationARB(true);\n"
                   "   color = vec4(good, any != all, 0, 1);\n"
                   "}\n"))
      return;
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   for (unsigned i = 0; i < 64 * 64; i++)
      CHECK(pixel[i][0] == 255, "pixel %u", i);
}

int
main(void)
{
   core_begin();
   if (core_extension("GL_EXT_texture_filter_minmax")) {
      test_filter(GL_MIN, GL_R8);
      test_filter(GL_MAX, GL_R8);
      test_filter(GL_MIN, GL_RGBA8);
      test_filter(GL_MAX, GL_R16F);
   }
   if (core_extension("GL_ARB_shader_group_vote"))
      test_votes();
   return core_end("extremes");
}
