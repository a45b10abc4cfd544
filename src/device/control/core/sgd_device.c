/* SPDX-License-Identifier: MIT */
/*
 * Creates and destroys the device, and handles forks of the process.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/core/sgd_device.h"
#include "common/sgd_lock.h"
#include "control/core/sgd_params.h"
#include "common/sgd_time.h"
#include "control/sched/sgd_trace.h"
#include "observe/profile/sgd_profile.h"
#include "shader/translate/sgd_translate.h"
#include "sgpu_observer.h"
#include "util/macros.h"

/* Maximum time in ns that a fork waits for the workers to finish what they are running. */
#define SGD_FORK_NS UINT64_C(3000000000)

/* All devices of the process, for the fork handlers. */
static struct list_head devices = { &devices, &devices };
static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static bool code_locked; /* result of sgd_exec_before_fork() */
/* Signal mask of the forking thread, restored after the fork. Signals are blocked during the fork,
 * because the thread holds the locks.
 */
static sigset_t fork_signals;

/* Waits until no worker of the device is running, and acquires the locks of the device. Returns
 * false at the deadline, or if the device can't work in the child because it has an observer or
 * simulated time.
 */
static bool
pause_device(struct sgpu_device *dev, uint64_t deadline)
{
   if (dev->fork != SGD_FORK_DEAD)
      sgd_trace_flush(dev->sched.trace);
   if (dev->fork == SGD_FORK_DEAD || dev->params.observer || dev->params.virtual_threads ||
       !sgd_pool_pause(&dev->sched, deadline))
      return false;
   if (sgd_translator_before_fork(&dev->translator, deadline))
      return true;
   sgd_pool_resume(&dev->sched);
   return false;
}

static void
resume_device(struct sgpu_device *dev)
{
   if (!dev->paused)
      return;
   sgd_translator_after_fork(&dev->translator);
   sgd_pool_resume(&dev->sched);
   dev->paused = false;
}

static void
before_fork(void)
{
   const uint64_t deadline = sgd_time_ns() + SGD_FORK_NS;

   sgd_block_signals(&fork_signals);
   pthread_mutex_lock(&devices_lock);
   list_for_each_entry(struct sgpu_device, dev, &devices, link)
      dev->paused = pause_device(dev, deadline);
   sgd_profile_before_fork(deadline);
   /* This lock must be acquired last, because running workers and translators need it to make
    * progress.
    */
   code_locked = sgd_exec_before_fork(deadline);
   if (code_locked)
      return;
   list_for_each_entry(struct sgpu_device, dev, &devices, link)
      resume_device(dev);
}

static void
after_fork_parent(void)
{
   if (code_locked)
      sgd_exec_after_fork();
   sgd_profile_after_fork();
   list_for_each_entry(struct sgpu_device, dev, &devices, link)
      resume_device(dev);
   pthread_mutex_unlock(&devices_lock);
   pthread_sigmask(SIG_SETMASK, &fork_signals, NULL);
}

static void
resume_in_child(struct sgpu_device *dev)
{
   if (!dev->paused) {
      dev->fork = SGD_FORK_DEAD;
      return;
   }
   dev->paused = false;
   sgd_translator_after_fork_child(&dev->translator);
   dev->translator.profile = NULL;
   sgd_pool_resume_child(&dev->sched);
   sgd_cond_init(&dev->done);
   list_inithead(&dev->waiters);
   dev->fork = SGD_FORK_CHILD;
}

static void
after_fork_child(void)
{
   sgd_exec_after_fork_child(code_locked);
   sgd_profile_after_fork_child();
   list_for_each_entry(struct sgpu_device, dev, &devices, link)
      resume_in_child(dev);
   pthread_mutex_unlock(&devices_lock);
   pthread_sigmask(SIG_SETMASK, &fork_signals, NULL);
}

static void
register_fork(void)
{
   pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

bool
sgd_device_stays_dead(struct sgpu_device *dev)
{
   bool waits = false;

   if (dev->fork == SGD_FORK_DEAD)
      return true;
   sigset_t signals;
   sgd_sched_enter(&dev->sched, &signals);
   list_for_each_entry(struct sgpu_queue, queue, &dev->queues, link)
      waits |= !list_is_empty(&queue->submissions);
   if (dev->fork == SGD_FORK_CHILD)
      dev->fork = waits && sgd_pool_start(&dev->sched) ? SGD_FORK_DEAD : SGD_FORK_NONE;
   sgd_pool_unlock(&dev->sched);
   pthread_sigmask(SIG_SETMASK, &signals, NULL);
   return dev->fork == SGD_FORK_DEAD;
}

int
sgpu_device_create(const struct sgpu_device_params *params, struct sgpu_device **out)
{
   *out = NULL;
   /* The handlers must exist before the profiler, which must not write to its files in a child. */
   pthread_once(&fork_once, register_fork);
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
      /* An observer must see fragments being shaded in program order, so don't delay the shading.
       * The final contents of the targets are the same either way.
       */
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
   struct sgd_profile *profile = params->profile[0] ? sgd_profile_get(params->profile) : NULL;
   dev->translator.profile = profile;
   if (profile)
      sgd_keep_places();
   sgd_translator_init(&dev->translator, &dev->params, dev->level, ops);
   sgd_sched_init(&dev->sched, &dev->params, dev->memory.base);
   if (params->trace[0])
      dev->sched.trace = sgd_trace_create(params->trace);
   dev->sched.profile = profile;
   sgd_dispatch_init(&dev->dispatch, &dev->sched, &dev->memory, ops, &dev->params);

   sgd_cond_init(&dev->done);
   list_inithead(&dev->queues);
   list_inithead(&dev->waiters);

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

   const bool dead = sgd_device_dead(dev);
   if (!dead) {
      sgd_queues_abandon(dev);
      sgd_pool_stop(&dev->sched);
      sgd_dispatch_finish(&dev->dispatch);
      sgd_sched_finish(&dev->sched);
      sgd_trace_destroy(dev->sched.trace);
      sgd_translator_finish(&dev->translator);
      sgd_shader_cache_finish(&dev->cache);
      pthread_cond_destroy(&dev->done);
   }
   sgd_memory_finish(&dev->memory, dead);
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
   case SGPU_PARAM_DEAD:
      return sgd_device_dead(dev);
   case SGPU_PARAM_VIRTUAL_TIME:
   case SGPU_PARAM_VIRTUAL_LOCK:
      return sgd_pool_virtual_time(&dev->sched, param == SGPU_PARAM_VIRTUAL_LOCK);
   }
   return 0;
}

void
sgpu_device_trace(struct sgpu_device *dev, const char *name, uint64_t start)
{
   if (sgd_sched_records(&dev->sched) && !sgd_device_dead(dev))
      sgd_sched_record(&dev->sched, name, start, sgd_time_ns(), 0);
}

void
sgpu_device_presented(struct sgpu_device *dev)
{
   uint64_t counters[SGPU_COUNTER_COUNT];

   if (!dev->sched.profile || sgd_device_dead(dev))
      return;
   sgpu_device_read_counters(dev, counters);
   sgd_profile_count(dev->sched.profile, counters, dev->profiled, SGPU_COUNTER_COUNT);
   sgd_profile_frame(dev->sched.profile);
}

void
sgpu_device_read_counters(struct sgpu_device *dev, uint64_t *values)
{
   if (sgd_device_dead(dev)) {
      memset(values, 0, sizeof(dev->sched.counters));
      return;
   }
   sigset_t signals;
   sgd_sched_enter(&dev->sched, &signals);
   memcpy(values, dev->sched.counters, sizeof(dev->sched.counters));
   sgd_sched_leave(&dev->sched, &signals);
   sgd_translator_count(&dev->translator, values);
}
