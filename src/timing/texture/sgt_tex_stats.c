/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: its statistics in the registry.
 */
#include "sgt_tex.h"

#include "sgt_stats.h"
#include "util/macros.h"

#define ROW(member, name, of, text)                          \
   {                                                         \
      name, of, text, offsetof(struct sgt_tex_stats, member) \
   }

static const struct sgt_stat_row rows[] = {
   ROW(cycles, "cycles", "cycles", "Cycles of the unit."),
   ROW(responses, "responses", "accesses", "Accesses that were answered."),
   ROW(lanes, "lanes", "lanes", "Lanes of accesses."),
   ROW(samples, "samples", "samples", "Bilinear samples."),
   ROW(full_rate, "full-rate", "samples", "Samples of texels at the full rate."),
   ROW(wide, "wide", "samples", "Samples of wider texels."),
   ROW(queries, "queries", "accesses", "Accesses without a sample."),
   ROW(anisotropic, "long-quads", "quads", "Quads with more than two samples a lane."),
   ROW(address_cycles, "address-cycles", "cycles", "Sum over quads of cycles of addresses."),
   ROW(filter_cycles, "filter-cycles", "cycles", "Sum over quads of cycles of filters."),
   ROW(lines, "lines", "lines", "Lines of 64 bytes that quads touch."),
   ROW(bytes, "texel-bytes", "bytes", "Bytes of the texels that were filtered."),
   ROW(evictions, "evictions", "lines", "Lines that lost their place to another."),
   ROW(invalidations, "invalidations", "", "Times that all lines were forgotten."),
   ROW(missing_quads, "missing-quads", "quads", "Quads with a miss."),
   ROW(missing_accesses, "missing-accesses", "accesses", "Accesses with a miss."),
   ROW(hit_accesses, "hit-accesses", "accesses", "Accesses without a miss."),
   ROW(hit_latency, "hit-latency", "cycles", "Sum over them, from the SM to the response."),
   ROW(memory_reads, "memory-reads", "requests", "Reads of 64 bytes of memory."),
   ROW(fills, "fills", "responses", "Responses of memory."),
   ROW(filled_lines, "filled-lines", "lines", "Lines of the cache that came."),
   ROW(out_of_order, "out-of-order", "lines", "Lines that came ahead of an older one."),
   ROW(contended, "contended", "accesses", "Accesses taken while another SM had one."),
   ROW(lookup_bound, "lookup-bound", "quads", "Quads with more lookups than a cycle has."),
   ROW(sample_bound, "sample-bound", "quads", "Quads with more samples than a cycle has."),
   ROW(parts, "parts", "quads", "Parts of quads that need more lines than there is room for."),
   ROW(memory_waits, "memory-waits", "quads", "Quads that held up the filters for their lines."),
   ROW(memory_wait, "memory-wait", "cycles", "Sum over them of cycles in the FIFO."),
   ROW(fifo_wait, "fifo-wait", "cycles", "Sum over quads in the FIFO."),
   ROW(fifo_occupancy, "fifo-occupancy", "quads", "Sum over cycles of quads there."),
   ROW(fifo_max, "fifo-max", "quads", "Most quads there."),
   ROW(fills_wait, "fills-wait", "cycles", "Sum over lines from their miss until used."),
   ROW(fills_occupancy, "fills-occupancy", "lines", "Sum over cycles of such lines."),
   ROW(fills_max, "fills-max", "lines", "Most of them."),
   ROW(pipe_wait, "pipe-wait", "cycles", "Sum over accesses from the filters to the response."),
   ROW(pipe_occupancy, "pipe-occupancy", "accesses", "Sum over cycles of accesses there."),
   ROW(pipe_max, "pipe-max", "accesses", "Most accesses there."),
   ROW(out_wait, "output-wait", "cycles", "Sum over requests in the queue to memory."),
   ROW(out_occupancy, "output-occupancy", "requests", "Sum over cycles of requests there."),
   ROW(out_max, "output-max", "requests", "Most requests there."),
   ROW(memory_latency, "memory-latency", "cycles", "Sum over lines from their miss until filled."),
   ROW(latency, "latency", "cycles", "Sum over accesses from the SM to the response."),
};

static const char *const front_states[] = { "busy", "fifo-full", "fills", "memory", "idle" };
static const char *const filter_states[] = { "busy", "memory", "response", "starved", "idle" };
static const char *const ports[] = { "moves", "blocked", "idle" };
static const char *const outcomes[] = { "hit", "pending", "miss" };
static const char *const widths[] = { "x1", "x2", "x4", "x8" };
static const char *const sms[] = { "sm0", "sm1", "sm2", "sm3", "sm4", "sm5", "sm6", "sm7" };

void
sgt_tex_register(const struct sgt_tex *tex, struct sgt_stats *s, const char *unit)
{
   const struct sgt_tex_stats *t = &tex->stats;
   STATIC_ASSERT(ARRAY_SIZE(front_states) == SGT_TEX_FRONT_STATES);
   STATIC_ASSERT(ARRAY_SIZE(filter_states) == SGT_TEX_FILTER_STATES);
   STATIC_ASSERT(ARRAY_SIZE(ports) == SGT_TEX_PORT_STATES);
   STATIC_ASSERT(ARRAY_SIZE(outcomes) == SGT_TEX_OUTCOMES);
   STATIC_ASSERT(ARRAY_SIZE(widths) == SGT_TEX_WIDTHS);
   STATIC_ASSERT(ARRAY_SIZE(sms) == SGT_TEX_MAX_SMS);

   sgt_stats_add_parts(s, unit, "front", "cycles", "What addresses and tags do.",
                       SGT_TEX_FRONT_STATES, t->front, front_states, t->cycles);
   sgt_stats_add_parts(s, unit, "filters", "cycles", "What the filters do.", SGT_TEX_FILTER_STATES,
                       t->filter, filter_states, t->cycles);
   sgt_stats_add_parts(s, unit, "input", "cycles", "The ports of the SMs.", SGT_TEX_PORT_STATES,
                       t->input, ports, t->cycles);
   sgt_stats_add_parts(s, unit, "output", "cycles", "The port to memory.", SGT_TEX_PORT_STATES,
                       t->output, ports, t->cycles);
   sgt_stats_add_parts(s, unit, "accesses", "accesses", "Accesses by SM.", tex->num_sms, t->by_sm,
                       sms, t->requests);
   sgt_stats_add_parts(s, unit, "quads", "quads", "Quads by the width of texels.", SGT_TEX_WIDTHS,
                       t->by_width, widths, t->quads);
   sgt_stats_add_parts(s, unit, "lookups", "lookups", "Lookups of lines by outcome.",
                       SGT_TEX_OUTCOMES, t->outcomes, outcomes, t->lookups);
   sgt_stats_add_log2(s, unit, "latencies", "accesses", "Cycles from the SM to the response.",
                      SGT_TEX_SLOTS, t->latencies);
   sgt_stats_add_log2(s, unit, "memory-latencies", "lines", "Cycles from the miss until filled.",
                      SGT_TEX_SLOTS, t->memory_latencies);
   sgt_stats_add_log2(s, unit, "samples-per-quad", "quads", "Bilinear samples of a quad.",
                      SGT_TEX_SLOTS, t->samples_per_quad);
   sgt_stats_add_log2(s, unit, "lookups-per-quad", "quads", "Lookups of a quad.", SGT_TEX_SLOTS,
                      t->lookups_per_quad);
   sgt_stats_add_rows(s, unit, t, rows, ARRAY_SIZE(rows));
}
