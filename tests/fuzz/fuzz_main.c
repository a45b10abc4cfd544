/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without libFuzzer, as a test: each file (or all files of a folder), then RUNS
 * mutations of the files, which are the same in every run.
 *
 *    fuzz_X RUNS FILE|FOLDER...
 */
#define _POSIX_C_SOURCE 200809L /* for scandir */

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Returns whether the runs of the target have tested anything. Optional. */
bool fuzz_tested(void) __attribute__((weak));

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
      case 3: /* remove words */
         memmove(data + word, data + at, size - at);
         size -= at - word;
         break;
      case 4: { /* repeat words */
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

static struct seed {
   uint8_t *data;
   size_t size;
} * seeds;
static uint32_t num_seeds;

static void
die(const char *what)
{
   perror(what);
   exit(1);
}

static void
add_seed(const char *path)
{
   static uint8_t data[MAX_SIZE];
   FILE *fp = fopen(path, "rb");
   if (!fp)
      die(path);
   const size_t size = fread(data, 1, sizeof data, fp);
   fclose(fp);
   seeds = realloc(seeds, (num_seeds + 1) * sizeof *seeds);
   uint8_t *copy = malloc(size + 1);
   if (!seeds || !copy)
      die("memory");
   memcpy(copy, data, size);
   seeds[num_seeds++] = (struct seed){ copy, size };
}

/* Adds the files of a folder, in the order of their names, or a single file. */
static void
add_seeds(const char *path)
{
   struct dirent **entries;
   const int count = scandir(path, &entries, NULL, alphasort);
   if (count < 0) {
      add_seed(path);
      return;
   }
   for (int i = 0; i < count; i++) {
      char name[4096];
      snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
      if (entries[i]->d_name[0] != '.')
         add_seed(name);
      free(entries[i]);
   }
   free(entries);
}

/* Runs the target on a copy in a block of the exact size, so that a memory checker finds reads
 * after it.
 */
static void
run(const uint8_t *data, size_t size)
{
   uint8_t *copy = malloc(size ? size : 1);
   if (!copy)
      die("memory");
   memcpy(copy, data, size);
   LLVMFuzzerTestOneInput(copy, size);
   free(copy);
}

int
main(int argc, char **argv)
{
   static uint8_t data[MAX_SIZE];

   if (argc < 3) {
      fprintf(stderr, "usage: %s RUNS FILE|FOLDER...\n", argv[0]);
      return 2;
   }
   for (int i = 2; i < argc; i++)
      add_seeds(argv[i]);
   if (num_seeds == 0) {
      fprintf(stderr, "%s: no files\n", argv[0]);
      return 1;
   }
   for (uint32_t i = 0; i < num_seeds; i++)
      run(seeds[i].data, seeds[i].size);
   for (long n = strtol(argv[1], NULL, 0); n > 0; n--) {
      const struct seed *s = &seeds[random_below(num_seeds)];
      memcpy(data, s->data, s->size);
      run(data, mutate(data, s->size));
   }
   for (uint32_t i = 0; i < num_seeds; i++)
      free(seeds[i].data);
   free(seeds);
   return fuzz_tested && !fuzz_tested() ? 1 : 0;
}
