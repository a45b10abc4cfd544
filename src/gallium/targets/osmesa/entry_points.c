/* SPDX-License-Identifier: MIT */
/* The functions gl*, which jump through the dispatch table of the thread's current context.  Mesa's
 * code, with a list of all functions (gen_entries.py).
 */
#include "entry.c"
