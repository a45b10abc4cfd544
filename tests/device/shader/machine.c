/* SPDX-License-Identifier: MIT */
/*
 * Tests of the shader cores: levels, programs, workers.
 */
#include "machine.h"

#include "../../unit.h"
#include "shader/program/sgd_decode.h"
#include "shader/program/sgd_translation.h"
#include "shader/translate/sgd_translate.h"

#include <stdio.h>

#include "control/core/sgd_params.h"
#include "sgpu_fp.h"

extern const struct level test_level_v2;
extern const struct level test_level_v3, test_level_v4;

static struct level
named(const char *name, const struct level *level)
{
   struct level l = *level;
   l.name = name;
   return l;
}

unsigned
test_levels(struct level levels[MAX_LEVELS])
{
   const enum sgpu_host_level has = sgd_host_level(SGPU_HOST_BEST);
   unsigned n = 0;

   levels[n++] = named("v2", &test_level_v2);
#ifdef SGD_LEVEL_V3
   if (has >= SGPU_HOST_V3)
      levels[n++] = named("v3", &test_level_v3);
#endif
#ifdef SGD_LEVEL_V4
   if (has >= SGPU_HOST_V4)
      levels[n++] = named("v4", &test_level_v4);
#endif
   if (has >= SGPU_HOST_V3 && sgd_can_translate()) {
      struct level native = levels[n - 1];
      native.native = true;
      native.interpret = native.run_translated;
      if (has >= SGPU_HOST_V4)
         levels[n++] = named("native, AVX2", &native);
      native.avx512 = has >= SGPU_HOST_V4;
      levels[n++] = named("native", &native);
   }
   return n;
}

uint32_t
rng_u32(struct rng *r)
{
   /* splitmix64 */
   uint64_t z = r->s += 0x9e3779b97f4a7c15ull;
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
   return (uint32_t)((z ^ (z >> 31)) >> 16);
}

uint32_t
rng_value(struct rng *r)
{
   static const uint32_t corners[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
      0x7f800001, 0xffc12345, 0x00000001, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff,
      0xff7fffff, 0x3f000000, 0x40490fdb, 0x4b000000, 0xcb000001, 0x4effffff, 0x4f000000,
      0xcf000000, 0x4f800000, 0x43000000, 0xc3000000, 0x42fe0000, 0xc2fc0000, 0x3f7fffff,
      0x7fffffff, 0xffffffff, 0x0000001f, 0x00000020, 0x0000ffff, 0x00007c01, 0x3c003c00,
   };
   const uint32_t kind = rng_below(r, 8);
   if (kind < 2)
      return corners[rng_below(r, sizeof(corners) / 4)];
   if (kind < 6) {
      /* 2^-16 to 2^16, either sign */
      const uint32_t e = 127 - 16 + rng_below(r, 32);
      return (rng_u32(r) & 0x807fffff) | e << 23;
   }
   if (kind < 7)
      return (uint32_t)((int32_t)rng_below(r, 65) - 32);
   return rng_u32(r);
}

void
code_init(struct code *code, enum sgpu_stage stage)
{
   memset(code, 0, sizeof(*code));
   code->stage = stage;
}

uint32_t
code_add(struct code *code, struct sgpu_instr instr)
{
   if (code->count == MAX_CODE)
      abort();
   code->instr[code->count] = instr;
   return code->count++;
}

struct sgd_shader *
code_load(const struct code *code, const char **error)
{
   const size_t words = 4 * (size_t)(code->count + code->num_literals);
   uint32_t *w = malloc(words * 4 + 4);
   for (uint32_t n = 0; n < code->count; n++) {
      *error = sgpu_instr_pack(&code->instr[n], w + 4 * n);
      if (*error) {
         free(w);
         return NULL;
      }
   }
   memcpy(w + 4 * (size_t)code->count, code->literals, 16 * (size_t)code->num_literals);
   const struct SGPU_SHADER desc = {
      .address = 4096,
      .instructions = code->count,
      .stage = code->stage,
      .vp1 = code->vp1,
      .literals = code->num_literals,
      .literal_base = code->literal_base,
      .temps = code->temps,
      .scratch = code->scratch,
   };
   struct sgd_shader *shader = sgd_shader_create(&desc, w, NULL, error);
   if (shader)
      test_translate(shader);
   free(w);
   return shader;
}

void
test_translate(struct sgd_shader *shader)
{
   if (sgd_can_translate())
      sgd_translate(shader, NULL, sgd_host_level(SGPU_HOST_BEST) >= SGPU_HOST_V4);
}

struct sgpu_instr
op0(enum sgpu_opcode op)
{
   return sgpu_instr_init(op);
}

struct sgpu_instr
op_dst(enum sgpu_opcode op, struct sgpu_dst d)
{
   struct sgpu_instr i = sgpu_instr_init(op);
   i.dst = d;
   return i;
}

struct sgpu_instr
op1(enum sgpu_opcode op, struct sgpu_dst d, struct sgpu_src a)
{
   struct sgpu_instr i = op_dst(op, d);
   i.src[0] = a;
   return i;
}

struct sgpu_instr
op2(enum sgpu_opcode op, struct sgpu_dst d, struct sgpu_src a, struct sgpu_src b)
{
   struct sgpu_instr i = op1(op, d, a);
   i.src[1] = b;
   return i;
}

struct sgpu_instr
branch(enum sgpu_opcode op, uint32_t target)
{
   struct sgpu_instr i = sgpu_instr_init(op);
   i.target = target;
   return i;
}

struct sgpu_instr
guarded(struct sgpu_instr i, unsigned reg, unsigned comp, bool not )
{
   i.guard = (struct sgpu_guard){ .en = true, .not = not, .reg = reg, .comp = comp };
   return i;
}

struct sgpu_src
src(enum sgpu_file file, unsigned index)
{
   return sgpu_src_make(file, index, SGPU_SWIZZLE_XYZW);
}

struct sgpu_src
src_x(enum sgpu_file file, unsigned index, unsigned comp)
{
   return sgpu_src_make(file, index, sgpu_swizzle_replicate(comp));
}

struct sgpu_dst
dst(enum sgpu_file file, unsigned index)
{
   return sgpu_dst_make(file, index, SGPU_MASK_XYZW);
}

struct sgpu_dst
dst_m(enum sgpu_file file, unsigned index, unsigned mask)
{
   return sgpu_dst_make(file, index, mask);
}

struct test_worker {
   struct sgd_worker worker;
   struct sgd_core *core;
};

struct test_worker *
test_worker_create(void)
{
   struct test_worker *tw = calloc(1, sizeof(*tw));
   tw->core = aligned_alloc(64, sizeof(*tw->core));
   memset(tw->core, 0, sizeof(*tw->core));
   tw->worker.core = tw->core;
   return tw;
}

void
test_worker_destroy(struct test_worker *tw)
{
   free(tw->core->large_file);
   free(tw->core->stack);
   free(tw->core);
   free(tw);
}

struct sgd_worker *
test_worker_begin(struct test_worker *tw, uint64_t watchdog)
{
   tw->worker.watchdog = watchdog ? watchdog : 1000000;
   tw->worker.stop = (struct sgd_stop_info){ .reason = SGD_STOP_NONE };
   memset(tw->worker.counters, 0, sizeof(tw->worker.counters));
   return &tw->worker;
}

void
test_set_registers(struct sgd_warp *w, const struct warp *warp)
{
   const struct sgd_file_layout *layout = &w->code->layout;
   memcpy(w->in, warp->in, layout->num_in * sizeof(struct sgd_vec));
   memcpy(w->sys, warp->sys, layout->num_sys * sizeof(struct sgd_vec));
}

/* Translates the program again if its machine code is not that of the level. */
static void
set_code(const struct level *level, const struct sgd_shader *shader)
{
   struct sgd_decoded *decoded = (struct sgd_decoded *)shader->code;
   if (!level->native || !decoded->translation || decoded->translation->avx512 == level->avx512)
      return;
   decoded->translation->destroy(decoded->translation);
   decoded->translation = NULL;
   sgd_translate((struct sgd_shader *)shader, NULL, level->avx512);
}

void
test_run(struct test_worker *tw, const struct level *level, const struct sgd_shader *shader,
         struct warp *warp)
{
   struct sgd_worker *worker = test_worker_begin(tw, warp->watchdog);
   struct sgd_core *core = tw->core;

   set_code(level, shader);
   shader->code->execute = level->interpret;
   memset(core->file, 0xa5, sizeof(core->file));
   if (core->large_file)
      memset(core->large_file, 0xa5, core->large_file_size);
   memset(&core->result, 0xa5, sizeof(core->result));
   memset(&core->warp, 0xa5, sizeof(core->warp));
   level->begin(worker, shader, &warp->env);
   test_set_registers(&core->warp, warp);
   core->warp.shared = warp->shared;
   core->warp.shared_size = warp->shared_size;

   warp->live_out = warp->live;
   const uint64_t saved = sgpu_fp_enter();
   const bool memory = level->run(worker, shader, &warp->env, warp->active, &warp->live_out);
   sgpu_fp_leave(saved);
   warp->stop = worker->stop;
   warp->ok = memory && worker->stop.reason == SGD_STOP_NONE;
   warp->issued = worker->counters[SGPU_COUNTER_INSTRUCTIONS];
   warp->native = worker->counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS];
   warp->textures = worker->counters[SGPU_COUNTER_TEXTURE_OPS];
   warp->begun = core->begun;
   /* If machine code is the whole program, it does not use the control state. */
   if (warp->active && !(core->begun.whole && warp->native == warp->issued)) {
      assert_true(core->warp.issued == warp->issued);
      assert_true(!(core->warp.exec | core->warp.running));
   }
   memset(warp->out, 0xa5, sizeof(warp->out));
   memcpy(warp->out, core->warp.out, shader->code->layout.num_out * sizeof(struct sgd_vec));
}
