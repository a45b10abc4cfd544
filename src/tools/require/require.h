/* SPDX-License-Identifier: MIT */
/* What the files of sgpu-require share. */
#ifndef REQUIRE_H
#define REQUIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "report/sgpu_report.h"

/* Kinds of libraries, as bits. */
enum library_kind {
   LIBRARY_NONE = 0,
   LIBRARY_SGPU = 1 << 0,       /* the driver of this project, or its vendor libraries */
   LIBRARY_LOADER = 1 << 1,     /* libglvnd, or a libGL or libEGL in its place */
   LIBRARY_GLX = 1 << 2,        /* a vendor's GLX */
   LIBRARY_EGL = 1 << 3,        /* a vendor's EGL or GBM */
   LIBRARY_MESA = 1 << 4,       /* Mesa's drivers */
   LIBRARY_RASTERIZER = 1 << 5, /* another implementation that draws */
   LIBRARY_INDIRECT = 1 << 6,   /* GLX that lets the X server draw */
   LIBRARY_ANGLE = 1 << 7,      /* OpenGL ES over another interface */
   LIBRARY_VULKAN = 1 << 8,     /* a driver of Vulkan */
   LIBRARY_VIDEO = 1 << 9,      /* a driver that decodes video */
};

struct library {
   struct library *next;
   enum library_kind kind;
   char path[];
};

/* A process that has reported something, or that was found by its memory map. */
struct process {
   struct process *next; /* next process of the same bucket */
   uint64_t key;         /* as in sgpu_report_key() */
   pid_t pid;
   char name[SGPU_REPORT_NAME];
   bool screen, drew;
   bool unaudited; /* set if the libraries come from the memory map */
   unsigned kinds; /* bits of the kinds of its libraries */
   struct library *libraries;
};

struct table {
   struct process *buckets[1024];
   unsigned lost; /* number of reports that found no free slot */
};

/* require.c: prints a message, removes the report and ends the program. */
void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...);

/* report.c: the file of the report, in a folder of its own.  report_create() does not fail, and
 * removes folders that sgpu-require programs of this user left because they were killed.
 */
struct sgpu_report_file *report_create(void);
void report_remove(void);
const char *report_path(void);
/* Returns the path of a new symbolic link to a file, in the folder. */
const char *report_link(const char *target);
/* Opens the report of the sgpu-require that this one runs below.  Returns NULL if there is none. */
struct sgpu_report_file *report_open_outer(void);

/* libraries.c: returns the kind of a library with this path. */
enum library_kind library_kind(const char *path);

/* table.c: processes and their libraries.  Calls exit() on allocation failure. */
struct process *table_process(struct table *table, uint64_t key, pid_t pid, const char *name);
struct process *table_pid(struct table *table, pid_t pid);
void process_add_library(struct process *process, const char *path);
/* Moves the reports of the file to the table.  `outer` is the file of the sgpu-require that this one
 * runs below, or NULL.
 */
void table_drain(struct table *table, struct sgpu_report_file *file,
                 struct sgpu_report_file *outer);

/* walk.c: looks at the processes below this one.  `audit` is the path of the audit library. */
void walk(struct table *table, const char *audit);
/* Returns the number of processes below this one, and the names of some. */
unsigned walk_count(char *names, size_t size);

/* verdict.c */
struct outcome {
   const char *program; /* name of the program */
   int wait_status;     /* as from waitpid() */
   unsigned running;    /* number of processes that still run */
   char running_names[128];
   double waited; /* seconds that were waited for them */
};

enum {
   STATUS_OTHER = 121,   /* OpenGL of something other than sgpu was used */
   STATUS_NOTHING = 122, /* nothing was drawn */
};

/* Prints what is wrong, if anything.  Returns the exit status. */
int verdict(const struct table *table, const struct outcome *outcome);

#endif
