/* SPDX-License-Identifier: MIT */
/*
 * What a worker is executing, for the sampling profiler (observe/profile). Workers always store
 * these members, because a store takes no longer than a test of whether there is a profiler. A
 * signal handler reads them on the same thread.
 */
#ifndef SGD_POSITION_H
#define SGD_POSITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_ins;
struct sgd_sampler;
struct sgd_shader;
struct sgd_tex_op;
struct sgd_texture;
struct sgd_worker;

/* Values of sgd_position.left if the interpreter runs a program for other reasons than that machine
 * code has left off at an instruction.
 */
#define SGD_LEFT_COLD (UINT32_MAX - 1) /* the program has no machine code yet */
#define SGD_LEFT_UNKNOWN (UINT32_MAX)

#define SGD_TEXTURE_STEP 64 /* the profiler counts one of this number of texture operations */

struct sgd_position {
   /* program that the worker's warp runs, or NULL if the current part of an operation has none. It
    * is NULL whenever the worker has the scheduler's lock, since the program can be freed as soon
    * as its operation has ended.
    */
   const struct sgd_shader *shader;
   /* last instruction that a function executed (textures, memory, images, ...). It can belong to an
    * earlier program.
    */
   const struct sgd_ins *ins;
   /* index of the instruction at which machine code last left off, or SGD_LEFT_* */
   uint32_t left;
   /* frame and index in the frame of the current operation, and its shape; 0 if unknown */
   uint32_t frame, draw, shape;
   uint32_t work; /* index of the name of the current work item, or 0 if there is none */
   uint32_t tick; /* number of texture operations, if there is a profiler */
   /* Counts SGD_TEXTURE_STEP texture operations like this one for the profiler. NULL if there is no
    * profiler.
    */
   void (*texture)(struct sgd_worker *worker, const struct sgd_ins *ins,
                   const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                   const struct sgd_tex_op *op, uint32_t active);
};

/* Returns true if the profiler must count the current texture operation. */
static inline bool
sgd_position_counts(struct sgd_position *position)
{
   return position->texture && position->tick++ % SGD_TEXTURE_STEP == 0;
}

/* The operation that a worker executes, as the profiler identifies it. */
struct sgd_place {
   uint32_t frame, draw, shape;
};

/* Called before other threads can free the program. */
static inline void
sgd_position_clear(struct sgd_position *position)
{
   __atomic_store_n(&position->shader, NULL, __ATOMIC_RELAXED);
   /* The signal handler runs on this thread. */
   atomic_signal_fence(memory_order_seq_cst);
}

static inline void
sgd_position_set(struct sgd_position *position, const struct sgd_place *place)
{
   position->shader = NULL;
   position->frame = place->frame;
   position->draw = place->draw;
   position->shape = place->shape;
}

#endif
