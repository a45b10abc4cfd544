/* SPDX-License-Identifier: MIT */
/*
 * Observation in the engines. The observed level is one more compilation of the engines.
 * Code of `if (SGD_OBSERVED_LEVEL)` is for that level. In the others the condition is
 * constant and false, so the functions that record exist in the observed level alone. A
 * test removes such statements and compares what the compiler makes for other levels.
 */
#ifndef SGD_OBSERVE_H
#define SGD_OBSERVE_H

#ifdef SGD_OBSERVED
#define SGD_OBSERVED_LEVEL 1
#else
#define SGD_OBSERVED_LEVEL 0
#endif

#endif
