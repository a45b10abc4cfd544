/* SPDX-License-Identifier: MIT */
/*
 * Execution unit: statistics.
 */
#include "sgt_eu_core.h"

const char *const sgt_eu_thread_state_names[SGT_EU_THREAD_STATES] = {
   [SGT_EU_EMPTY] = "empty",    [SGT_EU_ISSUE] = "issue",     [SGT_EU_STALL] = "stall",
   [SGT_EU_DECODE] = "decode",  [SGT_EU_FETCH] = "fetch",     [SGT_EU_GRANT] = "grant",
   [SGT_EU_JUMP] = "jump",      [SGT_EU_BARRIER] = "barrier", [SGT_EU_RESULT] = "result",
   [SGT_EU_ACCESS] = "access",  [SGT_EU_REGS] = "registers",  [SGT_EU_CONST] = "constant",
   [SGT_EU_ATTR] = "attribute", [SGT_EU_OUTPUT] = "output",   [SGT_EU_SELECT] = "select",
   [SGT_EU_DRAIN] = "drain",
};
static const char *const port_states[SGT_EU_PORT_STATES] = {
   [SGT_EU_PORT_IDLE] = "idle", [SGT_EU_PORT_GRANT] = "grant",     [SGT_EU_PORT_BUSY] = "busy",
   [SGT_EU_PORT_FULL] = "full", [SGT_EU_PORT_DEPENDS] = "depends",
};
static const char *const return_states[SGT_EU_RETURN_STATES] = {
   [SGT_EU_RETURN_IDLE] = "idle",
   [SGT_EU_RETURN_GIVE] = "give",
   [SGT_EU_RETURN_WAIT] = "latency",
   [SGT_EU_RETURN_MISS] = "miss",
};
static const char *const output_states[SGT_EU_OUTPUT_STATES] = {
   [SGT_EU_OUTPUT_IDLE] = "idle",
   [SGT_EU_OUTPUT_WAIT] = "data",
   [SGT_EU_OUTPUT_SEND] = "send",
   [SGT_EU_OUTPUT_BLOCKED] = "blocked",
};
static const char *const launch_states[SGT_EU_LAUNCH_STATES] = {
   [SGT_EU_LAUNCH_IDLE] = "idle",       [SGT_EU_LAUNCH_TAKE] = "take",
   [SGT_EU_LAUNCH_SLOTS] = "slots",     [SGT_EU_LAUNCH_ATTRIBUTES] = "attributes",
   [SGT_EU_LAUNCH_CONTEXT] = "context", [SGT_EU_LAUNCH_VERSION] = "version",
   [SGT_EU_LAUNCH_MAPPING] = "mapping",
};

static void
parts(struct sgt_stats *stats, const char *unit, const char *name, const char *text,
      const uint64_t *values, uint32_t num, const char *const *names, const char *of,
      uint64_t total)
{
   const struct sgt_stat stat = {
      .kind = SGT_STAT_PARTS,
      .unit = unit,
      .name = name,
      .of = of,
      .text = text,
      .num = num,
      .values = values,
      .names = names,
      .total = total,
   };
   sgt_stats_add(stats, &stat);
}

static void
counts(const struct sgt_eu *eu, struct sgt_stats *stats, const char *unit)
{
   const struct sgt_eu_stats *s = &eu->stats;
   const struct sgt_eu_const_stats *c = &eu->core->constants.stats;
   const struct {
      const char *name, *of, *text;
      const uint64_t *value;
   } table[] = {
      { "cycles", "cycles", "Cycles.", &s->cycles },
      { "warps", "warps", "Warps that began.", &s->warps },
      { "threads", "threads", "Threads that began.", &s->threads },
      { "instructions", "instructions", "Instructions, each of a fused pair.", &s->instructions },
      { "fused", "pairs", "Instructions that went with the one before.", &s->fused },
      { "fused_moves", "pairs", "Moves and outputs among them.", &s->fused_moves },
      { "fused_samples", "pairs", "Samples among them.", &s->fused_samples },
      { "operations_alu", "operations", "Of ALUs, special functions left out.",
        &s->operations_alu },
      { "operations_sfu", "operations", "Special functions.", &s->operations_sfu },
      { "operations_control", "operations", "In the thread controller.", &s->operations_control },
      { "code_reads", "instructions", "Reads of the instruction cache.", &s->code_reads },
      { "code_hits", "instructions", "Reads that hit.", &s->code_hits },
      { "code_misses", "instructions", "Reads that missed.", &s->code_misses },
      { "code_lines", "lines", "Lines that the instruction cache asked memory for.",
        &s->code_line_reads },
      { "broadcasts", "instructions", "On the broadcast bus.", &s->broadcasts },
      { "delivered", "instructions", "Taken from the bus, by each thread.", &s->delivered },
      { "joined", "instructions", "Wanted by a thread while another's fetch was under way.",
        &s->joined },
      { "flushed", "instructions", "Dropped from queues, or on their way there.", &s->flushed },
      { "jumps", "instructions", "That decide what comes next.", &s->jumps },
      { "taken", "instructions", "After which a queue was flushed.", &s->taken },
      { "barriers", "instructions", "Barriers.", &s->barriers },
      { "const_requests", "requests", "To the constant cache.", &s->const_requests },
      { "const_hits", "requests", "That hit.", &s->const_hits },
      { "const_misses", "requests", "That missed.", &s->const_misses },
      { "const_lines", "lines", "Lines that the constant cache asked memory for.",
        &s->const_line_reads },
      { "const_delivered", "requests", "Left the FIFO.", &s->const_delivered },
      { "const_stall", "cycles", "In which a constant miss stopped all threads.", &s->const_stall },
      { "contexts", "contexts", "That got a row of the header table.", &c->contexts },
      { "contexts_shared", "warps", "That found context and version.", &c->context_hits },
      { "contexts_evicted", "contexts", "Whose row another context got.", &c->evicted },
      { "versions", "versions", "Beside earlier ones of their context.", &c->versions },
      { "max_mapping", "constants", "The most with several versions.", &c->max_mapping },
      { "attr_requests", "requests", "To the attribute cache.", &s->attr_requests },
      { "attr_delivered", "requests", "Left its FIFO.", &s->attr_delivered },
      { "interpolations", "inputs", "Interpolated.", &s->interpolations },
      { "reg_requests_even", "requests", "To the even register file, or the only one.",
        &s->reg_requests[0] },
      { "reg_requests_odd", "requests", "To the odd register file.", &s->reg_requests[1] },
      { "reg_reads", "registers", "Read.", &s->reg_reads },
      { "reg_conflicts", "cycles", "For registers in one bank.", &s->reg_conflicts },
      { "outputs", "entries", "Left the output buffer.", &s->outputs },
      { "samples", "requests", "To the texture unit.", &s->samples },
      { "memory_reads", "requests", "Lines that loads read.", &s->memory_reads },
      { "memory_writes", "requests", "Lines that stores write.", &s->memory_writes },
      { "memory_atomics", "requests", "Lines of atomic operations.", &s->memory_atomics },
      { "memory_requests", "requests", "To memory, those of caches included.",
        &s->memory_requests },
      { "shared", "accesses", "To memory on the chip.", &s->shared },
      { "responses", "responses", "Of accesses.", &s->responses },
      { "max_const_fifo", "entries", "The most in the constant FIFO.", &s->max_const_fifo },
      { "max_attr_fifo", "entries", "The most in the attribute FIFO.", &s->max_attr_fifo },
      { "max_output", "entries", "The most in the output buffer.", &s->max_output },
      { "max_accesses", "accesses", "The most under way.", &s->max_accesses },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
      const struct sgt_stat stat = {
         .kind = SGT_STAT_COUNT,
         .unit = unit,
         .name = table[i].name,
         .of = table[i].of,
         .text = table[i].text,
         .num = 1,
         .values = table[i].value,
      };
      sgt_stats_add(stats, &stat);
   }
}

void
sgt_eu_stats_add(const struct sgt_eu *eu, struct sgt_stats *stats, const char *name)
{
   static const char *const alus[SGT_EU_MAX_ALUS] = { "alu0", "alu1", "alu2", "alu3" };
   const struct sgt_eu_stats *s = &eu->stats;
   const uint64_t cycles = s->cycles;

   counts(eu, stats, name);
   parts(stats, name, "states",
         "What the unit does: an instruction executes, or what the oldest thread does.", s->states,
         SGT_EU_THREAD_STATES, sgt_eu_thread_state_names, "cycles", cycles);
   parts(stats, name, "threads_states", "What the slots of threads do.", s->thread,
         SGT_EU_THREAD_STATES, sgt_eu_thread_state_names, "cycles x threads",
         cycles * eu->params.threads);
   for (uint32_t a = 0; a < eu->params.alus; a++)
      parts(stats, name, alus[a], "What the ALU does; if not issue: what the oldest thread does.",
            s->alu[a], SGT_EU_THREAD_STATES, sgt_eu_thread_state_names, "cycles", cycles);
   for (unsigned i = 0; i < (eu->params.two_arbiters ? 2 : 1); i++) {
      parts(stats, name, i ? "fetch_odd" : "fetch_even", "The fetch arbiter.", s->fetch[i],
            SGT_EU_PORT_STATES, port_states, "cycles", cycles);
      parts(stats, name, i ? "bus_odd" : "bus_even", "The arbiter's port of the instruction cache.",
            s->code[i], SGT_EU_RETURN_STATES, return_states, "cycles", cycles);
   }
   for (unsigned i = 0; i < (eu->params.two_files ? 2 : 1); i++)
      parts(stats, name, i ? "file_odd" : "file_even", "The register file.", s->file[i],
            SGT_EU_PORT_STATES, port_states, "cycles", cycles);
   parts(stats, name, "constant", "The arbiter of the constant cache.", s->constant,
         SGT_EU_PORT_STATES, port_states, "cycles", cycles);
   parts(stats, name, "attribute", "The arbiter of the attribute cache.", s->attribute,
         SGT_EU_PORT_STATES, port_states, "cycles", cycles);
   parts(stats, name, "interpolator", "The interpolator.", s->interp, SGT_EU_PORT_STATES,
         port_states, "cycles", cycles);
   parts(stats, name, "output", "The output buffer.", s->output, SGT_EU_OUTPUT_STATES,
         output_states, "cycles", cycles);
   parts(stats, name, "launch", "The launch of warps.", s->launch, SGT_EU_LAUNCH_STATES,
         launch_states, "cycles", cycles);
   const struct sgt_stat operations = {
      .kind = SGT_STAT_HISTOGRAM,
      .unit = name,
      .name = "operations",
      .of = "cycles",
      .text = "With so many of: a constant, an attribute, a request to each register file, an "
              "output.",
      .num = SGT_EU_OPERATIONS + 1,
      .values = s->operations,
   };
   sgt_stats_add(stats, &operations);
   const struct sgt_stat live = {
      .kind = SGT_STAT_HISTOGRAM,
      .unit = name,
      .name = "live",
      .of = "cycles",
      .text = "With so many threads.",
      .num = eu->params.threads + 1,
      .values = s->live,
   };
   sgt_stats_add(stats, &live);
}
