/* SPDX-License-Identifier: MIT */
/*
 * Observation in the engines.  SGD_OBSERVE(code) is the code in the observed level, one
 * more compile of the engines, and nothing in the others.  A test takes these lines away
 * and compares the objects of the other levels.
 */
#ifndef SGD_OBSERVE_H
#define SGD_OBSERVE_H

#ifdef SGD_OBSERVED
#define SGD_OBSERVE(...) __VA_ARGS__
#else
#define SGD_OBSERVE(...)
#endif

#endif
