/* SPDX-License-Identifier: MIT */
/*
 * Draws between debug groups and markers. check_markers.py looks for these in a capture.
 */
#include <stdio.h>

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "pbuffer.h"

#define SIZE 16

static void
draw(void)
{
   glBegin(GL_TRIANGLES);
   glVertex2f(-1.0f, -1.0f);
   glVertex2f(1.0f, -1.0f);
   glVertex2f(0.0f, 1.0f);
   glEnd();
}

int
main(void)
{
   if (!test_pbuffer(SIZE, SIZE))
      return 1;
   glClear(GL_COLOR_BUFFER_BIT);
   glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, -1, "au\u00dfen");
   draw();
   glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 2, 5, "inner and what is cut");
   glColor3f(1.0f, 0.0f, 0.0f);
   draw();
   glPopDebugGroup();
   glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 3,
                        GL_DEBUG_SEVERITY_NOTIFICATION, -1, "message");
   glColor3f(0.0f, 1.0f, 0.0f);
   draw();
   glPopDebugGroup();
   /* This must be an error, since no group is open. */
   glPopDebugGroup();
   if (glGetError() != GL_STACK_UNDERFLOW) {
      fprintf(stderr, "no error where there was no group\n");
      return 1;
   }
   glFinish();
   return 0;
}
