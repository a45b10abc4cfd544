/* SPDX-License-Identifier: MIT */
/*
 * Messages between the units of a chip and its memory.
 */
#ifndef SGT_MEM_H
#define SGT_MEM_H

#include <stdint.h>

enum sgt_mem_kind {
   SGT_MEM_READ,
   SGT_MEM_WRITE,  /* a write; it has no response */
   SGT_MEM_ATOMIC, /* an atomic operation, which executes in the partition; it has a response */
};

/* A request for sectors of 32 bytes of a line of 64 bytes. */
struct sgt_mem_request {
   uint64_t address; /* address of the line, a multiple of 64 */
   uint32_t tag;     /* number that the client chooses, and that the response returns */
   uint16_t client;  /* number of the client's port of the crossbar */
   uint8_t kind;     /* enum sgt_mem_kind */
   uint8_t sectors;  /* bit mask of sectors 0 and 1; not 0 */
   uint8_t lanes;    /* for an atomic: number of lanes, which execute one after the other */
};

/* The response to a request, with the same address, tag and client. */
struct sgt_mem_response {
   uint64_t address;
   uint32_t tag;
   uint16_t client;
};

#endif
