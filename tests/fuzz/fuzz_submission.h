/* SPDX-License-Identifier: MIT */
/*
 * Random submissions: choices from the fuzzer's bytes, and the memory that packets name.
 */
#ifndef FUZZ_SUBMISSION_H
#define FUZZ_SUBMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgpu_device.h"
#include "sgpu_packets.h"
#include "sgpu_packets_info.h"

#define NUM_AREAS 8
#define AREA_SIZE (64u * 1024)
#define STREAM_WORDS 8192

enum {
   /* Areas with a special use. The others are images and buffers. */
   AREA_PROGRAMS = 0,
   AREA_CONSTANTS = 1,
   AREA_IMAGES = 2,
};

struct fuzz_world {
   struct sgpu_device *dev;
   struct sgpu_queue *control;
   struct sgpu_bo *areas[NUM_AREAS];
   struct sgpu_bo *stream, *foreign, *control_stream;
   bool changes; /* memory changes while the device works */
   unsigned long whole, refused, stopped, draws, patches;
};
extern struct fuzz_world fuzz_world;

/* Ends the run with a message if the condition does not hold. */
void fuzz_require(bool holds, const char *what);

struct choices {
   const uint8_t *data;
   size_t left;
   /* state of a random number generator, for choices that need too many bytes */
   uint64_t random;
   unsigned programs; /* number of programs so far */
   unsigned samples;  /* number of samples of the targets */
   /* bit mask of primitive types that the latest geometry program accepts, or 0 if there is none */
   unsigned draws_fit;
   bool tessellates;          /* draws must use patches */
   enum sgpu_primitive makes; /* primitive type of the latest tessellation evaluation program */
};

/* Takes a number below `end` (at least 1) from the input. Returns 0 after the end of the input. */
static inline uint32_t
take(struct choices *c, uint32_t end)
{
   uint32_t value = 0;
   for (uint32_t most = end - 1; most && c->left; most >>= 8) {
      value = value << 8 | *c->data++;
      c->left--;
   }
   return value % end;
}

static inline bool
one_in(struct choices *c, uint32_t n)
{
   return take(c, n) == n - 1;
}

static inline uint32_t
noise(struct choices *c)
{
   c->random = c->random * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(c->random >> 32);
}

/* The uses of a surface. */
enum use { USE_ANY, USE_COLOR, USE_DEPTH };

/* Makes the packed words of a struct, with random fields from its table. */
void fuzz_struct(struct choices *c, const struct sgpu_struct_info *info, uint32_t *words);
void fuzz_surface(struct choices *c, uint32_t *words, enum use use);
/* Makes a SHADER packet, and stores its program in memory. */
void fuzz_shader(struct choices *c, uint32_t *words, enum sgpu_stage stage);

/* Functions that change areas and stream while the device works (fuzz_change.c). */
void fuzz_change_begin(void);
void fuzz_change_during(bool works);

struct sgpu_bo *fuzz_image(struct choices *c);
uint64_t fuzz_address(struct choices *c);

/* Makes the words of a stream, at most STREAM_WORDS, and returns their number. */
uint32_t fuzz_stream(struct choices *c, uint32_t *words);

#endif
