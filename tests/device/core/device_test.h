/* SPDX-License-Identifier: MIT */
/*
 * Shared by tests of the whole device: a device, a queue, streams.
 */
#ifndef DEVICE_TEST_H
#define DEVICE_TEST_H

#include <stdio.h>

#include "../../unit.h"
#include "sgpu_device.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"

struct stream {
   struct sgpu_device *dev;
   struct sgpu_queue *queue;
   struct sgpu_bo *bo;
   uint32_t *words;
   uint32_t count;
   struct sgpu_bo *bos[64];
   unsigned num_bos;
};

#define STREAM_WORDS (64 * 1024)

static inline struct sgpu_device *
test_device(unsigned threads, enum sgpu_dispatch_policy policy, uint64_t seed)
{
   struct sgpu_device_params params;
   struct sgpu_device *dev;
   sgpu_device_params_from_env(&params);
   params.threads = threads;
   params.dispatch = policy;
   params.shuffle_seed = seed;
   assert_int_equal(sgpu_device_create(&params, &dev), 0);
   return dev;
}

static inline struct sgpu_queue *
test_queue(struct sgpu_device *dev)
{
   struct sgpu_queue *queue;
   assert_int_equal(sgpu_queue_create(dev, &queue), 0);
   return queue;
}

static inline struct sgpu_bo *
test_bo(struct sgpu_device *dev, uint64_t size)
{
   struct sgpu_bo *bo;
   assert_int_equal(sgpu_bo_create(dev, size, "test", &bo), 0);
   return bo;
}

static inline void
stream_begin(struct stream *s, struct sgpu_device *dev, struct sgpu_queue *queue)
{
   memset(s, 0, sizeof(*s));
   s->dev = dev;
   s->queue = queue;
   s->bo = test_bo(dev, STREAM_WORDS * 4);
   s->words = sgpu_bo_map(s->bo);
   s->bos[s->num_bos++] = s->bo;
}

/* Appends n words to the stream and returns their address. */
static inline uint32_t *
stream_get(struct stream *s, uint32_t n)
{
   uint32_t *p = s->words + s->count;
   assert_true(s->count + n < STREAM_WORDS);
   s->count += n;
   return p;
}

static inline uint64_t
stream_use(struct stream *s, struct sgpu_bo *bo)
{
   for (unsigned i = 0; i < s->num_bos; i++) {
      if (s->bos[i] == bo)
         return sgpu_bo_address(bo);
   }
   s->bos[s->num_bos++] = bo;
   return sgpu_bo_address(bo);
}

#define EMIT(s, X, cfg) sgpu_pack(stream_get(s, SGPU_##X##_LENGTH), X, cfg)

/* Submits the stream, to begin after a fence unless that is NULL. */
static inline uint64_t
stream_submit_after(struct stream *s, const struct sgpu_fence *fence)
{
   const struct sgpu_submit submit = {
      .address = sgpu_bo_address(s->bo),
      .words = s->count,
      .bos = s->bos,
      .num_bos = s->num_bos,
      .waits = fence,
      .num_waits = fence != NULL,
   };
   uint64_t seqno = 0;
   assert_int_equal(sgpu_queue_submit(s->queue, &submit, &seqno), 0);
   sgpu_bo_destroy(s->bo);
   return seqno;
}

static inline uint64_t
stream_submit(struct stream *s)
{
   return stream_submit_after(s, NULL);
}

static inline void
stream_run(struct stream *s)
{
   const uint64_t seqno = stream_submit(s);
   assert_int_equal(sgpu_queue_wait(s->queue, seqno, UINT64_MAX), 0);
}

static inline void
emit_copy_buffer(struct stream *s, struct sgpu_bo *to, struct sgpu_bo *from, uint32_t size)
{
   EMIT(s, COPY_BUFFER, cfg) {
      cfg.source = stream_use(s, from);
      cfg.destination = stream_use(s, to);
      cfg.size = size;
   }
}

/* Emits a fill of the first bytes of the buffer with a word. */
static inline void
emit_fill(struct stream *s, struct sgpu_bo *bo, uint32_t size, uint32_t word)
{
   EMIT(s, FILL_BUFFER, cfg) {
      cfg.destination = stream_use(s, bo);
      cfg.size = size;
      cfg.pattern_size = 4;
      cfg.pattern_0 = word;
   }
}

/* A buffer object with an image of one level, and the layout of the image. */
struct test_surface {
   struct sgpu_bo *bo;
   struct sgpu_layout layout;
};

static inline struct test_surface
test_surface(struct sgpu_device *dev, enum sgpu_format format, enum sgpu_memory_layout mode,
             uint32_t width, uint32_t height)
{
   struct test_surface t;
   const struct sgpu_layout_params params = {
      .format = format,
      .mode = mode,
      .width = width,
      .height = height,
      .depth = 1,
      .layers = 1,
      .levels = 1,
      .samples = 1,
   };
   assert_true(sgpu_layout_init(&t.layout, &params));
   t.bo = test_bo(dev, t.layout.size);
   return t;
}

static inline struct SGPU_SURFACE
test_surface_desc(struct stream *s, const struct test_surface *t)
{
   struct SGPU_SURFACE desc;
   assert_true(
      sgpu_layout_fill_surface(&t->layout, stream_use(s, t->bo), t->layout.format, 0, 0, 1, &desc));
   return desc;
}

static inline uint8_t *
test_element(const struct test_surface *t, uint32_t x, uint32_t y)
{
   return (uint8_t *)sgpu_bo_map(t->bo) + sgpu_layout_offset(&t->layout, 0, 0, 0, x, y);
}

/* Emits a clear of the pixels in [x0, x1) x [y0, y1). */
static inline void
emit_clear(struct stream *s, const struct test_surface *t, uint32_t color, int x0, int y0, int x1,
           int y1)
{
   EMIT(s, CLEAR_SURFACE, cfg) {
      cfg.color = true;
      cfg.surface = test_surface_desc(s, t);
      cfg.color_0 = color;
      cfg.rect = (struct SGPU_RECT){ x0, y0, x1, y1 };
   }
}

#endif
