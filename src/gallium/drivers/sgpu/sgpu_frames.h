/* SPDX-License-Identifier: MIT */
/* Writes the pictures of a program's frames to files, for `sgpu golden` (docs/golden.md).
 *
 * SGPU_FRAMES="LIST FOLDER" turns this on.  LIST has numbers and ranges of frames, counted from 0
 * for each surface: 3, 0-9, 100- or 0-100/10, separated by commas; `last`, for the last frame of
 * each surface; or `all`.  Each picture becomes a file of the folder.
 */
#ifndef SGPU_FRAMES_H
#define SGPU_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What makes a picture a frame.  A later kind has priority: after the first frame of that kind, the
 * process has no more frames of earlier kinds.
 */
enum sgpu_frame_kind {
   SGPU_FRAME_END,     /* buffer of a context that is released or destroyed, or at exit */
   SGPU_FRAME_FINISH,  /* buffer at glFinish */
   SGPU_FRAME_READ,    /* pixels that the application has read */
   SGPU_FRAME_PRESENT, /* picture that a window or another process gets */
   SGPU_FRAME_KINDS,
};

/* Types of pixels in a file.  All have their components in the order red, green, blue, alpha. */
enum sgpu_frame_pixels {
   SGPU_FRAME_RGBA8,   /* 8 bits per component, 0 to 255 */
   SGPU_FRAME_RGBA32F, /* 32-bit floats */
   SGPU_FRAME_RGBA32I, /* 32-bit integers */
   SGPU_FRAME_R32F,    /* a depth buffer */
   SGPU_FRAME_R8,      /* a stencil buffer */
};

struct sgpu_frame {
   enum sgpu_frame_kind kind;
   unsigned surface; /* index of the surface, in the order of first frames */
   uint64_t number;  /* index of the frame, among those of the surface */
   bool last;        /* set if the frame is only written as the last one of the surface */
};

struct sgpu_frame_picture {
   enum sgpu_frame_pixels pixels;
   bool alpha;     /* set if the alpha component is part of the picture */
   bool bottom_up; /* set if the first row is the lowest one */
   unsigned width, height;
   const void *data;
   size_t pitch; /* row pitch in bytes */
};

/* Returns true if SGPU_FRAMES is set. */
bool sgpu_frames_on(void);

/* Returns true if pictures of this kind are still frames. */
bool sgpu_frames_counts(enum sgpu_frame_kind kind);

/* Counts a frame of a surface, and advances the clock of `sgpu golden --clock`.  Returns true if
 * the caller must call sgpu_frames_write() with the picture.  `surface` identifies the drawable, or
 * is NULL for frames without one.
 */
bool sgpu_frames_next(enum sgpu_frame_kind kind, const void *surface, struct sgpu_frame *frame);
void sgpu_frames_write(const struct sgpu_frame *frame, const struct sgpu_frame_picture *picture);

/* A presented picture or a part of it.  `format` is an enum pipe_format. */
struct sgpu_frame_part {
   const uint8_t *data; /* first pixel of the part */
   size_t pitch;        /* row pitch in bytes */
   unsigned x, y, width, height;
   unsigned whole_width, whole_height; /* size of the whole picture, in pixels */
   unsigned format;
};

/* Counts a presentation and writes the picture that the surface shows now. */
void sgpu_frames_present(const void *surface, const struct sgpu_frame_part *part);

/* Must be called before the address of a drawable may be used for another one. */
void sgpu_frames_forget(const void *surface);

#ifdef __cplusplus
}
#endif
#endif
