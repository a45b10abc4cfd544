/* SPDX-License-Identifier: MIT */
/*
 * Macros for code that is compiled once per host level.
 */
#ifndef SGD_ARCH_H
#define SGD_ARCH_H

/* Marks a loop whose iterations are independent of each other. */
#ifdef __clang__
#define SGD_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define SGD_IVDEP _Pragma("GCC ivdep")
#endif

#endif
