/* SPDX-License-Identifier: MIT */
/* Front buffers for Mesa's software loaders, i.e. single-buffered windows and X11 pixmaps. */
#ifndef GALLIUM_FRONT_H
#define GALLIUM_FRONT_H

/* Reads the front buffer of a drawable.  See sgpu_read_front_func. */
void dri_read_front(const void *drawable, unsigned width, unsigned height, unsigned stride,
                    void *to);

#endif
