/* SPDX-License-Identifier: MIT */
/*
 * Stages of a draw: the vertex stage, and the stages between it and the clipper. The front end
 * keeps a list of the bound stages in pipeline order.
 *
 * The first stage runs for the vertices found by the input assembler. Each later stage receives
 * primitives from the input assembler or the previous stage; a primitive is a list of vertex
 * indices in the records of the previous stage. The last stage stores vertices for the clipper
 * (sgd_outputs.h), and all other stages store records for the next stage. To add a stage, implement
 * its operations in a new file and add them to the table in sgd_front_run.c.
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

/* The vertex, tessellation control, tessellation evaluation and geometry stages. */
#define SGD_FRONT_STAGES 4

struct sgd_front_stage_ops {
   enum sgpu_stage stage;
   /* Prepares the stage for a batch. Returns false on allocation failure. */
   bool (*begin)(struct sgd_front *f, struct sgd_front_stage *s);
   /* Adds a primitive, with vertices in the order of gl_in, and runs the program whenever a warp is
    * full. NULL for the first stage.
    */
   void (*primitive)(struct sgd_front *f, struct sgd_front_stage *s, const uint16_t *vertex,
                     uint32_t id);
   /* Runs the program for all primitives that wait for a full warp. Sets f->stopped if the program
    * was stopped.
    */
   void (*flush)(struct sgd_front *f, struct sgd_front_stage *s);
   void (*free)(void *unit);
};

/* Outputs of a stage, as the next stage reads them. A vertex has 16 bytes for each input of the
 * next stage.
 */
struct sgd_stage_records {
   uint8_t *data;
   size_t size;     /* allocated size in bytes */
   unsigned stride; /* bytes per vertex; 0 for the last stage */
};

struct sgd_front_stage {
   const struct sgd_front_stage_ops *ops;
   void *unit; /* scratch memory of the stage, reused by later batches */

   /* How the draw uses the stage: */
   const struct sgd_shader *program;
   const struct SGPU_SHADER *desc;
   const struct sgd_env *env;
   unsigned num_inputs; /* number of inputs that the stage reads from the previous stage */
   const struct SGPU_STAGE_INPUT *input;
   /* output records of the previous stage; NULL for the first stage */
   const struct sgd_stage_records *in;
   struct sgd_front_stage *next; /* next bound stage; NULL for the last stage */
   struct sgd_stage_records out;
};

#endif
