/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without libFuzzer, as a test: each file, then RUNS
 * mutations of the files, the same ones in every run.
 *
 *    fuzz_X RUNS FILE...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_SIZE 65536

static uint64_t random_state = 0x9e3779b97f4a7c15ull;

static uint32_t
random_below(uint32_t end)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 7;
   random_state ^= random_state << 17;
   return (uint32_t)((random_state >> 32) * end >> 32);
}

static size_t
mutate(uint8_t *data, size_t size)
{
   for (uint32_t n = 1 + random_below(8); n > 0 && size > 0; n--) {
      const uint32_t at = random_below((uint32_t)size), word = at & ~3u;
      switch (random_below(6)) {
      case 0:
         data[at] ^= 1u << random_below(8);
         break;
      case 1:
         data[at] = (uint8_t)random_below(256);
         break;
      case 2:
         memset(data + word, random_below(2) ? 0xff : 0, size - word < 4 ? size - word : 4);
         break;
      case 3: /* leave words out */
         memmove(data + word, data + at, size - at);
         size -= at - word;
         break;
      case 4: { /* a piece twice */
         const size_t piece = 4 * (1 + random_below(16));
         if (at + piece <= size)
            memmove(data + random_below((uint32_t)(size - piece + 1)), data + at, piece);
         break;
      }
      default:
         if (random_below(8) == 0)
            size = at;
         break;
      }
   }
   return size;
}

int
main(int argc, char **argv)
{
   static uint8_t data[MAX_SIZE];
   struct seed {
      uint8_t *data;
      size_t size;
   } *seeds;

   if (argc < 3) {
      fprintf(stderr, "usage: %s RUNS FILE...\n", argv[0]);
      return 2;
   }
   const uint32_t count = (uint32_t)argc - 2;
   seeds = calloc(count, sizeof *seeds);
   if (!seeds)
      return 1;
   for (uint32_t i = 0; i < count; i++) {
      FILE *fp = fopen(argv[i + 2], "rb");
      if (!fp) {
         perror(argv[i + 2]);
         return 1;
      }
      seeds[i].size = fread(data, 1, sizeof data, fp);
      fclose(fp);
      seeds[i].data = malloc(seeds[i].size + 1);
      if (!seeds[i].data)
         return 1;
      memcpy(seeds[i].data, data, seeds[i].size);
      LLVMFuzzerTestOneInput(data, seeds[i].size);
   }
   for (long n = strtol(argv[1], NULL, 0); n > 0; n--) {
      const struct seed *s = &seeds[random_below(count)];
      memcpy(data, s->data, s->size);
      const size_t size = mutate(data, s->size);
      /* In a block of its own size, so that reads behind it are seen. */
      uint8_t *copy = malloc(size + 1);
      if (!copy)
         return 1;
      memcpy(copy, data, size);
      LLVMFuzzerTestOneInput(copy, size);
      free(copy);
   }
   for (uint32_t i = 0; i < count; i++)
      free(seeds[i].data);
   free(seeds);
   return 0;
}
