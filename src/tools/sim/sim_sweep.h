/* SPDX-License-Identifier: MIT */
/*
 * Points of a sweep: the product of keys and values, or each assumed key changed alone.
 */
#ifndef SIM_SWEEP_H
#define SIM_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgt_config.h"

#define SIM_MAX_SWEEPS 8
#define SIM_MAX_POINTS 1000000u

struct sim_sweep {
   enum sgt_key key;
   uint64_t *values;
   uint32_t count;
};

/* What a point has changed in the configuration. */
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

/* "KEY=V,V,A..B,A..B+STEP,A..B*FACTOR".  False, with a message. */
bool sim_sweep_parse(struct sim_sweep *s, const char *text, char *error, size_t error_size);
void sim_sweep_free(struct sim_sweep *s);

/* The product of the sweeps, one point without; the last sweep's values change fastest.  False,
 * with a message that names the point, if the values of one do not fit each other.
 */
bool sim_points_product(struct sim_points *p, const struct sgt_config *base,
                        const struct sim_sweep *sweeps, unsigned num_sweeps, char *error,
                        size_t error_size);
/* The configuration itself, then for each assumed key a point with 50 % less and one with
 * 50 % more, rounded away from the value and clamped to the key's range; each other choice
 * of a choice.  Values that stay the same, and do not fit the others, are left out.
 */
bool sim_points_sensitivity(struct sim_points *p, const struct sgt_config *base, char *error,
                            size_t error_size);
void sim_points_free(struct sim_points *p);

#endif
