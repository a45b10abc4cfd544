/* SPDX-License-Identifier: MIT */
/* The device, rings and syncs of the process. */
#include "sgpu_winsys.h"

#include "sgpu_host_memory.h"

#include <stdio.h>
#include <string.h>

#include "timing/live/sgt_live.h"
#include "util/os_misc.h"
#include "util/os_time.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

static simple_mtx_t winsys_lock = SIMPLE_MTX_INITIALIZER;
static struct sgpu_winsys *the_winsys;

/* Creates the timing model that SGPU_TIMING selects.  Returns NULL if the variable is unset or
 * invalid.  The program then runs without timing.
 */
static struct sgt_live *
live_from_env(void)
{
   const char *text = secure_getenv("SGPU_TIMING");
   char error[512];

   if (!text || !*text)
      return NULL;
   if (!strcmp(text, "help")) {
      sgt_live_help();
      return NULL;
   }
   struct sgt_live *live = sgt_live_create(text, error, sizeof error);
   if (!live)
      fprintf(stderr, "sgpu: SGPU_TIMING: %s; there is no timing\n", error);
   return live;
}

static struct sgpu_winsys *
winsys_create(void)
{
   struct sgpu_winsys *ws = CALLOC_STRUCT(sgpu_winsys);
   if (!ws)
      return NULL;

   struct sgpu_device_params params;
   sgpu_device_params_from_env(&params);
   ws->live = live_from_env();
   if (ws->live)
      params.observer = sgt_live_observer(ws->live);
   if (sgpu_layer_device_create(&params, &ws->dev)) {
      sgt_live_destroy(ws->live);
      FREE(ws);
      return NULL;
   }

   uint64_t host;
   ws->memory = sgpu_device_get_param(ws->dev, SGPU_PARAM_MEMORY_SIZE);
   if (os_get_total_physical_memory(&host))
      ws->memory = MIN2(ws->memory, host);
   ws->memory = MIN2(ws->memory, sgpu_host_memory_limit(""));
   ws->other = sgpu_host_memory_resident();

   pipe_reference_init(&ws->reference, 1);
   /* With timing, don't recycle buffers, because addresses must not depend on how long a buffer was
    * unused.  With poisoning, don't recycle them either, because the device only poisons new buffer
    * objects.
    */
   if (!sgpu_buffers_init(ws, !ws->live && !params.poison)) {
      sgpu_layer_device_destroy(ws->dev);
      sgt_live_destroy(ws->live);
      FREE(ws);
      return NULL;
   }
   sgpu_report_screen();
   return ws;
}

bool
sgpu_winsys_dead(const struct sgpu_winsys *ws)
{
   return sgpu_device_get_param(ws->dev, SGPU_PARAM_DEAD);
}

struct sgpu_winsys *
sgpu_winsys_get(void)
{
   simple_mtx_lock(&winsys_lock);
   if (the_winsys && !sgpu_winsys_dead(the_winsys))
      pipe_reference(NULL, &the_winsys->reference);
   else
      the_winsys = winsys_create();
   struct sgpu_winsys *ws = the_winsys;
   simple_mtx_unlock(&winsys_lock);
   return ws;
}

void
sgpu_winsys_put(struct sgpu_winsys *ws)
{
   simple_mtx_lock(&winsys_lock);
   if (pipe_reference(&ws->reference, NULL)) {
      if (ws == the_winsys)
         the_winsys = NULL;
      sgpu_buffers_fini(ws);
      sgpu_layer_device_destroy(ws->dev);
      sgt_live_destroy(ws->live);
      FREE(ws);
   }
   simple_mtx_unlock(&winsys_lock);
}

void
sgpu_winsys_submitted(struct sgpu_winsys *ws, struct sgpu_ring *ring, uint64_t seqno)
{
   sgpu_layer_queue_wait(ring->queue, seqno, UINT64_MAX);
   sgt_live_submitted(ws->live);
}

struct sgpu_ring *
sgpu_ring_create(struct sgpu_winsys *ws)
{
   struct sgpu_ring *ring = CALLOC_STRUCT(sgpu_ring);
   if (!ring)
      return NULL;

   if (sgpu_layer_queue_create(ws->dev, &ring->queue)) {
      FREE(ring);
      return NULL;
   }
   pipe_reference_init(&ring->reference, 1);
   ring->users = 1;
   return ring;
}

void
sgpu_ring_set_budget(struct sgpu_ring *ring, uint64_t budget_ns)
{
   /* Ignore allocation failure: the queue then has no time limit. */
   sgpu_queue_set_budget(ring->queue, budget_ns);
}

void
sgpu_ring_close(struct sgpu_ring **ring, uint64_t last_seqno)
{
   if (!*ring)
      return;
   /* The last user of the queue destroys it, and may hold locks.  Wait here, so that this user
    * doesn't have to wait for the submissions.  There are no submissions after last_seqno.
    */
   sgpu_layer_queue_wait((*ring)->queue, last_seqno, UINT64_MAX);
   sgpu_ring_unuse(*ring);
   sgpu_ring_reference(ring, NULL);
}

void
sgpu_ring_reference(struct sgpu_ring **dst, struct sgpu_ring *src)
{
   struct sgpu_ring *old = *dst;

   if (pipe_reference(old ? &old->reference : NULL, src ? &src->reference : NULL))
      FREE(old);
   *dst = src;
}

bool
sgpu_ring_use(struct sgpu_ring *ring)
{
   int32_t users = p_atomic_read(&ring->users);
   while (users) {
      const int32_t was = p_atomic_cmpxchg(&ring->users, users, users + 1);
      if (was == users)
         return true;
      users = was;
   }
   return false;
}

void
sgpu_ring_unuse(struct sgpu_ring *ring)
{
   if (p_atomic_dec_zero(&ring->users)) {
      sgpu_layer_queue_destroy(ring->queue);
      ring->queue = NULL;
   }
}

bool
sgpu_ring_passed(struct sgpu_ring *ring, uint64_t seqno)
{
   if (p_atomic_read(&ring->completed) >= seqno)
      return true;

   if (!sgpu_ring_use(ring))
      return true;
   uint64_t completed = sgpu_layer_queue_completed(ring->queue);
   sgpu_ring_unuse(ring);
   p_atomic_set(&ring->completed, completed);
   return completed >= seqno;
}

bool
sgpu_ring_wait(struct sgpu_ring *ring, uint64_t seqno, uint64_t timeout_ns)
{
   if (p_atomic_read(&ring->completed) >= seqno || !sgpu_ring_use(ring))
      return true;
   bool done = sgpu_layer_queue_wait(ring->queue, seqno, timeout_ns) == 0;
   sgpu_ring_unuse(ring);
   return done;
}

bool
sgpu_ring_take_error(struct sgpu_ring *ring, struct sgpu_ring_error *error)
{
   struct sgpu_queue_error taken;

   if (!sgpu_queue_take_error(ring->queue, &taken))
      return false;
   *error = (struct sgpu_ring_error){
      .seqno = taken.seqno,
      .draw = taken.draw,
      .program = taken.program,
   };
   snprintf(error->text, sizeof error->text, "%s", taken.message);
   return true;
}

struct sgpu_sync *
sgpu_sync_create(struct sgpu_ring *ring)
{
   struct sgpu_sync *sync = CALLOC_STRUCT(sgpu_sync);
   if (!sync)
      return NULL;

   pipe_reference_init(&sync->reference, 1);
   sgpu_ring_reference(&sync->ring, ring);
   util_queue_fence_init(&sync->submitted);
   util_queue_fence_reset(&sync->submitted);
   return sync;
}

void
sgpu_sync_reference(struct sgpu_sync **dst, struct sgpu_sync *src)
{
   struct sgpu_sync *old = *dst;

   if (pipe_reference(old ? &old->reference : NULL, src ? &src->reference : NULL)) {
      if (!util_queue_fence_is_signalled(&old->submitted))
         util_queue_fence_signal(&old->submitted);
      util_queue_fence_destroy(&old->submitted);
      sgpu_ring_reference(&old->ring, NULL);
      FREE(old);
   }
   *dst = src;
}

void
sgpu_sync_submit(struct sgpu_sync *sync, uint64_t seqno)
{
   sync->seqno = seqno;
   util_queue_fence_signal(&sync->submitted);
}

bool
sgpu_sync_wait(struct sgpu_sync *sync, int64_t abs_timeout)
{
   if (!sgpu_wait_signal(&sync->submitted, abs_timeout))
      return false;
   if (sgpu_ring_passed(sync->ring, sync->seqno))
      return true;

   uint64_t timeout = UINT64_MAX;
   if (abs_timeout != OS_TIMEOUT_INFINITE) {
      int64_t now = os_time_get_nano();
      timeout = abs_timeout > now ? abs_timeout - now : 0;
   }
   return sgpu_ring_wait(sync->ring, sync->seqno, timeout);
}
