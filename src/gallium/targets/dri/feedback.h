/* SPDX-License-Identifier: MIT */
/*
 * GL_FEEDBACK, GL_SELECT and glRasterPos: the device runs the programs and records their
 * vertices (feedback_record.c).  Draws wait in a queue for what it records
 * (feedback_queue.c).  Mesa's draw module makes primitives of them, clips and culls
 * (feedback_pipeline.c), and its last stage gives them to GL (feedback.c).
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
#include "util/bitscan.h"
#include "util/u_dynarray.h"

struct gl_context;
struct gl_program;
struct gl_vertex_array_object;

/* What the pipeline does with a draw's vertices: GL's state when that was drawn. */
struct feedback_state {
   uint64_t slots; /* bits VARYING_SLOT_: vectors of a recorded vertex, four words each */
   unsigned clip_distances, cull_distances; /* that the last program declares */
   unsigned height; /* of a drawable whose rows GL counts from the bottom; else 0 */
   struct pipe_rasterizer_state rasterizer;
   struct pipe_clip_state clip;
   unsigned num_viewports;
   struct pipe_viewport_state viewport[PIPE_MAX_VIEWPORTS];
};

/* Draws whose vertices the device records, and calls that follow them, in order. */
struct feedback_queue {
   struct util_dynarray entries; /* struct feedback_entry */
   struct util_dynarray pieces;  /* struct pipe_draw_start_count_bias: of all draws */
   struct util_dynarray names;   /* uint32_t: of all stacks */
   struct util_dynarray states;  /* struct feedback_state */
   uint32_t num_draws;           /* groups of draws, of one call each */
   uint32_t used;                /* bytes of the target: the draws' vertices */
   uint32_t base;                /* where those of the latest state begin */
};

/* One per GL context that needs it, as st_context::feedback_stage. */
struct feedback {
   struct draw_stage stage; /* the last one, in the place of rasterization */
   struct gl_context *ctx;
   struct dd_function_table render; /* Mesa's functions for drawing to the framebuffer */
   bool line_reset;                 /* the next line begins a stipple pattern */
   uint32_t records;                /* slots, as of sgpu_context_record */

   /* glRasterPos runs: one point, of the vertex program alone. */
   bool raster_position;
   struct gl_vertex_array_object *vao; /* the position; NULL before the first */

   /* The pipeline's state.  The program that the draw module runs copies vertices. */
   struct feedback_state state;
   unsigned vectors;
   int8_t place[VARYING_SLOT_MAX]; /* -1: the program does not write it */
   struct draw_vertex_shader copy;

   /* Memory for recorded vertices; NULL before the first. */
   struct pipe_stream_output_target *target;
   uint32_t size; /* bytes */
   struct feedback_queue queue;
};

/* Has the device run the programs for these draws, of GL's state.  Their primitives go through
 * the pipeline at the next feedback_finish at the latest.  GL_OUT_OF_MEMORY where a draw has too
 * many vertices.
 */
void feedback_draw(struct feedback *f, const struct pipe_draw_info *info, unsigned drawid_offset,
                   const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
/* Ends a render mode: programs' transform feedback is their own again. */
void feedback_leave(struct feedback *f);

void feedback_release_memory(struct feedback *f);

/* Room for vertices behind those that the queue waits for, which may have to end first.  False
 * without memory, of which GL then knows.
 */
bool feedback_reserve(struct feedback *f, uint64_t bytes);
/* Maps what the device has recorded of `bytes`, which it waits for; NULL: nothing, or no memory. */
const void *feedback_map(struct feedback *f, uint32_t *bytes, struct pipe_transfer **transfer);

/* feedback_queue.c */

/* GL has the results of all draws so far. */
void feedback_finish(struct feedback *f);
/* A draw of `vertices`, which the device records behind those before, comes into the queue; pieces
 * begin at its first vertex.
 */
void feedback_queue_draw(struct feedback *f, const struct feedback_state *state,
                         enum pipe_prim_type mode, const struct pipe_draw_start_count_bias *pieces,
                         unsigned num_pieces, uint32_t vertices);
/* glPassThrough, where draws wait.  False: none do any more. */
bool feedback_queue_token(struct feedback *f, float token);
/* The names are about to change: GL's hits, and those of draws that wait, are of the names so far.
 * GL has their record, or will have.
 */
void feedback_queue_names(struct feedback *f);
void feedback_queue_fini(struct feedback *f);

/* feedback_pipeline.c */

/* Raises GL_OUT_OF_MEMORY. */
void feedback_out_of_memory(struct feedback *f);
/* GL's state; slots and distances are the caller's. */
void feedback_get_state(const struct feedback *f, struct feedback_state *state);
void feedback_set_state(struct feedback *f, const struct feedback_state *state);
/* The vertices from now on, in the pipeline's state; NULL: none. */
void feedback_set_vertices(struct feedback *f, const void *vertices, uint32_t bytes);
/* `pieces` lie within the vertices. */
void feedback_run_pipeline(struct feedback *f, enum pipe_prim_type mode,
                           const struct pipe_draw_start_count_bias *pieces, unsigned num_pieces);

static inline size_t
feedback_viewport_bytes(const struct feedback_state *state)
{
   return state->num_viewports * sizeof(state->viewport[0]);
}

static inline unsigned
feedback_vertex_bytes(const struct feedback_state *state)
{
   return util_bitcount64(state->slots) * 16;
}

#endif
