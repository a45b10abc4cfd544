/* SPDX-License-Identifier: MIT */
/*
 * The Tesla chip of Lindholm, Nickolls, Oberman, Montrym, "NVIDIA Tesla: A Unified Graphics and
 * Computing Architecture" (IEEE Micro, 2008), over a trace and its work: front, clusters of SMs
 * with a texture unit, the networks, ROPs and memory partitions, each in its clock domain.  Its
 * SMs can be execution units of US 8,564,604 instead.
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

/* The cores, as sgt_core.h has them. */
struct sgt_core_params sgt_chip_core_params(const struct sgt_chip_params *p);

struct sgt_chip;

/* A chip that has the work ahead of it; trace and work stay.  NULL, with a message: no memory,
 * or the work does not fit the trace or the chip.
 */
struct sgt_chip *sgt_chip_create(const struct sgt_chip_params *params,
                                 const struct sgt_trace *trace, const struct sgt_work *work,
                                 char *error, size_t error_size);
void sgt_chip_destroy(struct sgt_chip *chip);

/* Before the run, once: the run fills *result, which the caller frees, also after a run that fails.
 * Cycles and statistics are those without it.  False: no memory.
 */
bool sgt_chip_observe(struct sgt_chip *chip, const struct sgt_chip_observe *observe,
                      struct sgt_chip_result *result);

/* Runs all of the work, once.  False, with a message: max_cycles is exceeded, or the chip has
 * stopped before its end.  The same trace, work and parameters take the same cycles on every
 * host.
 */
bool sgt_chip_run(struct sgt_chip *chip, char *error, size_t error_size);

/* After the run: core cycles until nothing was under way. */
uint64_t sgt_chip_cycles(const struct sgt_chip *chip);
/* Cycles of the clock of a SM's scheduler in the same time. */
uint64_t sgt_chip_sm_cycles(const struct sgt_chip *chip);
/* Nanoseconds of the same time, rounded down. */
uint64_t sgt_chip_ns(const struct sgt_chip *chip);
/* Once, after the run: adds all statistics; the chip stays. */
void sgt_chip_register(struct sgt_chip *chip, struct sgt_stats *stats);

#endif
