/* SPDX-License-Identifier: MIT */
/* sgpu reduce: state that is needed while the new capture is written. */
#ifndef CAP_REDUCE_H
#define CAP_REDUCE_H

#include "cap_queries.h"
#include "cap_step.h"
#include "cap_tool.h"
#include "sgcap_writer.h"

#define CAP_REDUCE_STREAM_BYTES (UINT64_C(4) << 20)

/* Maps old buffer IDs, minus 1, to IDs in the new capture, or 0 for buffers that are not kept. */
struct cap_reduce_ids {
   uint64_t *map, count, next;
};

struct reduce {
   struct cap_player player;
   const char *path;
   bool grids;             /* `draws` is a range of grids instead of draws */
   struct cap_range draws; /* range of draws or grids to keep */
   struct cap_reduce_ids ids;
   struct sgcap_writer *writer;
   /* IDs in the new capture of the queue, and of the buffers for the command stream and the picture
    */
   uint64_t queue, stream, picture;
   /* Device addresses of the buffers for the command stream and the picture.  `top` is the end of
    * all addresses in the original capture.
    */
   uint64_t stream_address, picture_address, top;
   /* seqno of the latest submission in the new capture, and hash of the presented picture */
   uint64_t seqno, hash;
   uint64_t *bos; /* scratch memory for the buffer list of a submission */
   struct cap_queries queries;
   /* any: the original capture contains a draw or grid of the range; ended: the last draw or grid
    * has been written; created: the new file exists; hash_known: `hash` is valid.
    */
   bool any, ended, created, hash_known;
};

/* Writes the start of the file, which contains the kept buffers with their contents. */
void cap_reduce_begin(struct reduce *r);
/* Copies a record between the first and the last draw if it refers to a kept buffer. */
void cap_reduce_pass_on(struct reduce *r, const struct sgcap_record *rec);
/* Writes a SUBMIT record, followed by its WAIT record. */
bool cap_reduce_submit(struct reduce *r, const uint32_t *words, uint32_t count);
/* Writes the picture that the last draw or grid has produced, and the end of the file. */
bool cap_reduce_end(struct reduce *r, const struct cap_stream *s);

#endif
