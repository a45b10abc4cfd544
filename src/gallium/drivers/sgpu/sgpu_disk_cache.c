/* SPDX-License-Identifier: MIT */
/*
 * Compiled shaders on disk, for the very build of the driver that made them.
 */
#include "sgpu_shader.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/blob.h"
#include "util/build_id.h"
#include "util/disk_cache.h"
#include "util/disk_cache_os.h"
#include "util/mesa-sha1.h"
#include "util/ralloc.h"

#include "sgpu_fork.h"
#include "sgpu_screen.h"

/* Stored in front of the program: the shader without pointers. */
static void
write_facts(struct blob *blob, const struct sgpu_shader *shader)
{
   blob_write_uint32(blob, shader->stage);
   blob_write_uint32(blob, shader->num_inputs);
   blob_write_uint32(blob, shader->num_outputs);
   blob_write_bytes(blob, shader->inputs, sizeof shader->inputs);
   blob_write_bytes(blob, shader->outputs, sizeof shader->outputs);
   blob_write_uint8(blob, shader->fs_early_tests);
   blob_write_uint8(blob, shader->fs_post_depth_coverage);
   blob_write_uint8(blob, shader->fs_broadcast_color);
   blob_write_uint8(blob, shader->fs_interlock);
   blob_write_uint8(blob, shader->fs_inner_coverage);
   blob_write_uint8(blob, shader->fs_color_outputs);
   blob_write_uint8(blob, shader->gs_input);
   blob_write_uint8(blob, shader->gs_output);
   blob_write_uint16(blob, shader->gs_max_vertices);
   blob_write_uint8(blob, shader->gs_invocations);
   blob_write_uint8(blob, shader->tcs_vertices);
   blob_write_uint8(blob, shader->tes_domain);
   blob_write_uint8(blob, shader->tes_spacing);
   blob_write_uint8(blob, shader->tes_cw);
   blob_write_uint8(blob, shader->tes_points);
   blob_write_uint8(blob, shader->cull_distances);
   blob_write_uint32(blob, shader->shared_size);
   blob_write_string(blob, shader->not_vp1 ? shader->not_vp1 : "");
}

static void
read_facts(struct blob_reader *blob, struct sgpu_shader *shader)
{
   shader->stage = blob_read_uint32(blob);
   shader->num_inputs = blob_read_uint32(blob);
   shader->num_outputs = blob_read_uint32(blob);
   blob_copy_bytes(blob, shader->inputs, sizeof shader->inputs);
   blob_copy_bytes(blob, shader->outputs, sizeof shader->outputs);
   shader->fs_early_tests = blob_read_uint8(blob);
   shader->fs_post_depth_coverage = blob_read_uint8(blob);
   shader->fs_broadcast_color = blob_read_uint8(blob);
   shader->fs_interlock = blob_read_uint8(blob);
   shader->fs_inner_coverage = blob_read_uint8(blob);
   shader->fs_color_outputs = blob_read_uint8(blob);
   shader->gs_input = blob_read_uint8(blob);
   shader->gs_output = blob_read_uint8(blob);
   shader->gs_max_vertices = blob_read_uint16(blob);
   shader->gs_invocations = blob_read_uint8(blob);
   shader->tcs_vertices = blob_read_uint8(blob);
   shader->tes_domain = blob_read_uint8(blob);
   shader->tes_spacing = blob_read_uint8(blob);
   shader->tes_cw = blob_read_uint8(blob);
   shader->tes_points = blob_read_uint8(blob);
   shader->cull_distances = blob_read_uint8(blob);
   shader->shared_size = blob_read_uint32(blob);

   const char *not_vp1 = blob_read_string(blob);
   if (not_vp1 && not_vp1[0])
      shader->not_vp1 = ralloc_strdup(shader, not_vp1);
}

static void
finish_program(void *shader)
{
   sgpu_program_finish(&((struct sgpu_shader *)shader)->program);
}

void
sgpu_disk_cache_put(struct sgpu_screen *screen, const unsigned char sha1[20],
                    const struct sgpu_shader *shader)
{
   size_t size;
   void *program = sgpu_program_serialize(&shader->program, &size);
   if (!program)
      return;

   struct blob blob;
   blob_init(&blob);
   write_facts(&blob, shader);
   blob_write_uint32(&blob, size);
   blob_write_bytes(&blob, program, size);
   if (!blob.out_of_memory)
      disk_cache_put(screen->disk_cache, sha1, blob.data, blob.size, NULL);
   blob_finish(&blob);
   free(program);
}

struct sgpu_shader *
sgpu_disk_cache_get(struct sgpu_screen *screen, const unsigned char sha1[20])
{
   size_t size;
   void *data = disk_cache_get(screen->disk_cache, sha1, &size);
   if (!data)
      return NULL;

   struct blob_reader blob;
   blob_reader_init(&blob, data, size);
   struct sgpu_shader *shader = rzalloc(NULL, struct sgpu_shader);
   if (!shader) {
      free(data);
      return NULL;
   }
   read_facts(&blob, shader);
   uint32_t program_size = blob_read_uint32(&blob);
   const void *program = blob_read_bytes(&blob, program_size);

   if (blob.overrun || sgpu_program_deserialize(program, program_size, &shader->program)) {
      ralloc_free(shader);
      shader = NULL;
   } else {
      ralloc_set_destructor(shader, finish_program);
   }
   free(data);
   return shader;
}

void
sgpu_disk_cache_init(struct sgpu_screen *screen)
{
   /* A shader that comes from disk is not printed. */
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
   if (screen->disk_cache)
      sgpu_fork_add_queue(&screen->cache_queue, &screen->disk_cache->cache_queue);
}

void
sgpu_disk_cache_fini(struct sgpu_screen *screen)
{
   if (!screen->disk_cache)
      return;
   sgpu_fork_remove_queue(&screen->cache_queue);
   /* The child of a fork would wait for threads that it does not have. */
   if (screen->process == getpid())
      disk_cache_destroy(screen->disk_cache);
}
