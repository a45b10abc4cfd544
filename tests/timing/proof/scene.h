/* SPDX-License-Identifier: MIT */
/*
 * Scenes for tests of the proof by the picture: random draws, clears and copies between two
 * colour surfaces and a depth surface, done on the memory of a device in program order, with
 * the trace and the image of that.
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

/* What a scene has.  All of them draw to A with depth. */
enum scene_kind {
   SCENE_MIXED,   /* also to B, which samples A and is sampled; clears, copies */
   SCENE_OPAQUE,  /* with one depth function: any order is right */
   SCENE_BLENDED, /* program order alone is right */
   SCENE_CHIP,    /* as mixed, and draws with late tests; with targets and work */
};

struct scene {
   unsigned width, height;
   struct sgpu_device *dev;
   struct sgpu_bo *bo[3]; /* A, B, depth */
   struct sgd_surface a, b, zs;
   struct sgpu_shadow_image *image;
   struct sgt_trace *trace;
   struct sgt_work *work; /* SCENE_CHIP: else NULL */
   struct sgt_audit_plan *plan;
};

/* `operations` draws or transfers of a few items each. */
void scene_begin(struct scene *s, enum scene_kind kind, unsigned operations, uint64_t seed);
void scene_begin_sized(struct scene *s, enum scene_kind kind, unsigned width, unsigned height,
                       unsigned operations, uint64_t seed);
void scene_end(struct scene *s);

#endif
