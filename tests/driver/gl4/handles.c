/* SPDX-License-Identifier: MIT */
/*
 * Tests handles of textures and images (ARB_bindless_texture): lanes with different handles,
 * handles from uniforms and blocks, and the order of draws if a later draw reads through a handle
 * what an earlier draw wrote.
 */
#include "core.h"

enum { SIDE = 32, TEXTURES = 5 };

static PFNGLGETTEXTUREHANDLEARBPROC get_handle;
static PFNGLMAKETEXTUREHANDLERESIDENTARBPROC make_resident;
static PFNGLMAKETEXTUREHANDLENONRESIDENTARBPROC make_nonresident;
static PFNGLUNIFORMHANDLEUI64VARBPROC uniform_handles;
static PFNGLGETIMAGEHANDLEARBPROC get_image_handle;
static PFNGLMAKEIMAGEHANDLERESIDENTARBPROC make_image_resident;

static GLuint textures[TEXTURES];
static GLuint64 handles[TEXTURES];

static void
make_textures(void)
{
   for (unsigned i = 0; i < TEXTURES; i++) {
      const GLubyte color[4] = { 10 + i, 20 + i, 30 + i, 255 };

      glCreateTextures(GL_TEXTURE_2D, 1, &textures[i]);
      glTextureStorage2D(textures[i], 1, GL_RGBA8, SIDE, SIDE);
      glTextureParameteri(textures[i], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTextureParameteri(textures[i], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      glClearTexImage(textures[i], 0, GL_RGBA, GL_UNSIGNED_BYTE, color);
      handles[i] = get_handle(textures[i]);
      CHECK(handles[i], "no handle");
      for (unsigned k = 0; k < i; k++)
         CHECK(handles[k] != handles[i], "two textures have one handle");
      make_resident(handles[i]);
   }
}

static void
check_pixels(const char *what)
{
   GLubyte pixel[SIDE * SIDE][4];

   glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   for (unsigned y = 0; y < SIDE; y++) {
      for (unsigned x = 0; x < SIDE; x++) {
         const unsigned i = (x + 3 * y) % TEXTURES;
         const GLubyte *p = pixel[y * SIDE + x];
         CHECK(p[0] == 10 + i && p[1] == 20 + i && p[2] == 30 + i, "%s: %u %u: %u %u %u", what, x,
               y, p[0], p[1], p[2]);
      }
   }
}

#define HEAD "#extension GL_ARB_bindless_texture : require\n"
#define PICK "(int(gl_FragCoord.x) + 3 * int(gl_FragCoord.y)) % 5"

static void
test_uniforms(void)
{
   GLuint texture;
   core_target(GL_RGBA8, SIDE, SIDE, &texture);
   const GLuint program =
      PROGRAM(.head = HEAD, .vs = FILL_VS,
              .fs = "layout(bindless_sampler) uniform sampler2D t[5]; out vec4 color;\n"
                    "void main() { color = texelFetch(t[" PICK
                    "], ivec2(gl_FragCoord.xy), 0); }\n");
   if (!program)
      return;
   uniform_handles(glGetUniformLocation(program, "t"), TEXTURES, handles);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   check_pixels("uniforms");
}

static void
test_blocks(void)
{
   GLuint texture;
   core_target(GL_RGBA8, SIDE, SIDE, &texture);
   const GLuint program =
      PROGRAM(.head = HEAD, .vs = FILL_VS,
              .fs = "layout(std140, binding = 0) uniform B { uvec4 h[5]; }; out vec4 color;\n"
                    "void main() { color = texture(sampler2D(h[" PICK "].xy), vec2(0.5)); }\n");
   GLuint64 data[TEXTURES][2] = { { 0 } };
   GLuint buffer;

   if (!program)
      return;
   for (unsigned i = 0; i < TEXTURES; i++)
      data[i][0] = handles[i];
   glCreateBuffers(1, &buffer);
   glNamedBufferData(buffer, sizeof data, data, GL_STATIC_DRAW);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   check_pixels("a block");
}

/* Tests two textures that are used alternately.  Each draw adds to the result of the previous draw,
 * which it reads through a handle.
 */
static void
test_order(void)
{
   GLuint texture[2], fb[2];
   GLuint64 handle[2];
   GLubyte pixel[SIDE * SIDE][4];

   for (unsigned i = 0; i < 2; i++) {
      fb[i] = core_target(GL_RGBA8, SIDE, SIDE, &texture[i]);
      handle[i] = get_handle(texture[i]);
      make_resident(handle[i]);
   }
   const GLuint program = PROGRAM(
         .head = HEAD, .vs = FILL_VS,
         .fs = "layout(bindless_sampler) uniform sampler2D t; out vec4 color;\n"
               "void main() {\n"
               "   color = texelFetch(t, ivec2(31) - ivec2(gl_FragCoord.xy), 0) + 1.0 / 255.0;\n"
               "}\n");
   if (!program)
      return;
   for (unsigned n = 0; n < 100; n++) {
      glBindFramebuffer(GL_FRAMEBUFFER, fb[n & 1]);
      uniform_handles(glGetUniformLocation(program, "t"), 1, &handle[~n & 1]);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
   glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   for (unsigned i = 0; i < SIDE * SIDE; i++)
      CHECK(pixel[i][0] == 100, "pixel %u: %u", i, pixel[i][0]);
   make_nonresident(handle[0]);
   make_nonresident(handle[1]);
}

/* Tests images that one draw writes and the next one reads through handles. */
static void
test_images(void)
{
   GLuint texture, image;
   GLuint64 handle;
   GLubyte pixel[SIDE * SIDE][4];

   if (!core_extension("GL_ARB_shader_image_load_store"))
      return;
   core_target(GL_RGBA8, SIDE, SIDE, &texture);
   glCreateTextures(GL_TEXTURE_2D, 1, &image);
   glTextureStorage2D(image, 1, GL_R32UI, SIDE, SIDE);
   /* Integer textures are complete only with nearest filters. */
   glTextureParameteri(image, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTextureParameteri(image, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glClearTexImage(image, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
   handle = get_image_handle(image, 0, GL_FALSE, 0, GL_R32UI);
   CHECK(handle, "no handle");
   make_image_resident(handle, GL_READ_WRITE);
   const GLuint program =
      PROGRAM(.head = HEAD, .vs = FILL_VS,
              .fs = "layout(bindless_image, r32ui) uniform uimage2D i; out vec4 color;\n"
                    "void main() {\n"
                    "   ivec2 p = ivec2(gl_FragCoord.xy);\n"
                    "   uint old = imageLoad(i, p).x;\n"
                    "   imageStore(i, p, uvec4(old + 1u));\n"
                    "   color = vec4(float(old + 1u) / 255.0);\n"
                    "}\n");
   if (!program)
      return;
   uniform_handles(glGetUniformLocation(program, "i"), 1, &handle);
   for (unsigned n = 0; n < 20; n++) {
      glDrawArrays(GL_TRIANGLES, 0, 3);
      glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
   }
   glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   for (unsigned i = 0; i < SIDE * SIDE; i++)
      CHECK(pixel[i][0] == 20, "pixel %u: %u", i, pixel[i][0]);
}

int
main(void)
{
   core_begin();
   if (!core_extension("GL_ARB_bindless_texture"))
      return core_end("handles");
   get_handle = (PFNGLGETTEXTUREHANDLEARBPROC)eglGetProcAddress("glGetTextureHandleARB");
   make_resident = (PFNGLMAKETEXTUREHANDLERESIDENTARBPROC)eglGetProcAddress(
      "glMakeTextureHandleResidentARB");
   make_nonresident = (PFNGLMAKETEXTUREHANDLENONRESIDENTARBPROC)eglGetProcAddress(
      "glMakeTextureHandleNonResidentARB");
   uniform_handles = (PFNGLUNIFORMHANDLEUI64VARBPROC)eglGetProcAddress("glUniformHandleui64vARB");
   get_image_handle = (PFNGLGETIMAGEHANDLEARBPROC)eglGetProcAddress("glGetImageHandleARB");
   make_image_resident = (PFNGLMAKEIMAGEHANDLERESIDENTARBPROC)eglGetProcAddress(
      "glMakeImageHandleResidentARB");
   make_textures();
   test_uniforms();
   test_blocks();
   test_order();
   test_images();
   return core_end("handles");
}
