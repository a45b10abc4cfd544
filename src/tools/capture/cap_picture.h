/* SPDX-License-Identifier: MIT */
/*
 * Pictures of presented surfaces and of targets inside a stream; PNG files.
 */
#ifndef CAP_PICTURE_H
#define CAP_PICTURE_H

#include "cap_player.h"
#include "cap_rows.h"
#include "cap_stream.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"

struct cap_picture {
   uint32_t width, height;
   uint8_t *rgba; /* allocated with malloc, without padding */
};

void cap_picture_free(struct cap_picture *pic);

/* A picture of rows (cap_rows.h). */
bool cap_picture_convert(struct cap_picture *pic, enum sgpu_format format, uint32_t width,
                         uint32_t height, const uint8_t *rows, uint32_t pitch);

/* The first colour surface of a FRAMEBUFFER packet, or the depth surface; false if
 * there is none.
 */
bool cap_target(const uint32_t *framebuffer, struct SGPU_SURFACE *surface);
/* The surface that a work packet writes: the framebuffer's target, or the packet's
 * destination.
 */
bool cap_work_target(const struct cap_stream *s, const struct cap_packet *packet,
                     struct SGPU_SURFACE *surface);
/* A linear surface for a copy of a target's first layer: of the same format, or
 * R8G8B8A8 if the target has samples of colours.  False if there is none.
 */
bool cap_picture_layout(const struct SGPU_SURFACE *from, struct sgpu_layout *layout);
/* Writes packets that copy or resolve the target to such a surface at the address,
 * and END.  Returns the number of words, at most CAP_COPY_WORDS, or 0 if it cannot be
 * copied.
 */
#define CAP_COPY_WORDS (SGPU_BLIT_LENGTH + SGPU_END_LENGTH)
uint32_t cap_picture_copy(const struct SGPU_SURFACE *from, const struct sgpu_layout *layout,
                          uint64_t address, uint32_t *words);
/* Reads a surface with the device; all submissions must have ended.  `rec` is a SUBMIT
 * record whose buffers have the surface.
 */
bool cap_picture_read(struct cap_player *p, const struct sgcap_record *rec,
                      const struct SGPU_SURFACE *surface, struct cap_picture *pic);

/* Shrinks by a whole factor to at most `size` pixels in width and height. */
bool cap_picture_shrink(const struct cap_picture *pic, uint32_t size, struct cap_picture *out);

/* On failure prints a message to stderr. */
bool cap_picture_write(const struct cap_picture *pic, const char *path);
bool cap_picture_write_rows(struct cap_rows *rows, const char *path);
/* A PNG, allocated with malloc; NULL without libpng or memory. */
void *cap_picture_png(const struct cap_picture *pic, bool alpha, size_t *size);

#endif
