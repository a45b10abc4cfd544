/* SPDX-License-Identifier: MIT */
/*
 * Tests the multiprocessor with textures, memory and caches: times that can be computed by hand.
 */
#include "run.h"

/* After a texture access, a warp continues until it needs the result. */
static void
textures_do_not_stop_their_warp(void **state)
{
   struct sgt_work_builder *w = sgt_work_builder_create();
   struct run run;
   struct program_builder b;
   begin(&run);
   run.machine.tex_latency = 300;
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_op(&b, SGT_PIPE_TEXTURE, SGPU_OP_TEX, 4, 0, 1)->dsts = 4;
   for (uint32_t i = 0; i < 3; i++)
      program_op(&b, SGT_PIPE_ALU, SGPU_OP_MAD, 10 + i, 0, 1);
   program_op(&b, SGT_PIPE_ALU, SGPU_OP_MAD, 0, 7, 0);
   const uint32_t program = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 0);
   sgt_work_builder_warp(w, program, UINT32_MAX, 0);
   sgt_work_builder_access(w, &(struct sgt_access){ .kind = SGT_ACCESS_TEXTURE, .lanes = 32 }, NULL,
                           0);
   execute(&run, finish_work(w));
   const struct machine_result *r = &run.result;
   const uint64_t start = cycle_of(r, 0, 0, 0);
   for (uint32_t i = 0; i < 3; i++)
      assert_int_equal(cycle_of(r, 0, 1 + i, 0), start + 1 + 2 * i);
   assert_int_equal(cycle_of(r, 0, 4, 0), start + 1 + 300 + 1 + run.params.tex_return);
   assert_int_equal(r->stats.texture_wait, 302);
   /* All cycles except for three issues. */
   assert_int_equal(r->stats.states[SGT_SM_STALL + SGT_SM_WAIT_TEXTURE - 1], 303 - 5);
   finish(&run);
}

/* While all warps wait, no unit is called. */
static void
waiting_costs_nothing(void **state)
{
   struct sgt_work_builder *w = sgt_work_builder_create();
   struct run run;
   struct program_builder b;
   begin(&run);
   run.machine.tex_latency = 1000000;
   program_begin(&b, SGPU_STAGE_PIXEL);
   program_op(&b, SGT_PIPE_TEXTURE, SGPU_OP_TEX, 4, 0, 1);
   program_op(&b, SGT_PIPE_ALU, SGPU_OP_MAD, 0, 4, 0);
   const uint32_t program = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 0);
   for (uint32_t i = 0; i < 24; i++) {
      sgt_work_builder_warp(w, program, UINT32_MAX, 0);
      sgt_work_builder_access(w, &(struct sgt_access){ .kind = SGT_ACCESS_TEXTURE, .lanes = 32 },
                              NULL, 0);
   }
   execute(&run, finish_work(w));
   assert_true(run.result.stats.cycles > 1000000);
   assert_true(run.result.calls < 1000);
   finish(&run);
}

/* Each of 16 banks supplies one word per cycle to 16 lanes; conflicts are resolved one after the
 * other.
 */
static void
bank_conflicts_take_turns(void **state)
{
   for (uint32_t work = 2; work <= 32; work *= 2) {
      struct sgt_work_builder *w = sgt_work_builder_create();
      struct run run;
      struct program_builder b;
      begin(&run);
      program_begin(&b, SGPU_STAGE_COMPUTE);
      for (uint32_t i = 0; i < 20; i++)
         program_op(&b, SGT_PIPE_SHARED, SGPU_OP_LDS, i, 30, NONE);
      const uint32_t program = sgt_work_builder_program(w, b.program);
      sgt_work_builder_operation(w, 0, 1);
      for (uint32_t i = 0; i < 8; i++) {
         sgt_work_builder_warp(w, program, UINT32_MAX, i);
         for (uint32_t n = 0; n < 20; n++) {
            const struct sgt_access a = {
               .kind = SGT_ACCESS_SHARED, .lanes = 32, .work = work, .bytes = 4
            };
            sgt_work_builder_access(w, &a, NULL, 0);
         }
      }
      execute(&run, finish_work(w));
      const uint64_t expected = (8 * 20 - 1) * work;
      assert_in_range(window(&run.result), expected, expected + 40);
      assert_int_equal(run.result.stats.shared_busy, 8 * 20 * work);
      assert_int_equal(run.result.stats.shared_conflicts, 8 * 20 * (work - 2));
      finish(&run);
   }
}

/* A line of the instruction cache is read once, and all warps wait for it. */
static void
instructions_are_cached(void **state)
{
   struct run run;
   struct program_builder b;
   begin(&run);
   run.machine.mem_latency = 100;
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_stream(&b, 512, SGT_PIPE_ALU, SGPU_OP_MAD); /* 4096 bytes, 64 lines */
   execute(&run, program_work(&b, 60, 0));
   assert_int_equal(run.result.stats.icache_requests, 64);
   assert_int_equal(run.result.stats.icache[SGT_SM_MISS], 64);
   /* The launch is at 1; then fetch, request, memory, response, and the way to the buffer follow.
    */
   assert_int_equal(run.result.issues[0].cycle,
                    1 + run.params.launch + 1 + 100 + 1 + run.params.fetch_latency);
   finish(&run);

   /* In a cache of a quarter of the size, warps that are far apart read lines again. */
   begin(&run);
   run.params.icache_bytes = 1024;
   run.params.warps = 4;
   run.params.threads = 128;
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_stream(&b, 512, SGT_PIPE_ALU, SGPU_OP_MAD);
   execute(&run, program_work(&b, 60, 0));
   assert_true(run.result.stats.icache_requests >= 64 * 10);
   finish(&run);
}

/* A warp whose constant misses waits while others continue; then the line is in the cache. */
static void
constants_miss_alone(void **state)
{
   struct sgt_work_builder *w = sgt_work_builder_create();
   struct run run;
   struct program_builder b;
   begin(&run);
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_op(&b, SGT_PIPE_ALU, SGPU_OP_ADD, 0, NONE, NONE);
   for (uint32_t i = 0; i < 3; i++) {
      program_op(&b, SGT_PIPE_ALU, SGPU_OP_MAD, 1 + i, NONE, NONE)->flags |= SGT_UOP_CONST;
      struct sgt_instr *instr = &b.program->instrs[1 + i];
      instr->src[0].file = SGPU_FILE_CONST;
      instr->src[0].index = i == 2 ? 4 : i; /* lines 0, 0, 1 */
   }
   const uint32_t uses = sgt_work_builder_program(w, b.program);
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_stream(&b, 400, SGT_PIPE_ALU, SGPU_OP_ADD);
   const uint32_t other = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 0);
   sgt_work_builder_warp(w, uses, UINT32_MAX, 0);
   sgt_work_builder_warp(w, other, UINT32_MAX, 0);
   run.machine.mem_latency = 60;
   execute(&run, finish_work(w));
   const struct machine_result *r = &run.result;
   const uint64_t first = cycle_of(r, 0, 0, 0);
   /* The constant is looked up in the next cycle; request, memory and response follow. */
   assert_in_range(cycle_of(r, 0, 1, 0), first + 1 + 62, first + 1 + 62 + 2);
   assert_in_range(cycle_of(r, 0, 2, 0), cycle_of(r, 0, 1, 0) + 2, cycle_of(r, 0, 1, 0) + 4);
   assert_in_range(cycle_of(r, 0, 3, 0), cycle_of(r, 0, 2, 0) + 1 + 62,
                   cycle_of(r, 0, 2, 0) + 1 + 62 + 2);
   assert_int_equal(r->stats.constants[SGT_SM_MISS], 2);
   assert_int_equal(r->stats.constants[SGT_SM_HIT], 1);
   uint32_t meanwhile = 0;
   for (uint32_t i = 0; i < r->num_issues; i++)
      meanwhile += r->issues[i].warp == 1 && r->issues[i].cycle > first &&
                   r->issues[i].cycle < cycle_of(r, 0, 1, 0);
   /* At least two lines of operations, whose misses take the same time. */
   assert_in_range(meanwhile, 8, 32);
   finish(&run);
}

static uint64_t
requests_of(enum sgt_sm_coalesce rule, enum sgt_access_kind kind, uint64_t *lanes)
{
   struct sgt_work_builder *w = sgt_work_builder_create();
   sgt_line lines[16];
   struct run run;
   struct program_builder b;
   begin(&run);
   run.params.coalesce = rule;
   program_begin(&b, SGPU_STAGE_COMPUTE);
   program_op(&b, SGT_PIPE_MEMORY, SGPU_OP_LDB, 4, 0, NONE);
   const uint32_t program = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 1);
   sgt_work_builder_warp(w, program, UINT32_MAX, 0);
   for (uint32_t i = 0; i < 16; i++)
      lines[i] = SGT_LINE(4096 + i % 2 * 64, i / 2);
   sgt_work_builder_access(w, &(struct sgt_access){ .kind = kind, .lanes = 32, .bytes = 8 }, lines,
                           16);
   execute(&run, finish_work(w));
   const uint64_t num = run.result.stats.requests[kind];
   *lanes = run.result.mem_lanes;
   finish(&run);
   return num;
}

static void
accesses_coalesce(void **state)
{
   uint64_t lanes;
   assert_int_equal(requests_of(SGT_SM_COALESCE_NONE, SGT_ACCESS_LOAD, &lanes), 16);
   assert_int_equal(requests_of(SGT_SM_COALESCE_HALF, SGT_ACCESS_LOAD, &lanes), 4);
   assert_int_equal(requests_of(SGT_SM_COALESCE_WARP, SGT_ACCESS_LOAD, &lanes), 2);
   assert_int_equal(lanes, 0);
   assert_int_equal(requests_of(SGT_SM_COALESCE_HALF, SGT_ACCESS_STORE, &lanes), 4);
   assert_int_equal(requests_of(SGT_SM_COALESCE_HALF, SGT_ACCESS_ATOMIC, &lanes), 4);
   assert_int_equal(lanes, 32);
}

/* Scratch memory of different slots must not overlap; other addresses stay the same. */
static void
scratch_is_of_slots(void **state)
{
   struct program_builder b;
   struct sgt_sm_params p;
   struct sgt_sm_code code;
   char error[256];
   sgt_sm_params_init(&p);
   program_begin(&b, SGPU_STAGE_COMPUTE);
   b.program->scratch = 5; /* 160 bytes per warp, 3 lines */
   program_op(&b, SGT_PIPE_ALU, SGPU_OP_ADD, 0, NONE, NONE);
   struct sgt_work *work = program_work(&b, 1, 1);
   assert_true(sgt_sm_code_init(&code, work, &p, error, sizeof(error)));
   uint64_t last = 0;
   for (uint32_t sm = 0; sm < 16; sm++) {
      for (uint32_t slot = 0; slot < SGT_SM_MAX_WARPS; slot++) {
         for (uint32_t line = 0; line < 3; line++) {
            const uint64_t address = sgt_sm_line_address(&code, sm, slot,
                                                         SGT_LINE(SGT_SCRATCH + line * 64,
                                                                  slot % 8));
            assert_int_equal(address % 64, 0);
            assert_true(address > last);
            last = address;
         }
      }
   }
   assert_int_equal(sgt_sm_line_address(&code, 3, 4, SGT_LINE(0x12340, 7)), 0x12340);
   sgt_sm_code_finish(&code);
   sgt_work_destroy(work);
}

/* If a guard leaves no lanes, no request is sent, and the result arrives as fast as from other
 * units.
 */
static void
accesses_without_lanes_send_nothing(void **state)
{
   struct sgt_work_builder *w = sgt_work_builder_create();
   struct run run;
   struct program_builder b;
   begin(&run);
   program_begin(&b, SGPU_STAGE_COMPUTE);
   program_op(&b, SGT_PIPE_TEXTURE, SGPU_OP_TXF, 4, 0, NONE);
   program_op(&b, SGT_PIPE_MEMORY, SGPU_OP_LDB, 5, 4, NONE);
   program_op(&b, SGT_PIPE_ALU, SGPU_OP_ADD, 6, 5, NONE);
   const uint32_t program = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 1);
   sgt_work_builder_warp(w, program, UINT32_MAX, 0);
   sgt_work_builder_access(w, &(struct sgt_access){ .kind = SGT_ACCESS_TEXTURE }, NULL, 0);
   sgt_work_builder_access(w, &(struct sgt_access){ .kind = SGT_ACCESS_LOAD }, NULL, 0);
   execute(&run, finish_work(w));
   const struct machine_result *r = &run.result;
   assert_int_equal(r->tex_requests, 0);
   assert_int_equal(r->stats.requests[SGT_ACCESS_LOAD], 0);
   assert_int_equal(cycle_of(r, 0, 1, 0), cycle_of(r, 0, 0, 0) + run.params.alu_latency);
   assert_int_equal(cycle_of(r, 0, 2, 0), cycle_of(r, 0, 1, 0) + run.params.mem_return);
   finish(&run);
}

static void
wrong_works_are_refused(void **state)
{
   struct run run;
   struct program_builder b;
   begin(&run);
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_op(&b, SGT_PIPE_TEXTURE, SGPU_OP_TEX, 4, 0, 1);
   struct sgt_work *work = program_work(&b, 1, 0);
   machine_run(work, &run.params, &run.machine, &run.result);
   assert_string_equal(run.result.error, "warp 0 has too few accesses");
   machine_finish(&run.result);
   sgt_work_destroy(work);

   struct sgt_work_builder *w = sgt_work_builder_create();
   program_begin(&b, SGPU_STAGE_VERTEX);
   program_op(&b, SGT_PIPE_TEXTURE, SGPU_OP_TEX, 4, 0, 1);
   const uint32_t program = sgt_work_builder_program(w, b.program);
   sgt_work_builder_operation(w, 0, 0);
   sgt_work_builder_warp(w, program, UINT32_MAX, 0);
   sgt_work_builder_access(w, &(struct sgt_access){ .kind = SGT_ACCESS_LOAD }, NULL, 0);
   work = finish_work(w);
   machine_run(work, &run.params, &run.machine, &run.result);
   assert_string_equal(run.result.error, "warp 0: access 0 is of another kind than its operation");
   machine_finish(&run.result);
   sgt_work_destroy(work);

   run.machine.careless = true;
   const struct {
      const char *error;
      uint32_t groups, threads;
   } limits[] = {
      { "more than 24 warps are launched", 32, 1024 },
      { "more than 512 threads are launched", 32, 512 },
      { "more than 8 workgroups are launched", 8, 1024 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(limits); i++) {
      run.params.groups = limits[i].groups;
      run.params.threads = limits[i].threads;
      program_begin(&b, SGPU_STAGE_COMPUTE);
      program_chain(&b, 100, SGT_PIPE_ALU, SGPU_OP_MAD, 0, 1);
      work = program_work(&b, 30, 1);
      machine_run(work, &run.params, &run.machine, &run.result);
      assert_string_equal(run.result.error, limits[i].error);
      machine_finish(&run.result);
      sgt_work_destroy(work);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(textures_do_not_stop_their_warp),
      cmocka_unit_test(waiting_costs_nothing),
      cmocka_unit_test(bank_conflicts_take_turns),
      cmocka_unit_test(instructions_are_cached),
      cmocka_unit_test(constants_miss_alone),
      cmocka_unit_test(accesses_coalesce),
      cmocka_unit_test(scratch_is_of_slots),
      cmocka_unit_test(accesses_without_lanes_send_nothing),
      cmocka_unit_test(wrong_works_are_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
