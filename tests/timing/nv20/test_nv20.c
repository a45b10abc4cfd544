/* SPDX-License-Identifier: MIT */
/*
 * Tests the vertex engine of 2001: answers that can be computed by hand.
 */
#include "../../unit.h"
#include "config/sgt_config.h"
#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "nv20/sgt_vcore.h"
#include "trace/sgt_work.h"
#include "unit_rig.h"
#include "util/macros.h"

static struct sgt_vertex_program
program(uint32_t instructions, uint32_t outputs)
{
   struct sgt_vertex_program p = {
      .base = true,
      .outputs = outputs,
      .instructions = instructions,
   };
   p.opcodes[SGPU_OP_MOV - SGT_VERTEX_FIRST_OPCODE] = instructions;
   return p;
}

/* Makes a stream of vertices of one program, each with the same writes. */
static void
make(struct sgt_vertex_stream *s, uint32_t instructions, uint32_t num, const uint8_t *writes,
     uint32_t num_writes)
{
   const struct sgt_vertex_program p = program(instructions, 1);
   sgt_vertex_stream_init(s);
   assert_true(sgt_vertex_stream_program(s, &p));
   for (uint32_t i = 0; i < num; i++)
      assert_true(sgt_vertex_stream_add(s, writes, num_writes));
}

/* Sets writes to the attributes 1, 2, ..., or in descending order. */
static void
order(uint8_t *writes, uint32_t num, bool down)
{
   for (uint32_t i = 0; i < num; i++)
      writes[i] = down ? num - i : i + 1;
}

/* Runs a stream and checks that the accounts add up. */
static struct sgt_nv20_result
run(const struct sgt_vertex_stream *s, const struct sgt_nv20_params *p)
{
   struct sgt_nv20_result r;
   struct sgt_stats stats;
   char error[200] = "";

   if (!sgt_nv20_run(s, p, NULL, &r, error, sizeof(error)))
      fail_msg("%s", error);
   sgt_stats_init(&stats);
   sgt_nv20_result_register(&r, &stats);
   unit_rig_check(&stats);
   assert_int_equal(unit_rig_stat(&stats, "engine", "vertices"), s->num_vertices);
   sgt_stats_finish(&stats);
   assert_int_equal(r.vertices, s->num_vertices);
   assert_int_equal(r.writes, s->num_writes);
   assert_int_equal(r.instructions, s->instructions);
   /* There is a message for each write, and one on each channel for each vertex and each buffer. */
   assert_int_equal(r.channels[0].messages, s->num_writes);
   for (unsigned i = 1; i < ARRAY_SIZE(r.channels); i++)
      assert_int_equal(r.channels[i].messages, s->num_vertices);
   return r;
}

/* Returns the cycles of `num` more vertices in the steady state.  The costs of the start and the
 * end cancel out.
 */
static uint64_t
steady(uint32_t instructions, uint32_t num, const uint8_t *writes, uint32_t num_writes,
       const struct sgt_nv20_params *p)
{
   struct sgt_vertex_stream s;
   uint64_t cycles[2];

   for (unsigned i = 0; i < 2; i++) {
      make(&s, instructions, 4 * num + i * num, writes, num_writes);
      cycles[i] = run(&s, p).cycles;
      sgt_vertex_stream_finish(&s);
   }
   return cycles[1] - cycles[0];
}

static void
defaults_are_those_of_the_design(void **state)
{
   struct sgt_nv20_params p;
   sgt_nv20_params_init(&p);
   assert_int_equal(p.threads, 6);
   assert_int_equal(p.latency, 6);
   assert_true(p.push_out && p.dirty);
}

static void
a_vertex_takes_its_instructions(void **state)
{
   static const uint32_t lengths[] = { 1, 2, 3, 5, 8, 20, 64, 128 };
   struct sgt_nv20_params p;
   uint8_t writes[15];

   order(writes, 15, false);
   sgt_nv20_params_init(&p);
   for (unsigned i = 0; i < ARRAY_SIZE(lengths); i++) {
      const uint32_t n = lengths[i];
      /* As many attributes as instructions, but at most all 16. */
      assert_int_equal(steady(n, 60, writes, MIN2(n, 16) - 1, &p), 60 * n);
      assert_int_equal(steady(n, 60, writes, 0, &p), 60 * n);
   }
}

/* IPC is min(1, threads / latency). */
static void
threads_hide_the_latency(void **state)
{
   static const uint32_t latencies[] = { 1, 2, 4, 6, 8, 12 };
   struct sgt_nv20_params p;

   sgt_nv20_params_init(&p);
   p.input_buffers = p.output_buffers = 64;
   for (unsigned i = 0; i < ARRAY_SIZE(latencies); i++) {
      for (unsigned n = 0; n < 32; n++) {
         const uint32_t length = 20;
         p.latency = latencies[i];
         p.threads = 1 + n / 2;
         p.select = n % 2 ? SGT_NV20_OLDEST : SGT_NV20_ROTATE;
         if (p.threads <= p.latency) {
            assert_int_equal(steady(length, 8 * p.threads, NULL, 0, &p), 8 * length * p.latency);
            continue;
         }
         /* No cycle is lost between the first vertex and the start of the last one. */
         struct sgt_vertex_stream s;
         make(&s, length, 300, NULL, 0);
         const struct sgt_nv20_result r = run(&s, &p);
         assert_int_equal(r.core[SGT_VCORE_LATENCY], 0);
         assert_int_equal(r.core[SGT_VCORE_INPUT], 3);
         assert_int_equal(r.core[SGT_VCORE_OUTPUT], 0);
         assert_true(r.core[SGT_VCORE_DRAIN] <= length * p.latency);
         sgt_vertex_stream_finish(&s);
      }
   }
}

static void
keep_written(void *data, uint64_t vertex, const struct sgt_nv20_times *times)
{
   ((uint64_t *)data)[vertex] = times->written;
}

/* The time of a vertex is max(attributes, instructions). */
static void
the_attribute_buffer_is_a_bound(void **state)
{
   struct sgt_nv20_params p;
   uint8_t writes[15];

   sgt_nv20_params_init(&p);
   for (unsigned down = 0; down < 2; down++) {
      for (uint32_t num = 1; num <= 16; num++) {
         for (uint32_t n = 1; n <= 32; n *= 2) {
            struct sgt_vertex_stream s;
            struct sgt_nv20_result r;
            uint64_t written[200];
            char error[200];
            const struct sgt_nv20_observer observer = { .data = written, .vertex = keep_written };
            order(writes, num - 1, down);
            make(&s, n, ARRAY_SIZE(written), writes, num - 1);
            assert_true(sgt_nv20_run(&s, &p, &observer, &r, error, sizeof(error)));
            assert_int_equal(written[195] - written[147], 48 * MAX2(num, n));
            sgt_vertex_stream_finish(&s);
         }
      }
   }
}

/* There are two writes per vertex, but each of 8 vertices writes another attribute.  Therefore, an
 * input buffer lacks all 8 when it is used again.
 */
static void
changes_since_the_buffers_last_turn_are_moved(void **state)
{
   struct sgt_nv20_params p;
   struct sgt_vertex_stream s;
   uint64_t cycles[2];

   sgt_nv20_params_init(&p);
   assert_int_equal(p.input_buffers, 8);
   for (unsigned n = 0; n < 2; n++) {
      const struct sgt_vertex_program one = program(4, 1);
      sgt_vertex_stream_init(&s);
      assert_true(sgt_vertex_stream_program(&s, &one));
      for (unsigned i = 0; i < 80 + n * 80; i++) {
         const uint8_t attribute = 1 + i % 8;
         assert_true(sgt_vertex_stream_add(&s, &attribute, 1));
      }
      const struct sgt_nv20_result r = run(&s, &p);
      cycles[n] = r.cycles;
      /* 9 attributes of all vertices after the first round. */
      assert_int_equal(r.dirty[9], s.num_vertices - 7);
      sgt_vertex_stream_finish(&s);
   }
   assert_int_equal(cycles[1] - cycles[0], 80 * 9);
}

static void
an_attribute_that_stays_is_moved_once_to_each_buffer(void **state)
{
   struct sgt_nv20_params p;
   struct sgt_vertex_stream s;
   const struct sgt_vertex_program one = program(2, 1);
   const uint8_t color = 3;

   sgt_nv20_params_init(&p);
   p.input_buffers = 5;
   sgt_vertex_stream_init(&s);
   assert_true(sgt_vertex_stream_program(&s, &one));
   for (unsigned i = 0; i < 100; i++)
      assert_true(sgt_vertex_stream_add(&s, &color, i == 0));
   struct sgt_nv20_result r = run(&s, &p);
   assert_int_equal(r.attributes[3], 5);
   assert_int_equal(r.attributes[0], 100);
   assert_int_equal(r.moved, 105);
   /* Without dirty bits, all 16 attributes are moved each time, and determine the rate. */
   const uint64_t cycles = r.cycles;
   p.dirty = false;
   r = run(&s, &p);
   assert_int_equal(r.moved, 1600);
   assert_true(r.cycles > cycles + 100 * 13);
   sgt_vertex_stream_finish(&s);
}

/* While a vertex drains from attribute 0 upwards, the writes of the next one come from attribute 15
 * downwards.
 */
static void
a_write_pushes_out_its_target(void **state)
{
   struct sgt_nv20_params p;
   struct sgt_vertex_stream s;
   uint8_t writes[15];

   order(writes, 15, true);
   sgt_nv20_params_init(&p);
   assert_int_equal(steady(1, 40, writes, 15, &p), 40 * 16);
   make(&s, 1, 40, writes, 15);
   struct sgt_nv20_result r = run(&s, &p);
   /* 15 of each vertex; no write follows the last vertex. */
   assert_int_equal(r.pushed, 39 * 15);
   assert_int_equal(r.vab_write[SGT_VAB_WAITS_DRAIN], 0);
   /* Without pushing, attribute 15 leaves 16 cycles after the write of 0, and the other 15 writes
    * follow.
    */
   p.push_out = false;
   assert_int_equal(steady(1, 40, writes, 15, &p), 40 * 31);
   r = run(&s, &p);
   assert_int_equal(r.pushed, 0);
   assert_int_equal(r.vab_write[SGT_VAB_WAITS_DRAIN], 39 * 15);
   sgt_vertex_stream_finish(&s);

   /* In ascending order, each attribute leaves a cycle before it is needed, except for the first.
    */
   order(writes, 15, false);
   assert_int_equal(steady(1, 40, writes, 15, &p), 40 * 17);
   p.push_out = true;
   assert_int_equal(steady(1, 40, writes, 15, &p), 40 * 16);
}

struct seen {
   struct sgt_nv20_times times[8];
   unsigned num;
};

static void
see(void *data, uint64_t vertex, const struct sgt_nv20_times *times)
{
   struct seen *seen = data;
   assert_int_equal(vertex, seen->num);
   if (seen->num < ARRAY_SIZE(seen->times))
      seen->times[seen->num] = *times;
   seen->num++;
}

static void
the_way_of_one_vertex(void **state)
{
   struct sgt_vertex_stream s;
   struct sgt_nv20_params p;
   struct sgt_nv20_result r;
   struct seen seen = { .num = 0 };
   const struct sgt_nv20_observer observer = { .data = &seen, .vertex = see };
   const struct sgt_vertex_program one = program(7, 3);
   char error[200];

   sgt_nv20_params_init(&p);
   sgt_vertex_stream_init(&s);
   assert_true(sgt_vertex_stream_program(&s, &one));
   assert_true(sgt_vertex_stream_add_mask(&s, 0x1d));
   assert_true(sgt_nv20_run(&s, &p, &observer, &r, error, sizeof(error)));
   const struct sgt_nv20_times *t = &seen.times[0];
   /* The host sends in cycles 0 to 3, and the attributes enter in cycles 1 to 4. */
   assert_int_equal(t->written, 4);
   assert_int_equal(t->filled, 8);
   assert_int_equal(t->started, 9);
   assert_int_equal(t->ended, 9 + 7 * 6);
   assert_int_equal(t->sent, 51 + 3);
   assert_int_equal(t->taken, 55);
   assert_int_equal(r.cycles, 56);
   assert_int_equal(r.core[SGT_VCORE_ISSUE], 7);
   assert_int_equal(r.core[SGT_VCORE_INPUT], 9);
   /* Idle threads have no more vertices. */
   assert_int_equal(r.core[SGT_VCORE_DRAIN], 56 - 9 - 7);
   assert_int_equal(r.active[1], 42);
   sgt_vertex_stream_finish(&s);
}

static void
the_next_stage_holds_the_engine_back(void **state)
{
   struct sgt_vertex_stream s;
   struct sgt_nv20_params p;

   sgt_nv20_params_init(&p);
   p.next_clocks = 50;
   assert_int_equal(steady(10, 20, NULL, 0, &p), 20 * 50);
   make(&s, 10, 100, NULL, 0);
   const struct sgt_nv20_result r = run(&s, &p);
   /* Every unit waits for the next stage: output buffers, input buffers, attribute buffer, host. */
   assert_int_equal(r.next[SGT_VNEXT_BUSY], 100 * 50);
   assert_true(r.out[SGT_VOUT_BLOCKED] > 80 * 45);
   assert_true(r.core[SGT_VCORE_OUTPUT] > 80 * 40);
   assert_true(r.vab_write[SGT_VAB_WAITS_BUFFER] > 60 * 45);
   assert_true(r.vab_drain[SGT_VAB_NO_BUFFER] > 60 * 45);
   assert_true(r.host[SGT_HOST_FULL] > 50 * 45);
   assert_int_equal(r.reserved[8] + r.reserved[7] > r.cycles / 2, 1);
   sgt_vertex_stream_finish(&s);
}

static void
the_host_can_be_the_bound(void **state)
{
   struct sgt_nv20_params p;
   const uint8_t writes[] = { 1, 2 };

   sgt_nv20_params_init(&p);
   p.host_clocks = 5;
   assert_int_equal(steady(10, 20, writes, 2, &p), 20 * 15);
   /* A place becomes free two clocks after the message was sent. */
   p.host_clocks = 1;
   p.host_fifo = 1;
   assert_int_equal(steady(1, 20, writes, 2, &p), 20 * 6);
}

static void
another_program_waits_for_an_empty_core(void **state)
{
   struct sgt_nv20_params p;
   uint64_t cycles[2];

   sgt_nv20_params_init(&p);
   for (unsigned flush = 0; flush < 2; flush++) {
      for (unsigned n = 0; n < 2; n++) {
         struct sgt_vertex_stream s;
         sgt_vertex_stream_init(&s);
         for (unsigned i = 0; i < 60 + 60 * n; i++) {
            const struct sgt_vertex_program one = program(10, 1);
            assert_true(sgt_vertex_stream_program(&s, &one));
            assert_true(sgt_vertex_stream_add(&s, NULL, 0));
         }
         p.flush = flush;
         const struct sgt_nv20_result r = run(&s, &p);
         cycles[n] = r.cycles;
         assert_int_equal(r.flushes, flush ? s.num_vertices - 1 : 0);
         assert_int_equal(r.core[SGT_VCORE_PROGRAM] > 0, flush);
         sgt_vertex_stream_finish(&s);
      }
      assert_int_equal(cycles[1] - cycles[0], 60 * 10 * (flush ? 6 : 1));
   }
}

/* Tests divergent lanes: each vertex executes the runs that it takes part in. */
static void
vertices_of_a_work(void **state)
{
   struct sgt_instr instrs[6] = { 0 };
   for (unsigned i = 0; i < ARRAY_SIZE(instrs); i++) {
      instrs[i].opcode = i < 4 ? SGPU_OP_MAD : i < 5 ? SGPU_OP_LIT : SGPU_OP_SIN;
      instrs[i].dst.file = SGPU_FILE_OUTPUT;
      instrs[i].dst.index = i < 4 ? i / 2 : 7;
   }
   struct sgt_program code = { .stage = SGPU_STAGE_VERTEX, .num_instrs = 6, .instrs = instrs };
   code.inputs[2] = 3;
   code.inputs[5] = 1;
   struct sgt_program pixel = { .stage = SGPU_STAGE_PIXEL };
   struct sgt_program *programs[] = { &pixel, &code };
   struct sgt_run runs[] = { { 0, 4, 7 }, { 4, 2, 5 } };
   struct sgt_warp warps[] = {
      { .program = 1, .lanes = 7, .num_runs = 2 },
      { .program = 0, .lanes = 15 },
      { .program = 1, .lanes = 3 },
   };
   const struct sgt_work work = {
      .programs = programs,
      .num_programs = 2,
      .warps = warps,
      .num_warps = 3,
      .runs = runs,
      .num_runs = 2,
   };
   struct sgt_vertex_stream s;
   char error[200];

   sgt_vertex_stream_init(&s);
   assert_true(sgt_vertex_stream_add_work(&s, &work, error, sizeof(error)));
   static const uint32_t executed[] = { 6, 4, 6, 6, 6 };
   assert_int_equal(s.num_vertices, 5);
   for (unsigned i = 0; i < 5; i++) {
      assert_int_equal(s.vertices[i].instructions, executed[i]);
      assert_int_equal(s.vertices[i].num_writes, 3);
      assert_memory_equal(s.writes + 3 * i, "\2\5\0", 3);
   }
   assert_int_equal(s.instructions, 28);
   assert_int_equal(s.opcodes[SGPU_OP_MAD - SGT_VERTEX_FIRST_OPCODE], 20);
   assert_int_equal(s.opcodes[SGPU_OP_LIT - SGT_VERTEX_FIRST_OPCODE], 4);
   assert_int_equal(s.opcodes[SGT_VERTEX_OTHER], 4);
   assert_int_equal(s.num_programs, 1);
   assert_int_equal(s.programs[0].outputs, 3);
   struct sgt_nv20_params p;
   sgt_nv20_params_init(&p);
   const struct sgt_nv20_result r = run(&s, &p);
   assert_int_equal(r.classes[SGT_VERTEX_MOVE], 20);
   assert_int_equal(r.classes[SGT_VERTEX_BEYOND], 4);
   assert_int_equal(r.outputs, 15);
   sgt_vertex_stream_finish(&s);

   code.inputs[16] = 1;
   assert_false(sgt_vertex_stream_add_work(&s, &work, error, sizeof(error)));
   assert_string_equal(error, "a program reads attribute 16; the engine has 16");
   sgt_vertex_stream_finish(&s);
}

/* Tests that the model accepts the whole range of each key. */
static void
keys_reach_the_model(void **state)
{
   struct sgt_nv20_params p;
   struct sgt_config c;
   char error[200];

   for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
      if (strcmp(sgt_keys[key].section, "nv20"))
         continue;
      sgt_config_init(&c);
      sgt_config_put(&c, key, sgt_keys[key].low);
      assert_true(sgt_config_nv20(&c, &p, error, sizeof(error)));
      sgt_config_put(&c, key, sgt_keys[key].high);
      assert_true(sgt_config_nv20(&c, &p, error, sizeof(error)));
   }
}

static void
what_is_refused(void **state)
{
   struct sgt_vertex_stream s;
   struct sgt_nv20_params p;
   struct sgt_nv20_result r;
   char error[200];

   sgt_nv20_params_init(&p);
   sgt_vertex_stream_init(&s);
   assert_false(sgt_nv20_run(&s, &p, NULL, &r, error, sizeof(error)));
   assert_string_equal(error, "the stream has no vertices");
   make(&s, 5, 10, NULL, 0);
   p.threads = 65;
   assert_false(sgt_nv20_run(&s, &p, NULL, &r, error, sizeof(error)));
   assert_string_equal(error, "nv20.threads: 65 is not from 1 to 64");
   p.threads = 6;
   p.max_cycles = 20;
   assert_false(sgt_nv20_run(&s, &p, NULL, &r, error, sizeof(error)));
   assert_string_equal(error, "more than 20 cycles");
   p.max_cycles = 0;
   s.writes[9] = 3;
   assert_false(sgt_nv20_run(&s, &p, NULL, &r, error, sizeof(error)));
   assert_string_equal(error, "vertex 9 is malformed");
   sgt_vertex_stream_finish(&s);
}

/* The error of an engine that has stopped. */
static void
units_say_what_they_have_under_way(void **state)
{
   struct sgt_nv20_params p;
   struct sgt_nv20_times times[4] = { [2].started = 3 };
   struct sgt_nv20_shared shared = { .params = &p, .times = times, .times_mask = 3 };
   struct sgt_clock clock = { .mhz = 1 };
   struct sgt_vab vab;
   struct sgt_vcore core;
   struct sgt_vout out;
   struct sgt_dump d;
   char text[512] = "stopped";

   sgt_nv20_params_init(&p);
   assert_true(sgt_clocks_init(&clock, 1));
   sgt_vab_init(&vab, &shared, &clock);
   sgt_vcore_init(&core, &shared, &clock);
   sgt_vout_init(&out, &shared, &clock);
   vab.pending = 5;
   vab.write_state = SGT_VAB_NO_WRITE;
   vab.drain_state = SGT_VAB_NO_BUFFER;
   core.active = 1;
   core.threads[0].vertex = 2;
   core.state = SGT_VCORE_OUTPUT;
   sgt_dump_init(&d, text, sizeof(text), 13 * clock.period);
   sgt_vab_dump(&vab, &d);
   sgt_vcore_dump(&core, &d);
   sgt_vout_dump(&out, &d);
   assert_string_equal(text,
                       "stopped\n"
                       "  attribute-buffer (writes no-write, drains no-buffer): attributes to "
                       "be moved 2\n"
                       "  core (output): vertices 1 of 6, oldest 10 cycles");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_are_those_of_the_design),
      cmocka_unit_test(a_vertex_takes_its_instructions),
      cmocka_unit_test(threads_hide_the_latency),
      cmocka_unit_test(the_attribute_buffer_is_a_bound),
      cmocka_unit_test(changes_since_the_buffers_last_turn_are_moved),
      cmocka_unit_test(an_attribute_that_stays_is_moved_once_to_each_buffer),
      cmocka_unit_test(a_write_pushes_out_its_target),
      cmocka_unit_test(the_way_of_one_vertex),
      cmocka_unit_test(the_next_stage_holds_the_engine_back),
      cmocka_unit_test(the_host_can_be_the_bound),
      cmocka_unit_test(another_program_waits_for_an_empty_core),
      cmocka_unit_test(vertices_of_a_work),
      cmocka_unit_test(keys_reach_the_model),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(units_say_what_they_have_under_way),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
