/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: the tags of its cache.
 *
 * Lookups run ahead of the data: a line gets its tag when it is requested, and its data when the
 * first quad that needs them leaves the latency FIFO.  Quads leave in order, so the data of a
 * line that is replaced have been used by then (Igehy, Eldridge, Proudfoot, "Prefetching in a
 * texture cache architecture", 1998).  sgt_cache.h, which keeps a line in its place while it is
 * fetched, would have no more lines on their way than places.
 */
#ifndef SGT_TEX_TAGS_H
#define SGT_TEX_TAGS_H

#include <stdbool.h>
#include <stdint.h>

struct sgt_tex_tag {
   uint64_t line; /* number; UINT64_MAX: none */
   uint64_t used; /* number of the latest use */
   uint64_t fill; /* number of its fetch, from 1 */
};

struct sgt_tex_tags {
   struct sgt_tex_tag *tags; /* [sets][ways] */
   uint32_t sets, ways;
   uint64_t uses;
};

bool sgt_tex_tags_init(struct sgt_tex_tags *t, uint32_t sets, uint32_t ways);
void sgt_tex_tags_finish(struct sgt_tex_tags *t);
void sgt_tex_tags_invalidate(struct sgt_tex_tags *t);
/* The tag of the line, or NULL. */
struct sgt_tex_tag *sgt_tex_tags_find(struct sgt_tex_tags *t, uint64_t line);
/* The line takes the place of the one of its set whose last use is the longest ago; true: that
 * was a line.
 */
bool sgt_tex_tags_insert(struct sgt_tex_tags *t, uint64_t line, uint64_t fill);

#endif
