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

#include "params/sgt_config_keys.h"

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
   size_t offset, size; /* of the member of struct sgt_config, in bytes */
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
/* Parameters of a model.  Returns false, with a message that names the values, if they are out of
 * range or do not fit each other.
 */
bool sgt_config_engine(const struct sgt_config *c, struct sgt_engine_params *p, char *error,
                       size_t error_size);
bool sgt_config_nv20(const struct sgt_config *c, struct sgt_nv20_params *p, char *error,
                     size_t error_size);
bool sgt_config_chip(const struct sgt_config *c, struct sgt_chip_params *p, char *error,
                     size_t error_size);
/* The same for the model that `chip.model` chooses, without its parameters. */
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
