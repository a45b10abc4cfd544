/* SPDX-License-Identifier: MIT */
/*
 * Profiler: layout of a file of samples, NAME.samples. The process maps the file and writes to the
 * mapping, so that the file is complete however the process ends. src/tools/front/perf_read.py
 * reads it. Everything that isn't a fixed number of words is in NAME.text, a line of JSON for each
 * program, shape of operations, and list of mappings.
 */
#ifndef SGD_PROFILE_FILE_H
#define SGD_PROFILE_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#define SGD_PROFILE_MAGIC UINT64_C(0x3266726570677073) /* "spgperf2" */

#define SGD_PROFILE_THREADS 4096
#define SGD_PROFILE_SPANS 32
#define SGD_PROFILE_SHAPES 16384
#define SGD_PROFILE_TEXTURES 4096
#define SGD_PROFILE_COUNTERS 128
#define SGD_PROFILE_SAMPLES (UINT64_C(4) << 20)
#define SGD_PROFILE_CHUNK 64 /* number of samples that a thread takes at a time */

/* Time that a thread has spent in one kind of activity. */
struct sgd_profile_span {
   _Atomic uint64_t ns, count;
};

struct sgd_profile_slot {
   _Atomic uint32_t tid; /* 0 if the slot is free */
   uint32_t worker;      /* 1-based index of the worker, or 0 for other threads */
   char name[16];
   _Atomic uint64_t cpu_ns; /* CPU time of the thread since the process began to observe it */
   uint64_t period;         /* CPU time in ns that a sample of the thread stands for */
   _Atomic uint64_t samples;
   struct sgd_profile_span span[SGD_PROFILE_SPANS];
};

/* Texture operations of an instruction that read in the same way. */
struct sgd_profile_texture {
   _Atomic uint64_t key; /* hash of the next members, or 0 if the element is free */
   uint64_t program;
   uint32_t ins, path;                  /* path: bits of enum sgd_profile_path */
   _Atomic uint64_t ops, lanes, texels; /* numbers of the operations that were counted */
};

enum sgd_profile_path {
   SGD_PROFILE_SIMPLE = 1,      /* 2D, 32 bits, 8-bit channels */
   SGD_PROFILE_BYTES = 2,       /* 8-bit channels */
   SGD_PROFILE_WIDE = 3,        /* other formats of flat textures, four floats at a time */
   SGD_PROFILE_WORD = 4,        /* channels in one word */
   SGD_PROFILE_GENERAL = 5,     /* all other views */
   SGD_PROFILE_CONVERT = 6,     /* formats that Mesa's functions convert, texel by texel */
   SGD_PROFILE_VOLUME = 7,      /* 3D textures with channels in one word each */
   SGD_PROFILE_TEXELS = 8,      /* TXF of formats with channels in one word each */
   SGD_PROFILE_PLAIN = 1 << 4,  /* the whole operation is plain: no offsets, comparisons, LOD */
   SGD_PROFILE_LINEAR = 1 << 5, /* a filter is linear */
   SGD_PROFILE_LEVELS = 1 << 6, /* levels are chosen or mixed */
   SGD_PROFILE_ANISO = 1 << 7,
   SGD_PROFILE_FETCH = 1 << 8, /* single texels, or a query */
   SGD_PROFILE_SHADOW = 1 << 9,
   SGD_PROFILE_SLICE = 1 << 10, /* the path of one layer or face, if all lanes read the same one */
   SGD_PROFILE_TYPE = 12,       /* position of the view's type (enum sgpu_texture_type) */
   SGD_PROFILE_FORMAT = 16,     /* position of the view's format (enum sgpu_format) */
};

struct sgd_profile_sample {
   _Atomic uint64_t time; /* CLOCK_MONOTONIC in ns, or 0 if the sample is not complete */
   uint64_t pc;
   uint64_t caller; /* an address in the driver on the stack, or 0; only where pc isn't in it */
   uint64_t program;
   uint16_t slot, weight;
   uint32_t frame, draw, shape;
   uint32_t ins, left;
   uint16_t work, stage; /* stage: enum sgpu_stage plus one, or 0 */
   uint32_t unused;
};

struct sgd_profile_file {
   uint64_t magic;
   uint32_t size_of_header, pid;
   uint64_t start;          /* CLOCK_MONOTONIC in ns */
   uint64_t start_real;     /* CLOCK_REALTIME in ns */
   _Atomic uint64_t end;    /* time of the last check on all threads */
   _Atomic uint64_t used;   /* number of samples that threads have taken */
   _Atomic uint64_t lost;   /* number of samples without space */
   _Atomic uint32_t frames; /* number of presentations */
   _Atomic uint32_t num_shapes;
   char span_name[SGD_PROFILE_SPANS][24];
   uint32_t num_counters;
   uint32_t method;           /* 1: perf events, 2: timers */
   _Atomic uint32_t left_out; /* number of threads without a slot */
   uint32_t unused;
   uint64_t counters[SGD_PROFILE_COUNTERS];
   struct sgd_profile_slot slot[SGD_PROFILE_THREADS];
   _Atomic uint32_t calls[SGD_PROFILE_SHAPES]; /* number of operations of each shape */
   struct sgd_profile_texture texture[SGD_PROFILE_TEXTURES];
   _Alignas(64) struct sgd_profile_sample sample[];
};

_Static_assert(sizeof(struct sgd_profile_sample) == 64, "a sample is a cache line");

#endif
