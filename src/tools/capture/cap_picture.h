/* SPDX-License-Identifier: MIT */
/* Pictures of presented surfaces and of render targets in the middle of a command stream, and PNG
 * files of these pictures.
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
   uint8_t *rgba; /* four bytes per pixel, without padding between rows; allocated with malloc */
};

void cap_picture_free(struct cap_picture *pic);

/* Converts a linear surface to a picture.  See cap_rows.h for how pixels are converted. */
bool cap_picture_convert(struct cap_picture *pic, enum sgpu_format format, uint32_t width,
                         uint32_t height, const uint8_t *rows, uint32_t pitch);

/* Finds the first color surface or, if there is none, the depth surface.  Returns false if the
 * framebuffer has no surface.
 */
bool cap_target(const uint32_t *framebuffer, struct SGPU_SURFACE *surface);
/* Finds the surface that a work packet writes.  This is a surface of the framebuffer for draws and
 * CLEAR, and the destination of all other packets.  Returns false if there is none.
 */
bool cap_work_target(const struct cap_stream *s, const struct cap_packet *packet,
                     struct SGPU_SURFACE *surface);
/* Initializes the linear layout of a copy of the target's first layer.  The copy has the format of
 * the target, or R8G8B8A8 if a resolve averages the samples of the target.  Returns false if there
 * is no valid layout.
 */
bool cap_picture_layout(const struct SGPU_SURFACE *from, struct sgpu_layout *layout);
/* Writes packets that copy or resolve the target to a linear surface at `address`, followed by END.
 * Returns the number of words, which is at most CAP_COPY_WORDS, or 0 if the target can't be copied.
 */
#define CAP_COPY_WORDS (SGPU_BLIT_LENGTH + SGPU_END_LENGTH)
uint32_t cap_picture_copy(const struct SGPU_SURFACE *from, const struct sgpu_layout *layout,
                          uint64_t address, uint32_t *words);
/* Copies a surface with the device and converts it to a picture.  All submissions must have ended.
 * `rec` is a SUBMIT record whose buffer list includes the memory of the surface.
 */
bool cap_picture_read(struct cap_player *p, const struct sgcap_record *rec,
                      const struct SGPU_SURFACE *surface, struct cap_picture *pic);

/* Shrinks a picture by an integer factor so that its width and height don't exceed `size` pixels.
 */
bool cap_picture_shrink(const struct cap_picture *pic, uint32_t size, struct cap_picture *out);

/* Write a PNG file.  On failure, return false after printing a message to stderr. */
bool cap_picture_write(const struct cap_picture *pic, const char *path);
bool cap_picture_write_rows(struct cap_rows *rows, const char *path);
/* Encodes a picture as a PNG file in memory, which the caller must free.  Returns NULL if
 * allocation fails or the tool was built without libpng.
 */
void *cap_picture_png(const struct cap_picture *pic, bool alpha, size_t *size);

#endif
