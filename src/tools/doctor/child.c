/* SPDX-License-Identifier: MIT */
/* Runs probes and the X server in child processes, so that a crash or a hang is a finding. */
#include "doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/run/x_cookie.h"

static double
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return time.tv_sec + time.tv_nsec * 1e-9;
}

static void __attribute__((noreturn))
be_probe(const char *name, const environment sets, int output, int messages)
{
   prctl(PR_SET_PDEATHSIG, SIGKILL);
   for (char **set = sets; set && *set; set++)
      putenv(*set);
   /* Loaders then say why they take no driver. */
   setenv("LIBGL_DEBUG", "verbose", 0);
   setenv("EGL_LOG_LEVEL", "debug", 0);
   unsetenv("SGPU_CAPTURE");
   /* Libraries that are only opened are no use of OpenGL for sgpu-require. */
   if (!strncmp(name, "load:", 5) || !strncmp(name, "absent:", 7) || !strcmp(name, "libraries")) {
      unsetenv("LD_AUDIT");
      unsetenv("SGPU_REPORT");
   }
   const int null = open("/dev/null", O_RDWR);
   dup2(null, 0);
   dup2(messages, 1);
   dup2(messages, 2);
   if (output != 3)
      dup2(output, 3);
   else
      fcntl(3, F_SETFD, 0);
   char self[4096];
   const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
   if (length > 0) {
      self[length] = 0;
      execl(self, "sgpu-doctor", "--probe", name, (char *)NULL);
   }
   _exit(127);
}

static void
take_line(struct result *result, FILE *output, const char *line)
{
   const char *value = strchr(line, '=');

   if (!value)
      return;
   const size_t length = value++ - line;
#define IS(key) (length == sizeof(key) - 1 && !memcmp(line, key, length))
   if (IS("stage"))
      snprintf(result->stage, sizeof result->stage, "%s", value);
   else if (IS("error"))
      snprintf(result->error, sizeof result->error, "%s", value);
   else if (IS("renderer"))
      snprintf(result->renderer, sizeof result->renderer, "%s", value);
   else if (IS("version"))
      snprintf(result->version, sizeof result->version, "%s", value);
   else if (IS("drawn"))
      result->drawn = true;
   else if (output)
      fprintf(output, "%s\n", line);
#undef IS
}

/* Reads what is there, up to the end of the buffer.  Returns false at the end of the pipe. */
static bool
read_some(int fd, char *text, size_t size, size_t *length)
{
   char drop[4096];
   const bool full = *length + 1 >= size;
   const ssize_t got = full ? read(fd, drop, sizeof drop)
                            : read(fd, text + *length, size - 1 - *length);

   if (got <= 0)
      return got < 0 && errno == EINTR;
   if (!full)
      *length += got;
   text[*length] = 0;
   return true;
}

void
run_probe(const char *name, const environment sets, struct result *result, FILE *output)
{
   static char lines[65536];
   int pipes[2][2];
   size_t lengths[2] = { 0 };

   memset(result, 0, sizeof *result);
   result->tried = true;
   if (pipe2(pipes[0], O_CLOEXEC) || pipe2(pipes[1], O_CLOEXEC)) {
      snprintf(result->error, sizeof result->error, "no pipe: %s", strerror(errno));
      return;
   }
   const pid_t pid = fork();
   if (pid == 0)
      be_probe(name, sets, pipes[0][1], pipes[1][1]);
   close(pipes[0][1]);
   close(pipes[1][1]);
   if (pid < 0) {
      snprintf(result->error, sizeof result->error, "no process can be started: %s",
               strerror(errno));
      close(pipes[0][0]);
      close(pipes[1][0]);
      return;
   }

   struct pollfd fds[2] = { { pipes[0][0], POLLIN, 0 }, { pipes[1][0], POLLIN, 0 } };
   const double end = now() + PROBE_SECONDS;
   *lines = 0;
   while (fds[0].fd >= 0 && !result->timeout) {
      const double left = end - now();
      if (left <= 0 || !poll(fds, 2, (int)(left * 1000) + 1)) {
         result->timeout = now() >= end;
         continue;
      }
      if (fds[0].revents && !read_some(fds[0].fd, lines, sizeof lines, &lengths[0]))
         fds[0].fd = -1;
      if (fds[1].revents &&
          !read_some(fds[1].fd, result->messages, sizeof result->messages, &lengths[1]))
         fds[1].fd = -1;
   }
   kill(pid, SIGKILL);
   int status;
   waitpid(pid, &status, 0);
   close(pipes[0][0]);
   close(pipes[1][0]);

   for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
      take_line(result, output, line);
   /* The process closes the pipe when it is done, just before it ends. */
   if (!result->timeout && !result->drawn && WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
      result->signal = WTERMSIG(status);
   if (result->timeout)
      snprintf(result->error, sizeof result->error, "no answer within %d s in %s", PROBE_SECONDS,
               result->stage);
   else if (result->signal)
      snprintf(result->error, sizeof result->error, "crash in %s: signal %d (%s)", result->stage,
               result->signal, strsignal(result->signal));
   else if (!result->drawn && !*result->error && *result->stage)
      snprintf(result->error, sizeof result->error, "the process ended in %s", result->stage);
   result->sgpu = result->drawn && !strncmp(result->renderer, "sgpu", 4);
}

static pid_t xvfb;
static char xvfb_cookie[4096];

/* Returns false on failure, with or without a file. */
static bool
write_cookie(void)
{
   const char *folder = getenv("TMPDIR");
   const int length = snprintf(xvfb_cookie, sizeof xvfb_cookie, "%s/sgpu-doctor-XXXXXX",
                               folder && *folder ? folder : "/tmp");
   const int fd = length < (int)sizeof xvfb_cookie ? mkstemp(xvfb_cookie) : -1;
   if (fd < 0) {
      *xvfb_cookie = 0;
      return false;
   }
   const bool ok = x_cookie_write(fd);
   close(fd);
   return ok;
}

const char *
start_xvfb(const struct doctor *d)
{
   static char display[32];
   int ready[2];

   if (!write_cookie() || pipe2(ready, O_CLOEXEC)) {
      stop_xvfb();
      return NULL;
   }
   xvfb = fork();
   if (xvfb == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const char *drivers = variable(d->sets, "LIBGL_DRIVERS_PATH");
      if (drivers) {
         setenv("LIBGL_DRIVERS_PATH", drivers, 1);
         setenv("GALLIUM_DRIVER", "sgpu", 1);
      }
      unsetenv("LIBGL_ALWAYS_SOFTWARE");
      unsetenv("LD_LIBRARY_PATH");
      unsetenv("LD_PRELOAD");
      const int null = open("/dev/null", O_RDWR);
      dup2(null, 0);
      dup2(null, 1);
      dup2(null, 2);
      dup2(ready[1], 3);
      execlp("Xvfb", "Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp",
             "-noreset", "-auth", xvfb_cookie, (char *)NULL);
      _exit(127);
   }
   close(ready[1]);
   display[0] = ':';
   size_t length = 1;
   struct pollfd fd = { ready[0], POLLIN, 0 };
   /* The number of the display and a newline. */
   while (xvfb > 0 && poll(&fd, 1, PROBE_SECONDS * 1000) > 0) {
      if (!read_some(fd.fd, display, sizeof display, &length) || strchr(display, '\n'))
         break;
   }
   close(ready[0]);
   char *end = strchr(display, '\n');
   if (!end || end == display + 1) {
      stop_xvfb();
      return NULL;
   }
   *end = 0;
   setenv("XAUTHORITY", xvfb_cookie, 1);
   return display;
}

void
stop_xvfb(void)
{
   if (xvfb > 0) {
      kill(xvfb, SIGTERM);
      waitpid(xvfb, NULL, 0);
   }
   xvfb = 0;
   if (*xvfb_cookie)
      unlink(xvfb_cookie);
   *xvfb_cookie = 0;
}
