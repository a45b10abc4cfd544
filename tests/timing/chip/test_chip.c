/* SPDX-License-Identifier: MIT */
/*
 * Tests the whole chip: published peak rates, conditions that hold in every run, and equal cycles
 * if the order of units is shuffled.
 */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/sgt_chip_state.h"
#include "kernel/sgt_dump.h"
#include "util/macros.h"

#define WIDTH 512

struct scene {
   struct rig rig; /* builds the trace and the work */
   struct sgt_trace *trace;
   struct sgt_run runs[16]; /* one run of each program */
   struct sgt_chip_params params;
   struct sgt_chip *chip;
   struct sgt_stats stats;
   struct sgt_chip_observe observe;
   struct sgt_chip_result result;
};

static struct scene *
begin(void)
{
   struct scene *s = calloc(1, sizeof(*s));
   assert_non_null(s);
   rig_begin(&s->rig);
   sgt_chip_params_init(&s->params);
   return s;
}

/* Adds a program of independent multiply-adds. */
static uint32_t
program(struct scene *s, enum sgpu_stage stage, uint32_t num, uint32_t inputs)
{
   const uint32_t number = rig_program(&s->rig, stage, 16, inputs);
   struct sgt_program *p = s->rig.programs[number];
   p->num_instrs = p->num_uops = num;
   p->instrs = calloc(num, sizeof(*p->instrs));
   p->uops = calloc(num, sizeof(*p->uops));
   assert_true(p->instrs && p->uops);
   for (uint32_t i = 0; i < num; i++) {
      p->instrs[i] = (struct sgt_instr){
         .opcode = SGPU_OP_MAD, .pipe = SGT_PIPE_ALU, .first_uop = i, .num_uops = 1
      };
      p->uops[i] = (struct sgt_uop){
         .pipe = SGT_PIPE_ALU,
         .flags = SGT_UOP_LAST,
         .dst = i % 16,
         .dsts = 1,
         .src = { SGT_REG_NONE, SGT_REG_NONE, SGT_REG_NONE },
         .instr = i,
      };
   }
   s->runs[number] = (struct sgt_run){ 0, num, UINT32_MAX };
   return number;
}

static void
make(struct scene *s)
{
   struct rig *r = &s->rig;
   s->trace = sgt_trace_builder_finish(r->builder);
   assert_non_null(s->trace);
   for (uint32_t i = 0; i < r->work.num_warps; i++) {
      r->warps[i].first_run = r->warps[i].program;
      r->warps[i].num_runs = 1;
   }
   r->work.programs = r->programs;
   r->work.warps = r->warps;
   r->work.runs = s->runs;
   r->work.num_runs = ARRAY_SIZE(s->runs);
   r->work.quads = r->quads;
   r->work.lines = r->lines;
   r->work.operations = r->work_operations;
}

/* The shares of operations must add up to the cycles of the run.  The states in stacks and in rows
 * over time must add up, too.
 */
static void
check_result(const struct scene *s)
{
   const struct sgt_chip_result *r = &s->result;
   uint64_t cycles = r->rest, latest = 0;
   assert_int_equal(r->cycles, sgt_chip_cycles(s->chip));
   assert_int_equal(r->num_operations, s->trace->num_operations);
   for (uint32_t i = 0; i < r->num_operations; i++) {
      const struct sgt_chip_operation *op = &r->operations[i];
      assert_true(op->begin < op->end && op->end <= r->cycles);
      assert_int_equal(op->cycles, MAX2(latest, op->end) - latest);
      latest = MAX2(latest, op->end);
      cycles += op->cycles;
   }
   assert_int_equal(cycles, r->cycles);
   for (uint32_t i = 0; i < r->num_classes; i++) {
      const struct sgt_chip_class *c = &r->classes[i];
      /* Other clocks may have two edges in a core cycle, and a bus records its states later, so
       * only units with the core clock match exactly.
       */
      const bool exact = c->mhz == s->params.core_mhz;
      uint64_t sum = 0, all = 0;
      for (uint32_t op = 0; r->stacks && op <= r->num_operations; op++) {
         const uint64_t share = op < r->num_operations ? r->operations[op].cycles : r->rest;
         const uint64_t *row = sgt_chip_result_stack(r, op);
         uint64_t states = 0;
         for (uint32_t k = 0; k < c->num; k++)
            states += row[c->first + k];
         if (exact)
            assert_int_equal(states, share * c->units);
         sum += states;
      }
      for (uint64_t n = 0; n < r->intervals; n++) {
         const uint64_t begin = n * r->interval;
         uint64_t states = 0;
         for (uint32_t k = 0; k < c->num; k++)
            states += r->series[n * r->num_values + c->first + k];
         if (exact)
            assert_int_equal(states, MIN2(r->interval, r->cycles - begin) * c->units);
         all += states;
      }
      if (r->stacks && r->intervals)
         assert_int_equal(sum, all);
   }
}

/* Returns the sum of a part of a statistic, or of a count, over units whose names begin with
 * `unit`.
 */
static uint64_t
total(const struct scene *s, const char *unit, const char *name, uint32_t value)
{
   uint64_t sum = 0;
   for (uint32_t i = 0; i < s->stats.num; i++) {
      const struct sgt_stat *t = &s->stats.stats[i];
      if (!strncmp(t->unit, unit, strlen(unit)) && !strcmp(t->name, name))
         sum += t->values[value];
   }
   return sum;
}

/* Rows must add up to the statistics. */
static void
check_totals(const struct scene *s)
{
   static const struct {
      const char *name, *unit, *stat;
   } classes[] = {
      { "host", "host", "states" },
      { "dist-pixel", "distribution", "pixel-states" },
      { "sm", "sm", "states" },
      { "tex", "tex", "front" },
      { "output", "output", "states" },
      { "xbar-requests", "xbar.requests", "states" },
      { "partition", "partition", "states" },
      { "gddr", "gddr", "bus" },
   };
   const struct sgt_chip_result *r = &s->result;
   for (unsigned i = 0; i < ARRAY_SIZE(classes); i++) {
      const struct sgt_chip_class *c = sgt_chip_result_class(r, classes[i].name);
      assert_non_null(c);
      for (uint32_t k = 0; k < c->num; k++) {
         uint64_t stacks = 0, series = 0;
         for (uint32_t op = 0; op <= r->num_operations; op++)
            stacks += sgt_chip_result_stack(r, op)[c->first + k];
         for (uint64_t n = 0; n < r->intervals; n++)
            series += r->series[n * r->num_values + c->first + k];
         assert_int_equal(stacks, total(s, classes[i].unit, classes[i].stat, k));
         assert_int_equal(series, stacks);
      }
   }
   assert_int_equal(r->num_classes, 22);
   for (uint32_t i = 0; i < r->num_counters; i++) {
      uint64_t stacks = 0;
      for (uint32_t op = 0; op <= r->num_operations; op++)
         stacks += sgt_chip_result_stack(r, op)[r->num_states + i];
      if (!strcmp(r->counters[i].name, "dram-reads"))
         assert_int_equal(stacks, total(s, "partition", "dram-reads", 0));
      if (!strcmp(r->counters[i].name, "pixel-instructions"))
         assert_int_equal(stacks, total(s, "sm", "pixel-instructions", 0));
   }
   assert_int_equal(r->num_counters, 21);
}

static void
run(struct scene *s)
{
   char error[256] = "";
   make(s);
   s->params.max_cycles = 10000000;
   s->chip = sgt_chip_create(&s->params, s->trace, &s->rig.work, error, sizeof(error));
   assert_string_equal(error, "");
   assert_non_null(s->chip);
   assert_true(sgt_chip_observe(s->chip, &s->observe, &s->result));
   sgt_chip_run(s->chip, error, sizeof(error));
   assert_string_equal(error, "");
   sgt_stats_init(&s->stats);
   sgt_chip_register(s->chip, &s->stats);
   unit_rig_check(&s->stats);
   check_result(s);
}

static void
end(struct scene *s)
{
   sgt_chip_destroy(s->chip);
   sgt_chip_result_finish(&s->result);
   sgt_stats_finish(&s->stats);
   sgt_trace_destroy(s->trace);
   for (uint32_t i = 0; i < s->rig.work.num_programs; i++) {
      free(s->rig.programs[i]->instrs);
      free(s->rig.programs[i]->uops);
   }
   rig_end(&s->rig);
   free(s);
}

static uint64_t
stat(const struct scene *s, const char *unit, const char *name)
{
   return unit_rig_stat(&s->stats, unit, name);
}

/* 36 Gflops per SM (Lindholm et al.  2008): 8 multiply-adds per SP clock, so an instruction of a
 * warp takes two scheduler cycles.
 */
static void
grids_reach_the_peak_of_the_sms(void **state)
{
   struct scene *s = begin();
   const uint32_t n = 400, warps = 16 * 96; /* the program fits the instruction cache */
   const uint32_t cs = program(s, SGPU_STAGE_COMPUTE, n, 0);
   s->params.sm.banks = 0;
   rig_operation(&s->rig, 0, 4);
   for (uint32_t i = 0; i < warps / 4; i++)
      rig_warps(&s->rig, cs, 4, i, 0, 0);
   run(s);
   const uint64_t peak = (uint64_t)n * 96 * 2;
   const uint64_t cycles = sgt_chip_sm_cycles(s->chip);
   print_message("[   INFO   ] %u SM cycles, peak %u\n", (unsigned)cycles, (unsigned)peak);
   assert_true(cycles >= peak && cycles < peak * 102 / 100);
   assert_int_equal(stat(s, "distribution", "grid-ended"), warps);
   /* The command takes its cycles, and the only operation ends with the run. */
   const struct sgt_chip_operation *op = &s->result.operations[0];
   assert_int_equal(op->begin, s->params.front.ia.command);
   assert_int_equal(op->cycles, op->end);
   assert_int_equal(op->end, sgt_chip_cycles(s->chip));
   end(s);
}

/* Draws rectangles over a target.  A warp belongs to the tile list of its tile of 64x64 pixels, as
 * on the device.  Depths are cleared first; otherwise, fetching the old depths would bound the
 * first layer.
 */
static void
fill(struct scene *s, uint32_t layers, bool depth, bool color)
{
   struct rig *r = &s->rig;
   const uint32_t vs = program(s, SGPU_STAGE_VERTEX, 4, 4);
   const uint32_t ps = color ? program(s, SGPU_STAGE_PIXEL, 1, 0) : 0;
   if (depth) {
      rig_operation(r, 0, 0);
      rig_target(&s->rig, 0, WIDTH, SGT_TARGET_DEPTH | SGT_TARGET_WRITE);
      rig_transfer(r, SGT_ITEM_CLEAR, 0);
   }
   rig_operation(r, 0, 0);
   if (depth)
      rig_target(&s->rig, 0, WIDTH,
                 SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE | SGT_TARGET_EARLY);
   if (color)
      rig_target(&s->rig, 1, WIDTH, SGT_TARGET_WRITE);
   rig_warps(r, vs, 1, 0, 4, 1);
   const uint32_t first = r->num_items;
   for (uint32_t i = 0; i < layers; i++)
      rig_item(r, 0, 0, 0, WIDTH, WIDTH, false);
   for (uint32_t tile = 0; color && tile < WIDTH / 64 * WIDTH / 64; tile++) {
      for (uint32_t i = 0; i < layers; i++) {
         for (uint32_t block = 0; block < 128; block++) {
            rig_pixels(r, ps, first + i, tile % (WIDTH / 64) * 64 + block % 8 * 8,
                       tile / (WIDTH / 64) * 64 + block / 8 * 4);
            r->warps[r->work.num_warps - 1].group = tile;
         }
      }
   }
   run(s);
}

/* Returns the share of the peak rate, in hundredths of a percent. */
static uint64_t
share(const struct scene *s, uint64_t pixels, uint32_t peak)
{
   const uint64_t each = pixels * 10000 / peak / sgt_chip_cycles(s->chip);
   print_message("[   INFO   ] %u.%02u %% of %u pixels a core cycle\n", (unsigned)(each / 100),
                 (unsigned)(each % 100), peak);
   return each;
}

/* Four pixels per clock and ROP without depth and blending: 24 per cycle with six ROPs. */
static void
colours_fill(void **state)
{
   const uint32_t layers = 6;
   struct scene *s = begin();
   fill(s, layers, false, true);
   assert_in_range(share(s, (uint64_t)layers * WIDTH * WIDTH, 24), 9900, 10000);
   uint64_t written = 0;
   for (unsigned i = 0; i < 8; i++) {
      char name[16];
      snprintf(name, sizeof(name), "output%u", i);
      written += stat(s, name, "color-samples");
   }
   assert_int_equal(written, layers * WIDTH * WIDTH);
   end(s);
}

/* Only depth: eight pixels per clock and ROP. */
static void
depths_fill(void **state)
{
   const uint32_t layers = 12;
   struct scene *s = begin();
   fill(s, layers, true, false);
   assert_in_range(share(s, (uint64_t)layers * WIDTH * WIDTH, 48), 9900, 10000);
   assert_int_equal(stat(s, "early", "tested-pixels"), layers * WIDTH * WIDTH);
   end(s);
}

static void
mixed(struct scene *s, uint64_t seed, bool shuffle)
{
   struct rig *r = &s->rig;
   struct sgt_random random = { seed };
   s->params.shuffle = shuffle;
   s->params.shuffle_seed = seed;
   const uint32_t vs = program(s, SGPU_STAGE_VERTEX, 30, 12);
   const uint32_t ps = program(s, SGPU_STAGE_PIXEL, 20, 8);
   const uint32_t cs = program(s, SGPU_STAGE_COMPUTE, 100, 0);
   for (unsigned op = 0; op < 10; op++) {
      const uint32_t kind = sgt_random_below(&random, 5), to = sgt_random_below(&random, 3);
      const uint32_t first = r->num_items;
      rig_operation(r, 1024, 2);
      if (kind == 0) {
         rig_target(&s->rig, 1 + to, WIDTH, SGT_TARGET_WRITE);
         rig_transfer(r, SGT_ITEM_CLEAR, to);
         continue;
      }
      if (kind == 1) {
         for (unsigned group = 0; group < 20; group++)
            rig_warps(r, cs, 2, group, 0, 0);
         continue;
      }
      if (sgt_random_below(&random, 2))
         rig_reads(r, sgt_random_below(&random, 3));
      rig_target(&s->rig, 0, WIDTH,
                 SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE |
                    (kind == 2 ? SGT_TARGET_EARLY : 0));
      rig_target(&s->rig, 1 + to, WIDTH,
                 SGT_TARGET_WRITE | (kind == 3 ? SGT_TARGET_READ | SGT_TARGET_BLEND : 0));
      rig_warps(r, vs, 6, 0, 12, 4);
      for (unsigned i = 0; i < 30; i++) {
         const uint32_t x = 8 * sgt_random_below(&random, 50);
         const uint32_t y = 4 * sgt_random_below(&random, 50);
         rig_item(r, to, x, y, 16, 16, i % 3 == 0);
         if (i % 3)
            rig_pixels(r, ps, first + i, x, y);
         /* All warps of a tile list. */
         r->warps[r->work.num_warps - 1].group = i;
      }
   }
   run(s);
}

/* Neither the order of units nor the observed data may change the result. */
static void
shuffles_are_equal(void **state)
{
   for (uint64_t seed = 1; seed <= 4; seed++) {
      struct scene *a = begin(), *b = begin();
      mixed(a, seed, false);
      b->observe = (struct sgt_chip_observe){ .stacks = true,
                                              .interval = 7,
                                              .max_intervals = seed & 1 ? 64 : 0 };
      mixed(b, seed, true);
      check_totals(b);
      assert_true(!(seed & 1) || b->result.intervals <= 64);
      assert_memory_equal(a->result.operations, b->result.operations,
                          a->result.num_operations * sizeof(*a->result.operations));
      assert_int_equal(sgt_chip_cycles(a->chip), sgt_chip_cycles(b->chip));
      assert_int_equal(a->stats.num, b->stats.num);
      assert_true(a->stats.num >= 400);
      for (uint32_t i = 0; i < a->stats.num; i++)
         if (memcmp(a->stats.stats[i].values, b->stats.stats[i].values,
                    a->stats.stats[i].num * sizeof(uint64_t)))
            fail_msg("%s.%s differs", a->stats.stats[i].unit, a->stats.stats[i].name);
      end(a);
      end(b);
   }
}

static void
pixels_without_targets_are_refused(void **state)
{
   struct scene *s = begin();
   char error[256] = "";
   const uint32_t ps = program(s, SGPU_STAGE_PIXEL, 4, 0);
   rig_operation(&s->rig, 0, 0);
   rig_pixels(&s->rig, ps, rig_item(&s->rig, 0, 0, 0, 8, 4, false), 0, 0);
   make(s);
   assert_null(sgt_chip_create(&s->params, s->trace, &s->rig.work, error, sizeof(error)));
   assert_non_null(strstr(error, "the trace has no targets"));
   end(s);
}

static void
what_does_not_fit_is_refused(void **state)
{
   struct scene *s = begin();
   char error[256] = "";
   const uint32_t vs = program(s, SGPU_STAGE_VERTEX, 4, 4);
   rig_operation(&s->rig, 0, 0);
   rig_warps(&s->rig, vs, 1, 0, 4, 0);
   make(s);
   s->params.sp_mhz = 1501;
   assert_null(sgt_chip_create(&s->params, s->trace, &s->rig.work, error, sizeof(error)));
   assert_string_equal(error, "chip.sp_mhz: 1501 is odd");
   s->params.sp_mhz = 1500;
   s->params.max_cycles = 20;
   s->chip = sgt_chip_create(&s->params, s->trace, &s->rig.work, error, sizeof(error));
   assert_non_null(s->chip);
   assert_false(sgt_chip_run(s->chip, error, sizeof(error)));
   assert_string_equal(error, "the run takes more than 20 cycles");
   end(s);
}

static uint64_t
do_nothing(struct sgt_unit *unit, uint64_t now)
{
   return SGT_NEVER;
}

enum stopped {
   STOPPED_HOST,
   STOPPED_DISTRIBUTION,
   STOPPED_SETUP,
   STOPPED_COARSE,
   STOPPED_ZCULL,
   STOPPED_FINE,
   STOPPED_EARLY,
   STOPPED_SM,
   STOPPED_OUTPUT,
   STOPPED_TRANSFER,
   STOPPED_SWITCH,
   STOPPED_ROP,
   STOPPED_NETWORK,
   STOPPED_PARTITION,
   STOPPED_GDDR,
   NUM_STOPPED,
};

/* Runs a chip in which a unit does nothing, and returns the error. */
static void
run_stopped(enum stopped stopped, enum sgt_core_kind core, char *error, size_t error_size)
{
   struct scene *s = begin();
   struct rig *r = &s->rig;
   const uint32_t vs = program(s, SGPU_STAGE_VERTEX, 4, 4);
   const uint32_t ps = program(s, SGPU_STAGE_PIXEL, 20, 0);

   s->params.core = core;
   const struct sgt_core_params core_params = sgt_chip_core_params(&s->params);
   const struct sgt_core_room room = sgt_core_room(&core_params);
   s->params.front.dist.sm_warps = room.warps;
   s->params.front.dist.sm_threads = room.threads;
   s->params.front.dist.sm_groups = MIN2(room.groups, s->params.front.dist.sm_groups);
   rig_operation(r, 0, 0);
   rig_target(&s->rig, 0, WIDTH, SGT_TARGET_DEPTH | SGT_TARGET_WRITE);
   rig_transfer(r, SGT_ITEM_CLEAR, 0);
   rig_operation(r, 0, 0);
   rig_target(&s->rig, 0, WIDTH,
              SGT_TARGET_DEPTH | SGT_TARGET_READ | SGT_TARGET_WRITE | SGT_TARGET_EARLY);
   rig_target(&s->rig, 1, WIDTH, SGT_TARGET_READ | SGT_TARGET_WRITE | SGT_TARGET_BLEND);
   rig_warps(r, vs, 4, 0, 4, 1);
   for (uint32_t i = 0; i < 40; i++)
      rig_pixels(r, ps, rig_item(r, 1, i % 8 * 64, i / 8 * 64, 8, 4, false), i % 8 * 64,
                 i / 8 * 64);
   make(s);
   s->chip = sgt_chip_create(&s->params, s->trace, &r->work, error, error_size);
   if (!s->chip)
      fail_msg("%s", error);
   struct sgt_chip *c = s->chip;
   struct sgt_unit *units[NUM_STOPPED] = {
      [STOPPED_HOST] = &c->front.ia.unit,
      [STOPPED_DISTRIBUTION] = &c->front.dist.unit,
      [STOPPED_SETUP] = &c->front.setup.unit,
      [STOPPED_COARSE] = &c->front.coarse.unit,
      [STOPPED_ZCULL] = &c->front.zcull.unit,
      [STOPPED_FINE] = &c->front.fine.unit,
      [STOPPED_EARLY] = &c->early.unit,
      [STOPPED_SM] = sgt_core_unit(&c->sms[0]),
      [STOPPED_OUTPUT] = &c->outputs[1].unit,
      [STOPPED_TRANSFER] = &c->transfer.unit,
      [STOPPED_SWITCH] = &c->switches[0].unit,
      [STOPPED_ROP] = &c->rops[0].unit,
      [STOPPED_NETWORK] = &c->memory.xbar.requests.unit,
      [STOPPED_PARTITION] = &c->memory.partitions[0].unit,
      [STOPPED_GDDR] = &c->memory.partitions[0].gddr.unit,
   };
   units[stopped]->tick = do_nothing;
   if (stopped == STOPPED_GDDR)
      for (uint32_t i = 0; i < c->num_rops; i++)
         c->memory.partitions[i].gddr.unit.tick = do_nothing;
   assert_false(sgt_chip_run(s->chip, error, error_size));
   end(s);
}

/* Whether a line of the error is about the unit and has the text. */
static bool
has_line(const char *error, const char *unit, const char *text)
{
   char start[48], line[1024];
   snprintf(start, sizeof(start), "\n  %s", unit);
   for (const char *at = error; (at = strstr(at, start)); at++) {
      snprintf(line, sizeof(line), "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
      if (strstr(line, text))
         return true;
   }
   return false;
}

/* The error names what waits, how many there are, and for how long. */
static void
a_stopped_chip_says_why(void **state)
{
   static const struct {
      enum stopped stopped;
      const char *unit, *text;
   } cases[] = {
      { STOPPED_HOST, "host", "operations to begin 2" },
      { STOPPED_DISTRIBUTION, "distribution", "orders 4 of 4, oldest " },
      { STOPPED_SETUP, "setup", "outputs 4 of 4, oldest " },
      { STOPPED_COARSE, "coarse", "primitives 41 of 42, oldest " },
      { STOPPED_ZCULL, "zcull", "tiles " },
      { STOPPED_FINE, "fine", "tiles " },
      { STOPPED_EARLY, "early", "blocks of fine raster " },
      { STOPPED_SM, "sm0", "launches " },
      { STOPPED_OUTPUT, "output1", "warps of the distributor " },
      { STOPPED_TRANSFER, "transfer", "operations 1 of 4, oldest " },
      { STOPPED_SWITCH, "rop-switch0", "requests of client " },
      { STOPPED_ROP, "rop0", "requests " },
      { STOPPED_NETWORK, "xbar", "before it " },
      { STOPPED_PARTITION, "partition.0", "requests of the " },
      { STOPPED_GDDR, "gddr.", "requests of the partition " },
   };
   unsigned missing = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      char error[SGT_ERROR_BYTES] = "";
      run_stopped(cases[i].stopped, SGT_CORE_SM, error, sizeof(error));
      const bool stops = strstr(error, "the chip stopped") || strstr(error, " at the end\n");
      if (stops && has_line(error, cases[i].unit, cases[i].text))
         continue;
      print_error("no line of %s with '%s': %s\n", cases[i].unit, cases[i].text, error);
      missing++;
   }
   assert_int_equal(missing, 0);
   /* An execution unit, and a buffer that is too small. */
   char error[SGT_ERROR_BYTES] = "", small[128] = "";
   run_stopped(STOPPED_SM, SGT_CORE_EU, error, sizeof(error));
   assert_true(has_line(error, "eu0", "launches "));
   run_stopped(STOPPED_SM, SGT_CORE_SM, small, sizeof(small));
   assert_int_equal(strlen(small), sizeof(small) - 1);
   assert_string_equal(small + sizeof(small) - 5, "\n...");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(grids_reach_the_peak_of_the_sms),
      cmocka_unit_test(colours_fill),
      cmocka_unit_test(depths_fill),
      cmocka_unit_test(shuffles_are_equal),
      cmocka_unit_test(pixels_without_targets_are_refused),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(a_stopped_chip_says_why),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
