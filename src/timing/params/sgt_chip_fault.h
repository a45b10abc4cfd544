/* SPDX-License-Identifier: MIT */
/*
 * The Tesla chip: faults that tests of --verify inject.
 */
#ifndef SGT_CHIP_FAULT_H
#define SGT_CHIP_FAULT_H

/* A part of the chip's ordering that is left out, so that tests can check that --verify finds it.
 */
enum sgt_chip_fault {
   SGT_CHIP_FAULT_NONE,
   SGT_CHIP_FAULT_ORDER,    /* pixel warps go to the pixel outputs in the order in which they end */
   SGT_CHIP_FAULT_TESTS,    /* colour requests do not wait for the late tests of their warp */
   SGT_CHIP_FAULT_EARLY,    /* some blocks skip their early tests */
   SGT_CHIP_FAULT_LATE,     /* early tests do not wait for the late tests of earlier draws */
   SGT_CHIP_FAULT_BARRIER,  /* the host interface issues operations without barriers */
   SGT_CHIP_FAULT_HAZARD,   /* ROPs read lines that requests under way will write */
   SGT_CHIP_FAULT_TEXTURES, /* texture caches are not invalidated at a barrier */
   SGT_CHIP_FAULTS,
};

#endif
