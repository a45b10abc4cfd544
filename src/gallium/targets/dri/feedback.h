/* SPDX-License-Identifier: MIT */
/*
 * GL_FEEDBACK, GL_SELECT and glRasterPos.  The device runs the programs and records their
 * vertices (feedback_record.c).  Draws wait in a queue for their recorded vertices
 * (feedback_queue.c).  Mesa's draw module assembles primitives from the vertices, clips and
 * culls them (feedback_pipeline.c), and its last stage passes them to GL (feedback.c).
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

/* GL state at the time of a draw, which the pipeline uses for the draw's vertices. */
struct feedback_state {
   uint64_t slots; /* VARYING_SLOT_ bits of a recorded vertex, with four words per slot */
   unsigned clip_distances, cull_distances; /* numbers of distances in the last program */
   unsigned height; /* height of the drawable if GL counts its rows from the bottom, else 0 */
   struct pipe_rasterizer_state rasterizer;
   struct pipe_clip_state clip;
   unsigned num_viewports;
   struct pipe_viewport_state viewport[PIPE_MAX_VIEWPORTS];
};

/* Draws whose vertices the device records, and calls that follow them, in order. */
struct feedback_queue {
   struct util_dynarray entries; /* struct entry of feedback_queue.c */
   struct util_dynarray pieces;  /* struct pipe_draw_start_count_bias of all draws */
   struct util_dynarray names;   /* uint32_t: names of all ENTRY_NAMES entries */
   struct util_dynarray states;  /* struct feedback_state of all ENTRY_STATE entries */
   uint32_t num_draws;           /* number of groups of draws; a group belongs to one GL call */
   uint32_t used;                /* bytes of the target that the draws' vertices take */
   uint32_t base;                /* byte offset of the vertices with the latest state */
};

/* One per GL context that needs it, as st_context::feedback_stage. */
struct feedback {
   struct draw_stage stage; /* last stage of the draw module, instead of rasterization */
   struct gl_context *ctx;
   struct dd_function_table render; /* Mesa's functions for drawing to the framebuffer */
   bool line_reset;                 /* the next line starts a stipple pattern */
   uint32_t records;                /* current slots of sgpu_context_record() */

   /* Set while glRasterPos draws a point with only the vertex program. */
   bool raster_position;
   struct gl_vertex_array_object *vao; /* array with the position, or NULL before the first call */

   /* State of the pipeline.  The draw module runs `copy`, a vertex shader that copies vertices. */
   struct feedback_state state;
   unsigned vectors;               /* number of vectors in a recorded vertex */
   int8_t place[VARYING_SLOT_MAX]; /* index of the slot's vector, or -1 if it is not recorded */
   struct draw_vertex_shader copy;

   /* Memory for recorded vertices, or NULL, and its size in bytes. */
   struct pipe_stream_output_target *target;
   uint32_t size;
   struct feedback_queue queue;
};

/* Runs the programs for these draws on the device, with the current GL state.  The primitives go
 * through the pipeline in the next feedback_finish() or earlier.  Sets GL_OUT_OF_MEMORY if a draw
 * has too many vertices.
 */
void feedback_draw(struct feedback *f, const struct pipe_draw_info *info, unsigned drawid_offset,
                   const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
/* Finishes all draws and gives transform feedback back to the application. */
void feedback_leave(struct feedback *f);

void feedback_release_memory(struct feedback *f);

/* Reserves `bytes` bytes for vertices after those of queued draws, which may be finished first.
 * Returns false, with GL_OUT_OF_MEMORY set, if out of memory.
 */
bool feedback_reserve(struct feedback *f, uint64_t bytes);
/* Waits for the device and maps the recorded vertices.  Reduces *bytes to the number of bytes that
 * were recorded.  Returns NULL if there are none or memory runs out.
 */
const void *feedback_map(struct feedback *f, uint32_t *bytes, struct pipe_transfer **transfer);

/* feedback_queue.c */

/* Runs all entries of the queue, so that GL has the results of all draws. */
void feedback_finish(struct feedback *f);
/* Adds a draw to the queue.  The device records its `vertices` vertices after those of the draws
 * before.  The starts of the pieces are relative to the first vertex of this draw.
 */
void feedback_queue_draw(struct feedback *f, const struct feedback_state *state,
                         enum pipe_prim_type mode, const struct pipe_draw_start_count_bias *pieces,
                         unsigned num_pieces, uint32_t vertices);
/* Queues a glPassThrough token.  Returns false, with an empty queue, if it is not queued. */
bool feedback_queue_token(struct feedback *f, float token);
/* Must be called before the names change.  Writes a hit record with the current names, or queues it
 * if there are queued draws, whose hits belong to these names.
 */
void feedback_queue_names(struct feedback *f);
void feedback_queue_fini(struct feedback *f);

/* feedback_pipeline.c */

/* Sets the GL error GL_OUT_OF_MEMORY. */
void feedback_out_of_memory(struct feedback *f);
/* Fills in the current GL state, except for slots and distances, which the caller sets. */
void feedback_get_state(const struct feedback *f, struct feedback_state *state);
void feedback_set_state(struct feedback *f, const struct feedback_state *state);
/* Sets the vertices of the pipeline, or unbinds them if `vertices` is NULL. */
void feedback_set_vertices(struct feedback *f, const void *vertices, uint32_t bytes);
/* Runs primitives through the pipeline.  All pieces must be inside the vertices that were set. */
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
