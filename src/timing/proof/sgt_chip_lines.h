/* SPDX-License-Identifier: MIT */
/*
 * Lines of 64 bytes that a trace writes and reads: which writes a read has seen.
 *
 * A line has a version: the number of its writes so far, by ROPs and by the CPU, each of an
 * operation.  Memory has the version of the latest write-back that a partition has taken, and a
 * client of the network of memory that of the latest line that memory has given it.  A read by
 * operation R must have seen all writes of operations before R, and none of operations behind it:
 *
 *    RAW   the version that it sees lacks a write of an earlier operation, or such a write comes
 *          later
 *    WAR   the version has a write of a later operation
 *
 * So a read ahead of its write shows, and so does a line that a cache kept too long.
 */
#ifndef SGT_CHIP_LINES_H
#define SGT_CHIP_LINES_H

#include "proof/sgt_audit.h"
#include "trace/sgt_work.h"

struct sgt_chip_lines;
struct sgt_shadow;

/* Clients of the network of memory, `num_clients` from `first_client` on, are followed: texture
 * units and the input assembler.  rops: their number.  Violations go to the audit of `shadow`,
 * which stays, as the work does.  NULL: out of memory.
 */
struct sgt_chip_lines *sgt_chip_lines_create(const struct sgt_shadow *shadow,
                                             const struct sgt_work *work, uint32_t first_client,
                                             uint32_t num_clients, uint32_t rops);
void sgt_chip_lines_destroy(struct sgt_chip_lines *l);
/* False: out of memory in an earlier call. */
bool sgt_chip_lines_ok(const struct sgt_chip_lines *l);
/* Lines that are followed. */
uint32_t sgt_chip_lines_num(const struct sgt_chip_lines *l);

/* A ROP writes a line; `clears`: by a fast clear, which memory has at once. */
void sgt_chip_lines_write(struct sgt_chip_lines *l, uint64_t cycle, uint64_t line, uint32_t item,
                          bool clears);
/* The CPU writes bytes of memory. */
void sgt_chip_lines_cpu(struct sgt_chip_lines *l, uint64_t cycle, uint64_t begin, uint64_t size,
                        uint32_t item);
/* The transfer unit reads a line by a ROP: all writes so far are seen. */
void sgt_chip_lines_transfer(struct sgt_chip_lines *l, uint64_t cycle, uint64_t line,
                             uint32_t item);
/* A ROP makes `lines` requests that write a tile back. */
void sgt_chip_lines_write_back(struct sgt_chip_lines *l, uint32_t rop, uint64_t tile,
                               uint32_t lines);
/* A partition takes a write of its ROP, or a read of a client. */
void sgt_chip_lines_take_write(struct sgt_chip_lines *l, uint32_t rop);
void sgt_chip_lines_take_read(struct sgt_chip_lines *l, uint32_t client, uint64_t line);
/* The lines of an access of a texture unit, and of a vertex warp, are there. */
void sgt_chip_lines_texture(struct sgt_chip_lines *l, uint64_t cycle, uint32_t client,
                            uint32_t access);
void sgt_chip_lines_fetch(struct sgt_chip_lines *l, uint64_t cycle, uint32_t client, uint32_t warp);

#endif
