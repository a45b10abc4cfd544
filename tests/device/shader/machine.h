/* SPDX-License-Identifier: MIT */
/*
 * For tests of the shader cores: programs from instructions, a worker that runs them, every host
 * level that this host has, and a reference machine. The reference executes one lane after the
 * other by the expressions of the opcode table.
 */
#ifndef TEST_MACHINE_H
#define TEST_MACHINE_H

#include "shader/program/sgd_code.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "sgpu_isa.h"

sgd_execute_fn sgd_interpret, sgd_run_translated;

/* Functions of a host level. */
struct level {
   const char *name;
   bool native, avx512; /* executes translated programs; with instructions of AVX-512 */
   sgd_execute_fn *run_translated;
   sgd_execute_fn *interpret; /* in level "native": function that executes translated programs */
   __typeof__(sgd_shader_begin) *begin;
   __typeof__(sgd_shader_run) *run;
   __typeof__(sgd_warp_init) *warp_init;
   __typeof__(sgd_warp_start) *warp_start;
   __typeof__(sgd_warp_run) *warp_run;
   __typeof__(sgd_warp_abandon) *warp_abandon;
};

/* Returns the number of levels that this host can execute, and these levels, lowest first. With a
 * translator, there is a last one, "native": the highest level with translated programs. With
 * AVX-512, it follows "native, AVX2", whose machine code has no instructions of AVX-512.
 */
#define MAX_LEVELS 5
unsigned test_levels(struct level levels[MAX_LEVELS]);

/* Random number generator with the same sequence on every host. */
struct rng {
   uint64_t s;
};
uint32_t rng_u32(struct rng *r);
static inline uint32_t
rng_below(struct rng *r, uint32_t n)
{
   return (uint32_t)(((uint64_t)rng_u32(r) * n) >> 32);
}
static inline bool
rng_chance(struct rng *r, unsigned percent)
{
   return rng_below(r, 100) < percent;
}
/* Returns random bits: corner cases, ordinary floats, small integers, or any bits. */
uint32_t rng_value(struct rng *r);

/* Programs */
#define MAX_CODE 4096

struct code {
   struct sgpu_instr instr[MAX_CODE];
   uint32_t count;
   uint32_t literals[64][4];
   uint32_t num_literals, literal_base;
   enum sgpu_stage stage;
   bool vp1;
   uint32_t temps, scratch;
};

void code_init(struct code *code, enum sgpu_stage stage);
/* Appends an instruction and returns its number. */
uint32_t code_add(struct code *code, struct sgpu_instr instr);
/* Packs and loads a program; returns NULL and an error text if the device refuses it. */
struct sgd_shader *code_load(const struct code *code, const char **error);
/* Translates a program, if the host can, to machine code for the host's highest level. */
void test_translate(struct sgd_shader *shader);

/* Functions that make instructions. */
struct sgpu_instr op0(enum sgpu_opcode op);
struct sgpu_instr op_dst(enum sgpu_opcode op, struct sgpu_dst dst);
struct sgpu_instr op1(enum sgpu_opcode op, struct sgpu_dst dst, struct sgpu_src a);
struct sgpu_instr op2(enum sgpu_opcode op, struct sgpu_dst dst, struct sgpu_src a,
                      struct sgpu_src b);
struct sgpu_instr branch(enum sgpu_opcode op, uint32_t target);
struct sgpu_instr guarded(struct sgpu_instr instr, unsigned reg, unsigned comp, bool not );
struct sgpu_src src(enum sgpu_file file, unsigned index);
struct sgpu_src src_x(enum sgpu_file file, unsigned index, unsigned comp);
struct sgpu_dst dst(enum sgpu_file file, unsigned index);
struct sgpu_dst dst_m(enum sgpu_file file, unsigned index, unsigned mask);

/* Inputs and results of a warp. */
struct warp {
   struct sgd_vec in[32];
   struct sgd_vec sys[32];
   uint32_t active, live;
   struct sgd_env env;
   uint8_t *shared; /* shared memory of the workgroup */
   uint32_t shared_size;
   uint64_t watchdog;

   bool ok; /* the warp was not stopped */
   struct sgd_stop_info stop;
   uint32_t live_out;
   struct sgd_vec out[64];
   uint64_t issued;
   uint64_t native;        /* number of issued instructions that ran as machine code */
   uint64_t textures;      /* number of texture operations */
   struct sgd_begun begun; /* the machine code in which the warp started */
};

struct test_worker;
struct test_worker *test_worker_create(void);
void test_worker_destroy(struct test_worker *tw);

/* Returns a worker without counts and stops. `watchdog` is the maximum number of instructions of a
 * warp, 0 for a large one.
 */
struct sgd_worker *test_worker_begin(struct test_worker *tw, uint64_t watchdog);
/* Sets the inputs and system values of an initialized warp. */
void test_set_registers(struct sgd_warp *w, const struct warp *warp);

/* Runs the program, with random bits in registers that the interpreter must not rely on. Outputs
 * are defined only for lanes of `active`.
 */
void test_run(struct test_worker *tw, const struct level *level, const struct sgd_shader *shader,
              struct warp *warp);

/* Runs the program on the reference machine. With `lockstep`, executes straight code including
 * operations over quads. Otherwise, lanes follow control flow one after the other. Returns false if
 * a lane runs more than `limit` instructions.
 */
bool reference_run(const struct code *code, const struct warp *in, bool lockstep, uint32_t limit,
                   struct sgd_vec out[64], uint32_t *live);

#endif
