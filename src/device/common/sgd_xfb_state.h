/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback (xfb): the outputs that a draw records, the primitives that a batch
 * has recorded, and their numbers for queries.
 */
#ifndef SGD_XFB_STATE_H
#define SGD_XFB_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_isa.h"
#include "sgpu_packets.h"

#define SGD_MAX_XFB_BUFFERS SGPU_XFB_BUFFERS_TAIL_MAX
#define SGD_MAX_XFB_ELEMENTS SGPU_XFB_OUTPUTS_TAIL_MAX
#define SGD_MAX_XFB_WORDS 256 /* recorded words of a vertex in all vertex streams */

struct sgd_xfb_buffer {
   uint8_t *ptr;
   uint64_t size;         /* size in bytes */
   uint64_t *counter;     /* number of bytes written; NULL if no buffer is bound */
   uint32_t stride;       /* bytes per vertex */
   uint8_t stream;        /* vertex stream that the buffer records */
   uint16_t first, words; /* range of sgd_xfb_state.word[] */
   bool dense;            /* these words are the whole vertex, in order */
};

/* Contents of the packets. */
struct sgd_xfb_config {
   unsigned num_elements;
   struct SGPU_XFB_OUTPUT element[SGD_MAX_XFB_ELEMENTS];
   uint16_t stride[SGD_MAX_XFB_BUFFERS]; /* words per vertex */
   struct {
      uint8_t *ptr;
      uint64_t size;     /* size in bytes */
      uint64_t *counter; /* number of bytes written; NULL if no buffer is bound */
   } buffer[SGD_MAX_XFB_BUFFERS];
};

/* Recorded words are ordered by vertex stream, then by buffer, then as in the packet.
 * Words of buffers that are not bound are left out.
 */
struct sgd_xfb_state {
   uint16_t num_words; /* number of recorded words per vertex; 0 if xfb is off, then the other
                        * members are invalid */
   struct {
      uint8_t output, comp; /* o[output].comp of the last stage before the clipper */
      uint16_t offset;      /* position in the buffer's vertex, in words */
   } word[SGD_MAX_XFB_WORDS];
   struct {
      uint16_t first, words; /* range of word[] */
   } stream[SGPU_MAX_VERTEX_STREAMS];
   struct sgd_xfb_buffer buffer[SGD_MAX_XFB_BUFFERS];
};

/* Primitives of one vertex stream as a sequence of vertices. Each vertex has the words of
 * its stream.
 */
struct sgd_xfb_chunk {
   struct sgd_xfb_chunk *next;
   uint32_t count, capacity; /* numbers of vertices, which form whole primitives */
   uint32_t data[];
};

struct sgd_xfb_list {
   struct sgd_xfb_chunk *first, *last;
   uint32_t prims;   /* number of primitives */
   uint32_t written; /* number of leading primitives that fit into the buffers */
};

/* The primitives that a batch has recorded. */
struct sgd_xfb_records {
   uint8_t vertices; /* vertices per primitive */
   struct sgd_xfb_list stream[SGPU_MAX_VERTEX_STREAMS];
   uint64_t place[SGD_MAX_XFB_BUFFERS]; /* bytes from the start of each buffer */
};

/* Numbers for queries, by vertex stream. */
struct sgd_xfb_stats {
   uint64_t needed[SGPU_MAX_VERTEX_STREAMS];  /* number of recorded primitives */
   uint64_t written[SGPU_MAX_VERTEX_STREAMS]; /* number of those that fit into the buffers */
};

#endif
