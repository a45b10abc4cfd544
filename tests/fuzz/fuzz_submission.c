/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a submission to the device. The bytes of the input choose packets, their fields and
 * programs. Most are valid. For all inputs, the device must end the submission in time, access only
 * memory that the submission names, and work afterwards.
 *
 * Buffers lie in holes of the address space, so that an access outside of them is a fault.
 * SGPU_THREADS, SGPU_DISPATCH, SGPU_EXEC and SGPU_DEBUG choose the device. FUZZ_OBSERVE adds an
 * observer. With FUZZ_CHANGE, memory changes meanwhile. With FUZZ_MESSAGES, the target prints the
 * reasons of refusals.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_submission.h"
#include "random_program.h"
#include "sgpu_observer.h"
#include "sgpu_packets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
bool fuzz_tested(void);

#define HOLE_SIZE (32u * 1024 * 1024)
#define WATCHDOG 3000
#define WATCHDOG_VERTICES 20000
#define TIMEOUT_NS 120000000000ull

struct fuzz_world fuzz_world;

void
fuzz_require(bool holds, const char *what)
{
   if (!holds) {
      static const char name[] = "fuzz_submission: ";
      fwrite(name, 1, sizeof(name) - 1, stdout);
      puts(what);
      fflush(stdout);
      abort();
   }
}

static struct sgpu_bo *
new_bo(uint64_t size)
{
   struct sgpu_bo *bo;
   fuzz_require(!sgpu_bo_create(fuzz_world.dev, size, "fuzz", &bo), "no memory");
   return bo;
}

static void
print_counts(void)
{
   printf("fuzz_submission: %lu whole, %lu refused, %lu stopped; %lu draws, %lu of patches\n",
          fuzz_world.whole, fuzz_world.refused, fuzz_world.stopped, fuzz_world.draws,
          fuzz_world.patches);
}

/* Returns whether the runs have tested anything. Most inputs are valid submissions, so only a
 * broken target or device refuses nearly all of them.
 */
bool
fuzz_tested(void)
{
   const unsigned long runs = fuzz_world.whole + fuzz_world.refused + fuzz_world.stopped;
   if (fuzz_world.whole >= runs / 8 && fuzz_world.whole > 0 && fuzz_world.draws > 0)
      return true;
   printf("fuzz_submission: too few of %lu submissions ran to their end\n", runs);
   return false;
}

static void
take_chunk(void *data, const struct sgpu_chunk *chunk)
{
}

/* An observer of all events. */
static const struct sgpu_observer observer = {
   .classes = SGPU_OBSERVE_VALUES,
   .work = true,
   .chunk = take_chunk,
};

static void
make_world(void)
{
   struct sgpu_device_params params;
   struct sgpu_bo *holes[NUM_AREAS + 4];

   /* Discard the device's messages, one for each bad submission. Sanitizers use the file descriptor
    * instead.
    */
   if (!getenv("FUZZ_MESSAGES"))
      stderr = fopen("/dev/null", "w");

   fuzz_require(sgpu_device_params_from_env(&params), "parameters");
   if (!params.threads)
      params.threads = 2;
   params.watchdog_instructions = WATCHDOG;
   params.watchdog_vertices = WATCHDOG_VERTICES;
   if (getenv("FUZZ_OBSERVE"))
      params.observer = &observer;
   fuzz_require(!sgpu_device_create(&params, &fuzz_world.dev), "no device");
   fuzz_require(!sgpu_queue_create(fuzz_world.dev, &fuzz_world.control), "no queue");

   unsigned n = 0;
   holes[n++] = new_bo(HOLE_SIZE);
   for (unsigned i = 0; i < NUM_AREAS; i++) {
      fuzz_world.areas[i] = new_bo(AREA_SIZE);
      holes[n++] = new_bo(HOLE_SIZE);
   }
   fuzz_world.stream = new_bo(STREAM_WORDS * 4);
   holes[n++] = new_bo(HOLE_SIZE);
   fuzz_world.foreign = new_bo(AREA_SIZE);
   holes[n++] = new_bo(HOLE_SIZE);
   fuzz_world.control_stream = new_bo(4096);
   holes[n++] = new_bo(HOLE_SIZE);
   for (unsigned i = 0; i < n; i++)
      sgpu_bo_destroy(holes[i]);
   memset(sgpu_bo_map(fuzz_world.foreign), 0xa5, AREA_SIZE);
   atexit(print_counts);
   fuzz_world.changes = getenv("FUZZ_CHANGE") != NULL;
   if (fuzz_world.changes)
      fuzz_change_begin();
}

static void
fill_memory(struct choices *c)
{
   for (unsigned i = 0; i < NUM_AREAS; i++) {
      uint32_t *words = sgpu_bo_map(fuzz_world.areas[i]);
      const unsigned kind = i == AREA_CONSTANTS ? 1 : take(c, 4);
      for (unsigned w = 0; w < AREA_SIZE / 4; w++) {
         const uint32_t r = noise(c);
         /* bits; floats near 1; small numbers; small bytes and halves */
         words[w] = kind == 0   ? r
                    : kind == 1 ? (r & 0x80ffffff) | 0x3f000000
                    : kind == 2 ? r >> 24
                                : r & 0x003f003f;
      }
   }
   uint32_t(*constants)[4] = sgpu_bo_map(fuzz_world.areas[AREA_CONSTANTS]);
   constants[RANDOM_PROGRAM_ZERO][0] = 0;
   constants[RANDOM_PROGRAM_ONE][0] = 0x3f800000;
   constants[RANDOM_PROGRAM_LOOPS][0] = one_in(c, 32) ? 0x7f000000 : 0x40400000;
}

/* Runs a simple submission on another queue, which must work after the input. */
static void
check_device(void)
{
   static uint32_t number;
   uint32_t *words = sgpu_bo_map(fuzz_world.control_stream);
   const uint64_t address = sgpu_bo_address(fuzz_world.control_stream);
   uint64_t seqno;

   number++;
   sgpu_pack(words, FILL_BUFFER, cfg) {
      cfg.destination = address + 2048;
      cfg.size = 1024;
      cfg.pattern_size = 4;
      cfg.pattern_0 = number;
   }
   const struct sgpu_submit submit = {
      .address = address,
      .words = SGPU_FILL_BUFFER_LENGTH,
      .bos = &fuzz_world.control_stream,
      .num_bos = 1,
   };
   fuzz_require(!sgpu_queue_submit(fuzz_world.control, &submit, &seqno),
                "the device takes nothing more");
   fuzz_require(!sgpu_queue_wait(fuzz_world.control, seqno, TIMEOUT_NS), "the device hangs");
   fuzz_require(words[512] == number && words[767] == number, "the device does nothing more");

   const uint8_t *p = sgpu_bo_map(fuzz_world.foreign);
   for (unsigned i = 0; i < AREA_SIZE; i++)
      fuzz_require(p[i] == 0xa5, "a write to a buffer that the submission does not name");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct choices c = { data, size, 88172645463325252ull + size };
   struct sgpu_queue *queue;
   uint64_t seqno;

   if (!fuzz_world.dev)
      make_world();
   for (size_t i = 0; i < size; i++)
      c.random = (c.random ^ data[i]) * 0x100000001b3ull;
   fill_memory(&c);

   struct sgpu_bo *bos[NUM_AREAS + 1];
   memcpy(bos, fuzz_world.areas, sizeof(fuzz_world.areas));
   bos[NUM_AREAS] = fuzz_world.stream;
   const struct sgpu_submit submit = {
      .address = sgpu_bo_address(fuzz_world.stream),
      .words = fuzz_stream(&c, sgpu_bo_map(fuzz_world.stream)),
      .bos = bos,
      .num_bos = NUM_AREAS + 1,
   };
   fuzz_require(!sgpu_queue_create(fuzz_world.dev, &queue), "no queue");
   if (fuzz_world.changes)
      fuzz_change_during(true);
   const bool taken = !sgpu_queue_submit(queue, &submit, &seqno);
   if (taken)
      fuzz_require(!sgpu_queue_wait(queue, seqno, TIMEOUT_NS), "the submission hangs");
   if (fuzz_world.changes)
      fuzz_change_during(false);
   if (taken) {
      struct sgpu_queue_error error;
      if (!sgpu_queue_take_error(queue, &error)) {
         fuzz_world.whole++;
      } else {
         fprintf(stderr, "%s\n", error.message);
         if (strstr(error.message, "packet"))
            fuzz_world.refused++;
         else
            fuzz_world.stopped++;
      }
   }
   check_device();
   sgpu_queue_destroy(queue);
   return 0;
}
