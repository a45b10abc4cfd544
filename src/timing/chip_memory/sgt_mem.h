/* SPDX-License-Identifier: MIT */
/*
 * Messages between the units of a chip and its memory.
 */
#ifndef SGT_MEM_H
#define SGT_MEM_H

#include <stdint.h>

enum sgt_mem_kind {
   SGT_MEM_READ,
   SGT_MEM_WRITE,  /* has no response */
   SGT_MEM_ATOMIC, /* executes at the memory; has a response */
};

/* A request for sectors of 32 bytes of a line of 64 bytes. */
struct sgt_mem_request {
   uint64_t address; /* multiple of 64 */
   uint32_t tag;     /* of the client; the response has it */
   uint16_t client;  /* port of the crossbar */
   uint8_t kind;     /* enum sgt_mem_kind */
   uint8_t sectors;  /* bits 0 and 1; at least one */
   uint8_t lanes;    /* ATOMIC: operations, one after the other */
};

struct sgt_mem_response {
   uint64_t address;
   uint32_t tag;
   uint16_t client;
};

#endif
