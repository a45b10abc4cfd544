/* SPDX-License-Identifier: MIT */
/*
 * Random streams over a few surfaces and buffers: draws, clears, copies, blits, fills, grids,
 * programs that write memory, queries and transform feedback. Their rectangles and ranges overlap
 * at random.
 */
#ifndef HAZARD_STREAM_H
#define HAZARD_STREAM_H

#include "scene.h"

#define HAZARD_BYTES (32 * 1024) /* size of `bytes`, in bytes */
/* size of a vertex, in bytes: position 4 x 16 bits, colour 4 x 8 */
#define HAZARD_VERTEX 12
#define HAZARD_LINEAR 48 /* width and height of linear surfaces in `bytes`, in pixels */

enum { HAZARD_IMAGES = 3 };

/* 64-bit numbers in `numbers`: counts of queries, then counters of transform feedback. */
enum { HAZARD_QUERIES = 6, HAZARD_COUNTERS = 2, HAZARD_NUMBERS = HAZARD_QUERIES + HAZARD_COUNTERS };

struct hazard_stream {
   struct scene s;
   /* colour targets, the last one with two layers; depth and stencil */
   struct scene_image image[HAZARD_IMAGES], zs;
   struct sgpu_bo *bytes, *numbers;
   struct SGPU_SHADER plain, constant, textured, counting, marking;
   struct SGPU_SHADER copying, storing, loading, ordering, flipping; /* compute programs */
   bool counts[HAZARD_QUERIES]; /* by slot: true if a query has begun */
   bool submits;                /* the stream is divided into several submissions */
};

/* Makes the surfaces, buffers and programs of a stream. The caller ends it with scene_end(). */
void hazard_begin(struct hazard_stream *r, struct sgpu_device *dev, uint64_t seed, bool submits);

/* Functions that emit a random operation each. */
void hazard_draw(struct hazard_stream *r);
void hazard_clear(struct hazard_stream *r);
/* Copies between images, or between disjoint parts of one image. */
void hazard_copy(struct hazard_stream *r);
/* Copies a part of the linear buffer to an image, or back. */
void hazard_copy_linear(struct hazard_stream *r);
void hazard_blit(struct hazard_stream *r);
/* Fills or copies a part of a buffer. */
void hazard_buffers(struct hazard_stream *r);
void hazard_grid(struct hazard_stream *r);
void hazard_query(struct hazard_stream *r);

/* Functions that choose parts of operations. */
uint32_t hazard_below(struct hazard_stream *r, uint32_t n);
bool hazard_chance(struct hazard_stream *r, unsigned percent);
struct SGPU_RECT hazard_rect(struct hazard_stream *r, int width, int height);
uint64_t hazard_offset(struct hazard_stream *r, uint32_t size, uint32_t align);
unsigned hazard_layers(unsigned image);
struct SGPU_SURFACE hazard_surface(struct hazard_stream *r, unsigned image, unsigned layer);
struct SGPU_SURFACE hazard_linear_surface(struct hazard_stream *r);
/* Emits random targets for the draws that follow. */
void hazard_targets(struct hazard_stream *r);
void hazard_bind_bytes(struct hazard_stream *r, enum sgpu_stage stage, unsigned n, uint32_t size);

#endif
