/* SPDX-License-Identifier: MIT */
/*
 * Pictures of presented surfaces and of targets in the middle of a command stream, and PNG
 * files of them.
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
   uint8_t *rgba; /* pixels of four bytes without padding, allocated with malloc */
};

void cap_picture_free(struct cap_picture *pic);

/* Converts the rows of a linear surface to a picture; see cap_rows.h for the conversion. */
bool cap_picture_convert(struct cap_picture *pic, enum sgpu_format format, uint32_t width,
                         uint32_t height, const uint8_t *rows, uint32_t pitch);

/* Finds the first colour surface, or else the depth surface.  Returns false without any. */
bool cap_target(const uint32_t *framebuffer, struct SGPU_SURFACE *surface);
/* Finds the surface that a work packet writes: the framebuffer's target for draws and CLEAR,
 * or the destination of the packet.  Returns false if there is none.
 */
bool cap_work_target(const struct cap_stream *s, const struct cap_packet *packet,
                     struct SGPU_SURFACE *surface);
/* Returns the layout of a linear surface for a copy of a target's first layer.  The copy has
 * the format of the target, or R8G8B8A8 for a multisampled target whose samples can be
 * averaged.  Returns false if there is no such layout.
 */
bool cap_picture_layout(const struct SGPU_SURFACE *from, struct sgpu_layout *layout);
/* Writes packets that copy or resolve the target to a surface with the layout at the address,
 * followed by END.  Returns the number of words, at most CAP_COPY_WORDS, or 0 if the target
 * cannot be copied.
 */
#define CAP_COPY_WORDS (SGPU_BLIT_LENGTH + SGPU_END_LENGTH)
uint32_t cap_picture_copy(const struct SGPU_SURFACE *from, const struct sgpu_layout *layout,
                          uint64_t address, uint32_t *words);
/* Copies a surface with the device and makes a picture of it.  All submissions must have
 * ended.  `rec` is a SUBMIT record whose buffer list includes the memory of the surface.
 */
bool cap_picture_read(struct cap_player *p, const struct sgcap_record *rec,
                      const struct SGPU_SURFACE *surface, struct cap_picture *pic);

/* Shrinks a picture by an integer factor to at most `size` pixels in width and height. */
bool cap_picture_shrink(const struct cap_picture *pic, uint32_t size, struct cap_picture *out);

/* Write a PNG file.  Return false, with a message on stderr, on failure. */
bool cap_picture_write(const struct cap_picture *pic, const char *path);
bool cap_picture_write_rows(struct cap_rows *rows, const char *path);
/* Returns a PNG allocated with malloc, or NULL if out of memory or built without libpng. */
void *cap_picture_png(const struct cap_picture *pic, bool alpha, size_t *size);

#endif
