/* SPDX-License-Identifier: MIT */
/*
 * Observation in the engines. The engines are compiled once per host level, and once more for
 * devices whose observer (sgpu_observer.h) needs records of the engines. The additional compilation
 * is called the observed level. Only this level executes code inside `if (SGD_OBSERVED_LEVEL)`. At
 * all other levels, the condition is false at compile time, so that no recording functions are
 * compiled in. A test removes these statements and checks that the compiled code of the other
 * levels doesn't change.
 */
#ifndef SGD_OBSERVE_H
#define SGD_OBSERVE_H

#ifdef SGD_OBSERVED
#define SGD_OBSERVED_LEVEL 1
#else
#define SGD_OBSERVED_LEVEL 0
#endif

#endif
