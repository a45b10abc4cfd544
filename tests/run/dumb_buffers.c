/*
 * SPDX-License-Identifier: MIT
 *
 * For tests on machines without a DRM device: emulates a DRM node that supports only dumb
 * buffers.  If this library is preloaded, /dev/full, a device that no other program opens,
 * accepts the ioctls that Mesa's kms_swrast needs, and maps buffers that are stored in memory
 * files.  Handles and buffers belong to the process.
 */

/* Both names of mmap() must be defined, each as a separate function. */
#undef _FILE_OFFSET_BITS

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <drm.h>
#include <drm_mode.h>

#define MAX_BUFFERS 256
#define PITCH_ALIGN 64
/* Offsets for mmap() identify the buffer; offset zero is the start of the file itself. */
#define MAP_SHIFT 32

struct buffer {
   int fd;
   ino_t inode;
   unsigned refs;
};

/* indexed by the handle - 1 */
static struct buffer buffers[MAX_BUFFERS];

static bool
is_node(int fd)
{
   struct stat st;
   return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 7);
}

static struct buffer *
lookup(uint32_t handle)
{
   return handle && handle <= MAX_BUFFERS && buffers[handle - 1].refs ? &buffers[handle - 1] : NULL;
}

static uint32_t
add_buffer(int fd)
{
   struct stat st;
   fstat(fd, &st);
   for (uint32_t i = 0; i < MAX_BUFFERS; i++) {
      if (!buffers[i].refs) {
         buffers[i] = (struct buffer){ fd, st.st_ino, 1 };
         return i + 1;
      }
   }
   close(fd);
   return 0;
}

/* libdrm makes the call twice, first for the lengths, which must not be zero. */
static void
put_string(char *out, __kernel_size_t *length, const char *string)
{
   if (out && *length >= strlen(string))
      memcpy(out, string, strlen(string));
   *length = strlen(string);
}

static int
get_version(struct drm_version *version)
{
   version->version_major = 1;
   put_string(version->name, &version->name_len, "dumb");
   put_string(version->date, &version->date_len, "0");
   put_string(version->desc, &version->desc_len, "dumb buffers");
   return 0;
}

static int
get_cap(struct drm_get_cap *cap)
{
   switch (cap->capability) {
   case DRM_CAP_DUMB_BUFFER:
      cap->value = 1;
      return 0;
   case DRM_CAP_PRIME:
      cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
   default:
      return EINVAL;
   }
}

static int
create_dumb(struct drm_mode_create_dumb *create)
{
   uint32_t row = create->width * ((create->bpp + 7) / 8);
   create->pitch = (row + PITCH_ALIGN - 1) & ~(PITCH_ALIGN - 1u);
   create->size = (uint64_t)create->pitch * create->height;
   int fd = memfd_create("dumb buffer", MFD_CLOEXEC);
   if (fd < 0 || ftruncate(fd, create->size))
      return ENOMEM;
   create->handle = add_buffer(fd);
   return create->handle ? 0 : ENOMEM;
}

static int
destroy(uint32_t handle)
{
   struct buffer *buffer = lookup(handle);
   if (!buffer)
      return ENOENT;
   if (--buffer->refs == 0)
      close(buffer->fd);
   return 0;
}

static int
export_handle(struct drm_prime_handle *prime)
{
   struct buffer *buffer = lookup(prime->handle);
   if (!buffer)
      return ENOENT;
   prime->fd = dup(buffer->fd);
   return prime->fd < 0 ? errno : 0;
}

/* As in the kernel, a buffer that was already imported keeps its handle. */
static int
import_fd(struct drm_prime_handle *prime)
{
   struct stat st;
   if (fstat(prime->fd, &st))
      return EBADF;
   for (uint32_t i = 0; i < MAX_BUFFERS; i++) {
      if (buffers[i].refs && buffers[i].inode == st.st_ino) {
         buffers[i].refs++;
         prime->handle = i + 1;
         return 0;
      }
   }
   prime->handle = add_buffer(dup(prime->fd));
   return prime->handle ? 0 : ENOMEM;
}

static int
node_ioctl(unsigned long request, void *arg)
{
   switch (request) {
   case DRM_IOCTL_VERSION:
      return get_version(arg);
   case DRM_IOCTL_GET_CAP:
      return get_cap(arg);
   case DRM_IOCTL_MODE_CREATE_DUMB:
      return create_dumb(arg);
   case DRM_IOCTL_MODE_MAP_DUMB: {
      struct drm_mode_map_dumb *map = arg;
      map->offset = (uint64_t)map->handle << MAP_SHIFT;
      return lookup(map->handle) ? 0 : ENOENT;
   }
   case DRM_IOCTL_MODE_DESTROY_DUMB:
      return destroy(((struct drm_mode_destroy_dumb *)arg)->handle);
   case DRM_IOCTL_GEM_CLOSE:
      return destroy(((struct drm_gem_close *)arg)->handle);
   case DRM_IOCTL_PRIME_HANDLE_TO_FD:
      return export_handle(arg);
   case DRM_IOCTL_PRIME_FD_TO_HANDLE:
      return import_fd(arg);
   default:
      return EINVAL;
   }
}

int
ioctl(int fd, unsigned long request, ...)
{
   va_list args;
   va_start(args, request);
   void *arg = va_arg(args, void *);
   va_end(args);

   if (is_node(fd)) {
      errno = node_ioctl(request, arg);
      return errno ? -1 : 0;
   }
   int (*next)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
   return next(fd, request, arg);
}

void *
mmap64(void *addr, size_t length, int prot, int flags, int fd, off64_t offset)
{
   void *(*next)(void *, size_t, int, int, int, off64_t) = dlsym(RTLD_NEXT, "mmap64");
   if (fd >= 0 && is_node(fd)) {
      struct buffer *buffer = lookup(offset >> MAP_SHIFT);
      if (!buffer) {
         errno = EINVAL;
         return MAP_FAILED;
      }
      return next(addr, length, prot, flags, buffer->fd, offset & ((1ull << MAP_SHIFT) - 1));
   }
   return next(addr, length, prot, flags, fd, offset);
}

void *
mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
   return mmap64(addr, length, prot, flags, fd, offset);
}
