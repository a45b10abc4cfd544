/* SPDX-License-Identifier: MIT */
/*
 * Model parameters: defaults, parameter files, and the --set option. params.py defines the keys.
 *
 * A parameter file consists of `[section]` and `key = value` lines. Comments start with # or ;.
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

/* Source of a default value. */
enum sgt_source {
   SGT_SOURCE_PAPER,
   SGT_SOURCE_DERIVED,
   SGT_SOURCE_EXTERNAL,
   SGT_SOURCE_ASSUMED,
};

/* Description of a key. */
struct sgt_key_info {
   const char *section, *name, *unit;
   const char *place; /* source of the default: a section of the paper, or a rationale */
   const char *text;  /* description */
   /* NULL-terminated list of the names of the choices, or NULL if the value is not a choice */
   const char *const *choices;
   /* minimum, maximum and default value (for a choice, these are indices in `choices`) */
   uint64_t low, high, initial;
   enum sgt_value_kind kind;
   enum sgt_source source;
   /* The key only has an effect if bit N of when_choices is set, where N is the value of the key
    * when_key. If when_key is -1, the key always has an effect.
    */
   int when_key;
   uint32_t when_choices;
   size_t offset, size; /* offset and size in bytes of the member of struct sgt_config */
};

struct sgt_section_info {
   const char *name, *text;
};

/* A built-in parameter file. */
struct sgt_config_file {
   const char *name, *text;
};

extern const struct sgt_key_info sgt_keys[SGT_NUM_KEYS];
extern const struct sgt_section_info sgt_sections[]; /* the list ends with a NULL name */
extern const struct sgt_config_file sgt_config_files[];

void sgt_config_init(struct sgt_config *c);

uint64_t sgt_config_get(const struct sgt_config *c, enum sgt_key key);
/* Returns the index of the key with the name "SECTION.KEY", or -1 if there is no such key. */
int sgt_config_find(const char *name);
/* Finds the key whose name has the smallest edit distance from `name`, or the section if `sections`
 * is true. Writes its name to `text`, and returns `text`.
 */
const char *sgt_config_nearest(const char *name, bool sections, char *text, size_t size);
/* Writes a value as text that sgt_config_read_value() can parse. */
void sgt_config_print_value(enum sgt_key key, uint64_t value, char *text, size_t size);
/* Parses the value of a key. If the value is invalid, returns false and writes a message with the
 * key and the valid values.
 */
bool sgt_config_read_value(enum sgt_key key, const char *text, uint64_t *value, char *error,
                           size_t error_size);
void sgt_config_put(struct sgt_config *c, enum sgt_key key, uint64_t value);

/* Sets a key from an assignment "SECTION.KEY=VALUE". On failure, returns false and writes a
 * message. For an unknown key, the message suggests the nearest key.
 */
bool sgt_config_set(struct sgt_config *c, const char *assignment, char *error, size_t error_size);
/* Parses the text of a parameter file, whose values override those in the configuration. On
 * failure, returns false and writes a message that starts with "PATH:LINE: ".
 */
bool sgt_config_parse(struct sgt_config *c, const char *text, const char *path, char *error,
                      size_t error_size);
/* Loads the built-in parameter file with this name. If the name contains a slash or a dot, loads
 * the file with this path instead.
 */
bool sgt_config_load(struct sgt_config *c, const char *name, char *error, size_t error_size);
/* Writes all keys as a parameter file. Comments in the file describe each key and its source. */
void sgt_config_write(const struct sgt_config *c, FILE *fp);
/* These functions derive the parameters of a model from the configuration. They return false and
 * write a message if the values are out of range or not compatible with each other.
 */
bool sgt_config_engine(const struct sgt_config *c, struct sgt_engine_params *p, char *error,
                       size_t error_size);
bool sgt_config_nv20(const struct sgt_config *c, struct sgt_nv20_params *p, char *error,
                     size_t error_size);
bool sgt_config_chip(const struct sgt_config *c, struct sgt_chip_params *p, char *error,
                     size_t error_size);
/* Checks the parameters of the model that `chip.model` selects. */
bool sgt_config_check(const struct sgt_config *c, char *error, size_t error_size);

/* Returns true if the key has an effect, given the values of the other keys. */
bool sgt_config_in_effect(const struct sgt_config *c, enum sgt_key key);
/* Returns true if the key has an effect and its default is an assumption, and doesn't come from a
 * paper. The current value doesn't matter, since any other value is an assumption, too.
 */
bool sgt_config_assumed(const struct sgt_config *c, enum sgt_key key);
const char *sgt_source_name(enum sgt_source source);
/* Parses a decimal, octal (prefix 0) or hexadecimal (prefix 0x) number. Returns false if the text
 * isn't exactly one number.
 */
bool sgt_read_number(const char *text, uint64_t *value);

#endif
