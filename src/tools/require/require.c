/* SPDX-License-Identifier: MIT */
/* sgpu-require runs a program, and fails unless the program, or a process that it started, drew with
 * OpenGL on sgpu, and nothing used OpenGL of another implementation.
 */
#include "require.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sgpu_version.h"

static const char help[] =
   "usage: sgpu-require [--wait SECONDS] [--] PROGRAM [ARGUMENT...]\n"
   "\n"
   "Runs PROGRAM.  The exit status is that of PROGRAM if the program, or a process\n"
   "that it started, drew with OpenGL on sgpu, and none used another OpenGL.\n"
   "Otherwise an error says why, and the exit status is\n"
   "\n"
   "   121   OpenGL of something other than sgpu was used\n"
   "   122   nothing was drawn with OpenGL\n"
   "   126, 127   PROGRAM cannot be run, PROGRAM is not found\n"
   "   128 + N   PROGRAM was ended by signal N\n"
   "\n"
   "   --wait SECONDS   how long to wait for processes that still run when PROGRAM\n"
   "                    has ended (default: 10)\n"
   "   --version        print the version\n";

static pid_t child;

void
die(const char *format, ...)
{
   va_list arguments;

   va_start(arguments, format);
   fputs("sgpu-require: ", stderr);
   vfprintf(stderr, format, arguments);
   fputc('\n', stderr);
   va_end(arguments);
   report_remove();
   exit(STATUS_NOTHING);
}

static double
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return time.tv_sec + time.tv_nsec * 1e-9;
}

/* Finds the audit library next to this program, or in the folder above it. */
static void
find_audit(char real[PATH_MAX])
{
   static const char *const places[] = { "libsgpu_audit.so", "../libsgpu_audit.so" };
   char self[PATH_MAX], name[PATH_MAX + 32];

   const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
   if (length < 0)
      die("cannot read /proc/self/exe (%s): mount /proc", strerror(errno));
   self[length] = 0;
   *(strrchr(self, '/') + 1) = 0;
   for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
      snprintf(name, sizeof name, "%s%s", self, places[i]);
      if (realpath(name, real))
         return;
   }
   die("libsgpu_audit.so is missing next to %ssgpu-require: install sgpu again", self);
}

static void
set_environment(const char *audit)
{
   const char *name = audit, *others = getenv("LD_AUDIT");
   char *value;
   unsigned major = 0, minor = 0;

   if (others && strstr(others, "libsgpu_audit.so"))
      others = NULL;
   if (strchr(audit, ':')) {
      /* A colon separates the libraries of LD_AUDIT. */
      name = report_link(audit);
   }
   if (asprintf(&value, "%s%s%s", name, others && *others ? ":" : "", others ? others : "") < 0)
      die("out of memory");
   setenv("LD_AUDIT", value, 1);
   setenv(SGPU_REPORT_VARIABLE, report_path(), 1);
   free(value);
   /* Before 2.35, an audit library makes every call slower that is bound lazily. */
   sscanf(gnu_get_libc_version(), "%u.%u", &major, &minor);
   if (major == 2 && minor < 35)
      setenv("LD_BIND_NOW", "1", 0);
}

static void __attribute__((noreturn))
run_child(char **arguments, const sigset_t *mask, pid_t parent)
{
   /* If this program is killed, so is its child. */
   prctl(PR_SET_PDEATHSIG, SIGKILL);
   if (getppid() != parent)
      _exit(STATUS_NOTHING);
   sigprocmask(SIG_SETMASK, mask, NULL);
   execvp(arguments[0], arguments);
   const int status = errno == ENOENT ? 127 : 126;
   fprintf(stderr, "sgpu-require: cannot run %s: %s\n", arguments[0], strerror(errno));
   _exit(status);
}

/* Collects children that have ended.  Returns false if there are no children. */
static bool
reap(struct outcome *outcome, bool *ended)
{
   int status;
   pid_t pid;

   while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      if (pid == child) {
         outcome->wait_status = status;
         *ended = true;
      }
   }
   return pid == 0;
}

/* Waits until all processes have ended, and passes signals on to the program. */
static void
watch(struct table *table, struct sgpu_report_file *file, struct sgpu_report_file *outer,
      struct outcome *outcome, const sigset_t *signals, const char *audit, double wait)
{
   const double start = now();
   double end = 0; /* time when the program ended */
   bool ended = false;

   for (;;) {
      const double age = now() - start;
      const long ms = age < 2 ? 20 : age < 20 ? 100 : 250;
      const struct timespec tick = { 0, ms * 1000000 };
      siginfo_t info;

      const int number = sigtimedwait(signals, &info, &tick);
      /* The terminal sends its signals to the program, too. */
      if (number > 0 && number != SIGCHLD && info.si_code <= 0 && !ended)
         kill(child, number);

      const bool more = reap(outcome, &ended);
      table_drain(table, file, outer);
      if (!more)
         return;
      walk(table, audit);
      if (!ended)
         continue;
      if (!end)
         end = now();
      outcome->waited = now() - end;
      if (outcome->waited >= wait || (number > 0 && number != SIGCHLD)) {
         outcome->running = walk_count(outcome->running_names, sizeof outcome->running_names);
         return;
      }
   }
}

static double
seconds_of(const char *text)
{
   char *end;
   const double seconds = text ? strtod(text, &end) : -1;

   if (!text || end == text || *end || !(seconds >= 0 && seconds < 1e9)) {
      fprintf(stderr, "sgpu-require: --wait needs a number of seconds\n");
      exit(2);
   }
   return seconds;
}

int
main(int argc, char **argv)
{
   static struct table table;
   static const int passed[] = { SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM,
                                 SIGUSR1, SIGUSR2, SIGWINCH, SIGALRM };
   struct outcome outcome = { 0 };
   double wait = 10;
   int first = 1;

   for (; first < argc && argv[first][0] == '-'; first++) {
      if (!strcmp(argv[first], "--")) {
         first++;
         break;
      }
      if (!strcmp(argv[first], "--help") || !strcmp(argv[first], "-h")) {
         fputs(help, stdout);
         return 0;
      }
      if (!strcmp(argv[first], "--version")) {
         printf("sgpu-require %s\n", SGPU_VERSION);
         return 0;
      }
      if (strcmp(argv[first], "--wait")) {
         fprintf(stderr, "sgpu-require: no option '%s'\n%s", argv[first], help);
         return 2;
      }
      wait = seconds_of(argv[++first]);
   }
   if (first >= argc) {
      fputs(help, stderr);
      return 2;
   }

   char audit[PATH_MAX];
   find_audit(audit);
   struct sgpu_report_file *file = report_create();
   struct sgpu_report_file *outer = report_open_outer();
   set_environment(audit);

   sigset_t signals, mask;
   sigemptyset(&signals);
   sigaddset(&signals, SIGCHLD);
   for (unsigned i = 0; i < sizeof passed / sizeof passed[0]; i++)
      sigaddset(&signals, passed[i]);
   sigprocmask(SIG_BLOCK, &signals, &mask);
   /* Processes whose parents end become children of this one. */
   prctl(PR_SET_CHILD_SUBREAPER, 1);

   const pid_t self = getpid();
   child = fork();
   if (child < 0)
      die("cannot start a process: %s", strerror(errno));
   if (!child)
      run_child(argv + first, &mask, self);

   outcome.program = argv[first];
   watch(&table, file, outer, &outcome, &signals, audit, wait);
   const int status = verdict(&table, &outcome);
   report_remove();
   return status;
}
