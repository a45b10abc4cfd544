/* SPDX-License-Identifier: MIT */
/*
 * The file format of device captures (.sgcap), for writers and readers.
 *
 * All numbers are little endian.  A file consists of a header and chunks.  A chunk
 * contains whole records, compressed with zstd.  A single zstd stream spans all chunks
 * of the file.  docs/captures.md describes captures.
 *
 *    header  8 bytes SGCAP_MAGIC; four 32-bit words: version of this format, version
 *            of the instruction set, zero, zero; 64-bit checksum of all bytes before it
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
/* Version of the layout of headers, chunks and records.  The layout of packets has no version
 * number, because each capture contains it (sgcap_packets.h).
 */
#define SGCAP_VERSION 1u
#define SGCAP_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" in ASCII */

#define SGCAP_HEADER_BYTES 32u
#define SGCAP_CHUNK_HEADER_BYTES 24u
#define SGCAP_RECORD_HEADER_BYTES 8u
/* Chunk sizes in bytes.  The writer ends a chunk at SGCAP_CHUNK_BYTES, and after each submission
 * and presentation.  The reader rejects chunks larger than SGCAP_CHUNK_MAX.
 */
#define SGCAP_CHUNK_BYTES (1u << 20)
#define SGCAP_CHUNK_MAX (16u << 20)
/* Maximum size in bytes of the contents of a DATA record.  Longer contents are split. */
#define SGCAP_DATA_MAX (256u << 10)

/* Record types.  sgcap_record_name() returns the name of a type for messages. */
enum sgcap_type {
   SGCAP_END = 1, /* last record; only present if the capture was closed */
   SGCAP_DEVICE,  /* device parameters and program name */
   SGCAP_PACKETS, /* packet layout as text (sgcap_packets.h) */
   SGCAP_BO_CREATE,
   SGCAP_BO_DESTROY,
   SGCAP_BO_LABEL, /* new label of a buffer that the driver reuses for another purpose */
   SGCAP_DATA,     /* data that the CPU wrote to a buffer */
   SGCAP_ZERO,     /* range of a buffer that the CPU zeroed */
   SGCAP_QUEUE_CREATE,
   SGCAP_QUEUE_DESTROY,
   SGCAP_QUERY, /* query that was open when the capture began */
   SGCAP_SUBMIT,
   SGCAP_WAIT,    /* the CPU was notified that a submission has ended */
   SGCAP_BO_IDLE, /* the CPU was notified that no submission uses the buffer */
   SGCAP_PRESENT, /* buffer range and hash of a presented picture */
   SGCAP_FRAME,   /* start of a frame */
   SGCAP_TYPES,
};

/* Record payloads.  IDs of buffers and queues start at 1 and are never reused in a file.
 * Variable-size data follows the structure, in the order given by the comments in the structure.
 */
struct sgcap_end {
   uint64_t submissions, frames;
};

struct sgcap_device {
   uint32_t threads, dispatch, engines, host;
   uint64_t memory_size;
   /* size in bytes of the program name that follows; `zero` is always 0 */
   uint32_t name_bytes, zero;
};

struct sgcap_bo_create {
   uint64_t id, address, size;
   uint32_t label_bytes, zero; /* size in bytes of the label that follows; `zero` is always 0 */
};

struct sgcap_bo_label {
   uint64_t id;
   uint32_t label_bytes, zero; /* size in bytes of the label that follows; `zero` is always 0 */
};

/* Payload of BO_DESTROY, QUEUE_CREATE, QUEUE_DESTROY and BO_IDLE records. */
struct sgcap_id {
   uint64_t id;
};

struct sgcap_data {
   /* buffer ID, and byte range; DATA records are followed by `size` bytes of contents */
   uint64_t id, offset, size;
};

struct sgcap_query {
   uint64_t queue;
   uint32_t slot, type; /* query slot, and enum sgpu_query_type */
};

struct sgcap_fence {
   /* queue ID, and seqno relative to the capture: the first captured submission of a queue is 1 */
   uint64_t queue, seqno;
};

struct sgcap_range {
   uint64_t bo, offset, size;
};

struct sgcap_submit {
   uint64_t queue, seqno, address;
   uint32_t words, num_bos, num_waits, num_writes;
   /* followed by uint64_t bos[], struct sgcap_fence waits[] and struct sgcap_range writes[] */
};

struct sgcap_present {
   uint64_t bo, offset;           /* buffer ID, and byte offset of the first pixel in the buffer */
   uint32_t pitch, width, height; /* row pitch in bytes; width and height in pixels */
   uint32_t format;               /* enum sgpu_format; the layout is linear */
   uint32_t x, y;                 /* position of this part in the presented picture, in pixels */
   uint32_t frame;
   uint32_t pixel_bytes;
   uint64_t hash; /* XXH64 of the pixels of all rows, without row padding */
};

struct sgcap_frame {
   uint64_t number; /* number of pictures that the process presented before this frame */
};

#endif
