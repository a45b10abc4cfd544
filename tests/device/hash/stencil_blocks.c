/* SPDX-License-Identifier: MIT */
/*
 * Blocks of 16x16 pixels with one stencil value (pixel/raster/sgd_stencil_block.c). Pictures of large
 * triangles with random stencil states must have the same elements on devices with the path, without
 * it, and without any path, at every host level, with and without metadata. Blocks must take the
 * path, and small triangles between them must not be lost.
 */
#include "../../unit.h"
#include "scene.h"
#include "sgpu_paths.h"

#define DRAWS 24
#define SEEDS TEST_ROUNDS(24)
/* v4 has the paths of v3. */
#define LAST SGPU_HOST_V3

static const enum sgpu_format formats[] = {
   SGPU_FORMAT_Z24_UNORM_S8_UINT, SGPU_FORMAT_S8_UINT_Z24_UNORM,
   SGPU_FORMAT_Z32_FLOAT_S8X24_UINT, /* has no such blocks */
};

/* Adds n triangles of `size` pixels. */
static uint32_t
triangles(struct scene *s, unsigned n, float size)
{
   const uint32_t first = s->num_vertices;

   for (unsigned i = 0; i < n; i++) {
      const float x = (float)((int)scene_below(s, SCENE_W) - 40);
      const float y = (float)((int)scene_below(s, SCENE_H) - 40);
      const bool front = scene_below(s, 2);
      scene_vertex(s, x, y, scene_float(s, 0.0f, 1.0f), 1.0f);
      scene_vertex(s, front ? x + size : x, front ? y : y + size, scene_float(s, 0.0f, 1.0f), 1.0f);
      scene_vertex(s, front ? x : x + size, front ? y + size : y, scene_float(s, 0.0f, 1.0f), 1.0f);
   }
   return first;
}

static struct SGPU_STENCIL_FACE
random_face(struct scene *s)
{
   return (struct SGPU_STENCIL_FACE){
      SGPU_STENCIL_FACE_header,
      .enable = true,
      .func = scene_below(s, 8),
      .fail = scene_below(s, 2) ? SGPU_STENCIL_OP_KEEP : scene_below(s, 8),
      .depth_fail = scene_below(s, 8),
      .pass = scene_below(s, 3) ? scene_below(s, 8) : SGPU_STENCIL_OP_KEEP,
      .read_mask = scene_below(s, 3) ? 0xff : scene_below(s, 256),
      .write_mask = scene_below(s, 3) ? 0xff : scene_below(s, 256),
   };
}

static void
clear(struct scene *s)
{
   const bool whole = scene_below(s, 3), stencil = scene_below(s, 4);

   SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
      cfg.depth = !stencil || scene_below(s, 2);
      cfg.stencil = stencil;
      cfg.surface = scene_surface(&s->st.zs, 0, 0, 1);
      cfg.surface.fast_clear &= scene_below(s, 4) != 0;
      cfg.depth_value = 0.75;
      cfg.stencil_value = scene_below(s, 2) ? scene_below(s, 256) : scene_below(s, 3);
      cfg.rect = (struct SGPU_RECT){ .x1 = SCENE_W, .y1 = SCENE_H };
      if (!whole)
         cfg.rect.x0 = scene_below(s, SCENE_W / 2);
   }
}

static void
random_state(struct scene *s, const struct SGPU_SHADER programs[4])
{
   struct scene_state *st = &s->st;
   const bool depth = scene_below(s, 4) == 0;

   st->dsa = (struct SGPU_DEPTH_STENCIL){
      SGPU_DEPTH_STENCIL_header,
      .depth_test = depth,
      .depth_write = depth && scene_below(s, 2),
      .depth_func = scene_below(s, 8),
      .bounds_test = scene_below(s, 12) == 0,
   };
   st->depth_bounds = (struct SGPU_DEPTH_BOUNDS){ SGPU_DEPTH_BOUNDS_header, .min = 0.25,
                                                  .max = 0.625 };
   st->dsa.front = random_face(s);
   st->dsa.back = random_face(s);
   st->dsa.back.enable = scene_below(s, 3) == 0;
   st->ref.front = scene_below(s, 2) ? scene_below(s, 3) : scene_below(s, 256);
   st->ref.back = scene_below(s, 256);
   st->ps = programs[scene_below(s, 3) ? 0 : scene_below(s, 4)];
   st->target[0].write_mask = scene_below(s, 4) ? 15 : 0;
   st->rast.poly_stipple = scene_below(s, 10) == 0;
   st->rast.scissor = scene_below(s, 4) == 0;
   st->scissor[0].x0 = scene_below(s, 70);
   st->scissor[0].y1 = 60 + scene_below(s, SCENE_H - 60);
   st->rast.front_ccw = scene_below(s, 2);
}

/* Returns the hash of a picture, which has the number of samples that passed. */
static uint64_t
picture(struct sgpu_device *dev, uint64_t seed, bool metadata)
{
   static struct scene s;

   scene_metadata = metadata;
   scene_begin(&s, dev);
   s.random = (seed + 1) * 0x9e3779b97f4a7c15ull;
   s.constants[0][0] = 0.5f;
   const struct SGPU_SHADER programs[4] = {
      s.st.ps,
      scene_program(
         &s, "!!SGFP1.0\nFSETP.LT P0.x, v[1].x, c[0].x; (P0.x) KIL; MOV o[COLR0], v[0];\nEND\n"),
      scene_program(&s, "!!SGFP1.0\nMUL R0.x, v[1].x, c[0].x; F2U o[STEN].x, R0.x;\n"
                        "MOV o[COLR0], v[0];\nEND\n"),
      { .stage = SGPU_STAGE_PIXEL },
   };
   struct sgpu_bo *bo = scene_bo(&s, 4096);
   scene_result(&s, bo);
   for (unsigned i = 0; i < 32; i++)
      s.st.stipple.row[i] = scene_random(&s);
   s.st.zs = scene_target(&s, formats[seed % 8 == 7 ? 2 : seed % 2], SCENE_W, SCENE_H);
   const uint32_t large = triangles(&s, 40, 260.0f), small = triangles(&s, 40, 13.0f);

   scene_begin_query(&s, SGPU_QUERY_TYPE_OCCLUSION_COUNTER, 0);
   for (unsigned i = 0; i < DRAWS; i++) {
      if (i == 0 || scene_below(&s, 5) == 0)
         clear(&s);
      random_state(&s, programs);
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, large + 3 * scene_below(&s, 30),
                 3 + 3 * scene_below(&s, 6));
      if (scene_below(&s, 3) == 0)
         scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, small + 3 * scene_below(&s, 30),
                    3 + 3 * scene_below(&s, 6));
      /* Both kinds of triangles in one list of a tile. */
      if (scene_below(&s, 3) == 0)
         scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, small - 9, 18);
   }
   scene_end_query(&s, SGPU_QUERY_TYPE_OCCLUSION_COUNTER, 0, sgpu_bo_address(bo));
   return scene_end(&s, NULL);
}

static struct sgpu_device *
device(enum sgpu_host_level host, uint32_t no_paths)
{
   struct sgpu_device_params params;
   assert_true(sgpu_device_params_from_env(&params));
   params.threads = 2;
   params.dispatch = SGPU_DISPATCH_OOO_SPLIT_BREAK;
   params.host = host;
   params.no_paths = no_paths;
   return scene_device_of(&params);
}

static void
test_host(enum sgpu_host_level host)
{
   const uint32_t all = (uint32_t)((UINT64_C(1) << SGPU_PATHS) - 1);
   struct sgpu_device *dev = device(host, 0);
   struct sgpu_device *reference = device(host, all);
   struct sgpu_device *without = device(host, 1u << SGPU_PATH_STENCIL);
   uint64_t first = 0, different = 0;

   for (uint64_t seed = 0; seed < SEEDS; seed++) {
      const uint64_t before = scene_counter(dev, "stencil_blocks");
      const uint64_t want = picture(reference, seed, false);
      if (picture(without, seed, true) != want)
         fail_msg("level %u, seed %u: different picture without the path", host, (unsigned)seed);
      for (unsigned metadata = 0; metadata < 2; metadata++) {
         if (picture(dev, seed, metadata) != want)
            fail_msg("level %u, seed %u: different picture", host, (unsigned)seed);
      }
      const bool takes = scene_counter(dev, "stencil_blocks") != before;
      assert_int_equal(takes, seed % 8 != 7);
      first = seed ? first : want;
      different |= want ^ first;
   }
   assert_true(different != 0 || SEEDS == 1);
   assert_int_equal(scene_counter(reference, "stencil_blocks"), 0);
   assert_int_equal(scene_counter(without, "stencil_blocks"), 0);
   sgpu_device_destroy(dev);
   sgpu_device_destroy(reference);
   sgpu_device_destroy(without);
}

static void
test_blocks(void **state)
{
   for (enum sgpu_host_level host = SGPU_HOST_BASELINE; host <= LAST; host++) {
      struct sgpu_device *dev = device(host, 0);
      const bool has = host == SGPU_HOST_BASELINE ||
                       sgpu_device_get_param(dev, SGPU_PARAM_HOST_LEVEL) == (uint64_t)host;
      sgpu_device_destroy(dev);
      if (has)
         test_host(host);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_blocks) };
   return cmocka_run_group_tests_name("stencil blocks", tests, NULL, NULL);
}
