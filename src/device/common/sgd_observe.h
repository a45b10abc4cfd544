/* SPDX-License-Identifier: MIT */
/*
 * Observation in the engines. The observed level is one more compilation of the engines. Only this
 * level executes code inside `if (SGD_OBSERVED_LEVEL)`. At all other levels the condition is a
 * compile-time false, so that recording functions are only compiled into the observed level. A test
 * removes these statements and checks that the compiled code of the other levels doesn't change.
 */
#ifndef SGD_OBSERVE_H
#define SGD_OBSERVE_H

#ifdef SGD_OBSERVED
#define SGD_OBSERVED_LEVEL 1
#else
#define SGD_OBSERVED_LEVEL 0
#endif

#endif
