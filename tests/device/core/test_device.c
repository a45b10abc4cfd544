/* SPDX-License-Identifier: MIT */
/*
 * The device's public interface: buffers, submissions, fences, and the
 * order of operations under every policy.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device_test.h"

static const enum sgpu_dispatch_policy policies[] = {
   SGPU_DISPATCH_INORDER,
   SGPU_DISPATCH_OOO,
   SGPU_DISPATCH_OOO_SPLIT,
};

static void
emit_copy(struct stream *s, const struct test_surface *dst, int dx, int dy,
          const struct test_surface *src, int sx, int sy, int w, int h)
{
   EMIT(s, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.source = test_surface_desc(s, src);
      cfg.destination = test_surface_desc(s, dst);
      cfg.source_x = sx;
      cfg.source_y = sy;
      cfg.rect = (struct SGPU_RECT){ dx, dy, dx + w, dy + h };
   }
}

static void
test_buffers(void **state)
{
   struct sgpu_device *dev = test_device(1, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct sgpu_bo *bo = test_bo(dev, 100000), *refused;
   const uint64_t address = sgpu_bo_address(bo);
   uint8_t *p = sgpu_bo_map(bo);

   assert_true(address != 0);
   assert_int_equal(sgpu_bo_size(bo), 100000);
   for (unsigned i = 0; i < 100000; i++)
      assert_int_equal(p[i], 0);
   memset(p, 0xa5, 100000);
   sgpu_bo_destroy(bo);

   /* Memory that is allocated again reads as zero. */
   bo = test_bo(dev, 100000);
   assert_int_equal(sgpu_bo_address(bo), address);
   p = sgpu_bo_map(bo);
   for (unsigned i = 0; i < 100000; i++)
      assert_int_equal(p[i], 0);
   sgpu_bo_destroy(bo);

   assert_int_equal(sgpu_bo_create(dev, 0, "none", &refused), -EINVAL);
   assert_null(refused);
   assert_true(sgpu_bo_create(dev, UINT64_MAX, "huge", &refused) < 0);
   assert_null(refused);
   assert_int_equal(sgpu_device_get_param(dev, SGPU_PARAM_MEMORY_USED), 0);
   sgpu_device_destroy(dev);
}

/* Buffer objects over memory of the program: the mapping shows the device's writes, and keeps them
 * after the object is destroyed.
 */
static void
test_shared(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   const size_t size = 3 * SGPU_PAGE_SIZE;
   struct sgpu_bo *bo, *src = test_bo(dev, size);
   struct stream s;
   uint32_t *ours = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   uint32_t *alone = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

   assert_true(ours != MAP_FAILED && alone != MAP_FAILED);
   assert_int_equal(sgpu_bo_create_shared(dev, NULL, size, "none", &bo), -EINVAL);
   assert_null(bo);
   assert_int_equal(sgpu_bo_create_shared(dev, ours + 1, size, "not a page", &bo), -EINVAL);
   assert_int_equal(sgpu_bo_create_shared(dev, alone, size, "nobody else's", &bo), -EINVAL);
   assert_null(bo);
   assert_int_equal(sgpu_device_get_param(dev, SGPU_PARAM_MEMORY_USED), size);
   const int error = sgpu_bo_create_shared(dev, ours, size, "shared", &bo);
   if (error) {
      /* Emulators of other hosts do not support such mappings. */
      assert_int_equal(error, -EINVAL);
      print_message("no mapping of shared memory on this system\n");
      sgpu_bo_destroy(src);
      sgpu_device_destroy(dev);
      skip();
   }

   const uint64_t address = sgpu_bo_address(bo);
   ours[1000] = 17;
   assert_int_equal(((uint32_t *)sgpu_bo_map(bo))[1000], 17);
   for (unsigned i = 0; i < size / 4; i++)
      ((uint32_t *)sgpu_bo_map(src))[i] = ~i;
   struct sgpu_queue *queue = test_queue(dev);
   stream_begin(&s, dev, queue);
   emit_copy_buffer(&s, bo, src, size - 4);
   ours[size / 4 - 1] = 18;
   stream_run(&s);
   for (unsigned i = 0; i < size / 4 - 1; i++)
      assert_int_equal(ours[i], ~i);
   assert_int_equal(ours[size / 4 - 1], 18);
   sgpu_bo_destroy(bo);
   assert_int_equal(ours[1], ~1u);

   /* The addresses of the object are free, and no longer map that memory. */
   bo = test_bo(dev, size);
   assert_int_equal(sgpu_bo_address(bo), address);
   assert_int_equal(((uint32_t *)sgpu_bo_map(bo))[1], 0);
   ((uint32_t *)sgpu_bo_map(bo))[1] = 5;
   assert_int_equal(ours[1], ~1u);

   sgpu_queue_destroy(queue);
   sgpu_bo_destroy(bo);
   sgpu_bo_destroy(src);
   assert_int_equal(sgpu_device_get_param(dev, SGPU_PARAM_MEMORY_USED), 0);
   sgpu_device_destroy(dev);
   munmap(ours, size);
   munmap(alone, size);
}

/* A clear of all components of the format sets unused bits to 0 (CLEAR). Stencil that is not
 * cleared keeps its value.
 */
static void
test_clear_depth(void **state)
{
   static const struct {
      enum sgpu_format format;
      bool stencil;
      uint32_t now;
   } cases[] = {
      { SGPU_FORMAT_Z24X8_UNORM, false, 0x00ffffff },
      { SGPU_FORMAT_Z24_UNORM_S8_UINT, false, 0x5affffff },
      { SGPU_FORMAT_Z24_UNORM_S8_UINT, true, 0xa5ffffff },
   };
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct sgpu_queue *queue = test_queue(dev);

   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      const struct test_surface t = test_surface(dev, cases[i].format, SGPU_LAYOUT_TILED, 70, 66);
      struct stream s;

      memset(sgpu_bo_map(t.bo), 0x5a, t.layout.size);
      stream_begin(&s, dev, queue);
      EMIT(&s, CLEAR_SURFACE, cfg) {
         cfg.depth = true;
         cfg.stencil = cases[i].stencil;
         cfg.surface = test_surface_desc(&s, &t);
         cfg.depth_value = 1.0;
         cfg.stencil_value = 0xa5;
         cfg.rect = (struct SGPU_RECT){ 3, 5, 69, 65 };
      }
      stream_run(&s);
      for (unsigned y = 0; y < 66; y++) {
         for (unsigned x = 0; x < 70; x++) {
            const bool inside = x >= 3 && x < 69 && y >= 5 && y < 65;
            uint32_t element;
            memcpy(&element, test_element(&t, x, y), sizeof(element));
            assert_int_equal(element, inside ? cases[i].now : 0x5a5a5a5a);
         }
      }
      sgpu_bo_destroy(t.bo);
   }
   sgpu_queue_destroy(queue);
   sgpu_device_destroy(dev);
}

static void
test_fill_and_copy(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct stream s;
   const uint32_t size = 12 * 100001;
   struct sgpu_queue *queue = test_queue(dev);
   struct sgpu_bo *a = test_bo(dev, size), *b = test_bo(dev, size + 16);

   stream_begin(&s, dev, queue);
   EMIT(&s, FILL_BUFFER, cfg) {
      cfg.destination = stream_use(&s, a);
      cfg.size = size;
      cfg.pattern_size = 12;
      cfg.pattern_0 = 1;
      cfg.pattern_1 = 2;
      cfg.pattern_2 = 3;
   }
   EMIT(&s, COPY_BUFFER, cfg) {
      cfg.source = stream_use(&s, a);
      cfg.destination = stream_use(&s, b) + 4;
      cfg.size = size;
   }
   stream_run(&s);
   const uint32_t *w = sgpu_bo_map(b);
   assert_int_equal(w[0], 0);
   for (unsigned i = 0; i < size / 4; i++)
      assert_int_equal(w[i + 1], i % 3 + 1);
   assert_int_equal(w[size / 4 + 1], 0);

   sgpu_queue_destroy(queue);
   sgpu_bo_destroy(a);
   sgpu_bo_destroy(b);
   sgpu_device_destroy(dev);
}

/* Random clears and copies on three surfaces, compared with a model that runs them one after the
 * other.
 */
#define MAX_W 1300
#define MAX_H 700

struct order_size {
   unsigned width, height;
   unsigned operations; /* number of operations in a submission */
};

static uint32_t
random_below(uint32_t *seed, uint32_t n)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (uint32_t)(((uint64_t)*seed * n) >> 32);
}

static void
run_order(unsigned threads, enum sgpu_dispatch_policy policy, uint64_t shuffle, uint32_t seed,
          const struct order_size *size)
{
   const unsigned width = size->width, height = size->height;
   struct sgpu_device *dev = test_device(threads, policy, shuffle);
   struct test_surface t[3], out[3];
   static uint32_t model[3][MAX_H][MAX_W];
   struct stream s;

   memset(model, 0, sizeof(model));
   struct sgpu_queue *queue = test_queue(dev);
   for (unsigned i = 0; i < 3; i++) {
      t[i] = test_surface(dev, SGPU_FORMAT_R32_UINT, SGPU_LAYOUT_TILED, width, height);
      out[i] = test_surface(dev, SGPU_FORMAT_R32_UINT, SGPU_LAYOUT_LINEAR, width, height);
   }

   for (unsigned submission = 0; submission < 4; submission++) {
      stream_begin(&s, dev, queue);
      for (unsigned i = 0; i < size->operations; i++) {
         const unsigned a = random_below(&seed, 3), b = (a + 1 + random_below(&seed, 2)) % 3;
         const unsigned w = 1 + random_below(&seed, width), h = 1 + random_below(&seed, height);
         const unsigned x = random_below(&seed, width - w + 1),
                        y = random_below(&seed, height - h + 1);
         const unsigned sx = random_below(&seed, width - w + 1),
                        sy = random_below(&seed, height - h + 1);
         if (random_below(&seed, 2)) {
            const uint32_t color = seed;
            emit_clear(&s, &t[a], color, x, y, x + w, y + h);
            for (unsigned j = 0; j < h; j++) {
               for (unsigned k = 0; k < w; k++)
                  model[a][y + j][x + k] = color;
            }
         } else {
            emit_copy(&s, &t[a], x, y, &t[b], sx, sy, w, h);
            for (unsigned j = 0; j < h; j++)
               memcpy(&model[a][y + j][x], &model[b][sy + j][sx], w * 4);
         }
      }
      stream_submit(&s);
   }
   stream_begin(&s, dev, queue);
   for (unsigned i = 0; i < 3; i++)
      emit_copy(&s, &out[i], 0, 0, &t[i], 0, 0, width, height);
   stream_run(&s);

   for (unsigned i = 0; i < 3; i++) {
      for (unsigned y = 0; y < height; y++)
         assert_memory_equal(test_element(&out[i], 0, y), model[i][y], width * 4);
   }
   sgpu_queue_destroy(queue);
   for (unsigned i = 0; i < 3; i++) {
      sgpu_bo_destroy(t[i].bo);
      sgpu_bo_destroy(out[i].bo);
   }
   sgpu_device_destroy(dev);
}

static void
test_order(void **state)
{
   static const struct order_size size = { 200, 150, 60 };
   static const unsigned threads[] = { 1, 2, 4 };
   for (unsigned p = 0; p < 3; p++) {
      for (unsigned t = 0; t < 3; t++) {
         for (unsigned seed = 0; seed < 4; seed++)
            run_order(threads[t], policies[p], seed * 77, 1000 + seed, &size);
      }
   }
}

/* The surfaces have enough tiles for a worker to take several tiles of a clear or copy at a time.
 */
static void
test_order_many_tiles(void **state)
{
   static const struct order_size size = { 1290, 670, 12 };

   for (unsigned threads = 1; threads <= 4; threads *= 2) {
      for (unsigned seed = 0; seed < 2; seed++)
         run_order(threads, SGPU_DISPATCH_OOO_SPLIT, seed * 77, 2000 + threads, &size);
   }
}

/* Work that waits for a fence of another queue begins after that fence. */
static void
test_fences(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct sgpu_queue *q[2];
   struct stream s;
   q[0] = test_queue(dev);
   q[1] = test_queue(dev);
   struct test_surface t = test_surface(dev, SGPU_FORMAT_R32_UINT, SGPU_LAYOUT_TILED, 512, 512);

   for (unsigned i = 0; i < 50; i++) {
      stream_begin(&s, dev, q[0]);
      for (unsigned j = 0; j < 10; j++)
         emit_clear(&s, &t, j, 0, 0, 512, 512);
      const struct sgpu_fence fence = { q[0], stream_submit(&s) };

      stream_begin(&s, dev, q[1]);
      emit_clear(&s, &t, 100 + i, 0, 0, 512, 512);
      const uint64_t seqno = stream_submit_after(&s, &fence);
      assert_int_equal(sgpu_queue_wait(q[1], seqno, UINT64_MAX), 0);
      assert_int_equal(*(uint32_t *)test_element(&t, 511, 511), 100 + i);
      assert_int_equal(*(uint32_t *)test_element(&t, 0, 0), 100 + i);
   }
   sgpu_queue_destroy(q[0]);
   sgpu_queue_destroy(q[1]);
   sgpu_bo_destroy(t.bo);
   sgpu_device_destroy(dev);
}

/* The caller does not destroy a queue with unfinished work. The device ends after this work, and
 * frees everything but the caller's objects; the sanitizers check this.
 */
static void
test_abandoned(void **state)
{
   /* Volatile, so that the compiler stores the pointers, which LeakSanitizer looks for. */
   static struct sgpu_queue *volatile queue[2];
   static struct test_surface t;
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct stream s;

   t = test_surface(dev, SGPU_FORMAT_R32_UINT, SGPU_LAYOUT_TILED, 1024, 1024);
   for (unsigned q = 0; q < 2; q++) {
      queue[q] = test_queue(dev);
      stream_begin(&s, dev, queue[q]);
      for (unsigned i = 0; i < 50; i++)
         emit_clear(&s, &t, i, 0, 0, 1024, 1024);
      stream_submit(&s);
   }
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_buffers), cmocka_unit_test(test_fill_and_copy),
      cmocka_unit_test(test_order),   cmocka_unit_test(test_order_many_tiles),
      cmocka_unit_test(test_fences),  cmocka_unit_test(test_abandoned),
      cmocka_unit_test(test_shared),  cmocka_unit_test(test_clear_depth),
   };
   return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
