/* SPDX-License-Identifier: MIT */
/*
 * Pictures: of presented surfaces, of targets in the midst of a stream, and as
 * PNG.
 */
#ifndef CAP_PICTURE_H
#define CAP_PICTURE_H

#include "cap_player.h"
#include "cap_stream.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"

struct cap_picture {
   uint32_t width, height;
   uint8_t *rgba;             /* malloc'ed; tightly packed */
};

void cap_picture_free(struct cap_picture *pic);

/* Of rows of a linear format; depth, integers and floats beyond 0 to 1 are
 * scaled to what there is.
 */
bool cap_picture_convert(struct cap_picture *pic, enum sgpu_format format, uint32_t width,
                         uint32_t height, const uint8_t *rows, uint32_t pitch);

/* The first colour surface of a FRAMEBUFFER packet, or depth; false where
 * there is none.
 */
bool cap_target(const uint32_t *framebuffer, struct SGPU_SURFACE *surface);
/* What a work packet writes: the framebuffer's target, or a destination of its
 * own.
 */
bool cap_work_target(const struct cap_stream *s, const struct cap_packet *packet,
                     struct SGPU_SURFACE *surface);
/* A linear surface that the first layer of a target can be copied to: of the same
 * format, or with samples that are colours of R8G8B8A8.  False where there is none.
 */
bool cap_picture_layout(const struct SGPU_SURFACE *from, struct sgpu_layout *layout);
/* Writes the packets that copy or resolve it to such a surface at the address,
 * with END.  Returns their words, at most CAP_COPY_WORDS; 0: that cannot be.
 */
#define CAP_COPY_WORDS (SGPU_BLIT_LENGTH + SGPU_END_LENGTH)
uint32_t cap_picture_copy(const struct SGPU_SURFACE *from, const struct sgpu_layout *layout,
                          uint64_t address, uint32_t *words);
/* Reads a surface by the device; everything submitted must have ended.
 * `rec` is the SUBMIT record whose buffers have it.
 */
bool cap_picture_read(struct cap_player *p, const struct sgcap_record *rec,
                      const struct SGPU_SURFACE *surface, struct cap_picture *pic);

/* Smaller, by whole factors, at most `size` pixels wide and high. */
bool cap_picture_shrink(const struct cap_picture *pic, uint32_t size, struct cap_picture *out);

/* With a message on stderr. */
bool cap_picture_write(const struct cap_picture *pic, const char *path);
/* malloc'ed PNG, with alpha or without; NULL where there is no libpng or no memory. */
void *cap_picture_png(const struct cap_picture *pic, bool alpha, size_t *size);

#endif
