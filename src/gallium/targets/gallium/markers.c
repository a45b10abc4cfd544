/* SPDX-License-Identifier: MIT */
/* Writes debug groups to the command stream as markers, for captures.  Mesa passes the texts of
 * glDebugMessageInsert and glStringMarkerGREMEDY to the driver, but not debug groups.  The linker
 * therefore replaces Mesa's functions for debug groups with these (--wrap in meson.build; see
 * docs/dri.md).
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

/* Writes a marker after all earlier draws.  First flushes vertices of these draws that Mesa has
 * buffered.
 */
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
   /* If the call has a GL error, the depth of the group stack doesn't change. */
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
