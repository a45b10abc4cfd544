/* SPDX-License-Identifier: MIT */
/* GL_FEEDBACK, GL_SELECT and glRasterPos.  The device runs the shaders and records the output
 * vertices (feedback_record.c).  Draws are queued until their vertices have been recorded
 * (feedback_queue.c).  Mesa's draw module assembles primitives from the vertices, then clips and
 * culls the primitives (feedback_pipeline.c).  Its last stage passes them to GL (feedback.c).
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

/* GL state of a draw that the draw module needs to process the recorded vertices. */
struct feedback_state {
   uint64_t slots; /* VARYING_SLOT_* bits of the vec4s in a recorded vertex */
   /* numbers of clip and cull distances that the last shader writes */
   unsigned clip_distances, cull_distances;
   unsigned height; /* height of the drawable if y = 0 is its top row in Gallium, 0 otherwise */
   struct pipe_rasterizer_state rasterizer;
   struct pipe_clip_state clip;
   unsigned num_viewports;
   struct pipe_viewport_state viewport[PIPE_MAX_VIEWPORTS];
};

/* Queue of draws whose vertices the device is still recording, and of GL calls between these draws.
 */
struct feedback_queue {
   struct util_dynarray entries; /* array of struct entry (feedback_queue.c) */
   /* array of struct pipe_draw_start_count_bias for all queued draws */
   struct util_dynarray pieces;
   struct util_dynarray names;  /* array of uint32_t: the names of all ENTRY_NAMES entries */
   struct util_dynarray states; /* array of struct feedback_state for all ENTRY_STATE entries */
   /* number of queued groups of draws; the draws of a group belong to the same GL call */
   uint32_t num_draws;
   /* number of bytes in `target` that are reserved for the vertices of queued draws */
   uint32_t used;
   uint32_t base; /* byte offset of the first vertex with the latest state */
};

/* Feedback state of a GL context, created on demand as st_context::feedback_stage. */
struct feedback {
   /* last stage of the draw module's pipeline, which replaces rasterization */
   struct draw_stage stage;
   struct gl_context *ctx;
   struct dd_function_table render; /* Mesa's original functions for drawing to the framebuffer */
   bool line_reset;                 /* set if the next line restarts the stipple pattern */
   uint32_t records;                /* slots passed to the latest call of sgpu_context_record() */

   /* set while glRasterPos draws a point with only the vertex shader */
   bool raster_position;
   /* VAO for the position of glRasterPos, or NULL before the first call */
   struct gl_vertex_array_object *vao;

   /* Current state of the draw module, which runs `copy`, a vertex shader that only copies its
    * inputs.
    */
   struct feedback_state state;
   unsigned vectors; /* number of vec4s in a recorded vertex */
   /* index of the vec4 in a recorded vertex for each varying slot, or -1 */
   int8_t place[VARYING_SLOT_MAX];
   bool swizzled; /* set if a viewport swizzles positions */
   struct draw_vertex_shader copy;

   /* target: memory for recorded vertices, or NULL; size: its size in bytes */
   struct pipe_stream_output_target *target;
   uint32_t size;
   struct feedback_queue queue;
};

/* Runs the shaders of `draws` on the device, with the current GL state.  The primitives go through
 * the draw module at the next feedback_finish(), or earlier.  Sets GL_OUT_OF_MEMORY if a draw has
 * too many vertices.
 */
void feedback_draw(struct feedback *f, const struct pipe_draw_info *info, unsigned drawid_offset,
                   const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
/* Finishes all queued draws, and restores the application's transform feedback. */
void feedback_leave(struct feedback *f);

void feedback_release_memory(struct feedback *f);

/* Reserves `bytes` bytes in the target after the vertices of queued draws.  Finishes the queued
 * draws first if there is not enough space.  Returns false and sets GL_OUT_OF_MEMORY on allocation
 * failure.
 */
bool feedback_reserve(struct feedback *f, uint64_t bytes);
/* Waits for the device and maps the recorded vertices.  Reduces *bytes to the number of recorded
 * bytes.  Returns NULL if nothing was recorded or on allocation failure.
 */
const void *feedback_map(struct feedback *f, uint32_t *bytes, struct pipe_transfer **transfer);

/* feedback_queue.c */

/* Waits for all queued draws and processes them, so that GL has their results. */
void feedback_finish(struct feedback *f);
/* Queues a draw with `vertices` vertices, which the device records after the vertices of earlier
 * draws.  The start of each piece is relative to the first vertex of this draw.
 */
void feedback_queue_draw(struct feedback *f, const struct feedback_state *state,
                         enum mesa_prim mode, const struct pipe_draw_start_count_bias *pieces,
                         unsigned num_pieces, uint32_t vertices);
/* Queues a glPassThrough token.  Returns false if no draws are queued.  Also returns false on
 * allocation failure, after finishing all queued draws.
 */
bool feedback_queue_token(struct feedback *f, float token);
/* Must be called before the name stack changes.  If draws are queued, also queues a hit record with
 * the current names, to which the hits of these draws belong.  Otherwise, writes the hit record
 * immediately.
 */
void feedback_queue_names(struct feedback *f);
void feedback_queue_fini(struct feedback *f);

/* feedback_pipeline.c */

/* Sets GL error GL_OUT_OF_MEMORY. */
void feedback_out_of_memory(struct feedback *f);
/* Fills in the current GL state.  The caller sets the slots, and the numbers of clip and cull
 * distances.
 */
void feedback_get_state(const struct feedback *f, struct feedback_state *state);
void feedback_set_state(struct feedback *f, const struct feedback_state *state);
/* Sets the vertex buffer of the draw module, or unbinds it if `vertices` is NULL. */
void feedback_set_vertices(struct feedback *f, const void *vertices, uint32_t bytes);
/* Runs primitives through the draw module.  All pieces must be inside the current vertex buffer. */
void feedback_run_pipeline(struct feedback *f, enum mesa_prim mode,
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
