/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects of the public interface.
 */
#include <errno.h>

#include "control/core/sgd_device.h"
#include "common/sgd_time.h"
#include "control/sched/sgd_trace.h"

static int
create(struct sgpu_device *dev, uint64_t address, void *shared, uint64_t size, const char *label,
       struct sgpu_bo **out)
{
   *out = NULL;
   if (sgd_device_dead(dev))
      return -ENODEV;
   const int ret = sgd_bo_create(&dev->memory, address, shared, size, label, out);
   if (ret == 0)
      (*out)->dev = dev;
   return ret;
}

int
sgpu_bo_create(struct sgpu_device *dev, uint64_t size, const char *label, struct sgpu_bo **out)
{
   return create(dev, 0, NULL, size, label, out);
}

int
sgpu_bo_create_at(struct sgpu_device *dev, uint64_t address, uint64_t size, const char *label,
                  struct sgpu_bo **out)
{
   *out = NULL;
   if (!sgd_memory_holds(&dev->memory, address, size))
      return -EINVAL;
   return create(dev, address, NULL, size, label, out);
}

int
sgpu_bo_create_shared(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                      struct sgpu_bo **out)
{
   *out = NULL;
   if (!memory || (uintptr_t)memory % SGPU_PAGE_SIZE)
      return -EINVAL;
   return create(dev, 0, memory, size, label, out);
}

int
sgpu_bo_create_user(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                    struct sgpu_bo **out)
{
   *out = NULL;
   if (sgd_device_dead(dev))
      return -ENODEV;
   const int ret = sgd_bo_create_user(&dev->memory, memory, size, label, out);
   if (!ret)
      (*out)->dev = dev;
   return ret;
}

void
sgpu_bo_destroy(struct sgpu_bo *bo)
{
   /* In a forked child, leak the buffer, because the locks may have been held by threads of the
    * parent.
    */
   if (bo && !sgd_device_dead(bo->dev))
      sgd_bo_unref(bo);
}

void *
sgpu_bo_map(struct sgpu_bo *bo)
{
   return sgd_bo_host(bo);
}

uint64_t
sgpu_bo_address(const struct sgpu_bo *bo)
{
   return bo->address;
}

uint64_t
sgpu_bo_size(const struct sgpu_bo *bo)
{
   return bo->requested;
}

bool
sgpu_bo_busy(struct sgpu_bo *bo)
{
   return !sgd_device_dead(bo->dev) && atomic_load(&bo->busy) != 0;
}

int
sgpu_bo_wait(struct sgpu_bo *bo, uint64_t timeout_ns)
{
   struct sgpu_device *dev = bo->dev;

   if (!sgpu_bo_busy(bo))
      return 0;
   if (timeout_ns == 0)
      return -ETIME;

   struct sgd_fence_waiter w = { .bo = bo };
   const uint64_t deadline = sgd_deadline(timeout_ns);
   const uint64_t start = sgd_sched_records(&dev->sched) ? sgd_time_ns() : 0;
   sgd_sched_enter(&dev->sched, &w.waiter.signals);
   const bool done = !atomic_load(&bo->busy) || sgd_device_wait(dev, &w, deadline);
   sgd_sched_leave(&dev->sched, &w.waiter.signals);
   if (sgd_sched_records(&dev->sched))
      sgd_sched_record(&dev->sched, "wait for buffer", start, sgd_time_ns(), bo->address);
   return done ? 0 : -ETIME;
}
