/* SPDX-License-Identifier: MIT */
/*
 * The file format of device captures (.sgcap), for writers and readers.
 *
 * All numbers are little endian.  A file is a header followed by chunks.  A chunk
 * holds whole records, compressed by zstd; one zstd stream spans all chunks of the
 * file.  docs/captures.md describes captures.
 *
 *    header  8 bytes SGCAP_MAGIC; four 32-bit words: version of this format, version
 *            of the instruction set, zero, zero; 64-bit checksum of the bytes before
 *    chunk   four words: SGCAP_CHUNK_MAGIC, compressed size in bytes, uncompressed
 *            size in bytes, number of records; 64-bit checksum of these words and the
 *            compressed bytes; the compressed bytes
 *    record  two words: type, size of the payload in bytes; the payload, padded with
 *            zeros to a multiple of 8 bytes
 *
 * Checksums are XXH64 with seed 0.
 */
#ifndef SGCAP_FORMAT_H
#define SGCAP_FORMAT_H

#include <stdint.h>

#define SGCAP_MAGIC "SGPUCAP\n"
/* Version of the layout of headers, chunks and records.  Packets have no version:
 * each capture contains the layout of its packets (sgcap_packets.h).
 */
#define SGCAP_VERSION 1u
#define SGCAP_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" */

#define SGCAP_HEADER_BYTES 32u
#define SGCAP_CHUNK_HEADER_BYTES 24u
#define SGCAP_RECORD_HEADER_BYTES 8u
/* The writer ends a chunk at SGCAP_CHUNK_BYTES and after each submission and
 * presentation.  The reader refuses chunks of more than SGCAP_CHUNK_MAX bytes.
 */
#define SGCAP_CHUNK_BYTES (1u << 20)
#define SGCAP_CHUNK_MAX (16u << 20)
/* Maximum number of bytes of contents in a DATA record; longer contents are split. */
#define SGCAP_DATA_MAX (256u << 10)

/* Record types.  sgcap_record_name() returns their names for messages. */
enum sgcap_type {
   SGCAP_END = 1, /* last record of a capture that was closed */
   SGCAP_DEVICE,  /* parameters of the device, and the name of the program */
   SGCAP_PACKETS, /* layout of the packets as text (sgcap_packets.h) */
   SGCAP_BO_CREATE,
   SGCAP_BO_DESTROY,
   SGCAP_BO_LABEL, /* new label of a buffer that the driver uses for another purpose */
   SGCAP_DATA,     /* bytes that the CPU wrote to a buffer */
   SGCAP_ZERO,     /* the CPU set a range of a buffer to zero */
   SGCAP_QUEUE_CREATE,
   SGCAP_QUEUE_DESTROY,
   SGCAP_QUERY, /* a query that was open when the capture began */
   SGCAP_SUBMIT,
   SGCAP_WAIT,    /* the CPU has learned that a submission has ended */
   SGCAP_BO_IDLE, /* the CPU has learned that no submission uses the buffer */
   SGCAP_PRESENT, /* buffer range and hash of a presented picture */
   SGCAP_FRAME,   /* start of a frame */
   SGCAP_TYPES,
};

/*
 * Payloads of the records.  Ids of buffers and queues start at 1; a file never reuses an id.  Data
 * of variable size follow the structure, in the order that the comments in the structure give.
 */
struct sgcap_end {
   uint64_t submissions, frames;
};

struct sgcap_device {
   uint32_t threads, dispatch, engines, host;
   uint64_t memory_size;
   uint32_t name_bytes, zero; /* followed by: name of the program */
};

struct sgcap_bo_create {
   uint64_t id, address, size;
   uint32_t label_bytes, zero; /* followed by: label */
};

struct sgcap_bo_label {
   uint64_t id;
   uint32_t label_bytes, zero; /* followed by: label */
};

/* Payload of BO_DESTROY, QUEUE_CREATE, QUEUE_DESTROY and BO_IDLE. */
struct sgcap_id {
   uint64_t id;
};

struct sgcap_data {
   uint64_t id, offset, size; /* in DATA records followed by: `size` bytes of contents */
};

struct sgcap_query {
   uint64_t queue;
   uint32_t slot, type; /* enum sgpu_query_type */
};

struct sgcap_fence {
   uint64_t queue, seqno; /* the queue's first submission in the capture has seqno 1 */
};

struct sgcap_range {
   uint64_t bo, offset, size;
};

struct sgcap_submit {
   uint64_t queue, seqno, address;
   uint32_t words, num_bos, num_waits, num_writes;
   /* followed by: uint64_t bos[], struct sgcap_fence waits[], struct sgcap_range writes[] */
};

struct sgcap_present {
   uint64_t bo, offset;           /* buffer, and byte offset of the first pixel in it */
   uint32_t pitch, width, height; /* pitch in bytes, width and height in pixels */
   uint32_t format;               /* enum sgpu_format; the layout is linear */
   uint32_t x, y;                 /* position of this part in the presented picture, in pixels */
   uint32_t frame;
   uint32_t pixel_bytes;
   uint64_t hash; /* XXH64 of all rows, without the padding between them */
};

struct sgcap_frame {
   uint64_t number; /* number of presentations by the process before this frame */
};

#endif
