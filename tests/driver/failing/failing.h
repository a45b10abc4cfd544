/* SPDX-License-Identifier: MIT */
/*
 * What a program and a driver whose allocations fail share.  The program defines
 * sgpu_failing and exports it; the driver looks for it when it is loaded.
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
