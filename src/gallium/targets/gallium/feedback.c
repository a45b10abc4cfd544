/* SPDX-License-Identifier: MIT */
/* Implements GL_FEEDBACK, GL_SELECT and glRasterPos: the last stage of the draw module's pipeline,
 * which passes primitives to GL, and the GL calls that draw in these modes.  Mesa's versions of
 * these calls interpret vertex programs on the CPU, so the linker replaces them with the functions
 * of this file (--wrap in meson.build; see docs/dri.md).
 */
#include "feedback.h"

#include "draw_numbers.h"
#include "main/arrayobj.h"
#include "main/bufferobj.h"
#include "main/context.h"
#include "main/draw.h"
#include "main/feedback.h"
#include "main/framebuffer.h"
#include "main/macros.h"
#include "main/rastpos.h"
#include "main/state.h"
#include "main/varray.h"
#include "sgpu/sgpu_public.h"
#include "state_tracker/st_atom.h"
#include "state_tracker/st_cb_feedback.h"
#include "state_tracker/st_cb_rasterpos.h"
#include "state_tracker/st_context.h"
#include "state_tracker/st_draw.h"
#include "state_tracker/st_program.h"
#include "state_tracker/st_util.h"
#include "util/u_draw.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

void __wrap_st_RenderMode(struct gl_context *ctx, GLenum mode);
void __wrap_st_RasterPos(struct gl_context *ctx, const GLfloat position[4]);

GLint GLAPIENTRY __real__mesa_RenderMode(GLenum mode);
GLint GLAPIENTRY __wrap__mesa_RenderMode(GLenum mode);
void GLAPIENTRY __real__mesa_InitNames(void);
void GLAPIENTRY __wrap__mesa_InitNames(void);
void GLAPIENTRY __real__mesa_LoadName(GLuint name);
void GLAPIENTRY __wrap__mesa_LoadName(GLuint name);
void GLAPIENTRY __real__mesa_PushName(GLuint name);
void GLAPIENTRY __wrap__mesa_PushName(GLuint name);
void GLAPIENTRY __real__mesa_PopName(void);
void GLAPIENTRY __wrap__mesa_PopName(void);
void GLAPIENTRY __real__mesa_PassThrough(GLfloat token);
void GLAPIENTRY __wrap__mesa_PassThrough(GLfloat token);
void GLAPIENTRY __real__mesa_DrawPixels(GLsizei width, GLsizei height, GLenum format, GLenum type,
                                        const GLvoid *pixels);
void GLAPIENTRY __wrap__mesa_DrawPixels(GLsizei width, GLsizei height, GLenum format, GLenum type,
                                        const GLvoid *pixels);
void GLAPIENTRY __real__mesa_CopyPixels(GLint x, GLint y, GLsizei width, GLsizei height,
                                        GLenum type);
void GLAPIENTRY __wrap__mesa_CopyPixels(GLint x, GLint y, GLsizei width, GLsizei height,
                                        GLenum type);
void GLAPIENTRY __real__mesa_Bitmap(GLsizei width, GLsizei height, GLfloat x, GLfloat y, GLfloat dx,
                                    GLfloat dy, const GLubyte *bits);
void GLAPIENTRY __wrap__mesa_Bitmap(GLsizei width, GLsizei height, GLfloat x, GLfloat y, GLfloat dx,
                                    GLfloat dy, const GLubyte *bits);

static struct feedback *
feedback(struct draw_stage *stage)
{
   return (struct feedback *)stage;
}

/*
 * Last stage of the pipeline
 */

/* Returns an output of the last shader, or the current vertex attribute if the shader does not
 * write this output.
 */
static const float *
attribute(const struct feedback *f, const struct vertex_header *v, unsigned slot, unsigned current)
{
   return f->place[slot] >= 0 ? v->data[f->place[slot]] : f->ctx->Current.Attrib[current];
}

/* Converts y to GL window coordinates.  In Gallium, y = 0 is the top row of a window. */
static float
window_y(const struct feedback *f, float y)
{
   return f->state.height ? f->state.height - y : y;
}

static void
set_raster_position(struct feedback *f, const struct vertex_header *v)
{
   struct gl_context *ctx = f->ctx;
   const float *position = v->data[f->place[VARYING_SLOT_POS]];

   ctx->Current.RasterPosValid = GL_TRUE;
   ctx->Current.RasterPos[0] = position[0];
   ctx->Current.RasterPos[1] = window_y(f, position[1]);
   ctx->Current.RasterPos[2] = position[2];
   ctx->Current.RasterPos[3] = position[3];
   if (f->place[VARYING_SLOT_FOGC] >= 0)
      ctx->Current.RasterDistance = v->data[f->place[VARYING_SLOT_FOGC]][0];
   COPY_4V(ctx->Current.RasterColor, attribute(f, v, VARYING_SLOT_COL0, VERT_ATTRIB_COLOR0));
   COPY_4V(ctx->Current.RasterSecondaryColor,
           attribute(f, v, VARYING_SLOT_COL1, VERT_ATTRIB_COLOR1));
   for (unsigned i = 0; i < ctx->Const.MaxTextureCoordUnits; i++)
      COPY_4V(ctx->Current.RasterTexCoords[i],
              attribute(f, v, VARYING_SLOT_TEX0 + i, VERT_ATTRIB_TEX0 + i));
   if (ctx->RenderMode == GL_SELECT)
      _mesa_update_hitflag(ctx, ctx->Current.RasterPos[2]);
}

/* Writes a vertex to the feedback buffer.  Flat-shaded primitives take the colors of all vertices
 * from `provoking`.
 */
static void
feed_vertex(const struct feedback *f, const struct vertex_header *v,
            const struct vertex_header *provoking)
{
   const struct vertex_header *colored = f->state.rasterizer.flatshade ? provoking : v;
   const float *position = v->data[f->place[VARYING_SLOT_POS]];
   const float window[4] = {
      position[0],
      window_y(f, position[1]),
      position[2],
      1.0f / position[3],
   };

   _mesa_feedback_vertex(f->ctx, window,
                         attribute(f, colored, VARYING_SLOT_COL0, VERT_ATTRIB_COLOR0),
                         attribute(f, v, VARYING_SLOT_TEX0, VERT_ATTRIB_TEX0));
}

static void
take(struct feedback *f, const struct prim_header *prim, unsigned corners, GLenum token)
{
   if (f->ctx->RenderMode == GL_SELECT) {
      for (unsigned i = 0; i < corners; i++)
         _mesa_update_hitflag(f->ctx, prim->v[i]->data[f->place[VARYING_SLOT_POS]][2]);
      return;
   }
   _mesa_feedback_token(f->ctx, token);
   if (token == GL_POLYGON_TOKEN)
      _mesa_feedback_token(f->ctx, corners);
   for (unsigned i = 0; i < corners; i++)
      feed_vertex(f, prim->v[i], prim->v[f->state.rasterizer.flatshade_first ? 0 : corners - 1]);
}

static void
take_point(struct draw_stage *stage, struct prim_header *prim)
{
   struct feedback *f = feedback(stage);

   if (f->raster_position)
      set_raster_position(f, prim->v[0]);
   else
      take(f, prim, 1, GL_POINT_TOKEN);
}

static void
take_line(struct draw_stage *stage, struct prim_header *prim)
{
   struct feedback *f = feedback(stage);
   const bool reset = f->line_reset || (prim->flags & DRAW_PIPE_RESET_STIPPLE);

   take(f, prim, 2, reset ? GL_LINE_RESET_TOKEN : GL_LINE_TOKEN);
   f->line_reset = false;
}

static void
take_triangle(struct draw_stage *stage, struct prim_header *prim)
{
   take(feedback(stage), prim, 3, GL_POLYGON_TOKEN);
}

static void
flush_stage(struct draw_stage *stage, unsigned flags)
{
}

static void
reset_stipple_counter(struct draw_stage *stage)
{
   feedback(stage)->line_reset = true;
}

static void
destroy(struct draw_stage *stage)
{
   struct feedback *f = feedback(stage);

   feedback_queue_fini(f);
   feedback_release_memory(f);
   _mesa_reference_vao(f->ctx, &f->vao, NULL);
   FREE(f);
}

/* Returns the feedback stage of the context, and creates it if necessary.  On allocation failure,
 * sets GL_OUT_OF_MEMORY and returns NULL.  The draw module will destroy the stage.
 */
static struct feedback *
feedback_of(struct gl_context *ctx)
{
   struct st_context *st = ctx->st;

   if (!st_get_draw_context(st))
      return NULL;
   if (st->feedback_stage)
      return feedback(st->feedback_stage);

   struct feedback *f = CALLOC_STRUCT(feedback);
   if (!f) {
      _mesa_error(ctx, GL_OUT_OF_MEMORY, "feedback");
      return NULL;
   }
   f->ctx = ctx;
   f->stage.draw = st->draw;
   f->stage.point = take_point;
   f->stage.line = take_line;
   f->stage.tri = take_triangle;
   f->stage.flush = flush_stage;
   f->stage.reset_stipple_counter = reset_stipple_counter;
   f->stage.destroy = destroy;
   st_init_draw_functions(st->screen, &f->render);
   draw_set_rasterize_stage(st->draw, &f->stage);
   st->feedback_stage = &f->stage;
   return f;
}

/*
 * GL calls
 */

static void
draw_one(void *f, const struct pipe_draw_info *info, unsigned drawid_offset,
         const struct pipe_draw_start_count_bias *one)
{
   feedback_draw(f, info, drawid_offset, one, 1);
}

static void
draw(struct gl_context *ctx, const struct pipe_draw_info *info, unsigned drawid_offset,
     const struct pipe_draw_indirect_info *indirect, const struct pipe_draw_start_count_bias *draws,
     unsigned num_draws)
{
   struct feedback *f = feedback(ctx->st->feedback_stage);

   if (indirect)
      draw_numbers_read(ctx->pipe, info, drawid_offset, indirect, draw_one, f);
   else
      feedback_draw(f, info, drawid_offset, draws, num_draws);
   draw_numbers_release_indices(info);
}

static void
draw_modes(struct gl_context *ctx, struct pipe_draw_info *info,
           const struct pipe_draw_start_count_bias *draws, const unsigned char *mode,
           unsigned num_draws)
{
   struct feedback *f = feedback(ctx->st->feedback_stage);

   for (unsigned i = 0; i < num_draws; i++) {
      info->mode = mode[i];
      feedback_draw(f, info, 0, &draws[i], 1);
   }
   draw_numbers_release_indices(info);
}

void
__wrap_st_RenderMode(struct gl_context *ctx, GLenum mode)
{
   struct st_context *st = ctx->st;

   if (st->feedback_stage)
      feedback_leave(feedback(st->feedback_stage));
   if (mode == GL_RENDER) {
      st_init_draw_functions(st->screen, &ctx->Driver);
      return;
   }
   if (!feedback_of(ctx))
      return;
   feedback(st->feedback_stage)->line_reset = false;
   ctx->Driver.DrawGallium = draw;
   ctx->Driver.DrawGalliumMultiMode = draw_modes;
   /* In feedback mode, the fixed-function vertex program must write colors and texture coordinates.
    */
   if (mode == GL_FEEDBACK && ctx->VertexProgram._Current)
      ctx->NewDriverState |= ST_NEW_VERTEX_PROGRAM(ctx, ctx->VertexProgram._Current);
}

/* Draws the vertices that Mesa has buffered and returns the feedback stage, whose queue may still
 * hold draws.  Returns NULL in GL_RENDER mode and between glBegin and glEnd.
 */
static struct feedback *
draws_end(struct gl_context *ctx)
{
   struct st_context *st = ctx->st;

   if (ctx->RenderMode == GL_RENDER || !st->feedback_stage || _mesa_inside_begin_end(ctx))
      return NULL;
   FLUSH_VERTICES(ctx, 0, 0);
   return feedback(st->feedback_stage);
}

/* Finishes all queued draws before the mode changes, because glRenderMode() returns their results.
 */
GLint GLAPIENTRY
__wrap__mesa_RenderMode(GLenum mode)
{
   GET_CURRENT_CONTEXT(ctx);
   struct feedback *f = draws_end(ctx);

   if (f)
      feedback_finish(f);
   if (f && ctx->RenderMode == GL_SELECT)
      feedback_queue_names(f);
   return __real__mesa_RenderMode(mode);
}

static void
names_change(struct gl_context *ctx)
{
   struct feedback *f = ctx->RenderMode == GL_SELECT ? draws_end(ctx) : NULL;

   if (f)
      feedback_queue_names(f);
}

/* A GL call with an error leaves the name stack unchanged, so the functions below check for errors
 * first.
 */
void GLAPIENTRY
__wrap__mesa_InitNames(void)
{
   GET_CURRENT_CONTEXT(ctx);

   names_change(ctx);
   __real__mesa_InitNames();
}

void GLAPIENTRY
__wrap__mesa_LoadName(GLuint name)
{
   GET_CURRENT_CONTEXT(ctx);

   if (ctx->Select.NameStackDepth)
      names_change(ctx);
   __real__mesa_LoadName(name);
}

void GLAPIENTRY
__wrap__mesa_PushName(GLuint name)
{
   GET_CURRENT_CONTEXT(ctx);

   if (ctx->Select.NameStackDepth < MAX_NAME_STACK_DEPTH)
      names_change(ctx);
   __real__mesa_PushName(name);
}

void GLAPIENTRY
__wrap__mesa_PopName(void)
{
   GET_CURRENT_CONTEXT(ctx);

   if (ctx->Select.NameStackDepth)
      names_change(ctx);
   __real__mesa_PopName();
}

void GLAPIENTRY
__wrap__mesa_PassThrough(GLfloat token)
{
   GET_CURRENT_CONTEXT(ctx);
   struct feedback *f = ctx->RenderMode == GL_FEEDBACK ? draws_end(ctx) : NULL;

   if (!f || !feedback_queue_token(f, token))
      __real__mesa_PassThrough(token);
}

/* Finishes all queued draws before a call that writes feedback tokens directly. */
static void
tokens_follow(void)
{
   GET_CURRENT_CONTEXT(ctx);
   struct feedback *f = ctx->RenderMode == GL_FEEDBACK ? draws_end(ctx) : NULL;

   if (f)
      feedback_finish(f);
}

void GLAPIENTRY
__wrap__mesa_DrawPixels(GLsizei width, GLsizei height, GLenum format, GLenum type,
                        const GLvoid *pixels)
{
   tokens_follow();
   __real__mesa_DrawPixels(width, height, format, type, pixels);
}

void GLAPIENTRY
__wrap__mesa_CopyPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum type)
{
   tokens_follow();
   __real__mesa_CopyPixels(x, y, width, height, type);
}

void GLAPIENTRY
__wrap__mesa_Bitmap(GLsizei width, GLsizei height, GLfloat x, GLfloat y, GLfloat dx, GLfloat dy,
                    const GLubyte *bits)
{
   tokens_follow();
   __real__mesa_Bitmap(width, height, x, y, dx, dy, bits);
}

static struct gl_vertex_array_object *
position_array(struct gl_context *ctx)
{
   struct gl_vertex_array_object *vao = _mesa_new_vao(ctx, ~0u);

   if (!vao)
      return NULL;
   _mesa_vertex_attrib_binding(ctx, vao, VERT_ATTRIB_POS, 0);
   _mesa_update_array_format(ctx, vao, VERT_ATTRIB_POS, 4, GL_FLOAT, GL_RGBA, GL_FALSE, GL_FALSE,
                             GL_FALSE, 0);
   _mesa_enable_vertex_array_attrib(ctx, vao, VERT_ATTRIB_POS);
   return vao;
}

void
__wrap_st_RasterPos(struct gl_context *ctx, const GLfloat position[4])
{
   const struct gl_program *program = ctx->VertexProgram._Current;
   const struct pipe_draw_info info = { .mode = MESA_PRIM_POINTS, .instance_count = 1 };
   const struct pipe_draw_start_count_bias point = { .count = 1 };

   /* Use Mesa's implementation for the fixed-function pipeline. */
   if (!program || program == ctx->VertexProgram._TnlProgram) {
      _mesa_RasterPos(ctx, position);
      return;
   }
   struct feedback *f = feedback_of(ctx);
   if (!f)
      return;
   if (!f->vao)
      f->vao = position_array(ctx);
   if (!f->vao) {
      _mesa_error(ctx, GL_OUT_OF_MEMORY, "glRasterPos");
      return;
   }

   ctx->PopAttribState |= GL_CURRENT_BIT;
   ctx->Current.RasterPosValid = GL_FALSE;
   f->vao->VertexAttrib[VERT_ATTRIB_POS].Ptr = (const GLubyte *)position;
   ctx->NewDriverState |= ST_NEW_VERTEX_ARRAYS;
   /* Where vertex buffers are merged, the vertex elements depend on them. */
   ctx->Array.NewVertexElements |= !ctx->Const.UseVAOFastPath;

   struct gl_vertex_array_object *old_vao;
   GLbitfield old_filter;
   feedback_finish(f);
   _mesa_save_and_set_draw_vao(ctx, f->vao, VERT_BIT_POS, &old_vao, &old_filter);
   _mesa_set_varying_vp_inputs(ctx, VERT_BIT_POS & ctx->Array._DrawVAO->_EnabledWithMapMode);
   st_prepare_draw(ctx, ST_PIPELINE_RENDER_STATE_MASK);
   f->raster_position = true;
   feedback_draw(f, &info, 0, &point, 1);
   f->raster_position = false;
   _mesa_restore_draw_vao(ctx, old_vao, old_filter);
   if (ctx->RenderMode == GL_RENDER)
      feedback_leave(f);
}
