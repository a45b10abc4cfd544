/* SPDX-License-Identifier: MIT */
/*
 * Allocations that fail on demand.  They replace only the allocations of the driver and winsys,
 * because Mesa's own code does not always survive failures. failing.syms renames the symbols, so
 * that the driver's objects call these functions instead of the original ones.
 */
#include "failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "compiler/sgpu_compiler.h"
#include "device/sgpu_device.h"
#include "util/hash_table.h"
#include "util/ralloc.h"
#include "util/slab.h"
#include "util/u_inlines.h"
#include "util/u_upload_mgr.h"

static struct failing none, *failing = &none;

__attribute__((constructor)) static void
find(void)
{
   struct failing *of_program = dlsym(RTLD_DEFAULT, "sgpu_failing");

   if (of_program)
      failing = of_program;
}

/* Place for a debugger's breakpoint: called when an allocation is about to fail. */
__attribute__((noinline)) static void
hit(void)
{
   __asm__ volatile("");
}

static bool
fails(void)
{
   int n = atomic_load(&failing->countdown);

   while (n && !atomic_compare_exchange_weak(&failing->countdown, &n,
                                             n == 1 && failing->for_ever ? 1 : n - 1))
      ;
   if (n != 1)
      return false;
   atomic_fetch_add(&failing->failures, 1);
   hit();
   errno = ENOMEM;
   return true;
}

static void *
counted(void *p)
{
   if (p)
      atomic_fetch_add(&failing->blocks, 1);
   return p;
}

void *failing_malloc(size_t size);
void *failing_calloc(size_t n, size_t size);
void *failing_realloc(void *old, size_t size);
int failing_posix_memalign(void **p, size_t alignment, size_t size);
void failing_free(void *p);
void *failing_ralloc_context(const void *parent);
void *failing_rzalloc_size(const void *parent, size_t size);
char *failing_ralloc_strdup(const void *parent, const char *text);
struct hash_table *failing_hash_table_create(void *parent, uint32_t (*hash)(const void *),
                                             bool (*equal)(const void *, const void *));
struct hash_entry *failing_hash_table_insert(struct hash_table *table, const void *key, void *data);
void *failing_slab_zalloc(struct slab_child_pool *pool);
void failing_upload_data(struct u_upload_mgr *upload, unsigned min_offset, unsigned size,
                         unsigned alignment, const void *data, unsigned *offset,
                         struct pipe_resource **buffer);
struct u_upload_mgr *failing_upload_create(struct pipe_context *pipe, unsigned size, unsigned bind,
                                           enum pipe_resource_usage usage, unsigned flags);
struct u_upload_mgr *failing_upload_create_default(struct pipe_context *pipe);
struct sgpu_shader *failing_compile(void *parent, const nir_shader *nir,
                                    const struct sgpu_shader_key *key, unsigned debug,
                                    const char **error);
int failing_bo_create(struct sgpu_device *dev, uint64_t size, const char *label,
                      struct sgpu_bo **out);
int failing_queue_create(struct sgpu_device *dev, struct sgpu_queue **out);
int failing_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit,
                         uint64_t *seqno);

void *
failing_malloc(size_t size)
{
   return fails() ? NULL : counted(malloc(size));
}

void *
failing_calloc(size_t n, size_t size)
{
   return fails() ? NULL : counted(calloc(n, size));
}

void *
failing_realloc(void *old, size_t size)
{
   if (fails())
      return NULL;
   return old ? realloc(old, size) : counted(malloc(size));
}

int
failing_posix_memalign(void **p, size_t alignment, size_t size)
{
   if (fails())
      return ENOMEM;
   const int ret = posix_memalign(p, alignment, size);
   if (!ret)
      counted(*p);
   return ret;
}

void
failing_free(void *p)
{
   if (p)
      atomic_fetch_sub(&failing->blocks, 1);
   free(p);
}

void *
failing_ralloc_context(const void *parent)
{
   return fails() ? NULL : ralloc_context(parent);
}

void *
failing_rzalloc_size(const void *parent, size_t size)
{
   return fails() ? NULL : rzalloc_size(parent, size);
}

char *
failing_ralloc_strdup(const void *parent, const char *text)
{
   return fails() ? NULL : ralloc_strdup(parent, text);
}

struct hash_table *
failing_hash_table_create(void *parent, uint32_t (*hash)(const void *),
                          bool (*equal)(const void *, const void *))
{
   return fails() ? NULL : _mesa_hash_table_create(parent, hash, equal);
}

struct hash_entry *
failing_hash_table_insert(struct hash_table *table, const void *key, void *data)
{
   return fails() ? NULL : _mesa_hash_table_insert(table, key, data);
}

void *
failing_slab_zalloc(struct slab_child_pool *pool)
{
   return fails() ? NULL : slab_zalloc(pool);
}

void
failing_upload_data(struct u_upload_mgr *upload, unsigned min_offset, unsigned size,
                    unsigned alignment, const void *data, unsigned *offset,
                    struct pipe_resource **buffer)
{
   /* Leave the same values as u_upload_alloc on failure. */
   if (fails()) {
      *offset = ~0;
      pipe_resource_reference(buffer, NULL);
      return;
   }
   u_upload_data(upload, min_offset, size, alignment, data, offset, buffer);
}

struct u_upload_mgr *
failing_upload_create(struct pipe_context *pipe, unsigned size, unsigned bind,
                      enum pipe_resource_usage usage, unsigned flags)
{
   return fails() ? NULL : u_upload_create(pipe, size, bind, usage, flags);
}

struct u_upload_mgr *
failing_upload_create_default(struct pipe_context *pipe)
{
   return fails() ? NULL : u_upload_create_default(pipe);
}

struct sgpu_shader *
failing_compile(void *parent, const nir_shader *nir, const struct sgpu_shader_key *key,
                unsigned debug, const char **error)
{
   return fails() ? NULL : sgpu_compile(parent, nir, key, debug, error);
}

int
failing_bo_create(struct sgpu_device *dev, uint64_t size, const char *label, struct sgpu_bo **out)
{
   return fails() ? -ENOMEM : sgpu_bo_create(dev, size, label, out);
}

int
failing_queue_create(struct sgpu_device *dev, struct sgpu_queue **out)
{
   return fails() ? -ENOMEM : sgpu_queue_create(dev, out);
}

int
failing_queue_submit(struct sgpu_queue *queue, const struct sgpu_submit *submit, uint64_t *seqno)
{
   return fails() ? -ENOMEM : sgpu_queue_submit(queue, submit, seqno);
}
