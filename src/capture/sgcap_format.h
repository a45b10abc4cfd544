/* SPDX-License-Identifier: MIT */
/*
 * The file format of device captures (.sgcap), for writers and readers.
 *
 * All numbers are little endian.  A file is a header and chunks; a chunk holds
 * whole records, which zstd compresses as the next part of one stream over all
 * chunks.  docs/captures.md describes captures.
 *
 *    header  8 bytes SGCAP_MAGIC; words: version of this format, of the
 *            instruction set, two of zero; 64 bits checksum of these
 *    chunk   words: SGCAP_CHUNK_MAGIC, compressed bytes, bytes, records;
 *            64 bits checksum of these words and the bytes; the bytes
 *    record  words: type, bytes of the payload; the payload, filled up with
 *            zeros to a multiple of 8
 *
 * Checksums are XXH64 with seed 0.
 */
#ifndef SGCAP_FORMAT_H
#define SGCAP_FORMAT_H

#include <stdint.h>

#define SGCAP_MAGIC "SGPUCAP\n"
/* The version of header, chunks and records.  Packets have no version: the
 * capture has the layout of its packets (sgcap_packets.h).
 */
#define SGCAP_VERSION 1u
#define SGCAP_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" */

#define SGCAP_HEADER_BYTES 32u
#define SGCAP_CHUNK_HEADER_BYTES 24u
#define SGCAP_RECORD_HEADER_BYTES 8u
/* A chunk is written when it has SGCAP_CHUNK_BYTES, and after each submission and
 * presentation.  SGCAP_CHUNK_MAX is the limit of its size.
 */
#define SGCAP_CHUNK_BYTES (1u << 20)
#define SGCAP_CHUNK_MAX (16u << 20)
/* The limit of contents in one record; longer contents take several records. */
#define SGCAP_DATA_MAX (256u << 10)

/* sgcap_record_name() has names for messages. */
enum sgcap_type {
   SGCAP_END = 1, /* the capture was closed */
   SGCAP_DEVICE,  /* parameters of the device, the program's name */
   SGCAP_PACKETS, /* text: layout of the packets (sgcap_packets.h) */
   SGCAP_BO_CREATE,
   SGCAP_BO_DESTROY,
   SGCAP_BO_LABEL, /* the buffer has another use from here on */
   SGCAP_DATA,     /* contents that the CPU wrote */
   SGCAP_ZERO,     /* the CPU set a buffer to zeros */
   SGCAP_QUEUE_CREATE,
   SGCAP_QUEUE_DESTROY,
   SGCAP_QUERY, /* a query that is open when the capture begins */
   SGCAP_SUBMIT,
   SGCAP_WAIT,    /* the CPU knows that a submission has ended */
   SGCAP_BO_IDLE, /* the CPU knows that no submission uses the buffer */
   SGCAP_PRESENT, /* a presented picture's place and hash */
   SGCAP_FRAME,   /* a frame begins */
   SGCAP_TYPES,
};

/*
 * Payloads.  Buffers and queues have ids from 1 on, which a file never reuses.
 * Variable data follow the structure, in the order of the comments.
 */
struct sgcap_end {
   uint64_t submissions, frames;
};

struct sgcap_device {
   uint32_t threads, dispatch, engines, host;
   uint64_t memory_size;
   uint32_t name_bytes, zero; /* name of the program */
};

struct sgcap_bo_create {
   uint64_t id, address, size;
   uint32_t label_bytes, zero; /* label */
};

struct sgcap_bo_label {
   uint64_t id;
   uint32_t label_bytes, zero; /* label */
};

/* BO_DESTROY, QUEUE_CREATE, QUEUE_DESTROY, BO_IDLE */
struct sgcap_id {
   uint64_t id;
};

struct sgcap_data {
   uint64_t id, offset, size; /* DATA: size bytes */
};

struct sgcap_query {
   uint64_t queue;
   uint32_t slot, type; /* enum sgpu_query_type */
};

struct sgcap_fence {
   uint64_t queue, seqno; /* the capture's first submission has 1 */
};

struct sgcap_range {
   uint64_t bo, offset, size;
};

struct sgcap_submit {
   uint64_t queue, seqno, address;
   uint32_t words, num_bos, num_waits, num_writes;
   /* uint64_t bos[], struct sgcap_fence waits[], struct sgcap_range writes[] */
};

struct sgcap_present {
   uint64_t bo, offset;           /* of the first pixel */
   uint32_t pitch, width, height; /* bytes, pixels, pixels */
   uint32_t format;               /* enum sgpu_format; linear */
   uint32_t x, y;                 /* position of the part in the whole picture */
   uint32_t frame;
   uint32_t pixel_bytes;
   uint64_t hash; /* XXH64 of the rows' pixels without padding */
};

struct sgcap_frame {
   uint64_t number; /* number of earlier presentations of the process */
};

#endif
