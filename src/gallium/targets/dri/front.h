/* SPDX-License-Identifier: MIT */
/* Front buffers for Mesa's software loaders, i.e. single-buffered windows and X11 pixmaps. */
#ifndef DRI_FRONT_H
#define DRI_FRONT_H

#include "dri_util.h"

/* Reads the front buffer of a drawable.  See sgpu_read_front_func. */
void dri_read_front(const void *drawable, unsigned width, unsigned height, unsigned stride,
                    void *to);

/* Driver functions for the loaders.  Unlike with Mesa's functions, loaders of version 1 (EGL on
 * X11) can read front buffers, too, and a swap needs no current context.  See docs/dri.md.
 */
extern const struct __DriverAPIRec dri_front_driver_api;

#endif
