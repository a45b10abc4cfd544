/* SPDX-License-Identifier: MIT */
/*
 * The compiler from end to end.  The table says what happens to a program
 * between selection and its binary; each pass is a file of its own.
 */

#include "sgc_ir.h"
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
   { "copy propagation",    optimizing,         sgc_opt_copy_prop },
   { "dead code",           always,             sgc_opt_dce },
   { "coalescing",          optimizing,         sgc_coalesce },
   { "base profile",        for_vp1,            sgc_lower_vp1 },
   { "copy propagation",    for_vp1_optimizing, sgc_opt_copy_prop },
   { "dead code",           for_vp1,            sgc_opt_dce },
   { "literals",            always,             sgc_place_literals },
   { "base profile operands", for_vp1,          sgc_lower_vp1_operands },
   { "scheduling",          scheduling,         sgc_schedule },
   { "registers",           always,             sgc_allocate },
   { "encoding",            always,             sgc_encode },
};

static bool
validates(unsigned debug)
{
#ifdef NDEBUG
   return debug & SGPU_COMPILER_VALIDATE;
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

static struct sgc_program *
compile(void *mem_ctx, struct sgpu_shader *shader, nir_shader *nir,
        const struct sgpu_shader_key *key, unsigned debug, bool asks_for_nan, bool vp1,
        bool no_schedule)
{
   struct sgc_program *p = sgc_program_create(mem_ctx, nir->info.stage);
   p->shader = shader;
   p->debug = debug;
   p->validate = validates(debug);
   p->asks_for_nan = asks_for_nan;
   p->vp1 = vp1;
   p->no_schedule = no_schedule;

   sgc_select(p, nir, key);
   after_pass(p, "selection");
   for (unsigned i = 0; i < ARRAY_SIZE(passes) && !p->error; i++) {
      if (!passes[i].predicate(p))
         continue;
      passes[i].run(p);
      after_pass(p, passes[i].name);
   }
   return p;
}

static void
print(const struct sgpu_shader *shader, unsigned num_loops, unsigned debug)
{
   const struct sgpu_program *program = &shader->program;

   if (!(debug & (SGPU_COMPILER_ASM | SGPU_COMPILER_SHADERDB)))
      return;
   fprintf(stderr, "%s %s instructions=%u temps=%u constants=%u loops=%u\n",
           _mesa_shader_stage_to_string(shader->stage) , program->vp1 ? "vp1" : "full",
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
   void *work = ralloc_context(NULL);
   nir_shader *clone = nir_shader_clone(work, nir);
   struct sgpu_shader *shader = NULL;
   struct sgc_program *p = NULL;
   const char *not_vp1 = NULL;

   const bool asks_for_nan = sgc_lower_nir(clone, debug);
   if (nir->info.stage == MESA_SHADER_VERTEX) {
      if (debug & SGPU_COMPILER_NOVP1)
         not_vp1 = "switched off";
      else if (asks_for_nan)
         not_vp1 = "looks for NaNs";
      /* What the scheduler does may cost the temporaries that make the
       * difference.
       */
      const unsigned attempts = not_vp1 ? 0 : 2;
      for (unsigned attempt = 0; attempt < attempts && !p; attempt++) {
         shader = rzalloc(mem_ctx, struct sgpu_shader);
         p = compile(work, shader, clone, key, debug, asks_for_nan, true, attempt == 1);
         if (p->error) {
            not_vp1 = p->error;
            ralloc_free(shader);
            p = NULL;
         }
      }
   }
   if (!p) {
      shader = rzalloc(mem_ctx, struct sgpu_shader);
      p = compile(work, shader, clone, key, debug, asks_for_nan, false, false);
      if (not_vp1)
         shader->not_vp1 = ralloc_strdup(shader, not_vp1);
   }

   if (p->error) {
      if (error)
         *error = ralloc_strdup(mem_ctx, p->error);
      ralloc_free(shader);
      shader = NULL;
   } else {
      print(shader, p->num_loops, debug);
   }
   ralloc_free(work);
   return shader;
}
