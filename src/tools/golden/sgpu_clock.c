/* SPDX-License-Identifier: MIT */
/* A clock that advances with the frames of a program, so that pictures don't depend on the speed of
 * the machine (sgpu golden --clock and --seed; docs/golden.md).  LD_PRELOAD loads the library.
 *
 * SGPU_CLOCK="STEP FILE": time is the number of frames, which the driver counts in FILE, multiplied
 *    by STEP nanoseconds.  All processes that map FILE have the same frames.
 * SGPU_SEED=N: getrandom() and getentropy() return the same bytes in each run.
 *
 * A thread that sleeps, or that waits for a descriptor up to a timeout, finds its own clock
 * advanced by that time.  So does a thread that reads the clock very often between two frames,
 * because it may wait for a certain time in a loop.  Other threads don't see this, because the
 * number of frames during such waits depends on the machine.
 *
 * The window system's and the driver's libraries get the real time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

#define SECOND INT64_C(1000000000)
/* Times at frame 0, in seconds: 2020-01-01 00:00:00 UTC, and for clocks that begin at boot. */
#define REALTIME_BASE INT64_C(1577836800)
#define MONOTONIC_BASE INT64_C(1000)
/* A thread that reads the clock more often between two frames finds it advanced by LOOP_STEP
 * nanoseconds at each further read.
 */
#define LOOP_READS 1000
#define LOOP_STEP 10000

static const _Atomic uint64_t *frames; /* number of frames of the program, or NULL */
static int64_t step;                   /* duration of a frame in nanoseconds */
static bool seeded;
static _Atomic uint64_t random_state;

/* Clock of the thread: the time up to which it has waited, in nanoseconds since frame 0, and the
 * number of reads in frame `seen`.
 */
static __thread struct {
   int64_t waited;
   uint64_t seen;
   unsigned reads;
} own __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void
begin(void)
{
   const char *text = getenv("SGPU_CLOCK"), *seed = getenv("SGPU_SEED");
   char *end;

   if (seed && *seed) {
      seeded = true;
      random_state = strtoull(seed, NULL, 10);
   }
   if (!text)
      return;
   step = strtoll(text, &end, 10);
   const int fd = *end == ' ' ? open(end + 1, O_RDWR | O_CLOEXEC) : -1;
   if (fd < 0)
      return;
   void *map = mmap(NULL, sizeof *frames, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   close(fd);
   if (map != MAP_FAILED)
      frames = map;
}

/* Returns true if the library that contains `address` must get the real time. */
static bool
is_system(const void *address)
{
   static const char *const names[] = {
      "libgallium", "libEGL",   "libGL",    "libOSMesa", "libOpenGL", "libX",    "libxcb",
      "libwayland", "libdbus",  "libpulse", "libasound", "libc.so",   "libc-2",  "libpthread",
      "ld-linux",   "libsgpu_", "libgbm",   "libdrm",    "sgpu_dri",  "dri_gbm", "libpipewire",
   };
   Dl_info info;

   if (!dladdr(address, &info) || !info.dli_fname)
      return false;
   const char *slash = strrchr(info.dli_fname, '/');
   const char *name = slash ? slash + 1 : info.dli_fname;
   for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
      if (!strncmp(name, names[i], strlen(names[i])))
         return true;
   }
   return false;
}

/* Returns true if this caller gets the clock of frames. */
static bool
applies(const void *caller)
{
   /* results of is_system(): addresses with bit 0 set for system libraries */
   static _Atomic uintptr_t known[1024];

   if (!frames)
      return false;
   const uintptr_t key = (uintptr_t)caller << 1;
   _Atomic uintptr_t *entry = &known[(uintptr_t)caller * UINT64_C(0x9e3779b97f4a7c15) >> 54];
   const uintptr_t value = *entry;
   if ((value & ~(uintptr_t)1) == key)
      return !(value & 1);
   const bool system = is_system(caller);
   *entry = key | system;
   return !system;
}

/* Returns the time of this thread in nanoseconds since frame 0. */
static int64_t
now(void)
{
   const uint64_t frame = *frames;
   const int64_t time = (int64_t)frame * step;

   if (own.seen != frame) {
      own.seen = frame;
      own.reads = 0;
   }
   if (own.waited < time)
      own.waited = time;
   if (own.reads >= LOOP_READS)
      own.waited += LOOP_STEP;
   else
      own.reads++;
   return own.waited;
}

static void
advance(int64_t nanoseconds)
{
   const int64_t time = (int64_t)*frames * step;

   if (own.waited < time)
      own.waited = time;
   if (nanoseconds > 0)
      own.waited += nanoseconds;
   own.reads = 0;
}

static int64_t
base_of(clockid_t clock)
{
   switch (clock) {
   case CLOCK_REALTIME:
   case CLOCK_REALTIME_COARSE:
   case CLOCK_TAI:
      return REALTIME_BASE * SECOND;
   case CLOCK_PROCESS_CPUTIME_ID:
   case CLOCK_THREAD_CPUTIME_ID:
      return 0;
   default:
      return MONOTONIC_BASE * SECOND;
   }
}

static struct timespec
to_timespec(int64_t nanoseconds)
{
   return (struct timespec){ nanoseconds / SECOND, nanoseconds % SECOND };
}

static int64_t
from_timespec(const struct timespec *time)
{
   /* Programs pass very large times for "never". */
   if (time->tv_sec > INT64_MAX / SECOND / 4)
      return INT64_MAX / 4;
   return time->tv_sec * SECOND + time->tv_nsec;
}

static int64_t
real_now(clockid_t clock)
{
   struct timespec time;
   syscall(SYS_clock_gettime, clock, &time);
   return from_timespec(&time);
}

/* Returns the next definition of a function, after this library's. */
#define REAL(name)                                           \
   ({                                                        \
      static __typeof__(name) *real;                         \
      if (!real)                                             \
         real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); \
      real;                                                  \
   })

/*
 * Reading the clock
 */
EXPORT int
clock_gettime(clockid_t clock, struct timespec *to)
{
   if (!applies(CALLER)) {
      const long status = syscall(SYS_clock_gettime, clock, to);
      return (int)status;
   }
   *to = to_timespec(base_of(clock) + now());
   return 0;
}

EXPORT int
gettimeofday(struct timeval *restrict to, void *restrict zone)
{
   if (!applies(CALLER))
      return (int)syscall(SYS_gettimeofday, to, zone);
   const int64_t time = REALTIME_BASE * SECOND + now();
   *to = (struct timeval){ time / SECOND, time % SECOND / 1000 };
   if (zone)
      memset(zone, 0, sizeof(struct timezone));
   return 0;
}

EXPORT time_t
time(time_t *to)
{
   const int64_t value = applies(CALLER) ? REALTIME_BASE * SECOND + now()
                                         : real_now(CLOCK_REALTIME);
   if (to)
      *to = value / SECOND;
   return value / SECOND;
}

EXPORT int
timespec_get(struct timespec *to, int base)
{
   if (base != TIME_UTC)
      return 0;
   *to = to_timespec(applies(CALLER) ? REALTIME_BASE * SECOND + now() : real_now(CLOCK_REALTIME));
   return base;
}

EXPORT clock_t
clock(void)
{
   return applies(CALLER) ? now() / (SECOND / CLOCKS_PER_SEC)
                          : real_now(CLOCK_PROCESS_CPUTIME_ID) / (SECOND / CLOCKS_PER_SEC);
}

/*
 * Sleeping.  The thread really sleeps, because it may wait for another one.
 */
EXPORT int
nanosleep(const struct timespec *wanted, struct timespec *left)
{
   const int status = REAL(nanosleep)(wanted, left);
   if (status == 0 && applies(CALLER))
      advance(from_timespec(wanted));
   return status;
}

EXPORT int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
   if (!applies(CALLER))
      return REAL(clock_nanosleep)(clock, flags, wanted, left);
   int64_t duration = from_timespec(wanted);
   if (flags & TIMER_ABSTIME)
      duration -= base_of(clock) + now();
   if (duration <= 0)
      return 0;
   const struct timespec relative = to_timespec(duration);
   const int status = REAL(clock_nanosleep)(clock, 0, &relative,
                                            flags & TIMER_ABSTIME ? NULL : left);
   if (status == 0)
      advance(duration);
   return status;
}

EXPORT int
usleep(useconds_t microseconds)
{
   const int status = REAL(usleep)(microseconds);
   if (status == 0 && applies(CALLER))
      advance((int64_t)microseconds * 1000);
   return status;
}

EXPORT unsigned
sleep(unsigned seconds)
{
   const unsigned left = REAL(sleep)(seconds);
   if (applies(CALLER))
      advance((int64_t)(seconds - left) * SECOND);
   return left;
}

/*
 * Waiting for descriptors up to a timeout
 */
EXPORT int
poll(struct pollfd *fds, nfds_t count, int milliseconds)
{
   const int status = REAL(poll)(fds, count, milliseconds);
   if (status == 0 && milliseconds > 0 && applies(CALLER))
      advance(milliseconds * INT64_C(1000000));
   return status;
}

EXPORT int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
   const int status = REAL(ppoll)(fds, count, timeout, mask);
   if (status == 0 && timeout && applies(CALLER))
      advance(from_timespec(timeout));
   return status;
}

EXPORT int
select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
       struct timeval *restrict timeout)
{
   /* The function writes the remaining time to `timeout`. */
   const int64_t wanted = timeout ? timeout->tv_sec * SECOND + timeout->tv_usec * 1000 : 0;
   const int status = REAL(select)(count, read, write, except, timeout);
   if (status == 0 && applies(CALLER))
      advance(wanted);
   return status;
}

EXPORT int
pselect(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
        const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
   const int status = REAL(pselect)(count, read, write, except, timeout, mask);
   if (status == 0 && timeout && applies(CALLER))
      advance(from_timespec(timeout));
   return status;
}

EXPORT int
epoll_wait(int fd, struct epoll_event *events, int count, int milliseconds)
{
   const int status = REAL(epoll_wait)(fd, events, count, milliseconds);
   if (status == 0 && milliseconds > 0 && applies(CALLER))
      advance(milliseconds * INT64_C(1000000));
   return status;
}

EXPORT int
epoll_pwait(int fd, struct epoll_event *events, int count, int milliseconds, const sigset_t *mask)
{
   const int status = REAL(epoll_pwait)(fd, events, count, milliseconds, mask);
   if (status == 0 && milliseconds > 0 && applies(CALLER))
      advance(milliseconds * INT64_C(1000000));
   return status;
}

/*
 * Waiting up to a point in time, which is translated to the real clock
 */
static struct timespec
to_real(clockid_t clock, const struct timespec *time)
{
   int64_t left = from_timespec(time) - base_of(clock) - now();
   if (left < 0)
      left = 0;
   return to_timespec(real_now(clock) + left);
}

/* Advances the clock of the thread to the point in time after a timeout. */
static int
ended(int status, clockid_t clock, const struct timespec *time)
{
   if (status == ETIMEDOUT)
      advance(from_timespec(time) - base_of(clock) - own.waited);
   return status;
}

EXPORT int
pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                       const struct timespec *until)
{
   if (!applies(CALLER))
      return REAL(pthread_cond_clockwait)(cond, mutex, clock, until);
   const struct timespec real = to_real(clock, until);
   return ended(REAL(pthread_cond_clockwait)(cond, mutex, clock, &real), clock, until);
}

/* Returns the clock of a condition variable, which pthread_condattr_setclock() has chosen.  A point
 * in time shortly after boot belongs to the monotonic clock.
 */
static clockid_t
clock_of(const struct timespec *until)
{
   return until->tv_sec < REALTIME_BASE / 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

EXPORT int
pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                       const struct timespec *restrict until)
{
   /* The first version of the function has another layout of condition variables. */
   static __typeof__(pthread_cond_timedwait) *next;
   if (!next)
      next = (__typeof__(next))dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
   if (!next)
      next = REAL(pthread_cond_timedwait);
   if (!applies(CALLER))
      return next(cond, mutex, until);
   const clockid_t clock = clock_of(until);
   const struct timespec real = to_real(clock, until);
   return ended(next(cond, mutex, &real), clock, until);
}

EXPORT int
pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
   if (!applies(CALLER))
      return REAL(pthread_mutex_timedlock)(mutex, until);
   const struct timespec real = to_real(CLOCK_REALTIME, until);
   return ended(REAL(pthread_mutex_timedlock)(mutex, &real), CLOCK_REALTIME, until);
}

EXPORT int
sem_timedwait(sem_t *restrict sem, const struct timespec *restrict until)
{
   if (!applies(CALLER))
      return REAL(sem_timedwait)(sem, until);
   const struct timespec real = to_real(CLOCK_REALTIME, until);
   const int status = REAL(sem_timedwait)(sem, &real);
   if (status)
      ended(errno, CLOCK_REALTIME, until);
   return status;
}

/*
 * Random numbers
 */
static void
fill(void *to, size_t size)
{
   uint8_t *bytes = to;

   for (size_t i = 0; i < size; i++) {
      /* splitmix64 */
      uint64_t z = atomic_fetch_add(&random_state, UINT64_C(0x9e3779b97f4a7c15));
      z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
      z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
      bytes[i] = (uint8_t)(z ^ z >> 31);
   }
}

EXPORT ssize_t
getrandom(void *to, size_t size, unsigned flags)
{
   if (!seeded || is_system(CALLER))
      return syscall(SYS_getrandom, to, size, flags);
   fill(to, size);
   return (ssize_t)size;
}

EXPORT int
getentropy(void *to, size_t size)
{
   if (!seeded || is_system(CALLER))
      return REAL(getentropy)(to, size);
   if (size > 256) {
      errno = EIO;
      return -1;
   }
   fill(to, size);
   return 0;
}
