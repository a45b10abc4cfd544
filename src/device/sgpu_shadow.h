/* SPDX-License-Identifier: MIT */
/*
 * Shadows of the device's memory. A shadow executes the work of a range of submissions again, in an
 * order that the caller chooses, using the same functions as the device for tests, colours and
 * transfers.
 *
 * A shadow image contains everything that the shadows of a range of submissions have in common: the
 * buffer contents at the start and at the end of the range, and a record of each state, transfer
 * and write. Records contain offsets instead of pointers, so they can outlive the device.
 *
 *    start of the range, device idle:   sgpu_shadow_image_create
 *                                       sgpu_shadow_image_add_buffer, for each buffer
 *    in the range:                      sgpu_shadow_image_add_*, sgpu_shadow_image_remove_buffer
 *    end of the range, device idle:     sgpu_shadow_image_finish
 *    then, any number of times:         sgpu_shadow_create
 *                                       sgpu_shadow_draw, sgpu_shadow_transfer
 *                                       sgpu_shadow_compare
 *
 * The sgpu_shadow_image_add_*() functions can be called on any thread. A finished image is
 * read-only. Only one thread may use a shadow at a time. Errors are negative errno values.
 *
 * Limitation: writes to memory by programs, transform feedback and queries are not tracked.
 *
 * Addresses in this interface are device addresses. The exception is a buffer that is created
 * inside the range at the address of an earlier buffer, which gets separate addresses.
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
/* Destroys a shadow image. All shadows of the image must be destroyed first. */
void sgpu_shadow_image_destroy(struct sgpu_shadow_image *image);

/* Adds a buffer to a shadow image. If the image has no records yet, the buffer exists at the start
 * of the range of submissions. Otherwise, it is created inside the range and contains zeros.
 * Returns 0 or -ENOMEM.
 */
int sgpu_shadow_image_add_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo);
/* Must be called before a buffer that was added to the shadow image is destroyed, while no device
 * work writes to the buffer.
 */
int sgpu_shadow_image_remove_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo);

/* Add records to the shadow image. Return the index of the record, which starts at 0 and increases
 * in the order of the calls, or UINT32_MAX if allocation failed.
 */
uint32_t sgpu_shadow_image_add_state(struct sgpu_shadow_image *image,
                                     const struct sgd_state *state);
uint32_t sgpu_shadow_image_add_xfer(struct sgpu_shadow_image *image, const struct sgd_xfer *xfer);
/* Adds a record of a CPU write of `size` bytes to a device address. */
uint32_t sgpu_shadow_image_add_write(struct sgpu_shadow_image *image, uint64_t address,
                                     uint64_t size, const void *data);

/* Finishes the shadow image at the end of the range: copies the contents of all memory that records
 * write, from all buffers that still exist. Returns 0 or -ENOMEM.
 */
int sgpu_shadow_image_finish(struct sgpu_shadow_image *image);

/* A surface that a record tests or writes. Layer indices are relative to the first layer of the
 * record's surface.
 */
struct sgpu_shadow_surface {
   uint64_t address;       /* device address of sample 0 of the first layer */
   uint64_t layer_stride;  /* bytes from one layer to the next */
   uint32_t width, height; /* size in pixels */
   uint32_t layers, samples;
   uint16_t format; /* enum sgpu_format of the surface */
   uint8_t level;
   bool depth; /* depth or stencil surface */
   bool write; /* the record writes the surface; false if it only tests it */
};
#define SGPU_SHADOW_TARGETS 9

/* Returns the number of surfaces that a record tests or writes. CPU writes and transfers between
 * buffers have no surfaces.
 */
unsigned sgpu_shadow_image_targets(const struct sgpu_shadow_image *image, uint32_t record,
                                   struct sgpu_shadow_surface targets[SGPU_SHADOW_TARGETS]);

/* Gets the range of a CPU write. Returns false for records of other kinds. */
bool sgpu_shadow_image_write(const struct sgpu_shadow_image *image, uint32_t record,
                             uint64_t *address, uint64_t *size);

/* Enumerate all colour and depth surfaces that records write, without duplicates. */
unsigned sgpu_shadow_image_num_surfaces(const struct sgpu_shadow_image *image);
void sgpu_shadow_image_surface(const struct sgpu_shadow_image *image, unsigned index,
                               struct sgpu_shadow_surface *surface);

/* Creates a shadow of a finished image. Returns 0, or -ENOMEM if there is not enough address space.
 */
int sgpu_shadow_create(const struct sgpu_shadow_image *image, struct sgpu_shadow **out);
void sgpu_shadow_destroy(struct sgpu_shadow *shadow);

/* Which of several fragments with equal depth survives. With FIRST, the initial contents count as a
 * fragment with a lower number.
 */
enum sgpu_shadow_ties {
   SGPU_SHADOW_TIES_TEST,  /* the depth test decides, in the order of the calls */
   SGPU_SHADOW_TIES_FIRST, /* the fragment with the lowest number survives */
   SGPU_SHADOW_TIES_LAST,  /* the fragment with the highest number survives */
};

/* The fragments of a primitive in an aligned block of 8x4 pixels. Lanes are in the order of
 * sgpu_layout.h. A fragment that passes its tests gets its own colour, or the poison colour if its
 * lane is not in `colored`.
 */
struct sgpu_shadow_block {
   uint16_t x, y;    /* position of the first pixel */
   uint32_t mask;    /* lane mask of the covered pixels */
   uint32_t colored; /* lane mask of the fragments with a colour */
   /* lane mask of the fragments that write no colour and, with late tests, no depth */
   uint32_t dropped;
   const uint32_t *depth; /* depths as floats, [depth_samples][32]; NULL means depth 0 */
   /* colours, [color_samples][colors][4][32]; NULL if no lane has a colour */
   const uint32_t *color;
   /* per-sample masks of the covered, dropped and coloured lanes, [3][samples]; NULL: the masks
    * above apply to all samples
    */
   const uint32_t *cover;
   /* stencil reference values, [color_samples][32]; NULL: use those of the state */
   const uint32_t *stencil;
};

struct sgpu_shadow_draw {
   uint32_t record; /* index of the state's record */
   uint32_t number; /* number of the primitive in program order, below UINT32_MAX */
   enum sgpu_shadow_ties ties;
   uint16_t layer; /* layer, relative to the first layer of the targets */
   bool front;     /* the primitive is front-facing */
   uint8_t colors; /* number of colour outputs with values, starting at o[COLR0] */
   uint8_t depth_samples, color_samples;
};

struct sgpu_shadow_result {
   uint64_t fragments; /* number of samples that were tested, or written without a test */
   uint64_t passed;    /* number of samples that were written */
   uint64_t poisoned;  /* number of written samples that got the poison colour */
};

/* The poison colour as RGBA. Integer formats store the bits of the floats. */
#define SGPU_SHADOW_POISON         \
   {                               \
      1.0f, 0.0625f, 0.8125f, 1.0f \
   }

/* Draws the blocks of a primitive. Each block must be passed exactly once. Adds to *result. Returns
 * false if allocation failed.
 */
bool sgpu_shadow_draw(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                      const struct sgpu_shadow_block *blocks, unsigned count,
                      struct sgpu_shadow_result *result);

/* Executes the part of a transfer with x0 <= x < x1 and y0 <= y < y1, in pixels of the destination,
 * for all layers of the destination. Transfers between buffers and CPU writes are executed
 * completely. Returns false if allocation failed.
 */
bool sgpu_shadow_transfer(struct sgpu_shadow *shadow, uint32_t record, int32_t x0, int32_t y0,
                          int32_t x1, int32_t y1);

/* The first pixel in which the shadow differs from the device's memory, in order of layer, y, x,
 * then sample. For buffers, the first byte that differs.
 */
struct sgpu_shadow_difference {
   uint64_t count; /* number of differing pixels, or bytes for buffers */
   uint32_t x, y, layer, sample;
   uint64_t address; /* device address of the element or byte */
   uint8_t bytes;    /* size of the element in bytes */
   /* contents of the element in the device's memory, and in the shadow */
   uint8_t expected[16], got[16];
};

/*
 * Single stages of draws and transfers, for timing models that execute the stages separately. The
 * record of a draw must be a state with targets. `ties` and `number` of the draw are ignored, since
 * the depth test decides between equal depths.
 */

/* Runs the depth and stencil tests of one sample of a block, and stores the values that pass.
 * *lanes is the mask of lanes to test on entry, and of the lanes that passed and were not dropped
 * by the program on return. Adds the tested and passed fragments to *result. Returns false if
 * allocation failed.
 */
bool sgpu_shadow_test(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                      const struct sgpu_shadow_block *block, unsigned sample, uint32_t *lanes,
                      struct sgpu_shadow_result *result);
/* Writes the colours of one sample of a block to colour target `target`, without tests. Lanes
 * without a colour get the poison colour. Adds to *result. Returns false if allocation failed.
 */
bool sgpu_shadow_color(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                       const struct sgpu_shadow_block *block, unsigned sample, unsigned target,
                       uint32_t lanes, struct sgpu_shadow_result *result);
/* Executes the part of a transfer with x0 <= x < x1 and y0 <= y < y1, in elements of the
 * destination surface, for one layer and all samples. `target` is the index among the surfaces that
 * the transfer writes. Returns false if allocation failed.
 */
bool sgpu_shadow_transfer_part(struct sgpu_shadow *shadow, uint32_t record, unsigned target,
                               unsigned layer, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);

/* Compares the shadow's contents of a surface with the device's contents at the end of the range.
 * diff->count is 0 if the two are equal. `wrong` is NULL, or an array of width * height bytes that
 * are set to 1 for pixels of layer `wrong_layer` that differ, and to 0 for all other pixels.
 */
void sgpu_shadow_compare(struct sgpu_shadow *shadow, unsigned surface,
                         struct sgpu_shadow_difference *diff, uint8_t *wrong, unsigned wrong_layer);
/* Compares all bytes of buffers that transfers and CPU writes modify, like sgpu_shadow_compare().
 */
void sgpu_shadow_compare_buffers(struct sgpu_shadow *shadow, struct sgpu_shadow_difference *diff);
/* Returns a hash of all contents that the comparisons check. */
uint64_t sgpu_shadow_hash(struct sgpu_shadow *shadow);

/* Reads sample 0 of a colour surface as RGBA bytes, row by row from y = 0. If `device` is set,
 * reads the device's contents instead of the shadow's. Returns false if the surface has no colours
 * that can be displayed.
 */
bool sgpu_shadow_picture(struct sgpu_shadow *shadow, unsigned surface, unsigned layer, bool device,
                         uint8_t *rgba);

#ifdef __cplusplus
}
#endif
#endif
