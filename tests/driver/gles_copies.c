/* SPDX-License-Identifier: MIT */
/*
 * Tests that OpenGL ES copies a framebuffer only to textures whose components it has (OpenGL ES
 * 2.0, table 3.9; 3.2, table 8.13), with glCopyTexImage2D and glCopyTexSubImage2D.
 */
#include "gles.h"

static const struct {
   GLenum source, texture, error;
} copies[] = {
   { GL_RGBA, GL_RGBA, GL_NO_ERROR },
   { GL_RGBA, GL_RGB, GL_NO_ERROR },
   { GL_RGBA, GL_ALPHA, GL_NO_ERROR },
   { GL_RGBA, GL_LUMINANCE, GL_NO_ERROR },
   { GL_RGBA, GL_LUMINANCE_ALPHA, GL_NO_ERROR },
   { GL_RGB, GL_RGB, GL_NO_ERROR },
   { GL_RGB, GL_LUMINANCE, GL_NO_ERROR },
   { GL_RGB, GL_RGBA, GL_INVALID_OPERATION },
   { GL_RGB, GL_ALPHA, GL_INVALID_OPERATION },
   { GL_RGB, GL_LUMINANCE_ALPHA, GL_INVALID_OPERATION },
};

/* Reads the alpha value of a texture through a framebuffer.  The texture must have alpha. */
static GLubyte
alpha_of(GLuint texture)
{
   GLubyte pixel[4];
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   glReadPixels(1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   return pixel[3];
}

int
main(void)
{
   EGLDisplay display = test_display();
   GLuint fbo, source, texture;
   static const GLubyte grey[4 * 4 * 4] = { 0 };

   test_current(display, test_context(display, EGL_NO_CONTEXT));
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   for (unsigned i = 0; i < sizeof copies / sizeof copies[0]; i++) {
      for (int sub = 0; sub < 2; sub++) {
         glGenTextures(1, &source);
         glBindTexture(GL_TEXTURE_2D, source);
         glTexImage2D(GL_TEXTURE_2D, 0, copies[i].source, 4, 4, 0, copies[i].source,
                      GL_UNSIGNED_BYTE, NULL);
         glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, source, 0);
         CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
         glClearColor(1, 0.5f, 0, 1);
         glClear(GL_COLOR_BUFFER_BIT);
         glGenTextures(1, &texture);
         glBindTexture(GL_TEXTURE_2D, texture);
         glTexImage2D(GL_TEXTURE_2D, 0, copies[i].texture, 4, 4, 0, copies[i].texture,
                      GL_UNSIGNED_BYTE, grey);
         CHECK(glGetError() == GL_NO_ERROR);
         if (sub)
            glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
         else
            glCopyTexImage2D(GL_TEXTURE_2D, 0, copies[i].texture, 0, 0, 4, 4, 0);
         const GLenum error = glGetError();
         if (error != copies[i].error)
            fprintf(stderr, "0x%x to 0x%x, sub %d: error 0x%x\n", copies[i].source,
                    copies[i].texture, sub, error);
         CHECK(error == copies[i].error);
         if (copies[i].texture == GL_RGBA)
            CHECK(alpha_of(texture) == (error ? 0 : 255));
         glDeleteTextures(1, &texture);
         glDeleteTextures(1, &source);
      }
   }
   return 0;
}
