/* SPDX-License-Identifier: MIT */
/* Disk cache of compiled shaders.  The cache key includes the build ID of the driver, because
 * another build may generate different code.
 */
#include "sgpu_shader.h"

#include <stdlib.h>
#include <string.h>

#include "util/blob.h"
#include "util/build_id.h"
#include "util/disk_cache.h"
#include "util/disk_cache_os.h"
#include "util/mesa-sha1.h"

#include "sgpu_screen.h"

void
sgpu_disk_cache_put(struct sgpu_screen *screen, const unsigned char sha1[20],
                    const struct sgpu_shader *shader)
{
   struct blob blob;

   blob_init(&blob);
   if (sgpu_shader_write(&blob, shader))
      disk_cache_put(screen->disk_cache, sha1, blob.data, blob.size, NULL);
   blob_finish(&blob);
}

struct sgpu_shader *
sgpu_disk_cache_get(struct sgpu_screen *screen, const unsigned char sha1[20], gl_shader_stage stage)
{
   size_t size;
   void *data = disk_cache_get(screen->disk_cache, sha1, &size);
   struct sgpu_shader *shader = data ? sgpu_shader_read(data, size, stage) : NULL;

   free(data);
   return shader;
}

void
sgpu_disk_cache_init(struct sgpu_screen *screen)
{
   /* Disable the cache if debug output is enabled, since only the compiler prints this output. */
   const uint64_t printing = SGPU_DEBUG_ASM | SGPU_DEBUG_SHADERDB | SGPU_DEBUG_NIR |
                             SGPU_DEBUG_PASSES | SGPU_DEBUG_TIMES;
   if (screen->debug & (SGPU_DEBUG_NOCACHE | printing))
      return;

   const struct build_id_note *note = build_id_find_nhdr_for_addr(sgpu_disk_cache_init);
   if (!note || build_id_length(note) != 20)
      return;

   char timestamp[41];
   _mesa_sha1_format(timestamp, build_id_data(note));
   screen->disk_cache = disk_cache_create("sgpu", timestamp, screen->compiler_debug);
}

void
sgpu_disk_cache_fini(struct sgpu_screen *screen)
{
   disk_cache_destroy(screen->disk_cache);
}
