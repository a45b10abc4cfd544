/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: classes of warps.
 */
#ifndef SGT_SM_CLASS_H
#define SGT_SM_CLASS_H

enum sgt_sm_class {
   SGT_SM_VERTEX, /* vertex and tessellation shaders */
   SGT_SM_GEOMETRY,
   SGT_SM_PIXEL,
   SGT_SM_COMPUTE,
   SGT_SM_CLASSES,
};

#endif
