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
      bool flat;   /* true if all values are written on one line */
      bool filled; /* true if a value has been written at this level */
   } levels[SGT_JSON_DEPTH];
};

/* Returns a writer for a single array element at nesting depth `depth`. The element is written to a
 * separate file, whose text sgt_json_add() can then insert in the array.
 */
struct sgt_json sgt_json_fragment(FILE *fp, unsigned depth);
void sgt_json_add(struct sgt_json *j, const char *text);

/* These functions begin or end an object or array, or write a value. `key` is the member name
 * inside an object, and NULL inside an array and at the top level.
 */
void sgt_json_object(struct sgt_json *j, const char *key, bool flat);
void sgt_json_array(struct sgt_json *j, const char *key, bool flat);
void sgt_json_end(struct sgt_json *j);
void sgt_json_u64(struct sgt_json *j, const char *key, uint64_t value);
void sgt_json_bool(struct sgt_json *j, const char *key, bool value);
void sgt_json_string(struct sgt_json *j, const char *key, const char *text);
/* Writes the quotient part / whole, or 0 if `whole` is 0. */
void sgt_json_quotient(struct sgt_json *j, const char *key, uint64_t part, uint64_t whole);

#endif
