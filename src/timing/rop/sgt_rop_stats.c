/* SPDX-License-Identifier: MIT */
/*
 * ROP: its statistics in the registry.
 */
#include "sgt_rop.h"

#include "sgt_stats.h"
#include "util/macros.h"

#define ROW(member, name, of, text)                               \
   {                                                              \
      name, of, text, offsetof(struct sgt_rop_path_stats, member) \
   }

static const struct sgt_stat_row path_rows[] = {
   ROW(quads, "quads", "quads", "Quads of requests."),
   ROW(pixels, "pixels", "samples", "Samples of requests."),
   ROW(bytes, "tested-bytes", "bytes", "Bytes that take part in a test or a write."),
   ROW(written, "written-bytes", "bytes", "Bytes that pass and are written."),
   ROW(reading, "reading", "requests", "Requests that need stored values."),
   ROW(blending, "blending", "requests", "Requests that blend."),
   ROW(doubled, "doubled", "requests", "Requests at the double rate of depth."),
   ROW(stencil, "stencil", "requests", "Requests that change stencil values."),
   ROW(responding, "responding", "requests", "Requests that want a response."),
   ROW(responses, "responses", "responses", "Responses that were sent."),
   ROW(full_lines, "full-lines", "requests", "Requests that write a whole line."),
   ROW(hazards, "hazards", "requests",
       "Requests that waited for one under way that writes what they read."),
   ROW(memory_waits, "memory-waits", "requests", "Requests that held up the path for their data."),
   ROW(memory_wait, "memory-wait", "cycles", "Sum over them from the tags to their start."),
   ROW(queue_wait, "queue-wait", "cycles", "Sum over requests ahead of the tags."),
   ROW(queue_occupancy, "queue-occupancy", "requests", "Sum over cycles of requests there."),
   ROW(queue_max, "queue-max", "requests", "Most requests there."),
   ROW(waiting_wait, "data-wait", "cycles", "Sum over requests from the tags to their start."),
   ROW(waiting_occupancy, "data-occupancy", "requests", "Sum over cycles of requests there."),
   ROW(waiting_max, "data-max", "requests", "Most requests there."),
   ROW(pipe_wait, "pipe-wait", "cycles", "Sum over requests from their start until written."),
   ROW(pipe_occupancy, "pipe-occupancy", "requests", "Sum over cycles of requests there."),
   ROW(pipe_max, "pipe-max", "requests", "Most requests there."),
   ROW(latency, "latency", "cycles", "Sum over requests from their arrival until written."),
   ROW(fetched_sectors, "fetched-sectors", "sectors", "Sectors that were read from memory."),
   ROW(fetch_saved, "fetch-saved", "sectors", "Sectors that compression spared to read."),
   ROW(written_sectors, "written-sectors", "sectors", "Sectors that were written to memory."),
   ROW(write_saved, "write-saved", "sectors", "Sectors that compression spared to write."),
   ROW(partial_sectors, "partial-sectors", "sectors", "Sectors written with a mask of bytes."),
   ROW(clears, "clears", "requests", "Fast clears."),
   ROW(cleared_tiles, "cleared-tiles", "tiles",
       "Tiles of all partitions that fast clears cleared."),
   ROW(dropped_tiles, "dropped-tiles", "tiles", "Tiles of the cache that fast clears cleared."),
   ROW(flushes, "flushes", "requests", "Flushes of the cache."),
   ROW(flushed_tiles, "flushed-tiles", "tiles", "Tiles that flushes wrote."),
};

#undef ROW
#define ROW(member, name, of, text)                          \
   {                                                         \
      name, of, text, offsetof(struct sgt_rop_stats, member) \
   }

static const struct sgt_stat_row rows[] = {
   ROW(cycles, "cycles", "cycles", "Cycles of the ROP."),
   ROW(memory_reads, "memory-reads", "requests", "Reads of lines of memory."),
   ROW(memory_writes, "memory-writes", "requests", "Writes of lines of memory."),
   ROW(read_sectors, "read-sectors", "sectors", "Sectors that were read from memory."),
   ROW(write_sectors, "write-sectors", "sectors", "Sectors that were written to memory."),
   ROW(fills, "fills", "responses", "Responses of memory."),
   ROW(output_wait, "output-wait", "cycles", "Sum over requests in the queue to memory."),
   ROW(output_occupancy, "output-occupancy", "requests", "Sum over cycles of requests there."),
   ROW(output_max, "output-max", "requests", "Most requests there."),
   ROW(both_busy, "both-busy", "cycles", "Cycles in which quads go through both paths."),
};

static const char *const kinds[] = { "depth", "color", "read", "write", "clear", "flush" };
static const char *const exec_states[] = {
   "busy", "clear", "hazard", "memory", "response", "tags", "idle",
};
static const char *const tag_states[] = {
   "lookup", "flush", "drain", "full", "cache", "memory", "idle",
};
static const char *const forms[] = { "cleared", "8:1", "4:1", "2:1", "raw" };
static const char *const ports[] = { "moves", "blocked", "idle" };

static void
add_path(const struct sgt_rop *rop, const struct sgt_rop_path *path, struct sgt_stats *s,
         const char *unit)
{
   const struct sgt_rop_path_stats *p = &path->stats;

   sgt_stats_add_parts(s, unit, "requests", "requests", "Requests by kind.", SGT_ROP_KINDS,
                       p->kinds, kinds, p->requests);
   sgt_stats_add_parts(s, unit, "states", "cycles", "What the path does.", SGT_ROP_EXEC_STATES,
                       p->exec, exec_states, rop->stats.cycles);
   sgt_stats_add_parts(s, unit, "tag-states", "cycles", "What the tags do.", SGT_ROP_TAG_STATES,
                       p->tag, tag_states, rop->stats.cycles);
   sgt_stats_add_parts(s, unit, "fetched-tiles", "tiles", "Fetches by the form of the tile.",
                       SGT_ROP_FORMS, p->fetched, forms, p->fetches);
   sgt_stats_add_parts(s, unit, "written-tiles", "tiles", "Tiles written, by their form.",
                       SGT_ROP_FORMS, p->written_back, forms, p->write_backs);
   sgt_stats_add_log2(s, unit, "latencies", "requests", "Cycles from arrival until written.",
                      SGT_ROP_LATENCY_SLOTS, p->latencies);
   sgt_stats_add_rows(s, unit, p, path_rows, ARRAY_SIZE(path_rows));
   sgt_cache_register(&path->cache, s, unit);
}

void
sgt_rop_register(const struct sgt_rop *rop, struct sgt_stats *s, const char *unit,
                 const char *depth_unit, const char *color_unit)
{
   STATIC_ASSERT(ARRAY_SIZE(kinds) == SGT_ROP_KINDS);
   STATIC_ASSERT(ARRAY_SIZE(exec_states) == SGT_ROP_EXEC_STATES);
   STATIC_ASSERT(ARRAY_SIZE(tag_states) == SGT_ROP_TAG_STATES);
   STATIC_ASSERT(ARRAY_SIZE(forms) == SGT_ROP_FORMS);
   STATIC_ASSERT(ARRAY_SIZE(ports) == SGT_ROP_PORT_STATES);

   sgt_stats_add_parts(s, unit, "input", "cycles", "The port of requests.", SGT_ROP_PORT_STATES,
                       rop->stats.input, ports, rop->stats.cycles);
   sgt_stats_add_parts(s, unit, "output", "cycles", "The port to memory.", SGT_ROP_PORT_STATES,
                       rop->stats.output, ports, rop->stats.cycles);
   sgt_stats_add_rows(s, unit, &rop->stats, rows, ARRAY_SIZE(rows));
   add_path(rop, &rop->paths[SGT_ROP_PATH_DEPTH], s, depth_unit);
   add_path(rop, &rop->paths[SGT_ROP_PATH_COLOR], s, color_unit);
}
