/* SPDX-License-Identifier: MIT */
/* sgpu reduce: state that the source files share while they write the new capture. */
#ifndef CAP_REDUCE_H
#define CAP_REDUCE_H

#include "cap_queries.h"
#include "cap_step.h"
#include "cap_tool.h"
#include "sgcap_writer.h"

#define CAP_REDUCE_STREAM_BYTES (UINT64_C(4) << 20)

/* map[ID - 1] is the new ID of a buffer in the original capture, or 0 if the buffer is not kept. */
struct cap_reduce_ids {
   uint64_t *map, count, next;
};

struct reduce {
   struct cap_player player;
   const char *path;
   bool grids;             /* true if `draws` is a range of grids instead of draws */
   struct cap_range draws; /* range of draws or grids to keep */
   struct cap_reduce_ids ids;
   struct sgcap_writer *writer;
   /* IDs in the new capture: of the queue, of the command stream's buffer, and of the picture's
    * buffer
    */
   uint64_t queue, stream, picture;
   /* stream_address, picture_address: device addresses of the buffers for the command stream and
    * the picture; top: end of all addresses in the original capture
    */
   uint64_t stream_address, picture_address, top;
   /* seqno: seqno of the latest submission in the new capture; hash: hash of the presented picture
    */
   uint64_t seqno, hash;
   uint64_t *bos; /* scratch memory for the buffer list of a submission */
   struct cap_queries queries;
   /* any: the original capture contains at least one draw or grid of the range; ended: the last
    * draw or grid has been written; created: the new file exists; hash_known: `hash` is valid
    */
   bool any, ended, created, hash_known;
};

/* Writes the start of the file, which contains the buffers to keep and their contents. */
void cap_reduce_begin(struct reduce *r);
/* Copies a record that is between the first and the last draw, if it refers to a buffer that is
 * kept.
 */
void cap_reduce_pass_on(struct reduce *r, const struct sgcap_record *rec);
/* Writes a SUBMIT record, followed by its WAIT record. */
bool cap_reduce_submit(struct reduce *r, const uint32_t *words, uint32_t count);
/* Writes the picture that the last draw or grid has produced, and the end of the file. */
bool cap_reduce_end(struct reduce *r, const struct cap_stream *s);

#endif
