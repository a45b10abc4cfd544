/* SPDX-License-Identifier: MIT */
/*
 * Stages of a draw: the vertex stage and those that follow it up to the clipper.
 *
 * The front end holds the bound stages in pipeline order.  The first one runs for
 * the vertices that the input assembler has found.  Each of the others takes
 * primitives, from the assembler or from the stage before it, as numbers of
 * vertices in the records of the stage before.  The last one stores vertices for
 * the clipper (sgd_outputs.h), the others store records for the next.
 *
 * A new stage is a file with its operations and an entry in sgd_front_run.c.
 */
#ifndef SGD_FRONT_STAGE_H
#define SGD_FRONT_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgpu_packets.h"

struct sgd_env;
struct sgd_front;
struct sgd_front_stage;
struct sgd_shader;

/* Vertex, tessellation control and evaluation, geometry. */
#define SGD_FRONT_STAGES 4

struct sgd_front_stage_ops {
   enum sgpu_stage stage;
   /* Prepares for a batch.  False without memory. */
   bool (*begin)(struct sgd_front *f, struct sgd_front_stage *s);
   /* Adds a primitive with its vertices in the order of gl_in; runs the program
    * when a warp is full.  NULL for the first stage.
    */
   void (*primitive)(struct sgd_front *f, struct sgd_front_stage *s, const uint16_t *vertex,
                     uint32_t id);
   /* Runs the program for the rest of the batch; f->stopped if it did not end. */
   void (*flush)(struct sgd_front *f, struct sgd_front_stage *s);
   void (*free)(void *unit);
};

/* Outputs of a stage as the next one reads them: for each vertex, 16 bytes per
 * input of the next stage.
 */
struct sgd_stage_records {
   uint8_t *data;
   size_t size;     /* allocated bytes */
   unsigned stride; /* bytes a vertex; 0: the stage is the last */
};

struct sgd_front_stage {
   const struct sgd_front_stage_ops *ops;
   void *unit; /* the stage's scratch, kept from batch to batch */

   /* of the draw */
   const struct sgd_shader *program;
   const struct SGPU_SHADER *desc;
   const struct sgd_env *env;
   unsigned num_inputs; /* that it reads from the stage before */
   const struct SGPU_STAGE_INPUT *input;
   const struct sgd_stage_records *in; /* NULL: the first stage */
   struct sgd_front_stage *next;       /* NULL: the last stage */
   struct sgd_stage_records out;
};

#endif
