/* SPDX-License-Identifier: MIT */
/*
 * Zcull of targets with samples (pixel/raster/sgd_raster_samples.c). Pictures of two sets of large
 * triangles, of which one hides much of the other, must have the same elements in all sample planes
 * on devices with zcull, without it, and without any fast path, at every host level. The first
 * device must reject blocks wherever the state allows it.
 */
#include "../../unit.h"
#include "scene.h"
#include "sgpu_paths.h"

#define ROUNDS 3
/* v4 has the paths of v3. */
#define LAST SGPU_HOST_V3

/* How the second set is drawn. */
enum kind {
   PLAIN,
   CLAMP,     /* both sets are clamped to the viewport's range of depths */
   OFFSET,    /* depth offset */
   BOUNDS,    /* depth bounds test */
   LATE,      /* the program drops fragments, so that tests come after it */
   EARLY,     /* the program asks for early tests */
   READS,     /* depth is tested, but not written */
   LOCATIONS, /* programmable sample locations */
   KINDS,
};
static const char *const kind_names[KINDS] = { "plain", "clamp", "offset", "bounds",
                                               "late",  "early", "reads",  "locations" };

static const enum sgpu_compare funcs[] = {
   SGPU_COMPARE_LESS,   SGPU_COMPARE_LEQUAL,  SGPU_COMPARE_EQUAL,
   SGPU_COMPARE_GEQUAL, SGPU_COMPARE_GREATER, SGPU_COMPARE_ALWAYS,
};
static const enum sgpu_format formats[] = {
   SGPU_FORMAT_Z24_UNORM_S8_UINT, SGPU_FORMAT_Z32_FLOAT,         SGPU_FORMAT_Z16_UNORM,
   SGPU_FORMAT_Z32_UNORM,         SGPU_FORMAT_S8_UINT_Z24_UNORM, SGPU_FORMAT_Z32_FLOAT_S8X24_UINT,
};

struct variant {
   unsigned samples;
   enum kind kind;
   enum sgpu_compare func;
   uint64_t seed;
};

static bool
goes_up(enum sgpu_compare func)
{
   return func == SGPU_COMPARE_GREATER || func == SGPU_COMPARE_GEQUAL;
}

/* Adds n triangles that are larger than most of the target, with depths from `near` to `far` at their
 * corners. Some are flat, others so steep that the samples of a pixel differ.
 */
static uint32_t
large(struct scene *s, unsigned n, float near, float far)
{
   const uint32_t first = s->num_vertices;

   for (unsigned i = 0; i < n; i++) {
      const bool flat = scene_below(s, 3) == 0;
      const float x = (float)((int)scene_below(s, 60) - 30);
      const float y = (float)((int)scene_below(s, 60) - 30);
      const float z = scene_float(s, near, far);
      const float size = (float)(60 + (int)scene_below(s, 200));
      scene_vertex(s, x, y, z, 1.0f);
      scene_vertex(s, x + size, y + 7.0f, flat ? z : scene_float(s, near, far), 1.0f);
      scene_vertex(s, x + 11.0f, y + size, flat ? z : scene_float(s, near, far), 1.0f);
   }
   return first;
}

static void
clear(struct scene *s, bool up, bool whole)
{
   SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
      cfg.depth = cfg.stencil = true;
      cfg.surface = scene_surface(&s->st.zs, 0, 0, 1);
      cfg.surface.fast_clear &= whole;
      cfg.depth_value = up ? 0.0 : 1.0;
      cfg.stencil_value = 5;
      cfg.rect = (struct SGPU_RECT){ .x0 = whole ? 0 : 37, .x1 = SCENE_W, .y1 = SCENE_H };
   }
}

/* Sets the state of the second set. */
static void
set_kind(struct scene *s, const struct variant *v, const struct SGPU_SHADER programs[KINDS])
{
   struct scene_state *st = &s->st;
   const bool up = goes_up(v->func);

   st->dsa.depth_func = v->func;
   st->dsa.depth_write = v->kind != READS;
   st->dsa.bounds_test = v->kind == BOUNDS;
   /* The first set is outside the first of these ranges. */
   st->depth_bounds = (struct SGPU_DEPTH_BOUNDS){ SGPU_DEPTH_BOUNDS_header, .min = 0.45,
                                                  .max = 0.55 };
   if (scene_below(s, 2)) {
      st->depth_bounds.min = up ? 0.625 : scene_float(s, 0.1875f, 0.375f);
      st->depth_bounds.max = up ? scene_float(s, 0.625f, 0.8125f) : 0.375;
   }
   st->ps = programs[v->kind];
   st->rast.offset_tri = v->kind == OFFSET;
   st->rast.offset_scale = scene_float(s, -2.0f, 2.0f);
   st->rast.offset_units = scene_float(s, -64.0f, 64.0f);
}

static void
reset_kind(struct scene *s, const struct SGPU_SHADER *plain)
{
   s->st.dsa.bounds_test = false;
   s->st.dsa.depth_write = true;
   s->st.dsa.depth_func = SGPU_COMPARE_ALWAYS;
   s->st.rast.offset_tri = false;
   s->st.ps = *plain;
}

/* Returns the hash of a picture. */
static uint64_t
picture(struct sgpu_device *dev, const struct variant *v, bool metadata)
{
   static const float background[4] = { 0.125f, 0.25f, 0.5f, 0.75f };
   static struct scene s;
   struct SGPU_SHADER programs[KINDS];
   const bool up = goes_up(v->func);

   scene_metadata = metadata;
   scene_begin(&s, dev);
   s.random = (v->seed + 1) * 0x9e3779b97f4a7c15ull;
   s.constants[0][0] = 0.5f;
   for (unsigned k = 0; k < KINDS; k++)
      programs[k] = s.st.ps;
   programs[LATE] = scene_program(
      &s, "!!SGFP1.0\nFSETP.LT P0.x, v[1].x, c[0].x; (P0.x) KIL; MOV o[COLR0], v[0];\nEND\n");
   programs[EARLY] = scene_program(
      &s, "!!SGFP1.0\nFSETP.LT P0.x, v[1].x, c[0].x; (P0.x) KIL; MOV o[DEPR].x, v[1].y;\n"
          "MOV o[COLR0], v[0];\nEND\n");
   programs[EARLY].early_tests = true;
   s.st.color[0] = scene_sampled(&s, SGPU_FORMAT_R8G8B8A8_UNORM, v->samples, 1);
   s.st.zs = scene_sampled(&s, formats[(v->seed / 6 + v->func) % 6], v->samples, 1);
   s.st.rast.multisample = true;
   s.st.dsa.depth_test = true;
   if (v->kind == CLAMP) {
      s.st.rast.depth_clamp = true;
      s.st.rast.depth_clip_near = s.st.rast.depth_clip_far = false;
      s.st.viewport[0].scale_z = 0.3125f; /* depths from 0.1875 to 0.8125 */
   }
   if (v->kind == LOCATIONS) {
      for (unsigned w = 0; w < 4; w++)
         s.st.coverage.location[w] = scene_random(&s);
      s.st.coverage.locations = true;
   }
   scene_clear(&s, background, up ? 0.0 : 1.0, 1);

   for (unsigned i = 0; i < ROUNDS; i++) {
      uint32_t hides = up ? large(&s, 5, 0.625f, 0.8125f) : large(&s, 5, 0.1875f, 0.375f);
      uint32_t hidden = up ? large(&s, 6, 0.0f, 0.75f) : large(&s, 6, 0.25f, 1.0f);
      if (v->kind == CLAMP) {
         hides = up ? large(&s, 5, -0.25f, 0.375f) : large(&s, 5, 0.625f, 1.25f);
         hidden = up ? large(&s, 6, -1.0f, 0.3125f) : large(&s, 6, 0.6875f, 2.0f);
      }
      reset_kind(&s, &programs[PLAIN]);
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, hides, 15);
      set_kind(&s, v, programs);
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, hidden, 18);
      /* The same planes again, whose depths are equal to the stored ones. */
      scene_draw(&s, SGPU_PRIMITIVE_TRIANGLES, hides, 15);
      if (i + 1 < ROUNDS)
         clear(&s, up, i == 0);
   }
   return scene_end(&s, NULL);
}

static struct sgpu_device *
device(enum sgpu_host_level host, uint32_t no_paths)
{
   struct sgpu_device_params params;
   assert_true(sgpu_device_params_from_env(&params));
   params.threads = 2;
   params.dispatch = SGPU_DISPATCH_OOO_SPLIT;
   params.host = host;
   params.no_paths = no_paths;
   return scene_device_of(&params);
}

/* Compares the pictures of a variant. Returns the number of rejected blocks. */
static uint64_t
compare(struct sgpu_device *culls, struct sgpu_device *reference, struct sgpu_device *without,
        const struct variant *v, uint64_t *want)
{
   const uint64_t before = scene_counter(culls, "zcull_blocks");

   *want = picture(reference, v, false);
   if (picture(culls, v, true) != *want || picture(without, v, true) != *want)
      fail_msg("%u samples, %s, comparison %u: different picture", v->samples, kind_names[v->kind],
               v->func);
   return scene_counter(culls, "zcull_blocks") - before;
}

static void
test_host(enum sgpu_host_level host)
{
   const uint32_t all = (uint32_t)((UINT64_C(1) << SGPU_PATHS) - 1);
   struct sgpu_device *culls = device(host, 0);
   struct sgpu_device *reference = device(host, all);
   struct sgpu_device *without = device(host, 1u << SGPU_PATH_ZCULL);
   uint64_t first = 0, different = 0, seed = 0;

   for (unsigned log2 = 1; log2 <= 4; log2++) {
      for (enum kind kind = 0; kind < KINDS; kind++) {
         for (unsigned f = 0; f < sizeof(funcs) / sizeof(funcs[0]); f++) {
            const struct variant v = { 1u << log2, kind, funcs[f], seed++ };
            uint64_t want;
            if (v.seed % TEST_ROUNDS_DIVISOR)
               continue;
            const uint64_t blocks = compare(culls, reference, without, &v, &want);
            const bool rejects = v.func != SGPU_COMPARE_ALWAYS || kind == BOUNDS;
            first = first ? first : want;
            different |= want ^ first;
            if (rejects != (blocks > 0))
               fail_msg("%u samples, %s, comparison %u: %u blocks are rejected", v.samples,
                        kind_names[kind], v.func, (unsigned)blocks);
         }
      }
   }
   assert_true(different != 0);
   assert_int_equal(scene_counter(reference, "zcull_blocks"), 0);
   assert_int_equal(scene_counter(without, "zcull_blocks"), 0);
   sgpu_device_destroy(reference);
   sgpu_device_destroy(without);
   sgpu_device_destroy(culls);
}

static void
test_zcull(void **state)
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
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_zcull) };
   return cmocka_run_group_tests_name("zcull of samples", tests, NULL, NULL);
}
