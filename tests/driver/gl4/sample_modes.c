/* SPDX-License-Identifier: MIT */
/*
 * Tests AMD_framebuffer_multisample_advanced: a framebuffer of each mode is complete, and numbers of
 * stored samples are rounded up to those of a mode.
 */
#include "core.h"

/* Headers of Debian 12 have no type for it. */
typedef void (*storage_func)(GLenum target, GLsizei samples, GLsizei stored, GLenum format,
                             GLsizei width, GLsizei height);
static storage_func storage;

/* Returns whether a framebuffer with these numbers of samples is complete. */
static bool
is_complete(GLint color, GLint stored, GLint depth)
{
   GLuint fb, buffers[2];
   GLint value[2];

   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glGenRenderbuffers(2, buffers);
   glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
   storage(GL_RENDERBUFFER, color, stored, GL_RGBA8, 16, 16);
   glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &value[0]);
   glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_STORAGE_SAMPLES_AMD, &value[1]);
   CHECK(value[0] >= color && value[1] >= stored && value[1] <= value[0], "%d, %d: %d, %d", color,
         stored, value[0], value[1]);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
   glBindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
   storage(GL_RENDERBUFFER, depth, depth, GL_DEPTH_COMPONENT24, 16, 16);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
   const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
   if (complete)
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDeleteFramebuffers(1, &fb);
   glDeleteRenderbuffers(2, buffers);
   return complete;
}

int
main(void)
{
   GLint count = 0, modes[32][3];

   core_begin();
   CHECK(core_extension("GL_AMD_framebuffer_multisample_advanced"), "not offered");
   storage = (storage_func)eglGetProcAddress("glRenderbufferStorageMultisampleAdvancedAMD");
   glGetIntegerv(GL_NUM_SUPPORTED_MULTISAMPLE_MODES_AMD, &count);
   CHECK(count > 0 && count <= 32, "%d modes", count);
   glGetIntegerv(GL_SUPPORTED_MULTISAMPLE_MODES_AMD, modes[0]);
   for (GLint i = 0; i < count; i++)
      CHECK(is_complete(modes[i][0], modes[i][1], modes[i][2]), "mode %d", i);
   CHECK(is_complete(4, 2, 4), "4 samples, 2 stored");
   CHECK(is_complete(3, 1, 4), "3 samples, 1 stored");
   CHECK(!is_complete(8, 8, 4), "8 samples, 4 of depth");
   glGetError();
   storage(GL_RENDERBUFFER, 2, 4, GL_RGBA8, 16, 16);
   CHECK(glGetError() == GL_INVALID_OPERATION, "more stored samples than samples");
   return core_end("sample modes");
}
