/* SPDX-License-Identifier: MIT */
/*
 * Debug groups as markers in the command stream, for captures: Mesa hands on the
 * texts of glDebugMessageInsert and glStringMarkerGREMEDY, but not groups.  The linker
 * puts these functions in the place of Mesa's (--wrap in meson.build; docs/dri.md).
 */
#include <stdio.h>

#include "main/context.h"
#include "main/debug_output.h"
#include "main/mtypes.h"
#include "pipe/p_context.h"

void GLAPIENTRY __real__mesa_PushDebugGroup(GLenum source, GLuint id, GLsizei length,
                                            const GLchar *message);
void GLAPIENTRY __real__mesa_PopDebugGroup(void);
void GLAPIENTRY __wrap__mesa_PushDebugGroup(GLenum source, GLuint id, GLsizei length,
                                            const GLchar *message);
void GLAPIENTRY __wrap__mesa_PopDebugGroup(void);

static int
depth(struct gl_context *ctx)
{
   return _mesa_get_debug_state_int(ctx, GL_DEBUG_GROUP_STACK_DEPTH);
}

/* The marker comes after everything that was drawn before it. */
static void
mark(struct gl_context *ctx, const char *text, int length)
{
   if (ctx->has_string_marker) {
      FLUSH_VERTICES(ctx, 0, 0);
      ctx->pipe->emit_string_marker(ctx->pipe, text, length);
   }
}

void GLAPIENTRY
__wrap__mesa_PushDebugGroup(GLenum source, GLuint id, GLsizei length, const GLchar *message)
{
   GET_CURRENT_CONTEXT(ctx);
   const int before = depth(ctx);

   __real__mesa_PushDebugGroup(source, id, length, message);
   /* Else it was an error. */
   if (depth(ctx) > before) {
      char text[256];
      const int n = length < 0 ? snprintf(text, sizeof text, "push %s", message)
                               : snprintf(text, sizeof text, "push %.*s", (int)length, message);
      mark(ctx, text, MIN2(n, (int)sizeof text - 1));
   }
}

void GLAPIENTRY
__wrap__mesa_PopDebugGroup(void)
{
   GET_CURRENT_CONTEXT(ctx);
   const int before = depth(ctx);

   __real__mesa_PopDebugGroup();
   if (depth(ctx) < before)
      mark(ctx, "pop", 3);
}
