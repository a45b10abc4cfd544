/* SPDX-License-Identifier: MIT */
/*
 * The device: its creation, its parameters, its end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgd_device.h"
#include "sgd_params.h"
#include "sgd_time.h"
#include "sgd_trace.h"
#include "sgpu_observer.h"
#include "util/macros.h"

/* Devices of the process, for fork. */
static struct list_head devices = { &devices, &devices };
static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void
before_fork(void)
{
   pthread_mutex_lock(&devices_lock);
   list_for_each_entry(struct sgpu_device, dev, &devices, link)
      sgd_trace_flush(dev->sched.trace);
}

static void
after_fork_parent(void)
{
   pthread_mutex_unlock(&devices_lock);
}

/* The child has no workers, and locks may be held by threads of the parent. */
static void
after_fork_child(void)
{
   list_for_each_entry(struct sgpu_device, dev, &devices, link)
      dev->dead = true;
   pthread_mutex_unlock(&devices_lock);
}

static void
register_fork(void)
{
   pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

int
sgpu_device_create(const struct sgpu_device_params *params, struct sgpu_device **out)
{
   *out = NULL;
   struct sgpu_device *dev = calloc(1, sizeof(*dev));
   if (!dev)
      return -ENOMEM;

   dev->params = *params;
   sgd_params_complete(&dev->params);
   dev->level = sgd_host_level(dev->params.host);
   const struct sgd_arch_ops *ops = sgd_host_ops(dev->level);
   const struct sgpu_observer *observer = dev->params.observer;
   if (observer && (observer->classes > SGPU_OBSERVE_OPERATIONS || observer->work)) {
      dev->level = SGPU_HOST_BASELINE;
      ops = &sgd_arch_ops_observed;
      /* Pictures are the same, and values are known in program order. */
      if (dev->params.dispatch == SGPU_DISPATCH_OOO_SPLIT_BREAK)
         dev->params.dispatch = SGPU_DISPATCH_OOO_SPLIT;
   }

   const int ret = sgd_memory_init(&dev->memory, dev->params.poison);
   if (ret) {
      free(dev);
      return ret;
   }
   if (!sgd_shader_cache_init(&dev->cache, ops->interpret, &dev->translator,
                              dev->params.observer)) {
      sgd_memory_finish(&dev->memory, false);
      free(dev);
      return -ENOMEM;
   }
   sgd_translator_init(&dev->translator, &dev->params, dev->level, ops);
   sgd_sched_init(&dev->sched, &dev->params, dev->memory.base);
   if (params->trace[0])
      dev->sched.trace = sgd_trace_create(params->trace);
   sgd_dispatch_init(&dev->dispatch, &dev->sched, &dev->memory, ops, &dev->params);

   pthread_condattr_t attr;
   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_cond_init(&dev->done, &attr);
   pthread_condattr_destroy(&attr);
   list_inithead(&dev->queues);
   list_inithead(&dev->waiters);

   pthread_once(&fork_once, register_fork);
   pthread_mutex_lock(&devices_lock);
   list_addtail(&dev->link, &devices);
   pthread_mutex_unlock(&devices_lock);
   *out = dev;
   return 0;
}

void
sgpu_device_destroy(struct sgpu_device *dev)
{
   pthread_mutex_lock(&devices_lock);
   list_del(&dev->link);
   pthread_mutex_unlock(&devices_lock);

   /* In the child of a fork, only the memory is its own. */
   if (!dev->dead) {
      sgd_queues_abandon(dev);
      sgd_pool_stop(&dev->sched);
      sgd_dispatch_finish(&dev->dispatch);
      sgd_sched_finish(&dev->sched);
      sgd_trace_destroy(dev->sched.trace);
      sgd_translator_finish(&dev->translator);
      sgd_shader_cache_finish(&dev->cache);
      pthread_cond_destroy(&dev->done);
   }
   sgd_memory_finish(&dev->memory, dev->dead);
   free(dev);
}

uint64_t
sgpu_device_get_param(struct sgpu_device *dev, enum sgpu_param param)
{
   switch (param) {
   case SGPU_PARAM_THREADS:
      return dev->params.threads;
   case SGPU_PARAM_ENGINES:
      return dev->params.engines;
   case SGPU_PARAM_HOST_LEVEL:
      return dev->level;
   case SGPU_PARAM_MEMORY_SIZE:
      return dev->memory.size;
   case SGPU_PARAM_MEMORY_USED:
      return dev->memory.used;
   case SGPU_PARAM_TIMESTAMP:
      return sgd_time_ns();
   case SGPU_PARAM_DISPATCH:
      return dev->params.dispatch;
   case SGPU_PARAM_VIRTUAL_TIME:
   case SGPU_PARAM_VIRTUAL_LOCK:
      return sgd_pool_virtual_time(&dev->sched, param == SGPU_PARAM_VIRTUAL_LOCK);
   }
   return 0;
}

void
sgpu_device_trace(struct sgpu_device *dev, const char *name, uint64_t start)
{
   if (dev->sched.trace && !dev->dead)
      sgd_trace_span(dev->sched.trace, name, start, sgd_time_ns(), 0);
}

void
sgpu_device_read_counters(struct sgpu_device *dev, uint64_t *values)
{
   if (dev->dead) {
      memset(values, 0, sizeof(dev->sched.counters));
      return;
   }
   sigset_t signals;
   sgd_sched_enter(&dev->sched, &signals);
   memcpy(values, dev->sched.counters, sizeof(dev->sched.counters));
   sgd_sched_leave(&dev->sched, &signals);
   sgd_translator_count(&dev->translator, values);
}
