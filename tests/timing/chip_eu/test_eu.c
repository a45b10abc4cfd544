/* SPDX-License-Identifier: MIT */
/*
 * Tests the execution unit: the cycles of each mechanism of US 8,564,604, computed by hand.
 */
#include "../../unit.h"
#include "chip_eu/sgt_eu_alone.h"
#include "unit_rig.h"
#include "util/macros.h"

#define TEMP(n)                                      \
   {                                                 \
      .file = SGPU_FILE_TEMP, .mask = 15, .index = n \
   }
#define CONST(n)                                      \
   {                                                  \
      .file = SGPU_FILE_CONST, .mask = 15, .index = n \
   }
#define INPUT(n)                                      \
   {                                                  \
      .file = SGPU_FILE_INPUT, .mask = 15, .index = n \
   }
#define OUTPUT(n)                                      \
   {                                                   \
      .file = SGPU_FILE_OUTPUT, .mask = 15, .index = n \
   }
#define NONE                 \
   {                         \
      .file = SGPU_FILE_NONE \
   }

static const struct sgt_instr nop = {
   .opcode = SGPU_OP_NOP,
   .pipe = SGT_PIPE_CONTROL,
   .guard = SGT_REG_NONE,
   .dst = NONE,
   .src = { NONE, NONE, NONE },
};

/* Returns d = a * b + c, which writes only the components that its operands have. */
static struct sgt_instr
mad(struct sgt_operand d, struct sgt_operand a, struct sgt_operand b, struct sgt_operand c)
{
   struct sgt_instr i = nop;
   i.opcode = SGPU_OP_MAD;
   i.pipe = SGT_PIPE_ALU;
   i.dst = d;
   i.src[0] = a;
   i.src[1] = b;
   i.src[2] = c;
   return i;
}

static struct sgt_instr
mov(struct sgt_operand d, struct sgt_operand a)
{
   struct sgt_instr i = mad(d, a, (struct sgt_operand)NONE, (struct sgt_operand)NONE);
   i.opcode = SGPU_OP_MOV;
   return i;
}

static const struct sgt_operand none = NONE;

/* Results of a run. */
struct result {
   uint64_t cycles;
   struct sgt_eu_stats stats;
   struct sgt_eu_const_stats constants;
};

struct setup {
   struct sgt_eu_params params;
   enum sgpu_stage stage;
   const struct sgt_instr *pattern; /* the program repeats this pattern */
   uint32_t num_pattern, instrs;
   uint32_t warps, operations;             /* warps of each operation; number of operations */
   uint32_t memory, texture;               /* latencies in cycles */
   enum { OWN, TURNS, CHANGES } constants; /* constants of operations; CHANGES: line 1 changes */
   const struct sgt_run *runs;             /* runs of each warp */
   uint32_t num_runs, group;               /* number of runs; number of warps in a workgroup */
   struct sgt_access access;               /* parameters of each access of the program */
   sgt_line lines[4];
};

/* Records the cycle in which the last thread ends. */
struct ends {
   struct sgt_eu_log log;
   uint64_t latest;
};

static void
note_end(struct sgt_eu_log *log, uint64_t cycle, enum sgt_eu_event event, uint32_t thread,
         uint32_t pc)
{
   struct ends *e = container_of(log, struct ends, log);
   if (event == SGT_EU_EVENT_END)
      e->latest = cycle;
}

static struct setup
start(const struct sgt_instr *pattern, uint32_t num, uint32_t instrs)
{
   struct setup s = {
      .stage = SGPU_STAGE_VERTEX,
      .pattern = pattern,
      .num_pattern = num,
      .instrs = instrs,
      .warps = 1,
      .operations = 1,
      .texture = 20,
   };
   sgt_eu_params_init(&s.params);
   s.params.const_scope = SGT_CONST_OPERATION;
   /* A missing line of code takes as long as one in the cache. */
   s.memory = s.params.fetch_latency;
   return s;
}

static struct result
run(const struct setup *s)
{
   struct sgt_program *p = calloc(1, sizeof(*p));
   struct sgt_work_builder *b = sgt_work_builder_create();
   struct ends ends = { .log.event = note_end };
   struct sgt_eu_alone alone;
   struct sgt_stats stats;
   char error[256];

   assert_non_null(p);
   p->stage = s->stage;
   p->num_instrs = s->instrs;
   p->instrs = calloc(s->instrs, sizeof(*p->instrs));
   assert_non_null(p->instrs);
   for (uint32_t i = 0; i < s->instrs; i++) {
      p->instrs[i] = s->pattern[i % s->num_pattern];
      for (unsigned n = 0; n < 3; n++)
         if (p->instrs[i].src[n].file == SGPU_FILE_INPUT)
            p->inputs[p->instrs[i].src[n].index] = 15;
   }
   sgt_work_builder_program(b, p);
   for (uint32_t o = 0; o < s->operations; o++) {
      sgt_work_builder_operation(b, 0, s->group);
      if (s->constants != OWN)
         sgt_work_builder_constants(b, &(struct sgt_constants){
                                          .context = s->constants == TURNS ? o % 2 : 0,
                                          .version = s->constants == CHANGES ? o : 0,
                                          .bytes = 1024,
                                          .stage = s->stage,
                                       });
      if (s->constants == CHANGES && o)
         sgt_work_builder_changed(b, 1, 1);
      for (uint32_t w = 0; w < s->warps; w++) {
         sgt_work_builder_warp(b, 0, ~0u, s->group ? w / s->group : w);
         for (uint32_t r = 0; r < s->num_runs; r++)
            sgt_work_builder_run(b, s->runs[r].pc, s->runs[r].count, ~0u);
         for (uint32_t i = 0; i < s->instrs; i++)
            if (p->instrs[i].flags & SGT_INSTR_ACCESS)
               sgt_work_builder_access(b, &s->access, s->lines, s->access.num_lines);
      }
   }
   struct sgt_work *work = sgt_work_builder_finish(b);
   assert_non_null(work);
   sgt_work_builder_destroy(b);
   assert_true(sgt_eu_params_check(&s->params, error, sizeof(error)));
   assert_true(sgt_eu_work_check(&s->params, work, error, sizeof(error)));
   assert_true(sgt_eu_alone_init(&alone, &s->params, work, s->memory, s->texture));
   alone.eu.log = &ends.log;
   assert_true(sgt_eu_alone_run(&alone, 1000000));
   sgt_stats_init(&stats);
   sgt_eu_stats_add(&alone.eu, &stats, "eu");
   unit_rig_check(&stats);
   assert_true(stats.num >= 60);
   sgt_stats_finish(&stats);
   const struct result r = { ends.latest, alone.eu.stats, sgt_eu_const_stats(&alone.eu) };
   sgt_eu_alone_finish(&alone);
   sgt_work_destroy(work);
   return r;
}

/* Returns the number of cycles that `more` instructions add to the run. */
static uint64_t
added(struct setup s, uint32_t more)
{
   const uint64_t before = run(&s).cycles;
   s.instrs += more;
   return run(&s).cycles - before;
}

/* A chain: each operation waits for the previous result, and then for the register file. */
static void
chain(void **state)
{
   const struct sgt_instr pattern[] = {
      mad((struct sgt_operand)TEMP(0), (struct sgt_operand)TEMP(0), (struct sgt_operand)TEMP(1),
          (struct sgt_operand)TEMP(2)),
   };
   struct setup s = start(pattern, 1, 20);
   assert_int_equal(added(s, 20), 20 * (4 + 1));
   s.params.alu_latency = 9;
   s.params.reg_latency = 3;
   assert_int_equal(added(s, 20), 20 * (9 + 3));
   /* Three registers in the same bank. */
   s.params.banks = 1;
   assert_int_equal(added(s, 20), 20 * (9 + 3 + 2));
   /* Special functions. */
   struct sgt_instr sfu = pattern[0];
   sfu.pipe = SGT_PIPE_SFU;
   s.pattern = &sfu;
   s.params.banks = 4;
   assert_int_equal(added(s, 20), 20 * (8 + 3));
}

/* Operations that are independent of each other, with one register file request each. */
static const struct sgt_instr free_mads[] = {
   { .opcode = SGPU_OP_MAD,
     .guard = SGT_REG_NONE,
     .dst = TEMP(4),
     .src = { TEMP(0), TEMP(1), NONE } },
   { .opcode = SGPU_OP_MAD,
     .guard = SGT_REG_NONE,
     .dst = TEMP(5),
     .src = { TEMP(0), TEMP(1), NONE } },
   { .opcode = SGPU_OP_MAD,
     .guard = SGT_REG_NONE,
     .dst = TEMP(6),
     .src = { TEMP(0), TEMP(1), NONE } },
   { .opcode = SGPU_OP_MAD,
     .guard = SGT_REG_NONE,
     .dst = TEMP(7),
     .src = { TEMP(0), TEMP(1), NONE } },
   { .opcode = SGPU_OP_MAD,
     .guard = SGT_REG_NONE,
     .dst = TEMP(8),
     .src = { TEMP(0), TEMP(1), NONE } },
   { .opcode = SGPU_OP_MAD,
     .guard = SGT_REG_NONE,
     .dst = TEMP(9),
     .src = { TEMP(0), TEMP(1), NONE } },
   { .opcode = SGPU_OP_MAD,
     .guard = SGT_REG_NONE,
     .dst = TEMP(10),
     .src = { TEMP(0), TEMP(1), NONE } },
   { .opcode = SGPU_OP_MAD,
     .guard = SGT_REG_NONE,
     .dst = TEMP(11),
     .src = { TEMP(0), TEMP(1), NONE } },
};

static void
register_files(void **state)
{
   struct setup s = start(free_mads, 8, 64);
   /* One thread: decode, request, issue. */
   assert_int_equal(added(s, 64), 64 * 2);
   /* Sixteen threads: one request per cycle and file. */
   s.warps = 16;
   assert_int_equal(added(s, 64), 64 * 16 / 2);
   s.params.two_files = false;
   assert_int_equal(added(s, 64), 64 * 16);
   s.params.two_files = true;
   s.params.alus = 1;
   assert_int_equal(added(s, 64), 64 * 16);
   s.params.alu_interval = 3;
   assert_int_equal(added(s, 64), 64 * 16 * 3);
}

/* Sixteen threads in lockstep, limited by the thread controller. */
static void
broadcast(void **state)
{
   struct setup s = start(&nop, 1, 64);
   s.memory = 40; /* the first line arrives when all threads have started */
   for (uint32_t warps = 1; warps <= 16; warps *= 2) {
      s.warps = warps;
      s.params.broadcast = true;
      struct result r = run(&s);
      assert_int_equal(r.stats.code_reads, 64);
      assert_int_equal(r.stats.joined, 64 * (warps - 1));
      assert_int_equal(r.stats.delivered, 64 * warps);
      assert_int_equal(r.stats.code_line_reads, 16);
      s.params.broadcast = false;
      r = run(&s);
      assert_int_equal(r.stats.code_reads, 64 * warps);
      assert_int_equal(r.stats.joined, 0);
      assert_int_equal(r.stats.broadcasts, 64 * warps);
   }
}

/* Without broadcast, an arbiter fetches one instruction per cycle. */
static void
arbiters(void **state)
{
   struct setup s = start(&nop, 1, 64);
   s.warps = 16;
   s.params.broadcast = false;
   assert_int_equal(added(s, 64), 64 * 16 / 2);
   s.params.two_arbiters = false;
   assert_int_equal(added(s, 64), 64 * 16);
   s.params.fetch_select = SGT_EU_FETCH_LONGEST;
   assert_int_equal(added(s, 64), 64 * 16);
}

/* A queue hides the latency of fetches if it has one place more than cycles of the latency. */
static void
queues(void **state)
{
   static const uint32_t depths[] = { 1, 2, 4, 8 };
   struct setup s = start(&nop, 1, 64);
   for (unsigned d = 0; d < ARRAY_SIZE(depths); d++)
      for (uint32_t latency = 3; latency < 16; latency += 4) {
         s.params.queue = depths[d];
         s.params.fetch_latency = s.memory = latency;
         assert_int_equal(added(s, 64), 64 * MAX2(1.0, (latency + 1.0) / depths[d]));
      }
}

/* A constant, an attribute and registers are requested at once, or one after the other. */
static void
predecode(void **state)
{
   struct sgt_instr pattern[8];
   for (unsigned i = 0; i < 8; i++)
      pattern[i] = mad((struct sgt_operand)TEMP(4 + i), (struct sgt_operand)TEMP(0),
                       (struct sgt_operand)CONST(0), (struct sgt_operand)INPUT(0));
   struct setup s = start(pattern, 8, 64);
   assert_int_equal(added(s, 64), 64 * (1 + 2));
   s.params.predecode = false;
   assert_int_equal(added(s, 64), 64 * (1 + 2 + 2 + 1));
   s.params.predecode = true;
   s.params.const_latency = 5;
   assert_int_equal(added(s, 64), 64 * (1 + 5));
   s.params.predecode = false;
   assert_int_equal(added(s, 64), 64 * (1 + 5 + 2 + 1));
   /* For pixels, the interpolator follows the attribute cache. */
   s.params.predecode = true;
   s.stage = SGPU_STAGE_PIXEL;
   assert_int_equal(added(s, 64), 64 * (1 + 2 + 4));
   assert_int_equal(run(&s).stats.interpolations, 64);
}

/* Four of the five operations, in two combinations; then all five in a cycle. */
static void
operations(void **state)
{
   struct sgt_instr pattern[8];
   for (unsigned i = 0; i < 8; i += 2) {
      pattern[i] = mad((struct sgt_operand)OUTPUT(i), (struct sgt_operand)TEMP(0),
                       (struct sgt_operand)CONST(0), (struct sgt_operand)INPUT(0));
      pattern[i + 1] = mad((struct sgt_operand)TEMP(4 + i), (struct sgt_operand)TEMP(0),
                           (struct sgt_operand)TEMP(1), none);
   }
   struct setup s = start(pattern, 8, 128);
   s.warps = 16;
   const struct result r = run(&s);
   assert_true(r.stats.operations[5] > 0);
   uint64_t done = 0;
   for (unsigned i = 0; i <= SGT_EU_OPERATIONS; i++)
      done += i * r.stats.operations[i];
   assert_int_equal(done, 16 * (64 * 3 + 128));
   assert_int_equal(done, r.stats.const_requests + r.stats.attr_requests + r.stats.reg_requests[0] +
                             r.stats.reg_requests[1] + r.stats.output[SGT_EU_OUTPUT_SEND]);
   /* With one register file, only four are possible. */
   s.params.two_files = false;
   assert_int_equal(run(&s).stats.operations[5], 0);
}

/* The FIFO limits the number of outstanding requests. */
static void
const_fifo(void **state)
{
   struct sgt_instr pattern[8];
   for (unsigned i = 0; i < 8; i++)
      pattern[i] = mov((struct sgt_operand)TEMP(i), (struct sgt_operand)CONST(1));
   struct setup s = start(pattern, 8, 64);
   s.warps = 16;
   s.params.const_latency = 8;
   for (uint32_t fifo = 1; fifo <= 16; fifo *= 2) {
      s.params.const_fifo = fifo;
      /* The last threads do not overlap with others. */
      const uint64_t bound = 64 * 16 * MAX2(1, 8 / (int)fifo), cycles = added(s, 64);
      assert_in_range(cycles, bound, fifo == 1 ? bound : bound + bound / 4);
      assert_int_equal(run(&s).stats.max_const_fifo, MIN2(fifo, 8));
   }
}

/* A miss delays only the threads that wait for it, or all threads. */
static void
const_miss(void **state)
{
   struct sgt_instr pattern[4] = {
      mov((struct sgt_operand)TEMP(0), (struct sgt_operand)CONST(1)),
      free_mads[0],
      free_mads[1],
      free_mads[2],
   };
   struct setup s = start(pattern, 4, 256);
   s.memory = 200;
   s.params.code_sets = 64;
   struct result r = run(&s);
   assert_int_equal(r.stats.const_line_reads, 1);
   assert_int_equal(r.stats.const_stall, 0);
   s.params.const_blocking = true;
   r = run(&s);
   assert_int_equal(r.stats.const_line_reads, 1);
   /* From the request to the cycle before the answer. */
   assert_int_equal(r.stats.const_stall, 200 - 1);
   assert_int_equal(r.stats.thread[SGT_EU_STALL], 200 - 1);
}

/* A hit after a miss gets its constant immediately, unless the FIFO keeps the order. */
static void
const_order(void **state)
{
   struct sgt_instr pattern[4];
   for (unsigned i = 0; i < 4; i++)
      pattern[i] = mov((struct sgt_operand)TEMP(i), (struct sgt_operand)CONST(0));
   pattern[3].src[0].index = 64;
   struct setup s = start(pattern, 4, 4);
   s.warps = 2;
   s.memory = 100;
   const struct result found = run(&s);
   s.params.const_in_order = true;
   const struct result order = run(&s);
   assert_int_equal(found.stats.const_requests, order.stats.const_requests);
   assert_int_equal(found.stats.const_line_reads, 2);
   assert_int_equal(order.stats.const_line_reads, 2);
   assert_true(order.stats.thread[SGT_EU_CONST] >= found.stats.thread[SGT_EU_CONST]);
   assert_true(order.cycles >= found.cycles);
}

/* Draws that use two contexts alternately. */
static void
contexts(void **state)
{
   struct sgt_instr pattern[8];
   for (unsigned i = 0; i < 8; i++)
      pattern[i] = mov((struct sgt_operand)TEMP(i), (struct sgt_operand)CONST(4 * i));
   struct setup s = start(pattern, 8, 8);
   s.operations = 10;
   s.constants = TURNS;
   s.params.const_scope = SGT_CONST_VERSION;
   s.params.constants.contexts = 2;
   struct result r = run(&s);
   assert_int_equal(r.stats.const_line_reads, 2 * 8);
   assert_int_equal(r.constants.evicted, 0);
   assert_int_equal(r.stats.launch[SGT_EU_LAUNCH_CONTEXT], 0);
   s.params.constants.contexts = 1;
   r = run(&s);
   assert_int_equal(r.stats.const_line_reads, 10 * 8);
   assert_int_equal(r.constants.evicted, 9);
   assert_true(r.stats.launch[SGT_EU_LAUNCH_CONTEXT] > 0);
   /* Each draw has a separate context. */
   s.params.const_scope = SGT_CONST_OPERATION;
   s.params.constants.contexts = 16;
   assert_int_equal(run(&s).stats.const_line_reads, 10 * 8);
}

/* Draws that use one context, with a change of a constant before each. */
static void
versions(void **state)
{
   struct sgt_instr pattern[8];
   for (unsigned i = 0; i < 8; i++)
      pattern[i] = mov((struct sgt_operand)TEMP(i), (struct sgt_operand)CONST(4 * i));
   struct setup s = start(pattern, 8, 8);
   s.operations = 10;
   s.constants = CHANGES;
   s.params.const_scope = SGT_CONST_VERSION;
   s.params.constants.versions = 16;
   struct result r = run(&s);
   assert_int_equal(r.stats.const_line_reads, 8 + 9);
   assert_int_equal(r.constants.versions, 9);
   assert_int_equal(r.stats.launch[SGT_EU_LAUNCH_VERSION], 0);
   assert_true(r.constants.max_mapping > 1);
   const uint64_t shared = r.cycles;
   s.params.constants.versions = 1;
   r = run(&s);
   assert_int_equal(r.stats.const_line_reads, 10 * 8);
   assert_true(r.stats.launch[SGT_EU_LAUNCH_VERSION] > 0);
   assert_true(r.cycles > shared);
   /* There is no space for an altered constant next to the old one. */
   s.params.constants.versions = 16;
   s.params.constants.mapping = 0;
   r = run(&s);
   assert_int_equal(r.stats.const_line_reads, 8 + 9);
   assert_int_equal(r.constants.max_mapping, 0);
   assert_true(r.stats.launch[SGT_EU_LAUNCH_MAPPING] > 0);
}

/* Fuses an operation with the output of its result, and with a sample that uses its result. */
static void
fused(void **state)
{
   struct sgt_instr pattern[2] = {
      mad((struct sgt_operand)TEMP(3), (struct sgt_operand)TEMP(0), (struct sgt_operand)TEMP(1),
          none),
      mov((struct sgt_operand)OUTPUT(0), (struct sgt_operand)TEMP(3)),
   };
   struct setup s = start(pattern, 2, 64);
   s.params.queue = 8;
   struct result r = run(&s);
   /* All but the first pair are fused, whose move is still on its way. */
   assert_int_equal(r.stats.fused_moves, 31);
   s.warps = 16;
   r = run(&s);
   assert_true(r.stats.fused_moves > 0);
   assert_int_equal(r.stats.operations_alu, 16 * 64 - r.stats.fused_moves);
   assert_int_equal(r.stats.instructions, 16 * 64);
   assert_int_equal(r.stats.outputs, 16 * 32);
   const uint64_t with = r.cycles;
   s.params.fuse = false;
   r = run(&s);
   assert_int_equal(r.stats.fused, 0);
   assert_int_equal(r.stats.operations_alu, 16 * 64);
   assert_int_equal(r.stats.outputs, 16 * 32);
   assert_true(r.cycles > with);

   /* When the operation is decoded, the sample is in the queue. */
   struct sgt_instr sample[3] = { free_mads[0], pattern[0], pattern[1] };
   s = start(sample, 3, 3);
   struct sgt_instr *tex = &sample[2];
   *tex = mov((struct sgt_operand)TEMP(4), (struct sgt_operand)TEMP(3));
   tex->opcode = SGPU_OP_TEX;
   tex->pipe = SGT_PIPE_TEXTURE;
   tex->flags = SGT_INSTR_ACCESS;
   s.access = (struct sgt_access){ .kind = SGT_ACCESS_TEXTURE, .lanes = 32 };
   r = run(&s);
   assert_int_equal(r.stats.fused_samples, 1);
   assert_int_equal(r.stats.samples, 1);
   const uint64_t fast = r.cycles;
   s.params.fuse = false;
   r = run(&s);
   assert_int_equal(r.stats.samples, 1);
   /* The path of the sample: the result, the register file, the data path. */
   assert_int_equal(r.cycles, fast + 4 + 1);
}

/* A taken jump: issue, resolution, fetch, decode. */
static void
jumps(void **state)
{
   struct sgt_instr pattern[3] = { nop, nop, nop };
   struct sgt_run runs[20];
   pattern[1].opcode = SGPU_OP_BRA;
   pattern[1].flags = SGT_INSTR_JUMP;
   for (unsigned i = 0; i < 20; i++)
      runs[i] = (struct sgt_run){ .pc = 0, .count = 2 };
   struct setup s = start(pattern, 3, 3);
   s.runs = runs;
   s.num_runs = 10;
   const struct result ten = run(&s);
   s.num_runs = 20;
   const struct result twenty = run(&s);
   assert_int_equal(twenty.cycles - ten.cycles, 10 * (1 + 1 + 2 + 3 + 1));
   assert_int_equal(twenty.stats.taken, 19);
   assert_int_equal(twenty.stats.jumps, 20);
   /* A jump that is not taken keeps its queue. */
   s.num_runs = 0;
   assert_int_equal(run(&s).stats.flushed, 0);
}

/* Two warps meet at a barrier although one starts later. */
static void
barriers(void **state)
{
   struct sgt_instr pattern[4] = { nop, nop, nop, nop };
   pattern[2].opcode = SGPU_OP_BAR;
   pattern[2].flags = SGT_INSTR_BARRIER;
   struct setup s = start(pattern, 4, 4);
   s.stage = SGPU_STAGE_COMPUTE;
   s.warps = s.group = 8;
   struct result r = run(&s);
   assert_int_equal(r.stats.barriers, 8);
   assert_true(r.stats.thread[SGT_EU_BARRIER] > 0);
   /* Threads of eight lanes: a warp has 4 threads. */
   s.params.width = 8;
   s.warps = s.group = 4;
   r = run(&s);
   assert_int_equal(r.stats.barriers, 16);
   assert_int_equal(r.stats.threads, 16);
}

/* Loads, stores and atomics: one request for each line, and answers to the threads that wait. */
static void
memory(void **state)
{
   struct sgt_instr pattern[2] = { nop, nop };
   pattern[0] = mov((struct sgt_operand)TEMP(1), (struct sgt_operand)TEMP(0));
   pattern[0].pipe = SGT_PIPE_MEMORY;
   pattern[0].flags = SGT_INSTR_ACCESS;
   pattern[1] = mov((struct sgt_operand)TEMP(2), (struct sgt_operand)TEMP(1));
   struct setup s = start(pattern, 2, 2);
   s.access = (struct sgt_access){ .kind = SGT_ACCESS_LOAD, .num_lines = 4, .lanes = 32 };
   for (unsigned i = 0; i < 4; i++)
      s.lines[i] = SGT_LINE(i / 2 * 64, i);
   struct result r = run(&s);
   assert_int_equal(r.stats.memory_reads, 2);
   assert_int_equal(r.stats.responses, 2);
   const uint64_t two = r.cycles;
   s.lines[1] = SGT_LINE(640, 1);
   r = run(&s);
   assert_int_equal(r.stats.memory_reads, 3);
   assert_int_equal(r.cycles, two + 1);
   s.memory += 30;
   struct result slow = run(&s);
   /* Code arrives later, too. */
   assert_int_equal(slow.cycles, r.cycles + 60);
   s.access.kind = SGT_ACCESS_STORE;
   pattern[0].dst = none;
   r = run(&s);
   assert_int_equal(r.stats.memory_writes, 3);
   assert_int_equal(r.stats.responses, 0);
   s.access.kind = SGT_ACCESS_SHARED;
   s.access.work = 5;
   pattern[0].pipe = SGT_PIPE_SHARED;
   r = run(&s);
   assert_int_equal(r.stats.shared, 1);
   assert_int_equal(r.stats.output[SGT_EU_OUTPUT_SEND], 5);
   /* The four threads of a warp make one access. */
   s.params.width = 8;
   r = run(&s);
   assert_int_equal(r.stats.shared, 1);
   assert_int_equal(r.stats.outputs, 4);
}

static void
refused(void **state)
{
   struct sgt_eu_params p;
   char error[256];
   sgt_eu_params_init(&p);
   assert_true(sgt_eu_params_check(&p, error, sizeof(error)));
   p.threads = 3;
   assert_false(sgt_eu_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "eu.threads = 3: expected an even number");
   p.threads = 4;
   p.width = 4;
   assert_false(sgt_eu_params_check(&p, error, sizeof(error)));
   p.width = 24;
   assert_false(sgt_eu_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "eu.width: 24 is not a power of 2");
   p.width = 8;
   assert_true(sgt_eu_params_check(&p, error, sizeof(error)));
   p.queue = 17;
   assert_false(sgt_eu_params_check(&p, error, sizeof(error)));
   assert_string_equal(error, "eu.queue: 17 is not from 1 to 16");

   /* A workgroup with barriers that does not fit. */
   struct sgt_instr bar = nop;
   struct sgt_program *program = calloc(1, sizeof(*program));
   assert_non_null(program);
   bar.flags = SGT_INSTR_BARRIER;
   program->stage = SGPU_STAGE_COMPUTE;
   program->num_instrs = 1;
   program->instrs = malloc(sizeof(bar));
   assert_non_null(program->instrs);
   program->instrs[0] = bar;
   struct sgt_work_builder *b = sgt_work_builder_create();
   sgt_work_builder_program(b, program);
   sgt_work_builder_operation(b, 0, 17);
   for (unsigned i = 0; i < 17; i++)
      sgt_work_builder_warp(b, 0, ~0u, 0);
   struct sgt_work *work = sgt_work_builder_finish(b);
   assert_non_null(work);
   sgt_work_builder_destroy(b);
   sgt_eu_params_init(&p);
   assert_false(sgt_eu_work_check(&p, work, error, sizeof(error)));
   assert_string_equal(error, "operation 0 has workgroups of 17 warps that meet at barriers: more "
                              "than eu.threads = 16 of eu.width = 32 lanes");
   p.threads = 18;
   assert_true(sgt_eu_work_check(&p, work, error, sizeof(error)));
   sgt_work_destroy(work);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain),       cmocka_unit_test(register_files), cmocka_unit_test(broadcast),
      cmocka_unit_test(arbiters),    cmocka_unit_test(queues),         cmocka_unit_test(predecode),
      cmocka_unit_test(operations),  cmocka_unit_test(const_fifo),     cmocka_unit_test(const_miss),
      cmocka_unit_test(const_order), cmocka_unit_test(contexts),       cmocka_unit_test(versions),
      cmocka_unit_test(fused),       cmocka_unit_test(jumps),          cmocka_unit_test(barriers),
      cmocka_unit_test(memory),      cmocka_unit_test(refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
