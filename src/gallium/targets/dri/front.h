/* SPDX-License-Identifier: MIT */
/*
 * Front buffers of Mesa's software loaders: windows with one buffer, and the
 * pixmaps of X11.
 */
#ifndef DRI_FRONT_H
#define DRI_FRONT_H

#include "dri_util.h"

/* Reads a drawable's front buffer; a sgpu_read_front_func. */
void dri_read_front(const void *drawable, unsigned width, unsigned height, unsigned stride,
                    void *to);

/* Mesa's calls for the loaders, with the changes that docs/dri.md lists: front buffers
 * are read with loaders of version 1 (EGL on X11), too, and a swap needs no context.
 */
extern const struct __DriverAPIRec dri_front_driver_api;

#endif
