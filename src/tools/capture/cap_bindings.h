/* SPDX-License-Identifier: MIT */
/*
 * The storage buffers and images that the programs of a draw or grid may access.
 */
#ifndef CAP_BINDINGS_H
#define CAP_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_player.h"
#include "cap_stream.h"
#include "sgpu_packets.h"

struct cap_binding {
   enum sgpu_stage stage; /* without handle */
   bool image, handle;
   unsigned unit; /* buf[unit], img[unit], or the handle */
   bool read, written;
   uint64_t address, size;      /* bytes; 0: outside the capture's memory */
   struct SGPU_TEXTURE texture; /* of an image */
};

struct cap_bindings {
   struct cap_binding *list;
   unsigned count, max;
   bool before_pixels; /* a program other than the pixel program writes memory */
};

/* Replaces the list by the bindings of a draw or a grid in this state.  A program that
 * chooses one by a register has all that are bound.  False if out of memory.
 */
bool cap_bindings_find(struct cap_bindings *b, struct cap_player *p, const struct cap_stream *s,
                       bool grid);
void cap_bindings_free(struct cap_bindings *b);

/* "COMPUTE, buf[3]" */
void cap_binding_name(const struct cap_binding *b, char *text, size_t size);
/* "VERTEX" */
const char *cap_stage_name(uint32_t stage);

#endif
