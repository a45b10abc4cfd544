/* SPDX-License-Identifier: MIT */
/*
 * Shadows of the device's memory: the work of a range of submissions is done once more, in an
 * order that the caller chooses, by the device's own functions for tests, colours and
 * transfers.
 *
 * An image has what all shadows of a range share: the contents of the buffers at the start and
 * at the end of the range, and a record of each state, transfer and write. Records have offsets
 * instead of pointers, so they outlive the device.
 *
 *    start of the range, device idle:   sgpu_shadow_image_create
 *                                       sgpu_shadow_image_add_buffer, for each buffer
 *    in the range:                      sgpu_shadow_image_add_*, sgpu_shadow_image_remove_buffer
 *    end of the range, device idle:     sgpu_shadow_image_finish
 *    then, any number of times:         sgpu_shadow_create
 *                                       sgpu_shadow_draw, sgpu_shadow_transfer
 *                                       sgpu_shadow_compare
 *
 * The sgpu_shadow_image_add_*() functions may be called from any thread. A finished image is
 * read-only. A shadow may be used by one thread at a time. Errors are negative errno values.
 *
 * Limitation: memory that programs, transform feedback and queries write is not followed.
 *
 * Addresses in this interface are those of the device, except for a buffer that is created in
 * the range where another buffer was: it has its own addresses.
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
/* Destroys an image. Its shadows must have been destroyed. */
void sgpu_shadow_image_destroy(struct sgpu_shadow_image *image);

/* Adds a buffer that exists at the start of the range, or, if the image already has
 * records, a buffer that is created in the range and contains zeros. Returns 0 or
 * -ENOMEM.
 */
int sgpu_shadow_image_add_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo);
/* Must be called before the buffer is destroyed, when no work of the device writes it. */
int sgpu_shadow_image_remove_buffer(struct sgpu_shadow_image *image, struct sgpu_bo *bo);

/* Add records. Numbers start at 0, in the order of the calls. Returns the number of the
 * record, or UINT32_MAX if out of memory.
 */
uint32_t sgpu_shadow_image_add_state(struct sgpu_shadow_image *image,
                                     const struct sgd_state *state);
uint32_t sgpu_shadow_image_add_xfer(struct sgpu_shadow_image *image, const struct sgd_xfer *xfer);
/* Adds a record of a write by the CPU of `size` bytes at a device address. */
uint32_t sgpu_shadow_image_add_write(struct sgpu_shadow_image *image, uint64_t address,
                                     uint64_t size, const void *data);

/* Copies the contents of all memory that records write from the buffers that still exist. */
int sgpu_shadow_image_finish(struct sgpu_shadow_image *image);

/* A surface that a record tests or writes. Layers count from the first layer of the
 * record's surface.
 */
struct sgpu_shadow_surface {
   uint64_t address;       /* address of the first layer, sample 0 */
   uint64_t layer_stride;  /* bytes from one layer to the next */
   uint32_t width, height; /* size in pixels */
   uint32_t layers, samples;
   uint16_t format; /* enum sgpu_format of the surface */
   uint8_t level;
   bool depth; /* a depth or stencil surface */
   bool write; /* the surface is written; false if a state only tests it */
};
#define SGPU_SHADOW_TARGETS 9

/* Returns the number of surfaces that a record tests or writes. Writes by the CPU and
 * transfers between buffers have none.
 */
unsigned sgpu_shadow_image_targets(const struct sgpu_shadow_image *image, uint32_t record,
                                   struct sgpu_shadow_surface targets[SGPU_SHADOW_TARGETS]);

/* Returns the range of a write by the CPU. Returns false for other records. */
bool sgpu_shadow_image_write(const struct sgpu_shadow_image *image, uint32_t record,
                             uint64_t *address, uint64_t *size);

/* All colour and depth surfaces that records write, without duplicates. */
unsigned sgpu_shadow_image_num_surfaces(const struct sgpu_shadow_image *image);
void sgpu_shadow_image_surface(const struct sgpu_shadow_image *image, unsigned index,
                               struct sgpu_shadow_surface *surface);

/* Returns 0, or -ENOMEM if there is no address space. */
int sgpu_shadow_create(const struct sgpu_shadow_image *image, struct sgpu_shadow **out);
void sgpu_shadow_destroy(struct sgpu_shadow *shadow);

/* Which of several fragments with equal depth remains. With FIRST, contents that were stored
 * before count as a fragment with a lower number.
 */
enum sgpu_shadow_ties {
   SGPU_SHADOW_TIES_TEST,  /* decided by the depth test, in the order of the calls */
   SGPU_SHADOW_TIES_FIRST, /* the fragment with the lowest number remains */
   SGPU_SHADOW_TIES_LAST,  /* the fragment with the highest number remains */
};

/* Fragments of a primitive in an aligned block of 8x4 pixels. Lanes are in the order of
 * sgpu_layout.h. A fragment that is tested and passes gets its colour, or the poison
 * colour if it is not in `colored`.
 */
struct sgpu_shadow_block {
   uint16_t x, y;           /* position of the first pixel */
   uint32_t mask;           /* covered lanes */
   uint32_t colored;        /* lanes with a colour */
   uint32_t dropped;        /* lanes that leave no colour and, with late tests, no depth */
   const uint32_t *depth;   /* floats as [depth_samples][32]; NULL: 0 */
   const uint32_t *color;   /* colours as [color_samples][colors][4][32]; NULL if no lane has a
                             * colour */
   const uint32_t *cover;   /* masks of samples that are covered, dropped and colored, as
                             * [3][samples]; NULL: all samples as above */
   const uint32_t *stencil; /* reference values as [color_samples][32]; NULL: those of the state */
};

struct sgpu_shadow_draw {
   uint32_t record; /* number of the record of a state */
   uint32_t number; /* number of the primitive in program order, less than UINT32_MAX */
   enum sgpu_shadow_ties ties;
   uint16_t layer; /* layer, counted from the targets' first layer */
   bool front;     /* the primitive faces the viewer */
   uint8_t colors; /* number of outputs with values, starting at o[COLR0] */
   uint8_t depth_samples, color_samples;
};

struct sgpu_shadow_result {
   uint64_t fragments; /* number of samples that were tested, or written without a test */
   uint64_t passed;    /* number of samples that were written */
   uint64_t poisoned;  /* number of these that got the poison colour */
};

/* The poison colour as RGBA. Integer formats store the bits of these floats. */
#define SGPU_SHADOW_POISON         \
   {                               \
      1.0f, 0.0625f, 0.8125f, 1.0f \
   }

/* Draws blocks of a primitive, each of which must be passed once. Adds to *result.
 * Returns false if out of memory.
 */
bool sgpu_shadow_draw(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                      const struct sgpu_shadow_block *blocks, unsigned count,
                      struct sgpu_shadow_result *result);

/* Performs the part of a transfer that is inside x0 <= x < x1, y0 <= y < y1, in pixels of
 * the destination, in all its layers. Transfers between buffers and writes by the CPU are
 * performed completely. Returns false if out of memory.
 */
bool sgpu_shadow_transfer(struct sgpu_shadow *shadow, uint32_t record, int32_t x0, int32_t y0,
                          int32_t x1, int32_t y1);

/* The first pixel that differs from the device's, in the order of layer, y, x and sample.
 * For buffers, the first byte.
 */
struct sgpu_shadow_difference {
   uint64_t count; /* number of pixels that differ; bytes for buffers */
   uint32_t x, y, layer, sample;
   uint64_t address;              /* address of the element or byte */
   uint8_t bytes;                 /* size of the element in bytes */
   uint8_t expected[16], got[16]; /* contents in the device, and in the shadow */
};

/*
 * Parts of draws and transfers, for models that perform these parts separately. The
 * record of a draw must be a state with targets. `ties` and `number` of the draw are
 * ignored; the depth test decides about ties.
 */

/* Tests depth and stencil of lanes of a block, for one sample, and stores those that
 * pass. *lanes are the lanes to test; on return, those of them that pass and that the
 * program has not dropped. Adds the tested and the passed fragments to *result. Returns
 * false if out of memory.
 */
bool sgpu_shadow_test(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                      const struct sgpu_shadow_block *block, unsigned sample, uint32_t *lanes,
                      struct sgpu_shadow_result *result);
/* Writes the colours of lanes of a block to colour target `target`, for one sample and
 * without a test. Lanes without a colour get the poison colour. Adds to *result. Returns
 * false if out of memory.
 */
bool sgpu_shadow_color(struct sgpu_shadow *shadow, const struct sgpu_shadow_draw *draw,
                       const struct sgpu_shadow_block *block, unsigned sample, unsigned target,
                       uint32_t lanes, struct sgpu_shadow_result *result);
/* Performs the part of a transfer that is inside x0 <= x < x1, y0 <= y < y1, in elements
 * of surface number `target` of those that the transfer writes, in one layer and for all
 * samples. Returns false if out of memory.
 */
bool sgpu_shadow_transfer_part(struct sgpu_shadow *shadow, uint32_t record, unsigned target,
                               unsigned layer, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1);

/* Compares a surface with the device's contents at the end of the range. *diff has a
 * count of 0 if they are equal. `wrong` is NULL or has width * height bytes, which are set to
 * 1 for pixels of layer `wrong_layer` that differ, and to 0 for the others.
 */
void sgpu_shadow_compare(struct sgpu_shadow *shadow, unsigned surface,
                         struct sgpu_shadow_difference *diff, uint8_t *wrong, unsigned wrong_layer);
/* Compares all bytes of buffers that transfers and the CPU write, in the same way. */
void sgpu_shadow_compare_buffers(struct sgpu_shadow *shadow, struct sgpu_shadow_difference *diff);
/* Returns a hash of everything that is compared. */
uint64_t sgpu_shadow_hash(struct sgpu_shadow *shadow);

/* Stores sample 0 of a colour surface as RGBA bytes, row by row from y = 0; if `device`
 * is set, as the device left it. Returns false if the surface has no colours that can be
 * shown.
 */
bool sgpu_shadow_picture(struct sgpu_shadow *shadow, unsigned surface, unsigned layer, bool device,
                         uint8_t *rgba);

#ifdef __cplusplus
}
#endif
#endif
