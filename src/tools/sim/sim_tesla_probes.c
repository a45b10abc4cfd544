/* SPDX-License-Identifier: MIT */
/* Microbenchmarks of the Tesla chip for latencies, throughputs and caches, similar to published
 * measurements of real hardware: chains of dependent operations, full SMs, and pointer chases.
 */
#include "sim_tesla.h"

#include "util/macros.h"

#define WARPS 24 /* number of warps per SM */
#define CHAIN 64 /* number of operations per loop */
/* Number of operations in the loop body if an operation takes many instructions. It is small to
 * keep the code within the instruction cache.
 */
#define LONG 4
#define CHASE 16 /* number of loads per loop */

#define HEAD "!!SGCP1.0\nTEMPS 12;\nl: "
#define LOOP "(P0.x) BRA l;\nEND\n"

/* The instructions to measure: a dependent chain for latency, and independent ones for a full SM.
 */
struct operation {
   const char *chain; /* an instruction that reads its previous result */
   const char *free;  /* eight independent instructions */
};

#define EIGHT(op, rest)                                                                      \
   op " R0.x, " rest ";\n" op " R1.x, " rest ";\n" op " R2.x, " rest ";\n" op " R3.x, " rest \
      ";\n" op " R4.x, " rest ";\n" op " R5.x, " rest ";\n" op " R6.x, " rest ";\n" op       \
      " R7.x, " rest ";\n"
#define ONE(op)                              \
   {                                         \
      op " R0.x, R0.x;\n", EIGHT(op, "R8.x") \
   }
#define TWO(op)                                          \
   {                                                     \
      op " R0.x, R0.x, R8.x;\n", EIGHT(op, "R8.x, R9.x") \
   }
#define THREE(op)                                                     \
   {                                                                  \
      op " R0.x, R0.x, R8.x, R9.x;\n", EIGHT(op, "R8.x, R9.x, R10.x") \
   }

enum {
   OP_ADD,
   OP_MUL,
   OP_MAD,
   OP_MIN,
   OP_IADD,
   OP_IMUL,
   OP_AND,
   OP_SHL,
   OP_RCP,
   OP_RSQ,
   OP_EX2,
   OP_LG2,
   OP_SIN,
   OP_SQRT,
   OP_UDIV,
   OP_UMOD,
   OP_COUNT,
   OP_LONG = OP_UDIV, /* this operation and all later ones consist of many instructions */
};
static const struct operation operations[OP_COUNT] = {
   [OP_ADD] = TWO("ADD"),   [OP_MUL] = TWO("MUL"),   [OP_MAD] = THREE("MAD"),
   [OP_MIN] = TWO("MIN"),   [OP_IADD] = TWO("IADD"), [OP_IMUL] = TWO("IMUL"),
   [OP_AND] = TWO("AND"),   [OP_SHL] = TWO("SHL"),   [OP_RCP] = ONE("RCP"),
   [OP_RSQ] = ONE("RSQ"),   [OP_EX2] = ONE("EX2"),   [OP_LG2] = ONE("LG2"),
   [OP_SIN] = ONE("SIN"),   [OP_SQRT] = ONE("SQRT"), [OP_UDIV] = TWO("UDIV"),
   [OP_UMOD] = TWO("UMOD"),
};

/* Adds the operations of one warp.  Each operation depends on the previous one. */
static uint64_t
latency(struct tesla_scene *s, uint32_t size, uint32_t op)
{
   const uint32_t times = op >= OP_LONG ? LONG : CHAIN;
   const uint32_t p = tesla_program(s, HEAD, operations[op].chain, times, LOOP);

   tesla_operation(s, 0, 1);
   tesla_loop(s, p, 0, size, NULL, NULL);
   return (uint64_t)size * times;
}

/* Adds the operations of all lanes of a full SM. */
static uint64_t
throughput(struct tesla_scene *s, uint32_t size, uint32_t op)
{
   const uint32_t times = op >= OP_LONG ? 1 : CHAIN / 8;
   const uint32_t p = tesla_program(s, HEAD, operations[op].free, times, LOOP);

   tesla_operation(s, 0, WARPS);
   for (uint32_t w = 0; w < WARPS; w++)
      tesla_loop(s, p, 0, size, NULL, NULL);
   return 32ull * WARPS * size * times * 8;
}

/* Adds the instructions of a warp that executes `kib` KiB of code repeatedly. */
static uint64_t
code(struct tesla_scene *s, uint32_t size, uint32_t kib)
{
   const uint32_t p = tesla_program(s, HEAD, EIGHT("MOV", "R8.x"), kib * 16 - 1, LOOP);

   tesla_operation(s, 0, 1);
   tesla_loop(s, p, 0, size, NULL, NULL);
   return s->failed ? 0 : (uint64_t)size * s->programs[p]->num_instrs;
}

/* Adds barriers of a workgroup that has `warps` warps. */
static uint64_t
barrier(struct tesla_scene *s, uint32_t size, uint32_t warps)
{
   const uint32_t p = tesla_program(s, HEAD, "BAR;\n", CHAIN, LOOP);

   tesla_operation(s, 0, warps);
   for (uint32_t w = 0; w < warps; w++)
      tesla_loop(s, p, 0, size, NULL, NULL);
   return (uint64_t)size * CHAIN;
}

/* A pointer chase.  Each access reads `stride` bytes after the previous access, and wraps around
 * after `footprint` bytes.
 */
struct chase {
   uint32_t kind, work, lanes; /* see struct sgt_access */
   uint64_t stride, footprint; /* stride and footprint in bytes */
};

static void
chase_access(const void *data, uint32_t warp, uint32_t n, struct tesla_access *a)
{
   const struct chase *c = data;
   const uint64_t steps = c->stride ? MAX2(c->footprint / c->stride, 1) : 1;

   a->access = (struct sgt_access){
      .kind = c->kind, .lanes = c->lanes, .work = c->work, .bytes = 4
   };
   if (c->kind != SGT_ACCESS_SHARED)
      a->lines[a->num_lines++] = SGT_LINE(TESLA_MEMORY + n % steps * c->stride, 0);
}

/* Adds `size` loads by one warp.  The number is rounded down to whole loops. */
static uint64_t
chase(struct tesla_scene *s, uint32_t size, const char *load, const struct chase *c)
{
   const uint32_t p = tesla_program(s, HEAD, load, CHASE, LOOP);

   tesla_operation(s, 0, 1);
   tesla_loop(s, p, 0, size / CHASE, chase_access, c);
   return size / CHASE * CHASE;
}

#define LOAD "LDB R0.x, buf[0][R0.x];\n"
#define LOAD_SHARED "LDS R0.x, sh[R0.x];\n"
#define LOAD_CONSTANT "LDC R0.x, cb[1][R0.x];\n"
#define LOAD_TEXTURE "TXF R0.x, R0, R0.w, tex[0], 1D;\n"

/* Adds loads from shared memory.  `argument` is the degree of bank conflicts; 1 means none. */
static uint64_t
shared(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   return chase(s, size, LOAD_SHARED, &(struct chase){ SGT_ACCESS_SHARED, 2 * argument, 32, 0, 0 });
}

/* Adds loads from global memory.  `argument` is 32 * log2(footprint) + log2(stride), both in bytes.
 */
static uint64_t
global(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   return chase(s, size, LOAD,
                &(struct chase){ SGT_ACCESS_LOAD, 1, 1, 1ull << argument % 32,
                                 1ull << argument / 32 });
}

/* Adds loads of constants.  `argument` is 1024 * (footprint in KiB) + (stride in bytes). */
static uint64_t
constant(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   return chase(s, size, LOAD_CONSTANT,
                &(struct chase){ SGT_ACCESS_CONST, 1, 1, argument % 1024,
                                 argument / 1024 * 1024ull });
}

/* Adds texture loads.  `argument` is the same as for constants.  Only a single lane reads, but it
 * counts as a whole quad.
 */
static uint64_t
texture(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   return chase(s, size, LOAD_TEXTURE,
                &(struct chase){ SGT_ACCESS_TEXTURE, 4, 4, argument % 1024,
                                 argument / 1024 * 1024ull });
}

/* Adds grids that run one after the other and have one warp each. */
static uint64_t
launch(struct tesla_scene *s, uint32_t size, uint32_t argument)
{
   const uint32_t p = tesla_program(s, "!!SGCP1.0\nMOV R0, R1;\nEND\n", "", 0, "");

   for (uint32_t i = 0; i < size; i++) {
      tesla_operation(s, 0, 1);
      tesla_warp(s, p, 0);
   }
   return size;
}

#define LATENCY(name, op)                                  \
   {                                                       \
      "latency-" name, "operations", latency, { 2, 6 }, op \
   }
#define THROUGHPUT(name, op)                                     \
   {                                                             \
      "throughput-" name, "operations", throughput, { 2, 4 }, op \
   }
#define KIB(kib, stride) ((kib)*1024 + (stride))
#define CONSTANT(kib)                                                                  \
   {                                                                                   \
      "constant-" #kib, "loads", constant, { 1 * (kib)*16 + 256, 3 * (kib)*16 + 256 }, \
         KIB(kib, 64)                                                                  \
   }
#define TEXTURE(kib)                                                                         \
   {                                                                                         \
      "texture-" #kib, "loads", texture, { (kib)*8 + 256, 2 * (kib)*8 + 512 }, KIB(kib, 128) \
   }
#define CODE(kib)                                     \
   {                                                  \
      "code-" #kib, "operations", code, { 2, 6 }, kib \
   }

const struct tesla_benchmark tesla_probes[] = {
   LATENCY("add", OP_ADD),
   LATENCY("mul", OP_MUL),
   LATENCY("mad", OP_MAD),
   LATENCY("min", OP_MIN),
   LATENCY("iadd", OP_IADD),
   LATENCY("imul", OP_IMUL),
   LATENCY("and", OP_AND),
   LATENCY("shl", OP_SHL),
   LATENCY("rcp", OP_RCP),
   LATENCY("rsq", OP_RSQ),
   LATENCY("ex2", OP_EX2),
   LATENCY("lg2", OP_LG2),
   LATENCY("sin", OP_SIN),
   LATENCY("sqrt", OP_SQRT),
   LATENCY("udiv", OP_UDIV),
   LATENCY("umod", OP_UMOD),
   THROUGHPUT("add", OP_ADD),
   THROUGHPUT("mul", OP_MUL),
   THROUGHPUT("mad", OP_MAD),
   THROUGHPUT("min", OP_MIN),
   THROUGHPUT("iadd", OP_IADD),
   THROUGHPUT("imul", OP_IMUL),
   THROUGHPUT("and", OP_AND),
   THROUGHPUT("shl", OP_SHL),
   THROUGHPUT("rcp", OP_RCP),
   THROUGHPUT("rsq", OP_RSQ),
   THROUGHPUT("ex2", OP_EX2),
   THROUGHPUT("lg2", OP_LG2),
   THROUGHPUT("sin", OP_SIN),
   THROUGHPUT("sqrt", OP_SQRT),
   THROUGHPUT("udiv", OP_UDIV),
   THROUGHPUT("umod", OP_UMOD),
   { "barrier-1", "barriers", barrier, { 2, 6 }, 1 },
   { "barrier-16", "barriers", barrier, { 2, 6 }, 16 },
   { "chase-shared-1", "loads", shared, { 64, 192 }, 1 },
   { "chase-shared-2", "loads", shared, { 64, 192 }, 2 },
   { "chase-shared-4", "loads", shared, { 64, 192 }, 4 },
   { "chase-shared-16", "loads", shared, { 64, 192 }, 16 },
   { "chase-global-row", "loads", global, { 64, 192 }, 14 * 32 + 6 },
   { "chase-global", "loads", global, { 64, 192 }, 24 * 32 + 16 },
   { "chase-same", "loads", global, { 64, 192 }, 6 * 32 + 6 },
   CONSTANT(1),
   CONSTANT(2),
   CONSTANT(4),
   CONSTANT(8),
   CONSTANT(9),
   CONSTANT(10),
   CONSTANT(12),
   CONSTANT(16),
   CONSTANT(24),
   CONSTANT(32),
   TEXTURE(1),
   TEXTURE(2),
   TEXTURE(4),
   TEXTURE(5),
   TEXTURE(6),
   TEXTURE(7),
   TEXTURE(8),
   TEXTURE(16),
   TEXTURE(32),
   TEXTURE(64),
   TEXTURE(128),
   TEXTURE(192),
   TEXTURE(256),
   TEXTURE(384),
   CODE(1), CODE(2), CODE(4), CODE(5), CODE(6), CODE(8), CODE(16), CODE(32),
                                                                        { "launch",
                                                                          "grids",
                                                                          launch,
                                                                          { 16, 48 } },
   };
const unsigned tesla_num_probes = ARRAY_SIZE(tesla_probes);
