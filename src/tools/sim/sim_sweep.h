/* SPDX-License-Identifier: MIT */
/*
 * Points of a sweep, which are configurations to simulate: all combinations of values of keys, or
 * each assumed key changed separately.
 */
#ifndef SIM_SWEEP_H
#define SIM_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/sgt_config.h"

#define SIM_MAX_SWEEPS 8
#define SIM_MAX_POINTS 1000000u

/* A key and the values that it takes. */
struct sim_sweep {
   enum sgt_key key;
   uint64_t *values;
   uint32_t count; /* number of values */
};

/* A value that a point changes in the configuration. */
struct sim_change {
   enum sgt_key key;
   uint64_t value;
};

/* Writes the key of a change, as SECTION.KEY, and its value; `size`: of each, in bytes. */
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

/* Parses "KEY=V,V,A..B,A..B+STEP,A..B*FACTOR".  Returns false and sets `error` if it is invalid. */
bool sim_sweep_parse(struct sim_sweep *s, const char *text, char *error, size_t error_size);
void sim_sweep_free(struct sim_sweep *s);

/* Makes a point for each combination of values of the sweeps; the values of the last sweep change
 * fastest.  Without sweeps, makes one point.  Returns false and sets `error` if the values of a
 * point do not fit each other.
 */
bool sim_points_product(struct sim_points *p, const struct sgt_config *base,
                        const struct sim_sweep *sweeps, unsigned num_sweeps, char *error,
                        size_t error_size);
/* Makes a point for the configuration itself, and then points for each assumed key.  A number is
 * changed by -50 % and +50 %, rounded away from the value and clamped to the key's range.  A choice
 * gets each other value.  Omits points whose value stays the same or does not fit the others.
 */
bool sim_points_sensitivity(struct sim_points *p, const struct sgt_config *base, char *error,
                            size_t error_size);
void sim_points_free(struct sim_points *p);

#endif
