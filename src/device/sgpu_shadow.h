/* SPDX-License-Identifier: MIT */
/*
 * Shadows of the device's memory. A shadow executes a range of submissions again, in any order that
 * the caller chooses. For tests, colours and transfers, it uses the same functions as the device.
 *
 * A shadow image is shared by all shadows of a range. It contains the contents of all buffers at
 * the start and at the end of the range, and a record of each state, transfer and CPU write.
 * Records contain offsets instead of pointers, so they can outlive the device.
 *
 *    start of the range, device idle:   sgpu_shadow_image_create
 *                                       sgpu_shadow_image_add_buffer, for each buffer
 *    in the range:                      sgpu_shadow_image_add_*, sgpu_shadow_image_remove_buffer
 *    end of the range, device idle:     sgpu_shadow_image_finish
 *    then, any number of times:         sgpu_shadow_create
 *                                       sgpu_shadow_draw, sgpu_shadow_transfer
 *                                       sgpu_shadow_compare
 *
 * The sgpu_shadow_image_add_*() functions can be called on any thread. A finished image is never
 * changed. Only one thread at a time may use a shadow. Errors are negative errno values.
 *
 * Memory that programs, transform feedback or queries write is not tracked.
 *
 * Addresses are device addresses, with one exception: if a buffer was created in the range at the
 * address of an earlier buffer, it has different addresses in the shadow.
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
/* Destroys a shadow image. It must not have any shadows left. */
void sgpu_shadow_image_destroy(struct sgpu_shadow_image *image);

/* Adds a buffer. If there are no records yet, the buffer already exists at the start of the range,
 * and its contents are copied. Otherwise, it is created in the range, and starts with zeros.
 * Returns 0 or -ENOMEM.
 */
int sgpu_shadow_image_add_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo);
/* Must be called before a buffer of the image is destroyed. No work of the device may write to it
 * anymore.
 */
int sgpu_shadow_image_remove_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo);

/* These add a record to the image and return its index, or UINT32_MAX if out of memory. Indices are
 * assigned in the order of the calls, starting at 0.
 */
uint32_t sgpu_shadow_image_add_state(struct sgpu_shadow_image *image,
                                     const struct sgd_state *state);
uint32_t sgpu_shadow_image_add_xfer(struct sgpu_shadow_image *image, const struct sgd_xfer *xfer);
/* Adds a record for a write by the CPU. `address` is a device address. */
uint32_t sgpu_shadow_image_add_write(struct sgpu_shadow_image *image, uint64_t address,
                                     uint64_t size, const void *data);

/* Must be called at the end of the range. Copies all memory that was written in the range, as far
 * as its buffers still exist. Returns 0 or -ENOMEM.
 */
int sgpu_shadow_image_finish(struct sgpu_shadow_image *image);

/* A surface that a record tests or writes. Layer indices are relative to the first layer of the
 * record's surface.
 */
struct sgpu_shadow_surface {
   uint64_t address;       /* device address of the first layer (sample 0) */
   uint64_t layer_stride;  /* distance between layers in bytes */
   uint32_t width, height; /* size in pixels */
   uint32_t layers, samples;
   uint16_t format; /* enum sgpu_format of the surface */
   uint8_t level;
   bool depth; /* depth or stencil surface */
   bool write; /* true if the record writes the surface, false if it is only tested */
};
#define SGPU_SHADOW_TARGETS 9

/* Returns the number of surfaces that a record tests or writes, and fills in `targets`. The number
 * is 0 for CPU writes and for transfers between buffers.
 */
unsigned sgpu_shadow_image_targets(const struct sgpu_shadow_image *image, uint32_t record,
                                   struct sgpu_shadow_surface targets[SGPU_SHADOW_TARGETS]);

/* Returns the range of a CPU write. Returns false if the record is anything else. */
bool sgpu_shadow_image_write(const struct sgpu_shadow_image *image, uint32_t record,
                             uint64_t *address, uint64_t *size);

/* List the color and depth surfaces that are written in the range, without duplicates. */
unsigned sgpu_shadow_image_num_surfaces(const struct sgpu_shadow_image *image);
void sgpu_shadow_image_surface(const struct sgpu_shadow_image *image, unsigned index,
                               struct sgpu_shadow_surface *surface);

/* Creates a shadow of a finished image. Returns 0, or -ENOMEM if there is no address space left. */
int sgpu_shadow_create(const struct sgpu_shadow_image *image, struct sgpu_shadow **out);
void sgpu_shadow_destroy(struct sgpu_shadow *shadow);

/* Decides which fragment is visible if several have the same depth. For FIRST, the initial contents
 * of the surface are treated like a fragment with a lower number.
 */
enum sgpu_shadow_ties {
   /* Run the depth test as the device does. If depths are equal, the result depends on the order in
    * which fragments arrive.
    */
   SGPU_SHADOW_TIES_TEST,
   SGPU_SHADOW_TIES_FIRST, /* the fragment with the lowest primitive number */
   SGPU_SHADOW_TIES_LAST,  /* the fragment with the highest primitive number */
};

/* The fragments of a primitive in an aligned block of 8x4 pixels. The order of lanes is that of a
 * micro tile (sgpu_layout.h). A fragment that passes the tests gets its colour. If it has none,
 * because its lane is not in `colored`, it gets the poison colour.
 */
struct sgpu_shadow_block {
   uint16_t x, y;    /* position of the first pixel */
   uint32_t mask;    /* mask of lanes with covered pixels */
   uint32_t colored; /* mask of lanes with a fragment colour */
   /* mask of lanes that must not write colours, and with late tests no depth either */
   uint32_t dropped;
   /* depths as floats, in an array [depth_samples][32]; if NULL, all are 0 */
   const uint32_t *depth;
   /* colours in an array [color_samples][colors][4][32]; NULL if there are none */
   const uint32_t *color;
   /* lane masks for each sample, in an array [3][samples]: covered, dropped and coloured. If NULL,
    * the masks above are used for all samples.
    */
   const uint32_t *cover;
   /* stencil references in an array [color_samples][32]; if NULL, those of the state are used */
   const uint32_t *stencil;
};

struct sgpu_shadow_draw {
   uint32_t record; /* index of the state's record */
   uint32_t number; /* number of the primitive in program order, less than UINT32_MAX */
   enum sgpu_shadow_ties ties;
   uint16_t layer; /* layer, relative to the first layer of the targets */
   bool front;     /* the primitive is front-facing */
   uint8_t colors; /* number of colour outputs in sgpu_shadow_block.color, starting with o[COLR0] */
   uint8_t depth_samples, color_samples;
};

struct sgpu_shadow_result {
   uint64_t fragments; /* number of samples that were tested, or written without any test */
   uint64_t passed;    /* number of samples that passed and were written */
   uint64_t poisoned;  /* number of samples that were written with the poison colour */
};

/* The poison colour in RGBA. For integer formats, the bits of these floats are used. */
#define SGPU_SHADOW_POISON         \
   {                               \
      1.0f, 0.0625f, 0.8125f, 1.0f \
   }

/* Draws some blocks of a primitive. No block may be passed twice. The counts are added to *result.
 * Returns false if out of memory.
 */
bool sgpu_shadow_draw(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                      const struct sgpu_shadow_block *blocks, unsigned count,
                      struct sgpu_shadow_result *result);

/* Executes a part of a transfer: the pixels with x0 <= x < x1 and y0 <= y < y1 in all layers of the
 * destination. Transfers between buffers and CPU writes are always executed completely. Returns
 * false if out of memory.
 */
bool sgpu_shadow_transfer(struct sgpu_shadow *shadow, uint32_t record, int32_t x0, int32_t y0,
                          int32_t x1, int32_t y1);

/* Describes the first pixel that is different in the shadow and in the device's memory. Pixels are
 * compared by layer, then by y, x and sample. For buffers, describes the first byte that is
 * different.
 */
struct sgpu_shadow_difference {
   uint64_t count; /* number of pixels (for buffers: bytes) that are different */
   uint32_t x, y, layer, sample;
   uint64_t address; /* device address of this element or byte */
   uint8_t bytes;    /* size of the element in bytes */
   /* the element in the device's memory (expected) and in the shadow (got) */
   uint8_t expected[16], got[16];
};

/*
 * Functions for single stages of a draw or transfer, for timing models that run them at different
 * times. The record of a draw must be a state with targets. If depths are equal, the depth test
 * decides, so draw->ties and draw->number are ignored.
 */

/* Tests depth and stencil for one sample of a block, and writes the new values. *lanes is the mask
 * of lanes to test. On return, it contains only lanes that have passed and were not dropped by the
 * program. The counts are added to *result. Returns false if out of memory.
 */
bool sgpu_shadow_test(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                      const struct sgpu_shadow_block *block, unsigned sample, uint32_t *lanes,
                      struct sgpu_shadow_result *result);
/* Writes colours to target `target` for one sample of a block, without any tests. Lanes without a
 * colour get the poison colour. The counts are added to *result. Returns false if out of memory.
 */
bool sgpu_shadow_color(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                       const struct sgpu_shadow_block *block, unsigned sample, unsigned target,
                       uint32_t lanes, struct sgpu_shadow_result *result);
/* Executes a part of a transfer: the elements with x0 <= x < x1 and y0 <= y < y1 in one layer, with
 * all samples. `target` selects one of the surfaces that the transfer writes. Returns false if out
 * of memory.
 */
bool sgpu_shadow_transfer_part(struct sgpu_shadow *shadow, uint32_t record, unsigned target,
                               unsigned layer, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);

/* Compares a surface in the shadow with the device's memory at the end of the range. diff->count is
 * 0 if they are equal. If `wrong` is not NULL, it is an array of width * height bytes. Each byte is
 * set to 1 if the pixel is different in layer `wrong_layer`, and to 0 otherwise.
 */
void sgpu_shadow_compare(struct sgpu_shadow *shadow, unsigned surface,
                         struct sgpu_shadow_difference *diff, uint8_t *wrong, unsigned wrong_layer);
/* Like sgpu_shadow_compare(), for all bytes of buffers that transfers and CPU writes modified. */
void sgpu_shadow_compare_buffers(struct sgpu_shadow *shadow, struct sgpu_shadow_difference *diff);
/* Returns a hash of everything that the functions above compare. */
uint64_t sgpu_shadow_hash(struct sgpu_shadow *shadow);

/* Reads sample 0 of a colour surface as RGBA, with one byte per channel, starting with row 0. If
 * `device` is true, reads the device's contents instead of the shadow's. Returns false if the
 * surface can't be displayed as colours.
 */
bool sgpu_shadow_picture(struct sgpu_shadow *shadow, unsigned surface, unsigned layer, bool device,
                         uint8_t *rgba);

#ifdef __cplusplus
}
#endif
#endif
