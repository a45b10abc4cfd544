/* SPDX-License-Identifier: MIT */
/*
 * The Tesla chip of Lindholm, Nickolls, Oberman and Montrym, "NVIDIA Tesla: A Unified Graphics and
 * Computing Architecture" (IEEE Micro, 2008). It runs a trace on a front end, clusters of SMs with
 * a texture unit, networks, ROPs and memory partitions, in several clock domains. The execution
 * units of the patent US 8,564,604 can replace the SMs.
 *
 * See docs/chip.md for a block diagram.
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

/* Extracts the parameters of the shader cores (sgt_core.h) from those of the chip. */
struct sgt_core_params sgt_chip_core_params(const struct sgt_chip_params *p);

struct sgt_chip;

/* Creates a chip that is ready to run the operations of `trace` and their warps in `work`. Both
 * must outlive the chip. If memory runs out, or if `work` doesn't match the trace or the chip,
 * writes a message to `error` and returns NULL.
 */
struct sgt_chip *sgt_chip_create(const struct sgt_chip_params *params,
                                 const struct sgt_trace *trace, const struct sgt_work *work,
                                 char *error, size_t error_size);
void sgt_chip_destroy(struct sgt_chip *chip);

/* Makes sgt_chip_run() fill in *result. Must only be called once, and before the run. The caller
 * must free the result with sgt_chip_result_finish(), even if the run fails. Observing a run
 * doesn't affect its cycles and statistics. Returns false on allocation failure.
 */
bool sgt_chip_observe(struct sgt_chip *chip, const struct sgt_chip_observe *observe,
                      struct sgt_chip_result *result);

/* Runs all operations of the trace. Must only be called once. If the run exceeds max_cycles, or if
 * the chip stops before all operations have ended, writes a message to `error` and returns false.
 * The number of cycles only depends on the trace and the parameters, not on the host.
 */
bool sgt_chip_run(struct sgt_chip *chip, char *error, size_t error_size);

/* Returns the length of the run in core cycles, from the start until all operations have ended.
 * Must be called after sgt_chip_run().
 */
uint64_t sgt_chip_cycles(const struct sgt_chip *chip);
/* Returns the length of the run in cycles of the SMs' warp schedulers. Must be called after
 * sgt_chip_run().
 */
uint64_t sgt_chip_sm_cycles(const struct sgt_chip *chip);
/* Returns the length of the run in nanoseconds, rounded down. Must be called after sgt_chip_run().
 */
uint64_t sgt_chip_ns(const struct sgt_chip *chip);
/* Registers the statistics of all units with `stats`, which the chip must outlive. Must only be
 * called once, and after the run.
 */
void sgt_chip_register(struct sgt_chip *chip, struct sgt_stats *stats);

#endif
