/* SPDX-License-Identifier: MIT */
/*
 * Warps as objects: several of them exist at once, suspended after any number of instructions and
 * continued by another worker. Also warps that never end.
 */
#include <stdio.h>

#include "../../unit.h"
#include "random_code.h"
#include "sgpu_fp.h"

#define NUM_WARPS 6
#define NUM_WORKERS 2

static void *
allocate(size_t size)
{
   void *p = aligned_alloc(64, (size + 63) & ~(size_t)63);
   assert_non_null(p);
   memset(p, 0xa5, size);
   return p;
}

static struct sgd_shader *
load(const struct code *code)
{
   const char *error;
   struct sgd_shader *shader = code_load(code, &error);
   if (!shader) {
      print_code(code);
      fail_msg("refused: %s", error);
   }
   return shader;
}

/* A warp with separate registers, and its expected results. */
struct object {
   struct sgd_warp warp;
   uint8_t *file;
   struct sgd_shader *shader;
   struct code code;
   struct warp expected;
   bool ended;
};

static void
object_create(struct object *o, const struct level *level)
{
   o->file = allocate(o->shader->file_size);
   o->shader->code->execute = level->interpret;
   memset(&o->warp, 0xa5, sizeof(o->warp));
   level->warp_init(&o->warp, o->shader, &o->expected.env, o->file);
   test_set_registers(&o->warp, &o->expected);
   level->warp_start(&o->warp, o->expected.active, o->expected.live);
   o->ended = false;
}

static void
object_free(struct object *o)
{
   free(o->file);
}

static void
check_end(const struct object *o, const struct level *level)
{
   const struct warp *e = &o->expected;

   if (o->warp.live != e->live_out || o->warp.issued != e->issued) {
      print_code(&o->code);
      fail_msg("%s: live lanes %08x after %u instructions, uninterrupted %08x after %u",
               level->name, o->warp.live, (unsigned)o->warp.issued, e->live_out,
               (unsigned)e->issued);
   }
   for (unsigned n = 0; n < 8; n++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            if (!(e->live_out & 1u << l) || o->warp.out[n].c[c][l] == e->out[n].c[c][l])
               continue;
            print_code(&o->code);
            fail_msg("%s: COLR%u.%c lane %u is %08x, uninterrupted %08x", level->name, n, "xyzw"[c],
                     l, o -> warp.out[n].c[c][l], e->out[n].c[c][l]);
         }
      }
   }
}

static void
interleave(struct object *objects, struct test_worker *const *tw, const struct level *level,
           struct rng *r)
{
   struct sgd_worker *worker[NUM_WORKERS];
   uint64_t issued = 0, expected = 0, counted = 0;

   for (unsigned k = 0; k < NUM_WORKERS; k++)
      worker[k] = test_worker_begin(tw[k], 0);
   for (unsigned n = 0; n < NUM_WARPS; n++)
      object_create(&objects[n], level);

   for (unsigned left = NUM_WARPS; left;) {
      struct object *o = &objects[rng_below(r, NUM_WARPS)];
      struct sgd_worker *w = worker[rng_below(r, NUM_WORKERS)];
      const uint64_t limit = rng_chance(r, 80) ? 1 + rng_below(r, 20) : 1 + rng_below(r, 400);
      const uint64_t before = o->warp.issued;

      /* A core must not keep anything of a suspended warp. */
      memset(&w->core->result, 0xa5, sizeof(w->core->result));
      const uint64_t saved = sgpu_fp_enter();
      const enum sgd_warp_result result = level->warp_run(&o->warp, w, limit);
      sgpu_fp_leave(saved);

      issued += o->warp.issued - before;
      if (o->ended) {
         assert_int_equal(result, SGD_WARP_ENDED);
         assert_true(o->warp.issued == before);
      } else if (result == SGD_WARP_SUSPENDED) {
         assert_true(o->warp.issued == before + limit);
         assert_true(o->warp.pc <= o->shader->num_instrs);
      } else {
         assert_int_equal(result, SGD_WARP_ENDED);
         assert_true(o->warp.issued - before <= limit);
         check_end(o, level);
         o->ended = true;
         left--;
      }
   }
   for (unsigned n = 0; n < NUM_WARPS; n++) {
      expected += objects[n].expected.issued;
      object_free(&objects[n]);
   }
   for (unsigned k = 0; k < NUM_WORKERS; k++)
      counted += worker[k]->counters[SGPU_COUNTER_INSTRUCTIONS];
   assert_true(issued == expected && counted == expected);
}

static void
test_interleaved(void **state)
{
   struct object *objects = calloc(NUM_WARPS, sizeof(*objects));
   struct test_worker *tw[NUM_WORKERS];
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);
   struct rng r = { 17 };

   for (unsigned k = 0; k < NUM_WORKERS; k++)
      tw[k] = test_worker_create();
   for (unsigned round = 0; round < 150; round++) {
      for (unsigned n = 0; n < NUM_WARPS; n++) {
         struct object *o = &objects[n];
         random_program(&r, &o->code);
         o->shader = load(&o->code);
      }
      /* All warps use the banks of the last random_warp(). */
      for (unsigned n = 0; n < NUM_WARPS; n++) {
         random_warp(&r, &objects[n].expected, rng_chance(&r, 70));
         random_rounds(&r, &objects[n].expected);
      }
      for (unsigned v = 0; v < num_levels; v++) {
         for (unsigned n = 0; n < NUM_WARPS; n++) {
            test_run(tw[0], &levels[v], objects[n].shader, &objects[n].expected);
            assert_true(objects[n].expected.ok);
         }
         interleave(objects, tw, &levels[v], &r);
      }
      for (unsigned n = 0; n < NUM_WARPS; n++)
         sgd_shader_destroy(objects[n].shader);
   }
   for (unsigned k = 0; k < NUM_WORKERS; k++)
      test_worker_destroy(tw[k]);
   free(objects);
}

/* Makes a program with o0 = v0 and o1 = v0. Lanes with v1.x end; the others loop forever. */
static void
endless_code(struct code *code, enum sgpu_stage stage)
{
   code_init(code, stage);
   code_add(code, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 0), src(SGPU_FILE_INPUT, 0)));
   code_add(code, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, 1), src(SGPU_FILE_INPUT, 0)));
   struct sgpu_instr p = op2(SGPU_OP_ISETP, dst_m(SGPU_FILE_PRED, 0, 1),
                             src_x(SGPU_FILE_INPUT, 1, 0), src_x(SGPU_FILE_INPUT, 1, 1));
   p.cond = SGPU_COND_NE;
   code_add(code, p);
   code_add(code, guarded(op0(SGPU_OP_EXIT), 0, 0, false));
   const uint32_t top = code_add(code, op0(SGPU_OP_NOP));
   code_add(code, branch(SGPU_OP_BRA, top));
}

static void
endless_inputs(struct warp *warp, uint32_t ending)
{
   memset(warp, 0, sizeof(*warp));
   for (unsigned l = 0; l < SGD_WARP; l++) {
      for (unsigned c = 0; c < 4; c++)
         warp->in[0].c[c][l] = 100 * c + l + 1;
      warp->in[1].c[0][l] = ending >> l & 1;
   }
   warp->active = warp->live = ~0u;
}

static void
check_abandoned(const struct sgd_warp *w, const struct warp *in, uint32_t ended)
{
   for (unsigned o = 0; o < 2; o++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            assert_int_equal(w->out[o].c[c][l], ended >> l & 1 ? in->in[0].c[c][l]
                                                : c == 3       ? 0x3f800000u
                                                               : 0);
         }
      }
   }
   assert_int_equal(w->live, ended);
}

/* The watchdog's count continues after a suspension. */
static void
test_endless_object(void **state)
{
   const uint32_t ended = 0x00ff10f1;
   struct test_worker *tw = test_worker_create();
   struct object *o = calloc(1, sizeof(*o));
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);

   endless_code(&o->code, SGPU_STAGE_VERTEX);
   o->shader = load(&o->code);
   for (unsigned v = 0; v < num_levels; v++) {
      const struct level *level = &levels[v];
      struct sgd_worker *worker = test_worker_begin(tw, 1000);
      enum sgd_warp_result result;

      endless_inputs(&o->expected, ended);
      object_create(o, level);
      do {
         result = level->warp_run(&o->warp, worker, 7);
      } while (result == SGD_WARP_SUSPENDED);
      assert_int_equal(result, SGD_WARP_STOPPED);
      assert_true(o->warp.issued > 1000 && o->warp.issued < 1010);
      assert_true(o->warp.pc == 4 || o->warp.pc == 5);
      level->warp_abandon(&o->warp);
      check_abandoned(&o->warp, &o->expected, ended);
      assert_int_equal(level->warp_run(&o->warp, worker, 7), SGD_WARP_ENDED);
      object_free(o);
   }
   sgd_shader_destroy(o->shader);
   free(o);
   test_worker_destroy(tw);
}

/* The second endless warp of a piece of work is stopped earlier. It does not replace the first one
 * in worker->stop.
 */
static void
test_endless_work(void **state)
{
   const enum sgpu_stage stages[] = { SGPU_STAGE_VERTEX, SGPU_STAGE_PIXEL };
   const uint32_t ended = 0x0f00f00f;
   struct test_worker *tw = test_worker_create();
   struct code *code = malloc(sizeof(*code));
   struct warp *warp = malloc(sizeof(*warp));
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);

   for (unsigned s = 0; s < 2 * num_levels; s++) {
      const struct level *level = &levels[s / 2];
      const uint64_t watchdog = UINT64_C(1) << 17;
      struct sgd_shader *shader[2];
      struct sgd_worker *worker = test_worker_begin(tw, watchdog);

      endless_inputs(warp, ended);
      endless_code(code, stages[s % 2]);
      for (unsigned k = 0; k < 2; k++) {
         shader[k] = load(code);
         shader[k]->key = 1000 + k;
         shader[k]->code->execute = level->interpret;
      }
      for (unsigned k = 0; k < 3; k++) {
         struct sgd_warp *w = &worker->core->warp;
         const uint64_t before = worker->counters[SGPU_COUNTER_INSTRUCTIONS];
         const uint64_t limit = k ? sgd_watchdog_after_stop(watchdog) : watchdog;
         uint32_t live = ~0u;

         level->begin(worker, shader[k > 0], &warp->env);
         test_set_registers(w, warp);
         assert_true(level->run(worker, shader[k > 0], &warp->env, ~0u, &live));
         const uint64_t issued = worker->counters[SGPU_COUNTER_INSTRUCTIONS] - before;
         assert_true(issued > limit && issued < limit + 10);
         assert_int_equal(live, ended);
         check_abandoned(w, warp, ended);
         assert_int_equal(worker->stop.reason, SGD_STOP_WATCHDOG);
         assert_int_equal(worker->stop.stage, stages[s % 2]);
         assert_true(worker->stop.program == 1000);
         assert_true(worker->stop.pc == 4 || worker->stop.pc == 5);
      }
      for (unsigned k = 0; k < 2; k++)
         sgd_shader_destroy(shader[k]);
   }
   free(warp);
   free(code);
   test_worker_destroy(tw);
}

/* Register files are as large as a program needs, and never larger than that of a core. */
static void
test_file_sizes(void **state)
{
   struct code *code = malloc(sizeof(*code));

   endless_code(code, SGPU_STAGE_VERTEX);
   struct sgd_shader *shader = load(code);
   const struct sgd_file_layout *layout = &shader->code->layout;
   assert_int_equal(layout->num_in, 2);
   assert_int_equal(layout->num_out, 2);
   assert_true(layout->size < 8 * sizeof(struct sgd_vec));
   sgd_shader_destroy(shader);

   struct rng r = { 19 };
   for (unsigned n = 0; n < 200; n++) {
      random_program(&r, code);
      shader = load(code);
      assert_true(shader->code->layout.size <= SGD_FILE_SIZE);
      assert_int_equal(shader->code->layout.size % 64, 0);
      sgd_shader_destroy(shader);
   }
   free(code);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_interleaved),
      cmocka_unit_test(test_endless_object),
      cmocka_unit_test(test_endless_work),
      cmocka_unit_test(test_file_sizes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
