/* SPDX-License-Identifier: MIT */
/*
 * Scenes for tests of the proof by the picture.  Random draws, clears and copies between two colour
 * surfaces and a depth surface are executed in program order in the memory of a device.  The scene
 * has the trace and the memory image of that.
 */
#ifndef SCENE_H
#define SCENE_H

#include "rop_test.h"
#include "sgpu_device.h"
#include "sgpu_shadow.h"
#include "proof/sgt_audit.h"
#include "proof/sgt_shadow.h"
#include "trace/sgt_trace_builder.h"
#include "trace/sgt_work.h"

#define SCENE_WIDTH 96
#define SCENE_HEIGHT 72

/* Contents of a scene.  All scenes draw to A with depth. */
enum scene_kind {
   SCENE_MIXED,   /* also draws to B, which samples A and is sampled; clears and copies */
   SCENE_OPAQUE,  /* uses only one depth function, so any order is correct */
   SCENE_BLENDED, /* only program order is correct */
   SCENE_CHIP,    /* like SCENE_MIXED, with late tests, targets and work */
};

struct scene {
   unsigned width, height;
   struct sgpu_device *dev;
   struct sgpu_bo *bo[3]; /* surfaces A, B and depth */
   struct sgd_surface a, b, zs;
   struct sgpu_shadow_image *image;
   struct sgt_trace *trace;
   struct sgt_work *work; /* work of a SCENE_CHIP scene; otherwise NULL */
   struct sgt_audit_plan *plan;
};

/* Makes a scene with `operations` draws or transfers of a few items each. */
void scene_begin(struct scene *s, enum scene_kind kind, unsigned operations, uint64_t seed);
void scene_begin_sized(struct scene *s, enum scene_kind kind, unsigned width, unsigned height,
                       unsigned operations, uint64_t seed);
void scene_end(struct scene *s);

#endif
