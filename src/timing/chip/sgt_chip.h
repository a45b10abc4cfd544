/* SPDX-License-Identifier: MIT */
/*
 * The Tesla chip of Lindholm, Nickolls, Oberman, Montrym, "NVIDIA Tesla: A Unified Graphics and
 * Computing Architecture" (IEEE Micro, 2008). It runs a trace and its work: front end, clusters of
 * SMs with a texture unit, networks, ROPs and memory partitions, each in its clock domain.
 * Execution units of US 8,564,604 can take the place of the SMs.
 *
 * docs/chip.md has the block diagram.
 */
#ifndef SGT_CHIP_H
#define SGT_CHIP_H

#include "chip/sgt_chip_front.h"
#include "params/sgt_chip_params.h"
#include "chip/sgt_chip_result.h"
#include "chip/sgt_core.h"
#include "chip/sgt_output.h"
#include "chip_memory/sgt_memory.h"
#include "chip_rop/sgt_rop.h"
#include "chip_texture/sgt_tex.h"
#include "chip/sgt_transfer.h"

struct sgt_chip_observer;
struct sgt_stats;

/* Returns the part of the parameters that describes the shader cores (sgt_core.h). */
struct sgt_core_params sgt_chip_core_params(const struct sgt_chip_params *p);

struct sgt_chip;

/* Creates a chip that has not run any of the work yet. Trace and work must outlive it. Returns NULL
 * and writes a message if memory runs out, or if the work does not fit the trace or the chip.
 */
struct sgt_chip *sgt_chip_create(const struct sgt_chip_params *params,
                                 const struct sgt_trace *trace, const struct sgt_work *work,
                                 char *error, size_t error_size);
void sgt_chip_destroy(struct sgt_chip *chip);

/* Makes the run fill *result. It is called at most once, before the run. The caller frees the
 * result, even if the run fails. Cycles and statistics do not change. Returns false if out of
 * memory.
 */
bool sgt_chip_observe(struct sgt_chip *chip, const struct sgt_chip_observe *observe,
                      struct sgt_chip_result *result);

/* Runs all of the work. It is called once. Returns false and writes a message if the run exceeds
 * max_cycles, or if the chip stops before all work has ended. The same trace, work and parameters
 * take the same number of cycles on every host.
 */
bool sgt_chip_run(struct sgt_chip *chip, char *error, size_t error_size);

/* Returns the length of the run in core cycles: from the start until all work had ended. Called
 * after the run.
 */
uint64_t sgt_chip_cycles(const struct sgt_chip *chip);
/* Returns the length of the run in cycles of a SM's warp scheduler. Called after the run. */
uint64_t sgt_chip_sm_cycles(const struct sgt_chip *chip);
/* Returns the length of the run in nanoseconds, rounded down. Called after the run. */
uint64_t sgt_chip_ns(const struct sgt_chip *chip);
/* Adds the statistics of all units. It is called once, after the run. The chip must outlive the
 * statistics.
 */
void sgt_chip_register(struct sgt_chip *chip, struct sgt_stats *stats);

#endif
