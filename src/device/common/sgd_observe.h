/* SPDX-License-Identifier: MIT */
/*
 * Observation in the engines. The observed level is one more compilation of the engines.
 * SGD_OBSERVE(code) expands to the code in that level and to nothing in the others. A
 * test removes these lines and compares the object files of the other levels.
 */
#ifndef SGD_OBSERVE_H
#define SGD_OBSERVE_H

#ifdef SGD_OBSERVED
#define SGD_OBSERVE(...) __VA_ARGS__
#else
#define SGD_OBSERVE(...)
#endif

#endif
