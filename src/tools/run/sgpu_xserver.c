/* SPDX-License-Identifier: MIT */
/* sgpu-xserver starts an X server for a process, and ends it when the process ends.
 *
 * usage: sgpu-xserver PID SERVER [OPTION...]
 *
 * Prints assignments for a shell, DISPLAY, XAUTHORITY and xvfb (the process that ends the server),
 * when the server accepts connections.  The process PID need not be the parent: a shell that starts
 * the server may become another program.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "x_cookie.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

#define START_SECONDS 30
#define END_SECONDS 10

static char folder[4096];    /* the server's files */
static char auth_name[4128]; /* file with the cookie */
static char log_name[4128];  /* file with the server's messages */
static volatile sig_atomic_t asked_to_end;

static void
note_signal(int sig)
{
   asked_to_end = sig;
}

static void
remove_files(void)
{
   unlink(auth_name);
   unlink(log_name);
   rmdir(folder);
}

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...)
{
   va_list arguments;

   va_start(arguments, format);
   fputs("sgpu-xserver: ", stderr);
   vfprintf(stderr, format, arguments);
   fputc('\n', stderr);
   va_end(arguments);
   if (*folder)
      remove_files();
   exit(1);
}

static void
write_cookie(void)
{
   int file = open(auth_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

   if (file < 0 || !x_cookie_write(file))
      die("cannot write %s: %s", auth_name, strerror(errno));
   close(file);
}

static void
make_folder(void)
{
   const char *tmp = getenv("TMPDIR");

   if (!tmp || !*tmp)
      tmp = "/tmp";
   if (snprintf(folder, sizeof folder, "%s/sgpu-x.XXXXXX", tmp) >= (int)sizeof folder ||
       !mkdtemp(folder)) {
      int error = errno;

      *folder = '\0';
      die("cannot create a folder in %s: %s: set TMPDIR to a folder that can be written", tmp,
          strerror(error));
   }
   snprintf(auth_name, sizeof auth_name, "%s/auth", folder);
   snprintf(log_name, sizeof log_name, "%s/log", folder);
}

/* Starts the server, which writes the number of its display to a pipe. */
static pid_t
start_server(char **arguments, int count, int *display)
{
   char number[16], **all = calloc(count + 8, sizeof *all);
   int ends[2];

   if (!all || pipe(ends))
      die("cannot start %s: %s", arguments[0], strerror(errno));
   snprintf(number, sizeof number, "%d", ends[1]);
   int n = 0;
   all[n++] = arguments[0];
   all[n++] = "-displayfd";
   all[n++] = number;
   all[n++] = "-nolisten";
   all[n++] = "tcp";
   all[n++] = "-noreset";
   all[n++] = "-auth";
   all[n++] = auth_name;
   memcpy(all + n, arguments + 1, count * sizeof *all);

   pid_t parent = getpid(), server = fork();
   if (server < 0)
      die("cannot start %s: %s", arguments[0], strerror(errno));
   if (server == 0) {
      int log = open(log_name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
      int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

      /* If this supervisor is killed, so is the server. */
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent)
         _exit(1);
      dup2(null, 0);
      dup2(log, 1);
      dup2(log, 2);
      close(ends[0]);
      execvp(all[0], all);
      dprintf(2, "cannot run %s: %s\n", all[0], strerror(errno));
      _exit(127);
   }
   close(ends[1]);
   free(all);
   *display = ends[0];
   return server;
}

/* Reads the number of the display, up to the end of the line.  Returns false if the server ends, or
 * does not write it in time.
 */
static bool
read_display(int display, char *number, size_t size)
{
   struct timespec start, now;
   size_t length = 0;

   clock_gettime(CLOCK_MONOTONIC, &start);
   while (length + 1 < size) {
      struct pollfd pipe = { .fd = display, .events = POLLIN };

      clock_gettime(CLOCK_MONOTONIC, &now);
      long left = (START_SECONDS - (now.tv_sec - start.tv_sec)) * 1000;
      if (left <= 0 || asked_to_end)
         return false;
      if (poll(&pipe, 1, left) < 0 && errno == EINTR)
         continue;
      ssize_t got = read(display, number + length, 1);
      if (got <= 0)
         return false;
      if (number[length] == '\n') {
         number[length] = '\0';
         return length > 0;
      }
      length++;
   }
   return false;
}

static void
print_log(void)
{
   char text[4096];
   ssize_t size;
   int log = open(log_name, O_RDONLY | O_CLOEXEC);

   while (log >= 0 && (size = read(log, text, sizeof text)) > 0) {
      if (write(2, text, size) < 0)
         break;
   }
}

/* Ends the server. */
static void
end_server(pid_t server)
{
   struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };

   kill(server, SIGTERM);
   for (int i = 0; i < END_SECONDS * 100; i++) {
      if (waitpid(server, NULL, WNOHANG) != 0)
         return;
      nanosleep(&pause, NULL);
   }
   kill(server, SIGKILL);
   waitpid(server, NULL, 0);
}

/* Returns when the process or the server has ended, or a signal asks for the end. */
static void
wait_for_end(pid_t process, int process_fd, pid_t server)
{
   while (!asked_to_end && waitpid(server, NULL, WNOHANG) == 0) {
      struct pollfd fd = { .fd = process_fd, .events = POLLIN };

      /* The server ends rarely before the process, so its end may be noticed late.  Kernels before
       * 5.3 have no file descriptors of processes.
       */
      if (poll(&fd, 1, process_fd >= 0 ? 1000 : 100) > 0)
         return;
      if (process_fd < 0 && kill(process, 0) && errno == ESRCH)
         return;
   }
}

/* Starts the server, tells the caller through a pipe whether it runs, and waits. */
static int
supervise(pid_t process, int process_fd, char **arguments, int count, int result)
{
   struct sigaction action = { .sa_handler = note_signal };
   char number[16];
   int display;

   /* The terminal's signals are for the program. */
   setsid();
   sigaction(SIGTERM, &action, NULL);
   sigaction(SIGINT, &action, NULL);
   sigaction(SIGHUP, &action, NULL);

   pid_t server = start_server(arguments, count, &display);
   if (!read_display(display, number, sizeof number)) {
      end_server(server);
      print_log();
      remove_files();
      return 1;
   }
   dprintf(result, "DISPLAY=:%s XAUTHORITY='%s' xvfb=%d\n", number, auth_name, (int)getpid());
   close(result);
   /* The reader of the output waits until it is closed. */
   int null = open("/dev/null", O_RDWR | O_CLOEXEC);
   dup2(null, 0);
   dup2(null, 1);
   dup2(null, 2);
   if (chdir("/"))
      return 1;

   wait_for_end(process, process_fd, server);
   end_server(server);
   remove_files();
   return 0;
}

int
main(int argc, char **argv)
{
   char line[8192];
   int ends[2];

   if (argc < 3) {
      fputs("usage: sgpu-xserver PID SERVER [OPTION...]\n", stderr);
      return 2;
   }
   pid_t process = atoi(argv[1]);
   if (process <= 0)
      die("'%s' is not a process", argv[1]);
   int process_fd = syscall(SYS_pidfd_open, process, 0);
   if (process_fd < 0 && errno == ESRCH)
      die("there is no process %d", (int)process);
   if (process_fd >= 0)
      fcntl(process_fd, F_SETFD, FD_CLOEXEC);

   make_folder();
   if (strchr(folder, '\''))
      die("the name of TMPDIR must not contain a quote");
   write_cookie();
   if (pipe2(ends, O_CLOEXEC))
      die("no pipe: %s", strerror(errno));
   pid_t supervisor = fork();
   if (supervisor < 0)
      die("cannot fork: %s", strerror(errno));
   if (supervisor == 0) {
      close(ends[0]);
      return supervise(process, process_fd, argv + 2, argc - 2, ends[1]);
   }
   close(ends[1]);
   ssize_t size = 0, got;
   while (
      size < (ssize_t)sizeof line &&
      ((got = read(ends[0], line + size, sizeof line - size)) > 0 || (got < 0 && errno == EINTR)))
      size += got > 0 ? got : 0;
   if (size == 0)
      return 1;
   return write(1, line, size) == size ? 0 : 1;
}
