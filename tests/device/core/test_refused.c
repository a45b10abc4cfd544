/* SPDX-License-Identifier: MIT */
/*
 * Errors that the device refuses: bad packets, accesses beyond buffers and surfaces, and bad
 * submissions.
 */
#include <errno.h>

#include "device_test.h"

struct world {
   struct sgpu_device *dev;
   struct sgpu_queue *queue;
   struct test_surface t;
   struct sgpu_bo *foreign; /* a buffer that no submission names */
};

static int
setup(void **state)
{
   struct world *w = calloc(1, sizeof(*w));
   assert_non_null(w);
   w->dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   w->queue = test_queue(w->dev);
   w->t = test_surface(w->dev, SGPU_FORMAT_R32_UINT, SGPU_LAYOUT_TILED, 64, 64);
   w->foreign = test_bo(w->dev, 4096);
   *state = w;
   return 0;
}

static int
teardown(void **state)
{
   struct world *w = *state;
   struct stream s;

   /* The queue works again after an error. */
   stream_begin(&s, w->dev, w->queue);
   emit_clear(&s, &w->t, 7, 0, 0, 64, 64);
   stream_run(&s);
   assert_int_equal(*(uint32_t *)test_element(&w->t, 3, 3), 7);
   assert_false(sgpu_queue_take_error(w->queue, &(struct sgpu_queue_error){ 0 }));

   sgpu_queue_destroy(w->queue);
   sgpu_bo_destroy(w->t.bo);
   sgpu_bo_destroy(w->foreign);
   sgpu_device_destroy(w->dev);
   free(w);
   return 0;
}

/* Runs the stream, which must fail with one error whose message contains the text. */
static void
expect_error(struct stream *s, const char *text)
{
   struct sgpu_queue_error error;
   stream_run(s);
   assert_true(sgpu_queue_take_error(s->queue, &error));
   if (!strstr(error.message, text))
      fail_msg("\"%s\" does not say \"%s\"", error.message, text);
   assert_false(sgpu_queue_take_error(s->queue, &(struct sgpu_queue_error){ 0 }));
}

static void
test_packets(void **state)
{
   struct world *w = *state;
   struct stream s;

   stream_begin(&s, w->dev, w->queue);
   *stream_get(&s, 1) = sgpu_packet_header(SGPU_PACKET_NOP, 1);
   *stream_get(&s, 1) = 0xff | 1 << 8;
   expect_error(&s, "packet 1 (unknown) at word 1");

   stream_begin(&s, w->dev, w->queue);
   *stream_get(&s, 1) = sgpu_packet_header(SGPU_PACKET_DRAW, SGPU_DRAW_LENGTH);
   expect_error(&s, "packet 0 (DRAW)");

   stream_begin(&s, w->dev, w->queue);
   EMIT(&s, DRAW, cfg) {
      cfg.count = 3;
      cfg.instances = 1;
   }
   expect_error(&s, "no FRAMEBUFFER");
}

static void
test_reach(void **state)
{
   struct world *w = *state;
   struct stream s;

   /* A fill of a buffer that is not in the submission's list. */
   stream_begin(&s, w->dev, w->queue);
   EMIT(&s, FILL_BUFFER, cfg) {
      cfg.destination = sgpu_bo_address(w->foreign);
      cfg.size = 4096;
      cfg.pattern_size = 1;
      cfg.pattern_0 = 255;
   }
   expect_error(&s, "not in a buffer of the submission");
   assert_int_equal(*(uint8_t *)sgpu_bo_map(w->foreign), 0);

   /* A fill that ends one byte after the buffer. */
   stream_begin(&s, w->dev, w->queue);
   EMIT(&s, FILL_BUFFER, cfg) {
      cfg.destination = stream_use(&s, w->foreign) + 1;
      cfg.size = 4096;
      cfg.pattern_size = 1;
   }
   expect_error(&s, "not in a buffer of the submission");
}

/* Numbers of samples that do not match, and sample planes beyond the buffer. */
static void
test_samples(void **state)
{
   struct world *w = *state;
   struct sgpu_bo *planes = test_bo(w->dev, 64 * 64 * 4 * 8);
   struct stream s;

   stream_begin(&s, w->dev, w->queue);
   stream_use(&s, planes);
   uint32_t *p = stream_get(&s, SGPU_FRAMEBUFFER_LENGTH + 2 * SGPU_SURFACE_LENGTH);
   sgpu_pack(p, FRAMEBUFFER, cfg) {
      cfg.colors = cfg.tail_count = 2;
   }
   struct SGPU_SURFACE planes_4 = test_surface_desc(&s, &w->t);
   planes_4.address = planes_4.storage = sgpu_bo_address(planes);
   planes_4.samples_log2 = 2;
   planes_4.sample_stride = 64 * 64 * 4;
   struct SGPU_SURFACE planes_8 = planes_4, one = planes_4;
   planes_8.samples_log2 = 3;
   one.samples_log2 = 0;
   SGPU_SURFACE_pack(SGPU_FRAMEBUFFER_tail(p, 0), &planes_4);
   SGPU_SURFACE_pack(SGPU_FRAMEBUFFER_tail(p, 1), &one);
   expect_error(&s, "targets of different numbers of samples");

   stream_begin(&s, w->dev, w->queue);
   stream_use(&s, planes);
   EMIT(&s, BLIT, cfg) {
      cfg.mask = 15;
      cfg.layers = 1;
      cfg.source = planes_8;
      cfg.destination = planes_4;
      cfg.source_rect = cfg.destination_rect = (struct SGPU_RECT){ 0, 0, 64, 64 };
      cfg.source_z1 = 1.0f;
   }
   expect_error(&s, "BLIT: surfaces of different numbers of samples");

   planes_8.sample_stride += 64;
   stream_begin(&s, w->dev, w->queue);
   stream_use(&s, planes);
   EMIT(&s, CLEAR_SURFACE, cfg) {
      cfg.color = true;
      cfg.surface = planes_8;
   }
   expect_error(&s, "a surface is not in a buffer of the submission");
   sgpu_bo_destroy(planes);
}

/* A framebuffer with more tiles than fit in memory, and a fill with more tiles in a row than can be
 * counted.
 */
static void
test_tiles(void **state)
{
   struct world *w = *state;
   const uint64_t large = UINT64_C(257) << 30;
   struct sgpu_bo *bo;
   struct stream s;

   stream_begin(&s, w->dev, w->queue);
   EMIT(&s, FRAMEBUFFER, cfg) {
      cfg.width = cfg.height = 65535;
      cfg.layers = 65535;
   }
   EMIT(&s, CLEAR, cfg)
      cfg.rect = (struct SGPU_RECT){ .x1 = 1, .y1 = 1 };
   expect_error(&s, "too many tiles");

   /* Only if the host has this many addresses. The fill is refused and writes nothing. */
   if (sgpu_bo_create(w->dev, large, "large", &bo))
      return;
   stream_begin(&s, w->dev, w->queue);
   EMIT(&s, FILL_BUFFER, cfg) {
      cfg.destination = stream_use(&s, bo);
      cfg.size = large;
      cfg.pattern_size = 1;
   }
   expect_error(&s, "too many tiles");
   sgpu_bo_destroy(bo);
}

/* Bad submissions, which are refused at once, as a kernel driver would. */
static void
test_submissions(void **state)
{
   struct world *w = *state;
   struct sgpu_submit submit = { .address = 12345678, .words = 4 };
   const struct sgpu_fence future = { w->queue, 1000000 };
   struct stream s;
   uint64_t seqno;

   assert_int_equal(sgpu_queue_submit(w->queue, &submit, &seqno), -EINVAL);
   stream_begin(&s, w->dev, w->queue);
   submit = (struct sgpu_submit){ .address = sgpu_bo_address(s.bo),
                                  .words = 1,
                                  .bos = s.bos,
                                  .num_bos = 1,
                                  .waits = &future,
                                  .num_waits = 1 };
   assert_int_equal(sgpu_queue_submit(w->queue, &submit, &seqno), -EINVAL);

   /* Streams that are longer than their buffer, also by 4 GiB. */
   static const uint32_t beyond[] = { STREAM_WORDS + 1, 0x40000000, 0x40000001, UINT32_MAX };
   *stream_get(&s, 1) = sgpu_packet_header(SGPU_PACKET_END, SGPU_END_LENGTH);
   submit.num_waits = 0;
   for (unsigned i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
      submit.words = beyond[i];
      assert_int_equal(sgpu_queue_submit(w->queue, &submit, &seqno), -EINVAL);
   }
   assert_false(sgpu_bo_busy(s.bo));
   sgpu_bo_destroy(s.bo);
}

/* Copies of blocks, and copies that begin outside of a surface. No element beyond a surface is read
 * or written for any rectangle.
 */
static void
emit_copy_row(struct stream *s, const struct test_surface *dst, const struct test_surface *src,
              int32_t x0, int32_t x1, uint32_t source_x)
{
   EMIT(s, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.source = test_surface_desc(s, src);
      cfg.destination = test_surface_desc(s, dst);
      cfg.source_x = source_x;
      cfg.rect = (struct SGPU_RECT){ x0, 0, x1, 4 };
   }
}

static void
test_copy_limits(void **state)
{
   struct world *w = *state;
   struct sgpu_device *dev = w->dev;
   struct sgpu_queue *queue = w->queue;
   struct stream s;
   struct test_surface blocks = test_surface(dev, SGPU_FORMAT_DXT1_RGB, SGPU_LAYOUT_LINEAR, 2048,
                                             4);
   struct test_surface pixels = test_surface(dev, SGPU_FORMAT_R32G32_UINT, SGPU_LAYOUT_LINEAR, 512,
                                             4);
   uint64_t *to = (uint64_t *)test_element(&blocks, 0, 0);
   const uint64_t *from = (const uint64_t *)test_element(&pixels, 0, 0);

   for (unsigned i = 0; i < 512; i++)
      ((uint64_t *)test_element(&pixels, 0, 0))[i] = i + 1;

   /* The first two blocks of the rectangle are left of the destination. */
   stream_begin(&s, dev, queue);
   emit_copy_row(&s, &blocks, &pixels, -8, 16, 5);
   stream_run(&s);
   assert_false(sgpu_queue_take_error(queue, &(struct sgpu_queue_error){ 0 }));
   for (unsigned i = 0; i < 6; i++)
      assert_int_equal(to[i], i < 4 ? from[i + 7] : 0);

   /* The same copy with equal formats. */
   memset(to, 0, 512 * 8);
   to[3] = 77;
   struct test_surface other = test_surface(dev, SGPU_FORMAT_DXT1_RGB, SGPU_LAYOUT_LINEAR, 2048, 4);
   stream_begin(&s, dev, queue);
   emit_copy_row(&s, &other, &blocks, -4, 16, 8);
   stream_run(&s);
   assert_false(sgpu_queue_take_error(queue, &(struct sgpu_queue_error){ 0 }));
   assert_int_equal(*(uint64_t *)test_element(&other, 0, 0), 77);

   /* The source ends before the rectangle. Elements whose source is outside keep their values. */
   ((uint64_t *)test_element(&blocks, 0, 0))[10] = 5;
   stream_begin(&s, dev, queue);
   emit_copy_row(&s, &blocks, &pixels, 0, 2048, 502);
   stream_run(&s);
   assert_false(sgpu_queue_take_error(queue, &(struct sgpu_queue_error){ 0 }));
   for (unsigned i = 0; i < 10; i++)
      assert_int_equal(to[i], from[502 + i]);
   assert_int_equal(to[10], 5);

   stream_begin(&s, dev, queue);
   emit_copy_row(&s, &blocks, &pixels, 3, 2048, 0);
   expect_error(&s, "not whole blocks");

   sgpu_bo_destroy(blocks.bo);
   sgpu_bo_destroy(pixels.bo);
   sgpu_bo_destroy(other.bo);
}

static void
emit_image(struct stream *s, unsigned first, const struct SGPU_TEXTURE *texture)
{
   uint32_t *p = stream_get(s, SGPU_IMAGES_LENGTH + SGPU_TEXTURE_LENGTH);
   sgpu_pack(p, IMAGES, cfg) {
      cfg.stage = SGPU_STAGE_PIXEL;
      cfg.first = first;
      cfg.tail_count = 1;
   }
   SGPU_TEXTURE_pack(SGPU_IMAGES_tail(p, 0), texture);
}

static void
emit_buffer(struct stream *s, unsigned first, uint64_t address, uint32_t size)
{
   uint32_t *p = stream_get(s, SGPU_BUFFERS_LENGTH + SGPU_BUFFER_LENGTH);
   sgpu_pack(p, BUFFERS, cfg) {
      cfg.stage = SGPU_STAGE_COMPUTE;
      cfg.first = first;
      cfg.tail_count = 1;
   }
   sgpu_pack(SGPU_BUFFERS_tail(p, 0), BUFFER, cfg) {
      cfg.address = address;
      cfg.size = size;
   }
}

/* Storage buffers and images that are out of reach or not valid. */
static void
test_bindings(void **state)
{
   struct world *w = *state;
   struct sgpu_bo *bo = test_bo(w->dev, 4096);
   struct stream s;
   struct SGPU_TEXTURE image = {
      .format = SGPU_FORMAT_R32_UINT,
      .resource_format = SGPU_FORMAT_R32_UINT,
      .type = SGPU_TEXTURE_TYPE_2D,
      .layout = SGPU_LAYOUT_TILED,
      .valid = true,
      .width = 32,
      .height = 32,
      .depth = 1,
      .resource_layers = 1,
      .resource_levels = 1,
   };

   stream_begin(&s, w->dev, w->queue);
   emit_buffer(&s, 0, stream_use(&s, bo), 4096);
   emit_buffer(&s, 31, sgpu_bo_address(bo) + 4092, 4);
   emit_buffer(&s, 0, 1, 0); /* unbinds buffer 0 */
   emit_buffer(&s, 0, sgpu_bo_address(bo) + 4, 4093);
   expect_error(&s, "packet 3 (BUFFERS)");

   stream_begin(&s, w->dev, w->queue);
   emit_buffer(&s, 0, stream_use(&s, bo) + 2, 4);
   expect_error(&s, "BUFFERS: Address is not a multiple of 4");

   stream_begin(&s, w->dev, w->queue);
   emit_buffer(&s, 0, sgpu_bo_address(w->foreign), 4);
   expect_error(&s, "BUFFERS: not in a buffer of the submission");

   stream_begin(&s, w->dev, w->queue);
   uint32_t *p = stream_get(&s, SGPU_BUFFERS_LENGTH + 2 * SGPU_BUFFER_LENGTH);
   memset(p, 0, (SGPU_BUFFERS_LENGTH + 2 * SGPU_BUFFER_LENGTH) * 4);
   sgpu_pack(p, BUFFERS, cfg) {
      cfg.first = 31;
      cfg.tail_count = 2;
   }
   expect_error(&s, "BUFFERS: beyond the last unit");

   stream_begin(&s, w->dev, w->queue);
   image.address = stream_use(&s, bo);
   emit_image(&s, 31, &image);
   emit_image(&s, 31, &(struct SGPU_TEXTURE){ .valid = false });
   image.height = 33;
   emit_image(&s, 0, &image);
   expect_error(&s, "packet 2 (IMAGES)");

   stream_begin(&s, w->dev, w->queue);
   stream_use(&s, bo);
   image.width = image.height = 16;
   image.resource_levels = 2;
   image.last_level = 1;
   emit_image(&s, 0, &image);
   expect_error(&s, "IMAGES: more than one level");

   stream_begin(&s, w->dev, w->queue);
   stream_use(&s, bo);
   image.first_level = 1;
   emit_image(&s, 0, &image);
   image.format = image.resource_format = SGPU_FORMAT_Z32_FLOAT;
   emit_image(&s, 0, &image);
   expect_error(&s, "IMAGES: Format is not one of images");

   stream_begin(&s, w->dev, w->queue);
   stream_use(&s, bo);
   image.format = image.resource_format = SGPU_FORMAT_DXT1_RGB;
   emit_image(&s, 0, &image);
   expect_error(&s, "IMAGES: Format is not one of images");
   sgpu_bo_destroy(bo);
}

static void
emit_version(struct stream *s, const struct SGPU_CONSTANT_VERSION *p,
             const struct SGPU_CONSTANT_RUN *run)
{
   uint32_t *words = stream_get(s, SGPU_CONSTANT_VERSION_length(p->tail_count));
   struct SGPU_CONSTANT_VERSION legal = *p;

   /* The pack function asserts that values are legal. */
   if (legal.size > SGPU_CONSTANT_VERSION_SIZE_MAX)
      legal.size = 0;
   SGPU_CONSTANT_VERSION_pack(words, &legal);
   words[2] = p->size;
   if (p->tail_count)
      SGPU_CONSTANT_RUN_pack(SGPU_CONSTANT_VERSION_tail(words, 0), run);
}

static void
test_constants(void **state)
{
   struct world *w = *state;
   struct sgpu_bo *bo = test_bo(w->dev, 4096);
   const uint64_t address = sgpu_bo_address(bo), foreign = sgpu_bo_address(w->foreign);
   /* A context of 130 bytes at Address, except where `size` and `at` differ, and a run. */
   const struct {
      bool open;
      uint32_t size;
      uint64_t at;
      unsigned runs;
      struct SGPU_CONSTANT_RUN run;
      const char *error;
   } cases[] = {
      { true, 130, address, 0, { 0 }, NULL },
      { true, 4096, address, 1, { 0, 64, address }, NULL },
      /* the last line, which has 2 bytes */
      { true, 130, address, 1, { 2, 1, address + 4096 - 4 }, NULL },
      { true, 0, address, 0, { 0 }, "Size of a new context is 0" },
      { true, 130, address + 2, 0, { 0 }, "Address is not a multiple of 4" },
      { true, 4096, address + 4, 0, { 0 }, "not in a buffer of the submission" },
      { true, 130, foreign, 0, { 0 }, "not in a buffer of the submission" },
      { true, 65537, address, 0, { 0 }, "Size" },
      { false, 0, 0, 0, { 0 }, "no such context" },
      { false, 130, address, 0, { 0 }, "Size, Address or Fine of a context that is not new" },
      { true, 130, address, 1, { 3, 1, address }, "a run is not in its context" },
      { true, 130, address, 1, { 1, 3, address }, "a run is not in its context" },
      { true, 130, address, 1, { 1, 0, address }, "a run is not in its context" },
      { true, 130, address, 1, { 0xffff, 0xffff, address }, "a run is not in its context" },
      { true, 130, address, 1, { 1, 1, address + 1 }, "Address of a run is not a multiple of 4" },
      { true, 130, address, 1, { 1, 1, address + 4096 - 60 }, "a run is not in a buffer" },
      { true, 130, address, 1, { 0, 1, foreign }, "a run is not in a buffer" },
   };

   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      const struct SGPU_CONSTANT_VERSION p = {
         .tail_count = cases[i].runs,
         .stage = SGPU_STAGE_PIXEL,
         .bank = 2,
         .context = 7,
         .open = cases[i].open,
         .size = cases[i].size,
         .address = cases[i].at,
      };
      struct stream s;
      stream_begin(&s, w->dev, w->queue);
      stream_use(&s, bo);
      emit_version(&s, &p, &cases[i].run);
      if (cases[i].error)
         expect_error(&s, cases[i].error);
      else
         stream_run(&s);
      assert_false(sgpu_queue_take_error(w->queue, &(struct sgpu_queue_error){ 0 }));
   }
   sgpu_bo_destroy(bo);
}

static void
test_grids(void **state)
{
   struct world *w = *state;
   struct stream s;

   stream_begin(&s, w->dev, w->queue);
   EMIT(&s, GRID, cfg) {
      cfg.group_size_x = cfg.group_size_y = cfg.group_size_z = 1;
      cfg.groups_x = cfg.groups_y = cfg.groups_z = 1;
   }
   expect_error(&s, "no compute program");

   stream_begin(&s, w->dev, w->queue);
   EMIT(&s, GRID, cfg) {
      cfg.group_size_x = 32;
      cfg.group_size_y = 11;
      cfg.group_size_z = 3;
   }
   expect_error(&s, "GRID: more than 1024 invocations in a group");
}

#define REFUSED(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
      REFUSED(test_packets),  REFUSED(test_reach),       REFUSED(test_samples),
      REFUSED(test_tiles),    REFUSED(test_submissions), REFUSED(test_copy_limits),
      REFUSED(test_bindings), REFUSED(test_constants),   REFUSED(test_grids),
   };
   return cmocka_run_group_tests_name("refused", tests, NULL, NULL);
}
