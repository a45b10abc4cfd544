/* SPDX-License-Identifier: MIT */
/* XXH64, which is used for the hash of a trace. */
#ifndef SGT_HASH_H
#define SGT_HASH_H

#define XXH_INLINE_ALL
#include "util/xxhash.h"

#endif
