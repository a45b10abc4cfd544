/* SPDX-License-Identifier: MIT */
/* Pool of texts and pictures that several draws on a page share. */
#include "cap_pool.h"

#include <stdlib.h>
#include <string.h>

#include "cap_json.h"
#include "sgcap_hash.h"

bool
cap_pool_open(struct cap_pool *p)
{
   p->fp = open_memstream(&p->text, &p->size);
   return p->fp != NULL;
}

void
cap_pool_free(struct cap_pool *p)
{
   if (p->fp)
      fclose(p->fp);
   free(p->text);
   free(p->hashes);
   memset(p, 0, sizeof *p);
}

/* Returns the index of the element with this hash.  If there is none, sets *added to true and
 * begins a new element.  The caller must then write its text.
 */
static unsigned
pool_add(struct cap_pool *p, uint64_t hash, bool *added)
{
   *added = false;
   for (unsigned i = 0; i < p->count; i++) {
      if (p->hashes[i] == hash)
         return i;
   }
   if (p->count == p->max) {
      const unsigned n = p->max ? p->max * 2 : 256;
      uint64_t *h = realloc(p->hashes, n * sizeof *h);
      if (!h)
         return 0;
      p->hashes = h;
      p->max = n;
   }
   *added = true;
   if (p->count)
      fputs(",\n", p->fp);
   p->hashes[p->count] = hash;
   return p->count++;
}

unsigned
cap_pool_text(struct cap_pool *p, const char *text)
{
   bool added;
   const unsigned n = pool_add(p, XXH64(text, strlen(text), 0), &added);
   if (added)
      cap_json_string(p->fp, text);
   return n;
}

static void
put_base64(FILE *fp, const uint8_t *data, size_t size)
{
   static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

   for (size_t i = 0; i < size; i += 3) {
      const uint32_t v = data[i] << 16 | (i + 1 < size ? data[i + 1] << 8 : 0) |
                         (i + 2 < size ? data[i + 2] : 0);
      fputc(digits[v >> 18 & 63], fp);
      fputc(digits[v >> 12 & 63], fp);
      fputc(i + 1 < size ? digits[v >> 6 & 63] : '=', fp);
      fputc(i + 2 < size ? digits[v & 63] : '=', fp);
   }
}

/* Adds a picture as a data URL that contains a PNG file. */
static int
add_picture(struct cap_pool *p, const struct cap_picture *pic, bool alpha)
{
   const uint64_t hash = XXH64(pic->rgba, (size_t)pic->width * pic->height * 4,
                               (uint64_t)alpha << 32 | pic->width);
   bool added;
   size_t bytes;
   const unsigned n = pool_add(p, hash, &added);

   if (added) {
      void *png = cap_picture_png(pic, alpha, &bytes);
      fputs("\"data:image/png;base64,", p->fp);
      if (png)
         put_base64(p->fp, png, bytes);
      fputc('"', p->fp);
      free(png);
   }
   return (int)n;
}

int
cap_pool_picture(struct cap_pool *p, const struct cap_picture *pic, uint32_t size)
{
   struct cap_picture small;

   if (!pic->rgba || !cap_picture_shrink(pic, size, &small))
      return -1;
   const int n = add_picture(p, &small, false);
   cap_picture_free(&small);
   return n;
}

int
cap_pool_patch(struct cap_pool *p, const struct cap_picture *pic)
{
   return add_picture(p, pic, true);
}
