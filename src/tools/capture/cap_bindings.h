/* SPDX-License-Identifier: MIT */
/* Finds the storage buffers and images that the programs of a draw or grid can access. */
#ifndef CAP_BINDINGS_H
#define CAP_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_player.h"
#include "cap_stream.h"
#include "sgpu_packets.h"

struct cap_binding {
   enum sgpu_stage stage; /* stage of the binding; unused if `handle` is set */
   /* image: true for an image, false for a storage buffer; handle: true if the image is bound to a
    * handle instead of a unit
    */
   bool image, handle;
   unsigned unit; /* unit of the stage (buf[unit] or img[unit]), or the handle */
   /* read: true if a program of the draw or grid may read the memory; written: true if one may
    * write it
    */
   bool read, written;
   /* address: address of the memory; size: its size in bytes */
   uint64_t address, size;
   struct SGPU_TEXTURE texture; /* descriptor, if `image` is set */
};

struct cap_bindings {
   struct cap_binding *list;
   unsigned count, max;
   bool before_pixels; /* true if a stage before the pixel shader writes memory */
};

/* Replaces the list with the bindings that a draw, or a grid if `grid` is set, can access in the
 * current state of the stream.  If a program selects bindings with a register, adds all bindings of
 * its stage.  Returns false on allocation failure.
 */
bool cap_bindings_find(struct cap_bindings *b, struct cap_player *p, const struct cap_stream *s,
                       bool grid);
void cap_bindings_free(struct cap_bindings *b);

/* Writes the name of a binding, e.g. "COMPUTE, buf[3]", to `text`. */
void cap_binding_name(const struct cap_binding *b, char *text, size_t size);
/* Returns the name of a stage, e.g. "VERTEX", or "?" if the stage is unknown. */
const char *cap_stage_name(uint32_t stage);

#endif
