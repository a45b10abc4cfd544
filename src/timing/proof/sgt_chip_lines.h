/* SPDX-License-Identifier: MIT */
/*
 * Lines of 64 bytes that a trace both writes and reads. This tracks which writes each read has
 * seen.
 *
 * A line has a version: the number of its writes so far, by ROPs and by the CPU. Each write belongs
 * to an operation. Memory has the version of the latest write-back that a partition has accepted. A
 * client of the memory network has the version that memory gave it with its latest read. A read by
 * operation R must have seen all writes of operations before R, and no write of operations after R:
 *
 *    RAW   the version that is read lacks a write of an earlier operation, or such a write
 *          comes later
 *    WAR   the version that is read includes a write of a later operation
 *
 * This finds reads that come before the write they depend on, and lines that a cache has kept too
 * long.
 */
#ifndef SGT_CHIP_LINES_H
#define SGT_CHIP_LINES_H

#include "proof/sgt_audit.h"
#include "trace/sgt_work.h"

struct sgt_chip_lines;
struct sgt_shadow;

/* Creates the tracking of lines. It follows `num_clients` clients of the memory network from
 * `first_client` on: texture units and the input assembler. `rops` is the number of ROPs.
 * Violations are reported to the audit of `shadow`. Shadow and work must outlive the result.
 * Returns NULL if out of memory.
 */
struct sgt_chip_lines *sgt_chip_lines_create(const struct sgt_shadow *shadow,
                                             const struct sgt_work *work, uint32_t first_client,
                                             uint32_t num_clients, uint32_t rops);
void sgt_chip_lines_destroy(struct sgt_chip_lines *l);
/* Returns false if an earlier call ran out of memory. */
bool sgt_chip_lines_ok(const struct sgt_chip_lines *l);
/* Returns the number of tracked lines. */
uint32_t sgt_chip_lines_num(const struct sgt_chip_lines *l);

/* Records that a ROP writes a line. `clears` says that the write is a fast clear, which reaches
 * memory at once.
 */
void sgt_chip_lines_write(struct sgt_chip_lines *l, uint64_t cycle, uint64_t line, uint32_t item,
                          bool clears);
/* Records that the CPU writes `size` bytes of memory at address `begin`. */
void sgt_chip_lines_cpu(struct sgt_chip_lines *l, uint64_t cycle, uint64_t begin, uint64_t size,
                        uint32_t item);
/* Records that the transfer unit reads a line through a ROP, which sees all writes so far. */
void sgt_chip_lines_transfer(struct sgt_chip_lines *l, uint64_t cycle, uint64_t line,
                             uint32_t item);
/* Records that a ROP makes `lines` memory requests to write back a tile at address `tile`. */
void sgt_chip_lines_write_back(struct sgt_chip_lines *l, uint32_t rop, uint64_t tile,
                               uint32_t lines);
/* Record that a partition accepts a write of its ROP, or a read by a client. */
void sgt_chip_lines_take_write(struct sgt_chip_lines *l, uint32_t rop);
void sgt_chip_lines_take_read(struct sgt_chip_lines *l, uint32_t client, uint64_t line);
/* Record that all lines of a texture access, or of a vertex warp's inputs, have arrived. `access`
 * and `warp` are indices in the work.
 */
void sgt_chip_lines_texture(struct sgt_chip_lines *l, uint64_t cycle, uint32_t client,
                            uint32_t access);
void sgt_chip_lines_fetch(struct sgt_chip_lines *l, uint64_t cycle, uint32_t client, uint32_t warp);

#endif
