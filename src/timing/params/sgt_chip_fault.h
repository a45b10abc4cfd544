/* SPDX-License-Identifier: MIT */
/*
 * The Tesla chip: fault injection for tests of --verify.
 */
#ifndef SGT_CHIP_FAULT_H
#define SGT_CHIP_FAULT_H

/* An ordering rule that the chip ignores, so that tests can check that --verify detects it. */
enum sgt_chip_fault {
   SGT_CHIP_FAULT_NONE,
   SGT_CHIP_FAULT_ORDER,    /* pixel warps reach the pixel outputs in the order in which they end */
   SGT_CHIP_FAULT_TESTS,    /* colour requests don't wait for the late tests of their warp */
   SGT_CHIP_FAULT_EARLY,    /* some blocks skip their early tests */
   SGT_CHIP_FAULT_LATE,     /* early tests don't wait for the late tests of earlier draws */
   SGT_CHIP_FAULT_BARRIER,  /* the host interface ignores barriers between operations */
   SGT_CHIP_FAULT_HAZARD,   /* ROPs read lines that a request in flight is going to write */
   SGT_CHIP_FAULT_TEXTURES, /* texture caches are not invalidated at a barrier */
   SGT_CHIP_FAULTS,
};

#endif
