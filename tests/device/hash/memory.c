/* SPDX-License-Identifier: MIT */
/*
 * The device without memory: for each n, the n-th allocation of its workers fails, or all
 * allocations from the n-th on. The scene is then either right, or its queue has an error whose
 * text names memory. Afterwards, the same device must draw the scene right. The test also does this
 * for allocations in calls of the program.
 *
 *    device_memory [--quick] [SCENE...]
 *
 * --quick: fewer n, and for each scene one policy or an observer.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "sgpu_observer.h"

/*
 * Allocations that fail. The linker wraps the allocation functions of all static code.
 */

static pthread_t main_thread;
static bool calls_fail; /* allocations of the main thread fail, instead of those of workers */
static bool for_ever;
static atomic_int countdown; /* number of allocations until one fails; 0: none fails */
static atomic_int failures;

static bool
fails(void)
{
   if (!atomic_load(&countdown) || (pthread_equal(pthread_self(), main_thread) != 0) != calls_fail)
      return false;
   int n = atomic_load(&countdown);
   while (n && !atomic_compare_exchange_weak(&countdown, &n, n == 1 && for_ever ? 1 : n - 1))
      ;
   if (n != 1)
      return false;
   atomic_fetch_add(&failures, 1);
   errno = ENOMEM;
   return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **p, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **p, size_t alignment, size_t size);

void *
__wrap_malloc(size_t size)
{
   return fails() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t n, size_t size)
{
   return fails() ? NULL : __real_calloc(n, size);
}

void *
__wrap_realloc(void *p, size_t size)
{
   return fails() ? NULL : __real_realloc(p, size);
}

void *
__wrap_aligned_alloc(size_t alignment, size_t size)
{
   return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

int
__wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
   return fails() ? ENOMEM : __real_posix_memalign(p, alignment, size);
}

static void
arm(int n, bool calls, bool ever)
{
   calls_fail = calls;
   for_ever = ever;
   atomic_store(&failures, 0);
   atomic_store(&countdown, n);
}

static int
disarm(void)
{
   atomic_store(&countdown, 0);
   return atomic_load(&failures);
}

/*
 * Workers
 */

/* An observer of all events. It counts their words, which are the same in all runs. */
static atomic_ullong observed_words;

static void
observe_chunk(void *data, const struct sgpu_chunk *chunk)
{
   atomic_fetch_add(&observed_words, chunk->num_words);
}

static const struct sgpu_observer observer = {
   .classes = SGPU_OBSERVE_VALUES,
   .chunk = observe_chunk,
};

static uint64_t
run(struct sgpu_device *dev, const struct scene_info *info, const char **lost)
{
   static struct scene s;
   scene_begin(&s, dev);
   scene_run(&s, info);
   return scene_end_lossy(&s, NULL, lost);
}

static unsigned num_runs, num_lost;

/* Draws the scene with the n-th allocation failing, or all from the n-th on if `ever` is set.
 * Returns false if there is no n-th allocation.
 */
static bool
run_without(const struct sgpu_device_params *params, const struct scene_info *info, int n,
            bool ever, uint64_t expected, uint64_t words)
{
   struct sgpu_device *dev = scene_device_of(params);
   const char *lost;

   observed_words = 0;
   arm(n, false, ever);
   const uint64_t hash = run(dev, info, &lost);
   const int failed = disarm();
   if (lost && !failed)
      scene_fail("%s: refused with enough memory: %s", info->name, lost);
   if (lost && !strstr(lost, "memory"))
      scene_fail("%s: allocation %d: refused for another reason: %s", info->name, n, lost);
   if (!lost && hash != expected)
      scene_fail("%s: allocation %d: %016" PRIx64 ", expected %016" PRIx64
                 " or an error (policy %d)",
                 info->name, n, hash, expected, params->dispatch);
   if (!lost && observed_words != words)
      scene_fail("%s: allocation %d: %llu words of events, expected %" PRIu64 " or an error",
                 info->name, n, observed_words, words);
   num_runs++;
   num_lost += lost != NULL;

   const uint64_t again = run(dev, info, &lost);
   if (lost || again != expected)
      scene_fail("%s: allocation %d: wrong afterwards: %s", info->name, n,
                 lost ? lost : "different picture");
   sgpu_device_destroy(dev);
   return failed != 0;
}

static void
run_scene(const struct sgpu_device_params *params, const struct scene_info *info, bool quick)
{
   const char *lost;
   struct sgpu_device *dev = scene_device_of(params);
   observed_words = 0;
   const uint64_t expected = run(dev, info, &lost);
   const uint64_t words = observed_words;
   if (lost)
      scene_fail("%s: %s", info->name, lost);
   if (!words != !params->observer)
      scene_fail("%s: %" PRIu64 " words of events", info->name, words);
   sgpu_device_destroy(dev);

   /* Test each of the first allocations, then fewer and fewer. */
   const int dense = quick ? 1 : 16, dense_ever = quick ? 1 : 4;
   for (int n = 1; run_without(params, info, n, false, expected, words); n += 1 + n / dense)
      ;
   for (int n = 1; run_without(params, info, n, true, expected, words); n += 1 + n / dense_ever)
      ;
}

/*
 * Calls
 */

/* Makes the calls of a program before and after its work, up to the first error. Returns this
 * error.
 */
static int
calls(void)
{
   enum { COUNT = 40 };
   struct sgpu_device_params params = { .threads = 1, .dispatch = SGPU_DISPATCH_OOO_SPLIT };
   struct sgpu_device *dev = NULL;
   struct sgpu_queue *queue = NULL;
   struct sgpu_bo *bos[COUNT] = { NULL };

   int ret = sgpu_device_create(&params, &dev);
   if (ret)
      return ret;
   ret = sgpu_queue_create(dev, &queue);
   /* Buffers of sizes that leave holes, in an order that makes holes and closes some. */
   for (unsigned i = 0; i < COUNT && !ret; i++)
      ret = sgpu_bo_create(dev, i % 3 ? 4096 * (1 + i) : 4 << 20, "bo", &bos[i]);
   for (unsigned i = 0; i < COUNT; i += 2) {
      sgpu_bo_destroy(bos[i]);
      bos[i] = NULL;
   }
   for (unsigned i = 0; i < COUNT && !ret; i += 4)
      ret = sgpu_bo_create(dev, 8192, "bo", &bos[i]);
   if (!ret) {
      uint32_t *words = sgpu_bo_map(bos[1]);
      SGPU_END_pack(words, &(struct SGPU_END){ 0 });
      const struct sgpu_submit what = {
         .address = sgpu_bo_address(bos[1]),
         .words = 16,
         .bos = &bos[1],
         .num_bos = 1,
      };
      uint64_t seqno;
      ret = sgpu_queue_submit(queue, &what, &seqno);
      if (!ret)
         ret = sgpu_queue_wait(queue, seqno, UINT64_MAX);
   }

   for (unsigned i = 0; i < COUNT; i++)
      sgpu_bo_destroy(bos[i]);
   if (queue)
      sgpu_queue_destroy(queue);
   const uint64_t used = sgpu_device_get_param(dev, SGPU_PARAM_MEMORY_USED);
   if (used)
      scene_fail("%" PRIu64 " bytes of buffers are left", used);
   sgpu_device_destroy(dev);
   return ret;
}

static void
run_calls(void)
{
   int failed = 1;
   /* Once without failures, since Mesa keeps what it finds out about the host. */
   if (calls())
      scene_fail("calls");
   for (int n = 1; failed; n++) {
      arm(n, true, n & 1);
      const int ret = calls();
      failed = disarm();
      if (ret != (failed ? -ENOMEM : 0))
         scene_fail("calls: allocation %d: %d", n, ret);
      num_runs++;
      num_lost += ret != 0;
   }
}

int
main(int argc, char **argv)
{
   /* These scenes have operations of each kind, dependences, many tiles, programs, textures,
    * batches cut from large draws, outlines, geometry programs, samples, conditions, grids, patches
    * and batches that continue with them.
    */
   static const char *const standard[] = { "chains",
                                           "buffer-feedback",
                                           "passes",
                                           "many-states",
                                           "queries",
                                           "strips-long",
                                           "polygon-smooth",
                                           "lines-stippled-strips",
                                           "render-to-texture",
                                           "flow",
                                           "clears",
                                           "stages-amplify",
                                           "samples-8",
                                           "conditions",
                                           "compute-atomics",
                                           "compute-barriers",
                                           "compute-images",
                                           "compute-indirect",
                                           "fragments-ordered",
                                           "tess-some",
                                           "tess-many",
                                           NULL };
   const bool quick = argc > 1 && !strcmp(argv[1], "--quick");
   const char *const *names = argc > 1 + quick ? (const char *const *)argv + 1 + quick : standard;

   main_thread = pthread_self();
   run_calls();
   for (unsigned number = 0; *names; names++, number++) {
      const struct scene_info *info = NULL;
      for (unsigned i = 0; scene_lists[i] && !info; i++) {
         for (info = scene_lists[i]; info->name && strcmp(info->name, *names); info++)
            ;
         info = info->name ? info : NULL;
      }
      if (!info)
         scene_fail("no scene %s", *names);
      for (unsigned policy = 0; policy < SGPU_DISPATCH_POLICIES; policy++) {
         if (quick && policy != number % (SGPU_DISPATCH_POLICIES + 1))
            continue;
         const struct sgpu_device_params params = {
            .threads = policy == SGPU_DISPATCH_OOO ? 1 : 2,
            .dispatch = policy,
         };
         run_scene(&params, info, quick);
      }
      const struct sgpu_device_params observed = { .threads = 2, .observer = &observer };
      if (!quick || number % (SGPU_DISPATCH_POLICIES + 1) == SGPU_DISPATCH_POLICIES)
         run_scene(&observed, info, true);
   }
   printf("%u runs, %u of them lost\n", num_runs, num_lost);
   return 0;
}
