/* SPDX-License-Identifier: MIT */
/*
 * Fault injection in the Tesla chip, for tests of --verify.
 */
#ifndef SGT_CHIP_FAULT_H
#define SGT_CHIP_FAULT_H

/* Selects an ordering rule that the chip ignores, so that tests can check that --verify detects the
 * violations.
 */
enum sgt_chip_fault {
   SGT_CHIP_FAULT_NONE,
   /* pixel warps reach the pixel outputs in the order in which they end, not in primitive order */
   SGT_CHIP_FAULT_ORDER,
   SGT_CHIP_FAULT_TESTS,   /* color requests don't wait for the late tests of their warp */
   SGT_CHIP_FAULT_EARLY,   /* some blocks skip their early tests */
   SGT_CHIP_FAULT_LATE,    /* early tests don't wait for the late tests of earlier draws */
   SGT_CHIP_FAULT_BARRIER, /* the host interface ignores barriers between operations */
   /* ROPs read lines although a request in flight is going to write them */
   SGT_CHIP_FAULT_HAZARD,
   SGT_CHIP_FAULT_TEXTURES, /* texture caches are not invalidated at a barrier */
   SGT_CHIP_FAULTS,
};

#endif
