/* SPDX-License-Identifier: MIT */
/*
 * The same pictures on every host: draws scenes through OpenGL, and compares the hash of each
 * result with a list.  The scenes use code of the driver, of its compiler and of Mesa that computes
 * with floats on the CPU: matrices, folded constants, evaluators, conversions and compression of
 * pixels.
 *
 *    pictures LIST [SCENE...]
 *    pictures --write [SCENE...] >LIST
 *    pictures --save FOLDER [SCENE...]      writes the hashed bytes to FOLDER/SCENE
 */
#include <inttypes.h>
#include <string.h>

#include "../egl.h"
#include "picture.h"

static uint64_t hash;
static FILE *saved; /* file for the bytes of the scene, or NULL */

void
picture_add(const void *bytes, size_t size)
{
   /* FNV-1a */
   for (size_t i = 0; i < size; i++)
      hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3ull;
   if (saved)
      fwrite(bytes, 1, size, saved);
}

void
picture_add_pixels(GLenum type, size_t component)
{
   static uint8_t pixels[HEIGHT * WIDTH * 4 * sizeof(float)];

   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, type, pixels);
   picture_add(pixels, HEIGHT * WIDTH * 4 * component);
}

void
picture_target(GLenum color, GLenum depth, int samples)
{
   new_framebuffer();
   attach_renderbuffer(GL_COLOR_ATTACHMENT0, color, samples, WIDTH, HEIGHT);
   if (depth)
      attach_renderbuffer(depth == GL_DEPTH24_STENCIL8 || depth == GL_DEPTH32F_STENCIL8
                             ? GL_DEPTH_STENCIL_ATTACHMENT
                             : GL_DEPTH_ATTACHMENT,
                          depth, samples, WIDTH, HEIGHT);
   REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
   glViewport(0, 0, WIDTH, HEIGHT);
}

void
picture_rectangle(void)
{
   glBegin(GL_TRIANGLE_STRIP);
   for (int i = 0; i < 4; i++) {
      const int x = i & 1, y = i >> 1;
      glTexCoord2i(x, y);
      glVertex2i(2 * x - 1, 2 * y - 1);
   }
   glEnd();
}

/* Draws a scene in a new context.  Returns the hash of its result. */
static uint64_t
draw(EGLDisplay display, const struct picture_scene *scene, const char *folder)
{
   EGLContext context = egl_compatibility(display);

   REQUIRE(context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
   if (folder) {
      char path[1000];
      snprintf(path, sizeof path, "%s/%s", folder, scene->name);
      saved = fopen(path, "wb");
      REQUIRE(saved);
   }
   hash = 0xcbf29ce484222325ull;
   scene->draw();
   const GLenum error = glGetError();
   CHECK(error == GL_NO_ERROR, "%s: GL error 0x%x", scene->name, error);
   if (saved)
      fclose(saved);
   saved = NULL;
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   return hash;
}

/* Returns the hash of a scene in the list, or 0 if the list does not contain the scene. */
static uint64_t
expected(FILE *list, const char *scene)
{
   char name[64];
   uint64_t value;

   rewind(list);
   while (fscanf(list, "%" SCNx64 " %63s", &value, name) == 2)
      if (!strcmp(name, scene))
         return value;
   return 0;
}

static bool
chosen(const char *name, char **names, int count)
{
   for (int i = 0; i < count; i++)
      if (!strcmp(names[i], name))
         return true;
   return count == 0;
}

int
main(int argc, char **argv)
{
   static const struct picture_scene *const lists[] = { picture_fixed, picture_pixels,
                                                        picture_shaders, picture_stages };
   const bool write = argc > 1 && !strcmp(argv[1], "--write");
   const bool save = argc > 2 && !strcmp(argv[1], "--save");
   const int names = save ? 3 : 2; /* index of the first name of a scene */
   unsigned drawn = 0;
   FILE *list = NULL;

   if (!write && !save) {
      list = argc > 1 ? fopen(argv[1], "r") : NULL;
      REQUIRE(list);
   }
   EGLDisplay display = egl_display(EGL_OPENGL_API);
   REQUIRE(display);
   for (unsigned i = 0; i < 4; i++) {
      for (const struct picture_scene *scene = lists[i]; scene->name; scene++) {
         if (!chosen(scene->name, argv + names, argc - names))
            continue;
         const uint64_t value = draw(display, scene, save ? argv[2] : NULL);
         if (write)
            printf("%016" PRIx64 " %s\n", value, scene->name);
         else if (list)
            CHECK(value == expected(list, scene->name), "%s: %016" PRIx64, scene->name, value);
         drawn++;
      }
   }
   if (list) {
      printf("%u scenes\n", drawn);
      fclose(list);
   }
   eglTerminate(display);
   return fails != 0 || !drawn;
}
