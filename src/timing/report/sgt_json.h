/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON.  Numbers are exact integers, or quotients with nine digits after the point.
 */
#ifndef SGT_JSON_H
#define SGT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SGT_JSON_DEPTH 16

struct sgt_json {
   FILE *fp;
   unsigned depth;
   struct {
      char close;
      bool flat; /* all on one line */
      bool filled;
   } levels[SGT_JSON_DEPTH];
};

/* A writer of one value of an array at the depth that `j` has, all of it on other lines; then
 * sgt_json_add() puts its text there.
 */
struct sgt_json sgt_json_fragment(FILE *fp, unsigned depth);
void sgt_json_add(struct sgt_json *j, const char *text);

/* `key` is the member's name in an object, NULL in an array and at the top. */
void sgt_json_object(struct sgt_json *j, const char *key, bool flat);
void sgt_json_array(struct sgt_json *j, const char *key, bool flat);
void sgt_json_end(struct sgt_json *j);
void sgt_json_u64(struct sgt_json *j, const char *key, uint64_t value);
void sgt_json_bool(struct sgt_json *j, const char *key, bool value);
void sgt_json_string(struct sgt_json *j, const char *key, const char *text);
/* part / whole; 0 if the whole is 0. */
void sgt_json_quotient(struct sgt_json *j, const char *key, uint64_t part, uint64_t whole);

#endif
