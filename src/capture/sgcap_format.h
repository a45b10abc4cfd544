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
/* Version of the layout of headers, chunks and records.  Packets don't need a version number,
 * because each capture contains the layout of its packets (sgcap_packets.h).
 */
#define SGCAP_VERSION 1u
#define SGCAP_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" in ASCII */

#define SGCAP_HEADER_BYTES 32u
#define SGCAP_CHUNK_HEADER_BYTES 24u
#define SGCAP_RECORD_HEADER_BYTES 8u
/* Chunk sizes in bytes.  The writer ends a chunk when it reaches SGCAP_CHUNK_BYTES, and after each
 * submission and presentation.  The reader rejects chunks larger than SGCAP_CHUNK_MAX.
 */
#define SGCAP_CHUNK_BYTES (1u << 20)
#define SGCAP_CHUNK_MAX (16u << 20)
/* Maximum size in bytes of the contents of a DATA record.  Longer contents are split into several
 * records.
 */
#define SGCAP_DATA_MAX (256u << 10)

/* Record types.  For messages, sgcap_record_name() returns the name of a type. */
enum sgcap_type {
   SGCAP_END = 1, /* last record, which is missing if the capture was not closed */
   SGCAP_DEVICE,  /* device parameters and program name */
   SGCAP_PACKETS, /* packet layout as text (sgcap_packets.h) */
   SGCAP_BO_CREATE,
   SGCAP_BO_DESTROY,
   /* new label of a buffer, written when the driver reuses the buffer for another purpose */
   SGCAP_BO_LABEL,
   SGCAP_DATA, /* data that the CPU wrote to a buffer */
   SGCAP_ZERO, /* range of a buffer that the CPU zeroed */
   SGCAP_QUEUE_CREATE,
   SGCAP_QUEUE_DESTROY,
   SGCAP_QUERY, /* query that was open when the capture began */
   SGCAP_SUBMIT,
   SGCAP_WAIT,    /* the CPU was notified that a submission has ended */
   SGCAP_BO_IDLE, /* the CPU was notified that no submission uses the buffer */
   SGCAP_PRESENT, /* buffer range of a presented picture, and hash of its pixels */
   SGCAP_FRAME,   /* start of a frame */
   SGCAP_TYPES,
};

/* Payloads of the records.  IDs of buffers and queues start at 1 and are never reused in a file.
 * If a record has data of variable size, the data follows the structure, as the comments in the
 * structure describe.
 */
struct sgcap_end {
   uint64_t submissions, frames;
};

struct sgcap_device {
   uint32_t threads, dispatch, engines, host;
   uint64_t memory_size;
   /* size in bytes of the program name that follows the structure; `zero` is always 0 */
   uint32_t name_bytes, zero;
};

struct sgcap_bo_create {
   uint64_t id, address, size;
   /* size in bytes of the label that follows the structure; `zero` is always 0 */
   uint32_t label_bytes, zero;
};

struct sgcap_bo_label {
   uint64_t id;
   /* size in bytes of the label that follows the structure; `zero` is always 0 */
   uint32_t label_bytes, zero;
};

/* Payload of BO_DESTROY, QUEUE_CREATE, QUEUE_DESTROY and BO_IDLE records. */
struct sgcap_id {
   uint64_t id;
};

struct sgcap_data {
   /* Buffer ID and byte range.  In a DATA record, `size` bytes of contents follow the structure. */
   uint64_t id, offset, size;
};

struct sgcap_query {
   uint64_t queue;
   uint32_t slot, type; /* slot: query slot; type: enum sgpu_query_type */
};

struct sgcap_fence {
   /* queue: queue ID; seqno: number of the submission, where 1 is the first captured submission of
    * the queue
    */
   uint64_t queue, seqno;
};

struct sgcap_range {
   uint64_t bo, offset, size;
};

struct sgcap_submit {
   uint64_t queue, seqno, address;
   uint32_t words, num_bos, num_waits, num_writes;
   /* The structure is followed by uint64_t bos[], struct sgcap_fence waits[] and struct sgcap_range
    * writes[].
    */
};

struct sgcap_present {
   uint64_t bo, offset;           /* bo: buffer ID; offset: byte offset of the first pixel */
   uint32_t pitch, width, height; /* pitch: bytes per row; width, height: size in pixels */
   uint32_t format;               /* enum sgpu_format of the pixels, which have linear layout */
   uint32_t x, y;                 /* position of this part in the presented picture, in pixels */
   uint32_t frame;
   uint32_t pixel_bytes;
   uint64_t hash; /* XXH64 hash of the pixels in all rows, without row padding */
};

struct sgcap_frame {
   uint64_t number; /* number of pictures that the process presented before this frame */
};

#endif
