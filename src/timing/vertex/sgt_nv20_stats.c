/* SPDX-License-Identifier: MIT */
/*
 * The vertex engine of 2001: its statistics in the registry.
 */
#include "sgt_nv20.h"

#include "sgt_stats.h"
#include "util/macros.h"

static void
add_count(struct sgt_stats *s, const char *unit, const char *name, const char *of,
          const uint64_t *value, const char *text)
{
   sgt_stats_add(s, &(struct sgt_stat){ .kind = SGT_STAT_COUNT,
                                        .unit = unit,
                                        .name = name,
                                        .of = of,
                                        .text = text,
                                        .num = 1,
                                        .values = value });
}

static void
add_parts(struct sgt_stats *s, const char *unit, const char *name, const char *of, uint32_t num,
          const uint64_t *values, const char *const *names, uint64_t total, const char *text)
{
   sgt_stats_add(s, &(struct sgt_stat){ .kind = SGT_STAT_PARTS,
                                        .unit = unit,
                                        .name = name,
                                        .of = of,
                                        .text = text,
                                        .num = num,
                                        .values = values,
                                        .names = names,
                                        .total = total });
}

static void
add_states(struct sgt_stats *s, const char *unit, const char *name, uint32_t num,
           const uint64_t *values, const char *const *names, uint64_t cycles, const char *text)
{
   add_parts(s, unit, name, "cycles", num, values, names, cycles, text);
}

static void
add_histogram(struct sgt_stats *s, const char *unit, const char *name, const char *of,
              enum sgt_stat_kind kind, uint32_t num, const uint64_t *values, const char *text)
{
   sgt_stats_add(s, &(struct sgt_stat){ .kind = kind,
                                        .unit = unit,
                                        .name = name,
                                        .of = of,
                                        .text = text,
                                        .num = num,
                                        .values = values });
}

static void
add_units(const struct sgt_nv20_result *r, struct sgt_stats *s)
{
   add_states(s, "host", "states", SGT_HOST_STATES, r->host, sgt_nv20_host_names, r->cycles,
              "What the host does in each cycle.");
   add_states(s, "attribute-buffer", "writes", SGT_VAB_WRITE_STATES, r->vab_write,
              sgt_vab_write_names, r->cycles, "Input side of the attribute buffer.");
   add_states(s, "attribute-buffer", "drains", SGT_VAB_DRAIN_STATES, r->vab_drain,
              sgt_vab_drain_names, r->cycles, "Output side of the attribute buffer.");
   add_states(s, "core", "states", SGT_VCORE_STATES, r->core, sgt_vcore_names, r->cycles,
              "The issue slot in each cycle.");
   add_states(s, "output", "states", SGT_VOUT_STATES, r->out, sgt_vout_names, r->cycles,
              "What the output does in each cycle.");
   add_states(s, "next", "states", SGT_VNEXT_STATES, r->next, sgt_vnext_names, r->cycles,
              "What the stage after the engine does in each cycle.");
   add_count(s, "attribute-buffer", "attributes", "writes", &r->writes, "Writes that entered.");
   add_count(s, "attribute-buffer", "moved", "attributes", &r->moved,
             "Attributes moved to input buffers.");
   add_count(s, "attribute-buffer", "pushed", "attributes", &r->pushed,
             "Attributes that a write moved out of turn.");
   add_count(s, "attribute-buffer", "rewrites", "writes", &r->rewrites,
             "Writes of an attribute that the same vertex had written before.");
   add_count(s, "core", "instructions", "instructions", &r->instructions,
             "Instructions that issued.");
   add_count(s, "core", "flushes", "vertices", &r->flushes,
             "Vertices that waited for the core to be empty.");
   add_count(s, "output", "vectors", "vectors", &r->outputs, "Vectors that were sent.");
}

static void
add_histograms(const struct sgt_nv20_result *r, struct sgt_stats *s)
{
   add_histogram(s, "core", "active", "cycles", SGT_STAT_HISTOGRAM, r->params.threads + 1,
                 r->active, "Cycles by threads with a vertex.");
   add_histogram(s, "core", "issued", "instructions", SGT_STAT_HISTOGRAM, r->params.threads,
                 r->issued, "Instructions by thread.");
   add_histogram(s, "attribute-buffer", "full", "cycles", SGT_STAT_HISTOGRAM,
                 r->params.input_buffers + 1, r->full,
                 "Cycles by input buffers that are not free.");
   add_histogram(s, "attribute-buffer", "buffers", "vertices", SGT_STAT_HISTOGRAM,
                 r->params.input_buffers, r->buffers, "Vertices by input buffer.");
   add_histogram(s, "attribute-buffer", "dirty", "vertices", SGT_STAT_HISTOGRAM,
                 ARRAY_SIZE(r->dirty), r->dirty, "Vertices by attributes moved.");
   add_histogram(s, "attribute-buffer", "moves", "attributes", SGT_STAT_HISTOGRAM,
                 ARRAY_SIZE(r->attributes), r->attributes, "Moves by attribute.");
   add_histogram(s, "core", "reserved", "cycles", SGT_STAT_HISTOGRAM, r->params.output_buffers + 1,
                 r->reserved, "Cycles by output buffers that are not free.");
   const struct {
      const char *name, *text;
      const uint64_t *values, *sum;
   } times[] = {
      { "fill", "Vertices by cycles from the write of attribute 0 to the last move.", r->fill_time,
        &r->fill_sum },
      { "wait", "Vertices by cycles from there to the start of a thread.", r->wait_time,
        &r->wait_sum },
      { "run", "Vertices by cycles from there to the last result.", r->run_time, &r->run_sum },
      { "out", "Vertices by cycles from there to the next stage.", r->out_time, &r->out_sum },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(times); i++) {
      add_histogram(s, "vertex", times[i].name, "vertices", SGT_STAT_LOG2, 64, times[i].values,
                    times[i].text);
      static const char *const sums[] = { "fill-cycles", "wait-cycles", "run-cycles",
                                          "out-cycles" };
      add_count(s, "vertex", sums[i], "cycles", times[i].sum, "The same cycles, summed.");
   }
   add_histogram(s, "vertex", "life", "vertices", SGT_STAT_LOG2, 64, r->life_time,
                 "Vertices by cycles from the write of attribute 0 to the next stage.");
}

void
sgt_nv20_register(const struct sgt_nv20_result *r, struct sgt_stats *s)
{
   static const char *const opcodes[SGT_VERTEX_OPCODES + 1] = {
      "ARL", "MOV", "MUL", "ADD", "MAD", "DP3", "DP4", "DST", "MIN",
      "MAX", "SLT", "SGE", "RCP", "RSQ", "EXP", "LOG", "LIT", "other",
   };
   static_assert(SGPU_OP_LIT - SGPU_OP_ARL == 16 && SGPU_OP_RCP - SGPU_OP_ARL == 12,
                 "opcodes are in the order of the names");
   add_count(s, "engine", "cycles", "cycles", &r->cycles,
             "Until the next stage has done the last vertex.");
   add_count(s, "engine", "vertices", "vertices", &r->vertices, "Vertices.");
   add_count(s, "engine", "base-vertices", "vertices", &r->base_vertices,
             "Vertices with programs of the base profile.");
   add_count(s, "engine", "programs", "programs", &r->programs, "Programs of the stream.");
   add_units(r, s);
   add_histograms(r, s);
   add_parts(s, "core", "classes", "instructions", SGT_VERTEX_CLASSES, r->classes,
             sgt_vertex_class_names, r->instructions, "Instructions by class.");
   add_parts(s, "core", "opcodes", "instructions", ARRAY_SIZE(r->opcodes), r->opcodes, opcodes,
             r->instructions, "Instructions by operation.");
   static const char *const parts[6][3] = {
      { "writes", "writes-most", "writes-residence" },
      { "filled", "filled-most", "filled-residence" },
      { "inputs-free", "inputs-free-most", "inputs-free-residence" },
      { "done", "done-most", "done-residence" },
      { "outputs-free", "outputs-free-most", "outputs-free-residence" },
      { "vertices", "vertices-most", "vertices-residence" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(parts); i++) {
      add_count(s, "channels", parts[i][0], "messages", &r->channels[i].messages, "Messages.");
      add_count(s, "channels", parts[i][1], "messages", &r->channels[i].most,
                "Most under way at once.");
      add_count(s, "channels", parts[i][2], "cycles", &r->channels[i].residence,
                "From sending to taking, summed.");
   }
}
