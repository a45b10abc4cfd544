/* SPDX-License-Identifier: MIT */
/*
 * sgpu reduce: the new capture as it is written.
 */
#ifndef CAP_REDUCE_H
#define CAP_REDUCE_H

#include "cap_queries.h"
#include "cap_step.h"
#include "cap_tool.h"
#include "sgcap_writer.h"

#define CAP_REDUCE_STREAM_BYTES (UINT64_C(4) << 20)

/* New ids of the kept buffers, by the old id - 1; 0: not kept. */
struct cap_reduce_ids {
   uint64_t *map, count, next;
};

struct reduce {
   struct cap_player player;
   const char *path;
   bool grids; /* of the range: it counts grids, not draws */
   struct cap_range draws;
   struct cap_reduce_ids ids;
   struct sgcap_writer *writer;
   uint64_t queue, stream, picture; /* new ids */
   uint64_t stream_address, picture_address, top;
   uint64_t seqno, hash;
   uint64_t *bos; /* scratch: a submission's list */
   struct cap_queries queries;
   bool any, ended, created, hash_known;
};

/* What the file begins with: the kept buffers with their contents. */
void cap_reduce_begin(struct reduce *r);
/* Copies the CPU's writes between the draws. */
void cap_reduce_pass_on(struct reduce *r, const struct sgcap_record *rec);
/* Writes a submission of the new capture and a wait for it. */
bool cap_reduce_submit(struct reduce *r, const uint32_t *words, uint32_t count);
/* Writes a picture of what the last draw or grid has made, and the end of the file. */
bool cap_reduce_end(struct reduce *r, const struct cap_stream *s);

#endif
