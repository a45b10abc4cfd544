/* SPDX-License-Identifier: MIT */
/*
 * The interface between a test program and the driver with failing allocations.
 * The program defines and exports sgpu_failing; the driver looks it up when it is
 * loaded.
 */
#ifndef TEST_FAILING_H
#define TEST_FAILING_H

#include <stdatomic.h>
#include <stdbool.h>

struct failing {
   atomic_int countdown; /* 1: the next allocation fails; 0: none does */
   bool for_ever;        /* and so do all after it */
   atomic_int failures;
   atomic_int blocks; /* of memory that the driver's code holds */
};

extern struct failing sgpu_failing;

#endif
