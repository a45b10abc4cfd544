/* SPDX-License-Identifier: MIT */
/*
 * GL_FEEDBACK, GL_SELECT and glRasterPos: the device runs the programs and records their
 * vertices (feedback_record.c), Mesa's draw module makes primitives of them, clips and
 * culls (feedback_pipeline.c), and its last stage gives them to GL (feedback.c).
 */
#ifndef DRI_FEEDBACK_H
#define DRI_FEEDBACK_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/shader_enums.h"
#include "draw/draw_context.h"
#include "draw/draw_pipe.h"
#include "draw/draw_private.h"
#include "draw/draw_vs.h"
#include "main/dd.h"
#include "pipe/p_state.h"

struct gl_context;
struct gl_program;
struct gl_vertex_array_object;

/* One per GL context that needs it, as st_context::feedback_stage. */
struct feedback {
   struct draw_stage stage; /* the last one, in the place of rasterization */
   struct gl_context *ctx;
   struct dd_function_table render; /* Mesa's functions for drawing to the framebuffer */
   bool line_reset;                 /* the next line begins a stipple pattern */

   /* glRasterPos runs: one point, of the vertex program alone. */
   bool raster_position;
   struct gl_vertex_array_object *vao; /* the position; NULL before the first */

   /* A recorded vertex: vectors of four words, place[] says where each varying lies.  The
    * program that the draw module runs copies them.
    */
   unsigned vectors;
   int8_t place[VARYING_SLOT_MAX]; /* -1: the program does not write it */
   struct draw_vertex_shader copy;
   struct pipe_rasterizer_state rasterizer;

   /* Memory for recorded vertices; NULL before the first. */
   struct pipe_stream_output_target *target;
   uint32_t size; /* bytes */
};

/* Has the device run the programs for these draws, of GL's state, and sends their
 * primitives through the pipeline.  GL_OUT_OF_MEMORY where a draw has too many vertices.
 */
void feedback_draw(struct feedback *f, const struct pipe_draw_info *info, unsigned drawid_offset,
                   const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

void feedback_release_memory(struct feedback *f);

/* feedback_pipeline.c */

/* Raises GL_OUT_OF_MEMORY. */
void feedback_out_of_memory(struct feedback *f);
/* Takes over GL's state; then f->rasterizer is valid. */
void feedback_set_pipeline(struct feedback *f);
/* Describes the vertex: the vectors of `slots` (bits VARYING_SLOT_), which `last` writes. */
void feedback_set_vertex(struct feedback *f, const struct gl_program *last, uint64_t slots);
/* `pieces` lie within the recorded vertices. */
void feedback_run_pipeline(struct feedback *f, enum pipe_prim_type mode,
                           const struct pipe_draw_start_count_bias *pieces, unsigned num_pieces,
                           uint32_t vertices);

static inline unsigned
feedback_vertex_bytes(const struct feedback *f)
{
   return f->vectors * 16;
}

#endif
