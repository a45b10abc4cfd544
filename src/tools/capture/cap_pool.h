/* SPDX-License-Identifier: MIT */
/* Pool of texts and pictures that several draws on a page share.  Each text or picture is written
 * to the page once, as an element of a JavaScript array.
 */
#ifndef CAP_POOL_H
#define CAP_POOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cap_picture.h"

struct cap_pool {
   uint64_t *hashes; /* hash of each element */
   unsigned count, max;
   FILE *fp;   /* memory stream for the text of the elements */
   char *text; /* text of the elements, valid after fflush(fp) */
   size_t size;
};

/* Opens an empty pool.  Returns false on allocation failure. */
bool cap_pool_open(struct cap_pool *p);
void cap_pool_free(struct cap_pool *p);
/* Adds a text and returns the index of its element. */
unsigned cap_pool_text(struct cap_pool *p, const char *text);
/* Adds a picture, which is shrunk so that its width and height don't exceed `size` pixels.  Returns
 * its index, or -1 on failure.
 */
int cap_pool_picture(struct cap_pool *p, const struct cap_picture *pic, uint32_t size);
/* Adds a picture in full size, with alpha.  Returns its index, or -1 on failure. */
int cap_pool_patch(struct cap_pool *p, const struct cap_picture *pic);

#endif
