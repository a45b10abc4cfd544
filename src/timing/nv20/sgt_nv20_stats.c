/* SPDX-License-Identifier: MIT */
/*
 * Names of the states and statistics of the vertex engine of 2001.
 */
#include "nv20/sgt_nv20.h"

#include "kernel/sgt_stats.h"
#include "util/macros.h"

const char *const sgt_nv20_host_names[SGT_HOST_STATES] = {
   [SGT_HOST_SEND] = "send",
   [SGT_HOST_PACE] = "pace",
   [SGT_HOST_FULL] = "full",
   [SGT_HOST_DONE] = "done",
};

const char *const sgt_vab_write_names[SGT_VAB_WRITE_STATES] = {
   [SGT_VAB_WRITE] = "write",
   [SGT_VAB_WAITS_DRAIN] = "waits-drain",
   [SGT_VAB_WAITS_BUFFER] = "waits-buffer",
   [SGT_VAB_NO_WRITE] = "no-write",
};

const char *const sgt_vab_drain_names[SGT_VAB_DRAIN_STATES] = {
   [SGT_VAB_DRAIN] = "drain",
   [SGT_VAB_PUSH] = "push",
   [SGT_VAB_NO_BUFFER] = "no-buffer",
   [SGT_VAB_NO_VERTEX] = "no-vertex",
};

const char *const sgt_vcore_names[SGT_VCORE_STATES] = {
   [SGT_VCORE_ISSUE] = "issue",   [SGT_VCORE_LATENCY] = "latency", [SGT_VCORE_INPUT] = "input",
   [SGT_VCORE_OUTPUT] = "output", [SGT_VCORE_PROGRAM] = "program", [SGT_VCORE_DRAIN] = "drain",
};

const char *const sgt_vout_names[SGT_VOUT_STATES] = {
   [SGT_VOUT_SEND] = "send",
   [SGT_VOUT_BLOCKED] = "blocked",
   [SGT_VOUT_ORDER] = "order",
   [SGT_VOUT_IDLE] = "idle",
};

const char *const sgt_vnext_names[SGT_VNEXT_STATES] = {
   [SGT_VNEXT_BUSY] = "busy",
   [SGT_VNEXT_IDLE] = "idle",
};

static void
add_states(struct sgt_stats *s, const char *unit, const char *name, uint32_t num,
           const uint64_t *values, const char *const *names, uint64_t cycles, const char *text)
{
   sgt_stats_add_parts(s, unit, name, "cycles", text, num, values, names, cycles);
}

static void
add_units(const struct sgt_nv20_result *r, struct sgt_stats *s)
{
   add_states(s, "host", "states", SGT_HOST_STATES, r->host, sgt_nv20_host_names, r->cycles,
              "State of the host in each cycle.");
   add_states(s, "attribute-buffer", "writes", SGT_VAB_WRITE_STATES, r->vab_write,
              sgt_vab_write_names, r->cycles, "State of the input side of the attribute buffer.");
   add_states(s, "attribute-buffer", "drains", SGT_VAB_DRAIN_STATES, r->vab_drain,
              sgt_vab_drain_names, r->cycles, "State of the output side of the attribute buffer.");
   add_states(s, "core", "states", SGT_VCORE_STATES, r->core, sgt_vcore_names, r->cycles,
              "State of the issue slot in each cycle.");
   add_states(s, "output", "states", SGT_VOUT_STATES, r->out, sgt_vout_names, r->cycles,
              "State of the output in each cycle.");
   add_states(s, "next", "states", SGT_VNEXT_STATES, r->next, sgt_vnext_names, r->cycles,
              "State of the stage after the engine in each cycle.");
   sgt_stats_add_count(s, "attribute-buffer", "attributes", "writes", "Writes that entered.",
                       &r->writes);
   sgt_stats_add_count(s, "attribute-buffer", "moved", "attributes",
                       "Attributes that were moved to input buffers.", &r->moved);
   sgt_stats_add_count(s, "attribute-buffer", "pushed", "attributes",
                       "Attributes that a write moved out of turn.", &r->pushed);
   sgt_stats_add_count(s, "attribute-buffer", "rewrites", "writes",
                       "Writes of an attribute that the same vertex had already written.",
                       &r->rewrites);
   sgt_stats_add_count(s, "core", "instructions", "instructions", "Instructions that issued.",
                       &r->instructions);
   sgt_stats_add_count(s, "core", "flushes", "vertices",
                       "Vertices that waited for the core to be empty.", &r->flushes);
   sgt_stats_add_count(s, "output", "vectors", "vectors", "Vectors that were sent.", &r->outputs);
}

static void
add_histograms(const struct sgt_nv20_result *r, struct sgt_stats *s)
{
   sgt_stats_add_histogram(s, "core", "active", "cycles",
                           "Cycles by the number of threads with a vertex.", r->params.threads + 1,
                           r->active);
   sgt_stats_add_histogram(s, "core", "issued", "instructions", "Instructions by thread.",
                           r->params.threads, r->issued);
   sgt_stats_add_histogram(s, "attribute-buffer", "full", "cycles",
                           "Cycles by the number of input buffers that are not free.",
                           r->params.input_buffers + 1, r->full);
   sgt_stats_add_histogram(s, "attribute-buffer", "buffers", "vertices",
                           "Vertices by input buffer.", r->params.input_buffers, r->buffers);
   sgt_stats_add_histogram(s, "attribute-buffer", "dirty", "vertices",
                           "Vertices by the number of attributes that were moved.",
                           ARRAY_SIZE(r->dirty), r->dirty);
   sgt_stats_add_histogram(s, "attribute-buffer", "moves", "attributes", "Moves by attribute.",
                           ARRAY_SIZE(r->attributes), r->attributes);
   sgt_stats_add_histogram(s, "core", "reserved", "cycles",
                           "Cycles by the number of output buffers that are not free.",
                           r->params.output_buffers + 1, r->reserved);
   const struct {
      const char *name, *text;
      const uint64_t *values, *sum;
   } times[] = {
      { "fill", "Vertices by cycles from the write of attribute 0 to the last move.", r->fill_time,
        &r->fill_sum },
      { "wait", "Vertices by cycles from the last move to the start of a thread.", r->wait_time,
        &r->wait_sum },
      { "run", "Vertices by cycles from the start of a thread to the last result.", r->run_time,
        &r->run_sum },
      { "out", "Vertices by cycles from the last result to the next stage.", r->out_time,
        &r->out_sum },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(times); i++) {
      sgt_stats_add_log2(s, "vertex", times[i].name, "vertices", times[i].text, 64,
                         times[i].values);
      static const char *const sums[] = { "fill-cycles", "wait-cycles", "run-cycles",
                                          "out-cycles" };
      sgt_stats_add_count(s, "vertex", sums[i], "cycles",
                          "Cycles of the previous statistic, summed.", times[i].sum);
   }
   sgt_stats_add_log2(s, "vertex", "life", "vertices",
                      "Vertices by cycles from the write of attribute 0 to the next stage.", 64,
                      r->life_time);
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
   sgt_stats_add_count(s, "engine", "cycles", "cycles",
                       "Cycles until the next stage has finished the last vertex.", &r->cycles);
   sgt_stats_add_count(s, "engine", "vertices", "vertices", "Vertices of the stream.",
                       &r->vertices);
   sgt_stats_add_count(s, "engine", "base-vertices", "vertices",
                       "Vertices with programs of the base profile.", &r->base_vertices);
   sgt_stats_add_count(s, "engine", "programs", "programs", "Programs of the stream.",
                       &r->programs);
   add_units(r, s);
   add_histograms(r, s);
   sgt_stats_add_parts(s, "core", "classes", "instructions", "Instructions by class.",
                       SGT_VERTEX_CLASSES, r->classes, sgt_vertex_class_names, r->instructions);
   sgt_stats_add_parts(s, "core", "opcodes", "instructions", "Instructions by operation.",
                       ARRAY_SIZE(r->opcodes), r->opcodes, opcodes, r->instructions);
   static const char *const parts[6][3] = {
      { "writes", "writes-most", "writes-residence" },
      { "filled", "filled-most", "filled-residence" },
      { "inputs-free", "inputs-free-most", "inputs-free-residence" },
      { "done", "done-most", "done-residence" },
      { "outputs-free", "outputs-free-most", "outputs-free-residence" },
      { "vertices", "vertices-most", "vertices-residence" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(parts); i++) {
      sgt_stats_add_count(s, "channels", parts[i][0], "messages", "Messages that were sent.",
                          &r->channels[i].messages);
      sgt_stats_add_count(s, "channels", parts[i][1], "messages",
                          "Maximum number of messages in flight.", &r->channels[i].most);
      sgt_stats_add_count(s, "channels", parts[i][2], "cycles",
                          "Cycles from sending to taking, summed.", &r->channels[i].residence);
   }
}
