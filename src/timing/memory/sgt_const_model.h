/* SPDX-License-Identifier: MIT */
/*
 * The constant cache's state, for sgt_const_*.c.
 */
#ifndef SGT_CONST_MODEL_H
#define SGT_CONST_MODEL_H

#include "sgt_const_cache.h"

#define NO_SLOT UINT16_MAX
#define NO_TAG UINT16_MAX

/* A line of storage: `lines` that the header table divides, then those of the mapping table. */
enum slot_state { SLOT_EMPTY, SLOT_FILLING, SLOT_VALID };
struct slot {
   uint8_t state;
   uint8_t miss;  /* FILLING */
   uint32_t line; /* of its context; UINT32_MAX: none */
   uint64_t value;
};

struct context {
   bool used;
   uint32_t shader, id;
   uint64_t address;
   uint32_t bytes;
   uint32_t base, size;                   /* slots; line n is at base + n % size */
   uint32_t current;                      /* the version that threads acquire */
   uint32_t oldest;                       /* that a thread has, or current */
   uint32_t refs[SGT_CONST_MAX_VERSIONS]; /* threads of version n at n % versions */
   uint32_t threads;                      /* sum of refs */
   uint32_t misses;                       /* that are on their way */
   uint64_t mapped;                       /* entries of the mapping table */
   uint64_t last_use;
};

/* An entry of the mapping table: from `version` on, `line` is at its own slot. */
struct mapping {
   uint32_t line, version;
};

struct miss {
   bool used;
   uint8_t context;
   uint16_t slot;        /* NO_SLOT: the line does not stay */
   uint16_t first, last; /* requests that wait, NO_TAG: none */
   uint64_t value;
};

enum tag_state { TAG_FREE, TAG_WAITING, TAG_READY };
struct tag {
   uint8_t state;
   uint16_t next;
   uint64_t requested, entered, ready;
   uint64_t value;
};

struct sgt_const_cache {
   struct sgt_const_params p;
   struct sgt_const_counts counts;
   struct context contexts[SGT_CONST_MAX_CONTEXTS];
   struct mapping mapping[SGT_CONST_MAX_MAPPING];
   uint64_t free_mapping, free_misses; /* bits */
   struct miss misses[SGT_CONST_MAX_MISSES];
   struct tag tags[SGT_CONST_TAGS];
   uint8_t back[SGT_CONST_MAX_MISSES]; /* misses whose line is there, in order: a ring */
   uint32_t first_back, num_back;
   uint32_t in_fifo;
   uint64_t fifo_since; /* in_fifo has been counted until then */
   uint64_t port;       /* cycle after the latest entry into the FIFO */
   uint64_t uses;
   struct slot slots[]; /* lines + mapping */
};

#endif
