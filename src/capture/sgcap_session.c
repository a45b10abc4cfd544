/* SPDX-License-Identifier: MIT */
/* Begins and ends captures, and handles signals, forks and the exit of the process. */
#include "sgcap_session.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sgcap_packets.h"
#include "sgpu_layer.h"
#include "util/u_process.h"

/* Delay in seconds between SIGTERM and SIGKILL when the process is terminated after a capture. */
#define QUIT_SECONDS 3
/* Maximum number of files with the same base name. */
#define MAX_FILES 9999

bool sgpu_layer_on;
struct sgcap_session sgcap = { .lock = PTHREAD_MUTEX_INITIALIZER };

static atomic_bool signalled;

static void
say(const char *path, const char *what)
{
   fprintf(stderr, "sgpu: capture: %s: %s\n", path, what);
}

void
sgcap_session_queue(struct sgcap_queue *q)
{
   q->id = sgcap.next_id++;
   q->base = q->told = q->last;
   const struct sgcap_id id = { q->id };
   sgcap_write(sgcap.writer, SGCAP_QUEUE_CREATE, &id, sizeof id, NULL, 0);
   for (unsigned i = 0; i < SGCAP_QUERY_SLOTS; i++) {
      if (q->open_slots >> i & 1) {
         const struct sgcap_query query = { q->id, i, q->slot_types[i] };
         sgcap_write(sgcap.writer, SGCAP_QUERY, &query, sizeof query, NULL, 0);
      }
   }
}

static void
write_device(void)
{
   const char *name = util_get_process_name();
   const struct sgcap_device d = {
      .threads = sgpu_device_get_param(sgcap.dev, SGPU_PARAM_THREADS),
      .dispatch = sgpu_device_get_param(sgcap.dev, SGPU_PARAM_DISPATCH),
      .engines = sgpu_device_get_param(sgcap.dev, SGPU_PARAM_ENGINES),
      .host = sgpu_device_get_param(sgcap.dev, SGPU_PARAM_HOST_LEVEL),
      .memory_size = sgpu_device_get_param(sgcap.dev, SGPU_PARAM_MEMORY_SIZE),
      .name_bytes = strlen(name ? name : "") + 1,
   };
   sgcap_write(sgcap.writer, SGCAP_DEVICE, &d, sizeof d, name ? name : "", d.name_bytes);

   char *text = sgcap_packets_text();
   if (text)
      sgcap_write(sgcap.writer, SGCAP_PACKETS, text, strlen(text) + 1, NULL, 0);
   else
      sgcap_writer_fail(sgcap.writer, ENOMEM);
   free(text);
}

void
sgcap_session_frame(void)
{
   const struct sgcap_frame f = { sgcap.frame };
   sgcap_write(sgcap.writer, SGCAP_FRAME, &f, sizeof f, NULL, 0);
}

/* Sets sgcap.path to the name of file `n`.  The files are numbered from 1 and named F.sgcap,
 * F-2.sgcap, F-3.sgcap and so on.
 */
static void
name_file(unsigned n)
{
   const char *path = sgcap.options.path, *dot = strrchr(path, '.');
   const int stem = dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path);

   if (n == 1)
      snprintf(sgcap.path, sizeof sgcap.path, "%s", path);
   else
      snprintf(sgcap.path, sizeof sgcap.path, "%.*s-%u%s", stem, path, n, path + stem);
}

/* Opens a new file.  Never overwrites files of earlier captures or of other processes. */
static bool
open_file(void)
{
   const unsigned first = sgcap.files + 1;
   struct stat st;

   do {
      name_file(++sgcap.files);
      sgcap.writer = sgcap_writer_open(sgcap.path, sgcap.options.level, false);
      /* If the path is an existing pipe or device, write to it. */
      if (!sgcap.writer && errno == EEXIST && !stat(sgcap.path, &st) && !S_ISREG(st.st_mode))
         sgcap.writer = sgcap_writer_open(sgcap.path, sgcap.options.level, true);
   } while (!sgcap.writer && errno == EEXIST && sgcap.files < MAX_FILES);
   if (!sgcap.writer)
      say(sgcap.path, strerror(errno));
   else if (sgcap.files != first)
      fprintf(stderr, "sgpu: capture: %s: files with earlier names exist\n", sgcap.path);
   return sgcap.writer != NULL;
}

static void
begin_capture(uint64_t last_frame)
{
   if (!open_file()) {
      sgcap.done = !sgcap.options.trigger[0] && !sgcap.options.signal;
      if (sgcap.options.quit)
         sgcap_session_quit();
      return;
   }

   sgcap.next_id = 1;
   sgcap.last_frame = last_frame;
   sgcap.submissions = sgcap.frames = 0;
   write_device();
   hash_table_foreach(sgcap.bos, e)
      sgcap_bo_reset(e->data);
   /* Wait for all earlier work, because the capture starts with the buffer contents after this
    * work.
    */
   list_for_each_entry(struct sgcap_queue, q, &sgcap.queue_list, link) {
      sgcap_queries_take(q);
      sgpu_queue_wait(q->queue, q->last, UINT64_MAX);
      sgcap_session_queue(q);
   }
   sgcap_session_frame();
   sgcap_writer_flush(sgcap.writer);
}

void
sgcap_session_end(void)
{
   const struct sgcap_end end = { sgcap.submissions, sgcap.frames };

   sgcap_write(sgcap.writer, SGCAP_END, &end, sizeof end, NULL, 0);
   const int error = sgcap_writer_close(sgcap.writer);
   const bool empty = sgcap.submissions == 0;
   sgcap.writer = NULL;
   hash_table_foreach(sgcap.bos, e)
      sgcap_bo_reset(e->data);

   /* Remove the empty file of a program that has only created and queried a device. */
   struct stat st;
   if (empty && !stat(sgcap.path, &st) && S_ISREG(st.st_mode) && !unlink(sgcap.path))
      sgcap.files--;
   if (error && empty)
      fprintf(stderr, "sgpu: capture: %s: %s: nothing was written\n", sgcap.path, strerror(error));
   else if (error)
      fprintf(stderr,
              "sgpu: capture: %s: %s: the file ends with submission %" PRIu64 ", picture %" PRIu64
              "\n",
              sgcap.path, strerror(error), sgcap.submissions, sgcap.frames);
   if (!sgcap.options.trigger[0] && !sgcap.options.signal &&
       (error || sgcap.frame >= sgcap.last_frame))
      sgcap.done = true;
}

/* Sends SIGTERM, and starts a timer that sends SIGKILL, because some programs show a menu on
 * SIGTERM instead of exiting.
 */
void
sgcap_session_quit(void)
{
   struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
   const struct itimerspec time = { .it_value.tv_sec = QUIT_SECONDS };
   timer_t timer;

   if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &time, NULL))
      kill(getpid(), SIGKILL);
   kill(getpid(), SIGTERM);
}

/* Begins a capture if the trigger file, the signal or the frame number requests one for the next
 * frame.
 */
void
sgcap_session_consider(void)
{
   sgcap.child = false;
   if (sgcap.writer || sgcap.done)
      return;

   if (sgcap.options.trigger[0] || sgcap.options.signal) {
      struct stat st;
      bool now = sgcap.options.signal && atomic_exchange(&signalled, false);
      if (!now && sgcap.options.trigger[0] && !stat(sgcap.options.trigger, &st)) {
         unlink(sgcap.options.trigger);
         now = true;
      }
      if (now)
         begin_capture(sgcap.frame + sgcap.options.count - 1);
   } else if (sgcap.frame >= sgcap.options.first && sgcap.frame <= sgcap.options.last) {
      begin_capture(sgcap.options.last);
   }
}

static void
on_signal(int number)
{
   atomic_store(&signalled, true);
}

/* After a fork, only the parent continues the capture.  The child must not write to the file. */
static void
before_fork(void)
{
   pthread_mutex_lock(&sgcap.lock);
}

static void
after_fork_parent(void)
{
   pthread_mutex_unlock(&sgcap.lock);
}

static void
after_fork_child(void)
{
   sgcap.writer = NULL;
   sgcap.child = true;
   pthread_mutex_unlock(&sgcap.lock);
}

/* Must be called after the device has registered its fork handlers.  Prepare handlers run in
 * reverse order of registration, so sgcap.lock is taken before the locks of the device.
 */
static void
register_fork(void)
{
   pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

__attribute__((destructor)) static void
at_exit(void)
{
   if (!sgpu_layer_on || pthread_mutex_trylock(&sgcap.lock))
      return;
   if (sgcap.writer)
      sgcap_session_end();
   sgcap.done = true;
   pthread_mutex_unlock(&sgcap.lock);
}

/* Prevents the GL loader from unloading the driver with the last context.  The frame counter would
 * otherwise restart at 0.
 */
static void
stay(void)
{
   Dl_info info;

   if (dladdr(&sgpu_layer_on, &info))
      dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static void
read_options(void)
{
   static bool asked;
   const char *text = secure_getenv("SGPU_CAPTURE");
   char error[1400];

   if (asked || !text || !*text)
      return;
   asked = true;
   if (!sgcap_options_parse(text, &sgcap.options, error, sizeof error)) {
      fprintf(stderr, "sgpu: SGPU_CAPTURE: %s (sgpu capture --help); capturing is off\n", error);
      return;
   }
   sgcap.bos = _mesa_pointer_hash_table_create(NULL);
   sgcap.queues = _mesa_pointer_hash_table_create(NULL);
   list_inithead(&sgcap.queue_list);
   if (!sgcap.bos || !sgcap.queues)
      return;
   if (sgcap.options.signal) {
      const struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
      if (sigaction(sgcap.options.signal, &action, NULL))
         fprintf(stderr, "sgpu: SGPU_CAPTURE: signal %d: %s\n", sgcap.options.signal,
                 strerror(errno));
   }
   stay();
   sgpu_layer_on = true;
}

int
sgpu_layer_device_create(const struct sgpu_device_params *params, struct sgpu_device **out)
{
   static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

   read_options();
   const int ret = sgpu_device_create(params, out);
   if (ret || !sgpu_layer_on)
      return ret;

   pthread_once(&fork_once, register_fork);
   pthread_mutex_lock(&sgcap.lock);
   sgcap.dev = *out;
   sgcap_session_consider();
   pthread_mutex_unlock(&sgcap.lock);
   return 0;
}

void
sgpu_layer_device_destroy(struct sgpu_device *dev)
{
   if (sgpu_layer_on) {
      pthread_mutex_lock(&sgcap.lock);
      if (sgcap.writer)
         sgcap_session_end();
      sgcap.dev = NULL;
      pthread_mutex_unlock(&sgcap.lock);
   }
   sgpu_device_destroy(dev);
}
