/* SPDX-License-Identifier: MIT */
/*
 * Texts and pictures that the draws of a page share, each written once as an
 * element of a JavaScript array.
 */
#ifndef CAP_POOL_H
#define CAP_POOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cap_picture.h"

struct cap_pool {
   uint64_t *hashes;
   unsigned count, max;
   FILE *fp;
   char *text; /* the elements, once fp is flushed */
   size_t size;
};

/* False if out of memory. */
bool cap_pool_open(struct cap_pool *p);
void cap_pool_free(struct cap_pool *p);
/* The index of the text's element. */
unsigned cap_pool_text(struct cap_pool *p, const char *text);
/* The index of the picture's data URL, shrunk to `size` pixels; -1 on failure. */
int cap_pool_picture(struct cap_pool *p, const struct cap_picture *pic, uint32_t size);
/* The same in full size, with alpha. */
int cap_pool_patch(struct cap_pool *p, const struct cap_picture *pic);

#endif
