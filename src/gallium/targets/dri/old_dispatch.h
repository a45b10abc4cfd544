/* SPDX-License-Identifier: MIT */
/* Passes GL calls of old loaders to the new functions. */
#ifndef DRI_OLD_DISPATCH_H
#define DRI_OLD_DISPATCH_H

#include <stdbool.h>

/* Must be called before the first context is current.  At that time libglvnd looks up every function
 * that it knows, and the spare slots of libglapi are used up.
 */
void old_dispatch_prepare(void);

/* Must be called in a thread whose current context may have changed.  Returns false if the loader's
 * functions can't be served.
 */
bool old_dispatch_follow(void);

#endif
