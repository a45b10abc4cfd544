/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a model: defaults, parameter files, --set.  params.py has the keys.
 *
 * A parameter file has lines `[section]`, `key = value`, and comments after # or ;.
 */
#ifndef SGT_CONFIG_H
#define SGT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sgt_config_keys.h"

enum sgt_value_kind {
   SGT_VALUE_INT,
   SGT_VALUE_BOOL,
   SGT_VALUE_CHOICE,
};

/* Where a default comes from. */
enum sgt_source {
   SGT_SOURCE_PAPER,
   SGT_SOURCE_DERIVED,
   SGT_SOURCE_EXTERNAL,
   SGT_SOURCE_ASSUMED,
};

struct sgt_key_info {
   const char *section, *name, *unit;
   const char *place; /* paper and section, or the reason */
   const char *text;
   const char *const *choices; /* NULL at the end; NULL: no choice */
   uint64_t low, high, initial;
   enum sgt_value_kind kind;
   enum sgt_source source;
   /* The key has an effect only if this key has one of these choices (bits); -1: always. */
   int when_key;
   uint32_t when_choices;
};

struct sgt_section_info {
   const char *name, *text;
};

/* A parameter file of the program. */
struct sgt_config_file {
   const char *name, *text;
};

extern const struct sgt_key_info sgt_keys[SGT_NUM_KEYS];
extern const struct sgt_section_info sgt_sections[]; /* NULL at the end */
extern const struct sgt_config_file sgt_config_files[];

struct sgt_engine_params;     /* sgt_engine.h */
struct sgt_nv20_params;       /* sgt_nv20.h */
struct sgt_sm_params;         /* sgt_sm_params.h */
struct sgt_chip_front_params; /* sgt_chip_front.h */
struct sgt_eu_params;         /* sgt_eu.h */
struct sgt_rop_params;        /* sgt_rop.h */
struct sgt_tex_params;        /* sgt_tex.h */

struct sgt_config {
   struct sgt_config_values v;
};

void sgt_config_init(struct sgt_config *c);

uint64_t sgt_config_get(const struct sgt_config *c, enum sgt_key key);
/* "SECTION.KEY"; -1 if there is none. */
int sgt_config_find(const char *name);
/* The key or, with `sections`, the section whose name is nearest by edit distance. */
const char *sgt_config_nearest(const char *name, bool sections, char *text, size_t size);
/* Writes a value as the parser reads it. */
void sgt_config_print_value(enum sgt_key key, uint64_t value, char *text, size_t size);
/* Reads a value.  False, with a message that names the key and what is expected. */
bool sgt_config_read_value(enum sgt_key key, const char *text, uint64_t *value, char *error,
                           size_t error_size);
void sgt_config_put(struct sgt_config *c, enum sgt_key key, uint64_t value);

/* "SECTION.KEY=VALUE".  False, with a message that names the nearest key. */
bool sgt_config_set(struct sgt_config *c, const char *assignment, char *error, size_t error_size);
/* The lines of a file, over what the configuration has.  False, with a message
 * "PATH:LINE: ...".
 */
bool sgt_config_parse(struct sgt_config *c, const char *text, const char *path, char *error,
                      size_t error_size);
/* The program's file of this name or, if the name has a slash or a dot, a file. */
bool sgt_config_load(struct sgt_config *c, const char *name, char *error, size_t error_size);
/* All keys as a parameter file, with their meaning and source as comments. */
void sgt_config_write(const struct sgt_config *c, FILE *fp);
/* Parameters of the engine.  False, with a message that names the values, if they do not fit
 * each other.
 */
bool sgt_config_engine(const struct sgt_config *c, struct sgt_engine_params *p, char *error,
                       size_t error_size);
/* Those of a chip's front, but for the warps, threads and workgroups of a SM, which have their
 * defaults; likewise.
 */
bool sgt_config_front(const struct sgt_config *c, struct sgt_chip_front_params *p, char *error,
                      size_t error_size);
/* Those of the execution unit of US 8,564,604, likewise. */
bool sgt_config_eu(const struct sgt_config *c, struct sgt_eu_params *p, char *error,
                   size_t error_size);
/* Those of the vertex engine of 2001, likewise. */
bool sgt_config_nv20(const struct sgt_config *c, struct sgt_nv20_params *p, char *error,
                     size_t error_size);
/* Those of a streaming multiprocessor; likewise. */
bool sgt_config_sm(const struct sgt_config *c, struct sgt_sm_params *p, char *error,
                   size_t error_size);
/* Those of texture units and ROPs, likewise.  rop.fast_clear is for sgt_rop_transfer_begin. */
bool sgt_config_texture(const struct sgt_config *c, struct sgt_tex_params *p, char *error,
                        size_t error_size);
bool sgt_config_rop(const struct sgt_config *c, uint32_t partitions, struct sgt_rop_params *p,
                    char *error, size_t error_size);
/* Only whether those of the engine fit. */
bool sgt_config_check(const struct sgt_config *c, char *error, size_t error_size);

/* Whether the key has an effect with the other values. */
bool sgt_config_in_effect(const struct sgt_config *c, enum sgt_key key);
/* A key in effect whose default is assumed, not from a paper; another value than the default
 * is as much of an assumption.
 */
bool sgt_config_assumed(const struct sgt_config *c, enum sgt_key key);
const char *sgt_source_name(enum sgt_source source);
/* Reads a number, decimal or with 0x, that is all of the text; false: it is none. */
bool sgt_read_number(const char *text, uint64_t *value);

#endif
