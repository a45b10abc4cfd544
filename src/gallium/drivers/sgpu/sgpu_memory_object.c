/* SPDX-License-Identifier: MIT */
/* Memory objects (EXT_memory_object_fd).  The opaque file descriptor refers to a memfd, which must
 * be sealed against shrinking, so that no process can remove pages of a mapping.  A resource maps a
 * page-aligned range of the memfd.
 */
#include "sgpu_memory_object.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/winsys_handle.h"
#include "util/mesa-sha1.h"
#include "util/u_memory.h"

#include "sgpu_screen.h"
#include "sgpu_version.h"

#define PAGE 4096

struct sgpu_memory_object {
   struct pipe_memory_object base;
   int fd;
   uint64_t size;
};

static struct pipe_memory_object *
sgpu_memobj_create_from_handle(struct pipe_screen *pscreen, struct winsys_handle *whandle,
                               bool dedicated)
{
   struct stat st;

   if (whandle->type != WINSYS_HANDLE_TYPE_FD)
      return NULL;
   const int seals = fcntl((int)whandle->handle, F_GET_SEALS);
   if (seals < 0 || !(seals & F_SEAL_SHRINK) || (seals & F_SEAL_WRITE) ||
       fstat((int)whandle->handle, &st))
      return NULL;
   struct sgpu_memory_object *object = CALLOC_STRUCT(sgpu_memory_object);
   if (!object)
      return NULL;
   object->base.dedicated = dedicated;
   object->size = (uint64_t)st.st_size;
   object->fd = fcntl((int)whandle->handle, F_DUPFD_CLOEXEC, 3);
   if (object->fd < 0) {
      FREE(object);
      return NULL;
   }
   return &object->base;
}

static void
sgpu_memobj_destroy(struct pipe_screen *pscreen, struct pipe_memory_object *memobj)
{
   struct sgpu_memory_object *object = (struct sgpu_memory_object *)memobj;

   if (!object)
      return;
   close(object->fd);
   FREE(object);
}

struct sgpu_buffer *
sgpu_memory_object_map(struct pipe_screen *pscreen, const struct pipe_memory_object *memobj,
                       uint64_t offset, uint64_t size)
{
   const struct sgpu_memory_object *object = (const struct sgpu_memory_object *)memobj;
   const uint64_t whole = align64(size, PAGE);

   if (!size || offset % PAGE || offset > object->size || whole > object->size - offset)
      return NULL;
   void *map = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, object->fd, (off_t)offset);
   if (map == MAP_FAILED)
      return NULL;
   /* The device creates a separate mapping, so `map` can be unmapped afterwards. */
   struct sgpu_buffer *buf = sgpu_buffer_create_shared(sgpu_screen(pscreen)->ws, map, size,
                                                       "memory object");
   munmap(map, whole);
   return buf;
}

/* Makes a UUID of a text, so that it is the same on every machine. */
static void
get_uuid(const char *what, char *uuid)
{
   struct mesa_sha1 ctx;
   uint8_t sha1[20];

   _mesa_sha1_init(&ctx);
   _mesa_sha1_update(&ctx, what, strlen(what));
   _mesa_sha1_final(&ctx, sha1);
   memcpy(uuid, sha1, PIPE_UUID_SIZE);
}

static void
sgpu_get_driver_uuid(struct pipe_screen *pscreen, char *uuid)
{
   /* Another version may lay out shared memory differently. */
   get_uuid("sgpu driver " SGPU_VERSION, uuid);
}

static void
sgpu_get_device_uuid(struct pipe_screen *pscreen, char *uuid)
{
   get_uuid("sgpu device", uuid);
}

void
sgpu_memory_object_screen_init(struct pipe_screen *pscreen)
{
   pscreen->memobj_create_from_handle = sgpu_memobj_create_from_handle;
   pscreen->memobj_destroy = sgpu_memobj_destroy;
   pscreen->get_driver_uuid = sgpu_get_driver_uuid;
   pscreen->get_device_uuid = sgpu_get_device_uuid;
}
