/* SPDX-License-Identifier: MIT */
/*
 * The Tesla chip: faults for tests of --verify.
 */
#ifndef SGT_CHIP_FAULT_H
#define SGT_CHIP_FAULT_H

/* A part of the order that is left out, for tests of --verify. */
enum sgt_chip_fault {
   SGT_CHIP_FAULT_NONE,
   SGT_CHIP_FAULT_ORDER,    /* pixel warps go to the outputs as they end */
   SGT_CHIP_FAULT_TESTS,    /* colours do not wait for late tests */
   SGT_CHIP_FAULT_EARLY,    /* some blocks are not tested early */
   SGT_CHIP_FAULT_LATE,     /* early tests do not wait for late ones of earlier draws */
   SGT_CHIP_FAULT_BARRIER,  /* the host interface has no barriers */
   SGT_CHIP_FAULT_HAZARD,   /* ROPs read what is under way */
   SGT_CHIP_FAULT_TEXTURES, /* texture caches stay at a barrier */
   SGT_CHIP_FAULTS,
};

#endif
