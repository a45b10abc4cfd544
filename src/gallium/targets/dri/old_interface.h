/* SPDX-License-Identifier: MIT */
/* The interface between loaders and drivers up to Mesa 22.3, which X servers use, too.  Mesa's public
 * header still has it.  The functions of libgallium_sgpu have other names for the same objects, so
 * the old names stand for the new ones here: the compiler checks the types of functions that serve
 * both.
 *
 * Files that include this header can't include other headers of Mesa's frontend, because
 * mesa_interface.h defines the structures of the new interface under the old names.
 */
#ifndef DRI_OLD_INTERFACE_H
#define DRI_OLD_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define __DRIscreenRec dri_screen
#define __DRIcontextRec dri_context
#define __DRIdrawableRec dri_drawable
#define __DRIconfigRec dri_config
#define __DRIimageRec dri_image
#include <GL/internal/dri_interface.h>

#define MESA_INTERFACE_H
#include "dri_util.h"

#include "old_screen.h"

/* Attributes of the renderer query that loaders don't ask any more. */
#define __DRI2_RENDERER_HAS_TEXTURE_3D 0x000b
#define __DRI2_RENDERER_HAS_FRAMEBUFFER_SRGB 0x000c
#define __DRI2_RENDERER_HAS_CONTEXT_PRIORITY 0x000d
#define __DRI2_RENDERER_HAS_NO_ERROR_CONTEXT 0x0010

/* Image functions of software screens on X11 and Wayland, and of screens on a DRM device without and
 * with the ability to import DMA buffers.
 */
extern const __DRIimageExtension old_image_software;
extern const __DRIimageExtension old_image_kms;
extern const __DRIimageExtension old_image_kms_import;

#endif
