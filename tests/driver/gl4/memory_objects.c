/* SPDX-License-Identifier: MIT */
/*
 * Tests memory objects (EXT_memory_object_fd) that are imported from a memfd: buffers and textures
 * at offsets in memory that the process has also mapped, and file descriptors that are refused.
 */
#define _GNU_SOURCE
#include "core.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 1 << 20, SIDE = 64 };

static PFNGLCREATEMEMORYOBJECTSEXTPROC create_objects;
static PFNGLDELETEMEMORYOBJECTSEXTPROC delete_objects;
static PFNGLIMPORTMEMORYFDEXTPROC import_fd;
static PFNGLNAMEDBUFFERSTORAGEMEMEXTPROC buffer_storage;
static PFNGLTEXTURESTORAGEMEM2DEXTPROC texture_storage;

static int
make_file(int seals)
{
   const int fd = memfd_create("memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);

   if (fd < 0 || ftruncate(fd, SIZE) || (seals && fcntl(fd, F_ADD_SEALS, seals))) {
      perror("memfd");
      exit(1);
   }
   return fd;
}

static GLuint
import(int fd)
{
   GLuint object;

   create_objects(1, &object);
   import_fd(object, SIZE, GL_HANDLE_TYPE_OPAQUE_FD_EXT, dup(fd));
   return object;
}

static void
test_buffers(void)
{
   const int fd = make_file(F_SEAL_SHRINK);
   uint32_t *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   const GLuint object = import(fd);
   GLuint buffer[2];
   uint32_t value = 0;

   glCreateBuffers(2, buffer);
   buffer_storage(buffer[0], 8192, object, 0);
   buffer_storage(buffer[1], 4096, object, 65536);
   delete_objects(1, &object);
   CHECK(glGetError() == GL_NO_ERROR, "no buffer");

   value = 0x12345678;
   glClearNamedBufferData(buffer[0], GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
   glFinish();
   CHECK(map[0] == value && map[2047] == value && map[2048] == 0, "%x %x %x", map[0], map[2047],
         map[2048]);
   map[65536 / 4 + 7] = 77;
   glCopyNamedBufferSubData(buffer[1], buffer[0], 28, 4, 4);
   glGetNamedBufferSubData(buffer[0], 4, 4, &value);
   CHECK(value == 77, "%u", value);
   CHECK(map[1] == 77, "%u", map[1]);
   glDeleteBuffers(2, buffer);
   munmap(map, SIZE);
   close(fd);
}

/* Tests that two textures in the same memory have the same contents. */
static void
test_textures(void)
{
   const int fd = make_file(F_SEAL_SHRINK | F_SEAL_GROW);
   const GLuint object = import(fd), again = import(fd);
   GLuint texture[2], fb;
   GLubyte pixel[SIDE * SIDE][4];
   const GLfloat color[4] = { 0.2f, 0.4f, 0.6f, 1.0f };

   glCreateTextures(GL_TEXTURE_2D, 2, texture);
   texture_storage(texture[0], 1, GL_RGBA8, SIDE, SIDE, object, 4096);
   texture_storage(texture[1], 1, GL_RGBA8, SIDE, SIDE, again, 4096);
   CHECK(glGetError() == GL_NO_ERROR, "no texture");
   glCreateFramebuffers(1, &fb);
   glNamedFramebufferTexture(fb, GL_COLOR_ATTACHMENT0, texture[0], 0);
   glClearNamedFramebufferfv(fb, GL_COLOR, 0, color);
   glFinish();
   glGetTextureImage(texture[1], 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof pixel, pixel);
   for (unsigned i = 0; i < SIDE * SIDE; i++)
      CHECK(pixel[i][0] == 51 && pixel[i][1] == 102 && pixel[i][2] == 153, "%u: %u %u %u", i,
            pixel[i][0], pixel[i][1], pixel[i][2]);
   close(fd);
}

static void
test_refused(void)
{
   const int fd = make_file(0);
   const GLuint object = import(fd);
   GLuint buffer;

   /* Without the seal, another process could truncate the file and remove the pages. */
   glCreateBuffers(1, &buffer);
   buffer_storage(buffer, 4096, object, 0);
   CHECK(glGetError() != GL_NO_ERROR, "a file that may shrink");

   const int sealed = make_file(F_SEAL_SHRINK);
   const GLuint second = import(sealed);
   while (glGetError() != GL_NO_ERROR)
      ;
   buffer_storage(buffer, SIZE, second, 4096);
   CHECK(glGetError() != GL_NO_ERROR, "a buffer beyond the object");
}

int
main(void)
{
   core_begin();
   if (!core_extension("GL_EXT_memory_object_fd"))
      return core_end("memory objects");
   create_objects = (PFNGLCREATEMEMORYOBJECTSEXTPROC)eglGetProcAddress("glCreateMemoryObjectsEXT");
   delete_objects = (PFNGLDELETEMEMORYOBJECTSEXTPROC)eglGetProcAddress("glDeleteMemoryObjectsEXT");
   import_fd = (PFNGLIMPORTMEMORYFDEXTPROC)eglGetProcAddress("glImportMemoryFdEXT");
   buffer_storage = (PFNGLNAMEDBUFFERSTORAGEMEMEXTPROC)eglGetProcAddress(
      "glNamedBufferStorageMemEXT");
   texture_storage = (PFNGLTEXTURESTORAGEMEM2DEXTPROC)eglGetProcAddress("glTextureStorageMem2DEXT");
   test_buffers();
   test_textures();
   test_refused();
   return core_end("memory objects");
}
