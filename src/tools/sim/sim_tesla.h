/* SPDX-License-Identifier: MIT */
/*
 * Microbenchmarks of the Tesla chip: traces and work by hand, run on a whole chip.
 */
#ifndef SIM_TESLA_H
#define SIM_TESLA_H

#include "sgt_trace_builder.h"
#include "sgt_work.h"

#define TESLA_TARGETS 4
/* Bytes of memory of a target, and from here on memory that programs read. */
#define TESLA_TARGET_BYTES (UINT64_C(64) << 20)
#define TESLA_MEMORY ((TESLA_TARGETS + 1) * TESLA_TARGET_BYTES)

/* A trace and its work while they are made. */
struct tesla_scene {
   struct sgt_trace_builder *trace;
   struct sgt_work_builder *work;
   struct sgt_program *programs[8]; /* the builder's */
   uint32_t sets[TESLA_TARGETS];
   uint32_t num_programs, num_items;
   bool failed; /* after a message */
};

/* Accesses of a warp's n-th instruction that has one. */
struct tesla_access {
   struct sgt_access access;
   sgt_line lines[32];
   uint32_t num_lines;
};
typedef void tesla_accesses(const void *data, uint32_t warp, uint32_t n, struct tesla_access *a);

/* A microbenchmark.  `make` adds what it does `size` times, and returns how much that is.  A rate
 * is the difference of the amounts of two sizes over that of their cycles, so what begins and ends
 * a run does not count.
 */
struct tesla_benchmark {
   const char *name;
   const char *of; /* what the amount counts */
   uint64_t (*make)(struct tesla_scene *s, uint32_t size, uint32_t argument);
   uint32_t sizes[2];
   uint32_t argument;
   const char *set; /* SECTION.KEY=VALUE of this one; NULL: none */
};

extern const struct tesla_benchmark tesla_peaks[];  /* sim_tesla_peaks.c */
extern const struct tesla_benchmark tesla_probes[]; /* sim_tesla_probes.c */
extern const unsigned tesla_num_peaks, tesla_num_probes;

/* sim_tesla_scene.c */
void tesla_begin(struct tesla_scene *s);
/* False: out of memory, or a message was printed.  The scene has nothing any more. */
bool tesla_finish(struct tesla_scene *s, struct sgt_trace **trace, struct sgt_work **work);

/* A program of `body` `times` times between `head` and `tail`. */
uint32_t tesla_program(struct tesla_scene *s, const char *head, const char *body, uint32_t times,
                       const char *tail);
/* Begins an operation: a draw, or a grid of workgroups. */
void tesla_operation(struct tesla_scene *s, uint32_t group_bytes, uint32_t group_warps);
/* Target `number` of the operation: width x height elements of `bytes` bytes, tiled. */
void tesla_target(struct tesla_scene *s, uint32_t number, uint32_t width, uint32_t height,
                  uint32_t bytes, uint32_t samples, uint32_t flags);
/* A triangle over a rectangle of the targets, at multiples of 8 and 4. */
uint32_t tesla_item(struct tesla_scene *s, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                    bool zculled);
/* A clear of a target. */
void tesla_clear(struct tesla_scene *s, uint32_t number, uint32_t width, uint32_t height,
                 uint32_t bytes, uint32_t samples, bool depth);
/* A warp that goes straight through its program, which has no accesses. */
void tesla_warp(struct tesla_scene *s, uint32_t program, uint32_t group);
/* A warp that goes `loops` times from the program's begin to its jump, and then to its end. */
void tesla_loop(struct tesla_scene *s, uint32_t program, uint32_t group, uint32_t loops,
                tesla_accesses *accesses, const void *data);
/* `num` vertex warps, each of which reads `attributes` scalars of each vertex, of lines one after
 * the other.
 */
void tesla_vertices(struct tesla_scene *s, uint32_t program, uint32_t num, uint32_t attributes);
/* Pixel warps of all blocks of an item, in the device's order: by tiles of 64x64 pixels. */
void tesla_pixels(struct tesla_scene *s, uint32_t program, const uint32_t *items, uint32_t num,
                  uint32_t width, uint32_t height, bool kept);

#endif
