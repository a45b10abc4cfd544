/* SPDX-License-Identifier: MIT */
/*
 * For code that is compiled once per host level.
 */
#ifndef SGD_ARCH_H
#define SGD_ARCH_H

/* Before a loop: no iteration depends on another. */
#ifdef __clang__
#define SGD_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define SGD_IVDEP _Pragma("GCC ivdep")
#endif

#endif
