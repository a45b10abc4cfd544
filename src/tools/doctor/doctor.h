/* SPDX-License-Identifier: MIT */
/* What the files of sgpu-doctor share. */
#ifndef DOCTOR_H
#define DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT 1024

/* Ways to OpenGL, each of which is tried in a process that ends with it. */
enum way {
   WAY_GLX,
   WAY_EGL_X11,
   WAY_EGL_DEFAULT, /* eglGetDisplay(EGL_DEFAULT_DISPLAY) */
   WAY_EGL_SURFACELESS,
   WAY_EGL_DEVICE,
   WAY_EGL_GBM,
   WAY_EGL_WAYLAND,
   WAY_OSMESA,
   WAY_COUNT,
};
extern const char *const way_names[WAY_COUNT];  /* for people */
extern const char *const way_probes[WAY_COUNT]; /* for --probe and --json */

struct result {
   bool tried;
   bool drawn; /* a cleared pixel was read back */
   bool sgpu;  /* the renderer is sgpu */
   char renderer[TEXT], version[TEXT];
   char stage[64];      /* the latest call */
   char error[TEXT];    /* reason for which nothing was drawn, or "" */
   int signal;          /* signal that ended the process, or 0 */
   bool timeout;        /* the process was ended after PROBE_SECONDS */
   char messages[4096]; /* what the process wrote to stderr */
};
#define PROBE_SECONDS 20

enum level { LEVEL_PROBLEM, LEVEL_NOTE };

struct finding {
   enum level level;
   const char *id; /* for --json and tests */
   char text[2048];
   char todo[1024];
};

/* A variable that sgpu sets, or an environment: NULL-terminated "NAME=VALUE". */
typedef char **environment;

struct library {
   const char *name; /* as programs ask for it */
   char path[TEXT];  /* where it was found, or "" */
   char error[TEXT]; /* why it cannot be loaded, or "" */
   bool glvnd;
};
enum {
   LIBRARY_GL,
   LIBRARY_EGL,
   LIBRARY_GLX,
   LIBRARY_DISPATCH,
   LIBRARY_GBM,
   LIBRARY_OSMESA,
   LIBRARY_XLIB,
   LIBRARY_GLX_MESA,
   LIBRARY_EGL_MESA,
   LIBRARY_COUNT
};

struct doctor {
   const char *root;    /* "", or a folder that replaces "/" for files of the host, in tests */
   const char *program; /* program to look at, or NULL */
   unsigned ways;       /* bit mask of the ways to try */
   bool installed;      /* sgpu-run is next to this program */
   bool here_only;      /* set by --here */
   environment sets;    /* variables that `sgpu run` sets */
   char driver[4096];   /* folder of libgallium_sgpu.so, or "" */
   struct result here[WAY_COUNT], run[WAY_COUNT];
   struct library libraries[LIBRARY_COUNT], run_libraries[LIBRARY_COUNT];
   char mesa[64]; /* version of the system's Mesa, or "" */
   char mesa_path[TEXT];
   char missing[1024];       /* Debian packages with missing loaders and libraries, or "" */
   char missing_names[1024]; /* missing libraries that sgpu needs, or "" */
   bool xvfb;                /* an X server was started for the column `run` */
   struct finding *findings;
   unsigned num_findings;
};

/* findings.c: the format has what was found, a newline, and what to do about it. */
void add_finding(struct doctor *d, enum level level, const char *id, const char *format, ...)
   __attribute__((format(printf, 4, 5)));
bool has_finding(const struct doctor *d, const char *id);
/* Returns how the host's package manager installs the Debian packages `packages`. */
const char *install_line(const struct doctor *d, const char *packages);
/* Returns the Debian package with a library, or NULL. */
const char *package_of(const char *library);

/* child.c: runs this program with --probe, in the environment with `sets` added. */
void run_probe(const char *name, const environment sets, struct result *result, FILE *output);
/* Starts Xvfb.  Returns its display, or NULL.  stop_xvfb() ends it. */
const char *start_xvfb(const struct doctor *d);
void stop_xvfb(void);

/* probe.c: the other side.  Writes lines KEY=VALUE to file descriptor 3. */
int probe_main(const char *name);
void probe_say(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));
int probe_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *probe_open(const char *library);
int probe_egl(const char *platform);

/* libraries.c */
int probe_libraries(void);
void find_libraries(struct doctor *d);
void check_libraries(struct doctor *d);

/* environment.c, vendors.c, host.c, program.c: add findings. */
void check_environment(struct doctor *d);
void check_display(struct doctor *d);
void check_vendors(struct doctor *d);
void check_driver(struct doctor *d);
void check_host(struct doctor *d);
void check_program(struct doctor *d);
void check_messages(struct doctor *d);
/* program.c: calls a function with each library that a file needs. */
void for_each_needed(const char *path, void (*needed)(const char *library, void *data), void *data);
/* vendors.c: lists the packages with loaders and with libraries that sgpu needs. */
void find_missing(struct doctor *d);
/* Returns the value of a variable in `sets`, or in the environment if sets lacks it, or NULL. */
const char *variable(const environment sets, const char *name);
/* Reads a file of the host, without the newline at its end.  Returns false if there is none. */
bool read_file(const struct doctor *d, const char *path, char *text, size_t size);

/* print.c */
void print_text(const struct doctor *d);
void print_json(const struct doctor *d);
bool would_draw(const struct doctor *d);

#endif
