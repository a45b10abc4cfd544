/* SPDX-License-Identifier: MIT */
/*
 * Shadows of the device's memory: the work of a range of submissions is done once more,
 * in an order that the caller chooses, by the device's own functions for tests, colours
 * and transfers.
 *
 * An image has what all shadows of a range share: the contents of the buffers at its begin
 * and at its end, and a record of each state, transfer and write.  Records keep offsets in
 * place of pointers, so they outlive the device.
 *
 *    begin of the range, device idle:   sgpu_shadow_image_create
 *                                       sgpu_shadow_image_add_buffer, for each buffer
 *    in the range:                      sgpu_shadow_image_add_*, sgpu_shadow_image_remove_buffer
 *    end of the range, device idle:     sgpu_shadow_image_finish
 *    then, any number of times:         sgpu_shadow_create
 *                                       sgpu_shadow_draw, sgpu_shadow_transfer
 *                                       sgpu_shadow_compare
 *
 * Functions of an image that add may be called from any thread; a finished image is
 * read-only.  A shadow is used by one thread at a time.  Errors are negative errno values.
 *
 * Limit: memory that programs, transform feedback and queries write is not followed.
 *
 * Addresses here are those of the device, but for a buffer that is created in the range where
 * another one was: it has addresses of its own.
 */
#ifndef SGPU_SHADOW_H
#define SGPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sgd_state;
struct sgd_xfer;
struct sgpu_bo;
struct sgpu_device;
struct sgpu_shadow_image;
struct sgpu_shadow;

int sgpu_shadow_image_create(struct sgpu_device *dev, struct sgpu_shadow_image **out);
/* After all of its shadows. */
void sgpu_shadow_image_destroy(struct sgpu_shadow_image *image);

/* A buffer that exists at the begin of the range; once there are records: that is created in
 * the range and has zeros.  -ENOMEM.
 */
int sgpu_shadow_image_add_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo);
/* Before the buffer is destroyed; no work of the device writes it. */
int sgpu_shadow_image_remove_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo);

/* Records: numbers from 0, in the order of the calls; UINT32_MAX: out of memory. */
uint32_t sgpu_shadow_image_add_state(struct sgpu_shadow_image *image,
                                     const struct sgd_state *state);
uint32_t sgpu_shadow_image_add_xfer(struct sgpu_shadow_image *image, const struct sgd_xfer *xfer);
/* A write by the CPU of `size` bytes at a device address. */
uint32_t sgpu_shadow_image_add_write(struct sgpu_shadow_image *image, uint64_t address,
                                     uint64_t size, const void *data);

/* Takes the contents of all that records write from the buffers that are left. */
int sgpu_shadow_image_finish(struct sgpu_shadow_image *image);

/* A surface that a record tests or writes.  Layers count from the first of the record's. */
struct sgpu_shadow_surface {
   uint64_t address;       /* of the first layer, sample 0 */
   uint64_t layer_stride;  /* bytes */
   uint32_t width, height; /* pixels */
   uint32_t layers, samples;
   uint16_t format; /* enum sgpu_format */
   uint8_t level;
   bool depth; /* depth or stencil */
   bool write; /* of a state: not only tested */
};
#define SGPU_SHADOW_TARGETS 9

/* The surfaces that a record tests or writes; a write by the CPU and transfers between
 * buffers have none.
 */
unsigned sgpu_shadow_image_targets(const struct sgpu_shadow_image *image, uint32_t record,
                                   struct sgpu_shadow_surface targets[SGPU_SHADOW_TARGETS]);

/* The bytes of a write by the CPU; false: the record is none. */
bool sgpu_shadow_image_write(const struct sgpu_shadow_image *image, uint32_t record,
                             uint64_t *address, uint64_t *size);

/* All surfaces that records write, each once; colours and depths. */
unsigned sgpu_shadow_image_num_surfaces(const struct sgpu_shadow_image *image);
void sgpu_shadow_image_surface(const struct sgpu_shadow_image *image, unsigned index,
                               struct sgpu_shadow_surface *surface);

/* -ENOMEM: no address space. */
int sgpu_shadow_create(const struct sgpu_shadow_image *image, struct sgpu_shadow **out);
void sgpu_shadow_destroy(struct sgpu_shadow *shadow);

/* How fragments of equal stored depth are settled. */
enum sgpu_shadow_ties {
   SGPU_SHADOW_TIES_TEST,  /* by the depth test, in the order of the calls */
   SGPU_SHADOW_TIES_FIRST, /* the lowest number wins; contents from before are lower */
   SGPU_SHADOW_TIES_LAST,  /* the highest */
};

/* Fragments of a primitive in an aligned block of 8x4 pixels; lanes in the order of
 * sgpu_layout.h.  A fragment that is tested and passes gets its colour, or the poison colour
 * where it is not in `colored`.
 */
struct sgpu_shadow_block {
   uint16_t x, y;           /* first pixel */
   uint32_t mask;           /* lanes */
   uint32_t colored;        /* lanes with a colour */
   uint32_t dropped;        /* lanes that leave no colour; with late tests no depth either */
   const uint32_t *depth;   /* floats: [depth_samples][32]; NULL: 0 */
   const uint32_t *color;   /* [color_samples][colors][4][32]; NULL: none is colored */
   const uint32_t *cover;   /* masks of samples: covered, dropped, colored: [3][samples]; NULL:
                             * as above for all samples */
   const uint32_t *stencil; /* reference values: [color_samples][32]; NULL: the state's */
};

struct sgpu_shadow_draw {
   uint32_t record; /* a state */
   uint32_t number; /* of the primitive in program order, below UINT32_MAX */
   enum sgpu_shadow_ties ties;
   uint16_t layer; /* counted from the targets' first */
   bool front;     /* the primitive faces the viewer */
   uint8_t colors; /* o[COLR0] to o[COLR0 + colors - 1] have values */
   uint8_t depth_samples, color_samples;
};

struct sgpu_shadow_result {
   uint64_t fragments; /* samples that were tested, or written without a test */
   uint64_t passed;    /* samples that were written */
   uint64_t poisoned;  /* of these, with the poison colour */
};

/* The poison colour as RGBA; integers get the bits. */
#define SGPU_SHADOW_POISON         \
   {                               \
      1.0f, 0.0625f, 0.8125f, 1.0f \
   }

/* Applies blocks of a primitive, each block once; adds to *result.  False: out of memory. */
bool sgpu_shadow_draw(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                      const struct sgpu_shadow_block *blocks, unsigned count,
                      struct sgpu_shadow_result *result);

/* Runs the part of a transfer to surfaces inside x0 <= x < x1, y0 <= y < y1, in pixels of the
 * destination, in all its layers.  Of buffers, and for a write by the CPU, all of it.
 * False: out of memory.
 */
bool sgpu_shadow_transfer(struct sgpu_shadow *shadow, uint32_t record, int32_t x0, int32_t y0,
                          int32_t x1, int32_t y1);

/* The first pixel, by layer, y, x, sample, that differs from the device's. */
struct sgpu_shadow_difference {
   uint64_t count; /* pixels that differ; in buffers: bytes */
   uint32_t x, y, layer, sample;
   uint64_t address;
   uint8_t bytes; /* of the element */
   uint8_t expected[16], got[16];
};

/*
 * Parts of draws and transfers, for models that do them apart.  The record of a draw is a state
 * with targets; `ties` and `number` of the draw do not count, and ties are left to the test.
 */

/* Tests depth and stencil of lanes of a block, for one sample, and stores those that pass.
 * *lanes: in, those to be tested; out, those that pass and that the program has not dropped.
 * Adds tested fragments and those that pass to *result.  False: out of memory.
 */
bool sgpu_shadow_test(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                      const struct sgpu_shadow_block *block, unsigned sample, uint32_t *lanes,
                      struct sgpu_shadow_result *result);
/* Writes the colours of lanes of a block to colour target `target`, for one sample, without a
 * test; lanes without a colour get the poison colour.  Adds to *result.  False: out of memory.
 */
bool sgpu_shadow_color(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                       const struct sgpu_shadow_block *block, unsigned sample, unsigned target,
                       uint32_t lanes, struct sgpu_shadow_result *result);
/* The part of a transfer to surfaces inside x0 <= x < x1, y0 <= y < y1, in elements of target
 * number `target` of those that the transfer writes, in one layer, all samples.  False: out of
 * memory.
 */
bool sgpu_shadow_transfer_part(struct sgpu_shadow *shadow, uint32_t record, unsigned target,
                               unsigned layer, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);

/* Compares a surface with the device's contents at the end of the range.  *diff has a count
 * of 0 if they are equal.  wrong: width * height bytes that become 1 where a pixel of layer
 * `wrong_layer` differs, else 0; or NULL.
 */
void sgpu_shadow_compare(struct sgpu_shadow *shadow, unsigned surface,
                         struct sgpu_shadow_difference *diff, uint8_t *wrong, unsigned wrong_layer);
/* The same of all bytes of buffers that transfers and the CPU write. */
void sgpu_shadow_compare_buffers(struct sgpu_shadow *shadow, struct sgpu_shadow_difference *diff);
/* A hash of all that is compared. */
uint64_t sgpu_shadow_hash(struct sgpu_shadow *shadow);

/* Sample 0 of a colour surface as RGBA bytes, row by row from y = 0; `device`: as the device
 * left it.  False: no colours that can be shown.
 */
bool sgpu_shadow_picture(struct sgpu_shadow *shadow, unsigned surface, unsigned layer, bool device,
                         uint8_t *rgba);

#ifdef __cplusplus
}
#endif
#endif
