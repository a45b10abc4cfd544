/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback (xfb): the outputs that a draw records, the primitives that a batch has
 * recorded, and the primitive counts for queries.
 */
#ifndef SGD_XFB_STATE_H
#define SGD_XFB_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_isa.h"
#include "sgpu_packets.h"

#define SGD_MAX_XFB_BUFFERS SGPU_XFB_BUFFERS_TAIL_MAX
#define SGD_MAX_XFB_ELEMENTS SGPU_XFB_OUTPUTS_TAIL_MAX
/* maximum number of recorded words per vertex, summed over all vertex streams */
#define SGD_MAX_XFB_WORDS 256

struct sgd_xfb_buffer {
   uint8_t *ptr;
   uint64_t size;     /* size in bytes */
   uint64_t *counter; /* pointer to the number of bytes written; NULL if no buffer is bound */
   uint32_t stride;   /* bytes per vertex */
   uint8_t stream;    /* vertex stream that is recorded in the buffer */
   /* first: index of the buffer's first word in sgd_xfb_state.word[]; words: number of words */
   uint16_t first, words;
   bool dense; /* set if the recorded words fill the whole vertex, in order */
};

/* Contents of the XFB packets. */
struct sgd_xfb_config {
   unsigned num_elements;
   struct SGPU_XFB_OUTPUT element[SGD_MAX_XFB_ELEMENTS];
   uint16_t stride[SGD_MAX_XFB_BUFFERS]; /* words per vertex */
   struct {
      uint8_t *ptr;
      uint64_t size;     /* size in bytes */
      uint64_t *counter; /* pointer to the number of bytes written; NULL if no buffer is bound */
   } buffer[SGD_MAX_XFB_BUFFERS];
};

/* Words that transform feedback records, sorted by vertex stream, then by buffer, then by position
 * in the packet. Words for unbound buffers are omitted.
 */
struct sgd_xfb_state {
   /* number of recorded words per vertex, or 0 if transform feedback is off, in which case the
    * other members are invalid
    */
   uint16_t num_words;
   struct {
      /* the recorded word is o[output].comp of the last stage before the clipper */
      uint8_t output, comp;
      uint16_t offset; /* offset in the buffer's vertex, in words */
   } word[SGD_MAX_XFB_WORDS];
   struct {
      /* first: index of the stream's first word in word[]; words: number of words */
      uint16_t first, words;
   } stream[SGPU_MAX_VERTEX_STREAMS];
   struct sgd_xfb_buffer buffer[SGD_MAX_XFB_BUFFERS];
};

/* Recorded primitives of one vertex stream, as a sequence of vertices. A vertex consists of all
 * words that are recorded for the stream.
 */
struct sgd_xfb_chunk {
   struct sgd_xfb_chunk *next;
   /* count: number of vertices, always whole primitives; capacity: maximum number of vertices */
   uint32_t count, capacity;
   uint32_t data[];
};

struct sgd_xfb_list {
   struct sgd_xfb_chunk *first, *last;
   uint32_t prims;   /* number of recorded primitives */
   uint32_t written; /* number of primitives, from the start of the list, that fit in the buffers */
};

/* Primitives recorded by a batch. */
struct sgd_xfb_records {
   uint8_t vertices; /* vertices per primitive */
   struct sgd_xfb_list stream[SGPU_MAX_VERTEX_STREAMS];
   /* byte offset in each buffer at which the data of the batch starts */
   uint64_t place[SGD_MAX_XFB_BUFFERS];
};

/* Primitive counts for queries, per vertex stream. */
struct sgd_xfb_stats {
   uint64_t needed[SGPU_MAX_VERTEX_STREAMS]; /* number of recorded primitives */
   /* number of recorded primitives that fit in the buffers */
   uint64_t written[SGPU_MAX_VERTEX_STREAMS];
};

#endif
