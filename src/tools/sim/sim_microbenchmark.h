/* SPDX-License-Identifier: MIT */
/* Microbenchmarks of the models (--microbenchmark NAME). */
#ifndef SIM_MICROBENCHMARK_H
#define SIM_MICROBENCHMARK_H

#include "report/sgt_json.h"
#include "sim.h"

/* The microbenchmarks of one model. */
struct sim_microbenchmark {
   const char *name;
   const char *format; /* value of member "format" in the JSON output */
   uint64_t model;     /* required value of chip.model */
   /* Returns true if the model uses the keys of this section in the given configuration. */
   bool (*has_section)(const struct sgt_config *config, const char *section);
   /* Runs all points, and writes the results as a JSON object. On failure, prints a message and
    * returns false.
    */
   bool (*run)(struct sgt_json *j, const struct sim_options *o, const struct sim_points *points,
               sim_load *load);
};

extern const struct sim_microbenchmark sim_nv20;  /* sim_nv20.c */
extern const struct sim_microbenchmark sim_tesla; /* sim_tesla.c */
extern const struct sim_microbenchmark sim_via;   /* sim_via.c */

/* Returns the microbenchmarks with this name, or NULL if there are none. */
const struct sim_microbenchmark *sim_microbenchmark_find(const char *name);
/* Writes a list of all names to `text`, e.g. "a, b or c". */
void sim_microbenchmark_names(char *text, size_t size);
/* Begins the JSON object with the results, and writes its members "format" and "version". */
void sim_microbenchmark_begin(struct sgt_json *j, const struct sim_microbenchmark *m);
/* Runs the microbenchmarks that the options select. Returns the exit status. */
int sim_microbenchmark_run(const struct sim_options *o, const struct sim_points *points,
                           sim_load *load);

/* Removes those points of --sensitivity that change a key of a different model. */
void sim_points_keep(struct sim_points *points, const struct sim_microbenchmark *m);
/* Writes member "changes" of a point. All values are written as text. */
void sim_json_change_texts(struct sgt_json *j, const struct sim_point *point);
/* Prints a message and returns false. */
bool sim_failed(const char *text);

#endif
