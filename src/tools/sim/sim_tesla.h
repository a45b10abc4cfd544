/* SPDX-License-Identifier: MIT */
/* Microbenchmarks of the Tesla chip.  Their traces and shader work are handwritten, and run on a
 * whole chip.
 */
#ifndef SIM_TESLA_H
#define SIM_TESLA_H

#include "trace/sgt_trace_builder.h"
#include "trace/sgt_work.h"

#define TESLA_TARGETS 4
/* TESLA_TARGET_BYTES is the size of a target's memory in bytes.  TESLA_MEMORY is the address of the
 * memory that programs read.
 */
#define TESLA_TARGET_BYTES (UINT64_C(64) << 20)
#define TESLA_MEMORY ((TESLA_TARGETS + 1) * TESLA_TARGET_BYTES)

/* A trace and its shader work, while they are being built. */
struct tesla_scene {
   struct sgt_trace_builder *trace;
   struct sgt_work_builder *work;
   struct sgt_program *programs[8]; /* programs, owned by `work` */
   uint32_t sets[TESLA_TARGETS];    /* index of each target's memory set in the trace */
   uint32_t num_programs, num_items;
   bool failed; /* true after a message has been printed; the functions below then do nothing */
};

/* Memory access by the n-th memory instruction that a warp executes. */
struct tesla_access {
   struct sgt_access access;
   sgt_line lines[32];
   uint32_t num_lines;
};
typedef void tesla_accesses(const void *data, uint32_t warp, uint32_t n, struct tesla_access *a);

/* A microbenchmark.  `make` adds `size` repetitions of the benchmark's work, and returns the amount
 * of work.  The benchmark runs at two sizes, and its rate is the difference in work divided by the
 * difference in cycles.  This way, the start and the end of a run do not count.
 */
struct tesla_benchmark {
   const char *name;
   const char *of; /* unit of the amount of work */
   uint64_t (*make)(struct tesla_scene *s, uint32_t size, uint32_t argument);
   uint32_t sizes[2];
   uint32_t argument;
   const char *set; /* change of the configuration (SECTION.KEY=VALUE), or NULL */
};

extern const struct tesla_benchmark tesla_peaks[];  /* sim_tesla_peaks.c */
extern const struct tesla_benchmark tesla_probes[]; /* sim_tesla_probes.c */
extern const unsigned tesla_num_peaks, tesla_num_probes;

/* sim_tesla_scene.c */
void tesla_begin(struct tesla_scene *s);
/* Sets *trace and *work to the finished trace and shader work, and frees the scene.  On failure,
 * prints a message and returns false.
 */
bool tesla_finish(struct tesla_scene *s, struct sgt_trace **trace, struct sgt_work **work);

/* Adds a program that consists of `head`, `times` copies of `body`, and `tail`.  Returns its index.
 */
uint32_t tesla_program(struct tesla_scene *s, const char *head, const char *body, uint32_t times,
                       const char *tail);
/* Begins an operation, which is a draw if group_warps is 0, and a grid of workgroups otherwise. */
void tesla_operation(struct tesla_scene *s, uint32_t group_bytes, uint32_t group_warps);
/* Adds target `number` to the operation.  It has width x height tiled elements of `bytes` bytes. */
void tesla_target(struct tesla_scene *s, uint32_t number, uint32_t width, uint32_t height,
                  uint32_t bytes, uint32_t samples, uint32_t flags);
/* Adds a triangle that covers a rectangle of the targets.  x and w must be multiples of 8, and y
 * and h must be multiples of 4.  Returns the index of the item.
 */
uint32_t tesla_item(struct tesla_scene *s, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                    bool zculled);
/* Adds a clear of a target. */
void tesla_clear(struct tesla_scene *s, uint32_t number, uint32_t width, uint32_t height,
                 uint32_t bytes, uint32_t samples, bool depth);
/* Adds a warp that executes its program without jumps or memory accesses. */
void tesla_warp(struct tesla_scene *s, uint32_t program, uint32_t group);
/* Adds a warp that executes its program from the start to the jump `loops` times, and then executes
 * the rest of the program.
 */
void tesla_loop(struct tesla_scene *s, uint32_t program, uint32_t group, uint32_t loops,
                tesla_accesses *accesses, const void *data);
/* Adds `num` vertex warps.  Each warp reads `attributes` scalars per vertex from consecutive cache
 * lines.
 */
void tesla_vertices(struct tesla_scene *s, uint32_t program, uint32_t num, uint32_t attributes);
/* Adds pixel warps for all blocks of the items.  The blocks are in the same order as on the device,
 * i.e. by tiles of 64x64 pixels.  If `kept` is false, the program drops all pixels.
 */
void tesla_pixels(struct tesla_scene *s, uint32_t program, const uint32_t *items, uint32_t num,
                  uint32_t width, uint32_t height, bool kept);

#endif
