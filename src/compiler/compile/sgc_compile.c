/* SPDX-License-Identifier: MIT */
/*
 * Implements sgpu_compile(), which runs all parts of the compiler in order:
 *
 *    part        files                                          may use
 *    lowering    sgc_nir*.c: NIR to NIR                         NIR
 *    selection   sgc_select*.[ch], sgc_plan*.c, sgc_match.c,    NIR, builder
 *                sgc_pattern.[ch], sgc_operand*.c,
 *                sgc_interface.c, sgc_alu_info.c: NIR to IR
 *    passes      the table below: IR to IR                      utilities
 *    utilities   sgc_liveness.c, sgc_spill.c, sgc_ra_check.c,   builder
 *                sgc_validate.c, sgc_print.c
 *    builder     sgc_builder.h, generated from the opcodes      IR
 *    IR          sgc_ir.[ch], sgc_alloc.c                       tables of the ISA
 *
 * Only lowering and selection use NIR. Each pass has a single entry point, which is declared in
 * sgc_ir.h, and calls no other pass. The input and the output of a pass must be programs that
 * sgc_validate() accepts.
 */

#include <inttypes.h>
#include <time.h>

#include "ir/sgc_ir.h"
#include "sgpu_disasm.h"

static bool
always(const struct sgc_program *p)
{
   return true;
}

static bool
optimizing(const struct sgc_program *p)
{
   return !(p->debug & SGPU_COMPILER_NOOPT);
}

static bool
scheduling(const struct sgc_program *p)
{
   return optimizing(p) && !p->no_schedule;
}

static bool
for_vp1(const struct sgc_program *p)
{
   return p->vp1;
}

static bool
for_vp1_optimizing(const struct sgc_program *p)
{
   return p->vp1 && optimizing(p);
}

static const struct pass {
   const char *name;
   bool (*predicate)(const struct sgc_program *p);
   bool (*run)(struct sgc_program *p);
} passes[] = {
   { "copy propagation", optimizing, sgc_opt_copy_prop },
   { "dead code", always, sgc_opt_dce },
   { "coalescing", optimizing, sgc_coalesce },
   { "base profile", for_vp1, sgc_lower_vp1 },
   { "copy propagation", for_vp1_optimizing, sgc_opt_copy_prop },
   { "dead code", for_vp1, sgc_opt_dce },
   { "literals", always, sgc_place_literals },
   { "base profile operands", for_vp1, sgc_lower_vp1_operands },
   { "scheduling", scheduling, sgc_schedule },
   { "registers", always, sgc_allocate },
   { "encoding", always, sgc_encode },
};

static bool
validates(unsigned debug)
{
#ifdef NDEBUG
   return (debug & SGPU_COMPILER_VALIDATE) && !(debug & SGPU_COMPILER_NOVALIDATE);
#else
   return !(debug & SGPU_COMPILER_NOVALIDATE);
#endif
}

static void
after_pass(struct sgc_program *p, const char *name)
{
   if (p->debug & SGPU_COMPILER_PASSES) {
      fprintf(stderr, "after %s:\n", name);
      sgc_print_program(stderr, p);
   }
   if (!p->validate || p->error)
      return;

   const struct sgc_instr *where;
   const char *error = sgc_validate(p, &where);
   if (error) {
      fprintf(stderr, "sgpu compiler: after %s: %s\n", name, error);
      if (where)
         sgc_print_instr(stderr, where);
      sgc_print_program(stderr, p);
      sgc_error(p, error);
      assert(!"invalid program");
   }
}

/* Returns the CPU time of this thread, in milliseconds. */
static double
time_now(void)
{
   struct timespec t;

   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
   return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Prints the time that has passed since *since, labelled with `name`, and sets *since to the
 * current time. If `name` is NULL, only sets *since. All times of a shader are printed on the same
 * line.
 */
static void
print_time(unsigned debug, double *since, const char *name)
{
   if (!(debug & SGPU_COMPILER_TIMES))
      return;
   const double now = time_now();
   if (name)
      fprintf(stderr, " %s %.1f,", name, now - *since);
   *since = now;
}

/* Parameters and results of a single attempt to compile a shader. */
struct attempt {
   void *mem_ctx;    /* ralloc context of the program */
   void *shader_ctx; /* ralloc context of the compiled shader */
   nir_shader *nir;  /* lowered shader */
   const struct sgpu_shader_key *key;
   unsigned debug;    /* bitmask of enum sgpu_compiler_debug */
   bool asks_for_nan; /* set if signs of zeros and NaNs count: isnan(), ldexp() */
   bool vp1;          /* set to compile for the base profile */
   bool no_schedule;  /* set to skip scheduling */

   struct sgc_program *program; /* result: the program */
   const char *error;           /* result: why the program can't be compiled, or NULL on success */
};

static void
run_passes(struct sgc_program *p, const struct attempt *a)
{
   double since = 0.0;

   print_time(p->debug, &since, NULL);
   sgc_select(p, a->nir, a->key);
   print_time(p->debug, &since, "selection");
   after_pass(p, "selection");
   for (unsigned i = 0; i < ARRAY_SIZE(passes) && !p->error; i++) {
      if (!passes[i].predicate(p))
         continue;
      print_time(p->debug, &since, NULL);
      passes[i].run(p);
      print_time(p->debug, &since, passes[i].name);
      after_pass(p, passes[i].name);
   }
   if (p->debug & SGPU_COMPILER_TIMES)
      fprintf(stderr, " %s%s: %u registers, %" PRIu64 " steps\n",
              p->vp1 ? "base profile" : "full profile", p->error ? " refused" : "", p->num_regs,
              p->work);
}

/* Compiles the shader for one profile. Returns NULL and sets a->error on failure. */
static struct sgpu_shader *
compile(struct attempt *a)
{
   struct sgpu_shader *shader = rzalloc(a->shader_ctx, struct sgpu_shader);
   struct sgc_program *p = sgc_program_create(a->mem_ctx, a->nir->info.stage);
   jmp_buf out_of_memory;

   a->program = p;
   if (!shader || !p) {
      ralloc_free(shader);
      a->error = SGC_OUT_OF_MEMORY;
      return NULL;
   }
   p->shader = shader;
   p->debug = a->debug;
   p->validate = validates(a->debug);
   p->asks_for_nan = a->asks_for_nan;
   p->vp1 = a->vp1;
   p->no_schedule = a->no_schedule;
   p->out_of_memory = &out_of_memory;
   if (setjmp(out_of_memory) == 0)
      run_passes(p, a);
   else
      p->error = SGC_OUT_OF_MEMORY;
   p->out_of_memory = NULL;
   shader->work = p->work;

   a->error = p->error;
   if (p->error) {
      ralloc_free(shader);
      return NULL;
   }
   return shader;
}

static void
print(const struct sgpu_shader *shader, unsigned num_loops, unsigned debug)
{
   const struct sgpu_program *program = &shader->program;

   if (!(debug & (SGPU_COMPILER_ASM | SGPU_COMPILER_SHADERDB)))
      return;
   fprintf(stderr, "%s %s instructions=%u temps=%u constants=%u loops=%u\n",
           _mesa_shader_stage_to_string(shader->stage), program->vp1 ? "vp1" : "full",
           program->num_instrs, program->num_temps,
           program->info.num_constants + program->num_literals, num_loops);
   if (debug & SGPU_COMPILER_ASM) {
      if (shader->not_vp1)
         fprintf(stderr, "# not vp1: %s\n", shader->not_vp1);
      sgpu_disasm_print(stderr, program);
   }
}

struct sgpu_shader *
sgpu_compile(void *mem_ctx, const nir_shader *nir, const struct sgpu_shader_key *key,
             unsigned debug, const char **error)
{
   struct attempt a = {
      .mem_ctx = ralloc_context(NULL),
      .shader_ctx = mem_ctx,
      .key = key,
      .debug = debug,
   };
   struct sgpu_shader *shader = NULL;
   const char *not_vp1 = NULL;

   double since = 0.0;
   if (debug & SGPU_COMPILER_TIMES)
      fprintf(stderr, "%s times (ms):", _mesa_shader_stage_to_string(nir->info.stage));
   print_time(debug, &since, NULL);
   a.nir = nir_shader_clone(a.mem_ctx, nir);
   a.asks_for_nan = sgc_lower_nir(a.nir, debug);
   print_time(debug, &since, "NIR");
   if (nir->info.stage == MESA_SHADER_VERTEX) {
      if (debug & SGPU_COMPILER_NOVP1)
         not_vp1 = "switched off";
      else if (a.asks_for_nan)
         not_vp1 = "looks for NaNs";
      /* Scheduling increases register pressure, and the base profile has few registers. If the
       * first attempt fails, try again without scheduling.
       */
      a.vp1 = true;
      for (unsigned attempt = 0; attempt < 2 && !not_vp1 && !shader; attempt++) {
         a.no_schedule = attempt == 1;
         shader = compile(&a);
         if (attempt == 1)
            not_vp1 = a.error;
      }
   }
   if (!shader) {
      a.vp1 = a.no_schedule = false;
      shader = compile(&a);
      if (shader && not_vp1)
         shader->not_vp1 = ralloc_strdup(shader, not_vp1);
   }

   if (shader)
      print(shader, a.program->num_loops, debug);
   else if (error)
      *error = ralloc_strdup(mem_ctx, a.error);
   ralloc_free(a.mem_ctx);
   return shader;
}
