/* SPDX-License-Identifier: MIT */
/*
 * Blocks of 16x16 pixels that a triangle covers (pixel/raster/sgd_whole.c). Targets with metadata, where
 * depths are stored without a test and fast clears are not stored, must have the same elements as
 * targets without metadata, at every host level. This also holds for programs that drop fragments
 * or are stopped.
 */
#include "../../unit.h"
#include "scene.h"

#define DRAWS 30

static const enum sgpu_format zs_formats[] = {
   SGPU_FORMAT_Z16_UNORM, SGPU_FORMAT_Z24_UNORM_S8_UINT, SGPU_FORMAT_Z24X8_UNORM,
   SGPU_FORMAT_Z32_UNORM, SGPU_FORMAT_Z32_FLOAT,
};
static const enum sgpu_format color_formats[] = {
   SGPU_FORMAT_R8G8B8A8_UNORM,
   SGPU_FORMAT_B8G8R8X8_UNORM,
   SGPU_FORMAT_R16G16B16A16_FLOAT,
   SGPU_FORMAT_B5G6R5_UNORM,
};

enum program { PLAIN, KILLS, LOOPS, DEPTH, NONE, PROGRAMS };

static void
make_programs(struct scene *s, struct SGPU_SHADER programs[PROGRAMS])
{
   static const char *const texts[NONE] = {
      [PLAIN] = "!!SGFP1.0\nMUL o[COLR0], v[0], c[0]; MOV o[COLR1], v[1];\nEND\n",
      [KILLS] = "!!SGFP1.0\nFSETP.LT P0.x, v[1].x, c[0].y; (P0.x) KIL; MOV o[COLR0], v[0];\nEND\n",
      /* Some lanes end, others never end. */
      [LOOPS] = "!!SGFP1.0\nMOV o[COLR0], v[0];\nFSETP.LT P0.x, v[1].x, c[0].y;\n"
                "(P0.x) EXIT;\nagain: MOV R2, v[0];\nBRA again;\nEND\n",
      [DEPTH] = "!!SGFP1.0\nMOV o[DEPR].x, v[1].x; MOV o[COLR0], v[0];\nEND\n",
   };

   for (unsigned i = 0; i < 4; i++)
      s->constants[0][i] = 0.5f;
   for (unsigned i = 0; i < NONE; i++)
      programs[i] = scene_program(s, texts[i]);
   programs[NONE] = (struct SGPU_SHADER){ .stage = SGPU_STAGE_PIXEL };
}

/* Adds n triangles, most of which are larger than a tile. Depths of corners are multiples of a
 * step, so that many planes are flat or equal, or they are random. Returns the number of the first
 * vertex.
 */
static uint32_t
large(struct scene *s, unsigned n)
{
   const uint32_t first = s->num_vertices;

   for (unsigned i = 0; i < n; i++) {
      const bool exact = scene_below(s, 2), flat = scene_below(s, 3) == 0;
      const float size = (float)(int)(1u << (4 + scene_below(s, 6)));
      float z[3];
      for (unsigned k = 0; k < 3; k++)
         z[k] = flat && k ? z[0]
                : exact   ? (float)(int)scene_below(s, 17) / 16.0f
                          : scene_float(s, 0.0f, 1.0f);
      const float x = (float)(int)scene_below(s, SCENE_W) - size / 4.0f;
      const float y = (float)(int)scene_below(s, SCENE_H) - size / 4.0f;
      scene_vertex(s, x, y, z[0], 1.0f);
      scene_vertex(s, x + size, y, z[1], 1.0f);
      scene_vertex(s, x, y + size, z[2], 1.0f);
   }
   return first;
}

static void
clear(struct scene *s)
{
   const float color[4] = { scene_float(s, 0.0f, 1.0f), 0.25f, scene_float(s, 0.0f, 1.0f), 1.0f };
   /* Some depths are outside the range of fragments, which float formats can store. */
   static const double depths[] = { 1.0, 1.0, 1.0, 0.5, 0.75, 2.0, -1.0, 0.0 };

   scene_clear(s, color, depths[scene_below(s, 8)], scene_below(s, 256));
}

static void
random_state(struct scene *s, const struct SGPU_SHADER programs[PROGRAMS], bool loops)
{
   struct scene_state *st = &s->st;
   const unsigned program = scene_below(s, 4) ? PLAIN : scene_below(s, PROGRAMS);

   st->ps = programs[loops && scene_below(s, 2)   ? LOOPS
                     : program == LOOPS && !loops ? KILLS
                                                  : program];
   st->dsa = (struct SGPU_DEPTH_STENCIL){
      .depth_test = scene_below(s, 5) != 0,
      .depth_write = scene_below(s, 6) != 0,
      .depth_func = scene_below(s, 6)
                       ? (scene_below(s, 2) ? SGPU_COMPARE_LEQUAL : SGPU_COMPARE_LESS)
                       : scene_below(s, 8),
   };
   st->target[0] = (struct SGPU_BLEND_TARGET){
      .write_mask = scene_below(s, 8) ? 15 : scene_below(s, 16),
      .rgb_src = SGPU_BLEND_FACTOR_ONE,
      .alpha_src = SGPU_BLEND_FACTOR_ONE,
   };
   if (!scene_below(s, 8))
      scene_blend_over(s);
   st->target[1] = (struct SGPU_BLEND_TARGET){ .write_mask = scene_below(s, 2) ? 15 : 0 };
   st->blend = (struct SGPU_BLEND){
      .logic_op_enable = !scene_below(s, 10),
      .logic_op = scene_below(s, 16),
   };
   st->rast.offset_tri = !scene_below(s, 8);
   st->rast.offset_units = 2.0f;
   st->rast.poly_stipple = !scene_below(s, 10);
   st->rast.scissor = !scene_below(s, 4);
   st->scissor[0].x0 = scene_below(s, 70);
   st->scissor[0].y0 = scene_below(s, 50);
   st->scissor[0].x1 = 80 + scene_below(s, SCENE_W - 80);
   st->scissor[0].y1 = 60 + scene_below(s, SCENE_H - 60);
}

/* Returns the hash of a picture with or without metadata. */
static uint64_t
picture(struct sgpu_device *dev, uint64_t seed, bool metadata, bool loops)
{
   static struct scene s;
   struct SGPU_SHADER programs[PROGRAMS] = { 0 };
   const char *lost;

   scene_metadata = metadata;
   scene_begin(&s, dev);
   s.random = seed * 0x9e3779b97f4a7c15ull + 1;
   make_programs(&s, programs);
   for (unsigned i = 0; i < 32; i++)
      s.st.stipple.row[i] = scene_random(&s);
   s.st.zs = scene_target(&s, zs_formats[seed % 5], SCENE_W, SCENE_H);
   s.st.color[0] = scene_target(&s, color_formats[scene_below(&s, 4)], SCENE_W, SCENE_H);
   if (seed & 1) {
      s.st.color[1] = scene_target(&s, SGPU_FORMAT_R8G8B8A8_UNORM, SCENE_W, SCENE_H);
      s.st.num_colors = 2;
   }
   const uint32_t first = large(&s, 60);

   clear(&s);
   for (unsigned i = 0; i < DRAWS; i++) {
      if (!scene_below(&s, loops ? 2 : 5))
         clear(&s);
      random_state(&s, programs, loops);
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, first + 3 * scene_below(&s, 50),
                 3 + 3 * scene_below(&s, 8));
      if (loops)
         scene_submit(&s);
   }
   const uint64_t hash = scene_end_lossy(&s, NULL, &lost);
   if (lost && !loops)
      fail_msg("the device refuses: %s", lost);
   return hash;
}

/* Compares pictures with and without metadata on each host level, with the default policy. */
static void
compare(const struct sgpu_device_params *wanted, unsigned seeds, bool loops)
{
   for (enum sgpu_host_level host = SGPU_HOST_BASELINE; host < SGPU_HOST_BEST; host++) {
      struct sgpu_device_params params = *wanted;
      uint64_t first = 0, different = 0;

      params.host = host;
      struct sgpu_device *dev = scene_device_of(&params);
      if (host != SGPU_HOST_BASELINE &&
          sgpu_device_get_param(dev, SGPU_PARAM_HOST_LEVEL) != (uint64_t)host) {
         sgpu_device_destroy(dev);
         continue;
      }
      for (uint64_t seed = 0; seed < seeds; seed++) {
         const uint64_t want = picture(dev, seed, false, loops);
         if (picture(dev, seed, true, loops) != want)
            fail_msg("level %u, seed %u: different picture", host, (unsigned)seed);
         first = seed ? first : want;
         different |= want ^ first;
      }
      sgpu_device_destroy(dev);
      assert_true(different != 0);
   }
}

static void
pictures(void **state)
{
   static const enum sgpu_dispatch_policy policies[] = { SGPU_DISPATCH_OOO_SPLIT,
                                                         SGPU_DISPATCH_OOO_SPLIT_BREAK };

   for (unsigned i = 0; i < 2; i++) {
      const struct sgpu_device_params params = { .threads = 1 + i, .dispatch = policies[i] };
      compare(&params, SEEDS, false);
   }
}

/* One thread only, since the limit for programs after the first stop depends on the order of tiles.
 */
static void
stopped(void **state)
{
   const struct sgpu_device_params params = {
      .threads = 1,
      .dispatch = SGPU_DISPATCH_OOO_SPLIT,
      .watchdog_instructions = 2000,
   };
   compare(&params, SEEDS > 8 ? SEEDS / 4 : 2, true);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pictures),
      cmocka_unit_test(stopped),
   };
   return cmocka_run_group_tests_name("whole blocks", tests, NULL, NULL);
}
