/* SPDX-License-Identifier: MIT */
/*
 * Front buffers of Mesa's software loaders: windows with one buffer, and the
 * pixmaps of X11.
 */
#ifndef DRI_FRONT_H
#define DRI_FRONT_H

#include "dri_util.h"

/* Reads what is in a drawable's front buffer; a sgpu_read_front_func. */
void dri_read_front(const void *drawable, unsigned width, unsigned height, unsigned stride,
                    void *to);

/* Mesa's calls for the loaders, but that what the resource of a front buffer
 * holds is read from there also with loaders that only have the first version
 * of getImage (EGL on X11), and that a swap needs no context.
 */
extern const struct __DriverAPIRec dri_front_driver_api;

#endif
