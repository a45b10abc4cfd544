/* SPDX-License-Identifier: MIT */
/* Decides whether a program drew on sgpu only, and says what is wrong otherwise. */
#include "require.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define MAX_NAMED 5 /* number of processes that a message names */

/* X servers load a driver for clients that let the server draw.  They are no clients of OpenGL. */
static bool
is_x_server(const char *name)
{
   static const char *const servers[] = { "Xvfb", "Xorg",      "Xephyr", "Xnest",
                                          "Xvnc", "Xtigervnc", "X",      "Xdummy" };

   for (unsigned i = 0; i < sizeof servers / sizeof servers[0]; i++) {
      if (!strcmp(name, servers[i]))
         return true;
   }
   return false;
}

/* sgpu-doctor opens libraries to see whether they can be loaded, without the audit library. */
static bool
is_doctor(const struct process *process)
{
   return process->unaudited && !strcmp(process->name, "sgpu-doctor");
}

/* Returns whether the process used OpenGL of another implementation.
 *
 * libglvnd loads a GLX vendor for a display that the program uses, and only one: with a driver of
 * Mesa, this is the one that draws.  It loads all EGL vendors that its files name, so a process that
 * drew on sgpu may have others.  Drivers of Vulkan count if ANGLE draws with them, and drivers of
 * Mesa do not if only a driver for video needs them.
 */
static bool
used_other(const struct process *process)
{
   const unsigned kinds = process->kinds;

   if (is_x_server(process->name) || is_doctor(process))
      return false;
   if (kinds & LIBRARY_INDIRECT ||
       (kinds & LIBRARY_GLX && kinds & (LIBRARY_MESA | LIBRARY_RASTERIZER)))
      return true;
   if (process->drew)
      return false;
   if (kinds & LIBRARY_MESA)
      return !(kinds & LIBRARY_VIDEO) || kinds & (LIBRARY_GLX | LIBRARY_EGL);
   return kinds & LIBRARY_RASTERIZER || (kinds & LIBRARY_VULKAN && kinds & LIBRARY_ANGLE);
}

static void
print_libraries(const struct process *process, unsigned kinds)
{
   for (const struct library *l = process->libraries; l; l = l->next) {
      if (l->kind & kinds)
         fprintf(stderr, "      %s\n", l->path);
   }
}

struct summary {
   unsigned others, screens, drew, loaders, angle, vulkan;
   unsigned unaudited; /* processes with the driver whose reports are missing */
};

static void
count(const struct table *table, struct summary *sum)
{
   for (unsigned i = 0; i < 1024; i++) {
      for (const struct process *p = table->buckets[i]; p; p = p->next) {
         if (is_x_server(p->name))
            continue;
         sum->others += used_other(p);
         sum->screens += p->screen;
         sum->drew += p->drew;
         sum->loaders += (p->kinds & LIBRARY_LOADER) != 0;
         sum->angle += (p->kinds & LIBRARY_ANGLE) != 0;
         sum->vulkan += (p->kinds & LIBRARY_VULKAN) != 0;
         sum->unaudited += p->unaudited && p->kinds & LIBRARY_SGPU && !p->screen;
      }
   }
}

/* Prints the processes for which `test` holds, with their libraries of some kinds. */
static void
print_processes(const struct table *table, bool (*test)(const struct process *), unsigned kinds)
{
   unsigned printed = 0;

   for (unsigned i = 0; i < 1024; i++) {
      for (const struct process *p = table->buckets[i]; p; p = p->next) {
         if (is_x_server(p->name) || !test(p) || printed++ >= MAX_NAMED)
            continue;
         fprintf(stderr, "   process %d (%s)%s\n", (int)p->pid, p->name,
                 p->unaudited ? ", which has cleared its environment or is setuid" : "");
         print_libraries(p, kinds);
      }
   }
   if (printed > MAX_NAMED)
      fprintf(stderr, "   and %u more\n", printed - MAX_NAMED);
}

static bool
has_loader(const struct process *process)
{
   return process->kinds & LIBRARY_LOADER;
}

static bool
has_screen(const struct process *process)
{
   return process->screen;
}

static bool
has_driver_unheard(const struct process *process)
{
   return process->unaudited && process->kinds & LIBRARY_SGPU && !process->screen;
}

static void
print_end(const struct outcome *outcome)
{
   const int status = outcome->wait_status;

   if (WIFSIGNALED(status))
      fprintf(stderr, "   %s was ended by signal %d (%s)%s.\n", outcome->program, WTERMSIG(status),
              strsignal(WTERMSIG(status)), WCOREDUMP(status) ? ", with a core file" : "");
   else
      fprintf(stderr, "   %s ended with status %d.\n", outcome->program, WEXITSTATUS(status));
   if (outcome->running)
      fprintf(stderr,
              "   After %.0f s, %u processes still ran: %s. What they do later does not count;\n"
              "   --wait SECONDS waits longer.\n",
              outcome->waited, outcome->running, outcome->running_names);
}

static void
print_other(const struct table *table, const struct outcome *outcome)
{
   fprintf(stderr, "sgpu: error: OpenGL of something other than sgpu was used.\n");
   print_processes(table, used_other,
                   LIBRARY_GLX | LIBRARY_EGL | LIBRARY_MESA | LIBRARY_RASTERIZER |
                      LIBRARY_INDIRECT | LIBRARY_VULKAN | LIBRARY_ANGLE);
   print_end(outcome);
   fprintf(
      stderr,
      "   What to do: look for what changes the environment of the process (LD_LIBRARY_PATH,\n"
      "   __GLX_VENDOR_LIBRARY_NAME, __EGL_VENDOR_LIBRARY_FILENAMES, GALLIUM_DRIVER), or for an\n"
      "   option of the program that selects its renderer (Chromium: --use-angle=gl-egl).\n"
      "   `sgpu-doctor PROGRAM` (./sgpu doctor) shows what wins. If this is meant: --no-require.\n");
}

static void
print_nothing(const struct table *table, const struct outcome *outcome, const struct summary *sum)
{
   fprintf(stderr, "sgpu: error: nothing was drawn with OpenGL.\n");
   if (sum->unaudited) {
      fprintf(stderr,
              "   sgpu is loaded, but cannot report its work: SGPU_REPORT was removed from\n"
              "   the environment, or the file cannot be seen from there.\n");
      print_processes(table, has_driver_unheard, LIBRARY_SGPU);
   } else if (sum->screens) {
      fprintf(stderr,
              "   OpenGL was initialized on sgpu, but no draw, clear or compute program was\n"
              "   submitted.\n");
      print_processes(table, has_screen, 0);
   } else if (sum->loaders || sum->angle) {
      fprintf(stderr, "   OpenGL's loader was loaded, but no driver was initialized.\n");
      print_processes(table, has_loader, LIBRARY_LOADER);
   } else {
      fprintf(stderr, "   No process loaded libGL, libEGL, libGLESv2 or libOSMesa.\n");
   }
   if (sum->vulkan)
      fprintf(stderr, "   A driver of Vulkan was loaded. sgpu draws OpenGL only.\n");
   print_end(outcome);
   fprintf(stderr, "   What to do: %s\n",
           sum->unaudited ? "keep SGPU_REPORT, or use --no-require."
           : sum->screens ? "if the program should draw, see why it ended before. If not:\n"
                            "   --no-require."
           : sum->loaders || sum->angle
              ? "see the program's own messages; `sgpu-doctor PROGRAM` (./sgpu doctor)\n"
                "   tries GLX, EGL and GBM, and says what is missing (most often an X server)."
              : "start the program that draws. A container or a virtual machine that it\n"
                "   starts cannot be seen from here. If nothing should draw: --no-require.");
}

static bool
is_crash(int number)
{
   return number == SIGSEGV || number == SIGABRT || number == SIGBUS || number == SIGILL ||
          number == SIGFPE || number == SIGSYS || number == SIGTRAP;
}

int
verdict(const struct table *table, const struct outcome *outcome)
{
   const int status = outcome->wait_status;
   const bool signalled = WIFSIGNALED(status);
   struct summary sum = { 0 };

   count(table, &sum);
   if (signalled)
      fprintf(stderr, "sgpu: error: %s %s signal %d (%s)%s.\n", outcome->program,
              is_crash(WTERMSIG(status)) ? "crashed:" : "was ended by", WTERMSIG(status),
              strsignal(WTERMSIG(status)), sum.drew ? "" : ", before anything was drawn on sgpu");
   if (sum.others)
      print_other(table, outcome);
   else if (!sum.drew && !signalled && !(WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127))
      print_nothing(table, outcome, &sum);
   if (table->lost)
      fprintf(stderr, "sgpu: warning: %u reports of processes were lost.\n", table->lost);

   if (signalled)
      return 128 + WTERMSIG(status);
   if (sum.others)
      return STATUS_OTHER;
   if (sum.drew)
      return WEXITSTATUS(status);
   return WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127 ? WEXITSTATUS(status)
                                                                   : STATUS_NOTHING;
}
