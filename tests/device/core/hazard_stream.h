/* SPDX-License-Identifier: MIT */
/*
 * Random streams over a few surfaces and buffers: draws, clears, copies, blits, fills,
 * grids, programs that write memory, queries and transform feedback, with rectangles and
 * ranges that meet or do not.
 */
#ifndef HAZARD_STREAM_H
#define HAZARD_STREAM_H

#include "scene.h"

#define HAZARD_BYTES (32 * 1024) /* of the buffer that everything reads and writes */
#define HAZARD_VERTEX 12         /* bytes: position 4 x 16 bits, colour 4 x 8 */
#define HAZARD_LINEAR 48         /* pixels: width and height of linear views of the buffer */

enum { HAZARD_IMAGES = 3 };

/* Numbers of 8 bytes: counts of queries, then counters of transform feedback. */
enum { HAZARD_QUERIES = 6, HAZARD_COUNTERS = 2, HAZARD_NUMBERS = HAZARD_QUERIES + HAZARD_COUNTERS };

struct hazard_stream {
   struct scene s;
   struct scene_image image[HAZARD_IMAGES], zs; /* the last one has two layers */
   struct sgpu_bo *bytes, *numbers;
   struct SGPU_SHADER plain, constant, textured, counting, marking;
   struct SGPU_SHADER copying, storing, loading, ordering, flipping; /* of grids */
   bool counts[HAZARD_QUERIES]; /* a query has begun in this slot */
   bool submits;                /* in several submissions */
};

/* Surfaces, buffers and programs of a stream, which end with scene_end. */
void hazard_begin(struct hazard_stream *r, struct sgpu_device *dev, uint64_t seed, bool submits);

/* Operations of a stream. */
void hazard_draw(struct hazard_stream *r);
void hazard_clear(struct hazard_stream *r);
/* Between images, or between parts of one that do not meet. */
void hazard_copy(struct hazard_stream *r);
/* An upload to an image, or a download. */
void hazard_copy_linear(struct hazard_stream *r);
void hazard_blit(struct hazard_stream *r);
/* Fills and copies of bytes. */
void hazard_buffers(struct hazard_stream *r);
void hazard_grid(struct hazard_stream *r);
void hazard_query(struct hazard_stream *r);

/* Parts of operations. */
uint32_t hazard_below(struct hazard_stream *r, uint32_t n);
bool hazard_chance(struct hazard_stream *r, unsigned percent);
struct SGPU_RECT hazard_rect(struct hazard_stream *r, int width, int height);
uint64_t hazard_offset(struct hazard_stream *r, uint32_t size, uint32_t align);
unsigned hazard_layers(unsigned image);
struct SGPU_SURFACE hazard_surface(struct hazard_stream *r, unsigned image, unsigned layer);
struct SGPU_SURFACE hazard_linear_surface(struct hazard_stream *r);
/* The targets of what follows. */
void hazard_targets(struct hazard_stream *r);
void hazard_bind_bytes(struct hazard_stream *r, enum sgpu_stage stage, unsigned n, uint32_t size);

#endif
