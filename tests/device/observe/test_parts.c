/* SPDX-License-Identifier: MIT */
/*
 * Batches of patches that continue in further batches. Sorted by their keys, chunks are the same
 * with every number of threads, policy and shuffle. Primitives come in program order.
 */
#include <pthread.h>

#include "../../unit.h"
#include "scene.h"
#include "sgpu_observer.h"

#define MAX_CHUNKS 65536

struct key {
   uint64_t submission;
   uint32_t operation, batch, part, kind;
   uint16_t layer, ty, tx, zero;
   uint64_t hash; /* hash of the chunk's words; for an operation, its number of batches */
};

static struct key keys[MAX_CHUNKS], first[MAX_CHUNKS];
static unsigned num;
static uint32_t most_parts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
take_chunk(void *data, const struct sgpu_chunk *chunk)
{
   uint64_t hash = 0xcbf29ce484222325u;

   if (chunk->kind == SGPU_CHUNK_OPERATION) {
      hash = ((const struct sgpu_event_operation *)chunk->words)->batches;
   } else {
      for (uint64_t i = 0; i < chunk->num_words; i++)
         hash = (hash ^ chunk->words[i]) * 0x100000001b3u;
   }
   pthread_mutex_lock(&lock);
   assert_true(num < MAX_CHUNKS);
   keys[num++] = (struct key){
      .submission = chunk->submission,
      .operation = chunk->operation,
      .batch = chunk->batch,
      .part = chunk->part,
      .kind = chunk->kind,
      .layer = chunk->layer,
      .ty = chunk->ty,
      .tx = chunk->tx,
      .hash = hash,
   };
   most_parts = chunk->part > most_parts ? chunk->part : most_parts;
   pthread_mutex_unlock(&lock);
}

static int
compare(const void *a, const void *b)
{
   return memcmp(a, b, offsetof(struct key, hash));
}

/* Draws the scene and returns the number of chunks, whose keys are in keys[]. */
static unsigned
observe(const char *name, unsigned threads, enum sgpu_dispatch_policy policy, uint64_t shuffle)
{
   static struct scene s;
   const struct sgpu_observer observer = { .classes = SGPU_OBSERVE_VALUES, .chunk = take_chunk };
   struct sgpu_device *dev = scene_device_of(&(struct sgpu_device_params){
      .threads = threads,
      .dispatch = policy,
      .shuffle_seed = shuffle,
      .observer = &observer,
   });

   num = 0;
   scene_metadata = false;
   scene_begin(&s, dev);
   for (unsigned i = 0; scene_lists[i]; i++) {
      for (const struct scene_info *info = scene_lists[i]; info->name; info++) {
         if (!strcmp(info->name, name))
            scene_run(&s, info);
      }
   }
   scene_end(&s, NULL);
   sgpu_device_destroy(dev);
   qsort(keys, num, sizeof(keys[0]), compare);
   return num;
}

static void
parts(void **state)
{
   static const char *const names[] = { "tess-many", "tess-some" };

   for (unsigned n = 0; n < 2; n++) {
      most_parts = 0;
      const unsigned count = observe(names[n], 1, SGPU_DISPATCH_INORDER, 0);
      assert_true(count > 10);
      assert_true(n || most_parts > 3);
      memcpy(first, keys, count * sizeof(keys[0]));
      for (unsigned i = 1; i < count; i++)
         assert_int_not_equal(compare(&first[i - 1], &first[i]), 0);
      for (unsigned way = 0; way < 2 * SGPU_DISPATCH_POLICIES; way++) {
         assert_int_equal(observe(names[n], way & 1 ? 4 : 2, way / 2, way * 7), count);
         assert_memory_equal(keys, first, count * sizeof(keys[0]));
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
