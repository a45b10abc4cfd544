/* SPDX-License-Identifier: MIT */
/*
 * Stream output: what a draw captures, the captured primitives of a batch, and
 * their way to the buffers.
 *
 * The front end copies primitives to the batch's arena (sgd_stream_capture.c);
 * when batches are put in order each gets its place (sgd_stream_place), and
 * then a worker copies it to the buffers (sgd_stream_write).
 */
#ifndef SGD_STREAM_H
#define SGD_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_isa.h"
#include "sgpu_packets.h"

#define SGD_MAX_STREAM_BUFFERS SGPU_XFB_BUFFERS_TAIL_MAX
#define SGD_MAX_STREAM_ELEMENTS SGPU_XFB_OUTPUTS_TAIL_MAX
#define SGD_MAX_STREAM_WORDS 256       /* captured of a vertex, all streams */

struct sgd_batch;

struct sgd_stream_buffer {
   uint8_t *ptr;
   uint64_t size;             /* bytes */
   uint64_t *counter;         /* bytes written; NULL: no buffer */
   uint32_t stride;           /* bytes */
   uint8_t stream;
   uint16_t first, words;     /* of struct sgd_stream_state.word: its own, in a row */
   bool dense;                /* they are the whole vertex, and in order */
};

/* What the packets say. */
struct sgd_stream_config {
   unsigned num_elements;
   struct SGPU_XFB_OUTPUT element[SGD_MAX_STREAM_ELEMENTS];
   uint16_t stride[SGD_MAX_STREAM_BUFFERS];     /* words */
   struct {
      uint8_t *ptr;
      uint64_t size;          /* bytes */
      uint64_t *counter;      /* NULL: no buffer */
   } buffer[SGD_MAX_STREAM_BUFFERS];
};

/* Captured words are ordered by stream, buffer, and as XFB OUTPUTS lists
 * them; those of buffers that are not bound are left out.
 */
struct sgd_stream_state {
   uint16_t num_words;        /* 0: nothing is captured, and nothing else here counts */
   struct {
      uint8_t output, comp;   /* o[output].comp of the last geometry stage */
      uint16_t offset;        /* words into the buffer's vertex */
   } word[SGD_MAX_STREAM_WORDS];
   struct {
      uint16_t first, words;
   } stream[SGPU_MAX_VERTEX_STREAMS];
   struct sgd_stream_buffer buffer[SGD_MAX_STREAM_BUFFERS];
};

/* Primitives of one vertex stream, vertex after vertex, each vertex the words
 * of its stream.
 */
struct sgd_stream_chunk {
   struct sgd_stream_chunk *next;
   uint32_t count, capacity;  /* vertices; whole primitives */
   uint32_t data[];
};

struct sgd_stream_list {
   struct sgd_stream_chunk *first, *last;
   uint32_t prims;
   uint32_t written;          /* of them, the first so many: sgd_stream_place */
};

/* What a batch has captured. */
struct sgd_stream_capture {
   uint8_t vertices;          /* of each primitive */
   struct sgd_stream_list stream[SGPU_MAX_VERTEX_STREAMS];
   uint64_t place[SGD_MAX_STREAM_BUFFERS];      /* bytes behind the buffer's begin */
};

/* For queries, by vertex stream. */
struct sgd_stream_stats {
   uint64_t needed[SGPU_MAX_VERTEX_STREAMS];            /* primitives to be captured */
   uint64_t written[SGPU_MAX_VERTEX_STREAMS];           /* of these, with room in the buffers */
};

/* Fills in *st.  Returns an error text, or NULL. */
const char *sgd_stream_prepare(struct sgd_stream_state *st,
                               const struct sgd_stream_config *config);

/* Gives the batch its place in the buffers and moves the counters on.  Batches
 * come in order, when nobody else uses the counters.
 */
void sgd_stream_place(struct sgd_batch *batch);

/* Copies what has a place to the buffers. */
void sgd_stream_write(const struct sgd_batch *batch);

#endif
