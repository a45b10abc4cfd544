/* SPDX-License-Identifier: MIT */
/*
 * Tests the issue of the multiprocessor: times that can be computed by hand, and published peak
 * rates.
 */
#include "run.h"
#include "asm_work.h"
#include "config/sgt_config.h"

/* n dependent operations of a warp take n latencies. */
static void
chain_takes_latencies(void **state)
{
   const struct {
      enum sgt_pipe pipe;
      uint32_t opcode, latency;
   } kinds[] = {
      { SGT_PIPE_ALU, SGPU_OP_MAD, 12 },
      { SGT_PIPE_SFU, SGPU_OP_RCP, 14 },
   };
   for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++) {
      struct run run;
      struct program_builder b;
      begin(&run);
      program_begin(&b, SGPU_STAGE_VERTEX);
      program_chain(&b, 100, kinds[k].pipe, kinds[k].opcode, 0, 1);
      execute(&run, program_work(&b, 1, 0));
      assert_int_equal(run.result.num_issues, 100);
      for (uint32_t i = 1; i < 100; i++)
         assert_int_equal(run.result.issues[i].cycle - run.result.issues[i - 1].cycle,
                          kinds[k].latency);
      /* The end is reported when the last result is available, and the channel takes one cycle. */
      assert_int_equal(run.result.end - 1, run.result.issues[99].cycle + kinds[k].latency + 1);
      finish(&run);
   }
}

/* Instructions that consist of several operations.  An integer product has a latency of 96 SP
 * clocks, and that of a warp occupies the MAD units for 16, as on the GT200 (Wong).
 */
static void
vectors_are_scalars(void **state)
{
   const struct {
      const char *text;
      /* Of an instruction: number of operations; cycles from its first operation to that of the
       * next.
       */
      uint32_t ops, cycles;
   } programs[] = {
      { "!!SGVP1.0 MAD R0.x, R0.x, R0.x, R0.x; MAD R0.x, R0.x, R0.x, R0.x; END", 1, 12 },
      { "!!SGVP1.0 IMUL R0.x, R0.x, R0.x; IMUL R0.x, R0.x, R0.x; END", 4, 48 },
      { "!!SGVP1.0 DP4 R0.x, R0, R0; DP4 R0.x, R0, R0; END", 4, 48 },
      /* Four independent operations of 2 cycles each; the dependent operation waits for the first.
       */
      { "!!SGVP1.0 MAD R0, R0, R0, R0; MAD R0, R0, R0, R0; END", 4, 12 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
      struct run run;
      begin(&run);
      execute(&run, test_straight_work(programs[i].text, 1, UINT32_MAX));
      const uint32_t ops = programs[i].ops;
      assert_int_equal(run.result.stats.ops[SGT_SM_VERTEX], 2 * ops);
      assert_int_equal(run.result.issues[ops].cycle - run.result.issues[0].cycle,
                       programs[i].cycles);
      finish(&run);
   }

   /* With 24 warps of independent products, the MAD units are always busy. */
   char text[4096] = "!!SGVP1.0";
   struct run run;
   for (uint32_t i = 0; i < 64; i++)
      sprintf(text + strlen(text), " IMUL R%u.x, R70.x, R71.x;", i);
   strcat(text, " END");
   begin(&run);
   run.params.order = SGT_SM_ROUND_ROBIN; /* so that the warps end together */
   execute(&run, test_straight_work(text, 24, UINT32_MAX));
   assert_in_range(window(&run.result), (24 * 64 - 1) * 8, 24 * 64 * 8 * 101 / 100);
   finish(&run);
}

/* IPC is the minimum of the peak, one in 2 cycles, and warps / latency. */
static void
warps_hide_latency(void **state)
{
   const uint32_t n = 200, latency = 12;
   for (uint32_t warps = 1; warps <= 24; warps++) {
      struct run run;
      struct program_builder b;
      begin(&run);
      run.params.order = SGT_SM_ROUND_ROBIN;
      program_begin(&b, SGPU_STAGE_VERTEX);
      program_chain(&b, n, SGT_PIPE_ALU, SGPU_OP_MAD, 0, 1);
      execute(&run, program_work(&b, warps, 0));
      const uint64_t expected = MAX2(2 * warps, latency) * n;
      assert_in_range(window(&run.result), expected * 98 / 100, expected * 102 / 100);
      finish(&run);
   }
}

/* Independent operations of full warps keep their unit busy: 32 scalars take 4 SP clocks in the SPs
 * and the interpolators (each of 2 SFUs has 4 samples per clock), and 16 for special functions.
 */
static void
units_reach_their_peaks(void **state)
{
   const struct {
      enum sgt_pipe pipe;
      uint32_t opcode, cycles;
   } kinds[] = {
      { SGT_PIPE_ALU, SGPU_OP_MAD, 2 },
      { SGT_PIPE_SFU, SGPU_OP_RCP, 8 },
      { SGT_PIPE_INTERP, SGPU_OP_IPAC, 2 },
   };
   for (unsigned k = 0; k < ARRAY_SIZE(kinds); k++) {
      struct run run;
      struct program_builder b;
      begin(&run);
      program_begin(&b, SGPU_STAGE_PIXEL);
      program_stream(&b, 400, kinds[k].pipe, kinds[k].opcode);
      execute(&run, program_work(&b, 24, 0));
      const uint64_t expected = (24 * 400 - 1) * kinds[k].cycles;
      assert_in_range(window(&run.result), expected, expected * 101 / 100);
      finish(&run);
   }
}

/* Makes a work of two programs with `num` operations each.  Half of the warps execute each program.
 */
static struct sgt_work *
two_programs(uint32_t warps, uint32_t num, enum sgt_pipe pipe0, uint32_t opcode0,
             enum sgt_pipe pipe1, uint32_t opcode1)
{
   struct sgt_work_builder *w = sgt_work_builder_create();
   struct program_builder b;
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_stream(&b, num, pipe0, opcode0);
   const uint32_t first = sgt_work_builder_program(w, b.program);
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_stream(&b, num, pipe1, opcode1);
   const uint32_t second = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 0);
   for (uint32_t i = 0; i < warps; i++)
      sgt_work_builder_warp(w, i % 2 ? second : first, UINT32_MAX, i);
   return finish_work(w);
}

/* Multiply-adds together with products in the multipliers of the SFUs reach 36 Gflops at 1.5 GHz.
 */
static void
dual_issue_reaches_36_gflops(void **state)
{
   for (unsigned k = 0; k < 4; k++) {
      struct run run;
      begin(&run);
      run.params.order = k % 3;
      struct sgt_work *work;
      if (k < 3) {
         work = two_programs(24, 1000, SGT_PIPE_ALU, SGPU_OP_MAD, SGT_PIPE_ALU, SGPU_OP_MUL);
      } else {
         struct program_builder b;
         program_begin(&b, SGPU_STAGE_VERTEX);
         for (uint32_t i = 0; i < 1000; i++)
            program_op(&b, SGT_PIPE_ALU, i % 2 ? SGPU_OP_MUL : SGPU_OP_MAD, i % 64, NONE, NONE);
         work = program_work(&b, 24, 0);
      }
      execute(&run, work);
      /* Count only while both kinds run: from the time when the cache is warm until the first warp
       * ends.
       */
      uint64_t begin_cycle = run.result.issues[0].cycle + 500, flops = 0;
      uint64_t end_cycle = run.result.done_at[0] - 20;
      for (uint32_t i = 0; i < run.result.num_issues; i++) {
         const struct issue *e = &run.result.issues[i];
         if (e->cycle < begin_cycle || e->cycle >= end_cycle)
            continue;
         const struct sgt_program *p = work->programs[work->warps[e->warp].program];
         flops += p->instrs[p->uops[e->op].instr].opcode == SGPU_OP_MAD ? 64 : 32;
      }
      const uint64_t mflops = flops * 1500 / (2 * (end_cycle - begin_cycle));
      printf("order %u: %u Mflops\n", k % 3, (unsigned)mflops);
      assert_in_range(mflops, 36000 * 99 / 100, 36000 * 101 / 100);
      finish(&run);

      /* Without dual issue, products and multiply-adds alternate: 24 x 3 / 4. */
      if (k)
         continue;
      begin(&run);
      run.params.dual = SGT_SM_DUAL_NEVER;
      execute(&run, two_programs(24, 400, SGT_PIPE_ALU, SGPU_OP_MAD, SGT_PIPE_ALU, SGPU_OP_MUL));
      assert_in_range(window(&run.result), 24 * 400 * 2 - 2, 24 * 400 * 2 * 101 / 100);
      finish(&run);
   }
}

/* The scheduler issues to SPs and SFUs in alternate cycles, and both are busy. */
static void
sps_and_sfus_are_both_occupied(void **state)
{
   struct run run;
   begin(&run);
   execute(&run, two_programs(24, 400, SGT_PIPE_ALU, SGPU_OP_MAD, SGT_PIPE_INTERP, SGPU_OP_IPAC));
   const uint64_t expected = 24 * 400;
   assert_in_range(window(&run.result), expected - 1, expected * 101 / 100);
   assert_int_equal(run.result.stats.alu_busy, expected);
   assert_int_equal(run.result.stats.sfu_busy, expected);
   finish(&run);
}

/* Operands in the same bank are read one after the other. */
static void
register_banks_conflict(void **state)
{
   struct run run;
   struct program_builder b;
   begin(&run);
   run.params.banks = 4;
   program_begin(&b, SGPU_STAGE_VERTEX);
   for (uint32_t i = 0; i < 100; i++) {
      struct sgt_uop *uop = program_op(&b, SGT_PIPE_ALU, SGPU_OP_MAD, 16 + i % 32, 0, 4);
      uop->src[2] = 8; /* three operands in bank 0: 2 x 2 additional cycles */
   }
   execute(&run, program_work(&b, 1, 0));
   assert_int_equal(run.result.stats.bank_conflicts, 400);
   assert_int_equal(run.result.stats.alu_busy, 600);
   assert_int_equal(window(&run.result), 99 * 6);
   finish(&run);
}

/* Both sides of a branch need separate issue slots. */
static void
divergence_doubles_issue_slots(void **state)
{
   uint64_t windows[2];
   for (uint32_t diverges = 0; diverges < 2; diverges++) {
      struct sgt_work_builder *w = sgt_work_builder_create();
      struct run run;
      struct program_builder b;
      begin(&run);
      program_begin(&b, SGPU_STAGE_COMPUTE);
      program_stream(&b, 400, SGT_PIPE_ALU, SGPU_OP_MAD);
      const uint32_t program = sgt_work_builder_program(w, b.program);
      sgt_work_builder_operation(w, 0, 1);
      for (uint32_t i = 0; i < 8; i++) {
         sgt_work_builder_warp(w, program, UINT32_MAX, i);
         sgt_work_builder_run(w, 0, 400, diverges ? 0xffff : UINT32_MAX);
         if (diverges)
            sgt_work_builder_run(w, 0, 400, 0xffff0000);
      }
      execute(&run, finish_work(w));
      windows[diverges] = window(&run.result);
      assert_int_equal(run.result.stats.active[diverges ? 16 : 32], 8 * 400 * (1 + diverges));
      assert_int_equal(run.result.stats.lanes[SGT_SM_COMPUTE], 8 * 400 * 32);
      assert_int_equal(run.result.stats.jumps, 8 * diverges);
      finish(&run);
   }
   assert_in_range(windows[1], windows[0] * 2, windows[0] * 2 + windows[0] / 50);
}

/* A jump drops the instruction buffer: its target issues after the jump and a fetch. */
static void
jumps_refetch(void **state)
{
   struct sgt_work_builder *w = sgt_work_builder_create();
   struct run run;
   struct program_builder b;
   begin(&run);
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_stream(&b, 64, SGT_PIPE_ALU, SGPU_OP_MAD);
   const uint32_t program = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 0);
   sgt_work_builder_warp(w, program, UINT32_MAX, 0);
   for (uint32_t i = 0; i < 10; i++)
      sgt_work_builder_run(w, 0, 4, UINT32_MAX);
   /* Straight on, for other lanes: no jump. */
   sgt_work_builder_run(w, 4, 4, 0xff);
   execute(&run, finish_work(w));
   for (uint32_t i = 1; i < 10; i++)
      assert_int_equal(cycle_of(&run.result, 0, 0, i), cycle_of(&run.result, 0, 3, i - 1) +
                                                          run.params.jump +
                                                          run.params.fetch_latency);
   assert_int_equal(cycle_of(&run.result, 0, 4, 0), cycle_of(&run.result, 0, 3, 9) + 2);
   assert_int_equal(run.result.stats.jumps, 9);
   assert_int_equal(run.result.stats.active[8], 4);
   finish(&run);
}

/* Warps of a workgroup wait for the last one. */
static void
barriers_wait_for_the_last(void **state)
{
   const uint32_t bar = 200;
   struct sgt_work_builder *w = sgt_work_builder_create();
   struct run run;
   struct program_builder b;
   begin(&run);
   program_begin(&b, SGPU_STAGE_COMPUTE);
   program_chain(&b, bar, SGT_PIPE_ALU, SGPU_OP_MAD, 0, 1);
   program_op(&b, SGT_PIPE_CONTROL, SGPU_OP_BAR, NONE, NONE, NONE);
   program_chain(&b, 2, SGT_PIPE_ALU, SGPU_OP_MAD, 2, 3);
   const uint32_t program = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 4);
   for (uint32_t i = 0; i < 8; i++) {
      sgt_work_builder_warp(w, program, UINT32_MAX, i / 4);
      sgt_work_builder_run(w, 0, 10 + 30 * (i % 4), UINT32_MAX);
      /* One warp of the second group ends without the barrier. */
      if (i == 6)
         continue;
      sgt_work_builder_run(w, bar, 3, UINT32_MAX);
   }
   execute(&run, finish_work(w));
   for (uint32_t group = 0; group < 2; group++) {
      uint64_t last = 0, first = UINT64_MAX;
      for (uint32_t i = 4 * group; i < 4 * group + 4; i++) {
         if (i == 6)
            continue;
         last = MAX2(last, cycle_of(&run.result, i, bar, 0));
         first = MIN2(first, cycle_of(&run.result, i, bar + 1, 0));
      }
      assert_int_equal(last, cycle_of(&run.result, 4 * group + 3, bar, 0));
      assert_int_equal(first, last + run.params.barrier);
   }
   assert_int_equal(run.result.stats.barriers, 7);
   assert_int_equal(run.result.stats.barrier_releases, 2);
   assert_int_equal(run.result.stats.groups_max, 2);
   finish(&run);
}

/* Perspective-correct inputs: 1/W, W, U/W, U. */
static void
pixels_interpolate_first(void **state)
{
   struct run run;
   struct program_builder b;
   for (uint32_t kind = 0; kind < 3; kind++) {
      begin(&run);
      run.params.prologue = kind;
      run.machine.mem_latency = 1;
      program_begin(&b, SGPU_STAGE_PIXEL);
      b.program->num_inputs = 4;
      program_op(&b, SGT_PIPE_ALU, SGPU_OP_ADD, 0, NONE, NONE);
      execute(&run, program_work(&b, 1, 0));
      const struct machine_result *r = &run.result;
      const uint64_t start = 1 + run.params.launch;
      const uint32_t num = kind == SGT_SM_PROLOGUE_NONE     ? 0
                           : kind == SGT_SM_PROLOGUE_LINEAR ? 4
                                                            : 10;
      assert_int_equal(r->num_issues, num + 1);
      assert_int_equal(r->stats.prologue, num);
      if (num == 4) {
         for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(r->issues[i].cycle, start + 2 * i);
         assert_int_equal(r->issues[4].cycle, start + 6 + 14);
      } else if (num == 10) {
         assert_int_equal(r->issues[0].cycle, start);
         assert_int_equal(r->issues[0].state, SGT_SM_ISSUE_INTERP);
         assert_int_equal(r->issues[1].cycle, start + 14);
         assert_int_equal(r->issues[1].state, SGT_SM_ISSUE_SFU);
         /* The reciprocal occupies the SFUs for 8 cycles; then 4 interpolations follow. */
         for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(r->issues[2 + i].cycle, start + 14 + 8 + 2 * i);
         /* The first product waits for its interpolation, which takes from 22 to 36. */
         assert_int_equal(r->issues[6].cycle, start + 22 + 14);
         assert_int_equal(r->issues[9].cycle, start + 36 + 6);
         assert_int_equal(r->issues[10].cycle, start + 42 + 12);
      }
      finish(&run);
   }
}

/* Warps with a higher priority are issued first, but not forever. */
static void
types_have_priorities(void **state)
{
   for (uint32_t patience = 0; patience < 2; patience++) {
      struct sgt_work_builder *w = sgt_work_builder_create();
      struct run run;
      struct program_builder b;
      begin(&run);
      run.params.patience = patience ? 64 : 0;
      for (uint32_t i = 0; i < 2; i++) {
         program_begin(&b, i ? SGPU_STAGE_PIXEL : SGPU_STAGE_VERTEX);
         program_stream(&b, 200, SGT_PIPE_ALU, SGPU_OP_MAD);
         const uint32_t program = sgt_work_builder_program(w, b.program);
         sgt_work_builder_operation(w, 0, 0);
         for (uint32_t n = 0; n < 12; n++)
            sgt_work_builder_warp(w, program, UINT32_MAX, n);
      }
      execute(&run, finish_work(w));
      const struct machine_result *r = &run.result;
      /* Vertex warps (0 to 11) were launched first. */
      uint32_t before = 0;
      const uint64_t from = r->issues[0].cycle + 300, to = from + 2000;
      for (uint32_t i = 0; i < r->num_issues; i++)
         before += r->issues[i].warp < 12 && r->issues[i].cycle >= from && r->issues[i].cycle < to;
      if (patience)
         assert_true(before > 12 && r->stats.urgent >= before / 2);
      else
         assert_int_equal(before, 0);
      finish(&run);
   }
}

/* Relative addresses of temporaries wait for all earlier operations, and all later operations wait
 * for them.
 */
static void
relative_addresses_are_fences(void **state)
{
   struct run run;
   struct program_builder b;
   begin(&run);
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_op(&b, SGT_PIPE_SFU, SGPU_OP_RCP, 0, NONE, NONE);
   program_op(&b, SGT_PIPE_ALU, SGPU_OP_MOV, NONE, 20, NONE)->flags |= SGT_UOP_ANY;
   program_op(&b, SGT_PIPE_ALU, SGPU_OP_MOV, 1, 21, NONE);
   execute(&run, program_work(&b, 1, 0));
   const struct issue *i = run.result.issues;
   assert_int_equal(i[1].cycle, i[0].cycle + 14);
   assert_int_equal(i[2].cycle, i[1].cycle + 12);
   finish(&run);
}

static void
files_do_not_set_values_that_do_not_fit(void **state)
{
   struct sgt_config c;
   char error[256];
   sgt_config_init(&c);
   assert_true(sgt_config_set(&c, "chip.model=g80", error, sizeof(error)));
   assert_true(sgt_config_set(&c, "sm.buffer=2", error, sizeof(error)));
   assert_false(sgt_config_check(&c, error, sizeof(error)));
   assert_string_equal(error, "sm.buffer: 2 is not from 4 to 64");
}

static void
wrong_values_are_named(void **state)
{
   struct sgt_sm_params p;
   char error[256];
   sgt_sm_params_init(&p);
   assert_true(sgt_sm_params_check(&p, error, sizeof(error)));
   p.warps = 33;
   assert_false(sgt_sm_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "sm.warps: 33 is not from 1 to 32");
   sgt_sm_params_init(&p);
   p.buffer = 3;
   assert_false(sgt_sm_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "sm.buffer: 3 is not from 4 to 64");
   sgt_sm_params_init(&p);
   p.const_bytes = 3 * 1024;
   assert_false(sgt_sm_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "sm.const_bytes: 3072 is not a power of two times 128");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_takes_latencies),
      cmocka_unit_test(vectors_are_scalars),
      cmocka_unit_test(warps_hide_latency),
      cmocka_unit_test(units_reach_their_peaks),
      cmocka_unit_test(dual_issue_reaches_36_gflops),
      cmocka_unit_test(sps_and_sfus_are_both_occupied),
      cmocka_unit_test(register_banks_conflict),
      cmocka_unit_test(divergence_doubles_issue_slots),
      cmocka_unit_test(jumps_refetch),
      cmocka_unit_test(barriers_wait_for_the_last),
      cmocka_unit_test(pixels_interpolate_first),
      cmocka_unit_test(types_have_priorities),
      cmocka_unit_test(relative_addresses_are_fences),
      cmocka_unit_test(files_do_not_set_values_that_do_not_fit),
      cmocka_unit_test(wrong_values_are_named),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
