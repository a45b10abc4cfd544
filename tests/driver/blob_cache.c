/* SPDX-License-Identifier: MIT */
/*
 * Tests the shader cache of an application (EGL_ANDROID_blob_cache) whose callbacks return wrong
 * sizes and data.  The cache must return the data that was put, or nothing.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "util/disk_cache.h"

#define MOST 200000

static uint8_t value[2 * MOST];
/* Size of the data in `value`, in bytes. */
static long value_size;
/* Size that the callback returns, in bytes; 0: value_size. */
static long told;

static void
put(const void *key, signed long key_size, const void *data, signed long size)
{
   memcpy(value, data, size);
   value_size = size;
}

static signed long
get(const void *key, signed long key_size, void *data, signed long room)
{
   if (value_size <= room)
      memcpy(data, value, value_size);
   return told ? told : value_size;
}

static bool
check(bool ok, const char *what, unsigned i)
{
   if (!ok)
      fprintf(stderr, "%s (%u)\n", what, i);
   return ok;
}

int
main(void)
{
   static const long sizes[] = { 0, 1, 7, 8, 65527, 65528, 65529, 65536, 65537, MOST };
   static uint8_t data[MOST];
   struct disk_cache *cache = disk_cache_create("test", "1", 0);
   cache_key key = { 1 };
   bool ok = true;
   size_t size;

   if (!cache) {
      fprintf(stderr, "no cache\n");
      return 77;
   }
   disk_cache_set_callbacks(cache, put, get);
   for (unsigned i = 0; i < MOST; i++)
      data[i] = below(256);

   for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      disk_cache_put(cache, key, data, sizes[i], NULL);
      disk_cache_wait_for_idle(cache);
      told = 0;
      uint8_t *back = disk_cache_get(cache, key, &size);
      ok &= check(back && size == (size_t)sizes[i] && !memcmp(back, data, size), "an entry", i);
      free(back);
      /* Return sizes other than the size of the value. */
      static const long lies[] = { -1,    INT64_MIN, 1,         7,        65536,
                                   65537, MOST,      INT32_MAX, 1L << 32, INT64_MAX };
      for (unsigned j = 0; j < sizeof lies / sizeof lies[0]; j++) {
         told = lies[j];
         back = disk_cache_get(cache, key, &size);
         ok &= check(!back || told == value_size, "a size that lies", j);
         free(back);
      }
      told = 0;
      /* Return data other than the data that was put. */
      for (unsigned j = 0; j < 100; j++) {
         const long n = value_size;
         const unsigned at = below(n < 100 ? n : 100);
         const uint8_t change = 1 + below(255);
         value[at] ^= change;
         if (j & 1)
            value_size = below(n + 1);
         back = disk_cache_get(cache, key, &size);
         ok &= check(!back, "an entry that has changed", j);
         free(back);
         value[at] ^= change;
         value_size = n;
      }
   }

   value_size = 0;
   ok &= check(!disk_cache_get(cache, key, &size) && !size, "no entry", 0);
   disk_cache_put_key(cache, key);
   ok &= check(disk_cache_has_key(cache, key), "a key", 0);
   told = MOST;
   ok &= check(!disk_cache_has_key(cache, key), "a longer value for a key", 0);
   disk_cache_destroy(cache);
   return !ok;
}
