/* SPDX-License-Identifier: MIT */
/*
 * Messages between the units of a chip and its memory.
 */
#ifndef SGT_MEM_H
#define SGT_MEM_H

#include <stdint.h>

enum sgt_mem_kind {
   SGT_MEM_READ,
   SGT_MEM_WRITE,  /* write, which has no response */
   SGT_MEM_ATOMIC, /* atomic operation, which executes in the partition and has a response */
};

/* A request for 32-byte sectors of a 64-byte line. */
struct sgt_mem_request {
   uint64_t address; /* address of the line; multiple of 64 */
   uint32_t tag;     /* ID that the client chooses and that the response contains */
   uint16_t client;  /* index of the client's crossbar port */
   uint8_t kind;     /* enum sgt_mem_kind */
   uint8_t sectors;  /* nonzero bitmask of sectors 0 and 1 */
   uint8_t lanes;    /* number of lanes of an atomic, which execute one after the other */
};

/* The response to a request. Address, tag and client are copied from the request. */
struct sgt_mem_response {
   uint64_t address;
   uint32_t tag;
   uint16_t client;
};

#endif
