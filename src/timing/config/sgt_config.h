/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a model: defaults, parameter files, and the option --set. params.py has the keys.
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

/* Properties of a key. */
struct sgt_key_info {
   const char *section, *name, *unit;
   const char *place; /* source of the default: section of the paper, or the reason for the value */
   const char *text;  /* description */
   /* names of the choices, with NULL at the end; NULL if the value is not a choice */
   const char *const *choices;
   uint64_t low, high, initial; /* range and default of the value; indices of choices for choices */
   enum sgt_value_kind kind;
   enum sgt_source source;
   /* The key has an effect only if key when_key has one of the choices in the bit mask
    * when_choices. If when_key is -1, it always has an effect.
    */
   int when_key;
   uint32_t when_choices;
   size_t offset, size; /* offset and size of the member of struct sgt_config, in bytes */
};

struct sgt_section_info {
   const char *name, *text;
};

/* A parameter file that is built into the program. */
struct sgt_config_file {
   const char *name, *text;
};

extern const struct sgt_key_info sgt_keys[SGT_NUM_KEYS];
extern const struct sgt_section_info sgt_sections[]; /* name is NULL at the end */
extern const struct sgt_config_file sgt_config_files[];

void sgt_config_init(struct sgt_config *c);

uint64_t sgt_config_get(const struct sgt_config *c, enum sgt_key key);
/* Returns the index of the key "SECTION.KEY", or -1 if there is none. */
int sgt_config_find(const char *name);
/* Writes the name of the key, or of the section if `sections` is set, that has the smallest edit
 * distance to `name`. Returns `text`.
 */
const char *sgt_config_nearest(const char *name, bool sections, char *text, size_t size);
/* Writes a value in the form that the parser reads. */
void sgt_config_print_value(enum sgt_key key, uint64_t value, char *text, size_t size);
/* Reads a value. If it is invalid, returns false and writes a message with the key and the expected
 * values.
 */
bool sgt_config_read_value(enum sgt_key key, const char *text, uint64_t *value, char *error,
                           size_t error_size);
void sgt_config_put(struct sgt_config *c, enum sgt_key key, uint64_t value);

/* Sets a key from "SECTION.KEY=VALUE". On failure, returns false and writes a message. For an
 * unknown key, the message names the nearest key.
 */
bool sgt_config_set(struct sgt_config *c, const char *assignment, char *error, size_t error_size);
/* Reads the text of a parameter file, whose values replace those of the configuration. On failure,
 * returns false and writes a message "PATH:LINE: ...".
 */
bool sgt_config_parse(struct sgt_config *c, const char *text, const char *path, char *error,
                      size_t error_size);
/* Reads the built-in file with this name. If the name has a slash or a dot, reads the file at this
 * path instead.
 */
bool sgt_config_load(struct sgt_config *c, const char *name, char *error, size_t error_size);
/* Writes all keys as a parameter file, with their meaning and source as comments. */
void sgt_config_write(const struct sgt_config *c, FILE *fp);
/* Find the parameters of a model. Return false and write a message with the values if they are out
 * of range or not compatible with each other.
 */
bool sgt_config_engine(const struct sgt_config *c, struct sgt_engine_params *p, char *error,
                       size_t error_size);
bool sgt_config_nv20(const struct sgt_config *c, struct sgt_nv20_params *p, char *error,
                     size_t error_size);
bool sgt_config_chip(const struct sgt_config *c, struct sgt_chip_params *p, char *error,
                     size_t error_size);
/* Checks the parameters of the model that `chip.model` selects. */
bool sgt_config_check(const struct sgt_config *c, char *error, size_t error_size);

/* Returns true if the key has an effect with the values of other keys. */
bool sgt_config_in_effect(const struct sgt_config *c, enum sgt_key key);
/* Returns true if the key has an effect and its default is assumed, not from a paper. Any other
 * value is an assumption just as well.
 */
bool sgt_config_assumed(const struct sgt_config *c, enum sgt_key key);
const char *sgt_source_name(enum sgt_source source);
/* Reads a number, decimal or with 0x. Returns false if the text is not exactly one number. */
bool sgt_read_number(const char *text, uint64_t *value);

#endif
