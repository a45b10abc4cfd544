/* SPDX-License-Identifier: MIT */
/*
 * Microbenchmarks of models: --microbenchmark NAME.
 */
#ifndef SIM_MICROBENCHMARK_H
#define SIM_MICROBENCHMARK_H

#include "report/sgt_json.h"
#include "sim.h"

/* The microbenchmarks of a model. */
struct sim_microbenchmark {
   const char *name;
   const char *format; /* the member "format" of the JSON */
   uint64_t model;     /* value of chip.model that they need */
   /* Returns true if the model of a configuration uses the keys of a section. */
   bool (*has_section)(const struct sgt_config *config, const char *section);
   /* Runs all points, and writes the results as an object. Returns false after a message. */
   bool (*run)(struct sgt_json *j, const struct sim_options *o, const struct sim_points *points,
               sim_load *load);
};

extern const struct sim_microbenchmark sim_nv20;  /* sim_nv20.c */
extern const struct sim_microbenchmark sim_tesla; /* sim_tesla.c */
extern const struct sim_microbenchmark sim_via;   /* sim_via.c */

/* Returns the microbenchmarks of that name, or NULL. */
const struct sim_microbenchmark *sim_microbenchmark_find(const char *name);
/* Writes all names as a text, in the form "a, b or c". */
void sim_microbenchmark_names(char *text, size_t size);
/* Begins the object of the results, and writes its members "format" and "version". */
void sim_microbenchmark_begin(struct sgt_json *j, const struct sim_microbenchmark *m);
/* Runs the microbenchmarks that the options select. Returns the exit status. */
int sim_microbenchmark_run(const struct sim_options *o, const struct sim_points *points,
                           sim_load *load);

/* Removes the points that change a key of another model, which --sensitivity makes. */
void sim_points_keep(struct sim_points *points, const struct sim_microbenchmark *m);
/* Writes the member "changes" of a point, with all values as texts. */
void sim_json_change_texts(struct sgt_json *j, const struct sim_point *point);
/* Prints a message. Returns false. */
bool sim_failed(const char *text);

#endif
