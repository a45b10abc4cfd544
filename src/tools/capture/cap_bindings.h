/* SPDX-License-Identifier: MIT */
/*
 * Finds the storage buffers and images that the programs of a draw or grid may access.
 */
#ifndef CAP_BINDINGS_H
#define CAP_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_player.h"
#include "cap_stream.h"
#include "sgpu_packets.h"

struct cap_binding {
   enum sgpu_stage stage;       /* stage of the binding; unused if `handle` is set */
   bool image, handle;          /* image or buffer; bound by a handle or by a unit */
   unsigned unit;               /* unit of the stage (buf[unit], img[unit]), or the handle */
   bool read, written;          /* whether a program may read or write it */
   uint64_t address, size;      /* size in bytes; 0 if not in the capture's memory */
   struct SGPU_TEXTURE texture; /* descriptor, if `image` is set */
};

struct cap_bindings {
   struct cap_binding *list;
   unsigned count, max;
   bool before_pixels; /* a program other than the pixel program writes memory */
};

/* Replaces the list by the bindings that a draw (or a grid, if `grid` is set) may access in
 * the current state of the stream.  For a program that selects bindings by a register, the
 * list has all bindings of the stage.  Returns false if out of memory.
 */
bool cap_bindings_find(struct cap_bindings *b, struct cap_player *p, const struct cap_stream *s,
                       bool grid);
void cap_bindings_free(struct cap_bindings *b);

/* Writes a name like "COMPUTE, buf[3]" to `text`. */
void cap_binding_name(const struct cap_binding *b, char *text, size_t size);
/* Returns a name like "VERTEX", or "?" for an unknown stage. */
const char *cap_stage_name(uint32_t stage);

#endif
