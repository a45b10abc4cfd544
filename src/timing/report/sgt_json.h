/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON. Numbers are exact integers, or quotients with nine decimal places.
 */
#ifndef SGT_JSON_H
#define SGT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Maximum nesting depth of objects and arrays. */
#define SGT_JSON_DEPTH 16

struct sgt_json {
   FILE *fp;
   unsigned depth; /* number of open objects and arrays */
   struct {
      char close;  /* closing bracket or brace */
      bool flat;   /* all values are on one line */
      bool filled; /* a value has been written */
   } levels[SGT_JSON_DEPTH];
};

/* Returns a writer for a single value of an array at nesting depth `depth`, to another file. The
 * text can be inserted in the array by sgt_json_add().
 */
struct sgt_json sgt_json_fragment(FILE *fp, unsigned depth);
void sgt_json_add(struct sgt_json *j, const char *text);

/* Begin an object or array, end it, or write a value. `key` is the name of the member in an object,
 * and NULL in an array and at the top level.
 */
void sgt_json_object(struct sgt_json *j, const char *key, bool flat);
void sgt_json_array(struct sgt_json *j, const char *key, bool flat);
void sgt_json_end(struct sgt_json *j);
void sgt_json_u64(struct sgt_json *j, const char *key, uint64_t value);
void sgt_json_bool(struct sgt_json *j, const char *key, bool value);
void sgt_json_string(struct sgt_json *j, const char *key, const char *text);
/* Writes part / whole, or 0 if `whole` is 0. */
void sgt_json_quotient(struct sgt_json *j, const char *key, uint64_t part, uint64_t whole);

#endif
