/* SPDX-License-Identifier: MIT */
/*
 * Profiler: samples of threads.
 *
 * The signals come from a perf event of each thread, whose clock runs while the thread has a
 * processor, or from a timer where the system refuses perf events. Timers of CPU time have the
 * resolution of the kernel's ticks, so one signal can stand for several periods.
 */
#include "observe/profile/sgd_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "common/sgd_shader.h"
#include "common/sgd_time.h"
#include "common/sgd_worker.h"
#include "observe/profile/sgd_profile_inside.h"
#include "shader/program/sgd_decode.h"
#include "texture/unit/sgd_tex_unit.h"
#include "util/macros.h"

/* CPU time in ns between samples of a thread. It is not a multiple of common periods. */
#define PERIOD_NS 2497000

#define MAX_FD 4096

/* thread of each perf event, by file descriptor */
static struct sgd_profiled *_Atomic by_fd[MAX_FD];

/* first and last byte of the driver's code */
static uintptr_t code_first, code_last;

#ifndef F_SETSIG
#define F_SETSIG 10
#endif
#ifndef F_SETOWN_EX
#define F_SETOWN_EX 15
struct f_owner_ex {
   int type;
   pid_t pid;
};
#define F_OWNER_TID 0
#endif

/* Program counter and stack pointer of the interrupted code. */
struct place {
   uintptr_t pc, sp;
};

static struct place
place_of(const void *data)
{
   const ucontext_t *context = data;
#if defined(__x86_64__)
   return (struct place){ (uintptr_t)context->uc_mcontext.gregs[REG_RIP],
                          (uintptr_t)context->uc_mcontext.gregs[REG_RSP] };
#elif defined(__aarch64__)
   return (struct place){ context->uc_mcontext.pc, context->uc_mcontext.sp };
#else
   (void)context;
   return (struct place){ 0, 0 };
#endif
}

/* For functions that read whatever is on the stack. */
#ifdef __clang__
#define NO_SANITIZE __attribute__((noinline, no_sanitize("address", "memory", "thread")))
#else
#define NO_SANITIZE __attribute__((noinline, no_sanitize("address", "thread")))
#endif

/* Returns the first word on the same page of the stack that is an address in the driver, or 0. It
 * is the caller of a function of the C library, in most cases.
 */
static NO_SANITIZE uintptr_t
find_caller(struct place place)
{
   const uintptr_t end = (place.sp | 4095) + 1;

   /* At the start of a page, the stack may be empty, and end there. */
   if (!(place.sp & 4095) || (place.pc >= code_first && place.pc <= code_last))
      return 0;
   for (uintptr_t at = (place.sp + 7) & ~(uintptr_t)7; at < end; at += sizeof(uintptr_t)) {
      const uintptr_t word = *(const uintptr_t *)at;
      if (word >= code_first && word <= code_last)
         return word;
   }
   return 0;
}

static struct sgd_profile_sample *
take_sample(struct sgd_profiled *t)
{
   struct sgd_profile *p = t->profile;

   if (t->next == t->end) {
      uint64_t first;
      if (!sgd_profile_take(p, &first))
         return NULL;
      t->next = first;
      t->end = first + SGD_PROFILE_CHUNK;
   }
   return &p->file->sample[t->next++];
}

/* Stores what the worker executes. */
static void
store_position(const struct sgd_worker *worker, struct sgd_profile_sample *s)
{
   const struct sgd_position *at = &worker->position;
   const struct sgd_shader *shader = __atomic_load_n(&at->shader, __ATOMIC_RELAXED);

   s->work = (uint16_t)at->work;
   s->frame = at->frame;
   s->draw = at->draw;
   s->shape = at->shape;
   s->left = at->left;
   s->ins = UINT32_MAX;
   if (!shader)
      return;
   const struct sgd_decoded *decoded = (const struct sgd_decoded *)shader->code;
   s->program = shader->key;
   s->stage = (uint16_t)(shader->stage + 1);
   const uintptr_t ins = (uintptr_t)at->ins, first = (uintptr_t)decoded->ins;
   if (ins >= first && ins < (uintptr_t)(decoded->ins + shader->num_instrs))
      s->ins = (uint32_t)((ins - first) / sizeof(struct sgd_ins));
}

/* Stores the thread's CPU time. Otherwise, this is only done at each check on all threads. */
static void
store_cpu_time(const struct sgd_profiled *t)
{
   struct timespec now;

   if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now))
      return;
   sgd_profile_raise_cpu(t, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
}

/* Returns the thread that the signal is for, or NULL if the signal is not the profiler's. */
static struct sgd_profiled *
thread_of(const siginfo_t *info)
{
   struct sgd_profile *p = sgd_profile_started();

   if (info->si_code == SI_TIMER) {
      const uintptr_t t = (uintptr_t)info->si_value.sival_ptr;
      return t - (uintptr_t)p->thread < sizeof(p->thread) ? (struct sgd_profiled *)t : NULL;
   }
   const bool event = info->si_code >= POLL_IN && info->si_code <= POLL_HUP;
   return event && info->si_fd >= 0 && info->si_fd < MAX_FD ? by_fd[info->si_fd] : NULL;
}

static void
handle(int signal, siginfo_t *info, void *context)
{
   const int error = errno;
   struct sgd_profiled *t = thread_of(info);
   const unsigned overrun = info->si_code == SI_TIMER ? (unsigned)MAX2(info->si_overrun, 0) : 0;
   const unsigned weight = 1 + overrun;

   struct sgd_profile_sample *s = t ? take_sample(t) : NULL;
   if (!s) {
      if (t)
         atomic_fetch_add_explicit(&t->profile->file->lost, 1, memory_order_relaxed);
      errno = error;
      return;
   }
   const struct place place = place_of(context);
   const struct sgd_worker *worker = atomic_load_explicit(&t->worker, memory_order_relaxed);
   s->pc = place.pc;
   s->caller = find_caller(place);
   s->slot = (uint16_t)t->slot;
   s->weight = (uint16_t)MIN2(weight, UINT16_MAX);
   s->ins = s->left = UINT32_MAX;
   if (worker && worker->position.work)
      store_position(worker, s);
   atomic_fetch_add_explicit(&t->profile->file->slot[t->slot].samples, weight,
                             memory_order_relaxed);
   store_cpu_time(t);
   atomic_store_explicit(&s->time, sgd_time_ns(), memory_order_release);
   errno = error;
}

/* Finds the limits of the code of this library, by the linker's symbols. */
extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));
extern const char etext[] __attribute__((weak, visibility("hidden")));

/* Prepares the signal. Returns false if the program uses all of the candidates. */
static bool
install(struct sgd_profile *p)
{
   /* Use another signal if the program itself has a profiler. Realtime signals would queue up in
    * threads that block them.
    */
   const int signals[] = { SIGPROF, SIGSTKFLT, SIGVTALRM };
   struct sigaction old;

   if (p->signal)
      return p->signal > 0;
   p->signal = -1;
   code_first = (uintptr_t)__ehdr_start;
   code_last = (uintptr_t)etext;
   for (unsigned i = 0; i < ARRAY_SIZE(signals); i++) {
      if (sigaction(signals[i], NULL, &old) || (old.sa_flags & SA_SIGINFO) ||
          old.sa_handler != SIG_DFL)
         continue;
      struct sigaction action = {
         .sa_sigaction = handle,
         .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
      };
      sigfillset(&action.sa_mask);
      sigdelset(&action.sa_mask, SIGSEGV);
      if (!sigaction(signals[i], &action, NULL)) {
         p->signal = signals[i];
         return true;
      }
   }
   return false;
}

/* Starts a perf event that sends a signal to the thread. Returns false if the system refuses it. */
static bool
start_event(struct sgd_profile *p, struct sgd_profiled *t)
{
   struct perf_event_attr attr = {
      .type = PERF_TYPE_SOFTWARE,
      .size = sizeof(attr),
      .config = PERF_COUNT_SW_TASK_CLOCK,
      .sample_period = PERIOD_NS,
      .wakeup_events = 1,
      .disabled = 1,
      .exclude_hv = 1,
   };
   int fd = (int)syscall(SYS_perf_event_open, &attr, t->tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
   if (fd < 0) {
      /* Without privileges, the event may have to exclude the kernel. */
      attr.exclude_kernel = 1;
      fd = (int)syscall(SYS_perf_event_open, &attr, t->tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
   }
   if (fd < 0)
      return false;
   const struct f_owner_ex owner = { F_OWNER_TID, t->tid };
   struct rlimit limit;
   /* Leave file descriptors for the program. */
   if (fd >= MAX_FD || getrlimit(RLIMIT_NOFILE, &limit) || (rlim_t)fd >= limit.rlim_cur / 2) {
      close(fd);
      return false;
   }
   by_fd[fd] = t;
   if (fcntl(fd, F_SETFL, O_ASYNC) || fcntl(fd, F_SETSIG, p->signal) ||
       fcntl(fd, F_SETOWN_EX, &owner) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
      by_fd[fd] = NULL;
      close(fd);
      return false;
   }
   t->fd = fd;
   return true;
}

static bool
start_timer(struct sgd_profile *p, struct sgd_profiled *t)
{
   struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = p->signal };
   const struct itimerspec spec = { { 0, PERIOD_NS }, { 0, PERIOD_NS } };
   const clockid_t clock = (clockid_t)((~(unsigned)t->tid << 3) | 6);

   event.sigev_value.sival_ptr = t;
#ifdef sigev_notify_thread_id
   event.sigev_notify_thread_id = t->tid;
#else
   event._sigev_un._tid = t->tid;
#endif
   if (timer_create(clock, &event, &t->timer))
      return false;
   if (timer_settime(t->timer, 0, &spec, NULL)) {
      timer_delete(t->timer);
      return false;
   }
   t->has_timer = true;
   return true;
}

uint64_t
sgd_profile_sample_start(struct sgd_profile *p, unsigned slot, int tid)
{
   struct sgd_profiled *t = &p->thread[slot];

   if (!install(p))
      return 0;
   if (p->file->method != 2 && start_event(p, t)) {
      p->file->method = 1;
      return PERIOD_NS;
   }
   if (!start_timer(p, t))
      return 0;
   if (!p->file->method)
      p->file->method = 2;
   return PERIOD_NS;
}

void
sgd_profile_sample_end(struct sgd_profile *p, unsigned slot)
{
   struct sgd_profiled *t = &p->thread[slot];

   if (t->fd >= 0) {
      by_fd[t->fd] = NULL;
      close(t->fd);
   }
   if (t->has_timer)
      timer_delete(t->timer);
   t->fd = -1;
   t->has_timer = false;
}

/* Returns the path of filters of a view. */
static unsigned
path_of_view(const struct sgd_tex_unit *u)
{
   return u->simple    ? SGD_PROFILE_SIMPLE
          : u->wide    ? SGD_PROFILE_WIDE
          : u->word    ? SGD_PROFILE_WORD
          : u->volume  ? SGD_PROFILE_VOLUME
          : u->bytes   ? SGD_PROFILE_BYTES
          : u->generic ? SGD_PROFILE_CONVERT
                       : SGD_PROFILE_GENERAL;
}

static unsigned
path_of_filter(const struct sgd_tex_unit *u, const struct sgd_tex_op *op)
{
   const struct sgd_tex_unit *slice = u->slice;

   if (op->op == SGPU_OP_TG4)
      return u->generic ? SGD_PROFILE_CONVERT : SGD_PROFILE_GENERAL;
   if (slice && !u->word && (!slice->simple || (op->plain && u->type == SGPU_TEXTURE_TYPE_2D)))
      return path_of_view(slice) | SGD_PROFILE_SLICE;
   return path_of_view(u);
}

static unsigned
path_of(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
        const struct sgd_tex_op *op, unsigned *texels)
{
   const struct sgd_tex_unit *u = texture ? texture->unit : NULL;

   *texels = 0;
   if (!u)
      return SGD_PROFILE_GENERAL | SGD_PROFILE_FETCH;
   unsigned path = (unsigned)u->type << SGD_PROFILE_TYPE | texture->desc.format
                                                              << SGD_PROFILE_FORMAT;
   path |= op->plain ? SGD_PROFILE_PLAIN : 0;
   path |= op->shadow ? SGD_PROFILE_SHADOW : 0;
   if (op->op == SGPU_OP_TXF) {
      *texels = 1;
      return path | SGD_PROFILE_FETCH |
             (u->texels    ? SGD_PROFILE_TEXELS
              : u->generic ? SGD_PROFILE_CONVERT
                           : SGD_PROFILE_GENERAL);
   }
   if (op->op == SGPU_OP_TXQ || op->op == SGPU_OP_TXQS || op->op == SGPU_OP_LODQ)
      return path | SGD_PROFILE_FETCH | SGD_PROFILE_GENERAL;
   path |= path_of_filter(u, op);
   const struct SGPU_SAMPLER *s = sampler ? &sampler->desc : NULL;
   const bool linear = op->op == SGPU_OP_TG4 || (s && (s->min_filter == SGPU_FILTER_LINEAR ||
                                                       s->mag_filter == SGPU_FILTER_LINEAR));
   const bool levels = s && u->num_levels > 1 && s->mip_filter != SGPU_MIP_FILTER_NONE &&
                       op->op != SGPU_OP_TG4;
   path |= (linear ? SGD_PROFILE_LINEAR : 0) | (levels ? SGD_PROFILE_LEVELS : 0);
   path |= s && s->max_anisotropy > 1 ? SGD_PROFILE_ANISO : 0;
   *texels = 1;
   if (linear) {
      *texels = u->type == SGPU_TEXTURE_TYPE_3D ? 8 : u->type == SGPU_TEXTURE_TYPE_1D ? 2 : 4;
      *texels *= levels && s->mip_filter == SGPU_MIP_FILTER_LINEAR ? 2 : 1;
   }
   return path;
}

/* Returns the element for the key, or NULL if the table is full. */
static struct sgd_profile_texture *
find_texture(struct sgd_profile_file *file, uint64_t program, uint32_t ins, uint32_t path)
{
   uint64_t key = (program ^ ((uint64_t)ins << 32 | path)) * UINT64_C(0x9e3779b97f4a7c15) | 1;
   for (unsigned n = 0; n < 64; n++) {
      struct sgd_profile_texture *e = &file->texture[((key >> 40) + n) % SGD_PROFILE_TEXTURES];
      uint64_t found = 0;
      if (atomic_compare_exchange_strong(&e->key, &found, key)) {
         e->program = program;
         e->ins = ins;
         e->path = path;
         return e;
      }
      if (found == key)
         return e;
   }
   return NULL;
}

void
sgd_profile_texture(struct sgd_worker *worker, const struct sgd_ins *ins,
                    const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                    const struct sgd_tex_op *op, uint32_t active)
{
   struct sgd_position *at = &worker->position;

   if (!at->shader)
      return;
   struct sgd_profile *p = sgd_profile_started();
   const struct sgd_decoded *decoded = (const struct sgd_decoded *)at->shader->code;
   unsigned texels;
   const unsigned path = path_of(texture, sampler, op, &texels);
   struct sgd_profile_texture *e = find_texture(p->file, at->shader->key,
                                                (uint32_t)(ins - decoded->ins), path);
   if (!e)
      return;
   const uint64_t lanes = (uint64_t)__builtin_popcount(active);
   atomic_fetch_add_explicit(&e->ops, SGD_TEXTURE_STEP, memory_order_relaxed);
   atomic_fetch_add_explicit(&e->lanes, SGD_TEXTURE_STEP * lanes, memory_order_relaxed);
   atomic_fetch_add_explicit(&e->texels, SGD_TEXTURE_STEP * lanes * texels, memory_order_relaxed);
}
