/* SPDX-License-Identifier: MIT */
/* Members of the structures that loaders of old Mesas pass to the driver, and that Mesa's new
 * frontend reads.  Their places must be the same in the old and in the new interface, whose headers
 * exclude each other.
 */
#ifndef LOADER_LAYOUT_H
#define LOADER_LAYOUT_H

#include <stddef.h>

#define LOADER_MEMBERS(M)                                          \
   M(__DRIextension, name)                                         \
   M(__DRIextension, version)                                      \
   M(__DRIswrastLoaderExtension, getDrawableInfo)                  \
   M(__DRIswrastLoaderExtension, putImage)                         \
   M(__DRIswrastLoaderExtension, getImage)                         \
   M(__DRIswrastLoaderExtension, putImage2)                        \
   M(__DRIswrastLoaderExtension, getImage2)                        \
   M(__DRIswrastLoaderExtension, putImageShm)                      \
   M(__DRIswrastLoaderExtension, getImageShm)                      \
   M(__DRIswrastLoaderExtension, putImageShm2)                     \
   M(__DRIswrastLoaderExtension, getImageShm2)                     \
   M(__DRIdri2LoaderExtension, getBuffers)                         \
   M(__DRIdri2LoaderExtension, flushFrontBuffer)                   \
   M(__DRIdri2LoaderExtension, getBuffersWithFormat)               \
   M(__DRIdri2LoaderExtension, getCapability)                      \
   M(__DRIdri2LoaderExtension, destroyLoaderImageState)            \
   M(__DRIimageLoaderExtension, getBuffers)                        \
   M(__DRIimageLoaderExtension, flushFrontBuffer)                  \
   M(__DRIimageLoaderExtension, getCapability)                     \
   M(__DRIimageLoaderExtension, flushSwapBuffers)                  \
   M(__DRIimageLoaderExtension, destroyLoaderImageState)           \
   M(__DRIbackgroundCallableExtension, setBackgroundContext)       \
   M(__DRIbackgroundCallableExtension, isThreadSafe)               \
   M(__DRImutableRenderBufferLoaderExtension, displaySharedBuffer) \
   M(__DRIbuffer, attachment)                                      \
   M(__DRIbuffer, name)                                            \
   M(__DRIbuffer, pitch)                                           \
   M(__DRIbuffer, cpp)                                             \
   M(__DRIbuffer, flags)                                           \
   M(struct __DRIimageList, image_mask)                            \
   M(struct __DRIimageList, back)                                  \
   M(struct __DRIimageList, front)

#define LOADER_PLACE(type, member) { #type "." #member, offsetof(type, member) },

struct loader_place {
   const char *name;
   size_t offset;
};

extern const struct loader_place loader_new[];
extern const unsigned loader_new_count;

#endif
