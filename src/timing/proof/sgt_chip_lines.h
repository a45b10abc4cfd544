/* SPDX-License-Identifier: MIT */
/*
 * Tracks the 64-byte memory lines that a trace both writes and reads, to check which writes each
 * read has seen.
 *
 * The version of a line is the number of writes to it so far, by ROPs and by the CPU. Each write
 * belongs to an operation. The version in memory is that of the last write-back that a partition
 * has accepted. The version that a client of the memory network has is that in memory at its last
 * read. A read by operation R must have seen all writes by operations before R, and no write by
 * operations after R:
 *
 *    RAW   the version lacks a write by an earlier operation, or an earlier operation writes the
 *          line after the read
 *    WAR   the version includes a write by a later operation
 *
 * This detects reads that are executed before the write that they depend on, and stale lines in
 * caches.
 */
#ifndef SGT_CHIP_LINES_H
#define SGT_CHIP_LINES_H

#include "proof/sgt_audit.h"
#include "trace/sgt_work.h"

struct sgt_chip_lines;
struct sgt_shadow;

/* Creates an object that tracks memory lines. `first_client` is the first of `num_clients` clients
 * of the memory network whose reads are tracked: the texture units and the input assembler. `rops`
 * is the number of ROPs. Violations are reported to the audit of `shadow`. `shadow` and `work` must
 * outlive the result. Returns NULL if allocation fails.
 */
struct sgt_chip_lines *sgt_chip_lines_create(const struct sgt_shadow *shadow,
                                             const struct sgt_work *work, uint32_t first_client,
                                             uint32_t num_clients, uint32_t rops);
void sgt_chip_lines_destroy(struct sgt_chip_lines *l);
/* Returns false if an allocation has failed. */
bool sgt_chip_lines_ok(const struct sgt_chip_lines *l);
/* Returns the number of tracked lines. */
uint32_t sgt_chip_lines_num(const struct sgt_chip_lines *l);

/* Records that a ROP writes a line. `clears` is true for a fast clear, which updates memory
 * immediately instead of on the next write-back.
 */
void sgt_chip_lines_write(struct sgt_chip_lines *l, uint64_t cycle, uint64_t line, uint32_t item,
                          bool clears);
/* Records that the CPU writes `size` bytes at address `begin`. */
void sgt_chip_lines_cpu(struct sgt_chip_lines *l, uint64_t cycle, uint64_t begin, uint64_t size,
                        uint32_t item);
/* Records that the transfer unit reads a line through a ROP. Such a read sees all writes so far. */
void sgt_chip_lines_transfer(struct sgt_chip_lines *l, uint64_t cycle, uint64_t line,
                             uint32_t item);
/* Records that a ROP writes back the tile at address `tile` with `lines` memory requests. */
void sgt_chip_lines_write_back(struct sgt_chip_lines *l, uint32_t rop, uint64_t tile,
                               uint32_t lines);
/* These functions record that a memory partition has accepted a write from its ROP, or a read from
 * a client.
 */
void sgt_chip_lines_take_write(struct sgt_chip_lines *l, uint32_t rop);
void sgt_chip_lines_take_read(struct sgt_chip_lines *l, uint32_t client, uint64_t line);
/* These functions record that all lines have arrived that a texture access reads, or that a vertex
 * warp needs for its inputs. `access` and `warp` are indices in struct sgt_work.
 */
void sgt_chip_lines_texture(struct sgt_chip_lines *l, uint64_t cycle, uint32_t client,
                            uint32_t access);
void sgt_chip_lines_fetch(struct sgt_chip_lines *l, uint64_t cycle, uint32_t client, uint32_t warp);

#endif
