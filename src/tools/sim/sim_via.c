/* SPDX-License-Identifier: MIT */
/* Microbenchmarks of the execution unit of US 8,564,604. Handwritten shader work, or the frames of
 * captures, run on a single execution unit. Its memory has a fixed latency.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_asm.h"
#include "chip_eu/sgt_eu_alone.h"
#include "report/sgt_report.h"
#include "kernel/sgt_stats.h"
#include "sim_microbenchmark.h"
#include "util/macros.h"

/* Memory latency in cycles. */
#define MEMORY_CYCLES 100
#define TEXTURE_CYCLES 60
/* Maximum number of cycles per run. */
#define LIMIT 100000000

enum constants {
   CONSTANTS_OWN,     /* all draws use the same constant context */
   CONSTANTS_TURNS,   /* draws alternate between two constant contexts */
   CONSTANTS_CHANGES, /* each draw changes four constants of the same context */
};

/* Source of a program: head, `times` copies of the body, and tail. */
struct text {
   const char *head, *body, *tail;
   uint32_t times;
};

struct benchmark {
   const char *name;
   struct text texts[2];  /* programs that draws alternate between; the second one is optional */
   uint32_t draws, warps; /* draws: number of draws; warps: number of warps per draw */
   /* Number of iterations of the loop from instruction 0 to the jump, or 0 if there is no loop. */
   uint32_t loops;
   enum constants constants;
};

#define TRANSFORM                                                          \
   "DP4 R0.x, c[0], v[0];\nDP4 R0.y, c[1], v[0];\nDP4 R0.z, c[2], v[0];\n" \
   "DP4 R0.w, c[3], v[0];\nMOV o[HPOS], R0;\nDP3 R1.x, c[4], v[1];\n"      \
   "DP3 R1.y, c[5], v[1];\nDP3 R1.z, c[6], v[1];\nDP3 R2.x, R1, c[8];\n"   \
   "MAX R2.x, R2, c[9];\nMAD R3, R2.x, c[10], c[11];\nMUL R3, R3, v[2];\n" \
   "MOV o[COL0], R3;\nMAD R4, v[3], c[12], c[13];\nMOV o[TEX0], R4;\n"
#define SHADE                                                                             \
   "MAD R0, v[1], c[0], c[1];\nTEX R1, R0, tex[0], smp[0], 2D;\n"                         \
   "MAD R2, v[2], c[2], c[3];\nTEX R3, R2, tex[1], smp[1], 2D;\n"                         \
   "MUL R4, v[0], c[4];\nMAD R5, R4, c[5], c[6];\nMUL R6, R1, R5;\nMAD R7, R3, R6, R4;\n" \
   "MUL R8, R7, c[7];\nMOV o[COLR0], R8;\n"
#define FREE                                                                              \
   "MAD R4, R0, R1, R0;\nMAD R5, R0, R1, R0;\nMAD R6, R0, R1, R0;\nMAD R7, R0, R1, R0;\n" \
   "MAD R8, R0, R1, R0;\nMAD R9, R0, R1, R0;\nMAD R10, R0, R1, R0;\nMAD R11, R0, R1, R0;\n"

static const struct benchmark benchmarks[] = {
   { "control", { { "!!SGVP1.0\n", "NOP;\n", "END\n", 64 } }, 1, 512 },
   { "chain", { { "!!SGVP1.0\nTEMPS 3;\n", "MAD R0, R0, R1, R2;\n", "END\n", 64 } }, 1, 512 },
   { "chain1",
     { { "!!SGVP1.0\nTEMPS 3;\nl: ", "MAD R0, R0, R1, R2;\n", "(P0.x) BRA l;\nEND\n", 32 } },
     1,
     1,
     64 },
   { "registers", { { "!!SGVP1.0\nTEMPS 12;\n", FREE, "END\n", 16 } }, 1, 512 },
   { "registers1", { { "!!SGVP1.0\nTEMPS 12;\nl: ", FREE, "(P0.x) BRA l;\nEND\n", 4 } }, 1, 1, 64 },
   { "pairs",
     { { "!!SGVP1.0\nTEMPS 12;\n",
         "MAD R4, R0, R1, R0;\nMOV o[TEX0], R4;\nMAD R5, R0, R1, R0;\nMOV o[TEX1], R5;\n", "END\n",
         32 } },
     1,
     512 },
   { "constants",
     { { "!!SGVP1.0\n",
         "MOV R0, c[0];\nMOV R1, c[16];\nMOV R2, c[32];\nMOV R3, c[48];\n"
         "MOV R4, c[64];\nMOV R5, c[80];\nMOV R6, c[96];\nMOV R7, c[112];\n",
         "END\n", 8 } },
     1,
     512 },
   { "mixed",
     { { "!!SGVP1.0\nTEMPS 12;\n",
         "MAD o[TEX0], R0, c[0], v[0];\nMAD R4, R0, R1, R0;\n"
         "MAD o[TEX1], R0, c[1], v[1];\nMAD R5, R0, R1, R0;\n",
         "END\n", 32 } },
     1,
     512 },
   { "loop",
     { { "!!SGVP1.0\nTEMPS 4;\nl: ", "MAD R3, R0, R1, R2;\nADD R0, R3, R1;\n",
         "(P0.x) BRA l;\nMOV o[HPOS], R0;\nEND\n", 3 } },
     1,
     256,
     16 },
   { "transform", { { "!!SGVP1.0\n", TRANSFORM, "END\n", 1 } }, 16, 64 },
   { "shade", { { "!!SGFP1.0\n", SHADE, "END\n", 1 } }, 16, 64 },
   { "both",
     { { "!!SGVP1.0\n", TRANSFORM, "END\n", 1 }, { "!!SGFP1.0\n", SHADE, "END\n", 1 } },
     64,
     4 },
   { "contexts",
     { { "!!SGVP1.0\n", TRANSFORM, "END\n", 1 } },
     64,
     4,
     .constants = CONSTANTS_TURNS },
   { "versions",
     { { "!!SGVP1.0\n", TRANSFORM, "END\n", 1 } },
     64,
     4,
     .constants = CONSTANTS_CHANGES },
};

static struct sgt_program *
assemble(const struct text *t)
{
   const size_t length = strlen(t->head) + t->times * strlen(t->body) + strlen(t->tail);
   struct sgpu_program program;
   struct sgpu_asm_error error;
   char *text = malloc(length + 1);

   if (!text)
      return NULL;
   char *end = stpcpy(text, t->head);
   for (uint32_t i = 0; i < t->times; i++)
      end = stpcpy(end, t->body);
   stpcpy(end, t->tail);
   struct sgt_program *p = NULL;
   if (sgpu_asm_program(text, length, &program, &error)) {
      p = sgt_program_create(&program);
      sgpu_program_finish(&program);
   } else {
      fprintf(stderr, "sgpu: sim: %u:%u: %s\n", error.line, error.column, error.text);
   }
   free(text);
   return p;
}

static void
add_run(struct sgt_work_builder *b, const struct sgt_program *p, uint32_t pc, uint32_t count)
{
   const struct sgt_access texture = { .kind = SGT_ACCESS_TEXTURE, .lanes = 32, .work = 32 };
   sgt_work_builder_run(b, pc, count, ~0u);
   for (uint32_t i = pc; i < pc + count; i++)
      if (p->instrs[i].flags & SGT_INSTR_ACCESS)
         sgt_work_builder_access(b, &texture, NULL, 0);
}

/* Adds the constants of a draw. These are all constants that instructions can address directly. */
static void
add_constants(struct sgt_work_builder *b, const struct benchmark *m, const struct sgt_program *p,
              uint32_t draw)
{
   const bool changes = m->constants == CONSTANTS_CHANGES;
   const struct sgt_constants constants = {
      .context = p->stage * 2 + (m->constants == CONSTANTS_TURNS ? draw % 2 : 0),
      .version = changes ? draw : 0,
      .bytes = SGT_CONST_LINES * SGT_CONST_LINE_BYTES,
      .stage = p->stage,
   };
   sgt_work_builder_constants(b, &constants);
   if (changes && draw)
      sgt_work_builder_changed(b, 2, 1);
}

static struct sgt_work *
make_work(const struct benchmark *m)
{
   struct sgt_work_builder *b = sgt_work_builder_create();
   struct sgt_program *programs[2] = { NULL };
   uint32_t num = 0;
   bool ok = b;

   for (unsigned i = 0; ok && i < 2 && m->texts[i].head; i++) {
      programs[num] = assemble(&m->texts[i]);
      ok = programs[num];
      sgt_work_builder_program(b, programs[num++]);
   }
   for (uint32_t d = 0; ok && d < m->draws; d++) {
      const struct sgt_program *p = programs[d % num];
      uint32_t jump = 0;
      while (m->loops && !(p->instrs[jump].flags & SGT_INSTR_JUMP))
         jump++;
      sgt_work_builder_operation(b, 0, 0);
      add_constants(b, m, p, d);
      for (uint32_t w = 0; w < m->warps; w++) {
         sgt_work_builder_warp(b, d % num, ~0u, w);
         for (uint32_t i = 1; i < m->loops; i++)
            add_run(b, p, 0, jump + 1);
         add_run(b, p, 0, p->num_instrs);
      }
   }
   struct sgt_work *work = ok ? sgt_work_builder_finish(b) : NULL;
   sgt_work_builder_destroy(b);
   return work;
}

static void
write_stats(struct sgt_json *j, const struct sgt_stats *stats)
{
   for (uint32_t i = 0; i < stats->num; i++) {
      const struct sgt_stat *s = &stats->stats[i];
      if (s->kind == SGT_STAT_COUNT) {
         sgt_json_u64(j, s->name, s->values[0]);
         continue;
      }
      if (s->names)
         sgt_json_object(j, s->name, true);
      else
         sgt_json_array(j, s->name, true);
      for (uint32_t n = 0; n < s->num; n++)
         sgt_json_u64(j, s->names ? s->names[n] : NULL, s->values[n]);
      sgt_json_end(j);
   }
}

static bool
run(struct sgt_json *j, const char *name, const struct sgt_work *work,
    const struct sgt_eu_params *params, const struct sim_options *o)
{
   struct sgt_eu_alone alone;
   struct sgt_stats stats;
   char error[256];

   if (!sgt_eu_work_check(params, work, error, sizeof(error)))
      return sim_failed(error);
   if (!sgt_eu_alone_init(&alone, params, work, MEMORY_CYCLES, TEXTURE_CYCLES))
      return sim_failed("out of memory");
   if (o->shuffle)
      sgt_sched_shuffle(&alone.sched, o->shuffle);
   sgt_stats_init(&stats);
   bool ok = sgt_eu_alone_run(&alone, LIMIT) || sim_failed("a microbenchmark does not end");
   sgt_eu_stats_add(&alone.eu, &stats, "eu");
   ok = ok && (!stats.out_of_memory || sim_failed("out of memory")) &&
        (sgt_stats_check(&stats, error, sizeof(error)) || sim_failed(error));
   if (ok) {
      sgt_json_object(j, NULL, false);
      sgt_json_string(j, "work", name);
      write_stats(j, &stats);
      sgt_json_end(j);
   }
   sgt_stats_finish(&stats);
   sgt_eu_alone_finish(&alone);
   return ok;
}

static bool
run_by_hand(struct sgt_json *j, const struct benchmark *m, const struct sgt_eu_params *params,
            const struct sim_options *o)
{
   struct sgt_work *work = make_work(m);
   const bool ok = work ? run(j, m->name, work, params, o) : sim_failed("out of memory");
   sgt_work_destroy(work);
   return ok;
}

static bool
run_frames(struct sgt_json *j, const struct sim_frames *frames, const char *path,
           const struct sgt_eu_params *params, const struct sim_options *o)
{
   const char *base = sim_base_name(path);
   char name[256];
   bool ok = true;
   for (uint32_t i = 0; ok && i < frames->count; i++) {
      const struct sim_frame *frame = &frames->frames[i];
      snprintf(name, sizeof(name), "%.*s.%" PRIu64, (int)strcspn(base, "."), base, frame->number);
      if (frame->work && frame->work->num_warps)
         ok = run(j, name, frame->work, params, o);
   }
   return ok;
}

static bool
write_point(struct sgt_json *j, const struct sim_point *point, const struct sim_frames *captures,
            const struct sim_options *o)
{
   const struct sgt_eu_params *params = &point->config.chip.eu;
   char error[256];
   bool ok = true;

   if (!sgt_eu_params_check(params, error, sizeof(error)))
      return o->sensitivity || sim_failed(error);
   sgt_json_object(j, NULL, false);
   sim_json_change_texts(j, point);
   sgt_json_array(j, "benchmarks", false);
   for (unsigned i = 0; ok && i < ARRAY_SIZE(benchmarks) && !o->num_captures; i++)
      ok = run_by_hand(j, &benchmarks[i], params, o);
   for (unsigned i = 0; ok && i < o->num_captures; i++)
      ok = run_frames(j, &captures[i], o->captures[i], params, o);
   sgt_json_end(j);
   sgt_json_end(j);
   return ok;
}

static bool
has_section(const struct sgt_config *config, const char *section)
{
   return !strcmp(section, "eu");
}

/* Runs the frames of captures, or the handwritten shader work if there are no captures. */
static bool
run_all(struct sgt_json *j, const struct sim_options *o, const struct sim_points *points,
        sim_load *load)
{
   struct sim_frames *captures = calloc(o->num_captures + 1, sizeof(*captures));
   unsigned loaded = 0;
   bool ok = captures || sim_failed("out of memory");

   while (ok && loaded < o->num_captures) {
      ok = sim_frames_load(&captures[loaded], o, o->captures[loaded], load);
      loaded += ok;
   }
   sim_microbenchmark_begin(j, &sim_via);
   sgt_json_u64(j, "memory_cycles", MEMORY_CYCLES);
   sgt_json_u64(j, "texture_cycles", TEXTURE_CYCLES);
   sgt_json_parameters(j, &o->config);
   sgt_json_array(j, "points", false);
   for (uint32_t i = 0; ok && i < points->count; i++)
      ok = write_point(j, &points->points[i], captures, o);
   sgt_json_end(j);
   sgt_json_end(j);
   for (unsigned i = 0; i < loaded; i++)
      sim_frames_free(&captures[i]);
   free(captures);
   return ok;
}

const struct sim_microbenchmark sim_via = {
   .name = "via",
   .format = "sgpu-sim-via",
   .model = SGT_CHIP_MODEL_G80,
   .has_section = has_section,
   .run = run_all,
};
