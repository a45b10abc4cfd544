/* SPDX-License-Identifier: MIT */
/*
 * Draws frames in a window from buffers with persistent mappings, for check_persistent.py: vertices
 * that are written again as soon as the device has released them, and a buffer that both the
 * program and the device write.
 */
#include <string.h>

#include "../run/x11_glx.h"

#define FRAMES 12
#define QUADS 40 /* number of quads per frame; more than one submission */
#define SLOTS 2

struct vertex {
   GLfloat x, y;
   GLubyte rgba[4];
};

#define FLAGS (GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT)

static void *
map(GLenum target, GLsizeiptr size)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(target, buffer);
   glBufferStorage(target, size, NULL, FLAGS);
   void *p = glMapBufferRange(target, 0, size, FLAGS);
   CHECK(p);
   return p;
}

static void
write_quad(struct vertex v[4], int frame, int i)
{
   for (int corner = 0; corner < 4; corner++) {
      const int right = corner == 1 || corner == 2, up = corner >= 2;

      v[corner].x = (i % 8 + right) / 4.0f - 1;
      v[corner].y = (i / 8 + up) / 2.5f - 1;
      v[corner].rgba[0] = i * 6 + frame;
      v[corner].rgba[1] = frame * 20;
      v[corner].rgba[2] = corner * 60;
      v[corner].rgba[3] = 255;
   }
}

static void
run(void)
{
   const struct vertex *none = NULL;
   const GLsizeiptr half = QUADS / 2 * 4 * sizeof *none;
   GLXFBConfig config = choose(True, GLX_WINDOW_BIT);
   Window window = window_for(config, 0, 0, WIDTH, HEIGHT);
   GLXContext context = context_for(config, NULL);
   GLsync fences[SLOTS] = { NULL };

   CHECK(glXMakeContextCurrent(dpy, window, window, context));
   glViewport(0, 0, WIDTH, HEIGHT);
   struct vertex *source = map(GL_COPY_READ_BUFFER, half);
   struct vertex *slots = map(GL_ARRAY_BUFFER, SLOTS * QUADS * 4 * sizeof *slots);
   glVertexPointer(2, GL_FLOAT, sizeof *slots, &none->x);
   glColorPointer(4, GL_UNSIGNED_BYTE, sizeof *slots, none->rgba);
   glEnableClientState(GL_VERTEX_ARRAY);
   glEnableClientState(GL_COLOR_ARRAY);

   for (int frame = 0; frame < FRAMES; frame++) {
      const int first = frame % SLOTS * QUADS * 4;

      if (fences[frame % SLOTS])
         glClientWaitSync(fences[frame % SLOTS], GL_SYNC_FLUSH_COMMANDS_BIT, UINT64_MAX);
      glDeleteSync(fences[frame % SLOTS]);
      glClear(GL_COLOR_BUFFER_BIT);

      /* The device copies one half of the quads from a buffer that the program has written. */
      if (frame < 2 || frame % 3 == 0) {
         glFinish();
         for (int i = 0; i < QUADS / 2; i++)
            write_quad(source + i * 4, frame, i);
      }
      glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, first * sizeof *slots, half);
      /* The program writes the other half through the pointer, draw by draw. */
      for (int i = 0; i < QUADS; i++) {
         if (i >= QUADS / 2)
            write_quad(slots + first + i * 4, frame, i);
         glDrawArrays(GL_QUADS, first + i * 4, 4);
      }
      fences[frame % SLOTS] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
      glXSwapBuffers(dpy, window);
   }
   CHECK(glGetError() == GL_NO_ERROR);
   glXMakeContextCurrent(dpy, None, None, NULL);
   glXDestroyContext(dpy, context);
}

int
main(int argc, char **argv)
{
   static const struct x11_test tests[] = { { "frames", run } };

   return x11_main(argc, argv, NULL, tests, 1);
}
