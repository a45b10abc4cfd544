/* SPDX-License-Identifier: MIT */
/* Buffer memory.  Small buffers are slices of slabs.  Other buffers are whole buffer objects, which
 * are cached for some time after they are freed, and reused.
 *
 * The device tracks which buffer objects its submissions use, so only slices need a separate record
 * of the submissions that use them.  These records also order rings: a submission waits for
 * submissions of other rings that write the buffers it uses, or that use the buffers it writes.
 */
#include "sgpu_winsys.h"

#include <string.h>

#include "sgpu_host_memory.h"

#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#define SLAB_MIN_LOG2 8
#define SLAB_MAX_LOG2 14
#define SLAB_SIZE (256 * 1024)

/* The cache sorts free buffers into buckets by size.  Command streams have a separate bucket. */
#define BUCKETS 16
#define STREAM_BUCKET 0
#define CACHE_USECS 1000000
#define CACHE_MAX (256ull << 20)

/* New buffers may use this number of bytes before fits() reads the memory use of the process again.
 */
#define ROOM_STEP (1ull << 20)

struct sgpu_slab {
   struct pb_slab base;
   struct sgpu_buffer *backing;
   struct sgpu_buffer *entries;
};

static struct sgpu_buffer *
buffer_of(struct pb_buffer_lean *base)
{
   return (struct sgpu_buffer *)base;
}

static unsigned
bucket_of(uint64_t size, unsigned flags)
{
   if (flags & SGPU_BUFFER_STREAM)
      return STREAM_BUCKET;
   return CLAMP((int)util_logbase2_64(size) - 11, 1, BUCKETS - 1);
}

static void
drop_uses(struct sgpu_buffer *buf)
{
   for (unsigned i = 0; i < SGPU_BUFFER_USES; i++) {
      sgpu_ring_reference(&buf->uses[i].ring, NULL);
      buf->uses[i].seqno = buf->uses[i].write_seqno = 0;
   }
}

static bool
use_passed(const struct sgpu_use *use)
{
   return !use->ring || sgpu_ring_passed(use->ring, use->seqno);
}

bool
sgpu_buffer_busy(struct sgpu_buffer *buf)
{
   if (!buf->parent)
      return sgpu_layer_bo_busy(buf->bo);

   bool busy = false;
   simple_mtx_lock(&buf->lock);
   for (unsigned i = 0; i < SGPU_BUFFER_USES && !busy; i++)
      busy = !use_passed(&buf->uses[i]);
   simple_mtx_unlock(&buf->lock);
   return busy;
}

bool
sgpu_buffer_wait(struct sgpu_buffer *buf, uint64_t timeout_ns)
{
   if (!buf->parent)
      return sgpu_layer_bo_wait(buf->bo, timeout_ns) == 0;

   int64_t end = os_time_get_absolute_timeout(timeout_ns);
   for (unsigned i = 0; i < SGPU_BUFFER_USES; i++) {
      struct sgpu_ring *ring = NULL;
      simple_mtx_lock(&buf->lock);
      uint64_t seqno = buf->uses[i].seqno;
      sgpu_ring_reference(&ring, buf->uses[i].ring);
      simple_mtx_unlock(&buf->lock);

      bool done = true;
      if (ring) {
         uint64_t timeout = UINT64_MAX;
         if (end != OS_TIMEOUT_INFINITE) {
            int64_t now = os_time_get_nano();
            timeout = end > now ? end - now : 0;
         }
         done = sgpu_ring_wait(ring, seqno, timeout);
         sgpu_ring_reference(&ring, NULL);
      }
      if (!done)
         return false;
   }
   return true;
}

void
sgpu_buffer_add_use(struct sgpu_buffer *buf, struct sgpu_ring *ring, uint64_t seqno, bool write)
{
   struct sgpu_use *use = NULL;

   simple_mtx_lock(&buf->lock);
   for (unsigned i = 0; i < SGPU_BUFFER_USES && !use; i++) {
      if (buf->uses[i].ring == ring)
         use = &buf->uses[i];
   }
   for (unsigned i = 0; i < SGPU_BUFFER_USES && !use; i++) {
      if (use_passed(&buf->uses[i]))
         use = &buf->uses[i];
   }
   if (!use) {
      /* All entries in buf->uses belong to other rings, so wait until one of them is free. */
      use = &buf->uses[0];
      sgpu_ring_wait(use->ring, use->seqno, UINT64_MAX);
   }

   if (use->ring != ring) {
      sgpu_ring_reference(&use->ring, ring);
      use->seqno = use->write_seqno = 0;
   }
   use->seqno = MAX2(use->seqno, seqno);
   if (write)
      use->write_seqno = MAX2(use->write_seqno, seqno);
   simple_mtx_unlock(&buf->lock);
}

static void
init_whole(struct sgpu_winsys *ws, struct sgpu_buffer *buf, uint64_t size)
{
   pipe_reference_init(&buf->base.reference, 1);
   buf->base.size = size;
   buf->base.alignment_log2 = util_logbase2(SGPU_PAGE_SIZE);
   buf->ws = ws;
   buf->address = sgpu_bo_address(buf->bo);
   buf->map = sgpu_bo_map(buf->bo);
   buf->id = p_atomic_inc_return(&ws->next_id);
   simple_mtx_init(&buf->lock, mtx_plain);
}

uint64_t
sgpu_winsys_available(const struct sgpu_winsys *ws)
{
   const uint64_t used = sgpu_device_get_param(ws->dev, SGPU_PARAM_MEMORY_USED);
   const uint64_t resident = sgpu_host_memory_resident();
   const uint64_t other = MAX2(ws->other, resident - MIN2(resident, used));
   /* Keep 1/64 of the memory free for page tables, stacks and so on. */
   const uint64_t taken = used + other + ws->memory / 64;

   return ws->memory - MIN2(ws->memory, taken);
}

/* Returns false if the process would exceed its memory limit with a new buffer of `size` bytes.
 * All memory of the process counts, including untouched pages of buffers, because touching a page
 * that the host can't back would kill the process.
 */
static bool
fits(struct sgpu_winsys *ws, uint64_t size)
{
   const uint64_t used = sgpu_device_get_param(ws->dev, SGPU_PARAM_MEMORY_USED);

   if (used + size <= p_atomic_read(&ws->room))
      return true;
   const uint64_t available = sgpu_winsys_available(ws);
   if (size > available)
      return false;
   p_atomic_set(&ws->room, used + MIN2(size + ROOM_STEP, available));
   return true;
}

static bool
create_bo(struct sgpu_winsys *ws, uint64_t size, unsigned flags, const char *label,
          struct sgpu_bo **bo)
{
   /* Never refuse memory for command streams, because a program can't even free its buffers without
    * one.
    */
   return (flags & SGPU_BUFFER_STREAM || fits(ws, size)) &&
          !sgpu_layer_bo_create(ws->dev, size, label, bo);
}

static struct sgpu_buffer *
alloc_whole(struct sgpu_winsys *ws, uint64_t size, unsigned flags, const char *label)
{
   const uint64_t wanted = size;

   size = align64(size, SGPU_PAGE_SIZE);
   unsigned bucket = bucket_of(size, flags);

   struct pb_buffer_lean *cached = pb_cache_reclaim_buffer(&ws->cache, size, 1, 0, bucket);
   if (cached) {
      struct sgpu_buffer *buf = buffer_of(cached);
      pipe_reference_init(&buf->base.reference, 1);
      sgpu_layer_bo_reuse(buf->bo, label, flags & SGPU_BUFFER_DEVICE,
                          flags & SGPU_BUFFER_ZERO ? wanted : 0);
      return buf;
   }

   struct sgpu_buffer *buf = CALLOC_STRUCT(sgpu_buffer);
   if (!buf)
      return NULL;

   if (!create_bo(ws, size, flags, label, &buf->bo)) {
      pb_cache_release_all_buffers(&ws->cache);
      if (!create_bo(ws, size, flags, label, &buf->bo)) {
         FREE(buf);
         return NULL;
      }
   }

   sgpu_layer_bo_reuse(buf->bo, label, flags & SGPU_BUFFER_DEVICE, 0);
   init_whole(ws, buf, size);
   pb_cache_init_entry(&ws->cache, &buf->cache_entry, &buf->base, bucket);
   return buf;
}

static void
free_whole(void *winsys, struct pb_buffer_lean *base)
{
   struct sgpu_buffer *buf = buffer_of(base);

   drop_uses(buf);
   simple_mtx_destroy(&buf->lock);
   sgpu_layer_bo_destroy(buf->bo);
   FREE(buf);
}

static bool
can_reclaim_whole(void *winsys, struct pb_buffer_lean *base)
{
   return !sgpu_layer_bo_busy(buffer_of(base)->bo);
}

static bool
can_reclaim_slice(void *winsys, struct pb_slab_entry *entry)
{
   return !sgpu_buffer_busy(container_of(entry, struct sgpu_buffer, slab_entry));
}

static struct pb_slab *
slab_alloc(void *winsys, unsigned heap, unsigned entry_size, unsigned group_index)
{
   struct sgpu_winsys *ws = winsys;
   struct sgpu_slab *slab = CALLOC_STRUCT(sgpu_slab);
   if (!slab)
      return NULL;

   slab->backing = alloc_whole(ws, SLAB_SIZE, 0, "slab");
   slab->base.num_entries = SLAB_SIZE / entry_size;
   slab->entries = CALLOC(slab->base.num_entries, sizeof *slab->entries);
   if (!slab->backing || !slab->entries) {
      sgpu_buffer_reference(&slab->backing, NULL);
      FREE(slab->entries);
      FREE(slab);
      return NULL;
   }

   list_inithead(&slab->base.free);
   slab->base.group_index = group_index;
   slab->base.entry_size = entry_size;
   slab->base.num_free = slab->base.num_entries;
   for (unsigned i = 0; i < slab->base.num_entries; i++) {
      struct sgpu_buffer *buf = &slab->entries[i];
      buf->base.size = entry_size;
      buf->base.alignment_log2 = util_logbase2(entry_size);
      buf->ws = ws;
      buf->bo = slab->backing->bo;
      buf->parent = slab->backing;
      buf->address = slab->backing->address + i * entry_size;
      buf->map = slab->backing->map + i * entry_size;
      buf->dirty = slab->backing->dirty;
      buf->id = p_atomic_inc_return(&ws->next_id);
      simple_mtx_init(&buf->lock, mtx_plain);
      buf->slab_entry.slab = &slab->base;
      list_addtail(&buf->slab_entry.head, &slab->base.free);
   }
   return &slab->base;
}

static void
slab_free(void *winsys, struct pb_slab *base)
{
   struct sgpu_slab *slab = (struct sgpu_slab *)base;

   for (unsigned i = 0; i < base->num_entries; i++) {
      drop_uses(&slab->entries[i]);
      simple_mtx_destroy(&slab->entries[i].lock);
   }
   slab->backing->dirty = true;
   sgpu_buffer_reference(&slab->backing, NULL);
   FREE(slab->entries);
   FREE(slab);
}

struct sgpu_buffer *
sgpu_buffer_create(struct sgpu_winsys *ws, uint64_t size, unsigned flags, const char *label)
{
   struct sgpu_buffer *buf;

   size = MAX2(size, 1);
   if (size <= 1 << SLAB_MAX_LOG2 && !(flags & (SGPU_BUFFER_ALONE | SGPU_BUFFER_STREAM))) {
      struct pb_slab_entry *entry = pb_slab_alloc(&ws->slabs, size, 0);
      if (!entry)
         return NULL;
      buf = container_of(entry, struct sgpu_buffer, slab_entry);
      pipe_reference_init(&buf->base.reference, 1);
   } else {
      buf = alloc_whole(ws, size, flags, label);
      if (!buf)
         return NULL;
   }

   buf->written = false;
   if ((flags & SGPU_BUFFER_ZERO) && buf->dirty)
      memset(buf->map, 0, size);
   return buf;
}

/* Creates a buffer over memory that the device does not own.  Takes ownership of `bo`. */
static struct sgpu_buffer *
create_over(struct sgpu_winsys *ws, struct sgpu_bo *bo, uint64_t size)
{
   struct sgpu_buffer *buf = CALLOC_STRUCT(sgpu_buffer);

   if (!buf) {
      sgpu_layer_bo_destroy(bo);
      return NULL;
   }
   buf->bo = bo;
   init_whole(ws, buf, size);
   buf->shared = true;
   return buf;
}

struct sgpu_buffer *
sgpu_buffer_create_shared(struct sgpu_winsys *ws, void *memory, uint64_t size, const char *label)
{
   struct sgpu_bo *bo;

   if (sgpu_layer_bo_create_shared(ws->dev, memory, size, label, &bo))
      return NULL;
   return create_over(ws, bo, size);
}

bool
sgpu_winsys_has_user_memory(const struct sgpu_winsys *ws)
{
   return !sgpu_layer_on && !ws->live;
}

struct sgpu_buffer *
sgpu_buffer_create_user(struct sgpu_winsys *ws, void *memory, uint64_t size, const char *label)
{
   struct sgpu_bo *bo;

   if (ws->live || sgpu_layer_bo_create_user(ws->dev, memory, size, label, &bo))
      return NULL;
   return create_over(ws, bo, size);
}

void
sgpu_buffer_destroy(struct sgpu_buffer *buf)
{
   buf->dirty = true;
   if (buf->shared)
      free_whole(buf->ws, &buf->base);
   else if (buf->parent)
      pb_slab_free(&buf->ws->slabs, &buf->slab_entry);
   else
      pb_cache_add_buffer(&buf->ws->cache, &buf->cache_entry);
}

bool
sgpu_buffers_init(struct sgpu_winsys *ws, bool recycle)
{
   pb_cache_init(&ws->cache, BUCKETS, CACHE_USECS, 1.25f, 0, recycle ? CACHE_MAX : 0,
                 offsetof(struct sgpu_buffer, cache_entry), ws, free_whole, can_reclaim_whole);
   if (!ws->cache.buckets)
      return false;
   if (!pb_slabs_init(&ws->slabs, SLAB_MIN_LOG2, SLAB_MAX_LOG2, 1, false, ws, can_reclaim_slice,
                      slab_alloc, slab_free)) {
      pb_cache_deinit(&ws->cache);
      return false;
   }
   return true;
}

void
sgpu_buffers_fini(struct sgpu_winsys *ws)
{
   pb_slabs_deinit(&ws->slabs);
   pb_cache_deinit(&ws->cache);
}
