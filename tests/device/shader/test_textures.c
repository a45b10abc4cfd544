/* SPDX-License-Identifier: MIT */
/*
 * Tests of texture operations in programs: every host level and machine code have the results of
 * level v2, which has no fast paths. Programs read textures with and without fast paths, for warps
 * along the axes of the screen and others. They have guards, write masks, swizzled sources and
 * destinations that replace a coordinate.
 */
#include <stdlib.h>
#include <string.h>

#include "../../unit.h"
#include "../../rounds.h"
#include "../texture/texture.h"
#include "common/sgd_lanes.h"
#include "common/sgd_state.h"
#include "machine.h"
#include "util/macros.h"

#define TEXTURES 5
#define SAMPLERS 4
#define OPERATIONS 6
#define TEMPS 4

struct resources {
   struct tex *tex[TEXTURES]; /* the last unit has no texture */
   const struct sgd_texture *textures[SGD_MAX_TEXTURES];
   struct sgd_sampler samplers[SGD_MAX_SAMPLERS];
};

static void
create_resources(struct resources *r)
{
   static const uint8_t swizzles[TEXTURES - 1][4] = {
      { SGPU_CHANNEL_X, SGPU_CHANNEL_Y, SGPU_CHANNEL_Z, SGPU_CHANNEL_W },
      { SGPU_CHANNEL_X, SGPU_CHANNEL_X, SGPU_CHANNEL_X, SGPU_CHANNEL_W },
      { SGPU_CHANNEL_W, SGPU_CHANNEL_Y, SGPU_CHANNEL_0, SGPU_CHANNEL_1 },
      { SGPU_CHANNEL_Z, SGPU_CHANNEL_Y, SGPU_CHANNEL_X, SGPU_CHANNEL_1 },
   };
   static const enum sgpu_format formats[TEXTURES - 1] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,
      SGPU_FORMAT_R8G8B8A8_UNORM,
      SGPU_FORMAT_R8G8B8A8_UNORM,
      SGPU_FORMAT_R16G16B16A16_FLOAT,
   };
   uint64_t rng = 5;
   for (unsigned n = 0; n < TEXTURES - 1; n++) {
      struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, formats[n], 40, 24);
      memcpy(p.swizzle, swizzles[n], sizeof(p.swizzle));
      r->tex[n] = tex_create(&p, &rng);
      r->textures[n] = &r->tex[n]->texture;
   }
   for (unsigned n = 0; n < SAMPLERS; n++) {
      r->samplers[n] = tex_sampler(n & 1 ? SGPU_WRAP_REPEAT : SGPU_WRAP_CLAMP_TO_EDGE,
                                   n & 2 ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST);
      sgd_sampler_prepare(&r->samplers[n]);
   }
}

/* Sets the coordinates of a warp to texels that are `step` apart, from (x, y) on. */
static void
set_coordinates(struct sgd_vec *in, double x, double y, double step, bool straight)
{
   const double across = straight ? 0 : step / 5;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const double i = sgd_lane_x(l), j = sgd_lane_y(l);
      tex_put(in, 0, l, (x + i * step + j * across) / 40);
      tex_put(in, 1, l, (y + j * step - i * across) / 24);
   }
}

static struct sgpu_instr
random_texture(struct rng *r)
{
   const unsigned from = rng_below(r, TEMPS);
   struct sgpu_src coord = src(SGPU_FILE_TEMP, from);
   if (rng_chance(r, 20))
      coord.swizzle = src_x(SGPU_FILE_TEMP, from, 1).swizzle;
   coord.neg = rng_chance(r, 10);
   struct sgpu_instr i = op1(SGPU_OP_TEX,
                             dst_m(SGPU_FILE_TEMP, rng_below(r, TEMPS),
                                   rng_chance(r, 60) ? 15 : 1 + rng_below(r, 15)),
                             coord);
   i.unit = rng_below(r, TEXTURES);
   i.sampler = rng_below(r, SAMPLERS);
   i.tex_target = SGPU_TEX_TARGET_2D;
   return rng_chance(r, 25) ? guarded(i, 0, 0, rng_chance(r, 50)) : i;
}

/* Makes a program that reads textures at random coordinates in its registers, among them results of
 * earlier operations. All registers are outputs.
 */
static struct sgd_shader *
random_program(struct rng *r)
{
   struct code code;
   const char *error;
   code_init(&code, SGPU_STAGE_PIXEL);
   code.num_literals = 1;
   struct sgpu_instr flag = op2(SGPU_OP_ISETP, dst(SGPU_FILE_PRED, 0), src(SGPU_FILE_INPUT, 2),
                                src(SGPU_FILE_CONST, 0));
   flag.cond = SGPU_COND_NE;
   code_add(&code, flag);
   for (unsigned t = 0; t < TEMPS; t++)
      code_add(&code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, t), src(SGPU_FILE_INPUT, t % 2)));
   for (unsigned n = 0; n < OPERATIONS; n++)
      code_add(&code, random_texture(r));
   for (unsigned t = 0; t < TEMPS; t++)
      code_add(&code, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, t), src(SGPU_FILE_TEMP, t)));
   struct sgd_shader *shader = code_load(&code, &error);
   if (!shader)
      fail_msg("refused: %s", error);
   return shader;
}

static void
test_textures(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct resources *r = calloc(1, sizeof(*r));
   struct warp *warp = calloc(1, sizeof(*warp)), *want = calloc(1, sizeof(*want));
   struct level levels[MAX_LEVELS];
   const unsigned num = test_levels(levels);
   struct rng rng = { 21 };

   create_resources(r);
   for (unsigned k = 0; k < TEST_ROUNDS(2000); k++) {
      struct sgd_shader *shader = random_program(&rng);
      for (unsigned n = 0; n < 2; n++) {
         const double step = (1 + rng_below(&rng, 8)) / 4.0;
         set_coordinates(&warp->in[n], rng_below(&rng, 60) - 10.5, rng_below(&rng, 40) - 8.5, step,
                         rng_chance(&rng, 70));
      }
      const uint32_t some = rng_u32(&rng);
      for (unsigned l = 0; l < SGD_WARP; l++)
         warp->in[2].c[0][l] = k % 4 ? some >> l & 1 : k % 8 == 0;
      warp->active = warp->live = rng_chance(&rng, 75) ? ~0u : rng_u32(&rng) | 1;
      warp->env.textures = r->textures;
      warp->env.samplers = r->samplers;
      for (unsigned n = 0; n < num; n++) {
         test_run(tw, &levels[n], shader, warp);
         assert_true(warp->ok);
         if (n == 0)
            *want = *warp;
         for (unsigned t = 0; t < TEMPS; t++) {
            for (unsigned l = 0; l < SGD_WARP; l++) {
               for (unsigned c = 0; c < 4 && warp->active >> l & 1; c++)
                  if (warp->out[t].c[c][l] != want->out[t].c[c][l])
                     fail_msg("program %u, %s: o[%u].%c of lane %u is %08x, not %08x", k,
                              levels[n].name, t, "xyzw"[c], l, warp -> out[t].c[c][l],
                              want->out[t].c[c][l]);
            }
         }
      }
      sgd_shader_destroy(shader);
   }
   for (unsigned n = 0; n < TEXTURES - 1; n++)
      tex_destroy(r->tex[n]);
   free(r);
   free(warp);
   free(want);
   test_worker_destroy(tw);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_textures),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
