/* SPDX-License-Identifier: MIT */
/*
 * Loads of values that the previous stage has left: vertices of primitives, patches. Lanes that do
 * not run have no primitive. Their records have addresses out of range, and they read zeros.
 */
#include "../../unit.h"
#include "machine.h"

#define WANT 0x12345678u

/* Runs `load` and copies its result to o[0]. Only lane 0 has valid records; it must load `want`. */
static void
check(enum sgpu_stage stage, struct sgpu_instr load, uint32_t want)
{
   struct test_worker *tw = test_worker_create();
   struct warp *warp = calloc(1, sizeof(*warp));
   struct sgd_stage_io *io = calloc(1, sizeof(*io));
   uint32_t *vertex = malloc(16);
   struct sgd_patch *patch = calloc(1, sizeof(*patch));
   struct level levels[MAX_LEVELS];
   static struct code code;
   const char *error;

   for (unsigned c = 0; c < 4; c++)
      vertex[c] = patch->output[0][c] = WANT + c;
   memset(io->vertex, 0xff, sizeof(io->vertex));
   memset(io->patch, 0xff, sizeof(io->patch));
   memset(io->first_lane, 0xff, sizeof(io->first_lane));
   io->vertex[0][0] = 0;
   io->patch[0] = io->first_lane[0] = 0;
   io->vertices = (const uint8_t *)vertex;
   io->stride = 16;
   io->num_inputs = io->num_vertices = io->output_vertices = 1;
   io->patches = patch;

   code_init(&code, stage);
   struct sgpu_instr write = op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 0), src(SGPU_FILE_INPUT, 0));
   write.src[0] = src(SGPU_FILE_TEMP, 1);
   code_add(&code, write);
   code_add(&code, load);
   code_add(&code, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 0), src(SGPU_FILE_TEMP, 0)));
   struct sgd_shader *shader = code_load(&code, &error);
   if (!shader)
      fail_msg("refused: %s", error);

   const unsigned num = test_levels(levels);
   for (unsigned v = 0; v < num; v++) {
      warp->active = warp->live = 1;
      test_worker_begin(tw, 0)->stage_io = io;
      test_run(tw, &levels[v], shader, warp);
      assert_true(warp->ok);
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(warp->out[0].c[c][0], want ? want + c : 0);
   }
   sgd_shader_destroy(shader);
   free(patch);
   free(vertex);
   free(io);
   free(warp);
   test_worker_destroy(tw);
}

static void
idle_lanes(void **state)
{
   static const enum sgpu_stage patches[] = { SGPU_STAGE_TESS_CTRL, SGPU_STAGE_TESS_EVAL };

   check(SGPU_STAGE_GEOMETRY, op_dst(SGPU_OP_LDV, dst(SGPU_FILE_TEMP, 0)), WANT);
   check(SGPU_STAGE_TESS_CTRL, op_dst(SGPU_OP_LDV, dst(SGPU_FILE_TEMP, 0)), WANT);
   check(SGPU_STAGE_TESS_CTRL, op_dst(SGPU_OP_LDO, dst(SGPU_FILE_TEMP, 0)), 0);
   for (unsigned i = 0; i < 2; i++)
      check(patches[i], op_dst(SGPU_OP_LDP, dst(SGPU_FILE_TEMP, 0)), WANT);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(idle_lanes) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
