/* SPDX-License-Identifier: MIT */
/* Properties of screens for old loaders, and their lookup of EGL images. */
#ifndef DRI_OLD_SCREEN_H
#define DRI_OLD_SCREEN_H

#include <stdbool.h>

struct dri_config;
struct dri_screen;

/* Creates a screen.  `fd` is -1 for a screen without a DRM device.  `extensions` are those of the
 * loader, of the type __DRIextension **.
 */
struct dri_screen *old_screen_create(int number, int fd, const void *extensions,
                                     const struct dri_config ***configs, void *loader_private);
void old_screen_destroy(struct dri_screen *screen);

/* What old loaders ask and new ones know or don't need. */
struct old_properties {
   bool kms;            /* has a DRM device */
   bool imports;        /* can import DMA buffers */
   bool reports_resets; /* has robust contexts */
   bool texture_3d, framebuffer_srgb;
   unsigned priorities; /* bits of context priorities, or 0 */
};

struct old_properties old_screen_properties(const struct dri_screen *screen);

#endif
