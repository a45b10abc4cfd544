/* SPDX-License-Identifier: MIT */
/*
 * Storage buffers, shared memory and atomic operations of a warp, compared with a scalar model that
 * takes lanes and words one after the other.
 */
#include <stdio.h>

#include "../../unit.h"
#include "random_code.h"
#include "sgpu_fp.h"

#define NUM_BUFFERS 3
#define RESULTS 31 /* number of the buffer for results, 16 bytes for each lane */
#define MAX_BYTES 4096

/* Memory that a program can access. The last one is the shared memory. */
struct memory {
   _Alignas(8) uint8_t bytes[NUM_BUFFERS + 1][MAX_BYTES];
   uint32_t size[NUM_BUFFERS + 1];
   uint8_t results[16 * SGD_WARP];
};

static const uint8_t sysvals[] = { SGPU_SYS_GROUP_ID, SGPU_SYS_LOCAL_ID, SGPU_SYS_NUM_GROUPS,
                                   SGPU_SYS_GROUP_SIZE, SGPU_SYS_SUBGROUP };

/* Returns the operand with value n of the lanes: an input, or in compute a system value. */
static struct sgpu_src
given(const struct code *code, unsigned n)
{
   return code->stage == SGPU_STAGE_COMPUTE ? src(SGPU_FILE_SYS, sysvals[n])
                                            : src(SGPU_FILE_INPUT, n);
}

static struct sgd_vec *
given_lanes(struct warp *warp, const struct code *code, unsigned n)
{
   return code->stage == SGPU_STAGE_COMPUTE ? &warp->sys[sysvals[n]] : &warp->in[n];
}

static uint32_t
model_atomic(unsigned op, uint32_t old, uint32_t data, uint32_t second)
{
   const int64_t a = (int32_t)old, b = (int32_t)data;
   const float x = sgpu_bits2f(old), y = sgpu_bits2f(data);
   switch (op) {
   case SGPU_ATOMIC_ADD:
      return (uint32_t)((uint64_t)old + data);
   case SGPU_ATOMIC_IMIN:
      return (uint32_t)(b < a ? b : a);
   case SGPU_ATOMIC_UMIN:
      return data < old ? data : old;
   case SGPU_ATOMIC_IMAX:
      return (uint32_t)(b > a ? b : a);
   case SGPU_ATOMIC_UMAX:
      return data > old ? data : old;
   case SGPU_ATOMIC_AND:
      return ~(~old | ~data);
   case SGPU_ATOMIC_OR:
      return ~(~old & ~data);
   case SGPU_ATOMIC_XOR:
      return (old | data) & ~(old & data);
   case SGPU_ATOMIC_EXCH:
      return data;
   case SGPU_ATOMIC_CAS:
      if (old != data)
         return old;
      return second;
   case SGPU_ATOMIC_FADD:
      return sgpu_f2bits(sgpu_fadd(x, y));
   case SGPU_ATOMIC_INCW:
      return old < data ? old + 1 : 0;
   case SGPU_ATOMIC_DECW:
      return old >= 1 && old <= data ? old - 1 : data;
   case SGPU_ATOMIC_FMIN:
      return sgpu_f2bits(sgpu_fmin(x, y));
   default:
      return sgpu_f2bits(sgpu_fmax(x, y));
   }
}

/* Executes an atomic operation on a 64-bit value for one lane. */
static void
model_wide_lane(uint8_t *bytes, uint32_t size, unsigned op, uint32_t address,
                const uint32_t data[4], uint32_t result[4])
{
   const uint64_t at = address & ~7u;
   const uint64_t b = (uint64_t)data[1] << 32 | data[0], second = (uint64_t)data[3] << 32 | data[2];
   uint64_t old, value;

   if (!bytes || at + 8 > size)
      return;
   memcpy(&old, bytes + at, 8);
   /* Operations on the bits of both words, and comparisons of integers with a shifted range. */
   const uint64_t half = UINT64_C(1) << 63;
   const bool less = old < b, below = (old ^ half) < (b ^ half);
   switch (op) {
   case SGPU_ATOMIC_ADD:
      value = old - ~b - 1;
      break;
   case SGPU_ATOMIC_IMIN:
      value = below ? old : b;
      break;
   case SGPU_ATOMIC_UMIN:
      value = less ? old : b;
      break;
   case SGPU_ATOMIC_IMAX:
      value = below ? b : old;
      break;
   case SGPU_ATOMIC_UMAX:
      value = less ? b : old;
      break;
   case SGPU_ATOMIC_AND:
      value = ~(~old | ~b);
      break;
   case SGPU_ATOMIC_OR:
      value = ~(~old & ~b);
      break;
   case SGPU_ATOMIC_XOR:
      value = (old | b) & ~(old & b);
      break;
   case SGPU_ATOMIC_EXCH:
      value = b;
      break;
   default:
      value = old != b ? old : second;
      break;
   }
   memcpy(bytes + at, &value, 8);
   result[0] = result[2] = (uint32_t)old;
   result[1] = result[3] = (uint32_t)(old >> 32);
}

/* Executes the operation for one lane. result[c] is set for components of the mask. */
static void
model_lane(struct memory *m, const struct sgpu_instr *i, unsigned l, struct warp *warp,
           const struct code *code, uint32_t result[4])
{
   const bool shared = i->opcode == SGPU_OP_LDS || i->opcode == SGPU_OP_STS ||
                       i->opcode == SGPU_OP_ATS || i->opcode == SGPU_OP_ATSW;
   int64_t unit = i->unit;
   if (i->urel)
      unit += (int32_t)given_lanes(warp, code, 2)->c[i->urelcomp][l];
   unsigned which = NUM_BUFFERS;
   if (!shared)
      which = unit >= 0 && unit < NUM_BUFFERS ? (unsigned)unit : ~0u;

   uint32_t address = i->offset;
   if (i->src[0].file != SGPU_FILE_NONE && i->opcode != SGPU_OP_SZB)
      address += given_lanes(warp, code, 0)->c[sgpu_swizzle_get(i->src[0].swizzle, 0)][l];

   uint32_t data[4];
   for (unsigned c = 0; c < 4; c++)
      data[c] = given_lanes(warp, code, 1)->c[sgpu_swizzle_get(i->src[1].swizzle, c)][l];
   if (i->opcode == SGPU_OP_ATBW || i->opcode == SGPU_OP_ATSW) {
      model_wide_lane(which != ~0u ? m->bytes[which] : NULL, which != ~0u ? m->size[which] : 0,
                      i->aop, address, data, result);
      return;
   }
   address &= ~3u;

   for (unsigned c = 0; c < 4; c++) {
      const bool atomic = i->opcode == SGPU_OP_ATB || i->opcode == SGPU_OP_ATS;
      const uint64_t at = (uint64_t)address + (atomic ? 0 : 4 * c);
      const bool inside = which != ~0u && at + 4 <= m->size[which];
      uint32_t word = 0;
      if (inside)
         memcpy(&word, m->bytes[which] + at, 4);
      switch (i->opcode) {
      case SGPU_OP_SZB:
         result[c] = which != ~0u ? m->size[which] : 0;
         break;
      case SGPU_OP_LDB:
      case SGPU_OP_LDS:
         result[c] = word;
         break;
      case SGPU_OP_STB:
      case SGPU_OP_STS:
         if (inside && (i->dst.mask & (1 << c)))
            memcpy(m->bytes[which] + at, &data[c], 4);
         break;
      default:
         if (c) {
            result[c] = result[0];
            break;
         }
         result[0] = word;
         if (inside) {
            word = model_atomic(i->aop, word, data[0], data[1]);
            memcpy(m->bytes[which] + at, &word, 4);
         }
         break;
      }
   }
}

static uint32_t
random_address(struct rng *r, unsigned kind, unsigned l, uint32_t base)
{
   switch (kind) {
   case 0:
      return base;
   case 1:
      return base + 4 * l;
   case 2:
      return base + 16 * l;
   case 3:
      return base + 4 * (l % 8) + 64 * (l / 8);
   case 4:
      return base + 4 * (l / 8);
   case 5:
      return base + rng_below(r, 12) * 4;
   case 6:
      return rng_below(r, MAX_BYTES + 256);
   default:
      return rng_chance(r, 50) ? rng_u32(r) : 0xfffffff0u + rng_below(r, 16);
   }
}

/* Fills memory with floats and small numbers, for which operations have different results. */
static void
fill_memory(struct rng *r, struct memory *m)
{
   for (unsigned b = 0; b <= NUM_BUFFERS; b++) {
      m->size[b] = rng_chance(r, 10) ? rng_below(r, 40) : 256 + rng_below(r, MAX_BYTES - 256);
      if (b == NUM_BUFFERS)
         m->size[b] &= ~3u;
      for (unsigned n = 0; n < MAX_BYTES; n += 4) {
         const uint32_t value = rng_chance(r, 50) ? rng_value(r) : rng_below(r, 5);
         memcpy(m->bytes[b] + n, &value, 4);
      }
   }
   memset(m->results, 0xa5, sizeof(m->results));
}

static struct sgpu_instr
random_access(struct rng *r, const struct code *code, enum sgpu_opcode op)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
   struct sgpu_instr i = sgpu_instr_init(op);

   i.offset = info->num_srcs && rng_chance(r, 50) ? rng_below(r, 64) : 0;
   if (info->num_srcs > 0 && !rng_chance(r, 5)) {
      i.src[0] = given(code, 0);
      i.src[0].swizzle = sgpu_swizzle_replicate(rng_below(r, 4));
   }
   if (info->num_srcs > 1) {
      i.src[1] = given(code, 1);
      i.src[1].swizzle = rng_u32(r);
   }
   const bool result = (info->flags & SGPU_OPF_DST) &&
                       (!(info->flags & SGPU_OPF_OPTDST) || rng_chance(r, 50));
   if (result)
      i.dst = dst(SGPU_FILE_TEMP, rng_chance(r, 20) ? 0 : 2);
   if (result || (info->flags & SGPU_OPF_WMASK)) {
      static const uint8_t masks[] = { 15, 3, 1, 8, 7 };
      static const uint8_t pairs[] = { 3, 12, 15 };
      i.dst.mask = sgpu_type_is_wide(info->dst_type) ? pairs[rng_below(r, 3)]
                   : rng_chance(r, 60)               ? masks[rng_below(r, 5)]
                                                     : 1 + rng_below(r, 15);
   }
   if (info->flags & SGPU_OPF_ATOMIC)
      i.aop = rng_below(r, sgpu_atomic_words(op) == 2 ? SGPU_NUM_WIDE_ATOMICS : SGPU_NUM_ATOMICS);
   if (info->mod == SGPU_MOD_RES) {
      i.unit = rng_below(r, NUM_BUFFERS);
      if (rng_chance(r, 20)) {
         i.urel = true;
         i.urelcomp = rng_below(r, 4);
      }
   }
   if (rng_chance(r, 25))
      i.guard = (struct sgpu_guard){ .en = true,
                                     .not = rng_chance(r, 50),
                                     .comp = rng_below(r, 4) };
   return i;
}

/* Fills the values: v[0] addresses, v[1] data, v[2] A0, v[3].x address of results, v[4] flags. */
static void
fill_lanes(struct rng *r, struct warp *warp, const struct code *code)
{
   const bool few = rng_chance(r, 50);
   for (unsigned c = 0; c < 4; c++) {
      const unsigned kind = rng_below(r, 8);
      const uint32_t base = rng_below(r, 64) * 4 + (rng_chance(r, 20) ? 2 : 0);
      const bool one = rng_chance(r, 50);
      const int32_t relative = (int32_t)rng_below(r, 5) - 1;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         given_lanes(warp, code, 0)->c[c][l] = random_address(r, kind, l, base);
         given_lanes(warp, code, 1)->c[c][l] = few ? rng_below(r, 5) : rng_value(r);
         given_lanes(warp, code, 2)->c[c][l] = one ? (uint32_t)relative : rng_below(r, 5) - 1;
         given_lanes(warp, code, 3)->c[c][l] = 16 * l;
         given_lanes(warp, code, 4)->c[c][l] = rng_chance(r, 70);
      }
   }
   warp->active = rng_chance(r, 60) ? ~0u : rng_u32(r) | 1;
   warp->live = code->stage == SGPU_STAGE_PIXEL && rng_chance(r, 50) ? rng_u32(r) : warp->active;
}

static bool
guard_holds(const struct sgpu_instr *i, struct warp *warp, const struct code *code, unsigned l)
{
   if (!i->guard.en)
      return true;
   return (given_lanes(warp, code, 4)->c[i->guard.comp][l] != 0) != i->guard.not ;
}

static void
check_access(struct rng *r, struct test_worker *tw, enum sgpu_opcode op)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
   static struct code code;
   static struct warp warp;
   static struct memory before, want, got;
   const char *error;

   code_init(&code, info->flags & SGPU_OPF_CS ? SGPU_STAGE_COMPUTE : SGPU_STAGE_PIXEL);
   code_add(&code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 2), given(&code, 1)));
   code_add(&code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 0), given(&code, 1)));
   code_add(&code, op1(SGPU_OP_ARI, dst(SGPU_FILE_ADDR, 0), given(&code, 2)));
   code.num_literals = 1;
   struct sgpu_instr flags = op2(SGPU_OP_ISETP, dst(SGPU_FILE_PRED, 0), given(&code, 4),
                                 src(SGPU_FILE_CONST, 0));
   flags.cond = SGPU_COND_NE;
   code_add(&code, flags);
   const struct sgpu_instr i = random_access(r, &code, op);
   code_add(&code, i);
   struct sgpu_instr out = op2(SGPU_OP_STB, dst_m(SGPU_FILE_NONE, 0, 15), given(&code, 3),
                               src(SGPU_FILE_TEMP, i.dst.file == SGPU_FILE_TEMP ? i.dst.index : 2));
   out.src[0].swizzle = SGPU_SWIZZLE_XXXX;
   out.unit = RESULTS;
   code_add(&code, out);

   struct sgd_shader *shader = code_load(&code, &error);
   if (!shader)
      fail_msg("refused: %s", error);
   fill_lanes(r, &warp, &code);
   fill_memory(r, &before);

   want = before;
   const uint64_t saved = sgpu_fp_enter();
   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint32_t old[4], result[4] = { 0 };
      for (unsigned c = 0; c < 4; c++)
         old[c] = given_lanes(&warp, &code, 1)->c[c][l];
      if (!(warp.active & warp.live & (1u << l)))
         continue;
      if (guard_holds(&i, &warp, &code, l)) {
         model_lane(&want, &i, l, &warp, &code, result);
         for (unsigned c = 0; c < 4 && i.dst.file == SGPU_FILE_TEMP; c++)
            old[c] = i.dst.mask & (1 << c) ? result[c] : old[c];
      }
      memcpy(want.results + 16 * l, old, 16);
   }
   sgpu_fp_leave(saved);

   struct level levels[MAX_LEVELS];
   const unsigned num = test_levels(levels);
   for (unsigned n = 0; n < num; n++) {
      got = before;
      memset(&warp.env, 0, sizeof(warp.env));
      struct sgd_span buffers[SGD_MAX_BUFFERS] = { { NULL, 0 } };
      warp.env.buffers = buffers;
      for (unsigned b = 0; b < NUM_BUFFERS; b++)
         buffers[b] = (struct sgd_span){ got.bytes[b], got.size[b] };
      buffers[RESULTS] = (struct sgd_span){ got.results, sizeof(got.results) };
      warp.shared = got.bytes[NUM_BUFFERS];
      warp.shared_size = got.size[NUM_BUFFERS];
      test_run(tw, &levels[n], shader, &warp);
      if (memcmp(&got, &want, sizeof(got))) {
         print_code(&code);
         fail_msg("%s: memory or results differ from the model; active %08x, live %08x",
                  levels[n].name, warp.active, warp.live);
      }
   }
   sgd_shader_destroy(shader);
}

static void
test_accesses(void **state)
{
   static const enum sgpu_opcode ops[] = { SGPU_OP_LDB, SGPU_OP_STB,  SGPU_OP_ATB,
                                           SGPU_OP_SZB, SGPU_OP_LDS,  SGPU_OP_STS,
                                           SGPU_OP_ATS, SGPU_OP_ATBW, SGPU_OP_ATSW };
   struct test_worker *tw = test_worker_create();
   struct rng r = { 4 };

   for (unsigned n = 0; n < 1500; n++) {
      for (unsigned o = 0; o < sizeof(ops) / sizeof(ops[0]); o++)
         check_access(&r, tw, ops[o]);
   }
   test_worker_destroy(tw);
}

/* Killed and demoted lanes do not store. */
static void
test_kill(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct level levels[MAX_LEVELS];
   const unsigned num = test_levels(levels);

   for (unsigned kill = 0; kill < 2; kill++) {
      struct code code;
      struct warp *warp = calloc(1, sizeof(*warp));
      uint32_t buffer[SGD_WARP];
      const char *error;

      code_init(&code, SGPU_STAGE_PIXEL);
      code.num_literals = 1;
      struct sgpu_instr flag = op2(SGPU_OP_ISETP, dst(SGPU_FILE_PRED, 0), src(SGPU_FILE_INPUT, 0),
                                   src(SGPU_FILE_CONST, 0));
      flag.cond = SGPU_COND_NE;
      code_add(&code, flag);
      code_add(&code, guarded(op0(kill ? SGPU_OP_KIL : SGPU_OP_DMT), 0, 1, false));
      code_add(&code, op2(SGPU_OP_STB, dst_m(SGPU_FILE_NONE, 0, 1), src_x(SGPU_FILE_INPUT, 0, 0),
                          src(SGPU_FILE_INPUT, 1)));
      struct sgd_shader *shader = code_load(&code, &error);
      assert_non_null(shader);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         warp->in[0].c[0][l] = 4 * l;
         warp->in[0].c[1][l] = l % 3 == 0;
         warp->in[1].c[0][l] = 100 + l;
      }
      warp->active = ~0u;
      warp->live = 0x7fffffff;
      const struct sgd_span buffers[SGD_MAX_BUFFERS] = { { (uint8_t *)buffer, sizeof(buffer) } };
      warp->env.buffers = buffers;
      for (unsigned n = 0; n < num; n++) {
         memset(buffer, 0, sizeof(buffer));
         test_run(tw, &levels[n], shader, warp);
         for (unsigned l = 0; l < SGD_WARP; l++)
            assert_int_equal(buffer[l], l % 3 == 0 || l == 31 ? 0 : 100 + l);
      }
      sgd_shader_destroy(shader);
      free(warp);
   }
   test_worker_destroy(tw);
}

/* Warps of a group pass values through shared memory. After a barrier, each reads the value of the
 * next warp.
 */
static void
test_barrier(void **state)
{
   enum { WARPS = 4 };
   struct test_worker *tw = test_worker_create();
   struct level levels[MAX_LEVELS];
   const unsigned num = test_levels(levels);
   const struct sgd_env env = { .textures = NULL };
   static const struct sgd_vec zero;
   struct code code;
   const char *error;

   code_init(&code, SGPU_STAGE_COMPUTE);
   code_add(&code, op2(SGPU_OP_STS, dst_m(SGPU_FILE_NONE, 0, 1),
                       src_x(SGPU_FILE_SYS, SGPU_SYS_LOCAL_ID, 0),
                       src_x(SGPU_FILE_SYS, SGPU_SYS_LOCAL_ID, 1)));
   code_add(&code, op0(SGPU_OP_BAR));
   code_add(&code, op1(SGPU_OP_LDS, dst_m(SGPU_FILE_TEMP, 0, 1),
                       src_x(SGPU_FILE_SYS, SGPU_SYS_LOCAL_ID, 2)));
   code_add(&code, op0(SGPU_OP_BAR));
   code_add(&code, op2(SGPU_OP_STS, dst_m(SGPU_FILE_NONE, 0, 1),
                       src_x(SGPU_FILE_SYS, SGPU_SYS_LOCAL_ID, 0), src(SGPU_FILE_TEMP, 0)));
   struct sgd_shader *shader = code_load(&code, &error);
   if (!shader)
      fail_msg("refused: %s", error);
   assert_true(shader->has_barrier);
   assert_int_equal(shader->memory_order, SGD_MEMORY_NONE);

   for (unsigned n = 0; n < num; n++) {
      struct sgd_warp *warps = calloc(WARPS, sizeof(*warps));
      uint8_t *files[WARPS];
      uint32_t shared[WARPS * SGD_WARP] = { 0 };
      struct sgd_worker *worker = test_worker_begin(tw, 0);

      shader->code->execute = levels[n].interpret;
      for (unsigned k = 0; k < WARPS; k++) {
         files[k] = aligned_alloc(64, shader->file_size);
         levels[n].warp_init(&warps[k], shader, &env, files[k]);
         assert_null(warps[k].shared);
         warps[k].shared = (uint8_t *)shared;
         warps[k].shared_size = sizeof(shared);
         struct sgd_vec *id = &warps[k].sys[SGPU_SYS_LOCAL_ID];
         *id = zero;
         for (unsigned l = 0; l < SGD_WARP; l++) {
            const unsigned i = k * SGD_WARP + l;
            id->c[0][l] = 4 * i;
            id->c[1][l] = 1000 + i;
            id->c[2][l] = 4 * ((i + SGD_WARP + 5) % (WARPS * SGD_WARP));
         }
         levels[n].warp_start(&warps[k], ~0u, ~0u);
      }
      for (unsigned round = 0; round < 3; round++) {
         for (unsigned k = 0; k < WARPS; k++) {
            const enum sgd_warp_result result = levels[n].warp_run(&warps[k], worker, SGD_NO_LIMIT);
            assert_int_equal(result, round < 2 ? SGD_WARP_BARRIER : SGD_WARP_ENDED);
         }
      }
      for (unsigned i = 0; i < WARPS * SGD_WARP; i++)
         assert_int_equal(shared[i], 1000 + (i + SGD_WARP + 5) % (WARPS * SGD_WARP));
      assert_int_equal(warps[0].issued, 5);
      for (unsigned k = 0; k < WARPS; k++)
         free(files[k]);
      free(warps);
   }
   sgd_shader_destroy(shader);
   test_worker_destroy(tw);
}

/* Barriers do not reset the watchdog's count. */
static void
test_endless_barriers(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct level levels[MAX_LEVELS];
   struct code code;
   struct warp *warp = calloc(1, sizeof(*warp));
   const char *error;

   test_levels(levels);
   code_init(&code, SGPU_STAGE_COMPUTE);
   code_add(&code, op0(SGPU_OP_BAR));
   code_add(&code, branch(SGPU_OP_BRA, 0));
   struct sgd_shader *shader = code_load(&code, &error);
   assert_non_null(shader);
   warp->active = warp->live = ~0u;
   warp->watchdog = 5000;
   test_run(tw, &levels[0], shader, warp);
   assert_int_equal(warp->stop.reason, SGD_STOP_WATCHDOG);
   sgd_shader_destroy(shader);
   free(warp);
   test_worker_destroy(tw);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accesses),
      cmocka_unit_test(test_kill),
      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_endless_barriers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
