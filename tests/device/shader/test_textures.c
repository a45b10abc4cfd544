/* SPDX-License-Identifier: MIT */
/*
 * Tests of texture operations in programs: every host level and machine code have the results of
 * level v2, which has no fast paths. Programs read textures with and without fast paths, for warps
 * along the axes of the screen and others. They have guards, write masks, swizzled sources and
 * destinations that replace a coordinate. Machine code that looks up texels itself has the same
 * results, in arithmetic, branches and loops too.
 */
#include <stdlib.h>
#include <string.h>

#include "../../unit.h"
#include "../../rounds.h"
#include "../texture/texture.h"
#include "common/sgd_lanes.h"
#include "common/sgd_state.h"
#include "machine.h"
#include "shader/program/sgd_decode.h"
#include "shader/program/sgd_translation.h"
#include "shader/translate/sgd_translate.h"
#include "util/macros.h"

#define TEXTURES 10
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
      { SGPU_CHANNEL_Z, SGPU_CHANNEL_Y, SGPU_CHANNEL_1, SGPU_CHANNEL_W },
      { SGPU_CHANNEL_X, SGPU_CHANNEL_0, SGPU_CHANNEL_0, SGPU_CHANNEL_1 },
      { SGPU_CHANNEL_W, SGPU_CHANNEL_Y, SGPU_CHANNEL_Z, SGPU_CHANNEL_X },
      { SGPU_CHANNEL_X, SGPU_CHANNEL_Y, SGPU_CHANNEL_0, SGPU_CHANNEL_1 },
      { SGPU_CHANNEL_X, SGPU_CHANNEL_Y, SGPU_CHANNEL_Z, SGPU_CHANNEL_1 },
   };
   static const enum sgpu_format formats[TEXTURES - 1] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,     SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_R8G8B8A8_UNORM,
      SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_FORMAT_R8G8B8A8_UNORM, SGPU_FORMAT_R32_FLOAT,
      SGPU_FORMAT_R32G32B32A32_FLOAT, SGPU_FORMAT_R32G32_UINT,    SGPU_FORMAT_R8G8B8X8_UNORM,
   };
   /* Some sizes are powers of two, which TG4 needs. */
   static const unsigned sizes[TEXTURES - 1][2] = {
      { 40, 24 }, { 40, 24 }, { 40, 24 }, { 40, 24 }, { 64, 32 },
      { 40, 24 }, { 40, 24 }, { 40, 24 }, { 128, 1 },
   };
   uint64_t rng = 5;
   for (unsigned n = 0; n < TEXTURES - 1; n++) {
      struct tex_params p = tex_params(SGPU_TEXTURE_TYPE_2D, formats[n], sizes[n][0], sizes[n][1]);
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

static struct sgd_shader *
load(const struct code *code)
{
   const char *error;
   struct sgd_shader *shader = code_load(code, &error);
   if (!shader)
      fail_msg("refused: %s", error);
   return shader;
}

/* Makes a program that reads textures at random coordinates in its registers, among them results of
 * earlier operations. All registers are outputs.
 */
static struct sgd_shader *
random_program(struct rng *r)
{
   struct code code;
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
   return load(&code);
}

/* Runs a program, and compares the registers of lanes that were not killed with those of `want`. */
static void
run_and_compare(struct test_worker *tw, const struct level *level, const struct sgd_shader *shader,
                struct warp *warp, const struct warp *want, unsigned program, const char *what)
{
   test_run(tw, level, shader, warp);
   assert_true(warp->ok);
   if (!want)
      return;
   assert_int_equal(warp->live_out, want->live_out);
   for (unsigned t = 0; t < TEMPS; t++) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned c = 0; c < 4 && want->live_out >> l & 1; c++)
            if (warp->out[t].c[c][l] != want->out[t].c[c][l])
               fail_msg("program %u, %s%s: o[%u].%c of lane %u is %08x, not %08x", program,
                        level->name, what, t, "xyzw"[c], l, warp -> out[t].c[c][l],
                        want->out[t].c[c][l]);
      }
   }
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
         run_and_compare(tw, &levels[n], shader, warp, n ? want : NULL, k, "");
         if (n == 0)
            *want = *warp;
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

/* -- lookups in machine code ----------------------------------------------------- */

/* Adds an instruction that computes a coordinate, or something from a texel. */
static void
add_random(struct rng *r, struct code *code)
{
   static const enum sgpu_opcode ops[] = { SGPU_OP_ADD, SGPU_OP_MUL, SGPU_OP_MAX, SGPU_OP_MIN };
   const struct sgpu_dst to = dst_m(SGPU_FILE_TEMP, rng_below(r, TEMPS), 1 + rng_below(r, 15));
   const struct sgpu_src a = src(SGPU_FILE_TEMP, rng_below(r, TEMPS));
   struct sgpu_src b = rng_chance(r, 50) ? src(SGPU_FILE_CONST, 0)
                                         : src(SGPU_FILE_TEMP, rng_below(r, TEMPS));
   b.neg = rng_chance(r, 20);
   struct sgpu_instr i = op2(ops[rng_below(r, ARRAY_SIZE(ops))], to, a, b);
   i.sat = rng_chance(r, 20);
   code_add(code, rng_chance(r, 15) ? guarded(i, 0, rng_below(r, 4), rng_chance(r, 50)) : i);
}

/* Adds a TXF, mostly of level 0. */
static void
add_fetch(struct rng *r, struct code *code, struct sgpu_instr i)
{
   code_add(code, op2(SGPU_OP_MUL, dst(SGPU_FILE_TEMP, TEMPS + 1), i.src[0],
                      src_x(SGPU_FILE_CONST, 1, 0)));
   code_add(code, op1(SGPU_OP_F2I, dst(SGPU_FILE_TEMP, TEMPS + 1), src(SGPU_FILE_TEMP, TEMPS + 1)));
   i.opcode = SGPU_OP_TXF;
   i.src[0] = src(SGPU_FILE_TEMP, TEMPS + 1);
   i.src[1] = src_x(SGPU_FILE_CONST, 1, rng_chance(r, 90) ? 1 : 2);
   i.sampler = 0;
   code_add(code, i);
}

static void
add_lookups(struct rng *r, struct code *code, unsigned count)
{
   for (unsigned n = 0; n < count; n++) {
      struct sgpu_instr i = random_texture(r);
      const unsigned kind = rng_below(r, 4);
      if (rng_chance(r, 70))
         i.guard = (struct sgpu_guard){ 0 }, i.src[0].neg = false;
      for (unsigned a = 0; a < 2 && kind && rng_chance(r, 50); a++)
         i.off[a] = (int8_t)(rng_below(r, 16) - 8);
      if (kind == 1) {
         i.opcode = SGPU_OP_TG4;
         i.gcomp = rng_below(r, 4);
         i.unit = rng_chance(r, 50) ? 4 : i.unit;
      }
      if (kind == 2)
         add_fetch(r, code, i);
      else
         code_add(code, i);
      add_random(r, code);
   }
}

/* Makes a program with lookups on straight paths, in branches, after killed lanes and in loops, or of
 * nothing else.
 */
static struct sgd_shader *
lookup_program(struct rng *r, unsigned kind)
{
   struct code code;
   code_init(&code, SGPU_STAGE_PIXEL);
   if (kind == 4) {
      for (unsigned t = 0; t < TEMPS; t++) {
         struct sgpu_instr i = op1(SGPU_OP_TEX, dst(SGPU_FILE_OUTPUT, t),
                                   src(SGPU_FILE_INPUT, t % 2));
         i.unit = rng_below(r, TEXTURES);
         i.sampler = rng_below(r, SAMPLERS);
         i.tex_target = SGPU_TEX_TARGET_2D;
         code_add(&code, i);
      }
      return load(&code);
   }
   code.num_literals = 2;
   code.literals[1][0] = sgpu_f2bits(30.0f);
   code.literals[1][2] = 1;
   for (unsigned c = 0; c < 4; c++)
      code.literals[0][c] = sgpu_f2bits((float)(int)(rng_below(r, 9) - 4) / 4.0f);
   struct sgpu_instr flag = op2(SGPU_OP_ISETP, dst(SGPU_FILE_PRED, 0), src(SGPU_FILE_INPUT, 2),
                                src(SGPU_FILE_INPUT, 3));
   flag.cond = SGPU_COND_NE;
   code_add(&code, flag);
   for (unsigned t = 0; t < TEMPS; t++)
      code_add(&code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, t), src(SGPU_FILE_INPUT, t % 2)));
   add_lookups(r, &code, rng_below(r, 4));
   if (kind == 1) {
      const uint32_t ssy = code_add(&code, branch(SGPU_OP_SSY, 0));
      const uint32_t bra = code_add(&code, guarded(branch(SGPU_OP_BRA, 0), 0, 0, true));
      add_lookups(r, &code, 1 + rng_below(r, 3));
      code_add(&code, op0(SGPU_OP_SYNC));
      code.instr[bra].target = code.count;
      add_lookups(r, &code, rng_below(r, 3));
      code_add(&code, op0(SGPU_OP_SYNC));
      code.instr[ssy].target = code.count;
   } else if (kind == 2) {
      code_add(&code, guarded(op0(SGPU_OP_KIL), 0, 0, false));
   } else if (kind == 3) {
      /* Lanes leave the loop where the second predicate becomes true: at once, or later. */
      const uint32_t pbk = code_add(&code, branch(SGPU_OP_PBK, 0)), top = code.count;
      add_lookups(r, &code, 1 + rng_below(r, 3));
      struct sgpu_instr more = op2(SGPU_OP_ADD, dst_m(SGPU_FILE_TEMP, TEMPS, 1),
                                   src_x(SGPU_FILE_TEMP, TEMPS, 0), src_x(SGPU_FILE_INPUT, 4, 0));
      code_add(&code, more);
      struct sgpu_instr leave = op2(SGPU_OP_FSETP, dst_m(SGPU_FILE_PRED, 1, 1),
                                    src_x(SGPU_FILE_TEMP, TEMPS, 0), src_x(SGPU_FILE_INPUT, 4, 1));
      leave.cond = SGPU_COND_GE;
      code_add(&code, leave);
      code_add(&code, guarded(op0(SGPU_OP_BRK), 1, 0, false));
      code_add(&code, branch(SGPU_OP_BRA, top));
      code.instr[pbk].target = code.count;
   }
   add_lookups(r, &code, 1 + rng_below(r, 3));
   for (unsigned t = 0; t < TEMPS; t++)
      code_add(&code, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, t), src(SGPU_FILE_TEMP, t)));
   return load(&code);
}

/* Finds the forms of the program's lookups that machine code can do with these textures. Returns the
 * mask of them.
 */
static uint32_t
possible_lookups(const struct resources *r, const struct sgd_shader *shader,
                 struct sgd_lookup_forms *forms, unsigned kinds[3])
{
   const struct sgd_decoded *decoded = (const struct sgd_decoded *)shader->code;
   uint32_t mask = 0;

   *forms = (struct sgd_lookup_forms){ 0 };
   for (unsigned n = 0; n < decoded->num_lookups; n++) {
      const struct sgd_lookup_use *use = &decoded->lookup[n];
      struct sgd_lookup lookup;
      forms->form[n] = sgd_texture_lookup(r->textures[use->unit], &r->samplers[use->sampler],
                                          use->kind, &lookup);
      mask |= forms->form[n] ? 1u << n : 0;
      kinds[use->kind] += forms->form[n] != 0;
   }
   return mask;
}

static void
set_special(struct rng *rng, struct sgd_vec *in)
{
   static const uint32_t special[] = {
      0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x80000000, 0x00000001, 0x807fffff,
      0x4f000000, 0xcf000000, 0x7f7fffff, 0x3f7fffff, 0x3f800000, 0xbf800000, 0xb3000000,
   };
   for (unsigned l = 0; l < SGD_WARP; l++)
      for (unsigned c = 0; c < 2; c++)
         if (rng_chance(rng, 40))
            in->c[c][l] = special[rng_below(rng, ARRAY_SIZE(special))];
}

static void
test_lookups(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct resources *r = calloc(1, sizeof(*r));
   struct warp *warp = calloc(1, sizeof(*warp)), *want = calloc(1, sizeof(*want));
   struct level levels[MAX_LEVELS];
   const unsigned num = test_levels(levels);
   struct rng rng = { 22 };
   unsigned used = 0, refused = 0, kinds[3] = { 0 };

   create_resources(r);
   for (unsigned n = 0; n < TEXTURES - 1; n++)
      tex_gather(r->tex[n], true);
   /* The X channel of a format has no scale. */
   struct sgd_lookup lookup;
   assert_int_not_equal(sgd_texture_lookup(r->textures[TEXTURES - 2], &r->samplers[0],
                                           SGD_LOOKUP_FILTER, &lookup),
                        0);
   for (unsigned k = 0; k < TEST_ROUNDS(2000); k++) {
      struct sgd_shader *shader = lookup_program(&rng, k % 5);
      struct sgd_decoded *decoded = (struct sgd_decoded *)shader->code;
      struct sgd_lookup_forms forms;
      const uint32_t possible = possible_lookups(r, shader, &forms, kinds);
      /* Code for lookups that are not possible, or that have another form, is not used. */
      const uint32_t wrong = rng_chance(&rng, 10) && decoded->num_lookups
                                ? ~possible & ((1u << decoded->num_lookups) - 1)
                                : 0;
      const uint32_t mask = wrong                  ? wrong
                            : rng_chance(&rng, 20) ? possible & rng_u32(&rng)
                                                   : possible;
      const unsigned bit = rng_below(&rng, 3);
      for (unsigned l = 0; l < SGD_MAX_LOOKUPS; l++) {
         if (!(mask >> l & 1))
            forms.form[l] = 0;
         else if (wrong)
            forms.form[l] = SGD_FORM_POSSIBLE | bit << 1;
      }
      for (unsigned n = 0; n < 2; n++) {
         const double step = (1 + rng_below(&rng, 8)) / 4.0;
         set_coordinates(&warp->in[n], rng_below(&rng, 60) - 10.5, rng_below(&rng, 40) - 8.5, step,
                         rng_chance(&rng, 50));
         if (rng_chance(&rng, 30))
            set_special(&rng, &warp->in[n]);
      }
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned c = 0; c < 4; c++) {
            warp->in[2].c[c][l] = k % 3 ? rng_chance(&rng, 50) : rng_chance(&rng, 3);
            warp->in[3].c[c][l] = 0;
         }
         tex_put(&warp->in[4], 0, l, 1);
         tex_put(&warp->in[4], 1, l, k % 2 ? 3 : rng_below(&rng, 5));
      }
      warp->active = warp->live = rng_chance(&rng, 75) ? ~0u : rng_u32(&rng) | 1;
      warp->env.textures = r->textures;
      warp->env.samplers = r->samplers;
      for (unsigned n = 0; n < num; n++) {
         run_and_compare(tw, &levels[n], shader, warp, n ? want : NULL, k, "");
         if (n == 0)
            *want = *warp;
         if (!levels[n].native || !mask)
            continue;
         const uint64_t issued = warp->issued, textures = warp->textures;
         if (!sgd_translate_lookups(shader, &forms, levels[n].avx512))
            continue;
         run_and_compare(tw, &levels[n], shader, warp, want, k, " with lookups");
         assert_int_equal(warp->issued, issued);
         assert_int_equal(warp->textures, textures);
         const struct sgd_translation *t = decoded->translation->with_lookups;
         const struct sgd_begun *begun = &warp->begun;
         if (mask & ~possible) {
            assert_true(t->program ? begun->program != t->program : begun->whole != t->regions);
            refused++;
         } else {
            assert_true(t->program ? begun->program == t->program : begun->whole == t->regions);
            used++;
         }
      }
      sgd_shader_destroy(shader);
   }
   if (num && levels[num - 1].native) {
      assert_true(used > TEST_ROUNDS(1000));
      assert_true(refused > TEST_ROUNDS(20));
      for (unsigned n = 0; n < 3; n++)
         assert_true(kinds[n] > TEST_ROUNDS(300));
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
      cmocka_unit_test(test_lookups),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
