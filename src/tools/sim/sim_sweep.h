/* SPDX-License-Identifier: MIT */
/* Points of a sweep.  Each point is a configuration to simulate.  The points are either all
 * combinations of the values of some keys, or configurations in which a single assumed key is
 * changed.
 */
#ifndef SIM_SWEEP_H
#define SIM_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/sgt_config.h"

#define SIM_MAX_SWEEPS 8
#define SIM_MAX_POINTS 1000000u

/* A key and its values in the sweep. */
struct sim_sweep {
   enum sgt_key key;
   uint64_t *values;
   uint32_t count; /* number of values */
};

/* A configuration value that a point changes. */
struct sim_change {
   enum sgt_key key;
   uint64_t value;
};

/* Writes the key of a change to `name`, as SECTION.KEY, and its value to `value`.  Both buffers
 * have `size` bytes.
 */
void sim_change_text(const struct sim_change *change, char *name, char *value, size_t size);

struct sim_point {
   struct sgt_config config;
   struct sim_change changes[SIM_MAX_SWEEPS];
   unsigned num_changes;
};

struct sim_points {
   struct sim_point *points;
   uint32_t count;
};

/* Parses "KEY=V,V,A..B,A..B+STEP,A..B*FACTOR".  If the text is invalid, sets `error` and returns
 * false.
 */
bool sim_sweep_parse(struct sim_sweep *s, const char *text, char *error, size_t error_size);
void sim_sweep_free(struct sim_sweep *s);

/* Creates a point for each combination of the sweeps' values.  The values of the last sweep change
 * fastest.  Without sweeps, creates a single point.  If the values of a point are incompatible,
 * sets `error` and returns false.
 */
bool sim_points_product(struct sim_points *p, const struct sgt_config *base,
                        const struct sim_sweep *sweeps, unsigned num_sweeps, char *error,
                        size_t error_size);
/* Creates a point for the base configuration, followed by points that change one assumed key each.
 * A number is changed by -50 % and +50 %, rounded away from the base value and clamped to the range
 * of the key.  A choice is set to each other value.  Skips points whose value does not change or is
 * incompatible with the others.
 */
bool sim_points_sensitivity(struct sim_points *p, const struct sgt_config *base, char *error,
                            size_t error_size);
void sim_points_free(struct sim_points *p);

#endif
